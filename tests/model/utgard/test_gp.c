/* SPDX-License-Identifier: MIT */
/* Programs on the Utgard GP: the vendor's textured cube, compared with its transformation in double
 * precision, and the latencies that "Utgard GP" documents. */
#include "model/utgard/gp_insn.h"
#include "tests/model/utgard/support_utgard.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

/* ---- the vendor's program ---- */

/* With these uniforms and attributes every step is exact in binary32. The results are computed by hand. */
static void cube_with_exact_numbers(void **state)
{
    (void)state;
    static const double uniforms[7][4] = {{2, 0, 0, 0},    {0, 4, 0, 0}, {0, 0, 8, 1},       {0, 0, 0, 1},
                                          {16, 32, 64, 1}, {1, 2, 3, 0}, {-1e10, 1e10, 0, 0}};
    static const double attributes[2][4] = {{1, 2, 3, 1}, {0.125, 0.875, 0, 1}};
    static const double expected[6] = {9, 66, 387, 0.25, 0.125, 0.875};
    struct utgard_place p;
    utgard_place_open(&p, "mali400");
    utgard_case(p.c, vendor_cube, VENDOR_INSNS, 2);
    for (unsigned n = 0; n < 7; n++)
        utgard_row(p.c, "memory", n,
                   (uint32_t[4]){utgard_bits(uniforms[n][0]), utgard_bits(uniforms[n][1]),
                                 utgard_bits(uniforms[n][2]), utgard_bits(uniforms[n][3])});
    for (unsigned n = 0; n < 2; n++)
        utgard_row(p.c, "attributes", n,
                   (uint32_t[4]){utgard_bits(attributes[n][0]), utgard_bits(attributes[n][1]),
                                 utgard_bits(attributes[n][2]), utgard_bits(attributes[n][3])});
    utgard_run(&p);
    assert_int_equal(p.checked->end, END_DONE);
    for (unsigned n = 0; n < 6; n++)
        assert_int_equal(p.plain->value[n], utgard_bits(expected[n]));
    assert_int_equal(p.checked->defined[4], UINT32_MAX); /* the copied texture coordinate */
    assert_int_equal(p.checked->defined[6], 0);          /* the program never stores it */
    utgard_place_close(&p);
}

static void cube_with_random_matrices(void **state)
{
    (void)state;
    struct utgard_place p;
    utgard_place_open(&p, "mali400");
    for (unsigned round = 0; round < support_scaled(20000); round++) {
        static struct utgard_vertex v;
        v.viewport = 4;
        utgard_case(p.c, vendor_cube, VENDOR_INSNS, 2);
        for (unsigned n = 0; n < 6; n++) {
            uint32_t words[4];
            for (unsigned k = 0; k < 4; k++)
                words[k] = utgard_bits(v.u[n][k] = 3 * utgard_number(&p.random));
            utgard_row(p.c, "memory", n, words);
        }
        utgard_row(p.c, "memory", 6, (uint32_t[4]){0xD01502F9, 0x501502F9, 0, 0});
        uint32_t words[4];
        for (unsigned k = 0; k < 4; k++)
            words[k] = utgard_bits(v.a[0][k] = utgard_number(&p.random));
        utgard_row(p.c, "attributes", 0, words);
        for (unsigned k = 0; k < 4; k++) {
            v.position[k] = 0;
            for (unsigned n = 0; n < 4; n++)
                v.position[k] += v.u[n][k] * v.a[0][n];
        }
        utgard_run(&p);
        utgard_check_position("cube", &v, p.plain->value, 2e-5);
    }
    utgard_place_close(&p);
}

/* ---- latencies ("Utgard GP", latencies) ---- */

static void run_case(struct utgard_place *p, const char *text)
{
    struct error e = {0};
    if (!case_parse(p->c, text, strlen(text), &e))
        fail_msg("%s", e.text);
    utgard_run(p);
}

static void run_text(struct utgard_place *p, const char *program)
{
    struct text t = {0};
    text_add(&t,
             "misprint-case 1 utgard-gp\nvarying-count = 1\nlimit = 1000\nmemory row 0 = 3f800000 40000000 "
             "40400000 40800000\n"
             "memory row 1 = 40a00000 40c00000 40e00000 41000000\nprogram {\n%s}\n",
             program);
    run_case(p, text_chars(&t));
    text_free(&t);
}

