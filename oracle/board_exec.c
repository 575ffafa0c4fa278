/* SPDX-License-Identifier: MIT */
/*
 * `exec:COMMAND`: a child process (oracle/board_child.h) that speaks
 * harness/PROTOCOL.md on standard input and output.
 *
 * A case that gets no answer in time costs the child its life, and another may
 * end the child itself: it is started again, and the cases that were in flight
 * are sent again one at a time, so that the one which stops it is known.
 * Anything that is not the protocol fails the board. A child that once answered
 * and then does not come up (its machine reboots, the link is down) is tried
 * again for some minutes.
 *
 * Cases of the next two runs can be sent ahead of them, so that a board behind
 * a slow link has the next batch there when it has answered one. What a child
 * that ended had of them is sent again by their runs.
 */
#include "harness/clock.h"
#include "harness/protocol.h"
#include "oracle/board_child.h"
#include "oracle/board_kind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    LIMIT_MS_DEFAULT = 10000,  /* from one answer to the next, if the board does not say more; MISPRINT_BOARD_TIMEOUT (seconds) changes it */
    SAID_MS_MAX = 3600 * 1000, /* of what a board says it may take: it is a stranger, and what is dead must be noticed */
    GREETING_MS = 10000,       /* for HELLO, which may have to wait for an ssh connection; more if the limit is more */
    LIMIT_MS_MAX = 24 * 3600 * 1000,
    LOOK_MS = 50,               /* how often a board that is waited for lets the user stop it */
    HANGS_MAX = 4,              /* without an answer in between; then the board is given up */
    DEATHS_MAX = 16,            /* the same: they cost no waiting, and the reduction of a case tries many like it */
    GRACE_MS = 1000,            /* for a child to end by itself after BYE */
    RETURN_MS_DEFAULT = 180000, /* for a board that went away to come back (a Raspberry Pi boots in one minute); MISPRINT_BOARD_RETURN changes it */
    PAUSE_MS_FIRST = 1000,      /* between two tries; each is twice the one before. All are shorter where the time in all is */
    PAUSE_MS_MAX = 15000,
    SSH_FAILED = 255, /* ssh's exit status where ssh itself failed */
    AHEAD_MAX = PROTOCOL_IN_FLIGHT_MAX / 2,
    AHEAD_BATCHES = 2, /* the one that the next run asks for, and the one after it */
};

enum progress { OPEN, SENT, ANSWERED };

/* A case that was sent before the run that asks for it. */
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
    struct ahead *ahead; /* NULL: of the batch that is run now */
    unsigned index;      /* of the case in the batch */
    uint32_t id, case_crc;
    uint64_t nonce;
};

struct exec_board {
    const char *command;
    const char *name; /* the board's, as the user wrote it */
    bool by_ssh;
    struct board_child child;
    int64_t limit;      /* for a greeting */
    bool limit_is_said; /* by the user, who knows better than the board */
    int64_t patience;   /* from one answer to the next */
    int64_t comes_back; /* how long it has to, when it went away */
    const char *advice; /* what to do about the greeting that failed; NULL: the board has said it */
    struct protocol_stream stream;
    struct protocol_hello hello; /* the child's */
    uint32_t next_id;
    uint64_t nonce_seed;
    unsigned hangs, deaths; /* since the last answer */
    unsigned kills;         /* of board_kill_all, when it was opened */
    struct flight flight[PROTOCOL_IN_FLIGHT_MAX];
    unsigned in_flight;
    struct ahead_batch ahead[AHEAD_BATCHES];
    uint8_t case_bytes[CASE_BYTES_MAX];
};

/* What one call of run works on. */
struct batch {
    const struct test_case *const *cases;
    struct outcome *const *outcomes;
    enum answer *answers;
    uint8_t *progress; /* enum progress of each case */
    unsigned count, answered;
    unsigned first_open; /* no case before it is open */
    unsigned careful;    /* cases still to be sent one at a time */
};

/* `advice` NULL: the board said itself what to do. */
static bool failed(const struct exec_board *x, struct error *e, const char *advice)
{
    struct error why = *e;
    e->of_machine = true;
    if (!advice)
        return error_set(e, "board %.160s: %s", x->name, why.text);
    return error_set(e, "board %.160s: %.240s; %s", x->name, why.text, advice);
}

