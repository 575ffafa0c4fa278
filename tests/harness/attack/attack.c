/* SPDX-License-Identifier: MIT */
#include "tests/harness/attack/attack_state.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { JOBS_MAX = 64, AHEAD = 4 * JOBS_MAX /* blocks that may be done before one that is not */ };
enum { TEXT_ROOM = 1 << 16, SECONDS_DEFAULT = 5, POLL_MS = 200, SAVE_SECONDS = 2, PROGRESS_SECONDS = 10 };
enum { STALL_SECONDS = 120 /* for one case: it does not end */, LAST_SECONDS = 10 /* for all to stop */ };
enum { DONE, BROKEN, WRONG_USE, INTERRUPTED }; /* exit statuses */

bool attack_verbose;

static uint64_t no_counters[ATTACK_COUNTERS], *counters = no_counters; /* where attack_count counts */

struct options {
    const struct attack *attack;
    uint64_t accepted, cases, seed, number; /* 0: no limit */
    double seconds;
    unsigned jobs;
    const char *resume;
    bool keep_going, one_case;
};

/* What a worker says of its block; in memory that it shares with its parent. */
struct box {
    volatile uint64_t block, at; /* at: the case that it tries now */
    struct attack_counts counts;
    size_t text_length;
    char text[TEXT_ROOM]; /* of the first broken case */
};

struct shared {
    volatile bool stop;
    struct box box[JOBS_MAX];
};

struct worker {
    pid_t id;
    int orders; /* numbers of blocks go there */
    bool busy;
    uint64_t at; /* the case when it was looked at last ... */
    double since;
};

/* A block that is done while one before it is not. */
struct done {
    bool is;
    struct attack_counts counts;
};

struct run {
    const struct options *o;
    struct attack_state state;
    struct shared *shared;
    struct worker worker[JOBS_MAX];
    struct done done[AHEAD]; /* by block modulo AHEAD */
    uint64_t issue;          /* the block that is given out next */
    int back[2];             /* the number of a worker that is done with its block */
    uint64_t first;          /* whose text this is */
    struct text text;
    bool any_broken, failed;
    double started, saved, shown;
    uint64_t begun_cases, begun_accepted; /* by runs before */
};

static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
    interrupted = number;
}

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void attack_count(unsigned counter, uint64_t n)
{
    if (counter < ATTACK_COUNTERS)
        counters[counter] += n;
}

/* A reason is one line. */
static void flatten(char *why)
{
    for (; *why; why++)
        if ((unsigned char)*why < ' ')
            *why = ' ';
}

/* ---- a worker ---- */

static void note_broken(struct box *b, uint64_t number, char *why, const struct text *text, bool keep_going)
{
    struct attack_counts *c = &b->counts;
    c->broken++;
    flatten(why);
    if (keep_going)
        (void)fprintf(stderr, "broken: case %" PRIu64 ": %s\n", number, why);
    if (c->has_first)
        return;
    c->has_first = true;
    c->first = number;
    (void)snprintf(c->why, sizeof c->why, "%s", why);
    b->text_length = text->length < TEXT_ROOM ? text->length : TEXT_ROOM;
    memcpy(b->text, text_chars(text), b->text_length);
}

static void try_block(const struct options *o, void *attack, const volatile bool *stop, struct box *b)
{
    uint64_t first = b->block * ATTACK_BLOCK, end = first + ATTACK_BLOCK;
    char why[ATTACK_WHY] = "";
    struct text text = {0};
    if (o->cases && end > o->cases)
        end = o->cases;
    for (uint64_t n = first; n < end && !*stop; n++) {
        b->at = n;
        text_clear(&text);
        enum attack_verdict v = o->attack->try_one(attack, o->seed, n, why, &text);
        b->counts.cases++;
        b->counts.accepted += v != ATTACK_REFUSED;
        if (v != ATTACK_BROKEN)
            continue;
        note_broken(b, n, why, &text, o->keep_going);
        if (!o->keep_going)
            break;
    }
    text_free(&text);
}

static _Noreturn void work(const struct options *o, struct shared *shared, unsigned number, int orders,
                           int back)
{
    struct box *b = &shared->box[number];
    uint8_t me = (uint8_t)number;
    uint64_t block;
    (void)signal(SIGINT, SIG_IGN); /* of the terminal: the parent decides */
    (void)signal(SIGTERM, SIG_DFL);
    counters = b->counts.counter;
    void *attack = o->attack->begin();
    while (read(orders, &block, sizeof block) == (ssize_t)sizeof block) {
        memset(&b->counts, 0, sizeof b->counts);
        b->text_length = 0;
        b->block = block;
        try_block(o, attack, &shared->stop, b);
        if (write(back, &me, 1) != 1)
            break;
    }
    o->attack->end(attack);
    exit(0);
}

