/* SPDX-License-Identifier: MIT */
/*
 * Checks that `silent` fits the first reading of every clause. A discrepancy is an erratum if the document
 * says something definite, and a gap if it is silent (docs/verdicts.md). The first reading is the document's
 * literal text. So if a clause is not silent, the source of its first reading must be the document. It must
 * not be an argument or another source.
 */
#include "model/core/unit.h"
#include "model/core/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

/* Clauses whose document says something definite, but needs an interpretation, which is the first reading. */
static const char *const interpreted[] = {"ldi-op-text", "coords-outside-fs", "ms-rev-flags-storage"};

/* Clauses whose first source names who agrees with the text. Their `where` names the text itself. */
static const char *const agreed[] = {"tmu-blend-neg-pow2",     "tmu-blend-inf", "gfx8-num-records-bytes",
                                     "gfx6-idxen-offset-test", "gfx10-oob3",    "element-size-gfx9-gfx10",
                                     "subdword-payload"};

/* Clauses whose first reading is drawn from a sentence about something else: the document itself is silent.
 */
static const char *const inferred[] = {
    "gfx8-soffset-limit",  /* the text subtracts SOFFSET, and says nothing of a SOFFSET that is larger */
    "gfx9-checked-index",  /* the text has one index, and adds the lane to the address */
    "swizzle-wide-access", /* the sentence is in another guide, on elements of 16 bytes */
};

static bool is_among(const char *const *list, size_t count, const char *id)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(list[i], id))
            return true;
    return false;
}
#define IS_AMONG(list, id) is_among(list, sizeof(list) / sizeof *(list), id)

/* Does the source of the first reading name the document, that is, the first word of `where`? */
static bool names_document(const struct clause *c)
{
    char word[64] = "";
    const char *where = c->where + (c->where[0] == '"');
    size_t length = strcspn(where, " \"");
    assert_true(length > 0 && length < sizeof word);
    memcpy(word, where, length);
    return strstr(c->readings[0].source, word) != NULL;
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
            if (!c->silent && IS_AMONG(inferred, c->id))
                fail_msg("%s: the document is silent, but the clause does not say so", c->id);
            if (c->silent)
                continue;
            if (is_argued && !IS_AMONG(interpreted, c->id))
                fail_msg("%s: its first reading is argued for, but the document is not called silent", c->id);
            if (!names_document(c) && !IS_AMONG(agreed, c->id))
                fail_msg("%s: the document is not called silent, but the first reading's source does not "
                         "name it",
                         c->id);
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
