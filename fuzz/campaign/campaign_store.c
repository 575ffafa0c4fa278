/* SPDX-License-Identifier: MIT */
#include "fuzz/campaign/campaign_store.h"

#include "harness/system/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Limit of cases that wait for the next save. More cases are not stored; a resumed campaign finds others. */
enum { FRESH_MAX = 4096 };

/* Remembers the store's first failure. */
static bool note(struct campaign_store *k, bool good, const struct error *said, struct error *e)
{
    if (!good && !k->failed) {
        k->failed = true;
        k->error = *said;
        k->error.of_machine = true;
    }
    return campaign_store_is_well(k, e);
}

bool campaign_store_is_well(const struct campaign_store *k, struct error *e)
{
    if (k->failed)
        *e = k->error;
    return !k->failed;
}

bool campaign_store_begin(struct campaign_store *k, const struct run_facts *facts, int64_t run,
                          struct error *e)
{
    k->facts = *facts;
    k->facts.interrupted = k->facts.unreconciled = true;
    k->began = clock_seconds();
    k->run = run || !k->store ? run : store_begin_run(k->store, &k->facts, e);
    return !k->store || k->run;
}

static void forget_fresh(struct campaign_store *k)
{
    for (unsigned i = 0; i < k->fresh_count; i++)
        kept_case_free(&k->fresh[i]);
    k->fresh_count = 0;
}

void campaign_store_free(struct campaign_store *k)
{
    forget_fresh(k);
    free(k->fresh);
    k->fresh = NULL;
}

/* ---- findings ---- */

static bool put_finding(struct campaign_store *k, struct finding *f, struct error *e)
{
    struct finding more = *f;
    struct error said = {0};
    more.cases = f->cases - f->stored;
    if (!note(k, k->failed || store_put_finding(k->store, &more, &said), &said, e))
        return false;
    f->stored = f->cases;
    return true;
}

/* Stores a point of the progress curve if the campaign found something new, or if its run time has grown by a
 * quarter since the last point. */
static bool save_progress(struct campaign_store *k, double seconds, bool last, struct error *e)
{
    const struct coverage *c = &k->result->coverage;
    struct progress_point now = {
        .seconds = seconds,
        .cases = k->result->tally.cases,
        .clauses = coverage_clauses(c),
        .pairs = coverage_pairs(c),
        .findings = findings_count(k->findings),
    };
    bool new =
        now.clauses != k->shown.clauses || now.pairs != k->shown.pairs || now.findings != k->shown.findings;
    if (now.cases == k->shown.cases ? !(last && new) : (!new && !last &&seconds < 1.25 * k->shown.seconds))
        return true;
    k->shown = now;
    return store_put_progress(k->store, k->run, &now, e);
}

/* Stores the run's counts so far. */
static bool put_run(struct campaign_store *k, double seconds, bool last, struct error *e)
{
    k->facts.tally = k->result->tally;
    k->facts.coverage = k->result->coverage;
    k->facts.seconds = seconds;
    k->facts.interrupted = !last || k->result->interrupted;
    k->facts.unreconciled = !last;
    return store_update_run(k->store, k->run, &k->facts, e);
}

bool campaign_store_opened(struct campaign_store *k, struct finding *f, struct error *e)
{
    struct text t = {0};
    struct error said = {0};
    if (!k->store)
        return true;
    /* The curve should show the first second, in which a campaign finds most, before the first regular save.
     */
    bool early = k->result->tally.cases >= k->shown.cases + k->shown.cases / 2;
    double seconds = clock_seconds() - k->began;
    bool begun = !k->failed && store_begin(k->store, &said), kept = begun && put_finding(k, f, &said);
    /* The run's counts belong to the finding, in case that this process is killed before the next save. */
    kept = kept && put_run(k, seconds, false, &said);
    kept = begun && store_end(k->store, kept && (!early || save_progress(k, seconds, false, &said)), &said);
    if (!note(k, kept, &said, e))
        return false;
    text_add(&t, "%s %s %s: ", f->id, f->unit->name, verdict_name(f->verdict));
    if (f->explanation.candidates)
        cause_print(f->unit, &f->explanation.candidate[0], &t);
    if (f->learned.withdrawn)
        text_add(&t, "%s refutes %s", f->related[RELATED_REFUTES].label, f->learned.rules);
    text_add(&t, " (%s)", f->label);
    bool good = store_log(k->store, text_chars(&t), &said);
    text_free(&t);
    return note(k, good, &said, e);
}

