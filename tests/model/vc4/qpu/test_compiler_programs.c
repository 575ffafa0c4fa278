/* SPDX-License-Identifier: MIT */
/*
 * Programs that the Mesa compiler made of small shaders (see their folder's README.md), on the machine,
 * without a unit, under profile bcm2835. Every program runs to its thread end and reads all its uniforms. No
 * program was run on hardware. The test checks what documents and sources promise. It compares positions with
 * double precision, and a coordinate shader with the vertex shader of the same source. It checks the layout
 * of the results in the VPM (p61 fig 11), and that programs consume the words that the compiler's listing
 * names.
 */
#include "model/core/unit.h"
#include "model/core/units.h"
#include "model/vc4/machine.h"
#include "model/vc4/shader_output.h"
#include "tests/model/vc4/qpu/support_machine.h"
#include "tests/support/support_bits.h"
#include "tests/support/support_units.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    MEMORY_ROWS = 2 * 1024 * 1024 / 64,
    UNIFORMS_AT = 0x100000,
    CODE_AT = 0x180000,
    UNIFORMS_MAX = 128,
    PATH = 1024
};

struct shader {
    char name[64];
    enum qpu_stage stage;
    uint32_t code[2 * QPU_PROGRAM_MAX], count;
    uint32_t uniform[UNIFORMS_MAX], uniforms;
    bool msaa;
    unsigned threads;
    double scale[2]; /* viewport scale in sixteenths; 0: the uniforms do not have it */
};

struct shaders {
    struct shader *at;
    unsigned count;
};

struct bench {
    struct coverage coverage;
    struct profile profile;
    struct vc4_rows memory, vpm, varyings, tile;
    uint64_t written[4]; /* sets of written rows: two words for the VPM, two for the tile */
    struct machine *machine;
};

static FILE *open_data(const char *stage)
{
    const char *path = support_data("compiler-programs/vc4/%s.txt", stage);
    FILE *f = fopen(path, "r");
    if (!f) {
        print_message("skipped: no %s\n", path);
        skip();
    }
    return f;
}

static void take_uniform(struct shader *s, const char *line)
{
    uint32_t number, word;
    char label[64] = "";
    if (sscanf(line, "uniform %u %x %63[^\n]", &number, &word, label) < 2)
        return;
    assert_true(number < UNIFORMS_MAX && number == s->uniforms);
    float f;
    memcpy(&f, &word, sizeof f);
    if (strstr(label, "vp_x_scale"))
        s->scale[0] = (double)f;
    if (strstr(label, "vp_y_scale"))
        s->scale[1] = (double)f;
    s->uniform[s->uniforms++] = strstr(label, "uniforms address") ? UNIFORMS_AT : word;
}

static struct shaders read_shaders(const char *stage_name, enum qpu_stage stage)
{
    struct shaders all = {.at = calloc(64, sizeof *all.at)};
    FILE *f = open_data(stage_name);
    char line[1024];
    assert_non_null(all.at);
    while (fgets(line, sizeof line, f)) {
        struct shader *s = &all.at[all.count];
        uint32_t low, high;
        if (sscanf(line, "program %63s", s->name) == 1) {
            s->stage = stage;
            s->threads = strstr(line, "threads=2") ? 2 : 1;
        } else if (!strncmp(line, "state", 5)) {
            s->msaa = strstr(line, "msaa=");
        } else if (!strncmp(line, "end", 3)) {
            assert_true(++all.count < 64);
        } else if (*line != '#' && sscanf(line, "%8x %8x ;", &low, &high) == 2) {
            assert_true(s->count < QPU_PROGRAM_MAX);
            s->code[2 * s->count] = low;
            s->code[2 * s->count++ + 1] = high;
        } else {
            take_uniform(s, line);
        }
    }
    fclose(f);
    return all;
}

