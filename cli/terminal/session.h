/* SPDX-License-Identifier: MIT */
/*
 * What `misprint fuzz` and `misprint replay` share: the campaign directory, one
 * or more runs of the campaign loop, and the summary at the end.
 */
#ifndef MISPRINT_CLI_TERMINAL_SESSION_H
#define MISPRINT_CLI_TERMINAL_SESSION_H

#include "cli/cli.h"
#include "cli/terminal/comparison.h"
#include "cli/terminal/display.h"
#include "fuzz/campaign/campaign.h"
#include "oracle/report/report.h"

enum { SESSION_JOBS_MAX = 256 };

struct session {
    const struct arguments *arguments;
    const char *command; /* "fuzz", "replay" */
    const char *profile_name;
    unsigned max_changes;
    const struct comparison *comparison; /* of replays: how the profile and the board came about; NULL */
    struct store *store;                 /* NULL without --campaign */
    struct report report;                /* all findings and runs so far, merged */
    struct tally tally;
    struct text attributions; /* what the evidence comes to, of each comparison */
    struct text not_reached;  /* names of inputs, the first few */
    unsigned inputs_not_reached;
    uint64_t restarts; /* of boards that hung or ended */
    bool model_failed; /* an input crashes or hangs the model itself */
    struct display display;
    uint64_t engine_cases; /* run by processes of other engines */
    bool broken;           /* a board, source or store failed */
    bool unusable;         /* the user's input was bad */
};

/* Reads and checks the shared options. False with an error: wrong use. */
bool session_open(struct session *s, const char *command, const struct arguments *a, struct error *e);
/* Opens the store, once all else has been found good. */
bool session_keep(struct session *s, struct error *e);
void session_abandon(struct session *s); /* in place of session_close, if nothing was run */

/* An interrupted session had no time for this input. */
void session_not_reached(struct session *s, const char *path);

/* One run of the loop. The caller sets the first part; the source and the board are its own. */
struct session_job {
    const struct unit *unit;
    struct board *board; /* NULL: the source brings outcomes */
    struct case_source source;
    uint64_t seed, max_cases; /* max_cases 0: no limit */
    double max_seconds;       /* 0: no limit */
    const char *engine;       /* what makes the cases; NULL: they were there */
    /* session_run's */
    struct session *session;
    struct store *store;
    int64_t run; /* its record there */
    struct profile profile;
    struct session_start *start;
    struct campaign_options options;
    struct run_facts facts;
    struct campaign_result result;
    struct error error;
    bool good;
};

/*
 * Finds out what a run is to be. session_run does it too; whoever does it before session_keep makes no
 * directory for what cannot run.
 */
bool session_ready(struct session *s, struct session_job *j, struct error *e);
/*
 * Begins the run's record, with --campaign; j->seed becomes one that no run there has used: the wanted one,
 * if it is. Of processes that do this at the same time each gets its own.
 */
bool session_take_seed(struct session *s, struct session_job *j, struct error *e);

/*
 * Runs jobs at the same time, each in a thread and on a store connection of its
 * own, and adds up what they found in their order. What went wrong is printed
 * and noted in the session.
 */
void session_run(struct session *s, struct session_job *jobs, unsigned count);

/* Notes what engines of others did, once the run is over; inputs at which the model itself fails break the
 * session. */
void session_engines(struct session *s, const struct engines *engines, const char *unit);

/* Prints the summary (or JSON), writes JUnit if asked, closes all; returns the exit status. */
int session_close(struct session *s);

#endif
