/* SPDX-License-Identifier: MIT */
#include "model/vc4/tmu/tmu_points.h"

#include <stddef.h>

#define ROW(number, name_, width_, lanes_, about_, where_, ...)                                              \
    [TMU_POINT_##number] = {.name = (name_),                                                                 \
                            .about = about_,                                                                 \
                            .where = "VideoCoreIV-AG100-R " where_,                                          \
                            .width = (width_),                                                               \
                            .lanes = (lanes_),                                                               \
                            .input = {__VA_ARGS__}},

const struct point tmu_points[TMU_POINT_COUNT] = {TMU_POINTS(ROW)};

const struct input_note tmu_input_notes[] = {
    {"axis", "0 for S and width, 1 for T and height"},
    {"lane", "number of the element"},
    {"type", "number of the texture type (p43 T18)"},
    {"order", "order of the texels: 0 raster, 1 LT, 2 T"},
    {"wrap", "WRAP_S or WRAP_T (p42 T16)"},
    {"p0", "texture configuration parameter 0 (p41 T15)"},
    {"p1", "texture configuration parameter 1 (p41 T16)"},
    {NULL, NULL},
};
