/* SPDX-License-Identifier: MIT */
/*
 * Attacks on the two proofs that a QPU program may run on hardware. One attacks the static proof
 * (harness/verify/verifier.h), one the dry run (harness/verify/dry_run.h), and one both proofs, with the code
 * around the case (harness/vc4/program/wrapper.h).
 */
#include "fuzz/reduce.h"
#include "harness/verify/dry_run.h"
#include "harness/verify/verifier.h"
#include "model/core/memory.h"
#include "model/core/units.h"
#include "model/vc4/qpu/unit_qpu.h"
#include "tests/harness/attack/attack.h"
#include "tests/harness/attack/qpu/qpu_generate.h"
#include "tests/harness/attack/qpu/qpu_hunt.h"

#include <stdio.h>
#include <stdlib.h>

enum { COUNT_RUNS, COUNT_UNSPECIFIED, COUNT_INSTRUCTIONS, COUNT_VPM, COUNT_CACHED, COUNT_MIXED };
static const char *const static_counters[] = {"runs",     "unspecified", "instructions",
                                              "with-vpm", "with-caches", NULL};
static const char *const dry_counters[] = {"runs", "unspecified", "instructions",
                                           "-",    "-",           "harm-in-mixtures",
                                           NULL};

enum { REDUCTIONS = 20000, DRY_MIXTURES = 2, SILICON = 1 };
enum { ODD_STATIC = 2, ODD_DRY = 20 }; /* percentages, see qpu_generate.h */

struct qpu_attack {
    struct qpu_hunt hunt;
    struct dry_run *dry_run;
    struct test_case tc, smallest;
    bool (*accepts)(struct qpu_attack *a, const struct test_case *tc,
                    char why[ATTACK_WHY]); /* if it accepts a case, it also passes the case to `hunt` */
    struct verifier_proof proof;
    unsigned odd;
    struct outcome *initial;
    struct wrapper_image image;
    struct wrapper_program program;
};

/* ---- the proofs ---- */

static bool accepts_statically(struct qpu_attack *a, const struct test_case *tc, char why[ATTACK_WHY])
{
    struct error e = {.text = ""};
    bool good = verifier_prove(tc, MEMORY_BASE_DEFAULT, &a->proof, &e);
    if (good)
        qpu_hunt_take(&a->hunt, tc, &a->proof);
    else
        (void)snprintf(why, ATTACK_WHY, "%.*s", ATTACK_WHY - 1, e.text);
    return good;
}

static bool accepts_dry(struct qpu_attack *a, const struct test_case *tc, char why[ATTACK_WHY])
{
    struct dry_run_refusal r;
    bool good = dry_run_case(a->dry_run, tc, MEMORY_BASE_DEFAULT, &r);
    if (good)
        qpu_hunt_take(&a->hunt, tc, NULL);
    else if (attack_verbose)
        dry_run_explain(&r, why, ATTACK_WHY);
    return good;
}

/* Do both proofs accept the case, and can the code around it set its initial state? */
static bool accepts_wrapped(struct qpu_attack *a, const struct test_case *tc, char why[ATTACK_WHY])
{
    struct error e = {.text = ""};
    struct dry_run_refusal r;
    bool good = verifier_prove(tc, MEMORY_BASE_DEFAULT, &a->proof, &e);
    if (good) {
        outcome_reset(a->initial, tc);
        good = wrapper_build(tc, &a->proof, a->initial, QPU_WRAPPED_STAMP, &qpu_wrapped_slot, &a->image,
                             &a->program, &e);
    }
    if (!good) {
        (void)snprintf(why, ATTACK_WHY, "%.*s", ATTACK_WHY - 1, e.text);
        return false;
    }
    good = dry_run_program(a->dry_run, &a->image, &a->program, &qpu_wrapped_slot, &r);
    if (good)
        qpu_hunt_take_wrapped(&a->hunt, &a->image, &a->program);
    else
        dry_run_explain(&r, why, ATTACK_WHY);
    return good;
}

/* ---- begin and end ---- */

static struct qpu_attack *begin(void)
{
    struct qpu_attack *a = memory_new(1, sizeof *a);
    qpu_hunt_begin(&a->hunt);
    a->dry_run = dry_run_new();
    a->initial = outcome_new(&vc4_qpu_unit);
    dry_run_set_campaign(a->dry_run, &vc4_qpu_unit, &a->hunt.builtin[!SILICON]);
    return a;
}

static void *begin_static(void)
{
    struct qpu_attack *a = begin();
    a->accepts = accepts_statically;
    a->odd = ODD_STATIC;
    return a;
}

static void *begin_dry(void)
{
    struct qpu_attack *a = begin();
    a->accepts = accepts_dry;
    a->odd = ODD_DRY;
    return a;
}

static void *begin_wrapped(void)
{
    struct qpu_attack *a = begin();
    a->accepts = accepts_wrapped;
    a->odd = ODD_STATIC;
    return a;
}

static void end(void *state)
{
    struct qpu_attack *a = state;
    qpu_hunt_end(&a->hunt);
    dry_run_free(a->dry_run);
    outcome_free(a->initial);
    free(a);
}

/* ---- reports ---- */

struct reduction {
    struct qpu_attack *attack;
    const struct qpu_harm *harm;
};

