/* SPDX-License-Identifier: MIT */
#include "model/vc4/tmu/tmu_filter.h"

#include "model/number/tolerance.h"
#include "model/vc4/tmu/tmu_clauses.h"
#include "model/vc4/tmu/tmu_points.h"

enum { HALF_SIGN = 0x8000, HALF_INF = 0x7C00, HALF_NAN = 0x7E00 };

static uint8_t decide(uint32_t *clauses, enum tmu_clause clause, uint8_t reading)
{
    *clauses |= 1U << clause;
    return reading;
}

static unsigned channel_count(enum texture_channels c)
{
    return c == TEXTURE_BYTES || c == TEXTURE_HALVES ? 4 : 1;
}
static unsigned channel_bits(enum texture_channels c)
{
    return c == TEXTURE_BYTES || c == TEXTURE_BYTE ? 8 : 16;
}

static bool all_equal(const struct tmu_tap *tap, unsigned taps, unsigned shift, uint32_t mask)
{
    uint32_t first = (uint32_t)(tap[0].texel >> shift) & mask;
    for (unsigned i = 1; i < taps; i++)
        if (((uint32_t)(tap[i].texel >> shift) & mask) != first)
            return false;
    return true;
}

/* ---- Bytes ---- */

/* The exact blend, in units of 2^-40. */
static uint64_t sum_bytes(const struct tmu_tap *tap, unsigned taps, unsigned shift)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < taps; i++)
        sum += (tap[i].texel >> shift & 0xFF) * tap[i].weight;
    return sum;
}

static uint32_t blend_byte(uint8_t filter, const struct tmu_tap *tap, unsigned taps, unsigned shift)
{
    uint64_t half = filter == TMU_FILTER_EIGHT_BITS ? 0 : UINT64_C(1) << (TMU_WEIGHT_BITS - 1);
    return (uint32_t)((sum_bytes(tap, taps, shift) + half) >> TMU_WEIGHT_BITS);
}

/* ---- Halves: exact, in units of 2^-24, the smallest half ---- */

static bool is_nan(uint32_t h)
{
    return (h & 0x7FFF) > HALF_INF;
}
static bool is_inf(uint32_t h)
{
    return (h & 0x7FFF) == HALF_INF;
}

static uint32_t significand_of(uint32_t h)
{
    return h & HALF_INF ? 1024 + (h & 1023) : h & 1023;
}
static uint32_t places_of(uint32_t h)
{
    uint32_t exponent = h >> 10 & 31;
    return exponent ? exponent - 1 : 0;
}
static int64_t signed_units(uint32_t significand, uint32_t places, bool minus)
{
    uint64_t v = (uint64_t)significand << places;
    return (int64_t)(minus ? 0 - v : v);
}

static int64_t half_units(uint32_t h)
{
    return signed_units(significand_of(h), places_of(h), h & HALF_SIGN);
}
/* The same, with each part of the half shown to the observer. */
static __attribute__((noinline)) int64_t observed_units(const struct tmu_blend *b, uint32_t h)
{
    const struct observer *o = b->observer;
    return signed_units(OBSERVE(o, TMU_POINT_HALF_SIGNIFICAND, significand_of(h), h, b->lane),
                        OBSERVE(o, TMU_POINT_HALF_PLACES, places_of(h), h, b->lane),
                        OBSERVE(o, TMU_POINT_HALF_MINUS, (h & HALF_SIGN) != 0, h, b->lane));
}

/* The half nearest to magnitude * 2^-44 (ties to even); with `truncate`, the half at or below it. `more`: the
 * exact value is slightly above `magnitude`. Sets `fraction` to what lies above the half below, in units of
 * 2^-32 of the half's last bit. `b`: for the observer. */
