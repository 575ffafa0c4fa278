/* SPDX-License-Identifier: MIT */
/*
 * Draws how a field is put together from slices of other numbers, where a sentence of the ledger says so:
 *
 *     ADDR = {Y[5:0], B[1:0]}
 *
 *              7    6    5    4    3    2    1    0
 *           ┌────┬────┬────┬────┬────┬────┬────┬────┐
 *     ADDR  │ Y5 │ Y4 │ Y3 │ Y2 │ Y1 │ Y0 │ B1 │ B0 │
 *           └────┴────┴────┴────┴────┴────┴────┴────┘
 */
#ifndef MISPRINT_ORACLE_DESCRIBE_SLICES_H
#define MISPRINT_ORACLE_DESCRIBE_SLICES_H

#include "model/text/text.h"

/* Adds the picture of the first such formula in `says`, each line indented by `indent` blanks. Adds nothing
 * and returns false if there is none, or if it is no list of slices of at most 16 bits in all. */
bool slices_draw(const char *says, unsigned indent, struct text *t);

#endif
