/* SPDX-License-Identifier: MIT */
#include "model/vc4/vpm/vpm.h"
#include "model/vc4/vpm/vpm_clauses.h"
#include "model/vc4/vpm/vpm_observe.h"
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

enum { WRITING, READING };

/* Returns the block access that a setup word describes. Write setups and read setups have these fields at the
 * same bits (p57 T32, p58 T33). */
static struct vpm_block block_of(const struct vpm *v, uint32_t word, uint32_t reading)
{
    const struct observer *o = v->env->observer;
    uint32_t size = SETUP_FIELD(word, VPM_WRITE_SIZE), laned = SETUP_FIELD(word, VPM_WRITE_LANED),
             horizontal = SETUP_FIELD(word, VPM_WRITE_HORIZ);
    size = OBSERVE(o, VPM_POINT_BLOCK_SIZE, size, laned, horizontal, reading, word);
    laned = OBSERVE(o, VPM_POINT_BLOCK_LANED, laned, size, horizontal, reading, word);
    horizontal = OBSERVE(o, VPM_POINT_BLOCK_HORIZONTAL, horizontal, size, laned, reading, word);
    const uint32_t mode = horizontal << 3 | laned << 2 | size;
    return (struct vpm_block){
        .set = true,
        .mode = (uint8_t)mode,
        .address = OBSERVE(o, VPM_POINT_BLOCK_ADDR, SETUP_FIELD(word, VPM_WRITE_ADDR),
                           BLOCK_INPUTS(mode, reading), word),
        .stride = OBSERVE(o, VPM_POINT_BLOCK_STRIDE, SETUP_FIELD(word, VPM_WRITE_STRIDE),
                          BLOCK_INPUTS(mode, reading), word),
    };
}

static bool is_reserved(const struct vpm *v, const struct vpm_block *b, uint32_t reading)
{
    bool reserved = !vpm_modes[b->mode].bits;
    return OBSERVE(v->env->observer, VPM_POINT_BLOCK_RESERVED, reserved, BLOCK_INPUTS(b->mode, reading));
}

static enum vc4_stop set_block_read(struct vpm *v, uint32_t word, uint64_t now)
{
    struct vpm_port *p = &v->port;
    const struct observer *o = v->env->observer;
    struct vpm_block b = block_of(v, word, READING);
    if (is_reserved(v, &b, READING))
        return VC4_FAULT_RESERVED;
    b.left = OBSERVE(o, VPM_POINT_READ_NUM, setup_count(SETUP_FIELD(word, VPM_READ_NUM), 16),
                     BLOCK_INPUTS(b.mode, READING), word);
    b.ready = now + OBSERVE(o, VPM_POINT_READ_LATENCY, READ_LATENCY, BLOCK_INPUTS(b.mode, READING));
    uint32_t unread = p->read.left + p->queued.left, queued = p->queued.left;
    unsigned rule = READING_MANUAL;
    if (unread > 0)
        rule = vpm_consult(v, VPM_CLAUSE_READ_QUEUE, queued ? 1 : 0);
    if (rule == VPM_QUEUE_REDIRECTS)
        unread = 0;
    unread = OBSERVE(o, VPM_POINT_READ_UNREAD, unread, BLOCK_INPUTS(b.mode, READING), queued, p->read.left);
    if (unread == 0 || p->read.left == 0) {
        p->read = b;
        p->queued.left = 0;
        p->fetched = 0;
        return VC4_GO;
    }
    bool accepted = rule == READING_MANUAL ? queued == 0 : unread == 1;
    if (OBSERVE(o, VPM_POINT_READ_ACCEPTED, accepted, BLOCK_INPUTS(b.mode, READING), queued, unread))
        p->queued = b;
    return VC4_GO;
}

