/* SPDX-License-Identifier: MIT */
#include "oracle/store/store_chain.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Lists the columns that the digests cover: all columns of all tables except the chain itself. */
const struct record_table record_tables[RECORDS] = {
    [RECORD_CASE] = {"case", "cases", true, "id", "run, unit, hash, pairs, label, kept_case, outcome", NULL},
    [RECORD_DROPPED] = {"dropped", "dropped", true, "id", "unit, label, reason, dropped_case", NULL},
    [RECORD_RUN] = {"run", "runs", false, "id",
                    "command, unit, profile, " BOARD_COLUMNS ", seed, seconds, machine, interrupted, engine",
                    NULL},
    [RECORD_TALLY] = {"tally", "tally", false, "run", "name, value", "name"},
    [RECORD_COVERAGE] = {"coverage", "coverage", false, "run", "clause, modes", "clause"},
    [RECORD_PROGRESS] = {"progress", "progress", false, "run", "seconds, cases, clauses, pairs, findings",
                         "cases"},
    [RECORD_PLACE] = {"place", "places", false, "board_spec", "folder", NULL},
    [RECORD_FINDING] = {"finding", "findings", false, "id",
                        "unit, verdict, profile, " BOARD_COLUMNS ", rivals, more_rivals, excused, cut, runs,"
                        " nearest, nearest_bits, signature, cases, smallest, size, label, board_outcome",
                        NULL},
    [RECORD_EVIDENCE] = {"evidence", "evidence", false, "finding", BOARD_COLUMNS ", cases, label",
                         "board_spec"},
    [RECORD_REASON] = {"reason", "dropped_count", false, "reason", "cases", NULL},
    [RECORD_TRIALS] = {"trials", "trials", false, "finding", "cause, rival, cases", "rival"},
    [RECORD_LEARNED] = {"learned", "learned", false, "finding",
                        "rules, alternatives, alternatives_count, explained, experiments", NULL},
    [RECORD_RELATED] = {"related", "related", false, "finding", "role, label, related_case, outcome", "role"},
};

void chain_keys(enum record r, bool unnoted, char sql[CHAIN_SQL_MAX])
{
    const struct record_table *k = &record_tables[r];
    int used = snprintf(sql, CHAIN_SQL_MAX, "SELECT DISTINCT %s FROM %s", k->key, k->table);
    if (unnoted)
        used += snprintf(sql + used, CHAIN_SQL_MAX - (size_t)used,
                         " WHERE CAST(%s AS TEXT) NOT IN (SELECT key FROM %s WHERE kind = '%s')", k->key,
                         k->grows ? "chain" : "standing", k->name);
    (void)snprintf(sql + used, CHAIN_SQL_MAX - (size_t)used, " ORDER BY %s", k->key);
}

/* --- digests */

static void digest_column(struct digester *d, sqlite3_stmt *q, int column)
{
    int type = sqlite3_column_type(q, column);
    digest_number(d, (uint64_t)type); /* SQLITE_INTEGER is 1, FLOAT 2, TEXT 3, BLOB 4, NULL 5 */
    if (type == SQLITE_INTEGER) {
        digest_number(d, (uint64_t)sqlite3_column_int64(q, column));
    } else if (type == SQLITE_FLOAT) {
        double value = sqlite3_column_double(q, column);
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        digest_number(d, bits);
    } else if (type != SQLITE_NULL) {
        const void *bytes = type == SQLITE_TEXT ? (const void *)sqlite3_column_text(q, column)
                                                : sqlite3_column_blob(q, column);
        digest_bytes(d, bytes, (size_t)sqlite3_column_bytes(q, column));
    }
}

/* Digests all rows that a statement returns. */
static bool digest_rows(struct store *s, sqlite3_stmt *q, struct digester *d, uint64_t *rows, struct error *e)
{
    int more;
    *rows = 0;
    while ((more = sql_step(s, q, e)) > 0) {
        int columns = sqlite3_column_count(q);
        digest_number(d, (uint64_t)columns);
        for (int i = 0; i < columns; i++)
            digest_column(d, q, i);
        ++*rows;
    }
    sql_finish(s, q);
    return more == 0;
}

