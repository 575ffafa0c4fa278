/* SPDX-License-Identifier: MIT */
/*
 * The observation points of amd-buffer. There are two ways to change a field of an instruction or of a V#: by
 * a rule at its point, or in the words, at the bits that the documents give. Both must leave the same
 * outcome.
 */
#include "fuzz/generate/generate.h"
#include "model/amd/unit_buffer.h"
#include "model/core/units.h"
#include "model/rule/rule.h"
#include "tests/model/amd/support_amd.h"
#include "tests/model/amd/support_amd_pairs.h"
#include "tests/support/support_points.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct unit *unit;

static struct points_bench *bench;

static int begin(void **state)
{
    (void)state;
    unit = unit_named("amd-buffer");
    bench = points_open(unit);
    return 0;
}

static int finish(void **state)
{
    (void)state;
    points_close(bench);
    return 0;
}

/* Returns a profile with rules. Each rule begins with a semicolon: ";insn.glc = 1;desc.type = 0". */
static struct profile with_rules(const char *profile, const char *rules)
{
    struct profile p;
    struct error e = {0};
    char spec[800];
    size_t n = (size_t)snprintf(spec, sizeof spec, "%s", profile);
    for (const char *c = rules; *c; c++)
        n += (size_t)snprintf(spec + n, sizeof spec - n, *c == ';' ? ";amd-buffer " : "%c", *c);
    assert_true(n < sizeof spec);
    if (!profile_resolve(unit, spec, &p, &e))
        fail_msg("%s: %s", spec, e.text);
    return p;
}

/* ---- fields ---- */

enum { MUBUF = 1, MTBUF = 2, SMEM = 4, VECTOR = MUBUF | MTBUF, ANY = VECTOR | SMEM };
enum {
    G11 = 1 << AMD_GFX11,
    G10 = 1 << AMD_GFX10,
    G9 = 1 << AMD_GFX9,
    G8 = 1 << AMD_GFX8,
    G12 = 1 << AMD_GFX12
};
enum { CDNA = AMD_CDNA, OLD = G8 | G9 | CDNA, ALL = AMD_ALL_GENERATIONS };

/* The bits of each field. Sources: the microcode formats of the "RDNA3" and "RDNA4" guides; for older
 * generations the "RDNA2" and "CDNA3" guides and the CLRX assembler's documentation. */
static const struct place {
    const char *point;
    unsigned generations, encodings;
    uint8_t low, width;
} places[] = {
    {"insn.op", G11, MUBUF, 18, 8},
    {"insn.op", G10, MUBUF, 18, 7},
    {"insn.op", OLD, MUBUF, 18, 7},
    {"insn.op", G12, MUBUF, 14, 7},
    {"insn.op", G11 | OLD, MTBUF, 15, 4},
    {"insn.op", G11 | G10 | OLD, SMEM, 18, 8},
    {"insn.op", G12, SMEM, 13, 6},
    {"insn.offset", G11 | G10 | OLD, VECTOR, 0, 12},
    {"insn.offset", G12, VECTOR, 72, 24},
    {"insn.offset", G11 | G10 | G9 | CDNA, SMEM, 32, 21},
    {"insn.offset", G8, SMEM, 32, 20},
    {"insn.offset", G12, SMEM, 32, 24},
    {"insn.offen", G11, VECTOR, 54, 1},
    {"insn.offen", G10 | OLD, VECTOR, 12, 1},
    {"insn.offen", G12, VECTOR, 62, 1},
    {"insn.idxen", G11, VECTOR, 55, 1},
    {"insn.idxen", G10 | OLD, VECTOR, 13, 1},
    {"insn.idxen", G12, VECTOR, 63, 1},
    {"insn.glc", G11 | G10 | OLD, VECTOR, 14, 1},
    {"insn.glc", G12, VECTOR, 52, 1},
    {"insn.glc", G11, SMEM, 14, 1},
    {"insn.glc", G10 | OLD, SMEM, 16, 1},
    {"insn.glc", G12, SMEM, 23, 1},
    {"insn.tfe", G11, VECTOR, 53, 1},
    {"insn.tfe", G10 | G9 | G8, VECTOR, 55, 1},
    {"insn.tfe", G12, VECTOR, 22, 1},
    {"insn.lds", G10 | OLD, MUBUF, 16, 1},
    {"insn.vaddr", G11 | G10 | OLD, VECTOR, 32, 8},
    {"insn.vaddr", G12, VECTOR, 64, 8},
    {"insn.vdata", G11 | G10 | OLD, VECTOR, 40, 8},
    {"insn.vdata", G12, VECTOR, 32, 8},
    {"insn.vdata", ALL, SMEM, 6, 7},
    {"insn.srsrc", G11 | G10 | OLD, VECTOR, 48, 5},
    {"insn.srsrc", G12, VECTOR, 43, 5},
    {"insn.srsrc", ALL, SMEM, 0, 6},
    {"insn.soffset", G11 | G10 | OLD, VECTOR, 56, 8},
    {"insn.soffset", G12, VECTOR, 0, 7},
    {"insn.soffset", G11 | G10 | G9 | CDNA | G12, SMEM, 57, 7},
    {"insn.format", G11 | G10 | OLD, MTBUF, 19, 7},
    {"insn.format", G12, MTBUF, 55, 7},
    {"insn.imm", OLD, SMEM, 17, 1},
    {"insn.soffset-en", G9 | CDNA, SMEM, 14, 1},
};

