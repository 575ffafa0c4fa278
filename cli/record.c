/* SPDX-License-Identifier: MIT */
/* `misprint record`: cases run on a board, its answers kept as a trace. */
#include "cli/cli.h"
#include "cli/inputs.h"
#include "oracle/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct recording {
    struct board *board;
    struct trace_writer *writer;
    struct outcome *outcome;
    uint64_t recorded, refused, unanswered;
    char reason[BOARD_REASON_MAX]; /* of the last case without an outcome that had one */
};

static bool record_case(void *context, const struct test_case *c, const char *label, struct error *e)
{
    struct recording *r = context;
    enum answer answer;
    if (interrupted)
        return error_set(e, "interrupted: nothing was written");
    if (!board_run_one(r->board, c, r->outcome, &answer, e))
        return false;
    if (answer == ANSWER_OUTCOME) {
        char where[TRACE_LABEL_MAX + 1];
        const char *state = r->board->identity.state; /* clock and temperature as it ran */
        (void)snprintf(where, sizeof where, "%.*s%s%s%s", *state ? (int)(TRACE_LABEL_MAX - sizeof r->board->identity.state) : TRACE_LABEL_MAX, label,
                       *state ? " [" : "", state, *state ? "]" : "");
        r->recorded++;
        return trace_add(r->writer, c, r->outcome, where, e);
    }
    if (board_reason(r->board, 0)[0])
        (void)snprintf(r->reason, sizeof r->reason, "%s", board_reason(r->board, 0));
    *(answer == ANSWER_REFUSED ? &r->refused : &r->unanswered) += 1;
    return true;
}

static int finish(struct recording *r, const char *path, struct error *e)
{
    struct text t = {0};
    bool good = trace_finish(r->writer, e);
    r->writer = NULL;
    if (!good)
        return STATUS_USAGE;
    text_add(&t, "%s: %" PRIu64 " outcome%s of %s recorded, %" PRIu64 " refused, %" PRIu64 " without an answer", path, r->recorded,
             plural(r->recorded), r->board->identity.spec, r->refused, r->unanswered);
    if (r->reason[0])
        text_add(&t, "; the last of these said: %s", r->reason);
    text_add(&t, "\n");
    int status = print_text(&t, STATUS_EQUAL);
    text_free(&t);
    return status;
}

/* What a board said once only it could say again: such a file is not written over. */
static bool is_no_trace(const char *path, struct error *e)
{
    char bytes[16];
    FILE *f = fopen(path, "rb");
    bool trace = f && trace_begins(bytes, fread(bytes, 1, sizeof bytes, f));
    if (f)
        (void)fclose(f);
    return !trace || error_set(e, "%s: is a trace already; name a new file, or remove this one", path);
}

static int run_record(const struct arguments *a)
{
    struct error e = {0};
    const char *path = a->option[OPTION_OUTPUT];
    struct inputs *in = NULL;
    struct recording r = {0};
    int status = STATUS_USAGE;
    if (!path || !a->option[OPTION_BOARD]) {
        error_set(&e, "say which board answers (--board B) and where its answers go (-o TRACE)");
        return fail(STATUS_USAGE, &e);
    }
    catch_interrupts();
    in = trace_check_path(path, &e) && is_no_trace(path, &e) ? inputs_open(a, &e) : NULL;
    const struct unit *u = in ? inputs_only_unit(in, &e) : NULL;
    if (u)
        r.board = board_open(a->option[OPTION_BOARD], u, &e);
    if (r.board) {
        r.outcome = outcome_new(u);
        r.writer = trace_create(path, u, &r.board->identity, &e);
    }
    if (r.writer && inputs_each(in, u, record_case, &r, &e)) {
        if (r.recorded) {
            status = finish(&r, path, &e);
        } else {
            e.of_machine = true;
            error_set(&e, "%s: not written: the board gave no outcome (%" PRIu64 " refused, %" PRIu64 " without an answer%s%s)", path, r.refused,
                      r.unanswered, r.reason[0] ? "; the last said: " : "", r.reason);
        }
    }
    trace_abandon(r.writer);
    board_close(r.board);
    outcome_free(r.outcome);
    inputs_close(in);
    return e.text[0] ? fail(interrupted ? STATUS_BROKEN : status, &e) : status;
}

const struct command command_record = {
    .name = "record",
    .synopsis = "PATH...",
    .about = "run cases on a board, keep what it answered as a trace",
    .details = "Runs cases (files, - for standard input, folders of them, or the cases of other traces) of one unit on a board and writes\n"
               "what it answered, and who it was, to a trace: a file that stands in for the board ever after.\n\n"
               "  misprint record cases/ --board 'exec:ssh pi ./board' -o pi.trace\n"
               "  misprint replay pi.trace",
    .options = {OPTION_BOARD, OPTION_OUTPUT, OPTION_UNIT, OPTION_END},
    .least = 1,
    .most = -1,
    .run = run_record,
};
