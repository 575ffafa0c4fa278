/* SPDX-License-Identifier: MIT */
#include "cli/bench/unknown_rows.h"

#include "cli/bench/bench.h"
#include "harness/system/machine.h"
#include "model/core/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- one row ---- */

static void append_change(const struct unit *u, const struct learn_change *c, json_t *list)
{
    struct text t = {0};
    learn_print_change(u, c, &t);
    json_array_append_new(list, json_string(text_chars(&t)));
    text_free(&t);
}

/* Returns the sentences of the hidden readings. */
static json_t *sentences(const struct unknown_board *b)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < b->hidden.count; i++) {
        const struct clause *c = unit_clause(b->unit, b->hidden.change[i].clause);
        struct text t = {0};
        text_add(&t, "%s: %s", c->title, c->readings[b->hidden.change[i].reading].says);
        json_array_append_new(list, json_string(text_chars(&t)));
        text_free(&t);
    }
    return list;
}

/* Names the step at which the search failed (enum learn_lost). */
static const char *lost_at(const struct unknown_result *r)
{
    static const char *const steps[] = {
        [LEARN_LOST_NOTHING] = "nothing",
        [LEARN_LOST_NO_POINT] = "no point",
        [LEARN_LOST_NO_EXPRESSION] = "no expression",
        [LEARN_LOST_NO_GUARD] = "no guard",
        [LEARN_LOST_REFUTED] = "refuted",
        [LEARN_LOST_BUDGET] = "budget",
    };
    if (r->stated)
        return "";
    return r->learned.lost == LEARN_LOST_NOTHING && r->learned.end != LEARN_AGREES ? "budget"
                                                                                   : steps[r->learned.lost];
}

json_t *unknown_row(const struct unknown_board *b, const struct unknown_budget *o,
                    const struct unknown_result *r)
{
    const struct learn_result *l = &r->learned;
    json_t *learned = json_array(), *refuted = json_array();
    for (uint32_t i = 0; i < l->count; i++) {
        append_change(b->unit, &l->learned[i].change, learned);
        if (r->refuted[i])
            append_change(b->unit, &l->learned[i].change, refuted);
    }
    json_t *row = json_pack("{s:s, s:s, s:s, s:s, s:s, s:I, s:f, s:o, s:b, s:b, s:b, s:s}", "unit",
                            b->unit->name, "kind", b->kind, "name", b->name, "board", b->spec, "masks",
                            b->masks, "seed", (json_int_t)o->seed, "budget_seconds", o->seconds, "hidden",
                            sentences(b), "noticed", (int)(l->differing != 0), "stated", (int)r->stated,
                            "is_excused", (int)r->is_excused, "lost_at", lost_at(r));
    json_t *counts =
        json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "findings",
                  (json_int_t)l->count + l->asides, "unexplained", (json_int_t)l->asides, "fresh",
                  (json_int_t)r->fresh, "shown", (json_int_t)r->shown, "left", (json_int_t)r->left, "excused",
                  (json_int_t)r->excused, "unstated", (json_int_t)r->unstated, "unsteady",
                  (json_int_t)r->unsteady, "wrongly_blamed", (json_int_t)r->wrong, "false_rules",
                  (json_int_t)r->false_rules, "cases", (json_int_t)r->answered);
    json_object_update(row, counts);
    json_decref(counts);
    json_object_set_new(row, "learned", learned);
    json_object_set_new(row, "refuted", refuted);
    json_object_set_new(row, "seconds", json_real(r->seconds));
    json_object_set_new(row, "processor_seconds", json_real(r->processor));
    json_object_set_new(row, "rate", json_real(r->rate));
    return row;
}

static const char *text_of(const json_t *row, const char *key)
{
    const char *text = json_string_value(json_object_get(row, key));
    return text ? text : "";
}

static double number_of(const json_t *row, const char *key)
{
    const json_t *j = json_object_get(row, key);
    return json_is_true(j) ? 1 : json_number_value(j);
}

bool unknown_row_fits(const json_t *row, const struct unknown_board *b, const struct unknown_budget *o)
{
    return !strcmp(text_of(row, "unit"), b->unit->name) && !strcmp(text_of(row, "kind"), b->kind) &&
           !strcmp(text_of(row, "name"), b->name) && !strcmp(text_of(row, "board"), b->spec) &&
           !strcmp(text_of(row, "masks"), b->masks) &&
           number_of(row, "seed") == (double)o->seed && /* exact: both came from integers or one text */
           number_of(row, "budget_seconds") >= o->seconds - 1e-6 &&
           number_of(row, "budget_seconds") <= o->seconds + 1e-6;
}

static void list_texts(const json_t *list, struct text *t)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        text_add(t, "%s%s", i ? "; " : "", json_string_value(json_array_get(list, i)));
}

