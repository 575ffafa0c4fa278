/* SPDX-License-Identifier: MIT */
#include "model/svp64/swizzle_insn.h"

#include <stddef.h>

/* Sources: the mv.swizzle page (encoding), openpower-isa power_svp64_rm.py (RM). Power numbers bits from the
 * most significant one, so `low` is 31 or 55 minus the number of the field's last bit. */
const struct bit_field swizzle_fields[SWIZZLE_FIELDS + 1] = {
    [SWIZZLE_XO] = {"XO", 0, 4, NULL},
    [SWIZZLE_SELECT_W] = {"W", 4, 3, NULL},
    [SWIZZLE_SELECT_Z] = {"Z", 7, 3, NULL},
    [SWIZZLE_SELECT_Y] = {"Y", 10, 3, NULL},
    [SWIZZLE_SELECT_X] = {"X", 13, 3, NULL},
    [SWIZZLE_RA] = {"RAp", 16, 5, NULL},
    [SWIZZLE_RT] = {"RTp", 21, 5, NULL},
    [SWIZZLE_PO] = {"PO", 26, 6, NULL},
    [SWIZZLE_MODE] = {"MODE", 32, 5, NULL},
    [SWIZZLE_MASK_SRC] = {"MASK_SRC", 37, 3, NULL},
    [SWIZZLE_EXTRA_SRC] = {"EXTRA3_src", 40, 3, NULL},
    [SWIZZLE_EXTRA_DST] = {"EXTRA3_dst", 43, 3, NULL},
    [SWIZZLE_SUBVL] = {"SUBVL", 46, 2, NULL},
    [SWIZZLE_ELWIDTH_SRC] = {"ELWIDTH_SRC", 48, 2, NULL},
    [SWIZZLE_ELWIDTH] = {"ELWIDTH", 50, 2, NULL},
    [SWIZZLE_MASK] = {"MASK", 52, 3, NULL},
    [SWIZZLE_MASKMODE] = {"MASKMODE", 55, 1, NULL},
    [SWIZZLE_UNUSED] = {"-", 56, 6, NULL},
    [SWIZZLE_SINGLE] = {"single", 62, 1, NULL},
    [SWIZZLE_PREFIX] = {"prefix", 63, 1, NULL},
};

void swizzle_take_fields(const uint32_t *words, struct swizzle_insn *i)
{
    uint64_t bits = (uint64_t)words[1] << 32 | words[0];
    for (unsigned f = 0; f < SWIZZLE_FIELDS; f++)
        i->field[f] = (uint8_t)(bits >> swizzle_fields[f].low & ((1U << swizzle_fields[f].width) - 1));
}

bool swizzle_is_move(const struct swizzle_insn *i)
{
    bool swizzle = i->field[SWIZZLE_PO] == 0 &&
                   (i->field[SWIZZLE_XO] == SWIZZLE_XO_MV || i->field[SWIZZLE_XO] == SWIZZLE_XO_FMV);
    if (!i->field[SWIZZLE_PREFIX])
        return swizzle;
    bool vector = (i->field[SWIZZLE_EXTRA_DST] | i->field[SWIZZLE_EXTRA_SRC]) & SWIZZLE_EXTRA_VECTOR;
    return swizzle && i->field[SWIZZLE_UNUSED] == 0 && !(i->field[SWIZZLE_SINGLE] && vector);
}

bool swizzle_decode(const uint32_t *words, struct swizzle_insn *i)
{
    swizzle_take_fields(words, i);
    return swizzle_is_move(i) && (i->field[SWIZZLE_PREFIX] || words[1] == 0);
}

void swizzle_encode(const struct swizzle_insn *i, uint32_t *words)
{
    uint64_t bits = 0;
    for (unsigned f = 0; f < SWIZZLE_FIELDS; f++)
        bits |= (uint64_t)i->field[f] << swizzle_fields[f].low;
    words[0] = (uint32_t)bits;
    words[1] = (uint32_t)(bits >> 32);
}
