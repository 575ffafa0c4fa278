/* SPDX-License-Identifier: MIT */
/*
 * The rules of Linux's shader validator. It accepts every program that Mesa's compiler made for this driver,
 * and counts as many uniforms and look-ups as the compiler. Each rule refuses a program that breaks only that
 * rule.
 */
#include "harness/vc4/vc4_kernel.h"
#include "model/core/unit.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INSTRUCTIONS_MAX = 1024, PATH = 1024 };

static uint32_t code[2 * INSTRUCTIONS_MAX], count;

static void check_program(const char *name, unsigned uniforms, unsigned textures, unsigned threads)
{
    struct vc4_kernel_shader s;
    struct error e = {0};
    if (!vc4_kernel_accepts(code, count, &s, &e))
        fail_msg("%s: %s", name, e.text);
    assert_int_equal(s.instructions, count);
    assert_int_equal(s.uniforms, uniforms);
    assert_int_equal(s.samples, textures);
    assert_int_equal(s.threaded, threads > 1);
}

static unsigned check_stage(const char *stage)
{
    const char *path = support_data("compiler-programs/vc4/%s.txt", stage);
    char line[1024], name[64] = "";
    unsigned programs = 0, instructions = 0, uniforms = 0, textures = 0, threads = 0;
    FILE *f = fopen(path, "r");
    if (!f) {
        print_message("skipped: no %s\n", path);
        skip();
    }
    while (fgets(line, sizeof line, f)) {
        uint32_t low, high;
        if (sscanf(line, "program %63s stage=%*s instructions=%u uniforms=%u textures=%u threads=%u", name,
                   &instructions, &uniforms, &textures, &threads) == 5) {
            count = 0;
        } else if (!strncmp(line, "end", 3)) {
            assert_int_equal(count, instructions);
            check_program(name, uniforms, textures, threads);
            programs++;
        } else if (*line != '#' && sscanf(line, "%8x %8x ;", &low, &high) == 2) {
            assert_true(count < INSTRUCTIONS_MAX);
            code[2 * count] = low;
            code[2 * count++ + 1] = high;
        }
    }
    fclose(f);
    return programs;
}

static void compiled_programs_pass(void **state)
{
    (void)state;
    unsigned programs = check_stage("fragment") + check_stage("vertex") + check_stage("coordinate");
    printf("%u programs\n", programs);
    assert_true(programs >= 30);
}

/* ---- each rule ---- */

static void assemble(const char *text)
{
    const struct code *c = unit_named("vc4-qpu")->code;
    for (count = 0; *text; count++) {
        size_t length = strcspn(text, "\n");
        struct error e = {0};
        if (!c->parse(text, length, code + 2 * count, &e))
            fail_msg("%s in %.*s", e.text, (int)length, text);
        text += length + (text[length] == '\n');
    }
}

#define END "nop ; end\nnop\nnop\n"

static void passes(const char *text)
{
    struct vc4_kernel_shader s;
    struct error e = {0};
    assemble(text);
    if (!vc4_kernel_accepts(code, count, &s, &e))
        fail_msg("%s in\n%s", e.text, text);
}

static void refuses_with(const char *text, uint32_t high_bits, const char *why)
{
    struct vc4_kernel_shader s;
    struct error e = {0};
    assemble(text);
    code[5] |= high_bits; /* the high word of the third instruction */
    if (vc4_kernel_accepts(code, count, &s, &e))
        fail_msg("taken:\n%s", text);
    if (!strstr(e.text, why))
        fail_msg("expected '%s': %s", why, e.text);
}

static void refuses(const char *text, const char *why)
{
    refuses_with(text, 0, why);
}

