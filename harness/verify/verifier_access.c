/* SPDX-License-Identifier: MIT */
/* The verifier's rules for the VPM, its DMA, the TMUs and the uniform stream. */
#include "harness/verify/verifier_state.h"

#include "model/vc4/vpm/vpm_address.h"
#include "model/vc4/vpm/vpm_setup.h"

#include <string.h>

enum {
    ROW_BYTES = 4 * VC4_LANES,
    WINDOW_BYTES = ROW_BYTES * VERIFIER_WINDOW_ROWS,
    LOOKUPS_MAX = 4, /* outstanding look-ups: allowed under every reading of p40 */
    /* Instructions from a write of UNIFORMS_ADDRESS to the first read: two must lie in between (p22). */
    STREAM_DELAY = 3,
    /* The same distance from a read setup to the first VPM read (p56; clause vpm-read-early). */
    READ_DELAY = 3,
};

/* Sets `*word` to an address or a setup that the program writes. Refuses a word that is not known, or not the
 * same in all elements. */
static bool known_word(struct verifier *v, const struct access *a, const char *what, uint32_t *word)
{
    if (!a->certain)
        return verifier_refuse(v, "writes %s under a condition", what);
    if (a->value.known != KNOWN_WORD)
        return verifier_refuse(v, "writes %s that cannot be followed to constants and uniforms", what);
    *word = a->value.word;
    return true;
}

/* ---- setups ---- */

static bool port_is_known(struct verifier *v)
{
    v->proof->vpm = true;
    return !v->now.vpm.lost || verifier_refuse(v, "is reached with different states of the VPM's registers");
}

static bool unused_are_clear(struct verifier *v, uint32_t word, uint32_t unused)
{
    return (word & unused) == 0 ||
           verifier_refuse(v, "sets unused bits in setup word %08lX", (unsigned long)word);
}

static bool undocumented_setup(struct verifier *v, uint32_t word)
{
    return verifier_refuse(v, "writes setup word %08lX, which no document defines", (unsigned long)word);
}

static bool set_write_register(struct verifier *v, uint32_t word)
{
    struct vpm_knowledge *k = &v->now.vpm;
    switch (SETUP_FIELD(word, VDW_ID)) {
    case 0:
        if (SETUP_FIELD(word, VPM_WRITE_SIZE) == 3)
            break;
        k->write_set = true;
        k->write = (struct vpm_steps){.setup = word};
        return unused_are_clear(v, word, SETUP_MASK(VPM_WRITE_UNUSED));
    case 2:
        if (SETUP_FIELD(word, VDW_MODEW) == 1)
            break;
        if (SETUP_FIELD(word, VDW_LANED))
            return verifier_refuse(
                v, "sets LANED in setup word %08lX: its effect on a DMA store is undocumented (vdw-laned)",
                (unsigned long)word);
        if (k->store_runs)
            return verifier_refuse(v, "changes the setup of a DMA store that was not waited for");
        k->store_setup = word;
        k->store_set = true;
        return true;
    case 3:
        if (k->store_runs)
            return verifier_refuse(v, "changes the stride of a DMA store that was not waited for");
        k->store_stride = word;
        return unused_are_clear(v, word, SETUP_MASK(VDW_STRIDE_UNUSED));
    }
    return undocumented_setup(v, word);
}

static bool set_read_register(struct verifier *v, uint32_t word)
{
    struct vpm_knowledge *k = &v->now.vpm;
    if (word >> VDR_ID_LOW) {
        if (k->load_runs)
            return verifier_refuse(v, "changes the setup of a DMA load that was not waited for");
        if (SETUP_FIELD(word, VDR_PITCH_ID) == 9) {
            k->load_pitch = word;
            return unused_are_clear(v, word, SETUP_MASK(VDR_PITCH_UNUSED));
        }
        k->load_setup = word;
        k->load_set = true;
        return true;
    }
    if (SETUP_FIELD(word, VPM_READ_ID) != 0 || SETUP_FIELD(word, VPM_READ_SIZE) == 3)
        return undocumented_setup(v, word);
    if (k->reads_left)
        return verifier_refuse(v, "asks for VPM vectors while %u are still to be read", k->reads_left);
    k->reads_left = (uint8_t)setup_count(SETUP_FIELD(word, VPM_READ_NUM), 16);
    k->read_delay = READ_DELAY;
    k->read = (struct vpm_steps){.setup = word};
    return unused_are_clear(v, word, SETUP_MASK(VPM_READ_UNUSED) | SETUP_MASK(VPM_READ_UNUSED_HIGH));
}

