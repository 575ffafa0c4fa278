/* SPDX-License-Identifier: MIT */
/*
 * Comparison of the model's outcome with a board's, bit by bit where both are
 * defined, and the tally that keeps it honest: what was compared, and what
 * each mask or refusal took away.
 */
#ifndef MISPRINT_ORACLE_COMPARE_H
#define MISPRINT_ORACLE_COMPARE_H

#include "model/unit.h"
#include "oracle/board.h"

struct tally {
    uint64_t cases;     /* offered */
    uint64_t compared;  /* with at least one bit compared, or the way they ended */
    uint64_t equal;     /* of the compared */
    uint64_t different; /* of the compared */
    uint64_t vacuous;   /* answered, but no bit was left to compare */
    uint64_t answers[ANSWERS];
    uint64_t lanes;         /* words compared in at least one bit */
    uint64_t bits;          /* bits compared */
    uint64_t untouched;     /* cases whose rows neither side touched: only the end was compared */
    uint64_t masked_model;  /* bits removed because the specification leaves them undefined */
    uint64_t masked_board;  /* bits removed because the board did not record them */
    uint64_t undefined_only; /* cases that would differ, but only in bits that the specification leaves undefined */
};

void tally_merge(struct tally *into, const struct tally *from);
/* "5460 cases, 87360 lanes, 2795520 bits compared; masked: ..., refused: ..." */
void tally_print(const struct tally *t, struct text *out);

struct word_difference {
    uint16_t row, col;      /* row over all regions of the layout */
    uint32_t model, board;  /* the words */
    uint32_t mask;          /* bits compared; they differ in (model ^ board) & mask */
};

enum { DIFFERENCES_MAX = 256 };
struct differences {
    bool end_differs;
    uint32_t words;  /* how many words differ */
    uint64_t bits;   /* how many bits differ */
    uint32_t listed; /* how many of them stand in `word` */
    struct word_difference word[DIFFERENCES_MAX];
};

/*
 * True if equal in all that is compared. Rows of which neither side touched
 * are equal by construction and are not counted. If the ends differ, or either
 * is not END_DONE, only the ends are compared. `t` and `d` may be NULL; with `d`
 * NULL it stops at the first difference.
 */
bool outcomes_equal(const struct outcome *model, const struct outcome *board, struct tally *t, struct differences *d);

/* A number that is the same for differences of one look: regions, bit positions and end, not values. */
uint64_t differences_signature(const struct unit *u, const struct outcome *model, const struct outcome *board, const struct differences *d);

/* For people: "ra1 lane 3: model 3F800000, board 3F7FFFFF", at most `most` lines. */
void differences_print(const struct unit *u, const struct differences *d, unsigned most, struct text *t);

#endif
