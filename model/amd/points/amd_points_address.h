/* SPDX-License-Identifier: MIT */
/* Rows of amd_points.h: fields, operands, addresses, range checks and alignment. amd_points.h says what a row
 * is. */
#ifndef MISPRINT_MODEL_AMD_POINTS_AMD_POINTS_ADDRESS_H
#define MISPRINT_MODEL_AMD_POINTS_AMD_POINTS_ADDRESS_H

#define AMD_MICROCODE "microcode formats"

/* clang-format off */
/* word0, word1, ...: the words of the instruction (AMD_INSN_INPUTS) or of the V# (AMD_DESC_INPUTS) before any
 * rule. */
#define AMD_INSN_INPUTS \
    {"generation", 3}, {"encoding", 2}, {"op", 8}, {"word0", 32}, {"word1", 32}, {"word2", 32}, \
    {"offen", 1}, {"idxen", 1}
#define AMD_FIELD_INPUTS \
    {"generation", 3}, {"encoding", 2}, {"bit", 7}
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
    {"align", 5}, {"unit", 3}, {"generation", 3}, {"first", 32}

#define AMD_PARTS_INPUTS \
    {"generation", 3}, {"dword", 2}, {"element_size", 8}, {"index_stride", 7}, {"stride", 32}

#define AMD_INSN_POINTS(F) \
    F(INSN_ENCODING, "insn.encoding", 2, 1, "encoding of the instruction; 0 MUBUF, 1 MTBUF, 2 SMEM", \
      "microcode formats", \
      {"generation", 3}, {"op", 8}, {"word0", 32}, {"word1", 32}, {"word2", 32}) \
    F(FIELD_WORD, "field.word", 2, 1, \
      "number of the word that holds a part of a field of the instruction; from 0", \
      AMD_MICROCODE, AMD_FIELD_INPUTS) \
    F(FIELD_LOW, "field.low", 5, 1, "lowest bit of a part of a field in its word of the instruction", \
      AMD_MICROCODE, AMD_FIELD_INPUTS) \
    F(FIELD_WIDTH, "field.width", 6, 1, "number of bits of a part of a field of the instruction", \
      AMD_MICROCODE, AMD_FIELD_INPUTS) \
    F(FIELD_BITS, "field.bits", 32, 1, "part of a field of the instruction; moved to bit 0", AMD_MICROCODE, \
      AMD_FIELD_INPUTS, {"word", 32}, {"low", 5}, {"mask", 32}) \
    F(FIELD_JOINED, "field.joined", 32, 1, \
      "field of the instruction after a part joins the parts before it", AMD_MICROCODE, \
      AMD_FIELD_INPUTS, {"joined_before", 32}, {"part", 32}, {"shift", 5}) \
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
    F(RESOURCE_WORD, "resource.word-sgpr", 8, 1, "SGPR that holds a word of the V#", "chapter 9", \
      {"generation", 3}, {"encoding", 2}, {"op", 8}, {"sgpr", 8}, {"number", 2}) \
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

#define AMD_VADDR_INPUTS \
    {"generation", 3}, {"vaddr", 8}, {"idxen", 1}, {"offen", 1}

