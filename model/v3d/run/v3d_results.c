/* SPDX-License-Identifier: MIT */
#include "model/v3d/run/v3d_results.h"

#include "model/v3d/run/v3d_observe.h"
#include "model/v3d/run/v3d_plan.h"
#include "model/v3d/v3d_rows.h"

#include <string.h>

/* Passes what signals deliver to the observer, and whether they write it. */
static void observe_arrivals(const struct v3d_machine *m, const struct v3d_insn *i, struct v3d_arrivals *a)
{
    const bool meets = v3d_may_meet(m->generation, i);
    if (a->has_named)
        a->has_named = V3D_SEE(m, SIG_WRITES, 1, i->signals, 1, i->sig_magic, i->sig_addr, meets);
    if (a->has_implicit)
        a->has_implicit = V3D_SEE(m, SIG_WRITES, 1, i->signals, 0, 1, V3D_W_R5, meets);
    if (a->has_named)
        V3D_SEE_LANES(m, SIG_VALUE, &a->named.value, i->signals, i->sig_magic, i->sig_addr);
    if (a->has_implicit)
        V3D_SEE_LANES(m, SIG_IMPLICIT, &a->implicit.value, i->signals);
}

/* The results of an instruction: those of the ALUs, and those of signals. */
enum { OF_IMPLICIT = V3D_HALVES, OF_NAMED, RESULTS };

/* Where results go: the number of a register of the register file, or V3D_REGISTERS plus that of an
 * accumulator; V3D_NO_REGISTER elsewhere. `lanes`: of each. */
struct goals {
    uint8_t at[RESULTS];
    uint16_t lanes[RESULTS];
    uint32_t bits[RESULTS]; /* of a lane that it writes */
};

static uint8_t goal_of(const struct v3d_machine *m, bool magic, unsigned waddr)
{
    const bool old = m->generation == V3D_42;
    if (!magic)
        return (uint8_t)v3d_register_number(m, waddr);
    if (waddr == V3D_W_R5 || waddr == V3D_W_REP)
        return old ? V3D_REGISTERS + V3D_W_R5 : 0;
    return old && waddr <= V3D_W_R4 ? (uint8_t)(V3D_REGISTERS + waddr) : V3D_NO_REGISTER;
}

static struct goals goals_of(const struct v3d_machine *m, const struct v3d_insn *i,
                             const struct v3d_alu_result r[V3D_HALVES], const struct v3d_arrivals *a)
{
    struct goals g = {.at = {V3D_NO_REGISTER, V3D_NO_REGISTER, V3D_NO_REGISTER, V3D_NO_REGISTER}};
    for (unsigned h = 0; h < V3D_HALVES; h++) {
        const struct v3d_half *half = &i->half[h];
        if (!v3d_rows[half->op].writes || r[h].writes_nothing)
            continue;
        g.at[h] = goal_of(m, r[h].to_magic, half->waddr);
        g.lanes[h] = r[h].active | r[h].unsure_write;
        g.bits[h] = half->pack == V3D_PACK_L ? 0xFFFF : half->pack == V3D_PACK_H ? 0xFFFF0000 : UINT32_MAX;
    }
    g.lanes[OF_IMPLICIT] = g.lanes[OF_NAMED] = V3D_ALL_LANES;
    g.bits[OF_IMPLICIT] = g.bits[OF_NAMED] = UINT32_MAX;
    if (a->has_implicit)
        g.at[OF_IMPLICIT] = goal_of(m, true, V3D_W_R5);
    if (a->has_named)
        g.at[OF_NAMED] = goal_of(m, i->sig_magic, i->sig_addr);
    return g;
}

/* Do two results meet in a register? */
static bool meet(const struct goals *g, unsigned one, unsigned other)
{
    return g->at[one] == g->at[other] && g->at[one] != V3D_NO_REGISTER;
}

