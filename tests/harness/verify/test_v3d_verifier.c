/* SPDX-License-Identifier: MIT */
/*
 * The proofs of V3D jobs. Small programs state what they accept and refuse. Then mutated cases attack each
 * proof alone: what it accepts must end within the case's memory under profiles with random readings. If it
 * breaks a restriction of Mesa, it must also do so on a hostile machine, where whatever the restriction can
 * spoil has random values. With MISPRINT_TEST_LONG the attack goes on until each proof accepted ten million.
 */
#include "fuzz/generate/generate.h"
#include "harness/verify/v3d_breaches.h"
#include "harness/verify/v3d_verifier.h"
#include "model/core/memory.h"
#include "model/core/units.h"
#include "model/v3d/unit_v3d.h"
#include "tests/harness/verify/support_v3d_hostile.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char begin[] = "nop ; nop ; ldunifrf.rf10\nnop\n", end[] = "nop ; nop ; thrsw\nnop\nnop\n";

/* unifa is written long ago, and just now; the stream of uniforms branches, and branches again. */
#define UNIFA_AGAIN "mov unifa, rf10\nadd rf11, rf10, 4\nnop\nnop\nmov unifa, rf11\nnop\n"
#define TWICE       "bu 0, rf10\nnop\nnop\nnop\nadd rf11, rf10, 4\nnop\nbu 0, rf11\nnop\n"

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
    {"mov unifa, rf10\nnop\nnop\nnop ; nop ; ldunifarf.rf5\n", "an early ldunifa without"},
    {"bu 0, rf10\nnop\nnop\nnop\nnop ; nop ; ldunifrf.rf5\n", NULL},
    {"bu 0, rf20\nnop\nnop\nnop\nnop ; nop ; ldunifrf.rf5\n", "a uniform outside"},
    /* v3d-sfu-destination=register-file: rf0 to rf5 could have the result */
    {"recip r3, rf5\n", "an operation of the SFU whose result"},
    {"recip rf7, rf5\n", NULL},
    {"recip -, rf5\n", NULL},
    {".quad 1\n", "A program holds no reserved word."},
    /* restrictions that may be broken: what they spoil is no address, configuration or flag of the TMU */
    {"mov recip, rf5\nmov rf6, r4\n", NULL},
    {"mov recip, rf5\nmov tmud, r4\nmov tmua, rf10\n", "an instruction that breaks a restriction and"},
    {"mov recip, rf5\nmov tmua, r4\n", "an instruction that breaks a restriction and"},
    {"mov recip, rf5\nmov rf10, r4\nnop\nmov tmua, rf10\n", "an address that the proof"},
    {"mov recip, rf5\nor r4, rf5, rf5 ; mov rf10, rf10\nnop\nmov tmua, rf10\n", "an address that the proof"},
    {"mov recip, rf5\nmov rf6, r4\nmov tmud, r4\nmov tmua, rf10\n", NULL},
    {"mov recip, rf5\nsetmsf -, r4\n", "an instruction that breaks a restriction and says which lanes"},
    {"mov recip, rf5\nnop ; mov rf6, r4 ; ldunif\n", "V3D 4.2: the instruction after a write to the SFU"},
    {"add r2, rf5, rf6\nnop ; mov rf7, r2 ; rot.3\n", NULL},
    {"add r2, rf5, rf6\nnop ; mov tmua, r2 ; rot.3\n", "an instruction that breaks a restriction and"},
    {"multop -, rf5, rf6\nmov recip, rf5\nnop ; mov tmud, rf5 ; ldtmu.rf5\n", "An instruction has one"},
    {"nop ; mov recip, rf5\nb 0\nnop\nnop\nmov rf6, r4\n", NULL},
    {"mov unifa, rf10\nbu 0, rf10\nnop\nnop\nnop\n", "No branch is in the three instructions after"},
    /* two accesses to the SFU */
    {"recip rf7, rf5 ; mov exp, rf6\n", NULL},
    {"or recip, rf5, rf5 ; mov exp, rf6\nnop\nmov rf7, r4\n", NULL},
    {"recip rf10, rf5 ; mov exp, rf6\nnop\nmov tmua, rf10\n", "an address that the proof"},
    {"or recip, rf5, rf5 ; mov tmud, rf6\nmov tmua, rf10\n", "An instruction has one access"},
    {"mov tmua, rf10\nnop ; mov recip, rf6 ; ldtmu.rf5\n", "An instruction has one access"},
    /* words at unifa: what it held before is known, or not; it is not known afterwards */
    {UNIFA_AGAIN "nop ; nop ; ldunifarf.rf5\n", NULL},
    {UNIFA_AGAIN "nop ; nop ; ldunifarf.rf10\nnop\nmov tmua, rf10\n", "an address that the proof"},
    {UNIFA_AGAIN "nop ; nop ; ldunifarf.tmud\nmov tmua, rf10\n", "an instruction that breaks a restriction"},
    {UNIFA_AGAIN "nop ; nop ; ldunifarf.rf5\nnop ; nop ; ldunifarf.rf6\n", "ldunifa without"},
    {UNIFA_AGAIN "nop ; nop ; ldunifarf.rf5\nnop\nnop\nnop\nnop ; nop ; ldunifarf.rf6\n", "ldunifa without"},
    {"mov unifa, rf10\nnop\nmov unifa, rf11\nnop ; nop ; ldunifarf.rf5\n", "an early ldunifa without"},
    {"mov unifa, rf10\nb 0\nnop\nnop\nnop\n", NULL},
    {"mov unifa, rf10\nb 0\nnop\nnop\nnop\nnop ; nop ; ldunifarf.rf5\n", "ldunifa without"},
    {"mov unifa, rf10\nadd rf11, rf20, rf20\nnop\nnop\nmov unifa, rf11\nnop ; nop ; ldunifarf.rf5\n",
     "a uniform outside"},
    {"mov unifa, rf20\nnop\nnop\nnop\nmov unifa, rf10\nnop ; nop ; ldunifarf.rf5\n", "a uniform outside"},
    {UNIFA_AGAIN "b 0\nnop\nnop\nnop\nnop ; nop ; ldunifarf.rf5\n", NULL},
    {UNIFA_AGAIN "b 0\nnop\nnop\nnop\nnop ; nop ; ldunifrf.rf5\n", "a uniform after a broken restriction"},
    {"b 16\nnop\nmov recip, rf5\nnop\nnop\nnop\nmov rf6, r4\n", NULL},
    /* uniforms in the delay slots of a branch of theirs: both streams have a word, or not */
    {"bu 0, rf10\nnop\nnop ; nop ; ldunifrf.rf5\nnop\n", "a uniform in the slots of a branch"},
    {TWICE "nop ; nop ; ldunifrf.rf5\nnop\n", NULL},
    {TWICE "nop ; nop ; ldunif\nmov rf5, r5\n", NULL},
    {TWICE "nop ; nop ; ldunifrf.rf5\nnop ; nop ; ldunifrf.rf6\n", "a uniform after a broken restriction"},
    {TWICE "nop ; nop ; ldunifrf.rf5\nnop\nnop ; nop ; ldunifrf.rf6\n", "a uniform after a broken"},
    {TWICE "nop ; nop ; ldunifrf.tmud\nmov tmua, rf10\n", "an instruction that breaks a restriction and"},
    {TWICE "mov unifa, rf10\nnop\n", "an instruction that breaks a restriction and"},
    {"bu 0, rf10\nnop\nnop\nnop\nbu 0, rf20\nnop\nnop ; nop ; ldunifrf.rf5\nnop\n", "a uniform outside"},
};

