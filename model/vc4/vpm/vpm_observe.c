/* SPDX-License-Identifier: MIT */
#include "model/vc4/vpm/vpm_observe.h"

#include "model/vc4/vpm/vpm_points.h"

#include <string.h>

enum { VPM_WORDS = VC4_VPM_ROWS * VC4_LANES };

static uint32_t mask_of(uint32_t bits)
{
    return bits >= 32 ? UINT32_MAX : (1U << bits) - 1U;
}

static uint32_t between(uint32_t v, uint32_t least, uint32_t most)
{
    return v < least ? least : v > most ? most : v;
}

/* Copies scalars behind the vectors of a point's inputs. */
static void put_inputs(uint32_t *input, unsigned vectors, const uint32_t *scalar, unsigned count)
{
    memcpy(input + (size_t)vectors * VC4_LANES, scalar, count * sizeof *scalar);
}

/* ---- block access ---- */

struct vpm_mode vpm_observed_mode(const struct observer *o, uint32_t number, uint32_t reading)
{
    struct vpm_mode m = vpm_modes[number];
    const uint32_t input[] = {BLOCK_INPUTS(number, reading), number};
    if (observer_wants(o, VPM_POINT_BLOCK_BITS))
        m.bits = (uint8_t)between(observe(o, VPM_POINT_BLOCK_BITS, m.bits, input), 1, 32);
    if (observer_wants(o, VPM_POINT_BLOCK_SUB_BITS))
        m.sub_bits = (uint8_t)between(observe(o, VPM_POINT_BLOCK_SUB_BITS, m.sub_bits, input), 0, 2);
    if (observer_wants(o, VPM_POINT_BLOCK_PER_WORD))
        m.per_word = (uint8_t)between(observe(o, VPM_POINT_BLOCK_PER_WORD, m.per_word, input), 1, VC4_LANES);
    /* a rule can let a reserved mode pass, which has none of these */
    m.bits = m.bits ? m.bits : 1;
    m.per_word = m.per_word ? m.per_word : 1;
    return m;
}

enum vpm_setup_kind vpm_observed_kind(const struct vpm *v, enum vpm_setup_kind kind, uint32_t word,
                                      uint32_t reading)
{
    return (enum vpm_setup_kind)OBSERVE(v->env->observer, VPM_POINT_SETUP_KIND, (uint32_t)kind, reading,
                                        word);
}

uint32_t vpm_observed_word(const struct vpm *v, enum vpm_setup_kind kind, uint32_t word, uint32_t before)
{
    return OBSERVE(v->env->observer, VPM_POINT_SETUP_REGISTER, word, (uint32_t)kind, before);
}

struct vpm_span vpm_observed_span(const struct observer *o, const struct vpm_block *b,
                                  const struct vpm_mode *m, const struct vpm_addressing *a, uint32_t address,
                                  uint32_t reading)
{
    const uint32_t field = OBSERVE(o, VPM_POINT_BLOCK_Y_FIELD, vpm_row_field(m, address),
                                   BLOCK_INPUTS(b->mode, reading), address, address >> m->sub_bits);
    uint32_t y = vpm_y_of(m, a, field), rows = VC4_VPM_ROWS - vpm_vector_rows(m),
             used = (uint32_t)m->bits * m->per_word, shifts = used < 32 ? 32 - used : 0,
             above = address >> (6 + m->sub_bits) & 1U;
    y = OBSERVE(o, VPM_POINT_BLOCK_Y, y, BLOCK_INPUTS(b->mode, reading), address, above, field);
    const uint32_t sub = OBSERVE(o, VPM_POINT_BLOCK_SUB, vpm_sub(m, address), BLOCK_INPUTS(b->mode, reading),
                                 address, m->sub_bits);
    const bool packed =
        OBSERVE(o, VPM_POINT_BLOCK_PACKED, m->per_word > 1, BLOCK_INPUTS(b->mode, reading), m->per_word);
    const uint32_t along = OBSERVE(o, VPM_POINT_BLOCK_ALONG, vpm_along(m, sub, packed),
                                   BLOCK_INPUTS(b->mode, reading), sub, packed, m->per_word);
    struct vpm_span s = vpm_place_of(m, y, address, sub, packed, along);
    s.row = OBSERVE(o, VPM_POINT_BLOCK_ROW, s.row, BLOCK_INPUTS(b->mode, reading), address, y, along);
    s.col = OBSERVE(o, VPM_POINT_BLOCK_COLUMN, s.col, BLOCK_INPUTS(b->mode, reading), address, along,
                    address >> m->sub_bits);
    s.shift = OBSERVE(o, VPM_POINT_BLOCK_SHIFT, s.shift, BLOCK_INPUTS(b->mode, reading), address, sub);
    s.row = s.row < rows ? s.row : rows;
    s.shift = s.shift < shifts ? s.shift : shifts;
    return s;
}

