/* SPDX-License-Identifier: MIT */
/* Shows the decoded fields of an instruction and of SVSTATE to the observer, and stores what rules make of
 * the fields. */
#include "model/svp64/swizzle_observe.h"

#include "model/svp64/swizzle_element.h"
#include "model/svp64/swizzle_float.h"

/* A field that source and destination both have, and its point. */
static const struct pair {
    uint8_t point, source, destination; /* enum swizzle_field */
} pairs[] = {
    {SWIZZLE_POINT_INSN_REGISTER, SWIZZLE_RA, SWIZZLE_RT},
    {SWIZZLE_POINT_INSN_EXTRA, SWIZZLE_EXTRA_SRC, SWIZZLE_EXTRA_DST},
    {SWIZZLE_POINT_INSN_MASK, SWIZZLE_MASK_SRC, SWIZZLE_MASK},
};

static void observe_pair(const struct swizzle_machine *m, const struct pair *p, const uint32_t *words,
                         struct swizzle_insn *i)
{
    for (unsigned side = 0; side < 2; side++) {
        uint8_t *field = &i->field[side ? p->destination : p->source];
        *field = (uint8_t)OBSERVE(m->observer, p->point, *field, side, swizzle_form(i), words[0], words[1]);
    }
}

static void observe_prefix(const struct swizzle_machine *m, const uint32_t *words, struct swizzle_insn *i)
{
    uint8_t *f = i->field;
    unsigned form = swizzle_form(i), fp = swizzle_is_fp(i);
    observe_pair(m, &pairs[1], words, i);
    observe_pair(m, &pairs[2], words, i);
    for (unsigned side = 0; side < 2; side++) {
        uint8_t *width = &f[side ? SWIZZLE_ELWIDTH : SWIZZLE_ELWIDTH_SRC];
        *width = (uint8_t)SWIZZLE_SEE(m, INSN_ELWIDTH, *width, side, form, fp, words[0], words[1]);
    }
    f[SWIZZLE_MASKMODE] =
        (uint8_t)SWIZZLE_SEE(m, INSN_MASKMODE, f[SWIZZLE_MASKMODE], form, words[0], words[1]);
    f[SWIZZLE_SUBVL] = (uint8_t)SWIZZLE_SEE(m, INSN_SUBVL, f[SWIZZLE_SUBVL], form, words[0], words[1]);
    f[SWIZZLE_MODE] = (uint8_t)SWIZZLE_SEE(m, INSN_MODE, f[SWIZZLE_MODE], form, fp, words[0], words[1]);
    f[SWIZZLE_UNUSED] = (uint8_t)SWIZZLE_SEE(m, INSN_UNUSED, f[SWIZZLE_UNUSED], words[0], words[1]);
}

bool swizzle_observe_fields(const struct swizzle_machine *m, const uint32_t *words, struct swizzle_insn *i)
{
    uint8_t *f = i->field;
    const uint32_t taken[] = {SWIZZLE_SEE(m, INSN_WORD, words[0], 0, words[1]),
                              SWIZZLE_SEE(m, INSN_WORD, words[1], 1, words[0])};
    swizzle_take_fields(taken, i);
    f[SWIZZLE_PO] = (uint8_t)SWIZZLE_SEE(m, INSN_PO, f[SWIZZLE_PO], words[0], words[1]);
    f[SWIZZLE_XO] = (uint8_t)SWIZZLE_SEE(m, INSN_XO, f[SWIZZLE_XO], words[0], words[1]);
    bool stray = !f[SWIZZLE_PREFIX] && words[1];
    f[SWIZZLE_PREFIX] = (uint8_t)SWIZZLE_SEE(m, INSN_PREFIX, f[SWIZZLE_PREFIX], words[0], words[1]);
    if (f[SWIZZLE_PREFIX])
        f[SWIZZLE_SINGLE] = (uint8_t)SWIZZLE_SEE(m, INSN_SINGLE, f[SWIZZLE_SINGLE], words[0], words[1]);
    unsigned form = swizzle_form(i), fp = swizzle_is_fp(i), imm = words[0] >> 4 & 0xFFF;
    for (unsigned p = 0; p < SWIZZLE_POSITIONS; p++) {
        uint8_t *selector = &f[SWIZZLE_SELECT_X - p];
        *selector = (uint8_t)SWIZZLE_SEE(m, INSN_SELECTOR, *selector, p, imm, form, fp, words[0]);
    }
    observe_pair(m, &pairs[0], words, i);
    if (!f[SWIZZLE_PREFIX]) /* scalar() reads EXTRA also without a prefix */
        f[SWIZZLE_EXTRA_SRC] = f[SWIZZLE_EXTRA_DST] = 0;
    else
        observe_prefix(m, words, i);
    return swizzle_is_move(i) && !(stray && !f[SWIZZLE_PREFIX]);
}

