/* SPDX-License-Identifier: MIT */
/*
 * The generations of AMD's GCN and RDNA architectures that are modelled, by
 * the name LLVM gives the processor they were checked on.
 */
#ifndef MISPRINT_MODEL_AMD_ENCODING_AMD_GENERATION_H
#define MISPRINT_MODEL_AMD_ENCODING_AMD_GENERATION_H

enum amd_generation {
    AMD_GFX11, /* RDNA 3: gfx1100 */
    AMD_GFX10, /* RDNA 2: gfx1030 */
    AMD_GFX9,  /* GCN 5, Vega: gfx900 */
    AMD_GFX8,  /* GCN 3: gfx803 */
    AMD_GENERATIONS
};

extern const char *const
    amd_generation_names[AMD_GENERATIONS + 1]; /* "gfx1100", ..., NULL: names of a case's enumeration */

#endif
