/* SPDX-License-Identifier: MIT */
/* The rows of the operations, and the rules and kernels that follow from a profile's readings. */
#include "model/vc4/qpu/alu/qpu_alu.h"

#include "model/vc4/qpu/alu/alu_clauses.h"
#include "model/vc4/qpu/alu/qpu_alu_defined.h"
#include "model/vc4/qpu/alu/qpu_alu_host.h"
#include "model/vc4/qpu/encoding/qpu_insn.h"

#include <assert.h>
#include <string.h>

/* ---- overflow ---- */

/*
 * Saturation goes to the end of the range that the exact result exceeds. Under reading sign-of-b of
 * pack-sub-direction it goes to the end with operand B's sign: the same for add, but the wrong one for sub.
 */
static void overflow_of_sums(const struct alu_rules *rules, const struct vc4_vector *b,
                             const struct vc4_vector *result, const uint32_t *overflows,
                             struct vc4_vector *overflow)
{
    for (unsigned i = 0; i < VC4_LANES; i++) {
        uint32_t r = result->lane[i], y = b->lane[i];
        uint32_t low = ((~r & ~rules->overflow_end_b) | (y & rules->overflow_end_b)) >> 31;
        overflow->lane[i] = (overflows[i] >> 31) * (ALU_OVERFLOW + ALU_OVERFLOW_LOW * low);
    }
}

static void overflow_add(const struct alu_rules *rules, const struct vc4_vector *a,
                         const struct vc4_vector *b, const struct vc4_vector *result,
                         struct vc4_vector *overflow)
{
    uint32_t overflows[VC4_LANES];
    for (unsigned i = 0; i < VC4_LANES; i++)
        overflows[i] = (a->lane[i] ^ result->lane[i]) & (b->lane[i] ^ result->lane[i]);
    overflow_of_sums(rules, b, result, overflows, overflow);
}

static void overflow_sub(const struct alu_rules *rules, const struct vc4_vector *a,
                         const struct vc4_vector *b, const struct vc4_vector *result,
                         struct vc4_vector *overflow)
{
    uint32_t overflows[VC4_LANES];
    for (unsigned i = 0; i < VC4_LANES; i++)
        overflows[i] = (a->lane[i] ^ b->lane[i]) & (a->lane[i] ^ result->lane[i]);
    overflow_of_sums(rules, b, result, overflows, overflow);
}

/* a * 2^n as a signed number needs more than 32 bits if shifting back does not return a. */
static void overflow_shl(const struct alu_rules *rules, const struct vc4_vector *a,
                         const struct vc4_vector *b, const struct vc4_vector *result,
                         struct vc4_vector *overflow)
{
    for (unsigned i = 0; i < VC4_LANES; i++) {
        uint32_t x = a->lane[i], n = b->lane[i] & rules->shift_mask;
        bool lost = n > 31 ? x != 0 : shift_arithmetic(result->lane[i], n & 31) != x;
        overflow->lane[i] =
            lane_mask(lost) & rules->overflow_wide & (ALU_OVERFLOW_WIDE + ALU_OVERFLOW_LOW * (x >> 31));
    }
}

static void overflow_mul24(const struct alu_rules *rules, const struct vc4_vector *a,
                           const struct vc4_vector *b, const struct vc4_vector *result,
                           struct vc4_vector *overflow)
{
    (void)result;
    for (unsigned i = 0; i < VC4_LANES; i++) {
        uint64_t product = (uint64_t)(a->lane[i] & 0xFFFFFF) * (b->lane[i] & 0xFFFFFF);
        overflow->lane[i] = lane_mask(product > INT32_MAX) & rules->overflow_wide & ALU_OVERFLOW_WIDE;
    }
}

/* ---- the rows ---- */

/* Functions that choose which kernel of its row an operation uses. */
static unsigned only(const struct alu_rules *rules)
{
    (void)rules;
    return 0;
}

static unsigned by_fminabs_sign(const struct alu_rules *rules)
{
    return alu_reading(rules, ALU_FMINABS_SIGN);
}

static unsigned by_mul24(const struct alu_rules *rules)
{
    return alu_reading(rules, ALU_MUL24);
}

static unsigned by_v8muld_formula(const struct alu_rules *rules)
{
    return alu_reading(rules, ALU_V8MULD_FORMULA);
}

static bool same_float_rules(struct float_rules a, struct float_rules b, bool adding)
{
    return a.rounding == b.rounding && a.flush == b.flush && a.no_negative_zero == b.no_negative_zero &&
           a.nan_is_infinity == b.nan_is_infinity &&
           (adding ? a.overflow_is_max == b.overflow_is_max : a.zero_wins == b.zero_wins);
}

