/* SPDX-License-Identifier: MIT */
/*
 * Tables of measured values in files of comma-separated values, read strictly:
 * '#' lines, then a header of column names, then rows of as many fields. No
 * quoting, no empty fields. What the columns mean is import.c's business.
 */
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
    char *next, *end;    /* of what is not read yet */
    char comments[1024]; /* the '#' lines in front of the header, joined by blanks; cut if longer */
    unsigned columns;
    const char *name[TABLE_COLUMNS_MAX];  /* the header */
    const char *field[TABLE_COLUMNS_MAX]; /* the row in hand */
    const char *line_start;               /* of the row in hand */
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
/* Puts "FILE: line L, column C: " of a field in front of the error; returns false. */
bool table_where(const struct table *t, const char *field, struct error *e);

#endif
