/* SPDX-License-Identifier: MIT */
#include "tests/harness/attack/attack_options.h"
#include "tests/harness/attack/attack_state.h"

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

/* AHEAD: number of finished blocks that may wait for an earlier block, because the totals take blocks in
 * order. */
enum { JOBS_MAX = ATTACK_JOBS_MAX, AHEAD = 4 * JOBS_MAX };
enum { TEXT_ROOM = 1 << 16, POLL_MS = 200, SAVE_SECONDS = 2, PROGRESS_SECONDS = 10 };
enum {
    STALL_SECONDS = 120 /* time limit of a case */,
    LAST_SECONDS = 10 /* in which all workers must
                       * stop */
};
enum { DONE, BROKEN, WRONG_USE, INTERRUPTED }; /* exit statuses */

bool attack_verbose;

static uint64_t no_counters[ATTACK_COUNTERS], *counters = no_counters; /* where attack_count counts */

/* A worker's report on its block, in memory that it shares with its parent. */
struct box {
    volatile uint64_t block, at; /* `at`: number of the current case */
    struct attack_counts counts;
    size_t text_length;
    char text[TEXT_ROOM]; /* the first broken case */
};

struct shared {
    volatile bool stop;
    struct box box[JOBS_MAX];
};

struct worker {
    pid_t id;
    int orders; /* a pipe to the worker with numbers of blocks to try */
    bool busy;
    uint64_t at;  /* the case that was current at the last check */
    double since; /* the time of the check that first saw this case */
};

/* A block that ended before an earlier one. */
struct done {
    bool is;
    struct attack_counts counts;
};

struct run {
    const struct attack_options *o;
    struct attack_state state;
    struct shared *shared;
    struct worker worker[JOBS_MAX];
    struct done done[AHEAD]; /* indexed by block number modulo AHEAD */
    uint64_t issue;          /* the next block to issue */
    int back[2];             /* a pipe from the workers with numbers of workers whose block has ended */
    uint64_t first;          /* the number of the case in `text` */
    struct text text;
    bool any_broken, failed;
    double started, saved, shown;
    uint64_t earlier_cases, earlier_accepted; /* counts when this run started */
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

/* Replaces the control characters of a reason by blanks, so that it is one line. */
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

static void try_block(const struct attack_options *o, void *attack, const volatile bool *stop, struct box *b)
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

static _Noreturn void work(const struct attack_options *o, struct shared *shared, unsigned number, int orders,
                           int back)
{
    struct box *b = &shared->box[number];
    uint8_t me = (uint8_t)number;
    uint64_t block;
    (void)signal(SIGINT, SIG_IGN); /* a terminal sends it to all; only the parent decides */
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
    if (w->id == 0) { /* closes the pipes to other workers, so that each worker ends with its parent */
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

/* ---- results ---- */

static uint64_t blocks(const struct attack_options *o)
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

/* Do the totals reach a limit? If so, later blocks do not count. */
static bool is_complete(const struct run *r)
{
    const struct attack_options *o = r->o;
    const struct attack_counts *c = &r->state.counts;
    return (o->accepted && c->accepted >= o->accepted) || (c->has_first && !o->keep_going) ||
           r->state.next >= blocks(o);
}

/* Adds ended blocks to the totals, in order, up to the first block that still runs. */
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

/* Reports the current case of a dead worker as broken, and starts another worker. */
static void replace_worker(struct run *r, unsigned number, const char *how, int detail)
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

static void check_workers(struct run *r)
{
    for (unsigned n = 0; n < r->o->jobs && !r->failed; n++) {
        struct worker *w = &r->worker[n];
        int status;
        if (waitpid(w->id, &status, WNOHANG) == w->id) {
            if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
                (void)fprintf(stderr, "attack: a process was killed by SIGKILL\n");
                r->failed = true;
            }
            replace_worker(r, n, WIFSIGNALED(status) ? "died of signal" : "exited with status",
                           WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        } else if (w->busy && r->shared->box[n].at != w->at) {
            w->at = r->shared->box[n].at;
            w->since = now();
        } else if (w->busy && now() - w->since > STALL_SECONDS) {
            (void)kill(w->id, SIGKILL);
            (void)waitpid(w->id, &status, 0);
            replace_worker(r, n, "did not end within these seconds:", STALL_SECONDS);
        }
    }
}

/* Waits up to POLL_MS for a worker's block to end, and takes the results of all ended blocks. */
static void collect_blocks(struct run *r)
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

static void issue_blocks(struct run *r)
{
    const struct attack_options *o = r->o;
    for (unsigned n = 0; n < o->jobs; n++) {
        struct worker *w = &r->worker[n];
        if (w->busy || r->issue >= blocks(o) || r->issue >= r->state.next + AHEAD || r->failed ||
            (r->any_broken && !o->keep_going))
            continue;
        w->at = UINT64_MAX;
        w->since = now();
        r->shared->box[n].block = r->issue;
        if (write(w->orders, &r->issue, sizeof r->issue) != (ssize_t)sizeof r->issue)
            continue; /* the worker is dead; check_workers replaces it */
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
        (void)fprintf(stderr, "attack: cannot save the state: %s\n", error);
        r->failed = true;
    }
}

static void show_progress(struct run *r)
{
    const struct attack_options *o = r->o;
    const struct attack_counts *c = &r->state.counts;
    double seconds = elapsed(r), left = -1, rate = (double)(c->cases - r->earlier_cases) / seconds;
    double passing = (double)(c->accepted - r->earlier_accepted) / seconds;
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

/* Stops the workers, and adds the blocks that have ended. A run that can be resumed does not add them,
 * because the next run tries these blocks again. */
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
        if (r->worker[n].busy) /* nobody needs its block */
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
    printf("to repeat: %s --seed %" PRIu64 " --case %" PRIu64 "\n", a->name, r->o->seed, c->first);
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
    r->earlier_cases = r->state.counts.cases;
    r->earlier_accepted = r->state.counts.accepted;
    r->started = r->saved = r->shown = now();
    r->shared = mmap(NULL, sizeof *r->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (r->shared == MAP_FAILED || pipe(r->back) != 0) {
        perror("attack");
        return false;
    }
    return true;
}

static int run_attack(const struct attack_options *o)
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
        issue_blocks(r);
        collect_blocks(r);
        check_workers(r);
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
        (void)fprintf(stderr, "attack: the verifier accepted no case, so the attack tested nothing\n");
        r->failed = true;
    }
    return r->failed ? WRONG_USE : r->state.counts.broken ? BROKEN : interrupted ? INTERRUPTED : DONE;
}

/* ---- one case ---- */

static int run_case(const struct attack_options *o)
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

int attack_main(int argc, char **argv, const struct attack *const *attacks)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    struct attack_options o = {.seed = 1,
                               .jobs = processors < 1          ? 1
                                       : processors > JOBS_MAX ? JOBS_MAX
                                                               : (unsigned)processors};
    int worst = DONE;
    if (argc == 2 && !strcmp(argv[1], "--help")) {
        attack_show_usage(stdout, argv[0], attacks);
        return DONE;
    }
    if (!attack_read_options(&o, argc, argv, attacks)) {
        attack_show_usage(stderr, argv[0], attacks);
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
