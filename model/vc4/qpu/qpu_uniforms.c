/* SPDX-License-Identifier: MIT */
/* The stream of uniforms, which registers and look-ups take words from (p22). */
#include "model/vc4/qpu/qpu.h"

/* Stops the run at a word that it may not read. Returns false. */
static bool breach(struct qpu *q, uint32_t number)
{
    vc4_breach(q->env->limits, VC4_BREACH_UNIFORM, number, 1);
    qpu_halt(q, VC4_FAULT_MEMORY);
    return false;
}

/* Takes one word of the list or of memory. False: the QPU stopped. */
static bool next_uniform(struct qpu *q, struct qpu_uniforms *u, uint32_t *word, uint32_t *defined)
{
    *defined = UINT32_MAX;
    if (!u->in_memory) {
        uint32_t i = u->next++;
        bool there = i < u->count;
        if (!there && q->env->limits)
            return breach(q, i);
        *word = there ? u->list[i] : q->env->filler; /* what follows in memory is undefined */
        *defined = there ? UINT32_MAX : 0;
        return true;
    }
    const struct vc4_rows *m = &q->env->memory;
    uint32_t offset;
    if (!vc4_reach(q->env, u->address, 4, VC4_TAKES_UNIFORM, &offset)) {
        qpu_halt(q, VC4_FAULT_MEMORY);
        return false;
    }
    uint32_t at = offset / 4, row = at / VC4_LANES;
    u->address += 4;
    *word = m->value[row].lane[at % VC4_LANES];
    if (q->env->checked)
        *defined = m->defined[row].lane[at % VC4_LANES];
    return true;
}

bool qpu_take_uniform(struct qpu *q, uint32_t *word, uint32_t *defined)
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
            return breach(q, UINT32_MAX); /* it is undefined which word this is */
        *word = q->env->filler;
        *defined = 0;
        return true;
    }
    return next_uniform(q, from, word, defined);
}
