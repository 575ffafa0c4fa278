/* SPDX-License-Identifier: MIT */
/*
 * Plans steps: from an instruction word, decides everything that does not depend on data, including the
 * readings of clauses. The QPU plans a step when it first executes it. Sources: VideoCoreIV-AG100-R p26-38,
 * and those that the clauses name.
 *
 * A fuzzer's programs are random words. Nearly every executed step must be planned, and mispredicted branches
 * take most of that time. Therefore common choices use tables, masks, and & instead of &&. Planning a step at
 * its first execution, not all steps in advance, reduces the time for a generated case from 3.5 us to 2.3 us.
 */
#include "model/vc4/qpu/qpu.h"

#include "model/vc4/qpu/alu/qpu_pack.h"

#include <stddef.h>

/* ---- decoding ---- */

/* Decodes a load immediate (signal 14) whose mode, bits 59:57, is 2, 5, 6 or 7. The manual's table (p33)
 * lacks these modes. False: the profile's reading says that they are reserved. */
static bool decode_reserved(struct qpu *q, struct qpu_step *s, uint64_t word)
{
    uint64_t mode = (word >> 57) & 7, partial = mode & 4 ? 4 : mode & 1;
    return qpu_class_of(word) == QPU_CLASSES &&
           qpu_consult_step(q, s, QPU_LDI_MODE_2_5_6_7) == LDI_MODE_PARTIAL &&
           qpu_decode((word & ~(UINT64_C(7) << 57)) | partial << 57, &s->insn);
}

/* Clears the step with vector stores; memset of this size takes three times as long. */
static void clear(struct qpu_step *s)
{
    static const struct vc4_vector zero;
    struct vc4_vector *words = (struct vc4_vector *)(void *)s;
    for (unsigned v = 0; v < offsetof(struct qpu_step, immediate) / sizeof zero; v++)
        words[v] = zero;
}

/* ---- reads ---- */

/* The kind of each read address, which is the same in both files (p37 T14). */
static const uint8_t kinds_of_read[64] = {
    [0 ... 31] = QPU_READ_REGISTER,       [QPU_R_UNIFORM] = QPU_READ_IO,
    [33 ... 34] = QPU_READ_NOTHING_THERE, [QPU_R_VARYING] = QPU_READ_IO,
    [36 ... 37] = QPU_READ_NOTHING_THERE, [QPU_R_NUMBER] = QPU_READ_CONSTANT,
    [QPU_R_NOTHING] = QPU_READ_NOP,       [40] = QPU_READ_NOTHING_THERE,
    [QPU_R_COORDINATE] = QPU_READ_IO,     [QPU_R_FLAGS] = QPU_READ_IO,
    [43 ... 47] = QPU_READ_NOTHING_THERE, [QPU_R_VPM] = QPU_READ_IO,
    [QPU_R_DMA_BUSY] = QPU_READ_IO,       [QPU_R_DMA_WAIT] = QPU_READ_IO,
    [QPU_R_MUTEX] = QPU_READ_IO,          [52 ... 63] = QPU_READ_NOTHING_THERE,
};

/* Does a read of this address have an effect, or can it wait? True for uniforms, varyings, VPM, DMA wait and
 * mutex. */
static bool read_acts(unsigned address)
{
    static const uint64_t acting = UINT64_C(1) << QPU_R_UNIFORM | UINT64_C(1) << QPU_R_VARYING |
                                   UINT64_C(1) << QPU_R_VPM | UINT64_C(1) << QPU_R_DMA_WAIT |
                                   UINT64_C(1) << QPU_R_MUTEX;
    return acting >> address & 1;
}

/* Does the step read an address that no operand selects (clause raddr-side-effect)? For plain registers only
 * later stale reads can show the difference. */
static bool reads_unused(const struct qpu *q, struct qpu_step *s)
{
    return q->tracks_stale && qpu_consult_step(q, s, QPU_RADDR_SIDE_EFFECT) == RADDR_ALONE;
}

