/* SPDX-License-Identifier: MIT */
#include "oracle/board/plugin/plugin_process.h"

#include "harness/system/clock.h"
#include "model/core/memory.h"
#include "oracle/board/board_child.h"
#include "oracle/board/board_link.h"
#include "oracle/board/plugin/plugin_crash.h"
#include "oracle/board/plugin/plugin_record.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    HANGS_MAX = 8,   /* after so many cases in a row that hang, of several programs, the run fails */
    DEATHS_MAX = 32, /* the same for crashes; a generator gives one program 16 times, with other values */
    LOOK_MS = 50,    /* how often a wait checks the stop flag */
    OPEN_MS =
        10000, /* least time for the library to load and open; the limit of a case does not include it */
    CLOSE_MS = 1000, /* time for the library's `close` */
};

/* A batch. Its cases are answered in order. */
struct slot {
    unsigned count;   /* 0: free */
    unsigned first;   /* cases before it are answered */
    unsigned chunk;   /* cases from `first` on that the child runs now; 0: none */
    unsigned careful; /* cases to be sent one at a time */
    bool suspects;    /* the library stopped in this batch, and no case is known to be the cause yet */
    unsigned turn;    /* the child runs batches in the order of their turns */
    const struct test_case *tc[MISPRINT_BATCH_MAX];
    struct outcome *out[MISPRINT_BATCH_MAX];
    enum answer answer[MISPRINT_BATCH_MAX];
    char reason[MISPRINT_BATCH_MAX][BOARD_REASON_MAX];
};

struct plugin_process {
    struct board *board;
    char *file, *options;
    int fd; /* of the memory */
    struct plugin_memory memory;
    struct board_child child;
    unsigned kills;
    int64_t limit;   /* ms for one case */
    uint32_t flags;  /* of the library, when it opened */
    uint32_t worker; /* number of the child's worker */
    bool opening;    /* this worker has not yet said that it opened the library */
    struct board_hangs hangs;
    unsigned deaths; /* cases in a row that crashed */
    bool stopped;    /* the last run was stopped, so the next one starts the child again */
    unsigned turns;
    struct slot slot[PLUGIN_SLOTS];
};

enum event { GOT, LATE, CLOSED, WRONG };

static bool failed(const struct plugin_process *p, struct error *e)
{
    struct error why = *e;
    e->of_machine = true;
    return error_set(e, "board %.160s: %s", p->board->identity.spec, why.text);
}

/* ---- messages ---- */

/* The child reads all messages before it can have as many as the socket holds. So this does not block. */
static void say(struct plugin_process *p, enum plugin_what what, unsigned slot, unsigned first,
                unsigned count)
{
    struct plugin_message m = {(uint32_t)what, slot, first, count, p->worker};
    (void)send(p->child.fd, &m, sizeof m, MSG_NOSIGNAL | MSG_DONTWAIT); /* a later wait notices an error */
}

static enum event hear(struct plugin_process *p, int64_t deadline, struct plugin_message *m)
{
    for (;;) {
        int64_t now = clock_ms(), left = deadline - now < LOOK_MS ? deadline - now : LOOK_MS;
        struct pollfd fds = {.fd = p->child.fd, .events = POLLIN};
        int ready = poll(&fds, 1, left > 0 ? (int)left : 0);
        if (ready > 0) {
            ssize_t got = recv(p->child.fd, m, sizeof *m, MSG_DONTWAIT | MSG_TRUNC);
            if (got == (ssize_t)sizeof *m)
                return GOT;
            if (got == 0 || (got < 0 && errno == ECONNRESET))
                return CLOSED;
            if (got > 0 || (errno != EINTR && errno != EAGAIN))
                return WRONG;
        }
        if (board_must_stop(p->board) || clock_ms() >= deadline)
            return LATE;
    }
}

static void describe_death(const struct plugin_process *p, uint32_t how, char *why, size_t room)
{
    plugin_crash_describe(how, &p->board->unit->layout, why, room);
}

/* ---- opening ---- */

static int64_t open_limit(const struct plugin_process *p)
{
    return p->limit > OPEN_MS ? p->limit : OPEN_MS;
}

