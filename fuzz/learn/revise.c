/* SPDX-License-Identifier: MIT */
#include "fuzz/learn/revise.h"

#include "fuzz/generate/generate.h"
#include "fuzz/learn/same.h"
#include "fuzz/learn/search/study.h"
#include "model/core/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    TAKEN_BACK_MAX = 16,
    REPAIRS_MAX = 32,  /* limit of repairs that are tried in vain */
    INSTEAD_MAX = 16,  /* limit of searches for one change in place of others that find none */
    JOINS_MAX = 2,     /* limit of searches for one change in place of two that find none */
    REPLACED_MAX = 2,  /* limit of searches for a change in place of a refuted rule */
    EXCUSES_MAX = 2,   /* limit of searches for a change in place of a rule that excuses cases */
    NEW_BATCHES = 31,  /* of new cases, before one profile takes the place of another */
    STANDING_FOR = 32, /* of LEARN_STANDING_CASES, at least so many must speak for a rule that stands */
    /* Limits of the effort (learner_effort) of one search. */
    JOIN_EFFORT = 16000000,   /* for one change in place of two */
    REPLACE_EFFORT = 4000000, /* for a change in place of a rule that is refuted or excuses cases */
};

/* Sets `p` to the base profile with all learned changes, but with `other` in place of number `i`. */
static void profile_with(const struct learner *l, uint32_t i, const struct learn_change *other,
                         struct profile *p)
{
    const struct learn_result *r = l->r;
    *p = *l->o->base;
    for (uint32_t n = 0; n < r->count; n++) {
        const struct learn_change *c = n == i ? other : &r->learned[n].change;
        if (c)
            (void)learn_apply(c, p);
    }
}

void revise_profile_without(const struct learner *l, uint32_t i, struct profile *p)
{
    profile_with(l, i, NULL, p);
}

/* Sets `p` to the base profile with the learned changes before number `i`. */
static void profile_before(const struct learner *l, uint32_t i, struct profile *p)
{
    *p = *l->o->base;
    for (uint32_t n = 0; n < i; n++)
        (void)learn_apply(&l->r->learned[n].change, p);
}

/* Does a run for values only under the profile have the board's bits wherever the run in `defining` defines
 * them? */
static bool values_fit(struct learner *l, const struct profile *p, const struct test_case *c,
                       const struct outcome *defining, const struct outcome *board)
{
    executor_run(l->x, c, p, RUN_PLAIN, l->values);
    return bearing_values_fit(defining, l->values, board);
}

/* Does the model under a profile agree with the board's outcome of a case? If the profile leaves the end
 * undefined, the bits that the base profile defines decide. */
static bool agrees(struct learner *l, const struct profile *p, const struct test_case *c,
                   const struct outcome *board)
{
    executor_run(l->x, c, p, RUN_CHECKED, l->model);
    if (l->model->end != END_UNDEFINED)
        return outcomes_equal(l->model, board, NULL, NULL);
    executor_run(l->x, c, l->o->base, RUN_CHECKED, l->defining);
    return l->defining->end != END_UNDEFINED && values_fit(l, p, c, l->defining, board);
}

static void say_change(struct learner *l, const char *format, const struct learn_change *c)
{
    struct text t = {0};
    learn_print_change(l->o->unit, c, &t);
    learner_say(l, format, text_chars(&t));
    text_free(&t);
}

/* Removes a learned change. Its cases go, too. */
static void forget(struct learner *l, uint32_t i)
{
    struct learn_result *r = l->r;
    learned_free(&r->learned[i]);
    memmove(&r->learned[i], &r->learned[i + 1], (r->count - i - 1) * sizeof *r->learned);
    r->count--;
    revise_profile_without(l, r->count, &r->profile);
}

/* ---- kept and new cases ---- */

