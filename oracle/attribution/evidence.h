/* SPDX-License-Identifier: MIT */
/*
 * The evidence of a campaign: the cases that were compared, agreeing ones
 * included, each with the board's outcome, encoded (some hundred bytes a case).
 * Beyond the limits a random sample is kept.
 */
#ifndef MISPRINT_ORACLE_ATTRIBUTION_EVIDENCE_H
#define MISPRINT_ORACLE_ATTRIBUTION_EVIDENCE_H

#include "model/core/unit.h"

enum {
    EVIDENCE_ITEMS_MAX = 131072,
    EVIDENCE_BYTES_MAX = 64 << 20, /* of all items together */
};

struct evidence_set;
struct evidence_set *evidence_set_new(const struct unit *u);
void evidence_set_free(struct evidence_set *v); /* NULL is fine */

/* Adds a case and its board outcome. With `keep` it is never replaced by a later one; only want of memory
 * loses it. */
void evidence_set_add(struct evidence_set *v, const struct test_case *c, const struct outcome *board,
                      bool keep);

/* Adds, and keeps, another form (a reduced one, say) of a case that was compared already. It speaks for or
 * against readings like any item, but counts of cases leave it out. */
void evidence_set_add_uncounted(struct evidence_set *v, const struct test_case *c,
                                const struct outcome *board);

/* Adds all items of another set of the same unit. */
void evidence_set_add_all(struct evidence_set *v, const struct evidence_set *other);

unsigned evidence_set_count(const struct evidence_set *v);
bool evidence_set_is_kept(const struct evidence_set *v, unsigned i); /* added with `keep`, or uncounted */
bool evidence_set_is_uncounted(const struct evidence_set *v, unsigned i);
uint64_t evidence_set_id(const struct evidence_set *v,
                         unsigned i); /* no other item of the set has or had it */
/* Decodes item i; false if it was lost for want of memory. */
bool evidence_set_load(const struct evidence_set *v, unsigned i, struct test_case *c, struct outcome *board);

#endif
