/* SPDX-License-Identifier: MIT */
/*
 * How cases of units vc4-qpu and vc4-vpm reach hardware as user programs
 * (batch.h). A case of vc4-vpm first becomes a program of vc4-qpu (vpm_program.h).
 * Each program is proven (verifier.h), wrapped (wrapper.h) and written to GPU
 * memory, and all are launched as one table of programs for all QPUs there are.
 *
 * Owns the layout of GPU memory. The caller launches the table.
 */
#ifndef MISPRINT_HARNESS_VC4_USER_BATCH_H
#define MISPRINT_HARNESS_VC4_USER_BATCH_H

#include "harness/launch/batch.h"
#include "harness/vc4/program/wrapper.h"
#include "harness/verify/dry_run.h"

enum { USER_BATCH_MEMORY = 8 << 20, USER_BATCH_MEMORY_LEAST = 1 << 20 };

/* The machine that launches. */
struct user_machine {
    void *context;
    struct wrapper_area memory; /* at a multiple of 4096 on both sides */
    size_t bytes;               /* at least USER_BATCH_MEMORY_LEAST */
    /* `table` is the bus address of `count` pairs of words: the addresses of uniforms and code. */
    enum batch_launch (*launch)(void *context, uint32_t table, unsigned count, struct error *e);
    bool (*reset)(void *context, struct error *e); /* after BATCH_HUNG, BATCH_MARKED */
};

/* A part of GPU memory that fills up as cases are placed; offsets into it. */
struct user_pool {
    uint32_t used, end;
};

/* A case of vc4-vpm as a program. */
struct user_translation {
    struct test_case *program;
    const void *program_of;          /* the job that `program` belongs to */
    struct outcome *initial;         /* the program's initial state */
    uint16_t rows[OUTCOME_ROWS_MAX]; /* vpm_program_rows' */
};

/* The `context` of user_batch_way's callbacks (struct batch_way). The caller sets `machine`, then calls
 * user_batch_begin. */
struct user_batch {
    struct user_machine machine;
    struct user_pool programs, input, output;
    unsigned placed, cached; /* programs in the table; of these, programs that read memory through caches */
    struct user_translation vpm;
    struct wrapper_image image; /* of the program being placed */
    struct dry_run *dry_run;
};

bool user_batch_begin(struct user_batch *b, struct error *e); /* false: out of memory */
void user_batch_end(struct user_batch *b);

extern const struct batch_way user_batch_way;

/* Bus addresses at which cases run. */
uint32_t user_batch_memory_base(const struct user_batch *b);
uint32_t user_batch_code_base(const struct user_batch *b);

#endif
