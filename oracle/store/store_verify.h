/* SPDX-License-Identifier: MIT */
/*
 * Checks that a campaign is what misprint wrote. Recomputes the chain and every digest from the rows
 * (store_chain.h), and reports each row that something else changed, removed, added or moved.
 * fuzz/campaign/rederive.h checks whether the findings are true.
 */
#ifndef MISPRINT_ORACLE_STORE_STORE_VERIFY_H
#define MISPRINT_ORACLE_STORE_STORE_VERIFY_H

#include "oracle/files/digest.h"
#include "oracle/store/store.h"

/* Called for each fault with the row's name and what happened to it. */
typedef void chain_fault(void *context, const char *row, const char *what);

struct chain_facts {
    uint64_t links, records;
    char head[DIGEST_HEX]; /* value of the last link; "": there is no link */
    char began[96];        /* key of the first link, which says what version of misprint began the chain */
    unsigned merged;       /* how many campaigns were merged into this one */
    uint64_t faults;
};

/* Verifies a snapshot, also while other processes write. False with an error if the database cannot be
 * read. */
bool store_verify(struct store *s, chain_fault *report, void *context, struct chain_facts *f,
                  struct error *e);

/* Was the campaign changed by something other than misprint? Checks all but the kept and dropped cases, which
 * store_verify checks, too, but which take long in a large campaign. `what` says what was changed. False with
 * an error if the database cannot be read. */
bool store_check(struct store *s, bool *changed, struct error *what, struct error *e);

/* Is the database of a campaign that cannot be opened damaged or lost? */
bool store_is_damaged(const char *directory);

/* Reads the number and the value of the last link. */
bool store_head(struct store *s, uint64_t *links, char head[DIGEST_HEX], struct error *e);
/* Returns the number of the link with this value (64 hex digits); 0: there is none; -1 with an error. */
int64_t store_find_link(struct store *s, const char *hex, struct error *e);

#endif
