/* SPDX-License-Identifier: MIT */
/* The rows of `misprint bench unknown`: one JSON object for each board, from which the tables are made. */
#ifndef MISPRINT_CLI_BENCH_UNKNOWN_ROWS_H
#define MISPRINT_CLI_BENCH_UNKNOWN_ROWS_H

#include "fuzz/measure/unknown.h"

#include <jansson.h>

json_t *unknown_row(const struct unknown_board *b, const struct unknown_budget *o,
                    const struct unknown_result *r);
/* Does the row belong to this board, seed and budget? */
bool unknown_row_fits(const json_t *row, const struct unknown_board *b, const struct unknown_budget *o);
/* Prints the row as one line of words. */
void unknown_row_say(const json_t *row, struct text *t);
/* Prints the tables in Markdown. `left_out`: number of readings that change no defined bit. */
void unknown_rows_print(const json_t *rows, unsigned left_out, struct text *t);

#endif
