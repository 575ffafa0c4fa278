/* SPDX-License-Identifier: MIT */
#include "oracle/describe/picture.h"

#include "oracle/compare/compare.h"

#include <string.h>

const char *const look_words[LOOKS] = {
    [LOOK_PLAIN] = "unchanged",
    [LOOK_CHANGED] = "changed, both agree",
    [LOOK_DIFFERS] = "differs: changed on this side",
    [LOOK_DIFFERS_MISSING] = "differs: left unchanged on this side",
    [LOOK_UNKNOWN] = "not compared",
};

bool picture_contents(const struct picture *p)
{
    return p->side[SIDE_MODEL]->end == END_DONE &&
           (!p->side[SIDE_BOARD] || p->side[SIDE_BOARD]->end == END_DONE);
}

static uint32_t word_index(const struct picture *p, uint32_t row, uint32_t col)
{
    return row * p->unit->layout.row_words + col;
}

uint32_t picture_word(const struct picture *p, unsigned side, uint32_t row, uint32_t col)
{
    return p->side[side]->value[word_index(p, row, col)];
}

/* Returns the mask and the tolerance under which a word is compared. If the picture has only one side, they
 * are those of that side. */
static struct word_rule rule_of(const struct picture *p, const struct region *g, uint32_t row, uint32_t col)
{
    struct known_word known[SIDES];
    uint32_t room[ROW_WORDS_MAX];
    for (unsigned s = 0; s < SIDES; s++) {
        const struct outcome *o = p->side[s];
        known[s] = (struct known_word){UINT32_MAX, 0};
        if (o && !o->complete && !outcome_touched(o, row))
            known[s].defined = 0;
        else if (o && o->checked)
            known[s] =
                (struct known_word){outcome_masks(o, row, room)[col],
                                    outcome_tolerant(o, row) ? o->tolerance[word_index(p, row, col)] : 0};
    }
    return word_rule_of(region_bits(g), known[SIDE_MODEL], known[SIDE_BOARD]);
}

uint32_t picture_mask(const struct picture *p, const struct region *g, uint32_t row, uint32_t col)
{
    return rule_of(p, g, row, col).mask;
}

uint32_t picture_tolerance(const struct picture *p, const struct region *g, uint32_t row, uint32_t col)
{
    return rule_of(p, g, row, col).tolerance;
}

enum look picture_look(const struct picture *p, const struct region *g, unsigned side, uint32_t row,
                       uint32_t col, uint32_t bits)
{
    bits &= region_bits(g);
    if (!bits)
        return LOOK_PLAIN;
    struct word_rule rule = rule_of(p, g, row, col);
    uint32_t mine = picture_word(p, side, row, col);
    uint32_t changed = (mine ^ p->initial->value[word_index(p, row, col)]) & bits;
    uint32_t other = p->side[SIDE_BOARD] ? picture_word(p, 1 - side, row, col) : mine;
    uint32_t mask = rule.tolerance ? bits : rule.mask & bits; /* a tolerance compares the whole word */
    if (word_difference_bits(&rule, mine, other) & bits)
        return changed & mask ? LOOK_DIFFERS : LOOK_DIFFERS_MISSING;
    if (mask != bits && (changed || !mask))
        return LOOK_UNKNOWN;
    return changed ? LOOK_CHANGED : LOOK_PLAIN;
}

struct row_state picture_row(const struct picture *p, const struct region *g, uint32_t row)
{
    struct row_state s = {0};
    for (unsigned side = 0; side < SIDES && p->side[side]; side++) {
        s.touched = s.touched || outcome_touched(p->side[side], row);
        for (uint32_t col = 0; col < g->cols; col++) {
            enum look l = picture_look(p, g, side, row, col, 0xFFFFFFFF);
            s.differs = s.differs || l == LOOK_DIFFERS || l == LOOK_DIFFERS_MISSING;
            s.changed = s.changed || l == LOOK_CHANGED || l == LOOK_DIFFERS ||
                        (l == LOOK_UNKNOWN && outcome_touched(p->side[side], row));
        }
    }
    return s;
}

