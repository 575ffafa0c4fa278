/* SPDX-License-Identifier: MIT */
#include "oracle/report/picture/report_svg.h"

#include "oracle/report/report_page.h"

#include <string.h>

static const char look_class[LOOKS] = {'k', 'c', 'd', 'm', 'u'};

/* --- values, which the page's script shows when the reader points at a word or touches it */

/* Adds a word as the two sides left it, in hexadecimal: MODEL/BOARD/BEFORE/COMPARED BITS or tolerance. An
 * empty part is: as the model's, 0, all bits. Empty parts at the end are left out. */
static void add_values(const struct picture *p, const struct region *g, uint32_t row, uint32_t col,
                       struct text *t)
{
    uint32_t at = g->first_row + row, bits = region_bits(g),
             model = picture_word(p, SIDE_MODEL, at, col) & bits,
             board = picture_word(p, SIDE_BOARD, at, col) & bits,
             before = p->initial->value[at * p->unit->layout.row_words + col] & bits,
             compared = picture_mask(p, g, at, col), tolerance = picture_tolerance(p, g, at, col);
    bool limited = tolerance || compared != bits;
    text_add(t, "%X", model);
    if (board != model)
        text_add(t, "/%X", board);
    else if (before || limited)
        text_add(t, "/");
    if (before)
        text_add(t, "/%X", before);
    else if (limited)
        text_add(t, "/");
    if (limited)
        text_add(t, "/");
    if (tolerance)
        tolerance_print(tolerance, t);
    else if (limited)
        text_add(t, "%X", compared);
}

static bool is_plain(const struct picture *p, const struct region *g, uint32_t row, uint32_t col)
{
    uint32_t at = g->first_row + row;
    return picture_look(p, g, SIDE_MODEL, at, col, UINT32_MAX) == LOOK_PLAIN &&
           picture_look(p, g, SIDE_BOARD, at, col, UINT32_MAX) == LOOK_PLAIN;
}

/* Adds the attribute data-v: the values of the words in these rows that either side changed. A word's index
 * within the region comes before its values ("17:DEADBEEF/0") unless it is the next one; "*4" behind them
 * stands for four such words in a row. */
static void add_all_values(const struct picture *p, const struct region *g, const uint16_t *rows,
                           unsigned count, struct text *t)
{
    uint32_t cells = count * g->cols, next = UINT32_MAX, same = 0;
    struct text last = {0}, now = {0};
    text_add(t, " data-n=\"%s\" data-d=\"%d\" data-v=\"", g->name, (g->bits + 3) / 4);
    for (uint32_t i = 0; i <= cells; i++) {
        bool end = i == cells;
        uint32_t row = end ? 0 : rows[i / g->cols], col = i % g->cols, at = row * g->cols + col;
        if (!end && is_plain(p, g, row, col))
            continue;
        text_clear(&now);
        if (!end)
            add_values(p, g, row, col, &now);
        if (!end && at == next && !strcmp(text_chars(&now), text_chars(&last))) {
            same++;
            next++;
            continue;
        }
        if (same > 1)
            text_add(t, "*%u", same);
        if (end)
            break;
        text_add(t, next == UINT32_MAX ? "" : " ");
        if (at != next)
            text_add(t, "%u:", at);
        text_add(t, "%s", text_chars(&now));
        text_clear(&last);
        text_add(&last, "%s", text_chars(&now));
        same = 1;
        next = at + 1;
    }
    text_add(t, "\"");
    text_free(&last);
    text_free(&now);
}

/* --- grids: one picture for each side, one box for each word; a quarter of a box is a byte. Bytes that look
 * alike are one dashed line, as thick as a box is high: a picture takes a tenth of what it takes with a
 * rectangle for each. The dashes (report.css) are the boxes. */

enum {
    GRID_LABEL = 26,
    GRID_MEANING = 58,
    GRID_TOP = 16,
    BYTE_WIDTH = 6,
    GRID_CELL = 4 * BYTE_WIDTH + 3,
    GRID_ROW = 12,
    BLOCK_ROWS = 4,
    BLOCK_GAP = 15
};

struct grid {
    const struct region *region;
    bool block[OUTCOME_ROWS_MAX / BLOCK_ROWS]; /* for each block of rows: is it drawn? */
    unsigned blocks;
};

