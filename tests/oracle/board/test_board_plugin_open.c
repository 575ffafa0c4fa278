/* SPDX-License-Identifier: MIT */
/* Opens and closes boards in shared libraries: what cannot be used is one clear error, and nothing stays. */
#include "oracle/board/board_kind.h"
#include "oracle/board/plugin/plugin_child.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static void fails(const char *unit, const char *spec, const char *error)
{
    struct error e = {0};
    char full[512];
    snprintf(full, sizeof full, "plugin:%s/%s", MISPRINT_TESTS_BUILD_DIR, spec);
    assert_null(board_open(full, unit_named(unit), &e));
    if (!strstr(e.text, error))
        fail_msg("'%s' lacks '%s'", e.text, error);
}

static unsigned count_mappings(void)
{
    FILE *f = fopen("/proc/self/maps", "r");
    unsigned count = 0;
    assert_non_null(f);
    for (int c; (c = getc(f)) != EOF;)
        count += c == '\n';
    fclose(f);
    return count;
}

/* A campaign may open a board again and again, for example after it hung. */
static void a_closed_board_keeps_no_memory_mapped(void **state)
{
    (void)state;
    unsigned before = 0;
    for (unsigned n = 0; n < 5; n++) {
        struct error e = {0};
        struct board *b =
            board_open("plugin:" MISPRINT_TESTS_BUILD_DIR "/plugin_model.so", unit_named("vc4-vpm"), &e);
        assert_non_null(b);
        board_close(b);
        if (n == 0)
            before = count_mappings();
    }
    assert_true(count_mappings() < before + 4);
}

static void a_library_that_cannot_be_used_is_an_error(void **state)
{
    (void)state;
    fails("vc4-vpm", "plugin_none.so", "plugin_none.so");
    fails("vc4-vpm", "plugin_none.so,inline", "plugin_none.so");
    fails("vc4-vpm", "libtest-support.a", "cannot load");
    fails("vc4-qpu", "plugin_bad.so", "it says: only vc4-vpm");
    fails("vc4-qpu", "plugin_bad.so,inline", "it says: only vc4-vpm");
    fails("vc4-vpm", "plugin_bad.so,crash", "the library crashed (signal 6");
    fails("vc4-vpm", "fake_vcio.so", "it defines no symbol misprint_board; ");
    fails("vc4-vpm", "plugin_program.so", "it defines no symbol misprint_board, but one of another kind");
    fails("amd-buffer", "plugin_wave.so,inline", "write program:FILE");
}

int main(int count, char **words)
{
    if (plugin_is_child(count, words))
        return plugin_child(words);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_library_that_cannot_be_used_is_an_error),
        cmocka_unit_test(a_closed_board_keeps_no_memory_mapped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
