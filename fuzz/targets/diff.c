/* SPDX-License-Identifier: MIT */
/*
 * Of TARGET_UNIT: the model under a profile and a virtual board agree in the
 * outcome of every case, or clauses that they read differently and that the
 * case touches explain the difference (fuzz/trial.h). The input is a case in
 * binary form. Profile and board come from the environment (fuzz/engine_status.h).
 *
 * A difference that is explained is no violation: its counters make the engine
 * keep the case, and the campaign finds it among those.
 */
#include "fuzz/targets/target.h"

#include "fuzz/engine_status.h"
#include "fuzz/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

/* libFuzzer takes these for coverage (and zeroes them before each input) by the section's name, AFL++'s loop copies them; volatile, or -O2 removes
 * it.
 */
__attribute__((section("__libfuzzer_extra_counters"), used)) volatile uint8_t target_counters[TRIAL_COUNTERS_MAX];
unsigned target_counter_count;

struct engine_status *target_status;
static struct trial *trial;

static struct trial *begin(const struct unit *u)
{
    struct error e = {0};
    const char *path = getenv(ENV_STATUS);
    struct trial *t = trial_new(u, getenv(ENV_PROFILE), getenv(ENV_BOARD), &e);
    if (!t || (path && !(target_status = engine_status_map(path, true, &e)))) {
        (void)fprintf(stderr, "%s\n", e.text);
        exit(2);
    }
    if (getenv(ENV_BLIND))
        trial_set_feedback(t, FEEDBACK_NONE);
    target_counter_count = trial_counters(u);
    if (target_status)
        target_status->in_hand = 0; /* of a process before this one */
    return t;
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

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    static struct test_case c;
    const struct unit *u = unit_named(TARGET_UNIT);
    uint64_t draw = XXH3_64bits(bytes, count);
    if (!trial)
        trial = begin(u);
    case_decode(&c, u, bytes, count);
    if (target_more)
        target_more(&c, draw);
    target_compare(&c, draw);
    if (target_own)
        target_own(&c);
    return 0;
}