static void plan_small_immediate(const struct qpu *q, struct qpu_step *s)
{
    unsigned v = s->insn.raddr_b;
    uint32_t word = qpu_small_immediate(v);
    s->read[1].kind = s->read[1].used || reads_unused(q, s) ? QPU_READ_CONSTANT : QPU_READ_NONE;
    if (v >= QPU_SMALL_ROTATE && s->read[1].used) {
        unsigned reading = qpu_consult_step(q, s, QPU_SMALL_IMM_48_63);
        if (reading == READING_MANUAL)
            s->read[1].kind = QPU_READ_NOTHING_THERE;
        word = reading == SMALL_IMM_ZERO ? 0 : v - 64;
    }
    if (s->read[1].used)
        word = QPU_OBSERVE(q, SMALL_VALUE, word, v, s->insn.op_add, s->insn.op_mul);
    vector_splat(&s->immediate, word);
}

/* Plans a read of addresses 32 to 63. */
static uint8_t plan_io_read(const struct qpu *q, struct qpu_step *s, unsigned address, bool used)
{
    uint8_t kind = kinds_of_read[address];
    if (!used && read_acts(address)) {
        if (qpu_consult_step(q, s, QPU_RADDR_SIDE_EFFECT) != RADDR_ALONE)
            return QPU_READ_NONE;
    } else if (!used && (address == QPU_R_FLAGS || kind == QPU_READ_NOP || !reads_unused(q, s))) {
        return QPU_READ_NONE;
    }
    if (address == QPU_R_MUTEX) {
        s->clauses |= qpu_clause_bit(QPU_MUTEX_READ_DATA);
        s->may_wait = s->insn.sig != QPU_SIG_BREAKPOINT;
    }
    return kind;
}

/* Lets rules decide whether the step reads an address. `other`: the read address of the other file. */
static void observe_read(const struct qpu *q, struct qpu_step *s, unsigned file, unsigned other)
{
    unsigned address = s->read[file].address;
    bool done = s->read[file].kind != QPU_READ_NONE,
         now = QPU_OBSERVE(q, READ_DONE, done, file, address, s->read[file].used, other, read_acts(address),
                           s->insn.sig, s->insn.op_add, s->insn.op_mul, s->insn.add_a, s->insn.add_b,
                           s->insn.mul_a, s->insn.mul_b);
    if (now != done)
        s->read[file].kind = now ? kinds_of_read[address] : QPU_READ_NONE;
    if (now != done && address == QPU_R_MUTEX)
        s->may_wait = now || (file && s->read[0].kind == QPU_READ_IO && s->read[0].address == QPU_R_MUTEX);
}

static void plan_read(const struct qpu *q, struct qpu_step *s, unsigned file, unsigned address, bool used)
{
    s->read[file].address = (uint8_t)address;
    s->read[file].used = used;
    if (address < QPU_FILE_ROWS) {
        s->read[file].kind = used || reads_unused(q, s) ? QPU_READ_REGISTER : QPU_READ_NONE;
        s->reads |= (uint64_t)used << (32 * file + address);
    } else {
        s->read[file].kind = plan_io_read(q, s, address, used);
    }
    if (qpu_wants(q, QPU_POINT_READ_DONE))
        observe_read(q, s, file, file ? s->insn.raddr_a : s->insn.raddr_b);
}

/* `add`, `mul`: the operand codes that the ALU uses. */
static uint8_t observe_unpack(const struct qpu *q, const struct qpu_insn *i, bool from_r4, unsigned mode,
                              unsigned add, unsigned mul)
{
    const unsigned mux = from_r4 ? QPU_MUX_R4 : QPU_MUX_A;
    return (uint8_t)QPU_OBSERVE(q, UNPACK_MODE, mode, from_r4, i->unpack, i->pm, i->raddr_a, i->op_add,
                                i->op_mul, add >> mux & 1, mul >> mux & 1);
}

