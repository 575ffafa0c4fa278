/* SPDX-License-Identifier: MIT */
/* The caller learns how a sandboxed function ended, and continues. */
#include "fuzz/engines/sandbox.h"

#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

static enum sandbox_end returns(void *context)
{
    return *(const enum sandbox_end *)context;
}

static void what_the_function_returns_is_returned(void **state)
{
    (void)state;
    static const enum sandbox_end answers[] = {SANDBOX_WELL, SANDBOX_BAD, SANDBOX_CRASHED, SANDBOX_HUNG,
                                               SANDBOX_NOT_RUN};
    for (unsigned i = 0; i < sizeof answers / sizeof *answers; i++) {
        enum sandbox_end answer = answers[i];
        assert_int_equal(sandbox_run(returns, &answer, 10), answer);
    }
}

static enum sandbox_end ends_by(void *context)
{
    const struct rlimit no_core = {0};
    (void)setrlimit(RLIMIT_CORE, &no_core);
    int number = *(const int *)context;
    if (number == SIGSEGV || number == SIGFPE)
        (void)signal(number, SIG_DFL); /* replaces the handler of cmocka or a sanitizer */
    (void)raise(number);
    return SANDBOX_WELL;
}

static enum sandbox_end exits_with(void *context)
{
    _exit(*(const int *)context);
}

static void signals_and_statuses_are_distinguished(void **state)
{
    (void)state;
    static const struct {
        int number;
        enum sandbox_end became;
    } signals[] = {{SIGSEGV, SANDBOX_CRASHED}, {SIGABRT, SANDBOX_CRASHED}, {SIGFPE, SANDBOX_CRASHED},
                   {SIGKILL, SANDBOX_NOT_RUN}, {SIGTERM, SANDBOX_NOT_RUN}, {SIGINT, SANDBOX_NOT_RUN},
                   {SIGALRM, SANDBOX_HUNG}},
      statuses[] = {{0, SANDBOX_CRASHED},
                    {1, SANDBOX_CRASHED},
                    {77, SANDBOX_CRASHED},
                    {99, SANDBOX_CRASHED},
                    {105, SANDBOX_CRASHED}};
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++) {
        int number = signals[i].number;
        assert_int_equal(sandbox_run(ends_by, &number, 10), signals[i].became);
    }
    for (unsigned i = 0; i < sizeof statuses / sizeof *statuses; i++) { /* a sanitizer ends the process
                                                                         * with a status of its own */
        int number = statuses[i].number;
        assert_int_equal(sandbox_run(exits_with, &number, 10), statuses[i].became);
    }
}

static enum sandbox_end goes_on_for_ever(void *context)
{
    volatile unsigned *n = context;
    while (*n < UINT_MAX)
        *n = (*n + 1) % 1000;
    return SANDBOX_WELL;
}

static void a_hang_ends(void **state)
{
    (void)state;
    volatile unsigned n = 0;
    assert_int_equal(sandbox_run(goes_on_for_ever, (void *)&n, 1), SANDBOX_HUNG);
    assert_int_equal(n, 0); /* the child has its own memory */
}

static volatile sig_atomic_t handled;

static void handler(int number)
{
    handled = number;
}

static enum sandbox_end is_terminated(void *context)
{
    (void)context;
    (void)raise(SIGTERM); /* the child does not have the caller's handler */
    return SANDBOX_BAD;
}

static void handlers_are_the_callers(void **state)
{
    (void)state;
    struct sigaction mine = {.sa_handler = handler}, before, now;
    assert_int_equal(sigaction(SIGTERM, &mine, &before), 0);
    assert_int_equal(sandbox_run(is_terminated, NULL, 10), SANDBOX_NOT_RUN);
    assert_int_equal(sigaction(SIGTERM, &before, &now), 0);
    assert_true(now.sa_handler == handler);
    assert_int_equal(handled, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_function_returns_is_returned),
        cmocka_unit_test(signals_and_statuses_are_distinguished),
        cmocka_unit_test(a_hang_ends),
        cmocka_unit_test(handlers_are_the_callers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
