/* SPDX-License-Identifier: MIT */
/* The Special Functions Unit. No document gives the hardware's tables. Published are only tolerances and the
 * words of a few results. model/number/real.h computes the functions. */
#include "model/vc4/qpu/alu/qpu_sfu.h"

#include "model/number/real.h"
#include "model/number/tolerance.h"
#include "model/vc4/qpu/alu/alu_clauses.h"

/* A function's result: a word, or a signed number that is not rounded yet. */
struct answer {
    uint32_t sign;
    struct real magnitude;
    uint32_t word;
    bool is_word;
    bool exact;   /* the tolerance does not apply */
    bool unknown; /* no bit is defined, because no source publishes a device's result */
};

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

bool alu_sfu_has_root(enum sfu_function f)
{
    return f == SFU_RECIPSQRT || f == SFU_LOG || f == SFU_SQRT;
}

/* Is x a finite number that counts as zero? */
static bool is_zero(const struct alu_rules *rules, uint32_t x)
{
    return float_magnitude(x) == 0 ||
           (alu_reading(rules, ALU_SFU_DENORMAL) != READING_MANUAL && float_exponent(x) == 0);
}

uint32_t alu_sfu_sign(uint32_t x)
{
    return x & FLOAT_SIGN;
}

bool alu_sfu_invalid(const struct alu_rules *rules, enum sfu_function f, uint32_t x, uint32_t sign)
{
    bool nan = float_magnitude(x) > FLOAT_INF && alu_reading(rules, ALU_SFU_SPECIAL) == READING_MANUAL;
    return nan || (alu_sfu_has_root(f) && sign && !is_zero(rules, x) &&
                   alu_reading(rules, ALU_SFU_NEGATIVE) == READING_MANUAL);
}

bool alu_sfu_beyond(enum sfu_function f, uint32_t x)
{
    return f == SFU_EXP && float_magnitude(x) >= 0x43800000; /* 256 */
}

/* The answer for Inf and NaN. */
static struct answer answer_special(const struct alu_rules *rules, enum sfu_function f, uint32_t sign,
                                    bool invalid)
{
    unsigned special = alu_reading(rules, ALU_SFU_SPECIAL);
    const uint32_t words[SFU_FUNCTIONS] = {[SFU_RECIP] = sign,
                                           [SFU_RECIPSQRT] = 0,
                                           [SFU_EXP] = sign ? 0 : FLOAT_INF,
                                           [SFU_LOG] = FLOAT_INF,
                                           [SFU_SQRT] = FLOAT_INF};
    struct answer a = word(invalid ? FLOAT_NAN : words[f]);
    a.unknown = special == SFU_SPECIAL_NOT_DEFINED;
    return a;
}

/* Answers 2^x without computing it, if x is out of range (`beyond`) or its result was published
 * (sfu-exp-one). */
