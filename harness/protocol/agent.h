/* SPDX-License-Identifier: MIT */
/*
 * The board's side of the protocol: receives cases from a host, runs them in batches, and sends the outcomes.
 * Owns the exchange of frames. Does not run cases: the caller's `struct agent_board` does.
 *
 * The host is not trusted. Any bytes from it either become valid cases, which the caller may still refuse, or
 * end the connection. They have no other effect.
 */
#ifndef MISPRINT_HARNESS_PROTOCOL_AGENT_H
#define MISPRINT_HARNESS_PROTOCOL_AGENT_H

#include "harness/protocol/protocol.h"

#include <signal.h>

enum {
    AGENT_BATCH_MAX = 256,
    AGENT_BATCHES_IN_FLIGHT = 2, /* one batch arrives while another runs */
    AGENT_LINGER_MS = 1,         /* a pause of the host after which an incomplete batch is run */
    AGENT_FLUSH_MS = 10000,      /* the time that a host has to read its answers before the next batch runs */
    AGENT_PATIENCE_MS = 600000,  /* the agent ends if the host reads no byte of its answers for so long */
};

/* The functions that run the cases. */
struct agent_board {
    void *context;
    /* Prepares for cases of one unit. Fills in the board's part of HELLO: description, provenance, state,
     * silicon, bases, and in `in_flight` the size of batch that it wants. On entry `who->profile` is the
     * profile that the host compares with. */
    bool (*open)(void *context, const struct unit *u, struct protocol_hello *who, struct error *e);
    /* Runs `count` cases. Sets reason[i] for a case that it refused or that gave no outcome. False with an
     * error: the board failed. */
    bool (*run)(void *context, const struct test_case *const *cases, unsigned count,
                struct outcome *const *outcomes, char (*reason)[256], struct error *e);
    /* May be NULL. Returns the board's state (clock, temperature) after the last batch; "" if it is unknown.
     * The agent sends changes of it to the host. */
    const char *(*state)(void *context);
    const volatile sig_atomic_t *stop; /* may be NULL; a flag that ends the agent after the current batch */
    int64_t flush_ms, patience_ms;     /* 0: the defaults AGENT_FLUSH_MS and AGENT_PATIENCE_MS */
};

/*
 * Serves one host until it sends BYE or closes the stream. False with an error, which was also sent to the
 * host if possible: the protocol was violated, the board failed, or `stop` was set. Memory is bounded,
 * because a host may neither have more unanswered cases than agreed nor leave answers unread for ever.
 */
bool agent_serve(int in, int out, const struct agent_board *board, struct error *e);

#endif
