/* SPDX-License-Identifier: MIT */
/* `misprint adjudicate` finds out which reading of each clause a board follows. */
#include "fuzz/campaign/adjudicate.h"
#include "cli/cli.h"
#include "cli/session/board.h"
#include "model/core/memory.h"
#include "oracle/describe/escape.h"
#include "oracle/files/corpus.h"
#include "oracle/files/file.h"
#include "oracle/files/load.h"
#include "oracle/files/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    UNITS_MAX = 32,
    RECORDS_MAX = 2048, /* limit of cases that are read from a trace, because each takes 64 KiB */
};

/* One unit: which of its clauses the user asked about, and the results. */
struct question {
    const struct unit *unit;
    bool asked; /* the user named the unit or one of its clauses */
    bool wanted[CLAUSES_MAX], known[CLAUSES_MAX];
    struct profile profile;
    struct board *board;
    struct corpus *corpus;
    struct adjudicate_seed *seed;
    struct corpus recorded; /* the cases, if the board is a trace */
    struct adjudication result;
    bool run;
};

struct questions {
    struct question q[UNITS_MAX];
    unsigned count;
    char *folder; /* the corpus folder; NULL: not installed */
    const char *profile_name;
    uint64_t seed, max_cases;
    double max_seconds;
};

static const char *const certainty_names[] = {[CERTAIN] = "certain", [LIKELY] = "likely", [OPEN] = "open"};

static const struct {
    const char *id, *says;
} why_rows[OPEN_WHYS] = {
    [OPEN_NOT] = {"", ""},
    [OPEN_NOT_TRIED] = {"not-tried", "the others are ruled out"},
    [OPEN_NO_CASE] = {"no-case", "no case was found on which the readings differ"},
    [OPEN_UNDEFINED] = {"undefined", "they differ only in bits that one of them leaves undefined"},
    [OPEN_TIED] = {"tied", "the answer depends on another open clause"},
    [OPEN_NO_ANSWER] = {"no-answer", "the board gave no outcome for the cases on which they differ"},
    [OPEN_UNEXPLAINED] = {"unexplained",
                          "no reading fits what the board did on the cases on which they differ"},
    [OPEN_FOREIGN] = {"foreign", "given up: no reading fits much of what the board did"},
    [OPEN_SILENT] = {"silent", "the board's outcomes do not show the bits in which they differ"},
    [OPEN_CUT] = {"cut", "the search was cut short"},
};

/* ---- the questions ---- */

static const char *name_of_any(const void *context, unsigned i)
{
    unsigned units = 0;
    while (unit_at(units))
        units++;
    return i < units ? unit_at(i)->name : name_of_any_clause(context, i - units);
}

/* Marks a clause as wanted. If several units have the clause, prefers one whose corpus has cases for it. */
static bool ask_clause(struct questions *s, const char *id)
{
    struct question *best = NULL;
    int clause = -1;
    for (unsigned i = 0; i < s->count; i++) {
        struct question *q = &s->q[i];
        int index = unit_clause_index(q->unit, id);
        bool better = index >= 0 && (!best || (q->corpus && corpus_separating(q->corpus, id, 0) &&
                                               !(best->corpus && corpus_separating(best->corpus, id, 0))));
        if (!better)
            continue;
        best = q;
        clause = index;
    }
    if (!best)
        return false;
    best->asked = best->wanted[clause] = true;
    return true;
}

static bool ask_word(struct questions *s, const char *word, struct error *e)
{
    for (unsigned i = 0; i < s->count; i++) {
        struct question *q = &s->q[i];
        if (strcmp(q->unit->name, word) != 0)
            continue;
        q->asked = true;
        memset(q->wanted, true, sizeof q->wanted);
        return true;
    }
    if (ask_clause(s, word))
        return true;
    return error_unknown(e, "unit or clause", word, name_of_any, NULL,
                         "`misprint units` and `misprint clauses` list them");
}

