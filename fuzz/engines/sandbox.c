/* SPDX-License-Identifier: MIT */
#include "fuzz/engines/sandbox.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* The child's exit status is this plus the function's result. Sanitizers use no such status. */
enum { STATUS_RETURNED = 100 };

/* Resets the caller's signal handlers, because they would kill the campaign's boards and report its end. */
static _Noreturn void be_child(enum sandbox_end (*f)(void *context), void *context, unsigned seconds)
{
    static const int signals[] = {SIGABRT, SIGALRM, SIGHUP, SIGINT, SIGTERM};
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++)
        (void)signal(signals[i], SIG_DFL);
    (void)alarm(seconds);
    _exit(STATUS_RETURNED + (int)f(context));
}

static enum sandbox_end how_it_ended(int status)
{
    if (WIFEXITED(status)) {
        int returned = WEXITSTATUS(status) - STATUS_RETURNED;
        return returned >= SANDBOX_WELL && returned <= SANDBOX_NOT_RUN ? (enum sandbox_end)returned
                                                                       : SANDBOX_CRASHED;
    }
    switch (WTERMSIG(status)) {
    case SIGALRM:
        return SANDBOX_HUNG;
    case SIGHUP:
    case SIGINT:
    case SIGKILL: /* sent by the kernel when memory is short */
    case SIGTERM:
        return SANDBOX_NOT_RUN;
    default:
        return SANDBOX_CRASHED;
    }
}

enum sandbox_end sandbox_run(enum sandbox_end (*f)(void *context), void *context, unsigned seconds)
{
    int status;
    pid_t child = fork(), ended;
    if (child < 0)
        return SANDBOX_NOT_RUN;
    if (!child)
        be_child(f, context, seconds);
    while ((ended = waitpid(child, &status, 0)) < 0 && errno == EINTR)
        ;
    return ended == child ? how_it_ended(status) : SANDBOX_NOT_RUN;
}
