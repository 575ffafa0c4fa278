/* SPDX-License-Identifier: MIT */
/* Comparison of the model's outcome with a board's, bit by bit where both are defined; and the tally: what
 * was compared, and what masks and refusals removed. */
#ifndef MISPRINT_ORACLE_COMPARE_COMPARE_H
#define MISPRINT_ORACLE_COMPARE_COMPARE_H

#include "model/core/unit.h"
#include "oracle/board/board.h"

/*
 * A campaign runs the plain model first. If it agrees with the board in every bit, all those bits count as
 * compared, even those that a checked run would call undefined. If it does not, the checked model runs, and
 * only that second comparison is counted. Once some causes are known, most cases are compared with the model
 * that has them, and only a sample with the profile as it is.
 */
struct tally {
    uint64_t cases;            /* offered */
    uint64_t answers[ANSWERS]; /* of the board; only ANSWER_OUTCOME is compared */
    uint64_t compared; /* in at least one bit, or in how they ended; = equal + different + predicted */
    uint64_t equal, different; /* of the compared */
    uint64_t predicted;        /* of the compared: equal to the model with all causes found so far */
    uint64_t vacuous;          /* answered, but masks or an empty record left nothing to compare */
    uint64_t lanes;            /* words compared in at least one bit */
    uint64_t bits;             /* bits compared */
    uint64_t untouched;    /* of the compared: neither side touched a row, so only the ends were compared */
    uint64_t ends_only;    /* of the compared: a side did not end with done, so only the ends were compared */
    uint64_t masked_model; /* bits removed because the specification leaves them undefined */
    uint64_t masked_board; /* bits removed because the board did not record them */
    uint64_t undefined_only; /* cases that differ only in undefined bits; they count as equal, predicted or
                                vacuous */
    /* Of the different: */
    uint64_t attributed;   /* searched for a cause, and filed under a finding */
    uint64_t unfiled;      /* searched, but the run had no room for another finding */
    uint64_t known;        /* not searched: the causes found so far explain them together */
    uint64_t unattributed; /* not searched: only a sample of many like cases is; or the budget was used up, or
                              the run broke off */
};

/* Counts one case and its answer. */
void tally_answer(struct tally *t, enum answer a);
/* Did no case compare a bit, nor an end other than "done" on both sides? Then agreement proves nothing. */
bool tally_compared_nothing(const struct tally *t);
void tally_merge(struct tally *into, const struct tally *from);
/* Prints "5460 cases, 5460 compared: 5460 equal, 0 different", then lines of one fact each, without zeros. */
void tally_print(const struct tally *t, struct text *out);

struct word_difference {
    uint16_t row, col;     /* row over all regions of the layout */
    uint32_t model, board; /* the words */
    uint32_t mask;         /* bits compared; they differ in (model ^ board) & mask */
};

enum { DIFFERENCES_MAX = 256 };
struct differences {
    bool end_differs;
    uint32_t words;  /* how many words differ */
    uint64_t bits;   /* how many bits differ */
    uint32_t listed; /* how many of them are in `word` */
    struct word_difference word[DIFFERENCES_MAX];
};

/*
 * True if equal in all that is compared:
 * - nothing, if one end is END_UNDEFINED;
 * - the ends, if they differ or are not END_DONE;
 * - otherwise the rows that either side touched, each in its region's columns and meaningful bits. All other
 * rows are equal by construction and not counted. Of an incomplete board outcome only the touched rows were
 * recorded.
 *
 * If no bit is left to compare although some row was touched or nothing was recorded, the result is true and
 * counts as vacuous. `t` and `d` may be NULL; with both NULL the comparison stops at the first difference.
 */
bool outcomes_equal(const struct outcome *model, const struct outcome *board, struct tally *t,
                    struct differences *d);

/* How many bits differ; DISTANCE_ENDS if the ends do. Stops counting once it exceeds `enough`. */
#define DISTANCE_ENDS UINT64_MAX
uint64_t outcomes_distance(const struct outcome *model, const struct outcome *board, uint64_t enough);

/* A hash that is the same for similar differences: of how each side ended, which regions differ and in which
 * bytes of their words; not of values or rows. */
uint64_t differences_signature(const struct unit *u, const struct outcome *model, const struct outcome *board,
                               const struct differences *d);

/* Of the bits in which the board differed from one model run, how many does another run define that agrees
 * with the board? */
enum decided { DECIDED_NONE, DECIDED_SOME, DECIDED_ALL };
enum decided differences_decided(const struct differences *d, const struct outcome *model);

/* For people: "ra 1 lanes 0 to 15: model 3F800000, board 3F7FFFFF", at most `most` lines. */
void differences_print(const struct unit *u, const struct differences *d, unsigned most, struct text *t);

#endif