bool vpm_observed_next(struct vpm *v, uint32_t left, uint32_t queued, bool next)
{
    const struct observer *o = v->env->observer;
    struct vpm_block *b = &v->port.read;
    b->left = OBSERVE(o, VPM_POINT_READ_REMAINING, b->left, BLOCK_INPUTS(b->mode, 1U), left, queued);
    next = OBSERVE(o, VPM_POINT_READ_NEXT, next, BLOCK_INPUTS(b->mode, 1U), b->left, queued);
    return next && queued;
}

bool vpm_wants_elements(const struct observer *o)
{
    static const uint16_t points[] = {VPM_POINT_BLOCK_FIRST, VPM_POINT_BLOCK_MASK, VPM_POINT_BLOCK_PLACE,
                                      VPM_POINT_BLOCK_LOW, VPM_POINT_BLOCK_WHOLE, VPM_POINT_BLOCK_PART,
                                      VPM_POINT_BLOCK_KEPT, VPM_POINT_BLOCK_PUT, VPM_POINT_BLOCK_BITS,
                                      VPM_POINT_BLOCK_SUB_BITS, VPM_POINT_BLOCK_PER_WORD,
                                      /* these can give a vector that runs past its row */
                                      VPM_POINT_BLOCK_SUB, VPM_POINT_BLOCK_PACKED, VPM_POINT_BLOCK_ALONG,
                                      VPM_POINT_BLOCK_COLUMN};
    return observer_wants_any(o, points, sizeof points / sizeof *points);
}

/* Where the elements of a vector are. */
struct places {
    uint32_t mask, word[VC4_LANES], low[VC4_LANES];
};

static void find_places(const struct vpm *v, const struct vpm_access *a, uint32_t reading, struct places *p)
{
    const struct observer *o = v->env->observer;
    const struct vpm_mode *m = a->mode;
    const uint32_t pitch = m->horizontal ? 1 : VC4_LANES, row = a->span->row, col = a->span->col;
    const uint32_t first =
        OBSERVE(o, VPM_POINT_BLOCK_FIRST, row * VC4_LANES + col, BLOCK_INPUTS(a->number, reading), row, col);
    p->mask = OBSERVE(o, VPM_POINT_BLOCK_MASK, mask_of(m->bits), BLOCK_INPUTS(a->number, reading), m->bits);
    for (uint32_t i = 0; i < VC4_LANES; i++) {
        p->word[i] = i / m->per_word * pitch;
        p->low[i] = (a->span->shift + i % m->per_word * m->bits) & 31U;
    }
    observe_lanes(o, VPM_POINT_BLOCK_PLACE, p->word,
                  (uint32_t[]){BLOCK_INPUTS(a->number, reading), pitch, m->per_word});
    observe_lanes(o, VPM_POINT_BLOCK_LOW, p->low,
                  (uint32_t[]){BLOCK_INPUTS(a->number, reading), a->span->shift, m->bits, m->per_word});
    for (uint32_t i = 0; i < VC4_LANES; i++)
        p->word[i] = (first + p->word[i]) % VPM_WORDS;
}

/* The bits of each element that are moved. `whole`: the elements before they are cut. */
static void cut(const struct vpm *v, const struct vpm_access *a, uint32_t reading, uint32_t mask,
                const uint32_t whole[VC4_LANES], uint32_t part[VC4_LANES])
{
    uint32_t input[VC4_LANES + 6];
    memcpy(input, whole, VC4_LANES * sizeof *whole);
    put_inputs(input, 1, (uint32_t[]){BLOCK_INPUTS(a->number, reading), mask, a->number}, 6);
    for (uint32_t i = 0; i < VC4_LANES; i++)
        part[i] = whole[i] & mask;
    observe_lanes(v->env->observer, VPM_POINT_BLOCK_PART, part, input);
}

