/* SPDX-License-Identifier: MIT */
/* The directory of `misprint learn --campaign` is locked while it is open. */
/* No library has the command's own functions. NOLINTBEGIN(bugprone-suspicious-include) */
#include "cli/session/learn_file.c"
#include "cli/terminal/interrupt.c"
#include "cli/terminal/output.c"
/* NOLINTEND(bugprone-suspicious-include) */
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void one_process_has_the_directory(void **state)
{
    (void)state;
    char folder[] = "/tmp/misprint-learn-XXXXXX";
    struct learn_file first, second;
    struct error e = {0};
    assert_non_null(mkdtemp(folder));
    assert_true(learn_file_open(&first, folder, &e));
    assert_false(learn_file_open(&second, folder, &e));
    assert_non_null(strstr(e.text, "another `misprint learn` uses it"));
    learn_file_close(&second);
    int descriptor = first.folder;
    learn_file_close(&first);
    assert_true(learn_file_open(&second, folder, &e)); /* closing has given the lock back */
    assert_int_equal(second.folder, descriptor);
    learn_file_close(&first); /* closes nothing, although the descriptor is in use again */
    assert_true(fcntl(descriptor, F_GETFD) >= 0);
    learn_file_close(&second);
    assert_true(fcntl(descriptor, F_GETFD) < 0);
    support_remove_all(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_process_has_the_directory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
