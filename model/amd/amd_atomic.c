/* SPDX-License-Identifier: MIT */
/* Computes the value that an atomic operation stores. */
#include "model/amd/buffer.h"

#include "model/amd/points/buffer_observe.h"

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

static bool is_nan(const struct float_form *k, uint64_t f)
{
    return (f & ~k->sign) > k->infinity;
}

static bool is_zero(const struct float_form *k, uint64_t f)
{
    return !(f & ~k->sign);
}

static bool is_denormal(uint32_t f)
{
    return !is_zero(&single_form, f) && (f & ~f32_sign) < UINT32_C(1) << F32_MANTISSA;
}

/* Returns the mantissa of a finite number as an integer. `*exponent` is that of the integer's last digit,
 * biased so that the smallest numbers have 1. */
static uint64_t parts(const struct float_form *k, uint64_t f, int *exponent)
{
    uint64_t hidden = UINT64_C(1) << k->mantissa, m = f & (hidden - 1);
    int biased = (int)((f & k->infinity) >> k->mantissa);
    *exponent = biased ? biased : 1;
    return biased ? m | hidden : m;
}

/* Shows a step of a sum to the observer: the lower 32 bits of a number. `input`: the point's last one. */
static uint64_t see(const struct amd_wave *w, unsigned point, const struct float_form *k, uint64_t number,
                    uint32_t input)
{
    if (!amd_watches(w, point))
        return number;
    return (number & ~(uint64_t)UINT32_MAX) |
           observe(w->observer, point, (uint32_t)number, (uint32_t[]){k->mantissa, input});
}

/* The number nearest to m * 2^exponent, ties to even; denormals are kept. */
static uint64_t pack(const struct amd_wave *w, const struct float_form *k, uint64_t sign, uint64_t m,
                     int exponent)
{
    if (!m)
        return sign;
    int last = exponent + 63 - __builtin_clzll(m) - (int)k->mantissa;
    last = last < 1 ? 1 : last;
    int shift = last - exponent;
    if (shift > 0) {
        uint64_t rest = m & ((UINT64_C(1) << shift) - 1), half = UINT64_C(1) << (shift - 1);
        m >>= shift;
        m += rest > half || (rest == half && (m & 1));
    } else {
        m <<= -shift;
    }
    m = see(w, AMD_POINT_SUM_MANTISSA, k, m, (uint32_t)shift);
    const uint64_t biased = see(w, AMD_POINT_SUM_EXPONENT, k, (uint32_t)last, (uint32_t)shift);
    uint64_t bits = ((biased - 1) << k->mantissa) + m; /* a biased exponent of 0 leaves the mantissa */
    return sign | (bits > k->infinity ? k->infinity : bits);
}

static uint64_t add(const struct amd_wave *w, const struct float_form *k, uint64_t a, uint64_t b)
{
    enum { MORE = 9 }; /* digits below the last; one sticky bit stands for those beyond */
    int ea, eb;
    if (is_nan(k, a) || is_nan(k, b))
        return (is_nan(k, a) ? a : b) | k->quiet;
    if ((a & ~k->sign) < (b & ~k->sign)) {
        uint64_t t = a;
        a = b;
        b = t;
    }
    if ((a & ~k->sign) == k->infinity)
        return (b & ~k->sign) == k->infinity && a != b ? k->infinity | k->quiet : a;
    uint64_t ma = parts(k, a, &ea) << MORE, mb = parts(k, b, &eb) << MORE;
    unsigned shift = (unsigned)(ea - eb);
    mb = shift > 62 ? mb != 0 : (mb >> shift) | ((mb & ((UINT64_C(1) << shift) - 1)) != 0);
    mb = see(w, AMD_POINT_SUM_ALIGNED, k, mb, shift);
    if (!((a ^ b) & k->sign))
        return pack(w, k, a & k->sign, see(w, AMD_POINT_SUM_VALUE, k, ma + mb, shift), ea - MORE);
    const uint64_t difference = see(w, AMD_POINT_SUM_VALUE, k, ma - mb, shift);
    return difference ? pack(w, k, a & k->sign, difference, ea - MORE) : 0;
}

