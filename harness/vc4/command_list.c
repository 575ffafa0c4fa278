/* SPDX-License-Identifier: MIT */
#include "harness/vc4/command_list.h"

#include "harness/vc4/program/emit.h"
#include "model/number/bytes.h"
#include "model/vc4/vpm/vpm_setup.h"

#include <string.h>

/* Packets of the binner's control list (p71 T38 and on). */
enum {
    PACKET_FLUSH = 4,
    PACKET_START_BINNING = 6,
    PACKET_INCREMENT_SEMAPHORE = 7,
    PACKET_ARRAY_PRIMITIVES = 33,
    PACKET_PRIMITIVE_FORMAT = 56,
    PACKET_GL_SHADER_STATE = 64,
    PACKET_CONFIGURATION = 96,
    PACKET_FLAT_SHADE = 97,
    PACKET_POINT_SIZE = 98,
    PACKET_LINE_WIDTH = 99,
    PACKET_DEPTH_OFFSET = 101,
    PACKET_CLIP_WINDOW = 102,
    PACKET_VIEWPORT_OFFSET = 103,
    PACKET_XY_SCALING = 105,
    PACKET_Z_SCALING = 106,
    PACKET_BINNING_MODE = 112,
};
enum {
    BINNING_MODE_BYTES = 15,    /* after the packet's number */
    BINNING_TILES = 13,         /* byte of the list that holds the number of tiles across; then those down */
    FORMAT_TRIANGLES_16 = 0x12, /* triangles, 16-bit indices */
    BOTH_FACES = 3,
    DEPTH_ALWAYS = 7 << 4,
    EARLY_Z_UPDATE = 1 << 1,
    POINTS = 0, /* primitive modes */
    TRIANGLES = 4,
    RECTANGLE_ATTRIBUTES = 2,
    ROW_ATTRIBUTES = (DRAW_ROWS + DRAW_ATTRIBUTE_ROWS - 1) / DRAW_ATTRIBUTE_ROWS,
    POINTS_ATTRIBUTES = ROW_ATTRIBUTES + 1,
    ATTRIBUTES_MAX = 8,
    RECORD_BYTES = 36, /* without the attributes */
    RECORD_SHADERS = 3,
    RECORD_SINGLE_THREAD = 1 << 0,
    RECORD_CLIPPING = 1 << 2,
    SCREEN_WORDS = 3, /* of a vertex: position on the screen, Z, 1/W */
};
#define ONE_F         UINT32_C(0x3F800000)
#define HALF_F        UINT32_C(0x3F000000)
#define VIEWPORT_F    UINT32_C(0x47000000) /* 32768.0: half the viewport's size, 2048 pixels, in sixteenths */
#define CLIP_CORNER_F UINT32_C(0x3F7FE000) /* 2047.0 / 2048 */
#define SCREEN_CORNER UINT32_C(2047 * 16)
#define POINT_SIZE_F  UINT32_C(0x40800000) /* DRAW_POINT_PIXELS */

/*
 * Each row is XC YC ZC WC, YS:XS, ZS, 1/WC. The middle of the viewport is the target's first pixel, so all
 * three vertices lie in the viewport, and clipping adds no vertices.
 */
/* clang-format off */
const uint32_t draw_vertices[DRAW_VERTICES * DRAW_VERTEX_WORDS] = {
    0, 0, 0, ONE_F, 0, HALF_F, ONE_F,
    CLIP_CORNER_F, 0, 0, ONE_F, SCREEN_CORNER, HALF_F, ONE_F,
    0, CLIP_CORNER_F, 0, ONE_F, SCREEN_CORNER << 16, HALF_F, ONE_F,
};
/* clang-format on */

