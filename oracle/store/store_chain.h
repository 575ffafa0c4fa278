/* SPDX-License-Identifier: MIT */
/*
 * The campaign's chain: a digest of every row of the store, and a chain of
 * digests over those, written in the transaction that writes the rows.
 * docs/evidence.md describes it for who wants to compute it anew. Only the
 * store's own files include this.
 *
 * Records of two kinds. What grows and never changes (kept cases, dropped
 * cases): each gets a link of its own. What stands and may change (runs,
 * findings, ...): its newest digest stands in the table `standing`, and a link of
 * kind "state" seals all of that table at the end of each transaction that
 * changed it.
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
    const char *name;  /* in the chain, and for people */
    const char *table; /* in the database */
    bool grows;
    const char *key;     /* a record is all rows that have the same in this column */
    const char *columns; /* all others */
    const char *order;   /* of a record's rows; NULL: it has one */
};
extern const struct record_table record_tables[RECORDS];

enum { CHAIN_SQL_MAX = 768 };
/* The statement that gives all keys of a table, in order; `unnoted`: those for which there is no digest. */
void chain_keys(enum record r, bool unnoted, char sql[CHAIN_SQL_MAX]);

/* Links that are no record's. */
#define LINK_START  "start"  /* the first; key: what the chain began with */
#define LINK_STATE  "state"  /* seals `standing`; key: the process that wrote it */
#define LINK_MERGE  "merge"  /* key: how many links of what campaign went before; digest: its last link */
#define LINK_WITHIN "within" /* the same of a campaign that had been merged into that one before */

/* A link's own value, from the one before it. */
struct digest chain_link(const struct digest *before, int64_t seq, const char *kind, const char *key,
                         const struct digest *digest);

/* Notes, within a transaction, that the rows of this key were written or removed. */
bool chain_note(struct store *s, enum record r, const char *key, struct error *e);
bool chain_note_number(struct store *s, enum record r, int64_t key, struct error *e);
/* The same for all rows that have not been noted as they are now. */
bool chain_note_all(struct store *s, struct error *e);
bool chain_add(struct store *s, const char *kind, const char *key, const struct digest *digest,
               struct error *e);
/* The last thing before a commit: seals what has changed. */
bool chain_seal(struct store *s, struct error *e);

/* The digest of a record as it is in the database now; false with an error. `found`: whether it has rows. */
bool chain_digest(struct store *s, enum record r, const char *key, struct digest *digest, bool *found,
                  struct error *e);
/* A column that holds a digest; all zero if it holds none (which then differs from any). */
struct digest sql_digest(sqlite3_stmt *q, int column);
/* Of all of `standing`. */
bool chain_state(struct store *s, struct digest *digest, struct error *e);
/* Was nothing that may change been changed but by the store? Asked before a campaign goes on, so that nothing
 * is covered up. */
bool chain_check_standing(struct store *s, struct error *e);

#endif
