/* SPDX-License-Identifier: MIT */
/* Makes accesses to peripherals, up to the limits of what a program may access: setups, DMA, look-ups, the
 * uniform stream, branches. */
#include "tests/harness/attack/qpu/qpu_maker.h"

#include "model/vc4/vpm/vpm_setup.h"

enum { FILE_A, FILE_B };
enum { ROWS = VC4_VPM_ROWS_OF_QPU };

/* Returns 0, `most`, or any number between. */
static uint32_t edge_of(struct maker *m, uint32_t most)
{
    unsigned n = maker_below(m, 4);
    return n == 0 ? 0 : n == 1 ? most : random_below(&m->random, most + 1);
}

/* Returns an address for an access to `bytes` bytes: at the window's edges, within it, or just outside. */
static uint32_t address_of(struct maker *m, uint32_t bytes)
{
    uint32_t room = bytes < MAKER_WINDOW ? MAKER_WINDOW - bytes : 0;
    uint32_t offset = edge_of(m, room);
    if (maker_chance(m, 60))
        offset &= ~63U;
    if (maker_chance(m, 2))
        return MAKER_BASE + room + 1 + maker_below(m, 64);
    return MAKER_BASE + offset;
}

/* ---- waits ---- */

static void wait_dma(struct maker *m, uint8_t file)
{
    struct qpu_insn i = maker_insn(QPU_ALU);
    i.op_add = QPU_ADD_MOV;
    *(file ? &i.raddr_b : &i.raddr_a) = QPU_R_DMA_WAIT;
    i.add_a = i.add_b = file ? QPU_MUX_B : QPU_MUX_A;
    maker_put(m, &i);
    *(file ? &m->storing : &m->loading) = false;
}

static void be_idle(struct maker *m, bool stores, bool loads)
{
    if (stores && m->storing && !maker_chance(m, 1))
        wait_dma(m, FILE_B);
    if (loads && m->loading && !maker_chance(m, 1))
        wait_dma(m, FILE_A);
}

/* ---- block access ---- */

/* Returns the size, direction, address and stride of a block access. In most cases `vectors` accesses stay in
 * rows 0 to 63, and their address does not overflow. */
static uint32_t block_setup(struct maker *m, unsigned vectors)
{
    uint32_t size = maker_chance(m, 60) ? 2 : maker_below(m, 3), sub = 2 - size, room = 64U << sub;
    uint32_t stride = maker_chance(m, 60) ? 1 : edge_of(m, 63), address;
    uint32_t span = (vectors - 1) * (stride ? stride : 64);
    if (maker_chance(m, 70)) {
        while (span >= room) {
            stride = 1 + maker_below(m, 3);
            span = (vectors - 1) * stride;
        }
        address = edge_of(m, room - 1 - span);
    } else {
        address = maker_below(m, 255);
    }
    return stride << VPM_WRITE_STRIDE_LOW | (uint32_t)maker_below(m, 4) << VPM_WRITE_LANED_LOW |
           size << VPM_WRITE_SIZE_LOW | address;
}

static void write_vpm(struct maker *m)
{
    unsigned vectors = 1 + maker_below(m, maker_chance(m, 80) ? 4 : 16);
    be_idle(m, true, true);
    maker_send(m, QPU_W_VPM_SETUP, FILE_B, block_setup(m, vectors));
    m->write_set = true;
    while (vectors--) {
        struct qpu_insn i = maker_insn(QPU_ALU);
        bool mul = maker_chance(m, 30);
        maker_some_noise(m, 10);
        i.op_add = mul ? 0 : QPU_ADD_MOV;
        i.op_mul = mul ? QPU_MUL_MOV : 0;
        i.add_a = i.add_b = i.mul_a = i.mul_b = maker_below(m, 6);
        *(mul ? &i.waddr_mul : &i.waddr_add) = QPU_W_VPM;
        if (maker_chance(m, 10))
            i.cond_add = i.cond_mul = maker_below(m, 8);
        i.ws = maker_below(m, 2);
        maker_put(m, &i);
    }
}

