/* SPDX-License-Identifier: MIT */
/*
 * Programs that the generator of v3d-qpu makes. Most break no restriction of Mesa. A few break one, and no
 * other, and each restriction that is a clause has its share. The counts here are the test's own.
 */
#include "model/core/memory.h"
#include "model/core/units.h"
#include "model/v3d/unit_v3d.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { PROGRAMS = 40000, BREACHES = 8, ALONE = 12, OF_EACH = 40 };

static struct v3d_insn program[V3D_CASE_PROGRAM_MAX];

/* Decodes the program, and returns how many restrictions it breaks. */
static unsigned check(const struct test_case *tc, struct v3d_breach *found)
{
    const struct v3d_case *c = (const void *)tc->words;
    for (uint32_t n = 0; n < c->program.count; n++)
        v3d_decode((enum v3d_generation)c->generation, v3d_join(c->program.word + 2 * n), &program[n]);
    return v3d_check((enum v3d_generation)c->generation, program, c->program.count,
                     c->start & V3D_START_SINGLE_SEGMENT, found, BREACHES);
}

static void few_programs_break_one(void **state)
{
    (void)state;
    struct test_case *c = memory_new(1, sizeof *c);
    struct random r;
    unsigned alone[V3D_RESTRICTIONS] = {0}, breaking = 0;
    random_seed(&r, 24);
    for (unsigned n = 0; n < PROGRAMS; n++) {
        struct v3d_breach found[BREACHES];
        case_init(c, &v3d_qpu_unit);
        v3d_case_generate(&r, c);
        unsigned breaches = check(c, found);
        if (breaches > 1)
            fail_msg("program %u breaks %s and %s", n, v3d_restrictions[found[0].which].id,
                     v3d_restrictions[found[1].which].id);
        if (breaches)
            alone[found[0].which]++;
        breaking += breaches;
    }
    for (unsigned n = 0; n < V3D_RESTRICTIONS; n++)
        if (n < V3D_RESTRICTION_CLAUSES ? alone[n] < ALONE : alone[n] > 0)
            fail_msg("%u of %d programs break %s alone", alone[n], PROGRAMS, v3d_restrictions[n].id);
    /* one in 32 is meant to */
    if (breaking < PROGRAMS / 36 || breaking > PROGRAMS / 28)
        fail_msg("%u of %d programs break one", breaking, PROGRAMS);
    free(c);
}

/* The text of the check, which `misprint run` and `misprint disasm --check` print, names it alone. */
static void each_restriction_is_broken_alone(void **state)
{
    (void)state;
    struct test_case *c = memory_new(1, sizeof *c);
    struct random r;
    random_seed(&r, 25);
    for (unsigned which = 0; which < V3D_RESTRICTION_CLAUSES; which++) {
        unsigned alone = 0;
        for (unsigned n = 0; n < OF_EACH; n++) {
            struct v3d_breach found[BREACHES];
            struct text t = {0};
            case_init(c, &v3d_qpu_unit);
            v3d_case_generate_breaking(&r, c, which);
            unsigned breaches = check(c, found);
            assert_true(breaches <= 1);
            assert_true(!breaches || found[0].which == which);
            v3d_case_breaches(c, &t);
            assert_true(!breaches == !t.length);
            if (breaches && (!strstr(text_chars(&t), v3d_restrictions[which].id) ||
                             strchr(text_chars(&t), '\n') != text_chars(&t) + t.length - 1))
                fail_msg("%s: %s", v3d_restrictions[which].id, text_chars(&t));
            text_free(&t);
            alone += breaches;
        }
        if (alone < OF_EACH * 9 / 10)
            fail_msg("%u of %d programs break %s", alone, OF_EACH, v3d_restrictions[which].id);
    }
    free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_programs_break_one),
        cmocka_unit_test(each_restriction_is_broken_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
