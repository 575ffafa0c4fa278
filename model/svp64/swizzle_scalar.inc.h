/* SPDX-License-Identifier: MIT */
/* A template (swizzle_run.inc.h): the forms without a prefix and with an SVP64Single prefix. They move four
 * 32-bit lanes in a pair of registers (mv.swizzle page, scalar form). */

enum { BINARY32_ONE = 0x3F800000, BINARY64_ONE_UPPER = 0x3FF00000 };

/* Applies swiz-dotdot-xy: the page's sentence about "..XY" describes the effect of "ZW..". */
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

/* Replaces an end marker, and under most readings of swiz-end-scalar all later selectors, by skips. */
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

/* The conversion of a lane, as input of the points that copies pass in all forms. */
static const struct swizzle_conversion as_lane = {
    .kind = AS_IT_IS, .from = WIDTH_32, .to = WIDTH_32, .from_bits = 32, .to_bits = 32};

static uint32_t one(const struct swizzle_machine *m, const struct swizzle_insn *i)
{
    bool fp = swizzle_is_fp(i);
    uint32_t value = !fp                                                           ? 1
                     : swizzle_reading(m, SWIZ_FMV_ONE, 0) == FMV_ONE_UPPER_DOUBLE ? BINARY64_ONE_UPPER
                                                                                   : BINARY32_ONE;
    return SWIZZLE_OBSERVER(m) ? (uint32_t)swizzle_observe_one(m, i, &as_lane, value) : value;
}

static uint32_t copied(const struct swizzle_machine *m, const struct swizzle_insn *i, unsigned place,
                       uint32_t lane)
{
    if (SWIZZLE_OBSERVER(m))
        lane = (uint32_t)swizzle_observe_read(m, i, place, WIDTH_32, lane);
    bool signalling = swizzle_is_fp(i) && (lane & 0x7FC00000) == 0x7F800000 && lane & 0x003FFFFF;
    uint32_t value =
        signalling && swizzle_reading(m, SWIZ_FMV_BITS, 0) == FMV_QUIETS ? lane | 0x00400000 : lane;
    return SWIZZLE_OBSERVER(m) ? (uint32_t)swizzle_observe_result(m, i, &as_lane, lane, 0, value) : value;
}

/* Returns what a lane receives, in the form that swizzle_record takes. */
static unsigned received(const struct swizzle_machine *m, const struct swizzle_insn *i, unsigned position,
                         unsigned selector, bool masked)
{
    unsigned what = selector >= SELECT_X      ? MOVE_COPY + (selector - SELECT_X)
                    : selector == SELECT_ONE  ? MOVE_ONE
                    : selector == SELECT_ZERO ? MOVE_ZERO
                                              : MOVE_NONE;
    return SWIZZLE_SEE(m, MOVE_RECEIVED, what, position, position, selector, 0, 0, masked, swizzle_is_fp(i),
                       swizzle_form(i), swizzle_selector(i, position));
}

/* Returns the word of a register pair that holds a lane. */
static unsigned word_of(const struct swizzle_machine *m, const struct swizzle_insn *i, bool destination,
                        unsigned lane, unsigned swap)
{
    return SWIZZLE_SEE(m, LANE_WORD, lane ^ swap, destination, lane, swizzle_is_fp(i), swizzle_form(i));
}

/* Writes the selected lanes to `result`. */
static void select_lanes(const struct swizzle_machine *m, const struct swizzle_insn *i,
                         const unsigned *selector, bool masked, unsigned swap,
                         const uint32_t source[SWIZZLE_POSITIONS], uint32_t result[SWIZZLE_POSITIONS])
{
    for (unsigned p = 0; p < SWIZZLE_POSITIONS; p++) {
        unsigned what = received(m, i, p, selector[p], masked), from = what % SWIZZLE_POSITIONS;
        uint32_t value = 0;
        if (what == MOVE_NONE || (what > MOVE_MASKED && what < MOVE_COPY))
            continue;
        if (what == MOVE_ONE)
            value = one(m, i);
        else if (what >= MOVE_COPY)
            value = copied(m, i, from, source[word_of(m, i, false, from, swap)]);
        uint32_t *lane = &result[word_of(m, i, true, p, swap)];
        value = SWIZZLE_SEE(m, LANE_VALUE, value, p, what, *lane, masked, swizzle_is_fp(i), swizzle_form(i));
        if (!SWIZZLE_SEE(m, WRITE_DONE, 1, p, what, value, swizzle_is_fp(i), swizzle_form(i)))
            continue;
        *lane = value;
        swizzle_record(m, p,
                       SWIZZLE_SEE(m, MOVE_RECORDED, what < MOVE_COPY ? what : MOVE_COPY + from, p,
                                   swizzle_is_fp(i), swizzle_form(i)));
    }
}

/* Shows the selectors that the scalar form applies, and stores what rules make of them. */
static void observe_selectors(const struct swizzle_machine *m, const struct swizzle_insn *i, bool masked,
                              unsigned selector[SWIZZLE_POSITIONS])
{
    unsigned first = 0, fp = swizzle_is_fp(i), form = swizzle_form(i);
    while (first < SWIZZLE_POSITIONS && swizzle_selector(i, first) != SELECT_END)
        first++;
    for (unsigned p = 0; p < SWIZZLE_POSITIONS; p++) {
        selector[p] = SWIZZLE_SEE(m, LANE_SELECTOR, selector[p], p, swizzle_selector(i, p), first, masked,
                                  swizzle_imm(i), fp, form);
        if (selector[p] == SELECT_END) /* only after rules */
            selector[p] = SELECT_SKIP;
    }
}

