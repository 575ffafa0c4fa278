/* SPDX-License-Identifier: MIT */
/*
 * Runs an accepted case as the finished program, as the harness launches it, on the compute unit of
 * tests/devices/gcn_machine.h. Its address space has only what the harness maps. While the case's own
 * instructions run, only its code, its window and the guards are mapped, and only its own registers may
 * change.
 */
#include "tests/harness/attack/amd/amd_attack.h"

#include "model/core/units.h"
#include "oracle/compare/executor.h"
#include "tests/devices/gcn_machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CODE_VA = 1 << 20, IN_VA = CODE_VA + (1 << 20), OUT_VA = IN_VA + (1 << 20), STAMP = 0x51A4 };
enum {
    STAMP_ROW = 44 /* a row of the output */,
    STAMP_WORDS = AMDGPU_BLOCK_BYTES / 4 - STAMP_ROW * AMD_LANES
};
static const uint64_t window_va =
    UINT64_C(0x345670000); /* no half is 0, so a program that drops one is noticed */

struct amd_attack_wave {
    uint8_t block[4][AMDGPU_BLOCK_BYTES] __attribute__((aligned(256))); /* code, input, output, window */
    uint8_t code_before[AMDGPU_BLOCK_BYTES], in_before[AMDGPU_BLOCK_BYTES];
    struct amdgpu_frames frames[AMD_BOARD_GENERATIONS];
    struct amdgpu_kept kept;
    struct amdgpu_program program;
    struct executor *x;
    struct outcome *o;
    struct profile profile;
    uint64_t case_begin, case_end; /* addresses of the case's own instructions */
    bool in_case;
    const char *wrong; /* what watch() found */
    uint64_t exec;
    uint32_t m0, sgpr[AMD_SGPRS], vgpr[GCN_VGPRS][AMD_LANES];
};

struct amd_attack_wave *amd_attack_wave_new(void)
{
    struct amd_attack_wave *w = NULL;
    if (posix_memalign((void **)&w, 256, sizeof *w) != 0)
        abort();
    memset(w, 0, sizeof *w);
    memset(w->block[2], AMDGPU_POISON & 0xFF, sizeof w->block[2]);
    for (unsigned g = 0; g < AMD_BOARD_GENERATIONS; g++)
        amdgpu_frames_make((enum amd_generation)g, &w->frames[g]);
    w->x = executor_new(&amd_buffer_unit);
    w->o = outcome_new(&amd_buffer_unit);
    return w;
}

void amd_attack_wave_free(struct amd_attack_wave *w)
{
    outcome_free(w->o);
    executor_free(w->x);
    free(w);
}

/* ---- the machine's memory and watch ---- */

static enum gcn_mapping page(void *context, uint64_t va, uint8_t **at)
{
    static const uint64_t places[] = {CODE_VA, IN_VA, OUT_VA};
    struct amd_attack_wave *w = context;
    if (va == window_va) {
        *at = w->block[3];
        return GCN_MEMORY;
    }
    if (va - (window_va - AMDGPU_GUARD) < 2 * (uint64_t)AMDGPU_GUARD)
        return GCN_NOTHING;
    for (unsigned n = 0; n < 3; n++)
        if (va == places[n] && (n == 0 || !w->in_case)) { /* within the case, the wave may only fetch code */
            *at = w->block[n];
            return GCN_MEMORY;
        }
    return GCN_FAULT;
}

static void save_registers(struct amd_attack_wave *w, const struct gcn_view *v)
{
    w->exec = v->exec;
    w->m0 = v->m0;
    memcpy(w->sgpr, v->sgpr, sizeof w->sgpr);
    memcpy(w->vgpr, v->vgpr, sizeof w->vgpr);
}

/* Checks the registers that a case must not change: EXEC, M0, those after its own, which the program around
 * it uses, and trap temporaries. */
static void check_registers(struct amd_attack_wave *w, const struct gcn_view *v)
{
    uint32_t own = w->program.c->vgprs, vcc_end = 108,
             sgprs = amd_sgprs((enum amd_generation)w->program.c->generation);
    if (w->exec != v->exec || w->m0 != v->m0)
        w->wrong = "the case changes EXEC or M0";
    if (memcmp(w->vgpr[own], v->vgpr[own], (GCN_VGPRS - own) * sizeof w->vgpr[0]) != 0)
        w->wrong = "the case changes a vector register that it does not own";
    if (memcmp(w->sgpr + vcc_end, v->sgpr + vcc_end, (AMD_SGPRS - vcc_end) * sizeof *w->sgpr) != 0 ||
        memcmp(w->sgpr + sgprs, v->sgpr + sgprs, (106 - sgprs) * sizeof *w->sgpr) != 0)
        w->wrong = "the case changes a scalar register that it does not own";
}

