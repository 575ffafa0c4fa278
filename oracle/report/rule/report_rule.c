/* SPDX-License-Identifier: MIT */
/* Describes rules that were learned for the reports: sentences, sweeps, and drafts for the ledger. */
#include "oracle/describe/escape.h"
#include "oracle/describe/rule_text.h"
#include "oracle/report/report_facts.h"
#include "oracle/report/report_page.h"
#include "oracle/report/report_text.h"
#include "oracle/report/rule/report_sweep.h"

#include "model/core/memory.h"
#include "model/rule/point.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- sentences ---- */

void words_rules(const struct finding_view *v, struct text *t)
{
    const struct finding *f = v->finding;
    const char *line = f->learned.rules;
    struct rule rule;
    for (unsigned i = 0; rule_next(f->unit, &line, &rule); i++) {
        text_add(t, "%s", i ? "; " : "");
        rule_describe(f->unit, &rule, t);
    }
}

void words_rule_names(const struct finding_view *v, struct text *t)
{
    const struct finding *f = v->finding;
    const char *line = f->learned.rules;
    struct rule rule;
    for (unsigned i = 0; rule_next(f->unit, &line, &rule); i++) {
        text_add(t, "%s", i ? " " : "");
        rule_explain_names(f->unit, &rule, t);
    }
}

void words_rule_trials(const struct finding_view *v, struct text *t)
{
    const struct finding *f = v->finding;
    const struct finding_learned *l = &f->learned;
    const char *line = l->rules;
    struct rule rule;
    if (!rule_next(f->unit, &line, &rule))
        return;
    rule_document(f->unit, &rule, t);
    words_add(t,
              " %'" PRIu32 " experiment%s on the board could have refuted it, and none did; the rule %s "
              "%'" PRIu32 " of the cases that the search kept.",
              l->experiments, plural(l->experiments), l->withdrawn ? "explained" : "explains", l->explained);
    if (l->alternatives_count)
        words_add(t,
                  " No experiment told it apart from %'" PRIu32 " other rule%s, which give%s the same in all "
                  "cases that were tried.",
                  l->alternatives_count, plural(l->alternatives_count),
                  l->alternatives_count == 1 ? "s" : "");
}

void words_alternatives(const struct finding_view *v, struct text *t)
{
    const struct finding_learned *l = &v->finding->learned;
    uint32_t listed = l->alternatives[0] != 0;
    for (const char *at = l->alternatives; *at; at++)
        listed += *at == '\n';
    text_add(t, "%s%s", l->alternatives, listed ? "\n" : "");
    if (l->alternatives_count > listed)
        text_add(t, "# and %" PRIu32 " more\n", l->alternatives_count - listed);
}

void words_withdrawn(const struct finding_view *v, struct text *t)
{
    const struct finding *f = v->finding;
    words_add(
        t,
        "The campaign believed a rule until case `%s` refuted it: in this case, the model does what the "
        "board did without the rule, and not with it. So the model no longer follows the rule, and what "
        "it explained was searched again. The rule was: ",
        f->related[RELATED_REFUTES].label);
    words_rules(v, t);
    text_add(t, ". ");
    words_rule_trials(v, t);
}

void words_rule_commands(const struct finding_view *v, struct text *t)
{
    const char *line = v->finding->learned.rules;
    if (!*line || v->finding->learned.withdrawn)
        return;
    text_add(t, "--profile ");
    escape_shell(t, v->finding->profile);
    while (*line) {
        struct text rule = {0};
        size_t length = strcspn(line, "\n");
        text_add_chars(&rule, line, length);
        text_add(t, " --rule ");
        escape_shell(t, text_chars(&rule));
        text_free(&rule);
        line += length + (line[length] == '\n');
    }
    text_add(t, "\n");
}

