/* SPDX-License-Identifier: MIT */
#include "model/vc4/vpm/vpm_points.h"

#define ROW(number, name_, width_, lanes_, about_, where_, ...)                                              \
    [VPM_POINT_##number] = {.name = (name_),                                                                 \
                            .about = (about_),                                                               \
                            .where = "VideoCoreIV-AG100-R " where_,                                          \
                            .width = (width_),                                                               \
                            .lanes = (lanes_),                                                               \
                            .input = {__VA_ARGS__}},

const struct point vpm_points[VPM_POINT_COUNT] = {VPM_POINTS(ROW)};
