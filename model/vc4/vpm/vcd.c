/* SPDX-License-Identifier: MIT */
#include "model/vc4/vpm/vpm.h"
#include "model/vc4/vpm/vpm_clauses.h"
#include "model/vc4/vpm/vpm_observe.h"
#include "model/vc4/vpm/vpm_points.h"
#include "model/vc4/vpm/vpm_setup.h"

#include <string.h>

enum {
    ROW_BYTES = 4 * VC4_LANES,
    VPM_BYTES = ROW_BYTES * VC4_VPM_ROWS,
    WINDOW_COLUMN_BYTES = 4 * VC4_VPM_ROWS_OF_QPU,
};

/* Modes of clause vcd-row-overrun. */
enum { OVERRUN_ROW, OVERRUN_COLUMN, OVERRUN_UNITS };

/*
 * One row of a transfer. Its elements are consecutive in memory. In the VPM they are along a row or down a
 * column. Positions in the VPM count bytes: row by row from (0, 0) if horizontal, otherwise from the top of
 * column `col`.
 */
struct vcd_row {
    bool vertical;
    bool wraps;       /* elements past the row's end are at the start of the same row, not in the next */
    uint32_t width;   /* bytes of an element: 1, 2, 4 */
    uint32_t step;    /* bytes between elements in the VPM: `width`, or 4 if laned */
    uint32_t length;  /* number of elements */
    uint32_t at, col; /* position in the VPM where the row starts */
    uint32_t rows;    /* rows of the VPM (clause vpm-size). Rows from VC4_VPM_ROWS on are undefined */
    uint32_t size;    /* bytes of these rows, or of a column of them; set by decide_size */
};

static uint32_t bytes_of(const struct vcd_row *r, uint32_t rows)
{
    return (r->vertical ? 4U : ROW_BYTES) * rows;
}

/* The place of an element in the VPM: a word, and the element's lowest bit in it. */
struct place {
    uint32_t row, col, shift;
};

/* The bytes of a VPM row, or of the 64 rows of a column that a QPU reaches. */
static inline uint32_t room_of(const struct vcd_row *r)
{
    return r->vertical ? WINDOW_COLUMN_BYTES : ROW_BYTES;
}

/* Where an element begins in the VPM or in a column of it. `at`: the same if its row never ends. Always
 * inlined: a call for each element would take a tenth of a campaign. */
static inline __attribute__((always_inline)) uint32_t wrapped(const struct vcd_row *r, uint32_t at)
{
    uint32_t room = room_of(r);
    if (r->wraps)
        at = (r->at & ~(room - 1U)) | (at & (room - 1U));
    while (at >= r->size) /* a division took a quarter of a campaign */
        at -= r->size;
    return at;
}

/* The place that begins at a byte of the VPM or of the row's column. */
static inline __attribute__((always_inline)) struct place place_at(const struct vcd_row *r, uint32_t at)
{
    if (r->vertical)
        return (struct place){at / 4, r->col, at % 4 * 8};
    return (struct place){at / ROW_BYTES, at / 4 % VC4_LANES, at % 4 * 8};
}

static inline __attribute__((always_inline)) struct place place_of(const struct vcd_row *r, uint32_t element)
{
    return place_at(r, wrapped(r, r->at + element * r->step));
}

/* The fields that decide the shape of a transfer, as rules (model/rule) left them. */
struct shape {
    bool store, horizontal;
    uint32_t modew, x, y;
    uint32_t units, depth; /* the number of rows (UNITS, NROWS), and of elements of a row (DEPTH, ROWLEN) */
};

/* The values of VPM_DMA_INPUTS (vpm_points.h) for a transfer of this shape. */
#define DMA_INPUTS(d) (d)->store, (d)->modew, (d)->horizontal, (d)->units, (d)->depth

static uint32_t power_of_two(uint32_t width)
{
    return width >= 4 ? 4 : width >= 2 ? 2 : 1;
}

