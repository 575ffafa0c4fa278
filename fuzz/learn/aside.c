/* SPDX-License-Identifier: MIT */
#include "fuzz/learn/aside.h"

#include "fuzz/generate/generate.h"
#include "model/core/memory.h"

#include <stdlib.h>

void aside_forget(struct learn_result *r, uint32_t i)
{
    free(r->aside[i].smallest);
    r->aside[i] = r->aside[--r->asides];
}

/* Returns the difference whose circumstance holds in a case, or NULL. */
static struct learn_aside *aside_of(struct learner *l, const struct test_case *c)
{
    struct learn_result *r = l->r;
    bool ran = false;
    for (uint32_t i = 0; i < r->asides; i++) {
        struct learn_aside *a = &r->aside[i];
        if (!a->circumstance.found)
            continue;
        if (!ran)
            visits_run(l->x, c, &r->profile, l->base, l->visits);
        ran = true;
        if (circumstance_holds(&a->circumstance, l->visits))
            return a;
    }
    return NULL;
}

/* Is the model's difference from the board of another kind than those that were studied? */
static bool is_new_kind(struct learner *l, const struct outcome *board)
{
    (void)outcomes_equal(l->model, board, NULL, &l->difference);
    const uint64_t kind = differences_signature(l->o->unit, l->model, board, &l->difference);
    for (uint32_t i = 0; i < l->kinds; i++)
        if (l->kind[i] == kind)
            return false;
    if (l->kinds == LEARN_KINDS_MAX)
        return false;
    l->kind[l->kinds++] = kind;
    return true;
}

bool aside_takes(struct learner *l, const struct test_case *c, const struct outcome *board, bool *sample)
{
    static const double vague = 0.8;
    const bool new = is_new_kind(l, board);
    struct learn_aside *a = aside_of(l, c);
    *sample = a && a->cases >= a->next;
    if (!a || (new &&circumstance_precision(&a->circumstance) < vague))
        return false;
    if (*sample) {
        a->next = 2 * a->cases;
    } else {
        a->cases++;
    }
    return !*sample;
}

bool aside_is_same(uint32_t both, uint32_t rarer)
{
    return both && 10 * both >= 9 * rarer;
}

/* Are two circumstances the same in effect? Of generated cases in which the rarer one holds, nearly all must
 * have both. */
static bool is_same(struct learner *l, const struct circumstance *a, const struct circumstance *b)
{
    enum { CASES = 1000 };
    uint32_t holds_a = 0, holds_b = 0, both = 0;
    struct test_case *c = memory_new(1, sizeof *c);
    bool equal = a->point == b->point && expression_equal(&a->guard, &b->guard);
    for (unsigned i = 0; i < CASES && !equal; i++) {
        case_generate(&l->random, l->o->unit, c);
        visits_run(l->x, c, &l->r->profile, l->base, l->visits);
        bool in_a = circumstance_holds(a, l->visits), in_b = circumstance_holds(b, l->visits);
        holds_a += in_a;
        holds_b += in_b;
        both += in_a && in_b;
    }
    free(c);
    return equal || aside_is_same(both, holds_a < holds_b ? holds_a : holds_b);
}

/* Does the circumstance explain when an earlier difference happens? */
static bool covers(struct learner *l, const struct circumstance *c, const struct learn_aside *a)
{
    if (a->circumstance.found)
        return is_same(l, c, &a->circumstance);
    visits_run(l->x, a->smallest, &l->r->profile, l->base, l->visits);
    return circumstance_holds(c, l->visits);
}

/* Merges the earlier differences with the circumstance of `a` into it. */
static void merge(struct learner *l, struct learn_aside *a)
{
    struct learn_result *r = l->r;
    for (uint32_t i = 0; i < r->asides;) {
        const struct learn_aside *b = &r->aside[i];
        if (!covers(l, &a->circumstance, b)) {
            i++;
            continue;
        }
        a->cases += b->cases;
        a->next = b->next > a->next ? b->next : a->next;
        if (circumstance_score(&b->circumstance) > circumstance_score(&a->circumstance))
            a->circumstance = b->circumstance;
        aside_forget(r, i);
    }
}

/* Counts the case on an earlier difference with the same signature. Returns false if there is none. */
static bool count_signature(const struct learner *l, uint64_t signature, bool unfinished)
{
    struct learn_result *r = l->r;
    for (uint32_t i = 0; i < r->asides; i++)
        if (r->aside[i].signature == signature) {
            r->aside[i].cases++;
            r->aside[i].unfinished &= unfinished;
            return true;
        }
    return false;
}

void aside_add(struct learner *l, uint64_t signature, bool unfinished)
{
    struct learn_result *r = l->r;
    struct learn_aside new = {.signature = signature,
                              .cases = 1,
                              .circumstance = l->circumstance,
                              .unfinished = unfinished};
    const struct circumstance *c = &new.circumstance;
    struct text t = {0};
    if (!c->found && count_signature(l, signature, unfinished))
        return;
    if (c->found)
        merge(l, &new);
    if (r->asides == LEARN_ASIDE_MAX)
        return;
    new.next = new.next > new.cases ? new.next : new.cases + ASIDE_FIRST_SAMPLE;
    new.smallest = memory_new(1, sizeof *new.smallest);
    case_copy(new.smallest, l->small);
    r->aside[r->asides++] = new;
    if (unfinished && !learner_spent(l)) {
        learner_say(l, "a difference needs a longer search; put off");
    } else if (unfinished) {
        learner_say(l, "the search for what explains a difference did not end: %s; set aside",
                    learner_end_reason(l));
    } else if (c->found) {
        circumstance_print(l->o->unit, c, &t);
        learner_say(l, "nothing explains a difference; set aside %s: %.0f %% of such cases differ",
                    text_chars(&t), 100 * circumstance_precision(c));
    } else {
        learner_say(l, "nothing explains a difference; set aside");
    }
    text_free(&t);
}
