/* SPDX-License-Identifier: MIT */
#include "oracle/store_sql.h"

#include "oracle/store_chain.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { APPLICATION_ID = 0x4D535052 /* "MSPR" */, BUSY_MS = 10000, VERSION_FIRST = 3, VERSION_CHAINED = 5 };

/* What brings the tables from one version to the next; a new database takes all steps. */
static const char *const steps[] = {
    /* to version 3 */
    "CREATE TABLE runs (id INTEGER PRIMARY KEY, command TEXT NOT NULL, unit TEXT NOT NULL, profile TEXT NOT NULL, board_spec TEXT NOT NULL,"
    " board_kind TEXT NOT NULL, board_description TEXT NOT NULL, board_provenance TEXT NOT NULL, board_silicon INTEGER NOT NULL, memory_base INTEGER "
    "NOT NULL,"
    " code_base INTEGER NOT NULL, seed INTEGER NOT NULL,"
    " seconds REAL NOT NULL, machine TEXT NOT NULL, interrupted INTEGER NOT NULL);"
    "CREATE TABLE places (board_spec TEXT PRIMARY KEY, folder TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE tally (run INTEGER NOT NULL REFERENCES runs(id), name TEXT NOT NULL, value INTEGER NOT NULL, PRIMARY KEY (run, name)) WITHOUT "
    "ROWID;"
    "CREATE TABLE coverage (run INTEGER NOT NULL REFERENCES runs(id), clause TEXT NOT NULL, modes INTEGER NOT NULL, PRIMARY KEY (run, clause)) "
    "WITHOUT ROWID;"
    "CREATE TABLE findings (id TEXT PRIMARY KEY, unit TEXT NOT NULL, verdict TEXT NOT NULL, profile TEXT NOT NULL, board_spec TEXT NOT NULL,"
    " board_kind TEXT NOT NULL, board_description TEXT NOT NULL, board_provenance TEXT NOT NULL, board_silicon INTEGER NOT NULL,"
    " memory_base INTEGER NOT NULL, code_base INTEGER NOT NULL, rivals TEXT NOT NULL, more_rivals INTEGER NOT NULL, excused INTEGER NOT NULL, cut "
    "INTEGER NOT NULL, runs INTEGER NOT NULL, nearest TEXT NOT "
    "NULL,"
    " nearest_bits INTEGER NOT NULL, signature INTEGER NOT NULL, cases INTEGER NOT NULL, smallest BLOB, size INTEGER NOT NULL, label TEXT NOT NULL,"
    " board_outcome BLOB);"
    "CREATE TABLE evidence (finding TEXT NOT NULL, board_spec TEXT NOT NULL, board_kind TEXT NOT NULL, board_description TEXT NOT NULL,"
    " board_provenance TEXT NOT NULL, board_silicon INTEGER NOT NULL, memory_base INTEGER NOT NULL, code_base INTEGER NOT NULL, cases INTEGER NOT "
    "NULL, label TEXT NOT NULL, PRIMARY KEY (finding, "
    "board_spec));"
    "CREATE TABLE dropped (id INTEGER PRIMARY KEY, unit TEXT NOT NULL, label TEXT NOT NULL, reason TEXT NOT NULL, dropped_case BLOB NOT NULL);"
    "CREATE TABLE dropped_count (reason TEXT PRIMARY KEY, cases INTEGER NOT NULL) WITHOUT ROWID;",
    /* to version 4 */
    "ALTER TABLE runs ADD COLUMN engine TEXT NOT NULL DEFAULT '';"
    "CREATE TABLE cases (id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs(id), unit TEXT NOT NULL, hash INTEGER NOT NULL, pairs INTEGER"
    " NOT NULL, label TEXT NOT NULL, kept_case BLOB NOT NULL, outcome BLOB, UNIQUE (unit, hash));"
    "CREATE TABLE progress (run INTEGER NOT NULL REFERENCES runs(id), seconds REAL NOT NULL, cases INTEGER NOT NULL, clauses INTEGER NOT NULL,"
    " pairs INTEGER NOT NULL, findings INTEGER NOT NULL, PRIMARY KEY (run, cases)) WITHOUT ROWID;",
    /* to version 5 */
    ("CREATE TABLE chain (seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, key TEXT NOT NULL, digest BLOB NOT NULL, link BLOB NOT NULL);"
     "CREATE TABLE standing (kind TEXT NOT NULL, key TEXT NOT NULL, digest BLOB NOT NULL, PRIMARY KEY (kind, key)) WITHOUT ROWID;"),
};
_Static_assert(sizeof steps / sizeof *steps == STORE_VERSION - VERSION_FIRST + 1, "one step to each version");

