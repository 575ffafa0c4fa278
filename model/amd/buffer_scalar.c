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
    const uint64_t size = (uint64_t)unit * records;
    const uint32_t most = size >> 32 ? UINT32_MAX : (uint32_t)size,
                   limit = AMD_OBSERVE(SCALAR_LIMIT, most, w->generation, i->code, unit, records, stride);
    return limit == most ? size : limit;
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
    uint32_t first;             /* SGPR of the V# */
    uint32_t group, aligned;    /* registers of data; `to` is a multiple of `aligned` */
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

/* The same for the bytes of a dword. */
static uint32_t bytes_of(uint32_t bytes)
{
    return bytes > 4 || !bytes ? 4 : bytes;
}

/* `operand`: 1 for a fault by SOFFSET, 0 for one by SBASE or SDATA. */
#define FAULT_INPUTS(operand)                                                                                \
    w->generation, i->code, s->first, s->to, s->aligned, s->group, (uint32_t)(code < 0 ? 0 : code), operand

/* Decides which registers and how many bytes the access has. Returns the fault that these are. */
static enum amd_stop prepare_registers(const struct amd_wave *w, const struct amd_insn *i, int code,
                                       struct scalar_access *s)
{
    s->insn = i;
    s->to = i->vdata;
    s->aligned = AMD_OBSERVE(SCALAR_ALIGNMENT, s->group < 3 ? s->group : 4, w->generation, i->code, s->group);
    s->aligned = s->aligned ? s->aligned : 1;
    s->dwords = (i->op->bytes + 3U) / 4;
    s->bytes = i->op->bytes < 4 ? i->op->bytes : 4;
    if (i->op->kind != AMD_ATOMIC)
        s->dwords = count_of(AMD_OBSERVE(SCALAR_DWORDS, s->dwords, w->generation, i->code, i->op->bytes));
    if (i->op->kind == AMD_LOAD)
        s->bytes = bytes_of(AMD_OBSERVE(SCALAR_PART, s->bytes, w->generation, i->code, i->op->bytes));
    s->first = AMD_OBSERVE(SCALAR_SBASE, 2 * i->srsrc, w->generation, i->code, AMD_DESCRIPTOR_WORDS);
    s->to = AMD_OBSERVE(SCALAR_SDATA, s->to, w->generation, i->code, s->aligned);
    enum amd_stop stop = AMD_GO;
    if (!align_group(w, &s->first, AMD_DESCRIPTOR_WORDS, 0) || !align_group(w, &s->to, s->aligned, 1))
        stop = AMD_STOP_OPERAND;
    if (s->first >= SGPRS_WRITABLE + 16 || s->to + s->group > SGPRS_WRITABLE)
        stop = AMD_STOP_OPERAND;
    return AMD_OBSERVE_STOP(SCALAR_FAULT, stop, FAULT_INPUTS(0));
}

/* Returns the code of the operand that is added to the immediate offset; -1 if there is none. */
static int register_of(const struct amd_wave *w, const struct amd_insn *i)
{
    const int code = amd_smem_soffset(w->generation, i);
    const bool has = AMD_OBSERVE(SCALAR_REGISTER, code >= 0, w->generation, i->code, i->imm, i->soffset_en,
                                 i->soffset, i->offset);
    if (has == (code >= 0))
        return code;
    return has ? (int)(w->generation == AMD_GFX8 ? i->offset & 127 : i->soffset) : -1;
}

/* Decides what is added to BASE. */
static void prepare_offset(const struct amd_wave *w, const struct amd_insn *i, uint32_t soffset,
                           struct scalar_access *s)
{
    const uint32_t immediate = AMD_OBSERVE(SCALAR_IMMEDIATE, (uint32_t)amd_smem_offset(w->generation, i),
                                           w->generation, i->code, i->offset, i->imm, i->soffset_en);
    s->violates = AMD_OBSERVE(SCALAR_VIOLATES, immediate >> 31, w->generation, i->code, immediate, soffset);
    const uint64_t offset = (uint64_t)immediate + soffset;
    uint32_t low = AMD_OBSERVE(SCALAR_OFFSET, (uint32_t)offset, w->generation, i->code, immediate, soffset,
                               size_input(s)),
             high = AMD_OBSERVE(SCALAR_OFFSET_HIGH, (uint32_t)(offset >> 32), w->generation, i->code,
                                immediate, soffset, size_input(s));
    s->offset = (uint64_t)high << 32 | low;
}

