/* SPDX-License-Identifier: MIT */
/*
 * Measures how well `learn` describes deviations that the ledger does not describe. A board has one
 * deviation. If it consists of readings, the search may not use them. Then the learned profile is compared
 * with the board on fresh cases. docs/unknown.md explains the figures.
 */
#ifndef MISPRINT_FUZZ_MEASURE_UNKNOWN_H
#define MISPRINT_FUZZ_MEASURE_UNKNOWN_H

#include "fuzz/learn/learn.h"
#include "oracle/attribution/explain.h"

enum { UNKNOWN_KIND_MAX = 32, UNKNOWN_SPEC_MAX = 1024 };

struct unknown_board {
    const struct unit *unit;
    char kind[UNKNOWN_KIND_MAX]; /* "reading", "pair", "four", or what a list of boards says */
    char name[UNKNOWN_SPEC_MAX]; /* the readings; of a listed board, what the list says */
    char spec[UNKNOWN_SPEC_MAX]; /* as in `--board` */
    struct cause hidden;         /* the readings that it follows, which the search may not use */
};

/*
 * All boards of a unit that follow one reading, or two or four, on top of profile `manual`; free with free().
 * Each of these readings alone changes a defined bit in a generated case. `pairs` and `fours` say how many of
 * these to draw by `seed`. `left_out` counts the readings that change no defined bit.
 */
struct unknown_board *unknown_boards_of(const struct unit *u, uint64_t seed, unsigned pairs, unsigned fours,
                                        unsigned *count, unsigned *left_out);

struct unknown_budget {
    double seconds; /* processor time of the search, plus the time in which the board answers */
    double rate;    /* cases that the board answers in a second */
    uint64_t seed;
    uint32_t fresh;                               /* cases in a row that must agree, and cases to judge by */
    bool (*stopped)(void *context);               /* or NULL */
    void (*say)(void *context, const char *line); /* progress of the search; or NULL */
    void *context;
};

struct unknown_result {
    bool stated;     /* `left` is 0, and nothing is excused */
    bool is_excused; /* see `excused` */
    bool stopped;    /* by the caller, so the result says nothing */
    uint32_t fresh;  /* fresh cases that were judged */
    uint32_t shown;  /* fresh cases that the deviation changes */
    uint32_t left;   /* fresh cases in which the learned profile differs from the board in a defined bit */
    /* Fresh cases in which the learned profile agrees, but leaves bits undefined in which the board deviates.
     * If the board's readings are known, one such case makes the board excused. For other boards nobody knows
     * which bits a right reading would define. They are excused if these are more than half of `shown`. */
    uint32_t excused;
    uint32_t wrong; /* learned readings of clauses in which the board follows `manual`, and which a fresh case
                       refutes */
    uint32_t false_rules;      /* learned rules that a fresh case refutes */
    uint64_t answered;         /* cases that the board ran for the search */
    double processor, seconds; /* `seconds`: processor time, plus the time in which the board answers */
    double rate; /* speed of a campaign with the learned profile, relative to one on a board that agrees */
    struct learn_result learned;
    bool refuted[LEARNED_MAX]; /* of the learned changes: a fresh case refutes it */
};

/* Learns the board and judges the result. False if the board or the machine failed. */
bool unknown_run(const struct unknown_board *b, const struct unknown_budget *o, struct unknown_result *r,
                 struct error *e);
/* Judges r->learned, which comes from elsewhere. `base` is the profile on which it builds. */
bool unknown_judge(const struct unknown_board *b, const struct profile *base, uint64_t seed, uint32_t fresh,
                   struct unknown_result *r, struct error *e);
void unknown_free(struct unknown_result *r);

#endif
