/* SPDX-License-Identifier: MIT */
/* The rotator of the MUL pipe (p20, p30 T5; clauses rotate-*). A part of the template qpu_step.inc.h. */

/* Returns the number of elements by which the MUL result rotates. Sets `undefined` if no document gives
 * it. */
static unsigned rotation_amount(struct qpu *q, const struct qpu_step *s, const struct qpu_step *before,
                                bool *undefined)
{
    if (!s->rotates_by_r5)
        return s->rotation;
    if (!qpu_has_r5(q, qpu_consult(q, QPU_ACCUMULATOR_COUNT), QPU_R5_AMOUNT, 0))
        return 0;
    struct view r5 = view_row(&q->acc, 5);
    if (before->writes_acc & 0x20) {
        unsigned reading = qpu_consult(q, QPU_ROTATE_R5_HAZARD);
        *undefined = *undefined || reading == READING_MANUAL;
        if (reading == ROTATE_R5_OLD)
            r5 = view_of(before->add.to == QPU_TO_R5_A || before->add.to == QPU_TO_R5_B ? &q->old_add
                                                                                        : &q->old_mul);
    }
    unsigned element = 0;
    if (OBSERVES(q))
        element = QPU_OBSERVE(q, ROTATE_ELEMENT, 0, s->insn.mul_a, s->insn.mul_b, s->insn.op_mul);
    if (QPU_CHECKED && (r5.defined->lane[element] & 15) != 15)
        *undefined = true;
    return r5.value->lane[element] & 15;
}

/* Moves the elements of one operand from quad to quad. rotate_result later moves elements inside the
 * quads. */
static RARE void rotate_operand(struct qpu *q, const struct qpu_step *s, const struct qpu_step *before,
                                unsigned mux, struct view v, struct qpu_value *out)
{
    unsigned n = q->rotator.amount;
    bool accumulator = mux <= QPU_MUX_R3;
    bool moves = s->rotate_rule == QPU_ROTATE_ALL_FULL || (accumulator && s->rotate_rule == QPU_ROTATE_SPLIT);
    bool hazard = accumulator && before->writes_acc >> mux & 1;
    unsigned reading = hazard ? qpu_consult(q, QPU_ROTATE_HAZARD_SCOPE) : ROTATE_HAZARD_OLD;
    bool by_add = before->add.index == mux && before->add.to == QPU_TO_ACCUMULATOR;
    const struct qpu_pipe *writer = by_add ? &before->add : &before->mul;
    const struct qpu_result *result = by_add ? &q->add : &q->mul;
    /* Did the previous step write only some elements? A branch writes its link address to all elements. */
    bool some = before == s - 1 && before->insn.class != QPU_BRANCH && writer->cond != QPU_COND_ALWAYS &&
                !before->collision;
    struct vc4_vector elements;
    for (unsigned i = 0; i < VC4_LANES; i++) {
        unsigned quad = i / 4, lane = i % 4, from = moves ? (quad - n / 4 - (lane + n % 4 >= 4)) & 3 : quad;
        elements.lane[i] = 4 * from + lane;
    }
    if (OBSERVES(q))
        QPU_OBSERVE_VECTOR(q, ROTATE_OPERAND, &elements, NULL, n, mux, moves);
    for (unsigned i = 0; i < VC4_LANES; i++) {
        unsigned element = elements.lane[i];
        bool lower = element / 4 > i / 4;
        bool unwritten =
            some && !result->lanes.lane[element] && (!QPU_CHECKED || result->lanes_defined.lane[element]);
        struct view source = v;
        if (hazard && (reading == ROTATE_HAZARD_OLD || (lower && reading == ROTATE_HAZARD_LOWER_OLD)))
            source = view_of(by_add ? &q->old_add : &q->old_mul);
        else if (hazard &&
                 (reading == READING_MANUAL || (lower && reading == ROTATE_HAZARD_LOWER && !unwritten)))
            source = view_of(&q->undefined);
        out->value.lane[i] = source.value->lane[element];
        if (QPU_CHECKED)
            out->defined.lane[i] = source.defined->lane[element];
    }
}

/*
 * Sets q->rotator. Rotates the operands into q->operand, and returns true, if the two operands move
 * differently or one of them has a hazard. In all other cases rotate_result gives the same result, because
 * operations work on each element alone. Uses the previous step's results, which are still in q->add and
 * q->mul.
 */
static RARE bool prepare_rotation(struct qpu *q, const struct qpu_step *s, const struct qpu_step *before,
                                  struct view a, struct view b)
{
    q->rotator.undefined = s->rotate_rule == QPU_ROTATE_UNDEFINED;
    q->rotator.amount = rotation_amount(q, s, before, &q->rotator.undefined);
    bool operands = s->rotates_operands || s->rotates_acc & before->writes_acc;
    q->rotator.in_quads = operands || s->rotates_in_quads;
    if (OBSERVES(q))
        see_rotator(q, s);
    if (operands) {
        rotate_operand(q, s, before, s->mul.mux_a, a, &q->operand[0]);
        rotate_operand(q, s, before, s->mul.mux_b, b, &q->operand[1]);
        if (OBSERVES(q))
            memcpy(q->seen[1], q->operand, sizeof q->seen[1]);
    }
    return operands;
}

/* Rotates the result of MUL, with its C flag and its overflow. */
static RARE void rotate_result(struct qpu *q, const struct qpu_step *s)
{
    struct vc4_vector before[3], known[3];
    if (OBSERVES(q)) {
        before[0] = q->mul.value;
        before[1] = q->carry.value;
        before[2] = q->mul.overflow;
        known[0] = q->mul.defined;
        known[1] = q->carry.defined;
        known[2] = q->mul.overflow_defined;
    }
    bool flags = s->flags_from == QPU_FLAGS_MUL,
         overflow = s->mul.packs == QPU_PACKS_A && s->mul.op->overflow;
    struct vc4_vector *const rotated[] = {&q->mul.value,
                                          flags ? &q->carry.value : NULL,
                                          overflow ? &q->mul.overflow : NULL,
                                          QPU_CHECKED ? &q->mul.defined : NULL,
                                          QPU_CHECKED && flags ? &q->carry.defined : NULL,
                                          QPU_CHECKED && overflow ? &q->mul.overflow_defined : NULL};
    for (unsigned i = 0; i < sizeof rotated / sizeof *rotated; i++)
        if (rotated[i])
            q->rules->alu.tools->rotate(rotated[i], q->rotator.amount, q->rotator.in_quads, rotated[i]);
    if (OBSERVES(q))
        see_rotated(q, s, before, known);
    if (!q->rotator.undefined)
        return;
    copy(view_of(&q->undefined), &q->mul.value, &q->mul.defined);
    vector_splat(&q->mul.overflow_defined, 0);
    vector_splat(&q->carry.value, 0 - (q->env->filler & 1)); /* even if ADD sets the flags */
    vector_splat(&q->carry.defined, 0);
}