void vpm_put_observed(struct vpm *v, const struct vpm_access *a, const struct vc4_vector *value,
                      const struct vc4_vector *defined)
{
    const struct observer *o = v->env->observer;
    uint32_t *const words = (uint32_t *)v->rows.value, *const masks = (uint32_t *)v->rows.defined;
    struct places p;
    uint32_t part[VC4_LANES], put[VC4_LANES], kept[VC4_LANES], input[3 * VC4_LANES + 5];
    find_places(v, a, 0, &p);
    cut(v, a, 0, p.mask, value->lane, part);
    for (uint32_t i = 0; i < VC4_LANES; i++) {
        kept[i] = ~(p.mask << p.low[i]);
        put[i] = part[i] << p.low[i];
    }
    memcpy(input, p.low, sizeof p.low);
    put_inputs(input, 1, (uint32_t[]){BLOCK_INPUTS(a->number, 0), p.mask}, 5);
    observe_lanes(o, VPM_POINT_BLOCK_KEPT, kept, input);
    memcpy(input, part, sizeof part);
    memcpy(input + VC4_LANES, p.low, sizeof p.low);
    memcpy(input + (size_t)2 * VC4_LANES, kept, sizeof kept);
    put_inputs(input, 3, (uint32_t[]){BLOCK_INPUTS(a->number, 0), p.mask}, 5);
    observe_lanes(o, VPM_POINT_BLOCK_PUT, put, input);
    for (uint32_t i = 0; i < VC4_LANES; i++) {
        if (!(a->lanes >> i & 1))
            continue;
        const uint32_t at = p.word[i], low = p.low[i];
        words[at] = (words[at] & kept[i]) | put[i];
        if (v->env->checked)
            masks[at] = (masks[at] & ~(p.mask << low)) | (defined->lane[i] & p.mask) << low;
        vc4_touch(&v->rows, at / VC4_LANES);
    }
}

void vpm_get_observed(struct vpm *v, const struct vpm_access *a, struct vc4_vector *value,
                      struct vc4_vector *defined)
{
    const uint32_t *const words = (const uint32_t *)v->rows.value, *const masks =
                                                                       (const uint32_t *)v->rows.defined;
    struct places p;
    uint32_t whole[VC4_LANES], input[2 * VC4_LANES + 5];
    find_places(v, a, 1, &p);
    for (uint32_t i = 0; i < VC4_LANES; i++) {
        input[i] = words[p.word[i]];
        whole[i] = input[i] >> p.low[i];
    }
    memcpy(input + VC4_LANES, p.low, sizeof p.low);
    put_inputs(input, 2, (uint32_t[]){BLOCK_INPUTS(a->number, 1), p.mask}, 5);
    observe_lanes(v->env->observer, VPM_POINT_BLOCK_WHOLE, whole, input);
    cut(v, a, 1, p.mask, whole, value->lane);
    for (uint32_t i = 0; i < VC4_LANES && v->env->checked; i++)
        defined->lane[i] = masks[p.word[i]] >> p.low[i] & p.mask;
}

/* ---- DMA ---- */

bool vcd_wants_elements(const struct observer *o)
{
    static const uint16_t points[] = {VPM_POINT_DMA_MASK,         VPM_POINT_DMA_PLACE,
                                      VPM_POINT_DMA_LOW,          VPM_POINT_DMA_PART,
                                      VPM_POINT_DMA_KEPT,         VPM_POINT_DMA_PUT,
                                      VPM_POINT_DMA_MEMORY_PLACE, VPM_POINT_DMA_MEMORY_LOW,
                                      VPM_POINT_DMA_WHOLE,        VPM_POINT_DMA_ELEMENT_MASK,
                                      VPM_POINT_DMA_AT,           VPM_POINT_DMA_WRAPPED,
                                      VPM_POINT_DMA_ELEMENT_ROW,  VPM_POINT_DMA_ELEMENT_COLUMN,
                                      VPM_POINT_DMA_ELEMENTS,     VPM_POINT_DMA_ALONE};
    return observer_wants_any(o, points, sizeof points / sizeof *points);
}

/* The elements' lowest bits in their words of the VPM, and of memory. */
struct lows {
    uint32_t vpm[VC4_LANES], memory[VC4_LANES];
};

