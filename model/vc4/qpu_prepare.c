/* SPDX-License-Identifier: MIT */
/*
 * From instruction words to steps: everything about an instruction that does
 * not depend on data, the readings of clauses included, is decided here, once
 * per run. Sources: VideoCoreIV-AG100-R p26-38; the clauses name theirs.
 */
#include "model/vc4/qpu.h"

#include "model/vc4/qpu_pack.h"
#include "model/vc4/qpu_step.h"

#include <string.h>

static const struct vc4_vector element_numbers = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}};

/* ---- the machine at rest ---- */

static void resolve(struct qpu *q, const struct profile *p)
{
    if (q->resolved && !memcmp(&q->profile, p, sizeof *p))
        return;
    q->resolved = true;
    q->profile = *p;
    alu_resolve(p, &q->rules);
    for (unsigned i = 0; i < QPU_CLAUSE_END - QPU_CLAUSE_FIRST; i++)
        q->reading[i] = p->reading[QPU_CLAUSE_FIRST + i];
}

static void give(struct qpu_value *v, uint32_t word, uint32_t defined)
{
    vector_splat(&v->value, word);
    vector_splat(&v->defined, defined);
}

static void reset(struct qpu *q, const struct qpu_setup *setup)
{
    q->env = setup->env;
    q->vpm = setup->vpm;
    q->shared = setup->shared;
    q->graphics = setup->graphics;
    q->waits = setup->waits;
    q->waiting = q->paused = q->arrives_r4 = q->arrives_r5 = false;
    q->pause = q->arrival_due = UINT64_MAX;
    q->file[0] = setup->ra;
    q->file[1] = setup->rb;
    q->acc = setup->acc;
    q->code_base = setup->code_base;
    q->count = setup->count;
    q->limit = setup->limit;
    q->uniforms = q->uniforms_before = setup->uniforms;
    q->uniforms_changed = q->ms_rev_written[0] = q->ms_rev_written[1] = UINT64_MAX;
    vector_splat(&q->zero, 0);
    vector_splat(&q->all, UINT32_MAX);
    q->flags.z = q->flags.n = q->flags.c = q->zero;
    q->flags_defined.z = q->flags_defined.n = q->flags_defined.c = q->all;
    give(&q->undefined, setup->env->filler, 0);
    give(&q->number, setup->number, UINT32_MAX);
    give(&q->ms_flags, setup->env->filler, 0);
    give(&q->rev_flag, setup->env->filler, 0);
    for (unsigned f = 0; f < 2; f++) {
        give(&q->stale[f], setup->stale[f], UINT32_MAX);
        give(&q->quad[f], setup->env->filler, 0);
    }
    give(&q->stale_mul, setup->stale_mul, UINT32_MAX);
    q->flags_touched = q->semaphores_touched = q->mutex_touched = q->interrupt_touched = q->ended = false;
    q->sfu_due = q->end_due = q->switch_due = q->last_branch = UINT64_MAX;
    q->branches = 0;
    q->now = q->event = q->clauses = 0;
    q->stop = VC4_GO;
    q->next = q->step;
    q->before = NULL;
    q->watch = NULL;
    q->general = setup->env->checked ? qpu_step_checked : qpu_step_plain;
    q->careful_until = 0;
    q->short_ways = !setup->env->checked;
}

/* ---- decoding ---- */

/* Bits 59:57 = 2, 5, 6, 7 of signal 14 stand in no table (p33): true if the reading in force runs them nevertheless. */
static bool decode_reserved(struct qpu *q, struct qpu_step *s, uint64_t word)
{
    s->clauses |= qpu_clause_bit(QPU_LDI_MODE_2_5_6_7);
    uint64_t mode = (word >> 57) & 7, partial = mode & 4 ? 4 : mode & 1;
    return qpu_reading(q, QPU_LDI_MODE_2_5_6_7) == LDI_MODE_PARTIAL && qpu_decode((word & ~(UINT64_C(7) << 57)) | partial << 57, &s->insn);
}

static bool is_alu(const struct qpu_insn *i)
{
    return i->class == QPU_ALU || i->class == QPU_ALU_SMALL;
}

/* Which operand codes an ALU really uses, as bits 0..7. */
static unsigned operands_used(const struct qpu *q, const struct alu_op *op, unsigned mux_a, unsigned mux_b)
{
    if (op->operands == 2)
        return 1U << mux_a | 1U << mux_b;
    return op->operands == 1 ? 1U << (q->rules.unary_b ? mux_b : mux_a) : 0;
}

