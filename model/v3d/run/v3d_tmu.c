/* SPDX-License-Identifier: MIT */
/* General accesses of the TMU: loads, stores and atomic operations of each lane. The facts are those of
 * Mesa's v3d_tmu comments and nir_to_vir, and of the tests of py-videocore6 and 7. */
#include "model/v3d/run/v3d_observe.h"

#include <string.h>

enum tmu_type { TYPE_I8, TYPE_I16, TYPE_VEC2, TYPE_VEC3, TYPE_VEC4, TYPE_U8, TYPE_U16, TYPE_U32 };
enum tmu_op {
    OP_ADD,
    OP_SUB,
    OP_EXCHANGE,
    OP_COMPARE,
    OP_UMIN,
    OP_UMAX,
    OP_SMIN,
    OP_SMAX,
    OP_AND,
    OP_OR,
    OP_XOR,
    OP_REGULAR = 15
};
/* Operations that have another meaning without data. */
enum { OP_FLUSHES = 5, OP_INCREMENT = 8, OP_DECREMENT = 9, OP_NOT = 10 };

struct access {
    unsigned op;                /* enum tmu_op */
    unsigned type;              /* enum tmu_type */
    unsigned components, bytes; /* bytes of a component */
    bool loads;                 /* no data was written */
    bool lacks;                 /* words of data that were not written are undefined; otherwise they are 0 */
    uint16_t lanes;
    uint16_t left_out[4]; /* lanes whose store of a component a rule leaves out */
};

/* Returns the lanes that may access memory. */
static uint16_t live_lanes(const struct v3d_machine *m, const struct v3d_thread *t)
{
    return t->set_msf && v3d_consult(m, V3D_CLAUSE_SETMSF) == V3D_SETMSF_NO_EFFECT ? t->started : v3d_live(t);
}

/* Passes the number of components and their size. */
static void see_shape(const struct v3d_machine *m, uint32_t byte, struct access *a)
{
    const uint32_t components = V3D_SEE(m, TMU_COMPONENTS, a->components, a->type, byte),
                   bytes = V3D_SEE(m, TMU_BYTES, a->bytes, a->type, byte);
    a->components = components && components <= 4 ? components : a->components;
    a->bytes = bytes == 1 || bytes == 2 || bytes == 4 ? bytes : a->bytes;
}

static struct access access_of(const struct v3d_machine *m, const struct v3d_thread *t, uint32_t byte,
                               uint16_t lanes)
{
    struct access a = {.op = V3D_SEE(m, TMU_OP, byte >> 3 & 15, byte, t->tmu.data_count),
                       .type = V3D_SEE(m, TMU_TYPE, byte & 7, byte, t->tmu.data_count),
                       .components = 1,
                       .bytes = 4};
    if (a.type >= TYPE_VEC2 && a.type <= TYPE_VEC4)
        a.components = a.type;
    else if (a.type == TYPE_I8 || a.type == TYPE_U8)
        a.bytes = 1;
    else if (a.type == TYPE_I16 || a.type == TYPE_U16)
        a.bytes = 2;
    a.loads = V3D_SEE(m, TMU_LOADS, t->tmu.data_count == 0, t->tmu.data_count, byte);
    if (m->observer)
        see_shape(m, byte, &a);
    const uint16_t live = live_lanes(m, t);
    a.lanes = byte >> 7 ? lanes & live : v3d_quads(lanes & live);
    a.lanes = (uint16_t)V3D_SEE(m, TMU_LANES, a.lanes, byte, lanes, live);
    return a;
}

/* The address of a component that is `step` bytes further, before any rule. Vectors wrap in their 16 bytes,
 * or go on. */
static uint32_t place_of(const struct v3d_machine *m, uint32_t address, uint32_t step)
{
    uint32_t next = address + step, wrapped = (address & ~UINT32_C(15)) | (next & 15);
    bool goes_on = next == wrapped ||
                   (v3d_consult(m, V3D_CLAUSE_VECTOR) == V3D_VECTOR_BY_CHIP && m->generation == V3D_71);
    return goes_on ? next : wrapped;
}

