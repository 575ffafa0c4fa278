/* SPDX-License-Identifier: MIT */
/* Signals: Ctrl-C and its like end long work early; abort() is explained to the user. */
#ifndef MISPRINT_CLI_TERMINAL_INTERRUPT_H
#define MISPRINT_CLI_TERMINAL_INTERRUPT_H

#include <signal.h>

/* Long work ends soon and keeps everything once this is set: by a signal, or because nobody reads the output
 * any more (cli/terminal/output.h). */
extern volatile sig_atomic_t interrupted;

/* SIGINT, SIGTERM and SIGHUP set `interrupted`. A second one ends the process and the boards' children. */
void catch_interrupts(void);
/* The same, but a second one changes nothing. For the agent: sudo, ssh and a terminal may each send one. */
void catch_repeated_interrupts(void);
/* abort() prints a message and leaves no child of a board behind. For every command. */
void catch_aborts(void);

#endif
