/* SPDX-License-Identifier: MIT */
/*
 * The clauses on addresses and range checks, one row each. Where a guide contradicts itself, `manual` is the
 * more specific of its sentences. buffer_prepare.c, buffer_range.c, buffer_address.inc.h and buffer_scalar.c
 * obey them.
 *
 * These matters are known and have no row:
 *
 * - scratch-tid-msb, the sentence on TID / 64 in baseOffset: a case is one wave without a number within a
 *   group. As on hardware, SOFFSET can carry that number.
 *
 * - The order in which loads, stores and atomics of different kinds complete: each instruction of a case
 * waits for the one before, so no outcome depends on it. Lanes that store to one byte in one instruction do
 * show an order, and the byte is undefined.
 *
 * - Image instructions with a buffer's V#: the unit has no image instructions. Clause mismatch-return is
 *   about the reverse, buffer instructions with an image's descriptor.
 *
 * - addr64-leftover, the sentence on 64-bit addresses in two VGPRs: no encoding since GFX8 has ADDR64, so no
 *   word of a case asks for one.
 *
 * - si-ci-soffset-clamp-bug, gfx6-10-11-11, gfx6-x3: GFX6 and GFX7 are not modelled.
 *
 * - Defects of simulators and assemblers that are no reading of a document. (gem5's address sums are those of
 *   buffer-offset-width=manual.)
 *
 * - gfx10-op-split, x3-x4-order, offset12-unsigned: all sources agree on these encodings
 *   (tests/model/amd/test_amd_llvm.c).
 *
 * - d16-ecc on parts without SRAM-ECC; cache and scope bits (GLC of loads, SLC, DLC, LLC_NOALLOC, MTYPE):
 *   they do not affect data.
 *
 * - Modes of buffer-oob-flag: no source says which OOB_SELECT modes set the flag, so a reading is for all
 *   modes.
 *
 * - A reading of swizzle-wide-access that makes the data undefined: a difference in undefined bits is no
 *   discrepancy, so no board could confirm that reading.
 *
 * - The unit of NUM_RECORDS in the PAL driver: PAL divides by the stride before hardware sees the number.
 *
 * - A reading of f32-atomic-denorm that depends on the MODE register: a case has no MODE register.
 *
 * - CDNA's accumulation registers: a case allocates none, so they act like vector registers that are not
 *   allocated.
 */
#include "model/amd/amd_clause_rows.h"

