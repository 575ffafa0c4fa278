/* SPDX-License-Identifier: MIT */
/*
 * The ledger for people and scripts: what `misprint clauses` and
 * `misprint show CLAUSE` print, and the JSON of both, which reports share.
 * Every sentence comes from the ledger's own fields.
 */
#ifndef MISPRINT_ORACLE_DESCRIBE_CLAUSE_TEXT_H
#define MISPRINT_ORACLE_DESCRIBE_CLAUSE_TEXT_H

#include "oracle/attribution/explain.h"

#include <jansson.h>

/* One line a clause: id, "silent" where the manual says nothing definite, title, readings. */
void clause_list_print(const struct unit *u, struct text *t);

/* One clause in full: source, every reading with its source and evidence, the profiles that choose it,
 * proposed wording, workaround. */
void clause_show(const struct unit *u, const struct clause *c, struct text *t);

/* New references. The second also says which reading each built-in profile of the unit chooses. */
json_t *clause_to_json(const struct clause *c);
json_t *clause_show_json(const struct unit *u, const struct clause *c);
/* {"clause": ID, "reading": ID}, and a list of these. */
json_t *change_to_json(const struct unit *u, unsigned clause, unsigned reading);
json_t *cause_to_json(const struct unit *u, const struct cause *cause);
/* {"unit": NAME, "clauses": [...]} */
json_t *clause_list_json(const struct unit *u);

/* "measured on silicon", ...: what an evidence is, for sentences. */
const char *evidence_words(enum evidence e);
/* The strongest evidence among the clause's readings. */
enum evidence clause_best_evidence(const struct clause *c);

#endif
