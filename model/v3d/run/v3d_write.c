/* SPDX-License-Identifier: MIT */
/* Registers as instructions see them, and where results go: registers, the SFU, the TMU, and other magic
 * addresses. */
#include "model/v3d/run/v3d_observe.h"

#include <string.h>

enum { SFU_DELAY = 2 }; /* with the instruction itself */

unsigned v3d_register_number(const struct v3d_machine *m, unsigned index)
{
    if (index < V3D_REGISTERS / 2 || !m->four_threads)
        return index;
    unsigned reading = v3d_consult(m, V3D_CLAUSE_FOUR_THREADS);
    return reading == V3D_REGISTERS_ALIAS      ? index - V3D_REGISTERS / 2
           : reading == V3D_REGISTERS_UNMAPPED ? V3D_NO_REGISTER
                                               : index;
}

void v3d_lose(const struct v3d_machine *m, struct v3d_lanes *v, uint16_t lanes)
{
    for (unsigned n = 0; n < V3D_LANES; n++)
        v->value.lane[n] = lanes >> n & 1 ? m->filler : v->value.lane[n];
    v->unsure |= lanes;
    v->near &= (uint16_t)~lanes;
}

void v3d_lose_neighbours(const struct v3d_machine *m, struct v3d_thread *t)
{
    if (m->profile->reading[V3D_CLAUSE_FOUR_THREADS] != V3D_REGISTERS_NEIGHBOUR)
        return;
    for (unsigned n = V3D_REGISTERS / 2; n < V3D_REGISTERS; n++)
        v3d_lose(m, &t->rf[n], V3D_ALL_LANES);
}

const struct v3d_lanes *v3d_see_register(const struct v3d_machine *m, const struct v3d_thread *t,
                                         unsigned index)
{
    const struct v3d_old *old = &t->old[!t->now];
    index = V3D_SEE(m, RF_NUMBER, index, 0, m->four_threads, m->generation == V3D_71);
    index = v3d_register_number(m, index);
    if (index == V3D_NO_REGISTER)
        return &m->unknown;
    if ((old->registers >> index & 1) && v3d_consult(m, V3D_CLAUSE_FORWARD) == V3D_FORWARD_STALE)
        for (unsigned n = 0; n < old->count; n++)
            if (old->index[n] == index)
                return &old->value[n];
    return &t->rf[index];
}

static void merge_lanes(const struct v3d_machine *m, struct v3d_lanes *to, const struct v3d_lanes *from,
                        uint16_t lanes, uint16_t unsure, enum v3d_pack pack)
{
    if (!pack && lanes == V3D_ALL_LANES) {
        *to = *from;
        to->unsure |= unsure;
        to->near &= (uint16_t)~unsure;
        return;
    }
    bool clears = pack && v3d_consult(m, V3D_CLAUSE_PACK_KEEPS) == V3D_PACK_CLEARS;
    uint32_t keeps = pack == V3D_PACK_L   ? 0xFFFF0000
                     : pack == V3D_PACK_H ? 0xFFFF
                                          : 0,
             up = pack == V3D_PACK_H ? 16 : 0;
    if (pack)
        keeps = ~V3D_SEE(m, PACK_MASK, clears ? UINT32_MAX : ~keeps, pack, m->generation == V3D_71);
    if (pack)
        up = V3D_SEE(m, PACK_SHIFT, up, pack);
    for (unsigned n = 0; n < V3D_LANES; n++) {
        uint32_t old = to->value.lane[n], lane = 0U - ((uint32_t)lanes >> n & 1);
        uint32_t v = (from->value.lane[n] << up & ~keeps) | (old & keeps);
        to->value.lane[n] = (old & ~lane) | (v & lane);
    }
    uint32_t kept = pack == V3D_PACK_NONE ? to->unsure & ~lanes : to->unsure;
    uint32_t near = pack == V3D_PACK_NONE ? from->near & lanes : 0;
    to->absolute = (uint16_t)((to->absolute & ~lanes) | (from->absolute & lanes));
    to->near = (uint16_t)(((to->near & ~lanes) | near) & ~(uint32_t)unsure);
    to->unsure = (uint16_t)(kept | (from->unsure & lanes) | unsure);
}

