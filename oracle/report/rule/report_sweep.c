/* SPDX-License-Identifier: MIT */
#include "oracle/report/rule/report_sweep.h"

#include "model/core/memory.h"
#include "model/rule/point.h"
#include "oracle/report/report_text.h"

#include <stdlib.h>
#include <string.h>

const char *const measured_name[MEASURED_KINDS] = {"rule", "model", "same", "unseen", "neither"};

enum { VISITS = 32 };

/* The values at the first visits of a rule's point in one run, and what the rule makes of them. */
struct passed {
    const struct rule *rule;
    const struct point *point;
    uint32_t visits;
    uint32_t value[VISITS][POINT_LANES_MAX], result[VISITS][POINT_LANES_MAX];
};

struct measuring {
    struct executor *x;
    struct profile without, with;
    struct outcome *model, *board;
    struct passed passed[SWEEP_MAX];
    enum measured how[SWEEP_MAX]; /* MEASURED_SAME, if both agree */
    uint32_t count;
};

static void see(void *context, const struct observation *seen)
{
    struct passed *n = context;
    const struct point *p = n->point;
    if (seen->point != n->rule->point || n->visits == VISITS)
        return;
    struct expression_context x = {.value = seen->value,
                                   .input = seen->input,
                                   .vectors = point_vectors(p),
                                   .lanes = p->lanes};
    const struct expression *guard = &n->rule->guard, *result = &n->rule->result;
    for (; x.lane < p->lanes; x.lane++) {
        bool acts = !guard->count || expression_evaluate(guard->node, guard->count, &x);
        uint32_t value = seen->value[x.lane],
                 all = p->width < 32 ? (UINT32_C(1) << p->width) - 1 : UINT32_MAX;
        n->value[n->visits][x.lane] = value;
        n->result[n->visits][x.lane] =
            acts ? expression_evaluate(result->node, result->count, &x) & all : value;
    }
    n->visits++;
}

/* Runs a case of the sweep on the model. Returns false if its recorded outcome cannot be compared. */
static bool run(struct measuring *g, const struct related_case *c, struct passed *n, enum measured *how)
{
    struct error unreadable;
    if (!c->tc || !outcome_decode(g->board, c->tc, c->board_outcome, c->board_outcome_size, &unreadable))
        return false;
    executor_run(g->x, c->tc, &g->with, RUN_CHECKED, g->model);
    bool rule = g->model->end != END_UNDEFINED && outcomes_equal(g->model, g->board, NULL, NULL);
    struct run r = {.tc = c->tc,
                    .profile = &g->without,
                    .out = g->model,
                    .mode = RUN_CHECKED,
                    .see = see,
                    .see_context = n};
    executor_run_with(g->x, &r);
    bool model = outcomes_equal(g->model, g->board, NULL, NULL);
    *how = rule && model ? MEASURED_SAME : rule ? MEASURED_RULE : model ? MEASURED_MODEL : MEASURED_NEITHER;
    return g->model->end != END_UNDEFINED;
}

/* Finds the first visit and lane whose value differs between cases: the value that was swept. */
static bool find_swept(const struct measuring *g, uint32_t *visit, uint32_t *lane)
{
    for (*visit = 0; *visit < VISITS; ++*visit)
        for (*lane = 0; *lane < POINT_LANES_MAX; ++*lane)
            for (uint32_t i = 1; i < g->count; i++)
                if (g->passed[i].value[*visit][*lane] != g->passed[0].value[*visit][*lane])
                    return true;
    return false;
}

static void list_values(const struct measuring *g, struct measurement *m)
{
    uint32_t visit, lane;
    if (!find_swept(g, &visit, &lane))
        return;
    for (uint32_t i = 0; i < g->count; i++) {
        const struct passed *n = &g->passed[i];
        enum measured how = g->how[i];
        if (visit >= n->visits)
            continue;
        uint32_t value = n->value[visit][lane], result = n->result[visit][lane];
        if (how == MEASURED_SAME && value != result)
            how = MEASURED_UNSEEN;
        m->at[m->count].value = value;
        m->at[m->count].result = result;
        m->at[m->count++].how = how;
        m->number[how]++;
    }
}

void sweep_measure(const struct finding_view *v, const struct rule *r, struct measurement *m)
{
    const struct finding *f = v->finding;
    struct error ignored;
    memset(m, 0, sizeof *m);
    if (!v->shown || !f->related[RELATED_SWEEP].tc)
        return;
    struct measuring *g = memory_new(1, sizeof *g);
    g->x = executor_new(f->unit);
    g->model = outcome_new(f->unit);
    g->board = outcome_new(f->unit);
    g->with = g->without = v->base;
    executor_place(g->x, &f->board);
    (void)learned_apply(f->unit, &f->learned, &g->with, &ignored);
    for (unsigned i = 0; i < SWEEP_MAX; i++) {
        struct passed *n = &g->passed[g->count];
        *n = (struct passed){.rule = r, .point = &f->unit->points[r->point]};
        g->count += run(g, &f->related[RELATED_SWEEP + i], n, &g->how[g->count]);
    }
    list_values(g, m);
    outcome_free(g->model);
    outcome_free(g->board);
    executor_free(g->x);
    free(g);
}

/* Adds "12 times what the rule says and the model does not". */
static void add_number(uint32_t number, const char *what, unsigned *listed, struct text *t)
{
    if (!number)
        return;
    text_add(t, "%s", (*listed)++ ? "; with " : "With ");
    words_number(t, number, "value", "values");
    text_add(t, " %s", what);
}

void words_measured(const struct measurement *m, struct text *t)
{
    unsigned listed = 0;
    if (!m->count)
        return;
    text_add(t, "The board ran the smallest case with ");
    words_number(t, m->count, "value", "values");
    text_add(t, " of the field. ");
    add_number(m->number[MEASURED_RULE], "it did what the rule says and the model does not", &listed, t);
    add_number(m->number[MEASURED_SAME], "rule and model say the same, and the board did it", &listed, t);
    add_number(m->number[MEASURED_UNSEEN], "the outcome does not show which of them it follows", &listed, t);
    add_number(m->number[MEASURED_MODEL], "it did what the model does and the rule does not say", &listed, t);
    add_number(m->number[MEASURED_NEITHER], "it did neither", &listed, t);
    text_add(t, ".");
}