void unknown_row_say(const json_t *row, struct text *t)
{
    if (number_of(row, "stated") > 0)
        text_add(t, "cause stated");
    else if (number_of(row, "noticed") > 0)
        text_add(t, "cause not stated, %.0f of %.0f fresh cases differ", number_of(row, "left"),
                 number_of(row, "fresh"));
    else
        text_add(t, "not noticed");
    if (number_of(row, "is_excused") > 0)
        text_add(t, ", %.0f excused as undefined", number_of(row, "excused"));
    text_add(t, "; %.0f finding%s, %.0f cases, %.1f s", number_of(row, "findings"),
             plural((uint64_t)number_of(row, "findings")), number_of(row, "cases"),
             number_of(row, "seconds"));
    if (json_array_size(json_object_get(row, "learned"))) {
        text_add(t, "; learned ");
        list_texts(json_object_get(row, "learned"), t);
    }
    if (json_array_size(json_object_get(row, "refuted"))) {
        text_add(t, "; of these refuted: ");
        list_texts(json_object_get(row, "refuted"), t);
    }
}

/* ---- tables ---- */

static double median(const json_t *rows, const char *unit, const char *kind, const char *key)
{
    double *list = memory_new(json_array_size(rows) + 1, sizeof *list), value;
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        if ((!unit || !strcmp(unit, text_of(row, "unit"))) && (!kind || !strcmp(kind, text_of(row, "kind"))))
            list[count++] = number_of(row, key);
    }
    qsort(list, count, sizeof *list, by_value);
    value = count ? list[count / 2] : 0;
    free(list);
    return value;
}

/* Prints the sums over the rows of one unit and kind. NULL: over all units, all kinds. */
static void print_sums(const json_t *rows, const char *unit, const char *kind, struct text *t)
{
    double boards = 0, noticed = 0, stated = 0, findings = 0, few = 0, wrong = 0, excused = 0, rules = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        if ((unit && strcmp(unit, text_of(row, "unit")) != 0) ||
            (kind && strcmp(kind, text_of(row, "kind")) != 0))
            continue;
        boards++;
        noticed += number_of(row, "noticed");
        stated += number_of(row, "stated");
        findings += number_of(row, "findings");
        few += number_of(row, "findings") <= 3;
        wrong += number_of(row, "wrongly_blamed") > 0;
        excused += number_of(row, "is_excused");
        rules += number_of(row, "false_rules") > 0;
    }
    if (boards < 1)
        return;
    text_add(t, "| %s | %s | %.0f | %.0f | %.0f | %.0f %% | %.1f | %.0f %% | %.0f | %.0f | %.0f ",
             unit ? unit : "all", kind ? kind : "all", boards, noticed, stated, 100 * stated / boards,
             findings / boards, 100 * few / boards, wrong, excused, rules);
    text_add(t, "| %.0f | %.1f | %.0f %% |\n", median(rows, unit, kind, "cases"),
             median(rows, unit, kind, "seconds"), 100 * median(rows, unit, kind, "rate"));
}

/* Returns the kinds of the rows, in the order in which they first appear. */
static json_t *kinds_of(const json_t *rows)
{
    json_t *seen = json_object(), *list = json_array();
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const char *kind = text_of(json_array_get(rows, i), "kind");
        if (json_object_get(seen, kind))
            continue;
        json_object_set_new(seen, kind, json_true());
        json_array_append_new(list, json_string(kind));
    }
    json_decref(seen);
    return list;
}

/* Adds a cell with the texts of a list. Escapes each bar, because a bar would end the cell. */
static void add_cell(const json_t *list, struct text *t)
{
    struct text cell = {0};
    list_texts(list, &cell);
    text_add(t, " | ");
    for (const char *at = text_chars(&cell); *at; at++)
        text_add(t, *at == '|' ? "\\%c" : "%c", *at);
    text_free(&cell);
}

static void print_lost(const json_t *rows, struct text *t)
{
    bool begun = false;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        if (number_of(row, "stated") > 0)
            continue;
        if (!begun)
            text_add(t,
                     "\n| unit | kind | board | left of fresh cases | lost at | learned | refuted | what the "
                     "board does |\n| --- | --- | --- | ---: | --- | --- | --- | --- |\n");
        begun = true;
        text_add(t, "| %s | %s | `%s` | %.0f of %.0f | %s", text_of(row, "unit"), text_of(row, "kind"),
                 text_of(row, "name"), number_of(row, "left"), number_of(row, "fresh"),
                 text_of(row, "lost_at"));
        add_cell(json_object_get(row, "learned"), t);
        add_cell(json_object_get(row, "refuted"), t);
        add_cell(json_object_get(row, "hidden"), t);
        text_add(t, " |\n");
    }
}

void unknown_rows_print(const json_t *rows, unsigned left_out, struct text *t)
{
    char machine[256];
    machine_describe(machine, sizeof machine);
    json_t *kinds = kinds_of(rows);
    text_add(t, "%s\n", machine);
    if (left_out)
        text_add(t, "Left out: %u reading%s that change no defined bit in generated cases.\n", left_out,
                 plural(left_out));
    text_add(t,
             "\n| unit | kind | boards | noticed | stated | share | findings | at most 3 | wrongly blamed | "
             "excused | false rules | cases | s | rate |\n"
             "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | "
             "---: |\n");
    for (size_t k = 0; k < json_array_size(kinds); k++) {
        const char *kind = json_string_value(json_array_get(kinds, k));
        for (unsigned i = 0; unit_at(i); i++)
            print_sums(rows, unit_at(i)->name, kind, t);
        print_sums(rows, NULL, kind, t);
    }
    print_sums(rows, NULL, NULL, t);
    print_lost(rows, t);
    json_decref(kinds);
}
