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
 * load_tmu0, load_tmu1) is tmu_load. A value comes with `defined`, a mask of its
 * defined bits. The functions use the mask only if env->checked; otherwise it may
 * be NULL. The caller clears the masks of elements whose condition failed, and
 * chooses one of the two TMUs (TMU_NOSWAP).
 *
 * A function that can stop the QPU returns VC4_GO or why it stops.
 */
#ifndef MISPRINT_MODEL_VC4_TMU_TMU_H
#define MISPRINT_MODEL_VC4_TMU_TMU_H

#include "model/vc4/tmu/tmu_texture.h"
#include "model/vc4/vc4.h"

enum {
    TMU_FIFO_SLOTS = 8,     /* parameters in TFREQ, and words in TFRCV (p39-40) */
    TMU_RESULTS_MAX = 16,   /* result words that can wait, under any reading of tmu-fifo-8 */
    TMU_PARAMETERS_MAX = 4, /* of one look-up */
};

/* A look-up whose result words were not all loaded yet. */
struct tmu_lookup {
    uint8_t slots;         /* slots in TFREQ, one for each register write */
    uint8_t words, loaded; /* number of result words, and of those loaded */
    bool direct;           /* a general-memory look-up */
    uint8_t first;         /* index of its first result word in `result` */
};

struct tmu {
    const struct vc4_env *env;
    unsigned clause_base; /* index of the first of tmu_clauses in the unit */
    uint32_t slots;       /* slots of each FIFO for this QPU: TMU_FIFO_SLOTS; half with two threads (p40) */

    /* the look-up whose registers are being written */
    uint32_t written;    /* bit TMU_x: this register was written */
    uint32_t writes;     /* number of register writes */
    uint32_t parameters; /* number of uniforms taken */
    uint32_t parameter[TMU_PARAMETERS_MAX];
    struct tmu_request request;

    /* started look-ups, oldest first: a ring with `lookups` entries from `oldest` on */
    struct tmu_lookup lookup[TMU_RESULTS_MAX];
    uint32_t oldest, lookups;
    uint32_t results; /* words produced so far; the next goes to entry results % TMU_RESULTS_MAX */
    struct vc4_vector result[TMU_RESULTS_MAX], result_defined[TMU_RESULTS_MAX],
        result_tolerance[TMU_RESULTS_MAX];
    /* Set only with an observer: the last answer of tmu_takes_uniform, and whether the write that follows
     * starts a general-memory look-up. */
    bool takes, direct;
    uint32_t loaded; /* entry of the word that was loaded last */

    struct tmu_texture texture; /* of the last look-up, because most look-ups repeat their parameters */
    bool texture_set;
};

/* Resets the unit. Sets `slots` to TMU_FIFO_SLOTS; for two threads, change it afterwards. */
void tmu_reset(struct tmu *t, const struct vc4_env *env, unsigned clause_base);

/* Does the next write of this register take a uniform (p40, p41; clauses tmu-uniform-direct,
 * tmu-param-order)? Call it exactly once before each write. */
bool tmu_takes_uniform(struct tmu *t, enum tmu_register reg);

/* Writes a register. `uniform` is used only if tmu_takes_uniform returned true. */
enum vc4_stop tmu_write(struct tmu *t, enum tmu_register reg, const struct vc4_vector *value,
                        const struct vc4_vector *defined, uint32_t uniform, uint32_t uniform_defined);

/* Executes a load signal: returns the oldest result word that was not loaded yet. */
enum vc4_stop tmu_load(struct tmu *t, struct vc4_vector *value, struct vc4_vector *defined);
/* The tolerances (model/number/tolerance.h) of the word that was loaded last. Only in checked runs. */
const struct vc4_vector *tmu_loaded_tolerance(const struct tmu *t);

uint32_t tmu_slots_taken(const struct tmu *t);
uint32_t tmu_results_waiting(const struct tmu *t);
/* The same, as rules left them. */
uint32_t tmu_slots_held(const struct tmu *t);
uint32_t tmu_results_held(const struct tmu *t);

#endif
