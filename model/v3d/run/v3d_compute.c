/* SPDX-License-Identifier: MIT */
#include "model/v3d/run/v3d_compute.h"

#include "model/v3d/run/v3d_observe.h"
#include "model/v3d/v3d_rows.h"

#include <string.h>

/* ---- operands ---- */

static uint32_t immediate(const struct v3d_machine *m, unsigned index)
{
    if (index >= V3D_IMMEDIATES) {
        unsigned reading = v3d_consult(m, V3D_CLAUSE_RESERVED_IMMEDIATE);
        index -= reading == V3D_IMMEDIATE_ALIAS ? 48 : reading == V3D_IMMEDIATE_ALIAS_FLOATS ? 16 : 0;
    }
    return V3D_SEE(m, IMMEDIATE, v3d_immediate(index), index);
}

static const struct v3d_lanes zeros;

void v3d_load(const struct v3d_machine *m, const struct v3d_thread *t, const struct v3d_half *h,
              struct v3d_operands *to)
{
    unsigned count = v3d_rows[h->op].sources;
    to->at[0] = to->at[1] = &zeros;
    for (unsigned n = 0; n < count; n++) {
        const struct v3d_operand *o = &h->src[n];
        if (o->kind == V3D_RF) {
            to->at[n] = v3d_see_register(m, t, o->index);
            if (m->observer)
                v3d_observe_read(m, t, to, n);
        } else if (o->kind == V3D_ACCUMULATOR)
            to->at[n] = &t->acc[o->index];
        else {
            uint32_t word = o->kind == V3D_IMMEDIATE ? immediate(m, o->index) : 0;
            for (unsigned i = 0; i < V3D_LANES; i++)
                to->own[n].value.lane[i] = word;
            to->own[n].unsure = to->own[n].near = 0;
            to->at[n] = &to->own[n];
        }
    }
}

/* 4.2: rotates an operand of MUL. An operand from the register file rotates in each quad only. */
static void rotate(const struct v3d_machine *m, const struct v3d_insn *i, const struct v3d_thread *t,
                   const struct v3d_operand *o, struct v3d_lanes *v)
{
    const struct v3d_lanes *r5 = &t->acc[V3D_W_R5];
    unsigned reading = i->rotate ? READING_MANUAL : v3d_consult(m, V3D_CLAUSE_ROT_COUNT);
    uint16_t counts = reading == V3D_ROT_OWN_QUAD ? 0x1111 : 1; /* lanes of r5 that hold a count */
    bool quads = o->kind != V3D_ACCUMULATOR && v3d_consult(m, V3D_CLAUSE_ROT_QUADS) == READING_MANUAL;
    quads = V3D_SEE(m, ROTATE_QUADS, quads, o->kind, o->index);
    unsigned size = quads ? 4 : V3D_LANES;
    struct v3d_lanes from = *v;
    struct v3d_vector amount;
    uint32_t source[V3D_LANES], turn[V3D_LANES];
    for (unsigned n = 0; n < V3D_LANES; n++) {
        uint32_t count =
            i->rotate ? immediate(m, i->rotate) : r5->value.lane[reading == V3D_ROT_OWN_QUAD ? n / 4 * 4 : 0];
        amount.lane[n] = reading == V3D_ROT_COUNT_LIMITED && count >= V3D_LANES ? 0 : count;
    }
    if (m->observer)
        v3d_observe_source(m, V3D_POINT_ROTATE_AMOUNT, &r5->value, (const uint32_t[]){i->rotate, o->kind},
                           amount.lane);
    for (unsigned n = 0; n < V3D_LANES; n++)
        turn[n] = n - amount.lane[n];
    if (m->observer)
        v3d_observe_source(m, V3D_POINT_ROTATE_TURN, &amount, (const uint32_t[]){quads, o->kind}, turn);
    for (unsigned n = 0; n < V3D_LANES; n++)
        source[n] = n / size * size + (turn[n] & (size - 1));
    if (m->observer)
        v3d_observe_source(m, V3D_POINT_ROTATE_SOURCE, &amount, (const uint32_t[]){quads, o->kind}, source);
    v->unsure = !i->rotate && (r5->unsure & counts) ? V3D_ALL_LANES : 0;
    v->near = 0;
    for (unsigned n = 0; n < V3D_LANES; n++) {
        v->value.lane[n] = from.value.lane[source[n]];
        v->unsure |= (uint16_t)((from.unsure >> source[n] & 1) << n);
    }
}

/* ---- one ALU ---- */

