/* SPDX-License-Identifier: MIT */
/* Passes vectors to the observer at the points of qpu_points.h, and finds the steps that pass an observed
 * point. */
#include "model/rule/expression.h"
#include "model/vc4/qpu/alu/qpu_sfu.h"
#include "model/vc4/qpu/qpu_graphics.h"
#include "model/vc4/qpu/step/qpu_quantities.h"

#include <string.h>

void qpu_observe_vector(const struct qpu *q, unsigned point, struct vc4_vector *v,
                        const struct vc4_vector *const *vectors, const uint32_t *others)
{
    const struct point *p = &qpu_points[point];
    unsigned count = point_vectors(p), words = point_input_words(p), at = count * VC4_LANES;
    uint32_t input[POINT_INPUT_WORDS_MAX];
    for (unsigned i = 0; i < count; i++)
        memcpy(input + (size_t)i * VC4_LANES, vectors[i]->lane, sizeof vectors[i]->lane);
    memcpy(input + at, others, (words - at) * sizeof *others);
    observe_lanes(q->observer, point, v->lane, input);
}

void qpu_observe_masks(const struct qpu *q, unsigned point, struct vc4_vector *v,
                       const struct vc4_vector *const *vectors, const uint32_t *others)
{
    if (!qpu_wants(q, point))
        return;
    for (unsigned i = 0; i < VC4_LANES; i++)
        v->lane[i] &= 1;
    qpu_observe_vector(q, point, v, vectors, others);
    for (unsigned i = 0; i < VC4_LANES; i++)
        v->lane[i] = 0U - (v->lane[i] & 1);
}

bool qpu_has_r5(const struct qpu *q, unsigned reading, enum qpu_r5_access access, unsigned file)
{
    return QPU_OBSERVE(q, R5_PRESENT, reading != ACCUMULATORS_FIVE, (uint32_t)access, file);
}

/* The parts of one lane, as sfu_parts; in vectors, because points see all lanes at once. */
struct sfu_vectors {
    struct vc4_vector sign, invalid, beyond;
};

static void see_sfu_parts(const struct qpu *q, enum sfu_function f, unsigned address, unsigned file,
                          const struct vc4_vector *x, struct sfu_vectors *now)
{
    const struct alu_rules *alu = &q->rules->alu;
    struct vc4_vector class, exponent, magnitude, negative;
    quantity_class(x, &class);
    quantity_exponent(x, &exponent);
    for (unsigned i = 0; i < VC4_LANES; i++)
        now->sign.lane[i] = alu_sfu_sign(x->lane[i]);
    QPU_OBSERVE_VECTOR(q, SFU_SIGN, &now->sign, QPU_VECTORS(x, &class), f, address, file);
    for (unsigned i = 0; i < VC4_LANES; i++) {
        magnitude.lane[i] = float_magnitude(x->lane[i]);
        negative.lane[i] = now->sign.lane[i] != 0;
        now->invalid.lane[i] = alu_sfu_invalid(alu, f, x->lane[i], now->sign.lane[i]);
        now->beyond.lane[i] = alu_sfu_beyond(f, x->lane[i]);
    }
    QPU_OBSERVE_VECTOR(q, SFU_INVALID, &now->invalid, QPU_VECTORS(x, &class, &negative), f,
                       alu_sfu_has_root(f));
    if (f == SFU_EXP)
        QPU_OBSERVE_VECTOR(q, SFU_BEYOND, &now->beyond,
                           QPU_VECTORS(x, &class, &exponent, &magnitude, &negative), 0);
}

void qpu_observe_sfu(const struct qpu *q, unsigned function, unsigned address, unsigned file,
                     const struct vc4_vector *operand, struct vc4_vector *result)
{
    const enum sfu_function f = (enum sfu_function)function;
    const struct alu_rules *alu = &q->rules->alu;
    struct sfu_vectors now;
    if (!qpu_wants(q, QPU_POINT_SFU_SIGN) && !qpu_wants(q, QPU_POINT_SFU_INVALID) &&
        !qpu_wants(q, QPU_POINT_SFU_BEYOND))
        return;
    see_sfu_parts(q, f, address, file, operand, &now);
    for (unsigned i = 0; i < VC4_LANES; i++) {
        const uint32_t x = operand->lane[i], sign = alu_sfu_sign(x);
        /* real_exp2 takes no more than 2^15 */
        const bool beyond = now.beyond.lane[i] || (f == SFU_EXP && float_magnitude(x) >= 0x47000000);
        const struct sfu_parts parts = {now.sign.lane[i], now.invalid.lane[i], beyond};
        if (parts.sign != sign || parts.invalid != alu_sfu_invalid(alu, f, x, sign) ||
            parts.beyond != alu_sfu_beyond(f, x))
            result->lane[i] = alu_sfu_with(alu, f, x, &parts);
    }
}

/* Passes the reason of a stop. VC4_FAULT_UNDEFINED means that the model cannot continue. Hardware has no such
 * event, so rules neither see nor choose it. */
enum vc4_stop qpu_observe_stop(const struct qpu *q, enum vc4_stop stop)
{
    const struct qpu_insn *i = &q->before->insn;
    if (stop == VC4_FAULT_UNDEFINED)
        return stop;
    uint32_t now =
        QPU_OBSERVE(q, END_REASON, stop, i->sig, i->raddr_a, i->raddr_b, i->waddr_add, i->waddr_mul);
    return now && now < VC4_STOPS && now != VC4_FAULT_UNDEFINED ? (enum vc4_stop)now : stop;
}

