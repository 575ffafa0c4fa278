/* SPDX-License-Identifier: MIT */
#include "oracle/board/board_launch.h"

#include "harness/verify/dry_run.h"
#include "model/core/memory.h"
#include "model/text/text.h"
#include "oracle/board/board_kind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

struct board_launch {
    const struct launch_device *device;
    struct journal *journal;
    struct launcher *launcher;
    struct dry_run *dry_run; /* NULL: the backend has none */
    char reason[LAUNCH_CASES_MAX][LAUNCH_REASON];
};

static bool runs_unit(const struct board *b, const struct launch_device *d, struct error *e)
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

static bool make_launcher(struct board *b, const struct launch_device *d, struct error *e)
{
    void *context;
    uint64_t seed = 1;
    const struct launch_backend *backend = d->prepare(b, &context, e);
    if (!backend)
        return false;
    struct board_launch *bl = b->launch = memory_new(1, sizeof *bl);
    bl->device = d;
    bl->dry_run = backend->dry_run ? backend->dry_run(context) : NULL;
    if (bl->dry_run && b->has_campaign)
        dry_run_set_campaign(bl->dry_run, b->unit, &b->campaign);
    (void)!getrandom(&seed, sizeof seed, 0);
    bl->journal = journal_open(getenv("MISPRINT_JOURNAL"), e);
    bl->launcher = bl->journal ? launcher_new(backend, context, bl->journal, seed, e) : NULL;
    return bl->launcher;
}

static void note_state(struct board *b)
{
    if (board_state_is_due(b))
        b->launch->device->note_state(b);
}

bool board_launch_open(struct board *b, const char *argument, const struct launch_device *d, struct error *e)
{
    if (runs_unit(b, d, e) && (b->state || d->take(b, argument, e)) && make_launcher(b, d, e)) {
        d->identify(b);
        note_state(b);
        return true;
    }
    if (b->state)
        d->close(b);
    return false;
}

uint32_t board_launch_answer_seconds(unsigned launch_ms)
{
    return (uint32_t)((uint64_t)LAUNCHES_MAX * launch_ms / 1000 + 1);
}

void board_launch_free(struct board *b)
{
    if (!b->launch)
        return;
    launcher_free(b->launch->launcher);
    journal_close(b->launch->journal);
    free(b->launch);
    b->launch = NULL;
}

bool board_launch_run(struct board *b, const struct test_case *const *cases, unsigned count,
                      struct outcome *const *outcomes, enum answer *answers, struct error *e)
{
    struct board_launch *bl = b->launch;
    for (unsigned first = 0; first < count; first += LAUNCH_CASES_MAX) {
        unsigned some = count - first < LAUNCH_CASES_MAX ? count - first : LAUNCH_CASES_MAX;
        bool good = launcher_run(bl->launcher, cases + first, some, outcomes + first, bl->reason, e);
        b->launch_seconds = launcher_seconds(bl->launcher);
        b->proof_seconds = bl->dry_run ? dry_run_seconds(bl->dry_run) : 0;
        if (!good)
            return error_where(e, "board %s", b->kind->name);
        for (unsigned i = first; i < first + some; i++) {
            const char *reason = bl->reason[i - first];
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
