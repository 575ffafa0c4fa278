/* SPDX-License-Identifier: MIT */
/*
 * The encoding and the text of Utgard GP instructions. All 128 bits round-trip, programs of two compilers
 * decode as Mesa's disassembler decodes them, and errors in a text name the column and what was expected.
 */
#include "model/utgard/gp_insn.h"
#include "tests/model/utgard/support_utgard.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static void fields_are_all_bits(void **state)
{
    (void)state;
    unsigned next = 0, fields = 0;
    for (; gp_bit_fields[fields].name; fields++) {
        assert_int_equal(gp_bit_fields[fields].low, next);
        next += gp_bit_fields[fields].width;
    }
    assert_int_equal(fields, 39); /* the number of fields in the instruction format of "Utgard GP" */
    assert_int_equal(next, 128);
}

static void check_round_trip(const uint32_t words[4], struct text *t)
{
    uint32_t again[4];
    struct gp_insn i;
    struct error e = {0};
    gp_decode(words, &i);
    gp_encode(&i, again);
    assert_memory_equal(words, again, sizeof again);
    text_clear(t);
    gp_print(words, t);
    memset(again, 0xFF, sizeof again);
    if (!gp_parse(text_chars(t), t->length, again, &e))
        fail_msg("%08x %08x %08x %08x: '%s' does not parse: %s", words[0], words[1], words[2], words[3],
                 text_chars(t), e.text);
    if (memcmp(words, again, sizeof again) != 0)
        fail_msg("%08x %08x %08x %08x: '%s' gives other words", words[0], words[1], words[2], words[3],
                 text_chars(t));
}

static void every_word_round_trips(void **state)
{
    (void)state;
    struct random r;
    struct text t = {0};
    uint32_t nop[4];
    random_seed(&r, 128);
    gp_encode(&gp_nop, nop);
    assert_memory_equal(nop, gp_nop_words, sizeof nop);
    unsigned count = support_scaled(3000000);
    for (unsigned n = 0; n < count; n++) {
        uint32_t words[4];
        memcpy(words, nop, sizeof words);
        if (n % 3 == 0) /* in turn: random words, a nop with few changed bits, generated instructions */
            for (unsigned k = 0; k < 4; k++)
                words[k] = random_u32(&r);
        else if (n % 3 == 1)
            for (unsigned k = 1 + random_below(&r, 6); k; k--) {
                unsigned bit = random_below(&r, 128);
                words[bit / 32] ^= UINT32_C(1) << bit % 32;
            }
        else
            unit_named("utgard-gp")->code->generate(&r, words);
        check_round_trip(words, &t);
    }
    print_message("  %u words\n", count);
    text_free(&t);
}

/* The encodings are worked out from the instruction format alone. */
static void known_words(void **state)
{
    (void)state;
    static const struct {
        uint32_t words[4];
        const char *text;
    } known[] = {
        {{0xad4ad6b5, 0x038002b5, 0x0007ff80, 0x000ad500}, "nop"},
        {{0xad4ad580, 0x438002b5, 0x0007fd00, 0x000ad500},
         "reg0 attr0 ; load u[0] ; mul0 mul reg0.x, load.x ; store0 $0 mul0, none"},
        {{0xb48ad6b5, 0x03800ab5, 0x0007ff80, 0x000ad500}, "acc0 mov mul0@1"},
        {{0x084ad6b5, 0x47800ab5, 0x003fff80, 0x000ad500}, "reg0 attr1 ; acc0 max reg0.y, -reg0.y"},
        {{0x680ad6b5, 0x4380c2b5, 0x0027ff80, 0x000ad500}, "reg0 attr0 ; load u[3] ; acc0 ge reg0.x, load.y"},
        {{0xad4ad6b5, 0x438012a2, 0x000fff80, 0x000ad500}, "reg0 attr0 ; acc1 floor -reg0.z"},
        {{0xad4ad610, 0x038002b5, 0x0147ff80, 0x00084130},
         "mul0 complex2 acc0@1, acc0@1 ; complex rcp acc0@1 ; pass mov acc0@1"},
        {{0xad4a5a56, 0x038002b5, 0x0007ff80, 0x000ad510},
         "mul0 complex1 complex@1, mul0@1 ; mul1 complex1 complex@1, pass@1"},
        {{0xb68ad6b5, 0x03800ab5, 0x4807fc00, 0x000ad500}, "acc0 mov mul0@2 ; store0 v2 acc0, none"},
        {{0xad4ace12, 0x038002b5, 0x0007ff80, 0x000ad540},
         "mul0 select mul0@1, acc0@1 ; mul1 select mul1@1, none"},
        {{0xad4ad6b5, 0x038182b5, 0x0007ff80, 0x000d5700}, "load u[6] ; pass clamp mul0@2"},
        {{0xad4ad6b5, 0x038002b5, 0x0007ffe0, 0x05d85500}, "pass mov acc0@1 ; branch 5"},
        {{0xad4ad6b5, 0x038002b5, 0x0007ffa0, 0xf3d85500}, "pass mov acc0@1 ; branch 499"},
        {{0xad4b4ab5, 0x038002b5, 0x0303ff90, 0x00cac500},
         "mul1 mov mul0@1 ; complex addr0 acc1@1 ; store1 temp none, mul1"},
        {{0xad4ad6b5, 0x038002b5, 0x0387ff80, 0x000ad100}, "complex addr2 pass@1"},
        {{0xad4ad6b5, 0x008442b5, 0x0007ff80, 0x00075500}, "load u[17+addr1] ; pass mov load.z"},
        {{0xad4ad6b5, 0x03ffe2cf, 0x0007ff80, 0x000ad500}, "load u[511] ; acc1 mov load.w"},
    };
    struct text t = {0};
    for (unsigned n = 0; n < sizeof known / sizeof *known; n++) {
        check_round_trip(known[n].words, &t);
        assert_string_equal(text_chars(&t), known[n].text);
    }
    text_free(&t);
}

