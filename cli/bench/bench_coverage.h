/* SPDX-License-Identifier: MIT */
/* `misprint bench coverage`: what the ledger's counters (fuzz/engines/engine_harness.h) are worth as feedback
 * to a fuzzer. */
#ifndef MISPRINT_CLI_BENCH_BENCH_COVERAGE_H
#define MISPRINT_CLI_BENCH_BENCH_COVERAGE_H

#include "cli/cli.h"

int bench_coverage(const struct arguments *a);

#endif
