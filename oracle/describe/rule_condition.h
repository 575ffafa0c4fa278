/* SPDX-License-Identifier: MIT */
/* Conditions of rules in words: "it is a write and HORIZ is 0 (vertical)". */
#ifndef MISPRINT_ORACLE_DESCRIBE_RULE_CONDITION_H
#define MISPRINT_ORACLE_DESCRIBE_RULE_CONDITION_H

#include "model/rule/expression.h"
#include "oracle/describe/rule_words.h"

enum { CONJUNCTS_MAX = 32, OPERANDS_MAX = POINT_INPUTS_MAX + 1 };

/* A part of a condition: nodes `from` to `to`. The whole condition holds if all parts hold. `reads`: a bit
 * for each input, and bit WORDS_OF_VALUE for the value. */
struct conjunct {
    uint32_t from, to, reads;
    bool lanes; /* it also reads the number of the lane, or other lanes */
    bool done;  /* it needs no words, or it already has them */
};
struct condition {
    const struct expression *e;
    struct conjunct part[CONJUNCTS_MAX];
    unsigned count;
};

void condition_split(const struct expression *e, struct condition *c);
/* Adds the parts that are not done, in words. Adds nothing if there is none. */
void condition_add(const struct rule_words *w, struct condition *c);
/* If part `n` says that an operand, an input or WORDS_OF_VALUE, has one number, returns true and that. */
bool conjunct_fixes(const struct condition *c, unsigned n, unsigned *operand, uint32_t *number);

/* ---- results over few numbers ---- */

/* Returns what an expression reads. *lanes: does it read the number of the lane, or other lanes? */
uint32_t expression_reads(const struct expression *e, bool *lanes);
/* Adds " is 0 where SIZE is 0 (bytes), and 1 where ..." if the result reads only few bits of inputs. `guard`:
 * of the rule; numbers with which it cannot hold are left out. False if there is no short list. */
bool results_add(const struct rule_words *w, const struct expression *result, const struct expression *guard);
/* Adds the condition under which bit 0 of a result is 1. False if there are no words for it. */
bool result_bit_add(const struct rule_words *w, const struct expression *result);

#endif
