/* SPDX-License-Identifier: MIT */
/* `misprint replay` compares existing cases and traces. */
#include "cli/session/board.h"
#include "cli/session/replay_status.h"
#include "cli/session/session.h"
#include "model/core/memory.h"
#include "oracle/files/load.h"
#include "oracle/files/trace.h"

#include <stdlib.h>
#include <string.h>

struct replay {
    struct session session;
    struct comparison comparison;
    const struct inputs *in;
    /* For each input: the finding whose case it is, if the replay repeats the finding's own comparison
     * (comparison.several); else NULL. */
    const struct finding **own;
    struct replay_status *status;
    struct case_watch watch;
};

/* Gives the cases of one unit's files and, if the user named a board, of its traces. */
struct file_source {
    struct replay *replay;
    const struct unit *unit;
    bool traces; /* include the cases of traces */
    unsigned at;
    struct input_reader *reader; /* reads the input before `at` */
};

static bool is_included(const struct file_source *s, unsigned i)
{
    const struct input *file = &s->replay->in->file[i];
    return file->unit == s->unit && !s->replay->own[i] && (file->kind != INPUT_TRACE || s->traces) &&
           !replay_status_broken(s->replay->status, i);
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
                replay_status_case(s->replay->status, s->at - 1);
            if (more)
                return more > 0;
            input_close(s->reader);
            s->reader = NULL;
        }
        while (s->at < s->replay->in->count && !is_included(s, s->at))
            s->at++;
        if (s->at == s->replay->in->count)
            return false;
        if (!(s->reader = input_open(&s->replay->in->file[s->at++], e)))
            return false;
    }
}

/* Runs inputs that crashed or hung before in a separate process, before they run in this process. */
static bool try_artifacts(struct replay *r, const struct unit *u, struct error *e)
{
    struct profile p;
    bool good = profile_load(u, r->session.profile_name, &p, e);
    for (unsigned i = 0; good && !interrupted && i < r->in->count; i++) {
        enum input_origin o = r->in->file[i].origin;
        if (r->in->file[i].unit == u &&
            (o == ORIGIN_CRASH || o == ORIGIN_HANG || o == ORIGIN_LEAK || o == ORIGIN_MEMORY))
            good = replay_status_try(r->status, i, &p, e);
        r->session.model_failed |= replay_status_broken(r->status, i);
    }
    return good;
}

/* Notes the inputs that were not run after an interruption. */
static void not_reached(const struct file_source *s)
{
    for (unsigned i = s->at; i < s->replay->in->count; i++)
        if (is_included(s, i))
            session_not_reached(&s->replay->session, s->replay->in->file[i].path);
}

static void replay_cases(struct replay *r, const struct unit *u)
{
    struct error e = {0};
    struct session *s = &r->session;
    struct file_source files = {.replay = r, .unit = u, .traces = s->arguments->option[OPTION_BOARD] != NULL};
    unsigned first = 0;
    while (first < r->in->count && !is_included(&files, first))
        first++;
    if (first == r->in->count && r->comparison.several)
        return;
    if (interrupted) {
        not_reached(&files);
        return;
    }
    struct profile p;
    bool ready = try_artifacts(r, u, &e) && profile_load(u, s->profile_name, &p, &e);
    struct board *board = ready ? session_board(s->arguments, r->comparison.board, u, &p, &e) : NULL;
    if (!board) {
        session_fail(s, &e);
        return;
    }
    struct session_job job = {.unit = u,
                              .board = board,
                              .source = {.next = next_of_files, .context = &files, .watch = &r->watch}};
    replay_status_begin(r->status);
    session_run(s, &job, 1);
    if (interrupted)
        not_reached(&files);
    input_close(files.reader);
    board_close(board);
}

/* --- findings of a campaign whose runs had different profiles or boards --- */

/* Returns the known finding whose case this file holds; NULL if there is none, or if the file was changed. */
static const struct finding *find_own(const struct replay *r, unsigned input, const struct finding *known,
                                      unsigned count, struct test_case *c)
{
    const struct input *file = &r->in->file[input];
    struct error unreadable = {0};
    if (!r->comparison.several || file->origin != ORIGIN_FINDING || file->kind != INPUT_CASE)
        return NULL;
    for (unsigned i = 0; i < count; i++)
        if (known[i].unit == file->unit && !strcmp(known[i].id, file->finding) &&
            case_load(file->path, NULL, c, &unreadable) && case_equal(c, known[i].smallest))
            return &known[i];
    return NULL;
}

static bool compared_alike(const struct finding *a, const struct finding *b)
{
    return a && a->unit == b->unit && !strcmp(a->profile, b->profile) &&
           !strcmp(a->board.spec, b->board.spec);
}

/* Gives the cases of all findings that were compared under one profile with one board. A virtual board runs
 * the cases again (`live`). For any other board, the source gives the outcomes that the campaign recorded. */
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
    replay_status_case(s->replay->status, s->at++);
    return s->live || outcome_decode(board, c, f->board_outcome, f->board_outcome_size, e);
}