static void plan_unpack(const struct qpu *q, struct qpu_step *s, unsigned add, unsigned mul)
{
    const struct qpu_insn *i = &s->insn;
    unsigned used = add | mul;
    s->float_view = (add & 1U << QPU_MUX_A && alu_add_ops[i->op_add].float_in) ||
                    (mul & 1U << QPU_MUX_A && alu_mul_ops[i->op_mul].float_in);
    if (used & 1U << QPU_MUX_A)
        s->unpack_a = observe_unpack(q, i, false, !i->pm ? i->unpack : 0, add, mul);
    if (used & 1U << QPU_MUX_R4)
        s->unpack_r4 = observe_unpack(q, i, true, i->pm ? i->unpack : 0, add, mul);
    if (s->unpack_a)
        s->float_view = QPU_OBSERVE(q, UNPACK_FLOAT, s->float_view, s->unpack_a, i->op_add, i->op_mul,
                                    add >> QPU_MUX_A & 1, mul >> QPU_MUX_A & 1);
    if (s->unpack_a)
        qpu_add_clauses(&s->alu_clauses, alu_unpack_a_clauses(s->unpack_a, s->float_view));
    if (s->unpack_r4)
        qpu_add_clauses(&s->alu_clauses, alu_unpack_r4_clauses(s->unpack_r4));
}

/* Lets rules decide whether file B's operands get the value of file A. */
static void observe_file(const struct qpu *q, struct qpu_step *s)
{
    const struct qpu_insn *i = &s->insn;
    if (s->read[1].kind &&
        !QPU_OBSERVE(q, READ_FILE, s->read[1].kind != QPU_READ_AS_FILE_A, i->raddr_b, i->raddr_a,
                     s->read[0].kind != QPU_READ_NONE, s->read[1].used, read_acts(i->raddr_b), i->sig))
        s->read[1].kind = QPU_READ_AS_FILE_A;
}

static void plan_reads(const struct qpu *q, struct qpu_step *s, const struct qpu_operation *op_add,
                       const struct qpu_operation *op_mul)
{
    const struct qpu_insn *i = &s->insn;
    unsigned add = qpu_operands_used(op_add, i->add_a, i->add_b),
             mul = qpu_operands_used(op_mul, i->mul_a, i->mul_b), used = add | mul;
    s->reads_acc = (uint8_t)(used & 0x3F);
    if (used & 1U << QPU_MUX_R5)
        s->no_r5 = !qpu_has_r5(q, qpu_consult_step(q, s, QPU_ACCUMULATOR_COUNT), QPU_R5_OPERAND, 0);
    plan_read(q, s, 0, i->raddr_a, used >> QPU_MUX_A & 1);
    if (i->class == QPU_ALU_SMALL) {
        s->read[1].used = used >> QPU_MUX_B & 1;
        plan_small_immediate(q, s);
    } else {
        plan_read(q, s, 1, i->raddr_b, used >> QPU_MUX_B & 1);
        if (s->read[0].kind == QPU_READ_IO && s->read[1].kind == QPU_READ_IO && i->raddr_a == i->raddr_b &&
            read_acts(i->raddr_a) && i->raddr_a != QPU_R_DMA_WAIT &&
            qpu_consult_step(q, s, QPU_IO_READ_BOTH_FILES) == IO_READ_ONCE)
            s->read[1].kind = QPU_READ_AS_FILE_A;
        observe_file(q, s);
    }
    if (i->unpack || qpu_wants(q, QPU_POINT_UNPACK_MODE))
        plan_unpack(q, s, add, mul);
}

/* ---- rotation (p20, p30 T5) ---- */

