/* SPDX-License-Identifier: MIT */
/*
 * Clauses, readings, profiles, and the coverage of clauses.
 *
 * A clause is one sentence's worth of a specification. A reading is one way to
 * understand it. A profile chooses one reading for each clause of a unit. Where
 * the documents are wrong, silent or ambiguous, the model consults the profile
 * and marks the clause as covered; it never decides by itself.
 *
 * The tables of clauses are beside the code that obeys them, in model/VENDOR/.
 */
#ifndef MISPRINT_MODEL_CORE_CLAUSE_H
#define MISPRINT_MODEL_CORE_CLAUSE_H

#include "model/core/error.h"

#include <stdbool.h>
#include <stdint.h>

struct unit;

/* How a reading is known, weakest first. */
enum evidence {
    EVIDENCE_ARGUMENT, /* reasoning from other facts */
    EVIDENCE_DOCUMENT, /* a document says so */
    EVIDENCE_SOURCE,   /* software in the field does so */
    EVIDENCE_SILICON,  /* measured on hardware; `source` says by whom */
};
const char *evidence_name(enum evidence e);

enum {
    CLAUSES_MAX = 192,  /* clauses a unit can have */
    READINGS_MAX = 6,   /* readings a clause can have */
    PROFILES_MAX = 8,   /* built-in profiles a unit can have */
    READING_MANUAL = 0, /* every clause's first reading: the literal text, or what a careful reader assumes */
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
    bool silent;       /* the document says nothing definite: a discrepancy is a gap, not an erratum */
    struct reading readings[READINGS_MAX]; /* [0] is "manual"; ends at an entry without id */
    uint8_t in_profile[PROFILES_MAX]; /* the reading in each built-in profile; [0] is `manual`, always 0 */
    const char *proposed;     /* wording that corrects the manual by the best-known reading; or NULL */
    const char *workaround;   /* what software does about it; or NULL */
    const char *const *modes; /* names of the modes that coverage distinguishes, NULL-terminated; NULL: one */
};

/* How many readings a clause has (at least 1). */
unsigned clause_readings(const struct clause *c);
/* How many modes coverage distinguishes (at least 1). */
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
 * optionally followed by overrides ",clause=reading". Overrides alone
 * ("vpm-addr-h8=row-div-4") apply to `manual`. Unknown names, clauses and
 * readings are errors that name the nearest known ones. profile_load in
 * oracle/files/load.h resolves profiles in files.
 */
bool profile_resolve(const struct unit *u, const char *spec, struct profile *p, struct error *e);

/* The built-in profile of this index (0 is `manual`). */
void profile_builtin(const struct unit *u, unsigned index, struct profile *p);

/* Applies overrides "clause=reading,clause=reading" to a profile. Clauses of other units are ignored. */
bool profile_override(const struct unit *u, const char *overrides, struct profile *p, struct error *e);

/*
 * Parses a profile file: "base = NAME" (first: the built-in profile to start
 * from), "clause = reading", '#' comments. Clauses of other units are ignored,
 * so that one file can describe a whole chip. Errors name the line.
 */
bool profile_parse(const struct unit *u, const char *text, struct profile *p, struct error *e);

/*
 * Which clauses a run consulted, and in which of their modes: bit m of modes[c]
 * is set if clause c decided something in mode m. A clause that is not covered
 * cannot have influenced the outcome. Attribution relies on this.
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

/* Does a run with this coverage under `p` depend on a clause that `q` reads differently? If not, the case has
 * the same outcome under `q`. */
bool coverage_distinguishes(const struct coverage *c, const struct profile *p, const struct profile *q,
                            unsigned clauses);

/* Adds `from` to `into`; returns how many (clause, mode) pairs were new. */
unsigned coverage_merge(struct coverage *into, const struct coverage *from);
/* Does `c` contain all pairs of `part`? */
bool coverage_contains(const struct coverage *c, const struct coverage *part);
unsigned coverage_clauses(const struct coverage *c); /* how many clauses are covered */
unsigned coverage_pairs(const struct coverage *c);   /* how many (clause, mode) pairs */

#endif
