/* SPDX-License-Identifier: MIT */
/*
 * An invented unit whose behaviour is a truth table, for the tests of comparison, attribution, reduction and
 * campaigns. A reader can explain a difference by hand, and a test by trying all profiles.
 *
 * A case is a list of items, two words and an image. An item is kind | c << 8 | d << 16 | e << 24, where c, d
 * and e are numbers of clauses. Item n sets bit n mod 32 of row 0, word n / 32 of the outcome, if its kind
 * says so.
 */
#ifndef MISPRINT_TESTS_SUPPORT_SUPPORT_PUZZLE_H
#define MISPRINT_TESTS_SUPPORT_SUPPORT_PUZZLE_H

#include "model/core/unit.h"
#include "model/number/random.h"
#include "oracle/board/board.h"

enum puzzle_kind {
    PUZZLE_SOLO,     /* the bit is 1 if clause c has reading 1 */
    PUZZLE_EITHER,   /* ... if c or d has */
    PUZZLE_BOTH,     /* ... if c and d have; d is consulted only if c has */
    PUZZLE_THREE,    /* ... if c, d and e have; each is consulted only if the previous ones have */
    PUZZLE_MAJORITY, /* ... if two of c, d, e have */
    PUZZLE_VAGUE,    /* like PUZZLE_SOLO, on the same bit of row 1; the bit is always undefined */
    PUZZLE_EXCUSE,   /* the bit is 0; under reading 2 of c it is undefined */
    PUZZLE_DOUBT,    /* like PUZZLE_SOLO; under reading 2 of d the bit is undefined */
    PUZZLE_END,      /* the case hangs if c has reading 1 */
    PUZZLE_PARITY,   /* the bit is 1 if c or d has reading 1, but not both */
    PUZZLE_COPY,     /* row 2, word c mod 4 gets the image's row d mod 4, word e mod 4, plus `bias` if
                      * clause 7 has reading 1 */
    PUZZLE_WAY,      /* a checked run ends here as undefined; a plain run sets the bit if c has reading 1 */
    PUZZLE_KINDS
};

enum {
    PUZZLE_CLAUSES = 12, /* of 0 to 9, the odd ones are `silent`; each has the readings manual, one, two */
    PUZZLE_ITEMS = 48,
    PUZZLE_ROWS =
        4, /* rows 0..2 "out", row 3 "flag" with 4 meaningful bits a word, of which two are columns */
    PUZZLE_FLAG_ROW = 3,
};

struct puzzle_case {
    uint32_t mode, bias, count, item[PUZZLE_ITEMS];
    CASE_IMAGE(4, 4) image;
};

static inline uint32_t puzzle_item(enum puzzle_kind kind, unsigned c, unsigned d, unsigned e)
{
    return (uint32_t)kind | c << 8 | d << 16 | e << 24;
}

/* Returns an item of this kind. Its clauses are random numbers below `clauses`. */
static inline uint32_t puzzle_random_item(struct random *r, enum puzzle_kind kind, unsigned clauses)
{
    unsigned c = random_below(r, clauses), d = random_below(r, clauses), e = random_below(r, clauses);
    return puzzle_item(kind, c, d, e);
}

extern const struct unit puzzle_unit;

/* Makes a case that has these items. */
void puzzle_make(struct test_case *tc, const uint32_t *items, unsigned count);

/* A board that runs the puzzle under a profile. The members choose its faults. */
struct puzzle_board {
    struct board board;
    struct profile profile;
    struct executor *executor;
    unsigned flaky;   /* not 0: flips bit 5 of row 0, word 3 in each flaky-th answer */
    unsigned dies;    /* not 0: fails at this answer */
    unsigned refuses; /* not 0: refuses each refuses-th case */
    unsigned silent;  /* not 0: gives no answer to each silent-th case */
    uint32_t own_bug; /* XORed into row 0, word 2 if the model's word 0 is not 0; no clause explains it */
    uint64_t answers;
};
void puzzle_board_open(struct puzzle_board *b);
void puzzle_board_close(struct puzzle_board *b);

#endif
