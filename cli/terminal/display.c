/* SPDX-License-Identifier: MIT */
#include "cli/terminal/display.h"
#include "oracle/describe/escape.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
    LINE_EVERY = 10, /* seconds between two plain lines */
    WIDTH_MAX = 100, /* columns of the panel, with borders */
    WIDTH_MIN = 64,  /* a narrower terminal would cut values; it gets one line, redrawn in place */
};

enum edge { TOP_LEFT, TOP_RIGHT, MIDDLE_LEFT, MIDDLE_RIGHT, BOTTOM_LEFT, BOTTOM_RIGHT, ACROSS, DOWN, EDGES };
static const char *const edges_utf8[EDGES] = {"\xE2\x94\x8C", "\xE2\x94\x90", "\xE2\x94\x9C", "\xE2\x94\xA4",
                                              "\xE2\x94\x94", "\xE2\x94\x98", "\xE2\x94\x80", "\xE2\x94\x82"};
static const char *const edges_ascii[EDGES] = {"+", "+", "+", "+", "+", "+", "-", "|"};

/* The figures that the display shows, whatever the engine. */
struct shown {
    const struct campaign_view *v;
    struct engines_view engines;
    uint64_t cases;
    unsigned clauses, all_clauses;
};

static bool terminal_takes_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
    }
    return false;
}

void display_open(struct display *d, const char *command, const char *profile, bool panel, bool quiet)
{
    const char *no_colour = getenv("NO_COLOR"); /* no-color.org */
    memset(d, 0, sizeof *d);
    pthread_mutex_init(&d->lock, NULL);
    d->command = command;
    d->profile = profile;
    d->edge = terminal_takes_utf8() ? edges_utf8 : edges_ascii;
    d->colours = !no_colour || !*no_colour;
    d->panel = panel;
    d->quiet = quiet;
}

struct display_of_job *display_job(struct display *d, bool draws)
{
    if (d->jobs == DISPLAY_JOBS_MAX)
        return NULL;
    struct display_of_job *j = &d->job[d->jobs++];
    j->display = d;
    j->draws = draws;
    return j;
}

static void gather(struct display *d, const struct campaign_view *v, struct shown *s)
{
    *s = (struct shown){.v = v, .all_clauses = unit_clauses(v->unit)};
    struct coverage all = *v->coverage;
    for (unsigned i = 0; i < d->jobs; i++)
        s->cases += d->job[i].cases;
    if (d->engines) {
        s->engines = engines_look(d->engines);
        s->cases = s->engines.cases;
        coverage_merge(&all, &s->engines.touched);
    }
    s->clauses = coverage_clauses(&all);
    if (d->rate_at <= 0 && v->seconds > 0)
        d->rate = (double)s->cases / v->seconds;
    if (v->seconds - d->rate_at >= 1) { /* computes the rate over about the last second */
        d->rate = (double)(s->cases - d->rate_of) / (v->seconds - d->rate_at);
        d->rate_at = v->seconds;
        d->rate_of = s->cases;
    }
}

static void add_time(struct text *t, double seconds)
{
    uint64_t all = seconds > 0 ? (uint64_t)seconds : 0;
    if (all >= 86400)
        text_add(t, "%" PRIu64 " d ", all / 86400);
    if (all >= 3600)
        text_add(t, "%" PRIu64 " h ", all / 3600 % 24);
    if (all >= 60)
        text_add(t, "%" PRIu64 " min ", all / 60 % 60);
    text_add(t, "%" PRIu64 " s", all % 60);
}

/* Says when the run will end. By the speed, if a limit of cases ends it. */
static void add_time_left(struct text *t, const struct display *d, const struct shown *s)
{
    double by_time = d->max_seconds - s->v->seconds, left = by_time;
    if (d->max_cases && d->rate > 0) {
        double by_cases = s->cases < d->max_cases ? (double)(d->max_cases - s->cases) / d->rate : 0;
        left = d->max_seconds > 0 && by_time < by_cases ? by_time : by_cases;
    }
    if (d->max_seconds > 0 || (d->max_cases && d->rate > 0)) {
        add_time(t, left);
        text_add(t, " left");
    } else {
        text_add(t, "%s", d->max_cases ? "time left unknown" : "Ctrl-C ends it");
    }
}

static void add_verdicts(struct text *t, const struct campaign_view *v, const char *between)
{
    bool first = true;
    for (unsigned i = 0; i < VERDICTS; i++)
        if (v->verdicts[i]) {
            text_add(t, "%s%u %s", first ? "" : between, v->verdicts[i], verdict_name((enum verdict)i));
            first = false;
        }
}

