/* SPDX-License-Identifier: MIT */
#include "oracle/board/plugin/plugin_child.h"

#include "model/core/image_rules.h"
#include "model/core/memory.h"
#include "oracle/board/plugin/plugin_library.h"
#include "oracle/board/plugin/plugin_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ALL = PLUGIN_SLOTS * MISPRINT_BATCH_MAX };

struct child {
    const struct unit *unit;
    const char *options;
    struct plugin_library library;
    struct plugin_memory memory;
    struct outcome *list[ALL], *before; /* their rows are in the shared memory; `before` has its own */
    bool used[ALL];                     /* by this worker */
    /* Of a board that runs one case after the other: its outcome, whose rows stay in the processor's cache.
     * The rows that a case wrote are copied to the shared memory. */
    struct misprint_outcome *one;
    struct outcome *one_outcome;
    uint32_t *one_unknown;
};

static void say(enum plugin_what what, uint32_t slot, uint32_t first, uint32_t count)
{
    struct plugin_message m = {(uint32_t)what, slot, first, count};
    (void)send(PLUGIN_SOCKET, &m, sizeof m, MSG_NOSIGNAL);
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
    say(PLUGIN_FAILED, 0, 0, 0);
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
    bool *used = &c->used[slot * MISPRINT_BATCH_MAX + i];
    uint32_t *unknown = plugin_unknown(&c->memory, slot, i);
    const struct layout *l = &c->unit->layout;
    /* Unknown bits of the last case, in all rows: a board may set bits of rows that it did not mark. */
    if (m->flags & MISPRINT_HAS_UNKNOWN)
        memset(unknown, 0, (size_t)l->rows * l->row_words * sizeof *unknown);
    if (*used)
        memcpy(o->touched, m->touched, (l->rows + 63U) / 64 * sizeof *o->touched);
    for (uint32_t row = 0; !*used && row < l->rows; row++)
        outcome_touch(o, row); /* a worker that crashed may have written any row */
    *used = true;
    outcome_reset(o, plugin_case(&c->memory, slot, i));
    plugin_prepare(m, o->value, unknown, l);
}

static void run_some(struct child *c, unsigned slot, unsigned first, unsigned count)
{
    const void *words[MISPRINT_BATCH_MAX];
    for (unsigned i = 0; i < count; i++) {
        prepare(c, slot, first + i);
        words[i] = plugin_case(&c->memory, slot, first + i)->words;
    }
    c->library.board->run(c->library.state, words, plugin_outcome(&c->memory, slot, first), count);
    for (unsigned i = 0; i < count; i++) {
        struct misprint_outcome *m = plugin_outcome(&c->memory, slot, first + i);
        m->value = plugin_value(&c->memory, slot, first + i); /* the library may have changed it */
        m->unknown = plugin_unknown(&c->memory, slot, first + i);
        if (c->library.board->flags & MISPRINT_MARKS_ROWS && ran(m))
            continue;
        outcome_reset(c->before, plugin_case(&c->memory, slot, first + i));
        plugin_find_rows(m, c->before);
    }
}

/* Copies an outcome to the shared memory. The host sees its end last. */
static void publish(struct child *c, unsigned slot, unsigned i)
{
    const struct layout *l = &c->unit->layout;
    const struct misprint_outcome *m = c->one;
    struct misprint_outcome *to = plugin_outcome(&c->memory, slot, i);
    uint32_t width = l->row_words, *value = plugin_value(&c->memory, slot, i),
             *unknown = plugin_unknown(&c->memory, slot, i);
    for (uint32_t word = 0; word < (l->rows + 63U) / 64; word++)
        for (uint64_t bits = m->touched[word]; bits; bits &= bits - 1) {
            uint32_t at = (64 * word + (uint32_t)__builtin_ctzll(bits)) * width;
            memcpy(value + at, c->one_outcome->value + at, width * sizeof *value);
            if (m->flags & MISPRINT_HAS_UNKNOWN)
                memcpy(unknown + at, c->one_unknown + at, width * sizeof *unknown);
        }
    memcpy(to->touched, m->touched, (l->rows + 63U) / 64 * sizeof *to->touched);
    to->reason = m->reason;
    to->flags = m->flags;
    if (m->end == MISPRINT_REFUSED)
        memcpy(to->message, m->message, sizeof to->message);
    __atomic_store_n(&to->end, m->end, __ATOMIC_RELEASE);
}

