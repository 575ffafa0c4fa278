/* SPDX-License-Identifier: MIT */
/*
 * The board's side of the protocol: takes cases from a host, gives them in
 * batches to whatever runs them, and answers. Owns the conversation; what runs
 * the cases is the caller's (`struct agent_board`).
 *
 * The host is a stranger. Whatever bytes it sends become cases in range, which
 * the caller's side may refuse, or end the conversation; they reach nothing else.
 */
#ifndef MISPRINT_HARNESS_PROTOCOL_AGENT_H
#define MISPRINT_HARNESS_PROTOCOL_AGENT_H

#include "harness/protocol/protocol.h"

#include <signal.h>

/* A batch runs while the next one is on its way: that many may be in flight. */
enum { AGENT_BATCH_MAX = 256, AGENT_BATCHES_IN_FLIGHT = 2, AGENT_LINGER_MS = 1 };
/* How long it stays with a host that takes no byte of its answers (it may be stopped, or busy with what came
 * before) before it ends. */
enum { AGENT_FLUSH_MS = 10000, AGENT_PATIENCE_MS = 600000 };

/* What runs the cases. */
struct agent_board {
    void *context;
    /* Gets ready for cases of one unit and says who answers: description, provenance, state, silicon, bases;
     * `in_flight` is the batch it wants. `profile` is what the host compares with. */
    bool (*open)(void *context, const struct unit *u, struct protocol_hello *who, struct error *e);
    /*
     * Runs `count` cases. Of a case that it would not run, or that gave no outcome, reason[i] is made other
     * than "". False only if it cannot go on.
     */
    bool (*run)(void *context, const struct test_case *const *cases, unsigned count,
                struct outcome *const *outcomes, char (*reason)[256], struct error *e);
    /* NULL, or how the board is after the last batch: clock, temperature; "" if nothing is known of it. A
     * host is told when it changes. */
    const char *(*state)(void *context);
    const volatile sig_atomic_t
        *stop; /* NULL, or what a signal handler sets: then it ends as soon as no batch runs */
    /* 0, or other limits: how long it looks for nothing else while answers wait to be taken (AGENT_FLUSH_MS),
     * and when it ends (AGENT_PATIENCE_MS).
     */
    int64_t flush_ms, patience_ms;
};

/*
 * Serves one host until it says BYE or is gone. False with an error: the conversation, or the board, failed,
 * or `stop` was set; the host was told if it still listened. What is kept for a host is bounded: it may not
 * leave more cases unanswered than was agreed, nor leave answers for ever.
 */
bool agent_serve(int in, int out, const struct agent_board *board, struct error *e);

#endif
