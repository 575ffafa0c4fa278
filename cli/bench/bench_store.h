/* SPDX-License-Identifier: MIT */
/* The part of `misprint bench` that measures what a campaign costs besides its cases: the store, memory,
 * start-up. */
#ifndef MISPRINT_CLI_BENCH_BENCH_STORE_H
#define MISPRINT_CLI_BENCH_BENCH_STORE_H

#include "cli/cli.h"

/* Is it the name of one of its rows? */
bool bench_store_name(const char *name);
/* Measures the row of this name ("store": all of these; NULL: all), adds them to both. */
bool bench_store(const char *only, struct text *t, json_t *list, struct error *e);

#endif