bool move_in_store(struct store *s, const struct finding *from, const struct finding *to, uint64_t cases,
                   bool last, struct error *e)
{
    struct finding none = *to;
    none.cases = 0;
    bool begun = store_begin(s, e);
    bool good =
        begun && store_put_finding(s, &none, e) && store_move_finding(s, from->id, to->id, cases, last, e);
    return begun && store_end(s, good, e);
}

bool campaign_store_moved(struct campaign_store *k, const struct finding *from, const struct finding *to,
                          bool last)
{
    struct error said = {0};
    uint64_t cases = k->jobs > 1 ? from->cases + from->inherited : STORE_ALL_CASES;
    if (k->store && !k->failed)
        note(k, move_in_store(k->store, from, to, cases, last, &said), &said, &said);
    return true;
}

/* ---- cases ---- */

void campaign_store_fresh(struct campaign_store *k, const struct test_case *c, const struct outcome *board,
                          const char *label, unsigned pairs)
{
    if (!k->store || k->fresh_count == FRESH_MAX)
        return;
    if (!k->fresh && !(k->fresh = calloc(FRESH_MAX, sizeof *k->fresh)))
        return;
    if (kept_case_make(&k->fresh[k->fresh_count], c, board, label, pairs))
        k->fresh_count++;
}

unsigned campaign_reason(struct campaign_result *r, const char *why)
{
    char reason[sizeof r->reason[0].reason];
    unsigned at = 0;
    text_kind(reason, sizeof reason, why);
    while (at < r->reasons && strcmp(r->reason[at].reason, reason) != 0)
        at++;
    if (at < r->reasons || at == CAMPAIGN_REASONS_MAX)
        return at < r->reasons ? at : CAMPAIGN_REASONS_MAX - 1;
    bool last = at == CAMPAIGN_REASONS_MAX - 1;
    (void)snprintf(r->reason[at].reason, sizeof reason, "%s", last ? "other reasons" : reason);
    (void)snprintf(r->reason[at].first, sizeof r->reason[at].first, "%s", last ? "" : why);
    return r->reasons++;
}

bool campaign_store_dropped(struct campaign_store *k, const struct test_case *c, const char *label,
                            const char *why, unsigned at, struct error *e)
{
    struct error said = {0};
    if (!k->store ||
        k->dropped_kept >= STORE_DROPPED_MAX - (dropped_by_disagreement(why) ? 0U : STORE_DISAGREEMENTS))
        return true;
    k->dropped_kept++;
    k->dropped_stored[at]++;
    return note(k, store_put_dropped(k->store, c, label, why, k->result->reason[at].reason, &said), &said, e);
}

/* Stores how many cases were dropped for each reason, for dropped cases that are not stored themselves. */
static bool save_dropped(struct campaign_store *k, struct error *e)
{
    for (unsigned i = 0; i < k->result->reasons; i++) {
        const struct dropped_reason *r = &k->result->reason[i];
        if (r->cases == k->dropped_stored[i])
            continue;
        if (!store_count_dropped(k->store, r->reason, r->cases - k->dropped_stored[i], e))
            return false;
        k->dropped_stored[i] = r->cases;
    }
    return true;
}

/* ---- the run ---- */

static bool save_findings(struct campaign_store *k, struct error *e)
{
    for (unsigned i = 0; i < findings_count(k->findings); i++) {
        struct finding *f = findings_at(k->findings, i);
        if (f->cases != f->stored && !put_finding(k, f, e))
            return false;
    }
    return true;
}

static bool save(struct campaign_store *k, double seconds, bool last, struct error *e)
{
    struct error said = {0};
    if (!k->store)
        return true;
    if (!campaign_store_is_well(k, e))
        return false;
    bool begun = store_begin(k->store, &said);
    bool good = begun && save_findings(k, &said) &&
                store_put_cases(k->store, k->run, k->facts.unit, k->fresh, k->fresh_count, &said) &&
                save_dropped(k, &said) && save_progress(k, seconds, last, &said) &&
                put_run(k, seconds, last, &said);
    good = begun && store_end(k->store, good, &said);
    if (good)
        forget_fresh(k);
    return note(k, good, &said, e);
}

bool campaign_store_save(struct campaign_store *k, double seconds, struct error *e)
{
    return save(k, seconds, false, e);
}

