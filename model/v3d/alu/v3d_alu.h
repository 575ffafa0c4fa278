/* SPDX-License-Identifier: MIT */
/*
 * The arithmetic of the V3D QPU: one kernel for each operation, on sixteen lanes. A kernel gets operands that
 * are unpacked already, and returns a result that is not packed yet. It knows nothing of registers, threads
 * or memory, except what struct v3d_alu holds.
 *
 * No public manual describes these operations. The sources are Mesa's compiler and the tests of
 * py-videocore6 and 7.
 */
#ifndef MISPRINT_MODEL_V3D_ALU_V3D_ALU_H
#define MISPRINT_MODEL_V3D_ALU_V3D_ALU_H

#include "model/v3d/v3d_insn.h"

#include <stdbool.h>
#include <stdint.h>

enum { V3D_LANES = 16, V3D_ALL_LANES = 0xFFFF };

struct v3d_vector {
    uint32_t lane[V3D_LANES];
} __attribute__((aligned(64)));

/* How arithmetic is understood where sources differ or are silent. All 0: as Mesa uses it. */
struct v3d_alu_rules {
    uint8_t tie;         /* fround, ftoin: enum v3d_tie */
    uint8_t to_int;      /* a float beyond the integers: enum v3d_to_int */
    uint8_t min_max_nan; /* fmin, fmax of a NaN and a number: 0 the number, 1 the NaN, 3 the second */
    uint8_t denormal;    /* what makes zeros of them: V3D_FLUSH_ADD and its kin */
    uint8_t vadd;        /* 1: halves are binary16 numbers; 2: integers that saturate */
    uint8_t faddnf;      /* 1: fadd flushes denormals, 2: faddnf keeps a NaN's bits */
    uint8_t ftoc;        /* 1: unsigned, 2: truncates */
    uint8_t zero_flag;   /* 1: Z for +0 only, 2: N is numeric, 3: flags see a packed half */
    uint8_t rtop;        /* 1: umul24 leaves RTOP */
    uint8_t funpack;     /* 1: two fractions of 8 bits */
    uint8_t flpop;       /* 1: sets flag A, 2: sets flags A and B */
    uint8_t first_lane;  /* flafirst: 1: a mask in all lanes, 2: a number in all lanes */
    uint8_t norm_round;  /* 1: ftounorm16 and its kin truncate */
    uint8_t v8pack;      /* 1: saturates */
    uint8_t half_round;  /* to a half: enum v3d_half_round */
    uint8_t fcmp_flags;  /* 1: of the difference */
    uint8_t itof_round;  /* 1: truncates */
    uint8_t across_cond; /* 1: rot and its kin read 0 from lanes that the condition leaves out */
    uint8_t sine;        /* beyond half a turn: enum v3d_sine_range */
    uint8_t sfu_special; /* enum v3d_sfu_special */
    uint8_t float_round; /* 1: sums and products toward zero */
    uint8_t nan_bits;    /* of results that are NaNs: enum v3d_nan_bits */
    uint8_t zeros_tie;   /* 1: fmin and fmax take -0 and +0 as equal */
    uint8_t rtop_bytes;  /* 1: multop keeps the high bytes, umul24 multiplies them with its operands */
    uint8_t negative;    /* log and rsqrt of negative numbers: enum v3d_sfu_negative */
    uint8_t v10pack;     /* 1: saturates */
    uint8_t v11_round;   /* 1: v11fpack truncates */
    uint8_t v11_range;   /* v11fpack of what its fields cannot hold: enum v3d_v11_range */
};
enum { V3D_FLUSH_ADD = 1, V3D_FLUSH_MUL = 2, V3D_FLUSH_HALVES = 4 };
enum v3d_nan_bits { V3D_NAN_DEFAULT, V3D_NAN_OPERAND, V3D_NAN_ALL_ONES };
enum { V3D_NAN_BY_BIT = 2 }; /* of min_max_nan; the launch decides */
enum { V3D_FLPOP_BOTH = 2 };
enum { V3D_NOP_FLAGS_OF_ZERO = 1, V3D_NOP_FLAGS_UNDEFINED }; /* of v3d-nop-flags */
enum { V3D_ZERO_OF_BITS = 1, V3D_FLAGS_NUMERIC, V3D_FLAGS_OF_PACKED };
enum v3d_half_round { V3D_HALF_NEAREST, V3D_HALF_TO_ZERO, V3D_HALF_SATURATES };
enum v3d_sine_range { V3D_SINE_SATURATES, V3D_SINE_HALF_TURNS, V3D_SINE_TURNS };
enum v3d_sfu_special { V3D_SFU_IEEE, V3D_SFU_LARGEST, V3D_SFU_FLUSHED };
enum v3d_sfu_negative { V3D_NEGATIVE_UNDEFINED, V3D_NEGATIVE_NAN, V3D_NEGATIVE_MAGNITUDE };
enum v3d_v11_range { V3D_V11_CLAMPS, V3D_V11_INFINITE, V3D_V11_MAGNITUDE, V3D_V11_QUIET_NAN };
enum v3d_tie { V3D_TIE_EVEN, V3D_TIE_AWAY, V3D_TIE_UP };
enum v3d_to_int { V3D_TO_INT_SATURATES, V3D_TO_INT_MIN, V3D_TO_INT_WRAPS };

