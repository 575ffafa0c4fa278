/* SPDX-License-Identifier: MIT */
/*
 * Generates cases for vc4-vpm that are worth running. A case has one to three scenes (write vectors; read
 * them; store; load). The fields of setup words are near their boundaries, and most transfers stay inside the
 * memory.
 */
#include "model/vc4/vpm/unit_vpm.h"
#include "model/vc4/vpm/vpm_setup.h"

#include <string.h>

/* Images of most cases have the same content. For another content the outcome fills all rows again, which
 * costs more than running a case. */
enum { VPM_SEED = 1, DATA_SEED = 2, OTHER_CONTENT_ONE_IN = 1024 };

#define PUT(field, value) ((uint32_t)(value) << field##_LOW & SETUP_MASK(field))

static const uint8_t some_y[] = {0, 0, 1, 2, 3, 4, 5, 7, 8, 12, 15, 16, 17, 31, 32, 47, 48, 60, 62, 63};
static const uint8_t some_x[] = {0, 0, 0, 1, 3, 4, 7, 8, 11, 12, 14, 15};
static const uint8_t some_strides[] = {0, 1, 1, 1, 2, 2, 3, 4, 4, 5, 8, 16, 31, 32, 62, 63};
static const uint8_t some_nums[] = {1, 1, 1, 2, 2, 3, 4, 5};
static const uint8_t some_units[] = {1, 1, 1, 2, 2, 3, 4, 7, 8};
static const uint8_t some_depths[] = {1, 2, 3, 4, 4, 7, 8, 15, 16, 16, 17};
static const uint8_t some_modews[] = {0, 0, 0, 2, 3, 4, 5, 6, 7};
static const uint16_t some_gaps[] = {0, 0, 1, 4, 4, 12, 16, 60, 64, 0x1FC0, 0x2000, 0x2040};
static const uint8_t some_vpitches[] = {0, 0, 1, 1, 2, 3, 4, 8, 15};
static const uint8_t some_sizes[] = {0, 0, 1, 1, 2};

/* ---- Setup words ---- */

static uint32_t some_row(struct random *r)
{
    return random_one_in(r, 4) ? random_below(r, 64) : PICK(r, some_y);
}

/* Returns an ADDR for a mode. Sometimes sets bits of ADDR that the mode does not use. */
static uint32_t some_address(struct random *r, bool horizontal, uint32_t size)
{
    uint32_t sub_bits = 2 - size, y = some_row(r), x = PICK(r, some_x);
    uint32_t above = horizontal ? y : (y / 16 << 4 | x);
    uint32_t address = above << sub_bits | random_below(r, 1U << sub_bits);
    return random_one_in(r, 12) ? address | (random_u32(r) & 3) << 6 : address;
}

/* These functions build a word in several statements, because C does not define the order of calls within an
 * expression, and a seed must give the same case with every compiler. */
static uint32_t block_setup(struct random *r)
{
    uint32_t horizontal = random_below(r, 2), size = PICK(r, some_sizes), word = 0;
    word |= PUT(VPM_WRITE_HORIZ, horizontal) | PUT(VPM_WRITE_SIZE, size);
    word |= PUT(VPM_WRITE_LANED, random_below(r, 2));
    word |= PUT(VPM_WRITE_STRIDE, random_one_in(r, 8) ? random_below(r, 64) : PICK(r, some_strides));
    word |= PUT(VPM_WRITE_ADDR, some_address(r, horizontal, size));
    return random_one_in(r, 128) ? word | PUT(VPM_WRITE_SIZE, 3) : word;
}

static uint32_t block_write_setup(struct random *r)
{
    uint32_t word = block_setup(r);
    if (random_one_in(r, 16))
        word |= PUT(VPM_WRITE_UNUSED, random_u32(r));
    return random_one_in(r, 128) ? word | PUT(VPM_WRITE_ID, 1) : word;
}

static uint32_t block_read_setup(struct random *r, uint32_t *num)
{
    uint32_t word = block_setup(r);
    *num = random_one_in(r, 32) ? random_below(r, 16) : PICK(r, some_nums);
    word |= PUT(VPM_READ_NUM, *num);
    if (random_one_in(r, 16)) {
        word |= PUT(VPM_READ_UNUSED, random_u32(r));
        word |= PUT(VPM_READ_UNUSED_HIGH, random_u32(r));
    }
    return random_one_in(r, 256) ? word | PUT(VPM_READ_ID, 1) : word;
}

static uint32_t modew_bytes(uint32_t modew)
{
    return modew >= 4 ? 1 : modew >= 2 ? 2 : 4;
}

static uint32_t some_dma_row(struct random *r)
{
    uint32_t y = some_row(r);
    return random_one_in(r, 8) ? y + 64 : y;
}

