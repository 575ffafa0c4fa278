/* SPDX-License-Identifier: MIT */
#include "oracle/board/board_batch.h"

#include "harness/verify/dry_run.h"
#include "model/core/memory.h"
#include "model/text/text.h"
#include "oracle/board/board_kind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

struct board_batch {
    const struct batch_device *device;
    struct journal *journal;
    struct batch *batch;
    struct dry_run *dry_run; /* NULL: its way has none */
    char reason[BATCH_CASES_MAX][BATCH_REASON];
};

static bool runs_unit(const struct board *b, const struct batch_device *d, struct error *e)
{
    struct text names = {0};
    bool found = false;
    for (const char *const *unit = d->units; *unit; unit++) {
        found |= !strcmp(b->unit->name, *unit);
        text_add(&names, "%s%s", names.length ? ", " : "", *unit);
    }
    if (!found)
        error_set(e, "it runs cases of %s, not of %s", text_chars(&names), b->unit->name);
    text_free(&names);
    return found;
}

static bool make_batch(struct board *b, const struct batch_device *d, struct error *e)
{
    void *context;
    uint64_t seed = 1;
    const struct batch_way *way = d->prepare(b, &context, e);
    if (!way)
        return false;
    struct board_batch *bb = b->batch = memory_new(1, sizeof *bb);
    bb->device = d;
    bb->dry_run = way->dry_run ? way->dry_run(context) : NULL;
    if (bb->dry_run && b->has_campaign)
        dry_run_set_campaign(bb->dry_run, b->unit, &b->campaign);
    (void)!getrandom(&seed, sizeof seed, 0);
    bb->journal = journal_open(getenv("MISPRINT_JOURNAL"), e);
    bb->batch = bb->journal ? batch_new(way, context, bb->journal, seed, e) : NULL;
    return bb->batch;
}

static void note_state(struct board *b)
{
    if (board_state_is_due(b))
        b->batch->device->note_state(b);
}

bool board_batch_open(struct board *b, const char *argument, const struct batch_device *d, struct error *e)
{
    if (runs_unit(b, d, e) && (b->state || d->take(b, argument, e)) && make_batch(b, d, e)) {
        d->identify(b);
        note_state(b);
        return true;
    }
    if (b->state)
        d->close(b);
    return false;
}

uint32_t board_batch_answer_seconds(unsigned launch_ms)
{
    return (uint32_t)((uint64_t)BATCH_LAUNCHES_MAX * launch_ms / 1000 + 1);
}

void board_batch_free(struct board *b)
{
    if (!b->batch)
        return;
    batch_free(b->batch->batch);
    journal_close(b->batch->journal);
    free(b->batch);
    b->batch = NULL;
}

bool board_batch_run(struct board *b, const struct test_case *const *cases, unsigned count,
                     struct outcome *const *outcomes, enum answer *answers, struct error *e)
{
    struct board_batch *bb = b->batch;
    for (unsigned first = 0; first < count; first += BATCH_CASES_MAX) {
        unsigned some = count - first < BATCH_CASES_MAX ? count - first : BATCH_CASES_MAX;
        bool good = batch_run(bb->batch, cases + first, some, outcomes + first, bb->reason, e);
        b->launch_seconds = batch_launch_seconds(bb->batch);
        b->proof_seconds = bb->dry_run ? dry_run_seconds(bb->dry_run) : 0;
        if (!good)
            return error_where(e, "board %s", b->kind->name);
        for (unsigned i = first; i < first + some; i++) {
            const char *reason = bb->reason[i - first];
            answers[i] = *reason ? ANSWER_REFUSED : ANSWER_OUTCOME;
            if (!*reason)
                continue;
            outcome_reset(outcomes[i], cases[i]);
            outcomes[i]->end = END_REFUSED;
            board_give_reason(b, i, reason);
        }
    }
    note_state(b);
    return true;
}
