/* SPDX-License-Identifier: MIT */
/*
 * The observation points of vc4-qpu. There are two ways to change a field of an instruction: by a rule at its
 * point, or in the word itself, at the bits that the manual names (p26 fig 3, p33, p34). Both must leave the
 * same outcome. test_qpu_point_rules.c states readings of clauses as rules.
 */
#include "fuzz/generate/generate.h"
#include "model/core/units.h"
#include "model/rule/rule.h"
#include "model/vc4/qpu/qpu.h"
#include "model/vc4/qpu/unit_qpu.h"
#include "oracle/files/corpus.h"
#include "tests/model/vc4/qpu/support_points.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

/* ---- fields ---- */

enum { ALU = 1, SMALL = 2, LOAD = 4, SEMAPHORE = 8, BRANCH = 16, SIGNAL_14 = 32, ANY = 64 };

/* The bits of each field, and the kinds of instructions that have the field. */
static const struct place {
    const char *point;
    uint8_t low, width;
    unsigned kinds;
} places[] = {
    {"insn.sig", 60, 4, ANY},
    {"insn.mode", 57, 3, SIGNAL_14},
    {"insn.unpack", 57, 3, ALU | SMALL},
    {"insn.pm", 56, 1, ALU | SMALL | LOAD | SEMAPHORE},
    {"insn.pack", 52, 4, ALU | SMALL | LOAD | SEMAPHORE},
    {"insn.cond_add", 49, 3, ALU | SMALL | LOAD | SEMAPHORE},
    {"insn.cond_mul", 46, 3, ALU | SMALL | LOAD | SEMAPHORE},
    {"insn.sf", 45, 1, ALU | SMALL | LOAD | SEMAPHORE},
    {"insn.ws", 44, 1, ALU | SMALL | LOAD | SEMAPHORE | BRANCH},
    {"insn.waddr_add", 38, 6, ALU | SMALL | LOAD | SEMAPHORE | BRANCH},
    {"insn.waddr_mul", 32, 6, ALU | SMALL | LOAD | SEMAPHORE | BRANCH},
    {"insn.op_mul", 29, 3, ALU | SMALL},
    {"insn.op_add", 24, 5, ALU | SMALL},
    {"insn.raddr_a", 18, 6, ALU | SMALL},
    {"insn.raddr_b", 12, 6, ALU},
    {"insn.small_immed", 12, 6, SMALL},
    {"insn.add_a", 9, 3, ALU | SMALL},
    {"insn.add_b", 6, 3, ALU | SMALL},
    {"insn.mul_a", 3, 3, ALU | SMALL},
    {"insn.mul_b", 0, 3, ALU | SMALL},
    {"load.immediate", 0, 32, LOAD},
    {"semaphore.sa", 4, 1, SEMAPHORE},
    {"semaphore.number", 0, 4, SEMAPHORE},
    {"branch.cond", 52, 4, BRANCH},
    {"branch.rel", 51, 1, BRANCH},
    {"branch.reg", 50, 1, BRANCH},
    {"branch.raddr_a", 45, 5, BRANCH},
    {"branch.immediate", 0, 32, BRANCH},
};

static unsigned kinds_of(uint64_t word)
{
    unsigned sig = (unsigned)(word >> 60), mode = word >> 57 & 7;
    if (sig == 15)
        return ANY | BRANCH;
    if (sig == 14)
        return ANY | SIGNAL_14 | (mode == 4 ? SEMAPHORE : mode == 0 || mode == 1 || mode == 3 ? LOAD : 0U);
    return ANY | (sig == 13 ? SMALL : ALU);
}

/* Writes `field` into all words that have this field. */
static void edit(const struct place *p, struct qpu_case *c, uint32_t field)
{
    uint64_t mask = ((UINT64_C(1) << p->width) - 1) << p->low;
    for (uint32_t i = 0; i < c->program.count; i++) {
        uint32_t *at = c->program.word + 2 * i;
        uint64_t word = at[0] | (uint64_t)at[1] << 32;
        if (!(kinds_of(word) & p->kinds))
            continue;
        word = (word & ~mask) | (uint64_t)field << p->low;
        at[0] = (uint32_t)word;
        at[1] = (uint32_t)(word >> 32);
    }
}

