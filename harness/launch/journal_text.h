/* SPDX-License-Identifier: MIT */
/*
 * The text of a journal (harness/launch/journal.h): what its lines say, and their
 * checksums. Reads and writes memory; the file is harness/launch/journal.c's.
 *
 *   misprint-journal 2 LINES SUM   LINES other lines were there from the start
 *   hang HASH... SUM               these cases must not run again
 *   suspect HASH... SUM            these ran together when the machine died
 *   begin HASH... SUM              these run from now on
 *   end SUM                        they came back
 *
 * A HASH has 16 hexadecimal digits, a SUM has 8: the low half of the XXH3 of the
 * line's text in front of " SUM". Its seed is the SUM of the line before (0 for
 * the first), so a line that was removed, moved or copied does not fit either.
 *
 * Version 1 had neither the first line nor sums nor "suspect". It is still read.
 */
#ifndef MISPRINT_HARNESS_LAUNCH_JOURNAL_TEXT_H
#define MISPRINT_HARNESS_LAUNCH_JOURNAL_TEXT_H

#include "model/text/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A few hashes, in the order in which they came. */
struct journal_hashes {
    uint64_t *at;
    size_t count, room;
};

bool journal_hashes_have(const struct journal_hashes *h, uint64_t hash);

/* What a journal knows. All zeros: nothing. */
struct journal_state {
    struct journal_hashes hangs, suspects, running;
};

enum journal_event { JOURNAL_HANG, JOURNAL_SUSPECT, JOURNAL_BEGIN, JOURNAL_END, JOURNAL_EVENTS };

/*
 * Learns what a line says. A suspect that ran alone and came back is no suspect any more. False without
 * memory.
 */
bool journal_learn(struct journal_state *s, enum journal_event event, const uint64_t *hash, size_t count);
void journal_state_free(struct journal_state *s);

/* Adds a line; `sum` is the sum of the line before, and becomes that of this one. */
void journal_print(struct text *t, uint32_t *sum, enum journal_event event, const uint64_t *at, size_t count);
/* Adds a whole journal that says the state; `sum` becomes that of its last line. */
void journal_print_state(struct text *t, uint32_t *sum, const struct journal_state *s);

enum journal_reading {
    JOURNAL_READ,
    JOURNAL_EMPTY,   /* no byte */
    JOURNAL_FOREIGN, /* not a journal, or its first line is damaged beyond recognition */
    JOURNAL_NEWER,   /* of a later version, see `number` */
    JOURNAL_DAMAGED, /* `why` says what is wrong with line `number` */
    JOURNAL_NO_MEMORY
};
struct journal_fault {
    enum journal_reading reading;
    unsigned long number;
    const char *why;
};

/*
 * Reads a whole journal into an empty state. What was running at its end is then
 * a hang if it was one case, else suspects. False with a fault. A last line without a line end that
 * could be the front of one is what a power cut leaves, also with NULs behind it.
 * It was not synced, so nothing of it was launched, and it is passed over; but a
 * hang counts as soon as its hash is whole.
 */
bool journal_parse(struct journal_state *s, const char *chars, size_t count, struct journal_fault *f);

#endif