#define TALLY(member)                                                                                                                                \
    {                                                                                                                                                \
#member, offsetof(struct tally, member)                                                                                                      \
    }
const struct tally_name tally_names[] = {
    TALLY(cases),
    TALLY(answers[ANSWER_OUTCOME]),
    TALLY(answers[ANSWER_REFUSED]),
    TALLY(answers[ANSWER_UNKNOWN]),
    TALLY(answers[ANSWER_NOTHING]),
    TALLY(compared),
    TALLY(equal),
    TALLY(different),
    TALLY(vacuous),
    TALLY(lanes),
    TALLY(bits),
    TALLY(untouched),
    TALLY(ends_only),
    TALLY(masked_model),
    TALLY(masked_board),
    TALLY(undefined_only),
    TALLY(attributed),
    TALLY(unfiled),
    TALLY(known),
    TALLY(unattributed),
    {NULL, 0},
};
_Static_assert(sizeof tally_names / sizeof *tally_names - 1 == sizeof(struct tally) / sizeof(uint64_t), "every counter of a tally needs its name");

/* The machine is to blame, not what the user asked for. */
static bool blame_machine(struct error *e)
{
    if (e)
        e->of_machine = true;
    return false;
}

bool file_failed(const char *path, int error, struct error *e)
{
    bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
    const char *todo = full ? "make room and run the same command again; all findings reported before are kept"
                       : error == EACCES || error == EPERM || error == EROFS ? "choose a directory that you may write to"
                                                                             : "choose another campaign directory";
    error_set(e, "%s: %s; %s", path, strerror(error), todo);
    return full || error == EIO ? blame_machine(e) : false;
}

bool sql_failed(struct store *s, struct error *e)
{
    int code = s->db ? sqlite3_errcode(s->db) : SQLITE_NOMEM;
    const char *said = s->db ? sqlite3_errmsg(s->db) : "out of memory";
    switch (code & 0xFF) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        return error_set(e, "%s/misprint.db: is damaged or no database (%s); choose another campaign directory, or restore this one from a copy",
                         s->directory, said);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        error_set(e, "%s: another process has kept the campaign's database locked for %d s; end it or choose another campaign directory",
                  s->directory, BUSY_MS / 1000);
        return blame_machine(e);
    case SQLITE_FULL:
    case SQLITE_IOERR:
        error_set(e, "%s: cannot write the campaign (%s); make room and run the same command again; all findings reported before are kept",
                  s->directory, said);
        return blame_machine(e);
    case SQLITE_NOMEM:
        return error_memory(e, "while keeping the campaign %s", s->directory);
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
        return error_set(e, "%s: cannot write the campaign (%s); choose a directory that you may write to", s->directory, said);
    default:
        return error_set(e, "%s: the campaign's database failed: %s", s->directory, said);
    }
}

static bool bind_all(sqlite3_stmt *statement, const char *kinds, va_list values)
{
    int code = SQLITE_OK;
    for (int i = 1; *kinds && code == SQLITE_OK; i++, kinds++)
        switch (*kinds) {
        case 't':
            code = sqlite3_bind_text(statement, i, va_arg(values, const char *), -1, SQLITE_TRANSIENT);
            break;
        case 'i':
            code = sqlite3_bind_int64(statement, i, va_arg(values, int64_t));
            break;
        case 'd':
            code = sqlite3_bind_double(statement, i, va_arg(values, double));
            break;
        default: {
            const void *bytes = va_arg(values, const void *);
            size_t size = va_arg(values, size_t);
            code = sqlite3_bind_blob64(statement, i, bytes, size, SQLITE_TRANSIENT);
        }
        }
    return code == SQLITE_OK;
}

