/* SPDX-License-Identifier: MIT */
/*
 * Which bits of the VPM a vector occupies: {mode, ADDR} -> (row, column, bit shift), for the twelve modes of
 * block access (p54-55 figures 8 and 9, p57 T32). Only this file decodes ADDR. The readings of the clauses
 * about ADDR are a parameter, struct vpm_addressing.
 */
#ifndef MISPRINT_MODEL_VC4_VPM_VPM_ADDRESS_H
#define MISPRINT_MODEL_VC4_VPM_VPM_ADDRESS_H

#include "model/vc4/vc4.h"

enum { VPM_MODES = 16 };

/* A mode is bits 11:8 of a block setup: HORIZ, LANED, SIZE. */
struct vpm_mode {
    uint8_t bits;     /* bits of an element: 8, 16, 32; 0: reserved */
    uint8_t sub_bits; /* low bits of ADDR that select a byte (B) or a half (H) of each word: 2, 1, 0 */
    uint8_t per_word; /* elements in a word: 4 or 2 if packed, otherwise 1 */
    bool horizontal;  /* the vector is part of a row; otherwise of a column */
    uint8_t clause;   /* the clause about ADDR in this mode; VPM_NO_CLAUSE: none */
};
enum { VPM_NO_CLAUSE = 255 };
extern const struct vpm_mode vpm_modes[VPM_MODES];

/* The number of rows that a vector occupies. */
static inline uint32_t vpm_vector_rows(const struct vpm_mode *m)
{
    return m->horizontal ? 1U : (uint32_t)VC4_LANES / m->per_word;
}

/* The readings of the clauses about ADDR, as numbers. */
struct vpm_addressing {
    uint8_t y_mask;    /* mask of the row field in horizontal modes */
    uint8_t row_scale; /* the row is the row field shifted left by this */
    uint8_t base_row;  /* added to every row: 0 or 64 */
};

/* The place of one vector: its words start at (row, col) and go along the row or down the column. */
struct vpm_span {
    uint32_t row, col;
    uint32_t shift; /* bit position of an element in its word; packed elements start at bit 0 */
};

/* ADDR's row field: Y[5:0], or Y[5:4] in vertical modes, whose vectors start at a multiple of 16 rows. */
static inline uint32_t vpm_row_field(const struct vpm_mode *m, uint32_t address)
{
    return m->horizontal ? address >> m->sub_bits & 63U : address >> m->sub_bits >> 4 & 3U;
}

/* The row that Y names. A horizontal vector is in this row. A vertical vector is within the 16 rows that
 * start there. */
static inline uint32_t vpm_y_of(const struct vpm_mode *m, const struct vpm_addressing *a, uint32_t row_field)
{
    uint32_t y = m->horizontal ? row_field & a->y_mask : 16U * row_field;
    return (y << a->row_scale & (VC4_VPM_ROWS_OF_QPU - 1)) + a->base_row;
}
static inline uint32_t vpm_y(const struct vpm_mode *m, const struct vpm_addressing *a, uint32_t address)
{
    return vpm_y_of(m, a, vpm_row_field(m, address));
}

/* The place of the vector at ADDR whose Y names row `y`. `sub`: the byte or half of each word that ADDR
 * selects; `along`: the number of words into the row or column at which the vector begins. */
static inline struct vpm_span vpm_place_of(const struct vpm_mode *m, uint32_t y, uint32_t address,
                                           uint32_t sub, bool packed, uint32_t along)
{
    return (struct vpm_span){.row = m->horizontal ? y : y + along,
                             .col = m->horizontal ? along : address >> m->sub_bits & 15U,
                             .shift = packed ? 0 : sub * m->bits};
}
static inline uint32_t vpm_sub(const struct vpm_mode *m, uint32_t address)
{
    return address & ((1U << m->sub_bits) - 1U);
}
static inline uint32_t vpm_along(const struct vpm_mode *m, uint32_t sub, bool packed)
{
    return packed ? sub * (VC4_LANES / m->per_word) : 0;
}
static inline struct vpm_span vpm_place(const struct vpm_mode *m, uint32_t y, uint32_t address)
{
    const uint32_t sub = vpm_sub(m, address);
    const bool packed = m->per_word > 1;
    return vpm_place_of(m, y, address, sub, packed, vpm_along(m, sub, packed));
}

static inline struct vpm_span vpm_locate(const struct vpm_mode *m, const struct vpm_addressing *a,
                                         uint32_t address)
{
    return vpm_place(m, vpm_y(m, a, address), address);
}

/*
 * vpm_put writes the elements in `lanes` to the plane (of values or of masks). vpm_get reads all sixteen,
 * zero-extended. A span is always inside the 128 rows of the plane.
 */
void vpm_put(struct vc4_vector *plane, const struct vpm_mode *m, const struct vpm_span *s,
             const struct vc4_vector *vector, uint32_t lanes);
void vpm_get(const struct vc4_vector *plane, const struct vpm_mode *m, const struct vpm_span *s,
             struct vc4_vector *vector);

#endif
