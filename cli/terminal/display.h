/* SPDX-License-Identifier: MIT */
/*
 * Shows the progress of a campaign on standard error: on a terminal as a panel that is redrawn in place,
 * otherwise as a plain line every ten seconds. The figures sum up all jobs of the built-in engine, or all
 * processes of another engine.
 */
#ifndef MISPRINT_CLI_TERMINAL_DISPLAY_H
#define MISPRINT_CLI_TERMINAL_DISPLAY_H

#include "fuzz/campaign/campaign.h"
#include "fuzz/engines/engines.h"

#include <pthread.h>
#include <stdatomic.h>

enum { DISPLAY_JOBS_MAX = 256 };

struct display {
    const char *command; /* "fuzz" */
    const char *profile;
    const char *engine;            /* NULL: builtin */
    const char *board;             /* the board's spec; NULL: not shown */
    const struct engines *engines; /* NULL: builtin */
    const char *const *edge;       /* the box-drawing characters of the panel */
    double max_seconds;            /* when the run ends; 0: no limit */
    uint64_t max_cases;            /* of all jobs; 0: no limit */
    bool panel, quiet, colours;
    unsigned findings;    /* the number of findings that was shown last */
    pthread_mutex_t lock; /* boards of all jobs print messages while the first job draws */
    unsigned lines;       /* lines of the panel on the screen */
    double line_at;       /* when the last plain line was written, in seconds */
    double rate_at;       /* when `rate` was computed, in seconds */
    uint64_t rate_of;     /* number of cases at that time */
    double rate;
    unsigned jobs;
    struct display_of_job {
        struct display *display;
        bool draws;         /* the first job, which runs in the session's thread */
        atomic_ulong cases; /* cases run so far; a machine word, because ARMv6 has no larger atomics */
    } job[DISPLAY_JOBS_MAX];
};

void display_open(struct display *d, const char *command, const char *profile, bool panel, bool quiet);
/* Adds a job and returns the context for display_show and display_message; NULL if there are too many. */
struct display_of_job *display_job(struct display *d, bool draws);

/* Implements campaign_options.show. */
void display_show(void *context, const struct campaign_view *v);
/* Implements campaign_options.tell: prints a line above the panel, also with --quiet. */
void display_message(void *context, const char *line);

#endif