/* Does the model under another profile agree with the board wherever it does now, in all kept cases? */
static bool agrees_kept(struct learner *l, const struct profile *other)
{
    const struct learn_result *r = l->r;
    enum { HALF = LEARN_KEPT_MAX / 2 };
    bool good = true;
    for (uint32_t k = 0; k < r->count && good; k++) {
        struct error none;
        const struct learned *n = &r->learned[k];
        good = n->board_outcome &&
               outcome_decode(l->base, n->smallest, n->board_outcome, n->board_outcome_size, &none) &&
               (agrees(l, other, n->smallest, l->base) || !agrees(l, &r->profile, n->smallest, l->base));
    }
    for (uint32_t half = 0; half < 2; half++)
        for (uint32_t k = 0; k < l->kept_count[half] && k < HALF && good; k++) {
            const struct learn_kept *n = &l->kept[half * HALF + k];
            good = agrees(l, other, n->tc, n->board) || !agrees(l, &r->profile, n->tc, n->board);
        }
    return good;
}

/* What new cases say of another profile than the one so far. */
struct in_new_cases {
    uint32_t lost;                   /* cases in which only the profile so far agrees with the board */
    uint32_t gained;                 /* cases in which only the other profile does */
    uint32_t most_lost, most_gained; /* if one of the two exceeds its limit, the count ends */
};

/* Counts generated cases. Returns false if the board failed or the run must end. */
static bool count_new(struct learner *l, const struct profile *other, unsigned batches,
                      struct in_new_cases *n)
{
    enum answer answers[LEARN_BATCH];
    struct test_case *cases[LEARN_BATCH];
    struct outcome *outcomes[LEARN_BATCH];
    bool good = true;
    for (unsigned i = 0; i < LEARN_BATCH; i++) {
        cases[i] = memory_new(1, sizeof *cases[i]);
        outcomes[i] = outcome_new(l->o->unit);
    }
    while (good && batches-- && n->lost <= n->most_lost && n->gained <= n->most_gained) {
        for (unsigned i = 0; i < LEARN_BATCH; i++)
            case_generate(&l->random, l->o->unit, cases[i]);
        good = !learner_spent(l) && learner_ask(l, cases, LEARN_BATCH, outcomes, answers);
        for (unsigned i = 0; i < LEARN_BATCH && good; i++) {
            if (answers[i] != ANSWER_OUTCOME)
                continue;
            const bool now = agrees(l, &l->r->profile, cases[i], outcomes[i]),
                       then = agrees(l, other, cases[i], outcomes[i]);
            n->lost += now && !then;
            n->gained += then && !now;
        }
    }
    for (unsigned i = 0; i < LEARN_BATCH; i++) {
        free(cases[i]);
        outcome_free(outcomes[i]);
    }
    return good && !learner_spent(l);
}

/* Does the model under another profile agree with the board wherever it does now, in new cases? */
static bool agrees_new(struct learner *l, const struct profile *other)
{
    struct in_new_cases n = {.most_gained = UINT32_MAX};
    return count_new(l, other, NEW_BATCHES, &n) && !n.lost;
}

/* Does it differ from the board in no more of the new cases than now? */
static bool is_no_worse(struct learner *l, const struct profile *other)
{
    struct in_new_cases n = {.most_lost = UINT32_MAX, .most_gained = UINT32_MAX};
    return count_new(l, other, NEW_BATCHES, &n) && n.lost <= n.gained;
}

/* Do many new cases speak for learned change `i`, and none against it? */
static bool holds_in_new(struct learner *l, uint32_t i)
{
    struct in_new_cases n = {.most_lost = UINT32_MAX};
    struct profile without;
    revise_profile_without(l, i, &without);
    return count_new(l, &without, LEARN_STANDING_CASES / LEARN_BATCH, &n) && !n.gained &&
           n.lost >= STANDING_FOR;
}

/* ---- repairs ---- */

/* Makes l->small the smallest case of a learned change. Returns false if its outcome is not kept. */
static bool use_smallest(struct learner *l, const struct learned *k)
{
    struct error none;
    if (!k->board_outcome ||
        !outcome_decode(l->answer[0], k->smallest, k->board_outcome, k->board_outcome_size, &none))
        return false;
    case_copy(l->small, k->smallest);
    return true;
}

