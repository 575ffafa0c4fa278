/* SPDX-License-Identifier: MIT */
/* The elements of an operand, and their conversion (swizzle_element.inc.h). */
#ifndef MISPRINT_MODEL_SVP64_SWIZZLE_ELEMENT_H
#define MISPRINT_MODEL_SVP64_SWIZZLE_ELEMENT_H

#include "model/svp64/swizzle.h"

/* The elements of one side of a move. */
struct swizzle_side {
    const struct svp64_rows *file;
    uint32_t base;  /* byte of element 0 in the file */
    uint8_t bytes;  /* size of an element */
    uint8_t stride; /* bytes from one element to the next */
    uint8_t format; /* enum swizzle_width */
    bool is_destination;
};

/* How an instruction converts values. Resolved once for each instruction. */
struct swizzle_conversion {
    enum { AS_IT_IS, EXTEND_ZERO, EXTEND_SIGN, CLAMP_UNSIGNED, CLAMP_SIGNED, CONVERT_FLOAT, QUIETEN } kind;
    uint8_t from, to; /* enum swizzle_width */
    uint8_t from_bits, to_bits;
    uint8_t mode; /* the upper three bits of MODE; 0 in the scalar form */
    uint64_t one; /* what selector 1 delivers */
};

#endif
