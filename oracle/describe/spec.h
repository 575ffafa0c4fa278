/* SPDX-License-Identifier: MIT */
/*
 * The ledger as a reference to browse: one self-contained HTML page in the
 * report's look, with every clause of every unit, its readings with their
 * sources and evidence, the profiles that choose them, and its separating cases.
 * Every sentence comes from the ledger's own fields and the cases' own comments.
 */
#ifndef MISPRINT_ORACLE_DESCRIBE_SPEC_H
#define MISPRINT_ORACLE_DESCRIBE_SPEC_H

#include "model/core/unit.h"

/* `folder`: of the corpus (corpus_find), NULL if it is not here; then the page says so. False with an error
 * if a case in it is bad. */
bool spec_html(const char *folder, struct text *t, struct error *e);

#endif