void swizzle_observe_state(struct swizzle_machine *m, const struct swizzle_insn *i, unsigned maxvl,
                           uint32_t high, uint32_t low)
{
    struct svstate *s = &m->state;
    unsigned single = i->field[SWIZZLE_SINGLE];
    s->vertical_first = SWIZZLE_SEE(m, SVSTATE_VERTICAL, s->vertical_first, s->vl, single, low);
    s->vl = (uint8_t)SWIZZLE_SEE(m, SVSTATE_VL, s->vl, maxvl, s->vertical_first, single, high);
    s->srcstep = (uint8_t)SWIZZLE_SEE(m, SVSTATE_STEP, s->srcstep, 0, s->vl, high);
    s->dststep = (uint8_t)SWIZZLE_SEE(m, SVSTATE_STEP, s->dststep, 1, s->vl, high);
    s->ssubstep = (uint8_t)SWIZZLE_SEE(m, SVSTATE_SUBSTEP, s->ssubstep, 0, s->vl, high);
    s->dsubstep = (uint8_t)SWIZZLE_SEE(m, SVSTATE_SUBSTEP, s->dsubstep, 1, s->vl, high);
    s->pack = SWIZZLE_SEE(m, SVSTATE_PACK, s->pack, 0, s->vertical_first, single, low);
    s->unpack = SWIZZLE_SEE(m, SVSTATE_PACK, s->unpack, 1, s->vertical_first, single, low);
}

enum swizzle_stop swizzle_refuse(const struct swizzle_machine *m, const struct swizzle_insn *i,
                                 uint32_t second_word, enum swizzle_stop stop)
{
    if (!SWIZZLE_WANTS(m, INSN_STOP))
        return stop;
    unsigned vector = (i->field[SWIZZLE_EXTRA_DST] | i->field[SWIZZLE_EXTRA_SRC]) & SWIZZLE_EXTRA_VECTOR;
    return SWIZZLE_SEE_STOP(m, INSN_STOP, stop, swizzle_form(i), swizzle_is_fp(i), i->field[SWIZZLE_MODE],
                            i->field[SWIZZLE_SUBVL], swizzle_imm(i), i->field[SWIZZLE_PO],
                            i->field[SWIZZLE_XO], i->field[SWIZZLE_UNUSED], vector != 0,
                            i->field[SWIZZLE_EXTRA_SRC], i->field[SWIZZLE_EXTRA_DST],
                            second_word && !(second_word >> 31));
}

enum swizzle_stop swizzle_refuse_group(const struct swizzle_machine *m, const struct swizzle_insn *i,
                                       const uint8_t selector[SWIZZLE_POSITIONS], unsigned subvl,
                                       enum swizzle_stop stop)
{
    unsigned first = SWIZZLE_POSITIONS, behind = 0, imm = 0, not_skips = 0, not_ends = 0;
    if (!SWIZZLE_WANTS(m, GROUP_STOP))
        return stop;
    for (unsigned p = 0; p < SWIZZLE_POSITIONS; p++) {
        if (first < SWIZZLE_POSITIONS) {
            behind = behind << 3 | (selector[p] & 7);
            not_skips += selector[p] != SELECT_SKIP;
            not_ends += selector[p] != SELECT_END;
        } else if (selector[p] == SELECT_END)
            first = p;
        imm = imm << 3 | (selector[p] & 7);
    }
    return SWIZZLE_SEE_STOP(m, GROUP_STOP, stop, swizzle_form(i), swizzle_is_fp(i), first, behind, subvl, imm,
                            not_skips, not_ends);
}