static void a_rule_is_an_edit_of_the_words(void **state)
{
    (void)state;
    static const char *const profiles[] = {"manual", "bcm2835",
                                           "manual,nop-read-stale=stale,mul-nop-write=stale"};
    unsigned differing = 0;
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
        const struct place *p = &places[i];
        unsigned changed = 0;
        for (unsigned n = 0; n < support_scaled(300) || (!changed && n < 3000); n++) {
            uint32_t field = random_u32(&bench.random) >> (32 - p->width);
            char rule[64];
            snprintf(rule, sizeof rule, "%s = %u", p->point, field);
            struct profile ruled = points_profile(profiles[n % 3], rule), plain = ruled;
            plain.rules = (struct rules){0};
            case_generate(&bench.random, points_unit, &bench.tc);
            case_copy(&bench.edited, &bench.tc);
            edit(p, (struct qpu_case *)(void *)bench.edited.words, field);
            points_run(&bench.tc, &plain, RUN_CHECKED, bench.other);
            points_run(&bench.edited, &plain, RUN_CHECKED, bench.out);
            changed += !points_same(bench.out, bench.other);
            points_run(&bench.tc, &ruled, RUN_CHECKED, bench.other);
            if (!points_same(bench.out, bench.other))
                support_fail_case(&bench.tc, "%s with rule %s is not what the edited words do",
                                  profiles[n % 3], rule);
        }
        if (!changed)
            fail_msg("%s: no edit changed an outcome", p->point);
        differing += changed;
    }
    print_message("%u edits changed the outcome\n", differing);
}

/* ---- all points ---- */

static uint64_t seen[QPU_POINTS_ALL];

static void count(void *context, const struct observation *o)
{
    (void)context;
    seen[o->point]++;
}

/* Programs that do what generated programs rarely or never do: read uniforms from memory, switch threads. */
static const char *const written[] = {
    "misprint-case 1 vc4-qpu\nprogram {\n mov uniforms_address, uniform\n nop\n nop\n mov r1, uniform\n"
    " nop ; end\n nop\n nop\n}\nuniforms { @80 }\nmemory fill index\n",
    "misprint-case 1 vc4-qpu\nprogram {\n nop ; thread_switch\n mov ra0, r0\n mov ra1, r0\n mov ra2, r0\n"
    " nop ; end\n nop\n nop\n}\nacc fill index\n",
};
enum { WRITTEN = sizeof written / sizeof *written };

/* Makes case n for every_point_matters: one of `written`, then those of the corpus, then generated ones. */
static void make_case(const struct corpus *corpus, unsigned n)
{
    struct error e = {0};
    if (n < WRITTEN && !case_parse(&bench.tc, written[n], strlen(written[n]), &e))
        fail_msg("%s", e.text);
    else if (n < WRITTEN)
        return;
    else if (n < WRITTEN + corpus->count)
        case_copy(&bench.tc, corpus->entry[n - WRITTEN].tc);
    else
        case_generate(&bench.random, points_unit, &bench.tc);
}

/* Cases pass every point, and a rule at any point changes the outcome of some case. */
static void every_point_matters(void **state)
{
    (void)state;
    static const char *const changes_by[] = {"^ 5", "+ 77", "* 0"};
    struct error e = {0};
    struct corpus *corpus = corpus_open(points_unit, MISPRINT_SOURCE_DIR "/corpus", &e);
    assert_non_null(corpus);
    for (unsigned i = 0; i < QPU_POINT_COUNT; i++) {
        bool changes = false;
        for (unsigned n = 0; n < 40000 && !changes; n++) {
            char rule[64];
            snprintf(rule, sizeof rule, "%s = value %s", qpu_points[i].name, changes_by[n / 2 % 3]);
            struct profile ruled = points_profile(n % 2 ? "bcm2835" : "manual", rule), plain = ruled;
            plain.rules = (struct rules){0};
            make_case(corpus, n / 6);
            bench.run.see = count;
            points_run(&bench.tc, &plain, RUN_CHECKED, bench.out);
            bench.run.see = NULL;
            points_run(&bench.tc, &ruled, RUN_CHECKED, bench.other);
            changes = !points_same(bench.out, bench.other);
        }
        if (!changes || !seen[i])
            fail_msg("%s: seen %llu times, no case shows its rule", qpu_points[i].name,
                     (unsigned long long)seen[i]);
        for (unsigned k = 0; k < i; k++)
            assert_string_not_equal(qpu_points[i].name, qpu_points[k].name);
    }
    corpus_close(corpus);
}

