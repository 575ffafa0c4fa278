/* SPDX-License-Identifier: MIT */
#include "oracle/store/store_verify.h"

#include "oracle/store/store_chain.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct walk {
    struct store *s;
    chain_fault *report;
    void *context;
    struct chain_facts *facts;
};

static void fault(struct walk *w, const char *what, const char *form, ...)
    __attribute__((format(printf, 3, 4)));
static void fault(struct walk *w, const char *what, const char *form, ...)
{
    char row[512];
    va_list values;
    va_start(values, form);
    (void)vsnprintf(row, sizeof row, form, values);
    va_end(values);
    w->facts->faults++;
    w->report(w->context, row, what);
}

static const char changed[] = "was changed since misprint wrote it";
static const char removed[] = "was removed";
static const char added[] = "was not written by misprint, or is older than the chain says";

/* One row of `chain`. Its pointers are valid until the statement's next step. */
struct link {
    int64_t seq;
    const char *kind, *key;
    struct digest digest, value;
};

static const char *sql_chars(sqlite3_stmt *q, int column)
{
    const unsigned char *chars = sqlite3_column_text(q, column);
    return chars ? (const char *)chars : "";
}

static int record_of(const char *kind)
{
    for (int r = 0; r < RECORDS; r++)
        if (!strcmp(record_tables[r].name, kind))
            return r;
    return -1;
}

/* Compares a record's rows with their stored digest. */
static bool check_record(struct walk *w, enum record r, const char *key, const struct digest *then,
                         struct error *e)
{
    const struct record_table *k = &record_tables[r];
    struct digest now;
    bool found;
    if (!chain_digest(w->s, r, key, &now, &found, e))
        return false;
    w->facts->records++;
    if (!found || !digest_equal(&now, then))
        fault(w, found ? changed : removed, "%s %s (table %s)", k->name, key, k->table);
    return true;
}

static bool check_link(struct walk *w, const struct link *before, const struct link *now, struct error *e)
{
    struct digest value = chain_link(&before->value, now->seq, now->kind, now->key, &now->digest);
    int r = record_of(now->kind);
    if (now->seq != before->seq + 1)
        fault(w, "are gone or were moved", "links %" PRId64 " to %" PRId64 " (table chain)", before->seq + 1,
              now->seq - 1);
    if (!digest_equal(&value, &now->value))
        fault(w, "does not match its content and the link before it: one of them was changed or moved",
              "link %" PRId64 ", %s %s (table chain)", now->seq, now->kind, now->key);
    if (!before->seq && strcmp(now->kind, LINK_START) != 0)
        fault(w, removed, "the first link (table chain)");
    return r < 0 || !record_tables[r].grows || check_record(w, (enum record)r, now->key, &now->digest, e);
}

static bool check_links(struct walk *w, int64_t *sealed_by, struct digest *seal, struct error *e)
{
    sqlite3_stmt *q = sql_prepare(w->s, e, "SELECT seq, kind, key, digest, link FROM chain ORDER BY seq", "");
    struct link before = {0};
    int more = 1;
    while (more > 0 && (more = sql_step(w->s, q, e)) > 0) {
        struct link now = {sqlite3_column_int64(q, 0), sql_chars(q, 1), sql_chars(q, 2), sql_digest(q, 3),
                           sql_digest(q, 4)};
        if (!check_link(w, &before, &now, e))
            more = -1;
        if (!w->facts->links++)
            (void)snprintf(w->facts->began, sizeof w->facts->began, "%s", now.key);
        w->facts->merged += !strcmp(now.kind, LINK_MERGE);
        if (!strcmp(now.kind, LINK_STATE)) {
            *sealed_by = now.seq;
            *seal = now.digest;
        }
        before.seq = now.seq;
        before.value = now.value;
    }
    sql_finish(w->s, q);
    if (w->facts->links)
        digest_print(&before.value, w->facts->head);
    else if (more == 0)
        fault(w, removed, "the whole chain (table chain)");
    return more == 0;
}

static bool check_standing(struct walk *w, struct error *e)
{
    sqlite3_stmt *q = sql_prepare(w->s, e, "SELECT kind, key, digest FROM standing ORDER BY kind, key", "");
    int more = 1;
    while (more > 0 && (more = sql_step(w->s, q, e)) > 0) {
        struct digest then = sql_digest(q, 2);
        int r = record_of(sql_chars(q, 0));
        if (r < 0)
            fault(w, added, "%s %s (table standing)", sql_chars(q, 0), sql_chars(q, 1));
        else if (!check_record(w, (enum record)r, sql_chars(q, 1), &then, e))
            more = -1;
    }
    sql_finish(w->s, q);
    return more == 0;
}

