/* SPDX-License-Identifier: MIT */
/*
 * The observation points of buffer instructions. Each row: number, name, width in bits, lanes, what it is,
 * section or table of the "RDNA3" guide, inputs.
 *
 * A wave has 64 lanes and a vector point has 16. So a value of each lane passes its point once for each group
 * of 16 lanes with at least one active lane. Values of 64 bits pass two points, the low word first.
 */
#ifndef MISPRINT_MODEL_AMD_POINTS_AMD_POINTS_H
#define MISPRINT_MODEL_AMD_POINTS_AMD_POINTS_H

#include "model/amd/points/amd_points_address.h"
#include "model/amd/points/amd_points_data.h"
#include "model/rule/point.h"

/* clang-format off */
#define AMD_POINTS(F) \
    AMD_LOAD_POINTS(F) AMD_STORE_POINTS(F) AMD_CONVERT_POINTS(F) AMD_ATOMIC_POINTS(F) \
    AMD_SCALAR_POINTS(F) AMD_END_POINTS(F) AMD_INSN_POINTS(F) AMD_DESC_POINTS(F) AMD_PLAN_POINTS(F) \
    AMD_LANE_POINTS(F) AMD_CHECK_POINTS(F)
/* clang-format on */

#define AMD_POINT_NUMBER(number, ...) AMD_POINT_##number,
enum { AMD_POINTS(AMD_POINT_NUMBER) AMD_POINT_COUNT };

extern const struct point amd_points[AMD_POINT_COUNT];
extern const struct point_alias amd_point_aliases[];
extern const struct input_note amd_input_notes[];
/* Names opcodes, and operands of SOFFSET (struct unit). */
void amd_name_value(const struct point *p, const char *input, uint32_t number,
                    const struct known_inputs *known, struct text *t);

#endif
