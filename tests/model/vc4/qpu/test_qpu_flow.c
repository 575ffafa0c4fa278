/* SPDX-License-Identifier: MIT */
/*
 * What happens between instructions of the QPU: hazards, program flow, peripherals. Expectations come from
 * the manual (VideoCoreIV-AG100-R, pages as named), and from what the addendum to it and public tests report
 * of a Raspberry Pi.
 */
#include "model/core/units.h"
#include "model/vc4/qpu/qpu_clauses.h"
#include "model/vc4/vc4.h"
#include "oracle/files/load.h"
#include "tests/model/vc4/qpu/support_qpu.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- hazards ---- */

static void a_register_is_not_readable_in_the_next_instruction(void **state)
{ /* p37 */
    (void)state;
    run("manual", "  ldi ra0, 2\n  mov r0, ra0\n  mov r1, ra0\n", "");
    expect_undefined("r0", 0);
    expect_all("r1", 2);
    run("manual,regfile-hazard=old", "  ldi ra0, 2\n  mov r0, ra0\n", "ra row 0 = all 00000001\n");
    expect_all("r0", 1);
}

static void a_branch_carries_the_hazard_to_its_target(void **state)
{
    (void)state;
    run("manual", "  brr 8\n  nop\n  nop\n  ldi ra0, 2\n  nop\n  mov r0, ra0\n", "");
    expect_undefined("r0", 0);
    run("manual", "  brr 8\n  nop\n  nop\n  nop\n  ldi ra0, 2\n  mov r0, ra0\n", "ra row 0 = all 00000001\n");
    expect_all("r0", 1); /* the program skips the write above the target */
}

static void a_previous_program_causes_no_hazard(void **state)
{
    /* The model plans the branch target once. Then the SFU write makes it look for hazards there. No
     * instruction that this program executes writes ra0. */
    (void)state;
    static const enum run_mode modes[] = {RUN_PLAIN, RUN_CHECKED};
    struct profile manual;
    struct error e;
    assert_true(profile_resolve(&vc4_qpu_unit, "manual", &manual, &e));
    for (unsigned m = 0; m < 2; m++) {
        run("manual", "  nop\n  nop\n  nop\n  nop\n  ldi ra0, 2\n  nop\n", "");
        run("manual", "  brr 8\n  nop\n  nop\n  mov sfu_recip, r3\n  nop\n  mov r0, ra0\n",
            "ra row 0 = all 00000001\n");
        for (unsigned times = 0; times < 2; times++)
            executor_run(bench.executor, bench.tc, &manual, modes[m], bench.out);
        assert_int_equal(value("r0", 0), 1);
    }
}

static void a_previous_program_causes_no_hazard_with_undefined_operands(void **state)
{
    /* The instruction above the branch target would cause a hazard, but this program skips it. ra0 holds a
     * reciprocal, which has undefined bits. */
    (void)state;
    static const char program[] = "  mov sfu_recip, r3\n  nop\n  nop\n  mov ra0, r4\n  brr 8\n  nop\n  nop\n "
                                  " nop\n  nop\n  mov r0, ra0\n";
    struct profile silicon;
    struct error e;
    assert_true(profile_resolve(&vc4_qpu_unit, "bcm2835", &silicon, &e));
    run("bcm2835", "  nop\n  nop\n  nop\n  nop\n  nop\n  nop\n  nop\n  nop\n  ldi ra0, 2\n  nop\n", "");
    run("bcm2835", program, "acc row 3 = all 40400000\n");
    for (unsigned times = 0; times < 2; times++) {
        assert_true(defined("ra0", 0) != 0 && defined("ra0", 0) != UINT32_MAX);
        assert_int_equal(defined("r0", 0), defined("ra0", 0));
        assert_int_equal(value("r0", 0), value("ra0", 0));
        assert_false(covered(&bench.executor->last, QPU_REGFILE_HAZARD));
        executor_run(bench.executor, bench.tc, &silicon, RUN_CHECKED, bench.out);
    }
}

static void sfu_result_is_in_r4_for_the_third_instruction(void **state)
{ /* p37 */
    (void)state;
    run("bcm2835", "  mov sfu_recip, r3\n  mov r0, r4\n  mov r1, r4\n  mov r2, r4\n",
        "acc row 3 = all 40400000\n");
    expect_undefined("r0", 0);
    expect_undefined("r1", 0);
    assert_int_equal(value("r2", 0) >> 16, 0x3EAA); /* 1/3 */
    assert_int_equal(defined("r2", 0) >> 20, 0xFFF);
}

