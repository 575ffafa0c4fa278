/* SPDX-License-Identifier: MIT */
/*
 * The features of a case: which clauses it touches, in which modes and under which readings, and which pairs
 * of readings of a clause it distinguishes. fuzz/minimize.h minimizes a corpus by its features. To find them,
 * a case runs under each built-in profile of its unit, and under each of these profiles with one reading of a
 * touched clause changed.
 */
#ifndef MISPRINT_FUZZ_GENERATE_FEATURES_H
#define MISPRINT_FUZZ_GENERATE_FEATURES_H

#include "oracle/compare/executor.h"

enum feature_kind {
    FEATURE_TOUCHES,   /* the clause decided something in a mode, under a reading */
    FEATURE_SEPARATES, /* two readings give different bits that both define, or different ends */
    FEATURE_DEFINES,   /* one of two readings leaves undefined what the other defines */
    FEATURE_KINDS
};

/* A feature in one number: kind, clause, and either reading and mode or the two readings. */
typedef uint32_t feature;
static inline enum feature_kind feature_kind(feature f)
{
    return (enum feature_kind)(f >> 28);
}

int feature_order(const void *a, const void *b); /* compares two features, for qsort */

struct features {
    feature *item; /* ascending, each once */
    unsigned count;
};

/* Scratch memory for one unit. */
struct feature_finder;
struct feature_finder *feature_finder_new(const struct unit *u);
void feature_finder_free(struct feature_finder *f);
/* Free with features_free. Returns false without memory. */
bool features_of(struct feature_finder *f, const struct test_case *c, struct features *out);
void features_free(struct features *f);

#endif
