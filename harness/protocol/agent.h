/* SPDX-License-Identifier: MIT */
/*
 * The board's side of the protocol: takes cases from a host, runs them in batches, and answers. Owns the
 * conversation; the caller owns what runs the cases (`struct agent_board`).
 *
 * The host is not trusted. Any bytes it sends become cases in range, which the caller may refuse, or end the
 * conversation; they have no other effect.
 */
#ifndef MISPRINT_HARNESS_PROTOCOL_AGENT_H
#define MISPRINT_HARNESS_PROTOCOL_AGENT_H

#include "harness/protocol/protocol.h"

#include <signal.h>

enum {
    AGENT_BATCH_MAX = 256,
    AGENT_BATCHES_IN_FLIGHT = 2, /* one batch arrives while another runs */
    AGENT_LINGER_MS = 1,         /* a pause of the host that ends a batch */
    AGENT_FLUSH_MS = 10000,      /* the time for a host to take its answers before the next batch */
    AGENT_PATIENCE_MS = 600000,  /* a host that takes no byte of its answers for so long is given up */
};

/* What runs the cases. */
struct agent_board {
    void *context;
    /* Prepares for cases of one unit, and fills in who answers: description, provenance, state, silicon,
     * bases; `in_flight` is the batch it wants. `who->profile` is what the host compares with. */
    bool (*open)(void *context, const struct unit *u, struct protocol_hello *who, struct error *e);
    /* Runs `count` cases. Sets reason[i] for a case that it refused or that gave no outcome. False: it cannot
     * go on. */
    bool (*run)(void *context, const struct test_case *const *cases, unsigned count,
                struct outcome *const *outcomes, char (*reason)[256], struct error *e);
    /* NULL, or the board's state after the last batch: clock, temperature; "": unknown. Hosts get its
     * changes. */
    const char *(*state)(void *context);
    const volatile sig_atomic_t *stop; /* NULL, or a flag that ends the agent as soon as no batch runs */
    int64_t flush_ms, patience_ms;     /* 0, or other limits than AGENT_FLUSH_MS and AGENT_PATIENCE_MS */
};

/*
 * Serves one host until it sends BYE or is gone. False with an error: the conversation or the board failed,
 * or `stop` was set; the host was told if it still listened. Memory is bounded: a host may not leave more
 * cases unanswered than agreed, nor leave answers for ever.
 */
bool agent_serve(int in, int out, const struct agent_board *board, struct error *e);

#endif
