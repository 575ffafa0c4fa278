/* SPDX-License-Identifier: MIT */
/*
 * `exec:COMMAND`: a child process that speaks harness/PROTOCOL.md on standard input and output
 * (board_link.h).
 *
 * If the child dies, or has to be killed because a case gets no answer in time, it is started again, and the
 * cases that were in flight are sent again one at a time, to find the one that stops it. Anything that is not
 * the protocol fails the board.
 *
 * The cases of the next two runs can be sent ahead, so that a board behind a slow link has the next batch
 * when it has answered one. If the child ends before, their runs send them again.
 */
#include "harness/launch/clock.h"
#include "model/core/memory.h"
#include "oracle/board/board_link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum {
    HANGS_MAX = 4,   /* without an answer in between: then the board is given up */
    DEATHS_MAX = 16, /* the same; more, because they take no time and a reduction tries many similar cases */
    AHEAD_MAX = PROTOCOL_IN_FLIGHT_MAX / 2,
    AHEAD_BATCHES = 2, /* for the next run and the one after it */
};

enum progress { OPEN, SENT, ANSWERED };

/* A case that was sent before its run. */
struct ahead {
    const struct test_case *tc;
    struct outcome *outcome;
    enum progress progress;
    enum answer answer;
    char reason[BOARD_REASON_MAX];
};

struct ahead_batch {
    unsigned count; /* 0: free */
    struct ahead at[AHEAD_MAX];
};

struct flight {
    bool used;
    struct ahead *ahead; /* NULL: a case of the current run, */
    unsigned index;      /* with this index */
    uint32_t id, case_crc;
    uint64_t nonce;
};

struct exec_board {
    struct board_link link;
    uint32_t next_id;
    uint64_t nonce_seed;
    unsigned hangs, deaths; /* since the last answer */
    struct flight flight[PROTOCOL_IN_FLIGHT_MAX];
    unsigned in_flight;
    struct ahead_batch ahead[AHEAD_BATCHES];
    uint8_t case_bytes[CASE_BYTES_MAX];
};

/* One call of run. */
struct batch {
    const struct test_case *const *cases;
    struct outcome *const *outcomes;
    enum answer *answers;
    uint8_t *progress; /* enum progress of each case */
    unsigned count, answered;
    unsigned first_open; /* no case before it is open */
    unsigned careful;    /* cases still to be sent one at a time */
};

/* Ends the child; the cases in flight get no answer. */
static void drop_child(struct exec_board *x)
{
    board_link_drop(&x->link);
    for (unsigned i = 0; i < PROTOCOL_IN_FLIGHT_MAX; i++)
        if (x->flight[i].used && x->flight[i].ahead)
            x->flight[i].ahead->progress = OPEN;
    x->in_flight = 0;
    memset(x->flight, 0, sizeof x->flight);
}

/* ---- opening ---- */

static unsigned window_of(const struct protocol_hello *h)
{
    return h->in_flight < PROTOCOL_IN_FLIGHT_MAX ? h->in_flight : PROTOCOL_IN_FLIGHT_MAX;
}

static void identify(struct board *b, const struct protocol_hello *h)
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
}

static bool exec_open(struct board *b, const char *argument, struct error *e)
{
    if (!*argument)
        return error_set(e, "board 'exec:' needs a command: exec:COMMAND");
    struct exec_board *x = memory_new(1, sizeof *x);
    if (getrandom(&x->nonce_seed, sizeof x->nonce_seed, 0) != (ssize_t)sizeof x->nonce_seed)
        x->nonce_seed = (uint64_t)clock_ms() << 20 ^ (uint64_t)getpid(); /* new is enough, it is no secret */
    if (!board_link_open(&x->link, b, argument, e)) {
        free(x);
        return false;
    }
    identify(b, &x->link.hello);
    b->state = x;
    return true;
}

static void exec_close(struct board *b)
{
    struct exec_board *x = b->state;
    if (x->in_flight == 0)
        board_link_say_bye(&x->link);
    drop_child(x);
    board_link_close(&x->link);
    free(x);
}

/* ---- running ---- */