/* Returns the number of instructions after which a stored 2.0 reads back fully defined. Until then no bit may
 * be defined. */
static unsigned measured_latency(struct utgard_place *p, const char *store, const char *read)
{
    for (unsigned latency = 1; latency < 8; latency++) {
        struct text t = {0};
        text_add(&t, "%s", store);
        for (unsigned n = 1; n < latency; n++)
            text_add(&t, "nop\n");
        text_add(&t, "%s", read);
        run_text(p, text_chars(&t));
        text_free(&t);
        assert_int_equal(p->checked->end, END_DONE);
        if (p->checked->defined[0] == UINT32_MAX && p->checked->value[0] == 0x40000000)
            return latency;
        assert_int_equal(p->checked->defined[0], 0);
    }
    return 0;
}

static void latencies_are_as_documented(void **state)
{
    (void)state;
    struct utgard_place p;
    utgard_place_open(&p, "manual");
    assert_int_equal(measured_latency(&p, "load u[0] ; pass mov load.y ; store0 $5 pass, none\n",
                                      "reg0 $5 ; complex mov reg0.x ; store0 v0 complex, none\n"),
                     3);
    assert_int_equal(
        measured_latency(&p, "load u[0] ; pass mov load.y ; complex addr0 load.w ; store0 temp pass, none\n",
                         "load u[4] ; complex mov load.x ; store0 v0 complex, none\n"),
        4);
    for (unsigned n = 16; n <= 20; n++) { /* results stay for two instructions */
        static const char *const units[] = {"acc0 mov load.y", "acc1 mov load.y", "mul0 mov load.y",
                                            "mul1 mov load.y", "pass mov load.y"};
        static const char *const names[] = {"acc0", "acc1", "mul0", "mul1", "pass"};
        for (unsigned ago = 1; ago <= 2; ago++) {
            struct text t = {0};
            text_add(&t, "load u[0] ; %s\n%scomplex mov %s@%u ; store0 v0 complex, none\n", units[n - 16],
                     ago == 2 ? "nop\n" : "", names[n - 16], ago);
            run_text(&p, text_chars(&t));
            text_free(&t);
            assert_int_equal(p.checked->defined[0], UINT32_MAX);
            assert_int_equal(p.checked->value[0], 0x40000000);
        }
    }
    utgard_place_close(&p);
}

/* No document defines the payload of a NaN that arithmetic produces. But any NaN is true, so a select and a
 * branch on infinity * 0 are defined. */
static void conditions_may_be_nans(void **state)
{
    (void)state;
    static const char text[] =
        "misprint-case 1 utgard-gp\nvarying-count = 1\n"
        "memory row 3 = 7f800000 00000000 41e80000 423c0000\nprogram {\n"
        "  load u[3] ; mul0 mul load.x, load.y\n"
        "  load u[3] ; mul0 select load.z, mul0@1 ; mul1 select load.w, none ; store0 v0 mul0, none\n"
        "  load u[3] ; pass mov mul0@2 ; branch 4 ; complex mov load.z ; store0 v0 none, complex\n"
        "  load u[3] ; pass mov load.w ; store0 v0 none, pass\n"
        "}\n";
    struct utgard_place p;
    utgard_place_open(&p, "mali400");
    run_case(&p, text);
    assert_int_equal(p.checked->end, END_DONE);
    for (unsigned k = 0; k < 2; k++) /* if it is true, Mesa's select returns mul 1's operand */
        assert_int_equal(p.checked->defined[k], UINT32_MAX);
    assert_int_equal(p.checked->value[0], 0x423C0000);
    assert_int_equal(p.checked->value[1], 0x41E80000);
    utgard_place_close(&p);
}

/* By IEEE 754-2008 9.2.1, 1/sqrt(-0) is -infinity. */
static void root_of_minus_zero(void **state)
{
    (void)state;
    static const char text[] =
        "misprint-case 1 utgard-gp\nvarying-count = 1\nmemory row 3 = 80000000 00000000 00000000 00000000\n"
        "program {\n"
        "  load u[3] ; mul0 complex2 load.x, load.x ; complex rsqrt load.x ; pass mov load.x\n"
        "  mul0 complex1 complex@1, mul0@1 ; mul1 complex1 complex@1, pass@1\n"
        "  nop\n"
        "  pass mov mul0@2 ; store0 v0 pass, none\n"
        "}\n";
    struct utgard_place p;
    utgard_place_open(&p, "mali400");
    run_case(&p, text);
    assert_int_equal(p.checked->defined[0], UINT32_MAX);
    assert_int_equal(p.checked->value[0], 0xFF800000);
    utgard_place_close(&p);
}

