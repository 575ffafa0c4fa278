/* SPDX-License-Identifier: MIT */
/*
 * Block accesses and DMA element by element, for runs in which an observer wants the elements. vpm.c and
 * vcd.c have the forms without an observer, which are many times faster. Both forms give the same outcome,
 * unless a rule changes a value. Whatever a rule gives, an access stays within the VPM and the memory.
 */
#ifndef MISPRINT_MODEL_VC4_VPM_VPM_OBSERVE_H
#define MISPRINT_MODEL_VC4_VPM_VPM_OBSERVE_H

#include "model/vc4/vpm/vpm.h"

/* The values of VPM_BLOCK_INPUTS (vpm_points.h) in a mode. */
#define BLOCK_INPUTS(mode, reading) (mode) & 3U, (mode) >> 2 & 1U, (mode) >> 3, (reading)

/* A mode as rules left it. `number`: index into vpm_modes. */
struct vpm_mode vpm_observed_mode(const struct observer *o, uint32_t number, uint32_t reading);

/* What a setup word sets, as rules left it. `kind`: what the model says. */
enum vpm_setup_kind vpm_observed_kind(const struct vpm *v, enum vpm_setup_kind kind, uint32_t word,
                                      uint32_t reading);
/* What a DMA setup leaves in its register, which held `before`. */
uint32_t vpm_observed_word(const struct vpm *v, enum vpm_setup_kind kind, uint32_t word, uint32_t before);
/* The place of a vector as rules left it. It begins inside the VPM. */
struct vpm_span vpm_observed_span(const struct observer *o, const struct vpm_block *b,
                                  const struct vpm_mode *m, const struct vpm_addressing *a, uint32_t address,
                                  uint32_t reading);
/* Shows what a read leaves. Returns whether the read setup that waits follows. `next`: the model's answer. */
bool vpm_observed_next(struct vpm *v, uint32_t left, uint32_t queued, bool next);

/* Does the observer want the elements of block accesses, or of DMA? */
bool vpm_wants_elements(const struct observer *o);
bool vcd_wants_elements(const struct observer *o);

/* What an access of a vector needs. */
struct vpm_access {
    const struct vpm_mode *mode;
    const struct vpm_span *span;
    uint32_t number; /* of the mode */
    uint32_t lanes;  /* set of elements that a write writes */
};
/* vpm_put or vpm_get for the values and, if the run is checked, for the masks. `value` and `defined` are only
 * read by a write. */
void vpm_put_observed(struct vpm *v, const struct vpm_access *a, const struct vc4_vector *value,
                      const struct vc4_vector *defined);
void vpm_get_observed(struct vpm *v, const struct vpm_access *a, struct vc4_vector *value,
                      struct vc4_vector *defined);

/* How an element of a DMA is moved: with its row, whose bytes follow each other in the VPM and in memory, or
 * alone. Then its offset in memory is a multiple of its width, or is not. */
enum vcd_access { VCD_WITH_ROW, VCD_ALIGNED, VCD_UNALIGNED };

/* Up to 16 elements of a row of a DMA. */
struct vcd_elements {
    uint32_t input[5]; /* the values of VPM_DMA_INPUTS; the first says whether it is a store */
    bool to_memory;    /* the direction, which rules can change */
    bool contiguous;   /* the row's bytes follow each other in the VPM */
    uint32_t first, count, width;
    uint32_t start, step, column;       /* of the row in the VPM: inputs of point DMA_PLACE */
    uint32_t row_address;               /* offset in memory of the row */
    struct vc4_vector at, wrapped;      /* the elements' bytes of the VPM or of its column; before and after
                                           the row wraps */
    struct vc4_vector access;           /* how memory is accessed for each element, enum vcd_access */
    struct vc4_vector place, in_memory; /* the elements' bytes of the VPM, and offsets in memory */
};
/* Moves the elements, and touches the rows that they change. */
void vcd_move_observed(struct vpm *v, struct vcd_elements *e);

#endif
