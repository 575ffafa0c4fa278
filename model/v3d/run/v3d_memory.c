/* SPDX-License-Identifier: MIT */
#include "model/v3d/run/v3d_machine.h"
#include "model/v3d/v3d_points.h"

const char *const v3d_reasons[V3D_STOPS + 1] = {
    [V3D_GO] = "",
    [V3D_HANG_LIMIT] = "the instruction limit",
    [V3D_HANG_BARRIER] = "a barrier that not all threads can reach",
    [V3D_HANG_TMU_LOAD] = "ldtmu without a result to come",
    [V3D_HANG_TMU_FULL] = "a TMU FIFO that no ldtmu empties",
    [V3D_FAULT_MEMORY] = "an access outside the case's memory",
    [V3D_FAULT_UNIFORM] = "a uniform outside the case's memory",
    [V3D_FAULT_PROGRAM] = "ran or branched outside the program",
    [V3D_FAULT_RESERVED] = "an encoding that no source defines",
    [V3D_FAULT_RESTRICTION] = "a restriction of Mesa is broken, and no source says what happens then",
    [V3D_FAULT_VPM] = "the VPM, which compute programs do not have",
    [V3D_FAULT_TILE] = "the tile buffer, which compute programs do not have",
    [V3D_FAULT_VARYING] = "a varying, which compute programs do not have",
    [V3D_FAULT_TEXTURE] = "texture sampling, which the model does not have",
    [V3D_FAULT_GRAPHICS] = "a pixel's or vertex's data, which compute programs do not have",
    [V3D_FAULT_SYNC] = "a write to the sync unit other than a barrier",
    [V3D_FAULT_LAUNCH] = "launch words that the model does not have",
    [V3D_FAULT_TMU] = "data or results of the TMU that no source defines",
    [V3D_FAULT_UNDEFINED] = "an undefined bit decides what happens next",
    [V3D_FAULT_UNSTATED] = "a use of registers that no source describes",
    NULL,
};

/* Returns the range with all bytes of an access; NULL if there is none. */
static struct v3d_range *find(struct v3d_machine *m, uint32_t address, uint32_t bytes)
{
    for (unsigned n = 0; n < m->ranges; n++) {
        struct v3d_range *r = &m->range[n];
        uint32_t offset = address - r->base;
        if (offset < r->bytes && bytes <= r->bytes - offset)
            return r;
    }
    return NULL;
}

struct v3d_range *v3d_reach(struct v3d_machine *m, uint32_t address, uint32_t bytes, bool store)
{
    struct v3d_range *r = find(m, address, bytes);
    if (!r)
        return NULL;
    const bool reaches = !(store && r->read_only);
    return V3D_SEE(m, MEMORY_REACHES, reaches, address, address - r->base, bytes, store, r->read_only) ? r
                                                                                                       : NULL;
}

uint32_t v3d_initial_word(struct v3d_machine *m, uint32_t address, uint32_t now)
{
    const struct v3d_range *r = find(m, address & ~3U, 4);
    if (!r || !r->before)
        return now;
    uint32_t index = ((address & ~3U) - r->base) / 4, row = r->first_row + index / 16;
    return r->touched[row / 64] >> (row % 64) & 1 ? r->before[index] : r->word[index];
}

enum v3d_stop v3d_uniform(struct v3d_machine *m, uint32_t address, bool by_unifa, uint32_t *word)
{
    const struct v3d_range *r = v3d_reach(m, address & ~3U, 4, false);
    if (!r)
        return V3D_FAULT_UNIFORM;
    uint32_t index = ((address & ~3U) - r->base) / 4;
    index = V3D_SEE(m, UNIFORM_PLACE, index, address, by_unifa);
    if (index >= r->bytes / 4)
        return V3D_FAULT_UNIFORM;
    uint32_t row = r->first_row + index / 16;
    if (r->sharing)
        v3d_note_load(r->sharing, index);
    *word = r->word[index];
    bool stored = r->before && (r->touched[row / 64] >> (row % 64) & 1) &&
                  (r->before[index] != *word || (r->defined && ~r->defined[index]));
    if (stored && v3d_consult(m, V3D_CLAUSE_UNIFORM_CACHE) == V3D_UNIFORMS_OLD) {
        *word = r->before[index];
        return V3D_GO;
    }
    return m->checked && r->defined && ~r->defined[index] ? V3D_FAULT_UNDEFINED : V3D_GO;
}
