/* SPDX-License-Identifier: MIT */
/*
 * Worked examples of mv.swiz and fmv.swiz, made by hand from the text of the mv.swizzle page: scalar moves,
 * vectorised moves under four readings of the pseudocode, Pack and Unpack under two. In "d3=s1" element 3 of
 * the destination receives element 1 of the source.
 */
#ifndef MISPRINT_TESTS_MODEL_SVP64_SUPPORT_SWIZZLE_EXAMPLES_H
#define MISPRINT_TESTS_MODEL_SVP64_SUPPORT_SWIZZLE_EXAMPLES_H

#include <stdint.h>

/* clang-format off */

/* RA is r6, and r6, r7 hold b1b1b1b1a0a0a0a0 d3d3d3d3c2c2c2c2. RT is RA (`in_place`), or r4, r5
 * (`elsewhere`). The first result holds if an end marker ends the swizzle, the second if the marker is a
 * skip. */
static const struct scalar_example {
    const char *op, *swizzle;
    uint32_t word; /* the instruction if RT is r4 */
    uint64_t in_place[2][2], elsewhere[2][2];
} scalar_examples[] = {
    {"mv", "XYZW", 0x00869773,
     {{0xb1b1b1b1a0a0a0a0, 0xd3d3d3d3c2c2c2c2}, {0xb1b1b1b1a0a0a0a0, 0xd3d3d3d3c2c2c2c2}},
     {{0xb1b1b1b1a0a0a0a0, 0xd3d3d3d3c2c2c2c2}, {0xb1b1b1b1a0a0a0a0, 0xd3d3d3d3c2c2c2c2}}},
    {"mv", "WZYX", 0x0086fac3,
     {{0xc2c2c2c2d3d3d3d3, 0xa0a0a0a0b1b1b1b1}, {0xc2c2c2c2d3d3d3d3, 0xa0a0a0a0b1b1b1b1}},
     {{0xc2c2c2c2d3d3d3d3, 0xa0a0a0a0b1b1b1b1}, {0xc2c2c2c2d3d3d3d3, 0xa0a0a0a0b1b1b1b1}}},
    {"mv", "W.Y.", 0x0086e283,
     {{0xb1b1b1b1d3d3d3d3, 0xd3d3d3d3b1b1b1b1}, {0xb1b1b1b1d3d3d3d3, 0xd3d3d3d3b1b1b1b1}},
     {{0x00000000d3d3d3d3, 0x00000000b1b1b1b1}, {0x00000000d3d3d3d3, 0x00000000b1b1b1b1}}},
    {"mv", "..XY", 0x00860253,
     {{0xb1b1b1b1a0a0a0a0, 0xb1b1b1b1a0a0a0a0}, {0xb1b1b1b1a0a0a0a0, 0xb1b1b1b1a0a0a0a0}},
     {{0x0000000000000000, 0xb1b1b1b1a0a0a0a0}, {0x0000000000000000, 0xb1b1b1b1a0a0a0a0}}},
    {"mv", "ZW..", 0x0086dc03,
     {{0xd3d3d3d3c2c2c2c2, 0xd3d3d3d3c2c2c2c2}, {0xd3d3d3d3c2c2c2c2, 0xd3d3d3d3c2c2c2c2}},
     {{0xd3d3d3d3c2c2c2c2, 0x0000000000000000}, {0xd3d3d3d3c2c2c2c2, 0x0000000000000000}}},
    {"mv", "XXXX", 0x00869243,
     {{0xa0a0a0a0a0a0a0a0, 0xa0a0a0a0a0a0a0a0}, {0xa0a0a0a0a0a0a0a0, 0xa0a0a0a0a0a0a0a0}},
     {{0xa0a0a0a0a0a0a0a0, 0xa0a0a0a0a0a0a0a0}, {0xa0a0a0a0a0a0a0a0, 0xa0a0a0a0a0a0a0a0}}},
    {"mv", "Z01X", 0x0086c9c3,
     {{0x00000000c2c2c2c2, 0xa0a0a0a000000001}, {0x00000000c2c2c2c2, 0xa0a0a0a000000001}},
     {{0x00000000c2c2c2c2, 0xa0a0a0a000000001}, {0x00000000c2c2c2c2, 0xa0a0a0a000000001}}},
    {"fmv", "Z01X", 0x0086c9cb,
     {{0x00000000c2c2c2c2, 0xa0a0a0a03f800000}, {0x00000000c2c2c2c2, 0xa0a0a0a03f800000}},
     {{0x00000000c2c2c2c2, 0xa0a0a0a03f800000}, {0x00000000c2c2c2c2, 0xa0a0a0a03f800000}}},
    {"mv", "1111", 0x00866db3,
     {{0x0000000100000001, 0x0000000100000001}, {0x0000000100000001, 0x0000000100000001}},
     {{0x0000000100000001, 0x0000000100000001}, {0x0000000100000001, 0x0000000100000001}}},
    {"fmv", "1111", 0x00866dbb,
     {{0x3f8000003f800000, 0x3f8000003f800000}, {0x3f8000003f800000, 0x3f8000003f800000}},
     {{0x3f8000003f800000, 0x3f8000003f800000}, {0x3f8000003f800000, 0x3f8000003f800000}}},
    {"mv", "YXWZ", 0x0086b3e3,
     {{0xa0a0a0a0b1b1b1b1, 0xc2c2c2c2d3d3d3d3}, {0xa0a0a0a0b1b1b1b1, 0xc2c2c2c2d3d3d3d3}},
     {{0xa0a0a0a0b1b1b1b1, 0xc2c2c2c2d3d3d3d3}, {0xa0a0a0a0b1b1b1b1, 0xc2c2c2c2d3d3d3d3}}},
    {"mv", "....", 0x00860003,
     {{0xb1b1b1b1a0a0a0a0, 0xd3d3d3d3c2c2c2c2}, {0xb1b1b1b1a0a0a0a0, 0xd3d3d3d3c2c2c2c2}},
     {{0x0000000000000000, 0x0000000000000000}, {0x0000000000000000, 0x0000000000000000}}},
    {"mv", "ZEXY", 0x0086c653,
     {{0xb1b1b1b1c2c2c2c2, 0xd3d3d3d3c2c2c2c2}, {0xb1b1b1b1c2c2c2c2, 0xb1b1b1b1a0a0a0a0}},
     {{0x00000000c2c2c2c2, 0x0000000000000000}, {0x00000000c2c2c2c2, 0xb1b1b1b1a0a0a0a0}}},
    {"mv", "EXYZ", 0x008632e3,
     {{0xb1b1b1b1a0a0a0a0, 0xd3d3d3d3c2c2c2c2}, {0xa0a0a0a0a0a0a0a0, 0xc2c2c2c2b1b1b1b1}},
     {{0x0000000000000000, 0x0000000000000000}, {0xa0a0a0a000000000, 0xc2c2c2c2b1b1b1b1}}},
    {"mv", "X.E1", 0x008680b3,
     {{0xb1b1b1b1a0a0a0a0, 0xd3d3d3d3c2c2c2c2}, {0xb1b1b1b1a0a0a0a0, 0x00000001c2c2c2c2}},
     {{0x00000000a0a0a0a0, 0x0000000000000000}, {0x00000000a0a0a0a0, 0x0000000100000000}}},
    {"fmv", "0.W.", 0x0086438b,
     {{0xb1b1b1b100000000, 0xd3d3d3d3d3d3d3d3}, {0xb1b1b1b100000000, 0xd3d3d3d3d3d3d3d3}},
     {{0x0000000000000000, 0x00000000d3d3d3d3}, {0x0000000000000000, 0x00000000d3d3d3d3}}},
};

