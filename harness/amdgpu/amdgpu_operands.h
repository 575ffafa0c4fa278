/* SPDX-License-Identifier: MIT */
/*
 * Checks the operands of a case's instruction before our program runs it on a GPU. The instruction may name
 * registers of the case, and scalars and V#s that mean the same on the GPU as in the model. It may use no
 * address or V# that is known only at run time. amdgpu_verifier.h checks the addresses themselves.
 */
#ifndef MISPRINT_HARNESS_AMDGPU_AMDGPU_OPERANDS_H
#define MISPRINT_HARNESS_AMDGPU_AMDGPU_OPERANDS_H

#include "model/amd/buffer.h"
#include "model/core/error.h"

struct amdgpu_operands {
    enum amd_generation generation;
    uint32_t foreign; /* bits of a V#'s last word that change more than addressing and data */
    struct amdgpu_loaded {
        /* registers that earlier instructions of the case load: unknown until the case runs */
        uint64_t vgpr, sgpr[AMD_SGPRS / 64];
        bool scalar; /* an earlier instruction filled the scalar cache */
        bool stale;  /* after that, one stored to memory, so the scalar cache may hold old data */
    } loaded;
};

void amdgpu_operands_make(struct amdgpu_operands *o, enum amd_generation g);
/* Begins a case: nothing is loaded. */
void amdgpu_operands_begin(struct amdgpu_operands *o);

/* Returns false with the reason if the instruction must not run. `w` has the case's scalar registers, its
 * lanes and its number of vector registers; `number` is the instruction's place in the case. */
bool amdgpu_operands_check(const struct amdgpu_operands *o, const struct amd_wave *w, unsigned number,
                           const struct amd_insn *i, struct error *why);
/* Notes what an accepted instruction loads and stores, for the checks of later ones. */
void amdgpu_operands_note(struct amdgpu_operands *o, const struct amd_insn *i);

#endif
