/* SPDX-License-Identifier: MIT */
#include "model/svp64/swizzle_points.h"

#define PAGE  "Libre-SOC mv.swizzle page, "
#define SVP64 "SVP64 prefix (openpower-isa power_svp64_rm.py, svstate.py), "

#define ROW(number, name_, width_, about_, where_, ...)                                                      \
    [SWIZZLE_POINT_##number] = {.name = (name_),                                                             \
                                .about = (about_),                                                           \
                                .where = where_,                                                             \
                                .width = (width_),                                                           \
                                .lanes = 1,                                                                  \
                                .input = {__VA_ARGS__}},

const struct point swizzle_points[SWIZZLE_POINT_COUNT] = {SWIZZLE_POINTS(ROW)};
