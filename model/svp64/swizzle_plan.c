/* SPDX-License-Identifier: MIT */
#include "model/svp64/swizzle_plan.h"

/* ---- predicates ---- */

enum { CR_FIRST = 4 }; /* CR predicates begin at CR field 4 (openpower-isa consts.py, SVP64CROffs) */

/* One side's predicate. */
struct predicate {
    bool always, zeroing, per_element;
    const uint32_t *cr; /* predicate from CR fields; else NULL */
    uint8_t cr_bit;
    bool inverted;
    uint64_t bits; /* predicate from a register */
};

/* The value of a general register. */
static uint64_t gpr(const struct swizzle_machine *m, unsigned number)
{
    const uint32_t *word = m->gpr.value + (size_t)number * 2;
    return (uint64_t)word[1] << 32 | word[0];
}

static struct predicate predicate(const struct swizzle_machine *m, const struct swizzle_insn *i, bool source)
{
    /* by MASK; 1 is 1<<r3, higher odd numbers are inverted */
    static const uint8_t registers[] = {0, 3, 3, 3, 10, 10, 30, 30};
    unsigned mask = i->field[source ? SWIZZLE_MASK_SRC : SWIZZLE_MASK];
    struct predicate p = {.zeroing = i->field[SWIZZLE_MODE] & (source ? MODE_SZ : MODE_DZ)};
    if (i->field[SWIZZLE_MASKMODE]) {
        p.cr = m->cr;
        p.cr_bit = (uint8_t)(mask >> 1);
        p.inverted = mask & 1;
    } else if (mask == 0)
        p.always = true;
    else if (mask == 1)
        p.bits = UINT64_C(1) << (gpr(m, 3) & 63);
    else
        p.bits = gpr(m, registers[mask]) ^ (mask & 1 ? UINT64_MAX : 0);
    return p;
}

/* Bits beyond a register or the CR are 0. */
static bool lets_through(const struct predicate *p, unsigned n)
{
    if (p->always)
        return true;
    if (!p->cr)
        return n < 64 && p->bits >> n & 1;
    n += CR_FIRST;
    return n < SVP64_CR_FIELDS && (p->cr[n / 8] >> (n % 8 * 4 + p->cr_bit) & 1) != p->inverted;
}

bool swizzle_first_passes(const struct swizzle_machine *m, const struct swizzle_insn *i)
{
    struct predicate p = predicate(m, i, false);
    return lets_through(&p, 0);
}

/* ---- the loop over one side ---- */

/* The groups of one side that the loop visits. */
struct groups {
    unsigned count;
    uint8_t number[SVP64_VL_MAX];
    bool masked[SVP64_VL_MAX]; /* zeroed */
};

static void add_group(const struct predicate *p, unsigned number, struct groups *g)
{
    bool through = p->per_element || lets_through(p, number);
    if (!through && !p->zeroing)
        return;
    g->number[g->count] = (uint8_t)number;
    g->masked[g->count++] = !through;
}

/* The loop over one side. */
struct walk {
    struct predicate predicate;
    struct groups groups;
    const struct swizzle_shape *shape;
    bool source, vector;
    bool by_position; /* visits all groups' first elements, then their second, ... */
    bool transposed;  /* element c of group i is at c * VL + i */
    bool visits_holes;
    unsigned positions; /* positions in each group */
    unsigned length;    /* elements from group to group */
    int only;           /* visits this position only; -1: all */
    struct slot {       /* a visited position, the same in every group */
        uint8_t position, selector, place;
        bool hole, beyond;
    } slot[SWIZZLE_POSITIONS];
    unsigned slots;
};

static struct walk walk_of(const struct swizzle_machine *m, const struct swizzle_insn *i,
                           const struct swizzle_shape *s, bool source)
{
    struct walk w = {.predicate = predicate(m, i, source),
                     .shape = s,
                     .source = source,
                     .vector =
                         i->field[source ? SWIZZLE_EXTRA_SRC : SWIZZLE_EXTRA_DST] & SWIZZLE_EXTRA_VECTOR,
                     .positions = source ? s->to_source : s->to_dest,
                     .length = source ? s->source : s->stride,
                     .only = -1};
    unsigned step = source ? m->state.srcstep : m->state.dststep;
    w.predicate.per_element =
        !w.predicate.always && swizzle_reading(m, SWIZ_PRED_BITS, source ? 0 : 1) == PRED_PER_ELEMENT;
    bool only_first = !w.vector && !source; /* a scalar destination takes the first group only */
    if (m->state.vertical_first && step < m->state.vl)
        add_group(&w.predicate, step, &w.groups);
    for (unsigned n = 0; n < m->state.vl && !m->state.vertical_first && !(w.groups.count && only_first); n++)
        add_group(&w.predicate, n, &w.groups);
    return w;
}

