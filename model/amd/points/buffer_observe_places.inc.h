/* SPDX-License-Identifier: MIT */
/* Template: places and addresses of all lanes for observed runs, with a point after each step.
 * buffer_address.inc.h includes this file. Its own functions compute the same places for runs without an
 * observer. */

/* One byte of a unit, in all lanes. */
struct placed {
    unsigned unit, byte;
    const uint32_t *offset; /* one for each lane */
    uint64_t place[AMD_LANES], address[AMD_LANES];
};

#define PLACE_VECTORS AMD_LANES_OF(l->index, b->offset)
#define PLACE_INPUTS  b->unit, p->swizzled, p->stride
#define OFFSET_INPUTS                                                                                        \
    b->unit, b->byte, p->swizzled, p->element_size, p->align_down ? p->align : 1, p->unit_bytes, w->generation

#define PARTS_INPUTS w->generation, b->unit, p->element_size, p->index_stride, p->stride

/* How a swizzle divides index and offset, as rules left it. */
static struct swizzle observed_swizzle(const struct amd_wave *w, const struct buffer_plan *p,
                                       const struct placed *b)
{
    struct swizzle s = swizzle_of(p);
    if (!p->swizzled)
        return s;
    s.element_mask = AMD_OBSERVE(SWIZZLE_ELEMENT_MASK, s.element_mask, PARTS_INPUTS);
    s.index_mask = AMD_OBSERVE(SWIZZLE_INDEX_MASK, s.index_mask, PARTS_INPUTS);
    s.element_log = AMD_OBSERVE(SWIZZLE_ELEMENT_SHIFT, s.element_log, PARTS_INPUTS);
    s.index_log = AMD_OBSERVE(SWIZZLE_INDEX_SHIFT, s.index_log, PARTS_INPUTS);
    return s;
}

/* Adds the parts of a swizzled place that are no product with the stride. */
static void observe_rest(const struct amd_wave *w, const struct buffer_plan *p, const struct placed *b,
                         struct swizzle s, const uint32_t *member, const uint32_t *element,
                         const uint32_t *within, uint64_t *rest)
{
    uint32_t elements[AMD_LANES], members[AMD_LANES];
    uint64_t above[AMD_LANES]; /* rules can make shifts that leave 32 bits */
    for (unsigned n = 0; n < AMD_LANES; n++) {
        const uint64_t e = (uint64_t)element[n] << s.index_log, m = (uint64_t)member[n] << s.element_log;
        elements[n] = (uint32_t)e;
        members[n] = (uint32_t)m;
        above[n] = (e >> 32 << 32) + (m >> 32 << 32);
    }
    AMD_OBSERVE_LANES(SWIZZLE_ELEMENT_BYTES, elements, AMD_LANES_OF(element), b->unit, p->element_size,
                      p->index_stride, w->generation);
    AMD_OBSERVE_LANES(SWIZZLE_MEMBER_BYTES, members, AMD_LANES_OF(member), b->unit, p->element_size,
                      p->index_stride, w->generation);
    for (unsigned n = 0; n < AMD_LANES; n++)
        rest[n] = above[n] + elements[n] + members[n] + within[n];
}

/* Computes a place in two parts: the product with the stride, and the rest. Passes the parts of a swizzle and
 * the product through their points. */
static void observe_parts(const struct amd_wave *w, const struct buffer_plan *p, const struct buffer_lanes *l,
                          const struct placed *b, const uint32_t *offset, uint64_t *product, uint64_t *rest)
{
    struct swizzle s = observed_swizzle(w, p, b);
    uint32_t index[AMD_LANES], group[AMD_LANES], member[AMD_LANES], element[AMD_LANES], within[AMD_LANES];
    memcpy(index, l->index, sizeof index);
    AMD_OBSERVE_LANES(PLACE_INDEX, index, AMD_LANES_OF(b->offset), PLACE_INPUTS, w->generation, index[0]);
    for (unsigned n = 0; n < AMD_LANES; n++) {
        struct swizzle_parts t = split(s, index[n], offset[n]);
        group[n] = t.group;
        member[n] = t.member;
        element[n] = t.element;
        within[n] = t.within;
    }
    if (p->swizzled) {
        AMD_OBSERVE_LANES(SWIZZLE_GROUP, group, PLACE_VECTORS, PLACE_INPUTS);
        AMD_OBSERVE_LANES(SWIZZLE_MEMBER, member, PLACE_VECTORS, PLACE_INPUTS);
        AMD_OBSERVE_LANES(SWIZZLE_ELEMENT, element, PLACE_VECTORS, PLACE_INPUTS);
        AMD_OBSERVE_LANES(SWIZZLE_WITHIN, within, PLACE_VECTORS, PLACE_INPUTS);
    }
    for (unsigned n = 0; n < AMD_LANES; n++) {
        product[n] = product_of(s, p->swizzled, index[n], group[n]);
        rest[n] = offset[n];
    }
    if (p->swizzled)
        observe_rest(w, p, b, s, member, element, within, rest);
    if (p->swizzled)
        AMD_OBSERVE_WIDE(REST_LOW, rest, AMD_LANES_OF(member, element, within), b->unit, p->element_size,
                         p->index_stride);
    AMD_OBSERVE_WIDE(PRODUCT_LOW, product, PLACE_VECTORS, PLACE_INPUTS, w->generation, p->element_size,
                     p->index_stride);
}

