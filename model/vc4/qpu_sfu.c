/* SPDX-License-Identifier: MIT */
/*
 * Integer arithmetic only: the functions are computed to about 54 correct bits
 * and then rounded once, so every host gives the same bits. No document has the
 * hardware's tables; what is known of its results is a tolerance and few words.
 */
#include "model/vc4/qpu_sfu.h"

#include "model/vc4/alu_clauses.h"

/* A positive number: m * 2^e, m's top bit set; `sticky`: the exact number is a little greater. m = 0: zero. */
struct real {
    uint64_t m;
    int32_t e;
    bool sticky;
};

/* What a function gives for an operand: a word, or a signed number still to be rounded. */
struct answer {
    uint32_t sign;
    struct real magnitude;
    uint32_t word;
    bool is_word;
    bool exact;   /* the tolerance does not apply */
    bool unknown; /* nobody has seen what a device gives here: no bit is defined */
};

static uint64_t multiply_high(uint64_t a, uint64_t b)
{
    uint64_t a_low = (uint32_t)a, a_high = a >> 32, b_low = (uint32_t)b, b_high = b >> 32;
    uint64_t low = a_low * b_low, middle = a_high * b_low + (low >> 32), other = a_low * b_high + (uint32_t)middle;
    return a_high * b_high + (middle >> 32) + (other >> 32);
}

static uint32_t clz64(uint64_t x)
{
    return x >> 32 ? lane_clz((uint32_t)(x >> 32)) : 32 + lane_clz((uint32_t)x);
}

static struct real real_of(uint64_t m, int32_t e, bool sticky)
{
    if (!m)
        return (struct real){0, 0, false};
    uint32_t left = clz64(m);
    return (struct real){m << left, e - (int32_t)left, sticky};
}

/* A float's magnitude as mantissa (24 bits, highest set; denormals normalised) and exponent: m * 2^e. */
static uint32_t split(uint32_t x, int32_t *e)
{
    uint32_t field = float_exponent(x), m = (x & 0x7FFFFF) | (field ? FLOAT_HIDDEN : 0);
    uint32_t left = (lane_clz(m) - 8) & 31;
    *e = (int32_t)(field ? field : 1) - 150 - (int32_t)left;
    return m << left;
}

/* Rounds to a float's magnitude bits: to nearest, ties to even. */
static uint32_t real_round(struct real r)
{
    if (!r.m)
        return 0;
    int32_t field = r.e + 63 + 127;
    if (field > 254)
        return FLOAT_INF;
    uint32_t down = field < 1 ? (uint32_t)(1 - field) : 0;
    uint64_t sum = r.m >> 37; /* hidden bit at bit 26, three bits of rest */
    bool rest = (r.m & ((UINT64_C(1) << 37) - 1)) != 0 || r.sticky;
    uint32_t jammed = shift_sticky((uint32_t)sum | (uint32_t)rest, lane_min(down, 31));
    return float_round((struct float_rules){0}, (uint32_t)(field < 1 ? 1 : field), jammed);
}

/* The functions on normalised positive operands. */

static struct real reciprocal(uint32_t x)
{
    int32_t e;
    uint32_t m = split(x, &e);
    uint64_t one = UINT64_C(1) << 63;
    return real_of(one / m, -63 - e, one % m != 0);
}

static uint64_t square_root_64(uint64_t y)
{
    uint64_t root = 0;
    for (uint64_t bit = UINT64_C(1) << 31; bit; bit >>= 1)
        if ((root | bit) * (root | bit) <= y)
            root |= bit;
    return root;
}

/* m * 2^e with an even exponent. */
static uint32_t split_even(uint32_t x, int32_t *e)
{
    uint32_t m = split(x, e);
    if (*e & 1) {
        m <<= 1;
        *e -= 1;
    }
    return m;
}

static struct real reciprocal_square_root(uint32_t x)
{
    int32_t e;
    uint32_t m = split_even(x, &e);
    uint64_t one = UINT64_C(1) << 63, high = one / m, left = one % m;
    uint64_t quotient = (high << 23) + (left << 23) / m; /* 2^86 / m */
    bool rest = (left << 23) % m != 0;
    uint64_t root = square_root_64(quotient); /* 31 or 32 bits */
    return real_of(root, -43 - e / 2, rest || root * root != quotient);
}

