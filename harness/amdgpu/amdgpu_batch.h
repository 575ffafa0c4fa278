/* SPDX-License-Identifier: MIT */
/*
 * Runs cases of unit amd-buffer on a GPU (batch.h): proves each (amdgpu_verifier.h), wraps it
 * (amdgpu_wrapper.h) and launches it as one wave; one indirect buffer launches all. Owns the layout of GPU
 * memory; the caller submits.
 */
#ifndef MISPRINT_HARNESS_AMDGPU_AMDGPU_BATCH_H
#define MISPRINT_HARNESS_AMDGPU_AMDGPU_BATCH_H

#include "harness/amdgpu/amdgpu_verifier.h"
#include "harness/amdgpu/amdgpu_wrapper.h"
#include "harness/launch/batch.h"

enum {
    AMDGPU_WINDOWS = BATCH_CASES_MAX + BATCH_CANARIES, /* the cases' memories, one each */
    AMDGPU_WINDOW_PITCH = 2 * AMDGPU_GUARD, /* distance of two windows in the GPU's address space */
    AMDGPU_IB_BYTES = 65536,
    AMDGPU_PROGRAM_BYTES = 4 * AMDGPU_PROGRAM_WORDS,
    AMDGPU_PROGRAMS_BYTES = (AMDGPU_WINDOWS * AMDGPU_PROGRAM_BYTES + AMDGPU_BLOCK_BYTES - 1) /
                            AMDGPU_BLOCK_BYTES * AMDGPU_BLOCK_BYTES,
    AMDGPU_ARENA_BYTES = AMDGPU_IB_BYTES + AMDGPU_PROGRAMS_BYTES + AMDGPU_WINDOWS * 2 * AMDGPU_BLOCK_BYTES,
};

/* The GPU and how to submit to it. */
struct amdgpu_machine {
    void *context;
    struct amdgpu_limits limits;
    struct amdgpu_area arena; /* AMDGPU_ARENA_BYTES: indirect buffer, programs, their data */
    /* The cases' memories. The host sees them without gaps; in the GPU's space each begins AMDGPU_GUARD
     * behind a multiple of AMDGPU_WINDOW_PITCH, and all around it loads as 0 and drops stores. */
    struct amdgpu_area windows;
    /* Submits the first `words` words of the arena. After BATCH_HUNG the device is usable. */
    enum batch_launch (*submit)(void *context, unsigned words, struct error *e);
};

struct amdgpu_batch;

/* The way's context. Never returns NULL. */
struct amdgpu_batch *amdgpu_batch_new(const struct amdgpu_machine *machine);
void amdgpu_batch_free(struct amdgpu_batch *b); /* NULL is fine */

/* The way of a generation, with known answers in its instructions. */
const struct batch_way *amdgpu_batch_way(enum amd_generation g);

#endif
