/* SPDX-License-Identifier: MIT */
/* The JSON report; oracle/report/page/report.schema.json is its schema. Keys have a fixed order. Numbers that
 * may exceed 2^53 (seed, signature) are strings, because many readers convert numbers to doubles. */
#include "oracle/describe/clause_text.h"
#include "oracle/describe/escape.h"
#include "oracle/report/report_cause.h"
#include "oracle/report/report_facts.h"
#include "oracle/report/rule/report_nearest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static json_t *count(uint64_t n)
{
    return json_integer(n > INT64_MAX ? INT64_MAX : (json_int_t)n);
}

static json_t *words(struct text *w)
{
    json_t *s = json_text(text_chars(w));
    text_clear(w);
    return s;
}

static json_t *hex32(uint32_t word)
{
    return json_sprintf("%08" PRIX32, word);
}

static void put(json_t *o, const char *key, json_t *value)
{
    if (!value || json_object_set_new(o, key, value))
        abort(); /* happens only without memory, because every string is valid UTF-8 */
}

static json_t *board_json(const struct board_identity *b)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:s, s:o, s:o}", "spec", json_text(b->spec), "kind",
                     json_text(b->kind), "description", json_text(b->description), "provenance",
                     json_text(b->provenance), "evidence", board_class_key[board_class(b)], "memory_base",
                     hex32(b->memory_base), "code_base", hex32(b->code_base));
}

static json_t *tally_json(const struct tally *t)
{
    struct tally_row rows[TALLY_ROWS_MAX];
    json_t *o = json_object();
    tally_rows(t, rows);
    for (unsigned i = 0; rows[i].name; i++)
        put(o, rows[i].key, count(rows[i].number));
    return o;
}

static json_t *progress_json(const struct report_progress *p)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < p->points; i++) {
        const struct progress_point *at = &p->point[i];
        json_array_append_new(list, json_pack("{s:f, s:o, s:i, s:i, s:i}", "seconds", at->seconds, "cases",
                                              count(at->cases), "clauses", (int)at->clauses, "pairs",
                                              (int)at->pairs, "findings", (int)at->findings));
    }
    return list;
}

static json_t *run_json(const struct run_facts *r, const struct report_progress *progress /* or NULL */)
{
    json_t *o = json_pack("{s:o, s:o, s:o, s:o, s:o, s:f, s:o, s:o, s:b, s:o}", "command",
                          json_text(r->command), "unit", json_text(r->unit), "profile", json_text(r->profile),
                          "board", board_json(&r->board), "seed", json_sprintf("%" PRIu64, r->seed),
                          "seconds", r->seconds >= 0 && r->seconds < 1e15 ? r->seconds : 0.0, "machine",
                          json_text(r->machine), "engine", json_text(r->engine), "interrupted",
                          (int)r->interrupted, "tally", tally_json(&r->tally));
    if (progress)
        put(o, "progress", progress_json(progress));
    return o;
}

static json_t *coverage_json(const struct unit_facts *u)
{
    json_t *o = json_object();
    for (unsigned i = 0; u->unit && i < unit_clauses(u->unit); i++) {
        const struct clause *c = unit_clause(u->unit, i);
        put(o, c->id,
            json_pack("{s:i, s:i, s:i}", "modes_touched", __builtin_popcount(u->coverage.modes[i]), "modes",
                      (int)clause_modes(c), "findings", (int)u->clause_findings[i]));
    }
    return o;
}

static json_t *unit_json(const struct unit_facts *u)
{
    json_t *findings = json_object();
    for (unsigned w = 0; w < BOARD_CLASSES; w++) {
        json_t *verdicts = json_object();
        for (unsigned v = 0; v < VERDICTS; v++)
            put(verdicts, verdict_name((enum verdict)v), count(u->findings[w][v]));
        put(findings, board_class_key[w], verdicts);
    }
    return json_pack("{s:o, s:o, s:o, s:o}", "name", json_text(u->name), "findings", findings, "tally",
                     tally_json(&u->tally), "clauses", coverage_json(u));
}