static struct real square_root(uint32_t x)
{
    int32_t e;
    uint32_t m = split_even(x, &e);
    uint64_t y = (uint64_t)m << 38, root = square_root_64(y);
    return real_of(root, e / 2 - 19, root * root != y);
}

/* 2^x for |x| < 2^8: the exponential series on the fraction, in steps of 2^-62. */
static struct real power_of_two(uint32_t x)
{
    static const uint64_t ln2 = UINT64_C(0xB17217F7D1CF79AB); /* * 2^-64 */
    static const uint64_t one = UINT64_C(1) << 62;
    int32_t e;
    uint32_t m = split(x, &e);
    uint32_t down = (uint32_t)-e; /* 16 .. 172 */
    int32_t whole = down < 32 ? (int32_t)(m >> down) : 0;
    uint64_t fraction = down <= 63 ? (uint64_t)m << (64 - down) : down < 88 ? (uint64_t)m >> (down - 64) : 1; /* * 2^-64 */
    if (x >> 31) {
        whole = -whole - (fraction != 0);
        fraction = 0 - fraction;
    }
    uint64_t y = multiply_high(fraction, ln2), sum = one;
    for (uint64_t k = 20; k > 0; k--)
        sum = one + multiply_high(y, sum) / k;
    return real_of(sum, whole - 62, fraction != 0);
}

/* log2 of x, as sign and magnitude: 2 / ln 2 * atanh(s), s = (m - 1) / (m + 1), m within sqrt(1/2) .. sqrt(2). */
static struct real logarithm(uint32_t x, uint32_t *sign)
{
    static const uint64_t two_over_ln2 = UINT64_C(0xB8AA3B295C17F0BB); /* * 2^-62 */
    int32_t e;
    uint32_t m = split(x, &e), one = FLOAT_HIDDEN;
    int32_t whole = e + 23;
    if (m > 0xB504F3) {
        one <<= 1;
        whole++;
    }
    uint32_t negative = lane_mask(m < one), numerator = m < one ? one - m : m - one, denominator = m + one;
    if (!numerator) {
        *sign = whole < 0 ? FLOAT_SIGN : 0;
        return real_of((uint64_t)(whole < 0 ? -whole : whole), 0, false);
    }
    uint32_t left = clz64(numerator);
    uint64_t shifted = (uint64_t)numerator << left;
    uint64_t s = ((shifted / denominator) << 24) + ((shifted % denominator) << 24) / denominator; /* * 2^-(left + 24) */
    uint64_t s64 = s >> (left - 40), square = multiply_high(s64, s64), sum = 0;                   /* * 2^-64 */
    for (uint64_t k = 17; k-- > 0;)
        sum = (UINT64_C(1) << 62) / (2 * k + 1) + multiply_high(square, sum);
    uint64_t log = multiply_high(multiply_high(s, sum) << 1, two_over_ln2); /* * 2^-(left + 21) */
    if (!whole) {
        *sign = negative & FLOAT_SIGN;
        return real_of(log, -(int32_t)left - 21, true);
    }
    *sign = whole < 0 ? FLOAT_SIGN : 0;
    uint64_t integer = (uint64_t)(whole < 0 ? -whole : whole) << 55, part = log >> (left - 34);
    return real_of((whole < 0) == (negative != 0) ? integer + part : integer - part, -55, true);
}

/* Operands that need no computing, by function. */

static struct answer word(uint32_t bits)
{
    return (struct answer){.word = bits, .is_word = true, .exact = true};
}

static struct answer number(uint32_t sign, struct real magnitude)
{
    return (struct answer){.sign = sign, .magnitude = magnitude};
}

static struct answer answer_zero(const struct alu_rules *rules, enum sfu_function f, uint32_t sign)
{
    bool observed = alu_reading(rules, ALU_SFU_ZERO) == SFU_ZERO_OBSERVED;
    const uint32_t words[SFU_FUNCTIONS] = {
        [SFU_RECIP] = sign | FLOAT_INF,
        [SFU_RECIPSQRT] = (observed ? 0 : sign) | FLOAT_INF,
        [SFU_LOG] = FLOAT_SIGN | FLOAT_INF,
        [SFU_EXP] = alu_reading(rules, ALU_SFU_EXP_ONE) == SFU_EXP_ONE_OBSERVED ? 0x3F800100 : 0x3F800000,
        [SFU_SQRT] = sign,
    };
    return word(words[f]);
}

