/* SPDX-License-Identifier: MIT */
/*
 * Runs a program as the harness launches it, all under one profile: the case's instructions and the code
 * around them (harness/vc4/program/wrapper.h). The program may access only its slot. Owns the machine around
 * the QPU. Does not decide what is harm.
 */
#ifndef MISPRINT_TESTS_HARNESS_ATTACK_QPU_QPU_WRAPPED_H
#define MISPRINT_TESTS_HARNESS_ATTACK_QPU_QPU_WRAPPED_H

#include "harness/vc4/program/wrapper.h"
#include "tests/harness/attack/qpu/qpu_probe.h"

/* The addresses of the slot's parts. */
extern const struct wrapper_slot qpu_wrapped_slot;
enum { QPU_WRAPPED_STAMP = 0x51A4C0DE };

struct qpu_wrapped;

struct qpu_wrapped *qpu_wrapped_new(void);
void qpu_wrapped_free(struct qpu_wrapped *w);

/* Sets the program for the following runs. The caller must keep both arguments as long. */
void qpu_wrapped_take(struct qpu_wrapped *w, const struct wrapper_image *image,
                      const struct wrapper_program *program);

/*
 * Runs the program, and adds what it consults to `coverage`. State that the program does not set begins as
 * `filler`. `shared` of the result: the program changed a semaphore. Does not check VPM rows, because under
 * one reading of clause vdw-horiz-vs-vdr-vert (loads have the polarity of stores) the code around the case
 * overruns them. Does not check the output, because if a reading damages it, the stamp is missing on hardware
 * too.
 */
struct qpu_probe_end qpu_wrapped_run(struct qpu_wrapped *w, const struct profile *profile, uint32_t filler,
                                     struct coverage *coverage);

#endif