/* Returns the first row of a transfer, with packed elements. MODEW is 0 for 32 bits, 2-3 for 16 bits with the
 * half in bit 0, 4-7 for 8 bits with the byte in bits 1:0 (p58 T34, p59 T36). `y`: the VPM row where the
 * transfer begins. */
static struct vcd_row first_row(const struct vpm *v, const struct shape *d, bool vertical, uint32_t y)
{
    const struct observer *o = v->env->observer;
    uint32_t modew = d->modew, width = modew >= 4 ? 1 : modew >= 2 ? 2 : 4;
    uint32_t offset = modew >= 4 ? modew & 3 : modew >= 2 ? 2 * (modew & 1) : 0;
    if (o) {
        y = observe(o, VPM_POINT_DMA_ROW, y, (uint32_t[]){DMA_INPUTS(d), d->y});
        width = power_of_two(observe(o, VPM_POINT_DMA_WIDTH, width, (uint32_t[]){DMA_INPUTS(d)}));
        offset = observe(o, VPM_POINT_DMA_OFFSET, offset, (uint32_t[]){DMA_INPUTS(d)});
    }
    uint32_t of_y = vertical ? y * 4 : y * ROW_BYTES, of_x = vertical ? 0 : d->x * 4;
    of_y = OBSERVE(o, VPM_POINT_DMA_START_PART, of_y, DMA_INPUTS(d), y, d->x, vertical, false);
    of_x = OBSERVE(o, VPM_POINT_DMA_START_PART, of_x, DMA_INPUTS(d), y, d->x, vertical, true);
    uint32_t at = of_y + of_x + offset;
    return (struct vcd_row){
        .vertical = vertical,
        .width = width,
        .step = width,
        .length = d->depth,
        .at = OBSERVE(o, VPM_POINT_DMA_START, at, DMA_INPUTS(d), y, d->x, offset, vertical),
        .col = d->x,
        .rows = VC4_VPM_ROWS,
    };
}

/* Does a position that runs past an edge carry into Y (clause vcd-row-overrun)? `at`: the edge, OVERRUN_...
 * `column`: input of the point. */
static bool carries(const struct vpm *v, const struct shape *d, unsigned at, uint32_t column)
{
    bool carry = vpm_consult(v, VPM_CLAUSE_VCD_ROW_OVERRUN, at) != VPM_OVERRUN_WRAPS;
    return OBSERVE(v->env->observer, VPM_POINT_DMA_CARRY, carry, DMA_INPUTS(d), at, column);
}

/* Decides whether a row that runs past the end of its VPM row or column wraps there. */
static void decide_overrun(const struct vpm *v, const struct shape *d, struct vcd_row *r)
{
    uint32_t room = room_of(r);
    bool past = (r->at & (room - 1)) + (r->length - 1) * r->step + r->width > room;
    r->wraps = past && !carries(v, d, r->vertical ? OVERRUN_COLUMN : OVERRUN_ROW, r->col);
    r->wraps = OBSERVE(v->env->observer, VPM_POINT_DMA_WRAPS, r->wraps, DMA_INPUTS(d), past);
}

/* If the transfer's row runs past VPM row 127, decides how many rows the VPM has (clause vpm-size). Row 0
 * follows the last of them. */
static void decide_size(const struct vpm *v, const struct shape *d, struct vcd_row *r)
{
    static const uint32_t rows[] = {
        [READING_MANUAL] = VC4_VPM_ROWS, [VPM_SIZE_12_KB] = 192, [VPM_SIZE_16_KB] = 256};
    uint32_t reach = r->wraps ? 1 : (r->length - 1) * r->step + r->width;
    if (r->at + reach > bytes_of(r, VC4_VPM_ROWS)) {
        r->rows = rows[vpm_consult(v, VPM_CLAUSE_SIZE, d->store ? 0 : 1)];
        r->rows = OBSERVE(v->env->observer, VPM_POINT_DMA_ROWS, r->rows, DMA_INPUTS(d));
        r->rows = r->rows ? r->rows : 1;
    }
    r->size = bytes_of(r, r->rows);
    if (v->env->observer) {
        r->size = OBSERVE(v->env->observer, VPM_POINT_DMA_SIZE, r->size, DMA_INPUTS(d), r->rows, r->at);
        r->size = r->size > ROW_BYTES ? r->size : ROW_BYTES;
    }
    r->at %= r->size;
}