/* ---- values ---- */

uint64_t swizzle_observe_written(const struct swizzle_machine *m, const struct swizzle_insn *i,
                                 unsigned element, unsigned move, uint64_t value)
{
    unsigned fp = swizzle_is_fp(i), form = swizzle_form(i);
    uint32_t low = (uint32_t)value;
    uint64_t high = SWIZZLE_SEE(m, WRITE_HIGH, (uint32_t)(value >> 32), element, move, low, fp, form);
    return high << 32 | SWIZZLE_SEE(m, WRITE_LOW, low, element, move, (uint32_t)(value >> 32), fp, form);
}

uint64_t swizzle_observe_read(const struct swizzle_machine *m, const struct swizzle_insn *i, unsigned element,
                              unsigned width, uint64_t value)
{
    unsigned fp = swizzle_is_fp(i), form = swizzle_form(i);
    uint64_t high = SWIZZLE_SEE(m, READ_HIGH, (uint32_t)(value >> 32), element, width, fp, form);
    return high << 32 | SWIZZLE_SEE(m, READ_LOW, (uint32_t)value, element, width, fp, form);
}

uint64_t swizzle_observe_one(const struct swizzle_machine *m, const struct swizzle_insn *i,
                             const struct swizzle_conversion *c, uint64_t value)
{
    unsigned fp = swizzle_is_fp(i), form = swizzle_form(i), kind = c->mode;
    if (!SWIZZLE_WANTS(m, ONE_HIGH) && !SWIZZLE_WANTS(m, ONE_LOW))
        return value;
    uint64_t largest = fp ? swizzle_float_largest(c->to) : 0;
    uint64_t high = SWIZZLE_SEE(m, ONE_HIGH, (uint32_t)(value >> 32), c->from, c->to, kind, fp, form,
                                (uint32_t)(largest >> 32));
    return high << 32 |
           SWIZZLE_SEE(m, ONE_LOW, (uint32_t)value, c->from, c->to, kind, fp, form, (uint32_t)largest);
}

uint64_t swizzle_observe_result(const struct swizzle_machine *m, const struct swizzle_insn *i,
                                const struct swizzle_conversion *c, uint64_t source, unsigned clamped,
                                uint64_t value)
{
    unsigned fp = swizzle_is_fp(i), kind = c->mode;
    uint32_t low = (uint32_t)source, high = (uint32_t)(source >> 32);
    if (!SWIZZLE_WANTS(m, RESULT_HIGH) && !SWIZZLE_WANTS(m, RESULT_LOW))
        return value;
    bool nan = fp && swizzle_float_is_nan(c->from, source);
    uint64_t converted = nan  ? swizzle_float_convert_nan(c->from, c->to, source, READING_MANUAL)
                         : fp ? swizzle_float_convert(c->from, c->to, source)
                              : 0,
             quiet = nan ? swizzle_float_quiet_bit(c->to) : 0;
    uint64_t above = SWIZZLE_SEE(m, RESULT_HIGH, (uint32_t)(value >> 32), low, high, c->from, c->to, kind, fp,
                                 (uint32_t)(converted >> 32), (uint32_t)(quiet >> 32), clamped);
    return above << 32 | SWIZZLE_SEE(m, RESULT_LOW, (uint32_t)value, low, high, c->from, c->to, kind, fp,
                                     (uint32_t)converted, (uint32_t)quiet, clamped);
}