/* Sets the selectors to apply. If a predicate masks the swizzle, all selectors but skips become zeros. */
static enum swizzle_stop read_lanes(const struct swizzle_machine *m, const struct swizzle_insn *i,
                                    bool masked, unsigned selector[SWIZZLE_POSITIONS])
{
    uint8_t encoded[SWIZZLE_POSITIONS];
    for (unsigned p = 0; p < SWIZZLE_POSITIONS; p++)
        selector[p] = encoded[p] = (uint8_t)swizzle_selector(i, p);
    apply_dotdot_sentence(m, i, selector);
    enum swizzle_stop stop = end_at_marker(m, i, selector);
    if (SWIZZLE_OBSERVER(m))
        stop = swizzle_refuse_group(m, i, encoded, i->field[SWIZZLE_SUBVL] + 1U, stop);
    for (unsigned p = 0; p < SWIZZLE_POSITIONS && masked; p++)
        selector[p] = selector[p] >= SELECT_ZERO ? SELECT_ZERO : SELECT_SKIP;
    if (SWIZZLE_OBSERVER(m))
        observe_selectors(m, i, masked, selector);
    return stop;
}

/* Returns the set of positions that are skipped. */
static unsigned skipped(const unsigned selector[SWIZZLE_POSITIONS])
{
    unsigned set = 0;
    for (unsigned p = 0; p < SWIZZLE_POSITIONS; p++)
        set |= (unsigned)(selector[p] == SELECT_SKIP) << p;
    return set;
}

/* Returns the word of a register file at which an operand's pair of registers begins. */
static uint32_t pair_word(const struct swizzle_machine *m, const struct swizzle_insn *i, bool destination,
                          unsigned number)
{
    enum { LAST = SVP64_REGISTERS * 2 - SWIZZLE_POSITIONS };
    uint32_t word =
        SWIZZLE_SEE(m, LANE_PAIR, (number & ~1U) * 2, destination, number, swizzle_is_fp(i), swizzle_form(i));
    return word < LAST ? word : LAST;
}

static enum swizzle_stop scalar(struct swizzle_machine *m, const struct swizzle_insn *i, bool masked)
{
    unsigned rt, ra, selector[SWIZZLE_POSITIONS];
    enum swizzle_stop stop = swizzle_number(m, i, true, &ra);
    if (!stop)
        stop = swizzle_number(m, i, false, &rt);
    if (!stop)
        stop = read_lanes(m, i, masked, selector);
    bool zeroing = i->field[SWIZZLE_MODE] & MODE_DZ;
    if (stop || !SWIZZLE_SEE(m, SCALAR_DONE, !masked || zeroing, masked, zeroing, swizzle_form(i)))
        return stop;

    const struct svp64_rows *file = swizzle_file(m, i);
    /* lane p is word p ^ swap */
    const unsigned swap = swizzle_reading(m, SWIZ_HALF_ORDER, swizzle_is_fp(i)) == HALF_HIGH_FIRST;
    uint32_t source[SWIZZLE_POSITIONS], result[SWIZZLE_POSITIONS], to = pair_word(m, i, true, rt), skips = 0;
    memcpy(source, file->value + pair_word(m, i, false, ra), sizeof source);
    memcpy(result, file->value + to, sizeof result);
    for (unsigned p = 0; p < SWIZZLE_POSITIONS; p++)
        skips += selector[p] == SELECT_SKIP;
    bool clears = skips && rt != ra && swizzle_reading(m, SWIZ_SKIP_ZERO, swizzle_is_fp(i)) != SKIP_KEEPS;
    if (SWIZZLE_SEE(m, LANE_CLEARED, clears, rt == ra, skips, swizzle_is_fp(i), swizzle_form(i),
                    skipped(selector)))
        memset(result, 0, sizeof result);
    bool ahead = rt != ra || swizzle_reading(m, SWIZ_IN_PLACE, swizzle_is_fp(i)) != IN_PLACE_IN_ORDER;
    ahead = SWIZZLE_SEE(m, READ_AHEAD, ahead, swizzle_form(i), rt == ra, 0, swizzle_is_fp(i)) || rt != ra;
    select_lanes(m, i, selector, masked, swap, ahead ? source : result, result);
    memcpy(file->value + to, result, sizeof result);
    svp64_touch(file, to * 4);
    svp64_touch(file, (to + SWIZZLE_POSITIONS - 1) * 4); /* a rule can put the pair across two rows */
    m->steps += SWIZZLE_POSITIONS - skips;
    return SWIZZLE_GO;
}

static enum swizzle_stop swizzle_scalar(struct swizzle_machine *m, const struct swizzle_insn *i)
{
    return scalar(m, i, false);
}

/* The vectorised form of one group. */
static enum swizzle_stop swizzle_one_group(struct swizzle_machine *m, const struct swizzle_insn *i)
{
    m->state = (struct svstate){.vl = 1};
    return swizzle_has_mode(i->field[SWIZZLE_MODE]) ? swizzle_vector(m, i) : SWIZZLE_STOP_MODE;
}

static enum swizzle_stop swizzle_single(struct swizzle_machine *m, const struct swizzle_insn *i)
{
    switch (swizzle_reading(m, SWIZ_SINGLE, swizzle_is_fp(i))) {
    case SINGLE_RESERVED:
        return SWIZZLE_STOP_SINGLE;
    case SINGLE_ONE_GROUP:
        return swizzle_one_group(m, i);
    default:
        return scalar(m, i, !swizzle_first_passes(m, i));
    }
}