static uint32_t component_address(const struct v3d_machine *m, const struct access *a, uint32_t address,
                                  unsigned n, unsigned lane)
{
    const uint32_t step = V3D_SEE(m, TMU_STEP, 4 * n, n, a->type, a->op, a->loads);
    return V3D_SEE(m, TMU_COMPONENT, place_of(m, address, step), address, n, m->generation == V3D_71,
                   a->bytes, a->type, a->op, a->loads, lane);
}

static uint32_t extend(unsigned type, uint32_t v)
{
    if (type == TYPE_I8)
        return (v & 0xFF) | (v & 0x80 ? 0xFFFFFF00 : 0);
    if (type == TYPE_I16)
        return (v & 0xFFFF) | (v & 0x8000 ? 0xFFFF0000 : 0);
    return v;
}

/* A place in memory: up to four bytes of one word. */
struct place {
    struct v3d_range *range;
    uint32_t index, shift, mask;
};

static void see_place(const struct v3d_machine *m, uint32_t address, uint32_t bytes, bool store,
                      struct place *p)
{
    p->shift = V3D_SEE(m, TMU_SHIFT, p->shift, address, bytes, store);
    p->mask = V3D_SEE(m, TMU_MASK, p->mask, address, bytes, store);
}

/* `address` is a multiple of `bytes`. */
static bool find(struct v3d_machine *m, uint32_t address, uint32_t bytes, bool store, struct place *p)
{
    p->range = v3d_reach(m, address, bytes, store);
    if (!p->range)
        return false;
    uint32_t offset = address - p->range->base;
    p->index = offset / 4;
    p->shift = offset % 4 * 8;
    p->mask = bytes == 4 ? UINT32_MAX : (UINT32_C(1) << (8 * bytes)) - 1;
    if (m->observer)
        see_place(m, address, bytes, store, p);
    return true;
}

static uint32_t get(const struct v3d_machine *m, const struct place *p, bool *unsure)
{
    if (p->range->defined && (~p->range->defined[p->index] >> p->shift & p->mask))
        *unsure = true;
    const uint32_t word = p->range->word[p->index];
    return V3D_SEE(m, TMU_READ, word >> p->shift & p->mask, word, p->shift, p->mask);
}

/* `from`: the lanes that the word comes from; NULL: it is no copy. */
static void put(const struct v3d_machine *m, const struct place *p, uint32_t v, bool unsure,
                const struct v3d_lanes *from, unsigned lane)
{
    struct v3d_range *r = p->range;
    uint32_t mask = p->mask << p->shift, row = r->first_row + p->index / 16;
    if (r->before && !(r->touched[row / 64] >> (row % 64) & 1))
        memcpy(r->before + p->index / 16 * 16, r->word + p->index / 16 * 16, 64);
    const uint32_t word = r->word[p->index], moved = v << p->shift & mask;
    r->word[p->index] = V3D_SEE(m, TMU_WORD, (word & ~mask) | moved, word, moved, mask);
    if (r->touched)
        r->touched[row / 64] |= UINT64_C(1) << (row % 64);
    if (!r->defined)
        return;
    r->defined[p->index] = (r->defined[p->index] & ~mask) | (unsure ? 0 : mask);
    if (!r->tolerance)
        return;
    r->tolerance[p->index] = 0;
    if (unsure && from && p->mask == UINT32_MAX && (from->near >> lane & 1))
        r->tolerance[p->index] =
            v3d_sfu_tolerance(m->generation, v, from->absolute >> lane & 1, &r->defined[p->index]);
}

static uint32_t atomic(const struct v3d_machine *m, const struct access *a, uint32_t old, uint32_t x,
                       uint32_t y)
{
    uint32_t up = 32 - 8 * a->bytes; /* words of fewer bytes have their sign there */
    uint32_t left = old << up ^ 0x80000000, right = x << up ^ 0x80000000;
    const bool is_signed = !a->loads && (a->op == OP_SMIN || a->op == OP_SMAX);
    if (is_signed && m->observer) {
        left = V3D_SEE(m, TMU_KEY, left, old << up, 0, a->bytes, a->op);
        right = V3D_SEE(m, TMU_KEY, right, x << up, 1, a->bytes, a->op);
    }
    bool greater = left > right;
    if (is_signed)
        greater = V3D_SEE(m, TMU_GREATER, greater, old, x, a->bytes, a->op);
    if (a->loads)
        return a->op == OP_INCREMENT ? old + 1 : a->op == OP_DECREMENT ? old - 1 : ~old;
    switch (a->op) {
    case OP_ADD:
        return old + x;
    case OP_SUB:
        return old - x;
    case OP_EXCHANGE:
        return x;
    case OP_COMPARE:
        return old == x ? y : old;
    case OP_UMIN:
        return old < x ? old : x;
    case OP_UMAX:
        return old > x ? old : x;
    case OP_SMIN:
        return greater ? x : old;
    case OP_SMAX:
        return greater ? old : x;
    case OP_AND:
        return old & x;
    case OP_OR:
        return old | x;
    default:
        return old ^ x;
    }
}

