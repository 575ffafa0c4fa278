/* SPDX-License-Identifier: MIT */
/*
 * The bytes that the harness submits to the kernel's vc4 driver: packets, a shader record, uniforms,
 * vertices. The expected bytes come from the manual's tables (p71-79), and agree with what Mesa's driver
 * sends for a triangle.
 */
#include "harness/vc4/command_list.h"
#include "harness/vc4/vc4_kernel.h"
#include "model/number/bytes.h"
#include "tests/support/support_bits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { ROOM = 4 };

static struct command_list list;
static uint8_t records[ROOM * DRAW_RECORD_BYTES];
static uint32_t uniforms[16];

static void begin(void)
{
    list.records = records;
    list.records_room = sizeof records;
    list.uniforms = uniforms;
    list.uniforms_room = sizeof uniforms / sizeof *uniforms;
    draw_begin(&list);
}

static bool add(uint32_t y, unsigned words)
{
    static const uint32_t stream[16] = {0xAAAA0001, 0xAAAA0002, 0xAAAA0003};
    const struct draw_buffers shared = {.vertices = 2, .vertex_shader = 3, .coordinate_shader = 4};
    const struct draw_place at = {64, y, 64, 24};
    const struct draw_shader shader = {
        .buffer = 9, .input = 1, .memory = 7, .inputs = 2, .others = 1, .words = words, .uniforms = stream};
    return draw_rectangle(&list, &shared, &at, &shader);
}

static void the_list_follows_the_manual(void **state)
{
    (void)state;
    static const uint8_t expected[] = {
        0x70, 0,    0,    0,    0,    0,  0, 0,  0,    0,
        0,    0,    0,    3,    2,    0, /* binning mode: 3 by 2 tiles; the kernel adds all addresses */
        0x06,                            /* start */
        0x38, 0x12,                      /* triangles, 16-bit indices */
        0x60, 0x03, 0x70, 0x02,          /* both faces, depth test always, early Z update */
        0x65, 0,    0,    0,    0,       /* depth offset */
        0x62, 0,    0,    0x80, 0x3F,    /* point size 1.0 */
        0x63, 0,    0,    0x80, 0x3F,    /* line width 1.0 */
        0x69, 0,    0,    0,    0x47, 0,  0, 0,  0x47,    /* half the viewport: 32768.0 sixteenths */
        0x6A, 0,    0,    0,    0x3F, 0,  0, 0,  0x3F,    /* Z scale 0.5, Z offset 0.5 */
        0x67, 0,    0,    0,    0,                        /* viewport centre: the first pixel */
        0x61, 0,    0,    0,    0,                        /* no flat shading */
        0x66, 64,   0,    16,   0,    64, 0, 24, 0,       /* clip window */
        0x40, 2,    0,    0,    0,                        /* record with two attributes */
        0x21, 4,    3,    0,    0,    0,  0, 0,  0,    0, /* triangles: three vertices from 0 */
        0x07, 0x04,                                       /* semaphore, flush */
    };
    begin();
    assert_true(add(16, 3));
    draw_end(&list, 3, 2);
    assert_int_equal(list.bin_bytes, sizeof expected);
    assert_memory_equal(list.bin, expected, sizeof expected);
    assert_int_equal(list.draws, 1);
}

static void a_record_names_its_buffers(void **state)
{
    (void)state;
    static const uint8_t record[52] = {
        [0] = 1 | 4, /* one thread, clipping */
        [14] = 1,    [15] = 12,
        [26] = 2,    [27] = 28, /* attributes and bytes of the vertex shader and of the coordinate shader */
        [36] = 16,   [40] = 11,
        [41] = 28, /* the vertex shader's attribute: three words of screen
                    * position, after four of clip space */
        [48] = 27,   [49] = 28,
    };
    static const uint32_t numbers[] = {9, 3, 4, 2, 2},
                          stream[] = {1, 1, 7, 0xAAAA0001, 0xAAAA0002, 0xAAAA0003};
    begin();
    assert_true(add(16, 3));
    assert_int_equal(list.records_bytes, DRAW_RECORD_BYTES);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(get_u32(records + 4 * i), numbers[i]);
    assert_memory_equal(records + 20, record, sizeof record);
    assert_int_equal(list.uniform_words, 6);
    assert_memory_equal(uniforms, stream, sizeof stream);
}

/* Sixteen points of 4 by 4 pixels, with 5 varyings that are all flat. */
static const struct draw_place square = {48, 32, 16, 16};

static bool add_points(void)
{
    const struct draw_points points = {.fragment_shader = 5,
                                       .vertex_shader = 9,
                                       .vertices = 2,
                                       .rows_at = 0x10000,
                                       .places_at = 0x2000,
                                       .varyings = 5,
                                       .uniform = 0xBBBB0001};
    return draw_points(&list, 4, &square, &points);
}

