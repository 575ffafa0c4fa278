/* SPDX-License-Identifier: MIT */
/* `misprint adjudicate` finds out which reading of each clause a board follows. */
#include "cli/adjudicate/questions.h"
#include "cli/cli.h"
#include "cli/session/board.h"
#include "harness/system/clock.h"
#include "model/core/memory.h"
#include "oracle/files/file.h"
#include "oracle/files/load.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the questions ---- */

static const char *name_of_any(const void *context, unsigned i)
{
    unsigned units = 0;
    while (unit_at(units))
        units++;
    return i < units ? unit_at(i)->name : name_of_any_clause(context, i - units);
}

static bool ask_word(struct questions *s, const char *word, struct error *e)
{
    unsigned clause;
    for (unsigned i = 0; i < s->count; i++) {
        struct question *q = &s->q[i];
        if (strcmp(q->unit->name, word) != 0)
            continue;
        questions_ask_unit(s, q);
        memset(q->wanted, true, sizeof q->wanted);
        return true;
    }
    if (questions_ask(s, word, &clause))
        return true;
    if (list_exists(s, word))
        return error_set(e, "%s is a list of questions; ask it alone", word);
    return error_unknown(e, "unit or clause", word, name_of_any, NULL,
                         "`misprint units` and `misprint clauses` list them");
}

/* Opens the board for one unit. Only one is open at a time, because a GPU serves only one Misprint. */
static bool open_board(const struct arguments *a, struct question *q, struct error *e)
{
    q->board = session_board(a, a->option[OPTION_BOARD], q->unit, &q->profile, e);
    if (q->board)
        q->who = q->board->identity;
    return q->board != NULL;
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
    if (a->words == 1 && list_exists(s, a->word[0])) {
        if (!list_ask(s, a->word[0], e))
            return false;
    } else {
        for (int i = 0; i < a->words; i++)
            if (!ask_word(s, a->word[i], e))
                return false;
    }
    if (!argument_number(a, OPTION_SEED, 1, &s->seed, e) ||
        !argument_count(a, OPTION_CASES, &s->max_cases, e) ||
        !argument_seconds(a, OPTION_TIME, &s->max_seconds, e))
        return false;
    for (unsigned i = 0; i < s->count; i++) { /* find all errors before anything runs */
        struct question *q = &s->q[i];
        if (q->asked && (!profile_load(q->unit, s->profile_name, &q->profile, e) ||
                         (q == s->order[0] && !open_board(a, q, e))))
            return false;
    }
    s->begin = clock_seconds();
    s->record = a->option[OPTION_RECORD];
    return (!a->option[OPTION_OUTPUT] || file_check_new(a->option[OPTION_OUTPUT], e)) &&
           (!s->record || (trace_check_path(s->record, e) && file_check_new(s->record, e)));
}

static void free_seeds(struct question *q)
{
    for (size_t i = 0; q->traced && i < q->seeds; i++)
        free((char *)(uintptr_t)q->seed[i].name); /* the bytes follow the name */
    free(q->seed);
}

static void close_questions(struct questions *s)
{
    for (unsigned i = 0; i < s->count; i++) {
        adjudication_free(&s->q[i].result);
        board_close(s->q[i].board);
        corpus_close(s->q[i].corpus);
        free_seeds(&s->q[i]);
    }
    for (unsigned i = 0; i < s->listed_count; i++)
        free(s->listed[i].text);
    trace_abandon(s->writer);
    free(s->folder);
    free(s);
}

/* Copies the readings of shared clauses that cases of other units have decided. */
static void carry_over(const struct questions *s, struct question *to)
{
    for (unsigned i = 0; i < s->asked; i++) {
        const struct question *from = s->order[i];
        for (unsigned k = 0; from->run && k < unit_clauses(from->unit); k++) {
            int clause = unit_clause_index(to->unit, unit_clause(from->unit, k)->id);
            if (from == to || clause < 0 || from->result.clause[k].certainty != CERTAIN)
                continue;
            to->known[clause] = true;
            to->profile.reading[clause] = from->result.profile.reading[k];
        }
    }
}