/* Shows the places of elements to the observer. */
static void observe_places(const struct vpm *v, struct vcd_elements *e, struct lows *l)
{
    const struct observer *o = v->env->observer;
    const uint32_t *d = e->input;
    const uint32_t bytes = v->env->memory.rows * 4 * VC4_LANES;
    uint32_t input[2 * VC4_LANES + 10] = {0};
    for (uint32_t i = 0; i < e->count; i++)
        input[i] = e->first + i;
    memcpy(input + VC4_LANES, e->at.lane, sizeof e->at.lane);
    put_inputs(input, 2,
               (uint32_t[]){d[0], d[1], d[2], d[3], d[4], e->start, e->step, e->column, e->width,
                            e->contiguous},
               10);
    observe_lanes(o, VPM_POINT_DMA_PLACE, e->place.lane, input);
    put_inputs(input, 1, (uint32_t[]){d[0], d[1], d[2], d[3], d[4], e->row_address, e->width, e->contiguous},
               8);
    observe_lanes(o, VPM_POINT_DMA_MEMORY_PLACE, e->in_memory.lane, input);
    memcpy(input, e->place.lane, sizeof e->place.lane);
    memcpy(input + VC4_LANES, e->wrapped.lane, sizeof e->wrapped.lane);
    put_inputs(input, 2, (uint32_t[]){d[0], d[1], d[2], d[3], d[4], e->contiguous}, 6);
    for (uint32_t i = 0; i < VC4_LANES; i++) {
        l->vpm[i] = e->place.lane[i] % 4 * 8;
        l->memory[i] = e->in_memory.lane[i] % 4 * 8;
        e->access.lane[i] = e->contiguous                          ? VCD_WITH_ROW
                            : e->in_memory.lane[i] % e->width != 0 ? VCD_UNALIGNED
                                                                   : VCD_ALIGNED;
    }
    observe_lanes(o, VPM_POINT_DMA_LOW, l->vpm, input);
    memcpy(input, e->in_memory.lane, sizeof e->in_memory.lane);
    memcpy(input + VC4_LANES, e->access.lane, sizeof e->access.lane);
    put_inputs(input, 2, d, 5);
    observe_lanes(o, VPM_POINT_DMA_MEMORY_LOW, l->memory, input);
    for (uint32_t i = 0; i < VC4_LANES; i++)
        e->in_memory.lane[i] %= bytes;
}

/* Does an element go on in the next word of memory? `low`: its lowest bit, as rules left it. */
static bool crosses(uint32_t low, uint32_t width)
{
    return low + 8 * width > 32;
}

/* The width of element `i`; 0 if it cannot go on in the next word of memory. */
static uint32_t crossing_width(const struct vcd_elements *e, uint32_t i)
{
    return e->access.lane[i] == VCD_ALIGNED ? 0 : e->width;
}

/* The word of memory at an offset. If the element crosses it, the next word is above. */
static uint64_t memory_words(const uint32_t *memory, uint32_t words, uint32_t offset, uint32_t low,
                             uint32_t width)
{
    const uint32_t at = offset / 4, next = crosses(low, width) && at + 1 < words ? memory[at + 1] : 0;
    return memory[at] | (uint64_t)next << 32;
}

/* Puts an element into memory: `kept` and `put` for its first word, `mask` and `part` for what crosses it. */
static void put_in_memory(uint32_t *memory, uint32_t words, uint32_t offset, uint32_t low, uint32_t width,
                          const uint32_t parts[4])
{
    const uint32_t kept = parts[0], put = parts[1], at = offset / 4,
                   mask = crosses(low, width) ? (uint32_t)((uint64_t)parts[2] << low >> 32) : 0;
    memory[at] = (memory[at] & kept) | put;
    if (mask && at + 1 < words)
        memory[at + 1] = (memory[at + 1] & ~mask) | ((uint32_t)((uint64_t)parts[3] << low >> 32) & mask);
}

/* What is moved: of each element the bits, the bits that stay in the first word that gets it, and the bits
 * that are put there. */
struct moved {
    uint32_t mask[VC4_LANES], part[VC4_LANES], kept[VC4_LANES], put[VC4_LANES];
};

