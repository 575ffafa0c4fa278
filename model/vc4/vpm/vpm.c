/* SPDX-License-Identifier: MIT */
#include "model/vc4/vpm/vpm.h"
#include "model/vc4/vpm/vcd.h"
#include "model/vc4/vpm/vpm_clauses.h"
#include "model/vc4/vpm/vpm_setup.h"

#include <string.h>

enum {
    ALL_LANES = 0xFFFF,
    READ_LATENCY = 3, /* instructions from a read setup to its first valid read (p56) */
};

/* Modes of the vpm-addr-* clauses, as their `modes` name them. */
enum { ADDR_MODE_WRITE = 0, ADDR_MODE_READ = 2, ADDR_MODE_LANED = 1 };

static unsigned reading(const struct vpm *v, enum vpm_clause clause)
{
    return reading_of(v->env->profile, clause);
}

static void consult(const struct vpm *v, enum vpm_clause clause, unsigned mode)
{
    cover(v->env->coverage, clause, mode);
}

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

/* Takes a block setup apart; the fields lie alike in both words (p57 T32, p58 T33). */
static struct vpm_block block_of(const struct vpm *v, uint32_t word)
{
    struct vpm_block b = {
        .set = true,
        .mode = (uint8_t)(word >> VPM_WRITE_SIZE_LOW & (VPM_MODES - 1)),
        .address = SETUP_FIELD(word, VPM_WRITE_ADDR),
        .stride = SETUP_FIELD(word, VPM_WRITE_STRIDE),
        .addressing = {.y_mask = VC4_VPM_ROWS_OF_QPU - 1},
    };
    const struct vpm_mode *m = &vpm_modes[b.mode];
    b.stride_zero = b.stride == 0;
    if (b.stride == 0 && reading(v, VPM_CLAUSE_STRIDE_ZERO) == READING_MANUAL)
        b.stride = 64;
    if (m->clause != VPM_NO_CLAUSE && reading(v, m->clause) == VPM_ADDR_ROW_DIV_4)
        b.addressing.row_scale = 2;
    if (m->horizontal && reading(v, VPM_CLAUSE_ADDR_LS4) == VPM_ADDR_LS4_LITERAL)
        b.addressing.y_mask = 15;
    return b;
}

static uint32_t outstanding(const struct vpm_port *p)
{
    return p->read.left + p->queued.left;
}

static enum vc4_stop set_block_write(struct vpm *v, uint32_t word, uint64_t now)
{
    (void)now;
    if (SETUP_FIELD(word, VPM_WRITE_SIZE) == 3)
        return VC4_FAULT_RESERVED;
    v->port.write = block_of(v, word);
    return VC4_GO;
}

static enum vc4_stop set_block_read(struct vpm *v, uint32_t word, uint64_t now)
{
    struct vpm_port *p = &v->port;
    if (SETUP_FIELD(word, VPM_READ_SIZE) == 3)
        return VC4_FAULT_RESERVED;
    struct vpm_block b = block_of(v, word);
    b.left = setup_count(SETUP_FIELD(word, VPM_READ_NUM), 16);
    b.ready = now + READ_LATENCY;
    if (outstanding(p) == 0) {
        p->read = b;
        return VC4_GO;
    }
    unsigned rule = reading(v, VPM_CLAUSE_READ_QUEUE);
    consult(v, VPM_CLAUSE_READ_QUEUE, p->queued.left ? 1 : 0);
    if (rule == VPM_QUEUE_REDIRECTS) {
        p->read = b;
        p->queued.left = 0;
        p->fetched = 0;
    } else if (rule == READING_MANUAL ? p->queued.left == 0 : outstanding(p) == 1) {
        p->queued = b;
    } /* else the setup is lost */
    return VC4_GO;
}

static enum vc4_stop set_store(struct vpm *v, uint32_t word, uint64_t now)
{
    (void)now;
    if (SETUP_FIELD(word, VDW_MODEW) == 1)
        return VC4_FAULT_RESERVED; /* p58 T34: unused */
    v->port.store_setup = word;
    v->port.store_set = true;
    return VC4_GO;
}

static enum vc4_stop set_store_stride(struct vpm *v, uint32_t word, uint64_t now)
{
    (void)now;
    v->port.store_stride = word;
    return VC4_GO;
}