static uint16_t passing(const struct v3d_thread *t, enum v3d_cond cond, uint16_t *unsure)
{
    *unsure = cond == V3D_COND_NONE                           ? 0
              : cond == V3D_COND_IFA || cond == V3D_COND_IFNA ? t->unsure_a
                                                              : t->unsure_b;
    switch (cond) {
    case V3D_COND_IFA:
        return t->alu.flag_a;
    case V3D_COND_IFNA:
        return (uint16_t)~t->alu.flag_a;
    case V3D_COND_IFB:
        return t->alu.flag_b;
    case V3D_COND_IFNB:
        return (uint16_t)~t->alu.flag_b;
    default:
        return V3D_ALL_LANES;
    }
}

static enum v3d_flag_letter letter_of(enum v3d_flags f)
{
    if (f <= V3D_FLAGS_PUSHC)
        return (enum v3d_flag_letter)(f - V3D_FLAGS_PUSHZ);
    return (enum v3d_flag_letter)((f - V3D_FLAGS_ANDZ) / 4);
}

/* Returns the lanes that are unsure in the result of an operation. */
static uint16_t unsure_result(const struct v3d_half *h, uint16_t active, uint16_t unsure_active,
                              const struct v3d_lanes *const src[2])
{
    const struct v3d_operation *op = &v3d_operation[h->op];
    uint32_t unsure = src[0]->unsure | src[1]->unsure;
    if (h->op >= V3D_A_BALLOT && h->op <= V3D_A_ALLFEQ) /* they read the active lanes only */
        unsure = (unsure & active) | unsure_active;
    if (op->kind == V3D_KERNEL_UNKNOWN || h->op == V3D_A_SETMSF)
        unsure = V3D_ALL_LANES;
    if (op->kind == V3D_KERNEL_ACROSS && unsure)
        unsure = V3D_ALL_LANES;
    return (uint16_t)unsure;
}

/* Does the operation move its operand as it is? */
static bool moves(const struct v3d_half *h)
{
    return (h->op == V3D_A_MOV || h->op == V3D_A_FMOV || h->op == V3D_M_MOV || h->op == V3D_M_FMOV) &&
           !h->pack && !h->src[0].unpack;
}

static enum v3d_function function_of(unsigned op)
{
    return op == V3D_A_RECIP ? V3D_RECIP
           : op == V3D_A_EXP ? V3D_EXP
           : op == V3D_A_LOG ? V3D_LOG
           : op == V3D_A_SIN ? V3D_SINE
                             : V3D_RSQRT;
}

/* Says which lanes of a result are within a tolerance: those of the SFU, and copies of them. */
static void note_near(const struct v3d_machine *m, const struct v3d_half *h, const struct v3d_lanes *a,
                      struct v3d_lanes *v)
{
    bool sfu = v3d_operation[h->op].kind == V3D_KERNEL_SFU;
    v->near = 0;
    if (sfu)
        v3d_note_sfu(m, v, function_of(h->op), &a->value);
    else if (v->unsure && moves(h)) {
        v->near = a->near;
        v->absolute = a->absolute;
    }
}

/* Returns the unsure lanes that reading the thread's state adds. `unsure`: those of the operands. */
static uint16_t unsure_state(const struct v3d_machine *m, struct v3d_thread *t, enum v3d_op op,
                             uint16_t unsure)
{
    uint16_t rtop = t->unsure_rtop;
    if (op == V3D_M_MULTOP) {
        t->unsure_rtop = unsure;
        return V3D_ALL_LANES; /* no source says what its destination gets */
    }
    if (op == V3D_M_UMUL24) {
        t->unsure_rtop = m->rules.rtop ? rtop : 0;
        return rtop;
    }
    if (op == V3D_A_MSF)
        return t->unsure_msf;
    if (op == V3D_A_VFLA || op == V3D_A_VFLNA || op == V3D_A_FLAPUSH)
        return t->unsure_a;
    if (op == V3D_A_VFLB || op == V3D_A_VFLNB || op == V3D_A_FLBPUSH)
        return t->unsure_b;
    if (op == V3D_A_FLAFIRST || op == V3D_A_FLNAFIRST)
        return t->unsure_a ? V3D_ALL_LANES : 0;
    return 0;
}