static void every_rule_refuses_something(void **state)
{
    (void)state;
    passes("mov r0, uniform\n" END);
    refuses("mov r0, uniform\nnop\nnop\n", "no end");
    refuses("nop ; breakpoint\n" END, "signal");
    refuses("nop\nnop\nbra 0\nnop\nnop\nnop\n" END, "relative");
    refuses_with("nop\nnop\nbrr 0\nnop\nnop\nnop\n" END, 1U << 18,
                 "without a register"); /* bit 50: the target includes a register */
    refuses("nop\nnop\nbrr 4\nnop\nnop\nnop\n" END, "multiple of 8");
    refuses("nop\nnop\nbrr 80\nnop\nnop\nnop\n" END, "outside");
    refuses("nop\nnop\nbrr 0\nbrr 0\nnop\nnop\nnop\nnop\n" END, "delay slots of another");
    refuses("nop\nnop ; thread_switch\nbrr 0\nnop\nnop\nnop\n" END, "thread switch");
    refuses("nop ; thread_switch\nnop ; thread_switch\n" END, "slots of another");
    refuses("nop\nnop\nbrr rb3, nop, 0\nnop\nnop\nnop\n" END, "writes a register");
    passes("nop\nnop\nbrr 0\nnop\nnop\nnop\nnop\n" END);
    refuses("nop\nnop\nbrr 0\nnop\nnop\nnop\nmov r0, uniform\n" END, "control flow joined");
    /* After a branch a shader resets the uniform address. The constant must be the number of bytes read so
     * far, plus 4. */
    passes("nop\nmov r1, uniform\nbrr 0\nnop\nnop\nnop\nldi r0, 8\nadd unif_addr, r0, uniform\nnop\nnop\nmov "
           "r0, uniform\n" END);
    refuses("nop\nmov r1, uniform\nbrr 0\nnop\nnop\nnop\nldi r0, 4\nadd unif_addr, r0, uniform\n" END,
            "constant 8");
    refuses("mov r1, r0\nadd unif_addr, r1, uniform\n" END, "constant 4");
    refuses("nop ; thread_switch\nnop\nnop\nmov ra16, r0\n" END, "registers 16 to 31");
    passes("nop ; thread_switch\nnop\nnop\nmov ra15, r0\n" END);
    static const char *const never[] = {"tmu_noswap", "host_int", "tlb_alpha_mask",
                                        "vw_addr",    "vr_addr",  "mutex"};
    for (unsigned i = 0; i < sizeof never / sizeof *never; i++) {
        char text[100];
        snprintf(text, sizeof text, "mov %s, r0\n%s", never[i], END);
        refuses(text, "no shader may");
    }
    /* A texture look-up takes a uniform itself. A memory look-up needs a clamped address. */
    passes("mov tmu0_t, r0\nmov tmu0_s, r1\nnop ; load_tmu0\n" END);
    refuses("mov tmu0_t, uniform\nmov tmu0_s, r1\n" END, "which itself takes one");
    refuses("mov tmu0_t, r0\nmov tmu0_t, r0\nmov tmu0_t, r0\nmov tmu0_t, r0\nmov tmu0_s, r0\n" END,
            "more than four");
    refuses("mov tmu0_t, r0 ; mov tmu1_t, r0\n" END, "both pipes");
    passes("max r0, r1, 0\nmin r0, r0, uniform\nadd tmu0_s, r0, uniform\n" END);
    refuses("min r0, r0, uniform\nadd tmu0_s, r0, uniform\n" END, "not clamped");
    refuses("max r0, r1, 0\nmin r0, r0, uniform\nmov r0, r1\nadd tmu0_s, r0, uniform\n" END, "not clamped");
    refuses("max r0, r1, 0\nmin r0, r0, uniform\nadd tmu0_s, r0, r2\n" END, "is not a uniform");
    refuses("max r0, r1, 0\nmin r0, r0, uniform\nsub tmu0_s, r0, uniform\n" END, "integer addition");
    refuses("nop\nmov tmu0_t, r0\nbrr 0\nnop\nnop\nnop\nmov tmu0_s, r0\n" END, "between the parameters");
}

/* The kernel's check starts as if a branch were at instruction -2, so it refuses branches in the first two
 * instructions. A second end in the delay slots of an end moves the end of the program. */
