/* SPDX-License-Identifier: MIT */
/*
 * Triage of a case whose outcome on the board differs from the model's. Do known causes explain the case?
 * Does the board repeat the outcome? Which changes explain it? What is the smallest case that shows them? In
 * which finding is the case filed? campaign_take_case calls these steps in the order in which they are
 * declared.
 *
 * Known causes are the causes that the campaign has found so far (findings_known). A case is known if the
 * model with these causes reproduces the board's outcome.
 */
#ifndef MISPRINT_FUZZ_CAMPAIGN_TRIAGE_H
#define MISPRINT_FUZZ_CAMPAIGN_TRIAGE_H

#include "fuzz/campaign/campaign.h"
#include "fuzz/campaign/learning.h"
#include "fuzz/campaign/refute.h"
#include "oracle/attribution/findings.h"

/* Does the model with all known causes reproduce the board in a case? */
enum known {
    KNOWN_UNASKED, /* the model has not run yet */
    KNOWN_NOT,
    KNOWN_MASKED,  /* yes, but only with causes that leave the differing bits undefined */
    KNOWN_MATCHES, /* yes, in all bits that the model defines */
};

struct triage_case {
    const struct test_case *tc;
    const struct outcome *board; /* the board's outcome */
    const char *label;
    uint64_t signature; /* differences_signature of the differences from the profile under test */
    enum known known;
    bool touches_new;   /* under the known causes, the case touches (clause, mode) pairs for the first time */
    struct tally tally; /* counts of the comparison under the known causes */
    bool turn;          /* one of sixteen cases that are compared with the profile even if predicted */
    bool sampled;       /* the case is known, but belongs to the sample of triage_is_sampled */
    bool steady;        /* the board gave the same outcome each time */
    const struct finding_learned *learned; /* rules that explain the case; NULL: none */
    const struct related_case *related;    /* further cases of its finding; NULL: none */
    bool unfiled; /* a part of the case needed a finding of its own, and there was no room for it */
    struct explanation single; /* for a sampled case: the single changes that explain it */
};

struct triage {
    const struct unit *unit;
    const struct profile *profile;
    struct board *board; /* NULL: the source delivers recorded outcomes */
    bool exact, reduce;  /* as in campaign_options */
    unsigned max_changes;
    uint64_t budget; /* model runs left for searches for two and more changes */
    struct executor *executor;
    struct findings *findings;
    struct tally *tally;           /* the campaign's tally */
    const struct coverage *seen;   /* the campaign's coverage */
    bool (*ending)(void *context); /* must the campaign end now? */
    /* Triage calls this when it has opened a finding and reduced its case. */
    bool (*opened)(void *context, struct finding *f, struct error *e);
    /* Triage calls this when it has filed the current case, or a part of it, in the finding. */
    void (*filed)(void *context, const struct finding *f);
    /* Attributes again over all evidence. Triage calls this when many searches have opened no finding,
     * because some causes may be wrong. */
    bool (*reattribute)(void *context, struct error *e);
    /* Adds learned rules to the profile under test. Triage calls this when it has opened their finding. */
    bool (*learned)(void *context, const struct finding_learned *by, struct error *e);
    void *context;
    struct learning *learning;   /* NULL: the campaign learns no rules */
    struct refuter refuter;      /* withdraws learned rules that a case refutes */
    unsigned searched_again;     /* withdrawn rules of which triage has searched the case again */
    uint64_t caused_at;          /* tally->cases when the last finding with a cause was opened */
    bool to_learn;               /* an unexplained finding was opened since triage_learn */
    uint64_t known;              /* known cases, not counting the predicted ones */
    uint64_t may_predict;        /* cases for which triage_is_predicted asked; every sixteenth has a turn */
    uint32_t skips, skips_left;  /* cases to skip after the last search; of these, cases still to skip */
    uint64_t futile;             /* searches that opened no finding, since the last attribution */
    uint64_t futile_most;        /* number of such searches after which triage calls `reattribute` */
    struct explainer *explainer; /* triage_begin makes this and the members below */
    struct outcome *model, *answer, *again;
    struct test_case *small;
};

void triage_begin(struct triage *n);
void triage_end(struct triage *n);

/*
 * Do the known causes predict the case, so that it needs no comparison with the profile under test? If so,
 * c->tally counts the case. Returns false until enough cases were known to rely on the causes. After that, it
 * returns false for a case that touches something new, and for one case in sixteen.
 */
bool triage_is_predicted(struct triage *n, struct triage_case *c);

/* Do the known causes explain the case? c->known keeps the answer. */
bool triage_is_known(struct triage *n, struct triage_case *c);

/*
 * Shall triage search for what explains a known case? It does for the first known cases and for a sample of
 * the others, because the single changes that explain them may rule out candidates of findings.
 */
bool triage_is_sampled(struct triage *n, struct triage_case *c);

/* Shall triage skip the search for a case? When many cases differ, it skips most of them, because they show
 * what earlier cases showed. */
bool triage_is_skipped(struct triage *n, const struct triage_case *c);

/*
 * Runs the case on the board again, to see whether the board repeats its outcome. Searches for changes that
 * explain the case, and files it in a finding. If the case shows several causes, reduces it to parts, and
 * explains and files each part. Each cause gets one finding.
 */
bool triage_search(struct triage *n, struct triage_case *c, struct error *e);

/* Reduces the findings' cases that are not reduced yet, because they replaced a finding's first case. */
bool triage_reduce(struct triage *n, struct error *e);

/* Shall the campaign search for rules now? There must be a new unexplained finding. And so many cases must
 * have passed without a new cause that most causes are likely known, because a search takes long and seldom
 * succeeds while other causes are unknown. */
bool triage_should_learn(const struct triage *n);
/* Searches, by experiments with the board, for readings or rules that explain the unexplained findings.
 * `thorough`: takes half a minute for each, not a few seconds (learning_allow). */
bool triage_learn(struct triage *n, bool thorough, struct error *e);

/*
 * Isolates the changes of each cause that has several changes, and of each cause that only masks bits and
 * that the attribution needs. For each such change, runs cases on the board in which, by the model, the
 * change acts alone, and files the differences. Call it when most causes are known.
 */
bool triage_isolate(struct triage *n, struct error *e);

#endif
