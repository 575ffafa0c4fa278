/* SPDX-License-Identifier: MIT */
/*
 * The JSON report; its schema is oracle/report/report.schema.json. Keys come in a
 * fixed order. Numbers that may pass 2^53 (seed, signature) are strings,
 * because many readers hold numbers as doubles.
 */
#include "oracle/describe/clause_text.h"
#include "oracle/describe/escape.h"
#include "oracle/report/report_facts.h"

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
        abort(); /* only without memory: every string was cleaned */
}

static json_t *board_json(const struct board_identity *b)
{
    json_t *o = json_object();
    put(o, "spec", json_text(b->spec));
    put(o, "kind", json_text(b->kind));
    put(o, "description", json_text(b->description));
    put(o, "provenance", json_text(b->provenance));
    put(o, "evidence", json_text(board_class_key[board_class(b)]));
    put(o, "memory_base", hex32(b->memory_base));
    put(o, "code_base", hex32(b->code_base));
    return o;
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
        json_t *one = json_object();
        put(one, "seconds", json_real(at->seconds));
        put(one, "cases", count(at->cases));
        put(one, "clauses", count(at->clauses));
        put(one, "pairs", count(at->pairs));
        put(one, "findings", count(at->findings));
        json_array_append_new(list, one);
    }
    return list;
}

static json_t *run_json(const struct run_facts *r, const struct report_progress *progress /* or NULL */)
{
    char seed[24];
    json_t *o = json_object();
    snprintf(seed, sizeof seed, "%" PRIu64, r->seed);
    put(o, "command", json_text(r->command));
    put(o, "unit", json_text(r->unit));
    put(o, "profile", json_text(r->profile));
    put(o, "board", board_json(&r->board));
    put(o, "seed", json_text(seed));
    put(o, "seconds", json_real(r->seconds >= 0 && r->seconds < 1e15 ? r->seconds : 0));
    put(o, "machine", json_text(r->machine));
    put(o, "engine", json_text(r->engine));
    put(o, "interrupted", json_boolean(r->interrupted));
    put(o, "tally", tally_json(&r->tally));
    if (progress)
        put(o, "progress", progress_json(progress));
    return o;
}

static json_t *coverage_json(const struct unit_facts *u)
{
    json_t *o = json_object();
    for (unsigned i = 0; u->unit && i < unit_clauses(u->unit); i++) {
        const struct clause *c = unit_clause(u->unit, i);
        json_t *one = json_object();
        put(one, "modes_touched", count((uint64_t)__builtin_popcount(u->coverage.modes[i])));
        put(one, "modes", count(clause_modes(c)));
        put(one, "findings", count(u->clause_findings[i]));
        put(o, c->id, one);
    }
    return o;
}

static json_t *unit_json(const struct unit_facts *u)
{
    json_t *o = json_object(), *findings = json_object();
    for (unsigned w = 0; w < BOARD_CLASSES; w++) {
        json_t *verdicts = json_object();
        for (unsigned v = 0; v < VERDICTS; v++)
            put(verdicts, verdict_name((enum verdict)v), count(u->findings[w][v]));
        put(findings, board_class_key[w], verdicts);
    }
    put(o, "name", json_text(u->name));
    put(o, "findings", findings);
    put(o, "tally", tally_json(&u->tally));
    put(o, "clauses", coverage_json(u));
    return o;
}

static json_t *explanation_json(const struct finding_view *v)
{
    const struct explanation *e = &v->finding->explanation;
    json_t *o = json_object(), *candidates = json_array();
    for (unsigned i = 0; i < e->candidates; i++)
        json_array_append_new(candidates, cause_to_json(v->finding->unit, &e->candidate[i]));
    put(o, "causes", candidates);
    put(o, "more_causes", json_boolean(e->more_candidates));
    put(o, "only_undefined", json_boolean(e->masked));
    put(o, "search_cut", json_boolean(e->cut));
    put(o, "nearest", cause_to_json(v->finding->unit, &e->nearest));
    put(o, "nearest_bits",
        e->candidates || !e->nearest.count || e->nearest_bits == DISTANCE_ENDS ? json_null()
                                                                               : count(e->nearest_bits));
    return o;
}

