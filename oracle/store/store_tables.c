/* SPDX-License-Identifier: MIT */
/* The tables and their versions, opening the database, and transactions. A transaction ends with a seal. */
#include "oracle/files/file.h"
#include "oracle/store/store_chain.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { APPLICATION_ID = 0x4D535052 /* "MSPR" */, VERSION_FIRST = 3, VERSION_CHAINED = 5 };

#define BOARD_TABLE                                                                                          \
    "board_spec TEXT NOT NULL, board_kind TEXT NOT NULL, board_description TEXT NOT NULL,"                   \
    " board_provenance TEXT NOT NULL, board_silicon INTEGER NOT NULL, memory_base INTEGER NOT NULL,"         \
    " code_base INTEGER NOT NULL, "

/* The statements that update the tables to each version. A new database runs all of them. */
static const char *const steps[] = {
    /* to version 3 */
    "CREATE TABLE runs (id INTEGER PRIMARY KEY, command TEXT NOT NULL, unit TEXT NOT NULL,"
    " profile TEXT NOT NULL, " BOARD_TABLE "seed INTEGER NOT NULL, seconds REAL NOT NULL,"
    " machine TEXT NOT NULL, interrupted INTEGER NOT NULL);"
    "CREATE TABLE places (board_spec TEXT PRIMARY KEY, folder TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE tally (run INTEGER NOT NULL REFERENCES runs(id), name TEXT NOT NULL,"
    " value INTEGER NOT NULL, PRIMARY KEY (run, name)) WITHOUT ROWID;"
    "CREATE TABLE coverage (run INTEGER NOT NULL REFERENCES runs(id), clause TEXT NOT NULL,"
    " modes INTEGER NOT NULL, PRIMARY KEY (run, clause)) WITHOUT ROWID;"
    "CREATE TABLE findings (id TEXT PRIMARY KEY, unit TEXT NOT NULL, verdict TEXT NOT NULL,"
    " profile TEXT NOT NULL, " BOARD_TABLE "rivals TEXT NOT NULL, more_rivals INTEGER NOT NULL,"
    " excused INTEGER NOT NULL, cut INTEGER NOT NULL, runs INTEGER NOT NULL, nearest TEXT NOT NULL,"
    " nearest_bits INTEGER NOT NULL, signature INTEGER NOT NULL, cases INTEGER NOT NULL, smallest BLOB,"
    " size INTEGER NOT NULL, label TEXT NOT NULL, board_outcome BLOB);"
    "CREATE TABLE evidence (finding TEXT NOT NULL, " BOARD_TABLE "cases INTEGER NOT NULL,"
    " label TEXT NOT NULL, PRIMARY KEY (finding, board_spec));"
    "CREATE TABLE dropped (id INTEGER PRIMARY KEY, unit TEXT NOT NULL, label TEXT NOT NULL,"
    " reason TEXT NOT NULL, dropped_case BLOB NOT NULL);"
    "CREATE TABLE dropped_count (reason TEXT PRIMARY KEY, cases INTEGER NOT NULL) WITHOUT ROWID;",
    /* to version 4 */
    "ALTER TABLE runs ADD COLUMN engine TEXT NOT NULL DEFAULT '';"
    "CREATE TABLE cases (id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs(id),"
    " unit TEXT NOT NULL, hash INTEGER NOT NULL, pairs INTEGER NOT NULL, label TEXT NOT NULL,"
    " kept_case BLOB NOT NULL, outcome BLOB, UNIQUE (unit, hash));"
    "CREATE TABLE progress (run INTEGER NOT NULL REFERENCES runs(id), seconds REAL NOT NULL,"
    " cases INTEGER NOT NULL, clauses INTEGER NOT NULL, pairs INTEGER NOT NULL,"
    " findings INTEGER NOT NULL, PRIMARY KEY (run, cases)) WITHOUT ROWID;",
    /* to version 5 */
    "CREATE TABLE chain (seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, key TEXT NOT NULL,"
    " digest BLOB NOT NULL, link BLOB NOT NULL);"
    "CREATE TABLE standing (kind TEXT NOT NULL, key TEXT NOT NULL, digest BLOB NOT NULL,"
    " PRIMARY KEY (kind, key)) WITHOUT ROWID;",
    /* to version 6 */
    ("CREATE TABLE trials (finding TEXT NOT NULL, cause TEXT NOT NULL, rival TEXT NOT NULL,"
     " cases INTEGER NOT NULL, PRIMARY KEY (finding, rival)) WITHOUT ROWID;"),
    /* to version 7 */
    ("CREATE TABLE learned (finding TEXT PRIMARY KEY, rules TEXT NOT NULL, alternatives TEXT NOT NULL,"
     " alternatives_count INTEGER NOT NULL, explained INTEGER NOT NULL, experiments INTEGER NOT NULL)"
     " WITHOUT ROWID;"),
    /* to version 8 */
    ("CREATE TABLE related (finding TEXT NOT NULL, role TEXT NOT NULL, label TEXT NOT NULL,"
     " related_case BLOB NOT NULL, outcome BLOB, PRIMARY KEY (finding, role)) WITHOUT ROWID;"),
};
_Static_assert(sizeof steps / sizeof *steps == STORE_VERSION - VERSION_FIRST + 1, "one step to each version");

