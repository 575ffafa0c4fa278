/* SPDX-License-Identifier: MIT */
/*
 * The verifier: which programs it accepts, why it refuses others, and what it guarantees. Under any reading
 * of any clause, an accepted program ends, and stays in its window in the model. Its proof names all its
 * inputs and outputs.
 */
#include "harness/verify/verifier.h"
#include "model/vc4/qpu/unit_qpu.h"
#include "oracle/compare/executor.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BASE = (int)MEMORY_BASE_DEFAULT, ROW_ACC = 64, ROW_FLAGS = 70, ROW_VPM = 75, ROW_MEMORY = 203 };

static const struct unit *u;
static struct test_case tc;

/* ---- single programs ---- */

static bool prove(const char *body, const char *fields, struct verifier_proof *p, struct error *e)
{
    char text[4096];
    snprintf(text, sizeof text, "misprint-case 1 vc4-qpu\n%sprogram {\n%s  nop ; end\n  nop\n  nop\n}\n",
             fields, body);
    struct error parse = {0};
    if (!case_parse(&tc, text, strlen(text), &parse))
        fail_msg("%s in\n%s", parse.text, text);
    memset(e, 0, sizeof *e);
    return verifier_prove(&tc, BASE, p, e);
}

static void passes(const char *body, const char *fields, struct verifier_proof *p)
{
    struct error e;
    if (!prove(body, fields, p, &e))
        fail_msg("refused: %s\n%s", e.text, body);
}

/* Fails unless the verifier refuses the program for this reason. Two errors take turns, so that the text of
 * the previous call cannot pass for the text of this one. */
static void refuses(const char *body, const char *fields, const char *why)
{
    static struct error errors[2];
    static unsigned calls;
    struct error *e = &errors[calls++ % 2];
    struct verifier_proof p;
    if (prove(body, fields, &p, e))
        fail_msg("passed:\n%s", body);
    if (!strstr(e->text, why))
        fail_msg("expected '%s': %s", why, e->text);
}

static const char uniforms[] = "uniforms { @0000 @3fc0 @3fc4 }\n";

static void arithmetic_passes(void **state)
{
    (void)state;
    struct verifier_proof p;
    passes("  add ra3, r0, rb4 ; fmul r1, r2, r2\n", "", &p);
    assert_true(p.in.file == UINT64_C(1) << 36 && p.in.other == 0x05);
    assert_true(p.out.file == 1 << 3 && p.out.other == 0x02);
    assert_false(p.vpm || p.cached);
}

/*
 * A store of one row of 16 words to the last row of the memory, and one 4 bytes further. Setup words (p58
 * T34): ID 2, UNITS 1, DEPTH 16, HORIZ.
 */
static void dma_is_bounded_to_the_byte(void **state)
{
    (void)state;
    struct verifier_proof p;
    passes("  mov r0, uniform\n  ldi vw_setup, 0x80904000\n  mov vpm_st_addr, uniform\n", uniforms, &p);
    assert_true(p.vpm && verifier_has_row(&p.written, 255) && !verifier_has_row(&p.written, 254));
    refuses("  mov r0, uniform\n  mov r0, uniform\n  ldi vw_setup, 0x80904000\n  mov vpm_st_addr, uniform\n",
            uniforms, "leaves the case's memory");
    /* Two units. The second one may begin 64 bytes further, because the stride may count from the end of a
     * row instead of its start. */
    refuses("  mov r0, uniform\n  ldi vw_setup, 0x81104000\n  mov vpm_st_addr, uniform\n", uniforms,
            "leaves the case's memory");
    /* First all 64 rows of the VPM, then one more. */
    passes("  ldi vw_setup, 0xa0104000\n  mov vpm_st_addr, uniform\n", uniforms, &p);
    assert_true(verifier_has_row(&p.written, 63) && !verifier_has_row(&p.written, 64));
    refuses("  ldi vw_setup, 0xa0904000\n  mov vpm_st_addr, uniform\n", uniforms, "VPM row 64");
    /* A vertical store 128 deep uses VPM rows that a user program does not have. */
    refuses("  ldi vw_setup, 0x80800000\n  mov vpm_st_addr, uniform\n", uniforms, "VPM row");
}

