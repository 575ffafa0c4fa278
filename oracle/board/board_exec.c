/* SPDX-License-Identifier: MIT */
/*
 * `exec:COMMAND`: a child process that speaks harness/PROTOCOL.md on standard input and output
 * (board_link.h).
 *
 * If the child dies, it is started again. If it gives no answer in time, it is killed and started again. The
 * cases that were in flight are then sent one at a time, to find the one that stops the child. If the child
 * sends bytes that violate the protocol, the board fails.
 *
 * The cases of the next two runs can be sent ahead, so that a board behind a slow link never waits for cases.
 * If the child ends before those runs, the runs send their cases again.
 */
#include "harness/system/clock.h"
#include "model/core/memory.h"
#include "oracle/board/board_link.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum {
    HANGS_MAX = 4,   /* after so many cases in a row that hang, of several programs, the run fails */
    DEATHS_MAX = 32, /* the same for deaths of the child, which cost no time and are common in a reduction */
    AHEAD_MAX = PROTOCOL_IN_FLIGHT_MAX / 2,
    AHEAD_BATCHES = 2, /* batches sent ahead: one for the next run, one for the run after it */
};

enum progress { OPEN, SENT, ANSWERED };

/* A case of a batch. */
struct slot {
    const struct test_case *tc;
    struct outcome *outcome;
    enum progress progress;
    enum answer answer;
    char reason[BOARD_REASON_MAX]; /* why it has no outcome */
};

/* The cases of a run, or of a later run if they were sent ahead. */
struct batch {
    struct slot *slot;
    unsigned room, count; /* count 0: free */
    unsigned answered;
    unsigned first_open; /* all cases before it are sent or answered */
    unsigned careful;    /* cases still to be sent one at a time */
    unsigned stopped_by; /* cases that are known to have stopped the child */
};

struct flight {
    struct batch *batch; /* NULL: free */
    struct slot *slot;
    uint32_t id, case_crc;
    uint64_t nonce;
};

struct exec_board {
    struct board_link link;
    uint32_t next_id;
    uint64_t nonce_seed;
    struct board_hangs hangs; /* since the last answer */
    unsigned deaths;          /* the same */
    unsigned calm;            /* cases with an answer since the child died; UINT_MAX: it never did */
    int64_t heard;            /* when it last answered (clock_ms), or the run began */
    bool stopped;             /* the last run was stopped, so the next one starts the child again */
    struct flight flight[PROTOCOL_IN_FLIGHT_MAX];
    unsigned in_flight;
    struct batch ahead[AHEAD_BATCHES], own; /* `own` has the cases of a run that were not sent ahead */
    uint8_t case_bytes[CASE_BYTES_MAX];
};

/* Kills the child. Its cases in flight become open again. */
static void drop_child(struct exec_board *x)
{
    board_link_drop(&x->link);
    for (struct flight *f = x->flight; f < x->flight + PROTOCOL_IN_FLIGHT_MAX; f++)
        if (f->batch) {
            unsigned index = (unsigned)(f->slot - f->batch->slot);
            f->slot->progress = OPEN;
            f->batch->first_open = index < f->batch->first_open ? index : f->batch->first_open;
        }
    x->in_flight = 0;
    memset(x->flight, 0, sizeof x->flight);
}

/* ---- opening ---- */

static unsigned window_of(const struct protocol_hello *h)
{
    return h->in_flight < PROTOCOL_IN_FLIGHT_MAX ? h->in_flight : PROTOCOL_IN_FLIGHT_MAX;
}

static bool identify(struct board *b, const struct protocol_hello *h, struct error *e)
{
    struct board_identity *who = &b->identity;
    const char *said = h->description[0] ? h->description : "a board that does not describe itself";
    text_copy_utf8(who->description, sizeof who->description, said, strlen(said));
    text_copy_utf8(who->provenance, sizeof who->provenance, h->provenance, strlen(h->provenance));
    who->silicon = h->silicon;
    who->memory_base = h->memory_base;
    who->code_base = h->code_base;
    b->takes_ahead = window_of(h) / 2;
    b->answer_seconds = h->answer_seconds;
    b->proves = h->proves;
    if (h->state[0])
        board_note_state(b, "%s", h->state);
    return board_set_lacks(b, h->lacks, e);
}

static void exec_close(struct board *b)
{
    struct exec_board *x = b->state;
    if (x->in_flight == 0)
        board_link_say_bye(&x->link);
    drop_child(x);
    board_link_close(&x->link);
    for (unsigned k = 0; k < AHEAD_BATCHES; k++)
        free(x->ahead[k].slot);
    free(x->own.slot);
    free(x);
}

