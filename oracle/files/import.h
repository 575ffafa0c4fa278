/* SPDX-License-Identifier: MIT */
/*
 * Tables of measured values become traces: one case for each measured value,
 * whose outcome holds just what was measured. Reading the table is table.h's,
 * writing the trace trace.h's.
 */
#ifndef MISPRINT_ORACLE_FILES_IMPORT_H
#define MISPRINT_ORACLE_FILES_IMPORT_H

#include "oracle/board/board.h"

/* The columns of a table of one kind: row operands first, then what was measured. */
struct import_kind {
    const char *name;               /* "vc4-alu" */
    const char *unit;               /* whose cases come of it */
    const char *columns;            /* for people: "op, a, b, result, ..." */
    const char *about;              /* one line */
    const struct import_form *form; /* import_row.h */
};
const struct import_kind *import_kind_at(unsigned i); /* in listing order; NULL after the last */

struct import_facts {
    uint64_t rows;   /* of the table */
    uint64_t cases;  /* records of the trace */
    uint64_t bits;   /* measured bits in all of them, lanes counted each */
    uint64_t masked; /* fields of the table that were left out because they are not valid measurements */
    struct board_identity who;
};

/*
 * Reads the table, writes the trace. The table's '#' lines are its provenance
 * and must say who measured where: without them it is refused. Errors name
 * line and column. `silicon`: the user says that
 * they were measured on hardware; no table is taken to be that by itself. `facts` may be NULL.
 */
bool import_table(const char *kind, const char *csv_path, const char *trace_path, bool silicon,
                  struct import_facts *facts, struct error *e);

#endif
