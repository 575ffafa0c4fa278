/* SPDX-License-Identifier: MIT */
/*
 * The observation points of utgard-gp. A rule on a decoded field must have the effect of the same change in
 * the words, at the bits that the documents name. Rules written by hand must have the effect of a clause's
 * reading.
 */
#include "fuzz/generate/generate.h"
#include "model/core/units.h"
#include "model/utgard/points/gp_points.h"
#include "model/utgard/unit_gp.h"
#include "tests/model/utgard/support_gp_readings.h"
#include "tests/support/support_points.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static struct points_bench *bench;

static int begin(void **state)
{
    (void)state;
    bench = points_open(&utgard_gp_unit);
    return 0;
}

static int finish(void **state)
{
    (void)state;
    points_close(bench);
    return 0;
}

/* ---- fields ---- */

/* The places of the fields in the 128 bits ("Utgard GP", table of the instruction word). */
static const struct place {
    const char *point, *guard;
    uint8_t low, width;
} places[] = {
    {"insn.source", "unit == 2 && operand == 0", 0, 5},
    {"insn.source", "unit == 2 && operand == 1", 5, 5},
    {"insn.source", "unit == 3 && operand == 0", 10, 5},
    {"insn.source", "unit == 3 && operand == 1", 15, 5},
    {"insn.source", "unit == 0 && operand == 0", 22, 5},
    {"insn.source", "unit == 0 && operand == 1", 27, 5},
    {"insn.source", "unit == 1 && operand == 0", 32, 5},
    {"insn.source", "unit == 1 && operand == 1", 37, 5},
    {"insn.source", "unit == 6", 106, 5},
    {"insn.source", "unit == 4", 111, 5},
    {"insn.negate", "unit == 2", 20, 1},
    {"insn.negate", "unit == 3", 21, 1},
    {"insn.negate", "unit == 0 && operand == 0", 42, 1},
    {"insn.negate", "unit == 0 && operand == 1", 43, 1},
    {"insn.negate", "unit == 1 && operand == 0", 44, 1},
    {"insn.negate", "unit == 1 && operand == 1", 45, 1},
    {"insn.op", "unit == 0", 83, 3},
    {"insn.op", "unit == 2", 100, 3},
    {"insn.op", "unit == 4", 103, 3},
    {"insn.op", "unit == 6", 86, 4},
    {"insn.load-addr", NULL, 46, 9},
    {"insn.load-offset", NULL, 55, 3},
    {"insn.register", "slot == 0", 58, 4},
    {"insn.register", "slot == 1", 63, 4},
    {"insn.attribute", NULL, 62, 1},
    {"insn.store-source", "component == 0", 71, 3},
    {"insn.store-source", "component == 1", 74, 3},
    {"insn.store-source", "component == 2", 77, 3},
    {"insn.store-source", "component == 3", 80, 3},
    {"insn.store-addr", "half == 0", 90, 4},
    {"insn.store-addr", "half == 1", 95, 4},
    {"insn.store-varying", "half == 0", 94, 1},
    {"insn.store-varying", "half == 1", 99, 1},
    {"insn.store-temporary", "half == 0", 67, 1},
    {"insn.store-temporary", "half == 1", 68, 1},
    {"insn.branch", NULL, 69, 1},
    {"insn.flags", NULL, 116, 4},
    {"insn.branch-target", NULL, 120, 8},
};

static void set_bits(uint32_t *words, unsigned low, unsigned width, uint32_t value)
{
    for (unsigned n = 0; n < width; n++) {
        uint32_t bit = 1U << (low + n) % 32, *word = &words[(low + n) / 32];
        *word = value >> n & 1 ? *word | bit : *word & ~bit;
    }
}

