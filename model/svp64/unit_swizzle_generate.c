/* SPDX-License-Identifier: MIT */
/*
 * Generates swizzles that are worth running: swizzles as people write them, with
 * end markers, skips and constants at every position; operands that seldom
 * overlap; widths, predicates, Pack, Unpack and Vertical-First in all
 * combinations.
 */
#include "model/svp64/unit_swizzle.h"

#define PICK(r, table) (table)[random_below(r, sizeof(table) / sizeof *(table))]

/* Images have few contents, because filling all rows costs more than running a case. */
enum { GPR_SEED = 1, FPR_SEED, CR_SEED, SEEDS = 3, OTHER_CONTENT_ONE_IN = 256 };

/* ---- instructions ---- */

static uint8_t below(struct random *r, uint32_t n)
{
    return (uint8_t)random_below(r, n);
}

/* Draws selectors up to a length, then an end marker, and mostly skips after it. */
static void some_selectors(struct random *r, struct swizzle_insn *i)
{
    unsigned length = random_one_in(r, 3) ? SWIZZLE_POSITIONS : random_below(r, SWIZZLE_POSITIONS + 1);
    if (length == 0 && !random_one_in(r, 4))
        length = 2;
    for (unsigned p = 0; p < SWIZZLE_POSITIONS; p++) {
        unsigned selector = SELECT_SKIP;
        if (p < length) {
            unsigned kind = random_below(r, 8);
            selector = kind == 0   ? SELECT_SKIP
                       : kind == 1 ? SELECT_ZERO + random_below(r, 2)
                                   : SELECT_X + random_below(r, 4);
        } else if (p == length) {
            selector = SELECT_END;
        } else if (random_one_in(r, 4)) {
            selector = random_below(r, SELECTORS);
        }
        i->field[SWIZZLE_SELECT_X - p] = (uint8_t)selector;
    }
}

static uint8_t some_pair(struct random *r)
{
    unsigned odd = random_one_in(r, 32);
    return (uint8_t)(2 * random_below(r, 16) + odd);
}

/* Makes an operand name register `number`. */
static void set_operand(struct swizzle_insn *i, bool source, bool vector, unsigned number)
{
    i->field[source ? SWIZZLE_RA : SWIZZLE_RT] = (uint8_t)(vector ? number >> 2 : number & 31);
    i->field[source ? SWIZZLE_EXTRA_SRC : SWIZZLE_EXTRA_DST] =
        (uint8_t)(vector ? SWIZZLE_EXTRA_VECTOR | (number & 3) : number >> 5);
}

/* Draws an operand, mostly with an even register. */
static void some_operand(struct random *r, struct swizzle_insn *i, bool source, bool vector)
{
    unsigned odd = random_one_in(r, 32);
    set_operand(i, source, vector, 2 * random_below(r, SVP64_REGISTERS / 2) + odd);
}

static void some_prefix(struct random *r, struct swizzle_insn *i)
{
    static const uint8_t modes[] = {
        MODE_SIMPLE, MODE_SIMPLE, MODE_SIMPLE, MODE_SIMPLE, MODE_SATURATE_UNSIGNED, MODE_SATURATE_SIGNED};
    bool vectors = !random_one_in(r, 8);
    if (random_one_in(r, 16))
        i->field[SWIZZLE_SINGLE] = 1;
    i->field[SWIZZLE_PREFIX] = 1;
    i->field[SWIZZLE_SUBVL] = (uint8_t)(random_one_in(r, 8) ? 0 : 1 + random_below(r, 3));
    i->field[SWIZZLE_ELWIDTH] = below(r, WIDTHS);
    i->field[SWIZZLE_ELWIDTH_SRC] = random_one_in(r, 2) ? i->field[SWIZZLE_ELWIDTH] : below(r, WIDTHS);
    for (unsigned source = 0; source < 2; source++)
        some_operand(r, i, source, !i->field[SWIZZLE_SINGLE] && (vectors || random_one_in(r, 2)));
    if (random_one_in(r, 8)) {
        i->field[SWIZZLE_RA] = i->field[SWIZZLE_RT];
        i->field[SWIZZLE_EXTRA_SRC] = i->field[SWIZZLE_EXTRA_DST];
    }
    i->field[SWIZZLE_MODE] = (uint8_t)(PICK(r, modes) << MODE_KIND_SHIFT);
    if (random_one_in(r, 3)) {
        i->field[SWIZZLE_MASKMODE] = below(r, 2);
        i->field[SWIZZLE_MASK] = (uint8_t)(random_one_in(r, 3) ? 0 : random_below(r, 8));
        i->field[SWIZZLE_MASK_SRC] = (uint8_t)(random_one_in(r, 3) ? 0 : random_below(r, 8));
        unsigned zeroing = random_below(r, 4);
        i->field[SWIZZLE_MODE] = (uint8_t)(i->field[SWIZZLE_MODE] | zeroing);
    }
    if (random_one_in(r, 128))
        i->field[SWIZZLE_MODE] = below(r, 32);
}

void swizzle_insn_generate(struct random *r, uint32_t *words)
{
    struct swizzle_insn i = {.field = {[SWIZZLE_XO] = SWIZZLE_XO_MV}};
    if (random_one_in(r, 3))
        i.field[SWIZZLE_XO] = SWIZZLE_XO_FMV;
    if (random_one_in(r, 16)) /* "..XY" (swiz-dotdot-xy) */
        i.field[SWIZZLE_SELECT_Z] = SELECT_X, i.field[SWIZZLE_SELECT_W] = SELECT_Y;
    else
        some_selectors(r, &i);
    i.field[SWIZZLE_RT] = some_pair(r);
    i.field[SWIZZLE_RA] = random_one_in(r, 8) ? i.field[SWIZZLE_RT] : some_pair(r);
    if (!random_one_in(r, 5))
        some_prefix(r, &i);
    swizzle_encode(&i, words);
}

