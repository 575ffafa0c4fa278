/* SPDX-License-Identifier: MIT */
/* The ledger as text and JSON, for `misprint clauses`, `misprint show CLAUSE` and reports. */
#ifndef MISPRINT_ORACLE_DESCRIBE_CLAUSE_TEXT_H
#define MISPRINT_ORACLE_DESCRIBE_CLAUSE_TEXT_H

#include "oracle/attribution/explain.h"

#include <jansson.h>

/* Prints one line for each clause: id, "silent" if the manual says nothing definite, title, readings. */
void clause_list_print(const struct unit *u, struct text *t);

/* Prints everything about one clause. */
void clause_show(const struct unit *u, const struct clause *c, struct text *t);

/* Return a clause as JSON. clause_show_json also lists the reading that each built-in profile chooses. */
json_t *clause_to_json(const struct clause *c);
json_t *clause_show_json(const struct unit *u, const struct clause *c);
/* change_to_json returns {"clause": ID, "reading": ID}; cause_to_json returns a list of such objects. */
json_t *change_to_json(const struct unit *u, unsigned clause, unsigned reading);
json_t *cause_to_json(const struct unit *u, const struct cause *cause);
/* {"unit": NAME, "clauses": [...]} */
json_t *clause_list_json(const struct unit *u);

/* Returns the evidence in words: "measured on silicon", ... */
const char *evidence_words(enum evidence e);
/* Returns the strongest evidence that any of the clause's readings has. */
enum evidence clause_best_evidence(const struct clause *c);
/* Adds the readings that the strongest evidence in the ledger supports: "manual (software in the field)". */
void clause_print_support(const struct clause *c, struct text *t);

#endif
