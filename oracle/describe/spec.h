/* SPDX-License-Identifier: MIT */
/*
 * The ledger as a reference: one self-contained HTML page with every clause of every unit, its readings with
 * their sources and evidence, the profiles that choose them, and its separating cases. All sentences are from
 * the ledger and from comments of the cases.
 */
#ifndef MISPRINT_ORACLE_DESCRIBE_SPEC_H
#define MISPRINT_ORACLE_DESCRIBE_SPEC_H

#include "model/core/unit.h"

/* `folder`: the corpus (corpus_find), or NULL; then the page says so. False with an error if a case in it is
 * bad. */
bool spec_html(const char *folder, struct text *t, struct error *e);

#endif
