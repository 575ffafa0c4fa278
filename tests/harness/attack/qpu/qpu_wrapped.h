/* SPDX-License-Identifier: MIT */
/*
 * Runs a program as it would be launched: the case's instructions and the code around them
 * (harness/vc4/program/wrapper.h), all under one profile. It may access only its slot. Owns the machine
 * around the QPU; judges nothing.
 */
#ifndef MISPRINT_TESTS_HARNESS_ATTACK_QPU_QPU_WRAPPED_H
#define MISPRINT_TESTS_HARNESS_ATTACK_QPU_QPU_WRAPPED_H

#include "harness/vc4/program/wrapper.h"
#include "tests/harness/attack/qpu/qpu_probe.h"

/* The addresses of its parts. */
extern const struct wrapper_slot qpu_wrapped_slot;
enum { QPU_WRAPPED_STAMP = 0x51A4C0DE };

struct qpu_wrapped;

struct qpu_wrapped *qpu_wrapped_new(void);
void qpu_wrapped_free(struct qpu_wrapped *w);

/* Sets the program for the following runs; the caller keeps both arguments meanwhile. */
void qpu_wrapped_take(struct qpu_wrapped *w, const struct wrapper_image *image,
                      const struct wrapper_program *program);

/*
 * Runs the program, and adds to the coverage. Everything that no program sets begins as the filler. `shared`:
 * it changed a semaphore. Does not check VPM rows, which the code around a case overruns if loads have the
 * polarity of stores (clause vdw-horiz-vs-vdr-vert). Does not check the output either: where a reading
 * damages it, the stamp is missing on hardware, too.
 */
struct qpu_probe_end qpu_wrapped_run(struct qpu_wrapped *w, const struct profile *profile, uint32_t filler,
                                     struct coverage *coverage);

#endif
