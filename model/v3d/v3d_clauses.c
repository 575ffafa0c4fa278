/* SPDX-License-Identifier: MIT */
/*
 * The clauses of unit v3d-qpu. No public manual describes the V3D QPU. `manual` is the text of Mesa's
 * compiler and drivers: how they use an operation, and what they say of it. No reading of these rows was
 * measured for this project; `silicon` would say so.
 */
#include "model/v3d/v3d_clauses.h"

#include "model/core/clause_rows.h"

#define MESA  "Mesa src/broadcom/compiler/nir_to_vir.c"
#define TESTS "py-videocore6 and py-videocore7, tests"

/* clang-format off */
const struct clause v3d_clauses[V3D_CLAUSES] = {
    [V3D_CLAUSE_ROUND_TIE] = {
        .id = "v3d-round-tie", .title = "how fround and ftoin round a number that ends in one half",
        .where = MESA ", nir_op_fround_even", .silent = true,
        .readings = {
            CODED("manual", "fround and ftoin round a tie to the even number.",
                   MESA ", fround_even is FROUND"),
            CODED("away", "A tie goes away from zero.",
                   "an unnamed fork of Mesa, vir_opt_constant_alu.c: roundf"),
            ARGUED("up", "A tie goes up, toward positive infinity.", "the simplest circuit adds one half"),
        },
    },
    [V3D_CLAUSE_TO_INT] = {
        .id = "v3d-float-to-int-range", .title = "what a float becomes that no integer equals",
        .where = MESA ", nir_op_f2i32", .silent = true,
        .readings = {
            ARGUED("manual", "ftoin, ftoiz, ftouz and ftoc saturate, and make 0 of a NaN.",
                   "ftouz of negative numbers gives 0 in the tests of py-videocore6 and 7"),
            ARGUED("fixed", "ftoin, ftoiz and ftoc give 0x80000000, and ftouz gives 0.", "as x86 does"),
            ARGUED("wraps", "The result is the low word of the whole number; 0 if that has none.",
                   "a shifter without a comparison"),
        },
    },
    [V3D_CLAUSE_MIN_MAX_NAN] = {
        .id = "v3d-min-max-nan", .title = "fmin and fmax of a number and a NaN",
        .where = "Mesa src/broadcom/cle/v3d_packet.xml, Propagate NaNs", .silent = true,
        .readings = {
            ARGUED("manual", "The result is the number.",
                   "IEEE 754-2019 minimumNumber; Mesa names only the bit"),
            ARGUED("propagates", "The result is a NaN.", "the launch has a bit that is named Propagate NaNs"),
        },
    },
    [V3D_CLAUSE_DENORMAL] = {
        .id = "v3d-denormal", .title = "denormal operands and results of the float ALUs",
        .where = "Mesa src/broadcom/vulkan/v3dv_device.c, float controls",
        .readings = {
            STATED("manual", "Denormal numbers are kept.",
                   "Mesa v3dv_device.c: shaderDenormPreserveFloat32 is true"),
            ARGUED("flushed", "fadd, fsub, fcmp, fmul, fmin and fmax take and give zeros for them.",
                   "as VideoCore IV does"),
        },
    },
    [V3D_CLAUSE_VADD] = {
        .id = "v3d-vadd", .title = "what vadd and vsub add",
        .where = "Mesa src/broadcom/qpu/qpu_instr.h, V3D_QPU_A_VADD", .silent = true,
        .readings = {
            CODED("manual", "The halves are integers of 16 bits that wrap.",
                   TESTS ", test_alu: exact on a Pi 5"),
            CODED("halves", "The halves are binary16 numbers.",
                  "an unnamed fork of Mesa, vir_opt_constant_alu.c"),
            ARGUED("saturates", "The halves are signed integers that saturate.",
                   "vector adds of other GPUs do"),
        },
    },
    [V3D_CLAUSE_UNIFORM_LANE] = {
        .id = "v3d-uniform-branch-lane", .title = "the lane that gives the address of a uniform branch",
        .where = "Mesa src/broadcom/qpu/qpu_instr.h, V3D_QPU_BRANCH_DEST_REGFILE", .silent = true,
        .readings = {
            CODED("manual", "Lane 0 gives the address, as it does for unifa.",
                  TESTS ", test_unifa, case 2: the data begin at lane 0's address"),
            CODED("lane-1", "Lane 1 gives the address.", TESTS ", test_branch: only lane 1 has the address"),
        },
        .in_profile = {[V3D_PROFILE_TESTS] = V3D_UNIFORM_LANE_1,
                       [V3D_PROFILE_42] = V3D_UNIFORM_LANE_1,
                       [V3D_PROFILE_71] = V3D_UNIFORM_LANE_1},
    },
    [V3D_CLAUSE_STORE_CONFLICT] = {
        .id = "v3d-store-conflict", .title = "lanes that store to one address",
        .where = MESA ", ntq_emit_tmu_general", .silent = true,
        .readings = {
            ARGUED("manual", "The store of the highest lane stays.", "lanes in ascending order"),
            ARGUED("lowest-lane", "The store of the lowest lane stays.",
                   "a write combiner can keep the first"),
        },
    },
    [V3D_CLAUSE_PACK_KEEPS] = {
        .id = "v3d-pack-other-half", .title = "the half that a packed result does not name",
        .where = "Mesa src/broadcom/compiler/vir_live_variables.c",
        .readings = {
            CODED("manual", "The other half of the destination keeps its value.",
                  "Mesa vir_live_variables.c: a packed write does not end a value's life"),
            ARGUED("clears", "The other half becomes 0.",
                   "the tests of py-videocore6 and 7 look at one half only"),
        },
    },
};
/* clang-format on */