/* Sends case `index` of the current run, or with `ahead` of a later one. */
static bool send_case(struct board *b, const struct test_case *tc, unsigned index, struct ahead *ahead,
                      struct error *e)
{
    struct exec_board *x = b->state;
    struct flight *f = x->flight;
    while (f->used)
        f++;
    size_t size = case_encode(tc, x->case_bytes);
    *f = (struct flight){
        .used = true,
        .ahead = ahead,
        .index = index,
        .id = x->next_id++,
        .case_crc = protocol_crc32(0, x->case_bytes, size),
    };
    f->nonce = random_mix64(x->nonce_seed + f->id);
    struct protocol_run r = {
        .id = f->id,
        .nonce = f->nonce,
        .memory_base = b->identity.memory_base,
        .code_base = b->identity.code_base,
        .case_bytes = x->case_bytes,
        .case_size = size,
    };
    snprintf(r.unit, sizeof r.unit, "%s", b->unit->name);
    x->in_flight++;
    return protocol_put_run(&x->link.stream.to_send, &r) || error_memory(e, "while talking to the board");
}

/* Keeps as many cases in flight as the board takes, or one while `careful`. */
static bool send_cases(struct board *b, struct batch *n, struct error *e)
{
    struct exec_board *x = b->state;
    unsigned window = n->careful ? 1 : window_of(&x->link.hello);
    for (unsigned i = n->first_open; i < n->count && x->in_flight < window; i++) {
        if (n->progress[i] == OPEN) {
            n->progress[i] = SENT;
            if (!send_case(b, n->cases[i], i, NULL, e))
                return false;
        }
        if (i == n->first_open && n->progress[i] != OPEN)
            n->first_open++;
    }
    return true;
}

static void settle(struct exec_board *x, struct batch *n, struct flight *f, enum answer a)
{
    f->used = false;
    x->in_flight--;
    if (f->ahead) {
        f->ahead->answer = a;
        f->ahead->progress = ANSWERED;
        return;
    }
    n->answers[f->index] = a;
    n->progress[f->index] = ANSWERED;
    n->answered++;
    if (n->careful)
        n->careful--;
}

/* Notes why a case has no outcome. */
static void explain(struct board *b, const struct flight *f, const char *why)
{
    if (f->ahead)
        text_copy_utf8(f->ahead->reason, sizeof f->ahead->reason, why, strlen(why));
    else
        board_give_reason(b, f->index, "%s", why);
}

static struct flight *flight_of(struct exec_board *x, uint32_t id, struct error *e)
{
    for (unsigned i = 0; i < PROTOCOL_IN_FLIGHT_MAX; i++)
        if (x->flight[i].used && x->flight[i].id == id)
            return &x->flight[i];
    error_set(e, "it answered case number %lu, which is not waiting for an answer", (unsigned long)id);
    return NULL;
}

static const struct test_case *case_of(const struct batch *n, const struct flight *f)
{
    return f->ahead ? f->ahead->tc : n->cases[f->index];
}

static struct outcome *outcome_of(const struct batch *n, const struct flight *f)
{
    return f->ahead ? f->ahead->outcome : n->outcomes[f->index];
}

static bool take_outcome(struct board *b, struct batch *n, const struct protocol_frame *frame,
                         struct error *e)
{
    struct exec_board *x = b->state;
    struct protocol_outcome o;
    struct flight *f;
    if (!protocol_get_outcome(frame, &o, e) || !(f = flight_of(x, o.id, e)))
        return false;
    uint64_t due = protocol_stamp(f->nonce, f->case_crc, o.bytes, o.size);
    if (o.stamp != due) {
        char why[BOARD_REASON_MAX];
        (void)snprintf(why, sizeof why,
                       "its done-stamp is %016llx, not %016llx = nonce %016llx xor (CRC-32 of the case %08lx "
                       "<< 32 | CRC-32 of the outcome %08lx)",
                       (unsigned long long)o.stamp, (unsigned long long)due, (unsigned long long)f->nonce,
                       (unsigned long)f->case_crc, (unsigned long)protocol_crc32(0, o.bytes, o.size));
        explain(b, f, why);
        settle(x, n, f, ANSWER_NOTHING); /* nothing shows that this case ran to its end */
        return true;
    }
    struct outcome *out = outcome_of(n, f);
    if (!outcome_decode(out, case_of(n, f), o.bytes, o.size, e))
        return false;
    x->hangs = x->deaths = 0;
    settle(x, n, f, out->end == END_REFUSED ? ANSWER_REFUSED : ANSWER_OUTCOME);
    return true;
}