/* Changes one field to a neighbouring value, a boundary value, or any value. */
void swizzle_insn_mutate(struct random *r, uint32_t *words)
{
    struct swizzle_insn i;
    if (!swizzle_decode(words, &i) || random_one_in(r, 8)) {
        swizzle_insn_generate(r, words);
        return;
    }
    if (random_one_in(r, 3)) {
        uint8_t selector = below(r, SELECTORS);
        i.field[SWIZZLE_SELECT_W + random_below(r, SWIZZLE_POSITIONS)] = selector;
    } else {
        unsigned f = random_below(r, SWIZZLE_MASKMODE + 1), most = (1U << swizzle_fields[f].width) - 1,
                 value = i.field[f];
        const unsigned choices[] = {value + 1, value - 1, 0, most,
                                    value ^ (1U << random_below(r, swizzle_fields[f].width))};
        i.field[f] = (uint8_t)(PICK(r, choices) & most);
    }
    swizzle_encode(&i, words);
}

/* ---- cases ---- */

/* Draws a vector length, also at edges of predicates: a register has 64 bits, and a predicate in the CR
 * begins at field 4 of 128. */
static uint32_t some_length(struct random *r)
{
    static const uint32_t lengths[] = {1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 9, 12, 16},
                          edges[] = {0, 63, 64, 65, 123, 124, 125, SVP64_VL_MAX};
    if (random_one_in(r, 24))
        return random_one_in(r, 2) ? PICK(r, edges) : random_below(r, SVP64_VL_MAX + 1);
    return PICK(r, lengths);
}

/* Moves one vector so that its last element is at an edge, or one register before or after the edge. The edge
 * is the end of the file or the start of the other operand. */
static void put_at_an_edge(struct random *r, uint32_t vl, struct swizzle_insn *i)
{
    bool source = random_one_in(r, 2);
    unsigned width = i->field[source ? SWIZZLE_ELWIDTH_SRC : SWIZZLE_ELWIDTH],
             length = source ? i->field[SWIZZLE_SUBVL] + 1U : 1 + random_below(r, SWIZZLE_POSITIONS),
             elements = vl * length, /* a register holds 1, 2, 4 or 8 */
        registers = random_one_in(r, 2) ? elements : (elements + (1U << width) - 1) >> width,
             other = swizzle_register(i->field[source ? SWIZZLE_RT : SWIZZLE_RA],
                                      i->field[source ? SWIZZLE_EXTRA_DST : SWIZZLE_EXTRA_SRC]),
             edge = random_one_in(r, 2) ? SVP64_REGISTERS : other;
    unsigned number = edge + random_below(r, 3) - 1 - registers;
    if (number < SVP64_REGISTERS)
        set_operand(i, source, true, number & ~1U);
}

static void some_instruction(struct random *r, uint32_t vl, uint32_t *words)
{
    struct swizzle_insn i;
    swizzle_insn_generate(r, words);
    if (!random_one_in(r, 4) || !swizzle_decode(words, &i) || !i.field[SWIZZLE_PREFIX] ||
        i.field[SWIZZLE_SINGLE])
        return;
    put_at_an_edge(r, vl, &i);
    swizzle_encode(&i, words);
}

void swizzle_case_generate(struct random *r, struct test_case *tc)
{
    struct swizzle_case *c = (struct swizzle_case *)(void *)tc->words;
    uint32_t vl = some_length(r);
    c->svstate_high = vl << SVSTATE_VL_SHIFT;
    if (random_one_in(r, 6)) {
        c->svstate_low |= SVSTATE_VERTICAL_FIRST;
        c->svstate_high |= random_below(r, vl + 1) << SVSTATE_SRCSTEP_SHIFT;
        c->svstate_high |= random_below(r, vl + 1) << SVSTATE_DSTSTEP_SHIFT;
        c->svstate_high |= random_below(r, 16);
    }
    c->svstate_low |= random_one_in(r, 4) ? SVSTATE_PACK : 0;
    c->svstate_low |= random_one_in(r, 4) ? SVSTATE_UNPACK : 0;
    c->gpr.fill = c->fpr.fill = c->cr.fill = FILL_RANDOM;
    c->gpr.seed = GPR_SEED;
    c->fpr.seed = FPR_SEED;
    c->cr.seed = CR_SEED;
    if (random_one_in(r, OTHER_CONTENT_ONE_IN)) {
        c->gpr.seed = 1 + random_below(r, SEEDS);
        c->cr.seed = random_u32(r);
        c->fpr.fill = random_below(r, FILL_KINDS);
        c->fpr.seed = c->fpr.fill == FILL_RANDOM ? FPR_SEED : 0;
    }
    c->insn_count = 1;
    some_instruction(r, vl, c->insn[0]);
}

void swizzle_case_mend(struct test_case *tc)
{
    struct swizzle_case *c = (struct swizzle_case *)(void *)tc->words;
    struct image_head *const images[] = {&c->gpr, &c->fpr};
    for (unsigned n = 0; n < 2; n++)
        images[n]->seed = images[n]->fill == FILL_RANDOM ? 1 + (images[n]->seed + SEEDS - 1) % SEEDS : 0;
    c->svstate_high &= ~(UINT32_C(0x7F) << SVSTATE_MAXVL_SHIFT); /* MAXVL has no effect here */
    c->svstate_low &= SVSTATE_PACK | SVSTATE_UNPACK | SVSTATE_VERTICAL_FIRST;
}
