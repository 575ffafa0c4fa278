/* SPDX-License-Identifier: MIT */
#include "oracle/store/store_sql.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TALLY_NAMED(name, member)                                                                            \
    {                                                                                                        \
        name, offsetof(struct tally, member)                                                                 \
    }
#define TALLY(member) TALLY_NAMED(#member, member)
const struct tally_name tally_names[] = {
    TALLY(cases),
    TALLY(answers[ANSWER_OUTCOME]),
    TALLY(answers[ANSWER_REFUSED]),
    TALLY(answers[ANSWER_UNKNOWN]),
    TALLY(answers[ANSWER_NOTHING]),
    TALLY(compared),
    TALLY(equal),
    TALLY(different),
    TALLY_NAMED("foretold", predicted), /* stored under this name since version 1 */
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
_Static_assert(sizeof tally_names / sizeof *tally_names - 1 == sizeof(struct tally) / sizeof(uint64_t),
               "every counter of a tally needs its name");

bool file_failed(const char *path, int error, struct error *e)
{
    bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
    const char *todo = full ? "make room and run the same command again; the findings stored before are kept"
                       : error == EACCES || error == EPERM || error == EROFS
                           ? "choose a directory that you may write to"
                           : "choose another campaign directory";
    error_set(e, "%s: %s; %s", path, strerror(error), todo);
    return full || error == EIO ? error_of_machine(e) : false;
}

bool sql_failed(struct store *s, struct error *e)
{
    int code = s->db ? sqlite3_errcode(s->db) : SQLITE_NOMEM;
    const char *said = s->db ? sqlite3_errmsg(s->db) : "out of memory";
    switch (code & 0xFF) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        return error_set(
            e,
            "%s/misprint.db: is damaged or not a database (%s); choose another campaign directory, "
            "or restore this one from a copy",
            s->directory, said);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        error_set(e,
                  "%s: another process has locked the campaign's database for %d s; end it or choose another "
                  "directory",
                  s->directory, SQL_BUSY_MS / 1000);
        return error_of_machine(e);
    case SQLITE_FULL:
    case SQLITE_IOERR:
        error_set(e,
                  "%s: cannot write the campaign (%s); make room and run the same command again; the "
                  "findings stored before are kept",
                  s->directory, said);
        return error_of_machine(e);
    case SQLITE_NOMEM:
        return error_memory(e, "while keeping the campaign %s", s->directory);
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
        return s->read_only
                   ? error_set(e,
                               "%s: cannot read the campaign (%s); check your permission to read misprint.db",
                               s->directory, said)
                   : error_set(e,
                               "%s: cannot write the campaign (%s); choose a directory that you may write to",
                               s->directory, said);
    default:
        return error_set(e, "%s: the campaign's database failed: %s", s->directory, said);
    }
}

static int bind_text(sqlite3_stmt *statement, int at, const char *chars)
{
    return sqlite3_bind_text(statement, at, chars, -1, SQLITE_TRANSIENT);
}

static int bind_board(sqlite3_stmt *statement, int at, const struct board_identity *b)
{
    return bind_text(statement, at, b->spec) | bind_text(statement, at + 1, b->kind) |
           bind_text(statement, at + 2, b->description) | bind_text(statement, at + 3, b->provenance) |
           sqlite3_bind_int64(statement, at + 4, b->silicon) |
           sqlite3_bind_int64(statement, at + 5, b->memory_base) |
           sqlite3_bind_int64(statement, at + 6, b->code_base);
}

static bool bind_all(sqlite3_stmt *statement, const char *kinds, va_list values)
{
    enum { BOARD_COUNT = 7 };
    int code = SQLITE_OK;
    for (int i = 1; *kinds && code == SQLITE_OK; i += *kinds++ == 'B' ? BOARD_COUNT : 1)
        switch (*kinds) {
        case 't':
            code = bind_text(statement, i, va_arg(values, const char *));
            break;
        case 'i':
            code = sqlite3_bind_int64(statement, i, va_arg(values, int64_t));
            break;
        case 'd':
            code = sqlite3_bind_double(statement, i, va_arg(values, double));
            break;
        case 'B':
            code = bind_board(statement, i, va_arg(values, const struct board_identity *));
            break;
        default: {
            const void *bytes = va_arg(values, const void *);
            size_t size = va_arg(values, size_t);
            code = sqlite3_bind_blob64(statement, i, bytes, size, SQLITE_TRANSIENT);
        }
        }
    return code == SQLITE_OK;
}

/* Returns the cached statement with this text if it is free, or else a new one. NULL if SQLite refuses it. */
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
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    s->kept[i].taken = false;
}

static sqlite3_stmt *prepare(struct store *s, struct error *e, const char *sql, const char *kinds,
                             va_list values)
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
    int code = statement ? sqlite3_step(statement) : SQLITE_MISUSE;
    if (code == SQLITE_ROW)
        return 1;
    if (code == SQLITE_DONE)
        return 0;
    if (statement)
        sql_failed(s, e);
    return -1;
}

bool sql_run(struct store *s, struct error *e, const char *sql, const char *kinds, ...)
{
    va_list values;
    va_start(values, kinds);
    sqlite3_stmt *statement = prepare(s, e, sql, kinds, values);
    va_end(values);
    int more;
    while ((more = sql_step(s, statement, e)) > 0)
        ;
    sql_finish(s, statement);
    return more == 0;
}

int64_t sql_number(struct store *s, struct error *e, const char *sql, const char *kinds, ...)
{
    va_list values;
    va_start(values, kinds);
    sqlite3_stmt *statement = prepare(s, e, sql, kinds, values);
    va_end(values);
    int more = sql_step(s, statement, e);
    int64_t number = more > 0 ? sqlite3_column_int64(statement, 0) : more;
    sql_finish(s, statement);
    return number;
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
        ++*count; /* an item that was only partly read is counted too, so that it is cleared */
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

uint8_t *store_encode(const struct test_case *c, size_t *size)
{
    uint8_t *bytes = malloc(CASE_BYTES_MAX);
    if (bytes)
        *size = case_encode(c, bytes);
    return bytes;
}
