/* SPDX-License-Identifier: MIT */
/*
 * The campaign loop. It takes cases from a source (a seeded generator, a trace, files), runs them on model
 * and board, and repeats, explains, reduces, files and stores each difference (triage.h). `misprint fuzz` and
 * `misprint replay` run this loop with different sources.
 *
 * The profile under test is the profile that the user chose. The known causes are the causes that the
 * campaign has found so far. In an exact run (campaign_options.exact), the campaign searches for the causes
 * of each differing case. In other runs it saves time:
 * - If the model with the known causes predicts the board's outcome of a case, the campaign mostly counts the
 *   case (tally.predicted) without a run under the profile under test. It runs one such case in sixteen under
 *   that profile, too, and counts it as known if it differs.
 * - If no single change explains a case, the campaign first reduces the case to a part that the known causes
 *   do not explain, because a small case mostly has one cause.
 * - At the end, the campaign isolates causes that it met only together: the board runs cases in which, by the
 *   model, one of the causes acts alone.
 *
 * A board may change its behaviour while it runs, because it is hot or worn. The campaign notices a change at
 * the first case in which the board follows neither the known causes nor the profile under test. If the board
 * begins to follow the profile under test, no case differs, but the last attribution finds a cause that a
 * part of the evidence contradicts. The campaign may count coverage under the profile under test up to
 * sixteen cases late, because it runs predicted cases under the known causes only.
 *
 * The search for rules after the last case ends after two minutes, if max_seconds, search_seconds or a signal
 * does not end it before. On a virtual board it has no such limit.
 *
 * Time decides only when a campaign, or that last search, stops. So if the limit is max_cases, equal options,
 * sources and boards give equal findings, byte for byte.
 */
#ifndef MISPRINT_FUZZ_CAMPAIGN_CAMPAIGN_H
#define MISPRINT_FUZZ_CAMPAIGN_CAMPAIGN_H

#include "oracle/attribution/attribute.h"
#include "oracle/files/corpus.h"
#include "oracle/store/finding.h"
#include "oracle/store/store.h"

#include <signal.h>

/* A running campaign's progress. */
struct campaign_view {
    const struct unit *unit;
    double seconds;
    double since_new; /* seconds since the last new finding, or since the start */
    const struct tally *tally;
    const struct coverage *coverage;
    unsigned findings, verdicts[VERDICTS];
    unsigned searching,
        to_search; /* the search is at the n-th of so many unexplained findings; 0: no search */
    bool ended;
};

struct campaign_options {
    const struct unit *unit;
    const struct profile *profile;
    const char *profile_name;
    struct board *board; /* NULL: the source delivers the outcomes (a trace) */
    struct store *store; /* NULL: findings are kept in memory only */
    int64_t run;         /* the record of this run in the store; 0: the campaign makes one */
    uint64_t seed;
    uint64_t max_cases;    /* 0: no limit */
    double max_seconds;    /* 0: no limit */
    double search_seconds; /* searches for rules end so long after the start; 0: no limit of their own */
    unsigned max_changes;  /* limit of changes in an attribution; 0: CHANGES_USUAL */
    unsigned max_findings; /* limit; 0: FINDINGS_MAX. tally.unfiled counts differing cases beyond the limit */
    /* Search for the causes of every differing case. A run whose source delivers the outcomes is always
     * exact. */
    bool exact;
    /* Learn rules by experiments with the board where no reading explains a difference. An exact run learns
     * none. */
    bool learn;
    bool reduce;        /* reduce the first case of each finding (needs a board) */
    unsigned job, jobs; /* this run's number, and the count of runs for campaigns_settle; 0, 0: one run */
    bool resume;        /* start with the results of earlier runs of the same comparison in the store */
    unsigned batch;     /* cases that a board gets at a time; 0: 16 for virtual boards, else 256 */
    /* Limit of model runs for all searches for two and more changes; 0: 20 million. After so many, searches
     * try single changes only. */
    uint64_t search_budget;
    /* The campaign calls this once, when it has read the results of earlier runs or failed to. Parallel runs
     * of one campaign wait here for each other. May be NULL. */
    void (*begun)(void *context);
    void *begun_context;
    /* The campaign calls this twice a second, and once at the end with v->ended. May be NULL. */
    void (*show)(void *context, const struct campaign_view *v);
    void *show_context;
    /* Gets a line about the board for the user, from any thread. The campaign also writes the line to the
     * log. May be NULL. */
    void (*tell)(void *context, const char *line);
    void *tell_context;
    bool quiet; /* do not tell of rules that were learned or withdrawn */
    /* A signal handler sets this to make the campaign end soon and keep all results. May be NULL. */
    const volatile sig_atomic_t *stop;
};

