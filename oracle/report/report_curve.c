/* SPDX-License-Identifier: MIT */
/* Plots how a campaign grew: the clauses touched, and the findings, over the number of cases compared. Each
 * unit has two plots with one line for each run. The scale of cases is logarithmic, because a campaign
 * touches most clauses and finds most findings within its first thousands of cases. */
#include "oracle/report/report_article.h"

#include <math.h>
#include <string.h>

enum {
    PLOT_WIDTH = 340,
    PLOT_HEIGHT = 150,
    LEFT = 34,
    RIGHT = 12,
    TOP = 12,
    BOTTOM = 30,
    LINES_MAX = 64,
    DOTS_MAX = 100
};

struct plot {
    const char *what;                                 /* "clauses touched" */
    const char *class;                                /* style class of its lines */
    unsigned (*value)(const struct progress_point *); /* the value to plot */
    unsigned most;                                    /* top of the scale */
    double decades;                                   /* right end of the scale: 10^decades cases */
};

static unsigned clauses_of(const struct progress_point *p)
{
    return p->clauses;
}

static unsigned findings_of(const struct progress_point *p)
{
    return p->findings;
}

static bool is_drawn(const struct report *r, const struct unit_facts *u, unsigned run)
{
    return !strcmp(r->run[run].unit, u->name) && r->progress[run].points > 1;
}

static double place_x(const struct plot *p, double cases)
{
    return LEFT + (PLOT_WIDTH - LEFT - RIGHT) * log10(cases < 1 ? 1 : cases) / p->decades;
}

static double place_y(const struct plot *p, unsigned value)
{
    return PLOT_HEIGHT - BOTTOM - (PLOT_HEIGHT - TOP - BOTTOM) * (double)value / (p->most ? p->most : 1);
}

static void axes(const struct plot *p, struct text *t)
{
    static const char *const decade[] = {"1",   "10",   "100", "1k",  "10k",  "100k", "1M",
                                         "10M", "100M", "1G",  "10G", "100G", "1T"};
    unsigned step = p->decades > 6 ? 2 : 1;
    for (unsigned i = 0; i < sizeof decade / sizeof *decade && i <= p->decades; i += step) {
        double x = place_x(p, pow(10, i));
        text_add(t, "<path class=\"l\" d=\"M%.1f %dV%d\"/><text class=\"h\" x=\"%.1f\" y=\"%d\">%s</text>", x,
                 TOP, PLOT_HEIGHT - BOTTOM, x, PLOT_HEIGHT - BOTTOM + 12, decade[i]);
    }
    for (unsigned i = 0; i < 2; i++) {
        unsigned value = i ? p->most : 0;
        double y = place_y(p, value);
        text_add(t, "<path class=\"%s\" d=\"M%d %.1fH%d\"/><text class=\"r\" x=\"%d\" y=\"%.1f\">%u</text>",
                 i ? "l" : "t", LEFT, y, PLOT_WIDTH - RIGHT, LEFT - 5, y + 3, value);
    }
    text_add(t, "<text class=\"h\" x=\"%d\" y=\"%d\">cases compared</text>", (LEFT + PLOT_WIDTH - RIGHT) / 2,
             PLOT_HEIGHT - 4);
}

/* A dot is a measured point. Between two dots, the growth may have happened at any time. */
static void curve(const struct plot *p, const struct report_progress *run, struct text *t)
{
    text_add(t, "<path class=\"%s\" d=\"", p->class);
    for (unsigned i = 0; i < run->points; i++)
        text_add(t, "%s%.1f %.1f", i ? "L" : "M", place_x(p, (double)run->point[i].cases),
                 place_y(p, p->value(&run->point[i])));
    text_add(t, "\"/>");
    for (unsigned i = 0; run->points <= DOTS_MAX && i < run->points; i++)
        text_add(t, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"2\"/>", p->class,
                 place_x(p, (double)run->point[i].cases), place_y(p, p->value(&run->point[i])));
}

static void draw(const struct plot *p, const struct report *r, const struct unit_facts *u, struct text *t)
{
    unsigned last = 0, lines = 0;
    for (unsigned i = 0; i < r->runs; i++)
        if (is_drawn(r, u, i) && p->value(&r->progress[i].point[r->progress[i].points - 1]) > last)
            last = p->value(&r->progress[i].point[r->progress[i].points - 1]);
    text_add(t,
             "<div class=\"side\"><p class=\"who\">%s</p><svg class=\"grid\" viewBox=\"0 0 %d %d\" "
             "role=\"img\" aria-label=\"%s over cases compared, "
             "up to %u\">",
             p->what, PLOT_WIDTH, PLOT_HEIGHT, p->what, last);
    axes(p, t);
    for (unsigned i = 0; i < r->runs && lines < LINES_MAX; i++)
        if (is_drawn(r, u, i)) {
            curve(p, &r->progress[i], t);
            lines++;
        }
    text_add(t, "</svg></div>\n");
}

/* Draws both plots of a unit. Returns false if none of its runs was long enough for a curve. */
static bool draw_unit(const struct report *r, const struct unit_facts *u, struct text *t)
{
    double most_cases = 1;
    unsigned runs = 0, most_findings = 1;
    for (unsigned i = 0; i < r->runs; i++) {
        if (!is_drawn(r, u, i))
            continue;
        const struct progress_point *last = &r->progress[i].point[r->progress[i].points - 1];
        runs++;
        most_cases = (double)last->cases > most_cases ? (double)last->cases : most_cases;
        /* a reconciliation merges findings, so the last count may be lower */
        for (unsigned k = 0; k < r->progress[i].points; k++)
            most_findings = r->progress[i].point[k].findings > most_findings
                                ? r->progress[i].point[k].findings
                                : most_findings;
    }
    if (!runs || !u->unit)
        return false;
    double decades = ceil(log10(most_cases) * 4) / 4;
    const struct plot plots[] = {
        {"clauses touched", "cv", clauses_of, unit_clauses(u->unit), decades > 0 ? decades : 1},
        {"findings", "cv x", findings_of, most_findings, decades > 0 ? decades : 1},
    };
    text_add(t,
             "<figure class=\"picture\"><figcaption><code>%s</code> <span>%u run%s</span></figcaption><div "
             "class=\"sides\">",
             u->name, runs, runs == 1 ? "" : "s, one line each");
    for (unsigned i = 0; i < sizeof plots / sizeof *plots; i++)
        draw(&plots[i], r, u, t);
    text_add(t, "</div></figure>\n");
    return true;
}

void html_curves(const struct report *r, const struct report_facts *f, struct text *t)
{
    struct text figures = {0};
    bool any = false;
    for (unsigned i = 0; r->progress && i < f->units; i++)
        any |= draw_unit(r, &f->unit[i], &figures);
    if (any) {
        text_add(t, "<h3>How it grew</h3>\n<p class=\"more\">At a run's end, findings that other evidence "
                    "shows to be one are joined: then their number falls.</p>\n");
        text_add_chars(t, text_chars(&figures), figures.length);
    }
    text_free(&figures);
}