/* The bits of each field of a V#. Sources: "RDNA3" guide table 44, "RDNA4" guide; headers of PAL and ROCR. */
static const struct place descriptor_places[] = {
    {"desc.base-low", ALL, ANY, 0, 32},         {"desc.base-high", ALL, ANY, 32, 16},
    {"desc.stride", ALL, VECTOR, 48, 14},       {"desc.swizzle", G11 | G12, VECTOR, 62, 2},
    {"desc.swizzle", G10 | OLD, VECTOR, 63, 1}, {"desc.num-records", ALL, ANY, 64, 32},
    {"desc.dst-sel-x", ALL, ANY, 96, 3},        {"desc.dst-sel-y", ALL, ANY, 99, 3},
    {"desc.dst-sel-z", ALL, ANY, 102, 3},       {"desc.dst-sel-w", ALL, ANY, 105, 3},
    {"desc.format", G11 | G12, ANY, 108, 6},    {"desc.format", G10, ANY, 108, 7},
    {"desc.element-size", G8, ANY, 115, 2},     {"desc.index-stride", ALL, ANY, 117, 2},
    {"desc.add-tid", ALL, ANY, 119, 1},         {"desc.oob-select", G10 | G11 | G12, ANY, 124, 2},
    {"desc.stride-scale", G12, VECTOR, 114, 2}, {"desc.type", ALL, ANY, 126, 2},
};

static unsigned encoding_of(unsigned generation, const uint32_t *words)
{
    uint32_t six = words[0] >> 26;
    if (generation == AMD_GFX12)
        return six == 0x31 ? (words[0] >> 21 & 1 ? MTBUF : MUBUF) : six == 0x3D ? SMEM : 0;
    bool old = OLD >> generation & 1;
    return six == 0x38 ? MUBUF : six == 0x3A ? MTBUF : six == (old ? 0x30U : 0x3DU) ? SMEM : 0;
}

/* Writes a field. No field crosses a word. */
static void put(uint32_t *words, const struct place *f, uint32_t value)
{
    uint32_t mask = (UINT32_MAX >> (32 - f->width)) << f->low % 32;
    words[f->low / 32] = (words[f->low / 32] & ~mask) | (value << f->low % 32 & mask);
}

static const struct place *place_in(const struct place *list, size_t count, const char *point,
                                    unsigned generation, unsigned encoding)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(list[i].point, point) && list[i].generations >> generation & 1 &&
            list[i].encodings & encoding)
            return &list[i];
    return NULL;
}

/* Changes the field in all instructions. Returns false if one of them has no such field by the documents, or
 * does not exist. */
static bool edit_insns(struct amd_case *c, const char *point, uint32_t value)
{
    for (uint32_t i = 0; i < c->insn_count; i++) {
        struct amd_insn d;
        unsigned encoding = encoding_of(c->generation, c->insn[i]);
        const struct place *f =
            place_in(places, sizeof places / sizeof *places, point, c->generation, encoding);
        if (!f || (f->width < 32 && value >> f->width) ||
            !amd_decode_words((enum amd_generation)c->generation, c->insn[i], &d))
            return false;
        put(c->insn[i], f, value);
        if (!strcmp(point, "insn.op") && encoding == MUBUF && c->generation == AMD_GFX10)
            c->insn[i][0] &= ~(UINT32_C(1) << 25); /* clears OPM, which is bit 7 of the opcode */
        if (!strcmp(point, "insn.vdata") && encoding != SMEM && CDNA >> c->generation & 1)
            c->insn[i][1] &= ~(UINT32_C(1) << 23); /* clears ACC, which is bit 8 of VDATA */
    }
    return true;
}

