/* SPDX-License-Identifier: MIT */
/*
 * Compares model and board for the diff targets, and passes the results to the engine and the campaign.
 * Profile and board come from the environment (fuzz/engines/engine_status.h).
 */
#include "fuzz/targets/target.h"

#include "fuzz/engines/engine_harness.h"
#include "fuzz/engines/engine_status.h"

#include <stdio.h>
#include <stdlib.h>

/*
 * libFuzzer takes these counters as coverage because of the section's name, and zeroes them before each
 * input. afl/packed.c copies them into AFL++'s map. They are volatile, because -O2 would otherwise remove
 * them.
 */
__attribute__((section("__libfuzzer_extra_counters"),
               used)) volatile uint8_t target_counters[ENGINE_HARNESS_COUNTERS_MAX];
unsigned target_counter_count;

struct engine_status *target_status;
static struct engine_harness *engine_harness;

void target_begin(const struct unit *u)
{
    if (engine_harness)
        return;
    struct error e = {0};
    const char *path = getenv(ENV_STATUS);
    engine_harness = engine_harness_new(u, getenv(ENV_PROFILE), getenv(ENV_BOARD), &e);
    if (!engine_harness || (path && !(target_status = engine_status_map(path, true, &e)))) {
        (void)fprintf(stderr, "%s\n", e.text);
        exit(2);
    }
    if (getenv(ENV_BLIND))
        engine_harness_set_feedback(engine_harness, FEEDBACK_NONE);
    target_counter_count = engine_harness_counters(u);
    if (target_status)
        target_status->in_hand = 0; /* a process that stopped earlier may have left another value */
}

void target_compare(const struct test_case *c, uint64_t draw)
{
    struct engine_status *s = target_status;
    enum engine_harness_result result = engine_harness_run(engine_harness, c, draw, target_counters);
    if (s) {
        s->cases++;
        s->different += result != ENGINE_HARNESS_EQUAL;
        coverage_merge(&s->touched, engine_harness_touched(engine_harness));
    }
    if (result == ENGINE_HARNESS_UNEXPLAINED)
        target_violated("the outcomes differ, and no reading of a clause that the case touches explains it");
}
