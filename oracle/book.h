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
 * What a later case makes clear is settled by book_settle:
 * - a finding with several rivals, also such as only leave the difference
 *   undefined where others reproduce it, moves to the first rival that is established
 *   (or, if it is a union of established ones, to each of these);
 * - findings that are still open and share rivals become one, with the rivals
 *   they share: one cause that explains all is preferred to two, unless a third
 *   open question speaks for another reading of the same clause;
 * - a finding whose cause has become a union of smaller established causes
 *   is dissolved into these;
 * - a finding whose cause only leaves the difference undefined, and is
 *   established by other cases, goes up in that one.
 *
 * Before that, the jury: a cause that is the only smallest explanation of its
 * cases may still be wrong (two true causes at once can look like a third).
 * If it makes the model wrong about more of the other evidence than it makes it
 * right about, or if a simpler established cause gives one of its clauses another
 * reading, it is refuted: its cases go to the causes that explain them together;
 * else its smallest case is explained anew, without it; and if nothing else
 * explains that, it is unexplained, with the refuted cause as the nearest miss
 * that leaves no bit. Likewise a rival that makes the model wrong about other
 * evidence is dropped where another rival does not, and makes it right about as
 * much; and what was unexplained (too many causes at once for the search), or only excused, goes
 * to the causes found since that explain it together. What is still unexplained
 * then is explained once more, by its smallest case, before it is called so.
 */
#ifndef MISPRINT_ORACLE_BOOK_H
#define MISPRINT_ORACLE_BOOK_H

#include "oracle/finding.h"

enum { BOOK_FINDINGS_MAX = 4096 }; /* beyond it, new findings are not opened; book_overflow counts them */

struct book;

/* `base` is the profile the model runs under, `profile_name` its name. */
struct book *book_new(const struct unit *u, const struct profile *base, const char *profile_name, const struct board_identity *board);
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

/* The base profile with all causes found so far applied: cases that agree with it are no news. */
const struct profile *book_known(const struct book *b);

/* Is there a finding for this signature that nothing explains? */
bool book_has_unexplained(const struct book *b, uint64_t signature);

/* Who has seen all the evidence of the run. */
struct book_jury {
    void *context;
    /*
     * Over the evidence that touches the cause: does `with` agree anywhere where `without` does not (gain)? If nowhere,
     * how often is it the other way (harm)? One gain clears a cause, so the rest need not be looked at.
     */
    void (*weigh)(void *context, const struct cause *c, const struct profile *without, const struct profile *with, uint64_t *gain, uint64_t *harm);
    /* Does the model under this profile reproduce the finding's case? */
    bool (*agrees)(void *context, const struct profile *p, const struct finding *f);
    /* What explains the finding's case, other than sets that contain one of the refuted causes? */
    void (*explain)(void *context, const struct profile *base, const struct finding *f, const struct cause *refuted, unsigned count,
                    struct explanation *x);
};

/* Says that finding `from` went up in `to` (called once for each target, the last time with `last`). False stops the settling. */
typedef bool (*book_moved)(void *context, const struct finding *from, const struct finding *to, bool last);
/* Hears the jury alone, while the run goes on: a cause that is wrong makes cases look like news. */
bool book_hear(struct book *b, const struct book_jury *jury, book_moved moved, void *context);
/* Settles everything, at the end of the run. */
bool book_settle(struct book *b, const struct book_jury *jury /* may be NULL */, book_moved moved, void *context);

unsigned book_count(const struct book *b);
struct finding *book_finding(struct book *b, unsigned i); /* in the order in which they were opened */
uint64_t book_overflow(const struct book *b);             /* cases that BOOK_FINDINGS_MAX left without a finding */

/* Gives all findings to the caller, in the order of reports; free each with finding_free_contents, then the array. The book is empty after. */
struct finding *book_take(struct book *b, unsigned *count);

#endif
