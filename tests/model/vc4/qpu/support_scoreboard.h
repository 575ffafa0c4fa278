/* SPDX-License-Identifier: MIT */
/*
 * Checks how a fragment shader uses the scoreboard, which makes overlapping fragments wait for each other.
 * The shader's last instruction must unlock the scoreboard (Mesa's vc4_qpu_emit.c, vc4_generate_code: for
 * every shader). The shader must wait for the scoreboard no later than at its first access to the tile
 * buffer, but not in its first two instructions (p37). The check reads the instruction words (p26-27),
 * because the model has no scoreboard.
 */
#ifndef MISPRINT_TESTS_MODEL_VC4_QPU_SUPPORT_SCOREBOARD_H
#define MISPRINT_TESTS_MODEL_VC4_QPU_SUPPORT_SCOREBOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SCOREBOARD_SIGNAL_WAIT = 4,
    SCOREBOARD_SIGNAL_UNLOCK = 5,
    SCOREBOARD_TLB_FIRST = 43,
    SCOREBOARD_TLB_LAST = 47
};

static inline bool scoreboard_is_tile_buffer(uint32_t waddr)
{
    return waddr >= SCOREBOARD_TLB_FIRST && waddr <= SCOREBOARD_TLB_LAST;
}

/* Does the instruction access the tile buffer? It can load coverage, colour, colour with the end, or alpha
 * mask, and write setup, Z, colour, or alpha mask. */
static inline bool scoreboard_is_access(uint32_t high)
{
    static const uint32_t loads = 1U << 7 | 1U << 8 | 1U << 9 | 1U << 12;
    return loads >> (high >> 28) & 1 || scoreboard_is_tile_buffer(high >> 6 & 63) ||
           scoreboard_is_tile_buffer(high & 63);
}

/* Returns what is wrong with a fragment shader of `count` instructions (two words each); NULL if nothing
 * is. */
static inline const char *scoreboard_fault(const uint32_t *code, unsigned count)
{
    bool waits = false, accesses = false;
    for (unsigned i = 0; i < count; i++) {
        uint32_t high = code[2 * i + 1];
        bool access = scoreboard_is_access(high), wait = high >> 28 == SCOREBOARD_SIGNAL_WAIT;
        if (i < 2 && (wait || access))
            return "it waits for the scoreboard in its first two instructions";
        waits = waits || wait;
        if (access && !waits)
            return "it uses the tile buffer before it waits for the scoreboard";
        accesses = accesses || access;
        if (high >> 28 == SCOREBOARD_SIGNAL_UNLOCK && i + 1 < count)
            return "it unlocks the scoreboard before its end";
    }
    if (!accesses)
        return "it does not use the tile buffer";
    return count && code[2 * count - 1] >> 28 == SCOREBOARD_SIGNAL_UNLOCK
               ? NULL
               : "its last instruction does not unlock the scoreboard";
}

#endif
