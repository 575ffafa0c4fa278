/* SPDX-License-Identifier: MIT */
/*
 * Compares the swizzle moves with worked examples (support_swizzle_examples.h), and with an independent slow
 * model written from the page's prose (dest[i] = src[swiz[i]], group by group, byte by byte).
 */
#include "model/core/units.h"
#include "model/svp64/unit_swizzle.h"
#include "oracle/compare/executor.h"
#include "tests/model/svp64/support_swizzle.h"
#include "tests/model/svp64/support_swizzle_examples.h"
#include "tests/support/support_units.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Worked examples ---- */

static void scalar_examples_hold(void **state)
{
    struct swizzle_bench *b = *state;
    static const char *const endings[] = {"repaired", "repaired,swiz-end-scalar=skips"};
    for (unsigned n = 0; n < sizeof scalar_examples / sizeof *scalar_examples; n++)
        for (unsigned where = 0; where < 2; where++)
            for (unsigned ending = 0; ending < 2; ending++) {
                const struct scalar_example *x = &scalar_examples[n];
                const char *file = x->op[0] == 'f' ? "fpr" : "gpr";
                const uint64_t *expected = where ? x->elsewhere[ending] : x->in_place[ending];
                unsigned rt = where ? 4 : 6;
                swizzle_set_case(b, 0, "%s.swiz %c%u, %c6, %s", x->op, file[0] == 'f' ? 'f' : 'r', rt,
                                 file[0] == 'f' ? 'f' : 'r', x->swizzle);
                if (where)
                    assert_int_equal(b->c->insn[0][0], x->word);
                const struct field *f = schema_field(&svp64_swizzle_unit.schema, file);
                uint32_t *row = image_own_row(&b->tc, f, 0, true);
                static const uint32_t lanes[] = {0xA0A0A0A0, 0xB1B1B1B1, 0xC2C2C2C2, 0xD3D3D3D3};
                memcpy(row + 12, lanes, sizeof lanes);
                swizzle_run(b, endings[ending]);
                assert_int_equal(b->out->end, END_DONE);
                if (swizzle_register_of(b, file, rt) != expected[0] ||
                    swizzle_register_of(b, file, rt + 1) != expected[1])
                    support_fail_case(&b->tc, "%016llx %016llx",
                                      (unsigned long long)swizzle_register_of(b, file, rt),
                                      (unsigned long long)swizzle_register_of(b, file, rt + 1));
            }
}

/* Fails unless the outcome has these moves, and all registers agree with them. */
static void expect_moves(struct swizzle_bench *b, unsigned rt, unsigned ra, const char *expected)
{
    uint64_t before[SVP64_REGISTERS];
    const struct field *f = schema_field(&svp64_swizzle_unit.schema, "gpr");
    for (unsigned row = 0; row < SVP64_FILE_ROWS; row++) {
        uint32_t words[SVP64_ROW_WORDS];
        image_row(&b->tc, f, row, words);
        for (unsigned n = 0; n < 8; n++)
            before[row * 8 + n] = (uint64_t)words[2 * n + 1] << 32 | words[2 * n];
    }
    if (strcmp(swizzle_moves_of(b), expected) != 0)
        support_fail_case(&b->tc, "expected %s, got %s", expected, swizzle_moves_of(b));
    uint64_t after[SVP64_REGISTERS];
    memcpy(after, before, sizeof after);
    for (const char *p = expected; *p; p += *p == ' ') {
        char *end;
        unsigned long d = strtoul(p + 1, &end, 10),
                      s = strtoul(end + 1 + (end[1] == 's'), (char **)(uintptr_t)&p, 10);
        after[rt + d] = end[1] == 's' ? before[ra + s] : s;
    }
    for (unsigned n = 0; n < SVP64_REGISTERS; n++)
        if (swizzle_register_of(b, "gpr", n) != after[n])
            support_fail_case(&b->tc, "r%u is %016llx", n,
                              (unsigned long long)swizzle_register_of(b, "gpr", n));
}

static const char *vec(unsigned subvl)
{
    static const char *const names[] = {"", "", "/vec2", "/vec3", "/vec4"};
    return names[subvl];
}

