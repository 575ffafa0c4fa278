/* SPDX-License-Identifier: MIT */
/* One instruction of a thread: both ALUs, destinations, signals, branches. */
#include "model/v3d/run/v3d_observe.h"
#include "model/v3d/run/v3d_plan.h"
#include "model/v3d/run/v3d_results.h"
#include "model/v3d/v3d_rows.h"

#include <string.h>

enum { SWITCH_SLOTS = 2 };

/* ---- signals ---- */

/* Fetches a word at unifa. */
static enum v3d_stop fetch_by_unifa(struct v3d_machine *m, struct v3d_thread *t, uint32_t *word)
{
    enum v3d_stop stop = t->unifa_lost    ? V3D_FAULT_UNDEFINED
                         : t->unifa_doubt ? v3d_uniform(m, t->unifa_before, true, word)
                                          : V3D_GO;
    stop = stop ? stop : v3d_uniform(m, t->unifa, true, word);
    *word = stop ? 0 : V3D_SEE(m, UNIFA_VALUE, *word, t->unifa, v3d_initial_word(m, t->unifa, *word));
    t->unifa_before += t->unifa_doubt ? 4 : 0;
    t->unifa = V3D_SEE(m, UNIFA_NEXT, t->unifa + 4, t->unifa);
    return stop;
}

/* Fetches what a signal delivers. `to`: receives the value. */
static enum v3d_stop fetch(struct v3d_machine *m, struct v3d_thread *t, unsigned signals,
                           struct v3d_lanes *to)
{
    uint32_t word = 0;
    if (signals & V3D_SIG_LDTMU)
        return v3d_tmu_pop(m, &t->tmu, to);
    to->unsure = to->near = 0;
    if (signals & (V3D_SIG_LDUNIFA | V3D_SIG_LDUNIFARF)) {
        enum v3d_stop stop = fetch_by_unifa(m, t, &word);
        if (stop)
            return stop;
        to->unsure = t->unifa_doubt ? V3D_ALL_LANES : 0;
    } else {
        enum v3d_stop stop = v3d_take_uniform(m, t, &word);
        if (stop)
            return stop;
    }
    for (unsigned n = 0; n < V3D_LANES; n++)
        to->value.lane[n] = word;
    return V3D_GO;
}

static enum v3d_stop take_signals(struct v3d_machine *m, struct v3d_thread *t, const struct v3d_insn *i,
                                  struct v3d_arrivals *a)
{
    const unsigned implicit = V3D_SIG_LDUNIF | V3D_SIG_LDUNIFA,
                   named = V3D_SIG_LDTMU | V3D_SIG_LDUNIFRF | V3D_SIG_LDUNIFARF;
    enum v3d_stop stop = V3D_GO;
    a->has_named = i->signals & named;
    a->has_implicit = i->signals & implicit;
    if (!i->signals)
        return V3D_GO;
    if (i->signals & V3D_SIG_LDVARY)
        return V3D_FAULT_VARYING;
    if ((i->signals & V3D_SIG_UCB) &&
        v3d_stops(m, t, i, v3d_consult(m, V3D_CLAUSE_UCB) == READING_MANUAL, V3D_FAULT_RESERVED, 0))
        return V3D_FAULT_RESERVED;
    if (i->signals & (V3D_SIG_LDTLB | V3D_SIG_LDTLBU))
        return V3D_FAULT_TILE;
    if (a->has_named)
        stop = fetch(m, t, i->signals & named, &a->named);
    if (a->has_implicit && !stop)
        stop = fetch(m, t, i->signals & implicit, &a->implicit);
    if ((i->signals & V3D_SIG_WRTMUC) && !stop)
        stop = v3d_take_uniform(m, t, &t->tmu.config);
    return stop;
}

static void change_flags(const struct v3d_machine *m, struct v3d_thread *t, const struct v3d_insn *i,
                         const struct v3d_operands src[V3D_HALVES], const struct v3d_alu_result r[V3D_HALVES])
{
    uint16_t a = t->alu.flag_a, b = t->alu.flag_b;
    v3d_set_flags(m, t, i, src, r);
    if (m->observer)
        v3d_observe_flags(m, t, i, r, a, b);
}

