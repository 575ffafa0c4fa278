/* SPDX-License-Identifier: MIT */
/* `misprint record` runs cases on a board and stores the outcomes as a trace. */
#include "cli/cli.h"
#include "cli/session/board.h"
#include "cli/session/inputs.h"
#include "harness/system/pages.h"
#include "oracle/files/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { TOGETHER = 256 /* cases in a call of the board; our own boards launch at most so many at once */ };

struct recording {
    struct board *board;
    struct trace_writer *writer;
    struct test_case *tc; /* cases for the next call of the board, with their labels */
    const struct test_case *cases[TOGETHER];
    char (*label)[TRACE_LABEL_MAX + 1];
    unsigned waiting;
    void *memory; /* holds the outcomes */
    struct outcome *outcome[TOGETHER];
    uint64_t recorded, refused, unanswered;
    char reason[BOARD_REASON_MAX]; /* the last reason for a missing outcome */
};

static bool make_room(struct recording *r, const struct unit *u, struct error *e)
{
    r->tc = pages_new(TOGETHER, sizeof *r->tc);
    r->label = calloc(TOGETHER, sizeof *r->label);
    r->memory = pages_of_outcomes(u, TOGETHER, r->outcome);
    for (unsigned i = 0; i < TOGETHER; i++)
        r->cases[i] = &r->tc[i];
    return (r->tc && r->label && r->memory) || error_memory(e, "for a board's cases");
}

static void free_room(struct recording *r)
{
    free(r->tc);
    free(r->label);
    free(r->memory);
}

static bool keep(struct recording *r, unsigned i, enum answer answer, struct error *e)
{
    if (answer == ANSWER_OUTCOME) {
        char where[TRACE_LABEL_MAX + 1];
        session_label(r->board, r->label[i], where);
        r->recorded++;
        return trace_add(r->writer, r->cases[i], r->outcome[i], where, e);
    }
    if (board_reason(r->board, i)[0])
        snprintf(r->reason, sizeof r->reason, "%s", board_reason(r->board, i));
    *(answer == ANSWER_REFUSED ? &r->refused : &r->unanswered) += 1;
    return true;
}

static bool run_waiting(struct recording *r, struct error *e)
{
    enum answer answer[TOGETHER];
    unsigned count = r->waiting;
    r->waiting = 0;
    for (unsigned i = 0; i < count; i++)
        answer[i] = ANSWER_NOTHING;
    bool good = !count || board_run(r->board, r->cases, count, r->outcome, answer, e);
    for (unsigned i = 0; i < count; i++)
        if ((good || answer[i] != ANSWER_NOTHING) && !keep(r, i, answer[i], e))
            return false;
    return good;
}

static bool record_case(void *context, const struct test_case *c, const char *label, struct error *e)
{
    struct recording *r = context;
    if (interrupted)
        return error_set(e, "interrupted");
    case_copy(&r->tc[r->waiting], c);
    snprintf(r->label[r->waiting], sizeof *r->label, "%s", label);
    return ++r->waiting < TOGETHER || run_waiting(r, e);
}

/* Writes the trace even if the recording is incomplete, because the board may never give these outcomes
 * again. */
static int finish(struct recording *r, const char *path, bool complete, struct error *e)
{
    struct text t = {0};
    struct error failed = {0};
    if (!r->recorded && complete) {
        e->of_machine = true;
        error_set(e,
                  "%s: not written because the board gave no outcome (%" PRIu64 " refused, %" PRIu64 " "
                  "without an answer%s%s)",
                  path, r->refused, r->unanswered, r->reason[0] ? "; the last reason: " : "", r->reason);
    }
    if (!r->recorded)
        return STATUS_USAGE;
    bool good = trace_finish(r->writer, complete ? e : &failed);
    r->writer = NULL;
    if (!good)
        return STATUS_USAGE;
    text_add(&t,
             "%s%s: %" PRIu64 " outcome%s of %s recorded, %" PRIu64 " refused, %" PRIu64 " without an answer",
             complete ? "" : "stopped early; kept the outcomes so far: ", path, r->recorded,
             plural(r->recorded), r->board->identity.spec, r->refused, r->unanswered);
    if (r->reason[0])
        text_add(&t, "; the last reason: %s", r->reason);
    text_add(&t, "\n");
    return print_text(&t, complete ? STATUS_EQUAL : STATUS_USAGE);
}

/* Refuses to overwrite a trace, because only its board could give these outcomes again. */
static bool check_overwrite(const char *path, struct error *e)
{
    char bytes[16];
    FILE *f = fopen(path, "rb");
    bool trace = f && trace_begins(bytes, fread(bytes, 1, sizeof bytes, f));
    if (f)
        fclose(f);
    return !trace || error_set(e, "%s: is a trace already; name a new file, or remove this one", path);
}

static int run_record(const struct arguments *a)
{
    struct error e = {0};
    const char *path = a->option[OPTION_OUTPUT];
    struct inputs *in = NULL;
    struct recording r = {0};
    int status = STATUS_USAGE;
    if (!path || !a->option[OPTION_BOARD])
        return fail_usage("name the board to run on (--board B) and the trace to write (-o TRACE)");
    catch_interrupts();
    in = trace_check_path(path, &e) && check_overwrite(path, &e) ? inputs_open(a, false, &e) : NULL;
    const struct unit *u = in ? inputs_only_unit(in, &e) : NULL;
    if (u)
        r.board = session_board(a, a->option[OPTION_BOARD], u, NULL, &e);
    if (r.board && make_room(&r, u, &e))
        r.writer = trace_create(path, u, &r.board->identity, &e);
    if (r.writer)
        status = finish(&r, path, inputs_each(in, u, record_case, &r, &e) && run_waiting(&r, &e), &e);
    trace_abandon(r.writer);
    board_close(r.board);
    free_room(&r);
    inputs_close(in);
    return e.text[0] ? fail(interrupted ? STATUS_BROKEN : status, &e) : status;
}

const struct command command_record = {
    .name = "record",
    .synopsis = "PATH...",
    .about = "run cases on a board and keep its outcomes as a trace",
    .examples = "  misprint record cases/ --board 'exec:ssh pi ./board' -o pi.trace\n"
                "  misprint replay pi.trace",
    .details = "Runs cases of one unit on a board and writes the outcomes and the board's identity to a "
               "trace, which can stand in for the board from then on. It takes case files, folders of them, "
               "other traces, and - for standard input.",
    .options = {OPTION_BOARD, OPTION_BOARD_IS, OPTION_OUTPUT, OPTION_UNIT, OPTION_END},
    .min_words = 1,
    .max_words = -1,
    .run = run_record,
};
