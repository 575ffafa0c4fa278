/* SPDX-License-Identifier: MIT */
/* Makes the plan of a buffer instruction: operands, descriptor, index and swizzle, alignment. */
#include "model/amd/points/buffer_observe.h"

/* ---- scalar operands ---- */

enum { SGPR_VCC = 106, SGPR_TTMP = 108, SGPR_M0_OR_NULL = 124, SGPR_EXEC = 126 };

/* Reads vccz, execz or scc. A case has no SCC, so scc is 0. */
static enum amd_stop flag_operand(const struct amd_wave *w, uint32_t code, uint32_t *value)
{
    enum { VCCZ = 251, EXECZ = 252, SCC = 253 };
    uint32_t low, high;
    if (code < VCCZ || code > SCC || READING(SOFFSET_LEGAL_VALUES) != AMD_SOFFSET_FLAGS)
        return AMD_STOP_OPERAND;
    bool known = amd_scalar_read(w, SGPR_VCC, &low) && amd_scalar_read(w, SGPR_VCC + 1, &high);
    *value = code == VCCZ ? known && !(low | high) : code == EXECZ ? w->exec == 0 : 0;
    return code == VCCZ && !known ? AMD_STOP_UNDEFINED : AMD_GO;
}

/* Returns what a code names, after rules. `*value`: the number of an SGPR, or a constant. */
static enum amd_source source_of(const struct amd_wave *w, const struct amd_insn *i, uint32_t code,
                                 uint32_t *value)
{
    enum amd_source source = amd_soffset_source(w->generation, code, value);
    uint32_t now =
        AMD_OBSERVE(OPERAND_SOURCE, (uint32_t)source, w->generation, i->op->encoding, i->code, code);
    if (now == AMD_SOURCE_SGPR && now != (uint32_t)source)
        *value = code;
    return now > AMD_SOURCE_RESERVED ? AMD_SOURCE_RESERVED : (enum amd_source)now;
}

static enum amd_stop read_operand(const struct amd_wave *w, const struct amd_insn *i, uint32_t code,
                                  uint32_t *value)
{
    enum amd_source source = source_of(w, i, code, value);
    /* a rule can make any code name M0 or null */
    if ((source == AMD_SOURCE_M0 || source == AMD_SOURCE_NULL) && code - SGPR_M0_OR_NULL < 2 &&
        READING_IN(M0_NULL_SWAP, code - SGPR_M0_OR_NULL))
        source = source == AMD_SOURCE_M0 ? AMD_SOURCE_NULL : AMD_SOURCE_M0;
    switch (source) {
    case AMD_SOURCE_SGPR:
        return amd_scalar_read(w, *value, value) ? AMD_GO : AMD_STOP_UNDEFINED;
    case AMD_SOURCE_CONSTANT:
        return READING_IN(SOFFSET_LEGAL_VALUES, 1) == AMD_SOFFSET_NO_CONSTANTS ? AMD_STOP_OPERAND : AMD_GO;
    case AMD_SOURCE_M0:
        *value = w->m0;
        return AMD_GO;
    case AMD_SOURCE_NULL:
        *value = 0;
        return AMD_GO;
    case AMD_SOURCE_SPECIAL: /* vcc, trap temporaries and other codes among the SGPRs */
        if (code < SGPR_M0_OR_NULL || (code >= SGPR_EXEC && code < AMD_SGPRS))
            return amd_scalar_read(w, code, value) ? AMD_GO : AMD_STOP_UNDEFINED;
        return flag_operand(w, code, value);
    case AMD_SOURCE_RESERVED:
        break;
    }
    return AMD_STOP_OPERAND;
}

enum amd_stop buffer_scalar_operand(const struct amd_wave *w, const struct amd_insn *i, uint32_t code,
                                    uint32_t *value)
{
    code = AMD_OBSERVE(OPERAND_CODE, code, w->generation, i->op->encoding, i->code, i->offset);
    enum amd_stop stop = read_operand(w, i, code, value);
    if (!stop)
        *value = AMD_OBSERVE(OPERAND_SOFFSET, *value, w->generation, i->op->encoding, i->code, code, w->m0);
    return stop;
}

uint32_t buffer_data_registers(const struct amd_wave *w, const struct amd_insn *i)
{
    const struct amd_op *op = i->op;
    return AMD_OBSERVE(DATA_REGISTERS, amd_data_registers(w->generation, i), w->generation, op->encoding,
                       i->code, op->components, op->format, op->d16, amd_compares(op), i->lds, i->vdata & 1);
}

