/* SPDX-License-Identifier: MIT */
/*
 * Which operands an instruction of a case may have when it runs on a GPU inside our program: registers of the
 * case, scalars and V#s that mean the same as in the model, and nothing known only at run time.
 * amdgpu_verifier.h checks where its addresses go.
 */
#ifndef MISPRINT_HARNESS_AMDGPU_AMDGPU_OPERANDS_H
#define MISPRINT_HARNESS_AMDGPU_AMDGPU_OPERANDS_H

#include "model/amd/buffer.h"
#include "model/core/error.h"

struct amdgpu_operands {
    enum amd_generation generation;
    uint32_t foreign; /* bits of a V#'s last word that change more than addressing and data */
    struct amdgpu_loaded {
        /* registers that earlier instructions of the case load: their content is unknown before it runs */
        uint64_t vgpr, sgpr[AMD_SGPRS / 64];
        bool scalar; /* the scalar cache was filled; */
        bool stale;  /* then something was stored, which that cache does not see */
    } loaded;
};

void amdgpu_operands_make(struct amdgpu_operands *o, enum amd_generation g);
/* Begins a case: nothing is loaded. */
void amdgpu_operands_begin(struct amdgpu_operands *o);

/* `w` has the case's scalar registers, its lanes and its number of vector registers; `number` is the
 * instruction's. Returns false with the reason. */
bool amdgpu_operands_check(const struct amdgpu_operands *o, const struct amd_wave *w, unsigned number,
                           const struct amd_insn *i, struct error *why);
/* Notes what an accepted instruction loads and stores, for the checks of later ones. */
void amdgpu_operands_note(struct amdgpu_operands *o, const struct amd_insn *i);

#endif
