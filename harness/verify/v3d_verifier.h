/* SPDX-License-Identifier: MIT */
/*
 * The two proofs of a compute job of V3D: that it ends, and reaches only the case's own memory and uniforms.
 * All clients of the GPU share one page table, so a wild program could destroy buffers of other programs.
 *
 * The static proof reads the program once and executes nothing. Branches go forward only. For each register
 * it knows one word for each lane, or nothing. An address that it does not know refuses the program. What it
 * assumes holds under all readings: a register counts as unknown to the instruction after its write
 * (v3d-rf-forward), accumulators and registers of the payload are never known, and an access reaches 20 bytes
 * around its address (v3d-misaligned). A program that holds a reserved word is refused, and so is one that
 * breaks a restriction, unless only values in registers can depend on it (v3d_breaches.h). These values count
 * as unknown.
 *
 * A barrier must be reached by all batches of each supergroup: the launch starts all of them with all lanes,
 * and the program has no branch. It blocks when its thread switch takes effect, and no result of the TMU is
 * under way then.
 *
 * The dry run executes the case in the model under each built-in profile, and with each other reading of each
 * clause that the case consults. It refuses what does not end, leaves the memory, or depends on an undefined
 * bit or on the order of batches (v3d_sharing.h). The model does not notice what only a jump breaks, so the
 * dry run refuses broken restrictions where the static proof does.
 */
#ifndef MISPRINT_HARNESS_VERIFY_V3D_VERIFIER_H
#define MISPRINT_HARNESS_VERIFY_V3D_VERIFIER_H

#include "model/core/error.h"
#include "model/core/unit.h"

/* Why a proof refused a case. `instruction`: its number; -1: the refusal is not about one. */
struct v3d_refusal {
    int instruction;
    struct error why;
};

/* `window`: the bus address of the case's memory. */
bool v3d_verifier_prove(const struct test_case *c, uint32_t window, struct v3d_refusal *r);

struct v3d_dry_run;
struct v3d_dry_run *v3d_dry_run_new(void);
void v3d_dry_run_free(struct v3d_dry_run *d); /* NULL is fine */
/* `profile`: also run under this profile; or NULL. */
bool v3d_dry_run(struct v3d_dry_run *d, const struct test_case *c, const struct profile *profile,
                 struct v3d_refusal *r);

#endif
