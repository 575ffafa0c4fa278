/* SPDX-License-Identifier: MIT */
#include "harness/vc4/vertex_launch.h"

#include "harness/vc4/program/vertex.h"
#include "harness/verify/dry_run.h"
#include "model/vc4/vpm/unit_vpm.h"

#include <stdlib.h>
#include <string.h>

enum {
    DRAWS_MAX = 512, /* draws in a launch */
    PLACED_MAX = LAUNCH_CASES_MAX + LAUNCH_CANARIES,
    COLUMNS = 16, /* columns of squares */
    TILES_ACROSS = COLUMNS * DRAW_POINTS_PIXELS / DRAW_TILE,
    PITCH = COLUMNS * DRAW_POINTS_PIXELS,
    TARGET_BYTES = 4 * PITCH * DRAWS_MAX / COLUMNS * DRAW_POINTS_PIXELS,
    ROWS_BYTES = 4 * DRAW_POINTS * DRAW_ROWS, /* VPM rows of one draw's vertices */
    PLACES_BYTES = 4 * DRAW_POINTS * DRAW_VERTEX_WORDS,
};

/* Indices into `handle`. The vertex shaders follow. */
enum {
    VERTICES = DRM_VC4_TARGET + 1,
    COORDINATE_SHADER,
    FRAGMENT_SHADER, /* the first of VERTEX_COPIES */
    FIRST_VERTEX_SHADER = FRAGMENT_SHADER + VERTEX_COPIES
};

/* One case. Each of its parts is one draw. */
struct job {
    struct vertex_case vertex;
    unsigned first; /* number of the first draw */
    struct {
        const uint32_t *code;
        unsigned instructions;
    } shader[VERTEX_PARTS_MAX];
};

struct vertex_launch {
    struct drm_vc4_drawing d;
    struct drm_vc4_buffer vertices; /* VPM rows of all draws, then vertex positions of all draws */
    uint32_t handle[FIRST_VERTEX_SHADER + DRAWS_MAX];
    struct test_case *program; /* program of the case that was judged last */
    const void *program_of;    /* the job that `program` belongs to */
    struct dry_run *dry_run;
    uint8_t records[DRAWS_MAX * DRAW_POINTS_RECORD_BYTES];
    uint32_t uniforms[DRAWS_MAX];
    unsigned draws; /* placed so far */
    uint32_t code_words;
    const struct vertex_case *placed[PLACED_MAX];
    unsigned count; /* entries of `placed` in use */
    /* Code of the shaders that are placed, one after the other. */
    uint32_t code[DRAWS_MAX * 2 * VERTEX_CODE_MAX];
};

/* ---- canaries: VPM rows, read horizontally as 32-bit words, as every driver reads them ---- */

static bool canary_is_right(unsigned n, const struct test_case *tc, const struct outcome *o)
{
    static const unsigned rows[LAUNCH_CANARIES][2] = {{1, 18}, {40, 62}};
    const struct layout *l = &o->unit->layout;
    const uint32_t *reads = o->value + layout_region_named(l, "reads")->first_row * VC4_LANES;
    for (unsigned i = 0; i < 2; i++) {
        uint32_t row[VC4_LANES];
        image_row(tc, schema_field(&tc->unit->schema, "vpm"), rows[n][i], row);
        if (memcmp(reads + i * VC4_LANES, row, sizeof row) != 0)
            return false;
    }
    return true;
}

static bool judge(void *context, void *job, const struct test_case *c, struct error *why)
{
    struct vertex_launch *b = context;
    struct job *j = job;
    b->program_of = NULL;
    if (!vertex_prove(c, b->program, &j->vertex, why) ||
        !dry_run_admits_case(b->dry_run, b->program, MEMORY_BASE_DEFAULT, why))
        return false;
    b->program_of = job;
    return true;
}

static struct dry_run *dry_run_of(void *context)
{
    return ((struct vertex_launch *)context)->dry_run;
}

static void clear(void *context)
{
    struct vertex_launch *b = context;
    b->draws = b->count = b->code_words = 0;
    draw_begin(&b->d.list);
}

