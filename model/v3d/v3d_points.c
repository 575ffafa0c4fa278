/* SPDX-License-Identifier: MIT */
#include "model/v3d/v3d_points.h"

#include <stddef.h>

#define MESA "Mesa src/broadcom/qpu"

/* clang-format off */
const struct point v3d_points[V3D_POINTS] = {
    [V3D_POINT_ADD_RESULT] = {"add.result", "the result of the ADD ALU, before a pack", MESA, 32, 16,
        {{"a", 32, 16}, {"b", 32, 16}, {"op", 8, 0}}},
    [V3D_POINT_MUL_RESULT] = {"mul.result", "the result of the MUL ALU, before a pack", MESA, 32, 16,
        {{"a", 32, 16}, {"b", 32, 16}, {"op", 8, 0}}},
    [V3D_POINT_FLAG_LANES] = {"flag.lanes", "a bit for each lane: the flag that an operation gives", MESA,
           16, 1,
        {{"op", 8, 0}, {"way", 4, 0}}},
    [V3D_POINT_TMU_CONFIG] = {"tmu.config", "the configuration byte of a general access", MESA, 8, 1,
        {{"words", 5, 0}}},
    [V3D_POINT_TMU_ADDRESS] = {"tmu.address", "the lanes' addresses of a general access", MESA, 32, 16,
        {{"config", 8, 0}}},
    [V3D_POINT_TMU_LANES] = {"tmu.lanes", "a bit for each lane that takes part in a general access", MESA,
           16, 1,
        {{"config", 8, 0}}},
    [V3D_POINT_UNIFORM_VALUE] = {"uniform.value", "a word of the stream of uniforms", MESA, 32, 1,
        {{"address", 32, 0}}},
    [V3D_POINT_BRANCH_TAKEN] = {"branch.taken", "1: the branch goes", MESA, 1, 1,
        {{"cond", 3, 0}, {"flag_a", 16, 0}}},
};
/* clang-format on */