/* The statement of this text that is kept; compiled, if there is none or it is in use. NULL: SQLite refuses it. */
static sqlite3_stmt *take(struct store *s, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    unsigned i = 0;
    while (i < s->kept_count && (s->kept[i].taken || strcmp(sqlite3_sql(s->kept[i].statement), sql) != 0))
        i++;
    if (i < s->kept_count) {
        s->kept[i].taken = true;
        return s->kept[i].statement;
    }
    if (sqlite3_prepare_v3(s->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) != SQLITE_OK)
        return NULL;
    if (i < SQL_KEPT_MAX) {
        s->kept[i].statement = statement;
        s->kept[i].taken = true;
        s->kept_count++;
    }
    return statement;
}

void sql_finish(struct store *s, sqlite3_stmt *statement)
{
    unsigned i = 0;
    while (i < s->kept_count && s->kept[i].statement != statement)
        i++;
    if (i == s->kept_count) {
        sqlite3_finalize(statement);
        return;
    }
    sqlite3_reset(statement); /* says again what sql_step said */
    sqlite3_clear_bindings(statement);
    s->kept[i].taken = false;
}

static sqlite3_stmt *prepare(struct store *s, struct error *e, const char *sql, const char *kinds, va_list values)
{
    sqlite3_stmt *statement = take(s, sql);
    if (statement && bind_all(statement, kinds, values))
        return statement;
    sql_failed(s, e);
    sql_finish(s, statement);
    return NULL;
}

sqlite3_stmt *sql_prepare(struct store *s, struct error *e, const char *sql, const char *kinds, ...)
{
    va_list values;
    va_start(values, kinds);
    sqlite3_stmt *statement = prepare(s, e, sql, kinds, values);
    va_end(values);
    return statement;
}

int sql_step(struct store *s, sqlite3_stmt *statement, struct error *e)
{
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        return 1;
    if (code == SQLITE_DONE)
        return 0;
    sql_failed(s, e);
    return -1;
}

bool sql_run(struct store *s, struct error *e, const char *sql, const char *kinds, ...)
{
    va_list values;
    va_start(values, kinds);
    sqlite3_stmt *statement = prepare(s, e, sql, kinds, values);
    va_end(values);
    int more = statement ? 1 : -1;
    while (more > 0)
        more = sql_step(s, statement, e);
    sql_finish(s, statement);
    return more == 0;
}

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

void sql_text(sqlite3_stmt *statement, int column, char *to, size_t room)
{
    const unsigned char *chars = sqlite3_column_text(statement, column);
    snprintf(to, room, "%s", chars ? (const char *)chars : "");
}

void *sql_all(struct store *s, sqlite3_stmt *q, const struct sql_rows *kind, unsigned *count, struct error *e)
{
    const size_t size = kind->size;
    unsigned capacity = 16;
    char *items = q ? calloc(capacity, size) : NULL;
    *count = 0;
    int more = items ? 1 : -1;
    if (q && !items)
        error_memory(e, "while reading %s", s->directory);
    while (more > 0 && (more = sql_step(s, q, e)) > 0) {
        if (*count == capacity) {
            char *grown = realloc(items, 2 * capacity * size);
            if (!grown) {
                error_memory(e, "while reading %s", s->directory);
                more = -1;
                break;
            }
            items = grown;
            memset(items + capacity * size, 0, capacity * size);
            capacity *= 2;
        }
        if (!kind->read(s, q, items + *count * size, e))
            more = -1;
        ++*count; /* also of a half-read item, so that the caller frees it */
    }
    sql_finish(s, q);
    if (more == 0)
        return items;
    for (unsigned i = 0; items && kind->clear && i < *count; i++)
        kind->clear(items + i * size);
    free(items);
    *count = 0;
    return NULL;
}

/* A pragma's or another statement's number, -1 with an error. */
static int64_t number_of(struct store *s, const char *sql, struct error *e)
{
    sqlite3_stmt *statement = sql_prepare(s, e, sql, "");
    int64_t value = statement && sql_step(s, statement, e) == 1 ? sqlite3_column_int64(statement, 0) : -1;
    sql_finish(s, statement);
    return value;
}

