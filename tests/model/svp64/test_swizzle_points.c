/* SPDX-License-Identifier: MIT */
/*
 * The observation points of svp64-swizzle. A rule on a decoded field must have the effect of the same change
 * in the words, at the bits that the page and openpower-isa name. Rules written by hand must have the effect
 * of a clause's reading.
 */
#include "fuzz/generate/generate.h"
#include "model/core/units.h"
#include "model/svp64/swizzle_points.h"
#include "model/svp64/unit_swizzle.h"
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
    bench = points_open(&svp64_swizzle_unit);
    return 0;
}

static int finish(void **state)
{
    (void)state;
    points_close(bench);
    return 0;
}

/* ---- fields ---- */

/* The places of the fields. Word 0 is the instruction, word 1 the prefix; then come SVSTATE's halves. If a
 * point has several fields, `guard` chooses the operand or position. */
enum { IN_PREFIX = 1, IN_HIGH, IN_LOW };
static const struct place {
    const char *point, *guard;
    uint8_t word, low, width;
} places[] = {
    {"insn.po", NULL, 0, 26, 6},
    {"insn.xo", NULL, 0, 0, 4},
    {"insn.prefix", NULL, IN_PREFIX, 31, 1},
    {"insn.single", NULL, IN_PREFIX, 30, 1},
    {"insn.selector", "position == 0", 0, 13, 3},
    {"insn.selector", "position == 1", 0, 10, 3},
    {"insn.selector", "position == 2", 0, 7, 3},
    {"insn.selector", "position == 3", 0, 4, 3},
    {"insn.register", "destination", 0, 21, 5},
    {"insn.register", "!destination", 0, 16, 5},
    {"insn.extra", "destination", IN_PREFIX, 11, 3},
    {"insn.extra", "!destination", IN_PREFIX, 8, 3},
    {"insn.elwidth", "destination", IN_PREFIX, 18, 2},
    {"insn.elwidth", "!destination", IN_PREFIX, 16, 2},
    {"insn.mask", "destination", IN_PREFIX, 20, 3},
    {"insn.mask", "!destination", IN_PREFIX, 5, 3},
    {"insn.maskmode", NULL, IN_PREFIX, 23, 1},
    {"insn.subvl", NULL, IN_PREFIX, 14, 2},
    {"insn.mode", NULL, IN_PREFIX, 0, 5},
    {"insn.unused", NULL, IN_PREFIX, 24, 6},
    {"svstate.vl", NULL, IN_HIGH, 18, 7},
    {"svstate.step", "!destination", IN_HIGH, 11, 7},
    {"svstate.step", "destination", IN_HIGH, 4, 7},
    {"svstate.substep", "!destination", IN_HIGH, 0, 2},
    {"svstate.substep", "destination", IN_HIGH, 2, 2},
    {"svstate.pack", "!destination", IN_LOW, 10, 1},
    {"svstate.pack", "destination", IN_LOW, 9, 1},
    {"svstate.vertical", NULL, IN_LOW, 0, 1},
};

/* Changes a field in the words. Without a prefix, an instruction has no fields in the prefix. */
static void edit(struct swizzle_case *c, const struct place *f, uint32_t field)
{
    uint32_t mask = ((1U << f->width) - 1) << f->low;
    uint32_t *words[] = {&c->insn[0][0], &c->insn[0][1], &c->svstate_high, &c->svstate_low};
    if (f->word == IN_PREFIX && f->low < 31 && !(c->insn[0][1] >> 31))
        return;
    *words[f->word] = (*words[f->word] & ~mask) | field << f->low;
    if (!(c->insn[0][1] >> 31))
        c->insn[0][1] = 0;
}