/* Returns how Z and N come from an operation. Counts the clauses that decide it. */
static enum v3d_flags_of flags_of(const struct v3d_machine *m, const struct v3d_half *h)
{
    enum v3d_flags_of of = (enum v3d_flags_of)v3d_operation[h->op].flags;
    if (of == V3D_FLAGS_OF_COMPARE) {
        of = v3d_consult(m, V3D_CLAUSE_FCMP_FLAGS) ? V3D_FLAGS_OF_FLOAT : of;
        cover(m->coverage, V3D_CLAUSE_DENORMAL, 0);
    }
    if (of != V3D_FLAGS_OF_FLOAT)
        return of;
    unsigned reading = v3d_consult(m, V3D_CLAUSE_ZERO_FLAG);
    return reading == V3D_ZERO_OF_BITS    ? V3D_FLAGS_OF_INTEGER
           : reading == V3D_FLAGS_NUMERIC ? V3D_FLAGS_OF_NUMBER
                                          : of;
}

/* Does flag C come from the operation by a source, or from no operation at all? */
static bool has_known_carry(enum v3d_op op)
{
    return op == V3D_A_ADD || op == V3D_A_SUB || op == V3D_A_MIN || op == V3D_A_FCMP || op == V3D_A_NOP ||
           op == V3D_M_NOP;
}

/* Can a reading of V3D_CLAUSE_CARRY take flag C from the operation's kernel? */
static bool counts_carry(unsigned reading, enum v3d_op op)
{
    bool shift = op >= V3D_A_SHL && op <= V3D_A_ROR;
    bool comparison =
        op == V3D_A_MAX || op == V3D_A_UMIN || op == V3D_A_UMAX || op == V3D_A_FMIN || op == V3D_A_FMAX;
    return (shift && (reading == V3D_CARRY_SHIFTED || reading == V3D_CARRY_BY_OPERATION)) ||
           (comparison && (reading == V3D_CARRY_COMPARED || reading == V3D_CARRY_BY_OPERATION));
}

/* Returns the lanes in which the sum of the operands has a carry. */
static uint16_t adder_carries(const struct v3d_lanes *const src[2])
{
    uint32_t set = 0;
    for (unsigned i = 0; i < V3D_LANES; i++)
        set |= (uint32_t)(src[0]->value.lane[i] > ~src[1]->value.lane[i]) << i;
    return (uint16_t)set;
}

/* Returns the lanes with flag C. `carry`: what the operation's kernel gave. */
static uint16_t carries(const struct v3d_machine *m, const struct v3d_half *h,
                        const struct v3d_lanes *const src[2], const struct v3d_vector *carry)
{
    const enum v3d_op op = (enum v3d_op)h->op;
    uint32_t of_kernel = 0;
    for (unsigned i = 0; i < V3D_LANES; i++)
        of_kernel |= (carry->lane[i] & 1) << i;
    if (op == V3D_A_FCMP)
        cover(m->coverage, V3D_CLAUSE_FCMP_FLAGS, 0);
    if (has_known_carry(op))
        return (uint16_t)of_kernel;
    if (op >= V3D_ADD_OPS)
        return v3d_consult(m, V3D_CLAUSE_MUL_CARRY) == READING_MANUAL ? (uint16_t)of_kernel : 0;
    unsigned reading = v3d_consult(m, V3D_CLAUSE_CARRY);
    return reading == V3D_CARRY_ADDER  ? adder_carries(src)
           : counts_carry(reading, op) ? (uint16_t)of_kernel
                                       : 0;
}

static void test_flags(const struct v3d_machine *m, struct v3d_alu_result *r, const struct v3d_half *h,
                       const struct v3d_lanes *const src[2], const struct v3d_vector *carry)
{
    const enum v3d_flag_letter letter = (enum v3d_flag_letter)r->letter;
    struct v3d_vector packed;
    const struct v3d_vector *result = &r->value.value;
    r->unsure_x = r->value.unsure;
    if (letter == V3D_LETTER_C) {
        r->x = carries(m, h, src, carry);
        return;
    }
    enum v3d_flags_of of = flags_of(m, h);
    if (h->pack && of == V3D_FLAGS_OF_FLOAT && v3d_consult(m, V3D_CLAUSE_ZERO_FLAG) == V3D_FLAGS_OF_PACKED) {
        packed = *result;
        v3d_pack_half(m->rules, &packed);
        for (unsigned i = 0; i < V3D_LANES; i++)
            packed.lane[i] <<= 16;
        result = &packed;
    }
    struct v3d_vector seen;
    if (m->observer) {
        seen = *result;
        v3d_observe_flag_value(m, h, r->letter, &seen);
        result = &seen;
    }
    const struct v3d_vector *a = &src[0]->value, *b = &src[1]->value;
    struct v3d_vector compared[2];
    if (of == V3D_FLAGS_OF_COMPARE && ((m->rules.denormal & V3D_FLUSH_ADD) || m->observer)) {
        compared[0] = *a;
        compared[1] = *b;
        for (unsigned n = 0; n < 2 && (m->rules.denormal & V3D_FLUSH_ADD); n++)
            v3d_flush_denormals(&src[n]->value, &compared[n]);
        if (m->observer)
            v3d_observe_compared(m, h, r->letter, compared);
        a = &compared[0];
        b = &compared[1];
    }
    if (h->op == V3D_A_MSF && letter == V3D_LETTER_Z)
        r->unsure_x = 0;
    r->x = letter == V3D_LETTER_Z ? v3d_flag_zero(of, a, b, result) : v3d_flag_negative(of, a, b, result);
    if (m->observer)
        r->x = v3d_observe_sign(m, h, of, letter, src, result, r->x);
}

