/* SPDX-License-Identifier: MIT */
/* The values that pass the observation points of one run, in order. */
#ifndef MISPRINT_FUZZ_LEARN_VISITS_H
#define MISPRINT_FUZZ_LEARN_VISITS_H

#include "model/rule/rule.h"
#include "oracle/compare/executor.h"

enum { VISITS_MAX = 512 };

struct visit {
    uint16_t point;
    uint32_t value[POINT_LANES_MAX];       /* before rules */
    uint32_t input[POINT_INPUT_WORDS_MAX]; /* as in struct observation */
};

struct visits {
    const struct unit *unit;
    uint32_t count;
    bool cut; /* the run passed more points */
    struct visit visit[VISITS_MAX];
};

/* Runs a case, checked, and records what passes its points. */
void visits_run(struct executor *x, const struct test_case *c, const struct profile *p, struct outcome *out,
                struct visits *v);

/* Values that take the place of those that pass one point. */
enum { FORCED_MAX = 24 };
struct forced {
    unsigned point;
    uint32_t count; /* visits of the point from the start of the run; later ones are left alone */
    struct {
        uint16_t lanes; /* set of lanes with another value */
        uint32_t value[POINT_LANES_MAX];
    } visit[FORCED_MAX];
};
void visits_force(struct executor *x, const struct test_case *c, const struct profile *p,
                  const struct forced *f, struct outcome *out);

/* The context in which an expression at the visit's point is evaluated, in one lane. */
struct expression_context visit_context(const struct unit *u, const struct visit *v, uint32_t lane);
/* The value of input `i` in that lane. */
uint32_t visit_input(const struct unit *u, const struct visit *v, unsigned i, uint32_t lane);

/* Computes the value that a rule at the visit's point would give in each lane. Returns false if the rule acts
 * in no lane, or changes no value. */
bool visit_rule(const struct unit *u, const struct visit *v, const struct rule *r,
                uint32_t result[POINT_LANES_MAX]);

/* Does a rule change a value at one of the visits? If not, it does not change the run. */
bool visits_changed(const struct visits *v, const struct rule *r);

#endif