static void refusals_say_why(void **state)
{
    (void)state;
    refuses("  ldi vw_setup, 0x80904000\n  fadd vpm_st_addr, r0, r1\n", "", "cannot be followed");
    refuses("  mov vpm_st_addr, uniform\n", uniforms, "without a setup");
    struct verifier_proof p;
    passes("  ldi vw_setup, 0x80904286\n", "", &p);
    refuses("  ldi vw_setup, 0x8090c286\n", "", "LANED"); /* bit 15 is LANED */
    refuses("  mov r0, vpm\n", "", "wait for ever");
    refuses("  mov r0, mutex\n", "", "not the case's own");
    refuses("  mov r0, uniform\n", "", "more uniforms than the case has");
    refuses("  brr -8\n  nop\n  nop\n  nop\n", "", "branches back");
    refuses("  sacq -, 3\n", "", "semaphore");
    refuses("  mov host_int, r0\n", "", "not the case's own");
    refuses("  mov tmu0_s, uniform\n", uniforms, "look-ups are outstanding");
    refuses("  nop ; load_tmu0\n", "", "no look-up is outstanding");
    refuses("  mov tlb_z, r0\n", "", "not the case's own");
    refuses("  mov r0, qpu_num\n", "", "QPU_NUMBER");
}

/*
 * Until a program waits for its DMA, it must leave the setup alone, start no other of its kind, and not use
 * the VPM ("only one at a time", p56). The waits are reads: of vpm_ld_wait in file A, vpm_st_wait in file B.
 */
static void a_dma_that_runs_is_left_alone(void **state)
{
#define STORE "  mov r0, uniform\n  ldi vw_setup, 0x80904000\n  mov vpm_st_addr, uniform\n"
#define LOAD  "  ldi vr_setup, 0x80010800\n  mov vpm_ld_addr, uniform\n"
    static const struct {
        const char *then, *after_store, *after_load; /* NULL: allowed */
    } rows[] = {
        {"  mov vpm_st_addr, uniform\n", "starts a DMA store before the last one was waited for",
         "starts a DMA store without a setup"},
        {"  ldi vw_setup, 0x80904000\n", "changes the setup of a DMA store", NULL},
        {"  ldi vw_setup, 0xc0000000\n", "changes the stride of a DMA store", NULL},
        {"  mov vpm_ld_addr, uniform\n", "starts a DMA load without a setup",
         "starts a DMA load before the last one was waited for"},
        {"  ldi vr_setup, 0x80010800\n", NULL, "changes the setup of a DMA load"},
        {"  ldi vr_setup, 0x90000000\n", NULL, "changes the setup of a DMA load"},
        {"  ldi vw_setup, 0x00001a00\n  mov vpm, r0\n", "writes the VPM while a DMA may run",
         "writes the VPM while a DMA may run"},
        {"  ldi vr_setup, 0x00101a00\n  nop\n  nop\n  nop\n  mov r0, vpm\n", NULL,
         "reads the VPM while a DMA load may run"},
        {"  mov tmu0_s, r0\n", "starts a look-up after a DMA store", "look-ups are outstanding"},
        {"  mov unif_addr, r0\n", "moves the uniform stream after a DMA store", NULL},
    };
    static const char fields[] = "acc row 0 = all 40000000\nuniforms { @0000 @0000 @0000 @0000 @0000 }\n";
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned store = 0; store < 2; store++) {
            const char *why = store ? rows[i].after_store : rows[i].after_load;
            struct verifier_proof p;
            char body[400];
            (void)snprintf(body, sizeof body, "%s%s", store ? STORE : LOAD, rows[i].then);
            if (why)
                refuses(body, fields, why);
            else
                passes(body, fields, &p);
        }
    /* After the wait, all is allowed again, except the caches, which may not see a store. */
    struct verifier_proof p;
    passes(STORE "  mov -, vpm_st_wait\n  ldi vw_setup, 0x80904000\n  mov vpm_st_addr, uniform\n", fields,
           &p);
    passes(LOAD "  mov -, vpm_ld_wait\n  ldi vr_setup, 0x80010800\n  mov vpm_ld_addr, uniform\n", fields, &p);
    refuses(STORE "  mov -, vpm_st_wait\n  mov tmu0_s, r0\n", fields, "may not see the store");
    refuses(STORE "  mov -, vpm_st_wait\n  mov unif_addr, r0\n", fields, "may not see the store");
}

