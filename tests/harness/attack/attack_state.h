/* SPDX-License-Identifier: MIT */
/*
 * The totals of an attack so far, and the file that keeps them. The driver adds blocks in the order of their
 * numbers. So the totals depend neither on the number of processes nor on interruptions. Private to the
 * driver.
 */
#ifndef MISPRINT_TESTS_HARNESS_ATTACK_ATTACK_STATE_H
#define MISPRINT_TESTS_HARNESS_ATTACK_ATTACK_STATE_H

#include "tests/harness/attack/attack.h"

enum { ATTACK_BLOCK = 4096 /* cases in a block */ };

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
    uint64_t next;  /* the counts have all blocks below this one */
    double seconds; /* sum of all runs */
    struct attack_counts counts;
};

void attack_counts_add(struct attack_counts *into, const struct attack_counts *more);

/* Reads the file into `s`, whose attack and seed the caller has set. If there is no file, returns true
 * too. */
bool attack_state_load(struct attack_state *s, const char *path, char error[ATTACK_WHY]);
/* Replaces the file atomically: after a power failure the file holds the old state or the new one. */
bool attack_state_save(const struct attack_state *s, const char *path, char error[ATTACK_WHY]);

#endif