/* Changes the field ENCODING in all instructions to that of MUBUF, MTBUF or SMEM. On GFX12, the first two
 * have the same. */
static bool edit_encoding(struct amd_case *c, const char *point, uint32_t value)
{
    (void)point;
    const bool new = c->generation == AMD_GFX10 || c->generation == AMD_GFX11;
    const uint32_t field[] = {0x38, 0x3A, new ? 0x3D : 0x30};
    if (value >= sizeof field / sizeof *field || c->generation == AMD_GFX12)
        return false;
    for (uint32_t i = 0; i < c->insn_count; i++) {
        struct amd_insn d;
        if (!amd_decode_words((enum amd_generation)c->generation, c->insn[i], &d))
            return false;
        c->insn[i][0] = (c->insn[i][0] & 0x03FFFFFF) | field[value] << 26;
    }
    return true;
}

enum { BEGIN_OF_V = 8, END_OF_V = 12 };

/* Do all instructions use the case's V#, and do they use its registers for nothing else? */
static bool uses_case_descriptor(const struct amd_case *c, unsigned encodings)
{
    for (uint32_t i = 0; i < c->insn_count; i++) {
        struct amd_insn d;
        unsigned encoding = encoding_of(c->generation, c->insn[i]);
        if (!(encoding & encodings) || !amd_decode_words((enum amd_generation)c->generation, c->insn[i], &d))
            return false;
        int code =
            encoding == SMEM ? amd_smem_soffset((enum amd_generation)c->generation, &d) : (int)d.soffset;
        bool written = encoding == SMEM && d.vdata < END_OF_V && d.vdata + 16 > BEGIN_OF_V;
        if ((encoding == SMEM ? 2 : 4) * d.srsrc != BEGIN_OF_V || written ||
            (code >= BEGIN_OF_V && code < END_OF_V))
            return false;
    }
    return true;
}

static bool edit_descriptor(struct amd_case *c, const char *point, uint32_t value)
{
    const size_t count = sizeof descriptor_places / sizeof *descriptor_places;
    const struct place *f = place_in(descriptor_places, count, point, c->generation, ANY);
    if (!f || (f->width < 32 && value >> f->width) || !uses_case_descriptor(c, f->encodings))
        return false;
    put(c->descriptor, f, value);
    return true;
}

/* Runs generated cases with the field changed in both ways. `width`: the field's width in bits. */
static void compare_edits(const char *point, uint8_t width,
                          bool (*edit)(struct amd_case *, const char *, uint32_t))
{
    static const char *const profiles[] = {"manual", "gfx1100", "gfx803"};
    unsigned compared = 0, changed = 0, full = support_scaled(150);
    for (unsigned n = 0; (compared < full || !changed) && n < 40000; n++) {
        char rule[64];
        uint32_t value = random_u32(&bench->random) >> (32 - width);
        if (random_one_in(&bench->random, 2))
            value &= 15;
        case_generate(&bench->random, unit, &bench->tc);
        case_copy(&bench->edited, &bench->tc);
        if (!edit((struct amd_case *)(void *)bench->edited.words, point, value))
            continue;
        snprintf(rule, sizeof rule, ";%s = %u", point, value);
        struct profile ruled = with_rules(profiles[n % 3], rule), plain = ruled;
        plain.rules = (struct rules){0};
        points_run(bench, &bench->tc, &plain, bench->out);
        points_run(bench, &bench->edited, &plain, bench->other);
        compared++;
        changed += !points_same(bench, bench->out, bench->other);
        points_run(bench, &bench->tc, &ruled, bench->out);
        if (!points_same(bench, bench->out, bench->other))
            support_fail_case(&bench->tc, "%s: rule '%s' is not what the edited words do", profiles[n % 3],
                              rule);
    }
    if (!changed)
        fail_msg("%s: no edit changed an outcome", point);
}

static void a_rule_is_an_edit_of_the_words(void **state)
{
    (void)state;
    for (unsigned i = 0; i < AMD_POINT_COUNT; i++) {
        const struct point *p = &amd_points[i];
        if (i == AMD_POINT_INSN_ENCODING)
            compare_edits(p->name, p->width, edit_encoding);
        else if (!strncmp(p->name, "insn.", 5))
            compare_edits(p->name, p->width, edit_insns);
        else if (!strncmp(p->name, "desc.", 5))
            compare_edits(p->name, p->width, edit_descriptor);
    }
}

/* ---- all points ---- */