static unsigned muxes_used(const struct qpu *q, const struct qpu_insn *i)
{
    if (!is_alu(i))
        return 0;
    return operands_used(q, &alu_add_ops[i->op_add], i->add_a, i->add_b) | operands_used(q, &alu_mul_ops[i->op_mul], i->mul_a, i->mul_b);
}

static bool reads_old_data(const struct qpu *q, const struct qpu_insn *i)
{
    unsigned used = muxes_used(q, i);
    unsigned b = i->class == QPU_ALU ? i->raddr_b : 0;
    return (used & 1U << QPU_MUX_A && i->raddr_a == 39) || (used & 1U << QPU_MUX_B && b == 39) || (i->raddr_a >= 49 && i->raddr_a <= 51) ||
           (b >= 49 && b <= 51);
}

static bool writes_mul_nop(const struct qpu_insn *i)
{
    return is_alu(i) && !i->op_mul && i->waddr_mul != 39 && i->cond_mul != QPU_COND_NEVER;
}

static void start_step(struct qpu *q, struct qpu_step *s, unsigned index)
{
    static const struct vc4_vector zero;
    struct vc4_vector *words = (struct vc4_vector *)(void *)s; /* by vectors: memset of this size costs three times as much */
    for (unsigned v = 0; v < offsetof(struct qpu_step, immediate) / sizeof zero; v++)
        words[v] = zero;
    s->address = q->code_base + 8 * index;
}

/*
 * The nop and the end of a program as assemblers write them need no planning: they read, compute and write nothing. A third of
 * what short programs consist of; leaving out their plans is worth a tenth of a run.
 */
static const uint64_t nop_word = UINT64_C(0x100009E7009E7000), end_word = UINT64_C(0x300009E7009E7000);

static void plan_nop(struct qpu *q, struct qpu_step *s, bool end)
{
    static const struct qpu_insn nop = {.class = QPU_ALU, .sig = QPU_SIG_NONE, .waddr_add = 39, .waddr_mul = 39, .raddr_a = 39, .raddr_b = 39};
    s->insn = nop;
    s->insn.sig = end ? QPU_SIG_END : QPU_SIG_NONE;
    s->careful = q->general;
    s->execute = !q->short_ways ? q->general : end ? qpu_short_end : qpu_short_nothing;
}

static void decode_all(struct qpu *q, const struct qpu_setup *setup)
{
    bool stale = qpu_reading(q, QPU_NOP_READ_STALE) == NOP_READ_STALE, mul = qpu_reading(q, QPU_MUL_NOP_WRITE) == MUL_NOP_STALE;
    unsigned rotate = qpu_reading(q, QPU_ROTATE_HAZARD_SCOPE);
    q->tracks_old = qpu_reading(q, QPU_REGFILE_HAZARD) == REGFILE_OLD || qpu_reading(q, QPU_ROTATE_R5_HAZARD) == ROTATE_R5_OLD ||
                    rotate == ROTATE_HAZARD_LOWER_OLD || rotate == ROTATE_HAZARD_OLD;
    q->tracks_stale = q->tracks_mul = false;
    for (unsigned i = 0; i < q->count; i++) {
        struct qpu_step *s = &q->step[i];
        uint64_t word = setup->program[2 * i] | (uint64_t)setup->program[2 * i + 1] << 32;
        start_step(q, s, i);
        if (word == nop_word || word == end_word) {
            plan_nop(q, s, word == end_word);
            continue;
        }
        if (!qpu_decode(word, &s->insn) && !decode_reserved(q, s, word)) {
            s->execute = s->careful = qpu_execute_reserved;
            continue;
        }
        q->tracks_stale = q->tracks_stale || (stale && is_alu(&s->insn) && reads_old_data(q, &s->insn));
        q->tracks_mul = q->tracks_mul || (mul && writes_mul_nop(&s->insn));
    }
}

/* ---- what is read ---- */

