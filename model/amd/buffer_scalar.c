/* SPDX-License-Identifier: MIT */
/* Scalar buffer loads, stores and atomics ("RDNA3" guide 8.1.2, 8.4.1), which use only BASE, STRIDE and
 * NUM_RECORDS of the V#. */
#include "model/amd/points/buffer_observe.h"

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

/* Returns the stride in bytes, from bits 31:16 of the V#'s second word. On GFX12 it has 14 bits, and
 * STRIDE_SCALE multiplies it. */
static uint32_t stride_of(const struct amd_wave *w, const uint32_t v[AMD_DESCRIPTOR_WORDS])
{
    static const uint8_t scales[] = {1, 4, 8, 32};
    uint32_t stride = v[1] >> 16;
    if (w->generation == AMD_GFX12)
        return (stride & 0x3FFF) * scales[v[3] >> 18 & 3];
    return stride >> 14 && READING(SMEM_STRIDE_16BIT) == AMD_SMEM_STRIDE_14 ? stride & 0x3FFF : stride;
}

static uint64_t size_in_bytes(const struct amd_wave *w, const struct amd_insn *i,
                              const uint32_t v[AMD_DESCRIPTOR_WORDS])
{
    uint32_t stride = AMD_OBSERVE(SCALAR_STRIDE, stride_of(w, v), w->generation, i->code, v[1], v[3]);
    bool rdna2 = w->generation != AMD_GFX12 && READING(SMEM_RDNA2_SIZE);
    uint32_t unit = stride && !rdna2 ? stride : 1, records = rdna2 && !stride ? 1 : v[2];
    unit = AMD_OBSERVE(SCALAR_UNIT, unit, w->generation, i->code, stride, records);
    records = AMD_OBSERVE(SCALAR_RECORDS, records, w->generation, i->code, stride);
    return (uint64_t)unit * records;
}

/* The base loses its two lowest bits. Returns what is added to it: the offset without its two lowest bits,
 * plus the carry of the lost bits if clause smem-dword-mask keeps it. */
static uint64_t step_of(const struct amd_wave *w, uint64_t base, uint64_t offset)
{
    bool carry = (base & 3) + (offset & 3) >= 4 && READING(SMEM_DWORD_MASK);
    return (offset & ~UINT64_C(3)) + (carry ? 4 : 0);
}

struct scalar_access {
    const struct amd_insn *insn;
    uint32_t to, dwords, bytes; /* `bytes`: of each dword; 1 or 2 bytes need no alignment */
    uint64_t base, offset, size;
    bool violates;                   /* the immediate offset is negative */
    bool clamped;                    /* smem-gem5-clamp: nothing is out of range */
    uint32_t value_when_out, select; /* select: DST_SEL_X */
};

static uint32_t size_input(const struct scalar_access *s)
{
    return s->size >> 32 ? UINT32_MAX : (uint32_t)s->size;
}

/* Returns the number of dwords after rules, as a number that an access can have. */
static uint32_t count_of(uint32_t dwords)
{
    return dwords > DWORDS_MAX ? DWORDS_MAX : dwords ? dwords : 1;
}

static enum amd_stop prepare(struct amd_wave *w, const struct amd_insn *i, struct scalar_access *s)
{
    uint32_t v[AMD_DESCRIPTOR_WORDS], first = 2 * i->srsrc, soffset = 0;
    int32_t immediate = amd_smem_offset(w->generation, i);
    int code = amd_smem_soffset(w->generation, i);
    enum amd_stop stop = i->unused && READING_IN(RESERVED_BITS, 1) ? AMD_STOP_ENCODING : AMD_GO;
    stop = AMD_OBSERVE_STOP(FAULT_ENCODING, stop, w->generation, i->code, i->glc, i->unused, i->vdata,
                            i->vaddr, i->offset, i->format);
    if (stop)
        return stop;
    s->insn = i;
    s->to = i->vdata;
    s->dwords = (i->op->bytes + 3U) / 4;
    if (i->op->kind != AMD_ATOMIC)
        s->dwords = count_of(AMD_OBSERVE(SCALAR_DWORDS, s->dwords, w->generation, i->code, i->op->bytes));
    s->bytes = i->op->bytes < 4 ? i->op->bytes : 4;
    uint32_t group = amd_data_registers(w->generation, i), aligned = group < 3 ? group : 4;
    first = AMD_OBSERVE(SCALAR_SBASE, first, w->generation, i->code, AMD_DESCRIPTOR_WORDS);
    s->to = AMD_OBSERVE(SCALAR_SDATA, s->to, w->generation, i->code, aligned);
    if (!align_group(w, &first, AMD_DESCRIPTOR_WORDS, 0) || !align_group(w, &s->to, aligned, 1))
        return AMD_STOP_OPERAND;
    if (first >= SGPRS_WRITABLE + 16 || s->to + group > SGPRS_WRITABLE)
        return AMD_STOP_OPERAND;
    for (unsigned k = 0; k < AMD_DESCRIPTOR_WORDS; k++)
        if (!amd_scalar_read(w, first + k, &v[k]))
            return AMD_STOP_UNDEFINED;
    if (w->observer)
        buffer_observe_scalar_descriptor(w, i, v);
    stop = code < 0 ? AMD_GO : buffer_scalar_operand(w, i, (uint32_t)code, &soffset);
    immediate = (int32_t)AMD_OBSERVE(SCALAR_IMMEDIATE, (uint32_t)immediate, w->generation, i->code, i->offset,
                                     i->imm);
    s->violates = immediate < 0;
    s->offset = (uint64_t)(uint32_t)immediate + soffset;
    s->base = (uint64_t)(v[1] & 0xFFFF) << 32 | v[0];
    s->size = size_in_bytes(w, i, v);
    s->offset = (s->offset >> 32 << 32) | AMD_OBSERVE(SCALAR_OFFSET, (uint32_t)s->offset, w->generation,
                                                      i->code, (uint32_t)immediate, soffset, size_input(s));
    bool beyond = !s->violates && s->offset + 4 * (s->dwords - 1) + s->bytes > s->size;
    s->clamped = beyond && i->op->kind == AMD_LOAD && READING(SMEM_GEM5_CLAMP);
    if (s->clamped && s->offset > s->size)
        s->offset = s->size;
    s->select = v[3] & 7;
    s->value_when_out = beyond && !s->clamped && i->op->kind == AMD_LOAD && (v[3] & 7) == AMD_SEL_1
                            ? READING(SMEM_SEL1_NOTE)
                            : 0;
    return stop;
}