static uint32_t half_of(const struct tmu_blend *b, uint64_t magnitude, bool more, bool truncate,
                        uint32_t *fraction)
{
    unsigned top = magnitude ? 63U - (unsigned)__builtin_clzll(magnitude) : 0;
    bool denormal = OBSERVE(b->observer, TMU_POINT_HALF_DENORMAL, top < 30, top, b->lane);
    unsigned shift = denormal ? 20 : top - 10;
    shift = OBSERVE(b->observer, TMU_POINT_HALF_SHIFT, shift, top, b->lane);
    if (b->observer)
        shift &= 63U;
    uint64_t q = magnitude >> shift, rest = magnitude & ((UINT64_C(1) << shift) - 1),
             middle = shift ? UINT64_C(1) << (shift - 1) : 1;
    *fraction = (uint32_t)(shift <= 32 ? rest << (32 - shift) : rest >> (shift - 32));
    const uint32_t down = (uint32_t)q;
    if (!truncate && (rest > middle || (rest == middle && (more || (q & 1)))))
        q++;
    q = OBSERVE(b->observer, TMU_POINT_HALF_MANTISSA, (uint32_t)q, shift, *fraction, more, b->lane, down);
    /* q has its leading 1, which adds one to the exponent. So shift - 20 stands for shift - 19. */
    uint32_t exponent = shift < 20 ? 0 : shift - 20;
    exponent = OBSERVE(b->observer, TMU_POINT_HALF_EXPONENT, exponent, shift, b->lane);
    uint32_t unlimited = (exponent << 10) + (uint32_t)q;
    unlimited = OBSERVE(b->observer, TMU_POINT_HALF_UNLIMITED, unlimited, exponent, (uint32_t)q, b->lane);
    uint32_t h = unlimited > HALF_INF ? HALF_INF : unlimited;
    return OBSERVE(b->observer, TMU_POINT_HALF_MAGNITUDE, h, exponent, (uint32_t)q, b->lane, unlimited);
}

/* Shows the upper part of a sum of halves, or the carry into it, to the observer, as two words. It counts
 * units of 2^-44. `minus`: the sum of the negative halves. */
static uint64_t observed_words(const struct tmu_blend *b, unsigned point, uint64_t sum, bool minus)
{
    uint64_t out = 0;
    for (uint32_t upper = 0; upper < 2; upper++) {
        uint32_t word = (uint32_t)(sum >> 32 * upper), other = (uint32_t)(sum >> (32 - 32 * upper));
        word = observe(b->observer, point, word, (uint32_t[]){upper, other, minus, b->lane});
        out |= (uint64_t)word << 32 * upper;
    }
    return out;
}

/* The part of a magnitude that rules left. `upper`: 1 for whole multiples of 2^20 units, 0 for the rest. `h`:
 * the half. */
static uint64_t observed_part(const struct tmu_blend *b, uint64_t part, uint32_t upper, uint32_t h,
                              uint64_t magnitude)
{
    const uint32_t before = (uint32_t)part, after = OBSERVE(b->observer, TMU_POINT_HALF_PART, before, upper,
                                                            h, (uint32_t)magnitude, b->lane);
    return after == before ? part : after;
}

/* Is the sum of the negative halves larger than that of the positive ones? */
static bool is_negative(const struct tmu_blend *b, const uint64_t positive[2], const uint64_t negative[2])
{
    const bool larger =
        negative[0] > positive[0] || (negative[0] == positive[0] && negative[1] > positive[1]);
    return OBSERVE(b->observer, TMU_POINT_HALF_MINUS_LARGER, larger, negative[0] == positive[0],
                   negative[1] > positive[1], (negative[0] | negative[1]) != 0,
                   (positive[0] | positive[1]) != 0, b->lane);
}

/* Blends finite halves. Splits each value, v = high * 2^20 + low, so that the sums fit in 64 bits. */
static uint32_t blend_finite(const struct tmu_blend *b, const struct tmu_tap *tap, unsigned taps,
                             unsigned shift, uint32_t *fraction)
{
    uint64_t positive[2] = {0, 0}, negative[2] = {0, 0};
    const bool seen = b->observer;
    for (unsigned i = 0; i < taps; i++) {
        const uint32_t h = (uint32_t)(tap[i].texel >> shift) & 0xFFFF;
        int64_t v = seen ? observed_units(b, h) : half_units(h);
        uint64_t *sum = v < 0 ? negative : positive, m = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
        uint64_t upper = m >> 20, lower = m & 0xFFFFF;
        if (seen) {
            upper = observed_part(b, upper, 1, h, m);
            lower = observed_part(b, lower, 0, h, m);
        }
        sum[0] += upper * tap[i].weight;
        sum[1] += lower * tap[i].weight;
    }
    for (unsigned i = 0; i < 2; i++) { /* carry; [0] counts units of 2^-44, [1] the 20 bits below */
        uint64_t *sum = i ? negative : positive;
        const uint64_t carry = sum[1] >> 20;
        sum[0] += seen && observer_wants(b->observer, TMU_POINT_HALF_CARRY)
                      ? observed_words(b, TMU_POINT_HALF_CARRY, carry, i)
                      : carry;
        sum[1] &= 0xFFFFF;
        if (seen && observer_wants(b->observer, TMU_POINT_HALF_SUM))
            sum[0] = observed_words(b, TMU_POINT_HALF_SUM, sum[0], i);
    }
    const bool below_zero = is_negative(b, positive, negative);
    const bool minus = OBSERVE(b->observer, TMU_POINT_HALF_BELOW_ZERO, below_zero,
                               (negative[0] | negative[1]) != 0, (positive[0] | positive[1]) != 0, b->lane);
    const uint64_t *large = below_zero ? negative : positive, *small = below_zero ? positive : negative;
    const bool borrow = OBSERVE(b->observer, TMU_POINT_HALF_BORROW, large[1] < small[1], (uint32_t)large[1],
                                (uint32_t)small[1], b->lane);
    uint64_t below = large[1] - small[1], magnitude = large[0] - small[0] - borrow;
    return half_of(b, magnitude, below != 0, b->filter == TMU_FILTER_EIGHT_BITS, fraction) |
           (minus ? HALF_SIGN : 0U);
}

