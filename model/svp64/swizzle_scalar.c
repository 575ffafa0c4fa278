/* SPDX-License-Identifier: MIT */
/* The form without a prefix, and with SVP64Single's: four 32-bit lanes in a pair of registers (mv.swizzle
 * page, scalar form). */
#include "model/svp64/swizzle_plan.h"

#include <string.h>

enum { BINARY32_ONE = 0x3F800000, BINARY64_ONE_UPPER = 0x3FF00000 };

/* The page's sentence about "..XY" describes what "ZW.." does. */
static void apply_dotdot_sentence(const struct swizzle_machine *m, const struct swizzle_insn *i,
                                  unsigned selector[SWIZZLE_POSITIONS])
{
    static const uint8_t pattern[SWIZZLE_POSITIONS] = {SELECT_SKIP, SELECT_SKIP, SELECT_X, SELECT_Y};
    static const uint8_t meant[SWIZZLE_POSITIONS] = {SELECT_Z, SELECT_W, SELECT_SKIP, SELECT_SKIP};
    for (unsigned p = 0; p < SWIZZLE_POSITIONS; p++)
        if (selector[p] != pattern[p])
            return;
    if (swizzle_reading(m, SWIZ_DOTDOT_XY, swizzle_is_fp(i)) == DOTDOT_SENTENCE)
        for (unsigned p = 0; p < SWIZZLE_POSITIONS; p++)
            selector[p] = meant[p];
}

/* Replaces an end marker, and by most readings all later selectors, by skips. */
static enum swizzle_stop end_at_marker(const struct swizzle_machine *m, const struct swizzle_insn *i,
                                       unsigned selector[SWIZZLE_POSITIONS])
{
    for (unsigned p = 0; p < SWIZZLE_POSITIONS; p++) {
        if (selector[p] != SELECT_END)
            continue;
        switch (swizzle_reading(m, SWIZ_END_SCALAR, swizzle_is_fp(i))) {
        case END_SCALAR_RESERVED:
            return SWIZZLE_STOP_SCALAR_END;
        case END_SCALAR_SKIPS:
            selector[p] = SELECT_SKIP;
            break;
        default:
            while (p < SWIZZLE_POSITIONS)
                selector[p++] = SELECT_SKIP;
        }
    }
    return SWIZZLE_GO;
}

static uint32_t one(const struct swizzle_machine *m, const struct swizzle_insn *i)
{
    if (!swizzle_is_fp(i))
        return 1;
    return swizzle_reading(m, SWIZ_FMV_ONE, 0) == FMV_ONE_UPPER_DOUBLE ? BINARY64_ONE_UPPER : BINARY32_ONE;
}

static uint32_t copied(const struct swizzle_machine *m, const struct swizzle_insn *i, uint32_t lane)
{
    bool signalling = swizzle_is_fp(i) && (lane & 0x7FC00000) == 0x7F800000 && lane & 0x003FFFFF;
    return signalling && swizzle_reading(m, SWIZ_FMV_BITS, 0) == FMV_QUIETS ? lane | 0x00400000 : lane;
}

/* Writes the selected lanes to `result`. */
static void select_lanes(const struct swizzle_machine *m, const struct swizzle_insn *i,
                         const unsigned *selector, unsigned swap, const uint32_t source[SWIZZLE_POSITIONS],
                         uint32_t result[SWIZZLE_POSITIONS])
{
    for (unsigned p = 0; p < SWIZZLE_POSITIONS; p++) {
        uint32_t *lane = &result[p ^ swap];
        switch (selector[p]) {
        case SELECT_SKIP:
        case SELECT_END:
            continue;
        case SELECT_ZERO:
            *lane = 0;
            swizzle_record(m, p, MOVE_ZERO);
            break;
        case SELECT_ONE:
            *lane = one(m, i);
            swizzle_record(m, p, MOVE_ONE);
            break;
        default:
            *lane = copied(m, i, source[(selector[p] - SELECT_X) ^ swap]);
            swizzle_record(m, p, MOVE_COPY + (selector[p] - SELECT_X));
        }
    }
}

/* Reads the selectors that count. A predicate that masks the swizzle turns all of them into zeros. */
static enum swizzle_stop read_selectors(const struct swizzle_machine *m, const struct swizzle_insn *i,
                                        bool masked, unsigned selector[SWIZZLE_POSITIONS])
{
    for (unsigned p = 0; p < SWIZZLE_POSITIONS; p++)
        selector[p] = swizzle_selector(i, p);
    apply_dotdot_sentence(m, i, selector);
    enum swizzle_stop stop = end_at_marker(m, i, selector);
    for (unsigned p = 0; p < SWIZZLE_POSITIONS && masked; p++)
        selector[p] = selector[p] >= SELECT_ZERO ? SELECT_ZERO : SELECT_SKIP;
    return stop;
}

static enum swizzle_stop scalar(struct swizzle_machine *m, const struct swizzle_insn *i, bool masked)
{
    unsigned rt = swizzle_register(i->field[SWIZZLE_RT], i->field[SWIZZLE_EXTRA_DST]),
             ra = swizzle_register(i->field[SWIZZLE_RA], i->field[SWIZZLE_EXTRA_SRC]),
             selector[SWIZZLE_POSITIONS];
    if ((rt | ra) & 1 && swizzle_reading(m, SWIZ_ODD_REG, swizzle_is_fp(i)) != ODD_ROUNDS_DOWN)
        return SWIZZLE_STOP_ODD_REGISTER;
    enum swizzle_stop stop = read_selectors(m, i, masked, selector);
    if (stop || (masked && !(i->field[SWIZZLE_MODE] & MODE_DZ)))
        return stop;

    const struct svp64_rows *file = swizzle_file(m, i);
    /* lane p is word p ^ swap */
    const unsigned swap = swizzle_reading(m, SWIZ_HALF_ORDER, swizzle_is_fp(i)) == HALF_HIGH_FIRST;
    uint32_t source[SWIZZLE_POSITIONS], result[SWIZZLE_POSITIONS], to = (rt & ~1U) * 2, skips = 0;
    memcpy(source, file->value + (ra & ~1U) * 2, sizeof source);
    memcpy(result, file->value + to, sizeof result);
    for (unsigned p = 0; p < SWIZZLE_POSITIONS; p++)
        skips += selector[p] == SELECT_SKIP;
    if (skips && rt != ra && swizzle_reading(m, SWIZ_SKIP_ZERO, swizzle_is_fp(i)) != SKIP_KEEPS)
        memset(result, 0, sizeof result);
    bool in_order = rt == ra && swizzle_reading(m, SWIZ_IN_PLACE, swizzle_is_fp(i)) == IN_PLACE_IN_ORDER;
    select_lanes(m, i, selector, swap, in_order ? result : source, result);
    memcpy(file->value + to, result, sizeof result);
    svp64_touch(file, to * 4);
    m->steps += SWIZZLE_POSITIONS - skips;
    return SWIZZLE_GO;
}

enum swizzle_stop swizzle_scalar(struct swizzle_machine *m, const struct swizzle_insn *i)
{
    return scalar(m, i, false);
}

enum swizzle_stop swizzle_single(struct swizzle_machine *m, const struct swizzle_insn *i)
{
    switch (swizzle_reading(m, SWIZ_SINGLE, swizzle_is_fp(i))) {
    case SINGLE_RESERVED:
        return SWIZZLE_STOP_SINGLE;
    case SINGLE_ONE_GROUP:
        m->state = (struct svstate){.vl = 1};
        return swizzle_vector(m, i);
    default:
        return scalar(m, i, !swizzle_first_passes(m, i));
    }
}
