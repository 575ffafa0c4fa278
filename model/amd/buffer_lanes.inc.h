/* SPDX-License-Identifier: MIT */
/* Template: moves data between memory, vector registers and LDS. Included by buffer_kernels.inc.h. */

#include "model/amd/points/buffer_observe_data.inc.h"

/* ---- vector registers ---- */

/* Completes a D16 result (16 bits a lane): the other half of the register keeps its content, or becomes 0
 * where memory has SRAM-ECC. */
static void keep_other_half(const struct amd_wave *w, uint32_t number, bool high, uint32_t *value,
                            uint32_t *defined)
{
    bool zero = READING(D16_ECC);
    unsigned shift = high ? 16 : 0;
    uint32_t mask = UINT32_C(0xFFFF) << shift, old_defined;
    for (unsigned n = 0; n < AMD_LANES; n++) {
        uint32_t old = zero ? 0 : amd_vgpr_read(w, number, n, &old_defined);
        value[n] = (value[n] & 0xFFFF) << shift | (old & ~mask);
        if (w->checked)
            defined[n] = (defined[n] & 0xFFFF) << shift | (zero ? ~mask : old_defined & ~mask);
    }
}

/* ---- memory ---- */

/* Reads 1, 2 or 4 bytes, all inside memory. */
static inline uint32_t read_bytes(const uint32_t *word, uint32_t address, uint32_t bytes)
{
    uint32_t shift = 8 * (address & 3), value = word[address / 4] >> shift;
    if ((address & 3) + bytes > 4)
        value |= word[address / 4 + 1] << (32 - shift);
    return bytes == 4 ? value : value & ((UINT32_C(1) << 8 * bytes) - 1);
}

static inline void write_byte(uint32_t *word, uint32_t address, uint32_t value)
{
    uint32_t shift = 8 * (address & 3);
    word[address / 4] = (word[address / 4] & ~(UINT32_C(0xFF) << shift)) | (value & 0xFF) << shift;
}

/* Reads a unit in pieces, byte by byte. */
static void gather_pieces(struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l, unsigned k,
                          unsigned n)
{
    uint32_t value = 0, defined = 0;
    for (unsigned b = 0; b < p->unit_bytes; b++) {
        uint64_t at = byte_address(w, p, l, n, k, b);
        bool resident = at < AMD_MEMORY_BYTES;
        value |= (resident ? read_bytes(w->memory.value, (uint32_t)at, 1) : w->filler & 0xFF) << 8 * b;
        if (w->checked && resident)
            defined |= read_bytes(w->memory.defined, (uint32_t)at, 1) << 8 * b;
    }
    l->data[k][n] = value;
    l->defined[k][n] = defined | ~(UINT32_MAX >> (32 - 8 * p->unit_bytes));
}

static void gather_plain(const struct amd_wave *w, struct buffer_lanes *l, unsigned k)
{
    for (unsigned n = 0; n < AMD_LANES; n++)
        l->data[k][n] = w->memory.value[l->address[k][n] / 4];
    for (unsigned n = 0; w->checked && n < AMD_LANES; n++)
        l->defined[k][n] = w->memory.defined[l->address[k][n] / 4];
}

static void gather_unit(const struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l,
                        unsigned k)
{
    uint32_t size = p->unit_bytes, above = ~(UINT32_MAX >> (32 - 8 * size));
    for (unsigned n = 0; n < AMD_LANES; n++) {
        uint32_t decision = l->decision[k][n], at = (uint32_t)l->address[k][n];
        l->data[k][n] = decision == AMD_DONE           ? read_bytes(w->memory.value, at, size)
                        : decision == AMD_NOT_RESIDENT ? w->filler & ~above
                                                       : 0;
        if (w->checked)
            l->defined[k][n] = decision == AMD_DONE ? read_bytes(w->memory.defined, at, size) | above
                               : decision == AMD_NOT_RESIDENT ? above
                                                              : UINT32_MAX;
    }
}

static void gather(struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l)
{
    for (unsigned k = 0; k < p->units; k++)
        if (l->plain >> k & 1)
            gather_plain(w, l, k);
        else
            gather_unit(w, p, l, k);
    for (unsigned k = 0; k < p->units && l->any_in_pieces; k++)
        for (unsigned n = 0; n < AMD_LANES; n++)
            if (l->decision[k][n] == AMD_DONE && in_pieces(w, p, l, n))
                gather_pieces(w, p, l, k, n);
    if (BUFFER_OBSERVED)
        observe_gathered(w, p, l);
}