static void vector_examples_hold(void **state)
{
    static const char *const profiles[VECTOR_READINGS] = {
        [LITERAL] = "pseudocode,swiz-const-lost=carried",
        [MINUS_FOUR] = "pseudocode,swiz-const-lost=carried,swiz-minus-3=minus-4",
        [BEFORE_END] = "repaired,swiz-nn-range=manual",
        [SLOT_COUNTED] = "repaired,swiz-nn-range=manual,swiz-end-length=manual",
    };
    struct swizzle_bench *b = *state;
    for (unsigned n = 0; n < sizeof vector_examples / sizeof *vector_examples; n++)
        for (unsigned reading = 0; reading < VECTOR_READINGS; reading++) {
            const struct vector_example *x = &vector_examples[n];
            swizzle_set_case(b, x->vl, "sv.mv.swiz%s r80.v, r40.v, %s", vec(x->subvl), x->swizzle);
            swizzle_run(b, profiles[reading]);
            expect_moves(b, 80, 40, x->moves[reading]);
        }
}

static void pack_examples_hold(void **state)
{
    static const char *const profiles[PACK_READINGS] = {
        [STEP] = "repaired", [ADDR] = "repaired,swiz-pack-index=addr"};
    struct swizzle_bench *b = *state;
    for (unsigned n = 0; n < sizeof pack_examples / sizeof *pack_examples; n++)
        for (unsigned reading = 0; reading < PACK_READINGS; reading++) {
            const struct pack_example *x = &pack_examples[n];
            swizzle_set_case(b, x->vl, "sv.mv.swiz%s r80.v, r40.v, %s", vec(x->subvl), x->swizzle);
            b->c->svstate_low = (x->pack ? SVSTATE_PACK : 0) | (x->unpack ? SVSTATE_UNPACK : 0);
            swizzle_run(b, profiles[reading]);
            expect_moves(b, 80, 40, x->moves[reading]);
        }
}

static void mask_examples_hold(void **state)
{
    struct swizzle_bench *b = *state;
    for (unsigned n = 0; n < sizeof mask_examples / sizeof *mask_examples; n++) {
        const struct mask_example *x = &mask_examples[n];
        swizzle_set_case(b, 4, "sv.mv.swiz/vec2/dm=r30/sm=~r10 r80.v, r40.v, YXE.");
        swizzle_set_register(b, "gpr", 30, x->destination);
        swizzle_set_register(b, "gpr", 10, ~(uint64_t)x->source);
        swizzle_run(b, "repaired");
        expect_moves(b, 80, 40, x->moves);
    }
}

/* A CR predicate of element i is the EQ bit of field 4 + i; "ne" inverts it. */
static void cr_fields_predicate(void **state)
{
    struct swizzle_bench *b = *state;
    swizzle_set_case(b, 3, "sv.mv.swiz/vec2/dm=ne/sm=ne r80.v, r40.v, XYE.");
    uint32_t *cr = image_own_row(&b->tc, schema_field(&svp64_swizzle_unit.schema, "cr"), 0, true);
    memset(cr, 0, SVP64_ROW_BYTES);
    cr[0] = 4U << (5 * 4); /* sets EQ of CR5 */
    swizzle_run(b, "repaired");
    expect_moves(b, 80, 40, "d0=s0 d1=s1 d4=s4 d5=s5");
}

static void constants_have_the_destinations_width(void **state)
{
    static const char *const widths[] = {"", "/dw=32", "/dw=16", "/dw=8"};
    struct swizzle_bench *b = *state;
    for (unsigned n = 0; n < sizeof constant_examples / sizeof *constant_examples; n++)
        for (unsigned w = 0; w < 4; w++) {
            bool fp = constant_examples[n].op[0] == 'f';
            unsigned bits = w == 0 ? 64 : w == 1 ? 32 : w == 2 || fp ? 16 : 8;
            uint64_t keep = bits == 64 ? 0 : UINT64_MAX << bits, before;
            swizzle_set_case(b, 1, "sv.%s.swiz%s%s %c80.v, %c40.v, 1E..", constant_examples[n].op, widths[w],
                             constant_examples[n].suffix, fp ? 'f' : 'r', fp ? 'f' : 'r');
            swizzle_run(b, "pseudocode,swiz-minus-3=minus-4,swiz-subvl1=illegal"); /* stops: registers keep
                                                                                      their content */
            before = swizzle_register_of(b, fp ? "fpr" : "gpr", 80);
            swizzle_run(b, "repaired");
            assert_int_equal(b->out->end, END_DONE);
            assert_true(swizzle_register_of(b, fp ? "fpr" : "gpr", 80) ==
                        ((before & keep) | constant_examples[n].one[w]));
        }
}

