/* SPDX-License-Identifier: MIT */
/*
 * The observation points of buffer instructions. Each row: number, name, width in bits, lanes, what it is,
 * section or table of the "RDNA3" guide, inputs.
 *
 * A wave has 64 lanes and a vector point has 16. So a value of each lane passes its point once for each group
 * of 16 lanes with at least one active lane. Values of 64 bits pass two points, the low word first.
 */
#ifndef MISPRINT_MODEL_AMD_POINTS_AMD_POINTS_H
#define MISPRINT_MODEL_AMD_POINTS_AMD_POINTS_H

#include "model/rule/point.h"

#define AMD_MICROCODE "microcode formats"

/* clang-format off */
/* word0, word1, ...: the words of the instruction (AMD_INSN_INPUTS) or of the V# (AMD_DESC_INPUTS) before any
 * rule. */
#define AMD_INSN_INPUTS \
    {"generation", 3}, {"encoding", 2}, {"op", 8}, {"word0", 32}, {"word1", 32}, {"word2", 32}, \
    {"offen", 1}, {"idxen", 1}
#define AMD_DESC_INPUTS \
    {"generation", 3}, {"encoding", 2}, {"op", 8}, {"word0", 32}, {"word1", 32}, {"word2", 32}, {"word3", 32}
#define AMD_INDEX_INPUTS \
    {"generation", 3}, {"swizzle", 2}, {"idxen", 1}, {"add_tid", 1}, {"mode", 2}
#define AMD_PLACE_INPUTS \
    {"index", 32, 16}, {"offset", 32, 16}, {"dword", 2}, {"swizzled", 1}, {"stride", 32}

/* `unit`: number of bytes that a lane moves at once. `align`: the address is rounded down to a multiple of
 * it; 1: not rounded. */
#define AMD_OFFSET_INPUTS \
    {"index", 32, 16}, {"offset", 32, 16}, {"dword", 2}, {"byte", 2}, {"swizzled", 1}, {"element_size", 8}, \
    {"align", 5}, {"unit", 3}

#define AMD_PARTS_INPUTS \
    {"generation", 3}, {"dword", 2}, {"element_size", 8}, {"index_stride", 7}, {"stride", 32}

#define AMD_INSN_POINTS(F) \
    F(INSN_ENCODING, "insn.encoding", 2, 1, "encoding of the instruction; 0 MUBUF, 1 MTBUF, 2 SMEM", \
      "microcode formats", \
      {"generation", 3}, {"op", 8}, {"word0", 32}, {"word1", 32}, {"word2", 32}) \
    F(INSN_OP, "insn.op", 8, 1, "opcode", "tables of opcodes", AMD_INSN_INPUTS) \
    F(INSN_OFFSET, "insn.offset", 24, 1, "OFFSET in bytes", AMD_MICROCODE, AMD_INSN_INPUTS) \
    F(INSN_OFFEN, "insn.offen", 1, 1, "OFFEN; 1 a VGPR has an offset, 0 no VGPR has an offset", \
      AMD_MICROCODE, AMD_INSN_INPUTS) \
    F(INSN_IDXEN, "insn.idxen", 1, 1, "IDXEN; 1 a VGPR has an index, 0 no VGPR has an index", \
      AMD_MICROCODE, AMD_INSN_INPUTS) \
    F(INSN_GLC, "insn.glc", 1, 1, "GLC; 1 an atomic returns the old value, 0 it returns nothing", \
      AMD_MICROCODE, AMD_INSN_INPUTS) \
    F(INSN_TFE, "insn.tfe", 1, 1, "TFE; 1 a load writes one more register, 0 it does not", AMD_MICROCODE, \
      AMD_INSN_INPUTS) \
    F(INSN_LDS, "insn.lds", 1, 1, "LDS (before GFX11); 1 a load writes LDS, 0 a load writes registers", \
      AMD_MICROCODE, AMD_INSN_INPUTS) \
    F(INSN_VADDR, "insn.vaddr", 8, 1, "VADDR; VGPR of the address", AMD_MICROCODE, AMD_INSN_INPUTS) \
    F(INSN_VDATA, "insn.vdata", 9, 1, "VDATA; of SMEM, SDATA", AMD_MICROCODE, AMD_INSN_INPUTS) \
    F(INSN_SRSRC, "insn.srsrc", 6, 1, "SRSRC; first SGPR of the V# / 4; of SMEM, SBASE: / 2", AMD_MICROCODE, \
      AMD_INSN_INPUTS) \
    F(INSN_SOFFSET, "insn.soffset", 8, 1, "SOFFSET; code of the operand", AMD_MICROCODE, AMD_INSN_INPUTS) \
    F(INSN_FORMAT, "insn.format", 7, 1, "FORMAT of MTBUF; GFX8, GFX9: DFMT | NFMT << 4", AMD_MICROCODE, \
      AMD_INSN_INPUTS) \
    F(INSN_IMM, "insn.imm", 1, 1, "IMM of SMEM (GFX8, GFX9)", AMD_MICROCODE, AMD_INSN_INPUTS) \
    F(INSN_SOFFSET_EN, "insn.soffset-en", 1, 1, "SOFFSET_EN of SMEM (GFX9)", AMD_MICROCODE, AMD_INSN_INPUTS)

