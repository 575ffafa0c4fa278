/* SPDX-License-Identifier: MIT */
/*
 * A board that speaks version 1 or 2, and breaks the protocol in the ways that the input's bytes choose. The
 * host gives each case one answer, or ends with an error. It never crashes, and never waits for long.
 *
 * The board is a thread at the other end of the socket, in place of a child process (the linker's --wrap): it
 * must know the nonces to send right done-stamps. When the bytes end, it answers rightly.
 */
#include "fuzz/targets/target.h"

#include "harness/protocol/protocol.h"
#include "model/number/bytes.h"
#include "oracle/board/board.h"
#include "oracle/board/board_child.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CASES = 6, THREADS_MAX = 256 };

enum act {
    GOOD,
    ANY_OUTCOME, /* the input's bytes, with the right stamp */
    WRONG_STAMP,
    REFUSE,
    TWICE,
    OTHER_CASE,
    STATE,
    FAIL,
    GARBAGE,
    OTHER_VERSION,
    LONG_ITEM,
    EMPTY_FRAME,
    END,
    WRONG_CHECKSUM,
    LONG_FRAME,
    LATER, /* answers after the next case */
    ACTS
};

/* What the board does; all connections share it. */
static struct {
    const struct unit *unit;
    const uint8_t *bytes;
    size_t count;
    uint32_t version, in_flight;
} script;

static pthread_t thread[THREADS_MAX];
static unsigned threads;

struct peer {
    int fd;
    struct protocol_stream stream;
    struct protocol_bytes held;
};

static void append(struct protocol_bytes *to, const void *bytes, size_t count)
{
    if (!protocol_bytes_reserve(to, count + 1))
        abort();
    if (count)
        memcpy(to->at + to->end, bytes, count);
    to->end += count;
}

static void put_outcome(struct protocol_bytes *to, uint32_t version, const struct protocol_item *item)
{
    if (version == PROTOCOL_VERSION) {
        (void)protocol_put_outcome(to, &(struct protocol_outcome){item->id, item->check, item->bytes,
                                                                  item->size});
        return;
    }
    struct protocol_pack pack = {.to = to, .type = PROTOCOL_OUTCOMES};
    uint8_t *at = protocol_pack_room(&pack, item->size);
    if (!at)
        abort();
    if (item->size)
        memcpy(at, item->bytes, item->size);
    protocol_pack_add(&pack, item);
    protocol_pack_close(&pack);
}

/* Appends a frame whose bytes are wrong in one place, counted from the end or, if negative, from the start.
 */
static void put_damaged(struct protocol_bytes *to, const struct protocol_item *item, long place)
{
    struct protocol_bytes b = {0};
    put_outcome(&b, script.version, item);
    b.at[place < 0 ? (size_t)-place : b.end - 1 - (size_t)place] ^= 0x08;
    append(to, b.at, b.end);
    protocol_bytes_free(&b);
}

/* Appends the answer to a case. False: the board ends. */
static bool act(struct peer *p, const struct protocol_item *c)
{
    static const uint8_t nothing[] = {0, 1, 0, 0, 0, 0};
    uint8_t empty[PROTOCOL_HEAD + PROTOCOL_TAIL] = {'M', 'P', PROTOCOL_OUTCOMES};
    struct protocol_bytes *to = &p->stream.to_send;
    enum act how = (enum act)target_choice(&script.bytes, &script.count, ACTS);
    struct protocol_item o = {.id = c->id, .bytes = nothing, .size = sizeof nothing};
    struct protocol_refused refused = {.id = c->id, .reason = "not this one"};
    const uint8_t *part;
    size_t size;
    if (how == ANY_OUTCOME)
        target_part(&script.bytes, &script.count, &o.bytes, &o.size);
    o.check = protocol_stamp(c->check, protocol_crc32(0, c->bytes, c->size), o.bytes, o.size);
    switch (how) {
    case REFUSE:
        return protocol_put_refused(to, &refused);
    case STATE:
        (void)protocol_put_state(to, "warm");
        break;
    case FAIL:
        return protocol_put_error(to, "smoke");
    case GARBAGE:
        target_part(&script.bytes, &script.count, &part, &size);
        append(to, part, size);
        break;
    case END:
        return false;
    case EMPTY_FRAME:
        target_mend_frames(empty, sizeof empty);
        append(to, empty, sizeof empty);
        break;
    case WRONG_CHECKSUM:
        put_damaged(to, &o, 0);
        break;
    case LONG_FRAME:
        put_damaged(to, &o, -6); /* a byte of the frame's length */
        break;
    case LATER:
        put_outcome(&p->held, script.version, &o);
        return true;
    default:
        break;
    }
    o.id += how == OTHER_CASE;
    o.check ^= how == WRONG_STAMP;
    put_outcome(to, how == OTHER_VERSION ? 3 - script.version : script.version, &o);
    if (how == TWICE)
        put_outcome(to, script.version, &o);
    if (how == LONG_ITEM && script.version > PROTOCOL_VERSION) {
        uint8_t *frame = to->at + to->end - (PROTOCOL_HEAD + 16 + o.size + PROTOCOL_TAIL);
        put_u32(frame + PROTOCOL_HEAD + 12, UINT32_MAX);
        target_mend_frames(frame, PROTOCOL_HEAD + 16 + o.size + PROTOCOL_TAIL);
    }
    return true;
}

