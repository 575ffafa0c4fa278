/* SPDX-License-Identifier: MIT */
/*
 * Chooses the profile and the board that existing cases are compared with. The user names them. For cases of
 * a campaign, the campaign's own are taken where the user does not.
 */
#ifndef MISPRINT_CLI_TERMINAL_COMPARISON_H
#define MISPRINT_CLI_TERMINAL_COMPARISON_H

#include "cli/cli.h"
#include "oracle/files/file.h"
#include "oracle/store/store.h"

struct comparison {
    const char *profile;
    const char *board;            /* NULL: each unit's best-known silicon profile */
    char campaign[FILE_PATH_MAX]; /* in which all paths lie; "" if there is none */
    struct run_facts last;        /* the campaign's last run; `profile` and `board` may point into it */
    bool own_profile, own_board;  /* taken from the campaign */
    bool several; /* the campaign's runs had different profiles or boards and the user names neither, so each
                     finding is compared with its own */
};

/*
 * Takes the campaign's profile and board if all paths of the command line lie in one campaign (or are it)
 * that compares one unit. It does not start a board other than a virtual one unless the user names it: false,
 * with an error that says what to type.
 */
bool comparison_choose(struct comparison *c, const struct arguments *a, struct error *e);
/* Returns the findings of the campaign in which the paths lie, or NULL. Free with store_free_findings. */
struct finding *comparison_findings(const struct comparison *c, unsigned *count);
/* Prints one line if something was taken from the campaign. */
void comparison_print(const struct comparison *c, struct text *t);

#endif