#define AMD_DESC_POINTS(F) \
    F(DESC_BASE_LOW, "desc.base-low", 32, 1, "lower half of BASE; bits 31:0", "table 44", AMD_DESC_INPUTS) \
    F(DESC_BASE_HIGH, "desc.base-high", 16, 1, "upper half of BASE; bits 47:32", "table 44", \
      AMD_DESC_INPUTS) \
    F(DESC_STRIDE, "desc.stride", 14, 1, "STRIDE", "table 44", AMD_DESC_INPUTS) \
    F(DESC_SWIZZLE, "desc.swizzle", 2, 1, "SWIZZLE_ENABLE", "table 44", AMD_DESC_INPUTS) \
    F(DESC_NUM_RECORDS, "desc.num-records", 32, 1, "NUM_RECORDS", "table 44", AMD_DESC_INPUTS) \
    F(DESC_DST_SEL_X, "desc.dst-sel-x", 3, 1, "DST_SEL_X", "table 44", AMD_DESC_INPUTS) \
    F(DESC_DST_SEL_Y, "desc.dst-sel-y", 3, 1, "DST_SEL_Y", "table 44", AMD_DESC_INPUTS) \
    F(DESC_DST_SEL_Z, "desc.dst-sel-z", 3, 1, "DST_SEL_Z", "table 44", AMD_DESC_INPUTS) \
    F(DESC_DST_SEL_W, "desc.dst-sel-w", 3, 1, "DST_SEL_W", "table 44", AMD_DESC_INPUTS) \
    F(DESC_FORMAT, "desc.format", 7, 1, "FORMAT; GFX8, GFX9: DATA_FORMAT | NUM_FORMAT << 4", "table 44", \
      AMD_DESC_INPUTS) \
    F(DESC_ELEMENT_SIZE, "desc.element-size", 2, 1, "ELEMENT_SIZE (GFX8); in bytes: 2 << field", "table 44", \
      AMD_DESC_INPUTS) \
    F(DESC_INDEX_STRIDE, "desc.index-stride", 2, 1, "INDEX_STRIDE; in indices: 8 << field", "table 44", \
      AMD_DESC_INPUTS) \
    F(DESC_ADD_TID, "desc.add-tid", 1, 1, "ADD_TID_ENABLE", "table 44", AMD_DESC_INPUTS) \
    F(DESC_OOB_SELECT, "desc.oob-select", 2, 1, "OOB_SELECT (from GFX10 on)", "table 46", AMD_DESC_INPUTS) \
    F(DESC_STRIDE_SCALE, "desc.stride-scale", 2, 1, "STRIDE_SCALE (GFX12); in bytes: 1, 4, 8 or 32", \
      "table 44", \
      AMD_DESC_INPUTS) \
    F(DESC_TYPE, "desc.type", 2, 1, "TYPE; 0 a buffer", "table 44", AMD_DESC_INPUTS)

#define AMD_SIZES_INPUTS \
    {"generation", 3}, {"encoding", 2}, {"op", 8}, {"bytes", 5}, {"format", 1}

#define AMD_PLAN_POINTS(F) \
    F(OPERAND_SOFFSET, "operand.soffset", 32, 1, "value of SOFFSET in bytes", "chapter 9, operands", \
      {"generation", 3}, {"encoding", 2}, {"op", 8}, {"code", 8}, {"m0", 32}) \
    F(OPERAND_CODE, "operand.code", 8, 1, "code of the operand that is read for SOFFSET", \
      "chapter 9, operands", {"generation", 3}, {"encoding", 2}, {"op", 8}, {"offset", 24}) \
    F(OPERAND_SOURCE, "operand.source", 3, 1, \
      "kind of operand that a code names; 0 SGPR, 1 constant, 2 M0, 3 null, 4 special, 5 reserved", \
      "chapter 9, operands", {"generation", 3}, {"encoding", 2}, {"op", 8}, {"code", 8}) \
    F(DATA_REGISTERS, "data.registers", 5, 1, "number of registers of data from VDATA or SDATA on", \
      "chapter 9", \
      {"generation", 3}, {"encoding", 2}, {"op", 8}, {"components", 5}, {"format", 1}, {"d16", 1}, \
      {"compares", 1}, {"lds_field", 1}, {"odd", 1}) \
    F(RESOURCE_SGPR, "resource.sgpr", 8, 1, "first SGPR of the V# of a vector access", "chapter 9", \
      {"generation", 3}, {"encoding", 2}, {"op", 8}, {"srsrc", 6}) \
    F(LDS_LOAD, "lds.load", 1, 1, "1: a load writes LDS; 0: a load writes VGPRs", "chapter 9", \
      {"generation", 3}, {"encoding", 2}, {"op", 8}, {"lds_field", 1}, {"lds_form", 1}, {"components", 3}) \
    F(ACCESS_DWORDS, "access.dwords", 3, 1, "number of dwords that a lane moves; 1 to 4", "chapter 9", \
      AMD_SIZES_INPUTS) \
    F(ACCESS_UNIT, "access.unit", 3, 1, "number of bytes of a dword that a lane moves; 1 to 4", "chapter 9", \
      AMD_SIZES_INPUTS) \
    F(INDEX_ADD_LANE, "index.add-lane", 1, 1, "1: the lane's number is added to the index", "9.4.2", \
      AMD_INDEX_INPUTS) \
    F(SWIZZLE_WANTED, "swizzle.wanted", 1, 1, "1: the V# asks for a swizzled buffer", "table 47", \
      AMD_INDEX_INPUTS) \
    F(SWIZZLE_ON, "swizzle.on", 1, 1, "1: addresses are swizzled", "9.4.2", AMD_INDEX_INPUTS) \
    F(SWIZZLE_ELEMENT_LOG, "swizzle.element-log", 3, 1, "log2 of the element size in bytes", "table 47", \
      AMD_INDEX_INPUTS, {"bits", 2}) \
    F(SWIZZLE_INDEX_LOG, "swizzle.index-log", 3, 1, "log2 of the number of indices in a swizzled group", \
      "table 47", AMD_INDEX_INPUTS, {"index_field", 2}) \
    F(SWIZZLE_SOFFSET, "swizzle.soffset", 1, 1, "1: SOFFSET is swizzled like the offset", "9.4.2", \
      AMD_INDEX_INPUTS, {"soffset", 32}) \
    F(SWIZZLE_PER_DWORD, "swizzle.per-dword", 1, 1, \
      "1: each dword of a wide access is swizzled by itself", "9.4.2", AMD_INDEX_INPUTS, {"dwords", 3}, \
      {"element_size", 8}) \
    F(STRIDE_HIGH, "stride.high", 4, 1, \
      "upper part of the stride from DATA_FORMAT (GFX8 and GFX9); bits 17:14", \
      "9.4.2; \"CDNA3\" guide table 45", AMD_INDEX_INPUTS, {"data_format", 4}, {"raw", 1}, {"add_lane", 1}) \
    F(STRIDE_BYTES, "stride.bytes", 32, 1, "stride of the V# in addresses and in range checks; in bytes", \
      "table 44", AMD_INDEX_INPUTS, {"field", 14}, {"scale", 2}, {"data_format", 4}) \
    F(STRIDE_ADDRESS, "stride.address", 32, 1, "stride in addresses; in bytes", "9.4.2", \
      {"generation", 3}, {"mode", 3}, {"idxen", 1}, {"add_tid", 1}, {"swizzled", 1}, {"element_size", 5}, \
      {"soffset", 32}) \
    F(STRIDE_CHECK, "stride.check", 32, 1, "stride in range checks; in bytes", "table 46", AMD_INDEX_INPUTS)

