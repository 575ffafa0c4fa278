/* SPDX-License-Identifier: MIT */
/* Reads and writes a wave's vector and scalar registers. */
#include "model/amd/points/buffer_observe.h"

/* ---- vector registers ---- */

uint32_t amd_vgpr_read(const struct amd_wave *w, uint32_t number, unsigned lane, uint32_t *defined)
{
    if (number >= w->vgprs) {
        *defined = 0;
        return w->filler;
    }
    *defined = w->checked ? amd_row_defined(&w->vgpr, number)[lane] : UINT32_MAX;
    return amd_row(&w->vgpr, number)[lane];
}

void amd_vgpr_write(struct amd_wave *w, uint32_t number, const uint32_t *value, const uint32_t *defined,
                    uint64_t mask)
{
    uint32_t observed[AMD_LANES];
    if (number >= w->vgprs)
        return;
    if (w->observer)
        value = buffer_observe_vgpr(w, number, value, observed, &mask);
    if (!mask)
        return;
    uint32_t *to = amd_row(&w->vgpr, number);
    if (mask == UINT64_MAX)
        memcpy(to, value, AMD_LANES * sizeof *to);
    else
        for (unsigned n = 0; n < AMD_LANES; n++)
            to[n] = mask >> n & 1 ? value[n] : to[n];
    if (w->checked)
        for (unsigned n = 0; n < AMD_LANES; n++)
            if (mask >> n & 1)
                amd_row_defined(&w->vgpr, number)[n] = defined[n];
    amd_touch(&w->vgpr, number);
}

/* ---- scalar registers ---- */

enum { DESCRIPTOR_SGPR = 8, SGPR_EXEC = 126 };

bool amd_scalar_read(const struct amd_wave *w, uint32_t number, uint32_t *value)
{
    uint32_t at = number % AMD_SGPRS;
    bool known = true;
    const bool exec = AMD_OBSERVE(SGPR_EXEC, at >= SGPR_EXEC, w->generation, at);
    if (exec) {
        *value = (uint32_t)(w->exec >> (at == SGPR_EXEC ? 0 : 32));
    } else {
        *value = at - DESCRIPTOR_SGPR < AMD_DESCRIPTOR_WORDS ? w->descriptor[at - DESCRIPTOR_SGPR]
                                                             : w->sgpr.value[at];
        known = !w->checked || w->sgpr.defined[at] == UINT32_MAX;
    }
    *value = AMD_OBSERVE(SGPR_VALUE, *value, w->generation, at, (uint32_t)w->exec, (uint32_t)(w->exec >> 32));
    return known;
}

void amd_scalar_write(struct amd_wave *w, uint32_t number, uint32_t value, uint32_t defined)
{
    uint32_t at = number % AMD_SGPRS;
    value = AMD_OBSERVE(SGPR_WRITTEN, value, w->generation, at, w->sgpr.value[at]);
    w->sgpr.value[at] = value;
    if (w->checked)
        w->sgpr.defined[at] = defined;
    if (at - DESCRIPTOR_SGPR < AMD_DESCRIPTOR_WORDS)
        w->descriptor[at - DESCRIPTOR_SGPR] = value;
    amd_touch(&w->sgpr, at / AMD_LANES);
}
