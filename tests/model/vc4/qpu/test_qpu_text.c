/* SPDX-License-Identifier: MIT */
/* Instructions as text. A round trip loses nothing, the text has the meaning that public listings give, and
 * the parser reads any bytes safely. */
#include "model/number/random.h"
#include "model/vc4/qpu/encoding/qpu_insn.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#ifndef __has_feature
#define __has_feature(feature) 0 /* a macro of clang */
#endif
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !__has_feature(address_sanitizer)
enum { ROUND_TRIPS = 10000000 };
static const char build[] = "optimised build";
#else
enum { ROUND_TRIPS = 500000 };
static const char build[] = "unoptimised or instrumented build: 20 times fewer";
#endif

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t parsed(const char *line)
{
    struct error e = {0};
    uint64_t word = 0;
    if (!qpu_parse(line, strlen(line), &word, &e))
        fail_msg("'%s' is not read: %s", line, e.text);
    return word;
}

static void check_round_trip(uint64_t word, struct text *t)
{
    struct error e = {0};
    uint64_t again = ~word;
    text_clear(t);
    qpu_print(word, t);
    if (!qpu_parse(t->chars, t->length, &again, &e) || again != word)
        fail_msg("%016llx prints as '%s', which reads as %016llx %s", (unsigned long long)word, t->chars,
                 (unsigned long long)again, e.text);
}

/* ---- words and their text, written by hand ---- */

/* The meanings come from the listings that tests/model/vc4/qpu/test_qpu_insn.c names, or from the manual's
 * tables. */
static const struct {
    uint32_t low, high;
    const char *text;
} known[] = {
    {0x009E7000, 0x100009E7, "nop"},
    {0x159E7000, 0x10020C27, "mov vpm, r0"},
    {0x17BC1AC2, 0xE0021C67, "ldi vw_setup, 0x17bc1ac2"},
    {0x3F800000, 0xE0020C27, "ldi vpm, 0x3f800000"},
    {0x15827DF7, 0x10020027, "or ra0, uniform, nop {mul_a=a, mul_b=b}"},
    {0x15067DF7, 0x10020C27, "or vpm, ra1, nop {mul_a=a, mul_b=b}"},
    {0x0E004DC0, 0xD2020827, "shr r0, ra0.16a, 4"},
    {0x0E004DC0, 0xD4020867, "shr r1, ra0.16b, 4"},
    {0x080001F7, 0x10022827, "itof.setf r0, r0, rb0 {raddr_a=ra0, mul_a=a, mul_b=b}"},
    {0x20000DC2, 0x100079E0, "nop ; fmul.setf r0, r0, r2 {ws=1, raddr_a=ra0, raddr_b=rb0, add_a=a, add_b=b}"},
    {0x020201C0, 0xD0020827, "fsub r0, r0, 1.0 {raddr_a=ra0}"},
    {0x15800DF7, 0xD0021CA7, "or vw_addr, uniform, 0 {mul_a=a, mul_b=b}"},
    {0x009E7000, 0x500009E7, "nop ; unlock_scoreboard"},
    {0x009E7000, 0x300009E7, "nop ; end"},
    {0x213E3177, 0x11024821, "fadd r0, r0, r5 ; fmul r1, ra15, varying {pm=1}"},
    {0x013E3377, 0x11020E67, "fadd tmu0_t, r1, r5 {pm=1, raddr_a=ra15, raddr_b=varying, mul_a=a, mul_b=b}"},
    {0x009E7000, 0xA00009E7, "nop ; load_tmu0"},
    {0x000000C8, 0xF0F80127, "brr ra4, +200"},
    {0x00000050, 0xF0F81127, "brr rb4, +80"},
    {0x00000000, 0xF0F509E7, "bra ra8"},
    {0x00000019, 0xE80009E7, "acquire 9"},
    {0x00000001, 0xE80009E7, "release 1"},
    {0x0C9C41C0, 0xD0020867, "add r1, r0, 4"},
    {0x11983DC0, 0xD00208A7, "shl r2, element_number, 3"},
    {0x409C5017, 0x100049E2, "nop ; mul24 r2, r2, rb5"},
    {0xCC9E7081, 0x100246E0, "add ra27, r0, r2 ; v8adds r0, r0, r1"},
    {0x95827D80, 0x114258A0, "mov r2, uniform ; mov r0.c8a, r0 {ws=1}"},
    {0x15827D80, 0x10120027, "mov ra0.16a, uniform"},
    {0x95020DBF, 0x10024C20, "mov vpm, ra0 ; mov r0, uniform"},
    {0x079E7000, 0x10120127, "ftoi ra4.16a, r0"},
    {0x0003000A, 0xE2020867, "ldis r1, [-2, -1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]"},
    {0x00030005, 0xE6020867, "ldiu r1, [3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]"},
    {0x809F3000, 0xD00049E1, "nop ; mov.rot3 r1, r0"},
    {0x809F0000, 0xD00049E1, "nop ; mov.rot_r5 r1, r0"},
    /* unusual encodings */
    {0x00000000, 0x00000000, "nop ra0 ; nop rb0 ; breakpoint {raddr_a=ra0, raddr_b=rb0}"},
    {0x099E7001, 0x100209E7, "op9 nop, r0, r0 {mul_b=r1}"},
    {0x009E7000, 0x100049C7, "nop ; nop.always rb7"},
    {0x15820DC0, 0x10020027, "or ra0, uniform@a, uniform@b"},
    {0x159E0FC0, 0x10020027, "mov ra0, uniform@b"},
    {0xDEADBEEF, 0xE4000000, ".quad 0xe4000000deadbeef"},
    {0x00000000, 0xFA0009E7, "bra.all_zs 0x00000000 {unused=10}"},
    {0xFFFFFFF8, 0xF0D809E7, "brr.cond13 -8"},
    {0x12345699, 0xE80009E7, "acquire 9 {ignored=9544372}"},
    {0x009E7000, 0x119009E7, "nop {pm=1, pack=9}"},
    {0x009E7000, 0x120009E7, "nop {unpack=16a}"},
    {0x009C7000, 0xD00009E7, "nop ; small_immediate {small_immed=7}"},
};

