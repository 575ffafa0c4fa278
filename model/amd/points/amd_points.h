/* SPDX-License-Identifier: MIT */
/*
 * The observation points of buffer instructions. Each row: number, name, width in bits, lanes, what it is,
 * section or table of the "RDNA3" guide, inputs.
 *
 * A wave has 64 lanes and a vector point has 16: a quantity of each lane passes its point once for each 16
 * lanes of which one is active. Quantities of 64 bits pass two points, the low word first.
 */
#ifndef MISPRINT_MODEL_AMD_POINTS_AMD_POINTS_H
#define MISPRINT_MODEL_AMD_POINTS_AMD_POINTS_H

#include "model/rule/point.h"

#define AMD_MICROCODE "microcode formats"

/* clang-format off */
/* The words of the instruction are those that were decoded, before any rule. */
#define AMD_INSN_INPUTS \
    {"generation", 3}, {"encoding", 2}, {"op", 8}, {"word0", 32}, {"word1", 32}, {"word2", 32}, \
    {"offen", 1}, {"idxen", 1}
#define AMD_DESC_INPUTS \
    {"generation", 3}, {"encoding", 2}, {"op", 8}, {"word0", 32}, {"word1", 32}, {"word2", 32}, {"word3", 32}
#define AMD_INDEX_INPUTS \
    {"generation", 3}, {"swizzle", 2}, {"idxen", 1}, {"add-tid", 1}, {"mode", 2}
#define AMD_PLACE_INPUTS \
    {"index", 32, 16}, {"offset", 32, 16}, {"dword", 2}, {"swizzled", 1}, {"stride", 32}

#define AMD_INSN_POINTS(F) \
    F(INSN_OP, "insn.op", 8, 1, "opcode", "tables of opcodes", AMD_INSN_INPUTS) \
    F(INSN_OFFSET, "insn.offset", 24, 1, "OFFSET, in bytes", AMD_MICROCODE, AMD_INSN_INPUTS) \
    F(INSN_OFFEN, "insn.offen", 1, 1, "OFFEN: a VGPR has an offset", AMD_MICROCODE, AMD_INSN_INPUTS) \
    F(INSN_IDXEN, "insn.idxen", 1, 1, "IDXEN: a VGPR has an index", AMD_MICROCODE, AMD_INSN_INPUTS) \
    F(INSN_GLC, "insn.glc", 1, 1, "GLC: an atomic returns the old value", AMD_MICROCODE, AMD_INSN_INPUTS) \
    F(INSN_TFE, "insn.tfe", 1, 1, "TFE: a load writes one more register", AMD_MICROCODE, AMD_INSN_INPUTS) \
    F(INSN_LDS, "insn.lds", 1, 1, "LDS: a load writes LDS (before GFX11)", AMD_MICROCODE, AMD_INSN_INPUTS) \
    F(INSN_VADDR, "insn.vaddr", 8, 1, "VADDR: VGPR of the address", AMD_MICROCODE, AMD_INSN_INPUTS) \
    F(INSN_VDATA, "insn.vdata", 9, 1, "VDATA; of SMEM, SDATA", AMD_MICROCODE, AMD_INSN_INPUTS) \
    F(INSN_SRSRC, "insn.srsrc", 6, 1, "SRSRC: first SGPR of the V# / 4; of SMEM, SBASE: / 2", AMD_MICROCODE, \
      AMD_INSN_INPUTS) \
    F(INSN_SOFFSET, "insn.soffset", 8, 1, "SOFFSET: code of the operand", AMD_MICROCODE, AMD_INSN_INPUTS) \
    F(INSN_FORMAT, "insn.format", 7, 1, "FORMAT of MTBUF; GFX8, GFX9: DFMT | NFMT << 4", AMD_MICROCODE, \
      AMD_INSN_INPUTS) \
    F(INSN_IMM, "insn.imm", 1, 1, "IMM of SMEM (GFX8, GFX9)", AMD_MICROCODE, AMD_INSN_INPUTS) \
    F(INSN_SOFFSET_EN, "insn.soffset-en", 1, 1, "SOFFSET_EN of SMEM (GFX9)", AMD_MICROCODE, AMD_INSN_INPUTS)

