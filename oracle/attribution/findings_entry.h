/* SPDX-License-Identifier: MIT */
/* The pages of a book, one a finding: for the filing (findings.c) and the settling (findings_reconcile.c)
 * alone. */
#ifndef MISPRINT_ORACLE_ATTRIBUTION_FINDINGS_ENTRY_H
#define MISPRINT_ORACLE_ATTRIBUTION_FINDINGS_ENTRY_H

#include "oracle/attribution/findings.h"

enum { PARTS_MAX = 16 }; /* smaller causes that one is made up of */

struct entry {
    struct finding *f; /* apart, so that its address stays */
    bool flaky;
    bool gone;          /* went up in others */
    uint64_t predicted; /* cases that were filed here because the cause reproduces them */
    bool alone;         /* its case establishes its cause by itself, without the other evidence */
    uint64_t earlier;   /* cases that earlier runs compared, if the finding is theirs */
};

struct findings {
    const struct unit *unit;
    struct profile base, known, masking;
    struct profile
        attributed; /* the base with what all the evidence came to when the book was settled last */
    char profile[PROFILE_SPEC_MAX];
    struct board_identity board;
    struct entry *entry;
    unsigned count, capacity, most;
};

void entry_free(struct entry *p);

/* How a difference is explained; what is explained in different ways is never mixed. */
enum explained {
    EXPLAINED, /* by a set of changes that reproduces the board */
    MASKED,    /* by one that leaves the difference undefined */
    UNEXPLAINED,
    FLAKY, /* the board disagrees with itself */
};
enum explained explained_by(const struct explanation *e, bool flaky);

bool explanation_establishes(const struct explanation *x); /* one cause, and no other */
bool same_candidates(const struct explanation *a, const struct explanation *b);
const struct cause *
first_exact(const struct explanation *x); /* the best known rival that reproduces the bits, if one does */

bool entry_established(const struct entry *p);

/* By what is sure of it: one cause, several rivals, only excused; the rest says nothing of what the board
 * does. */
enum rank { RANK_ESTABLISHED, RANK_CANDIDATES, RANK_MASKED, RANK_NONE };
enum rank entry_rank(const struct entry *p);

struct entry *entry_of_cause(struct findings *b,
                             const struct cause *c); /* of this established cause, or NULL */

/*
 * The established causes, smaller than `c` and within it, that together make up
 * the whole of `c`. Returns how many, 0 if they don't.
 */
unsigned parts_of(struct findings *b, const struct cause *c, struct entry *parts[], unsigned most);

void findings_update_known(struct findings *b); /* after the findings changed: what is known of the board */

#endif
