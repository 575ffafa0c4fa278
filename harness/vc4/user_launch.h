/* SPDX-License-Identifier: MIT */
/*
 * The launch backend (launcher.h) that runs cases of vc4-qpu and vc4-vpm as user programs. A case of vc4-vpm
 * is first turned into a QPU program (vpm_program.h). Each program is proven (verifier.h), wrapped
 * (wrapper.h) and written to GPU memory. One table of programs is launched for all QPUs.
 *
 * Owns the layout of GPU memory. Does not launch the table: the caller's user_machine does.
 */
#ifndef MISPRINT_HARNESS_VC4_USER_LAUNCH_H
#define MISPRINT_HARNESS_VC4_USER_LAUNCH_H

#include "harness/launch/launcher.h"
#include "harness/vc4/program/wrapper.h"
#include "harness/verify/dry_run.h"

enum { USER_LAUNCH_MEMORY = 8 << 20, USER_LAUNCH_MEMORY_LEAST = 1 << 20 };

/* GPU memory and the functions that launch and reset. */
struct user_machine {
    void *context;
    struct wrapper_area memory; /* at a multiple of 4096 on both sides */
    size_t bytes;               /* at least USER_LAUNCH_MEMORY_LEAST */
    /* `table` is the bus address of `count` pairs of words: the addresses of uniforms and code. */
    enum launch_result (*launch)(void *context, uint32_t table, unsigned count, struct error *e);
    bool (*reset)(void *context, struct error *e); /* after LAUNCH_HUNG, LAUNCH_HW_ERROR */
};

/* A part of GPU memory that fills up as cases are placed; offsets into it. */
struct user_pool {
    uint32_t used, end;
};

/* A case of vc4-vpm, turned into a QPU program. */
struct user_translation {
    struct test_case *program;
    const void *program_of;          /* the job that `program` belongs to */
    struct outcome *initial;         /* the program's initial state */
    uint16_t rows[OUTCOME_ROWS_MAX]; /* from vpm_program_rows */
};

/* The context of user_backend. The caller sets `machine`, then calls user_launch_begin. */
struct user_launch {
    struct user_machine machine;
    struct user_pool programs, input, output;
    unsigned placed, cached; /* programs in the table; of these, programs that read memory through caches */
    struct user_translation vpm;
    struct wrapper_image image; /* of the program being placed */
    struct dry_run *dry_run;
};

bool user_launch_begin(struct user_launch *b, struct error *e); /* false: out of memory */
void user_launch_end(struct user_launch *b);

extern const struct launch_backend user_backend;

/* The bus addresses of the cases' memory and code. */
uint32_t user_launch_memory_base(const struct user_launch *b);
uint32_t user_launch_code_base(const struct user_launch *b);

#endif