/* ---- DMA ---- */

/* Adds the rows of the case's memory that hold these bytes. Refuses if some lie outside. */
static bool note_rows(struct verifier *v, struct verifier_rows *rows, uint32_t address, uint64_t bytes,
                      const char *what)
{
    uint32_t offset = address - v->memory_base;
    if (offset >= WINDOW_BYTES || bytes > WINDOW_BYTES - offset)
        return verifier_refuse(
            v, "starts %s of %llu bytes at %08lX, which leaves the case's memory (it ends at %08lX)", what,
            (unsigned long long)bytes, (unsigned long)address, (unsigned long)v->memory_base + WINDOW_BYTES);
    for (uint32_t row = offset / ROW_BYTES; row <= (offset + bytes - 1) / ROW_BYTES; row++)
        rows->bits[row / 64] |= UINT64_C(1) << row % 64;
    return true;
}

static uint32_t width_of(uint32_t modew)
{
    return modew >= 4 ? 1 : modew >= 2 ? 2 : 4;
}

/* True if a DMA that ends before row `end` stays in the rows of a user program. Such a DMA does not pass row
 * 127; clause vpm-size decides what comes after that row. */
static bool vpm_rows_are_ours(struct verifier *v, uint32_t end)
{
    return end <= VC4_VPM_ROWS_OF_QPU ||
           verifier_refuse(v, "starts a DMA that could reach VPM row %u; a user program has rows 0 to %u",
                           (unsigned)(end - 1), (unsigned)VC4_VPM_ROWS_OF_QPU - 1);
}

/*
 * Returns the number of VPM rows, from Y on, that a store could read. An element has at most four bytes. A
 * horizontal unit longer than a row continues in the rows below. Vertical units run down, and a column number
 * past the last one continues 16 rows further (clause vcd-row-overrun). In BLOCKMODE, units may follow each
 * other without a gap (clause vdw-blockmode).
 */
static uint32_t store_rows(uint32_t word, uint32_t stride)
{
    uint32_t units = setup_count(SETUP_FIELD(word, VDW_UNITS), 128),
             depth = setup_count(SETUP_FIELD(word, VDW_DEPTH), 128);
    uint32_t x = SETUP_FIELD(word, VDW_X);
    bool horizontal = SETUP_FIELD(word, VDW_HORIZ), block = SETUP_FIELD(stride, VDW_STRIDE_BLOCKMODE);
    uint32_t block_rows = horizontal ? (x + units * depth + VC4_LANES - 1) / VC4_LANES : units * depth;
    uint32_t plain_rows = horizontal ? units - 1 + (x + depth + VC4_LANES - 1) / VC4_LANES
                                     : depth + (x + units - 1) / VC4_LANES * VC4_LANES;
    return block && block_rows > plain_rows ? block_rows : plain_rows;
}

/* Checks the largest area that a store reaches under any reading of vdw-stride-width and
 * vdw-stride-meaning. */
static bool start_store(struct verifier *v, uint32_t address)
{
    struct vpm_knowledge *k = &v->now.vpm;
    if (!k->store_set || k->store_runs)
        return verifier_refuse(v, k->store_set ? "starts a DMA store before the last one was waited for"
                                               : "starts a DMA store without a setup");
    uint32_t word = k->store_setup, width = width_of(SETUP_FIELD(word, VDW_MODEW));
    uint32_t units = setup_count(SETUP_FIELD(word, VDW_UNITS), 128),
             depth = setup_count(SETUP_FIELD(word, VDW_DEPTH), 128);
    uint32_t row_bytes = depth * width, stride = SETUP_FIELD(k->store_stride, VDW_STRIDE_STRIDE);
    uint64_t bytes = (uint64_t)(units - 1) * (row_bytes + stride) + row_bytes;
    k->store_runs = v->now.stored = true;
    return vpm_rows_are_ours(v, SETUP_FIELD(word, VDW_Y) + store_rows(word, k->store_stride)) &&
           note_rows(v, &v->proof->written, address, bytes, "a DMA store");
}

