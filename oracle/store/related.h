/* SPDX-License-Identifier: MIT */
/* Further cases of a finding, each with the board's outcome. */
#ifndef MISPRINT_ORACLE_STORE_RELATED_H
#define MISPRINT_ORACLE_STORE_RELATED_H

#include "model/core/case.h"
#include "model/core/outcome.h"

enum { SWEEP_MAX = 24 };
enum related_role {
    RELATED_REFUTES, /* the case that refuted the learned rules */
    RELATED_AGREES,  /* the case nearest to `smallest` on which model and board agree (nearest.h) */
    RELATED_SWEEP,   /* the first of SWEEP_MAX cases with different values at the rule's point (sweep.h) */
    RELATED_ROLES = RELATED_SWEEP + SWEEP_MAX
};
enum { ROLE_NAME_MAX = 16 };
void related_role_name(unsigned role, char name[ROLE_NAME_MAX]); /* "refutes", "agrees", "sweep 0", ... */
struct related_case {
    struct test_case *tc; /* NULL: the finding has no case of this role */
    char label[128];
    uint8_t *board_outcome; /* the board's answer, encoded */
    size_t board_outcome_size;
};

/* Copies a case, its label and the board's outcome, encoded, into *r, and frees what *r owned. */
void related_case_set(struct related_case *r, const struct test_case *c, const char *label,
                      const uint8_t *outcome, size_t outcome_size);
void related_case_free(struct related_case *r); /* frees what *r owns, and clears it */

/* Encodes an outcome; NULL: out of memory. */
uint8_t *finding_encode_outcome(const struct outcome *o, size_t *size);

#endif