/* The same between thread switches, and for V3D 7.1. */
#define HEAD_71   "generation = v3d71\n"
#define HEAD_LONG "start = 0\n"
#define TWO_APART "nop ; nop ; thrsw\nnop\nnop ; nop ; thrsw\nnop\nnop\n"
#define LAST      "nop ; nop ; thrsw\nnop ; nop ; thrsw\nnop\nnop\n"
#define RF0_LOST  "mov tmua, rf10\nnop ; nop ; thrsw\nnop\nnop ; nop ; ldtmu.rf5 ; ldunif\n"
static const struct {
    const char *head, *program, *why;
} breaking[] = {
    /* Only a jump breaks these, from a last delay slot to its target. The model does not notice. */
    {"", "b 24\nnop\nnop\nmov unifa, rf10\nnop\nnop\nnop\nnop ; nop ; ldunifarf.rf5\n",
     "Three instructions lie between"},
    {"", "b 16\nnop\nnop\nmov unifa, rf10\nnop\nnop\nnop\nnop ; nop ; ldunifarf.rf5\n",
     "Three instructions lie between"},
    {"", "b 0\nnop\nnop\nmov unifa, rf10\nnop\nnop\nnop\nnop ; nop ; ldunifarf.rf5\n", NULL},
    {"", "b 16\nnop\nnop\nmov recip, rf5\nnop\nnop\nmov rf6, r4\n", "V3D 4.2: the instruction after a write"},
    {HEAD_LONG, TWO_APART LAST, NULL},
    {HEAD_LONG, TWO_APART "mov r0, rf5\n" LAST, NULL},
    {HEAD_LONG, "nop ; nop ; thrsw\nnop\n" LAST, "Thread switches are three instructions apart"},
    {HEAD_LONG "batches = 2\nworkgroups-x = 0x20000\n", TWO_APART LAST,
     "Thread switches are three instructions apart"},
    {HEAD_LONG, "barrierid syncb ; nop ; thrsw\nnop\nnop ; nop ; thrsw\nnop\nnop\n" LAST,
     "Thread switches are three instructions apart"},
    {HEAD_LONG, "multop -, rf5, rf6\nnop ; nop ; thrsw\nnop\nnop\numul24 rf7, rf5, rf6\n" LAST, NULL},
    {HEAD_LONG,
     "multop -, rf5, rf6\nnop ; nop ; thrsw\nnop\nnop\numul24 rf10, rf5, rf6\nnop\nmov tmua, rf10\n" LAST,
     "an address that the proof"},
    {HEAD_71, "nop ; nop ; smimm_b\n", NULL},
    {HEAD_71, "nop ; mov rf10, rf10 ; smimm_b\nnop\nmov tmua, rf10\n", "an address that the proof"},
    {HEAD_71, "nop ; mov tmuc, rf20 ; smimm_a\n", "an instruction that breaks a restriction and"},
    {HEAD_71, "setmsf -, rf5 ; nop ; smimm_c\n",
     "an instruction that breaks a restriction and says which lanes"},
    {HEAD_71, "rot rep, rf5, rf6\n", NULL},
    {HEAD_71, "rot rep, rf10, rf5\nnop\nmov tmua, rf0\nnop ; nop ; ldtmu.rf5\n", "an address that the proof"},
    {HEAD_71, "rot tmud, rf5, rf6\nmov tmua, rf10\n", "V3D 7.1: rot and rotq write neither"},
    {HEAD_71, "rot rep, rf5, rf6 ; mov tmud, rf5\n", "an instruction that breaks a restriction and"},
    {HEAD_71 HEAD_LONG, RF0_LOST LAST, NULL},
    {HEAD_71 HEAD_LONG, RF0_LOST "nop ; nop ; ldunifrf.rf6\n" LAST, "a uniform after a broken restriction"},
    {HEAD_71 HEAD_LONG, RF0_LOST "nop\nmov tmua, rf5\nnop ; nop ; ldtmu.rf6\n" LAST,
     "an address that the proof"},
    {HEAD_71, "nop ; nop ; thrsw\nnop\nmov rf2, rf5\n", "V3D 7.1: from the ending thread switch on"},
};

