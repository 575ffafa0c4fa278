/* SPDX-License-Identifier: MIT */
/* The campaign's database as a whole: its tables and their versions, opening it, and transactions, which end
 * with the chain's seal. */
#include "oracle/files/file.h"
#include "oracle/store/store_chain.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { APPLICATION_ID = 0x4D535052 /* "MSPR" */, VERSION_FIRST = 3, VERSION_CHAINED = 5 };

/* What brings the tables from one version to the next; a new database takes all steps. */
static const char *const steps[] = {
    /* to version 3 */
    "CREATE TABLE runs (id INTEGER PRIMARY KEY, command TEXT NOT NULL, unit TEXT NOT NULL, profile TEXT NOT "
    "NULL, board_spec TEXT NOT NULL,"
    " board_kind TEXT NOT NULL, board_description TEXT NOT NULL, board_provenance TEXT NOT NULL, "
    "board_silicon INTEGER NOT NULL, memory_base INTEGER "
    "NOT NULL,"
    " code_base INTEGER NOT NULL, seed INTEGER NOT NULL,"
    " seconds REAL NOT NULL, machine TEXT NOT NULL, interrupted INTEGER NOT NULL);"
    "CREATE TABLE places (board_spec TEXT PRIMARY KEY, folder TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE tally (run INTEGER NOT NULL REFERENCES runs(id), name TEXT NOT NULL, value INTEGER NOT "
    "NULL, PRIMARY KEY (run, name)) WITHOUT "
    "ROWID;"
    "CREATE TABLE coverage (run INTEGER NOT NULL REFERENCES runs(id), clause TEXT NOT NULL, modes INTEGER "
    "NOT NULL, PRIMARY KEY (run, clause)) "
    "WITHOUT ROWID;"
    "CREATE TABLE findings (id TEXT PRIMARY KEY, unit TEXT NOT NULL, verdict TEXT NOT NULL, profile TEXT NOT "
    "NULL, board_spec TEXT NOT NULL,"
    " board_kind TEXT NOT NULL, board_description TEXT NOT NULL, board_provenance TEXT NOT NULL, "
    "board_silicon INTEGER NOT NULL,"
    " memory_base INTEGER NOT NULL, code_base INTEGER NOT NULL, rivals TEXT NOT NULL, more_rivals INTEGER "
    "NOT NULL, excused INTEGER NOT NULL, cut "
    "INTEGER NOT NULL, runs INTEGER NOT NULL, nearest TEXT NOT "
    "NULL,"
    " nearest_bits INTEGER NOT NULL, signature INTEGER NOT NULL, cases INTEGER NOT NULL, smallest BLOB, size "
    "INTEGER NOT NULL, label TEXT NOT NULL,"
    " board_outcome BLOB);"
    "CREATE TABLE evidence (finding TEXT NOT NULL, board_spec TEXT NOT NULL, board_kind TEXT NOT NULL, "
    "board_description TEXT NOT NULL,"
    " board_provenance TEXT NOT NULL, board_silicon INTEGER NOT NULL, memory_base INTEGER NOT NULL, "
    "code_base INTEGER NOT NULL, cases INTEGER NOT "
    "NULL, label TEXT NOT NULL, PRIMARY KEY (finding, "
    "board_spec));"
    "CREATE TABLE dropped (id INTEGER PRIMARY KEY, unit TEXT NOT NULL, label TEXT NOT NULL, reason TEXT NOT "
    "NULL, dropped_case BLOB NOT NULL);"
    "CREATE TABLE dropped_count (reason TEXT PRIMARY KEY, cases INTEGER NOT NULL) WITHOUT ROWID;",
    /* to version 4 */
    "ALTER TABLE runs ADD COLUMN engine TEXT NOT NULL DEFAULT '';"
    "CREATE TABLE cases (id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs(id), unit TEXT NOT "
    "NULL, hash INTEGER NOT NULL, pairs INTEGER"
    " NOT NULL, label TEXT NOT NULL, kept_case BLOB NOT NULL, outcome BLOB, UNIQUE (unit, hash));"
    "CREATE TABLE progress (run INTEGER NOT NULL REFERENCES runs(id), seconds REAL NOT NULL, cases INTEGER "
    "NOT NULL, clauses INTEGER NOT NULL,"
    " pairs INTEGER NOT NULL, findings INTEGER NOT NULL, PRIMARY KEY (run, cases)) WITHOUT ROWID;",
    /* to version 5 */
    ("CREATE TABLE chain (seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, key TEXT NOT NULL, digest BLOB NOT "
     "NULL, link BLOB NOT NULL);"
     "CREATE TABLE standing (kind TEXT NOT NULL, key TEXT NOT NULL, digest BLOB NOT NULL, PRIMARY KEY (kind, "
     "key)) WITHOUT ROWID;"),
};
_Static_assert(sizeof steps / sizeof *steps == STORE_VERSION - VERSION_FIRST + 1, "one step to each version");

bool sql_begin(struct store *s, struct error *e)
{
    if (s->depth++)
        return true;
    s->doomed = s->unsealed = false;
    if (sql_run(s, e, "BEGIN IMMEDIATE", ""))
        return true;
    s->depth = 0;
    return false;
}

bool sql_end(struct store *s, bool good, struct error *e)
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

/* A pragma's or another statement's number, -1 with an error. */
static int64_t number_of(struct store *s, const char *sql, struct error *e)
{
    sqlite3_stmt *statement = sql_prepare(s, e, sql, "");
    int64_t value = statement && sql_step(s, statement, e) == 1 ? sqlite3_column_int64(statement, 0) : -1;
    sql_finish(s, statement);
    return value;
}

/* The chain begins here. What an older version left is taken as it stands: nobody can say whether it was
 * changed before. */
