/* SPDX-License-Identifier: MIT */
/* `misprint replay`: cases and traces that exist already, compared again. */
#include "cli/terminal/replay_status.h"
#include "cli/terminal/session.h"
#include "model/core/memory.h"
#include "oracle/files/load.h"
#include "oracle/files/trace.h"

#include <stdlib.h>
#include <string.h>

struct replay {
    struct session session;
    struct comparison comparison;
    const struct inputs *in;
    const struct finding **own; /* of each input: the campaign's finding that it is, if it is to be compared
                                   as that was; or NULL */
    struct replay_status *replay_status;
    struct case_watch watch;
};

/* The case files (and, for a live board, the cases in traces) of one unit, one after the other. */
struct file_source {
    struct replay *replay;
    const struct unit *unit;
    bool traces; /* take the cases of traces too */
    unsigned at;
    struct input_reader *reader; /* of the input before `at` */
};

static bool is_taken(const struct file_source *s, unsigned i)
{
    const struct input *file = &s->replay->in->file[i];
    return file->unit == s->unit && !s->replay->own[i] && (file->kind != INPUT_TRACE || s->traces) &&
           !replay_status_broken(s->replay->replay_status, i);
}

static bool next_of_files(void *context, struct test_case *c, struct outcome *board, bool *has_outcome,
                          const char **label, struct error *e)
{
    struct file_source *s = context;
    (void)board;
    *has_outcome = false;
    for (;;) {
        if (s->reader) {
            int more = input_next(s->reader, c, label, e);
            if (more > 0)
                replay_status_case(s->replay->replay_status, s->at - 1);
            if (more)
                return more > 0;
            input_close(s->reader);
            s->reader = NULL;
        }
        while (s->at < s->replay->in->count && !is_taken(s, s->at))
            s->at++;
        if (s->at == s->replay->in->count)
            return false;
        if (!(s->reader = input_open(&s->replay->in->file[s->at++], e)))
            return false;
    }
}

/* What once crashed or hung is first tried in a process of its own. */
static bool try_artifacts(struct replay *r, const struct unit *u, struct error *e)
{
    struct profile p;
    bool good = profile_load(u, r->session.profile_name, &p, e);
    for (unsigned i = 0; good && !interrupted && i < r->in->count; i++) {
        enum input_origin o = r->in->file[i].origin;
        if (r->in->file[i].unit == u &&
            (o == ORIGIN_CRASH || o == ORIGIN_HANG || o == ORIGIN_LEAK || o == ORIGIN_MEMORY))
            good = replay_status_try(r->replay_status, i, &p, e);
        r->session.model_failed |= replay_status_broken(r->replay_status, i);
    }
    return good;
}

/* What the source had not come to; traces that answer for themselves are not its own. */
static void not_reached(const struct file_source *s)
{
    for (unsigned i = s->at; i < s->replay->in->count; i++)
        if (is_taken(s, i))
            session_not_reached(&s->replay->session, s->replay->in->file[i].path);
}

static void replay_cases(struct replay *r, const struct unit *u)
{
    struct error e = {0};
    struct session *s = &r->session;
    struct file_source files = {.replay = r, .unit = u, .traces = s->arguments->option[OPTION_BOARD] != NULL};
    unsigned first = 0;
    while (first < r->in->count && !is_taken(&files, first))
        first++;
    if (first == r->in->count && r->comparison.several)
        return;
    if (interrupted) {
        not_reached(&files);
        return;
    }
    struct profile p;
    bool ready = try_artifacts(r, u, &e) && profile_load(u, s->profile_name, &p, &e);
    struct board *board = ready ? board_open_under(r->comparison.board, u, &p, &e) : NULL;
    if (!board) {
        *(fail(STATUS_USAGE, &e) == STATUS_BROKEN ? &s->broken : &s->unusable) = true;
        return;
    }
    struct session_job job = {.unit = u,
                              .board = board,
                              .source = {.next = next_of_files, .context = &files, .watch = &r->watch}};
    replay_status_begin(r->replay_status);
    session_run(s, &job, 1);
    if (interrupted)
        not_reached(&files);
    input_close(files.reader);
    board_close(board);
}

/* --- findings of a campaign that compared in several ways
 * ------------------------------------------------------------------------ */

