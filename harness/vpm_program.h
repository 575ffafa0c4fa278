/* SPDX-License-Identifier: MIT */
/*
 * A case of unit vc4-vpm as a program of unit vc4-qpu, one instruction an
 * operation, so that real QPUs can make its accesses: vectors to be written
 * stand in register file A, what is read goes to file B. Owns the translation
 * both ways; it decides nothing about safety (verifier.h does, on the program).
 */
#ifndef MISPRINT_HARNESS_VPM_PROGRAM_H
#define MISPRINT_HARNESS_VPM_PROGRAM_H

#include "model/unit.h"

/* False with an error: an operation that a program cannot make in one instruction, or more reads than there are registers. */
bool vpm_program_make(const struct test_case *vpm, uint32_t memory_base, struct test_case *qpu, struct error *e);

/*
 * What the program left, as the outcome of the case. Words of wait registers
 * count as not recorded: a program may not keep them (verifier.h).
 */
void vpm_program_outcome(const struct test_case *vpm, const struct outcome *of_program, struct outcome *o);

#endif
