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

static uint32_t clamp(uint32_t x, uint32_t low, uint32_t high)
{
    const struct order_rules order = {0};
    return float_min(order, float_max(order, x, low), high);
}

static uint32_t both(uint32_t half)
{
    return (half & 0xFFFF) * 0x10001;
}

static uint32_t unpack(struct v3d_alu_rules rules, enum v3d_unpack mode, uint32_t v)
{
    switch (mode) {
    case V3D_UNPACK_ABS:
        return v & ~FLOAT_SIGN;
    case V3D_UNPACK_L:
        return float_from_half(false, false, v & 0xFFFF);
    case V3D_UNPACK_H:
        return float_from_half(false, false, v >> 16);
    case V3D_UNPACK_FF:
        return both(v3d_to_half(rules, v));
    case V3D_UNPACK_LL:
        return both(v);
    case V3D_UNPACK_HH:
        return both(v >> 16);
    case V3D_UNPACK_SWP:
        return v >> 16 | v << 16;
    case V3D_UNPACK_SAT:
        return clamp(v, 0, 0x3F800000);
    case V3D_UNPACK_NSAT:
        return clamp(v, 0xBF800000, 0x3F800000);
    case V3D_UNPACK_MAX0:
        return float_max((struct order_rules){0}, v, 0);
    case V3D_UNPACK_UL:
        return v & 0xFFFF;
    case V3D_UNPACK_UH:
        return v >> 16;
    case V3D_UNPACK_IL:
        return shift_arithmetic(v << 16, 16);
    case V3D_UNPACK_IH:
        return shift_arithmetic(v, 16);
    case V3D_UNPACK_ABS_SAT:
        return clamp(v & ~FLOAT_SIGN, 0, 0x3F800000);
    case V3D_UNPACK_HALVES_ABS:
        return v & 0x7FFF7FFF;
    case V3D_UNPACK_HALVES_NEG:
        return v ^ 0x80008000;
    case V3D_UNPACK_HALVES_NAB:
        return v | 0x80008000;
    default:
        return v;
    }
}

void v3d_unpack(struct v3d_alu_rules rules, enum v3d_unpack mode, struct v3d_vector *v)
{
    for (unsigned i = 0; i < V3D_LANES; i++)
        v->lane[i] = unpack(rules, mode, v->lane[i]);
}

void v3d_pack_half(struct v3d_alu_rules rules, struct v3d_vector *v)
{
    for (unsigned i = 0; i < V3D_LANES; i++)
        v->lane[i] = v3d_to_half(rules, v->lane[i]);
}

static bool is_zero(enum v3d_flags_of of, uint32_t a, uint32_t b, uint32_t result)
{
    if (of == V3D_FLAGS_OF_COMPARE)
        return !(float_is_nan(a) | float_is_nan(b)) && float_key(a) == float_key(b);
    return of == V3D_FLAGS_OF_FLOAT ? float_magnitude(result) == 0 : result == 0;
}

static bool is_negative(enum v3d_flags_of of, uint32_t a, uint32_t b, uint32_t result)
{
    if (of == V3D_FLAGS_OF_COMPARE)
        return !(float_is_nan(a) | float_is_nan(b)) && float_key(a) < float_key(b);
    return result >> 31;
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