static void plan_rotation(const struct qpu *q, struct qpu_step *s, const struct qpu_operation *op)
{
    const struct qpu_insn *i = &s->insn;
    if (!i->op_mul)
        return;
    s->rotates = i->class == QPU_ALU_SMALL && i->raddr_b >= QPU_SMALL_ROTATE;
    s->rotates = QPU_OBSERVE(q, ROTATE_DONE, s->rotates, i->raddr_b, i->class == QPU_ALU_SMALL, i->op_mul,
                             i->mul_a, i->mul_b);
    if (!s->rotates)
        return;
    s->rotates_by_r5 = i->raddr_b == QPU_SMALL_ROTATE;
    s->rotation = (i->raddr_b - QPU_SMALL_ROTATE) & 15;
    if (s->rotates_by_r5)
        s->clauses |= qpu_clause_bit(QPU_ACCUMULATOR_COUNT);
    unsigned used = qpu_operands_used(op, i->mul_a, i->mul_b);
    bool accumulator = used & 0xF,
         other = used & (1U << QPU_MUX_R4 | 1U << QPU_MUX_R5 | 1U << QPU_MUX_A | 1U << QPU_MUX_B);
    s->rotate_rule = QPU_ROTATE_SPLIT; /* right if all operands are accumulators */
    if (accumulator && other) {
        static const uint8_t rules[] = {QPU_ROTATE_UNDEFINED, QPU_ROTATE_SPLIT, QPU_ROTATE_ALL_IN_QUAD};
        s->rotate_rule = rules[qpu_consult_step(q, s, QPU_ROTATE_MIXED_OPERANDS)];
        s->rotates_operands = s->rotate_rule == QPU_ROTATE_SPLIT;
    } else if (other) {
        static const uint8_t rules[] = {QPU_ROTATE_UNDEFINED, QPU_ROTATE_SPLIT, QPU_ROTATE_ALL_FULL};
        s->rotate_rule = rules[qpu_consult_step(q, s, QPU_ROTATE_NON_ACCU)];
    }
    s->rotates_acc = (uint8_t)((used & 0xF) | (unsigned)s->rotates_by_r5 << QPU_MUX_R5);
    s->rotates_in_quads =
        s->rotate_rule == QPU_ROTATE_ALL_IN_QUAD || (s->rotate_rule == QPU_ROTATE_SPLIT && other);
}

/* ---- the ALUs ---- */

static inline void plan_pipe(const struct qpu *q, struct qpu_step *s, bool is_mul)
{
    const struct qpu_insn *i = &s->insn;
    const struct qpu_rules *r = q->rules;
    unsigned op = is_mul ? i->op_mul : i->op_add;
    *(is_mul ? &s->mul : &s->add) = (struct qpu_pipe){.kernel = (is_mul ? r->alu.mul : r->alu.add)[op],
                                                      .op = &(is_mul ? alu_mul_ops : alu_add_ops)[op],
                                                      .source = (is_mul ? r->mul : r->add)[op].source,
                                                      .opcode = (uint8_t)op,
                                                      .mux_a = is_mul ? i->mul_a : i->add_a,
                                                      .mux_b = is_mul ? i->mul_b : i->add_b,
                                                      .cond = is_mul ? i->cond_mul : i->cond_add,
                                                      .file = is_mul ? !i->ws : i->ws,
                                                      .number = is_mul};
}

static void plan_alu(const struct qpu *q, struct qpu_step *s)
{
    const struct qpu_insn *i = &s->insn;
    const struct qpu_operation *mul = &q->rules->mul[i->op_mul];
    plan_reads(q, s, &q->rules->add[i->op_add], mul);
    plan_rotation(q, s, mul);
    plan_pipe(q, s, false);
    plan_pipe(q, s, true);
    bool nop_writes = !i->op_mul && i->waddr_mul != QPU_W_NOTHING && i->cond_mul != QPU_COND_NEVER;
    if (nop_writes && qpu_consult_step(q, s, QPU_MUL_NOP_WRITE) == MUL_NOP_STALE)
        s->mul.source = QPU_FROM_STALE;
    qpu_plan_result(q, s, false);
    qpu_plan_result(q, s, true);
}

/* Plans which ALU sets the flags, and in which elements (p27 T1, p28). */
static void plan_flags(const struct qpu *q, struct qpu_step *s)
{
    const struct qpu_insn *i = &s->insn;
    bool add = s->add.source != QPU_FROM_NOTHING;
    if (add && i->cond_add == QPU_COND_NEVER)
        add = qpu_consult_step(q, s, QPU_SF_NEVER) == SF_NOP_ONLY;
    if (qpu_wants(q, QPU_POINT_FLAGS_FROM)) {
        unsigned from = QPU_OBSERVE(q, FLAGS_FROM,
                                    add                                 ? 1U
                                    : s->mul.source != QPU_FROM_NOTHING ? 2U
                                                                        : 0U,
                                    i->op_add, i->op_mul, i->cond_add, i->cond_mul, i->sig);
        if (from == 0 || from == 3)
            return;
        add = from == 1;
    }
    const struct qpu_pipe *p = add ? &s->add : &s->mul;
    if (p->source == QPU_FROM_NOTHING || p->source == QPU_FROM_STALE)
        return;
    s->flags_from = add ? QPU_FLAGS_ADD : QPU_FLAGS_MUL;
    if (p->source == QPU_FROM_ALU)
        s->alu_clauses |= (add ? q->rules->add : q->rules->mul)[p->opcode].flag_clauses & q->alu_marked;
    if (p->packs)
        s->alu_clauses |= UINT64_C(1) << (ALU_FLAGS_VS_PACK - ALU_CLAUSE_FIRST);
    s->flags_all = p->cond == QPU_COND_ALWAYS || qpu_consult_step(q, s, QPU_SF_PER_ELEMENT) == READING_MANUAL;
    if (!qpu_is_alu(i))
        s->flags_keep_c = qpu_consult_step(q, s, QPU_LDI_OP_TEXT) == READING_MANUAL;
    s->flags_keep_c = QPU_OBSERVE(q, FLAGS_KEEP_C, s->flags_keep_c, p->number, p->opcode, p->cond, i->sig);
}