bool buffer_descriptor_words(const struct amd_wave *w, const struct amd_insn *i, uint32_t first,
                             uint32_t words[AMD_DESCRIPTOR_WORDS])
{
    for (unsigned k = 0; k < AMD_DESCRIPTOR_WORDS; k++) {
        const uint32_t number =
            AMD_OBSERVE(RESOURCE_WORD, first + k, w->generation, i->op->encoding, i->code, first, k);
        if (!amd_scalar_read(w, number, &words[k]))
            return false;
    }
    return true;
}

static enum amd_stop read_descriptor(struct amd_wave *w, const struct amd_insn *i, uint32_t first,
                                     struct amd_descriptor *d)
{
    struct amd_decoded *last = &w->decoded;
    uint32_t words[AMD_DESCRIPTOR_WORDS];
    if (!buffer_descriptor_words(w, i, first, words))
        return AMD_STOP_UNDEFINED;
    if (!last->made || last->generation != w->generation || memcmp(last->words, words, sizeof words) != 0) {
        amd_descriptor_decode(w->generation, words, &last->d);
        memcpy(last->words, words, sizeof words);
        last->generation = w->generation;
        last->made = true;
    }
    *d = last->d;
    if (w->observer)
        buffer_observe_descriptor(w, i, words, d);
    return AMD_GO;
}

static enum amd_stop vector_descriptor(struct amd_wave *w, const struct amd_insn *i, struct amd_descriptor *d)
{
    uint32_t first =
        AMD_OBSERVE(RESOURCE_SGPR, 4 * i->srsrc, w->generation, i->op->encoding, i->code, i->srsrc);
    if (first == SGPR_M0_OR_NULL) /* not a group of SGPRs: null, m0, exec */
        return AMD_STOP_OPERAND;
    if (first + 4 > SGPR_VCC && first < SGPR_TTMP && READING(SRSRC_VCC) == AMD_SRSRC_VCC_REFUSED)
        return AMD_STOP_OPERAND;
    return read_descriptor(w, i, first, d);
}

/* ---- special descriptors ---- */

/* Does the instruction take its data format, and so dst_sel, from the V#? */
static bool format_of_descriptor(const struct buffer_plan *p)
{
    return p->op->format && p->op->encoding == AMD_MUBUF;
}

static bool all_zero_but_resource_level(const struct amd_descriptor *d)
{
    static const uint32_t zeros[AMD_DESCRIPTOR_WORDS];
    struct amd_descriptor rest = *d;
    uint32_t words[AMD_DESCRIPTOR_WORDS];
    rest.resource_level = 0;
    amd_descriptor_encode(AMD_GFX10, &rest, words);
    return !memcmp(words, zeros, sizeof words);
}

/* An invalid data format makes a V# unbound ("RDNA3" guide, chapter 9). ADD_TID exempts MUBUF: on GFX8 and
 * GFX9 the field then holds bits of the stride. */
static bool is_unbound(const struct amd_wave *w, const struct buffer_plan *p)
{
    uint32_t format = amd_is_gcn(w->generation) ? p->d.format & 15 : p->d.format;
    if (format)
        return false;
    if (w->generation == AMD_GFX10 && READING(ALL_ZERO_RESOURCE_LEVEL) && !all_zero_but_resource_level(&p->d))
        return false;
    if (!format_of_descriptor(p) && READING(UNBOUND_NONFORMAT))
        return false;
    bool exempt = p->op->encoding == AMD_MUBUF && p->d.add_tid_enable;
    return !exempt || READING(UNBOUND_ADDTID);
}

static void prepare_special(const struct amd_wave *w, struct buffer_plan *p)
{
    p->effect = BUFFER_MOVES;
    p->bound = true;
    if (w->any_type)
        return;
    p->bound = AMD_OBSERVE(BUFFER_BOUND, !p->d.type && !is_unbound(w, p), w->generation, p->d.type,
                           p->d.format & (amd_is_gcn(w->generation) ? 15 : 127), p->d.add_tid_enable,
                           p->op->encoding == AMD_MTBUF, format_of_descriptor(p),
                           !all_zero_but_resource_level(&p->d));
    if (p->bound)
        return;
    if (p->d.type) {
        p->effect = READING(MISMATCH_RETURN) ? BUFFER_ZERO : BUFFER_UNTOUCHED;
    } else {
        p->effect = BUFFER_ZERO;
        p->unbound_by_selector = format_of_descriptor(p) && READING(UNBOUND_DST_SEL);
    }
}

