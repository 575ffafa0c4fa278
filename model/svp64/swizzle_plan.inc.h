/* SPDX-License-Identifier: MIT */
/* A template (swizzle_run.inc.h): predicates, and the pairs of elements that a prefixed form moves. */

/* ---- predicates ---- */

enum { CR_FIRST = 4 }; /* CR predicates begin at CR field 4 (openpower-isa consts.py, SVP64CROffs) */

/* The predicate of one side (source or destination). */
struct predicate {
    bool source, always, zeroing, per_element;
    uint8_t form;       /* input `form` of points */
    const uint32_t *cr; /* the CR, if the predicate is in CR fields; else NULL */
    uint8_t cr_bit;
    bool inverted;
    uint8_t mask;       /* the mask field */
    uint64_t raw, bits; /* of the register, and of the predicate that is in it */
};

/* The value of a general register. */
static uint64_t gpr(const struct swizzle_machine *m, unsigned number)
{
    const uint32_t *word = m->gpr.value + (size_t)number * 2;
    return (uint64_t)word[1] << 32 | word[0];
}

/* Returns the content of the register that a predicate is in, after rules. */
static uint64_t observe_content(const struct swizzle_machine *m, const struct predicate *p, unsigned number,
                                uint64_t content)
{
    uint32_t low = (uint32_t)content, high = (uint32_t)(content >> 32),
             next = number + 1 < SVP64_REGISTERS ? (uint32_t)gpr(m, number + 1) : 0;
    uint64_t above = SWIZZLE_SEE(m, PREDICATE_CONTENT_HIGH, high, !p->source, p->mask, low, next);
    return above << 32 | SWIZZLE_SEE(m, PREDICATE_CONTENT_LOW, low, !p->source, p->mask, high);
}

/* Returns the bits of a register predicate after rules. `content`: the register's content. */
static uint64_t observe_bits(const struct swizzle_machine *m, bool source, unsigned mask, uint64_t content,
                             uint64_t bits)
{
    uint32_t low = (uint32_t)content, high = (uint32_t)(content >> 32);
    uint64_t above = SWIZZLE_SEE(m, PREDICATE_HIGH, (uint32_t)(bits >> 32), !source, mask, low, high);
    return above << 32 | SWIZZLE_SEE(m, PREDICATE_LOW, (uint32_t)bits, !source, mask, low, high);
}

/* Sets the predicate that is in a register. */
static void read_register(const struct swizzle_machine *m, bool source, struct predicate *p)
{
    /* by MASK; MASK 1 is 1<<r3, higher odd values invert the register */
    static const uint8_t registers[] = {0, 3, 3, 3, 10, 10, 30, 30};
    enum { AS_IT_STANDS, INVERTED, ONE_BIT };
    unsigned mask = p->mask, kind = mask == 1 ? ONE_BIT : mask & 1;
    unsigned n = SWIZZLE_SEE(m, PREDICATE_REGISTER, registers[mask], !source, mask) % SVP64_REGISTERS;
    p->raw = gpr(m, n);
    if (SWIZZLE_OBSERVER(m))
        p->raw = observe_content(m, p, n, p->raw);
    kind = SWIZZLE_SEE(m, PREDICATE_KIND, kind, !source, mask, p->form);
    if (kind >= ONE_BIT) {
        unsigned bit = p->raw & 63;
        bit = SWIZZLE_SEE(m, PREDICATE_SHIFT, bit, !source, mask, (uint32_t)p->raw, (uint32_t)(p->raw >> 32));
        p->bits = bit < 64 ? UINT64_C(1) << bit : 0;
    } else {
        p->bits = p->raw ^ (kind == INVERTED ? UINT64_MAX : 0);
    }
    if (SWIZZLE_OBSERVER(m))
        p->bits = observe_bits(m, source, mask, p->raw, p->bits);
}

