/* SPDX-License-Identifier: MIT */
/*
 * Memory for hundreds of cases and outcomes, all of which are used for each launch of a board. Uses huge
 * pages if the kernel has them: a case and its outcome need about twenty pages of 4 KB, which is too much for
 * a TLB.
 */
#ifndef MISPRINT_HARNESS_VC4_PAGES_H
#define MISPRINT_HARNESS_VC4_PAGES_H

#include "model/core/outcome.h"
#include "model/core/unit.h"

#include <stddef.h>

/* Zeroed memory, freed with free(). NULL: out of memory. */
void *pages_new(size_t count, size_t size);

/* Makes `count` outcomes. Returns the memory that holds them, freed with free() only. NULL: out of memory. */
void *pages_of_outcomes(const struct unit *u, unsigned count, struct outcome **list);

#endif
