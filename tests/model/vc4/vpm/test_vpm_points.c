/* SPDX-License-Identifier: MIT */
/*
 * The observation points of vc4-vpm. A test can change a field of a setup word in two ways: by a rule at the
 * field's point, or in the word itself, at the place that the manual's table names. Both must lead to the
 * same outcome.
 */
#include "fuzz/generate/generate.h"
#include "model/core/units.h"
#include "model/rule/rule.h"
#include "model/vc4/vpm/unit_vpm.h"
#include "model/vc4/vpm/vpm_points.h"
#include "tests/support/support_points.h"
#include "tests/support/support_readings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct unit *const unit = &vc4_vpm_unit;

static struct points_bench *bench;

static int begin(void **state)
{
    (void)state;
    bench = points_open(unit);
    return 0;
}

static int finish(void **state)
{
    (void)state;
    points_close(bench);
    return 0;
}

/* The built-in profiles ignore LANED of DMA stores. */
#define LANED "manual,vdw-laned=laned"

/* ---- fields ---- */

/* The bits of each field (p57-60, tables 32 to 37). A word has the field if its bits under `mask` are
 * `match`. `zero`: the number that 0 in the word means; the point has this number. */
static const struct place {
    const char *point;
    uint32_t code, mask, match; /* code: the operation that writes the word */
    uint8_t low, width;
    uint32_t zero, passed_over; /* passed_over: a value that is reserved in the word */
} places[] = {
    {"write.size", VPM_OP_WR_SETUP, 0xC0000000, 0, 8, 2, 0, 3},
    {"write.laned", VPM_OP_WR_SETUP, 0xC0000000, 0, 10, 1, 0, 99},
    {"write.horizontal", VPM_OP_WR_SETUP, 0xC0000000, 0, 11, 1, 0, 99},
    {"write.addr", VPM_OP_WR_SETUP, 0xC0000000, 0, 0, 8, 0, 999},
    {"write.stride", VPM_OP_WR_SETUP, 0xC0000000, 0, 12, 6, 0, 99},
    {"read.size", VPM_OP_RD_SETUP, 0xC0000000, 0, 8, 2, 0, 3},
    {"read.laned", VPM_OP_RD_SETUP, 0xC0000000, 0, 10, 1, 0, 99},
    {"read.horizontal", VPM_OP_RD_SETUP, 0xC0000000, 0, 11, 1, 0, 99},
    {"read.addr", VPM_OP_RD_SETUP, 0xC0000000, 0, 0, 8, 0, 999},
    {"read.stride", VPM_OP_RD_SETUP, 0xC0000000, 0, 12, 6, 0, 99},
    {"read.num", VPM_OP_RD_SETUP, 0xC0000000, 0, 20, 4, 16, 99},
    {"store.units", VPM_OP_WR_SETUP, 0xC0000000, 0x80000000, 23, 7, 128, 999},
    {"store.depth", VPM_OP_WR_SETUP, 0xC0000000, 0x80000000, 16, 7, 128, 999},
    {"store.laned", VPM_OP_WR_SETUP, 0xC0000000, 0x80000000, 15, 1, 0, 99},
    {"store.horizontal", VPM_OP_WR_SETUP, 0xC0000000, 0x80000000, 14, 1, 0, 99},
    {"store.y", VPM_OP_WR_SETUP, 0xC0000000, 0x80000000, 7, 7, 0, 999},
    {"store.x", VPM_OP_WR_SETUP, 0xC0000000, 0x80000000, 3, 4, 0, 99},
    {"store.modew", VPM_OP_WR_SETUP, 0xC0000000, 0x80000000, 0, 3, 0, 1},
    {"store.stride", VPM_OP_WR_SETUP, 0xC0000000, 0xC0000000, 0, 16, 0, 99999},
    {"store.blockmode", VPM_OP_WR_SETUP, 0xC0000000, 0xC0000000, 16, 1, 0, 99},
    {"load.vertical", VPM_OP_RD_SETUP, 0x80000000, 0x80000000, 11, 1, 0, 99},
    {"load.mpitch", VPM_OP_RD_SETUP, 0x80000000, 0x80000000, 24, 4, 0, 99},
    {"load.rowlen", VPM_OP_RD_SETUP, 0x80000000, 0x80000000, 20, 4, 16, 99},
    {"load.nrows", VPM_OP_RD_SETUP, 0x80000000, 0x80000000, 16, 4, 16, 99},
    {"load.vpitch", VPM_OP_RD_SETUP, 0x80000000, 0x80000000, 12, 4, 16, 99},
    {"load.y", VPM_OP_RD_SETUP, 0x80000000, 0x80000000, 4, 7, 0, 999},
    {"load.x", VPM_OP_RD_SETUP, 0x80000000, 0x80000000, 0, 4, 0, 99},
    {"load.mpitchb", VPM_OP_RD_SETUP, 0xF0000000, 0x90000000, 0, 13, 0, 99999},
};