static struct predicate predicate(const struct swizzle_machine *m, const struct swizzle_insn *i, bool source)
{
    unsigned mask = i->field[source ? SWIZZLE_MASK_SRC : SWIZZLE_MASK];
    bool in_cr = i->field[SWIZZLE_MASKMODE];
    struct predicate p = {.source = source,
                          .always = !in_cr && mask == 0,
                          .zeroing = i->field[SWIZZLE_MODE] & (source ? MODE_SZ : MODE_DZ),
                          .form = (uint8_t)swizzle_form(i),
                          .mask = (uint8_t)mask};
    p.always = SWIZZLE_SEE(m, PREDICATE_ALWAYS, p.always, !source, mask, in_cr, p.form);
    p.zeroing = SWIZZLE_SEE(m, PREDICATE_ZEROING, p.zeroing, !source, i->field[SWIZZLE_MODE],
                            swizzle_is_fp(i), p.form);
    if (p.always)
        return p;
    if (in_cr) {
        p.cr = m->cr;
        p.cr_bit = SWIZZLE_SEE(m, PREDICATE_CR_BIT, mask >> 1, !source, mask) & 3;
        p.inverted = SWIZZLE_SEE(m, PREDICATE_INVERTED, mask & 1, !source, mask);
    } else {
        read_register(m, source, &p);
    }
    return p;
}

/* Returns the bit of CR field n that the predicate is in, before it is inverted. */
static bool cr_bit_at(const struct swizzle_machine *m, const struct predicate *p, unsigned n)
{
    unsigned word = n / 8, place = n % 8 * 4 + p->cr_bit;
    word = SWIZZLE_SEE(m, PREDICATE_CR_WORD, word, !p->source, n) % SVP64_ROW_WORDS;
    place = SWIZZLE_SEE(m, PREDICATE_CR_PLACE, place, !p->source, n, p->cr_bit, n / 8, n % 8) & 31;
    return p->cr[word] >> place & 1;
}

/* Returns bit n of a register predicate, or the bit of CR field n. Bits beyond the register or the CR are 0.
 */
static bool bit_at(const struct swizzle_machine *m, const struct predicate *p, unsigned n)
{
    if (!p->cr)
        return n < 64 && p->bits >> n & 1;
    return n < SVP64_CR_FIELDS && cr_bit_at(m, p, n) != p->inverted;
}

/* Does the predicate let group (or element) `n` through? */
static bool lets_through(const struct swizzle_machine *m, const struct predicate *p, unsigned n)
{
    if (p->always)
        return true;
    unsigned at = p->cr ? n + CR_FIRST : n;
    return bit_at(m, p, SWIZZLE_SEE(m, PREDICATE_BIT, at, !p->source, n, p->cr != NULL, p->form));
}

static bool lets_group_through(const struct swizzle_machine *m, const struct predicate *p, unsigned number)
{
    bool through = p->per_element || lets_through(m, p, number);
    unsigned field = number + CR_FIRST,
             content = p->cr && field < SVP64_CR_FIELDS ? p->cr[field / 8] >> field % 8 * 4 & 15 : 0;
    bool raw = p->cr ? content >> p->cr_bit & 1 : number < 64 && p->raw >> number & 1;
    return SWIZZLE_SEE(m, PREDICATE_GROUP, through, !p->source, number, p->zeroing, p->always, p->form,
                       p->cr != NULL, content, p->mask, raw);
}

/* Returns the predicate's bit for an element, by which the predicate lets it through. Shows nothing. */
static bool input_bit(const struct predicate *p, unsigned element)
{
    unsigned field = element + CR_FIRST;
    if (!p->cr)
        return element < 64 && p->bits >> element & 1;
    return field < SVP64_CR_FIELDS && (p->cr[field / 8] >> (field % 8 * 4 + p->cr_bit) & 1) != p->inverted;
}

