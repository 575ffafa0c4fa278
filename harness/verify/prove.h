/* SPDX-License-Identifier: MIT */
/*
 * Both proofs of a case for a Raspberry Pi, one after the other and without a board: would it be let through,
 * and if not, where and why. The case is proven, wrapped and run dry exactly as user_batch.h does it, at
 * addresses of no meaning.
 */
#ifndef MISPRINT_HARNESS_VERIFY_PROVE_H
#define MISPRINT_HARNESS_VERIFY_PROVE_H

#include "harness/verify/dry_run.h"
#include "model/core/case.h"

enum proof_by {
    PROOF_PASSED,
    PROOF_TRANSLATION, /* of a vc4-vpm case: its operations cannot be made by a program */
    PROOF_STATIC,
    PROOF_WRAPPING, /* no program can bring about its initial state, or it is too long with what loads and
                       dumps it */
    PROOF_DRY_RUN,
    PROOF_KINDS
};
extern const char *const proof_names[PROOF_KINDS]; /* "static proof" */

struct proof {
    enum proof_by by;
    char why[400];   /* "" if it passed; what follows the proof's name, the reading and the instruction */
    int instruction; /* of the case's own program, or of the code around it (dry_run.own false); -1: none in
                        particular */
    char text[100];  /* that instruction; "" if there is none */
    struct dry_run_refusal dry_run; /* if it was refused by that */
    bool uses_vpm, uses_caches;     /* if the static proof passed it */
};

struct prover;
struct prover *prover_new(void); /* aborts without memory (model/core/memory.h) */
void prover_free(struct prover *p);
/* As dry_run_also_under. */
void prover_also_under(struct prover *p, const struct unit *u, const struct profile *profile);

/* Of units vc4-qpu and vc4-vpm; other units are the caller's mistake. True: it would be launched. */
bool prover_judge(struct prover *p, const struct test_case *c, struct proof *out);

#endif