/* Is this row touched on any side? Pictures skip all other rows, because no run has changed them. */
static bool any_side_touched(const struct picture *p, uint32_t row)
{
    return outcome_touched(p->side[SIDE_MODEL], row) ||
           (p->side[SIDE_BOARD] && outcome_touched(p->side[SIDE_BOARD], row));
}

unsigned picture_rows(const struct picture *p, const struct region *g, unsigned most, uint16_t *rows,
                      unsigned *left_out)
{
    uint8_t rank[OUTCOME_ROWS_MAX] = {0}; /* 2: differs, 1: changed, 0: neither */
    unsigned want[3] = {0}, take[3] = {0}, count = 0;
    for (uint32_t r = 0; r < g->rows && r < OUTCOME_ROWS_MAX; r++) {
        if (!any_side_touched(p, g->first_row + r))
            continue;
        struct row_state s = picture_row(p, g, g->first_row + r);
        rank[r] = s.differs ? 2 : s.changed ? 1 : 0;
        want[rank[r]]++;
    }
    take[2] = want[2] < most ? want[2] : most;
    take[1] = want[1] < most - take[2] ? want[1] : most - take[2];
    *left_out = want[1] + want[2] - take[1] - take[2];
    for (uint32_t r = 0; r < g->rows && r < OUTCOME_ROWS_MAX; r++) {
        if (!rank[r] || !take[rank[r]])
            continue;
        take[rank[r]]--;
        rows[count++] = (uint16_t)r;
    }
    return count;
}

bool picture_differs(const struct picture *p, const struct region *g)
{
    for (uint32_t r = g->first_row; p->side[SIDE_BOARD] && r < (uint32_t)g->first_row + g->rows; r++)
        if (any_side_touched(p, r) && picture_row(p, g, r).differs)
            return true;
    return false;
}

void region_row_name(const struct region *g, uint32_t row, struct text *t)
{
    if (g->row_names)
        text_add(t, "%s", g->row_names[row]);
    else if (g->drawing == DRAW_STRIP)
        text_add(t, "0x%04X", row * g->cols * 4U);
    else if (g->rows == 1)
        text_add(t, "%s", g->name);
    else if (g->drawing == DRAW_GRID)
        text_add(t, "%u", row);
    else
        text_add(t, "%s%u", g->name, row);
}

const char *picture_describe_row(const struct picture *p, const struct region *g, uint32_t row)
{
    return p->tc && p->unit->describe_row ? p->unit->describe_row(p->tc, g, row) : NULL;
}

void picture_describe(const struct picture *p, unsigned side, struct text *t)
{
    if (p->tc && p->unit->describe && p->side[side])
        p->unit->describe(p->tc, p->side[side], t);
}

/* Returns the character for one byte of a grid. picture_print prints what the characters mean. */
static char byte_mark(const struct picture *p, const struct region *g, uint32_t row, uint32_t col,
                      unsigned byte)
{
    static const char alone[LOOKS] = {'.', '#', '#', '#', '?'}, agreed[LOOKS] = {'.', '=', '!', '!', '?'};
    uint32_t bits = UINT32_C(0xFF) << (8 * byte);
    enum look model = picture_look(p, g, SIDE_MODEL, row, col, bits);
    if (!p->side[SIDE_BOARD])
        return alone[model];
    enum look board = picture_look(p, g, SIDE_BOARD, row, col, bits);
    if (model == LOOK_DIFFERS && board == LOOK_DIFFERS_MISSING)
        return 'm';
    if (model == LOOK_DIFFERS_MISSING && board == LOOK_DIFFERS)
        return 'b';
    return agreed[model];
}