/* Readings: the literal pseudocode; the pseudocode with swiz[j]-4; repaired; repaired, and the end marker's
 * slot counts. */
enum { LITERAL, MINUS_FOUR, BEFORE_END, SLOT_COUNTED, VECTOR_READINGS };
static const struct vector_example {
    const char *swizzle;
    unsigned vl, subvl;
    const char *moves[VECTOR_READINGS];
} vector_examples[] = {
    {"XYZW", 2, 4,
     {"d0=s1 d1=s2 d2=s3 d3=s4 d4=s5 d5=s6 d6=s7 d7=s8",
      "d0=s0 d1=s1 d2=s2 d3=s3 d4=s4 d5=s5 d6=s6 d7=s7",
      "d0=s0 d1=s1 d2=s2 d3=s3 d4=s4 d5=s5 d6=s6 d7=s7",
      "d0=s0 d1=s1 d2=s2 d3=s3 d4=s4 d5=s5 d6=s6 d7=s7"}},
    {"WZYX", 2, 4,
     {"d0=s4 d1=s3 d2=s2 d3=s1 d4=s8 d5=s7 d6=s6 d7=s5",
      "d0=s3 d1=s2 d2=s1 d3=s0 d4=s7 d5=s6 d6=s5 d7=s4",
      "d0=s3 d1=s2 d2=s1 d3=s0 d4=s7 d5=s6 d6=s5 d7=s4",
      "d0=s3 d1=s2 d2=s1 d3=s0 d4=s7 d5=s6 d6=s5 d7=s4"}},
    {"W.Y.", 2, 4,
     {"d0=s4 d2=s2 d4=s8 d6=s6",
      "d0=s3 d2=s1 d4=s7 d6=s5",
      "d0=s3 d2=s1 d4=s7 d6=s5",
      "d0=s3 d2=s1 d4=s7 d6=s5"}},
    {".Y.W", 2, 4,
     {"d1=s2 d3=s4 d5=s6 d7=s8",
      "d1=s1 d3=s3 d5=s5 d7=s7",
      "d1=s1 d3=s3 d5=s5 d7=s7",
      "d1=s1 d3=s3 d5=s5 d7=s7"}},
    {"X01W", 2, 4,
     {"d0=s1 d1=0 d2=1 d3=s4 d4=s5 d5=0 d6=1 d7=s8",
      "d0=s0 d1=0 d2=1 d3=s3 d4=s4 d5=0 d6=1 d7=s7",
      "d0=s0 d1=0 d2=1 d3=s3 d4=s4 d5=0 d6=1 d7=s7",
      "d0=s0 d1=0 d2=1 d3=s3 d4=s4 d5=0 d6=1 d7=s7"}},
    {"....", 2, 4,
     {"",
      "",
      "",
      ""}},
    {"ZYEE", 2, 3,
     {"d0=s3 d1=s2 d2=s6 d3=s5",
      "d0=s2 d1=s1 d2=s5 d3=s4",
      "d0=s2 d1=s1 d2=s5 d3=s4",
      "d0=s2 d1=s1 d3=s5 d4=s4"}},
    {"ZYE.", 2, 3,
     {"d0=s3 d1=s2 d2=s6 d3=s5",
      "d0=s2 d1=s1 d2=s5 d3=s4",
      "d0=s2 d1=s1 d2=s5 d3=s4",
      "d0=s2 d1=s1 d3=s5 d4=s4"}},
    {"YXE.", 2, 2,
     {"d0=s2 d1=s1 d2=s4 d3=s3",
      "d0=s1 d1=s0 d2=s3 d3=s2",
      "d0=s1 d1=s0 d2=s3 d3=s2",
      "d0=s1 d1=s0 d3=s3 d4=s2"}},
    {"Y1E.", 2, 2,
     {"d0=s2 d1=1 d2=s4 d3=1",
      "d0=s1 d1=1 d2=s3 d3=1",
      "d0=s1 d1=1 d2=s3 d3=1",
      "d0=s1 d1=1 d3=s3 d4=1"}},
    {"XE..", 3, 2,
     {"d0=s1 d1=s3 d2=s5",
      "d0=s0 d1=s2 d2=s4",
      "d0=s0 d1=s2 d2=s4",
      "d0=s0 d2=s2 d4=s4"}},
    {"XYZE", 2, 3,
     {"d0=s1 d1=s2 d2=s3 d3=s4 d4=s5 d5=s6",
      "d0=s0 d1=s1 d2=s2 d3=s3 d4=s4 d5=s5",
      "d0=s0 d1=s1 d2=s2 d3=s3 d4=s4 d5=s5",
      "d0=s0 d1=s1 d2=s2 d4=s3 d5=s4 d6=s5"}},
    {"XYZE", 3, 4,
     {"d0=s1 d1=s2 d2=s3 d3=s5 d4=s6 d5=s7 d6=s9 d7=s10 d8=s11",
      "d0=s0 d1=s1 d2=s2 d3=s4 d4=s5 d5=s6 d6=s8 d7=s9 d8=s10",
      "d0=s0 d1=s1 d2=s2 d3=s4 d4=s5 d5=s6 d6=s8 d7=s9 d8=s10",
      "d0=s0 d1=s1 d2=s2 d4=s4 d5=s5 d6=s6 d8=s8 d9=s9 d10=s10"}},
    {"Z.E.", 3, 3,
     {"d0=s3 d2=s6 d3=s9",
      "d0=s2 d2=s5 d3=s8",
      "d0=s2 d2=s5 d4=s8",
      "d0=s2 d3=s5 d6=s8"}},
    {"X.E.", 3, 2,
     {"d0=s1 d2=s3 d3=s5",
      "d0=s0 d2=s2 d3=s4",
      "d0=s0 d2=s2 d4=s4",
      "d0=s0 d3=s2 d6=s4"}},
    {".XE.", 3, 2,
     {"d1=s1 d2=s3 d4=s5",
      "d1=s0 d2=s2 d4=s4",
      "d1=s0 d3=s2 d5=s4",
      "d1=s0 d4=s2 d7=s4"}},
    {"YEEX", 2, 2,
     {"d0=s2 d1=s4",
      "d0=s1 d1=s3",
      "d0=s1 d1=s3",
      "d0=s1 d2=s3"}},
    {"EXYZ", 2, 4,
     {"",
      "",
      "",
      ""}},
    {"YYXX", 2, 2,
     {"d0=s2 d1=s2 d2=s4 d3=s4",
      "d0=s1 d1=s1 d2=s3 d3=s3",
      "d0=s1 d1=s1 d2=s0 d3=s0 d4=s3 d5=s3 d6=s2 d7=s2",
      "d0=s1 d1=s1 d2=s0 d3=s0 d4=s3 d5=s3 d6=s2 d7=s2"}},
    {"XYXX", 2, 2,
     {"d0=s1 d1=s2 d2=s3 d3=s4",
      "d0=s0 d1=s1 d2=s2 d3=s3",
      "d0=s0 d1=s1 d2=s0 d3=s0 d4=s2 d5=s3 d6=s2 d7=s2",
      "d0=s0 d1=s1 d2=s0 d3=s0 d4=s2 d5=s3 d6=s2 d7=s2"}},
    {"XYZ1", 2, 3,
     {"d0=s1 d1=s2 d2=s3 d3=s4 d4=s5 d5=s6",
      "d0=s0 d1=s1 d2=s2 d3=s3 d4=s4 d5=s5",
      "d0=s0 d1=s1 d2=s2 d3=1 d4=s3 d5=s4 d6=s5 d7=1",
      "d0=s0 d1=s1 d2=s2 d3=1 d4=s3 d5=s4 d6=s5 d7=1"}},
    {"XXXX", 2, 1,
     {"d0=s1 d1=s2",
      "d0=s0 d1=s1",
      "d0=s0 d1=s0 d2=s0 d3=s0 d4=s1 d5=s1 d6=s1 d7=s1",
      "d0=s0 d1=s0 d2=s0 d3=s0 d4=s1 d5=s1 d6=s1 d7=s1"}},
    {"W...", 2, 2,
     {"d0=s4 d4=s6",
      "d0=s3 d4=s5",
      "d0=s3 d4=s5",
      "d0=s3 d4=s5"}},
    {"XY..", 2, 2,
     {"d0=s1 d1=s2 d4=s3 d5=s4",
      "d0=s0 d1=s1 d4=s2 d5=s3",
      "d0=s0 d1=s1 d4=s2 d5=s3",
      "d0=s0 d1=s1 d4=s2 d5=s3"}},
};

