/* SPDX-License-Identifier: MIT */
/*
 * What a campaign remembers of the cases it has compared, to weigh causes
 * against all of its evidence at the end (struct book_jury). Kept as bytes: a
 * case and what the board did, some hundred bytes together.
 */
#ifndef MISPRINT_FUZZ_WITNESSES_H
#define MISPRINT_FUZZ_WITNESSES_H

#include "oracle/book.h"
#include "oracle/executor.h"

enum {
    WITNESSES_MAX = 131072,       /* beyond it, a random sample of all is kept */
    WITNESS_BYTES_MAX = 64 << 20, /* of all together */
    WEIGHED_MAX = 2048,           /* runs of each side for one cause, spread evenly over the witnesses that touch it */
};

struct witnesses;
struct witnesses *witnesses_new(struct executor *x);
void witnesses_free(struct witnesses *w);

/* Remembers a case, its board outcome and which clauses its run touched. Without room or memory it is forgotten; that only makes causes harder to
 * refute. */
void witnesses_add(struct witnesses *w, const struct test_case *c, const struct outcome *board, const struct coverage *touched);

/* The jury these witnesses make; it explains by up to `max_changes` changes. */
struct book_jury witnesses_jury(struct witnesses *w, unsigned max_changes);

#endif