static void a_rule_is_an_edit_of_the_word(void **state)
{
    (void)state;
    static const char *const profiles[] = {"manual", "mali400", "decided,gp-flags=bits"};
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
        const struct place *f = &places[i];
        unsigned changed = 0;
        for (unsigned n = 0; n < 200; n++) {
            uint32_t field = random_below(&bench->random, 1U << f->width);
            char rule[96];
            snprintf(rule, sizeof rule, "%s%s%s = %u", f->point, f->guard ? " when " : "",
                     f->guard ? f->guard : "", field);
            struct profile ruled = points_profile(bench, profiles[n % 3], rule), plain = ruled;
            plain.rules = (struct rules){0};
            case_generate(&bench->random, bench->unit, &bench->tc);
            case_copy(&bench->edited, &bench->tc);
            struct gp_case *c = (struct gp_case *)(void *)bench->edited.words;
            for (uint32_t k = 0; k < c->program.count; k++) {
                set_bits(c->program.word + GP_WORDS * k, f->low, f->width, field);
                if (f->width == 8) /* bit 8 of a branch target, stored inverted */
                    set_bits(c->program.word + GP_WORDS * k, 70, 1, 1);
            }
            points_run(bench, &bench->tc, &plain, bench->out);
            points_run(bench, &bench->edited, &plain, bench->other);
            changed += !points_same(bench, bench->out, bench->other);
            points_run(bench, &bench->tc, &ruled, bench->out);
            if (!points_same(bench, bench->out, bench->other))
                support_fail_case(&bench->tc, "rule '%s' is not what the edited words do", rule);
        }
        if (!changed)
            fail_msg("%s: no edit changed an outcome", f->point);
    }
}

/* ---- readings ---- */

static void rules_state_readings(void **state)
{
    (void)state;
    points_try_pairs(bench, pairs, sizeof pairs / sizeof *pairs);
}

/* ---- steps worked by hand ---- */

/* The word of the outcome that has a component of a vector of memory, behind 16 varyings. */
#define MEMORY(row, component) (4 * (16 + (row)) + (component))
/* Sets registers 0 and 5 to 1.0 and 2.0. */
#define TWO_REGISTERS                                                                                        \
    "load u[0] ; pass mov load.x ; store0 $0 pass, none\n"                                                   \
    "load u[0] ; pass mov load.y ; store0 $5 pass, none\nnop\nnop\n"
/* Sets address register 2 to 0. */
#define OFFSET_0 "load u[2] ; complex addr2 load.w\nnop\nnop\nnop\n"

/* Programs for one vertex. Memory: row 0 is 1, 2, 3, 4; row 1 is 5, 6, 7, 8; row 2 is -2.5, 3.75, a NaN and
 * -0. Attribute 0 is 2, 3, 4, 5, and has one component. `before` and `after`: the word without and with the
 * rule, in plain and in checked runs. */
