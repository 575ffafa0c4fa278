/* SPDX-License-Identifier: MIT */
/* The part of planning (qpu_plan.c) about results: destinations, packs, and several accesses in one
 * instruction. */
#include "model/vc4/qpu/qpu.h"

#include "model/vc4/qpu/alu/qpu_pack.h"

/* ---- destinations ---- */

/* The destination of each write address (p37 T14). Through file B, address 37 is QPU_TO_R5_B. */
static const uint8_t kinds_of_write[64] = {
    [0 ... 31] = QPU_TO_REGISTER,   [QPU_W_R0... QPU_W_R3] = QPU_TO_ACCUMULATOR,
    [QPU_W_TMU_NOSWAP] = QPU_TO_IO, [QPU_W_R5] = QPU_TO_R5_A,
    [QPU_W_INTERRUPT] = QPU_TO_IO,  [QPU_W_UNIFORMS_ADDRESS... 63] = QPU_TO_IO,
};

static bool is_accumulator(uint8_t to)
{
    return (to == QPU_TO_ACCUMULATOR) | (to == QPU_TO_R5_A) | (to == QPU_TO_R5_B);
}

static bool is_r5(const struct qpu_pipe *p)
{
    return p->to == QPU_TO_R5_A || p->to == QPU_TO_R5_B;
}

static void plan_target(const struct qpu *q, const struct qpu_insn *i, struct qpu_pipe *p, bool is_mul)
{
    unsigned address = is_mul ? i->waddr_mul : i->waddr_add;
    p->file = (uint8_t)QPU_OBSERVE(q, WRITE_FILE, p->file, is_mul, i->ws, address, i->pm, i->class);
    p->address = (uint8_t)address;
    p->to = (uint8_t)(kinds_of_write[address] + (p->file & (address == QPU_W_R5)));
    p->index = (uint8_t)(address - (is_accumulator(p->to) ? QPU_W_R0 : 0));
}

static void plan_r5(const struct qpu *q, struct qpu_step *s, struct qpu_pipe *p)
{
    if (p->to == QPU_TO_R5_A)
        s->clauses |= qpu_clause_bit(QPU_R5_BYTE_CONCAT);
    if (p->cond != QPU_COND_ALWAYS)
        s->clauses |= qpu_clause_bit(QPU_R5_COND_ELEMENT0);
    if (!qpu_has_r5(q, qpu_consult_step(q, s, QPU_ACCUMULATOR_COUNT), QPU_R5_WRITE, p->file))
        p->to = QPU_TO_NOTHING;
}

/* Marks the clauses that qpu_registers.c consults when it makes the write. */
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

/* Plans a register write of the program end instruction. */
static void plan_end_write(const struct qpu *q, struct qpu_step *s, struct qpu_pipe *p)
{
    if (p->to != QPU_TO_REGISTER)
        return;
    unsigned reading = qpu_consult_step(q, s, QPU_END_REGFILE_WRITE);
    if (reading == READING_MANUAL)
        p->packs = QPU_PACKS_JUNK;
    else if (reading == END_WRITE_LOST)
        p->to = QPU_TO_NOTHING;
}

/* Notes the registers that this pipe writes. If the next step reads them, it meets a hazard. */
static void plan_writes(struct qpu_step *s, const struct qpu_pipe *p)
{
    s->writes |= (uint64_t)(p->to == QPU_TO_REGISTER) << (32 * p->file + (p->index & 31));
    s->writes_acc = (uint8_t)(s->writes_acc | (unsigned)is_accumulator(p->to) << (p->index & 7));
}

void qpu_plan_link(const struct qpu *q, struct qpu_step *s, bool is_mul)
{
    struct qpu_pipe *p = is_mul ? &s->mul : &s->add;
    plan_target(q, &s->insn, p, is_mul);
    if (p->to != QPU_TO_NOTHING)
        s->clauses |= qpu_clause_bit(QPU_BRANCH_LINK_COND);
    p->cond = QPU_COND_ALWAYS; /* a link has no condition */
    if (p->to == QPU_TO_IO)
        plan_io_write(s, p);
    plan_writes(s, p);
}

