/* SPDX-License-Identifier: MIT */
/*
 * Counts where the two proofs of QPU programs disagree. Half of the programs are hostile; the unit's own
 * generator makes the other half.
 *
 * - "dry-alone": only the dry run accepts the program. These are also counted by the static proof's reason.
 * - "static-alone": only the static proof accepts the program. Boards keep these as findings.
 *
 * With --case, prints the dry run's reason. A case counts as broken only if the static proof's reason is in
 * no row of the table below.
 */
#include "harness/verify/dry_run.h"
#include "harness/verify/verifier.h"
#include "model/core/memory.h"
#include "model/core/units.h"
#include "model/vc4/qpu/qpu_graphics.h"
#include "model/vc4/qpu/unit_qpu.h"
#include "tests/harness/attack/attack.h"
#include "tests/harness/attack/qpu/qpu_generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Kinds of reasons. `says` has parts of the static proof's messages. harness/verify/PROOF.md explains
 * them. */
static const struct {
    const char *name, *says;
} reasons[] = {
    {"computed-values", "cannot be followed"},
    {"conditional-setups", "under a condition"},
    {"dma-under-way", "waited for|DMA may run|DMA load may run|is busy|keeps the value of a wait register"},
    {"stale-values", "nop-read-stale|mul-nop-write"},
    {"vpm-setups", "unused bits|writes setup word|LANED|without a setup|are still to be read|too soon after "
                   "its setup|raddr-side-effect"},
    {"vpm-rows-by-any-reading", "could reach VPM row|vpm-addr-high-bits"},
    {"memory-by-any-reading", "leaves the case's memory"},
    {"uniforms-by-any-reading", "more uniforms than|up to the end of the case's memory|UNIFORMS_ADDRESS was "
                                "written|unif-addr-b|leave the stream at"},
    {"ways-that-meet", "different states of|different numbers of look-ups"},
    {"caches", "cache may not see"},
    {"look-ups",
     "more than 4 look-ups|no multiple of 4|looks up a texture|no look-up is outstanding|look-ups "
     "are outstanding|VPM vector that no setup"},
    {"branches", "branches |return address"},
    {"words-of-no-document", "reserved operation|no documented instruction"},
    {"two-at-once", "two peripherals|io-read-both-files"},
    {"registers-of-others", "not the case's own|no user program may have|semaphore|QPU_NUMBER"},
    {"the-end", "end-io-access|end-regfile-write|not follow the end|does not end"},
};
enum { REASONS = sizeof reasons / sizeof *reasons };
enum { BOTH = 0, STATIC_ALONE, DRY_ALONE, FIRST_REASON };
static const char *counters[FIRST_REASON + REASONS + 1] = {"both", "static-alone", "dry-alone"};

enum { ODD = 30 /* percentage, see qpu_generate.h */ };

struct agree {
    struct dry_run *dry_run;
    struct test_case tc;
};

static void *begin(void)
{
    struct agree *a = memory_new(1, sizeof *a);
    a->dry_run = dry_run_new();
    return a;
}

static void end(void *state)
{
    struct agree *a = state;
    dry_run_free(a->dry_run);
    free(a);
}

/* Does the text contain one of the parts? A | separates them. */
static bool says_one_of(const char *text, const char *parts)
{
    char part[100];
    while (*parts) {
        size_t length = strcspn(parts, "|");
        (void)snprintf(part, sizeof part, "%.*s", (int)length, parts);
        if (strstr(text, part))
            return true;
        parts += length + (parts[length] == '|');
    }
    return false;
}

static bool count_reason(const char *text)
{
    for (unsigned i = 0; i < REASONS; i++)
        if (says_one_of(text, reasons[i].says)) {
            attack_count(FIRST_REASON + i, 1);
            return true;
        }
    return false;
}

static enum attack_verdict try_one(void *state, uint64_t seed, uint64_t number, char why[ATTACK_WHY],
                                   struct text *text)
{
    struct agree *a = state;
    struct verifier_proof proof;
    struct dry_run_refusal r;
    struct error e = {.text = ""};
    struct random random;
    random_seed(&random, random_mix64(seed) + number);
    if (number % 2) {
        qpu_hostile_case(seed, number, ODD, &a->tc);
    } else {
        case_init(&a->tc, &vc4_qpu_unit);
        vc4_qpu_unit.generate(&random, &a->tc);
        ((struct qpu_case *)(void *)a->tc.words)->stage = QPU_STAGE_USER;
    }
    bool fixed = verifier_prove(&a->tc, MEMORY_BASE_DEFAULT, &proof, &e),
         dry = dry_run_case(a->dry_run, &a->tc, MEMORY_BASE_DEFAULT, &r);
    attack_count(fixed && dry ? BOTH : fixed ? STATIC_ALONE : DRY_ALONE, fixed || dry);
    if (fixed && !dry && attack_verbose)
        dry_run_explain(&r, why, ATTACK_WHY);
    if (!dry)
        return ATTACK_REFUSED;
    if (fixed || count_reason(e.text))
        return ATTACK_ACCEPTED;
    (void)snprintf(why, ATTACK_WHY, "only the static proof refuses it, for a reason without a row: %.300s",
                   e.text);
    case_print(&a->tc, text);
    return ATTACK_BROKEN;
}

int main(int argc, char **argv)
{
    static const struct attack agree = {"qpu-agree", "counts where the two proofs disagree, and why",
                                        begin,       try_one,
                                        counters,    end};
    static const struct attack *const all[] = {&agree, NULL};
    for (unsigned i = 0; i < REASONS; i++)
        counters[FIRST_REASON + i] = reasons[i].name;
    return attack_main(argc, argv, all);
}
