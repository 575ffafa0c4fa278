/* SPDX-License-Identifier: MIT */
/*
 * Both proofs of a case for a Raspberry Pi, without a board: would the case be launched, and if not, where
 * and why not? The case is proven, wrapped and run dry as in user_launch.h, at made-up addresses.
 */
#ifndef MISPRINT_HARNESS_VERIFY_PROVE_H
#define MISPRINT_HARNESS_VERIFY_PROVE_H

#include "harness/verify/dry_run.h"
#include "model/core/case.h"

enum proof_by {
    PROOF_PASSED,
    PROOF_TRANSLATION, /* a case of vc4-vpm whose operations no program can perform */
    PROOF_STATIC,
    PROOF_WRAPPING, /* no program can set its initial state, or the program would be too long */
    PROOF_DRY_RUN,
    PROOF_MODEL_RUN, /* v3d-qpu: the run in the model */
    PROOF_KINDS
};
extern const char *const proof_names[PROOF_KINDS]; /* "static proof" */

struct proof {
    enum proof_by by;
    char why[400]; /* the reason, without profile and instruction; "" if it passed */
    /* Number of the refused instruction in the case's program, or in the code around it (!dry_run.own); -1:
     * the refusal is not about one instruction. */
    int instruction;
    char text[100];                 /* that instruction; "" if there is none */
    struct dry_run_refusal dry_run; /* set if `by` is PROOF_DRY_RUN */
    bool uses_vpm, uses_caches;     /* set if the static proof passed the case */
};

struct prover;
struct prover *prover_new(void);
void prover_free(struct prover *p); /* NULL is fine */
/* As dry_run_set_campaign. */
void prover_set_campaign(struct prover *p, const struct unit *u, const struct profile *profile);

/* Checks a case of unit vc4-qpu, vc4-vpm or v3d-qpu. True: it would be launched. */
bool prover_judge(struct prover *p, const struct test_case *c, struct proof *out);

#endif