/* ---- the child ---- */

/* Ends the child; what is in flight gets no answer. */
static void drop_child(struct exec_board *x)
{
    board_child_kill(&x->child);
    protocol_stream_free(&x->stream);
    x->stream = (struct protocol_stream){0};
    for (unsigned i = 0; i < PROTOCOL_IN_FLIGHT_MAX; i++)
        if (x->flight[i].used && x->flight[i].ahead)
            x->flight[i].ahead->progress = OPEN;
    x->in_flight = 0;
    memset(x->flight, 0, sizeof x->flight);
}

static const char *by_hand(const struct exec_board *x)
{
    if (x->by_ssh)
        return "start by hand your ssh to it, and there the agent (MISPRINT_AGENT), and see what they print";
    return "start the command by hand and see what it prints (harness/PROTOCOL.md says what it must speak)";
}

/* Says how the child ended, which is more than that the stream closed. */
static void tell_end(const struct exec_board *x, const char *when, struct error *e)
{
    int status = board_child_tell_end(&x->child, clock_ms() + GRACE_MS, when, e);
    if (x->by_ssh && status == SSH_FAILED)
        error_set(e, "ssh ended with exit status %d %s: no connection", SSH_FAILED, when);
}

/* An event that is neither a frame nor lateness, as a failure of the board. */
static bool stream_failed(struct exec_board *x, enum protocol_event event, const char *when, struct error *e)
{
    if (event == PROTOCOL_CLOSED)
        tell_end(x, when, e);
    return failed(x, e, by_hand(x));
}

/* The next frame, PROTOCOL_LATE after `limit`, or earlier if the process was asked to stop. */
static enum protocol_event next_frame(struct exec_board *x, int64_t limit, struct protocol_frame *f, struct error *e)
{
    for (int64_t deadline = clock_ms() + limit;;) {
        int64_t look = clock_ms() + LOOK_MS;
        enum protocol_event event = protocol_next(&x->stream, look < deadline ? look : deadline, f, e);
        if (event != PROTOCOL_LATE || clock_ms() >= deadline || board_asked_to_stop())
            return event;
    }
}

static const char stopped_text[] = "stopped while it was waited for", stopped_advice[] = "run the same command again to go on";

static bool stopped(struct exec_board *x, struct error *e)
{
    error_set(e, "%s", stopped_text);
    return failed(x, e, stopped_advice);
}

/* ---- the greeting ---- */

enum greeting {
    GREETED,
    AWAY,  /* nothing that speaks the protocol: it may come */
    WRONG, /* what is there will not do, or the user asked to stop */
};

/* Keeps what to do about it; why stands in the error. */
static enum greeting not_greeted(struct exec_board *x, enum greeting g, const char *advice)
{
    x->advice = advice;
    return g;
}

static enum greeting check_hello(struct exec_board *x, const struct unit *u, struct error *e)
{
    const struct protocol_hello *h = &x->hello;
    if (h->version != PROTOCOL_VERSION) {
        error_set(e, "it speaks version %lu of the board protocol, this is version %d", (unsigned long)h->version, PROTOCOL_VERSION);
        return not_greeted(x, WRONG, "use a board and a Misprint of the same protocol version");
    }
    uint64_t form = unit_form(u);
    for (unsigned i = 0; i < h->units; i++) {
        if (strcmp(h->unit[i].name, u->name) != 0)
            continue;
        if (h->unit[i].form == form)
            return GREETED;
        error_set(e, "it knows %s cases of form %016llx, this version's have %016llx", u->name, (unsigned long long)h->unit[i].form,
                  (unsigned long long)form);
        return not_greeted(x, WRONG, "bring the board up to date with harness/PROTOCOL.md");
    }
    struct text names = {0};
    for (unsigned i = 0; i < h->units; i++)
        text_add(&names, "%s%s", i ? ", " : "", h->unit[i].name);
    error_set(e, "it has no unit %s, only %.120s", u->name, text_chars(&names));
    text_free(&names);
    return not_greeted(x, WRONG, "fuzz a unit that it has");
}