static enum amd_stop prepare(struct amd_wave *w, const struct amd_insn *i, struct scalar_access *s)
{
    uint32_t v[AMD_DESCRIPTOR_WORDS], soffset = 0, registers = buffer_data_registers(w, i);
    int code = register_of(w, i);
    enum amd_stop stop = i->unused && READING_IN(RESERVED_BITS, 1) ? AMD_STOP_ENCODING : AMD_GO;
    stop = AMD_OBSERVE_STOP(FAULT_ENCODING, stop, w->generation, i->code, i->glc, i->unused, i->vdata,
                            i->vaddr, i->offset, i->format, registers, 0);
    s->group = registers ? registers : 1;
    if (!stop)
        stop = prepare_registers(w, i, code, s);
    if (stop)
        return stop;
    if (!buffer_descriptor_words(w, i, s->first, v))
        return AMD_STOP_UNDEFINED;
    if (w->observer)
        buffer_observe_scalar_descriptor(w, i, v);
    if (code >= 0)
        stop = buffer_scalar_operand(w, i, (uint32_t)code, &soffset);
    if (code >= 0)
        stop = AMD_OBSERVE_STOP(SCALAR_FAULT, stop, FAULT_INPUTS(1));
    s->base = (uint64_t)(v[1] & 0xFFFF) << 32 | v[0];
    s->size = size_in_bytes(w, i, v);
    prepare_offset(w, i, soffset, s);
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
#define ADDRESS_INPUTS                                                                                       \
    SCALAR_INPUTS, (uint32_t)(sum >> 32), (uint32_t)s->base, (uint32_t)(s->base >> 32), (uint32_t)step

#define STEP_INPUTS w->generation, s->insn->code, (uint32_t)s->offset, (uint32_t)s->base, s->bytes

static uint64_t observe_step(const struct amd_wave *w, const struct scalar_access *s, uint64_t step)
{
    const uint32_t low = AMD_OBSERVE(SCALAR_STEP, (uint32_t)step, STEP_INPUTS),
                   high = AMD_OBSERVE(SCALAR_STEP_HIGH, (uint32_t)(step >> 32), STEP_INPUTS,
                                      (uint32_t)(s->offset >> 32));
    return (uint64_t)high << 32 | low;
}

static uint64_t scalar_address(const struct amd_wave *w, const struct scalar_access *s, unsigned k)
{
    bool part = s->bytes < 4;
    uint64_t step = part ? s->offset : step_of(w, s->base, s->offset),
             base = part ? s->base : s->base & ~UINT64_C(3);
    step = observe_step(w, s, step);
    uint64_t sum = base + step + 4 * k, address = amd_address(w, sum);
    uint32_t low = AMD_OBSERVE(SCALAR_ADDRESS_LOW, (uint32_t)address, ADDRESS_INPUTS),
             high = AMD_OBSERVE(SCALAR_ADDRESS_HIGH, (uint32_t)(address >> 32), ADDRESS_INPUTS);
    return (uint64_t)high << 32 | (part ? low : low & ~3U);
}

/* Finds the address of dword `k` and whether it is in range. */
static enum amd_decision decide(const struct amd_wave *w, const struct scalar_access *s, unsigned k,
                                uint64_t *address)
{
    uint64_t offset = s->offset + 4 * k;
    const uint32_t low = AMD_OBSERVE(SCALAR_CHECKED, (uint32_t)offset, SCALAR_INPUTS),
                   high = AMD_OBSERVE(SCALAR_CHECKED_HIGH, (uint32_t)(offset >> 32), SCALAR_INPUTS);
    offset = (uint64_t)high << 32 | low;
    *address = scalar_address(w, s, k);
    if (s->violates)
        return AMD_VIOLATION;
    bool last = !s->clamped && offset < s->size && offset + s->bytes > s->size,
         out = (offset >= s->size && !s->clamped) || (last && READING(SMEM_PARTIAL_DWORD));
    if (!AMD_OBSERVE(SCALAR_IN_RANGE, !out, SCALAR_INPUTS))
        return AMD_OUT_OF_RANGE;
    return *address <= AMD_MEMORY_BYTES - s->bytes ? AMD_DONE : AMD_NOT_RESIDENT;
}

/* Observes a decision. What is outside the case's memory is never moved. */
static enum amd_decision settle(const struct amd_wave *w, const struct scalar_access *s, unsigned k,
                                uint64_t address, enum amd_decision d)
{
    const bool atomic = s->insn->op->kind == AMD_ATOMIC, wide = atomic && s->dwords > 1;
    uint32_t now = AMD_OBSERVE(SCALAR_DECISION, (uint32_t)d, SCALAR_INPUTS, (uint32_t)address, atomic, wide);
    if (now == (uint32_t)d || now > AMD_NOT_RESIDENT)
        return d;
    return now == AMD_DONE && address > AMD_MEMORY_BYTES - s->bytes ? AMD_NOT_RESIDENT
                                                                    : (enum amd_decision)now;
}

/* The SGPR of dword k of the data. */
static uint32_t data_sgpr(const struct amd_wave *w, const struct scalar_access *s, unsigned k, bool reads)
{
    return AMD_OBSERVE(SCALAR_SGPR, s->to + k, w->generation, s->insn->code, s->to, k, reads);
}

/* Reads one or two bytes and extends them to a dword. */
static uint32_t part_of(const uint32_t *memory, uint64_t address, uint32_t bytes, bool is_signed)
{
    uint32_t value = 0, sign = UINT32_C(1) << (8 * bytes - 1);
    for (uint32_t n = 0; n < bytes; n++)
        value |= (memory[(address + n) / 4] >> 8 * ((address + n) % 4) & 0xFF) << 8 * n;
    return is_signed ? (value ^ sign) - sign : value;
}

#define KEPT_INPUTS w->generation, s->insn->code, k, (uint32_t)d, (uint32_t)address

/* Notes a dword in the trace. */
static void note(struct amd_wave *w, const struct scalar_access *s, unsigned k, enum amd_decision d,
                 uint64_t address)
{
    uint32_t shown = d == AMD_DONE ? (uint32_t)d | s->bytes << 4 : (uint32_t)d,
             low = d == AMD_OUT_OF_RANGE ? 0 : (uint32_t)address,
             high = d == AMD_OUT_OF_RANGE ? 0 : (uint32_t)(address >> 32);
    amd_touch(&w->decision, w->trace_row);
    amd_touch(&w->address, w->trace_row);
    amd_row(&w->decision, w->trace_row)[k] = AMD_OBSERVE(SCALAR_TRACE_DECISION, shown, KEPT_INPUTS, s->bytes);
    amd_row(&w->address, w->trace_row)[k] = AMD_OBSERVE(SCALAR_TRACE_ADDRESS, low, KEPT_INPUTS);
    high = AMD_OBSERVE(SCALAR_TRACE_HIGH, high, KEPT_INPUTS);
    if (high) {
        amd_row(&w->address_high, w->trace_row)[k] = high;
        amd_touch(&w->address_high, w->trace_row);
    }
    if (AMD_OBSERVE(SCALAR_MEM_VIOL, d == AMD_VIOLATION, KEPT_INPUTS)) {
        amd_row(&w->status, 0)[AMD_STATUS_MEM_VIOL] = 1;
        amd_touch(&w->status, 0);
    }
}

/* The dword of memory at an address, and `more` dwords behind it; 0 outside. */
static uint32_t memory_dword(const struct amd_wave *w, uint64_t address, uint32_t more)
{
    const uint64_t at = address / 4 + more;
    return at < AMD_MEMORY_BYTES / 4 ? w->memory.value[at] : 0;
}

static void load(struct amd_wave *w, const struct amd_insn *i, const struct scalar_access *s)
{
    for (unsigned k = 0; k < s->dwords; k++) {
        uint64_t address;
        enum amd_decision d = decide(w, s, k, &address);
        d = settle(w, s, k, address, d);
        uint32_t value = d == AMD_OUT_OF_RANGE ? s->value_when_out : 0, defined = UINT32_MAX;
        note(w, s, k, d, address);
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
                            (uint32_t)address, memory_dword(w, address, 0), memory_dword(w, address, 1),
                            s->bytes);
        amd_scalar_write(w, data_sgpr(w, s, k, false), value, defined);
    }
}

