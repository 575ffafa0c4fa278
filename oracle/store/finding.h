/* SPDX-License-Identifier: MIT */
/*
 * Findings and their verdicts: one discrepancy, de-duplicated by its cause,
 * with its evidence and its smallest case. The de-duplication itself is in
 * oracle/attribution/findings.h.
 */
#ifndef MISPRINT_ORACLE_STORE_FINDING_H
#define MISPRINT_ORACLE_STORE_FINDING_H

#include "oracle/attribution/explain.h"
#include "oracle/board/board.h"
#include "oracle/compare/compare.h"

enum verdict {
    VERDICT_MANUAL_ERRATUM, /* the manual says one thing, the board follows another known reading */
    VERDICT_MANUAL_GAP,     /* the manual is silent or ambiguous; the board shows which reading holds */
    VERDICT_PROFILE_WRONG,  /* the board does what the manual says; the profile that the model ran under does
                               not */
    VERDICT_UNEXPLAINED,    /* no known reading explains the board: a new erratum, or a model bug */
    VERDICT_UNDEFINED,      /* the specification does not say */
    VERDICT_FLAKY,          /* the board disagrees with itself */
    VERDICTS
};
const char *verdict_name(enum verdict v); /* "manual-erratum", ... */
int verdict_of_name(const char *name);    /* -1 if there is none */
/* Does it say that the board and the documents disagree? Where the specification is silent nothing does. */
bool verdict_is_discrepancy(enum verdict v);

struct finding {
    char id[24]; /* "F-" and 12 hex digits of a hash: see finding_name */
    const struct unit *unit;
    enum verdict verdict;
    char profile[PROFILE_SPEC_MAX]; /* what the model ran under */
    struct board_identity board;
    struct explanation explanation; /* rival[0] is the cause it was filed under; the others explain all its
                                       cases just as well */
    uint64_t signature;             /* of the differences of the smallest case */
    uint64_t stored;                /* how many of `cases` the store has already; the campaign's own */
    uint64_t inherited; /* the store's cases of runs before, which this run answers for where they move; the
                           campaign's own */
    uint64_t cases;     /* how many differing cases were filed here (given to it by a search of their own; see
                           tally.known) */
    struct test_case *smallest; /* owned by whoever got the finding: see store.h */
    uint64_t size;              /* bytes of its binary form */
    char label[128]; /* where `smallest` came from: "alu.csv:17", "seed 1 case 4711", "..., reduced" */
    uint8_t
        *board_outcome; /* encoded outcome of `smallest` on the board, so that the report needs no board */
    size_t board_outcome_size;
};

/*
 * The rules, one place. Not in agreement with itself: flaky. No rival:
 * unexplained, or undefined if the model stopped where no document says what
 * happens. Rivals that only leave the differing bits undefined: undefined.
 * Otherwise, by the changes of the cause it is filed under: an erratum if any
 * leaves the literal text of a clause that is not silent; else a gap if any is
 * of a silent clause; else the profile is wrong, since all changes lead back to
 * what the manual says.
 */
enum verdict verdict_of(const struct unit *u, const struct explanation *e, bool board_agrees_with_itself);

/*
 * Sets id, from the unit, the profile, the board's kind (of virtual boards also
 * their profile; of others whether they are silicon), and the cause with its
 * rivals, or if there is none the verdict and signature: the same finding has
 * the same id in every run.
 */
void finding_name(struct finding *f);

/* The order of reports: verdict, unit, cause, signature. For qsort. */
int finding_order(const void *a, const void *b);

/*
 * Of two cases that show the same finding, the one to keep: <0 the first, >0 the second. The simpler by
 * model/core/measure.h; of equally simple ones the reduced, then the lower by its bytes: so the choice does
 * not depend on the order of cases.
 */
int finding_case_order(const struct test_case *a, const char *label_a, const struct test_case *b,
                       const char *label_b);
/* Is `c` to be kept rather than the finding's? */
bool finding_is_smaller(const struct finding *f, const struct test_case *c, const char *label);
/* A label says that its case was reduced by ending in this, and by nothing else. */
#define LABEL_REDUCED ", reduced"
enum { LABEL_SOURCE_MAX = 110 }; /* bytes of a label that leave room for what is added to it */
bool label_says_reduced(const char *label);
/* Replaces the smallest case and what belongs to it by copies; false without memory. `board` may be NULL. */
bool finding_set_case(struct finding *f, const struct test_case *c, const struct outcome *board,
                      const char *label);
/* Of a case's binary form: the same case has the same number on every machine. */
uint64_t case_hash(const struct test_case *c);
/* An outcome's bytes as findings keep them, of their own length; NULL without memory. */
uint8_t *finding_encode_outcome(const struct outcome *o, size_t *size);
void finding_free_contents(struct finding *f);

#endif
