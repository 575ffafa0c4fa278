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
 * What other evidence makes clear is settled by findings_reconcile, by the attribution
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
#ifndef MISPRINT_ORACLE_ATTRIBUTION_FINDINGS_H
#define MISPRINT_ORACLE_ATTRIBUTION_FINDINGS_H

#include "oracle/attribution/attribute.h"
#include "oracle/store/finding.h"

enum { FINDINGS_MAX = 4096 }; /* a campaign's book opens no more */

struct findings;

/* Says that finding `from` went up in `to` (called once for each target, the last time with `last`). False
 * stops the settling. */
typedef bool (*findings_moved)(void *context, const struct finding *from, const struct finding *to,
                               bool last);

/* `base` is the profile the model runs under, `profile_name` its name; `most`: findings that it opens. */
struct findings *findings_new(const struct unit *u, const struct profile *base, const char *profile_name,
                              const struct board_identity *board, unsigned most);
void findings_identify(
    struct findings *b,
    const struct board_identity *now); /* the board as it is now, for findings and cases from now on */
void findings_free(struct findings *b);

/* One differing case. */
struct evidence_of_case {
    const struct explanation *explanation;
    bool flaky;         /* the board disagrees with itself */
    uint64_t signature; /* of the differences */
    const struct test_case *tc;
    const struct outcome *board;
    const char *label;
    void (*filed)(void *context,
                  const struct finding *f); /* told of each finding that the case was filed in; may be NULL */
    void *context;
};

enum filed {
    FILED_FAILED, /* memory ran out: see `e` */
    FILED_KNOWN,  /* added to known findings */
    FILED_NEW,    /* opened one */
    FILED_NOWHERE /* it needs one of its own, and the book is full */
};
/* Files a case; `opened`: the finding it opened, else NULL. */
enum filed findings_file_case(struct findings *b, const struct evidence_of_case *what,
                              struct finding **opened, struct error *e);

/*
 * Files what an earlier run made of a finding, its smallest case in hand, with no cases of this run;
 * `compared`: cases that such runs compared, `cases`: of those, what this run moves in the store where the
 * finding goes up in another. Until this one compared as many, it may narrow down what they found, and not
 * overturn it: the evidence that it rests on is not all at hand any more.
 */
bool findings_restore(struct findings *b, const struct evidence_of_case *what, uint64_t compared,
                      uint64_t cases, struct error *e);

/*
 * Takes in what another book of the same comparison came to, with all its cases. Where they go up in findings
 * that are there, `moved` is told.
 */
bool findings_merge(struct findings *b, const struct finding *f, const struct outcome *board,
                    findings_moved moved, void *context, struct error *e);

/* The base profile with all causes found so far applied: cases that agree with it are no news. */
const struct profile *findings_known(const struct findings *b);

/* The same with the causes, too, that only leave differences undefined: what differs from what is known and
 * not from this shows nothing but them. */
const struct profile *findings_known_masked(const struct findings *b);

/* Does all the evidence come to these changes, among others, by when the book was settled last? */
bool findings_attributes(const struct findings *b, const struct cause *c);

/*
 * Settles the book by what the evidence of the run comes to, `compared` cases; `x` is what the attribution
 * was made with. Again and again, if there is more evidence.
 */
bool findings_reconcile(struct findings *b, struct executor *x, const struct attribution *a,
                        uint64_t compared, findings_moved moved, void *context);

unsigned findings_count(const struct findings *b);
struct finding *findings_at(struct findings *b, unsigned i); /* in the order in which they were opened */

/* Gives all findings to the caller, in the order of reports; free each with finding_free_contents, then the
 * array. The book is empty after. */
struct finding *findings_release(struct findings *b, unsigned *count);

#endif