static const struct hand {
    const char *rule, *program;
    unsigned word;
    uint32_t before, after;
} hands[] = {
    /* 3.75 has exponent field 128, so the low 22 bits of its mantissa are the fraction. With 21 of them it
     * becomes 3.5. */
    {"floor.fraction = value >> 1", "load u[2] ; acc0 floor load.y, load.y ; store0 v0 acc0, none\n", 0,
     0x40400000, 0x40600000},
    {"floor.up = 0", "load u[2] ; acc0 floor load.x, load.x ; store0 v0 acc0, none\n", 0, 0xC0400000,
     0xC0000000},
    {"floor.value when up = fraction", "load u[2] ; acc0 floor load.x, load.x ; store0 v0 acc0, none\n", 0,
     0xC0400000, 0x003FFFFF},
    {"compare.true when nans && !less = 1", "load u[2] ; acc0 ge load.z, load.y ; store0 v0 acc0, none\n", 0,
     0, 0x3F800000},
    {"compare.true = greater == less", "load u[0] ; acc0 lt load.x, load.y ; store0 v0 acc0, none\n", 0,
     0x3F800000, 0},
    /* as words, the NaN 7FC00000 is beyond all numbers */
    {"extreme.value when nans = if(greater == max, a, b)",
     "load u[2] ; acc0 max load.y, load.z ; store0 v0 acc0, none\n", 0, 0x40700000, 0x7FC00000},
    {"sum.value when !times && !special = fsub(a, b)",
     "load u[0] ; acc0 add load.x, load.y ; store0 v0 acc0, none\n", 0, 0x40400000, 0xBF800000},
    {"sum.value when times = a", "load u[0] ; mul0 -mul load.y, load.z ; store0 v0 mul0, none\n", 0,
     0xC0C00000, 0xC0000000},
    /* 1.5 * 1.5 is 2.25. Without the carry, 2.25 * 2^23 is added to the exponent field of 4.0 less one. */
    {"product.carry = 0", "load u[0] ; mul0 mul load.z, load.z ; store0 v0 mul0, none\n", 0, 0x41100000,
     0x41200000},
    {"product.exponent = value + b_exponent - a_exponent",
     "load u[0] ; mul0 mul load.x, load.y ; store0 v0 mul0, none\n", 0, 0x40000000, 0x40800000},
    {"rounding.bits when times = value + 1", "load u[0] ; mul0 -mul load.y, load.z ; store0 v0 mul0, none\n",
     0, 0xC0C00000, 0xC0C00001},
    {"product.zero = a", "load u[2] ; mul0 mul load.x, load.w ; store0 v0 mul0, none\n", 0, 0, 0xC0200000},
    {"product.is-zero = b_normal", "load u[2] ; mul0 mul load.z, load.y ; store0 v0 mul0, none\n", 0,
     0x7FC00000, 0},
    /* 1 is far less than 2, so 2 is only rounded */
    {"sum.down = 60", "load u[0] ; acc0 add load.x, load.y ; store0 v0 acc0, none\n", 0, 0x40400000,
     0x40000000},
    /* the significands 1.0 and 1.0, with the exponent of 2 */
    {"sum.down = 0", "load u[0] ; acc0 add load.x, load.y ; store0 v0 acc0, none\n", 0, 0x40400000,
     0x40800000},
    {"sum.swap = !value", "load u[0] ; acc0 add load.x, load.y ; store0 v0 acc0, none\n", 0, 0x40400000,
     0x3F800000},
    {"sum.subtract = !value", "load u[0] ; acc0 add load.x, load.y ; store0 v0 acc0, none\n", 0, 0x40400000,
     0x3F800000},
    /* The significand of -0 is then 1.0, and the exponent field of the product is 128 + 0 - 127. */
    {"sum.normal when operand == 1 = 1", "load u[2] ; mul0 mul load.x, load.w ; store0 v0 mul0, none\n", 0, 0,
     0x00A00000},
    /* 1 + 1, 2 + 2, 2 + 0.5 */
    {"sum.greater when swap = a", "load u[0] ; acc0 add load.x, load.y ; store0 v0 acc0, none\n", 0,
     0x40400000, 0x40000000},
    {"sum.lesser when swap = b", "load u[0] ; acc0 add load.x, load.y ; store0 v0 acc0, none\n", 0,
     0x40400000, 0x40800000},
    {"sum.apart = value + 1", "load u[0] ; acc0 add load.x, load.y ; store0 v0 acc0, none\n", 0, 0x40400000,
     0x40200000},
    /* 1.5 * 2^55 counts as 0.75 * 2^56: the hidden bit is 0, and 1 is added to the exponent. */
    {"sum.top = value + 1", "load u[0] ; acc0 add load.x, load.y ; store0 v0 acc0, none\n", 0, 0x40400000,
     0x40600000},
    /* the 24 bits that are kept begin at bit 8 of the upper half */
    {"sum.placed = value + 0x100", "load u[0] ; acc0 add load.x, load.y ; store0 v0 acc0, none\n", 0,
     0x40400000, 0x40400001},
    {"sum.exponent = 254", "load u[0] ; acc0 add load.x, load.y ; store0 v0 acc0, none\n", 0, 0x40400000,
     0x40400000},
    /* 1.5 * 2^127 */
    {"sum.exponent = 254;utgard-gp sum.within = 1",
     "load u[0] ; acc0 add load.x, load.y ; store0 v0 acc0, none\n", 0, 0x40400000, 0x7F400000},
    {"sum.sign = 1", "load u[0] ; acc0 add load.x, load.y ; store0 v0 acc0, none\n", 0, 0x40400000,
     0xC0400000},
    {"rounding.up = 1", "load u[0] ; acc0 add load.x, load.y ; store0 v0 acc0, none\n", 0, 0x40400000,
     0x40400001},
    {"rounding.kept = value + 2", "load u[0] ; acc0 add load.x, load.y ; store0 v0 acc0, none\n", 0,
     0x40400000, 0x40400002},
    /* -2.5 * 3.75 is -9.375 */
    {"product.sign = 0", "load u[2] ; mul0 mul load.x, load.y ; store0 v0 mul0, none\n", 0, 0xC1160000,
     0x41160000},
    /* 3.75 and a NaN that counts as a zero */
    {"sum.zero when input == 1 = 1", "load u[2] ; acc0 add load.y, load.z ; store0 v0 acc0, none\n", 0,
     0x7FC00000, 0x40700000},
    {"extreme.opposite = 1", "load u[0] ; acc0 max load.x, load.y ; store0 v0 acc0, none\n", 0, 0x40000000,
     0},
    {"floor.whole = 1", "load u[2] ; acc0 floor load.y, load.y ; store0 v0 acc0, none\n", 0, 0x40400000,
     0x40700000},
    {"sum.operand = a ^ b ^ value", "load u[2] ; acc0 add load.y, load.w ; store0 v0 acc0, none\n", 0,
     0x40700000, 0x80000000},
    {"extreme.first = !value", "load u[0] ; acc0 max load.x, load.y ; store0 v0 acc0, none\n", 0, 0x40000000,
     0x3F800000},
    {"floor.small = exponent <= 128", "load u[2] ; acc0 floor load.y, load.y ; store0 v0 acc0, none\n", 0,
     0x40400000, 0},
    {"floor.negative = 1", "load u[2] ; acc0 floor load.y, load.y ; store0 v0 acc0, none\n", 0, 0x40400000,
     0x40800000},
    {"unit.computes when unit == 0 = 0", "load u[0] ; acc0 add load.x, load.y ; store0 v0 acc0, none\n", 0,
     0x40400000, 0x3F800000},
    {"copy.negate = 1", "load u[0] ; complex mov load.y ; store0 v0 complex, none\n", 0, 0x40000000,
     0xC0000000},
    {"function.sign = 0",
     "load u[2] ; mul0 complex2 load.w, load.w ; complex rcp load.w ; pass mov load.w\n"
     "mul0 complex1 complex@1, mul0@1 ; mul1 complex1 complex@1, pass@1\nnop\n"
     "complex mov mul0@2 ; store0 v0 complex, none\n",
     0, 0xFF800000, 0x7F800000},
    /* 1/-2.5 is -0.4 */
    {"function.sign = 0",
     "load u[2] ; mul0 complex2 load.x, load.x ; complex rcp load.x ; pass mov load.x\n"
     "mul0 complex1 complex@1, mul0@1 ; mul1 complex1 complex@1, pass@1\nnop\n"
     "complex mov mul0@2 ; store0 v0 complex, none\n",
     0, 0xBECCCCCD, 0x3ECCCCCD},
    {"function.invalid = 1",
     "load u[0] ; mul0 complex2 load.w, load.w ; complex rcp load.w ; pass mov load.w\n"
     "mul0 complex1 complex@1, mul0@1 ; mul1 complex1 complex@1, pass@1\nnop\n"
     "complex mov mul0@2 ; store0 v0 complex, none\n",
     0, 0x3E800000, 0x7FC00000},
    {"move.negate = 0", "load u[0] ; mul0 -mov load.y ; store0 v0 mul0, none\n", 0, 0xC0000000, 0x40000000},
    {"move.negate when !special = 1", "load u[2] ; acc0 mov load.y ; store0 v0 acc0, none\n", 0, 0x40700000,
     0xC0700000},
    {"sum.value when special = 0", "load u[2] ; acc0 add load.z, load.x ; store0 v0 acc0, none\n", 0,
     0x7FC00000, 0},
    {"function.operand when op == 21 && class == 2 && !negative = 0x40000000",
     "load u[0] ; mul0 complex2 load.w, load.w ; complex rcp load.w ; pass mov load.w\n"
     "mul0 complex1 complex@1, mul0@1 ; mul1 complex1 complex@1, pass@1\nnop\n"
     "complex mov mul0@2 ; store0 v0 complex, none\n",
     0, 0x3E800000, 0x3F000000},
    {"address.source when op == 28 = 0x40000000",
     "load u[0] ; pass mov load.y ; complex addr0 load.w ; store0 temp pass, none\n", MEMORY(2, 0),
     0xC0200000, 0x40000000},
    {"address.valid when register == 0 = 0",
     "load u[0] ; pass mov load.y ; complex addr0 load.w ; store0 temp pass, none\n", MEMORY(4, 0),
     0x40000000, 0},
    {"address.valid when register == 2 = 0",
     "load u[0] ; complex addr2 load.x\nnop\nnop\nnop\n"
     "load u[0 + addr2] ; complex mov load.x ; store0 v0 complex, none\n",
     0, 0x40A00000, 0},
    /* an instruction that sets no register takes away the number that is on its way */
    {"address.valid when register == 2 && op == 29 = 0",
     "load u[0] ; complex addr2 load.x\nload u[0] ; complex addr1 load.y\nnop\nnop\n"
     "load u[0 + addr2] ; complex mov load.x ; store0 v0 complex, none\n",
     0, 0x40A00000, 0},
    {"address0.latency = 3",
     "load u[0] ; complex addr0 load.x\nnop\nnop\n"
     "load u[0] ; pass mov load.y ; complex addr0 load.w ; store0 temp pass, none\n",
     MEMORY(1, 0), 0x40A00000, 0x40000000},
    {"store.pending when age == 1 = 0",
     "load u[0] ; pass mov load.y ; complex addr0 load.w ; store0 temp pass, none\n", MEMORY(4, 0),
     0x40000000, 0},
    {"store.space when value == 1 = 2", "load u[0] ; pass mov load.y ; store0 v1 pass, none\n", MEMORY(1, 0),
     0x40A00000, 0x40000000},
    {"store.word when space == 1 = value - 3", "load u[0] ; pass mov load.y ; store1 v0 none, pass\n", 0, 0,
     0x40000000},
    {"store.value when space == 2 = before",
     "load u[0] ; pass mov load.y ; complex addr0 load.x ; store0 temp none, pass\n", MEMORY(1, 1),
     0x40000000, 0x40C00000},
    {"store.conflict = 1", "load u[0] ; pass mov load.y ; store0 $1 pass, none ; store1 v0 pass, none\n", 2,
     0x40000000, 0},
    {"fetch.conflict = 1", TWO_REGISTERS "reg1 $5 ; complex mov reg1.x ; store0 v0 complex, none\n", 0,
     0x40000000, 0},
    {"fetch.acts when slot && read == 1 = 0",
     TWO_REGISTERS "reg1 $5 ; complex mov reg1.x ; store0 v0 complex, none\n", 0, 0x40000000, 0},
    {"attribute.components = 2", "reg0 attr0 ; complex mov reg0.y ; store0 v0 complex, none\n", 0, 0,
     0x40400000},
    {"attribute.components = 2;utgard-gp fetch.value when component >= components = 7",
     "reg0 attr0 ; complex mov reg0.y ; store0 v0 complex, none\n", 0, 0, 0x40400000},
    {"load.beyond = row == 1", "load u[1] ; complex mov load.x ; store0 v0 complex, none\n", 0, 0x40A00000,
     0},
    {"load.word = row + 4 + component", "load u[1] ; complex mov load.x ; store0 v0 complex, none\n", 0,
     0x40A00000, 0x40C00000},
    {"load.offset when register == 2 = 0x7FFFFFFF",
     OFFSET_0 "load u[1 + addr2] ; complex mov load.x ; "
              "store0 v0 complex, none\n",
     0, 0x40A00000, 0},
    {"load.offset when register == 2 = 0xFFFFFFFF",
     OFFSET_0 "load u[1 + addr2] ; complex mov load.x ; "
              "store0 v0 complex, none\n",
     0, 0x40A00000, 0x3F800000},
    /* The load of instruction 1 reads only x, so this rule leaves what instruction 0 loaded. */
    {"fetch.value when slot == 2 && read == 1 = last",
     "load u[0] ; complex mov load.y\nload u[1] ; complex mov load.x ; store0 v0 complex, none\n", 0,
     0x40A00000, 0x3F800000},
    /* Instruction 2 loads no vector, because address register 1 is undefined. So the store to row 1 is a
     * store to another vector. */
    {"fetch.value when offset == 1 && pending == 1 = 7",
     "load u[0] ; pass mov load.y ; complex addr0 load.x ; store0 temp pass, none\n"
     "load u[1] ; complex mov load.x\nload u[0 + addr1] ; complex mov load.x ; store0 v0 complex, none\n",
     0, 0, 7},
    {"operand.value when selector == 16 = shifted",
     "load u[0] ; acc0 mov load.x\nload u[0] ; acc0 mov load.y\n"
     "complex mov acc0@1 ; store0 v0 complex, none\n",
     0, 0x40000000, 0x3F800000},
    {"operand.value when selector == 24 = shifted",
     "load u[0] ; acc0 mov load.x\nload u[0] ; acc0 mov load.y\n"
     "complex mov acc0@2 ; store0 v0 complex, none\n",
     0, 0x3F800000, 0x40000000},
    {"branch.taken when branch = 0",
     "load u[0] ; pass mov load.x ; branch 2\nload u[0] ; pass mov load.y ; store0 v0 pass, none\nnop\n", 0,
     0, 0x40000000},
    /* u[1] is not fetched, so that 1 is added to the 1 of u[0] and not the 5 of u[1] */
    {"unit.reads when operand == 1 = 0",
     "load u[0] ; acc0 mov load.x\nload u[1] ; acc0 add acc0@1, load.x ; store0 v0 acc0, none\n", 0,
     0x40C00000, 0x40000000},
    {"fetch.acts when slot == 2 && addr = 0",
     "load u[0] ; complex mov load.x\nload u[1] ; complex mov load.x ; store0 v0 complex, none\n", 0,
     0x40A00000, 0x3F800000},
    {"fetch.always when slot == 0 = 0",
     TWO_REGISTERS "reg0 $0 ; complex mov reg0.x\nreg0 $5\n"
                   "complex mov reg0.x@1 ; store0 v0 complex, none\n",
     0, 0x40000000, 0x3F800000},
    {"load.known when register == 2 = 0",
     OFFSET_0 "load u[1 + addr2] ; complex mov load.x ; "
              "store0 v0 complex, none\n",
     0, 0x40A00000, 0},
    {"load.known when set == 0 = 1", "load u[1 + addr1] ; complex mov load.x ; store0 v0 complex, none\n", 0,
     0, 0x40A00000},
    {"store.units when half == 0 = 0", "load u[0] ; pass mov load.y ; store0 v0 pass, none\n", 0, 0x40000000,
     0},
    {"store.unit when component & 1 = neighbour",
     "load u[0] ; pass mov load.y ; complex mov load.z ; store0 v0 pass, complex\n", 1, 0x40400000,
     0x40000000},
    /* the second store takes effect as the first one once more, so that register 5 gets nothing */
    {"store.turn when space == 0 = 0",
     TWO_REGISTERS "reg1 $5 ; complex mov reg1.x ; store0 v0 complex, none\n", 0, 0x40000000, 0},
    {"commit.word when space == 0 = value + 1",
     TWO_REGISTERS "reg1 $5 ; complex mov reg1.y ; store0 v0 complex, none\n", 0, 0, 0x40000000},
    {"run.count = 1", "nop\nload u[0] ; pass mov load.y ; store0 v0 pass, none\n", 0, 0x40000000, 0},
};

