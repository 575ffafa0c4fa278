/* SPDX-License-Identifier: MIT */
/*
 * The campaign loop. Cases from a source (a seeded generator, a trace, files) run on model and board.
 * Differences are repeated, explained, reduced, filed by cause and stored. `misprint fuzz` and `misprint
 * replay` are this loop with different sources.
 *
 * Finite sources are replayed exactly: each differing case is explained by a search of its own. In endless
 * sources, most cases that agree with the campaign's profile (the profile with all causes found so far) are
 * only counted (tally.predicted), without a run under the profile alone. One in sixteen is compared with that
 * profile too, and counted as known if it differs. All other cases are explained. A case that no single
 * change explains is first reduced to the part that known causes do not explain, because a small case mostly
 * has one cause. At the end, the campaign isolates causes that it only met together: the board runs cases in
 * which, by the model, one of the causes acts alone.
 *
 * A board may change its behaviour while it runs, because it is hot or worn. The campaign notices the change
 * at the first case in which the board follows neither the known causes nor the profile. If the board begins
 * to follow the profile, no case differs. Then the last attribution finds a cause that part of the evidence
 * contradicts. The campaign may see coverage under the profile alone sixteen cases late, because it runs
 * predicted cases under the causes only.
 *
 * If the limit is max_cases, equal options, sources and boards give equal findings, byte for byte: time
 * decides only when to stop.
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
    unsigned max_changes;  /* limit of changes in an attribution; 0: CHANGES_USUAL */
    unsigned max_findings; /* 0: FINDINGS_MAX. tally.unfiled counts the differing cases that found no room */
    /* Search for every differing case; always so if the source delivers the outcomes. */
    bool exact;
    /* Learn rules from experiments with the board, where no reading explains a difference. Not if the search
     * is exact. */
    bool learn;
    bool reduce;        /* reduce the first case of each finding (needs a board) */
    unsigned job, jobs; /* number and count of the runs for campaigns_settle; 0, 0: only this run */
    bool resume;        /* continue from what earlier runs of the same comparison left in the store */
    unsigned batch;     /* cases that a board gets at a time; 0: 16 for virtual boards, else 256 */
    /* Limit of model runs for all searches for two and more changes; 0: 20 million. After that, only single
     * changes are tried. */
    uint64_t search_budget;
    /* Called once after what earlier runs left was read, or could not be read; may be NULL. Runs of one
     * campaign wait for each other here. */
    void (*begun)(void *context);
    void *begun_context;
    /* Called twice a second, and once at the end with v->ended; may be NULL. */
    void (*show)(void *context, const struct campaign_view *v);
    void *show_context;
    /* Gets a line about the board for the user. The line also goes into the log. May be NULL. Called from any
     * thread. */
    void (*tell)(void *context, const char *line);
    void *tell_context;
    /* Set by a signal handler: end soon and keep everything; may be NULL. */
    const volatile sig_atomic_t *stop;
};

/* The result of a case, whether it was compared or not. */
enum case_fate { FATE_EQUAL, FATE_DIFFERENT, FATE_NOT_COMPARED };

/* A case that was compared. */
struct compared_case {
    const struct test_case *tc;
    const struct outcome *board;   /* the board's outcome */
    const struct profile *profile; /* the profile under test */
    struct executor *executor;     /* placed at the board's addresses */
};

/*
 * Gets the results of a source's cases, which are numbered from 0. First come the findings in which a case
 * was filed (several if the case shows several causes), then the case's fate. `c` is NULL if the case was not
 * compared. A finding may move into others later; the last of these moves has `last`.
 */
struct case_watch {
    void *context;
    void (*filed)(void *context, uint64_t number, const struct finding *f);
    void (*came)(void *context, uint64_t number, enum case_fate fate, const struct compared_case *c);
    void (*moved)(void *context, const struct finding *from, const struct finding *to, bool last);
};

/* `next` gives the next case and returns true. It returns false if there are no more cases, or if it failed;
 * then e->text is set. */
struct case_source {
    bool (*next)(void *context, struct test_case *c, struct outcome *board, bool *has_outcome,
                 const char **label, struct error *e);
    void *context;
    /* The board whose outcomes the source delivers; NULL: it delivers none. */
    const struct board_identity *identity;
    /* Called when the source has no case now. Waits shortly and returns true if a case may come later. NULL:
     * no case comes later. */
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
    /* In the order of their first cases; the last one takes what does not fit. */
    struct dropped_reason reason[CAMPAIGN_REASONS_MAX];
    unsigned reasons;
    double seconds;
    uint64_t first_case;  /* number of the first case that differed, from 1; 0: none */
    double first_seconds; /* seconds until that case */
    /* Interrupted by `stop` before the source or a limit ended the run; never for an endless run without a
     * limit. */
    bool interrupted;
};

/* The built-in seeded generator as a source. It changes cases that touched new clauses, or makes new ones. */
struct generator_source;
struct generator_source *generator_new(const struct unit *u, uint64_t seed);
void generator_free(struct generator_source *g);
/* For a board that proves programs before it runs them: the generator mends cases that the board would
 * refuse, if the unit has mend_for_proof. */
void generator_mend_for_proof(struct generator_source *g);
/*
 * Adds cases to change, besides those that it keeps. With `begin` it first gives each of them unchanged, in
 * an order that the seed decides. The corpus must outlive the generator.
 */
void generator_take_corpus(struct generator_source *g, const struct corpus *c, bool begin);
struct case_source generator_as_source(struct generator_source *g);

/*
 * Returns false if board, source or store failed (e says which). The result holds all that was found before.
 * The store keeps command, unit, profile, board, seed and machine of `facts`.
 */
bool campaign_run(const struct campaign_options *o, struct case_source *source, const struct run_facts *facts,
                  struct campaign_result *result, struct error *e);
void campaign_free(struct campaign_result *r);

/*
 * Attributes over the joint evidence of several runs with the same unit, profile and kind of board. `o` holds
 * the options of one of the runs. Moves all findings into the first run and into the store, with one finding
 * for each cause. fuzz/campaign/jobs.c.
 */
bool campaigns_settle(const struct campaign_options *o, struct campaign_result *const *run, unsigned runs,
                      struct attribution *all, struct error *e);
/* The limits of attribution in a run with these options. */
struct attribution_limits campaign_limits(const struct campaign_options *o);

#endif