/* The first frame is no HELLO. */
static enum greeting no_hello(struct exec_board *x, enum protocol_event event, int64_t limit, struct error *e)
{
    if (event == PROTOCOL_LATE) {
        error_set(e, "the command sent no HELLO within %.0f s", (double)limit / 1000);
        return not_greeted(x, AWAY, "is it a board? MISPRINT_BOARD_TIMEOUT=SECONDS, more than these, gives it more time");
    }
    if (event == PROTOCOL_CLOSED)
        tell_end(x, "before it sent HELLO", e);
    return not_greeted(x, AWAY, by_hand(x));
}

static void take_error(const struct protocol_frame *f, struct error *e)
{
    char text[ERROR_TEXT_MAX];
    protocol_get_text(f, text, sizeof text);
    error_set(e, "it says: %s", text);
}

static enum greeting greet(struct exec_board *x, const struct unit *u, struct error *e)
{
    struct protocol_hello host = {.version = PROTOCOL_VERSION, .software = "misprint " MISPRINT_VERSION, .units = 1, .takes_state = true};
    snprintf(host.unit[0].name, sizeof host.unit[0].name, "%s", u->name);
    host.unit[0].form = unit_form(u);
    if (!protocol_put_hello(&x->stream.to_send, &host, false)) {
        error_memory(e, "while talking to the board");
        return not_greeted(x, WRONG, NULL);
    }
    struct protocol_frame f;
    int64_t limit = x->limit > GREETING_MS ? x->limit : GREETING_MS;
    enum protocol_event event = next_frame(x, limit, &f, e);
    if (event == PROTOCOL_LATE && board_asked_to_stop()) {
        error_set(e, "%s", stopped_text);
        return not_greeted(x, WRONG, stopped_advice);
    }
    if (event != PROTOCOL_GOT)
        return no_hello(x, event, limit, e);
    if (f.type == PROTOCOL_ERROR) { /* a machine that boots may not have its device yet */
        take_error(&f, e);
        return not_greeted(x, AWAY, NULL);
    }
    if (!protocol_get_hello(&f, &x->hello, e))
        return not_greeted(x, WRONG, by_hand(x));
    return check_hello(x, u, e);
}

/* How long an answer is waited for. What a board says shorter than usual is not held against it. */
static int64_t patience_of(const struct exec_board *x)
{
    int64_t said = (int64_t)x->hello.answer_seconds * 1000;
    if (said > SAID_MS_MAX)
        said = SAID_MS_MAX;
    return x->limit_is_said || said < x->limit ? x->limit : said;
}

/* One try; if it is not greeted, nothing is left of it, and the error says no more than why. */
static enum greeting start(struct exec_board *x, const struct unit *u, struct error *e)
{
    if (!board_child_start(&x->child, x->command, e))
        return not_greeted(x, AWAY, "try again when the machine has room");
    x->stream = (struct protocol_stream){.in = x->child.fd, .out = x->child.fd};
    enum greeting g = greet(x, u, e);
    if (g == GREETED)
        x->patience = patience_of(x);
    else
        drop_child(x);
    return g;
}

/* ---- a board that went away ---- */

