/* SPDX-License-Identifier: MIT */
/* Attacks of the proofs that a QPU program may run on hardware (harness/verifier.h): each proof alone. */
#include "fuzz/reduce.h"
#include "harness/verifier.h"
#include "model/memory.h"
#include "model/vc4/unit_qpu.h"
#include "tests/attack/attack.h"
#include "tests/attack/qpu_generate.h"
#include "tests/attack/qpu_hunt.h"

#include <stdio.h>
#include <stdlib.h>

enum { COUNT_RUNS, COUNT_UNSPECIFIED, COUNT_VPM, COUNT_CACHED, COUNT_WRITING, COUNT_INSTRUCTIONS };
static const char *const counter_names[] = {"runs", "unspecified", "with-vpm", "with-caches", "with-stores", "instructions", NULL};

enum { REDUCTIONS = 20000 };

struct qpu_attack {
    struct qpu_hunt hunt;
    struct test_case tc, smallest;
};

static void *begin(void)
{
    struct qpu_attack *a = memory_new(1, sizeof *a);
    qpu_hunt_begin(&a->hunt);
    return a;
}

static void end(void *state)
{
    struct qpu_attack *a = state;
    qpu_hunt_end(&a->hunt);
    free(a);
}

/* ---- the smallest case that does the same harm ---- */

struct reduction {
    struct qpu_attack *attack;
    const struct qpu_harm *harm;
};

static bool keeps(void *context, const struct test_case *candidate)
{
    struct reduction *r = context;
    struct verifier_proof p;
    return verifier_prove(candidate, MEMORY_BASE_DEFAULT, &p, NULL) &&
           qpu_hunt_again(&r->attack->hunt, candidate, &p, r->harm);
}

static void report(struct qpu_attack *a, const struct qpu_harm *harm, char why[ATTACK_WHY], struct text *text)
{
    struct reduction r = {a, harm};
    (void)snprintf(why, ATTACK_WHY, "%s, profile %s", harm->cause, harm->base ? "bcm2835" : "manual");
    case_copy(&a->smallest, &a->tc);
    if (attack_verbose)
        (void)case_reduce(&a->smallest, keeps, &r, REDUCTIONS);
    case_print(&a->smallest, text);
}

static void count(struct qpu_attack *a, const struct verifier_proof *p)
{
    bool writes = false;
    for (unsigned i = 0; i < VERIFIER_WINDOW_ROWS / 64; i++)
        writes = writes || p->written.bits[i];
    attack_count(COUNT_RUNS, a->hunt.runs);
    attack_count(COUNT_UNSPECIFIED, a->hunt.unspecified);
    attack_count(COUNT_VPM, p->vpm);
    attack_count(COUNT_CACHED, p->cached);
    attack_count(COUNT_WRITING, writes);
    attack_count(COUNT_INSTRUCTIONS, ((const struct qpu_case *)(const void *)a->tc.words)->program.count);
}

static enum attack_verdict try_static(void *state, uint64_t seed, uint64_t number, char why[ATTACK_WHY], struct text *text)
{
    struct qpu_attack *a = state;
    struct verifier_proof p;
    struct qpu_harm harm;
    struct random r;
    struct error e = {.text = ""};
    qpu_hostile_case(seed, number, &a->tc);
    if (!verifier_prove(&a->tc, MEMORY_BASE_DEFAULT, &p, &e)) {
        (void)snprintf(why, ATTACK_WHY, "%.*s", ATTACK_WHY - 1, e.text);
        if (attack_verbose)
            case_print(&a->tc, text);
        return ATTACK_REFUSED;
    }
    random_seed(&r, random_mix64(seed) + number);
    a->hunt.runs = a->hunt.unspecified = 0;
    bool broken = qpu_hunt_case(&a->hunt, &a->tc, &p, &r, &harm);
    count(a, &p);
    if (broken)
        report(a, &harm, why, text);
    else if (attack_verbose)
        case_print(&a->tc, text);
    return broken ? ATTACK_BROKEN : ATTACK_ACCEPTED;
}

static const struct attack statically = {"qpu-static", "gets harmful QPU programs past the static proof", begin, try_static,
                                         counter_names, end};

int main(int argc, char **argv)
{
    static const struct attack *const all[] = {&statically, NULL};
    return attack_main(argc, argv, all);
}
