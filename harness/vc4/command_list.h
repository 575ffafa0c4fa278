/* SPDX-License-Identifier: MIT */
/*
 * What the kernel's vc4 driver is given to draw rectangles with one fragment
 * shader each, or squares of points with one vertex shader each: the binner's
 * control list, a shader record a draw, and the uniforms of all. One triangle
 * that covers the whole target is drawn again and again through another clip
 * window, so that every quad of pixels is whole; points have whole quads by
 * their size.
 *
 * Buffers are named by their numbers in the list that is submitted along with
 * these. Owns the bytes; knows no device.
 *
 * Sources: VideoCoreIV-AG100-R p70-79 (control lists, shader records); Linux,
 * drivers/gpu/drm/vc4/vc4_validate.c and include/uapi/drm/vc4_drm.h for what
 * the driver wants of them; what Mesa's driver submits for the packets' order.
 */
#ifndef MISPRINT_HARNESS_VC4_COMMAND_LIST_H
#define MISPRINT_HARNESS_VC4_COMMAND_LIST_H

#include <stdbool.h>
#include <stdint.h>

enum {
    DRAW_TILE = 64,         /* pixels on a side */
    DRAW_TARGET_MAX = 1023, /* pixels on a side that the one triangle covers */
    DRAW_VERTICES = 3,
    DRAW_VERTEX_WORDS =
        7, /* what the coordinate shader hands on; its last three words are the vertex shader's */
    DRAW_VARYINGS_MAX = 8, /* that the vertex shader hands on behind these */
    DRAW_COPY_MAX = 24,    /* instructions of those two */
    COMMAND_LIST_BYTES = 96 + 34 * 512,
    DRAW_RECORD_BYTES = 72, /* of a rectangle; the numbers of its buffers are counted */
    /* A vertex shader of one's own: a vertex is a point, a square of pixels in the order of lines, four of
       them a line. */
    DRAW_POINTS = 16,
    DRAW_POINT_PIXELS = 4, /* on a side */
    DRAW_POINTS_PIXELS = 16,
    DRAW_ROWS = 63, /* words of a vertex that it finds in the VPM: their bytes are counted in a byte */
    DRAW_ATTRIBUTE_ROWS = 16,
    DRAW_POINT_VARYINGS =
        2, /* that the hardware puts before those of a point's vertex: the place within it */
    DRAW_POINTS_RECORD_BYTES = 108,
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

/*
 * DRAW_POINTS points, each a vertex; varyings have the whole of the vertex's word in all of its pixels. The
 * fragment shader reads DRAW_POINT_VARYINGS others before them, which are not counted.
 */
struct draw_points {
    uint32_t fragment_shader, vertex_shader, vertices; /* buffers */
    uint32_t rows_at, places_at;                       /* bytes: draw_put_point's */
    unsigned varyings;
    uint32_t uniform; /* of the fragment shader, which has one */
};

struct command_list {
    uint8_t bin[COMMAND_LIST_BYTES];
    uint32_t bin_bytes;
    uint8_t *records;
    uint32_t records_bytes, records_room, draws;
    uint32_t *uniforms;
    uint32_t uniform_words, uniforms_room;
};

/* Vertices of the triangle, and the shaders that hand them on. */
extern const uint32_t draw_vertices[DRAW_VERTICES * DRAW_VERTEX_WORDS];
unsigned draw_make_copy(bool coordinate, unsigned varyings,
                        uint32_t code[2 * DRAW_COPY_MAX]); /* how many instructions */
/* The same triangle with varyings, each of which is one word everywhere; DRAW_VERTICES * (DRAW_VERTEX_WORDS +
 * count) words. */
void draw_put_vertices(uint32_t *to, const uint32_t *varying, unsigned count);

/*
 * Point `n` of those at `at`: in the coordinate shader's words, DRAW_VERTEX_WORDS a vertex; and the first of
 * the three that the vertex shader hands on, where it is on the screen. The others are DRAW_POINT_Z and
 * DRAW_POINT_W.
 */
void draw_put_point(uint32_t *places, const struct draw_place *at, unsigned n);
uint32_t draw_point_on_screen(const struct draw_place *at, unsigned n);
#define DRAW_POINT_Z UINT32_C(0x3F000000) /* 0.5 */
#define DRAW_POINT_W UINT32_C(0x3F800000) /* 1.0 */

/* Begins a list. Its `records` and `uniforms` are room that the caller has given it. */
void draw_begin(struct command_list *l);

/* False: no room. */
bool draw_rectangle(struct command_list *l, const struct draw_buffers *shared, const struct draw_place *at,
                    const struct draw_shader *shader);
bool draw_points(struct command_list *l, uint32_t coordinate_shader, const struct draw_place *at,
                 const struct draw_points *points);
void draw_end(struct command_list *l, unsigned tiles_across,
              unsigned tiles_down); /* so many tiles has the target */

#endif