/* Keeps the case of a record. */
static void add_record(struct question *q, const struct trace_record *r)
{
    const size_t label = strlen(r->label) + 1;
    char *name = memory_new(label + r->case_size, 1);
    memcpy(name, r->label, label);
    memcpy(name + label, r->case_bytes, r->case_size);
    if (q->seeds == q->seed_room)
        q->seed = memory_grow(q->seed, q->seed_room = 2 * q->seed_room + 512, sizeof *q->seed);
    q->seed[q->seeds++] =
        (struct adjudicate_seed){.name = name, .bytes = (const uint8_t *)name + label, .size = r->case_size};
}

/* Reads all cases of a trace, because a trace as a board has outcomes for these cases only. */
static bool read_trace(struct question *q, struct error *e)
{
    struct trace_reader *r = trace_open_unit(q->who.spec + strlen("trace:"), q->unit, e);
    struct trace_record record;
    int more = r ? 1 : -1;
    q->traced = true;
    while (more > 0 && (more = trace_next_record(r, &record, e)) > 0)
        add_record(q, &record);
    trace_close(r);
    return more >= 0;
}

static void read_corpus(struct question *q)
{
    q->seeds = q->corpus ? q->corpus->count : 0;
    q->seed = memory_new(q->seeds + 1, sizeof *q->seed);
    for (unsigned i = 0; i < q->seeds; i++)
        q->seed[i] = (struct adjudicate_seed){.tc = q->corpus->entry[i].tc, .name = q->corpus->entry[i].name};
}

/* One unit of the questions, for keep_outcome. */
struct keeper {
    struct questions *s;
    const struct question *q;
};

/* Adds an outcome to the trace of --record. Each unit has a part of its own. */
static bool keep_outcome(void *context, const struct test_case *c, const struct outcome *o, const char *name,
                         struct error *e)
{
    const struct keeper *k = context;
    struct questions *s = k->s;
    const struct board_identity *who = &k->q->who;
    char label[TRACE_LABEL_MAX + 1];
    if (!s->writer && !(s->writer = trace_create(s->record, k->q->unit, who, e)))
        return false;
    if (s->kept && s->kept != k->q && !trace_begin_part(s->writer, k->q->unit, who, e))
        return false;
    s->kept = k->q;
    s->outcomes++;
    session_label(k->q->board, name, label);
    return trace_add(s->writer, c, o, label, e);
}

/* Writes the trace of --record, even if something failed, because the board may never give these outcomes
 * again. */
static bool finish_record(struct questions *s, struct error *e)
{
    struct trace_writer *w = s->writer;
    if (!w)
        return true;
    s->writer = NULL;
    if (!trace_finish(w, e))
        return false;
    fprintf(stderr, "misprint: kept %" PRIu64 " outcome%s in %s\n", s->outcomes, plural(s->outcomes),
            s->record);
    return true;
}

static bool run_question(struct questions *s, struct question *q, struct error *e)
{
    double left = s->begin + s->max_seconds - clock_seconds();
    struct keeper keeper = {s, q};
    if (strcmp(q->who.kind, "trace") != 0)
        read_corpus(q);
    else if (!read_trace(q, e))
        return false;
    carry_over(s, q);
    struct adjudicate_options o = {
        .board = q->board,
        .profile = &q->profile,
        .wanted = q->wanted,
        .known = q->known,
        .seed = q->seed,
        .seeds = (unsigned)q->seeds,
        .only_seeds = q->traced,
        .random_seed = s->seed,
        .max_cases = s->max_cases,
        .max_seconds = s->max_seconds <= 0 ? 0
                       : left > 0          ? left
                                           : 1e-3,
        .keep = s->record ? keep_outcome : NULL,
        .keep_context = &keeper,
        .stop = &interrupted,
    };
    q->run = true;
    bool good = adjudicate(&o, &q->result, e);
    board_close(q->board);
    q->board = NULL;
    return good;
}

/* ---- the results ---- */

static bool compared_nothing(const struct questions *s)
{
    unsigned cases = 0, not_asked = 0;
    for (unsigned i = 0; i < s->asked; i++) {
        const struct question *q = s->order[i];
        cases += q->result.cases;
        not_asked += q->run ? answers_count(q).not_asked + q->result.cut : 0;
    }
    return !cases && not_asked;
}

/* Did a limit end the work on a question? */
static bool timed_out(const struct questions *s)
{
    for (unsigned i = 0; i < s->asked; i++)
        if (s->order[i]->result.cut)
            return true;
    return false;
}

