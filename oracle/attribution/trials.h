/* SPDX-License-Identifier: MIT */
/*
 * Counts the cases that support a cause: cases that need the cause, and cases on which the board could have
 * refuted it but did not (case_is_trial). Reports make their sentences about a cause from these counts.
 */
#ifndef MISPRINT_ORACLE_ATTRIBUTION_TRIALS_H
#define MISPRINT_ORACLE_ATTRIBUTION_TRIALS_H

#include "oracle/attribution/evidence.h"
#include "oracle/attribution/explain.h"

enum { RIVALS_MAX = CHANGES_MAX * (READINGS_MAX - 1) };

/* Another reading of a clause of the cause, and the cases that were trials of the cause against it. */
struct rival {
    uint16_t clause;
    uint8_t reading;
    uint64_t cases;
};

struct trials {
    bool counted;    /* false: no run that counted them has ended yet */
    struct cause of; /* the cause */
    uint64_t needed; /* cases that differ without the cause, and do not differ with it */
    uint64_t masked; /* of these, cases whose differing bits the cause leaves undefined */
    uint64_t passed; /* cases that were a trial against at least one rival */
    uint64_t cut;    /* 1: not all of the evidence was counted, so each count may be too low */
    unsigned rivals;
    struct rival rival[RIVALS_MAX]; /* every other reading of each clause of the cause, in order */
};

/* Sets `t` to a cause without any cases. */
void trials_begin(struct trials *t, const struct unit *u, const struct cause *c);

/*
 * Counts the cases of the evidence for each of `count` causes that trials_begin set. `base` is the campaign's
 * profile; `all` is that profile with all causes, under which each cause is tried. Ends for a cause when
 * all its counts are high, and for all causes after a number of model runs; `cut` says so.
 */
void trials_count(struct executor *x, const struct evidence_set *v, const struct profile *base,
                  const struct profile *all, struct trials *const *t, unsigned count);

/* Adds what an earlier run counted for the same cause: the higher of both counts, since both runs may have
 * counted the same case. */
void trials_join(struct trials *t, const struct trials *earlier);

/* A rival against which the cause was not tried; NULL: there is none. */
const struct rival *trials_missing(const struct trials *t);

#endif
