/* SPDX-License-Identifier: MIT */
/* One finding in one line: what the board does, and the clauses and modes that it is about. */
#include "model/core/unit.h"
#include "oracle/describe/rule_text.h"
#include "oracle/report/report_cause.h"
#include "oracle/report/report_facts.h"
#include "oracle/report/report_text.h"

#include <string.h>

/* Is the cause of a finding less than certain? */
static bool is_open(enum cause_status status)
{
    return status == CAUSE_OPEN || status == CAUSE_MASKS || status == CAUSE_FITS;
}

/* Adds what the board does, without a word about how sure that is. `titled`: after the titles of the clauses,
 * which name the subject. */
static void add_sentence(const struct finding *f, enum cause_status status, bool titled, struct text *t)
{
    const char *line = f->learned.rules;
    struct rule rule;
    const struct cause *c = &f->explanation.candidate[0];
    if (status == CAUSE_LEARNED || status == CAUSE_WITHDRAWN) {
        for (unsigned i = 0; rule_next(f->unit, &line, &rule); i++) {
            text_add(t, "%s", i ? "; " : "");
            rule_describe(f->unit, &rule, t);
        }
        return;
    }
    if (status == CAUSE_NONE) {
        text_add(t, "first seen in %s", f->label);
        return;
    }
    for (unsigned i = 0; i < c->count; i++) {
        const struct clause *clause = unit_clause(f->unit, c->change[i].clause);
        const char *says = clause->readings[c->change[i].reading].says;
        const char *end = strstr(says, ". ");
        text_add(t, "%s%s%s", i ? " " : "", titled ? clause->title : "", titled ? ": " : "");
        text_add_chars(t, says, end ? (size_t)(end + 1 - says) : strlen(says));
    }
}

/* Adds "perhaps: ", with the reading of the same clauses that no case excludes, or their number. */
static void add_perhaps(const struct finding *f, enum cause_status status, struct text *t)
{
    const struct trials *n = &f->trials;
    const struct rival *missing = status == CAUSE_FITS && n->counted ? trials_missing(n) : NULL;
    unsigned others = 0;
    for (unsigned i = 0; missing && i < n->rivals; i++)
        others += !n->rival[i].cases;
    text_add(t, "perhaps");
    if (others == 1) {
        const struct clause *c = unit_clause(f->unit, missing->clause);
        text_add(t, " (or %s=%s)", c->id, c->readings[missing->reading].id);
    } else if (others) {
        text_add(t, " (or %u other readings)", others);
    }
    text_add(t, ": ");
}

void cause_sentence(const struct finding *f, struct text *t)
{
    enum cause_status status = cause_status(f);
    if (is_open(status))
        add_perhaps(f, status, t);
    add_sentence(f, status, true, t);
}

void words_does(const struct finding *f, struct text *t)
{
    enum cause_status status = cause_status(f);
    if (status == CAUSE_LEARNED || status == CAUSE_WITHDRAWN) /* a rule's sentence is the headline */
        return;
    text_add(t, "%s", status == CAUSE_FITS ? "perhaps: " : ""); /* otherwise, the headline says it */
    add_sentence(f, status, false, t);
}

void words_clause_ids(const struct finding *f, struct text *t)
{
    struct named_clause named[NAMED_CLAUSES_MAX];
    unsigned count = finding_clauses(f, named);
    for (unsigned i = 0; i < count; i++)
        words_add(t, "`%s` ", unit_clause(f->unit, named[i].index)->id);
    words_add(t, "`%s`", f->id);
}

void words_modes(const struct finding_view *v, unsigned clause, struct text *t)
{
    const struct clause *c = unit_clause(v->finding->unit, clause);
    for (unsigned m = 0, listed = 0; v->shown && c->modes && c->modes[m]; m++)
        if (v->coverage.modes[clause] >> m & 1)
            words_add(t, "%s%s", listed++ ? ", " : "", c->modes[m]);
}
