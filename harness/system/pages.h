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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed memory, freed with free(). NULL: out of memory. */
void *pages_new(size_t count, size_t size);

/* Makes `count` outcomes in one block of memory, and returns that block. Free the block with free(), and do
 * not free single outcomes. NULL: out of memory. */
void *pages_of_outcomes(const struct unit *u, unsigned count, struct outcome **list);

/*
 * Room for cases with their outcomes. Each pair is made when it is first needed, because to clear the memory
 * of hundreds takes milliseconds. A case has room for a case of this unit alone, not of any unit as `struct
 * test_case` has: so they are close together, and must not be copied by assignment.
 */
struct pages_of_pairs {
    const struct unit *unit;
    uint8_t *cases, *outcomes;
    struct image_rules *rules;
};
/* False: out of memory. */
bool pages_of_pairs_new(struct pages_of_pairs *p, const struct unit *u, unsigned most);
void pages_of_pairs_make(const struct pages_of_pairs *p, unsigned i, struct test_case **c,
                         struct outcome **o);
void pages_of_pairs_free(struct pages_of_pairs *p);

#endif
