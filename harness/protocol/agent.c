/* SPDX-License-Identifier: MIT */
#include "harness/protocol/agent.h"

#include "harness/system/clock.h"
#include "harness/system/pages.h"
#include "model/core/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FOR_EVER = 24 * 3600 * 1000,
    GREETING_MS = 60000, /* limit for the host's HELLO, because meanwhile no other host can use the board */
    LOOK_MS = 100,       /* interval at which the stop flag is read */
    IN_FLIGHT_MAX = AGENT_BATCHES_IN_FLIGHT * AGENT_BATCH_MAX,
};

struct request {
    uint32_t id, case_crc;
    uint64_t nonce;
};

struct agent {
    const struct agent_board *board;
    const struct unit *unit;
    struct protocol_stream stream;
    struct protocol_hello who;
    bool takes_state;     /* the host understands STATE */
    char state[128];      /* the state that was sent last */
    unsigned batch, made; /* most cases of a batch; how many of them are made (pages_of_pairs) */
    struct request request[AGENT_BATCH_MAX];
    struct test_case *tc[AGENT_BATCH_MAX]; /* `batch` of them, as in all arrays below */
    const struct test_case *cases[AGENT_BATCH_MAX];
    struct outcome *outcomes[AGENT_BATCH_MAX];
    struct pages_of_pairs memory; /* holds the cases and the outcomes */
    char reason[AGENT_BATCH_MAX][256];
    struct protocol_frame rest; /* of a CASES frame: the cases that no batch has yet */
    uint8_t *bytes;             /* room for an outcome, in version 1 of the protocol */
    /* A ring with the answers that are not completely sent: the position of each answer's end in the stream
     * of all sent bytes. */
    uint64_t answer_end[IN_FLIGHT_MAX];
    unsigned first_owed, owed;
    uint64_t moved_to; /* stream.sent as goes_on saw it last, and the time of its last change */
    int64_t moved_at;
};

static bool no_memory(struct error *e)
{
    return error_memory(e, "for a board's cases");
}

/* ---- answers ---- */

static size_t waiting_bytes(const struct agent *a)
{
    return a->stream.to_send.end - a->stream.to_send.start;
}

static bool should_stop(const struct agent *a)
{
    return a->board->stop && *a->board->stop;
}

/* True if the agent may go on. False with an error: it was asked to stop, or the host has read nothing for
 * too long. */
static bool goes_on(struct agent *a, struct error *e)
{
    int64_t now = clock_ms(), patience = a->board->patience_ms ? a->board->patience_ms : AGENT_PATIENCE_MS;
    if (should_stop(a))
        return error_set(e, "the agent was asked to stop, by a signal");
    if (!waiting_bytes(a) || a->moved_to != a->stream.sent) {
        a->moved_to = a->stream.sent;
        a->moved_at = now;
    }
    return now - a->moved_at < patience ||
           error_set(e, "the host has read no answer for %.3g s", (double)patience / 1000);
}

/* Sends the answers before the next batch starts, which may take long. Answers that a slow host does not read
 * in time are sent later, with the next frames. */
static enum protocol_event flush_answers(struct agent *a, struct error *e)
{
    for (int64_t deadline = clock_ms() + (a->board->flush_ms ? a->board->flush_ms : AGENT_FLUSH_MS);;) {
        int64_t look = clock_ms() + LOOK_MS;
        enum protocol_event event = protocol_flush(&a->stream, look < deadline ? look : deadline, e);
        if (event != PROTOCOL_LATE || clock_ms() >= deadline || should_stop(a))
            return event;
    }
}

/* As protocol_next, but returns PROTOCOL_FAILED with an error also if goes_on is false. */
static enum protocol_event next_frame(struct agent *a, int64_t limit, struct protocol_frame *f,
                                      struct error *e)
{
    for (int64_t deadline = clock_ms() + limit;;) {
        if (!goes_on(a, e))
            return PROTOCOL_FAILED;
        int64_t look = clock_ms() + LOOK_MS;
        enum protocol_event event = protocol_next(&a->stream, look < deadline ? look : deadline, f, e);
        if (event != PROTOCOL_LATE || clock_ms() >= deadline)
            return event;
    }
}