static bool is_hole(const struct walk *w, unsigned position)
{
    if (w->shape->selector[position] == SELECT_SKIP)
        return true;
    return w->source ? position >= w->shape->end
                     : w->visits_holes && w->shape->selector[position] == SELECT_END;
}

static unsigned element_of(const struct swizzle_machine *m, const struct walk *w, unsigned group,
                           unsigned position)
{
    unsigned n = w->vector ? w->groups.number[group] : 0;
    return w->transposed ? position * m->state.vl + n : n * w->length + position;
}

/* The place in its group of the source element that a selector names. */
static unsigned place_of(const struct swizzle_machine *m, unsigned selector)
{
    return selector - (swizzle_reading(m, SWIZ_MINUS_3, 0) == MINUS_4 ? SELECT_X : SELECT_X - 1);
}

static void find_slots(const struct swizzle_machine *m, struct walk *w)
{
    w->slots = 0;
    for (unsigned p = 0; p < w->positions; p++) {
        struct slot *to = &w->slot[w->slots];
        bool hole = is_hole(w, p);
        if ((hole && !w->visits_holes) || (w->only >= 0 && (unsigned)w->only != p))
            continue;
        *to = (struct slot){.position = (uint8_t)p,
                            .place = (uint8_t)p,
                            .selector = w->shape->selector[p],
                            .hole = hole};
        if (w->source && !hole && to->selector >= SELECT_X && w->groups.count) {
            to->place = (uint8_t)place_of(m, to->selector);
            to->beyond = to->place >= w->shape->source;
        }
        w->slots++;
    }
}

static void visit(const struct swizzle_machine *m, const struct walk *w, unsigned group, const struct slot *p,
                  struct swizzle_visits *v)
{
    bool masked = w->groups.masked[group];
    if (w->predicate.per_element &&
        !lets_through(&w->predicate, w->groups.number[group] * w->length + p->position)) {
        if (!w->predicate.zeroing)
            return;
        masked = true;
    }
    v->at[v->count++] = (struct swizzle_visit){.group = (uint8_t)group,
                                               .position = p->position,
                                               .selector = p->selector,
                                               .element = (uint16_t)element_of(m, w, group, p->place),
                                               .hole = p->hole,
                                               .masked = masked,
                                               .beyond = p->beyond};
}

static void walk(const struct swizzle_machine *m, struct walk *w, struct swizzle_visits *v)
{
    v->count = 0;
    find_slots(m, w);
    if (w->by_position)
        for (unsigned p = 0; p < w->slots; p++)
            for (unsigned g = 0; g < w->groups.count; g++)
                visit(m, w, g, &w->slot[p], v);
    else
        for (unsigned g = 0; g < w->groups.count; g++)
            for (unsigned p = 0; p < w->slots; p++)
                visit(m, w, g, &w->slot[p], v);
}

/* Applies Pack and Unpack. */
static void set_order(const struct swizzle_machine *m, const struct swizzle_shape *s, struct walk *source,
                      struct walk *destination)
{
    bool pack = m->state.pack, unpack = m->state.unpack, holes = false;
    if (!pack && !unpack)
        return;
    unsigned reading = swizzle_reading(m, SWIZ_PACK_INDEX, pack && unpack ? 2 : unpack ? 1 : 0);
    source->by_position = pack && reading == PACK_STEP;
    destination->by_position = unpack && reading == PACK_STEP;
    source->transposed = pack && reading == PACK_ADDR;
    destination->transposed = unpack && reading == PACK_ADDR;
    for (unsigned p = 0; p < SWIZZLE_POSITIONS; p++)
        holes |= s->selector[p] <= SELECT_END;
    if (holes)
        source->visits_holes = destination->visits_holes =
            swizzle_reading(m, SWIZ_PACK_SKIP, 0) != PACK_FILTERS;
    if (m->state.vertical_first && pack && unpack) {
        source->only = m->state.ssubstep;
        destination->only = m->state.dsubstep;
    }
}

/* ---- pairs of source and destination ---- */

/* How many elements one execution moves in Vertical-First mode. */
static unsigned vertical_runs(const struct swizzle_machine *m, const struct swizzle_shape *s)
{
    unsigned active = 0;
    if (m->state.pack && m->state.unpack)
        return 1;
    for (unsigned p = 0; p < s->end; p++)
        active += s->selector[p] != SELECT_SKIP;
    if (!m->state.unpack) {
        if (swizzle_reading(m, SWIZ_VF_CODE, m->state.pack) == VF_ACTIVE)
            return active;
        return m->state.pack ? s->stride : s->source;
    }
    switch (swizzle_reading(m, SWIZ_VF_UNPACK, 0)) {
    case VF_UNPACK_DESTINATION:
        return s->stride;
    case VF_UNPACK_ACTIVE:
        return active;
    default:
        return s->source;
    }
}

