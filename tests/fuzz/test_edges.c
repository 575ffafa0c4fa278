/* SPDX-License-Identifier: MIT */
/*
 * Counts how often generated cases reach the edges of sums: a row plus its strides, an address plus a
 * transfer's length, a base plus the offsets of levels, a register plus a vector's length. The test computes
 * the sums from the words of the cases, as the documents define them. Each edge must occur 20 times in 10,000
 * cases. At this rate a minute of fuzzing reaches each edge in many combinations.
 */
#include "fuzz/generate/generate.h"
#include "model/core/units.h"
#include "model/svp64/unit_swizzle.h"
#include "model/utgard/unit_gp.h"
#include "model/vc4/tmu/tmu_texture.h"
#include "model/vc4/tmu/unit_tmu.h"
#include "model/vc4/vpm/unit_vpm.h"
#include "model/vc4/vpm/vpm_setup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CASES = 20000, LEAST = 20, EDGES_MAX = 24 }; /* LEAST: required cases with an edge, of 10,000 */

/* ---- the VPM: VideoCoreIV-AG100-R p57-60, tables 32 to 37 ---- */

static const char *const vpm_edges[] = {"block: a vector in the last row or column",
                                        "block: the next vector passes it",
                                        "DMA: the last row is row 63",
                                        "DMA: rows pass 63",
                                        "DMA: the last row is row 127",
                                        "DMA: rows pass 127",
                                        "DMA: a row ends with column 15",
                                        "DMA: a row passes column 15",
                                        "store ends with the memory",
                                        "store passes the end by an element or less",
                                        "load ends with the memory",
                                        "load passes the end by an element or less",
                                        "load or store begins in the last word",
                                        "load or store begins at the end",
                                        NULL};
enum {
    VPM_BLOCK_LAST,
    VPM_BLOCK_PASSES,
    VPM_ROW_63,
    VPM_PASSES_63,
    VPM_ROW_127,
    VPM_PASSES_127,
    VPM_COLUMN_15,
    VPM_PASSES_15,
    VPM_STORE_ENDS,
    VPM_STORE_PASSES,
    VPM_LOAD_ENDS,
    VPM_LOAD_PASSES,
    VPM_LAST_WORD,
    VPM_AT_END,
};

struct setups {
    uint32_t block[2], vectors[2]; /* indexed by enum setup_register; 0: no setup yet */
    uint32_t dma[2], pitch[2];
};

/* Notes the edges of a block access. ADDR counts vectors of the mode: SIZE says how many of its low bits
 * choose a part of a row or column. */
static void note_vector(uint32_t word, uint32_t vectors, bool *hit)
{
    uint32_t size = SETUP_FIELD(word, VPM_WRITE_SIZE), stride = SETUP_FIELD(word, VPM_WRITE_STRIDE);
    if (size > 2)
        return;
    uint32_t places = 64U << (2 - size), first = SETUP_FIELD(word, VPM_WRITE_ADDR) % places,
             last = first + (vectors - 1) * (stride ? stride : 64);
    hit[VPM_BLOCK_LAST] |= last == places - 1;
    hit[VPM_BLOCK_PASSES] |= vectors > 1 && last >= places && last - (stride ? stride : 64) < places;
}

static void note_rows(uint32_t first, uint32_t end, bool *hit)
{
    hit[VPM_ROW_63] |= end == 64;
    hit[VPM_PASSES_63] |= first < 64 && end > 64;
    hit[VPM_ROW_127] |= end == 128;
    hit[VPM_PASSES_127] |= first < 128 && end > 128;
}

static void note_columns(uint32_t end, bool *hit)
{
    hit[VPM_COLUMN_15] |= end == 16;
    hit[VPM_PASSES_15] |= end > 16;
}

static uint32_t mode_bytes(uint32_t modew)
{
    return modew >= 4 ? 1 : modew >= 2 ? 2 : 4;
}