/* What stands at an address for reading, the same kind in both files (p37 T14). */
static const uint8_t kinds_of_read[64] = {
    [0 ... 31] = QPU_READ_REGISTER,
    [32] = QPU_READ_IO,
    [33 ... 34] = QPU_READ_NOTHING_THERE,
    [35] = QPU_READ_IO,
    [36 ... 37] = QPU_READ_NOTHING_THERE,
    [38] = QPU_READ_CONSTANT,
    [39] = QPU_READ_NOP,
    [40] = QPU_READ_NOTHING_THERE,
    [41 ... 42] = QPU_READ_IO,
    [43 ... 47] = QPU_READ_NOTHING_THERE,
    [48 ... 51] = QPU_READ_IO,
    [52 ... 63] = QPU_READ_NOTHING_THERE,
};

/* Reads that change something or can wait: uniform, varying, VPM, DMA wait, mutex. */
static bool read_acts(unsigned address)
{
    static const uint64_t acting = UINT64_C(1) << 32 | UINT64_C(1) << 35 | UINT64_C(1) << 48 | UINT64_C(1) << 50 | UINT64_C(1) << 51;
    return acting >> address & 1;
}

static void small_immediate(struct qpu *q, struct qpu_step *s)
{
    unsigned v = s->insn.raddr_b;
    uint32_t word = qpu_small_immediate(v);
    s->read[1].kind = QPU_READ_CONSTANT;
    if (v >= 48 && s->read[1].used) {
        s->clauses |= qpu_clause_bit(QPU_SMALL_IMM_48_63);
        unsigned reading = qpu_reading(q, QPU_SMALL_IMM_48_63);
        if (reading == READING_MANUAL)
            s->read[1].kind = QPU_READ_NOTHING_THERE;
        word = reading == SMALL_IMM_ZERO ? 0 : v - 64;
    }
    vector_splat(&s->immediate, word);
}

static void plan_read(struct qpu *q, struct qpu_step *s, unsigned file, bool used)
{
    unsigned address = file ? s->insn.raddr_b : s->insn.raddr_a;
    s->read[file].address = (uint8_t)address;
    s->read[file].used = used;
    if (file && s->insn.class == QPU_ALU_SMALL) {
        small_immediate(q, s);
    } else {
        s->read[file].kind = kinds_of_read[address];
        if (!used && read_acts(address)) {
            s->clauses |= qpu_clause_bit(QPU_RADDR_SIDE_EFFECT);
            if (qpu_reading(q, QPU_RADDR_SIDE_EFFECT) != RADDR_ALONE)
                s->read[file].kind = QPU_READ_NONE;
        } else if (!used && address == 42) {
            s->read[file].kind = QPU_READ_NONE;
        }
    }
    if (!used && (s->read[file].kind == QPU_READ_NOP || (!q->tracks_stale && !read_acts(address)) ||
                  (s->insn.class == QPU_ALU_SMALL && file && !q->tracks_stale)))
        s->read[file].kind = QPU_READ_NONE;
    if (s->read[file].kind == QPU_READ_NOP)
        s->clauses |= qpu_clause_bit(QPU_NOP_READ_STALE);
    if (s->read[file].kind == QPU_READ_IO && address == 51) {
        s->may_wait = s->insn.sig != QPU_SIG_BREAKPOINT;
        s->clauses |= qpu_clause_bit(QPU_MUTEX_READ_DATA);
    }
    if (used && address < 32 && s->read[file].kind == QPU_READ_REGISTER)
        s->reads |= UINT64_C(1) << (32 * file + address);
}

static void plan_reads(struct qpu *q, struct qpu_step *s)
{
    const struct qpu_insn *i = &s->insn;
    unsigned used = muxes_used(q, i);
    s->reads_acc = (uint8_t)(used & 0x3F);
    if (used & 1U << QPU_MUX_R5)
        s->clauses |= qpu_clause_bit(QPU_ACCUMULATOR_COUNT);
    plan_read(q, s, 0, used & 1U << QPU_MUX_A);
    plan_read(q, s, 1, used & 1U << QPU_MUX_B);
    if (i->class == QPU_ALU && s->read[0].kind == QPU_READ_IO && s->read[1].kind == QPU_READ_IO && i->raddr_a == i->raddr_b &&
        read_acts(i->raddr_a) && i->raddr_a != 50) {
        s->clauses |= qpu_clause_bit(QPU_IO_READ_BOTH_FILES);
        if (qpu_reading(q, QPU_IO_READ_BOTH_FILES) == IO_READ_ONCE)
            s->read[1].kind = QPU_READ_AS_FILE_A;
    }
    unsigned add = operands_used(q, &alu_add_ops[i->op_add], i->add_a, i->add_b), mul = operands_used(q, &alu_mul_ops[i->op_mul], i->mul_a, i->mul_b);
    s->float_view = (add & 1U << QPU_MUX_A && alu_add_ops[i->op_add].float_in) || (mul & 1U << QPU_MUX_A && alu_mul_ops[i->op_mul].float_in);
    s->unpack_a = !i->pm && used & 1U << QPU_MUX_A ? i->unpack : 0;
    s->unpack_r4 = i->pm && used & 1U << QPU_MUX_R4 ? i->unpack : 0;
}

