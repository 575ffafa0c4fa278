/* SPDX-License-Identifier: MIT */
/*
 * For TARGET_UNIT: the model under a profile and a virtual board give the same outcome for every case, or the
 * difference comes from clauses that the case touches and of which the model and the board follow different
 * readings (fuzz/engines/engine_harness.h). The input is a case in binary form. Profile and board come from
 * the environment (fuzz/engines/engine_status.h).
 *
 * A difference that comes from such clauses is no violation. The counters of the case make the engine keep
 * it, and the campaign gets all cases that the engine keeps.
 */
#include "fuzz/targets/target.h"

#include <xxhash.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    static struct test_case c;
    const struct unit *u = unit_named(TARGET_UNIT);
    uint64_t draw = XXH3_64bits(bytes, count);
    target_begin(u);
    case_decode(&c, u, bytes, count);
    if (target_more)
        target_more(&c, draw);
    target_compare(&c, draw);
    if (target_own)
        target_own(&c);
    return 0;
}
