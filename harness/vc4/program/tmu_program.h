/* SPDX-License-Identifier: MIT */
/*
 * A case of unit vc4-tmu as a program of unit vc4-qpu, so that real QPUs can
 * make its look-ups: vectors to be written stand in register file A, results go
 * to file B. Look-ups have the form that Linux's vc4 driver takes, addresses are
 * counted from the buffer that holds the case's memory. Owns the translation
 * both ways; that the program is safe is the driver's business, whose rules are
 * asked beforehand.
 */
#ifndef MISPRINT_HARNESS_VC4_PROGRAM_TMU_PROGRAM_H
#define MISPRINT_HARNESS_VC4_PROGRAM_TMU_PROGRAM_H

#include "harness/verify/verifier.h"

enum { TMU_PROGRAM_PROFILES = 2, TMU_PROGRAM_LOADS_MAX = 32, TMU_PROGRAM_MEMORY = 64 * VC4_MEMORY_ROWS };

/* The profiles of vc4-tmu by which look-ups are judged: all that come with it. */
void tmu_program_profiles(struct profile profiles[TMU_PROGRAM_PROFILES]);

/*
 * `p` gets the registers that the program sees and changes. False with an error: the driver would refuse a
 * look-up, it would reach what is not the case's, or the program would not end.
 */
bool tmu_program_make(const struct test_case *tmu, const struct profile *profiles, struct test_case *qpu,
                      struct verifier_proof *p, struct error *e);

/* Makes an outcome that holds the results in its rows `r4` one that a board can give: the TMU's own state was
 * not recorded. */
void tmu_program_mask(struct outcome *o);

#endif