static enum vc4_stop set_load(struct vpm *v, uint32_t word, uint64_t now)
{
    (void)now;
    v->port.load_setup = word;
    v->port.load_set = true;
    return VC4_GO;
}

static enum vc4_stop set_load_pitch(struct vpm *v, uint32_t word, uint64_t now)
{
    (void)now;
    v->port.load_pitch = word;
    return VC4_GO;
}

/* p56: "VCD base addresses" can be set too; no table says how. */
static enum vc4_stop set_base(struct vpm *v, uint32_t word, uint64_t now)
{
    (void)word, (void)now;
    consult(v, VPM_CLAUSE_VCD_BASE_SETUP, 0);
    return reading(v, VPM_CLAUSE_VCD_BASE_SETUP) == VPM_BASE_SETUP_IGNORED ? VC4_GO : VC4_FAULT_RESERVED;
}

static enum vc4_stop set_nothing(struct vpm *v, uint32_t word, uint64_t now)
{
    (void)v, (void)word, (void)now;
    return VC4_FAULT_RESERVED;
}

/* The kinds of setup word. `unused`: bits the manual calls unused; `mode`: of clause vpm-setup-unused;
 * `sets`: enum vpm_setup_kind. */
struct setup_kind {
    uint32_t unused;
    uint8_t mode, sets;
    enum vc4_stop (*set)(struct vpm *v, uint32_t word, uint64_t now);
};
enum { UNUSED_WRITE, UNUSED_READ, UNUSED_STRIDE, UNUSED_PITCH };

static const struct setup_kind write_kinds[4] = {
    {SETUP_MASK(VPM_WRITE_UNUSED), UNUSED_WRITE, VPM_SETS_WRITE, set_block_write},
    {0, 0, VPM_SETS_NOTHING, set_base},
    {0, 0, VPM_SETS_STORE, set_store},
    {SETUP_MASK(VDW_STRIDE_UNUSED), UNUSED_STRIDE, VPM_SETS_STRIDE, set_store_stride},
};
static const struct setup_kind read_block = {SETUP_MASK(VPM_READ_UNUSED) | SETUP_MASK(VPM_READ_UNUSED_HIGH),
                                             UNUSED_READ, VPM_SETS_READ, set_block_read};
static const struct setup_kind read_pitch = {SETUP_MASK(VDR_PITCH_UNUSED), UNUSED_PITCH, VPM_SETS_PITCH,
                                             set_load_pitch};
static const struct setup_kind read_load = {0, 0, VPM_SETS_LOAD, set_load};
static const struct setup_kind read_nothing = {0, 0, VPM_SETS_NOTHING, set_nothing};

static const struct setup_kind *read_kind(uint32_t word)
{
    if (SETUP_FIELD(word, VDR_ID) == 0)
        return SETUP_FIELD(word, VPM_READ_ID) == 0 ? &read_block : &read_nothing;
    return SETUP_FIELD(word, VDR_PITCH_ID) == 9 ? &read_pitch : &read_load;
}

/* Takes back the setups of this instruction, as far as clause vpm-concurrent says so. True: it does. */
static bool take_back(struct vpm *v)
{
    unsigned rule = reading(v, VPM_CLAUSE_CONCURRENT);
    if (rule == READING_MANUAL)
        return false;
    v->port = v->before;
    if (rule == VPM_CONCURRENT_UNDEFINED)
        v->port.undefined |= v->setup_kinds;
    return true;
}

/*
 * Setup together with another access in one instruction (clause vpm-concurrent):
 * true if this setup is lost. One that came just before in the same instruction is taken back.
 */
static bool setup_is_lost(struct vpm *v, uint64_t now)
{
    uint64_t at = now + 1;
    bool after_setup = v->setup_at == at;
    if (!after_setup && v->write_at != at && v->read_at != at)
        return false;
    consult(v, VPM_CLAUSE_CONCURRENT, after_setup ? 2 : v->write_at == at ? 0 : 1);
    return take_back(v);
}

