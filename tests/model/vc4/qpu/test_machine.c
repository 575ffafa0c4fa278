/* SPDX-License-Identifier: MIT */
/*
 * Several QPUs (p14, p24, p33): waiting, deadlocks, repeatable schedules. Also what shaders use (p47-51):
 * tests of Z and stencil, samples, varyings, look-ups of two TMUs. Expectations are the manual's.
 */
#include "model/core/unit.h"
#include "model/core/units.h"
#include "model/vc4/machine.h"
#include "tests/model/vc4/qpu/support_machine_bench.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Each QPU waits for the semaphore that the other one would raise later. There is no instruction limit. */
static void deadlock_is_detected_at_once(void **state)
{
    (void)state;
    give(0, "acquire 1\nrelease 2");
    give(1, "nop\nacquire 2\nrelease 1");
    prepare(2, 0, UINT64_MAX, false);
    assert_int_equal(machine_run(b->machine), VC4_HANG_SEMAPHORE);
    assert_int_equal(machine_steps(b->machine), 1);
    expect_explained("QPU 0 waits at 00001000 to lower semaphore 1, which is 0\nQPU 1 waits at 00002008 to "
                     "lower semaphore 2, which is 0\n");
}

static void the_mutex_says_who_holds_it(void **state)
{
    (void)state;
    give(0, "mov r0, mutex\nacquire 5");
    give(1, "nop\nnop\nmov r0, mutex");
    prepare(2, 0, UINT64_MAX, false);
    assert_int_equal(machine_run(b->machine), VC4_HANG_SEMAPHORE);
    expect_explained("QPU 0 waits at 00001008 to lower semaphore 5, which is 0\nQPU 1 waits at 00002010 for "
                     "the mutex, which QPU 0 holds\n");
    give(0, "mov r0, mutex");
    prepare(2, 0, UINT64_MAX, false);
    assert_int_equal(machine_run(b->machine), VC4_HANG_MUTEX);
    expect_explained("QPU 1 waits at 00002010 for the mutex, which QPU 0 holds, though it has ended\n");
}

/* The message at the limit names the next instruction. After 8 instructions this is the start of the loop, to
 * which the branch has just jumped. After 9 it is the second instruction. */
static void the_limit_says_where_it_stopped(void **state)
{
    (void)state;
    give(0, "brr -32\nnop\nnop\nnop");
    prepare(1, 0, 8, false);
    assert_int_equal(machine_run(b->machine), VC4_HANG_LIMIT);
    expect_explained("QPU 0 stopped at 00001000: instruction limit of the case\n");
    prepare(1, 0, 9, true);
    assert_int_equal(machine_run(b->machine), VC4_HANG_LIMIT);
    expect_explained("QPU 0 stopped at 00001008: instruction limit of the case\n");
}

/* A QPU that waits for ever ends with the reason, while the others run to their ends. */
static void a_hung_qpu_does_not_stop_the_others(void **state)
{
    (void)state;
    give(0, "mov r0, vpm");
    give(1, "ldi r1, nop, 0x00000007");
    prepare(2, 0, 1000, false);
    assert_int_equal(machine_run(b->machine), VC4_HANG_VPM_READ);
    assert_int_equal(b->machine->culprit, 0);
    assert_int_equal(b->machine->part[1]->acc[1].lane[0], 7);
    assert_true(b->machine->part[1]->qpu.ended);
}

static void a_fault_stops_all(void **state)
{
    (void)state;
    give(0, "brr -32\nnop\nnop\nnop");
    give(1, "nop\nnop ; breakpoint");
    prepare(2, 0, 1000000, false);
    assert_int_equal(machine_run(b->machine), VC4_FAULT_BREAKPOINT);
    assert_int_equal(b->machine->culprit, 1);
    assert_true(machine_steps(b->machine) < 10);
}

