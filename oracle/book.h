/* SPDX-License-Identifier: MIT */
/*
 * The book of one run: differing cases in, findings out, one per cause.
 *
 * How a case is filed, in the order of the cases (so equal runs make equal books):
 * - Not explained, or the board disagrees with itself: by the signature of its
 *   differences.
 * - Explained: by its rivals, the smallest sets that explain it. A case with a
 *   single rival establishes that cause.
 * - A single rival that is a union of smaller established causes (A and B at
 *   once) is evidence for each of them, and makes no finding of its own.
 *
 * What other evidence makes clear is settled by book_settle, by the attribution
 * over all of it (attribute.h):
 * - of a finding's rivals those stay that the evidence allows;
 * - a cause that the evidence does not allow is refuted, however well it explains
 *   its own cases (two true causes at once can look like a third): the finding
 *   gets the part of the attributed set that explains it, or, if that set does
 *   not explain it either, is unexplained;
 * - what was unexplained (too many causes at once for the search) or only excused
 *   gets that part too;
 * - a finding one of whose rivals is established, or whose cause has become a
 *   union of smaller established causes, goes up in these.
 */
#ifndef MISPRINT_ORACLE_BOOK_H
#define MISPRINT_ORACLE_BOOK_H

#include "oracle/attribute.h"
#include "oracle/finding.h"

enum { BOOK_FINDINGS_MAX = 4096 }; /* beyond it, new findings are not opened; book_overflow counts them */

struct book;

/* `base` is the profile the model runs under, `profile_name` its name. */
/* The board's identity is copied; what changes in it while it runs (`state`) is told by book_identify. */
struct book *book_new(const struct unit *u, const struct profile *base, const char *profile_name, const struct board_identity *board);
void book_identify(struct book *b, const struct board_identity *now); /* findings and cases from now on are this board's */
void book_free(struct book *b);

/* One differing case. */
struct evidence_of_case {
    const struct explanation *explanation;
    bool flaky;         /* the board disagrees with itself */
    uint64_t signature; /* of the differences */
    const struct test_case *tc;
    const struct outcome *board;
    const char *label;
    void (*filed)(void *context, const struct finding *f); /* told of each finding that the case was filed in; may be NULL */
    void *context;
};

/* Files a case. Returns the finding it opened, if it opened one; NULL if it was added to known ones (or memory ran out: see `e`). */
struct finding *book_file(struct book *b, const struct evidence_of_case *what, struct error *e);

/*
 * Files what an earlier run made of a finding, its smallest case in hand, with no cases of this run; `compared`: cases that
 * such runs compared. Until this one compared as many, it may narrow down what they found, and not overturn it: the
 * evidence that it rests on is not all at hand any more.
 */
bool book_restore(struct book *b, const struct evidence_of_case *what, uint64_t compared, struct error *e);

/* The base profile with all causes found so far applied: cases that agree with it are no news. */
const struct profile *book_known(const struct book *b);

/* Says that finding `from` went up in `to` (called once for each target, the last time with `last`). False stops the settling. */
typedef bool (*book_moved)(void *context, const struct finding *from, const struct finding *to, bool last);
/*
 * Settles the book by what the evidence of the run comes to, `compared` cases; `x` is what the attribution was made with.
 * Again and again, if there is more evidence.
 */
bool book_settle(struct book *b, struct executor *x, const struct attribution *a, uint64_t compared, book_moved moved, void *context);

unsigned book_count(const struct book *b);
struct finding *book_finding(struct book *b, unsigned i); /* in the order in which they were opened */
uint64_t book_overflow(const struct book *b);             /* cases that BOOK_FINDINGS_MAX left without a finding */

/* Gives all findings to the caller, in the order of reports; free each with finding_free_contents, then the array. The book is empty after. */
struct finding *book_take(struct book *b, unsigned *count);

#endif
