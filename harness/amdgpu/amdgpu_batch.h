/* SPDX-License-Identifier: MIT */
/*
 * How cases of unit amd-buffer reach a GPU (batch.h): each is proven
 * (amdgpu_verifier.h), wrapped (amdgpu_wrapper.h) and launched as a wave of its
 * own, all of them by one indirect buffer.
 *
 * Owns the layout of GPU memory; how an indirect buffer is submitted is the caller's.
 */
#ifndef MISPRINT_HARNESS_AMDGPU_AMDGPU_BATCH_H
#define MISPRINT_HARNESS_AMDGPU_AMDGPU_BATCH_H

#include "harness/amdgpu/amdgpu_verifier.h"
#include "harness/amdgpu/amdgpu_wrapper.h"
#include "harness/launch/batch.h"

enum {
    AMDGPU_WINDOWS = BATCH_CASES_MAX + BATCH_CANARIES, /* the cases' memories */
    AMDGPU_WINDOW_PITCH = 2 * AMDGPU_GUARD,            /* from one to the next in the GPU's address space */
    AMDGPU_IB_BYTES = 65536,
    AMDGPU_PROGRAM_BYTES = 4 * AMDGPU_PROGRAM_WORDS,
    AMDGPU_PROGRAMS_BYTES = (AMDGPU_WINDOWS * AMDGPU_PROGRAM_BYTES + AMDGPU_BLOCK_BYTES - 1) /
                            AMDGPU_BLOCK_BYTES * AMDGPU_BLOCK_BYTES,
    AMDGPU_ARENA_BYTES = AMDGPU_IB_BYTES + AMDGPU_PROGRAMS_BYTES + AMDGPU_WINDOWS * 2 * AMDGPU_BLOCK_BYTES,
};

/* What submits. */
struct amdgpu_machine {
    void *context;
    struct amdgpu_limits limits;
    struct amdgpu_area
        arena; /* AMDGPU_ARENA_BYTES: the indirect buffer, programs, what they load and store */
    /*
     * The cases' memories. The host sees them one behind the other; in the GPU's space each stands
     * AMDGPU_GUARD behind the beginning of its AMDGPU_WINDOW_PITCH, and what is around it loads as 0 and
     * stores nowhere.
     */
    struct amdgpu_area windows;
    /* Submits the first `words` words of the arena. After BATCH_HUNG the device takes further work. */
    enum batch_launch (*submit)(void *context, unsigned words, struct error *e);
};

struct amdgpu_batch;

/* The way's context; NULL is never returned. */
struct amdgpu_batch *amdgpu_batch_new(const struct amdgpu_machine *machine);
void amdgpu_batch_free(struct amdgpu_batch *b); /* NULL is fine */

/* The way of a generation: its known answers are in its instructions. */
const struct batch_way *amdgpu_batch_way(enum amd_generation g);

#endif