/* Inf, NaN. */
static struct answer answer_special(const struct alu_rules *rules, enum sfu_function f, uint32_t x, bool root)
{
    unsigned special = alu_reading(rules, ALU_SFU_SPECIAL);
    uint32_t sign = x & FLOAT_SIGN;
    const uint32_t words[SFU_FUNCTIONS] = {
        [SFU_RECIP] = sign, [SFU_RECIPSQRT] = 0, [SFU_EXP] = sign ? 0 : FLOAT_INF, [SFU_LOG] = FLOAT_INF, [SFU_SQRT] = FLOAT_INF};
    bool nan = (float_magnitude(x) > FLOAT_INF && special == SFU_SPECIAL_MANUAL) ||
               (root && sign && alu_reading(rules, ALU_SFU_NEGATIVE) == SFU_NEGATIVE_MANUAL);
    struct answer a = word(nan ? FLOAT_NAN : words[f]);
    a.unknown = special == SFU_SPECIAL_NOT_DEFINED;
    return a;
}

/* 2^x where it is a word: out of range, and the operands whose results were printed (sfu-exp-one). */
static bool answer_exp(const struct alu_rules *rules, uint32_t x, struct answer *a)
{
    static const struct {
        uint32_t x, word;
    } seen[] = {{0x3F800000, 0x40000100}, {0xBF800000, 0x3EFFFE00}, {0x3F000000, 0x3FB50600}};
    if (float_magnitude(x) >= 0x43800000) { /* 256 */
        *a = word(x >> 31 ? 0 : FLOAT_INF);
        return true;
    }
    bool observed = alu_reading(rules, ALU_SFU_EXP_ONE) == SFU_EXP_ONE_OBSERVED;
    for (unsigned i = 0; observed && i < sizeof seen / sizeof seen[0]; i++)
        if (seen[i].x == x) {
            *a = word(seen[i].word);
            return true;
        }
    return false;
}

/* Is x a whole number? Then 2^x is a power of two. */
static bool is_whole(uint32_t x)
{
    int32_t e;
    uint32_t m = split(x, &e);
    return e >= 0 || (e > -24 && (m & ((1U << -e) - 1)) == 0);
}

static struct answer answer_of(const struct alu_rules *rules, enum sfu_function f, uint32_t x)
{
    bool root = f == SFU_RECIPSQRT || f == SFU_LOG || f == SFU_SQRT; /* the functions that have no real value for negative x */
    unsigned denormals = alu_reading(rules, ALU_SFU_DENORMAL);
    bool flushed = denormals != SFU_DENORMAL_MANUAL && float_exponent(x) == 0 && float_magnitude(x) != 0;
    uint32_t sign = x & FLOAT_SIGN;
    struct answer a;
    if (float_exponent(x) == 255)
        return answer_special(rules, f, x, root);
    if (flushed || float_magnitude(x) == 0) {
        a = answer_zero(rules, f, flushed ? 0 : sign);
        a.unknown = flushed && denormals == SFU_DENORMAL_NOT_DEFINED;
        return a;
    }
    if (root && sign && alu_reading(rules, ALU_SFU_NEGATIVE) == SFU_NEGATIVE_MANUAL)
        return word(FLOAT_NAN);
    switch (f) {
    case SFU_RECIP:
        return number(sign, reciprocal(x));
    case SFU_RECIPSQRT:
        return number(0, reciprocal_square_root(x));
    case SFU_SQRT:
        return number(0, square_root(x));
    case SFU_EXP:
        if (!answer_exp(rules, x, &a)) {
            a = number(0, power_of_two(x));
            a.exact = is_whole(x) && alu_reading(rules, ALU_SFU_EXP_ONE) == SFU_EXP_ONE_MANUAL;
        }
        return a;
    default:
        a = number(0, (struct real){0, 0, false});
        a.magnitude = logarithm(float_magnitude(x), &a.sign);
        return a;
    }
}

/*
 * Tolerances: a device's result lies within value * (1 +- 2^-n). recip: published words (Pi 2) have 14.7 bits and more. exp, log: VC4C
 * doc/sfu_accuracy.txt prints 11 and 12 bits as the least; for log taken as absolute below 1. rsqrt (and sqrt, which no device is known to have):
 * nobody published figures; one bit less than recip.
 */
static const uint8_t sfu_bits[SFU_FUNCTIONS] = {[SFU_RECIP] = 14, [SFU_RECIPSQRT] = 13, [SFU_EXP] = 11, [SFU_LOG] = 11, [SFU_SQRT] = 13};
enum { SFU_LOG_ABSOLUTE_BITS = 12 };

