/* SPDX-License-Identifier: MIT */
/*
 * The child of a plug-in writes into the shared memory, and says of it, what the input's bytes choose. The
 * host gives each case one answer, whose outcome can be encoded, or ends with an error. It never crashes, and
 * never waits for long.
 *
 * The child is a thread that maps the same memory, in place of a process (the linker's --wrap). When the
 * bytes end, it answers rightly. It also writes while the host reads.
 */
#include "fuzz/targets/target.h"

#include "oracle/board/board.h"
#include "oracle/board/board_child.h"
#include "oracle/board/plugin/plugin_memory.h"
#include "oracle/board/plugin/plugin_record.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CASES = 6, RUNS = 3, THREADS_MAX = 256 };

enum act {
    GOOD,
    SCRIBBLE,   /* any bytes as outcomes */
    LATE,       /* the same, while the host reads them */
    FEW,        /* outcomes of some cases, then the library crashes */
    DIE,        /* any bytes as outcomes, any number of them and any status */
    OTHER_SLOT, /* answers what did not run */
    OTHER_CASES,
    OTHER_COUNT,
    GARBAGE,
    OPEN_AGAIN,
    FAIL,
    END,
    SILENCE,
    ACTS
};

/* What the child does; all starts share it. */
static struct {
    const struct unit *unit;
    const uint8_t *bytes;
    size_t count;
    uint32_t flags;
} script;

static pthread_t thread[THREADS_MAX];
static unsigned threads;

struct peer {
    int fd;
    uint32_t worker;
    struct plugin_memory memory;
};

static unsigned choice(unsigned choices)
{
    return target_choice(&script.bytes, &script.count, choices);
}

static void say(const struct peer *p, enum plugin_what what, uint32_t slot, uint32_t first, uint32_t count)
{
    struct plugin_message m = {(uint32_t)what, slot, first, count, p->worker};
    (void)send(p->fd, &m, sizeof m, MSG_NOSIGNAL);
}

/* Writes outcomes in which nothing changed. */
static void put_outcomes(struct peer *p, const struct plugin_message *run, uint32_t count)
{
    static const struct misprint_outcome nothing;
    uint32_t *record = plugin_records(&p->memory, run->slot);
    for (uint32_t i = 0; i < count; i++) {
        plugin_outcome(&p->memory, run->slot, run->first + i)->end = MISPRINT_DONE;
        record += plugin_record_put(record, &nothing, &script.unit->layout);
    }
    __atomic_store_n(plugin_done(&p->memory, run->slot), count, __ATOMIC_RELEASE);
}

/* Fills memory with the part, again and again. */
static void fill(void *to, size_t room, const uint8_t *part, size_t size)
{
    for (size_t at = 0; size && at < room; at += size)
        memcpy((uint8_t *)to + at, part, size < room - at ? size : room - at);
}

/* Writes bytes of the input as heads and rows of outcomes, as records and as the number of records. */
static void scribble(struct peer *p, const struct plugin_message *run)
{
    const uint8_t *part;
    size_t size, bytes = p->memory.words_stride * sizeof(uint32_t);
    target_part(&script.bytes, &script.count, &part, &size);
    for (uint32_t i = run->first; i < run->first + run->count; i++) {
        fill(plugin_outcome(&p->memory, run->slot, i), sizeof(struct misprint_outcome), part, size);
        fill(plugin_value(&p->memory, run->slot, i), bytes, part, size);
        fill(plugin_unknown(&p->memory, run->slot, i), bytes, part, size);
    }
    fill(plugin_records(&p->memory, run->slot), 4 * plugin_record_max(&script.unit->layout), part, size);
    fill(plugin_done(&p->memory, run->slot), sizeof(uint32_t), part, size);
}

/* Greets as a worker does: any bytes as what the library says of itself, if the input has some. */
static void greet(struct peer *p)
{
    struct plugin_greeting *g = plugin_greeting(&p->memory);
    const uint8_t *part;
    size_t size;
    plugin_preset(&g->about, "", "a thread", "");
    target_part(&script.bytes, &script.count, &part, &size);
    fill(g, sizeof *g, part, size);
    say(p, PLUGIN_OPENED, 0, 0, script.flags);
}

static void die(struct peer *p, uint32_t status)
{
    say(p, PLUGIN_DIED, 0, 0, status);
    p->worker++;
    greet(p);
}

