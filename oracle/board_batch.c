/* SPDX-License-Identifier: MIT */
#include "oracle/board_batch.h"

#include "harness/vpm_program.h"
#include "model/text.h"
#include "oracle/board_kind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* Of which units cases can be run, and as what. */
struct wrapped {
    unsigned bit;
    const char *unit;
    /* NULL: cases go to the way as they are. Else to a program of vc4-qpu: their translation, false with an error where there is none; and back. */
    bool (*make)(const struct test_case *c, uint32_t memory_base, struct test_case *program, struct error *e);
    void (*read)(const struct test_case *c, const struct outcome *of_program, struct outcome *o);
};
static const struct wrapped wrapped[] = {
    {BATCH_RUNS_QPU, "vc4-qpu", NULL, NULL},
    {BATCH_RUNS_VPM, "vc4-vpm", vpm_program_make, vpm_program_outcome}, /* a way has one of the two */
    {BATCH_RUNS_VPM_VERTICES, "vc4-vpm", NULL, NULL},
    {BATCH_RUNS_TMU, "vc4-tmu", NULL, NULL},
    {BATCH_RUNS_AMD, "amd-buffer", NULL, NULL},
};
static const char program_unit[] = "vc4-qpu";
enum { WRAPPED = sizeof wrapped / sizeof *wrapped };

struct board_batch {
    const struct wrapped *as;
    uint32_t memory_base;
    struct journal *journal;
    struct batch *batch;
    char reason[BATCH_CASES_MAX][BATCH_REASON];
    /* cases that are translated: their programs, and what these left */
    struct test_case *program;
    struct outcome *left[BATCH_CASES_MAX];
    char program_reason[BATCH_CASES_MAX][BATCH_REASON];
};

/* As what a unit's cases run where these can be run; NULL: they cannot. */
static const struct wrapped *find_wrapped(const struct unit *u, unsigned runs)
{
    for (unsigned i = 0; i < WRAPPED; i++)
        if (runs & wrapped[i].bit && !strcmp(u->name, wrapped[i].unit))
            return &wrapped[i];
    return NULL;
}

bool board_batch_has_unit(const struct board *b, unsigned runs, struct error *e)
{
    if (find_wrapped(b->unit, runs))
        return true;
    struct text names = {0};
    for (unsigned i = 0; i < WRAPPED; i++)
        if (runs & wrapped[i].bit)
            text_add(&names, "%s%s", names.length ? ", " : "", wrapped[i].unit);
    error_set(e, "it runs cases of %s, not of %s", text_chars(&names), b->unit->name);
    text_free(&names);
    return false;
}

/* Room for the programs of cases that are translated. */
static bool make_room(struct board_batch *bb, struct error *e)
{
    if (!bb->as->make)
        return true;
    bb->program = malloc(BATCH_CASES_MAX * sizeof *bb->program);
    if (!bb->program)
        return error_memory(e, "for a board's cases");
    for (unsigned i = 0; i < BATCH_CASES_MAX; i++)
        if (!(bb->left[i] = outcome_new(unit_named(program_unit))))
            return error_memory(e, "for a board's cases");
    return true;
}

struct board_batch *board_batch_new(const struct batch_way *way, void *context, const struct unit *u, unsigned runs, uint32_t memory_base,
                                    struct error *e)
{
    struct board_batch *bb = calloc(1, sizeof *bb);
    uint64_t seed = 1;
    (void)!getrandom(&seed, sizeof seed, 0);
    if (!bb) {
        error_memory(e, "for a board's cases");
        return NULL;
    }
    bb->as = find_wrapped(u, runs);
    bb->memory_base = memory_base;
    bb->journal = journal_open(getenv("MISPRINT_JOURNAL"), e);
    bb->batch = bb->journal ? batch_new(way, context, bb->as->make ? unit_named(program_unit) : u, bb->journal, seed, e) : NULL;
    if (bb->batch && make_room(bb, e))
        return bb;
    board_batch_free(bb);
    return NULL;
}

void board_batch_free(struct board_batch *bb)
{
    if (!bb)
        return;
    for (unsigned i = 0; i < BATCH_CASES_MAX; i++)
        outcome_free(bb->left[i]);
    free(bb->program);
    batch_free(bb->batch);
    journal_close(bb->journal);
    free(bb);
}

/* Cases as programs; those that cannot be one get their reason. */
static bool run_programs(struct board_batch *bb, const struct test_case *const *cases, unsigned count, struct outcome *const *outcomes,
                         struct error *e)
{
    const struct test_case *list[BATCH_CASES_MAX];
    unsigned of[BATCH_CASES_MAX], programs = 0;
    for (unsigned i = 0; i < count; i++) {
        struct error why = {0};
        bb->reason[i][0] = 0;
        if (bb->as->make(cases[i], bb->memory_base, &bb->program[programs], &why)) {
            list[programs] = &bb->program[programs];
            of[programs++] = i;
        } else {
            (void)snprintf(bb->reason[i], BATCH_REASON, "%.250s", why.text);
        }
    }
    if (!batch_run(bb->batch, list, programs, bb->left, bb->program_reason, e))
        return false;
    for (unsigned n = 0; n < programs; n++) {
        memcpy(bb->reason[of[n]], bb->program_reason[n], BATCH_REASON);
        bb->as->read(cases[of[n]], bb->left[n], outcomes[of[n]]);
    }
    return true;
}

bool board_batch_run(struct board_batch *bb, struct board *b, const struct test_case *const *cases, unsigned count, struct outcome *const *outcomes,
                     enum answer *answers, struct error *e)
{
    for (unsigned first = 0; first < count; first += BATCH_CASES_MAX) {
        unsigned some = count - first < BATCH_CASES_MAX ? count - first : BATCH_CASES_MAX;
        bool good = bb->as->make ? run_programs(bb, cases + first, some, outcomes + first, e)
                                 : batch_run(bb->batch, cases + first, some, outcomes + first, bb->reason, e);
        b->launch_seconds = batch_launch_seconds(bb->batch);
        if (!good)
            return error_where(e, "board %s", b->kind->name);
        for (unsigned i = 0; i < some; i++) {
            answers[first + i] = ANSWER_OUTCOME;
            if (!bb->reason[i][0])
                continue;
            answers[first + i] = ANSWER_REFUSED;
            outcome_reset(outcomes[first + i], cases[first + i]);
            outcomes[first + i]->end = END_REFUSED;
            board_give_reason(b, first + i, "%s", bb->reason[i]);
        }
    }
    return true;
}
