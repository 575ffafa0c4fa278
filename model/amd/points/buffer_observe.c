/* SPDX-License-Identifier: MIT */
#include "model/amd/points/buffer_observe.h"

/* ---- lanes ---- */

void buffer_observe_lanes(const struct amd_wave *w, unsigned point, uint32_t value[AMD_LANES],
                          const uint32_t *const *vector, const uint32_t *scalar)
{
    if (!amd_watches(w, point))
        return;
    const struct point *p = &amd_points[point];
    unsigned vectors = point_vectors(p), words = point_input_words(p);
    uint32_t input[POINT_INPUT_WORDS_MAX];
    memcpy(input + vectors * POINT_LANES_MAX, scalar, (words - vectors * POINT_LANES_MAX) * sizeof *scalar);
    for (unsigned first = 0; first < AMD_LANES; first += POINT_LANES_MAX) {
        if (!(w->exec >> first & ((1U << POINT_LANES_MAX) - 1)))
            continue;
        for (unsigned k = 0; k < vectors; k++)
            memcpy(input + k * POINT_LANES_MAX, vector[k] + first, POINT_LANES_MAX * sizeof *input);
        observe_lanes(w->observer, point, value + first, input);
    }
}

void buffer_observe_wide(const struct amd_wave *w, unsigned point, uint64_t value[AMD_LANES],
                         const uint32_t *const *vector, const uint32_t *scalar)
{
    uint32_t low[AMD_LANES], high[AMD_LANES];
    if (!amd_watches(w, point) && !amd_watches(w, point + 1))
        return;
    for (unsigned n = 0; n < AMD_LANES; n++) {
        low[n] = (uint32_t)value[n];
        high[n] = (uint32_t)(value[n] >> 32);
    }
    buffer_observe_lanes(w, point, low, vector, scalar);
    buffer_observe_lanes(w, point + 1, high, vector, scalar);
    for (unsigned n = 0; n < AMD_LANES; n++)
        value[n] = (uint64_t)high[n] << 32 | low[n];
}

uint64_t buffer_lane_mask(const struct amd_wave *w, const uint32_t value[AMD_LANES])
{
    uint64_t mask = 0;
    for (unsigned n = 0; n < AMD_LANES; n++)
        mask |= (uint64_t)(value[n] != 0) << n;
    return mask & w->exec;
}

void buffer_observe_operands(const struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l)
{
    const struct amd_insn *i = p->insn;
    uint32_t index[AMD_LANES], offset[AMD_LANES], thread[AMD_LANES];
    for (unsigned n = 0; n < AMD_LANES; n++) { /* `index` and `offset` of the inputs: the registers,
                                                * without the lane's number and OFFSET */
        thread[n] = n;
        index[n] = l->index[n] - n * p->lane_index;
        offset[n] = l->offset[n] - p->offset;
    }
    AMD_OBSERVE_LANES(LANE_INDEX, l->index, AMD_LANES_OF(index, thread), w->generation, p->d.swizzle_enable,
                      i->idxen, p->d.add_tid_enable, p->d.oob_select, p->stride, l->index[0]);
    AMD_OBSERVE_LANES(LANE_OFFSET, l->offset, AMD_LANES_OF(offset, l->index), p->offset, w->generation,
                      i->offen, p->soffset, l->offset[0]);
}

#define VGPR_INPUTS w->generation, number, (uint32_t)w->exec, (uint32_t)(w->exec >> 32)

const uint32_t *buffer_observe_vgpr(const struct amd_wave *w, uint32_t number, const uint32_t *value,
                                    uint32_t observed[AMD_LANES], uint64_t *mask)
{
    uint32_t low = AMD_OBSERVE(VGPR_LANES_LOW, (uint32_t)*mask, VGPR_INPUTS),
             high = AMD_OBSERVE(VGPR_LANES_HIGH, (uint32_t)(*mask >> 32), VGPR_INPUTS);
    *mask = (uint64_t)high << 32 | low;
    if (!amd_watches(w, AMD_POINT_VGPR_VALUE))
        return value;
    uint32_t thread[AMD_LANES];
    for (unsigned n = 0; n < AMD_LANES; n++)
        thread[n] = n;
    memcpy(observed, value, AMD_LANES * sizeof *value);
    AMD_OBSERVE_LANES(VGPR_VALUE, observed, AMD_LANES_OF(amd_row(&w->vgpr, number), thread), w->generation,
                      number, observed[0], low, high);
    return observed;
}

/* ---- fields ---- */

#define PART_INPUTS w->generation, encoding, p->low

/* Decodes the words again, and passes each step. Returns false if a rule chose an opcode that does not
 * exist. */