static bool start_worker(struct run *r, unsigned number)
{
    struct worker *w = &r->worker[number];
    int orders[2];
    if (pipe(orders) != 0)
        return false;
    (void)fflush(NULL);
    w->id = fork();
    if (w->id == 0) { /* without the pipes of the others, each of which then ends with its parent */
        for (unsigned n = 0; n < r->o->jobs; n++)
            if (n != number && r->worker[n].id > 0)
                (void)close(r->worker[n].orders);
        (void)close(orders[1]);
        (void)close(r->back[0]);
        work(r->o, r->shared, number, orders[0], r->back[1]);
    }
    (void)close(orders[0]);
    w->orders = orders[1];
    w->busy = false;
    return w->id > 0;
}

/* ---- what comes back ---- */

static uint64_t blocks(const struct options *o)
{
    return o->cases ? (o->cases + ATTACK_BLOCK - 1) / ATTACK_BLOCK : UINT64_MAX / ATTACK_BLOCK;
}

static void keep_text(struct run *r, const struct box *b)
{
    if (!b->counts.has_first || (r->any_broken && r->first < b->counts.first))
        return;
    r->any_broken = true;
    r->first = b->counts.first;
    text_clear(&r->text);
    text_add_chars(&r->text, b->text, b->text_length);
}

/* Has it come to its end, by what is added up? What is done beyond that does not count. */
static bool is_complete(const struct run *r)
{
    const struct options *o = r->o;
    const struct attack_counts *c = &r->state.counts;
    return (o->accepted && c->accepted >= o->accepted) || (c->has_first && !o->keep_going) ||
           r->state.next >= blocks(o);
}

/* Adds the blocks that are done and have none before them that is not. */
static void add_done(struct run *r)
{
    struct done *d;
    while (!is_complete(r) && (d = &r->done[r->state.next % AHEAD])->is) {
        attack_counts_add(&r->state.counts, &d->counts);
        d->is = false;
        r->state.next++;
    }
}

static void take_block(struct run *r, unsigned number)
{
    const struct box *b = &r->shared->box[number];
    struct done *d = &r->done[b->block % AHEAD];
    r->worker[number].busy = false;
    keep_text(r, b);
    d->counts = b->counts;
    d->is = true;
}

/* A worker that died, or that this one ends because its case does not: the case is what is wrong. */
static void bury(struct run *r, unsigned number, const char *how, int detail)
{
    struct box *b = &r->shared->box[number];
    struct worker *w = &r->worker[number];
    char why[ATTACK_WHY];
    struct text none = {0};
    (void)close(w->orders);
    w->id = 0;
    if (!w->busy) {
        r->failed = true;
        (void)fprintf(stderr, "attack: a process died before it tried a case (%s %d)\n", how, detail);
        return;
    }
    (void)snprintf(why, sizeof why, "the process that tried it %s %d", how, detail);
    b->counts.cases++;
    b->counts.accepted++;
    note_broken(b, b->at, why, &none, r->o->keep_going);
    take_block(r, number);
    if (!start_worker(r, number))
        r->failed = true;
}

static void look_after(struct run *r)
{
    for (unsigned n = 0; n < r->o->jobs && !r->failed; n++) {
        struct worker *w = &r->worker[n];
        int status;
        if (waitpid(w->id, &status, WNOHANG) == w->id) {
            if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
                (void)fprintf(stderr, "attack: a process was killed from outside\n");
                r->failed = true;
            }
            bury(r, n, WIFSIGNALED(status) ? "died of signal" : "exited with status",
                 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        } else if (w->busy && r->shared->box[n].at != w->at) {
            w->at = r->shared->box[n].at;
            w->since = now();
        } else if (w->busy && now() - w->since > STALL_SECONDS) {
            (void)kill(w->id, SIGKILL);
            (void)waitpid(w->id, &status, 0);
            bury(r, n, "did not end; seconds:", STALL_SECONDS);
        }
    }
}

/* Waits a moment for a worker to be done. */
static void take_back(struct run *r)
{
    struct pollfd p = {.fd = r->back[0], .events = POLLIN};
    uint8_t numbers[JOBS_MAX];
    if (poll(&p, 1, POLL_MS) != 1)
        return;
    ssize_t count = read(r->back[0], numbers, sizeof numbers);
    for (ssize_t i = 0; i < count; i++)
        if (r->worker[numbers[i]].busy)
            take_block(r, numbers[i]);
}

