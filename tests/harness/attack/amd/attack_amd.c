/* SPDX-License-Identifier: MIT */
/*
 * The attack on amd-buffer's verifier, with its own generator. Each accepted case must keep the rules of the
 * documents (amd_rules.c), stay within its guard in the model under many readings (amd_model.c), and do no
 * harm as a finished program on a simulated compute unit (amd_wave.c).
 */
#include "tests/harness/attack/amd/amd_attack.h"

#include "model/core/image_rules.h"
#include "model/core/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct state {
    struct test_case tc;
    struct image_rules *rules;
    struct amdgpu_verifier *verifier[AMD_BOARD_GENERATIONS][4]; /* indexed by the kernel's alignment mode */
    struct amd_attack_model *model;
    struct amd_attack_wave *wave;
};

static const char *const counter_names[] = {
    "accepted-gfx1100",      "accepted-gfx1030",
    "accepted-gfx900",       "accepted-gfx803",
    "instructions",          "model-runs",
    "machine-runs",          "dwords-reached",
    "dwords-in-guard",       "dwords-at-edge",
    "dwords-held-back",      "with-stores",
    "with-atomics",          "with-lds",
    "with-scalar-loads",     "with-formats",
    "other-alignment-modes", NULL,
};
_Static_assert(sizeof counter_names / sizeof *counter_names == AMD_COUNT_END + 1, "a name a counter");

static void *begin(void)
{
    struct state *s = calloc(1, sizeof *s);
    if (!s)
        abort();
    s->rules = image_rules_new(&amd_buffer_unit);
    s->model = amd_attack_model_new();
    s->wave = amd_attack_wave_new();
    for (unsigned g = 0; g < AMD_BOARD_GENERATIONS; g++)
        for (unsigned a = 0; a < 4; a++)
            s->verifier[g][a] =
                amdgpu_verifier_new(&(struct amdgpu_limits){.generation = (enum amd_generation)g,
                                                            .alignment = (enum amd_alignment)a});
    return s;
}

static void end(void *state)
{
    struct state *s = state;
    for (unsigned g = 0; g < AMD_BOARD_GENERATIONS; g++)
        for (unsigned a = 0; a < 4; a++)
            amdgpu_verifier_free(s->verifier[g][a]);
    amd_attack_wave_free(s->wave);
    amd_attack_model_free(s->model);
    free(s->rules);
    free(s);
}

static const uint32_t *clean_region(struct state *s, const char *name, const struct image_head *image)
{
    const struct layout *l = &amd_buffer_unit.layout;
    return image_rules_get(s->rules, (unsigned)(layout_region_named(l, name) - l->regions), image->fill,
                           image->seed)
        ->words;
}

static struct amdgpu_clean clean_rows(struct state *s, const struct amd_case *c)
{
    return (struct amdgpu_clean){.sgprs = clean_region(s, "sgpr", &c->sgpr),
                                 .vgprs = clean_region(s, "vgpr", &c->vgpr),
                                 .memory = clean_region(s, "memory", &c->memory),
                                 .lds = clean_region(s, "lds", &c->lds)};
}

static void count_accepted(const struct amd_case *c)
{
    bool store = false, atomic = false, lds = false, scalar = false, format = false;
    struct amd_insn i;
    for (unsigned n = 0; n < c->insn_count; n++) {
        if (!amd_decode((enum amd_generation)c->generation, (uint64_t)c->insn[n][1] << 32 | c->insn[n][0],
                        &i))
            continue;
        store = store || i.op->kind == AMD_STORE;
        atomic = atomic || i.op->kind == AMD_ATOMIC;
        lds = lds || amd_to_lds(&i) || i.op->kind == AMD_STORE_LDS;
        scalar = scalar || i.op->encoding == AMD_SMEM;
        format = format || i.op->format;
    }
    attack_count(AMD_COUNT_GENERATION + c->generation, 1);
    attack_count(AMD_COUNT_INSNS, c->insn_count);
    attack_count(AMD_COUNT_STORES, store);
    attack_count(AMD_COUNT_ATOMICS, atomic);
    attack_count(AMD_COUNT_LDS, lds);
    attack_count(AMD_COUNT_SCALAR, scalar);
    attack_count(AMD_COUNT_FORMATS, format);
    attack_count(AMD_COUNT_OTHER_MODES, c->alignment != AMD_ALIGN_UNALIGNED);
}

static enum attack_verdict try_one(void *state, uint64_t seed, uint64_t number, char why[ATTACK_WHY],
                                   struct text *text)
{
    struct state *s = state;
    struct amd_case *c = amd_attack_case(&s->tc);
    struct error refusal = {0};
    struct random r;
    random_seed(&r, random_mix64(seed) ^ number * UINT64_C(0xD6E8FEB86659FD93));
    case_init(&s->tc, &amd_buffer_unit);
    amd_attack_generate(&r, &s->tc);
    struct amdgpu_clean clean = clean_rows(s, c);
    bool good = amdgpu_verifier_prove(s->verifier[c->generation][c->alignment], &s->tc, &clean, &refusal);
    if (good) {
        count_accepted(c);
        good =
            amd_attack_model_run(s->model, &r, &s->tc, why) &&
            (c->alignment != AMD_ALIGN_UNALIGNED || amd_attack_wave_run(s->wave, &r, &s->tc, &clean, why)) &&
            amd_attack_rules(c, why);
        if (!good || attack_verbose)
            case_print(&s->tc, text);
        return good ? ATTACK_ACCEPTED : ATTACK_BROKEN;
    }
    if (attack_verbose) {
        (void)snprintf(why, ATTACK_WHY, "%.*s", ATTACK_WHY - 1, refusal.text);
        case_print(&s->tc, text);
    }
    return ATTACK_REFUSED;
}

int main(int argc, char **argv)
{
    static const struct attack attack = {"amd-buffer",
                                         "searches for accepted cases of amd-buffer that leave their guard",
                                         begin,
                                         try_one,
                                         counter_names,
                                         end};
    static const struct attack *const all[] = {&attack, NULL};
    return attack_main(argc, argv, all);
}