/* ---- the other classes ---- */

static void plan_load(const struct qpu *q, struct qpu_step *s)
{
    const struct qpu_insn *i = &s->insn;
    s->add = (struct qpu_pipe){.source = QPU_FROM_IMMEDIATE, .cond = i->cond_add, .file = i->ws};
    s->mul =
        (struct qpu_pipe){.source = QPU_FROM_IMMEDIATE, .cond = i->cond_mul, .file = !i->ws, .number = 1};
    qpu_plan_result(q, s, false);
    qpu_plan_result(q, s, true);
    struct vc4_vector lows, highs;
    for (unsigned e = 0; e < VC4_LANES; e++) {
        highs.lane[e] = (i->immediate >> (16 + e)) & 1;
        lows.lane[e] = (i->immediate >> e) & 1;
    }
    if (i->class == QPU_LDI_SIGNED || i->class == QPU_LDI_UNSIGNED) {
        QPU_OBSERVE_VECTOR(q, LOAD_BIT, &lows, NULL, i->immediate, 0, i->class);
        QPU_OBSERVE_VECTOR(q, LOAD_BIT, &highs, NULL, i->immediate, 1, i->class);
    }
    for (unsigned e = 0; e < VC4_LANES; e++) {
        uint32_t high = highs.lane[e], low = lows.lane[e];
        s->immediate.lane[e] = i->class == QPU_LDI_SIGNED     ? low - 2 * high
                               : i->class == QPU_LDI_UNSIGNED ? low + 2 * high
                                                              : i->immediate;
    }
    QPU_OBSERVE_VECTOR(q, LOAD_VALUE, &s->immediate, QPU_VECTORS(&lows, &highs), i->immediate, i->class);
    if (i->class != QPU_SEMAPHORE)
        return;
    s->may_wait = true;
    if (i->cond_add == QPU_COND_NEVER && i->cond_mul == QPU_COND_NEVER)
        s->clauses |= qpu_clause_bit(QPU_SEMA_COND_NEVER);
    if (i->sf || s->add.to || s->mul.to)
        s->clauses |= qpu_clause_bit(QPU_SEMA_RESULT);
}

static void plan_branch(const struct qpu *q, struct qpu_step *s)
{
    const struct qpu_insn *i = &s->insn;
    if (i->reg) {
        s->clauses |= qpu_clause_bit(QPU_BRANCH_ELEMENT);
        s->reads |= UINT64_C(1) << i->raddr_a;
    }
    if (i->raddr_a & 1)
        s->clauses |= qpu_clause_bit(QPU_BRANCH_SF_ALIAS);
    s->add.file = i->ws;
    s->mul.file = !i->ws;
    qpu_plan_link(q, s, false);
    qpu_plan_link(q, s, true);
    s->execute = qpu_execute_branch;
}

/*
 * Plans the nop and the program end as assemblers encode them. They read, compute and write nothing. In short
 * programs, a fifth of all executed steps are of this kind.
 */