static bool open_questions(struct questions *s, const struct arguments *a, struct error *e)
{
    s->profile_name = argument_profile(a);
    s->folder = corpus_find();
    for (; unit_at(s->count) && s->count < UNITS_MAX; s->count++) {
        struct question *q = &s->q[s->count];
        q->unit = unit_at(s->count);
        if (s->folder && !(q->corpus = corpus_open(q->unit, s->folder, e)))
            return false;
    }
    for (int i = 0; i < a->words; i++)
        if (!ask_word(s, a->word[i], e))
            return false;
    if (!argument_number(a, OPTION_SEED, 1, &s->seed, e) ||
        !argument_count(a, OPTION_CASES, &s->max_cases, e) ||
        !argument_seconds(a, OPTION_TIME, &s->max_seconds, e))
        return false;
    for (unsigned i = 0; i < s->count; i++) { /* find all errors before anything runs */
        struct question *q = &s->q[i];
        if (q->asked && (!profile_load(q->unit, s->profile_name, &q->profile, e) ||
                         !(q->board = session_board(a, a->option[OPTION_BOARD], q->unit, &q->profile, e))))
            return false;
    }
    return !a->option[OPTION_OUTPUT] || file_check_new(a->option[OPTION_OUTPUT], e);
}

static void close_questions(struct questions *s)
{
    for (unsigned i = 0; i < s->count; i++) {
        adjudication_free(&s->q[i].result);
        board_close(s->q[i].board);
        corpus_close(s->q[i].corpus);
        corpus_clear(&s->q[i].recorded);
        free(s->q[i].seed);
    }
    free(s->folder);
    free(s);
}

/* Copies the readings of shared clauses that cases of other units have decided. */
static void carry_over(const struct questions *s, struct question *to)
{
    for (unsigned i = 0; i < s->count; i++) {
        const struct question *from = &s->q[i];
        for (unsigned k = 0; from->run && k < unit_clauses(from->unit); k++) {
            int clause = unit_clause_index(to->unit, unit_clause(from->unit, k)->id);
            if (from == to || clause < 0 || from->result.clause[k].certainty != CERTAIN)
                continue;
            to->known[clause] = true;
            to->profile.reading[clause] = from->result.profile.reading[k];
        }
    }
}

/* Reads the cases of a trace, because a trace as a board has outcomes for these cases only. */
static bool read_trace(struct question *q, struct error *e)
{
    const char *path = q->board->identity.spec + strlen("trace:"), *label;
    struct trace_reader *r = trace_open(path, e);
    struct outcome *o = outcome_new(q->unit);
    int more = r ? 1 : -1;
    while (more > 0 && q->recorded.count < RECORDS_MAX) {
        struct corpus_entry n = {.tc = malloc(sizeof *n.tc)};
        more = n.tc ? trace_next(r, n.tc, o, &label, e) : -1;
        if (!n.tc)
            error_memory(e, "reading %s", path);
        n.name = more > 0 ? strdup(label) : NULL;
        if (more <= 0 || !corpus_add(&q->recorded, &n, e)) {
            more = more > 0 ? -1 : more;
            free(n.name);
            free(n.tc);
        }
    }
    struct trace_record next;
    if (more > 0 && trace_next_record(r, &next, e) > 0)
        fprintf(stderr, "misprint: %s: only the first %d cases are used\n", path, RECORDS_MAX);
    outcome_free(o);
    trace_close(r);
    return more >= 0;
}

static bool run_question(const struct questions *s, struct question *q, struct error *e)
{
    bool trace = !strcmp(q->board->identity.kind, "trace");
    const struct corpus *from = trace ? &q->recorded : q->corpus;
    if (trace && !read_trace(q, e))
        return false;
    unsigned seeds = from ? from->count : 0;
    q->seed = memory_new(seeds + 1, sizeof *q->seed);
    for (unsigned i = 0; i < seeds; i++)
        q->seed[i] = (struct adjudicate_seed){from->entry[i].tc, from->entry[i].name};
    carry_over(s, q);
    struct adjudicate_options o = {
        .board = q->board,
        .profile = &q->profile,
        .wanted = q->wanted,
        .known = q->known,
        .seed = q->seed,
        .seeds = seeds,
        .only_seeds = trace,
        .random_seed = s->seed,
        .max_cases = s->max_cases,
        .max_seconds = s->max_seconds,
        .stop = &interrupted,
    };
    q->run = true;
    return adjudicate(&o, &q->result, e);
}

/* ---- the results ---- */

struct counts {
    unsigned certainty[OPEN + 1], unanswered, conflicts;
};