/* Returns how many cases support the cause; null if the campaign did not count them. */
static json_t *trials_json(const struct finding *f)
{
    const struct trials *t = &f->trials;
    json_t *rivals = json_array();
    for (unsigned i = 0; i < t->rivals; i++) {
        json_t *one = change_to_json(f->unit, t->rival[i].clause, t->rival[i].reading);
        put(one, "cases", count(t->rival[i].cases));
        json_array_append_new(rivals, one);
    }
    if (t->counted)
        return json_pack("{s:o, s:o, s:o, s:b, s:o}", "needed", count(t->needed), "undefined",
                         count(t->masked), "passed", count(t->passed), "cut", (int)t->cut, "rivals", rivals);
    json_decref(rivals);
    return json_null();
}

static json_t *explanation_json(const struct finding_view *v)
{
    const struct explanation *e = &v->finding->explanation;
    bool near = !e->candidates && e->nearest.count && e->nearest_bits != DISTANCE_ENDS;
    json_t *candidates = json_array();
    for (unsigned i = 0; i < e->candidates; i++)
        json_array_append_new(candidates, cause_to_json(v->finding->unit, &e->candidate[i]));
    return json_pack("{s:o, s:b, s:b, s:b, s:o, s:o, s:s, s:o}", "causes", candidates, "more_causes",
                     (int)e->more_candidates, "only_undefined", (int)e->masked, "search_cut", (int)e->cut,
                     "nearest", cause_to_json(v->finding->unit, &e->nearest), "nearest_bits",
                     near ? count(e->nearest_bits) : json_null(), "status",
                     cause_status_name[cause_status(v->finding)], "trials", trials_json(v->finding));
}

static json_t *word_json(const struct finding_view *v, const struct word_difference *d)
{
    const struct region *g = layout_region(&v->finding->unit->layout, d->row);
    json_t *word =
        json_pack("{s:s, s:i, s:i, s:o, s:o, s:o}", "region", g->name, "row", d->row - g->first_row, "column",
                  (int)d->col, "model", hex32(d->model), "board", hex32(d->board), "mask", hex32(d->mask));
    if (d->tolerance) {
        struct text t = {0};
        tolerance_print(d->tolerance, &t);
        json_object_set_new(word, "tolerance", json_string(text_chars(&t)));
        text_free(&t);
    }
    return word;
}

static json_t *difference_json(const struct finding_view *v)
{
    if (!v->shown)
        return json_null();
    json_t *list = json_array();
    for (uint32_t i = 0; i < v->differences.listed; i++)
        json_array_append_new(list, word_json(v, &v->differences.word[i]));
    return json_pack("{s:s, s:s, s:o, s:o, s:o}", "model_end", end_name(v->picture.side[SIDE_MODEL]->end),
                     "board_end", end_name(v->picture.side[SIDE_BOARD]->end), "words",
                     count(v->differences.words), "bits", count(v->differences.bits), "listed", list);
}

static json_t *clauses_json(const struct finding_view *v, struct text *w)
{
    struct named_clause named[NAMED_CLAUSES_MAX];
    json_t *list = json_array();
    for (unsigned i = 0, n = finding_clauses(v->finding, named); i < n; i++) {
        const struct clause *c = unit_clause(v->finding->unit, named[i].index);
        json_t *o = clause_to_json(c);
        bool followed = named[i].followed >= 0 && cause_status(v->finding) >= CAUSE_FITS;
        put(o, "followed", followed ? json_text(c->readings[named[i].followed].id) : json_null());
        words_support(v, &named[i], w);
        put(o, "supported", words(w));
        json_array_append_new(list, o);
    }
    return list;
}