static void add_action(struct swizzle_machine *m, const struct swizzle_visit *s,
                       const struct swizzle_visit *d)
{
    struct swizzle_action *a = &m->action[m->action_count];
    if (s->hole || d->hole)
        return;
    *a = (struct swizzle_action){.to = d->element, .from = s->element, .kind = ACT_COPY};
    if (d->masked) {
        a->kind = ACT_MASKED;
    } else if (s->selector >= SELECT_X) {
        unsigned reading = s->beyond && !s->masked ? swizzle_reading(m, SWIZ_NN_RANGE, 0) : READING_MANUAL;
        a->kind = s->masked                 ? ACT_MASKED
                  : reading == NN_ZERO      ? ACT_ZERO
                  : reading == NN_UNDEFINED ? ACT_UNDEFINED
                                            : ACT_COPY;
    } else if (s->masked && swizzle_reading(m, SWIZ_ZEROING_SRC, 0) == ZEROING_SRC_CONSTANTS) {
        a->kind = ACT_MASKED;
    } else {
        bool carried = swizzle_reading(m, SWIZ_CONST_LOST, 0) == CONST_CARRIED;
        a->kind = carried && s->selector == SELECT_ZERO ? ACT_ZERO : ACT_ONE;
    }
    m->action_count++;
}

/* Do both sides visit the same positions of their groups, in the same order? */
static bool in_step(const struct swizzle_visits *s, const struct swizzle_visits *d)
{
    if (s->count != d->count)
        return false;
    for (unsigned k = 0; k < s->count; k++)
        if (s->at[k].group != d->at[k].group || s->at[k].position != d->at[k].position)
            return false;
    return true;
}

/* Orders visits; comparable between the two sides. */
static unsigned order_of(const struct swizzle_visit *v)
{
    return (unsigned)v->group << 2 | v->position;
}

static void pair_by_position(struct swizzle_machine *m, unsigned most)
{
    const struct swizzle_visits *s = &m->source, *d = &m->destination;
    for (unsigned a = 0, b = 0; a < s->count && b < d->count && most;) {
        unsigned here = order_of(&s->at[a]), there = order_of(&d->at[b]);
        if (here == there) {
            add_action(m, &s->at[a], &d->at[b]);
            most--;
        }
        a += here <= there;
        b += there <= here;
    }
}

static enum swizzle_stop pair(struct swizzle_machine *m, bool may_differ, unsigned most)
{
    const struct swizzle_visits *s = &m->source, *d = &m->destination;
    unsigned reading = READING_MANUAL;
    if (!m->state.pack && !m->state.unpack && !in_step(s, d))
        reading = swizzle_reading(m, SWIZ_ZIP, s->count > d->count);
    if (reading == ZIP_ERROR && !may_differ && s->count != d->count)
        return SWIZZLE_STOP_LENGTHS;
    if (reading == ZIP_BY_POSITION) {
        pair_by_position(m, most);
        return SWIZZLE_GO;
    }
    for (unsigned k = 0; k < s->count && k < d->count && k < most; k++)
        add_action(m, &s->at[k], &d->at[k]);
    return SWIZZLE_GO;
}

/* Clears the skipped positions of masked destination groups that were reached, if the clause says so. */
static void clear_skipped(struct swizzle_machine *m, const struct walk *w)
{
    bool done[SVP64_VL_MAX] = {false};
    if (!w->predicate.zeroing || w->predicate.always)
        return;
    for (unsigned k = 0; k < m->destination.count && k < m->source.count; k++) {
        unsigned group = m->destination.at[k].group;
        if (done[group] || !w->groups.masked[group])
            continue;
        done[group] = true;
        for (unsigned p = 0; p < w->positions; p++)
            if (w->shape->selector[p] == SELECT_SKIP &&
                swizzle_reading(m, SWIZ_ZEROING_DST, 0) == ZEROING_DST_WHOLE)
                m->action[m->action_count++] =
                    (struct swizzle_action){.to = (uint16_t)element_of(m, w, group, p), .kind = ACT_MASKED};
    }
}

enum swizzle_stop swizzle_plan(struct swizzle_machine *m, const struct swizzle_insn *i,
                               const struct swizzle_shape *s)
{
    struct walk source = walk_of(m, i, s, true), destination = walk_of(m, i, s, false);
    set_order(m, s, &source, &destination);
    walk(m, &source, &m->source);
    walk(m, &destination, &m->destination);
    m->action_count = 0;
    bool may_differ = !source.predicate.always || !destination.predicate.always || !destination.vector;
    enum swizzle_stop stop =
        pair(m, may_differ, m->state.vertical_first ? vertical_runs(m, s) : SWIZZLE_ELEMENTS_MAX);
    clear_skipped(m, &destination);
    return stop;
}