static void the_vendors_program(void **state)
{
    (void)state;
    struct text t = {0};
    for (unsigned n = 0; n < VENDOR_INSNS; n++)
        check_round_trip(vendor_cube[n], &t);
    check_round_trip(vendor_cube[8], &t);
    assert_string_equal(
        text_chars(&t),
        "reg0 $4 ; reg1 $0 ; load u[3] ; acc0 add pass@2, reg1.z ; acc1 add complex@1, reg0.y ; "
        "mul0 complex2 acc1@2, acc1@2 ; mul1 mul load.y, acc0@1 ; complex rcp acc1@2 ; pass mov acc1@2");
    text_free(&t);
}

/* ---- the text of Mesa's disassembler, made from our fields ---- */

/* Mesa numbers the results of a program, six for each instruction. */
enum { ACC0, ACC1, MUL0, MUL1, PASS, COMPLEX, SERIALS };

struct mesa {
    struct gp_insn now, before;
    unsigned index;
    struct text *t;
    bool any;
};

static void mesa_fetched(const struct mesa *m, const struct gp_insn *i, unsigned component)
{
    text_add(m->t, "%s%u.%c", i->register0_attribute ? "a" : "$", i->register0_addr, "xyzw"[component]);
}

static void mesa_source(const struct mesa *m, unsigned source, bool negated)
{
    static const unsigned serial[] = {ACC0, ACC1, MUL0, MUL1, PASS, 0, COMPLEX};
    text_add(m->t, negated ? " -" : " ");
    if (source < 4)
        mesa_fetched(m, &m->now, source);
    else if (source < 8)
        text_add(m->t, "$%u.%c", m->now.register1_addr, "xyzw"[source - 4]);
    else if (source >= 28)
        mesa_fetched(m, &m->before, source - 28);
    else if (source < 16)
        text_add(m->t, "t[%u].%c", m->now.load_addr, "xyzw"[source - 12]);
    else if (source < 23)
        text_add(m->t, "^%u", SERIALS * (m->index - 1) + serial[source - 16]);
    else
        text_add(m->t, "^%u", SERIALS * (m->index - 2) + (source == 23 ? PASS : source - 24));
}

/* Writes "mul.m0 ^14/$0.x": the result's number, then the place to which the instruction stores it. */
static void mesa_begin(struct mesa *m, const char *name, unsigned serial, unsigned store)
{
    const unsigned stores[4] = {m->now.store0_src_x, m->now.store0_src_y, m->now.store1_src_z,
                                m->now.store1_src_w};
    text_add(m->t, "%s%s ^%u", m->any ? " | " : "", name, SERIALS * m->index + serial);
    m->any = true;
    for (unsigned n = 0; n < 4; n++)
        if (stores[n] == store)
            text_add(m->t, "/%s%u.%c", (n < 2 ? m->now.store0_varying : m->now.store1_varying) ? "v" : "$",
                     n < 2 ? m->now.store0_addr : m->now.store1_addr, "xyzw"[n]);
}

static void mesa_acc(struct mesa *m, unsigned unit, unsigned a, unsigned b, bool a_neg, bool b_neg)
{
    static const char *const names[] = {"add", "floor", "sign", "unknown", "ge", "lt", "min", "max"};
    char name[16];
    if (a == 21 || b == 21)
        return;
    bool move = b == 22 && b_neg, one = m->now.acc_op == 1 || m->now.acc_op == 2;
    (void)snprintf(name, sizeof name, "%s.a%u", move ? "mov" : names[m->now.acc_op], unit);
    mesa_begin(m, name, unit, unit);
    mesa_source(m, a, a_neg);
    if (!move && !one)
        mesa_source(m, b, b_neg);
}