/* An instruction that waits has taken neither its uniform nor the mutex. */
static void a_waiting_instruction_has_no_effect(void **state)
{
    (void)state;
    give(0, "mov r0, mutex\nnop\nnop\nnop\nnop\nmov mutex, r0");
    give(1, "nop\nor r1, uniform, mutex@b\nmov r2, uniform\nmov mutex, r2");
    prepare(2, 0, UINT64_MAX, false);
    assert_int_equal(machine_run(b->machine), VC4_GO);
    assert_int_equal(b->machine->part[1]->acc[2].lane[0], 0x80);
    assert_int_equal(b->machine->shared.mutex_held, 0);
}

/* Twelve QPUs write their numbers to one row of the VPM. Returns the number that stays, which is that of the
 * last QPU in the schedule. */
static uint32_t winner(uint64_t seed)
{
    for (unsigned i = 0; i < MACHINE_QPUS_MAX; i++)
        give(i, "ldi vw_setup, nop, 0x00001a00\nnop\nnop\nmov vpm, qpu_number");
    prepare(MACHINE_QPUS_MAX, seed, 1000, false);
    assert_int_equal(machine_run(b->machine), VC4_GO);
    return b->vpm.value[0].lane[0];
}

static void a_seed_repeats_its_schedule(void **state)
{
    (void)state;
    uint32_t seen = 0;
    assert_int_equal(winner(0), MACHINE_QPUS_MAX - 1);
    for (uint64_t seed = 1; seed <= 40; seed++) {
        uint32_t first = winner(seed);
        assert_int_equal(winner(seed), first);
        seen |= 1U << first;
    }
    assert_true(__builtin_popcount(seen) > 4);
}

/* ---- what shaders use: Z, stencil, samples, varyings, look-ups ---- */

static enum vc4_stop run_fragment(const char *text, enum qpu_test depth_test)
{
    give(0, text);
    prepare(1, 0, 1000, true);
    struct machine_qpu *p = b->machine->part[0];
    p->graphics.stage = QPU_STAGE_FRAGMENT;
    p->graphics.depth_test = depth_test;
    p->graphics.tile = b->tile;
    p->graphics.varyings = b->varyings;
    p->graphics.varying_count = 2;
    p->qpu.pixels_written = true;
    vector_splat(&p->qpu.ms_flags.value, 15);
    vector_splat(&p->qpu.rev_flag.value, 0);
    p->qpu.ms_flags.defined = p->qpu.rev_flag.defined = p->qpu.all;
    for (unsigned i = 0; i < VC4_LANES; i++)
        b->tile.value[QPU_TILE_Z].lane[i] = 100 * i;
    return machine_run(b->machine);
}

/* p48: a failed Z test masks the pixel out, so a later colour write does not change it. */
static void colour_is_written_where_z_passes(void **state)
{
    (void)state;
    assert_int_equal(run_fragment("nop\nnop\nldi r0, nop, 0x000001f4\nldi r1, nop, 0xaabbccdd\nmov tlb_z, "
                                  "r0\nmov tlb_colour_all, r1",
                                  QPU_LESS),
                     VC4_GO);
    for (unsigned i = 0; i < VC4_LANES; i++) {
        bool passes = 500 < 100 * i;
        assert_int_equal(b->tile.value[QPU_TILE_Z].lane[i], passes ? 500 : 100 * i);
        for (unsigned s = 0; s < QPU_SAMPLES; s++)
            assert_int_equal(b->tile.value[QPU_TILE_COLOUR + s].lane[i], passes ? 0xAABBCCDD : 0);
    }
}

/* p48 T26: the setup is for front faces, with function `always`, operations keep, increment with saturation
 * and zero, reference 3, all bits. */
static void stencil_counts_what_passes_z(void **state)
{
    (void)state;
    for (unsigned i = 0; i < VC4_LANES; i++)
        b->tile.value[QPU_TILE_STENCIL].lane[i] = i == 15 ? 0xFF : i;
    uint32_t setup =
        UINT32_C(1) << 30 | 3U << 28 | 1U << 25 | 3U << 22 | 0U << 19 | 7U << 16 | 3U << 8 | 0xFF;
    char text[200];
    (void)snprintf(text, sizeof text,
                   "nop\nnop\nldi tlb_stencil_setup, nop, 0x%08x\nldi r0, nop, 0x000001f4\nmov tlb_z, r0",
                   setup);
    assert_int_equal(run_fragment(text, QPU_LESS), VC4_GO);
    for (unsigned i = 0; i < VC4_LANES; i++)
        assert_int_equal(b->tile.value[QPU_TILE_STENCIL].lane[i], i == 15 ? 0xFF : i > 5 ? i + 1 : i);
}