static bool start_load(struct verifier *v, uint32_t address)
{
    struct vpm_knowledge *k = &v->now.vpm;
    if (!k->load_set || k->load_runs)
        return verifier_refuse(v, k->load_set ? "starts a DMA load before the last one was waited for"
                                              : "starts a DMA load without a setup");
    uint32_t word = k->load_setup, width = width_of(SETUP_FIELD(word, VDR_MODEW)),
             mpitch = SETUP_FIELD(word, VDR_MPITCH);
    uint32_t rows = setup_count(SETUP_FIELD(word, VDR_NROWS), 16),
             length = setup_count(SETUP_FIELD(word, VDR_ROWLEN), 16);
    uint32_t pitch = mpitch ? 8U << mpitch : SETUP_FIELD(k->load_pitch, VDR_PITCH_MPITCHB);
    uint64_t bytes = (uint64_t)(rows - 1) * pitch + length * width;
    /* The load is horizontal or vertical (clause vdw-horiz-vs-vdr-vert). `across` and `along` are the VPM
     * rows that it can reach in the one and in the other direction. */
    uint32_t moved = (rows - 1) * setup_count(SETUP_FIELD(word, VDR_VPITCH), 16);
    uint32_t x = SETUP_FIELD(word, VDR_X),
             across = moved + (x * 4 + length * width + ROW_BYTES - 1) / ROW_BYTES, along = length + moved;
    k->load_runs = true;
    return vpm_rows_are_ours(v, SETUP_FIELD(word, VDR_Y) + (across > along ? across : along)) &&
           note_rows(v, &v->proof->read, address, bytes, "a DMA load");
}

/* ---- look-ups and the uniform stream ---- */

bool verifier_count_uniform(struct verifier *v, bool certain)
{
    struct state *s = &v->now;
    if (s->stream_lost)
        return verifier_refuse(v,
                               "reads a uniform, but the paths to it leave the stream at different places");
    if (s->stream_delay)
        return verifier_refuse(v, "reads a uniform too soon after UNIFORMS_ADDRESS was written");
    uint32_t min = s->uniforms_min;
    s->uniforms_min += certain;
    s->uniforms_max++;
    if (!s->stream_in_memory)
        return s->uniforms_max <= v->c->uniforms.count ||
               verifier_refuse(v, "may read more uniforms than the case has (%lu)",
                               (unsigned long)v->c->uniforms.count);
    uint32_t end = s->stream_at + 4 * s->uniforms_max + 12; /* hardware reads three words ahead */
    if (s->stream_at > WINDOW_BYTES || end > WINDOW_BYTES)
        return verifier_refuse(v, "reads uniforms up to the end of the case's memory");
    for (uint32_t row = (s->stream_at + 4 * min) / 64; row <= (end - 1) / 64; row++)
        v->proof->read.bits[row / 64] |= UINT64_C(1) << row % 64;
    return true;
}

static bool start_lookup(struct verifier *v, const struct access *a)
{
    unsigned tmu = a->address >= QPU_W_TMU1_S;
    if (a->address != QPU_W_TMU0_S && a->address != QPU_W_TMU1_S)
        return verifier_refuse(v, "looks up a texture; only look-ups in plain memory can be proven");
    if (!a->certain || (a->value.known != KNOWN_WORD && a->value.known != KNOWN_LANES))
        return verifier_refuse(
            v, "starts a look-up at addresses that cannot be followed to constants and uniforms");
    if (v->now.stored)
        return verifier_refuse(v,
                               "starts a look-up after a DMA store: the TMU's cache may not see the store");
    if (++v->now.lookups[tmu] > LOOKUPS_MAX)
        return verifier_refuse(v, "has more than %d look-ups outstanding", LOOKUPS_MAX);
    if (!verifier_count_uniform(v, false)) /* clause tmu-uniform-direct: a look-up may take a uniform */
        return false;
    v->proof->cached = true;
    for (unsigned i = 0; i < VC4_LANES; i++) {
        uint32_t address = verifier_lane(v, &a->value, i);
        if (address % 4)
            return verifier_refuse(v, "looks up %08lX in element %u, which is no multiple of 4",
                                   (unsigned long)address, i);
        if (!note_rows(v, &v->proof->read, address, 4, "a look-up"))
            return false;
    }
    return true;
}

static bool move_stream(struct verifier *v, const struct access *a)
{
    uint32_t word = 0;
    if (a->file)
        return verifier_refuse(v, "writes UNIFORMS_ADDRESS through file B: its effect is open (unif-addr-b)");
    if (!known_word(v, a, "a UNIFORMS_ADDRESS", &word))
        return false;
    if (v->now.stored)
        return verifier_refuse(
            v, "moves the uniform stream after a DMA store: the uniform cache may not see the store");
    v->now.stream_in_memory = true;
    v->now.stream_at = (word & ~3U) - v->memory_base;
    v->now.stream_delay = STREAM_DELAY;
    v->now.stream_lost = false;
    v->now.uniforms_min = v->now.uniforms_max = 0;
    v->proof->cached = true;
    /* Hardware reads ahead as soon as the address is set. */
    return note_rows(v, &v->proof->read, word & ~3U, 16, "a uniform stream");
}