/* Adds two pairs of 16-bit floats. */
static uint64_t add_pairs(const struct amd_wave *w, const struct float_form *k, uint64_t a, uint64_t b)
{
    const uint64_t low = add(w, k, a & 0xFFFF, b & 0xFFFF),
                   high = add(w, k, a >> 16 & 0xFFFF, b >> 16 & 0xFFFF);
    return low | high << 16;
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

static bool is_less(const struct float_form *k, uint64_t a, uint64_t b)
{
    return !is_nan(k, a) && !is_nan(k, b) && !(is_zero(k, a) && is_zero(k, b)) &&
           order_key(k, a) < order_key(k, b);
}

/* "CDNA3" guide 9.2.3: -0 is below +0; a number wins over a NaN; a NaN becomes quiet. */
static uint64_t ordered(const struct float_form *k, uint64_t old, uint64_t source, bool greatest)
{
    if (is_nan(k, old) || is_nan(k, source))
        return is_nan(k, old) ? is_nan(k, source) ? old | k->quiet : source : old;
    return (order_key(k, source) < order_key(k, old)) == greatest ? old : source;
}

static uint64_t extreme(const struct amd_wave *w, const struct float_form *k, uint64_t old, uint64_t source,
                        bool greatest)
{
    bool special = is_nan(k, old) || is_nan(k, source) || (is_zero(k, old) && is_zero(k, source));
    if (special && READING(F32_MINMAX_NAN))
        return ordered(k, old, source, greatest);
    return (greatest ? is_less(k, old, source) : is_less(k, source, old)) ? source : old;
}

static bool is_same(const struct float_form *k, uint64_t a, uint64_t b)
{
    return !is_nan(k, a) && !is_nan(k, b) && (a == b || (is_zero(k, a) && is_zero(k, b)));
}

/* ---- all operations ---- */

static bool signed_less(uint64_t a, uint64_t b, unsigned bits)
{
    uint64_t sign = UINT64_C(1) << (bits - 1);
    return (a ^ sign) < (b ^ sign);
}

uint64_t amd_atomic_result(const struct amd_wave *w, enum amd_atomic op, unsigned bits, uint64_t old,
                           uint64_t source, uint64_t compare)
{
    const struct float_form *form = bits == 64 ? &double_form : &single_form;
    switch (op) {
    case AMD_ATOMIC_SWAP:
        return source;
    case AMD_ATOMIC_CMPSWAP:
        return old == compare ? source : old;
    case AMD_ATOMIC_ADD:
        return old + source;
    case AMD_ATOMIC_SUB:
        return old - source;
    case AMD_ATOMIC_CSUB:
    case AMD_ATOMIC_SUB_CLAMP:
        return old < source ? 0 : old - source;
    case AMD_ATOMIC_SMIN:
        return signed_less(source, old, bits) ? source : old;
    case AMD_ATOMIC_UMIN:
        return source < old ? source : old;
    case AMD_ATOMIC_SMAX:
        return signed_less(old, source, bits) ? source : old;
    case AMD_ATOMIC_UMAX:
        return source > old ? source : old;
    case AMD_ATOMIC_AND:
        return old & source;
    case AMD_ATOMIC_OR:
        return old | source;
    case AMD_ATOMIC_XOR:
        return old ^ source;
    case AMD_ATOMIC_INC:
        return old >= source ? 0 : old + 1;
    case AMD_ATOMIC_DEC:
        return old == 0 || old > source ? source : old - 1;
    case AMD_ATOMIC_FCMPSWAP:
        return is_same(form, old, compare) ? source : old;
    case AMD_ATOMIC_FMIN:
    case AMD_ATOMIC_FMAX:
        return extreme(w, form, old, source, op == AMD_ATOMIC_FMAX);
    case AMD_ATOMIC_FADD:
        return bits == 64 ? add(w, form, old, source)
                          : add(w, form, flushed(w, (uint32_t)old), flushed(w, (uint32_t)source));
    case AMD_ATOMIC_PK_FADD:
        return add_pairs(w, &half_form, old, source);
    case AMD_ATOMIC_PK_BFADD:
        return add_pairs(w, &bfloat_form, old, source);
    case AMD_ATOMIC_COND_SUB:
        return old < source ? old : old - source;
    }
    return old;
}
