/* SPDX-License-Identifier: MIT */
/*
 * `misprint where vc4-tmu`: which texel of an image is at which byte, and which byte has which texel. The
 * model's own texture set-up makes the layout from the configuration words, under each profile.
 */
#include "cli/where/settings.h"
#include "cli/where/where.h"
#include "model/core/memory.h"
#include "model/core/units.h"
#include "model/text/character.h"
#include "model/vc4/tmu/texture_format.h"
#include "model/vc4/tmu/tmu_clauses.h"
#include "model/vc4/tmu/tmu_config.h"
#include "model/vc4/tmu/tmu_texture.h"
#include "oracle/describe/clause_text.h"
#include "oracle/describe/escape.h"
#include "oracle/files/load.h"

#include <stdlib.h>
#include <string.h>

struct question {
    unsigned type;
    uint64_t width, height;
    bool by_byte;
    uint64_t x, y, byte;
};

/* Where a texel is, or what a byte has. */
struct layout_answer {
    struct texture_grid grid;
    uint32_t bit;     /* of the first bit of the texel's unit of storage, from the image's first byte */
    uint32_t x, y;    /* of the lowest left texel at the byte, in texels */
    unsigned padding; /* 1: the byte is padding */
    struct coverage coverage;
};

/* ---- the question ---- */

static const char *name_of_type(const void *context, unsigned i)
{
    (void)context;
    return i < TEXTURE_TYPES ? texture_types[i].name : NULL;
}

static bool read_pair(const char *what, const char *text, char between, uint64_t *a, uint64_t *b,
                      struct error *e)
{
    const char *rest = text;
    size_t split = strcspn(text, between == 'x' ? "x" : ",");
    char first[16] = "";
    if (split < sizeof first)
        memcpy(first, text, split);
    if (text[split] && number_read(first, a, &rest) && !*rest && number_read(text + split + 1, b, &rest) &&
        !*rest)
        return true;
    return error_set(e, "%s '%s': expected two decimal numbers, such as %s", what, text,
                     between == 'x' ? "96x64" : "5,37");
}

static bool read_type(const char *word, unsigned *type, struct error *e)
{
    for (*type = 0; *type < TEXTURE_TYPES; ++*type)
        if (texture_types[*type].name && names_equal(texture_types[*type].name, word))
            return true;
    struct text all = {0};
    for (unsigned i = 0; i < TEXTURE_TYPES; i++)
        if (texture_types[i].name)
            text_add(&all, all.length ? " %s" : "formats: %s", texture_types[i].name);
    (void)error_unknown(e, "format", word, name_of_type, NULL, text_chars(&all));
    text_free(&all);
    return false;
}

static bool ask(const struct arguments *a, struct question *q, struct error *e)
{
    const char *rest;
    if (a->words != 4)
        return error_set(e, "where vc4-tmu takes a format, a size, and a texel or a byte: misprint where "
                            "vc4-tmu RGBA8888 96x64 5,37 (or +22868)");
    if (!read_type(a->word[1], &q->type, e) || !read_pair("size", a->word[2], 'x', &q->width, &q->height, e))
        return false;
    if (!q->width || !q->height || q->width > TEXTURE_SIZE_MAX || q->height > TEXTURE_SIZE_MAX)
        return error_set(e, "size '%s': each side is 1 to %d texels", a->word[2], TEXTURE_SIZE_MAX);
    q->by_byte = a->word[3][0] == '+';
    if (!q->by_byte && !read_pair("texel", a->word[3], ',', &q->x, &q->y, e))
        return false;
    if (q->by_byte && (!number_read(a->word[3] + 1, &q->byte, &rest) || *rest))
        return error_set(e, "byte '%s': expected a number: decimal, or hexadecimal after 0x", a->word[3]);
    return q->by_byte || (q->x < q->width && q->y < q->height) ||
           error_set(e, "texel '%s': the image has x 0 to %u and y 0 to %u", a->word[3],
                     (unsigned)q->width - 1, (unsigned)q->height - 1);
}