/* Two ways to repair Pack and Unpack. */
enum { STEP, ADDR, PACK_READINGS };
static const struct pack_example {
    const char *swizzle;
    unsigned vl, subvl, pack, unpack;
    const char *moves[PACK_READINGS];
} pack_examples[] = {
    {"XYE.", 3, 2, 0, 0, {"d0=s0 d1=s1 d2=s2 d3=s3 d4=s4 d5=s5", "d0=s0 d1=s1 d2=s2 d3=s3 d4=s4 d5=s5"}},
    {"XYE.", 3, 2, 1, 0, {"d0=s0 d1=s2 d2=s4 d3=s1 d4=s3 d5=s5", "d0=s0 d1=s3 d2=s1 d3=s4 d4=s2 d5=s5"}},
    {"XYE.", 3, 2, 0, 1, {"d0=s0 d1=s3 d2=s1 d3=s4 d4=s2 d5=s5", "d0=s0 d1=s2 d2=s4 d3=s1 d4=s3 d5=s5"}},
    {"XYE.", 3, 2, 1, 1, {"d0=s0 d1=s1 d2=s2 d3=s3 d4=s4 d5=s5", "d0=s0 d1=s1 d2=s2 d3=s3 d4=s4 d5=s5"}},
    {"YXE.", 3, 2, 0, 0, {"d0=s1 d1=s0 d2=s3 d3=s2 d4=s5 d5=s4", "d0=s1 d1=s0 d2=s3 d3=s2 d4=s5 d5=s4"}},
    {"YXE.", 3, 2, 1, 0, {"d0=s1 d1=s3 d2=s5 d3=s0 d4=s2 d5=s4", "d0=s3 d1=s0 d2=s4 d3=s1 d4=s5 d5=s2"}},
    {"YXE.", 3, 2, 0, 1, {"d0=s1 d1=s2 d2=s0 d3=s5 d4=s3 d5=s4", "d0=s1 d1=s3 d2=s5 d3=s0 d4=s2 d5=s4"}},
    {"YXE.", 3, 2, 1, 1, {"d0=s1 d1=s0 d2=s3 d3=s2 d4=s5 d5=s4", "d0=s3 d1=s4 d2=s5 d3=s0 d4=s1 d5=s2"}},
    {"ZYXE", 2, 3, 0, 0, {"d0=s2 d1=s1 d2=s0 d3=s5 d4=s4 d5=s3", "d0=s2 d1=s1 d2=s0 d3=s5 d4=s4 d5=s3"}},
    {"ZYXE", 2, 3, 1, 0, {"d0=s2 d1=s5 d2=s1 d3=s4 d4=s0 d5=s3", "d0=s4 d1=s2 d2=s0 d3=s5 d4=s3 d5=s1"}},
    {"ZYXE", 2, 3, 0, 1, {"d0=s2 d1=s0 d2=s4 d3=s1 d4=s5 d5=s3", "d0=s2 d1=s5 d2=s1 d3=s4 d4=s0 d5=s3"}},
    {"ZYXE", 2, 3, 1, 1, {"d0=s2 d1=s1 d2=s0 d3=s5 d4=s4 d5=s3", "d0=s4 d1=s5 d2=s2 d3=s3 d4=s0 d5=s1"}},
};

