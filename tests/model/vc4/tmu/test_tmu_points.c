/* SPDX-License-Identifier: MIT */
/*
 * The observation points of vc4-tmu. A test can change a field of a texture parameter in two ways: by a rule
 * at the field's point, or in the word itself, at the place that the manual's table names. Both must lead to
 * the same outcome. Rules must also be able to replace the readings of the clauses.
 */
#include "fuzz/generate/generate.h"
#include "model/core/units.h"
#include "model/rule/rule.h"
#include "model/vc4/tmu/tmu_points.h"
#include "model/vc4/tmu/unit_tmu.h"
#include "tests/support/support_points.h"
#include "tests/support/support_readings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct unit *const unit = &vc4_tmu_unit;

static struct points_bench *bench;

static int begin(void **state)
{
    (void)state;
    bench = points_open(unit);
    return 0;
}

static int finish(void **state)
{
    (void)state;
    points_close(bench);
    return 0;
}

/* Readings under which parameters 2 and 3 exist, and T17's word 2 is the size of a child. */
#define ALL_WORDS "manual,tmu-param-order=every-write,tmu-t17-text=child-size,tmu-explicit-lod=any"

/* ---- fields ---- */

enum { ANY = 99 };

/* The bits of each field (p41-42, tables 15 to 17). Only parameters 2 and 3 whose PTYPE is `ptype` have the
 * field. `zero`: the number that 0 in the word means; `shift`: the point has the field shifted left by so
 * much. */
static const struct place {
    const char *point, *guard;
    uint32_t word, ptype;
    uint8_t low, width;
    uint32_t zero, shift;
} places[] = {
    {"config.base", "", 0, ANY, 12, 20, 0, 12},
    {"config.cswiz", "", 0, ANY, 10, 2, 0, 0},
    {"config.cmmode", "", 0, ANY, 9, 1, 0, 0},
    {"config.flipy", "", 0, ANY, 8, 1, 0, 0},
    {"config.miplvls", "", 0, ANY, 0, 4, 0, 0},
    {"config.size", "when axis == 1", 1, ANY, 20, 11, 2048, 0},
    {"config.etcflip", "", 1, ANY, 19, 1, 0, 0},
    {"config.size", "when axis == 0", 1, ANY, 8, 11, 2048, 0},
    {"config.magfilt", "", 1, ANY, 7, 1, 0, 0},
    {"config.minfilt", "", 1, ANY, 4, 3, 0, 0},
    {"config.wrap", "when axis == 1", 1, ANY, 2, 2, 0, 0},
    {"config.wrap", "when axis == 0", 1, ANY, 0, 2, 0, 0},
    {"config.ptype", "", 2, ANY, 30, 2, 0, 0},
    {"config.cube-stride", "", 2, 1, 12, 18, 0, 12},
    {"config.bslod", "", 2, 1, 0, 1, 0, 0},
    {"config.child-size", "when axis == 1", 2, 2, 12, 11, 0, 0},
    {"config.child-size", "when axis == 0", 2, 2, 0, 11, 0, 0},
    {"config.child-offset", "when axis == 1", 2, 3, 12, 11, 0, 0},
    {"config.child-offset", "when axis == 0", 2, 3, 0, 11, 0, 0},
};

enum { PARAMETERS = 4 };

/* Makes a case with one texture look-up that takes four parameters. The parameters are those of a generated
 * case. Returns false if that case lacks some. */
static bool make_look_up(struct tmu_case *c)
{
    uint32_t parameter[PARAMETERS] = {0}, found = 0;
    case_generate(&bench->random, unit, &bench->tc);
    for (uint32_t i = 0; i < c->op_count; i++) {
        uint32_t code = c->op[i][1] & OP_CODE_MASK;
        if (code >= TMU_OP_P0 && code <= TMU_OP_P2 && !(found >> code & 1)) {
            parameter[code - TMU_OP_P0] = c->op[i][0];
            found |= 1U << code;
        }
    }
    if ((found & 6U) != 6U)
        return false;
    if (parameter[2] >> 30 > 1) /* a child image has two words, and a cube map has one */
        parameter[3] = random_u32(&bench->random) & 0xC000F00FU;
    uint32_t n = 0;
    for (; n < PARAMETERS; n++) {
        c->op[n][0] = parameter[n];
        c->op[n][1] = n < 3 ? TMU_OP_P0 + n : TMU_OP_P2;
    }
    for (uint32_t reg = TMU_OP_B; reg >= TMU_OP_S; reg--, n++) {
        c->op[n][0] = random_below(&bench->random, TMU_DATA_ROWS);
        c->op[n][1] = reg;
    }
    for (uint32_t k = 0; k < 2; k++, n++) {
        c->op[n][0] = 0;
        c->op[n][1] = TMU_OP_LOAD;
    }
    c->op_count = n;
    return true;
}

