/* SPDX-License-Identifier: MIT */
/* Draws which source element was moved to which destination element (struct flow). For each side, the source
 * elements are a row of boxes, and the destination elements are a row below. An arrow leads from the source
 * to the destination of each moved element. A constant is written into its destination box. */
#include "oracle/report/picture/report_svg.h"
#include "oracle/report/report_page.h"

enum {
    BOX_WIDTH = 42,
    BOX_HEIGHT = 20,
    BOX_STEP = 48,
    LABEL = 62,
    SOURCE_TOP = 4,
    TARGET_BELOW = 80, /* distance of the two rows */
    BELOW = BOX_HEIGHT + 16,
    BOXES_MOST = 24,
};

struct view {
    const struct picture *p;
    const struct flow *flow;
    const struct region *region;
    uint32_t source_base, sources,
        targets; /* the first source element in the picture; how many boxes in each row */
    uint32_t target_top;
};

static uint32_t move_at(const struct view *v, unsigned side, uint32_t element)
{
    return picture_word(v->p, side, v->region->first_row + element / v->region->cols,
                        element % v->region->cols);
}

static uint32_t elements_of(const struct region *g)
{
    return (uint32_t)g->rows * g->cols;
}

/* Sets how many boxes are needed to show what either side moved, at most BOXES_MOST in a row. False: nothing
 * was moved. */
static bool find_extent(struct view *v, bool *differs, bool *more)
{
    uint32_t last_target = 0, first_source = UINT32_MAX, last_source = 0;
    bool any = false;
    for (uint32_t d = 0; d < elements_of(v->region); d++)
        for (unsigned side = 0; side < SIDES && v->p->side[side]; side++) {
            uint32_t move = move_at(v, side, d), source = move - v->flow->first_copy;
            *differs |= move != move_at(v, SIDE_MODEL, d);
            if (!move)
                continue;
            any = true;
            last_target = d;
            if (move >= v->flow->first_copy && d < BOXES_MOST) {
                first_source = source < first_source ? source : first_source;
                last_source = source > last_source ? source : last_source;
            }
        }
    v->source_base = first_source == UINT32_MAX
                         ? 0
                         : first_source - first_source % 4; /* groups have up to four elements */
    v->sources = first_source == UINT32_MAX ? 0 : last_source - v->source_base + 1;
    v->targets = last_target + 1;
    *more = v->targets > BOXES_MOST || v->sources > BOXES_MOST;
    v->targets = v->targets < BOXES_MOST ? v->targets : BOXES_MOST;
    v->sources = v->sources < BOXES_MOST ? v->sources : BOXES_MOST;
    v->target_top = SOURCE_TOP + (v->sources ? TARGET_BELOW : 0);
    return any;
}

static void draw_box(unsigned place, unsigned top, const char *class, struct text *t)
{
    unsigned x = LABEL + place * BOX_STEP;
    text_add(t,
             "<rect class=\"%s\" x=\"%u.5\" y=\"%u.5\" width=\"%d\" height=\"%d\"/><text class=\"v%s\" "
             "x=\"%u\" y=\"%u\">",
             class, x, top, BOX_WIDTH, BOX_HEIGHT, *class == 'd' ? " on" : "", x + BOX_WIDTH / 2,
             top + BOX_HEIGHT - 5);
}

static bool move_differs(const struct view *v, uint32_t d)
{
    return v->p->side[SIDE_BOARD] && move_at(v, SIDE_MODEL, d) != move_at(v, SIDE_BOARD, d);
}

/* Draws a destination element's box with the source or constant that it received, and its number below. Marks
 * the box if the sides differ. */
static void draw_target(const struct view *v, unsigned side, uint32_t d, struct text *t)
{
    uint32_t move = move_at(v, side, d);
    draw_box(d, v->target_top, move_differs(v, d) ? (move ? "d" : "m") : move ? "c" : "k", t);
    if (move >= v->flow->first_copy)
        text_add(t, "s%u", move - v->flow->first_copy);
    else if (move)
        escape_xml(t, v->flow->values[move]);
    text_add(t, "</text><text class=\"h\" x=\"%u\" y=\"%u\">d%u</text>", LABEL + d * BOX_STEP + BOX_WIDTH / 2,
             v->target_top + BOX_HEIGHT + 12, d);
}

static void draw_source(const struct view *v, uint32_t s, struct text *t)
{
    draw_box(s, SOURCE_TOP, "k", t);
    text_add(t, "s%u</text>", v->source_base + s);
}

static void draw_arrow(const struct view *v, unsigned side, uint32_t d, struct text *t)
{
    uint32_t move = move_at(v, side, d), source = move - v->flow->first_copy - v->source_base;
    if (move < v->flow->first_copy || source >= v->sources)
        return;
    bool differs = move_differs(v, d);
    unsigned from = LABEL + source * BOX_STEP + BOX_WIDTH / 2, to = LABEL + d * BOX_STEP + BOX_WIDTH / 2,
             end = v->target_top - 2;
    text_add(t, "<path class=\"%s\" d=\"M%u %dL%u %u\"/><path class=\"%s\" d=\"M%u %ul-4 -7h8z\"/>",
             differs ? "a x" : "a", from, SOURCE_TOP + BOX_HEIGHT + 2, to, end - 6, differs ? "ah x" : "ah",
             to, end);
}

static void draw_side(const struct view *v, unsigned side, const char *who, struct text *t)
{
    unsigned boxes = v->targets > v->sources ? v->targets : v->sources, width = LABEL + boxes * BOX_STEP + 2,
             height = v->target_top + BELOW;
    html_who(t, who);
    text_add(t, "<div class=\"scroll\">");
    html_svg(t, "lines", width, height, "which source element went to which destination element");
    if (v->sources)
        text_add(t, "<text class=\"b\" x=\"0\" y=\"%d\">source</text>", SOURCE_TOP + BOX_HEIGHT - 5);
    text_add(t, "<text class=\"b\" x=\"0\" y=\"%u\">dest.</text>", v->target_top + BOX_HEIGHT - 5);
    for (uint32_t s = 0; s < v->sources; s++)
        draw_source(v, s, t);
    for (uint32_t d = 0; d < v->targets; d++)
        draw_arrow(v, side, d, t);
    for (uint32_t d = 0; d < v->targets; d++)
        draw_target(v, side, d, t);
    text_add(t, "</svg></div>");
}

void svg_flow(const struct picture *p, const char *const who[SIDES], struct text *t)
{
    const struct flow *f = p->unit->flow;
    bool differs = false, more = false;
    if (!f || !picture_contents(p))
        return;
    struct view v = {.p = p, .flow = f, .region = layout_region_named(&p->unit->layout, f->region)};
    if (!find_extent(&v, &differs, &more))
        return;
    text_add(t, "<figure class=\"picture\"><figcaption><b>which element went where</b> <span>Elements of the "
                "source above; below, what each element of the destination received.</span></figcaption>");
    if (differs)
        for (unsigned side = 0; side < SIDES && p->side[side]; side++)
            draw_side(&v, side, who[side], t);
    else
        draw_side(&v, SIDE_MODEL, "both sides alike", t);
    if (more)
        text_add(t, "<p class=\"more\">Further elements are not drawn.</p>");
    text_add(t, "</figure>");
}
