/* SPDX-License-Identifier: MIT */
/* The modelled generations of AMD's GCN and RDNA architectures, and what differs between their scalar
 * operands. */
#ifndef MISPRINT_MODEL_AMD_ENCODING_AMD_GENERATION_H
#define MISPRINT_MODEL_AMD_ENCODING_AMD_GENERATION_H

#include <stdbool.h>
#include <stdint.h>

enum amd_generation {
    AMD_GFX11,  /* RDNA 3: gfx1100 */
    AMD_GFX10,  /* RDNA 2: gfx1030 */
    AMD_GFX9,   /* GCN 5, Vega: gfx900 */
    AMD_GFX8,   /* GCN 3: gfx803 */
    AMD_GFX90A, /* CDNA 2: gfx90a */
    AMD_GFX942, /* CDNA 3: gfx942 */
    AMD_GFX12,  /* RDNA 4: gfx1200 */
    AMD_GENERATIONS,
    AMD_BOARD_GENERATIONS = AMD_GFX8 + 1, /* harness/amdgpu drives GPUs of the generations before it */
};

/* LLVM's name of the processor that each generation was checked on: "gfx1100", ...; NULL-terminated. */
extern const char *const amd_generation_names[AMD_GENERATIONS + 1];

/* GFX11 and its successor GFX12. */
static inline bool amd_is_gfx11(enum amd_generation g)
{
    return g == AMD_GFX11 || g == AMD_GFX12;
}

static inline bool amd_is_cdna(enum amd_generation g)
{
    return g == AMD_GFX90A || g == AMD_GFX942;
}

/* GFX9 and its descendants, the CDNA generations. */
static inline bool amd_is_gfx9(enum amd_generation g)
{
    return g == AMD_GFX9 || amd_is_cdna(g);
}

/* GFX8, GFX9 and CDNA. */
static inline bool amd_is_gcn(enum amd_generation g)
{
    return amd_is_gfx9(g) || g == AMD_GFX8;
}

/* A set of generations, a bit each. */
enum { AMD_ALL_GENERATIONS = (1 << AMD_GENERATIONS) - 1, AMD_CDNA = 1 << AMD_GFX90A | 1 << AMD_GFX942 };

/* How many SGPRs operand codes can name, VCC not counted. */
static inline uint32_t amd_sgprs(enum amd_generation g)
{
    return amd_is_gcn(g) ? 102 : 106;
}

/* Operand codes. NULL and M0 changed places with GFX11; GFX8, GFX9 and CDNA have no NULL: 125 is reserved
 * there. */
static inline uint32_t amd_null(enum amd_generation g)
{
    return amd_is_gfx11(g) ? 124 : 125;
}
static inline uint32_t amd_m0(enum amd_generation g)
{
    return amd_is_gfx11(g) ? 125 : 124;
}

#endif
