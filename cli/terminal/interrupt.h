/* SPDX-License-Identifier: MIT */
/* The end that somebody wishes: Ctrl-C and its like, and what is done on abort(). */
#ifndef MISPRINT_CLI_TERMINAL_INTERRUPT_H
#define MISPRINT_CLI_TERMINAL_INTERRUPT_H

#include <signal.h>

/*
 * Ctrl-C, SIGTERM and a closed terminal set this; long work ends soon and keeps everything. A second one ends
 * at once, the boards' children too. So does output that nobody reads any more (cli/terminal/output.h).
 */
extern volatile sig_atomic_t interrupted;
void catch_interrupts(void); /* of commands that work long */
void catch_endings(void);    /* of the agent: the same, but a second one changes nothing; sudo, ssh and a
                                terminal may each send one */

/* Of every command: words on standard error for whoever sees abort(), and no child of a board left behind. */
void catch_aborts(void);

#endif
