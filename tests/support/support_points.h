/* SPDX-License-Identifier: MIT */
/* Shared by the tests of observation points: runs of a case under several profiles, properties that all
 * points must have, and pairs of a reading and of rules that have the same effect. */
#ifndef MISPRINT_TESTS_SUPPORT_SUPPORT_POINTS_H
#define MISPRINT_TESTS_SUPPORT_SUPPORT_POINTS_H

#include "model/number/random.h"
#include "tests/support/support_units.h"

enum { POINTS_RULES_MAX = 6 };

struct points_bench {
    const struct unit *unit;
    struct run run; /* its mode is checked, but tests may change it */
    struct coverage coverage;
    struct test_case tc, edited;
    struct outcome *out, *other;
    struct random random;
    uint64_t seen[POINTS_MAX];
};

struct points_bench *points_open(const struct unit *u);
void points_close(struct points_bench *b);

/* Returns a profile with rules. `rules`: separated by ';', without the unit's name; or NULL. Fails the test
 * if a rule is wrong. */
struct profile points_profile(const struct points_bench *b, const char *profile, const char *rules);
void points_run(struct points_bench *b, const struct test_case *c, const struct profile *p,
                struct outcome *o);
/* Runs the bench's case, and counts in `seen` how often it passes each point. */
void points_observe(struct points_bench *b, const struct profile *p, struct outcome *o);
/* Do two outcomes have the same end, words, masks and tolerances? */
bool points_same(const struct points_bench *b, const struct outcome *a, const struct outcome *o);

/* The first values that pass one point, in lane 0, and how many pass it. For struct run's `see` and
 * `see_context`. */
enum { POINTS_SEEN_MAX = 6 };
struct points_seen {
    unsigned point, count;
    uint32_t value[POINTS_SEEN_MAX];
};
struct points_seen points_seen_at(const struct unit *u, const char *point);
void points_see(void *seen, const struct observation *passes);

/* A reading ("clause=reading") and rules. Added to `base`, both must leave the same outcomes. */
struct points_pair {
    const char *base, *reading, *rules[POINTS_RULES_MAX];
};
/* Tries all pairs on generated cases. Fails if the reading and the rules of a pair leave different outcomes,
 * or if a reading never changes a defined bit. Prints how many of the unit's readings that change a defined
 * bit have a pair. */
void points_try_pairs(struct points_bench *b, const struct points_pair *pairs, unsigned count);

/* Checks that generated cases pass every point, and that a rule at each point changes some outcome. The point
 * `except` (or NULL) need not change one. */
void points_every_point_matters(struct points_bench *b, const char *profile, const char *except);
/* Checks that observing changes neither outcomes nor coverage. `profiles` ends at NULL. */
void points_observing_changes_nothing(struct points_bench *b, const char *const *profiles);
/* Checks that under random rules plain, checked and traced runs leave the same values. */
void points_modes_agree(struct points_bench *b, const char *profile);
/* Checks that a random rule does the same whether its point alone or every point is seen. */
void points_rules_act_alike_when_seen(struct points_bench *b, const char *profile);

#endif
