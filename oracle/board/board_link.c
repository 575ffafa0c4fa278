/* SPDX-License-Identifier: MIT */
#include "oracle/board/board_link.h"

#include "harness/system/clock.h"
#include "model/core/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum {
    /* Default time for each answer, if the board's answer-seconds are not longer. MISPRINT_BOARD_TIMEOUT
     * overrides it. */
    LIMIT_MS_DEFAULT = 10000,
    BOARD_MS_MAX = 3600 * 1000, /* upper limit of answer-seconds, so that a dead board is noticed */
    GREETING_MS = 10000,        /* least time for HELLO, because ssh has to connect first */
    LIMIT_MS_MAX = 24 * 3600 * 1000,
    LOOK_MS = 50,    /* how often a wait checks the stop flag */
    GRACE_MS = 1000, /* time for the child to end by itself after BYE */
    /* Default time for a board that is away to come back; a Raspberry Pi boots in one minute.
     * MISPRINT_BOARD_RETURN overrides it. */
    RETURN_MS_DEFAULT = 180000,
    PAUSE_MS_FIRST = 1000, /* the first pause between two tries; each next one is twice as long */
    PAUSE_MS_MAX = 15000,
    SSH_FAILED = 255, /* ssh's exit status if ssh itself failed */
};

bool board_link_failed(const struct board_link *l, struct error *e, const char *advice)
{
    struct error why = *e;
    e->of_machine = true;
    if (!advice)
        return error_set(e, "board %.160s: %s", l->name, why.text);
    return error_set(e, "board %.160s: %.240s; %s", l->name, why.text, advice);
}

/* ---- the child ---- */

void board_link_drop(struct board_link *l)
{
    board_child_kill(&l->child);
    protocol_stream_free(&l->stream);
    l->stream = (struct protocol_stream){0};
}

bool board_link_is_shut(const struct board_link *l)
{
    return board_child_kills() != l->kills;
}

const char *board_link_by_hand(const struct board_link *l)
{
    if (l->by_ssh)
        return "start ssh by hand, and the agent on the host (MISPRINT_AGENT), and see what they print";
    return "start the command by hand and see what it prints (harness/PROTOCOL.md specifies the protocol)";
}

void board_link_describe_end(const struct board_link *l, const char *when, struct error *e)
{
    int status = board_child_describe_end(&l->child, clock_ms() + GRACE_MS, when, e);
    if (l->by_ssh && status == SSH_FAILED)
        error_set(e, "ssh ended with exit status %d %s: no connection", SSH_FAILED, when);
}

bool board_link_broken(struct board_link *l, enum protocol_event event, const char *when, struct error *e)
{
    if (event == PROTOCOL_CLOSED)
        board_link_describe_end(l, when, e);
    return board_link_failed(l, e, board_link_by_hand(l));
}

enum protocol_event board_link_next(struct board_link *l, const struct board *b, int64_t due,
                                    struct protocol_frame *f, struct error *e)
{
    for (;;) {
        int64_t look = clock_ms() + LOOK_MS;
        enum protocol_event event = protocol_next(&l->stream, look < due ? look : due, f, e);
        if (event != PROTOCOL_LATE || clock_ms() >= due || board_must_stop(b))
            return event;
    }
}

/* ---- the greeting ---- */

