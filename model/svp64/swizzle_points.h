/* SPDX-License-Identifier: MIT */
/*
 * The observation points of the swizzle moves. Columns of the table: number, name, width in bits, what the
 * value is, document, inputs. No point has lanes. A value of 64 bits has two points, `.low` and `.high`.
 */
#ifndef MISPRINT_MODEL_SVP64_SWIZZLE_POINTS_H
#define MISPRINT_MODEL_SVP64_SWIZZLE_POINTS_H

#include "model/rule/point.h"

/* clang-format off */
#define SWIZZLE_IN_FORM        {"form", 2}
#define SWIZZLE_IN_FP          {"fp", 1}
#define SWIZZLE_IN_SIDE        {"destination", 1}
#define SWIZZLE_IN_WORDS       {"word", 32}, {"prefix", 32}
#define SWIZZLE_IN_OPERAND     SWIZZLE_IN_SIDE, SWIZZLE_IN_FP, SWIZZLE_IN_FORM, {"vector", 1}
#define SWIZZLE_IN_MARKER      {"first", 3}, {"last", 3}, {"subvl", 8}
#define SWIZZLE_IN_ONE         {"from", 2}, {"to", 2}, {"kind", 4}, SWIZZLE_IN_FP, SWIZZLE_IN_FORM
#define SWIZZLE_IN_RESULT      {"lower", 32}, {"upper", 32}, {"from", 2}, {"to", 2}, {"kind", 4}, \
                               SWIZZLE_IN_FP, {"converted", 32}, {"quiet", 32}, {"clamped", 2}
#define SWIZZLE_IN_WALK        SWIZZLE_IN_SIDE, {"pack", 1}, {"unpack", 1}, {"vertical", 1}
#define SWIZZLE_IN_ORDER       {"source", 9}, {"target", 9}, {"packed", 1}