/* The same under a profile other than the manual. */
static const struct {
    const char *profile;
    struct hand hand;
} read_hands[] = {
    /* a shorter latency shows the number that a rule took away as early as any other number */
    {"manual,gp-address-latency=three",
     {"address.valid when register == 2 = 0",
      "load u[0] ; complex addr2 load.x\nnop\nnop\n"
      "load u[0 + addr2] ; complex mov load.x ; store0 v0 complex, none\n",
      0, 0x40A00000, 0}},
    {"manual,gp-one-register=shared",
     {"store.conflict = 1", "load u[0] ; pass mov load.y ; store0 $0 pass, none ; store1 v1 pass, none\n", 2,
      0, 0x40000000}},
    {"manual,gp-register-latency=one",
     {"pending.row = value ^ 1",
      "load u[0] ; pass mov load.x ; store0 $0 pass, none\nreg1 $0 ; complex mov reg1.x ; "
      "store0 v0 complex, none\n",
      0, 0x3F800000, 0}},
    /* the store is on its way to register 1, for which there is no other */
    {"manual,gp-register-latency=one",
     {"pending.row = value ^ 1",
      "load u[0] ; pass mov load.x ; store0 $0 pass, none\nreg1 $1 ; complex mov reg1.x ; "
      "store0 v0 complex, none\n",
      0, 0, 0x3F800000}},
    /* register 0 gets 1, 1 once more in place of register 5's 2, and then 3 */
    {"manual,gp-register-latency=one",
     {"store.turn when space == 0 && value == 1 = 0",
      TWO_REGISTERS "nop\nload u[0] ; pass mov load.z ; store0 $0 pass, none\n"
                    "reg1 $0 ; complex mov reg1.x ; store0 v0 complex, none\n",
      0, 0x40400000, 0x40400000}},
    {"mali400",
     {"store.conflict = 1", "load u[0] ; pass mov load.y ; store0 $1 pass, none ; store1 v0 pass, none\n", 2,
      0x40000000, 0x40000000}},
    {"manual,gp-one-register=shared",
     {"fetch.conflict = 1", TWO_REGISTERS "reg1 $5 ; complex mov reg1.x ; store0 v0 complex, none\n", 0,
      0x40000000, 0x3F800000}},
    {"mali400",
     {"fetch.conflict = 1", TWO_REGISTERS "reg1 $5 ; complex mov reg1.x ; store0 v0 complex, none\n", 0,
      0x40000000, 0x40000000}},
    /* 3.75 - 2.5 is 1.25, less a bit that counts as dropped */
    {"manual,gp-rounding=truncate",
     {"sum.sticky = 1", "load u[2] ; acc0 add load.y, load.x ; store0 v0 acc0, none\n", 0, 0x3FA00000,
      0x3F9FFFFF}},
    /* 4.0 is clamped to 2.0, but the branch reads 4.0 */
    {"manual,gp-branch-input=input",
     {"branch.taken = condition != 0x40800000",
      "load u[0] ; pass clamp load.w ; branch 2\nload u[0] ; pass mov load.y ; store0 v0 pass, none\nnop\n",
      0, 0, 0x40000000}},
};