/* Copies the texels, with their weights as rules left them. */
static void observed_weights(const struct tmu_blend *b, const struct tmu_tap *tap, unsigned taps,
                             struct tmu_tap *copy)
{
    for (unsigned i = 0; i < taps; i++) {
        copy[i] = tap[i];
        copy[i].weight = 0;
        for (uint32_t upper = 0; upper < 2; upper++) {
            const uint32_t word = (uint32_t)(tap[i].weight >> 32 * upper),
                           other = (uint32_t)(tap[i].weight >> (32 - 32 * upper)),
                           first = (uint32_t)(tap[0].weight >> 32 * upper);
            copy[i].weight |= (uint64_t)observe(b->observer, TMU_POINT_FILTER_PART, word,
                                                (uint32_t[]){i, upper, other, first, b->lane})
                              << 32 * upper;
        }
    }
}

/* Copies the texels, with a channel of `bits` bits as rules left it. Returns the copy, or the texels if no
 * rule acts. */
static const struct tmu_tap *observed_taps(const struct tmu_blend *b, const struct tmu_tap *tap,
                                           unsigned taps, unsigned shift, unsigned bits, struct tmu_tap *copy)
{
    const unsigned point = bits == 8 ? TMU_POINT_FILTER_BYTE : TMU_POINT_FILTER_HALF;
    const uint64_t mask = (UINT64_C(1) << bits) - 1U;
    if (!observer_wants(b->observer, point))
        return tap;
    const uint32_t first = (uint32_t)(tap[0].texel >> shift & mask);
    for (unsigned i = 0; i < taps; i++) {
        uint32_t v = (uint32_t)(tap[i].texel >> shift & mask);
        copy[i] = tap[i];
        v = observe(b->observer, point, v, (uint32_t[]){shift / bits, i, b->levels, b->lane, first});
        copy[i].texel = (tap[i].texel & ~(mask << shift)) | (uint64_t)v << shift;
    }
    return copy;
}

/* What kinds of halves are blended. */
struct kinds {
    bool nan, plus, minus, negative; /* NaN, +Inf, -Inf, below 0 */
};

static struct kinds kinds_of(const struct tmu_tap *tap, unsigned taps, unsigned shift)
{
    struct kinds k = {0};
    for (unsigned i = 0; i < taps; i++) {
        uint32_t h = (uint32_t)(tap[i].texel >> shift) & 0xFFFF;
        k.nan |= is_nan(h);
        k.plus |= h == HALF_INF;
        k.minus |= is_inf(h) && h != HALF_INF;
        k.negative |= !is_nan(h) && (h & HALF_SIGN) && (h & 0x7FFF);
    }
    return k;
}
/* The same, with the kind of each half shown to the observer. */
static __attribute__((noinline)) struct kinds
observed_kinds(const struct tmu_blend *b, const struct tmu_tap *tap, unsigned taps, unsigned shift)
{
    const struct observer *o = b->observer;
    struct kinds k = {0};
    for (unsigned i = 0; i < taps; i++) {
        uint32_t moved = (uint32_t)(tap[i].texel >> shift), h = moved & 0xFFFF;
        /* a rule can give `moved`, whose bits of the next channel make it unlike an infinity */
        h = OBSERVE(o, TMU_POINT_HALF_TESTED, h, i, moved, b->lane, shift / 16);
        const uint32_t magnitude = h & 0x7FFF;
        k.nan |= OBSERVE(o, TMU_POINT_HALF_NAN, is_nan(h), i, h, magnitude, taps, b->lane);
        k.plus |= OBSERVE(o, TMU_POINT_HALF_PLUS_INF, h == HALF_INF, i, h, magnitude, taps, b->lane);
        k.minus |=
            OBSERVE(o, TMU_POINT_HALF_MINUS_INF, is_inf(h) && h != HALF_INF, i, h, magnitude, taps, b->lane);
        k.negative |= !is_nan(h) && (h & HALF_SIGN) && magnitude;
    }
    return k;
}