static void mesa_mul(struct mesa *m, unsigned unit, unsigned a, unsigned b, bool neg)
{
    if (a == 21 || b == 21)
        return;
    mesa_begin(m, b == 22 ? (unit ? "mov.m1" : "mov.m0") : unit ? "mul.m1" : "mul.m0", MUL0 + unit, 2 + unit);
    mesa_source(m, a, b == 22 && neg);
    if (b != 22)
        mesa_source(m, b, neg);
}

static void mesa_mul_pair(struct mesa *m)
{
    const struct gp_insn *i = &m->now;
    if (i->mul_op == 1) {
        mesa_begin(m, "complex1.m01", MUL0, 8);
        mesa_source(m, i->mul0_src0, false);
        mesa_source(m, i->mul0_src1, false);
        mesa_source(m, i->mul1_src0, false);
        mesa_source(m, i->mul1_src1, false);
    } else if (i->mul_op == 4) {
        mesa_begin(m, "sel.m01", MUL0, 2);
        mesa_source(m, i->mul0_src1, false);
        mesa_source(m, i->mul0_src0, false);
        mesa_source(m, i->mul1_src0, false);
    } else {
        if (i->mul_op == 3) {
            mesa_begin(m, "complex2.m0", MUL0, 8);
            mesa_source(m, i->mul0_src0, false);
            mesa_source(m, i->mul0_src1, false);
        } else {
            mesa_mul(m, 0, i->mul0_src0, i->mul0_src1, i->mul0_neg);
        }
        mesa_mul(m, 1, i->mul1_src0, i->mul1_src1, i->mul1_neg);
    }
}

static void mesa_print(struct mesa *m)
{
    static const char *const complex_names[16] = {
        [2] = "exp2.c", [3] = "log2.c", [4] = "rsqrt.c", [5] = "rcp.c", [9] = "mov.c"};
    static const char *const pass_names[8] = {
        [2] = "mov.p", [4] = "preexp2.p", [5] = "postlog2.p", [6] = "clamp.p"};
    const struct gp_insn *i = &m->now;
    m->any = false;
    mesa_acc(m, 0, i->acc0_src0, i->acc0_src1, i->acc0_src0_neg, i->acc0_src1_neg);
    mesa_acc(m, 1, i->acc1_src0, i->acc1_src1, i->acc1_src0_neg, i->acc1_src1_neg);
    mesa_mul_pair(m);
    if (i->complex_op) {
        mesa_begin(m, complex_names[i->complex_op], COMPLEX, 6);
        mesa_source(m, i->complex_src, false);
    }
    if (i->pass_src != 21) {
        mesa_begin(m, pass_names[i->pass_op], PASS, 4);
        mesa_source(m, i->pass_src, false);
    }
    if (i->branch)
        text_add(m->t, " | branch ^%u %03u", SERIALS * m->index + PASS, gp_branch_target(i));
    if (!m->any)
        text_add(m->t, "nop");
    if (i->flags)
        text_add(m->t, " | unknown_1 %u", i->flags);
}

static void mesas_programs(void **state)
{
    (void)state;
    struct utgard_file *f = utgard_open();
    if (!f) {
        print_message("SKIPPED: no compiler-programs/utgard in MISPRINT_TEST_DATA\n");
        skip();
        return;
    }
    static struct utgard_program p;
    struct text t = {0}, ours = {0};
    unsigned programs = 0, insns = 0;
    while (utgard_next(f, &p)) {
        struct mesa m = {.t = &t};
        programs++;
        for (m.index = 0; m.index < p.instructions; m.index++) {
            check_round_trip(p.word[m.index], &ours);
            m.before = m.now;
            gp_decode(p.word[m.index], &m.now);
            text_clear(&t);
            mesa_print(&m);
            if (strcmp(text_chars(&t), p.text[m.index]) != 0)
                fail_msg("%s, instruction %u: Mesa says '%s', the decoded fields '%s'", p.name, m.index,
                         p.text[m.index], text_chars(&t));
            insns++;
        }
    }
    print_message("  %u programs, %u instructions as Mesa prints them\n", programs, insns);
    assert_true(programs >= 35 && insns >= 1123);
    text_free(&t);
    text_free(&ours);
    utgard_close(f);
}

/* ---- bad text ---- */

