/* SPDX-License-Identifier: MIT */
#include "model/v3d/alu/v3d_alu.h"

#include "model/v3d/alu/v3d_body.h"
#include "model/v3d/alu/v3d_kernels.h"

/* An operation without a row in v3d_kernel_rows.h does not compile. */
#define ROW_NAME(ID, FLAGS, KIND) ROW_OF_##ID,
enum { V3D_KERNEL_ROWS(ROW_NAME) ROW_NAMES };
#define ROW_EXISTS(ID, ...) +(ROW_OF_##ID >= 0)
_Static_assert((0 V3D_ADD_OPERATIONS(ROW_EXISTS) V3D_MUL_OPERATIONS(ROW_EXISTS)) == (int)ROW_NAMES,
               "v3d_kernel_rows.h has one row for each operation");

#define OF_PLAIN(ID)       v3d_do_##ID
#define OF_ACROSS(ID)      v3d_do_##ID
#define OF_SFU(ID)         v3d_do_##ID
#define OF_UNKNOWN(ID)     v3d_do_##ID
#define OF_UNSUPPORTED(ID) 0
#define ROW(ID, FLAGS, KIND)                                                                                 \
    [V3D_##ID] = {.kernel = OF_##KIND(ID), .flags = V3D_FLAGS_OF_##FLAGS, .kind = V3D_KERNEL_##KIND},
const struct v3d_operation v3d_operation[V3D_OPS] = {V3D_KERNEL_ROWS(ROW)};

FLOAT_INLINE uint32_t clamp(uint32_t x, uint32_t low, uint32_t high)
{
    const struct order_rules order = {0};
    return float_min(order, float_max(order, x, low), high);
}

FLOAT_INLINE uint32_t both(uint32_t half)
{
    return (half & 0xFFFF) * 0x10001;
}

#define UNPACK(MODE, R)                                                                                      \
    case V3D_UNPACK_##MODE:                                                                                  \
        EACH_LANE                                                                                            \
        {                                                                                                    \
            uint32_t a = v->lane[i];                                                                         \
            v->lane[i] = (R);                                                                                \
        }                                                                                                    \
        break;

WIDE void v3d_unpack(struct v3d_alu_rules rules, enum v3d_unpack mode, struct v3d_vector *v)
{
    const struct order_rules order = {0};
    switch (mode) {
        UNPACK(ABS, a & ~FLOAT_SIGN)
        UNPACK(L, v3d_of_half(a))
        UNPACK(H, v3d_of_half(a >> 16))
        UNPACK(FF, both(v3d_to_half(rules, a)))
        UNPACK(LL, both(a))
        UNPACK(HH, both(a >> 16))
        UNPACK(SWP, a >> 16 | a << 16)
        UNPACK(SAT, clamp(a, 0, 0x3F800000))
        UNPACK(NSAT, clamp(a, 0xBF800000, 0x3F800000))
        UNPACK(MAX0, float_max(order, a, 0))
        UNPACK(UL, a & 0xFFFF)
        UNPACK(UH, a >> 16)
        UNPACK(IL, shift_arithmetic(a << 16, 16))
        UNPACK(IH, shift_arithmetic(a, 16))
        UNPACK(ABS_SAT, clamp(a & ~FLOAT_SIGN, 0, 0x3F800000))
        UNPACK(HALVES_ABS, a & 0x7FFF7FFF)
        UNPACK(HALVES_NEG, a ^ 0x80008000)
        UNPACK(HALVES_NAB, a | 0x80008000)
    default:
        break;
    }
}

WIDE void v3d_pack_half(struct v3d_alu_rules rules, struct v3d_vector *v)
{
    EACH_LANE v->lane[i] = v3d_to_half(rules, v->lane[i]);
}

static bool is_zero(enum v3d_flags_of of, uint32_t a, uint32_t b, uint32_t result)
{
    if (of == V3D_FLAGS_OF_COMPARE)
        return !(float_is_nan(a) | float_is_nan(b)) && float_key(a) == float_key(b);
    return of == V3D_FLAGS_OF_INTEGER ? result == 0 : float_magnitude(result) == 0;
}

static bool is_negative(enum v3d_flags_of of, uint32_t a, uint32_t b, uint32_t result)
{
    if (of == V3D_FLAGS_OF_COMPARE)
        return !(float_is_nan(a) | float_is_nan(b)) && float_key(a) < float_key(b);
    return result >> 31 && (of != V3D_FLAGS_OF_NUMBER || float_magnitude(result) - 1 < FLOAT_INF);
}

uint16_t v3d_flag_zero(enum v3d_flags_of of, const struct v3d_vector *a, const struct v3d_vector *b,
                       const struct v3d_vector *result)
{
    uint32_t set = 0;
    for (unsigned i = 0; i < V3D_LANES; i++)
        set |= (uint32_t)is_zero(of, a->lane[i], b->lane[i], result->lane[i]) << i;
    return (uint16_t)set;
}

uint16_t v3d_flag_negative(enum v3d_flags_of of, const struct v3d_vector *a, const struct v3d_vector *b,
                           const struct v3d_vector *result)
{
    uint32_t set = 0;
    for (unsigned i = 0; i < V3D_LANES; i++)
        set |= (uint32_t)is_negative(of, a->lane[i], b->lane[i], result->lane[i]) << i;
    return (uint16_t)set;
}
