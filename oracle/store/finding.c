/* SPDX-License-Identifier: MIT */
#include "oracle/store/finding.h"

#include "model/core/measure.h"
#include "model/core/memory.h"
#include "model/rule/rule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static const char *const verdict_names[VERDICTS] = {
    "manual-erratum",        "manual-gap",  "profile-wrong", "undocumented", "implementation-differs",
    "implementation-choice", "unexplained", "undefined",     "flaky",        "withdrawn"};

const char *verdict_name(enum verdict v)
{
    return (unsigned)v < VERDICTS ? verdict_names[v] : "?";
}

int verdict_of_name(const char *name)
{
    for (int i = 0; i < VERDICTS; i++)
        if (!strcmp(verdict_names[i], name))
            return i;
    return -1;
}

bool verdict_is_discrepancy(enum verdict v)
{
    return v != VERDICT_UNDEFINED && v != VERDICT_WITHDRAWN;
}

bool silicon_contradicts(const struct clause *c, unsigned reading)
{
    bool known = false;
    for (unsigned i = 0; i < clause_readings(c); i++)
        known |= c->readings[i].evidence >= EVIDENCE_STATED;
    return known && c->readings[reading].evidence < EVIDENCE_STATED;
}

unsigned cause_contradicts(const struct unit *u, const struct cause *c)
{
    unsigned sides = 0;
    for (unsigned i = 0; i < c->count; i++) {
        const struct clause *clause = unit_clause(u, c->change[i].clause);
        bool measured = false;
        for (unsigned k = 0; k < clause_readings(clause); k++)
            measured |= clause->readings[k].evidence == EVIDENCE_SILICON;
        if (c->change[i].reading != READING_MANUAL && !clause->silent)
            sides |= CONTRADICTS_MANUAL;
        if (silicon_contradicts(clause, c->change[i].reading))
            sides |= measured ? CONTRADICTS_MEASURED : CONTRADICTS_STATED;
    }
    return sides;
}

static enum verdict verdict_of_implementation(const struct unit *u, const struct cause *c)
{
    bool choice = false;
    if (cause_contradicts(u, c))
        return VERDICT_IMPLEMENTATION_DIFFERS;
    for (unsigned i = 0; i < c->count; i++)
        choice |= unit_clause(u, c->change[i].clause)->silent;
    return choice ? VERDICT_IMPLEMENTATION_CHOICE : VERDICT_PROFILE_WRONG;
}

enum verdict verdict_of(const struct unit *u, const struct explanation *e, bool board_agrees_with_itself,
                        enum board_class who)
{
    if (!board_agrees_with_itself)
        return VERDICT_FLAKY;
    if (!e->candidates)
        return e->unspecified ? VERDICT_UNDEFINED : VERDICT_UNEXPLAINED;
    if (e->masked)
        return VERDICT_UNDEFINED;
    const struct cause *c = &e->candidate[0];
    bool gap = false;
    if (who == BOARD_CLASS_IMPLEMENTATION)
        return verdict_of_implementation(u, c);
    for (unsigned i = 0; i < c->count; i++) {
        bool silent = unit_clause(u, c->change[i].clause)->silent;
        if (c->change[i].reading != READING_MANUAL && !silent)
            return VERDICT_MANUAL_ERRATUM;
        gap |= silent;
    }
    return gap ? VERDICT_MANUAL_GAP : VERDICT_PROFILE_WRONG;
}

enum verdict verdict_of_learned(const struct finding_learned *l, enum board_class who)
{
    if (l->withdrawn)
        return VERDICT_WITHDRAWN;
    return who == BOARD_CLASS_IMPLEMENTATION ? VERDICT_IMPLEMENTATION_DIFFERS : VERDICT_UNDOCUMENTED;
}

static bool has_rule(const struct unit *u, const struct profile *p, const struct rule *rule)
{
    struct text wanted = {0}, has = {0};
    bool found = false;
    rule_print(u, rule, &wanted);
    for (uint32_t i = 0; i < p->rules.count && !found; i++) {
        const struct rule one = rules_get(&p->rules, i);
        text_clear(&has);
        rule_print(u, &one, &has);
        found = !strcmp(text_chars(&wanted), text_chars(&has));
    }
    text_free(&wanted);
    text_free(&has);
    return found;
}

bool learned_apply(const struct unit *u, const struct finding_learned *l, struct profile *p, struct error *e)
{
    for (const char *line = l->withdrawn ? "" : l->rules; *line;) {
        const struct unit *of;
        struct rule rule;
        size_t length = strcspn(line, "\n");
        if (!rule_parse(line, length, &of, &rule, e))
            return false;
        if (of != u)
            return error_set(e, "a rule of %s is no rule of %s", of->name, u->name);
        if (!has_rule(u, p, &rule) && !rules_add_first(&p->rules, &rule))
            return error_set(e, "the profile has no room for another rule");
        line += length + (line[length] == '\n');
    }
    return true;
}

