/* SPDX-License-Identifier: MIT */
/*
 * What the swizzle moves do at the limits of their forms. Expectations come from the sentences of the
 * mv.swizzle page and its revisions of June 2022 (libreriscv.git: 88a7f252, 150a2f38), from SVP64's EXTRA3,
 * and from the Power ISA's frsp and lfs.
 */
#include "model/core/units.h"
#include "tests/model/svp64/support_swizzle.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void expect(const struct swizzle_bench *b, const char *file, unsigned number, uint64_t value)
{
    uint64_t got = swizzle_register_of(b, file, number);
    if (b->out->end != END_DONE || got != value)
        support_fail_case(&b->tc, "ends %s; register %u is %016llx, not %016llx", end_name(b->out->end),
                          number, (unsigned long long)got, (unsigned long long)value);
}

/* EXTRA3 makes the number of a vector register from the field and two bits below the field. So r4, r12 and
 * r20 are even numbers, although their fields are odd. */
static void vectors_begin_at_even_registers(void **state)
{
    static const struct {
        const char *profile;
        unsigned odd; /* bits of the register's number that must be 0 */
    } readings[] = {{"repaired", 1},
                    {"manual,swiz-minus-3=minus-4", 1},
                    {"repaired,swiz-odd-vector=any", 0},
                    {"repaired,swiz-odd-vector=field", 4}};
    struct swizzle_bench *b = *state;
    for (unsigned n = 0; n < 60 * 2; n++)
        for (unsigned reading = 0; reading < 4; reading++) {
            unsigned number = n / 2, rt = n & 1 ? number : 64, ra = n & 1 ? 64 : number;
            swizzle_set_case(b, 1, "sv.mv.swiz r%u.v, r%u.v, XE..", rt, ra);
            swizzle_set_register(b, "gpr", ra, 0x0123456789ABCDEF);
            swizzle_run(b, readings[reading].profile);
            if (!(number & readings[reading].odd))
                expect(b, "gpr", rt, 0x0123456789ABCDEF);
            else if (b->out->end != END_FAULT || b->out->reason != SWIZZLE_STOP_ODD_REGISTER)
                support_fail_case(&b->tc, "%s: no fault", readings[reading].profile);
        }
}

static void odd_vectors_can_round_down(void **state)
{
    struct swizzle_bench *b = *state;
    swizzle_set_case(b, 1, "sv.mv.swiz r9.v, r40.v, XE..");
    swizzle_set_register(b, "gpr", 40, 0x5A);
    swizzle_run(b, "repaired,swiz-odd-reg=rounds-down");
    expect(b, "gpr", 8, 0x5A);
    swizzle_set_case(b, 1, "sv.mv.swiz r5.v, r40.v, XE..");
    swizzle_set_register(b, "gpr", 40, 0x5A);
    swizzle_run(b, "repaired,swiz-odd-reg=rounds-down,swiz-odd-vector=field");
    expect(b, "gpr", 1, 0x5A);
}

/* The page's prose for RA != RT: "not set as a destination [...] set to zero". */
static void prose_clears_lanes_that_are_not_selected(void **state)
{
    static const char *const profiles[] = {"prose", "repaired", "manual"};
    struct swizzle_bench *b = *state;
    for (unsigned n = 0; n < 3; n++) {
        swizzle_set_case(b, 0, "mv.swiz r4, r6, W.Y.");
        swizzle_set_register(b, "gpr", 6, 0xB1B1B1B1A0A0A0A0);
        swizzle_set_register(b, "gpr", 7, 0xD3D3D3D3C2C2C2C2);
        swizzle_run(b, profiles[n]);
        expect(b, "gpr", 4, 0x00000000D3D3D3D3);
        expect(b, "gpr", 5, 0x00000000B1B1B1B1);
    }
}

static void in_place_lanes_are_buffered(void **state)
{
    struct swizzle_bench *b = *state;
    for (unsigned in_order = 0; in_order < 2; in_order++) {
        swizzle_set_case(b, 0, "mv.swiz r6, r6, YXWZ");
        swizzle_set_register(b, "gpr", 6, 0xB1B1B1B1A0A0A0A0);
        swizzle_set_register(b, "gpr", 7, 0xD3D3D3D3C2C2C2C2);
        swizzle_run(b, in_order ? "prose,swiz-in-place=in-order" : "prose");
        expect(b, "gpr", 6, in_order ? 0xB1B1B1B1B1B1B1B1 : 0xA0A0A0A0B1B1B1B1);
        expect(b, "gpr", 7, in_order ? 0xD3D3D3D3D3D3D3D3 : 0xC2C2C2C2D3D3D3D3);
    }
}

