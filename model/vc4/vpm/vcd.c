/* SPDX-License-Identifier: MIT */
#include "model/vc4/vpm/vcd.h"
#include "model/vc4/vpm/vpm_clauses.h"
#include "model/vc4/vpm/vpm_setup.h"

#include <string.h>

enum {
    ROW_BYTES = 4 * VC4_LANES,
    VPM_BYTES = ROW_BYTES * VC4_VPM_ROWS,
    COLUMN_BYTES = 4 * VC4_VPM_ROWS,
    WINDOW_COLUMN_BYTES = 4 * VC4_VPM_ROWS_OF_QPU,
};

/* Modes of clause vcd-row-overrun. */
enum { OVERRUN_ROW, OVERRUN_COLUMN, OVERRUN_UNITS };

/*
 * One row of a transfer: `length` elements that lie one after the other in
 * memory, and in the VPM along a row or down a column. Positions in the VPM
 * count bytes: from (0, 0) row by row if horizontal, else from the top of column `col`.
 */
struct vcd_row {
    bool vertical;
    bool wraps;       /* a row that runs past its end goes on at its start, not in the next one (clause
                         vcd-row-overrun) */
    uint32_t width;   /* of an element: 1, 2, 4 bytes */
    uint32_t step;    /* from element to element in the VPM: `width`, or 4 if laned */
    uint32_t length;  /* in elements */
    uint32_t at, col; /* where the row starts in the VPM */
};

static unsigned reading(const struct vpm *v, enum vpm_clause clause)
{
    return reading_of(v->env->profile, clause);
}

static void consult(const struct vpm *v, enum vpm_clause clause, unsigned mode)
{
    cover(v->env->coverage, clause, mode);
}

/* MODEW: 0 32-bit, 2-3 16-bit with the half in bit 0, 4-7 8-bit with the byte in bits 1:0 (p58 T34, p59 T36);
 * 1 does not come here. */
static uint32_t modew_width(uint32_t modew)
{
    return modew >= 4 ? 1 : modew >= 2 ? 2 : 4;
}
static uint32_t modew_offset(uint32_t modew)
{
    return modew >= 4 ? modew & 3 : modew >= 2 ? 2 * (modew & 1) : 0;
}

static struct vpm_place place_of(const struct vcd_row *r, uint32_t element)
{
    uint32_t at = r->at + element * r->step;
    if (r->vertical) {
        if (r->wraps)
            at = (r->at & ~(WINDOW_COLUMN_BYTES - 1U)) | (at & (WINDOW_COLUMN_BYTES - 1U));
        at &= COLUMN_BYTES - 1U;
        return (struct vpm_place){at / 4, r->col, at % 4 * 8};
    }
    if (r->wraps)
        at = (r->at & ~(ROW_BYTES - 1U)) | (at & (ROW_BYTES - 1U));
    at &= VPM_BYTES - 1U;
    return (struct vpm_place){at / ROW_BYTES, at / 4 % VC4_LANES, at % 4 * 8};
}

/* The row at (x, y) of a DMA in mode MODEW, of so many elements; packed. */
static struct vcd_row row_at(const struct vpm *v, bool vertical, uint32_t modew, uint32_t x, uint32_t y,
                             uint32_t length)
{
    return (struct vcd_row){
        .vertical = vertical,
        .wraps = reading(v, VPM_CLAUSE_VCD_ROW_OVERRUN) == VPM_OVERRUN_WRAPS,
        .width = modew_width(modew),
        .step = modew_width(modew),
        .length = length,
        .at = (vertical ? y * 4 : y * ROW_BYTES + x * 4) + modew_offset(modew),
        .col = x,
    };
}

/* Does the row run past its end? Then the clause that says what happens is consulted. */
static void look_for_overrun(const struct vpm *v, const struct vcd_row *r)
{
    uint32_t room = r->vertical ? WINDOW_COLUMN_BYTES : ROW_BYTES;
    if ((r->at & (room - 1)) + (r->length - 1) * r->step + r->width > room)
        consult(v, VPM_CLAUSE_VCD_ROW_OVERRUN, r->vertical ? OVERRUN_COLUMN : OVERRUN_ROW);
}

