/* SPDX-License-Identifier: MIT */
/* Template: the data of loads and stores in observed runs. buffer_lanes.inc.h includes this file. */

#define DATA_INPUTS(channel, number) channel, (uint32_t)(number), p->layout->bits[channel], p->op->d16

/* The smallest and the largest whole number that `bits` bits hold, as 32 bits. */
static uint32_t lowest_number(enum amd_number number, unsigned bits)
{
    bool is_signed = number == AMD_SNORM || number == AMD_SSCALED || number == AMD_SINT;
    return is_signed ? UINT32_MAX << (bits - 1) : 0;
}
static uint32_t highest_number(enum amd_number number, unsigned bits)
{
    return UINT32_MAX >> (32 - bits) & ~lowest_number(number, bits);
}

/* Which conversion: of a loaded field, of a loaded value to D16, of a half of a D16 store, or of a value that
 * is stored. */
enum conversion { OF_FIELD, TO_D16, OF_D16, TO_FIELD };

static uint32_t convert_one(const struct buffer_plan *p, enum conversion which, enum amd_number number,
                            unsigned bits, uint32_t value, struct amd_watch *see)
{
    if (which == OF_FIELD)
        amd_load_watched(number, bits, &p->rules, &value, see);
    else if (which == TO_FIELD)
        amd_store_watched(number, bits, &p->rules, &value, see);
    else if (which == OF_D16)
        value = amd_store_half_watched(number, value, &p->rules, see);
    else
        value = amd_load_half_watched(number, bits, value, &p->rules, see);
    return value;
}

/* Converts a value of each lane with what `see` knows. Returns the set of steps that active lanes pass. */
static uint64_t convert_watched(const struct amd_wave *w, const struct buffer_plan *p, enum conversion which,
                                enum amd_number number, unsigned bits, const uint32_t *value,
                                uint32_t *converted, struct amd_watch *see)
{
    uint64_t passed = 0;
    for (unsigned n = 0; n < AMD_LANES; n++) {
        see[n].passed = 0;
        converted[n] = convert_one(p, which, number, bits, value[n], &see[n]);
        passed |= w->exec >> n & 1 ? see[n].passed : 0;
    }
    return passed;
}

/* Converts a value of each lane, and observes the steps that some lane passes, one after the other. Each step
 * is computed with what rules made of those before. */
static void convert_observed(const struct amd_wave *w, const struct buffer_plan *p, enum conversion which,
                             enum amd_number number, unsigned bits, uint32_t *value)
{
    struct amd_watch see[AMD_LANES];
    uint32_t converted[AMD_LANES];
    for (unsigned n = 0; n < AMD_LANES; n++)
        see[n].known = 0;
    uint64_t passed = convert_watched(w, p, which, number, bits, value, converted, see);
    for (unsigned step = 0; step < AMD_STEPS; step++) {
        uint32_t seen[AMD_LANES], input[AMD_STEP_INPUTS][AMD_LANES], changed = 0;
        if (!(passed >> step & 1) || !amd_watches(w, AMD_POINT_CONVERTED_NAN + step))
            continue;
        for (unsigned n = 0; n < AMD_LANES; n++) {
            const bool is = see[n].passed >> step & 1;
            see[n].value[step] = seen[n] = is ? see[n].seen[step] : 0;
            for (unsigned i = 0; i < AMD_STEP_INPUTS; i++)
                input[i][n] = is ? see[n].input[i][step] : 0;
        }
        buffer_observe_lanes(w, AMD_POINT_CONVERTED_NAN + step, seen,
                             AMD_LANES_OF(input[0], input[1], input[2], input[3]),
                             (const uint32_t[]){which >= OF_D16, (uint32_t)number, bits});
        for (unsigned n = 0; n < AMD_LANES; n++) {
            changed |= seen[n] ^ see[n].value[step];
            see[n].known |= see[n].passed & UINT64_C(1) << step;
            see[n].value[step] = seen[n];
        }
        if (changed) /* those after it may now have other values, or not take place */
            passed = convert_watched(w, p, which, number, bits, value, converted, see);
    }
    memcpy(value, converted, sizeof converted);
}

static void number_lanes(uint32_t thread[AMD_LANES])
{
    for (unsigned n = 0; n < AMD_LANES; n++)
        thread[n] = n;
}