/* Does the predicate let an element through whose group it lets through? */
static bool lets_element_through(const struct swizzle_machine *m, const struct predicate *p, unsigned group,
                                 unsigned position, unsigned element)
{
    bool through = !p->per_element || lets_through(m, p, element);
    if (!SWIZZLE_WANTS(m, PREDICATE_ELEMENT))
        return through;
    bool bit = p->always || input_bit(p, element);
    return SWIZZLE_SEE(m, PREDICATE_ELEMENT, through, !p->source, group, position, p->zeroing, bit);
}

static bool swizzle_first_passes(const struct swizzle_machine *m, const struct swizzle_insn *i)
{
    struct predicate p = predicate(m, i, false);
    return lets_group_through(m, &p, 0);
}

/* ---- the loop over one side ---- */

/* The groups of one side that the loop visits. */
struct groups {
    unsigned count;
    uint8_t number[SWIZZLE_GROUPS_MAX];
    bool masked[SWIZZLE_GROUPS_MAX]; /* the zeroing predicate masks the group */
};

static void add_group(const struct swizzle_machine *m, const struct predicate *p, unsigned number,
                      struct groups *g)
{
    bool through = lets_group_through(m, p, number);
    if (!SWIZZLE_SEE(m, LOOP_VISITED, through || p->zeroing, !p->source, number, through, p->zeroing,
                     m->state.vl, m->state.vertical_first))
        return;
    g->number[g->count] = (uint8_t)number;
    g->masked[g->count++] = SWIZZLE_SEE(m, LOOP_MASKED, !through, !p->source, number, through, p->zeroing);
}

/* The loop over one side. */
struct walk {
    struct predicate predicate;
    struct groups groups;
    const struct swizzle_shape *shape;
    bool source, vector;
    bool reads;       /* the move reads from its elements; without rules the same as `source` */
    bool by_position; /* visits the first elements of all groups, then their second elements, ... */
    bool transposed;  /* element c of group i is at c * VL + i */
    bool visits_holes;
    unsigned positions; /* positions in each group */
    unsigned length;    /* elements from one group to the next */
    int only;           /* the only position to visit; -1: all */
    struct slot {       /* a position to visit in every group */
        uint8_t position, selector, place;
        bool hole, beyond;
    } slot[SWIZZLE_POSITIONS];
    unsigned slots;
};

/* Returns whether a loop goes over the source, after rules. */
static bool goes_over_source(const struct swizzle_machine *m, bool source)
{
    return !SWIZZLE_SEE(m, LOOP_OPERAND, !source, m->state.pack, m->state.unpack, m->state.vertical_first);
}

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
    w.vector = SWIZZLE_SEE(m, LOOP_VECTOR, w.vector, !source,
                           i->field[source ? SWIZZLE_EXTRA_SRC : SWIZZLE_EXTRA_DST]);
    unsigned step = source ? m->state.srcstep : m->state.dststep;
    w.predicate.per_element =
        !w.predicate.always && swizzle_reading(m, SWIZ_PRED_BITS, source ? 0 : 1) == PRED_PER_ELEMENT;
    bool only_first = !w.vector && !source; /* a scalar destination takes the first group only */
    unsigned end = SWIZZLE_SEE(m, LOOP_GROUPS, m->state.vl, !source, m->state.vl, w.vector,
                               m->state.vertical_first, step);
    end = end < SWIZZLE_GROUPS_MAX ? end : SWIZZLE_GROUPS_MAX;
    only_first = SWIZZLE_SEE(m, LOOP_ONLY_FIRST, only_first, !source, w.vector, m->state.vertical_first);
    if (m->state.vertical_first && step < end)
        add_group(m, &w.predicate, step, &w.groups);
    for (unsigned n = 0; n < end && !m->state.vertical_first && !(w.groups.count && only_first); n++)
        add_group(m, &w.predicate, n, &w.groups);
    return w;
}

static bool is_packed(const struct swizzle_machine *m, const struct walk *w)
{
    return w->source ? m->state.pack : m->state.unpack;
}

