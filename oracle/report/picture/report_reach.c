/* SPDX-License-Identifier: MIT */
/*
 * Draws which lane accessed which memory (struct reach). For each group of accesses and each side, a row of
 * boxes shows each lane's result. The lines below show the words of memory that the lanes accessed; each word
 * names its lanes.
 */
#include "oracle/report/picture/report_svg.h"
#include "oracle/report/report_page.h"

#include <stdlib.h>
#include <string.h>

enum {
    LANE_BOX = 15,
    LANE_ROW = 16,
    LANE_TOP = 4,
    LABEL = 62,
    WORD_WIDTH = 44,
    WORD_HEIGHT = 17,
    LINE_WORDS = 16,
    LINES_MOST = 24,
    TOP = 14,
    RESULT_MASK = 15
};

/* One lane's part in an access. */
struct touch {
    uint32_t address, bytes, lane, part;
};

enum { TOUCHES_MAX = 4 * ROW_WORDS_MAX };
struct touches {
    struct touch touch[TOUCHES_MAX];
    unsigned count, parts; /* parts: how many accesses of the group took place */
};

struct view {
    const struct picture *p;
    const struct region *address, *result;
    const char *const *result_names;
    unsigned first, rows; /* the group's rows within its regions: the first one, and their number */
};

static uint32_t result_of(const struct view *v, unsigned side, unsigned row, unsigned lane)
{
    return picture_word(v->p, side, v->result->first_row + row, lane);
}

static int by_address(const void *a, const void *b)
{
    const struct touch *x = a, *y = b;
    return x->address != y->address ? (x->address > y->address) - (x->address < y->address)
           : x->lane != y->lane     ? (x->lane > y->lane) - (x->lane < y->lane)
                                    : (x->part > y->part) - (x->part < y->part);
}

static void find_touches(const struct view *v, unsigned side, struct touches *t)
{
    t->count = t->parts = 0;
    for (unsigned part = 0; part < v->rows; part++) {
        unsigned row = v->first + part;
        t->parts += outcome_touched(v->p->side[side], v->result->first_row + row);
        for (unsigned lane = 0; lane < v->result->cols && t->count < TOUCHES_MAX; lane++) {
            uint32_t bytes = result_of(v, side, row, lane) >> 4;
            if (bytes)
                t->touch[t->count++] =
                    (struct touch){picture_word(v->p, side, v->address->first_row + row, lane), bytes, lane,
                                   part};
        }
    }
    qsort(t->touch, t->count, sizeof *t->touch, by_address);
}

/* --- the lanes */

/* Draws a lane's box in the style of its worst access. Styles differ in outline, not only in colour. */
static void draw_lane(const struct view *v, unsigned side, unsigned lane, unsigned y, struct text *t)
{
    uint32_t worst = 0;
    for (unsigned part = 0; part < v->rows; part++) {
        uint32_t result = result_of(v, side, v->first + part, lane) & RESULT_MASK;
        worst = result > worst ? result : worst;
    }
    const char *class = worst == 0 ? "k" : worst == 1 ? "c" : worst == 2 ? "m" : "u";
    text_add(t, "<g><title>lane %u:", lane);
    for (unsigned part = 0; part < v->rows; part++) {
        uint32_t result = result_of(v, side, v->first + part, lane);
        if (!outcome_touched(v->p->side[side], v->result->first_row + v->first + part))
            continue;
        xml_add(t, " %s", v->result_names[result & RESULT_MASK]);
        if (result >> 4)
            text_add(t, " 0x%X", picture_word(v->p, side, v->address->first_row + v->first + part, lane));
        text_add(t, ";");
    }
    unsigned x = LABEL + lane % 64 * LANE_BOX;
    text_add(t,
             "</title><rect class=\"%s\" x=\"%u.5\" y=\"%u.5\" width=\"%d\" height=\"%d\"/><text class=\"h\" "
             "x=\"%u\" y=\"%u\">%u</text></g>",
             class, x, y, LANE_BOX - 2, LANE_ROW - 3, x + LANE_BOX / 2, y + LANE_ROW - 5, lane);
}

/* --- the memory */

/* Lists the lanes that accessed the word at `at`; returns their number. */
static unsigned lanes_in(const struct touches *all, uint32_t at, struct text *names, struct text *title)
{
    unsigned count = 0;
    for (unsigned i = 0; i < all->count; i++) {
        const struct touch *k = &all->touch[i];
        if (k->address >= at + 4 || k->address + k->bytes <= at)
            continue;
        text_add(title, "%slane %u", count ? ", " : "", k->lane);
        if (count == 0)
            text_add(names, all->parts > 1 ? "%u.%u" : "%u", k->lane, k->part);
        else if (count == 1)
            text_add(names, "+");
        count++;
    }
    return count;
}

static void draw_bytes(const struct touches *all, uint32_t at, unsigned x, unsigned y, struct text *t)
{
    for (unsigned b = 0, from = 4; b <= 4; b++) {
        bool in = false;
        for (unsigned i = 0; b < 4 && i < all->count && !in; i++)
            in = at + b >= all->touch[i].address && at + b < all->touch[i].address + all->touch[i].bytes;
        if (in && from == 4)
            from = b;
        if (!in && from < 4) {
            text_add(t, "<rect class=\"c\" x=\"%u.5\" y=\"%u.5\" width=\"%u\" height=\"%d\"/>",
                     x + from * (WORD_WIDTH / 4), y + 1, (b - from) * (WORD_WIDTH / 4) - 2, WORD_HEIGHT - 4);
            from = 4;
        }
    }
}