void words_ledger_draft(const struct finding_view *v, struct text *t)
{
    const struct finding *f = v->finding;
    const char *line = f->learned.rules;
    struct rule rule;
    while (rule_next(f->unit, &line, &rule)) {
        const struct point *p = &f->unit->points[rule.point];
        struct text says = {0};
        rule_describe(f->unit, &rule, &says);
        text_add(t, "{\"");
        for (const char *c = p->name; *c; c++)
            text_add(t, "%c", *c == '.' ? '-' : *c);
        text_add(t, "\", \"%s\", \"%s\", false,\n", p->about, p->where);
        text_add(t,
                 " {{\"manual\", \"What the document says (to be worded).\", \"%s\", EVIDENCE_DOCUMENT},\n",
                 p->where);
        text_add(t, "  {\"observed\", \"%s.\", \"%s: %" PRIu32 " experiments\", %s}}},\n", text_chars(&says),
                 f->board.spec, f->learned.experiments,
                 v->board_class == BOARD_CLASS_SILICON ? "EVIDENCE_SILICON" : "EVIDENCE_SOURCE");
        text_free(&says);
    }
    if (f->learned.rules[0])
        text_add(t, "separating case: cases/%s.case\n", f->id);
}

/* ---- sweeps ---- */

/* The inputs of a rule's point in a run of the smallest case: those of the first visit at which the rule's
 * guard holds; if it never holds, those of the last visit. */
struct visit_inputs {
    const struct unit *unit;
    const struct rule *rule;
    uint32_t input[POINT_INPUT_WORDS_MAX];
    bool found;
};

static void see(void *context, const struct observation *seen)
{
    struct visit_inputs *n = context;
    const struct point *p = &n->unit->points[seen->point];
    if (n->found || seen->point != n->rule->point)
        return;
    const struct expression_context x = {.value = seen->value,
                                         .input = seen->input,
                                         .vectors = point_vectors(p),
                                         .lanes = p->lanes};
    memcpy(n->input, seen->input, point_input_words(p) * sizeof *n->input);
    n->found = !n->rule->guard.count || expression_evaluate(n->rule->guard.node, n->rule->guard.count, &x);
}

static void sweep_of(const struct finding_view *v, const struct rule *rule, struct rule_sweep *s)
{
    const struct finding *f = v->finding;
    struct visit_inputs n = {.unit = f->unit, .rule = rule};
    if (f->smallest && v->shown) {
        struct executor *x = executor_new(f->unit);
        struct outcome *out = outcome_new(f->unit);
        struct run r = {.tc = f->smallest,
                        .profile = &v->base,
                        .out = out,
                        .mode = RUN_CHECKED,
                        .see = see,
                        .see_context = &n};
        executor_place(x, &f->board);
        executor_run_with(x, &r);
        outcome_free(out);
        executor_free(x);
    }
    rule_sweep(f->unit, rule, n.input, s);
}

void words_rule_sweeps(const struct finding_view *v, struct text *t)
{
    const char *line = v->finding->learned.rules;
    struct rule_sweep *s = memory_new(1, sizeof *s);
    struct rule rule;
    for (unsigned i = 0; rule_next(v->finding->unit, &line, &rule); i++) {
        if (!rule_is_swept(v->finding->unit, &rule))
            continue;
        sweep_of(v, &rule, s);
        words_add(t, "%s`%s`: ", i ? " " : "", v->finding->unit->points[rule.point].name);
        rule_sweep_print(s, t);
        text_add(t, ".");
        if (i == 0) { /* the board swept the point of the first rule */
            struct measurement m;
            sweep_measure(v, &rule, &m);
            text_add(t, "%s", m.count ? " " : "");
            words_measured(&m, t);
        }
    }
    free(s);
}

enum { CASE_LINES = 80 };
enum { LEFT = 60, RIGHT = 10, TOP = 12, BOTTOM = 26, WIDTH = 420, HEIGHT = 220 };

static double place(uint64_t value, uint64_t most, int from, int to)
{
    return from + (double)value / (double)(most ? most : 1) * (to - from);
}

static void dots(const struct rule_sweep *s, bool of_rule, uint64_t most, struct text *t)
{
    for (uint32_t i = 0; i < s->count; i++)
        text_add(t, "<circle class=\"cv%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%s\"/>", of_rule ? " x" : "",
                 place(s->value[i], most, LEFT, WIDTH - RIGHT),
                 place(of_rule ? s->result[i] : s->value[i], most, HEIGHT - BOTTOM, TOP),
                 of_rule ? "2.2" : "1.4");
}