bool campaign_store_end(struct campaign_store *k, double seconds, struct error *e)
{
    struct error said = {0};
    if (!k->store)
        return true;
    if (!campaign_store_is_well(k, e))
        return false;
    /* If this run has every finding of the store in memory (`ours`), its cases overwrite the stored ones,
     * even if the stored case is smaller: the larger one may have been chosen because it decides between
     * causes. */
    bool ours = k->resumed || (k->run == 1 && k->jobs < 2);
    bool begun = store_begin(k->store, &said), good = begun;
    for (unsigned i = 0; good && i < findings_count(k->findings); i++) {
        struct finding none = *findings_at(k->findings, i); /* save stores the number of cases */
        none.cases = 0;
        good = (ours ? store_update_finding : store_put_finding)(k->store, &none, &said);
    }
    good = begun && store_end(k->store, good, &said) &&
           (k->jobs > 1 /* campaigns_settle will */ || store_answer_open(k->store, &said));
    return note(k, good, &said, e) && save(k, seconds, true, e);
}

/* ---- earlier runs ---- */

/* Are these the unit, profile and board of this run? */
static bool is_same_comparison(const struct campaign_store *k, const char *unit, const char *profile,
                               const struct board_identity *board)
{
    return !strcmp(unit, k->facts.unit) && !strcmp(profile, k->facts.profile) &&
           !strcmp(board->spec, k->facts.board.spec);
}

static bool restore_finding(struct campaign_store *k, const struct finding *f, uint64_t compared,
                            struct outcome *board, struct error *e)
{
    struct error unreadable;
    if (!outcome_decode(board, f->smallest, f->board_outcome, f->board_outcome_size, &unreadable))
        return true; /* the unit's outcome had another layout then; the run finds the finding again */
    struct evidence_of_case what = {.explanation = &f->explanation,
                                    .flaky = f->verdict == VERDICT_FLAKY,
                                    .signature = f->signature,
                                    .tc = f->smallest,
                                    .board = board,
                                    .label = f->label,
                                    .trials = &f->trials,
                                    .learned = &f->learned,
                                    .related = f->related};
    return findings_restore(k->findings, &what, compared, k->job ? 0 : f->cases, e);
}

/* Counts the cases that earlier runs of the same comparison compared. */
static bool count_earlier(struct campaign_store *k, uint64_t *compared, struct error *e)
{
    unsigned runs;
    struct run_facts *all = store_runs(k->store, &runs, e);
    *compared = 0;
    for (unsigned i = 0; all && i < runs; i++)
        if (is_same_comparison(k, all[i].unit, all[i].profile, &all[i].board))
            *compared += all[i].tally.compared;
    free(all);
    return all != NULL;
}

struct restoring {
    struct outcome *board;
    campaign_store_case each;
    void *context;
};

static bool restore_case(void *context, const struct test_case *c, const struct kept_case *kept,
                         struct error *e)
{
    struct restoring *r = context;
    (void)e;
    struct error unreadable;
    bool has =
        kept->outcome_size && outcome_decode(r->board, c, kept->outcome, kept->outcome_size, &unreadable);
    r->each(r->context, c, has ? r->board : NULL, kept->pairs);
    return true;
}

bool campaign_store_resume(struct campaign_store *k, const struct unit *u, struct profile *profile,
                           struct outcome *board, campaign_store_case each, void *context, struct error *e)
{
    unsigned count;
    struct finding *all = k->store ? store_findings(k->store, &count, e) : NULL;
    if (!k->store)
        return true;
    k->resumed = true;
    uint64_t compared;
    bool good = all && count_earlier(k, &compared, e);
    for (unsigned i = 0; good && i < count; i++) {
        const struct finding *f = &all[i];
        good = !is_same_comparison(k, f->unit->name, f->profile, &f->board) ||
               learned_apply(u, &f->learned, profile, e);
    }
    findings_set_base(k->findings, profile);
    for (unsigned i = 0; good && i < count; i++) {
        const struct finding *f = &all[i];
        good = !is_same_comparison(k, f->unit->name, f->profile, &f->board) ||
               restore_finding(k, f, compared, board, e);
    }
    if (all)
        store_free_findings(all, count);
    struct restoring r = {.board = board, .each = each, .context = context};
    return good && store_each_case(k->store, u, &k->facts.board, restore_case, &r, e);
}
