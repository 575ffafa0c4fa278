/* SPDX-License-Identifier: MIT */
/*
 * The candidates for a board's profile: for each clause of a unit the readings not yet ruled out, and the
 * ties between clauses.
 *
 * A case divides the remaining profiles by the outcome that the model has under them. An outcome depends only
 * on the clauses consulted (struct coverage), so the division is a tree: run, branch on a consulted clause,
 * run again. Each leaf is a partial profile with one outcome; together the leaves cover all remaining
 * profiles. The board's answer rules out the leaves that predict another outcome. The leaves that remain are
 * stored as a tie, so that clauses that decide an outcome only together are not judged one by one. If the
 * board follows one reading of each clause, the candidates never rule out that reading.
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
uint8_t candidates_all(const struct candidates *r, unsigned clause);    /* those at the beginning */
/* Rules out all other readings of a clause, because this one is known from elsewhere; before any evidence. */
void candidates_fix(struct candidates *r, unsigned clause, unsigned reading);

/* What a case is expected to tell. */
struct prospect {
    double score; /* expected bits about readings of the wanted clauses, and a little for all else; 0: none */
    double bits;  /* expected bits about everything that remains */
    bool too_large; /* there are too many profiles to try now; deciding other clauses makes them fewer */
    bool one_way;   /* tells something only if the board follows a reading under which the outcome is
                       undefined and the others define it */
    uint8_t asks[CLAUSES_MAX]; /* 1 for each clause of which the case may rule out a reading */
};

/*
 * Weighs a case for the wanted clauses (by clause index), in at most `runs` model runs. With `one_way`, what
 * a reading leaves undefined is expected to differ from what the others define.
 */
void candidates_weigh(struct candidates *r, const struct test_case *c, const bool *wanted, bool one_way,
                      unsigned runs, struct prospect *p);

enum ruling {
    RULING_TAKEN,     /* the leaves that predict another outcome are ruled out */
    RULING_CONFLICT,  /* no remaining profile predicts the board's outcome: not taken as evidence */
    RULING_TOO_LARGE, /* too many profiles to try: not taken */
};
/* Takes a board's answer as evidence. */
enum ruling candidates_take(struct candidates *r, const struct test_case *c, const struct outcome *board);

/* Do some readings of the clause remain only together with readings of another one, `with`? */
bool candidates_tied(const struct candidates *r, unsigned clause, unsigned *with);

/* Changes `p` to a near profile that all evidence allows. False if the search was given up. */
bool candidates_choose(const struct candidates *r, struct profile *p);
/* Draws a profile from the readings that remain, without regard to ties. */
void candidates_draw(const struct candidates *r, struct random *random, struct profile *p);

#endif
