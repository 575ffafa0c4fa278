/* SPDX-License-Identifier: MIT */
/*
 * Both pipes of an instruction as one function: a template that a host includes
 * after qpu_alu_kernels.h, having named a table (ALU_PAIRS), how to copy a
 * vector by registers (ALU_MOVE; assigned as structs they stay in memory on the
 * way), how to bring it to some elements of a place (ALU_PUT), how to rotate it
 * (ALU_ROTATE), and when operands are within limits (ALU_WITHIN, ALU_UP_TO). Operands go
 * from memory to registers once, results back once, and a step costs one
 * indirect call instead of three: with quicker floats, a tight loop of both
 * pipes went from 86 M to 212 M instructions a second. The guarded form of a
 * pair is for conditions and rotations; the quiet one is for checked runs, which
 * ask what clauses an operation consults. The rows name the bodies of the best
 * known silicon's rules; where other rules want other bodies, the kernels run
 * one by one.
 */
#define PAIR_ARGUMENTS const struct alu_rules *rules, const struct alu_work *work

/* Of a quiet pair: may an operation of these operands take place? Clauses are about edges of the float format, or about amounts. */
#define FLOATS(a, b, limits)   ALU_WITHIN(a, b, limits)
#define AMOUNTS(a, b, limits)  ALU_UP_TO(b, limits)
#define ANYTHING(a, b, limits) true

#define PAIR_OPERANDS                                                                                                                                \
    struct vc4_vector a, b, c, d, r, m;                                                                                                              \
    ALU_MOVE(&a, work->add.a);                                                                                                                       \
    ALU_MOVE(&b, work->add.b);                                                                                                                       \
    ALU_MOVE(&c, work->mul.a);                                                                                                                       \
    ALU_MOVE(&d, work->mul.b);

/* Computed in `r` and `m` before anything is written. */
#define PAIR_RESULTS(x, y)                                                                                                                           \
    x##_lanes(rules, &a, &b, &r);                                                                                                                    \
    y##_lanes(rules, &c, &d, &m);

#define PUT_ADD(r) ALU_PUT(work->add.result, r, work->guard.lanes[0], work->guard.invert[0]);
#define PUT_MUL(m)                                                                                                                                   \
    ALU_ROTATE(m, work->guard.from);                                                                                                                 \
    ALU_PUT(work->mul.result, m, work->guard.lanes[1], work->guard.invert[1]);

#define PAIR(x, x_kind, y, y_kind)                                                                                                                   \
    static bool x##_and_##y##_all(PAIR_ARGUMENTS)                                                                                                    \
    {                                                                                                                                                \
        PAIR_OPERANDS                                                                                                                                \
        PAIR_RESULTS(x, y)                                                                                                                           \
        ALU_MOVE(work->add.result, &r);                                                                                                              \
        ALU_MOVE(work->mul.result, &m);                                                                                                              \
        return true;                                                                                                                                 \
    }                                                                                                                                                \
    static bool x##_and_##y##_guarded(PAIR_ARGUMENTS)                                                                                                \
    {                                                                                                                                                \
        PAIR_OPERANDS                                                                                                                                \
        PAIR_RESULTS(x, y)                                                                                                                           \
        PUT_ADD(&r)                                                                                                                                  \
        PUT_MUL(&m)                                                                                                                                  \
        return true;                                                                                                                                 \
    }                                                                                                                                                \
    static bool x##_and_##y##_quiet(PAIR_ARGUMENTS)                                                                                                  \
    {                                                                                                                                                \
        PAIR_OPERANDS                                                                                                                                \
        if (!x_kind(&a, &b, work->limits[0]) || !y_kind(&c, &d, work->limits[1]))                                                                    \
            return false;                                                                                                                            \
        PAIR_RESULTS(x, y)                                                                                                                           \
        PUT_ADD(&r)                                                                                                                                  \
        PUT_MUL(&m)                                                                                                                                  \
        return true;                                                                                                                                 \
    }

#define ALONE(x, kind, pipe, limits_of_pipe, PUT)                                                                                                    \
    static bool x##_alone_##pipe##_all(PAIR_ARGUMENTS)                                                                                               \
    {                                                                                                                                                \
        x##_lanes(rules, work->pipe.a, work->pipe.b, work->pipe.result);                                                                             \
        return true;                                                                                                                                 \
    }                                                                                                                                                \
    static bool x##_alone_##pipe##_guarded(PAIR_ARGUMENTS)                                                                                           \
    {                                                                                                                                                \
        struct vc4_vector r;                                                                                                                         \
        x##_lanes(rules, work->pipe.a, work->pipe.b, &r);                                                                                            \
        PUT(&r)                                                                                                                                      \
        return true;                                                                                                                                 \
    }                                                                                                                                                \
    static bool x##_alone_##pipe##_quiet(PAIR_ARGUMENTS)                                                                                             \
    {                                                                                                                                                \
        return kind(work->pipe.a, work->pipe.b, work->limits[limits_of_pipe]) && x##_alone_##pipe##_guarded(rules, work);                            \
    }
