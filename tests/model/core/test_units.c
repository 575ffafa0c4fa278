/* SPDX-License-Identifier: MIT */
/*
 * Properties of every unit. Its tables are sound, its cases convert without loss, its runs are repeatable,
 * defined bits do not depend on undefined bits, and clauses that a run does not cover cannot change its
 * outcome. These tests run for a new unit without a change.
 */
#include "fuzz/generate/generate.h"
#include "oracle/compare/compare.h"
#include "oracle/compare/executor.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What the tests of a unit need. */
struct place {
    const struct unit *unit;
    struct executor *executor, *fresh;
    struct outcome *a, *b;
    struct test_case *c, *d;
    struct random random;
};

static void place_open(struct place *p, const struct unit *u)
{
    *p = (struct place){.unit = u,
                        .executor = executor_new(u),
                        .fresh = executor_new(u),
                        .a = outcome_new(u),
                        .b = outcome_new(u),
                        .c = malloc(sizeof *p->c),
                        .d = malloc(sizeof *p->d)};
    assert_non_null(p->c);
    assert_non_null(p->d);
    random_seed(&p->random, 20130916);
}

static void place_close(struct place *p)
{
    executor_free(p->executor);
    executor_free(p->fresh);
    outcome_free(p->a);
    outcome_free(p->b);
    free(p->c);
    free(p->d);
}

/* Makes a case: a generated one, a mutated one, or what random bytes decode to. */
static void make_case(struct place *p, unsigned i)
{
    if (i % 4 == 3) {
        uint8_t bytes[300];
        for (unsigned k = 0; k < sizeof bytes; k++)
            bytes[k] = (uint8_t)random_u32(&p->random);
        case_decode(p->c, p->unit, bytes, random_below(&p->random, sizeof bytes));
        return;
    }
    case_generate(&p->random, p->unit, p->c);
    if (i % 4 == 2)
        case_mutate(&p->random, p->c);
}

static void pick_profile(struct place *p, struct profile *profile)
{
    unsigned count = 0;
    while (p->unit->profiles[count].name)
        count++;
    profile_builtin(p->unit, random_below(&p->random, count), profile);
    if (random_one_in(&p->random, 2)) /* adds some random readings */
        for (unsigned i = 0; i < unit_clauses(p->unit); i++)
            if (random_one_in(&p->random, 8))
                profile->reading[i] =
                    (uint8_t)random_below(&p->random, clause_readings(unit_clause(p->unit, i)));
}

static void for_each_unit(unsigned cases, void (*check)(struct place *p, unsigned i))
{
    for (unsigned u = 0; unit_at(u); u++) {
        struct place p;
        place_open(&p, unit_at(u));
        unsigned count = support_scaled(cases);
        for (unsigned i = 0; i < count; i++) {
            make_case(&p, i);
            check(&p, i);
        }
        print_message("  %s: %u cases\n", p.unit->name, count);
        place_close(&p);
    }
}

/* ---- tables ---- */

static void check_regions(const struct unit *u)
{
    unsigned next = 0;
    for (unsigned i = 0; i < u->layout.region_count; i++) {
        const struct region *r = &u->layout.regions[i];
        assert_int_equal(r->first_row, next);
        assert_in_range(r->cols, 1, u->layout.row_words);
        assert_in_range(r->bits, 1, 32);
        if (r->image)
            assert_non_null(schema_field(&u->schema, r->image));
        next += r->rows;
    }
    assert_int_equal(u->layout.rows, next);
    assert_in_range(next, 1, OUTCOME_ROWS_MAX);
    assert_in_range(u->layout.region_count, 1, REGIONS_MAX);
}

