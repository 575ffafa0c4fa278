/* SPDX-License-Identifier: MIT */
/*
 * The child of board `plugin`. It loads the library, and forks a worker that runs the cases. If the worker
 * dies, the host decides whether another one is forked, which takes less than a millisecond.
 */
#ifndef MISPRINT_ORACLE_BOARD_PLUGIN_PLUGIN_CHILD_H
#define MISPRINT_ORACLE_BOARD_PLUGIN_PLUGIN_CHILD_H

#include <stdbool.h>

/* Is this process such a child? */
bool plugin_is_child(int count, char *const *words);
/* Runs it. `words` are the command line's: plugin-child FILE UNIT OPTIONS. Returns an exit status. */
int plugin_child(char *const *words);

#endif
