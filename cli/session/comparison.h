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
    bool own_profile, own_board;  /* the profile, the board was taken from the campaign */
    /* The campaign's runs had different units, profiles or boards, and the user named neither profile nor
     * board. So each finding is compared under its own profile with its own board. */
    bool several;
};

/*
 * Takes profile and board from the campaign, if the campaign has only one unit and all paths of the command
 * line are the campaign or lie in it. Returns false with an error if the campaign's board is not virtual and
 * the user did not name a board, because a real board must not start unasked.
 */
bool comparison_choose(struct comparison *c, const struct arguments *a, struct error *e);
/* Returns the findings of the campaign in which the paths lie; NULL: none. Free with store_free_findings. */
struct finding *comparison_findings(const struct comparison *c, unsigned *count);
/* Prints which profile and board were taken from the campaign, if any, as one line. */
void comparison_print(const struct comparison *c, struct text *t);

#endif
