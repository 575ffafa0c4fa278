/* SPDX-License-Identifier: MIT */
/*
 * A file that records which cases were running when a board died, so that they do not kill it again. Before
 * each launch, the launcher writes the hashes of its cases and syncs the file. After the launch, it writes
 * that the cases ended, or which one hung. If the machine reboots in between, the next run reads which cases
 * were running. If it was one case, no run launches it again. If there were several, the next run launches
 * each of them alone once.
 *
 * The file is text with a checksum in every line (journal_text.h owns the format). Lines are appended. The
 * file is written anew when it is opened, when a case hangs, and when it has grown by a megabyte. A file that
 * is not a journal is never changed. A damaged journal is refused, because it may name cases that must not
 * run again; the user has to move it away. A process that is killed while it writes the file anew may leave a
 * file PATH.XXXXXX, which has no use.
 *
 * Two kinds of damage cannot be detected: an old copy in the place of the journal, and a journal from which
 * the last appended lines were cut off. The second loses no hang, because a hang is appended only if the disk
 * was too full to write the file anew. A crash of the machine loses no line.
 */
#ifndef MISPRINT_HARNESS_LAUNCH_JOURNAL_H
#define MISPRINT_HARNESS_LAUNCH_JOURNAL_H

#include "model/core/error.h"

#include <stdint.h>

struct journal;

/*
 * Opens or creates the journal and locks it. Without a path (NULL) the journal is kept in memory only.
 * Returns NULL with an error if the file is not a journal, is damaged or in use, or cannot be read or
 * written.
 */
struct journal *journal_open(const char *path, struct error *e);
void journal_close(struct journal *j); /* NULL is fine */

/* Each adds a line, and returns when the line is on the disk. After false, the caller must launch nothing. */
bool journal_begin(struct journal *j, const uint64_t *hashes, unsigned count, struct error *e);
bool journal_end(struct journal *j, struct error *e);
bool journal_hang(struct journal *j, uint64_t hash, struct error *e);

/* False if the caller need not compute hashes of cases, which takes a microsecond for each. */
bool journal_wants_hashes(const struct journal *j);
bool journal_knows_hang(const struct journal *j, uint64_t hash);
/* True if the case was running together with others when the machine died, and has not run alone since. */
bool journal_suspects(const struct journal *j, uint64_t hash);

#endif