#define AMD_LANE_POINTS(F) \
    F(INDEX_VGPR, "index.vgpr", 9, 1, "VGPR that holds the index", "9.4.2", AMD_VADDR_INPUTS) \
    F(OFFSET_VGPR, "offset.vgpr", 9, 1, "VGPR that holds the offset", "9.4.2", AMD_VADDR_INPUTS) \
    F(LANE_INDEX, "lane.index", 32, 16, "index of a lane", "9.4.2", \
      {"register", 32, 16}, {"thread", 6, 16}, AMD_INDEX_INPUTS, {"stride", 32}, {"first", 32}) \
    F(LANE_OFFSET, "lane.offset", 32, 16, "offset of a lane with OFFSET; in bytes", "9.4.2", \
      {"register", 32, 16}, {"index", 32, 16}, {"inst_offset", 32}, {"generation", 3}, {"offen", 1}, \
      {"soffset", 32}, {"first", 32}) \
    F(PLACE_INDEX, "place.index", 32, 16, "index of a lane in the address of a dword", "9.4.2", \
      {"offset", 32, 16}, {"dword", 2}, {"swizzled", 1}, {"stride", 32}, {"generation", 3}, {"first", 32}) \
    F(PLACE_OFFSET, "place.offset", 32, 16, "offset of a dword or of its byte that is swizzled", "9.4.2", \
      AMD_OFFSET_INPUTS) \
    F(PLACE_STEP, "place.step", 32, 16, \
      "rest of the offset that is not swizzled; in bytes, signed", "9.4.2", \
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
    F(SWIZZLE_ELEMENT_BYTES, "swizzle.element-bytes", 32, 16, \
      "number of bytes before an element in its group; element * INDEX_STRIDE, lower 32 bits", "9.4.2", \
      {"element", 32, 16}, {"dword", 2}, {"element_size", 8}, {"index_stride", 7}, {"generation", 3}) \
    F(SWIZZLE_MEMBER_BYTES, "swizzle.member-bytes", 32, 16, \
      "number of bytes before a member in its group; member * element size", "9.4.2", \
      {"member", 6, 16}, {"dword", 2}, {"element_size", 8}, {"index_stride", 7}, {"generation", 3}) \
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
      AMD_PLACE_INPUTS, {"generation", 3}, {"element_size", 8}, {"index_stride", 7}) \
    F(PRODUCT_HIGH, "product.high", 32, 16, "upper half of the product of index and stride; bits 63:32", \
      "9.4.2", AMD_PLACE_INPUTS, {"generation", 3}, {"element_size", 8}, {"index_stride", 7}) \
    F(PLACE_LOW, "place.low", 32, 16, \
      "lower half of the byte number in the buffer without BASE, SOFFSET and step", "9.4.2", \
      AMD_PLACE_INPUTS, {"element_size", 5}, {"index_stride", 7}, {"generation", 3}, {"first", 32}) \
    F(PLACE_HIGH, "place.high", 32, 16, \
      "upper half of the byte number in the buffer without BASE, SOFFSET and step", "9.4.2", \
      AMD_PLACE_INPUTS, {"element_size", 5}, {"index_stride", 7}, {"generation", 3}, {"first", 32}) \
    F(ADDRESS_LOW, "address.low", 32, 16, "lower half of the address of a dword; bits 31:0", "9.4.2", \
      {"place", 32, 16}, {"sum_high", 32, 16}, {"base_low", 32}, {"base_high", 16}, {"soffset", 32}, \
      {"dword", 2}, {"generation", 3}, {"first", 32}) \
    F(ADDRESS_HIGH, "address.high", 31, 16, \
      "upper half of the address of a dword; bits 47:32, and 0 above", "9.4.2", \
      {"place", 32, 16}, {"sum_high", 32, 16}, {"base_low", 32}, {"base_high", 16}, {"soffset", 32}, \
      {"dword", 2}, {"generation", 3}, {"first", 32})

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
      "sum that is compared; 0 none, 1 offset, 2 index * stride + offset, 3 swizzled place", "table 46", \
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
      {"index", 32, 16}, {"register", 32, 16}, {"generation", 3}, {"idxen", 1}, {"mode", 3}, \
      {"first", 32}) \
    F(CHECK_LANE_OFFSET, "check.lane-offset", 32, 16, "offset of a lane that is compared", "table 46", \
      {"index", 32, 16}, {"offset", 32, 16}, {"generation", 3}, {"mode", 3}, {"align", 5}, {"stride", 32}, \
      {"first", 32}) \
    F(CHECK_PRODUCT_LOW, "check.product-low", 32, 16, \
      "lower half of the product of index and stride that a check adds to the offset", "table 46", \
      {"index", 32, 16}, {"stride", 32}, {"generation", 3}, {"mode", 3}, {"idxen", 1}) \
    F(CHECK_PRODUCT_HIGH, "check.product-high", 32, 16, \
      "upper half of the product of index and stride that a check adds to the offset", "table 46", \
      {"index", 32, 16}, {"stride", 32}, {"generation", 3}, {"mode", 3}, {"idxen", 1}) \
    F(CHECK_SUM_LOW, "check.sum-low", 32, 16, \
      "lower half of the sum of offset and payload of a lane's dword", "table 46", \
      {"index", 32, 16}, {"offset", 32, 16}, {"place", 32, 16}, {"dword", 2}, {"payload", 5}, {"mode", 3}, \
      {"generation", 3}, {"align", 5}, {"first", 32}) \
    F(CHECK_SUM_HIGH, "check.sum-high", 32, 16, \
      "upper half of the sum of offset and payload of a lane's dword", "table 46", \
      {"index", 32, 16}, {"offset", 32, 16}, {"place", 32, 16}, {"dword", 2}, {"payload", 5}, {"mode", 3}, \
      {"generation", 3}, {"align", 5}, {"first", 32}) \
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
      {"alignment", 2}, {"atomic", 1}, {"generation", 3}, {"first", 1}) \
    F(ALIGN_STEP, "align.step", 5, 16, "number of bytes by which a lane's address is rounded down", "9.5", \
      {"offset", 32, 16}, {"address", 32, 16}, {"align", 5}, {"alignment", 2}, {"generation", 3}, \
      {"down", 1}) \
    F(LANE_DECISION, "lane.decision", 3, 16, \
      "decision on a lane's dword; 1 done, 2 out of range, 3 violation, 4 not resident, 5 nothing moves", \
      "chapter 9", {"offset", 32, 16}, {"address", 32, 16}, {"dword", 2}, {"mode", 3}, {"unit", 3}, \
      {"generation", 3}, {"first", 3}, {"first_dword", 3})
/* clang-format on */

#endif
