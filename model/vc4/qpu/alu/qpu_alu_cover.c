/* SPDX-License-Identifier: MIT */
/*
 * Finds which clauses a result can depend on, from the operands alone. Each clause has a condition on the
 * operands. If it is false, no reading of the clause can change the result, whatever readings the other
 * clauses have. So attribution has few clauses to try.
 */
#include "model/vc4/qpu/alu/qpu_alu.h"

#include "model/vc4/qpu/alu/alu_clauses.h"
#include "model/vc4/qpu/alu/qpu_alu_host.h"

static bool denormal(uint32_t x)
{
    return float_exponent(x) == 0 && (x << 1) != 0;
}

static bool exponent_zero(uint32_t x)
{
    return float_exponent(x) == 0;
}

static bool special(uint32_t x)
{
    return float_exponent(x) == 255;
}

static bool is_nan(uint32_t x)
{
    return float_magnitude(x) > FLOAT_INF;
}

static const struct float_rules nearest = {.rounding = ROUND_NEAREST_EVEN},
                                truncating = {.rounding = ROUND_TRUNCATE},
                                away = {.rounding = ROUND_HALF_AWAY};

/* Is the magnitude at most the smallest normal number? Rounding can turn a denormal into that number. */
static bool tiny(uint32_t result)
{
    return float_magnitude(result) <= FLOAT_HIDDEN;
}

/*
 * Exponents beyond which a sum or product cannot be tiny, so that the code need not compute it. A sum of
 * finite operands is 0, or at least half of the larger operand if the exponents differ by two or more, or
 * otherwise a multiple of the smaller operand's last bit. A sum with an infinity or NaN is never tiny.
 */
enum { SUM_EXPONENT = 27, LEAST_EXPONENT = 3, PRODUCT_EXPONENTS = 130 };

static inline uint32_t sum_may_be_tiny(uint32_t a, uint32_t b)
{
    uint32_t x = a << 1 >> 24, y = b << 1 >> 24;
    return ((uint32_t)(x - y + 1 < 3) & (uint32_t)(x < SUM_EXPONENT)) |
           ((uint32_t)(x < LEAST_EXPONENT) & (uint32_t)(y < LEAST_EXPONENT)) |
           ((uint32_t)((a ^ b) == FLOAT_SIGN) & (uint32_t)(x != 255));
}

static bool sum_is_tiny(uint32_t a, uint32_t b)
{
    return sum_may_be_tiny(a, b) && tiny(float_add(nearest, a, b));
}
static bool product_is_tiny(uint32_t a, uint32_t b)
{
    bool small =
        exponent_zero(a) || exponent_zero(b) || float_exponent(a) + float_exponent(b) < PRODUCT_EXPONENTS;
    return small && tiny(float_multiply(nearest, a, b));
}

/* A clause's condition on the operands of an operation. For fsub, `b` has its sign inverted. */
typedef bool condition(uint32_t a, uint32_t b);

static bool add_denormals(uint32_t a, uint32_t b)
{
    return denormal(a) || denormal(b) || sum_is_tiny(a, b);
}

static bool multiply_denormals(uint32_t a, uint32_t b)
{
    return denormal(a) || denormal(b) || product_is_tiny(a, b);
}

static bool add_neg_zero(uint32_t a, uint32_t b)
{
    return (exponent_zero(a) && exponent_zero(b)) || sum_is_tiny(a, b);
}

static bool multiply_neg_zero(uint32_t a, uint32_t b)
{
    return exponent_zero(a) || exponent_zero(b) || product_is_tiny(a, b);
}

static bool either_special(uint32_t a, uint32_t b)
{
    return special(a) || special(b);
}

static bool zero_and_special(uint32_t a, uint32_t b)
{
    return (exponent_zero(a) && special(b)) || (exponent_zero(b) && special(a));
}

static bool add_inexact(uint32_t a, uint32_t b)
{
    return !either_special(a, b) && float_add(nearest, a, b) != float_add(truncating, a, b);
}

static bool add_overflows(uint32_t a, uint32_t b)
{
    return !either_special(a, b) && special(float_add(nearest, a, b));
}

static bool multiply_inexact(uint32_t a, uint32_t b)
{
    uint32_t r = float_multiply(nearest, a, b);
    return !either_special(a, b) &&
           (r != float_multiply(truncating, a, b) || r != float_multiply(away, a, b));
}

static bool either_nan(uint32_t a, uint32_t b)
{
    return is_nan(a) || is_nan(b);
}

static bool zeros(uint32_t a, uint32_t b)
{
    return ((a | b) << 1) == 0;
}

static bool both_denormal(uint32_t a, uint32_t b)
{
    return denormal(a) && denormal(b);
}

static bool either_negative(uint32_t a, uint32_t b)
{
    return ((a | b) >> 31) != 0;
}

/* Conditions of operations with one operand get the operand as `a` and as `b`. */
static bool ftoi_rounds(uint32_t x, uint32_t same)
{
    (void)same;
    return special(x) || (float_exponent(x) < 150 && (x << 1) != 0);
}

