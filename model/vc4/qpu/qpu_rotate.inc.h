/* SPDX-License-Identifier: MIT */
/*
 * The rotator of the MUL pipe (p20, p30 T5; clauses rotate-*): a part of the
 * template qpu_step.inc.h, which includes it for each of its forms.
 */

/* The amount; `undefined` is set where nobody knows it. */
static unsigned QPU_NAME(rotation)(struct qpu *q, const struct qpu_step *s, const struct qpu_step *before,
                                   bool *undefined)
{
    if (!s->rotates_by_r5)
        return s->rotation;
    if (qpu_reading(q, QPU_ACCUMULATOR_COUNT) == ACCUMULATORS_FIVE)
        return 0;
    struct QPU_NAME(view) r5 = QPU_NAME(view_row)(&q->acc, 5);
    if (before->writes_acc & 0x20) {
        qpu_consult(q, QPU_ROTATE_R5_HAZARD);
        unsigned reading = qpu_reading(q, QPU_ROTATE_R5_HAZARD);
        *undefined = *undefined || reading == READING_MANUAL;
        if (reading == ROTATE_R5_OLD)
            r5 = QPU_NAME(view_of)(
                before->add.to == QPU_TO_R5_A || before->add.to == QPU_TO_R5_B ? &q->old_add : &q->old_mul);
    }
    if (QPU_CHECKED && (r5.defined->lane[0] & 15) != 15)
        *undefined = true;
    return r5.value->lane[0] & 15;
}

/* One operand on its way through the rotator: the quad that lane l of target quad t takes its element from.
 */
static RARE void QPU_NAME(rotate_operand)(struct qpu *q, const struct qpu_step *s,
                                          const struct qpu_step *before, unsigned mux,
                                          struct QPU_NAME(view) v, struct qpu_value *out)
{
    unsigned n = q->turn.amount;
    bool accumulator = mux <= QPU_MUX_R3;
    bool moves = s->rotate_rule == QPU_ROTATE_ALL_FULL || (accumulator && s->rotate_rule == QPU_ROTATE_SPLIT);
    bool fresh = accumulator && before->writes_acc >> mux & 1;
    const struct qpu_pipe *writer =
        before->add.index == mux && before->add.to == QPU_TO_ACCUMULATOR ? &before->add : &before->mul;
    const struct qpu_result *result = writer == &before->add ? &q->add : &q->mul;
    /* Some elements only; else all count as written. A branch writes its link to all, and has no condition
     * for it. */
    bool some = before == s - 1 && before->insn.class != QPU_BRANCH && writer->cond != QPU_COND_ALWAYS &&
                !before->both;
    unsigned reading = fresh ? qpu_reading(q, QPU_ROTATE_HAZARD_SCOPE) : ROTATE_HAZARD_OLD;
    struct QPU_NAME(view) old = QPU_NAME(view_of)(
        before->add.to == QPU_TO_ACCUMULATOR && before->add.index == mux ? &q->old_add : &q->old_mul);
    for (unsigned i = 0; i < VC4_LANES; i++) {
        unsigned quad = i / 4, lane = i % 4, from = moves ? (quad - n / 4 - (lane + n % 4 >= 4)) & 3 : quad;
        bool lower = from > quad;
        struct QPU_NAME(view) source = v;
        if (fresh && (reading == ROTATE_HAZARD_OLD || (lower && reading == ROTATE_HAZARD_LOWER_OLD)))
            source = old;
        else if (fresh && reading == ROTATE_HAZARD_LOWER && lower && some &&
                 !result->lanes.lane[4 * from + lane] &&
                 (!QPU_CHECKED || result->lanes_defined.lane[4 * from + lane]))
            source = v; /* the write left this element as it was: old and new are the same */
        else if (fresh && (reading == READING_MANUAL || (lower && reading == ROTATE_HAZARD_LOWER)))
            source = QPU_NAME(view_of)(&q->undefined);
        out->value.lane[i] = source.value->lane[4 * from + lane];
        if (QPU_CHECKED)
            out->defined.lane[i] = source.defined->lane[4 * from + lane];
    }
    if (fresh)
        qpu_consult(q, QPU_ROTATE_HAZARD_SCOPE);
}

/*
 * Both operands go through the rotator before they meet. Where they move alike, and none is in a hazard,
 * rotating the result is the same, because elements do not look at each other. True: they do not, and stand
 * in q->operand. Looks at what the step before has left in q->add and q->mul.
 */
static RARE bool QPU_NAME(aim_rotator)(struct qpu *q, const struct qpu_step *s, const struct qpu_step *before,
                                       const struct QPU_NAME(operands) * o)
{
    q->turn.undefined = s->rotate_rule == QPU_ROTATE_UNDEFINED;
    q->turn.amount = QPU_NAME(rotation)(q, s, before, &q->turn.undefined);
    bool apart = s->rotates_apart || s->rotates_acc & before->writes_acc;
    q->turn.in_quads = apart || s->rotates_in_quads;
    if (apart) {
        QPU_NAME(rotate_operand)
        (q, s, before, s->mul.mux_a, QPU_NAME(operand)(o, s->mul.mux_a), &q->operand[0]);
        QPU_NAME(rotate_operand)
        (q, s, before, s->mul.mux_b, QPU_NAME(operand)(o, s->mul.mux_b), &q->operand[1]);
    }
    return apart;
}

/* The MUL result's way through the rotator, with its C flag and overflow. */
static RARE void QPU_NAME(turn_result)(struct qpu *q, const struct qpu_step *s)
{
    bool flags = s->flags_from == QPU_FLAGS_MUL,
         overflow = s->mul.packs == QPU_PACKS_A && s->mul.op->overflow;
    struct vc4_vector *const turned[] = {&q->mul.value,
                                         flags ? &q->carry.value : NULL,
                                         overflow ? &q->mul.overflow : NULL,
                                         QPU_CHECKED ? &q->mul.defined : NULL,
                                         QPU_CHECKED && flags ? &q->carry.defined : NULL,
                                         QPU_CHECKED && overflow ? &q->mul.overflow_defined : NULL};
    for (unsigned i = 0; i < sizeof turned / sizeof *turned; i++)
        if (turned[i])
            q->rules->alu.tools->rotate(turned[i], q->turn.amount, q->turn.in_quads, turned[i]);
    if (!q->turn.undefined)
        return;
    QPU_NAME(undefine)(q, &q->mul.value, &q->mul.defined);
    vector_splat(&q->mul.overflow_defined, 0);
    vector_splat(&q->carry.value, 0 - (q->env->filler & 1)); /* whose ever it is */
    vector_splat(&q->carry.defined, 0);
}
