/* SPDX-License-Identifier: MIT */
/*
 * Measures the search where the truth is known: a catalogue of faults, each injected in a virtual board; a
 * campaign with a fixed budget searches for it; what it found is judged by what was injected.
 *
 * The catalogue is made from a unit's tables alone: every other reading of every clause, pairs and triples of
 * readings that one case touches, and injected faults over the regions of the outcome and the fields of
 * the case (oracle/compare/injected_fault.h). So a new unit has one without further work.
 */
#ifndef MISPRINT_FUZZ_CAMPAIGN_BENCH_FAULTS_H
#define MISPRINT_FUZZ_CAMPAIGN_BENCH_FAULTS_H

#include "oracle/attribution/explain.h"
#include "oracle/files/corpus.h"

enum bench_fault_kind {
    FAULT_SINGLE,
    FAULT_PAIR,
    FAULT_TRIPLE,
    FAULT_OUTSIDE /* an injected fault: no reading describes it */,
    FAULT_KINDS
};
const char *bench_fault_kind_name(enum bench_fault_kind k);

struct bench_fault {
    const struct unit *unit;
    enum bench_fault_kind kind;
    const char *profile;     /* built-in: of the model, and of the board without the fault */
    struct cause cause;      /* the injected readings; empty: outside */
    char injected_fault[96]; /* outside: as in injected_fault.h, without '~' */
    bool undefined; /* single: under every built-in profile, the readings differ only in undefined bits */
};

/*
 * All faults of a unit, in a fixed order; free with free(). A single reading is injected upon the first
 * built-in profile upon which a case of the corpus shows it; without a corpus (NULL), upon the manual.
 */
struct bench_fault *bench_faults_of(const struct unit *u, const struct corpus *corpus, unsigned *count);
/* "clause=reading,..." or the injected fault. */
void bench_fault_print(const struct bench_fault *p, struct text *t);

enum bench_fault_verdict {
    FAULT_EXACT,      /* found, with the right cause and no other; outside: found, and called unexplained */
    FAULT_CANDIDATES, /* found; the truth is among several explanations that remain */
    FAULT_PART,       /* of several readings some were found */
    FAULT_WRONG,     /* a clause is blamed that has no part in it, or a known reading is called unexplained */
    FAULT_UNDEFINED, /* the outcomes differ only in bits that one of the readings leaves undefined, so no
                        board can show which one holds */
    FAULT_KNOWN,     /* another reading of the ledger is blamed, and does the same in fresh cases, too */
    FAULT_MISSED,    /* no difference within the budget */
    FAULT_VERDICTS
};
const char *bench_fault_verdict_name(enum bench_fault_verdict v);

struct bench_fault_budget {
    uint64_t cases; /* of the last campaign; those before it are smaller */
    double seconds; /* no further campaign begins after these */
    uint64_t seed;
    const struct corpus *seeds; /* cases of the unit to begin with, as `misprint fuzz` does; NULL: none */
};

struct bench_fault_result {
    enum bench_fault_verdict verdict;
    uint64_t first_case;      /* number of the first differing case; 0: none */
    double first_seconds;     /* when it came */
    uint64_t cases;           /* of the campaign that was judged */
    double seconds;           /* of all campaigns together */
    uint64_t smallest;        /* bytes of the smallest reduced case of the findings */
    unsigned findings, wrong; /* of these, how many blame what has no part in it */
};

/* False if the board or the machine failed. */
bool bench_fault_run(const struct bench_fault *p, const struct bench_fault_budget *b,
                     struct bench_fault_result *r, struct error *e);

#endif