void draw_put_vertices(uint32_t *to, const uint32_t *varying, unsigned count)
{
    for (unsigned v = 0; v < DRAW_VERTICES; v++, to += DRAW_VERTEX_WORDS + count) {
        memcpy(to, draw_vertices + (size_t)v * DRAW_VERTEX_WORDS, DRAW_VERTEX_WORDS * sizeof *to);
        memcpy(to + DRAW_VERTEX_WORDS, varying, count * sizeof *to);
    }
}

unsigned draw_make_copy(bool coordinate, unsigned varyings, uint32_t code[2 * DRAW_COPY_MAX])
{
    struct emitter m = {.room = DRAW_COPY_MAX};
    unsigned words = coordinate ? DRAW_VERTEX_WORDS : SCREEN_WORDS + varyings;
    m.at = code;
    emit_set(&m, QPU_W_VPM_SETUP, EMIT_FILE_A, words << VPM_READ_NUM_LOW | SETUP_WHOLE_ROWS);
    emit_set(&m, QPU_W_VPM_SETUP, EMIT_FILE_B, SETUP_WHOLE_ROWS);
    emit_nops(&m, 2); /* the first read may come three instructions after the setup (p56) */
    for (unsigned i = 0; i < words; i++)
        emit_move(&m, QPU_W_VPM, 0, QPU_MUX_A, QPU_R_VPM);
    emit_signal(&m, QPU_SIG_END);
    emit_nops(&m, 2);
    return m.count;
}

/* ---- packets ---- */

static void put(struct command_list *l, uint64_t value, unsigned bytes)
{
    (void)bytes_put(l->bin + l->bin_bytes, value, bytes);
    l->bin_bytes += bytes;
}

static void put_packet(struct command_list *l, uint8_t packet, uint64_t value, unsigned bytes)
{
    put(l, packet, 1);
    put(l, value, bytes);
}

static void put_clip_window(struct command_list *l, uint64_t x, uint64_t y, uint64_t width, uint64_t height)
{
    put_packet(l, PACKET_CLIP_WINDOW, x | y << 16 | width << 32 | height << 48, 8);
}

void draw_begin(struct command_list *l)
{
    l->bin_bytes = l->records_bytes = l->draws = l->uniform_words = 0;
    put_packet(l, PACKET_BINNING_MODE, 0,
               8); /* the kernel fills in the addresses, draw_end the target's size */
    put(l, 0, BINNING_MODE_BYTES - 8);
    put_packet(l, PACKET_START_BINNING, 0, 0);
    put_packet(l, PACKET_PRIMITIVE_FORMAT, FORMAT_TRIANGLES_16, 1);
    put_packet(l, PACKET_CONFIGURATION, BOTH_FACES | DEPTH_ALWAYS << 8 | EARLY_Z_UPDATE << 16, 3);
    put_packet(l, PACKET_DEPTH_OFFSET, 0, 4);
    put_packet(l, PACKET_POINT_SIZE, ONE_F, 4);
    put_packet(l, PACKET_LINE_WIDTH, ONE_F, 4);
    put_packet(l, PACKET_XY_SCALING, VIEWPORT_F | (uint64_t)VIEWPORT_F << 32, 8);
    put_packet(l, PACKET_Z_SCALING, HALF_F | (uint64_t)HALF_F << 32, 8);
    put_packet(l, PACKET_VIEWPORT_OFFSET, 0, 4);
    put_packet(l, PACKET_FLAT_SHADE, 0, 4);
}

void draw_end(struct command_list *l, unsigned tiles_across, unsigned tiles_down)
{
    l->bin[BINNING_TILES] = (uint8_t)tiles_across;
    l->bin[BINNING_TILES + 1] = (uint8_t)tiles_down;
    put_packet(l, PACKET_INCREMENT_SEMAPHORE, 0, 0);
    put_packet(l, PACKET_FLUSH, 0, 0);
}

/* Words of a vertex that are written to VPM rows, for the vertex shader or the coordinate shader. */
struct attribute {
    uint32_t at; /* byte offset in the buffer */
    unsigned bytes, stride, row;
    bool coordinate;
};