static void print_grid(const struct picture *p, const struct region *g, const uint16_t *rows, unsigned count,
                       struct text *t)
{
    text_add(t, "%s (%s), a character a byte, byte 0 of each word on the left\n", g->name, g->about);
    text_add(t, p->side[SIDE_BOARD] ? "  . unchanged  = changed, equal  m changed by the model only  b by "
                                      "the board only  ! by both, differently  ? not compared\n"
                                    : "  . unchanged  # changed  ? undefined\n");
    text_add(t, "%6s", "");
    for (unsigned col = 0; col < g->cols; col++)
        text_add(t, " %-4u", col);
    for (unsigned i = 0; i < count; i++) {
        if (i && rows[i] != rows[i - 1] + 1)
            text_add(t, "\n%6s", "...");
        text_add(t, "\n%5u ", rows[i]);
        for (unsigned col = 0; col < g->cols; col++) {
            text_add(t, " ");
            for (unsigned byte = 0; byte < 4; byte++)
                text_add(t, "%c", byte_mark(p, g, g->first_row + rows[i], col, byte));
        }
        const char *meaning = picture_describe_row(p, g, rows[i]);
        if (meaning)
            text_add(t, "  %s", meaning);
    }
    text_add(t, "\n");
}

/* Prints the words of a row in hex, eight in a line. An asterisk marks words that differ. */
static void print_words(const struct picture *p, const struct region *g, uint32_t row, unsigned side,
                        const char *who, struct text *t)
{
    struct text name = {0};
    region_row_name(g, row, &name);
    int digits = (g->bits + 3) / 4;
    unsigned a_line = g->bits > 4 ? 8 : 16;
    for (unsigned col = 0; col < g->cols; col++) {
        uint32_t at = g->first_row + row;
        if (col % a_line == 0)
            text_add(t, "%s  %-10s %-6s", col ? "\n" : "", col ? "" : text_chars(&name), col ? "" : who);
        enum look l = picture_look(p, g, side, at, col, 0xFFFFFFFF);
        bool undefined = picture_mask(p, g, at, col) == 0;
        bool differs = l == LOOK_DIFFERS || l == LOOK_DIFFERS_MISSING;
        if (undefined)
            text_add(t, " %.*s ", digits, "????????");
        else
            text_add(t, " %0*X%c", digits, picture_word(p, side, at, col) & region_bits(g),
                     differs ? '*' : ' ');
    }
    text_add(t, "\n");
    text_free(&name);
}

static void print_listing(const struct picture *p, const struct region *g, const uint16_t *rows,
                          unsigned count, struct text *t)
{
    text_add(t, "%s (%s)\n", g->name, g->about);
    for (unsigned i = 0; i < count; i++) {
        bool differs = p->side[SIDE_BOARD] && picture_row(p, g, g->first_row + rows[i]).differs;
        print_words(p, g, rows[i], SIDE_MODEL, differs ? "model" : "", t);
        if (differs)
            print_words(p, g, rows[i], SIDE_BOARD, "board", t);
    }
}

void picture_print(const struct picture *p, struct text *t)
{
    const struct layout *l = &p->unit->layout;
    for (unsigned i = 0; i < l->region_count && picture_contents(p); i++) {
        const struct region *g = &l->regions[i];
        if (p->side[SIDE_BOARD] && !picture_differs(p, g))
            continue;
        uint16_t rows[PICTURE_ROWS_MAX];
        unsigned left_out, most = g->drawing == DRAW_GRID ? 64 : 8;
        unsigned count = picture_rows(p, g, most, rows, &left_out);
        if (!count)
            continue;
        if (g->drawing == DRAW_GRID)
            print_grid(p, g, rows, count, t);
        else
            print_listing(p, g, rows, count, t);
        if (left_out)
            text_add(t, "  and %u further row%s\n", left_out, plural(left_out));
    }
    if (p->tc)
        case_describe_phrase(p->tc, t);
    for (unsigned side = 0; side < SIDES; side++) {
        struct text told = {0};
        picture_describe(p, side, &told);
        if (told.length)
            text_add(t, "%s%s",
                     !p->side[SIDE_BOARD] ? ""
                     : side == SIDE_MODEL ? "model, "
                                          : "board, ",
                     text_chars(&told));
        text_free(&told);
    }
}

void outcome_picture(const struct outcome *o, const struct test_case *c, struct text *t)
{
    struct outcome *initial = outcome_new(o->unit);
    outcome_reset(initial, c);
    struct picture p = {.unit = o->unit, .tc = c, .initial = initial, .side = {o, NULL}};
    picture_print(&p, t);
    outcome_free(initial);
}
