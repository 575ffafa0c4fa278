/* SPDX-License-Identifier: MIT */
/*
 * All the evidence of a run: the cases that were compared, agreeing ones too,
 * with what the board did. Kept as bytes, some hundred a case. Beyond the limits
 * a random sample of all is kept.
 */
#ifndef MISPRINT_ORACLE_ATTRIBUTION_EVIDENCE_H
#define MISPRINT_ORACLE_ATTRIBUTION_EVIDENCE_H

#include "model/core/unit.h"

enum {
    EVIDENCE_ITEMS_MAX = 131072,   /* items */
    EVIDENCE_BYTES_MAX = 64 << 20, /* of all together */
};

struct evidence_set;
struct evidence_set *evidence_set_new(const struct unit *u);
void evidence_set_free(struct evidence_set *v); /* NULL is fine */

/* Remembers a case and its board outcome. Without room or memory it may be forgotten, unless `keep`: then
 * only without memory. */
void evidence_set_add(struct evidence_set *v, const struct test_case *c, const struct outcome *board,
                      bool keep);

/* The same of a case that is one already in another form, reduced say: it speaks for or against readings, and
 * is never counted. */
void evidence_set_add_uncounted(struct evidence_set *v, const struct test_case *c,
                                const struct outcome *board);

/* All of another's of the same unit, as if they had been added here. */
void evidence_set_add_all(struct evidence_set *v, const struct evidence_set *other);

unsigned evidence_set_count(const struct evidence_set *v);
bool evidence_set_is_kept(const struct evidence_set *v,
                          unsigned i); /* was it added with `keep`, or called? */
bool evidence_set_is_uncounted(const struct evidence_set *v, unsigned i);
uint64_t evidence_set_id(const struct evidence_set *v,
                         unsigned i); /* a number that no other witness of this evidence has or had */
size_t evidence_set_case_size(const struct evidence_set *v, unsigned i); /* bytes */
/* False if item i was lost for want of memory. */
bool evidence_set_load(const struct evidence_set *v, unsigned i, struct test_case *c, struct outcome *board);

#endif
