/* SPDX-License-Identifier: MIT */
/*
 * The comparison that the diff targets make of a case, and what they tell the
 * engine and the campaign of it. Profile and board come from the environment
 * (fuzz/engines/engine_status.h).
 */
#include "fuzz/targets/target.h"

#include "fuzz/engines/engine_status.h"
#include "fuzz/engines/engine_harness.h"

#include <stdio.h>
#include <stdlib.h>

/*
 * libFuzzer takes these for coverage (and zeroes them before each input) by the section's name, AFL++'s loop copies
 * them; volatile, or -O2 removes it.
 */
__attribute__((section("__libfuzzer_extra_counters"), used)) volatile uint8_t target_counters[TRIAL_COUNTERS_MAX];
unsigned target_counter_count;

struct engine_status *target_status;
static struct trial *trial;

void target_begin(const struct unit *u)
{
    if (trial)
        return;
    struct error e = {0};
    const char *path = getenv(ENV_STATUS);
    trial = trial_new(u, getenv(ENV_PROFILE), getenv(ENV_BOARD), &e);
    if (!trial || (path && !(target_status = engine_status_map(path, true, &e)))) {
        (void)fprintf(stderr, "%s\n", e.text);
        exit(2);
    }
    if (getenv(ENV_BLIND))
        trial_set_feedback(trial, FEEDBACK_NONE);
    target_counter_count = trial_counters(u);
    if (target_status)
        target_status->in_hand = 0; /* of a process before this one */
}

void target_compare(const struct test_case *c, uint64_t draw)
{
    struct engine_status *s = target_status;
    enum trial_result result = trial_run(trial, c, draw, target_counters);
    if (s) {
        s->cases++;
        s->different += result != TRIAL_EQUAL;
        coverage_merge(&s->touched, trial_touched(trial));
    }
    if (result == TRIAL_UNEXPLAINED)
        target_violated("the outcomes differ, and no clause that the case touches is read differently in a way that explains it");
}
