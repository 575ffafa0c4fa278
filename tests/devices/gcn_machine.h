/* SPDX-License-Identifier: MIT */
/*
 * A compute unit that runs the words of one wave. It knows the instructions of harness/amdgpu/amdgpu_code.h,
 * and all buffer instructions, which the model executes. The programs of harness/amdgpu/amdgpu_wrapper.h need
 * no more. The machine does not know cases: it gets the address of the code, user data, and a function that
 * finds memory by GPU address.
 */
#ifndef MISPRINT_TESTS_DEVICES_GCN_MACHINE_H
#define MISPRINT_TESTS_DEVICES_GCN_MACHINE_H

#include "model/amd/buffer.h"

enum { GCN_PAGE = 16384, GCN_VGPRS = 64 };
_Static_assert((int)GCN_PAGE == (int)AMD_MEMORY_BYTES, "the model's memory is a page");

/* What a GPU address is mapped to. */
enum gcn_mapping { GCN_FAULT, GCN_NOTHING /* a partially resident range */, GCN_MEMORY };

/* The state of a wave before an instruction. */
struct gcn_view {
    uint64_t pc, exec;
    const uint32_t *sgpr; /* AMD_SGPRS words */
    const uint32_t (*vgpr)[AMD_LANES];
    uint32_t m0;
};

struct gcn_machine {
    enum amd_generation generation;
    const struct profile *profile;
    void *context;
    /* Returns what `va`, a multiple of GCN_PAGE, is mapped to. If this is memory, sets *at to its GCN_PAGE
     * bytes. */
    enum gcn_mapping (*page)(void *context, uint64_t va, uint8_t **at);
    void (*watch)(void *context, const struct gcn_view *view); /* called before each instruction; or NULL */
    uint32_t never_ends;     /* the first word of an instruction that never ends; 0: none */
    bool atomics_return_odd; /* injected fault that no reading explains: an addition returns the old value
                              * with bit 0 inverted */
};

struct gcn_launch {
    uint64_t code;
    uint32_t user_data[16];
    unsigned user_sgprs, lanes, vgprs, lds_bytes;
};

/* Runs one wave. Returns NULL, or a text about what would fail on hardware. */
const char *gcn_run(const struct gcn_machine *m, const struct gcn_launch *l);

#endif
