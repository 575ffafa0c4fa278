/* SPDX-License-Identifier: MIT */
/*
 * Up to twelve QPUs that share one memory, one VPM, sixteen semaphores and a mutex (p14). Owns the order of
 * their turns, and detects when no QPU can go on. Knows nothing of cases, boards or campaigns.
 *
 * The documents do not order the instructions of different QPUs, so a correct program does not depend on
 * their order. The caller chooses the schedule. Seed 0 is round robin. Any other seed gives a random order,
 * the same on every host, so that a program can be tested under many orders.
 *
 * A QPU that waits for a semaphore or the mutex gets no turn until a semaphore or the mutex changes. If every
 * QPU that has not ended waits, the run stops at once. A QPU that can never go on (a VPM read without setup,
 * its instruction limit) stops alone. A fault stops all QPUs.
 */
#ifndef MISPRINT_MODEL_VC4_MACHINE_H
#define MISPRINT_MODEL_VC4_MACHINE_H

#include "model/number/random.h"
#include "model/text/text.h"
#include "model/vc4/qpu/qpu.h"
#include "model/vc4/qpu/qpu_graphics.h"
#include "model/vc4/vpm/vpm.h"

enum { MACHINE_QPUS_MAX = 12, MACHINE_TURN = 64 };

/* One QPU with its registers and VPM. machine_prepare makes the registers undefined. The caller may set them
 * afterwards. */
struct machine_qpu {
    struct vc4_vector ra[32], rb[32], acc[6];
    struct vc4_vector ra_defined[32], rb_defined[32], acc_defined[6];
    struct vpm vpm;
    struct qpu_graphics graphics, second_graphics; /* state of the first thread and of the second thread */
    uint64_t seen;                                 /* shared.changes at the end of its last turn */
    bool runs, waits;                              /* runs: not ended or stopped; waits: for another QPU */
    struct qpu qpu;
};

/* What a QPU starts with. */
struct machine_start {
    const uint32_t *program; /* two words an instruction, low word first */
    uint32_t count, code_base;
    struct qpu_uniforms uniforms;
    uint32_t number;
    bool two_threads;                    /* two threads run the program (p20) */
    struct qpu_uniforms second_uniforms; /* the uniforms of the second thread */
};

struct machine_setup {
    struct vc4_env env;
    struct vc4_rows vpm;
    unsigned qpus;
    const struct machine_start *start; /* one for each QPU */
    uint64_t limit;                    /* most instructions of each QPU */
    uint64_t seed;                     /* of the schedule; 0: round robin */
    uint32_t turn;                     /* most instructions in a turn; 0: MACHINE_TURN */
};

struct machine {
    struct vc4_env env;
    struct qpu_shared shared;
    unsigned qpus;
    struct machine_qpu *part[MACHINE_QPUS_MAX];
    struct random random;
    bool shuffled;
    uint32_t turn;
    unsigned culprit; /* the QPU whose reason machine_run returned */
};

/* machine_in makes a machine in the caller's memory, for programs of up to `instructions`, or
 * QPU_PROGRAM_MAX if that is more. The memory must have machine_bytes bytes, be zeroed, and begin at a
 * multiple of 64. */
size_t machine_bytes(unsigned qpus, uint32_t instructions);
struct machine *machine_in(void *memory, unsigned qpus, uint32_t instructions);

void machine_prepare(struct machine *m, const struct machine_setup *setup);
/* Runs all QPUs until they end or stop. Returns VC4_GO if all ended; otherwise why the QPU `culprit`
 * stopped. */
enum vc4_stop machine_run(struct machine *m);

/* The number of instructions that all QPUs executed. */
uint64_t machine_steps(const struct machine *m);
/* Prints a line for each QPU that did not end. The line says which semaphore the QPU waits for, or which QPU
 * holds the mutex that it waits for, or why it stopped. */
void machine_explain(const struct machine *m, struct text *t);

#endif