static bool take_greeting(struct plugin_process *p, enum event event, const struct plugin_message *m,
                          struct error *e)
{
    struct plugin_greeting *g = plugin_greeting(&p->memory);
    char text[ERROR_TEXT_MAX];
    if (event == LATE)
        return error_set(e,
                         board_must_stop(p->board) ? "stopped while waiting for it"
                                                   : "it was not open within %.6g s",
                         (double)open_limit(p) / 1000);
    if (event == CLOSED)
        return board_child_describe_end(&p->child, clock_ms() + CLOSE_MS, "while it loaded the library", e),
               false;
    if (event == GOT && m->what == PLUGIN_OPENED)
        return true;
    if (event == GOT && m->what == PLUGIN_DIED) {
        describe_death(p, m->count, text, sizeof text);
        return error_set(e, "%.200s while it opened", text);
    }
    if (event == WRONG || m->what != PLUGIN_FAILED)
        return error_set(e, "its process sent garbage");
    return error_set(e, "%.*s", (int)sizeof g->error, g->error); /* the library can write there, too */
}

/* Copies what the library says of itself. */
static void read_about(const struct plugin_process *p, struct misprint_about *about)
{
    *about = plugin_greeting(&p->memory)->about;
    about->description[sizeof about->description - 1] = 0;
    about->provenance[sizeof about->provenance - 1] = 0;
    about->lacks[sizeof about->lacks - 1] = 0;
    about->options = NULL; /* a pointer of the child */
}

static bool start(struct plugin_process *p, struct misprint_about *about, uint32_t *flags, struct error *e)
{
    char *const words[] = {(char *)(uintptr_t) "misprint",
                           (char *)(uintptr_t)PLUGIN_CHILD_WORD,
                           p->file,
                           (char *)(uintptr_t)p->board->unit->name,
                           p->options,
                           NULL};
    struct plugin_message m = {0};
    p->worker = 0;
    p->opening = false;
    if (!board_child_start_again(&p->child, words, p->fd, e))
        return false;
    if (take_greeting(p, hear(p, clock_ms() + open_limit(p), &m), &m, e)) {
        read_about(p, about);
        *flags = m.count;
        return true;
    }
    board_child_kill(&p->child);
    return false;
}

struct plugin_process *plugin_process_open(struct board *b, const char *file, const char *options,
                                           struct misprint_about *about, uint32_t *flags, struct error *e)
{
    struct plugin_process *p = memory_new(1, sizeof *p);
    bool is_set;
    *p = (struct plugin_process){.board = b, .fd = -1, .kills = board_child_kills(), .child.fd = -1};
    p->file = memory_string(file);
    p->options = memory_string(options);
    bool good = board_link_limit(&p->limit, &is_set, e);
    if (good && ((p->fd = plugin_memory_create(&p->memory, b->unit, e)) < 0 || !start(p, about, flags, e)))
        good = failed(p, e);
    p->flags = good ? *flags : 0;
    if (good)
        return p;
    plugin_process_close(p);
    return NULL;
}

void plugin_process_close(struct plugin_process *p)
{
    bool busy = false;
    for (unsigned i = 0; i < PLUGIN_SLOTS; i++)
        busy |= p->slot[i].count && p->slot[i].chunk;
    if (p->child.fd >= 0 && !busy) {
        shutdown(p->child.fd, SHUT_WR);
        board_child_await_end(&p->child, clock_ms() + CLOSE_MS);
    }
    board_child_kill(&p->child);
    plugin_memory_unmap(&p->memory);
    if (p->fd >= 0)
        close(p->fd);
    free(p->file);
    free(p->options);
    free(p);
}

/* ---- cases ---- */

static unsigned number_of(const struct plugin_process *p, const struct slot *s)
{
    return (unsigned)(s - p->slot);
}

static bool one_by_one(const struct plugin_process *p)
{
    return p->flags & MISPRINT_ONE_BY_ONE;
}

/* Sends the next cases of a batch, if the child runs none of it. */
static void send_chunk(struct plugin_process *p, struct slot *s)
{
    if (s->chunk || s->first == s->count)
        return;
    s->chunk = s->careful ? 1 : s->count - s->first;
    s->turn = p->turns++;
    if (one_by_one(p)) {
        uint32_t *packed = plugin_packed(&p->memory, number_of(p, s));
        for (unsigned i = s->first; i < s->first + s->chunk; i++)
            packed += case_pack(s->tc[i], packed);
        __atomic_store_n(plugin_done(&p->memory, number_of(p, s)), 0, __ATOMIC_RELAXED);
    }
    for (unsigned i = s->first; !one_by_one(p) && i < s->first + s->chunk; i++) {
        case_copy(plugin_case(&p->memory, number_of(p, s), i), s->tc[i]);
        __atomic_store_n(&plugin_outcome(&p->memory, number_of(p, s), i)->end, MISPRINT_NOT_RUN,
                         __ATOMIC_RELAXED);
    }
    say(p, PLUGIN_RUN, number_of(p, s), s->first, s->chunk);
}