bool chain_digest(struct store *s, enum record r, const char *key, struct digest *digest, bool *found,
                  struct error *e)
{
    const struct record_table *k = &record_tables[r];
    struct digester d;
    uint64_t rows;
    char sql[CHAIN_SQL_MAX];
    (void)snprintf(sql, sizeof sql, "SELECT %s FROM %s WHERE %s = ?1 ORDER BY %s", k->columns, k->table,
                   k->key, k->order ? k->order : "1");
    digest_begin(&d, "misprint record");
    digest_text(&d, k->name);
    digest_text(&d, key);
    bool good = digest_rows(s, sql_prepare(s, e, sql, "t", key), &d, &rows, e);
    digest_number(&d, rows);
    *digest = digest_end(&d);
    *found = good && rows > 0;
    return good;
}

bool chain_state(struct store *s, struct digest *digest, struct error *e)
{
    struct digester d;
    uint64_t rows;
    digest_begin(&d, "misprint state");
    bool good =
        digest_rows(s, sql_prepare(s, e, "SELECT kind, key, digest FROM standing ORDER BY kind, key", ""), &d,
                    &rows, e);
    digest_number(&d, rows);
    *digest = digest_end(&d);
    return good;
}

struct digest chain_link(const struct digest *before, int64_t seq, const char *kind, const char *key,
                         const struct digest *digest)
{
    struct digester d;
    digest_begin(&d, "misprint link");
    digest_digest(&d, before);
    digest_number(&d, (uint64_t)seq);
    digest_text(&d, kind);
    digest_text(&d, key);
    digest_digest(&d, digest);
    return digest_end(&d);
}

/* --- writing */

struct digest sql_digest(sqlite3_stmt *q, int column)
{
    struct digest d = {{0}};
    if (sqlite3_column_bytes(q, column) == sizeof d.byte)
        memcpy(d.byte, sqlite3_column_blob(q, column), sizeof d.byte);
    return d;
}

struct tip {
    int64_t seq; /* 0: there is no link yet */
    char kind[16], key[64];
    struct digest link;
};

/* Reads the last link of the chain, after skipping `skip` links at its end. */
static bool find_tip(struct store *s, unsigned skip, struct tip *t, struct error *e)
{
    sqlite3_stmt *q =
        sql_prepare(s, e, "SELECT seq, kind, key, link FROM chain ORDER BY seq DESC LIMIT 1 OFFSET ?1", "i",
                    (int64_t)skip);
    int more = sql_step(s, q, e);
    memset(t, 0, sizeof *t);
    if (more == 1) {
        t->seq = sqlite3_column_int64(q, 0);
        sql_text(q, 1, t->kind, sizeof t->kind);
        sql_text(q, 2, t->key, sizeof t->key);
        t->link = sql_digest(q, 3);
    }
    sql_finish(s, q);
    return more >= 0;
}

static bool add_after(struct store *s, const struct tip *t, const char *kind, const char *key,
                      const struct digest *digest, struct error *e)
{
    struct digest link = chain_link(&t->link, t->seq + 1, kind, key, digest);
    return sql_run(s, e, "INSERT OR REPLACE INTO chain VALUES (?1,?2,?3,?4,?5)", "ittbb", t->seq + 1, kind,
                   key, digest->byte, sizeof digest->byte, link.byte, sizeof link.byte);
}

bool chain_add(struct store *s, const char *kind, const char *key, const struct digest *digest,
               struct error *e)
{
    struct tip t;
    return find_tip(s, 0, &t, e) && add_after(s, &t, kind, key, digest, e);
}