/* ---- programs that an earlier verifier accepted, but that left their memory or hung under some reading ----
 */

/* r4 holds an address in the window, but an SFU result replaces it, or may replace it. */
static void sfu_results_are_not_known(void **state)
{
    static const char *const uses[] = {"  ldi vw_setup, 0x80904000\n  mov vpm_st_addr, r4\n",
                                       "  mov tmu0_s, r4\n  nop ; load_tmu0\n",
                                       "  mov unif_addr, r4\n  nop\n  nop\n  mov r1, uniform\n",
                                       "  mov vw_setup, r4\n"};
    static const char *const writes[] = {"sfu_log, r0", "sfu_recip, r0", "sfu_rsqrt, r0", "sfu_exp, r0"};
    static const char fields[] = "acc row 0 = all 7f000000\nacc row 4 = all 40000000\n", *const conditions[] =
                                                                                             {"", ".zs"};
    (void)state;
    for (unsigned u = 0; u < sizeof uses / sizeof *uses; u++)
        for (unsigned w = 0; w < sizeof writes / sizeof *writes; w++)
            for (unsigned c = 0; c < 2; c++)
                for (unsigned nops = 0; nops < 6; nops++) {
                    char body[400];
                    int at = snprintf(body, sizeof body, "  mov%s %s\n", conditions[c], writes[w]);
                    for (unsigned n = 0; n < nops; n++)
                        at += snprintf(body + at, sizeof body - (size_t)at, "  nop\n");
                    (void)snprintf(body + at, sizeof body - (size_t)at, "%s", uses[u]);
                    refuses(body, fields, "cannot be followed");
                }
}

static void r5_is_not_known(void **state)
{
    (void)state;
    refuses("  mov tmu0_s, r5\n  nop ; load_tmu0\n", "acc row 5 = all 40000000\n",
            "cannot be followed"); /* under accumulator-count=five there is no r5 */
}

/* 64 branches to different places pass. The refusal of one more says the number. */
static void branches_have_64_targets(void **state)
{
    (void)state;
    static const char branch[] = "brr 0\nnop\nnop\nnop\n";
    char body[66 * sizeof branch] = "";
    struct verifier_proof p;
    for (unsigned n = 0; n < 64; n++)
        strcat(body, branch);
    passes(body, "", &p);
    refuses(strcat(body, branch), "", "may have 64 targets");
}

static void vpm_reads_wait_for_their_setup(void **state)
{
    struct verifier_proof p;
    (void)state;
    passes("  ldi vr_setup, 0x00101a00\n  nop\n  nop\n  mov r0, vpm\n", "", &p);
    refuses("  ldi vr_setup, 0x00101a00\n  nop\n  mov r0, vpm\n", "", "vpm-read-early");
    refuses("  ldi vr_setup, 0x00101a00\n  mov r0, vpm\n", "", "vpm-read-early");
    /* A branch skips the nops. */
    refuses("  ldi vr_setup, 0x00101a00\n  brr 8\n  mov r0, vpm\n  nop\n  nop\n  nop\n", "",
            "vpm-read-early");
}

