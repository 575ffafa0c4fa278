/* SPDX-License-Identifier: MIT */
/*
 * The launch backend (launcher.h) of unit v3d-qpu. Proves each case (v3d_verifier.h), wraps it
 * (v3d_wrapper.h), and submits it as one compute job. All jobs of a launch are submitted before it waits.
 * Owns the layout of the memory that GPU and host share. Does not submit: the caller's v3d_gpu does.
 *
 * Each case has a slot of this memory, so that all can run without waiting for each other. Guards with known
 * words are before and after the case's own memory, and are checked after each launch.
 *
 * But the board states one address for its cases' memory, and outcomes can hold addresses. If a case did in
 * its slot, in every bit, what the best-known profile does at that slot's addresses, then its outcome is what
 * that profile does at the stated address. Any other case runs a second time in the first slot, which is at
 * the stated address.
 */
#ifndef MISPRINT_HARNESS_V3D_V3D_LAUNCH_H
#define MISPRINT_HARNESS_V3D_V3D_LAUNCH_H

#include "harness/launch/launcher.h"
#include "harness/v3d/v3d_wrapper.h"

/* Offsets in a slot, and of the slots in memory. The model's uniforms are 0x8000 bytes after the case's first
 * instruction, which must not be in the case's memory. */
enum {
    V3D_SLOT_WINDOW = 0x1000, /* the case's memory, after a guard */
    V3D_SLOT_AFTER = 0x5000,  /* the guard after it */
    V3D_SLOT_UNIFORMS = 0x6000,
    V3D_SLOT_INPUT = 0x7000,
    V3D_SLOT_OUTPUT = 0x9000, /* and the other batches' output, V3D_WRAP_AREA behind it */
    V3D_SLOT_CODE = 0xD000,
    V3D_SLOT_BODY = V3D_SLOT_CODE + 8 * V3D_WRAP_BEFORE, /* the case's first instruction */
    V3D_SLOT_BYTES = 0x10000,
    V3D_GUARD_BYTES = 0x10000, /* before the first slot and after the last */
    V3D_SLOTS = 64 + LAUNCH_CANARIES,
    V3D_MEMORY_BYTES = 2 * V3D_GUARD_BYTES + V3D_SLOTS * V3D_SLOT_BYTES,
};

/* A GPU and the functions that reach it. */
struct v3d_gpu {
    void *context;
    enum v3d_generation generation;
    bool counts_from_1; /* CFG4 is the number of batches, not one less */
    uint8_t *at;        /* V3D_MEMORY_BYTES that the GPU has at address `bus`; at a multiple of 4096 */
    uint32_t bus;
    bool (*submit)(void *context, const uint32_t config[V3D_CONFIG_WORDS], struct error *e);
    /* Waits for all jobs. After LAUNCH_HUNG the GPU is usable again. */
    enum launch_result (*wait)(void *context, struct error *e);
};

struct v3d_launch;

/* Returns the context of the backend. Never NULL. */
struct v3d_launch *v3d_launch_new(const struct v3d_gpu *gpu);
void v3d_launch_free(struct v3d_launch *b); /* NULL is fine */
/* Also run the cases dry under the campaign's profile. */
void v3d_launch_set_campaign(struct v3d_launch *b, const struct profile *p);

/* The addresses that cases have in the first slot. */
uint32_t v3d_launch_memory_base(const struct v3d_launch *b);
uint32_t v3d_launch_code_base(const struct v3d_launch *b);

/* Returns the backend of a generation. Its canaries are of that generation. */
const struct launch_backend *v3d_backend(enum v3d_generation g);

#endif
