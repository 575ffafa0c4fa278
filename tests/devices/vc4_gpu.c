/* SPDX-License-Identifier: MIT */
#include "tests/devices/vc4_gpu.h"

#include "model/core/unit.h"
#include "model/number/bytes.h"
#include "model/number/random.h"
#include "model/vc4/qpu/qpu.h"
#include "model/vc4/qpu/qpu_graphics.h"
#include "model/vc4/shader_output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TILE = 64,
    DRAWS_MAX = 16384,
    VERTICES_MAX = 16, /* vertices that are shaded at once */
    CORNERS = 3,
    VPM_ROWS = 192, /* 12 KB */
    ALLOCATION_ROWS = 4,
    QUADS = 4, /* a QPU has the elements of four quads */
    LIMIT = 100000,
    ATTRIBUTES_MAX = 8,
    RECORD_FS = 4, /* byte offset in a shader record: code, then uniforms */
    RECORD_VS = 16,
    RECORD_CS = 28,
    RECORD_ATTRIBUTES = 36,
    POINTS = 0,
    TRIANGLES = 4,
    SIXTEENTHS = 16, /* a pixel in the units of vertex coordinates */
    VARYINGS_MAX = 32,
    POINT_VARYINGS = 2, /* a point's place within itself: two varyings before those of its vertex */
    RECORD_VARYINGS = 3,
    W_REGISTER = 15, /* register of file A that holds W; the same register of file B holds Z (p51 T29) */
};

/* A triangle or point. */
struct draw {
    uint32_t record;
    unsigned corners; /* 1 for a point */
    int32_t point;    /* its size, in sixteenths of a pixel */
    uint32_t clip[4]; /* x, y, width, height */
    unsigned first_tile[2], last_tile[2];
    struct shader_vertex vertex[CORNERS];
    uint8_t depth_test;
    uint32_t flat; /* bit n: varying n is not interpolated */
    unsigned varyings;
    uint32_t varying[CORNERS][VARYINGS_MAX];
};

/* The outputs of the coordinate and vertex shaders for a group of vertices. */
struct shaded {
    struct shader_vertex corner[VERTICES_MAX],
        vertex[VERTICES_MAX]; /* `corner`: from the coordinate shader; `vertex`: from the vertex shader */
    uint32_t varying[VERTICES_MAX][VARYINGS_MAX];
    unsigned varyings;
};

static struct gpu_memory memory;
static struct gpu_oddities oddities;
static struct profile profile;
static struct coverage coverage;
static struct vc4_env env;
static struct qpu qpu;
static struct qpu_graphics graphics;
static struct qpu_shared shared;
static struct vpm vpm;
static struct vc4_vector varying_rows[2 * (POINT_VARYINGS + VARYINGS_MAX)];
static struct vc4_vector ra[32], rb[32], acc[6], tile_rows[QPU_TILE_ROWS];
static struct vc4_vector vpm_memory[VPM_ROWS + VC4_VPM_ROWS]; /* longer than the VPM, because a window at its
                                                               * end can name rows beyond it */
static struct vc4_vector *vpm_rows = vpm_memory;              /* the window of the shader that runs */
static struct random noise;
static unsigned next_qpu;
static struct shaded shaded;
static struct draw draws[DRAWS_MAX];
static unsigned draw_count;
static uint32_t colours[TILE * TILE];

static bool complain(const char *what, uint32_t number)
{
    (void)fprintf(stderr, "fake_vc4_drm: %s %lu is not simulated\n", what, (unsigned long)number);
    return false;
}

void gpu_start(const struct gpu_memory *m, const char *name, const struct gpu_oddities *odd)
{
    struct error e = {0};
    memory = *m;
    oddities = *odd;
    random_seed(&noise, 1);
    if (!profile_resolve(unit_named("vc4-qpu"), name, &profile, &e)) {
        (void)fprintf(stderr, "fake_vc4_drm: %s\n", e.text);
        exit(3);
    }
    env = (struct vc4_env){.profile = &profile,
                           .coverage = &coverage,
                           .memory_base = m->base,
                           .memory = {.value = (struct vc4_vector *)(void *)m->at,
                                      .rows = m->bytes / sizeof(struct vc4_vector)}};
}

