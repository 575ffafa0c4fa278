/* SPDX-License-Identifier: MIT */
/*
 * What existing cases are compared with: the profile and the board that the
 * user names, and, where cases of a campaign are looked at again and one of
 * these is not named, the campaign's own.
 */
#ifndef MISPRINT_CLI_TERMINAL_COMPARISON_H
#define MISPRINT_CLI_TERMINAL_COMPARISON_H

#include "cli/cli.h"
#include "oracle/files/file.h"
#include "oracle/store/store.h"

struct comparison {
    const char *profile;
    const char *board; /* NULL: each unit's best-known silicon profile */
    char campaign[FILE_PATH_MAX];
    struct run_facts of; /* the campaign's last run; its profile and board are pointed to from above */
    bool own_profile, own_board;
    bool several; /* the campaign's runs compared in several ways, and the user names none: each of its
                     findings has a comparison of its own */
};

/*
 * Of the paths on the command line: they lie in one campaign's directory, or
 * are it, and that compares one unit; else nothing is taken over. A board that
 * is more than the model is not started unless the user names it: false, and the error says what to type.
 */
bool comparison_choose(struct comparison *c, const struct arguments *a, struct error *e);
/* The findings of the campaign in which the paths lie; NULL if that is not one. Free with
 * store_free_findings. */
struct finding *comparison_findings(const struct comparison *c, unsigned *count);
/* One line if something was taken over; else nothing. */
void comparison_print(const struct comparison *c, struct text *t);

#endif