/* The kernels of a float operation are listed in this order: for any rules, for IEEE 754, for known
 * silicon. */
static unsigned float_variant(struct float_rules rules, bool adding)
{
    if (same_float_rules(rules, float_ieee, adding))
        return 1;
    return same_float_rules(rules, float_silicon, adding) ? 2 : 0;
}

static unsigned by_fadd_rules(const struct alu_rules *rules)
{
    return float_variant(rules->fadd, true);
}

static unsigned by_fmul_rules(const struct alu_rules *rules)
{
    return float_variant(rules->fmul, false);
}

enum operand_kind { WORD, FLOAT, FLOAT_MINUS_B };

/* clang-format off */
#define CLAUSES(...) ((const uint8_t[]){__VA_ARGS__ __VA_OPT__(, ) ALU_NO_CLAUSE})
#define ROW(id, opcode, name_, draws, operands_, reads, gives, kernels, choice, defined_, overflow_, \
            clauses_, c_clauses) \
    [opcode] = {.name = (name_), .operands = (operands_), .float_in = (reads) != WORD, \
                .minus_b = (reads) == FLOAT_MINUS_B, .float_out = (gives) == FLOAT, \
                .choose_kernel = (choice), .defined = (defined_), .overflow = (overflow_), \
                .clauses = CLAUSES clauses_, .flag_clauses = CLAUSES c_clauses},
#define RESERVED_ROW(opcode) [opcode] = {.clauses = CLAUSES(), .flag_clauses = CLAUSES()},
/* clang-format on */

const struct alu_op alu_add_ops[32] = {QPU_ADD_OPERATIONS(ROW, RESERVED_ROW)};
const struct alu_op alu_mul_ops[8] = {QPU_MUL_OPERATIONS(ROW, RESERVED_ROW)};

/* ---- a profile's rules ---- */

/* All ones if the clause has this reading. */
static uint32_t when(const struct alu_rules *rules, unsigned clause, unsigned reading)
{
    return lane_mask(alu_reading(rules, clause) == reading);
}

static void resolve_floats(struct alu_rules *r)
{
    static const uint8_t fmul_rounding[] = {[READING_MANUAL] = ROUND_NEAREST_EVEN,
                                            [FMUL_ROUND_TRUNCATE] = ROUND_TRUNCATE,
                                            [FMUL_ROUND_HALF_AWAY] = ROUND_HALF_AWAY};
    static const uint8_t ftoi_ranges[] = {[READING_MANUAL] = FTOI_SATURATES,
                                          [FTOI_RANGE_REPORTED] = FTOI_ENDS_REPORTED,
                                          [FTOI_RANGE_ZERO] = FTOI_ZERO,
                                          [FTOI_RANGE_SHIFTER] = FTOI_SHIFTER};
    struct float_rules common = {
        .flush = alu_reading(r, ALU_FLOAT_DENORMALS) == DENORMALS_FLUSH,
        .no_negative_zero = alu_reading(r, ALU_FLOAT_NEG_ZERO) == NEG_ZERO_NEVER,
        .nan_is_infinity = alu_reading(r, ALU_FLOAT_NAN) == NAN_SECOND_WINS,
        .zero_wins = alu_reading(r, ALU_FMUL_ZERO_NAN) == ZERO_NAN_ZERO,
    };
    r->fadd = r->fmul = common;
    if (alu_reading(r, ALU_FADD_TRUNCATION) == FADD_ROUND_TRUNCATE)
        r->fadd.rounding = ROUND_TRUNCATE;
    r->fadd.overflow_is_max = alu_reading(r, ALU_FADD_OVERFLOW) == FADD_OVERFLOW_FLT_MAX;
    r->fmul.rounding = fmul_rounding[alu_reading(r, ALU_FMUL_ROUNDING)];
    if (alu_reading(r, ALU_ITOF_TRUNCATION) == ITOF_TRUNCATE)
        r->itof.rounding = ROUND_TRUNCATE;
    r->order.nan_ordered = alu_reading(r, ALU_FMIN_ORDER) == FMIN_ORDER_SIGN_MAGNITUDE;
    r->order.zeros_tie = alu_reading(r, ALU_FMIN_TIES) == FMIN_TIES_A_THEN_B;
    r->order.denormal_absolute = alu_reading(r, ALU_FMIN_NEG_DENORMAL) == FMIN_NEG_DENORMAL_ABSOLUTE;
    r->ftoi.rounding = alu_reading(r, ALU_FTOI_MODE) == FTOI_NEAREST ? ROUND_NEAREST_EVEN : ROUND_TRUNCATE;
    r->ftoi.infinity_is_zero = alu_reading(r, ALU_FTOI_MODE) == FTOI_INFINITY_ZERO;
    r->ftoi.range = ftoi_ranges[alu_reading(r, ALU_FTOI_OUT_OF_RANGE)];
}