static bool take_refusal(struct board *b, struct batch *n, const struct protocol_frame *frame,
                         struct error *e)
{
    struct exec_board *x = b->state;
    struct protocol_refused r;
    struct flight *f;
    if (!protocol_get_refused(frame, &r, e) || !(f = flight_of(x, r.id, e)))
        return false;
    explain(b, f, r.reason);
    outcome_reset(outcome_of(n, f), case_of(n, f));
    outcome_of(n, f)->end = END_REFUSED;
    x->hangs = x->deaths = 0;
    settle(x, n, f, ANSWER_REFUSED);
    return true;
}

static bool take_frame(struct board *b, struct batch *n, const struct protocol_frame *frame, struct error *e)
{
    const struct exec_board *x = b->state;
    char state[sizeof b->identity.state];
    bool good = false;
    switch (frame->type) {
    case PROTOCOL_OUTCOME:
        good = take_outcome(b, n, frame, e);
        break;
    case PROTOCOL_REFUSED:
        good = take_refusal(b, n, frame, e);
        break;
    case PROTOCOL_STATE:
        protocol_get_text(frame, state, sizeof state);
        board_note_state(b, "%s", state);
        return true;
    case PROTOCOL_ERROR:
        board_link_take_error(frame, e);
        return board_link_failed(&x->link, e, NULL);
    default:
        error_set(e, "%s arrived instead of OUTCOME or REFUSED", protocol_type_name(frame->type));
    }
    return good || board_link_failed(&x->link, e, board_link_by_hand(&x->link));
}

/* The child stopped with these cases in flight. One alone is the cause; several are sent again one by one,
 * those ahead later. */
static void suspect(struct board *b, struct batch *n, const char *why)
{
    struct exec_board *x = b->state;
    bool known = x->in_flight == 1;
    for (unsigned i = 0; i < PROTOCOL_IN_FLIGHT_MAX; i++) {
        struct flight *f = &x->flight[i];
        if (!f->used || f->ahead)
            continue;
        if (known) {
            explain(b, f, why);
            settle(x, n, f, ANSWER_NOTHING);
            break;
        }
        n->progress[f->index] = OPEN;
        n->first_open = f->index < n->first_open ? f->index : n->first_open;
        n->careful++;
    }
}

static bool start_again(struct board *b, struct error *e)
{
    struct exec_board *x = b->state;
    const struct protocol_hello before = x->link.hello, *now = &x->link.hello;
    drop_child(x);
    b->restarts++;
    if (!board_link_come_back(&x->link, b, e)) {
        b->stopped |= board_asked_to_stop();
        return false;
    }
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

static bool answer_is_late(struct board *b, struct batch *n, struct error *e)
{
    struct exec_board *x = b->state;
    char why[64];
    (void)snprintf(why, sizeof why, "no answer within %.6g s", (double)x->link.patience / 1000);
    suspect(b, n, why);
    if (++x->hangs < HANGS_MAX)
        return start_again(b, e);
    error_set(e, "%s, %d times in a row", why, HANGS_MAX);
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
        return board_link_failed(&x->link, e, board_link_by_hand(&x->link));
    }
    suspect(b, n, how.text);
    if (++x->deaths < DEATHS_MAX)
        return start_again(b, e);
    error_set(e, "%.200s, %d times in a row", how.text, DEATHS_MAX);
    return board_link_failed(&x->link, e, board_link_by_hand(&x->link));
}

