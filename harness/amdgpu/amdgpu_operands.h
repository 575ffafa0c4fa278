/* SPDX-License-Identifier: MIT */
/*
 * Which operands an instruction of a case may have, when it runs on a GPU amid
 * a program of ours: registers that are the case's, scalars and V#s that mean
 * the same there as in the model, and nothing that is known only when the case
 * runs. Where its addresses go is amdgpu_verifier.h's matter.
 */
#ifndef MISPRINT_HARNESS_AMDGPU_AMDGPU_OPERANDS_H
#define MISPRINT_HARNESS_AMDGPU_AMDGPU_OPERANDS_H

#include "model/amd/buffer.h"
#include "model/core/error.h"

struct amdgpu_operands {
    enum amd_generation generation;
    uint32_t
        foreign; /* bits of a V#'s last word that say more than how memory is addressed and what it holds */
    struct amdgpu_loaded {
        uint64_t vgpr,
            sgpr[AMD_SGPRS / 64]; /* by earlier instructions of the case: nobody knows it before it has run */
        bool scalar, stale; /* through the scalar cache; and since then something was stored, of which that
                               cache learns nothing */
    } loaded;
};

void amdgpu_operands_make(struct amdgpu_operands *o, enum amd_generation g);
/* A case begins: nothing is loaded. */
void amdgpu_operands_begin(struct amdgpu_operands *o);

/* `w` holds the case's scalar registers and how many lanes and vector registers it has; `number` is the
 * instruction's. False with the reason. */
bool amdgpu_operands_check(const struct amdgpu_operands *o, const struct amd_wave *w, unsigned number,
                           const struct amd_insn *i, struct error *why);
/* An instruction that was found good runs before those that come now. */
void amdgpu_operands_note(struct amdgpu_operands *o, const struct amd_insn *i);

#endif