/* Packs the result of an ALU, if it has a pack, and passes what it writes. */
static void pack_observed(const struct v3d_machine *m, const struct v3d_half *h, uint16_t lanes,
                          struct v3d_vector *v)
{
    const struct v3d_vector before = *v;
    if (h->pack) {
        v3d_pack_half(m->rules, v);
        v3d_observe_to_half(m, h->op, &before, V3D_ONLY_LOW, v);
        v3d_observe_source(m, V3D_POINT_PACK_HALF, &before, (const uint32_t[]){h->op, h->op >= V3D_ADD_OPS},
                           v->lane);
    }
    v3d_observe_write(m, h, lanes, &before, v);
}

static enum v3d_stop write_half(struct v3d_machine *m, struct v3d_thread *t, const struct v3d_half *half,
                                struct v3d_alu_result *r)
{
    if (!v3d_rows[half->op].writes || r->writes_nothing)
        return V3D_GO;
    if (m->observer)
        pack_observed(m, half, r->active, &r->value.value);
    else if (half->pack)
        v3d_pack_half(m->rules, &r->value.value);
    t->late = v3d_operation[half->op].kind == V3D_KERNEL_SFU;
    return v3d_write(m, t, r->to_magic, half->waddr, &r->value, r->active, r->unsure_write, half->pack);
}

/* Do both ALUs write one destination? If they write different halves of a register, neither is lost. */
static bool alus_meet(const struct v3d_insn *i, const struct goals *g)
{
    const struct v3d_half *add = &i->half[V3D_ADD], *mul = &i->half[V3D_MUL];
    bool magic = add->magic && mul->magic && add->waddr == mul->waddr && add->waddr != V3D_W_NOP &&
                 v3d_rows[add->op].writes && v3d_rows[mul->op].writes;
    return (meet(g, V3D_ADD, V3D_MUL) || magic) && !(add->pack && mul->pack && add->pack != mul->pack);
}

/* How results that meet are written. */
struct meeting {
    unsigned alus, signals; /* readings of V3D_CLAUSE_TWO_WRITERS and V3D_CLAUSE_SIGNAL_WRITER */
    uint8_t order[RESULTS];
};

/* Do two results that meet leave the bits of both? */
static bool mix(const struct meeting *w, unsigned one, unsigned other)
{
    return one < V3D_HALVES && other < V3D_HALVES ? w->alus == V3D_WRITERS_MIX
                                                  : w->signals == V3D_SIGNAL_MIXES;
}

static enum v3d_stop write_result(struct v3d_machine *m, struct v3d_thread *t, const struct v3d_insn *i,
                                  struct v3d_alu_result r[V3D_HALVES], struct v3d_arrivals *a, unsigned which)
{
    if (which < V3D_HALVES)
        return write_half(m, t, &i->half[which], &r[which]);
    t->late = which == OF_NAMED;
    if (which == OF_NAMED && a->has_named)
        return v3d_write(m, t, i->sig_magic, i->sig_addr, &a->named, V3D_ALL_LANES, 0, V3D_PACK_NONE);
    if (which == OF_IMPLICIT && a->has_implicit)
        v3d_write_implicit(m, t, &a->implicit);
    return V3D_GO;
}

/* Adds the bits of earlier results to a register's value, in some lanes. `bits`: those that they wrote. */
static void mix_lanes(struct v3d_lanes *v, const struct v3d_lanes *before, uint16_t lanes, uint32_t bits)
{
    for (unsigned n = 0; n < V3D_LANES; n++)
        v->value.lane[n] |= lanes >> n & 1 ? before->value.lane[n] & bits : 0;
    v->unsure |= before->unsure & lanes;
    v->near &= (uint16_t)~lanes;
}

/* Passes what a register receives in lanes in which two results meet. `bits`: those that the earlier one
 * wrote.
 */
