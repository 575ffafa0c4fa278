/* SPDX-License-Identifier: MIT */
/*
 * Runs a case on a bare QPU, and checks each access to memory, to the VPM and to uniforms against what the
 * case may access. Owns the machine around the QPU. Does not decide what is harm. Shares no code with the
 * second proof (harness/verify/dry_run.h), because an attack must not rely on what it attacks.
 */
#ifndef MISPRINT_TESTS_HARNESS_ATTACK_QPU_QPU_PROBE_H
#define MISPRINT_TESTS_HARNESS_ATTACK_QPU_QPU_PROBE_H

#include "harness/verify/verifier.h"
#include "model/core/unit.h"
#include "model/vc4/vc4.h"

/* A value for undefined bits: an address outside every case's memory. */
enum { QPU_PROBE_FILLER = 0x5EADBEEC };

struct qpu_probe;

struct qpu_probe_end {
    enum vc4_stop stop;
    struct vc4_breach breach; /* VC4_NO_BREACH: every access was allowed */
    uint32_t at;              /* number of the instruction at which the run stopped */
    bool shared;              /* the run changed something that all QPUs share */
};

struct qpu_probe *qpu_probe_new(void);
void qpu_probe_free(struct qpu_probe *p);

/*
 * Sets the case for the following runs. The caller must keep `tc` as long. The case may access the VPM rows
 * of user programs, and the memory that the proof names, or all its memory if `proof` is NULL.
 */
void qpu_probe_take(struct qpu_probe *p, const struct test_case *tc, const struct verifier_proof *proof);

/* Runs the case under a profile, and adds what it consults to `coverage`. */
struct qpu_probe_end qpu_probe_run(struct qpu_probe *p, const struct profile *profile, uint32_t filler,
                                   struct coverage *coverage);

#endif
