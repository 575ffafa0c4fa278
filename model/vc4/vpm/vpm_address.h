/* SPDX-License-Identifier: MIT */
/*
 * Which bits of the VPM an element of a vector touches: {mode, ADDR, element}
 * -> (row, column, bit shift), for the twelve modes of block access (p54-55
 * figures 8 and 9, p57 T32). This is the one place where ADDR is taken apart;
 * what the clauses leave open about it comes in as a struct vpm_addressing.
 */
#ifndef MISPRINT_MODEL_VC4_VPM_VPM_ADDRESS_H
#define MISPRINT_MODEL_VC4_VPM_VPM_ADDRESS_H

#include "model/vc4/vc4.h"

enum { VPM_MODES = 16 };

/* A mode is bits 11:8 of a block setup: HORIZ, LANED, SIZE. */
struct vpm_mode {
    uint8_t bits;     /* of an element: 8, 16, 32; 0: reserved */
    uint8_t sub_bits; /* low bits of ADDR that choose among a vector's bytes (B) or halves (H): 2, 1, 0 */
    uint8_t per_word; /* elements a word: 4, 2 if packed, else 1 */
    bool horizontal;  /* the vector lies along a row, else along a column */
    uint8_t clause;   /* that speaks about the mode's ADDR; VPM_NO_CLAUSE: none */
};
enum { VPM_NO_CLAUSE = 255 };
extern const struct vpm_mode vpm_modes[VPM_MODES];

/* How ADDR is understood: as the profile has it when a setup is written, but for `base_row`, which follows
 * ADDR as it is stepped. */
struct vpm_addressing {
    uint8_t y_mask;    /* of the row field in horizontal modes */
    uint8_t row_scale; /* rows are the row field shifted left by this */
    uint8_t base_row;  /* added to every row: 0, or 64 */
};

/* Where one vector lies: `count` words from (row, col) on, along the row or down the column. */
struct vpm_span {
    uint32_t row, col;
    uint32_t shift; /* of the element in its word; packed elements follow each other from bit 0 */
    uint32_t y;     /* the row field, before it is understood as rows */
};

static inline struct vpm_span vpm_locate(const struct vpm_mode *m, const struct vpm_addressing *a,
                                         uint32_t address)
{
    uint32_t sub = address & ((1U << m->sub_bits) - 1U), rest = address >> m->sub_bits;
    bool packed = m->per_word > 1;
    uint32_t along = packed ? sub * (VC4_LANES / m->per_word) : 0; /* words into the row or column */
    struct vpm_span s = {.shift = packed ? 0 : sub * m->bits};
    if (m->horizontal) {
        s.y = rest & 63U;
        s.row = (((s.y & a->y_mask) << a->row_scale) & (VC4_VPM_ROWS_OF_QPU - 1)) + a->base_row;
        s.col = along;
    } else {
        s.y = rest >> 4 & 3U; /* Y[5:4]: vertical vectors start at a multiple of 16 rows */
        s.row = ((16U * s.y << a->row_scale) & (VC4_VPM_ROWS_OF_QPU - 1)) + along + a->base_row;
        s.col = rest & 15U;
    }
    return s;
}

/* The place of one element. */
struct vpm_place {
    uint32_t row, col, shift;
};

static inline struct vpm_place vpm_place_of(const struct vpm_mode *m, const struct vpm_span *s,
                                            uint32_t element)
{
    uint32_t word = element / m->per_word;
    return (struct vpm_place){
        .row = s->row + (m->horizontal ? 0 : word),
        .col = s->col + (m->horizontal ? word : 0),
        .shift = s->shift + element % m->per_word * m->bits,
    };
}

/*
 * Puts the elements `lanes` names into the plane (values, or masks), and gets all
 * sixteen, zero-extended. The span says where; places are never outside the plane's 128 rows.
 */
void vpm_put(struct vc4_vector *plane, const struct vpm_mode *m, const struct vpm_span *s,
             const struct vc4_vector *vector, uint32_t lanes);
void vpm_get(const struct vc4_vector *plane, const struct vpm_mode *m, const struct vpm_span *s,
             struct vc4_vector *vector);

#endif
