/* SPDX-License-Identifier: MIT */
/*
 * Adjudication finds which reading of each clause a board follows. To run few cases on the board, it always
 * chooses the case whose answer it expects to rule out most readings (fuzz/campaign/candidates.h). It uses
 * the given cases first, because they are small. Then it makes cases and reduces them. For each clause, the
 * result is one reading, or the reason why several readings remain.
 *
 * Adjudication assumes that the board follows one known reading of each clause of the unit, wanted or not. It
 * reports an answer that fits no known readings, and does not use it as evidence.
 */
#ifndef MISPRINT_FUZZ_CAMPAIGN_ADJUDICATE_H
#define MISPRINT_FUZZ_CAMPAIGN_ADJUDICATE_H

#include "oracle/board/board.h"
#include "oracle/compare/executor.h"

#include <signal.h>

/* A given case: either the case itself, or its binary form (case_encode), which is much smaller. */
struct adjudicate_seed {
    const struct test_case *tc; /* NULL: `bytes` */
    const char *name;
    const uint8_t *bytes;
    size_t size;
};

struct adjudicate_options {
    struct board *board;
    /* Gives the result for clauses whose reading no answer of the board decides. */
    const struct profile *profile;
    const bool *wanted; /* for each clause: shall adjudication find its reading? */
    const bool *known;  /* for each clause: is the profile's reading known to be the board's? May be NULL */
    const struct adjudicate_seed *seed;
    unsigned seeds;
    bool only_seeds; /* the board has recorded only these cases: make none, and check the result with all */
    uint64_t random_seed;              /* seed of the generator that makes cases */
    uint64_t tries;                    /* adjudication gives up after making so many useless cases; 0: 5000 */
    uint64_t max_cases;                /* limit of cases run on the board; 0: none */
    double max_seconds;                /* 0: no limit */
    const volatile sig_atomic_t *stop; /* set by a signal handler: end soon; may be NULL */
    /* Called with each outcome of the board; may be NULL. `name`: as in struct asked. False ends the work. */
    bool (*keep)(void *context, const struct test_case *c, const struct outcome *o, const char *name,
                 struct error *e);
    void *keep_context;
};

enum certainty {
    CERTAIN, /* all other readings are ruled out, each by a case that could have refuted this reading */
    LIKELY,  /* open_why is OPEN_NOT_TRIED; or several readings remain, and this one defines the most bits of
                the board's answers */
    OPEN,    /* other readings remain; the result is the profile's reading if it is one of them */
};

/* Why a reading is not certain. */
enum open_why {
    OPEN_NOT,
    OPEN_NOT_TRIED,   /* All other readings are ruled out. But for some of them, no case was run that could
                         have refuted this reading: in the cases that ruled them out, this reading leaves the
                         outcome undefined. */
    OPEN_NO_CASE,     /* no case was found on which the readings that remain differ */
    OPEN_UNDEFINED,   /* the readings differ only in bits that one of them leaves undefined */
    OPEN_TIED,        /* the answer depends on another clause that is open, too */
    OPEN_NO_ANSWER,   /* the board had no outcome for the deciding cases */
    OPEN_UNEXPLAINED, /* the board's outcomes of the deciding cases fit no reading */
    /* Adjudication gave up because too many answers fitted no reading: the board is another machine, or does
     * not work yet. */
    OPEN_FOREIGN,
    /* The board's answers lack the bits in which the readings differ. A trace, say, did not record them. */
    OPEN_SILENT,
    OPEN_CUT, /* a limit or an interruption ended the work before the clause was decided */
    OPEN_WHYS
};

struct judgement {
    enum certainty certainty;
    enum open_why why;
    unsigned with; /* OPEN_TIED: the other clause */
    uint8_t left;  /* the readings that remain, as a bit set */
    uint8_t
        untried; /* the readings against which the chosen one was not tried (case_is_trial), as a bit set */
    /* Cases that were a trial of the chosen reading against at least one other: of the evidence, or with
     * `only_seeds` of all given cases. */
    uint32_t passed;
    /* Cases that could have ruled out a reading (`asked`). Of these: cases without an outcome of the board,
     * and cases whose outcome fits no reading. */
    uint32_t asked, unanswered, unexplained;
};

/* One case that was run on the board. */
struct asked {
    char *name;             /* a seed's name, or "made 1" */
    struct test_case *made; /* NULL for seeds */
    enum answer answer;
    bool conflict, flaky; /* the outcome fits no remaining profile; the board did not repeat the outcome */
    uint32_t settled;     /* wanted clauses for which this case left one reading */
    char reason[BOARD_REASON_MAX];
};

struct adjudication {
    struct profile profile; /* the profile that the board follows; for open clauses see `clause` */
    struct judgement clause[CLAUSES_MAX];
    struct asked *asked; /* in the order in which they were run */
    unsigned cases, room;
    uint64_t runs; /* runs of the board: one for each case, a second one for each case in conflict */
    uint64_t made; /* cases that adjudication made */
    double bits;   /* information to find, in bits: the sum of log2(readings) of the wanted clauses */
    bool verified; /* the model under `profile` reproduces the board in every case taken as evidence */
    /* With `only_seeds`: given cases that consult a wanted clause and have an outcome; and those of them that
     * differ under `profile`. */
    uint64_t touching, differing;
    bool cut;
};

/* Returns false if the board failed. The result holds what was found before the failure. */
bool adjudicate(const struct adjudicate_options *o, struct adjudication *a, struct error *e);
void adjudication_free(struct adjudication *a);

#endif