static void check_fields(const struct unit *u)
{
    uint32_t next = 0;
    for (unsigned i = 0; i < u->schema.field_count; i++) {
        const struct field *f = &u->schema.fields[i];
        assert_true(f->offset >= next); /* in the order of the struct, without overlap */
        uint32_t item = field_item_words(u, f);
        next = f->offset + (f->kind == FIELD_IMAGE                           ? 3 + f->max * item
                            : f->kind == FIELD_ENUM || f->kind == FIELD_WORD ? 1
                                                                             : 1 + f->max * item);
        assert_non_null(f->about);
    }
    assert_true(next <= u->schema.words);
    assert_in_range(u->schema.words, 1, CASE_WORDS_MAX);
    assert_in_range(u->schema.field_count, 1, FIELDS_MAX);
}

/* Is the text a sentence: at least two words, and a full stop? Reports print a reading's text without its
 * title. */
static bool is_sentence(const char *text)
{
    return strchr(text, ' ') && text[strlen(text) - 1] == '.';
}

static void check_clause(const struct unit *u, const struct clause *c)
{
    assert_non_null(c->id);
    assert_non_null(c->title);
    assert_non_null(c->where);
    assert_string_equal(c->readings[0].id, "manual");
    if (clause_readings(c) < 2)
        fail_msg("clause %s has one reading only", c->id);
    for (unsigned r = 0; r < clause_readings(c); r++) {
        if (!c->readings[r].says || !c->readings[r].source || !*c->readings[r].says ||
            !*c->readings[r].source)
            fail_msg("clause %s, reading %s: no sentence or no source", c->id, c->readings[r].id);
        if (!is_sentence(c->readings[r].says))
            fail_msg("clause %s, reading %s: not a sentence: %s", c->id, c->readings[r].id,
                     c->readings[r].says);
        for (unsigned q = 0; q < r; q++)
            assert_string_not_equal(c->readings[q].id, c->readings[r].id);
    }
    if (c->workaround && !is_sentence(c->workaround))
        fail_msg("clause %s: the workaround is not a sentence: %s", c->id, c->workaround);
    for (unsigned p = 0; u->profiles[p].name; p++)
        assert_in_range(c->in_profile[p], 0, clause_readings(c) - 1);
    assert_int_equal(c->in_profile[0], READING_MANUAL);
}

static void tables_are_sound(void **state)
{
    (void)state;
    for (unsigned i = 0; unit_at(i); i++) {
        const struct unit *u = unit_at(i);
        check_regions(u);
        check_fields(u);
        assert_true(!u->code || (u->code->words >= 1 && u->code->words <= CODE_WORDS_MAX));
        assert_string_equal(u->profiles[0].name, "manual");
        assert_in_range(unit_clauses(u), 1, CLAUSES_MAX);
        for (unsigned k = 0; k < unit_clauses(u); k++) {
            check_clause(u, unit_clause(u, k));
            assert_int_equal(unit_clause_index(u, unit_clause(u, k)->id), k);
        }
        for (unsigned o = 0; o < i; o++) /* units that have the same clause id must have the same clause */
            for (unsigned k = 0; k < unit_clauses(u); k++) {
                int other = unit_clause_index(unit_at(o), unit_clause(u, k)->id);
                assert_true(other < 0 || unit_clause(unit_at(o), (unsigned)other) == unit_clause(u, k));
            }
    }
}

/* ---- conversions ---- */

static void check_binary(struct place *p, unsigned i)
{
    (void)i;
    uint8_t *bytes = malloc(2 * CASE_BYTES_MAX), *again = bytes + CASE_BYTES_MAX;
    assert_non_null(bytes);
    size_t count = case_encode(p->c, bytes);
    case_decode(p->d, p->unit, bytes, count);
    if (!case_equal(p->c, p->d))
        support_fail_case(p->c, "case -> bytes -> case changed it");
    assert_int_equal(case_encode(p->d, again), count);
    assert_memory_equal(bytes, again, count);
    free(bytes);
}

static void check_text(struct place *p, unsigned i)
{
    (void)i;
    struct text t = {0};
    struct error e = {0};
    case_print(p->c, &t);
    if (!case_parse(p->d, text_chars(&t), t.length, &e))
        support_fail_case(p->c, "its own text does not parse: %s", e.text);
    if (!case_equal(p->c, p->d))
        support_fail_case(p->c, "case -> text -> case changed it");
    text_free(&t);
}

