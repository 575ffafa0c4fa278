/* SPDX-License-Identifier: MIT */
/*
 * Tables in expressions. A table maps numbers of at most eight bits to words. In an expression a table is a
 * sequence of cells, which are nodes that hold data. A cell covers the numbers from `first` to `last`. It
 * holds one word for all of these numbers, or one byte for each of at most four numbers. So a table of 256
 * bytes takes 64 nodes, and a table with long runs of one value takes a few.
 */
#ifndef MISPRINT_MODEL_RULE_EXPRESSION_TABLE_H
#define MISPRINT_MODEL_RULE_EXPRESSION_TABLE_H

#include "model/rule/rules.h"

#include <stdbool.h>

enum { TABLE_ENTRIES = 256 };

struct expression_table {
    uint32_t value[TABLE_ENTRIES];
    bool listed[TABLE_ENTRIES]; /* for other numbers, the operator's second operand is the result */
};

/* Writes the cells of a table. Equal tables have equal cells. Returns the number of cells that the table
 * needs. If it is larger than `room`, the function writes only the first `room` cells. */
uint32_t expression_cells(const struct expression_table *t, struct expression_node *to, uint32_t room);
/* Makes the table that these cells hold. */
void expression_cells_read(const struct expression_node *cells, uint32_t count, struct expression_table *t);

static inline bool expression_is_cell(const struct expression_node *n)
{
    return (n->op & 0xFF) == 0xFF;
}
/* Returns the word for `x`; `other` if the cells do not list `x`. */
uint32_t expression_cells_find(const struct expression_node *cells, uint32_t count, uint32_t x,
                               uint32_t other);

#endif