#define AMD_LANE_POINTS(F) \
    F(LANE_INDEX, "lane.index", 32, 16, "index of a lane", "9.4.2", \
      {"register", 32, 16}, {"thread", 6, 16}, AMD_INDEX_INPUTS, {"stride", 32}, {"first", 32}) \
    F(LANE_OFFSET, "lane.offset", 32, 16, "offset of a lane with OFFSET; in bytes", "9.4.2", \
      {"register", 32, 16}, {"index", 32, 16}, {"inst_offset", 32}, {"generation", 3}, {"offen", 1}, \
      {"soffset", 32}, {"first", 32}) \
    F(PLACE_INDEX, "place.index", 32, 16, "index of a lane in the address of a dword", "9.4.2", \
      {"offset", 32, 16}, {"dword", 2}, {"swizzled", 1}, {"stride", 32}, {"generation", 3}, {"first", 32}) \
    F(PLACE_OFFSET, "place.offset", 32, 16, "offset of a dword or of its byte that is swizzled", "9.4.2", \
      AMD_OFFSET_INPUTS) \
    F(PLACE_STEP, "place.step", 32, 16, "rest of the offset that is not swizzled; in bytes", "9.4.2", \
      AMD_OFFSET_INPUTS) \
    F(SWIZZLE_ELEMENT_MASK, "swizzle.element-mask", 8, 1, \
      "mask of the bits of an offset inside its element", "9.4.2", AMD_PARTS_INPUTS) \
    F(SWIZZLE_INDEX_MASK, "swizzle.index-mask", 8, 1, "mask of the bits of an index inside its group", \
      "9.4.2", AMD_PARTS_INPUTS) \
    F(SWIZZLE_ELEMENT_SHIFT, "swizzle.element-shift", 5, 1, \
      "number of bits by which the place of an index in its group is shifted", "9.4.2", AMD_PARTS_INPUTS) \
    F(SWIZZLE_INDEX_SHIFT, "swizzle.index-shift", 5, 1, \
      "number of bits of an index that are its place in its group", "9.4.2", AMD_PARTS_INPUTS) \
    F(SWIZZLE_GROUP, "swizzle.group", 32, 16, "group of a lane's index; index / INDEX_STRIDE", "9.4.2", \
      AMD_PLACE_INPUTS) \
    F(SWIZZLE_MEMBER, "swizzle.member", 6, 16, \
      "place of a lane's index in its group; index % INDEX_STRIDE", "9.4.2", AMD_PLACE_INPUTS) \
    F(SWIZZLE_ELEMENT, "swizzle.element", 32, 16, "offset rounded down to its element; in bytes", "9.4.2", \
      AMD_PLACE_INPUTS) \
    F(SWIZZLE_WITHIN, "swizzle.within", 7, 16, \
      "offset inside its element; offset % element size, in bytes", "9.4.2", AMD_PLACE_INPUTS) \
    F(REST_LOW, "rest.low", 32, 16, \
      "lower half of the sum of member, element and byte in the element of a swizzled place", "9.4.2", \
      {"member", 6, 16}, {"element", 32, 16}, {"within", 7, 16}, {"dword", 2}, {"element_size", 8}, \
      {"index_stride", 7}) \
    F(REST_HIGH, "rest.high", 32, 16, \
      "upper half of the sum of member, element and byte in the element of a swizzled place", "9.4.2", \
      {"member", 6, 16}, {"element", 32, 16}, {"within", 7, 16}, {"dword", 2}, {"element_size", 8}, \
      {"index_stride", 7}) \
    F(PRODUCT_LOW, "product.low", 32, 16, \
      "lower half of the product of index and stride; swizzled: of group, stride and INDEX_STRIDE", "9.4.2", \
      AMD_PLACE_INPUTS, {"generation", 3}) \
    F(PRODUCT_HIGH, "product.high", 32, 16, "upper half of the product of index and stride; bits 63:32", \
      "9.4.2", AMD_PLACE_INPUTS, {"generation", 3}) \
    F(PLACE_LOW, "place.low", 32, 16, \
      "lower half of the byte number in the buffer without BASE, SOFFSET and step", "9.4.2", \
      AMD_PLACE_INPUTS, {"element_size", 5}, {"index_stride", 7}, {"generation", 3}) \
    F(PLACE_HIGH, "place.high", 32, 16, \
      "upper half of the byte number in the buffer without BASE, SOFFSET and step", "9.4.2", \
      AMD_PLACE_INPUTS, {"element_size", 5}, {"index_stride", 7}, {"generation", 3}) \
    F(ADDRESS_LOW, "address.low", 32, 16, "lower half of the address of a dword; bits 31:0", "9.4.2", \
      {"place", 32, 16}, {"sum_high", 32, 16}, {"base_low", 32}, {"base_high", 16}, {"soffset", 32}, \
      {"dword", 2}, {"generation", 3}) \
    F(ADDRESS_HIGH, "address.high", 31, 16, \
      "upper half of the address of a dword; bits 47:32, and 0 above", "9.4.2", \
      {"place", 32, 16}, {"sum_high", 32, 16}, {"base_low", 32}, {"base_high", 16}, {"soffset", 32}, \
      {"dword", 2}, {"generation", 3})

/* `mode`: OOB_SELECT, plus 4 if the V# asks for a swizzled buffer. `indexed`: IDXEN or ADD_TID_ENABLE. */
#define AMD_CHECK_INPUTS \
    {"generation", 3}, {"mode", 3}, {"idxen", 1}, {"indexed", 1}, {"stride", 32}, {"records", 32}, \
    {"soffset", 32}
#define AMD_BYTES_INPUTS \
    {"generation", 3}, {"mode", 3}, {"bytes", 5}, {"format", 1}, {"typed", 1}, {"d16", 1}, {"atomic", 1}, \
    {"components", 3}
#define AMD_ALIGN_INPUTS \
    {"generation", 3}, {"alignment", 2}, {"bytes", 5}, {"format", 1}, {"atomic", 1}

