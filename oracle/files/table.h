/* SPDX-License-Identifier: MIT */
/* A strict reader of comma-separated values: '#' lines, a header of column names, then rows with one field
 * for each column. No field may be empty; a field may be quoted. import.c knows what the columns mean. */
#ifndef MISPRINT_ORACLE_FILES_TABLE_H
#define MISPRINT_ORACLE_FILES_TABLE_H

#include "model/core/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TABLE_COLUMNS_MAX = 32 };

struct table {
    const char *path;    /* the path that table_open got */
    char *text;          /* the whole file; reading replaces separators by NULs */
    char *next, *end;    /* the rest of the file */
    char comments[1024]; /* the '#' lines before the header, joined by blanks; truncated if longer */
    unsigned columns;
    const char *name[TABLE_COLUMNS_MAX];  /* the header */
    const char *field[TABLE_COLUMNS_MAX]; /* the current row */
    const char *line_start;               /* start of the current row's line */
    unsigned line;                        /* line number of the current row, from 1 */
};

bool table_open(struct table *t, const char *path, struct error *e);
void table_close(struct table *t);
const char *table_file_name(const struct table *t);        /* the path without folders */
int table_column(const struct table *t, const char *name); /* its index, or -1 */
/* Reads the next row. Returns 1, 0 at the end, -1 with an error. */
int table_next(struct table *t, struct error *e);
/* Reads a field that must be exactly eight hexadecimal digits. */
bool table_hex(const struct table *t, unsigned column, uint32_t *value, struct error *e);
/* Prefixes the error with "FILE: line L, column C: ", the place of this field. Returns false. */
bool table_where(const struct table *t, const char *field, struct error *e);

#endif
