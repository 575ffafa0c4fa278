/* SPDX-License-Identifier: MIT */
/*
 * Proves, before a case of amd-buffer reaches a GPU, that it cannot do harm or hang the machine: under every
 * reading of the documents, no lane reaches beyond the case's memory and the guard around it, and the wave
 * neither meets an instruction that halts it nor names a register that is not the case's.
 *
 * For most lanes a bound that holds for all readings is enough. For the others the model computes the
 * addresses under every combination of readings that affect them. It computes places and range checks
 * separately where that proves enough, because this needs fewer combinations. A case is refused if there are
 * too many combinations, or if something is unknown before it runs, such as an address that an earlier
 * instruction loads.
 */
#ifndef MISPRINT_HARNESS_AMDGPU_AMDGPU_VERIFIER_H
#define MISPRINT_HARNESS_AMDGPU_AMDGPU_VERIFIER_H

#include "harness/amdgpu/amdgpu_wrapper.h"

enum {
    AMDGPU_GUARD = 8 << 20,         /* bytes before and behind a case's memory where accesses do nothing */
    AMDGPU_COMBINATIONS_MAX = 4096, /* of readings for one instruction */
};

/* The GPU that cases are to run on. */
struct amdgpu_limits {
    enum amd_generation generation;
    enum amd_alignment alignment; /* as the kernel sets it */
};

struct amdgpu_verifier;

struct amdgpu_verifier *amdgpu_verifier_new(const struct amdgpu_limits *limits);
void amdgpu_verifier_free(struct amdgpu_verifier *v); /* NULL is fine */

/* Turns the faster proofs off: from now on the verifier always tries all combinations. Tests compare both
 * ways. */
void amdgpu_verifier_always_try(struct amdgpu_verifier *v);

/* Returns false with the reason if the case must not run. `clean` has the rows that the case's fill rules
 * make. */
bool amdgpu_verifier_prove(struct amdgpu_verifier *v, const struct test_case *c,
                           const struct amdgpu_clean *clean, struct error *why);

#endif
