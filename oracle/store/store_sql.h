/* SPDX-License-Identifier: MIT */
/*
 * The store's way to SQLite: bound statements and errors that a person can act
 * upon (store_sql.c), the tables, opening and transactions (store_tables.c).
 * Only the store's own files include it.
 */
#ifndef MISPRINT_ORACLE_STORE_STORE_SQL_H
#define MISPRINT_ORACLE_STORE_STORE_SQL_H

#include "oracle/store/store.h"

#include <sqlite3.h>

enum {
    SQL_KEPT_MAX = 64,   /* more than there are statements that a running campaign repeats */
    SQL_BUSY_MS = 10000, /* to wait for another process's lock */
};

struct store {
    sqlite3 *db;
    struct {
        sqlite3_stmt *statement;
        bool taken; /* between sql_prepare and sql_finish */
    } kept[SQL_KEPT_MAX];
    unsigned kept_count;
    char directory[1024];
    uint64_t dropped_cases; /* kept so far */
    bool read_only;         /* somebody else's, or on a medium that takes nothing */
    unsigned depth;         /* transactions begun within each other; only the outermost is SQLite's */
    bool doomed;            /* one within failed, so the outermost must */
    bool unsealed;          /* rows were written that the chain's last link does not speak for */
    int64_t links_before;   /* of the chain, when it was opened */
};

/* A new column or table: `steps` in store_tables.c, STORE_VERSION, `record_tables` in store_chain.c, the
 * lists of store_merge.c and the table in docs/evidence.md. */

/*
 * Opens DIRECTORY/misprint.db and checks or makes the tables. Statements may ask simpler(unit, case, label,
 * other case, label): is the first case to be kept rather than the other?
 */
bool sql_open(struct store *s, bool create, struct error *e);
void sql_close(struct store *s);
/* Has DIRECTORY/misprint.db nothing in it, though its cases are there? Whoever went on would throw these away
 * as nobody's. */
bool sql_is_lost(const char *directory);

enum { SQL_PLACE_MAX = 4096 };
/* The database as SQLite's URI: for opening, and for attaching to another one. */
void sql_place(const struct store *s, char uri[SQL_PLACE_MAX]);

/* Says what a failed system call on a file of the campaign means for the user; returns false. */
bool file_failed(const char *path, int error, struct error *e);
/* The same of what SQLite said last. */
bool sql_failed(struct store *s, struct error *e);

/*
 * Prepares a statement and binds its parameters in order by `kinds`: 't' text
 * (const char *), 'i' int64_t, 'd' double, 'b' blob (const void *, size_t; SQL NULL if the pointer is).
 * NULL with an error. To be given back by sql_finish: a statement of the same text is then ready at once
 * (compiling them anew took three fifths of what a store cost).
 */
sqlite3_stmt *sql_prepare(struct store *s, struct error *e, const char *sql, const char *kinds, ...);
void sql_finish(struct store *s, sqlite3_stmt *statement); /* NULL is fine; its columns are gone */
/* The next row: 1; 0 at the end; -1 with an error. */
int sql_step(struct store *s, sqlite3_stmt *statement, struct error *e);
/* Prepares, binds, runs to the end. */
bool sql_run(struct store *s, struct error *e, const char *sql, const char *kinds, ...);

/* Transactions may stand within each other: all is committed with the outermost, or nothing. */
bool sql_begin(struct store *s, struct error *e);
/* Seals the chain and commits if `good`, else rolls back; returns whether all is well. */
bool sql_end(struct store *s, bool good, struct error *e);

/* How rows become items of an array. */
struct sql_rows {
    size_t size;
    bool (*read)(struct store *s, sqlite3_stmt *q, void *item,
                 struct error *e); /* the item is all zero before */
    void (*clear)(void *item);     /* frees what it owns; NULL: nothing */
};
/* Reads all rows of a statement, which may be NULL with an error, into an array. NULL with an error. */
void *sql_all(struct store *s, sqlite3_stmt *q, const struct sql_rows *kind, unsigned *count,
              struct error *e);

/* Copies a text column, cut to `room`. */
void sql_text(sqlite3_stmt *statement, int column, char *to, size_t room);

/* The counters of a tally by name, so that a database outlives a new counter. */
struct tally_name {
    const char *name;
    size_t offset;
};
extern const struct tally_name tally_names[]; /* ends at a NULL name */

/* The column `interrupted` of runs. */
enum run_end { RUN_COMPLETE, RUN_UNSETTLED, RUN_CUT_SHORT /* by a signal, but settled */ };

/* A case's binary form; NULL without memory. */
uint8_t *store_encode(const struct test_case *c, size_t *size);
/* A case as a file for people, of this name in the campaign. Its bytes are in the database too. */
bool store_write_case(const struct store *s, const char *name, const struct test_case *c, const char *about,
                      const char *label, bool flush, struct error *e);
/* Writes the files of findings that have none (a process was killed before it came to that), and removes
 * those of findings that are gone. */
bool store_mend_files(struct store *s, struct error *e);

#endif