/* clang-format off */
const struct clause amd_address_clauses[AMD_ADDRESS_CLAUSES] = {
    [AMD_CLAUSE_IDXEN_PLUS_ADDTID] = {
        .id = "idxen-plus-addtid",
        .title = "the index of an instruction with IDXEN and a V# with ADD_TID_ENABLE",
        .where = GUIDE "9.4.2 and the chapter's first figure",
        .readings = {
            {"manual", "The index is the VGPR's index plus the thread id.",
             GUIDE "9.4.2: index = (IDXEN ? vgpr_index : 0) + (ADD_TID ? thread_id : 0)", EVIDENCE_DOCUMENT},
            {"idxen-wins", "The VGPR's index replaces the thread id: the lane is not added.",
             ROCJITSU ": index 1, lane 5, stride 32, offset 4, SOFFSET 4 reach 40 on gfx1100 and gfx1201",
             EVIDENCE_STATED},
            {"lane-with-swizzle", "The lane is added to the index only if the buffer is swizzled or IDXEN is "
             "0.", ROCJITSU ", its CDNA path, matched on gfx950", EVIDENCE_STATED},
        },
        CHIPS(AMD_INDEX_IDXEN_WINS, AMD_INDEX_IDXEN_WINS, AMD_INDEX_LANE_WITH_SWIZZLE, READING_MANUAL),
        .proposed = "If IDXEN = 1, the index is that of the VGPR, and thread_id is not added.",
        .workaround = "Do not set both IDXEN and ADD_TID_ENABLE.", MODES("linear", "swizzled")},
    [AMD_CLAUSE_SWIZZLE_WITHOUT_INDEX] = {
        .id = "swizzle-without-index", .title = "swizzling if neither IDXEN nor ADD_TID supplies an index",
        .where = GUIDE "9.4.2",
        .readings = {
            {"manual", "The address is swizzled whenever the V# says so.", GUIDE "9.4.2", EVIDENCE_DOCUMENT},
            {"needs-index", "The address is swizzled only if IDXEN or ADD_TID supplies an index. Otherwise "
             "it is linear.", ROCJITSU ": offset 4, SOFFSET 4 without an index reach 8 on gfx1100 and "
             "gfx1201, not 36", EVIDENCE_STATED},
            {"needs-add-tid", "The address is swizzled only if ADD_TID is set.",
             ROCJITSU ", its CDNA path, matched on gfx950", EVIDENCE_STATED},
        },
        CHIPS(AMD_SWIZZLE_NEEDS_INDEX, AMD_SWIZZLE_NEEDS_INDEX, AMD_SWIZZLE_NEEDS_ADD_TID, READING_MANUAL),
        .proposed = "The address is swizzled if SWIZZLE_ENABLE is not 0 and IDXEN or ADD_TID_ENABLE is 1.",
        MODES("no-index", "idxen")},
    [AMD_CLAUSE_OFFSET_SOFFSET_IN_SWIZZLE] = {
        .id = "offset-soffset-in-swizzle", .title = "SOFFSET in a swizzled address", .where = GUIDE "9.4.2",
        .readings = {
            {"manual", "SOFFSET is part of the base and is never swizzled.", GUIDE "9.4.2; "
             ROCJITSU ": 16-byte elements, index 1, offset 4, SOFFSET 4 reach 24 on gfx1100 and gfx1201",
             EVIDENCE_STATED},
            {"inside", "SOFFSET is added to the offset before the offset is split and swizzled.",
             "\"RDNA4\" guide 9.4.2; shadPS4 does so", EVIDENCE_DOCUMENT},
        }},
    [AMD_CLAUSE_BUFFER_OFFSET_WIDTH] = {
        .id = "buffer-offset-width", .title = "the widths of sums in an address", .where = GUIDE "9.4.2",
        .silent = true,
        .readings = {
            {"manual", "The VGPR's offset + OFFSET wraps at 32 bits. index * stride and all further sums are "
             "wider.", "rocjitsu, which says that it follows hardware", EVIDENCE_SOURCE},
            {"product-32", "index * stride wraps at 32 bits too.",
             "CLRX documentation, GCN: a UINT32 product", EVIDENCE_DOCUMENT},
            {"all-32", "Everything except the base wraps at 32 bits.",
             "tinygrad's emulator; translators that add in 32 bits", EVIDENCE_SOURCE},
        },
        .proposed = "offset + OFFSET is computed modulo 2^32. All else has the width of an address.",
        .workaround = "Keep index * stride below 2^32."},
    [AMD_CLAUSE_RANGE_CHECK_WRAP] = {
        .id = "range-check-wrap", .title = "the width of offset + payload in range checks",
        .where = GUIDE "table 46", .silent = true,
        .readings = {
            {"manual", "The sum does not wrap: offsets near 2^32 are out of range.",
             "rocjitsu and an RDNA 2 recompiler compare so", EVIDENCE_SOURCE},
            {"wraps", "The sum wraps at 32 bits: offsets near 2^32 are in range again.",
             "argument: a 32-bit adder", EVIDENCE_ARGUMENT},
        },
        .proposed = "The sum is not truncated."},
    [AMD_CLAUSE_ADDRESS_ABOVE_48_BITS] = {
        .id = "address-above-48-bits", .title = "addresses beyond 2^48", .where = GUIDE "9.4.2",
        .silent = true,
        .readings = {
            {"manual", "The address is cut to 48 bits.", "a careful reader's assumption: BASE has 48 bits",
             EVIDENCE_ARGUMENT},
            {"kept", "The bits above are kept, and the access reaches no memory.",
             "argument: the memory system faults on addresses that are not canonical", EVIDENCE_ARGUMENT},
        },
        .workaround = "Keep buffers below 2^47."},
    [AMD_CLAUSE_SWIZZLED_OFFSET_WRAP] = {
        .id = "swizzled-offset-wrap",
        .title = "a swizzled access whose later dwords have offsets of 2^32 and more", .where = GUIDE "9.4.2",
        .silent = true,
        .readings = {
            {"manual", "The offsets wrap at 32 bits, as offset + OFFSET does.",
             "a careful reader's assumption: each dword is an access of its own", EVIDENCE_ARGUMENT},
            {"walks-on", "The offsets do not wrap: the access continues with the next elements.",
             "rocjitsu takes one step of element size * INDEX_STRIDE for each element", EVIDENCE_SOURCE},
        },
        CHIPS(AMD_OFFSET_WALKS_ON, AMD_OFFSET_WALKS_ON, AMD_OFFSET_WALKS_ON, READING_MANUAL),
        .workaround = "Keep offsets far below 2^32."},
    [AMD_CLAUSE_OOB_PAYLOAD_PER_DWORD] = {
        .id = "oob-payload-per-dword",
        .title = "range checks of loads and stores of several dwords without a format",
        .where = GUIDE "chapter 9, range checking",
        .readings = {
            {"manual", "Each dword is checked separately, with a payload of 4 bytes.",
             GUIDE "chapter 9, range checking; " ROCJITSU
             ": stride 8, 128 bits at 0 return 1 2 0 0 on gfx1100 and gfx1201; LLVM's pull request 132981",
             EVIDENCE_STATED},
            {"whole", "The payload is all that the instruction transfers: either all of it is in range or "
             "nothing is.", GUIDE "chapter 9, range checking: \"payload is the number of bytes the "
             "instruction transfers\"", EVIDENCE_DOCUMENT},
        }},
    [AMD_CLAUSE_MODE0_SOFFSET] = {
        .id = "mode0-soffset", .title = "SOFFSET in the offset check of OOB_SELECT 0",
        .where = GUIDE "9.4.2; chapter 9, table 46",
        .readings = {
            {"manual", "SOFFSET is not part of the checked offset, because it belongs to the base.",
             GUIDE "9.4.2; " ROCJITSU ": stride 8, SOFFSET 4, offset 4 return 3 0 0 0 on gfx1100 and gfx1201",
             EVIDENCE_STATED},
            {"included", "SOFFSET is part of the checked offset.", GUIDE "chapter 9 lists SGPRs among the "
             "sources of offsets; table 46 does not say which offset it means", EVIDENCE_DOCUMENT},
        },
        .proposed = "SOFFSET is not part of the checked offset in modes 0, 1 and 2."},
    [AMD_CLAUSE_MODE3_SOFFSET] = {
        .id = "mode3-soffset", .title = "SOFFSET in the offset check of OOB_SELECT 3",
        .where = GUIDE "table 46",
        .readings = {
            {"manual", "The limit is NUM_RECORDS - SOFFSET, and 0 if SOFFSET is the larger one.",
             GUIDE "table 46; " ROCJITSU ": NUM_RECORDS 17, SOFFSET 4 return 2 3 4 0 on gfx1100 and gfx1201",
             EVIDENCE_STATED},
            {"ignored", "SOFFSET has no effect on the check.",
             "Mesa ac_descriptors.c, the comment on GFX11's modes", EVIDENCE_SOURCE},
            {"underflow", "NUM_RECORDS - SOFFSET wraps: if SOFFSET is larger, the limit becomes huge.",
             "gem5 arch/amdgpu/vega does so for Vega", EVIDENCE_SOURCE},
        },
        MODES("within", "beyond-num-records")},
    [AMD_CLAUSE_MODE3_INDEX_LIMIT] = {
        .id = "mode3-index-limit", .title = "the index check of OOB_SELECT 3 on swizzled buffers",
        .where = GUIDE "table 46",
        .readings = {
            {"manual", "index >= NUM_RECORDS - SOFFSET is out of range, although this subtracts bytes from "
             "records.", GUIDE "table 46, taken literally; rocjitsu's newest revision", EVIDENCE_DOCUMENT},
            {"num-records", "index >= NUM_RECORDS is out of range.", "an older revision of rocjitsu",
             EVIDENCE_SOURCE},
        },
        .workaround = "Use SOFFSET 0 with such buffers."},
    [AMD_CLAUSE_MODE3_SWIZZLE_EFFECTIVE] = {
        .id = "mode3-swizzle-effective", .title = "which accesses OOB_SELECT 3 checks as structured",
        .where = GUIDE "table 46",
        .readings = {
            {"manual", "Accesses through a V# whose SWIZZLE_ENABLE and STRIDE are not 0 are checked as "
             "structured.", GUIDE "table 46", EVIDENCE_DOCUMENT},
            {"needs-index", "Accesses through a V# whose SWIZZLE_ENABLE and STRIDE are not 0 are checked as "
             "structured if they have IDXEN or ADD_TID.", "rocjitsu passes the swizzle that is in effect",
             EVIDENCE_SOURCE},
        },
        CHIPS(AMD_MODE3_SWIZZLE_NEEDS_INDEX, AMD_MODE3_SWIZZLE_NEEDS_INDEX, READING_MANUAL, READING_MANUAL)},
    [AMD_CLAUSE_MODE1_CALLED_RAW] = {
        .id = "mode1-called-raw", .title = "the meaning of OOB_SELECT 1", .where = GUIDE "table 46",
        .readings = {
            {"manual", "index >= NUM_RECORDS is out of range, as the equation of the mode says.",
             GUIDE "table 46, the equation; Mesa and PAL use it so", EVIDENCE_SOURCE},
            {"raw-check", "offset + payload > NUM_RECORDS is out of range, as the label \"raw buffers\" of "
             "the mode suggests.", GUIDE "table 46, the label", EVIDENCE_DOCUMENT},
        },
        .proposed = "The label of mode 1 is wrong: mode 3 is the one for raw buffers."},
    [AMD_CLAUSE_RAW_STRIDE_IGNORED] = {
        .id = "raw-stride-ignored",
        .title = "STRIDE * index in the address of a raw buffer (OOB_SELECT 3, no swizzle)",
        .where = GUIDE "9.4.1", .silent = true,
        .readings = {
            {"manual", "STRIDE * index is added to the address. Only the range check ignores it.",
             "rocjitsu adds it", EVIDENCE_SOURCE},
            {"ignored", "STRIDE * index is left out of the address: \"for raw buffers the stride is "
             "ignored\".", GUIDE "9.4.1", EVIDENCE_DOCUMENT},
        },
        .workaround = "Use STRIDE 0 for raw buffers."},
    [AMD_CLAUSE_MODE3_INDEX_NOT_IN_CHECK] = {
        .id = "mode3-index-not-in-check",
        .title = "index * STRIDE in the check of OOB_SELECT 3 without swizzle", .where = GUIDE "table 46",
        .readings = {
            {"manual", "Only the offset is compared with NUM_RECORDS.", GUIDE
             "table 46; rocjitsu's RDNA 3 path", EVIDENCE_DOCUMENT},
            {"included", "index * STRIDE + offset is compared with NUM_RECORDS.",
             "rocjitsu's path for RDNA 1 and 2", EVIDENCE_SOURCE},
        }},
    [AMD_CLAUSE_MODE0_STRIDE0] = {
        .id = "mode0-stride0", .title = "OOB_SELECT 0 with STRIDE 0", .where = GUIDE "table 46",
        .readings = {
            {"manual", "Everything is out of range, because offset + payload > 0 always holds.",
             GUIDE "table 46; a comment in AMD's compiler says so too", EVIDENCE_SOURCE},
            {"bytes", "offset >= NUM_RECORDS is out of range. The index has no effect.",
             "rocjitsu's path for RDNA 1 and 2", EVIDENCE_SOURCE},
        },
        .workaround = "Use mode 3 with STRIDE 0."},
    [AMD_CLAUSE_NUM_RECORDS_UNIT] = {
        .id = "num-records-unit", .title = "the unit of NUM_RECORDS",
        .where = GUIDE "tables 44, 46, 47, 9.4.1.1",
        .readings = {
            {"manual", "NUM_RECORDS counts records where OOB_SELECT compares it with an index, and bytes "
             "where it compares it with an offset.", GUIDE "table 46", EVIDENCE_DOCUMENT},
            {"bytes-unless-swizzled", "The unit is bytes if STRIDE = 0 or the buffer is not swizzled, also "
             "in an equation that compares an index.", GUIDE "table 44", EVIDENCE_DOCUMENT},
            {"records-if-stride", "The unit is records if STRIDE >= 1, also in an equation that compares an "
             "offset.", GUIDE "table 47", EVIDENCE_DOCUMENT},
        },
        .proposed = "Drop the unit from tables 44 and 47: the equation of the mode implies it.",
        MODES("index", "offset")},
    [AMD_CLAUSE_GFX8_NUM_RECORDS_BYTES] = {
        .id = "gfx8-num-records-bytes", .title = "NUM_RECORDS on GFX8 with STRIDE but without swizzle",
        .where = GCN,
        .readings = {
            {"manual", "NUM_RECORDS counts bytes.",
             "radv divides by the stride on every generation but GFX8; radeonsi's commits on VI",
             EVIDENCE_SOURCE},
            {"records", "NUM_RECORDS counts records, as on GFX6 and GFX7.",
             "CLRX documentation, GCN 1.0 and 1.1", EVIDENCE_DOCUMENT},
        }},
    [AMD_CLAUSE_GFX8_SOFFSET_LIMIT] = {
        .id = "gfx8-soffset-limit", .title = "a SOFFSET larger than NUM_RECORDS on GFX8", .where = GCN,
        .silent = true,
        .readings = {
            {"manual", "NUM_RECORDS - SOFFSET is then 0, and everything is out of range.",
             "CLRX documentation, GCN", EVIDENCE_DOCUMENT},
            {"underflow", "NUM_RECORDS - SOFFSET wraps, and nothing is out of range.",
             "gem5 arch/amdgpu/vega", EVIDENCE_SOURCE},
        },
        MODES("within", "beyond-num-records")},
    [AMD_CLAUSE_GFX9_IDXEN_DECIDES] = {
        .id = "gfx9-idxen-decides", .title = "when GFX9 checks an access in records instead of bytes",
        .where = CDNA3 "9.1.5.1 (CDNA comes from Vega)",
        .readings = {
            {"manual", "An access with IDXEN is checked in records. Without IDXEN, the same V# is checked in "
             "bytes.", CDNA3 "9.1.5.1; LLVM's review D44401 relies on it", EVIDENCE_SOURCE},
            {"stride-decides", "Only STRIDE decides. An access without an index counts as index 0.",
             "CLRX documentation, GCN 1.0 and 1.1", EVIDENCE_DOCUMENT},
            {"table-45", "An access with IDXEN is checked in bytes, and one without IDXEN in records.",
             CDNA3 "table 45: \"(inst_idxen == 1) ? Bytes : Stride\"", EVIDENCE_DOCUMENT},
        },
        .proposed = "Exchange \"Bytes\" and \"Stride\" in table 45.",
        .workaround = "Do not replace a zero index by IDXEN = 0.", MODES("without-idxen", "idxen")},
    [AMD_CLAUSE_GFX9_RAW_PAYLOAD] = {
        .id = "gfx9-raw-payload", .title = "the range check of raw buffers on GFX9",
        .where = CDNA3 "9.1.5.1 (CDNA comes from Vega)",
        .readings = {
            {"manual", "A dword is in range if its first byte is before NUM_RECORDS. SOFFSET has no effect "
             "on the check.", CDNA3 "9.1.5.1", EVIDENCE_DOCUMENT},
            {"dword-end", "offset + SOFFSET + payload > NUM_RECORDS is out of range.",
             "rocjitsu, matched on gfx950 (pull request 10928); LLVM's pull requests 132981 and 134734: of 8 "
             "bytes, the dword at 6 is out of range", EVIDENCE_STATED},
        },
        CHIPS(READING_MANUAL, READING_MANUAL, AMD_GFX9_RAW_DWORD_END, READING_MANUAL),
        .proposed = "A dword of a raw buffer is out of range if offset + SOFFSET + 4 > NUM_RECORDS."},
    [AMD_CLAUSE_GFX9_STRUCTURED_OFFSET] = {
        .id = "gfx9-structured-offset",
        .title = "the offset in the range check of structured buffers on GFX9",
        .where = CDNA3 "9.1.5.1 (CDNA comes from Vega)",
        .readings = {
            {"manual", "Only the index is checked. The offset may exceed STRIDE.",
             CDNA3 "9.1.5.1; rocjitsu on gfx950", EVIDENCE_DOCUMENT},
            {"offset-too", "offset >= STRIDE is out of range too.", "documents on GCN 3", EVIDENCE_DOCUMENT},
        }},
    [AMD_CLAUSE_GFX9_CHECKED_INDEX] = {
        .id = "gfx9-checked-index",
        .title = "the index that GFX9 checks if the lane is added to a VGPR's index",
        .where = CDNA3 "9.1.5.1 (CDNA comes from Vega)", .silent = true,
        .readings = {
            {"manual", "The checked index is that of the address, with the lane added.",
             CDNA3 "9.1.5 has one index", EVIDENCE_DOCUMENT},
            {"vgpr", "The checked index is the VGPR's alone: the lane is added after the check.",
             "rocjitsu, its CDNA path", EVIDENCE_SOURCE},
        },
        CHIPS(READING_MANUAL, READING_MANUAL, AMD_GFX9_VGPR_INDEX, READING_MANUAL)},
    [AMD_CLAUSE_STRIDE_CHOOSES_CHECK] = {
        .id = "stride-chooses-check",
        .title = "the stride that chooses between range checks in records and in bytes on GFX8 and GFX9",
        .where = CDNA3 "9.1.5.1 and table 45", .silent = true,
        .readings = {
            {"manual", "The stride of the address chooses, with bits 17:14 if DATA_FORMAT holds them.",
             "a careful reader's assumption: a V# has one stride", EVIDENCE_ARGUMENT},
            {"14-bits", "The field STRIDE chooses: if it is 0, the buffer is raw, whatever DATA_FORMAT adds.",
             "rocjitsu, its CDNA path; gem5 arch/amdgpu/vega", EVIDENCE_SOURCE},
        },
        CHIPS(READING_MANUAL, READING_MANUAL, AMD_CHOOSES_14_BITS, AMD_CHOOSES_14_BITS)},
    [AMD_CLAUSE_GFX6_IDXEN_OFFSET_TEST] = {
        .id = "gfx6-idxen-offset-test",
        .title = "the offset test of GFX6 to GFX8 for accesses without an index", .where = GCN,
        .readings = {
            {"manual", "offset >= STRIDE is out of range in every swizzled buffer.",
             "gem5 arch/amdgpu does so", EVIDENCE_SOURCE},
            {"needs-index", "The test is made only with IDXEN or ADD_TID.", "CLRX documentation",
             EVIDENCE_DOCUMENT},
        }},
    [AMD_CLAUSE_GFX10_OOB3] = {
        .id = "gfx10-oob3", .title = "the range check of OOB_SELECT 3 on GFX10",
        .where = RDNA2 "buffer range checks", .silent = true,
        .readings = {
            {"manual", "The check is that of GFX11: offset + payload > NUM_RECORDS - SOFFSET is out of "
             "range; if the buffer is swizzled, index and stride are checked.",
             "an RDNA 2 recompiler; rocMLIR", EVIDENCE_SOURCE},
            {"mesa", "With SWIZZLE_ENABLE, a swizzled address >= NUM_RECORDS is out of range. Otherwise "
             "offset >= NUM_RECORDS is out of range, without a payload.", "Mesa ac_descriptors.c",
             EVIDENCE_SOURCE},
        },
        MODES("linear", "swizzled")},
    [AMD_CLAUSE_GFX10_OOB0_PAYLOAD] = {
        .id = "gfx10-oob0-payload", .title = "the payload in OOB_SELECT 0 on GFX10",
        .where = RDNA2 "buffer range checks", .silent = true,
        .readings = {
            {"manual", "offset + payload > STRIDE is out of range.", "as on GFX11", EVIDENCE_ARGUMENT},
            {"first-byte", "offset >= STRIDE is out of range.",
             "Mesa ac_descriptors.c; rocjitsu's path for RDNA 1 and 2", EVIDENCE_SOURCE},
            {"formats-only", "The payload counts for accesses with a format, not for dwords.",
             "an RDNA 2 recompiler", EVIDENCE_SOURCE},
        },
        CHIPS(READING_MANUAL, AMD_GFX10_OOB0_FIRST_BYTE, READING_MANUAL, READING_MANUAL),
        MODES("dwords", "format")},
    [AMD_CLAUSE_COMPONENT_VS_WHOLE] = {
        .id = "component-vs-whole", .title = "loads and stores with a format that are partly out of range",
        .where = GUIDE "chapter 9, range checking",
        .readings = {
            {"manual", "FORMAT operations happen completely or not at all.",
             GUIDE "chapter 9, range checking; rocjitsu's test of a 12-byte format", EVIDENCE_SOURCE},
            {"per-dword", "For MUBUF instructions, only the parts out of range return zero.",
             GUIDE "chapter 9, range checking, its second sentence taken to mean BUFFER_LOAD_FORMAT as well",
             EVIDENCE_DOCUMENT},
        },
        .proposed = "Say that the sentence on components means MUBUF instructions without a format."},
    [AMD_CLAUSE_OOB_ATOMIC_RETURN] = {
        .id = "oob-atomic-return", .title = "what an atomic that is out of range returns",
        .where = GUIDE "chapter 9, range checking", .silent = true,
        .readings = {
            {"manual", "The atomic returns 0, as loads do.", "a careful reader's assumption",
             EVIDENCE_ARGUMENT},
            {"unchanged", "The atomic returns nothing: the register keeps its value.",
             "argument: the operation is dropped", EVIDENCE_ARGUMENT},
        }},
    [AMD_CLAUSE_SMEM_STRIDE_16BIT] = {
        .id = "smem-stride-16bit", .title = "the stride that the range check of S_BUFFER_LOAD uses",
        .where = GUIDE "8.1.2",
        .readings = {
            {"manual", "The stride is bits 31:16 of the V#'s second word, which include swizzle bits.",
             GUIDE "8.1.2, its pseudo-code", EVIDENCE_DOCUMENT},
            {"14-bits", "The stride is the field STRIDE.", "an RDNA 2 recompiler", EVIDENCE_SOURCE},
        },
        CHIPS(AMD_SMEM_STRIDE_14, AMD_SMEM_STRIDE_14, AMD_SMEM_STRIDE_14, AMD_SMEM_STRIDE_14),
        .proposed = "m_stride = V#[61:48]."},
    [AMD_CLAUSE_SMEM_DWORD_MASK] = {
        .id = "smem-dword-mask", .title = "the low bits of base and offset of S_BUFFER_LOAD",
        .where = GUIDE "8.1.2",
        .readings = {
            {"manual", "The low bits of both are dropped before the sum.", GUIDE "8.1.2, its pseudo-code",
             EVIDENCE_DOCUMENT},
            {"sum-first", "The low bits of the sum are dropped.", GUIDE
             "8.1.2, its sentence, without that on the base", EVIDENCE_DOCUMENT},
        },
        .workaround = "Keep base and offset multiples of 4."},
    [AMD_CLAUSE_SMEM_PARTIAL_DWORD] = {
        .id = "smem-partial-dword", .title = "S_BUFFER_LOAD of a dword that is partly out of range",
        .where = GUIDE "8.4.1",
        .readings = {
            {"manual", "The dword is in range if its first byte is.", GUIDE
             "8.4.1: out of range if offset >= limit", EVIDENCE_DOCUMENT},
            {"whole-dword", "The dword is out of range.", "an RDNA 2 recompiler wants offset + 4 <= size",
             EVIDENCE_SOURCE},
        },
        .workaround = "Round NUM_RECORDS up to a multiple of 4."},
    [AMD_CLAUSE_SMEM_RDNA2_SIZE] = {
        .id = "smem-rdna2-size", .title = "the size of a buffer for S_BUFFER_LOAD", .where = GUIDE "8.1.2",
        .readings = {
            {"manual", "The size is (STRIDE = 0 ? 1 : STRIDE) * NUM_RECORDS.",
             GUIDE "8.1.2; confirmed with games by a console emulator", EVIDENCE_SOURCE},
            {"rdna2", "The size is STRIDE = 0 ? 1 : NUM_RECORDS.", RDNA2 "7.2.1", EVIDENCE_DOCUMENT},
        }},
    [AMD_CLAUSE_SMEM_SEL1_NOTE] = {
        .id = "smem-sel1-note", .title = "S_BUFFER_LOAD out of range through a V# whose DST_SEL_X is SEL_1",
        .where = GUIDE "8.4.1",
        .readings = {
            {"manual", "The load returns 0: scalar loads have no component selection.", GUIDE "8.4.1",
             EVIDENCE_DOCUMENT},
            {"sel-1", "The load returns 1.", GUIDE "8.4.1, the note copied from vector loads",
             EVIDENCE_DOCUMENT},
        },
        .proposed = "Drop the note: it belongs to vector loads."},
    [AMD_CLAUSE_SMEM_GEM5_CLAMP] = {
        .id = "smem-gem5-clamp", .title = "what S_BUFFER_LOAD returns if a part is out of range",
        .where = GUIDE "8.4.1",
        .readings = {
            {"manual", "Each dword is checked separately, and those out of range are 0.", GUIDE "8.4.1",
             EVIDENCE_DOCUMENT},
            {"clamped", "The offset is limited to the buffer's size, and the load returns what is there.",
             "gem5 arch/amdgpu/vega, operands of SMEM", EVIDENCE_SOURCE},
        }},
    [AMD_CLAUSE_SWIZZLE_WIDE_ACCESS] = {
        .id = "swizzle-wide-access", .title = "a swizzled access of more bytes than an element or a dword",
        .where = GUIDE "9.4.2", .silent = true,
        .readings = {
            {"manual", "The access continues linearly from its first byte.",
             "\"RDNA4\" guide, its note on 16-byte elements; an RDNA 2 recompiler", EVIDENCE_DOCUMENT},
            {"per-unit", "Each dword is swizzled separately.", "rocjitsu, its RDNA and CDNA paths",
             EVIDENCE_SOURCE},
        },
        CHIPS(AMD_WIDE_PER_UNIT, AMD_WIDE_PER_UNIT, AMD_WIDE_PER_UNIT, READING_MANUAL),
        .workaround = "Access at most one element at a time."},
    [AMD_CLAUSE_SWIZZLE_UNALIGNED] = {
        .id = "swizzle-unaligned", .title = "a swizzled access whose offset is not a multiple of a dword",
        .where = GUIDE "9.4.2", .silent = true,
        .readings = {
            {"manual", "The dword begins where the equation says, and its bytes follow each other.",
             GUIDE "9.4.2: the equation has offset_lsb", EVIDENCE_DOCUMENT},
            {"byte-exact", "Each byte is swizzled separately.", "rocjitsu", EVIDENCE_SOURCE},
            {"dword-aligned", "The low bits of the offset are ignored.", GUIDE
             "9.4.2: accesses must be dword aligned", EVIDENCE_ARGUMENT},
        },
        .workaround = "Use offsets that are multiples of 4."},
    [AMD_CLAUSE_STRIDE_NOT_MULTIPLE] = {
        .id = "stride-not-multiple",
        .title = "a swizzled buffer whose STRIDE is not a multiple of the element size",
        .where = GUIDE "9.4.2", .silent = true,
        .readings = {
            {"manual", "The equation holds unchanged.", GUIDE "9.4.2; rocjitsu", EVIDENCE_SOURCE},
            {"rounded-up", "STRIDE counts as the next multiple of the element size.",
             "argument: what is swizzled is a whole number of elements", EVIDENCE_ARGUMENT},
        },
        .workaround = "Use a STRIDE that is a multiple of the element size."},
    [AMD_CLAUSE_SWIZZLE_ENABLE_2] = {
        .id = "swizzle-enable-2", .title = "the effect of SWIZZLE_ENABLE = 2", .where = GUIDE "table 47",
        .silent = true,
        .readings = {
            {"manual", "The buffer is not swizzled.", GUIDE "table 47 reserves it", EVIDENCE_ARGUMENT},
            {"element-4", "The buffer is swizzled with elements of 4 bytes, as for SWIZZLE_ENABLE = 1.",
             "rocjitsu", EVIDENCE_SOURCE},
        },
        CHIPS(AMD_SWIZZLE_2_IS_4_BYTES, READING_MANUAL, READING_MANUAL, READING_MANUAL),
        .workaround = "Use only the other values."},
    [AMD_CLAUSE_ELEMENT_SIZE_GFX9_GFX10] = {
        .id = "element-size-gfx9-gfx10", .title = "the element size of swizzled buffers on GFX9 and GFX10",
        .where = CDNA3 "and " RDNA2 "tables of the V#",
        .readings = {
            {"manual", "Elements have 4 bytes: the V# has no field for another size.",
             "the tables of the V#; rocjitsu, an RDNA 2 recompiler", EVIDENCE_SOURCE},
            {"bits-116-115", "Elements have 2 << bits 116:115 bytes, as on GFX8.", "gem5 arch/amdgpu/vega; "
             CDNA3 "still lists const_element_size", EVIDENCE_SOURCE},
        }},
    [AMD_CLAUSE_OFFSET_BEYOND_STRIDE_SWIZZLED] = {
        .id = "offset-beyond-stride-swizzled",
        .title = "an offset beyond STRIDE in a swizzled buffer under OOB_SELECT 1 and 2",
        .where = GUIDE "table 46", .silent = true,
        .readings = {
            {"manual", "The access is in range: the equation reaches into another group of records.",
             GUIDE "table 46", EVIDENCE_DOCUMENT},
            {"out-of-range", "The access is out of range.", "argument: modes 0 and 3 say so",
             EVIDENCE_ARGUMENT},
        },
        MODES("mode-1", "mode-2")},
    [AMD_CLAUSE_CHECK_VS_ALIGN_ORDER] = {
        .id = "check-vs-align-order",
        .title = "whether an offset is range-checked before or after it is aligned",
        .where = GUIDE "chapter 9, range checking; 9.5", .silent = true,
        .readings = {
            {"manual", "The offset is checked before it is aligned.", "rocjitsu and an RDNA 2 recompiler",
             EVIDENCE_SOURCE},
            {"after", "The offset is checked after it is aligned, so the check applies to the bytes "
             "accessed.", "argument", EVIDENCE_ARGUMENT},
        }},
    [AMD_CLAUSE_SUBDWORD_PAYLOAD] = {
        .id = "subdword-payload", .title = "the payload of 8- and 16-bit accesses",
        .where = GUIDE "chapter 9, range checking",
        .readings = {
            {"manual", "The payload is 1 byte for 8-bit accesses and 2 bytes for 16-bit accesses.",
             "follows from the definition of payload", EVIDENCE_DOCUMENT},
            {"dword", "The payload is 4 bytes: the last bytes of a buffer cannot be reached.",
             "argument: hardware that checks dwords", EVIDENCE_ARGUMENT},
        }},
    [AMD_CLAUSE_D16_PAYLOAD] = {
        .id = "d16-payload", .title = "the payload of D16 operations with a format",
        .where = GUIDE "chapter 9, range checking",
        .readings = {
            {"manual", "The payload is the size of the format in memory.", GUIDE
             "chapter 9, range checking: bytes transferred", EVIDENCE_DOCUMENT},
            {"register", "The payload is two bytes for each component, as in the registers.", "argument",
             EVIDENCE_ARGUMENT},
        }},
    [AMD_CLAUSE_STRIDE_18_BIT] = {
        .id = "stride-18-bit", .title = "bits 17:14 of the stride on GFX8 and GFX9 with ADD_TID",
        .where = CDNA3 "table 45",
        .readings = {
            {"manual", "DATA_FORMAT holds these bits for MUBUF instructions without a format.",
             CDNA3 "table 45; Mesa", EVIDENCE_DOCUMENT},
            {"all", "DATA_FORMAT holds these bits for all instructions.", "gem5 arch/amdgpu/vega",
             EVIDENCE_SOURCE},
            {"never", "The stride has 14 bits.", "argument: as on GFX10", EVIDENCE_ARGUMENT},
            {"with-lane", "DATA_FORMAT holds these bits for MUBUF instructions without a format, if the lane "
             "is added to the index.", ROCJITSU ", its CDNA path, matched on gfx950", EVIDENCE_STATED},
        },
        CHIPS(READING_MANUAL, READING_MANUAL, AMD_STRIDE_18_LANE, READING_MANUAL), MODES("raw", "format")},
};
/* clang-format on */