static void read_vpm(struct maker *m)
{
    unsigned vectors = 1 + maker_below(m, maker_chance(m, 85) ? 4 : 16);
    be_idle(m, false, true);
    maker_send(m, QPU_W_VPM_SETUP, FILE_A, (vectors & 15) << VPM_READ_NUM_LOW | block_setup(m, vectors));
    for (unsigned gap = maker_chance(m, 75) ? 3 : maker_below(m, 4); gap; gap--)
        if (maker_chance(m, 40))
            maker_noise(m, false);
        else
            maker_nops(m, 1);
    if (maker_chance(m, 2))
        vectors = maker_chance(m, 50) ? vectors + 1 : vectors - 1;
    while (vectors--) {
        struct qpu_insn i = maker_insn(QPU_ALU);
        bool b = maker_chance(m, 30);
        *(b ? &i.raddr_b : &i.raddr_a) = QPU_R_VPM;
        i.op_add = QPU_ADD_MOV;
        i.add_a = i.add_b = b ? QPU_MUX_B : QPU_MUX_A;
        i.waddr_add = (uint8_t)(QPU_W_R0 + maker_below(m, 4));
        if (maker_is_busy(m, PLACE_R0 + i.waddr_add - QPU_W_R0))
            i.waddr_add = QPU_W_NOTHING;
        maker_put(m, &i);
        maker_some_noise(m, 8);
    }
}

/* ---- DMA ---- */

/* The shape of a DMA: its units (rows of memory), the elements of each, and the number of VPM rows that they
 * occupy. */
struct shape {
    uint32_t units, depth, modew, x, rows;
    bool along;
};

static uint32_t width_of(uint32_t modew)
{
    return modew >= 4 ? 1 : modew >= 2 ? 2 : 4;
}

static uint32_t rows_of(const struct shape *s, bool by_bytes)
{
    uint32_t elements = by_bytes ? (s->depth * width_of(s->modew) + 3 + 3) / 4 : s->depth;
    if (s->along)
        return s->units - 1 + (s->x + elements + VC4_LANES - 1) / VC4_LANES;
    return elements + (s->x + s->units - 1) / VC4_LANES * VC4_LANES;
}

static struct shape shape_of(struct maker *m, uint32_t units_most, uint32_t depth_most)
{
    static const uint8_t modes[] = {0, 0, 0, 0, 2, 3, 4, 5, 6, 7};
    struct shape s = {.along = maker_chance(m, 60), .modew = modes[maker_below(m, sizeof modes)]};
    bool by_bytes = maker_chance(m, 20);
    s.x = maker_chance(m, 60) ? 0 : maker_below(m, 16);
    for (unsigned tries = 0; tries < 8; tries++) {
        s.units = maker_chance(m, 50) ? 1 + edge_of(m, 3) : 1 + edge_of(m, units_most - 1);
        s.depth = maker_chance(m, 50) ? 16 : 1 + edge_of(m, depth_most - 1);
        s.rows = rows_of(&s, by_bytes);
        if (s.rows <= ROWS)
            return s;
    }
    s.units = 1;
    s.depth = 1;
    s.rows = rows_of(&s, by_bytes);
    return s;
}

/* Returns a first VPM row so that the transfer ends within the program's rows; rarely, one row after them. */
static uint32_t first_row(struct maker *m, uint32_t rows)
{
    uint32_t most = rows < ROWS ? ROWS - rows : 0;
    return maker_chance(m, 2) ? most + 1 : edge_of(m, most);
}

/* Returns the bytes of padding between rows in memory: none, the most that fit, or any number between. */
static uint32_t padding(struct maker *m, const struct shape *s, uint32_t most)
{
    uint32_t bytes = s->units * s->depth * width_of(s->modew);
    uint32_t room = s->units > 1 && bytes < MAKER_WINDOW ? (MAKER_WINDOW - bytes) / (s->units - 1) : 64;
    return edge_of(m, room < most ? room : most);
}

static void store(struct maker *m)
{
    struct shape s = shape_of(m, 128, 128);
    bool strides = s.units > 1 && maker_chance(m, 50), block = maker_chance(m, 10);
    be_idle(m, true, maker_chance(m, 90));
    if (strides || m->stride || maker_chance(m, 10)) {
        m->stride = padding(m, &s, 0xFFFF);
        maker_send(m, QPU_W_VPM_SETUP, FILE_B,
                   3U << VDW_STRIDE_ID_LOW | (uint32_t)block << VDW_STRIDE_BLOCKMODE_LOW | m->stride);
    }
    maker_send(m, QPU_W_VPM_SETUP, FILE_B,
               2U << VDW_ID_LOW | (s.units & 127) << VDW_UNITS_LOW | (s.depth & 127) << VDW_DEPTH_LOW |
                   (uint32_t)s.along << VDW_HORIZ_LOW | first_row(m, s.rows) << VDW_Y_LOW | s.x << VDW_X_LOW |
                   s.modew);
    maker_some_noise(m, 15);
    uint32_t bytes = s.units * s.depth * width_of(s.modew) + (s.units - 1) * m->stride;
    maker_send(m, QPU_W_DMA_ADDRESS, FILE_B, address_of(m, bytes));
    m->storing = m->stored = true;
    if (maker_chance(m, 70))
        wait_dma(m, FILE_B);
}

