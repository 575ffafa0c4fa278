/* SPDX-License-Identifier: MIT */
/*
 * A case of unit vc4-tmu as a program of unit vc4-qpu, so that real QPUs can make its look-ups. Register file
 * A holds the vectors that the program writes to the TMUs; the results go to file B. Look-ups have the form
 * that Linux's vc4 driver accepts. Addresses count from the start of the buffer that holds the case's memory.
 *
 * Owns the translation both ways. The driver refuses programs that are not safe; tmu_program_make checks its
 * rules in advance.
 */
#ifndef MISPRINT_HARNESS_VC4_PROGRAM_TMU_PROGRAM_H
#define MISPRINT_HARNESS_VC4_PROGRAM_TMU_PROGRAM_H

#include "harness/verify/verifier.h"

enum { TMU_PROGRAM_LOADS_MAX = 32, TMU_PROGRAM_MEMORY = 64 * VC4_MEMORY_ROWS };

/*
 * `p` gets the registers that the program reads and changes. False with an error: the driver would refuse a
 * look-up, a look-up would leave the case's memory under a built-in profile, or the program would not end.
 */
bool tmu_program_make(const struct test_case *tmu, struct test_case *qpu, struct verifier_proof *p,
                      struct error *e);

/* Masks what a board cannot record: the TMU's own state. The rows `r4` of the outcome hold the results. */
void tmu_program_mask(struct outcome *o);

#endif