static int64_t at_most(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The process was asked to stop, or is about to end, or has no time left. */
static bool wait_is_over(const struct board *b, int64_t now)
{
    const struct exec_board *x = b->state;
    return board_asked_to_stop() || board_child_kills() != x->kills || (b->until && now >= b->until);
}

static bool wait_a_while(const struct board *b, int64_t ms)
{
    for (int64_t now = clock_ms(), end = now + ms; now < end; now = clock_ms()) {
        if (wait_is_over(b, now))
            return false;
        int64_t nap = at_most(end - now, LOOK_MS);
        nanosleep(&(struct timespec){.tv_nsec = (long)nap * 1000000}, NULL);
    }
    return true;
}

static bool did_not_come_back(const struct exec_board *x, unsigned tries, struct error *e)
{
    char advice[128];
    if (tries == 1 && !x->comes_back)
        return failed(x, e, x->advice);
    (void)snprintf(advice, sizeof advice, "it did not come back within %.6g s (%u tries; MISPRINT_BOARD_RETURN=SECONDS waits longer)",
                   (double)x->comes_back / 1000, tries);
    return failed(x, e, advice);
}

/* Starts a board that answered before and is lost; again and again, if it is away. */
static bool come_back(struct board *b, struct error *e)
{
    struct exec_board *x = b->state;
    int64_t lost = clock_ms(), pause = at_most(x->comes_back / 180 + 1, PAUSE_MS_FIRST), longest = at_most(x->comes_back / 12 + 1, PAUSE_MS_MAX);
    for (unsigned tries = 1;; tries++) {
        enum greeting g = start(x, b->unit, e);
        if (g == GREETED) {
            if (tries > 1)
                board_tell(b, "board %.160s: it is back after %.1f s; the cases that were under way go to it again, one at a time", x->name,
                           (double)(clock_ms() - lost) / 1000);
            return true;
        }
        int64_t left = lost + x->comes_back - clock_ms();
        if (g == WRONG)
            return failed(x, e, x->advice);
        if (left <= 0)
            return did_not_come_back(x, tries, e);
        pause = at_most(pause, left);
        board_tell(b, "board %.160s: %.200s; next try in %.1f s, given up in %.1f s", x->name, e->text, (double)pause / 1000, (double)left / 1000);
        if (!wait_a_while(b, pause)) {
            b->stopped = true;
            return stopped(x, e);
        }
        pause = at_most(2 * pause, longest);
    }
}

/* ---- opening ---- */

/* A setting in seconds; `ms` stays where there is none. */
static bool read_seconds(const char *name, double least, int64_t *ms, struct error *e)
{
    const char *seconds = getenv(name);
    if (!seconds)
        return true;
    char *end;
    double s = strtod(seconds, &end);
    if (end == seconds || *end || !(s >= least) || !(s * 1000 <= LIMIT_MS_MAX))
        return error_set(e, "%s is '%.40s'; it must be a number of seconds between %g and 86400", name, seconds, least);
    *ms = (int64_t)(s * 1000);
    return true;
}

static bool read_settings(struct exec_board *x, struct error *e)
{
    static const char timeout[] = "MISPRINT_BOARD_TIMEOUT";
    x->limit = LIMIT_MS_DEFAULT;
    x->limit_is_said = getenv(timeout);
    x->comes_back = RETURN_MS_DEFAULT;
    return read_seconds(timeout, 0.001, &x->limit, e) && read_seconds("MISPRINT_BOARD_RETURN", 0, &x->comes_back, e);
}

/* Cases that may be in flight. */
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
    if (h->state[0])
        board_note_state(b, "%s", h->state);
}

static bool exec_open(struct board *b, const char *argument, struct error *e)
{
    if (!*argument)
        return error_set(e, "board 'exec:' needs a command: exec:COMMAND");
    struct exec_board *x = calloc(1, sizeof *x);
    if (!x)
        return error_memory(e, "while talking to the board");
    x->child.fd = -1;
    x->kills = board_child_kills();
    char *command = strdup(argument);
    x->command = command;
    if (getrandom(&x->nonce_seed, sizeof x->nonce_seed, 0) != (ssize_t)sizeof x->nonce_seed)
        x->nonce_seed = (uint64_t)clock_ms() << 20 ^ (uint64_t)getpid(); /* a nonce needs to be new, not secret */
    x->name = b->identity.spec;
    x->by_ssh = !strcmp(b->kind->name, "ssh");
    bool good = command ? read_settings(x, e) : error_memory(e, "while talking to the board");
    if (!good || (start(x, b->unit, e) != GREETED && !failed(x, e, x->advice))) {
        free(command);
        free(x);
        return false;
    }
    identify(b, &x->hello);
    b->state = x;
    return true;
}

static void exec_close(struct board *b)
{
    struct exec_board *x = b->state;
    struct error ignored;
    if (x->child.pid > 0 && x->child.fd >= 0) {
        int64_t deadline = clock_ms() + GRACE_MS;
        if (x->in_flight == 0 && protocol_put_bye(&x->stream.to_send) && protocol_flush(&x->stream, deadline, &ignored) == PROTOCOL_GOT) {
            shutdown(x->child.fd, SHUT_WR);
            board_child_await_end(&x->child, deadline);
        }
    }
    drop_child(x);
    free((char *)(uintptr_t)x->command);
    free(x);
}

/* ---- running ---- */