#define SCALAR_INPUTS w->generation, s->insn->code, (uint32_t)s->offset, size_input(s), k, s->bytes

static uint64_t scalar_address(const struct amd_wave *w, const struct scalar_access *s, unsigned k)
{
    bool part = s->bytes < 4;
    uint64_t step = part ? s->offset : step_of(w, s->base, s->offset),
             base = part ? s->base : s->base & ~UINT64_C(3);
    step = (step >> 32 << 32) | AMD_OBSERVE(SCALAR_STEP, (uint32_t)step, w->generation, s->insn->code,
                                            (uint32_t)s->offset, (uint32_t)s->base, s->bytes);
    uint64_t sum = base + step + 4 * k, address = amd_address(w, sum);
    uint32_t low = AMD_OBSERVE(SCALAR_ADDRESS_LOW, (uint32_t)address, SCALAR_INPUTS, (uint32_t)(sum >> 32)),
             high = AMD_OBSERVE(SCALAR_ADDRESS_HIGH, (uint32_t)(address >> 32), SCALAR_INPUTS,
                                (uint32_t)(sum >> 32));
    return (uint64_t)high << 32 | (part ? low : low & ~3U);
}

/* Finds the address of dword `k` and whether it is in range. */
static enum amd_decision decide(const struct amd_wave *w, const struct scalar_access *s, unsigned k,
                                uint64_t *address)
{
    uint64_t offset = s->offset + 4 * k;
    offset = (offset >> 32 << 32) | AMD_OBSERVE(SCALAR_CHECKED, (uint32_t)offset, SCALAR_INPUTS);
    *address = scalar_address(w, s, k);
    if (s->violates)
        return AMD_VIOLATION;
    bool last = !s->clamped && offset < s->size && offset + s->bytes > s->size,
         out = (offset >= s->size && !s->clamped) || (last && READING(SMEM_PARTIAL_DWORD));
    if (!AMD_OBSERVE(SCALAR_IN_RANGE, !out, SCALAR_INPUTS))
        return AMD_OUT_OF_RANGE;
    return *address <= AMD_MEMORY_BYTES - s->bytes ? AMD_DONE : AMD_NOT_RESIDENT;
}

/* Reads one or two bytes and extends them to a dword. */
static uint32_t part_of(const uint32_t *memory, uint64_t address, uint32_t bytes, bool is_signed)
{
    uint32_t value = 0, sign = UINT32_C(1) << (8 * bytes - 1);
    for (uint32_t n = 0; n < bytes; n++)
        value |= (memory[(address + n) / 4] >> 8 * ((address + n) % 4) & 0xFF) << 8 * n;
    return is_signed ? (value ^ sign) - sign : value;
}

/* Notes a dword in the trace. */
static void note(struct amd_wave *w, unsigned k, enum amd_decision d, uint64_t address, uint32_t bytes)
{
    amd_row(&w->decision, w->trace_row)[k] = d == AMD_DONE ? (uint32_t)d | bytes << 4 : (uint32_t)d;
    amd_touch(&w->decision, w->trace_row);
    amd_touch(&w->address, w->trace_row);
    amd_row(&w->address, w->trace_row)[k] = d == AMD_OUT_OF_RANGE ? 0 : (uint32_t)address;
    if (d != AMD_OUT_OF_RANGE && address >> 32) {
        amd_row(&w->address_high, w->trace_row)[k] = (uint32_t)(address >> 32);
        amd_touch(&w->address_high, w->trace_row);
    }
    if (d == AMD_VIOLATION) {
        amd_row(&w->status, 0)[AMD_STATUS_MEM_VIOL] = 1;
        amd_touch(&w->status, 0);
    }
}