static enum vc4_stop write_setup_word(struct vpm *v, const struct setup_kind *kind, uint32_t word,
                                      uint32_t defined, uint64_t now)
{
    if (v->setup_at != now + 1) {
        v->before = v->port;
        v->setup_kinds = 0;
    }
    v->setup_kinds |= 1U << kind->sets;
    if (setup_is_lost(v, now)) {
        v->setup_at = now + 1;
        v->before = v->port;
        return VC4_GO;
    }
    if (v->env->checked && (~defined & ~kind->unused))
        return VC4_FAULT_UNDEFINED;
    if (word & kind->unused) {
        consult(v, VPM_CLAUSE_SETUP_UNUSED, kind->mode);
        if (reading(v, VPM_CLAUSE_SETUP_UNUSED) == VPM_UNUSED_REFUSED)
            return VC4_FAULT_RESERVED;
    }
    v->setup_at = now + 1;
    v->port.undefined &= ~(1U << kind->sets) |
                         1U << VPM_SETS_READ; /* whether a read setup is taken hangs on the one before it */
    return kind->set(v, word, now);
}

enum vc4_stop vpm_write_setup(struct vpm *v, uint32_t word, uint32_t defined, uint64_t now)
{
    return write_setup_word(v, &write_kinds[SETUP_FIELD(word, VPM_WRITE_ID)], word, defined, now);
}

enum vc4_stop vpm_read_setup(struct vpm *v, uint32_t word, uint32_t defined, uint64_t now)
{
    return write_setup_word(v, read_kind(word), word, defined, now);
}

/* A read or write in the instruction of a setup that came before it. */
static void meet_setup(struct vpm *v, uint64_t now, unsigned mode)
{
    if (v->setup_at != now + 1)
        return;
    consult(v, VPM_CLAUSE_CONCURRENT, mode);
    (void)take_back(v);
}

/* May a checked run not go on, because nobody knows one of these setups? */
static bool unknown_setup(const struct vpm *v, uint32_t kinds, uint64_t now)
{
    uint32_t undefined = v->setup_at == now + 1
                             ? v->before.undefined
                             : v->port.undefined; /* beside a setup goes by what was before */
    return v->env->checked && undefined & kinds;
}

/* ---- Block access ---- */

/* How many rows a vector has a part in. */
static uint32_t rows_of_span(const struct vpm_mode *m)
{
    return m->horizontal ? 1U : m->per_word > 1 ? (uint32_t)VC4_LANES / m->per_word : VC4_LANES;
}

/* The place of the block's next vector; says which clauses decided it. */
static struct vpm_span next_span(const struct vpm *v, const struct vpm_block *b, const struct vpm_mode *m,
                                 unsigned access)
{
    struct vpm_addressing addressing = b->addressing;
    if (m->sub_bits < 2 && b->address >> (6 + m->sub_bits) & 1) { /* would be Y[6], if Y had it */
        consult(v, VPM_CLAUSE_ADDR_HIGH_BITS, m->sub_bits);
        if (reading(v, VPM_CLAUSE_ADDR_HIGH_BITS) == VPM_ADDR_HIGH_ROW_BITS)
            addressing.base_row = VC4_VPM_ROWS_OF_QPU;
    }
    struct vpm_span s = vpm_locate(m, &addressing, b->address);
    if (m->clause != VPM_NO_CLAUSE && s.y)
        consult(v, m->clause, m->bits == 32 ? access / 2 : access + (m->per_word == 1 ? ADDR_MODE_LANED : 0));
    if (m->horizontal && s.y >= 16)
        consult(v, VPM_CLAUSE_ADDR_LS4, m->sub_bits);
    if (b->stride_zero && b->moved)
        consult(v, VPM_CLAUSE_STRIDE_ZERO, (m->sub_bits + 2U) % 3U);
    vc4_note_vpm_rows(v->env, s.row, rows_of_span(m));
    return s;
}

static void step(struct vpm_block *b)
{
    b->address += b->stride;
    b->moved = true;
}

static void touch_span(const struct vpm *v, const struct vpm_mode *m, const struct vpm_span *s)
{
    for (uint32_t i = 0; i < rows_of_span(m); i++)
        vc4_touch(&v->rows, s->row + i);
}

/* Horizontal 8-bit packed vectors, of which figure 8a prints element 3 twice and element 4 not at all. */
static bool is_fig8a(const struct vpm_mode *m)
{
    return m->horizontal && m->bits == 8 && m->per_word == 4;
}