static void touch_byte(struct amd_wave *w, uint32_t address)
{
    amd_touch(&w->memory, address / (4 * AMD_LANES));
}

/* Writes a byte in a checked run. The lanes of an instruction store in an unknown order, so the byte becomes
 * undefined if two of them store different values. */
static void write_byte_checked(struct amd_wave *w, uint32_t at, uint32_t value, uint32_t defined)
{
    uint32_t mine = 2 * w->serial, *stamp = &w->stamp[at];
    bool differs = read_bytes(w->memory.value, at, 1) != (value & 0xFF) ||
                   read_bytes(w->memory.defined, at, 1) != (defined & 0xFF);
    if (*stamp == mine + 1 || (*stamp == mine && differs)) {
        *stamp = mine + 1;
        defined = 0;
    } else {
        *stamp = mine;
    }
    write_byte(w->memory.value, at, value);
    write_byte(w->memory.defined, at, defined);
    touch_byte(w, at);
}

static void scatter_bytes(struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l, unsigned k,
                          unsigned n)
{
    for (unsigned b = 0; b < p->unit_bytes; b++) {
        uint64_t at = byte_address(w, p, l, n, k, b);
        if (at >= AMD_MEMORY_BYTES)
            continue;
        if (w->checked) {
            write_byte_checked(w, (uint32_t)at, l->data[k][n] >> 8 * b, l->defined[k][n] >> 8 * b);
        } else {
            write_byte(w->memory.value, (uint32_t)at, l->data[k][n] >> 8 * b);
            touch_byte(w, (uint32_t)at);
        }
    }
}

static void scatter(struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l)
{
    if (BUFFER_OBSERVED)
        observe_scattered(w, p, l);
    for (unsigned n = 0; n < AMD_LANES; n++)
        for (unsigned k = 0; k < p->units; k++) {
            uint64_t at = l->address[k][n];
            if (l->decision[k][n] != AMD_DONE || (BUFFER_OBSERVED && l->left_out[k] >> n & 1))
                continue;
            if (w->checked || l->any_in_pieces || p->unit_bytes != 4 || at % 4) {
                scatter_bytes(w, p, l, k, n);
                continue;
            }
            w->memory.value[at / 4] = l->data[k][n];
            touch_byte(w, (uint32_t)at);
        }
}

/* ---- components of a format ---- */

#define CHANNEL_INPUTS p->layout->low[c], c, bits, w->generation

/* Extracts the field of channel `c`; no field crosses a dword. */
static void extract(const struct amd_wave *w, const struct buffer_plan *p, const struct buffer_lanes *l,
                    unsigned c, uint32_t *value, uint32_t *defined)
{
    unsigned k = p->layout->low[c] / 32, shift = p->layout->low[c] % 32, bits = p->layout->bits[c];
    uint32_t mask = UINT32_MAX >> (32 - bits);
    if (BUFFER_OBSERVED) {
        k = AMD_OBSERVE(LOAD_FIELD_DWORD, k, CHANNEL_INPUTS);
        shift = AMD_OBSERVE(LOAD_FIELD_LOW, shift, CHANNEL_INPUTS);
    }
    for (unsigned n = 0; n < AMD_LANES; n++)
        value[n] = l->data[k][n] >> shift & mask;
    for (unsigned n = 0; w->checked && n < AMD_LANES; n++)
        defined[n] = (l->defined[k][n] >> shift & mask) == mask ? UINT32_MAX : 0;
}

/* Clause two-bit-alpha-unsigned: GFX8 may read W of 2_10_10_10 without a sign. */
static enum amd_number number_of_channel(const struct amd_wave *w, const struct buffer_plan *p, unsigned c)
{
    static const uint8_t unsigned_of[AMD_NUMBERS] = {AMD_UNORM, AMD_UNORM, AMD_USCALED, AMD_USCALED,
                                                     AMD_UINT,  AMD_UINT,  AMD_UINT,    AMD_FLOAT};
    bool is_signed = p->number == AMD_SNORM || p->number == AMD_SSCALED || p->number == AMD_SINT;
    if (!is_signed || c != 3 || p->layout->bits[c] != 2 || !READING(TWO_BIT_ALPHA_UNSIGNED))
        return p->number;
    return (enum amd_number)unsigned_of[p->number];
}