/* ---- the answer ---- */

/* Finds the texel whose storage holds the byte. */
static void find_texel(const struct question *q, struct layout_answer *to)
{
    const struct texture_type *t = &texture_types[q->type];
    const struct texture_grid *g = &to->grid;
    to->padding = 1;
    for (uint32_t y = 0; y < g->height; y++)
        for (uint32_t x = 0; x < g->width; x++) {
            uint32_t bit = texture_bit(g, x, y);
            if (to->padding && bit / 8 <= q->byte && q->byte <= (bit + (1U << g->texel_bits_log2) - 1) / 8) {
                to->padding = 0;
                to->bit = bit;
                to->x = x << t->block_width_log2;
                to->y = y << t->block_height_log2;
            }
        }
}

static void answer(const struct question *q, const struct profile *p, struct layout_answer *to)
{
    struct tmu_texture *x = memory_new(1, sizeof *x);
    *to = (struct layout_answer){0};
    struct vc4_env env = {.profile = p, .coverage = &to->coverage, .memory_base = MEMORY_BASE_DEFAULT};
    const struct texture_type *t = &texture_types[q->type];
    uint32_t word[2] = {TMU_PUT(P0_BASE, MEMORY_BASE_DEFAULT >> 12) | TMU_PUT(P0_TYPE, q->type & 15),
                        TMU_PUT(P1_TYPE4, q->type >> 4) | TMU_PUT(P1_HEIGHT, q->height) |
                            TMU_PUT(P1_WIDTH, q->width) | TMU_PUT(P1_MAGFILT, 1) | TMU_PUT(P1_MINFILT, 1)};
    tmu_texture_set(x, &env,
                    (unsigned)unit_clause_index(&vc4_tmu_unit, "lt-threshold") - TMU_CLAUSE_LT_THRESHOLD,
                    word, 2);
    to->grid = x->level[0].grid;
    to->x = (uint32_t)q->x;
    to->y = (uint32_t)q->y;
    if (q->by_byte)
        find_texel(q, to);
    else
        to->bit = texture_bit(&to->grid, to->x >> t->block_width_log2, to->y >> t->block_height_log2);
    free(x);
}

static bool same(const struct layout_answer *a, const struct layout_answer *b)
{
    return a->bit == b->bit && a->x == b->x && a->y == b->y && a->padding == b->padding &&
           a->grid.order == b->grid.order;
}

/* ---- printing ---- */

static const char *const orders[] = {
    [TEXTURE_RASTER] = "raster order", [TEXTURE_LT] = "LT format", [TEXTURE_T] = "T format"};

static void print(const struct question *q, const struct layout_answer *a, struct text *t)
{
    const struct texture_type *type = &texture_types[q->type];
    const struct texture_grid *g = &a->grid;
    uint32_t bits = 1U << g->texel_bits_log2, ux = a->x >> type->block_width_log2 >> g->utile.width_log2,
             uy = a->y >> type->block_height_log2 >> g->utile.height_log2;
    uint64_t texels = (uint64_t)((q->width + (1U << type->block_width_log2) - 1) >> type->block_width_log2) *
                      ((q->height + (1U << type->block_height_log2) - 1) >> type->block_height_log2);
    text_add(t, "  %s, %u bytes%s\n", orders[g->order], g->bytes,
             texels * bits < 8 * (uint64_t)g->bytes ? " with padding" : "");
    if (q->by_byte && a->padding) {
        text_add(t, "  byte +%llu: %s\n", (unsigned long long)q->byte,
                 q->byte < g->bytes ? "padding" : "after the last byte of the image");
        return;
    }
    text_add(t, "  texel %u,%u: byte +%u (0x%x)", a->x, a->y, a->bit / 8, a->bit / 8);
    if (bits == 1)
        text_add(t, ", bit %u", a->bit % 8);
    else if (bits < 8)
        text_add(t, ", bits %u to %u", a->bit % 8, a->bit % 8 + bits - 1);
    else
        text_add(t, " to +%u", a->bit / 8 + bits / 8 - 1);
    if (type->block_width_log2)
        text_add(t, ", with its block of %u x %u", 1U << type->block_width_log2,
                 1U << type->block_height_log2);
    if (g->order == TEXTURE_T)
        text_add(t, "\n  4K tile %u,%u, number %u in memory; sub-tile %u; microtile %u of 16", ux >> 3,
                 uy >> 3, a->bit >> 15, a->bit >> 13 & 3, a->bit >> 9 & 15);
    else if (g->order == TEXTURE_LT)
        text_add(t, "\n  microtile %u,%u, number %u in memory", ux, uy, a->bit >> 9);
    text_add(t, "\n");
}

