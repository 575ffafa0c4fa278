/* SPDX-License-Identifier: MIT */
#include "oracle/report/report_svg.h"

#include "oracle/report/report_page.h"

#include <string.h>

static const char look_class[LOOKS] = {'k', 'c', 'd', 'm', 'u'};

static void add_title(const struct picture *p, const struct region *g, uint32_t row, uint32_t col,
                      struct text *t)
{
    uint32_t at = g->first_row + row, bits = region_bits(g);
    int digits = (g->bits + 3) / 4;
    struct text name = {0};
    region_row_name(g, row, &name);
    xml_add(t, "<title>%s row %s, %s %u", g->name, text_chars(&name),
            g->drawing == DRAW_LANES ? "element" : "column", col);
    text_add(t, ": model %0*X, board %0*X, before %0*X", digits, picture_word(p, SIDE_MODEL, at, col) & bits,
             digits, picture_word(p, SIDE_BOARD, at, col) & bits, digits,
             p->initial->value[at * p->unit->layout.row_words + col] & bits);
    uint32_t tolerance = picture_tolerance(p, g, at, col);
    if (tolerance) {
        text_add(t, ", right ");
        tolerance_print(tolerance, t);
    } else if (picture_mask(p, g, at, col) != bits) {
        text_add(t, ", compared bits %0*X", digits, picture_mask(p, g, at, col));
    }
    text_add(t, "</title>");
    text_free(&name);
}

/* --- grids: one picture for each side, one box for each word; a quarter of a box is a byte */

enum {
    GRID_LABEL = 26,
    GRID_MEANING = 58,
    GRID_TOP = 16,
    BYTE_WIDTH = 6,
    GRID_CELL = 4 * BYTE_WIDTH + 2,
    GRID_ROW = 11,
    BLOCK_ROWS = 16,
    BLOCK_GAP = 15
};

struct grid {
    const struct region *region;
    bool block[OUTCOME_ROWS_MAX / BLOCK_ROWS]; /* for each block of rows: is it drawn? */
    unsigned blocks;
};

static void draw_cell(const struct picture *p, const struct region *g, unsigned side, uint32_t row,
                      uint32_t col, unsigned x, unsigned y, struct text *t)
{
    enum look look[4];
    bool plain = true;
    for (unsigned b = 0; b < 4; b++) {
        look[b] = picture_look(p, g, side, g->first_row + row, col, UINT32_C(0xFF) << (8 * b));
        plain = plain && look[b] == LOOK_PLAIN;
    }
    if (plain)
        return;
    text_add(t, "<g>");
    add_title(p, g, row, col, t);
    for (unsigned b = 0, end; b < 4; b = end) {
        for (end = b + 1; end < 4 && look[end] == look[b] && look[b] != LOOK_DIFFERS; end++)
            ;
        if (look[b] == LOOK_PLAIN)
            continue;
        text_add(t, "<rect class=\"%c\" x=\"%u.5\" y=\"%u.5\" width=\"%u\" height=\"%d\"/>",
                 look_class[look[b]], x + 1 + b * BYTE_WIDTH, y + 1, (end - b) * BYTE_WIDTH - 1,
                 GRID_ROW - 3);
    }
    text_add(t, "</g>");
}

static void draw_block(const struct picture *p, const struct region *g, unsigned side, uint32_t first,
                       unsigned y, struct text *t)
{
    unsigned rows = g->rows - first < BLOCK_ROWS ? g->rows - first : BLOCK_ROWS;
    unsigned width = g->cols * (unsigned)GRID_CELL, height = rows * (unsigned)GRID_ROW;
    text_add(t, "<rect class=\"k\" x=\"%d\" y=\"%u\" width=\"%u\" height=\"%u\"/><path class=\"l\" d=\"",
             GRID_LABEL, y, width, height);
    for (unsigned i = 0; i <= g->cols; i++)
        text_add(t, "M%u %uv%u", GRID_LABEL + i * GRID_CELL, y, height);
    for (unsigned i = 0; i <= rows; i++)
        text_add(t, "M%d %uh%u", GRID_LABEL, y + i * GRID_ROW, width);
    text_add(t, "\"/>");
    for (unsigned i = 0; i < rows; i++) {
        unsigned top = y + i * GRID_ROW;
        text_add(t, "<text class=\"r\" x=\"%d\" y=\"%u\">%u</text>", GRID_LABEL - 4, top + GRID_ROW - 2,
                 first + i);
        const char *meaning = picture_describe_row(p, g, first + i);
        if (meaning)
            xml_add(t, "<text class=\"g\" x=\"%u\" y=\"%u\">%s</text>", GRID_LABEL + width + 4,
                    top + GRID_ROW - 2, meaning);
        for (unsigned col = 0; col < g->cols; col++)
            draw_cell(p, g, side, first + i, col, GRID_LABEL + col * GRID_CELL, top, t);
    }
}

