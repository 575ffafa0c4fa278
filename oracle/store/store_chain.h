/* SPDX-License-Identifier: MIT */
/*
 * The campaign's chain: a digest of every row of the store, and a chain of digests over those, written in the
 * transaction that writes the rows. docs/evidence.md describes how to compute it. Only the store's own files
 * include this.
 *
 * There are two kinds of records. Those that are added and never change (kept cases, dropped cases) get a
 * link each. Those that may change (runs, findings, ...) have their newest digest in the table `standing`,
 * and at the end of each transaction that changed that table a link of kind "state" seals all of it.
 */
#ifndef MISPRINT_ORACLE_STORE_STORE_CHAIN_H
#define MISPRINT_ORACLE_STORE_STORE_CHAIN_H

#include "oracle/files/digest.h"
#include "oracle/store/store_sql.h"

enum record {
    RECORD_CASE,
    RECORD_DROPPED,
    RECORD_RUN,
    RECORD_TALLY,
    RECORD_COVERAGE,
    RECORD_PROGRESS,
    RECORD_PLACE,
    RECORD_FINDING,
    RECORD_EVIDENCE,
    RECORD_REASON,
    RECORDS
};

struct record_table {
    const char *name;    /* in the chain, and for people */
    const char *table;   /* in the database */
    bool grows;          /* its records never change */
    const char *key;     /* a record is all rows with the same value in this column */
    const char *columns; /* all others */
    const char *order;   /* of a record's rows; NULL: it has one */
};
extern const struct record_table record_tables[RECORDS];

enum { CHAIN_SQL_MAX = 768 };
/* The statement that lists all keys of a table, in order; with `unnoted`, only those without a digest. */
void chain_keys(enum record r, bool unnoted, char sql[CHAIN_SQL_MAX]);

/* Kinds of links that are not records. */
#define LINK_START  "start"  /* the first; key: what the chain began with */
#define LINK_STATE  "state"  /* seals `standing`; key: the process that wrote it */
#define LINK_MERGE  "merge"  /* key: how many links of which campaign precede; digest: its last link */
#define LINK_WITHIN "within" /* the same for a campaign that was merged into that one */

/* The value of a link, from the value of the link before. */
struct digest chain_link(const struct digest *before, int64_t seq, const char *kind, const char *key,
                         const struct digest *digest);

/* Records, within a transaction, that the rows of this key were written or removed. */
bool chain_note(struct store *s, enum record r, const char *key, struct error *e);
bool chain_note_number(struct store *s, enum record r, int64_t key, struct error *e);
/* The same for all rows without a current digest. */
bool chain_note_all(struct store *s, struct error *e);
bool chain_add(struct store *s, const char *kind, const char *key, const struct digest *digest,
               struct error *e);
/* Seals what has changed; the last thing before a commit. */
bool chain_seal(struct store *s, struct error *e);

/* The digest of a record as it is in the database now. `found`: does it have rows? */
bool chain_digest(struct store *s, enum record r, const char *key, struct digest *digest, bool *found,
                  struct error *e);
/* A column that holds a digest; all zero, which no digest is, if it holds none. */
struct digest sql_digest(sqlite3_stmt *q, int column);
/* The digest of all of `standing`. */
bool chain_state(struct store *s, struct digest *digest, struct error *e);
/* Has something else than the store changed a record? Checked before a campaign goes on, so that the next
 * seal does not cover it up. */
bool chain_check_state(struct store *s, struct error *e);

#endif