/* Writes a register or accumulator in some lanes. */
static void merge(const struct v3d_machine *m, struct v3d_lanes *to, const struct v3d_lanes *from,
                  uint16_t lanes, uint16_t unsure, enum v3d_pack pack)
{
    if (!m->observer) {
        merge_lanes(m, to, from, lanes, unsure, pack);
        return;
    }
    const struct v3d_vector before = to->value, result = from->value;
    merge_lanes(m, to, from, lanes, unsure, pack);
    v3d_observe_register(m, &before, &result, lanes, pack, &to->value);
}

static void broadcast(const struct v3d_machine *m, struct v3d_lanes *v, unsigned waddr)
{
    const unsigned size = waddr == V3D_W_R5 ? 4 : V3D_LANES;
    struct v3d_lanes from = *v;
    uint32_t source[V3D_LANES];
    for (unsigned n = 0; n < V3D_LANES; n++)
        source[n] = n / size * size;
    if (observer_wants(m->observer, V3D_POINT_BROADCAST_SOURCE))
        observe_lanes(m->observer, V3D_POINT_BROADCAST_SOURCE, source, (const uint32_t[]){waddr});
    v->unsure = v->near = 0;
    for (unsigned n = 0; n < V3D_LANES; n++) {
        v->value.lane[n] = from.value.lane[source[n]];
        v->unsure |= (uint16_t)((from.unsure >> source[n] & 1) << n);
    }
}

enum v3d_stop v3d_take_uniform(struct v3d_machine *m, struct v3d_thread *t, uint32_t *word)
{
    if (t->stream_lost)
        return V3D_FAULT_UNDEFINED;
    t->uniform = V3D_SEE(m, UNIFORM_ADDRESS, t->uniform, t->alu.thread_index);
    enum v3d_stop stop = v3d_uniform(m, t->uniform, false, word);
    if (stop)
        return stop;
    *word = V3D_SEE(m, UNIFORM_VALUE, *word, t->uniform, v3d_initial_word(m, t->uniform, *word));
    t->uniform = V3D_SEE(m, UNIFORM_NEXT, t->uniform + 4, t->uniform);
    return V3D_GO;
}

void v3d_note_sfu(const struct v3d_machine *m, struct v3d_lanes *v, enum v3d_function f,
                  const struct v3d_vector *operand)
{
    uint32_t finite = 0;
    for (unsigned n = 0; n < V3D_LANES; n++)
        finite |= (uint32_t)v3d_sfu_is_near(v->value.lane[n]) << n;
    for (unsigned n = 0; n < V3D_LANES && (f == V3D_LOG || f == V3D_RSQRT); n++)
        if (operand->lane[n] >> 31 && v3d_sfu_is_unstated(m->rules, f, operand->lane[n])) {
            v->value.lane[n] = m->filler;
            v->unsure |= (uint16_t)(1U << n);
        }
    v->near = (uint16_t)(finite & ~(uint32_t)v->unsure);
    v->absolute = f == V3D_LOG || f == V3D_SINE ? V3D_ALL_LANES : 0;
    v->unsure = (uint16_t)(v->unsure | finite);
}

