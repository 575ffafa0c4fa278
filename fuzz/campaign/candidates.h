/* SPDX-License-Identifier: MIT */
/*
 * The candidates for a board's profile: for each clause of a unit the readings not yet ruled out, and the
 * ties, which say which combinations of readings of several clauses remain.
 *
 * The model's outcome of a case depends only on the readings of the clauses that its run consults (struct
 * coverage). So a tree finds all outcomes under the remaining profiles: it runs the case, branches on the
 * readings of a consulted clause, and runs the case again in each branch. Each leaf of the tree is a partial
 * profile with one outcome; together the leaves cover all remaining profiles. The board's answer rules out
 * the leaves that predict another outcome. The other leaves are stored as a tie, because clauses that decide
 * an outcome only together cannot be judged one by one. If the board follows one reading of each clause, the
 * candidates never rule out that reading.
 */
#ifndef MISPRINT_FUZZ_CAMPAIGN_CANDIDATES_H
#define MISPRINT_FUZZ_CAMPAIGN_CANDIDATES_H

#include "oracle/compare/executor.h"

struct candidates;
/* Makes candidates with every reading of every clause. The executor must outlive them. */
struct candidates *candidates_new(struct executor *x);
void candidates_free(struct candidates *r); /* NULL is fine */

/* The readings of a clause that remain, as a bit set; never 0. */
uint8_t candidates_left(const struct candidates *r, unsigned clause);
unsigned candidates_count(const struct candidates *r, unsigned clause); /* their number */
uint8_t candidates_all(const struct candidates *r, unsigned clause);    /* the readings before any evidence */
/* Rules out all other readings of a clause whose reading is already known. Call it before any evidence. */
void candidates_fix(struct candidates *r, unsigned clause, unsigned reading);

/* How much information the board's answer to a case is expected to give, in bits. */
struct prospect {
    double score;   /* about the wanted clauses; about other clauses and ties, at a 64th of the weight */
    double bits;    /* about everything that remains */
    bool too_large; /* no result: too many profiles remain; fewer remain once other clauses are decided */
    bool one_way;   /* candidates_weigh was called with `one_way` */
    uint8_t asks[CLAUSES_MAX]; /* 1 for each clause of which the answer may rule out a reading */
};

/*
 * Weighs a case for the wanted clauses (by clause index), in at most `runs` model runs. With `one_way`, it
 * assumes that in bits that one reading leaves undefined, the board differs from the values that the other
 * readings define. So a one-way case rules out readings only if the board follows the reading that leaves
 * bits undefined.
 */
void candidates_weigh(struct candidates *r, const struct test_case *c, const bool *wanted, bool one_way,
                      unsigned runs, struct prospect *p);

enum ruling {
    RULING_TAKEN,     /* the answer is evidence: leaves that predict another outcome are ruled out */
    RULING_CONFLICT,  /* the answer is no evidence, because no remaining profile predicts it */
    RULING_TOO_LARGE, /* the answer is no evidence, because there are too many profiles to try */
};
/* Takes a board's answer as evidence. */
enum ruling candidates_take(struct candidates *r, const struct test_case *c, const struct outcome *board);

/* Does a reading of the clause remain only together with certain readings of another clause? Sets *with to
 * the other clause. */
bool candidates_tied(const struct candidates *r, unsigned clause, unsigned *with);

/* Changes `p` to a profile that all evidence allows, and prefers the readings of `p`. Returns false if it
 * found none within its limit of steps. */
bool candidates_choose(const struct candidates *r, struct profile *p);
/* Draws a random profile from the readings that remain. Ignores ties. */
void candidates_draw(const struct candidates *r, struct random *random, struct profile *p);

#endif