/* num_runs is SUBVL, the destination's length under Pack alone, and 1 under Pack and Unpack. It matters only
 * if the source loop goes further than SUBVL. */
#define LONG_SOURCE "pseudocode,swiz-minus-3=minus-4,swiz-src-range=destination"
static void vertical_first_runs_by_the_pages_code(void **state)
{
    static const struct {
        const char *profile;
        uint32_t low;
        const char *moves;
    } rows[] = {
        {LONG_SOURCE, 0, "d0=s0 d1=s1"},
        {LONG_SOURCE, SVSTATE_PACK, "d0=s0 d1=s1 d2=s2 d3=s3"},
        {LONG_SOURCE, SVSTATE_UNPACK, "d0=s0 d1=s1"},
        {LONG_SOURCE, SVSTATE_PACK | SVSTATE_UNPACK, "d0=s0"},
        {LONG_SOURCE ",swiz-vf-unpack=destination", SVSTATE_UNPACK, "d0=s0 d1=s1 d2=s2 d3=s3"},
        {LONG_SOURCE ",swiz-vf-unpack=destination", 0, "d0=s0 d1=s1"},
        {LONG_SOURCE ",swiz-vf-unpack=active", SVSTATE_UNPACK, "d0=s0 d1=s1 d2=s2 d3=s3"},
        {LONG_SOURCE ",swiz-vf-code=active", SVSTATE_UNPACK, "d0=s0 d1=s1"},
    };
    struct swizzle_bench *b = *state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        swizzle_set_case(b, 3, "sv.mv.swiz/vec2 r80.v, r40.v, XYZW");
        b->c->svstate_low = SVSTATE_VERTICAL_FIRST | rows[n].low;
        swizzle_run(b, rows[n].profile);
        if (b->out->end != END_DONE || strcmp(swizzle_moves_of(b), rows[n].moves) != 0)
            support_fail_case(&b->tc, "%s: expected %s, got %s", rows[n].profile, rows[n].moves,
                              swizzle_moves_of(b));
    }
}

/* Revision 88a7f252 says that in Vertical-First mode "In-place (RT=RA) is required to work correctly". */
static void overlap_in_vertical_first_mode(void **state)
{
    struct swizzle_bench *b = *state;
    for (unsigned n = 0; n < 4; n++) {
        bool vertical = n & 1, buffered = n >> 1;
        swizzle_set_case(b, 1, "sv.mv.swiz/vec4 r8.v, r8.v, WZYX");
        for (unsigned k = 0; k < 4; k++)
            swizzle_set_register(b, "gpr", 8 + k, 0x1111 * (k + 5));
        b->c->svstate_low = vertical ? SVSTATE_VERTICAL_FIRST : 0;
        swizzle_run(b, buffered ? "prose,swiz-overlap=vertical-buffered" : "prose");
        for (unsigned k = 0; k < 4; k++) {
            const struct region *g = layout_region_named(&svp64_swizzle_unit.layout, "gpr");
            size_t word = (size_t)g->first_row * SVP64_ROW_WORDS + (8 + k) * 2U;
            bool defined = vertical && buffered;
            assert_int_equal(b->out->defined[word], defined ? UINT32_MAX : 0);
            if (defined)
                expect(b, "gpr", 8 + k, 0x1111 * (8 - k));
        }
    }
}