/* Notes the access to a place for v3d_sharing.h. `v`: what a store puts there. */
static void note(const struct access *a, const struct place *p, uint32_t v)
{
    const struct v3d_range *r = p->range;
    bool exchanges = a->loads ? a->op == OP_NOT : a->op == OP_EXCHANGE || a->op == OP_COMPARE;
    if (!r->sharing)
        return;
    if (a->op == OP_REGULAR ? a->loads : exchanges)
        v3d_note_load(r->sharing, p->index);
    if (a->op != OP_REGULAR)
        v3d_note_store(r->sharing, p->index, false, exchanges ? 0 : 1 + a->op + 16 * a->loads);
    else if (!a->loads)
        v3d_note_store(r->sharing, p->index, (r->word[p->index] >> p->shift & p->mask) == (v & p->mask), 0);
}

/* Loads or stores a component byte by byte, because its address is no multiple of its size. */
static bool access_bytes(struct v3d_machine *m, const struct access *a, const struct v3d_tmu *u,
                         uint32_t address, unsigned n, unsigned lane, struct v3d_lanes result[4])
{
    uint32_t word = 0;
    bool unsure = !a->loads && (n < u->data_count ? u->data[n].unsure >> lane & 1 : a->lacks);
    for (unsigned b = 0; b < a->bytes; b++) {
        struct place p;
        uint32_t byte = (n < u->data_count ? u->data[n].value.lane[lane] : 0) >> (8 * b) & 0xFF;
        if (!find(m, address + b, 1, !a->loads, &p))
            return false;
        note(a, &p, byte);
        if (a->loads)
            word |= get(m, &p, &unsure) << (8 * b);
        else
            put(m, &p, byte, unsure, NULL, lane);
    }
    result[n].value.lane[lane] = extend(a->type, word);
    if (unsure)
        result[n].unsure |= (uint16_t)(1U << lane);
    return true;
}

/* Does a source say what an atomic operation of this type does? Mesa has unsigned types, and two words to
 * compare and exchange. */
static bool has_atomics(const struct access *a)
{
    return a->type >= TYPE_U8 || (a->type == TYPE_VEC2 && a->op == OP_COMPARE);
}

/* Does the access of one lane. Returns false if it leaves the ranges. */
static bool access_lane(struct v3d_machine *m, const struct access *a, const struct v3d_tmu *u,
                        uint32_t address, unsigned lane, struct v3d_lanes result[4])
{
    bool store = a->op != OP_REGULAR || !a->loads, is_atomic = a->op != OP_REGULAR;
    unsigned components = is_atomic ? 1 : a->components;
    for (unsigned n = 0; n < components; n++) {
        struct place p;
        bool unsure = is_atomic && !has_atomics(a);
        if (a->left_out[n] >> lane & 1)
            continue;
        uint32_t at = component_address(m, a, address, n, lane), off = at & (a->bytes - 1);
        if (off && v3d_consult(m, V3D_CLAUSE_MISALIGNED) == V3D_MISALIGNED_PRECISE && !is_atomic) {
            if (!access_bytes(m, a, u, at, n, lane, result))
                return false;
            continue;
        }
        const uint32_t start = V3D_SEE(m, TMU_PLACE, at - off, at, a->bytes, store) & ~(a->bytes - 1);
        if (!find(m, start, a->bytes, store, &p))
            return false;
        const uint32_t missing = a->lacks ? m->filler : 0;
        uint32_t x = n < u->data_count ? u->data[n].value.lane[lane] : missing;
        x &= p.mask;
        note(a, &p, x);
        uint32_t old = store && !is_atomic ? 0 : get(m, &p, &unsure);
        if (store) {
            const bool compares = a->op == OP_COMPARE && !a->loads, copies = !is_atomic && n < u->data_count;
            const bool second = compares && u->data_count > 1;
            uint32_t y = second ? u->data[1].value.lane[lane] : missing;
            bool lost = unsure || (a->lacks && (is_atomic || n >= u->data_count));
            lost = lost || (n < u->data_count && (u->data[n].unsure >> lane & 1));
            lost = lost || (second && old == x && (u->data[1].unsure >> lane & 1));
            uint32_t now = is_atomic ? atomic(m, a, old, x, y) : x;
            if (m->observer)
                now = V3D_SEE(m, TMU_STORED, now, p.range->word[p.index] >> p.shift & p.mask, x, y, start,
                              a->op, a->loads, a->bytes, n, lane,
                              u->data_count ? u->data[0].value.lane[lane] : 0, a->type);
            put(m, &p, now, lost, copies ? &u->data[n] : NULL, lane);
        }
        result[n].value.lane[lane] = extend(a->type, old);
        if (unsure || (is_atomic && m->unordered))
            result[n].unsure |= (uint16_t)(1U << lane);
    }
    return true;
}