/* Puts another rule in place of learned rule `i`. */
static void put_in_place(struct learner *l, uint32_t i, const struct learned *new)
{
    struct learn_result *r = l->r;
    struct learned *was = &r->learned[i];
    struct profile before;
    was->change = new->change;
    was->stands = false;
    was->explained = new->explained;
    was->experiments = new->experiments;
    was->alternatives = new->alternatives;
    memcpy(was->alternative, new->alternative, sizeof was->alternative);
    profile_before(l, i, &before);
    learner_find_cases_again(l, was, &before);
    revise_profile_without(l, r->count, &r->profile);
    r->agreed = 0;
}

/* Lists a rule and its alternatives at the same point. */
static void list_hints(const struct learned *k, struct revision *v)
{
    if (v->hints < REVISION_HINTS)
        v->hint[v->hints++] = k->change;
    for (uint32_t i = 0; i < k->alternatives && i < LEARN_ALTERNATIVES_MAX && v->hints < REVISION_HINTS; i++)
        if (k->alternative[i].is_rule)
            v->hint[v->hints++] = k->alternative[i];
}

/* Does the expression of one of the rules, without its guard, explain the case l->small on top of the profile
 * so far? If not, no other guard does. */
static bool may_explain(struct learner *l, const struct revision *v)
{
    bool any = false;
    for (uint32_t i = 0; i < v->hints && !any; i++) {
        struct profile p = l->r->profile;
        struct learn_change c = v->hint[i];
        c.rule.guard.count = 0;
        any = learn_apply(&c, &p) && agrees(l, &p, l->small, l->answer[0]);
    }
    return any;
}

/* Seeks a rule in place of learned rule `i`, and of `other`, if it is not NULL, that explains the case
 * l->small and the rule's smallest case. Puts it there. Returns false if it found none. If the rule is
 * `refuted`, l->small is its smallest case. */
static bool repair(struct learner *l, uint32_t i, const struct learned *other, bool refuted)
{
    struct learn_result *r = l->r;
    const struct learned *was = &r->learned[i];
    struct revision *v = memory_new(1, sizeof *v);
    struct learned found;
    struct text old = {0}, new = {0};
    const struct profile now = r->profile;
    struct profile p;
    list_hints(was, v);
    if (other)
        list_hints(other, v);
    v->instead_of = (struct instead_of){.change = {was}, .count = 1};
    revise_profile_without(l, i, &r->profile);
    const bool good = (refuted || may_explain(l, v)) && learner_revise(l, v, &found);
    r->profile = now;
    free(v);
    if (!good)
        return false;
    profile_with(l, i, &found.change, &p);
    if (!is_no_worse(l, &p)) {
        l->vain_repairs++;
        return false;
    }
    learn_print_change(l->o->unit, &was->change, &old);
    learn_print_change(l->o->unit, &found.change, &new);
    learner_say(l, "%s %s; repaired: %s",
                refuted ? "a case refutes"
                : other ? "one rule is enough in place of"
                        : "a case shows more of",
                text_chars(&old), text_chars(&new));
    text_free(&old);
    text_free(&new);
    put_in_place(l, i, &found);
    return true;
}

/* Finds a learned change that a case refutes. Returns its number; the number of changes if there is none. */
static uint32_t find_refuted(struct learner *l, const struct test_case *c, const struct outcome *board)
{
    struct profile p;
    uint32_t i = 0;
    executor_run(l->x, c, &l->r->profile, RUN_CHECKED, l->model);
    for (; i < l->r->count; i++) {
        if (l->r->learned[i].stands)
            continue;
        revise_profile_without(l, i, &p);
        executor_run(l->x, c, &p, RUN_CHECKED, l->base);
        if (bearing_refutes(l->base, l->model, board))
            break;
    }
    return i;
}

bool revise_is_refuted(struct learner *l, const struct test_case *c, const struct outcome *board)
{
    return l->r->taken_back < TAKEN_BACK_MAX && find_refuted(l, c, board) < l->r->count;
}

/* Seeks one change that explains the case l->small and `those`, on top of a profile without these. `effort`:
 * a limit, or 0. Seeks no circumstance, and leaves that of the last search. */
