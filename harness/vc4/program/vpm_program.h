/* SPDX-License-Identifier: MIT */
/*
 * A case of unit vc4-vpm as a program of unit vc4-qpu, one instruction an
 * operation, so that real QPUs can make its accesses: vectors to be written
 * stand in register file A, what is read goes to file B. Owns the translation
 * both ways; it decides nothing about safety (verifier.h does, on the program).
 */
#ifndef MISPRINT_HARNESS_VC4_PROGRAM_VPM_PROGRAM_H
#define MISPRINT_HARNESS_VC4_PROGRAM_VPM_PROGRAM_H

#include "model/core/outcome.h"
#include "model/core/unit.h"

/* False with an error: an operation that a program cannot make in one instruction, or more reads than there
 * are registers. */
bool vpm_program_make(const struct test_case *vpm, uint32_t memory_base, struct test_case *qpu,
                      struct error *e);

/* Of each row of a program's outcome: its number in the case's, or VPM_PROGRAM_NO_ROW. */
enum { VPM_PROGRAM_NO_ROW = 0xFFFF };
void vpm_program_rows(uint16_t to[OUTCOME_ROWS_MAX]);

/*
 * Makes an outcome that was reset, and has these rows, one that a board can give. Words of wait registers
 * count as not recorded: a program may not keep them (verifier.h).
 */
void vpm_program_mask(const struct test_case *vpm, struct outcome *o);

#endif
