/* SPDX-License-Identifier: MIT */
#include "harness/vc4/program/vertex.h"

#include "harness/vc4/program/vpm_program.h"
#include "harness/vc4/vc4_kernel.h"
#include "harness/verify/verifier.h"
#include "model/core/memory.h"
#include "model/vc4/qpu/unit_qpu.h"
#include "model/vc4/vpm/unit_vpm.h"
#include "model/vc4/vpm/vpm_address.h"
#include "model/vc4/vpm/vpm_setup.h"

#include <string.h>

enum { STAMP_PIXEL = 15, PART_SHIFT = 4, POINTS_ACROSS = DRAW_POINTS_PIXELS / DRAW_POINT_PIXELS };
#define ALL_ROWS ((UINT64_C(1) << DRAW_ROWS) - 1)

/* How the readings locate a VPM address. Silicon's reading comes first. */
static const struct vpm_addressing addressings[] = {{63, 0, 0}, {63, 2, 0}, {15, 0, 0}, {15, 2, 0}};
enum { ADDRESSINGS = sizeof addressings / sizeof *addressings };

static uint64_t rows_at(const struct vpm_mode *m, const struct vpm_addressing *a, uint32_t address)
{
    return ((UINT64_C(1) << vpm_vector_rows(m)) - 1) << vpm_locate(m, a, address).row;
}

static bool check_ops(const struct vpm_case *c, struct error *e)
{
    for (uint32_t i = 0; i < c->op_count; i++) {
        uint32_t code = c->op[i][1] & OP_CODE_MASK;
        bool setup = code == VPM_OP_RD_SETUP || code == VPM_OP_WR_SETUP;
        bool dma = code >= VPM_OP_ST_ADDR && code <= VPM_OP_LD_BUSY;
        if (dma || (setup && SETUP_FIELD(c->op[i][0], VDR_ID)))
            return error_set(e, "operation %lu: the kernel lets no shader start a DMA", (unsigned long)i);
    }
    return true;
}

/* The reads, or the writes, of a case, and the VPM rows that they reach, as bit sets. */
struct accesses {
    unsigned count;
    uint64_t known, any; /* under the silicon profile; under any reading */
};

/* Finds the accesses of a case that passed the verifier, so that each access has its setup. */
static struct accesses find_accesses(const struct vpm_case *c, enum vpm_op_code setup,
                                     enum vpm_op_code access)
{
    struct accesses a = {0};
    const struct vpm_mode *m = vpm_modes;
    /* A stride of 0 is 64 under one reading and 0 under the other. */
    uint32_t address[2] = {0}, stride[2] = {0};
    for (uint32_t i = 0; i < c->op_count; i++) {
        uint32_t word = c->op[i][0], code = c->op[i][1] & OP_CODE_MASK;
        if (code == setup) { /* both setups have the same fields (p57 T32, p58 T33) */
            m = &vpm_modes[word >> VPM_READ_SIZE_LOW & (VPM_MODES - 1)];
            address[0] = address[1] = SETUP_FIELD(word, VPM_READ_ADDR);
            stride[1] = SETUP_FIELD(word, VPM_READ_STRIDE);
            stride[0] = setup_count(stride[1], 64);
        } else if (code == access) {
            a.known |= rows_at(m, &addressings[0], address[0]);
            for (unsigned n = 0; n < 2; address[n] += stride[n], n++)
                for (unsigned k = 0; k < ADDRESSINGS; k++)
                    a.any |= rows_at(m, &addressings[k], address[n]);
            a.count++;
        }
    }
    return a;
}

static bool plan_reads(const struct accesses *a, struct vertex_case *v, struct error *e)
{
    if (a->any & ~ALL_ROWS)
        return error_set(e, "it reads VPM row %d; attributes fill only rows 0 to %d", DRAW_ROWS,
                         DRAW_ROWS - 1);
    if (a->any == ALL_ROWS)
        return error_set(e, "it reads all rows that attributes bring; one must hold the vertices' places");
    v->reads = a->count;
    v->place_row = (uint32_t)__builtin_ctzll(~a->any);
    v->parts = (v->reads + VERTEX_WORDS - 1) / VERTEX_WORDS;
    return true;
}

