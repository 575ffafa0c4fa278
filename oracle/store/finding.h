/* SPDX-License-Identifier: MIT */
/* A finding: one discrepancy with its verdict, evidence and smallest case. oracle/attribution/findings.h
 * decides which cases are one discrepancy. */
#ifndef MISPRINT_ORACLE_STORE_FINDING_H
#define MISPRINT_ORACLE_STORE_FINDING_H

#include "oracle/attribution/trials.h"
#include "oracle/board/board.h"
#include "oracle/compare/compare.h"
#include "oracle/store/related.h"

enum verdict {
    VERDICT_MANUAL_ERRATUM, /* the manual says one thing, the board follows another known reading */
    VERDICT_MANUAL_GAP,     /* the manual is silent or ambiguous; the board shows which reading holds */
    VERDICT_PROFILE_WRONG,  /* the board does what the manual says; the profile does not */
    VERDICT_UNDOCUMENTED,   /* no known reading does this; the board follows a rule that was learned */
    /* an implementation contradicts a definite manual, or silicon, or both (cause_contradicts) */
    VERDICT_IMPLEMENTATION_DIFFERS,
    VERDICT_IMPLEMENTATION_CHOICE, /* an implementation chose a reading where the manual is silent */
    VERDICT_UNEXPLAINED,           /* no known reading explains the board: a new erratum, or a model bug */
    VERDICT_UNDEFINED,             /* the specification does not say */
    VERDICT_FLAKY,                 /* the board disagrees with itself */
    VERDICT_WITHDRAWN,             /* a rule was learned and believed until a later case refuted it */
    VERDICTS
};
const char *verdict_name(enum verdict v); /* "manual-erratum", ... */
int verdict_of_name(const char *name);    /* -1 if there is none */
/* Does the verdict say that the board and the documents disagree? VERDICT_UNDEFINED does not, because there
 * the specification does not say what happens. VERDICT_WITHDRAWN does not, because other findings hold the
 * differences that the rule was learned from. */
bool verdict_is_discrepancy(enum verdict v);

enum { LEARNED_RULES_TEXT = 1024, LEARNED_ALTERNATIVES_TEXT = 768 };
/* What was learned from experiments with the board (fuzz/learn/learn.h). */
struct finding_learned {
    char rules[LEARNED_RULES_TEXT]; /* lines of a profile (docs/rules.md); "": nothing was learned */
    /* Lines: the first rules or readings that no experiment distinguished from the learned rules. */
    char alternatives[LEARNED_ALTERNATIVES_TEXT];
    uint32_t alternatives_count;
    uint32_t explained;   /* kept cases that differed without the rules and agree with them */
    uint32_t experiments; /* cases that could have refuted the rules, and did not */
    bool withdrawn;       /* a later case refuted the rules, so the campaign does not believe them any more */
};
/* Adds the rules to a profile, except those that it has. Adds nothing if the rules were withdrawn. False if a
 * line is no rule of the unit, or if there is no room. */
bool learned_apply(const struct unit *u, const struct finding_learned *l, struct profile *p, struct error *e);

struct finding {
    char id[24]; /* "F-" and 12 hex digits of a hash: see finding_name */
    const struct unit *unit;
    enum verdict verdict;
    char profile[PROFILE_SPEC_MAX]; /* the profile that the model ran under */
    struct board_identity board;
    struct explanation explanation; /* candidate[0] is the cause; each other one explains all cases, too */
    struct trials trials;           /* of the cause; empty if there is none */
    struct finding_learned learned; /* if it holds rules, the explanation has no candidates */
    uint64_t signature;             /* differences_signature of the smallest case */
    uint64_t cases;     /* differing cases of this finding, without those that it predicted (tally.known) */
    uint64_t stored;    /* how many of `cases` the campaign has put in the store */
    uint64_t inherited; /* cases in the store from earlier runs, which the campaign moves to this finding */
    struct test_case *smallest; /* finding_free_contents frees it */
    /* No search for a rule that explains it has ended, because the time ran out or the user stopped it. Not
     * in the store: it is of this run. */
    bool unsearched;
    uint64_t size;          /* bytes of the smallest case in binary form */
    char label[128];        /* origin of `smallest`: "alu.csv:17", "seed 1 case 4711", "..., reduced" */
    uint8_t *board_outcome; /* the board's answer to `smallest`, encoded, so that the report needs no board */
    size_t board_outcome_size;
    struct related_case related[RELATED_ROLES]; /* finding_free_contents frees what they own */
};