static enum vc4_stop set(struct vpm *v, enum vpm_setup_kind kind, uint32_t word, uint64_t now)
{
    struct vpm_port *p = &v->port;
    struct vpm_block block;
    switch (kind) {
    case VPM_SETS_WRITE:
        block = block_of(v, word, WRITING);
        if (is_reserved(v, &block, WRITING))
            return VC4_FAULT_RESERVED;
        p->write = block;
        return VC4_GO;
    case VPM_SETS_READ:
        return set_block_read(v, word, now);
    case VPM_SETS_STORE:
        p->store_setup = vpm_observed_word(v, kind, word, p->store_setup);
        p->store_set = true;
        return VC4_GO;
    case VPM_SETS_STRIDE:
        p->store_stride = vpm_observed_word(v, kind, word, p->store_stride);
        return VC4_GO;
    case VPM_SETS_LOAD:
        p->load_setup = vpm_observed_word(v, kind, word, p->load_setup);
        p->load_set = true;
        return VC4_GO;
    case VPM_SETS_PITCH:
        p->load_pitch = vpm_observed_word(v, kind, word, p->load_pitch);
        return VC4_GO;
    case VPM_SETS_BASE:
    case VPM_SETS_NOTHING:
        break;
    }
    return VC4_GO;
}

/* For each kind of setup word: the bits that the manual calls unused, and the word's mode of clause
 * vpm-setup-unused. */
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

/* Is this a setup word that no document defines? Does not test the mode of a block access: rules can still
 * change the mode, so `set` tests it. */
static bool is_undefined_word(const struct vpm *v, enum vpm_setup_kind kind, uint32_t word)
{
    uint32_t unused_bits = word & unused[kind].bits;
    bool reserved = kind == VPM_SETS_NOTHING ||
                    (kind == VPM_SETS_STORE && SETUP_FIELD(word, VDW_MODEW) == 1); /* p58 T34: unused */
    if (kind == VPM_SETS_BASE)
        reserved = vpm_consult(v, VPM_CLAUSE_VCD_BASE_SETUP, 0) != VPM_BASE_SETUP_IGNORED;
    if (unused_bits)
        reserved |= vpm_consult(v, VPM_CLAUSE_SETUP_UNUSED, unused[kind].mode) == VPM_UNUSED_REFUSED;
    return OBSERVE(v->env->observer, VPM_POINT_SETUP_RESERVED, reserved, kind, unused_bits, word);
}

/* Undoes the setups of this instruction if clause vpm-concurrent says so. Returns whether it did. */
static bool undo_setups(struct vpm *v, unsigned mode)
{
    unsigned rule = vpm_consult(v, VPM_CLAUSE_CONCURRENT, mode);
    if (OBSERVE(v->env->observer, VPM_POINT_SETUP_KEPT, rule == READING_MANUAL, mode, v->setup_kinds))
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
    if (v->env->checked && (~defined & ~unused[kind].bits))
        return VC4_FAULT_UNDEFINED;
    if (is_undefined_word(v, kind, word))
        return VC4_FAULT_RESERVED;
    v->setup_at = now + 1;
    /* An undefined read setup stays undefined: how many of its vectors are unread decides whether the next
     * read setup is accepted. */
    v->port.undefined &= ~(1U << kind) | 1U << VPM_SETS_READ;
    if (!OBSERVE(v->env->observer, VPM_POINT_SETUP_DONE, true, kind, word))
        return VC4_GO;
    return set(v, kind, word, now);
}

enum vc4_stop vpm_write_setup(struct vpm *v, uint32_t word, uint32_t defined, uint64_t now)
{
    static const enum vpm_setup_kind kinds[4] = {VPM_SETS_WRITE, VPM_SETS_BASE, VPM_SETS_STORE,
                                                 VPM_SETS_STRIDE};
    word = OBSERVE(v->env->observer, VPM_POINT_SETUP_WORD, word, WRITING);
    enum vpm_setup_kind kind = vpm_observed_kind(v, kinds[SETUP_FIELD(word, VPM_WRITE_ID)], word, WRITING);
    return write_setup(v, kind, word, defined, now);
}

enum vc4_stop vpm_read_setup(struct vpm *v, uint32_t word, uint32_t defined, uint64_t now)
{
    word = OBSERVE(v->env->observer, VPM_POINT_SETUP_WORD, word, READING);
    enum vpm_setup_kind kind = SETUP_FIELD(word, VDR_PITCH_ID) == 9  ? VPM_SETS_PITCH
                               : SETUP_FIELD(word, VDR_ID)           ? VPM_SETS_LOAD
                               : SETUP_FIELD(word, VPM_READ_ID) == 0 ? VPM_SETS_READ
                                                                     : VPM_SETS_NOTHING;
    return write_setup(v, vpm_observed_kind(v, kind, word, READING), word, defined, now);
}

