/* SPDX-License-Identifier: MIT */
#include "oracle/board/plugin/plugin_child.h"

#include "model/core/image_rules.h"
#include "model/core/memory.h"
#include "oracle/board/plugin/plugin_crash.h"
#include "oracle/board/plugin/plugin_memory.h"
#include "oracle/board/plugin/plugin_record.h"
#include "oracle/board/plugin/plugin_snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ALL = PLUGIN_SLOTS * MISPRINT_BATCH_MAX };
enum { NO_HOST = 113 }; /* exit status of a worker whose host is gone; unlike that of a library's exit(0) */

struct child {
    const struct unit *unit;
    const char *options;
    struct plugin_library library;
    struct plugin_memory memory;
    struct misprint_about about; /* what the library said when it opened */
    uint32_t worker;             /* its number */
    struct shared {
        uint32_t workers; /* that began */
        bool in_vain;     /* a process copied its memory and never put it back */
    } * shared;           /* by the supervisor and all workers */
    bool one_by_one;
    struct outcome *list[ALL], *before; /* their rows are in the shared memory; `before` has its own */
    enum state { NEW, USED, DAMAGED } state[ALL]; /* what this worker did to the rows of `list` */
    /* For cases that run one at a time: the outcome, whose rows stay in the processor's cache, and whose
     * arrays end before pages that cannot be written. The rows that a case wrote are copied to the shared
     * memory. */
    struct misprint_outcome *one;
    struct outcome *one_outcome;
    uint32_t *one_value, *one_unknown;
    struct test_case *one_case;             /* ... and the case, unpacked, */
    const struct test_case *one_case_fixed; /* as the library sees it: the same memory, read-only */
    const uint32_t *mapped[PLUGIN_SLOTS];   /* the worker mapped the slot's records up to here */
};

/* Returns false if the host is gone. */
static bool say(enum plugin_what what, uint32_t slot, uint32_t first, uint32_t count)
{
    struct plugin_message m = {.what = (uint32_t)what, .slot = slot, .first = first, .count = count};
    return send(PLUGIN_SOCKET, &m, sizeof m, MSG_NOSIGNAL) == (ssize_t)sizeof m;
}

/* Returns false if the host is gone. */
static bool hear(struct plugin_message *m)
{
    ssize_t got;
    do
        got = recv(PLUGIN_SOCKET, m, sizeof *m, 0);
    while (got < 0 && errno == EINTR);
    return got == (ssize_t)sizeof *m;
}

static int failed(struct child *c, const struct error *e)
{
    struct plugin_greeting *g = plugin_greeting(&c->memory);
    (void)snprintf(g->error, sizeof g->error, "%s", e->text);
    (void)say(PLUGIN_FAILED, 0, 0, 0);
    return 1;
}

/* ---- the worker ---- */

static bool ran(const struct misprint_outcome *m)
{
    return m->end < MISPRINT_REFUSED;
}

static void prepare(struct child *c, unsigned slot, unsigned i)
{
    struct misprint_outcome *m = plugin_outcome(&c->memory, slot, i);
    struct outcome *o = c->list[slot * MISPRINT_BATCH_MAX + i];
    enum state *state = &c->state[slot * MISPRINT_BATCH_MAX + i];
    uint32_t *unknown = plugin_unknown(&c->memory, slot, i);
    const struct layout *l = &c->unit->layout;
    /* Unknown bits of the last case, in all rows: a board may set bits of rows that it did not mark. */
    if (m->flags & MISPRINT_HAS_UNKNOWN || *state == DAMAGED)
        memset(unknown, 0, (size_t)l->rows * l->row_words * sizeof *unknown);
    if (*state == USED)
        memcpy(o->touched, m->touched, (l->rows + 63U) / 64 * sizeof *o->touched);
    for (uint32_t row = 0; *state != USED && row < l->rows; row++)
        outcome_touch(o, row); /* a worker that crashed may have written any row */
    *state = USED;
    outcome_reset(o, plugin_case(&c->memory, slot, i));
    plugin_prepare(m, o->value, unknown, l);
}

/* Copies the outcome of a case that ran alone to its place in the shared memory. The host sees its end last.
 */