static void the_first_and_last_branches(void **state)
{
    (void)state;
    struct vc4_kernel_shader s;
    struct error e = {0};
    refuses("brr 0\nnop\nnop\nnop\nnop\n" END, "first two");
    refuses("nop\nbrr 0\nnop\nnop\nnop\nnop\n" END, "first two");
    assemble("brr 0\nnop\nnop\nnop\nnop\n" END); /* a part follows other code */
    assert_true(vc4_kernel_accepts_part(code, count, &s, &e));
    assemble("nop ; end\nnop\nnop ; end\nnop\nnop\n");
    assert_true(vc4_kernel_accepts(code, count, &s, &e));
    assert_int_equal(s.instructions, 5);
    refuses("nop\nnop ; end\nnop\nnop ; end\nbrr -8\nnop\n", "outside");
    /* A branch may go to the second end. */
    passes("nop\nnop\nbrr 16\nnop\nnop\nnop\nnop ; end\nnop\nnop ; end\nnop\nnop\n");
    refuses("nop ; end\nnop\nnop ; end\nnop\n", "no end");
}

/* The validator lists where the parameters of each look-up are in the uniform stream. */
static void look_ups_are_listed(void **state)
{
    (void)state;
    struct vc4_kernel_shader s;
    struct error e = {0};
    assemble("mov r1, uniform\nmov tmu1_b, r0\nmov tmu0_t, r0\nmov tmu0_s, r1\nmov tmu1_s, r1\n"
             "max r0, r1, 0\nmin r0, r0, uniform\nmov r2, uniform\nadd tmu0_s, r0, uniform\n" END);
    assert_true(vc4_kernel_accepts(code, count, &s, &e));
    assert_int_equal(s.uniforms, 8);
    assert_int_equal(s.samples, 3);
    static const struct vc4_kernel_sample expected[] = {
        {false, {2, 3, VC4_KERNEL_NO_WORD, VC4_KERNEL_NO_WORD}},
        {false, {1, 4, VC4_KERNEL_NO_WORD, VC4_KERNEL_NO_WORD}},
        {true, {7, 5, VC4_KERNEL_NO_WORD, VC4_KERNEL_NO_WORD}},
    };
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(s.sample[i].direct, expected[i].direct);
        assert_memory_equal(s.sample[i].parameter, expected[i].parameter, sizeof expected[i].parameter);
    }
}

/* After a TMU's first memory look-up, the kernel treats all later look-ups of that TMU as memory look-ups,
 * also after branches. Look-ups of the other TMU are not affected. */
static void a_tmu_stays_direct(void **state)
{
    (void)state;
    struct vc4_kernel_shader s;
    struct error e = {0};
    assemble("mov tmu0_t, r0\nmov tmu0_s, r1\nmax r0, r1, 0\nmin r0, r0, uniform\nadd tmu0_s, r0, uniform\n"
             "mov tmu0_t, r0\nmov tmu0_s, r1\nmov tmu1_t, r0\nmov tmu1_s, r1\n" END);
    assert_true(vc4_kernel_accepts(code, count, &s, &e));
    static const bool direct[] = {false, true, true, false};
    assert_int_equal(s.samples, 4);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(s.sample[i].direct, direct[i]);
    assert_int_equal(s.sample[2].parameter[0], 4);
    assert_int_equal(s.sample[2].parameter[1], 5);
}

/* A result must not contain anything from the program before. */
static void each_program_is_judged_anew(void **state)
{
    (void)state;
    struct vc4_kernel_shader s;
    struct error e = {0};
    assemble("nop ; thread_switch\nnop\nnop\nmov r1, uniform\nmov tmu0_t, r0\nmov tmu0_s, r1\n"
             "ldi r0, 16\nadd unif_addr, r0, uniform\n" END);
    assert_true(vc4_kernel_accepts(code, count, &s, &e));
    assert_true(s.threaded && !s.plain && s.uniforms && s.samples && s.address_words);
    assemble("mov r0, r1\n" END);
    assert_true(vc4_kernel_accepts(code, count, &s, &e));
    assert_true(!s.threaded && s.plain && !s.uniforms && !s.samples && !s.address_words);
}

/* A texture's parameters, and the size in bytes of the smallest buffer that the driver accepts for it; 0: it
 * accepts no buffer. */
struct buffer_row {
    uint32_t p[4], bytes;
};

