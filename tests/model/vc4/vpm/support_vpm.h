/* SPDX-License-Identifier: MIT */
/*
 * A VPM and its memory with known content, for tests that call it directly. They write, read and set up at
 * given times, and compare the bytes. Each test begins with `fresh`.
 */
#ifndef MISPRINT_TESTS_MODEL_VC4_VPM_SUPPORT_VPM_H
#define MISPRINT_TESTS_MODEL_VC4_VPM_SUPPORT_VPM_H

#include "model/vc4/vpm/vpm.h"
#include "model/vc4/vpm/vpm_clauses.h"
#include "model/vc4/vpm/vpm_setup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { BASE = 0x40000000, LATE = 1000 };

/* ---- A machine with known content ---- */

static struct machine {
    struct profile profile;
    struct coverage coverage;
    struct vc4_vector vpm[VC4_VPM_ROWS], vpm_defined[VC4_VPM_ROWS], memory[VC4_MEMORY_ROWS],
        memory_defined[VC4_MEMORY_ROWS];
    uint64_t touched[8];
    struct vc4_env env;
    struct vpm v;
    uint64_t now;
} m;
static const struct vc4_vector all_defined = {
    .lane = {~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U}};

/* All clauses have the reading `manual`, except vpm-fig8a, because the tests of places need the bytes of
 * figure 8a in order. */
static inline int fresh(void **state)
{
    (void)state;
    memset(&m, 0, sizeof m);
    memset(m.vpm_defined, 0xFF, sizeof m.vpm_defined);
    memset(m.memory_defined, 0xFF, sizeof m.memory_defined);
    m.profile.reading[VPM_CLAUSE_FIG8A] = VPM_FIG8A_IN_ORDER;
    m.env = (struct vc4_env){.profile = &m.profile,
                             .coverage = &m.coverage,
                             .checked = true,
                             .filler = 0xDEADBEEF,
                             .memory_base = BASE,
                             .memory = {m.memory, m.memory_defined, NULL, m.touched, VC4_VPM_ROWS,
                                        VC4_MEMORY_ROWS}};
    vpm_reset(&m.v, &m.env, (struct vc4_rows){m.vpm, m.vpm_defined, NULL, m.touched, 0, VC4_VPM_ROWS});
    return 0;
}

static inline void start_again(void)
{
    uint8_t readings[CLAUSES_MAX];
    memcpy(readings, m.profile.reading, sizeof readings);
    fresh(NULL);
    memcpy(m.profile.reading, readings, sizeof readings);
}

static inline enum vc4_stop wr(uint32_t word)
{
    return vpm_write_setup(&m.v, word, ~0U, m.now++);
}
static inline enum vc4_stop rd(uint32_t word)
{
    return vpm_read_setup(&m.v, word, ~0U, m.now++);
}
static inline void put(const struct vc4_vector *x)
{
    assert_int_equal(vpm_write(&m.v, x, &all_defined, 0xFFFF, m.now++), VC4_GO);
}
static inline struct vc4_vector get_masked(struct vc4_vector *defined)
{
    struct vc4_vector x;
    assert_int_equal(vpm_read(&m.v, &x, defined, m.now++), VC4_GO);
    return x;
}
/* Reads a vector, which must be fully defined. */
static inline struct vc4_vector get(void)
{
    struct vc4_vector defined, x = get_masked(&defined);
    assert_memory_equal(&defined, &all_defined, sizeof defined);
    return x;
}
static inline struct vc4_vector splat(uint32_t word)
{
    struct vc4_vector x;
    for (unsigned i = 0; i < 16; i++)
        x.lane[i] = word;
    return x;
}
static inline struct vc4_vector ramp(uint32_t first)
{
    struct vc4_vector x;
    for (unsigned i = 0; i < 16; i++)
        x.lane[i] = first + i;
    return x;
}
static inline void put_splat(uint32_t word)
{
    struct vc4_vector x = splat(word);
    put(&x);
}
static inline void fill_vpm(void)
{ /* bytes differ from their neighbours */
    for (uint32_t y = 0; y < VC4_VPM_ROWS; y++)
        for (uint32_t x = 0; x < 16; x++)
            m.vpm[y].lane[x] =
                0x80800000U ^ (y << 24 | x << 16 | (y * 7 + x * 3) % 251 << 8 | (y * 13 + x * 5 + 1) % 253);
}
static inline uint8_t vpm_byte(uint32_t y, uint32_t column_byte)
{
    return (uint8_t)(m.vpm[y].lane[column_byte / 4] >> column_byte % 4 * 8);
}
static inline uint8_t memory_byte(uint32_t at)
{
    return (uint8_t)(m.memory[at / 64].lane[at / 4 % 16] >> at % 4 * 8);
}
static inline uint32_t memory_word(uint32_t at)
{
    return m.memory[at / 64].lane[at / 4 % 16];
}
static inline uint32_t setup(enum setup_register which, const char *text)
{
    uint32_t word = 0;
    struct error e = {0};
    if (!setup_parse(which, text, strlen(text), 1, &word, &e))
        fail_msg("%s", e.text);
    return word;
}
static inline void wr_text(const char *text)
{
    assert_int_equal(wr(setup(SETUP_WRITE, text)), VC4_GO);
}
static inline void rd_text(const char *text)
{
    assert_int_equal(rd(setup(SETUP_READ, text)), VC4_GO);
}

#define TEST(name) cmocka_unit_test_setup(name, fresh)

#endif