void finding_name(struct finding *f)
{
    struct text t = {0};
    text_add(&t, "%s|%s|%s|%s|", f->unit->name, f->profile, f->board.kind,
             f->board.silicon ? "silicon" : "not silicon");
    if (board_is_virtual(&f->board))
        text_add(&t, "%s", f->board.spec);
    text_add(&t, "|");
    bool caused = f->verdict != VERDICT_FLAKY && f->explanation.candidates;
    if (caused && f->explanation.masked)
        text_add(&t, "undefined by ");
    for (unsigned i = 0; caused && i < f->explanation.candidates; i++) {
        text_add(&t, "%s", i ? " or " : "");
        cause_print(f->unit, &f->explanation.candidate[i], &t);
    }
    if (f->learned.rules[0])
        text_add(&t, "learned %s", f->learned.rules);
    else if (!caused)
        text_add(&t, "%s %016llx", verdict_name(f->verdict), (unsigned long long)f->signature);
    uint64_t h = XXH3_64bits(text_chars(&t), t.length);
    text_free(&t);
    snprintf(f->id, sizeof f->id, "F-%012llx", (unsigned long long)(h >> 16));
}

int finding_order(const void *a, const void *b)
{
    const struct finding *x = a, *y = b;
    if (x->verdict != y->verdict)
        return x->verdict < y->verdict ? -1 : 1;
    if (x->unit != y->unit)
        return strcmp(x->unit->name, y->unit->name);
    if (x->explanation.candidates && y->explanation.candidates) {
        int order = cause_order(&x->explanation.candidate[0], &y->explanation.candidate[0]);
        if (order)
            return order;
    }
    if (x->signature != y->signature)
        return x->signature < y->signature ? -1 : 1;
    return strcmp(x->id, y->id);
}

uint64_t case_hash(const struct test_case *c)
{
    static _Thread_local uint8_t bytes[CASE_BYTES_MAX];
    return XXH3_64bits(bytes, case_encode(c, bytes));
}

bool label_says_reduced(const char *label)
{
    size_t length = strlen(label), mark = sizeof LABEL_REDUCED - 1;
    return length >= mark && !strcmp(label + length - mark, LABEL_REDUCED);
}

void label_set_reduced(const char *label, char reduced[128])
{
    size_t length = strlen(label), mark = sizeof LABEL_PART - 1;
    if (length >= mark && !strcmp(label + length - mark, LABEL_PART))
        length -= mark;
    if (label_says_reduced(label))
        length -= sizeof LABEL_REDUCED - 1;
    (void)snprintf(reduced, 128, "%.*s" LABEL_REDUCED,
                   length < LABEL_SOURCE_MAX ? (int)length : LABEL_SOURCE_MAX, label);
}

static int order_by_bytes(const struct test_case *a, const struct test_case *b)
{
    static _Thread_local uint8_t bytes_a[CASE_BYTES_MAX], bytes_b[CASE_BYTES_MAX];
    size_t size_a = case_encode(a, bytes_a), size_b = case_encode(b, bytes_b);
    return size_a != size_b ? (size_a < size_b ? -1 : 1) : memcmp(bytes_a, bytes_b, size_a);
}

int finding_case_order(const struct test_case *a, const char *label_a, const struct test_case *b,
                       const char *label_b)
{
    struct measure measure_a = case_measure(a), measure_b = case_measure(b);
    int order = measure_order(&measure_a, &measure_b);
    if (!order)
        order = label_says_reduced(label_b) - label_says_reduced(label_a);
    return order ? order : order_by_bytes(a, b);
}

bool finding_is_smaller(const struct finding *f, const struct test_case *c, const char *label)
{
    return finding_case_order(c, label, f->smallest, f->label) < 0;
}

bool finding_set_case(struct finding *f, const struct test_case *c, const struct outcome *board,
                      const char *label)
{
    size_t outcome_size = 0;
    uint8_t *outcome = board ? finding_encode_outcome(board, &outcome_size) : NULL;
    struct test_case *copy = f->smallest ? f->smallest : malloc(sizeof *copy);
    uint8_t *bytes = malloc(CASE_BYTES_MAX);
    if (!copy || !bytes || (board && !outcome)) {
        if (copy != f->smallest)
            free(copy);
        free(bytes);
        free(outcome);
        return false;
    }
    if (f->smallest && !case_equal(f->smallest, c))
        related_case_free(&f->related[RELATED_AGREES]);
    case_copy(copy, c);
    f->smallest = copy;
    f->size = case_encode(c, bytes);
    free(bytes);
    free(f->board_outcome);
    f->board_outcome = outcome;
    f->board_outcome_size = outcome_size;
    text_copy_utf8(f->label, sizeof f->label, label ? label : "", label ? strlen(label) : 0);
    return true;
}

void finding_set_related(struct finding *f, unsigned role, const struct test_case *c, const char *label,
                         const uint8_t *outcome, size_t outcome_size)
{
    related_case_set(&f->related[role], c, label, outcome, outcome_size);
}

void finding_free_contents(struct finding *f)
{
    for (unsigned i = 0; i < RELATED_ROLES; i++)
        related_case_free(&f->related[i]);
    free(f->smallest);
    free(f->board_outcome);
    f->smallest = NULL;
    f->board_outcome = NULL;
    f->board_outcome_size = 0;
}
