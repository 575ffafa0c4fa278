/* SPDX-License-Identifier: MIT */
/*
 * Refines rules: makes simpler and weaker forms of the best ones, and repairs those that experiments refuted.
 *
 * A refuted rule is often nearly right. Its expression agreed with the right one in all examples so far, or
 * its guard was made from too few visits. The cases that refuted it are near cases now. So the search makes
 * expressions that give what the rule gave where it was right, and what the board shows where it was not; and
 * it makes new guards for the old expression.
 */
#include "fuzz/learn/search/study.h"
#include "model/core/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    SIMPLIFIED = 3,       /* limit of rules for which simpler ones are sought, each time */
    REFUTERS = 8,         /* limit of refuting cases from which a repair takes examples, */
    EXAMPLES_EACH = 8,    /* with so many each */
    REPAIR_EXAMPLES = 80, /* limit of the examples of a repair */
};

/* Lists, as examples, what a rule does in the near cases that it explains. */
static uint32_t list_changes(struct study *s, const struct candidate *c)
{
    const struct rule *r = &c->change.rule;
    const struct point *p = &s->l->o->unit->points[r->point];
    uint32_t result[POINT_LANES_MAX], count = 0;
    for (uint32_t i = 0; i < s->nears; i++) {
        const struct visits *v = s->near[i].visits;
        if (!(c->explains[i / 64] >> (i % 64) & 1))
            continue;
        for (const struct visit *at = visits_first(v, r->point); at; at = visits_next(v, at)) {
            bool acts = visit_rule(v->unit, at, r, result);
            for (uint32_t lane = 0; acts && lane < p->lanes && count < EXAMPLES_MAX; lane++)
                if (result[lane] != at->now[lane])
                    s->example[count++] = example_of(at, p, lane, result[lane]);
        }
    }
    return count;
}

/* Adds simpler rules that do the same as a rule in all near cases. */
static void add_simpler(struct study *s, const struct candidate *from)
{
    struct learn_change c = from->change;
    uint32_t size = expression_size(&c.rule.result), examples = list_changes(s, from);
    struct expression *simpler = memory_new(SYNTHESIS_MAX, sizeof *simpler);
    struct example *with = memory_new(SYNTHESIS_EXAMPLES, sizeof *with);
    examples = contexts_add(s, s->example, examples, &(struct expression){0}, with);
    uint32_t count = synthesis_run(s->l->o->unit, with, examples, simpler, &s->l->effort);
    free(with);
    for (uint32_t i = 0; i < count && !learner_spent(s->l); i++) {
        c.rule.result = simpler[i];
        if (expression_size(&simpler[i]) < size)
            judge_add(s, &c);
    }
    s->examples = 0;
    free(simpler);
}

/* Adds a rule with weaker guards. A guard is made from the visits of the near cases only, so it may have a
 * condition that these cases do not need. Experiments decide. */
static void add_weaker(struct study *s, const struct candidate *from)
{
    struct learn_change c = from->change;
    struct expression *weaker = memory_new(WEAKER_MAX, sizeof *weaker);
    const uint32_t count =
        guard_weaker(&s->l->o->unit->points[c.rule.point], &from->change.rule.guard, weaker);
    for (uint32_t i = 0; i < count && !learner_spent(s->l); i++) {
        c.rule.guard = weaker[i];
        judge_add(s, &c);
    }
    free(weaker);
}

void refine_simplify(struct study *s)
{
    struct candidate *best = memory_new(SIMPLIFIED, sizeof *best);
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->candidates; i++) {
        uint32_t at = count;
        while (at && candidate_is_better(&s->candidate[i], &best[at - 1]))
            at--;
        if (at == SIMPLIFIED || !s->candidate[i].change.is_rule || !s->candidate[i].alive)
            continue;
        count += count < SIMPLIFIED;
        memmove(&best[at + 1], &best[at], (count - at - 1) * sizeof *best);
        best[at] = s->candidate[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        add_weaker(s, &best[i]);
        add_simpler(s, &best[i]);
    }
    free(best);
}