static void bad_text_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *error;
    } bad[] = {
        {"", "column 1: expected a unit (reg0, load, acc0, mul1, complex, pass, store0, branch ...)"},
        {"mul2 mul reg0.x, load.x", "column 1: expected a unit (reg0, load, acc0, mul1, complex, pass, "
                                    "store0, branch ...), found 'mul2'; did you mean 'mul0'?"},
        {"mul0 mull reg0.x, load.x", "column 6: expected an opcode, found 'mull'; did you mean 'mul'?"},
        {"mul0 mul reg0.x", "column 16: expected ','"},
        {"mul0 mul reg0.q, load.x", "column 10: expected an operand (reg0.x, load.w, acc0@1, mul1@2, none "
                                    "...), found 'reg0.q'; did you mean 'reg0.x'?"},
        {"acc0 add reg0.x, complex@1", "column 18: complex@1 cannot be a second operand (22 is the identity "
                                       "there); swap the operands"},
        {"acc0 add ident, reg0.x", "column 10: ident can only be a second operand"},
        {"acc0 add reg0.x, reg0.y ; acc1 max reg0.x, reg0.y",
         "column 32: both units of a pair have the same opcode: 'max' here, 'add' in column 6"},
        {"mul0 select reg0.x, reg0.y ; mul1 mul reg0.x, reg0.y",
         "column 35: both units of a pair have the same opcode: 'mul' here, 'select' in column 6"},
        {"mul1 complex2 reg0.x, reg0.y", "column 6: only mul0 has complex2; mul1 multiplies beside it"},
        {"pass mov reg0.x ; pass mov reg0.y", "column 19: pass for the second time in one instruction"},
        {"branch 512", "column 8: expected an instruction's number from 0 to 511, found '512'"},
        {"reg0 $16", "column 7: expected a register number from 0 to 15, found '16'"},
        {"reg0 5", "column 6: expected a register ($0 to $15) or an attribute (attr0 to attr15), found '5'"},
        {"load v[3]", "column 6: expected u[number], found 'v'"},
        {"load u[512]", "column 8: expected a uniform's number from 0 to 511, found '512'"},
        {"load u[1+addr4]",
         "column 10: expected an address register (addr1 to addr3), found 'addr4'; did you mean 'addr1'?"},
        {"store0 w3 acc0, none",
         "column 8: expected where to store ($0 to $15, v0 to v15, temp), found 'w3'"},
        {"store0 $3 acc2, none", "column 11: expected what to store (acc0, acc1, mul0, mul1, pass, complex, "
                                 "none), found 'acc2'; did you mean 'acc0'?"},
        {"store0 $3 acc0", "column 15: expected ','"},
        {"complex sqrt reg0.x",
         "column 9: expected an opcode of the complex unit, found 'sqrt'; did you mean 'rsqrt'?"},
        {"flags 16", "column 7: expected flags from 0 to 15, found '16'"},
        {"nop nop", "column 5: expected ';' and the next unit, or the end of the line, found 'nop'"},
    };
    for (unsigned n = 0; n < sizeof bad / sizeof *bad; n++) {
        uint32_t words[4];
        struct error e = {0};
        assert_false(gp_parse(bad[n].text, strlen(bad[n].text), words, &e));
        assert_string_equal(e.text, bad[n].error);
    }
}

/* Any characters give an error or an instruction, and never a crash. An instruction prints and parses again
 * to the same words. */
static void any_text_is_read_safely(void **state)
{
    (void)state;
    struct random r;
    struct text t = {0};
    random_seed(&r, 7);
    for (unsigned n = 0; n < support_scaled(200000); n++) {
        uint32_t words[4];
        struct error e = {0};
        unit_named("utgard-gp")->code->generate(&r, words);
        text_clear(&t);
        gp_print(words, &t);
        char *copy = malloc(t.length + 1); /* no more, so that a sanitizer detects reads beyond it */
        assert_non_null(copy);
        memcpy(copy, text_chars(&t), t.length);
        for (unsigned k = random_below(&r, 3); k && t.length; k--)
            copy[random_below(&r, (uint32_t)t.length)] = " ,;.@$-0a1x~["[random_below(&r, 13)];
        if (gp_parse(copy, t.length, words, &e)) {
            struct text again = {0};
            check_round_trip(words, &again);
            text_free(&again);
        } else {
            assert_non_null(strstr(e.text, "column "));
        }
        free(copy);
    }
    text_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_all_bits),
        cmocka_unit_test(every_word_round_trips),
        cmocka_unit_test(known_words),
        cmocka_unit_test(the_vendors_program),
        cmocka_unit_test(mesas_programs),
        cmocka_unit_test(bad_text_is_refused),
        cmocka_unit_test(any_text_is_read_safely),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