/* The setup word sets Y[6] of ADDR, or later accesses reach it by the stride. 32-bit modes have Y[6] in bit
 * 6, 16-bit modes in bit 7 (p57 T32). */
static void block_accesses_stay_in_rows_0_to_63(void **state)
{
    struct verifier_proof p;
    (void)state;
    passes("  ldi vw_setup, 0x00001a3f\n  mov vpm, r0\n", "", &p);
    refuses("  ldi vw_setup, 0x00001a40\n  mov vpm, r0\n", "", "vpm-addr-high-bits");
    refuses("  ldi vw_setup, 0x00001a3f\n  mov vpm, r0\n  mov vpm, r0\n", "", "vpm-addr-high-bits");
    refuses("  ldi vw_setup, 0x00001a3f\n  mov.zs vpm, r0\n  mov vpm, r0\n", "", "vpm-addr-high-bits");
    refuses("  ldi vw_setup, 0x00000a00\n  mov vpm, r0\n  mov vpm, r0\n", "",
            "vpm-addr-high-bits"); /* a stride of 64 */
    refuses("  ldi vw_setup, 0x00001980\n  mov vpm, r0\n", "", "vpm-addr-high-bits");
    passes("  ldi vw_setup, 0x000018ff\n  mov vpm, r0\n  mov vpm, r0\n", "", &p);
    refuses("  ldi vr_setup, 0x00201a3f\n  nop\n  nop\n  mov r0, vpm\n  mov r1, vpm\n", "",
            "vpm-addr-high-bits");
}

/* Under tmu-uniform-direct=every-write each look-up takes a uniform. */
static void look_ups_may_take_uniforms(void **state)
{
    static const char lookup[] = "  mov tmu0_s, r0\n  nop ; load_tmu0\n";
    char body[200];
    struct verifier_proof p;
    (void)state;
    (void)snprintf(body, sizeof body, "  mov r0, uniform\n%s%s", lookup, lookup);
    passes(body, "uniforms { @0 0 0 }\n", &p);
    refuses(body, "uniforms { @0 0 }\n", "more uniforms than the case has");
    refuses("  mov tmu0_s, r0\n  nop ; load_tmu0\n", "acc row 0 = all 40000000\n",
            "more uniforms than the case has");
    /* A uniform stream in memory ends where the memory ends. The program must not read it too soon after it
     * writes the address. */
    static const char at_end[] = "acc row 0 = all 40000000\nuniforms { @3ff0 }\n";
    refuses("  mov unif_addr, uniform\n  nop\n  nop\n  mov tmu0_s, r0\n  nop ; load_tmu0\n  mov tmu0_s, r0\n "
            " nop ; load_tmu0\n",
            at_end, "up to the end of the case's memory");
    refuses("  mov unif_addr, uniform\n  mov tmu0_s, r0\n  nop ; load_tmu0\n",
            "acc row 0 = all 40000000\nuniforms { @0 0 0 }\n", "too soon");
    /* Uniforms that the program read before it moved the stream do not count. The last row has 16 words, of
     * which the hardware reads three ahead. */
    static const char last_row[] = "uniforms { 1 2 3 @3fc0 }\n";
    char words[600] = "  mov r0, uniform\n  mov r0, uniform\n  mov r0, uniform\n"
                      "  mov unif_addr, uniform\n  nop\n  nop\n";
    for (unsigned i = 0; i < 13; i++)
        strcat(words, "  mov r1, uniform\n");
    passes(words, last_row, &p);
    assert_true(verifier_has_row(&p.read, 255) && !verifier_has_row(&p.read, 254));
    refuses(strcat(words, "  mov r1, uniform\n"), last_row, "up to the end of the case's memory");
}

