/* SPDX-License-Identifier: MIT */
/*
 * Puts the memory of this process back to what it was. So a library that crashed can go on in its process as
 * if it had just been opened. A new process costs several times as much. What a library holds outside of its
 * memory cannot be put back: files, devices, threads, processes. Then the process must not go on.
 */
#ifndef MISPRINT_ORACLE_BOARD_PLUGIN_PLUGIN_SNAPSHOT_H
#define MISPRINT_ORACLE_BOARD_PLUGIN_PLUGIN_SNAPSHOT_H

#include <stdbool.h>

/* What this process holds outside of its private memory. */
struct plugin_held {
    int next_file; /* the file descriptor that the next `open` would get; -1: the kernel does not say */
    unsigned shared_maps; /* mappings of files and devices, and of memory shared with other processes */
};
struct plugin_held plugin_snapshot_held(void);

/* Copies all private memory that can be written, but not the stack below `frame`. Returns false if there is
 * more than a few MB of it, if some of it is code, or if the process holds something that it did not hold
 * `before`, has several threads, or has a child. */
bool plugin_snapshot_take(const struct plugin_held *before, const void *frame);

/* For signal handlers: can the process go on? It must hold what it held at the time of the copy, and have the
 * same mappings, but for a few MB of new memory. False without a copy, and during plugin_snapshot_restore. */
bool plugin_snapshot_fits(void);

/* Puts back the memory, the signal handlers and the floating-point modes, and ends the interval timers. To be
 * called from above `frame`, after plugin_snapshot_fits. */
void plugin_snapshot_restore(void);

#endif
