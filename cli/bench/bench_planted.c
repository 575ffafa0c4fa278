/* SPDX-License-Identifier: MIT */
/* `misprint bench planted` injects known faults into virtual boards and counts how many campaigns find. */
#include "cli/bench/bench.h"
#include "fuzz/campaign/bench_faults.h"
#include "harness/system/machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { CASES = 256000, SECONDS = 60 };

/* The results of one kind of faults. */
struct score {
    unsigned verdict[FAULT_VERDICTS], all, false_alarms;
    double seconds;
};

struct planted {
    const struct arguments *arguments;
    struct bench_fault_budget budget;
    struct score score[FAULT_KINDS];
    struct text rows;
    json_t *list;
};

static void add_row(struct planted *b, const struct bench_fault *p, const struct bench_fault_result *r)
{
    struct score *s = &b->score[p->kind];
    struct text what = {0};
    bench_fault_print(p, &what);
    s->all++;
    s->verdict[r->verdict]++;
    s->false_alarms += r->wrong;
    s->seconds += r->seconds;
    text_add(&b->rows, "| `%s` | %s | %s | `%s` | %s | ", p->unit->name, bench_fault_kind_name(p->kind),
             p->profile, text_chars(&what), bench_fault_verdict_name(r->verdict));
    if (r->first_case)
        text_add(&b->rows, "%" PRIu64 " | %.3f | ", r->first_case, r->first_seconds);
    else
        text_add(&b->rows, "- | - | ");
    text_add(&b->rows, "%" PRIu64 " | %.2f | %" PRIu64 " | %u |\n", r->cases, r->seconds, r->smallest,
             r->wrong);
    if (b->list)
        json_array_append_new(b->list,
                              json_pack("{s:s, s:s, s:s, s:s, s:s, s:I, s:f, s:I, s:f, s:I, s:i, s:i}",
                                        "unit", p->unit->name, "kind", bench_fault_kind_name(p->kind),
                                        "profile", p->profile, "planted", text_chars(&what), "verdict",
                                        bench_fault_verdict_name(r->verdict), "first_case",
                                        (json_int_t)r->first_case, "first_seconds", r->first_seconds, "cases",
                                        (json_int_t)r->cases, "seconds", r->seconds, "reduced_bytes",
                                        (json_int_t)r->smallest, "findings", (int)r->findings, "wrong",
                                        (int)r->wrong));
    text_free(&what);
}

static bool run_unit(struct planted *b, const struct unit *u, struct error *e)
{
    unsigned count = 0;
    char *folder = corpus_find();
    struct corpus *corpus = folder ? corpus_open(u, folder, e) : NULL;
    bool good = !folder || corpus;
    struct bench_fault *list = good ? bench_faults_of(u, corpus, &count) : NULL;
    b->budget.seeds = b->arguments->option[OPTION_NO_CORPUS] ? NULL : corpus;
    for (unsigned i = 0; good && !interrupted && i < count; i++) {
        struct bench_fault_result r;
        good = bench_fault_run(&list[i], &b->budget, &r, e);
        if (good)
            add_row(b, &list[i], &r);
        if (wants_progress(b->arguments))
            fprintf(stderr, "\r\033[K%s: %u of %u", u->name, i + 1, count);
    }
    if (wants_progress(b->arguments))
        fprintf(stderr, "\r\033[K");
    corpus_close(corpus);
    free(folder);
    free(list);
    return good;
}

static void print_table(const struct planted *b, struct text *t)
{
    char machine[256];
    machine_describe(machine, sizeof machine);
    text_add(t,
             "%s\n"
             "Seed %" PRIu64 ", at most %" PRIu64 " cases and %.0f s each.\n\n"
             "| faults | in all | exact | also others | in part | wrong | only undefined bits | same as a "
             "reading | missed | false alarms | seconds |\n"
             "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
             machine, b->budget.seed, b->budget.cases, b->budget.seconds);
    for (unsigned k = 0; k < FAULT_KINDS; k++) {
        const struct score *s = &b->score[k];
        text_add(t, "| %s | %u", bench_fault_kind_name((enum bench_fault_kind)k), s->all);
        for (unsigned v = 0; v < FAULT_VERDICTS; v++)
            text_add(t, " | %u", s->verdict[v]);
        text_add(t, " | %u | %.0f |\n", s->false_alarms, s->seconds);
    }
    text_add(t,
             "\n"
             "| unit | kind | profile | fault | found | first differing case | after s | cases | s | "
             "reduced, bytes | false alarms |\n"
             "| --- | --- | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n"
             "%s",
             text_chars(&b->rows));
}

int bench_planted(const struct arguments *a)
{
    struct error e = {0};
    struct planted b = {.arguments = a, .budget = {.cases = CASES, .seconds = SECONDS}};
    const struct unit *only = a->option[OPTION_UNIT] ? unit_find(a->option[OPTION_UNIT], &e) : NULL;
    if (e.text[0] || !argument_number(a, OPTION_SEED, 1, &b.budget.seed, &e) ||
        (a->option[OPTION_CASES] && !argument_count(a, OPTION_CASES, &b.budget.cases, &e)) ||
        (a->option[OPTION_TIME] && !argument_seconds(a, OPTION_TIME, &b.budget.seconds, &e)))
        return fail(STATUS_USAGE, &e);
    catch_interrupts();
    b.list = a->option[OPTION_JSON] ? json_array() : NULL;
    bool good = true;
    for (unsigned i = 0; good && !interrupted && unit_at(i); i++)
        if (!only || unit_at(i) == only)
            good = run_unit(&b, unit_at(i), &e);
    struct text t = {0};
    if (good && interrupted)
        good = error_set(&e, "interrupted: the table is incomplete");
    int status = good ? STATUS_EQUAL : fail(STATUS_BROKEN, &e);
    print_table(&b, &t);
    text_free(&b.rows);
    return print_result(a, &t, b.list, status);
}
