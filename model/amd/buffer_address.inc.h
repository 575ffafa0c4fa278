/* SPDX-License-Identifier: MIT */
/* Template: addresses and range checks of all lanes ("RDNA3" guide 9.4.2, table 46). Included by
 * buffer_kernels.inc.h. */
/* ---- operands ---- */

static enum amd_stop read_address_register(const struct amd_wave *w, uint32_t number, uint32_t *to)
{
    if (number >= w->vgprs) {
        for (unsigned i = 0; i < AMD_LANES; i++)
            to[i] = w->filler;
        return w->checked && w->exec ? AMD_STOP_UNDEFINED : AMD_GO;
    }
    memcpy(to, amd_row(&w->vgpr, number), AMD_LANES * sizeof *to);
    const uint32_t *defined = amd_row_defined(&w->vgpr, number);
    for (unsigned i = 0; w->checked && i < w->lanes; i++)
        if ((w->exec >> i & 1) && defined[i] != UINT32_MAX)
            return AMD_STOP_UNDEFINED;
    return AMD_GO;
}

static enum amd_stop find_operands(const struct amd_wave *w, const struct buffer_plan *p,
                                   struct buffer_lanes *l)
{
    const struct amd_insn *i = p->insn;
    enum amd_stop stop = AMD_GO;
    bool no_registers = p->op->kind == AMD_STORE_LDS;
    memset(l->index, 0, sizeof l->index);
    memset(l->offset, 0, sizeof l->offset);
    uint32_t index = i->vaddr, offset = i->vaddr + i->idxen;
    if (BUFFER_OBSERVED && i->idxen && !no_registers)
        index = AMD_OBSERVE(INDEX_VGPR, index, w->generation, i->vaddr, i->idxen, i->offen);
    if (BUFFER_OBSERVED && i->offen && !no_registers)
        offset = AMD_OBSERVE(OFFSET_VGPR, offset, w->generation, i->vaddr, i->idxen, i->offen);
    if (i->idxen && !no_registers)
        stop = read_address_register(w, index, l->index);
    if (i->offen && !no_registers && !stop)
        stop = read_address_register(w, offset, l->offset);
    for (unsigned n = 0; n < AMD_LANES; n++) {
        l->index[n] += n * p->lane_index;
        l->offset[n] += p->offset;
    }
    if (BUFFER_OBSERVED)
        buffer_observe_operands(w, p, l);
    return stop;
}

/* ---- places ---- */

/* A swizzle as masks and shifts. Loops use this copy, because the compiler cannot know that their stores
 * leave the plan unchanged. */
struct swizzle {
    uint32_t stride, element_mask, index_mask, element_log, index_log;
};

static inline struct swizzle swizzle_of(const struct buffer_plan *p)
{
    return (struct swizzle){p->stride, p->element_size - 1, p->index_stride - 1,
                            (uint32_t)__builtin_ctz(p->element_size),
                            (uint32_t)__builtin_ctz(p->index_stride)};
}

/* The parts that a swizzle makes of an index and an offset. */
struct swizzle_parts {
    uint32_t group, member;   /* of the index */
    uint32_t element, within; /* of the offset: its element's first byte, and the byte in the element */
};

static inline struct swizzle_parts split(struct swizzle s, uint32_t index, uint32_t offset)
{
    return (struct swizzle_parts){index >> s.index_log, index & s.index_mask, offset & ~s.element_mask,
                                  offset & s.element_mask};
}

static inline uint64_t join(struct swizzle s, struct swizzle_parts p)
{
    uint64_t group = (uint64_t)p.group * s.stride + p.element;
    return (group << s.index_log) + ((uint64_t)p.member << s.element_log) + p.within;
}

static inline uint64_t swizzled(struct swizzle s, uint32_t index, uint32_t offset)
{
    return join(s, split(s, index, offset));
}

/* The part of a place that is a product with the stride. */
static inline uint64_t product_of(struct swizzle s, bool swizzled, uint32_t index, uint32_t group)
{
    return swizzled ? (uint64_t)group * s.stride << s.index_log : (uint64_t)index * s.stride;
}

