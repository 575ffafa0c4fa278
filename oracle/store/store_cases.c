/* SPDX-License-Identifier: MIT */
/* A campaign's cases that belong to no finding: cases that covered something new, and dropped cases. */
#include "harness/verify/dry_run.h"
#include "model/core/memory.h"
#include "oracle/store/store_chain.h"
#include "oracle/store/store_sql.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool kept_case_make(struct kept_case *k, const struct test_case *c, const struct outcome *board,
                    const char *label, unsigned pairs)
{
    *k = (struct kept_case){.hash = case_hash(c), .pairs = pairs};
    snprintf(k->label, sizeof k->label, "%s", label);
    k->bytes = store_encode(c, &k->size);
    k->outcome = board ? finding_encode_outcome(board, &k->outcome_size) : NULL;
    if (k->bytes && (k->outcome || !board))
        return true;
    kept_case_free(k);
    return false;
}

void kept_case_free(struct kept_case *k)
{
    free(k->bytes);
    free(k->outcome);
    *k = (struct kept_case){0};
}

static bool put_case(struct store *s, int64_t run, const char *unit, const struct kept_case *k,
                     struct error *e)
{
    bool good = sql_run(s, e,
                        "INSERT OR IGNORE INTO cases (run, unit, hash, pairs, label, kept_case, outcome) "
                        "VALUES (?1,?2,?3,?4,?5,?6,?7)",
                        "itiitbb", run, unit, (int64_t)k->hash, (int64_t)k->pairs, k->label, k->bytes,
                        k->size, k->outcome, k->outcome_size);
    return good && (!sqlite3_changes(s->db) ||
                    chain_note_number(s, RECORD_CASE, sqlite3_last_insert_rowid(s->db), e));
}

bool store_put_cases(struct store *s, int64_t run, const char *unit, const struct kept_case *k,
                     unsigned count, struct error *e)
{
    if (!count)
        return true;
    bool good = store_begin(s, e), begun = good;
    for (unsigned i = 0; good && i < count; i++)
        good = put_case(s, run, unit, &k[i], e);
    return begun && store_end(s, good, e);
}

/* The pointers in the result are valid until the statement's next step. */
static struct kept_case read_kept(sqlite3_stmt *q)
{
    struct kept_case k = {.hash = (uint64_t)sqlite3_column_int64(q, 0),
                          .pairs = (unsigned)sqlite3_column_int(q, 1)};
    sql_text(q, 2, k.label, sizeof k.label);
    k.bytes = (uint8_t *)(uintptr_t)sqlite3_column_blob(q, 3);
    k.size = (size_t)sqlite3_column_bytes(q, 3);
    k.outcome = (uint8_t *)(uintptr_t)sqlite3_column_blob(q, 4);
    k.outcome_size = (size_t)sqlite3_column_bytes(q, 4);
    return k;
}

bool store_each_case(struct store *s, const struct unit *u, const struct board_identity *board, store_case *f,
                     void *context, struct error *e)
{
    sqlite3_stmt *q =
        sql_prepare(s, e,
                    "SELECT hash, pairs, label, kept_case,"
                    " CASE WHEN board_spec = ?2 THEN outcome END"
                    " FROM cases JOIN runs ON runs.id = run WHERE cases.unit = ?1 ORDER BY cases.id",
                    "tt", u->name, board->spec);
    struct test_case *c = memory_new(1, sizeof *c);
    int more = 1;
    while (more > 0 && (more = sql_step(s, q, e)) > 0) {
        struct kept_case k = read_kept(q);
        case_decode(c, u, k.bytes, k.size);
        if (!f(context, c, &k, e))
            more = -1;
    }
    sql_finish(s, q);
    free(c);
    return more == 0;
}

bool dropped_by_disagreement(const char *reason)
{
    return strstr(reason, DRY_RUN_DISAGREES);
}

bool store_count_dropped(struct store *s, const char *reason, uint64_t cases, struct error *e)
{
    return store_begin(s, e) && store_end(s,
                                          sql_run(s, e,
                                                  "INSERT INTO dropped_count VALUES (?1, ?2) ON CONFLICT "
                                                  "(reason) DO UPDATE SET cases = cases + excluded.cases",
                                                  "ti", reason, (int64_t)cases) &&
                                              chain_note(s, RECORD_REASON, reason, e),
                                          e);
}