/* Gives each clause a random reading with probability 1/2, so that the cases run all paths of the model. */
static void draw_readings(struct profile *p)
{
    for (unsigned k = 0; k < unit_clauses(unit); k++)
        if (random_one_in(&bench->random, 2))
            p->reading[k] = (uint8_t)random_below(&bench->random, clause_readings(unit_clause(unit, k)));
}

/* Makes a case that adds doubles, which generated cases rarely do. */
static void add_doubles(void)
{
    amd_case_begin(&bench->tc, AMD_GFX90A);
    const struct amd_descriptor d = amd_descriptor_raw(AMD_GFX90A, 0x100, 256);
    amd_case_descriptor(&bench->tc, &d);
    struct amd_case *c = amd_support_case(&bench->tc);
    c->insn[0][0] = 0xE13C0000; /* buffer_atomic_add_f64 v[4:5], off, s[8:11], 0 */
    c->insn[0][1] = 0x80020400;
    c->insn_count = 1;
}

/* Observing a run does not change it, under any readings. */
static void observing_changes_nothing(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 3000 + support_scaled(6000); n++) { /* some points are passed rarely */
        struct profile p = {0};
        if (n % 2)
            draw_readings(&p);
        bench->run.mode = n % 4 < 2 ? RUN_PLAIN : RUN_CHECKED;
        if (n)
            case_generate(&bench->random, unit, &bench->tc);
        else
            add_doubles();
        memset(&bench->coverage, 0, sizeof bench->coverage);
        points_run(bench, &bench->tc, &p, bench->out);
        struct coverage covered = bench->coverage;
        memset(&bench->coverage, 0, sizeof bench->coverage);
        points_observe(bench, &p, bench->other);
        if (!points_same(bench, bench->out, bench->other))
            support_fail_case(&bench->tc, "case %u: the observed run differs", n);
        for (unsigned k = 0; k < unit_clauses(unit); k++)
            if (covered.modes[k] != bench->coverage.modes[k])
                support_fail_case(&bench->tc, "case %u: the observed run covers %s otherwise", n,
                                  unit_clause(unit, k)->id);
    }
    for (unsigned i = 0; i < AMD_POINT_COUNT; i++)
        if (!bench->seen[i])
            fail_msg("no case passed %s", amd_points[i].name);
}

/* Flipping a bit of atomic.compare changes nothing, as the operands always differ. */
static void every_point_matters(void **state)
{
    (void)state;
    points_every_point_matters(bench, "manual", "atomic.compare");
    const struct profile ruled = with_rules("manual", ";atomic.compare = old"), plain = {0};
    bool changes = false;
    for (unsigned n = 0; n < 20000 && !changes; n++) {
        case_generate(&bench->random, unit, &bench->tc);
        points_run(bench, &bench->tc, &plain, bench->out);
        points_run(bench, &bench->tc, &ruled, bench->other);
        changes = !points_same(bench, bench->out, bench->other);
    }
    assert_true(changes);
}

static void rules_act_alike_in_all_modes(void **state)
{
    (void)state;
    points_modes_agree(bench, "manual");
}

static void rules_act_alike_when_seen(void **state)
{
    (void)state;
    points_rules_act_alike_when_seen(bench, "manual");
}

/* ---- readings as rules ---- */

/* This reading also defines bits that the base leaves undefined. A rule cannot do that. */
static const char defining[] = "d16-ecc=zeroed";

/* Are the outcomes of the reading and of the rules equal? */
static bool agree(const struct pair *p, const struct outcome *a, const struct outcome *b)
{
    size_t words = (size_t)unit->layout.rows * unit->layout.row_words;
    if (strcmp(p->reading, defining) != 0)
        return points_same(bench, a, b);
    for (size_t i = 0; i < words; i++)
        if ((a->value[i] ^ b->value[i]) & a->defined[i] & b->defined[i])
            return false;
    return a->end == b->end && a->reason == b->reason;
}

/* Generates a case. In some cases, gives a field of the first instruction a random value. */
static void make_case(void)
{
    struct amd_case *c = (struct amd_case *)(void *)bench->tc.words;
    case_generate(&bench->random, unit, &bench->tc);
    if (!c->insn_count || !random_one_in(&bench->random, 8))
        return;
    const struct place *f = &places[random_below(&bench->random, sizeof places / sizeof *places)];
    if (f->generations >> c->generation & 1 && f->encodings & encoding_of(c->generation, c->insn[0]))
        put(c->insn[0], f, random_u32(&bench->random));
}

