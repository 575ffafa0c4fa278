/* SPDX-License-Identifier: MIT */
#include "model/vc4/vpm/vpm_address.h"
#include "model/vc4/vpm/vpm_clauses.h"

/* LANED means nothing for 32-bit elements (p57 T32). */
const struct vpm_mode vpm_modes[VPM_MODES] = {
    [0x0] = {8, 2, 4, false, VPM_CLAUSE_ADDR_V8},
    [0x4] = {8, 2, 1, false, VPM_CLAUSE_ADDR_V8},
    [0x1] = {16, 1, 2, false, VPM_CLAUSE_ADDR_V16},
    [0x5] = {16, 1, 1, false, VPM_CLAUSE_ADDR_V16},
    [0x2] = {32, 0, 1, false, VPM_CLAUSE_ADDR_VERTICAL},
    [0x6] = {32, 0, 1, false, VPM_CLAUSE_ADDR_VERTICAL},
    [0x8] = {8, 2, 4, true, VPM_CLAUSE_ADDR_H8},
    [0xC] = {8, 2, 1, true, VPM_CLAUSE_ADDR_H8},
    [0x9] = {16, 1, 2, true, VPM_CLAUSE_ADDR_H16},
    [0xD] = {16, 1, 1, true, VPM_CLAUSE_ADDR_H16},
    [0xA] = {32, 0, 1, true, VPM_NO_CLAUSE},
    [0xE] = {32, 0, 1, true, VPM_NO_CLAUSE},
};

static uint32_t element_mask(const struct vpm_mode *m)
{
    return m->bits == 32 ? UINT32_MAX : (1U << m->bits % 32) - 1U;
}

/* The distance in words between neighbouring words of a vector. */
static uint32_t pitch_of(const struct vpm_mode *m)
{
    return m->horizontal ? 1 : VC4_LANES;
}

static uint32_t shift_of(const struct vpm_mode *m, const struct vpm_span *s, uint32_t i)
{
    return s->shift + i % m->per_word * m->bits;
}

void vpm_put(struct vc4_vector *plane, const struct vpm_mode *m, const struct vpm_span *s,
             const struct vc4_vector *vector, uint32_t lanes)
{
    uint32_t *first = (uint32_t *)plane + s->row * VC4_LANES + s->col;
    uint32_t mask = element_mask(m), pitch = pitch_of(m);
    for (uint32_t i = 0; i < VC4_LANES; i++) {
        if (!(lanes >> i & 1))
            continue;
        if (m->bits == 32) { /* most accesses; needs no division */
            first[i * pitch] = vector->lane[i];
            continue;
        }
        uint32_t *word = &first[i / m->per_word * pitch], shift = shift_of(m, s, i);
        *word = (*word & ~(mask << shift)) | (vector->lane[i] & mask) << shift;
    }
}

void vpm_get(const struct vc4_vector *plane, const struct vpm_mode *m, const struct vpm_span *s,
             struct vc4_vector *vector)
{
    const uint32_t *first = (const uint32_t *)plane + s->row * VC4_LANES + s->col;
    uint32_t mask = element_mask(m), pitch = pitch_of(m);
    for (uint32_t i = 0; i < VC4_LANES; i++)
        vector->lane[i] =
            m->bits == 32 ? first[i * pitch] : first[i / m->per_word * pitch] >> shift_of(m, s, i) & mask;
}
