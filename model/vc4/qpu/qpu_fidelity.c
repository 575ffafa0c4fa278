/* SPDX-License-Identifier: MIT */
/*
 * Counts how exact the results of steps are (model/core/fidelity.h), in checked runs. Masks say which bits
 * are defined. This file tracks which registers have undefined bits because of the tolerance of an SFU or a
 * filter. Once a program has written such bits to memory or the VPM, every word there counts as within a
 * tolerance; tracking single words would gain too little.
 */
#include "model/vc4/qpu/qpu.h"

enum { ACC_R4 = 1 << 4 };

/* Are all bits that the pipe writes defined, and also the conditions of the elements? */
static bool is_complete(const struct qpu_pipe *p, const struct qpu_result *r,
                        const struct vc4_vector *defined)
{
    uint32_t missing = 0;
    for (unsigned i = 0; i < VC4_LANES; i++)
        missing |=
            p->lanes ? (~defined->lane[i] & r->lanes.lane[i]) | ~r->lanes_defined.lane[i] : ~defined->lane[i];
    return !missing;
}

static bool flags_complete(const struct qpu *q)
{
    uint32_t known = UINT32_MAX;
    for (unsigned i = 0; i < VC4_LANES; i++)
        known &= q->flags_defined.z.lane[i] & q->flags_defined.n.lane[i] & q->flags_defined.c.lane[i];
    return known == UINT32_MAX;
}

static bool is_conditional(const struct qpu_pipe *p)
{
    return p->to != QPU_TO_NOTHING && p->cond > QPU_COND_ALWAYS;
}

/* Does the step use a value with a tolerance? */
static bool reads_inexact(const struct qpu *q, const struct qpu_step *s)
{
    bool from_vpm = false;
    for (unsigned f = 0; f < 2; f++)
        from_vpm |= s->read[f].kind == QPU_READ_IO && s->read[f].address == QPU_R_VPM;
    return (s->reads & q->inexact) || (s->reads_acc & q->inexact_acc) || (from_vpm && q->inexact_memory) ||
           (q->inexact_flags && (is_conditional(&s->add) || is_conditional(&s->mul)));
}

/* Tracks the destination of a result. `complete`: all its bits are defined; `why`: if not, a tolerance is the
 * reason. */
static void note_target(struct qpu *q, const struct qpu_pipe *p, bool complete, bool why)
{
    bool sfu = qpu_writes_sfu(p);
    bool address = p->to == QPU_TO_IO && (p->index == QPU_W_UNIFORMS_ADDRESS || p->index == QPU_W_VPM_SETUP ||
                                          p->index == QPU_W_DMA_ADDRESS || p->index >= QPU_W_TMU0_S);
    uint64_t bit = p->to == QPU_TO_REGISTER ? UINT64_C(1) << (32 * p->file + p->index) : 0;
    bool accumulator = p->to != QPU_TO_REGISTER && p->to != QPU_TO_IO && p->to != QPU_TO_NOTHING;
    uint8_t acc = (uint8_t)(sfu ? ACC_R4 : accumulator ? 1U << p->index : 0U);
    if (sfu || (!complete && why)) {
        q->inexact |= bit;
        q->inexact_acc |= acc;
        q->inexact_memory |= p->to == QPU_TO_IO && p->index == QPU_W_VPM;
    } else if (p->cond == QPU_COND_ALWAYS) {
        q->inexact &= ~bit;
        q->inexact_acc &= (uint8_t)~acc;
    }
    q->fidelity.to_address |= address && !complete;
}

/* Tracks a look-up's result, which will arrive in r4. Returns true if the result has a tolerance. */
static bool account_arrival(struct qpu *q)
{
    uint32_t known = UINT32_MAX;
    for (unsigned i = 0; i < VC4_LANES; i++)
        known &= q->arriving_r4.defined.lane[i];
    q->inexact_acc = (uint8_t)(known == UINT32_MAX ? q->inexact_acc & ~ACC_R4 : q->inexact_acc | ACC_R4);
    return known != UINT32_MAX;
}

void qpu_account(struct qpu *q, const struct qpu_step *s, const struct vc4_vector *add_defined,
                 const struct vc4_vector *mul_defined)
{
    bool why = reads_inexact(q, s), tolerance = false, missing = false;
    for (unsigned m = 0; m < 2; m++) {
        const struct qpu_pipe *p = m ? &s->mul : &s->add;
        if (p->to == QPU_TO_NOTHING)
            continue;
        bool complete = m ? is_complete(p, &q->mul, mul_defined) : is_complete(p, &q->add, add_defined);
        note_target(q, p, complete, why);
        missing |= !complete;
        tolerance |= qpu_writes_sfu(p);
    }
    if (s->flags_from) {
        bool complete = flags_complete(q);
        q->inexact_flags = !complete && (why || q->inexact_flags);
        missing |= !complete && (s->flags_all || !q->inexact_flags);
    }
    if (q->r4_due != UINT64_MAX)
        tolerance |= account_arrival(q);
    q->fidelity.exact += !missing && !tolerance;
    q->fidelity.tolerance += (missing && why) || (!missing && tolerance);
    q->fidelity.undefined += missing && !why;
}

void qpu_account_branch(struct qpu *q, const struct qpu_step *s)
{
    uint32_t known = UINT32_MAX;
    for (unsigned i = 0; s->insn.cond_br < 12 && i < VC4_LANES; i++)
        known &= alu_flag(&q->flags_defined, s->insn.cond_br / 4)->lane[i];
    q->fidelity.to_control |= known != UINT32_MAX;
    q->fidelity.exact++;
}

/* Counts the step that stopped the QPU. qpu_account counts only steps that complete. */
void qpu_account_end(struct qpu *q)
{
    const struct qpu_step *last = q->next - 1;
    bool undefined = q->stop == VC4_FAULT_UNDEFINED, branch = undefined && last->insn.class == QPU_BRANCH;
    bool two = undefined && last->clauses & qpu_clause_bit(QPU_PERIPHERALS_IN_ONE),
         beside = undefined && last->vpm_beside;
    /* the combination of accesses is undefined, whatever the values */
    bool forbidden =
        (two && qpu_reading(q, QPU_PERIPHERALS_IN_ONE) == READING_MANUAL) ||
        (beside && reading_of(q->env->profile, VPM_CLAUSE_CONCURRENT) == VPM_CONCURRENT_UNDEFINED);
    q->fidelity.unsupported += q->stop == VC4_FAULT_UNSUPPORTED || vc4_unspecified[q->stop];
    q->fidelity.undefined += undefined;
    q->fidelity.to_control |= branch;
    q->fidelity.to_address |= undefined && !branch && !forbidden;
}
