/* SPDX-License-Identifier: MIT */
/*
 * Tries to break a case that a proof accepted, by running it under many profiles. Owns what counts as broken.
 */
#ifndef MISPRINT_TESTS_HARNESS_ATTACK_QPU_QPU_HUNT_H
#define MISPRINT_TESTS_HARNESS_ATTACK_QPU_QPU_HUNT_H

#include "model/number/random.h"
#include "tests/harness/attack/qpu/qpu_probe.h"
#include "tests/harness/attack/qpu/qpu_wrapped.h"

enum { QPU_HUNT_BUILTIN = 2, QPU_HUNT_MIXTURES = 8, QPU_HUNT_CAUSE = 240 };

struct qpu_hunt {
    struct qpu_probe *probe;
    struct qpu_wrapped *wrapped;
    bool is_wrapped;      /* which of the two is hunted */
    const uint32_t *code; /* its instructions, and how many */
    uint32_t count;
    struct profile builtin[QPU_HUNT_BUILTIN];
    uint8_t readings[CLAUSES_MAX]; /* how many each clause has */
    unsigned clauses;
    uint64_t runs, unspecified; /* so far; `unspecified`: met what no document defines */
};

/* What broke: under which profile, and a sentence that is the same for all cases of one kind. */
struct qpu_harm {
    struct profile profile;
    unsigned base; /* the built-in profile that it was made from */
    uint32_t filler;
    uint32_t at; /* number of the instruction */
    char cause[QPU_HUNT_CAUSE];
};

void qpu_hunt_begin(struct qpu_hunt *h);
void qpu_hunt_end(struct qpu_hunt *h);

/* What is hunted from now on: a case (`proof` as qpu_probe_take has it), or a case with the code around it.
 */
void qpu_hunt_take(struct qpu_hunt *h, const struct test_case *tc, const struct verifier_proof *proof);
void qpu_hunt_take_wrapped(struct qpu_hunt *h, const struct wrapper_image *image,
                           const struct wrapper_program *program);

/*
 * Both built-in profiles, then one of them (`base`; QPU_HUNT_BUILTIN: `r` chooses) with each single other
 * reading of every clause that these runs consulted. True: the case does harm, and `harm` says how.
 */
bool qpu_hunt_singly(struct qpu_hunt *h, unsigned base, struct random *r, struct coverage *coverage,
                     struct qpu_harm *harm);
/* Random mixtures of readings of the clauses in `coverage`. */
bool qpu_hunt_mixtures(struct qpu_hunt *h, unsigned mixtures, struct random *r, struct coverage *coverage,
                       struct qpu_harm *harm);
/* Does the case do the same harm, under the same profile? */
bool qpu_hunt_again(struct qpu_hunt *h, const struct qpu_harm *harm);

#endif
