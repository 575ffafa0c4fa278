/* SPDX-License-Identifier: MIT */
#include "model/vc4/machine.h"

#include <string.h>

enum { ALIGNMENT = 64 };

static size_t aligned(size_t size)
{
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Returns the bytes of the steps of a program that struct qpu has no room for. */
static size_t room_bytes(uint32_t instructions)
{
    return instructions > QPU_PROGRAM_MAX ? aligned(qpu_room_bytes(instructions)) : 0;
}

size_t machine_bytes(unsigned qpus, uint32_t instructions)
{
    return aligned(sizeof(struct machine)) +
           qpus * (aligned(sizeof(struct machine_qpu)) + room_bytes(instructions));
}

struct machine *machine_in(void *memory, unsigned qpus, uint32_t instructions)
{
    struct machine *m = memory;
    char *at = (char *)memory + aligned(sizeof *m);
    size_t room = room_bytes(instructions);
    for (unsigned i = 0; i < qpus && i < MACHINE_QPUS_MAX; i++) {
        m->part[i] = (struct machine_qpu *)(void *)at;
        at += aligned(sizeof *m->part[i]);
        if (room)
            qpu_give_room(&m->part[i]->qpu, at, instructions);
        at += room;
    }
    return m;
}

/* ---- preparing ---- */

static struct vc4_rows undefined_rows(const struct machine *m, struct vc4_vector *value,
                                      struct vc4_vector *defined, uint32_t rows)
{
    for (uint32_t i = 0; i < rows; i++) {
        vector_splat(&value[i], m->env.filler);
        vector_splat(&defined[i], 0);
    }
    return (struct vc4_rows){.value = value, .defined = m->env.checked ? defined : NULL, .rows = rows};
}

static void prepare_qpu(struct machine *m, unsigned i, const struct machine_setup *setup)
{
    struct machine_qpu *p = m->part[i];
    const struct machine_start *start = &setup->start[i];
    vpm_reset(&p->vpm, &m->env, setup->vpm);
    qpu_graphics_reset(&p->graphics, &m->env);
    struct qpu_second second = {.graphics = &p->second_graphics, .uniforms = start->second_uniforms};
    if (start->two_threads) {
        qpu_graphics_reset(&p->second_graphics, &m->env);
        for (unsigned t = 0; t < 2; t++) /* each thread may use half of a FIFO (p40) */
            p->graphics.tmu[t].slots = p->second_graphics.tmu[t].slots = TMU_FIFO_SLOTS / 2;
    }
    struct qpu_setup one = {
        .env = &m->env,
        .vpm = &p->vpm,
        .shared = &m->shared,
        .graphics = &p->graphics,
        .ra = undefined_rows(m, p->ra, p->ra_defined, 32),
        .rb = undefined_rows(m, p->rb, p->rb_defined, 32),
        .acc = undefined_rows(m, p->acc, p->acc_defined, 6),
        .program = start->program,
        .count = start->count,
        .code_base = start->code_base,
        .uniforms = start->uniforms,
        .number = start->number,
        .limit = setup->limit,
        .waits = true,
        .second = start->two_threads ? &second : NULL,
    };
    qpu_prepare(&p->qpu, &one);
    p->qpu.flags_defined.z = p->qpu.flags_defined.n = p->qpu.flags_defined.c = p->qpu.zero;
    p->qpu.stale[0] = p->qpu.stale[1] = p->qpu.stale_mul = p->qpu.undefined;
    p->runs = true;
    p->waits = false;
}

void machine_prepare(struct machine *m, const struct machine_setup *setup)
{
    m->env = setup->env;
    m->qpus = setup->qpus;
    m->turn = setup->turn ? setup->turn : MACHINE_TURN;
    m->shuffled = setup->seed != 0;
    random_seed(&m->random, setup->seed);
    memset(&m->shared, 0, sizeof m->shared);
    m->shared.host_interrupt_defined = 1;
    m->culprit = 0;
    for (unsigned i = 0; i < m->qpus; i++)
        prepare_qpu(m, i, setup);
    for (unsigned i = 0; m->qpus > 1 && i < m->qpus; i++)
        m->part[i]->vpm.peer = &m->part[(i + 1) % m->qpus]->vpm;
}

/* ---- running ---- */

static bool can_go(const struct machine *m, unsigned i)
{
    const struct machine_qpu *p = m->part[i];
    return p->runs && (!p->waits || p->seen != m->shared.changes);
}

/* Returns the QPU that has the next turn after QPU `last`; `qpus` if no QPU can go on. */
static unsigned choose(struct machine *m, unsigned last)
{
    unsigned skip = m->shuffled ? random_below(&m->random, m->qpus) : 0;
    for (unsigned n = 1; n <= m->qpus; n++) {
        unsigned i = (last + skip + n) % m->qpus;
        if (can_go(m, i))
            return i;
    }
    return m->qpus;
}

/* Runs one turn of QPU i. Returns true if the QPU met a fault. */
static bool take_turn(struct machine *m, unsigned i)
{
    struct machine_qpu *p = m->part[i];
    struct qpu *q = &p->qpu;
    qpu_turn(q, m->shuffled ? 1 + random_below(&m->random, m->turn) : m->turn);
    p->waits = q->waiting;
    p->seen = m->shared.changes;
    if (!q->ended && (!q->stop || q->waiting))
        return false;
    p->runs = false;
    return vc4_stop_is_fault(q->stop);
}

/* Returns why a QPU did not end; VC4_GO if all ended. Prefers a QPU that does not wait for others, because
 * the others may wait for this QPU. */
static enum vc4_stop reason(struct machine *m)
{
    for (unsigned waits = 0; waits < 2; waits++)
        for (unsigned i = 0; i < m->qpus; i++)
            if (m->part[i]->qpu.stop && m->part[i]->waits == waits) {
                m->culprit = i;
                return m->part[i]->qpu.stop;
            }
    return VC4_GO;
}

enum vc4_stop machine_run(struct machine *m)
{
    enum vc4_stop stop = VC4_GO;
    for (unsigned i = m->qpus - 1; (i = choose(m, i)) < m->qpus && !stop;)
        if (take_turn(m, i)) {
            stop = m->part[i]->qpu.stop;
            m->culprit = i;
        }
    for (unsigned i = 0; i < m->qpus; i++)
        qpu_finish(&m->part[i]->qpu);
    return stop ? stop : reason(m);
}

/* ---- afterwards ---- */

uint64_t machine_steps(const struct machine *m)
{
    uint64_t steps = 0;
    for (unsigned i = 0; i < m->qpus; i++)
        steps += m->part[i]->qpu.now;
    return steps;
}

/* Has the QPU with this number ended? A QPU that has ended never releases the mutex. */
static bool has_ended(const struct machine *m, uint32_t number)
{
    for (unsigned i = 0; i < m->qpus; i++)
        if (m->part[i]->qpu.number.value.lane[0] == number)
            return m->part[i]->qpu.ended;
    return false;
}

void machine_explain(const struct machine *m, struct text *t)
{
    for (unsigned i = 0; i < m->qpus; i++) {
        const struct qpu *q = &m->part[i]->qpu;
        unsigned number = q->number.value.lane[0];
        const char *thread = !q->two_threads ? "" : q->second ? ", thread 2," : ", thread 1,";
        if (q->waiting && q->stop == VC4_HANG_SEMAPHORE)
            text_add(t, "QPU %u%s waits at %08x to %s semaphore %u, which is %u\n", number, thread,
                     qpu_address(q, q->next), m->shared.semaphore[q->waits_for] ? "raise" : "lower",
                     q->waits_for, m->shared.semaphore[q->waits_for]);
        else if (q->waiting)
            text_add(t, "QPU %u%s waits at %08x for the mutex, which QPU %u holds%s\n", number, thread,
                     qpu_address(q, q->next), m->shared.mutex_holder,
                     has_ended(m, m->shared.mutex_holder) ? ", though it has ended" : "");
        else if (q->stop)
            /* The instruction limit stops a QPU before instruction `next`. Other reasons stop it
             * in the instruction before `next`. */
            text_add(t, "QPU %u%s stopped at %08x: %s\n", number, thread,
                     qpu_address(q, q->stop == VC4_HANG_LIMIT ? q->next : q->next - 1), vc4_reasons[q->stop]);
    }
}