/* ---- Memory: little-endian bytes in rows of words. An element may start at any byte. ---- */

static uint32_t element_mask(uint32_t width)
{
    return width == 4 ? UINT32_MAX : (1U << width * 8 % 32) - 1U;
}

static uint32_t memory_get(const uint32_t *memory, uint32_t offset, uint32_t width)
{
    if (offset % width == 0)
        return memory[offset / 4] >> offset % 4 * 8 & element_mask(width);
    uint32_t value = 0;
    for (uint32_t i = 0; i < width; i++, offset++)
        value |= (memory[offset / 4] >> offset % 4 * 8 & 0xFF) << i * 8;
    return value;
}

static void memory_put_bits(uint32_t *memory, uint32_t offset, uint32_t mask, uint32_t value)
{
    uint32_t shift = offset % 4 * 8;
    memory[offset / 4] = (memory[offset / 4] & ~(mask << shift)) | (value & mask) << shift;
}

static void memory_put(uint32_t *memory, uint32_t offset, uint32_t width, uint32_t value)
{
    if (offset % width == 0)
        memory_put_bits(memory, offset, element_mask(width), value);
    else
        for (uint32_t i = 0; i < width; i++)
            memory_put_bits(memory, offset + i, 0xFF, value >> i * 8);
}

/* Are the row's bytes consecutive in the VPM, too? */
static bool is_contiguous(const struct vcd_row *r)
{
    uint32_t last = r->size < VPM_BYTES ? r->size : VPM_BYTES,
             end = r->wraps ? (r->at | (ROW_BYTES - 1U)) + 1 : last;
    return !r->vertical && r->step == r->width && r->at % r->width == 0 && end <= last &&
           r->at + r->length * r->width <= end;
}

/* Can memcpy move the row? The host must be little-endian like the VPM. */
static bool is_run_of_bytes(const struct vcd_row *r)
{
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && is_contiguous(r);
}

/* Moves one row between the VPM and memory; once for values and once for masks of defined bits. `unknown`:
 * the word in all VPM rows from VC4_VPM_ROWS on, which no case holds. */
static void move_row(const struct vcd_row *r, bool store, struct vc4_vector *vpm, struct vc4_vector *memory,
                     uint32_t offset, uint32_t unknown)
{
    if (is_run_of_bytes(r)) { /* most rows; 5 times faster than element by element */
        uint8_t *in_vpm = (uint8_t *)vpm + r->at, *in_memory = (uint8_t *)memory + offset;
        memcpy(store ? in_memory : in_vpm, store ? in_vpm : in_memory, r->length * r->width);
        return;
    }
    uint32_t *words = (uint32_t *)memory, mask = element_mask(r->width);
    for (uint32_t k = 0; k < r->length; k++, offset += r->width) {
        struct place p = place_of(r, k);
        uint32_t outside = unknown, *word = p.row < VC4_VPM_ROWS ? &vpm[p.row].lane[p.col] : &outside;
        if (store)
            memory_put(words, offset, r->width, *word >> p.shift);
        else
            *word = (*word & ~(mask << p.shift)) | memory_get(words, offset, r->width) << p.shift;
    }
}

static void touch_bytes(const struct vc4_rows *rows, uint32_t first, uint32_t bytes)
{
    for (uint32_t row = first / ROW_BYTES; row <= (first + bytes - 1) / ROW_BYTES; row++)
        vc4_touch(rows, row);
}

static void touch_vpm(const struct vpm *v, uint32_t row)
{
    if (row < VC4_VPM_ROWS)
        vc4_touch(&v->rows, row);
}

