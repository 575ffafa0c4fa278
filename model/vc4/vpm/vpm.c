/* SPDX-License-Identifier: MIT */
#include "model/vc4/vpm/vpm.h"
#include "model/vc4/vpm/vpm_clauses.h"
#include "model/vc4/vpm/vpm_points.h"
#include "model/vc4/vpm/vpm_setup.h"

#include <string.h>

enum {
    ALL_LANES = 0xFFFF,
    READ_LATENCY = 3, /* instructions from a read setup to its first valid read (p56) */
};

/* Modes of clauses, as their `modes` in vpm_clauses.c name them. */
enum { ADDR_WRITE = 0, ADDR_LANED = 1, ADDR_READ = 2 };
enum { CONCURRENT_WRITE, CONCURRENT_READ, CONCURRENT_SETUP };

void vpm_reset(struct vpm *v, const struct vc4_env *env, struct vc4_rows rows)
{
    v->env = env;
    v->peer = NULL;
    v->rows = rows;
    memset(&v->port, 0, sizeof v->port);
    v->store_pending = v->load_pending = false;
    v->setup_at = v->write_at = v->read_at = 0;
}

static void fill_undefined(const struct vpm *v, struct vc4_vector *value, struct vc4_vector *defined)
{
    for (unsigned i = 0; i < VC4_LANES; i++)
        value->lane[i] = v->env->filler;
    if (v->env->checked)
        memset(defined, 0, sizeof *defined);
}

/* ---- Setup words ---- */

/* The inputs of points in a block access of mode `m`, and one more. */
#define MODE_INPUTS(mode, more) (mode) & 3U, (mode) >> 2 & 1U, (mode) >> 3, (more)

/* The block access of a setup word. The fields are at the same bits in both words (p57 T32, p58 T33), and the
 * points are in the same order. `first`: the point of SIZE. */
static struct vpm_block block_of(const struct vpm *v, uint32_t word, unsigned first)
{
    const struct observer *o = v->env->observer;
    uint32_t size = SETUP_FIELD(word, VPM_WRITE_SIZE), laned = SETUP_FIELD(word, VPM_WRITE_LANED),
             horizontal = SETUP_FIELD(word, VPM_WRITE_HORIZ);
    size = OBSERVE(o, first, size, laned, horizontal, word);
    laned = OBSERVE(o, first + 1, laned, size, horizontal, word);
    horizontal = OBSERVE(o, first + 2, horizontal, size, laned, word);
    uint32_t mode = horizontal << 3 | laned << 2 | size;
    return (struct vpm_block){
        .set = true,
        .mode = (uint8_t)mode,
        .address = OBSERVE(o, first + 3, SETUP_FIELD(word, VPM_WRITE_ADDR), MODE_INPUTS(mode, word)),
        .stride = OBSERVE(o, first + 4, SETUP_FIELD(word, VPM_WRITE_STRIDE), MODE_INPUTS(mode, word)),
    };
}

static bool is_reserved(const struct vpm_block *b)
{
    return !vpm_modes[b->mode].bits;
}

static enum vc4_stop set_block_read(struct vpm *v, uint32_t word, uint64_t now)
{
    struct vpm_port *p = &v->port;
    const struct observer *o = v->env->observer;
    uint32_t outstanding = p->read.left + p->queued.left;
    struct vpm_block b = block_of(v, word, VPM_POINT_READ_SIZE);
    if (is_reserved(&b))
        return VC4_FAULT_RESERVED;
    b.left = OBSERVE(o, VPM_POINT_READ_NUM, setup_count(SETUP_FIELD(word, VPM_READ_NUM), 16),
                     MODE_INPUTS(b.mode, word));
    b.ready = now + OBSERVE(o, VPM_POINT_READ_LATENCY, READ_LATENCY, MODE_INPUTS(b.mode, 0));
    if (outstanding == 0) {
        p->read = b;
        return VC4_GO;
    }
    unsigned rule = vpm_consult(v, VPM_CLAUSE_READ_QUEUE, p->queued.left ? 1 : 0);
    if (rule == VPM_QUEUE_REDIRECTS) {
        p->read = b;
        p->queued.left = 0;
        p->fetched = 0;
    } else if (rule == READING_MANUAL ? p->queued.left == 0 : outstanding == 1) {
        p->queued = b;
    } /* else the setup is lost */
    return VC4_GO;
}