/* Returns the first row of a transfer of `rows` rows: usually `y`, sometimes a row from which the transfer
 * ends at row 63 or 127, or one row before or after. */
static uint32_t row_at_edge(struct random *r, uint32_t y, uint32_t rows)
{
    if (!random_one_in(r, 12))
        return y;
    uint32_t edge = random_one_in(r, 2) ? VC4_VPM_ROWS / 2 : VC4_VPM_ROWS;
    return edge + random_below(r, 3) - 1 - rows;
}

/* The size of a transfer in memory, from its first to its last byte, and the size of an element. */
struct extent {
    uint32_t bytes, element;
};

static uint32_t store_setup(struct random *r, uint32_t gap, struct extent *extent)
{
    uint32_t word = PUT(VDW_ID, 2);
    uint32_t units = random_one_in(r, 256) ? random_below(r, 128) : PICK(r, some_units);
    uint32_t depth = random_one_in(r, 256) ? random_below(r, 128) : PICK(r, some_depths);
    uint32_t modew = PICK(r, some_modews);
    extent->element = modew_bytes(modew);
    extent->bytes = setup_count(units, 128) * (setup_count(depth, 128) * extent->element + gap) - gap;
    word |= PUT(VDW_UNITS, units) | PUT(VDW_DEPTH, depth);
    word |= PUT(VDW_LANED, random_one_in(r, 16));
    word |= PUT(VDW_HORIZ, random_below(r, 2));
    word |= PUT(VDW_Y, row_at_edge(r, some_dma_row(r), setup_count(units, 128)));
    word |= PUT(VDW_X, PICK(r, some_x));
    word |= PUT(VDW_MODEW, random_one_in(r, 128) ? 1 : modew);
    return word;
}

static uint32_t store_stride(struct random *r, uint32_t *gap)
{
    uint32_t word = PUT(VDW_STRIDE_ID, 3);
    *gap = PICK(r, some_gaps);
    word |= PUT(VDW_STRIDE_STRIDE, *gap);
    word |= PUT(VDW_STRIDE_BLOCKMODE, random_one_in(r, 4));
    return random_one_in(r, 16) ? word | PUT(VDW_STRIDE_UNUSED, random_u32(r)) : word;
}

static uint32_t load_pitch(struct random *r, uint32_t *pitch)
{
    uint32_t word = PUT(VDR_PITCH_ID, 9);
    *pitch = PICK(r, some_gaps) & 0x1FFF;
    word |= PUT(VDR_PITCH_MPITCHB, *pitch);
    return random_one_in(r, 16) ? word | PUT(VDR_PITCH_UNUSED, random_u32(r)) : word;
}

static uint32_t load_setup(struct random *r, uint32_t pitch, struct extent *extent)
{
    uint32_t word = PUT(VDR_ID, 1);
    uint32_t mpitch = random_one_in(r, 3) ? 1 + random_below(r, 6) : 0;
    uint32_t rows = random_one_in(r, 8) ? random_below(r, 16) : 1 + random_below(r, 5);
    uint32_t modew = PICK(r, some_modews), length = PICK(r, some_depths), step = PICK(r, some_vpitches);
    length &= 15;
    extent->element = modew_bytes(modew);
    extent->bytes = (setup_count(rows, 16) - 1) * (mpitch ? 8U << mpitch : pitch) +
                    setup_count(length, 16) * extent->element;
    word |= PUT(VDR_MPITCH, mpitch) | PUT(VDR_NROWS, rows);
    word |= PUT(VDR_MODEW, modew) | PUT(VDR_ROWLEN, length) | PUT(VDR_VPITCH, step);
    word |= PUT(VDR_VERT, random_below(r, 2));
    word |=
        PUT(VDR_Y, row_at_edge(r, some_dma_row(r), (setup_count(rows, 16) - 1) * setup_count(step, 16) + 1));
    word |= PUT(VDR_X, PICK(r, some_x));
    return word;
}

/* Returns the offset in memory of a transfer. Usually the transfer fits into the memory, if it can. Sometimes
 * it ends at the memory's end or one element before or after, starts near the memory's end, or starts
 * anywhere. */
static uint32_t some_offset(struct random *r, struct extent extent)
{
    uint32_t bytes = extent.bytes,
             offset = bytes < DIRECT_MEMORY_BYTES ? random_below(r, DIRECT_MEMORY_BYTES - bytes) : 0;
    if (bytes < DIRECT_MEMORY_BYTES && random_one_in(r, 12))
        return DIRECT_MEMORY_BYTES - bytes + (random_below(r, 3) - 1) * extent.element;
    if (random_one_in(r, 32))
        return DIRECT_MEMORY_BYTES - random_below(r, 2) * extent.element;
    if (random_one_in(r, 32))
        offset = random_u32(r) & (2 * DIRECT_MEMORY_BYTES - 1);
    return random_one_in(r, 8) ? offset : offset & ~(random_one_in(r, 2) ? 63U : 3U);
}

