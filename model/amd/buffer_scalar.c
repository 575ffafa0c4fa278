/* SPDX-License-Identifier: MIT */
/* Scalar buffer loads ("RDNA3" guide 8.1.2, 8.4.1), which use only BASE, STRIDE and NUM_RECORDS of the V#. */
#include "model/amd/buffer.h"

enum { DWORDS_MAX = 16, SGPRS_WRITABLE = 108 };

/* Makes `first` a multiple of the group's size, or returns false: a reserved encoding. */
static bool align_group(const struct amd_wave *w, uint32_t *first, uint32_t size, unsigned mode)
{
    if (*first % size == 0)
        return true;
    if (READING_IN(SCALAR_GROUP_ALIGN, mode) != AMD_GROUP_ALIGNED_DOWN)
        return false;
    *first -= *first % size;
    return true;
}

/* GFX12: a V# has one stride, which STRIDE_SCALE scales. */
static uint64_t scaled_size(const uint32_t v[AMD_DESCRIPTOR_WORDS])
{
    static const uint8_t scales[] = {1, 4, 8, 32};
    uint64_t stride = (v[1] >> 16 & 0x3FFF) * (uint64_t)scales[v[3] >> 18 & 3];
    return (stride ? stride : 1) * v[2];
}

static uint64_t size_in_bytes(const struct amd_wave *w, const uint32_t v[AMD_DESCRIPTOR_WORDS])
{
    uint32_t stride = v[1] >> 16, records = v[2];
    if (w->generation == AMD_GFX12)
        return scaled_size(v);
    if (stride >> 14)
        stride &= READING(SMEM_STRIDE_16BIT) == AMD_SMEM_STRIDE_14 ? 0x3FFF : 0xFFFF;
    if (READING(SMEM_RDNA2_SIZE))
        return stride ? records : 1;
    return (uint64_t)(stride ? stride : 1) * records;
}

static uint64_t base_and_offset(const struct amd_wave *w, uint64_t base, uint64_t offset)
{
    if ((base & 3) + (offset & 3) >= 4 && READING(SMEM_DWORD_MASK))
        return (base + offset) & ~UINT64_C(3);
    return (base & ~UINT64_C(3)) + (offset & ~UINT64_C(3));
}

struct scalar_load {
    uint32_t to, dwords, bytes; /* `bytes` of a dword: 1 and 2 are not aligned, and extended */
    uint64_t base, offset, size;
    bool violates; /* a negative immediate offset */
    bool clamped;  /* smem-gem5-clamp: nothing is out of range */
    uint32_t value_when_out;
};

static enum amd_stop prepare(struct amd_wave *w, const struct amd_insn *i, struct scalar_load *s)
{
    uint32_t v[AMD_DESCRIPTOR_WORDS], first = 2 * i->srsrc, soffset = 0;
    int32_t immediate = amd_smem_offset(w->generation, i);
    int code = amd_smem_soffset(w->generation, i);
    if (i->unused && READING_IN(RESERVED_BITS, 1))
        return AMD_STOP_ENCODING;
    s->to = i->vdata;
    s->dwords = (i->op->bytes + 3U) / 4;
    s->bytes = i->op->bytes < 4 ? i->op->bytes : 4;
    if (!align_group(w, &first, AMD_DESCRIPTOR_WORDS, 0) ||
        !align_group(w, &s->to, s->dwords < 3 ? s->dwords : 4, 1))
        return AMD_STOP_OPERAND;
    if (first >= SGPRS_WRITABLE + 16 || s->to + s->dwords > SGPRS_WRITABLE)
        return AMD_STOP_OPERAND;
    for (unsigned k = 0; k < AMD_DESCRIPTOR_WORDS; k++)
        if (!amd_scalar_read(w, first + k, &v[k]))
            return AMD_STOP_UNDEFINED;
    enum amd_stop stop = code < 0 ? AMD_GO : buffer_scalar_operand(w, (uint32_t)code, &soffset);
    s->violates = immediate < 0;
    s->offset = (uint64_t)(uint32_t)immediate + soffset;
    s->base = (uint64_t)(v[1] & 0xFFFF) << 32 | v[0];
    s->size = size_in_bytes(w, v);
    bool beyond = !s->violates && s->offset + 4 * (s->dwords - 1) + s->bytes > s->size;
    s->clamped = beyond && READING(SMEM_GEM5_CLAMP);
    if (s->clamped && s->offset > s->size)
        s->offset = s->size;
    s->value_when_out = beyond && !s->clamped && (v[3] & 7) == AMD_SEL_1 ? READING(SMEM_SEL1_NOTE) : 0;
    return stop;
}