static void plan_nop(const struct qpu *q, struct qpu_step *s, bool end)
{
    static const struct qpu_insn nop = {.class = QPU_ALU,
                                        .sig = QPU_SIG_NONE,
                                        .waddr_add = QPU_W_NOTHING,
                                        .waddr_mul = QPU_W_NOTHING,
                                        .raddr_a = QPU_R_NOTHING,
                                        .raddr_b = QPU_R_NOTHING};
    s->insn = nop;
    s->insn.sig = end ? QPU_SIG_END : QPU_SIG_NONE;
    s->signals = end;
    s->only_computes = !end;
    s->execute = q->general;
}

/* ---- all together ---- */

/* Drops an operation whose result nothing uses. The step still consults clause unary-operand, which says what
 * operand the operation reads, because a read can have an effect. */
static void drop_unused_operation(const struct qpu *q, struct qpu_step *s, struct qpu_pipe *p,
                                  uint64_t clauses, bool wanted)
{
    static const uint64_t choice = UINT64_C(1) << (ALU_UNARY_OPERAND - ALU_CLAUSE_FIRST);
    if (p->source != QPU_FROM_ALU)
        return;
    s->alu_clauses |= clauses & (wanted ? q->alu_marked : choice);
    if (!wanted)
        p->source = QPU_FROM_NOTHING;
}

static void drop_unused_operations(const struct qpu *q, struct qpu_step *s)
{
    bool add = s->add.to != QPU_TO_NOTHING || s->flags_from == QPU_FLAGS_ADD;
    bool mul = s->mul.to != QPU_TO_NOTHING || s->flags_from == QPU_FLAGS_MUL || q->tracks_mul;
    mul |=
        s->rotates && s->flags_from; /* an undefined rotation makes C undefined, even if ADD sets the flags */
    drop_unused_operation(q, s, &s->add, q->rules->add[s->add.opcode].clauses, add);
    drop_unused_operation(q, s, &s->mul, q->rules->mul[s->mul.opcode].clauses, mul);
}

/*
 * Finds the reads whose values can affect a result. Programs wait for DMA by reading address 50 and
 * discarding the value. If such a read counted, one case in sixteen would depend on an undefined value.
 */
static void plan_wanted(const struct qpu *q, struct qpu_step *s)
{
    bool kept = s->add.to || s->mul.to || s->flags_from || q->tracks_mul;
    for (unsigned file = 0; file < 2; file++) {
        s->read[file].wanted = q->tracks_stale || (s->read[file].used && kept);
        if (s->read[file].wanted && s->read[file].kind == QPU_READ_NOP)
            s->clauses |= qpu_clause_bit(QPU_NOP_READ_STALE);
    }
}

static struct qpu_place place_of(const struct qpu *q, const struct vc4_rows *rows, unsigned row)
{
    return (struct qpu_place){&rows->value[row], q->env->checked ? &rows->defined[row] : NULL};
}

/* Does the MUL pipe read the row that the ADD pipe writes? */
static bool mul_reads_target(const struct qpu_step *s)
{
    unsigned muxes = 1U << s->mul.mux_a | 1U << s->mul.mux_b;
    if (s->add.to == QPU_TO_ACCUMULATOR)
        return muxes >> s->add.index & 1;
    if (muxes >> QPU_MUX_B & 1 && s->read[1].kind == QPU_READ_AS_FILE_A)
        muxes |= 1U << QPU_MUX_A;
    return (muxes >> (QPU_MUX_A + s->add.file) & 1) && s->read[s->add.file].address == s->add.index;
}

/* Sets `lanes` (the step must find out at run time which elements the pipe writes), `direct` (the kernel
 * writes to `target` itself) and `write_back` (the step copies the result afterwards). */
static void plan_lanes(const struct qpu *q, const struct qpu_step *s, struct qpu_pipe *p, bool is_mul)
{
    bool row = (p->to == QPU_TO_REGISTER) | (p->to == QPU_TO_ACCUMULATOR),
         kept = q->tracks_old | (is_mul & q->tracks_mul) | s->observed;
    p->lanes = s->observed | (p->cond != QPU_COND_ALWAYS) | (p->to > QPU_TO_ACCUMULATOR) |
               (s->collision != QPU_NO_COLLISION) | (is_mul & q->tracks_mul);
    p->direct = row & !p->lanes & !kept & (p->packs == QPU_PACKS_NOT) & (p->source == QPU_FROM_ALU) &
                !(is_mul & s->rotates);
    if (is_mul)
        /* ADD's I/O may stop the QPU before MUL writes, and a rule may let both write one register */
        p->direct &= (s->add.to != QPU_TO_IO) & !(s->add.write_back & (s->add.file == p->file) &
                                                  (s->add.to == p->to) & (s->add.index == p->index));
    else if (p->direct && s->mul.source == QPU_FROM_ALU)
        p->direct = !mul_reads_target(s);
    p->write_back = (p->to != QPU_TO_NOTHING) & !p->direct;
    if (p->direct)
        p->target = place_of(q, p->to == QPU_TO_REGISTER ? &q->file[p->file] : &q->acc, p->index);
}

