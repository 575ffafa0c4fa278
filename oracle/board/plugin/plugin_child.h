/* SPDX-License-Identifier: MIT */
/*
 * The child of board `plugin`. It loads the library, and forks a worker that opens the library and runs the
 * cases. While a worker works, the child forks the next one, which waits. If the worker dies, the next one
 * begins after some tenths of a millisecond. The host ends the child if too many die. From the second worker
 * on, a process whose library crashes puts its memory back (plugin_snapshot.h), and goes on as the next
 * worker.
 */
#ifndef MISPRINT_ORACLE_BOARD_PLUGIN_PLUGIN_CHILD_H
#define MISPRINT_ORACLE_BOARD_PLUGIN_PLUGIN_CHILD_H

#include <stdbool.h>

/* Is this process such a child? */
bool plugin_is_child(int count, char *const *words);
/* Runs it. `words` are the command line's: plugin-child FILE UNIT OPTIONS. Returns an exit status. */
int plugin_child(char *const *words);

#endif
