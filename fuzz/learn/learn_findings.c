/* SPDX-License-Identifier: MIT */
#include "fuzz/learn/learn_findings.h"

#include "model/core/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void begin(struct finding *f, const struct learn_options *o, const char *profile)
{
    f->unit = o->unit;
    f->board = o->board->identity;
    (void)snprintf(f->profile, sizeof f->profile, "%s", profile);
    (void)snprintf(f->label, sizeof f->label, "seed %llu" LABEL_REDUCED, (unsigned long long)o->seed);
}

static void set_case(struct finding *f, const struct test_case *c)
{
    f->smallest = memory_new(1, sizeof *f->smallest);
    case_copy(f->smallest, c);
}

static void set_outcome(struct finding *f, const uint8_t *outcome, size_t size)
{
    f->board_outcome = size ? memory_new(size, 1) : NULL;
    if (size)
        memcpy(f->board_outcome, outcome, size);
    f->board_outcome_size = size;
}

/* Adds a line for a change, if there is room for all of it. */
static void add_line(const struct unit *u, const struct learn_change *c, char *to, size_t room)
{
    struct text t = {0};
    const size_t used = strlen(to);
    learn_print_change(u, c, &t);
    if (used + t.length + 2 < room)
        (void)snprintf(to + used, room - used, "%s%s", used ? "\n" : "", text_chars(&t));
    text_free(&t);
}

void learn_rules_of(const struct unit *u, const struct learned *k, struct finding_learned *l)
{
    memset(l, 0, sizeof *l);
    add_line(u, &k->change, l->rules, sizeof l->rules);
    l->explained = k->explained;
    l->experiments = k->experiments;
    l->alternatives_count = k->alternatives;
    for (uint32_t i = 0; i < k->alternatives && i < LEARN_ALTERNATIVES_MAX; i++)
        add_line(u, &k->alternative[i], l->alternatives, sizeof l->alternatives);
}

static void of_learned(struct finding *f, const struct learned *k)
{
    if (k->change.is_rule) {
        learn_rules_of(f->unit, k, &f->learned);
        f->verdict = verdict_of_learned(&f->learned, board_class(&f->board));
    } else {
        f->explanation.candidates = 1;
        (void)cause_add(&f->explanation.candidate[0], k->change.clause, k->change.reading);
        f->verdict = verdict_of(f->unit, &f->explanation, true, board_class(&f->board));
    }
    f->cases = k->explained;
    set_case(f, k->smallest);
    set_outcome(f, k->board_outcome, k->board_outcome_size);
    for (unsigned i = 0; i < RELATED_ROLES; i++)
        if (k->related[i].tc)
            finding_set_related(f, i, k->related[i].tc, "", k->related[i].board_outcome,
                                k->related[i].board_outcome_size);
}

static void of_aside(struct finding *f, const struct learn_aside *a)
{
    f->verdict = VERDICT_UNEXPLAINED;
    f->signature = a->signature;
    f->cases = a->cases;
    f->unsearched = a->unfinished;
    set_case(f, a->smallest);
}

struct finding *learn_findings(const struct learn_options *o, const char *profile,
                               const struct learn_result *r, unsigned *count)
{
    *count = r->count + r->asides;
    struct finding *all = memory_new(*count + 1U, sizeof *all);
    for (uint32_t i = 0; i < *count; i++) {
        begin(&all[i], o, profile);
        if (i < r->count)
            of_learned(&all[i], &r->learned[i]);
        else
            of_aside(&all[i], &r->aside[i - r->count]);
        finding_name(&all[i]);
    }
    qsort(all, *count, sizeof *all, finding_order);
    return all;
}
