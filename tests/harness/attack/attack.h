/* SPDX-License-Identifier: MIT */
/*
 * The driver of the adversarial fuzzers ("attacks") of the verifiers. It divides case numbers into blocks,
 * lets worker processes try these, and adds up their reports. It keeps its state in a file from which a later
 * run can continue. Owns the command line, the state file and the final table. Does not know what a case is:
 * each attack makes, judges and tries to break its own cases.
 */
#ifndef MISPRINT_TESTS_HARNESS_ATTACK_ATTACK_H
#define MISPRINT_TESTS_HARNESS_ATTACK_ATTACK_H

#include "model/text/text.h"

#include <stdbool.h>
#include <stdint.h>

/* The result of one case. */
enum attack_verdict {
    ATTACK_REFUSED,  /* the verifier refuses it */
    ATTACK_ACCEPTED, /* the verifier accepts it, and it does no harm */
    ATTACK_BROKEN,   /* the verifier accepts it, and it does harm */
};
enum { ATTACK_COUNTERS = 32, ATTACK_WHY = 400 };

struct attack {
    const char *name;     /* "qpu-static" */
    const char *about;    /* one line for --help */
    void *(*begin)(void); /* called once in each process that tries cases */
    /*
     * Makes case `number`, judges it, and tries to break it if it is accepted. The result depends only on the
     * seed and the number. On ATTACK_BROKEN, or if attack_verbose is set, writes why, and the case as text.
     */
    enum attack_verdict (*try_one)(void *state, uint64_t seed, uint64_t number, char why[ATTACK_WHY],
                                   struct text *text);
    const char *const *counter_names; /* words without blanks, NULL-terminated, at most ATTACK_COUNTERS */
    void (*end)(void *state);
};

extern bool attack_verbose; /* --case: try_one writes the case's text for every verdict */

/* Adds `n` to a counter of the running attack. For try_one only. */
void attack_count(unsigned counter, uint64_t n);

/*
 * Runs the program; `attacks` ends with NULL. Returns the exit status: 0 no case broken, 1 a case broken,
 * 2 wrong use, an unusable state file or no case accepted, 3 interrupted by SIGINT or SIGTERM.
 */
int attack_main(int argc, char **argv, const struct attack *const *attacks);

#endif
