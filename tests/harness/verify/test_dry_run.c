/* SPDX-License-Identifier: MIT */
/*
 * The dry run, the second proof before hardware: which programs it refuses, at which instruction, and under
 * which reading. The expectations come from the documents (the test computes addresses, rows and counts), and
 * from programs in which the test changes words.
 */
#include "harness/verify/dry_run.h"
#include "harness/verify/prove.h"
#include "harness/verify/verifier.h"
#include "model/core/units.h"
#include "model/vc4/qpu/encoding/qpu_insn.h"
#include "model/vc4/qpu/unit_qpu.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

enum { WINDOW = 0x40000000, STAMP = 0x1234567 };
static const struct wrapper_slot slot = {.code = {NULL, 0x41000000},
                                         .input = {NULL, 0x42000000},
                                         .output = {NULL, 0x43000000},
                                         .uniforms = {NULL, 0x44000000},
                                         .window = WINDOW};

static struct dry_run *d;
static struct test_case tc;
static struct outcome *initial;
static struct wrapper_image image;
static struct wrapper_program program;
static struct dry_run_refusal r;

static void read_case(const char *fields, const char *body)
{
    char text[4096];
    struct error e = {0};
    (void)snprintf(text, sizeof text,
                   "misprint-case 1 vc4-qpu\n%sprogram {\n%s  nop ; end\n  nop\n  nop\n}\n", fields, body);
    if (!case_parse(&tc, text, strlen(text), &e))
        fail_msg("%s in\n%s", e.text, text);
}

static const char *reading(void)
{
    if (r.under.clause < 0)
        return r.under.campaign ? "campaign" : "silicon";
    return unit_clause(&vc4_qpu_unit, (unsigned)r.under.clause)->id;
}

static void passes(const char *fields, const char *body)
{
    read_case(fields, body);
    if (!dry_run_case(d, &tc, WINDOW, &r)) {
        char why[300];
        dry_run_explain(&r, why, sizeof why);
        fail_msg("refused: %s\n%s", why, body);
    }
}

/* Fails unless the dry run refuses the program at this instruction. `under`: the clause whose reading it
 * names, or "silicon" or "campaign" for a whole profile. */
static void refuses(const char *fields, const char *body, uint32_t at, const char *under)
{
    read_case(fields, body);
    if (dry_run_case(d, &tc, WINDOW, &r))
        fail_msg("passed:\n%s", body);
    assert_true(r.own);
    assert_int_equal(r.instruction, at);
    assert_string_equal(reading(), under);
}

static void accesses_stay_in_the_window(void **state)
{
    (void)state;
    /* A store of 16 words (p58 T34: UNITS 1, DEPTH 16, HORIZ) fits the last row of 16 KB, but not 4 bytes
     * further. */
    passes("uniforms { @3fc0 }\n",
           "  ldi vw_setup, 0x80904000\n  mov vpm_st_addr, uniform\n  mov -, vpm_st_wait\n");
    refuses("uniforms { @3fc4 }\n", "  ldi vw_setup, 0x80904000\n  mov vpm_st_addr, uniform\n", 1, "silicon");
    assert_int_equal(r.breach.kind, VC4_BREACH_STORE);
    assert_int_equal(r.breach.at, WINDOW + 0x3FC4);
    assert_int_equal(r.breach.count, 64);
    /* A load of one row of 16 words (p59 T36) begins one word before the window. */
    refuses("uniforms { 3ffffffc }\n", "  ldi vr_setup, 0x83010000\n  mov vpm_ld_addr, uniform\n", 1,
            "silicon");
    assert_int_equal(r.breach.kind, VC4_BREACH_LOAD);
    refuses("acc row 0 = all 7f000000\n", "  nop\n  mov tmu0_s, r0\n  nop ; load_tmu0\n", 1, "silicon");
    assert_int_equal(r.breach.at, 0x7F000000);
    refuses("uniforms { @4000 }\n", "  mov unif_addr, uniform\n", 0, "silicon");
    assert_int_equal(r.breach.kind, VC4_BREACH_UNIFORM);
    refuses("uniforms { 0 }\n", "  mov r0, uniform\n  mov r0, uniform\n", 1, "silicon");
    assert_int_equal(r.breach.kind, VC4_BREACH_UNIFORM);
}