static void case_to_bytes_and_back(void **state)
{
    (void)state;
    for_each_unit(20000, check_binary);
}

static void case_to_text_and_back(void **state)
{
    (void)state;
    for_each_unit(20000, check_text);
}

/* ---- runs ---- */

static bool same_outcome(const struct unit *u, const struct outcome *a, const struct outcome *b, bool masks)
{
    size_t bytes = (size_t)u->layout.rows * u->layout.row_words * sizeof(uint32_t);
    return a->end == b->end && a->reason == b->reason && !memcmp(a->value, b->value, bytes) &&
           !memcmp(a->touched, b->touched, sizeof a->touched) &&
           (!masks || !memcmp(a->defined, b->defined, bytes));
}

/* Everything that a run reports. */
struct told {
    struct run run;
    struct coverage touched;
};

static struct told run_told(struct executor *x, const struct test_case *c, const struct profile *profile,
                            enum run_mode mode, struct outcome *out)
{
    struct told t = {.run = {.tc = c, .profile = profile, .out = out, .mode = mode}};
    executor_run_with(x, &t.run);
    t.touched = x->last;
    return t;
}

static bool same_fidelity(const struct fidelity *a, const struct fidelity *b)
{
    return a->exact == b->exact && a->tolerance == b->tolerance && a->undefined == b->undefined &&
           a->unsupported == b->unsupported && a->to_control == b->to_control &&
           a->to_address == b->to_address;
}

/* Returns what differs between two runs of a case; NULL if they are equal bit for bit. */
static const char *told_apart(const struct unit *u, const struct told *a, const struct told *b)
{
    if (!same_outcome(u, a->run.out, b->run.out, a->run.mode == RUN_CHECKED))
        return "outcome";
    if (memcmp(&a->touched, &b->touched, sizeof a->touched))
        return "coverage";
    if (a->run.steps != b->run.steps)
        return "steps";
    return same_fidelity(&a->run.fidelity, &b->run.fidelity) ? NULL : "fidelity";
}

/* Runs a case on an executor and an outcome that have not run any case. */
static struct told run_afresh(struct place *p, const struct profile *profile, enum run_mode mode)
{
    memset(p->fresh->state, 0, p->unit->state_size);
    outcome_free(p->a);
    p->a = outcome_new(p->unit);
    return run_told(p->fresh, p->c, profile, mode, p->a);
}

/*
 * A run must not depend on earlier runs. A fresh machine runs the case. Another machine runs it after other
 * cases (some share parts with it), after the same case under other readings, and again while its decoded
 * form is cached. All must report the same.
 */
static void check_repeatable(struct place *p, unsigned i)
{
    const enum run_mode mode = random_one_in(&p->random, 2) ? RUN_CHECKED : RUN_PLAIN;
    struct profile profile, other;
    pick_profile(p, &profile);
    pick_profile(p, &other);
    case_generate(&p->random, p->unit, p->d);
    if (i % 2)
        case_cross(&p->random, p->c, p->d);
    executor_run(p->executor, p->d, &profile, mode, p->b);
    if (i % 8 == 0)
        executor_run(p->executor, p->c, &other, mode, p->b);
    if (i % 8 == 1)
        executor_run(p->executor, p->c, &profile, mode == RUN_PLAIN ? RUN_CHECKED : RUN_PLAIN, p->b);
    const struct told afresh = run_afresh(p, &profile, mode);
    for (unsigned times = 1; times <= 2; times++) {
        const struct told again = run_told(p->executor, p->c, &profile, mode, p->b);
        const char *differs = told_apart(p->unit, &afresh, &again);
        if (differs)
            support_fail_case(
                p->c,
                "run %u after other cases differs in its %s from one on a machine where nothing ran before",
                times, differs);
    }
}

static void runs_are_repeatable(void **state)
{
    (void)state;
    for_each_unit(12000, check_repeatable);
}