static json_t *word_json(const struct finding_view *v, const struct word_difference *d)
{
    const struct region *g = layout_region(&v->finding->unit->layout, d->row);
    json_t *o = json_object();
    put(o, "region", json_text(g->name));
    put(o, "row", count((uint64_t)(d->row - g->first_row)));
    put(o, "column", count(d->col));
    put(o, "model", hex32(d->model));
    put(o, "board", hex32(d->board));
    put(o, "mask", hex32(d->mask));
    return o;
}

static json_t *difference_json(const struct finding_view *v)
{
    if (!v->shown)
        return json_null();
    json_t *o = json_object(), *list = json_array();
    for (uint32_t i = 0; i < v->differences.listed; i++)
        json_array_append_new(list, word_json(v, &v->differences.word[i]));
    put(o, "model_end", json_text(end_name(v->picture.side[SIDE_MODEL]->end)));
    put(o, "board_end", json_text(end_name(v->picture.side[SIDE_BOARD]->end)));
    put(o, "words", count(v->differences.words));
    put(o, "bits", count(v->differences.bits));
    put(o, "listed", list);
    return o;
}

static json_t *clauses_json(const struct finding_view *v, struct text *w)
{
    struct named_clause named[NAMED_CLAUSES_MAX];
    json_t *list = json_array();
    for (unsigned i = 0, n = finding_clauses(v->finding, named); i < n; i++) {
        const struct clause *c = unit_clause(v->finding->unit, named[i].index);
        json_t *o = clause_to_json(c);
        put(o, "followed",
            named[i].followed < 0 ? json_null() : json_text(c->readings[named[i].followed].id));
        words_support(v, &named[i], w);
        put(o, "supported", words(w));
        json_array_append_new(list, o);
    }
    return list;
}

/* Every board that showed it; empty where that is not known. */
static json_t *boards_json(const struct finding_view *v)
{
    json_t *list = json_array();
    for (unsigned i = 0; v->boards && i < v->boards->boards; i++) {
        json_t *one = json_object();
        put(one, "board", board_json(&v->boards->board[i].board));
        put(one, "cases", count(v->boards->board[i].cases));
        put(one, "label", json_text(v->boards->board[i].label));
        json_array_append_new(list, one);
    }
    return list;
}

static json_t *finding_json(const struct finding_view *v)
{
    const struct finding *f = v->finding;
    char signature[24], file[40];
    struct text w = {0};
    json_t *o = json_object();
    snprintf(signature, sizeof signature, "%016" PRIX64, f->signature);
    snprintf(file, sizeof file, "cases/%s.case", f->id);
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
    put(o, "signature", json_text(signature));
    put(o, "explanation", explanation_json(v));
    put(o, "clauses", clauses_json(v, &w));
    put(o, "label", json_text(f->label));
    put(o, "case_file", json_text(file));
    if (f->smallest)
        case_print(f->smallest, &w);
    put(o, "smallest_case", words(&w));
    put(o, "difference", difference_json(v));
    text_free(&w);
    return o;
}

static json_t *reasons_json(const struct report *r)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < r->reasons; i++) {
        json_t *one = json_object();
        put(one, "reason", json_text(r->reason[i].reason));
        put(one, "cases", count(r->reason[i].cases));
        put(one, "proofs_disagree", json_boolean(dropped_by_disagreement(r->reason[i].reason)));
        json_array_append_new(list, one);
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
    if (r->links) {
        json_t *chain = json_object();
        put(chain, "links", count(r->links));
        put(chain, "head", json_text(r->head));
        put(o, "chain", chain);
    }
    put(o, "dropped", count(r->dropped));
    put(o, "dropped_reasons", reasons_json(r));
    put(o, "tally", tally_json(&f.all.tally));
    put(o, "runs", runs);
    put(o, "units", units);
    put(o, "findings", findings);
    if (r->inputs)
        put(o, "inputs", inputs_json(r));
    char *chars = json_dumps(o, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    if (!chars)
        abort();
    text_add(t, "%s\n", chars);
    free(chars);
    text_free(&title);
    json_decref(o);
}
