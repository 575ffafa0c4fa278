/* SPDX-License-Identifier: MIT */
/*
 * What a board was doing when it died. Before cases reach the hardware their
 * hashes are written to a file and synced; afterwards that they came back, or
 * that they hung and the board is well again. So when the machine reboots in between, the next run knows
 * which cases it were: a single one is never run again, of several each runs alone once.
 *
 * The file is text, with a checksum in every line (harness/launch/journal_text.h). It
 * is replaced as a whole when it is opened, when a case hung, and when it has
 * grown by a megabyte; in between, lines are added to it. A file that is not a
 * journal is left as it is. One that is damaged is refused, because it may hold
 * cases that must not run again: the user has to move it away. A process that is
 * killed while it replaces the file may leave a PATH.XXXXXX behind, of no use.
 *
 * What cannot be noticed: an older copy that was put in the place of a journal;
 * or that all lines from some "begin" or "end" on are gone that were added since
 * the file was last replaced. A crash loses none of them. No hang is among them
 * (unless the disk was full), only what was running.
 */
#ifndef MISPRINT_HARNESS_LAUNCH_JOURNAL_H
#define MISPRINT_HARNESS_LAUNCH_JOURNAL_H

#include "model/core/error.h"

#include <stdint.h>

struct journal;

/*
 * Opens the journal, or makes it where there is no file. One process at a time
 * has it. NULL path: it is kept in memory only. NULL with an error where the file
 * is no journal, is damaged or in use, or cannot be read or replaced.
 */
struct journal *journal_open(const char *path, struct error *e);
void journal_close(struct journal *j); /* NULL is fine */

/* Both return after their line is on the disk. After false nothing may be launched. */
bool journal_begin(struct journal *j, const uint64_t *hashes, unsigned count, struct error *e);
bool journal_end(struct journal *j, struct error *e);
bool journal_hang(struct journal *j, uint64_t hash, struct error *e);

/* Has it anything to look up, or to write? If not, nobody needs a case's hash (a microsecond). */
bool journal_wants_hashes(const struct journal *j);
bool journal_knows_hang(const struct journal *j, uint64_t hash);
/* The case was running, among others, when the machine died, and has not run alone since. */
bool journal_suspects(const struct journal *j, uint64_t hash);

#endif