static void publish(const struct child *c, unsigned slot, unsigned i)
{
    const struct layout *l = &c->unit->layout;
    const struct misprint_outcome *m = c->one;
    struct misprint_outcome *to = plugin_outcome(&c->memory, slot, i);
    size_t bytes = (size_t)l->rows * l->row_words * sizeof *m->value;
    memcpy(to->touched, m->touched, (l->rows + 63U) / 64 * sizeof *to->touched);
    memcpy(plugin_value(&c->memory, slot, i), m->value, bytes);
    memcpy(plugin_unknown(&c->memory, slot, i), m->unknown, bytes);
    memcpy(to->message, m->message, sizeof to->message);
    to->reason = m->reason;
    to->flags = m->flags;
    __atomic_store_n(&to->end, m->end, __ATOMIC_RELEASE);
}

/* Maps the memory for the next record: a worker begins with no pages of it. */
static void map_records(struct child *c, unsigned slot, const uint32_t *next)
{
    enum { STEP_WORDS = 32768 };
    if (c->mapped[slot] > next)
        return;
    plugin_map_pages((void *)(uintptr_t)next, STEP_WORDS * sizeof *next);
    c->mapped[slot] = next + STEP_WORDS;
}

static void run_one(struct child *c, const struct test_case *tc)
{
    const struct layout *l = &c->unit->layout;
    const void *words = tc->words;
    struct misprint_outcome *m = c->one;
    if (m->flags & MISPRINT_HAS_UNKNOWN)
        memset(c->one_unknown, 0, (size_t)l->rows * l->row_words * sizeof *c->one_unknown);
    memcpy(c->one_outcome->touched, m->touched, (l->rows + 63U) / 64 * sizeof *m->touched);
    outcome_reset(c->one_outcome, tc);
    plugin_prepare(m, c->one_value, c->one_unknown, l);
    (void)plugin_run(&c->library, l, &words, m, 1);
    if (!(c->library.board->flags & MISPRINT_MARKS_ROWS && ran(m))) {
        outcome_reset(c->before, tc);
        plugin_find_rows(m, c->before);
    }
}

static void run_one_by_one(struct child *c, unsigned slot, unsigned count)
{
    uint32_t *record = plugin_records(&c->memory, slot);
    const uint32_t *packed = plugin_packed(&c->memory, slot);
    for (unsigned i = 0; i < count; i++) {
        packed += case_unpack(c->one_case, c->unit, packed);
        map_records(c, slot, record);
        run_one(c, c->one_case_fixed);
        record += plugin_record_put(record, c->one, &c->unit->layout);
        __atomic_store_n(plugin_done(&c->memory, slot), i + 1, __ATOMIC_RELEASE);
    }
}

/* After a write past an array, which may have hit other cases: runs each case again alone. */
static void run_again(struct child *c, unsigned slot, unsigned first, unsigned count)
{
    for (unsigned i = 0; i < MISPRINT_BATCH_MAX; i++)
        c->state[slot * MISPRINT_BATCH_MAX + i] = DAMAGED;
    for (unsigned i = first; i < first + count; i++) /* nothing that ran counts, if the library crashes now */
        __atomic_store_n(&plugin_outcome(&c->memory, slot, i)->end, MISPRINT_NOT_RUN, __ATOMIC_RELEASE);
    for (unsigned i = first; i < first + count; i++) {
        run_one(c, plugin_case(&c->memory, slot, i));
        publish(c, slot, i);
    }
}

static void run_together(struct child *c, unsigned slot, unsigned first, unsigned count)
{
    const void *words[MISPRINT_BATCH_MAX];
    struct misprint_outcome *list = plugin_outcome(&c->memory, slot, first);
    for (unsigned i = 0; i < count; i++) {
        prepare(c, slot, first + i);
        words[i] = plugin_case(&c->memory, slot, first + i)->words;
    }
    if (!plugin_run(&c->library, &c->unit->layout, words, list, count)) {
        run_again(c, slot, first, count);
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        if (c->library.board->flags & MISPRINT_MARKS_ROWS && ran(&list[i]))
            continue;
        outcome_reset(c->before, plugin_case(&c->memory, slot, first + i));
        plugin_find_rows(&list[i], c->before);
    }
}

/* ---- crashes ---- */