/* ---- loads ---- */

/* Shows the lowest bit of each lane's unit k in its dword of memory. Reads the unit again from the bit that
 * rules make of it. */
static void observe_shift(const struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l,
                          unsigned k, const uint32_t address[AMD_LANES])
{
    uint32_t shift[AMD_LANES], before[AMD_LANES];
    if (!amd_watches(w, AMD_POINT_LOAD_SHIFT))
        return;
    for (unsigned n = 0; n < AMD_LANES; n++)
        before[n] = shift[n] = 8 * (address[n] & 3);
    AMD_OBSERVE_LANES(LOAD_SHIFT, shift, AMD_LANES_OF(l->decision[k], address), k, p->unit_bytes,
                      w->generation);
    for (unsigned n = 0; n < AMD_LANES; n++) {
        uint32_t at = address[n] / 4;
        if (shift[n] == before[n] || l->decision[k][n] != AMD_DONE)
            continue;
        uint64_t two = w->memory.value[at];
        if (at + 1 < AMD_MEMORY_BYTES / 4)
            two |= (uint64_t)w->memory.value[at + 1] << 32;
        l->data[k][n] = (uint32_t)(two >> shift[n]) & UINT32_MAX >> (32 - 8 * p->unit_bytes);
    }
}

/* The dword of memory at an address, or the `more`-th behind it; 0 outside. */
static uint32_t memory_word(const struct amd_wave *w, uint64_t address, uint32_t more)
{
    const uint64_t at = address / 4 + more;
    return at < AMD_MEMORY_BYTES / 4 ? w->memory.value[at] : 0;
}

static void observe_gathered(const struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l)
{
    for (unsigned k = 0; k < p->units; k++) {
        uint32_t address[AMD_LANES], word[AMD_LANES], next[AMD_LANES], apart[AMD_LANES];
        for (unsigned n = 0; n < AMD_LANES; n++) {
            apart[n] = in_pieces(w, p, l, n);
            address[n] = (uint32_t)l->address[k][n];
            word[n] = memory_word(w, l->address[k][n], 0);
            next[n] = memory_word(w, l->address[k][n], 1);
        }
        observe_shift(w, p, l, k, address);
        AMD_OBSERVE_LANES(LOAD_DWORD, l->data[k], AMD_LANES_OF(l->decision[k], address, word, next, apart), k,
                          p->bytes, p->layout != NULL, p->d.dst_sel[k], w->generation, l->data[k][0],
                          p->unit_bytes);
    }
}

/* Passes the words of a load that were extended with their sign. `before`: not extended. */
static void observe_signed(const struct amd_wave *w, const struct buffer_plan *p, const uint32_t *before,
                           uint32_t *value)
{
    AMD_OBSERVE_LANES(LOAD_SIGNED, value, AMD_LANES_OF(before), p->op->bytes, p->insn->code, w->generation,
                      value[0]);
}

/* Observes the field of channel c. Returns the kind of number that the field holds (NFMT). */
static enum amd_number observe_field(const struct amd_wave *w, const struct buffer_plan *p,
                                     const struct buffer_lanes *l, unsigned i, unsigned c,
                                     enum amd_number number, uint32_t *value)
{
    unsigned k = p->layout->low[c] / 32, bits = p->layout->bits[c];
    AMD_OBSERVE_LANES(LOAD_FIELD, value, AMD_LANES_OF(l->data[k], l->decision[k]), p->layout->low[c] % 32, i,
                      DATA_INPUTS(c, number), value[0], w->generation);
    for (unsigned n = 0; n < AMD_LANES; n++)
        value[n] &= UINT32_MAX >> (32 - bits);
    uint32_t now =
        AMD_OBSERVE(LOAD_NUMBER, (uint32_t)number, i, c, bits, w->generation, p->op->encoding == AMD_MTBUF);
    bool is_float = bits == 32 || (bits >= 6 && bits <= 28); /* what a conversion can have */
    return now == AMD_NUMBER_RESERVED || (now == AMD_FLOAT && !is_float) ? AMD_UINT : (enum amd_number)now;
}