/* ---- rotation (p20, p30 T5) ---- */

static void plan_rotation(struct qpu *q, struct qpu_step *s)
{
    const struct qpu_insn *i = &s->insn;
    if (i->class != QPU_ALU_SMALL || i->raddr_b < 48 || !i->op_mul)
        return;
    s->rotates = true;
    s->rotates_by_r5 = i->raddr_b == 48;
    s->rotation = (uint8_t)(i->raddr_b - 48);
    if (s->rotates_by_r5)
        s->clauses |= qpu_clause_bit(QPU_ACCUMULATOR_COUNT);
    unsigned used = operands_used(q, &alu_mul_ops[i->op_mul], i->mul_a, i->mul_b);
    bool accumulator = used & 0xF, other = used & (1U << QPU_MUX_R4 | 1U << QPU_MUX_R5 | 1U << QPU_MUX_A);
    s->rotate_rule = QPU_ROTATE_SPLIT; /* right for accumulators alone; a small immediate is the same in all elements */
    if (accumulator && other) {
        static const uint8_t rules[] = {QPU_ROTATE_UNDEFINED, QPU_ROTATE_SPLIT, QPU_ROTATE_ALL_IN_QUAD};
        s->clauses |= qpu_clause_bit(QPU_ROTATE_MIXED_OPERANDS);
        s->rotate_rule = rules[qpu_reading(q, QPU_ROTATE_MIXED_OPERANDS)];
    } else if (other) {
        static const uint8_t rules[] = {QPU_ROTATE_UNDEFINED, QPU_ROTATE_SPLIT, QPU_ROTATE_ALL_FULL};
        s->clauses |= qpu_clause_bit(QPU_ROTATE_NON_ACCU);
        s->rotate_rule = rules[qpu_reading(q, QPU_ROTATE_NON_ACCU)];
    }
}

/* ---- what is written ---- */

static void plan_target(struct qpu_pipe *p, unsigned address)
{
    static const uint8_t to[8] = {QPU_TO_ACCUMULATOR, QPU_TO_ACCUMULATOR, QPU_TO_ACCUMULATOR, QPU_TO_ACCUMULATOR,
                                  QPU_TO_IO,          QPU_TO_R5_A,        QPU_TO_IO,          QPU_TO_NOTHING};
    static const uint8_t index[8] = {0, 1, 2, 3, 36, 5, 38, 39};
    bool low = (address & 0x38) == 32; /* 32 to 39 */
    p->to = address < 32 ? QPU_TO_REGISTER : low ? to[address & 7] : QPU_TO_IO;
    p->index = low ? index[address & 7] : (uint8_t)address;
    if (p->to == QPU_TO_R5_A && p->file)
        p->to = QPU_TO_R5_B;
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
    if (!i->pack || p->to == QPU_TO_NOTHING || (i->pm ? !is_mul : !file_a))
        return;
    p->pack = i->pack;
    p->packs = i->pm ? QPU_PACKS_MUL : QPU_PACKS_A;
    if (i->pm && (i->pack < 3 || i->pack > 7))
        p->packs = QPU_PACKS_JUNK; /* reserved (p32 T9) */
    if (p->packs == QPU_PACKS_MUL && i->pack > 4) {
        s->clauses |= qpu_clause_bit(QPU_T9_MUL_PACK_8A);
        if (qpu_reading(q, QPU_T9_MUL_PACK_8A) == READING_MANUAL)
            p->pack = 4;
    }
    if (p->to == QPU_TO_IO) {
        static const uint8_t rules[] = {QPU_PACKS_A, QPU_PACKS_JUNK, QPU_PACKS_NOT};
        unsigned reading = qpu_reading(q, QPU_PACK_PERIPHERAL);
        s->clauses |= qpu_clause_bit(QPU_PACK_PERIPHERAL);
        if (reading != READING_MANUAL)
            p->packs = rules[reading];
    }
}