static bool exec_open(struct board *b, const char *argument, struct error *e)
{
    if (!*argument)
        return error_set(e, "board 'exec:' needs a command: exec:COMMAND");
    struct exec_board *x = memory_new(1, sizeof *x);
    x->calm = UINT_MAX;
    if (getrandom(&x->nonce_seed, sizeof x->nonce_seed, 0) != (ssize_t)sizeof x->nonce_seed)
        x->nonce_seed = (uint64_t)clock_ms() << 20 ^ (uint64_t)getpid(); /* unique, not secret */
    if (!board_link_open(&x->link, b, argument, e)) {
        free(x);
        return false;
    }
    b->state = x;
    if (identify(b, &x->link.hello, e))
        return true;
    (void)board_link_failed(&x->link, e, "correct \"lacks\" in its HELLO");
    exec_close(b);
    return false;
}

/* Adds to the error the advice to start the command by hand. Returns false. */
static bool failed(const struct exec_board *x, struct error *e)
{
    return board_link_failed(&x->link, e, board_link_by_hand(&x->link));
}

/* ---- running ---- */

static void fill(struct batch *n, const struct test_case *const *cases, unsigned count,
                 struct outcome *const *outcomes)
{
    if (count > n->room)
        n->slot = memory_grow(n->slot, n->room = count, sizeof *n->slot);
    n->count = count;
    n->answered = n->first_open = n->careful = n->stopped_by = 0;
    for (unsigned i = 0; i < count; i++) {
        struct slot *s = &n->slot[i];
        s->tc = cases[i];
        s->outcome = outcomes[i];
        s->progress = OPEN;
        s->answer = ANSWER_NOTHING;
        s->reason[0] = 0;
    }
}

/* Returns the flight of the next case. Its number, modulo the size of the array, is its index. */
static struct flight *next_flight(struct exec_board *x)
{
    while (x->flight[x->next_id % PROTOCOL_IN_FLIGHT_MAX].batch)
        x->next_id++;
    struct flight *f = &x->flight[x->next_id % PROTOCOL_IN_FLIGHT_MAX];
    *f = (struct flight){.id = x->next_id++};
    f->nonce = random_mix64(x->nonce_seed + f->id);
    return f;
}

static bool put_run(struct board *b, struct flight *f, const struct test_case *c)
{
    struct exec_board *x = b->state;
    size_t size = case_encode(c, x->case_bytes);
    f->case_crc = protocol_crc32(0, x->case_bytes, size);
    struct protocol_run r = {
        .id = f->id,
        .nonce = f->nonce,
        .memory_base = b->identity.memory_base,
        .code_base = b->identity.code_base,
        .case_bytes = x->case_bytes,
        .case_size = size,
    };
    (void)snprintf(r.unit, sizeof r.unit, "%s", b->unit->name);
    return protocol_put_run(&x->link.stream.to_send, &r);
}

static bool put_item(struct protocol_pack *pack, struct flight *f, const struct test_case *c)
{
    if (protocol_pack_is_full(pack, CASE_BYTES_MAX))
        protocol_pack_close(pack);
    uint8_t *to = protocol_pack_room(pack, CASE_BYTES_MAX);
    if (!to)
        return false;
    struct protocol_item item = {.id = f->id, .check = f->nonce, .size = case_encode(c, to)};
    f->case_crc = protocol_crc32(0, to, item.size);
    protocol_pack_add(pack, &item);
    return true;
}

/* Queues a case: of version 2 in the frame `pack`, which the caller closes. */
static bool send_case(struct board *b, struct batch *n, struct slot *s, struct protocol_pack *pack,
                      struct error *e)
{
    struct exec_board *x = b->state;
    struct flight *f = next_flight(x);
    f->batch = n;
    f->slot = s;
    x->in_flight++;
    s->progress = SENT;
    bool many = x->link.hello.version > PROTOCOL_VERSION;
    return (many ? put_item(pack, f, s->tc) : put_run(b, f, s->tc)) ||
           error_memory(e, "while talking to the board");
}

static struct protocol_pack pack_for(struct exec_board *x)
{
    return (struct protocol_pack){.to = &x->link.stream.to_send, .type = PROTOCOL_CASES};
}

/* Returns how many cases may be in flight: few if the child died a short while ago, because then it may die
 * again soon, and the cases in flight are sent again one at a time. */