/* The addendum: a VPM access beside a TMU's load signal is unreliable, too. */
static void vpm_access_beside_a_tmu_load_is_undefined(void **state)
{
    (void)state;
    static const char *const pairs[] = {"  mov r1, vpm ; load_tmu0\n", "  mov vpm, r0 ; load_tmu0\n",
                                        "  mov vw_setup, r0 ; load_tmu0\n"};
    static const char rest[] = "uniforms { @0 00001a01 }\nmemory row 0 = all 00000011\nvpm row 3 = all "
                               "00000033\nacc row 0 = all 00001a02\n";
    for (unsigned i = 0; i < 3; i++) {
        char program[512];
        (void)snprintf(program, sizeof program,
                       "  mov tmu0_s, uniform\n  mov vw_setup, uniform\n  ldi vr_setup, 0x101a03\n  nop\n  "
                       "nop\n  nop\n%s  mov r2, r4\n",
                       pairs[i]);
        run("bcm2835", program, rest);
        expect_end(END_UNDEFINED);
        run("manual", program, rest); /* p25: VPM accesses are possible at any time */
        expect_end(END_DONE);
        expect_all("r2", 0x11);
        if (i == 0)
            expect_all("r1", 0x33);
        if (i == 1)
            expect_all("vpm1", 0x1A02);
    }
}

/* p37: no write to r4 may begin while an SFU result is on its way to r4. No source says which of the two
 * results r4 keeps. */
static void a_tmu_load_that_meets_an_sfu_result_is_undefined(void **state)
{
    (void)state;
    static const char *const programs[] = {
        "  mov tmu0_s, uniform\n  mov sfu_recip, r0\n  nop ; load_tmu0\n  nop\n  mov r1, r4\n",
        "  mov tmu0_s, uniform\n  mov sfu_recip, r0\n  nop\n  nop ; load_tmu0\n  mov r1, r4\n"};
    for (unsigned i = 0; i < 4; i++) {
        run(i % 2 ? "bcm2835" : "manual", programs[i / 2], "uniforms { @0 }\nacc row 0 = all 40000000\n");
        expect_end(END_DONE);
        expect_undefined("r1", 0);
        expect_undefined("r4", 0);
    }
    /* The third instruction after the SFU write may write r4. */
    run("bcm2835",
        "  mov tmu0_s, uniform\n  mov sfu_recip, r0\n  nop\n  nop\n  nop ; load_tmu0\n  mov r1, r4\n",
        "uniforms { @0 }\nmemory row 0 = all 00000011\nacc row 0 = all 40000000\n");
    expect_all("r1", 0x11);
}

/* p37, HW-2796: the first two instructions of a fragment shader may not wait for the scoreboard, neither by
 * the signal nor by an access to the tile. */
static void a_scoreboard_wait_in_the_first_two_instructions_is_undefined(void **state)
{
    (void)state;
    static const struct {
        const char *program;
        bool good;
    } rows[] = {{"  nop ; wait_scoreboard\n  nop\n  mov tlb_colour_all, r0\n", false},
                {"  nop\n  nop ; wait_scoreboard\n  nop\n  nop\n  mov tlb_colour_all, r0\n", false},
                {"  nop\n  mov tlb_colour_all, r0\n", false},
                {"  nop\n  nop\n  nop ; wait_scoreboard\n  mov tlb_colour_all, r0\n", true},
                {"  nop\n  nop\n  mov tlb_colour_all, r0\n", true}};
    static const char rest[] =
        "stage = fragment\nsamples = 15\nacc row 0 = all 00000077\ntile row 0 = all 00000055\n";
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        run("manual", rows[i].program, rest);
        expect_end(END_DONE);
        if (rows[i].good)
            expect_all("tile0", 0x77);
        else
            expect_undefined("tile0", 0);
        run("manual,hw-2796=lost", rows[i].program, rest);
        expect_all("tile0", rows[i].good ? 0x77 : 0x55);
        run("manual,hw-2796=works", rows[i].program, rest);
        expect_all("tile0", 0x77);
    }
}

