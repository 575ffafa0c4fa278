/* SPDX-License-Identifier: MIT */
/*
 * What an attack came to so far, and the file in which that is kept. Blocks are added in the order of their
 * numbers, so that the totals do not depend on how many processes work or where a run was interrupted.
 * Private to attack.c and attack_state.c.
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
    double seconds; /* that the runs took, all of them */
    struct attack_counts counts;
};

void attack_counts_add(struct attack_counts *into, const struct attack_counts *more);

/* Reads the file into `s`, whose attack and seed are set. True as well if there is no file. */
bool attack_state_load(struct attack_state *s, const char *path, char error[ATTACK_WHY]);
/* Replaces the file as a whole: it holds the old state or the new one, whenever power fails. */
bool attack_state_save(const struct attack_state *s, const char *path, char error[ATTACK_WHY]);

#endif