static void test_known_text(void **state)
{
    struct text t = {0};
    (void)state;
    for (size_t n = 0; n < sizeof known / sizeof *known; n++) {
        uint64_t word = (uint64_t)known[n].high << 32 | known[n].low;
        text_clear(&t);
        qpu_print(word, &t);
        assert_string_equal(t.chars, known[n].text);
        assert_true(parsed(known[n].text) == word);
    }
    text_free(&t);
}

/* Instructions in other spellings that people use, and as qpu_print prints them. */
static void test_conveniences(void **state)
{
    static const struct {
        const char *written, *same;
    } pairs[] = {
        {"  FADD RA0 , R1,Uniform   # comment", "fadd ra0, r1, uniform"},
        {"nop // comment\r\n", "nop"},
        {"end", "nop ; end"},
        {"fmul r0, r1, r2", "nop ; fmul r0, r1, r2"},
        {"fmul r0, r1, r2 ; fadd r3, r1, r2", "fadd r3, r1, r2 ; fmul r0, r1, r2"},
        {"load_tmu0 ; mov r0, r1", "mov r0, r1 ; load_tmu0"},
        {"v8adds r0, r1, r2", "v8adds r0, r1, r2"},
        {"or ra0, r1, r1 ; v8min r2, r3, r3", "mov ra0, r1 ; mov r2, r3"},
        {"mov.sf -, unif", "mov.setf nop, uniform"},
        {"mov r5, elem_num", "mov r5_all, element_number"},
        {"mov tlb_color_all, r4", "mov tlb_colour_all, r4"},
        {"or vpm, uniform, rb32", "or vpm, uniform@a, uniform@b"},
        {"fmul r0, vpm, uniform", "nop ; fmul r0, vpm, uniform"},
        {"fmul r0, r1, 0.5", "nop ; fmul r0, r1, 1/2"},
        {"fmul r0, r1, 0.062500", "nop ; fmul r0, r1, 1/16"},
        {"mov r0, 0x0f", "mov r0, 15"},
        {"mov r0, 0.0", "mov r0, 0"},
        {"op21 ra0, r1, r1", "mov ra0, r1"},
        {"not r0, r1, r1", "not r0, r1"},
        {"mov.always r0.32, ra1.32", "mov r0, ra1"},
        {"ldi r0, 1.0", "ldi r0, 0x3f800000"},
        {"ldi r0, -1", "ldi r0, 0xffffffff"},
        {"ldis r1, 0x0003000a", "ldis r1, [-2, -1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]"},
        {"ldi.zs.zc ra0, rb1, 7", "ldi.zs.zc ra0, rb1, 0x00000007"},
        {"sacq 3", "acquire 3"},
        {"brr.any_nc -0x10", "brr.any_nc -16"},
        {"brr 8", "brr +8"},
        {"bra ra4, ra3 + 0x10", "bra ra4, ra3+16"},
        {".QUAD 0x100009e7009e7000", "nop"},
        {".quad 1152932392359325696", "nop"},
        {"nop {raddr_a=uniform , raddr_b = 0x23}", "nop {raddr_a=uniform, raddr_b=varying}"},
    };
    struct text t = {0};
    (void)state;
    for (size_t n = 0; n < sizeof pairs / sizeof *pairs; n++) {
        text_clear(&t);
        qpu_print(parsed(pairs[n].written), &t);
        assert_string_equal(t.chars, pairs[n].same);
        assert_true(parsed(pairs[n].same) == parsed(pairs[n].written));
    }
    text_free(&t);
}

