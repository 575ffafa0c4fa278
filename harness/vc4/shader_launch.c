/* SPDX-License-Identifier: MIT */
#include "harness/vc4/shader_launch.h"

#include "harness/vc4/program/shader.h"
#include "harness/vc4/program/tmu_program.h"
#include "harness/verify/dry_run.h"
#include "model/vc4/qpu/unit_qpu.h"
#include "model/vc4/tmu/unit_tmu.h"

#include <stdlib.h>
#include <string.h>

enum {
    PLACED_MAX = LAUNCH_CASES_MAX + LAUNCH_CANARIES,
    ROW_BYTES = 4 * VC4_LANES,
    TILES_MAX = DRAW_TARGET_MAX / DRAW_TILE, /* on a side */
    COLUMNS = TILES_MAX * DRAW_TILE / SHADER_WIDTH,
    LINES = TILES_MAX * DRAW_TILE,
    TARGET_BYTES = LINES * LINES * 4,
    INPUT_ROWS = 16384,
    UNIFORMS = 1 << 16,   /* words of all uniform streams */
    CODE_WORDS = 1 << 18, /* words of all shaders */
    VERTICES_BYTES =
        4 * DRAW_VERTICES * (DRAW_VERTEX_WORDS + DRAW_VARYINGS_MAX), /* words of one triangle, at most */
    MEMORIES = 64, /* buffers for the memory of vc4-tmu cases, in one launch */
};

/* Indices into `handle`. The cases' memories follow, then their shaders. The kernel accepts no handle
 * twice. */
enum {
    INPUT = DRM_VC4_TARGET + 1,
    VERTICES,
    COORDINATE_SHADER,
    VERTEX_SHADER, /* without varyings; those with 1, 2, ... varyings follow */
    FIRST_MEMORY = VERTEX_SHADER + 1 + SHADER_VARYINGS_MAX
};
_Static_assert((int)SHADER_VARYINGS_MAX == (int)DRAW_VARYINGS_MAX,
               "a vertex has room for all varyings that a shader may read");

struct job {
    struct verifier_proof proof;
    struct shader_part part; /* all 0 for a case of vc4-tmu */
    struct shader shader;
    const uint32_t *code,
        *stream;     /* the shader's instructions and uniforms; `code` is NULL if it was not built */
    unsigned memory; /* index of the buffer that the case's look-ups read */
};

/* A buffer for a case's memory, and what the buffer contains: rows by a fill rule, except the rows in `own`.
 * Only this process writes the buffer. */
struct memory {
    struct drm_vc4_buffer buffer;
    bool filled;
    uint32_t fill, seed;
    uint64_t own[VC4_MEMORY_ROWS / 64];
};

struct shader_launch {
    struct drm_vc4_drawing d;
    struct drm_vc4_buffer input, vertices;
    struct memory memory[MEMORIES];   /* in the order of their handles */
    unsigned memories, memories_used; /* allocated; used by this launch */
    uint32_t handle[FIRST_MEMORY + MEMORIES + PLACED_MAX];
    /* for a case of vc4-tmu: its QPU program and the program's initial state */
    struct test_case *program;
    const void *program_of; /* the job that `program` belongs to */
    struct outcome *initial;
    uint8_t records[PLACED_MAX * DRAW_RECORD_BYTES];
    uint32_t uniforms[UNIFORMS];
    uint32_t column, line; /* where the next rectangle begins */
    uint32_t lines, rows;  /* used lines of the target, used rows of the input */
    /* used words: of `code`, of `stream`, and of the command list's uniforms after all cases are handed over
     */
    uint32_t code_words, stream_words, list_words;
    const struct shader *drawn[PLACED_MAX];
    unsigned count; /* entries of `drawn` in use */
    struct test_case
        twin; /* the fragment shader being judged, rewritten as a user program without varyings */
    struct dry_run *dry_run; /* runs the cases' own instructions; the kernel validates the code around them */
    uint32_t code[CODE_WORDS], stream[UNIFORMS];
};

/* ---- canaries: sums and differences, and logic operations that read r4 ---- */

