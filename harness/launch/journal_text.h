/* SPDX-License-Identifier: MIT */
/*
 * The text of a journal (harness/launch/journal.h): its lines and their checksums. Works on memory; journal.c
 * owns the file.
 *
 *   misprint-journal 2 LINES SUM   LINES lines followed when the file was written
 *   hang HASH... SUM               these cases must not run again
 *   suspect HASH... SUM            these ran together when the machine died
 *   begin HASH... SUM              these are launched now
 *   end SUM                        they came back
 *
 * A HASH has 16 hexadecimal digits. A SUM has 8: the low half of the XXH3 of the line's text before " SUM",
 * with the SUM of the line before as the seed (0 for the first), so that a removed, moved or copied line is
 * noticed.
 *
 * Version 1 has no first line, no sums and no "suspect". It is read, because users rescue damaged journals
 * that way (docs/raspberry-pi.md).
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

/* All zeros: an empty journal. */
struct journal_state {
    struct journal_hashes hangs, suspects, running;
};

enum journal_event { JOURNAL_HANG, JOURNAL_SUSPECT, JOURNAL_BEGIN, JOURNAL_END, JOURNAL_EVENTS };

/* Applies a line. A suspect that ran alone and came back is no longer one. */
void journal_learn(struct journal_state *s, enum journal_event event, const uint64_t *hash, size_t count);
void journal_state_free(struct journal_state *s);

/* Adds a line. `sum` is the sum of the line before, and becomes that of this one. */
void journal_print(struct text *t, uint32_t *sum, enum journal_event event, const uint64_t *at, size_t count);
/* Adds a whole journal. `sum` becomes that of its last line. */
void journal_print_state(struct text *t, uint32_t *sum, const struct journal_state *s);

enum journal_reading {
    JOURNAL_READ,
    JOURNAL_EMPTY,
    JOURNAL_FOREIGN, /* not a journal, or its first line is damaged beyond recognition */
    JOURNAL_NEWER,   /* of version `number` */
    JOURNAL_DAMAGED, /* `why` says what is wrong with line `number` */
};
struct journal_fault {
    enum journal_reading reading;
    unsigned long number;
    const char *why;
};

/*
 * Reads a whole journal into an empty state. A case that was running alone at its end becomes a hang; several
 * become suspects. False with a fault. A power cut leaves the front of a line without a line end, perhaps
 * with NULs behind it. Such a last line is skipped, because it was not synced and so nothing of it was
 * launched; but a hang counts as soon as its hash is complete.
 */
bool journal_parse(struct journal_state *s, const char *chars, size_t count, struct journal_fault *f);

#endif