/* Makes inputs as in a draw: textures with different bytes, small attributes and varyings, W near 1. */
static struct bench *bench_new(void)
{
    struct bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    b->profile = support_machine_profile();
    b->memory = support_rows(MEMORY_ROWS);
    b->vpm = support_rows(VC4_VPM_ROWS);
    b->vpm.touched = b->written;
    b->tile = support_rows(QPU_TILE_ROWS);
    b->tile.touched = b->written + 2;
    b->varyings = support_rows(2 * QPU_VARYINGS_MAX);
    for (uint32_t i = 0; i < 0x10000; i++)
        b->memory.value[i / 16].lane[i % 16] = i * 2654435761U;
    for (uint32_t row = 0; row < 64; row++)
        for (uint32_t i = 0; i < VC4_LANES; i++) {
            b->vpm.value[row].lane[i] =
                bits_of((row == 3 ? 1.0F : 0.125F) + 0.03125F * (float)((row * 5 + i * 3) % 16));
            b->varyings.value[row].lane[i] = bits_of(row % 2 ? 0.25F : 0.0625F * (float)(1 + (row + i) % 8));
        }
    return b;
}

static void bench_free(struct bench *b)
{
    support_rows_free(&b->memory);
    support_rows_free(&b->vpm);
    support_rows_free(&b->tile);
    support_rows_free(&b->varyings);
    free(b->machine);
    free(b);
}

/* Sets a thread's tile and varyings. W and Z are in the thread's register 15, which is row `row` of the
 * files. */
static void enter_pixels(struct bench *b, struct machine_qpu *p, struct qpu_graphics *g, unsigned row)
{
    g->stage = QPU_STAGE_FRAGMENT;
    g->varyings = b->varyings;
    g->varying_count = QPU_VARYINGS_MAX;
    g->tile = b->tile;
    vector_splat(&p->ra[row], bits_of(1.0F));
    vector_splat(&p->rb[row], 0x7FFFFF);
    p->ra_defined[row] = p->rb_defined[row] = p->qpu.all;
}

static void enter_fragment(struct bench *b, struct machine_qpu *p)
{
    struct qpu *q = &p->qpu;
    enter_pixels(b, p, &p->graphics, 15);
    q->pixels_written = true;
    vector_splat(&q->ms_flags.value, 15);
    vector_splat(&q->rev_flag.value, 0);
    for (unsigned f = 0; f < 2; f++)
        vector_splat(&q->quad[f].value, 8);
    q->ms_flags.defined = q->rev_flag.defined = q->quad[0].defined = q->quad[1].defined = q->all;
}

static enum vc4_stop run_shader(struct bench *b, const struct shader *s, bool checked)
{
    for (uint32_t i = 0; i < s->uniforms; i++)
        b->memory.value[UNIFORMS_AT / 64 + i / 16].lane[i % 16] = s->uniform[i];
    struct machine_start start = {.program = s->code,
                                  .count = s->count,
                                  .code_base = CODE_AT,
                                  .uniforms = {.in_memory = true, .address = UNIFORMS_AT}};
    struct machine_setup setup = {
        .env = {.profile = &b->profile, .coverage = &b->coverage, .checked = checked, .memory = b->memory},
        .vpm = b->vpm,
        .qpus = 1,
        .start = &start,
        .limit = 100000};
    b->machine = support_machine(1);
    machine_prepare(b->machine, &setup);
    b->machine->part[0]->graphics.stage = s->stage;
    if (s->stage == QPU_STAGE_FRAGMENT)
        enter_fragment(b, b->machine->part[0]);
    return machine_run(b->machine);
}

static void expect_end(const struct bench *b, const struct shader *s, enum vc4_stop stop)
{
    if (stop == VC4_GO)
        return;
    struct text t = {0};
    machine_explain(b->machine, &t);
    fail_msg("%s: %s%s", s->name, text_chars(&t), vc4_reasons[stop]);
}

/* Does the shader branch? Only a shader with a branch may skip uniforms. */
static bool branches(const struct shader *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->code[2 * i + 1] >> 28 == QPU_SIG_BRANCH)
            return true;
    return false;
}

static void expect_uniforms(const struct bench *b, const struct shader *s)
{
    if (!branches(s))
        assert_int_equal(b->machine->part[0]->qpu.uniforms.address, UNIFORMS_AT + 4 * s->uniforms);
}