/* Returns the address of this GPU memory. Ends the process if the range is outside memory. */
static uint8_t *reach(uint32_t address, uint32_t bytes)
{
    uint32_t offset = address - memory.base;
    if (offset >= memory.bytes || bytes > memory.bytes - offset) {
        (void)fprintf(stderr, "fake_vc4_drm: the GPU reaches %08lX, where there is no memory\n",
                      (unsigned long)address);
        abort();
    }
    return memory.at + offset;
}

/* ---- shaders ---- */

static void fill_with_noise(struct vc4_vector *rows, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        for (unsigned n = 0; n < VC4_LANES; n++)
            rows[i].lane[n] = random_u32(&noise);
}

/* Returns the number of instructions up to the second delay slot of the program end; 0 if the shader never
 * ends (hangs_on). */
static uint32_t program_length(const uint32_t *code, uint32_t room)
{
    uint32_t count = room / 8 < QPU_PROGRAM_MAX ? room / 8 : QPU_PROGRAM_MAX;
    for (uint32_t i = 0; i + 3 <= count; i++) {
        if (oddities.hangs_on && code[2 * i] == *oddities.hangs_on &&
            code[2 * i + 1] >> 28 == QPU_SIG_LOAD_IMMEDIATE)
            return 0;
        if (code[2 * i + 1] >> 28 == QPU_SIG_END)
            return i + 3;
    }
    return count;
}

/* Prepares a QPU for the shader at `pointers` (code, uniforms) of a record. Registers keep their old content.
 * Returns false if the shader hangs. */
static bool prepare(enum qpu_stage stage, uint32_t pointers)
{
    uint32_t code = get_u32(reach(pointers, 8)), uniforms = get_u32(reach(pointers + 4, 4));
    const uint32_t *words = (const uint32_t *)(const void *)reach(code, 8);
    uint32_t count = program_length(words, memory.base + memory.bytes - code);
    if (!count)
        return false;
    fill_with_noise(acc, 6);
    qpu_graphics_reset(&graphics, &env);
    graphics.stage = stage;
    graphics.tile = (struct vc4_rows){.value = tile_rows, .rows = QPU_TILE_ROWS};
    vpm_reset(&vpm, &env, (struct vc4_rows){.value = vpm_rows, .rows = VC4_VPM_ROWS});
    struct qpu_setup setup = {
        .env = &env,
        .vpm = &vpm,
        .shared = &shared,
        .graphics = &graphics,
        .ra = {.value = ra, .rows = 32},
        .rb = {.value = rb, .rows = 32},
        .acc = {.value = acc, .rows = 6},
        .program = words,
        .count = count,
        .code_base = code,
        .uniforms = {.in_memory = true, .address = uniforms},
        .number = next_qpu++ % 12,
        .limit = LIMIT,
    };
    qpu_prepare(&qpu, &setup);
    return true;
}

static bool finish(void)
{
    enum vc4_stop stop = qpu_run(&qpu);
    if (stop)
        (void)fprintf(stderr, "fake_vc4_drm: a shader: %s\n", vc4_reasons[stop]);
    return !stop;
}

static unsigned column_of(uint32_t vertex)
{
    return vertex ^ oddities.other_columns;
}

/* Loads attributes of `count` vertices into the VPM, as the VCD does: one vertex in a column, one word in a
 * row (p62, p78 T45). */