/* A pitch setup has ID 9 in bits 31:28; all other words with bit 31 are load setups (p59-60). */
static bool has_field(const struct place *f, const uint32_t *op)
{
    bool pitch = f->code == VPM_OP_RD_SETUP && op[0] >> 28 == 9 && f->match != 0x90000000;
    return (op[1] & OP_CODE_MASK) == f->code && (op[0] & f->mask) == f->match && !pitch;
}

/* Makes a generated case that begins with a setup of each kind. So no access uses a setup word that was never
 * written. */
static bool make_case(struct vpm_case *c)
{
    static const uint32_t first[][2] = {{0x80904000, VPM_OP_WR_SETUP},
                                        {0xC0000000, VPM_OP_WR_SETUP},
                                        {0x81110000, VPM_OP_RD_SETUP},
                                        {0x90000000, VPM_OP_RD_SETUP}};
    enum { FIRST = sizeof first / sizeof *first };
    case_generate(&bench->random, unit, &bench->tc);
    if (c->op_count + FIRST > VPM_OPS_MAX)
        return false;
    memmove(c->op[FIRST], c->op[0], c->op_count * sizeof c->op[0]);
    memcpy(c->op, first, sizeof first);
    c->op_count += FIRST;
    return true;
}

static void a_rule_is_an_edit_of_the_word(void **state)
{
    (void)state;
    struct vpm_case *c = (struct vpm_case *)(void *)bench->tc.words,
                    *d = (struct vpm_case *)(void *)bench->edited.words;
    static const char *const profiles[] = {"manual", "bcm2835", LANED};
    unsigned differing = 0;
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
        const struct place *f = &places[i];
        unsigned changed = 0;
        for (unsigned n = 0; n < 400; n++) {
            char rule[64];
            uint32_t field = random_below(&bench->random, 1U << f->width), mask = (1U << f->width) - 1;
            if (field == f->passed_over || !make_case(c))
                continue;
            snprintf(rule, sizeof rule, "%s = %u", f->point, field ? field : f->zero);
            struct profile ruled = points_profile(bench, profiles[n % 3], rule), plain = ruled;
            plain.rules = (struct rules){0};
            case_copy(&bench->edited, &bench->tc);
            bool refused = false; /* the setup stops the case before a rule can act */
            for (uint32_t k = 0; k < d->op_count; k++)
                if (has_field(f, d->op[k])) {
                    refused |= (d->op[k][0] >> f->low & mask) == f->passed_over;
                    d->op[k][0] = (d->op[k][0] & ~(mask << f->low)) | field << f->low;
                }
            if (refused)
                continue;
            points_run(bench, &bench->tc, &plain, bench->out);
            points_run(bench, &bench->edited, &plain, bench->other);
            changed += !points_same(bench, bench->out, bench->other);
            points_run(bench, &bench->tc, &ruled, bench->out);
            if (!points_same(bench, bench->out, bench->other))
                support_fail_case(&bench->tc, "rule %s is not what the edited words do", rule);
        }
        if (!changed)
            fail_msg("%s: no edit changed an outcome", f->point);
        differing += changed;
    }
    print_message("%u edits changed the outcome\n", differing);
}

/* ---- all points ---- */

static void every_point_matters(void **state)
{
    (void)state;
    points_every_point_matters(bench, LANED, NULL);
}

static void observing_changes_nothing(void **state)
{
    (void)state;
    static const char *const profiles[] = {"manual", "bcm2835", LANED, NULL};
    points_observing_changes_nothing(bench, profiles);
}

static void rules_act_alike_in_all_modes(void **state)
{
    (void)state;
    points_modes_agree(bench, LANED);
}

static void rules_act_alike_when_seen(void **state)
{
    (void)state;
    points_rules_act_alike_when_seen(bench, LANED);
}

/* ---- readings as rules ---- */

