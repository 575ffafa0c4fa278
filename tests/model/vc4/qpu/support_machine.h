/* SPDX-License-Identifier: MIT */
/* A machine of the VideoCore IV that no unit contains, and rows of memory and VPM for it. */
#ifndef MISPRINT_TESTS_MODEL_VC4_QPU_SUPPORT_MACHINE_H
#define MISPRINT_TESTS_MODEL_VC4_QPU_SUPPORT_MACHINE_H

#include "model/vc4/machine.h"

/* Creates a machine. Release it with free(). */
struct machine *support_machine(unsigned qpus);
/* Returns the readings of profile bcm2835. */
struct profile support_machine_profile(void);

/* Creates rows of zeros, all defined. */
struct vc4_rows support_rows(uint32_t rows);
void support_rows_free(struct vc4_rows *r);

#endif
