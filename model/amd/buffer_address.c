/* SPDX-License-Identifier: MIT */
/*
 * Addresses and range checks of all lanes ("RDNA3" guide 9.4.2, 9.4.3). What the lanes share was decided before; the loops here have no
 * choice in them but the swizzle. Measured with tests/bench_amd_address.c's loop: see `misprint bench amd-address`.
 */
#include "model/amd/buffer.h"

#define READING(clause) amd_reading(w, AMD_CLAUSE_##clause, 0)

static const uint64_t address_mask = (UINT64_C(1) << 48) - 1;

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

enum amd_stop buffer_operands(const struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l)
{
    const struct amd_insn *i = p->insn;
    enum amd_stop stop = AMD_GO;
    bool no_registers = p->op->kind == AMD_STORE_LDS;
    memset(l->index, 0, sizeof l->index);
    memset(l->offset, 0, sizeof l->offset);
    if (i->idxen && !no_registers)
        stop = read_address_register(w, i->vaddr, l->index);
    if (i->offen && !no_registers && !stop)
        stop = read_address_register(w, i->vaddr + i->idxen, l->offset);
    for (unsigned n = 0; n < AMD_LANES; n++) {
        l->index[n] += n * p->lane_index;
        l->offset[n] += p->offset;
    }
    return stop;
}

/* ---- places ---- */

static inline uint64_t swizzle(const struct buffer_plan *p, uint32_t index, uint32_t offset)
{
    /* All sizes are powers of two, but for shifts a compiler would have to know it; es and is are 2..64. */
    uint32_t es_log = (uint32_t)__builtin_ctz(p->element_size), is_log = (uint32_t)__builtin_ctz(p->index_stride);
    uint64_t index_high = index >> is_log, index_low = index & (p->index_stride - 1);
    uint64_t offset_high = offset & ~(p->element_size - 1), offset_low = offset & (p->element_size - 1);
    return ((index_high * p->stride + offset_high) << is_log) + (index_low << es_log) + offset_low;
}

static uint64_t narrow(const struct amd_wave *w, const struct buffer_plan *p, uint32_t index, uint32_t offset, uint64_t place)
{
    switch (READING(BUFFER_OFFSET_WIDTH)) {
    case AMD_WIDTH_ALL_32:
        return (uint32_t)place;
    case AMD_WIDTH_PRODUCT_32:
        if (p->swizzled) {
            uint32_t group = (index / p->index_stride) * p->stride * p->index_stride;
            return place - (uint64_t)(index / p->index_stride) * p->stride * p->index_stride + group;
        }
        return (uint64_t)offset + (uint32_t)(index * p->stride);
    default:
        return place;
    }
}

static uint64_t place_of(const struct amd_wave *w, const struct buffer_plan *p, uint32_t index, uint32_t offset)
{
    offset += p->swizzled_soffset;
    uint64_t place = p->swizzled ? swizzle(p, index, offset) : (uint64_t)index * p->stride + offset;
    return place >> 32 ? narrow(w, p, index, offset, place) : place;
}

/* The first byte of each lane. Returns all places or'ed, to see whether any passes 32 bits. */
static void find_places(const struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l)
{
    uint64_t any = 0, high = 0;
    for (unsigned n = 0; n < AMD_LANES; n++) {
        uint32_t offset = l->offset[n] + p->swizzled_soffset;
        l->place[n] = p->swizzled ? swizzle(p, l->index[n], offset) : (uint64_t)l->index[n] * p->stride + offset;
        any |= l->place[n];
    }
    high = any >> 32;
    if (!high)
        return;
    for (unsigned n = 0; n < AMD_LANES; n++)
        if (l->place[n] >> 32)
            l->place[n] = narrow(w, p, l->index[n], l->offset[n] + p->swizzled_soffset, l->place[n]);
}

/* BASE + SOFFSET + place, within the 48 bits of an address. */
static uint64_t address_of(const struct amd_wave *w, const struct buffer_plan *p, uint64_t place)
{
    uint64_t sum = p->base + p->soffset + place;
    if (sum >> 48 && READING(ADDRESS_ABOVE_48_BITS) == READING_MANUAL)
        return sum & address_mask;
    return sum;
}

/* ---- swizzled units that lie in pieces ---- */

/* swizzle-unaligned: the offset of a swizzled access that is not a multiple of its unit (or of a smaller element). */
static bool unaligned(const struct buffer_plan *p, uint32_t offset)
{
    uint32_t least = p->element_size < p->unit_bytes ? p->element_size : p->unit_bytes;
    return p->swizzled && !p->align_down && (offset + p->swizzled_soffset) % least != 0;
}

bool buffer_in_pieces(const struct amd_wave *w, const struct buffer_plan *p, const struct buffer_lanes *l, unsigned lane)
{
    if (!p->swizzled)
        return false;
    bool smaller = p->per_unit && p->element_size < p->unit_bytes;
    return smaller || (unaligned(p, l->offset[lane]) && READING(SWIZZLE_UNALIGNED) == AMD_UNALIGNED_BYTE_EXACT);
}

uint64_t buffer_byte_address(const struct amd_wave *w, const struct buffer_plan *p, const struct buffer_lanes *l, unsigned lane, unsigned unit,
                             unsigned byte)
{
    if (!buffer_in_pieces(w, p, l, lane))
        return l->address[unit][lane] + byte;
    uint32_t offset = l->offset[lane] + (p->per_unit ? 4 * unit : 0) + byte;
    return address_of(w, p, place_of(w, p, l->index[lane], offset) + (p->per_unit ? 0 : 4 * unit));
}

