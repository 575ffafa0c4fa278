/* SPDX-License-Identifier: MIT */
/*
 * The driver of adversarial fuzzers ("attacks") of the verifiers: cuts the numbers of cases into blocks,
 * has worker processes try them, adds up what they report, and keeps its state in a file from which a later
 * run goes on. Owns the command line, the state file and the final table. Knows nothing of what a case is:
 * each attack makes, judges and tries to break its own.
 */
#ifndef MISPRINT_TESTS_HARNESS_ATTACK_ATTACK_H
#define MISPRINT_TESTS_HARNESS_ATTACK_ATTACK_H

#include "model/text/text.h"

#include <stdbool.h>
#include <stdint.h>

/* What became of one case. */
enum attack_verdict {
    ATTACK_REFUSED,  /* the verifier does not let it run */
    ATTACK_ACCEPTED, /* it does, and nothing was found against that */
    ATTACK_BROKEN,   /* it does, and the case does harm */
};
enum { ATTACK_COUNTERS = 32, ATTACK_WHY = 400 };
struct attack_result {
    enum attack_verdict verdict;
    char why[ATTACK_WHY];
};

struct attack {
    const char *name;     /* "qpu-static" */
    const char *about;    /* one line for --help */
    void *(*begin)(void); /* once in each process that tries cases */
    /*
     * Makes case `number` of this attack, judges it, and tries to break it if it is accepted. Only the seed
     * and the number decide what happens. On ATTACK_BROKEN, or if attack_verbose is set, writes why, and the
     * case as text.
     */
    enum attack_verdict (*try_one)(void *state, uint64_t seed, uint64_t number, char why[ATTACK_WHY],
                                   struct text *text);
    const char *const *counter_names; /* words without blanks, NULL-terminated, at most ATTACK_COUNTERS */
    void (*end)(void *state);
};

extern bool attack_verbose; /* --case: the case is wanted as text whatever becomes of it */

/* Adds to a counter of the attack that runs. For try_one only. */
void attack_count(unsigned counter, uint64_t n);

/*
 * The whole program; `attacks` ends with NULL. Returns the exit status: 0 nothing broken, 1 something broken,
 * 2 wrong use, a state file that cannot be used or no case accepted, 3 interrupted by SIGINT or SIGTERM.
 */
int attack_main(int argc, char **argv, const struct attack *const *attacks);

#endif