static int results_status(const struct questions *s)
{
    struct error e = {.of_machine = true};
    int status = STATUS_EQUAL;
    bool cut = false;
    for (unsigned i = 0; i < s->asked; i++) {
        const struct question *q = s->order[i];
        struct answer_counts n = q->run ? answers_count(q) : (struct answer_counts){0};
        cut |= !q->run;
        if (n.conflicts)
            status = STATUS_DIFFERENT;
        if (q->result.cases && n.unanswered == q->result.cases) {
            const char *reason = q->result.asked[0].reason;
            error_set(&e, "board %s gave no outcome for any of %u cases%s%s", q->who.spec, n.unanswered,
                      reason[0] ? "; its first reason: " : "", reason);
            return fail(STATUS_BROKEN, &e);
        }
    }
    if (compared_nothing(s) && !cut && !interrupted) {
        error_set(&e, timed_out(s) ? "nothing was compared: the time was over before the board answered"
                                   : "nothing was compared: no case was found that tells the readings apart");
        return fail(STATUS_BROKEN, &e);
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
    if (s->list)
        answers_print_list(s, &t);
    for (unsigned i = 0; i < s->asked; i++) {
        if (!s->order[i]->run)
            continue;
        json_array_append_new(list, answers_json(s, s->order[i]));
        answers_print(s, s->order[i], &t);
    }
    if (output && !strcmp(output, "-")) { /* standard output gets only the profile */
        text_free(&t);
        json_decref(list);
    } else {
        status = print_result(a, &t, list, status);
    }
    if (output && status == STATUS_EQUAL && !compared_nothing(s)) {
        answers_profile(s, &profile);
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
        for (unsigned i = 0; good && !interrupted && i < s->asked; i++)
            good = (s->order[i]->board || open_board(a, s->order[i], &e)) && run_question(s, s->order[i], &e);
        status = print_results(s, a);
        if (!good)
            status = fail(STATUS_BROKEN, &e);
        if (!finish_record(s, &e))
            status = fail(STATUS_BROKEN, &e);
    } else {
        status = fail(status, &e);
    }
    close_questions(s);
    return status;
}

const struct command command_adjudicate = {
    .name = "adjudicate",
    .synopsis = "UNIT|CLAUSE...|LIST",
    .about = "find out which reading of each clause a board follows",
    .examples = "  misprint adjudicate vc4-vpm --board 'exec:ssh pi ./board' -o mine.profile\n"
                "  misprint adjudicate vpm-addr-h8 --board virtual:bcm2835\n"
                "  misprint adjudicate raspberry-pi --board drm --time 5m --record pi.trace",
    .details =
        "Runs as few cases as it can on the board and decides which reading of each clause it follows. Each "
        "case is chosen for the readings that its outcome would rule out. Cases that come with misprint are "
        "tried first, because they are small; then cases are generated and reduced.\n\n"
        "The result for a clause is certain, likely, open or not asked. Certain means that all other "
        "readings "
        "are ruled out, and that for each of them a case tested the result: there, the other reading gives "
        "other bits, and the board did not agree with it. Likely means that the board did what the reading "
        "says, and that the others that remain "
        "leave this undefined; or that the others are ruled out, but the reading leaves undefined what ruled "
        "them out. -o writes all as a profile file for --profile; an open clause has the reading of the "
        "given --profile. A case whose outcome fits no reading is reported and not used as evidence; the "
        "exit status is then 1. Not asked means that no case was found that tells the readings apart; if "
        "that "
        "is so for all clauses, nothing was compared, and the exit status is 3. A trace can answer only the "
        "cases in it. All of them are used: the result is checked with each case that touches a clause.\n\n"
        "LIST is a file LIST.questions in the corpus folder: clauses with questions, the most valuable "
        "first. The lists raspberry-pi and raspberry-pi-4-5 are for boards (docs/raspberry-pi.md, "
        "docs/V3D.md). --record keeps all "
        "cases and the board's outcomes as a trace, with a part for each unit. With that trace as the board, "
        "the same questions have the same answers.",
    .options = {OPTION_BOARD, OPTION_BOARD_IS, OPTION_PROFILE, OPTION_OUTPUT, OPTION_RECORD, OPTION_CASES,
                OPTION_TIME, OPTION_SEED, OPTION_JSON, OPTION_END},
    .min_words = 1,
    .max_words = -1,
    .run = run_adjudicate,
};