static void draw_gap(uint32_t first, uint32_t end, unsigned width, unsigned y, struct text *t)
{
    text_add(t, "<text class=\"n\" x=\"%u\" y=\"%u\">rows %u to %u unchanged</text>", GRID_LABEL + width / 2,
             y + BLOCK_GAP - 4, first, end - 1);
}

/* The width of the rows' descriptions; 0 if there are none. */
static unsigned meaning_width(const struct picture *p, const struct region *g)
{
    for (uint32_t row = 0; row < g->rows; row++)
        if (picture_describe_row(p, g, row))
            return GRID_MEANING;
    return 0;
}

static void draw_grid_side(const struct picture *p, const struct grid *d, unsigned side, const char *who,
                           struct text *t)
{
    const struct region *g = d->region;
    struct text label = {0};
    unsigned all = (g->rows + BLOCK_ROWS - 1U) / BLOCK_ROWS, gaps = 0, rows = 0,
             width = g->cols * (unsigned)GRID_CELL, y = GRID_TOP;
    for (unsigned b = 0; b < all; b++) {
        gaps += !d->block[b] && (b == 0 || d->block[b - 1]);
        rows += d->block[b] ? BLOCK_ROWS : 0;
    }
    text_add(&label, "%s %s", g->name, who);
    text_add(t, "<div class=\"side\">");
    html_who(t, who);
    html_svg(t, "grid", GRID_LABEL + width + 2 + meaning_width(p, g),
             GRID_TOP + rows * GRID_ROW + gaps * BLOCK_GAP + 2, text_chars(&label));
    text_free(&label);
    for (unsigned i = 0; i < g->cols; i++)
        text_add(t, "<text class=\"h\" x=\"%u\" y=\"%d\">%u</text>",
                 GRID_LABEL + i * GRID_CELL + GRID_CELL / 2, GRID_TOP - 5, i);
    for (unsigned b = 0, end; b < all; b = end) {
        if (d->block[b]) {
            draw_block(p, g, side, b * BLOCK_ROWS, y, t);
            y += BLOCK_ROWS * GRID_ROW;
            end = b + 1;
            continue;
        }
        for (end = b; end < all && !d->block[end]; end++)
            ;
        draw_gap(b * BLOCK_ROWS, end * BLOCK_ROWS < g->rows ? end * BLOCK_ROWS : g->rows, width, y, t);
        y += BLOCK_GAP;
    }
    text_add(t, "</svg></div>");
}

static void draw_grid(const struct picture *p, const struct region *g, const char *const who[SIDES],
                      const uint16_t *rows, unsigned count, struct text *t)
{
    struct grid d = {.region = g};
    for (unsigned i = 0; i < count; i++)
        d.block[rows[i] / BLOCK_ROWS] = true;
    text_add(t, "<div class=\"sides\">");
    for (unsigned side = 0; side < SIDES; side++)
        draw_grid_side(p, &d, side, who[side], t);
    text_add(t, "</div>");
}

/* --- listings of registers, memory and flags: one line for each side */

enum {
    LINE_LABEL = 98,
    LINE_TOP = 18,
    LINE_HEIGHT = 18,
    LINE_GAP = 7,
    STRIP_BYTES = 32,
    LINE_CELLS = 16,
    LINES_MAX = 48
};

struct listing {
    const struct region *region;
    unsigned cell_bits, a_line, cell_width; /* bits of a cell; cells in a line; width of a cell */
    int digits;
    bool binary;
    struct line {
        uint16_t row, cell;
        bool differs;
    } line[LINES_MAX];
    unsigned lines;
};

static uint32_t cell_mask(const struct listing *d, unsigned cell, unsigned *col, unsigned *shift)
{
    unsigned a_word = 32 / d->cell_bits;
    *col = cell / a_word;
    *shift = cell % a_word * d->cell_bits;
    return (d->cell_bits == 32 ? 0xFFFFFFFF : (UINT32_C(1) << d->cell_bits) - 1) << *shift;
}

