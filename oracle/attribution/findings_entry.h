/* SPDX-License-Identifier: MIT */
/* What findings.c and findings_reconcile.c share; nobody else includes this. */
#ifndef MISPRINT_ORACLE_ATTRIBUTION_FINDINGS_ENTRY_H
#define MISPRINT_ORACLE_ATTRIBUTION_FINDINGS_ENTRY_H

#include "oracle/attribution/findings.h"

enum { PARTS_MAX = 16 }; /* smaller causes that make up one cause */

struct entry {
    struct finding *f; /* allocated by itself, so that its address stays */
    bool flaky;
    bool merged;        /* into others; it goes at the end of the reconciliation */
    bool alone;         /* its case establishes its cause without other evidence */
    uint64_t predicted; /* cases filed here because the cause reproduces them */
    uint64_t earlier;   /* cases that earlier runs compared, if the finding is theirs */
};

struct findings {
    const struct unit *unit;
    struct profile base, known, known_masked;
    struct profile attributed; /* by the last reconciliation */
    char profile[PROFILE_SPEC_MAX];
    struct board_identity board;
    struct entry *entry;
    unsigned count, capacity, most;
};

void entry_free(struct entry *p);

/* How a difference is explained. Differences explained in different ways never share a finding. */
enum explained {
    EXPLAINED, /* by a set of changes that reproduces the board */
    MASKED,    /* by one that leaves the difference undefined */
    UNEXPLAINED,
    FLAKY, /* the board disagrees with itself */
};
enum explained explained_how(const struct explanation *e, bool flaky);

bool same_candidates(const struct explanation *a, const struct explanation *b);
/* The first candidate that reproduces the bits; if none does, the first. */
const struct cause *first_exact(const struct explanation *x);

bool entry_established(const struct entry *p); /* it has one cause, and no other candidate */

/* How sure a finding is. RANK_NONE says nothing about what the board does. */
enum rank { RANK_ESTABLISHED, RANK_CANDIDATES, RANK_MASKED, RANK_NONE };
enum rank entry_rank(const struct entry *p);

/* The entry that establishes this cause, or NULL. */
struct entry *entry_of_cause(struct findings *fs, const struct cause *c);
/* The established causes, smaller than `c` and within it, that together make up all of `c`. Returns how many,
 * 0 if they do not. */
unsigned parts_of(struct findings *fs, const struct cause *c, struct entry *parts[PARTS_MAX]);

void findings_update_known(struct findings *fs); /* after the findings changed */

#endif
