/* SPDX-License-Identifier: MIT */
#include "cli/terminal/interrupt.h"

#include "cli/cli.h"
#include "harness/system/clock.h"
#include "oracle/board/board_kind.h"

#include <stdio.h>
#include <unistd.h>

volatile sig_atomic_t interrupted;

static int64_t interrupted_at; /* clock_ms */

static void on_interrupt(int signal)
{
    enum { REPEATED_MS = 1000 };
    if (interrupted && clock_ms() - interrupted_at >= REPEATED_MS) {
        board_kill_all();
        _exit(128 + signal);
    }
    interrupted_at = interrupted ? interrupted_at : clock_ms();
    interrupted = 1;
}

static void print_board_message(const char *line)
{
    fprintf(stderr, "misprint: %s\n", line);
}

static void on_repeated_interrupt(int signal)
{
    (void)signal;
    interrupted = 1;
}

static void catch_with(void (*handler)(int))
{
    struct sigaction a = {.sa_handler = handler};
    sigemptyset(&a.sa_mask);
    sigaction(SIGINT, &a, NULL);
    sigaction(SIGTERM, &a, NULL);
    sigaction(SIGHUP, &a, NULL);
    board_stop_on(&interrupted);
    board_notify_on(print_board_message);
}

void catch_interrupts(void)
{
    catch_with(on_interrupt);
}

void catch_repeated_interrupts(void)
{
    catch_with(on_repeated_interrupt);
}

/* Runs when memory is out (model/core/memory.h), or when an assertion failed and has printed its message. */
static void on_abort(int signal)
{
    static const char message[] =
        "misprint: out of memory, or a bug in misprint; a campaign keeps what it had reported before\n";
    (void)signal;
    (void)!write(STDERR_FILENO, message, sizeof message - 1);
    board_kill_all(); /* NOLINT(bugprone-signal-handler,cert-sig30-c): reads a table and calls kill */
    _exit(STATUS_BROKEN);
}

void catch_aborts(void)
{
    signal(SIGABRT, on_abort);
}
