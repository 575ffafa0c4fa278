/* SPDX-License-Identifier: MIT */
/*
 * Adjudication finds which reading of each clause a board follows. It runs as few cases on the board as it
 * can. It chooses the case whose answer is expected to rule out most (fuzz/campaign/candidates.h). It uses
 * given cases first, because they are small. Then it makes cases and reduces them. It ends with one reading
 * for each clause, or with the reason why this board shows no more.
 *
 * It assumes that the board follows one known reading of each clause of the unit, wanted or not. An answer
 * that fits none is reported and not used as evidence.
 */
#ifndef MISPRINT_FUZZ_CAMPAIGN_ADJUDICATE_H
#define MISPRINT_FUZZ_CAMPAIGN_ADJUDICATE_H

#include "oracle/board/board.h"
#include "oracle/compare/executor.h"

#include <signal.h>

/* A given case. */
struct adjudicate_seed {
    const struct test_case *tc;
    const char *name;
};

struct adjudicate_options {
    struct board *board;
    /* Its readings are the result for clauses about which the board shows nothing. */
    const struct profile *profile;
    const bool *wanted; /* for each clause: shall adjudication find its reading? */
    const bool *known;  /* for each clause: is the profile's reading known from elsewhere? May be NULL */
    const struct adjudicate_seed *seed;
    unsigned seeds;
    bool only_seeds;                   /* make no cases, because the board has recorded only these */
    uint64_t random_seed;              /* decides the cases that are made */
    uint64_t tries;                    /* cases made in vain before it gives up; 0: 5000 */
    uint64_t max_cases;                /* limit of cases run on the board; 0: none */
    double max_seconds;                /* 0: no limit */
    const volatile sig_atomic_t *stop; /* set by a signal handler: end soon; may be NULL */
};

enum certainty {
    CERTAIN, /* all other readings are ruled out, each by a case that could have refuted this one instead */
    LIKELY,  /* OPEN_NOT_TRIED; or: the board did what this reading defines, and all other readings that
                remain leave those bits undefined */
    OPEN,    /* other readings remain; the profile's reading is kept if it is among them */
};

/* Why a reading is not certain. */
enum open_why {
    OPEN_NOT,
    OPEN_NOT_TRIED, /* All other readings are ruled out. But for some of them no case was run that could have
                       refuted this reading instead: this reading leaves the outcome undefined there. */
    OPEN_NO_CASE,   /* no case was found on which they differ */
    OPEN_UNDEFINED, /* they differ only where one of them leaves undefined what the others define */
    OPEN_TIED,      /* the answer depends on another clause that is open, too */
    OPEN_NO_ANSWER, /* the board had no outcome for the deciding cases */
    OPEN_UNEXPLAINED, /* the board's outcomes of the deciding cases fit no reading */
    /* So many answers fitted no reading that adjudication gave up: the board is another machine, or does not
     * work yet. */
    OPEN_FOREIGN,
    /* The board's answers leave out the bits in which the readings differ: a trace did not record them. */
    OPEN_SILENT,
    OPEN_CUT, /* a limit or an interruption ended the work before this was decided */
    OPEN_WHYS
};

struct judgement {
    enum certainty certainty;
    enum open_why why;
    unsigned with; /* OPEN_TIED: the other clause */
    uint8_t left;  /* the readings that remain, as a bit set */
    uint8_t
        untried; /* the readings against which the chosen one was not tried (case_is_trial), as a bit set */
    uint32_t passed; /* cases that were a trial of the chosen reading against at least one other */
    /* Cases that could have ruled out a reading. Of these: cases without an outcome of the board, and cases
     * whose outcome fits no reading. */
    uint32_t asked, unanswered, unexplained;
};

/* One case that was run on the board. */
struct asked {
    char *name;             /* a seed's name, or "made 1" */
    struct test_case *made; /* NULL for seeds */
    enum answer answer;
    bool conflict, flaky; /* the outcome fits no remaining reading; the board did not repeat it */
    uint32_t settled;     /* wanted clauses for which this case left one reading */
    char reason[BOARD_REASON_MAX];
};

struct adjudication {
    struct profile profile; /* what the board follows; for open clauses see `clause` */
    struct judgement clause[CLAUSES_MAX];
    struct asked *asked; /* in the order in which they were run */
    unsigned cases, room;
    uint64_t runs; /* of the board: cases, and those repeated because they fitted nothing */
    uint64_t made; /* cases made and weighed */
    double bits;   /* bits of information asked for: the sum of log2(readings) of the wanted clauses */
    bool verified; /* the model under `profile` reproduces the board in every case taken as evidence */
    bool cut;
};

/* Returns false if the board failed. The result holds what was found before that. */
bool adjudicate(const struct adjudicate_options *o, struct adjudication *a, struct error *e);
void adjudication_free(struct adjudication *a);

#endif