/* Makes the instruction's component `i` in all lanes, and converts it to 16 bits for D16. A lane out of range
 * gets 0, or 1 if the selector is the constant 1. */
static void load_component(struct amd_wave *w, const struct buffer_plan *p, const struct buffer_lanes *l,
                           unsigned i, uint32_t *value, uint32_t *defined)
{
    unsigned select = p->select[i], c = select - AMD_SEL_X;
    for (unsigned n = 0; n < AMD_LANES; n++) {
        value[n] = select == AMD_SEL_1 && !(l->zeroed >> n & 1) ? p->one : 0;
        defined[n] = UINT32_MAX;
    }
    if (select < AMD_SEL_X || c >= p->layout->components)
        return;
    enum amd_number number = number_of_channel(w, p, c);
    unsigned bits = p->layout->bits[c], k = p->layout->low[c] / 32;
    extract(w, p, l, c, value, defined);
    if (BUFFER_OBSERVED)
        number = observe_field(w, p, l, i, c, number, value);
    if (BUFFER_OBSERVED)
        convert_observed(w, p, OF_FIELD, number, bits, value);
    else
        amd_load_values(number, bits, &p->rules, value, AMD_LANES);
    if (BUFFER_OBSERVED) {
        observe_converted(w, p, l, i, c, number, value);
    } else {
        for (unsigned n = 0; p->op->d16 && n < AMD_LANES; n++)
            value[n] = amd_load_half(number, bits, value[n], &p->rules);
    }
    for (unsigned n = 0; n < AMD_LANES; n++) {
        bool moved = l->decision[k][n] == AMD_DONE || l->decision[k][n] == AMD_NOT_RESIDENT;
        value[n] = moved ? value[n] : 0;
        if (w->checked && !moved)
            defined[n] = UINT32_MAX;
    }
}

/* Makes a component and, in observed runs, passes it through its observation point. */
static void make_component(struct amd_wave *w, const struct buffer_plan *p, const struct buffer_lanes *l,
                           unsigned i, uint32_t *value, uint32_t *defined)
{
    load_component(w, p, l, i, value, defined);
    if (BUFFER_OBSERVED)
        observe_component(w, p, l, i, value);
}

/* Writes a register of the lanes in `mask`. `half`: only one half of it is loaded. */
static void write_register(struct amd_wave *w, const struct buffer_plan *p, const struct buffer_lanes *l,
                           unsigned i, bool half, uint32_t number, uint32_t *value, const uint32_t *defined,
                           uint64_t mask)
{
    if (BUFFER_OBSERVED) {
        observe_register(w, p, l, i, half, number, value);
        number =
            AMD_OBSERVE(LOAD_VGPR, number, p->insn->vdata, i, p->layout != NULL, p->op->d16, w->generation);
    }
    amd_vgpr_write(w, number, value, defined, mask);
}

static void load_format(struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l,
                        uint64_t mask)
{
    uint32_t value[4][AMD_LANES], defined[4][AMD_LANES];
    unsigned count = p->op->components, vdata = p->insn->vdata;
    for (unsigned i = 0; i < count; i++)
        make_component(w, p, l, i, value[i], defined[i]);
    if (!p->op->d16 || p->unpacked) {
        for (unsigned i = 0; i < count; i++)
            write_register(w, p, l, i, false, vdata + i, value[i], defined[i], mask);
        return;
    }
    for (unsigned i = 0; i < count; i += 2) {
        bool pair = i + 1 < count;
        if (BUFFER_OBSERVED)
            pair = AMD_OBSERVE(LOAD_PAIR, pair, i, count, w->generation) && pair;
        if (pair)
            for (unsigned n = 0; n < AMD_LANES; n++) {
                value[i][n] = (value[i][n] & 0xFFFF) | value[i + 1][n] << 16;
                defined[i][n] = (defined[i][n] & 0xFFFF) | defined[i + 1][n] << 16;
            }
        else
            keep_other_half(w, vdata + i / 2, p->op->hi, value[i], defined[i]);
        write_register(w, p, l, i, !pair, vdata + i / 2, value[i], defined[i], mask);
    }
}

/* ---- loads without a format ---- */

