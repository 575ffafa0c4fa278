/* SPDX-License-Identifier: MIT */
#include "harness/draw_list.h"

#include "harness/emit.h"
#include "model/bytes.h"
#include "model/vc4/vpm_setup.h"

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
    BINNING_MODE_BYTES = 15,    /* behind the packet's number */
    BINNING_TILES = 13,         /* the list's bytes that say how many */
    FORMAT_TRIANGLES_16 = 0x12, /* triangles, 16-bit indices */
    BOTH_FACES = 3,
    DEPTH_ALWAYS = 7 << 4,
    EARLY_Z_UPDATE = 1 << 1,
    TRIANGLES = 4, /* mode of array primitives */
    ATTRIBUTES = 2,
    RECORD_SINGLE_THREAD = 1 << 0,
    RECORD_CLIPPING = 1 << 2,
    SCREEN_WORDS = 3, /* of a vertex: place on the screen, Z, 1/W */
};
#define ONE_F         UINT32_C(0x3F800000)
#define HALF_F        UINT32_C(0x3F000000)
#define VIEWPORT_F    UINT32_C(0x47000000) /* 32768.0: half the viewport's size, 2048 pixels, in sixteenths */
#define CLIP_CORNER_F UINT32_C(0x3F7FE000) /* 2047.0 / 2048 */
#define SCREEN_CORNER UINT32_C(2047 * 16)

/*
 * XC YC ZC WC, YS:XS, ZS, 1/WC. The middle of the viewport is the target's first
 * pixel, so all three lie in the viewport and nothing is clipped to new vertices.
 */
const uint32_t draw_vertices[DRAW_VERTICES * DRAW_VERTEX_WORDS] = {
    0,
    0,
    0,
    ONE_F,
    0,
    HALF_F,
    ONE_F,
    CLIP_CORNER_F,
    0,
    0,
    ONE_F,
    SCREEN_CORNER,
    HALF_F,
    ONE_F,
    0,
    CLIP_CORNER_F,
    0,
    ONE_F,
    SCREEN_CORNER << 16,
    HALF_F,
    ONE_F,
};

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
    uint32_t rows = 1U << VPM_WRITE_STRIDE_LOW | 1U << VPM_WRITE_HORIZ_LOW | 2U << VPM_WRITE_SIZE_LOW; /* one word of all vertices a row */
    m.at = code;
    emit_set(&m, QPU_W_VPM_SETUP, EMIT_FILE_A, words << VPM_READ_NUM_LOW | rows);
    emit_set(&m, QPU_W_VPM_SETUP, EMIT_FILE_B, rows);
    emit_nops(&m, 2); /* three instructions stand between a read's setup and the first read (p56) */
    for (unsigned i = 0; i < words; i++)
        emit_move(&m, QPU_W_VPM, 0, QPU_MUX_A, QPU_R_VPM);
    emit_signal(&m, QPU_SIG_END);
    emit_nops(&m, 2);
    return m.count;
}

/* ---- packets ---- */

static void put(struct draw_list *l, uint64_t value, unsigned bytes)
{
    (void)bytes_put(l->bin + l->bin_bytes, value, bytes);
    l->bin_bytes += bytes;
}

static void put_packet(struct draw_list *l, uint8_t packet, uint64_t value, unsigned bytes)
{
    put(l, packet, 1);
    put(l, value, bytes);
}

static void put_clip_window(struct draw_list *l, uint64_t x, uint64_t y, uint64_t width, uint64_t height)
{
    put_packet(l, PACKET_CLIP_WINDOW, x | y << 16 | width << 32 | height << 48, 8);
}

void draw_begin(struct draw_list *l)
{
    l->bin_bytes = l->records_bytes = l->rectangles = l->uniform_words = 0;
    put_packet(l, PACKET_BINNING_MODE, 0, 8); /* addresses are the kernel's, the target's size is draw_end's */
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

void draw_end(struct draw_list *l, unsigned tiles_across, unsigned tiles_down)
{
    l->bin[BINNING_TILES] = (uint8_t)tiles_across;
    l->bin[BINNING_TILES + 1] = (uint8_t)tiles_down;
    put_packet(l, PACKET_INCREMENT_SEMAPHORE, 0, 0);
    put_packet(l, PACKET_FLUSH, 0, 0);
}

/* A GL shader record behind the numbers of its buffers: fragment, vertex, coordinate shader, two attributes (p78 T45). Addresses are the kernel's. */
static void put_record(struct draw_list *l, const struct draw_buffers *shared, const struct draw_shader *shader)
{
    enum { NUMBERS = 3 + ATTRIBUTES, VERTEX_BYTES = 4 * DRAW_VERTEX_WORDS, SCREEN_BYTES = 4 * SCREEN_WORDS };
    uint8_t *to = l->records + l->records_bytes;
    uint32_t more = 4 * shader->varyings;
    const uint32_t numbers[NUMBERS] = {shader->buffer, shared->vertex_shader + shader->varyings, shared->coordinate_shader, shared->vertices,
                                       shared->vertices};
    for (unsigned i = 0; i < NUMBERS; i++)
        to = bytes_put(to, numbers[i], 4);
    memset(to, 0, DRAW_RECORD_BYTES - 4 * NUMBERS);
    to[0] = RECORD_SINGLE_THREAD | RECORD_CLIPPING;
    to[3] = (uint8_t)shader->varyings;
    to[14] = 1 << 0; /* the vertex shader has attribute 0 ... */
    to[15] = (uint8_t)(SCREEN_BYTES + more);
    to[26] = 1 << 1; /* ... and the coordinate shader 1 */
    to[27] = VERTEX_BYTES;
    put_u32(to + 36, shader->vertices_at + VERTEX_BYTES - SCREEN_BYTES);
    to[40] = (uint8_t)(SCREEN_BYTES + more - 1);
    to[41] = (uint8_t)(VERTEX_BYTES + more); /* the stride */
    put_u32(to + 44, shader->vertices_at);
    to[48] = VERTEX_BYTES - 1;
    to[49] = (uint8_t)(VERTEX_BYTES + more);
    l->records_bytes += DRAW_RECORD_BYTES;
}

bool draw_rectangle(struct draw_list *l, const struct draw_buffers *shared, const struct draw_place *at, const struct draw_shader *shader)
{
    enum { PACKETS = 5 + 9 + 5 + 10, END = 2 };
    if (l->bin_bytes + PACKETS + END > sizeof l->bin || l->records_bytes + DRAW_RECORD_BYTES > l->records_room ||
        l->uniform_words + shader->inputs + shader->others + shader->words > l->uniforms_room)
        return false;
    if (shader->varyings) /* the same in all of the triangle, without an interpolation that could round */
        put_packet(l, PACKET_FLAT_SHADE, (1U << shader->varyings) - 1, 4);
    put_clip_window(l, at->x, at->y, at->width, at->height);
    put_packet(l, PACKET_GL_SHADER_STATE, ATTRIBUTES, 4);
    put_packet(l, PACKET_ARRAY_PRIMITIVES, TRIANGLES | DRAW_VERTICES << 8, 5);
    put(l, 0, 4); /* the first vertex */
    put_record(l, shared, shader);
    for (unsigned i = 0; i < shader->inputs + shader->others; i++)
        l->uniforms[l->uniform_words++] = i < shader->inputs ? shader->input : shader->memory;
    memcpy(l->uniforms + l->uniform_words, shader->uniforms, shader->words * sizeof *shader->uniforms);
    l->uniform_words += shader->words;
    l->rectangles++;
    return true;
}