static void run_filled(struct place *p, const struct profile *profile, uint32_t filler, struct outcome *out)
{
    struct run r = {.tc = p->c, .profile = profile, .out = out, .mode = RUN_CHECKED, .filler = filler};
    executor_run_with(p->executor, &r);
}

/* Runs a case with two values of undefined bits. The outcomes must be the same but for these bits. */
static void check_filler_with(struct place *p, unsigned i, const struct profile *profile)
{
    run_filled(p, profile, 0, p->a);
    run_filled(p, profile, i % 2 ? UINT32_MAX : 0xA5C31E97, p->b);
    if (p->a->end != p->b->end || p->a->reason != p->b->reason)
        support_fail_case(p->c, "how it ends depends on undefined bits: %s (%s) or %s (%s)",
                          end_name(p->a->end), p->unit->reasons[p->a->reason], end_name(p->b->end),
                          p->unit->reasons[p->b->reason]);
    const struct layout *l = &p->unit->layout;
    for (uint32_t row = 0; row < l->rows; row++)
        for (uint32_t k = 0; k < l->row_words; k++) {
            uint32_t at = row * l->row_words + k, both = p->a->defined[at] & p->b->defined[at];
            if (p->a->defined[at] != p->b->defined[at] || p->a->tolerance[at] != p->b->tolerance[at] ||
                ((p->a->value[at] ^ p->b->value[at]) & (p->a->tolerance[at] ? UINT32_MAX : both)))
                support_fail_case(
                    p->c,
                    "region %s row %u word %u depends on undefined bits: %08x or %08x, defined %08x or %08x",
                    layout_region(l, row)->name, row - layout_region(l, row)->first_row, k, p->a->value[at],
                    p->b->value[at], p->a->defined[at], p->b->defined[at]);
        }
}

static void check_filler(struct place *p, unsigned i)
{
    struct profile profile;
    pick_profile(p, &profile);
    check_filler_with(p, i, &profile);
}

static void defined_bits_do_not_depend_on_undefined_ones(void **state)
{
    (void)state;
    for_each_unit(100000, check_filler);
}

/* A rule at a point that chooses an element of a vector chooses the undefined bits of that element, too. */
static void rules_that_choose_elements_choose_their_undefined_bits(void **state)
{
    (void)state;
    static const struct {
        const char *unit, *profile, *point;
    } points[] = {{"vc4-qpu", "manual", "r5.source"},     {"vc4-qpu", "manual", "rotate.source"},
                  {"vc4-qpu", "manual", "io.element"},    {"vc4-tmu", "manual", "sample.source"},
                  {"v3d-qpu", "manual", "across.source"}, {"v3d-qpu", "manual", "scalar.lane"}};
    static const char *const expressions[] = {"value ^ 1", "value + 5", "15 - value", "3"};
    for (unsigned k = 0; k < sizeof points / sizeof *points; k++) {
        struct place p;
        unsigned changed = 0;
        place_open(&p, unit_named(points[k].unit));
        for (unsigned i = 0; i < support_scaled(20000); i++) {
            char text[96];
            struct profile profile, manual = {0};
            struct error e = {0};
            (void)snprintf(text, sizeof text, "%s;%s %s = %s", points[k].profile, points[k].unit,
                           points[k].point, expressions[i / 2 % 4]);
            if (!profile_resolve(p.unit, text, &profile, &e))
                fail_msg("%s", e.text);
            case_generate(&p.random, p.unit, p.c);
            check_filler_with(&p, i, &profile);
            executor_run(p.executor, p.c, &manual, RUN_CHECKED, p.b);
            changed += !outcomes_equal(p.a, p.b, NULL, NULL);
        }
        if (!changed)
            fail_msg("no rule at %s %s changes an outcome", points[k].unit, points[k].point);
        place_close(&p);
    }
}