/* Replays all findings that have the profile and board of this input's finding. Does nothing if an earlier
 * input had the same profile and board. */
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
        session_fail(s, &e);
        return;
    }
    job.source.identity = own.live ? NULL : &like->board;
    s->profile_name = like->profile;
    replay_status_begin(r->status);
    session_run(s, &job, 1);
    s->profile_name = r->comparison.profile;
    for (; own.at < r->in->count; own.at++)
        if (compared_alike(r->own[own.at], like))
            session_not_reached(s, r->in->file[own.at].path);
    board_close(job.board);
}

/* --- traces --- */

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
    replay_status_case(s->replay->status, s->input);
    return true;
}

static void replay_trace(struct replay *r, unsigned input)
{
    struct error e = {0};
    struct session *s = &r->session;
    const char *path = r->in->file[input].path;
    struct trace_source trace = {.replay = r,
                                 .reader = trace_open_unit(path, r->in->file[input].unit, &e),
                                 .input = input};
    if (!trace.reader) {
        session_fail(s, &e);
        return;
    }
    struct board_identity who;
    trace_identify(trace.reader, path, &who);
    struct session_job job = {
        .unit = trace_unit(trace.reader),
        .source = {.next = next_of_trace, .context = &trace, .identity = &who, .watch = &r->watch}};
    bool late = interrupted;
    replay_status_begin(r->status);
    session_run(s, &job, 1);
    if (late)
        session_not_reached(s, path);
    trace_close(trace.reader);
}

/* Checks that the profile exists in every unit of the inputs, before a campaign is created. */
static bool check_profile(const struct inputs *in, const char *name, struct error *e)
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
    if (!(in = inputs_open(a, false, &e)) || !check_profile(in, r.comparison.profile, &e) ||
        !session_open_store(&r.session, &e)) {
        inputs_close(in);
        session_abandon(&r.session);
        return fail(STATUS_USAGE, &e);
    }
    r.in = in;
    r.session.comparison = r.comparison.several ? NULL : &r.comparison;
    unsigned known_count;
    struct finding *known = comparison_findings(&r.comparison, &known_count);
    r.status = replay_status_new(in, known, known_count);
    r.watch = replay_status_watch(r.status);
    r.own = memory_new(in->count, sizeof *r.own);
    struct test_case *c = memory_new(1, sizeof *c);
    for (unsigned i = 0; i < in->count; i++)
        r.own[i] = find_own(&r, i, known, known_count, c);
    free(c);
    /* Starts runs even after an interruption, because such a run records that it did not reach its end. */
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
    struct report_input *input = r.session.report.input = replay_status_report(r.status);
    r.session.report.inputs = in->count;
    int status = session_close(&r.session);
    replay_status_free_report(input, in->count);
    replay_status_free(r.status);
    store_free_findings(known, known_count);
    inputs_close(in);
    return status;
}

const struct command command_replay = {
    .name = "replay",
    .synopsis = "PATH...",
    .about = "compare existing cases and traces again",
    .examples = "  misprint replay corpus/vc4-qpu/silicon --profile manual\n"
                "  misprint replay out/diff_vc4-vpm/default --junit result.xml\n"
                "  misprint replay my-campaign/cases --profile bcm2835",
    .details =
        "Runs existing cases on the model and on a board and compares every defined bit. PATH is a case "
        "file, a trace, a folder of them, or - for a case on standard input. All inputs are checked before "
        "the first one runs. Differences are attributed as by `misprint fuzz`.\n\n"
        "Without --board, cases run on the unit's best-known silicon profile, a virtual board. A trace is "
        "compared with the outcomes that it recorded; if you name a --board, its cases run there instead.\n\n"
        "Inputs in a campaign's directory are compared with the campaign's own profile and virtual board, "
        "unless --profile and --board name others, and the first line says so. If runs of the campaign had "
        "different profiles or boards, each finding uses its own; for a trace or hardware the recorded "
        "outcome is used. To run on hardware again, name it with --board. If all runs used the same profile "
        "and the same board, and that is not virtual, --board is required.\n\n"
        "Output folders of AFL++ (crashes, hangs, queue) and artifacts and corpora of libFuzzer are "
        "accepted. The unit is --unit, else the one named in the path, else the campaign's. Inputs that "
        "crashed or hung are tried in a separate process first.\n\n"
        "For each input that was a finding, a crash or a hang, the summary says what it is today: the same "
        "finding, another one, or no difference. --json and --junit list all inputs. The exit status is 3 if "
        "nothing was compared, or if a signal stopped the replay with nothing found.",
    .options = {OPTION_BOARD, OPTION_BOARD_IS, OPTION_PROFILE, OPTION_RULE, OPTION_UNIT, OPTION_CAMPAIGN,
                OPTION_CHANGES, OPTION_NO_REDUCE, OPTION_STATS, OPTION_JUNIT, OPTION_JSON, OPTION_QUIET,
                OPTION_END},
    .min_words = 1,
    .max_words = -1,
    .run = run_replay,
};