static bool has_field(const struct place *f, uint32_t word, uint32_t value)
{
    return (word < 2 ? word == f->word : f->word == 2) && (f->ptype == ANY || value >> 30 == f->ptype);
}

static unsigned try_field(const struct place *f)
{
    const struct tmu_case *c = (const struct tmu_case *)(const void *)bench->tc.words;
    struct tmu_case *d = (struct tmu_case *)(void *)bench->edited.words;
    uint32_t mask = (1U << f->width) - 1,
             field = random_below(&bench->random, f->shift ? 8 : 1U << f->width); /* 8 pages: in the memory */
    char rule[100];
    if (!make_look_up((struct tmu_case *)(void *)bench->tc.words))
        return 0;
    (void)snprintf(rule, sizeof rule, "%s %s = %u", f->point, f->guard,
                   (unsigned)(field ? field << f->shift : f->zero));
    struct profile ruled = points_profile(bench, ALL_WORDS, rule), plain = ruled;
    plain.rules = (struct rules){0};
    case_copy(&bench->edited, &bench->tc);
    for (uint32_t k = 0; k < PARAMETERS; k++)
        if (has_field(f, k, c->op[k][0]))
            d->op[k][0] = (c->op[k][0] & ~(mask << f->low)) | field << f->low;
    points_run(bench, &bench->tc, &plain, bench->out);
    points_run(bench, &bench->edited, &plain, bench->other);
    unsigned changed = !points_same(bench, bench->out, bench->other);
    points_run(bench, &bench->tc, &ruled, bench->out);
    if (!points_same(bench, bench->out, bench->other))
        support_fail_case(&bench->tc, "rule %s is not what the edited words do", rule);
    return changed;
}

static void a_rule_is_an_edit_of_the_word(void **state)
{
    (void)state;
    unsigned differing = 0;
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
        unsigned changed = 0;
        for (unsigned n = 0; n < 600 || (!changed && n < 20000); n++)
            changed += try_field(&places[i]);
        /* the cache swizzle affects only speed, so it cannot change an outcome */
        if (!changed && strcmp(places[i].point, "config.cswiz"))
            fail_msg("%s %s: no edit changed an outcome", places[i].point, places[i].guard);
        differing += changed;
    }
    print_message("%u edits changed the outcome\n", differing);
}

/* TYPE4 is bit 31 of parameter 1, and TYPE is bits 7:4 of parameter 0. */
static void the_type_has_two_fields(void **state)
{
    (void)state;
    struct tmu_case *c = (struct tmu_case *)(void *)bench->tc.words,
                    *d = (struct tmu_case *)(void *)bench->edited.words;
    unsigned changed = 0;
    for (unsigned n = 0; n < 600; n++) {
        char rule[40];
        uint32_t type = random_below(&bench->random, 18);
        if (!make_look_up(c))
            continue;
        (void)snprintf(rule, sizeof rule, "config.type = %u", (unsigned)type);
        struct profile ruled = points_profile(bench, ALL_WORDS, rule), plain = ruled;
        plain.rules = (struct rules){0};
        case_copy(&bench->edited, &bench->tc);
        d->op[0][0] = (c->op[0][0] & ~0xF0U) | (type & 15) << 4;
        d->op[1][0] = (c->op[1][0] & 0x7FFFFFFFU) | (type >> 4) << 31;
        points_run(bench, &bench->tc, &plain, bench->out);
        points_run(bench, &bench->edited, &plain, bench->other);
        changed += !points_same(bench, bench->out, bench->other);
        points_run(bench, &bench->tc, &ruled, bench->out);
        if (!points_same(bench, bench->out, bench->other))
            support_fail_case(&bench->tc, "rule %s is not what the edited words do", rule);
    }
    assert_true(changed > 100);
}

