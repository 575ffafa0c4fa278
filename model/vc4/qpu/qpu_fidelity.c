/* SPDX-License-Identifier: MIT */
/*
 * What a step's results were worth (model/core/fidelity.h), in checked runs. The
 * masks say which bits are defined; here it is kept of which registers an SFU's
 * or a filter's tolerance is the reason why some are not. A word of memory or
 * of the VPM that was ever written with such bits makes all of them suspect:
 * where the reason stands there matters too little to keep it by word.
 */
#include "model/vc4/qpu/qpu.h"

enum { ACC_R4 = 1 << 4, FIRST_SFU = 52, LAST_SFU = 55, VPM_DATA = 48 };

/* Every bit that a pipe brings to the elements whose condition holds is defined, and nobody doubts which
 * elements these are. */
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

/* Something within a tolerance went into the step. */
static bool reads_inexact(const struct qpu *q, const struct qpu_step *s)
{
    bool from_vpm = s->read[0].kind == QPU_READ_IO && s->read[0].address == VPM_DATA;
    from_vpm = from_vpm || (s->read[1].kind == QPU_READ_IO && s->read[1].address == VPM_DATA);
    return (s->reads & q->inexact) || (s->reads_acc & q->inexact_acc) || (from_vpm && q->inexact_memory) ||
           (q->inexact_flags && (is_conditional(&s->add) || is_conditional(&s->mul)));
}

/* Where the pipe's result stands now. `why`: a tolerance is the reason for what is not complete. */
static void note_target(struct qpu *q, const struct qpu_pipe *p, bool complete, bool why)
{
    bool sfu = p->to == QPU_TO_IO && p->index >= FIRST_SFU && p->index <= LAST_SFU;
    bool address =
        p->to == QPU_TO_IO && (p->index == 40 || p->index == 49 || p->index == 50 || p->index >= 56);
    uint64_t bit = p->to == QPU_TO_REGISTER ? UINT64_C(1) << (32 * p->file + p->index) : 0;
    bool accumulator = p->to != QPU_TO_REGISTER && p->to != QPU_TO_IO && p->to != QPU_TO_NOTHING;
    uint8_t acc = (uint8_t)(sfu ? ACC_R4 : accumulator ? 1U << p->index : 0U);
    if (sfu || (!complete && why)) {
        q->inexact |= bit;
        q->inexact_acc |= acc;
        q->inexact_memory |= p->to == QPU_TO_IO && p->index == VPM_DATA;
    } else if (p->cond == QPU_COND_ALWAYS) {
        q->inexact &= ~bit;
        q->inexact_acc &= (uint8_t)~acc;
    }
    q->fidelity.to_address |= address && !complete;
}

/* Of what a look-up gave, on its way to r4; true: a tolerance is on it. */
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
        bool complete = m ? is_complete(p, &q->mul, mul_defined) : is_complete(p, &q->add, add_defined),
             sfu = p->to == QPU_TO_IO && p->index >= FIRST_SFU && p->index <= LAST_SFU;
        note_target(q, p, complete, why);
        missing |= !complete;
        tolerance |= sfu;
    }
    if (s->flags_from) {
        bool complete = flags_complete(q);
        q->inexact_flags = !complete && (why || q->inexact_flags);
        missing |= !complete && (s->flags_all || !q->inexact_flags);
    }
    if (q->arrives_r4) /* a look-up's result, with a filter's tolerance on it */
        tolerance |= account_arrival(q);
    q->fidelity.exact += !missing && !tolerance;
    q->fidelity.tolerance += (missing && why) || (!missing && tolerance);
    q->fidelity.undefined += missing && !why;
}

/* A branch: `cond` looks at one flag of all elements. */
void qpu_account_branch(struct qpu *q, const struct qpu_step *s)
{
    const struct vc4_vector *const flag[] = {&q->flags_defined.z, &q->flags_defined.n, &q->flags_defined.c};
    uint32_t known = UINT32_MAX;
    for (unsigned i = 0; s->insn.cond_br < 12 && i < VC4_LANES; i++)
        known &= flag[s->insn.cond_br / 4]->lane[i];
    q->fidelity.to_control |= known != UINT32_MAX;
    q->fidelity.exact++;
}

/* The last step: one that stopped was not counted. */
void qpu_account_end(struct qpu *q)
{
    const struct qpu_step *last = q->next - 1;
    bool undefined = q->stop == VC4_FAULT_UNDEFINED, branch = undefined && last->insn.class == QPU_BRANCH;
    bool two = undefined && last->clauses & qpu_clause_bit(QPU_PERIPHERALS_IN_ONE),
         beside = undefined && last->vpm_beside;
    bool forbidden =
        (two && qpu_reading(q, QPU_PERIPHERALS_IN_ONE) ==
                    READING_MANUAL) || /* then nothing is known of it, whatever the values */
        (beside && reading_of(q->env->profile, VPM_CLAUSE_CONCURRENT) == VPM_CONCURRENT_UNDEFINED);
    q->fidelity.unsupported += q->stop == VC4_FAULT_UNSUPPORTED || vc4_unspecified[q->stop];
    q->fidelity.undefined += undefined;
    q->fidelity.to_control |= branch;
    q->fidelity.to_address |= undefined && !branch && !forbidden;
}