static void fragment_shaders_leave_colours(void **state)
{
    (void)state;
    struct shaders all = read_shaders("fragment", QPU_STAGE_FRAGMENT);
    unsigned with_colour = 0, known = 0;
    for (unsigned i = 0; i < all.count; i++) {
        struct bench *b = bench_new();
        expect_end(b, &all.at[i], run_shader(b, &all.at[i], false));
        expect_uniforms(b, &all.at[i]);
        with_colour += b->written[2] & 15 ? 1 : 0;
        bench_free(b);
        /* a checked run may stop at a branch on an SFU result, because the result is not fully defined
         * (END_UNDEFINED) */
        b = bench_new();
        enum vc4_stop stop = run_shader(b, &all.at[i], true);
        if (stop != VC4_FAULT_UNDEFINED)
            expect_end(b, &all.at[i], stop);
        known += stop == VC4_GO;
        bench_free(b);
    }
    print_message("  %u fragment shaders, %u wrote colours, %u followed bit by bit to their end\n", all.count,
                  with_colour, known);
    assert_true(all.count > 0 && with_colour > all.count * 9 / 10 && known > all.count * 9 / 10);
    free(all.at);
}

/* Gives the second thread other pixels: other varyings, and its own tile. */
static void enter_second(struct bench *other, struct machine_qpu *p)
{
    const struct qpu *q = &p->qpu;
    enter_pixels(other, p, &p->second_graphics, 31);
    p->qpu.other.ms_flags = q->ms_flags;
    p->qpu.other.rev_flag = q->rev_flag;
    p->qpu.other.quad[0] = q->quad[0];
    p->qpu.other.quad[1] = q->quad[1];
}

static void vary(struct bench *b)
{
    for (uint32_t row = 0; row < 64; row++)
        for (uint32_t i = 0; i < VC4_LANES; i++)
            b->varyings.value[row].lane[i] =
                bits_of(row % 2 ? 0.125F : 0.03125F * (float)(1 + (row * 3 + i) % 16));
}

static enum vc4_stop run_pair(struct bench *b, struct bench *other, const struct shader *s)
{
    for (uint32_t i = 0; i < s->uniforms; i++)
        b->memory.value[UNIFORMS_AT / 64 + i / 16].lane[i % 16] = s->uniform[i];
    struct qpu_uniforms uniforms = {.in_memory = true, .address = UNIFORMS_AT};
    struct machine_start start = {.program = s->code,
                                  .count = s->count,
                                  .code_base = CODE_AT,
                                  .uniforms = uniforms,
                                  .two_threads = true,
                                  .second_uniforms = uniforms};
    struct machine_setup setup = {.env = {.profile = &b->profile,
                                          .coverage = &b->coverage,
                                          .memory = b->memory},
                                  .vpm = b->vpm,
                                  .qpus = 1,
                                  .start = &start,
                                  .limit = 100000};
    b->machine = support_machine(1);
    machine_prepare(b->machine, &setup);
    enter_fragment(b, b->machine->part[0]);
    enter_second(other, b->machine->part[0]);
    return machine_run(b->machine);
}

/* Two threads that run together write the same pixels as each thread alone. */
static void threaded_shaders_do_not_disturb_each_other(void **state)
{
    (void)state;
    struct shaders all = read_shaders("fragment", QPU_STAGE_FRAGMENT);
    unsigned pairs = 0;
    for (unsigned i = 0; i < all.count; i++) {
        const struct shader *s = &all.at[i];
        if (s->threads < 2)
            continue;
        struct bench *alone[2] = {bench_new(), bench_new()}, *pair[2] = {bench_new(), bench_new()};
        vary(alone[1]);
        vary(pair[1]);
        expect_end(alone[0], s, run_shader(alone[0], s, false));
        expect_end(alone[1], s, run_shader(alone[1], s, false));
        expect_end(pair[0], s, run_pair(pair[0], pair[1], s));
        for (unsigned t = 0; t < 2; t++)
            if (memcmp(pair[t]->tile.value, alone[t]->tile.value,
                       QPU_TILE_ROWS * sizeof *pair[t]->tile.value) != 0)
                fail_msg("%s: thread %u leaves other pixels than it leaves alone", s->name, t + 1);
        pairs += memcmp(alone[0]->tile.value, alone[1]->tile.value,
                        QPU_TILE_ROWS * sizeof *alone[0]->tile.value) != 0;
        for (unsigned t = 0; t < 2; t++) {
            bench_free(alone[t]);
            bench_free(pair[t]);
        }
    }
    print_message("  %u pairs of threads with different pixels\n", pairs);
    assert_true(pairs > 0);
    free(all.at);
}

