/* SPDX-License-Identifier: MIT */
/*
 * Writes a submission for the kernel's vc4 driver: the binner's control list, one shader record for each
 * draw, and all uniforms. A draw is either a rectangle with its own fragment shader, or a square of points
 * with its own vertex shader. A rectangle is one triangle that covers the whole target, cut to size by the
 * clip window, so that every quad of pixels is complete. Points have complete quads because of their size.
 *
 * A buffer is named by its index in the list of handles that is submitted with the command list. Owns the
 * bytes of the submission. Opens no device and submits nothing (drm_vc4.h does).
 *
 * Sources: VideoCoreIV-AG100-R p70-79 (control lists, shader records); Linux,
 * drivers/gpu/drm/vc4/vc4_validate.c and include/uapi/drm/vc4_drm.h (what the driver requires); Mesa's driver
 * (the order of packets).
 */
#ifndef MISPRINT_HARNESS_VC4_COMMAND_LIST_H
#define MISPRINT_HARNESS_VC4_COMMAND_LIST_H

#include <stdbool.h>
#include <stdint.h>

enum {
    DRAW_TILE = 64,         /* pixels on a side */
    DRAW_TARGET_MAX = 1023, /* side, in pixels, of the square that the triangle covers */
    DRAW_VERTICES = 3,
    /* Words that the coordinate shader writes; the vertex shader writes the last three. */
    DRAW_VERTEX_WORDS = 7,
    DRAW_VARYINGS_MAX = 8, /* varyings that a rectangle's vertex shader writes after those three words */
    DRAW_COPY_MAX = 24,    /* most instructions that draw_make_copy writes */
    COMMAND_LIST_BYTES = 96 + 34 * 512,
    DRAW_RECORD_BYTES = 72, /* shader record of a rectangle, with the indices of its buffers */
    /* If the case is the vertex shader, each vertex is a point, which covers a square of pixels. The points
     * form a square of four lines with four points each. */
    DRAW_POINTS = 16,
    DRAW_POINT_PIXELS = 4, /* on a side */
    DRAW_POINTS_PIXELS = 16,
    DRAW_ROWS = 63, /* most VPM words of a vertex: the record counts their bytes in 8 bits */
    DRAW_ATTRIBUTE_ROWS = 16,
    /* The hardware adds two varyings before those of the vertex shader: the pixel's position in the point. */
    DRAW_POINT_VARYINGS = 2,
    DRAW_POINTS_RECORD_BYTES = 108,
};

/* Indices of the buffers that all rectangles share. */
struct draw_buffers {
    uint32_t vertices, coordinate_shader;
    uint32_t vertex_shader; /* without varyings; shaders with 1, 2, ... varyings follow */
};

/* A rectangle, in pixels. */
struct draw_place {
    uint32_t x, y, width, height;
};

/* A fragment shader without threads that draws a rectangle. */
struct draw_shader {
    uint32_t buffer, input, memory; /* buffers of the code, the first look-ups, the other look-ups */
    unsigned inputs, others, words; /* numbers of first look-ups, other look-ups, uniform words */
    const uint32_t *uniforms;
    unsigned varyings;
    uint32_t vertices_at; /* byte offset of what draw_put_vertices wrote */
};

/*
 * DRAW_POINTS points, each of one vertex. In all pixels of a point, a varying is the unchanged word that the
 * vertex shader wrote. The fragment shader first reads DRAW_POINT_VARYINGS varyings of the hardware, which
 * `varyings` does not count.
 */
struct draw_points {
    uint32_t fragment_shader, vertex_shader, vertices; /* buffers */
    uint32_t rows_at, places_at;                       /* byte offsets of VPM rows, draw_put_point's words */
    unsigned varyings;
    uint32_t uniform; /* the only uniform, which the fragment shader reads */
};

struct command_list {
    uint8_t bin[COMMAND_LIST_BYTES];
    uint32_t bin_bytes;
    uint8_t *records;
    uint32_t records_bytes, records_room, draws;
    uint32_t *uniforms;
    uint32_t uniform_words, uniforms_room;
};

/* The vertices of the triangle. */
extern const uint32_t draw_vertices[DRAW_VERTICES * DRAW_VERTEX_WORDS];
/* Writes the coordinate or vertex shader that copies a vertex from the VPM's input to its output. Returns the
 * number of instructions. */
unsigned draw_make_copy(bool coordinate, unsigned varyings, uint32_t code[2 * DRAW_COPY_MAX]);
/* Writes the triangle with varyings that are the same at all vertices: DRAW_VERTICES * (DRAW_VERTEX_WORDS +
 * count) words. */
void draw_put_vertices(uint32_t *to, const uint32_t *varying, unsigned count);

/*
 * Point `n` of the square at `at`. draw_put_point writes the DRAW_VERTEX_WORDS words that the coordinate
 * shader reads. draw_point_on_screen returns the position on the screen, the first of the three words that
 * the vertex shader writes. The other two are DRAW_POINT_Z and DRAW_POINT_W.
 */
void draw_put_point(uint32_t *places, const struct draw_place *at, unsigned n);
uint32_t draw_point_on_screen(const struct draw_place *at, unsigned n);
#define DRAW_POINT_Z UINT32_C(0x3F000000) /* 0.5 */
#define DRAW_POINT_W UINT32_C(0x3F800000) /* 1.0 */

/* Begins a list. The caller has set the room for `records` and `uniforms`. */
void draw_begin(struct command_list *l);

/* Each adds one draw. False: no room. */
bool draw_rectangle(struct command_list *l, const struct draw_buffers *shared, const struct draw_place *at,
                    const struct draw_shader *shader);
bool draw_points(struct command_list *l, uint32_t coordinate_shader, const struct draw_place *at,
                 const struct draw_points *points);
/* Ends a list for a target of tiles_across times tiles_down tiles. */
void draw_end(struct command_list *l, unsigned tiles_across, unsigned tiles_down);

#endif