/* ---- units ---- */

static void find_addresses(const struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l)
{
    uint64_t origin = p->base + p->soffset, any = 0;
    for (unsigned n = 0; n < AMD_LANES; n++) {
        l->address[0][n] = origin + l->place[n];
        any |= l->address[0][n];
    }
    for (unsigned n = 0; n < AMD_LANES && any >> 48; n++)
        l->address[0][n] = address_of(w, p, l->place[n]);
    for (unsigned k = 1; k < p->units; k++)
        for (unsigned n = 0; n < AMD_LANES; n++)
            l->address[k][n] = p->per_unit ? address_of(w, p, place_of(w, p, l->index[n], l->offset[n] + 4 * k)) : l->address[0][n] + 4 * k;
}

/* swizzle-unaligned: the low bits of the offset are ignored. */
static void align_offsets(const struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l)
{
    for (unsigned n = 0; n < AMD_LANES; n++) {
        if (!unaligned(p, l->offset[n]) || READING(SWIZZLE_UNALIGNED) != AMD_UNALIGNED_DWORD)
            continue;
        uint32_t offset = l->offset[n] & ~(p->unit_bytes - 1);
        for (unsigned k = 0; k < p->units; k++) {
            uint64_t place = place_of(w, p, l->index[n], offset + (p->per_unit ? 4 * k : 0));
            l->address[k][n] = address_of(w, p, place + (p->per_unit ? 0 : 4 * k));
        }
    }
}

/* What the range rule measures of a lane. */
static void measure(const struct buffer_plan *p, const struct buffer_lanes *l, uint64_t *sum)
{
    uint32_t stride = p->range.measure == BUFFER_INDEX_AND_OFFSET ? p->range_stride : 0, align = p->check_aligned ? p->align : 1;
    if (p->range.measure == BUFFER_SWIZZLED_OFFSET)
        for (unsigned n = 0; n < AMD_LANES; n++)
            sum[n] = l->place[n] + p->range.add;
    else
        for (unsigned n = 0; n < AMD_LANES; n++)
            sum[n] = (l->offset[n] & ~(align - 1)) + (uint64_t)l->index[n] * stride + p->range.add;
}

static void check_range(const struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l)
{
    const struct buffer_range *r = &p->range;
    uint64_t sum[AMD_LANES], any = 0, limit = r->measure ? r->limit : UINT64_MAX, index_limit = r->none_valid ? 0 : r->index_limit;
    uint32_t payload = r->measure ? r->payload : 0;
    if (r->measure)
        measure(p, l, sum);
    else
        memset(sum, 0, sizeof sum);
    for (unsigned k = 0; k < (r->whole ? 1 : p->units); k++) {
        for (unsigned n = 0; n < AMD_LANES; n++) {
            uint64_t end = sum[n] + 4 * k + payload;
            any |= end;
            l->decision[k][n] = (end > limit) | (l->index[n] >= index_limit) ? AMD_OUT_OF_RANGE : AMD_DONE;
        }
        if (any >> 32 && READING(RANGE_CHECK_WRAP))
            for (unsigned n = 0; n < AMD_LANES; n++)
                l->decision[k][n] = (uint32_t)(sum[n] + 4 * k + payload) > limit || l->index[n] >= index_limit ? AMD_OUT_OF_RANGE : AMD_DONE;
    }
    for (unsigned k = 1; r->whole && k < p->units; k++)
        memcpy(l->decision[k], l->decision[0], sizeof l->decision[0]);
}

/* ---- alignment ---- */

/* atomic-component-align: the parts that an atomic's address is made of, apart. */
static bool part_misaligned(const struct amd_wave *w, const struct buffer_plan *p, uint32_t offset)
{
    uint64_t parts = p->base | p->soffset | offset;
    return p->atomic && (parts & (p->align - 1)) && READING(ATOMIC_COMPONENT_ALIGN);
}

static void align_address(const struct buffer_plan *p, struct buffer_lanes *l, unsigned n)
{
    uint64_t step = p->mask_offset ? l->offset[n] % p->align : l->address[0][n] % p->align;
    for (unsigned k = 0; k < p->units; k++)
        l->address[k][n] -= step;
}

static void check_alignment(const struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l)
{
    for (unsigned n = 0; n < AMD_LANES; n++) {
        bool bad = l->address[0][n] % p->align != 0, parts = part_misaligned(w, p, l->offset[n]);
        if (p->align_down && (bad || p->mask_offset))
            align_address(p, l, n);
        if ((bad && p->violates) || parts)
            for (unsigned k = 0; k < p->units; k++)
                l->decision[k][n] = l->decision[k][n] == AMD_DONE ? AMD_VIOLATION : l->decision[k][n];
    }
}

void buffer_resolve(const struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l)
{
    find_places(w, p, l);
    find_addresses(w, p, l);
    check_range(w, p, l);
    if (p->swizzled)
        align_offsets(w, p, l);
    if (p->align > 1)
        check_alignment(w, p, l);
    for (unsigned k = 0; k < p->units; k++)
        for (unsigned n = 0; n < AMD_LANES; n++) {
            bool resident = l->address[k][n] + p->unit_bytes <= AMD_MEMORY_BYTES, active = w->exec >> n & 1;
            uint32_t d = l->decision[k][n];
            l->decision[k][n] = !active ? AMD_INACTIVE : d == AMD_DONE && !resident ? AMD_NOT_RESIDENT : d;
        }
}
