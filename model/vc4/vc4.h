/* SPDX-License-Identifier: MIT */
/*
 * What the parts of the VideoCore IV machine share: vectors of 16 elements, rows of words with their masks,
 * the reasons why a run stops, and the environment of a run. Knows nothing of cases, boards or campaigns.
 *
 * Source for all of model/vc4: "VideoCore IV 3D Architecture Reference Guide", document VideoCoreIV-AG100-R,
 * 16 September 2013, cited as "p57 T32" (page, table). Clauses name their other sources.
 */
#ifndef MISPRINT_MODEL_VC4_VC4_H
#define MISPRINT_MODEL_VC4_VC4_H

#include "model/core/clause.h"
#include "model/core/fidelity.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    VC4_LANES = 16,           /* elements of a vector */
    VC4_VPM_ROWS = 128,       /* rows that a DMA setup's 7-bit Y can name */
    VC4_VPM_ROWS_OF_QPU = 64, /* rows that ADDR of a block setup can name */
    VC4_MEMORY_ROWS = 256,    /* rows of 64 bytes in a case's memory: 16 KB */
};

struct vc4_vector {
    uint32_t lane[VC4_LANES];
} __attribute__((aligned(64)));

/* Rows of 16 words: registers, VPM, memory. */
struct vc4_rows {
    struct vc4_vector *value;
    struct vc4_vector *defined;   /* bit 1 = defined; NULL while definedness is not tracked */
    struct vc4_vector *tolerance; /* model/number/tolerance.h; NULL: the model tracks no tolerances */
    uint64_t *touched;            /* bit first + n: row n was written; NULL: nobody asks */
    uint32_t first;
    uint32_t rows;
};

static inline void vc4_touch(const struct vc4_rows *r, uint32_t row)
{
    uint32_t bit = r->first + row;
    if (r->touched)
        r->touched[bit / 64] |= UINT64_C(1) << (bit % 64);
}

/* Why a QPU stops. The functions of the VPM and the TMU return these reasons, too. vc4_reasons has the
 * texts. */
enum vc4_stop {
    VC4_GO = 0,
    VC4_HANG_LIMIT,        /* the case's instruction limit */
    VC4_HANG_VPM_READ,     /* a VPM read that no setup will ever satisfy */
    VC4_HANG_SEMAPHORE,    /* a semaphore that nobody will ever change */
    VC4_HANG_MUTEX,        /* the mutex, which nobody will release */
    VC4_HANG_BRANCH,       /* two branches too close to each other */
    VC4_FAULT_BREAKPOINT,  /* signal 0 */
    VC4_FAULT_MEMORY,      /* an address outside the case's memory */
    VC4_FAULT_PROGRAM,     /* ran or branched outside the program */
    VC4_FAULT_RESERVED,    /* an encoding or setup word that no document defines */
    VC4_FAULT_UNSUPPORTED, /* needs a TMU, varyings or the tile buffer, and the setup has none */
    VC4_FAULT_UNDEFINED,   /* an undefined bit decides what happens next (checked runs only) */
    VC4_HANG_TMU_FULL,     /* a TMU write to a full FIFO that no load will empty */
    VC4_HANG_TMU_LOAD,     /* a TMU load that no look-up will ever satisfy */
    VC4_HANG_VARYING,      /* a read after the last varying */
    VC4_HANG_SCOREBOARD,   /* a tile buffer access that the scoreboard never admits */
    VC4_STOPS
};
extern const char *const vc4_reasons[VC4_STOPS + 1];
extern const uint8_t vc4_ends[VC4_STOPS];     /* enum end */
bool vc4_stop_is_fault(enum vc4_stop stop);   /* neither VC4_GO nor a hang */
extern const bool vc4_unspecified[VC4_STOPS]; /* no document says what happens, so the model stops */

/* Counts how exact one operation of a checked run is, for units that work without a QPU. `defined`: the mask
 * of its result; NULL: no result. A result with partly defined elements counts as inexact (`tolerance`). */
void vc4_account(struct fidelity *f, enum vc4_stop stop, const struct vc4_vector *defined);

/*
 * Prints `count` elements of `bits` bits: " 3f800000 ...", or " all 3f800000" if all are equal. An element
 * with some undefined bits is followed by ~. An element without any defined bit is printed as question marks.
 */
void vector_print(const struct vc4_vector *v, const struct vc4_vector *defined, unsigned count, unsigned bits,
                  struct text *t);

/* The ways in which a run accesses memory. */
enum vc4_access { VC4_LOADS, VC4_STORES, VC4_TAKES_UNIFORM };

/* A part of memory that a run may access. */
struct vc4_area {
    uint32_t bus, bytes; /* bus address of its first byte; how many */
    uint32_t at;         /* its byte offset in env->memory; a multiple of 64 */
    uint32_t allowed;    /* bit n: enum vc4_access n */
};

/* The first forbidden access of a run. */
enum vc4_breach_kind { VC4_NO_BREACH, VC4_BREACH_LOAD, VC4_BREACH_STORE, VC4_BREACH_UNIFORM, VC4_BREACH_VPM };
struct vc4_breach {
    enum vc4_breach_kind kind;
    /* Bus address and number of bytes. VPM: row and number of rows. Uniform list: index of the word
     * (UINT32_MAX: undefined) and 1. */
    uint32_t at, count;
};

/* What a run may access. harness/verify uses these limits to prove that a program may run on hardware. A
 * load, store or uniform outside the areas stops the run with VC4_FAULT_MEMORY. An access to a VPM row from
 * vpm_rows on only sets `breach`. */
struct vc4_limits {
    const struct vc4_area *area;
    uint32_t areas;
    uint32_t vpm_rows; /* rows below this one may be accessed */
    struct vc4_breach breach;
};

/* The environment of a run; every part of the machine gets it. */
struct vc4_env {
    const struct profile *profile;
    struct coverage *coverage;
    bool checked;         /* track definedness: all vc4_rows have `defined` */
    bool fidelity;        /* checked runs of QPUs: count how exact results are (model/core/fidelity.h) */
    uint32_t filler;      /* value of undefined bits */
    uint32_t memory_base; /* bus address of memory row 0 */
    struct vc4_rows memory;
    struct vc4_limits *limits; /* NULL: the run may access all of the memory and the VPM */
    /* They get the values at the points of the VPM and its DMA (vpm_points.h), and of a TMU (tmu_points.h).
     * NULL: none does. */
    const struct observer *observer, *tmu_observer;
};

/* May the run access all these bytes in this way? `*offset`: their offset in env->memory. */
bool vc4_reach_limited(struct vc4_limits *l, uint32_t address, uint32_t bytes, enum vc4_access how,
                       uint32_t *offset);

static inline bool vc4_reach(const struct vc4_env *env, uint32_t address, uint32_t bytes, enum vc4_access how,
                             uint32_t *offset)
{
    uint32_t room = env->memory.rows * 4 * VC4_LANES;
    if (env->limits)
        return vc4_reach_limited(env->limits, address, bytes, how, offset);
    *offset = address - env->memory_base;
    return *offset <= room && bytes <= room - *offset;
}

/* Records a forbidden access, if it is the first. */
void vc4_breach(struct vc4_limits *l, enum vc4_breach_kind kind, uint32_t at, uint32_t count);

static inline void vc4_note_vpm_rows(const struct vc4_env *env, uint32_t row, uint32_t rows)
{
    if (env->limits && row + rows > env->limits->vpm_rows)
        vc4_breach(env->limits, VC4_BREACH_VPM, row, rows);
}

#endif