static enum vc4_stop set(struct vpm *v, enum vpm_setup_kind kind, uint32_t word, uint64_t now)
{
    struct vpm_port *p = &v->port;
    struct vpm_block block;
    switch (kind) {
    case VPM_SETS_WRITE:
        block = block_of(v, word, VPM_POINT_WRITE_SIZE);
        if (is_reserved(&block))
            return VC4_FAULT_RESERVED;
        p->write = block;
        return VC4_GO;
    case VPM_SETS_READ:
        return set_block_read(v, word, now);
    case VPM_SETS_STORE:
        if (SETUP_FIELD(word, VDW_MODEW) == 1)
            return VC4_FAULT_RESERVED; /* p58 T34: unused */
        p->store_setup = word;
        p->store_set = true;
        return VC4_GO;
    case VPM_SETS_STRIDE:
        p->store_stride = word;
        return VC4_GO;
    case VPM_SETS_LOAD:
        p->load_setup = word;
        p->load_set = true;
        return VC4_GO;
    case VPM_SETS_PITCH:
        p->load_pitch = word;
        return VC4_GO;
    case VPM_SETS_BASE:
        if (vpm_consult(v, VPM_CLAUSE_VCD_BASE_SETUP, 0) == VPM_BASE_SETUP_IGNORED)
            return VC4_GO;
        break;
    case VPM_SETS_NOTHING:
        break;
    }
    return VC4_FAULT_RESERVED;
}

/* The bits that the manual calls unused, and their mode of clause vpm-setup-unused. */
static const struct {
    uint32_t bits;
    unsigned mode;
} unused[] = {
    [VPM_SETS_WRITE] = {SETUP_MASK(VPM_WRITE_UNUSED), 0},
    [VPM_SETS_READ] = {SETUP_MASK(VPM_READ_UNUSED) | SETUP_MASK(VPM_READ_UNUSED_HIGH), 1},
    [VPM_SETS_STRIDE] = {SETUP_MASK(VDW_STRIDE_UNUSED), 2},
    [VPM_SETS_PITCH] = {SETUP_MASK(VDR_PITCH_UNUSED), 3},
    [VPM_SETS_NOTHING] = {0, 0},
};

/* Undoes the setups of this instruction if clause vpm-concurrent says so. Returns whether it did. */
static bool undo_setups(struct vpm *v, unsigned mode)
{
    unsigned rule = vpm_consult(v, VPM_CLAUSE_CONCURRENT, mode);
    if (rule == READING_MANUAL)
        return false;
    v->port = v->before;
    if (rule == VPM_CONCURRENT_UNDEFINED)
        v->port.undefined |= v->setup_kinds;
    return true;
}

/* Is this setup lost, because its instruction makes another access (clause vpm-concurrent)? An earlier setup
 * of the same instruction is then lost, too. */
static bool is_setup_lost(struct vpm *v, uint64_t now)
{
    uint64_t at = now + 1;
    bool after_setup = v->setup_at == at, after_write = v->write_at == at;
    if (!after_setup && !after_write && v->read_at != at)
        return false;
    return undo_setups(v, after_setup ? CONCURRENT_SETUP : after_write ? CONCURRENT_WRITE : CONCURRENT_READ);
}

static enum vc4_stop write_setup(struct vpm *v, enum vpm_setup_kind kind, uint32_t word, uint32_t defined,
                                 uint64_t now)
{
    uint32_t unused_bits = unused[kind].bits;
    if (v->setup_at != now + 1) {
        v->before = v->port;
        v->setup_kinds = 0;
    }
    v->setup_kinds |= 1U << kind;
    if (is_setup_lost(v, now)) {
        v->setup_at = now + 1;
        v->before = v->port;
        return VC4_GO;
    }
    if (v->env->checked && (~defined & ~unused_bits))
        return VC4_FAULT_UNDEFINED;
    if (word & unused_bits &&
        vpm_consult(v, VPM_CLAUSE_SETUP_UNUSED, unused[kind].mode) == VPM_UNUSED_REFUSED)
        return VC4_FAULT_RESERVED;
    v->setup_at = now + 1;
    /* A read setup stays undefined to the end: whether the next one is accepted depends on it. */
    v->port.undefined &= ~(1U << kind) | 1U << VPM_SETS_READ;
    return set(v, kind, word, now);
}

