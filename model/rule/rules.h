/* SPDX-License-Identifier: MIT */
/* The rules of a profile, in a form that is copied by assignment and compared by bytes. rule.h adds and
 * returns single rules. */
#ifndef MISPRINT_MODEL_RULE_RULES_H
#define MISPRINT_MODEL_RULE_RULES_H

#include <stdint.h>

enum { RULES_MAX = 24, RULES_NODES_MAX = 384, POINTS_MAX = 512 };

/* A node of an expression in postfix order (expression.h): an operator, a number, a name or a cell of a
 * table. */
struct expression_node {
    uint32_t op, operand;
};

struct rules {
    uint32_t count, nodes;            /* in use */
    uint64_t points[POINTS_MAX / 64]; /* set of points with a rule */
    struct rule_entry {
        uint16_t point, first;  /* the guard's first node; the result's nodes follow the guard's */
        uint16_t guard, result; /* number of nodes; guard 0: always */
    } rule[RULES_MAX];
    struct expression_node node[RULES_NODES_MAX];
};

#endif