static void restrictions_may_be_broken_where_only_values_change(void **state)
{
    (void)state;
    struct test_case *c = memory_new(1, sizeof *c);
    struct v3d_dry_run *dry_run = v3d_dry_run_new();
    for (size_t n = 0; n < sizeof breaking / sizeof *breaking; n++) {
        struct text t = {0};
        struct v3d_refusal r, dry;
        struct error e = {0};
        text_add(&t,
                 "misprint-case 1 v3d-qpu\n%sprogram {\n%s%s%s}\nuniforms {\n @100\n 1\n 2\n}\n"
                 "rf row 5 = all 1\nmemory row 4 = all 40000100\n",
                 breaking[n].head, begin, breaking[n].program, end);
        if (!case_parse(c, text_chars(&t), t.length, &e))
            fail_msg("%s: %s", breaking[n].program, e.text);
        bool good = v3d_verifier_prove(c, MEMORY_BASE_DEFAULT, &r),
             runs = v3d_dry_run(dry_run, c, NULL, &dry);
        if (good != !breaking[n].why ||
            (!good && strncmp(r.why.text, breaking[n].why, strlen(breaking[n].why)) != 0))
            fail_msg("%s: %s", breaking[n].program, good ? "accepted" : r.why.text);
        if (runs != !breaking[n].why)
            fail_msg("%s: the dry run %s it", breaking[n].program, runs ? "accepts" : "refuses");
        text_free(&t);
    }
    v3d_dry_run_free(dry_run);
    free(c);
}

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

