/* SPDX-License-Identifier: MIT */
/*
 * The ledger as a reference page: one self-contained HTML page with every clause of every unit, its readings
 * with sources and evidence, the profiles that choose them, and its separating cases. All its sentences come
 * from the ledger and from comments in the cases.
 */
#ifndef MISPRINT_ORACLE_DESCRIBE_SPEC_H
#define MISPRINT_ORACLE_DESCRIBE_SPEC_H

#include "model/core/unit.h"

/* Writes the page. `folder`: the corpus (corpus_find), or NULL; then the page says so. False with an error if
 * a case in it is malformed. */
bool spec_html(const char *folder, struct text *t, struct error *e);

#endif