/* The registers of this scalar move are beyond r31. */
static void single_is_a_predicated_scalar_move(void **state)
{
    static const struct {
        const char *profile, *suffix;
        uint64_t r3, low, high; /* `low`, `high`: r100 and r101 after the move */
    } rows[] = {
        {"prose", "", 0, 0x00000000D3D3D3D3, 0x00000000B1B1B1B1},
        {"prose", "/dm=r3", 0x11, 0x00000000D3D3D3D3, 0x00000000B1B1B1B1},
        {"prose", "/dm=r3", 0x12, 0x7777777766666666, 0x5555555544444444},
        {"prose", "/dm=r3/dz", 0x12, 0, 0},
        {"prose", "/dm=~r3", 0x12, 0x00000000D3D3D3D3, 0x00000000B1B1B1B1},
        {"prose,swiz-skip-zero=keep", "/dm=r3/dz", 0x12, 0x7777777700000000, 0x5555555500000000},
        {"prose,swiz-single=one-group,swiz-nn-range=manual", "/vec4/dm=r3", 0x11, 0xF4F4F4F4E5E5E5E5,
         0x5555555544444444},
    };
    struct swizzle_bench *b = *state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        swizzle_set_case(b, 7, "sv.mv.swiz/single%s r100, r40, W.Y.", rows[n].suffix);
        b->c->svstate_low = SVSTATE_PACK;
        swizzle_set_register(b, "gpr", 3, rows[n].r3);
        swizzle_set_register(b, "gpr", 40, 0xB1B1B1B1A0A0A0A0);
        swizzle_set_register(b, "gpr", 41, 0xD3D3D3D3C2C2C2C2);
        swizzle_set_register(b, "gpr", 43, 0xF4F4F4F4E5E5E5E5);
        swizzle_set_register(b, "gpr", 100, 0x7777777766666666);
        swizzle_set_register(b, "gpr", 101, 0x5555555544444444);
        swizzle_run(b, rows[n].profile);
        expect(b, "gpr", 100, rows[n].low);
        expect(b, "gpr", 101, rows[n].high);
    }
    swizzle_run(b, "prose,swiz-single=reserved");
    assert_int_equal(b->out->end, END_FAULT);
}

/* A NaN that changes format. Like frsp, reading `manual` makes it quiet and keeps its upper bits. Others give
 * the standard NaN, or move the bits as lfs and stfs do. */
static void nans_keep_what_the_power_isa_keeps(void **state)
{
    static const struct {
        const char *widths;
        uint64_t from, quiet, standard, moved;
    } rows[] = {
        {"/dw=32", 0x7FF4000020000000, 0x7FE00001, 0x7FC00000, 0x7FA00001},
        {"/dw=32", 0xFFF0000000000001, 0xFFC00000, 0x7FC00000, 0xFF800000}, /* moved, it becomes infinity */
        {"/dw=32", 0xFFFC00002FFFFFFF, 0xFFE00001, 0x7FC00000, 0xFFE00001},
        {"/sw=32", 0x00000000FFA00001, 0xFFFC000020000000, 0x7FF8000000000000, 0xFFF4000020000000},
        {"/sw=32/dw=8", 0x000000007F91FFFF, 0x7FD1, 0x7FC0, 0x7F91},
        {"/sw=8/dw=16", 0x000000000000FFA3, 0xFF18, 0x7E00, 0xFD18},
    };
    static const char *const profiles[] = {"repaired", "repaired,swiz-fmv-nan=default",
                                           "repaired,swiz-fmv-nan=moves"};
    struct swizzle_bench *b = *state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++)
        for (unsigned reading = 0; reading < 3; reading++) {
            const uint64_t expected[] = {rows[n].quiet, rows[n].standard, rows[n].moved};
            swizzle_set_case(b, 1, "sv.fmv.swiz%s f80.v, f40.v, XE..", rows[n].widths);
            swizzle_set_register(b, "fpr", 40, rows[n].from);
            swizzle_set_register(b, "fpr", 80, 0);
            swizzle_run(b, profiles[reading]);
            expect(b, "fpr", 80, expected[reading]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_begin_at_even_registers),
        cmocka_unit_test(odd_vectors_can_round_down),
        cmocka_unit_test(prose_clears_lanes_that_are_not_selected),
        cmocka_unit_test(in_place_lanes_are_buffered),
        cmocka_unit_test(vertical_first_runs_by_the_pages_code),
        cmocka_unit_test(overlap_in_vertical_first_mode),
        cmocka_unit_test(single_is_a_predicated_scalar_move),
        cmocka_unit_test(nans_keep_what_the_power_isa_keeps),
    };
    return cmocka_run_group_tests(tests, swizzle_set_up, swizzle_tear_down);
}