static void test_errors(void **state)
{
    static const struct {
        const char *line, *column, *says;
    } wrong[] = {
        {"", "column 1:", "expected an instruction"},
        {"   # only a comment", "column 1:", "expected an instruction"},
        {"fad r0, r1, r2", "column 1:", "'fadd'"},
        {"fadd r0, r1, unifrom", "column 14:", "'uniform'"},
        {"fadd r0, r1", "column 12:", "expected ','"},
        {"fadd.zx r0, r1, r2", "column 6:", "condition"},
        {"fadd r0 r1, r2", "column 9:", "expected ','"},
        {"mov r0, r1, r2", "column 11:", "end of the instruction"},
        {"mov tmu0_x, r1", "column 5:", "'tmu0_"},
        {"mov r0, 17", "column 9:", "not a small immediate"},
        {"mov r0, 0.3", "column 9:", "not a small immediate"},
        {"fadd r0, 1, 2", "column 13:", "one small immediate"},
        {"add r0, rb1, 2", "column 9:", "read port B"},
        {"add r0, ra1, ra2", "column 14:", "taken by ra1"},
        {"add r0, r1, 2 ; end", "column 17:", "signal"},
        {"mov r0, r1 ; end ; load_tmu0", "column 20:", "one signal"},
        {"fmul r0, r1, r2 ; fmul r0, r1, r2", "column 19:", "MUL half"},
        {"mov ra0, r1 ; mov ra1, r1", "column 19:", "different register files"},
        {"mov rb0.16a, r1", "column 9:", "file B"},
        {"mov ra0.16c, r1", "column 9:", "pack"},
        {"mov ra0, r1.16a", "column 13:", "file A and r4"},
        {"fadd r0, ra1.16a, ra1", "column 19:", "same unpack"},
        {"fadd r0, ra1.16a, r4.16a", "column 19:", "pm"},
        {"fadd r0, r1, r2 ; fmul.setf r1, r1, r2", "column 24:", "ADD half"},
        {"ldi r0, r1, r2, 5", "column 13:", "expected"},
        {"ldi.zs ra0, rb0, 5", "column 4:", "one condition"},
        {"ldi r0, 0x100000000", "column 9:", "32 bits"},
        {"ldis r0, [0, 1, 2]", "column 17:", "element 2"},
        {"acquire 16", "column 9:", "semaphore"},
        {"brr.allz +8", "column 5:", "branch condition"},
        {"bra rb3", "column 5:", "ra0 .. ra31"},
        {"brr ra0, rb1, ra2, ra3", "column 15:", "at most two"},
        {"nop {raddr=3}", "column 6:", "'raddr_"},
        {"nop {raddr_a=64}", "column 14:", "6 bits"},
        {"nop {sig=15}", "column 5:", "another kind"},
        {"nop {sf=1", "column 10:", "expected '}'"},
        {".word 0", "column 2:", ".quad"},
        {".quad 0x1ffffffffffffffff", "column 7:", "64 bits"},
        {".quad 0x0000000000000000000000000000000000000001", "column 7:", "64 bits"},
        {"ldi r0, 0.00000000000000000000000000000000001", "column 9:", "32 bits"},
        {"mov r0, uniform@c", "column 17:", "'@a' or '@b'"},
    };
    (void)state;
    for (size_t n = 0; n < sizeof wrong / sizeof *wrong; n++) {
        struct error e = {0};
        uint64_t word = 0x1234;
        if (qpu_parse(wrong[n].line, strlen(wrong[n].line), &word, &e))
            fail_msg("'%s' is read", wrong[n].line);
        assert_true(word == 0x1234);
        if (strncmp(e.text, wrong[n].column, strlen(wrong[n].column)) != 0 || !strstr(e.text, wrong[n].says))
            fail_msg("'%s' gives '%s', not '%s ... %s'", wrong[n].line, e.text, wrong[n].column,
                     wrong[n].says);
        assert_false(qpu_parse(wrong[n].line, strlen(wrong[n].line), &word, NULL));
    }
}

