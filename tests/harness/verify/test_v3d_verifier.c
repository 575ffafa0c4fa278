/* SPDX-License-Identifier: MIT */
/*
 * The proofs of V3D jobs. Small programs state what they accept and refuse. Then mutated cases attack each
 * proof alone: what it accepts must end within the case's memory under profiles with random readings. With
 * MISPRINT_TEST_LONG the attack goes on until each proof accepted ten million.
 */
#include "fuzz/generate/generate.h"
#include "harness/verify/v3d_verifier.h"
#include "model/core/memory.h"
#include "model/core/units.h"
#include "model/v3d/unit_v3d.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char begin[] = "nop ; nop ; ldunifrf.rf10\nnop\n", end[] = "nop ; nop ; thrsw\nnop\nnop\n";

/* Programs between `begin`, which loads the address @100, and `end`. `why`: NULL: accepted. */
static const struct {
    const char *program, *why;
} rows[] = {
    {"mov tmua, rf10\nnop ; nop ; ldtmu.rf5\n", NULL},
    {"mov tmud, rf5\nmov tmua, rf10\ntmuwt -\n", NULL},
    {"mov.ifa tmua, rf10\nnop ; nop ; ldtmu.rf5\n", NULL},
    {"mov tmua, rf10\n", "results of the TMU that no ldtmu takes"},
    {"b.anya 8\nnop\nnop\nnop\nmov rf5, rf6\n", NULL},
    {"mov tmua, rf2\n", "an address that the proof does not know"},       /* the payload */
    {"add rf10, rf10, 1\nmov tmua, rf10\n", "an address that the proof"}, /* v3d-rf-forward */
    {"add rf10, rf10, 1\nnop\nmov tmua, rf10\nnop ; nop ; ldtmu.rf5\n", NULL},
    {"clz rf10, rf10\nnop\nmov tmua, rf10\n", "an address that the proof"},
    {"mov tmua, rf20\n", "an access outside"},
    {"nop ; nop ; ldtmu.rf5\n", "ldtmu without"},
    {"mov tmud, rf5\n", "data for the TMU without an access"},
    {"nop ; nop ; ldunifrf.rf5\n", "more uniforms"},
    {"b -32\nnop\nnop\nnop\n", "a branch that does not go forward"},
    {"b rf10\nnop\nnop\nnop\n", "a branch that does not go forward"},
    {"b.anya 64\nnop\nnop\nnop\n", "a branch that does not go forward"},
    {"b.anya 8\nnop\nnop\nnop\nmov tmua, rf10\nnop\n", "paths that join"},
    {"mov syncb, rf5\n", "a write to syncb other than"},
    {"mov sync, rf5\n", "a destination that"},
    {"mov tmul, rf10\n", "a destination that"},
    {"mov.ifa tmud, rf5\nmov tmua, rf10\n", "a condition or a pack"},
    {"mov unifa, rf10\nnop\nnop\nnop\nnop ; nop ; ldunifarf.rf5\n", NULL},
    {"mov unifa, rf10\nnop\nnop\nnop ; nop ; ldunifarf.rf5\n", "Three instructions lie between"},
    {"bu 0, rf10\nnop\nnop\nnop\nnop ; nop ; ldunifrf.rf5\n", NULL},
    {"bu 0, rf20\nnop\nnop\nnop\nnop ; nop ; ldunifrf.rf5\n", "a uniform outside"},
    {".quad 1\n", "A program holds no reserved word."},
};

static void each_rule_refuses(void **state)
{
    (void)state;
    struct test_case *c = memory_new(1, sizeof *c);
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct text t = {0};
        struct v3d_refusal r;
        struct error e = {0};
        text_add(
            &t,
            "misprint-case 1 v3d-qpu\nprogram {\n%s%s%s}\nuniforms {\n @100\n}\nrf row 20 = all 3fffffff\n",
            begin, rows[n].program, end);
        if (!case_parse(c, text_chars(&t), t.length, &e))
            fail_msg("%s: %s", rows[n].program, e.text);
        bool good = v3d_verifier_prove(c, MEMORY_BASE_DEFAULT, &r);
        if (good != !rows[n].why || (!good && strncmp(r.why.text, rows[n].why, strlen(rows[n].why)) != 0))
            fail_msg("%s: %s", rows[n].program, good ? "accepted" : r.why.text);
        text_free(&t);
    }
    free(c);
}

/* Launches of several batches, and what the proofs say. Each lane has a word at rf6, the same in all batches.
 */
#define DATA         "uniforms {\n @100\n ffffff87\n}\nmemory fill zero\nrf row 11 = all 1\n"
#define TWO_GROUPS   "workgroups-x = 0x20000\nbatches = 2\n"
#define GROUP_OF_TWO "group = 0x1120\nbatches = 2\nstart = 0\n"
#define LANES                                                                                                \
    "nop ; nop ; ldunifrf.rf6\neidx rf9 ; nop ; ldunifrf.rf10\nnop\nshl rf9, rf9, 2\nnop\n"                  \
    "add rf6, rf6, rf9\nnop\n"
