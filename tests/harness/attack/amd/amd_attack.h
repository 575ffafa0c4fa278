/* SPDX-License-Identifier: MIT */
/*
 * What the parts of the attack on amd-buffer's verifier share: the generator of cases that want to leave
 * their memory, and the two machines that an accepted case runs on. Owns nothing of the model and of the
 * verifier.
 */
#ifndef MISPRINT_TESTS_HARNESS_ATTACK_AMD_AMD_ATTACK_H
#define MISPRINT_TESTS_HARNESS_ATTACK_AMD_AMD_ATTACK_H

#include "harness/amdgpu/amdgpu_verifier.h"
#include "harness/amdgpu/amdgpu_wrapper.h"
#include "model/amd/unit_buffer.h"
#include "model/number/random.h"
#include "tests/harness/attack/attack.h"

/* What the attack counts, besides cases. */
enum amd_counter {
    AMD_COUNT_GENERATION,                                     /* accepted, of AMD_GENERATIONS in order */
    AMD_COUNT_INSNS = AMD_COUNT_GENERATION + AMD_GENERATIONS, /* of accepted cases, these and those below */
    AMD_COUNT_MODEL_RUNS,                                     /* under one profile each */
    AMD_COUNT_MACHINE_RUNS,                                   /* of whole programs */
    AMD_COUNT_REACH,                                          /* lanes' dwords that reach memory or a guard */
    AMD_COUNT_GUARDS,                                         /* of these, in a guard */
    AMD_COUNT_EDGE,                                           /* of these, in the last 64 KB of it */
    AMD_COUNT_HELD,                                           /* lanes' dwords out of range */
    AMD_COUNT_STORES,
    AMD_COUNT_ATOMICS,
    AMD_COUNT_LDS,
    AMD_COUNT_SCALAR,
    AMD_COUNT_FORMATS,
    AMD_COUNT_OTHER_MODES, /* cases of another alignment mode, for the model only */
    AMD_COUNT_END
};

struct amd_case *amd_attack_case(struct test_case *tc);

/* Makes a case of any generation from nothing but the random numbers. */
void amd_attack_generate(struct random *r, struct test_case *tc);

/* ---- machines; false with the reason: the case does harm ---- */

/* Documents' and the wrapper's rules that need no machine: what no accepted case may hold. */
bool amd_attack_rules(const struct amd_case *c, char why[ATTACK_WHY]);

/* The model, under single readings and random profiles. */
struct amd_attack_model;
struct amd_attack_model *amd_attack_model_new(void);
void amd_attack_model_free(struct amd_attack_model *m);
bool amd_attack_model_run(struct amd_attack_model *m, struct random *r, const struct test_case *tc,
                          char why[ATTACK_WHY]);

/* The finished program, on tests/devices/gcn_machine.h. */
struct amd_attack_wave;
struct amd_attack_wave *amd_attack_wave_new(void);
void amd_attack_wave_free(struct amd_attack_wave *w);
bool amd_attack_wave_run(struct amd_attack_wave *w, struct random *r, const struct test_case *tc,
                         const struct amdgpu_clean *clean, char why[ATTACK_WHY]);

#endif
