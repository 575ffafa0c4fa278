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

/* The number of visits of a point, and the values of the first ones; of a vector, of lane 0. */
static const struct row {
    const char *point, *ops;
    unsigned count;
    uint32_t value[POINTS_SEEN_MAX];
} rows[] = {
    {"block.step", "wr_setup h32 stride=5 y=0\nwrite 0\nwrite 1\nwrite 2", 2, {5, 5}},
    {"block.step", "wr_setup h32 stride=0 y=0\nwrite 0\nwrite 1", 1, {64}},
    /* packed bytes: B 3 is the fourth quarter of the row; laned ones: byte 3 of each word */
    {"block.sub", "wr_setup h8 stride=1 b=3\nwrite 0", 1, {3}},
    {"block.packed", "wr_setup h8 stride=1 b=3\nwrite 0", 1, {1}},
    {"block.along", "wr_setup h8 stride=1 b=3\nwrite 0", 1, {12}},
    {"block.packed", "wr_setup h8-laned stride=1 b=3\nwrite 0", 1, {0}},
    {"block.along", "wr_setup h8-laned stride=1 b=3\nwrite 0", 1, {0}},
    {"setup.register",
     "wr_setup store-h units=1 depth=4\nwr_setup store-stride stride=9\nwr_setup h32",
     2,
     {0x80840000 | 1U << 14, 0xC0000009}},
    {"block.y-field", "wr_setup h32 stride=1 y=5\nwrite 0", 1, {5}},
    {"block.y-field", "wr_setup v32 stride=1 yblock=2 x=3\nwrite 0", 1, {2}},
    {"block.y", "wr_setup v32 stride=1 yblock=2 x=3\nwrite 0", 1, {32}},
    {"dma.at", "wr_setup store-h units=1 depth=4 y=2 x=3\nst_addr 0", 1, {2 * 64 + 3 * 4}},
    {"read.queued", "rd_setup h32 num=1\nrd_setup h32 num=2\nnop 3\nread", 1, {0}},
    /* a row of the VPM has 64 bytes; MODEW 5 is byte 1 of each word */
    {"dma.start", "wr_setup store-h units=1 depth=4 y=2 x=3\nst_addr 0", 1, {2 * 64 + 3 * 4}},
    {"dma.start", "wr_setup store-h units=1 depth=4 y=2 x=3 modew=5\nst_addr 0", 1, {2 * 64 + 3 * 4 + 1}},
    {"dma.start", "wr_setup store-v units=1 depth=4 y=2 x=3\nst_addr 0", 1, {2 * 4}},
    {"dma.start-part", "wr_setup store-h units=1 depth=4 y=2 x=3\nst_addr 0", 2, {2 * 64, 3 * 4}},
    {"dma.start-part", "wr_setup store-v units=1 depth=4 y=2 x=3\nst_addr 0", 2, {2 * 4, 0}},
    /* a store of 4 words in each unit: in the next row, behind the unit before, or past column 15 */
    {"dma.row-distance", "wr_setup store-h units=2 depth=4\nst_addr 0", 2, {0, 64}},
    {"dma.row-distance",
     "wr_setup store-stride blockmode=1\nwr_setup store-h units=2 depth=4\nst_addr 0",
     2,
     {0, 16}},
    {"dma.row-distance", "wr_setup store-v units=2 depth=4 x=15\nst_addr 0", 2, {0, 64}},
    {"dma.elements", "wr_setup store-h units=1 depth=4\nst_addr 0", 1, {4}},
    {"dma.wrapped", "wr_setup store-h units=1 depth=4 y=2 x=3\nst_addr 0", 1, {2 * 64 + 3 * 4}},
    {"dma.element-row", "wr_setup store-h units=1 depth=4 y=2 x=3\nst_addr 0", 1, {2}},
    {"dma.element-row", "wr_setup store-v units=1 depth=4 y=2 x=3\nst_addr 0", 1, {2}},
    {"dma.element-column", "wr_setup store-h units=1 depth=4 y=2 x=3\nst_addr 0", 1, {3}},
    {"dma.element-column", "wr_setup store-v units=1 depth=4 y=2 x=3\nst_addr 0", 1, {3}},
    {"dma.alone", "wr_setup store-h units=1 depth=4\nst_addr 0", 0, {0}},
    {"dma.alone", "wr_setup store-v units=1 depth=4\nst_addr 0", 1, {0}},
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
    /* halves: row 5 is half row 10, and X 3 is 12 bytes into it */
    {"load.first", "rd_setup load-h nrows=2 rowlen=4 vpitch=3 y=5 x=3 modew=2\nld_addr 0", 2, {10, 10}},
    {"load.within", "rd_setup load-h nrows=2 rowlen=4 vpitch=3 y=5 x=3 modew=2\nld_addr 0", 2, {12, 12}},
    {"load.sum", "rd_setup load-h nrows=2 rowlen=4 vpitch=3 y=5 x=3 modew=2\nld_addr 0", 2, {10, 13}},
    {"operation.done", "wr_setup h32 y=0\nnop 2", 2, {1, 1}},
};

