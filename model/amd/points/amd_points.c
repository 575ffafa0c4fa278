/* SPDX-License-Identifier: MIT */
#include "model/amd/points/amd_points.h"

#include <stddef.h>

#include "model/rule/rules.h"

#define ROW(number, name_, width_, lanes_, about_, where_, ...)                                              \
    [AMD_POINT_##number] = {.name = (name_),                                                                 \
                            .about = (about_),                                                               \
                            .where = "\"RDNA3\" guide " where_,                                              \
                            .width = (width_),                                                               \
                            .lanes = (lanes_),                                                               \
                            .input = {__VA_ARGS__}},

const struct point amd_points[AMD_POINT_COUNT] = {AMD_POINTS(ROW)};

_Static_assert((int)AMD_POINT_COUNT <= (int)POINTS_MAX, "struct rules has a bit for each point");

const struct input_note amd_input_notes[] = {
    {"generation", "0 GFX11, 1 GFX10, 2 GFX9, 3 GFX8, 4 GFX90A, 5 GFX942, 6 GFX12"},
    {"encoding", "0 MUBUF, 1 MTBUF, 2 SMEM"},
    {"op", "opcode of the instruction"},
    {"dword", "number of the dword of a lane"},
    {"decision", "of the range check: 1 done, 2 out of range, 3 violation, 4 not resident, 5 nothing moves"},
    {"unit", "bytes that a lane moves at once"},
    {"align", "the address is rounded down to a multiple of it; 1: not rounded"},
    {"mode", "OOB_SELECT, plus 4 if the V# asks for a swizzled buffer"},
    {"smallest", "smallest whole number that the field, or the half, holds, as 32 bits"},
    {"largest", "largest whole number that it holds"},
    {"missing", "1: the operation does not supply the component"},
    {"truncated", "of a float, the field rounded toward zero; of other numbers, the field"},
    {"indexed", "IDXEN or ADD_TID_ENABLE"},
    {NULL, NULL},
};