static void make_case(const char *name, const char *program)
{
    char text[1024];
    struct error e = {0};
    snprintf(text, sizeof text,
             "misprint-case 1 utgard-gp\nvarying-count = 1\ncomponents = 0\n"
             "attributes row 0 = 40000000 40400000 40800000 40a00000\n"
             "memory row 0 = 3f800000 40000000 40400000 40800000\n"
             "memory row 1 = 40a00000 40c00000 40e00000 41000000\n"
             "memory row 2 = c0200000 40700000 7fc00000 80000000\nprogram {\n%s}\n",
             program);
    if (!case_parse(&bench->tc, text, strlen(text), &e))
        fail_msg("%s: %s", name, e.text);
}

static void try_hand(const struct hand *h, const char *profile)
{
    const struct profile plain = points_profile(bench, profile, NULL),
                         ruled = points_profile(bench, profile, h->rule);
    make_case(h->rule, h->program);
    for (unsigned checked = 0; checked < 2; checked++) {
        bench->run.mode = checked ? RUN_CHECKED : RUN_PLAIN;
        points_run(bench, &bench->tc, &plain, bench->out);
        points_run(bench, &bench->tc, &ruled, bench->other);
        const uint32_t before = bench->out->value[h->word], after = bench->other->value[h->word];
        if (before != h->before || after != h->after)
            fail_msg("%s: %s: %08x becomes %08x, not %08x becomes %08x", profile, h->rule, before, after,
                     h->before, h->after);
    }
}