/* ---- readings as rules ---- */

static const struct support_reading readings[] = {
    {"tmu-fifo-8=slot-four-ahead", "result.older when lane < 4 = newest", NULL},
    {"tmu-fifo-8=both-fifos", "request.taken = behind; result.slots = 16", NULL},
    {"tmu-uniform-direct=every-write", "uniform.taken when direct = 1", NULL},
    {"tmu-two-params=always-two", "lookup.reserved when direct = 1", NULL},
    {"tmu-param-order=every-write", "uniform.taken when !direct = 1", NULL},
    {"tmu-t17-text=child-size", NULL, "the words of a cube map become those of a child image"},
    {"tmu-explicit-lod=any", "lod.explicit = bslod", NULL},
    {"cswiz=refused", "lookup.reserved when !direct && bits(p0, 10, 2) = 1", NULL},
    {"lt-threshold=subtile", "level.order when value = 1 + (min(utiles_x, utiles_y) > 4)", NULL},
    {"t-row-direction=even-forward", "tile.column = across - 1 - value", NULL},
    {"mip-pot=from-pot", "level.size when level = max(padded >> level, 1)", NULL},
    {"mip-pot=unpadded", "level.size when level = max(size >> level, 1)", NULL},
    {"raster-npot=as-wide", "level.pitch = width", NULL},
    {"tmu-cube-faces=negative-first", "cube.face = value ^ 1", NULL},
    {"tex-type-rga=rgb", "texel.value when type == 1 = value | stored & 0xff0000", NULL},
    {"tex-channel-order=red-high", "channel.low when type < 12 = 16 - value - bits", NULL},
    {"tex-expansion=shift", "channel.value = field << 8 - bits", NULL},
    {"tex-expansion=scale",
     "channel.value when bits == 5 = (field * 255 + 15) / 31;"
     "channel.value when bits == 6 = (field * 255 + 31) / 63",
     NULL},
    {"tex-bit-order=high-first", "texel.shift when bits < 8 = value ^ 8 - bits", NULL},
    {"tex-single-packing=repeated",
     "result.word when type == 10 = value * 0x01010101;"
     "result.word when type == 9 || type == 11 = value * 0x00010001",
     NULL},
    {"tex-yuyv=rgb", NULL, "the conversion of a colour takes some twenty operators"},
    {"tex-etcflip=top-down", "config.etcflip = !value", NULL},
    {"tmu-border-source=extra-level", NULL, "no input of a point is a word of the memory"},
    {"tmu-border-order=format", NULL, "each of eight formats has its own order of channels"},
    {"tmu-texel-edge=rounded", "sample.position when !linear = value + 128", NULL},
    {"tmu-filter=eight-bits", "filter.fraction = value & 0xff00; filter.channel = floor", NULL},
    {"tmu-lod=largest", "lod.gradient = smax(du, dv)", NULL},
    {"tmu-blend-neg-pow2=sign-lost",
     "filter.alone when value == 0x8000 || value == 0xfc00 = value;"
     "filter.alone when linear && (value & 0x83ff) == 0x8000 = value & 0x7fff",
     NULL},
    {"tmu-blend-inf=negative", "filter.channel when levels && infinite = value | negative << 15", NULL},
};

static void rules_state_readings(void **state)
{
    (void)state;
    static const char *const bases[] = {"manual", "manual,tmu-param-order=every-write"};
    for (unsigned i = 0; i < 2; i++)
        support_readings_as_rules(unit, bases[i], readings, sizeof readings / sizeof *readings,
                                  support_scaled(3000), 80);
}

/* ---- all points ---- */

static void every_point_matters(void **state)
{
    (void)state;
    points_every_point_matters(bench, ALL_WORDS, "config.cswiz"); /* the cache swizzle affects only speed */
}

static void observing_changes_nothing(void **state)
{
    (void)state;
    static const char *const profiles[] = {"manual", "bcm2835", ALL_WORDS, NULL};
    points_observing_changes_nothing(bench, profiles);
}

static void rules_act_alike_in_all_modes(void **state)
{
    (void)state;
    points_modes_agree(bench, ALL_WORDS);
}

