/* SPDX-License-Identifier: MIT */
/*
 * The values that pass the observation points of svp64-swizzle in cases worked by hand. They follow from the
 * mv.swizzle page (reference sheet, sections 2 and 3), from the prefix's fields in openpower-isa
 * (power_svp64_rm.py), and from the formats of IEEE 754 and bfloat16.
 */
#include "model/core/units.h"
#include "model/svp64/swizzle_points.h"
#include "tests/model/svp64/support_swizzle.h"
#include "tests/support/support_points.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

/* The number of visits of a point, and the values of the first ones. */
static const struct row {
    const char *profile, *point, *text;
    uint32_t vl, low;           /* lower word of SVSTATE */
    uint64_t predicate, source; /* r3, and r40 or r6 */
    unsigned count;
    uint32_t value[POINTS_SEEN_MAX];
} rows[] = {
    /* predicates: the source comes first; 1<<r3 is MASK 1, ~r3 inverts */
    {"repaired", "predicate.always", "sv.mv.swiz/dm=~r3 r8.v, r40.v, XE..", 2, 0, 5, 0, 2, {1, 0}},
    {"repaired", "predicate.kind", "sv.mv.swiz/dm=~r3 r8.v, r40.v, XE..", 2, 0, 5, 0, 1, {1}},
    {"repaired", "predicate.kind", "sv.mv.swiz/dm=r3 r8.v, r40.v, XE..", 2, 0, 5, 0, 1, {0}},
    {"repaired", "predicate.kind", "sv.mv.swiz/sm=1<<r3 r8.v, r40.v, XE..", 2, 0, 5, 0, 1, {2}},
    {"repaired", "predicate.shift", "sv.mv.swiz/sm=1<<r3 r8.v, r40.v, XE..", 2, 0, 0x145, 0, 1, {5}},
    {"repaired", "predicate.content-low", "sv.mv.swiz/dm=~r3 r8.v, r40.v, XE..", 2, 0, 5, 0, 1, {5}},
    {"repaired",
     "predicate.content-high",
     "sv.mv.swiz/dm=~r3 r8.v, r40.v, XE..",
     2,
     0,
     7ULL << 32,
     0,
     1,
     {7}},
    {"repaired", "predicate.zeroing", "sv.mv.swiz/dm=r3/dz r8.v, r40.v, XE..", 2, 0, 2, 0, 2, {0, 1}},
    /* predicates in CR fields begin at field 4; LT, of the source, is bit 0 of four, and GT is bit 1 */
    {"repaired",
     "predicate.cr-word",
     "sv.mv.swiz/dm=gt r8.v, r40.v, XE..",
     5,
     0,
     0,
     0,
     10,
     {0, 0, 0, 0, 1, 0}},
    {"repaired",
     "predicate.cr-place",
     "sv.mv.swiz/dm=gt r8.v, r40.v, XE..",
     5,
     0,
     0,
     0,
     10,
     {16, 20, 24, 28, 0, 17}},
    /* a run that observes predicate.element visits these points only once for each group, too */
    {"repaired", "predicate.cr-word", "sv.mv.swiz/dm=le/sm=ge r8.v, r40.v, XE..", 1, 0, 0, 0, 2, {0, 0}},
    /* loops */
    {"repaired", "loop.visited", "sv.mv.swiz/dm=r3 r8.v, r40.v, XE..", 2, 0, 2, 0, 4, {1, 1, 0, 1}},
    {"repaired", "loop.visited", "sv.mv.swiz/dm=r3/dz r8.v, r40.v, XE..", 2, 0, 2, 0, 4, {1, 1, 1, 1}},
    {"repaired", "loop.masked", "sv.mv.swiz/dm=r3/dz r8.v, r40.v, XE..", 2, 0, 2, 0, 4, {0, 0, 1, 0}},
    {"repaired", "loop.by-position", "sv.mv.swiz/vec2 r8.v, r40.v, XYE.", 2, SVSTATE_PACK, 0, 0, 2, {1, 0}},
    {"manual", "loop.by-position", "sv.mv.swiz/vec2 r8.v, r40.v, XYE.", 2, SVSTATE_PACK, 0, 0, 2, {0, 0}},
    {"manual", "loop.holes", "sv.mv.swiz/vec2 r8.v, r40.v, X.E.", 2, SVSTATE_PACK, 0, 0, 2, {1, 1}},
    {"manual", "loop.holes", "sv.mv.swiz/vec4 r8.v, r40.v, XYZW", 2, SVSTATE_PACK, 0, 0, 2, {0, 0}},
    {"manual", "loop.only", "sv.mv.swiz/vec2 r8.v, r40.v, XYE.", 2, SVSTATE_PACK, 0, 0, 2, {4, 4}},
    {"manual", "pair.moved", "sv.mv.swiz/vec2 r8.v, r40.v, X.E.", 1, SVSTATE_PACK, 0, 0, 2, {1, 0}},
    {"repaired", "group.subvl", "sv.mv.swiz/vec3 r8.v, r40.v, XYE.", 1, 0, 0, 0, 1, {3}},
    {"repaired", "group.end", "sv.mv.swiz/vec3 r8.v, r40.v, XYE.", 1, 0, 0, 0, 1, {2}},
    {"repaired", "group.end", "sv.mv.swiz/vec4 r8.v, r40.v, XYZW", 1, 0, 0, 0, 1, {4}},
    /* elements: the register file has two words for each register */
    {"repaired", "operand.base", "sv.mv.swiz r8.v, r40.v, XE..", 1, 0, 0, 0, 2, {320, 64}},
    {"repaired", "element.word", "sv.mv.swiz/dw=32/sw=32 r8.v, r40.v, XE..", 2, 0, 0, 0, 4, {80, 16, 81, 17}},
    {"repaired", "element.words", "sv.mv.swiz/dw=32 r8.v, r40.v, XE..", 1, 0, 0, 0, 2, {2, 1}},
    /* constants and saturation */
    {"repaired", "saturation.bits", "sv.mv.swiz/sats/dw=8/sw=8 r8.v, r40.v, 1E..", 1, 0, 0, 0, 1, {7}},
    {"repaired", "saturation.bits", "sv.mv.swiz/satu/dw=16/sw=16 r8.v, r40.v, 1E..", 1, 0, 0, 0, 1, {16}},
    {"repaired", "saturation.bits", "sv.mv.swiz/dw=16/sw=16 r8.v, r40.v, 1E..", 1, 0, 0, 0, 1, {1}},
    {"repaired", "one.exponent", "sv.fmv.swiz f8.v, f40.v, 1E..", 1, 0, 0, 0, 1, {1023}},
    {"repaired", "one.exponent", "sv.fmv.swiz/dw=32 f8.v, f40.v, 1E..", 1, 0, 0, 0, 1, {127}},
    {"repaired", "one.exponent", "sv.fmv.swiz/dw=16 f8.v, f40.v, 1E..", 1, 0, 0, 0, 1, {15}},
    {"repaired", "one.exponent", "sv.fmv.swiz/dw=8 f8.v, f40.v, 1E..", 1, 0, 0, 0, 1, {127}},
    {"repaired", "convert.mode", "sv.mv.swiz/sats/dw=8/sw=16 r8.v, r40.v, XE..", 1, 0, 0, 0, 1, {5}},
    {"repaired", "convert.fp", "sv.fmv.swiz/dw=32 f8.v, f40.v, XE..", 1, 0, 0, 0, 1, {1}},
    {"repaired", "convert.bits", "sv.mv.swiz/dw=8/sw=16 r8.v, r40.v, XE..", 1, 0, 0, 0, 2, {16, 8}},
    {"repaired", "convert.sign-bit", "sv.mv.swiz/sats/dw=8/sw=16 r8.v, r40.v, XE..", 1, 0, 0, 0, 1, {15}},
    {"repaired", "clamp.side", "sv.mv.swiz/sats/dw=8/sw=16 r8.v, r40.v, XE..", 1, 0, 0, 0x80, 1, {1}},
    {"repaired", "clamp.side", "sv.mv.swiz/sats/dw=8/sw=16 r8.v, r40.v, XE..", 1, 0, 0, 0x7F, 1, {0}},
    {"repaired", "clamp.side", "sv.mv.swiz/sats/dw=8/sw=16 r8.v, r40.v, XE..", 1, 0, 0, 0xFF7F, 1, {2}},
    {"repaired", "clamp.side", "sv.mv.swiz/sats/dw=8/sw=16 r8.v, r40.v, XE..", 1, 0, 0, 0xFF80, 1, {0}},
    {"repaired", "clamp.side", "sv.mv.swiz/satu/dw=8/sw=16 r8.v, r40.v, XE..", 1, 0, 0, 0x100, 1, {1}},
    /* the scalar form: an end marker ends it */
    {"repaired", "lane.selector", "mv.swiz r4, r6, XEYZ", 0, 0, 0, 0, 4, {SELECT_X, 0, 0, 0}},
    {"repaired",
     "lane.value",
     "mv.swiz r4, r6, YX01",
     0,
     0,
     0,
     0x2222222211111111,
     4,
     {0x22222222, 0x11111111, 0, 1}},
};

static void points_see_what_the_documents_say(void **state)
{
    struct swizzle_bench *b = *state;
    struct points_bench *bench = points_open(&svp64_swizzle_unit);
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        const struct row *r = &rows[n];
        struct points_seen seen = points_seen_at(&svp64_swizzle_unit, r->point);
        const struct profile p = points_profile(bench, r->profile, NULL);
        swizzle_set_case(b, r->vl, "%s", r->text);
        b->c->svstate_low = r->low;
        swizzle_set_register(b, "gpr", 3, r->predicate);
        swizzle_set_register(b, "gpr", strstr(r->text, "r6") ? 6 : 40, r->source);
        bench->run.see = points_see;
        bench->run.see_context = &seen;
        points_run(bench, &b->tc, &p, bench->out);
        if (bench->out->end != END_DONE || seen.count != r->count ||
            memcmp(seen.value, r->value, sizeof r->value) != 0)
            support_fail_case(&b->tc, "row %u: %s was seen %u times, first with %u", n, r->point, seen.count,
                              seen.value[0]);
    }
    points_close(bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(points_see_what_the_documents_say)};
    return cmocka_run_group_tests(tests, swizzle_set_up, swizzle_tear_down);
}