static bool begin_chain(struct store *s, int64_t version, struct error *e)
{
    static const struct digest nothing = {{0}};
    char what[96];
    (void)snprintf(what, sizeof what,
                   version ? "misprint %s, tables of version %d as they stood" : "misprint %s",
                   MISPRINT_VERSION, (int)version);
    return chain_add(s, LINK_START, what, &nothing, e) && chain_note_all(s, e);
}

/* Takes the steps that are left in one transaction, so a database has all tables of a version. */
static bool make_tables(struct store *s, struct error *e)
{
    char stamp[96];
    if (!sql_begin(s, e))
        return false;
    int64_t version = number_of(s, "PRAGMA user_version", e); /* somebody else may have been faster */
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
    return sql_end(s, good, e);
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
    if (!sql_run(s, e, "BEGIN", "")) /* of one moment: another process may be making the tables */
        return false;
    int64_t application = number_of(s, "PRAGMA application_id", e),
            version = number_of(s, "PRAGMA user_version", e);
    int64_t pages = number_of(s, "PRAGMA page_count", e);
    if (application < 0 || version < 0 || pages < 0 || !sql_run(s, e, "COMMIT", ""))
        return false;
    if (version == 0 && sql_is_lost(s->directory))
        return error_set(e,
                         "%s/misprint.db: is empty, but cases/ beside it is not: what the campaign knew is "
                         "lost; restore it from a copy, or choose "
                         "another directory",
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
        return error_set(e,
                         "%s: was written by an older version of misprint and cannot be written; copy it, "
                         "and name the copy",
                         s->directory);
    if (version >= VERSION_FIRST && version < STORE_VERSION)
        return make_tables(s, e);
    if (version != STORE_VERSION)
        return error_set(e,
                         "%s: was written by another version of misprint (its tables have version %d, this "
                         "one reads %d); use that version, or another directory",
                         s->directory, (int)version, STORE_VERSION);
    return true;
}

static bool check_pages(struct store *s, struct error *e)
{
    sqlite3_stmt *statement = sql_prepare(s, e, "PRAGMA quick_check(1)", "");
    int more = statement ? sql_step(s, statement, e) : -1;
    const unsigned char *said = more == 1 ? sqlite3_column_text(statement, 0) : NULL;
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
 * A campaign that may only be read. SQLite wants to write beside a database with a write-ahead log even for
 * reading (sqlite.org/wal.html, "Read-Only Databases"), unless it is told that nobody changes the file; which
 * is so where the log is gone or empty.
 */
void sql_place(const struct store *s, char uri[SQL_PLACE_MAX])
{
    char log[1100];
    struct stat st;
    size_t used = (size_t)snprintf(uri, SQL_PLACE_MAX, "file:");
    for (const char *c = s->directory; *c; c++) /* at most 3 * 1023 characters */
        used += (size_t)snprintf(uri + used, SQL_PLACE_MAX - used, strchr("%?#", *c) ? "%%%02X" : "%c",
                                 (unsigned char)*c);
    snprintf(log, sizeof log, "%s/misprint.db-wal", s->directory);
    bool still = stat(log, &st) != 0 || st.st_size == 0;
    snprintf(uri + used, SQL_PLACE_MAX - used, "/misprint.db%s",
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

/* simpler(unit, case, its label, other case, its label): is the first to be kept rather than the other?
 * finding_case_order knows. */
static void say_simpler(sqlite3_context *to, int count, sqlite3_value **v)
{
    static _Thread_local struct test_case one, other;
    const struct unit *u = unit_named(value_text(v[0]));
    (void)count;
    if (!u) { /* of another version's unit: what stands stays */
        sqlite3_result_int(to, 0);
        return;
    }
    case_decode(&one, u, sqlite3_value_blob(v[1]), (size_t)sqlite3_value_bytes(v[1]));
    case_decode(&other, u, sqlite3_value_blob(v[3]), (size_t)sqlite3_value_bytes(v[3]));
    sqlite3_result_int(to, finding_case_order(&one, value_text(v[2]), &other, value_text(v[4])) < 0);
}

bool sql_open(struct store *s, bool create, struct error *e)
{
    char uri[SQL_PLACE_MAX];
    s->read_only = !create && !may_write(s);
    sql_place(s, uri);
    int flags = (s->read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE) | SQLITE_OPEN_NOMUTEX |
                SQLITE_OPEN_URI | (create ? SQLITE_OPEN_CREATE : 0);
    if (sqlite3_open_v2(uri, &s->db, flags, NULL) != SQLITE_OK)
        return sql_failed(s, e);
    sqlite3_busy_timeout(s->db, SQL_BUSY_MS);
    if (sqlite3_create_function_v2(s->db, "simpler", 5, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, say_simpler,
                                   NULL, NULL, NULL) != SQLITE_OK)
        return sql_failed(s, e);
    if (s->read_only)
        return number_of(s, "PRAGMA schema_version", e) >= 0 && check_tables(s, false, e) &&
               check_pages(s, e);
    /* NORMAL: a commit is in the operating system's hands, so it survives kill -9; a power cut may take the
     * last ones but harms nothing else. */
    if (number_of(s, "PRAGMA schema_version", e) < 0 || !check_tables(s, create, e) ||
        !sql_run(s, e, "PRAGMA journal_mode=WAL", "") || !sql_run(s, e, "PRAGMA synchronous=NORMAL", "") ||
        !check_pages(s, e))
        return false;
    s->links_before = number_of(s, "SELECT COALESCE(MAX(seq), 0) FROM chain", e);
    return s->links_before >= 0;
}

void sql_close(struct store *s)
{
    while (s->kept_count)
        sqlite3_finalize(s->kept[--s->kept_count].statement);
    sqlite3_close(s->db);
}
