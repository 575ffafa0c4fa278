/* SPDX-License-Identifier: MIT */
#include "model/rule/expression_table.h"

#include <string.h>

/* The bytes of a cell's `op`, lowest first: 0xFF, first, last, and 1 if the cell holds bytes. Its `operand`:
 * the word or the bytes. */
enum { BYTES_IN_CELL = 4 };

static uint32_t first_of(const struct expression_node *cell)
{
    return cell->op >> 8 & 0xFF;
}

static uint32_t last_of(const struct expression_node *cell)
{
    return cell->op >> 16 & 0xFF;
}

static uint32_t value_in(const struct expression_node *cell, uint32_t x)
{
    return cell->op >> 24 ? cell->operand >> 8 * (x - first_of(cell)) & 0xFF : cell->operand;
}

/* Returns how many successive entries, from x on, are listed and have the value of entry x. */
static uint32_t run_at(const struct expression_table *t, uint32_t x)
{
    uint32_t n = 1;
    while (x + n < TABLE_ENTRIES && t->listed[x + n] && t->value[x + n] == t->value[x])
        n++;
    return n;
}

/* Returns how many successive entries, from x on, fit into one cell of bytes. */
static uint32_t bytes_at(const struct expression_table *t, uint32_t x)
{
    uint32_t n = 0;
    while (n < BYTES_IN_CELL && x + n < TABLE_ENTRIES && t->listed[x + n] && t->value[x + n] <= 0xFF)
        n++;
    return n;
}

uint32_t expression_cells(const struct expression_table *t, struct expression_node *to, uint32_t room)
{
    uint32_t count = 0;
    for (uint32_t x = 0, taken; x < TABLE_ENTRIES; x += taken) {
        if (!t->listed[x]) {
            taken = 1;
            continue;
        }
        uint32_t run = run_at(t, x), bytes = bytes_at(t, x), operand = t->value[x];
        bool packed = bytes > run;
        taken = packed ? bytes : run;
        for (uint32_t i = 1; packed && i < bytes; i++)
            operand |= t->value[x + i] << 8 * i;
        if (count < room)
            to[count] =
                (struct expression_node){.op = 0xFF | x << 8 | (x + taken - 1) << 16 | (uint32_t)packed << 24,
                                         .operand = operand};
        count++;
    }
    return count;
}

void expression_cells_read(const struct expression_node *cells, uint32_t count, struct expression_table *t)
{
    memset(t, 0, sizeof *t);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t x = first_of(&cells[i]); x <= last_of(&cells[i]); x++) {
            t->listed[x] = true;
            t->value[x] = value_in(&cells[i], x);
        }
}

uint32_t expression_cells_find(const struct expression_node *cells, uint32_t count, uint32_t x,
                               uint32_t other)
{
    uint32_t low = 0, high = x < TABLE_ENTRIES ? count : 0;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (last_of(&cells[middle]) < x)
            low = middle + 1;
        else
            high = middle;
    }
    return x < TABLE_ENTRIES && low < count && first_of(&cells[low]) <= x ? value_in(&cells[low], x) : other;
}
