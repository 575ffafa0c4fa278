/* SPDX-License-Identifier: MIT */
/*
 * The totals of an attack so far, and the file that keeps them. Blocks are added in the order of their
 * numbers, so that the totals do not depend on the number of processes or on interruptions. Private to the
 * driver.
 */
#ifndef MISPRINT_TESTS_HARNESS_ATTACK_ATTACK_STATE_H
#define MISPRINT_TESTS_HARNESS_ATTACK_ATTACK_STATE_H

#include "tests/harness/attack/attack.h"

enum { ATTACK_BLOCK = 4096 /* numbers of cases */ };

struct attack_counts {
    uint64_t cases, accepted, broken;
    uint64_t counter[ATTACK_COUNTERS];
    bool has_first;
    uint64_t first; /* number of the first broken case */
    char why[ATTACK_WHY];
};

struct attack_state {
    const struct attack *attack;
    uint64_t seed;
    uint64_t next;  /* blocks below it are in the counts */
    double seconds; /* of all runs together */
    struct attack_counts counts;
};

void attack_counts_add(struct attack_counts *into, const struct attack_counts *more);

/* Reads the file into `s`, whose attack and seed are set. Returns true also if there is no file. */
bool attack_state_load(struct attack_state *s, const char *path, char error[ATTACK_WHY]);
/* Replaces the file atomically: after a power failure, it holds the old state or the new one. */
bool attack_state_save(const struct attack_state *s, const char *path, char error[ATTACK_WHY]);

#endif