static enum look byte_look(const struct picture *p, const struct region *g, unsigned side, uint32_t row,
                           unsigned byte)
{
    return picture_look(p, g, side, g->first_row + row, byte / 4, UINT32_C(0xFF) << (8 * (byte % 4)));
}

static unsigned byte_x(unsigned byte)
{
    return GRID_LABEL + byte / 4 * (unsigned)GRID_CELL + 2 + byte % 4 * (unsigned)BYTE_WIDTH;
}

/* Adds a line for each run of bytes that look so, in the middle of the row at `y`. A run that does not start
 * with a word ends with its word, so that the dashes are in step. */
static void draw_runs(const struct picture *p, const struct region *g, unsigned side, uint32_t row,
                      enum look look, unsigned y, struct text *t)
{
    for (unsigned byte = 0, end; byte < 4U * g->cols; byte = end) {
        end = byte + 1;
        if (byte_look(p, g, side, row, byte) != look)
            continue;
        while (end < 4U * g->cols && (end % 4 || (byte % 4 == 0 && look != LOOK_DIFFERS_MISSING)) &&
               byte_look(p, g, side, row, end) == look)
            end++;
        unsigned x = byte_x(byte), width = byte_x(end - 1) + BYTE_WIDTH - 1 - x;
        if (look == LOOK_DIFFERS_MISSING) /* an outline */
            text_add(t, "M%u %uh%uv8h-%uz", x, y - 4, width, width);
        else
            text_add(t, "M%u %uh%u", x, y, width);
    }
}