/* Finds the address of dword `k` and whether it is in range. */
static enum amd_decision decide(const struct amd_wave *w, const struct scalar_load *s, unsigned k,
                                uint64_t *address)
{
    uint64_t offset = s->offset + 4 * k;
    *address = s->bytes < 4 ? amd_address(w, s->base + s->offset)
                            : amd_address(w, base_and_offset(w, s->base, s->offset) + 4 * k);
    if (s->violates)
        return AMD_VIOLATION;
    bool last = !s->clamped && offset < s->size && offset + s->bytes > s->size;
    if ((offset >= s->size && !s->clamped) || (last && READING(SMEM_PARTIAL_DWORD)))
        return AMD_OUT_OF_RANGE;
    return *address + s->bytes <= AMD_MEMORY_BYTES ? AMD_DONE : AMD_NOT_RESIDENT;
}

/* One or two bytes, extended. */
static uint32_t part_of(const uint32_t *memory, uint64_t address, uint32_t bytes, bool is_signed)
{
    uint32_t value = 0, sign = UINT32_C(1) << (8 * bytes - 1);
    for (uint32_t n = 0; n < bytes; n++)
        value |= (memory[(address + n) / 4] >> 8 * ((address + n) % 4) & 0xFF) << 8 * n;
    return is_signed ? (value ^ sign) - sign : value;
}

enum amd_stop buffer_scalar_load(struct amd_wave *w, const struct amd_insn *i)
{
    struct scalar_load s;
    enum amd_stop stop = prepare(w, i, &s);
    if (stop)
        return stop;
    uint32_t *address_row = amd_row(&w->address, w->trace_row),
             *decisions = amd_row(&w->decision, w->trace_row);
    amd_touch(&w->address, w->trace_row);
    amd_touch(&w->decision, w->trace_row);
    for (unsigned k = 0; k < s.dwords; k++) {
        uint64_t address;
        enum amd_decision d = decide(w, &s, k, &address);
        uint32_t value = d == AMD_OUT_OF_RANGE ? s.value_when_out : 0, defined = UINT32_MAX;
        decisions[k] = d == AMD_DONE ? (uint32_t)d | s.bytes << 4 : (uint32_t)d;
        address_row[k] = d == AMD_OUT_OF_RANGE ? 0 : (uint32_t)address;
        if (d != AMD_OUT_OF_RANGE && address >> 32) {
            amd_row(&w->address_high, w->trace_row)[k] = (uint32_t)(address >> 32);
            amd_touch(&w->address_high, w->trace_row);
        }
        if (d == AMD_DONE) {
            value = s.bytes < 4 ? part_of(w->memory.value, address, s.bytes, i->op->sign)
                                : w->memory.value[address / 4];
            if (w->checked)
                defined = s.bytes < 4 ? part_of(w->memory.defined, address, s.bytes, true)
                                      : w->memory.defined[address / 4];
            if (w->checked && s.bytes < 4 && !i->op->sign) /* what is extended with zeros is known */
                defined |= UINT32_MAX << 8 * s.bytes;
        } else if (d == AMD_NOT_RESIDENT) {
            value = w->filler;
            defined = 0;
        } else if (d == AMD_VIOLATION) {
            amd_row(&w->status, 0)[AMD_STATUS_MEM_VIOL] = 1;
            amd_touch(&w->status, 0);
        }
        amd_scalar_write(w, s.to + k, value, defined);
    }
    return AMD_GO;
}