/* ---- stores and atomics: GFX8 (stores), GFX9, CDNA ---- */

static void put(struct amd_wave *w, const struct scalar_access *s, unsigned k, uint64_t address,
                uint32_t value, bool defined)
{
    const enum amd_decision d = AMD_DONE;
    value = AMD_OBSERVE(SCALAR_STORED, value, KEPT_INPUTS, w->memory.value[address / 4]);
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
        d = settle(w, s, k, address, d);
        bool known = amd_scalar_read(w, data_sgpr(w, s, k, true), &value);
        note(w, s, k, d, address);
        if (d == AMD_DONE)
            put(w, s, k, address, value, known);
    }
}

/* Reads a value of one or two dwords from SGPRs. */
static uint64_t operand(const struct amd_wave *w, const struct scalar_access *s, unsigned first, bool *known)
{
    uint32_t low, high = 0;
    *known = amd_scalar_read(w, data_sgpr(w, s, first, true), &low) && *known;
    if (s->dwords > 1)
        *known = amd_scalar_read(w, data_sgpr(w, s, first + 1, true), &high) && *known;
    return (uint64_t)high << 32 | low;
}

/* Returns the first decision of the dwords that is not to do it. As in a vector atomic, the address of 8
 * bytes must be a multiple of 8. */
static enum amd_decision decide_atomic(struct amd_wave *w, const struct scalar_access *s, uint64_t *address)
{
    enum amd_decision worst = AMD_DONE;
    for (unsigned k = 0; k < s->dwords; k++) {
        enum amd_decision d = decide(w, s, k, &address[k]);
        d = d == AMD_DONE && address[0] % (4 * s->dwords) ? AMD_VIOLATION : d;
        d = settle(w, s, k, address[k], d);
        worst = worst == AMD_DONE ? d : worst;
    }
    for (unsigned k = 0; k < s->dwords; k++)
        note(w, s, k, worst, address[k]);
    return worst;
}