static struct qpu_place operand_place(struct qpu *q, const struct qpu_step *s, unsigned mux)
{
    if (mux < QPU_MUX_A)
        return place_of(q, &q->acc, mux);
    unsigned file = mux - QPU_MUX_A;
    if (s->read[file].kind == QPU_READ_REGISTER)
        return place_of(q, &q->file[file], s->read[file].address);
    if (s->read[file].kind == QPU_READ_NONE)
        return (struct qpu_place){&q->zero, &q->all};
    return (struct qpu_place){(struct vc4_vector *)(uintptr_t)qpu_constant(q, s, file), &q->all};
}

/* Finds the steps that only compute, and their operands. */
static void plan_places(struct qpu *q, struct qpu_step *s)
{
    bool reads = (s->read[0].kind <= QPU_READ_CONSTANT) & (s->read[1].kind <= QPU_READ_CONSTANT) &
                 !(s->unpack_a | s->unpack_r4);
    bool nothing_else = !(s->signals | s->no_r5 | s->rotates | s->collision | s->flags_from |
                          q->tracks_stale | q->tracks_mul);
    bool add = (s->add.source == QPU_FROM_NOTHING) | s->add.direct,
         mul = (s->mul.source == QPU_FROM_NOTHING) | s->mul.direct;
    s->only_computes = reads & nothing_else & add & mul & qpu_is_alu(&s->insn);
    for (unsigned m = 0; s->only_computes && m < 2; m++) {
        struct qpu_pipe *p = m ? &s->mul : &s->add;
        p->a = operand_place(q, s, p->mux_a);
        p->b = operand_place(q, s, p->mux_b);
    }
}

void qpu_plan(struct qpu *q, struct qpu_step *s)
{
    static const unsigned no_signals =
        1U << QPU_SIG_NONE | 1U << QPU_SIG_SMALL_IMMEDIATE | 1U << QPU_SIG_LOAD_IMMEDIATE;
    uint64_t word = qpu_join(q->program + 2 * (s - q->step));
    clear(s);
    bool observed = qpu_wants_fields(q);
    if (observed)
        word = qpu_observe_word(q, word);
    else if (word == QPU_NOP_WORD || word == QPU_END_WORD) {
        plan_nop(q, s, word == QPU_END_WORD);
        return;
    }
    bool decoded = observed ? qpu_observe_class(q, word, &s->insn) : qpu_decode(word, &s->insn);
    if (!decoded && !decode_reserved(q, s, word)) {
        s->execute = qpu_execute_reserved;
        return;
    }
    if (observed)
        qpu_observe_fields(q, &s->insn);
    if (s->insn.class == QPU_BRANCH) {
        plan_branch(q, s);
        return;
    }
    if (qpu_is_alu(&s->insn))
        plan_alu(q, s);
    else
        plan_load(q, s);
    bool undefined = qpu_plan_peripherals(q, s);
    qpu_plan_collision(q, s);
    if (s->insn.sf)
        plan_flags(q, s);
    drop_unused_operations(q, s);
    plan_wanted(q, s);
    s->observed = q->observes && qpu_is_observed(q, s);
    plan_lanes(q, s, &s->add, false);
    plan_lanes(q, s, &s->mul, true);
    s->keeps_old = q->tracks_old;
    qpu_plan_vpm_beside(s);
    s->signals = !(no_signals >> s->insn.sig & 1);
    plan_places(q, s);
    s->touches = s->writes;
    s->touches_acc = s->writes_acc;
    s->execute = undefined && q->env->checked ? qpu_execute_undefined : q->general;
}
