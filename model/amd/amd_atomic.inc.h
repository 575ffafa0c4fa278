/* SPDX-License-Identifier: MIT */
/* A template: computes the value that an atomic operation stores. amd_atomic.c compiles it without
 * observation points, and points/amd_atomic_observed.c with them. Before it, define ATOMIC_RESULT (the
 * function's name) and, for plain runs, AMD_OBSERVER(w) as NULL. */
#include "model/amd/buffer.h"
#include "model/rule/rules.h"

/* ---- floats ---- */

/* A format of floats. GFX10 compares doubles; CDNA also adds doubles and halves; GFX12 adds halves and
 * bfloat16. */
struct float_form {
    uint64_t sign, infinity, quiet;
    unsigned mantissa; /* bits, without the hidden one */
};
static const struct float_form half_form = {0x8000, 0x7C00, 0x0200, 10},
                               bfloat_form = {0x8000, 0x7F80, 0x0040, 7},
                               single_form = {0x80000000, 0x7F800000, 0x00400000, F32_MANTISSA},
                               double_form = {UINT64_C(1) << 63, UINT64_C(0x7FF) << 52, UINT64_C(1) << 51,
                                              52};

#define FLOAT_INPUTS(f) k->mantissa, (uint32_t)(f), (uint32_t)((f) >> 32)

static bool is_nan(const struct amd_wave *w, const struct float_form *k, uint64_t f)
{
    return AMD_OBSERVE(FLOAT_NAN, (f & ~k->sign) > k->infinity, FLOAT_INPUTS(f));
}

static bool is_zero(const struct amd_wave *w, const struct float_form *k, uint64_t f)
{
    return AMD_OBSERVE(FLOAT_ZERO, !(f & ~k->sign), FLOAT_INPUTS(f));
}

static bool is_denormal(uint32_t f)
{
    return (f & ~f32_sign) && (f & ~f32_sign) < UINT32_C(1) << F32_MANTISSA;
}

/* Passes a number through the point of its lower 32 bits. `...`: the point's inputs after `mantissa_bits`. */
#define SEE(point, number, ...)                                                                              \
    (((number) & ~(uint64_t)UINT32_MAX) | AMD_OBSERVE(point, (uint32_t)(number), k->mantissa, __VA_ARGS__))

/* Returns the mantissa of a finite number as an integer. `*exponent` is that of the integer's last digit,
 * biased so that the smallest numbers have 1. */
static uint64_t parts(const struct amd_wave *w, const struct float_form *k, uint64_t f, int *exponent)
{
    uint64_t hidden = UINT64_C(1) << k->mantissa, m = f & (hidden - 1);
    int biased =
        (int)AMD_OBSERVE(FLOAT_EXPONENT, (uint32_t)((f & k->infinity) >> k->mantissa), FLOAT_INPUTS(f));
    *exponent = biased ? biased : 1;
    m = biased ? m | hidden : m;
    const uint32_t high = AMD_OBSERVE(FLOAT_MANTISSA_HIGH, (uint32_t)(m >> 32), k->mantissa, (uint32_t)biased,
                                      (uint32_t)f, (uint32_t)(f >> 32));
    m = (uint64_t)high << 32 | (uint32_t)m;
    return SEE(FLOAT_MANTISSA, m, (uint32_t)biased, (uint32_t)f, (uint32_t)(f >> 32));
}