static void load(struct maker *m)
{
    struct shape s = shape_of(m, 16, 16);
    uint32_t row_bytes = s.depth * width_of(s.modew),
             mpitch = maker_chance(m, 50) ? 0 : 1 + maker_below(m, 8), pitch;
    uint32_t vpitch = maker_chance(m, 60) ? 1 : maker_below(m, 16), rows = 16;
    be_idle(m, maker_chance(m, 90), true);
    if (mpitch) {
        pitch = 8U << mpitch;
    } else {
        pitch = m->pitch;
        if (s.units > 1 || maker_chance(m, 20)) {
            pitch = m->pitch = row_bytes + padding(m, &s, 8191 - row_bytes);
            maker_send(m, QPU_W_VPM_SETUP, FILE_A, 9U << VDR_PITCH_ID_LOW | pitch);
        }
    }
    rows = (s.units - 1) * (vpitch ? vpitch : 16) + (s.depth > s.x / 16 + 2 ? s.depth : s.x / 16 + 2);
    maker_send(m, QPU_W_VPM_SETUP, FILE_A,
               1U << VDR_ID_LOW | s.modew << VDR_MODEW_LOW | mpitch << VDR_MPITCH_LOW |
                   (s.depth & 15) << VDR_ROWLEN_LOW | (s.units & 15) << VDR_NROWS_LOW |
                   vpitch << VDR_VPITCH_LOW | (uint32_t)!s.along << VDR_VERT_LOW |
                   first_row(m, rows) << VDR_Y_LOW | s.x);
    maker_some_noise(m, 15);
    maker_send(m, QPU_W_DMA_ADDRESS, FILE_A, address_of(m, (s.units - 1) * pitch + row_bytes));
    m->loading = true;
    if (maker_chance(m, 70))
        wait_dma(m, FILE_A);
}

/* ---- look-ups ---- */

/* Computes, in an accumulator, the number of each element (or another small number) times 4, 8 or 16. */
static unsigned element_offsets(struct maker *m)
{
    unsigned place = PLACE_R0 + maker_below(m, 4);
    struct qpu_insn i = maker_insn(QPU_ALU_SMALL);
    for (unsigned n = 0; n < 4 && maker_is_busy(m, place); n++)
        place = PLACE_R0 + n;
    i.op_add = QPU_ADD_SHL;
    i.add_b = QPU_MUX_B;
    i.raddr_b = (uint8_t)(2 + maker_below(m, 3));
    i.waddr_add = (uint8_t)(QPU_W_R0 + place - PLACE_R0);
    if (maker_chance(m, 70)) {
        i.raddr_a = QPU_R_NUMBER;
        i.add_a = QPU_MUX_A;
    } else {
        struct qpu_insn l = maker_insn(maker_chance(m, 80) ? QPU_LDI_UNSIGNED : QPU_LDI_SIGNED);
        l.waddr_add = i.waddr_add;
        l.immediate = random_u32(&m->random);
        maker_put(m, &l);
        i.add_a = (uint8_t)(place - PLACE_R0);
    }
    maker_put(m, &i);
    maker_hold(m, place, true);
    return place;
}

static void look_up_lanes(struct maker *m, uint8_t waddr)
{
    unsigned place = element_offsets(m);
    struct source s = maker_value(m, MAKER_BASE + 64 + (edge_of(m, MAKER_WINDOW - 64 - 15 * 16 - 4) & ~3U));
    struct qpu_insn i = maker_insn(QPU_ALU);
    if (maker_chance(m, 10))
        maker_interfere(m, place);
    if (s.place < PLACE_R0 && m->last == s.place)
        maker_nops(m, 1);
    i.op_add = QPU_ADD_ADD;
    i.add_a = (uint8_t)(place - PLACE_R0);
    maker_take_operand(&i, &i.add_b, s);
    i.waddr_add = waddr;
    maker_put(m, &i);
    maker_hold(m, place, false);
    maker_free(m, s);
}

static void look_up(struct maker *m)
{
    bool many = maker_chance(m, 4);
    unsigned count = 1 + maker_below(m, many ? 12 : 4), of[2] = {0, 0}, first = maker_below(m, 2);
    for (unsigned n = 0; n < count; n++) {
        unsigned tmu = many ? first : maker_below(m, 2);
        uint8_t waddr = tmu ? QPU_W_TMU1_S : QPU_W_TMU0_S;
        of[tmu]++;
        if (maker_chance(m, 35))
            look_up_lanes(m, waddr);
        else
            maker_send(m, waddr, maker_below(m, 2), address_of(m, 4) & ~3U);
        m->lookups += !m->stream_moved;
        m->stream_left -= m->stream_moved && m->stream_left;
        maker_some_noise(m, 15);
    }
    while (of[0] || of[1]) {
        unsigned tmu = maker_below(m, 2);
        struct qpu_insn i = maker_insn(QPU_ALU);
        tmu = of[tmu] ? tmu : !tmu;
        of[tmu]--;
        i.sig = tmu ? QPU_SIG_LOAD_TMU1 : QPU_SIG_LOAD_TMU0;
        maker_put(m, &i);
        maker_some_noise(m, 15);
    }
    m->seeded_acc |= 1U << (PLACE_R4 - PLACE_R0);
}