/* ---- index, stride, swizzle ---- */

#define INDEX_INPUTS w->generation, p->d.swizzle_enable, p->insn->idxen, p->d.add_tid_enable, p->d.oob_select

/* Only rules make larger strides. Keeps index * stride below 2^62 (check_unit). */
enum { STRIDE_MASK = 0x3FFFFFFF };

static uint32_t descriptor_stride(const struct amd_wave *w, const struct buffer_plan *p)
{
    static const uint8_t scales[] = {1, 4, 8, 32};
    if (w->generation == AMD_GFX12)
        return p->d.stride * scales[p->d.stride_scale];
    uint32_t more = amd_is_gcn(w->generation) && p->d.add_tid_enable ? p->d.format & 15 : 0;
    if (!more)
        return p->d.stride;
    bool raw = p->op->encoding == AMD_MUBUF && !p->op->format;
    unsigned reading = READING_IN(STRIDE_18_BIT, raw ? 0 : 1);
    bool wide = reading == AMD_STRIDE_18_ALL ||
                (raw && (reading == READING_MANUAL || (reading == AMD_STRIDE_18_LANE && p->lane_index)));
    return p->d.stride | AMD_OBSERVE(STRIDE_HIGH, wide ? more : 0, INDEX_INPUTS, more, raw, p->lane_index)
                             << 14;
}

/* Bits 115 and 116 of the V#: ELEMENT_SIZE on GFX8, USER_VM_* on GFX9, reserved on GFX10. */
static uint32_t element_bits(const struct amd_wave *w, const struct amd_descriptor *d)
{
    if (w->generation == AMD_GFX8)
        return d->element_size;
    return amd_is_gfx9(w->generation) ? d->user_vm_enable | d->user_vm_mode << 1 : d->reserved & 3;
}

static uint32_t observed_element_size(const struct amd_wave *w, const struct buffer_plan *p)
{
    uint32_t log = (uint32_t)__builtin_ctz(p->element_size);
    return 1U << AMD_OBSERVE(SWIZZLE_ELEMENT_LOG, log, INDEX_INPUTS, element_bits(w, &p->d));
}

static uint32_t observed_index_stride(const struct amd_wave *w, const struct buffer_plan *p)
{
    return 1U << AMD_OBSERVE(SWIZZLE_INDEX_LOG, 3U + p->d.index_stride, INDEX_INPUTS, p->d.index_stride);
}

static bool swizzle_wanted(const struct amd_wave *w, struct buffer_plan *p)
{
    enum { RESERVED = 2, ELEMENT_16 = 3 };
    const struct amd_descriptor *d = &p->d;
    p->element_size = 4;
    if (!d->swizzle_enable)
        return false;
    if (amd_is_gfx11(w->generation)) {
        p->element_size = d->swizzle_enable == ELEMENT_16 ? 16 : 4;
        return d->swizzle_enable != RESERVED || READING(SWIZZLE_ENABLE_2);
    }
    if (w->generation == AMD_GFX8) {
        p->element_size = 2U << d->element_size;
        return true;
    }
    uint32_t bits = element_bits(w, d);
    if (bits != 1 && READING(ELEMENT_SIZE_GFX9_GFX10))
        p->element_size = 2U << bits;
    return true;
}

static void prepare_index(const struct amd_wave *w, struct buffer_plan *p)
{
    const struct amd_descriptor *d = &p->d;
    bool idxen = p->insn->idxen, lane = d->add_tid_enable;
    p->index_stride = observed_index_stride(w, p);
    p->swizzled = AMD_OBSERVE(SWIZZLE_WANTED, swizzle_wanted(w, p), INDEX_INPUTS);
    p->element_size = observed_element_size(w, p);
    if (idxen && lane) {
        unsigned reading = READING_IN(IDXEN_PLUS_ADDTID, p->swizzled);
        lane = reading == READING_MANUAL || (reading == AMD_INDEX_LANE_WITH_SWIZZLE && d->swizzle_enable);
    }
    p->lane_index = AMD_OBSERVE(INDEX_ADD_LANE, lane, INDEX_INPUTS);
    p->stride = p->range_stride = AMD_OBSERVE(STRIDE_BYTES, descriptor_stride(w, p), INDEX_INPUTS, d->stride,
                                              d->stride_scale, d->format & 15);
    p->range_stride = AMD_OBSERVE(STRIDE_CHECK, p->range_stride, INDEX_INPUTS) & STRIDE_MASK;
}