/* The clauses that arithmetic depends on, as numbers from 1 on. */
#define SUMS 1 + V3D_CLAUSE_DENORMAL, 1 + V3D_CLAUSE_FLOAT_ROUND, 1 + V3D_CLAUSE_NAN_BITS
#define ORDER                                                                                                \
    1 + V3D_CLAUSE_DENORMAL, 1 + V3D_CLAUSE_NAN_BITS, 1 + V3D_CLAUSE_MIN_MAX_NAN, 1 + V3D_CLAUSE_MIN_MAX_ZERO
#define ROUNDS 1 + V3D_CLAUSE_DENORMAL, 1 + V3D_CLAUSE_NAN_BITS
const uint8_t v3d_clauses_of[V3D_OPS][V3D_CLAUSES_OF] = {
    [V3D_A_FCEIL] = {ROUNDS},
    [V3D_A_FFLOOR] = {ROUNDS},
    [V3D_A_FTRUNC] = {ROUNDS},
    [V3D_A_FDY] = {SUMS},
    [V3D_A_FDX] = {SUMS},
    [V3D_A_FADD] = {SUMS, 1 + V3D_CLAUSE_FADDNF},
    [V3D_A_FADDNF] = {SUMS, 1 + V3D_CLAUSE_FADDNF},
    [V3D_A_FSUB] = {SUMS},
    [V3D_A_FCMP] = {SUMS},
    [V3D_M_FMUL] = {SUMS},
    [V3D_A_FMIN] = {ORDER},
    [V3D_A_FMAX] = {ORDER},
    [V3D_A_FROUND] = {ROUNDS, 1 + V3D_CLAUSE_ROUND_TIE},
    [V3D_A_FTOIN] = {1 + V3D_CLAUSE_ROUND_TIE, 1 + V3D_CLAUSE_TO_INT},
    [V3D_A_FTOIZ] = {1 + V3D_CLAUSE_TO_INT},
    [V3D_A_FTOUZ] = {1 + V3D_CLAUSE_TO_INT},
    [V3D_A_FTOC] = {1 + V3D_CLAUSE_TO_INT, 1 + V3D_CLAUSE_FTOC, 1 + V3D_CLAUSE_DENORMAL},
    [V3D_A_VADD] = {1 + V3D_CLAUSE_VADD, 1 + V3D_CLAUSE_HALF_ROUND},
    [V3D_A_VSUB] = {1 + V3D_CLAUSE_VADD, 1 + V3D_CLAUSE_HALF_ROUND},
    [V3D_A_VFPACK] = {1 + V3D_CLAUSE_HALF_ROUND},
    [V3D_A_VFADD] = {SUMS, 1 + V3D_CLAUSE_HALF_ROUND},
    [V3D_A_VFSUB] = {SUMS, 1 + V3D_CLAUSE_HALF_ROUND},
    [V3D_A_VFCMP] = {SUMS, 1 + V3D_CLAUSE_HALF_ROUND},
    [V3D_A_VFMIN] = {ORDER},
    [V3D_A_VFMAX] = {ORDER},
    [V3D_M_VFMUL] = {SUMS, 1 + V3D_CLAUSE_HALF_ROUND},
    [V3D_A_FLPOP] = {1 + V3D_CLAUSE_FLPOP},
    [V3D_A_FLAFIRST] = {1 + V3D_CLAUSE_FIRST_LANE},
    [V3D_A_FLNAFIRST] = {1 + V3D_CLAUSE_FIRST_LANE},
    [V3D_A_V8PACK] = {1 + V3D_CLAUSE_V8PACK},
    [V3D_A_V10PACK] = {1 + V3D_CLAUSE_V10PACK},
    [V3D_A_V11FPACK] = {1 + V3D_CLAUSE_V11_ROUND, 1 + V3D_CLAUSE_V11_RANGE},
    [V3D_A_ITOF] = {1 + V3D_CLAUSE_ITOF_ROUND},
    [V3D_A_UTOF] = {1 + V3D_CLAUSE_ITOF_ROUND},
    [V3D_M_UMUL24] = {1 + V3D_CLAUSE_RTOP, 1 + V3D_CLAUSE_RTOP_BYTES},
    [V3D_M_FTOUNORM16] = {1 + V3D_CLAUSE_NORM_ROUND},
    [V3D_M_FTOSNORM16] = {1 + V3D_CLAUSE_NORM_ROUND},
    [V3D_M_VFTOUNORM8] = {1 + V3D_CLAUSE_NORM_ROUND},
    [V3D_M_VFTOSNORM8] = {1 + V3D_CLAUSE_NORM_ROUND},
    [V3D_M_VFTOUNORM10LO] = {1 + V3D_CLAUSE_NORM_ROUND},
    [V3D_M_VFTOUNORM10HI] = {1 + V3D_CLAUSE_NORM_ROUND},
    [V3D_M_FUNPACKUNORMLO... V3D_M_FUNPACKSNORMHI] = {1 + V3D_CLAUSE_FUNPACK, 1 + V3D_CLAUSE_HALF_ROUND},
    [V3D_A_TIDX] = {1 + V3D_CLAUSE_TIDX},
    [V3D_A_RECIP] = {1 + V3D_CLAUSE_SFU_SPECIAL},
    [V3D_A_RSQRT] = {1 + V3D_CLAUSE_SFU_SPECIAL, 1 + V3D_CLAUSE_SFU_NEGATIVE},
    [V3D_A_RSQRT2] = {1 + V3D_CLAUSE_SFU_SPECIAL, 1 + V3D_CLAUSE_SFU_NEGATIVE},
    [V3D_A_EXP] = {1 + V3D_CLAUSE_SFU_SPECIAL},
    [V3D_A_LOG] = {1 + V3D_CLAUSE_SFU_SPECIAL, 1 + V3D_CLAUSE_SFU_NEGATIVE},
    [V3D_A_SIN] = {1 + V3D_CLAUSE_SFU_SPECIAL, 1 + V3D_CLAUSE_SINE},
};