bool store_begin(struct store *s, struct error *e)
{
    if (s->depth++)
        return true;
    s->doomed = s->unsealed = false;
    if (sql_run(s, e, "BEGIN IMMEDIATE", ""))
        return true;
    s->depth = 0;
    return false;
}

bool store_end(struct store *s, bool good, struct error *e)
{
    s->doomed |= !good;
    if (--s->depth)
        return good;
    if (!s->doomed && chain_seal(s, e) && sql_run(s, e, "COMMIT", ""))
        return true;
    if (!sqlite3_get_autocommit(s->db))
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return false;
}

/* Begins the chain. Rows that an older version wrote get their digests now, so the chain cannot show whether
 * something changed them before. */
static bool begin_chain(struct store *s, int64_t version, struct error *e)
{
    static const struct digest nothing = {{0}};
    char what[96];
    (void)snprintf(what, sizeof what,
                   version ? "misprint %s, tables of version %d as they stood" : "misprint %s",
                   MISPRINT_VERSION, (int)version);
    return chain_add(s, LINK_START, what, &nothing, e) && chain_note_all(s, e);
}

/* Runs the missing steps in one transaction. */
static bool make_tables(struct store *s, struct error *e)
{
    char stamp[96];
    if (!store_begin(s, e))
        return false;
    int64_t version =
        sql_number(s, e, "PRAGMA user_version", ""); /* another process may have updated it already */
    bool good = version == 0 || version >= VERSION_FIRST;
    for (size_t i = version > 0 ? (size_t)(version - VERSION_FIRST) + 1 : 0;
         good && i < sizeof steps / sizeof *steps; i++)
        good = sqlite3_exec(s->db, steps[i], NULL, NULL, NULL) == SQLITE_OK;
    snprintf(stamp, sizeof stamp, "PRAGMA application_id=%d; PRAGMA user_version=%d;", APPLICATION_ID,
             STORE_VERSION);
    good = good && sqlite3_exec(s->db, stamp, NULL, NULL, NULL) == SQLITE_OK;
    if (!good)
        sql_failed(s, e);
    good = good && (version >= VERSION_CHAINED || begin_chain(s, version, e));
    return store_end(s, good, e);
}

bool sql_is_lost(const char *directory)
{
    char path[1100];
    struct stat st;
    (void)snprintf(path, sizeof path, "%.1000s/misprint.db", directory);
    if (stat(path, &st) != 0 || st.st_size > 0)
        return false;
    (void)snprintf(path, sizeof path, "%.1000s/cases", directory);
    return file_folder_holds(path);
}

static bool check_tables(struct store *s, bool create, struct error *e)
{
    if (!sql_run(s, e, "BEGIN", "")) /* all pragmas must be read in one transaction, since another process may
                                        be creating the tables */
        return false;
    int64_t application = sql_number(s, e, "PRAGMA application_id", ""),
            version = sql_number(s, e, "PRAGMA user_version", "");
    int64_t pages = sql_number(s, e, "PRAGMA page_count", "");
    if (application < 0 || version < 0 || pages < 0 || !sql_run(s, e, "COMMIT", ""))
        return false;
    if (version == 0 && sql_is_lost(s->directory))
        return error_set(e,
                         "%s/misprint.db: is empty, but cases/ beside it is not, so the campaign's data is "
                         "lost; restore it from a copy, or choose another directory",
                         s->directory);
    if (version == 0 && application == 0 && pages <= 1)
        return create ? make_tables(s, e)
                      : error_set(e, "%s: is an empty campaign; `misprint fuzz UNIT --campaign %s` fills it",
                                  s->directory, s->directory);
    if (application != APPLICATION_ID)
        return error_set(
            e, "%s/misprint.db: is a database of another program; choose another campaign directory",
            s->directory);
    if (version >= VERSION_FIRST && version < STORE_VERSION && s->read_only)
        return error_set(
            e, "%s: has tables of an older misprint and cannot be written; copy it, and name the copy",
            s->directory);
    if (version >= VERSION_FIRST && version < STORE_VERSION)
        return make_tables(s, e);
    if (version != STORE_VERSION)
        return error_set(e,
                         "%s: has tables of version %d, but this misprint reads version %d; use the misprint "
                         "that wrote it, or another directory",
                         s->directory, (int)version, STORE_VERSION);
    return true;
}

