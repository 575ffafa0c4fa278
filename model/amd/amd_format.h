/* SPDX-License-Identifier: MIT */
/*
 * The data formats of buffers in each generation: names, codes, components and
 * their bits. Owns no arithmetic: the conversion of values is amd_convert.h's.
 *
 * GFX10 and GFX11 have one code for data and number format together (the
 * "unified" FORMAT); GFX8 and GFX9 have two, DFMT and NFMT. Here a code is the
 * number that struct amd_insn.format holds: FORMAT, or DFMT | NFMT << 4.
 *
 * Sources: "RDNA3" guide table 52; Mesa's and LLVM's lists for GFX10; "CDNA3"
 * guide and AMD's ROCR register headers for DFMT and NFMT.
 */
#ifndef MISPRINT_MODEL_AMD_AMD_FORMAT_H
#define MISPRINT_MODEL_AMD_AMD_FORMAT_H

#include "model/amd/encoding/amd_generation.h"

#include <stdbool.h>
#include <stdint.h>

/* Layouts of components, by their DFMT. Names list fields from the most significant end; X is always in the
 * lowest bits. */
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
    bool listed;    /* table 52 of the RDNA 3 guide has this combination; older generations can express others
                       (32_UNORM, 8_FLOAT) */
};

enum { AMD_FORMAT_CODES = 128 };

/* False where the code is no buffer format of this generation: 0 (INVALID), 64..127 on GFX11, 78..127 on
 * GFX10; DFMT 0 or 15, NFMT 6. `f` is set in any case. */
bool amd_format_of(enum amd_generation g, uint32_t code, struct amd_format *f);

/* The code of a format; -1 if the generation cannot express it. */
int amd_format_code(enum amd_generation g, enum amd_layout layout, enum amd_number number);

/* Names as documents spell them, "8_8_8_8_UNORM": for GFX10 and GFX11; NULL for codes without a name. */
extern const char *const amd_gfx11_format_names[],
    *const amd_gfx10_format_names[]; /* by code, NULL-terminated */
const char *amd_unified_format_name(enum amd_generation g, uint32_t code);

#endif
