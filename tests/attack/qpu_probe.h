/* SPDX-License-Identifier: MIT */
/*
 * One run of a case on a bare QPU, for attacks: how it ended, and what it did that a unit's run does not tell, such as
 * reading uniforms that nobody gave it. Owns the machine around the QPU; judges nothing.
 */
#ifndef MISPRINT_TESTS_ATTACK_QPU_PROBE_H
#define MISPRINT_TESTS_ATTACK_QPU_PROBE_H

#include "model/unit.h"
#include "model/vc4/vc4.h"

/* What undefined bits hold: as an address it lies outside every case's memory. */
enum { QPU_PROBE_FILLER = 0x5EADBEEC };

struct qpu_probe;

struct qpu_probe_end {
    enum vc4_stop stop;
    uint32_t at;          /* number of the instruction that it stopped in or behind */
    bool uniforms_behind; /* it read a uniform behind the last */
};

struct qpu_probe *qpu_probe_new(void);
void qpu_probe_free(struct qpu_probe *p);

/* Runs a case of unit vc4-qpu into `o`, whose touched rows are right; adds to the coverage. */
struct qpu_probe_end qpu_probe_run(struct qpu_probe *p, const struct test_case *tc, const struct profile *profile,
                                   struct coverage *coverage, struct outcome *o);

#endif