/* The result of a case, whether it was compared or not. */
enum case_fate { FATE_EQUAL, FATE_DIFFERENT, FATE_NOT_COMPARED };

/* A case that was compared. */
struct compared_case {
    const struct test_case *tc;
    const struct outcome *board;   /* the board's outcome */
    const struct profile *profile; /* the profile under test */
    struct executor *executor;     /* uses the board's addresses (executor_place) */
};

/*
 * Functions that get the results of a source's cases, which are numbered from 0. For each case, the campaign
 * calls `filed` for each finding in which it filed the case (several if the case shows several causes), then
 * `came` with the case's fate. `c` is NULL if the case was not compared. Later it may move a finding into
 * others: it calls `moved` for each of them, with `last` for the last one.
 */
struct case_watch {
    void *context;
    void (*filed)(void *context, uint64_t number, const struct finding *f);
    void (*came)(void *context, uint64_t number, enum case_fate fate, const struct compared_case *c);
    void (*moved)(void *context, const struct finding *from, const struct finding *to, bool last);
};

/* `next` gives the next case and returns true. It returns false without an error if there are no more cases,
 * and false with an error if it failed. */
struct case_source {
    bool (*next)(void *context, struct test_case *c, struct outcome *board, bool *has_outcome,
                 const char **label, struct error *e);
    void *context;
    /* The board whose outcomes the source delivers; NULL: it delivers none. */
    const struct board_identity *identity;
    /* The campaign calls this when `next` gave no case. It waits shortly, and returns true if a case may come
     * later. NULL: no case comes later. */
    bool (*wait)(void *context);
    /* Gets each case that touched new (clause, mode) pairs, in order; may be NULL. */
    void (*fresh)(void *context, const struct test_case *c, unsigned pairs);
    const struct case_watch *watch; /* may be NULL */
};

enum { CAMPAIGN_REASONS_MAX = 64 };
struct campaign_result {
    struct tally tally;
    struct coverage coverage;
    struct finding *finding; /* ordered as in reports */
    unsigned findings;
    struct attribution attribution; /* the attribution over `evidence` */
    struct evidence_set *evidence;  /* all evidence that was kept */
    uint64_t dropped;               /* cases without an outcome to compare */
    /* Why cases were dropped, in the order of their first cases. If the list is full, its last entry counts
     * the cases of all further reasons. */
    struct dropped_reason reason[CAMPAIGN_REASONS_MAX];
    unsigned reasons;
    double seconds;
    uint64_t first_case;  /* number of the first case that differed, from 1; 0: none */
    double first_seconds; /* seconds until that case */
    /* `stop` ended the run before the source or a limit did. False for an endless run without a limit,
     * because only `stop` can end it. */
    bool interrupted;
};

/* The built-in seeded generator as a source. Makes new cases, and changes cases that touched new clauses. */
struct generator_source;
struct generator_source *generator_new(const struct unit *u, uint64_t seed);
void generator_free(struct generator_source *g);
/* Makes the generator mend cases that a board which proves programs would refuse. Does nothing if the unit
 * has no mend_for_proof. */
void generator_mend_for_proof(struct generator_source *g);
/* Keeps the generator's cases within what the board has: makes another case, and changes it if that does not
 * help. `lacks` must outlive the generator; NULL: the board has all. */
struct board_lacks;
void generator_keep_within(struct generator_source *g, const struct board_lacks *lacks);
/*
 * Lets the generator also mutate the cases of a corpus. With `begin` it first gives each of them unchanged,
 * in an order that the seed decides. The corpus must outlive the generator.
 */
void generator_take_corpus(struct generator_source *g, const struct corpus *c, bool begin);
struct case_source generator_as_source(struct generator_source *g);

/*
 * Runs a campaign. Returns false with an error if board, source or store failed; the result holds all that
 * was found before the failure. The store keeps command, unit, profile, board, seed and machine of `facts`.
 */
bool campaign_run(const struct campaign_options *o, struct case_source *source, const struct run_facts *facts,
                  struct campaign_result *result, struct error *e);
void campaign_free(struct campaign_result *r);

/*
 * Attributes over the joint evidence of several runs with the same unit, profile and kind of board
 * (fuzz/campaign/jobs.c). `o` holds the options of one of the runs. Moves all findings into the first run and
 * into the store, with one finding for each cause.
 */
bool campaigns_settle(const struct campaign_options *o, struct campaign_result *const *run, unsigned runs,
                      struct attribution *all, struct error *e);
/* The limits of attribution in a run with these options. */
struct attribution_limits campaign_limits(const struct campaign_options *o);

#endif