/* Applies clause vpm-concurrent to a read or write that follows a setup of the same instruction. */
static void follow_setup(struct vpm *v, uint64_t now, unsigned mode)
{
    if (v->setup_at == now + 1)
        (void)undo_setups(v, mode);
}

/* Must a checked run stop because one of these setups is undefined? An access in the same instruction as a
 * setup uses the setup from before the instruction. */
static bool is_undefined(const struct vpm *v, uint32_t kinds, uint64_t now)
{
    const struct vpm_port *p = v->setup_at == now + 1 ? &v->before : &v->port;
    return v->env->checked && p->undefined & kinds;
}

/* ---- Block access ---- */

/* Moves a block access to its next vector and returns the vector's ADDR. */
static uint32_t next_address(const struct vpm *v, struct vpm_block *b, const struct vpm_mode *m,
                             uint32_t reading)
{
    const struct observer *o = v->env->observer;
    if (OBSERVE(o, VPM_POINT_BLOCK_MOVED, b->moved, BLOCK_INPUTS(b->mode, reading), b->set)) {
        uint32_t step = b->stride;
        if (!step && vpm_consult(v, VPM_CLAUSE_STRIDE_ZERO, (m->sub_bits + 2U) % 3U) == READING_MANUAL)
            step = 64;
        b->address +=
            OBSERVE(o, VPM_POINT_BLOCK_STEP, step, BLOCK_INPUTS(b->mode, reading), b->stride, b->address);
    }
    b->moved = b->set; /* without a setup, all writes of a plain run go to row 0 */
    return OBSERVE(o, VPM_POINT_BLOCK_ADDRESS, b->address, BLOCK_INPUTS(b->mode, reading), b->stride);
}

static struct vpm_span next_span(const struct vpm *v, struct vpm_block *b, const struct vpm_mode *m,
                                 uint32_t reading)
{
    struct vpm_addressing a = {.y_mask = VC4_VPM_ROWS_OF_QPU - 1};
    uint32_t address = next_address(v, b, m, reading), y = vpm_row_field(m, address);
    bool beyond = m->sub_bits < 2 && address >> (6 + m->sub_bits) & 1; /* the bit above Y[5] */
    if (beyond && vpm_consult(v, VPM_CLAUSE_ADDR_HIGH_BITS, m->sub_bits) == VPM_ADDR_HIGH_ROW_BITS)
        a.base_row = VC4_VPM_ROWS_OF_QPU;
    unsigned access = reading ? ADDR_READ : ADDR_WRITE,
             mode = m->bits == 32 ? access / 2 : access + (m->per_word == 1 ? ADDR_LANED : 0);
    static const uint8_t row_scales[] = {
        [READING_MANUAL] = 0, [VPM_ADDR_ROW_DIV_2] = 1, [VPM_ADDR_ROW_DIV_4] = 2};
    if (m->clause != VPM_NO_CLAUSE && y)
        a.row_scale = row_scales[vpm_consult(v, m->clause, mode)];
    if (m->horizontal && y >= 16 && vpm_consult(v, VPM_CLAUSE_ADDR_LS4, m->sub_bits) == VPM_ADDR_LS4_LITERAL)
        a.y_mask = 15;
    struct vpm_span s = v->env->observer ? vpm_observed_span(v->env->observer, b, m, &a, address, reading)
                                         : vpm_place(m, vpm_y_of(m, &a, y), address);
    vc4_note_vpm_rows(v->env, s.row, vpm_vector_rows(m));
    return s;
}

/* Is this the mode of figure 8a (p54)? The figure shows element 3 twice and element 4 not at all. */
static bool is_fig8a(const struct vpm_mode *m)
{
    return m->horizontal && m->bits == 8 && m->per_word == 4;
}

