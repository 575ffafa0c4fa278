/* SPDX-License-Identifier: MIT */
/*
 * The store's use of SQLite: bound statements and errors that say what to do (store_sql.c), the tables,
 * opening and transactions (store_tables.c). Only the store's own files include this.
 */
#ifndef MISPRINT_ORACLE_STORE_STORE_SQL_H
#define MISPRINT_ORACLE_STORE_STORE_SQL_H

#include "oracle/store/store.h"

#include <sqlite3.h>

enum {
    SQL_KEPT_MAX = 64,   /* compiled statements; a campaign repeats fewer */
    SQL_BUSY_MS = 10000, /* waiting for another process's lock */
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
    bool read_only;         /* we may not write it */
    unsigned depth;         /* of nested transactions; only the outermost is SQLite's */
    bool doomed;            /* a nested one failed, so the outermost must fail */
    bool unsealed;          /* rows were written since the chain's last seal */
    int64_t links_before;   /* links of the chain when it was opened */
};

/* To add a column or table, change `steps` in store_tables.c, STORE_VERSION, `record_tables` in
 * store_chain.c, the lists of store_merge.c and the table in docs/evidence.md. */

/* The columns of a board_identity. */
#define BOARD_COLUMNS                                                                                        \
    "board_spec, board_kind, board_description, board_provenance, board_silicon, memory_base, code_base"

/* Opens DIRECTORY/misprint.db and checks or makes the tables. Statements may call simpler(unit, case, label,
 * other case, label): is the first case to be kept rather than the other? */
bool sql_open(struct store *s, bool create, struct error *e);
void sql_close(struct store *s);
/* Is DIRECTORY/misprint.db empty though its cases are there? To go on would remove these as left over. */
bool sql_is_lost(const char *directory);

enum { SQL_URI_MAX = 4096 };
/* The database as SQLite's URI. */
void sql_uri(const struct store *s, char uri[SQL_URI_MAX]);

/* Sets the error of a failed system call on a file of the campaign; returns false. */
bool file_failed(const char *path, int error, struct error *e);
/* The same for the last failure of SQLite. */
bool sql_failed(struct store *s, struct error *e);

/*
 * Prepares a statement and binds its parameters in order, by `kinds`: 't' text (const char *), 'i' int64_t,
 * 'd' double, 'b' blob (const void *, size_t; SQL NULL if the pointer is NULL), 'B' BOARD_COLUMNS (const
 * struct board_identity *). NULL with an error. sql_finish keeps the compiled statement for the next use of
 * the same text; compiling each time took three fifths of the store's time.
 */
sqlite3_stmt *sql_prepare(struct store *s, struct error *e, const char *sql, const char *kinds, ...);
void sql_finish(struct store *s, sqlite3_stmt *statement); /* NULL is fine */
/* The next row: 1; 0 at the end; -1 with an error, also for a statement that is NULL. */
int sql_step(struct store *s, sqlite3_stmt *statement, struct error *e);
/* Prepares, binds, runs to the end. */
bool sql_run(struct store *s, struct error *e, const char *sql, const char *kinds, ...);
/* The first column of the first row, 0 if there is no row; -1 with an error. */
int64_t sql_number(struct store *s, struct error *e, const char *sql, const char *kinds, ...);

/* Reads rows into items of an array. */
struct sql_rows {
    size_t size;
    bool (*read)(struct store *s, sqlite3_stmt *q, void *item, struct error *e); /* the item is zeroed */
    void (*clear)(void *item); /* frees what it owns; NULL: nothing */
};
/* All rows of a statement, as an array. NULL with an error. */
void *sql_all(struct store *s, sqlite3_stmt *q, const struct sql_rows *kind, unsigned *count,
              struct error *e);

/* Copies a text column, cut to `room`. */
void sql_text(sqlite3_stmt *statement, int column, char *to, size_t room);

/* The counters of a tally by name, so that new counters need no new column. */
struct tally_name {
    const char *name;
    size_t offset;
};
extern const struct tally_name tally_names[]; /* ends at a NULL name */

/* The column `interrupted` of runs. */
enum run_end { RUN_COMPLETE, RUN_UNRECONCILED, RUN_CUT_SHORT /* by a signal, but reconciled */ };

/* A case's binary form; NULL without memory. */
uint8_t *store_encode(const struct test_case *c, size_t *size);
/* Writes a case to a file of this name in the campaign. */
bool store_write_case(const struct store *s, const char *name, const struct test_case *c, const char *about,
                      const char *label, bool flush, struct error *e);
/* Writes missing files of findings, and removes files of findings that are gone. */
bool store_repair_files(struct store *s, struct error *e);

#endif