static unsigned window_now(const struct exec_board *x)
{
    enum { FEW = 32, CALM = 512, STEPS = 6 };
    unsigned most = window_of(&x->link.hello), step = x->calm / CALM;
    return step < STEPS && (unsigned)FEW << step < most ? (unsigned)FEW << step : most;
}

/* Keeps as many cases in flight as the board accepts, but only one while n->careful is set. */
static bool send_cases(struct board *b, struct batch *n, struct error *e)
{
    struct exec_board *x = b->state;
    unsigned window = n->careful ? 1 : window_now(x);
    struct protocol_pack pack = pack_for(x);
    for (unsigned i = n->first_open; i < n->count && x->in_flight < window; i++) {
        if (n->slot[i].progress == OPEN && !send_case(b, n, &n->slot[i], &pack, e))
            return false;
        if (i == n->first_open)
            n->first_open++;
    }
    protocol_pack_close(&pack);
    return true;
}

/* Notes that the board answered a case. */
static void answered(struct exec_board *x)
{
    x->hangs = (struct board_hangs){0};
    x->deaths = 0;
    x->calm += x->calm < UINT_MAX;
}

/* Stores the answer to a case in flight. `why`: why there is no outcome, or NULL. */
static void settle(struct exec_board *x, struct flight *f, enum answer a, const char *why)
{
    struct batch *n = f->batch;
    if (why)
        text_copy_utf8(f->slot->reason, sizeof f->slot->reason, why, strlen(why));
    f->slot->answer = a;
    f->slot->progress = ANSWERED;
    f->batch = NULL;
    x->in_flight--;
    n->answered++;
    if (n->careful)
        n->careful--;
}

static struct flight *flight_of(struct exec_board *x, uint32_t id, struct error *e)
{
    struct flight *f = &x->flight[id % PROTOCOL_IN_FLIGHT_MAX];
    if (f->batch && f->id == id)
        return f;
    error_set(e, "it answered case number %lu, which is not waiting for an answer", (unsigned long)id);
    return NULL;
}

static bool take_outcome(struct exec_board *x, const struct protocol_outcome *o, struct error *e)
{
    struct flight *f = flight_of(x, o->id, e);
    if (!f)
        return false;
    uint64_t due = protocol_stamp(f->nonce, f->case_crc, o->bytes, o->size);
    if (o->stamp != due) {
        char why[BOARD_REASON_MAX];
        (void)snprintf(why, sizeof why,
                       "its done-stamp is %016llx, not %016llx = nonce %016llx xor (CRC-32 of the case %08lx "
                       "<< 32 | CRC-32 of the outcome %08lx)",
                       (unsigned long long)o->stamp, (unsigned long long)due, (unsigned long long)f->nonce,
                       (unsigned long)f->case_crc, (unsigned long)protocol_crc32(0, o->bytes, o->size));
        settle(x, f, ANSWER_NOTHING, why); /* without the stamp, nothing shows that the case ran to its end */
        return true;
    }
    struct outcome *out = f->slot->outcome;
    if (!outcome_decode(out, f->slot->tc, o->bytes, o->size, e))
        return false;
    answered(x);
    settle(x, f, out->end == END_REFUSED ? ANSWER_REFUSED : ANSWER_OUTCOME, NULL);
    return true;
}

/* Takes the outcomes of a frame: one, or of version 2 many. */
static bool take_outcomes(struct exec_board *x, const struct protocol_frame *frame, struct error *e)
{
    struct protocol_outcome o;
    struct protocol_item item;
    struct protocol_frame rest = *frame;
    if (frame->type == PROTOCOL_OUTCOME)
        return protocol_get_outcome(frame, &o, e) && take_outcome(x, &o, e);
    do {
        if (!protocol_next_item(&rest, &item, e))
            return false;
        o = (struct protocol_outcome){item.id, item.check, item.bytes, item.size};
        if (!take_outcome(x, &o, e))
            return false;
    } while (rest.size);
    return true;
}

static bool take_refusal(struct exec_board *x, const struct protocol_frame *frame, struct error *e)
{
    struct protocol_refused r;
    struct flight *f;
    if (!protocol_get_refused(frame, &r, e) || !(f = flight_of(x, r.id, e)))
        return false;
    outcome_reset(f->slot->outcome, f->slot->tc);
    f->slot->outcome->end = END_REFUSED;
    answered(x);
    settle(x, f, ANSWER_REFUSED, r.reason);
    return true;
}