static bool check_pages(struct store *s, struct error *e)
{
    sqlite3_stmt *statement = sql_prepare(s, e, "PRAGMA quick_check(1)", "");
    const unsigned char *said = sql_step(s, statement, e) == 1 ? sqlite3_column_text(statement, 0) : NULL;
    bool good = said && !strcmp((const char *)said, "ok");
    if (said && !good)
        error_set(e,
                  "%s/misprint.db: is damaged (%s); choose another campaign directory, or restore this one "
                  "from a copy",
                  s->directory, (const char *)said);
    sql_finish(s, statement);
    return good;
}

/*
 * SQLite writes files beside a database with a write-ahead log even to read it (sqlite.org/wal.html,
 * "Read-Only Databases"), unless the URI says that the database is immutable. It is immutable here if the log
 * is missing or empty.
 */
void sql_uri(const struct store *s, char uri[SQL_URI_MAX])
{
    char log[1100];
    struct stat st;
    size_t used = (size_t)snprintf(uri, SQL_URI_MAX, "file:");
    for (const char *c = s->directory; *c; c++) /* at most 3 * 1023 characters */
        used += (size_t)snprintf(uri + used, SQL_URI_MAX - used, strchr("%?#", *c) ? "%%%02X" : "%c",
                                 (unsigned char)*c);
    snprintf(log, sizeof log, "%s/misprint.db-wal", s->directory);
    bool still = stat(log, &st) != 0 || st.st_size == 0;
    snprintf(uri + used, SQL_URI_MAX - used, "/misprint.db%s",
             !s->read_only ? ""
             : still       ? "?immutable=1"
                           : "?mode=ro");
}

static bool may_write(const struct store *s)
{
    char path[1100];
    snprintf(path, sizeof path, "%s/misprint.db", s->directory);
    return access(s->directory, W_OK | X_OK) == 0 && access(path, W_OK) == 0;
}

static const char *value_text(sqlite3_value *v)
{
    const unsigned char *chars = sqlite3_value_text(v);
    return chars ? (const char *)chars : "";
}

/* The SQL function simpler(), by finding_case_order. */
static void sql_simpler(sqlite3_context *to, int count, sqlite3_value **v)
{
    static _Thread_local struct test_case one, other;
    const struct unit *u = unit_named(value_text(v[0]));
    (void)count;
    if (!u) { /* a unit of another version: keep the stored case */
        sqlite3_result_int(to, 0);
        return;
    }
    case_decode(&one, u, sqlite3_value_blob(v[1]), (size_t)sqlite3_value_bytes(v[1]));
    case_decode(&other, u, sqlite3_value_blob(v[3]), (size_t)sqlite3_value_bytes(v[3]));
    sqlite3_result_int(to, finding_case_order(&one, value_text(v[2]), &other, value_text(v[4])) < 0);
}

/* Chooses the write-ahead log. Here SQLite itself does not wait while another connection is about to write.
 */
static bool use_log(struct store *s, struct error *e)
{
    enum { PAUSE_MS = 20 };
    for (int waited = 0; !sql_run(s, e, "PRAGMA journal_mode=WAL", ""); waited += PAUSE_MS) {
        if ((sqlite3_errcode(s->db) & 0xFF) != SQLITE_BUSY || waited >= SQL_BUSY_MS)
            return false;
        sqlite3_sleep(PAUSE_MS);
        *e = (struct error){0};
    }
    return true;
}

bool sql_open(struct store *s, bool create, struct error *e)
{
    char uri[SQL_URI_MAX];
    s->read_only = !create && !may_write(s);
    sql_uri(s, uri);
    int flags = (s->read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE) | SQLITE_OPEN_NOMUTEX |
                SQLITE_OPEN_URI | (create ? SQLITE_OPEN_CREATE : 0);
    if (sqlite3_open_v2(uri, &s->db, flags, NULL) != SQLITE_OK)
        return sql_failed(s, e);
    sqlite3_busy_timeout(s->db, SQL_BUSY_MS);
    if (sqlite3_create_function_v2(s->db, "simpler", 5, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, sql_simpler,
                                   NULL, NULL, NULL) != SQLITE_OK)
        return sql_failed(s, e);
    if (s->read_only)
        return sql_number(s, e, "PRAGMA schema_version", "") >= 0 && check_tables(s, false, e) &&
               check_pages(s, e);
    /* NORMAL: a commit survives kill -9. A power cut may lose the last commits, but does not corrupt the
     * database. */
    if (sql_number(s, e, "PRAGMA schema_version", "") < 0 || !check_tables(s, create, e) || !use_log(s, e) ||
        !sql_run(s, e, "PRAGMA synchronous=NORMAL", "") || !check_pages(s, e))
        return false;
    s->links_before = sql_number(s, e, "SELECT COALESCE(MAX(seq), 0) FROM chain", "");
    return s->links_before >= 0;
}

void sql_close(struct store *s)
{
    while (s->kept_count)
        sqlite3_finalize(s->kept[--s->kept_count].statement);
    sqlite3_close(s->db);
}
