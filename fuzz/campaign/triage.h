/* SPDX-License-Identifier: MIT */
/*
 * Triage of a case whose outcome differs. Do known causes explain the case? Does the board repeat the
 * outcome? What explains it? What is the smallest case that shows it? In which finding is it filed?
 * campaign_take_case calls these steps in the order in which they are declared.
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
    uint64_t signature; /* signature of the differences from the profile (differences_signature) */
    enum known known;
    bool touches_new;   /* under the known causes, the case touches (clause, mode) pairs for the first time */
    struct tally tally; /* counts of the comparison under the known causes */
    bool turn;          /* the case belongs to the sample that is compared with the profile */
    bool sampled;       /* the case is known, but searched all the same (triage_is_sampled) */
    bool steady;        /* the board gave the same outcome each time */
    const struct finding_learned *learned; /* rules that explain the case; NULL: none */
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
    uint64_t known;              /* known cases, not counting the predicted ones */
    uint64_t may_predict;        /* cases that known causes may predict */
    uint32_t skips, skips_left;  /* cases to skip after the last search; of these, cases still to skip */
    uint64_t futile;             /* searches that opened no finding */
    uint64_t futile_most;        /* after so many of them the campaign attributes again */
    struct explainer *explainer; /* from here on: triage_begin's */
    struct outcome *model, *answer, *again;
    struct test_case *small;
};

void triage_begin(struct triage *n);
void triage_end(struct triage *n);

/*
 * Do the known causes predict the case, so that it needs no comparison with the profile? If so, c->tally
 * counts the case. Returns false for a case that touches something new, for one case in sixteen, and until
 * enough cases were known to rely on the causes.
 */
bool triage_is_predicted(struct triage *n, struct triage_case *c);

/* Do the known causes explain the case? c->known keeps the answer. */
bool triage_is_known(struct triage *n, struct triage_case *c);

/*
 * Is a known case searched all the same? The first known cases and a sample of the others are, because the
 * single changes that explain them may rule out candidates of findings.
 */
bool triage_is_sampled(struct triage *n, struct triage_case *c);

/* Is a case left out of the search? When many cases differ, most of them only show what earlier cases
 * showed. */
bool triage_is_skipped(struct triage *n, const struct triage_case *c);

/*
 * Runs the case on the board again, reduces it if it shows several causes, searches for what explains each
 * part, and files the parts. Each cause gets one finding.
 */
bool triage_search(struct triage *n, struct triage_case *c, struct error *e);

/* Reduces the findings' cases that are not reduced yet, because they replaced a finding's first case. */
bool triage_reduce(struct triage *n, struct error *e);

/* Is it time to search for rules? There must be an unexplained finding, and enough cases without a new cause
 * that most of the board's readings are known. A search takes long, and seldom succeeds while causes are
 * unknown. */
bool triage_should_learn(const struct triage *n);
/* Searches, by experiments with the board, for readings or rules that explain the unexplained findings. */
bool triage_learn(struct triage *n, struct error *e);

/*
 * Isolates the changes of each cause of several changes, and of each cause that only masks bits and that the
 * attribution needs: runs cases on the board in which, by the model, one such change acts alone, and files
 * the differences. To be called when most causes are known.
 */
bool triage_isolate(struct triage *n, struct error *e);

#endif
