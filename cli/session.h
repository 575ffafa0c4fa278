/* SPDX-License-Identifier: MIT */
/*
 * What `misprint fuzz` and `misprint replay` share: the campaign directory, one
 * or more runs of the campaign loop, and the summary at the end.
 */
#ifndef MISPRINT_CLI_SESSION_H
#define MISPRINT_CLI_SESSION_H

#include "cli/cli.h"
#include "fuzz/campaign.h"
#include "oracle/report.h"

struct session {
    const struct arguments *arguments;
    const char *command; /* "fuzz", "replay" */
    const char *profile_name;
    struct store *store;  /* NULL without --campaign */
    struct report report; /* all findings and runs so far, merged */
    struct tally tally;
    bool broken;   /* a board, source or store failed */
    bool unusable; /* the user's input was bad */
};

/* Reads the shared options, opens the store. False with an error: wrong use. */
bool session_open(struct session *s, const char *command, const struct arguments *a, struct error *e);

/*
 * One run of the loop: `source` for `u`, against `board` or the outcomes that
 * the source brings. The options' limits apply. What went wrong is printed and noted in the session.
 */
void session_run(struct session *s, const struct unit *u, struct board *board, struct case_source *source, uint64_t seed, uint64_t max_cases,
                 double max_seconds);

/* Prints the summary (or JSON), writes JUnit if asked, closes all; returns the exit status. */
int session_close(struct session *s);

#endif