static void load_attributes(uint32_t record, bool coordinate, uint32_t first, uint32_t count)
{
    const uint8_t *r = reach(record & ~15U, RECORD_ATTRIBUTES);
    unsigned attributes = record & 7 ? record & 7 : ATTRIBUTES_MAX, selected = r[coordinate ? 26 : 14];
    fill_with_noise(vpm_memory, sizeof vpm_memory / sizeof *vpm_memory);
    vpm_rows = vpm_memory + random_below(&noise, VPM_ROWS / ALLOCATION_ROWS) * ALLOCATION_ROWS;
    for (unsigned i = 0; i < attributes; i++) {
        const uint8_t *a = reach((record & ~15U) + RECORD_ATTRIBUTES + 8 * i, 8);
        uint32_t words = (a[4] + 1U) / 4, row = a[coordinate ? 7 : 6] / 4U;
        for (uint32_t v = 0; selected >> i & 1 && v < count; v++)
            for (uint32_t w = 0; w < words; w++)
                vpm_rows[(row + w) % VC4_VPM_ROWS].lane[column_of(v)] =
                    get_u32(reach(get_u32(a) + (first + v) * a[5] + 4 * w, 4));
    }
}

static bool shade_vertices(uint32_t record, bool coordinate, uint32_t first, unsigned count,
                           struct shaded *to)
{
    enum qpu_stage stage = coordinate ? QPU_STAGE_COORDINATE : QPU_STAGE_VERTEX;
    struct text why = {0};
    load_attributes(record, coordinate, first, count);
    if (!prepare(stage, (record & ~15U) + (coordinate ? RECORD_CS : RECORD_VS)) || !finish())
        return false;
    struct vc4_rows rows = {.value = vpm_rows, .rows = VC4_VPM_ROWS};
    uint32_t words = coordinate ? SHADER_COORDINATE_WORDS : SHADER_VERTEX_WORDS;
    for (uint32_t row = 0; row < words; row++) /* shader_check reads all columns, so columns without a
                                                * vertex get a copy of the first vertex */
        for (unsigned v = count; v < VC4_LANES; v++)
            vpm_rows[row].lane[column_of(v)] = vpm_rows[row].lane[column_of(0)];
    for (unsigned v = 0; v < count; v++)
        shader_read(stage, &rows, column_of(v), coordinate ? &to->corner[v] : &to->vertex[v]);
    to->varyings = reach(record & ~15U, RECORD_ATTRIBUTES)[RECORD_VARYINGS] % (VARYINGS_MAX + 1);
    for (unsigned v = 0; v < count && !coordinate; v++)
        for (unsigned n = 0; n < to->varyings; n++)
            to->varying[v][n] = vpm_rows[SHADER_VERTEX_WORDS + n].lane[column_of(v)];
    if (!shader_check(stage, &rows, (UINT64_C(1) << words) - 1, &why))
        (void)fprintf(stderr, "fake_vc4_drm: vertices: %s\n", text_chars(&why));
    text_free(&why);
    return true;
}

/* ---- the binner ---- */

static unsigned clamp_tile(int32_t sixteenths, uint32_t low, uint32_t high)
{
    int32_t pixel = sixteenths / 16;
    pixel = pixel < (int32_t)low ? (int32_t)low : pixel > (int32_t)high ? (int32_t)high : pixel;
    return (unsigned)pixel / TILE;
}

/* Finds the tiles that the primitive can touch: those of its bounds, cut to the clip window. */
static void bin(struct draw *d, const struct shader_vertex *v)
{
    int32_t low[2] = {INT16_MAX, INT16_MAX}, high[2] = {INT16_MIN, INT16_MIN},
            around = d->corners == 1 ? d->point / 2 : 0;
    for (unsigned i = 0; i < d->corners; i++) {
        const int32_t at[2] = {v[i].xs, v[i].ys};
        for (unsigned axis = 0; axis < 2; axis++) {
            low[axis] = at[axis] - around < low[axis] ? at[axis] - around : low[axis];
            high[axis] = at[axis] + around > high[axis] ? at[axis] + around : high[axis];
        }
    }
    for (unsigned axis = 0; axis < 2; axis++) {
        uint32_t last = d->clip[axis] + d->clip[2 + axis] - 1;
        d->first_tile[axis] = clamp_tile(low[axis], d->clip[axis], last);
        d->last_tile[axis] = clamp_tile(high[axis], d->clip[axis], last);
    }
}

