/* SPDX-License-Identifier: MIT */
#include "model/vc4/qpu/step/qpu_points.h"

#include "model/rule/rules.h"

#define ROW(index, name_, width_, lanes_, about_, where_, ...)                                               \
    [index] = {.name = (name_),                                                                              \
               .about = about_,                                                                              \
               .where = "VideoCoreIV-AG100-R " where_,                                                       \
               .width = (width_),                                                                            \
               .lanes = (lanes_),                                                                            \
               .input = {__VA_ARGS__}},
#define QPU_ROW(number, ...)       ROW(QPU_POINT_##number, __VA_ARGS__)
#define VPM_ROW(number, name, ...) ROW(QPU_POINTS_OF_VPM + VPM_POINT_##number, "vpm." name, __VA_ARGS__)

const struct point qpu_points[QPU_POINTS_ALL] = {QPU_POINTS(QPU_ROW) VPM_POINTS(VPM_ROW)};

_Static_assert((int)QPU_POINTS_ALL <= (int)POINTS_MAX, "struct rules has a bit for each point");