static void a_rule_is_an_edit_of_the_word(void **state)
{
    (void)state;
    static const char *const profiles[] = {"manual", "prose", "repaired"};
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
        const struct place *f = &places[i];
        unsigned changed = 0;
        for (unsigned n = 0; n < 300; n++) {
            uint32_t field = random_below(&bench->random, 1U << f->width);
            char rule[96];
            snprintf(rule, sizeof rule, "%s%s%s = %u", f->point, f->guard ? " when " : "",
                     f->guard ? f->guard : "", field);
            struct profile ruled = points_profile(bench, profiles[n % 3], rule), plain = ruled;
            plain.rules = (struct rules){0};
            case_generate(&bench->random, bench->unit, &bench->tc);
            case_copy(&bench->edited, &bench->tc);
            edit((struct swizzle_case *)(void *)bench->edited.words, f, field);
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

/* Readings, and rules with the same effect. `base`: the profile to which both are added. */
static const struct points_pair pairs[] = {
    {"manual", "swiz-end-length=before-end", {"group.length when destination && first < 4 = first"}},
    {"manual", "swiz-minus-3=minus-4", {"slot.place = selector - 4"}},
    {"manual", "swiz-src-range=destination", {"group.positions = destinations"}},
    {"manual", "swiz-end-in-dest=not-yielded", {"group.positions when destination && first < 4 = first"}},
    {"manual", "swiz-const-lost=carried", {"move.received when selector == 2 && value == 2 = 1"}},
    {"manual",
     "swiz-zip=by-position",
     {"pair.source-step when packed == 0 = source <= target",
      "pair.destination-step when packed == 0 = target <= source"}},
    {"manual", "swiz-zip=error", {"plan.stop when alike && sources != destinations = 10"}},
    {"manual",
     "swiz-dotdot-xy=sentence",
     {"insn.selector when form < 2 && imm == 37 = bits(0xDC0, 9 - position * 3, 3)"}},
    {"manual", "swiz-skip-zero=keep", {"lane.cleared = 0"}},
    {"manual",
     "swiz-pack-index=step",
     {"loop.step when packed = step % groups", "loop.substep when packed = step / groups"}},
    {"manual", "swiz-pack-index=step", {"loop.by-position when packed = 1"}},
    {"manual", "swiz-pack-index=addr", {"visit.element when packed = place * vl + group"}},
    {"manual",
     "swiz-pack-skip=filtered",
     {"slot.hole when destination && selector == 1 = 0", "slot.visited when hole = 0"}},
    {"manual", "swiz-vf-code=active", {"vertical.count when unpack == 0 = active"}},
    {"repaired,swiz-vf-unpack=manual",
     "swiz-vf-unpack=destination",
     {"vertical.count when unpack && pack == 0 = length"}},
    {"repaired,swiz-vf-unpack=manual",
     "swiz-vf-unpack=active",
     {"vertical.count when unpack && pack == 0 = active"}},
    {"manual", "swiz-imm-slices=lsb0", {"insn.selector when form == 2 = bits(imm, position * 3, 3)"}},
    {"manual", "swiz-rt-plus=elements", {"operand.stride = bytes"}},
    {"manual", "swiz-break-missing=last", {"group.marker = last"}},
    {"manual", "swiz-in-place=in-order", {"read.ahead when form < 2 = 0"}},
    {"manual", "swiz-odd-reg=rounds-down", {"operand.stop when value == 2 = 0"}},
    {"manual", "swiz-odd-vector=any", {"operand.even when vector = 0"}},
    {"manual", "swiz-odd-vector=field", {"operand.even when vector = 4"}},
    {"manual", "swiz-single=one-group", {"form.run when value == 1 = 3"}},
    {"manual", "swiz-single=reserved", {"insn.stop when form == 1 && value != 1 = 12"}},
    {"manual", "swiz-end-scalar=skips", {"insn.selector when form < 2 && value == 1 = 0"}},
    {"manual", "swiz-end-scalar=reserved", {"group.stop when form < 2 && first < 4 = 3"}},
    {"manual", "swiz-after-end=must-skip", {"group.stop when form == 2 && behind != 0 = 5"}},
    {"manual", "swiz-after-end=must-end", {"group.stop when form == 2 && behind != 73 >> first * 3 = 5"}},
    {"manual", "swiz-after-end=must-skip", {"group.stop when form == 2 && not_skips = 5"}},
    {"manual", "swiz-after-end=must-end", {"group.stop when form == 2 && not_ends = 5"}},
    {"manual", "swiz-end-first=reserved", {"group.stop when form == 2 && first == 0 = 4"}},
    {"repaired,swiz-nn-range=manual", "swiz-nn-range=zero", {"move.received when beyond && value > 255 = 1"}},
    {"manual", "swiz-nn-range=zero", {"move.received when beyond && value > 255 = 1"}},
    {"manual", "swiz-subvl1=illegal", {"group.stop when form == 2 && subvl == 1 = 6"}},
    {"manual", "swiz-half-order=high-first", {"lane.word = value ^ 1"}},
    {"manual", "swiz-fmv-one=upper-double", {"one.low when fp && form < 2 = 0x3FF00000"}},
    {"manual", "swiz-fmv-ew=illegal", {"operand.stop when fp && width == 3 = if(value, value, 7)"}},
    {"manual",
     "swiz-fmv-bits=quiets",
     {"result.low when from == to = value | quiet", "result.high when from == to = value | quiet"}},
    {"manual", "swiz-fmv-file=gpr", {"operand.file = 0"}},
    {"manual",
     "swiz-fmv-width-change=converts",
     {"result.low when fp && from != to = converted", "result.high when fp && from != to = converted"}},
    {"manual", "swiz-width-change=zero-extends", {"convert.signed = 0"}},
    {"manual", "swiz-width-change=sign-extends", {"convert.signed = 1"}},
    {"manual",
     "swiz-width-change=sign-extends",
     {"result.low when !fp && from > to = sext(lower, 64 >> from)",
      "result.high when !fp && from > to = asr(sext(lower, 64 >> from), 31)"}},
    {"manual", "swiz-sat-width=source", {"one.bits = from"}},
    {"manual",
     "swiz-sat-fmv=largest-finite",
     {"one.low when fp && kind = largest", "one.high when fp && kind = largest"}},
    {"manual", "swiz-sat-fmv=illegal", {"convert.stop when fp && kind = 8"}},
    {"manual", "swiz-zeroing-src=all-zero", {"move.received when source_masked && value == 2 = 3"}},
    {"manual", "swiz-zeroing-dst=whole-group", {"skipped.cleared = 1"}},
    {"manual",
     "swiz-pred-bits=per-element",
     {"predicate.group when form == 2 = 1", "predicate.element = bit"}},
    {"manual,swiz-overlap=buffered", "swiz-overlap=sequential", {"read.ahead when form == 2 = 0"}},
    {"manual,swiz-overlap=sequential", "swiz-overlap=buffered", {"read.ahead when overlap = 1"}},
};

static void rules_state_readings(void **state)
{
    (void)state;
    points_try_pairs(bench, pairs, sizeof pairs / sizeof *pairs);
}

/* ---- steps worked by hand ---- */

/* The word of the outcome that has the lower half of a general register, or what an element received; and the
 * lower half of a register before. */
#define LOW(number)   (2 * (number))
#define OLD(number)   (0x200 + (number))
#define MOVED(number) (512 + (number))
#define VEC4          "sv.mv.swiz/vec4"
#define BUFFERED      "repaired,swiz-overlap=buffered"
#define OVERLAP       BUFFERED, VEC4 " r18.v, r16.v, XYZW", 1, LOW(20), OLD(18), OLD(16)

/* A swizzle, and one word of the outcome without and with the rule. The lower half of register n is 0x200 +
 * n, that of r24 0xFFFF; the upper halves are 0. OVERLAP moves r16 to r19 to r18 to r21. If all are read
 * first, r20 gets the r18 from before; if not, what r18 has got, which is r16. */
static const struct hand {
    const char *rule, *profile, *code;
    unsigned vl, word;
    uint32_t before, after;
} hands[] = {
    {"operands.overlap = 0", OVERLAP},
    {"operands.overlap = apart", OVERLAP},
    {"source.counts when copied = 0", OVERLAP},
    {"source.counts when !refused = 0", OVERLAP},
    {"overlap.bytes = 0", OVERLAP},
    {"overlap.bytes when bytes == 8 = 0", OVERLAP},
    {"overlap.byte when destination = value ^ 512", OVERLAP},
    {"overlap.end when !destination = 144", OVERLAP}, /* r18, the first register that is written */
    /* a source group of three elements */
    {"group.subvl = field", "repaired", VEC4 " r8.v, r32.v, XYZX", 2, LOW(12), OLD(36), OLD(35)},
    /* the source becomes a vector as the destination is one */
    {"loop.operand = 1", "repaired", VEC4 " r8.v, r32, XYZW", 2, LOW(12), OLD(32), OLD(36)},
    {"loop.operand when !vertical = 1", "repaired", VEC4 " r8.v, r32, XYZW", 2, LOW(12), OLD(32), OLD(36)},
    {"loop.groups = value + 1", "repaired", VEC4 " r8.v, r32.v, XYZW", 2, LOW(16), OLD(16), OLD(40)},
    /* an element beyond the last register, so that nothing moves */
    {"visit.element when !destination = 0x7FF", "repaired", VEC4 " r8.v, r32.v, XYZW", 1, LOW(8), OLD(32),
     OLD(8)},
    {"pair.moved when visit == 0 = 0", "repaired", VEC4 " r8.v, r32.v, XYZW", 1, LOW(8), OLD(32), OLD(8)},
    {"move.recorded = value ^ 1", "repaired", "mv.swiz r8, r16, XYZW", 1, MOVED(0), 0x100, 0x101},
    {"move.recorded when form == 2 = 0", "repaired", VEC4 " r8.v, r32.v, YZWX", 1, MOVED(1), 0x102, 0},
    {"convert.copies = 0", "repaired", VEC4 "/dw=32/sw=16/sats r8.v, r24.v, XXXX", 1, LOW(8), 0xFFFFFFFF,
     0xFFFF},
    {"convert.copies = last", "repaired", VEC4 "/dw=32/sw=16/sats r8.v, r24.v, XXX0", 1, LOW(8), 0xFFFFFFFF,
     0xFFFF},
    {"convert.ones = 0", "repaired", VEC4 "/dw=32/sw=32/sats r8.v, r24.v, 1XXX", 1, LOW(8), 0x7FFFFFFF, 1},
    {"convert.ones = last", "repaired", VEC4 "/dw=32/sw=32/sats r8.v, r24.v, 1XXX", 1, LOW(8), 0x7FFFFFFF, 1},
};
#undef OVERLAP

static void make_case(const struct hand *h)
{
    enum { ROWS = 6, IN_ROW = 8, NEGATIVE = 24 };
    char text[2048];
    struct error e = {0};
    size_t end = (size_t)snprintf(text, sizeof text, "misprint-case 1 svp64-swizzle\nsvstate-high = 0x%x\n",
                                  (unsigned)h->vl << SVSTATE_VL_SHIFT);
    for (unsigned n = 0; n < ROWS * IN_ROW; n++) {
        if (n % IN_ROW == 0)
            end += (size_t)snprintf(text + end, sizeof text - end, "gpr row %u =", n / IN_ROW);
        end += (size_t)snprintf(text + end, sizeof text - end, " %08x 00000000%s",
                                n == NEGATIVE ? 0xFFFFU : 0x200 + n, n % IN_ROW == IN_ROW - 1 ? "\n" : "");
    }
    end += (size_t)snprintf(text + end, sizeof text - end, "code {\n%s\n}\n", h->code);
    if (!case_parse(&bench->tc, text, end, &e))
        fail_msg("%s: %s", h->rule, e.text);
}

static void rules_have_the_worked_effect(void **state)
{
    (void)state;
    for (unsigned n = 0; n < sizeof hands / sizeof *hands; n++) {
        const struct hand *h = &hands[n];
        const struct profile plain = points_profile(bench, h->profile, NULL),
                             ruled = points_profile(bench, h->profile, h->rule);
        make_case(h);
        for (unsigned checked = 0; checked < 2; checked++) {
            bench->run.mode = checked ? RUN_CHECKED : RUN_PLAIN;
            points_run(bench, &bench->tc, &plain, bench->out);
            points_run(bench, &bench->tc, &ruled, bench->other);
            const uint32_t before = bench->out->value[h->word], after = bench->other->value[h->word];
            if (before != h->before || after != h->after)
                fail_msg("%s: %s: %08x becomes %08x, not %08x becomes %08x", h->code, h->rule, before, after,
                         h->before, h->after);
        }
    }
}

/* ---- all points ---- */

static void every_point_matters(void **state)
{
    (void)state;
    points_every_point_matters(bench, "manual,swiz-rt-plus=elements,swiz-minus-3=minus-4", NULL);
}

static void observing_changes_nothing(void **state)
{
    (void)state;
    static const char *const profiles[] = {"manual", "prose", "repaired", NULL};
    points_observing_changes_nothing(bench, profiles);
}

static void rules_act_alike_in_all_modes(void **state)
{
    (void)state;
    points_modes_agree(bench, "repaired");
}

static void rules_act_alike_when_seen(void **state)
{
    (void)state;
    points_rules_act_alike_when_seen(bench, "repaired");
}

/* ---- numbers that only rules make ---- */

/* A rule cannot place an element outside the register file. */
static void forced_places_stay_in_the_file(void **state)
{
    (void)state;
#define AND ";svp64-swizzle "
    static const char *const rules[] = {
        "operand.base = 3" AND "element.address = 0",
        "operand.base = 0",
        "operand.base = 0x3FF",
        "operand.base = 0x3FF" AND "element.address = 0",
        "element.word = 0",
        "element.word = 0xFF",
        "element.word = 0xFF" AND "element.words = 3",
        "element.words = 0",
        "element.words = 3",
        "element.address = 0x3FFFF",
        "element.address = 0xFFFFFFFF",
        "element.address = 0",
        "loop.operand = 0",
        "loop.operand = 1",
        "loop.operand = !value",
        "loop.groups = 0xFF",
        "group.subvl = 0xFF",
        "group.subvl = field - 1",
        "group.length = 0xFF",
        "source.counts = !value",
        "overlap.byte = 0x3FF" AND "overlap.bytes = 0xFFFFFFFF",
    };
#undef AND
    for (unsigned i = 0; i < sizeof rules / sizeof *rules; i++) {
        const struct profile p = points_profile(bench, "repaired", rules[i]);
        for (unsigned n = 0; n < support_scaled(500); n++) {
            case_generate(&bench->random, bench->unit, &bench->tc);
            points_run(bench, &bench->tc, &p, bench->out);
        }
    }
}

/* Fails if a value or an input does not fit the width that its point states. */
static void check_width(void *context, const struct observation *seen)
{
    const struct point *p = &swizzle_points[seen->point];
    if (*seen->value & ~point_mask(p))
        fail_msg("%s: %s is 0x%x", (const char *)context, p->name, *seen->value);
    for (unsigned i = 0; i < POINT_INPUTS_MAX && p->input[i].name; i++)
        if (seen->input[i] & ~(UINT32_MAX >> (32 - p->input[i].width)))
            fail_msg("%s: %s of %s is 0x%x", (const char *)context, p->input[i].name, p->name,
                     seen->input[i]);
}

/* Fields that are one bit longer than those of the words, and an operand before the register file. */
static void the_longest_fields_fit(void **state)
{
    (void)state;
    static const char *const profiles[] = {"manual", "repaired", "repaired,swiz-minus-3=minus-4"},
                             *const rules[] = {"insn.selector = 15", "insn.selector = value | 8",
                                               "insn.register = 63",
                                               "insn.mode = 63;svp64-swizzle insn.stop = 0",
                                               "operand.base = 0 - value"};
    for (unsigned i = 0; i < sizeof rules / sizeof *rules; i++)
        for (unsigned n = 0; n < support_scaled(3000); n++) {
            const struct profile p = points_profile(bench, profiles[n % 3], rules[i]);
            bench->run.see = check_width;
            bench->run.see_context = (void *)(uintptr_t)rules[i];
            case_generate(&bench->random, bench->unit, &bench->tc);
            points_run(bench, &bench->tc, &p, bench->out);
        }
}

/* Pairs of rules with the same effect; an empty one is no rule. */
static void some_numbers_mean_the_same(void **state)
{
    (void)state;
    static const char *const same[][2] = {
        {"form.run when prefixed && !single = 3", NULL},
        {"form.run when !prefixed = 3", "form.run when !prefixed = 2"},
        {"predicate.cr-place = in_word * 4 + cr_bit", NULL},
        {"predicate.cr-place when in_cr != field / 8 = 0", NULL},
        {"loop.holes when imm == 0x977 = 1", NULL}, /* XYZW, in which there is no hole to visit */
        {"clamp.side when negative && kind != 5 = 3", NULL},
        {"clamp.side when negative != upper >> 31 && kind == 5 = 3", NULL},
        {"lane.selector when position == 1 = 1", "lane.selector when position == 1 = 0"},
    };
    for (unsigned i = 0; i < sizeof same / sizeof *same; i++) {
        const struct profile a = points_profile(bench, "repaired", same[i][0]),
                             b = points_profile(bench, "repaired", same[i][1]);
        for (unsigned n = 0; n < support_scaled(1000); n++) {
            case_generate(&bench->random, bench->unit, &bench->tc);
            points_run(bench, &bench->tc, &a, bench->out);
            points_run(bench, &bench->tc, &b, bench->other);
            if (!points_same(bench, bench->out, bench->other))
                support_fail_case(&bench->tc, "rule '%s'", same[i][0]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_rule_is_an_edit_of_the_word, begin, finish),
        cmocka_unit_test_setup_teardown(rules_state_readings, begin, finish),
        cmocka_unit_test_setup_teardown(rules_have_the_worked_effect, begin, finish),
        cmocka_unit_test_setup_teardown(every_point_matters, begin, finish),
        cmocka_unit_test_setup_teardown(observing_changes_nothing, begin, finish),
        cmocka_unit_test_setup_teardown(rules_act_alike_in_all_modes, begin, finish),
        cmocka_unit_test_setup_teardown(rules_act_alike_when_seen, begin, finish),
        cmocka_unit_test_setup_teardown(forced_places_stay_in_the_file, begin, finish),
        cmocka_unit_test_setup_teardown(the_longest_fields_fit, begin, finish),
        cmocka_unit_test_setup_teardown(some_numbers_mean_the_same, begin, finish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