/* Counts the clauses of an operation as covered. */
static void account(const struct v3d_machine *m, const struct v3d_half *h)
{
    for (unsigned n = 0; n < V3D_CLAUSES_OF && v3d_clauses_of[h->op][n]; n++)
        cover(m->coverage, v3d_clauses_of[h->op][n] - 1U, 0);
    if (h->pack || h->src[0].unpack == V3D_UNPACK_FF || h->src[1].unpack == V3D_UNPACK_FF)
        cover(m->coverage, V3D_CLAUSE_HALF_ROUND, 0);
    if (h->cond && h->op >= V3D_A_ROTQ && h->op <= V3D_A_SHUFFLE)
        cover(m->coverage, V3D_CLAUSE_ACROSS_COND, 0);
}

/* Returns what a reserved unpack does by the reading in force. */
static enum v3d_unpack reserved_unpack(const struct v3d_machine *m, const struct v3d_half *h, unsigned n)
{
    static const uint8_t halves[] = {V3D_UNPACK_HALVES_ABS, V3D_UNPACK_HALVES_NEG, V3D_UNPACK_HALVES_NAB};
    if (h->op == V3D_M_FMOV)
        return v3d_consult(m, V3D_CLAUSE_FMOV_UNPACK) == V3D_FMOV_ABS_SAT ? V3D_UNPACK_ABS_SAT
                                                                          : V3D_UNPACK_NONE;
    if (h->op == V3D_A_VFSUB || h->op == V3D_A_VFCMP)
        return v3d_consult(m, V3D_CLAUSE_HALF_UNPACK) == V3D_HALF_UNPACK_SIGNS
                   ? (enum v3d_unpack)halves[h->src[n].unpack - V3D_UNPACK_RESERVED5]
                   : V3D_UNPACK_NONE;
    return V3D_UNPACK_NONE;
}

