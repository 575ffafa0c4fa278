/* SPDX-License-Identifier: MIT */
/*
 * The parts that `misprint fuzz` and `misprint replay` share: the campaign directory, runs of the campaign
 * loop, and the summary at the end.
 */
#ifndef MISPRINT_CLI_SESSION_SESSION_H
#define MISPRINT_CLI_SESSION_SESSION_H

#include "cli/cli.h"
#include "cli/session/comparison.h"
#include "cli/terminal/display.h"
#include "fuzz/campaign/campaign.h"
#include "oracle/report/report.h"

enum { SESSION_JOBS_MAX = 256 };

struct session {
    const struct arguments *arguments;
    const char *command; /* "fuzz", "replay" */
    const char *profile_name;
    unsigned max_changes;
    const struct comparison *comparison; /* says where a replay's profile and board come from; may be NULL */
    const struct unit *keep;             /* without --campaign, keep a campaign of this unit; NULL: do not */
    struct store *store;                 /* NULL if nothing is kept */
    char folder[FILE_PATH_MAX];          /* the campaign's directory; "": nothing is kept */
    struct error not_kept;               /* why nothing is kept without --campaign */
    struct report report;                /* all findings and runs so far, merged */
    struct tally tally;
    struct text attributions; /* one text for each comparison */
    struct text not_reached;  /* names of the first inputs that were not run */
    unsigned inputs_not_reached;
    bool model_failed; /* an input crashes or hangs the model */
    struct display display;
    bool broken;   /* a board, a source of cases, or the store failed */
    bool unusable; /* the user's input was bad */
};

/* Reads and checks the options that both commands share. False with an error of usage. */
bool session_open(struct session *s, const char *command, const struct arguments *a, struct error *e);
/* Opens the store. Call it after all other checks, because it may create the campaign's directory. */
bool session_open_store(struct session *s, struct error *e);
/* Closes a session in which nothing was run; prints nothing. */
void session_abandon(struct session *s);

/* Prints an error, and notes it in the session for the exit status of session_close. */
void session_fail(struct session *s, const struct error *e);
/* Notes an input that was not run because the session was interrupted. */
void session_not_reached(struct session *s, const char *path);

/* One run of the campaign loop. The caller fills in the members above `session`, and closes the source and
 * the board. */
struct session_job {
    const struct unit *unit;
    struct board *board; /* NULL: the source also gives the outcomes */
    struct case_source source;
    uint64_t seed, max_cases; /* max_cases 0: no limit */
    double max_seconds;       /* 0: no limit */
    double search_seconds;    /* limit of the searches for rules alone; 0: none */
    const char *engine;       /* name of the engine that generates the cases; NULL: the cases exist already */
    /* set by the session */
    struct session *session;
    struct store *store;
    int64_t run; /* id of the run's record in the store */
    struct profile profile;
    struct session_start *start;
    struct campaign_options options;
    struct run_facts facts;
    struct campaign_result result;
    struct error error;
    bool good;
};

/* Fills in the job's profile and facts. session_run calls it, too; callers that call it before
 * session_open_store find errors before a directory is created. */
bool session_ready(struct session *s, struct session_job *j, struct error *e);
/*
 * Chooses j->seed: the wanted seed, or, if a run of the campaign has used it, the lowest seed above all used
 * ones. With --campaign it also adds the run's record, in the same transaction, so that concurrent processes
 * get different seeds.
 */
bool session_take_seed(struct session *s, struct session_job *j, struct error *e);

/*
 * Runs the jobs concurrently, each in its own thread with its own connection to the store. Merges their
 * findings in the order of the jobs. Prints errors and notes them in the session.
 */
void session_run(struct session *s, struct session_job *jobs, unsigned count);

/* Notes the results of libFuzzer or AFL++ after their run. Prints an error if the model itself failed on an
 * input: a crash, a hang, or a difference that no clause can explain. */
void session_note_engines(struct session *s, const struct engines *engines, const char *unit);

/* Prints the summary or the JSON, writes JUnit if asked, and closes everything. Returns the exit status. */
int session_close(struct session *s);

#endif