static bool keeps(void *context, const struct test_case *candidate)
{
    struct reduction *r = context;
    char why[ATTACK_WHY];
    return r->attack->accepts(r->attack, candidate, why) && qpu_hunt_again(&r->attack->hunt, r->harm);
}

/* Reports the case. With --case, also reports the smallest case that does the same harm, which takes about a
 * second. */
static void report(struct qpu_attack *a, const struct qpu_harm *harm, char why[ATTACK_WHY], struct text *text)
{
    struct reduction r = {a, harm};
    (void)snprintf(why, ATTACK_WHY, "%s, profile %s", harm->cause,
                   harm->base == SILICON ? "bcm2835" : "manual");
    case_print(&a->tc, text);
    if (!attack_verbose)
        return;
    case_copy(&a->smallest, &a->tc);
    (void)case_reduce(&a->smallest, keeps, &r, REDUCTIONS);
    text_add(text, "\nThe smallest case that does the same harm:\n");
    case_print(&a->smallest, text);
}

static void count(struct qpu_attack *a)
{
    attack_count(COUNT_RUNS, a->hunt.runs);
    attack_count(COUNT_UNSPECIFIED, a->hunt.unspecified);
    attack_count(COUNT_INSTRUCTIONS, ((const struct qpu_case *)(const void *)a->tc.words)->program.count);
    a->hunt.runs = a->hunt.unspecified = 0;
}

/* Makes the case. Returns true if the attacked proof accepts it. */
static bool is_accepted(struct qpu_attack *a, uint64_t seed, uint64_t number, char why[ATTACK_WHY],
                        struct text *text)
{
    qpu_hostile_case(seed, number, a->odd, &a->tc);
    bool good = a->accepts(a, &a->tc, why);
    if (attack_verbose && !good)
        case_print(&a->tc, text);
    return good;
}

static enum attack_verdict conclude(struct qpu_attack *a, bool broken, const struct qpu_harm *harm,
                                    char why[ATTACK_WHY], struct text *text)
{
    count(a);
    if (broken)
        report(a, harm, why, text);
    else if (attack_verbose)
        case_print(&a->tc, text);
    return broken ? ATTACK_BROKEN : ATTACK_ACCEPTED;
}

/* ---- the attacks ---- */

static enum attack_verdict try_static(void *state, uint64_t seed, uint64_t number, char why[ATTACK_WHY],
                                      struct text *text)
{
    struct qpu_attack *a = state;
    struct coverage coverage;
    struct qpu_harm harm;
    struct random r;
    if (!is_accepted(a, seed, number, why, text))
        return ATTACK_REFUSED;
    random_seed(&r, random_mix64(seed) + number);
    attack_count(COUNT_VPM, a->proof.vpm);
    attack_count(COUNT_CACHED, a->proof.cached);
    bool broken = qpu_hunt_singly(&a->hunt, QPU_HUNT_BUILTIN, &r, &coverage, &harm) ||
                  qpu_hunt_mixtures(&a->hunt, QPU_HUNT_MIXTURES, &r, &coverage, &harm);
    return conclude(a, broken, &harm, why, text);
}

/* The case and the code around it run under each reading. */
static enum attack_verdict try_wrapped(void *state, uint64_t seed, uint64_t number, char why[ATTACK_WHY],
                                       struct text *text)
{
    struct qpu_attack *a = state;
    struct coverage coverage;
    struct qpu_harm harm;
    struct random r;
    if (!is_accepted(a, seed, number, why, text))
        return ATTACK_REFUSED;
    random_seed(&r, random_mix64(seed) + number);
    attack_count(COUNT_VPM, a->proof.vpm);
    attack_count(COUNT_CACHED, a->proof.cached);
    return conclude(a, qpu_hunt_singly(&a->hunt, QPU_HUNT_BUILTIN, &r, &coverage, &harm), &harm, why, text);
}

/* The dry run does not try mixtures of readings. So harm under mixtures counts, but does not break the
 * case. */
static enum attack_verdict try_dry(void *state, uint64_t seed, uint64_t number, char why[ATTACK_WHY],
                                   struct text *text)
{
    struct qpu_attack *a = state;
    struct coverage coverage;
    struct qpu_harm harm, mixed;
    struct random r;
    if (!is_accepted(a, seed, number, why, text))
        return ATTACK_REFUSED;
    random_seed(&r, random_mix64(seed) + number);
    bool broken = qpu_hunt_singly(&a->hunt, SILICON, &r, &coverage, &harm);
    attack_count(COUNT_MIXED, !broken && qpu_hunt_mixtures(&a->hunt, DRY_MIXTURES, &r, &coverage, &mixed));
    return conclude(a, broken, &harm, why, text);
}

static const struct attack attacks[] = {
    {"qpu-static", "searches for harmful programs that the static proof accepts", begin_static, try_static,
     static_counters, end},
    {"qpu-dry-run", "searches for harmful programs that the dry run accepts", begin_dry, try_dry,
     dry_counters, end},
    {"qpu-wrapped", "searches for harmful programs that both proofs accept", begin_wrapped, try_wrapped,
     static_counters, end},
};

int main(int argc, char **argv)
{
    static const struct attack *const all[] = {&attacks[0], &attacks[1], &attacks[2], NULL};
    return attack_main(argc, argv, all);
}