static void add_line(struct text *t, const struct display *d, const struct shown *s)
{
    text_add(t, "%u finding%s, ", s->v->findings,
             plural(s->v->findings)); /* findings come first, because a narrow terminal cuts the end */
    text_add_grouped(t, s->cases);
    text_add(t, " case%s, %.1f k/s, ", plural(s->cases), d->rate / 1000);
    if (s->v->to_search)
        text_add(t, "searching causes, %u of %u, ", s->v->searching, s->v->to_search);
    if (d->engines)
        text_add(t, "corpus %u, ", s->engines.corpus);
    text_add(t, "clauses %u/%u", s->clauses, s->all_clauses);
    if (s->v->findings) {
        text_add(t, ": ");
        add_verdicts(t, s->v, ", ");
        text_add(t, "; last new ");
        add_time(t, s->v->since_new);
        text_add(t, " ago");
    }
    if (s->engines.defects)
        text_add(t, "; FAILURES of the model: %u", s->engines.defects);
}

/* ---- the panel ---- */

static const char *in_colour(const struct display *d, const char *sequence)
{
    return d->colours ? sequence : "";
}

/* Adds a horizontal line from the corner `left` to the corner after it in enum edge. */
static void add_rule(struct text *t, const struct display *d, enum edge left, const char *title,
                     unsigned width)
{
    int used = title ? (int)strlen(title) + 4 : 0;
    text_add(t, "%s", d->edge[left]);
    if (title)
        text_add(t, "%s %s%s%s ", d->edge[ACROSS], in_colour(d, "\033[1m"), title, in_colour(d, "\033[0m"));
    for (int i = title ? used - 1 : 0; i < (int)width - 2; i++)
        text_add(t, "%s", d->edge[ACROSS]);
    text_add(t, "%s\033[K\n", d->edge[left + 1]);
}

static void add_row(struct text *t, const struct display *d, const char *const cell[4], unsigned width)
{
    unsigned half = (width - 3) / 2, label = 10;
    text_add(t, "%s", d->edge[DOWN]);
    for (unsigned i = 0; i < 4; i += 2) {
        int room = (int)(i ? width - 3 - half : half) - (int)label - 3;
        text_add(t, " %s%*s%s : %-*.*s", in_colour(d, "\033[36m"), (int)label - 2, cell[i],
                 in_colour(d, "\033[0m"), room + 1, room, cell[i + 1]);
        text_add(t, "%s", d->edge[DOWN]);
    }
    text_add(t, "\033[K\n");
}

static void add_wide_row(struct text *t, const struct display *d, const char *words, unsigned width,
                         const char *colour)
{
    int room = (int)width - 4;
    text_add(t, "%s %s%-*.*s%s %s\033[K\n", d->edge[DOWN], in_colour(d, colour), room, room, words,
             in_colour(d, "\033[0m"), d->edge[DOWN]);
}

