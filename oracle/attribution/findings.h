/* SPDX-License-Identifier: MIT */
/*
 * The findings of one run. This module takes differing cases, and makes one finding for each cause.
 *
 * A case is added to findings by these rules. They are applied in the order of the cases, so that equal runs
 * give equal findings:
 * - A case that nothing explains, and a case on which the board disagrees with itself, belong to the finding
 *   with the same signature of differences.
 * - An explained case belongs to the finding with the same candidates. These are the smallest sets that
 *   explain it. If there is only one candidate, the case establishes that cause.
 * - If the cause is a union of smaller established causes, the case counts for the finding of each of these.
 *
 * Then findings_reconcile applies the attribution over all evidence (attribute.h):
 * - A finding keeps only the candidates that the evidence allows.
 * - A cause that the evidence does not allow is refuted, even if it explains its own cases (two true causes
 *   at once can look like a third). Its finding gets the part of the attributed set that explains the case,
 *   or is unexplained if that set does not explain the case either.
 * - A finding whose candidates only mask the difference becomes unexplained if the evidence is against all
 *   of them (attribution_allows_mask).
 * - A finding that is unexplained, because its cases had too many causes for the search, also gets the part
 * of
 *   the attributed set that explains its case. So does a finding whose candidates only mask the difference.
 * - A finding is merged into others if one of its candidates is established, or if its cause has become a
 *   union of smaller established causes.
 */
#ifndef MISPRINT_ORACLE_ATTRIBUTION_FINDINGS_H
#define MISPRINT_ORACLE_ATTRIBUTION_FINDINGS_H

#include "oracle/attribution/attribute.h"
#include "oracle/store/finding.h"

enum { FINDINGS_MAX = 4096 }; /* a campaign has at most this many findings */

struct findings;

/* Called for each finding `to` into which finding `from` is merged; `last` is set in the last of these calls.
 * If it returns false, the reconciliation stops. */
typedef bool (*findings_moved)(void *context, const struct finding *from, const struct finding *to,
                               bool last);

/* `base`: the profile that the model runs under. `profile_name`: its name. `most`: how many findings may be
 * created. */
struct findings *findings_new(const struct unit *u, const struct profile *base, const char *profile_name,
                              const struct board_identity *board, unsigned most);
void findings_set_board(struct findings *fs,
                        const struct board_identity *now);               /* for the cases from now on */
void findings_set_base(struct findings *fs, const struct profile *base); /* before any case is filed */
void findings_free(struct findings *fs);

/* One differing case. */
struct evidence_of_case {
    const struct explanation *explanation;
    bool flaky;         /* the board disagrees with itself */
    uint64_t signature; /* of the case's differences */
    const struct test_case *tc;
    const struct outcome *board;
    const char *label;
    const struct trials *trials;           /* of a finding that exists already; else NULL */
    const struct finding_learned *learned; /* the learned rules that explain the case; NULL or empty: none */
    const struct related_case *related;    /* further cases of the finding, RELATED_ROLES of them; or NULL */
    void (*filed)(void *context,
                  const struct finding *f); /* called for each finding that the case counts for; or NULL */
    void *context;
};

enum filed {
    FILED_FAILED, /* out of memory; see `e` */
    FILED_KNOWN,  /* it belongs to known findings */
    FILED_NEW,    /* it belongs to a new finding */
    FILED_NOWHERE /* it needs a new finding, but there are `most` already */
};
/* Adds a case to findings. `opened`: the finding that it created, or NULL. */
enum filed findings_file_case(struct findings *fs, const struct evidence_of_case *what,
                              struct finding **opened, struct error *e);

/*
 * Adds a finding of an earlier run by its smallest case. `compared`: how many cases earlier runs compared.
 * Not all evidence of the earlier runs is in memory. So this run may only remove candidates of the finding,
 * and may refute it only once this run has compared as many cases. `cases`: how many of the finding's stored
 * cases this run moves if the finding is merged.
 */
bool findings_restore(struct findings *fs, const struct evidence_of_case *what, uint64_t compared,
                      uint64_t cases, struct error *e);

/* Adds a finding of another run of the same comparison, with all its cases. Calls `moved` if the finding is
 * merged into findings with other ids. */
bool findings_merge(struct findings *fs, const struct finding *f, const struct outcome *board,
                    findings_moved moved, void *context, struct error *e);

/*
 * Replaces the base profile by `base`, which also has the rules of `by`. Merges findings whose cases agree
 * with the new base into the finding of these rules. The others get the signature of the differences from the
 * new base.
 */
bool findings_learn(struct findings *fs, struct executor *x, const struct profile *base,
                    const struct finding_learned *by, findings_moved moved, void *context);

/*
 * Withdraws the rules of a finding of this module, which case `c` refutes: with the rules the model differs
 * from the board's outcome `board`, without them it does not. `base`: the base profile without the rules.
 * Merges findings whose cases agree with the new base into this finding, because they showed where the rules
 * were wrong.
 */
bool findings_withdraw(struct findings *fs, struct executor *x, const struct profile *base, struct finding *f,
                       const struct test_case *c, const struct outcome *board, const char *label,
                       findings_moved moved, void *context);

/* Does findings_learn for all rules of earlier runs. A run that was killed may not have merged findings. */
bool findings_learn_again(struct findings *fs, struct executor *x, findings_moved moved, void *context);

/* The base profile with all causes found so far. A case that agrees with the model under it shows nothing
 * new. */
const struct profile *findings_known(const struct findings *fs);

/* Sets `p` to the base profile with the established causes that at least `cases` cases showed. */
void findings_often_seen(const struct findings *fs, uint64_t cases, struct profile *p);

/* The same as findings_known, also with the causes that only mask differences. A case that agrees under this
 * profile, but not under findings_known, shows only masked differences. */
const struct profile *findings_known_masked(const struct findings *fs);

/* Did the last reconciliation attribute all changes of this cause? */
bool findings_attributes(const struct findings *fs, const struct cause *c);

/* Reconciles the findings with the attribution `a`, which executor `x` made over the evidence of this run.
 * `compared`: how many cases the run compared. May be called again when there is more evidence. */
bool findings_reconcile(struct findings *fs, struct executor *x, const struct attribution *a,
                        uint64_t compared, findings_moved moved, void *context);

/* Counts the cases that support each finding's cause (trials.h). Call it after the last reconciliation, with
 * the attribution `a` of that reconciliation. */
void findings_count_trials(struct findings *fs, struct executor *x, const struct evidence_set *v,
                           const struct attribution *a);

unsigned findings_count(const struct findings *fs);
struct finding *findings_at(struct findings *fs, unsigned i); /* in the order in which they were created */

/* Returns all findings in the order of reports, and removes them from here. Free each with
 * finding_free_contents, then free the array. */
struct finding *findings_release(struct findings *fs, unsigned *count);
/* The same, but frees findings of earlier runs to which this run added no case, except those with learned
 * rules. */
struct finding *findings_release_met(struct findings *fs, unsigned *count);

#endif