/* Sends the error to the host and returns false. After a signal it sends no error: a machine that reboots
 * sends signals, and the host may reconnect afterwards, which it does not do after an error. */
static bool give_up(struct agent *a, const struct error *e)
{
    struct error ignored = {0};
    if (should_stop(a) || protocol_put_error(&a->stream.to_send, e->text))
        (void)flush_answers(a, &ignored);
    return false;
}

/* True if the host may send another case. A case counts as unanswered until its answer is completely sent. */
static bool may_send(struct agent *a, unsigned unanswered, struct error *e)
{
    for (; a->owed && a->answer_end[a->first_owed] <= a->stream.sent; a->owed--)
        a->first_owed = (a->first_owed + 1) % IN_FLIGHT_MAX;
    return a->owed + unanswered < a->who.in_flight ||
           error_set(e, "the host has sent more than %lu unanswered cases, which is HELLO's in-flight",
                     (unsigned long)a->who.in_flight);
}

/* ---- the greeting ---- */

static bool find_unit(struct agent *a, const struct protocol_hello *host, struct error *e)
{
    if (host->version != PROTOCOL_VERSION)
        return error_set(e, "the host speaks version %lu of the board protocol, this agent version %d",
                         (unsigned long)host->version, PROTOCOL_VERSION);
    if (host->units == 0 || !(a->unit = unit_named(host->unit[0].name)))
        return error_set(e, "the host asks for unit '%s', which this agent does not know",
                         host->units ? host->unit[0].name : "");
    if (unit_form(a->unit) != host->unit[0].form)
        return error_set(e, "host and agent have different versions: their forms of %s cases differ",
                         a->unit->name);
    return true;
}

static bool make_room(struct agent *a, struct error *e)
{
    uint32_t wanted = a->who.in_flight;
    a->batch = wanted < 1 ? 1 : wanted > AGENT_BATCH_MAX ? AGENT_BATCH_MAX : wanted;
    return pages_of_pairs_new(&a->memory, a->unit, a->batch) || no_memory(e);
}

static bool greet(struct agent *a, struct error *e)
{
    struct protocol_frame f;
    struct protocol_hello host;
    enum protocol_event event = next_frame(a, GREETING_MS, &f, e);
    if (event == PROTOCOL_CLOSED)
        return error_set(e, "the host closed the stream before it sent HELLO");
    if (event == PROTOCOL_LATE)
        error_set(e, "the host sent no HELLO within %d s", GREETING_MS / 1000);
    if (event != PROTOCOL_GOT || !protocol_get_hello(&f, &host, e))
        return give_up(a, e);
    a->takes_state = host.takes_state;
    a->who = (struct protocol_hello){
        .version = host.newest < PROTOCOL_NEWEST ? PROTOCOL_VERSION : PROTOCOL_NEWEST,
        .software = "misprint " MISPRINT_VERSION,
        .units = 1,
        .memory_base = MEMORY_BASE_DEFAULT,
        .code_base = CODE_BASE_DEFAULT,
        .in_flight = AGENT_BATCH_MAX,
    };
    memcpy(a->who.profile, host.profile, sizeof a->who.profile);
    if (!find_unit(a, &host, e))
        return give_up(a, e);
    snprintf(a->who.unit[0].name, sizeof a->who.unit[0].name, "%s", a->unit->name);
    a->who.unit[0].form = unit_form(a->unit);
    if (!a->board->open(a->board->context, a->unit, &a->who, e) || !make_room(a, e))
        return give_up(a, e);
    a->who.in_flight = AGENT_BATCHES_IN_FLIGHT * a->batch;
    (void)snprintf(a->state, sizeof a->state, "%s", a->who.state);
    return protocol_put_hello(&a->stream.to_send, &a->who, true) || no_memory(e);
}

/* ---- cases ---- */