/* An example on the page: with sats/vec2/ew=8 the swizzle "Y1" makes two bytes, the source's Y and 7f. */
static void saturation_example_of_the_page(void **state)
{
    struct swizzle_bench *b = *state;
    swizzle_set_case(b, 1, "sv.mv.swiz/vec2/dw=8/sw=8/sats r80.v, r40.v, Y1E.");
    swizzle_set_register(b, "gpr", 40, 0x1122334455669988);
    swizzle_set_register(b, "gpr", 80, 0xA0A1A2A3A4A5A6A7);
    swizzle_run(b, "repaired");
    assert_true(swizzle_register_of(b, "gpr", 80) == 0xA0A1A2A3A4A57F99);
}

/* ---- an independent slow model of the repaired text ---- */

/* Reads bytes of both register files. In a vector at register `base`, element n of `width` bytes is at byte 8
 * * base + n * width. */
static uint64_t slow_get(const uint8_t *file, unsigned at, unsigned width)
{
    uint64_t value = 0;
    for (unsigned n = width; n--;)
        value = value << 8 | file[at + n];
    return value;
}

static void slow_put(uint8_t *file, unsigned at, unsigned width, uint64_t value)
{
    for (unsigned n = 0; n < width; n++, value >>= 8)
        file[at + n] = (uint8_t)value;
}

/* Executes an mv without saturation, Pack and Vertical-First, with predicates that skip or zero. Returns
 * false if the case is undefined or out of range. */
static bool slow_move(uint8_t *file, const char *swizzle, unsigned vl, unsigned subvl, unsigned rt,
                      unsigned ra, unsigned to, unsigned from, const uint64_t mask[2], const bool zero[2])
{
    unsigned length = (unsigned)strcspn(swizzle, "E"), s = 0, d = 0;
    bool read[1024 + 64] = {false}, written[1024 + 64] = {false};
    uint8_t result[1024];
    memcpy(result, file, sizeof result);
    for (;; s++, d++) {
        while (s < vl && !zero[0] && (s > 63 || !(mask[0] >> s & 1)))
            s++;
        while (d < vl && !zero[1] && (d > 63 || !(mask[1] >> d & 1)))
            d++;
        if (s >= vl || d >= vl)
            break;
        bool source_masked = s > 63 || !(mask[0] >> s & 1), dest_masked = d > 63 || !(mask[1] >> d & 1);
        for (unsigned j = 0; j < length; j++) {
            const char *component = strchr("XYZW", swizzle[j]);
            unsigned at = rt * 8 + (d * length + j) * to, here = 0;
            uint64_t value = swizzle[j] == '1';
            if (swizzle[j] == '.')
                continue;
            if (component && (unsigned)(component - "XYZW") >= subvl && !source_masked && !dest_masked)
                return false;
            if (component)
                here = ra * 8 + (s * subvl + (unsigned)(component - "XYZW")) * from;
            if (at + to > 1024 || (component && !source_masked && !dest_masked && here + from > 1024))
                return false;
            if (component && !source_masked && !dest_masked)
                memset(read + here, 1, from);
            memset(written + at, 1, to);
            if (component)
                value = source_masked ? 0 : slow_get(file, here <= 1024 - from ? here : 0, from);
            slow_put(result, at, to, dest_masked ? 0 : value);
        }
    }
    for (unsigned n = 0; n < 1024; n++)
        if (read[n] && written[n])
            return false;
    memcpy(file, result, sizeof result);
    return true;
}

static void random_swizzle(struct random *r, char swizzle[5])
{
    unsigned length = 1 + random_below(r, 4);
    for (unsigned n = 0; n < 4; n++)
        swizzle[n] = n < length ? ".01XYZW"[random_below(r, 7)] : 'E';
    swizzle[4] = '\0';
}

