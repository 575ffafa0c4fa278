/* SPDX-License-Identifier: MIT */
/*
 * Rules for whole programs of the V3D QPU. Programs that Mesa's compiler made break none (given data). Of
 * each rule a short program breaks it, and a neighbour does not. The rules are those of Mesa's validator and
 * scheduler.
 */
#include "model/core/memory.h"
#include "model/core/units.h"
#include "model/v3d/unit_v3d.h"
#include "oracle/compare/executor.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PROGRAM_MAX = 4096, BREACHES = 16 };

struct program {
    struct v3d_insn insn[PROGRAM_MAX];
    uint32_t count;
};

/* Instructions separated by '/'. */
static void assemble(enum v3d_generation g, const char *text, struct program *p)
{
    p->count = 0;
    for (size_t length; *text; text += length + (text[length] == '/')) {
        struct error e = {0};
        uint64_t word;
        length = strcspn(text, "/");
        if (!v3d_parse(g, text, length, &word, &e))
            fail_msg("%.*s: %s", (int)length, text, e.text);
        v3d_decode(g, word, &p->insn[p->count++]);
    }
}

#define END42 "nop;nop;thrsw/nop;nop;thrsw/nop/nop/nop;nop;thrsw/nop/nop"

/* A program that breaks one rule, and a neighbour that breaks none. */
static const struct {
    enum v3d_generation g;
    enum v3d_restriction which;
    const char *bad, *good;
} rows[] = {
    {V3D_42, V3D_BREAKS_RESERVED, ".quad 1/" END42, "nop/" END42},
    {V3D_42, V3D_BREAKS_BRANCH_IN_BRANCH_SLOT, "b 0/nop/nop/b 0/nop/nop/nop/" END42,
     "b 0/nop/nop/nop/b 0/nop/nop/nop/" END42},
    {V3D_71, V3D_BREAKS_BRANCH_IN_THRSW_SLOT, "nop;nop;thrsw/nop/b 0/nop/nop/nop/" END42,
     "nop;nop;thrsw/nop/nop/b 0/nop/nop/nop/" END42},
    {V3D_71, V3D_BREAKS_THRSW_IN_BRANCH_SLOT, "b 0/nop/nop/nop;nop;thrsw/nop/nop/" END42,
     "b 0/nop/nop/nop/nop;nop;thrsw/nop/nop/" END42},
    {V3D_42, V3D_BREAKS_THRSW_SPACING, "nop;nop;thrsw/nop/nop;nop;thrsw/nop/nop/" END42,
     "nop;nop;thrsw/nop/nop/nop;nop;thrsw/nop/nop/" END42},
    {V3D_42, V3D_BREAKS_SECOND_LAST_THRSW,
     "nop;nop;thrsw/nop;nop;thrsw/nop/nop/nop;nop;thrsw/nop;nop;thrsw/nop/nop", END42},
    {V3D_42, V3D_BREAKS_LAST_THRSW, "nop;nop;thrsw/nop/nop/nop;nop;thrsw/nop/nop", END42},
    {V3D_71, V3D_BREAKS_END, "nop;nop;thrsw/nop;nop;thrsw/nop/nop", END42},
    {V3D_42, V3D_BREAKS_END_WRITE, "nop;nop;thrsw/nop;nop;thrsw/nop/nop/nop;nop;thrsw/nop/eidx rf5",
     "nop;nop;thrsw/nop;nop;thrsw/nop/nop/nop;nop;thrsw/nop/eidx r0"},
    {V3D_71, V3D_BREAKS_END_WRITE, "nop;nop;thrsw/nop;nop;thrsw/nop/nop/eidx rf5;nop;thrsw/nop/nop",
     "nop;nop;thrsw/nop;nop;thrsw/nop/nop/nop;nop;thrsw/eidx rf5/nop"},
    {V3D_71, V3D_BREAKS_END_PAYLOAD, "nop;nop;thrsw/nop;nop;thrsw/nop/nop/nop;nop;thrsw/nop/eidx rf3",
     "nop;nop;thrsw/nop;nop;thrsw/nop/nop/nop;nop;thrsw/nop/eidx rf4"},
    {V3D_42, V3D_BREAKS_END_TMUWT, "nop;nop;thrsw/nop;nop;thrsw/nop/nop/nop;nop;thrsw/nop/tmuwt -",
     "nop;nop;thrsw/nop;nop;thrsw/nop/nop/nop;nop;thrsw/tmuwt -/nop"},
    {V3D_42, V3D_BREAKS_SFU_IN_THRSW_SLOT, "nop;nop;thrsw/nop/mov recip, r0/nop/nop/" END42,
     "nop;nop;thrsw/nop/nop/mov recip, r0/nop/nop/" END42},
    {V3D_42, V3D_BREAKS_LDVARY_IN_THRSW_SLOT, "nop;nop;thrsw/nop;nop;ldvary.rf1/nop/" END42,
     "nop;nop;thrsw/nop/nop/nop;nop;ldvary.rf1/" END42},
    {V3D_71, V3D_BREAKS_LDVARY_IN_THRSW_SLOT, "nop;nop;thrsw/nop/nop;nop;ldvary.rf1/nop/" END42,
     "nop;nop;thrsw/nop;nop;ldvary.rf1/nop/" END42},
    {V3D_71, V3D_BREAKS_LDUNIF_AFTER_LDVARY, "nop;nop;ldvary.rf1/nop;nop;ldunif/" END42,
     "nop;nop;ldvary.rf1/nop/nop;nop;ldunif/" END42},
    {V3D_42, V3D_BREAKS_SFU_R4, "mov recip, r0/mov r1, r4/" END42, "mov recip, r0/nop/mov r1, r4/" END42},
    {V3D_42, V3D_BREAKS_SFU_R4, "mov recip, r0/mov r4, r1/" END42, "mov recip, r0/mov r3, r1/" END42},
    {V3D_42, V3D_BREAKS_PERIPHERALS, "add tmud, r0, r1;nop;ldtmu.r2/" END42,
     "add tmud, r0, r1/nop;nop;ldtmu.r2/" END42},
    {V3D_71, V3D_BREAKS_PERIPHERALS, "mov tmud, rf1;mov tmua, rf2/" END42,
     "nop;mov tmud, rf1;ldtmu.rf2/" END42},
    {V3D_71, V3D_BREAKS_IMMEDIATE, "nop;nop;smimm_b/" END42, "add rf1, rf2, 1/" END42},
    {V3D_71, V3D_BREAKS_UMUL24, "multop -, rf1, rf2/nop;nop;thrsw/nop/nop/nop;umul24 rf3, rf1, rf2/" END42,
     "multop -, rf1, rf2/umul24 rf3, rf1, rf2/nop;nop;thrsw/nop/nop/umul24 rf3, rf1, rf2/" END42},
    {V3D_71, V3D_BREAKS_TWO_UNIFORMS, "nop;mov tmuau, rf1;ldunif/" END42, "nop;mov tmua, rf1;ldunif/" END42},
    {V3D_42, V3D_BREAKS_UNIFA_DELAY, "mov unifa, r0/nop/nop/nop;nop;ldunifa/" END42,
     "mov unifa, r0/nop/nop/nop/nop;nop;ldunifa/" END42},
    {V3D_42, V3D_BREAKS_UNIFA_BRANCH, "mov unifa, r0/nop/nop/b 0/nop/nop/nop/" END42,
     "mov unifa, r0/nop/nop/nop/b 0/nop/nop/nop/" END42},
    {V3D_42, V3D_BREAKS_UNIFA_THRSW, "nop;nop;thrsw/mov unifa, r0/nop/nop/" END42,
     "nop;nop;thrsw/nop/nop/mov unifa, r0/nop/nop/" END42},
    /* Mesa's scheduler: the switch takes effect after the second slot, so it may begin right after unifa. */
    {V3D_42, V3D_BREAKS_UNIFA_THRSW, "nop;nop;thrsw/nop/mov unifa, r0/nop/nop/nop/" END42,
     "mov unifa, r0/nop;nop;thrsw/nop/nop/nop/" END42},
    {V3D_42, V3D_BREAKS_SFU_IN_THRSW_SLOT, "nop;mov recip, r1;thrsw/nop/nop/nop/" END42,
     "nop;mov recip, r1/nop/nop;nop;thrsw/nop/nop/" END42},
    {V3D_42, V3D_BREAKS_SFU_R4, "nop;nop;ldunifarf.rsqrt2/mov r1, r4/" END42,
     "nop;nop;ldunifarf.rsqrt2/nop/mov r1, r4/" END42},
    {V3D_42, V3D_BREAKS_PERIPHERALS, "nop;mov tmud, r0;ldunifrf.tmua/" END42,
     "nop;mov tmud, r0;ldunifrf.r1/" END42},
    {V3D_42, V3D_BREAKS_PERIPHERALS, "nop;mov tmuc, r0;wrtmuc/" END42, "nop;mov tmud, r0;wrtmuc/" END42},
    {V3D_42, V3D_BREAKS_PERIPHERALS, "nop;mov recip, r0;wrtmuc/nop/nop/" END42,
     "nop;mov r1, r0;wrtmuc/" END42},
    {V3D_71, V3D_BREAKS_PERIPHERALS, "nop;mov syncb, rf1;wrtmuc/" END42, "nop;mov tmus, rf1;wrtmuc/" END42},
    {V3D_71, V3D_BREAKS_PERIPHERALS, "recip rf5, rf5;mov tmud, rf5/" END42,
     "recip rf5, rf5;mov rf6, rf5/" END42},
    {V3D_71, V3D_BREAKS_TWO_UNIFORMS, "nop;nop;ldunifrf.tmuau/" END42, "nop;nop;ldunifrf.tmua/" END42},
    {V3D_42, V3D_BREAKS_UMUL24,
     "b 0/nop;multop -, r0, r1/nop/nop/nop;nop;thrsw/nop/nop/nop;umul24 r2, r0, r1/" END42,
     "b 0/nop;multop -, r0, r1/nop/nop/nop;umul24 r2, r0, r1/" END42},
    {V3D_42, V3D_BREAKS_UNIFORM_IN_BRANCH_SLOT, "bu 0, r:unif/nop/nop;nop;ldunif/nop/" END42,
     "bu 0, r:unif/nop/nop/nop/nop;nop;ldunif/" END42},
    {V3D_71, V3D_BREAKS_UNIFORM_IN_BRANCH_SLOT, "bu 0, r:unif/nop/nop/mov unifa, rf1/" END42,
     "b 0/nop/nop/mov unifa, rf1/" END42},
    {V3D_42, V3D_BREAKS_ROT_EARLY, "add r0, r1, r2/nop;mov r3, r0;rot.1/" END42,
     "add r0, r1, r2/nop/nop;mov r3, r0;rot.1/" END42},
    {V3D_42, V3D_BREAKS_ROT_EARLY, "add r0, r1, r2/nop;add r3, r1, r0;rot.1/" END42,
     "add r0, r1, r2/nop;add r3, r1, r2;rot.1/" END42},
    {V3D_42, V3D_BREAKS_ROT_EARLY, "mov r5, r1/nop;mov r3, r0;rot.r5/" END42,
     "mov r5, r1/nop;mov r3, r0;rot.2/" END42},
    {V3D_42, V3D_BREAKS_ROT_EARLY, "nop;nop;ldunifrf.rf7/nop;mov r3, rf7;rot.1/" END42,
     "nop;nop;ldunifrf.rf7/nop;mov r3, rf6;rot.1/" END42},
    {V3D_71, V3D_BREAKS_ROT_DESTINATION, "rot tmud, rf5, rf6/" END42, "rot rf7, rf5, rf6/" END42},
    {V3D_71, V3D_BREAKS_ROT_DESTINATION, "rotq rep, rf5, rf6/" END42, "rotq -, rf5, rf6/" END42},
    {V3D_71, V3D_BREAKS_ROT_DESTINATION, "rot rf7, rf5, rf6;mov tmuc, rf1/" END42,
     "rot rf7, rf5, rf6;mov rf8, rf1/" END42},
    {V3D_42, V3D_BREAKS_ROT_EARLY, "nop;nop;ldunif/nop;mov r3, r5;rot.1/" END42,
     "nop;nop;ldunif/nop/nop;mov r3, r5;rot.1/" END42},
    {V3D_71, V3D_BREAKS_RF0_AT_THRSW, "nop;nop;thrsw/nop/nop;nop;ldtmu.rf5;ldunif/" END42,
     "nop;nop;thrsw/nop;nop;ldtmu.rf5;ldunif/nop/" END42},
    {V3D_71, V3D_BREAKS_RF0_AFTER_LDVARY, "nop;nop;ldvary.rf1/eidx rf0/" END42,
     "nop;nop;ldvary.rf1/eidx rf1/" END42},
};

