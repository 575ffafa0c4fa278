/* SPDX-License-Identifier: MIT */
/*
 * Elements: widths, places in a register file, constants, and conversion between
 * widths. Owns everything that depends on a width, and nothing about order or
 * predicates.
 */
#ifndef MISPRINT_MODEL_SVP64_SWIZZLE_ELEMENT_H
#define MISPRINT_MODEL_SVP64_SWIZZLE_ELEMENT_H

#include "model/svp64/swizzle.h"

/* The elements of one side of a move. */
struct swizzle_side {
    const struct svp64_rows *file;
    uint32_t base;  /* byte of element 0 in the file */
    uint8_t bytes;  /* in an element */
    uint8_t stride; /* from element to element, in bytes */
    uint8_t format; /* enum swizzle_width */
};

static inline uint32_t swizzle_byte(const struct swizzle_side *s, uint32_t element)
{
    return s->base + element * s->stride;
}

/* Both sides of an instruction. */
enum swizzle_stop swizzle_sides(const struct swizzle_machine *m, const struct swizzle_insn *i,
                                struct swizzle_side *source, struct swizzle_side *destination);

/* How values are converted; resolved once an instruction. */
struct swizzle_conversion {
    enum { AS_IT_IS, EXTEND_ZERO, EXTEND_SIGN, CLAMP_UNSIGNED, CLAMP_SIGNED, CONVERT_FLOAT, QUIETEN } kind;
    uint8_t from, to; /* enum swizzle_width */
    uint8_t from_bits, to_bits;
    uint64_t one; /* what selector 1 delivers */
};
enum swizzle_stop swizzle_conversion(const struct swizzle_machine *m, const struct swizzle_insn *i,
                                     const struct swizzle_side *source,
                                     const struct swizzle_side *destination, bool copies, bool ones,
                                     struct swizzle_conversion *c);
uint64_t swizzle_convert(const struct swizzle_machine *m, const struct swizzle_conversion *c, uint64_t value);

/* Reads and writes one element; `defined` is false if any of its bits is undefined. */
uint64_t swizzle_get(const struct swizzle_side *s, uint32_t element, bool checked, bool *defined);
void swizzle_put(const struct swizzle_side *s, uint32_t element, uint64_t value, bool checked, bool defined);

#endif