static void touch_row(const struct vpm *v, const struct vcd_row *r, bool store, uint32_t offset)
{
    if (store)
        touch_bytes(&v->env->memory, offset, r->length * r->width);
    else if (is_run_of_bytes(r))
        touch_bytes(&v->rows, r->at, r->length * r->width);
    else
        for (uint32_t k = 0; k < r->length; k++)
            touch_vpm(v, place_of(r, k).row);
}

/* Records a breach (struct vc4_limits) if the run may not access the row's place in the VPM. */
static void note_rows(const struct vpm *v, const struct vcd_row *r)
{
    for (uint32_t k = 0; v->env->limits && k < r->length; k++)
        vc4_note_vpm_rows(v->env, place_of(r, k).row, 1);
}

/* Finds where elements of a row begin, as rules left it: first before the row wraps, then after it. */
static void observe_positions(const struct vpm *v, const struct shape *d, const struct vcd_row *r,
                              struct vcd_elements *e)
{
    const struct observer *o = v->env->observer;
    uint32_t input[2 * VC4_LANES + 10] = {0}, *const within = input + VC4_LANES, room = room_of(r);
    for (uint32_t i = 0; i < e->count; i++) {
        input[i] = e->first + i;
        e->at.lane[i] = r->at + (e->first + i) * r->step;
    }
    memcpy(input + VC4_LANES, (uint32_t[]){DMA_INPUTS(d), r->at, r->step, e->contiguous}, 8 * sizeof *input);
    observe_lanes(o, VPM_POINT_DMA_AT, e->at.lane, input);
    memcpy(input, e->at.lane, sizeof e->at.lane);
    for (uint32_t i = 0; i < VC4_LANES; i++) {
        within[i] = e->at.lane[i] & (room - 1U);
        e->wrapped.lane[i] = wrapped(r, e->at.lane[i]);
    }
    memcpy(input + (size_t)2 * VC4_LANES,
           (uint32_t[]){DMA_INPUTS(d), r->at, r->at & ~(room - 1U), r->size, r->wraps, e->contiguous},
           10 * sizeof *input);
    observe_lanes(o, VPM_POINT_DMA_WRAPPED, e->wrapped.lane, input);
}

/* Finds the bytes of the VPM where elements of a row begin, as rules left their rows and columns. */
static void observe_rows(const struct vpm *v, const struct shape *d, const struct vcd_row *r,
                         struct vcd_elements *e)
{
    const struct observer *o = v->env->observer;
    uint32_t input[VC4_LANES + 8], row[VC4_LANES], column[VC4_LANES];
    memcpy(input, e->wrapped.lane, sizeof e->wrapped.lane);
    memcpy(input + VC4_LANES, (uint32_t[]){DMA_INPUTS(d), r->vertical, e->contiguous, r->col},
           8 * sizeof *input);
    for (uint32_t i = 0; i < VC4_LANES; i++) {
        const struct place p = place_at(r, e->wrapped.lane[i]);
        row[i] = p.row;
        column[i] = p.col;
        e->place.lane[i] = p.shift / 8;
    }
    observe_lanes(o, VPM_POINT_DMA_ELEMENT_ROW, row, input);
    observe_lanes(o, VPM_POINT_DMA_ELEMENT_COLUMN, column, input);
    for (uint32_t i = 0; i < VC4_LANES; i++)
        e->place.lane[i] += row[i] * ROW_BYTES + column[i] * 4;
}

/* Moves a row as move_row does, and shows its elements to the observer. */
static void move_observed(struct vpm *v, const struct shape *d, const struct vcd_row *r, uint32_t offset,
                          bool to_memory)
{
    const bool contiguous = is_contiguous(r);
    const uint32_t length =
        OBSERVE(v->env->observer, VPM_POINT_DMA_ELEMENTS, r->length, DMA_INPUTS(d), contiguous);
    for (uint32_t first = 0; first < length; first += VC4_LANES) {
        struct vcd_elements e = {.input = {DMA_INPUTS(d)},
                                 .to_memory = to_memory,
                                 .contiguous = contiguous,
                                 .first = first,
                                 .count = length - first < VC4_LANES ? length - first : VC4_LANES,
                                 .width = r->width,
                                 .start = r->at,
                                 .step = r->step,
                                 .column = r->col,
                                 .row_address = offset};
        observe_positions(v, d, r, &e);
        observe_rows(v, d, r, &e);
        for (uint32_t i = 0; i < e.count; i++)
            e.in_memory.lane[i] = offset + (first + i) * r->width;
        vcd_move_observed(v, &e);
    }
}

