/* SPDX-License-Identifier: MIT */
#include "model/utgard/gp_alu.h"

#include "model/number/real.h"
#include "model/number/tolerance.h"

#define COVER(clause) (*covered |= GP_CLAUSE_BIT(GP_CLAUSE_##clause))
/* `rule` holds the reading of the clause. */
#define CONSULT(clause, rule) (COVER(clause), r->rule)

static bool is_nan(uint32_t x)
{
    return float_magnitude(x) > FLOAT_INF;
}

static bool is_denormal(uint32_t x)
{
    return float_is_denormal(x) != 0;
}

/* The NaN that an operation returns. */
static uint32_t make_nan(const struct gp_rules *r, uint32_t a, uint32_t b, uint64_t *covered)
{
    uint32_t first = is_nan(a) ? a : is_nan(b) ? b : FLOAT_NAN;
    return CONSULT(NAN_PAYLOAD, nan) == GP_NAN_FIRST ? first | 0x00400000 : FLOAT_NAN;
}

/* Finishes a sum or product: covers the clauses on denormals and rounding, and returns the profile's NaN if
 * the result is a NaN. */
static uint32_t finish(const struct gp_rules *r, uint32_t a, uint32_t b, uint32_t result, uint64_t *covered)
{
    bool nan = is_nan(result);
    if (is_denormal(a) || is_denormal(b) ||
        (!nan && float_exponent(result) <= 1)) /* one times an infinity is a NaN where it counts as 0 */
        COVER(DENORMAL);
    if (nan)
        return make_nan(r, a, b, covered);
    if (float_exponent(a) != 255 && float_exponent(b) != 255)
        COVER(ROUNDING);
    return result;
}

uint32_t gp_add_slow(const struct gp_rules *r, uint32_t a, uint32_t b, uint64_t *covered)
{
    bool a_zero = !(a << 1), b_zero = !(b << 1);
    if (a_zero && b_zero)
        return a & b; /* -0 only if both are -0, in all roundings */
    if ((gp_is_normal(a) && b_zero) || (gp_is_normal(b) && a_zero))
        return a_zero ? b : a;
    return finish(r, a, b, float_add(r->f, a, b), covered);
}

uint32_t gp_multiply_slow(const struct gp_rules *r, uint32_t a, uint32_t b, uint64_t *covered)
{
    uint32_t zero = (a ^ b) & FLOAT_SIGN;
    bool a_zero = !(a << 1), b_zero = !(b << 1);
    if ((gp_is_normal(a) && b_zero) || (gp_is_normal(b) && a_zero))
        return zero;
    return finish(r, a, b, a_zero && b_zero ? zero : float_multiply(r->f, a, b), covered);
}

/* Returns an operand of min, max, comparisons, floor or sign as these read it: denormals by gp-denormal. */
static uint32_t flushed(const struct gp_rules *r, uint32_t x, uint64_t *covered)
{
    if (is_denormal(x))
        COVER(DENORMAL);
    return float_flush(r->f, x);
}

static uint32_t lesser_or_greater(const struct gp_rules *r, bool max, uint32_t a, uint32_t b,
                                  uint64_t *covered)
{
    if (is_nan(a) || is_nan(b)) {
        unsigned reading = CONSULT(MINMAX_NAN, minmax_nan);
        if ((is_nan(a) && is_nan(b)) || reading == GP_MINMAX_NAN_NAN ||
            (reading == GP_MINMAX_NAN_SECOND && is_nan(b)))
            return make_nan(r, a, b, covered);
        return reading == GP_MINMAX_NAN_SECOND || is_nan(a) ? b : a;
    }
    if (a != b && !(a << 1 | b << 1)) {
        if (CONSULT(MINMAX_ZERO, minmax_zero) == GP_MINMAX_ZERO_FIRST)
            return a;
        return max ? 0 : FLOAT_SIGN;
    }
    return (float_key(a) > float_key(b)) == max ? a : b;
}

static uint32_t compare(const struct gp_rules *r, bool less, uint32_t a, uint32_t b, uint64_t *covered)
{
    if (is_nan(a) || is_nan(b))
        return less && CONSULT(COMPARE_NAN, compare_nan) == GP_COMPARE_NAN_LT ? GP_ONE : 0;
    return (float_key(a) < float_key(b)) == less ? GP_ONE : 0;
}

