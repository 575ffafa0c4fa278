/* SPDX-License-Identifier: MIT */
#include "fuzz/engines.h"

#include "fuzz/engine_status.h"
#include "fuzz/generate.h"
#include "fuzz/harvest.h"
#include "fuzz/try.h"
#include "harness/clock.h"
#include "model/memory.h"
#include "model/text.h"
#include "oracle/corpus.h"
#include "oracle/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
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
    SEEDS = 32,           /* new cases to start from */
    LOOK_MS = 100,        /* between two looks at folders and processes */
    YOUNG = 2,            /* seconds: a process that ends before and left nothing could not start */
    RESTARTS_MAX = 10000, /* defects may be many, but not without end */
    END_MS = 5000,        /* that a process has for ending itself */
    WORDS_MAX = 32,
    WORD_MAX = FILE_PATH_MAX + 64,
};

struct engine_job {
    pid_t process; /* 0: none */
    double started;
    char folder[FILE_PATH_MAX]; /* DIR/engines/libfuzzer-1 */
    struct engine_status *status;
};

struct engines {
    struct engine_options o;
    const struct engine *engine;
    char root[FILE_PATH_MAX], corpus[FILE_PATH_MAX], target[FILE_PATH_MAX], mutator[FILE_PATH_MAX], program[FILE_PATH_MAX];
    struct engine_job job[ENGINE_JOBS_MAX];
    struct harvest *harvest;
    double start;
    unsigned restarts, given, started_corpus, started_kept;
    bool stopped, failed;
    struct error error;
};

/* A command line in the making. */
struct command_line {
    unsigned words;
    char word[WORDS_MAX][WORD_MAX];
};

struct engine {
    const char *name;
    const char *program; /* that is needed besides the target; NULL: none */
    const char *package; /* which brings it */
    void (*command)(const struct engines *s, unsigned job, struct command_line *l);
    void (*environment)(const struct engines *s);
    void (*folders)(struct engines *s, unsigned job); /* which of its folders hold cases */
};

__attribute__((format(printf, 2, 3))) static void add_word(struct command_line *l, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (l->words < WORDS_MAX)
        (void)vsnprintf(l->word[l->words++], WORD_MAX, format, arguments);
    va_end(arguments);
}

/* ---- libFuzzer ---- */

static void libfuzzer_command(const struct engines *s, unsigned job, struct command_line *l)
{
    add_word(l, "%s", s->target);
    add_word(l, "-seed=%" PRIu64, (s->o.seed + job + s->restarts) % UINT32_MAX);
    add_word(l, "-max_len=%d", CASE_BYTES_MAX);
    add_word(l, "-len_control=0");  /* the mutator knows what a short case is */
    add_word(l, "-entropic=0");     /* which would take a fifth of the time for choosing the next input */
    add_word(l, "-detect_leaks=0"); /* fuzz/targets/more.c looks for them */
    add_word(l, "-timeout=%d", HANG_SECONDS);
    add_word(l, "-reload=1"); /* takes what the other jobs find */
    add_word(l, "-print_final_stats=1");
    add_word(l, "-artifact_prefix=%s/", s->job[job].folder);
    add_word(l, "%s", s->corpus);
}

static void libfuzzer_environment(const struct engines *s)
{
    (void)s;
}

static void libfuzzer_folders(struct engines *s, unsigned job)
{
    if (job == 0)
        harvest_folder(s->harvest, s->corpus, HARVEST_CASES);
    harvest_folder(s->harvest, s->job[job].folder, HARVEST_DEFECTS);
}

/* ---- AFL++ ---- */

static void afl_name(unsigned job, char name[16])
{
    (void)snprintf(name, 16, job ? "s%u" : "main", job);
}

static void afl_command(const struct engines *s, unsigned job, struct command_line *l)
{
    char name[16];
    afl_name(job, name);
    add_word(l, "%s", s->program);
    add_word(l, "-i");
    add_word(l, "%s", s->corpus);
    add_word(l, "-o");
    add_word(l, "%s/afl", s->root);
    add_word(l, job ? "-S" : "-M");
    add_word(l, "%s", name);
    if (!job) { /* takes what libFuzzer and the campaign find */
        add_word(l, "-F");
        add_word(l, "%s", s->corpus);
    }
    add_word(l, "-t");
    add_word(l, "%d", 1000 * HANG_SECONDS);
    add_word(l, "-s");
    add_word(l, "%" PRIu64, (s->o.seed + job + s->restarts) % UINT32_MAX);
    add_word(l, "--");
    add_word(l, "%s", s->target);
}