/* Moves one row. `to_memory`: from the VPM to memory. */
static enum vc4_stop transfer(struct vpm *v, const struct shape *d, struct vcd_row *r, uint32_t address,
                              bool to_memory)
{
    const struct vc4_env *env = v->env;
    uint32_t offset;
    bool outside =
        !vc4_reach(env, address, r->length * r->width, to_memory ? VC4_STORES : VC4_LOADS, &offset);
    if (OBSERVE(env->observer, VPM_POINT_DMA_OUTSIDE, outside, DMA_INPUTS(d), address - env->memory_base,
                r->length * r->width) ||
        outside)
        return VC4_FAULT_MEMORY;
    decide_overrun(v, d, r);
    decide_size(v, d, r);
    note_rows(v, r);
    if (vcd_wants_elements(env->observer)) {
        move_observed(v, d, r, offset, to_memory);
        return VC4_GO;
    }
    move_row(r, to_memory, v->rows.value, env->memory.value, offset, env->filler);
    if (env->checked)
        move_row(r, to_memory, v->rows.defined, env->memory.defined, offset, 0);
    touch_row(v, r, to_memory, offset);
    return VC4_GO;
}

/* Where row `i` begins in memory, as a bus address. `at`: offset of the first row. */
static uint32_t row_address(const struct vpm *v, const struct shape *d, uint32_t at, uint32_t i,
                            uint32_t pitch)
{
    uint32_t offset = at + i * pitch;
    return v->env->memory_base +
           OBSERVE(v->env->observer, VPM_POINT_DMA_ROW_ADDRESS, offset, DMA_INPUTS(d), i, pitch, at);
}

/* The offset in memory where a transfer begins. */
static uint32_t memory_offset(const struct vpm *v, const struct shape *d, uint32_t address)
{
    return OBSERVE(v->env->observer, VPM_POINT_DMA_ADDRESS, address - v->env->memory_base, DMA_INPUTS(d));
}

/* Shows row `i` of a transfer to the observer. Returns false if the row is not moved. */
static bool observe_row(const struct vpm *v, const struct shape *d, struct vcd_row *r, uint32_t i)
{
    const struct observer *o = v->env->observer;
    if (!o)
        return true;
    r->col = OBSERVE(o, VPM_POINT_DMA_COLUMN, r->col, DMA_INPUTS(d), i, d->x);
    r->length = OBSERVE(o, VPM_POINT_DMA_LENGTH, r->length, DMA_INPUTS(d), i);
    return OBSERVE(o, VPM_POINT_DMA_ROW_DONE, true, DMA_INPUTS(d), i) && r->length;
}

static bool takes_place(const struct vpm *v, const struct shape *d, bool busy, bool done)
{
    return OBSERVE(v->env->observer, VPM_POINT_DMA_DONE, done, DMA_INPUTS(d), busy);
}

/* Sets Y and X, which store setups and load setups both have (p58 T34, p59 T36). */
static void decode_place(const struct vpm *v, struct shape *d, uint32_t y, uint32_t x, uint32_t word)
{
    d->y = OBSERVE(v->env->observer, VPM_POINT_DMA_Y, y, DMA_INPUTS(d), word);
    d->x = OBSERVE(v->env->observer, VPM_POINT_DMA_X, x, DMA_INPUTS(d), word);
}

/* ---- Store ---- */

/* The fields of a store setup, as rules left them. */
struct store {
    struct shape d;
    uint32_t laned, stride, blockmode;
};

#define STORE_INPUTS(s) (s)->d.modew, (s)->d.horizontal, (s)->d.units, (s)->d.depth

