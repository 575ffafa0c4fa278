/* SPDX-License-Identifier: MIT */
/*
 * The learned profiles that come with the project: corpus/UNIT/learned/NAME.profile. Each says what one
 * implementation does. It is a profile as any other (docs/profiles.md). Its comments hold the rest:
 *
 *     # implementation: NAME REVISION        the first line
 *     # learned: DATE, HOW                   the second line
 *     # case: FILE                           before a line: a case in the same folder that shows it
 *
 * A profile lists only what was checked in the implementation's source. A clause that it does not list is
 * not known, even though the profile's base has a reading of it.
 */
#ifndef MISPRINT_ORACLE_FILES_LEARNED_H
#define MISPRINT_ORACLE_FILES_LEARNED_H

#include "model/core/unit.h"

struct learned_line {
    const char *line;      /* as in the file: "clause = reading", or a rule */
    const char *case_name; /* without ".case" */
    char *case_text;       /* the whole file */
    int clause;            /* the unit's clause; -1: a rule */
    unsigned reading;
};

struct learned {
    char *name;                        /* the file's name without ending */
    char *text;                        /* the lines point into it */
    const char *implementation, *when; /* from the first two lines */
    struct learned_line *line;
    unsigned count;
};

struct learned_list {
    struct learned *of; /* sorted by name */
    unsigned count;
};

/* Loads all learned profiles of a unit from a corpus folder; there may be none. False with an error if a file
 * is no profile, lacks its first lines, or has a line without a case. The list is then empty. */
bool learned_open(const struct unit *u, const char *folder, struct learned_list *l, struct error *e);
void learned_close(struct learned_list *l);

/* Returns the profile's line about a clause; NULL if it has none. */
const struct learned_line *learned_clause(const struct learned *l, unsigned clause);

#endif