static void points_see_what_the_manual_says(void **state)
{
    (void)state;
    struct points_bench *b = points_open(&vc4_vpm_unit);
    const struct profile manual = points_profile(b, "manual", NULL);
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        const struct row *r = &rows[n];
        struct points_seen seen = points_seen_at(&vc4_vpm_unit, r->point);
        struct error e = {0};
        char text[256];
        int length = snprintf(text, sizeof text, "misprint-case 1 vc4-vpm\nops {\n%s\n}\n", r->ops);
        if (!case_parse(&b->tc, text, (size_t)length, &e))
            fail_msg("row %u: %s", n, e.text);
        b->run.see = points_see;
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
                 {"operation.done when operand == 5 = 0", {9, 0, 0}},
                 {"operation.done when number == 1 = 2", {5, 5, 9}},
                 {"operation.done when number == 2 = 0", {5, 0, 0}}};
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
        assert_int_equal(b->out->end, END_DONE);
        for (unsigned row = 0; row < 3; row++)
            if (*outcome_row(b->out, row, 16) != tries[n].lane_of_row[row])
                fail_msg("%s: row %u begins with %u", tries[n].rule, row, *outcome_row(b->out, row, 16));
    }
    points_close(b);
}

static void take_case(struct points_bench *b, const char *text)
{
    struct error e = {0};
    if (!case_parse(&b->tc, text, strlen(text), &e))
        fail_msg("%s", e.text);
}

/* Rules that repeat more reads than the outcome has rows for. */
static void repeated_reads_stop_at_the_last_row(void **state)
{
    (void)state;
    static const char *const ops[] = {"read\n", "st_busy\n"};
    struct points_bench *b = points_open(&vc4_vpm_unit);
    const struct profile p = points_profile(b, "manual", "operation.done = 3;vc4-vpm read.waits = 0");
    for (unsigned n = 0; n < sizeof ops / sizeof *ops; n++) {
        char text[1024] = "misprint-case 1 vc4-vpm\nops {\n";
        for (unsigned i = 0; i < 64; i++)
            strcat(text, ops[n]);
        take_case(b, strcat(text, "}\n"));
        points_run(b, &b->tc, &p, b->out);
        assert_int_equal(b->out->end, END_DONE);
    }
    points_close(b);
}

/* A rule that never acts makes the model show each element. The result must be the same. */
static void a_dma_is_the_same_whoever_watches(void **state)
{
    (void)state;
    static const char *const rules[] = {"dma.size = 64",
                                        "dma.size = 0",
                                        "dma.size = 0x1ffff",
                                        "dma.size = 100",
                                        "dma.offset = 2",
                                        "dma.width = 2",
                                        "dma.wraps = 1;vc4-vpm dma.size = 100",
                                        "dma.element-mask when 0 = 0"};
    static const char *const ops[] = {"wr_setup store-h units=1 depth=32 y=1\nst_addr 0",
                                      "wr_setup store-v units=2 depth=32 y=9\nst_addr 0",
                                      "rd_setup load-h nrows=2 rowlen=0 vpitch=1 y=1\nld_addr 0",
                                      "rd_setup load-v nrows=2 rowlen=0 vpitch=1 y=60\nld_addr 0"};
    struct points_bench *b = points_open(&vc4_vpm_unit);
    for (unsigned n = 0; n < sizeof rules / sizeof *rules * 4; n++) {
        char text[6000] = "misprint-case 1 vc4-vpm\n", rule[100];
        for (unsigned row = 0; row < 8; row++) {
            sprintf(text + strlen(text), "vpm row %u =", row);
            for (unsigned i = 0; i < 16; i++)
                sprintf(text + strlen(text), " %08x", 0x01020304U * (row + 1) + i * 0x11000000U);
            strcat(text, "\n");
        }
        take_case(b, strcat(strcat(strcat(text, "ops {\n"), ops[n % 4]), "\n}\n"));
        snprintf(rule, sizeof rule, "%s;vc4-vpm dma.mask when 0 = 0", rules[n / 4]);
        const struct profile plain = points_profile(b, "manual", rules[n / 4]),
                             watched = points_profile(b, "manual", rule);
        points_run(b, &b->tc, &plain, b->out);
        points_run(b, &b->tc, &watched, b->other);
        if (b->out->end != b->other->end)
            support_fail_case(&b->tc, "%s: ends", rules[n / 4]);
        for (unsigned row = 0; row < b->out->unit->layout.rows; row++)
            if (memcmp(outcome_row(b->out, row, 16), outcome_row(b->other, row, 16), 64) != 0)
                support_fail_case(&b->tc, "%s: row %u", rules[n / 4], row);
    }
    points_close(b);
}