#define AMD_DESC_POINTS(F) \
    F(DESC_BASE_LOW, "desc.base-low", 32, 1, "bits 31:0 of BASE", "table 44", AMD_DESC_INPUTS) \
    F(DESC_BASE_HIGH, "desc.base-high", 16, 1, "bits 47:32 of BASE", "table 44", AMD_DESC_INPUTS) \
    F(DESC_STRIDE, "desc.stride", 14, 1, "STRIDE", "table 44", AMD_DESC_INPUTS) \
    F(DESC_SWIZZLE, "desc.swizzle", 2, 1, "SWIZZLE_ENABLE", "table 44", AMD_DESC_INPUTS) \
    F(DESC_NUM_RECORDS, "desc.num-records", 32, 1, "NUM_RECORDS", "table 44", AMD_DESC_INPUTS) \
    F(DESC_DST_SEL_X, "desc.dst-sel-x", 3, 1, "DST_SEL_X", "table 44", AMD_DESC_INPUTS) \
    F(DESC_DST_SEL_Y, "desc.dst-sel-y", 3, 1, "DST_SEL_Y", "table 44", AMD_DESC_INPUTS) \
    F(DESC_DST_SEL_Z, "desc.dst-sel-z", 3, 1, "DST_SEL_Z", "table 44", AMD_DESC_INPUTS) \
    F(DESC_DST_SEL_W, "desc.dst-sel-w", 3, 1, "DST_SEL_W", "table 44", AMD_DESC_INPUTS) \
    F(DESC_FORMAT, "desc.format", 7, 1, "FORMAT; GFX8, GFX9: DATA_FORMAT | NUM_FORMAT << 4", "table 44", \
      AMD_DESC_INPUTS) \
    F(DESC_ELEMENT_SIZE, "desc.element-size", 2, 1, "ELEMENT_SIZE (GFX8): 2 << field bytes", "table 44", \
      AMD_DESC_INPUTS) \
    F(DESC_INDEX_STRIDE, "desc.index-stride", 2, 1, "INDEX_STRIDE: 8 << field indices", "table 44", \
      AMD_DESC_INPUTS) \
    F(DESC_ADD_TID, "desc.add-tid", 1, 1, "ADD_TID_ENABLE", "table 44", AMD_DESC_INPUTS) \
    F(DESC_OOB_SELECT, "desc.oob-select", 2, 1, "OOB_SELECT (from GFX10 on)", "table 46", AMD_DESC_INPUTS) \
    F(DESC_STRIDE_SCALE, "desc.stride-scale", 2, 1, "STRIDE_SCALE (GFX12): 1, 4, 8 or 32 bytes", "table 44", \
      AMD_DESC_INPUTS) \
    F(DESC_TYPE, "desc.type", 2, 1, "TYPE: 0 is a buffer", "table 44", AMD_DESC_INPUTS)

#define AMD_PLAN_POINTS(F) \
    F(OPERAND_SOFFSET, "operand.soffset", 32, 1, "value of SOFFSET, in bytes", "chapter 9, operands", \
      {"generation", 3}, {"encoding", 2}, {"op", 8}, {"code", 8}, {"m0", 32}) \
    F(INDEX_ADD_LANE, "index.add-lane", 1, 1, "1: the lane's number is added to the index", "9.4.2", \
      AMD_INDEX_INPUTS) \
    F(SWIZZLE_WANTED, "swizzle.wanted", 1, 1, "1: the V# asks for a swizzled buffer", "table 47", \
      AMD_INDEX_INPUTS) \
    F(SWIZZLE_ON, "swizzle.on", 1, 1, "1: addresses are swizzled", "9.4.2", AMD_INDEX_INPUTS) \
    F(SWIZZLE_ELEMENT_LOG, "swizzle.element-log", 3, 1, "log2 of the element size in bytes", "table 47", \
      AMD_INDEX_INPUTS, {"bits", 2}) \
    F(STRIDE_HIGH, "stride.high", 4, 1, "bits 17:14 of the stride, from DATA_FORMAT (GFX8, GFX9)", \
      "9.4.2; \"CDNA3\" guide table 45", AMD_INDEX_INPUTS, {"data-format", 4}, {"raw", 1}, {"add-lane", 1}) \
    F(STRIDE_ADDRESS, "stride.address", 32, 1, "stride in addresses, in bytes", "9.4.2", \
      AMD_INDEX_INPUTS, {"element-size", 5}, {"soffset", 32}) \
    F(STRIDE_CHECK, "stride.check", 32, 1, "stride in range checks, in bytes", "table 46", AMD_INDEX_INPUTS)