static bool take_frame(struct board *b, const struct protocol_frame *frame, struct error *e)
{
    struct exec_board *x = b->state;
    char state[sizeof b->identity.state];
    bool good = false, many = x->link.hello.version > PROTOCOL_VERSION;
    if (frame->type == (many ? PROTOCOL_OUTCOMES : PROTOCOL_OUTCOME))
        return take_outcomes(x, frame, e) || failed(x, e);
    switch (frame->type) {
    case PROTOCOL_REFUSED:
        good = take_refusal(x, frame, e);
        break;
    case PROTOCOL_STATE:
        protocol_get_text(frame, state, sizeof state);
        board_note_state(b, "%s", state);
        return true;
    case PROTOCOL_ERROR:
        board_link_take_error(frame, e);
        return board_link_failed(&x->link, e, NULL);
    default:
        if (frame->type == PROTOCOL_RUN || frame->type == PROTOCOL_CASES)
            error_set(e, "it sent back the case that it was to run, so it is no board");
        else
            error_set(e, "%s arrived instead of %s or REFUSED", protocol_type_name(frame->type),
                      many ? "OUTCOMES" : "OUTCOME");
    }
    return good || failed(x, e);
}

/* Called when the child hung or ended. Returns true if the cause is known. If only one case was in flight, it
 * stopped the child and gets no outcome. If several were, marks the cases of this run to be sent again one at
 * a time. Later runs send their own cases again.
 */
static bool suspect(struct exec_board *x, struct batch *n, const char *why)
{
    bool known = x->in_flight == 1;
    for (struct flight *f = x->flight; f < x->flight + PROTOCOL_IN_FLIGHT_MAX; f++)
        if (f->batch == n && known)
            settle(x, f, ANSWER_NOTHING, why);
        else if (f->batch == n)
            n->careful++;
    n->stopped_by += known;
    return known || !x->in_flight;
}

static bool start_again(struct board *b, struct error *e)
{
    struct exec_board *x = b->state;
    const struct protocol_hello before = x->link.hello, *now = &x->link.hello;
    drop_child(x);
    if (board_must_stop(b))
        return board_stop(b, x->heard, e);
    b->restarts++;
    if (!board_link_reconnect(&x->link, b, e))
        return false;
    if (now->state[0])
        board_note_state(b, "%s", now->state);
    if (strcmp(now->description, before.description) != 0 ||
        strcmp(now->provenance, before.provenance) != 0 || now->silicon != before.silicon)
        error_set(e, "started again, it is another board: '%.120s', before '%.120s'", now->description,
                  before.description);
    else if (now->memory_base != before.memory_base || now->code_base != before.code_base)
        error_set(e, "started again, it runs cases at other addresses than before");
    else
        return true;
    return board_link_failed(&x->link, e, "to continue the campaign with it, repeat the command");
}

/* Returns the case in flight; NULL if there are none or several. */
static const struct test_case *only_case(const struct exec_board *x)
{
    const struct flight *f = x->flight;
    while (x->in_flight == 1 && !f->batch)
        f++;
    return x->in_flight == 1 ? f->slot->tc : NULL;
}

static bool answer_is_late(struct board *b, struct batch *n, struct error *e)
{
    struct exec_board *x = b->state;
    char why[64];
    (void)snprintf(why, sizeof why, "no answer within %.6g s", (double)x->link.patience / 1000);
    const struct test_case *only = only_case(x);
    if (suspect(x, n, why))
        board_hangs_add(&x->hangs, only);
    if (!board_hangs_too_often(&x->hangs, HANGS_MAX))
        return start_again(b, e);
    error_set(e, "%s, in %u cases in a row", why, x->hangs.cases);
    return board_link_failed(&x->link, e,
                             "check the board; MISPRINT_BOARD_TIMEOUT=SECONDS gives it more time");
}

static bool child_died(struct board *b, struct batch *n, struct error *e)
{
    struct exec_board *x = b->state;
    struct error how = {0};
    board_link_describe_end(&x->link, "before it answered", &how);
    if (board_link_is_shut(&x->link)) {
        *e = how;
        return failed(x, e);
    }
    unsigned before = n->stopped_by;
    x->calm = 0;
    if (suspect(x, n, how.text))
        x->deaths++;
    if (!before && n->stopped_by) /* most likely the only one, and sending one at a time is slow */
        n->careful = 0;
    if (x->deaths < DEATHS_MAX)
        return start_again(b, e);
    error_set(e, "%.200s, in %d cases in a row", how.text, DEATHS_MAX);
    return failed(x, e);
}