static enum v3d_stop write_sfu(const struct v3d_machine *m, struct v3d_thread *t, unsigned waddr,
                               struct v3d_lanes *v, uint16_t lanes)
{
    static const uint8_t functions[] = {V3D_RECIP, V3D_RSQRT, V3D_EXP, V3D_LOG, V3D_SINE, V3D_RSQRT};
    static const uint8_t ops[] = {V3D_A_RECIP, V3D_A_RSQRT, V3D_A_EXP, V3D_A_LOG, V3D_A_SIN, V3D_A_RSQRT2};
    const enum v3d_function f = (enum v3d_function)functions[waddr - V3D_W_RECIP];
    const unsigned op = ops[waddr - V3D_W_RECIP];
    if (m->observer) {
        v3d_observe_float(m, op, 0, &v->value);
        v3d_observe_classes(m, op, V3D_PORT_A, &v->value);
    }
    for (unsigned n = 0; n < V3D_LANES; n++)
        t->sfu.value.lane[n] = v3d_sfu(m->rules, f, v->value.lane[n]);
    if (m->observer)
        v3d_observe_sfu(m, op, f, &v->value, &t->sfu.value);
    if (m->observer && f == V3D_SINE)
        v3d_observe_sine(m, &v->value, &t->sfu.value);
    if (m->observer)
        v3d_observe_classes(m, op, V3D_PORT_RESULT, &t->sfu.value);
    if (observer_wants(m->observer, V3D_POINT_SFU_RESULT)) {
        uint32_t input[V3D_LANES + 1];
        memcpy(input, v->value.lane, sizeof v->value.lane);
        input[V3D_LANES] = waddr;
        observe_lanes(m->observer, V3D_POINT_SFU_RESULT, t->sfu.value.lane, input);
    }
    if (m->observer)
        v3d_observe_float_result(m, op, &v->value, &v->value, &t->sfu.value);
    t->sfu.unsure = v->unsure;
    v3d_note_sfu(m, &t->sfu, f, &v->value);
    cover(m->coverage, V3D_CLAUSE_SFU_SPECIAL, 0);
    if (f == V3D_SINE)
        cover(m->coverage, V3D_CLAUSE_SINE, 0);
    if (f == V3D_LOG || f == V3D_RSQRT)
        cover(m->coverage, V3D_CLAUSE_SFU_NEGATIVE, 0);
    const uint8_t delay = (uint8_t)V3D_SEE(m, SFU_LATENCY, SFU_DELAY, waddr);
    t->sfu_in = delay ? delay : 1;
    t->sfu_lanes = lanes;
    return V3D_GO;
}

void v3d_write_sfu_result(const struct v3d_machine *m, struct v3d_thread *t)
{
    merge(m, &t->acc[V3D_W_R4], &t->sfu, t->sfu_lanes, 0, V3D_PACK_NONE);
    t->wrote_acc |= 1 << V3D_W_R4;
}

/* Returns the word that tmuc or unifa receives. */
static uint32_t scalar_of(const struct v3d_machine *m, unsigned waddr, const struct v3d_lanes *v,
                          uint16_t lanes)
{
    return v->value.lane[V3D_SEE(m, SCALAR_LANE, 0, waddr, lanes)];
}

static enum v3d_stop write_tmu(struct v3d_machine *m, struct v3d_thread *t, unsigned waddr,
                               struct v3d_lanes *v, uint16_t lanes)
{
    enum v3d_stop stop = V3D_GO;
    switch (waddr) {
    case V3D_W_TMUD:
    case V3D_W_TMUDREF:
    case V3D_W_TMUOFF:
        V3D_SEE_LANES(m, TMU_DATA, &v->value, waddr, lanes, t->tmu.data_count);
        return v3d_tmu_push(&t->tmu, v, waddr);
    case V3D_W_TMUC:
        if (m->checked && (v->unsure & 1))
            return V3D_FAULT_UNDEFINED;
        t->tmu.config = scalar_of(m, waddr, v, lanes);
        return V3D_GO;
    case V3D_W_TMUAU:
        stop = v3d_take_uniform(m, t, &t->tmu.config);
        if (stop)
            return stop;
        return v3d_tmu_access(m, t, v, lanes);
    case V3D_W_TMUA:
        return v3d_tmu_access(m, t, v, lanes);
    default:
        return V3D_FAULT_TEXTURE;
    }
}

static enum v3d_stop write_sync(struct v3d_machine *m, struct v3d_thread *t, unsigned waddr)
{
    uint32_t word;
    unsigned reading = v3d_consult(m, V3D_CLAUSE_SYNC);
    if (reading == READING_MANUAL)
        return V3D_FAULT_SYNC;
    t->barrier = t->barrier || reading == V3D_SYNC_BARRIER;
    return waddr == V3D_W_SYNCU ? v3d_take_uniform(m, t, &word) : V3D_GO;
}

static enum v3d_stop write_tmul(struct v3d_machine *m, struct v3d_thread *t, const struct v3d_lanes *v,
                                uint16_t lanes)
{
    unsigned reading = v3d_consult(m, V3D_CLAUSE_TMUL);
    return reading == V3D_TMUL_LOADS     ? v3d_tmu_access(m, t, v, lanes)
           : reading == V3D_TMUL_IGNORED ? V3D_GO
                                         : V3D_FAULT_RESERVED;
}