/* Computes 1/2 in four steps. Reads the result one, two and three instructions after complex1. */
static void complex1_has_latency_2(void **state)
{
    (void)state;
    static const char *const reads[] = {"pass mov mul0@1 ; store0 v0 pass, none\n",
                                        "nop\npass mov mul0@2 ; store0 v0 pass, none\n",
                                        "nop\nnop\npass mov mul0@2 ; store0 v0 pass, none\n"};
    struct utgard_place p;
    utgard_place_open(&p, "manual,gp-complex-accuracy=exact");
    for (unsigned n = 0; n < 3; n++) {
        struct text t = {0};
        text_add(&t,
                 "load u[0] ; mul0 complex2 load.y, load.y ; complex rcp load.y ; pass mov load.y\n"
                 "mul0 complex1 complex@1, mul0@1 ; mul1 complex1 complex@1, pass@1\n%s",
                 reads[n]);
        run_text(&p, text_chars(&t));
        text_free(&t);
        assert_int_equal(p.checked->defined[0], n == 1 ? UINT32_MAX : 0);
        if (n == 1)
            assert_int_equal(p.checked->value[0], 0x3F000000);
    }
    utgard_place_close(&p);
}

/* The steps of a function need the same operand x. If one of the four places has another operand, no bit of
 * the result is defined. */
static void steps_of_different_operands_are_undefined(void **state)
{
    (void)state;
    static const char *const programs[] = {
        "load u[0] ; mul0 complex2 load.x, load.x ; complex rcp load.y ; pass mov load.y\n",
        "load u[0] ; mul0 complex2 load.y, load.y ; complex rcp load.y ; pass mov load.x\n",
        "load u[0] ; mul0 complex2 load.y, load.x ; complex rcp load.y ; pass mov load.y\n",
        "load u[0] ; mul0 mul load.y, load.y ; complex rcp load.y ; pass mov load.y\n",
        "load u[0] ; mul0 complex2 load.y, load.y ; complex exp2 load.y ; pass mov load.y\n", /* no preexp2 */
        "load u[0] ; mul0 complex2 load.y, load.y ; complex mov load.y ; pass mov load.y\n",
    };
    struct utgard_place p;
    utgard_place_open(&p, "mali400");
    for (unsigned n = 0; n < sizeof programs / sizeof *programs; n++) {
        struct text t = {0};
        text_add(&t,
                 "%smul0 complex1 complex@1, mul0@1 ; mul1 complex1 complex@1, pass@1\nnop\npass mov mul0@2 "
                 "; store0 v0 pass, none\n",
                 programs[n]);
        run_text(&p, text_chars(&t));
        text_free(&t);
        assert_int_equal(p.checked->defined[0], 0);
    }
    utgard_place_close(&p);
}

static void programs_end(void **state)
{
    (void)state;
    struct utgard_place p;
    struct text t = {0};
    utgard_place_open(&p, "manual");
    run_text(&p, "load u[0] ; pass mov load.x ; branch 0\n");
    assert_int_equal(p.checked->end, END_HANG);
    assert_int_equal(p.plain->end, END_HANG);
    run_text(&p, "load u[0] ; pass mov load.x ; branch 2\n"); /* beyond the end */
    assert_int_equal(p.checked->end, END_FAULT);
    run_text(&p, "load u[0] ; pass mov load.x ; branch 1\n"); /* to the end */
    assert_int_equal(p.checked->end, END_DONE);
    run_text(&p, "pass mov acc0@1 ; branch 0\n"); /* the condition is a result that no instruction computed */
    assert_int_equal(p.checked->end, END_UNDEFINED);
    run_text(&p, "");
    assert_int_equal(p.checked->end, END_DONE);
    for (unsigned n = 0; n < 511; n++) /* the longest program; branches to its last instruction */
        text_add(&t, n ? "nop\n" : "load u[0] ; pass mov load.x ; branch 511\n");
    text_add(&t, "load u[0] ; pass mov load.w ; store0 v0 pass, none\n");
    run_text(&p, text_chars(&t));
    assert_int_equal(p.checked->end, END_DONE);
    assert_int_equal(p.checked->value[0], 0x40800000);
    assert_int_equal(p.executor->steps > 0, 1);
    text_free(&t);
    utgard_place_close(&p);
}

