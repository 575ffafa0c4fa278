/* SPDX-License-Identifier: MIT */
#include "cli/where/vpm.h"

#include <stdlib.h>
#include <string.h>

/* One byte of the VPM, and what moves there or from there. */
struct cell {
    uint32_t other; /* 1 + the byte of a vector (16 words each), or of memory; 0: the byte is not touched */
    uint32_t more;  /* how many others there are beside this one */
    bool lost;      /* a store moves it to memory, where a later row overwrites it */
};

/* Turns the answer around, so that each byte of the VPM has what it is exchanged with. */
static void by_cell(const struct vpm_question *q, const struct vpm_answer *a, struct cell cell[VPM_BYTES])
{
    memset(cell, 0, VPM_BYTES * sizeof *cell);
    bool arrives = q->access == VPM_ACCESS_WRITE || q->access == VPM_ACCESS_LOAD;
    for (uint32_t i = 0; i < VPM_SINK_MAX; i++) {
        uint32_t from = a->from[i];
        if (arrives && i < VPM_BYTES) {
            cell[i].other = from;
        } else if (!arrives && from && from <= VPM_BYTES) {
            cell[from - 1].more += cell[from - 1].other != 0;
            cell[from - 1].other = cell[from - 1].other ? cell[from - 1].other : i + 1;
        }
    }
    for (uint32_t i = 0; i < VPM_BYTES; i++)
        cell[i].lost = a->overwritten[i];
}

static bool is_dma(const struct vpm_question *q)
{
    return q->access == VPM_ACCESS_STORE || q->access == VPM_ACCESS_LOAD;
}

enum what { BY_VECTOR, BY_ELEMENT, BY_ADDRESS };

/* Draws a word in four columns: the vector or the element of each byte, or the first byte's address. */
static void draw_word(const struct cell *c, enum what what, uint32_t base, struct text *t)
{
    unsigned byte = 0;
    while (what == BY_ADDRESS && byte < 3 && !c[byte].other)
        byte++;
    if (what == BY_ADDRESS && c[byte].other) {
        text_add(t, "%4x", c[byte].other - 1 - base);
        return;
    }
    for (byte = 0; byte < 4; byte++)
        if (c[byte].lost) {
            text_add(t, "----");
            return;
        }
    for (byte = 0; byte < 4; byte++)
        text_add(t, "%c",
                 !c[byte].other ? '.'
                                : "0123456789abcdef"[(what == BY_VECTOR ? (c[byte].other - 1) / 64
                                                                        : (c[byte].other - 1) / 4) %
                                                     VC4_LANES]);
}

static void draw_line(const char *left, const char *middle, const char *right, struct text *t)
{
    text_add(t, "     %s", left);
    for (unsigned x = 0; x < VC4_LANES; x++)
        text_add(t, "────%s", x + 1 < VC4_LANES ? middle : right);
    text_add(t, "\n");
}

static bool row_empty(const struct cell *row)
{
    for (unsigned i = 0; i < 4 * VC4_LANES; i++)
        if (row[i].other || row[i].lost)
            return false;
    return true;
}

static void draw_grid(const struct cell *cell, enum what what, uint32_t base, struct text *t)
{
    bool gap = false;
    text_add(t, "    X");
    for (unsigned x = 0; x < VC4_LANES; x++)
        text_add(t, " %-4u", x);
    text_add(t, "\n");
    draw_line("┌", "┬", "┐", t);
    for (unsigned y = 0; y < VC4_VPM_ROWS; y++) {
        const struct cell *row = cell + 64 * y;
        if (row_empty(row)) {
            gap = true;
            continue;
        }
        if (gap)
            text_add(t, "   ┊\n");
        gap = false;
        text_add(t, "%4u │", y);
        for (unsigned x = 0; x < VC4_LANES; x++) {
            draw_word(&row[4 * x], what, base, t);
            text_add(t, "│");
        }
        text_add(t, "\n");
    }
    draw_line("└", "┴", "┘", t);
}

/* ---- DMA: runs of memory and of the VPM ---- */

struct piece {
    uint32_t memory, vpm, bytes;
};

static int by_memory(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    return x->memory != y->memory ? (x->memory < y->memory ? -1 : 1) : x->vpm < y->vpm ? -1 : x->vpm > y->vpm;
}

static unsigned list_bytes(const struct vpm_question *q, const struct vpm_answer *a, struct piece *piece)
{
    unsigned count = 0;
    bool load = q->access == VPM_ACCESS_LOAD;
    for (uint32_t i = 0; i < (load ? (uint32_t)VPM_BYTES : (uint32_t)VPM_SINK_MAX); i++)
        if (a->from[i])
            piece[count++] = (struct piece){load ? a->from[i] - 1 : i, load ? i : a->from[i] - 1, 1};
    return count;
}

