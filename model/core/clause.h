/* SPDX-License-Identifier: MIT */
/*
 * Clauses, readings, profiles, and the coverage of clauses.
 *
 * A clause is one statement of a specification. A reading is one way to understand the clause. A profile
 * chooses one reading for each clause of a unit. Where the documents are wrong, silent or ambiguous, the
 * model never hard-codes a reading: it calls consult, which returns the profile's reading and marks the
 * clause as covered.
 *
 * The tables of clauses are in model/FAMILY/, beside the code that follows the readings.
 */
#ifndef MISPRINT_MODEL_CORE_CLAUSE_H
#define MISPRINT_MODEL_CORE_CLAUSE_H

#include "model/core/error.h"
#include "model/rule/rules.h"

#include <stdbool.h>
#include <stdint.h>

struct unit;

/* The kind of evidence for a reading, weakest first. */
enum evidence {
    EVIDENCE_ARGUMENT, /* reasoning from other facts */
    EVIDENCE_DOCUMENT, /* a document says so */
    EVIDENCE_SOURCE,   /* software in the field does so */
    /* A page, a comment or a list of errata says what hardware does. The values that its author saw are not
     * published, or not by whoever measured them. */
    EVIDENCE_STATED,
    EVIDENCE_SILICON, /* measured on hardware: published values or tests that run on it; `source` says by whom
                       */
};
const char *evidence_name(enum evidence e);

enum {
    CLAUSES_MAX = 192, /* clauses a unit can have */
    READINGS_MAX = 6,  /* readings a clause can have */
    PROFILES_MAX = 9,  /* built-in profiles a unit can have */
    /* the first reading of every clause: what the document literally says, or, where the document is silent,
     * what a careful reader assumes */
    READING_MANUAL = 0,
};

struct reading {
    const char *id;     /* kebab-case; the first is always "manual" */
    const char *says;   /* one sentence: what a machine that follows this reading does */
    const char *source; /* who says so: document and page, test and file */
    enum evidence evidence;
};

struct clause {
    const char *id;    /* stable, kebab-case, unique over all units: "vpm-addr-h8" */
    const char *title; /* a noun phrase for lists: "ADDR bits of horizontal 8-bit VPM access" */
    const char *where; /* document, page, table: "VideoCoreIV-AG100-R p57 T32" */
    bool silent;       /* the document says nothing definite: a discrepancy is a gap, not an erratum */
    struct reading readings[READINGS_MAX]; /* [0] is "manual"; ends at an entry without id */
    uint8_t in_profile[PROFILES_MAX]; /* the reading in each built-in profile; [0] is `manual`, always 0 */
    const char *proposed;   /* corrected wording for the manual, by the best-known reading; or NULL */
    const char *workaround; /* how software avoids the problem; or NULL */
    const char *const
        *modes; /* names of the modes that coverage tells apart, NULL-terminated; NULL: one mode */
};

/* Returns the number of readings of a clause (at least 1). */
unsigned clause_readings(const struct clause *c);
/* Returns the number of modes of the clause that coverage tells apart (at least 1). */
unsigned clause_modes(const struct clause *c);

/* A description of a machine: the reading that the machine follows for each clause of one unit, indexed like
 * the unit's clauses, and rules (model/rule/rule.h). */
struct profile {
    uint8_t reading[CLAUSES_MAX];
    struct rules rules;
};

static inline unsigned reading_of(const struct profile *p, unsigned clause)
{
    return p->reading[clause];
}

/*
 * Resolves a profile as a user writes it: a built-in name ("manual", "bcm2835"),
 * optionally followed by overrides ",clause=reading". Overrides alone
 * ("vpm-addr-h8=row-div-4") apply to `manual`. Rules may follow, each after a
 * semicolon ("manual;vc4-vpm write.stride = value & 31"). Unknown names, clauses
 * and readings are errors that name the nearest known ones. profile_load in
 * oracle/files/load.h resolves profiles in files.
 */
bool profile_resolve(const struct unit *u, const char *spec, struct profile *p, struct error *e);

/* Copies the built-in profile of this index (0 is `manual`). */
void profile_builtin(const struct unit *u, unsigned index, struct profile *p);

/* Applies overrides "clause=reading,clause=reading;rule;rule" to a profile. Clauses and rules of other units
 * are ignored. */
bool profile_override(const struct unit *u, const char *overrides, struct profile *p, struct error *e);

/*
 * Parses a profile file. Its lines are "clause = reading", rules, and '#' comments; a line "base = NAME" may
 * come first and names the built-in profile to start from. Clauses and rules of other units are ignored, so
 * that one file can describe a whole chip. Errors name the line.
 */
bool profile_parse(const struct unit *u, const char *text, struct profile *p, struct error *e);

/*
 * The clauses that a run consulted, and the modes in which it consulted them: bit m of modes[c] is set if
 * clause c decided something in mode m. A clause that is not covered cannot have influenced the outcome.
 * Attribution relies on this.
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
 * Returns the profile's reading of the clause, and marks the clause as covered in this mode. A model that
 * copies the readings out of the profile must itself call `cover` for each clause that decides something.
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

/* Do `p` and `q` have different readings for a clause in `c`, or different rules? `c` is the coverage of a
 * run under `p`. If the result is false, the run's case has the same outcome under `q`. */
bool coverage_distinguishes(const struct coverage *c, const struct profile *p, const struct profile *q,
                            unsigned clauses);

/* Adds `from` to `into`; returns how many (clause, mode) pairs were new. */
unsigned coverage_merge(struct coverage *into, const struct coverage *from);
/* Does `c` contain all pairs of `part`? */
bool coverage_contains(const struct coverage *c, const struct coverage *part);
unsigned coverage_clauses(const struct coverage *c); /* the number of covered clauses */
unsigned coverage_pairs(const struct coverage *c);   /* the number of (clause, mode) pairs */

#endif
