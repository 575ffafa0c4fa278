/* SPDX-License-Identifier: MIT */
#include "tests/harness/verify/support_v3d_hostile.h"

#include "model/core/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { UNIFORMS_AT = 0x8000, MEMORY_WORDS = V3D_MEMORY_ROWS * V3D_LANES, BACK = 4, BRANCH_SLOTS = 3 };

/* Where words of uniforms came from after the last instructions, the newest first. */
struct pointers {
    uint32_t unifa[BACK], stream[BACK];
};

/* The model's machine, with random values wherever a broken restriction may spoil one. */
struct hostile {
    struct v3d_machine machine;
    struct random *random;
    struct coverage coverage;
    struct v3d_insn program[V3D_CASE_PROGRAM_MAX];
    struct v3d_breach breach[V3D_CASE_PROGRAM_MAX];
    bool breaks[V3D_CASE_PROGRAM_MAX + 1];
    bool spoilt[V3D_THREADS_MAX]; /* the thread broke a restriction */
    struct pointers pointers[V3D_THREADS_MAX];
    bool left; /* it may have read outside the case's memory and uniforms */
    uint32_t memory[MEMORY_WORDS], uniform[V3D_CASE_UNIFORMS_MAX];
    uint64_t spoils;
};

static void spoil(struct hostile *h, struct v3d_lanes *v)
{
    for (unsigned n = 0; n < V3D_LANES; n++)
        v->value.lane[n] = random_u32(h->random);
}

/* What no program of another thread, and no later instruction, gives back: accumulators, RTOP, the SFU. */
static void spoil_state(struct hostile *h, struct v3d_thread *t)
{
    for (unsigned n = 0; n < V3D_ACCUMULATORS; n++)
        spoil(h, &t->acc[n]);
    spoil(h, &t->sfu);
    for (unsigned n = 0; n < V3D_LANES; n++)
        t->alu.rtop.lane[n] = random_u32(h->random);
}

static void spoil_destination(struct hostile *h, struct v3d_thread *t, bool magic, unsigned waddr)
{
    if (!magic)
        spoil(h, &t->rf[waddr]);
    else if (waddr > V3D_W_TLB && waddr != V3D_W_REP && !(waddr >= V3D_W_RECIP && waddr <= V3D_W_RSQRT2))
        fail_msg("an instruction breaks a restriction and writes to %s",
                 v3d_waddr_name(h->machine.generation, waddr));
}

/* Reads through a pointer that was in force some instructions ago. */
static void read_back(struct hostile *h, const uint32_t pointer[BACK], uint32_t back)
{
    uint32_t word;
    h->left = h->left || v3d_uniform(&h->machine, pointer[random_below(h->random, back + 1)], false, &word);
}

/* How many instructions before this one a branch moved the stream of uniforms; 0: none whose slot it is in.
 */
static uint32_t branch_before(const struct hostile *h, uint32_t pc)
{
    for (uint32_t back = 1; back <= BRANCH_SLOTS && back <= pc; back++)
        if (h->program[pc - back].is_branch)
            return h->program[pc - back].branch.ub ? back : 0;
    return 0;
}

static bool loads_by_unifa(const struct v3d_insn *i)
{
    return !i->is_branch && (i->signals & (V3D_SIG_LDUNIFA | V3D_SIG_LDUNIFARF));
}

static void spoil_uniforms(struct hostile *h, struct v3d_thread *t, const struct v3d_insn *i, uint32_t pc,
                           const struct pointers *p)
{
    if (i->is_branch)
        t->unifa = p->unifa[random_below(h->random, BACK)];
    if (loads_by_unifa(i))
        t->unifa = random_u32(h->random);
    if (!i->is_branch && (i->signals & (V3D_SIG_LDUNIF | V3D_SIG_LDUNIFRF)))
        read_back(h, p->stream, branch_before(h, pc));
    if (i->is_branch || (i->signals & (V3D_SIG_LDUNIF | V3D_SIG_LDUNIFRF)))
        t->uniform = random_u32(h->random);
}

static void spoil_results(struct hostile *h, struct v3d_thread *t, const struct v3d_insn *i)
{
    h->spoils++;
    if (i->is_branch)
        return;
    if (i->signals & V3D_SIG_WRITES)
        spoil_destination(h, t, i->sig_magic, i->sig_addr);
    if (h->machine.generation == V3D_71)
        spoil(h, &t->rf[0]);
    for (unsigned n = 0; n < V3D_HALVES; n++) {
        const struct v3d_half *half = &i->half[n];
        if (v3d_op_writes((enum v3d_op)half->op))
            spoil_destination(h, t, half->magic, half->waddr);
        if (half->flags || half->op == V3D_A_FLPOP) {
            t->alu.flag_a = (uint16_t)random_u32(h->random);
            t->alu.flag_b = (uint16_t)random_u32(h->random);
        }
        assert_int_not_equal(half->op, V3D_A_SETMSF);
    }
}