/* Draws what the board did: a ring at the value that the board went on with, or a cross on the axis if it did
 * neither what the rule says nor what the model does. */
static void rings(const struct measurement *m, uint64_t most, struct text *t)
{
    for (uint32_t i = 0; i < m->count; i++) {
        double x = place(m->at[i].value, most, LEFT, WIDTH - RIGHT);
        uint32_t value = m->at[i].how == MEASURED_MODEL ? m->at[i].value : m->at[i].result;
        if (m->at[i].how == MEASURED_NEITHER)
            text_add(t, "<path class=\"cb\" d=\"M%.1f %dl8 8m0 -8l-8 8\"/>", x - 4, HEIGHT - BOTTOM - 4);
        else if (m->at[i].how != MEASURED_UNSEEN)
            text_add(t, "<circle class=\"cb\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>", x,
                     place(value, most, HEIGHT - BOTTOM, TOP));
    }
}

static void draw_sweep(const struct point *p, const struct rule_sweep *s, const struct measurement *m,
                       bool withdrawn, struct text *t)
{
    uint64_t most = p->width < 32 ? (UINT64_C(1) << p->width) - 1 : UINT32_MAX;
    xml_add(t,
            "<figure class=\"picture\"><figcaption><code>%s</code> <span>what its value becomes; %s"
            "</span></figcaption><svg class=\"sweep\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
            "role=\"img\" aria-label=\"%s: the model and the rule over its range\">",
            p->name, s->whole ? "every value" : "64 values of its range", WIDTH, HEIGHT, WIDTH, HEIGHT,
            p->name);
    text_add(t, "<path class=\"t\" d=\"M%d %dV%dH%d\" fill=\"none\"/>", LEFT, TOP, HEIGHT - BOTTOM,
             WIDTH - RIGHT);
    text_add(t,
             "<text class=\"r\" x=\"%d\" y=\"%d\">0</text><text class=\"r\" x=\"%d\" y=\"%d\">%" PRIu64
             "</text>",
             LEFT - 5, HEIGHT - BOTTOM + 3, LEFT - 5, TOP + 3, most);
    text_add(t,
             "<text class=\"h\" x=\"%d\" y=\"%d\">0</text><text class=\"r\" x=\"%d\" y=\"%d\">%" PRIu64
             "</text>",
             LEFT, HEIGHT - BOTTOM + 12, WIDTH - RIGHT, HEIGHT - BOTTOM + 12, most);
    xml_add(t, "<text class=\"h\" x=\"%d\" y=\"%d\">value at %s</text>", (LEFT + WIDTH - RIGHT) / 2,
            HEIGHT - 4, p->name);
    dots(s, false, most, t);
    dots(s, true, most, t);
    rings(m, most, t);
    text_add(t,
             "</svg><p class=\"more\">Small dots: the model. Large dots: the rule that the board %s.%s Other "
             "inputs are those of the smallest case.</p></figure>\n",
             withdrawn ? "was believed to follow" : "follows",
             m->count ? " Rings: what the board did, where it was asked." : "");
}

void html_rules(const struct finding_view *v, struct text *t)
{
    const struct finding *f = v->finding;
    const char *line = f->learned.rules;
    struct rule_sweep *s;
    struct rule rule;
    struct text w = {0};
    if (!*line)
        return;
    bool withdrawn = f->learned.withdrawn;
    text_add(t, "<h4>The rule%s</h4>\n", withdrawn ? " that was withdrawn" : "");
    html_pre(t, f->learned.rules);
    words_rule_names(v, &w);
    html_paragraph(t, "soft", &w);
    s = memory_new(1, sizeof *s);
    for (unsigned i = 0; rule_next(f->unit, &line, &rule); i++) {
        struct measurement m = {0};
        if (!rule_is_swept(f->unit, &rule))
            continue;
        sweep_of(v, &rule, s);
        if (i == 0)
            sweep_measure(v, &rule, &m);
        draw_sweep(&f->unit->points[rule.point], s, &m, withdrawn, t);
    }
    free(s);
    words_rule_sweeps(v, &w);
    html_paragraph(t, "soft", &w);
    words_refuting(f, CASE_LINES, &w);
    if (withdrawn) {
        text_add(t, "<h4>The case that refuted it</h4>\n");
        html_pre(t, text_chars(&w));
        text_free(&w);
        return;
    }
    text_add(t, "<p class=\"more\">To let the model follow it:</p>\n");
    words_rule_commands(v, &w);
    html_pre(t, text_chars(&w));
    text_clear(&w);
    text_add(t, "<details><summary>Draft of a ledger row</summary>\n");
    words_ledger_draft(v, &w);
    html_pre(t, text_chars(&w));
    text_add(t, "</details>\n");
    text_clear(&w);
    words_alternatives(v, &w);
    if (w.length) {
        text_add(t, "<details><summary>Rules that no experiment distinguished: %" PRIu32 "</summary>\n",
                 f->learned.alternatives_count);
        html_pre(t, text_chars(&w));
        text_add(t, "</details>\n");
    }
    text_free(&w);
}