static enum v3d_stop run_alus(struct v3d_machine *m, struct v3d_thread *t, const struct v3d_insn *i)
{
    struct v3d_operands src[V3D_HALVES];
    struct v3d_alu_result r[V3D_HALVES];
    struct v3d_arrivals a;
    enum v3d_stop stop = take_signals(m, t, i, &a);
    for (unsigned h = 0; h < V3D_HALVES; h++)
        v3d_load(m, t, &i->half[h], &src[h]);
    for (unsigned h = 0; h < V3D_HALVES && !stop; h++)
        stop = v3d_compute(m, t, i, &i->half[h], &src[h], &r[h]);
    if (stop)
        return stop;
    if (i->half[V3D_ADD].flags | i->half[V3D_MUL].flags | (i->half[V3D_ADD].op == V3D_A_FLPOP))
        change_flags(m, t, i, src, r);
    return v3d_write_results(m, t, i, r, &a);
}

/* ---- the instruction ---- */

/* Makes accumulators and RTOP undefined, or 0. */
static void lose_accumulators(const struct v3d_machine *m, struct v3d_thread *t, bool clears)
{
    for (unsigned n = 0; n < V3D_ACCUMULATORS && m->generation == V3D_42; n++) {
        if (clears)
            memset(&t->acc[n], 0, sizeof t->acc[n]);
        else
            v3d_lose(m, &t->acc[n], V3D_ALL_LANES);
        t->wrote_acc = (1 << V3D_ACCUMULATORS) - 1;
    }
    for (unsigned n = 0; n < V3D_LANES; n++)
        t->alu.rtop.lane[n] = clears ? 0 : m->filler;
    t->unsure_rtop = clears ? 0 : V3D_ALL_LANES;
}

/* What a thread finds after a thread switch. */
static void come_back(const struct v3d_machine *m, struct v3d_thread *t)
{
    const unsigned reading = v3d_consult(m, V3D_CLAUSE_SWITCH_KEEPS);
    const bool clears = reading == V3D_SWITCH_CLEARS;
    if (clears || reading == READING_MANUAL || (reading == V3D_SWITCH_ONE_THREAD && !m->one_batch))
        lose_accumulators(m, t, clears);
    if (m->four_threads)
        v3d_lose_neighbours(m, t);
    if (!t->alu.signed_a && !t->alu.signed_b)
        return;
    const bool keeps = v3d_consult(m, V3D_CLAUSE_NN_MODE) != V3D_NN_MODE_CLEARS;
    if (!V3D_SEE(m, SWITCH_KEEPS_MODE, keeps, t->alu.signed_a, t->alu.signed_b))
        t->alu.signed_a = t->alu.signed_b = false;
}

/* A thread switch takes effect. Mesa (emit_barrier) says that a barrier blocks only then. */
static void leave(struct v3d_thread *t)
{
    t->at_barrier = t->barrier;
    t->barrier = false;
}

/* Counts down to what earlier instructions started. */
static void advance(const struct v3d_machine *m, struct v3d_thread *t)
{
    t->pc++;
    if (t->sfu_in && !--t->sfu_in)
        v3d_write_sfu_result(m, t);
    if (t->switch_in && !--t->switch_in) {
        leave(t);
        come_back(m, t);
    }
    if (t->branch_in && !--t->branch_in)
        t->pc = t->target;
    if (t->end_in && !--t->end_in) {
        leave(t);
        t->ended = true;
    }
}

/* Returns the instructions until a thread switch takes effect, with the instruction itself. */
static uint8_t switch_delay(const struct v3d_machine *m, bool ends)
{
    return (uint8_t)(1 + V3D_SEE(m, SWITCH_SLOTS, SWITCH_SLOTS, ends));
}

/* A thread switch. Two in successive instructions announce that the next one ends the thread. */
static void switch_thread(const struct v3d_machine *m, struct v3d_thread *t)
{
    if (V3D_SEE(m, SWITCH_ENDS, t->last, t->after_switch, t->last))
        t->end_in = t->end_in ? t->end_in : switch_delay(m, true);
    else if (V3D_SEE(m, SWITCH_LAST, t->after_switch, t->after_switch, t->last))
        t->last = true;
    else
        t->switch_in = switch_delay(m, false);
}

static bool has_reserved_unpack(const struct v3d_half *h)
{
    return h->src[0].unpack >= V3D_UNPACK_RESERVED5; /* no second operand has one */
}

