/* SPDX-License-Identifier: MIT */
/*
 * From an instruction word to a step: everything about it that does not depend
 * on data, the readings of clauses included, is decided here, when the step is
 * first executed. Sources: VideoCoreIV-AG100-R p26-38; the clauses name theirs.
 *
 * Fuzzing plans a step for each one that it executes, and its words are random:
 * what costs is branches that no host foresees. So the common case of a choice
 * is made by tables, masks, and & instead of &&. With planning at first use a
 * run of a generated case takes 2.3 us instead of 3.5.
 */
#include "model/vc4/qpu/qpu.h"

#include "model/vc4/qpu/alu/qpu_pack.h"
#include "model/vc4/qpu/qpu_step.h"

#include <stddef.h>

/* ---- decoding ---- */

void qpu_add_clauses(uint64_t *set, const uint8_t *clauses)
{
    for (; *clauses != ALU_NO_CLAUSE; clauses++)
        *set |= UINT64_C(1) << (*clauses - ALU_CLAUSE_FIRST);
}

/* Bits 59:57 = 2, 5, 6, 7 of signal 14 stand in no table (p33): true if the reading in force runs them
 * nevertheless. */
static bool decode_reserved(struct qpu *q, struct qpu_step *s, uint64_t word)
{
    s->clauses |= qpu_clause_bit(QPU_LDI_MODE_2_5_6_7);
    uint64_t mode = (word >> 57) & 7, partial = mode & 4 ? 4 : mode & 1;
    return qpu_reading(q, QPU_LDI_MODE_2_5_6_7) == LDI_MODE_PARTIAL &&
           qpu_decode((word & ~(UINT64_C(7) << 57)) | partial << 57, &s->insn);
}

static void clear(struct qpu_step *s)
{
    static const struct vc4_vector zero;
    struct vc4_vector *words =
        (struct vc4_vector *)(void *)s; /* by vectors: memset of this size costs three times as much */
    for (unsigned v = 0; v < offsetof(struct qpu_step, immediate) / sizeof zero; v++)
        words[v] = zero;
}

/* ---- what is read ---- */

/* What stands at an address for reading, the same kind in both files (p37 T14). */
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

/* Reads that change something or can wait: uniform, varying, VPM, DMA wait, mutex. */
static bool read_acts(unsigned address)
{
    static const uint64_t acting = UINT64_C(1) << QPU_R_UNIFORM | UINT64_C(1) << QPU_R_VARYING |
                                   UINT64_C(1) << QPU_R_VPM | UINT64_C(1) << QPU_R_DMA_WAIT |
                                   UINT64_C(1) << QPU_R_MUTEX;
    return acting >> address & 1;
}

/* Does an address that no operand selects read nevertheless? Of plain registers that shows in what stays
 * behind (clause raddr-side-effect). */
static bool reads_unused(struct qpu *q, struct qpu_step *s)
{
    if (!q->tracks_stale)
        return false;
    s->clauses |= qpu_clause_bit(QPU_RADDR_SIDE_EFFECT);
    return qpu_reading(q, QPU_RADDR_SIDE_EFFECT) == RADDR_ALONE;
}

static void small_immediate(struct qpu *q, struct qpu_step *s)
{
    unsigned v = s->insn.raddr_b;
    uint32_t word = qpu_small_immediate(v);
    s->read[1].kind = s->read[1].used || reads_unused(q, s) ? QPU_READ_CONSTANT : QPU_READ_NONE;
    if (v >= QPU_SMALL_ROTATE && s->read[1].used) {
        s->clauses |= qpu_clause_bit(QPU_SMALL_IMM_48_63);
        unsigned reading = qpu_reading(q, QPU_SMALL_IMM_48_63);
        if (reading == READING_MANUAL)
            s->read[1].kind = QPU_READ_NOTHING_THERE;
        word = reading == SMALL_IMM_ZERO ? 0 : v - 64;
    }
    vector_splat(&s->immediate, word);
}