/* Applies clause buffer-offset-width to a place beyond 32 bits, and to the product in it. */
static uint64_t narrow(const struct amd_wave *w, uint64_t product, uint64_t place)
{
    switch (READING(BUFFER_OFFSET_WIDTH)) {
    case AMD_WIDTH_ALL_32:
        return (uint32_t)place;
    case AMD_WIDTH_PRODUCT_32:
        return place - product + (uint32_t)product;
    default:
        return place;
    }
}

/* Returns the place of the byte that is `more` bytes beyond an offset. If their sum has more than 32 bits,
 * clause swizzled-offset-wrap decides whether the sum wraps or the byte lies in the elements that follow. */
static uint64_t place_of(const struct amd_wave *w, const struct buffer_plan *p, uint32_t index,
                         uint32_t offset, uint32_t more)
{
    const uint64_t wrapped = UINT64_C(1) << 32; /* a multiple of every element's size */
    uint64_t sum = (uint64_t)(offset + p->swizzled_soffset) + more;
    struct swizzle s = swizzle_of(p);
    offset = (uint32_t)sum;
    uint64_t place = p->swizzled ? swizzled(s, index, offset) : (uint64_t)index * p->stride + offset;
    if (sum >> 32 && READING(SWIZZLED_OFFSET_WRAP))
        place += wrapped << s.index_log;
    uint64_t product = product_of(s, p->swizzled, index, index >> s.index_log);
    return place >> 32 ? narrow(w, product, place) : place;
}

/* Sets the place of each lane's first byte. */
static void find_places(const struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l)
{
    uint64_t any = 0;
    uint32_t add = p->swizzled_soffset, stride = p->stride;
    struct swizzle s = swizzle_of(p);
    if (p->swizzled)
        for (unsigned n = 0; n < AMD_LANES; n++)
            any |= l->place[n] = swizzled(s, l->index[n], l->offset[n] + add);
    else
        for (unsigned n = 0; n < AMD_LANES; n++)
            any |= l->place[n] = (uint64_t)l->index[n] * stride + l->offset[n];
    for (unsigned n = 0; n < AMD_LANES && any >> 32; n++)
        if (l->place[n] >> 32)
            l->place[n] =
                narrow(w, product_of(s, p->swizzled, l->index[n], l->index[n] >> s.index_log), l->place[n]);
}

/* BASE + SOFFSET + place, within the 48 bits of an address. */
static uint64_t address_of(const struct amd_wave *w, const struct buffer_plan *p, uint64_t place)
{
    return amd_address(w, p->base + p->soffset + place);
}

/* ---- swizzled units in pieces ---- */

/* Is a swizzled offset no multiple of the unit, or of the element if that is smaller? Clause
 * swizzle-unaligned then decides where the bytes are. */
static bool unaligned(const struct buffer_plan *p, uint32_t offset)
{
    uint32_t step = p->element_size < p->unit_bytes ? p->element_size : p->unit_bytes;
    return p->swizzled && !p->align_down && ((offset + p->swizzled_soffset) & (step - 1)) != 0;
}

/* Are the bytes of the lane's units at separate addresses? */
static bool in_pieces(const struct amd_wave *w, const struct buffer_plan *p, const struct buffer_lanes *l,
                      unsigned lane)
{
    if (!l->any_in_pieces)
        return false;
    if (BUFFER_OBSERVED && l->observed)
        return l->apart >> lane & 1;
    bool smaller = p->per_unit && p->element_size < p->unit_bytes;
    return smaller ||
           (unaligned(p, l->offset[lane]) && READING(SWIZZLE_UNALIGNED) == AMD_UNALIGNED_BYTE_EXACT);
}

static uint64_t byte_address(const struct amd_wave *w, const struct buffer_plan *p,
                             const struct buffer_lanes *l, unsigned lane, unsigned unit, unsigned byte)
{
    if (!in_pieces(w, p, l, lane))
        return amd_address(w, l->address[unit][lane] + byte);
    if (BUFFER_OBSERVED && l->observed)
        return l->byte[byte][unit][lane];
    uint32_t more = (p->per_unit ? 4 * unit : 0) + byte;
    return address_of(w, p,
                      place_of(w, p, l->index[lane], l->offset[lane], more) + (p->per_unit ? 0 : 4 * unit));
}

/* ---- units ---- */

