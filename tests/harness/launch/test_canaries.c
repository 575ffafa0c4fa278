/* SPDX-License-Identifier: MIT */
/*
 * The known answers of all backends' canaries (struct launch_backend). This test writes the right answer into
 * an outcome whose other rows are random, so that a comparison of another row fails. Then it changes each
 * word of the answer in turn: the canary must be wrong. The answers come from the canaries' text: sums and
 * differences, logic operations, rows of the VPM and words of memory by their fill rules (model/core/case.h).
 */
#if __has_include(<xf86drm.h>)
#include "harness/vc4/shader_launch.h"
#include "harness/vc4/vertex_launch.h"
#define HAVE_DRM 1
#endif
#include "harness/amdgpu/amdgpu_launch.h"
#include "harness/vc4/user_launch.h"
#include "model/core/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

enum { LANES = 16, ANSWER_MAX = 256 };

static struct test_case tc;
static struct outcome *o;
/* The words that the canary looks at: indices into the outcome's values. */
static uint32_t at[ANSWER_MAX];
static unsigned answers;

static void answer(const char *region, unsigned word, uint32_t value)
{
    const struct layout *l = &o->unit->layout;
    const struct region *r = layout_region_named(l, region);
    assert_non_null(r);
    assert_true(answers < ANSWER_MAX);
    at[answers] = r->first_row * l->row_words + word;
    o->value[at[answers++]] = value;
}

/* Words by the fill rules `index` and `random`. */
static uint32_t index_word(uint32_t word)
{
    uint32_t value = 0;
    for (uint32_t n = 4 * word; n < 4 * word + 4; n++)
        value |= (n * 37 + n / 251 + 17) % 256 << 8 * (n % 4);
    return value;
}

static uint32_t random_word(uint32_t word, uint32_t seed)
{
    return (uint32_t)(random_mix64((uint64_t)seed << 32 | word) >> 32);
}

static const uint32_t sum_x[LANES] = {0x10203040, 1,       0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x12345678,
                                      0xFFFF,     0x10000, 5,          6,          7,          8,
                                      9,          10,      11,         12},
                      sum_y[LANES] = {0x01020304, 0xFFFFFFFF, 1, 0x80000000, 1, 0x87654321, 1, 0xFFFF,
                                      1,          1,          2, 2,          3, 3,          4, 4};

static void answer_sums(void)
{
    for (unsigned i = 0; i < LANES; i++) {
        answer("ra", 31 * LANES + i, sum_x[i] + sum_y[i]);
        answer("acc", 2 * LANES + i, sum_x[i] - sum_y[i]);
    }
}

static void answer_user(unsigned n)
{
    if (n == 0)
        answer_sums();
    else
        for (unsigned i = 0; i < LANES; i++) /* stored to the byte offset 3F80 */
            answer("memory", 0x3F80 / 4 + i, i == 0 ? 0x0F1E2D3C : i == 15 ? 0xA5A5A5A5 : i);
}

static void answer_amd(unsigned n)
{
    (void)n;
    for (unsigned i = 0; i < 64; i++) {
        answer("memory", i, index_word(i));
        answer("memory", 256 + i, 4 * i);
        answer("vgpr", 4 * 64 + i, index_word(i));
    }
}

#ifdef HAVE_DRM
static void answer_shader(unsigned n)
{
    static const uint32_t r4[LANES] = {0x7B7B7B7B, 0,  0xFFFFFFFF, 0x80000000, 4,  5,  6,  7,
                                       8,          15, 15,         15,         15, 15, 15, 0x5A5A5A5A};
    if (n == 0)
        answer_sums();
    for (unsigned i = 0; n == 1 && i < LANES; i++) {
        uint32_t r0 = i == 0 ? 0x0F1E2D3C : i == 15 ? 0xA5A5A5A5 : i;
        answer("ra", 31 * LANES + i, r0 ^ r4[i]);
        answer("acc", 2 * LANES + i, r0 & r4[i]);
    }
}

static void answer_lookups(unsigned n)
{
    for (unsigned i = 0; i < LANES; i++) { /* byte offsets 0, 4, ..., 3C, and FC, F8, ..., C0 */
        unsigned word = n == 0 ? i : 0xFC / 4 - i;
        answer("memory", word, n == 0 ? random_word(word, 5) : index_word(word));
        answer("r4", i, n == 0 ? random_word(word, 5) : index_word(word));
    }
}

static void answer_reads(unsigned n)
{
    static const unsigned rows[2][2] = {{1, 1 + 17}, {40, 40 + 22}};
    for (unsigned read = 0; read < 2; read++)
        for (unsigned i = 0; i < LANES; i++) {
            uint32_t word = rows[n][read] * LANES + i;
            answer("reads", read * LANES + i, n == 0 ? index_word(word) : random_word(word, 5));
        }
}
#endif

static void check_canary(const struct launch_backend *b, unsigned n, void (*write)(unsigned n))
{
    struct error e = {0};
    struct random r;
    if (!case_parse(&tc, b->canary[n], strlen(b->canary[n]), &e))
        fail_msg("%s", e.text);
    o = outcome_new(tc.unit);
    outcome_reset(o, &tc);
    random_seed(&r, 20 + n);
    for (uint32_t i = 0; i < o->unit->layout.rows * o->unit->layout.row_words; i++)
        o->value[i] = random_u32(&r);
    answers = 0;
    write(n);
    assert_true(answers > 0);
    assert_true(b->canary_is_right(n, &tc, o));
    for (unsigned i = 0; i < answers; i++) {
        uint32_t bit = UINT32_C(1) << random_below(&r, 32);
        o->value[at[i]] ^= bit;
        if (b->canary_is_right(n, &tc, o))
            fail_msg("canary %u: word %u of %u is wrong, but is not noticed", n, i, answers);
        o->value[at[i]] ^= bit;
    }
    outcome_free(o);
}

static void check_both(const struct launch_backend *b, void (*write)(unsigned n))
{
    for (unsigned n = 0; n < LAUNCH_CANARIES; n++)
        check_canary(b, n, write);
}

static void each_wrong_word_of_a_canary_is_noticed(void **state)
{
    (void)state;
    check_both(&user_backend, answer_user);
#ifdef HAVE_DRM
    check_both(&shader_backend, answer_shader);
    check_both(&lookup_backend, answer_lookups);
    check_both(&vertex_backend, answer_reads);
#endif
    static const enum amd_generation generations[] = {AMD_GFX8, AMD_GFX9, AMD_GFX10, AMD_GFX11};
    for (unsigned i = 0; i < sizeof generations / sizeof *generations; i++)
        check_both(amdgpu_backend(generations[i]), answer_amd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_wrong_word_of_a_canary_is_noticed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