/* AFL++ 4.04c, docs/env_variables.md; without AFL_NO_AFFINITY it ends when it finds no free core. */
static void afl_environment(const struct engines *s)
{
    static const char *const set[] = {"AFL_NO_UI",      "AFL_NO_AFFINITY",        "AFL_SKIP_CPUFREQ", "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES",
                                      "AFL_AUTORESUME", "AFL_CUSTOM_MUTATOR_ONLY"};
    for (unsigned i = 0; i < sizeof set / sizeof *set; i++)
        (void)setenv(set[i], "1", 1);
    (void)setenv("AFL_CUSTOM_MUTATOR_LIBRARY", s->mutator, 1);
}

static void afl_folders(struct engines *s, unsigned job)
{
    static const struct {
        const char *name;
        enum harvest_kind kind;
    } folders[] = {{"queue", HARVEST_CASES}, {"crashes", HARVEST_DEFECTS}, {"hangs", HARVEST_DEFECTS}};
    char name[16], path[FILE_PATH_MAX];
    afl_name(job, name);
    for (unsigned i = 0; i < sizeof folders / sizeof *folders; i++) {
        (void)snprintf(path, sizeof path, "%.4000s/afl/%s/%s", s->root, name, folders[i].name);
        harvest_folder(s->harvest, path, folders[i].kind);
    }
}

static const struct engine engines[] = {
    {"libfuzzer", NULL, NULL, libfuzzer_command, libfuzzer_environment, libfuzzer_folders},
    {"afl", "afl-fuzz", "afl++", afl_command, afl_environment, afl_folders},
};

enum { ENGINES = sizeof engines / sizeof *engines };

const char *engine_name_at(unsigned i)
{
    return i < ENGINES ? engines[i].name : NULL;
}

static const struct engine *engine_named(const char *name, struct error *e)
{
    struct text names = {0};
    for (unsigned i = 0; i < ENGINES; i++) {
        if (!strcmp(engines[i].name, name)) {
            text_free(&names);
            return &engines[i];
        }
        text_add(&names, ", %s", engines[i].name);
    }
    error_set(e, "there is no engine '%s'; there are builtin%s", name, text_chars(&names));
    text_free(&names);
    return NULL;
}

bool engine_exists(const char *name, struct error *e)
{
    return engine_named(name, e) != NULL;
}

/* ---- finding what is needed ---- */

static bool find_program(const char *name, const char *package, char path[FILE_PATH_MAX], struct error *e)
{
    const char *at = getenv("PATH");
    while (at && *at) {
        size_t length = strcspn(at, ":");
        (void)snprintf(path, FILE_PATH_MAX, "%.*s/%s", (int)length, at, name);
        if (access(path, X_OK) == 0)
            return true;
        at += length + (at[length] == ':');
    }
    return error_set(e, "%s is not installed; `apt-get install %s` installs it", name, package);
}

/* The folder of the engines' targets: named by the environment, beside the command in a build, or in libexec of where it is installed. */
static bool find_in_engines(const char *engine, const char *file, char path[FILE_PATH_MAX])
{
    char self[FILE_PATH_MAX / 2] = "";
    const char *named = getenv("MISPRINT_ENGINES");
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = 0;
    char *slash = strrchr(self, '/');
    if (slash)
        *slash = 0;
    static const char *const beside[] = {"libexec/misprint", "../libexec/misprint"};
    if (named) {
        (void)snprintf(path, FILE_PATH_MAX, "%.2000s/%s/%s", named, engine, file);
        return access(path, R_OK) == 0;
    }
    for (unsigned i = 0; i < sizeof beside / sizeof *beside; i++) {
        (void)snprintf(path, FILE_PATH_MAX, "%s/%s/%s/%s", self, beside[i], engine, file);
        if (access(path, R_OK) == 0)
            return true;
    }
    return false;
}