static void check_plain(struct place *p, unsigned i)
{
    (void)i;
    struct profile profile;
    pick_profile(p, &profile);
    executor_run(p->executor, p->c, &profile, RUN_PLAIN, p->a);
    executor_run(p->executor, p->c, &profile, RUN_CHECKED, p->b);
    struct differences d;
    if (!outcomes_equal(p->b, p->a, NULL, &d)) {
        struct text t = {0};
        differences_print(p->unit, &d, 4, &t);
        support_fail_case(p->c, "the plain and the checked run differ in defined bits: %s", text_chars(&t));
    }
}

static void plain_and_checked_runs_agree(void **state)
{
    (void)state;
    for_each_unit(50000, check_plain);
}

static unsigned modes_of(const struct clause *c)
{
    unsigned count = 0;
    while (c->modes && c->modes[count])
        count++;
    return count ? count : 1;
}

static unsigned uncovered_tried;

static uint8_t another_reading(struct place *p, unsigned clause, uint8_t than)
{
    unsigned readings = clause_readings(unit_clause(p->unit, clause));
    return (uint8_t)((than + 1 + random_below(&p->random, readings - 1)) % readings);
}

/* Changes the readings of several uncovered clauses at once. The outcome must not change, in plain and in
 * checked runs. (Checked runs may cover more clauses.) */
static void check_uncovered_together(struct place *p, unsigned i)
{
    const enum run_mode mode = i % 2 ? RUN_PLAIN : RUN_CHECKED;
    struct profile profile;
    pick_profile(p, &profile);
    executor_run(p->executor, p->c, &profile, mode, p->a);
    const struct coverage touched = p->executor->last;
    for (unsigned k = 0; k < unit_clauses(p->unit); k++)
        if (!covered(&touched, k) && random_one_in(&p->random, 2))
            profile.reading[k] = another_reading(p, k, profile.reading[k]);
    executor_run(p->executor, p->c, &profile, mode, p->b);
    if (!same_outcome(p->unit, p->a, p->b, mode == RUN_CHECKED))
        support_fail_case(p->c,
                          "clauses that were not covered, read otherwise all at once, change the outcome");
}

/* Changes the reading of an uncovered clause. The outcome must not change, because attribution relies on it.
 * Also, a run may cover a clause only in modes that the clause has. */
static void check_uncovered(struct place *p, unsigned i)
{
    (void)i;
    struct profile profile;
    pick_profile(p, &profile);
    executor_run(p->executor, p->c, &profile, RUN_CHECKED, p->a);
    struct coverage touched = p->executor->last;
    for (unsigned k = 0; k < unit_clauses(p->unit); k++)
        if (touched.modes[k] >> modes_of(unit_clause(p->unit, k)))
            support_fail_case(p->c, "clause %s was covered in a mode that it does not have: %x",
                              unit_clause(p->unit, k)->id, touched.modes[k]);
    for (unsigned k = 0; k < 6; k++) {
        unsigned clause = random_below(&p->random, unit_clauses(p->unit));
        if (covered(&touched, clause))
            continue;
        uint8_t before = profile.reading[clause];
        profile.reading[clause] = another_reading(p, clause, before);
        uncovered_tried++;
        executor_run(p->executor, p->c, &profile, RUN_CHECKED, p->b);
        if (!same_outcome(p->unit, p->a, p->b, true))
            support_fail_case(
                p->c, "clause %s was not covered, yet reading '%s' instead of '%s' changes the outcome",
                unit_clause(p->unit, clause)->id,
                unit_clause(p->unit, clause)->readings[profile.reading[clause]].id,
                unit_clause(p->unit, clause)->readings[before].id);
        profile.reading[clause] = before;
    }
}