/* Lengths of packets in bytes, with the first byte. 0: the kernel does not accept this packet. */
static const uint8_t packet_bytes[] = {
    [0] = 1,   [1] = 1,   [4] = 1,   [5] = 1,   [6] = 1,   [7] = 1,   [32] = 14,
    [33] = 10, [56] = 2,  [64] = 5,  [96] = 4,  [97] = 5,  [98] = 5,  [99] = 5,
    [100] = 3, [101] = 5, [102] = 9, [103] = 5, [105] = 9, [106] = 9, [112] = 16};

/* Makes a triangle or point of shaded vertices, beginning with vertex `first`. */
static void bin_primitive(const struct draw *state, const struct shaded *s, unsigned first, unsigned corners)
{
    struct draw *d = &draws[draw_count++];
    *d = *state;
    d->corners = corners;
    d->varyings = s->varyings;
    memcpy(d->vertex, s->vertex + first, corners * sizeof *d->vertex);
    memcpy(d->varying, s->varying + first, corners * sizeof *d->varying);
    bin(d, s->corner + first);
}

static bool bin_primitives(const struct draw *state, const uint8_t *packet)
{
    uint32_t count = get_u32(packet + 2), first = get_u32(packet + 6);
    bool points = packet[1] == POINTS;
    unsigned corners = points ? 1 : CORNERS, at_once = points ? VERTICES_MAX : CORNERS;
    if (!points && packet[1] != TRIANGLES)
        return complain("primitive mode", packet[1]);
    for (uint32_t i = 0, some; i + corners <= count; i += some) {
        some = count - i < at_once ? count - i : at_once;
        if (draw_count + some > DRAWS_MAX)
            return complain("primitive", draw_count);
        if (!shade_vertices(state->record, true, first + i, some, &shaded) ||
            !shade_vertices(state->record, false, first + i, some, &shaded))
            return false;
        for (unsigned v = 0; v + corners <= some; v += corners)
            bin_primitive(state, &shaded, v, corners);
    }
    return true;
}

static float float_at(const uint8_t *bytes)
{
    uint32_t word = get_u32(bytes);
    float f;
    memcpy(&f, &word, sizeof f);
    return f;
}

static bool walk(const uint8_t *list, uint32_t bytes)
{
    struct draw state = {0};
    draw_count = 0;
    for (uint32_t at = 0; at < bytes; at += packet_bytes[list[at]]) {
        const uint8_t *p = list + at;
        switch (*p) {
        case 33:
            if (!bin_primitives(&state, p))
                return false;
            break;
        case 64:
            state.record = get_u32(p + 1);
            break;
        case 96:
            state.depth_test = p[2] >> 4 & 7;
            break;
        case 97:
            state.flat = get_u32(p + 1);
            break;
        case 98:
            state.point = (int32_t)(float_at(p + 1) * SIXTEENTHS);
            break;
        case 102:
            for (unsigned i = 0; i < 4; i++)
                state.clip[i] = (uint32_t)bytes_get(p + 1 + 2 * i, 2);
            break;
        case 103:
            if (get_u32(p + 1))
                return complain("viewport offset", get_u32(p + 1));
            break;
        case 32:
        case 0:
            return complain("packet", *p);
        }
    }
    return true;
}

/* ---- the tiles ---- */

struct batch {
    unsigned quads; /* in use */
    struct {
        uint32_t x, y, covered; /* place of the quad; bit n of `covered`: pixel n */
    } quad[QUADS];
};

/* Returns twice the area of the triangle a, b, (x, y). The sign is the direction in which the triangle
 * turns. */
static int64_t edge(const struct shader_vertex *a, const struct shader_vertex *b, int32_t x, int32_t y)
{
    return (int64_t)(b->xs - a->xs) * (y - a->ys) - (int64_t)(b->ys - a->ys) * (x - a->xs);
}