/* The vector as the FIFO takes it: elements whose condition failed, and figure 8's misprint. True if there is
 * anything to write. */
static bool pushed(const struct vpm *v, const struct vpm_mode *m, struct vc4_vector *value,
                   struct vc4_vector *defined, uint32_t *lanes)
{
    *lanes &= ALL_LANES;
    if (*lanes != ALL_LANES) {
        consult(v, VPM_CLAUSE_COND_VPM_WRITE, *lanes ? 0 : 1);
        if (reading(v, VPM_CLAUSE_COND_VPM_WRITE) == VPM_COND_PUSHES) {
            for (unsigned i = 0; i < VC4_LANES; i++)
                if (!(*lanes >> i & 1)) {
                    value->lane[i] = v->env->filler;
                    defined->lane[i] = 0;
                }
            *lanes = ALL_LANES;
        }
    }
    if (*lanes && is_fig8a(m)) {
        consult(v, VPM_CLAUSE_FIG8A, 0);
        if (reading(v, VPM_CLAUSE_FIG8A) == READING_MANUAL) {
            value->lane[4] = value->lane[3];
            defined->lane[4] = defined->lane[3];
            *lanes = (*lanes & ~0x10U) | (*lanes << 1 & 0x10U);
        }
    }
    return *lanes != 0;
}

/* Reads of 8 and 16 bits: what stands above them (clause vpm-subword-read). */
static void extend(const struct vpm *v, const struct vpm_mode *m, struct vc4_vector *value,
                   struct vc4_vector *defined)
{
    if (m->bits == 32)
        return;
    consult(v, VPM_CLAUSE_SUBWORD_READ, m->sub_bits - 1U);
    uint32_t above = UINT32_MAX << m->bits % 32, ones = m->bits == 8 ? 0x01010101U : 0x00010001U;
    unsigned rule = reading(v, VPM_CLAUSE_SUBWORD_READ);
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

/* Takes the next vector of the read in force out of the VPM. */
static void fetch(struct vpm *v, struct vc4_vector *value, struct vc4_vector *defined)
{
    struct vpm_block *b = &v->port.read;
    const struct vpm_mode *m = &vpm_modes[b->mode];
    struct vpm_span s = next_span(v, b, m, ADDR_MODE_READ);
    vpm_get(v->rows.value, m, &s, value);
    if (v->env->checked)
        vpm_get(v->rows.defined, m, &s, defined);
    extend(v, m, value, defined);
    if (is_fig8a(m)) {
        consult(v, VPM_CLAUSE_FIG8A, 1);
        if (reading(v, VPM_CLAUSE_FIG8A) == READING_MANUAL) {
            value->lane[4] = v->env->filler;
            if (v->env->checked)
                defined->lane[4] = 0;
        }
    }
    step(b);
}

static void fetch_ahead(struct vpm *v)
{
    struct vpm_port *p = &v->port;
    if (p->read.left == 0)
        return;
    consult(v, VPM_CLAUSE_FIFO_DEPTH, 0);
    if (reading(v, VPM_CLAUSE_FIFO_DEPTH) != VPM_FIFO_FOUR)
        return;
    while (p->fetched < VPM_FIFO_VECTORS && p->fetched < p->read.left) {
        fetch(v, &v->fifo[p->fetched], &v->fifo_defined[p->fetched]);
        p->fetched++;
    }
}

/* The content of the VPM is about to change; what the read FIFO has fetched already does not. */
static void before_change(struct vpm *v)
{
    fetch_ahead(v);
    for (struct vpm *p = v->peer; p && p != v; p = p->peer)
        fetch_ahead(p);
}

enum vc4_stop vpm_write(struct vpm *v, const struct vc4_vector *value, const struct vc4_vector *defined,
                        uint32_t lanes, uint64_t now)
{
    meet_setup(v, now, 0);
    v->write_at = now + 1;
    if (v->read_at == now + 1) {
        consult(v, VPM_CLAUSE_READ_WRITE_SAME, 0);
        if (reading(v, VPM_CLAUSE_READ_WRITE_SAME) == VPM_SAME_WRITE_LOST)
            return VC4_GO;
    }
    struct vpm_block *b = &v->port.write;
    if ((!b->set && v->env->checked) || unknown_setup(v, 1U << VPM_SETS_WRITE, now))
        return VC4_FAULT_UNDEFINED; /* nobody says where a write without any setup goes */
    const struct vpm_mode *m = &vpm_modes[b->mode];
    struct vc4_vector vector = *value, mask = v->env->checked ? *defined : *value;
    if (!pushed(v, m, &vector, &mask, &lanes))
        return VC4_GO;
    before_change(v);
    struct vpm_span s = next_span(v, b, m, ADDR_MODE_WRITE);
    vpm_put(v->rows.value, m, &s, &vector, lanes);
    if (v->env->checked)
        vpm_put(v->rows.defined, m, &s, &mask, lanes);
    touch_span(v, m, &s);
    step(b);
    return VC4_GO;
}

/* Takes the oldest vector of the read in force, from the FIFO if it stands there. */
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
    meet_setup(v, now, 1);
    v->read_at = now + 1;
    if (unknown_setup(v, 1U << VPM_SETS_READ, now))
        return VC4_FAULT_UNDEFINED;
    const struct vpm_block *b = &v->port.read;
    if (b->left == 0) {
        consult(v, VPM_CLAUSE_READ_EXCESS, b->set ? 0 : 1);
        if (reading(v, VPM_CLAUSE_READ_EXCESS) == VPM_EXCESS_BLOCKS)
            return VC4_HANG_VPM_READ;
        fill_undefined(v, value, defined);
        return VC4_GO;
    }
    unsigned early = VPM_EARLY_BLOCKS;
    if (now < b->ready) {
        consult(v, VPM_CLAUSE_READ_EARLY, b->ready - now > 1 ? 1 : 0);
        early = reading(v, VPM_CLAUSE_READ_EARLY);
    }
    if (early != VPM_EARLY_NOT_TAKEN)
        take(v, value, defined);
    if (early != VPM_EARLY_BLOCKS)
        fill_undefined(v, value, defined);
    return VC4_GO;
}