/* Returns the unpack that the hardware applies to an operand. */
static enum v3d_unpack unpack_of(const struct v3d_machine *m, const struct v3d_half *h, unsigned n)
{
    uint8_t unpack = h->src[n].unpack;
    if (m->generation == V3D_71 && unpack && h->op >= V3D_A_FROUND && h->op <= V3D_A_FDY) {
        if (v3d_consult(m, V3D_CLAUSE_ROUND_UNPACK))
            return V3D_UNPACK_NONE;
        if (unpack == V3D_UNPACK_ABS && v3d_consult(m, V3D_CLAUSE_ROUND_ABS))
            return V3D_UNPACK_NONE;
    }
    if (unpack >= V3D_UNPACK_RESERVED5)
        return reserved_unpack(m, h, n);
    return (enum v3d_unpack)unpack;
}

/* Rotates and unpacks the operands of an ALU. */
static void prepare_operands(const struct v3d_machine *m, const struct v3d_thread *t,
                             const struct v3d_insn *i, const struct v3d_half *h, struct v3d_operands *src)
{
    unsigned count = v3d_rows[h->op].sources;
    bool rotates = (i->signals & V3D_SIG_ROT) && count &&
                   (h == &i->half[V3D_MUL] || v3d_consult(m, V3D_CLAUSE_ROT) == V3D_ROT_BOTH);
    if ((i->signals & V3D_SIG_ROT) && count)
        rotates = V3D_SEE(m, ROTATE_DONE, rotates, h == &i->half[V3D_MUL], h->op);
    for (unsigned n = 0; n < count; n++) {
        enum v3d_unpack unpack = h->src[n].unpack ? unpack_of(m, h, n) : V3D_UNPACK_NONE;
        if (m->observer)
            unpack = v3d_observe_unpack_number(m, h, n, unpack);
        if (!rotates && !unpack)
            continue;
        if (src->at[n] != &src->own[n])
            src->own[n] = *src->at[n];
        src->at[n] = &src->own[n];
        if (rotates)
            rotate(m, i, t, &h->src[n], &src->own[n]);
        if (unpack && m->observer)
            v3d_observe_unpack(m, h, n, unpack, &src->own[n].value);
        else if (unpack)
            v3d_unpack(m->rules, unpack, &src->own[n].value);
    }
}

static void prepare_observed(const struct v3d_machine *m, const struct v3d_thread *t,
                             const struct v3d_insn *i, const struct v3d_half *h, struct v3d_operands *src,
                             struct v3d_alu_result *r)
{
    struct v3d_vector raw[2] = {0};
    r->active = v3d_observe_condition(m, t, h, r->active);
    for (unsigned n = 0; n < v3d_rows[h->op].sources; n++)
        raw[n] = src->at[n]->value;
    prepare_operands(m, t, i, h, src);
    v3d_observe_operands(m, h, raw, src);
}

/* Adds the old value of v8dot's destination, if it does. */
static void accumulate(const struct v3d_machine *m, const struct v3d_thread *t, const struct v3d_half *h,
                       struct v3d_lanes *v)
{
    if (!t->alu.set_mode && v3d_consult(m, V3D_CLAUSE_NN_MODE) == READING_MANUAL)
        v->unsure = V3D_ALL_LANES;
    if (v3d_consult(m, V3D_CLAUSE_V8DOT) == READING_MANUAL || h->magic)
        return;
    unsigned number = v3d_register_number(m, h->waddr);
    const struct v3d_lanes *old = number == V3D_NO_REGISTER ? &m->unknown : &t->rf[number];
    for (unsigned n = 0; n < V3D_LANES; n++)
        v->value.lane[n] += old->value.lane[n];
    v->unsure |= old->unsure;
}

/* `rtop`: receives RTOP before the operation. */
static void run_observed(const struct v3d_machine *m, struct v3d_thread *t, const struct v3d_half *h,
                         struct v3d_operands *src, struct v3d_alu_result *r, struct v3d_vector *carry,
                         struct v3d_vector *rtop)
{
    const struct v3d_vector msf = t->alu.msf;
    *rtop = t->alu.rtop;
    v3d_observe_active(m, t, h);
    v3d_observe_across(m, h, r->active, src);
    v3d_operation[h->op].kernel(&t->alu, &src->at[0]->value, &src->at[1]->value, &r->value.value, carry);
    v3d_observe_simple(m, &t->alu, h->op, &src->at[0]->value, &src->at[1]->value, &r->value.value, carry);
    v3d_observe_products(m, t, h->op, src, &r->value.value);
    v3d_observe_rtop(m, t, h, src, rtop);
    v3d_observe_lanes(m, t, h->op, src, &msf, &r->value.value);
    if (v3d_operation[h->op].kind == V3D_KERNEL_SFU)
        v3d_observe_sfu(m, h->op, function_of(h->op), &src->at[0]->value, &r->value.value);
    if (h->op == V3D_A_SIN)
        v3d_observe_sine(m, &src->at[0]->value, &r->value.value);
    v3d_observe_number(m, &t->alu, h->op, &src->at[0]->value, &src->at[1]->value, &r->value.value);
    v3d_observe_half_result(m, h->op, &r->value.value);
    v3d_observe_classes(m, h->op, V3D_PORT_RESULT, &r->value.value);
    v3d_observe_integers(m, &t->alu, h->op, &src->at[0]->value, &src->at[1]->value, &r->value.value);
}

