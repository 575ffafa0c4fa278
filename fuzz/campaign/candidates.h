/* SPDX-License-Identifier: MIT */
/*
 * What a board may still be: for each clause of a unit the readings not yet
 * ruled out, and the evidence that ties clauses together.
 *
 * A case divides the profiles that remain by what the model does under them.
 * Since an outcome depends on the clauses consulted and on no other (struct
 * coverage), the division is a tree: run, branch on a consulted clause, run
 * again; its leaves are partial profiles, each with one outcome, and together
 * they are all that remains. The board's answer strikes leaves out. What the
 * rest say jointly is kept, so that clauses which only decide together are
 * never judged one by one. Nothing is ruled out that could be true, as long as
 * the board follows one reading of each clause.
 */
#ifndef MISPRINT_FUZZ_CAMPAIGN_CANDIDATES_H
#define MISPRINT_FUZZ_CAMPAIGN_CANDIDATES_H

#include "oracle/compare/executor.h"

struct candidates;
/* Every reading of every clause. The executor must outlive it. */
struct candidates *candidates_new(struct executor *x);
void candidates_free(struct candidates *r); /* NULL is fine */

/* The readings of a clause that remain, as a bit set; never 0. */
uint8_t candidates_left(const struct candidates *r, unsigned clause);
unsigned candidates_count(const struct candidates *r, unsigned clause); /* how many */
/* Rules out all but one reading from the start, as known from elsewhere; before any evidence. */
void candidates_fix(struct candidates *r, unsigned clause, unsigned reading);

/* What a case would tell. */
struct prospect {
    double score; /* 0: nothing. Expected bits by which readings of the wanted clauses are ruled out, and a
                     little for all else */
    double bits;  /* expected bits about everything that remains */
    bool tangled; /* too many profiles to try now: fewer once other clauses are decided */
    bool one_way; /* tells only if the board follows a reading under which the documents leave undefined what
                     the others define */
    uint8_t asks[CLAUSES_MAX]; /* of each clause: 1 if the case may rule out a reading */
};

/*
 * Weighs a case for the wanted clauses (by clause index). With `one_way`, what a reading leaves undefined is
 * expected to differ from what the others define. At most `runs` model runs.
 */
void candidates_weigh(struct candidates *r, const struct test_case *c, const bool *wanted, bool one_way,
                      unsigned runs, struct prospect *p);

enum ruling {
    RULING_TAKEN,    /* what does not fit is ruled out */
    RULING_CONFLICT, /* nothing that remains does what the board did: not taken as evidence */
    RULING_TANGLED,  /* too many profiles to try: not taken */
};
/* Takes a board's answer as evidence. */
enum ruling candidates_take(struct candidates *r, const struct test_case *c, const struct outcome *board);

/* Is the clause tied to others: some readings remain only together with readings of others? `with`: one of
 * these. */
bool candidates_tied(const struct candidates *r, unsigned clause, unsigned *with);

/* A profile that all evidence allows, near to `p`, into `p`. False if the search was given up. */
bool candidates_choose(const struct candidates *r, struct profile *p);
/* Any profile of what remains, by lot, not looking at ties: for trying cases. */
void candidates_draw(const struct candidates *r, struct random *random, struct profile *p);

#endif
