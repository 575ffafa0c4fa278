/* SPDX-License-Identifier: MIT */
/*
 * The matrix of a unit: its clauses by what is known to follow which reading of them. The columns are the
 * manual, silicon (the readings that were measured or stated), the built-in profiles, and the implementations
 * of the learned profiles. A cell links a case that shows it. Rules of learned profiles belong to no clause;
 * they are listed below, also with their cases.
 */
#ifndef MISPRINT_ORACLE_DESCRIBE_MATRIX_H
#define MISPRINT_ORACLE_DESCRIBE_MATRIX_H

#include "oracle/files/corpus.h"
#include "oracle/files/learned.h"

struct matrix {
    const struct unit *unit;
    /* For unit_at(0) to unit_at(units - 1): its cases. NULL: no cell links one of them. A clause that units
     * share has its cases with one of these units. */
    struct corpus *const *cases;
    unsigned units;
    const struct learned_list *learned;
};

/* Adds a part of the page of `misprint spec`. It links clauses by their ids, and the cases of clauses by
 * "case-UNIT-NAME". The cases of learned profiles are part of it. */
void matrix_html(const struct matrix *m, struct text *t);

/* Adds the same as a table of Markdown. Links are paths from the folder that holds the corpus. */
void matrix_markdown(const struct matrix *m, struct text *t);

#endif