static const struct support_reading readings[] = {
    {"vpm-addr-h8=row-div-4", "block.y when horizontal && size == 0 = value << 2 & 63", NULL},
    {"vpm-addr-h16=row-div-4", "block.y when horizontal && size == 1 = value << 2 & 63", NULL},
    {"vpm-addr-h16=row-div-2", "block.y when horizontal && size == 1 = value << 1 & 63", NULL},
    {"vpm-addr-v8=row-div-4", "block.y when !horizontal && size == 0 = 0", NULL},
    {"vpm-addr-v16=row-div-4", "block.y when !horizontal && size == 1 = 0", NULL},
    {"vpm-addr-v16=row-div-2", "block.y when !horizontal && size == 1 = value << 1 & 63", NULL},
    {"vpm-addr-vertical=row-div-4", "block.y when !horizontal && size == 2 = 0", NULL},
    {"vpm-addr-high-bits=row-bits", "block.y when size = value + (above << 6)", NULL},
    {"vpm-addr-ls4=four-bits", "block.y when horizontal = value & 15", NULL},
    {"vpm-setup-unused=refused", "setup.reserved = value | unused != 0", NULL},
    {"vpm-fig8a=in-order", "block.element = lane", NULL},
    {"vpm-subword-read=sign", "block.value when reading = sext(value, 8 << size)", NULL},
    {"vpm-subword-read=replicate",
     "block.value when reading && size == 0 = value * 0x01010101;"
     "block.value when reading && size == 1 = value * 0x00010001",
     NULL},
    {"vpm-stride-zero=stays", "block.step = stride", NULL},
    {"vpm-read-early=not-taken", "read.taken when early = 0", NULL},
    {"vpm-read-excess=blocks", "read.waits when left == 0 = 1", NULL},
    {"vpm-read-queue=one-outstanding", "read.accepted = unread == 1", NULL},
    {"vpm-read-queue=redirects", "read.unread = 0", NULL},
    {"vpm-fifo-depth=four-vectors", "read.ahead = 4", NULL},
    {"vpm-concurrent=setup-lost", "setup.kept = 0", NULL},
    {"vpm-concurrent=undefined", "setup.kept = 0", NULL},
    {"vpm-read-write-same=write-lost", "write.done when with_read = 0", NULL},
    {"cond-vpm-write=pushes", "write.lanes = 0xffff", NULL},
    {"vpm-busy=unmapped", "status.value when which < 2 = unmapped", NULL},
    {"vpm-wait-data=unmapped", "status.value when which >= 2 = unmapped", NULL},
    {"vdw-stride-width=sixteen-bits", "dma.pitch when store = stride + row_bytes", NULL},
    {"vdw-stride-meaning=start-to-start", "dma.pitch when store = value - row_bytes", NULL},
    {"vdw-horiz-vs-vdr-vert=same-polarity", "load.vertical = !value", NULL},
    {"vdw-laned=laned", "dma.step when laned = 4", NULL},
    {"vdw-blockmode=ignored", "store.blockmode = 0", NULL},
    {"vdr-addrxy-width=seven-bits", "dma.row = y", NULL},
    {"vdr-vpitch-carry=carries", "load.block = first + row * vpitch", NULL},
    {"vdr-vpitch-carry=carries-16-only", "load.block when vpitch == 16 = first + row * vpitch", NULL},
    {"vcd-row-overrun=wraps", "dma.carry = 0", NULL},
    {"vpm-size=12-kb", "dma.rows = 192", NULL},
    {"vpm-size=16-kb", "dma.rows = 256", NULL},
    {"vcd-start-while-busy=dropped", "dma.done when busy = 0", NULL},
    {"vcd-base-setup=ignored", "setup.reserved when kind == 6 = 0", NULL},
};

static void rules_state_readings(void **state)
{
    (void)state;
    support_readings_as_rules(unit, "manual", readings, sizeof readings / sizeof *readings,
                              support_scaled(4000), 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_rule_is_an_edit_of_the_word, begin, finish),
        cmocka_unit_test_setup_teardown(every_point_matters, begin, finish),
        cmocka_unit_test(rules_state_readings),
        cmocka_unit_test_setup_teardown(observing_changes_nothing, begin, finish),
        cmocka_unit_test_setup_teardown(rules_act_alike_when_seen, begin, finish),
        cmocka_unit_test_setup_teardown(rules_act_alike_in_all_modes, begin, finish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