/* The number nearest to m * 2^exponent, ties to even; denormals are kept. */
static uint64_t pack(const struct amd_wave *w, const struct float_form *k, uint64_t sign, uint64_t m,
                     int exponent)
{
    enum { SHIFT_MOST = 63 };
    if (!m)
        return sign;
    int last = exponent + 63 - __builtin_clzll(m) - (int)k->mantissa;
    last = last < 1 ? 1 : last;
    last = (int)AMD_OBSERVE(SUM_LAST, (uint32_t)last, k->mantissa, (uint32_t)exponent,
                            (uint32_t)__builtin_clzll(m));
    int shift = (int)AMD_OBSERVE(SUM_SHIFT, (uint32_t)(last - exponent), k->mantissa, (uint32_t)last,
                                 (uint32_t)exponent);
    shift = shift > SHIFT_MOST    ? SHIFT_MOST
            : shift < -SHIFT_MOST ? -SHIFT_MOST
                                  : shift; /* only after rules */
    uint64_t rest = 0, half = 0, digits = shift > 0 ? m >> shift : m << -shift;
    if (shift > 0) {
        rest = m & ((UINT64_C(1) << shift) - 1);
        half = UINT64_C(1) << (shift - 1);
    }
    bool up = shift > 0 && (rest > half || (rest == half && (digits & 1)));
    const uint32_t kept = (uint32_t)digits,
                   more = AMD_OBSERVE(SUM_UP, up, k->mantissa, (uint32_t)shift, kept, rest > half,
                                      shift > 0 && rest == half, sign != 0);
    digits += more;
    digits = SEE(SUM_MANTISSA, digits, (uint32_t)shift, kept, more);
    const uint32_t biased = AMD_OBSERVE(SUM_EXPONENT, (uint32_t)last, k->mantissa, (uint32_t)shift);
    uint64_t bits =
        (((uint64_t)biased - 1) << k->mantissa) + digits; /* a biased exponent of 0 leaves the mantissa */
    bits = bits > k->infinity ? k->infinity : bits;
    return sign | SEE(SUM_MAGNITUDE, bits, (uint32_t)(((uint64_t)biased - 1) << k->mantissa),
                      (uint32_t)digits, (uint32_t)k->infinity);
}

#define PAIR_INPUTS k->mantissa, (uint32_t)a, (uint32_t)b, (uint32_t)(a >> 32), (uint32_t)(b >> 32)

static uint64_t sum(const struct amd_wave *w, const struct float_form *k, uint64_t a, uint64_t b)
{
    enum { MORE = 9, PLACES_MOST = 62 }; /* digits below the last; one sticky bit stands for those beyond */
    enum { DIGIT_MOST = 4032 };          /* `last` in `pack` is at most 63 more and so fits sum.last */
    int ea, eb;
    const bool nan_a = is_nan(w, k, a), nan_b = is_nan(w, k, b);
    if (nan_a || nan_b)
        return (nan_a ? a : b) | k->quiet;
    if (AMD_OBSERVE(SUM_SWAPPED, (a & ~k->sign) < (b & ~k->sign), PAIR_INPUTS)) {
        uint64_t t = a;
        a = b;
        b = t;
    }
    if (AMD_OBSERVE(SUM_INFINITE, (a & ~k->sign) == k->infinity, PAIR_INPUTS)) {
        const bool none = (b & ~k->sign) == k->infinity && a != b;
        return AMD_OBSERVE(SUM_UNDEFINED, none, PAIR_INPUTS) ? k->infinity | k->quiet : a;
    }
    uint64_t ma = parts(w, k, a, &ea) << MORE, mb = parts(w, k, b, &eb) << MORE;
    uint32_t places =
        AMD_OBSERVE(SUM_PLACES, (uint32_t)(ea - eb) & 0xFFF, k->mantissa, (uint32_t)ea, (uint32_t)eb);
    const uint64_t lost = places > PLACES_MOST ? mb : mb & ((UINT64_C(1) << places) - 1);
    mb = places > PLACES_MOST ? 0 : mb >> places;
    mb = SEE(SUM_ALIGNED, mb | (lost != 0), places, (uint32_t)mb, lost != 0);
    bool subtracts = AMD_OBSERVE(SUM_SUBTRACTS, ((a ^ b) & k->sign) != 0, PAIR_INPUTS);
    uint64_t m = subtracts ? ma - mb : ma + mb;
    m = SEE(SUM_VALUE, m, places, (uint32_t)ma, (uint32_t)mb);
    bool negative =
        AMD_OBSERVE(SUM_NEGATIVE, (a & k->sign) && (m || !subtracts), PAIR_INPUTS, m == 0, subtracts);
    int digit = (int)AMD_OBSERVE(SUM_DIGIT, (uint32_t)(ea - MORE), k->mantissa, (uint32_t)ea);
    digit = digit > DIGIT_MOST    ? DIGIT_MOST
            : digit < -DIGIT_MOST ? -DIGIT_MOST
                                  : digit; /* only after rules */
    return pack(w, k, negative ? k->sign : 0, m, digit);
}