static bool ftoi_overflows(uint32_t x, uint32_t same)
{
    (void)same;
    return float_exponent(x) >= 158 && x != 0xCF000000;
}

static bool itof_rounds(uint32_t x, uint32_t same)
{
    (void)same;
    uint32_t magnitude = x >> 31 ? 0U - x : x;
    return magnitude > 0x01000000;
}

static bool is_zero(uint32_t x, uint32_t same)
{
    (void)same;
    return x == 0;
}

static bool amount_beyond_31(uint32_t a, uint32_t b)
{
    (void)a;
    return b > 31;
}

static bool product_beyond_24(uint32_t a, uint32_t b)
{
    return (uint64_t)(a & 0xFFFFFF) * (b & 0xFFFFFF) > 0xFFFFFF;
}

static bool mul24_disputed(uint32_t a, uint32_t b)
{
    return product_beyond_24(a, b) || ((a | b) & 0x800000) != 0;
}

/* Each clause's condition for ADD and for MUL operations. NULL: the condition always holds. */
static condition *const conditions[ALU_CLAUSES][2] = {
    [ALU_FLOAT_DENORMALS - ALU_CLAUSE_FIRST] = {add_denormals, multiply_denormals},
    [ALU_FLOAT_NEG_ZERO - ALU_CLAUSE_FIRST] = {add_neg_zero, multiply_neg_zero},
    [ALU_FLOAT_NAN - ALU_CLAUSE_FIRST] = {either_special, either_special},
    [ALU_FADD_TRUNCATION - ALU_CLAUSE_FIRST] = {add_inexact},
    [ALU_FADD_OVERFLOW - ALU_CLAUSE_FIRST] = {add_overflows},
    [ALU_FMIN_ORDER - ALU_CLAUSE_FIRST] = {either_nan},
    [ALU_FMIN_TIES - ALU_CLAUSE_FIRST] = {zeros},
    [ALU_FMIN_NEG_DENORMAL - ALU_CLAUSE_FIRST] = {both_denormal},
    [ALU_FMINABS_SIGN - ALU_CLAUSE_FIRST] = {either_negative},
    [ALU_FTOI_MODE - ALU_CLAUSE_FIRST] = {ftoi_rounds},
    [ALU_FTOI_OUT_OF_RANGE - ALU_CLAUSE_FIRST] = {ftoi_overflows},
    [ALU_ITOF_TRUNCATION - ALU_CLAUSE_FIRST] = {itof_rounds},
    [ALU_SHIFT_AMOUNT - ALU_CLAUSE_FIRST] = {amount_beyond_31},
    [ALU_CLZ_ZERO - ALU_CLAUSE_FIRST] = {is_zero},
    [ALU_FMUL_ZERO_NAN - ALU_CLAUSE_FIRST] = {NULL, zero_and_special},
    [ALU_FMUL_ROUNDING - ALU_CLAUSE_FIRST] = {NULL, multiply_inexact},
    [ALU_FMUL_C_FLAG - ALU_CLAUSE_FIRST] = {NULL, either_nan},
    [ALU_MUL24 - ALU_CLAUSE_FIRST] = {NULL, mul24_disputed},
    [ALU_MUL24_C_FLAG - ALU_CLAUSE_FIRST] = {NULL, product_beyond_24},
};

/*
 * Most operands are far from the edges of the format. Then one pass over the elements rules out all clauses
 * about edges. Checking each clause for each element took four fifths of a checked run.
 */
#define CLAUSE_BIT(clause) (UINT64_C(1) << ((clause)-ALU_CLAUSE_FIRST))
#define OF_DENORMALS       (CLAUSE_BIT(ALU_FLOAT_DENORMALS) | CLAUSE_BIT(ALU_FMIN_NEG_DENORMAL))
#define OF_ZERO            (CLAUSE_BIT(ALU_FLOAT_NEG_ZERO) | CLAUSE_BIT(ALU_FMIN_TIES))
#define OF_TINY            (CLAUSE_BIT(ALU_FLOAT_DENORMALS) | OF_ZERO)
#define OF_SMALL           (OF_DENORMALS | OF_TINY)
#define OF_SPECIAL         CLAUSE_BIT(ALU_FLOAT_NAN)
#define OF_NAN             (CLAUSE_BIT(ALU_FMIN_ORDER) | CLAUSE_BIT(ALU_FMUL_C_FLAG))
#define OF_ZERO_BY_SPECIAL CLAUSE_BIT(ALU_FMUL_ZERO_NAN)
#define OF_OVERFLOW        CLAUSE_BIT(ALU_FADD_OVERFLOW)
#define OF_EDGES           (OF_SMALL | OF_SPECIAL | OF_NAN | OF_ZERO_BY_SPECIAL | OF_OVERFLOW)

/* The edges of the format that the operands of at least one element are near. */
struct edges {
    uint32_t denormals, tiny_results, specials, nans, zero_by_special, overflows;
};

