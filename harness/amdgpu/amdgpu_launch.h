/* SPDX-License-Identifier: MIT */
/*
 * The launch backend (launcher.h) of unit amd-buffer. Proves each case (amdgpu_verifier.h), wraps it
 * (amdgpu_wrapper.h) and launches it as one wave. One indirect buffer launches all waves. Owns the layout of
 * GPU memory. Does not submit: the caller's amdgpu_machine does.
 */
#ifndef MISPRINT_HARNESS_AMDGPU_AMDGPU_LAUNCH_H
#define MISPRINT_HARNESS_AMDGPU_AMDGPU_LAUNCH_H

#include "harness/amdgpu/amdgpu_verifier.h"
#include "harness/amdgpu/amdgpu_wrapper.h"
#include "harness/launch/launcher.h"

enum {
    AMDGPU_WINDOWS = LAUNCH_CASES_MAX + LAUNCH_CANARIES, /* the cases' memories, one each */
    AMDGPU_WINDOW_PITCH = 2 * AMDGPU_GUARD, /* distance of two windows in the GPU's address space */
    AMDGPU_IB_BYTES = 65536,
    AMDGPU_PROGRAM_BYTES = 4 * AMDGPU_PROGRAM_WORDS,
    AMDGPU_PROGRAMS_BYTES = (AMDGPU_WINDOWS * AMDGPU_PROGRAM_BYTES + AMDGPU_BLOCK_BYTES - 1) /
                            AMDGPU_BLOCK_BYTES * AMDGPU_BLOCK_BYTES,
    AMDGPU_ARENA_BYTES = AMDGPU_IB_BYTES + AMDGPU_PROGRAMS_BYTES + AMDGPU_WINDOWS * 2 * AMDGPU_BLOCK_BYTES,
};

/* A GPU and the function that submits to it. */
struct amdgpu_machine {
    void *context;
    struct amdgpu_limits limits;
    struct amdgpu_area arena; /* AMDGPU_ARENA_BYTES: indirect buffer, programs, their data */
    /* The cases' memories. On the CPU they follow each other without gaps. In the GPU's address space window
     * n begins AMDGPU_GUARD bytes after n * AMDGPU_WINDOW_PITCH; around it loads return 0 and stores are
     * dropped. */
    struct amdgpu_area windows;
    /* Submits the first `words` words of the arena. The device is usable again after LAUNCH_HUNG. */
    enum launch_result (*submit)(void *context, unsigned words, struct error *e);
};

struct amdgpu_launch;

/* Returns the context of the backend. Never NULL. */
struct amdgpu_launch *amdgpu_launch_new(const struct amdgpu_machine *machine);
void amdgpu_launch_free(struct amdgpu_launch *b); /* NULL is fine */

/* Returns the program that the backend placed for a job. */
const struct amdgpu_program *amdgpu_launch_program(const void *job);

/* Returns the backend of a generation. Its canaries use that generation's instructions. */
const struct launch_backend *amdgpu_backend(enum amd_generation g);

#endif
