/* SPDX-License-Identifier: MIT */
/*
 * A compute unit as far as programs around a case use it (harness/amdgpu/amdgpu_wrapper.h):
 * runs the words of one wave, of the instructions in harness/amdgpu/amdgpu_code.h and of
 * all buffer instructions, these by the model. Knows nothing of cases: what it
 * gets is an address of code, user data, and a memory by GPU addresses.
 */
#ifndef MISPRINT_TESTS_DEVICES_GCN_MACHINE_H
#define MISPRINT_TESTS_DEVICES_GCN_MACHINE_H

#include "model/amd/buffer.h"

enum { GCN_PAGE = 16384, GCN_VGPRS = 64 };
_Static_assert((int)GCN_PAGE == (int)AMD_MEMORY_BYTES, "the model's memory is a page");

/* What is at an address of the GPU. */
enum gcn_mapping { GCN_FAULT, GCN_NOTHING /* a partially resident range */, GCN_MEMORY };

/* What a wave is before an instruction; for who watches it. */
struct gcn_view {
    uint64_t pc, exec;
    const uint32_t *sgpr; /* AMD_SGPRS */
    const uint32_t (*vgpr)[AMD_LANES];
    uint32_t m0;
};

struct gcn_machine {
    enum amd_generation generation;
    const struct profile *profile;
    void *context;
    /* The page (a multiple of GCN_PAGE, as long) at `va`, when it is memory. */
    enum gcn_mapping (*page)(void *context, uint64_t va, uint8_t **at);
    void (*watch)(void *context,
                  const struct gcn_view *view); /* before each instruction; NULL: nobody does */
    uint32_t never_ends;     /* a wave never ends if an instruction's first word is this; 0: none */
    bool atomics_return_odd; /* planted, what no reading of any clause says: an addition returns the old value
                                with bit 0 inverted */
};

struct gcn_launch {
    uint64_t code;
    uint32_t user_data[16];
    unsigned user_sgprs, lanes, vgprs, lds_bytes;
};

/* Runs one wave. NULL; or what a real one would stumble over. */
const char *gcn_run(const struct gcn_machine *m, const struct gcn_launch *l);

#endif
