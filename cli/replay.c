/* SPDX-License-Identifier: MIT */
/* `misprint replay`: cases and traces that exist already, compared again. */
#include "cli/inputs.h"
#include "cli/session.h"
#include "oracle/file.h"
#include "oracle/trace.h"

#include <stdlib.h>
#include <string.h>

/* The case files (and, for a live board, the cases in traces) of one unit, one after the other. */
struct file_source {
    const struct inputs *inputs;
    const struct unit *unit;
    bool traces; /* take the cases of traces too */
    unsigned at;
    struct trace_reader *trace;
    struct outcome *ignored; /* what the trace recorded */
};

static bool next_of_files(void *context, struct test_case *c, struct outcome *board, bool *has_outcome, const char **label, struct error *e)
{
    struct file_source *s = context;
    (void)board;
    *has_outcome = false;
    for (;;) {
        if (s->trace) {
            int more = trace_next(s->trace, c, s->ignored, label, e);
            if (more)
                return more > 0;
            trace_close(s->trace);
            s->trace = NULL;
        }
        if (s->at == s->inputs->count)
            return false;
        const struct input *file = &s->inputs->file[s->at++];
        if (file->unit != s->unit || (file->kind == INPUT_TRACE && !s->traces))
            continue;
        if (file->kind != INPUT_TRACE) {
            *label = file->path;
            return input_load(file, c, e);
        }
        if (!(s->trace = trace_open(file->path, e)))
            return false;
    }
}

static void replay_cases(struct session *s, const struct inputs *in, const struct unit *u)
{
    struct error e = {0};
    if (interrupted) {
        for (unsigned i = 0; i < in->count; i++)
            if (in->file[i].unit == u)
                session_not_reached(s, in->file[i].path);
        return;
    }
    struct board *board = board_open(s->arguments->option[OPTION_BOARD], u, &e);
    if (!board) {
        *(fail(STATUS_USAGE, &e) == STATUS_BROKEN ? &s->broken : &s->unusable) = true;
        return;
    }
    struct file_source files = {.inputs = in, .unit = u, .traces = s->arguments->option[OPTION_BOARD] != NULL, .ignored = outcome_new(u)};
    struct session_job job = {.unit = u, .board = board, .source = {.next = next_of_files, .context = &files}};
    session_run(s, &job, 1);
    for (unsigned i = files.at; interrupted && i < in->count; i++)
        if (in->file[i].unit == u && (in->file[i].kind != INPUT_TRACE || files.traces))
            session_not_reached(s, in->file[i].path);
    trace_close(files.trace);
    outcome_free(files.ignored);
    board_close(board);
}

static bool next_of_trace(void *context, struct test_case *c, struct outcome *board, bool *has_outcome, const char **label, struct error *e)
{
    *has_outcome = true;
    return trace_next(context, c, board, label, e) > 0;
}

static void replay_trace(struct session *s, const char *path)
{
    struct error e = {0};
    struct trace_reader *r = trace_open(path, &e);
    if (!r) {
        fail(STATUS_USAGE, &e);
        s->unusable = true;
        return;
    }
    struct board_identity who;
    trace_identify(r, path, &who);
    struct session_job job = {.unit = trace_unit(r), .source = {.next = next_of_trace, .context = r, .identity = &who}};
    bool late = interrupted;
    session_run(s, &job, 1);
    if (late)
        session_not_reached(s, path);
    trace_close(r);
}

static int run_replay(const struct arguments *a)
{
    struct error e = {0};
    struct session s;
    struct inputs *in = NULL;
    if (!session_open(&s, "replay", a, &e))
        return fail(STATUS_USAGE, &e);
    if (!(in = inputs_open(a, &e)) || !session_keep(&s, &e)) {
        inputs_close(in);
        session_abandon(&s);
        return fail(STATUS_USAGE, &e);
    }
    /* After an interruption too: each run then notes that it has not come to its end. */
    bool live = a->option[OPTION_BOARD] != NULL;
    for (unsigned i = 0; !live && i < in->count; i++)
        if (in->file[i].kind == INPUT_TRACE)
            replay_trace(&s, in->file[i].path);
    for (unsigned u = 0; unit_at(u); u++)
        if (inputs_have(in, unit_at(u), live))
            replay_cases(&s, in, unit_at(u));
    inputs_close(in);
    return session_close(&s);
}

const struct command command_replay = {
    .name = "replay",
    .synopsis = "PATH...",
    .about = "compare existing cases and traces again",
    .details = "PATH is a case file, a trace, a folder of them (walked in the order of names), or - for a case on standard\n"
               "input. All are checked first. Cases run on the model and on --board (without it, on the unit's\n"
               "best-known silicon profile, virtual). Traces are compared with what they recorded; with an explicit --board their cases run\n"
               "there instead. A fuzzer's raw inputs are taken with --unit. Every difference is attributed as `misprint fuzz` does;\n"
               "a replay that compares nothing fails, and so does one that a signal cuts short before it found anything.\n\n"
               "  misprint replay corpus/vc4-qpu/silicon --profile manual\n"
               "  misprint replay crashes/ --unit vc4-vpm --junit result.xml",
    .options = {OPTION_BOARD, OPTION_PROFILE, OPTION_UNIT, OPTION_CAMPAIGN, OPTION_CHANGES, OPTION_NO_REDUCE, OPTION_JUNIT, OPTION_JSON, OPTION_QUIET,
                OPTION_END},
    .least = 1,
    .most = -1,
    .run = run_replay,
};