/* An instruction that names two registers fetches both, and their values are undefined (gp-one-register). It
 * does not matter what the instruction does with the second one. */
static void disputed_operations_fetch_the_same(void **state)
{
    (void)state;
    static const char *const profiles[] = {"manual", "manual,gp-pass-4-5=steps", "manual,gp-pass-4-5=move",
                                           "manual,gp-pass-4-5=zero"};
    static const char program[] =
        "load u[0] ; pass mov load.y ; store0 $1 pass, none\nnop\nnop\nnop\n"
        "reg0 $0 ; reg1 $1 ; complex mov reg1.x ; pass postlog2 reg0.x ; store0 v0 complex, none\n";
    for (unsigned i = 0; i < sizeof profiles / sizeof *profiles; i++) {
        struct utgard_place p;
        utgard_place_open(&p, profiles[i]);
        run_text(&p, program);
        assert_int_equal(p.checked->end, END_DONE);
        assert_int_equal(p.checked->defined[0], 0);
        utgard_place_close(&p);
    }
}

/* The expected reads of the vendor's program follow from the meaning of selectors in "Utgard GP". */
static void slots_show_who_reads_what(void **state)
{
    (void)state;
    enum { REG0, REG1, LOAD, MUL0, MUL1, ACC0, ACC1, COMPLEX, PASS };
    const struct code *code = unit_named("utgard-gp")->code;
    struct code_slot slots[CODE_SLOTS_MAX];
    const uint32_t *program = &vendor_cube[0][0];
    code->slots(program, VENDOR_INSNS, 9, slots); /* complex1 of C@1, M0@1, C@1, P@1 */
    assert_string_equal(slots[MUL0].text, "complex1 complex@1, mul0@1");
    assert_int_equal(slots[MUL0].reads, 2);
    assert_int_equal(slots[MUL0].read[0].slot, COMPLEX);
    assert_int_equal(slots[MUL0].read[0].index, 8);
    assert_int_equal(slots[MUL0].read[1].slot, MUL0);
    code->slots(program, VENDOR_INSNS, 11, slots); /* clamps M0@2 to the loaded bounds */
    assert_int_equal(slots[PASS].reads, 2);
    assert_int_equal(slots[PASS].read[0].index, 9);
    assert_int_equal(slots[PASS].read[1].slot, LOAD);
    code->slots(program, VENDOR_INSNS, 8, slots); /* instruction 4 stored $4.y, instruction 5 $4.z */
    assert_string_equal(slots[REG0].text, "$4");
    assert_int_equal(slots[REG0].reads, 2);
    assert_int_equal(slots[REG0].read[0].index + slots[REG0].read[1].index, 4 + 5);
    assert_false(slots[REG0].read[0].early || slots[REG0].read[1].early);
    /* The result of complex1 is there after two instructions. So a read of M0@1 is early in instruction 10,
     * behind the complex1 of instruction 9, and in time in instruction 11, behind a product. */
    uint32_t words[VENDOR_INSNS][4];
    for (unsigned n = 10; n < 12; n++) {
        struct gp_insn i;
        memcpy(words, vendor_cube, sizeof words);
        gp_decode(words[n], &i);
        i.acc1_src0 = i.acc1_src1 = GP_MUL0_D1;
        gp_encode(&i, words[n]);
        code->slots(words[0], VENDOR_INSNS, n, slots);
        assert_int_equal(slots[ACC1].reads, 2);
        assert_int_equal(slots[ACC1].read[0].index, n - 1);
        assert_int_equal(slots[ACC1].read[0].slot, MUL0);
        assert_int_equal(slots[ACC1].read[0].early, n == 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cube_with_exact_numbers),
        cmocka_unit_test(cube_with_random_matrices),

        cmocka_unit_test(latencies_are_as_documented),
        cmocka_unit_test(complex1_has_latency_2),
        cmocka_unit_test(steps_of_different_operands_are_undefined),
        cmocka_unit_test(conditions_may_be_nans),
        cmocka_unit_test(root_of_minus_zero),
        cmocka_unit_test(programs_end),
        cmocka_unit_test(disputed_operations_fetch_the_same),
        cmocka_unit_test(slots_show_who_reads_what),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