/* Answers a message. False: the child ends. */
static bool act(struct peer *p, const struct plugin_message *run)
{
    enum act how = (enum act)choice(ACTS);
    switch (how) {
    case SCRIBBLE:
    case DIE:
        scribble(p, run);
        break;
    case FEW:
        put_outcomes(p, run, choice(run->count + 1));
        break;
    case GARBAGE:
        (void)send(p->fd, run, choice(sizeof *run), MSG_NOSIGNAL);
        return true;
    case OPEN_AGAIN:
        greet(p);
        return true;
    case FAIL:
        say(p, PLUGIN_FAILED, 0, 0, 0);
        return true;
    case END:
        return false;
    case SILENCE:
        return true;
    default:
        put_outcomes(p, run, run->count);
    }
    if (how == FEW || how == DIE)
        die(p, choice(256) | choice(256) << 8);
    else
        say(p, PLUGIN_RAN, run->slot + (how == OTHER_SLOT), run->first + (how == OTHER_CASES),
            run->count - (how == OTHER_COUNT));
    if (how == LATE)
        scribble(p, run);
    return true;
}

static void *play(void *context)
{
    struct peer *p = context;
    struct plugin_message m;
    greet(p);
    while (recv(p->fd, &m, sizeof m, 0) == (ssize_t)sizeof m) {
        if (m.what != PLUGIN_RUN || m.slot >= PLUGIN_SLOTS || !m.count || m.first + m.count > CASES)
            target_violated("the host sent message %u of cases %u to %u", m.what, m.first, m.first + m.count);
        if (m.worker == p->worker && !act(p, &m))
            break;
    }
    close(p->fd);
    plugin_memory_unmap(&p->memory);
    free(p);
    return NULL;
}

bool __wrap_board_child_start_again(struct board_child *c, char *const *words, int memory, struct error *e);
bool __wrap_board_child_start_again(struct board_child *c, char *const *words, int memory, struct error *e)
{
    int pair[2];
    struct peer *p = calloc(1, sizeof *p);
    (void)words;
    *c = (struct board_child){.fd = -1};
    if (!p || threads == THREADS_MAX || !plugin_memory_map(&p->memory, script.unit, memory) ||
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
        free(p);
        return error_set(e, "there are too many children");
    }
    p->fd = pair[1];
    if (pthread_create(&thread[threads++], NULL, play, p) != 0)
        abort();
    c->fd = pair[0];
    return true;
}

static void check_outcome(const struct outcome *o)
{
    static uint8_t bytes[OUTCOME_BYTES_MAX];
    if (o->end > END_REFUSED || !outcome_encode(o, bytes, sizeof bytes))
        target_violated("an outcome with end %d cannot be encoded", (int)o->end);
}

/* Runs cases, some of them sent ahead. Returns false if the board failed. */
static bool run(struct board *b, struct test_case *tc, struct outcome *const *outcomes, bool ahead)
{
    const struct test_case *list[CASES];
    enum answer answers[CASES];
    struct error e = {0};
    for (unsigned i = 0; i < CASES; i++) {
        list[i] = tc;
        answers[i] = ANSWERS;
    }
    if ((ahead && !board_ahead(b, list, CASES, outcomes, &e)) ||
        !board_run(b, list, CASES, outcomes, answers, &e)) {
        target_check_refusal(&e);
        return false;
    }
    for (unsigned i = 0; i < CASES; i++) {
        if (answers[i] >= ANSWERS || answers[i] == ANSWER_UNKNOWN)
            target_violated("case %u has no answer", i);
        if (answers[i] == ANSWER_OUTCOME)
            check_outcome(outcomes[i]);
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    static struct test_case tc;
    struct outcome *outcomes[CASES];
    struct error e = {0};
    unsigned how = target_choice(&bytes, &count, 256), units = 0;
    setenv("MISPRINT_BOARD_TIMEOUT", "0.05", 1);
    while (unit_at(units))
        units++;
    script.unit = unit_at((how >> 2) % units);
    script.flags = (how & 1 ? MISPRINT_ONE_BY_ONE : 0) | (how & 2 ? MISPRINT_MARKS_ROWS : 0);
    script.bytes = bytes;
    script.count = count;
    case_init(&tc, script.unit);
    for (unsigned i = 0; i < CASES; i++)
        outcomes[i] = outcome_new(script.unit);
    struct board *b = board_open("plugin:thread.so", script.unit, &e);
    if (!b)
        target_check_refusal(&e);
    for (unsigned i = 0; b && i < RUNS && run(b, &tc, outcomes, i & 1); i++)
        ;
    if (b)
        board_close(b);
    for (unsigned i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    threads = 0;
    for (unsigned i = 0; i < CASES; i++)
        outcome_free(outcomes[i]);
    return 0;
}
