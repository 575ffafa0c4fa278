/* SPDX-License-Identifier: MIT */
/*
 * Tries to break a case that a proof accepted: runs it under the built-in profiles, under every single other reading of
 * each clause that these runs asked, and under random mixtures of them. Owns what counts as broken.
 */
#ifndef MISPRINT_TESTS_ATTACK_QPU_HUNT_H
#define MISPRINT_TESTS_ATTACK_QPU_HUNT_H

#include "harness/verifier.h"
#include "model/random.h"
#include "tests/attack/qpu_probe.h"

enum { QPU_HUNT_BUILTIN = 2, QPU_HUNT_RANDOM = 8, QPU_HUNT_CAUSE = 240 };

struct qpu_hunt {
    struct qpu_probe *probe;
    struct outcome *outcome;
    struct profile builtin[QPU_HUNT_BUILTIN];
    uint8_t readings[CLAUSES_MAX]; /* how many each clause has */
    unsigned clauses;
    uint64_t runs, unspecified; /* since qpu_hunt_begin; runs that met what no document defines */
};

/* What broke: under which profile, and a sentence that is the same for all cases of one kind. */
struct qpu_harm {
    struct profile profile;
    unsigned base; /* the built-in profile that it was made from */
    uint32_t at;   /* number of the instruction */
    char cause[QPU_HUNT_CAUSE];
};

void qpu_hunt_begin(struct qpu_hunt *h);
void qpu_hunt_end(struct qpu_hunt *h);

/* True: the case does harm, and how. `r` chooses the mixtures. */
bool qpu_hunt_case(struct qpu_hunt *h, const struct test_case *tc, const struct verifier_proof *p, struct random *r,
                   struct qpu_harm *harm);
/* Does it do the same harm, under the same profile? */
bool qpu_hunt_again(struct qpu_hunt *h, const struct test_case *tc, const struct verifier_proof *p,
                    const struct qpu_harm *harm);

#endif
