/* SPDX-License-Identifier: MIT */
#include "model/vc4/qpu/step/qpu_points.h"

#define ROW(number, name_, width_, lanes_, about_, where_, ...)                                              \
    [QPU_POINT_##number] = {.name = (name_),                                                                 \
                            .about = (about_),                                                               \
                            .where = "VideoCoreIV-AG100-R " where_,                                          \
                            .width = (width_),                                                               \
                            .lanes = (lanes_),                                                               \
                            .input = {__VA_ARGS__}},

const struct point qpu_points[QPU_POINT_COUNT] = {QPU_POINTS(ROW)};
