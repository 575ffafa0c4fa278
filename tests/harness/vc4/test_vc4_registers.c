/* SPDX-License-Identifier: MIT */
/*
 * What a launch writes to the V3D's registers (harness/vc4/vc4_registers.h). Offsets, bits and the order are
 * those of VideoCoreIV-AG100-R (p82-104) and of gpu_fft's gpu_fft_base.c: no interrupts, clear the caches,
 * clear the queue, then for each program the uniforms' address and, last, the code's, and poll the number of
 * completed programs. Registers are simulated where the processor lets a program see its accesses.
 */
#include "harness/vc4/vc4_registers.h"

#include "tests/model/vc4/qpu/support_registers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdbool.h>
#include <string.h>

enum { LOG_MAX = 400, SRQPC = 0x430, SRQUA = 0x434, SRQCS = 0x43C, LIMIT_MS = 300 };

static struct {
    uint32_t offset, value;
} log[LOG_MAX];
static unsigned logged, queued, completed, looks, most_queued, never_done;
static bool error_bit;

static uint32_t read_register(uint32_t offset)
{
    assert_int_equal(offset, SRQCS);
    looks++;
    if (completed < queued && completed < never_done && looks % 3 == 0)
        completed++;
    /* bits 5:0 requests in the queue, 7 error, 15:8 requests made, 23:16 programs completed (p89 T71) */
    return (queued - completed) | (uint32_t)error_bit << 7 | queued << 8 | completed << 16;
}

static void write_register(uint32_t offset, uint32_t value)
{
    assert_true(logged < LOG_MAX);
    log[logged].offset = offset;
    log[logged++].value = value;
    queued += offset == SRQPC;
    most_queued = queued > most_queued ? queued : most_queued;
    if (offset == SRQCS) {
        assert_int_equal(value, 1 << 7 | 1 << 8 | 1 << 16);
        queued = completed = 0;
        error_bit = false;
    }
}

static volatile uint32_t *registers_of_v3d(void)
{
    static const struct registers device = {read_register, write_register};
    logged = queued = completed = looks = most_queued = 0;
    never_done = UINT32_MAX;
    error_bit = true; /* of an earlier launch */
    return registers_map(&device,
                         VC4_REGISTERS_BYTES); /* again in each test, because cmocka resets signals */
}

static unsigned first_write(uint32_t offset)
{
    for (unsigned i = 0; i < logged; i++)
        if (log[i].offset == offset)
            return i;
    fail_msg("register 0x%x was not written", (unsigned)offset);
    return 0;
}

static void writes(uint32_t offset, uint32_t value)
{
    unsigned i = first_write(offset);
    if (log[i].value != value)
        fail_msg("register 0x%x: 0x%x", (unsigned)offset, (unsigned)log[i].value);
    assert_true(i < first_write(SRQPC));
}

static void programs_are_queued_in_groups_of_twelve(void **state)
{
    (void)state;
    static const uint32_t pairs[2 * 30] = {0xC0001000, 0xC0002000, 0xC0003000, 0xC0004000, 5, 6, 7};
    static const unsigned counts[] = {1, 2, 12, 13, 30};
    volatile uint32_t *v3d = registers_of_v3d();
    if (!v3d)
        skip();
    for (unsigned c = 0; c < sizeof counts / sizeof *counts; c++) {
        v3d = registers_of_v3d();
        assert_true(vc4_registers_launch(v3d, pairs, counts[c], 10000));
        writes(0xE00, 0);          /* DBCFG */
        writes(0xE2C, 0);          /* DBQITE */
        writes(0xE30, UINT32_MAX); /* DBQITC */
        writes(0x504, 16);         /* VPMBASE: 16 times 256 bytes for user programs */
        writes(0x020, 4);          /* L2CACTL: clear */
        writes(0x024, UINT32_MAX); /* SLCACTL: clear all slices' caches */
        unsigned n = 0, groups = 0;
        for (unsigned i = 0; i < logged; i++) {
            groups += log[i].offset == SRQCS;
            if (log[i].offset != SRQPC)
                continue;
            assert_int_equal(log[i - 1].offset, SRQUA);
            assert_int_equal(log[i - 1].value, pairs[2 * n]);
            assert_int_equal(log[i].value, pairs[2 * n++ + 1]);
        }
        assert_int_equal(n, counts[c]);
        assert_int_equal(groups, (counts[c] + 11) / 12);
        assert_true(most_queued <= 12);
        assert_int_equal(completed, queued); /* it returned after the last program */
    }
}

static void a_program_that_does_not_end_stops_the_launch(void **state)
{
    (void)state;
    static const uint32_t pairs[2 * 30] = {0};
    volatile uint32_t *v3d = registers_of_v3d();
    if (!v3d)
        skip();
    never_done = 11;
    assert_false(vc4_registers_launch(v3d, pairs, 30, LIMIT_MS));
    assert_int_equal(queued, 12); /* no second group */
    assert_int_equal(completed, 11);
    assert_true(looks > 33);
}

/* Plain memory keeps the error bit that a launch writes to clear it. So it looks like a queue in error. */
static void an_error_of_the_queue_stops_the_launch(void **state)
{
    (void)state;
    static uint32_t v3d[VC4_REGISTERS_BYTES / 4];
    static const uint32_t pairs[2 * 13] = {0};
    assert_false(vc4_registers_launch(v3d, pairs, 13, 10000));
    assert_int_equal(v3d[0x504 / 4], 16);
}

/* ERRSTAT (p100 T87); bit 12, VCDI, says that the VCD is idle. */
static void errors_have_names(void **state)
{
    (void)state;
    static uint32_t v3d[VC4_REGISTERS_BYTES / 4];
    static const struct {
        uint32_t word, errors;
        const char *names;
    } rows[] = {
        {0x1000, 0, ""},
        {0xFFFF1000, 0, ""},
        {0x1001, 0x0001, "the VPM's base was set while the VPM was busy"},
        {0x1010, 0x0010, "a write of the VPM was out of range"},
        {0x1020, 0x0020, "a read of the VPM was out of range"},
        {0x1400, 0x0400, "the DMA store's address overflowed"},
        {0x9000, 0x8000, "the L2 cache's input overflowed"},
        {0x7000, 0x6000, "an error in the renderer's VCM, an error in the binner's VCM"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[1000];
        v3d[0xF20 / 4] = rows[i].word;
        assert_int_equal(vc4_registers_errors(v3d), rows[i].errors);
        vc4_registers_name_errors(rows[i].errors, text, sizeof text);
        assert_string_equal(text, rows[i].names);
    }
    char few[60];
    memset(few, 'x', sizeof few);
    vc4_registers_name_errors(0x8031, few, sizeof few - 1);
    assert_int_equal(strlen(few), sizeof few - 2); /* cut off */
    assert_int_equal(few[sizeof few - 1], 'x');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_are_queued_in_groups_of_twelve),
        cmocka_unit_test(a_program_that_does_not_end_stops_the_launch),
        cmocka_unit_test(an_error_of_the_queue_stops_the_launch),
        cmocka_unit_test(errors_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