static bool canary_is_right(unsigned n, const struct test_case *tc, const struct outcome *o)
{
    const struct layout *l = &o->unit->layout;
    const struct qpu_case *c = (const void *)tc->words;
    const uint32_t *ra = o->value + layout_region_named(l, "ra")->first_row * VC4_LANES;
    const uint32_t *acc = o->value + layout_region_named(l, "acc")->first_row * VC4_LANES;
    for (unsigned i = 0; i < VC4_LANES; i++) {
        const uint32_t ra31 = ra[31 * VC4_LANES + i], r2 = acc[2 * VC4_LANES + i];
        uint32_t x = n == 0 ? c->ra.row[0].word[i] : c->acc.row[0].word[i],
                 y = n == 0 ? c->rb.row[0].word[i] : c->acc.row[1].word[i];
        if (n == 0 ? ra31 != x + y || r2 != x - y : ra31 != (x ^ y) || r2 != (x & y))
            return false;
    }
    return true;
}

/* ---- placing ---- */

static bool judge(void *context, void *job, const struct test_case *c, struct error *why)
{
    struct shader_launch *b = context;
    struct job *j = job;
    if (!shader_prove(c, &b->twin, &j->proof, &j->part, why))
        return false;
    bool fragment = ((const struct qpu_case *)(const void *)c->words)->stage == QPU_STAGE_FRAGMENT;
    return dry_run_admits_case(b->dry_run, fragment ? &b->twin : c, MEMORY_BASE_DEFAULT, why);
}

static struct dry_run *dry_run_of(void *context)
{
    return ((struct shader_launch *)context)->dry_run;
}

static void clear(void *context)
{
    struct shader_launch *b = context;
    b->memories_used = b->column = b->line = b->lines = b->rows = b->code_words = b->stream_words =
        b->list_words = b->count = 0;
    draw_begin(&b->d.list);
}

static bool has_room(const void *context)
{
    const struct shader_launch *b = context;
    return b->column + LAUNCH_CANARIES < COLUMNS && b->rows + 2 * SHADER_INPUT_MAX <= INPUT_ROWS &&
           b->code_words + 2 * 2 * SHADER_CODE_MAX <= CODE_WORDS &&
           b->list_words + 2 * (SHADER_UNIFORMS_MAX + SHADER_INPUT_MAX) <= UNIFORMS &&
           (!b->memories || b->memories_used + 2 <= b->memories);
}

static enum launch_place place(void *context, void *job, const struct test_case *c,
                               const struct outcome *initial, uint32_t stamp, struct error *why)
{
    struct shader_launch *b = context;
    struct job *j = job;
    uint32_t height = shader_height(&j->proof);
    if (b->line + height > LINES) {
        b->column++;
        b->line = 0;
    }
    struct shader_slot slot = {.code = b->code + b->code_words,
                               .uniforms = b->stream + b->stream_words,
                               .input = (uint32_t *)b->input.at + b->rows * VC4_LANES,
                               .input_at = b->rows * ROW_BYTES,
                               .x = b->column * SHADER_WIDTH,
                               .y = b->line};
    j->code = NULL;
    if (!shader_build(c, &j->proof, &j->part, initial, stamp, &slot, &j->shader, why))
        return LAUNCH_NEVER;
    const struct shader *s = &j->shader;
    j->code = slot.code;
    j->stream = slot.uniforms;
    j->memory = FIRST_MEMORY + b->memories_used;
    b->code_words += 2 * s->code;
    b->stream_words += s->uniforms;
    b->list_words += s->input + s->own_lookups + s->uniforms;
    b->rows += s->input;
    b->line += s->height;
    b->lines = b->line > b->lines ? b->line : b->lines;
    return LAUNCH_PLACED;
}

