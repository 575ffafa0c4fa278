/* SPDX-License-Identifier: MIT */
/* Converts each generation's range check, under each reading, into one form (struct buffer_range): two
 * comparisons a lane. */
#include "model/amd/buffer.h"

/* The inputs of the rules. */
struct access {
    const struct amd_wave *w;
    struct buffer_plan *p;
    bool swizzle, indexed; /* SWIZZLE_ENABLE; the instruction or the V# supplies an index */
    uint64_t records;
    uint32_t payload; /* bytes that one check covers: of a unit, or of all */
};

static uint64_t saturating_sub(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

/* NUM_RECORDS - SOFFSET; a larger SOFFSET leaves 0, or underflows. */
static uint64_t less_soffset(uint64_t records, uint32_t soffset, bool underflows)
{
    return underflows ? (uint32_t)(records - soffset) : saturating_sub(records, soffset);
}

static void measure(struct buffer_range *r, enum buffer_measure what, uint64_t limit, uint32_t payload)
{
    r->measure = what;
    r->limit = limit;
    r->payload = payload;
}

/* ---- observation points ---- */

static bool indexed(const struct buffer_plan *p)
{
    return p->insn->idxen || p->d.add_tid_enable;
}

#define BEFORE_INDEXED w->generation, p->range.mode
#define FROM_STRIDE_ON p->range_stride, p->d.num_records, p->soffset
#define CHECK_INPUTS   BEFORE_INDEXED, p->insn->idxen, indexed(p), FROM_STRIDE_ON
#define PAYLOAD_INPUTS BEFORE_INDEXED, p->layout != NULL, indexed(p), FROM_STRIDE_ON
#define BYTES_INPUTS                                                                                         \
    BEFORE_INDEXED, p->bytes, p->layout != NULL, p->op->encoding == AMD_MTBUF, p->op->d16, p->atomic,        \
        p->op->components

/* Passes the plan's comparisons through their observation points. A rule can add the comparison of an offset;
 * its limit is then the one that modes 0 and 3 would use for the first byte. */
static void observe_range(const struct amd_wave *w, struct buffer_plan *p, uint32_t bytes)
{
    struct buffer_range *r = &p->range;
    bool index = r->index_limit != UINT64_MAX, offset = r->measure != BUFFER_NO_MEASURE;
    uint32_t index_limit = index ? (uint32_t)r->index_limit : p->d.num_records;
    if (!offset)
        measure(r, BUFFER_NO_MEASURE, p->range_stride, 1);
    r->none_valid = AMD_OBSERVE(CHECK_NONE, r->none_valid, CHECK_INPUTS);
    index = AMD_OBSERVE(CHECK_INDEX, index, CHECK_INPUTS);
    index_limit = AMD_OBSERVE(CHECK_INDEX_LIMIT, index_limit, CHECK_INPUTS);
    r->index_limit = index ? index_limit : UINT64_MAX;
    offset = AMD_OBSERVE(CHECK_OFFSET, offset, CHECK_INPUTS);
    r->measure = !offset ? BUFFER_NO_MEASURE : r->measure ? r->measure : BUFFER_OFFSET;
    if (offset)
        r->measure = (enum buffer_measure)AMD_OBSERVE(CHECK_MEASURE, (uint32_t)r->measure, CHECK_INPUTS);
    r->limit = (r->limit >> 32 << 32) | AMD_OBSERVE(CHECK_LIMIT, (uint32_t)r->limit, CHECK_INPUTS, bytes);
    r->payload = AMD_OBSERVE(CHECK_PAYLOAD, r->payload, PAYLOAD_INPUTS, bytes);
    r->add = AMD_OBSERVE(CHECK_ADD, (uint32_t)r->add, CHECK_INPUTS, bytes);
}

/* ---- GFX10, GFX11: OOB_SELECT ("RDNA3" guide table 46) ---- */

/* Returns NUM_RECORDS in the unit of an index. */
static uint64_t index_records(const struct access *a)
{
    const struct amd_wave *w = a->w;
    uint32_t stride = a->p->range_stride;
    if (a->swizzle || stride < 2 || READING(NUM_RECORDS_UNIT) != AMD_RECORDS_BYTES_UNLESS_SWIZZLED)
        return a->records;
    return a->records / stride;
}

static void mode_index_and_offset(const struct access *a)
{
    const struct amd_wave *w = a->w;
    struct buffer_range *r = &a->p->range;
    uint32_t stride = a->p->range_stride, payload = a->payload;
    if (w->generation == AMD_GFX10) {
        unsigned reading = READING_IN(GFX10_OOB0_PAYLOAD, a->p->layout != NULL);
        if (reading == AMD_GFX10_OOB0_FIRST_BYTE || (reading == AMD_GFX10_OOB0_FORMATS && !a->p->layout))
            payload = 1;
    }
    if (a->p->soffset && READING(MODE0_SOFFSET))
        r->add = a->p->soffset;
    if (!stride && READING(MODE0_STRIDE0)) {
        measure(r, BUFFER_OFFSET, a->records, 1);
        return;
    }
    r->index_limit = index_records(a);
    measure(r, BUFFER_OFFSET, stride, payload);
}

static void mode_index_only(const struct access *a)
{
    const struct amd_wave *w = a->w;
    if (READING(MODE1_CALLED_RAW))
        measure(&a->p->range, BUFFER_OFFSET, a->records, a->payload);
    else
        a->p->range.index_limit = index_records(a);
}

static void mode_complete_structured(const struct access *a)
{
    const struct amd_wave *w = a->w;
    struct buffer_range *r = &a->p->range;
    uint32_t soffset = a->p->soffset;
    r->index_limit = soffset && READING(MODE3_INDEX_LIMIT) == READING_MANUAL
                         ? saturating_sub(a->records, soffset)
                         : a->records;
    measure(r, BUFFER_OFFSET, a->p->range_stride, a->payload);
}

static void mode_complete_raw(const struct access *a)
{
    const struct amd_wave *w = a->w;
    struct buffer_plan *p = a->p;
    bool strided = p->range_stride && a->indexed,
         in_records = p->range_stride > 1 && READING_IN(NUM_RECORDS_UNIT, 1) == AMD_RECORDS_IF_STRIDE;
    uint64_t records = a->records * AMD_OBSERVE(CHECK_UNIT, in_records ? p->range_stride : 1, CHECK_INPUTS);
    uint32_t less = AMD_OBSERVE(CHECK_SOFFSET, p->soffset, CHECK_INPUTS);
    if (less) {
        unsigned reading = READING_IN(MODE3_SOFFSET, less > records);
        if (reading != AMD_MODE3_SOFFSET_IGNORED)
            records = less_soffset(records, less, reading == AMD_MODE3_SOFFSET_UNDERFLOW);
    }
    bool in_check = strided && READING(MODE3_INDEX_NOT_IN_CHECK);
    measure(&p->range, in_check ? BUFFER_INDEX_AND_OFFSET : BUFFER_OFFSET, records, a->payload);
    if (strided && !a->swizzle && READING(RAW_STRIDE_IGNORED))
        p->stride = 0;
}

static void mode_complete(const struct access *a)
{
    const struct amd_wave *w = a->w;
    const struct buffer_plan *p = a->p;
    if (w->generation == AMD_GFX10 && READING_IN(GFX10_OOB3, a->swizzle)) {
        measure(&a->p->range, a->swizzle ? BUFFER_SWIZZLED_OFFSET : BUFFER_OFFSET, a->records, 1);
        return;
    }
    bool structured = a->swizzle && a->p->range_stride;
    if (structured && !a->indexed)
        structured = READING(MODE3_SWIZZLE_EFFECTIVE) == READING_MANUAL;
    if (AMD_OBSERVE(CHECK_STRUCTURED, structured, CHECK_INPUTS))
        mode_complete_structured(a);
    else
        mode_complete_raw(a);
}

static void range_by_select(const struct access *a)
{
    static void (*const modes[])(const struct access *) = {[AMD_OOB_INDEX_AND_OFFSET] = mode_index_and_offset,
                                                           [AMD_OOB_INDEX_ONLY] = mode_index_only,
                                                           [AMD_OOB_COMPLETE] = mode_complete};
    const struct amd_wave *w = a->w;
    struct buffer_range *r = &a->p->range;
    uint32_t mode = a->p->d.oob_select;
    if (mode == AMD_OOB_NUM_RECORDS_0)
        r->none_valid = a->records == 0;
    else
        modes[mode](a);
    bool index_alone = r->measure == BUFFER_NO_MEASURE; /* modes 1 and 2 */
    if (index_alone && a->swizzle &&
        READING_IN(OFFSET_BEYOND_STRIDE_SWIZZLED, mode - 1) == AMD_BEYOND_STRIDE_OUT)
        measure(r, BUFFER_OFFSET, a->p->range_stride, 1);
}

/* ---- GFX8 and GFX9 ---- */

/* Returns the STRIDE that selects the unit of NUM_RECORDS. With ADD_TID, STRIDE also has bits 17:14; clause
 * stride-chooses-check says whether they count here. */
static uint32_t choosing_stride(const struct amd_wave *w, const struct buffer_plan *p)
{
    bool matters = p->range_stride && !p->d.stride;
    uint32_t stride = matters && READING(STRIDE_CHOOSES_CHECK) ? 0 : p->range_stride;
    return AMD_OBSERVE(CHECK_CHOICE, stride, CHECK_INPUTS, p->d.stride);
}

/* ---- GFX9: "CDNA3" guide 9.1.5.1, whose buffers are Vega's ---- */

/* Is NUM_RECORDS compared with the index, not with bytes? */
static bool gfx9_counts_records(const struct amd_wave *w, const struct buffer_plan *p, uint32_t stride)
{
    bool idxen = p->insn->idxen;
    if (!stride)
        return false;
    unsigned reading = READING_IN(GFX9_IDXEN_DECIDES, idxen);
    return reading == AMD_GFX9_STRIDE_DECIDES || idxen == (reading == READING_MANUAL);
}

static void range_gfx9(const struct access *a)
{
    const struct amd_wave *w = a->w;
    struct buffer_plan *p = a->p;
    if (p->d.add_tid_enable && !p->insn->idxen)
        return; /* scratch is not checked */
    uint32_t stride = choosing_stride(w, p);
    enum buffer_measure bytes = p->insn->idxen && stride ? BUFFER_INDEX_AND_OFFSET : BUFFER_OFFSET;
    if (AMD_OBSERVE(CHECK_IN_RECORDS, gfx9_counts_records(w, p, stride), CHECK_INPUTS)) {
        p->range.index_limit = a->records;
        if (p->insn->idxen && p->lane_index)
            p->range.without_lane = READING(GFX9_CHECKED_INDEX);
        if (READING(GFX9_STRUCTURED_OFFSET))
            measure(&p->range, BUFFER_OFFSET, p->range_stride, 1);
    } else if (READING(GFX9_RAW_PAYLOAD)) {
        p->range.add = p->soffset;
        measure(&p->range, bytes, a->records, a->payload);
    } else {
        measure(&p->range, bytes, a->records, 1);
    }
}

/* ---- GFX8: the CLRX assembler's documentation, Mesa, gem5 ---- */

static void range_gfx8(const struct access *a)
{
    const struct amd_wave *w = a->w;
    struct buffer_plan *p = a->p;
    uint32_t stride = choosing_stride(w, p);
    bool in_records = stride && a->swizzle;
    if (stride && !a->swizzle)
        in_records = READING(GFX8_NUM_RECORDS_BYTES) == AMD_GFX8_RECORDS;
    if (!AMD_OBSERVE(CHECK_IN_RECORDS, in_records, CHECK_INPUTS)) {
        uint64_t limit = a->records;
        uint32_t less = AMD_OBSERVE(CHECK_SOFFSET, p->soffset, CHECK_INPUTS);
        if (less)
            limit = less_soffset(limit, less, READING_IN(GFX8_SOFFSET_LIMIT, less > limit));
        measure(&p->range, BUFFER_SWIZZLED_OFFSET, limit, 1);
        return;
    }
    p->range.index_limit = a->records;
    if (a->indexed || READING(GFX6_IDXEN_OFFSET_TEST) == READING_MANUAL)
        measure(&p->range, BUFFER_OFFSET, p->range_stride, 1);
}

/* ---- all generations ---- */

/* Decides whether all units share one check. */
static bool one_check(const struct amd_wave *w, const struct buffer_plan *p)
{
    if (p->layout)
        return p->op->encoding == AMD_MTBUF || p->units == 1 || READING(COMPONENT_VS_WHOLE) == READING_MANUAL;
    return p->atomic || (p->units > 1 && READING(OOB_PAYLOAD_PER_DWORD));
}

/* Returns how many bytes are checked together; decides whether all units share one check. */
static uint32_t payload_of(const struct amd_wave *w, struct buffer_plan *p)
{
    uint32_t bytes = p->bytes;
    if (p->layout && p->op->d16 && READING(D16_PAYLOAD))
        bytes = 2U * p->op->components;
    if (!p->layout && !p->atomic && bytes < 4 && READING(SUBDWORD_PAYLOAD))
        bytes = 4;
    p->range.one_check = AMD_OBSERVE(CHECK_TOGETHER, one_check(w, p), BYTES_INPUTS);
    if (!p->range.one_check && bytes > 4)
        bytes = 4;
    return AMD_OBSERVE(CHECK_BYTES, bytes, BYTES_INPUTS);
}

void buffer_prepare_range(const struct amd_wave *w, struct buffer_plan *p)
{
    struct access a = {.w = w,
                       .p = p,
                       .swizzle = p->swizzled,
                       .indexed = p->insn->idxen || p->d.add_tid_enable,
                       .records = p->d.num_records};
    p->range =
        (struct buffer_range){.index_limit = UINT64_MAX, .mode = p->d.oob_select | (p->swizzled ? 4U : 0U)};
    a.payload = payload_of(w, p);
    if (w->generation == AMD_GFX8)
        range_gfx8(&a);
    else if (amd_is_gfx9(w->generation))
        range_gfx9(&a);
    else
        range_by_select(&a);
    p->range.bytes = a.payload;
    if (w->observer)
        observe_range(w, p, a.payload);
}

void buffer_prepare_no_range(const struct amd_wave *w, struct buffer_plan *p)
{
    bool selects = !amd_is_gcn(w->generation), indexed = p->insn->idxen || p->d.add_tid_enable;
    p->range = (struct buffer_range){.index_limit = UINT64_MAX};
    if (selects && p->d.oob_select == AMD_OOB_COMPLETE && p->stride && indexed && !p->swizzled &&
        READING(RAW_STRIDE_IGNORED))
        p->stride = 0; /* as in mode_complete_raw */
}

/* ---- why ---- */

void buffer_explain_range(const struct buffer_plan *p, const struct buffer_lanes *l, unsigned unit,
                          unsigned lane, struct text *t)
{
    const struct buffer_range *r = &p->range;
    uint32_t index = l->index[lane] - lane * r->without_lane, more = r->one_check ? 0 : 4 * unit;
    if (r->none_valid) {
        text_add(t, "NUM_RECORDS is 0");
        return;
    }
    if (index >= r->index_limit) {
        text_add(t, "index 0x%x >= 0x%llx", index, (unsigned long long)r->index_limit);
        return;
    }
    if (r->measure == BUFFER_SWIZZLED_OFFSET) {
        uint64_t place =
            p->per_unit && unit ? l->address[unit][lane] - p->base - p->soffset : l->place[lane] + more;
        text_add(t, "place in the buffer 0x%llx", (unsigned long long)place);
    } else {
        if (r->measure == BUFFER_INDEX_AND_OFFSET)
            text_add(t, "index 0x%x * STRIDE 0x%x + ", l->index[lane], p->range_stride);
        text_add(t, "offset 0x%x", p->check_aligned ? l->offset[lane] & ~(p->align - 1) : l->offset[lane]);
        if (more)
            text_add(t, " + %u", more);
    }
    if (r->add)
        text_add(t, " + SOFFSET 0x%llx", (unsigned long long)r->add);
    text_add(t, " + %u byte%s > 0x%llx", r->payload, plural(r->payload), (unsigned long long)r->limit);
}