/* Runs after buffer_prepare_range: range checks depend on SWIZZLE_ENABLE, even where the address is not
 * swizzled. */
static void prepare_swizzle(const struct amd_wave *w, struct buffer_plan *p)
{
    bool idxen = p->insn->idxen, add_tid = p->d.add_tid_enable;
    if (p->swizzled && !add_tid) {
        unsigned reading = READING_IN(SWIZZLE_WITHOUT_INDEX, idxen);
        p->swizzled = reading == READING_MANUAL || (reading == AMD_SWIZZLE_NEEDS_INDEX && idxen);
    }
    p->swizzled = AMD_OBSERVE(SWIZZLE_ON, p->swizzled, INDEX_INPUTS);
    p->stride = AMD_OBSERVE(STRIDE_ADDRESS, p->stride, w->generation, p->range.mode, idxen, add_tid,
                            p->swizzled, p->swizzled ? p->element_size : 1, p->soffset) &
                STRIDE_MASK;
    if (!p->swizzled)
        return;
    if (p->stride % p->element_size && READING(STRIDE_NOT_MULTIPLE))
        p->stride += p->element_size - p->stride % p->element_size;
    bool with_soffset = p->soffset && READING(OFFSET_SOFFSET_IN_SWIZZLE);
    if (AMD_OBSERVE(SWIZZLE_SOFFSET, with_soffset, INDEX_INPUTS, p->soffset)) {
        p->swizzled_soffset = p->soffset;
        p->soffset = 0;
    }
    p->per_unit = (p->units > 1 || p->unit_bytes > p->element_size) && READING(SWIZZLE_WIDE_ACCESS);
    p->per_unit = AMD_OBSERVE(SWIZZLE_PER_DWORD, p->per_unit, INDEX_INPUTS, p->units, p->element_size);
}

/* ---- alignment ---- */

static uint32_t strict_alignment(const struct amd_wave *w, uint32_t bytes)
{
    static const uint8_t b96[] = {12, [AMD_B96_DWORD] = 4, [AMD_B96_16] = 16};
    return bytes == 12 ? b96[READING(STRICT_B96)] : bytes;
}

static void prepare_format_alignment(const struct amd_wave *w, struct buffer_plan *p)
{
    p->align = p->bytes < 4 ? p->bytes : 4;
    if (p->align == 1)
        return;
    bool strict = w->alignment == AMD_ALIGN_DWORD_STRICT || w->alignment == AMD_ALIGN_STRICT;
    unsigned reading = READING_IN(FORMAT_MISALIGN, strict);
    p->align_down = reading == AMD_MISALIGN_DOWN;
    p->violates = reading == AMD_MISALIGN_VIOLATES || (reading == READING_MANUAL && strict);
    if ((p->align_down || p->violates) && p->bytes > 4 && p->bytes != 12 && READING(FORMAT_COMPONENT_ALIGN))
        p->align = p->bytes;
}

/* Returns the alignment mode of accesses without a format. By clause gfx9-alignment-mode, GFX8 and GFX9 may
 * always use DWORD. */
static enum amd_alignment alignment_mode(const struct amd_wave *w)
{
    if (!amd_is_gcn(w->generation) || w->alignment == AMD_ALIGN_DWORD || READING(GFX9_ALIGNMENT_MODE))
        return w->alignment;
    return AMD_ALIGN_DWORD;
}

#define ALIGN_INPUTS w->generation, w->alignment, p->bytes, p->layout != NULL, p->atomic

static void choose_alignment(const struct amd_wave *w, struct buffer_plan *p)
{
    uint32_t dword = p->bytes < 4 ? p->bytes : 4;
    p->align = 1;
    if (p->layout) {
        prepare_format_alignment(w, p);
        return;
    }
    if (p->atomic) {
        p->align = p->bytes;
        p->align_down = w->alignment == AMD_ALIGN_DWORD && READING(ATOMIC_ALIGN_MODE);
        p->violates = !p->align_down;
        return;
    }
    if (dword == 1)
        return;
    enum amd_alignment mode =
        (enum amd_alignment)AMD_OBSERVE(ALIGN_MODE, (uint32_t)alignment_mode(w), ALIGN_INPUTS);
    p->align_down = mode == AMD_ALIGN_DWORD;
    p->violates = mode == AMD_ALIGN_DWORD_STRICT || mode == AMD_ALIGN_STRICT;
    if (p->align_down || p->violates)
        p->align = mode == AMD_ALIGN_STRICT ? strict_alignment(w, p->bytes) : dword;
    if (p->align_down) {
        p->mask_offset = READING(DWORD_MODE_SWIZZLED);
        p->check_aligned = READING(CHECK_VS_ALIGN_ORDER);
    }
}