#define AMD_CHECK_POINTS(F) \
    F(CHECK_TOGETHER, "check.together", 1, 1, "1: the first dword's check decides for all", \
      "chapter 9, range checking", AMD_BYTES_INPUTS) \
    F(CHECK_BYTES, "check.bytes", 5, 1, "number of bytes that one check is for", \
      "chapter 9, range checking", \
      AMD_BYTES_INPUTS) \
    F(CHECK_STRUCTURED, "check.structured", 1, 1, "1: OOB_SELECT 3 checks index and stride", "table 46", \
      AMD_CHECK_INPUTS) \
    F(CHECK_IN_RECORDS, "check.in-records", 1, 1, \
      "1: the index is compared with NUM_RECORDS; only GFX8 and GFX9", \
      "9.4.1; \"CDNA3\" guide 9.1.5.1", AMD_CHECK_INPUTS) \
    F(CHECK_CHOICE, "check.choosing-stride", 32, 1, \
      "stride that chooses what is compared (GFX8 and GFX9); unless 0, records are compared", \
      "9.4.1; \"CDNA3\" guide 9.1.5.1", AMD_CHECK_INPUTS, {"field", 14}) \
    F(CHECK_UNIT, "check.unit", 32, 1, "number of bytes that NUM_RECORDS counts under OOB_SELECT 3", \
      "table 46", \
      AMD_CHECK_INPUTS) \
    F(CHECK_SOFFSET, "check.soffset", 32, 1, \
      "number of bytes by which SOFFSET lowers the limit of an offset", "table 46", \
      AMD_CHECK_INPUTS) \
    F(CHECK_NONE, "check.none", 1, 1, "1: every lane is out of range", "table 46", AMD_CHECK_INPUTS) \
    F(CHECK_INDEX, "check.index", 1, 1, "1: the index is compared", "table 46", AMD_CHECK_INPUTS) \
    F(CHECK_INDEX_LIMIT, "check.index-limit", 32, 1, "first index that is out of range", "table 46", \
      AMD_CHECK_INPUTS) \
    F(CHECK_OFFSET, "check.offset", 1, 1, "1: the offset is compared", "table 46", AMD_CHECK_INPUTS) \
    F(CHECK_MEASURE, "check.measure", 2, 1, \
      "sum that is compared; 1 offset, 2 index * stride + offset, 3 swizzled place", "table 46", \
      AMD_CHECK_INPUTS) \
    F(CHECK_LIMIT, "check.limit", 32, 1, "number of bytes that the offset and the payload may reach", \
      "table 46", \
      AMD_CHECK_INPUTS, {"bytes", 5}) \
    F(CHECK_PAYLOAD, "check.payload", 5, 1, "number of bytes that a check adds to the offset", "table 46", \
      {"generation", 3}, {"mode", 3}, {"format", 1}, {"indexed", 1}, {"stride", 32}, {"records", 32}, \
      {"soffset", 32}, {"bytes", 5}) \
    F(CHECK_ADD, "check.add", 32, 1, "number of further bytes that a check adds to the offset", "table 46", \
      AMD_CHECK_INPUTS, {"bytes", 5}) \
    F(CHECK_LANE_INDEX, "check.lane-index", 32, 16, "index of a lane that is compared", "table 46", \
      {"index", 32, 16}, {"register", 32, 16}, {"generation", 3}, {"idxen", 1}, {"mode", 3}) \
    F(CHECK_LANE_OFFSET, "check.lane-offset", 32, 16, "offset of a lane that is compared", "table 46", \
      {"index", 32, 16}, {"offset", 32, 16}, {"generation", 3}, {"mode", 3}, {"align", 5}, {"stride", 32}) \
    F(CHECK_SUM_LOW, "check.sum-low", 32, 16, \
      "lower half of the sum of offset and payload of a lane's dword", "table 46", \
      {"index", 32, 16}, {"offset", 32, 16}, {"place", 32, 16}, {"dword", 2}, {"payload", 5}, {"mode", 3}, \
      {"generation", 3}, {"align", 5}) \
    F(CHECK_SUM_HIGH, "check.sum-high", 32, 16, \
      "upper half of the sum of offset and payload of a lane's dword", "table 46", \
      {"index", 32, 16}, {"offset", 32, 16}, {"place", 32, 16}, {"dword", 2}, {"payload", 5}, {"mode", 3}, \
      {"generation", 3}, {"align", 5}) \
    /* `offset` and `place` are of the dword's first byte, `last` and `place_last` of the last checked one. \
     * They saturate at 0xffffffff. */ \
    F(CHECK_IN_RANGE, "check.in-range", 1, 16, "1: a lane's dword is in range", "table 46", \
      {"index", 32, 16}, {"last", 32, 16}, {"place_last", 32, 16}, {"offset", 32, 16}, {"place", 32, 16}, \
      {"bytes", 5}, {"mode", 3}, {"generation", 3}, {"records", 32}, {"limit", 32}, {"stride", 32}, \
      {"soffset", 32}) \
    F(ALIGN_MODE, "align.mode", 2, 1, "alignment mode in force without a format", "9.5", AMD_ALIGN_INPUTS) \
    F(ALIGN_BYTES, "align.bytes", 5, 1, "alignment that the access needs; in bytes", "9.5", \
      AMD_ALIGN_INPUTS) \
    F(ALIGN_DOWN, "align.down", 1, 1, "1: the address is rounded down", "9.5", AMD_ALIGN_INPUTS) \
    F(ALIGN_VIOLATES, "align.violates", 1, 1, "1: a misaligned access is a violation", "9.5", \
      AMD_ALIGN_INPUTS) \
    F(ALIGN_GOOD, "align.good", 1, 16, "1: a lane has no violation; 0: a lane has a violation", "9.5", \
      {"offset", 32, 16}, {"address", 32, 16}, {"base_low", 32}, {"soffset", 32}, {"align", 5}, \
      {"alignment", 2}, {"atomic", 1}) \
    F(LANE_DECISION, "lane.decision", 3, 16, \
      "decision on a lane's dword; 1 done, 2 out of range, 3 violation, 4 not resident, 5 nothing moves", \
      "chapter 9", {"offset", 32, 16}, {"address", 32, 16}, {"dword", 2}, {"mode", 3}, {"unit", 3}, \
      {"generation", 3}, {"first", 3}, {"first_dword", 3})

#define AMD_DATA_INPUTS \
    {"component", 2}, {"channel", 2}, {"number", 3}, {"bits", 6}, {"d16", 1}