static bool is_hole(const struct swizzle_machine *m, const struct walk *w, unsigned position)
{
    unsigned selector = w->shape->selector[position];
    bool end = w->source ? position >= w->shape->end : w->visits_holes && selector == SELECT_END;
    return SWIZZLE_SEE(m, SLOT_HOLE, selector == SELECT_SKIP || end, !w->source, position, selector,
                       w->shape->end, m->state.pack || m->state.unpack, m->state.pack, m->state.unpack,
                       m->state.vertical_first);
}

static bool is_visited(const struct swizzle_machine *m, const struct walk *w, unsigned position, bool hole)
{
    bool visited = (!hole || w->visits_holes) && (w->only < 0 || (unsigned)w->only == position);
    return SWIZZLE_SEE(m, SLOT_VISITED, visited, !w->source, position, w->shape->selector[position],
                       w->shape->end, m->state.pack || m->state.unpack, hole, m->state.pack, m->state.unpack,
                       m->state.vertical_first);
}

static unsigned element_of(const struct swizzle_machine *m, const struct walk *w, unsigned group,
                           unsigned position)
{
    unsigned n = w->vector ? w->groups.number[group] : 0,
             element = w->transposed ? position * m->state.vl + n : n * w->length + position;
    if (!SWIZZLE_OBSERVER(m))
        return element;
    element = SWIZZLE_SEE(m, VISIT_ELEMENT, element, !w->source, n, position, w->length, m->state.vl,
                          is_packed(m, w), w->vector, w->groups.number[group]);
    if (!w->reads)
        return element % (SWIZZLE_MOVES_ROWS * SVP64_ROW_WORDS);
    return element < SVP64_FILE_BYTES ? element : SVP64_FILE_BYTES; /* this one is beyond the file */
}

/* Returns the place within its group of the source element that a selector names. */
static unsigned place_of(const struct swizzle_machine *m, unsigned selector)
{
    return selector - (swizzle_reading(m, SWIZ_MINUS_3, 0) == MINUS_4 ? SELECT_X : SELECT_X - 1);
}

static void find_slots(const struct swizzle_machine *m, struct walk *w)
{
    w->slots = 0;
    for (unsigned p = 0; p < w->positions; p++) {
        struct slot *to = &w->slot[w->slots];
        bool hole = is_hole(m, w, p);
        if (!is_visited(m, w, p, hole))
            continue;
        *to = (struct slot){.position = (uint8_t)p,
                            .place = (uint8_t)p,
                            .selector = w->shape->selector[p],
                            .hole = hole};
        if (w->source && !hole && to->selector >= SELECT_X && w->groups.count) {
            to->place = (uint8_t)place_of(m, to->selector);
            to->place = (uint8_t)SWIZZLE_SEE(m, SLOT_PLACE, to->place, to->selector, p, w->shape->source);
            to->beyond = to->place >= w->shape->source;
        }
        w->slots++;
    }
}