/* Every board on which the finding was seen; empty if unknown. */
static json_t *boards_json(const struct finding_view *v)
{
    json_t *list = json_array();
    for (unsigned i = 0; v->boards && i < v->boards->boards; i++) {
        const struct board_evidence *b = &v->boards->board[i];
        json_array_append_new(list, json_pack("{s:o, s:o, s:o}", "board", board_json(&b->board), "cases",
                                              count(b->cases), "label", json_text(b->label)));
    }
    return list;
}

static json_t *finding_json(const struct finding_view *v)
{
    const struct finding *f = v->finding;
    struct text w = {0};
    json_t *o = json_object();
    put(o, "id", json_text(f->id));
    put(o, "unit", json_text(f->unit->name));
    put(o, "verdict", json_text(verdict_name(f->verdict)));
    put(o, "evidence", json_text(board_class_key[v->board_class]));
    words_headline(v, &w);
    put(o, "headline", words(&w));
    words_meaning(v, &w);
    put(o, "meaning", words(&w));
    put(o, "profile", json_text(f->profile));
    put(o, "board", board_json(&f->board));
    put(o, "boards", boards_json(v));
    put(o, "cases", count(f->cases));
    put(o, "signature", json_sprintf("%016" PRIX64, f->signature));
    put(o, "explanation", explanation_json(v));
    put(o, "clauses", clauses_json(v, &w));
    put(o, "learned", rules_json(v));
    put(o, "label", json_text(f->label));
    put(o, "case_file", json_sprintf("cases/%s.case", f->id));
    if (f->smallest)
        case_print(f->smallest, &w);
    put(o, "smallest_case", words(&w));
    put(o, "nearest_agreeing", agreeing_json(f));
    put(o, "difference", difference_json(v));
    text_free(&w);
    return o;
}

static json_t *reasons_json(const struct report *r)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < r->reasons; i++) {
        const struct dropped_reason *d = &r->reason[i];
        json_array_append_new(list, json_pack("{s:o, s:o, s:b}", "reason", json_text(d->reason), "cases",
                                              count(d->cases), "proofs_disagree",
                                              (int)dropped_by_disagreement(d->reason)));
    }
    return list;
}

void report_json(const struct report *r, struct text *t)
{
    struct report_facts f;
    struct text title = {0};
    report_sum(r, &f);
    json_t *o = json_object(), *runs = json_array(), *units = json_array(), *findings = json_array();
    for (unsigned i = 0; i < r->runs; i++)
        json_array_append_new(runs, run_json(&r->run[i], r->progress ? &r->progress[i] : NULL));
    for (unsigned i = 0; i < f.units; i++)
        json_array_append_new(units, unit_json(&f.unit[i]));
    struct finding_viewer *viewer = finding_viewer_new();
    for (unsigned i = 0; i < r->findings; i++) {
        struct finding_view v;
        finding_view(viewer, r, i, &v);
        json_array_append_new(findings, finding_json(&v));
    }
    finding_viewer_free(viewer);
    put(o, "format", json_text("misprint-report"));
    put(o, "version", json_integer(1));
    put(o, "generator", json_text("misprint " MISPRINT_VERSION));
    words_title(r, &title);
    put(o, "title", words(&title));
    put(o, "silicon", json_boolean(f.all.has_board_class[BOARD_CLASS_SILICON]));
    if (r->links)
        put(o, "chain", json_pack("{s:o, s:s}", "links", count(r->links), "head", r->head));
    if (r->changed)
        put(o, "changed", json_true());
    put(o, "dropped", count(r->dropped));
    put(o, "dropped_reasons", reasons_json(r));
    put(o, "tally", tally_json(&f.all.tally));
    put(o, "runs", runs);
    put(o, "units", units);
    put(o, "findings", findings);
    if (r->inputs)
        put(o, "inputs", inputs_json(r));
    if (r->restarts)
        put(o, "restarts", count(r->restarts));
    if (r->engine_cases)
        put(o, "engine_cases", count(r->engine_cases));
    char *chars = json_dumps(o, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    if (!chars)
        abort();
    text_add(t, "%s\n", chars);
    free(chars);
    text_free(&title);
    json_decref(o);
}