static bool covers(const struct draw *d, uint32_t px, uint32_t py)
{
    int32_t x = (int32_t)px * 16 + 8, y = (int32_t)py * 16 + 8;
    if (px < d->clip[0] || px >= d->clip[0] + d->clip[2] || py < d->clip[1] || py >= d->clip[1] + d->clip[3])
        return false;
    const struct shader_vertex *v = d->vertex;
    int32_t half = d->point / 2;
    if (d->corners == 1)
        return x >= v->xs - half && x < v->xs + half && y >= v->ys - half && y < v->ys + half;
    int64_t e[3] = {edge(&v[0], &v[1], x, y), edge(&v[1], &v[2], x, y), edge(&v[2], &v[0], x, y)};
    return (e[0] >= 0 && e[1] >= 0 && e[2] >= 0) || (e[0] <= 0 && e[1] <= 0 && e[2] <= 0);
}

static uint32_t set_up(uint32_t word)
{
    uint32_t exponent = word >> 23 & 0xFF;
    if (oddities.setup == GPU_FLUSHES && (exponent == 0 || (exponent == 0xFF && word << 9)))
        return exponent ? 0x7FC00000 : 0;
    return oddities.setup == GPU_ROUNDS ? word & ~UINT32_C(15) : word;
}

/*
 * Gives the shader its varyings. All are equal in the whole primitive: A and B are 0, and C is the varying
 * (p51). A point has two more, its place within itself, before its own varyings. Neither the record nor the
 * flags count these two, but a shader has to read them first (Mesa, vc4_program.c: point_x, point_y). Here
 * their values are noise.
 */
static bool give_varyings(const struct draw *d)
{
    unsigned before = d->corners == 1 ? POINT_VARYINGS : 0;
    struct vc4_vector *own = varying_rows + 2 * before;
    fill_with_noise(varying_rows, 2 * before);
    for (unsigned n = 0; n < d->varyings; n++) {
        if (!(d->flat >> n & 1) &&
            (d->corners == 1 || d->varying[0][n] != d->varying[1][n] || d->varying[0][n] != d->varying[2][n]))
            return complain("an interpolated varying", n);
        for (unsigned i = 0; i < VC4_LANES; i++) {
            own[2 * n].lane[i] = 0;
            own[2 * n + 1].lane[i] = set_up(d->varying[0][n]);
        }
    }
    graphics.varying_count = before + d->varyings;
    graphics.varyings = (struct vc4_rows){.value = varying_rows, .rows = 2 * graphics.varying_count};
    return true;
}

/* Runs the fragment shader on a batch of quads. Returns false if it hangs. */
static bool shade(const struct draw *d, struct batch *b)
{
    if (!b->quads)
        return true;
    memset(tile_rows, 0, sizeof tile_rows);
    fill_with_noise(ra, 32);
    fill_with_noise(rb, 32);
    float w = 1 / d->vertex[0].inverse_w;
    for (unsigned n = 0; n < VC4_LANES; n++) {
        uint32_t pixel = n % 4, x = b->quad[n / 4].x + (pixel & 1), y = b->quad[n / 4].y + (pixel >> 1);
        memcpy(&ra[W_REGISTER].lane[n], &w, sizeof w);
        rb[W_REGISTER].lane[n] = (uint32_t)(d->vertex[0].zs * (float)0xFFFFFF);
        for (unsigned s = 0; s < QPU_SAMPLES; s++)
            tile_rows[QPU_TILE_COLOUR + s].lane[n] = colours[y % TILE * TILE + x % TILE];
    }
    if (!prepare(QPU_STAGE_FRAGMENT, (d->record & ~15U) + RECORD_FS))
        return false;
    if (!give_varyings(d))
        return false;
    graphics.depth_test = (enum qpu_test)d->depth_test;
    qpu.pixels_written = true;
    for (unsigned n = 0; n < VC4_LANES; n++) {
        qpu.ms_flags.value.lane[n] = b->quad[n / 4].covered >> n % 4 & 1 ? 15 : 0;
        qpu.rev_flag.value.lane[n] = 0;
        qpu.quad[0].value.lane[n] = b->quad[n / 4].x / 2;
        qpu.quad[1].value.lane[n] = b->quad[n / 4].y / 2;
    }
    qpu.ms_flags.defined = qpu.rev_flag.defined = qpu.quad[0].defined = qpu.quad[1].defined = qpu.all;
    if (!finish())
        return false;
    for (unsigned n = 0; n < VC4_LANES; n++) {
        uint32_t pixel = n % 4, x = b->quad[n / 4].x + (pixel & 1), y = b->quad[n / 4].y + (pixel >> 1);
        if (b->quad[n / 4].covered >> pixel & 1)
            colours[y % TILE * TILE + x % TILE] = tile_rows[QPU_TILE_COLOUR].lane[n];
    }
    *b = (struct batch){0};
    return true;
}

