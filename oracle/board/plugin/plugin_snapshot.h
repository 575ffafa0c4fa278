/* SPDX-License-Identifier: MIT */
/*
 * Puts the memory of this process back to what it was. So a library that crashed can go on in its process as
 * if it had just been opened. A new process costs several times as much.
 */
#ifndef MISPRINT_ORACLE_BOARD_PLUGIN_PLUGIN_SNAPSHOT_H
#define MISPRINT_ORACLE_BOARD_PLUGIN_PLUGIN_SNAPSHOT_H

#include <stdbool.h>

/* A file descriptor that the next `open` would get. What a library opens changes it. */
int plugin_snapshot_next_file(void);

/* Copies all private memory that can be written, but not the stack below `frame`. Returns false if there is
 * more than a few MB of it, or if the process has several threads. */
bool plugin_snapshot_take(const void *frame);

/* For signal handlers: can the process go on? It must have one thread, the open files of the time of the
 * copy, and at most a few MB of memory more. False without a copy. */
bool plugin_snapshot_fits(void);

/* Puts the memory back, and the floating-point modes. To be called from above `frame`, after
 * plugin_snapshot_fits. A part that cannot be written any more raises SIGSEGV. */
void plugin_snapshot_restore(void);

#endif
