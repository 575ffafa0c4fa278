/* SPDX-License-Identifier: MIT */
/* Turns a row of a table into cases. import.c handles tables and traces for every unit. One file for each
 * family of units (import_vc4.c) knows what the columns of that family mean. */
#ifndef MISPRINT_ORACLE_FILES_IMPORT_ROW_H
#define MISPRINT_ORACLE_FILES_IMPORT_ROW_H

#include "oracle/files/import.h"
#include "oracle/files/table.h"
#include "oracle/files/trace.h"

enum { IMPORT_OPERANDS_MAX = 3, IMPORT_ABSENT = -1 };

struct import_column {
    const char *name;
    uint8_t how, code; /* the meaning of the value; only the family's own file knows these numbers */
};

struct importer;

struct import_form {
    const char *operands[IMPORT_OPERANDS_MAX + 1]; /* columns that a row must have */
    const char *flags; /* name of the flags column, which belongs to column "result"; NULL: none */
    const struct import_column *column; /* columns of measured values; the last entry has no name */
    bool (*row)(struct importer *m, struct error *e); /* makes the cases of the current row */
};
extern const struct import_form import_vc4_alu, import_vc4_pack, import_vc4_unpack;

struct importer {
    struct table table;
    const struct import_form *form;
    const struct unit *unit;
    int operand[IMPORT_OPERANDS_MAX], flags;               /* column numbers; IMPORT_ABSENT: none */
    const struct import_column *column[TABLE_COLUMNS_MAX]; /* NULL: not a measured value */
    struct test_case tc;
    struct outcome *out;
    struct trace_writer *writer;
    struct import_facts facts;
};

#endif