/* Observes the field converted to 32 bits. For D16, then converts it to 16 bits and observes these. */
static void observe_converted(const struct amd_wave *w, const struct buffer_plan *p,
                              const struct buffer_lanes *l, unsigned i, unsigned c, enum amd_number number,
                              uint32_t *value)
{
    unsigned k = p->layout->low[c] / 32, bits = p->layout->bits[c];
    uint32_t field[AMD_LANES], single[AMD_LANES], thread[AMD_LANES];
    number_lanes(thread);
    for (unsigned n = 0; n < AMD_LANES; n++)
        field[n] = l->data[k][n] >> p->layout->low[c] % 32 & UINT32_MAX >> (32 - bits);
    AMD_OBSERVE_LANES(LOAD_VALUE, value, AMD_LANES_OF(field, l->decision[k], thread), i,
                      DATA_INPUTS(c, number), w->generation, value[0]);
    if (!p->op->d16)
        return;
    memcpy(single, value, sizeof single);
    convert_observed(w, p, TO_D16, number, bits, value);
    AMD_OBSERVE_LANES(LOAD_HALF, value, AMD_LANES_OF(field, single, l->decision[k]), i,
                      DATA_INPUTS(c, number), lowest_number(number, 16), highest_number(number, 16));
}

static void observe_component(const struct amd_wave *w, const struct buffer_plan *p,
                              const struct buffer_lanes *l, unsigned i, uint32_t *value)
{
    if (!amd_watches(w, AMD_POINT_LOAD_COMPONENT))
        return;
    unsigned c = p->select[i] - (unsigned)AMD_SEL_X;
    bool channel = p->select[i] >= AMD_SEL_X && c < p->layout->components;
    unsigned k = channel ? p->layout->low[c] / 32 : 0, bits = channel ? p->layout->bits[c] : 32;
    uint32_t field[AMD_LANES], integer = amd_is_integer(p->number);
    for (unsigned n = 0; n < AMD_LANES; n++)
        field[n] = channel ? l->data[k][n] >> p->layout->low[c] % 32 & UINT32_MAX >> (32 - bits) : 0;
    AMD_OBSERVE_LANES(LOAD_COMPONENT, value, AMD_LANES_OF(field, l->decision[k]), i, p->select[i],
                      (uint32_t)p->number, p->op->d16,
                      integer      ? 1U
                      : p->op->d16 ? 0x3C00U
                                   : f32_one,
                      p->bound);
}

/* Observes a register's new value. `half`: the load changes only one half of it. */
static void observe_register(const struct amd_wave *w, const struct buffer_plan *p,
                             const struct buffer_lanes *l, unsigned i, bool half, uint32_t number,
                             uint32_t *value)
{
    unsigned k = p->layout || i >= p->units ? 0 : i;
    uint32_t old[AMD_LANES], defined;
    if (!amd_watches(w, AMD_POINT_LOAD_REGISTER))
        return;
    for (unsigned n = 0; n < AMD_LANES; n++)
        old[n] = amd_vgpr_read(w, number, n, &defined);
    AMD_OBSERVE_LANES(LOAD_REGISTER, value, AMD_LANES_OF(old, l->decision[k]), i, p->layout != NULL, half,
                      p->op->hi, p->insn->code, w->generation, value[0],
                      !half       ? 0
                      : p->op->hi ? UINT32_MAX >> 16
                                  : UINT32_MAX << 16);
}

/* Returns the lanes that a load writes. */
static uint64_t observe_written(const struct amd_wave *w, const struct buffer_plan *p,
                                const struct buffer_lanes *l, uint64_t mask)
{
    uint32_t violation[AMD_LANES] = {0}, written[AMD_LANES];
    if (!amd_watches(w, AMD_POINT_LOAD_WRITTEN))
        return mask;
    for (unsigned n = 0; n < AMD_LANES; n++) {
        written[n] = mask >> n & 1;
        for (unsigned unit = 0; unit < p->units; unit++)
            violation[n] |= l->decision[unit][n] == AMD_VIOLATION;
    }
    AMD_OBSERVE_LANES(LOAD_WRITTEN, written, AMD_LANES_OF(l->decision[0], violation), p->layout != NULL,
                      p->op->d16, p->insn->tfe, p->to_lds, w->generation);
    return buffer_lane_mask(w, written);
}