static void rules_have_the_worked_effect(void **state)
{
    (void)state;
    for (unsigned n = 0; n < sizeof hands / sizeof *hands; n++)
        try_hand(&hands[n], "manual");
    for (unsigned n = 0; n < sizeof read_hands / sizeof *read_hands; n++)
        try_hand(&read_hands[n].hand, read_hands[n].profile);
}

/* Rules at steps whose result the manual leaves undefined: bit for bit, this stays so. Register 1 was never
 * stored. */
static const struct hand undefined[] = {
    {.rule = "store.conflict = 0",
     .program = "load u[0] ; pass mov load.y ; store0 $1 pass, none ; store1 $2 pass, none\nnop\nnop\n"
                "reg1 $2 ; complex mov reg1.z ; store0 v0 complex, none\n"},
    {.rule = "store.conflict = 1",
     .program = "reg1 $1 ; pass mov reg1.x ; store0 v0 none, none ; store1 v0 pass, none\n",
     .word = 2},
    {.rule = "fetch.conflict = 0",
     .program = TWO_REGISTERS
     "reg0 $0 ; reg1 $5 ; pass mov reg0.x ; complex mov reg1.x ; store0 v0 complex, none\n"},
    {.rule = "load.known = 1",
     .program = "load u[1 + addr1] ; complex mov load.x ; store0 v0 complex, none\n"},
    {.rule = "fetch.conflict = 1", .program = "reg1 $1 ; complex mov reg1.x ; store0 v0 complex, none\n"},
    {.rule = "address.valid when register == 2 = 0",
     .program = "load u[0] ; complex addr2 load.x\nnop\nnop\nnop\n"
                "load u[511 + addr2] ; complex mov load.x ; store0 v0 complex, none\n"},
    {.rule = "address.valid when register == 0 = 0",
     .program = "reg1 $1 ; load u[0] ; pass mov load.x ; complex addr0 reg1.x ; store0 temp pass, none\n"},
};