static void observe_meeting(const struct v3d_machine *m, const struct v3d_lanes *before, uint16_t lanes,
                            uint32_t bits, bool alus, struct v3d_lanes *to)
{
    struct v3d_vector now = to->value;
    uint32_t input[2 * V3D_LANES + 1];
    if (!observer_wants(m->observer, V3D_POINT_WRITE_MEETS))
        return;
    for (unsigned n = 0; n < V3D_LANES; n++)
        input[n] = (before->value.lane[n] & bits) | (now.lane[n] & ~bits);
    memcpy(input + V3D_LANES, now.lane, sizeof now.lane);
    input[2 * V3D_LANES] = alus;
    observe_lanes(m->observer, V3D_POINT_WRITE_MEETS, now.lane, input);
    for (unsigned n = 0; n < V3D_LANES; n++) {
        if (!(lanes >> n & 1) || now.lane[n] == to->value.lane[n])
            continue;
        to->value.lane[n] = now.lane[n];
        to->unsure |= (uint16_t)(before->unsure & 1U << n);
        to->near &= (uint16_t) ~(1U << n);
    }
}

/* Writes the results of an instruction of which some meet. The last one stays, unless they mix. */
static enum v3d_stop write_meeting(struct v3d_machine *m, struct v3d_thread *t, const struct v3d_insn *i,
                                   struct v3d_alu_result r[V3D_HALVES], struct v3d_arrivals *a,
                                   const struct goals *g, const struct meeting *w)
{
    enum v3d_stop stop = V3D_GO;
    for (unsigned n = 0; n < RESULTS && !stop; n++) {
        const unsigned now = w->order[n];
        const uint8_t at = g->at[now];
        struct v3d_lanes *to = at == V3D_NO_REGISTER ? NULL
                               : at < V3D_REGISTERS  ? &t->rf[at]
                                                     : &t->acc[at - V3D_REGISTERS];
        struct v3d_lanes before = {0};
        uint16_t lanes = 0, all = 0;
        uint32_t bits = 0;
        bool alus = now < V3D_HALVES;
        for (unsigned k = 0; k < n; k++) {
            const uint16_t both = g->lanes[now] & g->lanes[w->order[k]];
            if (!meet(g, now, w->order[k]))
                continue;
            all |= both;
            bits |= g->bits[w->order[k]];
            lanes |= mix(w, now, w->order[k]) ? both : 0;
            alus = alus && w->order[k] < V3D_HALVES;
        }
        if (all)
            before = *to;
        stop = write_result(m, t, i, r, a, now);
        if (lanes)
            mix_lanes(to, &before, lanes, bits);
        if (all && m->observer)
            observe_meeting(m, &before, all, bits, alus, to);
    }
    return stop;
}

/* Returns the ALU whose result stays if both write one register. */
static unsigned last_of(const struct v3d_machine *m, const struct v3d_insn *i, unsigned reading)
{
    const struct v3d_half *add = &i->half[V3D_ADD], *mul = &i->half[V3D_MUL];
    return V3D_SEE(m, WRITE_LAST, reading == V3D_WRITERS_ADD_WINS ? V3D_ADD : V3D_MUL, add->op, mul->op,
                   add->magic, add->waddr);
}

/* Returns the order of results by the readings in force. */
static struct meeting meeting_of(const struct v3d_machine *m, const struct v3d_insn *i, bool alus,
                                 bool signals)
{
    struct meeting w = {.order = {V3D_ADD, V3D_MUL, OF_IMPLICIT, OF_NAMED}};
    w.alus = alus ? v3d_consult(m, V3D_CLAUSE_TWO_WRITERS) : READING_MANUAL;
    w.signals = signals ? v3d_consult(m, V3D_CLAUSE_SIGNAL_WRITER) : READING_MANUAL;
    const uint8_t first = alus && last_of(m, i, w.alus) == V3D_ADD ? V3D_MUL : V3D_ADD;
    const unsigned halves_at = w.signals == V3D_SIGNAL_LOSES ? V3D_HALVES : 0;
    if (w.signals == V3D_SIGNAL_LOSES) {
        w.order[0] = OF_NAMED;
        w.order[1] = OF_IMPLICIT;
    }
    w.order[halves_at] = first;
    w.order[halves_at + 1] = (uint8_t)(V3D_ADD + V3D_MUL - first);
    return w;
}