static void compare_pair(const struct pair *p, unsigned *changed, unsigned *differing)
{
    char spec[200];
    snprintf(spec, sizeof spec, "%s,%s", p->base, p->reading);
    struct profile base = with_rules(p->base, ""), ruled = with_rules(p->base, p->rules),
                   read = with_rules(spec, "");
    unsigned full = support_scaled(200);
    for (unsigned n = 0; n < full || (!*changed && n < 80000); n++) {
        make_case();
        points_run(bench, &bench->tc, &read, bench->other);
        points_run(bench, &bench->tc, &base, bench->out);
        bool change = !points_same(bench, bench->out, bench->other);
        *changed += change;
        if (!change && n % 8)
            continue;
        points_run(bench, &bench->tc, &ruled, bench->out);
        if (!agree(p, bench->out, bench->other))
            ++*differing;
    }
}

/* On generated cases a reading and its rules leave the same outcome. */
static void rules_do_what_readings_do(void **state)
{
    (void)state;
    unsigned bad = 0;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        unsigned changed = 0, differing = 0;
        compare_pair(&pairs[i], &changed, &differing);
        bad += differing || !changed;
        if (differing || !changed)
            print_message("%s: %u cases changed, %u differ from the rules\n", pairs[i].reading, changed,
                          differing);
    }
    print_message("%zu readings compared with rules\n", sizeof pairs / sizeof *pairs);
    assert_int_equal(bad, 0);
}

/* ---- any value ---- */

static void put_any(void *context, const struct observation *seen, uint32_t *value)
{
    (void)context;
    const struct point *p = &amd_points[seen->point];
    for (unsigned n = 0; n < p->lanes && random_one_in(&bench->random, 8); n++)
        value[n] = random_u32(&bench->random) >> (32 - p->width) >> random_below(&bench->random, p->width);
}

static void pass_over(void *context, const char *line)
{
    (void)context;
    (void)line;
}

/* Whatever value a rule puts at a point, the model accesses only its own memory. (ASan and UBSan check
 * this.) */
static void any_value_is_safe(void **state)
{
    (void)state;
    const struct profile p = {0};
    unsigned ends[8] = {0};
    for (unsigned n = 0; n < support_scaled(4000); n++) {
        make_case();
        static const enum run_mode modes[] = {RUN_PLAIN, RUN_CHECKED, RUN_TRACED};
        bench->run.mode = modes[n % 3];
        bench->run.trace = pass_over;
        bench->run.force = put_any;
        points_run(bench, &bench->tc, &p, bench->out);
        bench->run.force = NULL;
        bench->run.trace = NULL;
        assert_true(bench->out->reason < unit_reasons(unit));
        ends[bench->out->end & 7]++;
    }
    assert_true(ends[END_DONE] && ends[END_FAULT]);
}

/* Under these rules, too, an outcome does not depend on the cases that ran before. */
static void no_case_sees_the_one_before(void **state)
{
    (void)state;
    static const char *const rules[] = {"access.dwords = 0", "access.dwords = 1", "access.dwords = 7",
                                        "access.unit = 0",   "access.unit = 7",   "norm.bits = 0",
                                        "norm.bits = 63",    "sum.last = 0",      "sum.last = 0xFFF"};
    for (unsigned i = 0; i < sizeof rules / sizeof *rules; i++) {
        const struct profile p = points_profile(bench, "manual", rules[i]);
        for (unsigned n = 0; n < support_scaled(1500); n++) {
            case_generate(&bench->random, unit, &bench->tc);
            points_run(bench, &bench->tc, &p, bench->out);
            memset(bench->run.state, 0, unit->state_size);
            points_run(bench, &bench->tc, &p, bench->other);
            if (!points_same(bench, bench->out, bench->other))
                support_fail_case(&bench->tc, "rule '%s': case %u depends on the one before", rules[i], n);
            case_generate(&bench->random, unit, &bench->tc);
            points_run(bench, &bench->tc, &p, bench->out);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(observing_changes_nothing, begin, finish),
        cmocka_unit_test_setup_teardown(a_rule_is_an_edit_of_the_words, begin, finish),
        cmocka_unit_test_setup_teardown(rules_do_what_readings_do, begin, finish),
        cmocka_unit_test_setup_teardown(any_value_is_safe, begin, finish),
        cmocka_unit_test_setup_teardown(every_point_matters, begin, finish),
        cmocka_unit_test_setup_teardown(rules_act_alike_in_all_modes, begin, finish),
        cmocka_unit_test_setup_teardown(rules_act_alike_when_seen, begin, finish),
        cmocka_unit_test_setup_teardown(no_case_sees_the_one_before, begin, finish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
