/* SPDX-License-Identifier: MIT */
/*
 * For TARGET_UNIT: the decoder accepts any bytes of a board as an outcome, or refuses them with a reason. An
 * accepted outcome that is encoded again decodes to an equal outcome. The input is a case (u16 length, its
 * bytes), then the board's bytes.
 */
#include "fuzz/targets/target.h"

#include "oracle/compare/compare.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    static const struct unit *u;
    static struct outcome *first, *second;
    static uint8_t written[OUTCOME_BYTES_MAX];
    static struct test_case c;
    if (!u) {
        u = unit_named(TARGET_UNIT);
        first = outcome_new(u);
        second = outcome_new(u);
    }
    const uint8_t *part;
    size_t size;
    struct error e = {0};
    target_part(&bytes, &count, &part, &size);
    case_decode(&c, u, part, size);
    if (!outcome_decode(first, &c, bytes, count, &e)) {
        target_check_refusal(&e);
        return 0;
    }
    size = outcome_encode(first, written, sizeof written);
    if (!size || !outcome_decode(second, &c, written, size, &e))
        target_violated("an outcome that was read cannot be written: %s", e.text);
    if (first->end != second->end || first->reason != second->reason || first->complete != second->complete ||
        !outcomes_equal(first, second, NULL, NULL))
        target_violated("an outcome became another");
    return 0;
}