/* A thread starts with what another one left in unifa. */
static void start_thread(struct hostile *h, size_t number, const struct v3d_thread *t)
{
    struct pointers *p = &h->pointers[number];
    h->spoilt[number] = false;
    for (unsigned n = 0; n < BACK; n++) {
        p->unifa[n] = random_u32(h->random) | 1U << 31;
        p->stream[n] = t->uniform;
    }
}

static void note_pointers(struct pointers *p, const struct v3d_thread *t)
{
    memmove(p->unifa + 1, p->unifa, sizeof p->unifa - sizeof *p->unifa);
    memmove(p->stream + 1, p->stream, sizeof p->stream - sizeof *p->stream);
    p->unifa[0] = t->unifa;
    p->stream[0] = t->uniform;
}

/* Called after each instruction. */
static void be_hostile(void *context, const struct v3d_machine *m, const struct v3d_thread *thread,
                       uint32_t pc)
{
    struct hostile *h = context;
    size_t number = (size_t)(thread - m->thread);
    struct v3d_thread *t = &h->machine.thread[number];
    if (!pc)
        start_thread(h, number, t);
    if (loads_by_unifa(&h->program[pc])) /* each one, because a jump can make it early */
        read_back(h, h->pointers[number].unifa, BACK - 1);
    if (h->breaks[pc]) {
        spoil_results(h, t, &h->program[pc]);
        spoil_uniforms(h, t, &h->program[pc], pc, &h->pointers[number]);
    }
    note_pointers(&h->pointers[number], t);
    h->spoilt[number] = h->spoilt[number] || h->breaks[pc];
    if (h->spoilt[number] || (t->pc < V3D_CASE_PROGRAM_MAX && h->breaks[t->pc]))
        spoil_state(h, t);
}

static void prepare_hostile(struct hostile *h, const struct test_case *tc, const struct profile *p)
{
    struct v3d_machine *m = &h->machine;
    const struct v3d_case *c = (const void *)tc->words;
    const struct schema *schema = &tc->unit->schema;
    m->generation = (enum v3d_generation)c->generation;
    v3d_follow(m, p, &h->coverage);
    m->limit = V3D_CASE_LIMIT_MAX;
    m->program = h->program;
    m->program_count = c->program.count;
    m->code_base = CODE_BASE_DEFAULT;
    m->flag_a = (uint16_t)c->flag_a;
    m->flag_b = (uint16_t)c->flag_b;
    for (uint32_t n = 0; n < c->program.count; n++)
        v3d_decode(m->generation, v3d_join(c->program.word + 2 * n), &h->program[n]);
    m->breach = h->breach;
    m->breaches = v3d_check(m->generation, h->program, c->program.count, c->start & V3D_START_SINGLE_SEGMENT,
                            h->breach, V3D_CASE_PROGRAM_MAX);
    memset(h->breaks, 0, sizeof h->breaks);
    h->left = false;
    for (unsigned n = 0; n < m->breaches; n++)
        h->breaks[h->breach[n].at] = true;
    for (unsigned n = 0; n < V3D_REGISTERS; n++)
        image_row(tc, schema_field(schema, "rf"), n, m->rf[n].value.lane);
    for (unsigned n = 0; n < V3D_ACCUMULATORS; n++)
        image_row(tc, schema_field(schema, "acc"), n, m->acc[n].value.lane);
    for (unsigned n = 0; n < V3D_MEMORY_ROWS; n++)
        image_row(tc, schema_field(schema, "memory"), n, h->memory + n * V3D_LANES);
    for (uint32_t n = 0; n < c->uniforms.count; n++)
        h->uniform[n] =
            c->uniforms.item[n].value + (c->uniforms.item[n].is_address ? MEMORY_BASE_DEFAULT : 0);
    m->ranges = 2;
    m->range[0] =
        (struct v3d_range){.base = MEMORY_BASE_DEFAULT, .bytes = sizeof h->memory, .word = h->memory};
    m->range[1] = (struct v3d_range){.base = CODE_BASE_DEFAULT + UNIFORMS_AT,
                                     .bytes = sizeof h->uniform,
                                     .word = h->uniform,
                                     .read_only = true};
    m->watch = be_hostile;
    m->watch_context = h;
}

enum v3d_stop hostile_run(struct hostile *h, const struct test_case *tc, const struct profile *p)
{
    const struct v3d_case *c = (const void *)tc->words;
    prepare_hostile(h, tc, p);
    const uint32_t config[V3D_CONFIG_WORDS] = {c->workgroups[0],
                                               c->workgroups[1],
                                               c->workgroups[2],
                                               c->group,
                                               c->batches - (c->generation == V3D_42),
                                               CODE_BASE_DEFAULT | (c->start & 7),
                                               CODE_BASE_DEFAULT + UNIFORMS_AT};
    enum v3d_stop stop = v3d_launch(&h->machine, config);
    return stop ? stop : h->left ? V3D_FAULT_MEMORY : V3D_GO;
}

/* ---- the attack ---- */

struct hostile *hostile_new(struct random *r)
{
    struct hostile *h = memory_new(1, sizeof *h);
    h->random = r;
    return h;
}

void hostile_free(struct hostile *h)
{
    free(h);
}

uint64_t hostile_spoils(const struct hostile *h)
{
    return h->spoils;
}
