/* SPDX-License-Identifier: MIT */
/*
 * Wrapped programs (harness/vc4/program/wrapper.h) on the model's machine, one at a time and without a board.
 * Each program ends, raises the host's interrupt, and leaves its complete output. It uses only the part of
 * the VPM that a user program has on silicon (64 rows, 4 KB: HW-2253 in VC4CL's errata).
 * tests/harness/test_mailbox.sh compares boards with the model.
 */
#include "harness/vc4/program/wrapper.h"

#include "model/core/unit.h"
#include "model/number/random.h"
#include "model/vc4/machine.h"
#include "model/vc4/qpu/unit_qpu.h"
#include "model/vc4/vc4.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BUS = 0xC0000000,
    BYTES = 1 << 18,
    ROW_BYTES = 4 * VC4_LANES,
    UNIFORMS_AT = 0,
    CODE_AT = 0x1000,
    INPUT_AT = 0x4000,
    OUTPUT_AT = 0xC000,
    WINDOW_AT = 0x20000,
    VPM_ROWS_OF_USERS = 64,
    LIMIT = 1000000,
    STAMP = 0x57A3B001,
};

static struct test_case tc;
static struct verifier_proof proof;
static struct wrapper_image image;
static struct wrapper_program program;
static struct outcome *outcome;
static struct profile profile;
static struct machine *machine;
static struct vc4_vector memory[BYTES / ROW_BYTES], vpm[VPM_ROWS_OF_USERS];

static struct wrapper_area area(uint32_t at)
{
    return (struct wrapper_area){(volatile uint32_t *)(void *)memory + at / 4, (uint32_t)BUS + at};
}

static bool build(struct error *e)
{
    struct wrapper_slot slot = {area(CODE_AT), area(INPUT_AT), area(OUTPUT_AT), area(UNIFORMS_AT),
                                (uint32_t)BUS + WINDOW_AT};
    if (!verifier_prove(&tc, slot.window, &proof, e))
        return false;
    outcome_reset(outcome, &tc);
    if (!wrapper_build(&tc, &proof, outcome, STAMP, &slot, &image, &program, e))
        return false;
    wrapper_place(&image, &program, &slot);
    return true;
}

static void run(void)
{
    struct coverage ignored = {0};
    struct machine_start start = {.program = (const uint32_t *)(const void *)memory + CODE_AT / 4,
                                  .count = program.code,
                                  .code_base = (uint32_t)BUS + CODE_AT,
                                  .uniforms = {.in_memory = true, .address = (uint32_t)BUS + UNIFORMS_AT}};
    struct machine_setup setup = {.env = {.profile = &profile,
                                          .coverage = &ignored,
                                          .memory_base = BUS,
                                          .memory = {.value = memory, .rows = BYTES / ROW_BYTES}},
                                  .vpm = {.value = vpm, .rows = VPM_ROWS_OF_USERS},
                                  .qpus = 1,
                                  .start = &start,
                                  .limit = LIMIT};
    machine_prepare(machine, &setup);
    enum vc4_stop stop = machine_run(machine);
    if (stop)
        fail_msg("%s", vc4_reasons[stop]);
    assert_true(machine->part[0]->qpu.interrupt_touched);
}

static bool collect(void)
{
    return wrapper_collect(&program, (const volatile uint32_t *)(void *)memory + OUTPUT_AT / 4, outcome);
}

/* ---- numbers of rows near the size of the VPM ---- */

/* Makes a program that copies r0 to this many registers (files first, then r1 to r3) and, with `flags`, sets
 * the flags. */
static void write_case(unsigned registers, bool flags)
{
    char text[8000];
    int at = snprintf(text, sizeof text,
                      "misprint-case 1 vc4-qpu\nacc row 0 = 100 101 102 103 104 105 106 107 108 109 10a 10b "
                      "10c 10d 10e 10f\nprogram {\n");
    for (unsigned n = 0; n < registers; n++)
        at += snprintf(text + at, sizeof text - (size_t)at, "  mov %s%u, r0\n",
                       n < 32   ? "ra"
                       : n < 64 ? "rb"
                                : "r",
                       n < 64 ? n % 32 : n - 63);
    (void)snprintf(text + at, sizeof text - (size_t)at, "%s  nop ; end\n  nop\n  nop\n}\n",
                   flags ? "  mov.setf -, r0\n" : "");
    struct error e = {0};
    if (!case_parse(&tc, text, strlen(text), &e) || !build(&e))
        fail_msg("%u registers: %s", registers, e.text);
}

static void all_rows_come_back(void **state)
{
    (void)state;
    const struct layout *l = &outcome->unit->layout;
    uint32_t ra = layout_region_named(l, "ra")->first_row, rb = layout_region_named(l, "rb")->first_row;
    uint32_t acc = layout_region_named(l, "acc")->first_row;
    for (unsigned registers = 1; registers <= 67; registers++)
        for (unsigned flags = 0; flags < 2; flags++) {
            write_case(registers, flags);
            assert_int_equal(program.outputs, registers + 3 * flags + 1); /* the last row is the stamp */
            run();
            if (!collect())
                fail_msg("%u registers, %s: not the whole of the output", registers,
                         flags ? "flags" : "no flags");
            for (unsigned n = 0; n < registers; n++) {
                uint32_t row = n < 32 ? ra + n : n < 64 ? rb + n - 32 : acc + n - 63;
                for (unsigned i = 0; i < VC4_LANES; i++)
                    assert_int_equal(outcome->value[row * VC4_LANES + i], 0x100 + i);
            }
        }
}

/* ---- generated programs ---- */

static void generated_programs_leave_their_output(void **state)
{
    enum { CASES = 20000, BUILT_LEAST = 1500 };
    unsigned built = 0;
    struct random r;
    (void)state;
    random_seed(&r, 6);
    for (unsigned i = 0; i < CASES; i++) {
        struct error e = {0};
        case_init(&tc, outcome->unit);
        tc.unit->generate(&r, &tc);
        if (!build(&e))
            continue;
        run();
        if (!collect())
            fail_msg("case %u: not the whole of its output, of %u rows", i, program.outputs);
        built++;
    }
    print_message("%u of %u cases wrapped and run\n", built, (unsigned)CASES);
    assert_true(built >= BUILT_LEAST);
}

static int make_machine(void **state)
{
    struct error e = {0};
    size_t size = (machine_bytes(1, 0) + 63) / 64 * 64;
    void *at = aligned_alloc(64, size);
    (void)state;
    if (!at || !profile_resolve(unit_named("vc4-qpu"), "bcm2835", &profile, &e))
        return -1;
    machine = machine_in(memset(at, 0, size), 1, 0);
    outcome = outcome_new(unit_named("vc4-qpu"));
    return 0;
}

static int free_machine(void **state)
{
    (void)state;
    free(machine);
    outcome_free(outcome);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_rows_come_back),
        cmocka_unit_test(generated_programs_leave_their_output),
    };
    return cmocka_run_group_tests(tests, make_machine, free_machine);
}
