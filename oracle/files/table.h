/* SPDX-License-Identifier: MIT */
/* Reads files of comma-separated values strictly: '#' lines, then a header of column names, then rows with as
 * many fields. No field is empty; a field may be quoted. import.c knows what the columns mean. */
#ifndef MISPRINT_ORACLE_FILES_TABLE_H
#define MISPRINT_ORACLE_FILES_TABLE_H

#include "model/core/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TABLE_COLUMNS_MAX = 32 };

struct table {
    const char *path;    /* as it was opened */
    char *text;          /* the file, cut into fields by NULs as it is read */
    char *next, *end;    /* of the rest */
    char comments[1024]; /* the '#' lines before the header, joined by blanks; cut if longer */
    unsigned columns;
    const char *name[TABLE_COLUMNS_MAX];  /* the header */
    const char *field[TABLE_COLUMNS_MAX]; /* the current row */
    const char *line_start;               /* of the current row */
    unsigned line;                        /* its number, from 1 */
};

bool table_open(struct table *t, const char *path, struct error *e);
void table_close(struct table *t);
const char *table_file_name(const struct table *t);        /* the last part of its path */
int table_column(const struct table *t, const char *name); /* index, or -1 */
/* The next row: 1, 0 at the end, -1 with an error. */
int table_next(struct table *t, struct error *e);
/* A word of exactly eight hexadecimal digits. */
bool table_hex(const struct table *t, unsigned column, uint32_t *value, struct error *e);
/* Prefixes the error with "FILE: line L, column C: " of a field; returns false. */
bool table_where(const struct table *t, const char *field, struct error *e);

#endif
