/* SPDX-License-Identifier: MIT */
/*
 * Compares the model's outcome with a board's, bit by bit, in the bits that both define. The tally says what
 * was compared, and what masks and refusals removed.
 *
 * Words with a tolerance (model/number/tolerance.h) are compared as a whole: they differ if they are farther
 * apart than the tolerance. The tally counts as many of their bits as the tolerance leaves to compare. If a
 * board recorded only some bits of such a word, these bits are compared under the mask.
 */
#ifndef MISPRINT_ORACLE_COMPARE_COMPARE_H
#define MISPRINT_ORACLE_COMPARE_COMPARE_H

#include "model/core/unit.h"
#include "oracle/board/board.h"

/*
 * A campaign runs the plain model first. If the plain run agrees with the board in every bit, all bits count
 * as compared, even those that a checked run would leave undefined. If not, the checked model runs, and only
 * the checked comparison counts. Once causes are known, the campaign compares most cases with a model that
 * includes the causes, and only a sample also with the profile alone.
 */
struct tally {
    uint64_t cases;            /* cases generated or read */
    uint64_t answers[ANSWERS]; /* the board's answers; only ANSWER_OUTCOME is compared */
    uint64_t compared; /* cases compared in a bit or in how they ended: equal + different + predicted */
    uint64_t equal, different; /* of the compared cases */
    uint64_t predicted;        /* of the compared cases: equal to the model with all causes found so far */
    uint64_t vacuous;          /* answered, but masks or an empty record left nothing to compare */
    uint64_t lanes;            /* words compared in at least one bit */
    uint64_t bits;             /* bits compared */
    uint64_t untouched;        /* of the compared cases: no row was touched, so only the ends were compared */
    uint64_t ends_only;      /* of the compared cases: a side did not end with done, so only the ends count */
    uint64_t masked_model;   /* bits removed because the specification leaves them undefined */
    uint64_t masked_board;   /* bits removed because the board did not record them */
    uint64_t undefined_only; /* cases that differ only in undefined bits; they count as equal, predicted or
                                vacuous */
    /* What became of the different cases: */
    uint64_t attributed;   /* searched for a cause, and added to a finding */
    uint64_t unfiled;      /* searched, but the run had no room for another finding */
    uint64_t known;        /* not searched: causes found before explain them together */
    uint64_t unattributed; /* not searched, because only a sample of many similar cases is searched, or the
                              budget was used up, or the run was interrupted */
};

/* Counts one case and the board's answer. */
void tally_answer(struct tally *t, enum answer a);
/* True if the board gave no outcome for any of a million cases: it does not run such cases at all. */
bool tally_is_mute(const struct tally *t);
/* True if no case compared a bit, or an end other than "done". Then agreement proves nothing. */
bool tally_compared_nothing(const struct tally *t);
void tally_merge(struct tally *into, const struct tally *from);
/* Prints "5460 cases, 5460 compared: 5460 equal, 0 different", then one line for each other count that is not
 * zero. */
void tally_print(const struct tally *t, struct text *out);

struct word_difference {
    uint16_t row, col;     /* row over all regions of the layout */
    uint32_t model, board; /* the words */
    uint32_t mask;         /* compared bits */
    uint32_t tolerance;    /* not 0: the words are farther apart than this */
    uint32_t differ;       /* the compared bits that differ */
};

enum { DIFFERENCES_MAX = 256 };
struct differences {
    bool end_differs;
    uint32_t words;  /* how many words differ */
    uint64_t bits;   /* how many bits differ; a differing word with a tolerance counts as one or more */
    uint32_t listed; /* how many of the words are listed in `word` */
    struct word_difference word[DIFFERENCES_MAX];
};

/* The defined bits and the tolerance of a word in one of the two outcomes. */
struct known_word {
    uint32_t defined, tolerance;
};
/* How a word is compared. */
struct word_rule {
    uint32_t recorded;  /* bits that the board recorded */
    uint32_t mask;      /* of these, the compared ones */
    uint32_t defined;   /* those that both sides define */
    uint32_t tolerance; /* not 0: the word is compared as a whole, under this tolerance */
};
/* Decides how to compare a word. `bits`: mask of the bits that the region uses. */
struct word_rule word_rule_of(uint32_t bits, struct known_word model, struct known_word board);
/* Returns the bits in which a word differs. */
uint32_t word_difference_bits(const struct word_rule *r, uint32_t model, uint32_t board);

/*
 * True if the outcomes are equal in everything that is compared:
 * - nothing, if one end is END_UNDEFINED;
 * - the ends, if they differ or are not END_DONE;
 * - otherwise the rows that either side touched, in the columns and bits that their region uses. All other
 *   rows are equal by construction and are not counted. An incomplete outcome of a board recorded only the
 *   rows that the board touched, so only these are compared.
 *
 * If no bit is left to compare, although a row was touched or the board's outcome is incomplete, the function
 * returns true and counts the case as vacuous. `t` and `d` may be NULL. If both are NULL, the comparison
 * stops at the first difference.
 */
bool outcomes_equal(const struct outcome *model, const struct outcome *board, struct tally *t,
                    struct differences *d);

/* Returns the number of differing bits; DISTANCE_ENDS if the ends differ. Stops counting after a row that
 * brings the number above `enough`. */
#define DISTANCE_ENDS UINT64_MAX
uint64_t outcomes_distance(const struct outcome *model, const struct outcome *board, uint64_t enough);
/* Counts the differing bits of each lane into to[0] to to[lanes - 1]. Word C of a row belongs to lane C
 * modulo `lanes`. If the ends differ, each lane gets DISTANCE_ENDS. */
void outcomes_lane_distances(const struct outcome *model, const struct outcome *board, uint32_t lanes,
                             uint64_t *to);

/* A hash that is the same for similar differences. It covers how each side ended, which regions differ, and
 * in which bytes of their words; not values or rows. */
uint64_t differences_signature(const struct unit *u, const struct outcome *model, const struct outcome *board,
                               const struct differences *d);

/* `d` has the bits in which the board differed from one model run. Says how many of these bits another run,
 * `model`, defines: none, some, some in each word that differed, or all. If that run agrees with the board,
 * these are the bits for which it predicts the board. */
enum decided { DECIDED_NONE, DECIDED_SOME, DECIDED_EACH, DECIDED_ALL };
enum decided differences_decided(const struct differences *d, const struct outcome *model);
/* Adds the number of these bits that `model` does not define to the lanes, as in outcomes_lane_distances. */
void differences_undecided(const struct differences *d, const struct outcome *model, uint32_t lanes,
                           uint64_t *to);

/* Prints at most `most` lines for people: "ra 1 lanes 0 to 15: model 3F800000, board 3F7FFFFF". */
void differences_print(const struct unit *u, const struct differences *d, unsigned most, struct text *t);

#endif