static json_t *json(const struct layout_answer *a, const char *name)
{
    return json_pack("{s:o, s:s, s:I, s:b, s:i, s:i, s:i, s:i}", "answer", json_text(name), "order",
                     orders[a->grid.order], "image_bytes", (json_int_t)a->grid.bytes, "padding",
                     (int)a->padding, "x", (int)a->x, "y", (int)a->y, "byte", (int)(a->bit / 8), "bit",
                     (int)(a->bit % 8));
}

/* Prints each single reading that gives another answer. */
static void print_readings(const struct question *q, const struct profile *p,
                           const struct layout_answer *first, const struct layout_answer *second,
                           json_t *list, struct text *t)
{
    for (unsigned c = 0; c < unit_clauses(&vc4_tmu_unit); c++)
        for (unsigned r = 0; r < clause_readings(unit_clause(&vc4_tmu_unit, c)); r++) {
            const struct clause *clause = unit_clause(&vc4_tmu_unit, c);
            struct profile changed = *p;
            struct layout_answer other;
            struct text line = {0};
            if (!covered(&first->coverage, c) || r == p->reading[c])
                continue;
            changed.reading[c] = (uint8_t)r;
            answer(q, &changed, &other);
            if (same(first, &other))
                continue;
            text_add(&line, "%s=%s, which differs (%s; %s): %s", clause->id, clause->readings[r].id,
                     clause->where, evidence_words(clause->readings[r].evidence), clause->readings[r].says);
            text_add(t, "\n");
            help_fill(t, text_chars(&line), line.length, 0, 2);
            text_add(t, "\n");
            if (same(second, &other))
                text_add(t, "  the answer is that of profile bcm2835\n");
            else
                print(q, &other, t);
            text_clear(&line);
            text_add(&line, "%s=%s", clause->id, clause->readings[r].id);
            json_array_append_new(list, json(&other, text_chars(&line)));
            text_free(&line);
        }
}

int where_tmu(const struct arguments *a)
{
    struct error e = {0};
    struct text t = {0};
    struct question q = {0};
    struct layout_answer first, silicon;
    struct profile p, known;
    json_t *list = json_array();
    if (!ask(a, &q, &e) || !profile_load(&vc4_tmu_unit, argument_profile(a), &p, &e) ||
        !profile_load(&vc4_tmu_unit, "bcm2835", &known, &e)) {
        json_decref(list);
        return fail(STATUS_USAGE, &e);
    }
    answer(&q, &p, &first);
    answer(&q, &known, &silicon);
    text_add(&t, "%s, %s texels, row 0 is the lowest; bytes count from BASE, the image of level 0\n\n",
             a->word[1], a->word[2]);
    text_add(&t, "profile %s%s\n", argument_profile(a),
             same(&first, &silicon) ? " and profile bcm2835, which agree" : "");
    print(&q, &first, &t);
    json_array_append_new(list, json(&first, argument_profile(a)));
    json_array_append_new(list, json(&silicon, "bcm2835"));
    if (!same(&first, &silicon)) {
        text_add(&t, "\nprofile bcm2835, which differs; software for the chip relies on this answer\n");
        print(&q, &silicon, &t);
    }
    print_readings(&q, &p, &first, &silicon, list, &t);
    return print_result(a, &t, json_pack("{s:s, s:o}", "unit", "vc4-tmu", "answers", list), STATUS_EQUAL);
}