static void registers_before(const struct swizzle_bench *b, uint8_t file[1024])
{
    const struct field *f = schema_field(&svp64_swizzle_unit.schema, "gpr");
    for (unsigned row = 0; row < SVP64_FILE_ROWS; row++) {
        uint32_t words[SVP64_ROW_WORDS];
        image_row(&b->tc, f, row, words);
        for (unsigned n = 0; n < SVP64_ROW_BYTES; n++)
            file[row * SVP64_ROW_BYTES + n] = (uint8_t)(words[n / 4] >> n % 4 * 8);
    }
}

static void vectors_equal_the_slow_model(void **state)
{
    static const char *const dw[] = {"", "/dw=32", "/dw=16", "/dw=8"}, *const sw[] = {"", "/sw=32", "/sw=16",
                                                                                      "/sw=8"};
    struct swizzle_bench *b = *state;
    struct random r;
    unsigned compared = 0, cases = support_scaled(100000);
    random_seed(&r, 7);
    for (unsigned n = 0; n < cases; n++) {
        char swizzle[5];
        unsigned to = random_below(&r, 4), from = random_below(&r, 4), subvl = 1 + random_below(&r, 4),
                 zeroing = random_below(&r, 4);
        unsigned vl = random_one_in(&r, 3) ? random_below(&r, 128) : random_below(&r, 17);
        unsigned rt = 2 * random_below(&r, 64), ra = 2 * random_below(&r, 64);
        bool masks = random_one_in(&r, 2), zero[2] = {masks && zeroing & 1, masks && zeroing & 2};
        uint64_t mask[2] = {UINT64_MAX, UINT64_MAX};
        uint8_t file[1024];
        random_swizzle(&r, swizzle);
        swizzle_set_case(b, vl, "sv.mv.swiz%s%s%s%s%s%s r%u.v, r%u.v, %s", vec(subvl), dw[to], sw[from],
                         masks ? "/dm=r10/sm=r3" : "", zero[1] ? "/dz" : "", zero[0] ? "/sz" : "", rt, ra,
                         swizzle);
        if (masks) {
            for (unsigned k = 0; k < 2; k++) {
                mask[k] = random_u64(&r);
                mask[k] |= random_u64(&r); /* mostly ones */
            }
            swizzle_set_register(b, "gpr", 3, mask[0]);
            swizzle_set_register(b, "gpr", 10, mask[1]);
        } else if (vl > 64) {
            continue; /* without a predicate all groups move, but the slow model's masks have only 64 bits */
        }
        registers_before(b, file);
        if (!slow_move(file, swizzle, vl, subvl, rt, ra, 8U >> to, 8U >> from, mask, zero))
            continue;
        swizzle_run(b, "repaired");
        if (b->out->end != END_DONE)
            support_fail_case(&b->tc, "ends %s", end_name(b->out->end));
        for (unsigned k = 0; k < 128; k++)
            if (swizzle_register_of(b, "gpr", k) != slow_get(file, k * 8, 8))
                support_fail_case(&b->tc, "r%u is %016llx, not %016llx", k,
                                  (unsigned long long)swizzle_register_of(b, "gpr", k),
                                  (unsigned long long)slow_get(file, k * 8, 8));
        compared++;
    }
    print_message("  %u of %u cases compared\n", compared, cases);
    assert_true(compared > cases / 4);
}

