/* SPDX-License-Identifier: MIT */
/*
 * What the kernel's vc4 driver is given to draw rectangles with one fragment
 * shader each: the binner's control list, a shader record a rectangle, and the
 * uniforms of all. One triangle that covers the whole target is drawn again and
 * again through another clip window, so that every quad of pixels is whole.
 *
 * Buffers are named by their numbers in the list that is submitted along with
 * these. Owns the bytes; knows no device.
 *
 * Sources: VideoCoreIV-AG100-R p70-79 (control lists, shader records); Linux,
 * drivers/gpu/drm/vc4/vc4_validate.c and include/uapi/drm/vc4_drm.h for what
 * the driver wants of them; what Mesa's driver submits for the packets' order.
 */
#ifndef MISPRINT_HARNESS_DRAW_LIST_H
#define MISPRINT_HARNESS_DRAW_LIST_H

#include <stdbool.h>
#include <stdint.h>

enum {
    DRAW_TILE = 64,         /* pixels on a side */
    DRAW_TARGET_MAX = 1023, /* pixels on a side that the one triangle covers */
    DRAW_VERTICES = 3,
    DRAW_VERTEX_WORDS = 7, /* what the coordinate shader hands on; its last three words are the vertex shader's */
    DRAW_VARYINGS_MAX = 8, /* that the vertex shader hands on behind these */
    DRAW_COPY_MAX = 24,    /* instructions of those two */
    DRAW_LIST_BYTES = 96 + 29 * 300,
    DRAW_RECORD_BYTES = 72,
};

/* The buffers that all rectangles share, by number. */
struct draw_buffers {
    uint32_t vertices, coordinate_shader;
    uint32_t vertex_shader; /* without varyings; behind it those with 1, 2, ... */
};

/* Where a rectangle lies, in pixels. */
struct draw_place {
    uint32_t x, y, width, height;
};

/* What draws it: a fragment shader without threads. */
struct draw_shader {
    uint32_t buffer, input, memory; /* its own; those that the first of its look-ups, and the others, reach */
    unsigned inputs, others, words; /* look-ups of either kind; words of its uniforms */
    const uint32_t *uniforms;
    unsigned varyings;
    uint32_t vertices_at; /* in bytes: draw_put_vertices' */
};

struct draw_list {
    uint8_t bin[DRAW_LIST_BYTES];
    uint32_t bin_bytes;
    uint8_t *records;
    uint32_t records_bytes, records_room, rectangles;
    uint32_t *uniforms;
    uint32_t uniform_words, uniforms_room;
};

/* Vertices of the triangle, and the shaders that hand them on. */
extern const uint32_t draw_vertices[DRAW_VERTICES * DRAW_VERTEX_WORDS];
unsigned draw_make_copy(bool coordinate, unsigned varyings, uint32_t code[2 * DRAW_COPY_MAX]); /* how many instructions */
/* The same triangle with varyings, each of which is one word everywhere; DRAW_VERTICES * (DRAW_VERTEX_WORDS + count) words. */
void draw_put_vertices(uint32_t *to, const uint32_t *varying, unsigned count);

/* Begins a list. Its `records` and `uniforms` are room that the caller has given it. */
void draw_begin(struct draw_list *l);

/* False: no room. */
bool draw_rectangle(struct draw_list *l, const struct draw_buffers *shared, const struct draw_place *at, const struct draw_shader *shader);
void draw_end(struct draw_list *l, unsigned tiles_across, unsigned tiles_down); /* so many tiles has the target */

#endif