/* Reports rows that have no digest. */
static bool check_added(struct walk *w, enum record r, struct error *e)
{
    const struct record_table *k = &record_tables[r];
    char sql[CHAIN_SQL_MAX];
    chain_keys(r, true, sql);
    sqlite3_stmt *q = sql_prepare(w->s, e, sql, "");
    int more;
    while ((more = sql_step(w->s, q, e)) > 0)
        fault(w, added, "%s %s (table %s)", k->name, sql_chars(q, 0), k->table);
    sql_finish(w->s, q);
    return more == 0;
}

static bool check_all(struct walk *w, struct error *e)
{
    int64_t sealed_by = 0;
    struct digest seal = {{0}}, state;
    bool good = check_links(w, &sealed_by, &seal, e) && check_standing(w, e);
    for (enum record r = 0; good && r < RECORDS; r++)
        good = check_added(w, r, e);
    good = good && chain_state(w->s, &state, e);
    if (good && sealed_by && !digest_equal(&state, &seal))
        fault(w,
              "do not match: a digest of the table was changed, removed or added, or the chain was cut off",
              "table standing and its last seal, link %" PRId64 " (table chain)", sealed_by);
    if (good && !sealed_by && w->facts->records)
        fault(w, removed, "the seal of table standing (table chain)");
    return good;
}

bool store_verify(struct store *s, chain_fault *report, void *context, struct chain_facts *f, struct error *e)
{
    struct walk w = {s, report, context, f};
    memset(f, 0, sizeof *f);
    bool good = sql_run(s, e, "BEGIN", "") && check_all(&w, e);
    (void)sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return good;
}

/* Compares the table `standing` with its last seal. */
static bool check_seal(struct store *s, bool *changed, struct error *what, struct error *e)
{
    struct digest now, seal = {{0}};
    sqlite3_stmt *q =
        sql_prepare(s, e, "SELECT digest FROM chain WHERE kind = '" LINK_STATE "' ORDER BY seq DESC LIMIT 1",
                    "");
    int more = sql_step(s, q, e);
    if (more == 1)
        seal = sql_digest(q, 0);
    sql_finish(s, q);
    if (more < 0 || !chain_state(s, &now, e))
        return false;
    *changed = more == 1 && !digest_equal(&now, &seal);
    if (*changed)
        error_set(what,
                  "%s: the digests were changed by something other than misprint; `misprint verify %s` lists "
                  "all changes",
                  s->directory, s->directory);
    return true;
}

bool store_check(struct store *s, bool *changed, struct error *what, struct error *e)
{
    *what = (struct error){0};
    bool good = sql_run(s, e, "BEGIN", "");
    *changed = good && !chain_check_state(s, what);
    if (what->of_machine) { /* the database cannot be read */
        *e = *what;
        good = false;
    }
    good = good && (*changed || check_seal(s, changed, what, e));
    (void)sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return good;
}

bool store_is_damaged(const char *directory)
{
    char path[1100];
    sqlite3 *db = NULL;
    sqlite3_stmt *q = NULL;
    (void)snprintf(path, sizeof path, "%.1000s/misprint.db", directory);
    int code = sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL);
    code = code ? code : sqlite3_prepare_v2(db, "PRAGMA quick_check(1)", -1, &q, NULL);
    code = code ? code : sqlite3_step(q);
    bool damaged = code == SQLITE_ROW ? strcmp(sql_chars(q, 0), "ok") != 0
                                      : code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
    sqlite3_finalize(q);
    sqlite3_close(db);
    return damaged || sql_is_lost(directory);
}

bool store_head(struct store *s, uint64_t *links, char head[DIGEST_HEX], struct error *e)
{
    sqlite3_stmt *q = sql_prepare(s, e, "SELECT seq, link FROM chain ORDER BY seq DESC LIMIT 1", "");
    int more = sql_step(s, q, e);
    struct digest last = {{0}};
    *links = 0;
    head[0] = 0;
    if (more == 1) {
        *links = (uint64_t)sqlite3_column_int64(q, 0);
        last = sql_digest(q, 1);
        digest_print(&last, head);
    }
    sql_finish(s, q);
    return more >= 0;
}

int64_t store_find_link(struct store *s, const char *hex, struct error *e)
{
    return sql_number(s, e, "SELECT seq FROM chain WHERE lower(hex(link)) = lower(?1)", "t", hex);
}
