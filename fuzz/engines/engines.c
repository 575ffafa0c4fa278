/* SPDX-License-Identifier: MIT */
#include "fuzz/engines/engines.h"

#include "fuzz/engines/engine_corpus.h"
#include "fuzz/engines/engine_kind.h"
#include "fuzz/engines/engine_status.h"
#include "fuzz/generate/generate.h"
#include "harness/system/clock.h"
#include "model/core/memory.h"
#include "oracle/files/corpus.h"
#include "oracle/files/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

enum {
    SEEDS = 32,           /* new cases that the engines begin with */
    LOOK_MS = 100,        /* time between two checks of folders and processes */
    YOUNG = 2,            /* seconds: a process that ends earlier and left nothing was unable to start */
    RESTARTS_MAX = 10000, /* limit for all jobs together */
    END_MS = 5000,        /* time for a process to end after SIGINT */
};

struct engine_job {
    pid_t process; /* 0: none */
    double started;
    char folder[FILE_PATH_MAX]; /* DIR/engines/libfuzzer-1 */
    struct engine_status *status;
};

struct engines {
    struct engine_options o;
    const struct engine_kind *kind;
    struct engine_places places;
    struct engine_job job[ENGINE_JOBS_MAX];
    struct engine_corpus *engine_corpus;
    double start;
    unsigned restarts, given, started_corpus, started_kept;
    bool stopped, failed;
    struct error error;
};

/* ---- the directory ---- */

static bool write_case(const struct engines *s, const struct test_case *c, struct error *e)
{
    static uint8_t bytes[CASE_BYTES_MAX];
    char path[FILE_PATH_MAX];
    size_t count = case_encode(c, bytes);
    (void)snprintf(path, sizeof path, "%.4000s/%016" PRIx64, s->places.corpus,
                   (uint64_t)XXH3_64bits(bytes, count));
    return access(path, F_OK) == 0 || file_write(path, (const char *)bytes, count, e);
}

static bool write_seeds(const struct engines *s, struct error *e)
{
    struct random r;
    struct test_case *c = memory_new(1, sizeof *c);
    bool good = true;
    random_seed(&r, s->o.seed);
    for (unsigned i = 0; good && i < SEEDS; i++) {
        case_generate(&r, s->o.unit, c);
        good = write_case(s, c, e);
    }
    free(c);
    return good;
}

/* Writes the project's cases for this unit. Writes none if no corpus is installed. */
static bool write_corpus(struct engines *s, struct error *e)
{
    char *folder = corpus_find();
    struct corpus *c = folder ? corpus_open(s->o.unit, folder, e) : NULL;
    bool good = c || !folder;
    for (unsigned i = 0; good && c && i < c->count; i++, s->started_corpus++)
        good = write_case(s, c->entry[i].tc, e);
    corpus_close(c);
    free(folder);
    return good;
}

static bool write_kept_case(void *context, const struct test_case *c, const struct kept_case *kept,
                            struct error *e)
{
    struct engines *s = context;
    (void)kept;
    s->started_kept++;
    return write_case(s, c, e);
}

/* Writes the cases that the campaign keeps, of any engine and board. */
static bool write_kept(struct engines *s, struct error *e)
{
    static const struct board_identity none;
    return !s->o.store || store_each_case(s->o.store, s->o.unit, &none, write_kept_case, s, e);
}

static bool open_job(struct engines *s, unsigned n, struct error *e)
{
    struct engine_job *j = &s->job[n];
    char path[FILE_PATH_MAX];
    (void)snprintf(j->folder, sizeof j->folder, "%.4000s/%s-%u", s->places.root, s->kind->name, n + 1);
    (void)snprintf(path, sizeof path, "%.4000s.status", j->folder);
    if (!file_make_folder(j->folder, e))
        return false;
    (void)unlink(path);
    if (!(j->status = engine_status_map(path, false, e)))
        return false;
    s->kind->folders(&s->places, n, j->folder, s->engine_corpus);
    return true;
}

/* ---- processes ---- */