/* Sends one: case `index` of the batch that is run, or one of a later run. */
static bool send_case(struct board *b, const struct test_case *tc, unsigned index, struct ahead *ahead, struct error *e)
{
    struct exec_board *x = b->state;
    struct flight *f = x->flight;
    while (f->used)
        f++;
    size_t size = case_encode(tc, x->case_bytes);
    *f = (struct flight){.used = true, .ahead = ahead, .index = index, .id = x->next_id++, .case_crc = protocol_crc32(0, x->case_bytes, size)};
    f->nonce = random_mix64(x->nonce_seed + f->id);
    struct protocol_run r = {.id = f->id,
                             .nonce = f->nonce,
                             .memory_base = b->identity.memory_base,
                             .code_base = b->identity.code_base,
                             .case_bytes = x->case_bytes,
                             .case_size = size};
    snprintf(r.unit, sizeof r.unit, "%s", b->unit->name);
    x->in_flight++;
    return protocol_put_run(&x->stream.to_send, &r) || error_memory(e, "while talking to the board");
}

/* Keeps as many cases in flight as the board takes; one while being careful. */
static bool send_cases(struct board *b, struct batch *n, struct error *e)
{
    struct exec_board *x = b->state;
    unsigned window = n->careful ? 1 : window_of(&x->hello);
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

/* Why a case has no outcome. */
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

static bool take_outcome(struct board *b, struct batch *n, const struct protocol_frame *frame, struct error *e)
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
                       "its done-stamp is %016llx, not %016llx = nonce %016llx xor (CRC-32 of the case %08lx << 32 | CRC-32 of the outcome %08lx)",
                       (unsigned long long)o.stamp, (unsigned long long)due, (unsigned long long)f->nonce, (unsigned long)f->case_crc,
                       (unsigned long)protocol_crc32(0, o.bytes, o.size));
        explain(b, f, why);
        settle(x, n, f, ANSWER_NOTHING); /* not believed: nothing shows that this case ran to its end there */
        return true;
    }
    struct outcome *out = f->ahead ? f->ahead->outcome : n->outcomes[f->index];
    if (!outcome_decode(out, f->ahead ? f->ahead->tc : n->cases[f->index], o.bytes, o.size, e))
        return false;
    x->hangs = x->deaths = 0;
    settle(x, n, f, out->end == END_REFUSED ? ANSWER_REFUSED : ANSWER_OUTCOME);
    return true;
}

static bool take_refusal(struct board *b, struct batch *n, const struct protocol_frame *frame, struct error *e)
{
    struct exec_board *x = b->state;
    struct protocol_refused r;
    struct flight *f;
    if (!protocol_get_refused(frame, &r, e) || !(f = flight_of(x, r.id, e)))
        return false;
    explain(b, f, r.reason);
    struct outcome *out = f->ahead ? f->ahead->outcome : n->outcomes[f->index];
    outcome_reset(out, f->ahead ? f->ahead->tc : n->cases[f->index]);
    out->end = END_REFUSED;
    x->hangs = x->deaths = 0;
    settle(x, n, f, ANSWER_REFUSED);
    return true;
}

static bool take_frame(struct board *b, struct batch *n, const struct protocol_frame *frame, struct error *e)
{
    const struct exec_board *x = b->state;
    if (frame->type == PROTOCOL_OUTCOME)
        return take_outcome(b, n, frame, e) || failed(x, e, by_hand(x));
    if (frame->type == PROTOCOL_REFUSED)
        return take_refusal(b, n, frame, e) || failed(x, e, by_hand(x));
    if (frame->type == PROTOCOL_STATE) {
        char state[sizeof b->identity.state];
        protocol_get_text(frame, state, sizeof state);
        board_note_state(b, "%s", state);
        return true;
    }
    if (frame->type == PROTOCOL_ERROR) {
        take_error(frame, e);
        return failed(x, e, NULL);
    }
    error_set(e, "%s arrived where OUTCOME or REFUSED was due", protocol_type_name(frame->type));
    return failed(x, e, by_hand(x));
}

/* The child stopped over the cases in flight. Of one alone it is known that it did it; several are sent again one by one, those ahead later. */
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
    uint32_t memory_base = x->hello.memory_base, code_base = x->hello.code_base;
    drop_child(x);
    b->restarts++;
    if (!come_back(b, e)) {
        b->stopped |= board_asked_to_stop();
        return false;
    }
    if (x->hello.state[0])
        board_note_state(b, "%s", x->hello.state);
    if (x->hello.memory_base == memory_base && x->hello.code_base == code_base)
        return true;
    error_set(e, "started again, it runs cases at other addresses than before");
    return failed(x, e, "a board must keep its memory-base and code-base");
}

