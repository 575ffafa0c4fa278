/* SPDX-License-Identifier: MIT */
/* The observation points of unit v3d-qpu. v3d_points.c describes them. */
#ifndef MISPRINT_MODEL_V3D_V3D_POINTS_H
#define MISPRINT_MODEL_V3D_V3D_POINTS_H

#include "model/rule/point.h"

enum v3d_point {
    V3D_POINT_ADD_RESULT,
    V3D_POINT_MUL_RESULT,
    V3D_POINT_FLAG_LANES,
    V3D_POINT_TMU_CONFIG,
    V3D_POINT_TMU_ADDRESS,
    V3D_POINT_TMU_LANES,
    V3D_POINT_UNIFORM_VALUE,
    V3D_POINT_BRANCH_TAKEN,
    V3D_POINTS
};
extern const struct point v3d_points[V3D_POINTS];

#endif
