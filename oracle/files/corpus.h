/* SPDX-License-Identifier: MIT */
/*
 * The cases that come with the project: corpus/UNIT/NAME.case. The separating cases of a clause have its
 * name: CLAUSE.case, CLAUSE-2.case, ...
 */
#ifndef MISPRINT_ORACLE_FILES_CORPUS_H
#define MISPRINT_ORACLE_FILES_CORPUS_H

#include "model/core/unit.h"

struct corpus {
    const struct unit *unit;
    unsigned count, room;
    struct corpus_entry {
        char *name; /* the file's name without folder and ending */
        char *text; /* the whole file, with its comments */
        struct test_case *tc;
    } * entry; /* sorted by name */
};

/* Returns the corpus folder: $MISPRINT_CORPUS, or ../share/misprint/corpus beside the installed command, or
 * the source folder of this build. NULL if there is none; free() it. */
char *corpus_find(void);

/* Finds the file of a known case by its name. `u` NULL: of any unit. NULL if there is none; free() it. */
char *corpus_find_case(const char *name, const struct unit *u);

/* Loads all cases of a unit from a corpus folder; there may be none. NULL with an error if a file is no case
 * of the unit. */
struct corpus *corpus_open(const struct unit *u, const char *folder, struct error *e);
void corpus_close(struct corpus *c); /* NULL is fine */
/* Adds an entry and takes ownership of its parts. */
bool corpus_add(struct corpus *c, const struct corpus_entry *n, struct error *e);
void corpus_clear(struct corpus *c); /* for a corpus that was filled by corpus_add alone */

/* The n-th separating case of a clause, from 0; NULL if there is none. */
const struct corpus_entry *corpus_separating(const struct corpus *c, const char *clause, unsigned n);

#endif