/* ---- block accesses ---- */

/*
 * Checks the next vector of this setup. Refuses an address in which ADDR or the stride sets bit Y[6], because
 * this bit means row 64 under reading row-bits of clause vpm-addr-high-bits. Under some readings a write does
 * not advance the address (cond-vpm-write, vpm-read-write-same); then the previous address is used again,
 * which was checked before. The same holds if a stride of 0 means 0 and not 64.
 */
static bool access_vector(struct verifier *v, struct vpm_steps *s)
{
    const struct vpm_mode *m = &vpm_modes[s->setup >> VPM_WRITE_SIZE_LOW & (VPM_MODES - 1)];
    uint32_t address = SETUP_FIELD(s->setup, VPM_WRITE_ADDR) +
                       s->moved++ * setup_count(SETUP_FIELD(s->setup, VPM_WRITE_STRIDE), 64);
    bool beyond =
        m->sub_bits < 2 && ((address | SETUP_FIELD(s->setup, VPM_WRITE_ADDR)) >> (6 + m->sub_bits) & 1);
    return !beyond || verifier_refuse(v, "goes past VPM row 63, which may mean row 64 (vpm-addr-high-bits)");
}

/* ---- all writes and reads ---- */

bool verifier_write(struct verifier *v, const struct access *a)
{
    struct vpm_knowledge *k = &v->now.vpm;
    uint32_t word = 0;
    if (a->address == QPU_W_UNIFORMS_ADDRESS)
        return move_stream(v, a);
    if (a->address >= QPU_W_TMU0_S)
        return start_lookup(v, a);
    if (a->address >= QPU_W_SFU_RECIP)
        return true;
    if (!port_is_known(v))
        return false;
    switch (a->address) {
    case QPU_W_VPM:
        if (k->load_runs || k->store_runs)
            return verifier_refuse(v, "writes the VPM while a DMA may run");
        return k->write_set ? access_vector(v, &k->write)
                            : verifier_refuse(v, "writes the VPM without a setup");
    case QPU_W_VPM_SETUP:
        return known_word(v, a, "a VPM setup", &word) &&
               (a->file ? set_write_register : set_read_register)(v, word);
    default:
        return known_word(v, a, "a DMA address", &word) && (a->file ? start_store : start_load)(v, word);
    }
}

bool verifier_read(struct verifier *v, uint8_t address, uint8_t file, bool used)
{
    struct vpm_knowledge *k = &v->now.vpm;
    if (!port_is_known(v))
        return false;
    if (address == QPU_R_DMA_WAIT) {
        if (used) /* otherwise it waits only under one reading (raddr-side-effect) */
            *(file ? &k->store_runs : &k->load_runs) = false;
        return true;
    }
    if (address == QPU_R_DMA_BUSY)
        return verifier_refuse(v, "reads whether a DMA is busy, which depends on timing");
    if (!used)
        return verifier_refuse(v, "reads the VPM without using the vector (raddr-side-effect)");
    if (k->load_runs)
        return verifier_refuse(v, "reads the VPM while a DMA load may run");
    if (!k->reads_left)
        return verifier_refuse(v, "reads a VPM vector that no setup asked for: it would wait for ever");
    if (k->read_delay)
        return verifier_refuse(
            v, "reads the VPM too soon after its setup: the vector may stay in the FIFO (vpm-read-early)");
    k->reads_left--;
    return access_vector(v, &k->read);
}

bool verifier_load(struct verifier *v, unsigned tmu)
{
    if (!v->now.lookups[tmu])
        return verifier_refuse(v, "loads from TMU %u, but no look-up is outstanding: it would wait for ever",
                               tmu);
    v->now.lookups[tmu]--;
    return true;
}

bool verifier_end(struct verifier *v)
{
    const struct state *s = &v->now;
    /* A place that may not be written on some path, or in some bits, can keep its earlier content. */
    v->proof->in.file |= v->proof->out.file & ~s->written.file;
    v->proof->in.other |= (uint8_t)(v->proof->out.other & ~s->written.other);
    if (s->vpm.lost)
        return verifier_refuse(v, "ends with different states of the VPM's registers, depending on the path");
    if (s->vpm.reads_left)
        return verifier_refuse(v, "ends while %u VPM vectors are still to be read", s->vpm.reads_left);
    if (s->lookups[0] || s->lookups[1])
        return verifier_refuse(v, "ends while look-ups are outstanding");
    return true;
}
