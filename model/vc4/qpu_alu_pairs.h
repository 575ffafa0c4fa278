/* SPDX-License-Identifier: MIT */
/*
 * Both pipes of an instruction as one function: a template that a host includes
 * after qpu_alu_kernels.h, having named a table (ALU_PAIRS) and how to copy a
 * vector by registers (ALU_MOVE; assigned as structs they stay in memory on the
 * way). Operands go from memory to registers once, results back once, and a
 * step costs one indirect call instead of three: with quicker floats, a tight
 * loop of both pipes went from 86 M to 212 M instructions a second. The rows
 * name the bodies of the best known silicon's rules; where other rules want
 * other bodies, the kernels run one by one.
 */
#define PAIR_ARGUMENTS const struct alu_rules *rules, const struct alu_work *add, const struct alu_work *mul

#define PAIR(x, y)                                                                                                                                   \
    static void x##_and_##y(PAIR_ARGUMENTS)                                                                                                          \
    {                                                                                                                                                \
        struct vc4_vector a, b, c, d, r, m;                                                                                                          \
        ALU_MOVE(&a, add->a);                                                                                                                        \
        ALU_MOVE(&b, add->b);                                                                                                                        \
        ALU_MOVE(&c, mul->a);                                                                                                                        \
        ALU_MOVE(&d, mul->b);                                                                                                                        \
        x##_lanes(rules, &a, &b, &r);                                                                                                                \
        y##_lanes(rules, &c, &d, &m);                                                                                                                \
        ALU_MOVE(add->result, &r);                                                                                                                   \
        ALU_MOVE(mul->result, &m);                                                                                                                   \
    }
#define ALONE(x, pipe)                                                                                                                               \
    static void x##_alone(PAIR_ARGUMENTS)                                                                                                            \
    {                                                                                                                                                \
        (void)add, (void)mul;                                                                                                                        \
        x##_lanes(rules, pipe->a, pipe->b, pipe->result);                                                                                            \
    }

#define PAIRS_OF(x)                                                                                                                                  \
    ALONE(x, add)                                                                                                                                    \
    PAIR(x, fmul_silicon)                                                                                                                            \
    PAIR(x, mul24_unsigned)                                                                                                                          \
    PAIR(x, v8min_kernel)                                                                                                                            \
    PAIR(x, v8max_kernel)                                                                                                                            \
    PAIR(x, v8adds_kernel)                                                                                                                           \
    PAIR(x, v8subs_kernel)
#define ROW_OF(x)                                                                                                                                    \
    {                                                                                                                                                \
        [0] = x##_alone, [1] = x##_and_fmul_silicon, [2] = x##_and_mul24_unsigned, [4] = x##_and_v8min_kernel, [5] = x##_and_v8max_kernel,           \
        [6] = x##_and_v8adds_kernel, [7] = x##_and_v8subs_kernel                                                                                     \
    }

/* The operations of the ADD pipe, by opcode (p35-36 T12). */
#define ADDS(DO)                                                                                                                                     \
    DO(1, fadd_silicon)                                                                                                                              \
    DO(2, fsub_silicon)                                                                                                                              \
    DO(3, fmin_kernel)                                                                                                                               \
    DO(4, fmax_kernel)                                                                                                                               \
    DO(7, ftoi_kernel)                                                                                                                               \
    DO(8, itof_kernel)                                                                                                                               \
    DO(12, add_kernel)                                                                                                                               \
    DO(13, sub_kernel)                                                                                                                               \
    DO(14, shr_kernel)                                                                                                                               \
    DO(15, asr_kernel)                                                                                                                               \
    DO(16, ror_kernel)                                                                                                                               \
    DO(17, shl_kernel)                                                                                                                               \
    DO(18, min_kernel)                                                                                                                               \
    DO(19, max_kernel)                                                                                                                               \
    DO(20, and_kernel)                                                                                                                               \
    DO(21, or_kernel)                                                                                                                                \
    DO(22, xor_kernel)                                                                                                                               \
    DO(23, not_kernel)                                                                                                                               \
    DO(24, clz_kernel)                                                                                                                               \
    DO(30, v8adds_kernel)                                                                                                                            \
    DO(31, v8subs_kernel)

#define FUNCTIONS(opcode, x)  PAIRS_OF(x)
#define ROW(opcode, x)        [opcode] = ROW_OF(x),
#define KERNEL_ROW(opcode, x) [opcode] = (x),

ADDS(FUNCTIONS)
ALONE(fmul_silicon, mul)
ALONE(mul24_unsigned, mul)
ALONE(v8min_kernel, mul)
ALONE(v8max_kernel, mul)

const struct alu_pairs ALU_PAIRS = {
    .add = {ADDS(KERNEL_ROW)},
    .mul = {[1] = fmul_silicon, [2] = mul24_unsigned, [4] = v8min_kernel, [5] = v8max_kernel, [6] = v8adds_kernel, [7] = v8subs_kernel},
    .pair = {[0] = {[1] = fmul_silicon_alone, [2] = mul24_unsigned_alone, [4] = v8min_kernel_alone, [5] = v8max_kernel_alone}, ADDS(ROW)},
};
