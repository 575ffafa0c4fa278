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
    bool takes_state; /* the host understands STATE */
    char state[128];  /* the state that was sent last */
    unsigned batch;
    struct request request[AGENT_BATCH_MAX];
    struct test_case *tc; /* `batch` elements, as in all arrays below */
    const struct test_case *cases[AGENT_BATCH_MAX];
    struct outcome *outcomes[AGENT_BATCH_MAX];
    void *memory; /* holds the outcomes */
    char reason[AGENT_BATCH_MAX][256];
    uint8_t bytes[OUTCOME_BYTES_MAX];
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
    a->tc = pages_new(a->batch, sizeof *a->tc);
    a->memory = pages_of_outcomes(a->unit, a->batch, a->outcomes);
    for (unsigned i = 0; i < a->batch; i++)
        a->cases[i] = &a->tc[i];
    return (a->tc && a->memory) || no_memory(e);
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
        .version = PROTOCOL_VERSION,
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

/* Takes one RUN as case `i` of the batch. */
static bool take_run(struct agent *a, const struct protocol_frame *f, unsigned i, struct error *e)
{
    struct protocol_run r;
    if (!may_send(a, i, e) || !protocol_get_run(f, &r, e))
        return false;
    if (strcmp(r.unit, a->unit->name) != 0)
        return error_set(e, "the host sent a case of unit '%s' after a HELLO for %s", r.unit, a->unit->name);
    if (r.memory_base != a->who.memory_base || r.code_base != a->who.code_base)
        return error_set(e, "the host sent a case with other addresses than this board's HELLO has");
    a->request[i] = (struct request){
        .id = r.id,
        .nonce = r.nonce,
        .case_crc = protocol_crc32(0, r.case_bytes, r.case_size),
    };
    case_decode(&a->tc[i], a->unit, r.case_bytes, r.case_size);
    a->reason[i][0] = 0;
    return true;
}

/* Queues the answer to case i. False: out of memory. */
static bool put_answer(struct agent *a, unsigned i)
{
    const struct request *q = &a->request[i];
    if (a->reason[i][0]) {
        struct protocol_refused r = {.id = q->id};
        memcpy(r.reason, a->reason[i], sizeof r.reason);
        r.reason[sizeof r.reason - 1] = 0;
        return protocol_put_refused(&a->stream.to_send, &r);
    }
    size_t size = outcome_encode(a->outcomes[i], a->bytes, sizeof a->bytes);
    struct protocol_outcome o = {
        .id = q->id,
        .stamp = protocol_stamp(q->nonce, q->case_crc, a->bytes, size),
        .bytes = a->bytes,
        .size = size,
    };
    return size && protocol_put_outcome(&a->stream.to_send, &o);
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
    for (unsigned i = 0; i < count; i++) {
        if (!put_answer(a, i))
            return no_memory(e);
        a->answer_end[(a->first_owed + a->owed++) % IN_FLIGHT_MAX] = a->stream.sent + waiting_bytes(a);
    }
    enum protocol_event event = flush_answers(a, e);
    *end = event == PROTOCOL_CLOSED;
    return event != PROTOCOL_FAILED;
}

/* Collects a batch: waits for a case, then takes more until the batch is full or the host pauses. Sets `*end`
 * if the host sent BYE or closed the stream. */
static bool gather(struct agent *a, unsigned *count, bool *end, struct error *e)
{
    *count = 0;
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
        if (event == PROTOCOL_GOT && f.type != PROTOCOL_RUN)
            error_set(e, "%s arrived instead of RUN or BYE", protocol_type_name(f.type));
        if (event != PROTOCOL_GOT || f.type != PROTOCOL_RUN || !take_run(a, &f, *count, e))
            return give_up(a, e);
        ++*count;
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
    free(a->memory);
    free(a->tc);
    protocol_stream_free(&a->stream);
    free(a);
    return good;
}