/* Tries every scalar swizzle with both operations, in place and elsewhere. */
static void every_scalar_swizzle(void **state)
{
    static const uint32_t old[4] = {0x11111111, 0x22222222, 0x33333333, 0x44444444},
                          source[4] = {0xA0A0A0A0, 0xB1B1B1B1, 0xC2C2C2C2, 0xD3D3D3D3};
    struct swizzle_bench *b = *state;
    for (unsigned n = 0; n < 4096 * 4; n++) {
        unsigned imm = n & 4095, in_place = n >> 12 & 1, fp = n >> 13;
        uint32_t expected[4];
        swizzle_set_case(b, 0, fp ? "fmv.swiz f4, f6, ...." : "mv.swiz r4, r6, ....");
        b->c->insn[0][0] |= imm << 4;
        if (in_place)
            b->c->insn[0][0] = (b->c->insn[0][0] & ~(31U << 21)) | 6U << 21;
        uint32_t *row =
            image_own_row(&b->tc, schema_field(&svp64_swizzle_unit.schema, fp ? "fpr" : "gpr"), 0, true);
        memcpy(row + 8, old, sizeof old);
        memcpy(row + 12, source, sizeof source);
        for (unsigned p = 0, ended = 0; p < 4; p++) {
            unsigned selector = imm >> (9 - 3 * p) & 7;
            expected[p] = in_place ? source[p] : 0;
            ended |= selector == 1;
            if (!ended && selector >= 2)
                expected[p] = selector == 2   ? 0
                              : selector == 3 ? (fp ? 0x3F800000 : 1)
                                              : source[selector & 3];
        }
        swizzle_run(b, "repaired");
        for (unsigned half = 0; half < 2; half++)
            if (swizzle_register_of(b, fp ? "fpr" : "gpr", (in_place ? 6 : 4) + half) !=
                ((uint64_t)expected[2 * half + 1] << 32 | expected[2 * half]))
                support_fail_case(&b->tc, "lanes %u and %u", 2 * half, 2 * half + 1);
    }
}

/* ---- Conversions between widths ---- */

/* Rounds a double to a format with `fraction` bits and smallest exponent `least`, exactly, by the host's
 * arithmetic. */
static double rounded(double x, int fraction, int least, double overflow)
{
    int e;
    if (x == 0)
        return x;
    (void)frexp(x, &e);
    double quantum = ldexp(1, (e - 1 < least ? least : e - 1) - fraction),
           r = nearbyint(x / quantum) * quantum;
    return fabs(r) >= overflow ? copysign(INFINITY, x) : r;
}

/* Returns the value of a float with these numbers of bits. */
static double from_bits(uint32_t bits, int exponent_bits, int fraction_bits)
{
    int biased = (int)(bits >> fraction_bits & ((1U << exponent_bits) - 1)),
        bias = (1 << (exponent_bits - 1)) - 1;
    double fraction = bits & ((1U << fraction_bits) - 1),
           sign = bits >> (exponent_bits + fraction_bits) & 1 ? -1 : 1;
    if (biased == (1 << exponent_bits) - 1)
        return fraction != 0 ? NAN : sign * INFINITY;
    return sign * (biased ? ldexp(fraction + ldexp(1, fraction_bits), biased - bias - fraction_bits)
                          : ldexp(fraction, 1 - bias - fraction_bits));
}

static void floats_convert_to_the_nearest(void **state)
{
    static const struct {
        const char *suffix;
        int exponent, fraction;
        double overflow;
    } targets[] = {{"/dw=16", 5, 10, 65520}, {"/dw=8", 8, 7, 0x1.ffp127}, {"/dw=32", 8, 23, 0x1.ffffffp127}};
    struct swizzle_bench *b = *state;
    struct random r;
    random_seed(&r, 11);
    for (unsigned n = 0, cases = support_scaled(30000); n < cases; n++) {
        unsigned t = random_below(&r, 3);
        uint64_t bits = random_u64(&r);
        double x, got;
        if (random_one_in(&r, 2)) /* mostly in the target's range, and at its edges */
            bits = (bits & ~(UINT64_C(0x7FF) << 52)) | (uint64_t)(1023 + (int)random_below(&r, 60) - 40)
                                                           << 52;
        if (random_one_in(&r, 4))
            bits &= ~((UINT64_C(1) << (52 - targets[t].fraction - 1)) - 1); /* often ties */
        memcpy(&x, &bits, sizeof x);
        if (isnan(x))
            continue;
        swizzle_set_case(b, 1, "sv.fmv.swiz%s f80.v, f40.v, XE..", targets[t].suffix);
        uint32_t *row = image_own_row(&b->tc, schema_field(&svp64_swizzle_unit.schema, "fpr"), 5, true);
        row[0] = (uint32_t)bits;
        row[1] = (uint32_t)(bits >> 32);
        swizzle_run(b, "repaired");
        unsigned width = (unsigned)(1 + targets[t].exponent + targets[t].fraction);
        uint32_t result = (uint32_t)(swizzle_register_of(b, "fpr", 80) & (UINT64_MAX >> (64 - width)));
        got = from_bits(result, targets[t].exponent, targets[t].fraction);
        double expected =
            rounded(x, targets[t].fraction, 2 - (1 << (targets[t].exponent - 1)), targets[t].overflow);
        if (got != expected || (bool)signbit(got) != (bool)signbit(expected))
            support_fail_case(&b->tc, "%a became %a, not %a", x, got, expected);
    }
}