/* ---- Memory: little-endian bytes in rows of words. Elements may lie at any byte. ---- */

static inline uint32_t memory_byte(const uint32_t *memory, uint32_t offset)
{
    return memory[offset / 4] >> offset % 4 * 8 & 0xFF;
}

static inline uint32_t memory_get(const uint32_t *memory, uint32_t offset, uint32_t width)
{
    if (offset % width == 0)
        return memory[offset / 4] >> offset % 4 * 8 & (width == 4 ? UINT32_MAX : (1U << width * 8 % 32) - 1U);
    uint32_t value = 0;
    for (uint32_t i = 0; i < width; i++)
        value |= memory_byte(memory, offset + i) << i * 8;
    return value;
}

static inline void memory_put_bits(uint32_t *memory, uint32_t offset, uint32_t mask, uint32_t value)
{
    uint32_t shift = offset % 4 * 8;
    memory[offset / 4] = (memory[offset / 4] & ~(mask << shift)) | (value & mask) << shift;
}

static inline void memory_put(uint32_t *memory, uint32_t offset, uint32_t width, uint32_t value)
{
    if (offset % width == 0)
        memory_put_bits(memory, offset, width == 4 ? UINT32_MAX : (1U << width * 8 % 32) - 1U, value);
    else
        for (uint32_t i = 0; i < width; i++)
            memory_put_bits(memory, offset + i, 0xFF, value >> i * 8);
}

/* Packed rows that stay inside the VPM and the row they began in are runs of bytes, on hosts that keep words
 * as the VPM does. */
static bool is_run_of_bytes(const struct vcd_row *r)
{
    uint32_t bytes = r->length * r->width,
             room = r->wraps ? ROW_BYTES - r->at % ROW_BYTES : VPM_BYTES - r->at;
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && !r->vertical && r->step == r->width && bytes <= room;
}

/* Element by element; a loop of constants for each width and direction. */
static inline __attribute__((always_inline)) void move_elements(const struct vcd_row *r, bool store,
                                                                uint32_t width, struct vc4_vector *vpm,
                                                                uint32_t *memory, uint32_t offset)
{
    uint32_t mask = width == 4 ? UINT32_MAX : (1U << width * 8 % 32) - 1U;
    for (uint32_t k = 0; k < r->length; k++, offset += width) {
        struct vpm_place p = place_of(r, k);
        uint32_t *word = &vpm[p.row].lane[p.col];
        if (store)
            memory_put(memory, offset, width, *word >> p.shift);
        else
            *word = (*word & ~(mask << p.shift)) | memory_get(memory, offset, width) << p.shift;
    }
}

/* Moves one row between two planes (values, or masks). */
static void move_row(const struct vcd_row *r, bool store, struct vc4_vector *vpm, struct vc4_vector *memory,
                     uint32_t offset)
{
    if (is_run_of_bytes(r)) { /* most rows; 5 times faster than element by element */
        uint8_t *in_vpm = (uint8_t *)vpm + r->at, *in_memory = (uint8_t *)memory + offset;
        memcpy(store ? in_memory : in_vpm, store ? in_vpm : in_memory, r->length * r->width);
        return;
    }
    uint32_t *words = (uint32_t *)memory;
    if (r->width == 4)
        store ? move_elements(r, true, 4, vpm, words, offset)
              : move_elements(r, false, 4, vpm, words, offset);
    else if (r->width == 2)
        store ? move_elements(r, true, 2, vpm, words, offset)
              : move_elements(r, false, 2, vpm, words, offset);
    else
        store ? move_elements(r, true, 1, vpm, words, offset)
              : move_elements(r, false, 1, vpm, words, offset);
}