/* ---- the uniform stream in memory ---- */

static void move_stream(struct maker *m)
{
    unsigned words = 1 + maker_below(m, 8), behind = 3 + maker_below(m, 2);
    uint32_t bytes = 4 * (words + behind), offset = edge_of(m, MAKER_WINDOW - bytes) & ~3U;
    maker_send(m, QPU_W_UNIFORMS_ADDRESS, FILE_A,
               MAKER_BASE + offset + (maker_chance(m, 5) ? maker_below(m, 4) : 0U));
    m->stream_moved = true;
    m->stream_left = 0;
    for (unsigned gap = maker_chance(m, 95) ? 2 : maker_below(m, 3); gap; gap--)
        if (maker_chance(m, 50))
            maker_noise(m, true);
        else
            maker_nops(m, 1);
    m->stream_left = maker_chance(m, 95) ? words : words + 1;
}

static void read_uniforms(struct maker *m)
{
    for (unsigned count = 1 + maker_below(m, 4); count; count--) {
        struct qpu_insn i = maker_insn(QPU_ALU);
        if (!m->stream_moved) {
            struct source s = maker_value(m, maker_word(m));
            maker_free(m, s);
            continue;
        }
        if (!m->stream_left)
            return;
        m->stream_left--;
        i.op_add = QPU_ADD_MOV;
        i.raddr_a = QPU_R_UNIFORM;
        i.add_a = i.add_b = QPU_MUX_A;
        i.waddr_add = (uint8_t)(QPU_W_R0 + maker_below(m, 4));
        if (maker_is_busy(m, PLACE_R0 + i.waddr_add - QPU_W_R0))
            i.waddr_add = QPU_W_NOTHING;
        maker_put(m, &i);
    }
}

/* ---- branches ---- */

/* Branches forward over a few instructions. A proof could wrongly assume that both paths leave the same
 * state. */
void maker_branch(struct maker *m)
{
    struct qpu_insn i = maker_insn(QPU_BRANCH);
    struct source s = {0, 0, MAKER_PLACES};
    bool holds = maker_chance(m, 30);
    if (holds)
        s = maker_value(m, address_of(m, 4) & ~3U);
    uint32_t at = m->c->program.count;
    i.cond_add = i.cond_mul = 0;
    i.rel = 1;
    i.cond_br = maker_chance(m, 30) ? 15 : maker_below(m, 12);
    maker_put(m, &i);
    for (unsigned n = 0; n < 3; n++)
        maker_noise(m, maker_chance(m, 50));
    m->depth++;
    for (unsigned n = maker_below(m, 5); n && !maker_is_full(m); n--)
        if (maker_chance(m, 10) && m->depth < 3)
            maker_block(m);
        else if (holds && maker_chance(m, 20))
            maker_interfere(m, s.place);
        else
            maker_noise(m, maker_chance(m, 30));
    m->depth--;
    uint32_t skip = m->c->program.count - at - 4;
    m->c->program.word[2 * at] |= 8 * skip;
    if (!holds)
        return;
    maker_hold(m, s.place, false);
    if (!m->stored && s.place != MAKER_PLACES) {
        struct qpu_insn load_result = maker_insn(QPU_ALU);
        maker_send_source(m, QPU_W_TMU0_S, FILE_A, s);
        m->lookups += !m->stream_moved;
        load_result.sig = QPU_SIG_LOAD_TMU0;
        maker_put(m, &load_result);
    }
}

/* ---- one of them ---- */

void maker_block(struct maker *m)
{
    unsigned n = maker_below(m, 20);
    if (n < 3) {
        write_vpm(m);
    } else if (n < 6) {
        read_vpm(m);
    } else if (n < 9) {
        store(m);
    } else if (n < 11) {
        load(m);
    } else if (n < 14) {
        if (!m->stored || maker_chance(m, 1))
            look_up(m);
        else
            store(m);
    } else if (n < 15) {
        if ((!m->stored && !m->stream_moved) || maker_chance(m, 2))
            move_stream(m);
    } else if (n < 16) {
        read_uniforms(m);
    } else if (n < 18 && m->depth < 2) {
        maker_branch(m);
    } else {
        maker_some_noise(m, 70);
    }
}