static void write_unifa(struct v3d_machine *m, struct v3d_thread *t, uint32_t address, uint16_t lanes)
{
    enum { UNIFA_REST = 4 }; /* instructions from a write to the first ldunifa, by v3d-unifa-delay */
    t->rested =
        t->unifa_step && m->steps + 1 - t->unifa_step >= UNIFA_REST && !t->unifa_lost && !t->unifa_doubt;
    t->unifa_step = m->steps + 1;
    t->unifa_lost = t->unifa_doubt = false;
    t->unifa_before = t->unifa;
    t->unifa = V3D_SEE(m, UNIFA_ADDRESS, address, lanes);
}

/* Writes that have an effect elsewhere than in a register. */
static enum v3d_stop write_peripheral(struct v3d_machine *m, struct v3d_thread *t, unsigned waddr,
                                      struct v3d_lanes *v, uint16_t lanes)
{
    if (!v3d_waddr_name(m->generation, waddr))
        return V3D_GO; /* the clause of reserved addresses has decided */
    switch (waddr) {
    case V3D_W_NOP:
        return V3D_GO;
    case V3D_W_UNIFA:
        if (m->checked && (v->unsure & 1))
            return V3D_FAULT_UNDEFINED;
        write_unifa(m, t, scalar_of(m, waddr, v, lanes), lanes);
        return V3D_GO;
    case V3D_W_SYNCB:
        if (v->unsure != V3D_ALL_LANES || lanes != V3D_ALL_LANES) /* not what barrierid gave */
            return write_sync(m, t, waddr);
        t->barrier = V3D_SEE(m, BARRIER_WAITS, 1, waddr);
        return V3D_GO;
    case V3D_W_SYNC:
    case V3D_W_SYNCU:
        return write_sync(m, t, waddr);
    case V3D_W_TMUL:
        return write_tmul(m, t, v, lanes);
    case V3D_W_VPM:
    case V3D_W_VPMU:
        return V3D_FAULT_VPM;
    case V3D_W_TLB:
    case V3D_W_TLBU:
        return V3D_FAULT_TILE;
    default:
        if (waddr >= V3D_W_RECIP && waddr <= V3D_W_RSQRT2)
            return write_sfu(m, t, waddr, v, lanes);
        if ((waddr >= V3D_W_TMUD && waddr <= V3D_W_TMUAU) || waddr >= V3D_W_TMUC)
            return write_tmu(m, t, waddr, v, lanes);
        return V3D_FAULT_RESERVED;
    }
}

/* Writes registers of the register file, and notes the old values of those that may come late, if a reading
 * asks for them. */
static void write_register(const struct v3d_machine *m, struct v3d_thread *t, unsigned index,
                           const struct v3d_lanes *v, uint16_t lanes, uint16_t unsure, enum v3d_pack pack)
{
    struct v3d_old *old = &t->old[t->now];
    index = V3D_SEE(m, RF_NUMBER, index, 1, m->four_threads, m->generation == V3D_71);
    index = v3d_register_number(m, index);
    if (index == V3D_NO_REGISTER)
        return;
    if (t->late && m->keeps_old && old->count < V3D_WRITES_MAX && !(old->registers >> index & 1)) {
        old->index[old->count] = (uint8_t)index;
        old->value[old->count++] = t->rf[index];
    }
    old->registers |= (uint64_t)t->late << index;
    t->wrote_rf |= UINT64_C(1) << index;
    merge(m, &t->rf[index], v, lanes, unsure, pack);
}

void v3d_write_implicit(const struct v3d_machine *m, struct v3d_thread *t, const struct v3d_lanes *v)
{
    t->wrote_acc |= 1 << V3D_W_R5;
    t->late = false; /* programs of hardware tests use it at once */
    if (m->generation == V3D_42)
        t->acc[V3D_W_R5] = *v;
    else
        write_register(m, t, 0, v, V3D_ALL_LANES, 0, V3D_PACK_NONE);
}

