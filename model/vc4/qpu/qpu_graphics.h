/* SPDX-License-Identifier: MIT */
/*
 * The units that shaders use in addition to registers and the VPM: two TMUs (tmu.h), the varyings of their
 * pixels, and their pixels in the tile buffer (p39-52). This file owns the depth and stencil tests and the
 * order of samples.
 *
 * The rasteriser is not modelled. The caller supplies what it would provide: partial products of varyings,
 * coefficients, covered samples, and the old content of the tile. Sixteen elements are four quads of pixels.
 * A pixel has four samples.
 */
#ifndef MISPRINT_MODEL_VC4_QPU_QPU_GRAPHICS_H
#define MISPRINT_MODEL_VC4_QPU_QPU_GRAPHICS_H

#include "model/vc4/qpu/qpu.h"
#include "model/vc4/tmu/tmu.h"

enum qpu_stage { QPU_STAGE_USER, QPU_STAGE_COORDINATE, QPU_STAGE_VERTEX, QPU_STAGE_FRAGMENT, QPU_STAGES };
extern const char *const qpu_stage_names[QPU_STAGES + 1];

/* Rows of a tile: one element a pixel. */
enum qpu_tile_row {
    QPU_TILE_COLOUR, /* four samples */
    QPU_TILE_Z = 4,  /* 24 bits */
    QPU_TILE_STENCIL,
    QPU_TILE_ALPHA_MASK,
    QPU_TILE_COVERAGE,
    QPU_TILE_ROWS
};
enum { QPU_SAMPLES = 4, QPU_VARYINGS_MAX = 32 };
extern const char *const qpu_tile_row_names[QPU_TILE_ROWS + 1];

/* The function that compares a written Z with the tile's (configuration bits of the control list, p71). The
 * codes are those of p48 T26. */
enum qpu_test {
    QPU_NEVER,
    QPU_LESS,
    QPU_EQUAL,
    QPU_LESS_EQUAL,
    QPU_GREATER,
    QPU_NOT_EQUAL,
    QPU_GREATER_EQUAL,
    QPU_ALWAYS,
    QPU_TESTS
};
extern const char *const qpu_test_names[QPU_TESTS + 1];

/* The caller fills in this state after qpu_graphics_reset. From then on only the QPU changes it. */
struct qpu_graphics {
    enum qpu_stage stage;
    enum qpu_test depth_test;
    struct vc4_rows varyings; /* two rows each: A and B's part, which VARYING_READ returns, and C (p51) */
    uint32_t varying_count, varying_next;
    struct vc4_rows tile;                 /* QPU_TILE_ROWS rows */
    uint32_t sample_written, sample_read; /* next sample of TLB_COLOUR_MS writes, and of colour loads */
    uint32_t stencil[2],
        stencil_mask[2];          /* setup of front and back faces; mask of the bits that may be written */
    bool stencil_set;             /* a setup was written, so the stencil test is on */
    bool waited_early;            /* one of the first two instructions waited for the scoreboard (HW-2796) */
    bool no_swap, no_swap_before; /* TMU_NOSWAP now, and before its last write */
    uint64_t no_swap_written;     /* 1 + step number of the write; 0: never */
    uint64_t uniform_read;        /* 1 + step number of the last read of a uniform */
    uint32_t uniform_word, uniform_defined; /* the word of that uniform */
    uint64_t z_written;                     /* 1 + step number of the last TLB_Z write; 0: none */
    struct qpu_value ms_before;             /* MS_FLAGS before the last TLB_Z write */
    struct tmu tmu[2];
};

void qpu_graphics_reset(struct qpu_graphics *g, const struct vc4_env *env);

/* Prints the values that the last step loaded for r4 and r5 and that have not arrived yet, as
 * "; r4 = all 3f000000". For qpu.watch of a checked run. */
void qpu_print_arrivals(const struct qpu *q, struct text *t);

/* ---- for the QPU's files ---- */

void qpu_load_tmu(struct qpu *q, unsigned tmu);     /* signals 10, 11 */
void qpu_load_tile(struct qpu *q, unsigned signal); /* signals 7, 8, 12 */
void qpu_wait_scoreboard(struct qpu *q);            /* signal 4 */
/* qpu_io.c: gives the word of element 0, the only one that setups and addresses use (p55-56). False:
 * the condition of element 0 failed, or the QPU stopped. */
bool qpu_first_word(struct qpu *q, unsigned file, unsigned address, const struct qpu_result *r,
                    uint32_t *word, uint32_t *defined);
/* step/qpu_observe.c: passes the sign of the operands of a special function, invalid operands and those out
 * of range. Where a rule changes one, changes the result. */
void qpu_observe_sfu(const struct qpu *q, unsigned function, unsigned address, unsigned file,
                     const struct vc4_vector *operand, struct vc4_vector *result);
/* Brings arriving_r4 and arriving_r5 to r4 and r5, if they are due at step number `now` or before. */
void qpu_deliver_arrivals(struct qpu *q, uint64_t now);
void qpu_read_varying(struct qpu *q, struct qpu_value *out);
void qpu_write_noswap(struct qpu *q, unsigned file, const struct qpu_result *r);
void qpu_write_tmu(struct qpu *q, unsigned address, struct qpu_result *r);
void qpu_write_tile(struct qpu *q, unsigned file, unsigned address, struct qpu_result *r);

#endif