static bool answer_exp(const struct alu_rules *rules, uint32_t x, uint32_t sign, bool beyond,
                       struct answer *a)
{
    static const struct {
        uint32_t x, word;
    } seen[] = {{0x3F800000, 0x40000100}, {0xBF800000, 0x3EFFFE00}, {0x3F000000, 0x3FB50600}};
    if (beyond) {
        *a = word(sign ? 0 : FLOAT_INF);
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
    uint32_t m = float_split(x, &e);
    return e >= 0 || (e > -24 && (m & ((1U << -e) - 1)) == 0);
}

static struct answer answer_of(const struct alu_rules *rules, enum sfu_function f, uint32_t x,
                               const struct sfu_parts *parts)
{
    unsigned denormals = alu_reading(rules, ALU_SFU_DENORMAL);
    bool flushed = is_zero(rules, x) && float_magnitude(x) != 0;
    uint32_t sign = parts->sign;
    struct answer a;
    if (float_exponent(x) == 255)
        return answer_special(rules, f, sign, parts->invalid);
    if (parts->invalid)
        return word(FLOAT_NAN);
    if (is_zero(rules, x)) {
        a = answer_zero(rules, f, flushed ? 0 : sign);
        a.unknown = flushed && denormals == SFU_DENORMAL_NOT_DEFINED;
        return a;
    }
    switch (f) {
    case SFU_RECIP:
        return number(sign, real_reciprocal(x));
    case SFU_RECIPSQRT:
        return number(0, real_reciprocal_root(x));
    case SFU_SQRT:
        return number(0, real_root(x));
    case SFU_EXP:
        if (!answer_exp(rules, x, sign, parts->beyond, &a)) {
            a = number(0, real_exp2(x));
            a.exact = is_whole(x) && alu_reading(rules, ALU_SFU_EXP_ONE) == READING_MANUAL;
        }
        return a;
    default:
        a = number(0, (struct real){0, 0, false});
        a.magnitude = real_log2(float_magnitude(x), &a.sign);
        return a;
    }
}

/*
 * Tolerances: a device's result is within value * (1 +- 2^-n).
 * - recip: published words (Pi 2) have 14.7 bits and more.
 * - exp, log: VC4C doc/sfu_accuracy.txt prints at least 11 and 12 bits. For log below 1 this is absolute.
 * - rsqrt and sqrt: no source gives figures, so the model takes one bit less than for recip. No device is
 *   known to have sqrt.
 */
static const uint8_t sfu_bits[SFU_FUNCTIONS] = {
    [SFU_RECIP] = 14, [SFU_RECIPSQRT] = 13, [SFU_EXP] = 11, [SFU_LOG] = 11, [SFU_SQRT] = 13};
enum { SFU_LOG_ABSOLUTE_BITS = 12 };

/* A lane's result. */
struct sfu_word {
    uint32_t bits, defined, tolerance;
};

/* Sets the defined bits and the tolerance of a result whose exact magnitude is `r`. */
static void tolerate(const struct alu_rules *rules, enum sfu_function f, struct real r, struct sfu_word *w)
{
    uint32_t sign = w->bits & FLOAT_SIGN;
    w->defined = w->tolerance = 0;
    if (!r.m)
        return;
    uint64_t distance = (r.m >> sfu_bits[f]) + 1, half = r.m >> 1;
    int32_t absolute_bits = r.e + 63 + SFU_LOG_ABSOLUTE_BITS; /* bits of `r` above the absolute tolerance */
    if (f == SFU_LOG && absolute_bits < 2)
        return;
    if (f == SFU_LOG && absolute_bits < 63 && distance < UINT64_C(1) << (63 - absolute_bits))
        distance = UINT64_C(1) << (63 - absolute_bits);
    uint32_t low = real_round((struct float_rules){0}, real_of(r.m - distance, r.e, false)),
             high = real_round((struct float_rules){0}, real_of(half + (distance >> 1) + 1, r.e + 1, false));
    bool flushes = alu_reading(rules, ALU_SFU_DENORMAL) != READING_MANUAL && low < FLOAT_HIDDEN;
    w->defined = float_common_bits(low, high);
    if (f == SFU_RECIP && float_exponent(w->bits) > 1 && float_exponent(w->bits) < 254) {
        /* every published word ends in eight zeros */
        w->bits &= ~UINT32_C(0xFF);
        w->defined |= 0xFF;
        low &= ~UINT32_C(0xFF);
    }
    uint32_t unused;
    if (!flushes) /* otherwise a device may also return 0, which is too far away for a tolerance */
        w->tolerance =
            tolerance_of_floats(w->bits, sign | (sign ? high : low), sign | (sign ? low : high), &unused);
}

static struct sfu_word sfu_lane(const struct alu_rules *rules, enum sfu_function f, uint32_t x,
                                const struct sfu_parts *parts)
{
    bool observed = alu_reading(rules, ALU_SFU_PRECISION) == SFU_PRECISION_OBSERVED;
    struct answer a = answer_of(rules, f, x, parts);
    struct sfu_word w = {
        .bits = a.is_word ? a.word : a.sign | real_round((struct float_rules){0}, a.magnitude),
        .defined = UINT32_MAX,
    };
    bool tolerated = observed && !a.exact;
    if (tolerated)
        tolerate(rules, f, a.magnitude, &w);
    unsigned denormals = alu_reading(rules, ALU_SFU_DENORMAL);
    bool tiny = !a.is_word && float_magnitude(w.bits) < FLOAT_HIDDEN && denormals != READING_MANUAL;
    if (tiny && a.magnitude.m) {                    /* the logarithm of 1 is a zero, not a small number */
        bool far_below = a.magnitude.e + 63 < -128; /* 2^-126 is not within the tolerance */
        w = (struct sfu_word){.defined = !tolerated || far_below ? UINT32_MAX : 0};
        a.unknown =
            f != SFU_EXP && denormals == SFU_DENORMAL_NOT_DEFINED; /* exp was seen to underflow to 0 */
    }
    if (a.unknown)
        w.defined = w.tolerance = 0;
    return w;
}

static struct sfu_parts parts_of(const struct alu_rules *rules, enum sfu_function f, uint32_t x)
{
    uint32_t sign = alu_sfu_sign(x);
    return (struct sfu_parts){sign, alu_sfu_invalid(rules, f, x, sign), alu_sfu_beyond(f, x)};
}

uint32_t alu_sfu_with(const struct alu_rules *rules, enum sfu_function f, uint32_t x,
                      const struct sfu_parts *parts)
{
    return sfu_lane(rules, f, x, parts).bits;
}

bool alu_sfu_computes(const struct alu_rules *rules, enum sfu_function f, uint32_t x)
{
    const struct sfu_parts parts = parts_of(rules, f, x);
    return !answer_of(rules, f, x, &parts).is_word;
}

void alu_sfu(const struct alu_rules *rules, enum sfu_function f, const struct vc4_vector *in,
             struct vc4_vector *out, struct vc4_vector *defined, struct vc4_vector *tolerance)
{
    for (unsigned i = 0; i < VC4_LANES; i++) {
        unsigned same = 0; /* reuse an equal operand's result: halves the time in generated cases */
        while (in->lane[same] != in->lane[i])
            same++;
        struct sfu_word w;
        if (same < i) {
            w = (struct sfu_word){out->lane[same], defined->lane[same], tolerance->lane[same]};
        } else {
            const struct sfu_parts parts = parts_of(rules, f, in->lane[i]);
            w = sfu_lane(rules, f, in->lane[i], &parts);
        }
        out->lane[i] = w.bits;
        defined->lane[i] = w.defined;
        tolerance->lane[i] = w.tolerance;
    }
}

void alu_sfu_narrow(const struct vc4_vector *in_defined, struct vc4_vector *defined,
                    struct vc4_vector *tolerance)
{
    for (unsigned i = 0; i < VC4_LANES; i++) {
        defined->lane[i] &= lane_mask(in_defined->lane[i] == UINT32_MAX);
        tolerance->lane[i] &= lane_mask(in_defined->lane[i] == UINT32_MAX);
    }
}

#define CLAUSES(...)                                                                                         \
    ((const uint8_t[]){ALU_SFU_DENORMAL, ALU_SFU_SPECIAL, ALU_SFU_PRECISION, __VA_ARGS__, ALU_NO_CLAUSE})
const uint8_t *const alu_sfu_clauses[SFU_FUNCTIONS] = {
    [SFU_RECIP] = CLAUSES(ALU_SFU_ZERO),    [SFU_RECIPSQRT] = CLAUSES(ALU_SFU_ZERO, ALU_SFU_NEGATIVE),
    [SFU_EXP] = CLAUSES(ALU_SFU_EXP_ONE),   [SFU_LOG] = CLAUSES(ALU_SFU_NEGATIVE),
    [SFU_SQRT] = CLAUSES(ALU_SFU_NEGATIVE),
};
