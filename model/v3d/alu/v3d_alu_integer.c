/* SPDX-License-Identifier: MIT */
/* The kernels of integer operations, moves, and reads of the thread's state. */
#include "model/v3d/alu/v3d_body.h"
#include "model/v3d/alu/v3d_kernels.h"

#define SIGNED_GREATER(a, b) (((a) ^ FLOAT_SIGN) > ((b) ^ FLOAT_SIGN))

/* Flag C: the carry of add and the borrow of sub; a > b of comparisons. v3d_compute.c says when it counts. */
LANES(A_ADD, a + b, a + b < a)
LANES(A_SUB, a - b, a < b)
LANES(M_ADD, a + b, a + b < a)
LANES(M_SUB, a - b, a < b)
LANES(A_MIN, SIGNED_GREATER(a, b) ? b : a, SIGNED_GREATER(a, b))
LANES(A_MAX, SIGNED_GREATER(a, b) ? a : b, SIGNED_GREATER(a, b))
LANES(A_UMIN, a<b ? a : b, a> b)
LANES(A_UMAX, a<b ? b : a, a> b)

/* Is the last bit that a shift by `count` takes out set? Bit 32 - count to the left, bit count - 1 to the
 * right. */
static bool shifted_out(uint32_t v, uint32_t count, bool left)
{
    count &= 31;
    return count && (v >> ((left ? 32 - count : count - 1) & 31) & 1);
}
LANES(A_SHL, a << (b & 31), shifted_out(a, b, true))
LANES(A_SHR, a >> (b & 31), shifted_out(a, b, false))
LANES(A_ASR, shift_arithmetic(a, b & 31), shifted_out(a, b, false))
LANES(A_ROR, (a >> (b & 31)) | (a << (-b & 31)), shifted_out(a, b, false))
LANES(A_AND, a &b, false)
LANES(A_OR, a | b, false)
LANES(A_XOR, a ^ b, false)
LANES(A_NOT, ~a, false)
LANES(A_NEG, 0 - a, false)
LANES(A_CLZ, lane_clz(a), false)
LANES(A_MOV, a, false)
LANES(A_FMOV, a, false)
LANES(M_MOV, a, false)
LANES(M_FMOV, a, false)
LANES(A_NOP, 0, false)
LANES(M_NOP, 0, false)

/* ---- multiplication ---- */

static uint32_t low24(uint32_t v)
{
    return v & 0xFFFFFF;
}

static uint32_t signed24(uint32_t v)
{
    return shift_arithmetic(v << 8, 8);
}

/* Returns the part of a product of 32 bits that needs the high bytes of the operands. */
static uint32_t high_part(uint32_t a_high, uint32_t b_high, uint32_t a, uint32_t b)
{
    return (a_high * low24(b) + low24(a) * b_high) << 24;
}

/* Adds the part of the product that multop left, so that both make the low word of a full product. */
KERNEL(M_UMUL24)
{
    EACH_LANE
    {
        uint32_t a = va->lane[i], b = vb->lane[i], rtop = x->rtop.lane[i];
        if (x->rules.rtop_bytes)
            rtop = high_part(rtop >> 8 & 0xFF, rtop & 0xFF, a, b);
        result->lane[i] = low24(a) * low24(b) + rtop;
        if (!x->rules.rtop)
            x->rtop.lane[i] = 0;
        if (carry)
            carry->lane[i] = 0;
    }
}

KERNEL(M_MULTOP)
{
    EACH_LANE
    {
        uint32_t a = va->lane[i], b = vb->lane[i];
        result->lane[i] = high_part(a >> 24, b >> 24, a, b);
        x->rtop.lane[i] = x->rules.rtop_bytes ? (a >> 24) << 8 | b >> 24 : result->lane[i];
        if (carry)
            carry->lane[i] = 0;
    }
}

LANES(M_SMUL24, signed24(a) * signed24(b), false)

static uint32_t dot_byte(uint32_t v, unsigned n, bool is_signed)
{
    uint32_t byte = v >> (8 * n) & 0xFF;
    return is_signed && byte >> 7 ? byte | 0xFFFFFF00 : byte;
}

KERNEL(M_V8DOT)
{
    EACH_LANE
    {
        uint32_t sum = 0;
        for (unsigned n = 0; n < 4; n++)
            sum += dot_byte(va->lane[i], n, x->signed_a) * dot_byte(vb->lane[i], n, x->signed_b);
        result->lane[i] = sum;
        if (carry)
            carry->lane[i] = 0;
    }
}

#define SET_MODE(ID, A, B)                                                                                   \
    KERNEL(ID)                                                                                               \
    {                                                                                                        \
        (void)va, (void)vb, (void)result, (void)carry;                                                       \
        x->signed_a = (A);                                                                                   \
        x->signed_b = (B);                                                                                   \
        x->set_mode = true;                                                                                  \
    }
SET_MODE(A_SETNNMODE_UU, false, false)
SET_MODE(A_SETNNMODE_SU, true, false)
SET_MODE(A_SETNNMODE_US, false, true)
SET_MODE(A_SETNNMODE_SS, true, true)

/* ---- the thread's state ---- */

#define IN_LANE(mask) ((uint32_t)((mask) >> i) & 1)

LANES(A_TIDX, x->thread_index, false)
LANES(A_EIDX, i, false)
LANES(A_LR, x->link, false)
LANES(A_BARRIERID, x->filler, false)
LANES(A_TMUWT, x->filler, false)
LANES(A_MSF, x->msf.lane[i], false)
LANES(A_VFLA, IN_LANE(x->flag_a) * 0x10001, false)
LANES(A_VFLNA, (IN_LANE(x->flag_a) ^ 1) * 0x10001, false)
LANES(A_VFLB, IN_LANE(x->flag_b) * 0x10001, false)
LANES(A_VFLNB, (IN_LANE(x->flag_b) ^ 1) * 0x10001, false)
LANES(A_FLAPUSH, a << 2 | IN_LANE(x->flag_a) * 3, false)
LANES(A_FLBPUSH, a << 2 | IN_LANE(x->flag_b) * 3, false)
LANES(A_FLPOP, a >> 2, false)

KERNEL(A_SETMSF)
{
    (void)vb;
    EACH_LANE
    {
        if (x->active >> i & 1)
            x->msf.lane[i] = va->lane[i] & 15;
        result->lane[i] = va->lane[i];
        if (carry)
            carry->lane[i] = 0;
    }
}
