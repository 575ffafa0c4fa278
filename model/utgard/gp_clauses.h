/* SPDX-License-Identifier: MIT */
/*
 * The clauses of unit utgard-gp. A clause is a point on which four sources
 * disagree or are silent: the only public description ("Utgard GP",
 * mali-isa-docs), Mesa's lima driver, open-gpu-tools, and a program of the
 * vendor's compiler. gp_clauses_units.c and gp_clauses_flow.c describe them.
 *
 * These disputed points have no clause, because no result of an instruction
 * shows them:
 * - the prefetch count, unknown commands, and jobs without a PLBU list: they
 *   belong to a job's command list
 * - attribute formats other than float: the hardware converts these before the
 *   program runs
 * - where temporaries begin: uniforms and temporaries share one memory, and the
 *   program chooses addresses
 * - Mesa's values in the fields of idle units (0 instead of 21), its unit for
 *   mul 1's second input, and whether it clamps 1/w: these concern the compiler
 * - the names of address registers: 1 to 3 here, 0 to 2 in Mesa
 * - both halves of one instruction storing to one component: impossible, since
 *   one half stores x and y and the other z and w
 */
#ifndef MISPRINT_MODEL_UTGARD_GP_CLAUSES_H
#define MISPRINT_MODEL_UTGARD_GP_CLAUSES_H

#include "model/core/clause.h"

enum gp_profile { GP_PROFILE_MANUAL, GP_PROFILE_MALI400, GP_PROFILE_OGT, GP_PROFILE_DECIDED };

enum gp_clause {
    /* gp_clauses_units.c: arithmetic */
    GP_CLAUSE_CLAMP_ORDER,
    GP_CLAUSE_SELECT_POLARITY,
    GP_CLAUSE_SELECT_NEGATE,
    GP_CLAUSE_TRUTH,
    GP_CLAUSE_PASS_4_5,
    GP_CLAUSE_PARTIALS,
    GP_CLAUSE_COMPLEX_ACCURACY,
    GP_CLAUSE_COMPLEX_SPECIAL,
    GP_CLAUSE_RSQRT_ZERO,
    GP_CLAUSE_DENORMAL,
    GP_CLAUSE_ROUNDING,
    GP_CLAUSE_NAN_PAYLOAD,
    GP_CLAUSE_MINMAX_NAN,
    GP_CLAUSE_MINMAX_ZERO,
    GP_CLAUSE_COMPARE_NAN,
    GP_CLAUSE_SIGN_EDGE,
    GP_CLAUSE_ACC_MOVE,
    GP_CLAUSE_ACC_3,
    GP_CLAUSE_MUL_UNKNOWN,
    GP_CLAUSE_COMPLEX_UNKNOWN,
    GP_CLAUSE_PASS_UNKNOWN,
    GP_CLAUSE_UNITS_END,
    /* gp_clauses_flow.c: inputs, latencies, stores, branches */
    GP_CLAUSE_IDENTITY = GP_CLAUSE_UNITS_END,
    GP_CLAUSE_WIDE_IDENTITY,
    GP_CLAUSE_SOURCE_8_11,
    GP_CLAUSE_UNARY_SECOND,
    GP_CLAUSE_IDLE_SOURCE,
    GP_CLAUSE_IDLE_RESULT,
    GP_CLAUSE_WIDE_WAIT,
    GP_CLAUSE_ONE_REGISTER,
    GP_CLAUSE_EARLY_READ,
    GP_CLAUSE_REGISTER_LATENCY,
    GP_CLAUSE_TEMPORARY_LATENCY,
    GP_CLAUSE_ADDRESS_LATENCY,
    GP_CLAUSE_ADDRESS_FORMAT,
    GP_CLAUSE_COMPLEX_10,
    GP_CLAUSE_LOAD_OFFSET,
    GP_CLAUSE_THIRD_OFFSET,
    GP_CLAUSE_LOAD_RANGE,
    GP_CLAUSE_TEMPORARY_ADDRESS,
    GP_CLAUSE_STORE_SOURCE_5,
    GP_CLAUSE_DOUBLE_STORE,
    GP_CLAUSE_UNWRITTEN_VARYING,
    GP_CLAUSE_INITIAL_STATE,
    GP_CLAUSE_ATTRIBUTE_DEFAULT,
    GP_CLAUSE_BRANCH_RESULTS,
    GP_CLAUSE_BRANCH_DELAY,
    GP_CLAUSE_BRANCH_INPUT,
    GP_CLAUSE_BRANCH_RANGE,
    GP_CLAUSE_FLAGS,
    GP_CLAUSES
};

