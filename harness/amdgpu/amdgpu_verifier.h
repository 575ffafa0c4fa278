/* SPDX-License-Identifier: MIT */
/*
 * What keeps cases of amd-buffer from harm, and the machine from stopping:
 * before a case reaches a GPU it is proven that whatever reading of the
 * documents the silicon follows, no lane reaches beyond the case's memory and
 * the guard around it, and that the wave can neither meet an instruction that
 * halts it nor name a register that is not the case's.
 *
 * Most lanes' addresses are bounded whatever the readings; the others are the
 * model's own, under every combination of those readings that have a say in
 * them; where that is enough, of places apart from range checks. A
 * case for which these are too many is refused, as is all that cannot be decided
 * beforehand, such as an address that an earlier instruction loads.
 */
#ifndef MISPRINT_HARNESS_AMDGPU_AMDGPU_VERIFIER_H
#define MISPRINT_HARNESS_AMDGPU_AMDGPU_VERIFIER_H

#include "harness/amdgpu/amdgpu_wrapper.h"

enum {
    AMDGPU_GUARD = 8 << 20, /* bytes before and behind a case's memory where accesses come to nothing */
    AMDGPU_COMBINATIONS_MAX = 4096, /* of readings that are tried for one instruction */
};

/* The GPU that cases are to run on. */
struct amdgpu_limits {
    enum amd_generation generation;
    enum amd_alignment alignment; /* what the kernel has set */
};

struct amdgpu_verifier;

struct amdgpu_verifier *amdgpu_verifier_new(const struct amdgpu_limits *limits);
void amdgpu_verifier_free(struct amdgpu_verifier *v); /* NULL is fine */

/* From now on nothing is accepted by the largest address that can come of its parts, without a trial: what
 * such acceptance is checked against. */
void amdgpu_verifier_always_try(struct amdgpu_verifier *v);

/* `clean` holds what the case does not give itself. False with the reason: it must not run. */
bool amdgpu_verifier_prove(struct amdgpu_verifier *v, const struct test_case *c,
                           const struct amdgpu_clean *clean, struct error *why);

#endif
