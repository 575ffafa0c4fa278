/* SPDX-License-Identifier: MIT */
/* Errors: their sentences, and that every function returns false, also if the caller wants no sentence
 * (model/core/error.h). */
#include "model/core/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static const char *name_at(const void *context, unsigned i)
{
    (void)context;
    static const char *const names[] = {"first", "second", NULL};
    return names[i];
}

static void sentences_say_what_and_where(void **state)
{
    (void)state;
    struct error e = {0};
    assert_false(error_set(&e, "%d is odd", 3));
    assert_string_equal(e.text, "3 is odd");
    assert_false(e.of_machine);
    assert_false(error_where(&e, "line %d", 7));
    assert_string_equal(e.text, "line 7: 3 is odd");
    assert_false(error_of_machine(&e));
    assert_true(e.of_machine);
    assert_string_equal(e.text, "line 7: 3 is odd");
    e = (struct error){0};
    assert_false(error_memory(&e, "while reading %s", "x"));
    assert_string_equal(e.text, "out of memory while reading x");
    assert_true(e.of_machine);
    e = (struct error){0};
    assert_false(error_unknown(&e, "place", "frist", name_at, NULL, "see `list`"));
    assert_string_equal(e.text, "unknown place 'frist'; did you mean 'first'? (see `list`)");
    assert_false(error_unknown(&e, "place", "xyz", name_at, NULL, NULL));
    assert_string_equal(e.text, "unknown place 'xyz'");
    assert_false(e.of_machine);
    assert_false(error_set(&e, "column 4: what"));
    assert_false(error_where(&e, "file"));
    assert_string_equal(e.text, "file, column 4: what");
}

static void nobody_needs_to_listen(void **state)
{
    (void)state;
    assert_false(error_set(NULL, "x"));
    assert_false(error_where(NULL, "x"));
    assert_false(error_memory(NULL, "x"));
    assert_false(error_of_machine(NULL));
    assert_false(error_unknown(NULL, "place", "frist", name_at, NULL, NULL));
}

static void long_sentences_are_cut(void **state)
{
    (void)state;
    char text[2 * ERROR_TEXT_MAX];
    struct {
        struct error e;
        char behind;
    } guarded = {.behind = 'x'};
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = 0;
    assert_false(error_memory(&guarded.e, "%s", text));
    assert_true(strlen(guarded.e.text) < ERROR_TEXT_MAX);
    assert_false(error_set(&guarded.e, "%s", text));
    assert_int_equal(strlen(guarded.e.text), ERROR_TEXT_MAX - 1);
    assert_false(error_where(&guarded.e, "%s", text));
    assert_int_equal(strlen(guarded.e.text), ERROR_TEXT_MAX - 1);
    assert_int_equal(guarded.behind, 'x');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences_say_what_and_where),
        cmocka_unit_test(nobody_needs_to_listen),
        cmocka_unit_test(long_sentences_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
