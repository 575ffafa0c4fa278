/* SPDX-License-Identifier: MIT */
/* Shared by the parts of the attack on amd-buffer's verifier: the generator of cases that try to leave their
 * memory, and the checks of accepted cases. */
#ifndef MISPRINT_TESTS_HARNESS_ATTACK_AMD_AMD_ATTACK_H
#define MISPRINT_TESTS_HARNESS_ATTACK_AMD_AMD_ATTACK_H

#include "harness/amdgpu/amdgpu_verifier.h"
#include "harness/amdgpu/amdgpu_wrapper.h"
#include "model/amd/unit_buffer.h"
#include "model/number/random.h"
#include "tests/harness/attack/attack.h"

/* Counters of the attack, in addition to the number of cases. */
enum amd_counter {
    AMD_COUNT_GENERATION, /* accepted cases of each generation */
    AMD_COUNT_INSNS =
        AMD_COUNT_GENERATION + AMD_BOARD_GENERATIONS, /* from here on, only accepted cases count */
    AMD_COUNT_MODEL_RUNS,                             /* the model runs a case once for each profile */
    AMD_COUNT_MACHINE_RUNS,                           /* runs of whole programs */
    AMD_COUNT_REACH,                                  /* dwords that lanes access in memory or in a guard */
    AMD_COUNT_GUARDS,                                 /* of these, in a guard */
    AMD_COUNT_EDGE,                                   /* of these, in the outermost 64 KB of a guard */
    AMD_COUNT_HELD,                                   /* dwords that lanes do not access, because they are
                                                       * out of range */
    AMD_COUNT_STORES,
    AMD_COUNT_ATOMICS,
    AMD_COUNT_LDS,
    AMD_COUNT_SCALAR,
    AMD_COUNT_FORMATS,
    AMD_COUNT_OTHER_MODES, /* cases with another alignment mode; the machine does not run them */
    AMD_COUNT_END
};

struct amd_case *amd_attack_case(struct test_case *tc);

/* Makes a case of any generation from random numbers alone. */
void amd_attack_generate(struct random *r, struct test_case *tc);

/* ---- checks: each returns false, with the reason, if the case does harm ---- */

/* Checks the rules of the documents and of the wrapper that accepted cases must keep. Does not run the
 * case. */
bool amd_attack_rules(const struct amd_case *c, char why[ATTACK_WHY]);

/* Runs the case in the model, under each single reading and under random profiles. */
struct amd_attack_model;
struct amd_attack_model *amd_attack_model_new(void);
void amd_attack_model_free(struct amd_attack_model *m);
bool amd_attack_model_run(struct amd_attack_model *m, struct random *r, const struct test_case *tc,
                          char why[ATTACK_WHY]);

/* Runs the finished program on the compute unit of tests/devices/gcn_machine.h. */
struct amd_attack_wave;
struct amd_attack_wave *amd_attack_wave_new(void);
void amd_attack_wave_free(struct amd_attack_wave *w);
bool amd_attack_wave_run(struct amd_attack_wave *w, struct random *r, const struct test_case *tc,
                         const struct amdgpu_clean *clean, char why[ATTACK_WHY]);

#endif