/* Returns the clauses that say what a word does for this reason, a bit each, from V3D_CLAUSE_RESERVED on. */
static uint32_t clauses_of_reason(const struct v3d_insn *i, unsigned reason)
{
    const struct v3d_half *add = &i->half[V3D_ADD], *mul = &i->half[V3D_MUL];
    uint32_t usual = 1U << (reason - 1), set = 0;
    if (reason == V3D_RESERVED_ADD)
        return add->op == V3D_A_NOP ? usual : 1U << (V3D_CLAUSE_VFMOV_42 - V3D_CLAUSE_RESERVED);
    if (reason != V3D_RESERVED_UNPACK)
        return usual;
    if (has_reserved_unpack(add))
        set |= add->op == V3D_A_MOV || add->op == V3D_A_FMOV
                   ? usual
                   : 1U << (V3D_CLAUSE_HALF_UNPACK - V3D_CLAUSE_RESERVED);
    if (has_reserved_unpack(mul))
        set |= mul->op == V3D_M_FMOV ? 1U << (V3D_CLAUSE_FMOV_UNPACK - V3D_CLAUSE_RESERVED) : usual;
    return set ? set : usual; /* only a rule says that another unpack is reserved */
}

/* Does a reading or a rule say what a word does that no source defines? All its reasons count. */
static bool reserved_goes_on(const struct v3d_machine *m, const struct v3d_thread *t,
                             const struct v3d_insn *i)
{
    uint32_t set = 0;
    unsigned which = V3D_NO_CLAUSE;
    bool goes_on = true;
    for (unsigned n = 1; n < V3D_RESERVEDS; n++)
        if ((i->reasons >> n & 1) && n != V3D_RESERVED_BRANCH_COND)
            set |= clauses_of_reason(i, n);
    for (; set; set &= set - 1) {
        which = (unsigned)__builtin_ctz(set);
        goes_on = v3d_consult(m, V3D_CLAUSE_RESERVED + which) != READING_MANUAL && goes_on;
    }
    return !v3d_stops(m, t, i, !goes_on, V3D_FAULT_RESERVED, which);
}

/* Is a register one of rf32 to rf63? */
static bool is_high(const struct v3d_machine *m, unsigned index, bool write, unsigned named_by)
{
    const unsigned high = V3D_REGISTERS / 2;
    if (!m->observer && index < high)
        return false;
    const bool lacks = index >= high &&
                       V3D_SEE(m, RF_NUMBER, index, write, m->four_threads, m->generation == V3D_71) >= high;
    return V3D_SEE(m, RF_LACKS, lacks, index, named_by);
}

/* Does an instruction name one of rf32 to rf63? */
static bool names_high(const struct v3d_machine *m, const struct v3d_insn *i)
{
    const struct v3d_branch *b = &i->branch;
    if (i->is_branch)
        return (b->bdi == V3D_TO_REGISTER || (b->ub && b->bdu == V3D_TO_REGISTER)) &&
               is_high(m, b->raddr, false, 7);
    for (unsigned h = 0; h < V3D_HALVES; h++) {
        const struct v3d_half *half = &i->half[h];
        if (v3d_rows[half->op].writes && !half->magic && is_high(m, half->waddr, true, 4 + h))
            return true;
        for (unsigned n = 0; n < v3d_rows[half->op].sources; n++)
            if (half->src[n].kind == V3D_RF && is_high(m, half->src[n].index, false, 2 * h + n))
                return true;
    }
    return (i->signals & V3D_SIG_WRITES) && !i->sig_magic && is_high(m, i->sig_addr, true, 6);
}

/* Does no reading say which register an instruction reads or writes? With four threads, a register of another
 * thread is one that this job may also use. */
static bool lacks_register(const struct v3d_machine *m, const struct v3d_thread *t, const struct v3d_insn *i)
{
    if (!m->four_threads || !names_high(m, i))
        return false;
    unsigned reading = v3d_consult(m, V3D_CLAUSE_FOUR_THREADS);
    bool lacks = reading == READING_MANUAL || (reading == V3D_REGISTERS_NEIGHBOUR && !m->one_batch);
    return v3d_stops(m, t, i, lacks, V3D_FAULT_UNSTATED, 0);
}