static void buffers_hold_their_textures(void **state)
{
    (void)state;
    static const struct buffer_row rows[] = {
        /* p0: base 31:12, cube 9, type 7:4, levels 3:0; p1: type 31, height 30:20, width 18:8 */
        {{0, 16 << 20 | 16 << 8},
         1024}, /* 16 x 16 texels of 32 bits: textures of up to four microtiles are not padded to tiles */
        {{0, 17 << 20 | 17 << 8}, 32 * 32 * 4}, /* larger textures are padded to tiles of 8 x 8 microtiles */
        {{4 << 12, 17 << 20 | 17 << 8}, (4 << 12) + 32 * 32 * 4}, /* the texture begins at its base */
        {{5 << 4, 1 << 20 | 1 << 8}, 64},                         /* one microtile of 8 x 8 bytes */
        {{4 << 4, 5 << 20 | 9 << 8}, 16 * 8 * 2},                 /* 16 bits: microtiles of 8 x 4 texels */
        {{8 << 4, 4 << 20 | 4 << 8}, 64}, /* ETC1: a block has 8 bytes, a microtile has 2 x 4 blocks */
        {{0, UINT32_C(1) << 31 | 5 << 20 | 9 << 8},
         /* Raster textures have lines padded to 4 texels. Their height is not padded. */
         12 * 5 * 4},
        {{0, 0 << 20 | 1 << 8}, 4 * 2048 * 4}, /* height 0 means 2048 */
        /* The second level, of 8 x 8 texels, is at lower addresses than the base level. */
        {{1 << 12 | 1, 16 << 20 | 16 << 8}, (1 << 12) + 1024},
        {{0 << 12 | 1, 16 << 20 | 16 << 8}, 0}, /* no room for the lower level */
        /* 64 x 64 texels. The second level has 32 * 32 * 4 = 4096 bytes, and the third one lies below it. */
        {{1 << 12 | 1, 64 << 20 | 64 << 8}, (1 << 12) + 64 * 64 * 4},
        {{1 << 12 | 2, 64 << 20 | 64 << 8}, 0},
        {{2 << 12 | 2, 64 << 20 | 64 << 8}, (2 << 12) + 64 * 64 * 4},
        {{1 << 9, 4 << 20 | 4 << 8, 1U << 30 | 1 << 12}, 5 * 4096 + 64}, /* a cube map has six faces */
        /* A cube map must give the distance between its faces. */
        {{1 << 9, 4 << 20 | 4 << 8}, 0},
        /* It must not give two distances. */
        {{1 << 9, 4 << 20 | 4 << 8, 1U << 30 | 1 << 12, 1U << 30 | 1 << 12}, 0},
        {{12 << 4, 4 << 20 | 4 << 8}, 0}, /* the driver accepts no BW1, A4, A1, RGBA64 and YUV422R */
        {{13 << 4, 4 << 20 | 4 << 8}, 0},
        {{14 << 4, 4 << 20 | 4 << 8}, 0},
        {{15 << 4, 4 << 20 | 4 << 8}, 0},
        {{1 << 4, UINT32_C(1) << 31 | 4 << 20 | 4 << 8}, 0},
    };
    const struct vc4_kernel_sample texture = {false, {0, 1, 2, 3}},
                                   memory = {true, {0, 1, VC4_KERNEL_NO_WORD, VC4_KERNEL_NO_WORD}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error e = {0};
        bool takes =
            vc4_kernel_takes_lookup(&texture, rows[i].p, rows[i].bytes ? rows[i].bytes : 1 << 24, &e);
        if (takes != (rows[i].bytes != 0))
            fail_msg("row %u: %s", i, takes ? "taken" : e.text);
        if (takes && vc4_kernel_takes_lookup(&texture, rows[i].p, rows[i].bytes - 1, &e))
            fail_msg("row %u is taken with a byte less", i);
    }
    struct error e = {0};
    assert_true(vc4_kernel_takes_lookup(&memory, (const uint32_t[]){64, 60}, 128, &e));
    assert_false(vc4_kernel_takes_lookup(&memory, (const uint32_t[]){64, 61}, 128, &e));
    assert_false(vc4_kernel_takes_lookup(&memory, (const uint32_t[]){128, 0}, 128, &e));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(look_ups_are_listed),          cmocka_unit_test(a_tmu_stays_direct),
        cmocka_unit_test(buffers_hold_their_textures),  cmocka_unit_test(compiled_programs_pass),
        cmocka_unit_test(every_rule_refuses_something), cmocka_unit_test(the_first_and_last_branches),
        cmocka_unit_test(each_program_is_judged_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
