/* SPDX-License-Identifier: MIT */
/* Shared by findings.c and findings_reconcile.c. No other file includes it. */
#ifndef MISPRINT_ORACLE_ATTRIBUTION_FINDINGS_ENTRY_H
#define MISPRINT_ORACLE_ATTRIBUTION_FINDINGS_ENTRY_H

#include "oracle/attribution/findings.h"

enum { PARTS_MAX = 16 }; /* most causes that one cause can be a union of */

struct entry {
    struct finding *f; /* allocated separately, so that its address does not change */
    bool flaky;
    bool merged;        /* merged into others; removed at the end of the reconciliation */
    bool alone;         /* its case establishes the cause without other evidence */
    uint64_t predicted; /* cases that count here because the cause predicted them */
    uint64_t earlier;   /* if an earlier run made the finding: how many cases the earlier runs compared */
};

struct findings {
    const struct unit *unit;
    struct profile base, known, known_masked;
    struct profile attributed; /* the profile that the last reconciliation found */
    char profile[PROFILE_SPEC_MAX];
    struct board_identity board;
    struct entry *entry;
    unsigned count, capacity, most;
};

void entry_free(struct entry *p);

/* How a difference is explained. Cases that are explained in different ways never share a finding. */
enum explained {
    EXPLAINED, /* by a set of changes that reproduces the board */
    MASKED,    /* by a set of changes that leaves the difference undefined */
    UNEXPLAINED,
    FLAKY,   /* the board disagrees with itself */
    LEARNED, /* by rules that were learned */
};
enum explained explained_how(const struct explanation *e, bool flaky);
enum explained entry_explained(const struct entry *p);

bool same_candidates(const struct explanation *a, const struct explanation *b);
/* The first candidate that reproduces the bits; if there is none, the first candidate. */
const struct cause *first_exact(const struct explanation *x);

bool entry_established(const struct entry *p); /* it has exactly one candidate */

/* How firmly the cause is known. RANK_NONE: no cause (unexplained, flaky), or merged into another finding. */
enum rank { RANK_ESTABLISHED, RANK_CANDIDATES, RANK_MASKED, RANK_NONE };
enum rank entry_rank(const struct entry *p);

/* The entry that establishes this cause; NULL if there is none. */
struct entry *entry_of_cause(struct findings *fs, const struct cause *c);
/* Finds smaller established causes whose union is `c`. Returns their number; 0 if there are none. */
unsigned parts_of(struct findings *fs, const struct cause *c, struct entry *parts[PARTS_MAX]);

void findings_update_known(struct findings *fs); /* call it after the findings changed */

#endif