/* Blends halves, infinities and NaNs included. `fraction`: as half_of sets it; 0 if a texel is not finite. */
static uint32_t blend_half(const struct tmu_blend *b, const struct tmu_tap *tap, unsigned taps,
                           unsigned shift, uint32_t *clauses, uint32_t *defined, uint32_t *fraction)
{
    const struct kinds k = b->observer ? observed_kinds(b, tap, taps, shift) : kinds_of(tap, taps, shift);
    *defined = 0xFFFF;
    *fraction = 0;
    if (b->levels && k.plus && k.negative && !k.nan &&
        decide(clauses, TMU_CLAUSE_BLEND_INF, b->inf) == TMU_BLEND_INF_NEGATIVE) {
        *defined = HALF_SIGN;
        return HALF_SIGN | HALF_INF;
    }
    if (k.nan || (k.plus && k.minus)) {
        *defined = 0;
        return HALF_NAN;
    }
    if (k.plus || k.minus)
        return k.minus ? HALF_SIGN | HALF_INF : HALF_INF;
    return blend_finite(b, tap, taps, shift, fraction);
}

/* Returns the half that a filter with only one texel returns. A linear filter may lose the sign of a negative
 * power of two (p108 HW-2619, clause tmu-blend-neg-pow2). */
static uint32_t pass_half(const struct tmu_blend *b, uint32_t h, uint32_t *clauses)
{
    bool negative_power = (h & HALF_SIGN) && (h & 0x3FF) == 0 && (h & HALF_INF) && !is_inf(h);
    bool sign_lost = b->linear && negative_power &&
                     decide(clauses, TMU_CLAUSE_BLEND_NEG_POW2, b->neg_pow2) == TMU_BLEND_SIGN_LOST;
    return sign_lost ? h & 0x7FFFU : h;
}

/* Returns which bits of a channel are defined, given the masks of its texels. If the channel was blended, an
 * undefined bit in any texel makes all bits undefined. */
static uint32_t taps_defined(const struct tmu_tap *tap, unsigned taps, unsigned shift, uint32_t mask,
                             uint32_t v)
{
    uint32_t known = mask;
    for (unsigned i = 0; i < taps; i++) {
        uint32_t d = (uint32_t)(tap[i].defined >> shift) & mask;
        bool passed = taps == 1 && v == ((uint32_t)(tap[0].texel >> shift) & mask);
        known &= passed ? d : d == mask ? mask : 0;
    }
    return known;
}

/* A channel of `bits` bits takes the low bits of what a rule gives, so that its neighbours stay. `before`:
 * the value without the rule. */
static uint32_t within_channel(uint32_t v, uint32_t before, unsigned bits)
{
    return v == before ? v : v & ((1U << bits) - 1U);
}

/* Shows a blended channel to the observer. `v`: the model's value. */
static uint32_t observe_channel(const struct tmu_blend *b, const struct tmu_tap *tap, unsigned taps,
                                unsigned shift, unsigned bits, uint32_t v)
{
    uint32_t infinite = 0, negative = 0, minus_infinite = 0, nan = 0, fraction, defined, clauses = 0;
    struct tmu_blend down = *b;
    down.filter = TMU_FILTER_EIGHT_BITS; /* this reading truncates */
    down.observer = NULL;
    for (unsigned i = 0; bits == 16 && i < taps; i++) {
        uint32_t h = (uint32_t)(tap[i].texel >> shift) & 0xFFFF;
        infinite |= h == HALF_INF;
        minus_infinite |= h == (HALF_SIGN | HALF_INF);
        nan |= is_nan(h);
        negative |= !is_nan(h) && (h & HALF_SIGN) && (h & 0x7FFF);
    }
    const uint64_t sum = sum_bytes(tap, taps, shift);
    uint32_t floor = bits == 8 ? (uint32_t)(sum >> TMU_WEIGHT_BITS)
                               : blend_half(&down, tap, taps, shift, &clauses, &defined, &fraction);
    if (bits == 8)
        fraction = (uint32_t)(sum >> (TMU_WEIGHT_BITS - 32));
    return within_channel(observe(b->observer, TMU_POINT_FILTER_CHANNEL, v,
                                  (uint32_t[]){shift / bits, bits, floor, fraction, taps, b->levels, infinite,
                                               negative, b->lane, minus_infinite, nan,
                                               (uint32_t)(tap[0].texel >> shift) & ((1U << bits) - 1U)}),
                          v, bits);
}

