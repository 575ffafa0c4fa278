/* SPDX-License-Identifier: MIT */
/*
 * Both pipes of an instruction as one function: a template that a host includes
 * after qpu_alu_kernels.h, having named a table (ALU_PAIRS), how to copy a
 * vector by registers (ALU_MOVE; assigned as structs they stay in memory on the
 * way), how to bring it to some elements of a place (ALU_PUT) and how to rotate
 * it (ALU_ROTATE). Operands go from memory to registers once, results back once,
 * and a step costs one indirect call instead of three: with quicker floats, a
 * tight loop of both pipes went from 86 M to 212 M instructions a second. The
 * guarded form of a pair is for conditions and rotations. The rows
 * name the bodies of the best known silicon's rules; where other rules want
 * other bodies, the kernels run one by one.
 */
#define PAIR_ARGUMENTS const struct alu_rules *rules, const struct alu_work *work

/* Computed in `r` and `m` before anything is written. */
#define PAIR_RESULTS(x, y)                                                                                                                           \
    struct vc4_vector a, b, c, d, r, m;                                                                                                              \
    ALU_MOVE(&a, work->add.a);                                                                                                                       \
    ALU_MOVE(&b, work->add.b);                                                                                                                       \
    ALU_MOVE(&c, work->mul.a);                                                                                                                       \
    ALU_MOVE(&d, work->mul.b);                                                                                                                       \
    x##_lanes(rules, &a, &b, &r);                                                                                                                    \
    y##_lanes(rules, &c, &d, &m);

#define PAIR(x, y)                                                                                                                                   \
    static void x##_and_##y(PAIR_ARGUMENTS)                                                                                                          \
    {                                                                                                                                                \
        PAIR_RESULTS(x, y)                                                                                                                           \
        ALU_MOVE(work->add.result, &r);                                                                                                              \
        ALU_MOVE(work->mul.result, &m);                                                                                                              \
    }                                                                                                                                                \
    static void x##_and_##y##_guarded(PAIR_ARGUMENTS)                                                                                                \
    {                                                                                                                                                \
        PAIR_RESULTS(x, y)                                                                                                                           \
        ALU_PUT(work->add.result, &r, work->guard.lanes[0], work->guard.invert[0]);                                                                  \
        ALU_ROTATE(&m, work->guard.from);                                                                                                            \
        ALU_PUT(work->mul.result, &m, work->guard.lanes[1], work->guard.invert[1]);                                                                  \
    }

#define ALONE_RESULT(x, pipe)                                                                                                                        \
    struct vc4_vector a, b, r;                                                                                                                       \
    ALU_MOVE(&a, work->pipe.a);                                                                                                                      \
    ALU_MOVE(&b, work->pipe.b);                                                                                                                      \
    x##_lanes(rules, &a, &b, &r);

#define ALONE(x, pipe)                                                                                                                               \
    static void x##_alone_##pipe(PAIR_ARGUMENTS)                                                                                                     \
    {                                                                                                                                                \
        ALONE_RESULT(x, pipe)                                                                                                                        \
        ALU_MOVE(work->pipe.result, &r);                                                                                                             \
    }
#define ADD_ALONE(x)                                                                                                                                 \
    ALONE(x, add)                                                                                                                                    \
    static void x##_alone_add_guarded(PAIR_ARGUMENTS)                                                                                                \
    {                                                                                                                                                \
        ALONE_RESULT(x, add)                                                                                                                         \
        ALU_PUT(work->add.result, &r, work->guard.lanes[0], work->guard.invert[0]);                                                                  \
    }
#define MUL_ALONE(x)                                                                                                                                 \
    ALONE(x, mul)                                                                                                                                    \
    static void x##_alone_mul_guarded(PAIR_ARGUMENTS)                                                                                                \
    {                                                                                                                                                \
        ALONE_RESULT(x, mul)                                                                                                                         \
        ALU_ROTATE(&r, work->guard.from);                                                                                                            \
        ALU_PUT(work->mul.result, &r, work->guard.lanes[1], work->guard.invert[1]);                                                                  \
    }

#define PAIRS_OF(x)                                                                                                                                  \
    ADD_ALONE(x)                                                                                                                                     \
    PAIR(x, fmul_silicon)                                                                                                                            \
    PAIR(x, mul24_unsigned)                                                                                                                          \
    PAIR(x, v8min_kernel)                                                                                                                            \
    PAIR(x, v8max_kernel)                                                                                                                            \
    PAIR(x, v8adds_kernel)                                                                                                                           \
    PAIR(x, v8subs_kernel)
#define ROW_OF(x, way)                                                                                                                               \
    {                                                                                                                                                \
        [0] = x##_alone_add##way, [1] = x##_and_fmul_silicon##way, [2] = x##_and_mul24_unsigned##way, [4] = x##_and_v8min_kernel##way,               \
        [5] = x##_and_v8max_kernel##way, [6] = x##_and_v8adds_kernel##way, [7] = x##_and_v8subs_kernel##way                                          \
    }
#define MUL_ROW(way)                                                                                                                                 \
    {                                                                                                                                                \
        [1] = fmul_silicon_alone_mul##way, [2] = mul24_unsigned_alone_mul##way, [4] = v8min_kernel_alone_mul##way,                                   \
        [5] = v8max_kernel_alone_mul##way, [6] = v8adds_kernel_alone_mul##way, [7] = v8subs_kernel_alone_mul##way                                    \
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

#define FUNCTIONS(opcode, x)   PAIRS_OF(x)
#define PLAIN_ROW(opcode, x)   [opcode] = ROW_OF(x, ),
#define GUARDED_ROW(opcode, x) [opcode] = ROW_OF(x, _guarded),
#define KERNEL_ROW(opcode, x)  [opcode] = (x),

ADDS(FUNCTIONS)
MUL_ALONE(fmul_silicon)
MUL_ALONE(mul24_unsigned)
MUL_ALONE(v8min_kernel)
MUL_ALONE(v8max_kernel)
MUL_ALONE(v8adds_kernel)
MUL_ALONE(v8subs_kernel)

const struct alu_pairs ALU_PAIRS = {
    .add = {ADDS(KERNEL_ROW)},
    .mul = {[1] = fmul_silicon, [2] = mul24_unsigned, [4] = v8min_kernel, [5] = v8max_kernel, [6] = v8adds_kernel, [7] = v8subs_kernel},
    .pair = {{[0] = MUL_ROW(), ADDS(PLAIN_ROW)}, {[0] = MUL_ROW(_guarded), ADDS(GUARDED_ROW)}},
};