static void both_alus_to_one_accumulator_is_undefined(void **state)
{
    /* p19. The addendum: if the two ALUs have opposite conditions, each element gets the result of the ALU
     * whose condition holds there. */
    (void)state;
    run("bcm2835", "  mov r2, r0 ; v8min r2, r1, r1\n", "");
    expect_undefined("r2", 0);
    run("bcm2835", "  or.zs r2, r0, r0 ; v8min.zc r2, r1, r1\n",
        "acc row 0 = all 0000000a\nacc row 1 = all 0000000b\nflags row 0" ODD_SET);
    for (unsigned i = 0; i < 16; i++)
        expect("r2", i, i & 1 ? 0xA : 0xB);
}

/* ---- program flow ---- */

static void a_stop_in_the_last_delay_slot_is_not_that_of_a_branch(void **state)
{
    /* A setup with an undefined condition stops the run in a branch's last delay slot. The stop must not
     * count as a stop at the branch. The instruction above the branch target must not count, because it was
     * not executed. */
    (void)state;
    struct profile silicon;
    struct error e;
    run("bcm2835",
        "  mov r2, r0 ; v8min r2, r1, r1\n  mov.setf -, r2\n  brr 8\n  nop\n  nop\n  mov.zs vr_setup, r0\n  "
        "brr 0\n  nop\n",
        "");
    expect_end(END_UNDEFINED);
    assert_true(profile_resolve(&vc4_qpu_unit, "bcm2835", &silicon, &e));
    struct run r = {
        .tc = bench.tc, .profile = &silicon, .out = bench.out, .mode = RUN_CHECKED, .count_fidelity = true};
    executor_run_with(bench.executor, &r);
    assert_true(r.fidelity.to_address);
    assert_false(r.fidelity.to_control);
}

static void a_branch_has_three_delay_slots(void **state)
{ /* p20 */
    (void)state;
    run("bcm2835", "  brr ra5, 8\n  ldi r0, 1\n  ldi r1, 1\n  ldi r2, 1\n  ldi r3, 1\n", "");
    expect_all("r0", 1);
    expect_all("r1", 1);
    expect_all("r2", 1);
    expect_all("r3", 0);
    expect_all("ra5", bench.executor->code_base + 32); /* the link is the byte address of the branch + 32 */
}

static void branch_conditions_look_at_all_elements(void **state)
{ /* p35 T11; if the branch is taken, it skips the load */
    (void)state;
    static const struct {
        const char *condition;
        bool none, some, all; /* is it taken if Z is set in no, in some, in all elements? */
    } rows[] = {{"all_zs", false, false, true},
                {"all_zc", true, false, false},
                {"any_zs", false, true, true},
                {"any_zc", true, true, false}};
    static const char *const flags[3] = {"", "flags row 0" ODD_SET, "flags row 0 = all 00000001\n"};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned f = 0; f < 3; f++) {
            char program[256];
            bool taken = f == 0 ? rows[i].none : f == 1 ? rows[i].some : rows[i].all;
            (void)snprintf(program, sizeof program, "  brr.%s 8\n  nop\n  nop\n  nop\n  ldi r0, 1\n",
                           rows[i].condition);
            run("bcm2835", program, flags[f]);
            assert_int_equal(value("r0", 0), taken ? 0 : 1);
        }
}

static void programs_that_do_not_end_give_the_reason(void **state)
{
    (void)state;
    run("bcm2835", "  brr -32\n  nop\n  nop\n  nop\n", "limit = 100\n");
    expect_end(END_HANG);
    run("bcm2835", "  acquire 3\n", "");
    expect_end(END_HANG);
    run("bcm2835", "  mov r0, mutex\n  mov r0, mutex\n", "");
    expect_end(END_HANG);
    run("bcm2835", "  brr 4096\n  nop\n  nop\n  nop\n", "");
    expect_end(END_FAULT);
    run("bcm2835", "  .quad 0\n", "");
    expect_end(END_FAULT);
    run("bcm2835", "  mov tmu0_s, r0\n", "");
    expect_end(END_FAULT);
    run("bcm2835", "  nop ; load_tmu0\n", "");
    expect_end(END_HANG);
    run("manual", "  mov.setf r0, nop\n  brr.any_zs 0\n  nop\n  nop\n  nop\n", "");
    expect_end(END_UNDEFINED);
}