static enum look cell_look(const struct picture *p, const struct listing *d, unsigned side, uint32_t row,
                           unsigned cell)
{
    unsigned col, shift;
    uint32_t bits = cell_mask(d, cell, &col, &shift);
    return picture_look(p, d->region, side, d->region->first_row + row, col, bits);
}

/* Splits the chosen rows into lines, and keeps the lines in which something changed or differs. */
static unsigned find_lines(const struct picture *p, struct listing *d, const uint16_t *rows, unsigned count)
{
    unsigned cells = d->region->cols * (32 / d->cell_bits), dropped = 0;
    for (unsigned i = 0; i < count; i++) {
        for (unsigned first = 0; first < cells; first += d->a_line) {
            bool seen = false, differs = false;
            for (unsigned c = first; c < first + d->a_line && c < cells; c++) {
                enum look model = cell_look(p, d, SIDE_MODEL, rows[i], c),
                          board = cell_look(p, d, SIDE_BOARD, rows[i], c);
                seen = seen || model != LOOK_PLAIN || board != LOOK_PLAIN;
                differs = differs || model == LOOK_DIFFERS || model == LOOK_DIFFERS_MISSING;
            }
            if (seen && d->lines < LINES_MAX)
                d->line[d->lines++] = (struct line){rows[i], (uint16_t)first, differs};
            else
                dropped += seen;
        }
    }
    return dropped;
}

static void add_digits(const struct listing *d, uint32_t value, bool unknown, struct text *t)
{
    if (unknown)
        text_add(t, "%.*s", d->digits, "????????");
    else if (d->binary)
        for (int i = d->digits - 1; i >= 0; i--)
            text_add(t, "%u", (value >> i) & 1);
    else
        text_add(t, "%0*X", d->digits, value);
}

static void draw_line_side(const struct picture *p, const struct listing *d, const struct line *l,
                           unsigned side, unsigned y, struct text *t)
{
    unsigned cells = d->region->cols * (32 / d->cell_bits);
    text_add(t, "<rect class=\"k\" x=\"%d\" y=\"%u\" width=\"%u\" height=\"%d\"/>", LINE_LABEL, y,
             (cells - l->cell < d->a_line ? cells - l->cell : d->a_line) * d->cell_width, LINE_HEIGHT);
    for (unsigned i = 0; i < d->a_line && l->cell + i < cells; i++) {
        unsigned col, shift, x = LINE_LABEL + i * d->cell_width;
        uint32_t mask = cell_mask(d, l->cell + i, &col, &shift) & region_bits(d->region),
                 row = d->region->first_row + l->row;
        enum look look = cell_look(p, d, side, l->row, l->cell + i);
        if (look != LOOK_PLAIN) {
            text_add(t, "<g>");
            add_title(p, d->region, l->row, col, t);
            text_add(t, "<rect class=\"%c\" x=\"%u.5\" y=\"%u.5\" width=\"%u\" height=\"%d\"/>",
                     look_class[look], x + 1, y + 1, d->cell_width - 3, LINE_HEIGHT - 3);
        }
        text_add(t, "<text class=\"v%s\" x=\"%u\" y=\"%u\">", look == LOOK_DIFFERS ? " on" : "",
                 x + d->cell_width / 2, y + LINE_HEIGHT - 5);
        add_digits(d, (picture_word(p, side, row, col) & mask) >> shift,
                   !(picture_mask(p, d->region, row, col) & mask), t);
        text_add(t, look != LOOK_PLAIN ? "</text></g>" : "</text>");
    }
}

static void draw_line_label(const struct listing *d, const struct line *l, unsigned y, struct text *t)
{
    struct text name = {0};
    if (d->region->drawing == DRAW_STRIP && !d->region->row_names)
        text_add(&name, "0x%04X", l->row * d->region->cols * 4U + l->cell);
    else
        region_row_name(d->region, l->row, &name);
    if (l->cell && d->region->drawing != DRAW_STRIP)
        text_add(&name, " +%u", l->cell);
    xml_add(t, "<text class=\"b\" x=\"0\" y=\"%u\">%s</text>", y + LINE_HEIGHT - 5, text_chars(&name));
    text_free(&name);
}

