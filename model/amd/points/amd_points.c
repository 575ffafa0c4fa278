/* SPDX-License-Identifier: MIT */
#include "model/amd/points/amd_points.h"

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