/* ---- Scenes ---- */

static void add(struct random *r, struct vpm_case *c, enum vpm_op_code code, uint32_t operand)
{
    if (c->op_count == VPM_OPS_MAX)
        return;
    uint32_t *op = c->op[c->op_count++];
    op[0] = operand;
    op[1] = code | (c->op_count > 1 && random_one_in(r, 48) ? VPM_OP_WITH : 0);
    if (code == VPM_OP_WRITE && random_one_in(r, 16))
        op[1] |= (random_one_in(r, 3) ? 0xFFFF : random_u32(r) & 0xFFFF) << VPM_OP_LANES_OFF_SHIFT;
}

static void add_writes(struct random *r, struct vpm_case *c)
{
    add(r, c, VPM_OP_WR_SETUP, block_write_setup(r));
    for (uint32_t n = 1 + random_below(r, 3); n; n--)
        add(r, c, VPM_OP_WRITE, random_below(r, VPM_DATA_ROWS));
}

static void add_reads(struct random *r, struct vpm_case *c)
{
    uint32_t num;
    add(r, c, VPM_OP_RD_SETUP, block_read_setup(r, &num));
    num = num ? num : 16;
    if (random_one_in(r, 8))
        num += random_below(r, 3) - 1U;
    if (random_one_in(r, 16)) {
        uint32_t more, word = block_read_setup(r, &more);
        add(r, c, VPM_OP_RD_SETUP, word);
        num += more;
    }
    if (!random_one_in(r, 8))
        add(r, c, VPM_OP_NOP, 2);
    for (; num; num--) {
        add(r, c, VPM_OP_READ, 0);
        if (random_one_in(r, 32))
            add(r, c, VPM_OP_WRITE, random_below(r, VPM_DATA_ROWS));
    }
}

static void add_transfer(struct random *r, struct vpm_case *c, bool store)
{
    struct extent extent;
    uint32_t between = 0;
    if (random_one_in(r, 2))
        add(r, c, store ? VPM_OP_WR_SETUP : VPM_OP_RD_SETUP,
            store ? store_stride(r, &between) : load_pitch(r, &between));
    add(r, c, store ? VPM_OP_WR_SETUP : VPM_OP_RD_SETUP,
        store ? store_setup(r, between, &extent) : load_setup(r, between, &extent));
    add(r, c, store ? VPM_OP_ST_ADDR : VPM_OP_LD_ADDR, some_offset(r, extent));
    if (random_one_in(r, 8))
        add(r, c, store ? VPM_OP_ST_BUSY : VPM_OP_LD_BUSY, 0);
    if (random_one_in(r, 12))
        add(r, c, store ? VPM_OP_ST_WAIT : VPM_OP_LD_WAIT, 0);
}

static void set_contents(struct random *r, struct vpm_case *c)
{
    c->vpm.fill = FILL_RANDOM;
    c->vpm.seed = VPM_SEED;
    c->memory.fill = FILL_INDEX;
    c->data.fill = FILL_RANDOM;
    c->data.seed = DATA_SEED;
    if (random_one_in(r, OTHER_CONTENT_ONE_IN)) {
        c->vpm.seed = random_u32(r);
        c->memory.fill = random_below(r, FILL_KINDS);
        c->data.fill = FILL_INDEX;
        c->data.seed = 0;
    }
}

void vpm_case_generate(struct random *r, struct test_case *tc)
{
    struct vpm_case *c = (struct vpm_case *)(void *)tc->words;
    set_contents(r, c);
    for (uint32_t scenes = 1 + random_below(r, 2) + random_below(r, 2); scenes; scenes--) {
        uint32_t kind = random_below(r, 8);
        if (kind < 3)
            add_writes(r, c);
        else if (kind < 5)
            add_reads(r, c);
        else
            add_transfer(r, c, kind < 7);
    }
    c->op[0][1] &= ~(uint32_t)VPM_OP_WITH;
}

