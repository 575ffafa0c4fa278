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
    WITNESSES_MAX = 131072,       /* items */
    WITNESS_BYTES_MAX = 64 << 20, /* of all together */
};

struct witnesses;
struct witnesses *witnesses_new(const struct unit *u);
void witnesses_free(struct witnesses *v); /* NULL is fine */

/* Remembers a case and its board outcome. Without room or memory it may be forgotten, unless `keep`: then
 * only without memory. */
void witnesses_add(struct witnesses *v, const struct test_case *c, const struct outcome *board, bool keep);

/* The same of a case that is one already in another form, reduced say: it speaks for or against readings, and
 * is never counted. */
void witnesses_call(struct witnesses *v, const struct test_case *c, const struct outcome *board);

/* All of another's of the same unit, as if they had been added here. */
void witnesses_add_all(struct witnesses *v, const struct witnesses *other);

unsigned witnesses_count(const struct witnesses *v);
bool witnesses_is_kept(const struct witnesses *v, unsigned i); /* was it added with `keep`, or called? */
bool witnesses_is_called(const struct witnesses *v, unsigned i);
uint64_t witnesses_name(const struct witnesses *v,
                        unsigned i); /* a number that no other witness of this evidence has or had */
size_t witnesses_case_size(const struct witnesses *v, unsigned i); /* bytes */
/* False if item i was lost for want of memory. */
bool witnesses_load(const struct witnesses *v, unsigned i, struct test_case *c, struct outcome *board);

#endif