static bool seek(struct learner *l, const struct profile *without, const struct instead_of *those,
                 uint64_t effort, struct learned *found)
{
    struct learn_result *r = l->r;
    const struct profile now = r->profile;
    const bool wants_circumstance = l->wants_circumstance;
    const struct circumstance circumstance = l->circumstance;
    const enum learn_lost lost = r->lost;
    r->profile = *without;
    l->wants_circumstance = false;
    l->effort_before = effort ? learner_effort(l) : l->effort_before;
    l->search_effort = effort;
    const bool good =
        learner_differs(l, l->small, l->answer[0], &l->difference) && learner_explain(l, those, found);
    l->search_effort = 0;
    l->wants_circumstance = wants_circumstance;
    l->circumstance = circumstance;
    r->lost = lost;
    r->profile = now;
    return good;
}

static uint32_t change_size(const struct learn_change *c)
{
    return c->is_rule ? expression_size(&c->rule.guard) + expression_size(&c->rule.result) : 0;
}

/* Does the case agree only because the profile `with` leaves undefined what differs under `without`? Bits
 * that a run for values only has right do not count. */
static bool is_excused(struct learner *l, const struct profile *with, const struct profile *without,
                       const struct test_case *c, const struct outcome *board)
{
    struct differences d;
    executor_run(l->x, c, without, RUN_CHECKED, l->base);
    if (l->base->end == END_UNDEFINED || outcomes_equal(l->base, board, NULL, &d))
        return false;
    executor_run(l->x, c, with, RUN_CHECKED, l->model);
    return outcomes_equal(l->model, board, NULL, NULL) &&
           (l->model->end == END_UNDEFINED || differences_decided(&d, l->model) < DECIDED_EACH) &&
           !values_fit(l, with, c, l->base, board);
}

/* Does the model with a change in place of rule `i` agree with the board in the case `stated`, and not only
 * because bits are undefined? The board's outcome is in l->answer[1]. */
static bool states(struct learner *l, uint32_t i, const struct learn_change *c,
                   const struct test_case *stated)
{
    struct profile without, with;
    revise_profile_without(l, i, &without);
    profile_with(l, i, c, &with);
    return agrees(l, &with, stated, l->answer[1]) && !is_excused(l, &with, &without, stated, l->answer[1]);
}

/* Asks the board for its outcome of a case, into l->answer[1]. */
static bool ask_board(struct learner *l, struct test_case *c)
{
    enum answer answer;
    return learner_ask(l, &c, 1, &l->answer[1], &answer) && answer == ANSWER_OUTCOME;
}

/* Finds one of rule `i`'s alternatives that states a case, and is as good in all kept and new cases. Those
 * before it in the list are dropped: the case tells them apart. */
static bool find_alternative(struct learner *l, uint32_t i, struct test_case *stated, struct learned *found)
{
    const struct learned *was = &l->r->learned[i];
    const uint32_t listed =
        was->alternatives < LEARN_ALTERNATIVES_MAX ? was->alternatives : LEARN_ALTERNATIVES_MAX;
    struct profile with;
    *found = *was;
    if (!listed || !ask_board(l, stated))
        return false;
    for (uint32_t k = 0; k < listed; k++) {
        found->change = was->alternative[k];
        memmove(found->alternative, found->alternative + 1,
                (LEARN_ALTERNATIVES_MAX - 1) * sizeof *found->alternative);
        profile_with(l, i, &found->change, &with);
        if (states(l, i, &found->change, stated) && agrees_kept(l, &with) && agrees_new(l, &with)) {
            found->alternatives = listed - 1 - k;
            return true;
        }
    }
    return false;
}

/* Seeks a change in place of rule `i`, also at other points, that explains the case l->small, the case
 * `stated` and what the rule explains. It must not be larger than the rule. */