static int64_t at_most(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

enum greeting {
    GREETED,
    AWAY,  /* nothing speaks the protocol now; a later try may succeed */
    WRONG, /* the board cannot be used */
};

/* Stores the advice for the user about a failed greeting. Returns `g`. */
static enum greeting not_greeted(struct board_link *l, enum greeting g, const char *advice)
{
    l->advice = advice;
    return g;
}

static enum greeting check_hello(struct board_link *l, const struct unit *u, struct error *e)
{
    const struct protocol_hello *h = &l->hello;
    if (h->version < PROTOCOL_VERSION || h->version > l->newest) {
        error_set(e, "it speaks version %lu of the board protocol, this host versions %d to %lu",
                  (unsigned long)h->version, PROTOCOL_VERSION, (unsigned long)l->newest);
        return not_greeted(l, WRONG, "use a board and a Misprint of the same protocol version");
    }
    uint64_t form = unit_form(u);
    for (unsigned i = 0; i < h->units; i++) {
        if (strcmp(h->unit[i].name, u->name) != 0)
            continue;
        if (h->unit[i].form == form)
            return GREETED;
        error_set(e, "it has form %016llx of %s cases, this version has %016llx",
                  (unsigned long long)h->unit[i].form, u->name, (unsigned long long)form);
        return not_greeted(l, WRONG, "update the board to this version's harness/PROTOCOL.md");
    }
    struct text names = {0};
    for (unsigned i = 0; i < h->units; i++)
        text_add(&names, "%s%s", i ? ", " : "", h->unit[i].name);
    error_set(e, "it has no unit %s, only %.120s", u->name, text_chars(&names));
    text_free(&names);
    return not_greeted(l, WRONG, "fuzz a unit that it has");
}

static enum greeting no_hello(struct board_link *l, enum protocol_event event, int64_t limit, struct error *e)
{
    if (event == PROTOCOL_LATE) {
        error_set(e, "the command sent no HELLO within %.0f s", (double)limit / 1000);
        return not_greeted(l, AWAY,
                           "is it a board? A longer MISPRINT_BOARD_TIMEOUT=SECONDS gives it more time");
    }
    if (event == PROTOCOL_CLOSED)
        board_link_describe_end(l, "before it sent HELLO", e);
    return not_greeted(l, AWAY, board_link_by_hand(l));
}

void board_link_take_error(const struct protocol_frame *f, struct error *e)
{
    char text[ERROR_TEXT_MAX];
    protocol_get_text(f, text, sizeof text);
    error_set(e, "it says: %s", text);
}

/* Prints a profile as overrides: "manual,vpm-addr-h8=row-div-4". */
static void print_profile(const struct unit *u, const struct profile *p, char *to, size_t room)
{
    struct text t = {0};
    text_add(&t, "manual");
    for (unsigned i = 0; i < unit_clauses(u); i++)
        if (p->reading[i])
            text_add(&t, ",%s=%s", unit_clause(u, i)->id, unit_clause(u, i)->readings[p->reading[i]].id);
    text_copy_utf8(to, room, text_chars(&t), t.length);
    text_free(&t);
}

static enum greeting greet(struct board_link *l, const struct board *b, int64_t most, struct error *e)
{
    const struct unit *u = b->unit;
    struct protocol_hello host = {
        .version = PROTOCOL_VERSION,
        .software = "misprint " MISPRINT_VERSION,
        .units = 1,
        .newest = l->newest,
        .takes_state = true,
    };
    snprintf(host.unit[0].name, sizeof host.unit[0].name, "%s", u->name);
    host.unit[0].form = unit_form(u);
    if (b->has_campaign)
        print_profile(u, &b->campaign, host.profile, sizeof host.profile);
    if (!protocol_put_hello(&l->stream.to_send, &host, false)) {
        error_memory(e, "while talking to the board");
        return not_greeted(l, WRONG, NULL);
    }
    struct protocol_frame f;
    int64_t limit = at_most(l->limit > GREETING_MS ? l->limit : GREETING_MS, most);
    enum protocol_event event = board_link_next(l, b, clock_ms() + limit, &f, e);
    if (event != PROTOCOL_GOT)
        return no_hello(l, event, limit, e);
    if (f.type == PROTOCOL_ERROR) { /* AWAY: a booting machine may lack its device */
        board_link_take_error(&f, e);
        return not_greeted(l, AWAY, NULL);
    }
    if (!protocol_get_hello(&f, &l->hello, e))
        return not_greeted(l, WRONG, board_link_by_hand(l));
    return check_hello(l, u, e);
}

/* The time for each answer: the user's setting, or else the longer of the default and answer-seconds. */
static int64_t patience_of(const struct board_link *l)
{
    int64_t said = (int64_t)l->hello.answer_seconds * 1000;
    if (said > BOARD_MS_MAX)
        said = BOARD_MS_MAX;
    return l->limit_is_set || said < l->limit ? l->limit : said;
}

/* Starts the child and exchanges HELLO within `most` milliseconds. On failure no child is left, and the error
 * has the reason without advice. */
static enum greeting start(struct board_link *l, const struct board *b, int64_t most, struct error *e)
{
    if (!board_child_start(&l->child, l->command, e))
        return not_greeted(l, AWAY, "try again when the machine has room");
    l->stream = (struct protocol_stream){.in = l->child.fd, .out = l->child.fd};
    enum greeting g = greet(l, b, most, e);
    if (g == GREETED)
        l->patience = patience_of(l);
    else
        board_link_drop(l);
    return g;
}

/* ---- a board that went away ---- */

/* Pauses between two tries. False: the run must stop, or the process is ending. */
static bool wait_a_while(const struct board_link *l, const struct board *b, int64_t ms)
{
    for (int64_t now = clock_ms(), end = now + ms; now < end; now = clock_ms()) {
        if (board_must_stop(b) || board_link_is_shut(l))
            return false;
        int64_t nap = at_most(end - now, LOOK_MS);
        nanosleep(&(struct timespec){.tv_nsec = (long)nap * 1000000}, NULL);
    }
    return true;
}

static bool did_not_come_back(const struct board_link *l, unsigned tries, struct error *e)
{
    char advice[128];
    if (tries == 1 && !l->comes_back)
        return board_link_failed(l, e, l->advice);
    (void)snprintf(
        advice, sizeof advice,
        "it did not come back within %.6g s (tried %u times; MISPRINT_BOARD_RETURN=SECONDS waits longer)",
        (double)l->comes_back / 1000, tries);
    return board_link_failed(l, e, advice);
}

/* Returns the milliseconds that one try may take: from the second try on, at most `left`, after which the
 * link gives up, but never less than GREETING_MS, so that the board can greet. */
static int64_t time_for_try(int64_t left, unsigned tries)
{
    return tries > 1 && left > GREETING_MS ? left : tries > 1 ? GREETING_MS : LIMIT_MS_MAX;
}

bool board_link_reconnect(struct board_link *l, struct board *b, struct error *e)
{
    int64_t lost = clock_ms(), pause = at_most(l->comes_back / 180 + 1, PAUSE_MS_FIRST),
            longest = at_most(l->comes_back / 12 + 1, PAUSE_MS_MAX);
    for (unsigned tries = 1;; tries++) {
        struct error why = {0};
        enum greeting g = start(l, b, time_for_try(lost + l->comes_back - clock_ms(), tries), &why);
        if (g == GREETED) {
            if (tries > 1)
                board_notify(
                    b,
                    "board %.160s: it is back after %.1f s; its unanswered cases are sent again, one at "
                    "a time",
                    l->name, (double)(clock_ms() - lost) / 1000);
            return true;
        }
        if (board_must_stop(b))
            return board_stop(b, lost, e);
        int64_t left = lost + l->comes_back - clock_ms();
        if (g == WRONG || left <= 0) {
            *e = why;
            return g == WRONG ? board_link_failed(l, e, l->advice) : did_not_come_back(l, tries, e);
        }
        pause = at_most(pause, left);
        board_notify(b, "board %.160s: %.200s; next try in %.1f s, given up in %.1f s", l->name, why.text,
                     (double)pause / 1000, (double)left / 1000);
        if (!wait_a_while(l, b, pause))
            return board_stop(b, lost, e);
        pause = at_most(2 * pause, longest);
    }
}

/* ---- opening ---- */

/* Reads a setting in seconds from the environment; without it, `ms` keeps its value. */
static bool read_seconds(const char *name, double least, int64_t *ms, struct error *e)
{
    const char *seconds = getenv(name);
    if (!seconds)
        return true;
    char *end;
    double s = strtod(seconds, &end);
    if (end == seconds || *end || !(s >= least) || !(s * 1000 <= LIMIT_MS_MAX))
        return error_set(e, "%s is '%.40s'; it must be a number of seconds between %g and 86400", name,
                         seconds, least);
    *ms = (int64_t)(s * 1000);
    return true;
}

bool board_link_limit(int64_t *ms, bool *is_set, struct error *e)
{
    static const char timeout[] = "MISPRINT_BOARD_TIMEOUT";
    *ms = LIMIT_MS_DEFAULT;
    *is_set = getenv(timeout);
    return read_seconds(timeout, 0.001, ms, e);
}

static bool read_settings(struct board_link *l, struct error *e)
{
    const char *version = getenv("MISPRINT_BOARD_PROTOCOL");
    l->newest = version && !strcmp(version, "1") ? PROTOCOL_VERSION : PROTOCOL_NEWEST;
    if (version && *version && strcmp(version, "1") != 0 && strcmp(version, "2") != 0)
        return error_set(e, "MISPRINT_BOARD_PROTOCOL is '%.40s'; it must be 1 or 2", version);
    l->comes_back = RETURN_MS_DEFAULT;
    return board_link_limit(&l->limit, &l->limit_is_set, e) &&
           read_seconds("MISPRINT_BOARD_RETURN", 0, &l->comes_back, e);
}

bool board_link_open(struct board_link *l, struct board *b, const char *command, struct error *e)
{
    *l = (struct board_link){
        .name = b->identity.spec,
        .by_ssh = !strcmp(b->kind->name, "ssh"),
        .kills = board_child_kills(),
        .child.fd = -1,
    };
    l->command = memory_string(command);
    if (read_settings(l, e) &&
        (start(l, b, LIMIT_MS_MAX, e) == GREETED ||
         (board_must_stop(b) ? board_stop(b, clock_ms(), e) : board_link_failed(l, e, l->advice))))
        return true;
    free(l->command);
    return false;
}

void board_link_say_bye(struct board_link *l)
{
    struct error ignored;
    int64_t deadline = clock_ms() + GRACE_MS;
    if (l->child.pid <= 0 || l->child.fd < 0)
        return;
    if (protocol_put_bye(&l->stream.to_send) &&
        protocol_flush(&l->stream, deadline, &ignored) == PROTOCOL_GOT) {
        shutdown(l->child.fd, SHUT_WR);
        board_child_await_end(&l->child, deadline);
    }
}

void board_link_close(struct board_link *l)
{
    board_link_drop(l);
    free(l->command);
}