static uint64_t observe_status_write(const struct amd_wave *w, const struct buffer_plan *p, uint64_t missing,
                                     uint64_t mask)
{
    uint32_t lost[AMD_LANES], written[AMD_LANES];
    for (unsigned n = 0; n < AMD_LANES; n++) {
        lost[n] = missing >> n & 1;
        written[n] = mask >> n & 1;
    }
    AMD_OBSERVE_LANES(TFE_WRITTEN, written, AMD_LANES_OF(lost), w->generation, p->layout != NULL);
    return buffer_lane_mask(w, written);
}

/* ---- stores ---- */

/* Observes the words of a VGPR that a store reads. `i`: the component's number. */
static void observe_read(const struct amd_wave *w, const struct buffer_plan *p, unsigned i, uint32_t number,
                         uint32_t *value)
{
    uint32_t thread[AMD_LANES];
    number_lanes(thread);
    AMD_OBSERVE_LANES(STORE_REGISTER, value, AMD_LANES_OF(thread), number, i, p->layout != NULL, p->op->d16,
                      p->op->hi, w->generation, value[0]);
}

/* Observes which component channel c stores. Returns its number, or -1. */
static int observe_source(const struct amd_wave *w, const struct buffer_plan *p, unsigned c, int component,
                          bool *one)
{
    uint32_t select = *one            ? AMD_SEL_1
                      : component < 0 ? AMD_SEL_0
                                      : AMD_SEL_X + (uint32_t)component,
             highest = AMD_SEL_0;
    for (unsigned i = 0; i < 4; i++)
        if (p->select[i] == AMD_SEL_X + c)
            highest = AMD_SEL_X + i;
    select = AMD_OBSERVE(STORE_SELECT, select, c, p->select[c], highest, p->op->components,
                         p->op->encoding == AMD_MTBUF, w->generation, component >= p->op->components);
    *one = select == AMD_SEL_1;
    return select >= AMD_SEL_X ? (int)select - AMD_SEL_X : -1;
}

/* Sets `truncated` to the fields that the values would become if floats were rounded toward zero. */
static void truncate_stored(const struct buffer_plan *p, unsigned bits, const uint32_t *value,
                            uint32_t *truncated)
{
    struct amd_rules rules = p->rules;
    rules.f16_store_truncate = rules.small_truncate = 1;
    memcpy(truncated, value, AMD_LANES * sizeof *value);
    amd_store_values(p->number, bits, &rules, truncated, AMD_LANES);
}

/* Converts a component for channel c and observes it. `i`: the component's number; -1: the constant 1. */
static void observe_stored(const struct amd_wave *w, const struct buffer_plan *p, int i, unsigned c,
                           uint32_t *value)
{
    unsigned bits = p->layout->bits[c], component = i < 0 ? 0 : (unsigned)i;
    uint32_t reg[AMD_LANES], from[AMD_LANES], truncated[AMD_LANES], thread[AMD_LANES], made[AMD_LANES],
        number = p->insn->vdata + component, defined;
    if (p->op->d16)
        number = p->insn->vdata + (p->unpacked ? component : component / 2);
    for (unsigned n = 0; n < AMD_LANES; n++)
        reg[n] = amd_vgpr_read(w, number, n, &defined) >>
                 (p->op->d16 && (p->op->hi || (!p->unpacked && component % 2)) ? 16 : 0);
    AMD_OBSERVE_LANES(STORE_COMPONENT, value, AMD_LANES_OF(reg), component, DATA_INPUTS(c, p->number),
                      w->generation, value[0]);
    memcpy(from, value, sizeof from);
    number_lanes(thread);
    convert_observed(w, p, TO_FIELD, p->number, bits, value);
    truncate_stored(p, bits, from, truncated);
    memcpy(made, value, sizeof made);
    AMD_OBSERVE_LANES(STORE_FIELD, value, AMD_LANES_OF(from, truncated, thread), component,
                      DATA_INPUTS(c, p->number), w->generation, lowest_number(p->number, bits),
                      highest_number(p->number, bits), value[0]);
    /* Cuts what a rule here gave. A too large field that rules at the conversion's steps made stays, because
     * these rules speak for machines whose fields reach their neighbours. */
    for (unsigned n = 0; n < AMD_LANES; n++)
        value[n] = value[n] == made[n] ? value[n] : value[n] & UINT32_MAX >> (32 - bits);
}

