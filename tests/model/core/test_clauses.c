/* SPDX-License-Identifier: MIT */
/*
 * Checks what the rows of all clauses say about themselves. A discrepancy is an erratum if the document says
 * something definite, and a gap if not (docs/verdicts.md). So `silent` must fit the first reading, which is
 * the literal text: a reading that is only argued for is not in the text.
 */
#include "model/core/unit.h"
#include "model/core/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

/* The manual says something definite here, which the first reading interprets. */
static const char *const interpreted[] = {"ldi-op-text", "coords-outside-fs", "ms-rev-flags-storage"};

static bool is_interpreted(const struct clause *c)
{
    for (unsigned i = 0; i < sizeof interpreted / sizeof *interpreted; i++)
        if (!strcmp(c->id, interpreted[i]))
            return true;
    return false;
}

static void an_argued_reading_is_of_a_silent_document(void **state)
{
    (void)state;
    unsigned argued = 0;
    for (unsigned n = 0; unit_at(n); n++)
        for (unsigned i = 0; i < unit_clauses(unit_at(n)); i++) {
            const struct clause *c = unit_clause(unit_at(n), i);
            const struct reading *first = &c->readings[0];
            bool is_argued = first->evidence == EVIDENCE_ARGUMENT || strstr(first->source, " is silent") ||
                             strstr(first->source, "does not say") || strstr(first->source, "assumption");
            argued += is_argued;
            if (is_argued && !c->silent && !is_interpreted(c))
                fail_msg("%s: its first reading is argued for, but the document is not called silent", c->id);
        }
    assert_true(argued > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_argued_reading_is_of_a_silent_document),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
