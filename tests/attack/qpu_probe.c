/* SPDX-License-Identifier: MIT */
#include "tests/attack/qpu_probe.h"

#include "model/memory.h"
#include "model/vc4/qpu.h"
#include "model/vc4/qpu_graphics.h"
#include "model/vc4/unit_qpu.h"

#include <stdlib.h>
#include <string.h>

struct qpu_probe {
    struct vc4_env env;
    struct vpm vpm;
    struct qpu_shared shared;
    struct qpu_graphics graphics;
    uint32_t uniform[QPU_CASE_UNIFORMS_MAX];
    struct qpu qpu;
};

struct qpu_probe *qpu_probe_new(void)
{
    return memory_new(1, sizeof(struct qpu_probe));
}

void qpu_probe_free(struct qpu_probe *p)
{
    free(p);
}

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

static void prepare(struct qpu_probe *p, const struct qpu_case *c, struct outcome *o)
{
    vpm_reset(&p->vpm, &p->env, rows_of(o, QPU_ROW_VPM, VC4_VPM_ROWS));
    memset(&p->shared, 0, sizeof p->shared);
    qpu_graphics_reset(&p->graphics, &p->env);
    for (uint32_t i = 0; i < c->uniforms.count; i++)
        p->uniform[i] = c->uniforms.item[i].value + (c->uniforms.item[i].is_address ? MEMORY_BASE_DEFAULT : 0);
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

static bool is_behind(const struct qpu_uniforms *u)
{
    return u->next > u->count;
}

struct qpu_probe_end qpu_probe_run(struct qpu_probe *p, const struct test_case *tc, const struct profile *profile,
                                   struct coverage *coverage, struct outcome *o)
{
    const struct qpu_case *c = (const void *)tc->words;
    struct qpu_probe_end end;
    outcome_reset(o, tc);
    p->env = (struct vc4_env){
        .profile = profile,
        .coverage = coverage,
        .filler = QPU_PROBE_FILLER,
        .memory_base = MEMORY_BASE_DEFAULT,
        .memory = rows_of(o, QPU_ROW_MEMORY, VC4_MEMORY_ROWS),
    };
    prepare(p, c, o);
    end.stop = qpu_run(&p->qpu);
    end.at = (uint32_t)(p->qpu.next - p->qpu.step);
    end.at -= end.stop != VC4_GO && end.stop != VC4_HANG_LIMIT && end.at > 0;
    end.uniforms_behind = is_behind(&p->qpu.uniforms) || is_behind(&p->qpu.uniforms_before);
    return end;
}
