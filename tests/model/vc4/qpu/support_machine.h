/* SPDX-License-Identifier: MIT */
/* A machine of the VideoCore IV without a unit around it, and the rows of memory and VPM that it works on. */
#ifndef MISPRINT_TESTS_MODEL_VC4_QPU_SUPPORT_MACHINE_H
#define MISPRINT_TESTS_MODEL_VC4_QPU_SUPPORT_MACHINE_H

#include "model/vc4/machine.h"

/* The caller frees the machine with free(). */
struct machine *support_machine(unsigned qpus);
/* The readings of profile bcm2835. */
struct profile support_machine_profile(void);

/* Rows of zeros, all defined. */
struct vc4_rows support_rows(uint32_t rows);
void support_rows_free(struct vc4_rows *r);

#endif
