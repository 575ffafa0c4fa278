/* SPDX-License-Identifier: MIT */
/*
 * What a board was doing when it died. Before cases reach the hardware their
 * hashes are written to a file and synced; afterwards that they came back. So
 * when the machine reboots in between, the next run knows which cases it were:
 * a single one is never run again, of several each runs alone.
 *
 * Lines of text: "begin HASH..." and "end" around each launch, "hang HASH" of a
 * case that must not run again.
 */
#ifndef MISPRINT_HARNESS_JOURNAL_H
#define MISPRINT_HARNESS_JOURNAL_H

#include "model/error.h"

#include <stdint.h>

struct journal;

/* Opens the file, or makes it where there is none; NULL path: keeps what it learns in memory only. NULL with an error: so where one cannot be read.
 */
struct journal *journal_open(const char *path, struct error *e);
void journal_close(struct journal *j); /* NULL is fine */

bool journal_begin(struct journal *j, const uint64_t *hashes, unsigned count, struct error *e);
bool journal_end(struct journal *j, struct error *e);
bool journal_hang(struct journal *j, uint64_t hash, struct error *e);

/* Has it anything to look up, or to write? If not, nobody needs a case's hash (a microsecond). */
bool journal_wants_hashes(const struct journal *j);
bool journal_knows_hang(const struct journal *j, uint64_t hash);
bool journal_suspects(const struct journal *j, uint64_t hash); /* was running, among others, when the machine died */

#endif