/* ---- the run ---- */

static void give_out(struct run *r)
{
    const struct options *o = r->o;
    for (unsigned n = 0; n < o->jobs; n++) {
        struct worker *w = &r->worker[n];
        if (w->busy || r->issue >= blocks(o) || r->issue >= r->state.next + AHEAD || r->failed ||
            (r->any_broken && !o->keep_going))
            continue;
        w->at = UINT64_MAX;
        w->since = now();
        r->shared->box[n].block = r->issue;
        if (write(w->orders, &r->issue, sizeof r->issue) != (ssize_t)sizeof r->issue)
            continue; /* it has died, which look_after sees */
        w->busy = true;
        r->issue++;
    }
}

static double elapsed(const struct run *r)
{
    return now() - r->started;
}

static bool is_over(const struct run *r)
{
    return interrupted || r->failed || (r->o->seconds > 0 && elapsed(r) >= r->o->seconds) || is_complete(r);
}

static void save(struct run *r, bool at_once)
{
    char error[ATTACK_WHY];
    struct attack_state s = r->state;
    if (!r->o->resume || (!at_once && now() - r->saved < SAVE_SECONDS))
        return;
    s.seconds += elapsed(r);
    r->saved = now();
    if (!attack_state_save(&s, r->o->resume, error)) {
        (void)fprintf(stderr, "attack: the state is not saved: %s\n", error);
        r->failed = true;
    }
}

static void show_progress(struct run *r)
{
    const struct options *o = r->o;
    const struct attack_counts *c = &r->state.counts;
    double seconds = elapsed(r), left = -1, rate = (double)(c->cases - r->begun_cases) / seconds;
    double passing = (double)(c->accepted - r->begun_accepted) / seconds;
    if (now() - r->shown < PROGRESS_SECONDS)
        return;
    r->shown = now();
    if (o->accepted && passing > 0)
        left = (double)(o->accepted - c->accepted) / passing;
    else if (o->cases && rate > 0)
        left = (double)(o->cases - c->cases) / rate;
    if (o->seconds > 0 && (left < 0 || left > o->seconds - seconds))
        left = o->seconds - seconds;
    (void)fprintf(stderr, "%s: %" PRIu64 " cases, %" PRIu64 " accepted, %.0f cases/s", o->attack->name,
                  c->cases, c->accepted, rate);
    if (left >= 0)
        (void)fprintf(stderr, ", %.0f s left", left);
    (void)fprintf(stderr, "\n");
}

/* What is in work when the time is over, and what was done behind it. Blocks that are to be resumed come
 * again. */
static void take_rest(struct run *r)
{
    double until = now() + LAST_SECONDS;
    bool busy = true;
    r->shared->stop = true;
    while (busy && now() < until && !r->failed) {
        struct pollfd p = {.fd = r->back[0], .events = POLLIN};
        uint8_t number;
        busy = false;
        for (unsigned n = 0; n < r->o->jobs; n++)
            busy = busy || r->worker[n].busy;
        if (busy && poll(&p, 1, POLL_MS) == 1 && read(r->back[0], &number, 1) == 1)
            take_block(r, number);
    }
    for (unsigned n = 0; n < AHEAD; n++)
        if (r->done[n].is && (!r->o->resume || r->done[n].counts.has_first))
            attack_counts_add(&r->state.counts, &r->done[n].counts);
}

static void end_workers(struct run *r)
{
    for (unsigned n = 0; n < r->o->jobs; n++) {
        if (r->worker[n].id <= 0)
            continue;
        (void)close(r->worker[n].orders);
        if (r->worker[n].busy) /* its block is not wanted any more */
            (void)kill(r->worker[n].id, SIGKILL);
        (void)waitpid(r->worker[n].id, NULL, 0);
    }
}

