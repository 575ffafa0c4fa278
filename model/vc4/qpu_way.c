/* SPDX-License-Identifier: MIT */
/*
 * Which of the short ways (qpu_run.c) a planned step takes that may
 * take one: by what it computes, under which conditions, and where the results
 * go. Without branches that no host foresees, as in qpu_plan.c.
 */
#include "model/vc4/qpu.h"

static struct alu_pipe aim_pipe(struct qpu *q, struct qpu_pipe *p, const struct vc4_vector *const operand[8], struct vc4_vector *apart)
{
    struct vc4_vector *rows = p->to == QPU_TO_REGISTER ? q->file[p->file].value : q->acc.value;
    bool is_row = (p->to == QPU_TO_REGISTER) | (p->to == QPU_TO_ACCUMULATOR);
    p->target = is_row ? &rows[p->index] : apart;
    return (struct alu_pipe){operand[p->mux_a], operand[p->mux_b], p->cond == QPU_COND_ALWAYS ? p->target : apart};
}

/* Conditions, and a constant rotation, as the guarded pairs have them. */
static void guard(struct qpu *q, struct qpu_step *s)
{
    const struct vc4_vector *const lanes[] = {&q->zero, &q->flags.z, &q->flags.n, &q->flags.c}; /* by condition (p28 T2) */
    for (unsigned m = 0; m < 2; m++) {
        unsigned cond = m ? s->mul.cond : s->add.cond;
        s->work.guard.lanes[m] = lanes[cond / 2];
        s->work.guard.invert[m] = 0 - (cond & 1);
    }
    s->work.guard.from = alu_rotation(s->rotation, s->rotates_in_quads);
    s->work.add.result = s->add.target;
    s->work.mul.result = s->mul.target;
    s->execute = s->rotates_by_r5 ? qpu_short_turned_pair : qpu_short_pair;
    s->pair = s->rotates_by_r5 ? NULL : s->compute;
}

/* `io`: results go to I/O registers, and only in this order, since the first write may stop the QPU. */
static void choose_short_way(struct qpu *q, struct qpu_step *s, bool io)
{
    const struct vc4_vector *r = q->acc.value, *const operand[8] = {r, r + 1, r + 2, r + 3, r + 4, r + 5, s->read[0].row, s->read[1].row};
    s->work.add = aim_pipe(q, &s->add, operand, &q->add.value);
    s->work.mul = aim_pipe(q, &s->mul, operand, &q->mul.value);
    bool add = (s->add.source != QPU_FROM_NOTHING) & ((s->add.to != QPU_TO_NOTHING) | (s->flags_from == QPU_FLAGS_ADD));
    bool mul = (s->mul.source != QPU_FROM_NOTHING) & ((s->mul.to != QPU_TO_NOTHING) | (s->flags_from == QPU_FLAGS_MUL));
    bool always = (!add | (s->add.cond == QPU_COND_ALWAYS)) & (!mul | (s->mul.cond == QPU_COND_ALWAYS)), flags = s->flags_from != QPU_FLAGS_KEEP;
    if (io) {
        s->work.add.result = &q->add.value;
        s->work.mul.result = &q->mul.value;
    }
    if (!qpu_is_alu(&s->insn)) {
        s->execute = always && !flags ? qpu_short_load : qpu_short_any;
        return;
    }
    bool turns = s->rotates && mul, guarded = !flags && !io && (!always || turns);
    bool one_with_flags = flags && always && add != mul;
    enum alu_pair_way way = one_with_flags ? ALU_PAIR_FLAGS : !guarded ? ALU_PAIR_ALL : ALU_PAIR_GUARDED;
    s->compute = alu_pair_kernel(&q->rules->alu, way, add ? s->add.opcode : 0, mul ? s->mul.opcode : 0);
    if (one_with_flags && s->compute) {
        s->work.flags = &q->flags;
        s->execute = qpu_short_pair;
        s->pair = s->compute;
        return;
    }
    if (guarded && s->compute) {
        guard(q, s);
        return;
    }
    if (turns) {
        s->work.mul.result = &q->mul.value;
        s->execute = qpu_short_rotate;
        return;
    }
    static qpu_execute *const ways[2][2][2] = {
        /* by flags, add, mul */
        {{qpu_short_nothing, qpu_short_mul}, {qpu_short_add, qpu_short_add_mul}},
        {{qpu_short_any, qpu_short_mul_flags}, {qpu_short_add_flags, qpu_short_both_flags}},
    };
    s->execute = always ? ways[flags][add][mul] : flags ? qpu_short_any : qpu_short_conditional;
    s->pair = always && !flags ? s->compute : NULL;
}

/* Whole results to I/O registers, and none of the other things for which there is no short way. */
static bool writes_io_only(const struct qpu_step *s)
{
    bool good = !s->both && !s->flags_from;
    for (unsigned m = 0; m < 2; m++) {
        const struct qpu_pipe *p = m ? &s->mul : &s->add;
        bool io = p->to == QPU_TO_IO && p->cond == QPU_COND_ALWAYS;
        good = good && !p->packs && p->source <= QPU_FROM_IMMEDIATE && (io || p->to <= QPU_TO_ACCUMULATOR);
    }
    return good;
}

void qpu_choose_way(struct qpu *q, struct qpu_step *s)
{
    bool io = s->writes_specially && writes_io_only(s);
    if (!s->writes_specially || io)
        choose_short_way(q, s, io);
    if (s->writes_specially) {
        s->execute = io ? qpu_short_io : qpu_step_aimed;
        s->pair = NULL;
    }
    if (s->reads_io) {
        s->quick = s->pair ? qpu_short_pair : s->execute;
        s->execute = qpu_short_read;
        s->pair = NULL;
    } else if (s->loads) {
        s->quick = s->pair ? qpu_short_pair : s->execute;
        s->execute = qpu_short_signal;
        s->pair = NULL;
    } else if (q->tracks_stale) {
        s->quick = s->pair ? qpu_short_pair : s->execute;
        s->execute = qpu_short_keep;
        s->pair = NULL;
    }
}