static struct counts count_results(const struct question *q)
{
    struct counts n = {{0}, 0, 0};
    for (unsigned i = 0; i < unit_clauses(q->unit); i++)
        n.certainty[q->result.clause[i].certainty] += q->wanted[i];
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

/* Says why a result is certain or not: ": 3 cases could have refuted it", or ": also possible: READING,
 * READING; WHY". */
static void add_reason(const struct question *q, unsigned clause, struct text *t)
{
    const struct judgement *g = &q->result.clause[clause];
    if (g->certainty == CERTAIN) {
        if (q->known[clause])
            text_add(t, ": decided by the cases of another unit");
        else
            text_add(t, ": %" PRIu32 " case%s could have refuted it", g->passed, plural(g->passed));
    } else if (g->why == OPEN_NOT_TRIED) {
        text_add(t, ": %s, but no case could have refuted it in favour of ", why_rows[g->why].says);
        add_readings(q, clause, g->untried, t);
        text_add(t, ", because it leaves undefined what the board did there");
    } else {
        text_add(t, ": also possible: ");
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

static void print_question(const struct question *q, struct text *t)
{
    const struct adjudication *a = &q->result;
    struct counts n = count_results(q);
    int width = 0, reading_width = 0;
    for (unsigned i = 0; i < unit_clauses(q->unit); i++) {
        int id = (int)strlen(unit_clause(q->unit, i)->id),
            reading = (int)strlen(unit_clause(q->unit, i)->readings[a->profile.reading[i]].id);
        width = q->wanted[i] && id > width ? id : width;
        reading_width = q->wanted[i] && reading > reading_width ? reading : reading_width;
    }
    text_add(t, "%s on %s (%s)\n", q->unit->name, q->board->identity.spec,
             q->board->identity.silicon ? "measured on silicon" : "no silicon");
    for (unsigned i = 0; i < unit_clauses(q->unit); i++) {
        const struct clause *c = unit_clause(q->unit, i);
        if (!q->wanted[i])
            continue;
        text_add(t, "  %-*s  %-*s  %s", width, c->id, reading_width, c->readings[a->profile.reading[i]].id,
                 certainty_names[a->clause[i].certainty]);
        add_reason(q, i, t);
        text_add(t, "\n");
    }
    print_conflicts(q, t);
    unsigned used = a->cases - n.unanswered - n.conflicts;
    text_add(t,
             "%u certain, %u likely, %u open; the board ran %u case%s to decide %.1f bits (%u without an "
             "outcome, %u not used as evidence); %" PRIu64 " generated\n",
             n.certainty[CERTAIN], n.certainty[LIKELY], n.certainty[OPEN], a->cases, plural(a->cases),
             a->bits, n.unanswered, n.conflicts, a->made);
    text_add(t, "%s the %u case%s used as evidence\n",
             a->verified ? "under this profile the model contradicts the board in none of"
                         : "no profile was found under which the model contradicts the board in none of",
             used, plural(used));
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

static json_t *question_json(const struct questions *s, const struct question *q)
{
    json_t *clauses = json_array(), *cases = json_array();
    for (unsigned i = 0; i < unit_clauses(q->unit); i++)
        if (q->wanted[i])
            json_array_append_new(clauses, clause_result_json(q, i));
    for (unsigned i = 0; i < q->result.cases; i++)
        json_array_append_new(cases, case_json(&q->result.asked[i]));
    return json_pack("{s:s, s:o, s:b, s:o, s:I, s:f, s:I, s:b, s:b, s:o, s:o}", "unit", q->unit->name,
                     "board", json_text(q->board->identity.spec), "silicon", (int)q->board->identity.silicon,
                     "profile", json_text(s->profile_name), "cases_run", (json_int_t)q->result.cases, "bits",
                     q->result.bits, "made", (json_int_t)q->result.made, "verified", (int)q->result.verified,
                     "cut", (int)q->result.cut, "clauses", clauses, "cases", cases);
}

/* Writes a profile file for --profile. The file lists all clauses of the units, even those that the user did
 * not ask about, so that it means the same on top of any base profile. */
static void write_profile(const struct questions *s, struct text *t)
{
    text_add(t, "# What a board follows, found by `misprint adjudicate`; elsewhere as in profile %s.\n",
             s->profile_name);
    for (unsigned i = 0; i < s->count; i++) {
        const struct question *q = &s->q[i];
        if (!q->run)
            continue;
        char about[2048];
        text_copy_utf8(about, sizeof about, q->board->identity.spec, strlen(q->board->identity.spec));
        text_add(t, "\n# %s on %s (%s), %u cases\n", q->unit->name, about,
                 q->board->identity.silicon ? "measured on silicon" : "no silicon", q->result.cases);
        for (unsigned k = 0; k < unit_clauses(q->unit); k++) {
            const struct clause *c = unit_clause(q->unit, k);
            text_add(t, "%s = %s", c->id, c->readings[q->result.profile.reading[k]].id);
            if (q->result.clause[k].certainty != CERTAIN) {
                text_add(t, " # %s", certainty_names[q->result.clause[k].certainty]);
                add_reason(q, k, t);
            }
            text_add(t, "\n");
        }
    }
}

static int results_status(const struct questions *s)
{
    struct error e = {.of_machine = true};
    int status = STATUS_EQUAL;
    bool cut = false;
    for (unsigned i = 0; i < s->count; i++) {
        struct counts n = s->q[i].run ? count_results(&s->q[i]) : (struct counts){0};
        cut |= s->q[i].asked && !s->q[i].run;
        if (n.conflicts)
            status = STATUS_DIFFERENT;
        if (s->q[i].result.cases && n.unanswered == s->q[i].result.cases) {
            const char *reason = s->q[i].result.asked[0].reason;
            error_set(&e, "board %s gave no outcome for any of %u cases%s%s", s->q[i].board->identity.spec,
                      n.unanswered, reason[0] ? "; its first reason: " : "", reason);
            return fail(STATUS_BROKEN, &e);
        }
    }
    if ((cut || interrupted) && !output_closed) {
        error_set(&e, "interrupted before all clauses were decided");
        return fail(STATUS_BROKEN, &e);
    }
    return status;
}

static int print_results(const struct questions *s, const struct arguments *a)
{
    struct text t = {0}, profile = {0};
    json_t *list = json_array();
    const char *output = a->option[OPTION_OUTPUT];
    int status = STATUS_EQUAL;
    for (unsigned i = 0; i < s->count; i++) {
        if (!s->q[i].run)
            continue;
        json_array_append_new(list, question_json(s, &s->q[i]));
        print_question(&s->q[i], &t);
    }
    if (output && !strcmp(output, "-")) { /* standard output gets only the profile */
        text_free(&t);
        json_decref(list);
    } else {
        status = print_result(a, &t, list, status);
    }
    if (output && status == STATUS_EQUAL) {
        write_profile(s, &profile);
        status = write_text(output, &profile, status);
        text_free(&profile);
    }
    return status == STATUS_EQUAL ? results_status(s) : status;
}

static int run_adjudicate(const struct arguments *a)
{
    struct error e = {0};
    const char *output = a->option[OPTION_OUTPUT];
    if (a->option[OPTION_JSON] && output && !strcmp(output, "-"))
        return fail_usage("--json and -o - both write to standard output; name a file for one of them");
    struct questions *s = memory_new(1, sizeof *s);
    int status = STATUS_USAGE;
    bool good = true;
    catch_interrupts();
    if (open_questions(s, a, &e)) {
        if (!s->folder)
            fprintf(stderr, "misprint: the corpus is not installed here (MISPRINT_CORPUS names its "
                            "folder); all cases are generated\n");
        for (unsigned i = 0; good && !interrupted && i < s->count; i++)
            if (s->q[i].asked)
                good = run_question(s, &s->q[i], &e);
        status = print_results(s, a);
        if (!good)
            status = fail(STATUS_BROKEN, &e);
    } else {
        status = fail(status, &e);
    }
    close_questions(s);
    return status;
}

const struct command command_adjudicate = {
    .name = "adjudicate",
    .synopsis = "UNIT|CLAUSE...",
    .about = "find out which reading of each clause a board follows",
    .examples = "  misprint adjudicate vc4-vpm --board 'exec:ssh pi ./board' -o mine.profile\n"
                "  misprint adjudicate vpm-addr-h8 --board virtual:bcm2835",
    .details =
        "Runs as few cases as it can on the board and decides which reading of each clause it follows. Each "
        "case is chosen for the readings that its outcome would rule out. Cases that come with misprint are "
        "tried first, because they are small; then cases are generated and reduced.\n\n"
        "The result for a clause is certain, likely or open. Certain means that all other readings are ruled "
        "out, and that for each of them a case was run on which the board could have refuted the result in "
        "its favour. Likely means that the board did what the reading says, and that the others that remain "
        "leave this undefined; or that the others are ruled out, but the reading leaves undefined what ruled "
        "them out. -o writes all as a profile file for --profile; an open clause has the reading of the "
        "given --profile. A case whose outcome fits no reading is reported and not used as evidence; the "
        "exit status is then 1. A trace can answer only the cases in it.",
    .options = {OPTION_BOARD, OPTION_BOARD_IS, OPTION_PROFILE, OPTION_OUTPUT, OPTION_CASES, OPTION_TIME,
                OPTION_SEED, OPTION_JSON, OPTION_END},
    .min_words = 1,
    .max_words = -1,
    .run = run_adjudicate,
};