/* Loads @100 with the next word. */
#define LOADS "nop ; nop ; ldunifrf.rf10\nnop\n"

/* What the dry run does not know any more, although the static proof has nothing against it: r4 and RTOP at
 * any time after a broken restriction, and flags that the breaking instruction pushes. The neighbours break
 * none. */
static const struct {
    const char *head, *program;
    bool good;
} doubtful[] = {
    {HEAD_71, "nop ; mov.pushz rf6, rf7 ; smimm_a\nb.anya 8\nnop\nnop\nnop\nnop\n", false},
    {HEAD_71, "nop ; mov.pushz rf6, rf7\nb.anya 8\nnop\nnop\nnop\nnop\n", true},
    {"", "mov recip, rf5\nsub.pushz rf6, r4, rf5\nb.anya 8\nnop\nnop\nnop\nnop\n", false},
    {"", "mov recip, rf5\nnop\nsub.pushz rf6, rf7, rf5\nb.anya 8\nnop\nnop\nnop\nnop\n", true},
    {"", "mov recip, rf5\nmov rf6, r4\nmov r4, rf7\nnop\nsetmsf -, r4\n", false},
    {"", "mov recip, rf5\nnop\nmov r4, rf7\nnop\nsetmsf -, r4\n", true},
    {"", "mov recip, rf5\nmov rf6, r4\nmultop -, rf7, rf8\numul24 rf9, rf7, rf8\nnop\nsetmsf -, rf9\n",
     false},
    {"", "mov recip, rf5\nnop\nmultop -, rf7, rf8\numul24 rf9, rf7, rf8\nnop\nsetmsf -, rf9\n", true},
    {"", "or recip, rf5, rf5 ; mov exp, rf6\nnop\nnop\nsetmsf -, r4\n", false},
    {"", LOADS UNIFA_AGAIN "nop ; nop ; ldunifarf.rf5\nnop\nsetmsf -, rf5\n", false},
    {"", LOADS UNIFA_AGAIN "nop\nnop\nnop ; nop ; ldunifarf.rf5\nnop\nsetmsf -, rf5\n", true},
    {"", LOADS "mov unifa, rf10\nnop\nnop ; nop ; ldunifarf.rf5\n", false},
    {"", LOADS "mov unifa, rf10\nnop\nmov unifa, rf10\nnop ; nop ; ldunifarf.rf5\n", false},
    {"", LOADS UNIFA_AGAIN "nop ; nop ; ldunifarf.rf5\nnop\nnop\nnop\nnop ; nop ; ldunifarf.rf6\n", false},
    {"", LOADS UNIFA_AGAIN "b 0\nnop\nnop\nnop\nnop ; nop ; ldunifarf.rf5\n", true},
    {"", LOADS UNIFA_AGAIN "b 0\nnop\nnop\nnop\nnop ; nop ; ldunifarf.rf5\nnop\nsetmsf -, rf5\n", false},
    {"", LOADS UNIFA_AGAIN "b 0\nnop\nnop\nnop\nnop ; nop ; ldunifrf.rf5\n", false},
    {"", LOADS "mov unifa, rf10\nb 0\nnop\nnop\nnop\nnop ; nop ; ldunifarf.rf5\n", false},
    {"", LOADS TWICE "nop ; nop ; ldunifrf.rf5\nnop\n", true},
    {"", LOADS TWICE "nop ; nop ; ldunifrf.rf5\nnop\nsetmsf -, rf5\n", false},
    {"", LOADS TWICE "nop ; nop ; ldunifrf.rf5\nnop\nnop ; nop ; ldunifrf.rf6\n", false},
    {"", LOADS "bu 0, rf20\nnop\nnop\nnop\nbu 0, rf10\nnop\nnop ; nop ; ldunifrf.rf5\nnop\n", false},
};

