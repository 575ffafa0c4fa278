/* SPDX-License-Identifier: MIT */
/* The stream of uniforms (p22). Reads of the uniform register and writes of TMU registers take its words. */
#include "model/vc4/qpu/qpu.h"

/* Reports a uniform that the run may not read, and stops the QPU. Returns false. */
static bool breach(struct qpu *q, uint32_t number)
{
    vc4_breach(q->env->limits, VC4_BREACH_UNIFORM, number, 1);
    qpu_halt(q, VC4_FAULT_MEMORY);
    return false;
}

/* Takes one word of the list or of memory. False: the QPU stopped. */
static bool next_uniform(struct qpu *q, struct qpu_uniforms *u, bool for_tmu, uint32_t *word,
                         uint32_t *defined)
{
    const struct qpu_insn *insn = &q->before->insn;
    bool both = insn->class == QPU_ALU && insn->raddr_a == QPU_R_UNIFORM && insn->raddr_b == QPU_R_UNIFORM;
    uint32_t place = u->in_memory ? u->address : u->next, step;
    place = QPU_OBSERVE(q, UNIFORM_PLACE, place, u->in_memory, for_tmu, both);
    step = QPU_OBSERVE(q, UNIFORM_STEP, 1, u->in_memory, for_tmu, both, place);
    *defined = UINT32_MAX;
    if (!u->in_memory) {
        uint32_t i = place;
        u->next = QPU_OBSERVE(q, UNIFORM_NEXT, i + step, false, for_tmu, both, place, step);
        bool there = i < u->count;
        if (!there && q->env->limits)
            return breach(q, i);
        if (there)
            i = QPU_OBSERVE(q, UNIFORM_SOURCE, i, i, u->count, for_tmu, both);
        *word =
            there && i < u->count ? u->list[i] : q->env->filler; /* the words after the list are undefined */
        *word = QPU_OBSERVE(q, UNIFORM_VALUE, *word, false, for_tmu, both, place);
        *defined = there ? UINT32_MAX : 0;
        return true;
    }
    const struct vc4_rows *m = &q->env->memory;
    uint32_t offset;
    if (!vc4_reach(q->env, place, 4, VC4_TAKES_UNIFORM, &offset)) {
        qpu_halt(q, VC4_FAULT_MEMORY);
        return false;
    }
    uint32_t at = offset / 4;
    const uint32_t now = QPU_OBSERVE(q, UNIFORM_MEMORY_WORD, at, place, offset);
    at = now < m->rows * VC4_LANES ? now : at;
    const uint32_t row = at / VC4_LANES;
    u->address = QPU_OBSERVE(q, UNIFORM_NEXT, place + 4 * step, true, for_tmu, both, place, step);
    *word = QPU_OBSERVE(q, UNIFORM_VALUE, m->value[row].lane[at % VC4_LANES], true, for_tmu, both, place);
    if (q->env->checked)
        *defined = m->defined[row].lane[at % VC4_LANES];
    return true;
}

bool qpu_take_uniform(struct qpu *q, bool for_tmu, uint32_t *word, uint32_t *defined)
{
    struct qpu_uniforms *from = &q->uniforms;
    if (q->uniforms_changed != UINT64_MAX && q->now - q->uniforms_changed <= 2) {
        unsigned reading = qpu_consult(q, QPU_UNIF_ADDR_DELAY);
        from->lost |= reading == READING_MANUAL;
        if (reading == UNIF_DELAY_OLD)
            from = &q->uniforms_before;
    }
    if (from->lost) {
        if (q->env->limits)
            return breach(q, UINT32_MAX); /* the position in the stream is undefined */
        *word = q->env->filler;
        *defined = 0;
        return true;
    }
    return next_uniform(q, from, for_tmu, word, defined);
}
