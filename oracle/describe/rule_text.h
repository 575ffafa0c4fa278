/* SPDX-License-Identifier: MIT */
/* Describes rules in words, for people who know the manual but not our observation points. The words come
 * from the point's description and the form of the rule. */
#ifndef MISPRINT_ORACLE_DESCRIBE_RULE_TEXT_H
#define MISPRINT_ORACLE_DESCRIBE_RULE_TEXT_H

#include "model/core/unit.h"
#include "model/rule/rule.h"

/* Adds a sentence: "STRIDE of a write setup counts modulo 32: bit 5 is ignored". Expressions in it are marked
 * with `backticks`. */
void rule_describe(const struct unit *u, const struct rule *r, struct text *t);
/* Adds the width of the rule's point, and its page: "The model has 6 bits here (VideoCoreIV-AG100-R p57
 * T32)." */
void rule_document(const struct unit *u, const struct rule *r, struct text *t);
/* Adds what the names in the rule stand for, except those that nobody explained: "`value`: STRIDE of a block
 * setup; 0 means 64. `reading`: 1 a read, 0 a write." */
void rule_explain_names(const struct unit *u, const struct rule *r, struct text *t);
/* Parses one line of rules and moves *line past it. False at the end, or if it is no rule of the unit. */
bool rule_next(const struct unit *u, const char **line, struct rule *r);

/* Does the result depend on the value alone, and not on inputs or other lanes? */
bool rule_of_value(const struct rule *r);

/* Is there a sweep to show: does the result depend on the value, at a point of one number? */
bool rule_is_swept(const struct unit *u, const struct rule *r);

/* A table of a point's values and of what a rule turns each into. */
struct rule_sweep {
    uint32_t count;
    uint32_t value[256], result[256]; /* result: cut to the point's width; equal to value if the guard is 0 */
    bool whole;                       /* the table has every value of the point */
};
/* Fills the table over the value's range. `input`: the words of the point's inputs; they stay the same. */
void rule_sweep(const struct unit *u, const struct rule *r, const uint32_t *input, struct rule_sweep *s);
/* Prints the table as one line: "30 stays 30, 31 stays 31, 32 becomes 0, ...; 32 of 64 values change". */
void rule_sweep_print(const struct rule_sweep *s, struct text *t);

#endif