bool store_put_dropped(struct store *s, const struct test_case *c, const char *label, const char *reason,
                       const char *kind, struct error *e)
{
    if (s->dropped_cases >= STORE_DROPPED_MAX - (dropped_by_disagreement(reason) ? 0U : STORE_DISAGREEMENTS))
        return store_count_dropped(s, kind, 1, e);
    size_t size;
    uint8_t *bytes = store_encode(c, &size);
    if (!bytes)
        return error_memory(e, "while storing a dropped case");
    int64_t id = 0;
    bool begun = store_begin(s, e);
    bool good =
        begun && sql_run(s, e, "INSERT INTO dropped (unit, label, reason, dropped_case) VALUES (?1,?2,?3,?4)",
                         "tttb", c->unit->name, label, reason, bytes, size);
    if (good)
        id = sqlite3_last_insert_rowid(s->db);
    good = begun && store_end(s,
                              good && chain_note_number(s, RECORD_DROPPED, id, e) &&
                                  store_count_dropped(s, kind, 1, e),
                              e);
    free(bytes);
    if (!good)
        return false;
    char name[64];
    snprintf(name, sizeof name, "dropped/%lld.case", (long long)id);
    s->dropped_cases++;
    /* No flush to the disk: it would slow down campaigns on boards that refuse many cases. */
    return store_write_case(s, name, c, reason, label, false, e);
}

uint64_t store_dropped(struct store *s)
{
    int64_t cases = sql_number(s, NULL, "SELECT COALESCE(SUM(cases), 0) FROM dropped_count", "");
    return cases < 0 ? 0 : (uint64_t)cases;
}

static bool read_reason(struct store *s, sqlite3_stmt *q, void *item, struct error *e)
{
    (void)s;
    (void)e;
    struct dropped_reason *r = item;
    sql_text(q, 0, r->reason, sizeof r->reason);
    r->cases = (uint64_t)sqlite3_column_int64(q, 1);
    return true;
}

struct dropped_reason *store_dropped_reasons(struct store *s, unsigned *count, struct error *e)
{
    static const struct sql_rows kind = {sizeof(struct dropped_reason), read_reason, NULL};
    return sql_all(s,
                   sql_prepare(s, e, "SELECT reason, cases FROM dropped_count ORDER BY cases DESC, reason",
                               ""),
                   &kind, count, e);
}

static bool read_dropped(struct store *s, sqlite3_stmt *q, void *item, struct error *e)
{
    (void)s;
    (void)e;
    struct dropped_case *d = item;
    d->id = sqlite3_column_int64(q, 0);
    sql_text(q, 1, d->unit, sizeof d->unit);
    sql_text(q, 2, d->label, sizeof d->label);
    sql_text(q, 3, d->reason, sizeof d->reason);
    return true;
}

struct dropped_case *store_dropped_cases(struct store *s, unsigned *count, struct error *e)
{
    static const struct sql_rows kind = {sizeof(struct dropped_case), read_dropped, NULL};
    return sql_all(s, sql_prepare(s, e, "SELECT id, unit, label, reason FROM dropped ORDER BY id", ""), &kind,
                   count, e);
}

bool store_dropped_case(struct store *s, int64_t id, struct test_case *c, struct dropped_case *what,
                        struct error *e)
{
    sqlite3_stmt *q =
        sql_prepare(s, e, "SELECT id, unit, label, reason, dropped_case FROM dropped WHERE id = ?1", "i", id);
    int more = sql_step(s, q, e);
    bool good = more == 1 && read_dropped(s, q, what, e);
    const struct unit *u = good ? unit_named(what->unit) : NULL;
    if (more == 0)
        error_set(e, "%s: there is no dropped case %lld; give no number to list them", s->directory,
                  (long long)id);
    else if (good && !u)
        error_set(e, "%s: dropped case %lld is of unit '%s', which this version of misprint does not have",
                  s->directory, (long long)id, what->unit);
    if (u)
        case_decode(c, u, sqlite3_column_blob(q, 4), (size_t)sqlite3_column_bytes(q, 4));
    sql_finish(s, q);
    return u != NULL;
}
