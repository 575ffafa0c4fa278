/* SPDX-License-Identifier: MIT */
#include "oracle/report/report.h"

#include "model/core/memory.h"

#include "oracle/files/load.h"
#include "oracle/report/report_facts.h"
#include "oracle/store/store_verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool gather(struct store *s, struct report *r, struct error *e)
{
    if (!(r->finding = store_findings(s, &r->findings, e)) || !(r->run = store_runs(s, &r->runs, e)) ||
        !(r->reason = store_dropped_reasons(s, &r->reasons, e)) || !store_head(s, &r->links, r->head, e))
        return false;
    r->dropped = store_dropped(s);
    r->progress = memory_new(r->runs + 1U, sizeof *r->progress);
    for (unsigned i = 0; i < r->runs; i++)
        if (!(r->progress[i].point = store_progress(s, i, &r->progress[i].points, e)))
            return false;
    r->boards = memory_new(r->findings + 1U, sizeof *r->boards);
    for (unsigned i = 0; i < r->findings; i++) {
        struct board_identity *b = &r->finding[i].board;
        store_place(s, b->spec, b->folder, sizeof b->folder);
        if (!(r->boards[i].board = store_evidence(s, r->finding[i].id, &r->boards[i].boards, e)))
            return false;
    }
    return true;
}

bool report_gather(struct store *s, const char *title, struct report *r, struct error *e)
{
    *r = (struct report){.title = title};
    if (gather(s, r, e))
        return true;
    report_free(r);
    return false;
}

void report_free(struct report *r)
{
    for (unsigned i = 0; r->boards && i < r->findings; i++)
        free(r->boards[i].board);
    free(r->boards);
    for (unsigned i = 0; r->progress && i < r->runs; i++)
        free(r->progress[i].point);
    free(r->progress);
    free(r->reason);
    store_free_findings(r->finding, r->findings);
    free(r->run);
    *r = (struct report){0};
}

const char *const board_class_label[BOARD_CLASSES] = {"silicon", "virtual board, not silicon",
                                                      "implementation, not silicon"};
const char *const board_class_key[BOARD_CLASSES] = {"silicon", "virtual", "implementation"};

/* Returns the sums of the unit with this name, new ones if necessary. If the array is full, returns its last
 * entry. */
static struct unit_facts *facts_of(struct report_facts *f, const char *name)
{
    for (unsigned i = 0; i < f->units; i++)
        if (!strncmp(f->unit[i].name, name, sizeof f->unit[i].name - 1))
            return &f->unit[i];
    if (f->units == REPORT_UNITS_MAX)
        return &f->unit[REPORT_UNITS_MAX - 1];
    struct unit_facts *u = &f->unit[f->units++];
    (void)snprintf(u->name, sizeof u->name, "%s", name);
    u->unit = unit_named(u->name);
    return u;
}

void report_sum(const struct report *r, struct report_facts *f)
{
    memset(f, 0, sizeof *f);
    for (unsigned i = 0; i < r->runs; i++) {
        struct unit_facts *u = facts_of(f, r->run[i].unit);
        enum board_class w = board_class(&r->run[i].board);
        tally_merge(&u->tally, &r->run[i].tally);
        tally_merge(&f->all.tally, &r->run[i].tally);
        coverage_merge(&u->coverage, &r->run[i].coverage);
        u->has_board_class[w] = f->all.has_board_class[w] = true;
    }
    for (unsigned i = 0; i < r->findings; i++) {
        const struct finding *one = &r->finding[i];
        struct unit_facts *u = facts_of(f, one->unit->name);
        enum board_class w = board_class(&one->board);
        u->unit = one->unit;
        u->findings[w][one->verdict]++;
        f->all.findings[w][one->verdict]++;
        u->has_board_class[w] = f->all.has_board_class[w] = true;
        const struct cause *c = &one->explanation.candidate[0];
        for (unsigned k = 0; one->explanation.candidates && k < c->count; k++)
            u->clause_findings[c->change[k].clause]++;
    }
}

void tally_rows(const struct tally *t, struct tally_row rows[TALLY_ROWS_MAX])
{
    const struct tally_row all[] = {
        {"cases", "cases offered", t->cases, false},
        {"compared", "cases compared", t->compared, false},
        {"equal", "cases equal", t->equal, false},
        {"different", "cases different", t->different, false},
        {"foretold",
         "cases predicted by causes already found (one in sixteen is compared with the profile alone)",
         t->predicted, false},
        {"attributed", "different cases searched for a cause", t->attributed, false},
        {"unfiled", "different cases without a finding, because the run had no room for more", t->unfiled,
         true},
        {"known", "different cases that agree once the causes already found are in the model", t->known,
         false},
        {"unattributed", "different cases not searched (only a sample of similar cases is searched)",
         t->unattributed, false},
        {"lanes", "lanes compared", t->lanes, false},
        {"bits", "bits compared", t->bits, false},
        {"untouched", "cases compared only in how they ended: nothing was written", t->untouched, false},
        {"ends_only", "cases compared only in how they ended: hang or fault", t->ends_only, false},
        {"masked_model", "bits masked: the specification leaves them undefined", t->masked_model, true},
        {"masked_board", "bits masked: the board did not record them", t->masked_board, true},
        {"undefined_only", "cases that differ in undefined bits only", t->undefined_only, true},
        {"vacuous", "cases with nothing left to compare", t->vacuous, true},
        {"refused", "cases that the board refused", t->answers[ANSWER_REFUSED], true},
        {"unknown", "cases that the trace does not have", t->answers[ANSWER_UNKNOWN], true},
        {"no_answer", "cases without a valid answer", t->answers[ANSWER_NOTHING], true},
    };
    _Static_assert(sizeof all / sizeof *all < TALLY_ROWS_MAX, "room for the end mark");
    memcpy(rows, all, sizeof all);
    rows[sizeof all / sizeof *all] = (struct tally_row){0};
}