static void note_store(const struct setups *s, uint32_t at, bool *hit)
{
    uint32_t word = s->dma[SETUP_WRITE], bytes = mode_bytes(SETUP_FIELD(word, VDW_MODEW));
    uint32_t units = setup_count(SETUP_FIELD(word, VDW_UNITS), 128),
             depth = setup_count(SETUP_FIELD(word, VDW_DEPTH), 128), y = SETUP_FIELD(word, VDW_Y),
             x = SETUP_FIELD(word, VDW_X);
    if (!word)
        return;
    bool across = SETUP_FIELD(word, VDW_HORIZ);
    note_rows(y, across ? y + units : y % 16 + depth > 16 ? y + depth : y + 16, hit);
    note_columns(across ? x + (depth * bytes + 3) / 4 : x + units, hit);
    uint32_t stride = SETUP_FIELD(s->pitch[SETUP_WRITE], VDW_STRIDE_STRIDE);
    if (SETUP_FIELD(s->pitch[SETUP_WRITE], VDW_STRIDE_BLOCKMODE))
        return;
    uint32_t end = at + (units - 1) * (depth * bytes + stride) + depth * bytes;
    hit[VPM_STORE_ENDS] |= end == DIRECT_MEMORY_BYTES;
    hit[VPM_STORE_PASSES] |= end > DIRECT_MEMORY_BYTES && end <= DIRECT_MEMORY_BYTES + bytes;
}

static void note_load(const struct setups *s, uint32_t at, bool *hit)
{
    uint32_t word = s->dma[SETUP_READ], bytes = mode_bytes(SETUP_FIELD(word, VDR_MODEW));
    uint32_t rows = setup_count(SETUP_FIELD(word, VDR_NROWS), 16),
             length = setup_count(SETUP_FIELD(word, VDR_ROWLEN), 16),
             step = setup_count(SETUP_FIELD(word, VDR_VPITCH), 16), y = SETUP_FIELD(word, VDR_Y),
             x = SETUP_FIELD(word, VDR_X), mpitch = SETUP_FIELD(word, VDR_MPITCH),
             pitch = mpitch ? 8U << mpitch : SETUP_FIELD(s->pitch[SETUP_READ], VDR_PITCH_MPITCHB);
    if (!word)
        return;
    bool down = SETUP_FIELD(word, VDR_VERT);
    if (bytes == 4) {
        note_rows(y, down ? y + length : y + (rows - 1) * step + 1, hit);
        note_columns(down ? x + (rows - 1) * step + 1 : x + length, hit);
    }
    uint32_t end = at + (rows - 1) * pitch + length * bytes;
    hit[VPM_LOAD_ENDS] |= end == DIRECT_MEMORY_BYTES;
    hit[VPM_LOAD_PASSES] |= end > DIRECT_MEMORY_BYTES && end <= DIRECT_MEMORY_BYTES + bytes;
}

static void note_setup(struct setups *s, enum setup_register which, uint32_t word)
{
    uint32_t id = word >> 30;
    if (id == 0) {
        s->block[which] = word;
        s->vectors[which] = 0;
    } else if (which == SETUP_WRITE) {
        *(id == 2 ? &s->dma[which] : &s->pitch[which]) = word;
    } else {
        *(word >> 28 == 9 ? &s->pitch[which] : &s->dma[which]) = word;
    }
}

static void vpm_note(const struct test_case *tc, bool *hit)
{
    const struct vpm_case *c = (const void *)tc->words;
    struct setups s = {{0}, {0}, {0}, {0}};
    for (uint32_t n = 0; n < c->op_count; n++) {
        uint32_t word = c->op[n][0], code = c->op[n][1] & OP_CODE_MASK;
        if (code == VPM_OP_WR_SETUP || code == VPM_OP_RD_SETUP)
            note_setup(&s, code == VPM_OP_WR_SETUP ? SETUP_WRITE : SETUP_READ, word);
        if (code == VPM_OP_WRITE || code == VPM_OP_READ) {
            enum setup_register which = code == VPM_OP_WRITE ? SETUP_WRITE : SETUP_READ;
            s.vectors[which]++;
            if (s.block[which])
                note_vector(s.block[which], s.vectors[which], hit);
        }
        if (code == VPM_OP_ST_ADDR)
            note_store(&s, word, hit);
        if (code == VPM_OP_LD_ADDR)
            note_load(&s, word, hit);
        if (code == VPM_OP_ST_ADDR || code == VPM_OP_LD_ADDR) {
            hit[VPM_LAST_WORD] |= word / 4 == DIRECT_MEMORY_BYTES / 4 - 1;
            hit[VPM_AT_END] |= word == DIRECT_MEMORY_BYTES;
        }
    }
}

