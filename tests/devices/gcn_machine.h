/* SPDX-License-Identifier: MIT */
/*
 * A compute unit that runs the words of one wave: the instructions of harness/amdgpu/amdgpu_code.h, and all
 * buffer instructions, which the model executes. That is enough for the programs of
 * harness/amdgpu/amdgpu_wrapper.h. Does not know cases: it gets an address of code, user data, and a memory
 * by GPU addresses.
 */
#ifndef MISPRINT_TESTS_DEVICES_GCN_MACHINE_H
#define MISPRINT_TESTS_DEVICES_GCN_MACHINE_H

#include "model/amd/buffer.h"

enum { GCN_PAGE = 16384, GCN_VGPRS = 64 };
_Static_assert((int)GCN_PAGE == (int)AMD_MEMORY_BYTES, "the model's memory is a page");

/* What is at an address of the GPU. */
enum gcn_mapping { GCN_FAULT, GCN_NOTHING /* a partially resident range */, GCN_MEMORY };

/* The state of a wave before an instruction. */
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
    /* Sets *at to the page of GCN_PAGE bytes at `va`, a multiple of GCN_PAGE, if it is memory. */
    enum gcn_mapping (*page)(void *context, uint64_t va, uint8_t **at);
    void (*watch)(void *context, const struct gcn_view *view); /* called before each instruction; or NULL */
    uint32_t never_ends;     /* the first word of an instruction that never ends; 0: none */
    bool atomics_return_odd; /* an injected fault that no reading explains: an addition returns the old value
                                with bit 0 inverted */
};

struct gcn_launch {
    uint64_t code;
    uint32_t user_data[16];
    unsigned user_sgprs, lanes, vgprs, lds_bytes;
};

/* Runs one wave. Returns NULL, or what would fail on hardware. */
const char *gcn_run(const struct gcn_machine *m, const struct gcn_launch *l);

#endif