/* XS and YS are X/W and Y/W on the screen, in sixteenths of a pixel, rounded toward zero (p61). */
static void expect_screen(const struct shader *s, const struct shader_vertex *v)
{
    const int16_t got[2] = {v->xs, v->ys};
    for (unsigned i = 0; i < 2; i++) {
        double want = (double)v->clip[i] / (double)v->clip[3] * s->scale[i];
        if (s->scale[i] > 0 && !(fabs(got[i] - want) <= 1 + fabs(want) * 0x1p-12))
            fail_msg("%s: %d sixteenths, double precision says %g", s->name, got[i], want);
    }
}

static unsigned run_vertices(const struct shader *s, struct shader_vertex v[VC4_LANES])
{
    struct bench *b = bench_new();
    struct text why = {0};
    expect_end(b, s, run_shader(b, s, false));
    expect_uniforms(b, s);
    uint64_t written = b->written[0];
    if (!shader_check(s->stage, &b->vpm, written, &why))
        fail_msg("%s: %s", s->name, text_chars(&why));
    text_free(&why);
    unsigned words = (unsigned)__builtin_popcountll(written);
    for (uint32_t i = 0; i < VC4_LANES; i++)
        shader_read(s->stage, &b->vpm, i, &v[i]);
    bench_free(b);
    return words;
}

/* Returns the number of attribute words that a shader reads: the sum of NUM in its setups of block reads (p58
 * T33). The compiler loads these setups as immediates. */
static unsigned attribute_words(const struct shader *s)
{
    unsigned words = 0;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->code[2 * i + 1] == 0xE0024C67)
            words += s->code[2 * i] >> 20 & 15 ? s->code[2 * i] >> 20 & 15 : 16;
    return words;
}

static const struct shader *named(const struct shaders *all, const char *name)
{
    for (unsigned i = 0; i < all->count; i++)
        if (!strcmp(all->at[i].name, name))
            return &all->at[i];
    return NULL;
}

static void vertices_stand_where_they_belong(void **state)
{
    (void)state;
    struct shaders coordinate = read_shaders("coordinate", QPU_STAGE_COORDINATE),
                   vertex = read_shaders("vertex", QPU_STAGE_VERTEX);
    unsigned pairs = 0, rows = 0;
    for (unsigned i = 0; i < coordinate.count; i++) {
        const struct shader *s = &coordinate.at[i], *other = named(&vertex, s->name);
        struct shader_vertex v[VC4_LANES], w[VC4_LANES];
        rows += run_vertices(s, v);
        for (unsigned k = 0; k < VC4_LANES; k++)
            expect_screen(s, &v[k]);
        /* shaders that read other numbers of attributes have them in other rows */
        if (!other || attribute_words(other) != attribute_words(s))
            continue;
        pairs++;
        run_vertices(other, w);
        for (unsigned k = 0; k < VC4_LANES; k++) { /* the two shaders may add in another order */
            assert_true(abs(v[k].xs - w[k].xs) <= 1 && abs(v[k].ys - w[k].ys) <= 1);
            assert_true(fabs((double)(v[k].zs - w[k].zs)) <= 0x1p-18 * fabs((double)v[k].zs));
            assert_true(fabs((double)(v[k].inverse_w - w[k].inverse_w)) <=
                        0x1p-18 * fabs((double)v[k].inverse_w));
        }
    }
    for (unsigned i = 0; i < vertex.count; i++) {
        struct shader_vertex v[VC4_LANES];
        rows += run_vertices(&vertex.at[i], v);
    }
    print_message("  %u coordinate and %u vertex shaders, %u rows written, %u pairs agree\n",
                  coordinate.count, vertex.count, rows, pairs);
    assert_true(coordinate.count > 0 && vertex.count > 0 && pairs > 0);
    free(coordinate.at);
    free(vertex.at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fragment_shaders_leave_colours),
        cmocka_unit_test(threaded_shaders_do_not_disturb_each_other),
        cmocka_unit_test(vertices_stand_where_they_belong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