static void settle(struct slot *s, enum answer a, const char *why)
{
    s->reason[s->first][0] = 0;
    if (*why)
        (void)snprintf(s->reason[s->first], sizeof *s->reason, "%s", why);
    s->answer[s->first++] = a;
    s->careful -= s->careful > 0;
}

/* Takes the outcomes of the first `count` cases of those that ran. */
static void take(struct plugin_process *p, struct slot *s, unsigned count)
{
    unsigned n = number_of(p, s);
    const uint32_t *record = plugin_records(&p->memory, n);
    for (unsigned taken_already = 0; taken_already < count; taken_already++) {
        unsigned i = s->first;
        char why[BOARD_REASON_MAX] = "";
        struct plugin_rows rows = {plugin_value(&p->memory, n, i), plugin_unknown(&p->memory, n, i), false};
        outcome_reset(s->out[i], s->tc[i]);
        enum plugin_taken taken = one_by_one(p)
                                      ? plugin_record_take(&record, s->out[i], why)
                                      : plugin_take(plugin_outcome(&p->memory, n, i), rows, s->out[i], why);
        if (taken != PLUGIN_TAKEN)
            s->out[i]->end = END_REFUSED;
        settle(s,
               taken == PLUGIN_TAKEN     ? ANSWER_OUTCOME
               : taken == PLUGIN_REFUSED ? ANSWER_REFUSED
                                         : ANSWER_NOTHING,
               why);
        p->hangs = (struct board_hangs){0};
        p->deaths = 0;
    }
}

/* Returns the batch that the child runs; NULL if it runs none. */
static struct slot *running(struct plugin_process *p)
{
    struct slot *now = NULL;
    for (struct slot *s = p->slot; s < p->slot + PLUGIN_SLOTS; s++)
        if (s->count && s->chunk && (!now || s->turn - now->turn > UINT32_MAX / 2))
            now = s;
    return now;
}

static bool take_answer(struct plugin_process *p, const struct plugin_message *m, struct error *e)
{
    struct slot *s = running(p);
    if (!s || m->what != PLUGIN_RAN || m->slot != number_of(p, s) || m->first != s->first ||
        m->count != s->chunk) {
        error_set(e, "its process sent garbage");
        return failed(p, e);
    }
    s->chunk = 0;
    take(p, s, m->count);
    send_chunk(p, s);
    return true;
}

/* Returns how many of the running cases, in order, have an answer. */
static unsigned answered(const struct plugin_process *p, const struct slot *s)
{
    unsigned done = 0;
    if (one_by_one(p)) {
        done = __atomic_load_n(plugin_done(&p->memory, number_of(p, s)), __ATOMIC_ACQUIRE);
        return done < s->chunk ? done : s->chunk;
    }
    while (done < s->chunk &&
           __atomic_load_n(&plugin_outcome(&p->memory, number_of(p, s), s->first + done)->end,
                           __ATOMIC_ACQUIRE) != MISPRINT_NOT_RUN)
        done++;
    return done;
}

/*
 * Called when the library crashed or hung. Returns true if the cause is known. If one case ran, it is the
 * cause and gets no outcome. So is the first case without a record, of a library that runs one case after the
 * other. Otherwise the last case that has an answer and the
 * one after it run again alone, because the library may have set the end too early. If neither is the cause,
 * all others run alone. Begins the counts of hangs and deaths again if a case has an answer.
 */
static bool suspect(struct plugin_process *p, const char *why)
{
    struct slot *s = running(p);
    unsigned done = s ? answered(p, s) : 0;
    bool known = s && (s->chunk == 1 || (one_by_one(p) && done < s->chunk));
    if (known) {
        take(p, s, s->chunk > 1 ? done : 0);
        outcome_reset(s->out[s->first], s->tc[s->first]);
        s->out[s->first]->end = END_REFUSED;
        settle(s, ANSWER_NOTHING, why);
        s->careful = 0;
        s->suspects = false;
    } else if (s) {
        take(p, s, done > 1 ? done - 1 : 0);
        s->careful = s->suspects ? s->count - s->first : 2;
        s->suspects = true;
    }
    for (unsigned i = 0; i < PLUGIN_SLOTS; i++)
        p->slot[i].chunk = 0;
    return known || !s;
}

