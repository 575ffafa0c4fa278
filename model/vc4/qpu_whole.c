/* SPDX-License-Identifier: MIT */
/*
 * The short way of checked runs. A step whose operands are defined to the last
 * bit gives results that are: no mask has to be computed, and it may take the
 * short way of plain runs. Which registers are whole is kept here, found out
 * when first asked for, and forgotten where the general way leaves doubt. Of
 * operands of a conditional step only those elements count that it writes. A
 * tight loop is fifteen times faster for it.
 */
#include "model/vc4/qpu.h"

#include "model/vc4/alu_clauses.h"

static bool row_is_whole(const struct qpu *q, const struct vc4_vector *defined)
{
    return q->rules->alu.tools->is_full(defined, defined, &q->all, 0);
}

/* Looks at those registers of `need` that are not known to be whole; true if all are. */
static bool find_whole(struct qpu *q, uint64_t need, unsigned need_acc)
{
    for (uint64_t left = need & ~q->whole; left; left &= left - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(left);
        if (!row_is_whole(q, &q->file[bit / 32].defined[bit % 32]))
            return false;
        q->whole |= left & (0 - left);
    }
    for (unsigned left = need_acc & ~(unsigned)q->whole_acc; left; left &= left - 1) {
        if (!row_is_whole(q, &q->acc.defined[__builtin_ctz(left)]))
            return false;
        q->whole_acc |= (uint8_t)(left & (0 - left));
    }
    return true;
}

static bool flags_are_whole(struct qpu *q)
{
    if (!q->whole_flags)
        q->whole_flags = row_is_whole(q, &q->flags_defined.z) && row_is_whole(q, &q->flags_defined.n) && row_is_whole(q, &q->flags_defined.c);
    return q->whole_flags;
}

/* What the pair's operands must keep to, so that it consults nothing that is not known to be marked. */
static void choose_limits(const struct qpu *q, struct qpu_step *s)
{
    uint64_t open[2] = {s->may_cover[0] & ~q->alu_covered, s->may_cover[1] & ~q->alu_covered};
    s->work.limits[0] = alu_limits(open[0] & s->at_edge[0]);
    s->work.limits[1] = alu_limits(open[1] & s->at_edge[1]);
    bool others = (open[0] & ~s->at_edge[0]) | (open[1] & ~s->at_edge[1]);
    s->all.covered = others ? ~q->alu_covered : q->alu_covered;
}

/* Plans what has to be whole: operands, the targets of conditional writes (the rest of them stays), flags that are looked at. */
void qpu_plan_whole(const struct qpu *q, struct qpu_step *s)
{
    const struct qpu_operation *add = &q->rules->add[s->add.opcode], *mul = &q->rules->mul[s->mul.opcode];
    bool add_flags = s->flags_from == QPU_FLAGS_ADD, mul_flags = s->flags_from == QPU_FLAGS_MUL;
    s->may_cover[0] = s->add.source == QPU_FROM_ALU ? add->clauses | (add_flags ? add->flag_clauses : 0) : 0;
    s->may_cover[1] = s->mul.source == QPU_FROM_ALU ? mul->clauses | (mul_flags ? mul->flag_clauses : 0) : 0;
    /* A pair leaves out an operation whose result goes nowhere, and does not look at its operands. */
    s->at_edge[0] = s->may_cover[0] && (s->add.to || add_flags) ? alu_edge_clauses(s->add.op) : 0;
    s->at_edge[1] = s->may_cover[1] && (s->mul.to || mul_flags) ? alu_edge_clauses(s->mul.op) : 0;
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
    s->by_elements = s->quiet && s->needs_flags && !s->rotates;
    s->all.registers = s->needs | s->writes;
    s->all.acc = s->needs_acc | s->writes_acc;
    s->all.flags = s->needs_flags;
    choose_limits(q, s);
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
    if (!open)
        return;
    bool floats = (is_mul ? &s->mul : &s->add)->op->float_in;
    if (floats && !(open & ~s->at_edge[is_mul]) && alu->tools->ordinary(w->a, w->b))
        return;
    bool flags = s->flags_from == (is_mul ? QPU_FLAGS_MUL : QPU_FLAGS_ADD);
    (is_mul ? alu_cover_mul : alu_cover_add)(alu, is_mul ? s->mul.opcode : s->add.opcode, w->a, w->b, flags, q->env->coverage);
    for (uint64_t left = open; left; left &= left - 1) {
        unsigned clause = (unsigned)__builtin_ctzll(left);
        q->alu_covered |= (uint64_t)covered(q->env->coverage, ALU_CLAUSE_FIRST + clause) << clause;
    }
}

