/* SPDX-License-Identifier: MIT */
/*
 * The short way of checked runs. A step whose operands are defined to the last
 * bit gives results that are: no mask has to be computed, and it may take the
 * short way of plain runs. Which registers are whole is kept here, found out
 * when first asked for, and forgotten where the general way leaves doubt. A
 * tight loop is ten times faster for it.
 */
#include "model/vc4/qpu.h"

#include "model/vc4/alu_clauses.h"

static bool row_is_whole(const struct vc4_vector *defined)
{
    uint32_t known = UINT32_MAX;
    for (unsigned i = 0; i < VC4_LANES; i++)
        known &= defined->lane[i];
    return known == UINT32_MAX;
}

/* Looks at those registers of `need` that are not known to be whole; true if all are. */
static bool find_whole(struct qpu *q, uint64_t need, unsigned need_acc)
{
    for (uint64_t left = need & ~q->whole; left; left &= left - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(left);
        if (!row_is_whole(&q->file[bit / 32].defined[bit % 32]))
            return false;
        q->whole |= left & (0 - left);
    }
    for (unsigned left = need_acc & ~(unsigned)q->whole_acc; left; left &= left - 1) {
        if (!row_is_whole(&q->acc.defined[__builtin_ctz(left)]))
            return false;
        q->whole_acc |= (uint8_t)(left & (0 - left));
    }
    return true;
}

static bool flags_are_whole(struct qpu *q)
{
    if (!q->whole_flags)
        q->whole_flags = row_is_whole(&q->flags_defined.z) && row_is_whole(&q->flags_defined.n) && row_is_whole(&q->flags_defined.c);
    return q->whole_flags;
}

/* Plans what has to be whole: operands, the targets of conditional writes (the rest of them stays), flags that are looked at. */
void qpu_plan_whole(const struct qpu *q, struct qpu_step *s)
{
    const struct qpu_operation *add = &q->rules->add[s->add.opcode], *mul = &q->rules->mul[s->mul.opcode];
    bool add_flags = s->flags_from == QPU_FLAGS_ADD, mul_flags = s->flags_from == QPU_FLAGS_MUL;
    s->may_cover[0] = s->add.source == QPU_FROM_ALU ? add->clauses | (add_flags ? add->flag_clauses : 0) : 0;
    s->may_cover[1] = s->mul.source == QPU_FROM_ALU ? mul->clauses | (mul_flags ? mul->flag_clauses : 0) : 0;
    s->at_edge[0] = s->may_cover[0] ? alu_edge_clauses(s->add.op) : 0;
    s->at_edge[1] = s->may_cover[1] ? alu_edge_clauses(s->mul.op) : 0;
    s->needs = s->reads;
    s->needs_acc = (uint8_t)(s->reads_acc | (unsigned)s->rotates_by_r5 << QPU_MUX_R5);
    s->needs_flags = s->flags_from && (!s->flags_all || s->flags_keep_c);
    for (unsigned m = 0; m < 2; m++) {
        const struct qpu_pipe *p = m ? &s->mul : &s->add;
        if (p->to == QPU_TO_NOTHING || p->cond == QPU_COND_ALWAYS)
            continue;
        s->needs_flags = true;
        if (p->to == QPU_TO_REGISTER)
            s->needs |= UINT64_C(1) << (32 * p->file + p->index);
        else
            s->needs_acc |= (uint8_t)(1U << p->index);
    }
}

/* What the step wrote is whole now. */
static void make_whole(struct qpu *q, const struct qpu_step *s)
{
    for (uint64_t new = s->writes & ~q->whole; new; new &= new - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(new);
        q->file[bit / 32].defined[bit % 32] = q->all;
    }
    for (unsigned new = s->writes_acc & ~(unsigned)q->whole_acc; new; new &= new - 1)
        q->acc.defined[__builtin_ctz(new)] = q->all;
    q->whole |= s->writes;
    q->whole_acc |= s->writes_acc;
    q->inexact &= ~s->writes;
    q->inexact_acc &= (uint8_t)~s->writes_acc;
    if (s->flags_from && !q->whole_flags) {
        q->flags_defined.z = q->flags_defined.n = q->flags_defined.c = q->all;
        q->whole_flags = true;
        q->inexact_flags = false;
    }
}

/*
 * Marks what this pipe's operation consults, given its operands. Most operands leave nothing to mark that is not marked already, and one
 * quick look shows it.
 */
static inline void cover_pipe(struct qpu *q, const struct qpu_step *s, bool is_mul)
{
    const struct alu_pipe *w = is_mul ? &s->work.mul : &s->work.add;
    const struct alu_rules *alu = &q->rules->alu;
    uint64_t open = s->may_cover[is_mul] & ~q->alu_covered;
    if (!open || (!(open & ~s->at_edge[is_mul]) && alu->tools->ordinary(w->a, w->b)))
        return;
    bool flags = s->flags_from == (is_mul ? QPU_FLAGS_MUL : QPU_FLAGS_ADD);
    (is_mul ? alu_cover_mul : alu_cover_add)(alu, is_mul ? s->mul.opcode : s->add.opcode, w->a, w->b, flags, q->env->coverage);
    for (uint64_t left = open; left; left &= left - 1) {
        unsigned clause = (unsigned)__builtin_ctzll(left);
        q->alu_covered |= (uint64_t)covered(q->env->coverage, ALU_CLAUSE_FIRST + clause) << clause;
    }
}

void qpu_execute_whole(struct qpu *q, struct qpu_step *s)
{
    bool whole = !(s->needs & ~q->whole) && !(s->needs_acc & ~(unsigned)q->whole_acc);
    if ((!whole && !find_whole(q, s->needs, s->needs_acc)) || (s->needs_flags && !flags_are_whole(q))) {
        s->careful(q, s);
        return;
    }
    cover_pipe(q, s, false);
    cover_pipe(q, s, true);
    s->quick(q, s);
    make_whole(q, s);
    q->fidelity.exact++;
}