enum vc4_stop vpm_write_setup(struct vpm *v, uint32_t word, uint32_t defined, uint64_t now)
{
    static const enum vpm_setup_kind kinds[4] = {VPM_SETS_WRITE, VPM_SETS_BASE, VPM_SETS_STORE,
                                                 VPM_SETS_STRIDE};
    word = OBSERVE(v->env->observer, VPM_POINT_SETUP_WRITE_WORD, word, 0);
    return write_setup(v, kinds[SETUP_FIELD(word, VPM_WRITE_ID)], word, defined, now);
}

enum vc4_stop vpm_read_setup(struct vpm *v, uint32_t word, uint32_t defined, uint64_t now)
{
    word = OBSERVE(v->env->observer, VPM_POINT_SETUP_READ_WORD, word, 0);
    enum vpm_setup_kind kind = SETUP_FIELD(word, VDR_PITCH_ID) == 9  ? VPM_SETS_PITCH
                               : SETUP_FIELD(word, VDR_ID)           ? VPM_SETS_LOAD
                               : SETUP_FIELD(word, VPM_READ_ID) == 0 ? VPM_SETS_READ
                                                                     : VPM_SETS_NOTHING;
    return write_setup(v, kind, word, defined, now);
}

/* Applies clause vpm-concurrent to a read or write that follows a setup of the same instruction. */
static void follow_setup(struct vpm *v, uint64_t now, unsigned mode)
{
    if (v->setup_at == now + 1)
        (void)undo_setups(v, mode);
}

/* Must a checked run stop because one of these setups is undefined? An access in the same instruction as a
 * setup uses the setup before it. */
static bool is_undefined(const struct vpm *v, uint32_t kinds, uint64_t now)
{
    const struct vpm_port *p = v->setup_at == now + 1 ? &v->before : &v->port;
    return v->env->checked && p->undefined & kinds;
}

/* ---- Block access ---- */

/* Shows the place of a vector to the observer, and keeps what its rules make of it inside the VPM. `first`:
 * the point of the row. */
static void observe_span(const struct observer *o, const struct vpm_block *b, uint32_t address,
                         unsigned first, struct vpm_span *s)
{
    const struct vpm_mode *m = &vpm_modes[b->mode];
    uint32_t rows = VC4_VPM_ROWS - vpm_vector_rows(m),
             words = m->horizontal ? (uint32_t)VC4_LANES / m->per_word : 1U,
             shifts = 32U - (uint32_t)m->bits * m->per_word;
    s->row = OBSERVE(o, first, s->row, MODE_INPUTS(b->mode, address));
    s->col = OBSERVE(o, first + 1, s->col, MODE_INPUTS(b->mode, address));
    s->shift = OBSERVE(o, first + 2, s->shift, MODE_INPUTS(b->mode, address));
    s->row = s->row < rows ? s->row : rows;
    s->col = s->col < VC4_LANES - words ? s->col : VC4_LANES - words;
    s->shift = s->shift < shifts ? s->shift : shifts;
}