/* Shows a channel of the filtered texel to the observer. `v`: the model's value. */
static uint32_t observe_result(const struct tmu_blend *b, const struct tmu_tap *tap, unsigned taps,
                               unsigned shift, unsigned bits, uint32_t v)
{
    return within_channel(observe(b->observer, TMU_POINT_FILTER_RESULT, v,
                                  (uint32_t[]){shift / bits, bits, taps, (uint32_t)(tap[0].texel >> shift),
                                               b->type, b->points, b->lane}),
                          v, bits);
}

/* The number of bits of a channel, as rules left it. */
static unsigned observed_bits(const struct tmu_blend *b, unsigned bits)
{
    enum { BITS_MAX = 16 };
    bits = OBSERVE(b->observer, TMU_POINT_FILTER_BITS, bits, b->type, b->points, b->lane);
    return bits == 0 ? 1 : bits < BITS_MAX ? bits : BITS_MAX;
}

uint64_t tmu_blend(const struct tmu_blend *b, const struct tmu_tap *tap, unsigned taps, uint32_t *clauses,
                   struct tmu_known *result)
{
    const bool checked = result;
    enum texture_channels kind = (enum texture_channels)b->channels;
    unsigned bits = channel_bits(kind), count = channel_count(kind);
    if (b->observer)
        bits = observed_bits(b, bits);
    uint32_t mask = (1U << bits) - 1U;
    uint64_t out = 0;
    struct tmu_tap weighted[TMU_TAPS_MAX];
    if (taps > 1 && observer_wants(b->observer, TMU_POINT_FILTER_PART)) {
        observed_weights(b, tap, taps, weighted);
        tap = weighted;
    }
    uint8_t filter = taps > 1 ? decide(clauses, TMU_CLAUSE_FILTER, b->filter) : TMU_FILTER_UNKNOWN;
    bool vague = checked && filter == TMU_FILTER_UNKNOWN;
    if (checked)
        *result = (struct tmu_known){.defined = ~UINT64_C(0)};
    for (unsigned shift = 0; shift < count * bits; shift += bits) {
        uint32_t v, fraction, known = mask;
        uint8_t distance = 0;
        if (taps == 1) {
            v = (uint32_t)(tap[0].texel >> shift) & mask;
            if (bits == 16 && kind != TEXTURE_INTEGER)
                v = OBSERVE(b->observer, TMU_POINT_FILTER_ALONE, pass_half(b, v, clauses), shift / bits,
                            b->linear, b->levels, b->lane, b->points);
        } else if (bits == 8) {
            struct tmu_tap room[TMU_TAPS_MAX];
            const struct tmu_tap *byte = observed_taps(b, tap, taps, shift, bits, room);
            v = blend_byte(filter, byte, taps, shift) & mask;
            if (observer_wants(b->observer, TMU_POINT_FILTER_CHANNEL))
                v = observe_channel(b, byte, taps, shift, bits, v);
            distance = vague && !all_equal(tap, taps, shift, mask) ? TMU_FILTER_TOLERANCE : 0;
            known = tolerance_mask_of_byte(v, distance);
        } else {
            struct tmu_tap room[TMU_TAPS_MAX];
            const struct tmu_tap *half = observed_taps(b, tap, taps, shift, bits, room);
            v = blend_half(b, half, taps, shift, clauses, &known, &fraction);
            if (observer_wants(b->observer, TMU_POINT_FILTER_CHANNEL))
                v = observe_channel(b, half, taps, shift, bits, v);
            if (vague && known == mask && !all_equal(tap, taps, shift, mask))
                known = 0;
        }
        if (observer_wants(b->observer, TMU_POINT_FILTER_RESULT))
            v = observe_result(b, tap, taps, shift, bits, v);
        out |= (uint64_t)v << shift;
        if (checked) {
            uint32_t taken = taps_defined(tap, taps, shift, mask, v);
            result->defined &= ~((uint64_t)(mask & ~(known & taken)) << shift);
            if (bits == 8)
                result->distance[shift / 8] = taken == mask ? distance : 0;
        }
    }
    return out;
}
