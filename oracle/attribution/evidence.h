/* SPDX-License-Identifier: MIT */
/*
 * The evidence of a campaign: the cases that were compared, agreeing ones included, each with the board's
 * outcome. They are stored encoded, in some hundred bytes each. Beyond the limits a random sample is kept.
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

/* Adds a case and its board outcome. With `keep`, no later case replaces it; it is lost only if memory runs
 * out. */
void evidence_set_add(struct evidence_set *v, const struct test_case *c, const struct outcome *board,
                      bool keep);

/* Adds another form of a case that was compared already, for example the reduced form, and keeps it. The new
 * item counts for or against readings like any other, but is not counted as a case. */
void evidence_set_add_uncounted(struct evidence_set *v, const struct test_case *c,
                                const struct outcome *board);

/* Adds all items of another set of the same unit. */
void evidence_set_add_all(struct evidence_set *v, const struct evidence_set *other);

unsigned evidence_set_count(const struct evidence_set *v);
bool evidence_set_is_kept(const struct evidence_set *v, unsigned i); /* added with `keep`, or uncounted */
bool evidence_set_is_uncounted(const struct evidence_set *v, unsigned i);
uint64_t evidence_set_id(const struct evidence_set *v,
                         unsigned i); /* an id that no other item of this set ever has */
/* Decodes item i. False if it was lost because memory ran out. */
bool evidence_set_load(const struct evidence_set *v, unsigned i, struct test_case *c, struct outcome *board);

#endif
