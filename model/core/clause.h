/* SPDX-License-Identifier: MIT */
/*
 * The ledger's words: clauses, readings, profiles, and the coverage of clauses.
 *
 * A clause is one sentence's worth of a specification; a reading is one way to
 * understand it; a profile chooses one reading for each clause of a unit. The
 * model asks the profile wherever the documents are wrong, silent or ambiguous,
 * and says so to the coverage; it never decides by itself.
 *
 * The rows themselves stand beside the code that obeys them, in model/VENDOR/.
 */
#ifndef MISPRINT_MODEL_CORE_CLAUSE_H
#define MISPRINT_MODEL_CORE_CLAUSE_H

#include "model/core/error.h"

#include <stdbool.h>
#include <stdint.h>

struct unit;

/* How a reading is known, weakest first. */
enum evidence {
    EVIDENCE_ARGUMENT, /* reasoning from other facts; nobody looked */
    EVIDENCE_DOCUMENT, /* a document says so */
    EVIDENCE_SOURCE,   /* software in the field does so */
    EVIDENCE_SILICON,  /* measured on hardware, by whom stands in `source` */
};
const char *evidence_name(enum evidence e);

enum {
    CLAUSES_MAX = 192,  /* clauses a unit can have */
    READINGS_MAX = 6,   /* readings a clause can have */
    PROFILES_MAX = 8,   /* built-in profiles a unit can have */
    READING_MANUAL = 0, /* every clause's first reading: the literal text or, where that is silent, a careful
                           reader's assumption */
};

struct reading {
    const char *id;     /* kebab-case; the first is always "manual" */
    const char *says;   /* one sentence: what a machine that follows this reading does */
    const char *source; /* who says so: document and page, test and file, seed post */
    enum evidence evidence;
};

struct clause {
    const char *id;    /* stable, kebab-case, unique over all units: "vpm-addr-h8" */
    const char *title; /* a noun phrase for lists: "ADDR bits of horizontal 8-bit VPM access" */
    const char *where; /* document, page, table: "VideoCoreIV-AG100-R p57 T32" */
    bool silent;       /* the document says nothing definite here: a discrepancy is a gap, not an erratum */
    struct reading readings[READINGS_MAX]; /* [0] is "manual"; ends at an entry without id */
    uint8_t in_profile[PROFILES_MAX];      /* the reading each built-in profile of the unit chooses; [0] is
                                              `manual`, always 0 */
    const char *
        proposed; /* wording that would mend the manual under the best-known reading; NULL if none is known */
    const char *workaround; /* what software does about it; NULL if nothing is known */
    const char *const
        *modes; /* names of the modes that coverage tells apart, NULL-terminated; NULL: one mode only */
};

/* How many readings a clause has (at least 1). */
unsigned clause_readings(const struct clause *c);
/* How many modes coverage tells apart (at least 1). */
unsigned clause_modes(const struct clause *c);

/* One reading for each clause of one unit, by the unit's clause index. */
struct profile {
    uint8_t reading[CLAUSES_MAX];
};

static inline unsigned reading_of(const struct profile *p, unsigned clause)
{
    return p->reading[clause];
}

/*
 * Resolves a profile as a user writes it: a built-in name ("manual", "bcm2835"),
 * perhaps followed by overrides ",clause=reading"; overrides alone
 * ("vpm-addr-h8=row-div-4") stand on `manual`. Unknown names, clauses and
 * readings are errors that name the nearest known ones. Profiles in files:
 * profile_load in oracle/files/load.h.
 */
bool profile_resolve(const struct unit *u, const char *spec, struct profile *p, struct error *e);

/* The built-in profile of this index (0 is `manual`). */
void profile_builtin(const struct unit *u, unsigned index, struct profile *p);

/* Applies overrides "clause=reading,clause=reading" to a profile. Clauses of other units are passed over. */
bool profile_override(const struct unit *u, const char *overrides, struct profile *p, struct error *e);

/*
 * Reads the lines of a profile file: "base = NAME" (a built-in profile to start
 * from; before all else), "clause = reading", '#' comments. Clauses of other units are
 * passed over, so that one file can serve a whole chip. Errors name the line.
 */
bool profile_parse(const struct unit *u, const char *text, struct profile *p, struct error *e);

/*
 * Which clauses a run consulted, and in which of their modes: bit m of
 * modes[c] is set when clause c decided something in mode m. A clause that was
 * not covered cannot have influenced the outcome: attribution relies on it.
 */
struct coverage {
    uint16_t modes[CLAUSES_MAX];
};

enum { MODES_MAX = 16 };

static inline void cover(struct coverage *c, unsigned clause, unsigned mode /* below MODES_MAX */)
{
    c->modes[clause] = (uint16_t)(c->modes[clause] | (1U << mode));
}

/*
 * Returns the reading in force and marks the clause as covered in this mode. A
 * model decides by this call, so that no clause decides anything uncovered.
 */
static inline unsigned consult(const struct profile *p, struct coverage *c, unsigned clause, unsigned mode)
{
    cover(c, clause, mode);
    return reading_of(p, clause);
}

static inline bool covered(const struct coverage *c, unsigned clause)
{
    return c->modes[clause] != 0;
}

/* Do these profiles read any of a unit's clauses differently that a run under one of them covered? If not,
 * the other does the same with the case. */
bool coverage_distinguishes(const struct coverage *c, const struct profile *p, const struct profile *q,
                            unsigned clauses);

/* Adds `from` to `into`; returns how many (clause, mode) pairs were new. */
unsigned coverage_merge(struct coverage *into, const struct coverage *from);
bool coverage_contains(const struct coverage *c,
                       const struct coverage *part); /* are all pairs of `part` in it? */
unsigned coverage_clauses(const struct coverage *c); /* how many clauses are covered */
unsigned coverage_pairs(const struct coverage *c);   /* how many (clause, mode) pairs */

#endif