static void touch_row(const struct vpm *v, const struct vcd_row *r, bool store, uint32_t offset)
{
    if (store) {
        for (uint32_t row = offset / ROW_BYTES; row <= (offset + r->length * r->width - 1) / ROW_BYTES; row++)
            vc4_touch(&v->env->memory, row);
        return;
    }
    if (is_run_of_bytes(r)) {
        for (uint32_t row = r->at / ROW_BYTES; row <= (r->at + r->length * r->width - 1) / ROW_BYTES; row++)
            vc4_touch(&v->rows, row);
        return;
    }
    for (uint32_t k = 0; k < r->length; k++)
        vc4_touch(&v->rows, place_of(r, k).row);
}

/* Holds the rows of the VPM against what the run may touch. */
static void note_rows(const struct vpm *v, const struct vcd_row *r)
{
    for (uint32_t k = 0; v->env->limits && k < r->length; k++)
        vc4_note_vpm_rows(v->env, place_of(r, k).row, 1);
}

/* One row, to or from this bus address. */
static enum vc4_stop transfer(struct vpm *v, const struct vcd_row *r, bool store, uint32_t address)
{
    const struct vc4_env *env = v->env;
    uint32_t offset;
    if (!vc4_reach(env, address, r->length * r->width, store ? VC4_STORES : VC4_LOADS, &offset))
        return VC4_FAULT_MEMORY;
    look_for_overrun(v, r);
    note_rows(v, r);
    move_row(r, store, v->rows.value, env->memory.value, offset);
    if (env->checked)
        move_row(r, store, v->rows.defined, env->memory.defined, offset);
    touch_row(v, r, store, offset);
    return VC4_GO;
}

/* ---- Store ---- */

/* Bytes from the start of one row in memory to the start of the next (p59 T35). */
static uint32_t store_pitch(const struct vpm *v, uint32_t row_bytes)
{
    uint32_t stride = SETUP_FIELD(v->port.store_stride, VDW_STRIDE_STRIDE);
    if (stride >> 13) {
        consult(v, VPM_CLAUSE_VDW_STRIDE_WIDTH, 0);
        if (reading(v, VPM_CLAUSE_VDW_STRIDE_WIDTH) == READING_MANUAL)
            stride &= (1U << 13) - 1;
    }
    consult(v, VPM_CLAUSE_VDW_STRIDE_MEANING, 0);
    return reading(v, VPM_CLAUSE_VDW_STRIDE_MEANING) == VPM_VDW_START_TO_START ? stride : row_bytes + stride;
}

/* Moves on to the next unit in the VPM: the next row or column, or in BLOCKMODE what follows without a gap.
 */
static struct vcd_row unit_of(const struct vpm *v, const struct vcd_row *first, uint32_t unit)
{
    struct vcd_row r = *first;
    if (SETUP_FIELD(v->port.store_stride, VDW_STRIDE_BLOCKMODE)) {
        r.at += unit * r.length * r.step;
    } else if (!r.vertical) {
        r.at += unit * ROW_BYTES;
    } else {
        uint32_t col = r.col + unit;
        if (col >= VC4_LANES) { /* as in block access, a column number that runs over goes on 16 rows further;
                                   or not */
            consult(v, VPM_CLAUSE_VCD_ROW_OVERRUN, OVERRUN_UNITS);
            if (!r.wraps)
                r.at += col / VC4_LANES * ROW_BYTES; /* 16 rows of 4 bytes of this column */
        }
        r.col = col % VC4_LANES;
    }
    r.at &= r.vertical ? COLUMN_BYTES - 1U : VPM_BYTES - 1U;
    return r;
}