/* Finds the bits of each element. */
static void observe_masks(const struct vpm *v, const struct vcd_elements *e, const struct lows *l,
                          const uint32_t unaligned[VC4_LANES], uint32_t mask[VC4_LANES])
{
    const struct observer *o = v->env->observer;
    const uint32_t *d = e->input;
    uint32_t input[3 * VC4_LANES + 8];
    const uint32_t all = OBSERVE(o, VPM_POINT_DMA_MASK, mask_of(8 * e->width), d[0], d[1], d[2], d[3], d[4],
                                 e->width, e->contiguous);
    for (uint32_t i = 0; i < VC4_LANES; i++)
        mask[i] = all;
    memcpy(input, unaligned, VC4_LANES * sizeof *unaligned);
    memcpy(input + VC4_LANES, l->memory, sizeof l->memory);
    memcpy(input + (size_t)2 * VC4_LANES, e->access.lane, sizeof e->access.lane);
    put_inputs(input, 3, (uint32_t[]){d[0], d[1], d[2], d[3], d[4], e->width, e->step, e->contiguous}, 8);
    observe_lanes(o, VPM_POINT_DMA_ELEMENT_MASK, mask, input);
}

/* Shows the elements of a row that are moved alone. `whole`: before they are cut. */
static void observe_alone(const struct vpm *v, const struct vcd_elements *e, const uint32_t whole[VC4_LANES],
                          const uint32_t from[VC4_LANES], struct moved *m)
{
    const uint32_t *d = e->input;
    uint32_t input[4 * VC4_LANES + 6];
    if (e->contiguous)
        return;
    memcpy(input, whole, VC4_LANES * sizeof *whole);
    memcpy(input + VC4_LANES, m->mask, sizeof m->mask);
    memcpy(input + (size_t)2 * VC4_LANES, from, VC4_LANES * sizeof *from);
    memcpy(input + (size_t)3 * VC4_LANES, e->access.lane, sizeof e->access.lane);
    put_inputs(input, 4, (uint32_t[]){d[0], d[1], d[2], d[3], d[4], e->width}, 6);
    observe_lanes(v->env->observer, VPM_POINT_DMA_ALONE, m->part, input);
}

/* Shows to the observer what is put into the words that get the elements, and what stays there. `to`: the
 * elements' lowest bits in these words. */
static void observe_put(const struct vpm *v, const struct vcd_elements *e, const uint32_t to[VC4_LANES],
                        struct moved *m)
{
    const struct observer *o = v->env->observer;
    const uint32_t *d = e->input;
    uint32_t input[4 * VC4_LANES + 6];
    for (uint32_t i = 0; i < VC4_LANES; i++) {
        m->kept[i] = ~(m->mask[i] << to[i]);
        m->put[i] = m->part[i] << to[i];
    }
    memcpy(input, to, VC4_LANES * sizeof *to);
    memcpy(input + VC4_LANES, m->mask, sizeof m->mask);
    memcpy(input + (size_t)2 * VC4_LANES, e->access.lane, sizeof e->access.lane);
    put_inputs(input, 3, (uint32_t[]){d[0], d[1], d[2], d[3], d[4], e->contiguous}, 6);
    observe_lanes(o, VPM_POINT_DMA_KEPT, m->kept, input);
    memcpy(input, m->part, sizeof m->part);
    memcpy(input + VC4_LANES, to, VC4_LANES * sizeof *to);
    memcpy(input + (size_t)2 * VC4_LANES, m->kept, sizeof m->kept);
    memcpy(input + (size_t)3 * VC4_LANES, e->access.lane, sizeof e->access.lane);
    put_inputs(input, 4, (uint32_t[]){d[0], d[1], d[2], d[3], d[4], e->contiguous}, 6);
    observe_lanes(o, VPM_POINT_DMA_PUT, m->put, input);
}

