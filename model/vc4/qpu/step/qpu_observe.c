/* SPDX-License-Identifier: MIT */
/* Vectors that pass observation points (qpu_points.h). */
#include "model/vc4/qpu/qpu.h"

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

/* VC4_FAULT_UNDEFINED says that the model cannot go on, not what a machine does. So rules neither see nor
 * make it. */
enum vc4_stop qpu_observe_stop(const struct qpu *q, enum vc4_stop stop)
{
    const struct qpu_insn *i = &q->before->insn;
    if (stop == VC4_FAULT_UNDEFINED)
        return stop;
    uint32_t now =
        QPU_OBSERVE(q, END_REASON, stop, i->sig, i->raddr_a, i->raddr_b, i->waddr_add, i->waddr_mul);
    return now && now < VC4_STOPS && now != VC4_FAULT_UNDEFINED ? (enum vc4_stop)now : stop;
}