static bool run_batch(struct board *b, struct batch *n, struct error *e)
{
    struct exec_board *x = b->state;
    x->heard = clock_ms();
    while (n->answered < n->count) {
        struct protocol_frame f;
        if (!send_cases(b, n, e))
            return false;
        enum protocol_event event = board_link_next(&x->link, b, x->heard + x->link.patience, &f, e);
        if (event == PROTOCOL_GOT && !take_frame(b, &f, e))
            return false;
        if (event != PROTOCOL_FAILED && n->answered < n->count && board_must_stop(b))
            return board_stop(b, x->heard, e);
        if (event == PROTOCOL_LATE) {
            if (!answer_is_late(b, n, e))
                return false;
        } else if (event == PROTOCOL_CLOSED) {
            if (!child_died(b, n, e))
                return false;
        } else if (event != PROTOCOL_GOT) {
            return board_link_broken(&x->link, event, "before it answered", e);
        }
        if (event != PROTOCOL_GOT || f.type != PROTOCOL_STATE) /* which does not extend the time */
            x->heard = clock_ms();
    }
    return true;
}

/* Returns the batch of these cases if it was sent ahead; NULL if not. */
static struct batch *find_ahead(struct exec_board *x, const struct test_case *const *cases, unsigned count)
{
    for (struct batch *n = x->ahead; count && n < x->ahead + AHEAD_BATCHES; n++) {
        unsigned same = 0;
        while (same < n->count && n->count == count && n->slot[same].tc == cases[same])
            same++;
        if (same == count)
            return n;
    }
    return NULL;
}

/* Sends all cases ahead, or none if the board's window is too small. */
static bool exec_ahead(struct board *b, const struct test_case *const *cases, unsigned count,
                       struct outcome *const *outcomes, struct error *e)
{
    struct exec_board *x = b->state;
    struct batch *n = x->ahead;
    struct error ignored = {0};
    while (n < x->ahead + AHEAD_BATCHES && n->count)
        n++;
    if (n == x->ahead + AHEAD_BATCHES || x->link.child.fd < 0 || count > AHEAD_MAX ||
        x->in_flight + count > window_now(x))
        return true;
    fill(n, cases, count, outcomes);
    struct protocol_pack pack = pack_for(x);
    for (unsigned i = 0; i < count; i++)
        if (!send_case(b, n, &n->slot[i], &pack, e))
            return failed(x, e);
    protocol_pack_close(&pack);
    /* Sends what fits in the socket. If the child has ended, the run will notice. */
    (void)protocol_flush(&x->link.stream, clock_ms(), &ignored);
    return true;
}

/* Starts the child again if the last run was stopped. */
static bool has_child(struct board *b, struct error *e)
{
    struct exec_board *x = b->state;
    if (x->link.child.fd >= 0)
        return true;
    if (!x->stopped) {
        error_set(e, "it failed before");
        return board_link_failed(&x->link, e, "open the board again");
    }
    x->heard = clock_ms();
    bool good = start_again(b, e);
    x->stopped = b->stopped;
    return good;
}

static bool exec_run(struct board *b, const struct test_case *const *cases, unsigned count,
                     struct outcome *const *outcomes, enum answer *answers, struct error *e)
{
    struct exec_board *x = b->state;
    if (!has_child(b, e))
        return false;
    struct batch *n = find_ahead(x, cases, count);
    if (!n)
        fill(n = &x->own, cases, count, outcomes);
    bool ok = run_batch(b, n, e);
    if (!ok)
        drop_child(x);
    x->stopped = b->stopped;
    for (unsigned k = 0; x->stopped && k < AHEAD_BATCHES; k++)
        if (n != &x->ahead[k])
            x->ahead[k].count = 0; /* the runs that they were for do not come */
    for (unsigned i = 0; i < count; i++) {
        answers[i] = n->slot[i].answer;
        if (n->slot[i].reason[0])
            board_give_reason(b, i, n->slot[i].reason);
    }
    n->count = 0;
    return ok;
}

const struct board_kind board_exec = {
    .name = "exec",
    .form = "exec:COMMAND",
    .about = "a command that speaks the board protocol (harness/PROTOCOL.md) on standard input and output",
    .open = exec_open,
    .run = exec_run,
    .close = exec_close,
    .ahead = exec_ahead,
};