/* Finds which element each place of a vector holds. Returns false, without a result, if each place holds the
 * element of its own number. */
static bool elements_move(const struct vpm *v, uint32_t mode, uint32_t reading, struct vc4_vector *element)
{
    bool doubled = is_fig8a(&vpm_modes[mode]) && vpm_consult(v, VPM_CLAUSE_FIG8A, reading) == READING_MANUAL;
    if (!doubled && !v->env->observer)
        return false;
    for (uint32_t i = 0; i < VC4_LANES; i++)
        element->lane[i] = doubled && i == 4 ? 3 : i;
    if (v->env->observer)
        observe_lanes(v->env->observer, VPM_POINT_BLOCK_ELEMENT, element->lane,
                      (uint32_t[]){BLOCK_INPUTS(mode, reading), mode});
    return true;
}

/* Applies clause cond-vpm-write to a vector before it is written. Returns the set of elements to write. */
static uint32_t lanes_written(const struct vpm *v, struct vc4_vector *value, struct vc4_vector *defined,
                              uint32_t lanes)
{
    lanes &= ALL_LANES;
    if (lanes == ALL_LANES || vpm_consult(v, VPM_CLAUSE_COND_VPM_WRITE, lanes ? 0 : 1) != VPM_COND_PUSHES)
        return lanes;
    for (unsigned i = 0; i < VC4_LANES; i++)
        if (!(lanes >> i & 1)) {
            value->lane[i] = v->env->filler;
            defined->lane[i] = 0;
        }
    return ALL_LANES;
}

/* Moves the elements of a vector to their places, before a write. */
static void arrange(const struct vpm *v, uint32_t mode, struct vc4_vector *value, struct vc4_vector *defined,
                    uint32_t *lanes)
{
    struct vc4_vector element, from = *value, mask = *defined;
    uint32_t were = *lanes;
    if (!elements_move(v, mode, WRITING, &element))
        return;
    *lanes = 0;
    for (unsigned i = 0; i < VC4_LANES; i++) {
        uint32_t e = element.lane[i];
        value->lane[i] = from.lane[e];
        defined->lane[i] = mask.lane[e];
        *lanes |= (were >> e & 1) << i;
    }
}

/* Takes the elements of a vector from their places, after a read. An element without a place is undefined. */
static void rearrange(const struct vpm *v, uint32_t mode, struct vc4_vector *value,
                      struct vc4_vector *defined)
{
    struct vc4_vector element, from = *value, mask;
    if (!elements_move(v, mode, READING, &element))
        return;
    if (v->env->checked)
        mask = *defined;
    for (unsigned i = 0; i < VC4_LANES; i++) {
        unsigned at = element.lane[i] == i ? i : 0;
        while (at < VC4_LANES && element.lane[at] != i)
            at++;
        value->lane[i] = at < VC4_LANES ? from.lane[at] : v->env->filler;
        if (v->env->checked)
            defined->lane[i] = at < VC4_LANES ? mask.lane[at] : 0;
    }
}

/* Sets the bits above the data of an 8-bit or 16-bit read (clause vpm-subword-read). A rule may give a mode
 * of words fewer bits; they are read as halves. */
