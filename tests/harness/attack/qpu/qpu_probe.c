/* SPDX-License-Identifier: MIT */
#include "tests/harness/attack/qpu/qpu_probe.h"

#include "model/core/memory.h"
#include "model/core/units.h"
#include "model/vc4/qpu/qpu.h"
#include "model/vc4/qpu/qpu_graphics.h"
#include "model/vc4/qpu/unit_qpu.h"

#include <stdlib.h>
#include <string.h>

enum { ROW_BYTES = 4 * VC4_LANES, AREAS_MAX = VC4_MEMORY_ROWS + 2 };

struct qpu_probe {
    const struct test_case *tc;
    struct outcome *outcome;
    struct vc4_env env;
    struct vc4_limits limits;
    struct vc4_area area[AREAS_MAX];
    struct vpm vpm;
    struct qpu_shared shared;
    struct qpu_graphics graphics;
    uint32_t uniform[QPU_CASE_UNIFORMS_MAX];
    struct qpu qpu;
};

struct qpu_probe *qpu_probe_new(void)
{
    struct qpu_probe *p = memory_new(1, sizeof *p);
    p->outcome = outcome_new(&vc4_qpu_unit);
    return p;
}

void qpu_probe_free(struct qpu_probe *p)
{
    outcome_free(p->outcome);
    free(p);
}

/* ---- what a case may access ---- */

static void allow(struct qpu_probe *p, uint32_t row, uint32_t rows, uint32_t allowed)
{
    p->area[p->limits.areas++] = (struct vc4_area){.bus = MEMORY_BASE_DEFAULT + row * ROW_BYTES,
                                                   .bytes = rows * ROW_BYTES,
                                                   .at = row * ROW_BYTES,
                                                   .allowed = allowed};
}

/* Makes an area for each run of consecutive rows. */
static void allow_rows(struct qpu_probe *p, const struct verifier_rows *set, uint32_t allowed)
{
    for (uint32_t row = 0; row < VERIFIER_WINDOW_ROWS; row++) {
        uint64_t rest = set->bits[row / 64] >> row % 64;
        if (!rest) {
            row |= 63;
            continue;
        }
        uint32_t first = row += (uint32_t)__builtin_ctzll(rest);
        while (row < VERIFIER_WINDOW_ROWS && verifier_has_row(set, row))
            row++;
        allow(p, first, row - first, allowed);
    }
}

void qpu_probe_take(struct qpu_probe *p, const struct test_case *tc, const struct verifier_proof *proof)
{
    static const uint32_t reads = 1U << VC4_LOADS | 1U << VC4_TAKES_UNIFORM, writes = 1U << VC4_STORES;
    const struct qpu_case *c = (const void *)tc->words;
    p->tc = tc;
    p->limits = (struct vc4_limits){.area = p->area, .vpm_rows = VC4_VPM_ROWS_OF_QPU};
    for (uint32_t i = 0; i < c->uniforms.count; i++)
        p->uniform[i] =
            c->uniforms.item[i].value + (c->uniforms.item[i].is_address ? MEMORY_BASE_DEFAULT : 0);
    if (!proof) {
        allow(p, 0, VC4_MEMORY_ROWS, reads | writes);
        return;
    }
    struct verifier_rows all = proof->read;
    for (unsigned i = 0; i < sizeof all.bits / sizeof *all.bits; i++)
        all.bits[i] |= proof->written.bits[i];
    allow_rows(p, &all, reads);
    allow_rows(p, &proof->written, writes);
}

/* ---- running ---- */

static struct vc4_rows rows_of(struct outcome *o, uint32_t first, uint32_t count)
{
    return (struct vc4_rows){
        .value = (struct vc4_vector *)(void *)(o->value + first * VC4_LANES),
        .touched = o->touched,
        .first = first,
        .rows = count,
    };
}

static void load_flags(struct qpu *q, const struct outcome *o)
{
    struct vc4_vector *flag[] = {&q->flags.z, &q->flags.n, &q->flags.c};
    for (unsigned f = 0; f < 3; f++)
        for (unsigned i = 0; i < VC4_LANES; i++)
            flag[f]->lane[i] = 0 - (o->value[(QPU_ROW_FLAGS + f) * VC4_LANES + i] & 1);
}

static void prepare(struct qpu_probe *p)
{
    const struct qpu_case *c = (const void *)p->tc->words;
    struct outcome *o = p->outcome;
    outcome_reset(o, p->tc);
    vpm_reset(&p->vpm, &p->env, rows_of(o, QPU_ROW_VPM, VC4_VPM_ROWS));
    memset(&p->shared, 0, sizeof p->shared);
    qpu_graphics_reset(&p->graphics, &p->env);
    struct qpu_setup setup = {
        .env = &p->env,
        .vpm = &p->vpm,
        .shared = &p->shared,
        .graphics = &p->graphics,
        .ra = rows_of(o, QPU_ROW_RA, 32),
        .rb = rows_of(o, QPU_ROW_RB, 32),
        .acc = rows_of(o, QPU_ROW_ACC, 6),
        .program = c->program.word,
        .count = c->program.count,
        .code_base = CODE_BASE_DEFAULT,
        .uniforms = {.list = p->uniform, .count = c->uniforms.count},
        .number = c->qpu_number,
        .stale = {c->stale_a, c->stale_b},
        .stale_mul = c->stale_mul,
        .limit = c->limit,
    };
    qpu_prepare(&p->qpu, &setup);
    load_flags(&p->qpu, o);
}

struct qpu_probe_end qpu_probe_run(struct qpu_probe *p, const struct profile *profile, uint32_t filler,
                                   struct coverage *coverage)
{
    struct qpu *q = &p->qpu;
    struct qpu_probe_end end;
    p->limits.breach = (struct vc4_breach){0};
    p->env = (struct vc4_env){
        .profile = profile,
        .coverage = coverage,
        .filler = filler,
        .memory_base = MEMORY_BASE_DEFAULT,
        .memory = rows_of(p->outcome, QPU_ROW_MEMORY, VC4_MEMORY_ROWS),
        .limits = &p->limits,
    };
    prepare(p);
    end.stop = qpu_run(q);
    end.breach = p->limits.breach;
    end.at = (uint32_t)(q->next - q->step);
    end.at -= end.stop != VC4_GO && end.stop != VC4_HANG_LIMIT && end.at > 0;
    end.shared = q->semaphores_touched || q->mutex_touched || q->interrupt_touched;
    return end;
}
