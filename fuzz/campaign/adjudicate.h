/* SPDX-License-Identifier: MIT */
/*
 * Adjudication: which reading of each clause does a board follow? Asks the
 * board as few cases as it can, each chosen for what its answer would rule out
 * (fuzz/campaign/candidates.h): cases that are at hand first, for they are small, then made
 * and reduced ones. Ends with one reading a clause, or with why no more can be
 * told through this board.
 *
 * It supposes that the board follows one of the readings of each clause of the
 * unit, the wanted ones and all others. Where an answer fits none, it says so
 * and does not build on it.
 */
#ifndef MISPRINT_FUZZ_CAMPAIGN_ADJUDICATE_H
#define MISPRINT_FUZZ_CAMPAIGN_ADJUDICATE_H

#include "oracle/board/board.h"
#include "oracle/compare/executor.h"

#include <signal.h>

/* A case at hand. */
struct adjudicate_seed {
    const struct test_case *tc;
    const char *name;
};

struct adjudicate_options {
    struct board *board;
    const struct profile *profile; /* what the result keeps to where the board does not tell */
    const bool *wanted;            /* of each clause: is it asked for? */
    const bool *known; /* of each clause: is profile's reading certain from elsewhere? May be NULL */
    const struct adjudicate_seed *seed;
    unsigned seeds;
    bool only_seeds;                   /* make no cases: the board is a record of these */
    uint64_t random_seed;              /* of the cases that are made */
    uint64_t tries;                    /* cases made in vain before it gives up; 0: 5000 */
    uint64_t max_cases;                /* to run on the board; 0: no limit */
    double max_seconds;                /* 0: no limit */
    const volatile sig_atomic_t *stop; /* set by a signal handler: end soon; may be NULL */
};

enum certainty {
    CERTAIN, /* all other readings are ruled out */
    LIKELY,  /* the board did what this reading says, where each other one that remains leaves it undefined */
    OPEN,    /* others remain; the profile's reading was kept if it is among them */
};

/* Why more than one reading remains. */
enum open_why {
    OPEN_NOT,
    OPEN_NO_CASE,     /* no case was found on which they differ */
    OPEN_UNDEFINED,   /* they differ only where one of them leaves undefined what the others define */
    OPEN_TIED,        /* which one holds depends on another clause that is open too */
    OPEN_NO_ANSWER,   /* the board had no outcome for the cases that would tell */
    OPEN_UNEXPLAINED, /* what the board did on the cases that would tell fits no reading */
    OPEN_FOREIGN, /* so many answers fitted no reading that it gave up: the board is another machine, or does
                     not work yet */
    OPEN_SILENT, /* the board's answers do not show where they differ: what a trace did not record, for one */
    OPEN_CUT,    /* a limit or an interruption ended the work before */
    OPEN_WHYS
};

struct judgement {
    enum certainty certainty;
    enum open_why why;
    unsigned with;                           /* OPEN_TIED: the other clause */
    uint8_t left;                            /* the readings that remain, as a bit set */
    uint32_t asked, unanswered, unexplained; /* cases run that would have ruled a reading out; of these,
                                                without outcome; that fitted nothing */
};

/* One case that was run on the board. */
struct asked {
    char *name;             /* a seed's name, or "made 1" */
    struct test_case *made; /* NULL for seeds */
    enum answer answer;
    bool conflict, flaky; /* the outcome fits no reading that remained; the board did not repeat it */
    uint32_t settled;     /* wanted clauses with one reading left because of it */
    char reason[BOARD_REASON_MAX];
};

struct adjudication {
    struct profile profile; /* what the board follows, as far as it could be told */
    struct judgement clause[CLAUSES_MAX];
    struct asked *asked; /* in the order in which they were run */
    unsigned cases, room;
    uint64_t runs; /* of the board: cases, and those repeated because they fitted nothing */
    uint64_t made; /* cases made and weighed */
    double bits;   /* information-theoretic need: sum of log2(readings) of the wanted clauses */
    bool verified; /* the model under `profile` does what the board did in every case taken as evidence */
    bool cut;
};

/* False if the board failed; the result holds what was found before. */
bool adjudicate(const struct adjudicate_options *o, struct adjudication *a, struct error *e);
void adjudication_free(struct adjudication *a);

#endif
