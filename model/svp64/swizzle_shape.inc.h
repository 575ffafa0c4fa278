/* SPDX-License-Identifier: MIT */
/* A template (swizzle_run.inc.h): the selectors of a group, and the group's length, which the end marker
 * decides (mv.swizzle page, first lines of the vectorised pseudocode). */

/* Returns the position of the first or the last end marker; 4 if there is none. */
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

/* Are the selectors after the first end marker reserved (swiz-after-end)? */
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

/* Returns the end marker's position after rules, at most 4. */
static unsigned observe_marker(const struct swizzle_machine *m, const struct swizzle_insn *i, unsigned at,
                               unsigned first, unsigned last, unsigned subvl)
{
    at = SWIZZLE_SEE(m, GROUP_MARKER, at, first, last, subvl, swizzle_imm(i));
    return at < SWIZZLE_POSITIONS ? at : SWIZZLE_POSITIONS;
}

static uint8_t positions(const struct swizzle_machine *m, bool destination, unsigned count, unsigned first,
                         unsigned last, const struct swizzle_shape *s)
{
    count = SWIZZLE_SEE(m, GROUP_POSITIONS, count < 7 ? count : 7, destination, first, last, s->source,
                        s->to_dest);
    return (uint8_t)(count < SWIZZLE_POSITIONS ? count : SWIZZLE_POSITIONS);
}

static void observe_lengths(const struct swizzle_machine *m, unsigned first, unsigned last,
                            struct swizzle_shape *s)
{
    unsigned subvl = s->source;
    s->to_dest = positions(m, true, s->to_dest, first, last, s);
    s->to_source = positions(m, false, s->to_source, first, last, s);
    s->source = (uint8_t)SWIZZLE_SEE(m, GROUP_LENGTH, subvl, 0, first, last, subvl);
    s->stride = (uint8_t)SWIZZLE_SEE(m, GROUP_LENGTH, s->stride, 1, first, last, subvl);
}

static enum swizzle_stop refuse_subvl(const struct swizzle_machine *m, const struct swizzle_insn *i,
                                      unsigned subvl)
{
    uint8_t selector[SWIZZLE_POSITIONS];
    for (unsigned p = 0; p < SWIZZLE_POSITIONS; p++)
        selector[p] = (uint8_t)swizzle_selector(i, p);
    return swizzle_refuse_group(m, i, selector, subvl, SWIZZLE_STOP_SUBVL1);
}

/* Returns the position of the first end marker after rules, at most 4. */
static unsigned observe_end(const struct swizzle_machine *m, const struct swizzle_insn *i, unsigned subvl,
                            unsigned first, unsigned last)
{
    first = SWIZZLE_SEE(m, GROUP_END, first, last, subvl, swizzle_imm(i), swizzle_is_fp(i));
    return first < SWIZZLE_POSITIONS ? first : SWIZZLE_POSITIONS;
}

static enum swizzle_stop swizzle_shape(const struct swizzle_machine *m, const struct swizzle_insn *i,
                                       struct swizzle_shape *s)
{
    unsigned subvl = i->field[SWIZZLE_SUBVL] + 1U;
    subvl = SWIZZLE_SEE(m, GROUP_SUBVL, subvl, i->field[SWIZZLE_SUBVL], swizzle_is_fp(i), swizzle_form(i));
    bool refused = subvl == 1 && swizzle_reading(m, SWIZ_SUBVL1, 0) == SUBVL1_ILLEGAL;
    enum swizzle_stop stop = refused ? SWIZZLE_STOP_SUBVL1 : SWIZZLE_GO;
    if (refused && SWIZZLE_OBSERVER(m))
        stop = refuse_subvl(m, i, subvl);
    if (stop)
        return stop;
    read_selectors(m, i, s);
    unsigned first = marker(s, false), last = marker(s, true);
    if (SWIZZLE_OBSERVER(m))
        first = observe_end(m, i, subvl, first, last);
    unsigned at = first != last && swizzle_reading(m, SWIZ_BREAK_MISSING, 0) == BREAK_LAST ? last : first;
    if (SWIZZLE_OBSERVER(m))
        at = observe_marker(m, i, at, first, last, subvl);
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
    if (SWIZZLE_OBSERVER(m))
        observe_lengths(m, first, last, s);
    if (first == 0 && swizzle_reading(m, SWIZ_END_FIRST, 0) == END_FIRST_RESERVED)
        stop = SWIZZLE_STOP_END_FIRST;
    else if (reserved_behind(m, s))
        stop = SWIZZLE_STOP_AFTER_END;
    return SWIZZLE_OBSERVER(m) && !refused ? swizzle_refuse_group(m, i, s->selector, subvl, stop) : stop;
}