static void delay_slots_of_the_end_access_no_peripheral(void **state)
{
    static const char *const slots[] = {"ldi vpm_st_addr, 0x40000000", "ldi vw_setup, 0x80904000",
                                        "ldi unif_addr, 0x40000000", "ldi sfu_exp, 0"};
    (void)state;
    for (unsigned i = 0; i < sizeof slots / sizeof *slots; i++) {
        char text[400];
        struct error e = {0};
        struct verifier_proof p;
        (void)snprintf(text, sizeof text, "misprint-case 1 vc4-qpu\nprogram {\n  nop ; end\n  %s\n  nop\n}\n",
                       slots[i]);
        assert_true(case_parse(&tc, text, strlen(text), &e));
        assert_false(verifier_prove(&tc, BASE, &p, &e));
        assert_non_null(strstr(e.text, "end-io-access"));
    }
}

/* ---- random programs: under any reading, an accepted program stays in its window ---- */

static struct executor *x, *y;
static struct outcome *plain, *other;
static struct profile profiles[2];

static void random_profile(struct random *r, struct profile *p)
{
    *p = profiles[random_below(r, 2)];
    for (unsigned i = random_below(r, 40); i > 0; i--) {
        unsigned clause = random_below(r, unit_clauses(u)), readings = 0;
        while (unit_clause(u, clause)->readings[readings].id)
            readings++;
        p->reading[clause] = (uint8_t)random_below(r, readings);
    }
}

static void mutate(struct random *r, struct qpu_case *c)
{
    for (unsigned k = random_below(r, 3); k > 0 && c->program.count; k--)
        u->code->mutate(r, c->program.word + 2 * random_below(r, c->program.count));
    if (random_one_in(r, 4) && c->uniforms.count)
        c->uniforms.item[random_below(r, c->uniforms.count)] =
            (struct case_uniform){.is_address = random_below(r, 2), .value = random_below(r, 0x4100)};
}

static uint32_t own_row(unsigned place, const char **field)
{
    static const char *const names[] = {"ra", "rb", "acc"};
    *field = names[place / 32];
    return place % 32;
}

/* Changes all registers that the program does not read according to its proof, also r4 and r5. */
static void scramble(struct random *r, struct test_case *c, const struct verifier_proof *p)
{
    for (unsigned place = 0; place < 70; place++) {
        const char *field;
        uint32_t row = own_row(place, &field), *words;
        if (verifier_has_place(&p->in, place) ||
            !(words = image_own_row(c, schema_field(&u->schema, field), row, true)))
            continue;
        for (unsigned i = 0; i < 16; i++)
            words[i] = random_u32(r);
    }
}

static void check_memory(const struct verifier_proof *p, const struct outcome *o, const struct test_case *c)
{
    if (o->reason == VC4_FAULT_MEMORY || o->reason == VC4_FAULT_PROGRAM)
        support_fail_case(c, "an accepted program ended with: %s", u->reasons[o->reason]);
    for (uint32_t row = 0; row < 256; row++)
        if (outcome_touched(o, ROW_MEMORY + row) && !verifier_has_row(&p->written, row))
            support_fail_case(c, "an accepted program wrote memory row %u, which its proof does not name",
                              (unsigned)row);
}

/* Checks that no access leaves the rows of user programs. This holds only under the two built-in profiles.
 * (Under the other reading of vpm-addr-high-bits, block accesses leave them.) */
static void check_vpm(const struct outcome *o, const struct test_case *c)
{
    for (uint32_t row = 64; row < 128; row++)
        if (outcome_touched(o, ROW_VPM + row))
            support_fail_case(c, "an accepted program wrote VPM row %u, which a user program does not have",
                              (unsigned)row);
}