/* p47: TLB_COLOUR_MS writes one sample after the other. Colour loads return the samples in the same order. */
static void samples_come_in_order(void **state)
{
    (void)state;
    assert_int_equal(run_fragment("nop\nnop\nmov tlb_colour_ms, 1\nmov tlb_colour_ms, 2\nnop ; "
                                  "load_colour\nmov ra0, r4 ; nop ; load_colour\nmov ra1, r4",
                                  QPU_ALWAYS),
                     VC4_GO);
    const struct machine_qpu *p = b->machine->part[0];
    assert_int_equal(b->tile.value[QPU_TILE_COLOUR].lane[3], 1);
    assert_int_equal(b->tile.value[QPU_TILE_COLOUR + 1].lane[3], 2);
    assert_int_equal(p->ra[0].lane[3], 1);
    assert_int_equal(p->ra[1].lane[3], 2);
}

/* p51: reading a varying returns the sum of its A and B terms. The next instruction finds C in r5. */
static void varyings_bring_c_to_r5(void **state)
{
    (void)state;
    for (unsigned i = 0; i < VC4_LANES; i++) {
        b->varyings.value[0].lane[i] = 10 + i;
        b->varyings.value[1].lane[i] = 1000;
        b->varyings.value[2].lane[i] = 20 + i;
        b->varyings.value[3].lane[i] = 2000;
    }
    assert_int_equal(run_fragment("mov r0, varying\nadd r0, r0, r5\nmov r1, varying\nadd r1, r1, r5",
                                  QPU_ALWAYS),
                     VC4_GO);
    const struct machine_qpu *p = b->machine->part[0];
    for (unsigned i = 0; i < VC4_LANES; i++) {
        assert_int_equal(p->acc[0].lane[i], 1010 + i);
        assert_int_equal(p->acc[1].lane[i], 2020 + i);
    }
    b->profile.reading[QPU_VARYING_EXCESS] = READING_MANUAL;
    assert_int_equal(run_fragment("mov r0, varying\nmov r0, varying\nmov r0, varying", QPU_ALWAYS),
                     VC4_HANG_VARYING);
    b->profile = support_machine_profile();
}

/* p23, p40: each TMU returns results in the order of its own requests. A write of S alone looks up memory and
 * takes no uniform. */
static void two_look_ups_come_in_order(void **state)
{
    (void)state;
    for (unsigned i = 0; i < MEMORY_ROWS * VC4_LANES; i++)
        b->memory.value[i / VC4_LANES].lane[i % VC4_LANES] = 0x5000 + i;
    give(0, "mov tmu0_s, uniform\nmov tmu1_s, uniform\nmov tmu0_s, uniform\nnop ; load_tmu1\nmov ra0, r4 ; "
            "nop ; load_tmu0\nmov ra1, r4 ; nop ; "
            "load_tmu0\n"
            "mov ra2, r4\nmov ra3, uniform");
    prepare(1, 0, 1000, true);
    assert_int_equal(machine_run(b->machine), VC4_GO);
    const struct machine_qpu *p = b->machine->part[0];
    assert_int_equal(p->ra[0].lane[9], 0x5000 + 0x80 / 4);
    assert_int_equal(p->ra[1].lane[9], 0x5000 + 0x40 / 4);
    assert_int_equal(p->ra[2].lane[9], 0x5000 + 0xC0 / 4);
    assert_int_equal(p->ra[3].lane[9], 0x100);
}

/* ---- two threads of a QPU ---- */

