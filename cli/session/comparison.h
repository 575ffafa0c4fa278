/* SPDX-License-Identifier: MIT */
/*
 * Chooses the profile and the board that existing cases are compared with: those that the user named, or
 * else, for cases of a campaign, those of the campaign.
 */
#ifndef MISPRINT_CLI_SESSION_COMPARISON_H
#define MISPRINT_CLI_SESSION_COMPARISON_H

#include "cli/cli.h"
#include "oracle/files/file.h"
#include "oracle/store/store.h"

struct comparison {
    const char *profile;
    const char *board;            /* NULL: each unit's best-known silicon profile */
    char campaign[FILE_PATH_MAX]; /* the campaign in which all paths lie; "" if there is none */
    struct run_facts last;        /* the campaign's last run; `profile` and `board` may point into it */
    bool own_profile, own_board;  /* taken from the campaign */
    bool several; /* the campaign's runs had different profiles or boards and the user named neither, so each
                     finding is compared with its own */
};

/*
 * Takes profile and board from the campaign, if all paths of the command line lie in one campaign (or are it)
 * and it has only one unit. A board of the campaign that is not virtual is not started unless the user named
 * it: then false, with an error that says what to type.
 */
bool comparison_choose(struct comparison *c, const struct arguments *a, struct error *e);
/* Returns the findings of the campaign in which the paths lie; NULL: none. Free with store_free_findings. */
struct finding *comparison_findings(const struct comparison *c, unsigned *count);
/* Prints which profile and board were taken from the campaign, if any, as one line. */
void comparison_print(const struct comparison *c, struct text *t);

#endif