/* Observing a run does not change it, in all modes. */
static void observing_changes_nothing(void **state)
{
    (void)state;
    static const char *const profiles[] = {"manual", "bcm2835"};
    for (unsigned n = 0; n < support_scaled(4000); n++) {
        struct profile p = points_profile(profiles[n % 2], NULL);
        enum run_mode mode = n % 4 < 2 ? RUN_PLAIN : RUN_CHECKED;
        case_generate(&bench.random, points_unit, &bench.tc);
        points_run(&bench.tc, &p, mode, bench.out);
        bench.run.see = count;
        points_run(&bench.tc, &p, mode, bench.other);
        bench.run.see = NULL;
        if (points_same(bench.out, bench.other))
            continue;
        points_print(bench.out, bench.other);
        support_fail_case(&bench.tc, "case %u: the observed run differs", n);
    }
}

/* Are the ends and the defined bits equal? A checked run may stop because an undefined bit decides something.
 * A plain run does not stop then, so such runs are not compared. */
static bool agree(const struct outcome *checked, const struct outcome *plain)
{
    const struct layout *l = &points_unit->layout;
    if (checked->reason == VC4_FAULT_UNDEFINED)
        return true;
    bool same = checked->end == plain->end && checked->reason == plain->reason;
    for (size_t i = 0; i < (size_t)l->rows * l->row_words; i++)
        same &= !((checked->value[i] ^ plain->value[i]) & checked->defined[i]);
    return same;
}

static void ignore_line(void *context, const char *line)
{
    (void)context, (void)line;
}

/* Writes a rule. Every third rule has a guard that compares an input with a small number. */
static void write_rule(char *rule, size_t size, const struct point *p, const char *form, unsigned n)
{
    unsigned inputs = 0;
    while (inputs < POINT_INPUTS_MAX && p->input[inputs].name)
        inputs++;
    if (n % 3)
        snprintf(rule, size, "%s = %s", p->name, form);
    else
        snprintf(rule, size, "%s when %s %s %u = %s", p->name,
                 p->input[random_below(&bench.random, inputs)].name,
                 n % 2 ? "<" : "==", random_below(&bench.random, 20), form);
}

static void rules_act_alike_in_all_modes(void **state)
{
    (void)state;
    static const char *const forms[] = {"value ^ 1", "value + 3", "~value", "0"};
    unsigned compared = 0;
    for (unsigned i = 0; i < QPU_POINT_COUNT; i++)
        for (unsigned n = 0; n < support_scaled(100); n++) {
            char rule[96];
            write_rule(rule, sizeof rule, &qpu_points[i], forms[n % 4], n);
            struct profile p = points_profile(n & 4 ? "manual" : "bcm2835", rule);
            case_generate(&bench.random, points_unit, &bench.tc);
            points_run(&bench.tc, &p, RUN_CHECKED, bench.out);
            points_run(&bench.tc, &p, RUN_PLAIN, bench.other);
            if (!agree(bench.out, bench.other)) {
                points_print(bench.out, bench.other);
                support_fail_case(&bench.tc, "%s: the plain run differs", rule);
            }
            compared += bench.out->reason != VC4_FAULT_UNDEFINED;
            bench.run.see = count; /* makes the run observe every step, also steps in which no rule can act */
            points_run(&bench.tc, &p, RUN_CHECKED, bench.other);
            bench.run.see = NULL;
            if (!points_same(bench.out, bench.other))
                support_fail_case(&bench.tc, "%s: the observed run differs", rule);
            if (n % 8)
                continue;
            bench.run.trace = ignore_line;
            points_run(&bench.tc, &p, RUN_TRACED, bench.other);
            bench.run.trace = NULL;
            if (!points_same(bench.out, bench.other))
                support_fail_case(&bench.tc, "%s: the traced run differs", rule);
        }
    print_message("%u cases compared\n", compared);
    assert_true(compared > support_scaled(100) * QPU_POINT_COUNT / 2);
}