/* Takes a case as case `i` of the batch. */
static bool take_case(struct agent *a, const struct protocol_item *item, unsigned i, struct error *e)
{
    if (!may_send(a, i, e))
        return false;
    if (item->size > CASE_BYTES_MAX)
        return error_set(e, "the host sent a case of %zu bytes; the maximum is %d", item->size,
                         CASE_BYTES_MAX);
    a->request[i] = (struct request){
        .id = item->id,
        .nonce = item->check,
        .case_crc = protocol_crc32(0, item->bytes, item->size),
    };
    for (; a->made <= i; a->made++) {
        pages_of_pairs_make(&a->memory, a->made, &a->tc[a->made], &a->outcomes[a->made]);
        a->cases[a->made] = a->tc[a->made];
    }
    case_decode(a->tc[i], a->unit, item->bytes, item->size);
    a->reason[i][0] = 0;
    return true;
}

/* Takes one RUN as case `i` of the batch. */
static bool take_run(struct agent *a, const struct protocol_frame *f, unsigned i, struct error *e)
{
    struct protocol_run r;
    if (!protocol_get_run(f, &r, e))
        return false;
    if (strcmp(r.unit, a->unit->name) != 0)
        return error_set(e, "the host sent a case of unit '%s' after a HELLO for %s", r.unit, a->unit->name);
    if (r.memory_base != a->who.memory_base || r.code_base != a->who.code_base)
        return error_set(e, "the host sent a case with other addresses than this board's HELLO has");
    struct protocol_item item = {.id = r.id, .check = r.nonce, .bytes = r.case_bytes, .size = r.case_size};
    return take_case(a, &item, i, e);
}

/* Notes that `count` answers end where the bytes to send end now. */
static void owe(struct agent *a, unsigned count)
{
    for (; count; count--)
        a->answer_end[(a->first_owed + a->owed++) % IN_FLIGHT_MAX] = a->stream.sent + waiting_bytes(a);
}

static bool put_refusal(struct agent *a, unsigned i)
{
    struct protocol_refused r = {.id = a->request[i].id};
    memcpy(r.reason, a->reason[i], sizeof r.reason);
    r.reason[sizeof r.reason - 1] = 0;
    return protocol_put_refused(&a->stream.to_send, &r);
}

/* Queues the answer to case i in a frame of its own. False: out of memory. */
static bool put_answer(struct agent *a, unsigned i)
{
    const struct request *q = &a->request[i];
    if (a->reason[i][0])
        return put_refusal(a, i);
    if (!a->bytes)
        a->bytes = memory_new(1, OUTCOME_BYTES_MAX);
    size_t size = outcome_encode(a->outcomes[i], a->bytes, OUTCOME_BYTES_MAX);
    struct protocol_outcome o = {
        .id = q->id,
        .stamp = protocol_stamp(q->nonce, q->case_crc, a->bytes, size),
        .bytes = a->bytes,
        .size = size,
    };
    return size && protocol_put_outcome(&a->stream.to_send, &o);
}

/* Queues the outcomes of a batch in as few frames as possible, and its refusals. False: out of memory. */
static bool put_answers(struct agent *a, unsigned count)
{
    struct protocol_pack pack = {.to = &a->stream.to_send, .type = PROTOCOL_OUTCOMES};
    size_t most = outcome_encoded_max(a->unit);
    unsigned packed = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct request *q = &a->request[i];
        if (a->reason[i][0] || protocol_pack_is_full(&pack, most)) {
            protocol_pack_close(&pack);
            owe(a, packed);
            packed = 0;
        }
        if (a->reason[i][0]) {
            if (!put_refusal(a, i))
                return false;
            owe(a, 1);
            continue;
        }
        uint8_t *to = protocol_pack_room(&pack, most);
        size_t size = to ? outcome_encode(a->outcomes[i], to, most) : 0;
        if (!size)
            return false;
        protocol_pack_add(&pack, &(struct protocol_item){
                                     .id = q->id,
                                     .check = protocol_stamp(q->nonce, q->case_crc, to, size),
                                     .size = size,
                                 });
        packed++;
    }
    protocol_pack_close(&pack);
    owe(a, packed);
    return true;
}