#define AMD_LOAD_POINTS(F) \
    /* `decision` on the dword: 1 moved, 2 out of range, 3 misaligned, 4 not resident, 5 nothing to move */ \
    /* `half`: the load writes only one half of the register */ \
    F(LOAD_DWORD, "load.dword", 32, 16, "dword that memory returns; it may be part of one", "9.3", \
      {"decision", 3, 16}, {"address", 32, 16}, {"dword", 2}, {"bytes", 5}, {"format", 1}, {"select", 3}, \
      {"generation", 3}, {"first", 32}) \
    F(LOAD_SHIFT, "load.shift", 5, 16, "lowest bit of a lane's dword in its dword of memory", "9.5", \
      {"decision", 3, 16}, {"address", 32, 16}, {"dword", 2}, {"unit", 3}, {"generation", 3}) \
    F(LOAD_FIELD, "load.field", 32, 16, "field of a format as it lies in memory", "table 52", \
      {"dword", 32, 16}, {"decision", 3, 16}, {"low", 5}, AMD_DATA_INPUTS) \
    F(LOAD_NUMBER, "load.number", 3, 1, "kind of number of a channel (NFMT)", "9.3", \
      {"component", 2}, {"channel", 2}, {"bits", 6}, {"generation", 3}, {"typed", 1}) \
    F(LOAD_VALUE, "load.value", 32, 16, "field converted to 32 bits", "9.3", \
      {"field", 32, 16}, {"decision", 3, 16}, AMD_DATA_INPUTS, {"generation", 3}) \
    F(LOAD_HALF, "load.half", 16, 16, "field converted to the 16 bits of D16", "9.3.1", \
      {"field", 32, 16}, {"single", 32, 16}, {"decision", 3, 16}, AMD_DATA_INPUTS, {"smallest", 32}, \
      {"largest", 32}) \
    F(LOAD_COMPONENT, "load.component", 32, 16, "component of a load with a format", "9.3", \
      {"field", 32, 16}, {"decision", 3, 16}, {"component", 2}, {"select", 3}, {"number", 3}, {"d16", 1}, \
      {"one", 32}, {"bound", 1}) \
    F(LOAD_REGISTER, "load.register", 32, 16, "value that a load writes to a register", "9.3.1", \
      {"old", 32, 16}, {"decision", 3, 16}, {"component", 2}, {"format", 1}, {"half", 1}, {"hi", 1}, \
      {"op", 8}, {"generation", 3}, {"first", 32}) \
    F(LOAD_PAIR, "load.pair", 1, 1, "1: a register gets two components of 16 bits", "9.3.1", \
      {"component", 2}, {"components", 3}, {"generation", 3}) \
    F(LOAD_VGPR, "load.vgpr", 10, 1, "VGPR that a load writes", "9.3.1", \
      {"vdata", 9}, {"component", 2}, {"format", 1}, {"d16", 1}, {"generation", 3}) \
    F(LOAD_WRITTEN, "load.written", 1, 16, "1: a load writes the registers, or LDS, of a lane", "chapter 9", \
      {"decision", 3, 16}, {"violation", 1, 16}, {"format", 1}, {"d16", 1}, {"tfe", 1}, {"lds", 1}, \
      {"generation", 3}) \
    F(TFE_WRITTEN, "tfe.written", 1, 16, "1: TFE's register of a lane is written", "chapter 9, TFE", \
      {"missing", 1, 16}, {"generation", 3}, {"format", 1}) \
    F(LDS_ADDRESS, "lds.address", 32, 1, "byte of LDS that a lane moves", "\"CDNA3\" guide, loads to LDS", \
      {"thread", 6}, {"m0", 32}, {"offset", 24}, {"store", 1}, {"generation", 3})

#define AMD_STORE_POINTS(F) \
    /* `select` has a code of DST_SEL: 0, 1, or 4 + the number of a component */ \
    F(STORE_SELECT, "store.select", 3, 1, "selector of what a channel of the format takes", "9.3", \
      {"channel", 2}, {"select", 3}, {"highest", 3}, {"components", 3}, {"typed", 1}, {"generation", 3}, \
      {"missing", 1}) \
    F(STORE_COMPONENT, "store.component", 32, 16, "component that is stored; as 32 bits", "9.3", \
      {"register", 32, 16}, AMD_DATA_INPUTS, {"generation", 3}, {"first", 32}) \
    F(STORE_VGPR, "store.vgpr", 10, 1, "VGPR that a store reads for its data", "9.3", \
      {"vdata", 9}, {"component", 2}, {"format", 1}, {"d16", 1}, {"generation", 3}) \
    F(STORE_FIELD, "store.field", 32, 16, "component converted to its field", "9.3", \
      {"from", 32, 16}, {"truncated", 32, 16}, AMD_DATA_INPUTS, {"generation", 3}, {"smallest", 32}, \
      {"largest", 32}) \
    F(STORE_DWORD, "store.dword", 32, 16, "dword that memory receives; it may be part of one", "9.3", \
      {"address", 32, 16}, {"decision", 3, 16}, {"dword", 2}, {"bytes", 5}, {"format", 1}, \
      {"generation", 3}, {"first", 32}) \
    F(STORE_DONE, "store.done", 1, 16, "1: a lane's dword is stored", "chapter 9, range checking", \
      {"address", 32, 16}, {"decision", 3, 16}, {"dword", 2}, {"bytes", 5}, {"format", 1}, \
      {"generation", 3})

/* In the order of enum amd_step. */
#define AMD_CONVERT_INPUTS \
    {"store", 1}, {"number", 3}, {"bits", 6}
#define AMD_CONVERT_POINTS(F) \
    F(SINGLE_EXPONENT, "single.exponent", 8, 16, \
      "exponent of a single that a load makes of an integer; signed", "9.3", \
      {"digits", 32, 16}, AMD_CONVERT_INPUTS) \
    F(SINGLE_MANTISSA, "single.mantissa", 32, 16, \
      "mantissa of a single that a load makes of an integer; rounded, with its leading 1", "9.3", \
      {"digits", 32, 16}, {"below", 32, 16}, AMD_CONVERT_INPUTS) \
    F(SMALL_EXPONENT, "small.exponent", 8, 16, \
      "exponent of a single that becomes a float of 16, 11 or 10 bits; signed; -64 to 63", "9.3", \
      {"digits", 32, 16}, AMD_CONVERT_INPUTS) \
    F(ROUND_SHIFT, "round.shift", 7, 16, "number of digits that a conversion drops; 64 at most", "9.3", \
      {"digits", 32, 16}, AMD_CONVERT_INPUTS) \
    F(ROUND_DIGITS, "round.digits", 32, 16, "digits that a conversion keeps; rounded", "9.3", \
      {"digits", 32, 16}, {"below", 32, 16}, AMD_CONVERT_INPUTS)

