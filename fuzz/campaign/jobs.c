/* SPDX-License-Identifier: MIT */
/*
 * Joins the findings of several runs of one comparison. Each run attributed over its own evidence only, and
 * the evidence of one run may decide between explanations that another run left open.
 */
#include "fuzz/campaign/campaign_store.h"

#include <stdlib.h>
#include <string.h>

struct joint {
    const struct campaign_options *o;
    struct findings *findings;
    struct executor *executor;
    struct evidence_set *evidence;
    struct outcome *board;
    bool good;
    struct error *error; /* the store's first failure */
};

/* Moves a finding in the store. Always returns true, like campaign_store_moved; j->error holds a failure. */
static bool move(void *context, const struct finding *from, const struct finding *to, bool last)
{
    struct joint *j = context;
    if (j->o->store && j->good)
        j->good = move_in_store(j->o->store, from, to, from->cases + from->inherited, last, j->error);
    return true;
}

/* Adds the findings of one run. Adds their cases to the evidence, as cases that it never drops. */
static bool take_in(struct joint *j, const struct campaign_result *r, struct error *e)
{
    struct error unreadable;
    for (unsigned i = 0; i < r->findings; i++) {
        const struct finding *f = &r->finding[i];
        if (!outcome_decode(j->board, f->smallest, f->board_outcome, f->board_outcome_size, &unreadable))
            continue;
        evidence_set_add_uncounted(j->evidence, f->smallest, j->board);
        if (!findings_merge(j->findings, f, j->board, move, j, e))
            return false;
    }
    return true;
}

static bool keep(struct joint *j)
{
    struct store *s = j->o->store;
    if (!s || !j->good)
        return j->good;
    bool begun = store_begin(s, j->error), good = begun;
    for (unsigned i = 0; good && i < findings_count(j->findings); i++)
        good = store_update_finding(s, findings_at(j->findings, i), j->error);
    return begun && store_end(s, good, j->error) && store_answer_open(s, j->error);
}

static void hand_over(struct joint *j, struct campaign_result *const *run, unsigned runs)
{
    for (unsigned i = 0; i < runs; i++) {
        for (unsigned k = 0; k < run[i]->findings; k++)
            finding_free_contents(&run[i]->finding[k]);
        free(run[i]->finding);
        run[i]->finding = NULL;
        run[i]->findings = 0;
    }
    run[0]->finding = findings_release(j->findings, &run[0]->findings);
}

/* Did a run withdraw these rules? */
static bool is_withdrawn(struct campaign_result *const *run, unsigned runs, const struct finding_learned *l)
{
    for (unsigned i = 0; i < runs; i++)
        for (unsigned k = 0; k < run[i]->findings; k++) {
            const struct finding_learned *other = &run[i]->finding[k].learned;
            if (other->withdrawn && !strcmp(other->rules, l->rules))
                return true;
        }
    return false;
}

struct attribution_limits campaign_limits(const struct campaign_options *o)
{
    enum { WEIGHED_MAX = 2048 }; /* limit of cases of each kind by which an attribution weighs a change */
    return (struct attribution_limits){.most = o->max_changes ? o->max_changes : CHANGES_USUAL,
                                       .sampled = WEIGHED_MAX};
}

bool campaigns_settle(const struct campaign_options *o, struct campaign_result *const *run, unsigned runs,
                      struct attribution *all, struct error *e)
{
    struct attribution_limits limits = campaign_limits(o);
    struct board_identity nowhere = {0};
    const struct board_identity *who = o->board ? &o->board->identity : &nowhere;
    struct joint j = {.o = o,
                      .executor = executor_new(o->unit),
                      .evidence = evidence_set_new(o->unit),
                      .board = outcome_new(o->unit),
                      .good = true,
                      .error = e};
    struct profile base = *o->profile;
    uint64_t compared = 0;
    bool good = true;
    for (unsigned i = 0; i < runs; i++) /* the rules that one run learned hold for all runs */
        for (unsigned k = 0; good && k < run[i]->findings; k++)
            good = is_withdrawn(run, runs, &run[i]->finding[k].learned) ||
                   learned_apply(o->unit, &run[i]->finding[k].learned, &base, e);
    executor_place(j.executor, who);
    j.findings =
        findings_new(o->unit, &base, o->profile_name, who, o->max_findings ? o->max_findings : FINDINGS_MAX);
    for (unsigned i = 0; i < runs; i++) {
        evidence_set_add_all(j.evidence, run[i]->evidence);
        compared += run[i]->tally.compared;
    }
    for (unsigned i = 0; good && i < runs; i++)
        good = take_in(&j, run[i], e);
    if (good) {
        attribute(j.executor, j.evidence, &base, &limits, all);
        findings_reconcile(j.findings, j.executor, all, compared, move, &j);
        findings_count_trials(j.findings, j.executor, j.evidence, all);
        good = keep(&j);
        e->of_machine |= !good;
        hand_over(&j, run, runs);
    }
    findings_free(j.findings);
    executor_free(j.executor);
    outcome_free(j.board);
    evidence_set_free(j.evidence);
    return good;
}

void campaign_free(struct campaign_result *r)
{
    for (unsigned i = 0; i < r->findings; i++)
        finding_free_contents(&r->finding[i]);
    free(r->finding);
    evidence_set_free(r->evidence);
    r->finding = NULL;
    r->evidence = NULL;
    r->findings = 0;
}
