/* SPDX-License-Identifier: MIT */
/*
 * Which instructions are planned before a program runs (v3d_plan.h): those whose ALUs have no conditions,
 * flags, packs or unpacks, and read and write registers only, without a signal but a thread switch. A plan
 * only saves time, so no outcome shows whether there is one.
 */
#include "model/v3d/run/v3d_plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static const struct {
    enum v3d_generation g;
    const char *text;
    bool plain;
} rows[] = {
    {V3D_42, "add r0, r1, rf2", true},
    {V3D_42, "nop", true},
    {V3D_42, "add rf1, r1, 5", true},
    {V3D_42, "fadd r0, r1, r2;fmul r3, r1, r2", true},
    {V3D_42, "add r0, r1, r2;nop;thrsw", true},
    {V3D_71, "add rf0, rf1, rf2;mov rf3, rf4", true},
    {V3D_42, "add.ifa r0, r1, r2", false},
    {V3D_42, "add.pushz r0, r1, r2", false},
    {V3D_42, "fadd r0.l, r1, r2", false},
    {V3D_42, "fadd r0, r1.l, r2", false},
    {V3D_42, "add tmud, r1, r2", false},
    {V3D_42, "add r0, r1, r2;nop;ldunif", false},
    {V3D_42, "b 0", false},
};

static void plain_instructions_are_planned(void **state)
{
    (void)state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct error e = {0};
        struct v3d_insn i;
        struct v3d_plan plan;
        uint64_t word;
        if (!v3d_parse(rows[n].g, rows[n].text, strlen(rows[n].text), &word, &e))
            fail_msg("%s: %s", rows[n].text, e.text);
        assert_true(v3d_decode(rows[n].g, word, &i));
        v3d_plan(rows[n].g, &i, false, &plan);
        if (plan.plain != rows[n].plain)
            fail_msg("'%s' is%s plain", rows[n].text, plan.plain ? "" : " not");
        v3d_plan(rows[n].g, &i, true, &plan); /* it breaks a restriction */
        assert_false(plan.plain);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_instructions_are_planned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