/* The chain begins here. What an older version left is taken as it stands: nobody can say whether it was changed before. */
static bool begin_chain(struct store *s, int64_t version, struct error *e)
{
    static const struct digest nothing = {{0}};
    char what[96];
    (void)snprintf(what, sizeof what, version ? "misprint %s, tables of version %d as they stood" : "misprint %s", MISPRINT_VERSION, (int)version);
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
    for (size_t i = version > 0 ? (size_t)(version - VERSION_FIRST) + 1 : 0; good && i < sizeof steps / sizeof *steps; i++)
        good = sqlite3_exec(s->db, steps[i], NULL, NULL, NULL) == SQLITE_OK;
    snprintf(stamp, sizeof stamp, "PRAGMA application_id=%d; PRAGMA user_version=%d;", APPLICATION_ID, STORE_VERSION);
    good = good && sqlite3_exec(s->db, stamp, NULL, NULL, NULL) == SQLITE_OK;
    if (!good)
        sql_failed(s, e);
    good = good && (version >= VERSION_CHAINED || begin_chain(s, version, e));
    return sql_end(s, good, e);
}

static bool check_tables(struct store *s, bool create, struct error *e)
{
    int64_t application = number_of(s, "PRAGMA application_id", e), version = number_of(s, "PRAGMA user_version", e);
    int64_t pages = number_of(s, "PRAGMA page_count", e);
    if (application < 0 || version < 0 || pages < 0)
        return false;
    if (version == 0 && application == 0 && pages <= 1)
        return create ? make_tables(s, e)
                      : error_set(e, "%s: is an empty campaign; `misprint fuzz UNIT --campaign %s` fills it", s->directory, s->directory);
    if (application != APPLICATION_ID)
        return error_set(e, "%s/misprint.db: is a database of another program; choose another campaign directory", s->directory);
    if (version >= VERSION_FIRST && version < STORE_VERSION && s->read_only)
        return error_set(e, "%s: was written by an older version of misprint and cannot be written; copy it, and name the copy", s->directory);
    if (version >= VERSION_FIRST && version < STORE_VERSION)
        return make_tables(s, e);
    if (version != STORE_VERSION)
        return error_set(
            e,
            "%s: was written by another version of misprint (its tables have version %d, this one reads %d); use that version, or another directory",
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
        error_set(e, "%s/misprint.db: is damaged (%s); choose another campaign directory, or restore this one from a copy", s->directory,
                  (const char *)said);
    sql_finish(s, statement);
    return good;
}

/*
 * A campaign that may only be read. SQLite wants to write beside a database with a write-ahead log even for reading (sqlite.org/wal.html,
 * "Read-Only Databases"), unless it is told that nobody changes the file; which is so where the log is gone or empty.
 */
void sql_place(const struct store *s, char uri[SQL_PLACE_MAX])
{
    char log[1100];
    struct stat st;
    size_t used = (size_t)snprintf(uri, SQL_PLACE_MAX, "file:");
    for (const char *c = s->directory; *c; c++) /* at most 3 * 1023 characters */
        used += (size_t)snprintf(uri + used, SQL_PLACE_MAX - used, strchr("%?#", *c) ? "%%%02X" : "%c", (unsigned char)*c);
    snprintf(log, sizeof log, "%s/misprint.db-wal", s->directory);
    bool still = stat(log, &st) != 0 || st.st_size == 0;
    snprintf(uri + used, SQL_PLACE_MAX - used, "/misprint.db%s", !s->read_only ? "" : still ? "?immutable=1" : "?mode=ro");
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

/* simpler(unit, case, its label, other case, its label): is the first to be kept rather than the other? finding_case_order knows. */
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
    int flags =
        (s->read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE) | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI | (create ? SQLITE_OPEN_CREATE : 0);
    if (sqlite3_open_v2(uri, &s->db, flags, NULL) != SQLITE_OK)
        return sql_failed(s, e);
    sqlite3_busy_timeout(s->db, BUSY_MS);
    if (sqlite3_create_function_v2(s->db, "simpler", 5, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, say_simpler, NULL, NULL, NULL) != SQLITE_OK)
        return sql_failed(s, e);
    if (s->read_only)
        return number_of(s, "PRAGMA schema_version", e) >= 0 && check_tables(s, false, e) && check_pages(s, e);
    /* NORMAL: a commit is in the operating system's hands, so it survives kill -9; a power cut may take the last ones but harms nothing else. */
    if (number_of(s, "PRAGMA schema_version", e) < 0 || !check_tables(s, create, e) || !sql_run(s, e, "PRAGMA journal_mode=WAL", "") ||
        !sql_run(s, e, "PRAGMA synchronous=NORMAL", "") || !check_pages(s, e))
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