static void show_end(const struct run *r)
{
    const struct attack *a = r->o->attack;
    const struct attack_counts *c = &r->state.counts;
    double seconds = r->state.seconds;
    printf("attack %s, seed %" PRIu64 "\n", a->name, r->o->seed);
    printf("%-32s %14" PRIu64 "\n%-32s %14" PRIu64 "\n", "cases", c->cases, "accepted", c->accepted);
    printf("%-32s %14" PRIu64 "\n", "broken", c->broken);
    for (unsigned i = 0; a->counter_names[i]; i++)
        printf("%-32s %14" PRIu64 "\n", a->counter_names[i], c->counter[i]);
    printf("%-32s %14.1f\n", "seconds", seconds);
    printf("%-32s %14.0f\n", "cases a second", seconds > 0 ? (double)c->cases / seconds : 0);
    if (!c->has_first)
        return;
    printf("\nbroken: case %" PRIu64 ": %s\n", c->first, c->why);
    if (r->any_broken && r->first == c->first)
        printf("%s", text_chars(&r->text));
    printf("again: %s --seed %" PRIu64 " --case %" PRIu64 "\n", a->name, r->o->seed, c->first);
}

static bool prepare(struct run *r)
{
    char error[ATTACK_WHY];
    r->state.attack = r->o->attack;
    r->state.seed = r->o->seed;
    if (r->o->resume && !attack_state_load(&r->state, r->o->resume, error)) {
        (void)fprintf(stderr, "attack: %s\n", error);
        return false;
    }
    r->issue = r->state.next;
    r->begun_cases = r->state.counts.cases;
    r->begun_accepted = r->state.counts.accepted;
    r->started = r->saved = r->shown = now();
    r->shared = mmap(NULL, sizeof *r->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (r->shared == MAP_FAILED || pipe(r->back) != 0) {
        perror("attack");
        return false;
    }
    return true;
}

static int run_attack(const struct options *o)
{
    static struct run run;
    struct run *r = &run;
    memset(r, 0, sizeof *r);
    r->o = o;
    if (!prepare(r))
        return WRONG_USE;
    for (unsigned n = 0; n < o->jobs && !r->failed; n++)
        r->failed = !start_worker(r, n);
    while (!is_over(r)) {
        give_out(r);
        take_back(r);
        look_after(r);
        add_done(r);
        save(r, false);
        show_progress(r);
    }
    save(r, true);
    if (!is_complete(r))
        take_rest(r);
    end_workers(r);
    r->state.seconds += elapsed(r);
    show_end(r);
    (void)munmap(r->shared, sizeof *r->shared);
    (void)close(r->back[0]);
    (void)close(r->back[1]);
    text_free(&r->text);
    if (!r->state.counts.accepted && !interrupted) {
        (void)fprintf(stderr, "attack: no case was accepted, so nothing was tried\n");
        r->failed = true;
    }
    return r->failed ? WRONG_USE : r->state.counts.broken ? BROKEN : interrupted ? INTERRUPTED : DONE;
}

/* ---- one case ---- */

static int run_case(const struct options *o)
{
    static const char *const verdicts[] = {"refused", "accepted", "broken"};
    char why[ATTACK_WHY] = "";
    struct text text = {0};
    attack_verbose = true;
    void *attack = o->attack->begin();
    enum attack_verdict v = o->attack->try_one(attack, o->seed, o->number, why, &text);
    flatten(why);
    printf("%s, seed %" PRIu64 ", case %" PRIu64 ": %s%s%s\n", o->attack->name, o->seed, o->number,
           verdicts[v], *why ? ": " : "", why);
    printf("%s", text_chars(&text));
    for (unsigned i = 0; o->attack->counter_names[i]; i++)
        if (no_counters[i])
            printf("%-32s %14" PRIu64 "\n", o->attack->counter_names[i], no_counters[i]);
    o->attack->end(attack);
    text_free(&text);
    return v == ATTACK_BROKEN ? BROKEN : DONE;
}

/* ---- the command line ---- */

static void show_usage(FILE *f, const char *program, const struct attack *const *attacks)
{
    (void)fprintf(f,
                  "usage: %s [ATTACK] [OPTION...]\n"
                  "Tries to get a case past a verifier that does harm. Without ATTACK: each in turn.\n\n"
                  "  --accepted N     until so many cases were accepted\n"
                  "  --cases N        until so many cases were tried (with --resume: whole blocks of %d)\n"
                  "  --seconds S      for so long (default, if there is no other limit: "
                  "MISPRINT_ATTACK_SECONDS, else %d)\n"
                  "  --seed N         other cases (default: 1)\n"
                  "  --jobs N         processes (default: one for each processor)\n"
                  "  --resume FILE    keep the state there, and go on from it\n"
                  "  --keep-going     do not stop at the first broken case, and say each\n"
                  "  --case NUMBER    this case alone, with its text\n\nAttacks:\n",
                  program, ATTACK_BLOCK, SECONDS_DEFAULT);
    for (; *attacks; attacks++)
        (void)fprintf(f, "  %-16s %s\n", (*attacks)->name, (*attacks)->about);
    (void)fprintf(f, "\nExit status: 0 nothing broken, 1 something broken, 2 wrong use, 3 interrupted.\n");
}

static bool read_number(const char *text, uint64_t *to)
{
    char *end;
    errno = 0;
    *to = strtoull(text, &end, 0);
    return *text >= '0' && *text <= '9' && !*end && !errno;
}

/* An option with a value. False: it is none, or the value is not good. */
static bool set_option(struct options *o, const char *name, const char *value)
{
    uint64_t n = 0;
    if (!strcmp(name, "--resume")) {
        o->resume = value;
        return *value;
    }
    if (!read_number(value, &n))
        return false;
    if (!strcmp(name, "--accepted") && n)
        o->accepted = n;
    else if (!strcmp(name, "--cases") && n && n <= UINT64_MAX / 2)
        o->cases = n;
    else if (!strcmp(name, "--seconds") && n)
        o->seconds = (double)n;
    else if (!strcmp(name, "--jobs") && n && n <= JOBS_MAX)
        o->jobs = (unsigned)n;
    else if (!strcmp(name, "--seed"))
        o->seed = n;
    else if (!strcmp(name, "--case"))
        o->number = n, o->one_case = true;
    else
        return false;
    return true;
}

static bool choose(struct options *o, const char *name, const struct attack *const *attacks)
{
    bool first = !o->attack;
    for (; *attacks && first; attacks++)
        if (!strcmp((*attacks)->name, name))
            o->attack = *attacks;
    return first && o->attack;
}

static bool read_arguments(struct options *o, int argc, char **argv, const struct attack *const *attacks)
{
    for (int n = 1; n < argc; n++) {
        bool good = false;
        if (!strcmp(argv[n], "--keep-going"))
            good = o->keep_going = true;
        else if (argv[n][0] != '-')
            good = choose(o, argv[n], attacks);
        else if (n + 1 < argc && (good = set_option(o, argv[n], argv[n + 1])))
            n++;
        if (!good) {
            (void)fprintf(stderr, "attack: '%s' is no attack or option, or its value is wrong\n", argv[n]);
            return false;
        }
    }
    if (!o->attack && !attacks[1])
        o->attack = attacks[0];
    if ((o->resume || o->one_case) && !o->attack) {
        (void)fprintf(stderr, "attack: --resume and --case are for one attack: name it\n");
        return false;
    }
    if (o->accepted && o->cases) {
        (void)fprintf(stderr, "attack: --accepted and --cases are two limits of one kind\n");
        return false;
    }
    if (o->resume && o->cases) /* what a block lacks would never be made up for */
        o->cases = (o->cases + ATTACK_BLOCK - 1) / ATTACK_BLOCK * ATTACK_BLOCK;
    uint64_t wanted = 0;
    const char *variable = getenv("MISPRINT_ATTACK_SECONDS");
    if (variable && !read_number(variable, &wanted)) {
        (void)fprintf(stderr, "attack: MISPRINT_ATTACK_SECONDS is '%s', which is no number of seconds\n",
                      variable);
        return false;
    }
    if (!o->accepted && !o->cases && o->seconds <= 0)
        o->seconds = wanted ? (double)wanted : SECONDS_DEFAULT;
    return true;
}

int attack_main(int argc, char **argv, const struct attack *const *attacks)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    struct options o = {.seed = 1,
                        .jobs = processors < 1          ? 1
                                : processors > JOBS_MAX ? JOBS_MAX
                                                        : (unsigned)processors};
    int worst = DONE;
    if (argc == 2 && !strcmp(argv[1], "--help")) {
        show_usage(stdout, argv[0], attacks);
        return DONE;
    }
    if (!read_arguments(&o, argc, argv, attacks)) {
        show_usage(stderr, argv[0], attacks);
        return WRONG_USE;
    }
    if (o.one_case)
        return run_case(&o);
    struct sigaction stop = {.sa_handler = interrupt};
    (void)sigaction(SIGINT, &stop, NULL);
    (void)sigaction(SIGTERM, &stop, NULL);
    (void)signal(SIGPIPE, SIG_IGN);
    if (o.attack)
        return run_attack(&o);
    for (; *attacks && !interrupted; attacks++) {
        o.attack = *attacks;
        int status = run_attack(&o);
        worst = status > worst ? status : worst;
        o.attack = NULL;
    }
    return worst;
}
