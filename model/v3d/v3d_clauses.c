/* SPDX-License-Identifier: MIT */
/*
 * The clauses of unit v3d-qpu about arithmetic. No public manual describes the V3D QPU. `manual` is the text
 * of Mesa's compiler and drivers: how they use an operation, and what they say of it. No reading of these
 * rows was measured for this project; `silicon` would say so.
 */
#include "model/v3d/v3d_clauses.h"

#include "model/core/clause_rows.h"

#define MESA  "Mesa src/broadcom/compiler/nir_to_vir.c"
#define QPU   "Mesa src/broadcom/qpu/qpu_instr.h"
#define NIR   "Mesa src/compiler/nir/nir_opcodes.py"
#define FORK  "an unnamed fork of Mesa, vir_opt_constant_alu.c"
#define TESTS "py-videocore6 and py-videocore7, tests"

/* clang-format off */
const struct clause v3d_clauses[V3D_ALU_CLAUSES] = {
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
            ARGUED("wraps", "The result is the low word of the whole number; 0 if that has none, and "
                   "ftouz gives 0 for negative numbers.",
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
            ARGUED("by-bit", "V3D 4.2: bit 2 of the start address says whether it is the NaN.",
                   "Mesa sets this bit for all shaders"),
            ARGUED("second", "The result is the second operand.", "a comparison with a NaN fails"),
        },
    },
    [V3D_CLAUSE_DENORMAL] = {
        .id = "v3d-denormal", .title = "denormal operands and results of the float ALUs",
        .where = "Mesa src/broadcom/vulkan/v3dv_device.c, float controls",
        .readings = {
            STATED("manual", "Denormal numbers are kept.",
                   "Mesa v3dv_device.c: shaderDenormPreserveFloat32 is true"),
            ARGUED("flushed", "All float operations but those of the SFU take and give zeros for them.",
                   "as VideoCore IV does"),
            ARGUED("single", "Binary32 operations take and give zeros for them; those on halves keep them.",
                   "other GPUs keep those of halves only"),
            ARGUED("add", "Binary32 operations of ADD take and give zeros for them, and fmul keeps them.",
                   "the ALUs have circuits of their own"),
            ARGUED("mul", "fmul takes and gives zeros for them, and other operations keep them.",
                   "a multiplier must normalise them"),
            ARGUED("halves", "Operations on halves take and give zeros for them, and binary32 keeps them.",
                   "the halves have circuits of their own"),
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
    [V3D_CLAUSE_FADDNF] = {
        .id = "v3d-faddnf", .title = "what tells faddnf from fadd",
        .where = QPU ", V3D_QPU_A_FADDNF", .silent = true,
        .readings = {
            CODED("manual", "faddnf gives what fadd gives.",
                   MESA ", nir_op_fadd: the operands' order alone decides"),
            ARGUED("fadd-flushes", "fadd flushes denormal numbers to zero, faddnf keeps them.",
                   "nf may stand for: no flush"),
            ARGUED("keeps-payload", "faddnf gives an operand that is a NaN, fadd gives 7FC00000.",
                   "nf may concern NaNs"),
        },
    },
    [V3D_CLAUSE_FTOC] = {
        .id = "v3d-ftoc", .title = "what ftoc gives",
        .where = QPU ", V3D_QPU_A_FTOC", .silent = true,
        .readings = {
            ARGUED("manual", "The float is rounded up, to a signed integer.",
                   "its code follows fceil as that of ftoin follows fround"),
            ARGUED("unsigned", "The float is rounded up, to an unsigned integer.",
                   "its code follows that of ftouz"),
            ARGUED("truncates", "The float is rounded toward zero, to a signed integer.",
                   "c may stand for convert"),
        },
    },
    [V3D_CLAUSE_ZERO_FLAG] = {
        .id = "v3d-float-flags", .title = "flags Z and N of a float result",
        .where = MESA ", emit_fcmp and its neighbours", .silent = true,
        .readings = {
            CODED("manual", "Z is set for both zeros, N is the sign; both see the result before its pack.",
                   MESA ": PUSHZ after FMOV tests for zero"),
            ARGUED("bits", "Z is set if all bits are 0, so not for -0.",
                   "the integer ALU has this test"),
            CODED("numeric", "Z is set for both zeros, N for numbers below zero: not for -0 or a NaN.",
                  "Onyx qpusim.cpp compares floats"),
            ARGUED("packed", "Both see the packed half, if the result has a pack.",
                   "the flags may come from the bits that are written"),
        },
    },
    [V3D_CLAUSE_CARRY] = {
        .id = "v3d-carry", .title = "flag C after operations of ADD other than add, sub, min and fcmp",
        .where = MESA ", V3D_QPU_PF_PUSHC", .silent = true,
        .readings = {
            ARGUED("manual", "It is 0.",
                   "Mesa uses C after add, sub, min and fcmp only"),
            ARGUED("shifted-out", "After shl, shr, asr and ror it is the bit that was shifted out last, or 0 "
                   "if the count is 0; after others it is 0.",
                   "processors do"),
            ARGUED("compared", "After max, umin, umax, fmin and fmax it is a > b; after others it is 0.",
                   "Mesa takes a > b from min"),
            ARGUED("by-operation", "After shifts it is the bit that was shifted out last, after max, umin, "
                   "umax, fmin and fmax it is a > b, and after others 0.",
                   "each operation can have its own"),
            ARGUED("adder", "It is the carry of a + b, whatever the operation.",
                   "the adder works beside the other circuits"),
        },
    },
    [V3D_CLAUSE_MUL_CARRY] = {
        .id = "v3d-carry-mul", .title = "flag C after operations of MUL",
        .where = MESA ", V3D_QPU_PF_PUSHC", .silent = true,
        .readings = {
            ARGUED("manual", "add gives the carry and sub the borrow, as in ADD; other operations give 0.",
                   "py-videocore6, test_cond_update, runs sub of MUL with C and does not look at the result"),
            ARGUED("zero", "It is 0.",
                   "Mesa takes C from ADD only"),
        },
    },
    [V3D_CLAUSE_RTOP] = {
        .id = "v3d-rtop", .title = "what umul24 does to RTOP",
        .where = MESA ", ntq_emit_alu, nir_op_imul", .silent = true,
        .readings = {
            CODED("manual", "umul24 adds RTOP and then clears it.",
                   "Mesa qpu_validate.c: RTOP is reset by umul24"),
            ARGUED("stays", "umul24 adds RTOP and leaves it.",
                   "multop alone may write it"),
        },
    },
    [V3D_CLAUSE_V8DOT] = {
        .id = "v3d-v8dot", .title = "what v8dot adds to its products",
        .where = QPU ", V3D_QPU_M_V8DOT", .silent = true,
        .readings = {
            CODED("manual", "Nothing: the result is the sum of four products.",
                   "qpu-xla-triton: exact on a Pi 5"),
            ARGUED("accumulates", "It adds the destination's old value.",
                   "dot products of other GPUs do"),
        },
    },
    [V3D_CLAUSE_FUNPACK] = {
        .id = "v3d-funpack", .title = "what funpackunormlo and its kin unpack",
        .where = MESA ", nir_op_unpack_unorm_2x16", .silent = true,
        .readings = {
            CODED("manual", "A fraction of 16 bits, to a binary32 number.",
                   MESA ", nir_op_unpack_unorm_2x16"),
            CODED("bytes", "Two fractions of 8 bits, to two binary16 numbers.",
                   FORK),
        },
    },
    [V3D_CLAUSE_FLPOP] = {
        .id = "v3d-flpop", .title = "whether flpop changes flags",
        .where = QPU ", V3D_QPU_A_FLPOP", .silent = true,
        .readings = {
            ARGUED("manual", "It shifts right by two and changes no flag.",
                   TESTS ", test_alu: the value only"),
            ARGUED("restores", "Bit 0 that it shifts out becomes flag A.",
                   "its name"),
            ARGUED("restores-both", "Bit 0 that it shifts out becomes flag A, and bit 1 flag B.",
                   "flapush and flbpush put two bits there"),
        },
    },
    [V3D_CLAUSE_FIRST_LANE] = {
        .id = "v3d-flafirst", .title = "what flafirst and flnafirst give",
        .where = MESA ", nir_intrinsic_elect", .silent = true,
        .readings = {
            CODED("manual", "1 in the first lane with (without) flag A, 0 in all others.",
                   MESA ", nir_intrinsic_elect: compares with 1"),
            ARGUED("mask", "The bit of that lane, in all lanes.",
                   "ballot gives a mask"),
            ARGUED("index", "The number of that lane, in all lanes; 0 if there is none.",
                   "a scan gives a number"),
        },
    },
    [V3D_CLAUSE_NORM_ROUND] = {
        .id = "v3d-norm-round", .title = "how ftounorm16 and its kin round",
        .where = MESA ", nir_op_pack_unorm_2x16", .silent = true,
        .readings = {
            CODED("manual", "To nearest, a tie to the even number.",
                   NIR ", pack_2x16_to_unorm_2x8_v3d and its kin: _mesa_half_to_unorm"),
            ARGUED("truncates", "Toward zero.",
                   "the cheapest circuit"),
        },
    },
    [V3D_CLAUSE_V8PACK] = {
        .id = "v3d-v8pack", .title = "halves that no byte can hold in v8pack",
        .where = QPU ", V3D_QPU_A_V8PACK", .silent = true,
        .readings = {
            CODED("manual", "The low byte of each half is taken.",
                  NIR ", pack_4x16_to_4x8_v3d"),
            ARGUED("saturates", "A half above 255 gives 255.",
                   "packs of other GPUs do"),
        },
    },
    [V3D_CLAUSE_V10PACK] = {
        .id = "v3d-v10pack", .title = "halves that the fields of v10pack cannot hold",
        .where = QPU ", V3D_QPU_A_V10PACK", .silent = true,
        .readings = {
            CODED("manual", "The low bits of each half are taken: ten, and two of the last one.",
                  NIR ", pack_uint_32_to_r10g10b10a2_v3d"),
            ARGUED("saturates", "A half that is too large gives the field's greatest number.",
                   "packs of other GPUs do"),
        },
    },
    [V3D_CLAUSE_V11_ROUND] = {
        .id = "v3d-v11fpack-round", .title = "how v11fpack rounds",
        .where = QPU ", V3D_QPU_A_V11FPACK",
        .readings = {
            STATED("manual", "To nearest, a tie to the even number.",
                   NIR ", a comment at pack_32_to_r11g11b10_v3d"),
            ARGUED("truncates", "Toward zero.",
                   "the cheapest circuit"),
        },
    },
    [V3D_CLAUSE_V11_RANGE] = {
        .id = "v3d-v11fpack-range", .title = "numbers and NaNs that the fields of v11fpack cannot hold",
        .where = QPU ", V3D_QPU_A_V11FPACK", .silent = true,
        .readings = {
            ARGUED("manual", "Numbers that round beyond the greatest become the greatest, negative ones 0; a "
                   "NaN has the mantissa 1.",
                   "Mesa's own packing (format_r11g11b10f.h), which GL_EXT_packed_float describes"),
            ARGUED("infinite", "Numbers that round beyond the greatest become infinite.",
                   "IEEE 754 has it"),
            ARGUED("magnitude", "Negative numbers lose their sign.",
                   "the formats have no sign"),
            ARGUED("quiet-nan", "A NaN has the highest bit of its mantissa.",
                   "the NaN of other operations has"),
        },
    },
    [V3D_CLAUSE_HALF_ROUND] = {
        .id = "v3d-half-round", .title = "how a binary32 number becomes a binary16 number",
        .where = "Mesa src/broadcom/vulkan/v3dv_device.c, float controls",
        .readings = {
            STATED("manual", "To nearest, a tie to the even number; numbers that are too large become Inf.",
                   "Mesa v3dv_device.c: shaderRoundingModeRTEFloat16 is true"),
            ARGUED("toward-zero", "Toward zero; numbers that are too large become 65504.",
                   "as VideoCore IV does"),
            ARGUED("saturates", "To nearest, but numbers that are too large become 65504.",
                   "saturating packs"),
        },
    },
    [V3D_CLAUSE_FCMP_FLAGS] = {
        .id = "v3d-fcmp-flags", .title = "where the flags of fcmp come from",
        .where = MESA ", ntq_emit_comparison", .silent = true,
        .readings = {
            CODED("manual", "A comparison of the operands: Z is a = b, N is a < b, C is a <= b.",
                   MESA ", ntq_emit_comparison"),
            ARGUED("result", "The difference: Z is zero, N its sign, C one of both.",
                   "the difference is the result"),
        },
    },
    [V3D_CLAUSE_ITOF_ROUND] = {
        .id = "v3d-itof-round", .title = "how itof and utof round",
        .where = "Mesa src/broadcom/vulkan/v3dv_device.c, float controls", .silent = true,
        .readings = {
            ARGUED("manual", "To nearest, a tie to the even number.",
                   "as other operations"),
            ARGUED("truncates", "Toward zero.",
                   "as VideoCore IV does"),
        },
    },
    [V3D_CLAUSE_ACROSS_COND] = {
        .id = "v3d-across-cond",
        .title = "lanes that a condition leaves out as sources of rot, rotq and shuffle",
        .where = QPU ", V3D_QPU_A_SHUFFLE", .silent = true,
        .readings = {
            ARGUED("manual", "They give their value.",
                   "a condition concerns the write"),
            ARGUED("zero", "They give 0.",
                   "lanes can be gated off"),
        },
    },
    [V3D_CLAUSE_ROUND_UNPACK] = {
        .id = "v3d-round-unpack",
        .title = "the field of an unpack of fround, ftoin, fdx and their kin on V3D 7.1",
        .where = "Mesa src/broadcom/qpu/qpu_pack.c", .silent = true,
        .readings = {
            CODED("manual", "Bits 3:2 of raddr_b.",
                   "Mesa qpu_pack.c, the encoder"),
            CODED("opcode", "Bits 3:2 of the opcode, which say none.",
                   "Mesa qpu_pack.c, the decoder"),
        },
    },
    [V3D_CLAUSE_ROUND_ABS] = {
        .id = "v3d-round-abs", .title = "the unpack .abs of fround, ftoin, fdx and their kin on V3D 7.1",
        .where = "Mesa src/broadcom/qpu/qpu_pack.c", .silent = true,
        .readings = {
            CODED("manual", "It clears the sign.",
                   "Mesa qpu_pack.c, the table of unpacks"),
            CODED("none", "It does nothing.",
                   "Mesa qpu_pack.c, the encoder refuses it"),
        },
    },
    [V3D_CLAUSE_NOP_FLAGS] = {
        .id = "v3d-nop-flags", .title = "flags that a nop or setnnmode sets",
        .where = "Mesa src/broadcom/qpu/qpu_pack.c", .silent = true,
        .readings = {
            ARGUED("manual", "An operation without a result changes no flags.",
                   "Mesa asserts that it does not occur"),
            ARGUED("of-zero", "It sets them by a result of 0.",
                   "the flags have their own logic"),
            ARGUED("undefined", "It sets them by a result that no source states.",
                   "a circuit without an operation may give anything"),
        },
    },
    [V3D_CLAUSE_SINE] = {
        .id = "v3d-sin-range", .title = "sin of more than half a turn to either side",
        .where = MESA ", emit_trig", .silent = true,
        .readings = {
            CODED("manual", "sin(x) is the sine of pi x up to 1/2, and 1 or -1 beyond.",
                  "py-videocore6, test_sfu, on a Pi 4; Mesa reduces every operand to 1/2 at most"),
            ARGUED("half-turns", "It is the sine of pi x for all x.", "a circuit can drop the whole turns"),
            CODED("turns", "It is the sine of 2 pi x for all x.", FORK),
        },
    },
    [V3D_CLAUSE_SFU_SPECIAL] = {
        .id = "v3d-sfu-special", .title = "infinite and denormal operands and results of the SFU",
        .where = QPU ", V3D_QPU_A_RECIP to V3D_QPU_A_RSQRT2", .silent = true,
        .readings = {
            ARGUED("manual", "As IEEE 754 has them: 1/0 is Inf, log of 0 is -Inf; denormals are kept.",
                   "Mesa's Vulkan driver says that infinities and denormals are kept"),
            ARGUED("largest", "Results that would be infinite are the largest finite number.",
                   "a table does not hold infinities"),
            ARGUED("flushed", "Denormal operands and results count as zero.", "as VideoCore IV does"),
        },
    },
    [V3D_CLAUSE_SFU_NEGATIVE] = {
        .id = "v3d-sfu-negative", .title = "log, rsqrt and rsqrt2 of negative numbers",
        .where = QPU ", V3D_QPU_A_RSQRT and V3D_QPU_A_LOG", .silent = true,
        .readings = {
            ARGUED("manual", "The result is undefined.",
                   "GLSL leaves it undefined, and Mesa does not look at the operand"),
            ARGUED("nan", "The result is the NaN 7FC00000.",
                   "IEEE 754 has a NaN; the bits are those of other operations"),
            ARGUED("magnitude", "The sign does not count.",
                   "a table of magnitudes has no sign"),
        },
    },
    [V3D_CLAUSE_FLOAT_ROUND] = {
        .id = "v3d-float-round", .title = "how sums and products are rounded",
        .where = "Mesa src/broadcom/vulkan/v3dv_device.c, float controls",
        .readings = {
            STATED("manual", "To nearest, a tie to the even number.",
                   "Mesa v3dv_device.c: shaderRoundingModeRTEFloat32 and 16 are true"),
            ARGUED("toward-zero", "Toward zero.",
                   "V3DLib's notes say that the QPU rounds down, perhaps that of VideoCore IV"),
        },
    },
    [V3D_CLAUSE_NAN_BITS] = {
        .id = "v3d-nan-bits", .title = "the bits of a NaN that a float operation gives",
        .where = "Mesa src/broadcom/vulkan/v3dv_device.c, float controls", .silent = true,
        .readings = {
            ARGUED("manual", "7FC00000, and 7E00 as a half.",
                   "the default NaN of most processors; Mesa says only that NaNs are kept"),
            ARGUED("operand", "Those of the first operand that is a NaN, made quiet.",
                   "IEEE 754 recommends it"),
            ARGUED("all-ones", "7FFFFFFF, and 7FFF as a half.",
                   "other GPUs give it"),
        },
    },
    [V3D_CLAUSE_MIN_MAX_ZERO] = {
        .id = "v3d-min-max-zero", .title = "fmin and fmax of two zeros with different signs",
        .where = MESA ", nir_op_fmin", .silent = true,
        .readings = {
            ARGUED("manual", "-0 is less than +0.",
                   "IEEE 754-2019 minimumNumber"),
            ARGUED("a-then-b", "The zeros are equal: fmin gives operand a, and fmax operand b.",
                   "as VideoCore IV does"),
        },
    },
    [V3D_CLAUSE_RTOP_BYTES] = {
        .id = "v3d-rtop-content", .title = "what multop leaves in RTOP",
        .where = MESA ", ntq_emit_alu, nir_op_imul", .silent = true,
        .readings = {
            ARGUED("manual", "The part of the product that needs bits 31:24 of its operands; umul24 adds it.",
                   "the shortest formula under which multop and umul24 make a product of 32 bits"),
            ARGUED("bytes", "Bits 31:24 of both operands; umul24 multiplies them with its own operands.",
                   "two operations with the same operands cannot tell"),
        },
    },
};
/* clang-format on */