static struct vpm_span next_span(const struct vpm *v, struct vpm_block *b, const struct vpm_mode *m,
                                 unsigned access)
{
    struct vpm_addressing a = {.y_mask = VC4_VPM_ROWS_OF_QPU - 1};
    const struct observer *o = v->env->observer;
    unsigned first = access == ADDR_READ ? VPM_POINT_READ_ADDRESS : VPM_POINT_WRITE_ADDRESS;
    if (b->moved && b->stride)
        b->address += b->stride;
    else if (b->moved && vpm_consult(v, VPM_CLAUSE_STRIDE_ZERO, (m->sub_bits + 2U) % 3U) == READING_MANUAL)
        b->address += 64;
    b->moved = b->set; /* in plain runs, all writes without a setup go to row 0 */
    uint32_t address = OBSERVE(o, first, b->address, MODE_INPUTS(b->mode, b->stride));
    uint32_t y = vpm_row_field(m, address);
    bool beyond = m->sub_bits < 2 && address >> (6 + m->sub_bits) & 1; /* would be Y[6] */
    if (beyond && vpm_consult(v, VPM_CLAUSE_ADDR_HIGH_BITS, m->sub_bits) == VPM_ADDR_HIGH_ROW_BITS)
        a.base_row = VC4_VPM_ROWS_OF_QPU;
    unsigned mode = m->bits == 32 ? access / 2 : access + (m->per_word == 1 ? ADDR_LANED : 0);
    static const uint8_t row_scales[] = {
        [READING_MANUAL] = 0, [VPM_ADDR_ROW_DIV_2] = 1, [VPM_ADDR_ROW_DIV_4] = 2};
    if (m->clause != VPM_NO_CLAUSE && y)
        a.row_scale = row_scales[vpm_consult(v, m->clause, mode)];
    if (m->horizontal && y >= 16 && vpm_consult(v, VPM_CLAUSE_ADDR_LS4, m->sub_bits) == VPM_ADDR_LS4_LITERAL)
        a.y_mask = 15;
    struct vpm_span s = vpm_locate(m, &a, address);
    if (o)
        observe_span(o, b, address, first + 1, &s);
    vc4_note_vpm_rows(v->env, s.row, vpm_vector_rows(m));
    return s;
}

/* Is figure 8a about this mode? It prints element 3 twice and element 4 not at all. */
static bool is_fig8a(const struct vpm_mode *m)
{
    return m->horizontal && m->bits == 8 && m->per_word == 4;
}

/* Applies the clauses about conditions and about figure 8a to a vector before it is written. False: nothing
 * is written. */
static bool prepare_write(const struct vpm *v, const struct vpm_mode *m, struct vc4_vector *value,
                          struct vc4_vector *defined, uint32_t *lanes)
{
    *lanes &= ALL_LANES;
    if (*lanes != ALL_LANES && vpm_consult(v, VPM_CLAUSE_COND_VPM_WRITE, *lanes ? 0 : 1) == VPM_COND_PUSHES) {
        for (unsigned i = 0; i < VC4_LANES; i++)
            if (!(*lanes >> i & 1)) {
                value->lane[i] = v->env->filler;
                defined->lane[i] = 0;
            }
        *lanes = ALL_LANES;
    }
    if (*lanes && is_fig8a(m) && vpm_consult(v, VPM_CLAUSE_FIG8A, 0) == READING_MANUAL) {
        value->lane[4] = value->lane[3];
        defined->lane[4] = defined->lane[3];
        *lanes = (*lanes & ~0x10U) | (*lanes << 1 & 0x10U);
    }
    return *lanes != 0;
}

/* Sets the bits above the data of an 8-bit or 16-bit read (clause vpm-subword-read). */
static void extend(const struct vpm *v, const struct vpm_mode *m, struct vc4_vector *value,
                   struct vc4_vector *defined)
{
    if (m->bits == 32)
        return;
    unsigned rule = vpm_consult(v, VPM_CLAUSE_SUBWORD_READ, m->sub_bits - 1U);
    uint32_t above = UINT32_MAX << m->bits % 32, ones = m->bits == 8 ? 0x01010101U : 0x00010001U;
    bool checked = v->env->checked;
    for (unsigned i = 0; i < VC4_LANES; i++) {
        uint32_t x = value->lane[i], d = checked ? defined->lane[i] : 0;
        if (rule == VPM_SUBWORD_REPLICATE) {
            x *= ones;
            d *= ones;
        } else if (rule == VPM_SUBWORD_SIGN) {
            x |= x >> (m->bits - 1) & 1 ? above : 0;
            d |= d >> (m->bits - 1) & 1 ? above : 0;
        } else {
            d |= above;
        }
        value->lane[i] = x;
        if (checked)
            defined->lane[i] = d;
    }
}

