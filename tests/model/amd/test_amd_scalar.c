/* SPDX-License-Identifier: MIT */
/* Unit amd-buffer: scalar stores and atomics, which GFX9 has; GFX8 has the stores. Words and text are LLVM
 * 19's (test_amd_llvm.c compares random ones). Their effect is that of the vector instructions of the same
 * names, computed with plain arithmetic. */
#include "tests/model/amd/support_amd.h"
#include "tests/model/amd/support_amd_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

enum { BYTES = 64, DATA = 20 };

/* llvm-mc 19.1.7 assembles and prints these. */
static const struct {
    enum amd_generation g;
    uint32_t low, high;
    const char *text;
} known[] = {
    {AMD_GFX8, 0xC0600102, 0x0000007C, "s_buffer_store_dword s4, s[4:7], m0"},
    {AMD_GFX8, 0xC0660102, 0x00000010, "s_buffer_store_dwordx2 s[4:5], s[4:7], 0x10"},
    {AMD_GFX9, 0xC0600142, 0x0000007C, "s_buffer_store_dword s5, s[4:7], m0"},
    {AMD_GFX9, 0xC1080142, 0x0000007C, "s_buffer_atomic_add s5, s[4:7], m0"},
    {AMD_GFX9, 0xC1090102, 0x00000003, "s_buffer_atomic_add s4, s[4:7], s3 glc"},
    {AMD_GFX9, 0xC1860102, 0x00000010, "s_buffer_atomic_cmpswap_x2 s[4:7], s[4:7], 0x10"},
};

static void words_and_text(void **state)
{
    struct text t = {0};
    uint64_t word;
    struct error e;
    (void)state;
    for (size_t n = 0; n < sizeof known / sizeof *known; n++) {
        word = (uint64_t)known[n].high << 32 | known[n].low;
        assert_string_equal(amd_test_print(known[n].g, word, &t), known[n].text);
        assert_int_equal(amd_test_parse(known[n].g, known[n].text), word);
    }
    assert_false(amd_parse(AMD_GFX8, known[3].text, strlen(known[3].text), &word, &e));
    text_free(&t);
}

static void run_line(struct amd_place *s, const char *line, const char *profile)
{
    struct amd_descriptor d = amd_descriptor_raw(AMD_GFX9, 0, BYTES);
    struct amd_insn i;
    amd_case_begin(s->c, AMD_GFX9);
    amd_case_descriptor(s->c, &d);
    for (uint32_t n = 0; n < 4; n++)
        amd_case_sgpr(s->c, DATA + n, 100 + n);
    assert_true(amd_decode(AMD_GFX9, amd_test_parse(AMD_GFX9, line), &i));
    amd_case_add(s->c, &i);
    amd_run(s, profile);
    assert_int_equal(s->o->end, END_DONE);
}

static uint32_t sgpr(const struct amd_place *s, uint32_t number)
{
    return s->o->value[AMD_ROW_SGPR * AMD_LANES + number];
}

/* Dword n of memory holds n + 1. The hardware checks the range of each dword by itself. */
static void stores(void **state)
{
    struct amd_place *s = *state;
    run_line(s, "s_buffer_store_dwordx4 s[20:23], s[8:11], 0x8", "manual");
    for (uint32_t n = 0; n < 8; n++)
        assert_int_equal(amd_out_memory(s->o, 4 * n), n >= 2 && n < 6 ? 98 + n : n + 1);
    run_line(s, "s_buffer_store_dwordx4 s[20:23], s[8:11], 0x38", "manual");
    assert_int_equal(amd_out_memory(s->o, 56), 100);
    assert_int_equal(amd_out_memory(s->o, 60), 101);
    assert_int_equal(amd_out_memory(s->o, 64), 17);
    assert_int_equal(amd_out_decision(s->o, 0, 0, 1), AMD_DONE);
    assert_int_equal(amd_out_decision(s->o, 0, 0, 2), AMD_OUT_OF_RANGE);
}

static void atomics(void **state)
{
    static const struct {
        const char *line;
        uint32_t memory, next, returned; /* dwords at addresses 8 and 12, and s20 */
    } lines[] = {
        {"s_buffer_atomic_add s20, s[8:11], 0x8", 103, 4, 100},
        {"s_buffer_atomic_add s20, s[8:11], 0x8 glc", 103, 4, 3},
        {"s_buffer_atomic_sub s20, s[8:11], 0x8 glc", 0xFFFFFF9F, 4, 3},
        {"s_buffer_atomic_umax s20, s[8:11], 0x8 glc", 100, 4, 3},
        {"s_buffer_atomic_umin s20, s[8:11], 0x8 glc", 3, 4, 3},
        {"s_buffer_atomic_cmpswap s[20:21], s[8:11], 0x8 glc", 3, 4, 3},
        {"s_buffer_atomic_swap_x2 s[20:21], s[8:11], 0x8 glc", 100, 101, 3},
        {"s_buffer_atomic_add_x2 s[20:21], s[8:11], 0x8 glc", 103, 105, 3},
        {"s_buffer_atomic_add s20, s[8:11], 0x40 glc", 3, 4, 0},
    };
    struct amd_place *s = *state;
    for (size_t n = 0; n < sizeof lines / sizeof *lines; n++) {
        run_line(s, lines[n].line, "manual");
        if (amd_out_memory(s->o, 8) != lines[n].memory || amd_out_memory(s->o, 12) != lines[n].next ||
            sgpr(s, DATA) != lines[n].returned)
            fail_msg("%s: memory %x %x, s20 %x", lines[n].line, amd_out_memory(s->o, 8),
                     amd_out_memory(s->o, 12), sgpr(s, DATA));
    }
    run_line(s, "s_buffer_atomic_add s20, s[8:11], 0x40 glc", "manual,oob-atomic-return=unchanged");
    assert_int_equal(sgpr(s, DATA), 100);
    run_line(s, "s_buffer_atomic_add_x2 s[20:21], s[8:11], 0xc", "manual");
    assert_int_equal(amd_out_decision(s->o, 0, 0, 0), AMD_VIOLATION);
    assert_int_equal(amd_out_memory(s->o, 12), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_and_text),
        cmocka_unit_test(stores),
        cmocka_unit_test(atomics),
    };
    return cmocka_run_group_tests(tests, amd_set_up, amd_tear_down);
}
