/* SPDX-License-Identifier: MIT */
/* Commands do what the shell would do, also those that are started without it. The wait for a killed board to
 * let go of its device: signals do not prolong it. This program's `poll` stands in front of the system's. */
#include "oracle/board/board_child.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SIGNALS = 3 };
static unsigned interrupted = SIGNALS; /* calls of poll */
static int limit[SIGNALS];             /* of these, in ms */

int poll(struct pollfd *list, nfds_t count, int ms)
{
    const struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};
    if (interrupted == SIGNALS)
        return ppoll(list, count, ms < 0 ? NULL : &t, NULL);
    limit[interrupted++] = ms;
    errno = EINTR;
    return -1;
}

static void signals_do_not_prolong_the_wait(void **state)
{
    (void)state;
    struct board_child c;
    struct error e = {0};
    assert_true(board_child_start(&c, "exec sleep 60", &e));
    interrupted = 0;
    board_child_kill(&c);
    assert_int_equal(interrupted, SIGNALS);
    assert_true(limit[0] > 0);
    for (unsigned n = 1; n < SIGNALS; n++)
        if (limit[n] <= 0 || limit[n] > limit[n - 1])
            fail_msg("a wait of %d ms after a signal in one of %d ms", limit[n], limit[n - 1]);
}

static void commands_mean_what_the_shell_means(void **state)
{
    (void)state;
    static const char *const commands[][2] = {
        {" echo a \t b ", "a b\n"},
        {"exec echo c", "c\n"},
        {"eval echo d", "d\n"}, /* only the shell has it */
        {"exec", ""},
        {"", ""},
        {"echo 'e  f'", "e  f\n"},
        {"X=g; echo $X", "g\n"},
        {"X=h sh -c 'echo $X'", "h\n"},
        {"X=k env echo X=k", "X=k\n"},
        {"echo i | tr i j", "j\n"},
        {"echo ~ | cut -c1", "/\n"},
        {"echo 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 "
         "35 "
         "36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65",
         "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 "
         "37 "
         "38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65\n"},
    };
    for (unsigned i = 0; i < sizeof commands / sizeof *commands; i++) {
        struct board_child c;
        struct error e = {0};
        char text[256] = "";
        size_t length = 0;
        assert_true(board_child_start(&c, commands[i][0], &e));
        for (ssize_t got; (got = read(c.fd, text + length, sizeof text - 1 - length)) > 0;)
            length += (size_t)got;
        if (strcmp(text, commands[i][1]) != 0)
            fail_msg("'%s' prints '%s'", commands[i][0], text);
        board_child_kill(&c);
    }
}

/* A command that does not exist ends as in the shell. */
static void a_missing_command_has_status_127(void **state)
{
    (void)state;
    struct board_child c;
    struct error e = {0};
    assert_true(board_child_start(&c, "/no/such/board 1", &e));
    assert_int_equal(board_child_describe_end(&c, INT64_MAX, "at once", &e), 127);
    board_child_kill(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_mean_what_the_shell_means),
        cmocka_unit_test(a_missing_command_has_status_127),
        cmocka_unit_test(signals_do_not_prolong_the_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