/* ---- round trips ---- */

static uint64_t of_class(struct random *r, unsigned class)
{
    static const uint64_t top[QPU_CLASSES] = {0,           13 << 3,     14 << 3, 14 << 3 | 1,
                                              14 << 3 | 3, 14 << 3 | 4, 15 << 3};
    uint64_t word = random_u64(r);
    if (class == QPU_ALU)
        return (word & ~(UINT64_C(15) << 60)) | (uint64_t)random_below(r, 13) << 60;
    if (class == QPU_ALU_SMALL || class == QPU_BRANCH)
        return (word & ~(UINT64_C(15) << 60)) | top[class] << 57;
    return (word & ~(UINT64_C(127) << 57)) | top[class] << 57;
}

static void test_random_round_trips(void **state)
{
    struct random r;
    struct text t = {0};
    unsigned count = support_scaled(ROUND_TRIPS), undecoded = 0;
    double start = seconds();
    (void)state;
    random_seed(&r, 1);
    for (unsigned n = 0; n < count; n++) {
        uint64_t word = n % 2 ? random_u64(&r) : of_class(&r, n / 2 % QPU_CLASSES);
        check_round_trip(word, &t);
        undecoded += t.chars[0] == '.';
    }
    print_message("%u random words to text and back (%u of them undefined encodings), %.1f s; %s\n", count,
                  undecoded, seconds() - start, build);
    assert_true(undecoded > count / 200);
    text_free(&t);
}

/* Puts each value of each field, also reserved ones, into a canonical word and into random words. For wide
 * fields, uses only the ends and single bits. */
static void test_each_field(void **state)
{
    struct random r;
    struct text t = {0};
    unsigned checked = 0;
    (void)state;
    random_seed(&r, 2);
    for (unsigned class = 0; class < QPU_CLASSES; class ++) {
        for (unsigned base = 0; base < 40; base++) {
            struct qpu_insn i;
            qpu_canonical(class, &i);
            uint64_t word = base == 0 ? qpu_encode(&i) : of_class(&r, class);
            for (const struct bit_field *f = qpu_bit_fields(word); f->name; f++) {
                uint64_t mask = (UINT64_C(1) << f->width) - 1;
                for (uint64_t v = 0; v < 2 * (uint64_t)(f->width > 6 ? f->width : 1 << (f->width - 1));
                     v++, checked++) {
                    uint64_t value = f->width <= 6 ? v : v % 2 ? UINT64_C(1) << (v / 2) : mask >> (v / 2);
                    check_round_trip((word & ~(mask << f->low)) | (value & mask) << f->low, &t);
                }
            }
        }
    }
    for (unsigned mode = 0; mode < 8; mode++) /* the undefined modes of sig 14 print as raw data */
        for (unsigned n = 0; n < 100; n++) {
            uint64_t word = (random_u64(&r) & ~(UINT64_C(127) << 57)) | (uint64_t)(14 << 3 | mode) << 57;
            check_round_trip(word, &t);
            assert_int_equal(strncmp(t.chars, ".quad 0x", 8) == 0, mode == 2 || mode >= 5);
        }
    print_message("%u words of single field values\n", checked);
    text_free(&t);
}