static void find_addresses(const struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l)
{
    uint64_t origin = p->base + p->soffset, any = 0;
    for (unsigned k = 0; k < p->units; k++)
        for (unsigned n = 0; n < AMD_LANES; n++) {
            uint64_t place =
                k && p->per_unit ? place_of(w, p, l->index[n], l->offset[n], 4 * k) : l->place[n] + 4 * k;
            any |= l->address[k][n] = origin + place;
        }
    for (unsigned k = 0; k < p->units && any >> 48; k++)
        for (unsigned n = 0; n < AMD_LANES; n++)
            l->address[k][n] = amd_address(w, l->address[k][n]);
}

/* Applies clause swizzle-unaligned: clears the low bits of offsets, or notes that the bytes of a unit may be
 * at separate addresses. */
static void place_unaligned(const struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l)
{
    uint32_t any = p->swizzled_soffset;
    for (unsigned n = 0; n < AMD_LANES; n++)
        any |= l->offset[n];
    l->any_in_pieces = (p->per_unit && p->element_size < p->unit_bytes) || any % 4 != 0;
    for (unsigned n = 0; n < AMD_LANES && any % 4 != 0; n++) {
        if (!unaligned(p, l->offset[n]) || READING(SWIZZLE_UNALIGNED) != AMD_UNALIGNED_DWORD)
            continue;
        uint32_t offset = l->offset[n] & ~(p->unit_bytes - 1);
        for (unsigned k = 0; k < p->units; k++) {
            uint64_t place = place_of(w, p, l->index[n], offset, p->per_unit ? 4 * k : 0);
            l->address[k][n] = address_of(w, p, place + (p->per_unit ? 0 : 4 * k));
        }
    }
}

/* Computes the sum that the range check compares, for the first unit of each lane. */
static void measure(const struct buffer_plan *p, const struct buffer_lanes *l, uint64_t *sum)
{
    uint32_t stride = p->range.measure == BUFFER_INDEX_AND_OFFSET ? p->range_stride : 0,
             align = p->check_aligned ? p->align : 1;
    if (p->range.measure == BUFFER_SWIZZLED_OFFSET)
        for (unsigned n = 0; n < AMD_LANES; n++)
            sum[n] = l->place[n] + p->range.add;
    else
        for (unsigned n = 0; n < AMD_LANES; n++)
            sum[n] = (l->offset[n] & ~(align - 1)) + (uint64_t)l->index[n] * stride + p->range.add;
}

/* Decides whether a sum or an index is past its limit. The limit is at most 2^62 and the sum below 2^63, so
 * bit 63 of their difference shows it. A comparison would be slower, because not every host can compare
 * 64-bit numbers in vectors. */
static void check_unit(const struct buffer_range *r, const uint64_t *sum, const uint32_t *index,
                       uint64_t more, bool wraps, uint32_t *decision)
{
    const uint64_t no_limit = UINT64_C(1) << 62;
    uint64_t limit = r->limit < no_limit ? r->limit : no_limit,
             last_index = (r->index_limit < no_limit ? r->index_limit : no_limit) - 1;
    uint64_t mask = wraps ? UINT32_MAX : UINT64_MAX;
    for (unsigned n = 0; n < AMD_LANES; n++)
        decision[n] =
            AMD_DONE + (uint32_t)(((limit - ((sum[n] + more) & mask)) | (last_index - index[n])) >> 63);
}
_Static_assert(AMD_OUT_OF_RANGE == AMD_DONE + 1, "check_unit adds a truth value");

static void decide_all(const struct buffer_plan *p, struct buffer_lanes *l, enum amd_decision d)
{
    for (unsigned k = 0; k < p->units; k++)
        for (unsigned n = 0; n < AMD_LANES; n++)
            l->decision[k][n] = d;
}