/* --- finding views */

struct viewer_unit {
    const struct unit *unit;
    struct executor *executor;
    struct outcome *initial, *model, *board;
};

struct finding_viewer {
    struct viewer_unit unit[REPORT_UNITS_MAX];
    unsigned units;
};

struct finding_viewer *finding_viewer_new(void)
{
    return memory_new(1, sizeof(struct finding_viewer));
}

void finding_viewer_free(struct finding_viewer *viewer)
{
    for (unsigned i = 0; i < viewer->units; i++) {
        executor_free(viewer->unit[i].executor);
        outcome_free(viewer->unit[i].initial);
        outcome_free(viewer->unit[i].model);
        outcome_free(viewer->unit[i].board);
    }
    free(viewer);
}

static struct viewer_unit *unit_of(struct finding_viewer *viewer, const struct unit *u)
{
    for (unsigned i = 0; i < viewer->units; i++)
        if (viewer->unit[i].unit == u)
            return &viewer->unit[i];
    if (viewer->units == REPORT_UNITS_MAX)
        return NULL;
    struct viewer_unit *new = &viewer->unit[viewer->units++];
    *new = (struct viewer_unit){u, executor_new(u), outcome_new(u), outcome_new(u), outcome_new(u)};
    return new;
}

static bool make_view(struct finding_viewer *viewer, const struct finding *f, struct finding_view *v)
{
    struct viewer_unit *u = unit_of(viewer, f->unit);
    if (!u)
        return error_set(&v->why_not, "too many units in one report");
    if (!profile_load(f->unit, f->profile, &v->base, &v->why_not))
        return error_where(&v->why_not, "profile '%.100s' can't be loaded any more", f->profile);
    if (!f->smallest || !f->board_outcome_size)
        return error_set(&v->why_not,
                         "the campaign holds no case or no answer of the board for this finding");
    outcome_reset(u->board, f->smallest);
    if (!outcome_decode(u->board, f->smallest, f->board_outcome, f->board_outcome_size, &v->why_not))
        return error_where(&v->why_not, "the board's recorded answer can't be read");
    outcome_reset(u->initial, f->smallest);
    executor_place(u->executor, &f->board);
    executor_run(u->executor, f->smallest, &v->base, RUN_CHECKED, u->model);
    v->coverage = u->executor->last;
    v->picture = (struct picture){.unit = f->unit,
                                  .tc = f->smallest,
                                  .initial = u->initial,
                                  .side = {u->model, u->board}};
    outcomes_equal(u->model, u->board, NULL, &v->differences);
    return true;
}

void finding_view(struct finding_viewer *viewer, const struct report *r, unsigned at, struct finding_view *v)
{
    const struct finding *f = &r->finding[at];
    memset(v, 0, sizeof *v);
    v->finding = f;
    v->loose = r->loose;
    v->boards = r->boards ? &r->boards[at] : NULL;
    v->board_class = board_class(&f->board);
    v->shown = make_view(viewer, f, v);
}

unsigned finding_clauses(const struct finding *f, struct named_clause out[NAMED_CLAUSES_MAX])
{
    unsigned count = 0;
    for (unsigned r = 0; r < f->explanation.candidates; r++) {
        const struct cause *c = &f->explanation.candidate[r];
        for (unsigned i = 0; i < c->count; i++) {
            unsigned at = 0;
            while (at < count && out[at].index != c->change[i].clause)
                at++;
            if (at == count)
                out[count++] = (struct named_clause){c->change[i].clause, r == 0 ? c->change[i].reading : -1};
        }
    }
    return count;
}

struct place {
    unsigned at;
    enum board_class class;
};

static int silicon_first(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    return x->class != y->class ? (x->class > y->class) - (x->class < y->class)
                                : (x->at > y->at) - (x->at < y->at);
}

unsigned *report_order(const struct report *r)
{
    struct place *places = memory_new(r->findings + 1U, sizeof *places);
    unsigned *order = memory_new(r->findings + 1U, sizeof *order);
    for (unsigned i = 0; i < r->findings; i++)
        places[i] = (struct place){i, board_class(&r->finding[i].board)};
    qsort(places, r->findings, sizeof *places, silicon_first);
    for (unsigned i = 0; i < r->findings; i++)
        order[i] = places[i].at;
    free(places);
    return order;
}

uint64_t report_disagreements(const struct report *r)
{
    uint64_t cases = 0;
    for (unsigned i = 0; i < r->reasons; i++)
        cases += dropped_by_disagreement(r->reason[i].reason) ? r->reason[i].cases : 0;
    return cases;
}