/* Adds a register to a set, with those that it can turn out to be. The first word of a set has the register
 * file, the second one accumulators and other magic addresses. */
static void add_goal(enum v3d_generation g, bool magic, unsigned waddr, uint64_t set[2])
{
    const uint64_t both = UINT64_C(1) << 32 | 1; /* with four threads, rf32 can be rf0 */
    if (!magic)
        set[0] |= both << (waddr % (V3D_REGISTERS / 2));
    else if (waddr == V3D_W_R5 || waddr == V3D_W_REP)
        set[g == V3D_42] |= g == V3D_42 ? 1 << V3D_W_R5 : both;
    else if (waddr != V3D_W_NOP)
        set[1] |= UINT64_C(1) << waddr;
}

bool v3d_may_meet(enum v3d_generation g, const struct v3d_insn *i)
{
    const struct v3d_half *add = &i->half[V3D_ADD], *mul = &i->half[V3D_MUL];
    uint64_t seen[2] = {0};
    if (!(i->signals & (V3D_SIG_WRITES | V3D_SIG_LDUNIF | V3D_SIG_LDUNIFA))) {
        if (!v3d_rows[add->op].writes || !v3d_rows[mul->op].writes)
            return false;
        if (!add->magic && !mul->magic)
            return add->waddr % (V3D_REGISTERS / 2) == mul->waddr % (V3D_REGISTERS / 2);
    }
    for (unsigned n = 0; n < RESULTS; n++) {
        uint64_t set[2] = {0};
        if (n < V3D_HALVES && v3d_rows[i->half[n].op].writes)
            add_goal(g, i->half[n].magic, i->half[n].waddr, set);
        if (n < V3D_HALVES && i->half[n].magic && v3d_operation[i->half[n].op].kind == V3D_KERNEL_SFU)
            add_goal(g, false, i->half[n].waddr, set);
        if (n == OF_NAMED && (i->signals & V3D_SIG_WRITES))
            add_goal(g, i->sig_magic, i->sig_addr, set);
        if (n == OF_IMPLICIT && (i->signals & (V3D_SIG_LDUNIF | V3D_SIG_LDUNIFA)))
            add_goal(g, true, V3D_W_R5, set);
        if ((seen[0] & set[0]) | (seen[1] & set[1]))
            return true;
        seen[0] |= set[0];
        seen[1] |= set[1];
    }
    return false;
}

/* Writes results of which some may meet. */
static enum v3d_stop write_with_care(struct v3d_machine *m, struct v3d_thread *t, const struct v3d_insn *i,
                                     struct v3d_alu_result r[V3D_HALVES], struct v3d_arrivals *a)
{
    const struct goals g = goals_of(m, i, r, a);
    bool with_signal = meet(&g, OF_IMPLICIT, OF_NAMED);
    for (unsigned h = 0; h < V3D_HALVES; h++)
        with_signal = with_signal || meet(&g, h, OF_IMPLICIT) || meet(&g, h, OF_NAMED);
    const struct meeting w = meeting_of(m, i, alus_meet(i, &g), with_signal);
    return write_meeting(m, t, i, r, a, &g, &w);
}

enum v3d_stop v3d_write_results(struct v3d_machine *m, struct v3d_thread *t, const struct v3d_insn *i,
                                struct v3d_alu_result r[V3D_HALVES], struct v3d_arrivals *a)
{
    enum v3d_stop stop = V3D_GO;
    if (m->observer)
        observe_arrivals(m, i, a);
    if (m->observer || !m->plan || m->plan[t->pc].meets)
        return write_with_care(m, t, i, r, a);
    for (unsigned h = 0; h < V3D_HALVES && !stop; h++)
        stop = write_half(m, t, &i->half[h], &r[h]);
    if (stop || !(a->has_named | a->has_implicit))
        return stop;
    write_result(m, t, i, r, a, OF_IMPLICIT);
    return write_result(m, t, i, r, a, OF_NAMED);
}
