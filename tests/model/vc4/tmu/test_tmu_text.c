/* SPDX-License-Identifier: MIT */
/* The text of vc4-tmu's operations: what it means, and which column an error names. The words come from
 * VideoCoreIV-AG100-R p40-42 T15-T18; the columns are counted by hand. */
#include "model/core/error.h"
#include "model/core/units.h"
#include "model/vc4/tmu/unit_tmu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static void operations_have_the_manual_s_words(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t operand, operation;
    } rows[] = {
        {"p0 base=1 cswiz=2 cmmode=1 flipy=1 type=9 miplvls=3", 0x1B93 | 1 << 9 | 1 << 8, TMU_OP_P0},
        {"p1 type4=1 height=16 etcflip=1 width=5 magfilt=1 minfilt=2 wrap-t=1 wrap-s=3", 0, TMU_OP_P1},
        {"uniform 0x12345678", 0x12345678, TMU_OP_UNIFORM},
        {"s 3", 3, TMU_OP_S},
        {"s-address all 0x40", 0x40, TMU_OP_S_ADDRESS | TMU_OP_ALL},
        {"load", 0, TMU_OP_LOAD},
    };
    uint32_t p0 = 1U << 12 | 2 << 10 | 1 << 9 | 1 << 8 | 9 << 4 | 3;                     /* p40 T15 */
    uint32_t p1 = 1U << 31 | 16 << 20 | 1 << 19 | 5 << 8 | 1 << 7 | 2 << 4 | 1 << 2 | 3; /* p41 T16 */
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error e = {0};
        uint32_t words[2] = {0};
        if (!vc4_tmu_unit.code->parse(rows[i].text, strlen(rows[i].text), words, &e))
            fail_msg("\"%s\": %s", rows[i].text, e.text);
        assert_int_equal(words[0], i == 0 ? p0 : i == 1 ? p1 : rows[i].operand);
        assert_int_equal(words[1], rows[i].operation);
    }
}

static void errors_name_the_column(void **state)
{
    (void)state;
    static const struct {
        const char *text, *error;
    } rows[] = {
        {"p0 base=1 typ=4", "column 11: p0 has no field 'typ'; did you mean 'type'?"},
        {"  p0 base=1 typ=4", "column 13: p0 has no field 'typ'; did you mean 'type'?"},
        {"p0 type=16", "column 9: type is at most 15"},
        {"p1 width=1 width=2", "column 12: the field \"width\" is given twice"},
        {"p1 width=x", "column 10: expected a decimal or 0x number after \"width=\""},
        {"p1 width", "column 9: expected \"=\" and a number after \"width\""},
        {"p1 =1", "column 4: expected a field's name before \"=\""},
        {"s all x", "column 7: expected a decimal or 0x number after \"s\""},
        {"abcdefghijklmnopqrstuvwx", "column 1: unknown operation 'abcdefghijklmnopqrstuvw'"}, /* cut */
        {"s", "column 2: expected a decimal or 0x number after \"s\""},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error e = {0};
        uint32_t words[2];
        assert_false(vc4_tmu_unit.code->parse(rows[i].text, strlen(rows[i].text), words, &e));
        assert_string_equal(e.text, rows[i].error);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_have_the_manual_s_words),
        cmocka_unit_test(errors_name_the_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
