/* SPDX-License-Identifier: MIT */
/* The kernels of operations whose lanes read other lanes. */
#include "model/v3d/alu/v3d_body.h"
#include "model/v3d/alu/v3d_kernels.h"

/* Returns the number of the lowest lane in a set; V3D_LANES if the set is empty. */
static unsigned first_lane(uint32_t set)
{
    unsigned n = 0;
    while (n < V3D_LANES && !(set >> n & 1))
        n++;
    return n;
}

static void finish(const struct v3d_vector *from, struct v3d_vector *result, struct v3d_vector *carry)
{
    *result = *from;
    if (carry)
        EACH_LANE carry->lane[i] = 0;
}

/* Defines a kernel whose lane i receives R, in terms of both operands as vectors. SETUP runs before. */
#define ACROSS(ID, SETUP, R)                                                                                 \
    KERNEL(ID)                                                                                               \
    {                                                                                                        \
        (void)x, (void)va, (void)vb;                                                                         \
        struct v3d_vector now;                                                                               \
        SETUP;                                                                                               \
        EACH_LANE now.lane[i] = (R);                                                                         \
        finish(&now, result, carry);                                                                         \
    }

/* Returns a lane as a source of another one. */
static uint32_t source(const struct v3d_alu *x, const struct v3d_vector *v, unsigned lane)
{
    return x->rules.across_cond && !(x->active >> lane & 1) ? 0 : v->lane[lane];
}

ACROSS(A_ROT, uint32_t k = vb->lane[0], source(x, va, (i + k) % V3D_LANES))
ACROSS(A_ROTQ, (void)0, source(x, va, i / 4 * 4 + (i + vb->lane[i / 4 * 4]) % 4))
ACROSS(A_SHUFFLE, (void)0, source(x, va, vb->lane[i] % V3D_LANES))

/* What flafirst gives in a lane. */
static uint32_t first_of(const struct v3d_alu *x, uint32_t set, unsigned lane)
{
    unsigned first = first_lane(set);
    if (x->rules.first_lane == 1)
        return first < V3D_LANES ? 1U << first : 0;
    if (x->rules.first_lane == 2)
        return first < V3D_LANES ? first : 0;
    return lane == first;
}
ACROSS(A_FLAFIRST, (void)0, first_of(x, x->flag_a, i))
ACROSS(A_FLNAFIRST, (void)0, first_of(x, (uint16_t)~x->flag_a, i))

static uint32_t ballot(const struct v3d_alu *x, const struct v3d_vector *v)
{
    uint32_t set = 0;
    EACH_LANE set |= (uint32_t)(v->lane[i] != 0) << i;
    return set & x->active;
}
ACROSS(A_BALLOT, uint32_t set = ballot(x, va), set)
ACROSS(A_BCASTF, unsigned first = first_lane(x->active) % V3D_LANES, va->lane[first])

static bool same_float(uint32_t a, uint32_t b)
{
    return !(float_is_nan(a) | float_is_nan(b)) && float_key(a) == float_key(b);
}

static bool all_equal(const struct v3d_alu *x, const struct v3d_vector *v, bool floats)
{
    unsigned first = first_lane(x->active);
    for (unsigned i = first; i < V3D_LANES; i++)
        if ((x->active >> i & 1) &&
            !(floats ? same_float(v->lane[i], v->lane[first]) : v->lane[i] == v->lane[first]))
            return false;
    return true;
}
ACROSS(A_ALLEQ, bool equal = all_equal(x, va, false), equal)
ACROSS(A_ALLFEQ, bool equal = all_equal(x, va, true), equal)

static uint32_t difference(const struct v3d_alu *x, uint32_t a, uint32_t b)
{
    return v3d_difference_by(x->rules, V3D_FLUSH_ADD, a, b);
}
ACROSS(A_FDX, (void)0, difference(x, va->lane[i | 1], va->lane[i & ~1U]))
ACROSS(A_FDY, (void)0, difference(x, va->lane[i | 2], va->lane[i & ~2U]))