_Noreturn static void become(struct engines *s, unsigned n)
{
    static struct command_line line;
    char *argv[ENGINE_WORDS_MAX + 1] = {NULL}, path[FILE_PATH_MAX];
    struct engine_job *j = &s->job[n];
    /* The process dies with the campaign, however the campaign dies. */
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    (void)setpgid(0, 0); /* the campaign handles a terminal's Ctrl-C */
    (void)snprintf(path, sizeof path, "%.4000s.log", j->folder);
    int log = open(path, O_WRONLY | O_CREAT | O_APPEND, 0666), nothing = open("/dev/null", O_RDONLY);
    (void)dup2(nothing, STDIN_FILENO);
    (void)dup2(log, STDOUT_FILENO);
    (void)dup2(log, STDERR_FILENO);
    (void)snprintf(path, sizeof path, "%.4000s.status", j->folder);
    (void)setenv(ENV_STATUS, path, 1);
    (void)setenv(ENV_UNIT, s->o.unit->name, 1);
    (void)setenv(ENV_PROFILE, s->o.profile, 1);
    (void)unsetenv(ENV_BLIND); /* a user's shell may have set these for a target */
    (void)unsetenv(ENV_BOARD);
    if (s->o.board)
        (void)setenv(ENV_BOARD, s->o.board, 1);
    struct engine_start start = {.job = n, .folder = j->folder, .seed = s->o.seed + n + s->restarts};
    if (s->kind->environment)
        s->kind->environment(&s->places);
    s->kind->command(&s->places, &start, &line);
    for (unsigned i = 0; i < line.words; i++)
        argv[i] = line.word[i];
    if (!argv[0])
        _exit(127);
    (void)execv(argv[0], argv);
    (void)fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
    _exit(127);
}

static bool start_job(struct engines *s, unsigned n, struct error *e)
{
    pid_t child = fork();
    if (child == 0)
        become(s, n);
    if (child < 0) {
        error_set(e, "engine %s: cannot start a process (%s)", s->kind->name, strerror(errno));
        e->of_machine = true;
        return false;
    }
    s->job[n].process = child;
    s->job[n].started = clock_seconds();
    return true;
}

/* Writes the case on which a process stopped, if that case was not the engine's input. The file has the name
 * and form of libFuzzer's artefacts. */
static void keep_hand(const struct engine_job *j, bool hung)
{
    const struct engine_status *s = j->status;
    char path[FILE_PATH_MAX];
    struct error e = {0};
    if (!s->in_hand || s->in_hand > sizeof s->hand)
        return;
    (void)snprintf(path, sizeof path, "%.4000s/%s-%016" PRIx64, j->folder, hung ? "timeout" : "crash",
                   (uint64_t)XXH3_64bits(s->hand, s->in_hand));
    /* If this fails, the store reports a full disk. */
    (void)file_write(path, (const char *)s->hand, s->in_hand, &e);
}

/* Handles a process that ended by itself: it found a defect, or cannot run at all. */
static void restart(struct engines *s, unsigned n, int status)
{
    struct engine_job *j = &s->job[n];
    j->process = 0;
    if (s->stopped || s->failed)
        return;
    bool hung = WIFEXITED(status) && WEXITSTATUS(status) == 70, /* libFuzzer's exit status, like 77 */
        artefact = hung || (WIFEXITED(status) && WEXITSTATUS(status) == 77);
    keep_hand(j, hung);
    if ((clock_seconds() - j->started < YOUNG && !artefact) || s->restarts >= RESTARTS_MAX) {
        s->failed = true;
        s->error.of_machine = true;
        error_set(&s->error, "engine %s ended at once (status %d); %s.log has its output", s->kind->name,
                  WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), j->folder);
        return;
    }
    s->restarts++;
    s->failed = !start_job(s, n, &s->error);
}

static void watch(struct engines *s)
{
    for (unsigned n = 0; n < s->o.jobs; n++) {
        int status;
        if (s->job[n].process && waitpid(s->job[n].process, &status, WNOHANG) == s->job[n].process)
            restart(s, n, status);
    }
}

static bool any_runs(const struct engines *s)
{
    for (unsigned n = 0; n < s->o.jobs; n++)
        if (s->job[n].process)
            return true;
    return false;
}

static void pause_a_little(void)
{
    (void)nanosleep(&(struct timespec){.tv_nsec = LOOK_MS * 1000000L}, NULL);
}