/* Passes a shader to the kernel and adds its rectangle to the command list. */
static enum launch_place hand_over(void *context, void *job, struct error *why)
{
    static const struct draw_buffers shared = {.vertices = VERTICES,
                                               .vertex_shader = VERTEX_SHADER,
                                               .coordinate_shader = COORDINATE_SHADER};
    struct shader_launch *b = context;
    const struct job *j = job;
    const struct shader *s = &j->shader;
    if (!b->count)
        drm_vc4_drop_shaders(&b->d);
    if (!j->code || !drm_vc4_put_shader(&b->d, b->d.handles, j->code, s->code, why))
        return LAUNCH_NEVER;
    struct draw_place at = {s->x, s->y, SHADER_WIDTH, s->height};
    struct draw_shader shader = {.buffer = b->d.handles++,
                                 .input = INPUT,
                                 .inputs = s->input,
                                 .memory = j->memory,
                                 .others = s->own_lookups,
                                 .words = s->uniforms,
                                 .uniforms = j->stream,
                                 .varyings = s->varyings,
                                 .vertices_at = s->varyings ? VERTICES_BYTES * (b->count + 1) : 0};
    if (s->varyings)
        draw_put_vertices((uint32_t *)b->vertices.at + shader.vertices_at / 4, s->varying, s->varyings);
    if (!draw_rectangle(&b->d.list, &shared, &at, &shader)) {
        (void)error_set(why, "the launch has no room for its uniforms");
        return LAUNCH_NEVER;
    }
    b->drawn[b->count++] = s;
    return LAUNCH_PLACED;
}

/* ---- unit vc4-tmu: a QPU program makes the look-ups, in a buffer that holds only the case's memory ---- */

static bool judge_lookups(void *context, void *job, const struct test_case *c, struct error *why)
{
    struct shader_launch *b = context;
    struct job *j = job;
    j->part = (struct shader_part){0};
    b->program_of = NULL;
    if (!tmu_program_make(c, b->program, &j->proof, why))
        return false;
    b->program_of = job;
    return true;
}

/* Returns the next buffer, if possible one that the case's fill rule has already filled. Cases use few
 * different fill rules, so usually only a few of the 256 rows must be written. */
static struct memory *next_memory(struct shader_launch *b, const struct image_head *head)
{
    struct memory *next = &b->memory[b->memories_used], *found = next, *end = b->memory + b->memories;
    while (found < end && !(found->filled && found->fill == head->fill && found->seed == head->seed))
        found++;
    if (found == end)
        return next;
    struct memory other = *next;
    *next = *found;
    *found = other;
    b->handle[FIRST_MEMORY + (found - b->memory)] = found->buffer.handle;
    b->handle[FIRST_MEMORY + b->memories_used] = next->buffer.handle;
    return next;
}

/* Writes a case's memory, all of `rows`, to the next buffer. */
static void put_memory(struct shader_launch *b, const struct tmu_case *c, const uint32_t *rows)
{
    struct memory *m = next_memory(b, &c->memory);
    bool fits = m->filled && m->fill == c->memory.fill && m->seed == c->memory.seed;
    uint64_t own[VC4_MEMORY_ROWS / 64] = {0};
    for (uint32_t i = 0; i < c->memory.count; i++)
        if (c->memory_row[i].index < VC4_MEMORY_ROWS)
            own[c->memory_row[i].index / 64] |= UINT64_C(1) << c->memory_row[i].index % 64;
    for (uint32_t word = 0; word < VC4_MEMORY_ROWS / 64; word++)
        for (uint64_t left = fits ? m->own[word] | own[word] : UINT64_MAX; left; left &= left - 1) {
            size_t row = 64 * word + (uint32_t)__builtin_ctzll(left);
            memcpy((uint32_t *)m->buffer.at + row * VC4_LANES, rows + row * VC4_LANES, ROW_BYTES);
        }
    m->filled = true;
    m->fill = c->memory.fill;
    m->seed = c->memory.seed;
    memcpy(m->own, own, sizeof own);
}