static void extend(const struct amd_wave *w, const struct buffer_plan *p, uint32_t *value, uint32_t *defined)
{
    const struct amd_op *op = p->op;
    uint32_t before[AMD_LANES];
    if (op->bytes >= 4 || !op->sign)
        return;
    if (BUFFER_OBSERVED)
        memcpy(before, value, sizeof before);
    uint32_t sign = UINT32_C(1) << (8 * op->bytes - 1);
    for (unsigned n = 0; n < AMD_LANES; n++)
        value[n] = (value[n] ^ sign) - sign;
    if (BUFFER_OBSERVED)
        observe_signed(w, p, before, value);
    for (unsigned n = 0; w->checked && n < AMD_LANES; n++)
        defined[n] = defined[n] == UINT32_MAX ? UINT32_MAX : 0;
}

static void load_raw(struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l, uint64_t mask)
{
    for (unsigned k = 0; k < p->op->components; k++) {
        extend(w, p, l->data[k], l->defined[k]);
        if (p->ones_when_out[k])
            for (unsigned n = 0; n < AMD_LANES; n++)
                l->data[k][n] = l->decision[k][n] == AMD_OUT_OF_RANGE ? p->one : l->data[k][n];
        if (p->op->d16)
            keep_other_half(w, p->insn->vdata, p->op->hi, l->data[k], l->defined[k]);
        write_register(w, p, l, k, p->op->d16, p->insn->vdata + k, l->data[k], l->defined[k], mask);
    }
}

/* ---- LDS ---- */

/* Finds the lane's dword in LDS. Returns false if it is outside: the lane does nothing ("CDNA3" guide, loads
 * to LDS). */
static bool lds_place(const struct amd_wave *w, const struct buffer_plan *p, unsigned lane, uint32_t *word)
{
    uint32_t at = (w->m0 & (w->generation == AMD_GFX942 ? 0x3FFFF : 0xFFFF)) + 4 * lane;
    if (p->offset && READING(LDS_INST_OFFSET))
        at += p->offset;
    if (BUFFER_OBSERVED)
        at =
            AMD_OBSERVE(LDS_ADDRESS, at, lane, w->m0, p->offset, p->op->kind == AMD_STORE_LDS, w->generation);
    *word = at / 4;
    return at / 4 < AMD_LDS_BYTES / 4;
}

static void load_to_lds(struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l,
                        uint64_t mask)
{
    uint32_t value[AMD_LANES], defined[AMD_LANES], word;
    if (p->op->format) {
        make_component(w, p, l, 0, value, defined);
    } else {
        extend(w, p, l->data[0], l->defined[0]);
        for (unsigned n = 0; n < AMD_LANES; n++)
            value[n] = p->ones_when_out[0] && l->decision[0][n] == AMD_OUT_OF_RANGE ? p->one : l->data[0][n];
        memcpy(defined, l->defined[0], sizeof defined);
    }
    if (BUFFER_OBSERVED)
        AMD_OBSERVE_LANES(LDS_VALUE, value, AMD_LANES_OF(l->decision[0], l->data[0]), p->insn->code,
                          w->generation, value[0]);
    for (unsigned n = 0; n < w->lanes; n++) {
        if (!(mask >> n & 1) || !lds_place(w, p, n, &word))
            continue;
        w->lds.value[word] = value[n];
        if (w->checked)
            w->lds.defined[word] = defined[n];
        amd_touch(&w->lds, word / AMD_LANES);
    }
}

static void store_from_lds(struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l)
{
    uint32_t word;
    for (unsigned n = 0; n < w->lanes; n++) {
        if (!lds_place(w, p, n, &word)) {
            l->decision[0][n] = AMD_INACTIVE;
            continue;
        }
        l->data[0][n] = w->lds.value[word];
        l->defined[0][n] = w->checked ? w->lds.defined[word] : UINT32_MAX;
    }
}

/* ---- loads ---- */

/* Returns the lanes with a violation, and the reading of memviol-load-value. */
static uint64_t find_violations(const struct amd_wave *w, const struct buffer_plan *p,
                                const struct buffer_lanes *l, unsigned *reading)
{
    uint64_t violated = 0;
    for (unsigned n = 0; n < AMD_LANES; n++)
        for (unsigned k = 0; k < p->units; k++)
            violated |= (uint64_t)(l->decision[k][n] == AMD_VIOLATION) << n;
    *reading = violated ? READING(MEMVIOL_LOAD_VALUE) : 0;
    return violated;
}