#define AMD_LANE_POINTS(F) \
    F(LANE_INDEX, "lane.index", 32, 16, "index of a lane", "9.4.2", \
      {"register", 32, 16}, {"thread", 6, 16}, AMD_INDEX_INPUTS, {"stride", 32}) \
    F(LANE_OFFSET, "lane.offset", 32, 16, "offset of a lane, OFFSET included, in bytes", "9.4.2", \
      {"register", 32, 16}, {"index", 32, 16}, {"inst-offset", 32}, {"generation", 3}, {"offen", 1}, \
      {"soffset", 32}) \
    F(PLACE_OFFSET, "place.offset", 32, 16, "offset of the dword's byte that is swizzled", "9.4.2", \
      AMD_PLACE_INPUTS, {"byte", 2}, {"alignment", 2}, {"bytes", 5}) \
    F(PLACE_STEP, "place.step", 32, 16, "bytes from there on, which are not swizzled", "9.4.2", \
      AMD_PLACE_INPUTS, {"byte", 2}, {"element-size", 5}) \
    F(SWIZZLE_GROUP, "swizzle.group", 32, 16, "index / INDEX_STRIDE", "9.4.2", AMD_PLACE_INPUTS) \
    F(SWIZZLE_MEMBER, "swizzle.member", 6, 16, "index % INDEX_STRIDE", "9.4.2", AMD_PLACE_INPUTS) \
    F(SWIZZLE_ELEMENT, "swizzle.element", 32, 16, "offset rounded down to its element, in bytes", "9.4.2", \
      AMD_PLACE_INPUTS) \
    F(SWIZZLE_WITHIN, "swizzle.within", 7, 16, "offset % element size, in bytes", "9.4.2", AMD_PLACE_INPUTS) \
    F(PRODUCT_LOW, "product.low", 32, 16, "index * stride, or group * stride * INDEX_STRIDE", "9.4.2", \
      AMD_PLACE_INPUTS, {"generation", 3}) \
    F(PRODUCT_HIGH, "product.high", 32, 16, "its bits 63:32", "9.4.2", AMD_PLACE_INPUTS, {"generation", 3}) \
    F(PLACE_LOW, "place.low", 32, 16, "byte in the buffer, without BASE and SOFFSET", "9.4.2", \
      AMD_PLACE_INPUTS, {"element-size", 5}, {"index-stride", 7}, {"generation", 3}) \
    F(PLACE_HIGH, "place.high", 32, 16, "its bits 63:32", "9.4.2", \
      AMD_PLACE_INPUTS, {"element-size", 5}, {"index-stride", 7}, {"generation", 3}) \
    F(ADDRESS_LOW, "address.low", 32, 16, "bits 31:0 of the address of a dword", "9.4.2", \
      {"place", 32, 16}, {"sum-high", 32, 16}, {"base-low", 32}, {"base-high", 16}, {"soffset", 32}, \
      {"dword", 2}, {"generation", 3}) \
    F(ADDRESS_HIGH, "address.high", 31, 16, "its bits 47:32; 0 above", "9.4.2", \
      {"place", 32, 16}, {"sum-high", 32, 16}, {"base-low", 32}, {"base-high", 16}, {"soffset", 32}, \
      {"dword", 2}, {"generation", 3})

#define AMD_POINTS(F) AMD_INSN_POINTS(F) AMD_DESC_POINTS(F) AMD_PLAN_POINTS(F) AMD_LANE_POINTS(F)
/* clang-format on */

#define AMD_POINT_NUMBER(number, ...) AMD_POINT_##number,
enum { AMD_POINTS(AMD_POINT_NUMBER) AMD_POINT_COUNT };

extern const struct point amd_points[AMD_POINT_COUNT];

#endif
