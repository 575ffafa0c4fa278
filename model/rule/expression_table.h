/* SPDX-License-Identifier: MIT */
/*
 * Tables of expressions: what a number of at most eight bits becomes. In an expression a table is a sequence
 * of cells, which are nodes that hold data. A cell has the number from `first` to `last`. It holds one word
 * that all of them become, or a byte for each of at most four. So a table of 256 bytes takes 64 nodes, and a
 * table with long runs of one value takes a few.
 */
#ifndef MISPRINT_MODEL_RULE_EXPRESSION_TABLE_H
#define MISPRINT_MODEL_RULE_EXPRESSION_TABLE_H

#include "model/rule/rules.h"

#include <stdbool.h>

enum { TABLE_ENTRIES = 256 };

struct expression_table {
    uint32_t value[TABLE_ENTRIES];
    bool listed[TABLE_ENTRIES]; /* others become what stands after `else` */
};

/* Writes the cells of a table. The same table has always the same cells. Returns how many it takes, which may
 * be more than `room`; then not all are written. */
uint32_t expression_cells(const struct expression_table *t, struct expression_node *to, uint32_t room);
/* Reads cells back. */
void expression_cells_read(const struct expression_node *cells, uint32_t count, struct expression_table *t);

static inline bool expression_is_cell(const struct expression_node *n)
{
    return (n->op & 0xFF) == 0xFF;
}
/* What `x` becomes; `other` if the cells do not list it. */
uint32_t expression_cells_find(const struct expression_node *cells, uint32_t count, uint32_t x,
                               uint32_t other);

#endif