static void old_holes_of_the_static_proof_are_refused(void **state)
{
    (void)state;
    /* 1: log2 of 7f000000 is 127.0, which is 42fe0000 as an address. */
    refuses("acc row 0 = all 7f000000\nacc row 4 = all 40000000\n",
            "  mov sfu_log, r0\n  nop\n  nop\n  mov tmu0_s, r4\n  nop ; load_tmu0\n", 3, "silicon");
    assert_int_equal(r.breach.at & ~UINT32_C(0xFF), 0x42FE0000);
    /* 2: r5 does not exist if the QPU has five accumulators; ADDR 64 is row 64 or row 0. */
    refuses("acc row 5 = all 40000000\nuniforms { 0 0 }\n", "  mov tmu0_s, r5\n  nop ; load_tmu0\n", 0,
            "accumulator-count");
    refuses("", "  ldi vw_setup, 0x00001a40\n  mov vpm, r0\n", 1, "vpm-addr-high-bits");
    assert_int_equal(r.breach.kind, VC4_BREACH_VPM);
    assert_int_equal(r.breach.at, 64);
    /* 3: under tmu-uniform-direct=every-write the second look-up takes a second uniform. */
    refuses("acc row 0 = all 40000000\nuniforms { 0 }\n",
            "  mov tmu0_s, r0\n  nop ; load_tmu0\n  mov tmu0_s, r0\n  nop ; load_tmu0\n", 2,
            "tmu-uniform-direct");
}

static void shared_units_are_refused(void **state)
{
    static const char *const bodies[] = {
        "  sacq -, 3\n",           "  mov r0, mutex\n",   "  mov host_int, r0\n",     "  mov tlb_z, r0\n",
        "  nop ; thread_switch\n", "  mov r0, varying\n", "  nop ; wait_scoreboard\n"};
    (void)state;
    for (unsigned i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        refuses("", bodies[i], 0, "silicon");
        assert_non_null(r.shared);
    }
}

static void a_program_must_end(void **state)
{
    (void)state;
    passes("", "  brr 8\n  nop\n  nop\n  nop\n  nop\n");
    read_case("", "  brr -32\n  nop\n  nop\n  nop\n");
    ((struct qpu_case *)(void *)tc.words)->limit = 1000000;
    assert_false(dry_run_case(d, &tc, WINDOW, &r));
    assert_non_null(strstr(r.flow, "without an end"));
    refuses("", "  mov r0, vpm\n", 0, "silicon"); /* the read blocks */
    assert_int_equal(r.stop, VC4_HANG_VPM_READ);
}

/* The dry run refuses a branch that depends on a value that no document defines. */
static void undefined_values_decide_nothing(void **state)
{
    static const char fields[] = "flags row 0 = all 1\n";
    (void)state;
    refuses("", "  mov r0, qpu_num\n", 0, "silicon");
    assert_non_null(strstr(r.shared, "number of the QPU"));
    passes(fields, "  brr.all_zs 8\n  nop\n  nop\n  nop\n  nop\n");
    refuses(fields,
            "  ldi vr_setup, 0x00101a00\n  mov.setf r0, vpm\n  brr.all_zs 8\n  nop\n  nop\n  nop\n  nop\n", 2,
            "vpm-read-early");
    assert_int_equal(r.stop, VC4_FAULT_UNDEFINED);
}

/* The dry run tries the campaign's profile before single readings. If that one does harm, it names
 * "campaign". */
static void the_campaign_s_profile_is_tried(void **state)
{
    struct profile p;
    struct error e = {0};
    const struct unit *vpm = &vc4_vpm_unit;
    (void)state;
    assert_true(profile_resolve(vpm, "bcm2835,vpm-addr-high-bits=row-bits", &p, &e));
    dry_run_set_campaign(d, vpm, &p);
    refuses("", "  ldi vw_setup, 0x00001a40\n  mov vpm, r0\n", 1, "campaign");
    dry_run_set_campaign(d, vpm, NULL);
    refuses("", "  ldi vw_setup, 0x00001a40\n  mov vpm, r0\n", 1, "vpm-addr-high-bits");
}

/* ---- wrapped programs ---- */

static struct verifier_proof proof;