/* p52-53: a fragment shader cannot access the VPM or its DMA, because their FIFOs carry the varyings. */
static void a_fragment_shader_cannot_access_the_vpm(void **state)
{
    (void)state;
    static const char *const accesses[] = {
        "  mov vpm, r0\n",      "  mov vw_setup, r0\n", "  mov vr_setup, r0\n", "  mov vw_addr, r0\n",
        "  mov vr_addr, r0\n",  "  mov r1, vpm\n",      "  mov r1, vw_wait\n",  "  mov r1, vr_wait\n",
        "  mov nop, vw_wait\n", "  mov r1, vw_busy\n",  "  mov r1, vr_busy\n",
    };
    for (unsigned i = 0; i < sizeof accesses / sizeof *accesses; i++) {
        run("manual", accesses[i], "stage = fragment\n");
        expect_end(END_FAULT);
        assert_int_equal(bench.out->reason, VC4_FAULT_RESERVED);
        run("bcm2835", accesses[i], "stage = fragment\n");
        expect_end(END_FAULT);
        run("manual", accesses[i], "acc row 0 = all 00000a00\n");
        assert_false(bench.out->end == END_FAULT && bench.out->reason == VC4_FAULT_RESERVED);
        assert_false(covered(&bench.executor->last, QPU_VPM_IN_FRAGMENT));
    }
    run("manual,vpm-in-fragment=works", "  ldi vw_setup, 0x00000a07\n  mov vpm, r0\n",
        "stage = fragment\nacc row 0 = all 00000065\n");
    expect_all("vpm7", 0x65);
    run("bcm2835", "  mov r0, varying\n  nop\n", "stage = fragment\nvarying-count = 1\n");
    expect_end(END_DONE);
}

static void a_release_hangs_at_fifteen(void **state)
{ /* p33: a semaphore has 4 bits */
    (void)state;
    char program[1024] = "";
    for (unsigned i = 0; i < 15; i++)
        strcat(program, "  release 2\n");
    run("bcm2835", program, "");
    expect_end(END_DONE);
    assert_int_equal(value("semaphores0", 2), 15);
    strcat(program, "  release 2\n");
    run("bcm2835", program, "");
    expect_end(END_HANG);
}

static void the_end_has_two_delay_slots(void **state)
{
    (void)state;
    run("bcm2835", "  nop ; end\n  ldi r0, 1\n  ldi r1, 1\n  ldi r2, 1\n", "");
    expect_end(END_DONE);
    expect_all("r0", 1);
    expect_all("r1", 1);
    expect_all("r2", 0);
}

static void a_thread_switch_loses_accumulators_and_flags(void **state)
{ /* p21 */
    (void)state;
    run("bcm2835", "  nop ; thread_switch\n  mov ra0, r0\n  mov ra1, r0\n  mov ra2, r0\n",
        "acc row 0 = all 00000005\n");
    expect_all("ra1", 5);
    expect_undefined("ra2", 0);
}

/* ---- peripherals ---- */

static void vpm_reads_after_three_instructions(void **state)
{ /* p56 */
    (void)state;
    run("manual", "  ldi vr_setup, 0x101a03\n  nop\n  nop\n  nop\n  mov r0, vpm\n", "vpm row 3" NUMBERS);
    for (unsigned i = 0; i < 16; i++)
        expect("r0", i, i);
}

static void vpm_writes_where_the_setup_says(void **state)
{
    (void)state;
    run("manual", "  ldi vw_setup, 0x1a05\n  mov vpm, r0\n  mov vpm, r1\n",
        "acc row 0" NUMBERS "acc row 1 = all 00000077\n");
    for (unsigned i = 0; i < 16; i++)
        expect("vpm5", i, i);
    expect_all("vpm6", 0x77);
}

static void the_host_interrupt_is_in_the_outcome(void **state)
{
    (void)state;
    run("bcm2835", "  mov host_int, 1\n", "");
    expect("sync0", 0, 1);
    run("bcm2835", "  mov mutex, mutex\n", "");
    expect("sync0", 1, 0);
}

/* p22 does not say from which stream a read that comes too early takes its word. So all later words are
 * undefined until the program writes the address again. */