static enum launch_place place_lookups(void *context, void *job, const struct test_case *c,
                                       const struct outcome *initial, uint32_t stamp, struct error *why)
{
    struct shader_launch *b = context;
    struct job *j = job;
    const struct layout *l = &initial->unit->layout;
    if (b->program_of != job && !judge_lookups(context, job, c, why))
        return LAUNCH_NEVER;
    outcome_reset(b->initial, b->program);
    put_memory(b, (const void *)c->words,
               initial->value + layout_region_named(l, "memory")->first_row * VC4_LANES);
    enum launch_place placed = place(context, job, b->program, b->initial, stamp, why);
    for (unsigned i = 0; i < j->shader.rows; i++) /* the program's registers hold the case's results */
        j->shader.row[i] = (uint16_t)(layout_region_named(l, "r4")->first_row + i);
    b->memories_used += placed == LAUNCH_PLACED;
    return placed;
}

/* The canaries load words of memory at ascending and at descending offsets. */
static bool lookups_are_right(unsigned n, const struct test_case *tc, const struct outcome *o)
{
    const struct layout *l = &o->unit->layout;
    const uint32_t *r4 = o->value + layout_region_named(l, "r4")->first_row * VC4_LANES;
    const uint32_t *memory = o->value + layout_region_named(l, "memory")->first_row * VC4_LANES;
    (void)tc;
    for (unsigned i = 0; i < VC4_LANES; i++)
        if (r4[i] != memory[n == 0 ? i : 3 * VC4_LANES + (VC4_LANES - 1 - i)])
            return false;
    return true;
}

/* Returns how many columns of tiles the placed rectangles need. The target's lines follow each other without
 * gaps, so this also determines the pitch. */
static unsigned tiles_across(const struct shader_launch *b)
{
    return (b->column + 1) * SHADER_WIDTH / DRAW_TILE;
}

static unsigned tiles_down(const struct shader_launch *b)
{
    return (b->lines + DRAW_TILE - 1) / DRAW_TILE;
}

static enum launch_result launch(void *context, struct error *e)
{
    struct shader_launch *b = context;
    return drm_vc4_launch(&b->d, tiles_across(b), tiles_down(b), e);
}

/* The kernel resets a GPU that hangs, and then reports that all was drawn. The target shows what was not. */
static enum launch_result fetch(void *context)
{
    const struct shader_launch *b = context;
    drm_vc4_fetch(&b->d, tiles_across(b), tiles_down(b));
    for (unsigned i = 0; i < b->count; i++)
        if (!shader_has_drawn(b->drawn[i], b->d.pixels, tiles_across(b) * DRAW_TILE, DRM_VC4_CLEAR))
            return LAUNCH_HUNG;
    return LAUNCH_DONE;
}

/* Forgets what the buffers contain, because a GPU that hung may have written anywhere. */
static bool reset(void *context, struct error *e)
{
    struct shader_launch *b = context;
    for (unsigned i = 0; i < b->memories; i++)
        b->memory[i].filled = false;
    return drm_vc4_answers(b->d.v, e);
}

static bool collect(void *context, const void *job, struct outcome *o)
{
    const struct shader_launch *b = context;
    const struct job *j = job;
    return shader_collect(&j->shader, b->d.pixels, tiles_across(b) * DRAW_TILE, o);
}

static bool collect_lookups(void *context, const void *job, struct outcome *o)
{
    if (!collect(context, job, o))
        return false;
    tmu_program_mask(o);
    return true;
}

