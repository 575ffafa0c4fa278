/* SPDX-License-Identifier: MIT */
/*
 * The cases that come with the project: corpus/UNIT/NAME.case. A clause's
 * separating cases are named after it: CLAUSE.case, CLAUSE-2.case, ...
 */
#ifndef MISPRINT_ORACLE_FILES_CORPUS_H
#define MISPRINT_ORACLE_FILES_CORPUS_H

#include "model/core/unit.h"

struct corpus {
    const struct unit *unit;
    unsigned count, room;
    struct corpus_entry {
        char *name; /* without folder and ending */
        char *text; /* the file as it stands, with its comments */
        struct test_case *tc;
    } * entry; /* ordered by name */
};

/*
 * Where it lies: $MISPRINT_CORPUS, beside the installed command (../share/misprint/corpus), or where this
 * build's source was. NULL if it is nowhere; free() it.
 */
char *corpus_find(void);

/* All cases of a unit in a corpus folder; none is fine. NULL with an error for a file that is no case of the
 * unit. */
struct corpus *corpus_open(const struct unit *u, const char *folder, struct error *e);
void corpus_close(struct corpus *c); /* NULL is fine */
/* Adds an entry, whose parts then belong to the corpus; and frees all entries of one that was not opened. */
bool corpus_add(struct corpus *c, const struct corpus_entry *n, struct error *e);
void corpus_clear(struct corpus *c);

/* The n-th separating case of a clause, from 0; NULL if there is none. */
const struct corpus_entry *corpus_separating(const struct corpus *c, const char *clause, unsigned n);

#endif