/*
 * The verdict of a finding. The first rule that fits decides:
 * - flaky: the board disagrees with itself;
 * - withdrawn: a rule was learned, and a later case refuted it;
 * - undocumented: a rule was learned (verdict_of_learned); for an implementation implementation-differs;
 * - unexplained: there is no candidate (undefined instead, if the model stopped where no document says what
 *   happens);
 * - undefined: all candidates only mask the differing bits;
 * of an implementation:
 * - implementation-differs: the cause changes a clause that is not silent to another reading than the literal
 *   one, or any clause to a reading that silicon contradicts (silicon_contradicts);
 * - implementation-choice: the cause changes a silent clause;
 * - profile-wrong: as below;
 * of silicon and virtual boards:
 * - manual-erratum: the cause changes a clause that is not silent to another reading than the literal one;
 * - manual-gap: the cause changes a silent clause;
 * - profile-wrong: the cause only changes clauses back to the literal reading.
 */
enum verdict verdict_of(const struct unit *u, const struct explanation *e, bool board_agrees_with_itself,
                        enum board_class who);
enum verdict verdict_of_learned(const struct finding_learned *l, enum board_class who);
/* Does the ledger know from silicon, measured or stated, that it follows another reading of the clause, and
 * has no such evidence for this one? */
bool silicon_contradicts(const struct clause *c, unsigned reading);

/* What a cause contradicts. */
enum { CONTRADICTS_MANUAL = 1, CONTRADICTS_STATED = 2, CONTRADICTS_MEASURED = 4, CONTRADICTS_KINDS = 8 };
/* Returns a set of CONTRADICTS_: a definite manual; silicon, as others state; silicon, as it was measured. */
unsigned cause_contradicts(const struct unit *u, const struct cause *c);

/*
 * Sets the id. The same finding gets the same id in every run. The id is a hash of the unit, the profile, the
 * board's kind, whether the board is silicon, and either all candidates or the learned rules. A finding
 * without these, and a flaky one, has its verdict and signature in the hash instead. The spec of a virtual
 * board is part of the hash, too.
 */
void finding_name(struct finding *f);

/* The order of reports: verdict, unit, cause, signature. For qsort. */
int finding_order(const void *a, const void *b);

/* Which of two cases of one finding should be kept? <0: the first, >0: the second. Prefers the simpler case
 * (model/core/measure.h), then the reduced one, then the shorter encoding, then the lower bytes. So the
 * result does not depend on the order in which cases arrive. */
int finding_case_order(const struct test_case *a, const char *label_a, const struct test_case *b,
                       const char *label_b);
/* Should `c` replace the finding's case? */
bool finding_is_smaller(const struct finding *f, const struct test_case *c, const char *label);
/* The suffixes of the labels of a reduced case, and of the part of a case that is not known. */
#define LABEL_REDUCED ", reduced"
#define LABEL_PART    ", in part"
enum { LABEL_SOURCE_MAX = 110 }; /* bytes of a label that name the origin; suffixes follow */
bool label_says_reduced(const char *label);
/* Makes the label of a reduced case: "seed 1 case 427, in part" becomes "seed 1 case 427, reduced". */
void label_set_reduced(const char *label, char reduced[128]);
/* Copies a case, its label and the board's outcome (NULL: none) into the finding. If this is another case
 * than before, the finding has no nearest agreeing case any more. False: out of memory. */
bool finding_set_case(struct finding *f, const struct test_case *c, const struct outcome *board,
                      const char *label);
/* Gives the finding a further case; see related_case_set. */
void finding_set_related(struct finding *f, unsigned role, const struct test_case *c, const char *label,
                         const uint8_t *outcome, size_t outcome_size);
/* A hash of the binary form, the same on every machine. */
uint64_t case_hash(const struct test_case *c);
void finding_free_contents(struct finding *f);

#endif