static uint32_t floor_of(const struct gp_rules *r, uint32_t x, uint64_t *covered)
{
    uint32_t e = float_exponent(x), sign = x & FLOAT_SIGN;
    if (is_nan(x))
        return make_nan(r, x, x, covered);
    if (e >= 150 || !(x << 1))
        return x;
    if (e < 127)
        return sign ? FLOAT_SIGN | GP_ONE : 0;
    /* 23 bits at most; a carry out of the mantissa gives the next power of two */
    uint32_t fraction = (UINT32_C(1) << (150 - e)) - 1;
    return sign && (x & fraction) ? (x | fraction) + 1 : x & ~fraction;
}

static uint32_t sign_of(const struct gp_rules *r, uint32_t x, uint64_t *covered)
{
    if (x == FLOAT_SIGN || is_nan(x)) {
        unsigned reading = CONSULT(SIGN_EDGE, sign_edge);
        if (reading == GP_SIGN_KEEPS)
            return x;
        return reading == GP_SIGN_BIT && is_nan(x) ? (x & FLOAT_SIGN) | GP_ONE : 0;
    }
    return x ? (x & FLOAT_SIGN) | GP_ONE : 0;
}

static uint32_t move(const struct gp_rules *r, uint32_t x, uint64_t *covered)
{
    if ((is_nan(x) || is_denormal(x)) && CONSULT(IDENTITY, identity) == GP_IDENTITY_BYPASS)
        return x;
    return is_nan(x) ? make_nan(r, x, x, covered) : flushed(r, x, covered);
}

uint32_t gp_compute(const struct gp_rules *r, enum gp_action action, uint32_t a, uint32_t b,
                    uint64_t *covered)
{
    switch (action) {
    case GP_DO_ADD:
        return gp_add(r, a, b, covered);
    case GP_DO_MUL:
        return gp_multiply(r, a, b, covered);
    case GP_DO_MOVE:
        return move(r, a, covered);
    case GP_DO_FLOOR:
        return floor_of(r, flushed(r, a, covered), covered);
    case GP_DO_SIGN:
        return sign_of(r, flushed(r, a, covered), covered);
    case GP_DO_GE:
    case GP_DO_LT:
        return compare(r, action == GP_DO_LT, flushed(r, a, covered), flushed(r, b, covered), covered);
    default:
        return lesser_or_greater(r, action == GP_DO_MAX, flushed(r, a, covered), flushed(r, b, covered),
                                 covered);
    }
}

const struct gp_clamp_order gp_clamp_orders[] = {{GP_DO_MIN, GP_DO_MAX, false},
                                                 {GP_DO_MAX, GP_DO_MIN, false},
                                                 {GP_DO_MIN, GP_DO_MAX, true}};

static uint32_t clamp_by(const struct gp_rules *r, unsigned reading, uint32_t in, uint32_t x, uint32_t y,
                         uint64_t *covered)
{
    const struct gp_clamp_order *o = &gp_clamp_orders[reading];
    uint32_t once = gp_compute(r, o->first, in, o->y_first ? y : x, covered);
    return gp_compute(r, o->second, once, o->y_first ? x : y, covered);
}

uint32_t gp_clamp(const struct gp_rules *r, uint32_t in, uint32_t x, uint32_t y, uint64_t *covered)
{
    return clamp_by(r, r->clamp, in, x, y, covered);
}

bool gp_clamp_is_disputed(const struct gp_rules *r, uint32_t in, uint32_t x, uint32_t y, uint64_t *covered)
{
    uint32_t manual = clamp_by(r, READING_MANUAL, in, x, y, covered);
    return manual != clamp_by(r, GP_CLAMP_LOWER_X, in, x, y, covered) ||
           manual != clamp_by(r, GP_CLAMP_LOWER_X_LAST, in, x, y, covered);
}

bool gp_truth(const struct gp_rules *r, uint32_t condition, uint64_t *covered)
{
    if (condition == 0 || condition == GP_ONE)
        return condition;
    switch (CONSULT(TRUTH, truth)) {
    case GP_TRUTH_ONE:
        return false;
    case GP_TRUTH_POSITIVE:
        return float_key(condition) > 0 && !is_nan(condition);
    case GP_TRUTH_BITS:
        return true;
    default:
        return condition << 1 != 0;
    }
}

/* ---- values that are only partly known ---- */

/* All floats from `low` to `high`, in the order of tolerance.h, but with -0 below +0. */
struct range {
    uint32_t low, high;
};