static void draw_line(const struct touches *all, uint32_t line, unsigned y, struct text *t)
{
    text_add(t, "<text class=\"b\" x=\"0\" y=\"%u\">0x%04X</text>", y + WORD_HEIGHT - 5, line);
    for (unsigned i = 0; i < LINE_WORDS; i++) {
        unsigned x = LABEL + i * WORD_WIDTH;
        struct text names = {0}, title = {0};
        unsigned count = lanes_in(all, line + 4 * i, &names, &title);
        text_add(t, "<g>");
        if (count)
            text_add(t, "<title>0x%X: %s</title>", line + 4 * i, text_chars(&title));
        text_add(t, "<rect class=\"k\" x=\"%u\" y=\"%u\" width=\"%d\" height=\"%d\"/>", x, y, WORD_WIDTH,
                 WORD_HEIGHT);
        if (count) {
            draw_bytes(all, line + 4 * i, x, y, t);
            text_add(t, "<text class=\"v\" x=\"%u\" y=\"%u\">%s</text>", x + WORD_WIDTH / 2,
                     y + WORD_HEIGHT - 5, text_chars(&names));
        }
        text_add(t, "</g>");
        text_free(&names);
        text_free(&title);
    }
}

/* Finds the lines of memory that a lane accessed, in ascending order. Returns their number, at most
 * LINES_MOST. */
static unsigned find_lines(const struct touches *all, uint32_t lines[LINES_MOST], bool *more)
{
    unsigned count = 0;
    *more = false;
    for (unsigned i = 0; i < all->count; i++)
        for (uint32_t b = 0; b < all->touch[i].bytes; b++) {
            uint32_t line = (all->touch[i].address + b) / (4 * LINE_WORDS) * (4 * LINE_WORDS);
            if (count && lines[count - 1] >= line)
                continue;
            *more = *more || count == LINES_MOST;
            if (count < LINES_MOST)
                lines[count++] = line;
        }
    return count;
}

static void draw_side(const struct view *v, unsigned side, const char *who, struct text *t)
{
    struct touches all;
    uint32_t lines[LINES_MOST];
    bool more;
    find_touches(v, side, &all);
    unsigned count = find_lines(&all, lines, &more), lanes = v->result->cols, bands = (lanes + 63) / 64;
    unsigned top = LANE_TOP + bands * LANE_ROW + TOP, height = top + count * (WORD_HEIGHT + 3) + 2;
    unsigned width = LABEL + (lanes < 64 ? lanes : 64) * LANE_BOX + 2;
    html_who(t, who);
    text_add(t, "<div class=\"scroll\">");
    html_svg(t, "lines", width, height, "which lane reached what");
    text_add(t, "<text class=\"b\" x=\"0\" y=\"%d\">lanes</text>", LANE_TOP + LANE_ROW - 5);
    for (unsigned lane = 0; lane < lanes; lane++)
        draw_lane(v, side, lane, LANE_TOP + lane / 64 * LANE_ROW, t);
    for (unsigned i = 0; i < LINE_WORDS && count; i++)
        text_add(t, "<text class=\"h\" x=\"%u\" y=\"%u\">+%X</text>", LABEL + i * WORD_WIDTH + WORD_WIDTH / 2,
                 top - 4, 4 * i);
    for (unsigned i = 0; i < count; i++)
        draw_line(&all, lines[i], top + i * (WORD_HEIGHT + 3), t);
    text_add(t, "</svg></div>");
    if (more)
        text_add(t, "<p class=\"more\">Further lines are not drawn.</p>");
}

/* --- all groups */

static bool group_seen(const struct view *v, bool *differs)
{
    bool seen = false;
    for (unsigned row = v->first; row < v->first + v->rows; row++)
        for (unsigned side = 0; side < SIDES && v->p->side[side]; side++)
            seen = seen || outcome_touched(v->p->side[side], v->result->first_row + row);
    for (unsigned row = v->first; row < v->first + v->rows; row++)
        *differs = *differs || picture_row(v->p, v->result, v->result->first_row + row).differs ||
                   picture_row(v->p, v->address, v->address->first_row + row).differs;
    return seen;
}

void svg_reach(const struct picture *p, const char *const who[SIDES], struct text *t)
{
    const struct layout *l = &p->unit->layout;
    const struct reach *r = p->unit->reach;
    if (!r || !picture_contents(p))
        return;
    struct view v = {.p = p,
                     .address = layout_region_named(l, r->address),
                     .result = layout_region_named(l, r->result),
                     .result_names = r->result_names,
                     .rows = r->group_rows};
    for (v.first = 0; v.first + v.rows <= v.result->rows; v.first += v.rows) {
        bool differs = false;
        if (!group_seen(&v, &differs))
            continue;
        xml_add(
            t,
            "<figure class=\"picture\"><figcaption><b>which lane reached what</b> <span>in %s, access %u. A "
            "word shows its lane; + means more than one. Lanes: filled, reached; dashed outline, %s",
            r->memory, v.first / v.rows, r->result_names[2]);
        for (unsigned i = 3; r->result_names[i]; i++)
            text_add(t, i == 3 ? "; grey, %s" : " or %s", r->result_names[i]);
        text_add(t, "; empty, %s.</span></figcaption>", r->result_names[0]);
        if (differs)
            for (unsigned side = 0; side < SIDES && p->side[side]; side++)
                draw_side(&v, side, who[side], t);
        else
            draw_side(&v, SIDE_MODEL, "both sides alike", t);
        text_add(t, "</figure>");
    }
}