/* Addresses 32 to 63. */
static uint8_t plan_io_read(struct qpu *q, struct qpu_step *s, unsigned address, bool used)
{
    uint8_t kind = kinds_of_read[address];
    if (!used && read_acts(address)) {
        s->clauses |= qpu_clause_bit(QPU_RADDR_SIDE_EFFECT);
        if (qpu_reading(q, QPU_RADDR_SIDE_EFFECT) != RADDR_ALONE)
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

static void plan_read(struct qpu *q, struct qpu_step *s, unsigned file, unsigned address, bool used)
{
    s->read[file].address = (uint8_t)address;
    s->read[file].used = used;
    if (address < QPU_FILE_ROWS) {
        s->read[file].kind = used || reads_unused(q, s) ? QPU_READ_REGISTER : QPU_READ_NONE;
        s->reads |= (uint64_t)used << (32 * file + address);
    } else {
        s->read[file].kind = plan_io_read(q, s, address, used);
    }
}

static void plan_reads(struct qpu *q, struct qpu_step *s, const struct qpu_operation *op_add,
                       const struct qpu_operation *op_mul)
{
    const struct qpu_insn *i = &s->insn;
    unsigned add = qpu_operands_used(op_add, i->add_a, i->add_b),
             mul = qpu_operands_used(op_mul, i->mul_a, i->mul_b), used = add | mul;
    s->reads_acc = (uint8_t)(used & 0x3F);
    if (used & 1U << QPU_MUX_R5) {
        s->clauses |= qpu_clause_bit(QPU_ACCUMULATOR_COUNT);
        s->no_r5 = qpu_reading(q, QPU_ACCUMULATOR_COUNT) == ACCUMULATORS_FIVE;
    }
    plan_read(q, s, 0, i->raddr_a, used >> QPU_MUX_A & 1);
    if (i->class == QPU_ALU_SMALL) {
        s->read[1].used = used >> QPU_MUX_B & 1;
        small_immediate(q, s);
    } else {
        plan_read(q, s, 1, i->raddr_b, used >> QPU_MUX_B & 1);
        if (s->read[0].kind == QPU_READ_IO && s->read[1].kind == QPU_READ_IO && i->raddr_a == i->raddr_b &&
            read_acts(i->raddr_a) && i->raddr_a != QPU_R_DMA_WAIT) {
            s->clauses |= qpu_clause_bit(QPU_IO_READ_BOTH_FILES);
            if (qpu_reading(q, QPU_IO_READ_BOTH_FILES) == IO_READ_ONCE)
                s->read[1].kind = QPU_READ_AS_FILE_A;
        }
    }
    if (!i->unpack)
        return;
    s->float_view = (add & 1U << QPU_MUX_A && alu_add_ops[i->op_add].float_in) ||
                    (mul & 1U << QPU_MUX_A && alu_mul_ops[i->op_mul].float_in);
    s->unpack_a = !i->pm && used & 1U << QPU_MUX_A ? i->unpack : 0;
    s->unpack_r4 = i->pm && used & 1U << QPU_MUX_R4 ? i->unpack : 0;
    if (s->unpack_a)
        qpu_add_clauses(&s->alu_clauses, alu_unpack_a_clauses(s->unpack_a, s->float_view));
    if (s->unpack_r4)
        qpu_add_clauses(&s->alu_clauses, alu_unpack_r4_clauses(s->unpack_r4));
}

/* ---- rotation (p20, p30 T5) ---- */

static void plan_rotation(struct qpu *q, struct qpu_step *s, const struct qpu_operation *op)
{
    const struct qpu_insn *i = &s->insn;
    if (i->class != QPU_ALU_SMALL || i->raddr_b < QPU_SMALL_ROTATE || !i->op_mul)
        return;
    s->rotates = true;
    s->rotates_by_r5 = i->raddr_b == QPU_SMALL_ROTATE;
    s->rotation = (uint8_t)(i->raddr_b - QPU_SMALL_ROTATE);
    if (s->rotates_by_r5)
        s->clauses |= qpu_clause_bit(QPU_ACCUMULATOR_COUNT);
    unsigned used = qpu_operands_used(op, i->mul_a, i->mul_b);
    bool accumulator = used & 0xF,
         other = used & (1U << QPU_MUX_R4 | 1U << QPU_MUX_R5 | 1U << QPU_MUX_A | 1U << QPU_MUX_B);
    s->rotate_rule = QPU_ROTATE_SPLIT; /* right for accumulators alone */
    if (accumulator && other) {
        static const uint8_t rules[] = {QPU_ROTATE_UNDEFINED, QPU_ROTATE_SPLIT, QPU_ROTATE_ALL_IN_QUAD};
        s->clauses |= qpu_clause_bit(QPU_ROTATE_MIXED_OPERANDS);
        s->rotate_rule = rules[qpu_reading(q, QPU_ROTATE_MIXED_OPERANDS)];
        s->rotates_apart = s->rotate_rule == QPU_ROTATE_SPLIT;
    } else if (other) {
        static const uint8_t rules[] = {QPU_ROTATE_UNDEFINED, QPU_ROTATE_SPLIT, QPU_ROTATE_ALL_FULL};
        s->clauses |= qpu_clause_bit(QPU_ROTATE_NON_ACCU);
        s->rotate_rule = rules[qpu_reading(q, QPU_ROTATE_NON_ACCU)];
    }
    s->rotates_acc = (uint8_t)((used & 0xF) | (unsigned)s->rotates_by_r5 << QPU_MUX_R5);
    s->rotates_in_quads =
        s->rotate_rule == QPU_ROTATE_ALL_IN_QUAD || (s->rotate_rule == QPU_ROTATE_SPLIT && other);
}

/* ---- what is written ---- */

/* What stands at an address for writing, by file (p37 T14). */
static const uint8_t kinds_of_write[2][64] = {
    {[0 ... 31] = QPU_TO_REGISTER,
     [QPU_W_R0... QPU_W_R3] = QPU_TO_ACCUMULATOR,
     [QPU_W_TMU_NOSWAP] = QPU_TO_IO,
     [QPU_W_R5] = QPU_TO_R5_A,
     [QPU_W_INTERRUPT] = QPU_TO_IO,
     [QPU_W_UNIFORMS_ADDRESS... 63] = QPU_TO_IO},
    {[0 ... 31] = QPU_TO_REGISTER,
     [QPU_W_R0... QPU_W_R3] = QPU_TO_ACCUMULATOR,
     [QPU_W_TMU_NOSWAP] = QPU_TO_IO,
     [QPU_W_R5] = QPU_TO_R5_B,
     [QPU_W_INTERRUPT] = QPU_TO_IO,
     [QPU_W_UNIFORMS_ADDRESS... 63] = QPU_TO_IO},
};

static bool is_accumulator(uint8_t to)
{
    return (to == QPU_TO_ACCUMULATOR) | (to == QPU_TO_R5_A) | (to == QPU_TO_R5_B);
}

static void plan_target(struct qpu_pipe *p, unsigned address)
{
    p->to = kinds_of_write[p->file][address];
    p->index = (uint8_t)(address - (is_accumulator(p->to) ? QPU_W_R0 : 0));
}

static void plan_r5(struct qpu *q, struct qpu_step *s, struct qpu_pipe *p)
{
    s->clauses |= qpu_clause_bit(QPU_ACCUMULATOR_COUNT);
    if (p->to == QPU_TO_R5_A)
        s->clauses |= qpu_clause_bit(QPU_R5_BYTE_CONCAT);
    if (p->cond != QPU_COND_ALWAYS)
        s->clauses |= qpu_clause_bit(QPU_R5_COND_ELEMENT0);
    if (qpu_reading(q, QPU_ACCUMULATOR_COUNT) == ACCUMULATORS_FIVE)
        p->to = QPU_TO_NOTHING;
}

static void plan_pack(struct qpu *q, struct qpu_step *s, struct qpu_pipe *p, bool is_mul)
{
    const struct qpu_insn *i = &s->insn;
    bool file_a = !i->pm && !p->file && p->to != QPU_TO_ACCUMULATOR && p->to != QPU_TO_R5_A;
    if (i->pm ? !is_mul : !file_a)
        return;
    p->pack = i->pack;
    p->packs = i->pm ? QPU_PACKS_MUL : QPU_PACKS_A;
    if (i->pm && (i->pack < 3 || i->pack > 7)) {
        p->packs = QPU_PACKS_JUNK; /* reserved (p32 T9) */
        return;
    }
    if (i->pm && p->source == QPU_FROM_IMMEDIATE) {
        s->clauses |= qpu_clause_bit(QPU_MUL_PACK_LDI);
        if (qpu_reading(q, QPU_MUL_PACK_LDI) == READING_MANUAL) {
            p->packs = QPU_PACKS_NOT;
            return;
        }
    }
    if (p->packs == QPU_PACKS_MUL && i->pack > 4) {
        s->clauses |= qpu_clause_bit(QPU_T9_MUL_PACK_8A);
        if (qpu_reading(q, QPU_T9_MUL_PACK_8A) == READING_MANUAL)
            p->pack = 4;
    }
    if (p->to == QPU_TO_IO && !(i->pm && i->pack == PACK_8888)) { /* which writes whole words */
        static const uint8_t rules[] = {QPU_PACKS_A, QPU_PACKS_JUNK, QPU_PACKS_NOT};
        unsigned reading = qpu_reading(q, QPU_PACK_PERIPHERAL);
        s->clauses |= qpu_clause_bit(QPU_PACK_PERIPHERAL);
        if (reading != READING_MANUAL)
            p->packs = rules[reading];
    }
}

static void add_pack_clauses(struct qpu_step *s, const struct qpu_pipe *p)
{
    bool alu = p->source == QPU_FROM_ALU;
    if (p->packs == QPU_PACKS_A)
        qpu_add_clauses(&s->alu_clauses,
                        alu_pack_a_clauses(p->pack, alu && p->op->float_out, alu && p->op->overflow));
    else if (p->packs == QPU_PACKS_MUL)
        qpu_add_clauses(&s->alu_clauses, alu_pack_mul_clauses(p->pack));
}

static void plan_io_write(struct qpu_step *s, const struct qpu_pipe *p)
{
    unsigned a = p->index;
    if (a == QPU_W_INTERRUPT)
        s->clauses |= qpu_clause_bit(QPU_HOST_INT_NONZERO);
    if (a == QPU_W_UNIFORMS_ADDRESS && p->file)
        s->clauses |= qpu_clause_bit(QPU_UNIF_ADDR_B);
    if ((a == QPU_W_VPM_SETUP || a == QPU_W_DMA_ADDRESS) && p->cond != QPU_COND_ALWAYS)
        s->clauses |= qpu_clause_bit(QPU_COND_WRITE_PERIPHERAL);
    if (a == QPU_W_SFU_RECIP)
        s->clauses |= qpu_clause_bit(QPU_SFU_LIST);
}

static void plan_end_write(struct qpu *q, struct qpu_step *s, struct qpu_pipe *p)
{
    if (p->to != QPU_TO_REGISTER)
        return;
    unsigned reading = qpu_reading(q, QPU_END_REGFILE_WRITE);
    s->clauses |= qpu_clause_bit(QPU_END_REGFILE_WRITE);
    if (reading == READING_MANUAL)
        p->packs = QPU_PACKS_JUNK;
    else if (reading == END_WRITE_LOST)
        p->to = QPU_TO_NOTHING;
}

/* Notes what hazards the next step may stand in because of this pipe. */
static void plan_writes(struct qpu_step *s, const struct qpu_pipe *p)
{
    s->writes |= (uint64_t)(p->to == QPU_TO_REGISTER) << (32 * p->file + (p->index & 31));
    s->writes_acc = (uint8_t)(s->writes_acc | (unsigned)is_accumulator(p->to) << (p->index & 7));
}

/* Whatever the pipe's source is: where its result goes, how it is packed. */
static void plan_result(struct qpu *q, struct qpu_step *s, struct qpu_pipe *p, bool is_mul)
{
    plan_target(p, is_mul ? s->insn.waddr_mul : s->insn.waddr_add);
    p->to = ((p->source != QPU_FROM_NOTHING) & (p->cond != QPU_COND_NEVER)) ? p->to : QPU_TO_NOTHING;
    if (p->to == QPU_TO_R5_A || p->to == QPU_TO_R5_B)
        plan_r5(q, s, p);
    if (s->insn.pack && p->to)
        plan_pack(q, s, p, is_mul);
    if (p->to == QPU_TO_IO)
        plan_io_write(s, p);
    if (s->insn.sig == QPU_SIG_END || s->insn.sig == QPU_SIG_COLOUR_LOAD_END)
        plan_end_write(q, s, p);
    if (p->packs)
        add_pack_clauses(s, p);
    plan_writes(s, p);
}

static void plan_add(struct qpu *q, struct qpu_step *s, const struct qpu_operation *op)
{
    const struct qpu_insn *i = &s->insn;
    s->add = (struct qpu_pipe){.kernel = alu_add_kernel(&q->rules->alu, i->op_add),
                               .op = &alu_add_ops[i->op_add],
                               .source = op->source,
                               .opcode = i->op_add,
                               .mux_a = i->add_a,
                               .mux_b = i->add_b,
                               .cond = i->cond_add,
                               .file = i->ws};
    plan_result(q, s, &s->add, false);
}

static void plan_mul(struct qpu *q, struct qpu_step *s, const struct qpu_operation *op)
{
    const struct qpu_insn *i = &s->insn;
    s->mul = (struct qpu_pipe){.kernel = alu_mul_kernel(&q->rules->alu, i->op_mul),
                               .op = &alu_mul_ops[i->op_mul],
                               .source = op->source,
                               .opcode = i->op_mul,
                               .mux_a = i->mul_a,
                               .mux_b = i->mul_b,
                               .cond = i->cond_mul,
                               .file = !i->ws};
    if (!i->op_mul && i->waddr_mul != QPU_W_NOTHING &&
        i->cond_mul != QPU_COND_NEVER) { /* a nop that writes */
        s->clauses |= qpu_clause_bit(QPU_MUL_NOP_WRITE);
        s->mul.source =
            qpu_reading(q, QPU_MUL_NOP_WRITE) == MUL_NOP_STALE ? QPU_FROM_STALE : QPU_FROM_NOTHING;
    }
    plan_result(q, s, &s->mul, true);
}

/* Both ALUs to one accumulator or I/O register (p19). Register files cannot meet: ws gives each ALU its own.
 */
static void plan_both(struct qpu *q, struct qpu_step *s)
{
    const struct qpu_pipe *a = &s->add, *m = &s->mul;
    bool same = a->to == m->to && a->index == m->index && a->to != QPU_TO_NOTHING && a->to != QPU_TO_REGISTER;
    if (same && a->to == QPU_TO_IO)
        same = qpu_write_shared(a->index);
    same = same ||
           ((a->to == QPU_TO_R5_A || a->to == QPU_TO_R5_B) && (m->to == QPU_TO_R5_A || m->to == QPU_TO_R5_B));
    if (!same)
        return;
    s->both = QPU_BOTH_UNDEFINED;
    if (a->cond >= QPU_COND_ZS && (a->cond ^ m->cond) == 1) {
        static const uint8_t rules[] = {QPU_BOTH_UNDEFINED, QPU_BOTH_MERGE, QPU_BOTH_ADD_ONLY};
        s->clauses |= qpu_clause_bit(QPU_INVERSE_COND_PERIPHERAL);
        s->both = rules[qpu_reading(q, QPU_INVERSE_COND_PERIPHERAL)];
    }
}

/* Does the pipe write one of these addresses, given as bits? */
static unsigned writes_one_of(const struct qpu_pipe *p, uint64_t addresses)
{
    return (p->to == QPU_TO_IO) & (unsigned)(addresses >> p->index & 1);
}

/*
 * How many accesses the step makes of which an instruction may make one (p37): writes of tile buffer, SFU and
 * TMU, loads from tile and TMU, the mutex, a semaphore. A colour may be read and written in one. Left to
 * others are two writes of one address (clause inverse-cond-peripheral) and two SFU results that meet in r4
 * (sfu-r4-hazard).
 */
static unsigned count_peripherals(const struct qpu_step *s)
{
    static const uint64_t tile = UINT64_C(0x1F) << QPU_W_TLB_STENCIL, sfu = UINT64_C(0xF) << QPU_W_SFU_RECIP,
                          tmu = UINT64_C(0xFF) << QPU_W_TMU0_S, colour = UINT64_C(3) << QPU_W_TLB_COLOUR_MS;
    static const unsigned colour_loads = 1U << QPU_SIG_COLOUR_LOAD | 1U << QPU_SIG_COLOUR_LOAD_END,
                          loads = colour_loads | 1U << QPU_SIG_COVERAGE_LOAD | 1U << QPU_SIG_ALPHA_LOAD |
                                  1U << QPU_SIG_LOAD_TMU0 | 1U << QPU_SIG_LOAD_TMU1;
    unsigned add = writes_one_of(&s->add, tile | sfu | tmu), mul = writes_one_of(&s->mul, tile | sfu | tmu);
    unsigned two_sfu = writes_one_of(&s->add, sfu) & writes_one_of(&s->mul, sfu);
    unsigned one = add & mul & (two_sfu | (unsigned)(s->add.index == s->mul.index));
    unsigned pair =
        (colour_loads >> s->insn.sig & 1) & (writes_one_of(&s->add, colour) | writes_one_of(&s->mul, colour));
    return add + mul - one + (loads >> s->insn.sig & 1) - pair + s->may_wait;
}

/* More than one of them in one instruction. True: nobody knows what the step does. */
static bool plan_peripherals(struct qpu *q, struct qpu_step *s)
{
    bool none = (s->add.to != QPU_TO_IO) & (s->mul.to != QPU_TO_IO) &
                !s->may_wait; /* or a load alone: most steps, and soon seen */
    if (none || count_peripherals(s) < 2)
        return false;
    s->clauses |= qpu_clause_bit(QPU_PERIPHERALS_IN_ONE);
    unsigned reading = qpu_reading(q, QPU_PERIPHERALS_IN_ONE);
    if (reading == PERIPHERALS_SFU_LOST) {
        s->add.to = qpu_writes_sfu(&s->add) ? QPU_TO_NOTHING : s->add.to;
        s->mul.to = qpu_writes_sfu(&s->mul) ? QPU_TO_NOTHING : s->mul.to;
    }
    return reading == READING_MANUAL;
}

/* Which ALU sets the flags, and in which elements (p27 T1, p28). */
static void plan_flags(struct qpu *q, struct qpu_step *s)
{
    const struct qpu_insn *i = &s->insn;
    bool add = s->add.source != QPU_FROM_NOTHING;
    if (add && i->cond_add == QPU_COND_NEVER) {
        s->clauses |= qpu_clause_bit(QPU_SF_NEVER);
        add = qpu_reading(q, QPU_SF_NEVER) == SF_NOP_ONLY;
    }
    const struct qpu_pipe *p = add ? &s->add : &s->mul;
    if (p->source == QPU_FROM_NOTHING || p->source == QPU_FROM_STALE)
        return;
    s->flags_from = add ? QPU_FLAGS_ADD : QPU_FLAGS_MUL;
    if (p->source == QPU_FROM_ALU)
        s->alu_clauses |= (add ? q->rules->add : q->rules->mul)[p->opcode].flag_clauses & q->alu_marked;
    if (p->packs)
        s->alu_clauses |= UINT64_C(1) << (ALU_FLAGS_VS_PACK - ALU_CLAUSE_FIRST);
    s->flags_all = p->cond == QPU_COND_ALWAYS;
    if (!s->flags_all) {
        s->clauses |= qpu_clause_bit(QPU_SF_PER_ELEMENT);
        s->flags_all = qpu_reading(q, QPU_SF_PER_ELEMENT) == READING_MANUAL;
    }
    if (!qpu_is_alu(i)) {
        s->clauses |= qpu_clause_bit(QPU_LDI_OP_TEXT);
        s->flags_keep_c = qpu_reading(q, QPU_LDI_OP_TEXT) == READING_MANUAL;
    }
}

/* ---- the other classes ---- */

static void plan_load(struct qpu *q, struct qpu_step *s)
{
    const struct qpu_insn *i = &s->insn;
    s->add = (struct qpu_pipe){.source = QPU_FROM_IMMEDIATE, .cond = i->cond_add, .file = i->ws};
    s->mul = (struct qpu_pipe){.source = QPU_FROM_IMMEDIATE, .cond = i->cond_mul, .file = !i->ws};
    plan_result(q, s, &s->add, false);
    plan_result(q, s, &s->mul, true);
    for (unsigned e = 0; e < VC4_LANES; e++) {
        uint32_t high = (i->immediate >> (16 + e)) & 1, low = (i->immediate >> e) & 1;
        s->immediate.lane[e] = i->class == QPU_LDI_SIGNED     ? low - 2 * high
                               : i->class == QPU_LDI_UNSIGNED ? low + 2 * high
                                                              : i->immediate;
    }
    if (i->class != QPU_SEMAPHORE)
        return;
    s->may_wait = true;
    if (i->cond_add == QPU_COND_NEVER && i->cond_mul == QPU_COND_NEVER)
        s->clauses |= qpu_clause_bit(QPU_SEMA_COND_NEVER);
    if (i->sf || s->add.to || s->mul.to)
        s->clauses |= qpu_clause_bit(QPU_SEMA_RESULT);
}

static void plan_branch(struct qpu_step *s)
{
    const struct qpu_insn *i = &s->insn;
    if (i->reg) {
        s->clauses |= qpu_clause_bit(QPU_BRANCH_ELEMENT);
        s->reads |= UINT64_C(1) << i->raddr_a;
    }
    if (i->raddr_a & 1)
        s->clauses |= qpu_clause_bit(QPU_BRANCH_SF_ALIAS);
    for (unsigned m = 0; m < 2; m++) {
        struct qpu_pipe *p = m ? &s->mul : &s->add;
        p->file = m ? !i->ws : i->ws;
        plan_target(p, m ? i->waddr_mul : i->waddr_add);
        if (p->to != QPU_TO_NOTHING)
            s->clauses |= qpu_clause_bit(QPU_BRANCH_LINK_COND);
        p->cond = QPU_COND_ALWAYS; /* a link has none */
        if (p->to == QPU_TO_IO)
            plan_io_write(s, p);
        plan_writes(s, p);
    }
    s->execute = qpu_execute_branch;
}

static bool loads_tmu(const struct qpu_step *s)
{
    return s->insn.sig == QPU_SIG_LOAD_TMU0 || s->insn.sig == QPU_SIG_LOAD_TMU1;
}

/* How the step reaches the VPM, as 1 + mode of clause vpm-concurrent: it writes a vector, reads one, or sets
 * something up; 0: not at all. */
static uint8_t reaches_vpm(const struct qpu_step *s)
{
    static const uint64_t vector = UINT64_C(1) << QPU_W_VPM,
                          setup = UINT64_C(1) << QPU_W_VPM_SETUP | UINT64_C(1) << QPU_W_DMA_ADDRESS;
    bool reads = false;
    for (unsigned file = 0; file < 2; file++)
        reads |= s->read[file].kind == QPU_READ_IO && s->read[file].address == QPU_R_VPM;
    if (writes_one_of(&s->add, setup) | writes_one_of(&s->mul, setup))
        return 3;
    return writes_one_of(&s->add, vector) | writes_one_of(&s->mul, vector) ? 1 : reads ? 2 : 0;
}

/* ---- all together ---- */

static void plan_alu(struct qpu *q, struct qpu_step *s)
{
    const struct qpu_operation *add = &q->rules->add[s->insn.op_add], *mul = &q->rules->mul[s->insn.op_mul];
    plan_reads(q, s, add, mul);
    plan_rotation(q, s, mul);
    plan_add(q, s, add);
    plan_mul(q, s, mul);
}

/*
 * The nop and the end of a program as assemblers write them need no planning: they read, compute and write
 * nothing. They are a fifth of what short programs execute.
 */
static void plan_nop(struct qpu *q, struct qpu_step *s, bool end)
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

/* An operation whose result nobody takes is not computed. It consults nothing but what says which operand it
 * reads: reads may act. */
static void settle_operation(const struct qpu *q, struct qpu_step *s, struct qpu_pipe *p, uint64_t clauses,
                             bool wanted)
{
    static const uint64_t choice = UINT64_C(1) << (ALU_UNARY_OPERAND - ALU_CLAUSE_FIRST);
    if (p->source != QPU_FROM_ALU)
        return;
    s->alu_clauses |= clauses & (wanted ? q->alu_marked : choice);
    if (!wanted)
        p->source = QPU_FROM_NOTHING;
}

static void settle_operations(const struct qpu *q, struct qpu_step *s)
{
    bool add = s->add.to != QPU_TO_NOTHING || s->flags_from == QPU_FLAGS_ADD;
    bool mul = s->mul.to != QPU_TO_NOTHING || s->flags_from == QPU_FLAGS_MUL || q->tracks_mul;
    mul |= s->rotates &&
           s->flags_from; /* a rotation that is not defined takes the C flag with it, whose ever it is */
    settle_operation(q, s, &s->add, q->rules->add[s->add.opcode].clauses, add);
    settle_operation(q, s, &s->mul, q->rules->mul[s->mul.opcode].clauses, mul);
}

/*
 * Programs wait for DMA by reading address 50 for nothing. What is there then is no question: asked all the
 * same, it kept what a virtual board does with one case in sixteen from being foreseen.
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
    return (muxes >> (QPU_MUX_A + s->add.file) & 1) && s->read[s->add.file].address == s->add.index;
}

/* Which elements are written has to be known one by one; or else the result may go at once where it belongs,
 * if nobody reads that. */
static void plan_lanes(const struct qpu *q, const struct qpu_step *s, struct qpu_pipe *p, bool is_mul)
{
    bool row = (p->to == QPU_TO_REGISTER) | (p->to == QPU_TO_ACCUMULATOR),
         kept = q->tracks_old | (is_mul & q->tracks_mul);
    p->lanes = (p->cond != QPU_COND_ALWAYS) | (p->to > QPU_TO_ACCUMULATOR) | (s->both != QPU_BOTH_APART) |
               (is_mul & q->tracks_mul);
    p->direct = row & !p->lanes & !kept & (p->packs == QPU_PACKS_NOT) & (p->source == QPU_FROM_ALU) &
                !(is_mul & s->rotates);
    if (is_mul)
        p->direct &= s->add.to != QPU_TO_IO; /* which may stop the QPU before the MUL pipe writes */
    else if (p->direct && s->mul.source == QPU_FROM_ALU)
        p->direct = !mul_reads_target(s);
    p->apart = (p->to != QPU_TO_NOTHING) & !p->direct;
    if (p->direct)
        p->target = place_of(q, p->to == QPU_TO_REGISTER ? &q->file[p->file] : &q->acc, p->index);
}

/* ---- steps that only compute ---- */

static struct qpu_place operand_place(struct qpu *q, struct qpu_step *s, unsigned mux)
{
    static const struct vc4_vector element_numbers = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}};
    if (mux < QPU_MUX_A)
        return place_of(q, &q->acc, mux);
    unsigned file = mux - QPU_MUX_A;
    if (s->read[file].kind == QPU_READ_REGISTER)
        return place_of(q, &q->file[file], s->read[file].address);
    bool small = file && s->insn.class == QPU_ALU_SMALL;
    const struct vc4_vector *constant = small ? &s->immediate : file ? &q->number.value : &element_numbers;
    return (struct qpu_place){(struct vc4_vector *)(uintptr_t)constant, &q->all};
}

