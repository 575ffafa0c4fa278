/* SPDX-License-Identifier: MIT */
/* Runs a case that a proof accepted under many profiles, to break it. Decides what is harm. */
#ifndef MISPRINT_TESTS_HARNESS_ATTACK_QPU_QPU_HUNT_H
#define MISPRINT_TESTS_HARNESS_ATTACK_QPU_QPU_HUNT_H

#include "model/number/random.h"
#include "tests/harness/attack/qpu/qpu_probe.h"
#include "tests/harness/attack/qpu/qpu_wrapped.h"

enum { QPU_HUNT_BUILTIN = 2, QPU_HUNT_MIXTURES = 8, QPU_HUNT_CAUSE = 240 };

struct qpu_hunt {
    struct qpu_probe *probe;
    struct qpu_wrapped *wrapped;
    bool is_wrapped;      /* the case runs in `wrapped`; otherwise in `probe` */
    const uint32_t *code; /* the `count` instructions of the case */
    uint32_t count;
    struct profile builtin[QPU_HUNT_BUILTIN];
    uint8_t readings[CLAUSES_MAX]; /* number of readings of each clause */
    unsigned clauses;
    uint64_t runs, unspecified; /* `unspecified`: runs that no document defines */
};

/* Harm: the profile under which it happens, and a sentence. All cases of one kind of harm have the same
 * sentence. */
struct qpu_harm {
    struct profile profile;
    unsigned base; /* the built-in profile from which `profile` derives */
    uint32_t filler;
    uint32_t at; /* number of the instruction */
    char cause[QPU_HUNT_CAUSE];
};

void qpu_hunt_begin(struct qpu_hunt *h);
void qpu_hunt_end(struct qpu_hunt *h);

/* Sets what to run: a case (for `proof` see qpu_probe_take), or a case with the code around it. */
void qpu_hunt_take(struct qpu_hunt *h, const struct test_case *tc, const struct verifier_proof *proof);
void qpu_hunt_take_wrapped(struct qpu_hunt *h, const struct wrapper_image *image,
                           const struct wrapper_program *program);

/*
 * Runs both built-in profiles, then one of them (`base`; QPU_HUNT_BUILTIN: `r` chooses). Of the latter, runs
 * a variant for each other reading of each clause that these runs consulted. If the case does harm, completes
 * `harm` and returns true.
 */
bool qpu_hunt_singly(struct qpu_hunt *h, unsigned base, struct random *r, struct coverage *coverage,
                     struct qpu_harm *harm);
/* Runs random mixtures of readings of the clauses in `coverage`. If the case does harm, completes `harm` and
 * returns true. */
bool qpu_hunt_mixtures(struct qpu_hunt *h, unsigned mixtures, struct random *r, struct coverage *coverage,
                       struct qpu_harm *harm);
/* Does the case do the same harm, under the same profile? */
bool qpu_hunt_again(struct qpu_hunt *h, const struct qpu_harm *harm);

#endif