static void plan_io_write(struct qpu_step *s, const struct qpu_pipe *p)
{
    unsigned a = p->index;
    if (a == 38)
        s->clauses |= qpu_clause_bit(QPU_HOST_INT_NONZERO);
    if (a == 40 && p->file)
        s->clauses |= qpu_clause_bit(QPU_UNIF_ADDR_B);
    if ((a == 49 || a == 50) && p->cond != QPU_COND_ALWAYS)
        s->clauses |= qpu_clause_bit(QPU_COND_WRITE_PERIPHERAL);
    if (a == 52)
        s->clauses |= qpu_clause_bit(QPU_SFU_LIST);
}

static void plan_end_write(struct qpu *q, struct qpu_step *s, struct qpu_pipe *p)
{
    if (p->to != QPU_TO_REGISTER || (s->insn.sig != QPU_SIG_END && s->insn.sig != QPU_SIG_COLOUR_LOAD_END))
        return;
    unsigned reading = qpu_reading(q, QPU_END_REGFILE_WRITE);
    s->clauses |= qpu_clause_bit(QPU_END_REGFILE_WRITE);
    if (reading == READING_MANUAL)
        p->packs = QPU_PACKS_JUNK;
    else if (reading == END_WRITE_LOST)
        p->to = QPU_TO_NOTHING;
}

/* Notes what hazards the next step may stand in because of this pipe. */
void qpu_plan_writes(struct qpu_step *s, const struct qpu_pipe *p)
{
    if (p->to == QPU_TO_REGISTER)
        s->writes |= UINT64_C(1) << (32 * p->file + p->index);
    else if (p->to != QPU_TO_NOTHING && p->to != QPU_TO_IO)
        s->writes_acc = (uint8_t)(s->writes_acc | 1U << p->index);
}

static void plan_pipe(struct qpu *q, struct qpu_step *s, bool is_mul)
{
    const struct qpu_insn *i = &s->insn;
    struct qpu_pipe *p = is_mul ? &s->mul : &s->add;
    p->cond = is_mul ? i->cond_mul : i->cond_add;
    p->file = is_mul ? !i->ws : i->ws;
    if (is_alu(i) && !(is_mul ? i->op_mul : i->op_add) && !(is_mul && writes_mul_nop(i)))
        return; /* a nop: QPU_FROM_NOTHING, QPU_TO_NOTHING */
    p->source = QPU_FROM_IMMEDIATE;
    if (is_alu(i)) {
        p->opcode = is_mul ? i->op_mul : i->op_add;
        p->mux_a = is_mul ? i->mul_a : i->add_a;
        p->mux_b = is_mul ? i->mul_b : i->add_b;
        p->op = is_mul ? &alu_mul_ops[p->opcode] : &alu_add_ops[p->opcode];
        p->kernel = is_mul ? alu_mul_kernel(&q->rules, p->opcode) : alu_add_kernel(&q->rules, p->opcode);
        p->source = !p->opcode ? QPU_FROM_NOTHING : p->op->name ? QPU_FROM_ALU : QPU_FROM_RESERVED;
        if (is_mul && writes_mul_nop(i)) {
            s->clauses |= qpu_clause_bit(QPU_MUL_NOP_WRITE);
            if (qpu_reading(q, QPU_MUL_NOP_WRITE) == MUL_NOP_STALE)
                p->source = QPU_FROM_STALE;
        }
    }
    plan_target(p, is_mul ? i->waddr_mul : i->waddr_add);
    if (p->source == QPU_FROM_NOTHING || p->cond == QPU_COND_NEVER)
        p->to = QPU_TO_NOTHING;
    if (p->to == QPU_TO_R5_A || p->to == QPU_TO_R5_B)
        plan_r5(q, s, p);
    plan_pack(q, s, p, is_mul);
    if (p->to == QPU_TO_IO)
        plan_io_write(s, p);
    plan_end_write(q, s, p);
    qpu_plan_writes(s, p);
}