/* Changes memory only if both dwords of a 64-bit atomic can be accessed. */
static void atomic(struct amd_wave *w, const struct amd_insn *i, const struct scalar_access *s)
{
    uint64_t at[2] = {0}, old = 0;
    bool known = true;
    const enum amd_decision d = decide_atomic(w, s, at);
    uint64_t source = operand(w, s, 0, &known),
             compare = amd_compares(i->op) ? operand(w, s, s->dwords, &known) : 0;
    for (unsigned k = 0; k < s->dwords && d == AMD_DONE; k++) {
        const uint32_t read = AMD_OBSERVE(ATOMIC_READ, w->memory.value[at[k] / 4], i->op->atomic, 0,
                                          s->dwords > 1, k, w->generation, 1, (uint32_t)at[k]);
        old |= (uint64_t)read << 32 * k;
        known = known && (!w->checked || w->memory.defined[at[k] / 4] == UINT32_MAX);
    }
    uint64_t made = w->observer ? buffer_observe_atomic(w, i->op, 0, old, source, compare)
                                : amd_atomic_result(w, (enum amd_atomic)i->op->atomic, 32 * s->dwords, old,
                                                    source, compare);
    for (unsigned k = 0; k < s->dwords && d == AMD_DONE; k++)
        put(w, s, k, at[k], (uint32_t)(made >> 32 * k), known);
    bool returns = i->glc && !(d == AMD_OUT_OF_RANGE && READING(OOB_ATOMIC_RETURN));
    if (!AMD_OBSERVE(SCALAR_RETURNS, returns, w->generation, i->code, i->glc, (uint32_t)d))
        return;
    bool lost = d == AMD_NOT_RESIDENT, defined = d == AMD_DONE ? known : !lost;
    for (unsigned k = 0; k < s->dwords; k++) {
        const uint64_t address = at[k];
        uint32_t value = lost ? w->filler : (uint32_t)(old >> 32 * k);
        value = AMD_OBSERVE(SCALAR_RETURNED, value, KEPT_INPUTS, (uint32_t)old, (uint32_t)(old >> 32));
        amd_scalar_write(w, data_sgpr(w, s, k, false), value, defined ? UINT32_MAX : 0);
    }
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
