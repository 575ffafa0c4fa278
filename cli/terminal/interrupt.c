/* SPDX-License-Identifier: MIT */
#include "cli/terminal/interrupt.h"

#include "cli/cli.h"
#include "oracle/board/board_kind.h"

#include <stdio.h>
#include <unistd.h>

volatile sig_atomic_t interrupted;

static void on_interrupt(int signal)
{
    if (interrupted) {
        board_kill_all();
        _exit(128 + signal);
    }
    interrupted = 1;
}

static void tell_on_stderr(const char *line)
{
    (void)fprintf(stderr, "misprint: %s\n", line);
}

static void on_ending(int signal)
{
    (void)signal;
    interrupted = 1;
}

static void catch_by(void (*handler)(int))
{
    struct sigaction a = {.sa_handler = handler};
    sigemptyset(&a.sa_mask);
    sigaction(SIGINT, &a, NULL);
    sigaction(SIGTERM, &a, NULL);
    sigaction(SIGHUP, &a, NULL);
    board_stop_on(&interrupted);
    board_notify_on(tell_on_stderr);
}

void catch_interrupts(void)
{
    catch_by(on_interrupt);
}

void catch_endings(void)
{
    catch_by(on_ending);
}

/* abort(): no memory (model/core/memory.h), or an assertion, which has said which. */
static void on_abort(int signal)
{
    static const char words[] =
        "misprint: out of memory, or a fault of misprint's own; what a campaign reported before is kept\n";
    (void)signal;
    (void)!write(STDERR_FILENO, words, sizeof words - 1);
    board_kill_all(); /* NOLINT(bugprone-signal-handler,cert-sig30-c): reads a table and calls kill */
    _exit(STATUS_BROKEN);
}

void catch_aborts(void)
{
    (void)signal(SIGABRT, on_abort);
}