static void draw_lines(const struct picture *p, const struct listing *d, const char *const who[SIDES],
                       struct text *t)
{
    unsigned height = LINE_TOP, y = LINE_TOP, width = LINE_LABEL + d->a_line * d->cell_width + 2;
    for (unsigned i = 0; i < d->lines; i++)
        height += (unsigned)((d->line[i].differs ? 2 : 1) * LINE_HEIGHT + LINE_GAP);
    struct text label = {0};
    text_add(&label, "%s of model and board", d->region->name);
    xml_add(t, "<div class=\"scroll\"><p class=\"who\">upper line: %s; lower line: %s</p>", who[SIDE_MODEL],
            who[SIDE_BOARD]);
    html_svg(t, "lines", width, height, text_chars(&label));
    text_free(&label);
    for (unsigned i = 0; i < d->a_line; i++)
        text_add(t,
                 d->cell_bits == 8 ? "<text class=\"h\" x=\"%u\" y=\"%d\">%02X</text>"
                                   : "<text class=\"h\" x=\"%u\" y=\"%d\">%u</text>",
                 LINE_LABEL + i * d->cell_width + d->cell_width / 2, LINE_TOP - 6, i);
    for (unsigned i = 0; i < d->lines; i++) {
        const struct line *l = &d->line[i];
        draw_line_label(d, l, y, t);
        for (unsigned side = 0; side < (l->differs ? 2U : 1U); side++, y += LINE_HEIGHT) {
            text_add(t, "<text class=\"r\" x=\"%d\" y=\"%u\">%s</text>", LINE_LABEL - 6, y + LINE_HEIGHT - 5,
                     !l->differs ? "both"
                     : side      ? "board"
                                 : "model");
            draw_line_side(p, d, l, side, y, t);
        }
        y += LINE_GAP;
    }
    text_add(t, "</svg></div>");
}

static unsigned draw_listing(const struct picture *p, const struct region *g, const char *const who[SIDES],
                             const uint16_t *rows, unsigned count, struct text *t)
{
    struct listing d = {.region = g, .cell_bits = 32, .a_line = g->cols, .digits = (g->bits + 3) / 4};
    if (g->drawing == DRAW_STRIP) {
        d.cell_bits = 8;
        d.digits = 2;
        d.a_line = g->cols * 4U < STRIP_BYTES ? g->cols * 4U : STRIP_BYTES;
    } else if (g->drawing == DRAW_BITS && g->bits <= 8) {
        d.binary = true;
        d.digits = g->bits;
    }
    if (g->drawing == DRAW_LANES && d.a_line > LINE_CELLS)
        d.a_line = LINE_CELLS;
    d.cell_width = (unsigned)(d.digits * 13 / 2 + 3); /* a digit is 6.3 wide */
    d.cell_width = d.cell_width < 20 ? 20 : d.cell_width;
    unsigned dropped = find_lines(p, &d, rows, count);
    draw_lines(p, &d, who, t);
    return dropped;
}

/* --- all regions */

enum { GRID_ROWS_MOST = 128, LISTED_ROWS_MOST = 16 };

void svg_outcomes(const struct picture *p, const char *const who[SIDES], struct text *t)
{
    const struct layout *l = &p->unit->layout;
    svg_reach(p, who, t);
    svg_flow(p, who, t);
    for (unsigned i = 0; i < l->region_count && picture_contents(p); i++) {
        const struct region *g = &l->regions[i];
        if (!picture_differs(p, g))
            continue;
        uint16_t rows[PICTURE_ROWS_MAX];
        unsigned left_out,
            dropped = 0,
            count = picture_rows(p, g, g->drawing == DRAW_GRID ? GRID_ROWS_MOST : LISTED_ROWS_MOST, rows,
                                 &left_out);
        if (!count)
            continue;
        xml_add(t, "<figure class=\"picture\"><figcaption><b>%s</b> <span>%s%s</span></figcaption>", g->name,
                g->about, g->drawing == DRAW_GRID ? ". Each box is a word, byte 0 on its left." : "");
        if (g->drawing == DRAW_GRID)
            draw_grid(p, g, who, rows, count, t);
        else
            dropped = draw_listing(p, g, who, rows, count, t);
        html_not_drawn(t, left_out, "changed row");
        html_not_drawn(t, dropped, "line");
        text_add(t, "</figure>");
    }
}

void svg_legend(struct text *t)
{
    text_add(t, "<ul class=\"legend\" aria-label=\"What the colours mean\">");
    for (unsigned i = 0; i < LOOKS; i++)
        text_add(t,
                 "<li><svg width=\"18\" height=\"14\" aria-hidden=\"true\"><rect class=\"%c\" x=\"1.5\" "
                 "y=\"1.5\" width=\"15\" height=\"11\"/></svg>%s</li>",
                 look_class[i], look_words[i]);
    text_add(t, "</ul>");
}
