/* SPDX-License-Identifier: MIT */
/* What the rows of amd_clauses_*.c share. Private to them. */
#ifndef MISPRINT_MODEL_AMD_AMD_CLAUSE_ROWS_H
#define MISPRINT_MODEL_AMD_AMD_CLAUSE_ROWS_H

#include "model/amd/amd_clauses.h"

#include <stddef.h>

#define GUIDE    "\"RDNA3\" guide "
#define RDNA2    "\"RDNA2\" guide "
#define CDNA3    "\"CDNA3\" guide "
#define GCN      "GCN range checks and buffers, as the CLRX assembler's documentation and drivers have them"
#define ROCJITSU "tests of rocjitsu (ROCm/rocm-systems), values stated to match the physical parts"

/* Sets the readings of a clause in the profiles of each family's chips. The profiles `manual` and
 * `rdna3-guide` always have reading 0. */
#define FAMILIES(rdna4, rdna3, rdna2, vega, gcn3, cdna)                                                      \
    .in_profile = {                                                                                          \
        [AMD_PROFILE_GFX1100] = (rdna3), [AMD_PROFILE_GFX1030] = (rdna2), [AMD_PROFILE_GFX900] = (vega),     \
        [AMD_PROFILE_GFX803] = (gcn3),   [AMD_PROFILE_GFX90A] = (cdna),   [AMD_PROFILE_GFX942] = (cdna),     \
        [AMD_PROFILE_GFX1200] = (rdna4)}
/* The same where CDNA has the reading of Vega, from which it was developed, and RDNA 4 that of RDNA 3
 * (rocjitsu's values are for both). */
#define CHIPS(rdna3, rdna2, vega, gcn3) FAMILIES(rdna3, rdna3, rdna2, vega, gcn3, vega)
#define MODES(...)                                                                                           \
    .modes = (const char *const[])                                                                           \
    {                                                                                                        \
        __VA_ARGS__, NULL                                                                                    \
    }

#endif