/* Both ALUs to one accumulator or I/O register (p19). Register files cannot meet: ws gives each ALU its own. */
static void plan_both(struct qpu *q, struct qpu_step *s)
{
    const struct qpu_pipe *a = &s->add, *m = &s->mul;
    bool same = a->to == m->to && a->index == m->index && a->to != QPU_TO_NOTHING && a->to != QPU_TO_REGISTER;
    if (same && a->to == QPU_TO_IO)
        same = qpu_write_shared(a->index);
    same = same || ((a->to == QPU_TO_R5_A || a->to == QPU_TO_R5_B) && (m->to == QPU_TO_R5_A || m->to == QPU_TO_R5_B));
    if (!same)
        return;
    s->both = QPU_BOTH_UNDEFINED;
    if (a->cond >= QPU_COND_ZS && (a->cond ^ m->cond) == 1) {
        static const uint8_t rules[] = {QPU_BOTH_UNDEFINED, QPU_BOTH_MERGE, QPU_BOTH_ADD_ONLY};
        s->clauses |= qpu_clause_bit(QPU_INVERSE_COND_PERIPHERAL);
        s->both = rules[qpu_reading(q, QPU_INVERSE_COND_PERIPHERAL)];
    }
}

/* Which ALU sets the flags, and in which elements (p27 T1, p28). */
static void plan_flags(struct qpu *q, struct qpu_step *s)
{
    const struct qpu_insn *i = &s->insn;
    if (!i->sf)
        return;
    bool add = s->add.source != QPU_FROM_NOTHING;
    if (add && i->cond_add == QPU_COND_NEVER) {
        s->clauses |= qpu_clause_bit(QPU_SF_NEVER);
        add = qpu_reading(q, QPU_SF_NEVER) == SF_NOP_ONLY;
    }
    const struct qpu_pipe *p = add ? &s->add : &s->mul;
    if (p->source == QPU_FROM_NOTHING || p->source == QPU_FROM_STALE)
        return;
    s->flags_from = add ? QPU_FLAGS_ADD : QPU_FLAGS_MUL;
    s->flags_all = p->cond == QPU_COND_ALWAYS;
    if (!s->flags_all) {
        s->clauses |= qpu_clause_bit(QPU_SF_PER_ELEMENT);
        s->flags_all = qpu_reading(q, QPU_SF_PER_ELEMENT) == READING_MANUAL;
    }
    if (!is_alu(i)) {
        s->clauses |= qpu_clause_bit(QPU_LDI_OP_TEXT);
        s->flags_keep_c = qpu_reading(q, QPU_LDI_OP_TEXT) == READING_MANUAL;
    }
}

/* ---- the other classes ---- */

static void plan_immediate(struct qpu_step *s)
{
    const struct qpu_insn *i = &s->insn;
    for (unsigned e = 0; e < VC4_LANES; e++) {
        uint32_t high = (i->immediate >> (16 + e)) & 1, low = (i->immediate >> e) & 1;
        s->immediate.lane[e] = i->class == QPU_LDI_SIGNED ? low - 2 * high : i->class == QPU_LDI_UNSIGNED ? low + 2 * high : i->immediate;
    }
    if (i->class != QPU_SEMAPHORE)
        return;
    s->may_wait = true;
    if (i->cond_add == QPU_COND_NEVER && i->cond_mul == QPU_COND_NEVER)
        s->clauses |= qpu_clause_bit(QPU_SEMA_COND_NEVER);
    if (s->flags_from || s->add.to || s->mul.to)
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
        qpu_plan_writes(s, p);
    }
    s->execute = s->careful = qpu_execute_branch;
}

/* ---- the short way ---- */

static struct vc4_vector *target_row(struct qpu *q, const struct qpu_pipe *p)
{
    return p->to == QPU_TO_REGISTER ? &q->file[p->file].value[p->index] : &q->acc.value[p->index];
}

static const struct vc4_vector *operand_row(struct qpu *q, const struct qpu_step *s, unsigned mux)
{
    if (mux <= QPU_MUX_R5)
        return &q->acc.value[mux];
    unsigned file = mux == QPU_MUX_B;
    switch ((enum qpu_read)s->read[file].kind) {
    case QPU_READ_REGISTER:
        return &q->file[file].value[s->read[file].address];
    case QPU_READ_CONSTANT:
        return file && s->insn.class == QPU_ALU_SMALL ? &s->immediate : file ? &q->number.value : &element_numbers;
    default:
        return &q->zero;
    }
}

static bool short_read(const struct qpu_step *s, unsigned file)
{
    return s->read[file].kind == QPU_READ_NONE || s->read[file].kind == QPU_READ_REGISTER || s->read[file].kind == QPU_READ_CONSTANT;
}

static bool short_pipe(const struct qpu_pipe *p)
{
    return p->to <= QPU_TO_ACCUMULATOR && !p->packs && p->source <= QPU_FROM_IMMEDIATE;
}

