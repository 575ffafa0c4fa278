/* SPDX-License-Identifier: MIT */
/*
 * The campaign loop: cases from a source (a seeded generator, a trace, files)
 * run on model and board; differences are repeated, explained, reduced, filed
 * by cause and stored. `misprint fuzz` and `misprint replay` are this loop with
 * different sources.
 *
 * Finite sources are replayed exactly: each differing case is explained by a
 * search of its own. Endless ones are not. A case that agrees with the campaign's
 * profile (the profile with all causes found so far), but for what that leaves
 * undefined, is mostly counted (tally.foretold) without a run under the profile
 * alone; one in sixteen is compared with that too, and if it differs, counted as
 * known. All else is explained. Such a case that no single change explains is
 * first reduced under the question "does it differ from what is known?", because
 * a small case mostly has one cause. Causes that were met only together are singled
 * out at the end: the board is asked of cases in which, by the model, one of them
 * stands alone.
 *
 * A board that changes while it is asked, hot or worn, is noticed at the first
 * case in which it does neither what its causes predict nor what the profile says.
 * Where it comes to do what the profile says, no case differs; that shows when the
 * book is settled, as a cause that not all evidence bears out. What the profile
 * alone consults of the ledger may be seen sixteen cases late, because predicted
 * cases run under the causes.
 *
 * Equal options, sources and boards make equal findings, byte for byte, as long
 * as the limit is max_cases: nothing here depends on time but when to stop.
 */
#ifndef MISPRINT_FUZZ_CAMPAIGN_CAMPAIGN_H
#define MISPRINT_FUZZ_CAMPAIGN_CAMPAIGN_H

#include "oracle/attribution/attribute.h"
#include "oracle/files/corpus.h"
#include "oracle/store/finding.h"
#include "oracle/store/store.h"

#include <signal.h>

/* How a running campaign stands. */
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
    struct board *board; /* NULL: the source brings the outcomes with it (a trace) */
    struct store *store; /* NULL: findings are kept in memory only */
    int64_t run;         /* its record there, if that was begun already; 0: the campaign begins it */
    uint64_t seed;
    uint64_t max_cases;    /* 0: no limit */
    double max_seconds;    /* 0: no limit */
    unsigned max_changes;  /* of attribution; 0: CHANGES_USUAL */
    unsigned max_findings; /* that it keeps; 0: FINDINGS_MAX. Differing cases that want more are told as such
                              in the tally */
    bool exact;  /* search for every differing case; always so where the source brings the outcomes */
    bool reduce; /* reduce the first case of each finding (needs a board) */
    unsigned job,
        jobs; /* number and count of the runs that campaigns_settle will settle as one; 0, 0: it is alone */
    bool resume; /* go on from what earlier runs of the same comparison left in the store: their findings are
                    known, their cases kept */
    unsigned batch; /* cases a board is given at once; 0: 16 for virtual boards, else 256 */
    /* Model runs that searches for two and more changes may take in all; 0: 20 million. After it, only single
     * changes are tried. */
    uint64_t search_budget;
    /* Called once, when all was read that earlier runs left, or could not be; may be NULL. Runs of one
     * campaign wait here for each other. */
    void (*begun)(void *context);
    void *begun_context;
    /* Called twice a second or so while it runs, and once at the end, with v->ended; may be NULL. */
    void (*show)(void *context, const struct campaign_view *v);
    void *show_context;
    /* Told in a line what the user should know of the board meanwhile, which also goes into the log; may be
     * NULL. Of any thread. */
    void (*tell)(void *context, const char *line);
    void *tell_context;
    const volatile sig_atomic_t *stop; /* set by a signal handler: end soon, keep everything; may be NULL */
};

/* What came of a case: compared or not. */
enum case_fate { FATE_EQUAL, FATE_DIFFERENT, FATE_NOT_COMPARED };

/*
 * Told what becomes of a source's cases, by their numbers, from 0 in the order in which it gave them: the
 * finding in which a case was filed (several, where it shows several causes), then its fate. A finding may go
 * up in others later; the last of them is told with `last`.
 */
struct case_watch {
    void *context;
    void (*filed)(void *context, uint64_t number, const struct finding *f);
    void (*came)(void *context, uint64_t number, enum case_fate fate);
    void (*moved)(void *context, const struct finding *from, const struct finding *to, bool last);
};

/* Gives the next case: true, or false when there are no more (or on failure, with e->text set). */
struct case_source {
    bool (*next)(void *context, struct test_case *c, struct outcome *board, bool *has_outcome,
                 const char **label, struct error *e);
    void *context;
    const struct board_identity *identity; /* whose outcomes it brings; NULL if it brings none */
    /* Called when there is no case now: true, after a little while, if there may be one later. NULL: there
     * won't. */
    bool (*wait)(void *context);
    /* Told of each case, in order, that touched new (clause, mode) pairs; may be NULL. */
    void (*fresh)(void *context, const struct test_case *c, unsigned pairs);
    const struct case_watch *watch; /* may be NULL */
};

enum { CAMPAIGN_REASONS_MAX = 64 };
struct campaign_result {
    struct tally tally;
    struct coverage coverage;
    struct finding *finding; /* ordered as in reports */
    unsigned findings;
    struct attribution attribution;                     /* over all evidence that was kept */
    struct evidence_set *evidence;                      /* that is it */
    uint64_t dropped;                                   /* cases without an outcome to compare */
    struct dropped_reason reason[CAMPAIGN_REASONS_MAX]; /* why, in the order of their first case; the last
                                                           takes what does not fit */
    unsigned reasons;
    double seconds;
    uint64_t first_case;  /* number of the first case that differed, from 1; 0: none did */
    double first_seconds; /* when it came */
    bool interrupted;     /* by `stop`, before its source or its limit ended it; never set for an endless run
                             without a limit */
};

/* The built-in seeded generator (mutates what touched new clauses, else makes new cases) as a source. */
struct generator_source;
struct generator_source *generator_new(const struct unit *u, uint64_t seed);
void generator_free(struct generator_source *g);
/* For a board that proves programs: what it would refuse is changed where the unit knows how
 * (unit->mend_for_proof). */
void generator_mend_for_proof(struct generator_source *g);
/*
 * Cases that somebody knew to be worth trying, for the generator to change like those it keeps; with `begin`
 * it also gives each as it stands before anything else, in an order that the seed draws. The corpus must
 * outlive the generator.
 */
void generator_take_corpus(struct generator_source *g, const struct corpus *c, bool begin);
struct case_source generator_as_source(struct generator_source *g);

/*
 * False if board, source or store failed (e says what); the result holds all
 * that was found before. `facts` says whose run it is: command, unit, profile, board, seed, machine go into
 * the store as they are.
 */
bool campaign_run(const struct campaign_options *o, struct case_source *source, const struct run_facts *facts,
                  struct campaign_result *result, struct error *e);
void campaign_free(struct campaign_result *r);

/*
 * What several runs come to together, of one unit, profile and kind of board, as if one had kept all their
 * evidence; `o` is one of theirs. One cause is one finding: all findings are the first run's after, and so
 * they stand in the store. fuzz/campaign/jobs.c.
 */
bool campaigns_settle(const struct campaign_options *o, struct campaign_result *const *run, unsigned runs,
                      struct attribution *all, struct error *e);
/* How attribution is limited in a run with these options. */
struct attribution_limits campaign_limits(const struct campaign_options *o);

#endif
