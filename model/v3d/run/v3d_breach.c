/* SPDX-License-Identifier: MIT */
/* What instructions do that break restrictions of Mesa. */
#include "model/v3d/run/v3d_observe.h"

/* An instruction reads or writes r4 while a result of the SFU is on its way there. */
static void meet_sfu_result(const struct v3d_machine *m, struct v3d_thread *t, unsigned reading)
{
    if (reading == V3D_SFU_R4_STALLS) {
        v3d_write_sfu_result(m, t);
        t->sfu_in = 0;
    } else if (reading == V3D_SFU_R4_UNDEFINED) {
        v3d_lose(m, &t->acc[V3D_W_R4], t->sfu_lanes);
        t->wrote_acc |= 1 << V3D_W_R4;
    }
}

enum v3d_breach_effect v3d_break(const struct v3d_machine *m, struct v3d_thread *t, const struct v3d_insn *i)
{
    enum v3d_breach_effect effect = V3D_BREACH_GOES_ON;
    bool any = false;
    for (unsigned n = 0; n < m->breaches && m->breach[n].at <= t->pc; n++) {
        if (m->breach[n].at != t->pc || m->breach[n].which >= V3D_RESTRICTION_CLAUSES)
            continue;
        unsigned reading = v3d_consult(m, V3D_CLAUSES + m->breach[n].which);
        any = true;
        if (v3d_stops(m, t, i, reading == READING_MANUAL, V3D_FAULT_RESTRICTION, m->breach[n].which))
            return V3D_BREACH_STOPS;
        if (reading == V3D_BREACH_UNKNOWN)
            effect = V3D_BREACH_LOSES;
        if (m->breach[n].which == V3D_BREAKS_SFU_R4 && t->sfu_in)
            meet_sfu_result(m, t, reading);
    }
    if (!any && v3d_stops(m, t, i, false, V3D_FAULT_RESTRICTION, V3D_NO_CLAUSE))
        return V3D_BREACH_STOPS;
    return effect;
}

static bool is_register(const struct v3d_machine *m, bool magic, unsigned waddr)
{
    if (!magic || waddr == V3D_W_NOP || waddr == V3D_W_REP || waddr == V3D_W_R5)
        return true;
    return m->generation == V3D_42 && (waddr <= V3D_W_R5 || (waddr >= V3D_W_RECIP && waddr <= V3D_W_RSQRT2));
}

bool v3d_keeps_to_registers(const struct v3d_machine *m, const struct v3d_insn *i)
{
    if (i->is_branch)
        return !i->branch.ub;
    bool keeps = !(i->signals & V3D_SIG_WRITES) || is_register(m, i->sig_magic, i->sig_addr);
    for (unsigned h = 0; h < V3D_HALVES && keeps; h++) {
        const struct v3d_half *half = &i->half[h];
        keeps = half->op != V3D_A_SETMSF &&
                (!v3d_op_writes((enum v3d_op)half->op) || is_register(m, half->magic, half->waddr));
    }
    return keeps;
}

void v3d_lose_state(const struct v3d_machine *m, struct v3d_thread *t)
{
    for (unsigned n = 0; n < V3D_ACCUMULATORS; n++)
        v3d_lose(m, &t->acc[n], V3D_ALL_LANES);
    v3d_lose(m, &t->sfu, V3D_ALL_LANES);
    t->unsure_rtop = V3D_ALL_LANES;
}

static void lose_register(const struct v3d_machine *m, struct v3d_thread *t, unsigned index)
{
    v3d_lose(m, &t->rf[index], V3D_ALL_LANES);
    if (m->four_threads) /* by a reading the upper half is the lower one */
        v3d_lose(m, &t->rf[index % (V3D_REGISTERS / 2)], V3D_ALL_LANES);
}

/* A branch soon after a write to unifa: unifa may hold what it held before. */
static void doubt_unifa(struct v3d_thread *t)
{
    t->stream_lost = true;
    t->unifa_lost = t->unifa_lost || t->unifa_doubt || !t->rested;
    t->unifa_doubt = true;
}

/* The words that came from a stream of uniforms may have come from where the stream was before. */
static enum v3d_stop lose_streams(struct v3d_machine *m, struct v3d_thread *t, unsigned signals)
{
    uint32_t word;
    enum v3d_stop stop = V3D_GO;
    if (signals & (V3D_SIG_LDUNIFA | V3D_SIG_LDUNIFARF)) {
        stop = t->rested ? v3d_uniform(m, t->unifa_before, true, &word) : V3D_FAULT_UNDEFINED;
        t->unifa_lost = true;
    }
    if (signals & (V3D_SIG_LDUNIF | V3D_SIG_LDUNIFRF)) {
        stop = t->branch_in && !stop ? v3d_uniform(m, t->uniform_before, false, &word) : stop;
        t->stream_lost = true;
    }
    return stop;
}

enum v3d_stop v3d_lose_results(struct v3d_machine *m, struct v3d_thread *t, const struct v3d_insn *i)
{
    t->lost = true;
    if (i->is_branch) {
        doubt_unifa(t);
        return V3D_GO;
    }
    if (m->generation == V3D_71)
        lose_register(m, t, 0);
    if ((i->signals & V3D_SIG_WRITES) && !i->sig_magic)
        lose_register(m, t, i->sig_addr);
    for (unsigned h = 0; h < V3D_HALVES; h++) {
        const struct v3d_half *half = &i->half[h];
        if (v3d_op_writes((enum v3d_op)half->op) && !half->magic)
            lose_register(m, t, half->waddr);
        if (half->flags || half->op == V3D_A_FLPOP)
            t->unsure_a = t->unsure_b = V3D_ALL_LANES;
    }
    return lose_streams(m, t, i->signals);
}