static bool find_other(struct learner *l, uint32_t i, struct test_case *stated, struct learned *found)
{
    const struct learn_change *was = &l->r->learned[i].change;
    const struct instead_of those = {.change = {&l->r->learned[i]}, .count = 1};
    struct profile without, with;
    revise_profile_without(l, i, &without);
    if (!seek(l, &without, &those, REPLACE_EFFORT, found) || change_size(&found->change) > change_size(was) ||
        (found->change.is_rule && rules_are_same(l->o->unit, &found->change.rule, &was->rule)) ||
        !ask_board(l, stated))
        return false;
    profile_with(l, i, &found->change, &with);
    return states(l, i, &found->change, stated) && is_no_worse(l, &with);
}

/* Puts a change in place of rule `i` that states the case `stated`, and explains what the rule explains: one
 * of its alternatives, or another. */
static bool replace_rule(struct learner *l, uint32_t i, struct test_case *stated)
{
    struct learned found;
    if (!find_alternative(l, i, stated, &found) && !find_other(l, i, stated, &found))
        return false;
    say_change(l, "%s is taken back for another change", &l->r->learned[i].change);
    put_in_place(l, i, &found);
    say_change(l, "learned %s", &found.change);
    l->r->taken_back++;
    return true;
}

/* Repairs or removes a change that the case l->small refutes. If new cases only speak for a rule, it stands,
 * and the case is an exception. A reading does not: another reading may be right in all cases. */
static enum revised take_back(struct learner *l, uint32_t i)
{
    struct learn_result *r = l->r;
    struct learned *k = &r->learned[i];
    struct test_case *exception = memory_new(1, sizeof *exception);
    case_copy(exception, l->small);
    learner_keep_case(l, l->small, &l->answer[0], false);
    enum revised revised = REVISED_OTHER_CASE;
    if (k->change.is_rule && use_smallest(l, k) && repair(l, i, NULL, true)) {
        revised = REVISED_REPAIRED;
        r->taken_back++;
    } else if (k->change.is_rule && l->replaced++ < REPLACED_MAX && use_smallest(l, k) &&
               replace_rule(l, i, exception)) {
        revised = REVISED_REPAIRED;
    } else if (k->change.is_rule && holds_in_new(l, i)) {
        say_change(l, "a case refutes %s, but no new case does; it stands", &k->change);
        case_copy(l->small, exception);
        k->stands = true;
    } else {
        say_change(l, "a case refutes %s; taken back", &k->change);
        case_copy(l->small, k->smallest);
        forget(l, i);
        r->taken_back++;
    }
    free(exception);
    return revised;
}

enum revised revise_for_case(struct learner *l)
{
    struct learn_result *r = l->r;
    const uint32_t refuted =
        r->taken_back < TAKEN_BACK_MAX ? find_refuted(l, l->small, l->answer[0]) : r->count;
    if (refuted < r->count)
        return take_back(l, refuted);
    for (uint32_t i = 0; i < r->count && l->vain_repairs < REPAIRS_MAX; i++)
        if (r->learned[i].change.is_rule && repair(l, i, NULL, false))
            return REVISED_REPAIRED;
    return REVISED_NOTHING;
}

bool revise_merge(struct learner *l, const struct learned *new)
{
    struct learn_result *r = l->r;
    for (uint32_t i = 0; i < r->count && new->change.is_rule && l->vain_repairs < REPAIRS_MAX; i++)
        if (r->learned[i].change.is_rule &&
            r->learned[i].change.rule.point == new->change.rule.point &&repair(l, i, new, false))
            return true;
    return false;
}

/* ---- one change in place of others ---- */

/* Seeks one change that explains the case l->small and all that the learned changes from number `first` on
 * explain. */
static bool seek_instead(struct learner *l, uint32_t first, uint64_t effort, struct learned *found)
{
    struct instead_of *those = memory_new(1, sizeof *those);
    struct profile before;
    for (uint32_t i = first; i < l->r->count; i++)
        those->change[those->count++] = &l->r->learned[i];
    profile_before(l, first, &before);
    const bool good = seek(l, &before, those, effort, found);
    free(those);
    return good;
}

