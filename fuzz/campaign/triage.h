/* SPDX-License-Identifier: MIT */
/*
 * Triage: what a campaign does with a case that differs. Is it known, is the
 * board flaky, what explains it, what is its smallest form, where is it filed.
 * campaign.h says by which rules; the loop around it is campaign.c.
 */
#ifndef MISPRINT_FUZZ_CAMPAIGN_TRIAGE_H
#define MISPRINT_FUZZ_CAMPAIGN_TRIAGE_H

#include "fuzz/campaign/campaign.h"
#include "oracle/attribution/findings.h"

/* Does the profile with all causes found so far do what the board did with a case? */
enum known {
    KNOWN_UNASKED,
    KNOWN_NOT,
    KNOWN_MATCHES, /* under the mask of what is defined then */
};

/* A case on its way (campaign_take_case), with what was found out about it. */
struct triage_case {
    const struct test_case *tc;
    const struct outcome *board; /* what the board did */
    const char *label;
    uint64_t signature;        /* of the differences from the profile */
    enum known known;          /* asked once */
    bool turn;                 /* it is its turn to be compared with the profile, predicted or not */
    bool sampled;              /* it is known, but of the sample that is searched all the same */
    bool steady;               /* the board did the same each time */
    bool unfiled;              /* a part of it needs a finding of its own, and the book is full */
    struct explanation single; /* of the sample: which single changes explain it */
};

struct triage {
    const struct unit *unit;
    const struct profile *profile;
    struct board *board; /* live; NULL: outcomes are recorded ones */
    bool exact, reduce;
    unsigned max_changes;
    uint64_t budget; /* model runs left for searches of two and more changes */
    struct executor *executor;
    struct findings *findings;
    struct tally *tally;
    /* Should it come to an end soon? */
    bool (*ending)(void *context);
    /* A finding was opened, its case reduced. */
    bool (*opened)(void *context, struct finding *f, struct error *e);
    /* The case on its way, or a part of it, was filed there. */
    void (*filed)(void *context, const struct finding *f);
    /* Too many cases are not known that should be: attribute anew, over all evidence. */
    bool (*doubt)(void *context, struct error *e);
    void *context;
    uint64_t known;              /* differing cases that are known; some are searched all the same */
    uint64_t may_predict;        /* cases that known causes may predict; some are compared with the profile */
    uint32_t skips;              /* cases to leave out after the last that opened no finding ... */
    uint32_t skips_left;         /* ... of these, still to come */
    uint64_t stale;              /* cases that were not known and yet opened no finding ... */
    uint64_t doubt_at;           /* ... so many of them raise the next doubt */
    struct explainer *explainer; /* from here on: triage_begin's */
    unsigned clauses;            /* of the unit */
    struct outcome *model, *answer, *again;
    struct test_case *small;
};

void triage_begin(struct triage *n);
void triage_end(struct triage *n);

/*
 * The steps of a case's way, in this order (campaign_take_case). First: do the causes found so far predict
 * it? Then it is counted in `t`, as vacuous where nothing is defined. Not asked while little is known, nor
 * of one case in sixteen; and a case that touches what nothing in `seen` did is not predicted.
 */
bool triage_predicts(struct triage *n, struct triage_case *c, const struct coverage *seen, struct tally *t);

/*
 * It differs from the profile. Do the causes found so far explain it? False also of the sample that is
 * searched.
 */
bool triage_is_known(struct triage *n, struct triage_case *c);

/*
 * Is it left out? Most of a flood says what earlier cases said; to search all of it would leave no time for
 * cases.
 */
bool triage_is_skipped(struct triage *n, const struct triage_case *c);

/*
 * Runs it on the board again, several times: is the board steady? Virtual boards too: a model that carries
 * something over from one case to the next is found out here.
 */
bool triage_repeat(struct triage *n, struct triage_case *c, struct error *e);

/*
 * Reduces it where several causes show, searches for what explains them, files each: one cause, one finding.
 */
bool triage_file(struct triage *n, struct triage_case *c, struct error *e);

/* Reduces the cases of findings of this run that are not: those that took the place of the first one. */
bool triage_reduce(struct triage *n, struct error *e);

/*
 * Looks for cases in which the parts of causes of several changes stand alone, and such as only excused so
 * far what other cases need, asks the board of each, and files what it shows. To be called before the book
 * is settled for the last time: then most causes are known.
 */
bool triage_single_out(struct triage *n, struct error *e);

#endif