/* Moves of swizzle YXE. with VL 4 and SUBVL 2, under a source and a destination mask. */
static const struct mask_example {
    unsigned source, destination;
    const char *moves;
} mask_examples[] = {
    {0xB, 0xF, "d0=s1 d1=s0 d2=s3 d3=s2 d4=s7 d5=s6"},
    {0xF, 0xA, "d2=s1 d3=s0 d6=s3 d7=s2"},
    {0xB, 0xE, "d2=s1 d3=s0 d4=s3 d5=s2 d6=s7 d7=s6"},
    {0x0, 0x0, ""},
};

/* The result of selector 1 for destination widths 64, 32, 16, 8: plain, with unsigned and signed saturation,
 * and for fmv (width 8 means bfloat16). */
static const struct {
    const char *suffix, *op;
    uint64_t one[4];
} constant_examples[] = {
    {"", "mv", {1, 1, 1, 1}},
    {"/satu", "mv", {0xFFFFFFFFFFFFFFFF, 0xFFFFFFFF, 0xFFFF, 0xFF}},
    {"/sats", "mv", {0x7FFFFFFFFFFFFFFF, 0x7FFFFFFF, 0x7FFF, 0x7F}},
    {"", "fmv", {0x3FF0000000000000, 0x3F800000, 0x3C00, 0x3F80}},
};

/* clang-format on */

#endif
