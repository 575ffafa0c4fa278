/* SPDX-License-Identifier: MIT */
/*
 * Measures how well campaigns find faults that we know. The bench injects each fault of a catalogue in a
 * virtual board, runs campaigns with a fixed budget, and compares their findings with the fault.
 *
 * The catalogue is made from a unit's tables alone: every reading of every clause other than the manual's,
 * pairs and triples of readings of clauses that one case touches, and injected faults over the regions of the
 * outcome and the fields of the case (oracle/compare/injected_fault.h). So a new unit has a catalogue without
 * further work.
 */
#ifndef MISPRINT_FUZZ_CAMPAIGN_BENCH_FAULTS_H
#define MISPRINT_FUZZ_CAMPAIGN_BENCH_FAULTS_H

#include "oracle/attribution/explain.h"
#include "oracle/files/corpus.h"

enum bench_fault_kind {
    FAULT_SINGLE,
    FAULT_PAIR,
    FAULT_TRIPLE,
    FAULT_OUTSIDE, /* an injected fault that no reading describes */
    FAULT_KINDS
};
const char *bench_fault_kind_name(enum bench_fault_kind k);

struct bench_fault {
    const struct unit *unit;
    enum bench_fault_kind kind;
    const char *profile;     /* the model's built-in profile; the board has it, too, with the fault */
    struct cause cause;      /* the injected readings; empty for `outside` */
    char injected_fault[96]; /* outside: the fault in the form of injected_fault.h, without '~' */
    bool undefined; /* single: under every built-in profile, the reading changes only undefined bits */
};

/*
 * Returns all faults of a unit, in a fixed order; free with free(). A single reading is added to the first
 * built-in profile under which a case of the corpus shows the reading. Without a corpus (NULL) it is added to
 * `manual`.
 */
struct bench_fault *bench_faults_of(const struct unit *u, const struct corpus *corpus, unsigned *count);
/* Prints "clause=reading,..." or the injected fault. */
void bench_fault_print(const struct bench_fault *p, struct text *t);

enum bench_fault_verdict {
    /* Found, with the right cause and no other; for `outside`: found, and called unexplained. */
    FAULT_EXACT,
    FAULT_CANDIDATES, /* found, and the injected readings are one of several explanations that remain */
    FAULT_PART,       /* only some of several readings were found */
    FAULT_WRONG,      /* a finding blames a clause outside the fault, or calls a known reading unexplained */
    /* The injected reading changes only bits that it or the profile's reading leaves undefined, so no board
     * can show which of the two holds. */
    FAULT_UNDEFINED,
    FAULT_KNOWN,  /* a finding blames other readings, which give the board's outcomes in fresh cases, too */
    FAULT_MISSED, /* the campaigns showed no difference within the budget */
    FAULT_VERDICTS
};
const char *bench_fault_verdict_name(enum bench_fault_verdict v);

struct bench_fault_budget {
    uint64_t cases; /* cases of the last campaign; earlier ones are smaller */
    double seconds; /* seconds after which no further campaign begins */
    uint64_t seed;
    const struct corpus *seeds; /* cases with which campaigns begin, as in `misprint fuzz`; NULL: none */
};

struct bench_fault_result {
    enum bench_fault_verdict verdict;
    uint64_t first_case;      /* number of the first differing case; 0: none */
    double first_seconds;     /* seconds until the first differing case */
    uint64_t cases;           /* cases of the campaign that was judged */
    double seconds;           /* seconds of all campaigns together */
    uint64_t smallest;        /* bytes of the smallest reduced case of the findings */
    unsigned findings, wrong; /* `wrong`: findings that blame a clause that is not in the fault */
};

/* Returns false if the board or the machine failed. */
bool bench_fault_run(const struct bench_fault *p, const struct bench_fault_budget *b,
                     struct bench_fault_result *r, struct error *e);

#endif