static void build(const char *fields, const char *body)
{
    struct error e = {0};
    read_case(fields, body);
    if (!verifier_prove(&tc, WINDOW, &proof, &e))
        fail_msg("%s", e.text);
    outcome_reset(initial, &tc);
    if (!wrapper_build(&tc, &proof, initial, STAMP, &slot, &image, &program, &e))
        fail_msg("%s", e.text);
}

static bool runs_dry(void)
{
    return dry_run_program(d, &image, &program, &slot, &r);
}

static void changed_words_of_a_program_are_refused(void **state)
{
    static const char fields[] = "acc row 0 = 40000000 1 2 3 4 5 6 7 8 9 a b c d e f\nuniforms { @100 }\n";
    static const char body[] =
        "  mov ra3, r0\n  ldi vw_setup, 0x80904000\n  mov vpm_st_addr, uniform\n  mov -, vpm_st_wait\n";
    unsigned stores = 0, stamps = 0;
    (void)state;
    build(fields, body);
    assert_true(runs_dry());
    for (uint32_t i = 0; i < image.code_count; i++) {
        uint32_t *word = image.code + 2 * i, was = *word, high = word[1];
        bool load = high >> 28 == QPU_SIG_LOAD_IMMEDIATE,
             own = i >= image.body && i < image.body + image.body_count;
        if (load && was >= slot.output.bus &&
            was < slot.output.bus + 0x10000) { /* lets a store to the output go to another address */
            *word = 0x7F000000;
            assert_false(runs_dry());
            assert_false(r.own);
            assert_int_equal(r.breach.kind, VC4_BREACH_STORE);
            stores++;
        } else if (load && was == STAMP && !own) {
            *word = STAMP + 1;
            assert_false(runs_dry());
            stamps++;
        }
        *word = was;
    }
    assert_true(stores && stamps);
    image.uniforms[0] = WINDOW + 0x4000;
    assert_false(runs_dry());
    assert_true(r.own);
    assert_int_equal(r.instruction, 2);
}

static void state_that_is_not_loaded_is_undefined(void **state)
{
    struct error e = {0};
    (void)state;
    build("acc row 0 = all 40000000\nuniforms { 0 0 }\n", "  mov tmu0_s, r0\n  nop ; load_tmu0\n");
    assert_true(runs_dry());
    proof.in.other &= (uint8_t)~1U;
    assert_true(wrapper_build(&tc, &proof, initial, STAMP, &slot, &image, &program, &e));
    assert_false(runs_dry());
    assert_true(r.own && r.instruction == 0 && r.stop == VC4_FAULT_UNDEFINED);
}

/* Judges programs with prover_judge, as boards do. The dry run rarely refuses what the static proof
 * accepts. */
static void generated_programs_pass(void **state)
{
    struct random random;
    struct prover *p = prover_new();
    struct proof out;
    unsigned count[PROOF_KINDS] = {0};
    (void)state;
    random_seed(&random, 11);
    for (unsigned long n = 0; n < support_scaled(20000); n++) {
        const struct unit *u = n % 2 ? &vc4_qpu_unit : &vc4_vpm_unit;
        case_init(&tc, u);
        u->generate(&random, &tc);
        bool good = prover_judge(p, &tc, &out);
        assert_true(good == (out.by == PROOF_PASSED) && good == !out.why[0]);
        count[out.by]++;
    }
    print_message("%u pass; %u are refused by the static proof, %u by wrapping, %u by the dry run\n",
                  count[PROOF_PASSED], count[PROOF_STATIC], count[PROOF_WRAPPING], count[PROOF_DRY_RUN]);
    assert_true(count[PROOF_PASSED] > 100 && count[PROOF_DRY_RUN] <= count[PROOF_PASSED] / 100);
    prover_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accesses_stay_in_the_window),
        cmocka_unit_test(old_holes_of_the_static_proof_are_refused),
        cmocka_unit_test(shared_units_are_refused),
        cmocka_unit_test(a_program_must_end),
        cmocka_unit_test(undefined_values_decide_nothing),
        cmocka_unit_test(the_campaign_s_profile_is_tried),
        cmocka_unit_test(changed_words_of_a_program_are_refused),
        cmocka_unit_test(state_that_is_not_loaded_is_undefined),
        cmocka_unit_test(generated_programs_pass),
    };
    d = dry_run_new();
    initial = outcome_new(&vc4_qpu_unit);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    outcome_free(initial);
    dry_run_free(d);
    return failed;
}