/* Writes the register that TFE adds behind the data. It shows the lanes with data that was not resident
 * ("RDNA3" guide, chapter 9). */
static void load_status(struct amd_wave *w, const struct buffer_plan *p, const struct buffer_lanes *l,
                        uint64_t mask)
{
    uint32_t value[AMD_LANES], defined[AMD_LANES];
    uint64_t missing = 0;
    unsigned registers =
        p->op->format && p->op->d16 && !p->unpacked ? (p->op->components + 1U) / 2 : p->op->components;
    for (unsigned n = 0; n < AMD_LANES; n++) {
        for (unsigned k = 0; k < p->units; k++)
            missing |= (uint64_t)(l->decision[k][n] == AMD_NOT_RESIDENT) << n;
        defined[n] = missing >> n & 1 ? 0 : UINT32_MAX; /* no document gives the number */
        value[n] = missing >> n & 1 ? w->filler : 0;
    }
    mask = READING(TFE_BUFFER) ? mask : mask & missing;
    if (BUFFER_OBSERVED)
        mask = observe_status_write(w, p, missing, mask);
    uint32_t number = p->insn->vdata + registers;
    if (BUFFER_OBSERVED)
        number = AMD_OBSERVE(TFE_VGPR, number, p->insn->vdata, p->op->components, p->op->format, p->op->d16,
                             w->generation);
    amd_vgpr_write(w, number, value, defined, mask);
}

static void load(struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l)
{
    unsigned reading;
    uint64_t violated = find_violations(w, p, l, &reading), mask = w->exec;
    if (reading == AMD_MEMVIOL_UNTOUCHED)
        mask &= ~violated;
    l->zeroed |= reading == READING_MANUAL ? violated : 0;
    if (BUFFER_OBSERVED)
        mask = observe_written(w, p, l, mask);
    gather(w, p, l);
    if (p->to_lds) {
        load_to_lds(w, p, l, mask);
        return;
    }
    if (p->layout)
        load_format(w, p, l, mask);
    else
        load_raw(w, p, l, mask);
    if (p->insn->tfe)
        load_status(w, p, l, mask);
}

/* ---- stores ---- */

/* Returns the instruction's component that is stored in channel c; -1 if none is. */
static int component_for(const struct amd_wave *w, const struct buffer_plan *p, unsigned c)
{
    int lowest = -1, highest = -1;
    if (p->forward)
        return p->select[c] < AMD_SEL_X ? -1 : p->select[c] - AMD_SEL_X;
    for (int i = 3; i >= 0; i--)
        if (p->select[i] == AMD_SEL_X + c) {
            highest = highest < 0 ? i : highest;
            lowest = i;
        }
    return lowest != highest && READING(STORE_DST_SEL_DUPLICATE) ? highest : lowest;
}

/* Reads a register of all lanes; one that is not allocated is undefined. */
static void read_register(const struct amd_wave *w, uint32_t number, uint32_t *value, uint32_t *defined)
{
    if (number < w->vgprs) {
        memcpy(value, amd_row(&w->vgpr, number), AMD_LANES * sizeof *value);
        if (w->checked)
            memcpy(defined, amd_row_defined(&w->vgpr, number), AMD_LANES * sizeof *defined);
        return;
    }
    for (unsigned n = 0; n < AMD_LANES; n++) {
        value[n] = w->filler;
        defined[n] = 0;
    }
}

/* Returns the register of the instruction's component i, which is number `n` from VDATA on. */
static uint32_t data_register(const struct amd_wave *w, const struct buffer_plan *p, unsigned i, unsigned n)
{
    uint32_t number = p->insn->vdata + n;
    if (!BUFFER_OBSERVED)
        return number;
    return AMD_OBSERVE(STORE_VGPR, number, p->insn->vdata, i, p->layout != NULL, p->op->d16, w->generation);
}

/* Reads register `n` from VDATA on, for the instruction's component i. */
static void read_data(const struct amd_wave *w, const struct buffer_plan *p, unsigned i, unsigned n,
                      uint32_t *value, uint32_t *defined)
{
    const uint32_t number = data_register(w, p, i, n);
    read_register(w, number, value, defined);
    if (BUFFER_OBSERVED)
        observe_read(w, p, i, number, value);
}

