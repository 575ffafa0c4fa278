/* SPDX-License-Identifier: MIT */
/*
 * What `misprint fuzz` and `misprint replay` share: the campaign directory, runs of the campaign loop, and
 * the summary at the end.
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
    const struct comparison *comparison; /* of a replay: where profile and board came from; may be NULL */
    struct store *store;                 /* NULL without --campaign */
    struct report report;                /* all findings and runs so far, merged */
    struct tally tally;
    struct text attributions; /* one for each comparison, over its evidence */
    struct text not_reached;  /* names of inputs, the first few */
    unsigned inputs_not_reached;
    uint64_t restarts; /* of boards */
    bool model_failed; /* an input crashes or hangs the model itself */
    struct display display;
    uint64_t engine_cases; /* run by the processes of libFuzzer or AFL++ */
    bool broken;           /* a board, source or store failed */
    bool unusable;         /* the user's input was bad */
};

/* Reads and checks the shared options. False with an error: wrong use. */
bool session_open(struct session *s, const char *command, const struct arguments *a, struct error *e);
/* Opens the store. Call it when everything else has been checked, because it may create the directory. */
bool session_open_store(struct session *s, struct error *e);
/* Closes a session in which nothing was run; prints nothing. */
void session_abandon(struct session *s);

/* Prints an error and keeps it for the exit status. */
void session_fail(struct session *s, const struct error *e);
/* Notes an input that an interrupted session did not get to. */
void session_not_reached(struct session *s, const char *path);

/* One run of the campaign loop. The caller sets the first part, and closes the source and the board. */
struct session_job {
    const struct unit *unit;
    struct board *board; /* NULL: the source brings outcomes */
    struct case_source source;
    uint64_t seed, max_cases; /* max_cases 0: no limit */
    double max_seconds;       /* 0: no limit */
    const char *engine;       /* what generates the cases; NULL: they exist already */
    /* set by the session */
    struct session *session;
    struct store *store;
    int64_t run; /* the id of its record in the store */
    struct profile profile;
    struct session_start *start;
    struct campaign_options options;
    struct run_facts facts;
    struct campaign_result result;
    struct error error;
    bool good;
};

/* Fills in the job's profile and facts. session_run calls it, too; call it before session_open_store to find
 * errors before a directory is created. */
bool session_ready(struct session *s, struct session_job *j, struct error *e);
/*
 * Chooses j->seed: the wanted one, or the next that no run of the campaign has used. With --campaign it
 * begins the run's record in the same transaction, so that concurrent processes get different seeds.
 */
bool session_take_seed(struct session *s, struct session_job *j, struct error *e);

/*
 * Runs the jobs concurrently, each in a thread with a store connection of its own, and merges their findings
 * in the order of the jobs. Errors are printed and noted in the session.
 */
void session_run(struct session *s, struct session_job *jobs, unsigned count);

/* Notes what libFuzzer or AFL++ did, after the run. An input on which the model itself fails is an error. */
void session_note_engines(struct session *s, const struct engines *engines, const char *unit);

/* Prints the summary (or JSON), writes JUnit if asked, closes everything; returns the exit status. */
int session_close(struct session *s);

#endif
