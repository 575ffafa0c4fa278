/* SPDX-License-Identifier: MIT */
/*
 * Triage of a case whose outcome differs: is it known, does the board repeat it, what explains it, what is
 * its smallest form, and in which finding is it filed. campaign_take_case calls these steps in the order in
 * which they are declared.
 */
#ifndef MISPRINT_FUZZ_CAMPAIGN_TRIAGE_H
#define MISPRINT_FUZZ_CAMPAIGN_TRIAGE_H

#include "fuzz/campaign/campaign.h"
#include "oracle/attribution/findings.h"

/* Does the profile with all causes found so far do what the board did with a case? */
enum known {
    KNOWN_UNASKED,
    KNOWN_NOT,
    KNOWN_MASKED,  /* only with the causes, too, that leave the difference undefined */
    KNOWN_MATCHES, /* in all that it defines */
};

struct triage_case {
    const struct test_case *tc;
    const struct outcome *board; /* what the board did */
    const char *label;
    uint64_t signature; /* of the differences from the profile */
    enum known known;
    bool touches_new;          /* under the known causes: what no case of the campaign touched before */
    struct tally tally;        /* of the comparison under the known causes */
    bool turn;                 /* compared with the profile because it is its turn */
    bool sampled;              /* known, and searched all the same */
    bool steady;               /* the board did the same each time */
    bool unfiled;              /* a part of it needs a finding of its own, and there is no room for more */
    struct explanation single; /* of a sampled case: the single changes that explain it */
};

struct triage {
    const struct unit *unit;
    const struct profile *profile;
    struct board *board; /* NULL: outcomes are recorded ones */
    bool exact, reduce;  /* as in the options */
    unsigned max_changes;
    uint64_t budget; /* model runs left for searches of two and more changes */
    struct executor *executor;
    struct findings *findings;
    struct tally *tally;         /* the campaign's */
    const struct coverage *seen; /* what its cases touched */
    bool (*ending)(void *context);
    /* A finding was opened, its case reduced. */
    bool (*opened)(void *context, struct finding *f, struct error *e);
    /* The case in hand, or a part of it, was filed there. */
    void (*filed)(void *context, const struct finding *f);
    /* Many searches opened no finding: causes may be wrong. Attributes again, over all evidence. */
    bool (*reattribute)(void *context, struct error *e);
    void *context;
    uint64_t known;              /* cases that were known, but for the predicted ones */
    uint64_t may_predict;        /* cases that known causes may predict */
    uint32_t skips, skips_left;  /* cases to skip after the last search; of these, still to come */
    uint64_t futile;             /* searches that opened no finding, ... */
    uint64_t futile_most;        /* ... of which so many make the campaign attribute again */
    struct explainer *explainer; /* from here on: triage_begin's */
    struct outcome *model, *answer, *again;
    struct test_case *small;
};

void triage_begin(struct triage *n);
void triage_end(struct triage *n);

/*
 * Whether the known causes predict the case, so that it needs no comparison with the profile: then c->tally
 * counts it. Never for a case that touches something new; nor for one case in sixteen; nor before so many
 * cases were known that the causes may be relied on.
 */
bool triage_is_predicted(struct triage *n, struct triage_case *c);

/* Whether the known causes explain the case. Asked once: c->known keeps the answer. */
bool triage_is_known(struct triage *n, struct triage_case *c);

/*
 * Whether a known case is searched all the same, because its single changes may rule out rivals: the first
 * ones, and a sample of the others.
 */
bool triage_is_sampled(struct triage *n, struct triage_case *c);

/* Whether a case is left out of the search: in a flood most say what earlier ones said. */
bool triage_is_skipped(struct triage *n, const struct triage_case *c);

/*
 * Runs the case on the board again, reduces it where it shows several causes, searches for what explains each
 * part, and files it: one cause, one finding.
 */
bool triage_search(struct triage *n, struct triage_case *c, struct error *e);

/* Reduces the findings' cases that are not reduced yet: those that took the place of a finding's first one.
 */
bool triage_reduce(struct triage *n, struct error *e);

/*
 * Asks the board of cases in which, by the model, one change of a cause of several acts alone, or one that
 * other cases need and no finding reproduces; files what they show. To be called when most causes are known.
 */
bool triage_isolate(struct triage *n, struct error *e);

#endif
