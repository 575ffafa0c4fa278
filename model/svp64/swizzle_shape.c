/* SPDX-License-Identifier: MIT */
/* The selectors of a group, and its length by the end marker (mv.swizzle page, first lines of the vectorised
 * pseudocode). */
#include "model/svp64/swizzle_plan.h"

/* The position of the first or the last end marker; 4 if there is none. */
static unsigned marker(const struct swizzle_shape *s, bool last)
{
    unsigned found = SWIZZLE_POSITIONS;
    for (unsigned p = 0; p < SWIZZLE_POSITIONS; p++)
        if (s->selector[p] == SELECT_END && (last || found == SWIZZLE_POSITIONS))
            found = p;
    return found;
}

static void read_selectors(const struct swizzle_machine *m, const struct swizzle_insn *i,
                           struct swizzle_shape *s)
{
    bool palindrome = true;
    for (unsigned p = 0; p < SWIZZLE_POSITIONS; p++) {
        s->selector[p] = (uint8_t)swizzle_selector(i, p);
        palindrome &= swizzle_selector(i, p) == swizzle_selector(i, SWIZZLE_POSITIONS - 1 - p);
    }
    if (!palindrome && swizzle_reading(m, SWIZ_IMM_SLICES, 0) == IMM_LSB0)
        for (unsigned p = 0; p < SWIZZLE_POSITIONS; p++)
            s->selector[p] = (uint8_t)swizzle_selector(i, SWIZZLE_POSITIONS - 1 - p);
}

/* Are the selectors behind the first marker reserved? */
static bool reserved_behind(const struct swizzle_machine *m, const struct swizzle_shape *s)
{
    unsigned skips = 0, ends = 0, behind = SWIZZLE_POSITIONS - 1U - s->end;
    if (s->end + 1U >= SWIZZLE_POSITIONS)
        return false;
    for (unsigned p = s->end + 1U; p < SWIZZLE_POSITIONS; p++) {
        skips += s->selector[p] == SELECT_SKIP;
        ends += s->selector[p] == SELECT_END;
    }
    switch (swizzle_reading(m, SWIZ_AFTER_END, 0)) {
    case AFTER_END_ZEROS:
        return skips < behind;
    case AFTER_END_ENDS:
        return ends < behind;
    default:
        return false;
    }
}

enum swizzle_stop swizzle_shape(const struct swizzle_machine *m, const struct swizzle_insn *i,
                                struct swizzle_shape *s)
{
    unsigned subvl = i->field[SWIZZLE_SUBVL] + 1U;
    if (subvl == 1 && swizzle_reading(m, SWIZ_SUBVL1, 0) == SUBVL1_ILLEGAL)
        return SWIZZLE_STOP_SUBVL1;
    read_selectors(m, i, s);
    unsigned first = marker(s, false), last = marker(s, true);
    unsigned at = first != last && swizzle_reading(m, SWIZ_BREAK_MISSING, 0) == BREAK_LAST ? last : first;
    s->end = (uint8_t)first;
    s->source = (uint8_t)subvl;
    s->stride = s->to_dest = s->to_source = SWIZZLE_POSITIONS;
    if (first < SWIZZLE_POSITIONS) {
        s->stride = (uint8_t)(at + (swizzle_reading(m, SWIZ_END_LENGTH, 0) != LENGTH_BEFORE_END));
        s->to_dest = (uint8_t)(swizzle_reading(m, SWIZ_END_IN_DEST, 0) == END_NOT_YIELDED ? first : at + 1);
        s->to_source = s->to_dest;
    }
    if (s->to_source != subvl && swizzle_reading(m, SWIZ_SRC_RANGE, 0) != SRC_RANGE_DESTINATION)
        s->to_source = (uint8_t)subvl;
    if (first == 0 && swizzle_reading(m, SWIZ_END_FIRST, 0) == END_FIRST_RESERVED)
        return SWIZZLE_STOP_END_FIRST;
    return reserved_behind(m, s) ? SWIZZLE_STOP_AFTER_END : SWIZZLE_GO;
}
