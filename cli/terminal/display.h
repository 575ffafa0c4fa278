/* SPDX-License-Identifier: MIT */
/*
 * How a campaign stands, while it runs, on standard error: a panel redrawn in
 * place on a terminal, else a plain line now and then. Several jobs of the
 * built-in engine are added up; of other engines it shows what their processes did.
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
    const char *board;             /* spec; NULL: not shown */
    const struct engines *engines; /* NULL: builtin */
    const char *const *edge;       /* the characters of the panel's box */
    bool panel, quiet, colours;
    pthread_mutex_t lock; /* jobs' boards tell things while the first job draws */
    unsigned lines;       /* of the panel that stands there now */
    double line_at;       /* seconds at which the last plain line was written */
    double rate_at;       /* of the last rate */
    uint64_t rate_of;     /* cases at rate_at */
    double rate;
    unsigned jobs;
    struct display_of_job {
        struct display *display;
        bool draws;         /* the first: it runs in the session's own thread */
        atomic_ulong cases; /* so far; a machine word, for an ARMv6 has no other atomics */
    } job[DISPLAY_JOBS_MAX];
};

void display_open(struct display *d, const char *command, const char *profile, bool panel, bool quiet);
/* Of one more job: the context for display_show. NULL where there are too many. */
struct display_of_job *display_job(struct display *d, bool draws);

/* campaign_options.show */
void display_show(void *context, const struct campaign_view *v);
/* campaign_options.tell: a line that stays, above the panel; also where progress is not shown. */
void display_tell(void *context, const char *line);

#endif
