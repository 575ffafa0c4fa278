/* SPDX-License-Identifier: MIT */
/*
 * Triage of a case whose outcome differs: is it known, does the board repeat it, what explains it, what is
 * its smallest form, and in which finding is it filed? campaign_take_case calls these steps in the order in
 * which they are declared.
 */
#ifndef MISPRINT_FUZZ_CAMPAIGN_TRIAGE_H
#define MISPRINT_FUZZ_CAMPAIGN_TRIAGE_H

#include "fuzz/campaign/campaign.h"
#include "fuzz/campaign/learning.h"
#include "oracle/attribution/findings.h"

/* Does the profile with all causes found so far reproduce the board in a case? */
enum known {
    KNOWN_UNASKED,
    KNOWN_NOT,
    KNOWN_MASKED,  /* yes, but only with causes that leave the difference undefined */
    KNOWN_MATCHES, /* yes, in all bits that it defines */
};

struct triage_case {
    const struct test_case *tc;
    const struct outcome *board; /* the board's outcome */
    const char *label;
    uint64_t signature; /* the differences from the profile */
    enum known known;
    bool touches_new;   /* under the known causes, what no earlier case of the campaign touched */
    struct tally tally; /* counts of the comparison under the known causes */
    bool turn;          /* compared with the profile as a sample */
    bool sampled;       /* known, but searched all the same */
    bool steady;        /* the board gave the same outcome each time */
    const struct finding_learned *learned; /* rules that explain it; NULL: none */
    /* A part of the case needs a finding of its own, and there is no room for it. */
    bool unfiled;
    struct explanation single; /* for a sampled case: the single changes that explain it */
};

struct triage {
    const struct unit *unit;
    const struct profile *profile;
    struct board *board; /* NULL: outcomes are recorded ones */
    bool exact, reduce;  /* as in the options */
    unsigned max_changes;
    uint64_t budget; /* model runs that are left for searches for two and more changes */
    struct executor *executor;
    struct findings *findings;
    struct tally *tally;         /* the campaign's coverage */
    const struct coverage *seen; /* what the cases touched */
    bool (*ending)(void *context);
    /* A finding was opened, and its case was reduced. */
    bool (*opened)(void *context, struct finding *f, struct error *e);
    /* The current case, or a part of it, was filed in this finding. */
    void (*filed)(void *context, const struct finding *f);
    /* Many searches opened no finding, so some causes may be wrong. Attributes again, over all evidence. */
    bool (*reattribute)(void *context, struct error *e);
    /* The finding of these rules was opened: the model follows them from now on. */
    bool (*learned)(void *context, const struct finding_learned *by, struct error *e);
    void *context;
    struct learning *learning;   /* NULL: nothing is learned */
    uint64_t caused_at;          /* tally->cases when the last finding with a cause was opened */
    bool to_learn;               /* an unexplained finding was opened since triage_learn */
    uint64_t known;              /* cases that were known, without the predicted ones */
    uint64_t may_predict;        /* cases that known causes may predict */
    uint32_t skips, skips_left;  /* cases to skip after the last search; of these, cases still to skip */
    uint64_t futile;             /* searches that opened no finding, ... */
    uint64_t futile_most;        /* ... of which so many make the campaign attribute again */
    struct explainer *explainer; /* from here on: triage_begin's */
    struct outcome *model, *answer, *again;
    struct test_case *small;
};

void triage_begin(struct triage *n);
void triage_end(struct triage *n);

/*
 * Returns whether the known causes predict the case, so that it needs no comparison with the profile. Then
 * c->tally counts it. Never true for a case that touches something new, for one case in sixteen, and before
 * enough cases were known to rely on the causes.
 */
bool triage_is_predicted(struct triage *n, struct triage_case *c);

/* Returns whether the known causes explain the case. Decided once: c->known keeps the answer. */
bool triage_is_known(struct triage *n, struct triage_case *c);

/*
 * Returns whether a known case is searched all the same, because its single changes may rule out candidates:
 * the first known cases, and a sample of the others.
 */
bool triage_is_sampled(struct triage *n, struct triage_case *c);

/* Returns whether a case is left out of the search. In a flood of differences, most cases say what earlier
 * ones said. */
bool triage_is_skipped(struct triage *n, const struct triage_case *c);

/*
 * Runs the case on the board again, reduces it if it shows several causes, searches for what explains each
 * part, and files the parts. Each cause gets one finding.
 */
bool triage_search(struct triage *n, struct triage_case *c, struct error *e);

/* Reduces the findings' cases that are not reduced yet, because they replaced a finding's first case. */
bool triage_reduce(struct triage *n, struct error *e);

/* Are there findings to learn from, and have so many cases passed without a new cause that most readings are
 * known? A search is dear, and on top of unknown causes it seldom succeeds. */
bool triage_should_learn(const struct triage *n);
/* Searches by experiments for what explains the findings that have stayed unexplained. */
bool triage_learn(struct triage *n, struct error *e);

/*
 * Runs cases on the board in which, by the model, one change of a cause of several changes acts alone, or a
 * change that other cases need and no finding reproduces. Files what they show. To be called when most causes
 * are known.
 */
bool triage_isolate(struct triage *n, struct error *e);

#endif