/* Under the profile's readings, does the buffer swizzle each byte of the lane's units by itself? */
static bool separate_bytes(const struct amd_wave *w, const struct buffer_plan *p, const struct placed *b,
                           unsigned lane)
{
    bool smaller = p->per_unit && p->element_size < p->unit_bytes;
    return smaller ||
           (unaligned(p, b->offset[lane]) && READING(SWIZZLE_UNALIGNED) == AMD_UNALIGNED_BYTE_EXACT);
}

static void observe_place(const struct amd_wave *w, const struct buffer_plan *p, const struct buffer_lanes *l,
                          struct placed *b)
{
    uint32_t offset[AMD_LANES], step[AMD_LANES], beyond[AMD_LANES],
        swizzled_part = p->per_unit ? 4 * b->unit : 0;
    uint64_t product[AMD_LANES], rest[AMD_LANES];
    for (unsigned n = 0; n < AMD_LANES; n++) {
        uint32_t byte = b->byte && separate_bytes(w, p, b, n) ? b->byte : 0;
        uint64_t sum = (uint64_t)(b->offset[n] + p->swizzled_soffset) + swizzled_part + byte;
        offset[n] = (uint32_t)sum;
        beyond[n] = (uint32_t)(sum >> 32);
        step[n] = 4 * b->unit - swizzled_part + b->byte - byte;
    }
    AMD_OBSERVE_LANES(PLACE_OFFSET, offset, PLACE_VECTORS, OFFSET_INPUTS, offset[0]);
    AMD_OBSERVE_LANES(PLACE_STEP, step, PLACE_VECTORS, OFFSET_INPUTS, step[0]);
    observe_parts(w, p, l, b, offset, product, rest);
    for (unsigned n = 0; n < AMD_LANES; n++) {
        uint64_t place = product[n] + rest[n];
        if (beyond[n] && READING(SWIZZLED_OFFSET_WRAP))
            place += UINT64_C(1) << 32 << swizzle_of(p).index_log;
        b->place[n] = place >> 32 ? narrow(w, product[n], place) : place;
    }
    AMD_OBSERVE_WIDE(PLACE_LOW, b->place, PLACE_VECTORS, PLACE_INPUTS, p->element_size, p->index_stride,
                     w->generation, (uint32_t)b->place[0]);
    for (unsigned n = 0; n < AMD_LANES; n++)
        b->place[n] += (uint64_t)(int64_t)(int32_t)step[n];
}

static void observe_address(const struct amd_wave *w, const struct buffer_plan *p, struct placed *b)
{
    uint32_t place[AMD_LANES], high[AMD_LANES];
    for (unsigned n = 0; n < AMD_LANES; n++) {
        uint64_t sum = p->base + p->soffset + b->place[n];
        place[n] = (uint32_t)b->place[n];
        high[n] = (uint32_t)(sum >> 32);
        b->address[n] = amd_address(w, sum);
    }
    AMD_OBSERVE_WIDE(ADDRESS_LOW, b->address, AMD_LANES_OF(place, high), (uint32_t)p->base,
                     (uint32_t)(p->base >> 32), p->soffset, b->unit, w->generation, (uint32_t)b->address[0]);
    for (unsigned n = 0; n < AMD_LANES; n++)
        b->address[n] &= UINT64_MAX >> 2; /* check_presence needs addresses below 2^63 */
}

/* Computes the addresses of all units from the lanes' offsets. The bytes of a unit can be at separate
 * addresses if an element is smaller than a unit, or if an offset is not aligned. In these cases the function
 * computes the address of each byte. */
static void observe_units(const struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l,
                          const uint32_t *offset)
{
    uint32_t any = p->swizzled_soffset, bytes;
    for (unsigned n = 0; n < AMD_LANES; n++)
        any |= offset[n];
    bytes = p->swizzled && (p->element_size < p->unit_bytes || (!p->align_down && any % 4 != 0))
                ? p->unit_bytes
                : 1;
    l->apart = 0;
    for (unsigned k = 0; k < p->units; k++)
        for (unsigned byte = 0; byte < bytes; byte++) {
            struct placed b = {.unit = k, .byte = byte, .offset = offset};
            observe_place(w, p, l, &b);
            observe_address(w, p, &b);
            memcpy(l->byte[byte][k], b.address, sizeof b.address);
            for (unsigned n = 0; n < AMD_LANES; n++)
                l->apart |= (uint64_t)(b.address[n] != amd_address(w, l->byte[0][k][n] + byte)) << n;
            if (!byte) {
                memcpy(l->unit_place[k], b.place, sizeof b.place);
                memcpy(l->address[k], b.address, sizeof b.address);
            }
        }
}

static void observe_places(const struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l)
{
    observe_units(w, p, l, l->offset);
    memcpy(l->place, l->unit_place[0], sizeof l->place);
}

/* Computes the addresses again if a reading clears low bits of the offset. Such a reading moves the address,
 * but not the place that the range check compares. */
static void observe_moved_places(const struct amd_wave *w, const struct buffer_plan *p,
                                 struct buffer_lanes *l)
{
    uint32_t offset[AMD_LANES];
    bool moved = false;
    for (unsigned n = 0; n < AMD_LANES; n++) {
        uint32_t align = p->align_down && p->mask_offset ? p->align : 1;
        if (unaligned(p, l->offset[n]) && READING(SWIZZLE_UNALIGNED) == AMD_UNALIGNED_DWORD)
            align = p->unit_bytes;
        offset[n] = l->offset[n] - l->offset[n] % align;
        moved = moved || offset[n] != l->offset[n];
    }
    if (moved)
        observe_units(w, p, l, offset);
    l->any_in_pieces = l->apart != 0;
}
