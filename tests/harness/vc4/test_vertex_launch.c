/* SPDX-License-Identifier: MIT */
/*
 * Launches of vertex shaders (harness/vc4/vertex_launch.h) on a device that accepts everything and draws
 * nothing: this test paints the pixels. A case that the target does not show completely means that the GPU
 * hung, whichever case of the launch it is. The places that cases get in the target and in the buffer of
 * vertices do not overlap.
 */
#if __has_include(<xf86drm.h>)
#include "harness/vc4/drm_vc4.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool begin_drawing(struct drm_vc4_drawing *d, const struct drm_vc4 *v, size_t bytes, struct error *e);
static bool make_buffer(const struct drm_vc4 *v, size_t bytes, struct drm_vc4_buffer *b, struct error *e);
static bool put_shader(struct drm_vc4_drawing *d, unsigned number, const uint32_t *code, unsigned count,
                       struct error *e);
static void drop_shaders(struct drm_vc4_drawing *d);
static void fetch_pixels(const struct drm_vc4_drawing *d, unsigned across, unsigned down);
static void end_drawing(struct drm_vc4_drawing *d);
static void unmap(struct drm_vc4_buffer *b);

#define drm_vc4_begin        begin_drawing
#define drm_vc4_make         make_buffer
#define drm_vc4_put_shader   put_shader
#define drm_vc4_drop_shaders drop_shaders
#define drm_vc4_fetch        fetch_pixels
#define drm_vc4_end          end_drawing
#define drm_vc4_unmap        unmap
#include "harness/vc4/vertex_launch.c" /* NOLINT(bugprone-suspicious-include): on this test's device */
#define HAVE_DRM 1
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#ifdef HAVE_DRM
enum { CASES = 20, LINES_MAX = DRAWS_MAX / COLUMNS * DRAW_POINTS_PIXELS, SHADERS_FIRST = 100 };

static unsigned dropped, fetched[2], target_bytes, vertices_bytes;
static struct vertex_launch *b;
static struct test_case cases[CASES];
static struct job jobs[CASES];

static bool begin_drawing(struct drm_vc4_drawing *d, const struct drm_vc4 *v, size_t bytes, struct error *e)
{
    (void)e;
    d->v = v;
    d->handles = d->kept;
    d->pixels = calloc(1, bytes);
    target_bytes = (unsigned)bytes;
    return d->pixels != NULL;
}

static bool make_buffer(const struct drm_vc4 *v, size_t bytes, struct drm_vc4_buffer *buffer, struct error *e)
{
    (void)v;
    (void)e;
    *buffer = (struct drm_vc4_buffer){.handle = 77, .at = calloc(1, bytes), .bytes = bytes};
    vertices_bytes = (unsigned)bytes;
    return buffer->at != NULL;
}

static bool put_shader(struct drm_vc4_drawing *d, unsigned number, const uint32_t *code, unsigned count,
                       struct error *e)
{
    (void)e;
    assert_non_null(code);
    assert_in_range(count, 1, VERTEX_CODE_MAX);
    d->handle[number] = SHADERS_FIRST + number;
    return true;
}

static void drop_shaders(struct drm_vc4_drawing *d)
{
    d->handles = d->kept;
    dropped++;
}

static void fetch_pixels(const struct drm_vc4_drawing *d, unsigned across, unsigned down)
{
    (void)d;
    fetched[0] = across;
    fetched[1] = down;
}

static void end_drawing(struct drm_vc4_drawing *d)
{
    free(d->pixels);
}

static void unmap(struct drm_vc4_buffer *buffer)
{
    free(buffer->at);
}

/* Makes a case with this many reads: one draw for each eight. */
static void make_case(struct test_case *c, unsigned reads)
{
    char text[1200];
    struct error e = {0};
    int at = snprintf(text, sizeof text, "misprint-case 1 vc4-vpm\nvpm fill index\nops {\n");
    for (unsigned n = 0; n < reads; n++) {
        if (n % 8 == 0)
            at += snprintf(text + at, sizeof text - (size_t)at,
                           "  rd_setup h32 num=%u stride=1 y=%u\n  nop 2\n", reads - n < 8 ? reads - n : 8,
                           n + 5);
        at += snprintf(text + at, sizeof text - (size_t)at, "  read\n");
    }
    (void)snprintf(text + at, sizeof text - (size_t)at, "}\n");
    if (!case_parse(c, text, strlen(text), &e))
        fail_msg("%s", e.text);
}

static void place_all(unsigned count)
{
    struct error e = {0};
    struct outcome *o = outcome_new(cases[0].unit);
    vertex_backend.clear(b);
    for (unsigned i = 0; i < count; i++) {
        outcome_reset(o, &cases[i]);
        if (!vertex_backend.judge(b, &jobs[i], &cases[i], &e) ||
            vertex_backend.place(b, &jobs[i], &cases[i], o, 0x1234 + i, &e) != LAUNCH_PLACED)
            fail_msg("case %u: %s", i, e.text);
    }
    for (unsigned i = 0; i < count; i++)
        if (vertex_backend.hand_over(b, &jobs[i], &e) != LAUNCH_PLACED)
            fail_msg("case %u: %s", i, e.text);
    outcome_free(o);
}

static void paint(uint32_t word)
{
    for (unsigned i = 0; i < target_bytes / 4; i++)
        b->d.pixels[i] = word;
}

