/* SPDX-License-Identifier: MIT */
/*
 * Revises what was learned when later cases say otherwise. A rule that a case refutes is often nearly right:
 * its guard was made from too few cases, and is too wide or too narrow. So a rule with the same expression is
 * sought in its place, with another guard. It must agree in as many new cases. If there is none, and many new
 * cases speak for the refuted rule and none against it, the case is an exception, and the rule stands. One
 * rule that explains what two explained takes their place. What later changes have made needless is dropped.
 */
#ifndef MISPRINT_FUZZ_LEARN_REVISE_H
#define MISPRINT_FUZZ_LEARN_REVISE_H

#include "fuzz/learn/learner.h"

enum revised {
    REVISED_NOTHING,
    REVISED_OTHER_CASE, /* l->small is not reduced. A change that was learned from it is gone, or a rule
                         * stands that it refutes. */
    REVISED_REPAIRED,   /* a rule has another guard or expression, and explains the case, too */
};
/* Revises what was learned because the case l->small differs, whose outcome on the board is l->answer[0]. */
enum revised revise_for_case(struct learner *l);

/* Does a case refute a learned change, even if another difference in it has a known circumstance? False if
 * too many changes were taken back. */
bool revise_is_refuted(struct learner *l, const struct test_case *c, const struct outcome *board);

/* Is one rule enough for what a new rule, learned from l->small, and an earlier one explain? Then puts it in
 * place of the earlier one, and returns true. */
bool revise_merge(struct learner *l, const struct learned *new);

/* Seeks one change that explains the case l->small and all that was learned, or what the youngest learned
 * change explains. Puts it in their place. Returns false if it found none. Call it where the changes that
 * explain the case on top of what was learned spoil other cases or are refuted. */
bool revise_instead(struct learner *l);

/* Seeks one change that explains what the two youngest rules explain, and puts it in their place. It must
 * agree with the board wherever the two do, in all kept cases and in new ones. One cause can show at several
 * points: the case from which the first rule was learned then shows only a part of it. Changes l->small,
 * l->answer and l->difference. */
void revise_join(struct learner *l);

/* Does a case agree only because a learned rule leaves undefined what differs without the rule? Bits that a
 * run of the model for values only has right do not count. Returns the rule's number. Returns the number of
 * learned changes if there is none, or if no further search is allowed. */
uint32_t revise_excuser(struct learner *l, const struct test_case *c, const struct outcome *board);

/* Seeks a change that states the reduced case l->small, which learned rule `i` excuses, and what the rule
 * explains. Puts it in the rule's place. */
bool revise_excuse(struct learner *l, uint32_t i);

/* Sets `p` to the base profile with all learned changes but number `i`; with all, if `i` is their count. */
void revise_profile_without(const struct learner *l, uint32_t i, struct profile *p);

/* Drops learned changes without which the profile agrees with the board as often. */
void revise_drop_needless(struct learner *l);

#endif
