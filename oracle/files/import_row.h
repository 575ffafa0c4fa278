/* SPDX-License-Identifier: MIT */
/* Turns a row of a table into cases. import.c knows tables and traces but no unit; one file for each family
 * of units (import_vc4.c) knows what that family's columns mean. */
#ifndef MISPRINT_ORACLE_FILES_IMPORT_ROW_H
#define MISPRINT_ORACLE_FILES_IMPORT_ROW_H

#include "oracle/files/import.h"
#include "oracle/files/table.h"
#include "oracle/files/trace.h"

enum { IMPORT_OPERANDS_MAX = 3, IMPORT_ABSENT = -1 };

struct import_column {
    const char *name;
    uint8_t how, code; /* the family's own */
};

struct importer;

struct import_form {
    const char *operands[IMPORT_OPERANDS_MAX + 1]; /* columns that a row must have */
    const char *flags;                  /* the column of flags, which belong to the column "result"; NULL */
    const struct import_column *column; /* what may have been measured; ends at an entry without name */
    bool (*row)(struct importer *m, struct error *e); /* makes the cases of the current row */
};
extern const struct import_form import_vc4_alu, import_vc4_pack, import_vc4_unpack;

struct importer {
    struct table table;
    const struct import_form *form;
    const struct unit *unit;
    int operand[IMPORT_OPERANDS_MAX], flags;               /* which column; IMPORT_ABSENT */
    const struct import_column *column[TABLE_COLUMNS_MAX]; /* NULL: not a measured value */
    struct test_case tc;
    struct outcome *out;
    struct trace_writer *writer;
    struct import_facts facts;
};

#endif