static void check_range(const struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l)
{
    struct buffer_range r = p->range;
    uint64_t sum[AMD_LANES] = {0}, any = 0;
    uint32_t index[AMD_LANES];
    if (r.none_valid || (!r.measure && r.index_limit == UINT64_MAX)) {
        decide_all(p, l, r.none_valid ? AMD_OUT_OF_RANGE : AMD_DONE);
        return;
    }
    if (r.measure) {
        measure(p, l, sum);
        for (unsigned n = 0; n < AMD_LANES; n++)
            any |= sum[n] + r.payload + 4 * AMD_UNITS;
    } else {
        r.limit = UINT64_MAX;
        r.payload = 0;
    }
    for (unsigned n = 0; n < AMD_LANES; n++)
        index[n] = l->index[n] - n * r.without_lane;
    bool wraps = any >> 32 && READING(RANGE_CHECK_WRAP),
         swizzled = r.measure == BUFFER_SWIZZLED_OFFSET && p->per_unit;
    for (unsigned k = 0; k < p->units; k++) {
        for (unsigned n = 0; n < AMD_LANES && k && swizzled; n++)
            sum[n] = r.add + place_of(w, p, l->index[n], l->offset[n], 4 * k);
        if (k && r.one_check)
            memcpy(l->decision[k], l->decision[0], sizeof l->decision[0]);
        else
            check_unit(&r, sum, index, (swizzled ? 0 : 4 * k) + r.payload, wraps, l->decision[k]);
    }
}

#include "model/amd/points/buffer_observe_checks.inc.h"

/* ---- alignment ---- */

/* Clause atomic-component-align: is a part of an atomic's address misaligned? */
static bool part_misaligned(const struct amd_wave *w, const struct buffer_plan *p, uint32_t offset)
{
    uint64_t parts = p->base | p->soffset | offset;
    return p->atomic && (parts & (p->align - 1)) && READING(ATOMIC_COMPONENT_ALIGN);
}

/* Clears the low bits of a lane's address or, with `mask_offset`, of its offset before BASE and SOFFSET are
 * added. */
static void align_address(const struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l,
                          unsigned n)
{
    uint32_t offset = l->offset[n] - l->offset[n] % p->align;
    uint64_t step = l->address[0][n] % p->align;
    for (unsigned k = 0; k < p->units; k++)
        if (p->mask_offset) {
            uint64_t place = place_of(w, p, l->index[n], offset, p->per_unit ? 4 * k : 0);
            l->address[k][n] = address_of(w, p, place + (p->per_unit ? 0 : 4 * k));
        } else {
            l->address[k][n] -= step; /* back over 0, if the 48 bits have wrapped before this dword */
            l->address[k][n] += l->address[k][n] >> 63 ? UINT64_C(1) << 48 : 0;
        }
}

/* Is a lane's address misaligned? */
static inline bool misaligned(const struct buffer_plan *p, uint64_t address)
{
    uint32_t low = p->align - 1;
    return p->align & low ? address % p->align != 0 : (address & low) != 0;
}

static void check_alignment(const struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l)
{
    uint64_t any = p->base | p->soffset;
    for (unsigned n = 0; n < AMD_LANES; n++)
        any |= l->address[0][n] | l->offset[n];
    if (!(p->align & (p->align - 1)) && (any % 16 == 0 || (p->align <= 4 && any % 4 == 0)))
        return;
    for (unsigned n = 0; n < AMD_LANES; n++) {
        bool bad = misaligned(p, l->address[0][n]), parts = part_misaligned(w, p, l->offset[n]);
        bool moved = BUFFER_OBSERVED && l->observed && p->mask_offset; /* by observe_moved_places */
        if (p->align_down && !moved && (p->mask_offset ? l->offset[n] % p->align != 0 : bad))
            align_address(w, p, l, n);
        if ((bad && p->violates) || parts)
            for (unsigned k = 0; k < p->units; k++)
                l->decision[k][n] = l->decision[k][n] == AMD_DONE ? AMD_VIOLATION : l->decision[k][n];
    }
}