/* One pixel of each point is enough to see that the point is missing. */
static void a_case_that_is_not_drawn_is_a_hang(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CASES; i++)
        make_case(&cases[i], i % 3 == 2 ? 10 : 1 + i % 3);
    dropped = 0;
    place_all(CASES);
    assert_int_equal(dropped, 1);
    paint(0x11223344);
    assert_int_equal(vertex_backend.fetch(b), LAUNCH_DONE);
    for (unsigned i = 0; i < CASES; i++)
        for (unsigned part = 0; part < jobs[i].vertex.parts; part++) {
            const struct draw_place *at = &jobs[i].vertex.at[part];
            paint(0x11223344);
            for (unsigned y = at->y; y < at->y + at->height; y++)
                for (unsigned x = at->x; x < at->x + at->width; x++)
                    b->d.pixels[y * 256 + x] = DRM_VC4_CLEAR;
            if (vertex_backend.fetch(b) != LAUNCH_HUNG)
                fail_msg("part %u of case %u is not drawn", part, i);
        }
    /* 20 cases have 26 draws: two lines of 16 squares with 16 pixels on a side, which are 4 by 1 tiles. */
    assert_int_equal(fetched[0], 4);
    assert_int_equal(fetched[1], 1);
    paint(DRM_VC4_CLEAR);
    place_all(0);
    assert_int_equal(vertex_backend.fetch(b), LAUNCH_DONE); /* an empty launch shows nothing */
}

/* Squares and vertices of the draws do not overlap, and stay within the target and the buffer. */
static void draws_have_places_of_their_own(void **state)
{
    (void)state;
    static uint8_t used[256 * LINES_MAX];
    uint32_t rows_end = 0;
    memset(used, 0, sizeof used);
    for (unsigned i = 0; i < CASES; i++)
        make_case(&cases[i], 1 + i);
    place_all(CASES);
    unsigned draw = 0;
    for (unsigned i = 0; i < CASES; i++) {
        assert_int_equal(jobs[i].vertex.parts, i / 8 + 1);
        assert_int_equal(jobs[i].vertex.stamp, (0x1234 + i) << 8);
        for (unsigned part = 0; part < jobs[i].vertex.parts; part++, draw++) {
            const struct draw_place *at = &jobs[i].vertex.at[part];
            assert_int_equal(at->width, 16);
            assert_int_equal(at->height, 16);
            for (unsigned y = at->y; y < at->y + 16; y++)
                for (unsigned x = at->x; x < at->x + 16; x++) {
                    assert_true(y < LINES_MAX && x < 256);
                    assert_int_equal(used[y * 256 + x]++, 0);
                }
            uint32_t rows = rows_at(jobs[i].first + part), places = places_at(jobs[i].first + part);
            assert_true(rows >= rows_end && rows % 4 == 0);
            rows_end = rows + 4 * 16 * DRAW_ROWS;
            assert_true(rows_end <= places_at(0));
            assert_true(places + 4 * 16 * DRAW_VERTEX_WORDS <= vertices_bytes);
            /* The buffer has the square's place there. */
            uint32_t point[16 * DRAW_VERTEX_WORDS];
            vertex_put_places(at, point);
            assert_memory_equal((uint8_t *)b->vertices.at + places, point, sizeof point);
        }
    }
    assert_int_equal(b->d.list.draws, draw);
    assert_int_equal(b->d.handles, b->d.kept + draw);
}

/* The row of places holds places; each other row is the case's. */
static void rows_are_written_for_each_draw(void **state)
{
    (void)state;
    make_case(&cases[0], 10);
    make_case(&cases[1], 3);
    place_all(2);
    for (unsigned draw = 0; draw < 3; draw++) {
        const uint32_t *row = (uint32_t *)b->vertices.at + rows_at(draw) / 4;
        for (unsigned n = 0; n < 16; n++)
            for (unsigned y = 5; y < 8; y++) {
                uint32_t word = 0, at = 4 * (16 * y + n); /* fill rule `index` */
                for (uint32_t k = at; k < at + 4; k++)
                    word |= (k * 37 + k / 251 + 17) % 256 << 8 * (k % 4);
                assert_int_equal(row[n * DRAW_ROWS + y], word);
            }
    }
}

static void a_full_launch_has_no_room(void **state)
{
    (void)state;
    struct error e = {0};
    unsigned placed = 0;
    struct outcome *o = outcome_new(cases[0].unit);
    make_case(&cases[0], 32);
    outcome_reset(o, &cases[0]);
    vertex_backend.clear(b);
    while (vertex_backend.has_room(b)) {
        assert_int_equal(vertex_backend.place(b, &jobs[0], &cases[0], o, 5, &e), LAUNCH_PLACED);
        placed++;
    }
    assert_int_equal(placed, 512 / 4 - 1); /* the last four draws are a canary's */
    assert_int_equal(vertex_backend.place(b, &jobs[0], &cases[0], o, 5, &e), LAUNCH_PLACED);
    vertex_backend.clear(b);
    assert_true(vertex_backend.has_room(b));
    outcome_free(o);
}

static int make_launch(void **state)
{
    struct error e = {0};
    static const struct drm_vc4 device = {.ident = {1, 2, 3}};
    (void)state;
    b = vertex_launch_new(&device, &e);
    return b ? 0 : -1;
}

static int free_launch(void **state)
{
    (void)state;
    vertex_launch_free(b);
    vertex_launch_free(NULL);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_case_that_is_not_drawn_is_a_hang),
        cmocka_unit_test(draws_have_places_of_their_own),
        cmocka_unit_test(rows_are_written_for_each_draw),
        cmocka_unit_test(a_full_launch_has_no_room),
    };
    return cmocka_run_group_tests(tests, make_launch, free_launch);
}
#else
int main(void)
{
    return 77;
}
#endif