static void observe_scattered(const struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l)
{
    for (unsigned k = 0; k < p->units; k++) {
        uint32_t address[AMD_LANES], stored[AMD_LANES], old[AMD_LANES];
        for (unsigned n = 0; n < AMD_LANES; n++) {
            address[n] = (uint32_t)l->address[k][n];
            old[n] = memory_word(w, l->address[k][n], 0);
            stored[n] = l->decision[k][n] == AMD_DONE;
        }
        AMD_OBSERVE_LANES(STORE_DWORD, l->data[k], AMD_LANES_OF(address, l->decision[k], old), k, p->bytes,
                          p->layout != NULL, w->generation, l->data[k][0], p->insn->code);
        AMD_OBSERVE_LANES(STORE_DONE, stored, AMD_LANES_OF(address, l->decision[k]), k, p->bytes,
                          p->layout != NULL, w->generation);
        l->left_out[k] = ~buffer_lane_mask(w, stored);
    }
}

/* Passes the field of channel c at its place in its dword. `field`: before it is placed. `i` as above. */
static void observe_placed(const struct amd_wave *w, const struct buffer_plan *p, int i, unsigned c,
                           const uint32_t *field, uint32_t *placed)
{
    AMD_OBSERVE_LANES(STORE_PLACED, placed, AMD_LANES_OF(field), p->layout->low[c] % 32,
                      i < 0 ? 0 : (unsigned)i, DATA_INPUTS(c, p->number), w->generation);
}

/* ---- the trace ---- */

/* The address of a lane's dword k; 0 if the lane has none. */
static uint64_t computed_address(const struct buffer_lanes *l, unsigned k, unsigned lane)
{
    const uint32_t decision = l->decision[k][lane];
    return decision == AMD_INACTIVE || decision == AMD_NOTHING ? 0 : l->address[k][lane];
}

static void observe_note(const struct amd_wave *w, const struct buffer_lanes *l, unsigned k, uint32_t bytes,
                         uint32_t *trace, uint32_t *address)
{
    uint32_t low[AMD_LANES];
    for (unsigned n = 0; n < AMD_LANES; n++)
        low[n] = (uint32_t)computed_address(l, k, n);
    AMD_OBSERVE_LANES(TRACE_DECISION, trace, AMD_LANES_OF(l->decision[k]), k, w->generation, trace[0], bytes);
    AMD_OBSERVE_LANES(TRACE_ADDRESS, address, AMD_LANES_OF(l->decision[k], low), k, w->generation,
                      address[0]);
}

/* Returns whether an upper half is not 0. */
static bool observe_note_high(const struct amd_wave *w, const struct buffer_lanes *l, unsigned k,
                              uint32_t *high)
{
    uint32_t upper[AMD_LANES], any = 0;
    if (!amd_watches(w, AMD_POINT_TRACE_HIGH))
        return false;
    for (unsigned n = 0; n < AMD_LANES; n++)
        upper[n] = (uint32_t)(computed_address(l, k, n) >> 32);
    AMD_OBSERVE_LANES(TRACE_HIGH, high, AMD_LANES_OF(l->decision[k], upper), k, w->generation, high[0],
                      high[AMD_LANES - 1]);
    for (unsigned n = 0; n < AMD_LANES; n++)
        any |= high[n];
    return any != 0;
}

/* Observes which bits of TRAPSTS dword k sets. Returns BUFFER_OOB. */
static bool observe_status(const struct amd_wave *w, const uint32_t *decision, unsigned k, bool out_of_range,
                           uint32_t *violated)
{
    uint32_t any[AMD_NOTHING + 1] = {0};
    for (unsigned n = 0; n < AMD_LANES; n++)
        any[decision[n]] = 1;
#define STATUS_INPUTS                                                                                        \
    k, w->generation, any[AMD_OUT_OF_RANGE], any[AMD_VIOLATION], any[AMD_NOT_RESIDENT], any[AMD_DONE],       \
        decision[0], decision[AMD_LANES - 1]
    *violated = AMD_OBSERVE(STATUS_MEM_VIOL, *violated, STATUS_INPUTS);
    return AMD_OBSERVE(STATUS_OOB, out_of_range, STATUS_INPUTS);
#undef STATUS_INPUTS
}
