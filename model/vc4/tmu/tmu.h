/* SPDX-License-Identifier: MIT */
/*
 * One texture and memory look-up unit as one QPU sees it (p39-45): the registers
 * S, T, R, B that request a look-up, the parameters that uniforms supply, the
 * request and result FIFOs, and the load signal that moves a result to r4.
 * Knows nothing of QPUs and cases. Memory is env->memory.
 *
 * A write of a register:
 *
 *     if (tmu_takes_uniform(t, TMU_T))
 *         take the next uniform of the stream: word, word_defined;
 *     stop = tmu_write(t, TMU_T, &value, &defined, word, word_defined);
 *
 * The write of S starts the look-up, which takes no time. A load (signals
 * load_tmu0, load_tmu1) is tmu_load. A value comes with a mask of its defined
 * bits, `defined`, which is ignored, and may be NULL, unless env->checked. The
 * caller clears the masks of elements whose condition failed, and decides which
 * of two TMUs is meant (TMU_NOSWAP).
 *
 * A function that can stop the QPU returns VC4_GO or why it stops.
 */
#ifndef MISPRINT_MODEL_VC4_TMU_TMU_H
#define MISPRINT_MODEL_VC4_TMU_TMU_H

#include "model/vc4/tmu/tmu_texture.h"
#include "model/vc4/vc4.h"

enum {
    TMU_FIFO_SLOTS = 8,     /* parameters in TFREQ, and words in TFRCV (p39-40) */
    TMU_RESULTS_MAX = 16,   /* result words that can wait under any reading */
    TMU_PARAMETERS_MAX = 4, /* of one look-up */
};

/* A look-up that was started and whose result words are not all loaded. */
struct tmu_lookup {
    uint8_t slots;         /* registers written for it */
    uint8_t words, loaded; /* result words, and how many of them were loaded */
    bool direct;           /* a general-memory look-up */
    uint8_t first;         /* index of its first word in `result` */
};

struct tmu {
    const struct vc4_env *env;
    unsigned clause_base; /* the unit's index of the first of tmu_clauses */
    uint32_t slots;       /* of each FIFO for this QPU: TMU_FIFO_SLOTS, half of it with two threads (p40) */

    /* the look-up being written */
    uint32_t written;    /* bit TMU_x: that register was written */
    uint32_t writes;     /* register writes */
    uint32_t parameters; /* uniforms taken */
    uint32_t parameter[TMU_PARAMETERS_MAX];
    struct tmu_request request;

    /* look-ups started, oldest first: a ring of `lookups` entries from `oldest` on */
    struct tmu_lookup lookup[TMU_RESULTS_MAX];
    uint32_t oldest, lookups;
    uint32_t results; /* result words so far; the next one is results % TMU_RESULTS_MAX of the ring */
    struct vc4_vector result[TMU_RESULTS_MAX], result_defined[TMU_RESULTS_MAX];

    struct tmu_texture texture; /* of the last texture look-up: most look-ups repeat their parameters */
    bool texture_set;
};

/* Empties it. `slots` becomes TMU_FIFO_SLOTS; change it afterwards for two threads. */
void tmu_reset(struct tmu *t, const struct vc4_env *env, unsigned clause_base);

/* Whether the next write of this register takes a uniform (p40, p41; clauses tmu-uniform-direct,
 * tmu-param-order). Call it once before each write. */
bool tmu_takes_uniform(struct tmu *t, enum tmu_register reg);

/* A write. `uniform` is used only if tmu_takes_uniform returned true. */
enum vc4_stop tmu_write(struct tmu *t, enum tmu_register reg, const struct vc4_vector *value,
                        const struct vc4_vector *defined, uint32_t uniform, uint32_t uniform_defined);

/* A load signal: returns the oldest result word that was not loaded yet. */
enum vc4_stop tmu_load(struct tmu *t, struct vc4_vector *value, struct vc4_vector *defined);

uint32_t tmu_slots_taken(const struct tmu *t);
uint32_t tmu_results_waiting(const struct tmu *t);

#endif