static bool plan_writes(const struct accesses *a, struct vertex_case *v, struct error *e)
{
    enum { ROWS_END = VERTEX_FIRST_ROW + VERTEX_ROWS };
    if (a->known >> ROWS_END)
        return error_set(e, "it writes row %d of the VPM; a case may write rows 0 to %d of a vertex",
                         63 - __builtin_clzll(a->known), ROWS_END - 1);
    if (!(a->known >> VERTEX_FIRST_ROW))
        return error_set(e, "it writes only rows 0 to %d, which hold the vertices' places",
                         VERTEX_FIRST_ROW - 1);
    v->reads = v->place_row = 0;
    v->parts = 1;
    return true;
}

static bool plan(const struct vpm_case *c, struct vertex_case *v, struct error *e)
{
    struct accesses reads = find_accesses(c, VPM_OP_RD_SETUP, VPM_OP_READ),
                    writes = find_accesses(c, VPM_OP_WR_SETUP, VPM_OP_WRITE);
    if (reads.count && writes.count)
        return error_set(
            e, "it reads and writes, and no document says whether a vertex shader reads what it writes");
    if (!reads.count && !writes.count)
        return error_set(e, "it neither reads nor writes the VPM, so there is no result to compare");
    return reads.count ? plan_reads(&reads, v, e) : plan_writes(&writes, v, e);
}

bool vertex_prove(const struct test_case *vpm, struct test_case *program, struct vertex_case *v,
                  struct error *e)
{
    const struct vpm_case *c = (const void *)vpm->words;
    const struct qpu_case *q = (const void *)program->words;
    struct verifier_proof proof;
    struct vc4_kernel_shader k;
    struct error ignored = {0}; /* vertex_build reports it for the whole shader */
    if (!check_ops(c, e) || !vpm_program_make(vpm, MEMORY_BASE_DEFAULT, program, e) ||
        !verifier_prove(program, MEMORY_BASE_DEFAULT, &proof, e))
        return false;
    v->plain = vc4_kernel_accepts_part(q->program.word, q->program.count, &k, &ignored) && k.plain;
    return plan(c, v, e);
}

unsigned vertex_words(const struct vertex_case *v, unsigned part)
{
    if (!v->reads)
        return VERTEX_ROWS + 1;
    unsigned left = v->reads - VERTEX_WORDS * part;
    return left < VERTEX_WORDS ? left : VERTEX_WORDS;
}

unsigned vertex_varyings(const struct vertex_case *v, unsigned part)
{
    return v->reads ? 1 + 2 * vertex_words(v, part) : VERTEX_KNOWN_ROW + 2 - VERTEX_FIRST_ROW;
}

unsigned vertex_copy_out(const struct vertex_case *v, unsigned part)
{
    return v->reads ? vertex_words(v, part) - 1 : VERTEX_WORDS;
}

uint32_t vertex_stamp(const struct vertex_case *v, unsigned part)
{
    return v->stamp | part << PART_SHIFT;
}

/* Puts the vectors that a case writes into the vertex, from VERTEX_DATA_ROW on. */
static void put_data(const struct qpu_case *program, unsigned n, uint32_t *vertex)
{
    for (uint32_t i = 0; i < program->ra.count; i++)
        vertex[VERTEX_DATA_ROW + program->ra.row[i].index] = program->ra.row[i].word[n];
}

void vertex_put(const struct test_case *program, const struct vertex_case *v, unsigned part,
                const uint32_t *vpm, uint32_t *rows)
{
    for (unsigned n = 0; n < DRAW_POINTS; n++) {
        uint32_t *vertex = rows + (size_t)n * DRAW_ROWS;
        for (unsigned row = 0; row < DRAW_ROWS; row++)
            vertex[row] = vpm[row * VC4_LANES + n];
        if (!v->reads)
            put_data((const void *)program->words, n, vertex);
        vertex[v->place_row] = draw_point_on_screen(&v->at[part], n);
    }
}

void vertex_put_places(const struct draw_place *at, uint32_t *places)
{
    for (unsigned n = 0; n < DRAW_POINTS; n++)
        draw_put_point(places, at, n);
}

