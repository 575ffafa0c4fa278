/* SPDX-License-Identifier: MIT */
#include "model/vc4/shader_output.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROW_CLIP = 0, COORDINATE_ROW_SCREEN = 4 };

static const char *const coordinate_rows[SHADER_COORDINATE_WORDS] = {"xc",    "yc", "zc",  "wc",
                                                                     "ys:xs", "zs", "1/wc"};
static const char *const vertex_rows[SHADER_VERTEX_WORDS] = {"ys:xs", "zs", "1/wc"};

static uint32_t fixed_words(enum qpu_stage stage)
{
    return stage == QPU_STAGE_COORDINATE ? SHADER_COORDINATE_WORDS
           : stage == QPU_STAGE_VERTEX   ? SHADER_VERTEX_WORDS
                                         : 0;
}

const char *shader_row_name(enum qpu_stage stage, bool point_size, uint32_t row)
{
#define FOUR(a, b, c, d) "varying " #a, "varying " #b, "varying " #c, "varying " #d
    static const char *const varyings[] = {FOUR(0, 1, 2, 3),     FOUR(4, 5, 6, 7),     FOUR(8, 9, 10, 11),
                                           FOUR(12, 13, 14, 15), FOUR(16, 17, 18, 19), FOUR(20, 21, 22, 23),
                                           FOUR(24, 25, 26, 27), FOUR(28, 29, 30, 31)};
    uint32_t fixed = fixed_words(stage);
    if (row < fixed)
        return stage == QPU_STAGE_COORDINATE ? coordinate_rows[row] : vertex_rows[row];
    if (fixed && point_size && row == fixed)
        return "point size";
    row -= fixed + point_size;
    return stage == QPU_STAGE_VERTEX && row < sizeof varyings / sizeof *varyings ? varyings[row] : NULL;
}

static float float_at(const struct vc4_rows *vpm, uint32_t row, uint32_t column)
{
    float f;
    memcpy(&f, &vpm->value[row].lane[column], sizeof f);
    return f;
}

/* The low half of a word as a signed number. */
static int16_t half(uint32_t word)
{
    return (int16_t)((int32_t)(word & 0xFFFF) - (int32_t)(word << 1 & 0x10000));
}

void shader_read(enum qpu_stage stage, const struct vc4_rows *vpm, uint32_t column, struct shader_vertex *v)
{
    memset(v, 0, sizeof *v);
    v->has_clip = stage == QPU_STAGE_COORDINATE;
    for (uint32_t i = 0; v->has_clip && i < 4; i++)
        v->clip[i] = float_at(vpm, ROW_CLIP + i, column);
    uint32_t row = v->has_clip ? COORDINATE_ROW_SCREEN : 0, word = vpm->value[row].lane[column];
    v->xs = half(word);
    v->ys = half(word >> 16);
    v->zs = float_at(vpm, row + 1, column);
    v->inverse_w = float_at(vpm, row + 2, column);
}

/* The number of rows written from row 0 on; 0 if there is a gap. */
static uint32_t rows_written(uint64_t written)
{
    return written & (written + 1) ? 0 : (uint32_t)__builtin_popcountll(written);
}

static bool same_vertex(const struct vc4_rows *vpm, uint32_t words, uint32_t a, uint32_t b)
{
    for (uint32_t row = 0; row < words; row++)
        if (vpm->value[row].lane[a] != vpm->value[row].lane[b])
            return false;
    return true;
}

/* Returns the end of the run of equal vertices that starts at `first`. Writes the name of that run. */
static uint32_t vertex_run(const struct vc4_rows *vpm, uint32_t words, uint32_t first, char name[32])
{
    uint32_t end = first + 1;
    while (end < VC4_LANES && same_vertex(vpm, words, first, end))
        end++;
    (void)snprintf(name, 32, end > first + 1 ? "vertices %u-%u" : "vertex %u", first, end - 1);
    return end;
}

bool shader_check(enum qpu_stage stage, const struct vc4_rows *vpm, uint64_t written, struct text *why)
{
    uint32_t fixed = fixed_words(stage), words = rows_written(written);
    if (!fixed)
        return true;
    if (words < fixed) {
        text_add(why, words ? "only %u word%s a vertex, and every vertex needs %u\n" : "rows were left out\n",
                 words, plural(words), fixed);
        return false;
    }
    if (stage == QPU_STAGE_COORDINATE && words > fixed + 1) {
        text_add(why, "%u words a vertex; a coordinate shader leaves %u, and point size\n", words, fixed);
        return false;
    }
    bool good = true;
    for (uint32_t i = 0, end; stage == QPU_STAGE_COORDINATE && i < VC4_LANES; i = end) {
        struct shader_vertex v;
        char name[32];
        end = vertex_run(vpm, words, i, name);
        shader_read(stage, vpm, i, &v);
        double product = (double)v.clip[3] * (double)v.inverse_w;
        if (isnormal(v.clip[3]) && isnormal(v.inverse_w) && !(fabs(product - 1) <= 0x1p-12)) {
            text_add(why, "%s: WC %g times 1/WC %g is %g\n", name, (double)v.clip[3], (double)v.inverse_w,
                     product);
            good = false;
        }
    }
    return good;
}

static void print_vertex(enum qpu_stage stage, const struct vc4_rows *vpm, uint32_t words, uint32_t column,
                         struct text *t)
{
    struct shader_vertex v;
    shader_read(stage, vpm, column, &v);
    text_add(t, "xs %9.4f  ys %9.4f  zs %-12g 1/wc %-12g", v.xs / 16.0, v.ys / 16.0, (double)v.zs,
             (double)v.inverse_w);
    if (v.has_clip)
        text_add(t, "  clip %g %g %g %g", (double)v.clip[0], (double)v.clip[1], (double)v.clip[2],
                 (double)v.clip[3]);
    for (uint32_t row = fixed_words(stage); row < words; row++)
        text_add(t, "%s%g", row == fixed_words(stage) ? "  then " : " ", (double)float_at(vpm, row, column));
    text_add(t, "\n");
}

void shader_print(enum qpu_stage stage, const struct vc4_rows *vpm, uint64_t written, struct text *t)
{
    uint32_t words = rows_written(written);
    if (!fixed_words(stage) || words < fixed_words(stage))
        return;
    for (uint32_t first = 0, end; first < VC4_LANES; first = end) {
        char name[32];
        end = vertex_run(vpm, words, first, name);
        text_add(t, "%-15s ", name);
        print_vertex(stage, vpm, words, first, t);
    }
}