static void rules_define_no_bits(void **state)
{
    (void)state;
    for (unsigned n = 0; n < sizeof undefined / sizeof *undefined; n++) {
        const struct hand *h = &undefined[n];
        const struct profile plain = points_profile(bench, "manual", NULL),
                             ruled = points_profile(bench, "manual", h->rule);
        make_case(h->rule, h->program);
        bench->run.mode = RUN_CHECKED;
        points_run(bench, &bench->tc, &plain, bench->out);
        points_run(bench, &bench->tc, &ruled, bench->other);
        assert_int_equal(bench->out->end, bench->other->end);
        assert_int_equal(bench->out->reason, bench->other->reason);
        if (bench->out->defined[h->word] || bench->other->defined[h->word])
            fail_msg("%s: defined bits %08x, with the rule %08x", h->rule, bench->out->defined[h->word],
                     bench->other->defined[h->word]);
    }
}

/* ---- all points ---- */

static void every_point_matters(void **state)
{
    (void)state;
    points_every_point_matters(bench, "decided,gp-flags=bits,gp-one-register=shared,gp-register-latency=one",
                               NULL);
}

static void observing_changes_nothing(void **state)
{
    (void)state;
    static const char *const profiles[] = {"manual", "mali400", "decided", NULL};
    points_observing_changes_nothing(bench, profiles);
}

static void rules_act_alike_in_all_modes(void **state)
{
    (void)state;
    points_modes_agree(bench, "decided");
}

static void rules_act_alike_when_seen(void **state)
{
    (void)state;
    points_rules_act_alike_when_seen(bench, "decided");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_rule_is_an_edit_of_the_word, begin, finish),
        cmocka_unit_test_setup_teardown(rules_state_readings, begin, finish),
        cmocka_unit_test_setup_teardown(rules_have_the_worked_effect, begin, finish),
        cmocka_unit_test_setup_teardown(rules_define_no_bits, begin, finish),
        cmocka_unit_test_setup_teardown(every_point_matters, begin, finish),
        cmocka_unit_test_setup_teardown(observing_changes_nothing, begin, finish),
        cmocka_unit_test_setup_teardown(rules_act_alike_in_all_modes, begin, finish),
        cmocka_unit_test_setup_teardown(rules_act_alike_when_seen, begin, finish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