/* Describes the points in the body of a step that belong to one pipe. `op` and `pipe` are the numbers of the
 * point's inputs that hold the opcode and the pipe; NONE: the point has no such input. */
enum { NONE = 31 };
static const struct {
    bool of_pipe, of_flags;
    uint8_t op, pipe;
} places[QPU_POINT_UNITS] = {
    [QPU_POINT_OPERAND_VALUE] = {true, false, 6, 3},
    [QPU_POINT_ADD_RESULT] = {true, false, 4, NONE},
    [QPU_POINT_MUL24_OPERAND] = {true, false, NONE, NONE},
    [QPU_POINT_SHIFT_AMOUNT] = {true, false, 2, NONE},
    [QPU_POINT_MUL_RESULT] = {true, false, 2, NONE},
    [QPU_POINT_FLOAT_RESULT] = {true, false, 6, 5},
    [QPU_POINT_BYTE_PRODUCT] = {true, false, NONE, NONE},
    [QPU_POINT_BYTE_RESULT] = {true, false, 6, 5},
    [QPU_POINT_OVERFLOW_DIFFERS] = {true, false, 3, NONE},
    [QPU_POINT_OVERFLOW_RESTORED] = {true, false, 3, NONE},
    [QPU_POINT_OVERFLOW_FACTOR] = {true, false, NONE, NONE},
    [QPU_POINT_OVERFLOW_OCCURS] = {true, false, 6, 5},
    [QPU_POINT_OVERFLOW_BELOW] = {true, false, 5, 4},
    [QPU_POINT_OVERFLOW] = {true, false, 5, 4},
    [QPU_POINT_WRITE_ELEMENT] = {true, false, NONE, 3},
    [QPU_POINT_WRITE_LANES] = {true, false, NONE, 0},
    [QPU_POINT_PACK_INPUT] = {true, false, 7, 6},
    [QPU_POINT_PACK_SATURATES] = {true, false, NONE, 2},
    [QPU_POINT_PACK_LEAST] = {true, false, NONE, 2},
    [QPU_POINT_PACK_MOST] = {true, false, NONE, 2},
    [QPU_POINT_PACK_INTEGER] = {true, false, 5, 4},
    [QPU_POINT_PACK_CLAMPED] = {true, false, 6, 5},
    [QPU_POINT_PACK_END] = {true, false, 6, 5},
    [QPU_POINT_PACK_TAKES_END] = {true, false, 4, 3},
    [QPU_POINT_PACK_FIELD] = {true, false, 9, 8},
    [QPU_POINT_PACK_MASK] = {true, false, NONE, 1},
    [QPU_POINT_PACK_WORD] = {true, false, 10, 9},
    [QPU_POINT_PACK_KEEPS] = {true, false, NONE, 3},
    [QPU_POINT_PACK_KEPT] = {true, false, NONE, 4},
    [QPU_POINT_PACK_RESULT] = {true, false, 8, 7},
    [QPU_POINT_WRITE_VALUE] = {true, false, NONE, 2},
    [QPU_POINT_FLAGS_VALUE] = {true, true, 3, 2},
    [QPU_POINT_FLAGS_Z] = {true, true, 3, 2},
    [QPU_POINT_FLAGS_N] = {true, true, 3, 2},
    [QPU_POINT_FLAGS_C] = {true, true, 6, 5},
    [QPU_POINT_FLAGS_LANES] = {true, true, 3, 2},
};

/* Can a rule act at this point of pipe `p`? When the model plans a step it knows only two inputs of the
 * point, the opcode and the pipe. So this tries the rule's guard with these two. */
static bool can_act(const struct qpu_step *s, const struct qpu_pipe *p, unsigned point,
                    const struct expression_node *guard, unsigned count)
{
    uint32_t input[NONE + 1];
    input[places[point].op] = p->opcode;
    input[places[point].pipe] = p->number;
    bool other = p->number ? point == QPU_POINT_ADD_RESULT || point == QPU_POINT_SHIFT_AMOUNT ||
                                 point == QPU_POINT_OVERFLOW_DIFFERS || point == QPU_POINT_OVERFLOW_RESTORED
                           : point == QPU_POINT_MUL_RESULT || point == QPU_POINT_MUL24_OPERAND;
    if (p->source == QPU_FROM_NOTHING || other || (places[point].of_flags && s->flags_from != p->number + 1U))
        return false;
    return expression_can_hold(guard, count, input,
                               (1U << places[point].op | 1U << places[point].pipe) & ~(1U << NONE));
}

bool qpu_is_observed(const struct qpu *q, const struct qpu_step *s)
{
    const struct rules *r = q->observer->rules;
    bool observed = q->replans;
    for (uint32_t i = 0; i < r->count && !observed; i++) {
        const struct rule_entry *e = &r->rule[i];
        const struct expression_node *guard = r->node + e->first;
        if (e->point < QPU_POINT_STEPS || e->point >= QPU_POINT_UNITS)
            continue;
        observed = !places[e->point].of_pipe || can_act(s, &s->add, e->point, guard, e->guard) ||
                   can_act(s, &s->mul, e->point, guard, e->guard);
    }
    return observed;
}