/* Returns how many words of data an access with data takes. Says whether it lacks some, whatever a rule says.
 */
static unsigned data_of(const struct v3d_machine *m, const struct v3d_tmu *u, struct access *a)
{
    const unsigned words = a->op == OP_REGULAR ? a->components : a->op == OP_COMPARE ? 2 : 1;
    a->lacks = u->data_count < words && v3d_consult(m, V3D_CLAUSE_TMU_DATA) == READING_MANUAL;
    return V3D_SEE(m, TMU_TAKES, words, a->op, a->components, u->data_count);
}

/* Writes word `n` of those in a set as input; zeros if there is none. */
static void put_word(const struct v3d_tmu *u, uint32_t set, unsigned n, uint32_t input[V3D_LANES])
{
    memset(input, 0, V3D_LANES * sizeof *input);
    for (; set; set &= set - 1)
        if (n-- == 0) {
            memcpy(input, u->data[__builtin_ctz(set)].value.lane, V3D_LANES * sizeof *input);
            return;
        }
}

/* Passes operand `n` of an atomic operation. `u`: the words that were written. */
static void see_operand(const struct v3d_machine *m, const struct v3d_tmu *u, unsigned n, unsigned op,
                        struct v3d_lanes *operand)
{
    const uint32_t all = (1U << u->data_count) - 1, refs = u->of_tmudref & all, offs = u->of_tmuoff & all;
    const unsigned count = (unsigned)__builtin_popcount(refs);
    uint32_t input[3 * V3D_LANES + 2];
    if (!observer_wants(m->observer, V3D_POINT_TMU_OPERAND))
        return;
    put_word(u, all & ~(refs | offs), n, input);
    put_word(u, n < count ? refs : offs, n < count ? n : n - count, input + V3D_LANES);
    put_word(u, all, n, input + (size_t)2 * V3D_LANES);
    input[3 * V3D_LANES] = n;
    input[3 * V3D_LANES + 1] = op;
    observe_lanes(m->observer, V3D_POINT_TMU_OPERAND, operand->value.lane, input);
}

/* Puts the words of an atomic operation in the order in which they are its operands, and drops those that are
 * none. An operand that they leave out is 0. */
static void order_operands(const struct v3d_machine *m, struct v3d_tmu *u, const struct access *a)
{
    enum { NAMES = 3 };
    const unsigned reading = v3d_consult(m, V3D_CLAUSE_ATOMIC_OPERAND), needs = a->op == OP_COMPARE ? 2 : 1;
    const uint32_t all = (1U << u->data_count) - 1, named = u->of_tmudref | u->of_tmuoff;
    const uint32_t sets[][NAMES] = {[READING_MANUAL] = {all & ~named},
                                    [V3D_ATOMIC_OF_TMUDREF] = {u->of_tmudref & all, u->of_tmuoff & all},
                                    [V3D_ATOMIC_ONE_FIFO] = {all},
                                    [V3D_ATOMIC_BY_NAME] = {u->of_tmudref & all, all & ~named,
                                                            u->of_tmuoff & all}};
    struct v3d_lanes data[V3D_DATA_MAX];
    unsigned kept = 0;
    for (unsigned s = 0; s < NAMES; s++)
        for (unsigned n = 0; n < u->data_count; n++)
            if (sets[reading][s] >> n & 1)
                data[kept++] = u->data[n];
    memcpy(u->data, data, kept * sizeof *data);
    for (; kept < needs && !a->lacks; kept++)
        memset(&u->data[kept], 0, sizeof u->data[kept]);
    u->data_count = kept;
}

