/* SPDX-License-Identifier: MIT */
/*
 * The campaign's chain: a digest of every row of the store, and a hash chain over those digests. It is
 * written in the same transaction as the rows. docs/evidence.md describes how to compute it. Only the store's
 * own files include this header.
 *
 * There are two kinds of records. Records that never change once written (kept cases, dropped cases) get one
 * link each. Records that may change (runs, findings, ...) have their newest digest in the table `standing`.
 * Each transaction that changes that table ends with a link of kind "state", the seal, which holds the digest
 * of the whole table.
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
    RECORD_TRIALS,
    RECORD_LEARNED,
    RECORD_RELATED,
    RECORDS
};

struct record_table {
    const char *name;    /* in the chain and in messages */
    const char *table;   /* in the database */
    bool grows;          /* append-only: its records never change */
    const char *key;     /* all rows with the same value in this column are one record */
    const char *columns; /* all other columns */
    const char *order;   /* sort order of a record's rows; NULL: a record is one row */
};
extern const struct record_table record_tables[RECORDS];

enum { CHAIN_SQL_MAX = 768 };
/* Writes the SQL that lists all keys of a table, in order. `unnoted`: only keys without a digest. */
void chain_keys(enum record r, bool unnoted, char sql[CHAIN_SQL_MAX]);

/* Kinds of links that are not records. */
#define LINK_START  "start"  /* the first link; key: the version of misprint that began the chain */
#define LINK_STATE  "state"  /* the seal of `standing`; key: the process that wrote it */
#define LINK_MERGE  "merge"  /* key: number of links and name of a merged campaign; digest: its last link */
#define LINK_WITHIN "within" /* copy of such a link of the merged campaign, for a campaign merged into it */

/* Computes the value of a link from that of the link before it. */
struct digest chain_link(const struct digest *before, int64_t seq, const char *kind, const char *key,
                         const struct digest *digest);

/* Updates the digest of the record with this key, whose rows were written or removed. Call it within the
 * transaction. */
bool chain_note(struct store *s, enum record r, const char *key, struct error *e);
bool chain_note_number(struct store *s, enum record r, int64_t key, struct error *e);
/* Calls chain_note for every append-only record without a digest, and for every record that may change. */
bool chain_note_all(struct store *s, struct error *e);
bool chain_add(struct store *s, const char *kind, const char *key, const struct digest *digest,
               struct error *e);
/* Writes the seal if anything changed; called just before a commit. */
bool chain_seal(struct store *s, struct error *e);

/* Computes the digest of a record from its current rows. `found`: there are rows. */
bool chain_digest(struct store *s, enum record r, const char *key, struct digest *digest, bool *found,
                  struct error *e);
/* Reads a column that holds a digest. Returns all zeros, which no digest is, if the column holds none. */
struct digest sql_digest(sqlite3_stmt *q, int column);
/* Computes the digest of the table `standing`. */
bool chain_state(struct store *s, struct digest *digest, struct error *e);
/* Fails if something other than misprint changed a record. Called before a campaign continues, because the
 * next seal would hide the change. */
bool chain_check_state(struct store *s, struct error *e);

#endif