/* ---- reading pixels ---- */

struct points {
    const uint32_t *first[DRAW_POINTS];
    uint32_t pitch;
};

static struct points points_of(const struct draw_place *at, const uint32_t *target, uint32_t pitch)
{
    struct points p = {.pitch = pitch};
    for (unsigned n = 0; n < DRAW_POINTS; n++)
        p.first[n] = target + (at->y + n / POINTS_ACROSS * DRAW_POINT_PIXELS) * pitch + at->x +
                     n % POINTS_ACROSS * DRAW_POINT_PIXELS;
    return p;
}

static inline uint32_t pixel_of(const struct points *p, unsigned n, unsigned k)
{
    return p->first[n][k / DRAW_POINT_PIXELS * p->pitch + k % DRAW_POINT_PIXELS];
}

/* Are all points there, each with its vertex in its column? */
static bool is_whole(const struct vertex_case *v, unsigned part, const struct points *p)
{
    uint32_t stamp = vertex_stamp(v, part), differs = 0;
    for (unsigned k = vertex_words(v, part); k <= STAMP_PIXEL; k++)
        for (unsigned n = 0; n < DRAW_POINTS; n++)
            differs |= pixel_of(p, n, k) ^ (stamp | (k == VERTEX_NUMBER_PIXEL ? n : 0));
    return !differs;
}

static void collect_reads(const struct vertex_case *v, unsigned part, const struct points *p,
                          struct outcome *o)
{
    uint32_t first = layout_region_named(&o->unit->layout, "reads")->first_row + VERTEX_WORDS * part;
    for (unsigned k = 0; k < vertex_words(v, part); k++) {
        for (unsigned n = 0; n < DRAW_POINTS; n++)
            outcome_row(o, first + k, VC4_LANES)[n] = pixel_of(p, n, k);
        outcome_touch(o, first + k);
    }
}

/* True if the setup engine has no reason to change this float. It could change a NaN, an infinity or a
 * denormal, and a 0 may have been a denormal before. */
static bool is_plain_float(uint32_t word)
{
    uint32_t exponent = word >> 23 & 0xFF;
    return exponent && exponent != 0xFF;
}

static bool collect_rows(const struct points *p, struct outcome *o)
{
    uint32_t first = layout_region_named(&o->unit->layout, "vpm")->first_row + VERTEX_FIRST_ROW;
    o->checked = true; /* outcome_reset has marked all bits as defined */
    for (unsigned n = 0; n < DRAW_POINTS; n++)
        if (pixel_of(p, n, VERTEX_KNOWN_PIXEL) != VERTEX_KNOWN_WORD)
            return false;
    for (unsigned k = 0; k < VERTEX_ROWS; k++) {
        for (unsigned n = 0; n < DRAW_POINTS; n++) {
            uint32_t word = pixel_of(p, n, k);
            outcome_row(o, first + k, VC4_LANES)[n] = word;
            o->defined[(first + k) * VC4_LANES + n] = is_plain_float(word) ? UINT32_MAX : 0;
        }
        outcome_touch(o, first + k);
    }
    return true;
}

bool vertex_collect(const struct vertex_case *v, const uint32_t *target, uint32_t pitch, struct outcome *o)
{
    for (unsigned part = 0; part < v->parts; part++) {
        struct points points = points_of(&v->at[part], target, pitch);
        if (!is_whole(v, part, &points))
            return false;
    }
    o->complete = false; /* only what came back from the VPM is known */
    for (unsigned part = 0; part < v->parts; part++) {
        struct points points = points_of(&v->at[part], target, pitch);
        if (!v->reads)
            return collect_rows(&points, o);
        collect_reads(v, part, &points, o);
    }
    return true;
}

bool vertex_has_drawn(const struct vertex_case *v, const uint32_t *target, uint32_t pitch, uint32_t clear)
{
    for (unsigned part = 0; part < v->parts; part++) {
        struct points points = points_of(&v->at[part], target, pitch);
        for (unsigned n = 0; n < DRAW_POINTS; n++)
            if (pixel_of(&points, n, STAMP_PIXEL) == clear)
                return false;
    }
    return true;
}