static void plan_places(struct qpu *q, struct qpu_step *s)
{
    bool reads = (s->read[0].kind <= QPU_READ_CONSTANT) & (s->read[1].kind <= QPU_READ_CONSTANT) &
                 !(s->unpack_a | s->unpack_r4);
    bool nothing_else =
        !(s->signals | s->no_r5 | s->rotates | s->both | s->flags_from | q->tracks_stale | q->tracks_mul);
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
    size_t i = (size_t)(s - q->step);
    uint64_t word = q->program[2 * i] | (uint64_t)q->program[2 * i + 1] << 32;
    clear(s);
    if (word == QPU_NOP_WORD || word == QPU_END_WORD) {
        plan_nop(q, s, word == QPU_END_WORD);
        return;
    }
    if (!qpu_decode(word, &s->insn) && !decode_reserved(q, s, word)) {
        s->execute = qpu_execute_reserved;
        return;
    }
    if (s->insn.class == QPU_BRANCH) {
        plan_branch(s);
        return;
    }
    if (qpu_is_alu(&s->insn))
        plan_alu(q, s);
    else
        plan_load(q, s);
    bool unknown = plan_peripherals(q, s);
    plan_both(q, s);
    if (s->insn.sf)
        plan_flags(q, s);
    settle_operations(q, s);
    plan_wanted(q, s);
    plan_lanes(q, s, &s->add, false);
    plan_lanes(q, s, &s->mul, true);
    s->keeps_old = q->tracks_old;
    s->vpm_beside = loads_tmu(s) ? reaches_vpm(s) : 0;
    s->signals = !(no_signals >> s->insn.sig & 1);
    plan_places(q, s);
    s->touches = s->writes;
    s->touches_acc = s->writes_acc;
    s->execute = unknown && q->env->checked ? qpu_execute_undefined : q->general;
}
