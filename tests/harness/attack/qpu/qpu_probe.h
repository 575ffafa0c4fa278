/* SPDX-License-Identifier: MIT */
/*
 * One run of a case on a bare QPU that is watched: each access to memory, to the VPM and to uniforms is held
 * against what the case may touch. Owns the machine around the QPU; judges nothing. The second proof
 * (harness/verify/dry_run.h) has a machine of its own: an attack must not rely on what it attacks.
 */
#ifndef MISPRINT_TESTS_HARNESS_ATTACK_QPU_QPU_PROBE_H
#define MISPRINT_TESTS_HARNESS_ATTACK_QPU_QPU_PROBE_H

#include "harness/verify/verifier.h"
#include "model/core/unit.h"
#include "model/vc4/vc4.h"

/* What undefined bits hold: as an address it lies outside every case's memory. */
enum { QPU_PROBE_FILLER = 0x5EADBEEC };

struct qpu_probe;

struct qpu_probe_end {
    enum vc4_stop stop;
    struct vc4_breach breach; /* VC4_NO_BREACH: it touched nothing that is not its own */
    uint32_t at;              /* number of the instruction that it stopped in or behind */
    bool shared;              /* it changed what all QPUs share */
};

struct qpu_probe *qpu_probe_new(void);
void qpu_probe_free(struct qpu_probe *p);

/*
 * The case of the runs that follow, which must stay until the last of them. It may touch what the proof
 * names; without one (NULL) all of its memory. Of the VPM it has the rows of user programs.
 */
void qpu_probe_take(struct qpu_probe *p, const struct test_case *tc, const struct verifier_proof *proof);

/* Runs it under a profile; adds to the coverage. */
struct qpu_probe_end qpu_probe_run(struct qpu_probe *p, const struct profile *profile, uint32_t filler,
                                   struct coverage *coverage);

#endif
