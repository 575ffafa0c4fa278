/* SPDX-License-Identifier: MIT */
/*
 * A case of unit vc4-vpm as a program of unit vc4-qpu, with one instruction for each operation, so that real
 * QPUs can make its accesses. Vectors to be written are in register file A, and vectors that are read go to
 * file B. Owns the translation both ways. The verifier decides whether the program is safe (verifier.h).
 */
#ifndef MISPRINT_HARNESS_VC4_PROGRAM_VPM_PROGRAM_H
#define MISPRINT_HARNESS_VC4_PROGRAM_VPM_PROGRAM_H

#include "model/core/outcome.h"
#include "model/core/unit.h"

/* False with an error: an operation does not fit one instruction, or there are more reads than registers. */
bool vpm_program_make(const struct test_case *vpm, uint32_t memory_base, struct test_case *qpu,
                      struct error *e);

/* For each row of a program's outcome, its number in the case's outcome, or VPM_PROGRAM_NO_ROW. */
enum { VPM_PROGRAM_NO_ROW = 0xFFFF };
void vpm_program_rows(uint16_t to[OUTCOME_ROWS_MAX]);

/* Masks what a board cannot record in an outcome that was reset and has these rows: the words of wait
 * registers, which a program may not keep (verifier.h). */
void vpm_program_mask(const struct test_case *vpm, struct outcome *o);

#endif