const struct launch_backend shader_backend = {
    .job_bytes = sizeof(struct job),
    .canary = {"misprint-case 1 vc4-qpu\n"
               "ra row 0 = 10203040 00000001 7fffffff 80000000 ffffffff 12345678 0000ffff 00010000 5 6 7 8 9 "
               "a b c\n"
               "rb row 9 = 01020304 ffffffff 00000001 80000000 00000001 87654321 00000001 0000ffff 1 1 2 2 3 "
               "3 4 4\n"
               "program {\n  add ra31, ra0, rb9\n  sub r2, ra0, rb9\n  nop ; end\n  nop\n  nop\n}\n",
               "misprint-case 1 vc4-qpu\n"
               "acc row 0 = 0f1e2d3c 1 2 3 4 5 6 7 8 9 a b c d e a5a5a5a5\n"
               "acc row 4 = 7b7b7b7b 0 ffffffff 80000000 4 5 6 7 8 f f f f f f 5a5a5a5a\n"
               "program {\n  xor ra31, r0, r4\n  and r2, r0, r4\n  nop ; end\n  nop\n  nop\n}\n"},
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

const struct launch_backend lookup_backend = {
    .job_bytes = sizeof(struct job),
    .canary = {"misprint-case 1 vc4-tmu\n"
               "memory fill random 5\n"
               "data row 0 = 0 4 8 c 10 14 18 1c 20 24 28 2c 30 34 38 3c\n"
               "ops {\n  s-address 0\n  load\n}\n",
               "misprint-case 1 vc4-tmu\n"
               "memory fill index\n"
               "data row 1 = fc f8 f4 f0 ec e8 e4 e0 dc d8 d4 d0 cc c8 c4 c0\n"
               "ops {\n  s-address 1\n  load\n}\n"},
    .canary_is_right = lookups_are_right,
    .judge = judge_lookups,
    .clear = clear,
    .has_room = has_room,
    .place = place_lookups,
    .hand_over = hand_over,
    .launch = launch,
    .fetch = fetch,
    .reset = reset,
    .collect = collect_lookups,
};

static bool make_copy_shader(struct shader_launch *b, bool coordinate, unsigned varyings, unsigned number,
                             struct error *e)
{
    uint32_t code[2 * DRAW_COPY_MAX];
    return drm_vc4_put_shader(&b->d, number, code, draw_make_copy(coordinate, varyings, code), e);
}

static bool make_memories(struct shader_launch *b, struct error *e)
{
    const struct unit *u = unit_named("vc4-qpu");
    b->program = malloc(sizeof *b->program);
    b->initial = outcome_new(u);
    if (!b->program || !b->initial)
        return error_memory(e, "for a board's cases");
    for (; b->memories < MEMORIES; b->memories++) {
        if (!drm_vc4_make(b->d.v, TMU_PROGRAM_MEMORY, &b->memory[b->memories].buffer, e))
            return false;
        b->handle[b->d.handles++] = b->memory[b->memories].buffer.handle;
    }
    b->d.kept = b->d.handles;
    return true;
}

static bool make_all(struct shader_launch *b, const struct drm_vc4 *v, struct error *e)
{
    if (!drm_vc4_begin(&b->d, v, TARGET_BYTES, e) || !drm_vc4_make(v, INPUT_ROWS * ROW_BYTES, &b->input, e) ||
        !drm_vc4_make(v, (PLACED_MAX + 1) * VERTICES_BYTES, &b->vertices, e))
        return false;
    for (unsigned n = 0; n <= SHADER_VARYINGS_MAX; n++)
        if (!make_copy_shader(b, false, n, VERTEX_SHADER + n, e))
            return false;
    memcpy(b->vertices.at, draw_vertices, sizeof draw_vertices);
    b->handle[INPUT] = b->input.handle;
    b->handle[VERTICES] = b->vertices.handle;
    return make_copy_shader(b, true, 0, COORDINATE_SHADER, e);
}

struct shader_launch *shader_launch_new(const struct launch_backend *backend, const struct drm_vc4 *v,
                                        struct error *e)
{
    struct shader_launch *b = calloc(1, sizeof *b);
    if (!b) {
        error_memory(e, "for a board's cases");
        return NULL;
    }
    b->dry_run = dry_run_new();
    b->d.handle = b->handle;
    b->d.kept = FIRST_MEMORY;
    b->d.list.records = b->records;
    b->d.list.records_room = sizeof b->records;
    b->d.list.uniforms = b->uniforms;
    b->d.list.uniforms_room = UNIFORMS;
    if (make_all(b, v, e) && (backend != &lookup_backend || make_memories(b, e)))
        return b;
    shader_launch_free(b);
    return NULL;
}

void shader_launch_free(struct shader_launch *b)
{
    if (!b)
        return;
    drm_vc4_end(&b->d);
    drm_vc4_unmap(&b->input);
    drm_vc4_unmap(&b->vertices);
    for (unsigned i = 0; i < MEMORIES; i++)
        drm_vc4_unmap(&b->memory[i].buffer);
    free(b->program);
    dry_run_free(b->dry_run);
    outcome_free(b->initial);
    free(b);
}