static void draw_block(const struct picture *p, const struct region *g, unsigned side, uint32_t first,
                       unsigned y, struct text *t)
{
    unsigned rows = g->rows - first < BLOCK_ROWS ? g->rows - first : BLOCK_ROWS;
    unsigned width = g->cols * (unsigned)GRID_CELL, height = rows * (unsigned)GRID_ROW;
    text_add(t,
             "<g data-r=\"%u\" data-h=\"%u\" data-c=\"%u\"><rect class=\"k\" x=\"%d\" y=\"%u\" width=\"%u\" "
             "height=\"%u\"/><path class=\"l\" d=\"",
             first, rows, g->cols, GRID_LABEL, y, width, height);
    for (unsigned i = 0; i <= g->cols; i++)
        text_add(t, "M%u %uv%u", GRID_LABEL + i * GRID_CELL, y, height);
    for (unsigned i = 0; i <= rows; i++)
        text_add(t, "M%d %uh%u", GRID_LABEL, y + i * GRID_ROW, width);
    text_add(t, "\"/>");
    for (unsigned look = LOOK_CHANGED; look < LOOKS; look++) {
        struct text runs = {0};
        for (unsigned i = 0; i < rows; i++)
            draw_runs(p, g, side, first + i, (enum look)look, y + i * GRID_ROW + GRID_ROW / 2, &runs);
        if (runs.length)
            text_add(t,
                     look == LOOK_DIFFERS_MISSING ? "<path class=\"%c\" d=\"%s\"/>"
                                                  : "<path class=\"s %c\" d=\"%s\"/>",
                     look_class[look], text_chars(&runs));
        text_free(&runs);
    }
    text_add(t, "</g>");
    for (unsigned i = 0; i < rows; i++) {
        unsigned top = y + i * GRID_ROW;
        text_add(t, "<text class=\"r\" x=\"%d\" y=\"%u\">%u</text>", GRID_LABEL - 4, top + GRID_ROW - 3,
                 first + i);
        const char *meaning = picture_describe_row(p, g, first + i);
        if (meaning)
            xml_add(t, "<text class=\"g\" x=\"%u\" y=\"%u\">%s</text>", GRID_LABEL + width + 4,
                    top + GRID_ROW - 3, meaning);
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
    text_add(t, "<div class=\"sides\"");
    add_all_values(p, g, rows, count, t);
    text_add(t, ">");
    for (unsigned side = 0; side < SIDES; side++)
        draw_grid_side(p, &d, side, who[side], t);
    text_add(t, "</div>");
}

/* --- listings of registers, memory and flags: a table with one line for each side */

enum { STRIP_BYTES = 32, LINE_CELLS = 16, LINES_MAX = 48 };

struct listing {
    const struct region *region;
    unsigned cell_bits, a_line; /* bits of a cell; cells in a line */
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
                           unsigned side, struct text *t)
{
    unsigned cells = d->region->cols * (32 / d->cell_bits);
    for (unsigned i = 0; i < d->a_line && l->cell + i < cells; i++) {
        unsigned col, shift;
        uint32_t mask = cell_mask(d, l->cell + i, &col, &shift) & region_bits(d->region),
                 row = d->region->first_row + l->row;
        enum look look = cell_look(p, d, side, l->row, l->cell + i);
        if (look == LOOK_PLAIN)
            text_add(t, "<td>");
        else
            text_add(t, "<td class=\"%c\">", look_class[look]);
        add_digits(d, (picture_word(p, side, row, col) & mask) >> shift,
                   !(picture_mask(p, d->region, row, col) & mask), t);
        text_add(t, "</td>");
    }
}

static void draw_line_label(const struct listing *d, const struct line *l, struct text *t)
{
    struct text name = {0};
    if (d->region->drawing == DRAW_STRIP && !d->region->row_names)
        text_add(&name, "0x%04X", l->row * d->region->cols * 4U + l->cell);
    else
        region_row_name(d->region, l->row, &name);
    if (l->cell && d->region->drawing != DRAW_STRIP)
        text_add(&name, " +%u", l->cell);
    xml_add(t, "%s", text_chars(&name));
    text_free(&name);
}

static void draw_lines(const struct picture *p, const struct listing *d, const char *const who[SIDES],
                       const uint16_t *rows, unsigned count, struct text *t)
{
    xml_add(t, "<p class=\"who\">upper line: %s; lower line: %s</p><div class=\"scroll\"", who[SIDE_MODEL],
            who[SIDE_BOARD]);
    add_all_values(p, d->region, rows, count, t);
    text_add(t, " data-c=\"%u\"><table class=\"cells-of\"><thead><tr><th></th><th></th>", d->region->cols);
    for (unsigned i = 0; i < d->a_line; i++)
        text_add(t, d->cell_bits == 8 ? "<th>%02X</th>" : "<th>%u</th>", i);
    text_add(t, "</tr></thead>");
    for (unsigned i = 0; i < d->lines; i++) {
        const struct line *l = &d->line[i];
        unsigned a_word = 32 / d->cell_bits;
        text_add(t, "<tbody data-i=\"%u\" data-w=\"%u\">",
                 l->row * (unsigned)d->region->cols + l->cell / a_word, a_word);
        for (unsigned side = 0; side < (l->differs ? 2U : 1U); side++) {
            text_add(t, "<tr><th>");
            if (side == 0)
                draw_line_label(d, l, t);
            text_add(t, "</th><th>%s</th>", !l->differs ? "both" : side ? "board" : "model");
            draw_line_side(p, d, l, side, t);
            text_add(t, "</tr>");
        }
        text_add(t, "</tbody>");
    }
    text_add(t, "</table></div>");
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
    unsigned dropped = find_lines(p, &d, rows, count);
    draw_lines(p, &d, who, rows, count, t);
    return dropped;
}

/* --- all regions */

enum { GRID_ROWS_MOST = 128, LISTED_ROWS_MOST = 16 };

/* Says in which order a picture shows the bytes and bits of a region. */
static const char *order_words(const struct region *g)
{
    if (g->drawing == DRAW_GRID)
        return "A box is a word of four bytes, byte 0 (bits 7:0) on its left. Values have the highest digit "
               "first; those of the differing words are above.";
    if (g->drawing == DRAW_STRIP)
        return "Bytes by address, the lowest on the left.";
    return g->drawing == DRAW_BITS && g->bits <= 8 ? "The highest bit is on the left."
                                                   : "Words have the highest digit first.";
}

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
        xml_add(t, "<figure class=\"picture\"><figcaption><b>%s</b> <span>%s. %s</span></figcaption>",
                g->name, g->about, order_words(g));
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
        text_add(t, "<li class=\"%c\">%s</li>", look_class[i], look_words[i]);
    text_add(t, "</ul>");
}
