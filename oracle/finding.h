/* SPDX-License-Identifier: MIT */
/*
 * Findings and their verdicts: one discrepancy, de-duplicated by its cause,
 * with its evidence and its smallest case.
 */
#ifndef MISPRINT_ORACLE_FINDING_H
#define MISPRINT_ORACLE_FINDING_H

#include "oracle/board.h"
#include "oracle/compare.h"
#include "oracle/explain.h"

enum verdict {
    VERDICT_MANUAL_ERRATUM, /* the manual says one thing, the board follows another known reading */
    VERDICT_MANUAL_GAP,     /* the manual is silent or ambiguous; the board shows which reading holds */
    VERDICT_UNEXPLAINED,    /* no known reading explains the board: a new erratum, or a model bug */
    VERDICT_UNDEFINED,      /* the specification does not say */
    VERDICT_FLAKY,          /* the board disagrees with itself */
    VERDICTS
};
const char *verdict_name(enum verdict v); /* "manual-erratum", ... */
int verdict_of_name(const char *name);    /* -1 if there is none */

struct finding {
    char id[24];              /* "F-" and 12 hex digits of a hash of unit, profile, board kind, cause or signature: the same finding has the same id in every run */
    const struct unit *unit;
    enum verdict verdict;
    char profile[128];        /* what the model ran under */
    struct board_identity board;
    struct explanation explanation; /* rival[0] is the cause it was filed under */
    uint64_t signature;       /* of the differences of the smallest case */
    uint64_t cases;           /* how many differing cases were filed here */
    struct test_case *smallest; /* owned by whoever got the finding: see store.h */
    char label[128];          /* where the first such case came from: "alu.csv:17", "seed 1 case 4711" */
    uint8_t *board_outcome;   /* encoded outcome of `smallest` on the board, so that the report needs no board */
    size_t board_outcome_size;
};

/*
 * The rules, one place: an explained finding is an erratum if any clause of its
 * cause is not silent, a gap if all are; the rest follows from the arguments.
 */
enum verdict verdict_of(const struct unit *u, const struct explanation *e, bool board_agrees_with_itself);

void finding_name(struct finding *f); /* sets id from the rest */
void finding_free_contents(struct finding *f);

#endif
