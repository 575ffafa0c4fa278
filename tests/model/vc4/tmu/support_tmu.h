/* SPDX-License-Identifier: MIT */
/*
 * A look-up unit with its memory, for tests that call it directly, and a texture in page 1. The test writes
 * the texels of this texture one by one. Each test begins with `fresh`.
 */
#ifndef MISPRINT_TESTS_MODEL_VC4_TMU_SUPPORT_TMU_H
#define MISPRINT_TESTS_MODEL_VC4_TMU_SUPPORT_TMU_H

#include "model/number/random.h"
#include "model/vc4/tmu/tmu.h"
#include "model/vc4/tmu/tmu_clauses.h"
#include "model/vc4/tmu/tmu_filter.h"
#include "tests/support/support_bits.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { BASE = 0x40000000, CLAUSE_BASE = 37, PAGE = 4096, ROWS = VC4_MEMORY_ROWS };

static struct machine {
    struct profile profile;
    struct coverage coverage;
    struct vc4_vector memory[ROWS], memory_defined[ROWS];
    struct vc4_env env;
    struct tmu t;
} m;
static const struct vc4_vector all_defined = {
    .lane = {~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U}};

static inline void reading(enum tmu_clause clause, unsigned value)
{
    m.profile.reading[CLAUSE_BASE + clause] = (uint8_t)value;
}

/* Uses the readings that Mesa relies on. Each byte of memory differs from its neighbours. */
static inline int fresh(void **state)
{
    (void)state;
    memset(&m, 0, sizeof m);
    memset(m.memory_defined, 0xFF, sizeof m.memory_defined);
    for (uint32_t i = 0; i < ROWS * 16; i++)
        m.memory[i / 16].lane[i % 16] = i * 0x9E3779B9U ^ i << 7;
    reading(TMU_CLAUSE_PARAM_ORDER, TMU_PARAM_EVERY_WRITE);
    reading(TMU_CLAUSE_EXPLICIT_LOD, TMU_EXPLICIT_LOD_ANY);
    reading(TMU_CLAUSE_T17_TEXT, TMU_T17_CHILD_SIZE);
    reading(TMU_CLAUSE_LT_THRESHOLD, TMU_LT_SUBTILE);
    m.env = (struct vc4_env){.profile = &m.profile,
                             .coverage = &m.coverage,
                             .checked = true,
                             .filler = 0xDEADBEEF,
                             .memory_base = BASE,
                             .memory = {.value = m.memory, .defined = m.memory_defined, .rows = ROWS}};
    tmu_reset(&m.t, &m.env, CLAUSE_BASE);
    return 0;
}

static inline struct vc4_vector splat(uint32_t word)
{
    struct vc4_vector v;
    for (unsigned i = 0; i < 16; i++)
        v.lane[i] = word;
    return v;
}
static inline struct vc4_vector floats(float first, float step)
{
    struct vc4_vector v;
    for (unsigned i = 0; i < 16; i++)
        v.lane[i] = bits_of(first + step * (float)i);
    return v;
}

/* Writes `v` to a register. The unit takes the write's uniform, if there is one, from `*stream`. */
static inline enum vc4_stop put(enum tmu_register reg, struct vc4_vector v, const uint32_t **stream)
{
    uint32_t uniform = tmu_takes_uniform(&m.t, reg) ? *(*stream)++ : 0;
    return tmu_write(&m.t, reg, &v, &all_defined, uniform, UINT32_MAX);
}
static inline enum vc4_stop direct(uint32_t address)
{
    static const uint32_t none[1];
    const uint32_t *stream = none;
    enum vc4_stop stop = put(TMU_S, splat(address), &stream);
    assert_ptr_equal(stream, none);
    return stop;
}
static inline struct vc4_vector load_masked(struct vc4_vector *defined)
{
    struct vc4_vector v;
    assert_int_equal(tmu_load(&m.t, &v, defined), VC4_GO);
    return v;
}
static inline struct vc4_vector load(void)
{
    struct vc4_vector defined, v = load_masked(&defined);
    assert_memory_equal(&defined, &all_defined, sizeof defined);
    return v;
}

/* The settings of a texture. Its base is page `page` of the memory; 0: page 1. */
struct setup {
    uint32_t type, width, height, levels, min, mag, wrap_s, wrap_t, flags0, flags1, p2, p3, page;
};
static inline void words_of(const struct setup *s, uint32_t word[4])
{
    word[0] = TMU_PUT(P0_BASE, BASE / PAGE + (s->page ? s->page : 1)) | TMU_PUT(P0_TYPE, s->type) |
              TMU_PUT(P0_MIPLVLS, s->levels ? s->levels - 1 : 0) | s->flags0;
    word[1] = TMU_PUT(P1_TYPE4, s->type >> 4) | TMU_PUT(P1_WIDTH, s->width) | TMU_PUT(P1_HEIGHT, s->height) |
              TMU_PUT(P1_MINFILT, s->min) | TMU_PUT(P1_MAGFILT, s->mag) | TMU_PUT(P1_WRAP_S, s->wrap_s) |
              TMU_PUT(P1_WRAP_T, s->wrap_t) | s->flags1;
    word[2] = s->p2;
    word[3] = s->p3;
}
#define POINTS .min = TMU_MIN_NEAREST, .mag = TMU_MAG_NEAREST

static inline enum vc4_stop look_up(const struct setup *x, struct vc4_vector s, struct vc4_vector t)
{
    uint32_t word[4];
    const uint32_t *stream = word;
    words_of(x, word);
    if (x->p3)
        assert_int_equal(put(TMU_B, splat(0), &stream), VC4_GO);
    if (x->p2)
        assert_int_equal(put(TMU_R, splat(0), &stream), VC4_GO);
    assert_int_equal(put(TMU_T, t, &stream), VC4_GO);
    return put(TMU_S, s, &stream);
}

static inline uint8_t *byte_at(uint32_t offset)
{
    return (uint8_t *)m.memory + offset; /* the tests run on little-endian machines */
}
/* Writes texel (x, y) of level 0 in page 1, in LT format. The address follows the manual's formula. */
static inline void store(uint32_t bytes, uint32_t uw, uint32_t uh, uint32_t width, uint32_t x, uint32_t y,
                         uint64_t unit)
{
    uint32_t across = (width + uw - 1) / uw;
    uint32_t offset = PAGE + 64 * (y / uh * across + x / uw) + y % uh * uw * bytes + x % uw * bytes;
    memcpy(byte_at(offset), &unit, bytes);
}

#define TEST(name) cmocka_unit_test_setup(name, fresh)

#endif