/* Adds two floats. `pair`: the words that hold them. `upper`: they are the upper halves of these. */
static uint64_t add(const struct amd_wave *w, const struct float_form *k, uint64_t a, uint64_t b,
                    const uint64_t *pair, bool upper)
{
    uint64_t operand[2] = {a, b}, made;
    for (uint32_t n = 0; n < 2; n++)
        operand[n] = SEE(SUM_OPERAND, operand[n], n, (uint32_t)pair[n], upper);
    a = operand[0];
    b = operand[1];
    made = sum(w, k, a, b);
    uint32_t low = AMD_OBSERVE(SUM_RESULT_LOW, (uint32_t)made, PAIR_INPUTS), high = 0;
    if (k->mantissa == double_form.mantissa)
        high = AMD_OBSERVE(SUM_RESULT_HIGH, (uint32_t)(made >> 32), PAIR_INPUTS);
    return (uint64_t)high << 32 | low;
}

/* Adds two pairs of 16-bit floats. */
static uint64_t add_pairs(const struct amd_wave *w, const struct float_form *k, uint64_t a, uint64_t b)
{
    const uint64_t pair[] = {a, b}, low = add(w, k, a & 0xFFFF, b & 0xFFFF, pair, false),
                   high = add(w, k, a >> 16 & 0xFFFF, b >> 16 & 0xFFFF, pair, true);
    return (low & 0xFFFF) | (high & 0xFFFF) << 16; /* rules can make sums of more bits */
}

static uint32_t flushed(const struct amd_wave *w, uint32_t f)
{
    return is_denormal(f) && READING(F32_ATOMIC_DENORM) ? f & f32_sign : f;
}

/* Maps numbers to integers in the same order; -0 comes before +0. */
static uint64_t order_key(const struct float_form *k, uint64_t f)
{
    return f & k->sign ? ~f & (k->sign | (k->sign - 1)) : f | k->sign;
}

/* Does `a` come before `b` in the order of the numbers? */
static bool before(const struct amd_wave *w, const struct float_form *k, uint64_t a, uint64_t b)
{
    return AMD_OBSERVE(FLOAT_BEFORE, order_key(k, a) < order_key(k, b), PAIR_INPUTS, (a & k->sign) != 0,
                       (b & k->sign) != 0, (a & ~k->sign) < (b & ~k->sign));
}

#define FLAG_INPUTS                                                                                          \
    k->mantissa, (a & ~k->sign) > k->infinity, (b & ~k->sign) > k->infinity, !(a & ~k->sign), !(b & ~k->sign)

static bool is_less(const struct amd_wave *w, const struct float_form *k, uint64_t a, uint64_t b)
{
    const bool less =
        !is_nan(w, k, a) && !is_nan(w, k, b) && !(is_zero(w, k, a) && is_zero(w, k, b)) && before(w, k, a, b);
    return AMD_OBSERVE(FLOAT_LESS, less, FLAG_INPUTS, order_key(k, a) < order_key(k, b));
}

/* "CDNA3" guide 9.2.3: -0 is below +0; a number wins over a NaN; a NaN becomes quiet. */
static uint64_t ordered(const struct amd_wave *w, const struct float_form *k, uint64_t old, uint64_t source,
                        bool greatest)
{
    const bool old_nan = is_nan(w, k, old), source_nan = is_nan(w, k, source);
    if (old_nan || source_nan)
        return !old_nan ? old : source_nan ? old | k->quiet : source;
    return before(w, k, source, old) == greatest ? old : source;
}

/* Does clause f32-minmax-nan decide the smaller or the larger of the two? */
static bool is_special(const struct amd_wave *w, const struct float_form *k, uint64_t old, uint64_t source)
{
    return is_nan(w, k, old) || is_nan(w, k, source) || (is_zero(w, k, old) && is_zero(w, k, source));
}