static bool observe_decoding(const struct amd_wave *w, const uint32_t *words, struct amd_insn *i)
{
    const enum amd_encoding encoding = (enum amd_encoding)i->op->encoding;
    struct amd_insn made = {0};
    if (!amd_watches_any(w, AMD_POINT_FIELD_WORD, AMD_POINT_FIELD_JOINED))
        return true;
    for (const struct amd_field_part *p = amd_parts_of(w->generation, encoding); p->width; p++) {
        uint32_t before;
        memcpy(&before, (const char *)&made + p->member, sizeof before);
        uint32_t number = AMD_OBSERVE(FIELD_WORD, p->low / 32, PART_INPUTS),
                 word = number < AMD_INSN_WORDS ? words[number] : 0,
                 low = AMD_OBSERVE(FIELD_LOW, p->low % 32, PART_INPUTS),
                 width = AMD_OBSERVE(FIELD_WIDTH, p->width, PART_INPUTS),
                 mask = width ? UINT32_MAX >> (32 - (width < 32 ? width : 32)) : 0,
                 bits = AMD_OBSERVE(FIELD_BITS, word >> low & mask, PART_INPUTS, word, low, mask),
                 joined = AMD_OBSERVE(FIELD_JOINED, before | bits << p->shift, PART_INPUTS, before, bits,
                                      p->shift);
        memcpy((char *)&made + p->member, &joined, sizeof joined);
    }
    made.op = amd_op_of(w->generation, encoding, made.code);
    *i = made;
    return made.op != NULL;
}

bool buffer_observe_insn(const struct amd_wave *w, const uint32_t *words, struct amd_insn *i)
{
    enum amd_generation g = w->generation;
    const uint32_t encoding =
        AMD_OBSERVE(INSN_ENCODING, i->op->encoding, g, i->code, words[0], words[1], words[2]);
    if (encoding != i->op->encoding &&
        (encoding >= AMD_ENCODINGS || !amd_decode_as(g, (enum amd_encoding)encoding, words, i)))
        return false;
    if (!observe_decoding(w, words, i))
        return false;
    bool scalar = i->op->encoding == AMD_SMEM, typed = i->op->encoding == AMD_MTBUF, old = amd_is_gcn(g);
#define FIELD(point, member)                                                                                 \
    i->member = AMD_OBSERVE(point, i->member, g, i->op->encoding, i->code, words[0], words[1], words[2],     \
                            i->offen, i->idxen)
    FIELD(INSN_OP, code);
    i->op = amd_op_of(g, (enum amd_encoding)i->op->encoding, i->code);
    if (!i->op)
        return false;
    FIELD(INSN_VDATA, vdata);
    FIELD(INSN_SRSRC, srsrc);
    FIELD(INSN_SOFFSET, soffset);
    FIELD(INSN_OFFSET, offset);
    FIELD(INSN_GLC, glc);
    if (scalar && old)
        FIELD(INSN_IMM, imm);
    if (scalar && amd_is_gfx9(g))
        FIELD(INSN_SOFFSET_EN, soffset_en);
    if (scalar)
        return true;
    FIELD(INSN_OFFEN, offen);
    FIELD(INSN_IDXEN, idxen);
    FIELD(INSN_VADDR, vaddr);
    if (typed)
        FIELD(INSN_FORMAT, format);
    if (!amd_is_cdna(g))
        FIELD(INSN_TFE, tfe);
    if (i->op->lds_bit && !amd_is_gfx11(g))
        FIELD(INSN_LDS, lds);
#undef FIELD
    return true;
}

void buffer_observe_descriptor(const struct amd_wave *w, const struct amd_insn *i, const uint32_t *words,
                               struct amd_descriptor *d)
{
    enum amd_generation g = w->generation;
#define SEE(point, value)                                                                                    \
    AMD_OBSERVE(point, value, g, i->op->encoding, i->code, words[0], words[1], words[2], words[3])
    uint32_t low = SEE(DESC_BASE_LOW, (uint32_t)d->base),
             high = SEE(DESC_BASE_HIGH, (uint32_t)(d->base >> 32));
    d->base = (uint64_t)high << 32 | low;
    d->stride = SEE(DESC_STRIDE, d->stride);
    d->swizzle_enable = SEE(DESC_SWIZZLE, d->swizzle_enable);
    d->num_records = SEE(DESC_NUM_RECORDS, d->num_records);
    d->dst_sel[0] = SEE(DESC_DST_SEL_X, d->dst_sel[0]);
    d->dst_sel[1] = SEE(DESC_DST_SEL_Y, d->dst_sel[1]);
    d->dst_sel[2] = SEE(DESC_DST_SEL_Z, d->dst_sel[2]);
    d->dst_sel[3] = SEE(DESC_DST_SEL_W, d->dst_sel[3]);
    d->format = SEE(DESC_FORMAT, d->format);
    d->index_stride = SEE(DESC_INDEX_STRIDE, d->index_stride);
    d->add_tid_enable = SEE(DESC_ADD_TID, d->add_tid_enable);
    d->type = SEE(DESC_TYPE, d->type);
    if (g == AMD_GFX8)
        d->element_size = SEE(DESC_ELEMENT_SIZE, d->element_size);
    if (!amd_is_gcn(g))
        d->oob_select = SEE(DESC_OOB_SELECT, d->oob_select);
    if (g == AMD_GFX12)
        d->stride_scale = SEE(DESC_STRIDE_SCALE, d->stride_scale);
#undef SEE
}