/* Runs a program in both threads of a QPU, each with its own uniforms. */
static enum vc4_stop run_threads(const char *text, const uint32_t *first, const uint32_t *second,
                                 uint32_t count, bool checked)
{
    give(0, text);
    struct machine_start start = {.program = b->code[0],
                                  .count = b->lines[0],
                                  .uniforms = {.list = first, .count = count},
                                  .two_threads = true,
                                  .second_uniforms = {.list = second, .count = count}};
    struct machine_setup setup = {.env = {.profile = &b->profile,
                                          .coverage = &b->coverage,
                                          .checked = checked,
                                          .fidelity = checked,
                                          .memory = b->memory},
                                  .vpm = b->vpm,
                                  .qpus = 1,
                                  .start = &start,
                                  .limit = 10000};
    machine_prepare(b->machine, &setup);
    return machine_run(b->machine);
}

/* p20: a thread sees the other thread's registers under numbers with bit 4 inverted. p21: two more
 * instructions run after the signal. */
static void threads_see_each_others_halves(void **state)
{
    (void)state;
    static const uint32_t first[] = {0x11, 0x12}, second[] = {0x21, 0x22};
    for (unsigned checked = 0; checked < 2; checked++) {
        assert_int_equal(
            run_threads(
                "mov ra0, uniform ; nop ; thread_switch\nnop\nmov rb3, uniform\nmov ra1, ra0\nmov rb2, ra16",
                first, second, 2, checked),
            VC4_GO);
        const struct machine_qpu *p = b->machine->part[0];
        assert_int_equal(p->ra[0].lane[7], 0x11); /* register numbers as the first thread uses them */
        assert_int_equal(p->rb[3].lane[7], 0x12);
        assert_int_equal(p->ra[1].lane[7], 0x11);
        assert_int_equal(p->rb[2].lane[7], 0x21);
        assert_int_equal(p->ra[16].lane[7], 0x21);
        assert_int_equal(p->rb[19].lane[7], 0x22);
        assert_int_equal(p->ra[17].lane[7], 0x21);
        assert_int_equal(p->rb[18].lane[7], 0x11);
        assert_int_equal(machine_steps(b->machine), 16);
    }
}

/* p21: a thread switch loses accumulators and flags. */
static void a_switch_loses_accumulators_and_flags(void **state)
{
    (void)state;
    assert_int_equal(run_threads("mov.setf r0, 1\nnop ; nop ; thread_switch\nnop\nnop\nmov ra0, r0", NULL,
                                 NULL, 0, true),
                     VC4_GO);
    const struct machine_qpu *p = b->machine->part[0];
    assert_int_equal(p->ra_defined[0].lane[0] | p->ra_defined[16].lane[0], 0);
    assert_int_equal(
        run_threads("mov.setf r0, 1\nnop ; nop ; thread_switch\nnop\nnop\nbrr.all_zs +0\nnop\nnop\nnop", NULL,
                    NULL, 0, true),
        VC4_FAULT_UNDEFINED);
    assert_true(p->qpu.fidelity.to_control);
}

static void expect_order(const char *text, const uint32_t *wanted)
{
    static const uint32_t first[] = {0x1A00, 0x11, 0x12}, second[] = {0x1A00, 0x21, 0x22};
    assert_int_equal(run_threads(text, first, second, 3, false), VC4_GO);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(b->vpm.value[i].lane[0], wanted[i]);
}

/* p21, p29: a thread that switches lets the other one run. After the last switch, the later thread waits for
 * the end of the earlier one. */
static void the_last_switch_makes_the_later_thread_wait(void **state)
{
    (void)state;
    static const uint32_t in_turn[] = {0x11, 0x21, 0x12, 0x22}, one_by_one[] = {0x11, 0x12, 0x21, 0x22};
    expect_order("mov vw_setup, uniform ; nop ; thread_switch\nnop\nnop\nmov vpm, uniform ; nop ; "
                 "thread_switch\nnop\nnop\nmov vpm, uniform",
                 in_turn);
    expect_order("mov vw_setup, uniform ; nop ; last_thread_switch\nnop\nnop\nmov vpm, uniform ; nop ; "
                 "thread_switch\nnop\nnop\nmov vpm, uniform",
                 one_by_one);
}

/* p40: each of two threads may use half of the FIFO, which is four look-ups with S alone. Each thread gets
 * its own results. */