bool chain_note(struct store *s, enum record r, const char *key, struct error *e)
{
    const struct record_table *k = &record_tables[r];
    struct digest digest;
    bool found;
    if (!chain_digest(s, r, key, &digest, &found, e))
        return false;
    if (k->grows)
        return !found || chain_add(s, k->name, key, &digest, e);
    s->unsealed = true;
    return found ? sql_run(s, e, "INSERT OR REPLACE INTO standing VALUES (?1,?2,?3)", "ttb", k->name, key,
                           digest.byte, sizeof digest.byte)
                 : sql_run(s, e, "DELETE FROM standing WHERE kind = ?1 AND key = ?2", "tt", k->name, key);
}

bool chain_note_number(struct store *s, enum record r, int64_t key, struct error *e)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%" PRId64, key);
    return chain_note(s, r, text, e);
}

/* Calls a function with each key that a statement returns. */
static bool each_key(struct store *s, sqlite3_stmt *q,
                     bool (*f)(struct store *, enum record, const char *, struct error *), enum record r,
                     struct error *e)
{
    int more = 1;
    while (more > 0 && (more = sql_step(s, q, e)) > 0) {
        char *key = strdup((const char *)sqlite3_column_text(q, 0));
        if (!key)
            error_memory(e, "while reading the campaign's chain");
        if (!key || !f(s, r, key, e))
            more = -1;
        free(key);
    }
    sql_finish(s, q);
    return more == 0;
}

/* A merge may have removed rows, and chain_keys lists only those that there are. */
static bool forget_standing(struct store *s, enum record r, struct error *e)
{
    return record_tables[r].grows ||
           sql_run(s, e, "DELETE FROM standing WHERE kind = ?1", "t", record_tables[r].name);
}

bool chain_note_all(struct store *s, struct error *e)
{
    for (enum record r = 0; r < RECORDS; r++) {
        char sql[CHAIN_SQL_MAX];
        chain_keys(r, record_tables[r].grows, sql);
        if (!forget_standing(s, r, e) || !each_key(s, sql_prepare(s, e, sql, ""), chain_note, r, e))
            return false;
    }
    return true;
}

/*
 * Writes a seal: a link with the digest of `standing`. If the last link is a seal of this process, the new
 * seal replaces it; otherwise a campaign of days would add two useless rows a second. The last seal of each
 * earlier process stays, so that `misprint verify` can check a report that was made after that process.
 */
bool chain_seal(struct store *s, struct error *e)
{
    struct tip tip, before;
    struct digest digest;
    char me[48];
    if (!s->unsealed)
        return true;
    s->unsealed = false;
    (void)snprintf(me, sizeof me, "process %ld", (long)getpid());
    if (!chain_state(s, &digest, e) || !find_tip(s, 0, &tip, e))
        return false;
    bool again = tip.seq > s->links_before && !strcmp(tip.kind, LINK_STATE) && !strcmp(tip.key, me);
    if (again && !find_tip(s, 1, &before, e))
        return false;
    return add_after(s, again ? &before : &tip, LINK_STATE, me, &digest, e);
}

/* --- before a campaign goes on */

static bool check_one(struct store *s, enum record r, const char *key, struct error *e)
{
    struct digest now, then = {{0}};
    bool found;
    sqlite3_stmt *q = sql_prepare(s, e, "SELECT digest FROM standing WHERE kind = ?1 AND key = ?2", "tt",
                                  record_tables[r].name, key);
    int more = sql_step(s, q, e);
    if (more == 1)
        then = sql_digest(q, 0);
    sql_finish(s, q);
    if (more < 0 || !chain_digest(s, r, key, &now, &found, e))
        return false;
    return digest_equal(&now, &then) ||
           error_set(e,
                     "%s: %s %s was changed by something other than misprint; `misprint verify %s` lists all "
                     "changes; choose another directory, or restore this one from a copy",
                     s->directory, record_tables[r].name, key, s->directory);
}

bool chain_check_state(struct store *s, struct error *e)
{
    for (enum record r = 0; r < RECORDS; r++) {
        char sql[CHAIN_SQL_MAX];
        chain_keys(r, false, sql);
        if (!record_tables[r].grows && !each_key(s, sql_prepare(s, e, sql, ""), check_one, r, e))
            return false;
    }
    return true;
}
