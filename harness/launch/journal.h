/* SPDX-License-Identifier: MIT */
/*
 * Remembers which cases a board was running when it died. The hashes of a launch's cases are written to a
 * file and synced before the launch; afterwards a line says that they came back, or hung. If the machine
 * reboots in between, the next run knows the cases: a single one is never run again; several run alone once
 * each.
 *
 * The file is text with a checksum in every line (journal_text.h). It is replaced when it is opened, when a
 * case hangs, and when it has grown by a megabyte; otherwise lines are appended. A file that is no journal is
 * left alone. A damaged journal is refused, because it may hold cases that must not run again; the user has
 * to move it away. A process that is killed while it replaces the file may leave a useless PATH.XXXXXX.
 *
 * Two things cannot be detected: an older copy in the place of a journal, and the loss of all lines appended
 * since the last replacement, from some "begin" or "end" on. A crash loses no line, and hangs are not among
 * these lines, unless the disk was full.
 */
#ifndef MISPRINT_HARNESS_LAUNCH_JOURNAL_H
#define MISPRINT_HARNESS_LAUNCH_JOURNAL_H

#include "model/core/error.h"

#include <stdint.h>

struct journal;

/*
 * Opens the journal, or creates it, for one process at a time. NULL path: it is kept in memory. NULL with an
 * error: the file is no journal, is damaged or in use, or cannot be read or replaced.
 */
struct journal *journal_open(const char *path, struct error *e);
void journal_close(struct journal *j); /* NULL is fine */

/* All three return after their line is on the disk. After false nothing may be launched. */
bool journal_begin(struct journal *j, const uint64_t *hashes, unsigned count, struct error *e);
bool journal_end(struct journal *j, struct error *e);
bool journal_hang(struct journal *j, uint64_t hash, struct error *e);

/* False if hashes of cases, which take a microsecond each, are not needed. */
bool journal_wants_hashes(const struct journal *j);
bool journal_knows_hang(const struct journal *j, uint64_t hash);
/* The case was running, among others, when the machine died, and has not run alone since. */
bool journal_suspects(const struct journal *j, uint64_t hash);

#endif