static struct store store_of(const struct vpm *v)
{
    const struct observer *o = v->env->observer;
    uint32_t word = v->port.store_setup, stride = v->port.store_stride;
    struct store s = {
        .d = {.store = true,
              .modew = OBSERVE(o, VPM_POINT_DMA_MODEW, SETUP_FIELD(word, VDW_MODEW), true, word),
              .horizontal = OBSERVE(o, VPM_POINT_STORE_HORIZONTAL, SETUP_FIELD(word, VDW_HORIZ), word),
              .units =
                  OBSERVE(o, VPM_POINT_STORE_UNITS, setup_count(SETUP_FIELD(word, VDW_UNITS), 128), word),
              .depth =
                  OBSERVE(o, VPM_POINT_STORE_DEPTH, setup_count(SETUP_FIELD(word, VDW_DEPTH), 128), word)}};
    decode_place(v, &s.d, SETUP_FIELD(word, VDW_Y), SETUP_FIELD(word, VDW_X), word);
    s.laned = OBSERVE(o, VPM_POINT_STORE_LANED, SETUP_FIELD(word, VDW_LANED), STORE_INPUTS(&s), word);
    s.stride =
        OBSERVE(o, VPM_POINT_STORE_STRIDE, SETUP_FIELD(stride, VDW_STRIDE_STRIDE), STORE_INPUTS(&s), stride);
    s.blockmode = OBSERVE(o, VPM_POINT_STORE_BLOCKMODE, SETUP_FIELD(stride, VDW_STRIDE_BLOCKMODE),
                          STORE_INPUTS(&s), stride);
    return s;
}

/* Bytes from the start of one row in memory to the start of the next (p59 T35). */
static uint32_t store_pitch(const struct vpm *v, const struct store *s, uint32_t row_bytes)
{
    uint32_t stride = s->stride;
    if (stride >> 13 && vpm_consult(v, VPM_CLAUSE_VDW_STRIDE_WIDTH, 0) == READING_MANUAL)
        stride &= (1U << 13) - 1;
    if (vpm_consult(v, VPM_CLAUSE_VDW_STRIDE_MEANING, 0) != VPM_VDW_START_TO_START)
        stride += row_bytes;
    return OBSERVE(v->env->observer, VPM_POINT_DMA_PITCH, stride, DMA_INPUTS(&s->d), s->stride, row_bytes, 0);
}

/* Does each unit start directly behind the previous unit in the same VPM row or column (clause
 * vdw-blockmode)? For horizontal units of a whole row the answer makes no difference, and the function
 * returns false. */
static bool is_packed(const struct vpm *v, const struct vcd_row *first, uint32_t unit, const struct store *s)
{
    bool whole_rows = !first->vertical && first->length * first->step == ROW_BYTES;
    bool packed = !whole_rows &&
                  vpm_consult(v, VPM_CLAUSE_VDW_BLOCKMODE, first->vertical) == READING_MANUAL && s->blockmode;
    return OBSERVE(v->env->observer, VPM_POINT_DMA_PACKED, packed, DMA_INPUTS(&s->d), unit, s->blockmode,
                   whole_rows, first->step);
}

/* The place of a unit in the VPM: the next row or column, or directly after the previous unit. */
static struct vcd_row unit_of(const struct vpm *v, const struct vcd_row *first, uint32_t unit,
                              const struct store *s)
{
    struct vcd_row r = *first;
    const bool packed = unit > 0 && is_packed(v, first, unit, s);
    uint32_t col = r.col + unit, distance = 0;
    if (packed) {
        distance = unit * r.length * r.step;
    } else if (!r.vertical) {
        distance = unit * ROW_BYTES;
    } else {
        /* The unit after column 15 is in column 0 of the next 16 rows, or of the same rows if it wraps. */
        if (col >= VC4_LANES && carries(v, &s->d, OVERRUN_UNITS, col))
            distance = col / VC4_LANES * ROW_BYTES; /* 16 rows of 4 bytes of this column */
        r.col = col % VC4_LANES;
    }
    r.at += OBSERVE(v->env->observer, VPM_POINT_DMA_ROW_DISTANCE, distance, DMA_INPUTS(&s->d), unit,
                    r.length * r.step, packed, col);
    r.at = OBSERVE(v->env->observer, VPM_POINT_DMA_ROW_PLACE, r.at, DMA_INPUTS(&s->d), unit, first->at,
                   r.length * r.step, 0, 0, s->d.x, 0);
    return r;
}