/* A GL shader record (p78 T45): the buffers that hold the fragment, vertex and coordinate shader, and the
 * buffer that holds all attributes. */
struct record {
    uint32_t shader[RECORD_SHADERS], vertices;
    unsigned varyings, attributes;
    struct attribute attribute[ATTRIBUTES_MAX];
};

/* Writes the numbers of a record's buffers, then the record. The kernel fills in the addresses. */
static void put_record(struct command_list *l, const struct record *r)
{
    enum { VERTEX_SELECT = 14, COORDINATE_SELECT = 26 }; /* a mask of attributes, then their total bytes */
    uint8_t *to = l->records + l->records_bytes;
    for (unsigned i = 0; i < RECORD_SHADERS; i++)
        to = bytes_put(to, r->shader[i], 4);
    for (unsigned i = 0; i < r->attributes; i++)
        to = bytes_put(to, r->vertices, 4);
    memset(to, 0, RECORD_BYTES + 8 * (size_t)r->attributes);
    to[0] = RECORD_SINGLE_THREAD | RECORD_CLIPPING;
    to[3] = (uint8_t)r->varyings;
    for (unsigned i = 0; i < r->attributes; i++) {
        const struct attribute *a = &r->attribute[i];
        uint8_t *select = to + (a->coordinate ? COORDINATE_SELECT : VERTEX_SELECT),
                *entry = to + RECORD_BYTES + 8 * i;
        select[0] = (uint8_t)(select[0] | 1U << i);
        select[1] = (uint8_t)(select[1] + a->bytes);
        put_u32(entry, a->at);
        entry[4] = (uint8_t)(a->bytes - 1);
        entry[5] = (uint8_t)a->stride;
        entry[a->coordinate ? 7 : 6] = (uint8_t)(4 * a->row);
    }
    l->records_bytes = (uint32_t)(to + RECORD_BYTES + 8 * (size_t)r->attributes - l->records);
    l->draws++;
}

static void put_draw(struct command_list *l, const struct draw_place *at, unsigned attributes, unsigned mode,
                     unsigned count)
{
    put_clip_window(l, at->x, at->y, at->width, at->height);
    put_packet(l, PACKET_GL_SHADER_STATE, attributes, 4);
    put_packet(l, PACKET_ARRAY_PRIMITIVES, mode | count << 8, 5);
    put(l, 0, 4); /* the first vertex */
}

/* Makes varyings constant over a primitive, so that no interpolation can round them. */
static void put_flat(struct command_list *l, unsigned varyings)
{
    put_packet(l, PACKET_FLAT_SHADE, (UINT64_C(1) << varyings) - 1, 4);
}

static bool has_room(const struct command_list *l, unsigned packets, unsigned record, unsigned words)
{
    enum { END = 2 };
    return l->bin_bytes + packets + END <= sizeof l->bin && l->records_bytes + record <= l->records_room &&
           l->uniform_words + words <= l->uniforms_room;
}

bool draw_rectangle(struct command_list *l, const struct draw_buffers *shared, const struct draw_place *at,
                    const struct draw_shader *shader)
{
    enum { PACKETS = 5 + 9 + 5 + 10, VERTEX_BYTES = 4 * DRAW_VERTEX_WORDS, SCREEN_BYTES = 4 * SCREEN_WORDS };
    unsigned more = 4 * shader->varyings;
    if (!has_room(l, PACKETS, DRAW_RECORD_BYTES, shader->inputs + shader->others + shader->words))
        return false;
    if (shader->varyings)
        put_flat(l, shader->varyings);
    put_draw(l, at, RECTANGLE_ATTRIBUTES, TRIANGLES, DRAW_VERTICES);
    const struct record r = {
        .shader = {shader->buffer, shared->vertex_shader + shader->varyings, shared->coordinate_shader},
        .vertices = shared->vertices,
        .varyings = shader->varyings,
        .attributes = RECTANGLE_ATTRIBUTES,
        .attribute = {{shader->vertices_at + VERTEX_BYTES - SCREEN_BYTES, SCREEN_BYTES + more,
                       VERTEX_BYTES + more, 0, false},
                      {shader->vertices_at, VERTEX_BYTES, VERTEX_BYTES + more, 0, true}},
    };
    put_record(l, &r);
    for (unsigned i = 0; i < shader->inputs + shader->others; i++)
        l->uniforms[l->uniform_words++] = i < shader->inputs ? shader->input : shader->memory;
    memcpy(l->uniforms + l->uniform_words, shader->uniforms, shader->words * sizeof *shader->uniforms);
    l->uniform_words += shader->words;
    return true;
}