/* ---- packs ---- */

/* Returns the kind of a pack that the step does: a colour of the MUL result, or one of regfile A. */
static uint8_t kind_of_pack(const struct qpu *q, const struct qpu_insn *i, const struct qpu_pipe *p)
{
    bool colours =
        QPU_OBSERVE(q, PACK_COLOURS, i->pm, i->pm, p->number, i->pack, p->file, p->address, p->opcode);
    return colours ? QPU_PACKS_MUL : QPU_PACKS_A;
}

static void plan_pack(const struct qpu *q, struct qpu_step *s, struct qpu_pipe *p, bool is_mul)
{
    const struct qpu_insn *i = &s->insn;
    bool file_a = !i->pm && !p->file && p->to != QPU_TO_ACCUMULATOR && p->to != QPU_TO_R5_A;
    if (i->pm ? !is_mul : !file_a)
        return;
    p->pack = i->pack;
    p->packs = kind_of_pack(q, i, p);
    if (i->pm && (i->pack < PACK_8888 || i->pack > PACK_8D)) {
        p->packs = QPU_PACKS_JUNK; /* reserved (p32 T9) */
        return;
    }
    if (i->pm && p->source == QPU_FROM_IMMEDIATE &&
        qpu_consult_step(q, s, QPU_MUL_PACK_LDI) == READING_MANUAL) {
        p->packs = QPU_PACKS_NOT;
        return;
    }
    if (i->pm && i->pack > PACK_8A && qpu_consult_step(q, s, QPU_T9_MUL_PACK_8A) == READING_MANUAL)
        p->pack = PACK_8A;
    /* PACK_8888 of the MUL pipe writes whole words */
    if (p->to == QPU_TO_IO && !(i->pm && i->pack == PACK_8888)) {
        unsigned reading = qpu_consult_step(q, s, QPU_PACK_PERIPHERAL);
        if (reading != READING_MANUAL)
            p->packs = reading == PACK_PERIPHERAL_JUNK ? QPU_PACKS_JUNK : QPU_PACKS_NOT;
    }
}

/* Does a colour pack change results of this operation? */
static bool converts(const struct qpu *q, const struct qpu_pipe *p)
{
    return p->source != QPU_FROM_ALU || p->op->float_out ||
           alu_reading(&q->rules->alu, ALU_MUL_PACK_ANY_OP) == MUL_PACK_ANY_OP_ANY;
}

