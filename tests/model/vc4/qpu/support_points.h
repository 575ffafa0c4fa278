/* SPDX-License-Identifier: MIT */
/* Shared by the tests of vc4-qpu's observation points: a bench that runs cases under profiles with rules. */
#ifndef MISPRINT_TESTS_MODEL_VC4_QPU_SUPPORT_POINTS_H
#define MISPRINT_TESTS_MODEL_VC4_QPU_SUPPORT_POINTS_H

#include "model/core/units.h"
#include "model/number/random.h"
#include "model/vc4/qpu/step/qpu_points.h"
#include "model/vc4/vc4.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct unit *const points_unit = &vc4_qpu_unit;

static struct {
    struct run run;
    struct coverage coverage;
    struct test_case tc, edited;
    struct outcome *out, *other;
    struct random random;
} bench;

static inline int points_begin(void **state)
{
    (void)state;
    void *memory = aligned_alloc(64, (points_unit->state_size + 63) / 64 * 64);
    assert_non_null(memory);
    memset(memory, 0, points_unit->state_size);
    bench.run = (struct run){.coverage = &bench.coverage,
                             .state = memory,
                             .memory_base = MEMORY_BASE_DEFAULT,
                             .code_base = CODE_BASE_DEFAULT};
    bench.out = outcome_new(points_unit);
    bench.other = outcome_new(points_unit);
    random_seed(&bench.random, 1);
    return 0;
}

static inline int points_finish(void **state)
{
    (void)state;
    free(bench.run.state);
    outcome_free(bench.out);
    outcome_free(bench.other);
    return 0;
}

static inline void points_run(const struct test_case *c, const struct profile *p, enum run_mode mode,
                              struct outcome *o)
{
    bench.run.tc = c;
    bench.run.profile = p;
    bench.run.out = o;
    bench.run.mode = mode;
    points_unit->run(&bench.run);
}

/* Do two outcomes have the same values, defined bits and end? */
static inline bool points_same(const struct outcome *a, const struct outcome *b)
{
    size_t bytes = (size_t)points_unit->layout.rows * points_unit->layout.row_words * sizeof *a->value;
    return a->end == b->end && a->reason == b->reason && !memcmp(a->value, b->value, bytes) &&
           (!a->checked || !memcmp(a->defined, b->defined, bytes));
}

/* Prints where two outcomes differ, for a failing test. */
static inline void points_print(const struct outcome *a, const struct outcome *b)
{
    const struct layout *l = &points_unit->layout;
    if (a->end != b->end || a->reason != b->reason)
        print_message("ends %u and %u, reasons %u and %u\n", a->end, b->end, a->reason, b->reason);
    for (uint32_t row = 0; row < l->rows; row++)
        for (uint32_t i = 0; i < l->row_words; i++) {
            uint32_t at = row * l->row_words + i;
            if (a->value[at] != b->value[at] || (b->checked && a->defined[at] != b->defined[at]))
                print_message("row %u, element %u: %08x and %08x; defined %08x and %08x\n", row, i,
                              a->value[at], b->value[at], a->defined[at], b->checked ? b->defined[at] : 0);
        }
}

/* Returns a profile with rules "POINT = EXPRESSION", which semicolons separate. `rules` NULL: none. */
static inline struct profile points_profile(const char *profile, const char *rules)
{
    struct profile p;
    struct error e = {0};
    struct text spec = {0};
    text_add(&spec, "%s", profile);
    while (rules && *rules) {
        size_t length = strcspn(rules, ";");
        text_add(&spec, ";vc4-qpu %.*s", (int)length, rules);
        rules += length + (rules[length] == ';');
    }
    if (!profile_resolve(points_unit, text_chars(&spec), &p, &e))
        fail_msg("%s: %s", text_chars(&spec), e.text);
    text_free(&spec);
    return p;
}

#endif
