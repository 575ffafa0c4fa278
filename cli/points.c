/* SPDX-License-Identifier: MIT */
/* `misprint points` lists the observation points of a unit, at which rules act. */
#include "cli/cli.h"
#include "model/core/unit.h"
#include "oracle/describe/rule_words.h"

#include <stdio.h>
#include <string.h>

static json_t *point_json(const struct unit *u, const struct point *p)
{
    json_t *inputs = json_array();
    for (unsigned i = 0; i < POINT_INPUTS_MAX && p->input[i].name; i++)
        json_array_append_new(inputs,
                              json_pack("{s:s, s:s, s:i, s:i}", "name", p->input[i].name, "about",
                                        words_about_input(u, p, p->input[i].name), "bits", p->input[i].width,
                                        "lanes", p->input[i].lanes ? p->input[i].lanes : 1));
    return json_pack("{s:s, s:s, s:s, s:i, s:i, s:o}", "name", p->name, "about", p->about, "where", p->where,
                     "bits", p->width, "lanes", p->lanes, "inputs", inputs);
}

/* `inputs`: also says what each input is. */
static void print_point(const struct unit *u, const struct point *p, bool inputs, struct text *t)
{
    text_add(t, "%-20s %2u bit%s%s  %s\n", p->name, p->width, p->width == 1 ? " " : "s",
             p->lanes > 1 ? ", 16 lanes" : "", p->about);
    text_add(t, "%-20s %s", "", p->where);
    for (unsigned i = 0; i < POINT_INPUTS_MAX && p->input[i].name; i++)
        text_add(t, "%s%s (%u bit%s%s)", i ? ", " : "; inputs: ", p->input[i].name, p->input[i].width,
                 plural(p->input[i].width), p->input[i].lanes ? ", 16 lanes" : "");
    text_add(t, "\n");
    for (unsigned i = 0; inputs && i < POINT_INPUTS_MAX && p->input[i].name; i++)
        text_add(t, "%-20s   %s: %s\n", "", p->input[i].name, words_about_input(u, p, p->input[i].name));
}

static const char *name_of_point(const void *unit, unsigned i)
{
    const struct unit *u = unit;
    return i < u->point_count ? u->points[i].name : NULL;
}

static bool is_point(const struct unit *u, const char *name, struct error *e)
{
    char advice[96];
    for (unsigned i = 0; i < u->point_count; i++)
        if (!strcmp(u->points[i].name, name))
            return true;
    snprintf(advice, sizeof advice, "`misprint points %s` lists them", u->name);
    return error_unknown(e, "point", name, name_of_point, u, advice);
}

static int run_points(const struct arguments *a)
{
    struct error e = {0};
    struct text t = {0};
    json_t *list = json_array();
    const struct unit *u = unit_find(a->word[0], &e);
    const char *only = a->words > 1 ? a->word[1] : NULL;
    if (!u || (only && !is_point(u, only, &e))) {
        json_decref(list);
        return fail(STATUS_USAGE, &e);
    }
    for (unsigned i = 0; i < u->point_count; i++) {
        if (only && strcmp(u->points[i].name, only) != 0)
            continue;
        json_array_append_new(list, point_json(u, &u->points[i]));
        print_point(u, &u->points[i], only != NULL, &t);
    }
    if (!u->point_count)
        text_add(&t, "%s has no observation points yet\n", u->name);
    return print_result(a, &t, list, STATUS_EQUAL);
}

const struct command command_points = {
    .name = "points",
    .synopsis = "UNIT [POINT]",
    .about = "list the observation points of a unit, at which rules act",
    .examples = "  misprint points vc4-vpm\n"
                "  misprint run a.case --profile 'manual;vc4-vpm block.stride = value & 31'",
    .details = "Lists the places in a unit's model through which values pass: fields as decoded, addresses "
               "as computed, counts, enables. A rule of a profile changes the value at one of them. "
               "docs/rules.md describes rules.",
    .options = {OPTION_JSON, OPTION_END},
    .min_words = 1,
    .max_words = 2,
    .run = run_points,
};