static void prepare_alignment(const struct amd_wave *w, struct buffer_plan *p)
{
    choose_alignment(w, p);
    p->align = AMD_OBSERVE(ALIGN_BYTES, p->align, ALIGN_INPUTS);
    p->align = p->align ? p->align : 1;
    p->align_down = AMD_OBSERVE(ALIGN_DOWN, p->align_down, ALIGN_INPUTS);
    p->violates &= !p->align_down; /* an address that a rule rounds down is aligned */
    p->violates = AMD_OBSERVE(ALIGN_VIOLATES, p->violates, ALIGN_INPUTS);
}

/* Sets a format's alignment for all readings at once. An address with this alignment is a violation under no
 * reading, and no reading moves it by rounding it down. */
static void prepare_strictest_alignment(const struct amd_wave *w, struct buffer_plan *p)
{
    if (!p->layout) {
        prepare_alignment(w, p);
        return;
    }
    p->align = p->bytes == 12 ? 4 : p->bytes;
    p->violates = p->align > 1;
}

/* ---- the plan ---- */

/* Returns the number of the last register that the operation writes, plus 1; 0 if it writes none. */
static uint32_t destination_end(const struct amd_wave *w, const struct buffer_plan *p)
{
    const struct amd_insn *i = p->insn;
    bool returns = p->op->kind == AMD_LOAD || (p->atomic && i->glc);
    if (!returns || p->to_lds)
        return 0;
    unsigned registers = p->atomic ? p->op->components : p->registers;
    if (p->op->format && p->op->d16) /* clause gfx8-d16-unpacked decides */
        registers = p->unpacked ? p->op->components : (p->op->components + 1U) / 2;
    registers = AMD_OBSERVE(DESTINATION_REGISTERS, registers + i->tfe, w->generation, p->op->components,
                            p->op->d16, p->op->format, p->atomic, i->tfe);
    return AMD_OBSERVE(DESTINATION_END, i->vdata + registers, i->vdata, registers, w->generation);
}

/* If not all registers that the operation writes are allocated, "RDNA3" guide 3.3 makes it act as if EXEC
 * were 0. */
static void prepare_destination(const struct amd_wave *w, struct buffer_plan *p)
{
    uint32_t end = destination_end(w, p), typed = p->op->encoding == AMD_MTBUF,
             format = typed ? p->insn->format : p->d.format;
    bool fits = end <= w->vgprs || READING(VGPR_OUT_OF_RANGE),
         done = AMD_OBSERVE(BUFFER_DONE, fits && p->effect != BUFFER_UNTOUCHED, w->generation, p->d.type,
                            typed, format & (amd_is_gcn(w->generation) ? 15 : 127), end - (end > 0), w->vgprs,
                            p->bound);
    if (!done)
        p->effect = BUFFER_UNTOUCHED;
    else if (p->effect == BUFFER_UNTOUCHED)
        p->effect = BUFFER_ZERO;
}

static enum amd_stop check_encoding(const struct amd_wave *w, const struct amd_insn *i)
{
    if (i->unused && READING(RESERVED_BITS))
        return AMD_STOP_ENCODING;
    if (w->generation == AMD_GFX12 && amd_ioffset(i) < 0 && READING(IOFFSET_NEGATIVE) == READING_MANUAL)
        return AMD_STOP_ENCODING;
    if (i->op->kind == AMD_ATOMIC && i->op->atomic == AMD_ATOMIC_CSUB && !i->glc && !READING(LLVM_CSUB_GLC))
        return AMD_STOP_ENCODING;
    return AMD_GO;
}

/* Clause vgpr-group-align: on CDNA, a group of registers must begin at an even number. */
static enum amd_stop check_groups(const struct amd_wave *w, const struct amd_insn *i, uint32_t registers)
{
    if (!amd_is_cdna(w->generation))
        return AMD_GO;
    bool data = i->vdata % 2 && registers > 1,
         address = i->vaddr % 2 && amd_address_registers(i) > 1 && i->op->kind != AMD_STORE_LDS;
    return (data || address) && READING_IN(VGPR_GROUP_ALIGN, !data) == READING_MANUAL ? AMD_STOP_OPERAND
                                                                                      : AMD_GO;
}