static void an_early_uniform_read_makes_the_stream_undefined(void **state)
{
    (void)state;
    static const char rest[] =
        "uniforms { @80 @80 }\nmemory row 2 = all 00000033\nacc row 0 = all 00000077\n";
    run("manual",
        "  mov r3, uniform\n  mov uniforms_address, uniform\n  mov r0, uniform\n  nop\n  mov r1, uniform\n",
        rest);
    expect_undefined("r0", 0);
    expect_undefined("r1", 0);
    run("manual",
        "  mov r3, uniform\n  mov uniforms_address, uniform\n  mov r0, uniform\n  mov uniforms_address, r3\n "
        " nop\n  nop\n  mov r1, uniform\n",
        rest);
    expect_undefined("r0", 0);
    expect_all("r1", 0x33);
    run("manual", "  mov uniforms_address, uniform\n  nop\n  nop\n  mov r1, uniform\n", rest);
    expect_all("r1", 0x33);
}

/* p37: neither the end instruction nor its two delay slots may use uniforms, VPM or DMA. */
static void shared_units_in_the_end_slots_are_undefined(void **state)
{
    (void)state;
    static const char rest[] = "uniforms { 00000011 }\nacc row 0 = all 00000077\n";
    run("manual", "  mov r1, uniform ; end\n  nop\n  nop\n", rest);
    expect_end(END_DONE);
    expect_undefined("r1", 0);
    run("manual", "  nop ; end\n  nop\n  mov r1, uniform\n", rest);
    expect_undefined("r1", 0);
    run("manual,end-io-access=works", "  nop ; end\n  nop\n  mov r1, uniform\n", rest);
    expect_all("r1", 0x11);
    run("bcm2835", "  ldi vw_setup, 0x1a01\n  nop ; end\n  mov vpm, r0\n  nop\n", rest);
    expect_end(END_UNDEFINED);
    run("bcm2835,end-io-access=works", "  ldi vw_setup, 0x1a01\n  nop ; end\n  mov vpm, r0\n  nop\n", rest);
    expect_all("vpm1", 0x77);
    run("bcm2835,end-io-access=lost", "  ldi vw_setup, 0x1a01\n  nop ; end\n  mov vpm, r0\n  nop\n", rest);
    expect_all("vpm1", 0);
    run("bcm2835", "  ldi vw_setup, 0x1a01\n  mov vpm, r0\n  nop ; end\n  mov r1, r0\n  nop\n",
        rest); /* the VPM write is before the end, so it is allowed */
    expect_end(END_DONE);
    expect_all("vpm1", 0x77);
    expect_all("r1", 0x77);
}

/* p33, p37: an instruction may have only one of these accesses: a write to TMU, tile buffer or SFU, a load
 * from TMU or tile, a mutex read, a semaphore. */
static void two_peripherals_in_one_instruction_are_undefined(void **state)
{
    (void)state;
    static const char words[] = "uniforms { @0 @40 @80 }\nmemory row 0 = all 00000011\nmemory row 1 = all "
                                "00000022\nacc row 0 = all 3f800000\n";
    static const char fragment[] = "stage = fragment\nsamples = 15\ntile row 0 = all 00000055\nuniforms { @0 "
                                   "}\nacc row 0 = all 3f800000\n";
    static const struct {
        const char *pair, *rest;
    } forbidden[] = {
        {"  mov tmu0_s, uniform\n  mov tmu0_s, uniform ; load_tmu0\n", words}, /* r4-signal-same-instr */
        {"  mov tmu0_s, uniform\n  mov tmu1_s, uniform ; load_tmu0\n", words},
        {"  mov tmu0_s, uniform\n  mov sfu_recip, r0 ; load_tmu0\n", words},
        {"  mov tmu0_t, r0 ; v8min tmu0_s, r0, r0\n", words},
        {"  mov tmu0_s, r0 ; v8min sfu_log, r0, r0\n", words},
        {"  ldi tmu0_s, sfu_exp, 0\n", words},
        {"  mov tmu0_s, mutex@a\n", words},
        {"  release tmu0_s, 9\n", words},
        {"  nop\n  nop\n  mov tlb_z, r0 ; v8min tlb_colour_all, r0, r0\n", fragment},
        {"  nop\n  nop\n  mov tlb_z, r0 ; load_colour\n", fragment},
        {"  nop\n  nop\n  mov sfu_exp, r0 ; load_colour\n", fragment},
        {"  nop\n  nop\n  mov tlb_colour_all, r0 ; load_alpha\n", fragment},
    };
    for (unsigned i = 0; i < sizeof forbidden / sizeof *forbidden; i++)
        for (unsigned p = 0; p < 2; p++) {
            run(p ? "bcm2835" : "manual", forbidden[i].pair, forbidden[i].rest);
            expect_end(END_UNDEFINED);
        }
    run("bcm2835,peripherals-in-one=works",
        "  mov tmu0_s, uniform\n  mov tmu0_s, uniform ; load_tmu0\n  mov r1, r4\n  nop ; load_tmu0\n  mov "
        "r2, r4\n",
        words);
    expect_end(END_DONE);
    expect_all("r1", 0x11);
    expect_all("r2", 0x22);
    run("bcm2835", "  nop\n  nop\n  mov tlb_colour_ms, r0 ; load_colour\n  mov r1, r4\n",
        fragment); /* p37, p48: this pair is one access */
    expect_end(END_DONE);
    expect_all("r1", 0x55);
    expect_all("tile0", 0x3F800000);
    run("bcm2835", "  release sfu_recip, 9\n  nop\n  nop\n", "");
    expect_end(END_UNDEFINED);
    run("bcm2835", "  mov sfu_recip, mutex@a\n  nop\n  nop\n", "");
    expect_end(END_UNDEFINED);
    run("manual,peripherals-in-one=sfu-lost", "  mov sfu_recip, mutex@a\n  nop\n  nop\n",
        "acc row 4 = all 00000077\n");
    expect_end(END_DONE);
    expect_all("r4", 0x77);
    run("bcm2835", "  release -, 9\n  mov sfu_recip, 1.0\n  nop\n  nop\n", ""); /* in two instructions */
    expect_end(END_DONE);
}

