/* SPDX-License-Identifier: MIT */
/* Shared by tests of the values that pass the observation points of a TMU: what passed, and a value that the
 * observer forces at one point. */
#ifndef MISPRINT_TESTS_MODEL_VC4_TMU_SUPPORT_VISITS_H
#define MISPRINT_TESTS_MODEL_VC4_TMU_SUPPORT_VISITS_H

#include "model/vc4/tmu/tmu_points.h"
#include "tests/model/vc4/tmu/support_tmu.h"

#include <stdlib.h>

enum { VISITS_MAX = 20000, ROOM = 200 };

static struct visit {
    unsigned point;
    uint32_t value, input[POINT_INPUT_WORDS_MAX];
} visits[VISITS_MAX];
static unsigned visit_count;

static inline void note(void *context, const struct observation *seen)
{
    (void)context;
    assert_true(visit_count < VISITS_MAX);
    struct visit *v = &visits[visit_count++];
    v->point = seen->point;
    v->value = seen->value[0];
    memcpy(v->input, seen->input, point_input_words(&tmu_points[seen->point]) * sizeof *v->input);
}

/* At one point, the observer of the tests below gives each value this one instead. */
static struct {
    unsigned point;
    uint32_t value;
} forced;

static inline void give(void *context, const struct observation *seen, uint32_t *value)
{
    (void)context;
    if (seen->point == forced.point)
        *value = forced.value;
}

static struct rules no_rules;
static struct observer watch = {.points = tmu_points, .rules = &no_rules, .see = note};

/* From now on, the point gets this value. `watch.force = NULL` ends that. */
static inline void force(unsigned point, uint32_t value)
{
    forced.point = point;
    forced.value = value;
    watch.force = give;
}

/* Lets the machine's TMU show all values. */
static inline void observe_tmu(void)
{
    visit_count = 0;
    assert_true(observer_set_part(&watch, 0, TMU_POINT_COUNT));
    m.env.tmu_observer = &watch;
    tmu_reset(&m.t, &m.env, CLAUSE_BASE);
}

static inline uint32_t input_of(const struct visit *v, const char *name)
{
    const struct point *p = &tmu_points[v->point];
    const unsigned vectors = point_vectors(p);
    for (unsigned i = 0; i < POINT_INPUTS_MAX && p->input[i].name; i++)
        if (!strcmp(p->input[i].name, name))
            return v->input[point_input_at(vectors, i)];
    fail_msg("%s has no input %s", p->name, name);
    return 0;
}

/* Returns visit `n` of a point at which all `inputs` ("name=number", in hexadecimal after 0x) have these
 * values. */
static inline const struct visit *visit_of(unsigned point, unsigned n, const char *inputs)
{
    for (unsigned i = 0; i < visit_count; i++) {
        bool fits = visits[i].point == point;
        char text[ROOM], *rest = NULL;
        snprintf(text, sizeof text, "%s", inputs);
        for (char *part = strtok_r(text, " ", &rest); part && fits; part = strtok_r(NULL, " ", &rest)) {
            char *number = strchr(part, '=');
            assert_non_null(number);
            *number++ = 0;
            fits = input_of(&visits[i], part) == (uint32_t)strtoul(number, NULL, 0);
        }
        if (fits && n-- == 0)
            return &visits[i];
    }
    fail_msg("%s: no such visit: %s", tmu_points[point].name, inputs);
    return NULL;
}

#define VALUE(point, n, inputs) visit_of(TMU_POINT_##point, (n), (inputs))->value
/* The first visit with these inputs has this value. */
#define SHOWS(point, inputs, expected) assert_int_equal(VALUE(point, 0, inputs), (expected))

static inline unsigned visits_of(unsigned point)
{
    unsigned n = 0;
    for (unsigned i = 0; i < visit_count; i++)
        n += visits[i].point == point;
    return n;
}

#endif