static bool takes_short_way(const struct qpu *q, const struct qpu_step *s)
{
    bool five = q->reading[QPU_ACCUMULATOR_COUNT - QPU_CLAUSE_FIRST] == ACCUMULATORS_FIVE && s->reads_acc & 0x20;
    bool signal = s->insn.sig == QPU_SIG_NONE || s->insn.sig == QPU_SIG_SMALL_IMMEDIATE || s->insn.sig == QPU_SIG_LOAD_IMMEDIATE;
    bool hazard = s != q->step && s->reads & (s - 1)->writes;
    return signal && !hazard && !five && !s->rotates && !s->unpack_a && !s->unpack_r4 && !s->both && !q->tracks_stale && !q->tracks_mul &&
           !q->tracks_old && short_read(s, 0) && short_read(s, 1) && short_pipe(&s->add) && short_pipe(&s->mul) && s->insn.class != QPU_SEMAPHORE;
}

static void aim_pipe(struct qpu *q, struct qpu_step *s, struct qpu_pipe *p, struct vc4_vector *scratch)
{
    p->a = operand_row(q, s, p->mux_a);
    p->b = operand_row(q, s, p->mux_b);
    p->target = p->to ? target_row(q, p) : scratch;
    p->out = scratch;
}

static bool is_operand(const struct qpu_step *s, const struct vc4_vector *v)
{
    return v == s->add.a || v == s->add.b || v == s->mul.a || v == s->mul.b;
}

static void choose_short_way(struct qpu *q, struct qpu_step *s)
{
    if (!is_alu(&s->insn)) {
        s->add.target = s->add.to ? target_row(q, &s->add) : &q->add.value;
        s->mul.target = s->mul.to ? target_row(q, &s->mul) : &q->mul.value;
        bool always = !s->flags_from && (!s->add.to || s->add.cond == QPU_COND_ALWAYS) && (!s->mul.to || s->mul.cond == QPU_COND_ALWAYS);
        if (always)
            s->execute = qpu_short_load;
        return;
    }
    bool add = s->add.source == QPU_FROM_ALU && (s->add.to || s->flags_from == QPU_FLAGS_ADD);
    bool mul = s->mul.source == QPU_FROM_ALU && (s->mul.to || s->flags_from == QPU_FLAGS_MUL);
    aim_pipe(q, s, &s->add, &q->add.value);
    aim_pipe(q, s, &s->mul, &q->mul.value);
    bool always = (!add || s->add.cond == QPU_COND_ALWAYS) && (!mul || s->mul.cond == QPU_COND_ALWAYS);
    if (always && add && !is_operand(s, s->add.target)) /* kernels must not write what they read */
        s->add.out = s->add.target;
    if (always && mul && !is_operand(s, s->mul.target))
        s->mul.out = s->mul.target;
    static qpu_execute *const ways[2][2][2] = {
        /* by flags, add, mul */
        {{qpu_short_nothing, qpu_short_mul}, {qpu_short_add, qpu_short_add_mul}},
        {{qpu_short_any, qpu_short_mul_flags}, {qpu_short_add_flags, qpu_short_both_flags}},
    };
    s->execute = always ? ways[s->flags_from != QPU_FLAGS_KEEP][add][mul] : qpu_short_any;
}

/* ---- all together ---- */

static void plan_step(struct qpu *q, struct qpu_step *s)
{
    if (s->execute)
        return;
    if (s->insn.class == QPU_BRANCH) {
        plan_branch(s);
        return;
    }
    if (is_alu(&s->insn)) {
        plan_reads(q, s);
        plan_rotation(q, s);
    }
    plan_pipe(q, s, false);
    plan_pipe(q, s, true);
    plan_both(q, s);
    plan_flags(q, s);
    if (!is_alu(&s->insn))
        plan_immediate(s);
    s->keeps_old = q->tracks_old;
    s->execute = s->careful = q->general;
    if (q->short_ways && takes_short_way(q, s))
        choose_short_way(q, s);
}

void qpu_prepare(struct qpu *q, const struct qpu_setup *setup)
{
    resolve(q, setup->env->profile);
    reset(q, setup);
    decode_all(q, setup);
    for (unsigned i = 0; i < q->count; i++)
        plan_step(q, &q->step[i]);
    start_step(q, &q->step[q->count], q->count);
    q->step[q->count].execute = q->step[q->count].careful = qpu_execute_outside;
}