/* ---- JSON ---- */

static json_t *words_of(void (*add)(const struct unit *u, const struct rule *r, struct text *t),
                        const struct unit *u, const struct rule *r)
{
    struct text t = {0};
    add(u, r, &t);
    json_t *j = json_string(text_chars(&t));
    text_free(&t);
    return j;
}

static json_t *lines_json(const char *lines)
{
    json_t *list = json_array();
    while (*lines) {
        size_t length = strcspn(lines, "\n");
        json_array_append_new(list, json_stringn(lines, length));
        lines += length + (lines[length] == '\n');
    }
    return list;
}

/* The case that refuted withdrawn rules; null if the rules were not withdrawn. */
static json_t *withdrawn_json(const struct finding *f)
{
    const struct related_case *r = &f->related[RELATED_REFUTES];
    if (!f->learned.withdrawn)
        return json_null();
    struct text t = {0};
    if (r->tc)
        case_print(r->tc, &t);
    json_t *j =
        json_pack("{s:o, s:o}", "label", json_text(r->label), "refuted_by", json_text(text_chars(&t)));
    text_free(&t);
    return j;
}

/* What the board did with values at the point of the first rule. */
static json_t *measured_json(const struct finding_view *v, const struct rule *rule, bool first)
{
    struct measurement m = {0};
    json_t *list = json_array();
    if (first)
        sweep_measure(v, rule, &m);
    for (uint32_t i = 0; i < m.count; i++)
        json_array_append_new(list,
                              json_pack("{s:I, s:I, s:s}", "value", (json_int_t)m.at[i].value, "rule",
                                        (json_int_t)m.at[i].result, "board", measured_name[m.at[i].how]));
    return list;
}

json_t *rules_json(const struct finding_view *v)
{
    const struct finding *f = v->finding;
    const char *line = f->learned.rules;
    struct rule_sweep *s = memory_new(1, sizeof *s);
    struct rule rule;
    json_t *rules = json_array();
    while (rule_next(f->unit, &line, &rule)) {
        json_t *sweep = json_array(), *measured = measured_json(v, &rule, !json_array_size(rules));
        sweep_of(v, &rule, s);
        for (uint32_t i = 0; i < s->count; i++)
            json_array_append_new(sweep,
                                  json_pack("[I, I]", (json_int_t)s->value[i], (json_int_t)s->result[i]));
        json_array_append_new(rules, json_pack("{s:o, s:o, s:o, s:b, s:o, s:o}", "rule",
                                               words_of(rule_print, f->unit, &rule), "sentence",
                                               words_of(rule_describe, f->unit, &rule), "document",
                                               words_of(rule_document, f->unit, &rule), "whole",
                                               (int)s->whole, "sweep", sweep, "measured", measured));
    }
    free(s);
    if (!f->learned.rules[0]) {
        json_decref(rules);
        return json_null();
    }
    return json_pack("{s:o, s:o, s:I, s:I, s:o, s:I}", "withdrawn", withdrawn_json(f), "rules", rules,
                     "explained", (json_int_t)f->learned.explained, "experiments",
                     (json_int_t)f->learned.experiments, "alternatives", lines_json(f->learned.alternatives),
                     "alternatives_count", (json_int_t)f->learned.alternatives_count);
}