static bool answer_is_late(struct board *b, struct batch *n, struct error *e)
{
    struct exec_board *x = b->state;
    char why[64];
    (void)snprintf(why, sizeof why, "no answer within %.6g s", (double)x->patience / 1000);
    suspect(b, n, why);
    if (++x->hangs < HANGS_MAX)
        return start_again(b, e);
    error_set(e, "%s, %d times in a row", why, HANGS_MAX);
    return failed(x, e, "look after the board; MISPRINT_BOARD_TIMEOUT=SECONDS gives it more time");
}

static bool child_died(struct board *b, struct batch *n, struct error *e)
{
    struct exec_board *x = b->state;
    struct error how = {0};
    tell_end(x, "before it answered", &how);
    if (board_child_kills() != x->kills) {
        *e = how;
        return failed(x, e, by_hand(x));
    }
    suspect(b, n, how.text);
    if (++x->deaths < DEATHS_MAX)
        return start_again(b, e);
    error_set(e, "%.200s, %d times in a row", how.text, DEATHS_MAX);
    return failed(x, e, by_hand(x));
}

static bool run_batch(struct board *b, struct batch *n, struct error *e)
{
    struct exec_board *x = b->state;
    int64_t due = clock_ms() + x->patience; /* the next answer: frames that are none do not put it off */
    while (n->answered < n->count) {
        struct protocol_frame f;
        if (!send_cases(b, n, e))
            return false;
        int64_t left = due - clock_ms();
        enum protocol_event event = next_frame(x, left > 0 ? left : 0, &f, e);
        if (board_asked_to_stop() && event != PROTOCOL_FAILED) {
            b->stopped = true; /* what is in flight is given up */
            return stopped(x, e);
        }
        if (event == PROTOCOL_LATE) {
            if (!answer_is_late(b, n, e))
                return false;
        } else if (event == PROTOCOL_CLOSED) {
            if (!child_died(b, n, e))
                return false;
        } else if (event != PROTOCOL_GOT) {
            return stream_failed(x, event, "before it answered", e);
        } else if (!take_frame(b, n, &f, e)) {
            return false;
        }
        if (event != PROTOCOL_GOT || f.type != PROTOCOL_STATE)
            due = clock_ms() + x->patience;
    }
    return true;
}

/* The batch that was sent ahead and is these cases; NULL: none is. */
static struct ahead_batch *find_ahead(struct exec_board *x, const struct test_case *const *cases, unsigned count)
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

/* What was sent ahead becomes a part of this run: answered, under way, or still to be sent. */
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

/* All of them or none: a board whose window is small gets its cases by the run that asks for them. */
static bool exec_ahead(struct board *b, const struct test_case *const *cases, unsigned count, struct outcome *const *outcomes, struct error *e)
{
    struct exec_board *x = b->state;
    struct ahead_batch *a = x->ahead;
    struct error ignored = {0};
    while (a < x->ahead + AHEAD_BATCHES && a->count)
        a++;
    if (a == x->ahead + AHEAD_BATCHES || x->child.fd < 0 || count > AHEAD_MAX || x->in_flight + count > window_of(&x->hello))
        return true;
    a->count = count;
    for (unsigned i = 0; i < count; i++) {
        a->at[i].tc = cases[i];
        a->at[i].outcome = outcomes[i];
        a->at[i].progress = SENT;
        a->at[i].reason[0] = 0;
        if (!send_case(b, cases[i], i, &a->at[i], e))
            return failed(x, e, by_hand(x));
    }
    (void)protocol_flush(&x->stream, clock_ms(), &ignored); /* what there is room for; if the child is gone, the run will tell */
    return true;
}

static bool exec_run(struct board *b, const struct test_case *const *cases, unsigned count, struct outcome *const *outcomes, enum answer *answers,
                     struct error *e)
{
    struct exec_board *x = b->state;
    if (x->child.fd < 0) {
        error_set(e, "it has failed before");
        return failed(x, e, "open the board again");
    }
    struct batch n = {.cases = cases, .outcomes = outcomes, .answers = answers, .count = count, .progress = calloc(count ? count : 1, 1)};
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
