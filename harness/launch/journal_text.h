/* SPDX-License-Identifier: MIT */
/*
 * The text format of a journal (harness/launch/journal.h): its lines and their checksums. Works on memory
 * only; journal.c owns the file.
 *
 *   misprint-journal 2 LINES SUM   LINES lines followed when the file was written
 *   hang HASH... SUM               these cases must not run again
 *   suspect HASH... SUM            these ran together when the machine died
 *   begin HASH... SUM              these are being launched
 *   end SUM                        the launch is over
 *
 * A HASH has 16 hexadecimal digits. A SUM has 8: the low half of the XXH3 of the line's text before " SUM".
 * Its seed is the SUM of the previous line (0 for the first line), so that a removed, moved or copied line is
 * detected.
 *
 * Version 1 has no first line, no sums and no "suspect". It is still read, because users rescue the hangs of
 * a damaged journal by writing them in this form (docs/raspberry-pi.md).
 */
#ifndef MISPRINT_HARNESS_LAUNCH_JOURNAL_TEXT_H
#define MISPRINT_HARNESS_LAUNCH_JOURNAL_TEXT_H

#include "model/text/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct journal_hashes {
    uint64_t *at;
    size_t count, room;
};

bool journal_hashes_have(const struct journal_hashes *h, uint64_t hash);

/* What the lines of a journal say. All zeros: an empty journal. */
struct journal_state {
    struct journal_hashes hangs, suspects, running;
};

enum journal_event { JOURNAL_HANG, JOURNAL_SUSPECT, JOURNAL_BEGIN, JOURNAL_END, JOURNAL_EVENTS };

/* Applies a line. A suspect that ran alone and ended is no longer a suspect. */
void journal_learn(struct journal_state *s, enum journal_event event, const uint64_t *hash, size_t count);
void journal_state_free(struct journal_state *s);

/* Adds a line. `*sum` is the sum of the previous line, and becomes the sum of this line. */
void journal_print(struct text *t, uint32_t *sum, enum journal_event event, const uint64_t *at, size_t count);
/* Adds a whole journal. `*sum` becomes the sum of its last line. */
void journal_print_state(struct text *t, uint32_t *sum, const struct journal_state *s);

enum journal_reading {
    JOURNAL_READ,
    JOURNAL_EMPTY,
    JOURNAL_FOREIGN, /* not a journal, or a journal whose first line is damaged beyond recognition */
    JOURNAL_NEWER,   /* has version `number`, which is newer than this program */
    JOURNAL_DAMAGED, /* `why` says what is wrong with line `number` */
};
struct journal_fault {
    enum journal_reading reading;
    unsigned long number;
    const char *why;
};

/*
 * Reads a whole journal into an empty state. If the journal ends in a launch of one case, that case becomes a
 * hang. If it ends in a launch of several cases, they become suspects. False with a fault.
 *
 * A power cut can leave an incomplete last line: its first characters without a line end, perhaps followed by
 * NULs. Such a line is skipped, because it was never synced, so its cases were never launched. Only a "hang"
 * line whose hash is complete counts.
 */
bool journal_parse(struct journal_state *s, const char *chars, size_t count, struct journal_fault *f);

#endif
