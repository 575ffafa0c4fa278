/* SPDX-License-Identifier: MIT */
/* Numbers of the clauses of unit v3d-qpu and of their readings. v3d_clauses.c describes them. */
#ifndef MISPRINT_MODEL_V3D_V3D_CLAUSES_H
#define MISPRINT_MODEL_V3D_V3D_CLAUSES_H

#include "model/core/clause.h"

enum v3d_clause {
    V3D_CLAUSE_ROUND_TIE,
    V3D_CLAUSE_TO_INT,
    V3D_CLAUSE_MIN_MAX_NAN,
    V3D_CLAUSE_DENORMAL,
    V3D_CLAUSE_VADD,
    V3D_CLAUSE_UNIFORM_LANE,
    V3D_CLAUSE_STORE_CONFLICT,
    V3D_CLAUSE_PACK_KEEPS,
    V3D_CLAUSES
};

/* Readings other than `manual`. Those of arithmetic are in struct v3d_alu_rules. */
enum { V3D_UNIFORM_LANE_1 = 1 };
enum { V3D_STORE_LOWEST_LANE = 1 };
enum { V3D_PACK_CLEARS = 1 };

enum v3d_profile { V3D_PROFILE_MANUAL, V3D_PROFILE_MESA, V3D_PROFILE_TESTS, V3D_PROFILE_42, V3D_PROFILE_71 };

extern const struct clause v3d_clauses[V3D_CLAUSES];

#endif
