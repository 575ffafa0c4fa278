/* SPDX-License-Identifier: MIT */
/* `misprint record`: cases run on a board, its answers kept as a trace. */
#include "cli/cli.h"
#include "cli/inputs.h"
#include "oracle/trace.h"

#include <stdio.h>
#include <stdlib.h>

struct recording {
    struct board *board;
    struct trace_writer *writer;
    struct outcome *outcome;
    uint64_t recorded, refused, unanswered;
};

static bool record_case(void *context, const struct test_case *c, const char *label, struct error *e)
{
    struct recording *r = context;
    enum answer answer;
    if (!board_run_one(r->board, c, r->outcome, &answer, e))
        return false;
    if (answer == ANSWER_OUTCOME) {
        r->recorded++;
        return trace_add(r->writer, c, r->outcome, label, e);
    }
    *(answer == ANSWER_REFUSED ? &r->refused : &r->unanswered) += 1;
    return true;
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
    in = inputs_open(a, &e);
    const struct unit *u = in ? inputs_only_unit(in, &e) : NULL;
    if (u)
        r.board = board_open(a->option[OPTION_BOARD], u, &e);
    if (r.board) {
        r.outcome = outcome_new(u);
        r.writer = trace_create_at(path, u, &r.board->identity, r.board->memory_base, r.board->code_base, &e);
    }
    if (r.writer && inputs_each(in, u, record_case, &r, &e)) {
        status = trace_finish(r.writer, &e) ? STATUS_EQUAL : STATUS_BROKEN;
        if (status == STATUS_EQUAL)
            printf("%s: %llu outcomes of %s recorded, %llu refused, %llu without an answer\n", path, (unsigned long long)r.recorded,
                   r.board->identity.spec, (unsigned long long)r.refused, (unsigned long long)r.unanswered);
        if (status == STATUS_EQUAL && !r.recorded) {
            error_set(&e, "%s: nothing was recorded", path);
            status = STATUS_BROKEN;
        }
    } else if (r.writer) {
        trace_abandon(r.writer);
        status = STATUS_BROKEN;
    }
    board_close(r.board);
    outcome_free(r.outcome);
    inputs_close(in);
    return e.text[0] ? fail(status, &e) : status;
}

const struct command command_record = {
    .name = "record",
    .synopsis = "PATH...",
    .about = "run cases on a board, keep what it answered as a trace",
    .details = "Runs cases (files, folders of them, or the cases of other traces) of one unit on a board and writes\n"
               "what it answered, and who it was, to a trace: a file that stands in for the board ever after.\n\n"
               "  misprint record cases/ --board 'exec:ssh pi ./board' -o pi.trace\n"
               "  misprint replay pi.trace",
    .options = {OPTION_BOARD, OPTION_OUTPUT, OPTION_UNIT, OPTION_END},
    .least = 1,
    .most = -1,
    .run = run_record,
};