enum vc4_stop vcd_store(struct vpm *v, uint32_t address, bool busy, bool done)
{
    const struct store s = store_of(v);
    if (!takes_place(v, &s.d, busy, done) || !s.d.depth)
        return VC4_GO;
    const bool to_memory = OBSERVE(v->env->observer, VPM_POINT_DMA_TO_MEMORY, true, DMA_INPUTS(&s.d));
    struct vcd_row first = first_row(v, &s.d, !s.d.horizontal, s.d.y);
    if (s.laned && first.width < 4 &&
        vpm_consult(v, VPM_CLAUSE_VDW_LANED, first.width > 1) == VPM_VDW_LANED_OBEYED)
        first.step = 4;
    first.step =
        OBSERVE(v->env->observer, VPM_POINT_DMA_STEP, first.step, DMA_INPUTS(&s.d), s.laned, first.width);
    uint32_t pitch = s.d.units > 1 ? store_pitch(v, &s, first.length * first.width) : 0,
             at = memory_offset(v, &s.d, address);
    enum vc4_stop stop = VC4_GO;
    for (uint32_t i = 0; i < s.d.units && !stop; i++) {
        struct vcd_row r = unit_of(v, &first, i, &s);
        if (observe_row(v, &s.d, &r, i))
            stop = transfer(v, &s.d, &r, row_address(v, &s.d, at, i, pitch), to_memory);
    }
    return stop;
}

/* ---- Load ---- */

/* The fields of a load setup, as rules left them. */
struct load {
    struct shape d;
    uint32_t vpitch, mpitch, mpitchb;
};

#define LOAD_INPUTS(l) (l)->d.modew, !(l)->d.horizontal, (l)->d.units, (l)->d.depth

static struct load load_of(const struct vpm *v)
{
    const struct observer *o = v->env->observer;
    uint32_t word = v->port.load_setup;
    struct load l = {
        .d = {.modew = OBSERVE(o, VPM_POINT_DMA_MODEW, SETUP_FIELD(word, VDR_MODEW), false, word),
              .horizontal = !OBSERVE(o, VPM_POINT_LOAD_VERTICAL, SETUP_FIELD(word, VDR_VERT), word),
              .units = OBSERVE(o, VPM_POINT_LOAD_NROWS, setup_count(SETUP_FIELD(word, VDR_NROWS), 16), word),
              .depth =
                  OBSERVE(o, VPM_POINT_LOAD_ROWLEN, setup_count(SETUP_FIELD(word, VDR_ROWLEN), 16), word)}};
    decode_place(v, &l.d, SETUP_FIELD(word, VDR_Y), SETUP_FIELD(word, VDR_X), word);
    l.vpitch = OBSERVE(o, VPM_POINT_LOAD_VPITCH, setup_count(SETUP_FIELD(word, VDR_VPITCH), 16),
                       LOAD_INPUTS(&l), word);
    l.mpitch = OBSERVE(o, VPM_POINT_LOAD_MPITCH, SETUP_FIELD(word, VDR_MPITCH), LOAD_INPUTS(&l), word);
    l.mpitchb = OBSERVE(o, VPM_POINT_LOAD_MPITCHB, SETUP_FIELD(v->port.load_pitch, VDR_PITCH_MPITCHB),
                        LOAD_INPUTS(&l), v->port.load_pitch);
    return l;
}

