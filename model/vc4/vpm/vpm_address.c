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

#define INLINE static inline __attribute__((always_inline))

static uint32_t element_mask(uint32_t bits)
{
    return bits == 32 ? UINT32_MAX : (1U << bits % 32) - 1U;
}

/*
 * One body for all modes: each call below becomes a loop of constants. `pitch` is the distance in words from
 * one word of the vector to the next.
 */
INLINE void put_all(uint32_t *word, uint32_t pitch, uint32_t per_word, uint32_t bits, uint32_t shift,
                    const uint32_t *lane)
{
    uint32_t mask = element_mask(bits), covered = 0;
    for (uint32_t j = 0; j < per_word; j++)
        covered |= mask << (shift + j * bits);
    for (uint32_t i = 0; i < VC4_LANES / per_word; i++) {
        uint32_t content = 0;
        for (uint32_t j = 0; j < per_word; j++)
            content |= (lane[i * per_word + j] & mask) << (shift + j * bits);
        word[i * pitch] = (word[i * pitch] & ~covered) | content;
    }
}

INLINE void get_all(const uint32_t *word, uint32_t pitch, uint32_t per_word, uint32_t bits, uint32_t shift,
                    uint32_t *lane)
{
    for (uint32_t i = 0; i < VC4_LANES / per_word; i++)
        for (uint32_t j = 0; j < per_word; j++)
            lane[i * per_word + j] = word[i * pitch] >> (shift + j * bits) & element_mask(bits);
}

/* clang-format off */
/* The loop of each width and packing, along a row or down a column. */
#define FOR_MODE(call, pitch) \
    do { \
        if (m->bits == 32) \
            call(word, pitch, 1, 32, 0, lane); \
        else if (m->bits == 16 && m->per_word == 2) \
            call(word, pitch, 2, 16, 0, lane); \
        else if (m->bits == 16) \
            call(word, pitch, 1, 16, s->shift, lane); \
        else if (m->per_word == 4) \
            call(word, pitch, 4, 8, 0, lane); \
        else \
            call(word, pitch, 1, 8, s->shift, lane); \
    } while (0)
/* clang-format on */

static void put_some(struct vc4_vector *plane, const struct vpm_mode *m, const struct vpm_span *s,
                     const struct vc4_vector *vector, uint32_t lanes)
{
    for (uint32_t i = 0; i < VC4_LANES; i++) {
        if (!(lanes >> i & 1))
            continue;
        uint32_t n = i / m->per_word, shift = s->shift + i % m->per_word * m->bits;
        uint32_t mask = element_mask(m->bits);
        uint32_t *word = m->horizontal ? &plane[s->row].lane[s->col + n] : &plane[s->row + n].lane[s->col];
        *word = (*word & ~(mask << shift)) | (vector->lane[i] & mask) << shift;
    }
}

void vpm_put(struct vc4_vector *plane, const struct vpm_mode *m, const struct vpm_span *s,
             const struct vc4_vector *vector, uint32_t lanes)
{
    uint32_t *word = (uint32_t *)plane + s->row * VC4_LANES + s->col;
    const uint32_t *lane = vector->lane;
    if ((lanes & 0xFFFF) != 0xFFFF)
        put_some(plane, m, s, vector, lanes);
    else if (m->horizontal)
        FOR_MODE(put_all, 1);
    else
        FOR_MODE(put_all, VC4_LANES);
}

void vpm_get(const struct vc4_vector *plane, const struct vpm_mode *m, const struct vpm_span *s,
             struct vc4_vector *vector)
{
    const uint32_t *word = (const uint32_t *)plane + s->row * VC4_LANES + s->col;
    uint32_t *lane = vector->lane;
    if (m->horizontal)
        FOR_MODE(get_all, 1);
    else
        FOR_MODE(get_all, VC4_LANES);
}