void vpm_op_generate(struct random *r, uint32_t *words)
{
    struct extent extent = {1024, 4};
    uint32_t unused, code = random_below(r, VPM_OP_CODES);
    words[0] = 0;
    words[1] = code;
    switch (vpm_ops[code].operand) {
    case VPM_OPERAND_WRITE_SETUP:
        words[0] = random_one_in(r, 2)   ? block_write_setup(r)
                   : random_one_in(r, 3) ? store_stride(r, &unused)
                                         : store_setup(r, 0, &extent);
        break;
    case VPM_OPERAND_READ_SETUP:
        words[0] = random_one_in(r, 2)   ? block_read_setup(r, &unused)
                   : random_one_in(r, 3) ? load_pitch(r, &unused)
                                         : load_setup(r, 64, &extent);
        break;
    case VPM_OPERAND_ROW:
        words[0] = random_below(r, VPM_DATA_ROWS);
        break;
    case VPM_OPERAND_OFFSET:
        words[0] = some_offset(r, extent);
        break;
    case VPM_OPERAND_COUNT:
        words[0] = random_below(r, 4);
        break;
    case VPM_OPERAND_NONE:
        break;
    }
}

static void mutate_setup(struct random *r, enum setup_register which, uint32_t *word)
{
    const struct word_form *format = setup_format_of(which, *word);
    if (!format || random_one_in(r, 16))
        *word ^= 1U << random_below(r, 32);
    else
        direct_mutate_field(r, format->fields, word);
}

void vpm_op_mutate(struct random *r, uint32_t *words)
{
    uint32_t code = words[1] & OP_CODE_MASK;
    if (code >= VPM_OP_CODES || random_one_in(r, 8)) {
        vpm_op_generate(r, words);
    } else if (random_one_in(r, 8)) {
        words[1] ^= VPM_OP_WITH;
    } else if (code == VPM_OP_WRITE && random_one_in(r, 2)) {
        words[1] ^= 1U << (VPM_OP_LANES_OFF_SHIFT + random_below(r, VC4_LANES));
    } else if (code == VPM_OP_WR_SETUP || code == VPM_OP_RD_SETUP) {
        mutate_setup(r, code == VPM_OP_WR_SETUP ? SETUP_WRITE : SETUP_READ, &words[0]);
    } else {
        const uint32_t choices[] = {words[0] + 1, words[0] - 1, words[0] + 64,
                                    words[0] ^ (1U << random_below(r, 14)), 0};
        words[0] = PICK(r, choices);
    }
}

void vpm_case_mend(struct test_case *tc)
{
    struct vpm_case *c = (struct vpm_case *)(void *)tc->words;
    direct_mend_content(&c->vpm);
    direct_mend_content(&c->memory);
    direct_mend_content(&c->data);
    for (uint32_t i = 0; i < c->op_count; i++) {
        uint32_t *op = c->op[i], code = (op[1] & OP_CODE_MASK) % VPM_OP_CODES;
        uint32_t kept = (i ? op[1] & VPM_OP_WITH : 0) |
                        (code == VPM_OP_WRITE ? op[1] & UINT32_C(0xFFFF) << VPM_OP_LANES_OFF_SHIFT : 0);
        op[1] = code | kept;
        switch (vpm_ops[code].operand) {
        case VPM_OPERAND_NONE:
            op[0] = 0;
            break;
        case VPM_OPERAND_ROW:
            op[0] %= VPM_DATA_ROWS;
            break;
        case VPM_OPERAND_OFFSET:
            op[0] %= 2 * DIRECT_MEMORY_BYTES; /* half of the offsets are outside the memory */
            break;
        case VPM_OPERAND_COUNT:
            op[0] %= 8;
            break;
        case VPM_OPERAND_WRITE_SETUP:
        case VPM_OPERAND_READ_SETUP:
            break;
        }
    }
}

/* Inserts two instructions between a read setup and a read that directly follows. With them the read is right
 * under every reading of clause vpm-read-early. */
static void wait_for_data(struct vpm_case *c, uint32_t setup)
{
    uint32_t(*at)[2] = &c->op[setup + 1];
    if (setup + 1 >= c->op_count || at[0][1] != VPM_OP_READ || c->op_count == VPM_OPS_MAX)
        return;
    memmove(at + 1, at, (c->op_count++ - setup - 1) * sizeof *at);
    at[0][0] = 2;
    at[0][1] = VPM_OP_NOP;
}

/* Keeps block accesses in rows 0 to 63 and delays early reads, because a proof refuses other cases. */
void vpm_case_mend_for_proof(struct test_case *tc)
{
    struct vpm_case *c = (struct vpm_case *)(void *)tc->words;
    for (uint32_t i = 0; i < c->op_count; i++) {
        uint32_t *op = c->op[i], code = op[1] & OP_CODE_MASK;
        if (code == VPM_OP_WR_SETUP)
            op[0] = setup_mend_write(op[0]);
        if (code != VPM_OP_RD_SETUP)
            continue;
        op[0] = setup_mend_read(op[0]);
        wait_for_data(c, i);
    }
}