/* `kind`: the atomic's number in enum amd_atomic (amd_insn.h): 0 swap, 1 cmpswap, 2 add, 3 sub, ... */
#define AMD_ATOMIC_INPUTS \
    {"kind", 5}, {"thread", 6}, {"wide", 1}, {"dword", 1}, {"generation", 3}

#define AMD_ATOMIC_POINTS(F) \
    F(ATOMIC_SOURCE, "atomic.source", 32, 1, "operand of an atomic", "operations", AMD_ATOMIC_INPUTS) \
    F(ATOMIC_OLD, "atomic.old", 32, 1, "old value that an atomic computes with", "operations", \
      AMD_ATOMIC_INPUTS) \
    F(ATOMIC_COMPARE, "atomic.compare", 32, 1, "operand that an atomic compares with the old value", \
      "operations", \
      AMD_ATOMIC_INPUTS, {"old", 32}) \
    F(ATOMIC_RESULT, "atomic.result", 32, 1, "value that an atomic stores", "operations", \
      AMD_ATOMIC_INPUTS, {"old", 32}, {"source", 32}, {"compare", 32}) \
    /* `mantissa_bits`: of the floats that are added: 7, 10, 23 or 52 */ \
    F(SUM_ALIGNED, "sum.aligned", 32, 1, \
      "mantissa of the smaller operand of a sum of floats; moved right, with 9 more digits; lower 32 bits", \
      "operations", \
      {"mantissa_bits", 6}, {"places", 12}) \
    F(SUM_VALUE, "sum.value", 32, 1, "sum of two mantissas; with 9 more digits; lower 32 bits", \
      "operations", \
      {"mantissa_bits", 6}, {"places", 12}) \
    F(SUM_MANTISSA, "sum.mantissa", 32, 1, "mantissa of a sum of floats; rounded; lower 32 bits", \
      "operations", \
      {"mantissa_bits", 6}, {"dropped", 32}) \
    F(SUM_EXPONENT, "sum.exponent", 12, 1, "biased exponent of a sum of floats", "operations", \
      {"mantissa_bits", 6}, {"dropped", 32}) \
    F(ATOMIC_RETURNED, "atomic.returned", 1, 16, "1: an atomic writes the register of a lane", \
      "chapter 9, range checking", {"decision", 3, 16}, {"kind", 5}, {"wide", 1}, {"generation", 3}) \
    F(ATOMIC_REGISTERS, "atomic.registers", 3, 1, "number of registers that a returning atomic writes", \
      "operations", \
      {"kind", 5}, {"wide", 1}, {"compares", 1}, {"generation", 3})

#define AMD_SCALAR_INPUTS \
    {"generation", 3}, {"op", 8}, {"offset", 32}, {"size", 32}, {"dword", 4}, {"bytes", 3}

#define AMD_SIZE_INPUTS \
    {"generation", 3}, {"op", 8}, {"unit", 32}, {"records", 32}, {"stride", 32}
#define AMD_KEPT_INPUTS \
    {"generation", 3}, {"op", 8}, {"dword", 4}, {"decision", 3}, {"address", 32}