/* A load moves the words of a column one by one. The second word begins at byte 5 of memory, which is no
 * multiple of 4. */
static void elements_are_moved_alone(void **state)
{
    (void)state;
    static const struct {
        const char *rule;
        uint32_t first[2]; /* of two columns */
    } tries[] = {{"dma.alone = value", {0x44332211, 0x88776655}},
                 {"dma.alone when access == 1 = value ^ mask", {~0x44332211U, 0x88776655}},
                 {"dma.alone when access == 2 = whole & 0xff", {0x44332211, 0x55}},
                 {"dma.elements when contiguous == 0 = 0", {0, 0}},
                 {"dma.kept when access == 2 = 0xffffffff", {0x44332211, 0x88776655}},
                 {"dma.put when access == 1 = kept", {0, 0x88776655}}};
    struct points_bench *b = points_open(&vc4_vpm_unit);
    take_case(b, "misprint-case 1 vc4-vpm\n"
                 "memory row 0 = 44332211 77665500 00000088 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
                 "ops {\nrd_setup load-v nrows=2 rowlen=1 vpitch=1\nrd_setup load-pitch mpitchb=5\n"
                 "ld_addr 0\n}\n");
    for (unsigned n = 0; n < sizeof tries / sizeof *tries; n++) {
        const struct profile p = points_profile(b, "manual", tries[n].rule);
        points_run(b, &b->tc, &p, b->out);
        assert_int_equal(b->out->end, END_DONE);
        for (unsigned k = 0; k < 2; k++)
            if (*outcome_row(b->out, k, 16) != tries[n].first[k])
                fail_msg("%s: row %u begins with %08x", tries[n].rule, k,
                         (unsigned)*outcome_row(b->out, k, 16));
    }
    points_close(b);
}

/* A write that stands before a read in its instruction. */
static void writes_before_reads_can_be_lost(void **state)
{
    (void)state;
    static const char text[] = "misprint-case 1 vc4-vpm\n"
                               "data row 5 = 00000005 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
                               "ops {\nwr_setup h32 stride=1 y=0\nwrite 5\nwith st_busy\nwrite 5\n}\n";
    struct points_bench *b = points_open(&vc4_vpm_unit);
    take_case(b, text);
    for (unsigned n = 0; n < 2; n++) {
        const struct profile p =
            points_profile(b, "manual", n ? "operation.done when reads_behind = 0" : "operation.done = 1");
        points_run(b, &b->tc, &p, b->out);
        assert_int_equal(*outcome_row(b->out, 0, 16), 5);
        assert_int_equal(*outcome_row(b->out, 1, 16), n ? 0 : 5);
    }
    points_close(b);
}

/* A rule can move an aligned element up, so that it goes on in the next word of memory. */
static void an_element_goes_on_in_the_next_word(void **state)
{
    (void)state;
    struct points_bench *b = points_open(&vc4_vpm_unit);
    const struct profile p = points_profile(b, "manual", "dma.memory-low = 8");
    take_case(b, "misprint-case 1 vc4-vpm\n"
                 "memory row 0 = 44332211 88776655 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
                 "ops {\nrd_setup load-h nrows=1 rowlen=1 vpitch=1\nld_addr 0\n}\n");
    points_run(b, &b->tc, &p, b->out);
    assert_int_equal(b->out->end, END_DONE);
    assert_int_equal(*outcome_row(b->out, 0, 16), 0x55443322);
    points_close(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(an_element_goes_on_in_the_next_word),
                                       cmocka_unit_test(elements_are_moved_alone),
                                       cmocka_unit_test(writes_before_reads_can_be_lost),
                                       cmocka_unit_test(repeated_reads_stop_at_the_last_row),
                                       cmocka_unit_test(a_dma_is_the_same_whoever_watches),
                                       cmocka_unit_test(points_see_what_the_manual_says),
                                       cmocka_unit_test(operations_repeat)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
