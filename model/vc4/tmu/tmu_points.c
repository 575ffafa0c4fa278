/* SPDX-License-Identifier: MIT */
#include "model/vc4/tmu/tmu_points.h"
#include "model/vc4/tmu/tmu_point_notes.h"

#include <stddef.h>

#define ROW(number, name_, width_, lanes_, about_, where_, ...)                                              \
    [TMU_POINT_##number] = {.name = (name_),                                                                 \
                            .about = about_,                                                                 \
                            .where = "VideoCoreIV-AG100-R " where_,                                          \
                            .width = (width_),                                                               \
                            .lanes = (lanes_),                                                               \
                            .input = {__VA_ARGS__}},

const struct point tmu_points[TMU_UNIT_POINT_COUNT] = {TMU_POINTS(ROW) TMU_UNIT_POINTS(ROW)};

const struct input_note tmu_input_notes[] = {TMU_INPUT_NOTES("") TMU_UNIT_INPUT_NOTES{NULL, NULL}};