/* Sends the batches that were in flight again, first the one that ran. */
static void send_again(struct plugin_process *p)
{
    for (unsigned turn = 0; turn < PLUGIN_SLOTS; turn++) {
        struct slot *next = NULL;
        for (struct slot *s = p->slot; s < p->slot + PLUGIN_SLOTS; s++)
            if (s->count && !s->chunk && s->first < s->count &&
                (!next || s->turn - next->turn > UINT32_MAX / 2))
                next = s;
        if (next)
            send_chunk(p, next);
    }
}

static bool check_same(const struct plugin_process *p, const struct misprint_about *a, struct error *e)
{
    const struct board_identity *who = &p->board->identity;
    if (a->memory_base == who->memory_base && a->code_base == who->code_base)
        return true;
    error_set(e, "started again, it runs cases at other addresses than before");
    return failed(p, e);
}

/* Takes the first message of a worker that follows one that died. */
static bool take_opening(struct plugin_process *p, enum event event, const struct plugin_message *m,
                         struct error *e)
{
    struct misprint_about about;
    if (!take_greeting(p, event, m, e))
        return failed(p, e);
    p->opening = false;
    read_about(p, &about);
    return check_same(p, &about, e);
}

/* After `suspect`. `fresh`: the whole child ended or is to end; otherwise only its worker did, and the next
 * one opens the library now. */
static bool start_again(struct plugin_process *p, bool fresh, struct error *e)
{
    struct misprint_about about;
    uint32_t flags;
    p->board->restarts++;
    if (fresh) {
        board_child_kill(&p->child);
        if (!start(p, &about, &flags, e))
            return failed(p, e);
        p->flags = flags; /* the file may be a new one */
        if (!check_same(p, &about, e))
            return false;
    } else {
        p->worker++;
        p->opening = true;
    }
    send_again(p);
    return true;
}

static bool died(struct plugin_process *p, const struct plugin_message *m, struct error *e)
{
    char why[BOARD_REASON_MAX];
    struct error how = {0};
    if (m) {
        describe_death(p, m->count, why, sizeof why);
    } else {
        (void)board_child_describe_end(&p->child, clock_ms() + CLOSE_MS, "before it answered", &how);
        (void)snprintf(why, sizeof why, "%.240s", how.text);
    }
    if (suspect(p, why))
        p->deaths++;
    if (board_child_kills() == p->kills && p->deaths < DEATHS_MAX)
        return start_again(p, !m, e);
    error_set(e, "%s, in %u cases in a row", why, p->deaths);
    return failed(p, e);
}

static bool hung(struct plugin_process *p, struct error *e)
{
    char why[64];
    (void)snprintf(why, sizeof why, "no answer within %.6g s", (double)p->limit / 1000);
    const struct slot *s = running(p);
    if (suspect(p, why))
        board_hangs_add(&p->hangs, s ? s->tc[s->first - 1] : NULL);
    if (!board_hangs_too_often(&p->hangs, HANGS_MAX))
        return start_again(p, true, e);
    error_set(e, "%s, in %u cases in a row; MISPRINT_BOARD_TIMEOUT=SECONDS gives it more time", why,
              p->hangs.cases);
    return failed(p, e);
}

static bool take_event(struct plugin_process *p, enum event event, const struct plugin_message *m,
                       struct error *e)
{
    if (p->opening)
        return take_opening(p, event, m, e);
    if (event == WRONG) {
        error_set(e, "its process sent garbage");
        return failed(p, e);
    }
    return event == LATE            ? hung(p, e)
           : event == CLOSED        ? died(p, NULL, e)
           : m->what == PLUGIN_DIED ? died(p, m, e)
                                    : take_answer(p, m, e);
}

/* Ends the run because of board_must_stop. Takes the answers that are there, and forgets all other cases. */
static bool stop(struct plugin_process *p, int64_t heard, struct error *e)
{
    struct slot *s = running(p);
    unsigned done = s ? answered(p, s) : 0;
    if (done) /* the library may have set the last end too early; a record is complete */
        take(p, s, one_by_one(p) ? done : done - 1);
    for (unsigned i = 0; i < PLUGIN_SLOTS; i++)
        p->slot[i].chunk = p->slot[i].count = 0;
    p->stopped = true;
    return board_stop(p->board, heard, e);
}