static bool find_parts(struct engines *s, struct error *e)
{
    char target[128];
    (void)snprintf(target, sizeof target, "diff_%s", s->o.unit->name);
    if (s->engine->program && !find_program(s->engine->program, s->engine->package, s->program, e))
        return false;
    if (!find_in_engines(s->engine->name, target, s->target) ||
        (s->engine->program && !find_in_engines(s->engine->name, "libmisprint-mutator.so", s->mutator)))
        return error_set(
            e,
            "engine %s: its target %s is not built; `cmake --build BUILD --target engines` builds it (`scripts/setup test` installs what that needs)",
            s->engine->name, target);
    return true;
}

bool engine_check(const char *name, const struct unit *u, struct error *e)
{
    struct engines *s = memory_new(1, sizeof *s);
    s->o.unit = u;
    s->engine = engine_named(name, e);
    bool good = s->engine && find_parts(s, e);
    free(s);
    return good;
}

/* ---- the directory ---- */

static bool write_case(const struct engines *s, const struct test_case *c, struct error *e)
{
    static uint8_t bytes[CASE_BYTES_MAX];
    char path[FILE_PATH_MAX];
    size_t count = case_encode(c, bytes);
    (void)snprintf(path, sizeof path, "%.4000s/%016" PRIx64, s->corpus, (uint64_t)XXH3_64bits(bytes, count));
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

/* The project's cases for this unit; where no corpus is installed, none. */
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

static bool write_kept_case(void *context, const struct test_case *c, const struct kept_case *kept, struct error *e)
{
    struct engines *s = context;
    (void)kept;
    s->started_kept++;
    return write_case(s, c, e);
}

/* What the campaign keeps, from whichever engine and board. */
static bool write_kept(struct engines *s, struct error *e)
{
    static const struct board_identity none;
    return !s->o.store || store_each_case(s->o.store, s->o.unit, &none, write_kept_case, s, e);
}

static bool open_job(struct engines *s, unsigned n, struct error *e)
{
    struct engine_job *j = &s->job[n];
    char path[FILE_PATH_MAX];
    (void)snprintf(j->folder, sizeof j->folder, "%.4000s/%s-%u", s->root, s->engine->name, n + 1);
    (void)snprintf(path, sizeof path, "%.4000s.status", j->folder);
    if (!file_make_folder(j->folder, e))
        return false;
    (void)unlink(path);
    if (!(j->status = engine_status_map(path, false, e)))
        return false;
    s->engine->folders(s, n);
    return true;
}

/* ---- processes ---- */

_Noreturn static void become(struct engines *s, unsigned n)
{
    static struct command_line line;
    char *argv[WORDS_MAX + 1] = {NULL}, path[FILE_PATH_MAX];
    struct engine_job *j = &s->job[n];
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM); /* dies with the campaign, however that dies */
    (void)setpgid(0, 0);                    /* a terminal's Ctrl-C is the campaign's to handle */
    (void)snprintf(path, sizeof path, "%.4000s.log", j->folder);
    int log = open(path, O_WRONLY | O_CREAT | O_APPEND, 0666), nothing = open("/dev/null", O_RDONLY);
    (void)dup2(nothing, STDIN_FILENO);
    (void)dup2(log, STDOUT_FILENO);
    (void)dup2(log, STDERR_FILENO);
    (void)snprintf(path, sizeof path, "%.4000s.status", j->folder);
    (void)setenv(ENV_STATUS, path, 1);
    (void)setenv(ENV_UNIT, s->o.unit->name, 1);
    (void)setenv(ENV_PROFILE, s->o.profile, 1);
    (void)unsetenv(ENV_BLIND); /* the user's shell may have them from trying a target by hand */
    (void)unsetenv(ENV_BOARD);
    if (s->o.board)
        (void)setenv(ENV_BOARD, s->o.board, 1);
    s->engine->environment(s);
    s->engine->command(s, n, &line);
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
        error_set(e, "no process for engine %s (%s)", s->engine->name, strerror(errno));
        e->of_machine = true;
        return false;
    }
    s->job[n].process = child;
    s->job[n].started = clock_seconds();
    return true;
}

