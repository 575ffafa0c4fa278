/* SPDX-License-Identifier: MIT */
/* What `misprint bench` calls a fuzz campaign. */
#ifndef MISPRINT_CLI_BENCH_BENCH_FUZZ_H
#define MISPRINT_CLI_BENCH_BENCH_FUZZ_H

#include "model/core/error.h"

#include <stdint.h>

/*
 * A campaign as `misprint fuzz UNIT` runs it, from the project's corpus, comparison and attribution included,
 * against the unit's best-known silicon. By cases, not by seconds, of which a busy machine gives few: what a
 * campaign spends on causes at its start would count for more there. Returns how many cases it ran; negative:
 * failed, with `e`.
 */
double bench_fuzz(const char *unit, const char *profile, uint64_t seed, uint64_t cases, struct error *e);

#endif
