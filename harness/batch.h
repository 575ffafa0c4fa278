/* SPDX-License-Identifier: MIT */
/*
 * Cases of unit vc4-qpu on hardware, hundreds a launch: each is proven
 * (verifier.h), wrapped (wrapper.h) and put into GPU memory, all are launched as
 * one table of programs for however many QPUs there are, and what they left is
 * read back. A program with a known answer stands first and last in each table;
 * the order is another each time, so that state that leaks from one case into
 * the next shows as a board that disagrees with itself.
 *
 * When a launch does not end, the cases without a stamp are launched again in
 * halves, until the one that hangs stands alone; it is not run again.
 *
 * Owns the layout of GPU memory; how programs are launched is the caller's.
 */
#ifndef MISPRINT_HARNESS_BATCH_H
#define MISPRINT_HARNESS_BATCH_H

#include "harness/journal.h"
#include "harness/wrapper.h"
#include "model/outcome.h"

enum { BATCH_CASES_MAX = 256, BATCH_REASON = 256, BATCH_MEMORY = 8 << 20, BATCH_MEMORY_LEAST = 1 << 20 };

enum batch_launch {
    BATCH_DONE,
    BATCH_HUNG, /* not all programs came to their ends */
    BATCH_LOST, /* the board failed; with an error */
};

/* What launches. */
struct batch_machine {
    void *context;
    struct wrapper_area memory; /* at a multiple of 4096 on both sides */
    size_t bytes;               /* at least BATCH_MEMORY_LEAST */
    /* At bus address `table` stand `count` pairs of words: the addresses of uniforms and code. */
    enum batch_launch (*launch)(void *context, uint32_t table, unsigned count, struct error *e);
    bool (*reset)(void *context, struct error *e); /* after BATCH_HUNG */
};

struct batch;

/* `journal` is borrowed and may not be NULL. NULL with an error. */
struct batch *batch_new(const struct batch_machine *machine, struct journal *journal, uint64_t seed, struct error *e);
void batch_free(struct batch *b); /* NULL is fine */

/* Bus addresses at which cases run. */
uint32_t batch_memory_base(const struct batch *b);
uint32_t batch_code_base(const struct batch *b);

/*
 * Runs up to BATCH_CASES_MAX cases. reason[i] becomes "" and outcomes[i] what
 * the case left (or that it hung); or why it was not run. False: the board failed.
 */
bool batch_run(struct batch *b, const struct test_case *const *cases, unsigned count, struct outcome *const *outcomes, char (*reason)[BATCH_REASON],
               struct error *e);

#endif