static void extend(const struct vpm *v, const struct vpm_mode *m, struct vc4_vector *value,
                   struct vc4_vector *defined)
{
    if (m->bits == 32)
        return;
    unsigned rule = vpm_consult(v, VPM_CLAUSE_SUBWORD_READ, m->sub_bits > 1);
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

/* The mode of a block access. `room`: for a mode that rules changed. */
static const struct vpm_mode *mode_of(const struct vpm *v, const struct vpm_block *b, uint32_t reading,
                                      struct vpm_mode *room)
{
    if (!v->env->observer)
        return &vpm_modes[b->mode];
    *room = vpm_observed_mode(v->env->observer, b->mode, reading);
    return room;
}

/* Reads the next vector of the current read setup from the VPM. */
static void fetch(struct vpm *v, struct vc4_vector *value, struct vc4_vector *defined)
{
    struct vpm_mode room;
    const struct vpm_mode *m = mode_of(v, &v->port.read, READING, &room);
    struct vpm_span s = next_span(v, &v->port.read, m, READING);
    if (vpm_wants_elements(v->env->observer)) {
        vpm_get_observed(v, &(struct vpm_access){m, &s, v->port.read.mode, ALL_LANES}, value, defined);
    } else {
        vpm_get(v->rows.value, m, &s, value);
        if (v->env->checked)
            vpm_get(v->rows.defined, m, &s, defined);
    }
    extend(v, m, value, defined);
    rearrange(v, v->port.read.mode, value, defined);
    if (v->env->observer)
        observe_lanes(v->env->observer, VPM_POINT_BLOCK_VALUE, value->lane,
                      (uint32_t[]){BLOCK_INPUTS(v->port.read.mode, READING), v->port.read.address,
                                   v->port.read.mode});
}

static void fetch_ahead(struct vpm *v)
{
    struct vpm_port *p = &v->port;
    if (p->read.left == 0)
        return;
    uint32_t depth = vpm_consult(v, VPM_CLAUSE_FIFO_DEPTH, 0) == VPM_FIFO_FOUR ? VPM_FIFO_VECTORS : 0;
    depth = OBSERVE(v->env->observer, VPM_POINT_READ_AHEAD, depth, BLOCK_INPUTS(p->read.mode, READING),
                    p->read.left);
    depth = depth < VPM_FIFO_VECTORS ? depth : VPM_FIFO_VECTORS;
    for (; p->fetched < depth && p->fetched < p->read.left; p->fetched++)
        fetch(v, &v->fifo[p->fetched], &v->fifo_defined[p->fetched]);
}

/* Makes every read FIFO fetch its next vectors now, because the content of the VPM is about to change. */
static void fetch_before_change(struct vpm *v)
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
    bool with_read = v->read_at == now + 1;
    bool done = !with_read || vpm_consult(v, VPM_CLAUSE_READ_WRITE_SAME, 0) != VPM_SAME_WRITE_LOST;
    const struct observer *o = v->env->observer;
    struct vpm_block *b = &v->port.write;
    if (!OBSERVE(o, VPM_POINT_WRITE_DONE, done, BLOCK_INPUTS(b->mode, WRITING), b->address, with_read))
        return VC4_GO;
    if ((!b->set && v->env->checked) || is_undefined(v, 1U << VPM_SETS_WRITE, now))
        return VC4_FAULT_UNDEFINED; /* no document says where a write without any setup goes */
    struct vpm_mode room;
    const struct vpm_mode *m = mode_of(v, b, WRITING, &room);
    struct vc4_vector vector = *value, mask = v->env->checked ? *defined : *value;
    lanes = lanes_written(v, &vector, &mask, lanes);
    lanes = OBSERVE(o, VPM_POINT_WRITE_LANES, lanes, BLOCK_INPUTS(b->mode, WRITING), b->address);
    if (!lanes)
        return VC4_GO;
    const uint32_t given = lanes;
    fetch_before_change(v);
    struct vpm_span s = next_span(v, b, m, WRITING);
    if (o)
        observe_lanes(o, VPM_POINT_BLOCK_VALUE, vector.lane,
                      (uint32_t[]){BLOCK_INPUTS(b->mode, WRITING), b->address, b->mode});
    arrange(v, b->mode, &vector, &mask, &lanes);
    lanes = OBSERVE(o, VPM_POINT_WRITE_PLACES, lanes, BLOCK_INPUTS(b->mode, WRITING), given, b->mode);
    if (vpm_wants_elements(o)) {
        vpm_put_observed(v, &(struct vpm_access){m, &s, b->mode, lanes}, &vector, &mask);
        return VC4_GO;
    }
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
    const uint32_t left = p->read.left, queued = p->queued.left;
    bool next = --p->read.left == 0 && queued;
    if (v->env->observer)
        next = vpm_observed_next(v, left, queued, next);
    if (next) {
        p->read = p->queued;
        p->queued.left = OBSERVE(v->env->observer, VPM_POINT_READ_QUEUED, 0,
                                 BLOCK_INPUTS(p->read.mode, READING), left, queued);
    }
}