/* What operations read and change besides their operands. */
struct v3d_alu {
    struct v3d_alu_rules rules;
    uint16_t active; /* lanes that pass the instruction's condition */
    uint16_t flag_a, flag_b;
    struct v3d_vector msf; /* multisample flags of each lane; in compute, not 0 in lanes that exist */
    struct v3d_vector rtop;
    uint32_t thread_index, link;
    uint32_t filler;         /* the value of results that no source states */
    bool signed_a, signed_b; /* operands of v8dot (setnnmode) */
    bool set_mode;           /* setnnmode ran */
};

/* `carry`: receives what an operation of its kind can give as flag C of each lane, 0 or all ones: a carry or
 * borrow, a > b of a comparison, the last bit that a shift takes out. NULL: nobody asks. A result may be an
 * operand. */
typedef void v3d_kernel(struct v3d_alu *x, const struct v3d_vector *a, const struct v3d_vector *b,
                        struct v3d_vector *result, struct v3d_vector *carry);

/* How flags Z and N come from an operation. */
enum v3d_flags_of {
    V3D_FLAGS_OF_INTEGER, /* Z: the word is 0; N: its bit 31 */
    V3D_FLAGS_OF_FLOAT,   /* of a binary32 number: Z also for -0 */
    V3D_FLAGS_OF_COMPARE, /* Z: a = b; N: a < b */
    V3D_FLAGS_OF_NUMBER,  /* of a binary32 number against 0 */
};

/* Results that are not words of the operands' kind. */
enum v3d_kernel_kind {
    V3D_KERNEL_PLAIN,       /* a word for each lane from the words of that lane */
    V3D_KERNEL_ACROSS,      /* lanes read other lanes */
    V3D_KERNEL_SFU,         /* within a tolerance */
    V3D_KERNEL_UNKNOWN,     /* no source says what the value is */
    V3D_KERNEL_UNSUPPORTED, /* needs what compute programs do not have (VPM, tile, varyings) */
};

struct v3d_operation {
    v3d_kernel *kernel; /* NULL: V3D_KERNEL_UNSUPPORTED */
    uint8_t flags;      /* enum v3d_flags_of */
    uint8_t kind;       /* enum v3d_kernel_kind */
};
extern const struct v3d_operation v3d_operation[V3D_OPS];

/* Unpacks in place. A reserved unpack changes nothing. */
void v3d_unpack(struct v3d_alu_rules rules, enum v3d_unpack mode, struct v3d_vector *v);
/* Converts a binary32 result to halves in bits 15:0. */
void v3d_pack_half(struct v3d_alu_rules rules, struct v3d_vector *v);

/* Makes denormal numbers zeros of their sign. */
void v3d_flush_denormals(const struct v3d_vector *from, struct v3d_vector *to);

/* Returns the lanes with flag Z or N. */
uint16_t v3d_flag_zero(enum v3d_flags_of of, const struct v3d_vector *a, const struct v3d_vector *b,
                       const struct v3d_vector *result);
uint16_t v3d_flag_negative(enum v3d_flags_of of, const struct v3d_vector *a, const struct v3d_vector *b,
                           const struct v3d_vector *result);

/* The special functions of one lane. */
enum v3d_function { V3D_RECIP, V3D_RSQRT, V3D_EXP, V3D_LOG, V3D_SINE };
uint32_t v3d_sfu(struct v3d_alu_rules rules, enum v3d_function f, uint32_t x);

/* Is there no value that this function has for this operand, and no source that says what the SFU gives? */
bool v3d_sfu_is_unstated(struct v3d_alu_rules rules, enum v3d_function f, uint32_t x);

/* How close a result of the SFU is. Tests of real boards allow 10^-4 of the value on V3D 4.2 (py-videocore6)
 * and 10^-2 on 7.1 (py-videocore7). Results of log and sin can cancel, so they may also be 10^-6 off, as
 * V3DLib measured. Infinities and NaNs are exact: a clause says where they occur. */
static inline bool v3d_sfu_is_near(uint32_t result)
{
    return (result & 0x7F800000) != 0x7F800000;
}
/* Returns the tolerance (model/number/tolerance.h) of a result, and sets the mask of its known bits.
 * `absolute`: of log or sin. */
uint32_t v3d_sfu_tolerance(enum v3d_generation g, uint32_t result, bool absolute, uint32_t *mask);

#endif