/* Reads the next vector of the current read setup from the VPM. */
static void fetch(struct vpm *v, struct vc4_vector *value, struct vc4_vector *defined)
{
    const struct vpm_mode *m = &vpm_modes[v->port.read.mode];
    struct vpm_span s = next_span(v, &v->port.read, m, ADDR_READ);
    vpm_get(v->rows.value, m, &s, value);
    if (v->env->checked)
        vpm_get(v->rows.defined, m, &s, defined);
    extend(v, m, value, defined);
    if (is_fig8a(m) && vpm_consult(v, VPM_CLAUSE_FIG8A, 1) == READING_MANUAL) {
        value->lane[4] = v->env->filler;
        if (v->env->checked)
            defined->lane[4] = 0;
    }
    if (v->env->observer)
        observe_lanes(v->env->observer, VPM_POINT_READ_VALUE, value->lane,
                      (uint32_t[]){MODE_INPUTS(v->port.read.mode, v->port.read.address)});
}

static void fetch_ahead(struct vpm *v)
{
    struct vpm_port *p = &v->port;
    if (p->read.left == 0 || vpm_consult(v, VPM_CLAUSE_FIFO_DEPTH, 0) != VPM_FIFO_FOUR)
        return;
    for (; p->fetched < VPM_FIFO_VECTORS && p->fetched < p->read.left; p->fetched++)
        fetch(v, &v->fifo[p->fetched], &v->fifo_defined[p->fetched]);
}

/* Makes every read FIFO fetch its next vectors now, because the content of the VPM is about to change. */
static void before_change(struct vpm *v)
{
    fetch_ahead(v);
    for (struct vpm *p = v->peer; p && p != v; p = p->peer)
        fetch_ahead(p);
}

enum vc4_stop vpm_write(struct vpm *v, const struct vc4_vector *value, const struct vc4_vector *defined,
                        uint32_t lanes, uint64_t now)
{
    follow_setup(v, now, CONCURRENT_WRITE);
    v->write_at = now + 1;
    if (v->read_at == now + 1 && vpm_consult(v, VPM_CLAUSE_READ_WRITE_SAME, 0) == VPM_SAME_WRITE_LOST)
        return VC4_GO;
    struct vpm_block *b = &v->port.write;
    if ((!b->set && v->env->checked) || is_undefined(v, 1U << VPM_SETS_WRITE, now))
        return VC4_FAULT_UNDEFINED; /* no document says where a write without any setup goes */
    const struct vpm_mode *m = &vpm_modes[b->mode];
    struct vc4_vector vector = *value, mask = v->env->checked ? *defined : *value;
    const struct observer *o = v->env->observer;
    if (!prepare_write(v, m, &vector, &mask, &lanes))
        return VC4_GO;
    lanes = OBSERVE(o, VPM_POINT_WRITE_LANES, lanes, MODE_INPUTS(b->mode, 0));
    if (o)
        observe_lanes(o, VPM_POINT_WRITE_VALUE, vector.lane, (uint32_t[]){MODE_INPUTS(b->mode, b->address)});
    if (!OBSERVE(o, VPM_POINT_WRITE_DONE, 1, MODE_INPUTS(b->mode, b->address)))
        return VC4_GO;
    before_change(v);
    struct vpm_span s = next_span(v, b, m, ADDR_WRITE);
    vpm_put(v->rows.value, m, &s, &vector, lanes);
    if (v->env->checked)
        vpm_put(v->rows.defined, m, &s, &mask, lanes);
    for (uint32_t i = 0; i < vpm_vector_rows(m); i++)
        vc4_touch(&v->rows, s.row + i);
    return VC4_GO;
}

/* Takes the next vector of the current read setup; from the FIFO if it was fetched already. */
static void take(struct vpm *v, struct vc4_vector *value, struct vc4_vector *defined)
{
    struct vpm_port *p = &v->port;
    if (p->fetched) {
        *value = v->fifo[0];
        if (v->env->checked)
            *defined = v->fifo_defined[0];
        p->fetched--;
        memmove(v->fifo, v->fifo + 1, p->fetched * sizeof v->fifo[0]);
        memmove(v->fifo_defined, v->fifo_defined + 1, p->fetched * sizeof v->fifo_defined[0]);
    } else {
        fetch(v, value, defined);
    }
    if (--p->read.left == 0 && p->queued.left) {
        p->read = p->queued;
        p->queued.left = 0;
    }
}