static void watch(void *context, const struct gcn_view *v)
{
    struct amd_attack_wave *w = context;
    bool in_case = v->pc >= w->case_begin && v->pc < w->case_end;
    if (in_case && !w->in_case)
        save_registers(w, v);
    if (!in_case && w->in_case)
        check_registers(w, v);
    w->in_case = in_case;
}

/* ---- one program ---- */

static const char *compare_with_model(struct amd_attack_wave *w, const struct test_case *tc)
{
    const struct amd_case *c = w->program.c;
    unsigned lanes = w->program.lanes;
    executor_run(w->x, tc, &w->profile, RUN_PLAIN, w->o);
    if (w->o->end != END_DONE)
        return NULL; /* under this reading the operand does not exist, but the machine has it */
    if (memcmp(w->block[3], w->o->value + AMD_ROW_MEMORY * AMD_LANES, AMD_MEMORY_BYTES) != 0)
        return "the window differs from the model";
    for (unsigned n = 0; n < c->vgprs; n++)
        if (memcmp(w->block[2] + n * AMD_ROW_BYTES, w->o->value + (AMD_ROW_VGPR + n) * AMD_LANES,
                   lanes * 4U) != 0)
            return "vector registers differ from the model";
    return NULL;
}

static const char *judge(struct amd_attack_wave *w, const struct test_case *tc, const char *wrong)
{
    const uint32_t *stamps = (const uint32_t *)(const void *)(w->block[2] + STAMP_ROW * AMD_ROW_BYTES);
    if (wrong)
        return wrong;
    if (w->wrong)
        return w->wrong;
    if (w->in_case)
        return "the program ends within the case";
    if (memcmp(w->block[0], w->code_before, sizeof w->code_before) != 0)
        return "the program's code changes";
    if (memcmp(w->block[1], w->in_before, sizeof w->in_before) != 0)
        return "the program's input changes";
    for (unsigned n = 0; n < STAMP_WORDS; n++)
        if (stamps[n] != (n < w->program.lanes ? STAMP : AMDGPU_POISON))
            return n < w->program.lanes ? "no stamp" : "a store after the stamp";
    return compare_with_model(w, tc);
}

static void choose_profile(struct random *r, struct profile *p)
{
    memset(p, 0, sizeof *p);
    if (random_one_in(r, 4))
        return;
    for (unsigned n = 0; n < unit_clauses(&amd_buffer_unit); n++)
        p->reading[n] = (uint8_t)random_below(r, clause_readings(unit_clause(&amd_buffer_unit, n)));
    p->reading[AMD_CLAUSE_M0_NULL_SWAP] = 0; /* the program around the case needs the manual's reading */
    p->reading[AMD_CLAUSE_SOFFSET_LEGAL_VALUES] = 0;
}

bool amd_attack_wave_run(struct amd_attack_wave *w, struct random *r, const struct test_case *tc,
                         const struct amdgpu_clean *clean, char why[ATTACK_WHY])
{
    const struct amd_case *c = amd_case_of(tc);
    const struct amdgpu_slot slot = {.code = {w->block[0], CODE_VA},
                                     .in = {w->block[1], IN_VA},
                                     .out = {w->block[2], OUT_VA},
                                     .window = {w->block[3], window_va},
                                     .kept = &w->kept};
    w->kept = (struct amdgpu_kept){0};
    amdgpu_wrapper_build(&w->frames[c->generation], tc, clean, STAMP, &slot, &w->program);
    memcpy(w->code_before, w->block[0], sizeof w->code_before);
    memcpy(w->in_before, w->block[1], sizeof w->in_before);
    choose_profile(r, &w->profile);
    bool vscnt = c->generation == AMD_GFX10 || c->generation == AMD_GFX11;
    w->case_begin = CODE_VA + 4 * w->program.frame->begin;
    w->case_end = w->case_begin + c->insn_count * (vscnt ? 16 : 12); /* each instruction has waits after it */
    w->in_case = false;
    w->wrong = NULL;
    const struct gcn_machine m = {.generation = (enum amd_generation)c->generation,
                                  .profile = &w->profile,
                                  .context = w,
                                  .page = page,
                                  .watch = watch};
    const struct gcn_launch l = {.code = CODE_VA,
                                 .user_data = {IN_VA},
                                 .user_sgprs = 16,
                                 .lanes = w->program.lanes,
                                 .vgprs = AMDGPU_VGPRS,
                                 .lds_bytes = w->program.lds ? AMD_LDS_BYTES : 0};
    attack_count(AMD_COUNT_MACHINE_RUNS, 1);
    const char *wrong = judge(w, tc, gcn_run(&m, &l));
    if (wrong)
        (void)snprintf(why, ATTACK_WHY, "machine: %s", wrong);
    return !wrong;
}