/* Waits until the batch is answered. */
static bool finish(struct plugin_process *p, struct slot *wanted, struct error *e)
{
    unsigned seen = 0; /* answers of the running cases, so that slow cases are not taken for a hang */
    int64_t heard = clock_ms();
    while (wanted->first < wanted->count) {
        struct plugin_message m = {0};
        enum event event = hear(p, heard + (p->opening ? open_limit(p) : p->limit), &m);
        const struct slot *s = running(p);
        unsigned done = event == LATE && s && !p->opening ? answered(p, s) : 0;
        bool must_stop = board_must_stop(p->board), good = true;
        if (done > seen) {
            seen = done;
        } else if (event == GOT || !must_stop) {
            seen = 0;
            good = take_event(p, event, &m, e);
        }
        if (must_stop && wanted->first < wanted->count)
            return stop(p, heard, e);
        if (!good)
            return board_must_stop(p->board) ? stop(p, heard, e) : false;
        heard = clock_ms();
    }
    return true;
}

/* ---- batches ---- */

static struct slot *put_batch(struct plugin_process *p, const struct test_case *const *cases, unsigned count,
                              struct outcome *const *outcomes)
{
    struct slot *s = p->slot;
    while (s < p->slot + PLUGIN_SLOTS && s->count)
        s++;
    if (s == p->slot + PLUGIN_SLOTS)
        return NULL;
    s->count = count;
    s->first = s->chunk = s->careful = 0;
    s->suspects = false;
    for (unsigned i = 0; i < count; i++) {
        s->tc[i] = cases[i];
        s->out[i] = outcomes[i];
    }
    send_chunk(p, s);
    return s;
}

/* Returns the batch of these cases if it was sent ahead; NULL if not. */
static struct slot *find_batch(struct plugin_process *p, const struct test_case *const *cases, unsigned count)
{
    for (struct slot *s = p->slot; s < p->slot + PLUGIN_SLOTS; s++)
        if (s->count == count && !memcmp(s->tc, cases, count * sizeof *cases))
            return s;
    return NULL;
}

void plugin_process_ahead(struct plugin_process *p, const struct test_case *const *cases, unsigned count,
                          struct outcome *const *outcomes)
{
    unsigned used = 0;
    for (unsigned i = 0; i < PLUGIN_SLOTS; i++)
        used += p->slot[i].count > 0;
    if (p->child.fd >= 0 && count && used + 1 < PLUGIN_SLOTS)
        (void)put_batch(p, cases, count, outcomes);
}

static bool run_batch(struct plugin_process *p, unsigned at, const struct test_case *const *cases,
                      unsigned count, struct outcome *const *outcomes, enum answer *answers, struct error *e)
{
    struct slot *s = find_batch(p, cases, count);
    if (!s)
        s = put_batch(p, cases, count, outcomes);
    bool good = finish(p, s, e);
    for (unsigned i = 0; i < count; i++) {
        answers[i] = i < s->first ? s->answer[i] : ANSWER_NOTHING;
        if (i < s->first && s->reason[i][0])
            board_give_reason(p->board, at + i, s->reason[i]);
    }
    s->count = 0;
    return good;
}

/* Starts the child again if the last run was stopped. */
static bool has_child(struct plugin_process *p, struct error *e)
{
    if (p->child.fd >= 0)
        return true;
    if (!p->stopped) {
        error_set(e, "it failed before; open the board again");
        return failed(p, e);
    }
    int64_t began = clock_ms();
    if (board_must_stop(p->board))
        return board_stop(p->board, began, e);
    bool good = start_again(p, true, e);
    p->stopped = !good && board_must_stop(p->board);
    return good || (p->stopped ? board_stop(p->board, began, e) : false);
}

bool plugin_process_run(struct plugin_process *p, const struct test_case *const *cases, unsigned count,
                        struct outcome *const *outcomes, enum answer *answers, struct error *e)
{
    if (!has_child(p, e))
        return false;
    for (unsigned at = 0; at < count; at += MISPRINT_BATCH_MAX) {
        unsigned n = count - at < MISPRINT_BATCH_MAX ? count - at : MISPRINT_BATCH_MAX;
        if (!run_batch(p, at, cases + at, n, outcomes + at, answers + at, e)) {
            board_child_kill(&p->child);
            return false;
        }
    }
    return true;
}
