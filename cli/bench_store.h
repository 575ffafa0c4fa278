/* SPDX-License-Identifier: MIT */
/* The part of `misprint bench` that measures what a campaign costs besides its cases: the store, memory, start-up. */
#ifndef MISPRINT_CLI_BENCH_STORE_H
#define MISPRINT_CLI_BENCH_STORE_H

#include "cli/cli.h"

/* Measures the row of this name ("store": all of these; NULL: all), adds them to both; *any: there was one. */
bool bench_store(const char *only, struct text *t, json_t *list, bool *any, struct error *e);

#endif