/* Returns the range of all floats within `ulps` of x. */
static struct range around(uint32_t x, uint32_t ulps)
{
    int64_t place = tolerance_place(x);
    uint32_t low = tolerance_float_at(place - ulps);
    return (struct range){low ? low : FLOAT_SIGN, tolerance_float_at(place + ulps)};
}

static bool is_below(uint32_t a, uint32_t b)
{
    int32_t of_a = tolerance_place(a), of_b = tolerance_place(b);
    return of_a < of_b || (of_a == of_b && a > b); /* at the same place, a > b as words only for -0 and +0 */
}

/* Widens a range so that it includes x. False if x is a NaN. */
static bool include(struct range *range, uint32_t x)
{
    if (is_below(x, range->low))
        range->low = x;
    if (is_below(range->high, x))
        range->high = x;
    return !is_nan(x);
}

static bool has_zero(const struct range *range)
{
    return tolerance_place(range->low) <= 0 && tolerance_place(range->high) >= 0;
}

static bool has_infinity(const struct range *range)
{
    return float_magnitude(range->low) == FLOAT_INF || float_magnitude(range->high) == FLOAT_INF;
}

static struct gp_known known_range(uint32_t value, const struct range *range)
{
    struct gp_known k;
    k.tolerance = tolerance_of_floats(value, range->low, range->high, &k.defined);
    return k;
}

/* Is the operand a NaN with undefined sign and payload? */
static bool is_some_nan(const struct gp_operand *o)
{
    return o->known.defined == FLOAT_INF && !o->known.tolerance && (o->value & FLOAT_INF) == FLOAT_INF;
}

bool gp_truth_is_known(const struct gp_operand *condition)
{
    return condition->known.defined == UINT32_MAX || is_some_nan(condition);
}

static uint32_t compute(const struct gp_rules *r, enum gp_action action, const uint32_t x[3],
                        uint64_t *covered)
{
    return action == GP_DO_CLAMP ? gp_clamp(r, x[0], x[1], x[2], covered)
                                 : gp_compute(r, action, x[0], x[1], covered);
}

/* Does the action return a NaN operand unchanged? */
static bool gives_nan_as_is(const struct gp_rules *r, enum gp_action action)
{
    return (action == GP_DO_MOVE && r->identity == GP_IDENTITY_BYPASS) ||
           (action == GP_DO_SIGN && r->sign_edge == GP_SIGN_KEEPS);
}

/* Returns the known part of a result whose operands are fully defined. */
static struct gp_known fully_defined_result(const struct gp_rules *r, enum gp_action action, uint32_t value)
{
    bool payload = !is_nan(value) || r->nan != READING_MANUAL || gives_nan_as_is(r, action);
    return (struct gp_known){payload ? UINT32_MAX : FLOAT_INF, 0};
}

/*
 * Returns the known part of a result whose operands have ranges. All these operations are monotonic in each
 * operand (a product: on either side of 0), and so is rounding. So every possible result is between results
 * of the ranges' ends. The ends may not show one case: 0 times an infinity is a NaN.
 */
static struct gp_known known_between(const struct gp_rules *r, enum gp_action action,
                                     const struct range operand[3], unsigned operands, uint32_t value,
                                     uint64_t *covered)
{
    struct range result = {value, value};
    bool good = !is_nan(value), zero = false;
    for (unsigned k = 0; k < operands; k++)
        zero = zero || (operand[k].low != operand[k].high && has_zero(&operand[k]));
    if (action == GP_DO_MUL)
        for (unsigned k = 0; k < 2; k++)
            good = good && !(has_zero(&operand[k]) && has_infinity(&operand[1 - k]));
    for (unsigned corner = 0; good && corner < 1U << operands; corner++) {
        uint32_t x[3] = {0};
        for (unsigned k = 0; k < operands; k++)
            x[k] = corner >> k & 1 ? operand[k].high : operand[k].low;
        good = include(&result, compute(r, action, x, covered));
    }
    if (good && zero && has_zero(&result)) { /* the operand that may be 0 has an unknown sign */
        (void)include(&result, FLOAT_SIGN);
        (void)include(&result, 0);
    }
    return good ? known_range(value, &result) : (struct gp_known){0, 0};
}