static bool run_batch(struct board *b, struct batch *n, struct error *e)
{
    struct exec_board *x = b->state;
    int64_t due = clock_ms() + x->link.patience; /* of the next answer; other frames do not postpone it */
    while (n->answered < n->count) {
        struct protocol_frame f;
        if (!send_cases(b, n, e))
            return false;
        int64_t left = due - clock_ms();
        enum protocol_event event = board_link_next(&x->link, left > 0 ? left : 0, &f, e);
        if (board_asked_to_stop() && event != PROTOCOL_FAILED) {
            b->stopped = true;
            return board_link_stopped(&x->link, e);
        }
        if (event == PROTOCOL_LATE) {
            if (!answer_is_late(b, n, e))
                return false;
        } else if (event == PROTOCOL_CLOSED) {
            if (!child_died(b, n, e))
                return false;
        } else if (event != PROTOCOL_GOT) {
            return board_link_broken(&x->link, event, "before it answered", e);
        } else if (!take_frame(b, n, &f, e)) {
            return false;
        }
        if (event != PROTOCOL_GOT || f.type != PROTOCOL_STATE)
            due = clock_ms() + x->link.patience;
    }
    return true;
}

/* The batch of these cases that was sent ahead; NULL: none. */
static struct ahead_batch *find_ahead(struct exec_board *x, const struct test_case *const *cases,
                                      unsigned count)
{
    for (unsigned k = 0; k < AHEAD_BATCHES; k++) {
        struct ahead_batch *a = &x->ahead[k];
        unsigned same = 0;
        while (same < a->count && a->count == count && a->at[same].tc == cases[same])
            same++;
        if (count && same == count)
            return a;
    }
    return NULL;
}

/* Moves a batch that was sent ahead into its run: each case is answered, in flight, or to be sent. */
static void take_ahead(struct board *b, struct batch *n)
{
    struct exec_board *x = b->state;
    struct ahead_batch *a = find_ahead(x, n->cases, n->count);
    if (!a)
        return;
    for (unsigned i = 0; i < n->count; i++) {
        struct ahead *c = &a->at[i];
        n->progress[i] = (uint8_t)c->progress;
        n->answers[i] = c->progress == ANSWERED ? c->answer : ANSWER_NOTHING;
        n->answered += c->progress == ANSWERED;
        if (c->reason[0])
            board_give_reason(b, i, "%s", c->reason);
    }
    for (unsigned i = 0; i < PROTOCOL_IN_FLIGHT_MAX; i++) {
        struct flight *f = &x->flight[i];
        if (f->used && f->ahead >= a->at && f->ahead < a->at + a->count) {
            f->index = (unsigned)(f->ahead - a->at);
            f->ahead = NULL;
        }
    }
    a->count = 0;
}

/* Sends all of them, or none if the board's window is too small. */
static bool exec_ahead(struct board *b, const struct test_case *const *cases, unsigned count,
                       struct outcome *const *outcomes, struct error *e)
{
    struct exec_board *x = b->state;
    struct ahead_batch *a = x->ahead;
    struct error ignored = {0};
    while (a < x->ahead + AHEAD_BATCHES && a->count)
        a++;
    if (a == x->ahead + AHEAD_BATCHES || x->link.child.fd < 0 || count > AHEAD_MAX ||
        x->in_flight + count > window_of(&x->link.hello))
        return true;
    a->count = count;
    for (unsigned i = 0; i < count; i++) {
        a->at[i].tc = cases[i];
        a->at[i].outcome = outcomes[i];
        a->at[i].progress = SENT;
        a->at[i].reason[0] = 0;
        if (!send_case(b, cases[i], i, &a->at[i], e))
            return board_link_failed(&x->link, e, board_link_by_hand(&x->link));
    }
    /* Sends what there is room for. If the child is gone, the run notices. */
    (void)protocol_flush(&x->link.stream, clock_ms(), &ignored);
    return true;
}

static bool exec_run(struct board *b, const struct test_case *const *cases, unsigned count,
                     struct outcome *const *outcomes, enum answer *answers, struct error *e)
{
    struct exec_board *x = b->state;
    if (x->link.child.fd < 0) {
        error_set(e, "it failed before");
        return board_link_failed(&x->link, e, "open the board again");
    }
    struct batch n = {
        .cases = cases,
        .outcomes = outcomes,
        .answers = answers,
        .count = count,
        .progress = calloc(count ? count : 1, 1),
    };
    if (!n.progress)
        return error_memory(e, "while talking to the board");
    for (unsigned i = 0; i < count; i++)
        answers[i] = ANSWER_NOTHING;
    take_ahead(b, &n);
    bool ok = run_batch(b, &n, e);
    free(n.progress);
    if (!ok)
        drop_child(x);
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