static bool draw_in_tile(const struct draw *d, unsigned tx, unsigned ty)
{
    struct batch b = {0};
    unsigned next = (tx + ty) % QUADS;
    const uint32_t tile[2] = {tx * TILE, ty * TILE};
    uint32_t first[2], end[2]; /* the clip window's pixels in this tile; `first` is even */
    for (unsigned axis = 0; axis < 2; axis++) {
        uint32_t clip_end = d->clip[axis] + d->clip[2 + axis], tile_end = tile[axis] + TILE;
        first[axis] = (d->clip[axis] > tile[axis] ? d->clip[axis] : tile[axis]) & ~1U;
        end[axis] = clip_end < tile_end ? clip_end : tile_end;
    }
    for (uint32_t y = first[1]; y < end[1]; y += 2)
        for (uint32_t x = first[0]; x < end[0]; x += 2) {
            uint32_t covered = 0;
            for (unsigned pixel = 0; pixel < 4; pixel++)
                covered |= (uint32_t)covers(d, x + (pixel & 1), y + (pixel >> 1)) << pixel;
            if (!covered)
                continue;
            b.quad[next].x = x;
            b.quad[next].y = y;
            b.quad[next].covered = covered;
            b.quads++;
            next = (next + 1) % QUADS;
            if (next == 0 && !shade(d, &b))
                return false;
        }
    return shade(d, &b);
}

static void store(const struct gpu_target *t, unsigned tx, unsigned ty)
{
    for (uint32_t y = 0; y < TILE && ty * TILE + y < t->height; y++) {
        uint32_t across = t->width - tx * TILE < TILE ? t->width - tx * TILE : TILE;
        memcpy(reach(t->address + 4 * ((ty * TILE + y) * t->width + tx * TILE), 4 * across),
               colours + y * TILE, 4 * (size_t)across);
    }
}

static bool render_tile(const struct gpu_target *t, unsigned tx, unsigned ty)
{
    for (unsigned i = 0; i < TILE * TILE; i++)
        colours[i] = t->clear;
    for (unsigned i = 0; i < draw_count; i++) {
        const struct draw *d = &draws[i];
        bool here = tx >= d->first_tile[0] && tx <= d->last_tile[0] && ty >= d->first_tile[1] &&
                    ty <= d->last_tile[1];
        if (here && !draw_in_tile(d, tx, ty))
            return false;
    }
    store(t, tx, ty);
    return true;
}

bool gpu_draw(uint32_t list, uint32_t bytes, const struct gpu_target *t)
{
    if (bytes ? !walk(reach(list, bytes), bytes) : (draw_count = 0) != 0)
        return false;
    for (unsigned y = t->first_y; y <= t->last_y; y++)
        for (unsigned x = t->first_x; x <= t->last_x; x++)
            if (!render_tile(t, x, y))
                return false;
    return true;
}
