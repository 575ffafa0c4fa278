/* SPDX-License-Identifier: MIT */
/*
 * Memory for hundreds of cases and outcomes, which are gone through from one end to the other for each launch
 * of a board. In huge pages where the kernel has them for who asks: of 4 KB each case and outcome wants a
 * score, more than a processor remembers the places of.
 *
 * Owns where they lie; what is in them is model/core/case.h's and model/core/outcome.h's.
 */
#ifndef MISPRINT_HARNESS_VC4_PAGES_H
#define MISPRINT_HARNESS_VC4_PAGES_H

#include "model/core/outcome.h"
#include "model/core/unit.h"

#include <stddef.h>

/* Zeroed, freed with free(). NULL: there is none. */
void *pages_new(size_t count, size_t size);

/* So many outcomes of a unit: what holds them, freed with free() and in no other way. NULL: there is no
 * memory. */
void *pages_of_outcomes(const struct unit *u, unsigned count, struct outcome **list);

#endif