/* Observes how many dwords, and how many bytes of each, a lane moves. */
static void observe_size(const struct amd_wave *w, struct buffer_plan *p)
{
    uint32_t dwords = AMD_OBSERVE(ACCESS_DWORDS, p->units, w->generation, p->op->encoding, p->insn->code,
                                  p->bytes, p->layout != NULL),
             bytes = AMD_OBSERVE(ACCESS_UNIT, p->unit_bytes, w->generation, p->op->encoding, p->insn->code,
                                 p->bytes, p->layout != NULL);
    p->units = dwords < 1 ? 1 : dwords > AMD_UNITS ? AMD_UNITS : dwords;
    p->unit_bytes = bytes < 1 || bytes > 4 ? 4 : bytes;
}

/* Checks the encoding, reads the V# and SOFFSET, and decides whether the instruction has an effect and on how
 * many bytes. */
static enum amd_stop prepare_operation(struct amd_wave *w, const struct amd_insn *i, struct buffer_plan *p)
{
    memset(p, 0, sizeof *p);
    p->insn = i;
    p->op = i->op;
    p->atomic = i->op->kind == AMD_ATOMIC;
    p->to_lds = amd_to_lds(i);
    if (i->op->kind == AMD_LOAD || i->op->kind == AMD_LOAD_LDS)
        p->to_lds = AMD_OBSERVE(LDS_LOAD, p->to_lds, w->generation, i->op->encoding, i->code, i->lds,
                                i->op->lds_bit, i->op->components);
    p->registers = buffer_data_registers(w, i);
    p->offset = w->generation == AMD_GFX12 ? (uint32_t)amd_ioffset(i) : i->offset;
    enum amd_stop stop = check_encoding(w, i);
    if (!stop)
        stop = check_groups(w, i, p->registers);
    stop = AMD_OBSERVE_STOP(FAULT_ENCODING, stop, w->generation, i->code, i->glc, i->unused, i->vdata,
                            i->vaddr, i->offset, i->format, p->registers, amd_address_registers(i));
    if (stop)
        return stop;
    stop = vector_descriptor(w, i, &p->d);
    if (!stop)
        stop = buffer_scalar_operand(w, i, i->soffset, &p->soffset);
    stop = AMD_OBSERVE_STOP(FAULT_OPERAND, stop, w->generation, i->code, i->srsrc, i->soffset);
    if (stop)
        return stop;
    p->base = p->d.base;
    prepare_special(w, p);
    stop = buffer_prepare_format(w, p);
    if (stop)
        return stop;
    /* A format without a layout has 0 bytes and moves nothing. */
    p->unit_bytes = p->bytes && p->bytes < 4 ? p->bytes : 4;
    p->units = p->bytes > 4 ? p->bytes / 4 : 1;
    if (w->observer && !p->atomic && i->op->kind != AMD_STORE_LDS)
        observe_size(w, p);
    prepare_destination(w, p);
    return AMD_GO;
}

/* Returns whether the instruction moves anything. If so, only its places, range check and alignment are left
 * to prepare. */
static bool prepare_move(struct amd_wave *w, const struct amd_insn *i, struct buffer_plan *p,
                         enum amd_stop *stop)
{
    *stop = prepare_operation(w, i, p);
    if (*stop || p->effect != BUFFER_MOVES)
        return false;
    prepare_index(w, p);
    return true;
}

enum amd_stop buffer_prepare(struct amd_wave *w, const struct amd_insn *i, struct buffer_plan *p)
{
    enum amd_stop stop;
    if (prepare_move(w, i, p, &stop)) {
        buffer_prepare_range(w, p);
        prepare_swizzle(w, p);
        prepare_alignment(w, p);
    }
    return stop;
}

enum amd_stop buffer_prepare_places(struct amd_wave *w, const struct amd_insn *i, struct buffer_plan *p)
{
    enum amd_stop stop;
    if (prepare_move(w, i, p, &stop)) {
        buffer_prepare_no_range(w, p);
        prepare_swizzle(w, p);
        prepare_strictest_alignment(w, p);
    }
    return stop;
}

enum amd_stop buffer_prepare_checks(struct amd_wave *w, const struct amd_insn *i, struct buffer_plan *p)
{
    enum amd_stop stop;
    if (prepare_move(w, i, p, &stop))
        buffer_prepare_range(w, p);
    return stop;
}
