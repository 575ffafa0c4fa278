/* SPDX-License-Identifier: MIT */
/*
 * Comparison of the model's outcome with a board's, bit by bit where both are
 * defined, and the tally that keeps it honest: what was compared, and what
 * each mask or refusal took away.
 */
#ifndef MISPRINT_ORACLE_COMPARE_COMPARE_H
#define MISPRINT_ORACLE_COMPARE_COMPARE_H

#include "model/core/unit.h"
#include "oracle/board/board.h"

/*
 * How a campaign fills it: the plain model runs first. If it agrees with the
 * board in every bit, all those bits count as compared, also such as a checked
 * run would have called undefined (they agreed). If it does not agree, the
 * checked model runs, and only that second comparison is counted. Once a campaign knows what the board's
 * causes are, most cases are compared with the model that has these causes, and only a sample with the
 * profile as it is.
 */
struct tally {
    uint64_t cases;            /* offered */
    uint64_t answers[ANSWERS]; /* what came of them; only ANSWER_OUTCOME is compared */
    uint64_t
        compared; /* in at least one bit, or at least in how they ended; = equal + different + foretold */
    uint64_t equal, different; /* of the compared */
    uint64_t predicted; /* of the compared: with the model under the profile and all causes found so far, and
                           equal to that */
    uint64_t vacuous;   /* answered, but masks or a silent record left nothing to compare */
    uint64_t lanes;     /* words compared in at least one bit */
    uint64_t bits;      /* bits compared */
    uint64_t untouched; /* of the compared: neither side touched a row, so only the end was compared */
    uint64_t ends_only; /* of the compared: one side did not end well, so only the ends were compared */
    uint64_t masked_model;   /* bits removed because the specification leaves them undefined */
    uint64_t masked_board;   /* bits removed because the board did not record them */
    uint64_t undefined_only; /* cases that would differ, but only in bits that no document defines; counted as
                                equal, foretold or vacuous */
    uint64_t attributed;     /* of the different: given one by one to a finding by a search of their own */
    uint64_t unfiled; /* of the different: searched, but in need of a finding of their own when there were as
                         many as a run keeps */
    uint64_t
        known; /* of the different: the causes found so far together explain them, so no search was made */
    uint64_t unattributed; /* of the different: no search was made: of news in a flood only a sample is
                              searched; or the run's budget was used up, or it broke off */
};

/* Counts one case and what came of it. */
void tally_answer(struct tally *t, enum answer a);
/* Was no case compared in a bit, nor in an end other than "done" on both sides? Then agreement says nothing.
 */
bool tally_compared_nothing(const struct tally *t);
void tally_merge(struct tally *into, const struct tally *from);
/* "5460 cases, 87360 lanes, 2795520 bits compared; masked: ..., refused: ..." */
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
    uint32_t listed; /* how many of them stand in `word` */
    struct word_difference word[DIFFERENCES_MAX];
};

/*
 * True if equal in all that is compared. If the ends differ, or neither is
 * END_DONE, only the ends are compared; if one is END_UNDEFINED, nothing is. Otherwise the rows that either
 * side touched are; all others are equal by construction and are not counted. Of an incomplete board outcome
 * only the rows that it recorded (touched) count. Of each row the region's columns and meaningful bits count.
 *
 * A comparison that was left with nothing (both done, yet no bit left under the
 * masks, though some row was touched or nothing was recorded) is true but
 * counted as vacuous. `t` and `d` may be NULL; with both NULL it stops at the
 * first difference.
 */
bool outcomes_equal(const struct outcome *model, const struct outcome *board, struct tally *t,
                    struct differences *d);

/* How many bits differ; DISTANCE_ENDS if the ends do. Stops counting once it exceeds `enough`. */
#define DISTANCE_ENDS UINT64_MAX
uint64_t outcomes_distance(const struct outcome *model, const struct outcome *board, uint64_t enough);

/* The same for differences of one look: how each side ended, which regions differ and in which bytes of their
 * words; not values or rows. */
uint64_t differences_signature(const struct unit *u, const struct outcome *model, const struct outcome *board,
                               const struct differences *d);

/* Of the bits in which a board differed from one run of a model: how many does another, which agrees with the
 * board, define? */
enum decided { DECIDED_NONE, DECIDED_SOME, DECIDED_ALL };
enum decided differences_decided(const struct differences *d, const struct outcome *model);

/* For people: "ra 1 lanes 0 to 15: model 3F800000, board 3F7FFFFF", at most `most` lines. */
void differences_print(const struct unit *u, const struct differences *d, unsigned most, struct text *t);

#endif