static void load(struct amd_wave *w, const struct amd_insn *i, const struct scalar_access *s)
{
    for (unsigned k = 0; k < s->dwords; k++) {
        uint64_t address;
        enum amd_decision d = decide(w, s, k, &address);
        uint32_t value = d == AMD_OUT_OF_RANGE ? s->value_when_out : 0, defined = UINT32_MAX;
        note(w, k, d, address, s->bytes);
        if (d == AMD_DONE) {
            value = s->bytes < 4 ? part_of(w->memory.value, address, s->bytes, i->op->sign)
                                 : w->memory.value[address / 4];
            if (w->checked)
                defined = s->bytes < 4 ? part_of(w->memory.defined, address, s->bytes, true)
                                       : w->memory.defined[address / 4];
            if (w->checked && s->bytes < 4 && !i->op->sign) /* the zeros of the extension are defined */
                defined |= UINT32_MAX << 8 * s->bytes;
        } else if (d == AMD_NOT_RESIDENT) {
            value = w->filler;
            defined = 0;
        }
        value = AMD_OBSERVE(SCALAR_VALUE, value, w->generation, i->code, k, (uint32_t)d, s->select,
                            (uint32_t)address);
        amd_scalar_write(w, s->to + k, value, defined);
    }
}

/* ---- stores and atomics: GFX8 (stores), GFX9, CDNA ---- */

static void put(struct amd_wave *w, uint64_t address, uint32_t value, bool defined)
{
    w->memory.value[address / 4] = value;
    if (w->checked)
        w->memory.defined[address / 4] = defined ? UINT32_MAX : 0;
    amd_touch(&w->memory, (uint32_t)address / 4 / AMD_LANES);
}

static void store(struct amd_wave *w, const struct scalar_access *s)
{
    for (unsigned k = 0; k < s->dwords; k++) {
        uint64_t address;
        uint32_t value;
        enum amd_decision d = decide(w, s, k, &address);
        bool known = amd_scalar_read(w, s->to + k, &value);
        note(w, k, d, address, 4);
        if (d == AMD_DONE)
            put(w, address, value, known);
    }
}

/* Reads a value of one or two dwords from SGPRs. */
static uint64_t operand(const struct amd_wave *w, uint32_t first, unsigned dwords, bool *known)
{
    uint32_t low, high = 0;
    *known = amd_scalar_read(w, first, &low) && *known;
    if (dwords > 1)
        *known = amd_scalar_read(w, first + 1, &high) && *known;
    return (uint64_t)high << 32 | low;
}

/* Changes memory only if both dwords of a 64-bit atomic can be accessed. As in a vector atomic, the address
 * of 8 bytes must be a multiple of 8. */
static void atomic(struct amd_wave *w, const struct amd_insn *i, const struct scalar_access *s)
{
    enum amd_decision worst = AMD_DONE;
    uint64_t address[2] = {0}, old = 0;
    bool known = true;
    for (unsigned k = 0; k < s->dwords; k++) {
        enum amd_decision d = decide(w, s, k, &address[k]);
        d = d == AMD_DONE && address[0] % (4 * s->dwords) ? AMD_VIOLATION : d;
        worst = worst == AMD_DONE ? d : worst;
    }
    for (unsigned k = 0; k < s->dwords; k++)
        note(w, k, worst, address[k], 4);
    uint64_t source = operand(w, s->to, s->dwords, &known),
             compare = amd_compares(i->op) ? operand(w, s->to + s->dwords, s->dwords, &known) : 0;
    for (unsigned k = 0; k < s->dwords && worst == AMD_DONE; k++) {
        old |= (uint64_t)w->memory.value[address[k] / 4] << 32 * k;
        known = known && (!w->checked || w->memory.defined[address[k] / 4] == UINT32_MAX);
    }
    uint64_t made = w->observer ? buffer_observe_atomic(w, i->op, 0, old, source, compare)
                                : amd_atomic_result(w, (enum amd_atomic)i->op->atomic, 32 * s->dwords, old,
                                                    source, compare);
    for (unsigned k = 0; k < s->dwords && worst == AMD_DONE; k++)
        put(w, address[k], (uint32_t)(made >> 32 * k), known);
    if (!i->glc || (worst == AMD_OUT_OF_RANGE && READING(OOB_ATOMIC_RETURN)))
        return;
    bool lost = worst == AMD_NOT_RESIDENT, defined = worst == AMD_DONE ? known : !lost;
    for (unsigned k = 0; k < s->dwords; k++)
        amd_scalar_write(w, s->to + k, lost ? w->filler : (uint32_t)(old >> 32 * k),
                         defined ? UINT32_MAX : 0);
}

enum amd_stop buffer_scalar(struct amd_wave *w, const struct amd_insn *i)
{
    struct scalar_access s;
    enum amd_stop stop = prepare(w, i, &s);
    if (stop)
        return stop;
    if (i->op->kind == AMD_LOAD)
        load(w, i, &s);
    else if (i->op->kind == AMD_STORE)
        store(w, &s);
    else
        atomic(w, i, &s);
    return AMD_GO;
}
