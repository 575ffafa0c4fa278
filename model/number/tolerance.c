/* SPDX-License-Identifier: MIT */
#include "model/number/tolerance.h"

#include "model/number/float32.h"

enum { BYTE_BITS = 7 };

static bool is_nan(uint32_t x)
{
    return float_magnitude(x) > FLOAT_INF;
}

int32_t tolerance_place(uint32_t x)
{
    return float_key(x);
}

uint32_t tolerance_float_at(int64_t place)
{
    uint64_t magnitude = place < 0 ? (uint64_t)-place : (uint64_t)place;
    uint32_t bits = magnitude < FLOAT_INF ? (uint32_t)magnitude : FLOAT_INF;
    return place < 0 ? bits | FLOAT_SIGN : bits;
}

static uint32_t distance_of(uint32_t a, uint32_t b)
{
    int64_t d = (int64_t)tolerance_place(a) - tolerance_place(b);
    return (uint32_t)(d < 0 ? -d : d);
}

/* Returns the number of bits that 2n has. */
static unsigned lost_bits(uint32_t n)
{
    return n ? 33 - lane_clz(n) : 0;
}

/* Returns a mask of the bits above the highest bit in which two words differ. */
static uint32_t common_bits(uint32_t a, uint32_t b)
{
    unsigned lost = 32 - lane_clz(a ^ b);
    return lost < 32 ? UINT32_MAX << lost : 0;
}

uint32_t tolerance_of_floats(uint32_t value, uint32_t low, uint32_t high, uint32_t *mask)
{
    *mask = value == low && value == high ? UINT32_MAX : 0;
    if (*mask || is_nan(value) || is_nan(low) || is_nan(high))
        return 0;
    uint32_t down = distance_of(value, low), up = distance_of(value, high), n = down > up ? down : up;
    n += n == 0; /* -0 and +0 are at the same place, so allow 1 ulp */
    if (n > TOLERANCE_ULPS_MAX)
        return 0;
    int64_t place = tolerance_place(value), first = place - n, last = place + n;
    if (first > 0 || last < 0)
        *mask = common_bits(tolerance_float_at(first), tolerance_float_at(last));
    return n;
}

uint32_t tolerance_of_bytes(const uint8_t distance[4])
{
    uint32_t t = 0;
    for (unsigned i = 0; i < 4; i++)
        t |= (uint32_t)(distance[i] & TOLERANCE_BYTE_MAX) << BYTE_BITS * i;
    return t ? t | TOLERANCE_BYTES : 0;
}

static uint32_t byte_distance(uint32_t tolerance, unsigned i)
{
    return tolerance >> BYTE_BITS * i & TOLERANCE_BYTE_MAX;
}

uint32_t tolerance_mask_of_byte(uint32_t value, uint32_t distance)
{
    uint32_t low = value < distance ? 0 : value - distance,
             high = value + distance > 255 ? 255 : value + distance;
    return common_bits(low, high) & 255;
}

uint32_t tolerance_sum(uint32_t a, uint32_t b)
{
    if (!a || !b)
        return a | b;
    if ((a ^ b) & TOLERANCE_BYTES)
        return 0;
    if (!(a & TOLERANCE_BYTES))
        return a + b < TOLERANCE_BYTES ? a + b : TOLERANCE_BYTES - 1;
    uint8_t sum[4];
    for (unsigned i = 0; i < 4; i++) {
        uint32_t n = byte_distance(a, i) + byte_distance(b, i);
        sum[i] = (uint8_t)(n < TOLERANCE_BYTE_MAX ? n : TOLERANCE_BYTE_MAX);
    }
    return tolerance_of_bytes(sum);
}

uint32_t tolerance_compared_bits(uint32_t tolerance, uint32_t defined)
{
    unsigned lost = lost_bits(tolerance);
    if (!(tolerance & TOLERANCE_BYTES))
        return defined | (lost < 32 ? UINT32_MAX << lost : 0);
    for (unsigned i = 0; i < 4; i++) {
        uint32_t n = byte_distance(tolerance, i);
        defined |= (n ? UINT32_C(255) << lost_bits(n) & 255 : 0) << 8 * i;
    }
    return defined;
}

static uint32_t at_least_one(uint32_t bits)
{
    return bits ? bits : 1;
}

uint32_t tolerance_difference(uint32_t tolerance, uint32_t defined, uint32_t a, uint32_t b)
{
    uint32_t compared = (a ^ b) & tolerance_compared_bits(tolerance, defined), result = (a ^ b) & defined;
    if (!(tolerance & TOLERANCE_BYTES)) {
        bool within = a == b || (!is_nan(a) && !is_nan(b) && distance_of(a, b) <= tolerance);
        return within ? result : at_least_one(compared);
    }
    for (unsigned i = 0; i < 4; i++) {
        uint32_t n = byte_distance(tolerance, i), x = a >> 8 * i & 255, y = b >> 8 * i & 255;
        if (n && (x > y ? x - y : y - x) > n)
            result |= at_least_one(compared >> 8 * i & 255) << 8 * i;
    }
    return result;
}

void tolerance_print(uint32_t tolerance, struct text *t)
{
    if (tolerance & TOLERANCE_BYTES)
        text_add(t, "within %u, %u, %u, %u of each byte", byte_distance(tolerance, 0),
                 byte_distance(tolerance, 1), byte_distance(tolerance, 2), byte_distance(tolerance, 3));
    else
        text_add(t, "within %u ulp%s", tolerance, plural(tolerance));
}