static void check_outputs(const struct verifier_proof *p, const struct test_case *c)
{
    for (unsigned row = 0; row < ROW_VPM; row++) {
        unsigned place = row < ROW_FLAGS ? row : 70;
        if (row >= ROW_FLAGS + 3)
            continue;
        bool named = verifier_has_place(&p->out, place);
        if (!named && outcome_touched(plain, row))
            support_fail_case(c, "an accepted program changed row %u, which its proof does not name", row);
        if (named && memcmp(plain->value + 16 * row, other->value + 16 * row, 64) != 0)
            support_fail_case(c, "row %u depends on what the proof says the program does not see", row);
    }
    if (memcmp(plain->value + 16 * ROW_VPM, other->value + 16 * ROW_VPM, 4 * 16 * (128 + 256)) != 0)
        support_fail_case(c, "VPM or memory depend on what the proof says the program does not see");
}

static void no_accepted_program_leaves_its_window(void **state)
{
    (void)state;
    const char *is_long = getenv("MISPRINT_TEST_LONG");
    unsigned long cases = is_long && *is_long == '1' ? 100000000UL : support_scaled(200000), least = 40000,
                  accepted = 0, dma = 0, cached = 0;
    static struct test_case changed;
    struct random r;
    cases = cases > least ? cases : least; /* at least 40000, because few accepted cases have look-ups */
    random_seed(&r, 6);
    for (unsigned long n = 0; n < cases; n++) {
        struct verifier_proof p;
        struct error e = {0};
        struct profile profile;
        case_init(&tc, u);
        u->generate(&r, &tc);
        mutate(&r, (void *)tc.words);
        if (n % 4) /* boards mend cases first, but the verifier must also judge the others */
            u->mend_for_proof(&tc);
        if (!verifier_prove(&tc, BASE, &p, &e)) {
            assert_true(e.text[0] != 0);
            continue;
        }
        accepted++;
        dma += p.vpm;
        cached += p.cached;
        for (unsigned i = 0; i < 2; i++) {
            executor_run(x, &tc, &profiles[i], RUN_PLAIN, plain);
            check_memory(&p, plain, &tc);
            check_vpm(plain, &tc);
            if (plain->end != END_DONE)
                support_fail_case(&tc, "an accepted program did not end: %s", u->reasons[plain->reason]);
        }
        case_copy(&changed, &tc);
        scramble(&r, &changed, &p);
        executor_run(y, &changed, &profiles[1], RUN_PLAIN, other);
        check_outputs(&p, &tc);
        random_profile(&r, &profile);
        executor_run(x, &tc, &profile, RUN_PLAIN, plain);
        check_memory(&p, plain, &tc);
    }
    printf("%lu of %lu cases accepted; %lu use the VPM, %lu the caches\n", accepted, cases, dma, cached);
    assert_true(accepted * 50 > cases && (cases < 10000 || (dma > 100 && cached > 20)));
}

static int set_up(void **state)
{
    (void)state;
    struct error e = {0};
    u = unit_named("vc4-qpu");
    x = executor_new(u);
    y = executor_new(u);
    plain = outcome_new(u);
    other = outcome_new(u);
    return profile_resolve(u, "manual", &profiles[0], &e) && profile_resolve(u, "bcm2835", &profiles[1], &e)
               ? 0
               : -1;
}

static int tear_down(void **state)
{
    (void)state;
    executor_free(x);
    executor_free(y);
    outcome_free(plain);
    outcome_free(other);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic_passes),
        cmocka_unit_test(dma_is_bounded_to_the_byte),
        cmocka_unit_test(refusals_say_why),
        cmocka_unit_test(a_dma_that_runs_is_left_alone),
        cmocka_unit_test(sfu_results_are_not_known),
        cmocka_unit_test(r5_is_not_known),
        cmocka_unit_test(branches_have_64_targets),
        cmocka_unit_test(vpm_reads_wait_for_their_setup),
        cmocka_unit_test(block_accesses_stay_in_rows_0_to_63),
        cmocka_unit_test(look_ups_may_take_uniforms),
        cmocka_unit_test(delay_slots_of_the_end_access_no_peripheral),
        cmocka_unit_test(no_accepted_program_leaves_its_window),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