/* IEEE 754, 4.3.1. The number is an even value, plus half a unit in its last place, plus one bit far below.
 * This bit decides: without it, the tie goes to the even value. */
static void the_lowest_bit_of_a_float_decides_a_tie(void **state)
{
    static const struct {
        const char *suffix;
        unsigned fraction, one;
    } targets[] = {{"/dw=16", 10, 0x3C00}, {"/dw=8", 7, 0x3F80}, {"/dw=32", 23, 0x3F800000}};
    struct swizzle_bench *b = *state;
    for (unsigned t = 0; t < 3; t++)
        for (unsigned below = 0; below <= 52 - targets[t].fraction - 1; below++) {
            uint64_t half = UINT64_C(1) << (52 - targets[t].fraction - 1),
                     low = below ? 1ULL << (below - 1) : 0, bits = UINT64_C(0x3FF0000000000000) | half | low;
            swizzle_set_case(b, 1, "sv.fmv.swiz%s f80.v, f40.v, XE..", targets[t].suffix);
            swizzle_set_register(b, "fpr", 40, bits);
            swizzle_run(b, "repaired");
            uint32_t result =
                (uint32_t)(swizzle_register_of(b, "fpr", 80) & (t == 2 ? UINT32_MAX : UINT64_C(0xFFFF)));
            if (result != targets[t].one + (below != 0))
                support_fail_case(&b->tc, "%016llx became %x", (unsigned long long)bits, result);
        }
}

static void narrow_floats_widen_exactly(void **state)
{
    static const struct {
        const char *suffix;
        int exponent, fraction;
    } sources[] = {{"/sw=16", 5, 10}, {"/sw=8", 8, 7}};
    struct swizzle_bench *b = *state;
    const uint32_t step = support_scaled(100) < 100 ? 7 : 1;
    for (uint32_t n = 0; n < 2 * 65536; n += step) {
        unsigned s = n >> 16;
        double got, expected = from_bits(n & 0xFFFF, sources[s].exponent, sources[s].fraction);
        uint64_t bits;
        if (n % 65536 < 7)
            swizzle_set_case(b, 1, "sv.fmv.swiz%s f80.v, f40.v, XE..", sources[s].suffix);
        uint32_t *row = image_own_row(&b->tc, schema_field(&svp64_swizzle_unit.schema, "fpr"), 5, true);
        row[0] = n & 0xFFFF;
        swizzle_run(b, "repaired");
        bits = swizzle_register_of(b, "fpr", 80);
        memcpy(&got, &bits, sizeof got);
        if (isnan(expected) ? !isnan(got) : got != expected || (bool)signbit(got) != (bool)signbit(expected))
            support_fail_case(&b->tc, "%04x became %a, not %a", (unsigned)(n & 0xFFFF), got, expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalar_examples_hold),
        cmocka_unit_test(vector_examples_hold),
        cmocka_unit_test(pack_examples_hold),
        cmocka_unit_test(mask_examples_hold),
        cmocka_unit_test(cr_fields_predicate),
        cmocka_unit_test(constants_have_the_destinations_width),
        cmocka_unit_test(saturation_example_of_the_page),
        cmocka_unit_test(vectors_equal_the_slow_model),
        cmocka_unit_test(every_scalar_swizzle),
        cmocka_unit_test(floats_convert_to_the_nearest),
        cmocka_unit_test(the_lowest_bit_of_a_float_decides_a_tie),
        cmocka_unit_test(narrow_floats_widen_exactly),
    };
    return cmocka_run_group_tests(tests, swizzle_set_up, swizzle_tear_down);
}