#define AMD_SCALAR_POINTS(F) \
    F(SCALAR_SBASE, "scalar.sbase", 7, 1, "first SGPR of the V# of a scalar access", "chapter 8", \
      {"generation", 3}, {"op", 8}, {"group", 3}) \
    F(SCALAR_SDATA, "scalar.sdata", 8, 1, "first SGPR of the data of a scalar access", "chapter 8", \
      {"generation", 3}, {"op", 8}, {"group", 3}) \
    F(SCALAR_FAULT, "scalar.fault", 3, 1, "fault by SBASE, SDATA or SOFFSET of a scalar access", "chapter 8", \
      {"generation", 3}, {"op", 8}, {"sbase", 7}, {"sdata", 8}, {"group", 3}, {"registers", 5}, {"code", 8}) \
    F(SCALAR_DWORDS, "scalar.dwords", 5, 1, "number of dwords that a scalar load or store moves", \
      "chapter 8", {"generation", 3}, {"op", 8}, {"bytes", 7}) \
    F(SCALAR_PART, "scalar.part", 3, 1, "number of bytes of memory that a dword of a scalar access has", \
      "chapter 8", {"generation", 3}, {"op", 8}, {"bytes", 7}) \
    F(SCALAR_REGISTER, "scalar.register", 1, 1, "1: a scalar access adds an SGPR to the immediate offset", \
      "8.1.2", \
      {"generation", 3}, {"op", 8}, {"imm", 1}, {"soffset_en", 1}, {"field", 8}, {"offset", 24}) \
    F(SCALAR_IMMEDIATE, "scalar.immediate", 32, 1, "immediate offset of a scalar access; signed", "8.1.2", \
      {"generation", 3}, {"op", 8}, {"offset", 24}, {"imm", 1}, {"soffset_en", 1}) \
    F(SCALAR_VIOLATES, "scalar.violates", 1, 1, "1: the offset makes a scalar access a violation", "8.1.2", \
      {"generation", 3}, {"op", 8}, {"immediate", 32}, {"soffset", 32}) \
    F(SCALAR_STRIDE, "scalar.stride", 19, 1, "stride of the V# of a scalar access", "8.1.2", \
      {"generation", 3}, {"op", 8}, {"word1", 32}, {"word3", 32}) \
    F(SCALAR_UNIT, "scalar.unit", 32, 1, "number of bytes that NUM_RECORDS of a scalar access counts", \
      "8.1.2", \
      {"generation", 3}, {"op", 8}, {"stride", 32}, {"records", 32}) \
    F(SCALAR_RECORDS, "scalar.records", 32, 1, "number of records of a scalar access", "8.1.2", \
      {"generation", 3}, {"op", 8}, {"stride", 32}) \
    F(SCALAR_SIZE_LOW, "scalar.size-low", 32, 1, \
      "lower half of the size of the buffer of a scalar access; in bytes", "8.1.2", AMD_SIZE_INPUTS) \
    F(SCALAR_SIZE_HIGH, "scalar.size-high", 32, 1, \
      "upper half of the size of the buffer of a scalar access; in bytes", "8.1.2", AMD_SIZE_INPUTS) \
    F(SCALAR_OFFSET, "scalar.offset", 32, 1, "offset of a scalar access in bytes", "8.1.2", \
      {"generation", 3}, {"op", 8}, {"immediate", 32}, {"soffset", 32}, {"size", 32}) \
    F(SCALAR_OFFSET_HIGH, "scalar.offset-high", 32, 1, \
      "upper half of the offset of a scalar access; its carry", "8.1.2", \
      {"generation", 3}, {"op", 8}, {"immediate", 32}, {"soffset", 32}, {"size", 32}) \
    F(SCALAR_STEP, "scalar.step", 32, 1, \
      "offset in the address of a scalar access; its low bits are dropped", "8.1.2", \
      {"generation", 3}, {"op", 8}, {"offset", 32}, {"base_low", 32}, {"bytes", 3}) \
    F(SCALAR_ADDRESS_LOW, "scalar.address-low", 32, 1, \
      "lower half of the address of a scalar access's dword; bits 31:0", "8.1.2", \
      AMD_SCALAR_INPUTS, {"sum_high", 32}, {"base_low", 32}, {"base_high", 16}, {"step", 32}) \
    F(SCALAR_ADDRESS_HIGH, "scalar.address-high", 31, 1, \
      "upper half of the address of a scalar access's dword; bits 47:32, and 0 above", "8.1.2", \
      AMD_SCALAR_INPUTS, {"sum_high", 32}, {"base_low", 32}, {"base_high", 16}, {"step", 32}) \
    F(SCALAR_CHECKED, "scalar.checked", 32, 1, \
      "offset of a dword of a scalar access that is compared; in bytes", "8.4.1", AMD_SCALAR_INPUTS) \
    F(SCALAR_IN_RANGE, "scalar.in-range", 1, 1, "1: a dword of a scalar access is in range", "8.4.1", \
      AMD_SCALAR_INPUTS) \
    F(SCALAR_DECISION, "scalar.decision", 3, 1, \
      "decision on a dword of a scalar access; 1 done, 2 out of range, 3 violation, 4 not resident", "8.4.1", \
      AMD_SCALAR_INPUTS, {"address", 32}, {"atomic", 1}, {"wide", 1}) \
    /* `word`, `next`: the dword of memory at the address rounded down, and the one behind it */ \
    F(SCALAR_VALUE, "scalar.value", 32, 1, "dword that a scalar load writes", "8.4.1", \
      {"generation", 3}, {"op", 8}, {"dword", 4}, {"decision", 3}, {"select", 3}, {"address", 32}, \
      {"word", 32}, {"next", 32}, {"bytes", 3}) \
    F(SCALAR_SGPR, "scalar.sgpr", 8, 1, "SGPR that a scalar access reads or writes for its data", "8.4.1", \
      {"generation", 3}, {"op", 8}, {"sdata", 8}, {"dword", 4}, {"reads", 1}) \
    F(SCALAR_STORED, "scalar.stored", 32, 1, "dword that a scalar store or atomic writes to memory", "8.4.1", \
      AMD_KEPT_INPUTS, {"old", 32}) \
    F(SCALAR_RETURNS, "scalar.returns", 1, 1, "1: a scalar atomic writes SGPRs", "8.4.1", \
      {"generation", 3}, {"op", 8}, {"glc", 1}, {"decision", 3}) \
    F(SCALAR_RETURNED, "scalar.returned", 32, 1, "dword that a scalar atomic returns", "8.4.1", \
      AMD_KEPT_INPUTS) \
    F(SCALAR_TRACE_DECISION, "scalar.trace-decision", 8, 1, \
      "decision on a scalar access's dword as the outcome has it; from bit 4 on the bytes that are moved", \
      "8.4.1", AMD_KEPT_INPUTS, {"bytes", 3}) \
    F(SCALAR_TRACE_ADDRESS, "scalar.trace-address", 32, 1, \
      "address of a scalar access's dword as the outcome has it; lower 32 bits", "8.4.1", AMD_KEPT_INPUTS) \
    F(SCALAR_TRACE_HIGH, "scalar.trace-high", 32, 1, \
      "address of a scalar access's dword as the outcome has it; upper 32 bits", "8.4.1", AMD_KEPT_INPUTS) \
    F(SCALAR_MEM_VIOL, "scalar.mem-viol", 1, 1, "1: a dword of a scalar access sets TRAPSTS.MEM_VIOL", "9.5", \
      AMD_KEPT_INPUTS) \
    F(SGPR_VALUE, "sgpr.value", 32, 1, "word that an instruction reads from an SGPR", "3.4", \
      {"generation", 3}, {"number", 7}, {"exec_low", 32}, {"exec_high", 32})

#define AMD_VGPR_INPUTS \
    {"generation", 3}, {"number", 10}, {"exec_low", 32}, {"exec_high", 32}

