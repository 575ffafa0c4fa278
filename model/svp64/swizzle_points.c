/* SPDX-License-Identifier: MIT */
#include "model/svp64/swizzle_points.h"

#include <stddef.h>

#define PAGE  "Libre-SOC mv.swizzle page, "
#define SVP64 "SVP64 prefix (openpower-isa power_svp64_rm.py, svstate.py), "

#define ROW(number, name_, width_, about_, where_, ...)                                                      \
    [SWIZZLE_POINT_##number] = {.name = (name_),                                                             \
                                .about = (about_),                                                           \
                                .where = where_,                                                             \
                                .width = (width_),                                                           \
                                .lanes = 1,                                                                  \
                                .input = {__VA_ARGS__}},

const struct point swizzle_points[SWIZZLE_POINT_COUNT] = {SWIZZLE_POINTS(ROW)};

/* clang-format off */
const struct input_note swizzle_input_notes[] = {
    {"of_prefix", "1: it is the word of the prefix; 0: it is the word of the move"},
    {"other_word", "other word of the instruction"},
    {"form", "form of the instruction; 0 no prefix, 1 SVP64Single, 2 SVP64"},
    {"destination", "1: it is the destination (RT); 0: it is the source (RA)"},
    {"fp", "1: the instruction is fmv.swiz; 0: the instruction is mv.swiz"},
    {"word", "instruction word"},
    {"prefix", "prefix word"},
    {"position", "number of the position"},
    {"imm", "list of the four selectors"},
    {"mode", "MODE of the prefix"},
    {"subvl", "number of elements in a source group"},
    {"insn.stop.subvl", "SUBVL of the prefix"},
    {"maxvl", "MAXVL of SVSTATE"},
    {"vertical", "1: the mode is Vertical-First; 0: the mode is Horizontal-First"},
    {"prefixed", "1: the instruction has a prefix; 0: the instruction has no prefix"},
    {"single", "1: the prefix is SVP64Single's; 0: the prefix is not SVP64Single's"},
    {"vl", "vector length"},
    {"vector", "1: the operand is a vector; 0: the operand is a scalar"},
    {"field", "register field of the instruction"},
    {"extra", "EXTRA3 of the operand"},
    {"number", "register number of the operand"},
    {"width", "element width; 0 of 64 bits, 1 of 32 bits, 2 of 16 bits, 3 of 8 bits or bfloat16"},
    {"bytes", "size of an element in bytes"},
    {"first", "position of the first end marker; 4 none"},
    {"last", "position of the last end marker; 4 none"},
    {"behind", "list of selectors behind the first end marker"},
    {"mask", "mask field of the operand"},
    {"cell", "word of the register file; as it was before"},
    {"neighbour", "other word of the register; 0 if the element has fewer than 64 bits"},
    {"part", "half of the element that belongs in the word"},
    {"element.placed.other", "other half of the element"},
    {"half", "1: it is the upper half of an element of 64 bits; 0: it is the lower half"},
    {"shift", "lowest bit of the element in its word"},
    {"element.taken.mask", "set of bits that the element has; bit 0 its lowest"},
    {"element.placed.mask", "set of bits of the word that the element has"},
    {"lower", "lower half of the source"},
    {"upper", "upper half of the source"},
    {"predicate.lower", "lower half of the register"},
    {"predicate.upper", "upper half of the register"},
    {"group", "number of the group"},
    {"maskmode", "1: the predicate is in CR fields; 0: the predicate is in a register"},
    {"zeroing",
      "1: the mode zeroes masked elements (sz or dz); 0: the mode does not zero masked elements (sz or "
      "dz)"},
    {"always", "1: the operand has no predicate; 0: the operand has a predicate"},
    {"bit",
      "1: the predicate's bit lets the element through; 0: the predicate's bit does not let the "
      "element through"},
    {"selector", "selector of the position; 0 skip, 1 end, 2 zero, 3 one, 4 X, 5 Y, 6 Z, 7 W"},
    {"packed", "1: Pack or Unpack is set; 0: neither Pack nor Unpack is set"},
    {"hole", "1: nothing moves at the position; 0: an element moves at the position"},
    {"step", "number of the step"},
    {"groups", "number of groups"},
    {"slots", "number of visited positions in a group"},
    {"place", "place of the element in its group"},
    {"length", "number of elements from a group to the next"},
    {"source", "number of the source loop's position"},
    {"target", "number of the destination loop's position"},
    {"active", "number of positions that are not skipped"},
    {"pack", "1: Pack is set; 0: Pack is not set"},
    {"unpack", "1: Unpack is set; 0: Unpack is not set"},
    {"element", "number of the element"},
    {"beyond",
      "1: the selector names an element beyond its group; 0: the selector names an element of its group"},
    {"source_masked",
      "1: the predicate masks the source element; 0: the predicate does not mask the source element"},
    {"masked",
      "1: the predicate masks the destination element; 0: the predicate does not mask the destination "
      "element"},
    {"base", "first word of the operand in the register file"},
    {"stride", "distance from an element to the next in bytes"},
    {"overlap", "1: the operands overlap; 0: the operands do not overlap"},
    {"from",
      "element width of the source; 0 of 64 bits, 1 of 32 bits, 2 of 16 bits, 3 of 8 bits or bfloat16"},
    {"to",
      "element width of the destination; 0 of 64 bits, 1 of 32 bits, 2 of 16 bits, 3 of 8 bits or "
      "bfloat16"},
    {"po", "major opcode"},
    {"xo", "extended opcode"},
    {"unused", "set of bits of the prefix that must be 0"},
    {"insn.stop.vector", "1: an operand is a vector; 0: no operand is a vector"},
    {"state_high", "upper word of SVSTATE"},
    {"state_low", "lower word of SVSTATE"},
    {"content", "CR field of the group; 0 where the predicate is in a register"},
    {"loop.groups.step", "srcstep or dststep"},
    {"encoded", "selector in the instruction; 0 skip, 1 end, 2 zero, 3 one, 4 X, 5 Y, 6 Z, 7 W"},
    {"address", "place of the element in the register file; in bytes"},
    {"scalar.done.masked", "1: the predicate masks the swizzle; 0: the predicate does not mask the swizzle"},
    {"write.low.upper", "upper half of the number"},
    {"write.high.lower", "lower half of the number"},
    {"one.bits.from", "number of bits of a source element"},
    {"one.bits.to", "number of bits of a destination element"},
    {"kind", "kind of the conversion; 4 satu, 5 sats"},
    {"largest", "word of the largest finite number"},
    {"converted", "word of the number rounded to the destination's width"},
    {"quiet", "word with the bit that makes it a quiet NaN; 0 if it is none"},
    {"sources", "number of elements of the source loop"},
    {"plan.destinations", "number of elements of the destination loop"},
    {"group.destinations", "number of positions of a destination group"},
    {"alike", "1: the loops must have the same length; 0: the loops may have different lengths"},
    {"same",
      "1: source and destination are the same registers; 0: source and destination are different "
      "registers"},
    {"skips", "number of positions that are skipped"},
    {"received",
      "source of what the element receives; 0 nothing, 1 the constant 0, 2 the constant 1, 3 zero by a "
      "predicate"},
    {"read.width", "element width; 0 of 64 bits, 1 of 32 bits, 2 of 16 bits, 3 of 8 bits or bfloat16"},
    {NULL, NULL},
};
/* clang-format on */