static void visit(const struct swizzle_machine *m, const struct walk *w, unsigned group, const struct slot *p,
                  struct swizzle_visits *v)
{
    bool masked = w->groups.masked[group];
    unsigned number = w->groups.number[group];
    if (!lets_element_through(m, &w->predicate, number, p->position, number * w->length + p->position)) {
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

/* Does the same as the loops of walk, and shows each step to the observer. */
static void walk_observed(const struct swizzle_machine *m, const struct walk *w, struct swizzle_visits *v)
{
    unsigned groups = w->groups.count, slots = w->slots;
    for (unsigned n = 0; n < groups * slots; n++) {
        unsigned g = w->by_position ? n % groups : n / slots, p = w->by_position ? n / groups : n % slots;
        g = SWIZZLE_SEE(m, LOOP_STEP, g, !w->source, n, groups, slots, is_packed(m, w));
        p = SWIZZLE_SEE(m, LOOP_SUBSTEP, p, !w->source, n, groups, slots, is_packed(m, w));
        if (g < groups && p < slots)
            visit(m, w, g, &w->slot[p], v);
    }
}

static void walk(const struct swizzle_machine *m, struct walk *w, struct swizzle_visits *v)
{
    v->count = 0;
    find_slots(m, w);
    if (SWIZZLE_WANTS(m, LOOP_STEP) || SWIZZLE_WANTS(m, LOOP_SUBSTEP))
        walk_observed(m, w, v);
    else if (w->by_position)
        for (unsigned p = 0; p < w->slots; p++)
            for (unsigned g = 0; g < w->groups.count; g++)
                visit(m, w, g, &w->slot[p], v);
    else
        for (unsigned g = 0; g < w->groups.count; g++)
            for (unsigned p = 0; p < w->slots; p++)
                visit(m, w, g, &w->slot[p], v);
}

/* Shows the order of a walk, and stores what rules make of it. `holes`: are there skips or end markers? */
static void observe_order(const struct swizzle_machine *m, bool holes, struct walk *w)
{
    const struct svstate *s = &m->state;
    unsigned imm = 0;
    for (unsigned p = 0; p < SWIZZLE_POSITIONS; p++)
        imm = imm << 3 | (w->shape->selector[p] & 7);
    unsigned all = SWIZZLE_POSITIONS, only = w->only < 0 ? all : (unsigned)w->only;
    w->by_position = SWIZZLE_SEE(m, LOOP_BY_POSITION, w->by_position, !w->source, s->pack, s->unpack,
                                 s->vertical_first, is_packed(m, w));
    w->visits_holes = SWIZZLE_SEE(m, LOOP_HOLES, w->visits_holes, !w->source, s->pack, s->unpack,
                                  s->vertical_first, holes, w->shape->end, imm);
    only = SWIZZLE_SEE(m, LOOP_ONLY, only, !w->source, s->pack, s->unpack, s->vertical_first,
                       w->source ? s->ssubstep : s->dsubstep);
    w->only = only < all ? (int)only : -1;
}

static bool has_holes(const struct swizzle_shape *s)
{
    bool holes = false;
    for (unsigned p = 0; p < SWIZZLE_POSITIONS; p++)
        holes |= s->selector[p] <= SELECT_END;
    return holes;
}

/* Sets the order in which the walks visit elements under Pack and Unpack. */
static void set_order(const struct swizzle_machine *m, const struct swizzle_shape *s, struct walk *source,
                      struct walk *destination)
{
    bool pack = m->state.pack, unpack = m->state.unpack, holes = has_holes(s);
    if (!pack && !unpack)
        return;
    unsigned reading = swizzle_reading(m, SWIZ_PACK_INDEX, pack && unpack ? 2 : unpack ? 1 : 0);
    source->by_position = pack && reading == PACK_STEP;
    destination->by_position = unpack && reading == PACK_STEP;
    source->transposed = pack && reading == PACK_ADDR;
    destination->transposed = unpack && reading == PACK_ADDR;
    if (holes)
        source->visits_holes = destination->visits_holes =
            swizzle_reading(m, SWIZ_PACK_SKIP, 0) != PACK_FILTERS;
    if (m->state.vertical_first && pack && unpack) {
        source->only = m->state.ssubstep;
        destination->only = m->state.dsubstep;
    }
}

/* ---- pairs of source and destination ---- */

/* Returns how many elements one execution moves in Vertical-First mode. */
static unsigned vertical_count(const struct swizzle_machine *m, const struct swizzle_shape *s,
                               unsigned active)
{
    if (m->state.pack && m->state.unpack)
        return 1;
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

static unsigned vertical_runs(const struct swizzle_machine *m, const struct swizzle_shape *s)
{
    unsigned active = 0;
    for (unsigned p = 0; p < s->end; p++)
        active += s->selector[p] != SELECT_SKIP;
    unsigned count = vertical_count(m, s, active);
    return SWIZZLE_SEE(m, VERTICAL_COUNT, count < 7 ? count : 7, active, s->source, s->stride, m->state.pack,
                       m->state.unpack);
}

/* Shows what an element receives at its point, and changes the action to what rules make of it. False if the
 * element receives nothing. */
static bool observe_received(const struct swizzle_machine *m, const struct swizzle_visit *s,
                             const struct swizzle_visit *d, struct swizzle_action *a)
{
    static const uint8_t kinds[] = {[MOVE_ZERO] = ACT_ZERO, [MOVE_ONE] = ACT_ONE, [MOVE_MASKED] = ACT_MASKED};
    static const uint16_t moves[] = {
        [ACT_ZERO] = MOVE_ZERO, [ACT_ONE] = MOVE_ONE, [ACT_MASKED] = MOVE_MASKED};
    unsigned before = a->kind < ACT_COPY ? moves[a->kind] : (unsigned)MOVE_COPY + a->from,
             after = SWIZZLE_SEE(m, MOVE_RECEIVED, before, d->element, d->position, s->selector, s->beyond,
                                 s->masked, d->masked, m->is_fp, m->form, s->selector);
    if (after == before)
        return true;
    if (after >= MOVE_COPY) {
        a->kind = ACT_COPY;
        a->from = (uint16_t)(after - MOVE_COPY);
    } else if (after != MOVE_NONE && after <= MOVE_MASKED) {
        a->kind = kinds[after];
    } else {
        return false;
    }
    return true;
}

/* `visit`: number of the visit. */
static void add_action(struct swizzle_machine *m, unsigned visit, const struct swizzle_visit *s,
                       const struct swizzle_visit *d)
{
    struct swizzle_action *a = &m->action[m->action_count];
    if (!SWIZZLE_SEE(m, PAIR_MOVED, !s->hole && !d->hole, m->action_count, s->hole, d->hole, s->selector,
                     s->position, d->position, m->state.pack || m->state.unpack, visit))
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
    if (a->kind == ACT_COPY && !SWIZZLE_SEE(m, MOVE_READ, 1, a->to, a->from, d->position, s->selector,
                                            s->beyond, m->is_fp, m->state.pack || m->state.unpack))
        a->kind = ACT_UNREAD;
    m->action_count += !SWIZZLE_WANTS(m, MOVE_RECEIVED) || observe_received(m, s, d, a);
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

/* Returns a number that orders visits by group and position, on both sides alike. */
static unsigned order_of(const struct swizzle_visit *v)
{
    return (unsigned)v->group << 2 | v->position;
}

/* Pairs visits under all readings of swiz-zip, and shows to the observer which side advances. Rules may
 * change that. An element moves when both advance. */
static void pair_observed(struct swizzle_machine *m, bool by_position, unsigned most)
{
    const struct swizzle_visits *s = &m->source, *d = &m->destination;
    for (unsigned a = 0, b = 0; a < s->count && b < d->count && most;) {
        unsigned here = order_of(&s->at[a]), there = order_of(&d->at[b]);
        bool source = !by_position || here <= there, destination = !by_position || there <= here;
        source = SWIZZLE_SEE(m, PAIR_SOURCE_STEP, source, here, there, m->state.pack || m->state.unpack);
        destination =
            SWIZZLE_SEE(m, PAIR_DESTINATION_STEP, destination, here, there, m->state.pack || m->state.unpack);
        if (!source && !destination)
            return;
        if (source && destination) {
            add_action(m, a, &s->at[a], &d->at[b]);
            most--;
        }
        a += source;
        b += destination;
    }
}

static void pair_by_position(struct swizzle_machine *m, unsigned most)
{
    const struct swizzle_visits *s = &m->source, *d = &m->destination;
    for (unsigned a = 0, b = 0; a < s->count && b < d->count && most;) {
        unsigned here = order_of(&s->at[a]), there = order_of(&d->at[b]);
        if (here == there) {
            add_action(m, a, &s->at[a], &d->at[b]);
            most--;
        }
        a += here <= there;
        b += there <= here;
    }
}

static enum swizzle_stop pair(struct swizzle_machine *m, bool may_differ, unsigned most)
{
    bool ordinary = !m->state.pack && !m->state.unpack;
    const struct swizzle_visits *s = &m->source, *d = &m->destination;
    unsigned reading = READING_MANUAL;
    if (ordinary && !in_step(s, d))
        reading = swizzle_reading(m, SWIZ_ZIP, s->count > d->count);
    bool error = reading == ZIP_ERROR && !may_differ && s->count != d->count;
    enum swizzle_stop stop = SWIZZLE_SEE_STOP(m, PLAN_STOP, error ? SWIZZLE_STOP_LENGTHS : SWIZZLE_GO,
                                              s->count, d->count, ordinary && !may_differ);
    if (stop)
        return stop;
    if (SWIZZLE_WANTS(m, PAIR_SOURCE_STEP) || SWIZZLE_WANTS(m, PAIR_DESTINATION_STEP)) {
        pair_observed(m, reading == ZIP_BY_POSITION, most);
        return SWIZZLE_GO;
    }
    if (reading == ZIP_BY_POSITION) {
        pair_by_position(m, most);
        return SWIZZLE_GO;
    }
    for (unsigned k = 0; k < s->count && k < d->count && k < most; k++)
        add_action(m, k, &s->at[k], &d->at[k]);
    return SWIZZLE_GO;
}

static bool is_cleared(const struct swizzle_machine *m, const struct walk *w, unsigned group,
                       unsigned position)
{
    bool cleared = swizzle_reading(m, SWIZ_ZEROING_DST, 0) == ZEROING_DST_WHOLE;
    return SWIZZLE_SEE(m, SKIPPED_CLEARED, cleared, w->groups.number[group], position);
}

/* Clears the skipped positions of masked destination groups that the loop reached, if swiz-zeroing-dst says
 * so. */
static void clear_skipped(struct swizzle_machine *m, const struct walk *w)
{
    bool done[SWIZZLE_GROUPS_MAX] = {false};
    if (!w->predicate.zeroing || w->predicate.always)
        return;
    for (unsigned k = 0; k < m->destination.count && k < m->source.count; k++) {
        unsigned group = m->destination.at[k].group;
        if (done[group] || !w->groups.masked[group])
            continue;
        done[group] = true;
        for (unsigned p = 0; p < w->positions; p++)
            if (w->shape->selector[p] == SELECT_SKIP && is_cleared(m, w, group, p) &&
                m->action_count < SWIZZLE_ELEMENTS_MAX)
                m->action[m->action_count++] =
                    (struct swizzle_action){.to = (uint16_t)element_of(m, w, group, p), .kind = ACT_MASKED};
    }
}

static enum swizzle_stop swizzle_plan(struct swizzle_machine *m, const struct swizzle_insn *i,
                                      const struct swizzle_shape *s)
{
    m->is_fp = swizzle_is_fp(i);
    m->form = (uint8_t)swizzle_form(i);
    struct walk source = walk_of(m, i, s, goes_over_source(m, true)),
                destination = walk_of(m, i, s, goes_over_source(m, false));
    source.reads = true;
    set_order(m, s, &source, &destination);
    if (SWIZZLE_OBSERVER(m)) {
        observe_order(m, has_holes(s), &source);
        observe_order(m, has_holes(s), &destination);
    }
    walk(m, &source, &m->source);
    walk(m, &destination, &m->destination);
    m->action_count = 0;
    bool may_differ = !source.predicate.always || !destination.predicate.always || !destination.vector;
    enum swizzle_stop stop =
        pair(m, may_differ, m->state.vertical_first ? vertical_runs(m, s) : SWIZZLE_ELEMENTS_MAX);
    clear_skipped(m, &destination);
    return stop;
}