/* The finding that a case file is, as long as nobody changed the file. */
static const struct finding *find_own(const struct replay *r, unsigned input, const struct finding *once,
                                      unsigned count, struct test_case *c)
{
    const struct input *file = &r->in->file[input];
    struct error unreadable = {0};
    if (!r->comparison.several || file->origin != ORIGIN_FINDING || file->kind != INPUT_CASE)
        return NULL;
    for (unsigned i = 0; i < count; i++)
        if (once[i].unit == file->unit && !strcmp(once[i].id, file->finding) &&
            case_load(file->path, NULL, c, &unreadable) && case_equal(c, once[i].smallest))
            return &once[i];
    return NULL;
}

static bool compared_alike(const struct finding *a, const struct finding *b)
{
    return a && a->unit == b->unit && !strcmp(a->profile, b->profile) &&
           !strcmp(a->board.spec, b->board.spec);
}

/* The findings that were compared like one of them; a board that is more than the model answers by what the
 * campaign kept of it. */
struct own_source {
    struct replay *replay;
    const struct finding *like;
    bool live;
    unsigned at;
};

static bool next_of_own(void *context, struct test_case *c, struct outcome *board, bool *has_outcome,
                        const char **label, struct error *e)
{
    struct own_source *s = context;
    while (s->at < s->replay->in->count && !compared_alike(s->replay->own[s->at], s->like))
        s->at++;
    if (s->at == s->replay->in->count)
        return false;
    const struct finding *f = s->replay->own[s->at];
    case_copy(c, f->smallest);
    *label = s->replay->in->file[s->at].path;
    *has_outcome = !s->live;
    replay_status_case(s->replay->replay_status, s->at++);
    return s->live || outcome_decode(board, c, f->board_outcome, f->board_outcome_size, e);
}

/* Those that were compared like the finding that this input is, if it is the first of them. */
static void replay_own(struct replay *r, unsigned input)
{
    struct error e = {0};
    struct session *s = &r->session;
    const struct finding *like = r->own[input];
    for (unsigned i = 0; i < input; i++)
        if (compared_alike(r->own[i], like))
            return;
    struct own_source own = {.replay = r, .like = like, .live = board_is_virtual(&like->board)};
    struct session_job job = {.unit = like->unit,
                              .source = {.next = next_of_own, .context = &own, .watch = &r->watch}};
    if (own.live && !(job.board = board_open(like->board.spec, like->unit, &e))) {
        *(fail(STATUS_USAGE, &e) == STATUS_BROKEN ? &s->broken : &s->unusable) = true;
        return;
    }
    job.source.identity = own.live ? NULL : &like->board;
    s->profile_name = like->profile;
    replay_status_begin(r->replay_status);
    session_run(s, &job, 1);
    s->profile_name = r->comparison.profile;
    for (; own.at < r->in->count; own.at++)
        if (compared_alike(r->own[own.at], like))
            session_not_reached(s, r->in->file[own.at].path);
    board_close(job.board);
}

/* --- traces
 * -------------------------------------------------------------------------------------------------------------------
 */

struct trace_source {
    struct replay *replay;
    struct trace_reader *reader;
    unsigned input;
};

static bool next_of_trace(void *context, struct test_case *c, struct outcome *board, bool *has_outcome,
                          const char **label, struct error *e)
{
    struct trace_source *s = context;
    *has_outcome = true;
    if (trace_next(s->reader, c, board, label, e) <= 0)
        return false;
    replay_status_case(s->replay->replay_status, s->input);
    return true;
}

static void replay_trace(struct replay *r, unsigned input)
{
    struct error e = {0};
    struct session *s = &r->session;
    const char *path = r->in->file[input].path;
    struct trace_source trace = {.replay = r, .reader = trace_open(path, &e), .input = input};
    if (!trace.reader) {
        fail(STATUS_USAGE, &e);
        s->unusable = true;
        return;
    }
    struct board_identity who;
    trace_identify(trace.reader, path, &who);
    struct session_job job = {
        .unit = trace_unit(trace.reader),
        .source = {.next = next_of_trace, .context = &trace, .identity = &who, .watch = &r->watch}};
    bool late = interrupted;
    replay_status_begin(r->replay_status);
    session_run(s, &job, 1);
    if (late)
        session_not_reached(s, path);
    trace_close(trace.reader);
}

/* Is the profile one of all units of the inputs? That is known before anything runs, and before a campaign is
 * made for it. */
