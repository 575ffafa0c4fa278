/* SPDX-License-Identifier: MIT */
#include "model/svp64/swizzle_points.h"

#include <stddef.h>

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

const struct input_note swizzle_input_notes[] = {
    {"form", "0 no prefix, 1 SVP64Single, 2 SVP64"},
    {"destination", "0 the source (RA), 1 the destination (RT)"},
    {"fp", "1: fmv.swiz, 0: mv.swiz"},
    {NULL, NULL},
};