/* p33: a load immediate is packed as an integer, never converted. The addendum: a colour pack of one byte
 * (c8a) to a peripheral fails, but a pack of all bytes (c8888) works. */
static void colour_packs_of_immediates_and_to_peripherals(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        run(i ? "bcm2835" : "manual", "  ldi -, r1.c8a, 1.0\n", "acc row 1 = all 11223344\n");
        expect_all("r1", 0x3F800000);
    }
    run("bcm2835", "  ldi vw_setup, 0x1a01\n  fmul vpm.c8888, r0, r0\n", "acc row 0 = all 3f800000\n");
    expect_all("vpm1", 0xFFFFFFFF);
    run("bcm2835", "  ldi vw_setup, 0x1a01\n  fmul vpm.c8a, r0, r0\n", "acc row 0 = all 3f800000\n");
    expect_undefined("vpm1", 0);
}

/* p28 T3, taken literally: if no operand selects an address, the instruction does not read it. So a later
 * read of a stale value does not return its content. */
static void unselected_addresses_read_nothing_under_the_manual(void **state)
{
    (void)state;
    static const char program[] = "  mov r0, ra1\n  mov r1, r0 {raddr_a=0}\n  mov r2, nop@a\n";
    static const char rest[] = "ra row 0 = all 00000011\nra row 1 = all 00000022\n";
    run("bcm2835", program, rest);
    expect_all("r2", 0x11);
    run("bcm2835,raddr-side-effect=manual", program, rest);
    expect_all("r2", 0x22);
}

/* Clauses about fadd and fmul do not decide how the SFU handles NaN and denormals. */
static void the_sfu_follows_its_own_clauses(void **state)
{
    (void)state;
    static const char program[] = "  mov sfu_recip, r0\n  nop\n  nop\n  mov r1, r4\n",
                      nan[] = "acc row 0 = all 7fc00000\n";
    run("manual,sfu-list=reciprocal,float-nan=second-wins,float-denormals=flush", program, nan);
    expect_all("r1", 0x7FC00000);
    run("manual,sfu-list=reciprocal,sfu-special=no-nan", program, nan);
    expect_all("r1", 0);
    run("bcm2835", program, nan);
    expect_undefined("r1", 0);
    run("manual,sfu-list=reciprocal,float-denormals=flush", program,
        "acc row 0 = all 00400000\n"); /* a denormal, 2^-127 */
    expect_all("r1", 0x7F000000);
    run("manual,sfu-list=reciprocal,sfu-denormal=flush", program, "acc row 0 = all 00400000\n");
    expect_all("r1", 0x7F800000);
    run("manual,sfu-list=reciprocal,sfu-denormal=flush", program,
        "acc row 0 = all 7f000001\n"); /* 1/x is just below 2^-127 */
    expect_all("r1", 0);
    run("bcm2835", program, "acc row 0 = all 00400000\n");
    expect_undefined("r1", 0);
}