static bool have_profile(const struct inputs *in, const char *name, struct error *e)
{
    struct profile p;
    for (unsigned u = 0; unit_at(u); u++)
        if (inputs_have(in, unit_at(u), true) && !profile_load(unit_at(u), name, &p, e))
            return false;
    return true;
}

static int run_replay(const struct arguments *a)
{
    struct error e = {0};
    struct replay r = {0};
    struct inputs *in = NULL;
    if (!comparison_choose(&r.comparison, a, &e) || !session_open(&r.session, "replay", a, &e))
        return fail(STATUS_USAGE, &e);
    r.session.profile_name = r.session.display.profile = r.comparison.profile;
    if (!(in = inputs_open(a, &e)) || !have_profile(in, r.comparison.profile, &e) ||
        !session_keep(&r.session, &e)) {
        inputs_close(in);
        session_abandon(&r.session);
        return fail(STATUS_USAGE, &e);
    }
    r.in = in;
    r.session.comparison = r.comparison.several ? NULL : &r.comparison;
    unsigned once_count;
    struct finding *once = comparison_findings(&r.comparison, &once_count);
    r.replay_status = replay_status_new(in, once, once_count);
    r.watch = replay_status_watch(r.replay_status);
    r.own = memory_new(in->count, sizeof *r.own);
    struct test_case *c = memory_new(1, sizeof *c);
    for (unsigned i = 0; i < in->count; i++)
        r.own[i] = find_own(&r, i, once, once_count, c);
    free(c);
    /* After an interruption too: each run then notes that it has not come to its end. */
    bool live = a->option[OPTION_BOARD] != NULL;
    for (unsigned i = 0; !live && i < in->count; i++)
        if (in->file[i].kind == INPUT_TRACE)
            replay_trace(&r, i);
    for (unsigned i = 0; i < in->count; i++)
        if (r.own[i])
            replay_own(&r, i);
    for (unsigned u = 0; unit_at(u); u++)
        if (inputs_have(in, unit_at(u), live))
            replay_cases(&r, unit_at(u));
    free(r.own);
    unsigned inputs;
    struct report_input *input = r.session.report.input = replay_status_report(r.replay_status, &inputs);
    r.session.report.inputs = inputs;
    int status = session_close(&r.session);
    replay_status_free_report(input, inputs);
    replay_status_free(r.replay_status);
    store_free_findings(once, once_count);
    inputs_close(in);
    return status;
}

const struct command command_replay = {
    .name = "replay",
    .synopsis = "PATH...",
    .about = "compare existing cases and traces again",
    .details =
        "PATH is a case file, a trace, a folder of them (walked in the order of names), or - for a case on "
        "standard\n"
        "input. All are checked first. Cases run on the model and on --board (without it, on the unit's\n"
        "best-known silicon profile, virtual). In a campaign's directory, the campaign's own profile and "
        "virtual board are\n"
        "taken, of one that compared in several ways each finding's own (what a trace or hardware said is "
        "kept with the finding), where "
        "--profile and --board name none, and the first line says so; another board has to be named. Traces "
        "are compared with "
        "what they recorded; with an explicit --board their cases run\n"
        "there instead. Output folders of AFL++ (crashes, hangs, queue) and libFuzzer's artifacts and corpus "
        "are taken as they are,\n"
        "of --unit, or the unit whose name is in their path, or that of the campaign they lie in. What once "
        "crashed or hung is tried in a "
        "process of its own first.\n"
        "Of each input that was a finding, a crash or a hang, it says what it does today: the same finding, "
        "another, or\n"
        "nothing any more; --json and --junit list all inputs. Every difference is attributed as `misprint "
        "fuzz` does;\n"
        "a replay that compares nothing fails, and so does one that a signal cuts short before it found "
        "anything.\n\n"
        "  misprint replay corpus/vc4-qpu/silicon --profile manual\n"
        "  misprint replay out/diff_vc4-vpm/default --junit result.xml\n"
        "  misprint replay my-campaign/cases --profile bcm2835",
    .options = {OPTION_BOARD, OPTION_PROFILE, OPTION_UNIT, OPTION_CAMPAIGN, OPTION_CHANGES, OPTION_NO_REDUCE,
                OPTION_JUNIT, OPTION_JSON, OPTION_QUIET, OPTION_END},
    .least = 1,
    .most = -1,
    .run = run_replay,
};