static void threads_share_the_look_ups(void **state)
{
    (void)state;
    static const uint32_t first[] = {0, 4, 8, 12, 16}, second[] = {64, 68, 72, 76, 80};
    for (unsigned i = 0; i < MEMORY_ROWS * VC4_LANES; i++)
        b->memory.value[i / VC4_LANES].lane[i % VC4_LANES] = 0x5000 + i;
    assert_int_equal(run_threads("mov tmu0_s, uniform ; nop ; thread_switch\nmov tmu0_s, uniform\nmov "
                                 "tmu0_s, uniform\nmov tmu0_s, uniform\n"
                                 "nop ; load_tmu0\nmov ra0, r4 ; nop ; load_tmu0\nmov ra1, r4",
                                 first, second, 5, true),
                     VC4_GO);
    const struct machine_qpu *p = b->machine->part[0];
    assert_int_equal(p->ra[0].lane[3], 0x5000);
    assert_int_equal(p->ra[1].lane[3], 0x5001);
    assert_int_equal(p->ra[16].lane[3], 0x5010);
    assert_int_equal(p->ra[17].lane[3], 0x5011);
    assert_int_equal(run_threads("mov tmu0_s, uniform\nmov tmu0_s, uniform\nmov tmu0_s, uniform\nmov tmu0_s, "
                                 "uniform\nmov tmu0_s, uniform",
                                 first, second, 5, true),
                     VC4_HANG_TMU_FULL);
    expect_explained(
        "QPU 0, thread 1, stopped at 00000020: TMU write that no load will ever make room for\n");
}

/* A result computed from an SFU result counts as within a tolerance. The fidelity also says whether a branch
 * depended on one. */
static void fidelity_follows_the_sfu(void **state)
{
    (void)state;
    give(0, "ldi r0, nop, 0x40400000\nmov sfu_recip, r0\nnop\nnop\nfadd r1, r4, r4\nadd r2, r0, r0");
    prepare(1, 0, 1000, true);
    assert_int_equal(machine_run(b->machine), VC4_GO);
    const struct fidelity *f = &b->machine->part[0]->qpu.fidelity;
    assert_int_equal(f->tolerance, 2); /* the SFU write, and the sum of its results */
    assert_int_equal(f->undefined, 0);
    assert_int_equal(f->exact, machine_steps(b->machine) - 2);
    assert_false(f->to_control || f->to_address);
    give(0, "ldi r0, nop, 0x40400000\nmov sfu_recip, r0\nnop\nnop\nxor.setf r1, r4, r0\nbrr.all_zs "
            "+0\nnop\nnop\nnop");
    prepare(1, 0, 1000, true);
    assert_int_equal(machine_run(b->machine), VC4_GO); /* 1/3 and 3 differ in higher bits */
    assert_false(f->to_control);
    give(0, "ldi r0, nop, 0x40400000\nmov sfu_recip, r0\nldi r2, nop, 0x00000100\nnop\nand.setf r1, r4, "
            "r2\nbrr.all_zs +0\nnop\nnop\nnop");
    prepare(1, 0, 1000, true);
    assert_int_equal(machine_run(b->machine),
                     VC4_FAULT_UNDEFINED); /* the lowest bit that published results set */
    assert_true(f->to_control && !f->to_address);
    give(0, "mov r0, ra7\nmov tmu0_s, r0");
    prepare(1, 0, 1000, true);
    assert_int_equal(machine_run(b->machine), VC4_FAULT_UNDEFINED);
    assert_true(f->to_address && f->undefined >= 1);
}

/* A step that only sets flags counts by its flags: Z is within the tolerance of 1/3 if bit 8 decides it, and
 * undefined if ra7, which nothing has written, does. The steps that end the program are exact. */
