/* SPDX-License-Identifier: MIT */
#include "cli/run/run_trace.h"

#include "oracle/describe/escape.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_END = 100 /* columns */ };

static json_t *value_json(const uint32_t *value, unsigned lanes)
{
    if (lanes < 2)
        return json_integer(*value);
    json_t *list = json_array();
    for (unsigned i = 0; i < lanes; i++)
        json_array_append_new(list, json_integer(value[i]));
    return list;
}

/* Returns the inputs of a point by name. An input is a number, or a list of 16 for a vector. */
static json_t *inputs_json(const struct point *p, const uint32_t *input)
{
    json_t *all = json_object();
    unsigned vectors = point_vectors(p);
    for (unsigned i = 0; i < POINT_INPUTS_MAX && p->input[i].name; i++)
        json_object_set_new(all, p->input[i].name,
                            value_json(input + point_input_at(vectors, i), p->input[i].lanes));
    return all;
}

static void add_json(struct run_trace *t, json_t *object)
{
    char *line = json_dumps(object, JSON_PRESERVE_ORDER);
    text_add(t->to, "%s\n", line ? line : "{}");
    free(line);
    json_decref(object);
}

/* Adds one point's value to the text of the step, and breaks lines between points. */
static void add_point(struct run_trace *t, const struct text *item)
{
    bool first = !t->points.length;
    if (first || t->column + item->length + 2 > LINE_END) {
        text_add(&t->points, "%s    ", first ? "" : "\n");
        t->column = 4;
    } else {
        text_add(&t->points, "; ");
        t->column += 2;
    }
    text_add_chars(&t->points, text_chars(item), item->length);
    t->column += (unsigned)item->length;
}

static bool all_equal(const uint32_t *lane, unsigned lanes)
{
    for (unsigned i = 1; i < lanes; i++)
        if (lane[i] != lane[0])
            return false;
    return true;
}

static void print_lanes(const uint32_t *lane, unsigned lanes, struct text *to)
{
    text_add(to, lanes > 1 && all_equal(lane, lanes) ? "all " : "");
    for (unsigned i = 0; i < (all_equal(lane, lanes) ? 1 : lanes); i++)
        text_add(to, "%s%" PRIx32, i ? " " : "", lane[i]);
}

static void print_change(const struct point *p, const uint32_t *before, const uint32_t *after,
                         struct text *item)
{
    text_add(item, "%s ", p->name);
    print_lanes(before, p->lanes, item);
    text_add(item, " -> ");
    print_lanes(after, p->lanes, item);
    text_add(item, " by rule");
}

/* Does the text trace print a point's value that no rule changed? It prints single numbers, but not the
 * instruction's fields (insn.*), because the step's own line shows them. For a processor (its code has a nop)
 * it prints none, because a program has many steps and each step's line shows all that happens. */
static bool is_shown(const struct unit *u, const struct point *p)
{
    return p->lanes == 1 && strncmp(p->name, "insn.", 5) != 0 && !(u->code && u->code->nop);
}

static void print_point(struct run_trace *t, const struct point *p, const uint32_t *before,
                        const uint32_t *after)
{
    struct text item = {0};
    if (memcmp(before, after, p->lanes * sizeof *before) != 0)
        print_change(p, before, after, &item);
    else if (is_shown(t->unit, p))
        text_add(&item, "%s %" PRIx32, p->name, *before);
    if (item.length)
        add_point(t, &item);
    text_free(&item);
}

static void take_value(void *context, const struct observation *seen, uint32_t *value)
{
    struct run_trace *t = context;
    const struct point *p = &t->unit->points[seen->point];
    if (!t->json) {
        print_point(t, p, seen->value, value);
        return;
    }
    add_json(t, json_pack("{s:o, s:s, s:I, s:s, s:i, s:o, s:o, s:o}", "file", json_text(t->file), "unit",
                          t->unit->name, "step", (json_int_t)t->step, "point", p->name, "lanes", p->lanes,
                          "before", value_json(seen->value, p->lanes), "after", value_json(value, p->lanes),
                          "inputs", inputs_json(p, seen->input)));
}

static void end_points(struct run_trace *t)
{
    if (t->points.length)
        text_add(t->to, "%s\n", text_chars(&t->points));
    text_free(&t->points);
    t->points = (struct text){0};
}

static void take_step(void *context, const char *line)
{
    struct run_trace *t = context;
    if (t->json) {
        add_json(t, json_pack("{s:o, s:s, s:I, s:s}", "file", json_text(t->file), "unit", t->unit->name,
                              "step", (json_int_t)t->step, "text", line));
    } else {
        text_add(t->to, "%s\n", line);
        end_points(t);
    }
    t->step++;
}

void run_trace_attach(struct run_trace *t, struct run *r)
{
    r->mode = RUN_TRACED;
    r->trace = take_step;
    r->trace_context = t;
    if (t->unit->points) {
        r->force = take_value;
        r->see_context = t;
    }
}

void run_trace_end(struct run_trace *t, const struct outcome *o, const char *remarks, json_t *fidelity)
{
    end_points(t);
    if (!t->json)
        return;
    add_json(t, json_pack("{s:o, s:s, s:s, s:s, s:I, s:o*, s:o*}", "file", json_text(t->file), "unit",
                          t->unit->name, "end", end_name(o->end), "reason", t->unit->reasons[o->reason],
                          "steps", (json_int_t)t->step, "remarks", *remarks ? json_text(remarks) : NULL,
                          "fidelity", fidelity));
}