/* Both pipes, and what they consult. */
static void compute(struct qpu *q, struct qpu_step *s)
{
    if (s->quiet) {
        if (s->all.covered != q->alu_covered)
            choose_limits(q, s);
        if (s->rotates_by_r5)
            s->work.guard.from = alu_rotation(q->acc.value[5].lane[0], s->rotates_in_quads);
        if (s->all.covered == q->alu_covered && s->compute(&q->rules->alu, &s->work))
            return;
        s->work.limits[0] = s->work.limits[1] = alu_limits(0);
        s->all.covered = ~q->alu_covered;
    }
    cover_pipe(q, s, false);
    cover_pipe(q, s, true);
    s->quick(q, s);
}

/* ---- conditions that hide what is not whole ---- */

static const struct vc4_vector *operand_mask(const struct qpu *q, const struct qpu_step *s, unsigned mux)
{
    if (mux < QPU_MUX_A)
        return &q->acc.defined[mux];
    unsigned file = mux - QPU_MUX_A;
    return s->read[file].kind == QPU_READ_REGISTER ? &q->file[file].defined[s->read[file].address] : &q->all;
}

/* Are the operands of this pipe defined in the elements whose condition holds? */
static bool elements_are_whole(const struct qpu *q, const struct qpu_step *s, bool is_mul)
{
    const struct qpu_pipe *p = is_mul ? &s->mul : &s->add;
    if (p->to == QPU_TO_NOTHING)
        return true;
    const struct vc4_vector *a = operand_mask(q, s, p->mux_a), *b = operand_mask(q, s, p->mux_b);
    return q->rules->alu.tools->is_full(a, b, s->work.guard.lanes[is_mul], s->work.guard.invert[is_mul]);
}

/* What the pipe wrote is whole now in these elements. */
static void make_elements_whole(struct qpu *q, const struct qpu_step *s, bool is_mul)
{
    const struct qpu_pipe *p = is_mul ? &s->mul : &s->add;
    if (p->to == QPU_TO_NOTHING)
        return;
    const struct vc4_rows *rows = p->to == QPU_TO_REGISTER ? &q->file[p->file] : &q->acc;
    q->rules->alu.tools->select(&q->all, s->work.guard.lanes[is_mul], s->work.guard.invert[is_mul], &rows->defined[p->index]);
    if (p->cond != QPU_COND_ALWAYS)
        return;
    uint64_t bit = p->to == QPU_TO_REGISTER ? UINT64_C(1) << (32 * p->file + p->index) : 0;
    uint8_t acc = (uint8_t)(p->to == QPU_TO_REGISTER ? 0 : 1U << p->index);
    q->whole |= bit;
    q->whole_acc |= acc;
    q->inexact &= ~bit;
    q->inexact_acc &= (uint8_t)~acc;
}

/* ---- the step ---- */

/* What the step was worth (qpu_fidelity.c). */
static void count(struct qpu *q)
{
    if (q->stop)
        return;
    bool tolerance = q->arrives_r4 && qpu_account_arrival(q);
    q->fidelity.exact += !tolerance;
    q->fidelity.tolerance += tolerance;
}

/* Most steps of most programs: what was whole stays so. */
void qpu_execute_quiet(struct qpu *q, struct qpu_step *s)
{
    bool known = !(s->all.registers & ~q->whole) & !(s->all.acc & ~(unsigned)q->whole_acc) & !(s->all.flags & !q->whole_flags);
    if (known && s->all.covered == q->alu_covered && s->compute(&q->rules->alu, &s->work))
        q->fidelity.exact++;
    else
        qpu_execute_whole(q, s);
}

void qpu_execute_whole(struct qpu *q, struct qpu_step *s)
{
    bool whole = !(s->needs & ~q->whole) && !(s->needs_acc & ~(unsigned)q->whole_acc);
    whole = (whole || find_whole(q, s->needs, s->needs_acc)) && (!s->needs_flags || flags_are_whole(q));
    if (!whole && !(s->by_elements && flags_are_whole(q) && elements_are_whole(q, s, false) && elements_are_whole(q, s, true))) {
        s->careful(q, s);
        return;
    }
    if (s->loads)
        qpu_signal(q, s);
    if (q->stop)
        return;
    compute(q, s);
    if (!whole) {
        make_elements_whole(q, s, false);
        make_elements_whole(q, s, true);
    } else if (!q->stop || s->mul.to == QPU_TO_IO) { /* else the ADD pipe's write to an I/O register was the last */
        make_whole(q, s);
    }
    count(q);
}

/* What asks nothing of masks. */
void qpu_execute_exact(struct qpu *q, struct qpu_step *s)
{
    s->quick(q, s);
    q->fidelity.exact += !q->stop;
}