static void fidelity_counts_steps_that_only_set_flags(void **state)
{
    (void)state;
    const struct fidelity *f = &b->machine->part[0]->qpu.fidelity;
    give(0, "ldi r0, nop, 0x40400000\nmov sfu_recip, r0\nldi r2, nop, 0x00000100\nnop\nand.setf nop, r4, r2");
    prepare(1, 0, 1000, true);
    assert_int_equal(machine_run(b->machine), VC4_GO);
    assert_true(f->tolerance == 2 && f->undefined == 0); /* the SFU write is the other one */
    assert_int_equal(f->exact, machine_steps(b->machine) - 2);
    give(0, "and.setf nop, ra7, ra7");
    prepare(1, 0, 1000, true);
    assert_int_equal(machine_run(b->machine), VC4_GO);
    assert_true(f->tolerance == 0 && f->undefined == 1);
    assert_int_equal(f->exact, machine_steps(b->machine) - 1);
}

/* p33 has no load immediate of mode 2, and p37 forbids the second program. The instruction that stops the run
 * counts neither as exact nor as a use of an undefined value. */
static void fidelity_counts_unspecified_stops(void **state)
{
    (void)state;
    const struct fidelity *f = &b->machine->part[0]->qpu.fidelity;
    give(0, "nop\n.quad 0xe40208270000007f");
    prepare(1, 0, 1000, true);
    assert_int_equal(machine_run(b->machine), VC4_FAULT_RESERVED);
    assert_true(f->exact == 1 && f->unsupported == 1 && f->undefined == 0);
    give(0, "nop\nrelease sfu_recip, 9");
    prepare(1, 0, 1000, true);
    assert_int_equal(machine_run(b->machine), VC4_FAULT_UNDEFINED);
    assert_true(f->exact == 1 && f->undefined == 1 && !f->to_address && !f->to_control);
}

/* ---- random programs ---- */

enum { RANDOM_LINES = 40 };

struct left_behind {
    enum vc4_stop stop;
    struct vc4_vector ra[2][32], rb[2][32], vpm[VC4_VPM_ROWS], memory[MEMORY_ROWS];
};

/* Runs the random words in code[0] on two QPUs, each with two threads. */
static void run_random(uint64_t seed, bool checked, struct left_behind *left)
{
    static const uint32_t uniforms[] = {0x40, 0x80, 0x3F800000, 0x1A00, 0x40000000, 0xC0, 0x100, 0x80904000};
    struct machine_start start[2];
    for (unsigned i = 0; i < 2; i++)
        start[i] = (struct machine_start){.program = b->code[0],
                                          .count = b->lines[0],
                                          .number = i,
                                          .uniforms = {.list = uniforms, .count = 8},
                                          .two_threads = true,
                                          .second_uniforms = {.list = uniforms + 1, .count = 7}};
    for (uint32_t row = 0; row < VC4_VPM_ROWS; row++) {
        vector_splat(&b->vpm.value[row], row * 0x01010101);
        vector_splat(&b->vpm.defined[row], UINT32_MAX);
    }
    for (uint32_t row = 0; row < MEMORY_ROWS; row++) {
        vector_splat(&b->memory.value[row], row * 0x3B9ACA07);
        vector_splat(&b->memory.defined[row], UINT32_MAX);
    }
    struct machine_setup setup = {.env = {.profile = &b->profile,
                                          .coverage = &b->coverage,
                                          .checked = checked,
                                          .fidelity = checked,
                                          .memory = b->memory},
                                  .vpm = b->vpm,
                                  .qpus = 2,
                                  .start = start,
                                  .limit = 300,
                                  .seed = seed};
    machine_prepare(b->machine, &setup);
    left->stop = machine_run(b->machine);
    for (unsigned i = 0; i < 2; i++) {
        memcpy(left->ra[i], b->machine->part[i]->ra, sizeof left->ra[i]);
        memcpy(left->rb[i], b->machine->part[i]->rb, sizeof left->rb[i]);
    }
    memcpy(left->vpm, b->vpm.value, sizeof left->vpm);
    memcpy(left->memory, b->memory.value, sizeof left->memory);
}

static uint64_t expect_same(const char *what, const struct vc4_vector *plain,
                            const struct vc4_vector *checked, const struct vc4_vector *defined, uint32_t rows)
{
    uint64_t compared = 0;
    for (uint32_t row = 0; row < rows; row++)
        for (unsigned i = 0; i < VC4_LANES; i++) {
            if ((plain[row].lane[i] ^ checked[row].lane[i]) & defined[row].lane[i])
                fail_msg("%s %u, element %u: plain %08x, checked %08x, defined %08x", what, row, i,
                         plain[row].lane[i], checked[row].lane[i], defined[row].lane[i]);
            compared += defined[row].lane[i] != 0;
        }
    return compared;
}

