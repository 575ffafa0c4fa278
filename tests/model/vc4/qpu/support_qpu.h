/* SPDX-License-Identifier: MIT */
/* Runs short programs on unit vc4-qpu and checks the state after them. */
#ifndef MISPRINT_TESTS_MODEL_VC4_QPU_SUPPORT_QPU_H
#define MISPRINT_TESTS_MODEL_VC4_QPU_SUPPORT_QPU_H

#include "model/core/units.h"
#include "oracle/compare/executor.h"
#include "oracle/files/load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define THE_END "  nop ; end\n  nop\n  nop\n}\n"

struct bench {
    struct executor *executor;
    struct outcome *out;
    struct test_case *tc;
};
static struct bench bench;

/* Setup and teardown of a group of tests. */
static inline int support_qpu_open(void **state)
{
    (void)state;
    bench.executor = executor_new(&vc4_qpu_unit);
    bench.out = outcome_new(&vc4_qpu_unit);
    bench.tc = malloc(sizeof *bench.tc);
    return !bench.tc;
}

static inline int support_qpu_close(void **state)
{
    (void)state;
    executor_free(bench.executor);
    outcome_free(bench.out);
    free(bench.tc);
    return 0;
}

/* Runs a program, first plain, then checked. `program` has its lines without the end; `rest` gives the
 * initial state. bench.out keeps the checked outcome. */
static inline void run(const char *profile, const char *program, const char *rest)
{
    char text[8192];
    struct error e = {0};
    struct profile p;
    (void)snprintf(text, sizeof text, "misprint-case 1 vc4-qpu\nprogram {\n%s" THE_END "%s", program, rest);
    if (!case_parse(bench.tc, text, strlen(text), &e) || !profile_resolve(&vc4_qpu_unit, profile, &p, &e))
        fail_msg("%s", e.text);
    executor_run(bench.executor, bench.tc, &p, RUN_PLAIN, bench.out);
    enum end plain = bench.out->end;
    executor_run(bench.executor, bench.tc, &p, RUN_CHECKED, bench.out);
    if (bench.out->end != END_UNDEFINED)
        assert_int_equal(plain, bench.out->end);
}

/* Returns the number of the row with this name: "ra3", "r0", "z", "vpm2". */
static inline uint32_t row_of(const char *name)
{
    static const char *const acc[] = {"r0", "r1", "r2", "r3", "r4", "r5"}, *const flags[] = {"z", "n", "c"};
    for (unsigned i = 0; i < 6; i++)
        if (!strcmp(name, acc[i]))
            return layout_region_named(&vc4_qpu_unit.layout, "acc")->first_row + i;
    for (unsigned i = 0; i < 3; i++)
        if (!strcmp(name, flags[i]))
            return layout_region_named(&vc4_qpu_unit.layout, "flags")->first_row + i;
    char region[16];
    unsigned number = 0;
    assert_int_equal(sscanf(name, "%15[a-z]%u", region, &number), 2);
    return layout_region_named(&vc4_qpu_unit.layout, region)->first_row + number;
}

static inline uint32_t value(const char *row, unsigned element)
{
    return bench.out->value[row_of(row) * 16 + element];
}
static inline uint32_t defined(const char *row, unsigned element)
{
    return bench.out->defined[row_of(row) * 16 + element];
}

static inline void expect(const char *row, unsigned element, uint32_t word)
{
    if (defined(row, element) != UINT32_MAX)
        fail_msg("%s element %u: only bits %08x are defined", row, element, defined(row, element));
    if (value(row, element) != word)
        fail_msg("%s element %u: %08x, expected %08x", row, element, value(row, element), word);
}

static inline void expect_all(const char *row, uint32_t word)
{
    for (unsigned i = 0; i < 16; i++)
        expect(row, i, word);
}

static inline void expect_undefined(const char *row, unsigned element)
{
    assert_int_equal(defined(row, element), 0);
}

static inline void expect_end(enum end end)
{
    assert_int_equal(bench.out->end, end);
}

#define NUMBERS                                                                                              \
    " = 00000000 00000001 00000002 00000003 00000004 00000005 00000006 00000007 00000008 00000009 0000000a " \
    "0000000b 0000000c 0000000d 0000000e "                                                                   \
    "0000000f\n"
#define ODD_SET                                                                                              \
    " = 00000000 00000001 00000000 00000001 00000000 00000001 00000000 00000001 00000000 00000001 00000000 " \
    "00000001 00000000 00000001 00000000 "                                                                   \
    "00000001\n"

#endif