static uint32_t float_word(float f)
{
    uint32_t word;
    memcpy(&word, &f, sizeof word);
    return word;
}

uint32_t draw_point_on_screen(const struct draw_place *at, unsigned n)
{
    enum { ACROSS = DRAW_POINTS_PIXELS / DRAW_POINT_PIXELS, SIXTEENTHS = 16 };
    uint32_t x = (at->x + n % ACROSS * DRAW_POINT_PIXELS + DRAW_POINT_PIXELS / 2) * SIXTEENTHS;
    uint32_t y = (at->y + n / ACROSS * DRAW_POINT_PIXELS + DRAW_POINT_PIXELS / 2) * SIXTEENTHS;
    return y << 16 | x;
}

void draw_put_point(uint32_t *places, const struct draw_place *at, unsigned n)
{
    enum { HALF_VIEWPORT = 32768 };
    uint32_t place = draw_point_on_screen(at, n), x = place & 0xFFFF, y = place >> 16;
    const uint32_t vertex[DRAW_VERTEX_WORDS] = {float_word((float)x / HALF_VIEWPORT),
                                                float_word((float)y / HALF_VIEWPORT),
                                                0,
                                                ONE_F,
                                                place,
                                                DRAW_POINT_Z,
                                                DRAW_POINT_W};
    memcpy(places + (size_t)n * DRAW_VERTEX_WORDS, vertex, sizeof vertex);
}

bool draw_points(struct command_list *l, uint32_t coordinate_shader, const struct draw_place *at,
                 const struct draw_points *points)
{
    enum { PACKETS = 5 + 5 + 9 + 5 + 10, PLACE_BYTES = 4 * DRAW_VERTEX_WORDS };
    if (!has_room(l, PACKETS, DRAW_POINTS_RECORD_BYTES, 1))
        return false;
    /* The guide does not say whether flag 0 belongs to the point's first varying or the shader's. The flags
     * set here suffice in both cases. */
    put_flat(l, DRAW_POINT_VARYINGS + points->varyings);
    put_packet(l, PACKET_POINT_SIZE, POINT_SIZE_F, 4);
    put_draw(l, at, POINTS_ATTRIBUTES, POINTS, DRAW_POINTS);
    struct record r = {
        .shader = {points->fragment_shader, points->vertex_shader, coordinate_shader},
        .vertices = points->vertices,
        .varyings = points->varyings,
        .attributes = POINTS_ATTRIBUTES,
    };
    for (unsigned i = 0; i < ROW_ATTRIBUTES; i++) {
        unsigned row = i * DRAW_ATTRIBUTE_ROWS,
                 rows = DRAW_ROWS - row < DRAW_ATTRIBUTE_ROWS ? DRAW_ROWS - row : DRAW_ATTRIBUTE_ROWS;
        r.attribute[i] = (struct attribute){points->rows_at + 4 * row, 4 * rows, 4 * DRAW_ROWS, row, false};
    }
    r.attribute[ROW_ATTRIBUTES] = (struct attribute){points->places_at, PLACE_BYTES, PLACE_BYTES, 0, true};
    put_record(l, &r);
    l->uniforms[l->uniform_words++] = points->uniform;
    return true;
}