/* Puts a packed half into place for a destination without an old value. */
static void place_half(const struct v3d_machine *m, struct v3d_vector *v, enum v3d_pack pack)
{
    bool both = v3d_consult(m, V3D_CLAUSE_PACK_MAGIC) == V3D_PACK_BOTH;
    for (unsigned n = 0; n < V3D_LANES; n++)
        v->lane[n] = both ? v->lane[n] * 0x10001 : pack == V3D_PACK_H ? v->lane[n] << 16 : v->lane[n];
}

/* Is the word of a write to tmuc or unifa lost? Otherwise puts it into lane 0. */
static bool skips_scalar(const struct v3d_machine *m, struct v3d_lanes *v, uint16_t active)
{
    switch (v3d_consult(m, V3D_CLAUSE_MASKED_SCALAR)) {
    case V3D_SCALAR_LANE_0:
        return !(active & 1);
    case V3D_SCALAR_FIRST_LANE: {
        unsigned first = active ? (unsigned)__builtin_ctz(active) : 0;
        v->value.lane[0] = v->value.lane[first];
        v->unsure = (uint16_t)((v->unsure & ~1U) | (v->unsure >> first & 1));
        return !active;
    }
    case V3D_SCALAR_SKIPS:
        return true;
    default:
        return false;
    }
}

/* Is nothing written, because of lanes that the condition leaves out? Otherwise sets what these lanes give,
 * and which lanes count. */
static bool skips_masked(const struct v3d_machine *m, unsigned waddr, struct v3d_lanes *v, uint16_t *active)
{
    unsigned reading;
    if (*active == V3D_ALL_LANES)
        return false;
    switch (waddr) {
    case V3D_W_TMUD:
    case V3D_W_TMUDREF:
    case V3D_W_TMUOFF:
        reading = v3d_consult(m, V3D_CLAUSE_MASKED_WRITE);
        for (unsigned n = 0; n < V3D_LANES && reading == V3D_MASKED_ZERO; n++)
            v->value.lane[n] = *active >> n & 1 ? v->value.lane[n] : 0;
        return reading == V3D_MASKED_SKIPS;
    case V3D_W_TMUC:
    case V3D_W_UNIFA:
        return skips_scalar(m, v, *active);
    default:
        if (waddr < V3D_W_RECIP || waddr > V3D_W_RSQRT2)
            return false;
        reading = v3d_consult(m, V3D_CLAUSE_MASKED_SFU);
        *active = reading == V3D_MASKED_SFU_ALL ? V3D_ALL_LANES : *active;
        return reading == V3D_MASKED_SFU_SKIPS;
    }
}

enum v3d_stop v3d_write(struct v3d_machine *m, struct v3d_thread *t, bool magic, unsigned waddr,
                        struct v3d_lanes *v, uint16_t active, uint16_t unsure, enum v3d_pack pack)
{
    bool old = m->generation == V3D_42;
    if (!magic) {
        write_register(m, t, waddr, v, active, unsure, pack);
        return V3D_GO;
    }
    if (old && waddr <= V3D_W_R5)
        t->wrote_acc = (uint8_t)(t->wrote_acc | 1U << waddr);
    if (old && waddr <= V3D_W_R4) {
        merge(m, &t->acc[waddr], v, active, unsure, pack);
        return V3D_GO;
    }
    if (waddr == V3D_W_R5 || waddr == V3D_W_REP) {
        broadcast(m, v, waddr);
        t->wrote_acc |= 1 << V3D_W_R5;
        if (old)
            merge(m, &t->acc[5], v, active, unsure, pack);
        else
            write_register(m, t, 0, v, active, unsure, pack);
        return V3D_GO;
    }
    if (m->checked && unsure)
        return V3D_FAULT_UNDEFINED;
    if (pack && waddr != V3D_W_NOP)
        place_half(m, &v->value, pack);
    const uint16_t passing = active;
    bool skips = skips_masked(m, waddr, v, &active);
    skips = V3D_SEE(m, WRITE_SKIPS, skips, waddr, passing);
    return skips ? V3D_GO : write_peripheral(m, t, waddr, v, active);
}