#define SEVERAL_END "nop ; nop ; thrsw\nnop ; nop ; thrsw\nnop\nnop\nnop ; nop ; thrsw\nnop\nnop\n"
#define BARRIER     "barrierid syncb ; nop ; thrsw\nnop\nnop\n"
static const struct {
    const char *launch, *program, *why;
} launches[] = {
    /* all store the same */
    {TWO_GROUPS,
     LANES "mov tmud, rf11\nmov tmua, rf6\n"
           "nop ; nop ; thrsw\nnop\nnop\n",
     NULL},
    /* each stores its workgroup's number */
    {TWO_GROUPS,
     LANES "mov tmud, rf0\nmov tmua, rf6\n"
           "nop ; nop ; thrsw\nnop\nnop\n",
     "depends on the order of its batches"},
    /* one loads what the other may have stored */
    {TWO_GROUPS,
     LANES
     "mov tmua, rf6\nnop ; nop ; ldtmu.rf7\nmov tmud, rf11\nmov tmua, rf6\nnop ; nop ; thrsw\nnop\nnop\n",
     "depends on the order of its batches"},
    /* sums do not depend on it, and exchanges do */
    {TWO_GROUPS,
     LANES
     "mov tmuc, rf10\nmov tmud, rf0\nmov tmua, rf6\nnop ; nop ; ldtmu.rf7\nnop ; nop ; thrsw\nnop\nnop\n",
     NULL},
    {TWO_GROUPS "rf row 12 = all ffffff97\n",
     LANES
     "mov tmuc, rf12\nmov tmud, rf0\nmov tmua, rf6\nnop ; nop ; ldtmu.rf7\nnop ; nop ; thrsw\nnop\nnop\n",
     "depends on the order of its batches"},
    /* a barrier orders the batches of a workgroup */
    {GROUP_OF_TWO,
     LANES "mov tmud, rf11\nmov tmua, rf6\nnop\n" BARRIER
           "mov tmua, rf6\nnop ; nop ; ldtmu.rf7\n" SEVERAL_END,
     NULL},
    {GROUP_OF_TWO,
     LANES "mov tmud, rf11\nmov tmua, rf6\nnop\nnop ; nop ; thrsw\nnop\nnop\n"
           "mov tmua, rf6\nnop ; nop ; ldtmu.rf7\n" SEVERAL_END,
     "depends on the order of its batches"},
    /* batches that do not reach the barrier would leave the others waiting */
    {"group = 0x1120\nbatches = 3\nstart = 0\n", LANES BARRIER SEVERAL_END, "a barrier, and a launch that"},
    {"group = 0x1118\nbatches = 2\nstart = 0\n", LANES BARRIER SEVERAL_END, "a barrier, and a launch that"},
    {GROUP_OF_TWO, LANES "b.anya 24\nnop\nnop\nnop\n" BARRIER SEVERAL_END,
     "a barrier in a program that branches"},
    {GROUP_OF_TWO, LANES "mov syncb, rf11 ; thrsw\nnop\nnop\n" SEVERAL_END, "a write to syncb other than"},
    {GROUP_OF_TWO, LANES "barrierid syncb\nnop\nnop\n" SEVERAL_END, "a write to syncb other than"},
    {GROUP_OF_TWO,
     LANES "nop ; nop ; thrsw\nbarrierid syncb ; nop ; thrsw\nnop\nnop\nnop ; nop ; thrsw\nnop\nnop\n",
     "a barrier with one of two thread switches"},
    /* Mesa: no access of the TMU is under way when a barrier blocks */
    {GROUP_OF_TWO, LANES "mov tmua, rf6\n" BARRIER "nop ; nop ; ldtmu.rf7\n" SEVERAL_END,
     "results of the TMU under way"},
    /* The delay slots of the thread switch come before the barrier: the first program stores there what the
     * other batch loads, and the second one loads there what the other batch stores. */
    {GROUP_OF_TWO,
     LANES "mov tmud, rf0\nbarrierid syncb ; nop ; thrsw\nmov tmua, rf6\nnop\nmov tmua, rf6\n"
           "nop ; nop ; ldtmu.rf7\n" SEVERAL_END,
     NULL},
    {GROUP_OF_TWO,
     LANES "mov tmud, rf11\nnop\nmov tmua, rf6\nbarrierid syncb ; nop ; thrsw\nmov tmua, rf6\n"
           "nop ; nop ; ldtmu.rf7\n" SEVERAL_END,
     "depends on the order of its batches"},
};

