/* SPDX-License-Identifier: MIT */
/*
 * Several QPUs at work together: up to twelve, with one memory, one VPM, the
 * sixteen semaphores and the mutex between them (p14). Owns the order in which
 * they take turns, and finds out when none can go on. Knows nothing of cases,
 * boards or campaigns.
 *
 * The documents do not say in which order instructions of different QPUs
 * happen, so a right program does not depend on it. The schedule is the
 * caller's: seed 0 takes the QPUs in turn; any other seed is an order of its
 * own, the same on every machine, to try a program under many.
 *
 * A QPU that waits for a semaphore or the mutex waits without cost until one of
 * them changes. When all that have not ended wait, that is seen at once. A QPU
 * that can never go on (a VPM read without setup, its instruction limit) stops
 * alone, and the others go on; a fault stops all.
 */
#ifndef MISPRINT_MODEL_VC4_MACHINE_H
#define MISPRINT_MODEL_VC4_MACHINE_H

#include "model/number/random.h"
#include "model/text/text.h"
#include "model/vc4/qpu/qpu.h"
#include "model/vc4/qpu/qpu_graphics.h"
#include "model/vc4/vpm/vpm.h"

enum { MACHINE_QPUS_MAX = 12, MACHINE_TURN = 64 };

/* One QPU with what is its own. Registers are the machine's: machine_prepare makes them undefined, the caller
 * may set them then. */
struct machine_qpu {
    struct vc4_vector ra[32], rb[32], acc[6];
    struct vc4_vector ra_defined[32], rb_defined[32], acc_defined[6];
    struct vpm vpm;
    struct qpu_graphics graphics, second_graphics; /* of its first and its second thread */
    uint64_t seen;                                 /* shared.changes when it began to wait */
    bool runs, waits;                              /* neither: it has ended or stopped */
    struct qpu qpu;
};

/* What a QPU starts with. */
struct machine_start {
    const uint32_t *program; /* two words an instruction, low word first */
    uint32_t count, code_base;
    struct qpu_uniforms uniforms;
    uint32_t number;
    bool two_threads;                    /* two threads of the program (p20) ... */
    struct qpu_uniforms second_uniforms; /* ... of which the second one has these */
};

struct machine_setup {
    struct vc4_env env;
    struct vc4_rows vpm;
    unsigned qpus;
    const struct machine_start *start; /* one for each QPU */
    uint64_t limit;                    /* instructions of each QPU */
    uint64_t seed;                     /* of the schedule; 0: in turn */
    uint32_t turn; /* most instructions a QPU executes before the next has its turn; 0: MACHINE_TURN */
};

struct machine {
    struct vc4_env env;
    struct qpu_shared shared;
    unsigned qpus;
    struct machine_qpu *part[MACHINE_QPUS_MAX];
    struct random random;
    bool shuffled;
    uint32_t turn;
    unsigned culprit; /* the QPU that gave the reason */
};

/* A machine with room for so many QPUs in the caller's memory: machine_bytes(qpus) bytes, at a multiple of
 * 64, zeroed. */
size_t machine_bytes(unsigned qpus);
struct machine *machine_in(void *memory, unsigned qpus);

void machine_prepare(struct machine *m, const struct machine_setup *setup);
/* Runs all QPUs to their ends; VC4_GO, or the reason of the QPU `culprit`. */
enum vc4_stop machine_run(struct machine *m);

/* Instructions executed, of all QPUs. */
uint64_t machine_steps(const struct machine *m);
/* One line for each QPU that did not end: what it waits for and who has it, or why it stopped. */
void machine_explain(const struct machine *m, struct text *t);

#endif
