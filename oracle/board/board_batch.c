/* SPDX-License-Identifier: MIT */
#include "oracle/board/board_batch.h"

#include "harness/verify/dry_run.h"
#include "model/text/text.h"
#include "oracle/board/board_kind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

static const struct {
    unsigned bit;
    const char *unit;
} units[] = {{BATCH_RUNS_QPU, "vc4-qpu"},
             {BATCH_RUNS_VPM, "vc4-vpm"},
             {BATCH_RUNS_TMU, "vc4-tmu"},
             {BATCH_RUNS_AMD, "amd-buffer"}};
enum { UNITS = sizeof units / sizeof *units };

struct board_batch {
    struct journal *journal;
    struct batch *batch;
    struct dry_run *dry_run; /* NULL: its way has none */
    char reason[BATCH_CASES_MAX][BATCH_REASON];
};

bool board_batch_has_unit(const struct board *b, unsigned runs, struct error *e)
{
    struct text names = {0};
    for (unsigned i = 0; i < UNITS; i++) {
        if (!(runs & units[i].bit))
            continue;
        if (!strcmp(b->unit->name, units[i].unit)) {
            text_free(&names);
            return true;
        }
        text_add(&names, "%s%s", names.length ? ", " : "", units[i].unit);
    }
    error_set(e, "it runs cases of %s, not of %s", text_chars(&names), b->unit->name);
    text_free(&names);
    return false;
}

struct board_batch *board_batch_new(const struct board *b, const struct batch_way *way, void *context,
                                    struct error *e)
{
    struct board_batch *bb = calloc(1, sizeof *bb);
    uint64_t seed = 1;
    (void)!getrandom(&seed, sizeof seed, 0);
    if (!bb) {
        error_memory(e, "for a board's cases");
        return NULL;
    }
    bb->dry_run = way->dry_run ? way->dry_run(context) : NULL;
    if (bb->dry_run && b->has_campaign)
        dry_run_set_campaign(bb->dry_run, b->unit, &b->campaign);
    bb->journal = journal_open(getenv("MISPRINT_JOURNAL"), e);
    bb->batch = bb->journal ? batch_new(way, context, bb->journal, seed, e) : NULL;
    if (bb->batch)
        return bb;
    board_batch_free(bb);
    return NULL;
}

uint32_t board_batch_answer_seconds(unsigned launch_ms)
{
    return (uint32_t)((uint64_t)BATCH_LAUNCHES_MAX * launch_ms / 1000 + 1);
}

void board_batch_free(struct board_batch *bb)
{
    if (!bb)
        return;
    batch_free(bb->batch);
    journal_close(bb->journal);
    free(bb);
}

bool board_batch_run(struct board_batch *bb, struct board *b, const struct test_case *const *cases,
                     unsigned count, struct outcome *const *outcomes, enum answer *answers, struct error *e)
{
    for (unsigned first = 0; first < count; first += BATCH_CASES_MAX) {
        unsigned some = count - first < BATCH_CASES_MAX ? count - first : BATCH_CASES_MAX;
        bool good = batch_run(bb->batch, cases + first, some, outcomes + first, bb->reason, e);
        b->launch_seconds = batch_launch_seconds(bb->batch);
        b->proof_seconds = bb->dry_run ? dry_run_seconds(bb->dry_run) : 0;
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
