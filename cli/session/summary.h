/* SPDX-License-Identifier: MIT */
/* What `misprint fuzz` and `misprint replay` print at their end for a person. */
#ifndef MISPRINT_CLI_SESSION_SUMMARY_H
#define MISPRINT_CLI_SESSION_SUMMARY_H

#include "cli/session/comparison.h"
#include "oracle/report/report.h"

enum { SUMMARY_LINES = 20 }; /* of the short form, unless something went wrong with the board or the proofs */

struct summary {
    const char *command;                 /* "fuzz", "replay" */
    const struct comparison *comparison; /* of a replay; may be NULL */
    const struct report *report;         /* findings and reasons are sorted */
    const char *attributions;            /* one text for each comparison */
    unsigned displayed;                  /* findings that the display showed last; 0: none */
    const char *folder;                  /* the campaign's directory; NULL: nothing was kept */
    const char *not_kept;                /* if nothing was kept: why not, and how to keep it */
    const char *again;                   /* the command that goes on */
    bool failed;                         /* a board or the machine failed, which was said */
    bool stats;                          /* print all counters */
    unsigned width;                      /* columns of the terminal; UINT_MAX: no terminal, cut nothing */
    bool colours;
};

/* Prints the summary. That of `fuzz` is short unless `stats` is set. That of `replay` has the counters of
 * each run, and with `stats` also each finding's cause. */
void summary_print(const struct summary *s, struct text *t);

#endif
