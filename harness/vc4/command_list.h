/* SPDX-License-Identifier: MIT */
/*
 * The submission that makes the kernel's vc4 driver draw rectangles with one
 * fragment shader each, or squares of points with one vertex shader each: the
 * binner's control list, a shader record a draw, and the uniforms of all. A
 * rectangle is one triangle that covers the whole target, drawn through another
 * clip window each time, so that every quad of pixels is complete. Points have
 * complete quads because of their size.
 *
 * Buffers are named by their numbers in the list of handles that is submitted with
 * it. Owns the bytes; knows no device.
 *
 * Sources: VideoCoreIV-AG100-R p70-79 (control lists, shader records); Linux,
 * drivers/gpu/drm/vc4/vc4_validate.c and include/uapi/drm/vc4_drm.h for the
 * driver's demands; Mesa's driver for the order of packets.
 */
#ifndef MISPRINT_HARNESS_VC4_COMMAND_LIST_H
#define MISPRINT_HARNESS_VC4_COMMAND_LIST_H

#include <stdbool.h>
#include <stdint.h>

enum {
    DRAW_TILE = 64,         /* pixels on a side */
    DRAW_TARGET_MAX = 1023, /* pixels on a side that the one triangle covers */
    DRAW_VERTICES = 3,
    DRAW_VERTEX_WORDS = 7, /* from the coordinate shader; the last three are the vertex shader's too */
    DRAW_VARYINGS_MAX = 8, /* that the vertex shader adds to these */
    DRAW_COPY_MAX = 24,    /* instructions of these two shaders */
    COMMAND_LIST_BYTES = 96 + 34 * 512,
    DRAW_RECORD_BYTES = 72, /* of a rectangle, with the numbers of its buffers */
    /* With a case's vertex shader a vertex is a point, a square of pixels in the order of lines, four of them
     * a line. */
    DRAW_POINTS = 16,
    DRAW_POINT_PIXELS = 4, /* on a side */
    DRAW_POINTS_PIXELS = 16,
    DRAW_ROWS = 63, /* words of a vertex in the VPM: the field for their bytes has eight bits */
    DRAW_ATTRIBUTE_ROWS = 16,
    DRAW_POINT_VARYINGS = 2, /* that the hardware puts before a point's own: the place within it */
    DRAW_POINTS_RECORD_BYTES = 108,
};

/* The buffers that all rectangles share, by number. */
struct draw_buffers {
    uint32_t vertices, coordinate_shader;
    uint32_t vertex_shader; /* without varyings; then those with 1, 2, ... */
};

/* A rectangle, in pixels. */
struct draw_place {
    uint32_t x, y, width, height;
};

/* A fragment shader without threads that draws it. */
struct draw_shader {
    uint32_t buffer, input, memory; /* of its code; that its first look-ups reach; that the others reach */
    unsigned inputs, others, words; /* first look-ups; other ones; words of its uniforms */
    const uint32_t *uniforms;
    unsigned varyings;
    uint32_t vertices_at; /* in bytes: draw_put_vertices' */
};

/*
 * DRAW_POINTS points, each a vertex. A varying is the vertex's word, unchanged, in all pixels of the point.
 * The fragment shader reads DRAW_POINT_VARYINGS others first, which are not counted.
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

/* Vertices of the triangle, and the shaders that copy them. Returns the number of instructions. */
extern const uint32_t draw_vertices[DRAW_VERTICES * DRAW_VERTEX_WORDS];
unsigned draw_make_copy(bool coordinate, unsigned varyings, uint32_t code[2 * DRAW_COPY_MAX]);
/* Writes the triangle with varyings, each of which is one word everywhere: DRAW_VERTICES * (DRAW_VERTEX_WORDS
 * + count) words. */
void draw_put_vertices(uint32_t *to, const uint32_t *varying, unsigned count);

/*
 * Point `n` of those at `at`: its words for the coordinate shader, DRAW_VERTEX_WORDS a vertex; and the first
 * of the three words from the vertex shader, its place on the screen. The other two are DRAW_POINT_Z and
 * DRAW_POINT_W.
 */
void draw_put_point(uint32_t *places, const struct draw_place *at, unsigned n);
uint32_t draw_point_on_screen(const struct draw_place *at, unsigned n);
#define DRAW_POINT_Z UINT32_C(0x3F000000) /* 0.5 */
#define DRAW_POINT_W UINT32_C(0x3F800000) /* 1.0 */

/* Begins a list. The caller has set the room for `records` and `uniforms`. */
void draw_begin(struct command_list *l);

/* False: no room. */
bool draw_rectangle(struct command_list *l, const struct draw_buffers *shared, const struct draw_place *at,
                    const struct draw_shader *shader);
bool draw_points(struct command_list *l, uint32_t coordinate_shader, const struct draw_place *at,
                 const struct draw_points *points);
/* Ends a list for a target of so many tiles. */
void draw_end(struct command_list *l, unsigned tiles_across, unsigned tiles_down);

#endif