/* The worker that this process is. */
static struct {
    pid_t pid;
    int socket;
    struct child *child;
    sigjmp_buf again; /* where the process goes on as the next worker */
} self;

/*
 * Goes on as the next worker if this process can. Otherwise tells the supervisor which signal ends it, and
 * where the fault was: the kernel needs longer to take the process down than the next one needs to begin.
 */
static void handle_crash(int number, siginfo_t *signal, void *context)
{
    uint32_t how = plugin_crash_pack(number, plugin_crash_place(signal));
    (void)context;
    if (getpid() == self.pid) { /* not in a process that the library forked */
        if (plugin_snapshot_fits())
            siglongjmp(self.again, (int)how);
        (void)send(self.socket, &how, sizeof how, MSG_NOSIGNAL);
    }
    (void)raise(number); /* ends the process when this handler returns */
}

/* Lets handle_crash handle the signals of a crash, on a stack of its own. A library that handles such a
 * signal itself keeps its handler; its end is then noticed when the kernel has taken the process down. */
static void watch_crashes(int socket)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
    static uint8_t stack[1 << 16];
    struct sigaction was,
        tell = {.sa_sigaction = handle_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK | (int)SA_RESETHAND};
    self.pid = getpid();
    self.socket = socket;
    (void)sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++)
        if (sigaction(signals[i], NULL, &was) == 0 && was.sa_handler == SIG_DFL)
            (void)sigaction(signals[i], &tell, NULL);
}

/* ---- a worker's life ---- */

/* Waits for a byte from the supervisor. False if there comes none. */
static bool await_turn(int turn)
{
    uint8_t byte;
    ssize_t got;
    do
        got = recv(turn, &byte, 1, 0);
    while (got < 0 && errno == EINTR);
    return got == 1;
}

/* Opens the library. If it cannot open while the kernel still ends the worker before, which may hold a device
 * that only one process can use, opens it again after that. */
static bool open_library(struct child *c, int turn, struct misprint_about *about, struct error *e)
{
    return plugin_open(&c->library, c->options, about, e) ||
           (c->worker && await_turn(turn) && plugin_open(&c->library, c->options, about, e));
}

/* Runs what the host sends. Returns an exit status. */
static int obey(struct child *c)
{
    struct plugin_message m;
    bool good = say(PLUGIN_OPENED, 0, 0, c->library.board->flags);
    while (good && hear(&m)) {
        if (m.worker != c->worker)
            continue;
        if (m.what != PLUGIN_RUN || m.slot >= PLUGIN_SLOTS || m.first > MISPRINT_BATCH_MAX ||
            m.count > MISPRINT_BATCH_MAX - m.first)
            return 1;
        if (c->one_by_one)
            run_one_by_one(c, m.slot, m.count);
        else
            run_together(c, m.slot, m.first, m.count);
        good = say(PLUGIN_RAN, m.slot, m.first, m.count);
    }
    plugin_close(&c->library);
    return NO_HOST;
}

/* After the library crashed: this process is the next worker, with the memory that it had when the library
 * had just been opened. If this fails, the process ends, and the supervisor says so. */
static void revive(int how)
{
    plugin_snapshot_restore();
    struct child *c = self.child;
    (void)say(PLUGIN_DIED, 0, 0, (uint32_t)how);
    plugin_greeting(&c->memory)->about = c->about;
    c->shared->in_vain = false;
    c->worker = c->shared->workers++;
}

/*
 * Works until the host is gone. From the second worker on, the process copies its memory, so that it can go
 * on after a crash. A library that opened a file, such as a device, must be opened again instead.
 */
static int live(struct child *c, const struct plugin_held *before)
{
    int how = sigsetjmp(self.again, 1);
    if (how) /* the crash may have damaged what `live` knew */
        revive(how);
    else if (c->worker && !c->shared->in_vain)
        c->shared->in_vain = plugin_snapshot_take(before, __builtin_frame_address(0)); /* so far */
    return obey(self.child);
}

static int work(struct child *c, int turn)
{
    struct error e = {0};
    c->worker = c->shared->workers++;
    self.child = c;
    const struct plugin_held before =
        c->worker ? plugin_snapshot_held() : (struct plugin_held){.next_file = -1};
    bool good = open_library(c, turn, &c->about, &e);
    plugin_greeting(&c->memory)->about = c->about;
    return good ? live(c, &before) : failed(c, &e);
}