static bool has_room(const void *context)
{
    const struct vertex_launch *b = context;
    return b->draws + 2 * VERTEX_PARTS_MAX <= DRAWS_MAX;
}

static uint32_t rows_at(unsigned draw)
{
    return ROWS_BYTES * draw;
}

static uint32_t places_at(unsigned draw)
{
    return ROWS_BYTES * DRAWS_MAX + PLACES_BYTES * draw;
}

static struct draw_place square(unsigned draw)
{
    return (struct draw_place){draw % COLUMNS * DRAW_POINTS_PIXELS, draw / COLUMNS * DRAW_POINTS_PIXELS,
                               DRAW_POINTS_PIXELS, DRAW_POINTS_PIXELS};
}

/* Adds a draw for one part of the case: builds its shader and its vertices. */
static bool enter(struct vertex_launch *b, struct job *j, unsigned part, const uint32_t *vpm,
                  struct error *why)
{
    struct vertex_case *v = &j->vertex;
    uint32_t *code = b->code + b->code_words, *at = b->vertices.at;
    v->at[part] = square(b->draws);
    if (!vertex_build(b->program, v, part, code, &j->shader[part].instructions, why))
        return false;
    j->shader[part].code = code;
    b->code_words += 2 * j->shader[part].instructions;
    vertex_put(b->program, v, part, vpm, at + rows_at(b->draws) / 4);
    b->draws++;
    return true;
}

static enum launch_place place(void *context, void *job, const struct test_case *c,
                               const struct outcome *initial, uint32_t stamp, struct error *why)
{
    struct vertex_launch *b = context;
    struct job *j = job;
    const uint32_t *vpm =
        initial->value + layout_region_named(&initial->unit->layout, "vpm")->first_row * VC4_LANES;
    if (b->program_of != job && !judge(context, job, c, why))
        return LAUNCH_NEVER;
    j->vertex.stamp = stamp << 8;
    j->first = b->draws;
    for (unsigned part = 0; part < j->vertex.parts; part++)
        if (!enter(b, j, part, vpm, why))
            return LAUNCH_NEVER;
    return LAUNCH_PLACED;
}

/* Passes the shader of one part to the kernel and adds its points to the command list. */
static bool hand_over_part(struct vertex_launch *b, const struct job *j, unsigned part, struct error *why)
{
    const struct vertex_case *v = &j->vertex;
    if (!drm_vc4_put_shader(&b->d, b->d.handles, j->shader[part].code, j->shader[part].instructions, why))
        return false;
    const struct draw_points points = {.fragment_shader = FRAGMENT_SHADER + vertex_copy_out(v, part),
                                       .vertex_shader = b->d.handles++,
                                       .vertices = VERTICES,
                                       .rows_at = rows_at(j->first + part),
                                       .places_at = places_at(j->first + part),
                                       .varyings = vertex_varyings(v, part),
                                       .uniform = vertex_stamp(v, part)};
    return draw_points(&b->d.list, COORDINATE_SHADER, &v->at[part], &points) ||
           error_set(why, "the launch has no room for the case");
}

static enum launch_place hand_over(void *context, void *job, struct error *why)
{
    struct vertex_launch *b = context;
    const struct job *j = job;
    if (!b->count)
        drm_vc4_drop_shaders(&b->d);
    for (unsigned part = 0; part < j->vertex.parts; part++)
        if (!hand_over_part(b, j, part, why))
            return LAUNCH_NEVER;
    b->placed[b->count++] = &j->vertex;
    return LAUNCH_PLACED;
}

static unsigned tiles_down(const struct vertex_launch *b)
{
    unsigned lines = (b->draws + COLUMNS - 1) / COLUMNS * DRAW_POINTS_PIXELS;
    return (lines + DRAW_TILE - 1) / DRAW_TILE;
}

static enum launch_result launch(void *context, struct error *e)
{
    struct vertex_launch *b = context;
    return drm_vc4_launch(&b->d, TILES_ACROSS, tiles_down(b), e);
}