static bool answer(struct peer *p, const struct protocol_frame *f)
{
    struct protocol_frame rest = *f;
    struct protocol_item item;
    struct protocol_run run;
    struct error e = {0};
    bool goes_on = true;
    if (f->type == PROTOCOL_RUN && protocol_get_run(f, &run, &e))
        return act(p, &(struct protocol_item){run.id, run.nonce, run.case_bytes, run.case_size});
    if (f->type != PROTOCOL_CASES)
        target_violated("the host sent %s", protocol_type_name(f->type));
    while (goes_on && rest.size) {
        if (!protocol_next_item(&rest, &item, &e))
            target_violated("the host sent a bad item: %s", e.text);
        goes_on = act(p, &item);
    }
    return goes_on;
}

static void greet(struct peer *p)
{
    struct protocol_hello h = {.version = script.version,
                               .software = "fuzz",
                               .description = "a thread",
                               .memory_base = MEMORY_BASE_DEFAULT,
                               .code_base = CODE_BASE_DEFAULT,
                               .units = 1,
                               .in_flight = script.in_flight};
    (void)snprintf(h.unit[0].name, sizeof h.unit[0].name, "%s", script.unit->name);
    h.unit[0].form = unit_form(script.unit);
    (void)protocol_put_hello(&p->stream.to_send, &h, true);
}

static void *play(void *context)
{
    struct peer *p = context;
    struct protocol_frame f;
    struct error e = {0};
    const int64_t for_ever = INT64_MAX / 2;
    bool greeted = false;
    while (protocol_next(&p->stream, for_ever, &f, &e) == PROTOCOL_GOT && f.type != PROTOCOL_BYE) {
        if (!greeted)
            greet(p);
        else if (!answer(p, &f))
            break;
        if (p->held.end)
            append(&p->stream.to_send, p->held.at, p->held.end);
        p->held.end = 0;
        if (protocol_flush(&p->stream, for_ever, &e) != PROTOCOL_GOT)
            break;
        greeted = true;
    }
    close(p->fd);
    protocol_stream_free(&p->stream);
    protocol_bytes_free(&p->held);
    free(p);
    return NULL;
}

bool __wrap_board_child_start(struct board_child *c, const char *command, struct error *e);
bool __wrap_board_child_start(struct board_child *c, const char *command, struct error *e)
{
    int pair[2];
    struct peer *p = calloc(1, sizeof *p);
    (void)command;
    *c = (struct board_child){.fd = -1};
    if (!p || threads == THREADS_MAX || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        free(p);
        return error_set(e, "there are too many connections");
    }
    p->fd = pair[1];
    p->stream = (struct protocol_stream){.in = pair[1], .out = pair[1]};
    if (pthread_create(&thread[threads], NULL, play, p) != 0)
        abort();
    threads++;
    c->fd = pair[0];
    return true;
}

static void run(struct board *b, struct outcome *const *outcomes)
{
    static struct test_case tc;
    const struct test_case *list[CASES];
    enum answer answers[CASES];
    struct error e = {0};
    case_init(&tc, script.unit);
    for (unsigned i = 0; i < CASES; i++) {
        list[i] = &tc;
        answers[i] = ANSWERS;
    }
    bool good = board_run(b, list, CASES, outcomes, answers, &e);
    if (!good)
        target_check_refusal(&e);
    for (unsigned i = 0; good && i < CASES; i++)
        if (answers[i] >= ANSWERS || answers[i] == ANSWER_UNKNOWN)
            target_violated("case %u has no answer", i);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    static struct outcome *outcomes[CASES];
    struct error e = {0};
    unsigned how = target_choice(&bytes, &count, 256);
    setenv("MISPRINT_BOARD_RETURN", "0", 1);
    setenv("MISPRINT_BOARD_TIMEOUT", "0.05", 1);
    script.unit = unit_at(0);
    script.bytes = bytes;
    script.count = count;
    script.version = how & 1 ? PROTOCOL_NEWEST : PROTOCOL_VERSION;
    script.in_flight = 1 + (how >> 1) % (CASES + 2);
    for (unsigned i = 0; i < CASES && !outcomes[i]; i++)
        outcomes[i] = outcome_new(script.unit);
    struct board *b = board_open("exec:thread", script.unit, &e);
    if (!b)
        target_violated("the board is not opened: %s", e.text);
    run(b, outcomes);
    run(b, outcomes);
    board_close(b);
    for (unsigned i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    threads = 0;
    return 0;
}
