/* SPDX-License-Identifier: MIT */
/* Turns tables of measured values into traces. Each value becomes one case. Its outcome defines only the bits
 * that were measured. */
#ifndef MISPRINT_ORACLE_FILES_IMPORT_H
#define MISPRINT_ORACLE_FILES_IMPORT_H

#include "oracle/board/board.h"

/* One kind of table. */
struct import_kind {
    const char *name;               /* "vc4-alu" */
    const char *unit;               /* the unit of the cases */
    const char *columns;            /* column names, for people: "op, a, b, result, ..." */
    const char *about;              /* one line */
    const struct import_form *form; /* import_row.h */
};
const struct import_kind *import_kind_at(unsigned i); /* in listing order; NULL after the last */

struct import_facts {
    uint64_t rows;   /* rows of the table */
    uint64_t cases;  /* records of the trace */
    uint64_t bits;   /* measured bits in all cases; each lane counts */
    uint64_t masked; /* fields of the table that were left out because they are no valid measurements */
    struct board_identity who;
};

/*
 * Reads the table and writes the trace. The table's '#' lines are the provenance; they must say who measured
 * where, or the table is refused. `silicon`: the user declares that the values were measured on hardware.
 * Without this declaration, no table counts as silicon. Errors name line and column. `facts` may be NULL.
 */
bool import_table(const char *kind, const char *csv_path, const char *trace_path, bool silicon,
                  struct import_facts *facts, struct error *e);

#endif
