/* SPDX-License-Identifier: MIT */
/*
 * Writes the ledger as one self-contained HTML page. For every clause of every unit, it has the readings with
 * their sources and evidence, the profiles that choose them, and the separating cases. For every unit, it has
 * the matrix (matrix.h), which is also written as Markdown. All sentences of the page come from the ledger,
 * from learned profiles and from comments in the cases.
 */
#ifndef MISPRINT_ORACLE_DESCRIBE_SPEC_H
#define MISPRINT_ORACLE_DESCRIBE_SPEC_H

#include "model/core/unit.h"

/* Writes the page. `folder`: the corpus (corpus_find), or NULL; then the page says so. False with an error if
 * a case in it is malformed. */
bool spec_html(const char *folder, struct text *t, struct error *e);

/* Writes the matrices of all units as Markdown. Fails as spec_html does. */
bool spec_markdown(const char *folder, struct text *t, struct error *e);

#endif