static void each_rule_can_be_broken(void **state)
{
    (void)state;
    bool tried[V3D_RESTRICTIONS] = {false};
    static struct program p;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct v3d_breach found[BREACHES];
        assemble(rows[n].g, rows[n].bad, &p);
        unsigned breaches = v3d_check(rows[n].g, p.insn, p.count, false, found, BREACHES);
        unsigned expected = rows[n].which == V3D_BREAKS_LAST_THRSW ? 2 : 1; /* such a program has no end */
        if (breaches != expected || found[0].which != rows[n].which)
            fail_msg("%s: %u breaches, %s instead of %s", rows[n].bad, breaches,
                     breaches ? v3d_restrictions[found[0].which].id : "none",
                     v3d_restrictions[rows[n].which].id);
        assemble(rows[n].g, rows[n].good, &p);
        if (v3d_check(rows[n].g, p.insn, p.count, false, found, BREACHES))
            fail_msg("%s: %s", rows[n].good, v3d_restrictions[found[0].which].id);
        tried[rows[n].which] = true;
    }
    for (unsigned n = 0; n < V3D_RESTRICTIONS; n++)
        if (!tried[n])
            fail_msg("no program breaks %s", v3d_restrictions[n].id);
}

static void text_names_place_and_clause(void **state)
{
    (void)state;
    static struct program p;
    struct text t = {0};
    assemble(V3D_42, "nop/b 0/nop/nop/b 0/nop/nop/nop", &p);
    assert_int_equal(v3d_check_text(V3D_42, p.insn, p.count, false, &t), 2);
    assert_string_equal(
        text_chars(&t),
        "instruction 4: No branch is in the three delay slots of a branch. "
        "(v3d-branch-in-branch-slot; Mesa's validator (src/broadcom/compiler))\n"
        "A program ends with a thread switch after the last one. (v3d-no-end; Mesa's validator "
        "(src/broadcom/compiler))\n");
    text_clear(&t);
    assemble(V3D_71, "eidx rf1/nop;nop;thrsw/nop/nop", &p);
    assert_int_equal(v3d_check_text(V3D_71, p.insn, p.count, v3d_is_single(p.insn, p.count), &t), 0);
    assert_string_equal(text_chars(&t), "");
    text_free(&t);
}