/* Seeks such a change, and puts it in their place. */
static bool replace_from(struct learner *l, uint32_t first)
{
    struct learn_result *r = l->r;
    struct learned found;
    if (!seek_instead(l, first, 0, &found)) {
        l->vain_instead++;
        return false;
    }
    r->taken_back += r->count - first;
    for (uint32_t i = first; i < r->count; i++)
        say_change(l, "%s is taken back for a change that explains more", &r->learned[i].change);
    while (r->count > first + 1)
        forget(l, r->count - 1);
    put_in_place(l, first, &found);
    say_change(l, "learned %s", &found.change);
    return true;
}

/* The first changes that explain some cases may be wrong. Where a defect in decoding makes most instructions
 * invalid, a rule that refuses all of them explains most cases. Experiments then refute the true rule,
 * because the model with both is wrong. */
bool revise_instead(struct learner *l)
{
    enum { AT_ONCE = 6 }; /* limit of changes for which one is sought */
    const uint32_t count = l->r->count;
    const enum learn_lost lost = l->r->lost;
    if (!count || l->r->taken_back >= TAKEN_BACK_MAX ||
        (lost != LEARN_LOST_NO_GUARD && lost != LEARN_LOST_REFUTED))
        return false; /* no change explained anything, so no belief stood in its way */
    struct test_case *small = memory_new(1, sizeof *small);
    bool good = false;
    case_copy(small, l->small);
    for (unsigned i = 0; i < 2 && !good && l->vain_instead < INSTEAD_MAX; i++) {
        const uint32_t first = i ? count - 1 : 0;
        if (i ? count < 2 : count > AT_ONCE)
            continue;
        good = replace_from(l, first);
        if (!good)
            case_copy(l->small, small);
    }
    free(small);
    return good;
}

/* ---- rules that leave undefined what the board has ---- */

uint32_t revise_excuser(struct learner *l, const struct test_case *c, const struct outcome *board)
{
    const struct learn_result *r = l->r;
    struct profile all, without;
    if (!r->count || l->excuses >= EXCUSES_MAX || r->taken_back >= TAKEN_BACK_MAX)
        return r->count;
    executor_run(l->x, c, l->o->base, RUN_PLAIN, l->values);
    if (outcomes_equal(l->values, board, NULL, NULL))
        return r->count;
    revise_profile_without(l, r->count, &all);
    for (uint32_t i = r->count; i-- > 0;) {
        revise_profile_without(l, i, &without);
        if (r->learned[i].change.is_rule && is_excused(l, &all, &without, c, board))
            return i;
    }
    return r->count;
}

bool revise_excuse(struct learner *l, uint32_t i)
{
    struct test_case *excused = memory_new(1, sizeof *excused);
    case_copy(excused, l->small);
    l->excuses++;
    const bool good = replace_rule(l, i, excused);
    free(excused);
    return good;
}

/* ---- one change in place of two ---- */

void revise_join(struct learner *l)
{
    struct learn_result *r = l->r;
    const uint32_t count = r->count, first = count - 2;
    struct learned found;
    if (count < 2 || l->vain_joins >= JOINS_MAX || !r->learned[first].change.is_rule ||
        !r->learned[count - 1].change.is_rule || !use_smallest(l, &r->learned[count - 1]))
        return;
    bool good = seek_instead(l, first, JOIN_EFFORT, &found);
    struct profile p;
    profile_before(l, first, &p);
    good = good && learn_apply(&found.change, &p) && agrees_kept(l, &p) && agrees_new(l, &p);
    l->vain_joins += !good;
    if (!good)
        return;
    say_change(l, "one change is enough in place of two: %s", &found.change);
    forget(l, count - 1);
    put_in_place(l, first, &found);
}

void revise_drop_needless(struct learner *l)
{
    struct profile p;
    for (uint32_t i = 0; i < l->r->count && l->r->count > 1 && !learner_spent(l);) {
        revise_profile_without(l, i, &p);
        if (agrees_kept(l, &p) && agrees_new(l, &p)) {
            say_change(l, "%s is needless now; dropped", &l->r->learned[i].change);
            forget(l, i);
        } else {
            i++;
        }
    }
}
