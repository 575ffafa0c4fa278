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
