/* SPDX-License-Identifier: MIT */
/*
 * The values that pass the observation points of vc4-vpm in cases worked by hand, from the tables of setup
 * words in VideoCoreIV-AG100-R (p57 T32, p58 T33 and T34, p59 T35 and T36).
 */
#include "model/core/units.h"
#include "model/vc4/vpm/vpm_points.h"
#include "tests/support/support_points.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

enum { VALUES_MAX = 4 };

/* The number of visits of a point, and the values of the first ones; of a vector, of lane 0. */
static const struct row {
    const char *point, *ops;
    unsigned count;
    uint32_t value[VALUES_MAX];
} rows[] = {
    /* HORIZ is bit 11, LANED bit 10, SIZE bits 9:8 */
    {"block.mode", "wr_setup h8-laned y=0", 1, {12}},
    {"block.mode", "wr_setup h32 y=0", 1, {10}},
    {"block.mode", "rd_setup v16 num=1", 1, {1}},
    {"block.step", "wr_setup h32 stride=5 y=0\nwrite 0\nwrite 1\nwrite 2", 2, {5, 5}},
    {"block.step", "wr_setup h32 stride=0 y=0\nwrite 0\nwrite 1", 1, {64}},
    {"read.queued", "rd_setup h32 num=1\nrd_setup h32 num=2\nnop 3\nread", 1, {0}},
    /* a row of the VPM has 64 bytes; MODEW 5 is byte 1 of each word */
    {"dma.start", "wr_setup store-h units=1 depth=4 y=2 x=3\nst_addr 0", 1, {2 * 64 + 3 * 4}},
    {"dma.start", "wr_setup store-h units=1 depth=4 y=2 x=3 modew=5\nst_addr 0", 1, {2 * 64 + 3 * 4 + 1}},
    {"dma.start", "wr_setup store-v units=1 depth=4 y=2 x=3\nst_addr 0", 1, {2 * 4}},
    {"dma.to-memory", "wr_setup store-h units=1 depth=4\nst_addr 0", 1, {1}},
    {"dma.to-memory", "rd_setup load-h nrows=1 rowlen=4 vpitch=1\nld_addr 0", 1, {0}},
    /* the VPM that a DMA reaches has 128 rows */
    {"dma.size", "wr_setup store-h units=1 depth=4\nst_addr 0", 1, {128 * 64}},
    {"dma.size", "wr_setup store-v units=1 depth=4\nst_addr 0", 1, {128 * 4}},
    {"dma.packed", "wr_setup store-stride blockmode=1\nwr_setup store-h units=2 depth=4\nst_addr 0", 1, {1}},
    {"dma.packed", "wr_setup store-stride blockmode=0\nwr_setup store-h units=2 depth=4\nst_addr 0", 1, {0}},
    {"dma.packed", "wr_setup store-stride blockmode=1\nwr_setup store-h units=2 depth=16\nst_addr 0", 1, {0}},
    {"dma.element-mask", "wr_setup store-h units=1 depth=4 modew=2\nst_addr 0", 1, {0xFFFF}},
    {"dma.element-mask", "wr_setup store-h units=1 depth=4 modew=7\nst_addr 0", 1, {0xFF}},
    /* VPITCH counts rows, half rows or quarter rows; words, halves or bytes of a column */
    {"load.unit", "rd_setup load-h nrows=1 rowlen=4 vpitch=1\nld_addr 0", 1, {64}},
    {"load.unit", "rd_setup load-h nrows=1 rowlen=4 vpitch=1 modew=2\nld_addr 0", 1, {32}},
    {"load.unit", "rd_setup load-h nrows=1 rowlen=4 vpitch=1 modew=4\nld_addr 0", 1, {16}},
    {"load.unit", "rd_setup load-v nrows=1 rowlen=4 vpitch=1\nld_addr 0", 1, {4}},
    {"operation.done", "wr_setup h32 y=0\nnop 2", 2, {1, 1}},
};

struct seen {
    unsigned point, count;
    uint32_t value[VALUES_MAX];
};

static void see(void *context, const struct observation *seen)
{
    struct seen *s = context;
    if (seen->point != s->point)
        return;
    if (s->count < VALUES_MAX)
        s->value[s->count] = *seen->value;
    s->count++;
}

static unsigned point_of(const char *name)
{
    for (unsigned n = 0; n < VPM_UNIT_POINT_COUNT; n++)
        if (!strcmp(vpm_points[n].name, name))
            return n;
    fail_msg("no point %s", name);
    return 0;
}

static void points_see_what_the_manual_says(void **state)
{
    (void)state;
    struct points_bench *b = points_open(&vc4_vpm_unit);
    const struct profile manual = points_profile(b, "manual", NULL);
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        const struct row *r = &rows[n];
        struct seen seen = {.point = point_of(r->point)};
        struct error e = {0};
        char text[256];
        int length = snprintf(text, sizeof text, "misprint-case 1 vc4-vpm\nops {\n%s\n}\n", r->ops);
        if (!case_parse(&b->tc, text, (size_t)length, &e))
            fail_msg("row %u: %s", n, e.text);
        b->run.see = see;
        b->run.see_context = &seen;
        points_run(b, &b->tc, &manual, b->out);
        if (b->out->end != END_DONE || seen.count != r->count ||
            memcmp(seen.value, r->value, sizeof r->value) != 0)
            support_fail_case(&b->tc, "row %u: %s was seen %u times, first with %u", n, r->point, seen.count,
                              seen.value[0]);
    }
    points_close(b);
}

/* Rules that repeat or leave out an operation. The third row that is written is that of the second write. */
static void operations_repeat(void **state)
{
    (void)state;
    static const struct {
        const char *rule;
        uint32_t lane_of_row[3];
    } tries[] = {{"operation.done when operand == 5 = 1", {5, 9, 0}},
                 {"operation.done when operand == 5 = 2", {5, 5, 9}},
                 {"operation.done when operand == 5 = 0", {9, 0, 0}}};
    static const char text[] =
        "misprint-case 1 vc4-vpm\n"
        "data row 5 = 00000005 00000005 00000005 00000005 00000005 00000005 00000005 "
        "00000005 00000005 00000005 00000005 00000005 00000005 00000005 00000005 00000005\n"
        "data row 9 = 00000009 00000009 00000009 00000009 00000009 00000009 00000009 "
        "00000009 00000009 00000009 00000009 00000009 00000009 00000009 00000009 00000009\n"
        "ops {\nwr_setup h32 stride=1 y=0\nwrite 5\nwrite 9\n}\n";
    struct points_bench *b = points_open(&vc4_vpm_unit);
    struct error e = {0};
    if (!case_parse(&b->tc, text, sizeof text - 1, &e))
        fail_msg("%s", e.text);
    for (unsigned n = 0; n < sizeof tries / sizeof *tries; n++) {
        const struct profile p = points_profile(b, "manual", tries[n].rule);
        points_run(b, &b->tc, &p, b->out);
        for (unsigned row = 0; row < 3; row++)
            if (*outcome_row(b->out, row, 16) != tries[n].lane_of_row[row])
                fail_msg("%s: row %u begins with %u", tries[n].rule, row, *outcome_row(b->out, row, 16));
    }
    points_close(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(points_see_what_the_manual_says),
                                       cmocka_unit_test(operations_repeat)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