/* check_alignment for runs that observe it. */
static void observe_alignment(const struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l)
{
    uint32_t good[AMD_LANES], address[AMD_LANES], step[AMD_LANES], before[AMD_LANES];
    if (!amd_watches_any(w, AMD_POINT_ALIGN_GOOD, AMD_POINT_ALIGN_STEP)) {
        if (p->align > 1)
            check_alignment(w, p, l);
        return;
    }
    for (unsigned n = 0; n < AMD_LANES; n++) {
        address[n] = (uint32_t)l->address[0][n];
        bool parts = part_misaligned(w, p, l->offset[n]);
        good[n] = !parts && !(p->violates && misaligned(p, l->address[0][n]));
        step[n] = p->align_down ? (uint32_t)(l->address[0][n] % p->align) : 0;
        before[n] = step[n];
    }
    AMD_OBSERVE_LANES(ALIGN_GOOD, good, AMD_LANES_OF(l->offset, address), (uint32_t)p->base, p->soffset,
                      p->align, w->alignment, p->atomic, w->generation, good[0]);
    if (!p->mask_offset)
        AMD_OBSERVE_LANES(ALIGN_STEP, step, AMD_LANES_OF(l->offset, address), p->align, w->alignment,
                          w->generation, p->align_down);
    for (unsigned n = 0; n < AMD_LANES; n++) {
        bool moved = l->observed && p->mask_offset; /* by observe_moved_places */
        if (p->align_down && !moved)
            align_address(w, p, l, n);
        for (unsigned k = 0; k < p->units && step[n] != before[n]; k++)
            l->address[k][n] = amd_address(w, (l->address[k][n] + before[n] - step[n]) & UINT64_MAX >> 2);
        for (unsigned k = 0; k < p->units && !good[n]; k++)
            l->decision[k][n] = l->decision[k][n] == AMD_DONE ? AMD_VIOLATION : l->decision[k][n];
    }
}

/* Notes the units that are aligned dwords moved by all lanes: the common case, which has a fast path. */
static void note_plain(const struct buffer_plan *p, struct buffer_lanes *l)
{
    l->plain = 0;
    for (unsigned k = 0; k < p->units && p->unit_bytes == 4 && !l->any_in_pieces; k++) {
        uint64_t low = 0;
        uint32_t other = 0;
        for (unsigned n = 0; n < AMD_LANES; n++) {
            low |= l->address[k][n];
            other |= l->decision[k][n] ^ AMD_DONE;
        }
        l->plain |= (low % 4 == 0 && !other ? 1U : 0U) << k;
    }
}

/* Decides which lanes are inactive, and which units are outside the case's memory. */
static void check_presence(const struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l)
{
    uint64_t most = AMD_MEMORY_BYTES - p->unit_bytes, exec = w->exec;
    unsigned units = p->units;
    for (unsigned k = 0; k < units; k++) {
        uint64_t beyond = 0;
        for (unsigned n = 0; n < AMD_LANES; n++)
            beyond |= most - l->address[k][n]; /* bit 63: the address is larger; all are below 2^63 */
        for (unsigned n = 0; n < AMD_LANES && beyond >> 63; n++)
            l->decision[k][n] += ((l->address[k][n] > most) & (l->decision[k][n] == AMD_DONE))
                                     ? AMD_NOT_RESIDENT - AMD_DONE
                                     : 0;
    }
    for (unsigned k = 0; k < units && exec != UINT64_MAX; k++)
        if (exec == UINT32_MAX) /* a wave32 */
            memset(l->decision[k] + 32, 0, 32 * sizeof l->decision[k][0]);
        else
            for (unsigned n = 0; n < AMD_LANES; n++)
                l->decision[k][n] &= 0U - (uint32_t)(exec >> n & 1);
    note_plain(p, l);
}
_Static_assert(AMD_INACTIVE == 0, "check_presence clears decisions");

#include "model/amd/points/buffer_observe_places.inc.h"

static void resolve(const struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l)
{
    bool observed = BUFFER_OBSERVED && amd_watches_places(w);
    l->observed = observed;
    if (observed) {
        observe_places(w, p, l);
    } else {
        find_places(w, p, l);
        find_addresses(w, p, l);
    }
    if (BUFFER_OBSERVED && (observed || amd_watches_checks(w)))
        observe_checks(w, p, l);
    else
        check_range(w, p, l);
    l->any_in_pieces = false;
    if (observed)
        observe_moved_places(w, p, l);
    else if (p->swizzled)
        place_unaligned(w, p, l);
    if (BUFFER_OBSERVED) {
        observe_alignment(w, p, l);
    } else {
        if (p->align > 1)
            check_alignment(w, p, l);
    }
    check_presence(w, p, l);
    if (BUFFER_OBSERVED && amd_watches(w, AMD_POINT_LANE_DECISION)) {
        observe_decisions(w, p, l);
        note_plain(p, l);
    }
}
