/* SPDX-License-Identifier: MIT */
#include "cli/adjudicate/questions.h"
#include "cli/cli.h"
#include "oracle/describe/escape.h"

#include <inttypes.h>
#include <string.h>

static const char *const certainty_names[] = {[CERTAIN] = "certain", [LIKELY] = "likely", [OPEN] = "open"};

static const struct {
    const char *id, *says;
} why_rows[OPEN_WHYS] = {
    [OPEN_NOT] = {"", ""},
    [OPEN_NOT_TRIED] = {"not-tried", "the others are ruled out"},
    [OPEN_NO_CASE] = {"no-case", ""}, /* add_not_asked */
    [OPEN_UNDEFINED] = {"undefined", "they differ only in bits that one of them leaves undefined"},
    [OPEN_TIED] = {"tied", "the answer depends on another open clause"},
    [OPEN_NO_ANSWER] = {"no-answer", "the board gave no outcome for the cases on which they differ"},
    [OPEN_UNEXPLAINED] = {"unexplained",
                          "no reading fits what the board did on the cases on which they differ"},
    [OPEN_FOREIGN] = {"foreign", "given up: no reading fits much of what the board did"},
    [OPEN_SILENT] = {"silent", "the board's outcomes do not show the bits in which they differ"},
    [OPEN_CUT] = {"cut", "the search was cut short"},
};

/* Was no case found whose outcome would have decided the clause? */
static bool not_asked(const struct question *q, unsigned clause)
{
    const struct judgement *g = &q->result.clause[clause];
    return g->certainty == OPEN && g->why == OPEN_NO_CASE;
}

struct answer_counts answers_count(const struct question *q)
{
    struct answer_counts n = {0};
    for (unsigned i = 0; i < unit_clauses(q->unit); i++) {
        if (q->wanted[i] && not_asked(q, i))
            n.not_asked++;
        else
            n.certainty[q->result.clause[i].certainty] += q->wanted[i];
    }
    for (unsigned i = 0; i < q->result.cases; i++) {
        n.unanswered += q->result.asked[i].answer != ANSWER_OUTCOME;
        n.conflicts += q->result.asked[i].conflict;
    }
    return n;
}

/* Adds the readings of a bit set, except the chosen one: "a, b". */
static void add_readings(const struct question *q, unsigned clause, uint8_t set, struct text *t)
{
    const struct clause *c = unit_clause(q->unit, clause);
    const char *before = "";
    for (unsigned k = 0; k < clause_readings(c); k++) {
        if (k == q->result.profile.reading[clause] || !(set >> k & 1))
            continue;
        text_add(t, "%s%s", before, c->readings[k].id);
        before = ", ";
    }
}

/* Says how certain a result is, and why: "certain: 3 cases tested it and agree". */
static void add_certainty(const struct question *q, unsigned clause, struct text *t)
{
    const struct judgement *g = &q->result.clause[clause];
    if (not_asked(q, clause)) {
        text_add(t, "not asked: no case %s distinguishes it from ",
                 q->traced ? "of the trace" : "was found that");
        add_readings(q, clause, g->left, t);
        return;
    }
    text_add(t, "%s: ", certainty_names[g->certainty]);
    if (g->certainty == CERTAIN) {
        if (q->known[clause])
            text_add(t, "decided by the cases of another unit");
        else
            text_add(t, "%" PRIu32 " case%s tested it and agree%s", g->passed, plural(g->passed),
                     g->passed == 1 ? "s" : "");
    } else if (g->why == OPEN_NOT_TRIED) {
        text_add(t, "%s, but no case tested it against ", why_rows[g->why].says);
        add_readings(q, clause, g->untried, t);
        text_add(t, ", because it leaves undefined what the board did there");
    } else {
        text_add(t, "also possible: ");
        add_readings(q, clause, g->left, t);
        text_add(t, "; %s", why_rows[g->why].says);
        if (g->why == OPEN_TIED)
            text_add(t, ": %s", unit_clause(q->unit, g->with)->id);
    }
}

