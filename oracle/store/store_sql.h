/* SPDX-License-Identifier: MIT */
/*
 * The store's layer over SQLite. store_sql.c has bound statements and error texts, store_tables.c the tables,
 * opening and transactions. Only the store's own files include this header.
 */
#ifndef MISPRINT_ORACLE_STORE_STORE_SQL_H
#define MISPRINT_ORACLE_STORE_STORE_SQL_H

#include "oracle/store/store.h"

#include <sqlite3.h>

enum {
    SQL_KEPT_MAX = 64,   /* size of the cache of compiled statements; a campaign uses fewer */
    SQL_BUSY_MS = 10000, /* how long to wait for another process's lock */
};

struct store {
    sqlite3 *db;
    struct {
        sqlite3_stmt *statement;
        bool taken; /* in use: between sql_prepare and sql_finish */
    } kept[SQL_KEPT_MAX];
    unsigned kept_count;
    char directory[1024];
    uint64_t dropped_cases; /* how many dropped cases are stored */
    bool read_only;         /* the database cannot be written */
    unsigned depth;         /* nesting depth of transactions; only the outermost is a transaction of SQLite */
    bool doomed;            /* a nested transaction failed, so the outermost one must fail */
    bool unsealed;          /* rows were written since the last seal of the chain */
    int64_t links_before;   /* number of links in the chain when the database was opened */
};

/* To add a column or table, change `steps` in store_tables.c, STORE_VERSION, `record_tables` in
 * store_chain.c, the lists of store_merge.c and the table in docs/evidence.md. */

/* The column `rivals` of a finding has its candidates, with " | " between them. This mark follows a candidate
 * that only leaves the differing bits undefined (cause.masks). */
#define STORE_MASKS " (masks)"

/* The columns of a board_identity. */
#define BOARD_COLUMNS                                                                                        \
    "board_spec, board_kind, board_description, board_provenance, board_silicon, memory_base, code_base"

/* Opens DIRECTORY/misprint.db; checks or creates the tables. Adds an SQL function simpler(unit, case, label,
 * other case, other label), which says whether to keep the first case rather than the other one. */
bool sql_open(struct store *s, bool create, struct error *e);
void sql_close(struct store *s);
/* Is DIRECTORY/misprint.db empty while cases/ still has files? Opening such a campaign must fail, because
 * store_repair_files would remove the files. */
bool sql_is_lost(const char *directory);

/* Writes the trials of a finding's cause (store_trials.c); reads them again. */
bool trials_put(struct store *s, const struct finding *f, struct error *e);
bool trials_get(struct store *s, struct finding *f, struct error *e);

/* Writes the learned rules of a finding (store_learned.c); reads them again. */
bool learned_put(struct store *s, const struct finding *f, struct error *e);
bool learned_get(struct store *s, struct finding *f, struct error *e);

/* Writes the further cases of a finding (store_learned.c); reads them again. */
/* `kept`: the store has the finding's smallest case, and not another one. `new`: it had none or another one
 * before. */
bool related_put(struct store *s, const struct finding *f, bool kept, bool new, struct error *e);
bool related_get(struct store *s, struct finding *f, struct error *e);

enum { SQL_URI_MAX = 4096 };
/* Writes the database's name as a URI for SQLite. */
void sql_uri(const struct store *s, char uri[SQL_URI_MAX]);

/* Sets the error of a failed system call on a file of the campaign; returns false. */
bool file_failed(const char *path, int error, struct error *e);
/* Sets the error from the last failure of SQLite; returns false. */
bool sql_failed(struct store *s, struct error *e);

/*
 * Prepares a statement and binds its parameters in order, by `kinds`: 't' text (const char *), 'i' int64_t,
 * 'd' double, 'b' blob (const void *, size_t; SQL NULL if the pointer is NULL), 'B' BOARD_COLUMNS (const
 * struct board_identity *). NULL with an error. sql_finish keeps the compiled statement for the next use of
 * the same text; compiling each time took three fifths of the store's time.
 */
sqlite3_stmt *sql_prepare(struct store *s, struct error *e, const char *sql, const char *kinds, ...);
void sql_finish(struct store *s, sqlite3_stmt *statement); /* NULL is fine */
/* Steps to the next row. Returns 1; 0 at the end; -1 with an error, also if the statement is NULL. */
int sql_step(struct store *s, sqlite3_stmt *statement, struct error *e);
/* Prepares a statement, binds its parameters and runs it to its end. */
bool sql_run(struct store *s, struct error *e, const char *sql, const char *kinds, ...);
/* Returns the first column of the first row; 0 if there is no row; -1 with an error. */
int64_t sql_number(struct store *s, struct error *e, const char *sql, const char *kinds, ...);

/* How sql_all turns a row into an array item. */
struct sql_rows {
    size_t size;
    bool (*read)(struct store *s, sqlite3_stmt *q, void *item, struct error *e); /* the item is zeroed */
    void (*clear)(void *item); /* frees what an item owns; NULL: it owns nothing */
};
/* Reads all rows of a statement into an array. NULL with an error. */
void *sql_all(struct store *s, sqlite3_stmt *q, const struct sql_rows *kind, unsigned *count,
              struct error *e);

/* Copies a text column; truncates it to `room` bytes. */
void sql_text(sqlite3_stmt *statement, int column, char *to, size_t room);

/* The counters of a tally are stored by name, so that a new counter needs no new column. */
struct tally_name {
    const char *name;
    size_t offset;
};
extern const struct tally_name tally_names[]; /* the last entry has a NULL name */

/* Values of the column `interrupted` of runs. */
enum run_end { RUN_COMPLETE, RUN_UNRECONCILED, RUN_CUT_SHORT /* by a signal, but reconciled */ };

/* Returns a case in binary form; NULL: out of memory. */
uint8_t *store_encode(const struct test_case *c, size_t *size);
/* Writes a case to the file `name` in the campaign's directory. */
bool store_write_case(const struct store *s, const char *name, const struct test_case *c, const char *about,
                      const char *label, bool flush, struct error *e);
/* Writes the missing files of findings, and removes files whose findings are gone. */
bool store_repair_files(struct store *s, struct error *e);

#endif
