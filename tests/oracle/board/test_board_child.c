/* SPDX-License-Identifier: MIT */
/* The wait for a killed board to let go of its device: signals do not prolong it. This program's `poll`
 * stands in front of the system's. */
#include "oracle/board/board_child.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <errno.h>
#include <poll.h>
#include <time.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signals_do_not_prolong_the_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