/* Queues the board's state if it has changed. False: out of memory. */
static bool put_state(struct agent *a)
{
    const char *state = a->takes_state && a->board->state ? a->board->state(a->board->context) : "";
    if (!*state || !strcmp(state, a->state))
        return true;
    (void)snprintf(a->state, sizeof a->state, "%s", state);
    return protocol_put_state(&a->stream.to_send, a->state);
}

/* Runs a batch and sends its answers. Sets `*end` if the host has closed the stream. */
static bool run_batch(struct agent *a, unsigned count, bool *end, struct error *e)
{
    if (!a->board->run(a->board->context, a->cases, count, a->outcomes, a->reason, e))
        return give_up(a, e);
    if (!put_state(a)) /* first, because the state belongs to these answers */
        return no_memory(e);
    bool many = a->who.version > PROTOCOL_VERSION;
    if (many && !put_answers(a, count))
        return no_memory(e);
    for (unsigned i = 0; !many && i < count; i++) {
        if (!put_answer(a, i))
            return no_memory(e);
        owe(a, 1);
    }
    enum protocol_event event = flush_answers(a, e);
    *end = event == PROTOCOL_CLOSED;
    return event != PROTOCOL_FAILED;
}

/* Adds cases of a CASES frame to the batch until one of the two ends. */
static bool take_cases(struct agent *a, unsigned *count, struct error *e)
{
    struct protocol_item item;
    do {
        if (!protocol_next_item(&a->rest, &item, e) || !take_case(a, &item, *count, e))
            return give_up(a, e);
        ++*count;
    } while (a->rest.size && *count < a->batch);
    return true;
}

static bool take_frame(struct agent *a, const struct protocol_frame *f, unsigned *count, struct error *e)
{
    bool many = a->who.version > PROTOCOL_VERSION;
    if (f->type == PROTOCOL_CASES && many) {
        a->rest = *f;
        return take_cases(a, count, e);
    }
    if (f->type != PROTOCOL_RUN || many) {
        error_set(e, "%s arrived instead of %s or BYE", protocol_type_name(f->type), many ? "CASES" : "RUN");
        return give_up(a, e);
    }
    return take_run(a, f, (*count)++, e) || give_up(a, e);
}

/* Collects a batch: waits for a case, then takes more until the batch is full or the host pauses. A CASES
 * frame ends a batch, because the host had no more cases to send. Sets `*end` if the host sent BYE or closed
 * the stream. */
static bool gather(struct agent *a, unsigned *count, bool *end, struct error *e)
{
    *count = 0;
    if (a->rest.size)
        return take_cases(a, count, e);
    while (*count < a->batch) {
        struct protocol_frame f;
        enum protocol_event event = next_frame(a, *count ? AGENT_LINGER_MS : FOR_EVER, &f, e);
        if (event == PROTOCOL_LATE) {
            if (*count)
                return true;
            continue;
        }
        if (event == PROTOCOL_CLOSED || (event == PROTOCOL_GOT && f.type == PROTOCOL_BYE)) {
            *end = true;
            return true;
        }
        if (event != PROTOCOL_GOT)
            return give_up(a, e);
        if (!take_frame(a, &f, count, e))
            return false;
        if (f.type == PROTOCOL_CASES)
            return true;
    }
    return true;
}

static bool serve(struct agent *a, struct error *e)
{
    if (!greet(a, e))
        return false;
    for (bool end = false; !end;) {
        unsigned count;
        if (!gather(a, &count, &end, e) || (count && !end && !run_batch(a, count, &end, e)))
            return false;
    }
    return true;
}

bool agent_serve(int in, int out, const struct agent_board *board, struct error *e)
{
    struct agent *a = memory_new(1, sizeof *a);
    a->board = board;
    a->stream = (struct protocol_stream){.in = in, .out = out};
    bool good = serve(a, e);
    pages_of_pairs_free(&a->memory);
    free(a->bytes);
    protocol_stream_free(&a->stream);
    free(a);
    return good;
}
