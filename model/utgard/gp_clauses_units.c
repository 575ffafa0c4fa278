/* SPDX-License-Identifier: MIT */
/* The clauses on what the units compute. gp_alu.c, gp_units.c and gp_prepare.c obey them. */
#include "model/utgard/gp_clauses_table.h"

static const char *const truth_modes[] = {"branch", "select", NULL};

/* clang-format off */
const struct clause gp_unit_clauses[GP_CLAUSE_UNITS_END] = {
    [GP_CLAUSE_CLAMP_ORDER] = {
        .id = "gp-clamp-order", .title = "which of the loaded x and y is clamp's upper bound",
        .where = FORMAT ", passthrough opcode 6",
        .readings = {
            STATED("manual", "x is the upper bound, y the lower: max(min(in, x), y)", FORMAT),
            CODED("lower-x", "x is the lower bound, y the upper: min(max(in, x), y)",
                  VENDOR " loads x = -1e10, y = 1e10; with the manual's order it would store 1e10 always"),
            ARGUED("lower-x-last", "x is the lower bound and wins: max(min(in, y), x)",
                   "the same bounds in the other order of steps; they differ where x > y"),
        },
        .in_profile = CHOSEN(GP_CLAMP_LOWER_X, GP_CLAMP_LOWER_X, GP_CLAMP_LOWER_X),
        .proposed = "6 - clamp (out = min(max(in, uniform.x), uniform.y))",
    },
    [GP_CLAUSE_SELECT_POLARITY] = {
        .id = "gp-select-polarity", .title = "which of select's operands a true condition chooses",
        .where = FORMAT ", multiply opcode 4",
        .readings = {
            STATED("manual", "true chooses input A of mul 0, false that of mul 1: out = b ? a : c",
                   FORMAT "; " OGT),
            CODED("else-first", "true chooses input A of mul 1, false that of mul 0",
                  "Mesa's lima compiler, which passes conformance tests on hardware"),
        },
        .in_profile = CHOSEN(GP_SELECT_ELSE_FIRST, READING_MANUAL, GP_SELECT_ELSE_FIRST),
        .proposed = "4 - select (out = b ? c : a, wide operation)",
    },
    [GP_CLAUSE_SELECT_NEGATE] = {
        .id = "gp-select-negate", .title = "the multipliers' negate bits with select",
        .where = FORMAT ", bits 20 and 21", .silent = true,
        .readings = {
            STATED("manual", "bit 20 negates the output of mul 0, as for other opcodes", FORMAT ", bit 20"),
            CODED("arms", "bit 20 negates mul 0's operand, bit 21 mul 1's", OGT ", its decompiler"),
            GUESSED("ignored", "they do nothing"),
        },
        .workaround = "leave both 0, as Mesa does",
    },
    [GP_CLAUSE_TRUTH] = {
        .id = "gp-truth", .title = "conditions other than 0.0 and 1.0, of branches and select",
        .where = FORMAT ", multiply opcode 4; branches are not described", .silent = true,
        .readings = {
            ASSUMED("manual", "every number that is not zero is true, NaN too"),
            GUESSED("one", "only exactly 1.0 is true"),
            GUESSED("positive", "greater than zero is true"),
            GUESSED("bits", "any bit set is true, so -0.0 is"),
        },
        .modes = truth_modes, .workaround = "use only 0.0 and 1.0",
    },
    [GP_CLAUSE_PASS_4_5] = {
        .id = "gp-pass-4-5", .title = "opcodes 4 and 5 of the pass unit",
        .where = FORMAT ", passthrough opcode",
        .readings = {
            STATED("manual", "unknown: the result is undefined",
                   FORMAT ", which lists 3 to 5 as unknown, though the section on complex functions uses "
                   "them"),
            CODED("steps", "4 prepares an operand for exp2, 5 finishes what log2 gave; alone their values "
                  "are undefined", DOC "complex functions; Mesa and " OGT " name them so"),
            GUESSED("move", "they hand their input on"),
            GUESSED("zero", "they give 0.0"),
        },
        .in_profile = CHOSEN(GP_PASS_4_5_STEPS, GP_PASS_4_5_STEPS, GP_PASS_4_5_STEPS),
        .proposed = "4 - preexp2, 5 - postlog2",
    },
    [GP_CLAUSE_PARTIALS] = {
        .id = "gp-partials", .title = "what the complex unit's partial results are by themselves",
        .where = DOC "complex functions", .silent = true,
        .readings = {
            STATED("manual", "nothing but steps: only what complex1 makes of them is defined",
                   DOC "complex functions gives only how they are put together"),
            GUESSED("whole", "the complex unit gives the whole function"),
            ARGUED("table", "it gives the function cut to eight bits of mantissa, as a table would",
                   "one refinement step follows"),
        },
        .in_profile = DECIDED(GP_PARTIALS_TABLE),
    },
    [GP_CLAUSE_COMPLEX_ACCURACY] = {
        .id = "gp-complex-accuracy", .title = "how exact 1/x, 1/sqrt x, 2^x and log2 x are",
        .where = DOC "complex functions", .silent = true,
        .readings = {
            INFERRED("manual", "within four units in the last place", ASSUMPTION "; GLSL ES asks for little"),
            GUESSED("exact", "correctly rounded"),
            GUESSED("truncated", "correct, but cut off instead of rounded"),
        },
        .in_profile = DECIDED(GP_ACCURACY_EXACT),
    },
    [GP_CLAUSE_COMPLEX_SPECIAL] = {
        .id = "gp-complex-special", .title = "1/0, 1/sqrt 0 and log2 0", .where = DOC "complex functions",
        .silent = true,
        .readings = {
            INFERRED("manual", "an infinity",
                     ASSUMPTION "; compilers clamp 1/w to 1e10, so it is at least that large"),
            ARGUED("finite", "the largest finite number of that sign", "serves the clamp as well"),
        },
    },
    [GP_CLAUSE_DENORMAL] = {
        .id = "gp-denormal", .title = "denormal numbers in arithmetic", .where = FORMAT, .silent = true,
        .readings = {
            ASSUMED("manual", "they count as IEEE 754 says"),
            ARGUED("flush", "as operands and as results they count as +0", "usual in hardware of that age"),
        },
    },
    [GP_CLAUSE_ROUNDING] = {
        .id = "gp-rounding", .title = "rounding of sums and products", .where = FORMAT, .silent = true,
        .readings = {
            ASSUMED("manual", "to nearest, ties to even"),
            ARGUED("truncate", "toward zero", "usual in hardware of that age"),
        },
    },
    [GP_CLAUSE_NAN_PAYLOAD] = {
        .id = "gp-nan-payload", .title = "the sign and payload of a NaN that arithmetic gives",
        .where = FORMAT, .silent = true,
        .readings = {
            STATED("manual", "undefined", "IEEE 754-2008 6.2 leaves it open"),
            GUESSED("default", "always 7FC00000"),
            ARGUED("first", "that of the first NaN operand, made quiet; 7FC00000 if there is none",
                   "usual where NaNs are handed on"),
        },
        .in_profile = DECIDED(GP_NAN_DEFAULT),
    },
    [GP_CLAUSE_MINMAX_NAN] = {
        .id = "gp-minmax-nan", .title = "min and max of a NaN and a number",
        .where = FORMAT ", accumulator opcodes 6 and 7", .silent = true,
        .readings = {
            STATED("manual", "the number", "IEEE 754-2008 5.3.1, minNum"),
            STATED("nan", "a NaN", "IEEE 754-2019 9.6, minimum"),
            ARGUED("second", "the second operand", "what a < b ? a : b gives"),
        },
    },
    [GP_CLAUSE_MINMAX_ZERO] = {
        .id = "gp-minmax-zero", .title = "min and max of -0 and +0",
        .where = FORMAT ", accumulator opcodes 6 and 7", .silent = true,
        .readings = {
            ARGUED("manual", "-0 is less than +0", "moves by adding -0 show that the zeros are told apart"),
            GUESSED("first", "they are equal, and the first operand is the result"),
        },
    },
    [GP_CLAUSE_COMPARE_NAN] = {
        .id = "gp-compare-nan", .title = "less-than with a NaN",
        .where = FORMAT ", accumulator opcodes 4 and 5", .silent = true,
        .readings = {
            STATED("manual", "0.0, as greater-equal gives", "IEEE 754-2008 5.11"),
            GUESSED("not-ge", "1.0: it is the opposite of greater-equal"),
        },
    },
    [GP_CLAUSE_SIGN_EDGE] = {
        .id = "gp-sign-edge", .title = "sign of -0 and of NaN", .where = FORMAT ", accumulator opcode 2",
        .silent = true,
        .readings = {
            ASSUMED("manual", "+0 for both zeros and for NaN"),
            GUESSED("keeps", "they come through as they are"),
            GUESSED("bit", "+0 for both zeros; -1.0 or 1.0 for a NaN by its sign bit"),
        },
    },
    [GP_CLAUSE_ACC_MOVE] = {
        .id = "gp-acc-move",
        .title = "accumulator opcodes other than add whose input B is the negated identity",
        .where = DOC "inputs, selector 22",
        .readings = {
            STATED("manual", "the opcode counts: max(a, -ident) is max(a, -0)", DOC "inputs, selector 22"),
            CODED("move", "it is a move whatever the opcode", "Mesa's disassembler prints them all as mov"),
        },
    },
    [GP_CLAUSE_ACC_3] = {
        .id = "gp-acc-3", .title = "accumulator opcode 3", .where = FORMAT ", accumulator opcode",
        .silent = true,
        .readings = {
            STATED("manual", "unknown: the result is undefined", FORMAT),
            GUESSED("zero", "0.0"),
            GUESSED("first", "input A"),
        },
        .in_profile = DECIDED(GP_UNKNOWN_ZERO),
    },
    [GP_CLAUSE_MUL_UNKNOWN] = {
        .id = "gp-mul-unknown", .title = "multiplier opcodes 2, 5, 6, 7", .where = FORMAT ", multiply opcode",
        .silent = true,
        .readings = {
            STATED("manual", "unknown: the results are undefined", FORMAT),
            GUESSED("zero", "0.0"),
            GUESSED("multiply", "both units multiply"),
        },
        .in_profile = DECIDED(GP_UNKNOWN_ZERO),
    },
    [GP_CLAUSE_COMPLEX_UNKNOWN] = {
        .id = "gp-complex-unknown", .title = "complex opcodes 1, 6, 7, 8, 11",
        .where = FORMAT ", complex opcode", .silent = true,
        .readings = {
            STATED("manual", "unknown: the result is undefined", FORMAT),
            GUESSED("zero", "0.0"),
            GUESSED("move", "the input"),
        },
        .in_profile = DECIDED(GP_UNKNOWN_ZERO),
    },
    [GP_CLAUSE_PASS_UNKNOWN] = {
        .id = "gp-pass-unknown", .title = "pass opcodes 0, 1, 3, 7", .where = FORMAT ", passthrough opcode",
        .silent = true,
        .readings = {
            STATED("manual", "unknown: the result is undefined", FORMAT),
            GUESSED("zero", "0.0"),
            GUESSED("move", "the input"),
        },
        .in_profile = DECIDED(GP_UNKNOWN_ZERO),
    },
};
/* clang-format on */
