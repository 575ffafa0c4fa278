/* SPDX-License-Identifier: MIT */
/* The clauses on what the units compute. The code that obeys them is in gp_alu.c, gp_units.c and
 * gp_prepare.c. */
#include "model/utgard/gp_clauses_table.h"

static const char *const truth_modes[] = {"branch", "select", NULL};

/* clang-format off */
const struct clause gp_unit_clauses[GP_CLAUSE_UNITS_END] = {
    [GP_CLAUSE_CLAMP_ORDER] = {
        .id = "gp-clamp-order", .title = "which of the loaded x and y is the upper bound of clamp",
        .where = FORMAT ", passthrough opcode 6",
        .readings = {
            STATED("manual", "x is the upper bound and y the lower: max(min(in, x), y).", FORMAT),
            CODED("lower-x", "x is the lower bound and y the upper: min(max(in, x), y).",
             VENDOR " loads x = -1e10, y = 1e10; with the manual's order it would store 1e10 always"),
            ARGUED("lower-x-last", "x is the lower bound and is applied last: max(min(in, y), x).",
             "the same bounds in the other order of steps; they differ where x > y"),
        },
        .in_profile = CHOSEN(GP_CLAMP_LOWER_X, GP_CLAMP_LOWER_X, GP_CLAMP_LOWER_X),
        .proposed = "6 - clamp (out = min(max(in, uniform.x), uniform.y))",
    },
    [GP_CLAUSE_SELECT_POLARITY] = {
        .id = "gp-select-polarity", .title = "the operand of select that a true condition chooses",
        .where = FORMAT ", multiply opcode 4",
        .readings = {
            STATED("manual", "A true condition chooses input A of mul 0, and a false one that of mul 1: out "
             "= b ? a : c.", FORMAT "; " OGT),
            CODED("else-first", "A true condition chooses input A of mul 1, and a false one that of mul 0: "
             "out = b ? c : a.", "Mesa's lima compiler, which passes conformance tests on hardware"),
        },
        .in_profile = CHOSEN(GP_SELECT_ELSE_FIRST, READING_MANUAL, GP_SELECT_ELSE_FIRST),
        .proposed = "4 - select (out = b ? c : a, wide operation)",
    },
    [GP_CLAUSE_SELECT_NEGATE] = {
        .id = "gp-select-negate", .title = "the effect of the multipliers' negate bits on select",
        .where = FORMAT ", bits 20 and 21", .silent = true,
        .readings = {
            STATED("manual", "Bit 20 negates the output of mul 0, as for other opcodes.", FORMAT ", bit 20"),
            CODED("arms", "Bit 20 negates the operand of mul 0, and bit 21 that of mul 1.",
             OGT ", its decompiler"),
            GUESSED("ignored", "The negate bits have no effect."),
        },
        .workaround = "Leave both bits 0, as Mesa does.",
    },
    [GP_CLAUSE_TRUTH] = {
        .id = "gp-truth", .title = "conditions of branches and select that are neither 0.0 nor 1.0",
        .where = FORMAT ", multiply opcode 4; branches are not described", .silent = true,
        .readings = {
            ASSUMED("manual", "Every number other than zero is true, also NaN."),
            GUESSED("one", "Only exactly 1.0 is true."),
            GUESSED("positive", "Only numbers greater than zero are true."),
            GUESSED("bits", "A condition with any bit set is true, also -0.0."),
        },
        .modes = truth_modes, .workaround = "Use only 0.0 and 1.0.",
    },
    [GP_CLAUSE_PASS_4_5] = {
        .id = "gp-pass-4-5", .title = "opcodes 4 and 5 of the pass unit",
        .where = FORMAT ", passthrough opcode",
        .readings = {
            STATED("manual", "These opcodes are unknown: the result is undefined.",
             FORMAT ", which lists 3 to 5 as unknown, though the section on complex functions uses them"),
            CODED("steps", "Opcode 4 prepares an operand for exp2, and opcode 5 finishes a result of log2. "
             "Their results alone are undefined.", DOC "complex functions; Mesa and " OGT " name them so"),
            GUESSED("move", "These opcodes return their input."),
            GUESSED("zero", "These opcodes return 0.0."),
        },
        .in_profile = CHOSEN(GP_PASS_4_5_STEPS, GP_PASS_4_5_STEPS, GP_PASS_4_5_STEPS),
        .proposed = "4 - preexp2, 5 - postlog2",
    },
    [GP_CLAUSE_PARTIALS] = {
        .id = "gp-partials", .title = "the values of the complex unit's partial results",
        .where = DOC "complex functions", .silent = true,
        .readings = {
            STATED("manual", "Partial results are only steps: only what complex1 computes from them is "
             "defined.", DOC "complex functions gives only how they are put together"),
            GUESSED("whole", "The complex unit returns the complete function."),
            ARGUED("table", "The complex unit returns the function cut to eight bits of mantissa, as from a "
             "table.", "one refinement step follows"),
        },
        .in_profile = DECIDED(GP_PARTIALS_TABLE),
    },
    [GP_CLAUSE_COMPLEX_ACCURACY] = {
        .id = "gp-complex-accuracy", .title = "the accuracy of 1/x, 1/sqrt x, 2^x and log2 x",
        .where = DOC "complex functions", .silent = true,
        .readings = {
            INFERRED("manual", "Results are within four units in the last place.",
             ASSUMPTION "; GLSL ES asks for little"),
            GUESSED("exact", "Results are correctly rounded."),
            GUESSED("truncated", "Results are exact, then rounded toward zero."),
        },
        .in_profile = DECIDED(GP_ACCURACY_EXACT),
    },
    [GP_CLAUSE_COMPLEX_SPECIAL] = {
        .id = "gp-complex-special", .title = "1/0, 1/sqrt 0 and log2 0", .where = DOC "complex functions",
        .silent = true,
        .readings = {
            INFERRED("manual", "The result is an infinity.", ASSUMPTION
             "; compilers clamp 1/w to 1e10, so it is at least that large"),
            ARGUED("finite", "The result is the largest finite number of that sign.",
             "serves the clamp as well"),
        },
    },
    [GP_CLAUSE_RSQRT_ZERO] = {
        .id = "gp-rsqrt-zero", .title = "the sign of 1/sqrt -0", .where = DOC "complex functions",
        .silent = true,
        .readings = {
            STATED("manual", "The result is negative.", "IEEE 754-2008 9.2.1, rSqrt"),
            CODED("positive", "The result is positive.", "MPFR, mpfr_rec_sqrt"),
        },
    },
    [GP_CLAUSE_DENORMAL] = {
        .id = "gp-denormal", .title = "denormal numbers in arithmetic", .where = FORMAT, .silent = true,
        .readings = {
            ASSUMED("manual", "Denormals are computed as IEEE 754 says."),
            ARGUED("flush", "Denormal operands and results become +0.", "usual in hardware of that age"),
        },
    },
    [GP_CLAUSE_ROUNDING] = {
        .id = "gp-rounding", .title = "rounding of sums and products", .where = FORMAT, .silent = true,
        .readings = {
            ASSUMED("manual", "Sums and products are rounded to nearest, ties to even."),
            ARGUED("truncate", "Sums and products are rounded toward zero.", "usual in hardware of that age"),
        },
    },
    [GP_CLAUSE_NAN_PAYLOAD] = {
        .id = "gp-nan-payload", .title = "the sign and payload of a NaN that arithmetic gives",
        .where = FORMAT, .silent = true,
        .readings = {
            STATED("manual", "Sign and payload of the NaN are undefined.",
             "IEEE 754-2008 6.2 leaves it open"),
            GUESSED("default", "The NaN is always 7FC00000."),
            ARGUED("first", "The NaN is the first NaN operand, made quiet, or 7FC00000 if no operand is a "
             "NaN.", "usual where NaNs are handed on"),
        },
        .in_profile = DECIDED(GP_NAN_DEFAULT),
    },
    [GP_CLAUSE_MINMAX_NAN] = {
        .id = "gp-minmax-nan", .title = "min and max of a NaN and a number",
        .where = FORMAT ", accumulator opcodes 6 and 7", .silent = true,
        .readings = {
            STATED("manual", "The result is the number.", "IEEE 754-2008 5.3.1, minNum"),
            STATED("nan", "The result is a NaN.", "IEEE 754-2019 9.6, minimum"),
            ARGUED("second", "The result is the second operand.", "what a < b ? a : b gives"),
        },
    },
    [GP_CLAUSE_MINMAX_ZERO] = {
        .id = "gp-minmax-zero", .title = "min and max of -0 and +0",
        .where = FORMAT ", accumulator opcodes 6 and 7", .silent = true,
        .readings = {
            ARGUED("manual", "-0 is less than +0.", "moves by adding -0 show that the zeros are told apart"),
            GUESSED("first", "The zeros are equal, and the result is the first operand."),
        },
    },
    [GP_CLAUSE_COMPARE_NAN] = {
        .id = "gp-compare-nan", .title = "the result of less-than if an operand is a NaN",
        .where = FORMAT ", accumulator opcodes 4 and 5", .silent = true,
        .readings = {
            STATED("manual", "The result is 0.0, as for greater-equal.", "IEEE 754-2008 5.11"),
            GUESSED("not-ge", "The result is 1.0: less-than is the opposite of greater-equal."),
        },
    },
    [GP_CLAUSE_SIGN_EDGE] = {
        .id = "gp-sign-edge", .title = "the opcode sign of -0 and of NaN",
        .where = FORMAT ", accumulator opcode 2", .silent = true,
        .readings = {
            ASSUMED("manual", "The result is +0 for both zeros and for NaN."),
            GUESSED("keeps", "Zeros and NaN are returned unchanged."),
            GUESSED("bit", "The result is +0 for both zeros, and -1.0 or 1.0 for a NaN by its sign bit."),
        },
    },
    [GP_CLAUSE_ACC_MOVE] = {
        .id = "gp-acc-move",
        .title = "accumulator opcodes other than add whose input B is the negated identity",
        .where = DOC "inputs, selector 22",
        .readings = {
            STATED("manual", "The opcode counts: max(a, -ident) is max(a, -0).", DOC "inputs, selector 22"),
            CODED("move", "The instruction is a move, whatever the opcode.",
             "Mesa's disassembler prints them all as mov"),
        },
    },
    [GP_CLAUSE_ACC_3] = {
        .id = "gp-acc-3", .title = "accumulator opcode 3", .where = FORMAT ", accumulator opcode",
        .silent = true,
        .readings = {
            STATED("manual", "The opcode is unknown: the result is undefined.", FORMAT),
            GUESSED("zero", "The result is 0.0."),
            GUESSED("first", "The result is input A."),
        },
        .in_profile = DECIDED(GP_UNKNOWN_ZERO),
    },
    [GP_CLAUSE_MUL_UNKNOWN] = {
        .id = "gp-mul-unknown", .title = "multiplier opcodes 2, 5, 6, 7", .where = FORMAT ", multiply opcode",
        .silent = true,
        .readings = {
            STATED("manual", "The opcodes are unknown: the results are undefined.", FORMAT),
            GUESSED("zero", "The results are 0.0."),
            GUESSED("multiply", "Both units multiply."),
        },
        .in_profile = DECIDED(GP_UNKNOWN_ZERO),
    },
    [GP_CLAUSE_COMPLEX_UNKNOWN] = {
        .id = "gp-complex-unknown", .title = "complex opcodes 1, 6, 7, 8, 11",
        .where = FORMAT ", complex opcode", .silent = true,
        .readings = {
            STATED("manual", "The opcodes are unknown: the result is undefined.", FORMAT),
            GUESSED("zero", "The result is 0.0."),
            GUESSED("move", "The result is the input."),
        },
        .in_profile = DECIDED(GP_UNKNOWN_ZERO),
    },
    [GP_CLAUSE_PASS_UNKNOWN] = {
        .id = "gp-pass-unknown", .title = "pass opcodes 0, 1, 3, 7", .where = FORMAT ", passthrough opcode",
        .silent = true,
        .readings = {
            STATED("manual", "The opcodes are unknown: the result is undefined.", FORMAT),
            GUESSED("zero", "The result is 0.0."),
            GUESSED("move", "The result is the input."),
        },
        .in_profile = DECIDED(GP_UNKNOWN_ZERO),
    },
};
/* clang-format on */