static void end_processes(struct engines *s)
{
    double end = clock_seconds() + END_MS / 1000.0;
    s->stopped = true;
    for (unsigned n = 0; n < s->o.jobs; n++)
        if (s->job[n].process)
            (void)kill(s->job[n].process, SIGINT);
    for (; any_runs(s) && clock_seconds() < end; pause_a_little())
        watch(s);
    for (unsigned n = 0; n < s->o.jobs; n++)
        if (s->job[n].process) {
            (void)kill(s->job[n].process, SIGKILL);
            (void)waitpid(s->job[n].process, NULL, 0);
            s->job[n].process = 0;
        }
}

void engines_stop(struct engines *s)
{
    if (!s)
        return;
    end_processes(s);
    for (unsigned n = 0; n < s->o.jobs; n++)
        engine_status_unmap(s->job[n].status);
    engine_corpus_free(s->engine_corpus);
    free(s);
}

static bool set_up(struct engines *s, struct error *e)
{
    (void)snprintf(s->places.root, sizeof s->places.root, "%.3900s/engines", s->o.directory);
    (void)snprintf(s->places.corpus, sizeof s->places.corpus, "%.3900s/corpus", s->places.root);
    s->engine_corpus = engine_corpus_new(s->o.unit, s->o.profile, s->o.board);
    bool good = file_make_folder(s->places.root, e) && file_make_folder(s->places.corpus, e) &&
                write_seeds(s, e) && write_corpus(s, e) && write_kept(s, e);
    for (unsigned n = 0; good && n < s->o.jobs; n++)
        good = open_job(s, n, e);
    for (unsigned n = 0; good && n < s->o.jobs; n++)
        good = start_job(s, n, e);
    return good;
}

struct engines *engines_start(const struct engine_options *o, struct error *e)
{
    struct engines *s = memory_new(1, sizeof *s);
    s->o = *o;
    s->start = clock_seconds();
    s->kind = engine_named(o->engine, e);
    if (s->kind && engine_find(s->kind, o->unit, &s->places, e) && set_up(s, e))
        return s;
    engines_stop(s);
    return NULL;
}

/* ---- as a source ---- */

static bool next_case(void *context, struct test_case *c, struct outcome *board, bool *has_outcome,
                      const char **label, struct error *e)
{
    struct engines *s = context;
    (void)board;
    *has_outcome = false;
    if (s->failed) {
        *e = s->error;
        return false;
    }
    if (!engine_corpus_next(s->engine_corpus, c, label))
        return false;
    *label += strncmp(*label, s->places.root, strlen(s->places.root)) ? 0 : strlen(s->places.root) + 1;
    s->given++;
    return true;
}

/* Did the engines reach the limit of time or cases? */
static bool is_over(const struct engines *s)
{
    return (s->o.max_seconds > 0 && clock_seconds() - s->start >= s->o.max_seconds) ||
           (s->o.max_cases && engines_look(s).cases >= s->o.max_cases);
}

/* Waits a little for more cases. Returns false if all that the engines left was given. */
static bool wait_for_more(void *context)
{
    struct engines *s = context;
    if (s->stopped)
        return false;
    watch(s);
    if (is_over(s))
        end_processes(s); /* what the engines left is still read */
    else
        pause_a_little();
    return true;
}

/* Adds AFL++'s cases that are new to the campaign to the shared corpus. libFuzzer adds its own cases
 * itself. */
static void share(void *context, const struct test_case *c, unsigned pairs)
{
    struct engines *s = context;
    struct error e = {0};
    (void)pairs;
    if (s->kind->program)
        (void)write_case(s, c, &e); /* if this fails, the store reports a full disk */
}

struct case_source engines_as_source(struct engines *s)
{
    return (struct case_source){.next = next_case, .wait = wait_for_more, .context = s, .fresh = share};
}

struct engines_view engines_look(const struct engines *s)
{
    struct engines_view v = {.jobs = s->o.jobs,
                             .restarts = s->restarts,
                             .corpus = s->given,
                             .started_corpus = s->started_corpus,
                             .started_kept = s->started_kept};
    for (unsigned n = 0; n < s->o.jobs; n++) {
        v.running += s->job[n].process != 0;
        v.cases += s->job[n].status->cases;
        coverage_merge(&v.touched, &s->job[n].status->touched);
    }
    v.defects = engine_corpus_defects(s->engine_corpus);
    v.defect = engine_corpus_first_defect(s->engine_corpus);
    return v;
}