enum vc4_stop vcd_store(struct vpm *v, uint32_t address)
{
    uint32_t word = v->port.store_setup;
    struct vcd_row first =
        row_at(v, !SETUP_FIELD(word, VDW_HORIZ), SETUP_FIELD(word, VDW_MODEW), SETUP_FIELD(word, VDW_X),
               SETUP_FIELD(word, VDW_Y), setup_count(SETUP_FIELD(word, VDW_DEPTH), 128));
    if (SETUP_FIELD(word, VDW_LANED) && first.width < 4) {
        consult(v, VPM_CLAUSE_VDW_LANED, first.width - 1);
        if (reading(v, VPM_CLAUSE_VDW_LANED) == VPM_VDW_LANED_OBEYED)
            first.step = 4;
    }
    uint32_t units = setup_count(SETUP_FIELD(word, VDW_UNITS), 128);
    uint32_t pitch = units > 1 ? store_pitch(v, first.length * first.width) : 0;
    for (uint32_t i = 0; i < units; i++) {
        struct vcd_row r = unit_of(v, &first, i);
        enum vc4_stop stop = transfer(v, &r, true, address + i * pitch);
        if (stop)
            return stop;
    }
    return VC4_GO;
}

/* ---- Load ---- */

/*
 * Where row i starts: VPITCH counts rows of 32-bit elements, half and quarter
 * rows of 16-bit and 8-bit ones ({Y, H}, {Y, B}). The manual adds in four bits
 * only: {Y[1:0], B[1:0]}, {Y[2:0], H[0]}, Y[3:0] (p59; clause vdr-vpitch-carry).
 */
static uint32_t load_row_start(const struct vpm *v, const struct vcd_row *first, uint32_t vpitch, uint32_t i)
{
    uint32_t quantum = first->vertical ? first->width : VC4_LANES * first->width;
    uint32_t block = first->at / quantum, within = first->at % quantum, moved = block + i * vpitch;
    if (moved >> 4 != block >> 4) {
        consult(v, VPM_CLAUSE_VDR_VPITCH_CARRY, vpitch == 16 ? 0 : 1);
        unsigned rule = reading(v, VPM_CLAUSE_VDR_VPITCH_CARRY);
        if (rule == READING_MANUAL || (rule == VPM_VPITCH_CARRIES_16_ONLY && vpitch != 16))
            moved = (block & ~15U) | (moved & 15U);
    }
    return (moved * quantum + within) & (first->vertical ? COLUMN_BYTES - 1U : VPM_BYTES - 1U);
}

enum vc4_stop vcd_load(struct vpm *v, uint32_t address)
{
    uint32_t word = v->port.load_setup, y = SETUP_FIELD(word, VDR_Y);
    if (y >= VC4_VPM_ROWS_OF_QPU) {
        consult(v, VPM_CLAUSE_VDR_ADDRXY_WIDTH, 0);
        if (reading(v, VPM_CLAUSE_VDR_ADDRXY_WIDTH) == READING_MANUAL)
            y &= VC4_VPM_ROWS_OF_QPU - 1;
    }
    consult(v, VPM_CLAUSE_VDW_HORIZ_VS_VDR_VERT, SETUP_FIELD(word, VDR_VERT));
    bool vertical = SETUP_FIELD(word, VDR_VERT) !=
                    (reading(v, VPM_CLAUSE_VDW_HORIZ_VS_VDR_VERT) == VPM_VDR_SAME_POLARITY);
    struct vcd_row first = row_at(v, vertical, SETUP_FIELD(word, VDR_MODEW), SETUP_FIELD(word, VDR_X), y,
                                  setup_count(SETUP_FIELD(word, VDR_ROWLEN), 16));
    uint32_t mpitch = SETUP_FIELD(word, VDR_MPITCH);
    uint32_t pitch = mpitch ? 8U << mpitch : SETUP_FIELD(v->port.load_pitch, VDR_PITCH_MPITCHB);
    uint32_t vpitch = setup_count(SETUP_FIELD(word, VDR_VPITCH), 16),
             rows = setup_count(SETUP_FIELD(word, VDR_NROWS), 16);
    for (uint32_t i = 0; i < rows; i++) {
        struct vcd_row r = first;
        r.at = load_row_start(v, &first, vpitch, i);
        enum vc4_stop stop = transfer(v, &r, false, address + i * pitch);
        if (stop)
            return stop;
    }
    return VC4_GO;
}
