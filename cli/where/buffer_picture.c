/* SPDX-License-Identifier: MIT */
/* Draws the buffer: a cell for each dword, with the lane that accesses it. */
#include "cli/where/buffer.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 16, ROWS_MAX = 24, CELLS_MAX = AMD_LANES * AMD_UNITS };

/* A dword of memory and the first lane that wants it. */
struct cell {
    uint64_t address; /* a multiple of 4 */
    unsigned lane;
    bool in, out; /* in range for a lane; out of range for a lane */
    bool more;    /* several lanes want it */
};

static int compare(const void *a, const void *b)
{
    const struct cell *x = a, *y = b;
    return x->address != y->address ? (x->address < y->address ? -1 : 1) : (int)x->lane - (int)y->lane;
}

static unsigned collect(const struct buffer_question *q, const struct buffer_answer *a, struct cell *cell)
{
    unsigned count = 0, kept = 0;
    for (unsigned n = 0; n < AMD_LANES; n++)
        for (unsigned k = 0; buffer_active(q, n) && k < a->units; k++) {
            const struct buffer_dword *d = &a->lane[n].dword[k];
            if (buffer_in_range(d) || d->decision == AMD_OUT_OF_RANGE)
                cell[count++] = (struct cell){d->address & ~UINT64_C(3), n, buffer_in_range(d),
                                              !buffer_in_range(d), false};
        }
    qsort(cell, count, sizeof *cell, compare);
    for (unsigned i = 0; i < count; i++)
        if (kept && cell[kept - 1].address == cell[i].address) {
            cell[kept - 1].more |= cell[kept - 1].lane != cell[i].lane;
            cell[kept - 1].in |= cell[i].in;
            cell[kept - 1].out |= cell[i].out;
        } else {
            cell[kept++] = cell[i];
        }
    return kept;
}

static void draw_rule(const char *left, const char *middle, const char *right, unsigned columns,
                      struct text *t)
{
    text_add(t, "%14s %s", "", left);
    for (unsigned i = 0; i < columns; i++)
        text_add(t, "───%s", i + 1 < columns ? middle : right);
    text_add(t, "\n");
}

static void draw_cell(const struct cell *c, struct text *t)
{
    if (c->out && !c->in)
        text_add(t, "%s%02u│", c->more ? "▓" : "▒", c->lane);
    else
        text_add(t, "%2u%s│", c->lane, c->out ? "*" : c->more ? "+" : " ");
}

/* Explains the signs that the picture has. */
static void draw_legend(const struct cell *cell, unsigned count, struct text *t)
{
    bool out = false, outs = false, both = false, more = false;
    for (const struct cell *c = cell; c < cell + count; c++) {
        out |= c->out && !c->in && !c->more;
        outs |= c->out && !c->in && c->more;
        both |= c->out && c->in;
        more |= !c->out && c->more;
    }
    text_add(t, "  A cell is 4 bytes; its number is the first lane that wants it.\n");
    if (out || outs || both || more)
        text_add(t, " %s%s%s%s\n", more ? " +: more lanes." : "", out ? " ▒: out of range." : "",
                 outs ? " ▓: out of range, more lanes." : "",
                 both ? " *: in range for one lane, out for another." : "");
}

/* Draws the cells of one row; returns the first cell behind it. */
static unsigned draw_row(const struct cell *cell, unsigned at, unsigned count, uint64_t row, unsigned columns,
                         struct text *t)
{
    text_add(t, "  %#12llx │", (unsigned long long)row);
    for (unsigned i = 0; i < columns; i++)
        if (at < count && cell[at].address == row + 4 * i)
            draw_cell(&cell[at++], t);
        else
            text_add(t, "   │");
    text_add(t, "\n");
    return at;
}

/* A row is a record if that is easy to read, or else 64 bytes. */
static unsigned row_bytes(const struct buffer_question *q, const struct buffer_answer *a)
{
    uint32_t stride = a->check.stride_address;
    bool records = a->check.index || q->insn.idxen;
    return records && !a->check.swizzled && stride >= 8 && stride <= 4 * COLUMNS && stride % 4 == 0
               ? stride
               : 4 * COLUMNS;
}

void buffer_draw(const struct buffer_question *q, const struct buffer_answer *a, struct text *t)
{
    struct cell cell[CELLS_MAX];
    unsigned count = collect(q, a, cell), bytes = row_bytes(q, a), columns = bytes / 4, rows = 0, at = 0;
    if (!count)
        return;
    struct amd_descriptor d;
    amd_descriptor_decode(q->generation, q->descriptor, &d);
    uint64_t origin = cell[0].address < d.base ? cell[0].address : (d.base + a->check.soffset) & ~UINT64_C(3),
             row = 0, before = 0;
    origin = cell[0].address < origin ? cell[0].address : origin;
    draw_legend(cell, count, t);
    text_add(t, "%14s ", "");
    for (unsigned i = 0; i < columns; i++)
        text_add(t, " +%-2x", 4 * i);
    text_add(t, "\n");
    draw_rule("┌", "┬", "┐", columns, t);
    for (; at < count && rows < ROWS_MAX; rows++, before = row) {
        row = cell[at].address - (cell[at].address - origin) % bytes;
        if (rows && row != before + bytes)
            text_add(t, "%14s ┊\n", "");
        at = draw_row(cell, at, count, row, columns, t);
    }
    draw_rule("└", "┴", "┘", columns, t);
    if (at < count)
        text_add(t, "  %u more dwords above %#llx are not drawn\n", count - at,
                 (unsigned long long)cell[at - 1].address);
}