#define AMD_END_POINTS(F) \
    F(EXEC_LOW, "exec.low", 32, 1, "set of active lanes among lanes 0 to 31", "3.3", {"generation", 3}, \
      {"encoding", 2}, {"op", 8}, {"exec_high", 32}) \
    F(EXEC_HIGH, "exec.high", 32, 1, "set of active lanes among lanes 32 to 63", "3.3", \
      {"generation", 3}, {"encoding", 2}, {"op", 8}, {"exec_low", 32}) \
    F(WAVE_SIZE, "wave.size", 1, 1, "1: the wave has 32 lanes; 0: the wave has 64 lanes", "3.1", \
      {"generation", 3}) \
    F(VGPR_VALUE, "vgpr.value", 32, 16, "word that a lane writes to a VGPR", "chapter 9", \
      {"old", 32, 16}, {"generation", 3}, {"number", 10}, {"first", 32}) \
    F(VGPR_LANES_LOW, "vgpr.lanes-low", 32, 1, "set of lanes among lanes 0 to 31 that write a VGPR", \
      "chapter 9", AMD_VGPR_INPUTS) \
    F(VGPR_LANES_HIGH, "vgpr.lanes-high", 32, 1, "set of lanes among lanes 32 to 63 that write a VGPR", \
      "chapter 9", AMD_VGPR_INPUTS) \
    /* values of the fault points: 0 none, 1 encoding, 2 operand, 3 format, 4 undefined address */ \
    F(FAULT_ENCODING, "fault.encoding", 3, 1, "fault by a field of the instruction", "microcode formats", \
      {"generation", 3}, {"op", 8}, {"glc", 1}, {"reserved", 14}, {"vdata", 9}, {"vaddr", 8}, \
      {"offset", 24}, {"format", 7}, {"registers", 5}, {"addresses", 2}) \
    F(FAULT_OPERAND, "fault.operand", 3, 1, "fault by SRSRC or SOFFSET", "chapter 9, operands", \
      {"generation", 3}, {"op", 8}, {"srsrc", 6}, {"code", 8}) \
    F(FAULT_FORMAT, "fault.format", 3, 1, "fault by the data format", "table 52", \
      {"generation", 3}, {"op", 8}, {"typed", 1}, {"code", 7}) \
    F(BUFFER_BOUND, "buffer.bound", 1, 1, "1: the V# is a bound buffer's", "chapter 9, unbound resources", \
      {"generation", 3}, {"type", 2}, {"format", 7}, {"add_tid", 1}, {"typed", 1}, {"converted", 1}, \
      {"rest", 1}) \
    F(FORMAT_MOVES, "format.moves", 1, 1, "1: data moves with this format", "table 52", \
      {"generation", 3}, {"typed", 1}, {"code", 7}, {"layout", 4}, {"number", 3}, {"store", 1}) \
    F(FORMAT_LAYOUT, "format.layout", 4, 1, "layout of the data format's components (DFMT)", "table 52", \
      {"generation", 3}, {"typed", 1}, {"code", 7}, {"number", 3}, {"store", 1}) \
    F(FORMAT_NUMBER, "format.number", 3, 1, "kind of number of the data format (NFMT)", "table 52", \
      {"generation", 3}, {"typed", 1}, {"code", 7}, {"layout", 4}, {"store", 1}) \
    F(FORMAT_COMPONENTS, "format.components", 3, 1, "number of components of the data format", "table 52", \
      {"generation", 3}, {"layout", 4}, {"number", 3}, {"store", 1}) \
    F(FORMAT_BYTES, "format.bytes", 5, 1, "size of an element of the data format in bytes", "table 52", \
      {"generation", 3}, {"layout", 4}, {"number", 3}, {"store", 1}) \
    F(FORMAT_BITS, "format.bits", 6, 1, "number of bits of a channel of the data format", "table 52", \
      {"generation", 3}, {"layout", 4}, {"channel", 2}, {"number", 3}, {"store", 1}) \
    F(FORMAT_LOW, "format.low", 7, 1, "lowest bit of a channel in an element of the data format", \
      "table 52", {"generation", 3}, {"layout", 4}, {"channel", 2}, {"number", 3}, {"store", 1}) \
    F(COMPONENT_SELECT, "component.select", 3, 1, "DST_SEL that is in force for a component", "9.3", \
      {"component", 2}, {"field", 3}, {"typed", 1}, {"layout_components", 3}, {"components", 3}, \
      {"store", 1}, {"generation", 3}) \
    F(D16_PACKED, "d16.packed", 1, 1, "1: a register holds two components of D16", "9.3.1", \
      {"generation", 3}, {"components", 3}, {"store", 1}) \
    F(DESTINATION_REGISTERS, "destination.registers", 4, 1, \
      "number of VGPRs that the result and its status take", "9.3.1", \
      {"generation", 3}, {"components", 3}, {"d16", 1}, {"format", 1}, {"atomic", 1}, {"tfe", 1}) \
    F(BUFFER_DONE, "buffer.done", 1, 1, \
      "1: the instruction does something; 0: the instruction does nothing", "chapter 9", \
      {"generation", 3}, {"type", 2}, {"typed", 1}, {"format", 7}, {"last_register", 9}, {"vgprs", 6}, \
      {"bound", 1}) \
    F(STATUS_MEM_VIOL, "status.mem-viol", 1, 1, "1: a dword sets TRAPSTS.MEM_VIOL", "9.5", \
      {"dword", 2}, {"generation", 3}) \
    F(STATUS_OOB, "status.buffer-oob", 1, 1, "1: a dword sets TRAPSTS.BUFFER_OOB", \
      "chapter 9, range checking", {"dword", 2}, {"generation", 3}) \
    F(TRACE_DECISION, "trace.decision", 8, 16, \
      "decision on a lane's dword as the outcome has it; from bit 4 on the bytes that are moved", \
      "chapter 9, range checking", {"decision", 3, 16}, {"dword", 2}, {"generation", 3}, {"first", 8}) \
    F(TRACE_ADDRESS, "trace.address", 32, 16, \
      "address of a lane's dword as the outcome has it; lower 32 bits", \
      "chapter 9, range checking", {"decision", 3, 16}, {"dword", 2}, {"generation", 3}, {"first", 32}) \
    F(RUN_END, "run.end", 3, 1, "reason for which the run ends here; 0: it goes on", "microcode formats", \
      {"generation", 3}, {"encoding", 2}, {"op", 8})

#define AMD_POINTS(F) \
    AMD_LOAD_POINTS(F) AMD_STORE_POINTS(F) AMD_CONVERT_POINTS(F) AMD_ATOMIC_POINTS(F) \
    AMD_SCALAR_POINTS(F) AMD_END_POINTS(F) AMD_INSN_POINTS(F) AMD_DESC_POINTS(F) AMD_PLAN_POINTS(F) \
    AMD_LANE_POINTS(F) AMD_CHECK_POINTS(F)
/* clang-format on */

#define AMD_POINT_NUMBER(number, ...) AMD_POINT_##number,
enum { AMD_POINTS(AMD_POINT_NUMBER) AMD_POINT_COUNT };

extern const struct point amd_points[AMD_POINT_COUNT];
extern const struct input_note amd_input_notes[];
/* Names opcodes, and operands of SOFFSET (struct unit). */
void amd_name_value(const struct point *p, const char *input, uint32_t number,
                    const struct known_inputs *known, struct text *t);

#endif