static uint64_t ruled_out(const struct edges *e)
{
    uint64_t open = (e->denormals ? OF_DENORMALS : 0) | (e->tiny_results ? OF_TINY : 0) |
                    (e->specials ? OF_SPECIAL : 0) | (e->nans ? OF_NAN : 0) |
                    (e->zero_by_special ? OF_ZERO_BY_SPECIAL : 0) | (e->overflows ? OF_OVERFLOW : 0);
    return OF_EDGES & ~open;
}

static inline void note_operands(struct edges *e, uint32_t x, uint32_t y)
{
    e->denormals |= (uint32_t)((x << 1) - 1 < 0x00FFFFFF) | (uint32_t)((y << 1) - 1 < 0x00FFFFFF);
    e->specials |= (uint32_t)(x << 1 >= 0xFF000000) | (uint32_t)(y << 1 >= 0xFF000000);
    e->nans |= (uint32_t)(x << 1 > 0xFF000000) | (uint32_t)(y << 1 > 0xFF000000);
}

WIDE static uint64_t ruled_out_by_sum(const struct vc4_vector *a, const struct vc4_vector *b, uint32_t b_flip)
{
    struct edges e = {0};
    for (unsigned i = 0; i < VC4_LANES; i++) {
        uint32_t x = a->lane[i], y = b->lane[i] ^ b_flip;
        note_operands(&e, x, y);
        e.tiny_results |= sum_may_be_tiny(x, y);
        e.overflows |= (uint32_t)(x << 1 >= 0xFD000000) |
                       (uint32_t)(y << 1 >= 0xFD000000); /* exponents of 253 and more */
    }
    return ruled_out(&e);
}

WIDE static uint64_t ruled_out_by_product(const struct vc4_vector *a, const struct vc4_vector *b)
{
    struct edges e = {0};
    for (unsigned i = 0; i < VC4_LANES; i++) {
        uint32_t x = a->lane[i], y = b->lane[i], ex = x << 1 >> 24, ey = y << 1 >> 24;
        note_operands(&e, x, y);
        e.tiny_results |= (uint32_t)(ex == 0) | (uint32_t)(ey == 0) | (uint32_t)(ex + ey < PRODUCT_EXPONENTS);
        e.zero_by_special |=
            ((uint32_t)(ex == 0) & (uint32_t)(ey == 255)) | ((uint32_t)(ey == 0) & (uint32_t)(ex == 255));
    }
    return ruled_out(&e);
}

/* Marks the clauses of a list whose condition holds for some element. Skips the clauses in `none`, whose
 * condition is known to hold for no element. */
static void cover_where(const uint8_t *clauses, bool is_mul, uint64_t none, uint32_t b_flip,
                        const struct vc4_vector *a, const struct vc4_vector *b, struct coverage *c)
{
    for (; *clauses != ALU_NO_CLAUSE; clauses++) {
        condition *holds = conditions[*clauses - ALU_CLAUSE_FIRST][is_mul];
        bool matters = !holds;
        if (none >> (*clauses - ALU_CLAUSE_FIRST) & 1 || covered(c, *clauses))
            continue;
        for (unsigned i = 0; i < VC4_LANES && !matters; i++)
            matters = holds(a->lane[i], b->lane[i] ^ b_flip);
        if (matters)
            cover(c, *clauses, 0);
    }
}

/* The clauses of a list that are not marked yet. */
static uint64_t unmarked(const uint8_t *clauses, const struct coverage *c)
{
    uint64_t open = 0;
    for (; *clauses != ALU_NO_CLAUSE; clauses++)
        open |= covered(c, *clauses) ? 0 : CLAUSE_BIT(*clauses);
    return open;
}

/* Quick test: true if these operands cannot mark a further clause. True for most operands. */
static bool nothing_to_mark(const struct alu_rules *rules, const struct alu_op *op, bool flags,
                            const struct vc4_vector *a, const struct vc4_vector *b, const struct coverage *c)
{
    uint64_t open = unmarked(op->clauses, c) | (flags ? unmarked(op->flag_clauses, c) : 0);
    return !open ||
           (op->float_in && op->operands == 2 && !(open & ~OF_EDGES) && rules->tools->ordinary(a, b));
}

void alu_cover(const struct alu_rules *rules, const struct alu_op *op, bool is_mul,
               const struct vc4_vector *a, const struct vc4_vector *b, bool flags, struct coverage *c)
{
    uint32_t b_flip = op->minus_b ? FLOAT_SIGN : 0;
    if (nothing_to_mark(rules, op, flags, a, b, c))
        return;
    if (op->operands == 1) /* ignore the unused operand: its value depends on the form of the step */
        a = b = rules->unary_b ? b : a;
    uint64_t none = 0;
    if (op->float_in && op->operands == 2)
        none = is_mul ? ruled_out_by_product(a, b) : ruled_out_by_sum(a, b, b_flip);
    cover_where(op->clauses, is_mul, none, b_flip, a, b, c);
    if (flags)
        cover_where(op->flag_clauses, is_mul, none, b_flip, a, b, c);
}

void alu_cover_list(const uint8_t *clauses, struct coverage *c)
{
    for (; *clauses != ALU_NO_CLAUSE; clauses++)
        cover(c, *clauses, 0);
}
