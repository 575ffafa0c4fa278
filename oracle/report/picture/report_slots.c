/* SPDX-License-Identifier: MIT */
/* Draws programs whose instructions drive several execution units at once (struct code_slot). The picture is
 * a grid with a row for each instruction and a column for each execution unit. A line leads from each result
 * to every cell that reads it later. */
#include "oracle/report/picture/report_svg.h"
#include "oracle/report/report_page.h"

#include <string.h>

enum {
    NUMBER_WIDTH = 30,
    CELL_WIDTH = 124,
    CELL_HEIGHT = 30,
    CELL_GAP = 8, /* between two columns */
    ROW_GAP = 22, /* between two rows; lines run here */
    TOP = 18,     /* room for the names of the units */
    LINE_1 = 12,  /* baselines of the opcode and of the operands in a cell */
    LINE_2 = 24,
    ROWS_MOST = 24,
    SHOWN = 21 /* characters of a line that fit into a cell */
};

struct grid {
    const struct code *code;
    const uint32_t *program;
    uint32_t rows;
    unsigned column[CODE_SLOTS_MAX]; /* the column of each slot; unused slots have none */
    unsigned columns, slots;
    struct code_slot slot[ROWS_MOST][CODE_SLOTS_MAX];
};

static unsigned cell_x(const struct grid *g, unsigned slot)
{
    return NUMBER_WIDTH + g->column[slot] * (CELL_WIDTH + CELL_GAP);
}

static unsigned cell_y(uint32_t row)
{
    return TOP + row * (CELL_HEIGHT + ROW_GAP);
}

/* Fills the cells of the grid, and gives a column to each execution unit that any instruction uses. */
static void look(struct grid *g, uint32_t count)
{
    bool used[CODE_SLOTS_MAX] = {false};
    g->rows = count < ROWS_MOST ? count : ROWS_MOST;
    while (g->code->slot_names[g->slots])
        g->slots++;
    for (uint32_t row = 0; row < g->rows; row++) {
        g->code->slots(g->program, count, row, g->slot[row]);
        for (unsigned s = 0; s < g->slots; s++)
            used[s] = used[s] || g->slot[row][s].text[0];
    }
    for (unsigned s = 0; s < g->slots; s++) {
        g->column[s] = g->columns;
        g->columns += used[s];
    }
}

static void draw_text(unsigned x, unsigned y, const char *chars, size_t count, struct text *t)
{
    bool cut = count > SHOWN;
    text_add(t, "<text class=\"n\" x=\"%u\" y=\"%u\">", x + CELL_WIDTH / 2, y);
    escape_xml_count(t, chars, cut ? SHOWN - 1 : count);
    text_add(t, "%s</text>", cut ? "&#8230;" : "");
}

static void draw_cell(const struct grid *g, uint32_t row, unsigned s, struct text *t)
{
    const struct code_slot *slot = &g->slot[row][s];
    unsigned x = cell_x(g, s), y = cell_y(row);
    size_t opcode = strcspn(slot->text, " ");
    if (!slot->text[0])
        return;
    xml_add(t, "<g><title>%u %s %s", row, g->code->slot_names[s], slot->text);
    for (unsigned n = 0; n < slot->reads; n++) {
        xml_add(t, "%s%s", n ? ", " : "; reads ", g->code->slot_names[slot->read[n].slot]);
        if (slot->read[n].index != row)
            text_add(t, " of %u", slot->read[n].index);
        text_add(t, "%s", slot->read[n].early ? " (too early)" : "");
    }
    text_add(t, "</title><rect class=\"f\" x=\"%u\" y=\"%u\" width=\"%d\" height=\"%d\"/>", x, y, CELL_WIDTH,
             CELL_HEIGHT);
    draw_text(x, y + LINE_1, slot->text, opcode, t);
    if (slot->text[opcode])
        draw_text(x, y + LINE_2, slot->text + opcode + 1, strlen(slot->text) - opcode - 1, t);
    text_add(t, "</g>");
}

/* Draws lines to this cell from the cells whose results it reads. Reads within one instruction have no
 * line. */
static void draw_reads(const struct grid *g, uint32_t row, unsigned s, struct text *t)
{
    const struct code_slot *slot = &g->slot[row][s];
    for (unsigned n = 0; n < slot->reads && slot->text[0]; n++) {
        const struct code_read *r = &slot->read[n];
        if (r->index >= row || !g->slot[r->index][r->slot].text[0])
            continue;
        unsigned x1 = cell_x(g, r->slot) + CELL_WIDTH / 2, y1 = cell_y(r->index) + CELL_HEIGHT;
        unsigned x2 = cell_x(g, s) + (n + 1) * CELL_WIDTH / (slot->reads + 1), y2 = cell_y(row);
        text_add(t,
                 "<line class=\"%s\" x1=\"%u\" y1=\"%u\" x2=\"%u\" y2=\"%u\"/><circle class=\"%s\" cx=\"%u\" "
                 "cy=\"%u\" r=\"2\"/>",
                 r->early ? "m" : "t", x1, y1, x2, y2, r->early ? "d" : "f", x2, y2);
    }
}

static void draw(const struct grid *g, struct text *t)
{
    unsigned width = NUMBER_WIDTH + g->columns * (CELL_WIDTH + CELL_GAP), height = cell_y(g->rows);
    text_add(t, "<div class=\"scroll\">");
    html_svg(t, "lines", width, height, "the program's units, and who reads what when");
    for (unsigned s = 0; s < g->slots; s++)
        if (s + 1 == g->slots ? g->column[s] < g->columns : g->column[s] < g->column[s + 1])
            xml_add(t, "<text class=\"h\" x=\"%u\" y=\"%d\">%s</text>", cell_x(g, s) + CELL_WIDTH / 2,
                    TOP - 6, g->code->slot_names[s]);
    for (uint32_t row = 0; row < g->rows; row++) /* lines are drawn first, behind the cells */
        for (unsigned s = 0; s < g->slots; s++)
            draw_reads(g, row, s, t);
    for (uint32_t row = 0; row < g->rows; row++) {
        text_add(t, "<text class=\"b\" x=\"0\" y=\"%u\">%u</text>", cell_y(row) + CELL_HEIGHT / 2 + 4, row);
        for (unsigned s = 0; s < g->slots; s++)
            draw_cell(g, row, s, t);
    }
    text_add(t, "</svg></div>");
}

void svg_slots(const struct test_case *c, struct text *t)
{
    const struct code *code = case_code(c);
    for (unsigned i = 0; code && code->slots && i < c->unit->schema.field_count; i++) {
        const struct field *f = &c->unit->schema.fields[i];
        if (f->kind != FIELD_CODE || !case_field_const(c, f)[0])
            continue;
        uint32_t count = case_field_const(c, f)[0];
        struct grid g = {.code = code, .program = case_field_const(c, f) + 1};
        look(&g, count);
        text_add(
            t,
            "<figure class=\"picture\"><figcaption><b>which unit reads which result</b> <span>Each row is "
            "an instruction, each column a unit. A line leads from a result to the unit that reads it. It "
            "is dashed if the documents say that the result is not yet available then. Instructions are in "
            "program order; branches are not followed.</span></figcaption>");
        draw(&g, t);
        html_not_drawn(t, count - g.rows, "instruction");
        text_add(t, "</figure>\n");
    }
}