/* A step takes the way that rules watch only if a rule can act there. What stands behind the last rule is
 * none, as after a rule was taken back. */
static void only_rules_are_looked_for(void **state)
{
    (void)state;
    static struct qpu q;
    static struct profile p;
    static const struct qpu_step s;
    struct observer o = {.points = points_unit->points, .rules = &p.rules};
    p = points_profile("manual", "insn.sig = 1; read.value = 0");
    q.observer = &o;
    assert_int_equal(p.rules.count, 2);
    assert_true(qpu_is_observed(&q, &s));
    p.rules.count = 1;
    assert_false(qpu_is_observed(&q, &s));
}

/* Can a rule with this guard act at the point, in a step whose pipe `pipe` runs an operation? The other pipe
 * runs none. */
static bool can_act(const struct point *p, const char *guard, unsigned pipe, enum qpu_source source,
                    unsigned opcode)
{
    static struct qpu q;
    static struct profile profile;
    struct observer o = {.points = points_unit->points, .rules = &profile.rules};
    struct qpu_step s = {.add.number = 0, .mul.number = 1, .flags_from = (uint8_t)(pipe + 1)};
    struct qpu_pipe *runs = pipe ? &s.mul : &s.add;
    char rule[96];
    snprintf(rule, sizeof rule, "%s when %s = 0", p->name, guard);
    profile = points_profile("manual", rule);
    q.observer = &o;
    runs->source = (uint8_t)source;
    runs->opcode = (uint8_t)opcode;
    return qpu_is_observed(&q, &s);
}

/* At a point of one pipe, a guard about the opcode or the pipe decides if the rule can act. */
static void guards_know_opcode_and_pipe(void **state)
{
    (void)state;
    unsigned points = 0;
    char guard[48];
    for (unsigned i = QPU_POINT_STEPS; i < QPU_POINT_UNITS; i++) {
        const struct point *p = &qpu_points[i];
        unsigned pipe = strstr(p->name, "mul") != NULL;
        if (can_act(p, "1", pipe, QPU_FROM_NOTHING, 0))
            continue; /* not a point of one pipe */
        for (unsigned n = 0; n < POINT_INPUTS_MAX && p->input[n].name; n++) {
            const char *name = p->input[n].name;
            snprintf(guard, sizeof guard, "%s == 1", name);
            bool of_pipe = !strcmp(name, "pipe"), known = of_pipe || !strcmp(name, "op");
            points += known;
            assert_true(can_act(p, guard, pipe || of_pipe, QPU_FROM_ALU, 1));
            assert_true(!known || !can_act(p, guard, pipe && !of_pipe, QPU_FROM_ALU, 2));
            assert_true(known || can_act(p, guard, pipe, QPU_FROM_ALU, 2));
        }
    }
    print_message("%u inputs are known\n", points);
    assert_true(points > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_rule_is_an_edit_of_the_words, points_begin, points_finish),
        cmocka_unit_test_setup_teardown(every_point_matters, points_begin, points_finish),
        cmocka_unit_test_setup_teardown(observing_changes_nothing, points_begin, points_finish),
        cmocka_unit_test_setup_teardown(rules_act_alike_in_all_modes, points_begin, points_finish),
        cmocka_unit_test(only_rules_are_looked_for),
        cmocka_unit_test(guards_know_opcode_and_pipe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
