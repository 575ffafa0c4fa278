/* SPDX-License-Identifier: MIT */
/*
 * Planted errata: how good the search is, measured where the truth is known. A
 * catalogue of deviations, each planted in a virtual board; a campaign with a
 * fixed budget looks for it; what it found is judged by what was planted.
 *
 * The catalogue comes from a unit's tables alone: every other reading of every
 * clause, pairs and triples of readings that one case touches, and deviations
 * in no ledger over the regions of the outcome and the fields of the case
 * (oracle/compare/injected_fault.h). A new unit is in it as it stands.
 */
#ifndef MISPRINT_FUZZ_CAMPAIGN_BENCH_FAULTS_H
#define MISPRINT_FUZZ_CAMPAIGN_BENCH_FAULTS_H

#include "oracle/attribution/explain.h"
#include "oracle/files/corpus.h"

enum bench_fault_kind {
    FAULT_SINGLE,
    FAULT_PAIR,
    FAULT_TRIPLE,
    FAULT_OUTSIDE /* in no ledger */,
    FAULT_KINDS
};
const char *bench_fault_kind_name(enum bench_fault_kind k);

struct bench_fault {
    const struct unit *unit;
    enum bench_fault_kind kind;
    const char *profile;     /* built-in: what the model runs under, and the board but for what is planted */
    struct cause cause;      /* the planted readings; empty: outside */
    char injected_fault[96]; /* outside: as in injected_fault.h, without '~' */
    bool untellable; /* single: the clause's separating cases differ in nothing but what is defined, upon
                        every built-in profile */
};

/*
 * All of a unit, in a fixed order; free with free(). By its corpus, a single reading is planted upon the
 * first built-in profile upon which it can be told from what that has; NULL: upon the manual.
 */
struct bench_fault *bench_faults_of(const struct unit *u, const struct corpus *corpus, unsigned *count);
/* What is planted: "clause=reading,..." or the deviation. */
void bench_fault_print(const struct bench_fault *p, struct text *t);

enum bench_fault_verdict {
    FAULT_EXACT,      /* found, and blamed on what was planted and nothing else; outside: found, and called
                         unexplained */
    FAULT_CANDIDATES, /* found, the truth is among the explanations that remain, but so is something else */
    FAULT_PART,       /* of several readings some were found, rightly */
    FAULT_WRONG,     /* a clause is blamed that has no part in it, or a known reading is called unexplained */
    FAULT_UNDEFINED, /* nothing differs but bits that one of the readings leaves undefined: no board can show
                      * which of them holds (plant.untellable)
                      */
    FAULT_KNOWN,  /* another reading of the ledger does the same, also in cases that were not searched; so it
                     is right to blame it */
    FAULT_MISSED, /* no difference within the budget */
    FAULT_VERDICTS
};
const char *bench_fault_verdict_name(enum bench_fault_verdict v);

struct bench_fault_budget {
    uint64_t cases; /* at the most, in one campaign; the first ones are smaller */
    double seconds; /* no further campaign is begun after this long */
    uint64_t seed;
    const struct corpus
        *seeds; /* of the unit, for campaigns to begin with, as `misprint fuzz` does; NULL: none */
};

struct bench_fault_result {
    enum bench_fault_verdict verdict;
    uint64_t first_case;      /* number of the first differing case; 0: none */
    double first_seconds;     /* when it came */
    uint64_t cases;           /* of the campaign that was judged */
    double seconds;           /* of all campaigns together */
    uint64_t smallest;        /* bytes of the smallest reduced case of the findings */
    unsigned findings, wrong; /* ... and how many of them blame what has no part in it */
};

/* False if the board or the machine failed. */
bool bench_fault_run(const struct bench_fault *p, const struct bench_fault_budget *b,
                     struct bench_fault_result *r, struct error *e);

#endif
