/* SPDX-License-Identifier: MIT */
/* The values that pass the observation points of one run, in order. */
#ifndef MISPRINT_FUZZ_LEARN_SEARCH_VISITS_H
#define MISPRINT_FUZZ_LEARN_SEARCH_VISITS_H

#include "model/rule/rule.h"
#include "oracle/compare/executor.h"

enum { VISITS_MAX = 4096, VISITS_WORDS_MAX = 48 * 1024 };

struct visit {
    uint16_t point;
    uint16_t next;         /* number of the next visit of the same point + 1; 0: none */
    const uint32_t *value; /* before rules; one word for each lane */
    const uint32_t *now;   /* the same after the profile's rules */
    const uint32_t *input; /* as in struct observation */
};

struct visits {
    const struct unit *unit;
    const struct rules *rules; /* of the profile, during the run */
    uint32_t count;
    uint64_t passed;                              /* all visits of the run, also those that do not fit */
    uint16_t first[POINTS_MAX], last[POINTS_MAX]; /* number of a point's first and last visit + 1; 0: none */
    struct visit visit[VISITS_MAX];
    uint32_t words, word[VISITS_WORDS_MAX]; /* the values and inputs */
};

/* Runs a case in checked mode, and records the values and inputs at each visit of an observation point.
 * visits_run_some: only at these points, a bit each; this takes less time. */
void visits_run_some(struct executor *x, const struct test_case *c, const struct profile *p,
                     const uint64_t *points, struct outcome *out, struct visits *v);
void visits_run(struct executor *x, const struct test_case *c, const struct profile *p, struct outcome *out,
                struct visits *v);

/* The first visit of a point, and the next visit of the same point; NULL: none. */
static inline const struct visit *visits_first(const struct visits *v, unsigned point)
{
    return v->first[point] ? &v->visit[v->first[point] - 1] : NULL;
}
static inline const struct visit *visits_next(const struct visits *v, const struct visit *at)
{
    return at->next ? &v->visit[at->next - 1] : NULL;
}

/* Values to force at one point in place of the values that pass it. Visits with the same value and inputs are
 * one group, because a rule gives them the same result. */
enum { FORCED_MAX = 24, FORCED_VISITS_MAX = 1024, FORCED_NONE = UINT8_MAX };
struct forced {
    unsigned point;
    uint32_t visits; /* visits of the point, from the start of the run, that may get forced values */
    uint8_t group_of[FORCED_VISITS_MAX]; /* FORCED_NONE: there are more groups than fit */
    uint32_t groups;
    struct {
        const struct visit *first;
        uint16_t lanes; /* bit set of the lanes with a forced value */
        uint32_t value[POINT_LANES_MAX];
    } group[FORCED_MAX];
};
/* Groups the visits of a point. Forces no value yet. */
void visits_group(const struct visits *v, unsigned point, struct forced *f);
void visits_force(struct executor *x, const struct test_case *c, const struct profile *p,
                  const struct forced *f, struct outcome *out);
/* The same for values only. `filler`: the value of undefined bits. */
void visits_force_values(struct executor *x, const struct test_case *c, const struct profile *p,
                         const struct forced *f, uint32_t filler, struct outcome *out);

/* Returns the context for evaluating an expression at the visit's point in one lane. */
struct expression_context visit_context(const struct unit *u, const struct visit *v, uint32_t lane);
/* Returns the value of input `i` in one lane. */
uint32_t visit_input(const struct unit *u, const struct visit *v, unsigned i, uint32_t lane);

/* Computes the value in each lane with one more rule at the visit's point, before those of the profile.
 * Returns false if the value is that of before in each lane. */
bool visit_rule(const struct unit *u, const struct visit *v, const struct rule *r,
                uint32_t result[POINT_LANES_MAX]);

/* Does one more rule change a value at one of the visits? If not, the rule does not change the run. */
bool visits_changed(const struct visits *v, const struct rule *r);

#endif