static void print_conflicts(const struct question *q, struct text *t)
{
    for (unsigned i = 0; i < q->result.cases; i++) {
        const struct asked *k = &q->result.asked[i];
        if (!k->conflict)
            continue;
        text_add(t, "  case '%s' is not used as evidence: %s\n", k->name,
                 k->flaky ? "the board does not repeat its outcome (flaky)"
                          : "no readings that fit the other cases give what the board did (unexplained)");
        if (k->made)
            case_print(k->made, t);
    }
}

static const struct reading *chosen(const struct question *q, unsigned clause)
{
    return &unit_clause(q->unit, clause)->readings[q->result.profile.reading[clause]];
}

static void print_clauses(const struct question *q, struct text *t)
{
    int width = 0, reading_width = 0;
    for (unsigned i = 0; i < unit_clauses(q->unit); i++) {
        int id = (int)strlen(unit_clause(q->unit, i)->id), reading = (int)strlen(chosen(q, i)->id);
        width = q->wanted[i] && id > width ? id : width;
        reading_width = q->wanted[i] && reading > reading_width ? reading : reading_width;
    }
    for (unsigned i = 0; i < unit_clauses(q->unit); i++) {
        if (!q->wanted[i])
            continue;
        text_add(t, "  %-*s  %-*s  ", width, unit_clause(q->unit, i)->id, reading_width, chosen(q, i)->id);
        add_certainty(q, i, t);
        text_add(t, "\n");
    }
}

/* Says which cases decided, and whether the model under the readings found agrees with the board. */
static void print_cases(const struct question *q, const struct answer_counts *n, struct text *t)
{
    const struct adjudication *a = &q->result;
    unsigned used = a->cases - n->unanswered - n->conflicts;
    if (!a->cases) {
        text_add(t, "no case was compared\n");
        return;
    }
    text_add(t, "%u case%s %s: %u %s used, %u had no outcome, %u fit%s no reading", a->cases,
             plural(a->cases), q->traced ? "of the trace decided" : "ran on the board", used,
             used == 1 ? "is" : "are", n->unanswered, n->conflicts, n->conflicts == 1 ? "s" : "");
    if (a->made)
        text_add(t, " (%" PRIu64 " were generated to find them)", a->made);
    text_add(t, "\n");
    if (used)
        text_add(t, "%s in the %u case%s used\n",
                 a->verified ? "under these readings the model agrees with the board"
                             : "no readings were found under which the model agrees with the board",
                 used, plural(used));
    if (q->traced)
        text_add(t,
                 "%" PRIu64 " case%s of the trace touch%s these clauses: the model agrees in %" PRIu64
                 " and differs in %" PRIu64 "\n",
                 a->touching, plural(a->touching), a->touching == 1 ? "es" : "", a->touching - a->differing,
                 a->differing);
    if (a->differing)
        text_add(t, "what differs may follow from clauses that were not asked (`misprint replay`)\n");
}

void answers_print(const struct questions *s, const struct question *q, struct text *t)
{
    struct answer_counts n = answers_count(q);
    text_add(t, "%s on %s (%s)\n", q->unit->name, q->who.spec,
             q->who.silicon ? "measured on silicon" : "no silicon");
    if (!s->list)
        print_clauses(q, t);
    print_conflicts(q, t);
    text_add(t, "%u certain, %u likely, %u open, %u not asked\n", n.certainty[CERTAIN], n.certainty[LIKELY],
             n.certainty[OPEN], n.not_asked);
    print_cases(q, &n, t);
}

void answers_print_list(const struct questions *s, struct text *t)
{
    text_add(t, "%s: %u question%s, the most valuable first\n", s->list, s->listed_count,
             plural(s->listed_count));
    for (unsigned i = 0; i < s->listed_count; i++) {
        const struct listed *l = &s->listed[i];
        const struct judgement *g = &l->q->result.clause[l->clause];
        text_add(t, "%2u. %s (%s)\n    ", i + 1, l->text, unit_clause(l->q->unit, l->clause)->id);
        if (!l->q->run) {
            text_add(t, "not asked\n");
            continue;
        }
        if (g->certainty != OPEN)
            text_add(t, "%s: %s\n    ", chosen(l->q, l->clause)->id, chosen(l->q, l->clause)->says);
        add_certainty(l->q, l->clause, t);
        text_add(t, "\n");
    }
}