#define SWIZZLE_POINTS(F) \
    F(INSN_WORD, "insn.word", 32, "word of the instruction", PAGE "encoding", {"of_prefix", 1}, \
      {"other_word", 32}) \
    F(INSN_PO, "insn.po", 6, "major opcode", PAGE "encoding", SWIZZLE_IN_WORDS) \
    F(INSN_XO, "insn.xo", 4, "extended opcode; 3 mv.swiz, 11 fmv.swiz", PAGE "encoding", SWIZZLE_IN_WORDS) \
    F(INSN_PREFIX, "insn.prefix", 1, "1: the instruction has a prefix", SVP64 "prefix", SWIZZLE_IN_WORDS) \
    F(INSN_SINGLE, "insn.single", 1, "1: the prefix is SVP64Single's", SVP64 "prefix", SWIZZLE_IN_WORDS) \
    F(INSN_SELECTOR, "insn.selector", 4, \
      "selector of a position of the destination; 0 skip, 1 end, 2 zero, 3 one, 4 X, 5 Y, 6 Z, 7 W", \
      PAGE "immediate", {"position", 2}, {"imm", 12}, SWIZZLE_IN_FORM, \
      SWIZZLE_IN_FP, {"word", 32}) \
    F(INSN_REGISTER, "insn.register", 6, "RTp or RAp", PAGE "encoding", \
      SWIZZLE_IN_SIDE, SWIZZLE_IN_FORM, SWIZZLE_IN_WORDS) \
    F(INSN_EXTRA, "insn.extra", 3, "EXTRA3 of an operand; 4 makes it a vector", SVP64 "EXTRA3", \
      SWIZZLE_IN_SIDE, SWIZZLE_IN_FORM, SWIZZLE_IN_WORDS) \
    F(INSN_ELWIDTH, "insn.elwidth", 2, \
      "ELWIDTH of an operand; 0 of 64 bits, 1 of 32 bits, 2 of 16 bits, 3 of 8 bits or bfloat16", \
      SVP64 "ELWIDTH", SWIZZLE_IN_SIDE, SWIZZLE_IN_FORM, SWIZZLE_IN_FP, SWIZZLE_IN_WORDS) \
    F(INSN_MASK, "insn.mask", 3, "predicate of an operand; MASK or MASK_SRC", SVP64 "MASK", \
      SWIZZLE_IN_SIDE, SWIZZLE_IN_FORM, SWIZZLE_IN_WORDS) \
    F(INSN_MASKMODE, "insn.maskmode", 1, \
      "MASKMODE; 1 predicates from CR fields, 0 predicates from registers", SVP64 "MASKMODE", \
      SWIZZLE_IN_FORM, SWIZZLE_IN_WORDS) \
    F(INSN_SUBVL, "insn.subvl", 2, "SUBVL; elements in a source group, less one", SVP64 "SUBVL", \
      SWIZZLE_IN_FORM, SWIZZLE_IN_WORDS) \
    F(INSN_MODE, "insn.mode", 6, "MODE; 1 sz, 2 dz; upper three bits 4 satu, 5 sats", SVP64 "MODE", \
      SWIZZLE_IN_FORM, SWIZZLE_IN_FP, SWIZZLE_IN_WORDS) \
    F(INSN_UNUSED, "insn.unused", 6, "set of bits of the prefix that must be 0", SVP64 "prefix", \
      SWIZZLE_IN_WORDS) \
    F(INSN_STOP, "insn.stop", 4, \
      "reason number by which decoding refuses the instruction; 0: it is accepted", \
      PAGE "encoding", SWIZZLE_IN_FORM, SWIZZLE_IN_FP, {"mode", 6}, {"subvl", 2}, {"imm", 12}, \
      {"po", 6}, {"xo", 4}, {"unused", 6}, {"vector", 1}, {"extra_src", 3}, {"extra_dst", 3}, {"stray", 1}) \
    F(INSN_DONE, "insn.done", 1, "1: the move takes place", PAGE "encoding", SWIZZLE_IN_FORM, \
      SWIZZLE_IN_FP, {"vl", 7}, {"vertical", 1}) \
    F(FORM_RUN, "form.run", 2, \
      "form of the move that runs; 0 the scalar form, 1 the form of SVP64Single, 2 or 3 the vectorised " \
      "form; 3 of a move with SVP64Single's prefix has one group, VL = 1", \
      PAGE "scalar form", {"prefixed", 1}, {"single", 1}, SWIZZLE_IN_FP) \
    F(SVSTATE_VL, "svstate.vl", 7, "vector length", SVP64 "SVSTATE", {"maxvl", 7}, {"vertical", 1}, \
      {"single", 1}, {"state_high", 32}) \
    F(SVSTATE_STEP, "svstate.step", 7, "srcstep or dststep", SVP64 "SVSTATE", SWIZZLE_IN_SIDE, {"vl", 7}, \
      {"state_high", 32}) \
    F(SVSTATE_SUBSTEP, "svstate.substep", 2, "ssubstep or dsubstep", SVP64 "SVSTATE", SWIZZLE_IN_SIDE, \
      {"vl", 7}, {"state_high", 32}) \
    F(SVSTATE_PACK, "svstate.pack", 1, "Pack of the source or Unpack of the destination", SVP64 "SVSTATE", \
      SWIZZLE_IN_SIDE, {"vertical", 1}, {"single", 1}, {"state_low", 32}) \
    F(SVSTATE_VERTICAL, "svstate.vertical", 1, "1: Vertical-First mode", SVP64 "SVSTATE", {"vl", 7}, \
      {"single", 1}, {"state_low", 32}) \
    F(OPERAND_FILE, "operand.file", 1, "register file of the operands; 0 general, 1 floating-point", \
      PAGE "encoding", SWIZZLE_IN_FP, SWIZZLE_IN_FORM) \
    F(OPERAND_NUMBER, "operand.number", 8, "first register of an operand", SVP64 "EXTRA3", \
      SWIZZLE_IN_OPERAND, {"field", 6}, {"extra", 3}, {"other", 8}) \
    F(OPERAND_BASE, "operand.base", 32, "first byte of a vector operand in the register file; signed", \
      SVP64 "EXTRA3", SWIZZLE_IN_OPERAND, {"number", 7}, {"even", 3}) \
    F(OPERAND_EVEN, "operand.even", 3, "set of bits of an operand's register number that must be 0", \
      PAGE "scalar form", SWIZZLE_IN_OPERAND, {"number", 8}) \
    F(OPERAND_BYTES, "operand.bytes", 4, "size of an element of a vector operand in bytes; 1, 2, 4 or 8", \
      SVP64 "ELWIDTH", SWIZZLE_IN_OPERAND, {"width", 2}) \
    F(OPERAND_STRIDE, "operand.stride", 8, \
      "distance from an element of a vector operand to the next; in bytes", \
      PAGE "vectorised form", SWIZZLE_IN_OPERAND, {"width", 2}, {"bytes", 4}) \
    F(OPERAND_STOP, "operand.stop", 4, "reason number by which an operand is refused; 0: it is accepted", \
      PAGE "scalar form", SWIZZLE_IN_OPERAND, {"number", 7}, {"width", 2}) \
    F(GROUP_SUBVL, "group.subvl", 8, "number of elements that the prefix gives a source group", \
      SVP64 "SUBVL", {"field", 2}, SWIZZLE_IN_FP, SWIZZLE_IN_FORM) \
    F(GROUP_END, "group.end", 3, "position of the end marker that the loops see first; 4: none", \
      PAGE "vectorised form", {"last", 3}, {"subvl", 8}, {"imm", 12}, SWIZZLE_IN_FP) \
    F(GROUP_MARKER, "group.marker", 3, "position of the end marker that ends a group; 4: none", \
      PAGE "vectorised form", SWIZZLE_IN_MARKER, {"imm", 12}) \
    F(GROUP_LENGTH, "group.length", 8, "number of elements from a group to the next", \
      PAGE "vectorised form", \
      SWIZZLE_IN_SIDE, SWIZZLE_IN_MARKER) \
    F(GROUP_POSITIONS, "group.positions", 3, "number of positions of a group that the loop visits", \
      PAGE "vectorised form", SWIZZLE_IN_SIDE, SWIZZLE_IN_MARKER, {"destinations", 3}) \
    F(GROUP_STOP, "group.stop", 4, \
      "reason number by which the selectors are refused; 0: they are accepted", \
      PAGE "vectorised form", SWIZZLE_IN_FORM, SWIZZLE_IN_FP, {"first", 3}, {"behind", 9}, {"subvl", 8}, \
      {"imm", 12}, {"not_skips", 2}, {"not_ends", 2}) \
    F(PREDICATE_ALWAYS, "predicate.always", 1, "1: an operand has no predicate", SVP64 "MASK", \
      SWIZZLE_IN_SIDE, {"mask", 3}, {"maskmode", 1}, SWIZZLE_IN_FORM) \
    F(PREDICATE_ZEROING, "predicate.zeroing", 1, "1: the mode zeroes masked elements of an operand", \
      SVP64 "MODE", SWIZZLE_IN_SIDE, {"mode", 6}, SWIZZLE_IN_FP, SWIZZLE_IN_FORM) \
    F(PREDICATE_REGISTER, "predicate.register", 7, "general register that a predicate is in", SVP64 "MASK", \
      SWIZZLE_IN_SIDE, {"mask", 3}) \
    F(PREDICATE_CONTENT_LOW, "predicate.content-low", 32, \
      "lower half of the register that a predicate is in; bits 31:0", SVP64 "MASK", SWIZZLE_IN_SIDE, \
      {"mask", 3}, {"other", 32}) \
    F(PREDICATE_CONTENT_HIGH, "predicate.content-high", 32, \
      "upper half of the register that a predicate is in; bits 63:32", SVP64 "MASK", SWIZZLE_IN_SIDE, \
      {"mask", 3}, {"other", 32}, {"next", 32}) \
    F(PREDICATE_KIND, "predicate.kind", 2, \
      "way from a register to a predicate; 0 its bits, 1 its bits inverted, 2 or 3 one bit, whose number " \
      "is in the register", SVP64 "MASK", SWIZZLE_IN_SIDE, {"mask", 3}, SWIZZLE_IN_FORM) \
    F(PREDICATE_SHIFT, "predicate.shift", 7, \
      "number of the only bit of a predicate that is set; 64 or more: none", SVP64 "MASK", \
      SWIZZLE_IN_SIDE, {"mask", 3}, {"lower", 32}, {"upper", 32}) \
    F(PREDICATE_LOW, "predicate.low", 32, "lower half of a predicate from a register; bits 31:0", \
      SVP64 "MASK", \
      SWIZZLE_IN_SIDE, {"mask", 3}, {"lower", 32}, {"upper", 32}) \
    F(PREDICATE_HIGH, "predicate.high", 32, "upper half of a predicate from a register; bits 63:32", \
      SVP64 "MASK", \
      SWIZZLE_IN_SIDE, {"mask", 3}, {"lower", 32}, {"upper", 32}) \
    F(PREDICATE_CR_BIT, "predicate.cr-bit", 2, "bit of the CR fields that a predicate is in; 0 LT, 1 GT, " \
      "2 EQ, 3 SO", SVP64 "MASK", SWIZZLE_IN_SIDE, {"mask", 3}) \
    F(PREDICATE_INVERTED, "predicate.inverted", 1, "1: a predicate from CR fields is inverted", \
      SVP64 "MASK", SWIZZLE_IN_SIDE, {"mask", 3}) \
    F(PREDICATE_BIT, "predicate.bit", 9, "number of the predicate's bit or of the CR field that has it", \
      SVP64 "MASK", SWIZZLE_IN_SIDE, {"group", 9}, {"maskmode", 1}, SWIZZLE_IN_FORM) \
    F(PREDICATE_CR_WORD, "predicate.cr-word", 4, "word of the CR that has the field of a predicate", \
      SVP64 "MASK", SWIZZLE_IN_SIDE, {"field", 7}) \
    F(PREDICATE_CR_PLACE, "predicate.cr-place", 5, \
      "number of a predicate's bit in its word of the CR", SVP64 "MASK", SWIZZLE_IN_SIDE, {"field", 7}, \
      {"cr_bit", 2}, {"in_cr", 4}, {"in_word", 3}) \
    F(PREDICATE_GROUP, "predicate.group", 1, "1: the predicate lets a group through", SVP64 "MASK", \
      SWIZZLE_IN_SIDE, {"group", 7}, {"zeroing", 1}, {"always", 1}, SWIZZLE_IN_FORM, {"maskmode", 1}, \
      {"content", 4}, {"mask", 3}, {"raw", 1}) \
    F(PREDICATE_ELEMENT, "predicate.element", 1, "1: the predicate lets an element of a group through", \
      SVP64 "MASK", SWIZZLE_IN_SIDE, {"group", 7}, {"position", 2}, {"zeroing", 1}, {"bit", 1}) \
    F(SLOT_HOLE, "slot.hole", 1, "1: nothing moves at a visited position", PAGE "vectorised form", \
      SWIZZLE_IN_SIDE, {"position", 2}, {"selector", 4}, {"first", 3}, {"packed", 1}, {"pack", 1}, \
      {"unpack", 1}, {"vertical", 1}) \
    F(SLOT_VISITED, "slot.visited", 1, "1: a loop visits a position of its groups", PAGE "vectorised form", \
      SWIZZLE_IN_SIDE, {"position", 2}, {"selector", 4}, {"first", 3}, {"packed", 1}, {"hole", 1}, \
      {"pack", 1}, {"unpack", 1}, {"vertical", 1}) \
    F(SLOT_PLACE, "slot.place", 4, "place in its group of the element that a selector names", \
      PAGE "vectorised form", {"selector", 4}, {"position", 2}, {"subvl", 8}) \
    F(LOOP_OPERAND, "loop.operand", 1, "1: a loop goes over the destination; 0: it goes over the source", \
      PAGE "vectorised form", {"pack", 1}, {"unpack", 1}, {"vertical", 1}) \
    F(LOOP_VECTOR, "loop.vector", 1, "1: an operand is a vector; 0: it is a scalar", SVP64 "EXTRA3", \
      SWIZZLE_IN_SIDE, {"extra", 3}) \
    F(LOOP_GROUPS, "loop.groups", 8, "number of groups that the loop over an operand goes through", \
      PAGE "vectorised form", SWIZZLE_IN_SIDE, {"vl", 7}, {"vector", 1}, {"vertical", 1}, {"step", 7}) \
    F(LOOP_ONLY_FIRST, "loop.only-first", 1, \
      "1: the loop over an operand ends with the first group that a predicate lets through", \
      PAGE "vectorised form", SWIZZLE_IN_SIDE, {"vector", 1}, {"vertical", 1}) \
    F(LOOP_VISITED, "loop.visited", 1, "1: the loop over an operand visits a group", SVP64 "MASK", \
      SWIZZLE_IN_SIDE, {"group", 7}, {"through", 1}, {"zeroing", 1}, {"vl", 7}, {"vertical", 1}) \
    F(LOOP_MASKED, "loop.masked", 1, "1: a predicate masks a group that a loop visits", SVP64 "MASK", \
      SWIZZLE_IN_SIDE, {"group", 7}, {"through", 1}, {"zeroing", 1}) \
    F(LOOP_BY_POSITION, "loop.by-position", 1, \
      "1: a loop visits the first elements of all groups before their second elements", \
      PAGE "Pack and Unpack", SWIZZLE_IN_WALK, {"packed", 1}) \
    F(LOOP_HOLES, "loop.holes", 1, "1: a loop visits positions in which nothing moves", \
      PAGE "Pack and Unpack", SWIZZLE_IN_WALK, {"holes", 1}, {"first", 3}, {"imm", 12}) \
    F(LOOP_ONLY, "loop.only", 3, "only position of a group that a loop visits; 4 or more: all", \
      PAGE "Vertical-First", SWIZZLE_IN_WALK, {"substep", 2}) \
    F(LOOP_STEP, "loop.step", 7, "number of the group that a step of a loop visits", PAGE "Pack and Unpack", \
      SWIZZLE_IN_SIDE, {"step", 9}, {"groups", 8}, {"slots", 3}, {"packed", 1}) \
    F(LOOP_SUBSTEP, "loop.substep", 2, "number of the slot that a step of a loop visits in its group", \
      PAGE "Pack and Unpack", SWIZZLE_IN_SIDE, {"step", 9}, {"groups", 8}, {"slots", 3}, {"packed", 1}) \
    F(VISIT_ELEMENT, "visit.element", 11, "number of an element that is visited", PAGE "vectorised form", \
      SWIZZLE_IN_SIDE, {"group", 7}, {"place", 4}, {"length", 8}, {"vl", 7}, {"packed", 1}, {"vector", 1}, \
      {"number", 7}) \
    F(PAIR_SOURCE_STEP, "pair.source-step", 1, "1: the source loop goes on after this comparison", \
      PAGE "vectorised form", SWIZZLE_IN_ORDER) \
    F(PAIR_DESTINATION_STEP, "pair.destination-step", 1, \
      "1: the destination loop goes on after this comparison; an element moves if both loops do", \
      PAGE "vectorised form", SWIZZLE_IN_ORDER) \
    F(PAIR_MOVED, "pair.moved", 1, "1: a visit of both loops moves an element", \
      PAGE "vectorised form", {"before", 9}, {"source_hole", 1}, {"hole", 1}, {"selector", 4}, \
      {"source_position", 2}, {"position", 2}, {"packed", 1}, {"visit", 9}) \
    F(VERTICAL_COUNT, "vertical.count", 3, \
      "number of elements that one execution moves in Vertical-First mode", \
      PAGE "Vertical-First", {"active", 3}, {"subvl", 8}, {"length", 8}, {"pack", 1}, {"unpack", 1}) \
    F(SKIPPED_CLEARED, "skipped.cleared", 1, "1: a skipped element of a zeroed group becomes 0", \
      PAGE "skip", {"group", 7}, {"position", 2}) \
    F(MOVE_RECEIVED, "move.received", 11, \
      "source of what an element receives; 0 nothing, 1 the constant 0, 2 the constant 1, 3 zero by a " \
      "predicate, 0x100 + n: source element n", PAGE "immediate", {"element", 10}, \
      {"position", 2}, {"selector", 4}, {"beyond", 1}, {"source_masked", 1}, {"masked", 1}, SWIZZLE_IN_FP, \
      SWIZZLE_IN_FORM, {"encoded", 4}) \
    F(MOVE_READ, "move.read", 1, "1: a copy reads its source element; 0: it reads nothing and writes 0", \
      PAGE "immediate", {"element", 10}, {"from", 11}, {"position", 2}, {"selector", 4}, {"beyond", 1}, \
      SWIZZLE_IN_FP, {"packed", 1}) \
    F(ELEMENT_ADDRESS, "element.address", 32, "place of an element in the register file; in bytes, signed", \
      SVP64 "ELWIDTH", SWIZZLE_IN_SIDE, {"element", 11}, {"base", 32}, {"stride", 8}, {"bytes", 4}, \
      SWIZZLE_IN_FP) \
    F(ELEMENT_STOP, "element.stop", 4, \
      "reason number by which the place of an element is refused; 0: it is accepted", \
      PAGE "vectorised form", SWIZZLE_IN_SIDE, {"address", 32}, {"bytes", 4}) \
    F(SOURCE_COUNTS, "source.counts", 1, \
      "1: a source element is looked at when the move looks for overlaps", PAGE "vectorised form", \
      {"copied", 1}, {"refused", 1}, {"element", 10}) \
    F(OVERLAP_BYTE, "overlap.byte", 10, \
      "first byte that an element takes when the move looks for overlaps", PAGE "vectorised form", \
      SWIZZLE_IN_SIDE, {"bytes", 4}) \
    F(OVERLAP_BYTES, "overlap.bytes", 32, \
      "set of the bytes that an element takes when the move looks for overlaps; bit 0 its first byte, " \
      "bit 31 also all further ones", PAGE "vectorised form", \
      SWIZZLE_IN_SIDE, {"address", 10}, {"bytes", 4}) \
    F(OVERLAP_END, "overlap.end", 11, \
      "byte after an element when the move compares the ranges of its operands", PAGE "vectorised form", \
      SWIZZLE_IN_SIDE, {"address", 10}, {"bytes", 4}) \
    F(OPERANDS_OVERLAP, "operands.overlap", 1, "1: a byte is in an element of both operands", \
      PAGE "vectorised form", {"apart", 1}) \
    F(ELEMENT_WORD, "element.word", 8, "number of the word of the register file that an element begins in", \
      SVP64 "ELWIDTH", SWIZZLE_IN_SIDE, {"address", 10}, {"bytes", 4}, SWIZZLE_IN_FP) \
    F(ELEMENT_WORDS, "element.words", 2, "number of words that an element takes; 1 or 2", \
      SVP64 "ELWIDTH", SWIZZLE_IN_SIDE, {"address", 10}, {"bytes", 4}, SWIZZLE_IN_FP) \
    F(ELEMENT_SHIFT, "element.shift", 5, "lowest bit of an element in its word of the register file", \
      SVP64 "ELWIDTH", SWIZZLE_IN_SIDE, {"address", 10}, {"bytes", 4}, SWIZZLE_IN_FP, {"width", 2}) \
    F(ELEMENT_MASK, "element.mask", 32, "set of bits that an element has; bit 0 its lowest", \
      SVP64 "ELWIDTH", SWIZZLE_IN_SIDE, {"address", 10}, {"bytes", 4}, SWIZZLE_IN_FP, {"width", 2}) \
    F(ELEMENT_TAKEN, "element.taken", 32, \
      "word of an element that is read; cut out of its word of the register file", \
      SVP64 "ELWIDTH", {"cell", 32}, {"neighbour", 32}, {"shift", 5}, {"mask", 32}, {"bytes", 4}, \
      {"half", 1}, SWIZZLE_IN_FP, {"next", 32}) \
    F(ELEMENT_PLACED, "element.placed", 32, "word of the register file after an element is written", \
      SVP64 "ELWIDTH", {"cell", 32}, {"part", 32}, {"other", 32}, {"shift", 5}, {"mask", 32}, \
      {"bytes", 4}, {"half", 1}, SWIZZLE_IN_FP, {"others", 32}) \
    F(READ_AHEAD, "read.ahead", 1, "1: all elements are read before any is written", PAGE "scalar form", \
      SWIZZLE_IN_FORM, {"overlap", 1}, {"vertical", 1}, SWIZZLE_IN_FP) \
    F(READ_LOW, "read.low", 32, "lower half of an element as read; bits 31:0", PAGE "\"copy contents\"", \
      {"element", 11}, {"width", 2}, SWIZZLE_IN_FP, SWIZZLE_IN_FORM) \
    F(READ_HIGH, "read.high", 32, "upper half of an element as read; bits 63:32", PAGE "\"copy contents\"", \
      {"element", 11}, {"width", 2}, SWIZZLE_IN_FP, SWIZZLE_IN_FORM) \
    F(ONE_BITS, "one.bits", 7, \
      "number of bits of the largest integer that selector 1 delivers under saturation", \
      PAGE "saturation", {"from", 7}, {"to", 7}, {"kind", 4}) \
    F(SATURATION_BITS, "saturation.bits", 7, \
      "number of bits of the largest integer to which saturation goes; the sign not counted; 1 for the " \
      "1 of selector 1 without saturation", \
      PAGE "saturation", {"one", 1}, {"from", 7}, {"to", 7}, {"kind", 4}) \
    F(ONE_EXPONENT, "one.exponent", 12, "exponent of the 1.0 that selector 1 delivers; with its bias", \
      PAGE "immediate", {"to", 2}, {"exponent_bits", 4}, {"fraction_bits", 6}) \
    F(ONE_LOW, "one.low", 32, "lower half of the number that selector 1 delivers; bits 31:0", \
      PAGE "immediate", SWIZZLE_IN_ONE, {"largest", 32}) \
    F(ONE_HIGH, "one.high", 32, "upper half of the number that selector 1 delivers; bits 63:32", \
      PAGE "immediate", SWIZZLE_IN_ONE, {"largest", 32}) \
    F(RESULT_LOW, "result.low", 32, \
      "lower half of a copied element in the destination's width; bits 31:0", \
      SVP64 "ELWIDTH", SWIZZLE_IN_RESULT) \
    F(RESULT_HIGH, "result.high", 32, \
      "upper half of a copied element in the destination's width; bits 63:32", SVP64 "ELWIDTH", \
      SWIZZLE_IN_RESULT) \
    F(CONVERT_MODE, "convert.mode", 4, "saturation of the values; 4 satu, 5 sats, otherwise none", \
      SVP64 "MODE", SWIZZLE_IN_FP, {"from", 2}, {"to", 2}) \
    F(CONVERT_FP, "convert.fp", 1, "1: the values are floats; 0: the values are integers", \
      SVP64 "ELWIDTH", {"kind", 4}, {"from", 2}, {"to", 2}) \
    F(CONVERT_BITS, "convert.bits", 7, "number of bits of an element as conversions take it", \
      SVP64 "ELWIDTH", SWIZZLE_IN_SIDE, {"width", 2}, {"bytes", 4}, SWIZZLE_IN_FP) \
    F(CONVERT_SIGN_BIT, "convert.sign-bit", 6, "number of the bit that is the sign of a signed element", \
      SVP64 "ELWIDTH", {"from", 2}, {"to", 2}, {"kind", 4}) \
    F(CLAMP_SIDE, "clamp.side", 2, \
      "limit to which saturation takes a copied integer; 0 none, 1 the largest integer, 2 the smallest", \
      PAGE "saturation", {"from", 2}, {"to", 2}, {"kind", 4}, {"lower", 32}, {"upper", 32}, \
      {"negative", 1}) \
    F(CONVERT_COPIES, "convert.copies", 1, \
      "1: the move copies an element, so that elements are converted; 0: it copies none", SVP64 "ELWIDTH", \
      {"last", 1}) \
    F(CONVERT_ONES, "convert.ones", 1, \
      "1: the move delivers the 1 of selector 1, so that saturation applies to it; 0: it delivers none", \
      PAGE "saturation", {"last", 1}) \
    F(CONVERT_SIGNED, "convert.signed", 1, "1: integers are sign-extended to wider elements", \
      SVP64 "ELWIDTH", {"kind", 4}, {"from", 2}, {"to", 2}) \
    F(CONVERT_KIND, "convert.kind", 3, \
      "conversion of copied elements; 0 none, 1 extends by zeros, 2 extends the sign, 3 clamps unsigned " \
      "integers, 4 clamps signed integers, 5 converts floats, 6 makes NaNs quiet", SVP64 "ELWIDTH", \
      SWIZZLE_IN_FP, {"kind", 4}, {"from", 2}, {"to", 2}) \
    F(CONVERT_STOP, "convert.stop", 4, \
      "reason number by which the values are refused; 0: they are accepted", \
      PAGE "saturation", SWIZZLE_IN_FP, {"kind", 4}, {"from", 2}, {"to", 2}) \
    F(PLAN_STOP, "plan.stop", 4, "reason number by which the loops are refused; 0: they are accepted", \
      PAGE "vectorised form", {"sources", 10}, \
      {"destinations", 10}, {"alike", 1}) \
    F(LANE_WORD, "lane.word", 2, "word of the register pair that a lane of the scalar form is in", \
      PAGE "scalar form", SWIZZLE_IN_SIDE, {"position", 2}, SWIZZLE_IN_FP, SWIZZLE_IN_FORM) \
    F(LANE_PAIR, "lane.pair", 8, \
      "first word of an operand of the scalar form in the register file", PAGE "scalar form", \
      SWIZZLE_IN_SIDE, {"number", 7}, SWIZZLE_IN_FP, SWIZZLE_IN_FORM) \
    F(LANE_SELECTOR, "lane.selector", 4, \
      "selector that the scalar form applies to a lane; 0 or 1 skip, 2 zero, 3 one, 4 X, 5 Y, 6 Z, 7 W", \
      PAGE "scalar form", {"position", 2}, {"encoded", 4}, {"first", 3}, {"masked", 1}, {"imm", 12}, \
      SWIZZLE_IN_FP, SWIZZLE_IN_FORM) \
    F(LANE_VALUE, "lane.value", 32, "number that a lane of the scalar form receives", PAGE "scalar form", \
      {"position", 2}, {"received", 11}, {"previous", 32}, {"masked", 1}, SWIZZLE_IN_FP, SWIZZLE_IN_FORM) \
    F(SCALAR_DONE, "scalar.done", 1, "1: the scalar form takes place", PAGE "scalar form", \
      {"masked", 1}, {"zeroing", 1}, SWIZZLE_IN_FORM) \
    F(LANE_CLEARED, "lane.cleared", 1, "1: a lane that the scalar form does not select becomes 0", \
      PAGE "scalar form", {"same", 1}, {"skips", 3}, SWIZZLE_IN_FP, SWIZZLE_IN_FORM, {"skipped", 4}) \
    F(MOVE_RECORDED, "move.recorded", 11, \
      "source that the outcome names for an element; 1 the constant 0, 2 the constant 1, 3 zero by a " \
      "predicate, 0x100 + n: source element n", PAGE "immediate", {"element", 10}, SWIZZLE_IN_FP, \
      SWIZZLE_IN_FORM) \
    F(WRITE_DONE, "write.done", 1, "1: the element is written", PAGE "skip", {"element", 10}, \
      {"received", 11}, {"lower", 32}, SWIZZLE_IN_FP, SWIZZLE_IN_FORM) \
    F(WRITE_LOW, "write.low", 32, "lower half of the number that is written; bits 31:0", \
      PAGE "vectorised form", {"element", 10}, {"received", 11}, {"upper", 32}, SWIZZLE_IN_FP, \
      SWIZZLE_IN_FORM) \
    F(WRITE_HIGH, "write.high", 32, "upper half of the number that is written; bits 63:32", \
      PAGE "vectorised form", {"element", 10}, {"received", 11}, {"lower", 32}, SWIZZLE_IN_FP, \
      SWIZZLE_IN_FORM)
/* clang-format on */

#define SWIZZLE_POINT_NUMBER(number, ...) SWIZZLE_POINT_##number,
enum { SWIZZLE_POINTS(SWIZZLE_POINT_NUMBER) SWIZZLE_POINT_COUNT };

extern const struct point swizzle_points[SWIZZLE_POINT_COUNT];
extern const struct input_note swizzle_input_notes[];

#endif
