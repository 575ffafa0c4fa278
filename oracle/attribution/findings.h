/* SPDX-License-Identifier: MIT */
/*
 * The findings of one run: differing cases go in, and findings come out, one per cause.
 *
 * A case is filed under a finding, in the order of the cases, so that equal runs give equal findings:
 * - If nothing explains it, or the board disagrees with itself, by the signature of its differences.
 * - If it is explained, by its candidates, the smallest sets that explain it. A case with one candidate
 * establishes that cause.
 * - A cause that is a union of smaller established causes makes no finding: the case counts for each of
 * these.
 *
 * Then findings_reconcile applies the attribution over all evidence (attribute.h):
 * - Of a finding's candidates those remain that the evidence allows.
 * - A cause that the evidence does not allow is refuted, however well it explains its own cases (two true
 * causes at once can look like a third). Its finding gets the part of the attributed set that explains the
 * case, or is unexplained if that set does not explain it either.
 * - An unexplained finding (it had too many causes for the search) and one whose candidates only mask the
 * difference get that part too.
 * - A finding one of whose candidates is established, or whose cause has become a union of smaller
 * established causes, is merged into their findings.
 */
#ifndef MISPRINT_ORACLE_ATTRIBUTION_FINDINGS_H
#define MISPRINT_ORACLE_ATTRIBUTION_FINDINGS_H

#include "oracle/attribution/attribute.h"
#include "oracle/store/finding.h"

enum { FINDINGS_MAX = 4096 }; /* findings that a campaign opens */

struct findings;

/* Called for each finding `to` that finding `from` is merged into, the last time with `last`. False stops the
 * reconciliation. */
typedef bool (*findings_moved)(void *context, const struct finding *from, const struct finding *to,
                               bool last);

/* `base`: the profile the model runs under, `profile_name`: its name, `most`: findings that may be opened. */
struct findings *findings_new(const struct unit *u, const struct profile *base, const char *profile_name,
                              const struct board_identity *board, unsigned most);
void findings_set_board(struct findings *fs,
                        const struct board_identity *now); /* for the cases from now on */
void findings_free(struct findings *fs);

/* One differing case. */
struct evidence_of_case {
    const struct explanation *explanation;
    bool flaky;         /* the board disagrees with itself */
    uint64_t signature; /* of the differences */
    const struct test_case *tc;
    const struct outcome *board;
    const char *label;
    void (*filed)(void *context,
                  const struct finding *f); /* called for each finding that it counts for; or NULL */
    void *context;
};

enum filed {
    FILED_FAILED, /* memory ran out: see `e` */
    FILED_KNOWN,  /* under known findings */
    FILED_NEW,    /* under a finding that it opened */
    FILED_NOWHERE /* it needs a finding of its own, and as many as allowed are open */
};
/* Files a case; `opened`: the finding it opened, else NULL. */
enum filed findings_file_case(struct findings *fs, const struct evidence_of_case *what,
                              struct finding **opened, struct error *e);

/*
 * Adds a finding of an earlier run, by its smallest case. `compared`: cases that earlier runs compared. Until
 * this run has compared as many, it may narrow the finding down but not overturn it, because the evidence of
 * the earlier runs is not all in memory. `cases`: the finding's cases in the store that this run moves where
 * the finding is merged.
 */
bool findings_restore(struct findings *fs, const struct evidence_of_case *what, uint64_t compared,
                      uint64_t cases, struct error *e);

/* Adds a finding of another run of the same comparison, with all its cases. `moved` is called where it is
 * merged into findings with other ids. */
bool findings_merge(struct findings *fs, const struct finding *f, const struct outcome *board,
                    findings_moved moved, void *context, struct error *e);

/* The base profile with all causes found so far. A case that agrees with it shows nothing new. */
const struct profile *findings_known(const struct findings *fs);

/* The same with the causes, too, that only mask differences. A case that agrees with this one and not with
 * findings_known shows nothing but them. */
const struct profile *findings_known_masked(const struct findings *fs);

/* Did the last reconciliation attribute all the changes of this cause? */
bool findings_attributes(const struct findings *fs, const struct cause *c);

/* Reconciles the findings with the attribution `a` over the evidence of the run, which compared `compared`
 * cases. `x` made the attribution. May be called again when there is more evidence. */
bool findings_reconcile(struct findings *fs, struct executor *x, const struct attribution *a,
                        uint64_t compared, findings_moved moved, void *context);

unsigned findings_count(const struct findings *fs);
struct finding *findings_at(struct findings *fs, unsigned i); /* in the order in which they were opened */

/* Hands all findings over to the caller, in the order of reports, and leaves none. Free each with
 * finding_free_contents, then the array. */
struct finding *findings_release(struct findings *fs, unsigned *count);

#endif