/* Tests the flag of an ALU. `carry`: what its kernel gave; NULL: nobody asked for it. */
static void take_flags(const struct v3d_machine *m, const struct v3d_half *h, const struct v3d_operands *src,
                       const struct v3d_vector *carry, struct v3d_alu_result *r)
{
    unsigned none = v3d_rows[h->op].writes ? V3D_NOP_FLAGS_OF_ZERO : v3d_consult(m, V3D_CLAUSE_NOP_FLAGS);
    r->keeps_flags = none == READING_MANUAL;
    test_flags(m, r, h, src->at, carry);
    if (none == V3D_NOP_FLAGS_UNDEFINED) {
        r->x = (uint16_t)m->filler;
        r->unsure_x = V3D_ALL_LANES;
    }
    if (m->observer)
        v3d_observe_tests(m, h, src, carry, r);
}

enum v3d_stop v3d_compute(const struct v3d_machine *m, struct v3d_thread *t, const struct v3d_insn *i,
                          const struct v3d_half *h, struct v3d_operands *src, struct v3d_alu_result *r)
{
    const struct v3d_operation *op = &v3d_operation[h->op];
    struct v3d_vector carry, rtop, *wanted = NULL;
    bool vpm = m->generation == V3D_42 && (h->op == V3D_A_FLNAFIRST || h->op == V3D_A_IID) &&
               v3d_consult(m, V3D_CLAUSE_IID_42) == V3D_IID_IS_VPM;
    r->keeps_flags = r->writes_nothing = vpm;
    if (vpm) {
        r->active = r->unsure_write = 0;
        return V3D_GO;
    }
    r->to_magic = h->magic;
    if (op->kind == V3D_KERNEL_SFU && h->magic && h->waddr != V3D_W_NOP) {
        unsigned reading = v3d_consult(m, V3D_CLAUSE_SFU_DESTINATION);
        if (v3d_stops(m, t, i, reading == READING_MANUAL, V3D_FAULT_UNSTATED, 0))
            return V3D_FAULT_UNSTATED;
        r->to_magic = reading == V3D_SFU_TO_MAGIC;
    }
    if (!op->kernel)
        return v3d_rows[h->op].graphics ? V3D_FAULT_GRAPHICS : V3D_FAULT_VPM;
    r->active = h->cond ? passing(t, h->cond, &r->unsure_write) : V3D_ALL_LANES;
    r->unsure_write = h->cond ? r->unsure_write : 0;
    r->letter = (uint8_t)(h->flags ? v3d_see_letter(m, h, letter_of(h->flags)) : V3D_LETTER_Z);
    if (m->observer)
        prepare_observed(m, t, i, h, src, r);
    else
        prepare_operands(m, t, i, h, src);
    if (!v3d_rows[h->op].writes || (h->flags && r->letter == V3D_LETTER_C)) {
        memset(&r->value, 0, sizeof r->value); /* some kernels leave these alone */
        memset(&carry, 0, sizeof carry);
        wanted = &carry;
    }
    t->alu.active = r->active;
    if (m->observer)
        run_observed(m, t, h, src, r, wanted, &rtop);
    else
        op->kernel(&t->alu, &src->at[0]->value, &src->at[1]->value, &r->value.value, wanted);
    if (h->op == V3D_A_SETMSF) {
        t->set_msf = true;
        t->unsure_msf = (uint16_t)(t->unsure_msf & ~r->active);
    }
    if (m->checked && h->op == V3D_A_SETMSF && ((src->at[0]->unsure & r->active) | r->unsure_write))
        return V3D_FAULT_UNDEFINED;
    r->value.unsure = unsure_result(h, r->active, r->unsure_write, src->at);
    r->value.unsure |= unsure_state(m, t, (enum v3d_op)h->op, r->value.unsure);
    note_near(m, h, src->at[0], &r->value);
    if (h->op == V3D_M_V8DOT)
        accumulate(m, t, h, &r->value);
    account(m, h);
    if (m->observer)
        v3d_observe_result(m, t, h, src, &rtop, r);
    if (h->flags)
        take_flags(m, h, src, wanted, r);
    return V3D_GO;
}