/* Adds one instruction. */
static void append(struct v3d_case *c, const char *text, size_t length)
{
    struct error e = {0};
    uint64_t word;
    assert_true(c->program.count < V3D_CASE_PROGRAM_MAX);
    if (!v3d_parse(V3D_42, text, length, &word, &e))
        fail_msg("%.*s: %s", (int)length, text, e.text);
    c->program.word[2 * c->program.count] = (uint32_t)word;
    c->program.word[2 * c->program.count++ + 1] = (uint32_t)(word >> 32);
}

static void append_all(struct v3d_case *c, const char *text)
{
    for (size_t length; *text; text += length + (text[length] == '/')) {
        length = strcspn(text, "/");
        append(c, text, length);
    }
}

/* A program branches over instructions that break two restrictions each, more than a case has instructions.
 * It stops only if the instruction after them breaks one, too. */
static void no_breach_is_forgotten(void **state)
{
    (void)state;
    enum { SKIPPED = 300 };
    static const char *const after[] = {"nop;mov tmud, r0/" END42, "nop;mov tmud, r0;ldunifrf.tmua/" END42};
    _Static_assert(2 * SKIPPED > V3D_CASE_PROGRAM_MAX, "more breaches than a case has instructions");
    struct executor *x = executor_new(&v3d_qpu_unit);
    struct outcome *o = outcome_new(&v3d_qpu_unit);
    struct test_case *tc = memory_new(1, sizeof *tc);
    struct profile manual;
    profile_builtin(&v3d_qpu_unit, 0, &manual);
    for (unsigned n = 0; n < 2; n++) {
        case_init(tc, &v3d_qpu_unit);
        struct v3d_case *c = (struct v3d_case *)(void *)tc->words;
        c->program.count = c->start = 0;
        append_all(c, "b 2400/nop/nop/nop");
        for (unsigned k = 0; k < SKIPPED; k++)
            append_all(c, "nop;mov tmuau, r0;ldunifrf.tmud");
        append_all(c, after[n]);
        case_sanitise(tc);
        executor_run(x, tc, &manual, RUN_CHECKED, o);
        assert_string_equal(v3d_reasons[o->reason],
                            n ? v3d_reasons[V3D_FAULT_RESTRICTION] : v3d_reasons[V3D_GO]);
    }
    free(tc);
    outcome_free(o);
    executor_free(x);
}