/* Joins bytes to elements, in the order of the sink: side by side in memory, and in one word of the VPM. */
static unsigned join(struct piece *piece, unsigned count)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < count; i++) {
        struct piece *last = kept ? &piece[kept - 1] : NULL;
        if (last && last->memory + last->bytes == piece[i].memory &&
            last->vpm + last->bytes == piece[i].vpm && last->vpm / 4 == piece[i].vpm / 4)
            last->bytes++;
        else
            piece[kept++] = piece[i];
    }
    qsort(piece, kept, sizeof *piece, by_memory);
    return kept;
}

enum { LINES_MAX = 32, LINE_PIECES = 8 };

static void draw_pieces(const struct piece *piece, unsigned count, struct text *t)
{
    unsigned lines = 0, column = 0, i;
    text_add(t, "  memory: hexadecimal offset from the DMA's address, then row.column of the VPM (.byte)");
    for (i = 0; i < count; i++, column++) {
        bool follows = i && piece[i].memory == piece[i - 1].memory + piece[i - 1].bytes;
        if (!follows || column == LINE_PIECES) {
            if (lines++ == LINES_MAX)
                break;
            text_add(t, "\n  +%-5x", piece[i].memory - piece[0].memory);
            column = 0;
        }
        text_add(t, " %3u.%u", piece[i].vpm / 64, piece[i].vpm / 4 % VC4_LANES);
        if (piece[i].bytes < 4)
            text_add(t, ".%u", piece[i].vpm % 4);
    }
    text_add(t, "\n");
    if (i < count)
        text_add(t, "  and %u more; --json has all\n", count - i);
}

static void note_lost(const struct vpm_question *q, const struct vpm_answer *a, struct text *t)
{
    uint32_t lost = vpm_lost(q, a);
    if (lost)
        text_add(t, "  ----: the store also reads %u bytes of the VPM that later rows overwrite in memory\n",
                 lost);
}

static void draw_dma(const struct vpm_question *q, const struct vpm_answer *a, const struct cell *cell,
                     struct text *t)
{
    static struct piece piece[VPM_SINK_MAX];
    unsigned count = join(piece, list_bytes(q, a, piece));
    if (!count)
        return;
    text_add(t, "  the VPM; a cell has the offset in memory of its first byte, in hexadecimal\n");
    draw_grid(cell, BY_ADDRESS, piece[0].memory, t);
    draw_pieces(piece, count, t);
    note_lost(q, a, t);
}

void vpm_draw(const struct vpm_question *q, const struct vpm_answer *a, struct text *t)
{
    static struct cell cell[VPM_BYTES];
    if (a->end != END_DONE)
        text_add(t, "  %s: %s\n", end_name(a->end), q->tc.unit->reasons[a->reason]);
    by_cell(q, a, cell);
    if (is_dma(q)) {
        draw_dma(q, a, cell, t);
        return;
    }
    bool empty = true;
    for (unsigned y = 0; empty && y < VC4_VPM_ROWS; y++)
        empty = row_empty(cell + 64 * y);
    if (empty) /* faults, and undefined runs */
        return;
    if (q->vectors == 1)
        text_add(t, "  0: the vector that is %s; four bytes a cell, lowest first\n",
                 q->access == VPM_ACCESS_READ ? "read" : "written");
    else
        text_add(t, "  which vector, 0 to %x in the order of the %ss; four bytes a cell, lowest first\n",
                 q->vectors - 1, q->access == VPM_ACCESS_READ ? "read" : "write");
    draw_grid(cell, BY_VECTOR, 0, t);
    text_add(t, "  which element of its vector, 0 to f\n");
    draw_grid(cell, BY_ELEMENT, 0, t);
}

static json_t *vpm_byte_json(uint32_t byte)
{
    return json_pack("{s:i, s:i, s:i}", "row", (int)(byte / 64), "column", (int)(byte / 4 % VC4_LANES),
                     "byte", (int)(byte % 4));
}

json_t *vpm_answer_json(const struct vpm_question *q, const struct vpm_answer *a)
{
    json_t *list = json_array(), *lost = json_array();
    bool arrives = q->access == VPM_ACCESS_WRITE || q->access == VPM_ACCESS_LOAD;
    for (uint32_t i = 0; i < VPM_SINK_MAX; i++) {
        if (!a->from[i])
            continue;
        uint32_t vpm = arrives ? i : a->from[i] - 1, other = arrives ? a->from[i] - 1 : i;
        json_t *one = vpm_byte_json(vpm);
        if (is_dma(q)) {
            json_object_set_new(one, "address", json_integer(other));
        } else {
            json_object_set_new(one, "vector", json_integer(other / 64));
            json_object_set_new(one, "element", json_integer(other / 4 % VC4_LANES));
            json_object_set_new(one, "element_byte", json_integer(other % 4));
        }
        json_array_append_new(list, one);
    }
    for (uint32_t i = 0; i < VPM_BYTES; i++)
        if (a->overwritten[i])
            json_array_append_new(lost, vpm_byte_json(i));
    return json_pack("{s:s, s:s, s:o, s:o}", "end", end_name(a->end), "reason",
                     q->tc.unit->reasons[a->reason], "bytes", list, "overwritten", lost);
}