static void rules_act_alike_when_seen(void **state)
{
    (void)state;
    points_rules_act_alike_when_seen(bench, ALL_WORDS);
}

/* A channel of eight bits takes the low eight bits of what a rule gives, so that its neighbours stay. */
static void a_wide_result_stays_in_its_channel(void **state)
{
    (void)state;
    struct profile ruled = points_profile(bench, ALL_WORDS, "filter.channel when bits == 8 = value | 256"),
                   plain = ruled;
    plain.rules = (struct rules){0};
    for (unsigned n = 0; n < 300 + support_scaled(2000); n++) {
        case_generate(&bench->random, unit, &bench->tc);
        points_observe(bench, &plain, bench->out);
        points_run(bench, &bench->tc, &ruled, bench->other);
        if (!points_same(bench, bench->out, bench->other))
            support_fail_case(&bench->tc, "case %u: a channel reaches into another one", n);
    }
    assert_true(bench->seen[TMU_POINT_FILTER_CHANNEL] > 0);
}

/* Sizes that the tables do not have move texels out of the texture, and then every address must be checked.
 * A rule at texel.address has that effect, too. One that changes nothing must change nothing here. */
static void sizes_do_not_lead_out_of_memory(void **state)
{
    (void)state;
    static const char *const rules[] = {"vc4-tmu utile.size-log2 = 7", "vc4-tmu format.bits-log2 = 7",
                                        "vc4-tmu format.bits-log2 = 5", "vc4-tmu format.block-log2 = 0",
                                        "vc4-tmu format.block-log2 = 3"};
    for (unsigned i = 0; i < sizeof rules / sizeof *rules; i++) {
        struct profile alone, checked;
        struct error e = {0};
        char spec[200];
        (void)snprintf(spec, sizeof spec, "manual,tex-bit-order=high-first;%s", rules[i]);
        assert_true(profile_resolve(unit, spec, &alone, &e));
        (void)snprintf(spec, sizeof spec, "manual,tex-bit-order=high-first;%s;vc4-tmu texel.address = value",
                       rules[i]);
        assert_true(profile_resolve(unit, spec, &checked, &e));
        for (unsigned n = 0; n < 1000; n++) {
            case_generate(&bench->random, unit, &bench->tc);
            points_run(bench, &bench->tc, &alone, bench->out);
            points_run(bench, &bench->tc, &checked, bench->other);
            if (!points_same(bench, bench->out, bench->other))
                support_fail_case(&bench->tc, "case %u: %s reads outside of the memory", n, rules[i]);
        }
    }
}

/* A rule can take registers for written that no write of the case has set. They must not hold what an earlier
 * case left. */
static void nothing_comes_from_earlier_cases(void **state)
{
    (void)state;
    static const char *const rules[] = {"lookup.written = 15", "lookup.parameters = value + 2"};
    for (unsigned i = 0; i < sizeof rules / sizeof *rules; i++)
        for (unsigned n = 0; n < 400; n++) {
            const struct profile p = points_profile(bench, "manual", rules[i]);
            struct points_bench *fresh = points_open(unit);
            case_generate(&bench->random, unit, &bench->tc);
            points_run(bench, &bench->tc, &p, bench->out);
            points_run(fresh, &bench->tc, &p, bench->other);
            if (!points_same(bench, bench->out, bench->other))
                support_fail_case(&bench->tc, "case %u: %s takes something from an earlier case", n,
                                  rules[i]);
            points_close(fresh);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_rule_is_an_edit_of_the_word, begin, finish),
        cmocka_unit_test_setup_teardown(the_type_has_two_fields, begin, finish),
        cmocka_unit_test(rules_state_readings),
        cmocka_unit_test_setup_teardown(every_point_matters, begin, finish),
        cmocka_unit_test_setup_teardown(observing_changes_nothing, begin, finish),
        cmocka_unit_test_setup_teardown(rules_act_alike_in_all_modes, begin, finish),
        cmocka_unit_test_setup_teardown(rules_act_alike_when_seen, begin, finish),
        cmocka_unit_test_setup_teardown(a_wide_result_stays_in_its_channel, begin, finish),
        cmocka_unit_test_setup_teardown(sizes_do_not_lead_out_of_memory, begin, finish),
        cmocka_unit_test_setup_teardown(nothing_comes_from_earlier_cases, begin, finish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