static bool is_same(const struct amd_wave *w, const struct float_form *k, uint64_t a, uint64_t b)
{
    const bool same =
        !is_nan(w, k, a) && !is_nan(w, k, b) && (a == b || (is_zero(w, k, a) && is_zero(w, k, b)));
    return AMD_OBSERVE(FLOAT_SAME, same, FLAG_INPUTS, a == b);
}

/* ---- all operations ---- */

static bool signed_less(uint64_t a, uint64_t b, unsigned bits)
{
    uint64_t sign = UINT64_C(1) << (bits - 1);
    return (a ^ sign) < (b ^ sign);
}

/* Observes whether the condition of an atomic holds. */
static bool holds(const struct amd_wave *w, enum amd_atomic op, unsigned bits, bool condition, uint64_t old,
                  uint64_t source, uint64_t compare)
{
    return AMD_OBSERVE(ATOMIC_CONDITION, condition, (uint32_t)op, bits == 64, w->generation, (uint32_t)old,
                       (uint32_t)source, (uint32_t)compare, old < source, signed_less(old, source, bits),
                       old == source, old == compare, old == 0, source == 0);
}

uint64_t ATOMIC_RESULT(const struct amd_wave *w, enum amd_atomic op, unsigned bits, uint64_t old,
                       uint64_t source, uint64_t compare)
{
    const struct float_form *form = bits == 64 ? &double_form : &single_form;
    const uint64_t pair[] = {old, source};
#define HOLDS(condition) holds(w, op, bits, condition, old, source, compare)
    switch (op) {
    case AMD_ATOMIC_SWAP:
        return source;
    case AMD_ATOMIC_CMPSWAP:
        return HOLDS(old == compare) ? source : old;
    case AMD_ATOMIC_ADD:
        return old + source;
    case AMD_ATOMIC_SUB:
        return old - source;
    case AMD_ATOMIC_CSUB:
    case AMD_ATOMIC_SUB_CLAMP:
        return HOLDS(old < source) ? 0 : old - source;
    case AMD_ATOMIC_SMIN:
        return HOLDS(signed_less(source, old, bits)) ? source : old;
    case AMD_ATOMIC_UMIN:
        return HOLDS(source < old) ? source : old;
    case AMD_ATOMIC_SMAX:
        return HOLDS(signed_less(old, source, bits)) ? source : old;
    case AMD_ATOMIC_UMAX:
        return HOLDS(source > old) ? source : old;
    case AMD_ATOMIC_AND:
        return old & source;
    case AMD_ATOMIC_OR:
        return old | source;
    case AMD_ATOMIC_XOR:
        return old ^ source;
    case AMD_ATOMIC_INC:
        return HOLDS(old >= source) ? 0 : old + 1;
    case AMD_ATOMIC_DEC:
        return HOLDS(old == 0 || old > source) ? source : old - 1;
    case AMD_ATOMIC_FCMPSWAP:
        return HOLDS(is_same(w, form, old, compare)) ? source : old;
    case AMD_ATOMIC_FMIN:
    case AMD_ATOMIC_FMAX:
        if (is_special(w, form, old, source) && READING(F32_MINMAX_NAN))
            return ordered(w, form, old, source, op == AMD_ATOMIC_FMAX);
        return HOLDS(op == AMD_ATOMIC_FMAX ? is_less(w, form, old, source) : is_less(w, form, source, old))
                   ? source
                   : old;
    case AMD_ATOMIC_FADD:
        return bits == 64
                   ? add(w, form, old, source, pair, false)
                   : add(w, form, flushed(w, (uint32_t)old), flushed(w, (uint32_t)source), pair, false);
    case AMD_ATOMIC_PK_FADD:
        return add_pairs(w, &half_form, old, source);
    case AMD_ATOMIC_PK_BFADD:
        return add_pairs(w, &bfloat_form, old, source);
    case AMD_ATOMIC_COND_SUB:
        return HOLDS(old < source) ? old : old - source;
    }
#undef HOLDS
    return old;
}