/* ---- the supervisor, which forks workers ---- */

/* A worker as the supervisor sees it. Through the socket it gets one byte that lets it begin, and one when
 * the worker before is gone. It sends how it ends, if a signal ends it (plugin_crash_pack). */
struct worker {
    pid_t pid; /* 0: there is none; -1: it could not be forked */
    int socket;
};

/* Maps pages that most workers write, while another worker works. */
static void map_ahead(struct child *c)
{
    enum { HEAP = 96 << 10 }; /* less than free() returns to the kernel */
    const struct layout *l = &c->unit->layout;
    size_t bytes = ((size_t)l->rows * l->row_words + OUTCOME_FENCE_WORDS) * sizeof(uint32_t);
    for (unsigned slot = 0; c->one_by_one && slot < PLUGIN_SLOTS; slot++)
        map_records(c, slot, plugin_records(&c->memory, slot));
    plugin_map_pages(c->one_value, bytes);
    plugin_map_pages(c->one_unknown, bytes);
    plugin_map_pages(c->one, sizeof *c->one);
    void *heap = malloc(HEAP);
    if (heap)
        plugin_map_pages(heap, HEAP);
    free(heap);
}

/* In a worker: waits until its turn comes. The library is not open before, because two workers must not use
 * one device at a time. */
static int begin(struct child *c, int turn)
{
    map_ahead(c);
    watch_crashes(turn);
    return await_turn(turn) ? work(c, turn) : 0;
}

static struct worker fork_worker(struct child *c)
{
    int pair[2];
    pid_t parent = getpid();
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return (struct worker){-1, -1};
    pid_t pid = fork();
    if (pid == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(pair[0]);
        if (getppid() != parent)
            _exit(1);
        exit(begin(c, pair[1]));
    }
    close(pair[1]);
    return (struct worker){pid, pair[0]};
}

/* Lets the worker begin, which has the processor first: forks the next one a little later, so that it can
 * begin as soon as this one dies. Returns false if the worker cannot begin. */
static bool let_begin(struct child *c, const struct worker *w, struct worker *next)
{
    const struct timespec later = {.tv_nsec = 200000}; /* opening the model takes half of this */
    struct pollfd ends = {.fd = w->socket, .events = POLLIN};
    if (w->pid < 0 || send(w->socket, "", 1, MSG_NOSIGNAL) != 1)
        return false;
    (void)ppoll(&ends, 1, &later, NULL);
    *next = fork_worker(c);
    return true;
}