static void order_observed(const struct v3d_machine *m, struct v3d_tmu *u, const struct access *a)
{
    const struct v3d_tmu was = *u;
    const unsigned words = a->op == OP_COMPARE ? 2 : 1;
    order_operands(m, u, a);
    for (unsigned n = 0; n < u->data_count && n < words; n++)
        see_operand(m, &was, n, a->op, &u->data[n]);
}

/* Says what happens to data that are not as many as the access takes. False: no source says so. */
static bool count_data(const struct v3d_machine *m, const struct v3d_tmu *u, unsigned taken,
                       unsigned *surplus)
{
    unsigned reading = v3d_consult(m, V3D_CLAUSE_TMU_DATA);
    *surplus = reading == V3D_TMU_DATA_STAYS && u->data_count > taken ? u->data_count - taken : 0;
    return reading != READING_MANUAL || u->data_count < taken;
}

/* Ends an access: takes its data, `surplus` of which stay, and queues its results. */
static enum v3d_stop finish(const struct v3d_machine *m, struct v3d_tmu *u, const struct access *a,
                            unsigned surplus, const struct v3d_lanes result[4])
{
    unsigned count = a->op != OP_REGULAR ? 1 : a->loads ? a->components : 0, share = m->four_threads ? 4 : 8;
    const unsigned seen = V3D_SEE(m, TMU_RESULTS, count, a->op, a->loads, a->components);
    count = seen <= 4 ? seen : count;
    share = V3D_SEE(m, TMU_ROOM, share, m->four_threads, u->result_count, count);
    unsigned stay = surplus < u->data_count ? surplus : u->data_count;
    const unsigned waits = V3D_SEE(m, TMU_STAYS, stay, u->data_count, a->op);
    stay = waits <= u->data_count ? waits : stay;
    unsigned taken = u->data_count - stay;
    memmove(u->data, u->data + taken, stay * sizeof *u->data);
    u->of_tmudref = (uint16_t)(u->of_tmudref >> taken);
    u->of_tmuoff = (uint16_t)(u->of_tmuoff >> taken);
    u->data_count = stay;
    if (u->result_count + count > share && v3d_consult(m, V3D_CLAUSE_TMU_RESULTS) == READING_MANUAL)
        return V3D_FAULT_TMU;
    if (u->result_count + count > V3D_RESULTS_MAX)
        return V3D_HANG_TMU_FULL;
    for (unsigned n = 0; n < count; n++)
        u->result[(u->result_first + u->result_count++) % V3D_RESULTS_MAX] = result[n];
    return V3D_GO;
}

/* Does a lane store to the word or smaller place at an address? */
static bool stores_to(const struct v3d_machine *m, const struct access *a, uint32_t address, uint32_t place)
{
    bool any = false;
    for (unsigned n = 0; n < a->components; n++)
        any = any || !((place_of(m, address, 4 * n) ^ place) & ~(a->bytes - 1));
    return any;
}

/* Passes which lanes store each component. */
static void see_stores(const struct v3d_machine *m, struct access *a, const struct v3d_vector *address)
{
    for (unsigned n = 0; n < a->components; n++) {
        uint32_t input[3 * V3D_LANES + 1] = {0}, stores[V3D_LANES];
        for (unsigned lane = 0; lane < V3D_LANES; lane++) {
            stores[lane] = a->lanes >> lane & 1;
            if (!stores[lane])
                continue;
            const uint32_t place = input[lane] = place_of(m, address->lane[lane], 4 * n);
            for (unsigned i = 0; i < V3D_LANES; i++)
                if (i != lane && (a->lanes >> i & 1) && stores_to(m, a, address->lane[i], place))
                    input[(i > lane ? 2 * V3D_LANES : V3D_LANES) + lane]++;
        }
        input[3 * V3D_LANES] = n;
        observe_lanes(m->observer, V3D_POINT_TMU_STORES, stores, input);
        for (unsigned lane = 0; lane < V3D_LANES; lane++)
            a->left_out[n] |= (uint16_t)(!stores[lane] << lane);
    }
}