static json_t *readings_json(const struct clause *c, uint8_t set)
{
    json_t *list = json_array();
    for (unsigned k = 0; k < clause_readings(c); k++)
        if (set >> k & 1)
            json_array_append_new(list, json_string(c->readings[k].id));
    return list;
}

static json_t *clause_result_json(const struct question *q, unsigned i)
{
    const struct clause *c = unit_clause(q->unit, i);
    const struct judgement *g = &q->result.clause[i];
    json_t *o = json_pack("{s:s, s:s, s:s, s:o, s:I, s:o}", "clause", c->id, "reading",
                          c->readings[q->result.profile.reading[i]].id, "certainty",
                          certainty_names[g->certainty], "possible", readings_json(c, g->left), "trials",
                          (json_int_t)g->passed, "untried", readings_json(c, g->untried));
    if (q->known[i])
        json_object_set_new(o, "known", json_true());
    if (g->certainty != CERTAIN)
        json_object_set_new(o, "why", json_string(why_rows[g->why].id));
    if (g->why == OPEN_TIED)
        json_object_set_new(o, "with", json_string(unit_clause(q->unit, g->with)->id));
    return o;
}

static json_t *case_json(const struct asked *k)
{
    const char *came = k->flaky ? "flaky" : k->conflict ? "unexplained" : answer_name(k->answer);
    json_t *o = json_pack("{s:o, s:b, s:s, s:I}", "name", json_text(k->name), "made", k->made != NULL, "came",
                          came, "settled", (json_int_t)k->settled);
    if (k->reason[0])
        json_object_set_new(o, "reason", json_text(k->reason));
    if (k->made) {
        struct text t = {0};
        case_print(k->made, &t);
        json_object_set_new(o, "text", json_text(text_chars(&t)));
        text_free(&t);
    }
    return o;
}

json_t *answers_json(const struct questions *s, const struct question *q)
{
    json_t *clauses = json_array(), *cases = json_array();
    for (unsigned i = 0; i < unit_clauses(q->unit); i++)
        if (q->wanted[i])
            json_array_append_new(clauses, clause_result_json(q, i));
    for (unsigned i = 0; i < q->result.cases; i++)
        json_array_append_new(cases, case_json(&q->result.asked[i]));
    return json_pack("{s:s, s:o, s:b, s:o, s:I, s:I, s:I, s:f, s:I, s:b, s:b, s:o, s:o}", "unit",
                     q->unit->name, "board", json_text(q->who.spec), "silicon", (int)q->who.silicon,
                     "profile", json_text(s->profile_name), "cases_run", (json_int_t)q->result.cases,
                     "touching", (json_int_t)q->result.touching, "differing", (json_int_t)q->result.differing,
                     "bits", q->result.bits, "made", (json_int_t)q->result.made, "verified",
                     (int)q->result.verified, "cut", (int)q->result.cut, "clauses", clauses, "cases", cases);
}

void answers_profile(const struct questions *s, struct text *t)
{
    text_add(t, "# What a board follows, found by `misprint adjudicate`; elsewhere as in profile %s.\n",
             s->profile_name);
    for (unsigned i = 0; i < s->asked; i++) {
        const struct question *q = s->order[i];
        if (!q->run)
            continue;
        char about[2048];
        text_copy_utf8(about, sizeof about, q->who.spec, strlen(q->who.spec));
        text_add(t, "\n# %s on %s (%s), %u cases\n", q->unit->name, about,
                 q->who.silicon ? "measured on silicon" : "no silicon", q->result.cases);
        for (unsigned k = 0; k < unit_clauses(q->unit); k++) {
            const struct clause *c = unit_clause(q->unit, k);
            text_add(t, "%s = %s", c->id, c->readings[q->result.profile.reading[k]].id);
            if (q->result.clause[k].certainty != CERTAIN) {
                text_add(t, " # ");
                add_certainty(q, k, t);
            }
            text_add(t, "\n");
        }
    }
}