static void points_follow_the_manual(void **state)
{
    (void)state;
    static const uint8_t expected[] = {
        0x61, 0x7F, 0,  0,    0,                     /* flat: 0 to 4, with or without the point's place */
        0x62, 0,    0,  0x80, 0x40,                  /* point size 4.0 */
        0x66, 48,   0,  32,   0,    16, 0, 16, 0,    /* clip window */
        0x40, 5,    0,  0,    0,                     /* record with five attributes */
        0x21, 0,    16, 0,    0,    0,  0, 0,  0, 0, /* points: sixteen vertices from 0 */
    };
    /* The vertex shader gets rows 0 to 62 of the VPM from four attributes of 16 words each; the last one has
     * 15. The coordinate shader gets seven words. */
    static const uint8_t record[76] = {
        [0] = 1 | 4, [3] = 5,    [14] = 0x0F, [15] = 252,  [26] = 0x10, [27] = 28,  [38] = 1,
        [40] = 63,   [41] = 252, [44] = 64,   [46] = 1,    [48] = 63,   [49] = 252, [50] = 64,
        [52] = 128,  [54] = 1,   [56] = 63,   [57] = 252,  [58] = 128,  [60] = 192, [62] = 1,
        [64] = 59,   [65] = 252, [66] = 192,  [69] = 0x20, [72] = 27,   [73] = 28,
    };
    static const uint32_t numbers[] = {5, 9, 4, 2, 2, 2, 2, 2};
    begin();
    uint32_t before = list.bin_bytes;
    assert_true(add_points());
    assert_int_equal(list.bin_bytes - before, sizeof expected);
    assert_memory_equal(list.bin + before, expected, sizeof expected);
    assert_int_equal(list.records_bytes, DRAW_POINTS_RECORD_BYTES);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(get_u32(records + 4 * i), numbers[i]);
    assert_memory_equal(records + 32, record, sizeof record);
    assert_int_equal(list.draws, 1);
    assert_int_equal(list.uniform_words, 1);
    assert_int_equal(uniforms[0], 0xBBBB0001);
    assert_true(add_points());
    assert_false(add_points()); /* three such records need 324 bytes, but there are only 288 */
    assert_int_equal(list.draws, 2);
}

static void a_draw_without_room_changes_nothing(void **state)
{
    (void)state;
    begin();
    assert_true(add(0, 3));
    assert_true(add(24, 3));
    uint32_t bin_bytes = list.bin_bytes;
    assert_false(add(48, 3)); /* three draws need 18 words of uniforms, but there are only 16 */
    assert_int_equal(list.bin_bytes, bin_bytes);
    assert_int_equal(list.records_bytes, 2 * DRAW_RECORD_BYTES);
    assert_int_equal(list.uniform_words, 12);
    assert_int_equal(list.draws, 2);
}

/* The places on the screen and in clip space agree, and are in the viewport. The triangle covers the largest
 * target. */
static void the_triangle_covers_the_target(void **state)
{
    (void)state;
    int32_t x[DRAW_VERTICES], y[DRAW_VERTICES];
    for (unsigned v = 0; v < DRAW_VERTICES; v++) {
        const uint32_t *w = draw_vertices + v * DRAW_VERTEX_WORDS;
        x[v] = (int32_t)(w[4] & 0xFFFF);
        y[v] = (int32_t)(w[4] >> 16);
        assert_true(float_of(w[0]) * 32768.0F == (float)x[v] && float_of(w[1]) * 32768.0F == (float)y[v]);
        assert_true(float_of(w[0]) < 1 && float_of(w[1]) < 1 && float_of(w[3]) == 1 && float_of(w[6]) == 1);
    }
    assert_int_equal(x[0] | y[0] | y[1] | x[2], 0);
    assert_int_equal(x[1], y[2]);
    /* The opposite corner of the target is on or inside x + y = x1. */
    assert_true(2 * DRAW_TARGET_MAX * 16 <= x[1]);
}

/* Each point has a square of 4 by 4 pixels around it. The squares follow each other line by line. Clip space
 * gives the same places. */
static void points_are_in_their_squares(void **state)
{
    (void)state;
    uint32_t places[DRAW_POINTS * DRAW_VERTEX_WORDS];
    for (unsigned n = 0; n < DRAW_POINTS; n++) {
        draw_put_point(places, &square, n);
        uint32_t screen = draw_point_on_screen(&square, n);
        const uint32_t *w = places + (size_t)n * DRAW_VERTEX_WORDS;
        assert_int_equal(screen, w[4]);
        assert_int_equal(w[4] & 0xFFFF, (48 + 4 * (n % 4) + 2) * 16);
        assert_int_equal(w[4] >> 16, (32 + 4 * (n / 4) + 2) * 16);
        assert_true(float_of(w[0]) * 32768.0F == (float)(w[4] & 0xFFFF) &&
                    float_of(w[1]) * 32768.0F == (float)(w[4] >> 16));
        assert_true(float_of(w[3]) == 1 && float_of(w[5]) == 0.5F && float_of(w[6]) == 1);
    }
}

static void the_kernel_accepts_the_copy_shaders(void **state)
{
    (void)state;
    for (unsigned coordinate = 0; coordinate < 2; coordinate++) {
        uint32_t code[2 * DRAW_COPY_MAX];
        struct vc4_kernel_shader k;
        struct error e = {0};
        unsigned count = draw_make_copy(coordinate, 0, code);
        assert_true(vc4_kernel_accepts(code, count, &k, &e));
        assert_int_equal(k.instructions, count);
        assert_int_equal(k.uniforms + k.samples, 0);
        assert_false(k.threaded);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_follows_the_manual),
        cmocka_unit_test(a_record_names_its_buffers),
        cmocka_unit_test(points_follow_the_manual),
        cmocka_unit_test(points_are_in_their_squares),
        cmocka_unit_test(a_draw_without_room_changes_nothing),
        cmocka_unit_test(the_triangle_covers_the_target),
        cmocka_unit_test(the_kernel_accepts_the_copy_shaders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