struct gp_known gp_compute_known(const struct gp_rules *r, enum gp_action action,
                                 const struct gp_operand operand[3], uint32_t *value, uint64_t *covered)
{
    unsigned operands = action == GP_DO_CLAMP                                                   ? 3
                        : action == GP_DO_MOVE || action == GP_DO_FLOOR || action == GP_DO_SIGN ? 1
                                                                                                : 2;
    bool exact = true, ranges = true;
    struct range range[3] = {{0, 0}};
    uint32_t x[3] = {0};
    for (unsigned k = 0; k < operands; k++) {
        const struct gp_operand *o = &operand[k];
        bool is_exact = o->known.defined == UINT32_MAX || is_some_nan(o);
        x[k] = is_some_nan(o) ? FLOAT_NAN : o->value;
        exact = exact && is_exact;
        ranges = ranges && (is_exact || o->known.tolerance);
        range[k] = o->known.tolerance ? around(x[k], o->known.tolerance) : (struct range){x[k], x[k]};
    }
    if (action == GP_DO_MOVE && !exact)
        COVER(IDENTITY); /* arithmetic may change the defined bits of a value; a bypass does not */
    *value = compute(r, action, x, covered);
    if (gives_nan_as_is(r, action) && (action == GP_DO_MOVE || (exact && is_nan(*value))))
        return operand[0].known;
    if (exact)
        return fully_defined_result(r, action, *value);
    return ranges ? known_between(r, action, range, operands, *value, covered) : (struct gp_known){0, 0};
}

/* ---- functions of the complex unit ---- */

enum { TOLERANCE = 4 }; /* units in the last place (gp-complex-accuracy) */

/* Does a function give a NaN? */
static bool is_invalid(enum gp_complex_op op, uint32_t x, uint32_t sign)
{
    bool rooted = op == GP_COMPLEX_RSQRT || op == GP_COMPLEX_LOG2;
    return is_nan(x) || (rooted && sign && x << 1);
}

/* Sets the result if it needs no rounding: for operands that are 0, infinite, outside the domain or the
 * result's range. Returns false for other operands. */
static bool function_special(const struct gp_rules *r, enum gp_complex_op op, uint32_t x, uint32_t sign,
                             bool invalid, uint32_t *result, uint64_t *covered)
{
    if (invalid) {
        *result = make_nan(r, x, x, covered);
    } else if (!(x << 1) && op == GP_COMPLEX_EXP2) {
        *result = GP_ONE;
    } else if (!(x << 1)) {
        uint32_t pole = CONSULT(COMPLEX_SPECIAL, special) == GP_SPECIAL_FINITE ? FLOAT_MAX : FLOAT_INF;
        bool positive =
            op == GP_COMPLEX_RSQRT && sign && CONSULT(RSQRT_ZERO, rsqrt_zero) == GP_RSQRT_POSITIVE;
        *result = pole | (op == GP_COMPLEX_LOG2 ? FLOAT_SIGN : positive ? 0 : sign);
    } else if (x << 1 == FLOAT_INF << 1) {
        *result = op == GP_COMPLEX_RCP                                        ? sign
                  : op == GP_COMPLEX_RSQRT || (op == GP_COMPLEX_EXP2 && sign) ? 0
                                                                              : FLOAT_INF;
    } else if (op == GP_COMPLEX_EXP2 && float_magnitude(x) >= 0x43800000) { /* 256 */
        *result = sign ? 0 : FLOAT_INF;
    } else {
        return false;
    }
    return true;
}

/* Returns a function's result for operands that function_special leaves. */
static uint32_t function_of_number(const struct gp_rules *r, enum gp_complex_op op, uint32_t x,
                                   uint64_t *covered)
{
    uint32_t result, sign = 0;
    struct float_rules f = r->f;
    bool truncates = CONSULT(COMPLEX_ACCURACY, accuracy) == GP_ACCURACY_TRUNCATED;
    f.rounding = truncates ? ROUND_TRUNCATE : ROUND_NEAREST_EVEN;
    switch (op) {
    case GP_COMPLEX_RCP:
        sign = x & FLOAT_SIGN;
        result = real_round(f, real_reciprocal(x));
        break;
    case GP_COMPLEX_RSQRT:
        result = real_round(f, real_reciprocal_root(x));
        break;
    case GP_COMPLEX_EXP2:
        result = real_round(f, real_exp2(x));
        break;
    default:
        result = real_round(f, real_log2(x, &sign));
    }
    if (is_denormal(result))
        COVER(DENORMAL);
    return sign | result;
}

/* Returns a function's result before gp-denormal applies to the result. */
static uint32_t function_of(const struct gp_rules *r, enum gp_complex_op op, uint32_t x, bool *special,
                            uint64_t *covered)
{
    uint32_t result;
    x = flushed(r, x, covered);
    const uint32_t sign = x & FLOAT_SIGN;
    *special = function_special(r, op, x, sign, is_invalid(op, x, sign), &result, covered);
    return *special ? result : function_of_number(r, op, x, covered);
}