void buffer_observe_scalar_descriptor(const struct amd_wave *w, const struct amd_insn *i,
                                      uint32_t words[AMD_DESCRIPTOR_WORDS])
{
    const uint32_t mask = 0xFFFF, before[] = {words[0], words[1], words[2], words[3]};
#define SEE(point, value)                                                                                    \
    AMD_OBSERVE(point, value, w->generation, i->op->encoding, i->code, before[0], before[1], before[2],      \
                before[3])
    words[0] = SEE(DESC_BASE_LOW, before[0]);
    words[1] = (before[1] & ~mask) | SEE(DESC_BASE_HIGH, before[1] & mask);
    words[2] = SEE(DESC_NUM_RECORDS, before[2]);
    words[3] = (before[3] & ~7U) | SEE(DESC_DST_SEL_X, before[3] & 7);
#undef SEE
}

/* ---- atomics ---- */

uint64_t buffer_observe_atomic(const struct amd_wave *w, const struct amd_op *op, uint32_t lane, uint64_t old,
                               uint64_t source, uint64_t compare)
{
    uint32_t o[2], s[2], c[2], made[2] = {0};
    for (uint32_t k = 0; k < 2; k++) {
        o[k] = (uint32_t)(old >> 32 * k);
        s[k] = (uint32_t)(source >> 32 * k);
        c[k] = (uint32_t)(compare >> 32 * k);
        if (k >= op->components)
            continue;
        s[k] = AMD_OBSERVE(ATOMIC_SOURCE, s[k], AMD_ATOMIC_OF(op, lane, k));
        o[k] = AMD_OBSERVE(ATOMIC_OLD, o[k], AMD_ATOMIC_OF(op, lane, k));
        if (amd_compares(op))
            c[k] = AMD_OBSERVE(ATOMIC_COMPARE, c[k], AMD_ATOMIC_OF(op, lane, k), o[k]);
    }
    const uint64_t now = (uint64_t)o[1] << 32 | o[0], by = (uint64_t)s[1] << 32 | s[0],
                   result = amd_atomic_observed(w, (enum amd_atomic)op->atomic, 32U * op->components, now, by,
                                                (uint64_t)c[1] << 32 | c[0]);
    for (uint32_t k = 0; k < op->components; k++)
        made[k] = AMD_OBSERVE(ATOMIC_RESULT, (uint32_t)(result >> 32 * k), AMD_ATOMIC_OF(op, lane, k), o[k],
                              s[k], c[k], (uint32_t)((now + by) >> 32 * k), (uint32_t)((now - by) >> 32 * k));
    return (uint64_t)made[1] << 32 | made[0];
}

uint64_t buffer_observe_atomics(const struct amd_wave *w, const struct buffer_plan *p,
                                const struct buffer_lanes *l, uint64_t mask)
{
    uint32_t done[AMD_LANES], address[AMD_LANES];
    if (!amd_watches(w, AMD_POINT_ATOMIC_DONE))
        return mask;
    for (unsigned n = 0; n < AMD_LANES; n++) {
        done[n] = mask >> n & 1;
        address[n] = (uint32_t)l->address[0][n];
    }
    AMD_OBSERVE_LANES(ATOMIC_DONE, done, AMD_LANES_OF(l->decision[0], l->decision[p->units - 1], address),
                      p->op->atomic, p->op->components == 2, w->generation, l->decision[0][0]);
    for (unsigned n = 0; n < AMD_LANES; n++)
        for (unsigned k = 0; k < p->units; k++)
            done[n] = done[n] && l->address[k][n] <= AMD_MEMORY_BYTES - 4;
    return buffer_lane_mask(w, done);
}

uint64_t buffer_observe_returned(const struct amd_wave *w, const struct buffer_plan *p,
                                 const struct buffer_lanes *l, uint64_t mask, uint32_t *registers)
{
    uint32_t returned[AMD_LANES];
    for (unsigned n = 0; n < AMD_LANES; n++)
        returned[n] = mask >> n & 1;
    AMD_OBSERVE_LANES(ATOMIC_RETURNED, returned, AMD_LANES_OF(l->decision[0]), p->op->atomic,
                      p->op->components == 2, w->generation);
    *registers = AMD_OBSERVE(ATOMIC_REGISTERS, *registers, p->op->atomic, p->op->components == 2,
                             amd_compares(p->op), w->generation);
    return buffer_lane_mask(w, returned);
}
