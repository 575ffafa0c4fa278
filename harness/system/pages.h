/* SPDX-License-Identifier: MIT */
/*
 * Allocates memory for hundreds of cases and outcomes, all of which are used in each launch. Uses huge pages
 * if the kernel has them: a case and its outcome span about twenty pages of 4 KB, so hundreds of them would
 * not fit into a TLB.
 */
#ifndef MISPRINT_HARNESS_SYSTEM_PAGES_H
#define MISPRINT_HARNESS_SYSTEM_PAGES_H

#include "model/core/outcome.h"
#include "model/core/unit.h"

#include <stddef.h>

/* Zeroed memory, freed with free(). NULL: out of memory. */
void *pages_new(size_t count, size_t size);

/* Makes `count` empty cases in one block of memory, and returns that block. Each has room for a case of this
 * unit alone, not of any unit as `struct test_case` has: so they are close together, and must not be copied
 * by assignment. Free the block with free(). NULL: out of memory. */
void *pages_of_cases(const struct unit *u, unsigned count, struct test_case **list);

/* Makes `count` outcomes in one block of memory, and returns that block. Free the block with free(), and do
 * not free single outcomes. NULL: out of memory. */
void *pages_of_outcomes(const struct unit *u, unsigned count, struct outcome **list);

#endif
