/* SPDX-License-Identifier: MIT */
/* The first Ctrl-C asks the command to end; a second one after a second ends it at once, with a shell's
 * status of a process that died of the signal. */
#include "cli/terminal/interrupt.c" /* NOLINT(bugprone-suspicious-include): no library has it */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

/* Returns how a process ended that got two signals, `pause_ms` apart; its exit status is 1 if it outlived
 * both, and 2 if the first one did not set `interrupted`. */
static int end_of(void (*catch)(void), int signal, int pause_ms)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        catch ();
        (void)raise(signal);
        if (!interrupted)
            _exit(2);
        (void)poll(NULL, 0, pause_ms);
        (void)raise(signal);
        _exit(1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void a_second_signal_ends_the_command(void **state)
{
    (void)state;
    assert_int_equal(end_of(catch_interrupts, SIGINT, 1100), 130);
    assert_int_equal(end_of(catch_interrupts, SIGTERM, 1100), 143);
    assert_int_equal(end_of(catch_repeated_interrupts, SIGINT, 1100), 1);
}

static void two_signals_at_once_are_one(void **state)
{
    (void)state;
    assert_int_equal(end_of(catch_interrupts, SIGTERM, 0), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_second_signal_ends_the_command),
        cmocka_unit_test(two_signals_at_once_are_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