enum vc4_stop vpm_read(struct vpm *v, struct vc4_vector *value, struct vc4_vector *defined, uint64_t now)
{
    follow_setup(v, now, CONCURRENT_READ);
    v->read_at = now + 1;
    if (is_undefined(v, 1U << VPM_SETS_READ, now))
        return VC4_FAULT_UNDEFINED;
    const struct vpm_block *b = &v->port.read;
    const struct observer *o = v->env->observer;
    const uint32_t mode = b->mode;
    uint32_t left = b->left, early = now < b->ready ? (uint32_t)(b->ready - now) : 0;
    bool waits = !left && vpm_consult(v, VPM_CLAUSE_READ_EXCESS, b->set ? 0 : 1) == VPM_EXCESS_BLOCKS;
    if (OBSERVE(o, VPM_POINT_READ_WAITS, waits, BLOCK_INPUTS(b->mode, READING), left, early))
        return VC4_HANG_VPM_READ;
    if (!left) {
        fill_undefined(v, value, defined);
        return VC4_GO;
    }
    unsigned rule = early ? vpm_consult(v, VPM_CLAUSE_READ_EARLY, early > 1 ? 1 : 0) : VPM_EARLY_BLOCKS;
    bool taken = OBSERVE(o, VPM_POINT_READ_TAKEN, rule != VPM_EARLY_NOT_TAKEN, BLOCK_INPUTS(b->mode, READING),
                         left, early);
    if (taken)
        take(v, value, defined);
    if (rule != VPM_EARLY_BLOCKS || !taken)
        fill_undefined(v, value, defined);
    else if (o)
        observe_lanes(o, VPM_POINT_READ_VALUE, value->lane,
                      (uint32_t[]){BLOCK_INPUTS(mode, READING), left, early});
    return VC4_GO;
}

/* ---- DMA and status ---- */

/* Starts a DMA. The start may be lost if the program did not wait for the previous one (clause
 * vcd-start-while-busy). */
static enum vc4_stop start(struct vpm *v, bool *pending, bool store, uint32_t address)
{
    bool busy = *pending;
    bool done =
        !busy || vpm_consult(v, VPM_CLAUSE_VCD_START_WHILE_BUSY, store ? 0 : 1) != VPM_BUSY_START_DROPPED;
    *pending = true;
    if (!done && !v->env->observer)
        return VC4_GO;
    if (!store)
        fetch_before_change(v);
    return (store ? vcd_store : vcd_load)(v, address, busy, done);
}

enum vc4_stop vpm_dma_store(struct vpm *v, uint32_t address, uint32_t defined, uint64_t now)
{
    if ((v->env->checked && (~defined || !v->port.store_set)) ||
        is_undefined(v, 1U << VPM_SETS_STORE | 1U << VPM_SETS_STRIDE, now))
        return VC4_FAULT_UNDEFINED;
    return start(v, &v->store_pending, true, address);
}

enum vc4_stop vpm_dma_load(struct vpm *v, uint32_t address, uint32_t defined, uint64_t now)
{
    if ((v->env->checked && (~defined || !v->port.load_set)) ||
        is_undefined(v, 1U << VPM_SETS_LOAD | 1U << VPM_SETS_PITCH, now))
        return VC4_FAULT_UNDEFINED;
    return start(v, &v->load_pending, false, address);
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

static void observe_status(struct vpm *v, enum vpm_status which, const struct vc4_vector *unmapped,
                           struct vc4_vector *value)
{
    uint32_t input[VC4_LANES + 2];
    memcpy(input, unmapped->lane, sizeof unmapped->lane);
    input[VC4_LANES] = which;
    input[VC4_LANES + 1] = *pending_of(v, which);
    observe_lanes(v->env->observer, VPM_POINT_STATUS_VALUE, value->lane, input);
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
    bool undefined = !is_unmapped && *pending_of(v, which);
    *value = is_unmapped ? *unmapped : zeros;
    if (v->env->checked)
        memset(defined, 0xFF, sizeof *defined);
    if (undefined)
        fill_undefined(v, value, defined);
    if (v->env->observer)
        observe_status(v, which, unmapped, value);
    return VC4_GO;
}
