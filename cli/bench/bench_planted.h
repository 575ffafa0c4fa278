/* SPDX-License-Identifier: MIT */
/* `misprint bench planted` (bench_planted.c): a bench of its own, whose unit is errata instead of cases a
 * second. */
#ifndef MISPRINT_CLI_BENCH_BENCH_PLANTED_H
#define MISPRINT_CLI_BENCH_BENCH_PLANTED_H

#include "cli/cli.h"

int bench_planted(const struct arguments *a);

#endif