/* If a unit counts the fidelity of a checked run (model/core/fidelity.h), it counts every step. */
static void fidelity_counts_every_step(void **state)
{
    (void)state;
    for (unsigned i = 0; unit_at(i); i++) {
        struct place p;
        uint64_t counted = 0, steps = 0;
        place_open(&p, unit_at(i));
        struct profile best;
        profile_builtin(p.unit, p.unit->best_profile, &best);
        for (unsigned n = 0; n < support_scaled(2000); n++) {
            case_generate(&p.random, p.unit, p.c);
            struct run r = {
                .tc = p.c, .profile = &best, .out = p.a, .mode = RUN_CHECKED, .count_fidelity = true};
            executor_run_with(p.executor, &r);
            const struct fidelity *f = &r.fidelity;
            uint64_t all = f->exact + f->tolerance + f->undefined + f->unsupported;
            if (all && p.a->end == END_DONE)
                assert_true(all == r.steps);
            counted += all;
            steps += r.steps;
        }
        place_close(&p);
        print_message("  %s: %llu of %llu steps counted\n", unit_at(i)->name, (unsigned long long)counted,
                      (unsigned long long)steps);
        if (!strcmp(unit_at(i)->family, "vc4"))
            assert_true(counted >= steps - steps / 8);
    }
}

static void uncovered_clauses_change_nothing(void **state)
{
    (void)state;
    uncovered_tried = 0;
    for_each_unit(50000, check_uncovered);
    print_message("  %u readings changed\n", uncovered_tried);
    assert_true(uncovered_tried > support_scaled(50000));
}

static void uncovered_clauses_change_nothing_together(void **state)
{
    (void)state;
    for_each_unit(50000, check_uncovered_together);
}

static void check_outcome_bytes(struct place *p, unsigned i)
{
    struct profile profile;
    struct error e = {0};
    pick_profile(p, &profile);
    executor_run(p->executor, p->c, &profile, i % 2 ? RUN_CHECKED : RUN_PLAIN, p->a);
    if (p->a->end == END_UNDEFINED)
        return; /* boards never end like this, so this end has no binary form */
    static uint8_t room[OUTCOME_BYTES_MAX];
    size_t count = outcome_encode(p->a, room, sizeof room);
    assert_true(count > 0);
    uint8_t *bytes = malloc(count); /* no more, so that a sanitizer detects reads beyond it */
    assert_non_null(bytes);
    memcpy(bytes, room, count);
    if (!outcome_decode(p->b, p->c, bytes, count, &e))
        support_fail_case(p->c, "its outcome does not decode: %s", e.text);
    assert_true(outcomes_equal(p->a, p->b, NULL, NULL));
    size_t at = random_below(&p->random, (uint32_t)count),
           left = random_below(&p->random, (uint32_t)count + 1);
    bytes[at] ^= (uint8_t)(1 + random_below(&p->random, 255));
    uint8_t *cut = malloc(left ? left : 1);
    assert_non_null(cut);
    memcpy(cut, bytes, left);
    (void)outcome_decode(p->b, p->c, cut, left, &e); /* may fail, must not crash */
    free(cut);
    free(bytes);
}

/* The build finds units by a pattern (fuzz/targets/CMakeLists.txt). If it does not find a unit, the unit has
 * no fuzz targets. */
static void every_unit_has_fuzz_targets(void **state)
{
    (void)state;
    struct text names = {0};
    for (unsigned i = 0; unit_at(i); i++)
        text_add(&names, "%s ", unit_at(i)->name);
    assert_string_equal(text_chars(&names), FUZZED_UNITS);
    text_free(&names);
}

static void outcome_to_bytes_and_back(void **state)
{
    (void)state;
    for_each_unit(20000, check_outcome_bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_sound),
        cmocka_unit_test(every_unit_has_fuzz_targets),
        cmocka_unit_test(case_to_bytes_and_back),
        cmocka_unit_test(case_to_text_and_back),
        cmocka_unit_test(outcome_to_bytes_and_back),
        cmocka_unit_test(runs_are_repeatable),
        cmocka_unit_test(plain_and_checked_runs_agree),
        cmocka_unit_test(defined_bits_do_not_depend_on_undefined_ones),
        cmocka_unit_test(rules_that_choose_elements_choose_their_undefined_bits),
        cmocka_unit_test(fidelity_counts_every_step),
        cmocka_unit_test(uncovered_clauses_change_nothing),
        cmocka_unit_test(uncovered_clauses_change_nothing_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