/* The case at which a process ended, where no input of the engine shows it: as an artifact of libFuzzer's, to be tried like the others. */
static void keep_hand(const struct engine_job *j, bool hung)
{
    const struct engine_status *s = j->status;
    char path[FILE_PATH_MAX];
    struct error e = {0};
    if (!s->in_hand || s->in_hand > sizeof s->hand)
        return;
    (void)snprintf(path, sizeof path, "%.4000s/%s-%016" PRIx64, j->folder, hung ? "timeout" : "crash", (uint64_t)XXH3_64bits(s->hand, s->in_hand));
    (void)file_write(path, (const char *)s->hand, s->in_hand, &e); /* a full disk shows in the store, which says so */
}

/* A process ended by itself: at a defect, or because it cannot run at all. */
static void restart(struct engines *s, unsigned n, int status)
{
    struct engine_job *j = &s->job[n];
    j->process = 0;
    if (s->stopped || s->failed)
        return;
    bool hung = WIFEXITED(status) && WEXITSTATUS(status) == 70, artefact = hung || (WIFEXITED(status) && WEXITSTATUS(status) == 77); /* libFuzzer's */
    keep_hand(j, hung);
    if ((clock_seconds() - j->started < YOUNG && !artefact) || s->restarts >= RESTARTS_MAX) {
        s->failed = true;
        s->error.of_machine = true;
        error_set(&s->error, "engine %s ended (status %d); its last words are in %s.log", s->engine->name,
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
    harvest_free(s->harvest);
    free(s);
}

static bool set_up(struct engines *s, struct error *e)
{
    (void)snprintf(s->root, sizeof s->root, "%.3900s/engines", s->o.directory);
    (void)snprintf(s->corpus, sizeof s->corpus, "%.3900s/corpus", s->root);
    s->harvest = harvest_new(s->o.unit, s->o.profile, s->o.board);
    bool good = file_make_folder(s->root, e) && file_make_folder(s->corpus, e) && write_seeds(s, e) && write_corpus(s, e) && write_kept(s, e);
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
    s->engine = engine_named(o->engine, e);
    if (s->engine && find_parts(s, e) && set_up(s, e))
        return s;
    engines_stop(s);
    return NULL;
}

/* ---- as a source ---- */

static bool next_case(void *context, struct test_case *c, struct outcome *board, bool *has_outcome, const char **label, struct error *e)
{
    struct engines *s = context;
    (void)board;
    *has_outcome = false;
    if (s->failed) {
        *e = s->error;
        return false;
    }
    if (!harvest_next(s->harvest, c, label))
        return false;
    *label += strncmp(*label, s->root, strlen(s->root)) ? 0 : strlen(s->root) + 1;
    s->given++;
    return true;
}

/* The engines were given what they were to have. */
static bool is_over(const struct engines *s)
{
    return (s->o.max_seconds > 0 && clock_seconds() - s->start >= s->o.max_seconds) || (s->o.max_cases && engines_look(s).cases >= s->o.max_cases);
}

/* No case is there now: waits a little. False when there will be none any more: then all that the engines left has been given. */
static bool wait_for_more(void *context)
{
    struct engines *s = context;
    if (s->stopped)
        return false;
    watch(s);
    if (is_over(s))
        end_processes(s); /* what they leave behind is still harvested */
    else
        pause_a_little();
    return true;
}

/* What AFL++ found and the campaign had not seen is for libFuzzer too; what libFuzzer found lies there already. */
static void share(void *context, const struct test_case *c, unsigned pairs)
{
    struct engines *s = context;
    struct error e = {0};
    (void)pairs;
    if (s->engine->program)
        (void)write_case(s, c, &e); /* a full disk shows in the store, which says so */
}

struct case_source engines_as_source(struct engines *s)
{
    return (struct case_source){.next = next_case, .wait = wait_for_more, .context = s, .fresh = share};
}

struct engines_view engines_look(const struct engines *s)
{
    struct engines_view v = {
        .jobs = s->o.jobs, .restarts = s->restarts, .corpus = s->given, .started_corpus = s->started_corpus, .started_kept = s->started_kept};
    for (unsigned n = 0; n < s->o.jobs; n++) {
        v.running += s->job[n].process != 0;
        v.cases += s->job[n].status->cases;
        coverage_merge(&v.touched, &s->job[n].status->touched);
    }
    v.defects = harvest_defects(s->harvest);
    v.defect = harvest_first_defect(s->harvest);
    return v;
}