/* ---- repairs ---- */

/* Returns the best rule that experiments refuted; NULL: none. */
static const struct candidate *best_refuted(const struct study *s)
{
    const struct candidate *best = NULL;
    for (uint32_t i = 0; i < s->candidates; i++) {
        const struct candidate *c = &s->candidate[i];
        if (c->change.is_rule && !c->alive && (!best || candidate_is_better(c, best)))
            best = c;
    }
    return best;
}

static void drop_refuted(struct study *s)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->candidates; i++)
        if (s->candidate[i].alive)
            s->candidate[kept++] = s->candidate[i];
    s->candidates = kept;
}

/* Adds the examples at hand that differ, or those that do not, to `to`. */
static void take_examples(const struct study *s, bool differs, struct example *to, uint32_t *count)
{
    uint32_t taken = 0;
    for (uint32_t i = 0; i < s->examples && taken < EXAMPLES_EACH && *count < REPAIR_EXAMPLES; i++)
        if (s->example[i].differs == differs) {
            to[(*count)++] = s->example[i];
            taken++;
        }
}

/* Lists examples of the latest near cases that the rule does not explain. If `differing`, of those in which
 * the board differs from the model without the rule, otherwise of those in which it does not. */
static void list_refuters(struct study *s, const struct learn_change *c, bool differing, struct example *to,
                          uint32_t *count)
{
    uint32_t refuters = 0;
    for (uint32_t i = s->nears; i-- > 1 && refuters < REFUTERS && !learner_spent(s->l);) {
        const struct near_case *k = &s->near[i];
        if (k->agrees == differing || !judge_matters(k, c) || judge_case(s, k, c) != JUDGED_DIFFERS)
            continue;
        s->examples = 0;
        if (differing ? where_values(s, k, c->rule.point) : where_counterexample(s, k, &c->rule))
            take_examples(s, differing, to, count);
        refuters++;
    }
    s->examples = 0;
}

/* Adds rules with the same guard and other expressions. */
static void repair_result(struct study *s, const struct candidate *from)
{
    struct learn_change c = from->change;
    struct example *examples = memory_new(EXAMPLES_MAX, sizeof *examples),
                   *with = memory_new(SYNTHESIS_EXAMPLES, sizeof *with);
    struct expression *found = memory_new(SYNTHESIS_MAX, sizeof *found);
    uint32_t count = 0;
    list_refuters(s, &c, true, examples, &count);
    const uint32_t changes = list_changes(s, from), step = changes / (REPAIR_EXAMPLES / 2) + 1;
    for (uint32_t i = 0; i < changes && count < REPAIR_EXAMPLES * 3 / 4; i += step)
        examples[count++] = s->example[i];
    list_refuters(s, &c, false, examples, &count);
    count = contexts_add(s, examples, count, &c.rule.guard, with);
    const uint32_t rules = synthesis_run(s->l->o->unit, with, count, found, &s->l->effort);
    for (uint32_t i = 0; i < rules && !learner_spent(s->l); i++) {
        c.rule.result = found[i];
        judge_add(s, &c);
    }
    free(found);
    free(with);
    free(examples);
}

/* Adds rules with the same expression and other guards. */
static void repair_guard(struct study *s, const struct candidate *from)
{
    struct learn_change c = from->change;
    c.rule.guard.count = 0;
    judge_add(s, &c);
}

bool refine_repair(struct study *s)
{
    const struct candidate *refuted = best_refuted(s);
    if (!refuted)
        return false;
    struct candidate *from = memory_new(1, sizeof *from);
    *from = *refuted;
    drop_refuted(s);
    const uint32_t before = s->added;
    s->brokens = 0;
    repair_guard(s, from);
    repair_result(s, from);
    judge_guard(s);
    s->brokens = 0;
    free(from);
    return s->added > before;
}
