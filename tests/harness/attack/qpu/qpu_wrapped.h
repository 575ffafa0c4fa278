/* SPDX-License-Identifier: MIT */
/*
 * One run of a program as it would be launched: the case's instructions with the code around them
 * (harness/vc4/program/wrapper.h), from the first to the last under one profile. What it may reach is its
 * slot. Owns the machine around the QPU; judges nothing.
 */
#ifndef MISPRINT_TESTS_HARNESS_ATTACK_QPU_QPU_WRAPPED_H
#define MISPRINT_TESTS_HARNESS_ATTACK_QPU_QPU_WRAPPED_H

#include "harness/vc4/program/wrapper.h"
#include "tests/harness/attack/qpu/qpu_probe.h"

/* Where its parts lie. */
extern const struct wrapper_slot qpu_wrapped_slot;
enum { QPU_WRAPPED_STAMP = 0x51A4C0DE };

struct qpu_wrapped;

struct qpu_wrapped *qpu_wrapped_new(void);
void qpu_wrapped_free(struct qpu_wrapped *w);

/* The program of the runs that follow, both of which must stay until the last of them. */
void qpu_wrapped_take(struct qpu_wrapped *w, const struct wrapper_image *image,
                      const struct wrapper_program *program);

/*
 * Runs it; adds to the coverage. What no program has set holds the filler at the beginning. `shared`: it
 * changed a semaphore. Rows of the VPM are not looked at, which the code around a case overruns if loads had
 * the polarity of stores (clause vdw-horiz-vs-vdr-vert), nor is what came out: where a reading spoils that,
 * the stamp is missing on hardware, too.
 */
struct qpu_probe_end qpu_wrapped_run(struct qpu_wrapped *w, const struct profile *profile, uint32_t filler,
                                     struct coverage *coverage);

#endif
