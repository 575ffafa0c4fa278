/* SPDX-License-Identifier: MIT */
/* The words of observation points and their inputs: noun phrases, clauses, and what numbers mean. The form of
 * the descriptions is in model/rule/point.h. */
#ifndef MISPRINT_ORACLE_DESCRIBE_RULE_WORDS_H
#define MISPRINT_ORACLE_DESCRIBE_RULE_WORDS_H

#include "model/core/unit.h"
#include "model/rule/point.h"

/* What a sentence is about, and where its words go. */
struct rule_words {
    const struct unit *u;
    const struct point *p;
    struct known_inputs known; /* by the rule's guard */
    struct text *t;
};

/* Stands for the value at the point where inputs are numbered. */
enum { WORDS_OF_VALUE = POINT_INPUTS_MAX };

/* Returns the description of the value (WORDS_OF_VALUE) or of an input. NULL if an input has none. */
const char *words_about(const struct rule_words *w, unsigned input);
/* Returns the description of an input by its name; NULL if it has none. */
const char *words_about_input(const struct unit *u, const struct point *p, const char *name);

/* Is the description a statement, "1: the write takes place", which has no noun phrase? */
bool words_is_statement(const char *about);
/* Returns the statement that holds for a number, 0 or 1, and its length. NULL if the description has none. */
const char *words_statement(const char *about, uint32_t number, size_t *length);

/* Adds the noun phrase of a description: "the row that Y of ADDR names". `begins`: it begins a sentence. */
void words_add_noun(const char *about, bool begins, struct text *t);
/* Adds the name of the value or of an input: its noun phrase, or `input` if it has none. */
void words_add_name(const struct rule_words *w, unsigned input);
/* Adds a number of the value or of an input, and what it means, if anything says so: "2 (words)". */
void words_add_number(const struct rule_words *w, unsigned input, uint32_t number);
/* Does anything say what a number of the value or of an input means? */
bool words_has_meaning(const struct rule_words *w, unsigned input, uint32_t number);

#endif