#define WITH_FLAGS(x, pipe)                                                                                                                          \
    static bool x##_alone_##pipe##_flags(PAIR_ARGUMENTS)                                                                                             \
    {                                                                                                                                                \
        struct vc4_vector r;                                                                                                                         \
        x(rules, work->pipe.a, work->pipe.b, &r, &work->flags->c);                                                                                   \
        zero_negative(&r, &work->flags->z, &work->flags->n);                                                                                         \
        ALU_MOVE(work->pipe.result, &r);                                                                                                             \
        return true;                                                                                                                                 \
    }
#define MUL_ALONE(x, kind)                                                                                                                           \
    ALONE(x, kind, mul, 1, PUT_MUL)                                                                                                                  \
    WITH_FLAGS(x, mul)

#define PAIRS_OF(x, kind)                                                                                                                            \
    ALONE(x, kind, add, 0, PUT_ADD)                                                                                                                  \
    WITH_FLAGS(x, add)                                                                                                                               \
    PAIR(x, kind, fmul_silicon, FLOATS)                                                                                                              \
    PAIR(x, kind, mul24_unsigned, ANYTHING)                                                                                                          \
    PAIR(x, kind, v8min, ANYTHING)                                                                                                            \
    PAIR(x, kind, v8max, ANYTHING)                                                                                                            \
    PAIR(x, kind, v8adds, ANYTHING)                                                                                                           \
    PAIR(x, kind, v8subs, ANYTHING)
#define ROW_OF(x, way)                                                                                                                               \
    {                                                                                                                                                \
        [0] = x##_alone_add##way, [1] = x##_and_fmul_silicon##way, [2] = x##_and_mul24_unsigned##way, [4] = x##_and_v8min##way,               \
        [5] = x##_and_v8max##way, [6] = x##_and_v8adds##way, [7] = x##_and_v8subs##way                                          \
    }
#define MUL_ROW(way)                                                                                                                                 \
    {                                                                                                                                                \
        [1] = fmul_silicon_alone_mul##way, [2] = mul24_unsigned_alone_mul##way, [4] = v8min_alone_mul##way,                                   \
        [5] = v8max_alone_mul##way, [6] = v8adds_alone_mul##way, [7] = v8subs_alone_mul##way                                    \
    }

/* The operations of the ADD pipe, by opcode (p35-36 T12). */
#define ADDS(DO)                                                                                                                                     \
    DO(1, fadd_silicon, FLOATS)                                                                                                                      \
    DO(2, fsub_silicon, FLOATS)                                                                                                                      \
    DO(3, fmin_ordered, FLOATS)                                                                                                                       \
    DO(4, fmax_ordered, FLOATS)                                                                                                                       \
    DO(7, ftoi, ANYTHING)                                                                                                                     \
    DO(8, itof, ANYTHING)                                                                                                                     \
    DO(12, add, ANYTHING)                                                                                                                     \
    DO(13, sub, ANYTHING)                                                                                                                     \
    DO(14, shr, AMOUNTS)                                                                                                                      \
    DO(15, asr, AMOUNTS)                                                                                                                      \
    DO(16, ror, ANYTHING)                                                                                                                     \
    DO(17, shl, AMOUNTS)                                                                                                                      \
    DO(18, min, ANYTHING)                                                                                                                     \
    DO(19, max, ANYTHING)                                                                                                                     \
    DO(20, and, ANYTHING)                                                                                                                     \
    DO(21, or, ANYTHING)                                                                                                                      \
    DO(22, xor, ANYTHING)                                                                                                                     \
    DO(23, not, ANYTHING)                                                                                                                     \
    DO(24, clz, ANYTHING)                                                                                                                     \
    DO(30, v8adds, ANYTHING)                                                                                                                  \
    DO(31, v8subs, ANYTHING)

#define FUNCTIONS(opcode, x, kind)   PAIRS_OF(x, kind)
#define ALL_ROW(opcode, x, kind)     [opcode] = ROW_OF(x, _all),
#define GUARDED_ROW(opcode, x, kind) [opcode] = ROW_OF(x, _guarded),
#define QUIET_ROW(opcode, x, kind)   [opcode] = ROW_OF(x, _quiet),
#define FLAGS_ROW(opcode, x, kind)   [opcode] = {[0] = x##_alone_add_flags},
#define PAIR_KERNEL_ROW(opcode, x, kind)  [opcode] = (x),

ADDS(FUNCTIONS)
MUL_ALONE(fmul_silicon, FLOATS)
MUL_ALONE(mul24_unsigned, ANYTHING)
MUL_ALONE(v8min, ANYTHING)
MUL_ALONE(v8max, ANYTHING)
MUL_ALONE(v8adds, ANYTHING)
MUL_ALONE(v8subs, ANYTHING)

const struct alu_pairs ALU_PAIRS = {
    .add = {ADDS(PAIR_KERNEL_ROW)},
    .mul = {[1] = fmul_silicon, [2] = mul24_unsigned, [4] = v8min, [5] = v8max, [6] = v8adds, [7] = v8subs},
    .pair = {{[0] = MUL_ROW(_all), ADDS(ALL_ROW)},
             {[0] = MUL_ROW(_guarded), ADDS(GUARDED_ROW)},
             {[0] = MUL_ROW(_quiet), ADDS(QUIET_ROW)},
             {[0] = MUL_ROW(_flags), ADDS(FLAGS_ROW)}},
};
