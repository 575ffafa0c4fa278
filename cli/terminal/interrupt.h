/* SPDX-License-Identifier: MIT */
/* Signals. Ctrl-C and similar signals end long work early; an abort() is explained to the user. */
#ifndef MISPRINT_CLI_TERMINAL_INTERRUPT_H
#define MISPRINT_CLI_TERMINAL_INTERRUPT_H

#include <signal.h>

/* A signal sets this, and so does print_text when nobody reads the output any more. Long work then stops soon
 * and keeps its results. */
extern volatile sig_atomic_t interrupted;

/* SIGINT, SIGTERM and SIGHUP set `interrupted`. A second signal, at least a second later, ends the process
 * and the boards' children. One that comes sooner is the same request: `timeout` sends two at once. */
void catch_interrupts(void);
/* Does the same as catch_interrupts, but ignores further signals. For the agent: sudo, ssh and a terminal may
 * each send it a signal for one Ctrl-C. */
void catch_repeated_interrupts(void);
/* Makes abort() print a message and kill the boards' children. main calls it for every command. */
void catch_aborts(void);

#endif