/* Readings other than `manual`, by clause. */
enum { GP_CLAMP_LOWER_X = 1, GP_CLAMP_LOWER_X_LAST };
enum { GP_SELECT_ELSE_FIRST = 1 };
enum { GP_SELECT_NEGATE_ARMS = 1, GP_SELECT_NEGATE_IGNORED };
enum { GP_TRUTH_ONE = 1, GP_TRUTH_POSITIVE, GP_TRUTH_BITS };
enum { GP_PASS_4_5_STEPS = 1, GP_PASS_4_5_MOVE, GP_PASS_4_5_ZERO };
enum { GP_PARTIALS_WHOLE = 1, GP_PARTIALS_TABLE };
enum { GP_ACCURACY_EXACT = 1, GP_ACCURACY_TRUNCATED };
enum { GP_SPECIAL_FINITE = 1 };
enum { GP_RSQRT_POSITIVE = 1 };
enum { GP_DENORMAL_FLUSH = 1 };
enum { GP_ROUNDING_TRUNCATE = 1 };
enum { GP_NAN_DEFAULT = 1, GP_NAN_FIRST };
enum { GP_MINMAX_NAN_NAN = 1, GP_MINMAX_NAN_SECOND };
enum { GP_MINMAX_ZERO_FIRST = 1 };
enum { GP_COMPARE_NAN_LT = 1 };
enum { GP_SIGN_KEEPS = 1, GP_SIGN_BIT };
enum { GP_ACC_MOVE_ALWAYS = 1 };
/* Readings of clauses on unknown opcodes. For mul, GP_UNKNOWN_FIRST means to multiply. */
enum { GP_UNKNOWN_ZERO = 1, GP_UNKNOWN_FIRST };
enum { GP_IDENTITY_BYPASS = 1 };
enum { GP_WIDE_IDENTITY_COMPLEX = 1 };
enum { GP_SOURCE_8_REGISTER1 = 1, GP_SOURCE_8_ZERO, GP_SOURCE_8_UNUSED };
enum { GP_UNARY_SECOND_IDLE = 1 };
enum { GP_IDLE_SOURCE_ZERO = 1, GP_IDLE_SOURCE_IDLE };
enum { GP_IDLE_RESULT_HOLDS = 1, GP_IDLE_RESULT_ZERO };
enum { GP_WIDE_WAIT_SAME = 1, GP_WIDE_WAIT_ZERO };
enum { GP_ONE_REGISTER_SHARED = 1, GP_ONE_REGISTER_TWO };
enum { GP_EARLY_OLD = 1, GP_EARLY_NEW };
enum { GP_REGISTER_LATENCY_2 = 1, GP_REGISTER_LATENCY_1 };
enum { GP_LATENCY_3 = 1 }; /* latencies of temporaries and of address registers */
enum { GP_ADDRESS_FLOOR = 1, GP_ADDRESS_NEAREST, GP_ADDRESS_BITS };
enum { GP_COMPLEX_10_NOTHING = 1, GP_COMPLEX_10_UNDEFINED };
enum { GP_OFFSET_REGISTER0 = 1, GP_OFFSET_NOTHING };
enum { GP_THIRD_OFFSET_1 = 1 };
enum { GP_RANGE_WRAPS = 1, GP_RANGE_CLAMPS, GP_RANGE_ZERO };
enum { GP_TEMPORARY_ADDED = 1 };
enum { GP_STORE_5_NOTHING = 1, GP_STORE_5_ZERO };
enum { GP_DOUBLE_STORE_FIRST = 1 };
enum { GP_UNWRITTEN_KEPT = 1, GP_UNWRITTEN_ZERO };
enum { GP_INITIAL_KEPT = 1, GP_INITIAL_ZERO };
enum { GP_ATTRIBUTE_ZERO = 1, GP_ATTRIBUTE_MEMORY };
enum { GP_BRANCH_BUBBLE = 1, GP_BRANCH_LOST };
enum { GP_BRANCH_DELAYED = 1 };
enum { GP_BRANCH_INPUT_RAW = 1 };
enum { GP_BRANCH_RANGE_ENDS = 1 };
enum { GP_FLAGS_CODE = 1, GP_FLAGS_BITS, GP_FLAGS_ALONE };

/* Modes of coverage, where a clause has several. */
enum { GP_MODE_BRANCH, GP_MODE_SELECT };                       /* truth */
enum { GP_MODE_LOADS, GP_MODE_STORES };                        /* one register */
enum { GP_MODE_REGISTER, GP_MODE_TEMPORARY, GP_MODE_ADDRESS }; /* early read */

extern const struct clause gp_unit_clauses[GP_CLAUSE_UNITS_END];
extern const struct clause gp_flow_clauses[GP_CLAUSES - GP_CLAUSE_UNITS_END];

#endif
