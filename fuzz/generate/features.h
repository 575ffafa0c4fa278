/* SPDX-License-Identifier: MIT */
/*
 * What a case shows: which clauses it touches in which modes under which of
 * their readings, and which two readings of a clause it tells apart. Corpora are minimized by it.
 *
 * A case is looked at under each built-in profile of its unit, and under each
 * of these with one reading changed, of every clause that it touches.
 */
#ifndef MISPRINT_FUZZ_GENERATE_FEATURES_H
#define MISPRINT_FUZZ_GENERATE_FEATURES_H

#include "oracle/compare/executor.h"

enum feature_kind {
    FEATURE_TOUCHES,   /* the clause decides something in a mode, under a reading */
    FEATURE_SEPARATES, /* two readings give different bits that both define, or different ends */
    FEATURE_DEFINES,   /* one of two readings leaves undefined what the other defines */
    FEATURE_KINDS
};

/* Kind, clause, and two small numbers (reading and mode, or the two readings) as one number; equal features
 * are equal numbers. */
typedef uint32_t feature;
static inline enum feature_kind feature_kind(feature f)
{
    return (enum feature_kind)(f >> 28);
}

struct features {
    feature *item; /* rising, each once */
    unsigned count;
};

/* Scratch memory of looking at cases of one unit. */
struct feature_finder;
struct feature_finder *feature_finder_new(const struct unit *u);
void feature_finder_free(struct feature_finder *f);
/* Free with features_free; false without memory. */
bool features_of(struct feature_finder *f, const struct test_case *c, struct features *out);
void features_free(struct features *f);

#endif
