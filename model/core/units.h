/* SPDX-License-Identifier: MIT */
/* Declares all units, for the table in units.c, the files that define the units, and tests. Other code uses
 * unit_at and unit_find. */
#ifndef MISPRINT_MODEL_CORE_UNITS_H
#define MISPRINT_MODEL_CORE_UNITS_H

#include "model/core/unit.h"

extern const struct unit vc4_vpm_unit, vc4_qpu_unit, vc4_tmu_unit, amd_buffer_unit, utgard_gp_unit,
    svp64_swizzle_unit, v3d_qpu_unit;

#endif