static void batches_run_in_any_order(void **state)
{
    (void)state;
    struct test_case *c = memory_new(1, sizeof *c);
    struct v3d_dry_run *dry_run = v3d_dry_run_new();
    for (size_t n = 0; n < sizeof launches / sizeof *launches; n++) {
        struct text t = {0};
        struct v3d_refusal r;
        struct error e = {0};
        text_add(&t, "misprint-case 1 v3d-qpu\n%sprogram {\n%s}\n%s", launches[n].launch, launches[n].program,
                 DATA);
        if (!case_parse(c, text_chars(&t), t.length, &e))
            fail_msg("launch %zu: %s", n, e.text);
        bool good = v3d_verifier_prove(c, MEMORY_BASE_DEFAULT, &r) && v3d_dry_run(dry_run, c, NULL, &r);
        if (good != !launches[n].why || (!good && !strstr(r.why.text, launches[n].why)))
            fail_msg("launch %zu: %s", n, good ? "accepted" : r.why.text);
        text_free(&t);
    }
    v3d_dry_run_free(dry_run);
    free(c);
}

/* ---- the attack ---- */

struct attack {
    struct random random;
    struct test_case *c, *other;
    struct v3d_dry_run *dry_run;
    void *state;
    struct outcome *out;
    uint64_t tried, accepted;
};

static void open_attack(struct attack *a, uint64_t seed)
{
    *a = (struct attack){.c = memory_new(1, sizeof *a->c),
                         .other = memory_new(1, sizeof *a->other),
                         .dry_run = v3d_dry_run_new(),
                         .state = memory_new(1, v3d_qpu_unit.state_size),
                         .out = outcome_new(&v3d_qpu_unit)};
    random_seed(&a->random, seed);
}

static void close_attack(struct attack *a)
{
    free(a->c);
    free(a->other);
    free(a->state);
    v3d_dry_run_free(a->dry_run);
    outcome_free(a->out);
}

/* Runs the accepted case under random readings. It must end, and reach nothing but its own. `one`: of the
 * clauses that it consults, change one reading only. */
static void break_it(struct attack *a, bool one)
{
    struct profile p;
    struct coverage covered_now = {0};
    profile_builtin(&v3d_qpu_unit, 1 + random_below(&a->random, 4), &p);
    unsigned clauses = unit_clauses(&v3d_qpu_unit), only = random_below(&a->random, clauses);
    for (unsigned n = 0; n < clauses; n++)
        if (!one || n == only)
            p.reading[n] = (uint8_t)random_below(&a->random, clause_readings(unit_clause(&v3d_qpu_unit, n)));
    struct run r = {.tc = a->c,
                    .profile = &p,
                    .out = a->out,
                    .coverage = &covered_now,
                    .state = a->state,
                    .memory_base = MEMORY_BASE_DEFAULT,
                    .code_base = CODE_BASE_DEFAULT};
    v3d_qpu_unit.run(&r);
    if (a->out->end == END_DONE)
        return;
    struct text t = {0};
    case_print(a->c, &t);
    print_message("%s\n", text_chars(&t));
    fail_msg("%s (%s), after %llu accepted", end_name(a->out->end), v3d_qpu_unit.reasons[a->out->reason],
             (unsigned long long)a->accepted);
}

static void attack(bool is_static, uint64_t wanted, uint64_t limit)
{
    struct attack a;
    struct v3d_refusal r;
    open_attack(&a, is_static ? 11 : 12);
    for (; a.accepted < wanted && a.tried < limit; a.tried++) {
        if (!a.tried || random_one_in(&a.random, 4)) {
            case_init(a.c, &v3d_qpu_unit);
            v3d_case_generate(&a.random, a.c);
            *a.other = *a.c;
        } else {
            *a.c = *a.other;
            for (unsigned n = 1 + random_below(&a.random, 3); n > 0; n--)
                case_mutate(&a.random, a.c);
        }
        ((struct v3d_case *)(void *)a.c->words)->limit = V3D_CASE_LIMIT_MAX; /* hardware has no limit */
        bool accepts = is_static ? v3d_verifier_prove(a.c, MEMORY_BASE_DEFAULT, &r)
                                 : v3d_dry_run(a.dry_run, a.c, NULL, &r);
        if (!accepts)
            continue;
        a.accepted++;
        break_it(&a, !is_static);
    }
    print_message("  %s: accepted %llu of %llu programs, none broke it\n",
                  is_static ? "static proof" : "dry run", (unsigned long long)a.accepted,
                  (unsigned long long)a.tried);
    assert_true(a.accepted > a.tried / 50);
    close_attack(&a);
}

static void nothing_that_the_static_proof_accepts_leaves_its_memory(void **state)
{
    (void)state;
    bool thorough = getenv("MISPRINT_TEST_LONG") != NULL;
    attack(true, thorough ? 10000000 : UINT64_MAX, thorough ? UINT64_MAX : support_scaled(20000));
}

static void nothing_that_the_dry_run_accepts_leaves_its_memory(void **state)
{
    (void)state;
    bool thorough = getenv("MISPRINT_TEST_LONG") != NULL;
    attack(false, thorough ? 10000000 : UINT64_MAX, thorough ? UINT64_MAX : support_scaled(2000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_refuses),
        cmocka_unit_test(batches_run_in_any_order),
        cmocka_unit_test(nothing_that_the_static_proof_accepts_leaves_its_memory),
        cmocka_unit_test(nothing_that_the_dry_run_accepts_leaves_its_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
