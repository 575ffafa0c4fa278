/* SPDX-License-Identifier: MIT */
/*
 * Is a campaign what misprint wrote? Computes the chain and every digest anew from the rows (store_chain.h),
 * and reports each row that something else changed, removed, added or moved. Whether what was written is true
 * is the question of fuzz/campaign/rederive.h.
 */
#ifndef MISPRINT_ORACLE_STORE_STORE_VERIFY_H
#define MISPRINT_ORACLE_STORE_STORE_VERIFY_H

#include "oracle/files/digest.h"
#include "oracle/store/store.h"

/* Called for each fault: which row, and what happened to it. */
typedef void chain_fault(void *context, const char *row, const char *what);

struct chain_facts {
    uint64_t links, records;
    char head[DIGEST_HEX]; /* the last link's value; "" if there is no link */
    char began[96];        /* what the first link says */
    unsigned merged;       /* campaigns that went into it */
    uint64_t faults;
};

/* Verifies the state of one moment, also while others write. False with an error if the database cannot be
 * read. */
bool store_verify(struct store *s, chain_fault *report, void *context, struct chain_facts *f,
                  struct error *e);

/* Of a campaign that cannot be opened: is its database damaged or lost? */
bool store_is_damaged(const char *directory);

/* The number and the value of the last link. */
bool store_head(struct store *s, uint64_t *links, char head[DIGEST_HEX], struct error *e);
/* The number of the link with this value (64 hex digits); 0: there is none; -1 with an error. */
int64_t store_find_link(struct store *s, const char *hex, struct error *e);

#endif
