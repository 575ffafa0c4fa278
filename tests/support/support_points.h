/* SPDX-License-Identifier: MIT */
/* Shared by the tests of observation points: runs of one case under several profiles, pairs of a reading and
 * of rules that do the same, and the properties that all points have. */
#ifndef MISPRINT_TESTS_SUPPORT_SUPPORT_POINTS_H
#define MISPRINT_TESTS_SUPPORT_SUPPORT_POINTS_H

#include "model/number/random.h"
#include "tests/support/support_units.h"

enum { POINTS_RULES_MAX = 6 };

struct points_bench {
    const struct unit *unit;
    struct run run; /* checked; the mode may be changed */
    struct coverage coverage;
    struct test_case tc, edited;
    struct outcome *out, *other;
    struct random random;
    uint64_t seen[POINTS_MAX];
};

struct points_bench *points_open(const struct unit *u);
void points_close(struct points_bench *b);

/* The profile with rules, without the unit's name and separated by ';', or NULL. Fails the test if it is
 * wrong. */
struct profile points_profile(const struct points_bench *b, const char *profile, const char *rules);
void points_run(struct points_bench *b, const struct test_case *c, const struct profile *p,
                struct outcome *o);
/* Do two outcomes have the same end, the same words and masks? */
bool points_same(const struct points_bench *b, const struct outcome *a, const struct outcome *o);

/* `base` with `reading` ("clause=reading") must leave what `base` with the rules leaves. */
struct points_pair {
    const char *base, *reading, *rules[POINTS_RULES_MAX];
};
/* Tries all pairs on generated cases. Fails if a pair differs, and if a reading never changes an outcome in a
 * bit that both define. Prints how many of the unit's readings that change one the table has. */
void points_try_pairs(struct points_bench *b, const struct points_pair *pairs, unsigned count);

/* Generated cases pass every point, and a rule at every point changes some outcome. */
void points_every_point_matters(struct points_bench *b, const char *profile);
/* Observing changes neither outcome nor coverage. `profiles` ends at NULL. */
void points_observing_changes_nothing(struct points_bench *b, const char *const *profiles);
/* Random rules leave the same values in plain, checked and traced runs. */
void points_modes_agree(struct points_bench *b, const char *profile);

#endif