/* `cell`: the words that the elements come from. */
static void observe_moved(const struct vpm *v, const struct vcd_elements *e, const uint64_t cell[VC4_LANES],
                          const struct lows *l, struct moved *m)
{
    const struct observer *o = v->env->observer;
    const uint32_t *d = e->input, *from = e->to_memory ? l->vpm : l->memory,
                   *to = e->to_memory ? l->memory : l->vpm;
    uint32_t whole[VC4_LANES], unaligned[VC4_LANES], input[4 * VC4_LANES + 8];
    for (uint32_t i = 0; i < VC4_LANES; i++) {
        input[i] = (uint32_t)cell[i];
        whole[i] = (uint32_t)(cell[i] >> from[i]);
        unaligned[i] = e->in_memory.lane[i] % e->width != 0;
    }
    observe_masks(v, e, l, unaligned, m->mask);
    memcpy(input + VC4_LANES, from, VC4_LANES * sizeof *from);
    memcpy(input + 2 * VC4_LANES, unaligned, sizeof unaligned);
    memcpy(input + 3 * VC4_LANES, m->mask, sizeof m->mask);
    put_inputs(input, 4, (uint32_t[]){d[0], d[1], d[2], d[3], d[4], e->width, e->step, e->contiguous}, 8);
    observe_lanes(o, VPM_POINT_DMA_WHOLE, whole, input);
    for (uint32_t i = 0; i < VC4_LANES; i++)
        m->part[i] = whole[i] & m->mask[i];
    memcpy(input, whole, sizeof whole);
    memcpy(input + VC4_LANES, l->memory, sizeof l->memory);
    observe_lanes(o, VPM_POINT_DMA_PART, m->part, input);
    observe_alone(v, e, whole, from, m);
    observe_put(v, e, to, m);
}

/* Moves the masks of element `i`, which no rule changes. */
static void move_defined(const struct vpm *v, const struct vcd_elements *e, const struct lows *l, uint32_t i,
                         uint32_t mask)
{
    uint32_t *const memory = (uint32_t *)v->env->memory.defined;
    const uint32_t words = v->env->memory.rows * VC4_LANES, place = e->place.lane[i] / 4,
                   offset = e->in_memory.lane[i], low = l->vpm[i];
    uint32_t outside = 0, *word = place < VPM_WORDS ? (uint32_t *)v->rows.defined + place : &outside;
    if (e->to_memory) {
        const uint32_t part = *word >> low & mask, to = l->memory[i];
        put_in_memory(memory, words, offset, to, crossing_width(e, i),
                      (uint32_t[]){~(mask << to), part << to, mask, part});
    } else {
        uint32_t part = (uint32_t)(memory_words(memory, words, offset, l->memory[i], crossing_width(e, i)) >>
                                   l->memory[i]) &
                        mask;
        *word = (*word & ~(mask << low)) | part << low;
    }
}

static void touch_element(const struct vpm *v, const struct vcd_elements *e, uint32_t i)
{
    const uint32_t row = e->place.lane[i] / 4 / VC4_LANES, offset = e->in_memory.lane[i],
                   rows = v->env->memory.rows, end = (offset / 4 + 1) / VC4_LANES;
    vc4_note_vpm_rows(v->env, row, 1);
    if (e->to_memory) {
        vc4_touch(&v->env->memory, offset / 4 / VC4_LANES);
        vc4_touch(&v->env->memory, end < rows ? end : rows - 1);
    } else if (row < VC4_VPM_ROWS) {
        vc4_touch(&v->rows, row);
    }
}

void vcd_move_observed(struct vpm *v, struct vcd_elements *e)
{
    const bool store = e->to_memory;
    uint32_t *const memory = (uint32_t *)v->env->memory.value, *const vpm = (uint32_t *)v->rows.value;
    const uint32_t words = v->env->memory.rows * VC4_LANES;
    uint64_t cell[VC4_LANES] = {0};
    struct lows l;
    struct moved m;
    observe_places(v, e, &l);
    for (uint32_t i = 0; i < e->count; i++) {
        const uint32_t at = e->place.lane[i] / 4, word = at < VPM_WORDS ? vpm[at] : v->env->filler;
        cell[i] = store
                      ? word
                      : memory_words(memory, words, e->in_memory.lane[i], l.memory[i], crossing_width(e, i));
    }
    observe_moved(v, e, cell, &l, &m);
    for (uint32_t i = 0; i < e->count; i++) {
        const uint32_t at = e->place.lane[i] / 4;
        if (store)
            put_in_memory(memory, words, e->in_memory.lane[i], l.memory[i], crossing_width(e, i),
                          (uint32_t[]){m.kept[i], m.put[i], m.mask[i], m.part[i]});
        else if (at < VPM_WORDS)
            vpm[at] = (vpm[at] & m.kept[i]) | m.put[i];
        if (v->env->checked)
            move_defined(v, e, &l, i, m.mask[i]);
        touch_element(v, e, i);
    }
}
