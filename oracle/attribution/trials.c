/* SPDX-License-Identifier: MIT */
#include "oracle/attribution/trials.h"

#include "model/core/memory.h"
#include "oracle/attribution/distinguish.h"

#include <stdlib.h>
#include <string.h>

enum {
    BUDGET = 1000000, /* model runs: some seconds */
    ENOUGH = 1000,    /* counting ends for a cause once each of its counts is at least this */
};

struct counting {
    struct executor *x;
    const struct profile *base, *all;
    struct test_case *tc;
    struct outcome *board, *model;
};

void trials_begin(struct trials *t, const struct unit *u, const struct cause *c)
{
    *t = (struct trials){.of = *c};
    for (unsigned i = 0; i < c->count; i++)
        for (unsigned r = 0; r < clause_readings(unit_clause(u, c->change[i].clause)); r++)
            if (r != c->change[i].reading)
                t->rival[t->rivals++] = (struct rival){.clause = c->change[i].clause, .reading = (uint8_t)r};
}

/* Counts one item of the evidence for one cause. */
static void count_item(const struct counting *k, struct trials *t)
{
    struct profile with = *k->all, without;
    struct differences d;
    bool passed = false;
    cause_apply(&t->of, &with);
    without = with;
    for (unsigned i = 0; i < t->of.count; i++)
        without.reading[t->of.change[i].clause] = k->base->reading[t->of.change[i].clause];
    enum match match = model_match(k->x, k->tc, &with, k->board, k->model, NULL, NULL);
    if (match == MATCH_DIFFERENT)
        return;
    if (model_match(k->x, k->tc, &without, k->board, k->model, NULL, &d) == MATCH_DIFFERENT) {
        t->needed++;
        (void)model_match(k->x, k->tc, &with, k->board, k->model, NULL, NULL);
        if (match == MATCH_UNDEFINED || differences_decided(&d, k->model) == DECIDED_NONE)
            t->masked++;
    }
    for (unsigned i = 0; i < t->rivals; i++) {
        struct profile rival = with;
        rival.reading[t->rival[i].clause] = t->rival[i].reading;
        if (!case_is_trial(k->x, k->tc, k->board, &with, &rival, k->model))
            continue;
        t->rival[i].cases++;
        passed = true;
    }
    t->passed += passed;
}

static bool is_touched(const struct coverage *c, const struct cause *cause)
{
    for (unsigned i = 0; i < cause->count; i++)
        if (covered(c, cause->change[i].clause))
            return true;
    return false;
}

static bool has_enough(const struct trials *t)
{
    bool enough = t->needed >= ENOUGH;
    for (unsigned i = 0; i < t->rivals; i++)
        enough = enough && t->rival[i].cases >= ENOUGH;
    return enough;
}

/* Returns a step through `count` items that visits each item once and spreads the visits. So if the counting
 * ends early, it has seen items from all of the run. */
static unsigned spread(unsigned count)
{
    unsigned step = count - count / 3;
    for (;; step++) {
        unsigned a = count, b = step;
        while (b) {
            unsigned rest = a % b;
            a = b;
            b = rest;
        }
        if (a <= 1)
            return step;
    }
}

/* Counts the items of the evidence that are cases of their own, or with `forms` those that are other forms of
 * a case (evidence.h). */
static void count_items(struct counting *k, const struct evidence_set *v, bool forms, struct trials *const *t,
                        unsigned count)
{
    uint64_t end = k->x->runs + BUDGET;
    unsigned items = evidence_set_count(v), step = spread(items);
    for (unsigned n = 0, i = 0; n < items; n++, i = (unsigned)(((uint64_t)i + step) % items)) {
        if (evidence_set_is_uncounted(v, i) != forms || !evidence_set_load(v, i, k->tc, k->board))
            continue;
        bool spent = k->x->runs >= end, all = true;
        executor_run(k->x, k->tc, k->all, RUN_PLAIN, k->model);
        const struct coverage touched = k->x->last;
        for (unsigned c = 0; c < count; c++) {
            all &= t[c]->cut != 0;
            if (t[c]->cut || !is_touched(&touched, &t[c]->of))
                continue;
            if (spent || has_enough(t[c]))
                t[c]->cut = 1;
            else
                count_item(k, t[c]);
        }
        if (all)
            return;
    }
}

/* Other forms of a case count only if the case itself is no longer in the evidence, and then as one case. */
static void add_form(uint64_t *count, uint64_t forms)
{
    if (!*count && forms)
        *count = 1;
}

void trials_count(struct executor *x, const struct evidence_set *v, const struct profile *base,
                  const struct profile *all, struct trials *const *t, unsigned count)
{
    struct counting k = {.x = x,
                         .base = base,
                         .all = all,
                         .tc = memory_new(1, sizeof *k.tc),
                         .board = outcome_new(x->unit),
                         .model = outcome_new(x->unit)};
    struct trials *form = memory_new(count + 1U, sizeof *form);
    struct trials **forms = memory_new(count + 1U, sizeof *forms);
    for (unsigned n = 0; n < count; n++) {
        form[n] = *t[n];
        forms[n] = &form[n];
    }
    count_items(&k, v, true, forms, count);
    count_items(&k, v, false, t, count);
    for (unsigned n = 0; n < count; n++) {
        t[n]->counted = true;
        add_form(&t[n]->needed, form[n].needed);
        add_form(&t[n]->masked, form[n].masked);
        add_form(&t[n]->passed, form[n].passed);
        for (unsigned i = 0; i < t[n]->rivals; i++)
            add_form(&t[n]->rival[i].cases, form[n].rival[i].cases);
    }
    free(form);
    free(forms);
    free(k.tc);
    outcome_free(k.board);
    outcome_free(k.model);
}

static void join(uint64_t *count, uint64_t earlier)
{
    *count = earlier > *count ? earlier : *count;
}

void trials_join(struct trials *t, const struct trials *earlier)
{
    if (!earlier->counted || !cause_equal(&t->of, &earlier->of))
        return;
    t->counted = true;
    join(&t->needed, earlier->needed);
    join(&t->masked, earlier->masked);
    join(&t->passed, earlier->passed);
    join(&t->cut, earlier->cut);
    for (unsigned i = 0; i < t->rivals; i++)
        join(&t->rival[i].cases, earlier->rival[i].cases);
}

const struct rival *trials_missing(const struct trials *t)
{
    for (unsigned i = 0; i < t->rivals; i++)
        if (!t->rival[i].cases)
            return &t->rival[i];
    return NULL;
}