/* Executes one instruction of a thread. */
static enum v3d_stop step(struct v3d_machine *m, struct v3d_thread *t)
{
    uint32_t pc = t->pc;
    if (pc >= m->program_count)
        return V3D_FAULT_PROGRAM;
    const struct v3d_insn *i = &m->program[pc];
    if ((i->reasons || m->observer) && !reserved_goes_on(m, t, i))
        return V3D_FAULT_RESERVED;
    enum v3d_breach_effect effect = m->breaches || m->observer ? v3d_break(m, t, i) : V3D_BREACH_GOES_ON;
    if (effect == V3D_BREACH_STOPS)
        return V3D_FAULT_RESTRICTION;
    if (effect == V3D_BREACH_LOSES && !v3d_keeps_to_registers(m, i))
        return V3D_FAULT_UNDEFINED;
    struct v3d_insn seen;
    if (m->observer) {
        seen = *i;
        v3d_observe_fields(m, &seen);
        i = &seen;
    }
    if (lacks_register(m, t, i))
        return V3D_FAULT_UNSTATED;
    bool switches = !i->is_branch && (i->signals & V3D_SIG_THRSW),
         idle = i->reasons >> V3D_RESERVED_CLASS & 1;
    t->now = !t->now;
    t->old[t->now].registers = t->old[t->now].count = 0;
    enum v3d_stop stop = idle ? V3D_GO : i->is_branch ? v3d_branch(m, t, &i->branch) : run_alus(m, t, i);
    if (stop)
        return stop;
    if (switches)
        switch_thread(m, t);
    t->after_switch = switches;
    if (effect == V3D_BREACH_LOSES)
        stop = v3d_lose_results(m, t, i);
    if (stop)
        return stop;
    advance(m, t);
    if (t->lost)
        v3d_lose_state(m, t);
    if (m->watch)
        m->watch(m->watch_context, m, t, pc);
    return V3D_GO;
}

static bool counts_down(const struct v3d_thread *t)
{
    return t->sfu_in | t->branch_in | t->switch_in | t->end_in;
}

/* Executes plain instructions by their plans, up to one that is not plain. Returns how many; at most `room`.
 */
static uint64_t run_plain(struct v3d_machine *m, struct v3d_thread *t, uint64_t room)
{
    uint64_t done = 0, before = t->old[t->now].registers, wrote_rf = 0;
    unsigned wrote_acc = 0;
    bool pending = counts_down(t), stands = false;
    uint32_t pc = t->pc;
    while (done < room && pc < m->program_count && v3d_plan_holds(m, t, &m->plan[pc]) && !stands) {
        const struct v3d_plan *p = &m->plan[pc];
        if (before & p->reads)
            cover(m->coverage, V3D_CLAUSE_FORWARD, 0);
        v3d_plan_run(m, t, p);
        before = 0; /* no plain instruction writes late */
        wrote_rf |= p->writes;
        wrote_acc |= p->wrote_acc;
        done++;
        pc++;
        if (!(pending | p->switches)) {
            t->after_switch = false;
            continue;
        }
        if (p->switches)
            switch_thread(m, t);
        t->after_switch = p->switches;
        t->pc = pc - 1;
        advance(m, t);
        pc = t->pc;
        pending = counts_down(t);
        stands = t->ended | t->at_barrier;
    }
    t->pc = pc;
    t->old[t->now].registers = before;
    t->wrote_rf |= wrote_rf;
    t->wrote_acc = (uint8_t)(t->wrote_acc | wrote_acc);
    return done;
}

enum v3d_stop v3d_run_thread(struct v3d_machine *m, struct v3d_thread *t)
{
    enum v3d_stop stop = V3D_GO;
    const bool planned = m->plan && !m->observer && !m->watch && !m->keeps_old;
    t->at_barrier = false;
    while (!t->ended && !t->at_barrier && !stop) {
        if (planned && !t->lost)
            m->steps += run_plain(m, t, m->limit - m->steps);
        if (t->ended || t->at_barrier)
            break;
        stop = m->steps < m->limit ? step(m, t) : V3D_HANG_LIMIT;
        m->steps += stop != V3D_HANG_LIMIT;
    }
    m->stop_pc = t->pc;
    return stop;
}