/* What an access does. */
enum kind { ACCESSES, DOES_NOTHING, IS_RESERVED };

static enum kind kind_of(const struct access *a)
{
    if (a->op > OP_XOR && a->op != OP_REGULAR)
        return IS_RESERVED;
    if (a->loads && a->op < OP_FLUSHES)
        return DOES_NOTHING; /* prefetches and flushes move nothing that a program can see */
    return a->loads && a->op < OP_INCREMENT ? IS_RESERVED : ACCESSES;
}

enum v3d_stop v3d_tmu_access(struct v3d_machine *m, struct v3d_thread *t, const struct v3d_lanes *address,
                             uint16_t lanes)
{
    struct v3d_tmu *u = &t->tmu;
    uint32_t config = V3D_SEE(m, TMU_CONFIG, u->config & 0xFF, u->data_count);
    struct access a = access_of(m, t, config, lanes);
    struct v3d_lanes result[4] = {0}, at = *address;
    V3D_SEE_LANES(m, TMU_ADDRESS, &at.value, config);
    u->config = V3D_SEE(m, TMU_CONFIG_AFTER, u->config >> 8 | 0xFF000000, u->config, a.op);
    const enum kind kind = (enum kind)V3D_SEE(m, TMU_KIND, kind_of(&a), a.op, a.loads, config);
    if (kind != ACCESSES)
        return kind == DOES_NOTHING ? V3D_GO : V3D_FAULT_RESERVED;
    if (m->checked && (address->unsure & a.lanes))
        return V3D_FAULT_UNDEFINED;
    unsigned surplus = 0;
    const unsigned takes = a.loads ? 0 : data_of(m, u, &a);
    if (!a.loads && u->data_count != takes && !count_data(m, u, takes, &surplus))
        return V3D_FAULT_TMU;
    if (a.op != OP_REGULAR && !a.loads)
        (m->observer ? order_observed : order_operands)(m, u, &a);
    for (unsigned n = 0; n < 4; n++)
        result[n].unsure = (uint16_t)~a.lanes;
    if (!a.loads && a.op == OP_REGULAR && observer_wants(m->observer, V3D_POINT_TMU_STORES))
        see_stores(m, &a, &at.value);
    bool descends =
        !a.loads && a.op == OP_REGULAR && v3d_consult(m, V3D_CLAUSE_STORE_CONFLICT) == V3D_STORE_LOWEST_LANE;
    for (unsigned n = 0; n < V3D_LANES; n++) {
        unsigned i = descends ? V3D_LANES - 1 - n : n;
        if ((a.lanes >> i & 1) && !access_lane(m, &a, u, at.value.lane[i], i, result))
            return V3D_FAULT_MEMORY;
    }
    for (unsigned n = 0; m->observer && n < 4; n++)
        V3D_SEE_LANES(m, TMU_LOADED, &result[n].value, config, n, a.type, a.op, a.lanes);
    return finish(m, u, &a, surplus, result);
}

enum v3d_stop v3d_tmu_push(struct v3d_tmu *u, const struct v3d_lanes *data, unsigned waddr)
{
    if (u->data_count == V3D_DATA_MAX)
        return V3D_HANG_TMU_FULL;
    const uint32_t bit = 1U << u->data_count;
    u->of_tmudref = (uint16_t)((u->of_tmudref & ~bit) | (waddr == V3D_W_TMUDREF ? bit : 0));
    u->of_tmuoff = (uint16_t)((u->of_tmuoff & ~bit) | (waddr == V3D_W_TMUOFF ? bit : 0));
    u->data[u->data_count++] = *data;
    return V3D_GO;
}

enum v3d_stop v3d_tmu_pop(const struct v3d_machine *m, struct v3d_tmu *u, struct v3d_lanes *to)
{
    if (!u->result_count)
        return V3D_HANG_TMU_LOAD;
    const uint32_t place = V3D_SEE(m, TMU_POPPED, 0, u->result_count);
    *to = u->result[(u->result_first + (place < u->result_count ? place : 0)) % V3D_RESULTS_MAX];
    u->result_first = (u->result_first + 1) % V3D_RESULTS_MAX;
    u->result_count--;
    return V3D_GO;
}