/* ---- programs of Mesa's compiler ---- */

static unsigned check_file(enum v3d_generation g, FILE *f)
{
    static struct program p;
    char line[512], name[64] = "";
    unsigned programs = 0;
    bool code = false, single = false;
    while (fgets(line, sizeof line, f)) {
        const char *fact = strstr(line, "single_seg=");
        single = fact ? fact[strlen("single_seg=")] == '1' : single;
        if (sscanf(line, "program %63s", name) == 1) {
            p.count = 0;
        } else if (!strncmp(line, "code", 4)) {
            code = true;
        } else if (!strncmp(line, "end", 3)) {
            struct v3d_breach found[1];
            code = false;
            if (v3d_check(g, p.insn, p.count, single, found, 1))
                fail_msg("%s: instruction %u: %s", name, found[0].at, v3d_restrictions[found[0].which].id);
            programs++;
        } else if (code && line[0] != '#') {
            assert_true(p.count < PROGRAM_MAX);
            v3d_decode(g, strtoull(line, NULL, 16), &p.insn[p.count++]);
        }
    }
    return programs;
}

static void compiled_programs_break_none(void **state)
{
    (void)state;
    static const char *const files[V3D_GENERATIONS] = {"v42", "v71"};
    unsigned programs = 0;
    for (unsigned g = 0; g < V3D_GENERATIONS; g++) {
        FILE *f = fopen(support_data("compiler-programs/v3d/%s.txt", files[g]), "r");
        if (!f)
            skip();
        programs += check_file((enum v3d_generation)g, f);
        fclose(f);
    }
    assert_int_equal(programs, 151 + 161);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_can_be_broken),
        cmocka_unit_test(text_names_place_and_clause),
        cmocka_unit_test(no_breach_is_forgotten),
        cmocka_unit_test(compiled_programs_break_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