static void dry_run_knows_nothing_that_was_spoilt(void **state)
{
    (void)state;
    struct test_case *c = memory_new(1, sizeof *c);
    struct v3d_dry_run *dry_run = v3d_dry_run_new();
    for (size_t n = 0; n < sizeof doubtful / sizeof *doubtful; n++) {
        struct text t = {0};
        struct v3d_refusal r;
        struct error e = {0};
        text_add(&t,
                 "misprint-case 1 v3d-qpu\n%sprogram {\n%s%s}\nuniforms {\n @100\n 1\n}\n"
                 "rf row 20 = all 3fffff00\n",
                 doubtful[n].head, doubtful[n].program, end);
        if (!case_parse(c, text_chars(&t), t.length, &e))
            fail_msg("%s: %s", doubtful[n].program, e.text);
        bool good = v3d_dry_run(dry_run, c, NULL, &r);
        if (good != doubtful[n].good ||
            (!good && !strstr(r.why.text, "undefined") && !strstr(r.why.text, "uniform")))
            fail_msg("%s: %s", doubtful[n].program, good ? "accepted" : r.why.text);
        text_free(&t);
    }
    v3d_dry_run_free(dry_run);
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

enum { BUILTIN = 5 }; /* profiles */

struct attack {
    struct random random;
    struct test_case *c, *other;
    struct v3d_dry_run *dry_run;
    void *state;
    struct outcome *out;
    struct hostile *hostile;
    struct profile profile;
    uint8_t builtin[BUILTIN][CLAUSES_MAX], readings[CLAUSES_MAX]; /* of each clause: how many */
    uint64_t tried, accepted, breaking;
};

static void open_attack(struct attack *a, uint64_t seed)
{
    *a = (struct attack){.c = memory_new(1, sizeof *a->c),
                         .other = memory_new(1, sizeof *a->other),
                         .dry_run = v3d_dry_run_new(),
                         .state = memory_new(1, v3d_qpu_unit.state_size),
                         .out = outcome_new(&v3d_qpu_unit),
                         .hostile = hostile_new(&a->random)};
    random_seed(&a->random, seed);
    for (unsigned n = 0; n < BUILTIN; n++) {
        profile_builtin(&v3d_qpu_unit, n, &a->profile);
        memcpy(a->builtin[n], a->profile.reading, sizeof a->profile.reading);
    }
    for (unsigned n = 0; n < unit_clauses(&v3d_qpu_unit); n++)
        a->readings[n] = (uint8_t)clause_readings(unit_clause(&v3d_qpu_unit, n));
}

static void close_attack(struct attack *a)
{
    free(a->c);
    free(a->other);
    free(a->state);
    hostile_free(a->hostile);
    v3d_dry_run_free(a->dry_run);
    outcome_free(a->out);
}

static void broken(struct attack *a, const char *how, const char *why)
{
    struct text t = {0};
    case_print(a->c, &t);
    for (const char *line = text_chars(&t), *end; *line;
         line = end + (*end == '\n')) { /* messages are short */
        end = line + strcspn(line, "\n");
        print_message("%.*s\n", (int)(end - line), line);
    }
    fail_msg("%s (%s), after %llu accepted", how, why, (unsigned long long)a->accepted);
}

/* Chooses a reading for each restriction that the program may break: not `manual`, under which the model
 * stops. */
static bool go_on(struct attack *a)
{
    static struct v3d_insn program[V3D_CASE_PROGRAM_MAX];
    const struct v3d_case *c = (const void *)a->c->words;
    struct v3d_breaches found;
    for (uint32_t n = 0; n < c->program.count; n++)
        v3d_decode((enum v3d_generation)c->generation, v3d_join(c->program.word + 2 * n), &program[n]);
    if (v3d_find_breaches(c, program, c->program.count, &found))
        return false; /* it jumps over one */
    for (unsigned n = 0; n < found.count; n++) {
        unsigned clause = V3D_CLAUSES + found.item[n].which;
        a->profile.reading[clause] = (uint8_t)(1 + random_below(&a->random, a->readings[clause] - 1U));
    }
    return found.count != 0;
}

/* Runs the accepted case under random readings, and on the hostile machine if it breaks a restriction; of the
 * others one in four, because a jump may break one that the check of restrictions does not see. It
 * must end, and reach nothing but its own. `one`: of the clauses that it consults, change one reading only.
 */
static void break_it(struct attack *a, bool one)
{
    struct coverage covered_now = {0};
    memcpy(a->profile.reading, a->builtin[1 + random_below(&a->random, BUILTIN - 1)],
           sizeof a->profile.reading);
    unsigned clauses = unit_clauses(&v3d_qpu_unit), only = random_below(&a->random, clauses);
    for (unsigned n = one ? only : 0; n < (one ? only + 1 : clauses); n++)
        a->profile.reading[n] = (uint8_t)random_below(&a->random, a->readings[n]);
    bool breaks = go_on(a);
    struct run r = {.tc = a->c,
                    .profile = &a->profile,
                    .out = a->out,
                    .coverage = &covered_now,
                    .state = a->state,
                    .memory_base = MEMORY_BASE_DEFAULT,
                    .code_base = CODE_BASE_DEFAULT};
    v3d_qpu_unit.run(&r);
    if (a->out->end != END_DONE)
        broken(a, end_name(a->out->end), v3d_qpu_unit.reasons[a->out->reason]);
    if (!breaks && !random_one_in(&a->random, 4))
        return;
    a->breaking += breaks;
    enum v3d_stop stop = hostile_run(a->hostile, a->c, &a->profile);
    if (stop)
        broken(a, "on the hostile machine", v3d_reasons[stop]);
}

/* The generator keeps addresses in rf60 and rf61, their distances in rf59, and a configuration in rf58. */
static uint8_t tempting_register(struct attack *a)
{
    return (uint8_t)(random_one_in(&a->random, 4) ? 4 + random_below(&a->random, 8)
                                                  : 58 + random_below(&a->random, 4));
}

/* Gives an instruction destinations and operands that others take for addresses and configurations. */
static void tempt_instruction(struct attack *a, enum v3d_generation g, uint32_t *word)
{
    static const uint8_t magic[] = {V3D_W_R4, V3D_W_R5, V3D_W_TMUA, V3D_W_TMUC, V3D_W_TMUD, V3D_W_UNIFA};
    struct v3d_insn i;
    uint64_t made;
    v3d_decode(g, v3d_join(word), &i);
    for (unsigned n = 0; n < V3D_HALVES; n++) {
        struct v3d_half *h = &i.half[n];
        if (random_one_in(&a->random, 3))
            *h = (struct v3d_half){.op = n == V3D_ADD ? V3D_A_OR : V3D_M_MOV,
                                   .src = {{.kind = V3D_RF, .index = tempting_register(a)}}};
        if (h->op == V3D_A_OR)
            h->src[1] = h->src[0];
        h->magic = random_one_in(&a->random, 4);
        h->waddr = h->magic ? magic[random_below(&a->random, sizeof magic)] : tempting_register(a);
    }
    if ((i.signals & V3D_SIG_WRITES) && random_one_in(&a->random, 2))
        i.sig_addr = tempting_register(a);
    if (!i.is_branch && v3d_encode(g, &i, &made))
        v3d_split(made, word);
}

/* Loads from an address in a register, or takes a uniform as an address first. */
static void tempt_to_load(struct attack *a, enum v3d_generation g, uint32_t *word)
{
    static const char *const from[] = {"rf0", "rf5", "rf9", "rf60", "rf61", "r0", "r4", "r5"};
    char line[64];
    const char *lines[] = {"nop ; nop ; ldunifrf.rf9", "nop", line, "nop ; nop ; ldtmu.rf4"};
    (void)snprintf(line, sizeof line, "mov tmua, %s", from[random_below(&a->random, g == V3D_42 ? 8 : 5)]);
    for (unsigned n = random_one_in(&a->random, 4) ? 0 : 2; n < 4; n++, word += 2) {
        struct error e;
        uint64_t made = v3d_nop[g];
        (void)v3d_parse(g, lines[n], strlen(lines[n]), &made, &e);
        v3d_split(made, word);
    }
}

/* Makes a program that uses what a broken restriction spoils. */
static void tempt(struct attack *a)
{
    static struct v3d_insn program[V3D_CASE_PROGRAM_MAX];
    enum { LOAD = 4 };
    struct v3d_case *c = (void *)a->c->words;
    enum v3d_generation g = (enum v3d_generation)c->generation;
    struct v3d_breaches found;
    for (uint32_t n = 0; n < c->program.count; n++)
        v3d_decode(g, v3d_join(c->program.word + 2 * n), &program[n]);
    v3d_find_breaches(c, program, c->program.count, &found);
    for (unsigned n = 0; n < found.count; n++) {
        uint32_t at = found.item[n].at, load = at + 1 + random_below(&a->random, 4);
        if (at < c->program.count && random_one_in(&a->random, 2))
            tempt_instruction(a, g, c->program.word + 2 * at);
        if (load + LOAD < c->program.count && random_one_in(&a->random, 2))
            tempt_to_load(a, g, c->program.word + 2 * load);
    }
}

/* Makes a program, half of the time one that breaks a restriction. */
static void make_program(struct attack *a)
{
    case_init(a->c, &v3d_qpu_unit);
    if (random_one_in(&a->random, 2)) {
        v3d_case_generate(&a->random, a->c);
        return;
    }
    v3d_case_generate_breaking(&a->random, a->c, random_below(&a->random, V3D_RESTRICTION_CLAUSES));
    if (random_one_in(&a->random, 2))
        tempt(a);
}

static void attack(bool is_static, uint64_t wanted, uint64_t limit)
{
    struct attack a;
    struct v3d_refusal r;
    open_attack(&a, is_static ? 11 : 12);
    for (; a.accepted < wanted && a.tried < limit; a.tried++) {
        if (!a.tried || random_one_in(&a.random, 4)) {
            make_program(&a);
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
    print_message(
        "  %s: accepted %llu of %llu programs, none broke it; %llu break a restriction, %llu times\n",
        is_static ? "static proof" : "dry run", (unsigned long long)a.accepted, (unsigned long long)a.tried,
        (unsigned long long)a.breaking, (unsigned long long)hostile_spoils(a.hostile));
    assert_true(a.accepted > a.tried / 50);
    assert_true(a.breaking > a.tried / 50);
    assert_true(hostile_spoils(a.hostile) > a.tried / 50);
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
        cmocka_unit_test(restrictions_may_be_broken_where_only_values_change),
        cmocka_unit_test(dry_run_knows_nothing_that_was_spoilt),
        cmocka_unit_test(batches_run_in_any_order),
        cmocka_unit_test(nothing_that_the_static_proof_accepts_leaves_its_memory),
        cmocka_unit_test(nothing_that_the_dry_run_accepts_leaves_its_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
