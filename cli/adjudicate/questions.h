/* SPDX-License-Identifier: MIT */
/*
 * What `misprint adjudicate` was asked: clauses of one or more units, or a list of questions. answers.c
 * prints what was found out.
 *
 * A list is a file corpus/NAME.questions. Each line is a clause, a colon and a question about it; the most
 * valuable question comes first. Empty lines and lines that start with # mean nothing.
 */
#ifndef MISPRINT_CLI_ADJUDICATE_QUESTIONS_H
#define MISPRINT_CLI_ADJUDICATE_QUESTIONS_H

#include "fuzz/campaign/adjudicate.h"
#include "oracle/files/corpus.h"
#include "oracle/files/trace.h"

#include <jansson.h>

enum {
    UNITS_MAX = 32,
    LISTED_MAX = 64, /* questions of a list */
};

/* One unit: which of its clauses the user asked about, and the results. */
struct question {
    const struct unit *unit;
    bool asked; /* the user named the unit or one of its clauses */
    bool wanted[CLAUSES_MAX], known[CLAUSES_MAX];
    struct profile profile;
    struct board *board; /* while it runs */
    struct board_identity who;
    struct corpus *corpus;
    struct adjudicate_seed *seed; /* the given cases: the corpus, or all cases of a trace */
    size_t seeds, seed_room;
    bool traced; /* the board is a trace; `seed` owns its names and bytes */
    struct adjudication result;
    bool run;
};

/* One question of a list. */
struct listed {
    char *text;
    const struct question *q;
    unsigned clause;
};

struct questions {
    struct question q[UNITS_MAX];
    unsigned count;
    struct question *order[UNITS_MAX]; /* those that were asked, in this order */
    unsigned asked;
    const char *list; /* the name of the list; NULL: none */
    struct listed listed[LISTED_MAX];
    unsigned listed_count;
    char *folder; /* the corpus folder; NULL: not installed */
    const char *profile_name;
    uint64_t seed, max_cases;
    double begin, max_seconds;
    const char *record;          /* the file that keeps the board's outcomes; NULL: none */
    struct trace_writer *writer; /* NULL: no outcome was kept */
    const struct question *kept; /* the question whose outcomes the writer keeps now */
    uint64_t outcomes;           /* kept so far */
};

/* Notes that a unit was asked about. */
void questions_ask_unit(struct questions *s, struct question *q);
/* Marks a clause as wanted. If several units have the clause, prefers one whose corpus has cases for it. NULL
 * if no unit has the clause. */
struct question *questions_ask(struct questions *s, const char *id, unsigned *clause);

/* Is there a list of this name? */
bool list_exists(const struct questions *s, const char *name);
/* Reads a list and asks its questions. */
bool list_ask(struct questions *s, const char *name, struct error *e);

void answers_print(const struct questions *s, const struct question *q, struct text *t);
/* Prints the answers to the questions of the list, in the order of the list. */
void answers_print_list(const struct questions *s, struct text *t);
json_t *answers_json(const struct questions *s, const struct question *q);
/* Writes a profile file for --profile. The file lists all clauses of the units, even those that the user did
 * not ask about, so that it means the same on top of any base profile. */
void answers_profile(const struct questions *s, struct text *t);

struct answer_counts {
    unsigned certainty[OPEN + 1]; /* wanted clauses, without those that were not asked */
    unsigned not_asked, unanswered, conflicts;
};
struct answer_counts answers_count(const struct question *q);

#endif