static void add_panel(struct text *t, const struct display *d, const struct shown *s, unsigned width)
{
    char title[160], clauses[64], engine[64], speed[32], findings[32], corpus[64];
    struct text run = {0}, fresh = {0}, verdicts = {0}, cases = {0}, left = {0};
    const struct engines_view *n = &s->engines;
    bool fuzz = !strcmp(d->command, "fuzz");
    snprintf(title, sizeof title, "misprint %s %s: %.40s against %.60s", d->command, s->v->unit->name,
             d->profile, d->board ? d->board : "a board");
    title[width - 6 < sizeof title ? width - 6 : sizeof title - 1] = 0;
    snprintf(clauses, sizeof clauses, "%u of %u", s->clauses, s->all_clauses);
    snprintf(speed, sizeof speed, "%.1f k cases/s", d->rate / 1000);
    text_add_grouped(&cases, s->cases);
    if (s->v->to_search)
        text_add(&left, "searching causes, %u of %u; Ctrl-C ends it", s->v->searching, s->v->to_search);
    else
        add_time_left(&left, d, s);
    if (d->engines) {
        snprintf(engine, sizeof engine, "%s, %u of %u running", d->engine, n->running, n->jobs);
        snprintf(corpus, sizeof corpus, "%u case%s", n->corpus, plural(n->corpus));
    } else {
        snprintf(engine, sizeof engine, "builtin, %u job%s", d->jobs, plural(d->jobs));
        snprintf(corpus, sizeof corpus, "%s", fuzz ? "in memory" : "the given inputs");
    }
    add_time(&run, s->v->seconds);
    if (s->v->findings)
        add_time(&fresh, s->v->since_new);
    text_add(&fresh, s->v->findings ? " ago" : "none so far");
    add_verdicts(&verdicts, s->v, "   ");
    add_rule(t, d, TOP_LEFT, title, width);
    add_row(t, d, (const char *const[]){"run time", text_chars(&run), "cases", text_chars(&cases)}, width);
    add_row(t, d, (const char *const[]){"last new", text_chars(&fresh), "speed", speed}, width);
    add_row(t, d, (const char *const[]){"engine", fuzz ? engine : "none", "corpus", corpus}, width);
    snprintf(findings, sizeof findings, "%u%s", s->v->findings,
             d->jobs > 1 ? " of the first job" : " so far");
    add_row(t, d, (const char *const[]){"touched", clauses, "findings", findings}, width);
    add_rule(t, d, MIDDLE_LEFT, "findings by verdict", width);
    add_wide_row(t, d, verdicts.length ? text_chars(&verdicts) : "none", width, "");
    if (n->defects) {
        text_clear(&verdicts);
        text_add(&verdicts, "the model itself fails on %u input%s, first %s", n->defects, plural(n->defects),
                 n->defect);
        add_wide_row(t, d, text_chars(&verdicts), width, "\033[31m");
    }
    add_rule(t, d, BOTTOM_LEFT, text_chars(&left), width);
    text_free(&run);
    text_free(&cases);
    text_free(&left);
    text_free(&fresh);
    text_free(&verdicts);
}

static unsigned terminal_width(void)
{
    struct winsize size;
    unsigned width = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
    return width < WIDTH_MAX ? width : WIDTH_MAX;
}

/* Moves the cursor to the panel's first line on the screen. */
static void move_to_panel(const struct display *d, struct text *t)
{
    text_add(t, "\r");
    if (d->lines)
        text_add(t, "\033[%uA", d->lines);
}

static void write_out(struct text *t)
{
    fwrite(t->chars, 1, t->length, stderr);
    fflush(stderr);
    text_free(t);
}

static void draw(struct display *d, const struct shown *s)
{
    struct text t = {0};
    unsigned width = terminal_width();
    if (!s->v->ended)
        d->findings = s->v->findings;
    move_to_panel(d, &t);
    if (s->v->ended || d->lines == 0)
        text_add(&t, "\033[J");
    size_t start = t.length;
    if (!s->v->ended && width >= WIDTH_MIN)
        add_panel(&t, d, s, width);
    d->lines = 0;
    for (size_t i = start; i < t.length; i++)
        d->lines += t.chars[i] == '\n';
    size_t end = t.length;
    if (!s->v->ended && width < WIDTH_MIN) {
        add_line(&t, d, s);
        if (t.length >= end + width) /* a line that wraps cannot be redrawn in place */
            t.length = end + width - 1;
    }
    write_out(&t);
}

static void print_line(struct display *d, const struct shown *s)
{
    struct text t = {0};
    if (s->v->ended || s->v->seconds - d->line_at < LINE_EVERY)
        return;
    d->line_at = s->v->seconds;
    d->findings = s->v->findings;
    add_time(&t, s->v->seconds);
    text_add(&t, ": ");
    add_line(&t, d, s);
    text_add(&t, "\n");
    write_out(&t);
}

void display_show(void *context, const struct campaign_view *v)
{
    struct display_of_job *j = context;
    struct shown s;
    if (!j)
        return;
    j->cases = (unsigned long)v->tally->cases;
    if (!j->draws || j->display->quiet)
        return;
    gather(j->display, v, &s);
    pthread_mutex_lock(&j->display->lock);
    if (j->display->panel)
        draw(j->display, &s);
    else
        print_line(j->display, &s);
    pthread_mutex_unlock(&j->display->lock);
}

void display_message(void *context, const char *line)
{
    struct display_of_job *j = context;
    struct display *d = j ? j->display : NULL;
    struct text t = {0};
    if (d)
        pthread_mutex_lock(&d->lock);
    if (d && d->panel && !d->quiet) { /* the next draw puts the panel below this line */
        move_to_panel(d, &t);
        text_add(&t, "\033[J");
        d->lines = 0;
    }
    text_add(&t, "misprint: %s\n", line);
    write_out(&t);
    if (d)
        pthread_mutex_unlock(&d->lock);
}