/* The kernel resets a GPU that hangs, and then reports that all was drawn. The target shows what was not. */
static enum launch_result fetch(void *context)
{
    const struct vertex_launch *b = context;
    drm_vc4_fetch(&b->d, TILES_ACROSS, tiles_down(b));
    for (unsigned i = 0; i < b->count; i++)
        if (!vertex_has_drawn(b->placed[i], b->d.pixels, PITCH, DRM_VC4_CLEAR))
            return LAUNCH_HUNG;
    return LAUNCH_DONE;
}

static bool reset(void *context, struct error *e)
{
    const struct vertex_launch *b = context;
    return drm_vc4_answers(b->d.v, e);
}

static bool collect(void *context, const void *job, struct outcome *o)
{
    const struct vertex_launch *b = context;
    const struct job *j = job;
    return vertex_collect(&j->vertex, b->d.pixels, PITCH, o);
}

const struct launch_backend vertex_backend = {
    .job_bytes = sizeof(struct job),
    .canary = {"misprint-case 1 vc4-vpm\n"
               "vpm fill index\n"
               "ops {\n  rd_setup h32 num=2 stride=17 y=1\n  nop 2\n  read\n  read\n}\n",
               "misprint-case 1 vc4-vpm\n"
               "vpm fill random 5\n"
               "ops {\n  rd_setup h32 num=2 stride=22 y=40\n  nop 2\n  read\n  read\n}\n"},
    .canary_is_right = canary_is_right,
    .judge = judge,
    .clear = clear,
    .has_room = has_room,
    .place = place,
    .hand_over = hand_over,
    .launch = launch,
    .fetch = fetch,
    .reset = reset,
    .collect = collect,
    .dry_run = dry_run_of,
};

static bool make_shaders(struct vertex_launch *b, struct error *e)
{
    if (!drm_vc4_put_shader(&b->d, COORDINATE_SHADER, b->code, draw_make_copy(true, 0, b->code), e))
        return false;
    for (unsigned kind = 0; kind < VERTEX_COPIES; kind++)
        if (!drm_vc4_put_shader(&b->d, FRAGMENT_SHADER + kind, b->code, vertex_make_copy_out(kind, b->code),
                                e))
            return false;
    return true;
}

static bool make_all(struct vertex_launch *b, const struct drm_vc4 *v, struct error *e)
{
    b->program = malloc(sizeof *b->program);
    if (!b->program)
        return error_memory(e, "for a board's cases");
    if (!drm_vc4_begin(&b->d, v, TARGET_BYTES, e) ||
        !drm_vc4_make(v, (size_t)DRAWS_MAX * (ROWS_BYTES + PLACES_BYTES), &b->vertices, e) ||
        !make_shaders(b, e))
        return false;
    b->handle[VERTICES] = b->vertices.handle;
    for (unsigned draw = 0; draw < DRAWS_MAX; draw++) {
        struct draw_place at = square(draw);
        vertex_put_places(&at, (uint32_t *)b->vertices.at + places_at(draw) / 4);
    }
    return true;
}

struct vertex_launch *vertex_launch_new(const struct drm_vc4 *v, struct error *e)
{
    struct vertex_launch *b = calloc(1, sizeof *b);
    if (!b) {
        error_memory(e, "for a board's cases");
        return NULL;
    }
    b->dry_run = dry_run_new();
    b->d.handle = b->handle;
    b->d.kept = FIRST_VERTEX_SHADER;
    b->d.list.records = b->records;
    b->d.list.records_room = sizeof b->records;
    b->d.list.uniforms = b->uniforms;
    b->d.list.uniforms_room = DRAWS_MAX;
    if (make_all(b, v, e))
        return b;
    vertex_launch_free(b);
    return NULL;
}

void vertex_launch_free(struct vertex_launch *b)
{
    if (!b)
        return;
    drm_vc4_end(&b->d);
    drm_vc4_unmap(&b->vertices);
    free(b->program);
    dry_run_free(b->dry_run);
    free(b);
}