/*
 * Returns the place in the VPM where row i of a load starts. VPITCH counts whole rows for 32-bit elements,
 * half rows ({Y, H}) for 16-bit elements, and quarter rows ({Y, B}) for 8-bit elements. The manual adds
 * VPITCH to four bits only: Y[3:0], {Y[2:0], H[0]} or {Y[1:0], B[1:0]} (p59). Clause vdr-vpitch-carry has
 * other readings.
 */
static uint32_t load_row_start(const struct vpm *v, const struct vcd_row *first, const struct load *l,
                               uint32_t i)
{
    const struct observer *o = v->env->observer;
    uint32_t quantum = first->vertical ? first->width : VC4_LANES * first->width, vpitch = l->vpitch;
    if (o) {
        quantum = OBSERVE(o, VPM_POINT_LOAD_UNIT, quantum, LOAD_INPUTS(l), first->width);
        quantum = quantum ? quantum : 1;
    }
    uint32_t block = first->at / quantum, within = first->at % quantum;
    block = OBSERVE(o, VPM_POINT_LOAD_FIRST, block, LOAD_INPUTS(l), first->at, quantum);
    within = OBSERVE(o, VPM_POINT_LOAD_WITHIN, within, LOAD_INPUTS(l), first->at, quantum);
    const uint32_t sum = OBSERVE(o, VPM_POINT_LOAD_SUM, block + i * vpitch, LOAD_INPUTS(l), i, vpitch, block);
    uint32_t moved = sum;
    if (moved >> 4 != block >> 4) {
        unsigned rule = vpm_consult(v, VPM_CLAUSE_VDR_VPITCH_CARRY, vpitch == 16 ? 0 : 1);
        if (rule == READING_MANUAL || (rule == VPM_VPITCH_CARRIES_16_ONLY && vpitch != 16))
            moved = (block & ~15U) | (moved & 15U);
    }
    moved = OBSERVE(o, VPM_POINT_LOAD_BLOCK, moved, LOAD_INPUTS(l), i, vpitch, block, sum);
    return OBSERVE(o, VPM_POINT_DMA_ROW_PLACE, moved * quantum + within, DMA_INPUTS(&l->d), i, first->at,
                   first->length * first->step, moved, within, l->d.x, quantum);
}

enum vc4_stop vcd_load(struct vpm *v, uint32_t address, bool busy, bool done)
{
    const struct observer *o = v->env->observer;
    const struct load l = load_of(v);
    uint32_t y = l.d.y;
    if (!takes_place(v, &l.d, busy, done))
        return VC4_GO;
    if (!l.d.depth)
        return VC4_GO;
    const bool to_memory = OBSERVE(o, VPM_POINT_DMA_TO_MEMORY, false, DMA_INPUTS(&l.d));
    if (y >= VC4_VPM_ROWS_OF_QPU && vpm_consult(v, VPM_CLAUSE_VDR_ADDRXY_WIDTH, 0) == READING_MANUAL)
        y &= VC4_VPM_ROWS_OF_QPU - 1;
    bool swapped = vpm_consult(v, VPM_CLAUSE_VDW_HORIZ_VS_VDR_VERT, !l.d.horizontal) == VPM_VDR_SAME_POLARITY;
    struct vcd_row first = first_row(v, &l.d, l.d.horizontal == swapped, y);
    first.step = OBSERVE(o, VPM_POINT_DMA_STEP, first.step, DMA_INPUTS(&l.d), 0, first.width);
    uint32_t pitch = l.mpitch ? 8U << l.mpitch : l.mpitchb, at = memory_offset(v, &l.d, address);
    pitch = OBSERVE(o, VPM_POINT_DMA_PITCH, pitch, DMA_INPUTS(&l.d), l.mpitchb, first.length * first.width,
                    l.mpitch);
    enum vc4_stop stop = VC4_GO;
    for (uint32_t i = 0; i < l.d.units && !stop; i++) {
        struct vcd_row r = first;
        r.at = load_row_start(v, &first, &l, i);
        if (observe_row(v, &l.d, &r, i))
            stop = transfer(v, &l.d, &r, row_address(v, &l.d, at, i, pitch), to_memory);
    }
    return stop;
}