/* Changes flags A and B after both ALUs have tested them, in some lanes. */
static void change_flags(struct v3d_thread *t, enum v3d_flags f, const struct v3d_alu_result *r,
                         uint16_t lanes)
{
    uint16_t x = r->x, a = t->alu.flag_a, unsure_a = t->unsure_a;
    if (f <= V3D_FLAGS_PUSHC) {
        t->alu.flag_b = (uint16_t)((t->alu.flag_b & ~lanes) | (a & lanes));
        t->unsure_b = (uint16_t)((t->unsure_b & ~lanes) | (unsure_a & lanes));
        t->alu.flag_a = (uint16_t)((a & ~lanes) | (x & lanes));
        t->unsure_a = (uint16_t)((unsure_a & ~lanes) | (r->unsure_x & lanes));
        return;
    }
    static const uint8_t forms[4] = {0, 1, 3, 2}; /* and, andn, norn, nor: bit 0 inverts x, bit 1 is nor */
    uint8_t form = forms[(f - V3D_FLAGS_ANDZ) % 4];
    if (form & 1)
        x = (uint16_t)~x;
    /* A lane is sure in spite of one unsure input if the other one decides. */
    uint16_t sure_a = (uint16_t)~unsure_a, sure_x = (uint16_t)~r->unsure_x,
             decided = form & 2 ? (a & sure_a) | (x & sure_x) : (~a & sure_a) | (~x & sure_x);
    uint16_t now = (uint16_t)(form & 2 ? ~(a | x) : a & x),
             unsure = (uint16_t)((unsure_a | r->unsure_x) & ~decided);
    t->alu.flag_a = (uint16_t)((a & ~lanes) | (now & lanes));
    t->unsure_a = (uint16_t)((unsure_a & ~lanes) | (unsure & lanes));
}

/* Makes a bit of each lane a flag, in the lanes that pass the condition. */
static void pop(const struct v3d_lanes *from, unsigned bit, const struct v3d_alu_result *r, uint16_t *flag,
                uint16_t *unsure)
{
    uint32_t popped = 0;
    for (unsigned n = 0; n < V3D_LANES; n++)
        popped |= (from->value.lane[n] >> bit & 1) << n;
    *flag = (uint16_t)((*flag & ~r->active) | (popped & r->active));
    *unsure = (uint16_t)((*unsure & ~r->active) | (from->unsure & r->active) | r->unsure_write);
}

void v3d_set_flags(const struct v3d_machine *m, struct v3d_thread *t, const struct v3d_insn *i,
                   const struct v3d_operands src[V3D_HALVES], const struct v3d_alu_result r[V3D_HALVES])
{
    for (unsigned h = 0; h < V3D_HALVES; h++) {
        const struct v3d_half *half = &i->half[h];
        uint16_t lanes = V3D_ALL_LANES, unsure = 0;
        if (!half->flags || (r[h].keeps_flags && !m->observer))
            continue;
        if (r[h].keeps_flags)
            lanes = 0;
        else if (i->half[!h].cond && v3d_consult(m, V3D_CLAUSE_PUSH_COND) == V3D_PUSH_ACTIVE) {
            lanes = r[!h].active;
            unsure = r[!h].unsure_write;
        }
        lanes =
            (uint16_t)V3D_SEE(m, FLAG_CHANGES, lanes, r[!h].active, i->half[!h].cond, half->op, half->flags);
        const uint16_t a = t->alu.flag_a, b = t->alu.flag_b;
        change_flags(t, half->flags, &r[h], lanes);
        if (m->observer)
            v3d_observe_update(m, t, half, r[h].x, lanes, a, b);
        t->unsure_a |= unsure;
        t->unsure_b |= unsure;
    }
    if (i->half[V3D_ADD].op != V3D_A_FLPOP || !(m->rules.flpop || m->observer))
        return;
    const struct v3d_lanes *from = src[V3D_ADD].at[0];
    if (m->rules.flpop)
        pop(from, 0, &r[V3D_ADD], &t->alu.flag_a, &t->unsure_a);
    if (m->rules.flpop == V3D_FLPOP_BOTH)
        pop(from, 1, &r[V3D_ADD], &t->alu.flag_b, &t->unsure_b);
    if (m->observer)
        v3d_observe_pop(m, t, from, r[V3D_ADD].active);
}