/* Waits until the kernel has taken the worker down. Returns its status. */
static int bury(struct worker *w)
{
    int status = 0;
    while (w->pid > 0 && waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
        ;
    w->pid = 0;
    return status;
}

/* Waits for the worker's end, and returns how it ended (plugin_crash_pack). If the worker says itself that it
 * crashes, it is still to be buried. Ends the worker if the host is gone. */
static uint32_t await_worker(struct worker *w)
{
    struct pollfd fds[2] = {{.fd = PLUGIN_SOCKET}, {.fd = w->socket, .events = POLLIN}};
    uint32_t how;
    while (poll(fds, 2, -1) < 0 && errno == EINTR) /* always reports POLLHUP, too */
        ;
    if (fds[0].revents && !fds[1].revents) {
        enum { GRACE_MS = 500 }; /* for the library's `close` */
        if (poll(fds + 1, 1, GRACE_MS) == 0)
            kill(w->pid, SIGKILL);
    }
    bool crashes = recv(w->socket, &how, sizeof how, MSG_DONTWAIT) == (ssize_t)sizeof how;
    if (crashes)
        kill(w->pid, SIGKILL); /* now no thread of it goes on */
    close(w->socket);
    return crashes ? how : plugin_crash_pack(bury(w), PLUGIN_ELSEWHERE);
}

/* Runs workers until the host is gone. */
static int supervise(struct child *c)
{
    struct worker before = {0}, now, next = fork_worker(c);
    for (;; before = now) {
        now = next;
        if (!let_begin(c, &now, &next))
            return 1;
        (void)bury(&before);
        (void)send(now.socket, "", 1, MSG_NOSIGNAL);
        uint32_t how = await_worker(&now);
        if (how == plugin_crash_pack(NO_HOST << 8, PLUGIN_ELSEWHERE) || !say(PLUGIN_DIED, 0, 0, how))
            return 0;
    }
}

/* Returns an array with room for a fence behind it, and then pages that cannot be used. NULL: out of memory.
 */
static uint32_t *make_guarded(const struct layout *l, enum plugin_place place)
{
    enum { GUARDS = 16 };
    size_t bytes = ((size_t)l->rows * l->row_words + OUTCOME_FENCE_WORDS) * sizeof(uint32_t),
           page = (size_t)sysconf(_SC_PAGESIZE), whole = (bytes + page - 1) / page * page;
    uint8_t *at =
        mmap(NULL, whole + GUARDS * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED || mprotect(at + whole, GUARDS * page, PROT_NONE) != 0)
        return NULL;
    plugin_crash_watch(place, at + whole, GUARDS * page);
    return (uint32_t *)(void *)(at + (whole - bytes) / 64 * 64);
}

/* Maps the same memory twice, so that a library cannot write the case. */
static bool make_case(struct child *c)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE),
           bytes = offsetof(struct test_case, words) + 4 * c->unit->schema.words,
           whole = (bytes + page - 1) / page * page;
    void *at = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    void *same = at == MAP_FAILED ? at : mremap(at, 0, whole, MREMAP_MAYMOVE);
    c->one_case = at;
    c->one_case_fixed = same;
    if (same != MAP_FAILED)
        plugin_crash_watch(PLUGIN_CASE, same, whole);
    return same != MAP_FAILED && mprotect(same, whole, PROT_READ) == 0;
}

/* Makes the outcomes before the fork, so that a worker shares their pages until it writes them. */
static bool make_outcomes(struct child *c)
{
    struct image_rules *rules = image_rules_new(c->unit);
    struct outcome *o = memory_new(c->one_by_one ? 1 : ALL + 1, sizeof *o);
    for (unsigned i = 0; i < ALL && !c->one_by_one; i++)
        c->list[i] =
            outcome_make_plain(c->unit, rules, o + 1 + i,
                               plugin_value(&c->memory, i / MISPRINT_BATCH_MAX, i % MISPRINT_BATCH_MAX));
    c->before = outcome_new(c->unit);
    c->one = memory_new(1, sizeof *c->one);
    c->one_value = make_guarded(&c->unit->layout, PLUGIN_PAST_VALUE);
    c->one_unknown = make_guarded(&c->unit->layout, PLUGIN_PAST_UNKNOWN);
    c->one_outcome = outcome_make_plain(c->unit, rules, o, c->one_value);
    return c->one_value && c->one_unknown && make_case(c);
}

bool plugin_is_child(int count, char *const *words)
{
    return count == 5 && !strcmp(words[1], PLUGIN_CHILD_WORD);
}

int plugin_child(char *const *words)
{
    struct child *c = memory_new(1, sizeof *c);
    struct error e = {0};
    struct rlimit none = {0};
    if (!(c->unit = unit_named(words[3])) || !plugin_memory_map(&c->memory, c->unit, PLUGIN_MEMORY)) {
        (void)fprintf(stderr, "misprint: %s is started by board plugin only\n", PLUGIN_CHILD_WORD);
        free(c);
        return 2;
    }
    c->options = words[4];
    c->shared = mmap(NULL, sizeof *c->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    close(PLUGIN_MEMORY);
    (void)setrlimit(RLIMIT_CORE, &none); /* a dump would take longer than thousands of cases */
    (void)fcntl(PLUGIN_SOCKET, F_SETFD, FD_CLOEXEC);
    if (!plugin_load(&c->library, words[2], c->unit, &e))
        return failed(c, &e);
    c->one_by_one = c->library.board->flags & MISPRINT_ONE_BY_ONE;
    if (c->shared == MAP_FAILED || !make_outcomes(c) || (!c->one_by_one && !plugin_memory_guard(&c->memory)))
        return failed(c, (error_memory(&e, "for a board's outcomes"), &e));
    return supervise(c);
}
