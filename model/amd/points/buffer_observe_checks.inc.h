/* SPDX-License-Identifier: MIT */
/* Template: range checks of all lanes for observed runs, with a point after each step. buffer_address.inc.h
 * includes this file. Its check_range makes the same decisions for runs without an observer. */

static inline uint32_t saturated(uint64_t value)
{
    return value >> 32 ? UINT32_MAX : (uint32_t)value;
}

/* Checks unit k of all lanes. `sum`: the compared offset or place, plus the payload. */
static void observe_check(const struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l,
                          unsigned k, uint64_t sum[AMD_LANES], bool wraps)
{
    const struct buffer_range *r = &p->range;
    uint32_t index[AMD_LANES], reg[AMD_LANES], offset[AMD_LANES], last[AMD_LANES], place[AMD_LANES],
        place_last[AMD_LANES], good[AMD_LANES], mode = r->mode;
    for (unsigned n = 0; n < AMD_LANES; n++) {
        uint64_t at = l->observed || (p->per_unit && k) ? l->unit_place[k][n] : l->place[n] + 4 * k;
        index[n] = l->index[n] - n * r->without_lane;
        reg[n] = l->index[n] - n * p->lane_index;
        offset[n] = saturated((uint64_t)l->offset[n] + 4 * k);
        last[n] = saturated((uint64_t)l->offset[n] + 4 * k + r->bytes - 1);
        place[n] = saturated(at);
        place_last[n] = saturated(at + r->bytes - 1);
    }
    AMD_OBSERVE_LANES(CHECK_LANE_INDEX, index, AMD_LANES_OF(l->index, reg), w->generation, p->insn->idxen,
                      mode, index[0]);
    AMD_OBSERVE_WIDE(CHECK_SUM_LOW, sum, AMD_LANES_OF(l->index, l->offset, place), k, r->payload, mode,
                     w->generation, p->align_down ? p->align : 1, (uint32_t)sum[0]);
    for (unsigned n = 0; n < AMD_LANES; n++) {
        uint64_t compared = wraps ? (uint32_t)sum[n] : sum[n];
        good[n] = !r->none_valid && index[n] < r->index_limit && (!r->measure || compared <= r->limit);
    }
    AMD_OBSERVE_LANES(CHECK_IN_RANGE, good, AMD_LANES_OF(l->index, last, place_last, offset, place), r->bytes,
                      mode, w->generation, p->d.num_records, saturated(r->limit), p->range_stride,
                      p->soffset);
    for (unsigned n = 0; n < AMD_LANES; n++)
        l->decision[k][n] = good[n] ? AMD_DONE : AMD_OUT_OF_RANGE;
}

/* Computes the sum that the range check compares, for the first unit of each lane. */
static void observe_measure(const struct amd_wave *w, const struct buffer_plan *p,
                            const struct buffer_lanes *l, uint64_t sum[AMD_LANES])
{
    uint32_t before[AMD_LANES], offset[AMD_LANES],
        align = p->check_aligned ? p->align : 1,
        stride = p->range.measure == BUFFER_INDEX_AND_OFFSET ? p->range_stride : 0;
    uint64_t product[AMD_LANES];
    measure(p, l, sum);
    if (p->range.measure == BUFFER_SWIZZLED_OFFSET)
        return;
    for (unsigned n = 0; n < AMD_LANES; n++)
        before[n] = offset[n] = l->offset[n] & ~(align - 1);
    AMD_OBSERVE_LANES(CHECK_LANE_OFFSET, offset, AMD_LANES_OF(l->index, l->offset), w->generation,
                      p->range.mode, p->align_down ? p->align : 1, p->range_stride, offset[0]);
    for (unsigned n = 0; n < AMD_LANES; n++)
        product[n] = (uint64_t)l->index[n] * stride;
    AMD_OBSERVE_WIDE(CHECK_PRODUCT_LOW, product, AMD_LANES_OF(l->index), stride, w->generation, p->range.mode,
                     p->insn->idxen);
    for (unsigned n = 0; n < AMD_LANES; n++)
        sum[n] += (uint64_t)offset[n] - before[n] + product[n] - (uint64_t)l->index[n] * stride;
}

/* Shows what becomes of each lane's dwords. A dword outside the case's memory is never moved. */
static void observe_decisions(const struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l)
{
    for (unsigned k = 0; k < p->units; k++) {
        uint32_t after[AMD_LANES], address[AMD_LANES];
        for (unsigned n = 0; n < AMD_LANES; n++) {
            after[n] = l->decision[k][n];
            address[n] = (uint32_t)l->address[k][n];
        }
        AMD_OBSERVE_LANES(LANE_DECISION, after, AMD_LANES_OF(l->offset, address), k, p->range.mode,
                          p->unit_bytes, w->generation, after[0], l->decision[0][0]);
        for (unsigned n = 0; n < AMD_LANES; n++) {
            bool resident = l->address[k][n] <= AMD_MEMORY_BYTES - p->unit_bytes;
            if (!(w->exec >> n & 1) || after[n] == l->decision[k][n])
                continue;
            l->decision[k][n] = after[n] > AMD_NOTHING              ? AMD_OUT_OF_RANGE
                                : after[n] == AMD_DONE && !resident ? AMD_NOT_RESIDENT
                                                                    : after[n];
        }
    }
}

static void observe_checks(const struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l)
{
    const struct buffer_range *r = &p->range;
    uint64_t sum[AMD_LANES] = {0}, any = 0;
    bool swizzled = r->measure == BUFFER_SWIZZLED_OFFSET && p->per_unit, wraps;
    observe_measure(w, p, l, sum);
    for (unsigned n = 0; n < AMD_LANES; n++)
        any |= sum[n] + r->payload + 4 * AMD_UNITS;
    wraps = r->measure && !r->none_valid && any >> 32 && READING(RANGE_CHECK_WRAP);
    for (unsigned k = 0; k < p->units; k++) {
        uint64_t compared[AMD_LANES];
        if (k && r->one_check) {
            memcpy(l->decision[k], l->decision[0], sizeof l->decision[0]);
            continue;
        }
        for (unsigned n = 0; n < AMD_LANES && !l->observed && k && p->per_unit; n++)
            l->unit_place[k][n] = place_of(w, p, l->index[n], l->offset[n], 4 * k);
        for (unsigned n = 0; n < AMD_LANES; n++) {
            bool apart = r->measure == BUFFER_SWIZZLED_OFFSET && k && (swizzled || l->observed);
            compared[n] = (apart ? l->unit_place[k][n] + r->add : sum[n] + 4 * k) + r->payload;
        }
        observe_check(w, p, l, k, compared, wraps);
    }
}