static void run_one(struct child *c, unsigned slot, unsigned i)
{
    const struct layout *l = &c->unit->layout;
    const struct test_case *tc = plugin_case(&c->memory, slot, i);
    const void *words = tc->words;
    struct misprint_outcome *m = c->one;
    if (m->flags & MISPRINT_HAS_UNKNOWN)
        memset(c->one_unknown, 0, (size_t)l->rows * l->row_words * sizeof *c->one_unknown);
    memcpy(c->one_outcome->touched, m->touched, (l->rows + 63U) / 64 * sizeof *m->touched);
    outcome_reset(c->one_outcome, tc);
    plugin_prepare(m, c->one_outcome->value, c->one_unknown, l);
    c->library.board->run(c->library.state, &words, m, 1);
    m->value = c->one_outcome->value; /* the library may have changed it */
    m->unknown = c->one_unknown;
    if (!(c->library.board->flags & MISPRINT_MARKS_ROWS && ran(m))) {
        outcome_reset(c->before, tc);
        plugin_find_rows(m, c->before);
    }
    publish(c, slot, i);
}

static void run(struct child *c, unsigned slot, unsigned first, unsigned count)
{
    if (!(c->library.board->flags & MISPRINT_ONE_BY_ONE)) {
        run_some(c, slot, first, count);
        return;
    }
    for (unsigned i = first; i < first + count; i++)
        run_one(c, slot, i);
}

static int work(struct child *c)
{
    struct plugin_greeting *g = plugin_greeting(&c->memory);
    struct misprint_about about;
    struct plugin_message m;
    struct error e = {0};
    bool good = plugin_open(&c->library, c->unit, c->options, &about, &e);
    g->about = about;
    if (!good)
        return failed(c, &e);
    say(PLUGIN_OPENED, 0, 0, c->library.board->flags);
    while (hear(&m)) {
        if (m.what != PLUGIN_RUN || m.slot >= PLUGIN_SLOTS || m.first > MISPRINT_BATCH_MAX ||
            m.count > MISPRINT_BATCH_MAX - m.first)
            return 1;
        run(c, m.slot, m.first, m.count);
        say(PLUGIN_RAN, m.slot, m.first, m.count);
    }
    plugin_close(&c->library);
    return 0;
}

/* ---- the process that forks workers ---- */

/* Waits for the worker's end, and returns its status. Ends the worker if the host is gone. */
static int await_worker(pid_t pid, int closed_at_end)
{
    struct pollfd fds[2] = {{.fd = PLUGIN_SOCKET}, {.fd = closed_at_end}}; /* poll always reports POLLHUP */
    int status = 0;
    while (poll(fds, 2, -1) < 0 && errno == EINTR)
        ;
    if (fds[0].revents && !fds[1].revents) {
        enum { GRACE_MS = 500 }; /* for the library's `close` */
        if (poll(fds + 1, 1, GRACE_MS) == 0)
            kill(pid, SIGKILL);
    }
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

/* Runs workers until one ends well, or the host is gone. */
static int supervise(struct child *c)
{
    for (;;) {
        struct plugin_message m;
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0)
            return 1;
        pid_t parent = getpid(), pid = fork();
        if (pid == 0) {
            (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
            close(ends[0]);
            if (getppid() != parent)
                _exit(1);
            exit(work(c));
        }
        close(ends[1]);
        int status = pid < 0 ? 1 : await_worker(pid, ends[0]);
        close(ends[0]);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            return 0;
        say(PLUGIN_DIED, 0, 0, (uint32_t)status);
        do
            if (!hear(&m))
                return 0;
        while (m.what != PLUGIN_AGAIN);
    }
}

/* Makes the outcomes before the fork, so that a worker shares their pages until it writes them. */
static void make_outcomes(struct child *c)
{
    struct image_rules *rules = image_rules_new(c->unit);
    struct outcome *o = memory_new(ALL, sizeof *o);
    for (unsigned i = 0; i < ALL; i++)
        c->list[i] =
            outcome_make_plain(c->unit, rules, o + i,
                               plugin_value(&c->memory, i / MISPRINT_BATCH_MAX, i % MISPRINT_BATCH_MAX));
    c->before = outcome_new(c->unit);
    c->one = memory_new(1, sizeof *c->one);
    c->one_outcome = outcome_new(c->unit);
    c->one_unknown =
        memory_new((size_t)c->unit->layout.rows * c->unit->layout.row_words, sizeof *c->one_unknown);
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
    close(PLUGIN_MEMORY);
    (void)setrlimit(RLIMIT_CORE, &none); /* a dump would take longer than thousands of cases */
    (void)fcntl(PLUGIN_SOCKET, F_SETFD, FD_CLOEXEC);
    if (!plugin_load(&c->library, words[2], &e))
        return failed(c, &e);
    make_outcomes(c);
    return supervise(c);
}