/* p45 T21: element 0 of a write to TMU_NOSWAP decides. Before the write, QPU 2 sends its request to the other
 * TMU, because TMUs are swapped. If the write stops the swap, QPU 2 then waits for ever at a TMU without a
 * request. */
static void element_0_decides_about_the_swap_of_tmus(void **state)
{
    (void)state;
    static const char rest[] = "qpu-number = 2\nuniforms { @40 }\nmemory fill index\n";
    static const char *const profiles[] = {"manual", "bcm2835"};
    for (unsigned i = 0; i < 16; i++) {
        char program[512];
        struct text list = {0};
        for (unsigned lane = 0; lane < 16; lane++)
            text_add(&list, "%s%u", lane ? ", " : "", lane == i);
        (void)snprintf(program, sizeof program,
                       "  mov tmu0_s, uniform\n  ldiu tmu_noswap, [%s]\n  nop\n  nop\n"
                       "  nop ; load_tmu0\n  mov r0, r4\n",
                       text_chars(&list));
        for (unsigned p = 0; p < 2; p++) {
            run(profiles[p], program, rest);
            expect_end(i == 0 ? END_HANG : END_DONE);
        }
        text_free(&list);
    }
}

/* If there is no r5, a branch that writes its link address to r5 leaves r5's bits and mask unchanged. */
static void a_link_to_a_missing_r5_is_lost(void **state)
{
    (void)state;
    static const char program[] =
        "  nop ; thread_switch\n  nop\n  nop\n  brr r5_all, 0\n  nop\n  nop\n  nop\n"; /* p21: loses r5 */
    run("manual,accumulator-count=five", program, "");
    expect_undefined("r5", 0);
    run("manual", program, "");
    assert_int_equal(defined("r5", 0), UINT32_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_register_is_not_readable_in_the_next_instruction),
        cmocka_unit_test(a_branch_carries_the_hazard_to_its_target),
        cmocka_unit_test(a_previous_program_causes_no_hazard),
        cmocka_unit_test(a_previous_program_causes_no_hazard_with_undefined_operands),
        cmocka_unit_test(sfu_result_is_in_r4_for_the_third_instruction),
        cmocka_unit_test(vpm_access_beside_a_tmu_load_is_undefined),
        cmocka_unit_test(a_tmu_load_that_meets_an_sfu_result_is_undefined),
        cmocka_unit_test(a_scoreboard_wait_in_the_first_two_instructions_is_undefined),
        cmocka_unit_test(both_alus_to_one_accumulator_is_undefined),
        cmocka_unit_test(a_stop_in_the_last_delay_slot_is_not_that_of_a_branch),
        cmocka_unit_test(a_branch_has_three_delay_slots),
        cmocka_unit_test(branch_conditions_look_at_all_elements),
        cmocka_unit_test(programs_that_do_not_end_give_the_reason),
        cmocka_unit_test(a_fragment_shader_cannot_access_the_vpm),
        cmocka_unit_test(a_release_hangs_at_fifteen),
        cmocka_unit_test(the_end_has_two_delay_slots),
        cmocka_unit_test(a_thread_switch_loses_accumulators_and_flags),
        cmocka_unit_test(vpm_reads_after_three_instructions),
        cmocka_unit_test(vpm_writes_where_the_setup_says),
        cmocka_unit_test(the_host_interrupt_is_in_the_outcome),
        cmocka_unit_test(an_early_uniform_read_makes_the_stream_undefined),
        cmocka_unit_test(shared_units_in_the_end_slots_are_undefined),
        cmocka_unit_test(two_peripherals_in_one_instruction_are_undefined),
        cmocka_unit_test(colour_packs_of_immediates_and_to_peripherals),
        cmocka_unit_test(unselected_addresses_read_nothing_under_the_manual),
        cmocka_unit_test(the_sfu_follows_its_own_clauses),
        cmocka_unit_test(element_0_decides_about_the_swap_of_tmus),
        cmocka_unit_test(a_link_to_a_missing_r5_is_lost),
    };
    return cmocka_run_group_tests(tests, support_qpu_open, support_qpu_close);
}