static void resolve_integers(struct alu_rules *r)
{
    static const uint32_t shift_masks[] = {
        [READING_MANUAL] = UINT32_MAX, [SHIFT_AMOUNT_MOD_32] = 31, [SHIFT_AMOUNT_LOW_BYTE] = 255};
    r->unary_b = when(r, ALU_UNARY_OPERAND, UNARY_OPERAND_B);
    r->shift_mask = shift_masks[alu_reading(r, ALU_SHIFT_AMOUNT)];
    r->clz_zero = alu_reading(r, ALU_CLZ_ZERO) == CLZ_ZERO_WRAPS ? 0 : 32;
    r->fadd_c = when(r, ALU_FADD_C_FLAG, FADD_C_POSITIVE);
    r->fmul_c = when(r, ALU_FMUL_C_FLAG, FMUL_C_NAN_TO_INF);
    r->itof_c = when(r, ALU_ITOF_C_FLAG, ITOF_C_POSITIVE);
    r->minmax_c = when(r, ALU_MINMAX_C_FLAG, MINMAX_C_GREATER);
    r->shift_c = when(r, ALU_SHIFT_C_FLAG, SHIFT_C_LAST_OUT);
    r->mul24_c24 = when(r, ALU_MUL24_C_FLAG, MUL24_C_ABOVE_24);
    r->mul24_c32 = when(r, ALU_MUL24_C_FLAG, MUL24_C_ABOVE_32);
    r->sub_c = when(r, ALU_SUB_C_FLAG, SUB_C_NO_BORROW);
    r->overflow_end_b = when(r, ALU_PACK_SUB_DIRECTION, PACK_SUB_DIRECTION_SIGN_OF_B);
    r->overflow_wide = when(r, ALU_PACK_32S_OPS, READING_MANUAL);
}

/* Returns the kernel that the rules choose. A row without this kernel is an error of ours, which stops every
 * program. */
static alu_kernel *chosen(const struct alu_rules *r, const struct alu_op *op,
                          alu_kernel *const kernels[ALU_KERNEL_CHOICES])
{
    if (!op->name)
        return NULL;
    unsigned n = op->choose_kernel(r);
    assert(n < ALU_KERNEL_CHOICES && kernels[n]);
    return kernels[n];
}

static void resolve_kernels(struct alu_rules *r, const struct alu_kernels *k)
{
    for (unsigned i = 0; i < 32; i++)
        r->add[i] = chosen(r, &alu_add_ops[i], k->add[i]);
    for (unsigned i = 0; i < 8; i++)
        r->mul[i] = chosen(r, &alu_mul_ops[i], k->mul[i]);
}

/* The kernels for a set of host instructions. NULL if this host or build lacks them. */
static const struct alu_kernels *host_kernels(enum alu_host host)
{
    if (host == ALU_HOST_PLAIN)
        return &alu_kernels_plain;
#if ALU_HAS_X86
    bool avx2 =
        __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                  __builtin_cpu_supports("avx512cd");
    if (host == ALU_HOST_AVX2 && avx2)
        return &alu_kernels_avx2;
    if (host == ALU_HOST_AVX512 && avx512)
        return &alu_kernels_avx512;
#endif
    return NULL;
}

bool alu_resolve_for(const struct profile *p, enum alu_host host, struct alu_rules *rules)
{
    const struct alu_kernels *kernels = host_kernels(host);
    if (!kernels)
        return false;
    memset(rules, 0, sizeof *rules);
    for (unsigned i = 0; i < ALU_CLAUSES; i++)
        rules->reading[i] = p->reading[ALU_CLAUSE_FIRST + i];
    resolve_floats(rules);
    resolve_integers(rules);
    resolve_kernels(rules, kernels);
    rules->tools = &kernels->tools;
    return true;
}

void alu_resolve(const struct profile *p, struct alu_rules *rules)
{
    for (unsigned host = ALU_HOSTS; host-- > 0;)
        if (alu_resolve_for(p, (enum alu_host)host, rules))
            return;
}

/* Z is defined if all bits are defined, or if a defined bit is 1. */
void alu_zero_negative_defined(const struct vc4_vector *result, const struct vc4_vector *defined,
                               struct vc4_vector *z_defined, struct vc4_vector *n_defined)
{
    for (unsigned i = 0; i < VC4_LANES; i++) {
        uint32_t known = defined->lane[i];
        z_defined->lane[i] = lane_mask(known == UINT32_MAX || (result->lane[i] & known) != 0);
        n_defined->lane[i] = 0U - (known >> 31);
    }
}