enum vc4_stop vpm_read(struct vpm *v, struct vc4_vector *value, struct vc4_vector *defined, uint64_t now)
{
    follow_setup(v, now, CONCURRENT_READ);
    v->read_at = now + 1;
    if (is_undefined(v, 1U << VPM_SETS_READ, now))
        return VC4_FAULT_UNDEFINED;
    const struct vpm_block *b = &v->port.read;
    if (b->left == 0) {
        if (vpm_consult(v, VPM_CLAUSE_READ_EXCESS, b->set ? 0 : 1) == VPM_EXCESS_BLOCKS)
            return VC4_HANG_VPM_READ;
        fill_undefined(v, value, defined);
        return VC4_GO;
    }
    unsigned early = VPM_EARLY_BLOCKS;
    if (now < b->ready)
        early = vpm_consult(v, VPM_CLAUSE_READ_EARLY, b->ready - now > 1 ? 1 : 0);
    if (early != VPM_EARLY_NOT_TAKEN)
        take(v, value, defined);
    if (early != VPM_EARLY_BLOCKS)
        fill_undefined(v, value, defined);
    return VC4_GO;
}

/* ---- DMA and status ---- */

/* Starts a DMA. Returns whether the start takes effect: it may be lost if the program did not wait for the
 * previous one (clause vcd-start-while-busy). */
static bool start(struct vpm *v, bool *pending, unsigned mode)
{
    bool busy = *pending;
    *pending = true;
    return !busy || vpm_consult(v, VPM_CLAUSE_VCD_START_WHILE_BUSY, mode) != VPM_BUSY_START_DROPPED;
}

enum vc4_stop vpm_dma_store(struct vpm *v, uint32_t address, uint32_t defined, uint64_t now)
{
    if ((v->env->checked && (~defined || !v->port.store_set)) ||
        is_undefined(v, 1U << VPM_SETS_STORE | 1U << VPM_SETS_STRIDE, now))
        return VC4_FAULT_UNDEFINED;
    return start(v, &v->store_pending, 0) ? vcd_store(v, address) : VC4_GO;
}

enum vc4_stop vpm_dma_load(struct vpm *v, uint32_t address, uint32_t defined, uint64_t now)
{
    if ((v->env->checked && (~defined || !v->port.load_set)) ||
        is_undefined(v, 1U << VPM_SETS_LOAD | 1U << VPM_SETS_PITCH, now))
        return VC4_FAULT_UNDEFINED;
    if (!start(v, &v->load_pending, 1))
        return VC4_GO;
    before_change(v);
    return vcd_load(v, address);
}

static bool *pending_of(struct vpm *v, enum vpm_status which)
{
    return which == VPM_LOAD_BUSY || which == VPM_LOAD_WAIT ? &v->load_pending : &v->store_pending;
}

void vpm_pass_status(struct vpm *v, enum vpm_status which)
{
    if (which >= VPM_LOAD_WAIT)
        *pending_of(v, which) = false;
}

enum vc4_stop vpm_read_status(struct vpm *v, enum vpm_status which, const struct vc4_vector *unmapped,
                              struct vc4_vector *value, struct vc4_vector *defined, uint64_t now)
{
    (void)now;
    enum vpm_clause clause = which >= VPM_LOAD_WAIT ? VPM_CLAUSE_WAIT_DATA : VPM_CLAUSE_BUSY;
    static const struct vc4_vector zeros;
    bool is_unmapped = vpm_consult(v, clause, which & 1) == VPM_STATUS_UNMAPPED;
    vpm_pass_status(v, which);
    /* the time of a transfer is not documented, so its busy flag is undefined */
    if (!is_unmapped && *pending_of(v, which)) {
        fill_undefined(v, value, defined);
        return VC4_GO;
    }
    *value = is_unmapped ? *unmapped : zeros;
    if (v->env->observer)
        observe_lanes(v->env->observer, VPM_POINT_STATUS_VALUE, value->lane,
                      (const uint32_t[]){which, *pending_of(v, which)});
    if (v->env->checked)
        memset(defined, 0xFF, sizeof *defined);
    return VC4_GO;
}