/* A program of any words ends. A checked run takes the same path as a plain one, unless an undefined bit
 * stops it. All bits that it defines are then the same. */
static void random_programs_end_and_checked_runs_agree(void **state)
{
    (void)state;
    struct random r;
    struct left_behind *plain = malloc(sizeof *plain), *checked = malloc(sizeof *checked);
    assert_true(plain && checked);
    random_seed(&r, 20260101);
    uint64_t compared = 0, known = 0, ends = 0;
    for (unsigned n = support_scaled(6000); n-- > 0;) {
        b->lines[0] = RANDOM_LINES;
        for (unsigned i = 0; i < RANDOM_LINES; i++) {
            uint32_t *word = &b->code[0][2 * i];
            if (random_one_in(&r, 40)) {
                word[0] = random_u32(&r);
                word[1] = random_u32(&r);
            } else {
                vc4_qpu_unit.code->generate(&r, word);
            }
            uint32_t signal = i + 3 == RANDOM_LINES   ? QPU_SIG_END
                              : random_one_in(&r, 10) ? QPU_SIG_THREAD_SWITCH
                                                      : QPU_SIG_NONE;
            bool plain_alu = word[1] >> 28 == QPU_SIG_NONE || word[1] >> 28 == QPU_SIG_END;
            if (signal != QPU_SIG_NONE || (plain_alu && i + 3 < RANDOM_LINES))
                word[1] = (word[1] & 0x0FFFFFFF) | signal << 28;
        }
        uint64_t seed = random_one_in(&r, 2) ? 0 : 1 + random_below(&r, 1000);
        run_random(seed, false, plain);
        run_random(seed, true, checked);
        ends += plain->stop == VC4_GO;
        if (checked->stop == VC4_FAULT_UNDEFINED)
            continue;
        assert_int_equal(plain->stop, checked->stop);
        known++;
        for (unsigned i = 0; checked->stop == VC4_GO && i < 2; i++) {
            const struct machine_qpu *p = b->machine->part[i];
            compared += expect_same("ra", plain->ra[i], checked->ra[i], p->ra_defined, 32);
            compared += expect_same("rb", plain->rb[i], checked->rb[i], p->rb_defined, 32);
        }
        if (checked->stop == VC4_GO) {
            compared += expect_same("vpm", plain->vpm, checked->vpm, b->vpm.defined, VC4_VPM_ROWS);
            compared += expect_same("memory", plain->memory, checked->memory, b->memory.defined, MEMORY_ROWS);
        }
    }
    print_message("  %llu ended well, %llu on a way that is known; %llu elements compared\n",
                  (unsigned long long)ends, (unsigned long long)known, (unsigned long long)compared);
    assert_true(known > 0 && compared > 0);
    free(plain);
    free(checked);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_bench, close_bench)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(deadlock_is_detected_at_once),
        TEST(the_mutex_says_who_holds_it),
        TEST(the_limit_says_where_it_stopped),
        TEST(a_hung_qpu_does_not_stop_the_others),
        TEST(a_fault_stops_all),
        TEST(a_waiting_instruction_has_no_effect),
        TEST(a_seed_repeats_its_schedule),
        TEST(colour_is_written_where_z_passes),
        TEST(stencil_counts_what_passes_z),
        TEST(samples_come_in_order),
        TEST(varyings_bring_c_to_r5),
        TEST(two_look_ups_come_in_order),
        TEST(threads_see_each_others_halves),
        TEST(a_switch_loses_accumulators_and_flags),
        TEST(the_last_switch_makes_the_later_thread_wait),
        TEST(threads_share_the_look_ups),
        TEST(random_programs_end_and_checked_runs_agree),
        TEST(fidelity_follows_the_sfu),
        TEST(fidelity_counts_steps_that_only_set_flags),
        TEST(fidelity_counts_unspecified_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
