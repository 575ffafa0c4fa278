/* SPDX-License-Identifier: MIT */
/*
 * For TARGET_UNIT: the model under a profile and a virtual board give the same outcome for every case, or the
 * difference comes from clauses that the case touches and that the two read differently
 * (fuzz/engines/engine_harness.h). The input is a case in binary form. Profile and board come from the
 * environment (fuzz/engines/engine_status.h).
 *
 * An explained difference is no violation: its counters make the engine keep the case, and the campaign gets
 * all kept cases.
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