/* Lets rules choose the pack mode. */
static void observe_pack(const struct qpu *q, struct qpu_step *s, struct qpu_pipe *p, bool is_mul)
{
    const struct qpu_insn *i = &s->insn;
    unsigned mode = p->packs == QPU_PACKS_A || (p->packs == QPU_PACKS_MUL && converts(q, p)) ? p->pack : 0,
             now = QPU_OBSERVE(q, PACK_MODE, mode, is_mul, i->pack, i->pm, p->opcode, p->file, p->address,
                               i->sig, p->source == QPU_FROM_ALU && p->op->float_out);
    if (now == mode || p->packs == QPU_PACKS_JUNK)
        return;
    p->pack = (uint8_t)now;
    p->packs = !now ? QPU_PACKS_NOT : kind_of_pack(q, i, p);
    p->packs_any = true;
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

void qpu_plan_result(const struct qpu *q, struct qpu_step *s, bool is_mul)
{
    struct qpu_pipe *p = is_mul ? &s->mul : &s->add;
    plan_target(q, &s->insn, p, is_mul);
    p->to = ((p->source != QPU_FROM_NOTHING) & (p->cond != QPU_COND_NEVER)) ? p->to : QPU_TO_NOTHING;
    if (is_r5(p))
        plan_r5(q, s, p);
    if (s->insn.pack && p->to)
        plan_pack(q, s, p, is_mul);
    if (p->to && qpu_wants(q, QPU_POINT_PACK_MODE))
        observe_pack(q, s, p, is_mul);
    if (p->to == QPU_TO_IO)
        plan_io_write(s, p);
    if (s->insn.sig == QPU_SIG_END || s->insn.sig == QPU_SIG_COLOUR_LOAD_END)
        plan_end_write(q, s, p);
    if (p->packs)
        add_pack_clauses(s, p);
    plan_writes(s, p);
}

/* ---- accesses in the same instruction ---- */

/* Plans what happens if both ALUs write the same accumulator or I/O register (p19). They cannot write the
 * same regfile register, because ws gives each ALU its own file. */
void qpu_plan_collision(const struct qpu *q, struct qpu_step *s)
{
    const struct qpu_pipe *a = &s->add, *m = &s->mul;
    bool same = a->to == m->to && a->index == m->index && a->to != QPU_TO_NOTHING && a->to != QPU_TO_REGISTER;
    if (same && a->to == QPU_TO_IO)
        same = qpu_write_shared(a->index);
    if (!same && !(is_r5(a) && is_r5(m)))
        return;
    s->collision = QPU_COLLISION_UNDEFINED;
    if (a->cond >= QPU_COND_ZS && (a->cond ^ m->cond) == 1) {
        static const uint8_t rules[] = {QPU_COLLISION_UNDEFINED, QPU_COLLISION_MERGES,
                                        QPU_COLLISION_ADD_ONLY};
        s->collision = rules[qpu_consult_step(q, s, QPU_INVERSE_COND_PERIPHERAL)];
    }
}

/* Does the pipe write one of these addresses, given as bits? */
static unsigned writes_one_of(const struct qpu_pipe *p, uint64_t addresses)
{
    return (p->to == QPU_TO_IO) & (unsigned)(addresses >> p->index & 1);
}

/*
 * Counts the step's accesses to peripherals. An instruction may make only one (p37): a write of the tile
 * buffer, the SFU or a TMU, a load from tile or TMU, an access to the mutex or a semaphore. But it may both
 * read and write a colour. Other clauses cover two writes of one address (inverse-cond-peripheral) and two
 * SFU results that arrive in r4 together (sfu-r4-hazard).
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

bool qpu_plan_peripherals(const struct qpu *q, struct qpu_step *s)
{
    /* Most steps have no access, or only a load. */
    bool none = (s->add.to != QPU_TO_IO) & (s->mul.to != QPU_TO_IO) & !s->may_wait;
    if (none || count_peripherals(s) < 2)
        return false;
    unsigned reading = qpu_consult_step(q, s, QPU_PERIPHERALS_IN_ONE);
    if (reading == PERIPHERALS_SFU_LOST) {
        s->add.to = qpu_writes_sfu(&s->add) ? QPU_TO_NOTHING : s->add.to;
        s->mul.to = qpu_writes_sfu(&s->mul) ? QPU_TO_NOTHING : s->mul.to;
    }
    return reading == READING_MANUAL;
}

/* Sets vpm_beside if the step loads a look-up and also accesses the VPM: it writes or reads a vector, or
 * writes a setup. */
void qpu_plan_vpm_beside(struct qpu_step *s)
{
    static const uint64_t vector = UINT64_C(1) << QPU_W_VPM,
                          setup = UINT64_C(1) << QPU_W_VPM_SETUP | UINT64_C(1) << QPU_W_DMA_ADDRESS;
    bool reads = false;
    if (s->insn.sig != QPU_SIG_LOAD_TMU0 && s->insn.sig != QPU_SIG_LOAD_TMU1)
        return;
    for (unsigned file = 0; file < 2; file++)
        reads |= s->read[file].kind == QPU_READ_IO && s->read[file].address == QPU_R_VPM;
    if (writes_one_of(&s->add, setup) | writes_one_of(&s->mul, setup))
        s->vpm_beside = 3;
    else
        s->vpm_beside = writes_one_of(&s->add, vector) | writes_one_of(&s->mul, vector) ? 1 : reads ? 2 : 0;
}
