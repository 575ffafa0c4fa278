/* SPDX-License-Identifier: MIT */
/*
 * Measures how well `learn` describes a board's deviation that no ledger describes. In most boards the
 * deviation consists of readings of the ledger, which are hidden: the search may not use them. Afterwards the
 * learned profile is compared with the board on fresh cases. docs/unknown.md explains the figures.
 */
#ifndef MISPRINT_FUZZ_MEASURE_UNKNOWN_H
#define MISPRINT_FUZZ_MEASURE_UNKNOWN_H

#include "fuzz/learn/learn.h"
#include "oracle/attribution/explain.h"

enum { UNKNOWN_KIND_MAX = 32, UNKNOWN_SPEC_MAX = 1024 };

struct unknown_board {
    const struct unit *unit;
    char kind[UNKNOWN_KIND_MAX]; /* "reading", "pair", "four", or the kind in a list of boards */
    char name[UNKNOWN_SPEC_MAX]; /* the hidden readings, or the name in a list of boards */
    char spec[UNKNOWN_SPEC_MAX]; /* as in `--board` */
    /* A board that gives the same values, and says which bits it defines ("virtual:manual~masks"); or "". */
    char masks[UNKNOWN_SPEC_MAX];
    struct cause hidden; /* the hidden readings that the board follows; empty: unknown */
};

/*
 * Returns the boards of a unit that follow one reading on top of profile `manual`, for each reading that
 * alone changes a defined bit in a generated case. Adds boards that follow two of these readings (`pairs`
 * boards) or four (`fours` boards), which `seed` chooses. Free with free(). `left_out` counts the readings
 * that change no defined bit.
 */
struct unknown_board *unknown_boards_of(const struct unit *u, uint64_t seed, unsigned pairs, unsigned fours,
                                        unsigned *count, unsigned *left_out);

struct unknown_budget {
    double seconds; /* processor time of the search, plus the board's time: answered cases / rate */
    double rate;    /* cases that the board is taken to answer in a second */
    uint64_t seed;
    uint32_t fresh;                               /* cases in a row that must agree to end the search */
    uint32_t judged;                              /* number of fresh cases to judge by */
    bool (*stopped)(void *context);               /* or NULL */
    void (*say)(void *context, const char *line); /* progress of the search; or NULL */
    void *context;
};

struct unknown_result {
    bool stated;     /* the learned profile states the deviation: `left` is 0, and is_excused is false */
    bool is_excused; /* see `excused` */
    bool stopped;    /* the caller stopped the search, so nothing was judged */
    uint32_t fresh;  /* fresh cases that were judged */
    uint32_t shown;  /* fresh cases that the deviation changes */
    uint32_t left;   /* fresh cases in which the learned profile differs from the board in a defined bit */
    /* Fresh cases in which the learned profile agrees only because it leaves bits undefined in which the
     * board deviates, and a run for values only does not have the board's bits. One such case makes the
     * result excused if the board has hidden readings or `masks`. For other boards nobody knows which bits a
     * right reading would define, so the result is excused only if such cases are more than half of `shown`.
     */
    uint32_t excused;
    /* The same, whether the board defines these bits or not. */
    uint32_t unstated;
    /* Fresh cases in which the board, if it has no hidden readings, gives other values after other cases. No
     * profile states such a board. */
    uint32_t unsteady;
    uint32_t wrong;            /* learned readings that a fresh case refutes */
    uint32_t false_rules;      /* learned rules that a fresh case refutes */
    uint64_t answered;         /* cases that the board ran for the search */
    double processor, seconds; /* processor time of the search; the same plus the board's time */
    double rate; /* speed of a campaign with the learned profile, relative to one on a board that agrees */
    struct learn_result learned;
    bool refuted[LEARNED_MAX]; /* for each learned change: does a fresh case refute it? */
};

/* Learns the board and judges the result. False if the board or the machine failed. */
bool unknown_run(const struct unknown_board *b, const struct unknown_budget *o, struct unknown_result *r,
                 struct error *e);
/* Judges r->learned, a result of a search that the caller ran. `base` is the base profile of that search. */
bool unknown_judge(const struct unknown_board *b, const struct profile *base, uint64_t seed, uint32_t fresh,
                   struct unknown_result *r, struct error *e);
void unknown_free(struct unknown_result *r);

#endif