/* Tries every combination of sources of the ADD and MUL halves. The names of the registers are shared between
 * the files, equal, or already in use. */
static void test_ports(void **state)
{
    static const uint8_t address[] = {0, 32, 33, 35, 38, 39, 48, 51};
    struct text t = {0};
    (void)state;
    for (unsigned sig = 1; sig <= 13; sig += 12)
        for (unsigned ab = 0; ab < 64; ab++)
            for (unsigned mux = 0; mux < 4096; mux++)
                for (unsigned ops = 0; ops < 4; ops++) {
                    if (sig == 13 && mux % 7 != 0) /* port B has no names: a sample is enough */
                        continue;
                    uint64_t word = (uint64_t)sig << 60 | (ops & 1 ? UINT64_C(1) << 24 : 0) |
                                    (ops & 2 ? UINT64_C(1) << 29 : 0) | (uint64_t)address[ab & 7] << 18 |
                                    (uint64_t)address[ab >> 3] << 12 | mux | UINT64_C(0x9E7) << 32;
                    check_round_trip(word, &t);
                }
    text_free(&t);
}

/* ---- any bytes ---- */

static void check_any_text(const char *line, size_t count, struct text *t, unsigned *read)
{
    struct error e = {0};
    char *exact = malloc(count + 1); /* no more, so that sanitizers detect a read beyond it */
    uint64_t word;
    assert_non_null(exact);
    memcpy(exact, line, count);
    if (qpu_parse(exact, count, &word, &e)) {
        check_round_trip(word, t);
        ++*read;
    } else {
        assert_int_equal(strncmp(e.text, "column ", 7), 0);
        assert_true((size_t)strtoul(e.text + 7, NULL, 10) <= count + 1);
    }
    free(exact);
}

static void test_garbage(void **state)
{
    static const char likely[] = "raf0149.,;@{}=+-#/_ x[]zsvumoldi\0\n\t%";
    struct random r;
    struct text t = {0}, good = {0};
    unsigned count = support_scaled(ROUND_TRIPS / 20), read = 0;
    (void)state;
    random_seed(&r, 3);
    for (unsigned n = 0; n < count; n++) {
        char line[400];
        size_t length = random_below(&r, 60);
        if (n % 2) {
            for (size_t k = 0; k < length; k++)
                line[k] = n % 4 == 1 ? (char)random_u32(&r) : likely[random_below(&r, sizeof likely - 1)];
        } else { /* a valid line with a few changes, sometimes truncated */
            text_clear(&good);
            qpu_print(of_class(&r, n / 2 % QPU_CLASSES), &good);
            length = good.length < sizeof line ? good.length : sizeof line;
            memcpy(line, good.chars, length);
            for (unsigned change = random_below(&r, 4); change-- > 0;)
                line[random_below(&r, (uint32_t)length)] =
                    random_one_in(&r, 4) ? (char)random_u32(&r) : line[random_below(&r, (uint32_t)length)];
            if (random_one_in(&r, 4))
                length = random_below(&r, (uint32_t)length + 1);
        }
        check_any_text(line, length, &t, &read);
    }
    print_message("%u lines of garbage, %u of them read as instructions\n", count, read);
    assert_true(read > 0 && read < count);
    text_free(&t);
    text_free(&good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_text),
        cmocka_unit_test(test_conveniences),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_each_field),
        cmocka_unit_test(test_ports),
        cmocka_unit_test(test_garbage),
        cmocka_unit_test(test_random_round_trips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
