/* SPDX-License-Identifier: MIT */
#include "cli/where/vpm.h"
#include "model/core/memory.h"
#include "model/core/units.h"
#include "oracle/describe/clause_text.h"
#include "oracle/describe/escape.h"
#include "oracle/files/load.h"

#include <stdlib.h>
#include <string.h>

/* Adds the answer of one reading that differs from the first answer. */
static void print_reading(const struct vpm_question *q, unsigned c, unsigned r, const struct vpm_answer *a,
                          bool drawn, struct text *t)
{
    const struct clause *clause = unit_clause(q->tc.unit, c);
    const struct reading *reading = &clause->readings[r];
    struct text line = {0};
    text_add(&line, "%s=%s, which differs (%s; %s%s): %s", clause->id, reading->id, clause->where,
             evidence_words(reading->evidence), clause->silent ? "; the manual is silent or ambiguous" : "",
             reading->says);
    text_add(t, "\n");
    help_fill(t, text_chars(&line), line.length, 0, 2);
    text_add(t, "\n");
    if (drawn)
        text_add(t, "  the picture is that of profile bcm2835\n");
    else
        vpm_draw(q, a, t);
    text_free(&line);
}

/* Asks each other reading of the consulted clauses. `second` is an answer that was drawn already. */
static void ask_readings(struct vpm_question *q, const struct profile *p, const struct vpm_answer *first,
                         const struct vpm_answer *second, json_t *list, struct text *t)
{
    struct vpm_answer *other = memory_new(1, sizeof *other);
    const struct unit *u = q->tc.unit;
    for (unsigned c = 0; c < unit_clauses(u); c++)
        for (unsigned r = 0; covered(&first->coverage, c) && r < clause_readings(unit_clause(u, c)); r++) {
            struct profile changed = *p;
            if (r == p->reading[c])
                continue;
            changed.reading[c] = (uint8_t)r;
            vpm_answer(q, &changed, other);
            if (vpm_same(first, other))
                continue;
            print_reading(q, c, r, other, vpm_same(second, other), t);
            json_t *one = vpm_answer_json(q, other);
            json_object_set_new(one, "clause", json_string(unit_clause(u, c)->id));
            json_object_set_new(one, "reading", json_string(unit_clause(u, c)->readings[r].id));
            json_array_append_new(list, one);
        }
    free(other);
}

static bool answer_all(struct vpm_question *q, const struct arguments *a, json_t *profiles, json_t *readings,
                       struct text *t, struct error *e)
{
    const char *names[2] = {argument_profile(a), "bcm2835"};
    bool alone = a->option[OPTION_PROFILE] || a->rules.length;
    struct profile p, silicon;
    if (!profile_load(q->tc.unit, names[0], &p, e) || !profile_load(q->tc.unit, names[1], &silicon, e))
        return false;
    struct vpm_answer *first = memory_new(2, sizeof *first), *second = first + 1;
    vpm_answer(q, &p, first);
    vpm_answer(q, &silicon, second);
    bool same = alone || vpm_same(first, second);
    text_add(t, "\nprofile %s%s\n", names[0], same && !alone ? " and profile bcm2835, which agree" : "");
    vpm_draw(q, first, t);
    for (unsigned i = 0; i < (alone ? 1 : 2); i++) {
        json_t *one = vpm_answer_json(q, i ? second : first);
        json_object_set_new(one, "profile", json_text(names[i]));
        json_array_append_new(profiles, one);
    }
    if (!same) {
        text_add(t, "\nprofile bcm2835, which differs\n");
        vpm_draw(q, second, t);
    }
    ask_readings(q, &p, first, alone ? first : second, readings, t);
    free(first);
    return true;
}

int where_vpm(const struct arguments *a)
{
    struct error e = {0};
    struct text t = {0}, answers = {0};
    struct vpm_question *q = memory_new(1, sizeof *q);
    json_t *profiles = json_array(), *readings = json_array(), *j = NULL;
    bool good = vpm_ask(a, q, &e) && answer_all(q, a, profiles, readings, &answers, &e);
    if (good) {
        text_add(&t,
                 "%s%s%s\nThe model computed this. `misprint show CLAUSE` has the sources of a reading.\n",
                 text_chars(&q->setups), text_chars(&q->notes), text_chars(&answers));
        j = json_pack("{s:s, s:o, s:o, s:O, s:O}", "unit", q->tc.unit->name, "setups",
                      json_text(text_chars(&q->setups)), "assumed", json_text(text_chars(&q->notes)),
                      "profiles", profiles, "readings_that_differ", readings);
    }
    json_decref(profiles);
    json_decref(readings);
    text_free(&answers);
    vpm_free(q);
    free(q);
    return good ? print_result(a, &t, j, STATUS_EQUAL) : fail(STATUS_USAGE, &e);
}