/* Reads the instruction's component i: a word, or a half extended to a word. */
static void read_component(const struct amd_wave *w, const struct buffer_plan *p, unsigned i, uint32_t *value,
                           uint32_t *defined)
{
    if (!p->op->d16) {
        read_data(w, p, i, i, value, defined);
        return;
    }
    unsigned shift = p->op->hi || (!p->unpacked && i % 2) ? 16 : 0;
    read_data(w, p, i, p->unpacked ? i : i / 2, value, defined);
    for (unsigned n = 0; n < AMD_LANES; n++)
        value[n] = value[n] >> shift & 0xFFFF;
    if (BUFFER_OBSERVED)
        convert_observed(w, p, OF_D16, amd_is_integer(p->number) ? p->number : AMD_FLOAT, 16, value);
    else
        for (unsigned n = 0; n < AMD_LANES; n++)
            value[n] = amd_store_half(p->number, value[n], &p->rules);
    for (unsigned n = 0; w->checked && n < AMD_LANES; n++)
        defined[n] = (defined[n] >> shift & 0xFFFF) == 0xFFFF ? UINT32_MAX : 0;
}

static void fill_constant(uint32_t constant, uint32_t *value, uint32_t *defined)
{
    for (unsigned n = 0; n < AMD_LANES; n++) {
        value[n] = constant;
        defined[n] = UINT32_MAX;
    }
}

static void convert_for_store(struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l)
{
    uint32_t value[AMD_LANES], defined[AMD_LANES], converted[AMD_LANES];
    memset(l->data, 0, p->units * sizeof l->data[0]);
    if (w->checked)
        memset(l->defined, 0xFF, p->units * sizeof l->defined[0]);
    for (unsigned c = 0; c < p->layout->components; c++) {
        int i = component_for(w, p, c);
        bool one = p->forward && p->select[c] == AMD_SEL_1;
        if (BUFFER_OBSERVED)
            i = observe_source(w, p, c, i, &one);
        if (i >= p->op->components) /* not supplied */
            i = READING(STORE_MISSING_COMPONENTS) ? 0 : -1;
        if (i < 0 && !one)
            continue;
        unsigned k = p->layout->low[c] / 32, shift = p->layout->low[c] % 32, bits = p->layout->bits[c];
        uint32_t field = UINT32_MAX >> (32 - bits);
        if (BUFFER_OBSERVED) {
            k = AMD_OBSERVE(STORE_FIELD_DWORD, k, CHANNEL_INPUTS);
            shift = AMD_OBSERVE(STORE_FIELD_LOW, shift, CHANNEL_INPUTS);
        }
        if (one)
            fill_constant(amd_is_integer(p->number) ? 1 : f32_one, value, defined);
        else
            read_component(w, p, (unsigned)i, value, defined);
        if (BUFFER_OBSERVED) {
            observe_stored(w, p, one ? -1 : i, c, value);
        } else {
            amd_store_values(p->number, bits, &p->rules, value, AMD_LANES);
        }
        if (BUFFER_OBSERVED)
            memcpy(converted, value, sizeof converted);
        for (unsigned n = 0; n < AMD_LANES; n++)
            value[n] <<= shift;
        if (BUFFER_OBSERVED)
            observe_placed(w, p, one ? -1 : i, c, converted, value);
        for (unsigned n = 0; n < AMD_LANES; n++)
            l->data[k][n] |= value[n];
        for (unsigned n = 0; w->checked && n < AMD_LANES; n++)
            l->defined[k][n] &= defined[n] == UINT32_MAX ? UINT32_MAX : ~(field << shift);
    }
}

static void read_for_store(const struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l)
{
    for (unsigned k = 0; k < p->units; k++)
        read_data(w, p, k, k, l->data[k], l->defined[k]);
    if (p->op->hi)
        for (unsigned n = 0; n < AMD_LANES; n++) {
            l->data[0][n] >>= 16;
            l->defined[0][n] >>= 16;
        }
}

static void store(struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l)
{
    if (p->op->kind == AMD_STORE_LDS)
        store_from_lds(w, p, l);
    else if (p->layout)
        convert_for_store(w, p, l);
    else
        read_for_store(w, p, l);
    scatter(w, p, l);
}
