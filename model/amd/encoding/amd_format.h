/* SPDX-License-Identifier: MIT */
/*
 * The data formats of buffers in each generation: names, codes, components and their bits. amd_convert.h
 * converts the values.
 *
 * GFX10 and GFX11 have one code for data and number format (the "unified" FORMAT); GFX8 and GFX9 have two,
 * DFMT and NFMT. A code here is FORMAT, or DFMT | NFMT << 4, as in struct amd_insn.
 *
 * Sources: "RDNA3" guide table 52; Mesa's and LLVM's lists for GFX10; "CDNA3" guide and AMD's ROCR register
 * headers for DFMT and NFMT.
 */
#ifndef MISPRINT_MODEL_AMD_ENCODING_AMD_FORMAT_H
#define MISPRINT_MODEL_AMD_ENCODING_AMD_FORMAT_H

#include "model/amd/encoding/amd_generation.h"

#include <stdbool.h>
#include <stdint.h>

/* Layouts of components, by their DFMT. A name lists fields from the most significant one; X has the lowest
 * bits. */
enum amd_layout {
    AMD_LAYOUT_INVALID,
    AMD_8,
    AMD_16,
    AMD_8_8,
    AMD_32,
    AMD_16_16,
    AMD_10_11_11,
    AMD_11_11_10,
    AMD_10_10_10_2,
    AMD_2_10_10_10,
    AMD_8_8_8_8,
    AMD_32_32,
    AMD_16_16_16_16,
    AMD_32_32_32,
    AMD_32_32_32_32,
    AMD_LAYOUT_RESERVED,
    AMD_LAYOUTS
};

struct amd_layout_row {
    uint8_t components; /* 0..4 */
    uint8_t bytes;      /* of one element in memory */
    uint8_t bits[4];    /* width of X, Y, Z, W */
    uint8_t low[4];     /* their lowest bit in the element, little endian */
};
extern const struct amd_layout_row amd_layouts[AMD_LAYOUTS];
extern const char *const amd_layout_names[AMD_LAYOUTS + 1]; /* "8_8_8_8", ... */

/* Kinds of number, by their NFMT. */
enum amd_number {
    AMD_UNORM,
    AMD_SNORM,
    AMD_USCALED,
    AMD_SSCALED,
    AMD_UINT,
    AMD_SINT,
    AMD_NUMBER_RESERVED, /* SNORM_OGL before GFX8 */
    AMD_FLOAT,
    AMD_NUMBERS
};
extern const char *const amd_number_names[AMD_NUMBERS + 1]; /* "UNORM", ... */

/* A data format: what a code means. */
struct amd_format {
    uint8_t layout; /* enum amd_layout */
    uint8_t number; /* enum amd_number */
    bool
        listed; /* in table 52 of the "RDNA3" guide; older generations can express more (32_UNORM, 8_FLOAT) */
};

enum { AMD_FORMAT_CODES = 128 };

/* Returns false if the code is no buffer format of this generation: 0 (INVALID), 64..127 on GFX11, 78..127 on
 * GFX10; DFMT 0 or 15, NFMT 6. Sets `f` in any case. */
bool amd_format_of(enum amd_generation g, uint32_t code, struct amd_format *f);

/* The code of a format; -1 if the generation cannot express it. */
int amd_format_code(enum amd_generation g, enum amd_layout layout, enum amd_number number);

/* Format names by code, as documents spell them ("8_8_8_8_UNORM"). The tables end with NULL; the function
 * returns NULL for a code beyond its table. */
extern const char *const amd_gfx11_format_names[], *const amd_gfx10_format_names[];
const char *amd_unified_format_name(enum amd_generation g, uint32_t code);

#endif