/* The leading bits that all floats from low to high share. */
static uint32_t common_bits(uint32_t low, uint32_t high)
{
    uint32_t differ = low ^ high;
    return differ ? ~(UINT32_MAX >> (lane_clz(differ) & 31)) : UINT32_MAX;
}

/* The bits that every magnitude within the tolerance shares. */
static uint32_t tolerated_bits(enum sfu_function f, struct real r)
{
    if (!r.m)
        return 0;
    int32_t bits = sfu_bits[f], exponent = r.e + 63;
    if (f == SFU_LOG && exponent + SFU_LOG_ABSOLUTE_BITS < bits)
        bits = exponent + SFU_LOG_ABSOLUTE_BITS;
    if (bits < 2)
        return 0;
    uint64_t tolerance = (r.m >> bits) + 1, half = r.m >> 1;
    struct real low = real_of(r.m - tolerance, r.e, false), high = real_of(half + (tolerance >> 1) + 1, r.e + 1, false);
    return common_bits(real_round(low), real_round(high));
}

static void sfu_lane(const struct alu_rules *rules, enum sfu_function f, uint32_t x, uint32_t *out, uint32_t *defined)
{
    bool observed = alu_reading(rules, ALU_SFU_PRECISION) == SFU_PRECISION_OBSERVED;
    struct answer a = answer_of(rules, f, x);
    uint32_t bits = a.is_word ? a.word : a.sign | real_round(a.magnitude);
    uint32_t mask = UINT32_MAX;
    bool tolerated = observed && !a.exact;
    if (tolerated)
        mask = tolerated_bits(f, a.magnitude);
    if (tolerated && f == SFU_RECIP && float_exponent(bits) > 1 && float_exponent(bits) < 254) {
        /* every published word ends in eight zeros */
        bits &= ~UINT32_C(0xFF);
        mask |= 0xFF;
    }
    unsigned denormals = alu_reading(rules, ALU_SFU_DENORMAL);
    bool tiny = !a.is_word && float_magnitude(bits) < FLOAT_HIDDEN && denormals != SFU_DENORMAL_MANUAL;
    if (tiny && a.magnitude.m) { /* the logarithm of 1 is a zero, not a small number */
        bits = 0;
        a.unknown = f != SFU_EXP && denormals == SFU_DENORMAL_NOT_DEFINED; /* for exp, underflow to 0 was reported */
        mask = !tolerated || a.magnitude.e + 63 < -128 ? UINT32_MAX : 0;   /* clear of the tolerance around 2^-126 */
    }
    *out = bits;
    *defined = a.unknown ? 0 : mask;
}

void alu_sfu(const struct alu_rules *rules, enum sfu_function f, const struct vc4_vector *in, struct vc4_vector *out, struct vc4_vector *defined)
{
    for (unsigned i = 0; i < VC4_LANES; i++) {
        unsigned same = 0; /* operands repeat, in programs as in generated cases: looking for that halves the time of the latter's */
        while (in->lane[same] != in->lane[i])
            same++;
        if (same < i) {
            out->lane[i] = out->lane[same];
            defined->lane[i] = defined->lane[same];
        } else {
            sfu_lane(rules, f, in->lane[i], &out->lane[i], &defined->lane[i]);
        }
    }
}

void alu_sfu_narrow(const struct vc4_vector *in_defined, struct vc4_vector *defined)
{
    for (unsigned i = 0; i < VC4_LANES; i++)
        defined->lane[i] &= lane_mask(in_defined->lane[i] == UINT32_MAX);
}

#define CLAUSES(...) ((const uint8_t[]){ALU_SFU_DENORMAL, ALU_SFU_SPECIAL, ALU_SFU_PRECISION, __VA_ARGS__, ALU_NO_CLAUSE})
const uint8_t *const alu_sfu_clauses[SFU_FUNCTIONS] = {
    [SFU_RECIP] = CLAUSES(ALU_SFU_ZERO),    [SFU_RECIPSQRT] = CLAUSES(ALU_SFU_ZERO, ALU_SFU_NEGATIVE),
    [SFU_EXP] = CLAUSES(ALU_SFU_EXP_ONE),   [SFU_LOG] = CLAUSES(ALU_SFU_NEGATIVE),
    [SFU_SQRT] = CLAUSES(ALU_SFU_NEGATIVE),
};