/* ---- DMA and status ---- */

/* True if a start is lost because the one before was not waited for (clause vcd-start-while-busy). */
static bool start_is_lost(struct vpm *v, bool *pending, unsigned mode)
{
    bool busy = *pending;
    *pending = true;
    if (!busy)
        return false;
    consult(v, VPM_CLAUSE_VCD_START_WHILE_BUSY, mode);
    return reading(v, VPM_CLAUSE_VCD_START_WHILE_BUSY) == VPM_BUSY_START_DROPPED;
}

enum vc4_stop vpm_dma_store(struct vpm *v, uint32_t address, uint32_t defined, uint64_t now)
{
    if ((v->env->checked && (~defined || !v->port.store_set)) ||
        unknown_setup(v, 1U << VPM_SETS_STORE | 1U << VPM_SETS_STRIDE, now))
        return VC4_FAULT_UNDEFINED;
    return start_is_lost(v, &v->store_pending, 0) ? VC4_GO : vcd_store(v, address);
}

enum vc4_stop vpm_dma_load(struct vpm *v, uint32_t address, uint32_t defined, uint64_t now)
{
    if ((v->env->checked && (~defined || !v->port.load_set)) ||
        unknown_setup(v, 1U << VPM_SETS_LOAD | 1U << VPM_SETS_PITCH, now))
        return VC4_FAULT_UNDEFINED;
    if (start_is_lost(v, &v->load_pending, 1))
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
    bool wait = which >= VPM_LOAD_WAIT;
    enum vpm_clause clause = wait ? VPM_CLAUSE_WAIT_DATA : VPM_CLAUSE_BUSY;
    consult(v, clause, which & 1);
    vpm_pass_status(v, which);
    if (reading(v, clause) == VPM_STATUS_UNMAPPED) {
        *value = *unmapped;
        if (v->env->checked)
            memset(defined, 0xFF, sizeof *defined);
    } else if (*pending_of(v, which)) { /* how long a transfer takes is not said */
        fill_undefined(v, value, defined);
    } else {
        memset(value, 0, sizeof *value);
        if (v->env->checked)
            memset(defined, 0xFF, sizeof *defined);
    }
    return VC4_GO;
}