/* ---- the TMU: p39-45 ---- */

static const char *const tmu_edges[] = {"texture begins at address 0",
                                        "texture ends with the memory",
                                        "texture passes the end of the memory",
                                        "smallest level begins at address 0",
                                        "smallest level begins before address 0",
                                        "coordinate in texel -1",
                                        "coordinate in texel 0",
                                        "coordinate in the last texel",
                                        "coordinate just behind the last texel",
                                        "coordinate exactly 0",
                                        "coordinate exactly 1",
                                        "memory: last word",
                                        "memory: first word behind the end",
                                        "memory: before address 0",
                                        NULL};
enum {
    TMU_AT_0,
    TMU_ENDS,
    TMU_PASSES,
    TMU_LEVEL_AT_0,
    TMU_LEVEL_BEFORE_0,
    TMU_TEXEL_BEFORE,
    TMU_TEXEL_0,
    TMU_TEXEL_LAST,
    TMU_TEXEL_BEHIND,
    TMU_COORDINATE_0,
    TMU_COORDINATE_1,
    TMU_LAST_WORD,
    TMU_FIRST_BEHIND,
    TMU_WORD_BEFORE,
};

static float float_of(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* Notes the edges of a texture. The model computes the sizes of levels; test_texture_layout.c checks them. */
static void note_texture(const uint32_t *p, uint32_t words, bool *hit)
{
    static const struct profile manual;
    static struct coverage ignored;
    static struct tmu_texture x;
    const struct vc4_env env = {.profile = &manual, .coverage = &ignored, .memory.rows = VC4_MEMORY_ROWS};
    tmu_texture_set(&x, &env, 0, p, words);
    if (x.stop || !x.levels)
        return;
    int64_t first = (int32_t)x.level[x.levels - 1].address,
            end = (int64_t)x.level[0].address + x.level[0].grid.bytes;
    hit[x.levels > 1 ? TMU_LEVEL_AT_0 : TMU_AT_0] |= first == 0;
    hit[TMU_LEVEL_BEFORE_0] |= first < 0;
    hit[TMU_ENDS] |= end == DIRECT_MEMORY_BYTES;
    hit[TMU_PASSES] |= x.level[0].address < DIRECT_MEMORY_BYTES && end > DIRECT_MEMORY_BYTES;
}

static void note_coordinates(const uint32_t *lane, uint32_t size, bool *hit)
{
    for (unsigned i = 0; i < VC4_LANES; i++) {
        double s = float_of(lane[i]), texel = floor(s * size);
        hit[TMU_TEXEL_BEFORE] |= texel == -1;
        hit[TMU_TEXEL_0] |= texel == 0;
        hit[TMU_TEXEL_LAST] |= texel == size - 1.0;
        hit[TMU_TEXEL_BEHIND] |= texel == size;
        hit[TMU_COORDINATE_0] |= s == 0;
        hit[TMU_COORDINATE_1] |= s == 1;
    }
}

static void note_words(uint32_t at, bool *hit)
{
    hit[TMU_LAST_WORD] |= at / 4 == DIRECT_MEMORY_BYTES / 4 - 1;
    hit[TMU_FIRST_BEHIND] |= at / 4 == DIRECT_MEMORY_BYTES / 4;
    hit[TMU_WORD_BEFORE] |= at >= UINT32_C(0xFFFFFFF8);
}

static void tmu_note(const struct test_case *tc, bool *hit)
{
    const struct tmu_case *c = (const void *)tc->words;
    uint32_t p[4] = {0}, words = 0;
    for (uint32_t n = 0; n < c->op_count; n++) {
        uint32_t word = c->op[n][0], code = c->op[n][1] & OP_CODE_MASK;
        bool all = c->op[n][1] & TMU_OP_ALL;
        const uint32_t *lane = !all && word < c->data.count ? c->data_row[word].word : NULL;
        if (code == TMU_OP_P0)
            words = 0;
        if (code >= TMU_OP_P0 && code <= TMU_OP_P2 && words < 4)
            p[words++] = word;
        if (lane && code == TMU_OP_T && words > 1)
            note_coordinates(lane, setup_count(TMU_FIELD(p[1], P1_HEIGHT), 2048), hit);
        if (lane && code == TMU_OP_S && words > 1) {
            note_coordinates(lane, setup_count(TMU_FIELD(p[1], P1_WIDTH), 2048), hit);
            note_texture(p, words, hit);
        }
        for (unsigned i = 0; code == TMU_OP_S_ADDRESS && i < VC4_LANES; i++)
            note_words(all ? word : lane ? lane[i] : 0, hit);
    }
}

/* ---- Utgard's geometry processor ---- */

static const char *const gp_edges[] = {"load: address register makes row -1",
                                       "load: address register makes row 0, from above",
                                       "load: address register makes row 511",
                                       "load: address register makes row 512",
                                       "temporary store: row -1",
                                       "temporary store: row 511",
                                       "temporary store: row 512",
                                       NULL};
enum {
    GP_LOAD_BEFORE,
    GP_LOAD_0,
    GP_LOAD_LAST,
    GP_LOAD_BEHIND,
    GP_STORE_BEFORE,
    GP_STORE_LAST,
    GP_STORE_BEHIND
};

/* Returns the word that the case gives this component; no instruction has written to the memory yet. */
static uint32_t memory_word(const struct gp_case *c, uint32_t row, unsigned component)
{
    for (uint32_t n = 0; n < c->memory.count; n++)
        if (c->memory.row[n].index == row)
            return c->memory.row[n].word[component];
    return 0;
}

static void gp_note(const struct test_case *tc, bool *hit)
{
    const struct gp_case *c = (const void *)tc->words;
    double address[GP_ADDRESS_REGISTERS] = {NAN, NAN, NAN, NAN};
    for (uint32_t n = 0; n < c->program.count; n++) {
        struct gp_insn i;
        gp_decode(c->program.word + GP_WORDS * n, &i);
        if (i.load_offset && i.load_offset < GP_ADDRESS_REGISTERS) {
            double row = i.load_addr + trunc(address[i.load_offset]);
            hit[GP_LOAD_BEFORE] |= row == -1;
            hit[GP_LOAD_0] |= row == 0 && i.load_addr;
            hit[GP_LOAD_LAST] |= row == GP_MEMORY_ROWS - 1;
            hit[GP_LOAD_BEHIND] |= row == GP_MEMORY_ROWS;
        }
        unsigned component = (unsigned)i.complex_src - GP_LOAD_X;
        if (i.complex_op >= GP_COMPLEX_ADDR0 && component < GP_VEC && i.load_offset == GP_OFFSET_NONE)
            address[i.complex_op - GP_COMPLEX_ADDR0] = float_of(memory_word(c, i.load_addr, component));
        if ((i.store0_temporary && !i.store0_addr) || (i.store1_temporary && !i.store1_addr)) {
            double row = trunc(address[0]);
            hit[GP_STORE_BEFORE] |= row == -1;
            hit[GP_STORE_LAST] |= row == GP_MEMORY_ROWS - 1;
            hit[GP_STORE_BEHIND] |= row == GP_MEMORY_ROWS;
        }
    }
}

/* ---- SVP64: a vector has VL elements of SUBVL + 1 subelements, each in one register of its width ---- */

static const char *const swizzle_edges[] = {"destination ends with register 127",
                                            "destination passes register 127 by one",
                                            "source ends with register 127",
                                            "source passes register 127 by one",
                                            "source begins behind the destination",
                                            "destination begins behind the source",
                                            "VL is 63 to 65",
                                            "VL is 127",
                                            NULL};

static unsigned end_register(const struct swizzle_insn *i, bool source, unsigned vl)
{
    unsigned width = i->field[source ? SWIZZLE_ELWIDTH_SRC : SWIZZLE_ELWIDTH], length = 0;
    if (source)
        length = i->field[SWIZZLE_SUBVL] + 1U;
    else
        while (length < SWIZZLE_POSITIONS && swizzle_selector(i, length) != SELECT_END)
            length++;
    unsigned first = swizzle_register(i->field[source ? SWIZZLE_RA : SWIZZLE_RT],
                                      i->field[source ? SWIZZLE_EXTRA_SRC : SWIZZLE_EXTRA_DST]);
    return first + ((vl * length + (1U << width) - 1) >> width);
}

static void swizzle_note(const struct test_case *tc, bool *hit)
{
    const struct swizzle_case *c = (const void *)tc->words;
    struct swizzle_insn i;
    unsigned vl = c->svstate_high >> SVSTATE_VL_SHIFT & 0x7F, end[2];
    if (!c->insn_count || !swizzle_decode(c->insn[0], &i) || !i.field[SWIZZLE_PREFIX] ||
        i.field[SWIZZLE_SINGLE] || !vl)
        return;
    for (unsigned source = 0; source < 2; source++) {
        if (!(i.field[source ? SWIZZLE_EXTRA_SRC : SWIZZLE_EXTRA_DST] & SWIZZLE_EXTRA_VECTOR))
            return;
        end[source] = end_register(&i, source, vl);
        hit[2 * source] |= end[source] == SVP64_REGISTERS;
        hit[2 * source + 1] |= end[source] == SVP64_REGISTERS + 1;
    }
    hit[4] |= swizzle_register(i.field[SWIZZLE_RA], i.field[SWIZZLE_EXTRA_SRC]) == end[0];
    hit[5] |= swizzle_register(i.field[SWIZZLE_RT], i.field[SWIZZLE_EXTRA_DST]) == end[1];
    hit[6] |= vl >= 63 && vl <= 65;
    hit[7] |= vl == 127;
}

/* ---- counting ---- */

static const struct {
    const struct unit *unit;
    const char *const *names;
    void (*note)(const struct test_case *c, bool *hit);
} counters[] = {{&vc4_vpm_unit, vpm_edges, vpm_note},
                {&vc4_tmu_unit, tmu_edges, tmu_note},
                {&utgard_gp_unit, gp_edges, gp_note},
                {&svp64_swizzle_unit, swizzle_edges, swizzle_note}};

static void every_edge_is_reached(void **state)
{
    unsigned cases = CASES, missed = 0; /* not scaled, because fewer cases could miss an edge by chance */
    struct test_case *c = malloc(sizeof *c);
    (void)state;
    assert_non_null(c);
    for (unsigned k = 0; k < sizeof counters / sizeof *counters; k++) {
        unsigned count[EDGES_MAX] = {0};
        struct random r;
        random_seed(&r, 5);
        for (unsigned n = 0; n < cases; n++) {
            bool hit[EDGES_MAX] = {false};
            case_generate(&r, counters[k].unit, c);
            counters[k].note(c, hit);
            for (unsigned e = 0; e < EDGES_MAX; e++)
                count[e] += hit[e];
        }
        for (unsigned e = 0; counters[k].names[e]; e++) {
            double rate = 10000.0 * count[e] / cases;
            bool few = rate < LEAST;
            missed += few;
            print_message("%-14s %7.1f in 10,000%s: %s\n", counters[k].unit->name, rate,
                          few ? " (too few)" : "", counters[k].names[e]);
        }
    }
    free(c);
    assert_int_equal(missed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_edge_is_reached)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