bool gp_function_is_invalid(const struct gp_rules *r, enum gp_complex_op op, uint32_t x, uint32_t sign)
{
    return is_invalid(op, float_flush(r->f, x), sign);
}

uint32_t gp_function_by(const struct gp_rules *r, enum gp_complex_op op, uint32_t x, uint32_t sign,
                        bool invalid)
{
    uint64_t covered = 0;
    uint32_t result;
    x = float_flush(r->f, x);
    if (op == GP_COMPLEX_EXP2 || op == GP_COMPLEX_LOG2)
        invalid = invalid || is_nan(x); /* these need a number */
    if (!function_special(r, op, x, sign, invalid, &result, &covered))
        result = function_of_number(r, op, (x & ~FLOAT_SIGN) | sign, &covered);
    return float_flush(r->f, result);
}

/* Widens a range by all results that devices may give if the correct result is `result`. gp-denormal applies
 * to each of them. False if one is a NaN. */
static bool include_result(const struct gp_rules *r, uint32_t result, bool special, struct range *range,
                           uint64_t *covered)
{
    if (special || is_nan(result) || r->accuracy != READING_MANUAL)
        return include(range, float_flush(r->f, result));
    struct range tolerated = around(result, TOLERANCE);
    if (is_denormal(tolerated.low) || is_denormal(tolerated.high))
        COVER(DENORMAL);
    return include(range, float_flush(r->f, tolerated.low)) &&
           include(range, float_flush(r->f, tolerated.high));
}

/* Widens a range by the results for all operands in `operand`. A function is monotonic where it has no pole,
 * so the ends are enough. */
static bool include_function(const struct gp_rules *r, enum gp_complex_op op, const struct range *operand,
                             struct range *range, uint64_t *covered)
{
    bool special[2];
    uint32_t low = function_of(r, op, operand->low, &special[0], covered),
             high = function_of(r, op, operand->high, &special[1], covered);
    return !(op == GP_COMPLEX_RCP && has_zero(operand)) &&
           include_result(r, low, special[0], range, covered) &&
           include_result(r, high, special[1], range, covered);
}

uint32_t gp_function(const struct gp_rules *r, enum gp_complex_op op, struct gp_operand x,
                     struct gp_known *known, uint64_t *covered)
{
    bool special, some_nan = is_some_nan(&x), exact = x.known.defined == UINT32_MAX || some_nan;
    if (some_nan)
        x.value = FLOAT_NAN;
    uint32_t correct = function_of(r, op, x.value, &special, covered), result = float_flush(r->f, correct);
    const struct range operand = around(x.value, x.known.tolerance);
    struct range range = {result, result};
    *known = (struct gp_known){0, 0};
    if (is_nan(result)) {
        if (exact)
            known->defined = r->nan == READING_MANUAL ? FLOAT_INF : UINT32_MAX;
    } else if (exact ? include_result(r, correct, special, &range, covered)
                     : x.known.tolerance && include_function(r, op, &operand, &range, covered)) {
        *known = known_range(result, &range);
    }
    return result;
}

uint32_t gp_partial(const struct gp_rules *r, uint32_t full)
{
    enum { TABLE_BITS = 8 };
    return r->partials == GP_PARTIALS_TABLE && gp_is_normal(full)
               ? full & ~((UINT32_C(1) << (23 - TABLE_BITS)) - 1)
               : full;
}

int32_t gp_address(unsigned reading, uint32_t value)
{
    enum { FAR = 1 << 20 }; /* beyond all rows */
    if (reading == GP_ADDRESS_BITS)
        return value > FAR ? value >> 31 ? -FAR : FAR : (int32_t)value;
    if (is_nan(value) || float_exponent(value) >= 127 + 20)
        return value >> 31 ? -FAR : FAR;
    uint64_t ignored = 0;
    static const struct gp_rules ieee = {.ordinary = true};
    uint32_t whole = reading == GP_ADDRESS_FLOOR ? floor_of(&ieee, value, &ignored) : value;
    const struct ftoi_rules f = {.rounding =
                                     reading == GP_ADDRESS_NEAREST ? ROUND_NEAREST_EVEN : ROUND_TRUNCATE};
    uint32_t bits = float_to_int(f, whole);
    return bits >> 31 ? -(int32_t)(0U - bits) : (int32_t)bits;
}
