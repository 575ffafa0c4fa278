/* SPDX-License-Identifier: MIT */
/* How many generated cases a second a board runs. */
#include "cli/boards/check.h"
#include "fuzz/generate/generate.h"
#include "harness/system/clock.h"
#include "harness/system/pages.h"

#include <stdlib.h>

enum { CASES = 256, TRIED_MAX = 8 * CASES };
#define SECONDS 0.25 /* of each measurement */

struct set {
    struct test_case *tc; /* cases that the board runs */
    const struct test_case *list[CASES];
    struct outcome *outcome[CASES];
    enum answer answer[CASES];
    void *memory;
    unsigned count;
};

/* Generates cases and keeps those that the board runs. */
static bool choose(struct set *s, struct board *b, struct error *e)
{
    struct random r;
    random_seed(&r, 1);
    for (unsigned tried = 0; tried < TRIED_MAX && s->count < CASES && !interrupted;) {
        unsigned from = s->count;
        for (unsigned i = from; i < CASES; i++) {
            case_init(&s->tc[i], b->unit);
            case_generate(&r, b->unit, &s->tc[i]);
            if (b->lacks)
                board_lacks_mend(b->lacks, &s->tc[i]);
            if (b->proves && b->unit->mend_for_proof)
                b->unit->mend_for_proof(&s->tc[i]);
        }
        if (!board_run(b, s->list + from, CASES - from, s->outcome + from, s->answer + from, e))
            return false;
        for (unsigned i = from; i < CASES; i++)
            if (s->answer[i] == ANSWER_OUTCOME && s->outcome[i]->end != END_HANG)
                case_copy(&s->tc[s->count++], &s->tc[i]);
        tried += CASES - from;
    }
    return true;
}

/* Runs `together` cases at a time. Returns cases a second; 0 with an error. */
static double rate(struct set *s, struct board *b, unsigned together, struct error *e)
{
    double start = clock_seconds(), now = start;
    unsigned done = 0;
    for (unsigned at = 0; now - start < SECONDS && !interrupted; now = clock_seconds()) {
        if (at + together > s->count)
            at = 0;
        if (!board_run(b, s->list + at, together, s->outcome, s->answer, e))
            return 0;
        at += together;
        done += together;
    }
    return done / (now - start);
}

bool check_speed(struct check *k, struct error *e)
{
    if (check_unanswered(k))
        return true;
    struct set s = {.tc = pages_new(CASES, sizeof *s.tc)};
    s.memory = s.tc ? pages_of_outcomes(k->unit, CASES, s.outcome) : NULL;
    bool good = s.memory != NULL || error_memory(e, "for a board's cases");
    for (unsigned i = 0; i < CASES; i++)
        s.list[i] = &s.tc[i];
    good = good && choose(&s, k->board, e);
    if (good && s.count) {
        k->speed.batched = rate(&s, k->board, s.count, e);
        k->speed.alone = k->speed.batched > 0 ? rate(&s, k->board, 1, e) : 0;
        good = k->speed.alone > 0;
        struct board *model = good ? board_open(NULL, k->unit, e) : NULL;
        k->speed.model = model ? rate(&s, model, s.count, e) : 0;
        good = good && model;
        board_close(model);
    }
    free(s.memory);
    free(s.tc);
    return good;
}
