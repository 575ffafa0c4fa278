/* SPDX-License-Identifier: MIT */
/* The clauses on alignment, special descriptors, and undefined operands and encodings, one row each.
 * buffer_prepare.c, buffer_lanes.inc.h and unit_buffer.c obey them. */
#include "model/amd/amd_clause_rows.h"

#define ROW(clause) AMD_CLAUSE_##clause - AMD_CLAUSE_FORMAT_END

/* clang-format off */
const struct clause amd_special_clauses[AMD_SPECIAL_CLAUSES] = {
    [ROW(FORMAT_MISALIGN)] = {
        .id = "format-misalign", .title = "operations with a format at an address that is not aligned for it",
        .where = GUIDE "9.5", .silent = true,
        .readings = {
            {"manual", "The operation has a MEMVIOL in modes DWORD_STRICT and STRICT. In other modes it "
             "accesses the unaligned address.", GUIDE
             "9.5: MEMVIOL where the mode does not allow the alignment", EVIDENCE_DOCUMENT},
            {"align-down", "The address is aligned downwards.", "an RDNA 2 recompiler", EVIDENCE_SOURCE},
            {"violates", "The operation has a MEMVIOL in every mode.",
             "Mesa: GFX6 and GFX10 on fault or hang", EVIDENCE_SOURCE},
            {"as-is", "The operation accesses the unaligned address in every mode.",
             "Mesa: GFX7 to GFX9 tolerate it", EVIDENCE_SOURCE},
        },
        CHIPS(AMD_MISALIGN_VIOLATES, AMD_MISALIGN_VIOLATES, AMD_MISALIGN_AS_IS, AMD_MISALIGN_AS_IS),
        .workaround = "Align the address.",
        MODES("allowed", "strict")},
    [ROW(FORMAT_COMPONENT_ALIGN)] = {
        .id = "format-component-align", .title = "the alignment that formats of 8 and 16 bytes need",
        .where = GUIDE "9.5",
        .readings = {
            {"manual", "These formats need an alignment of 4 bytes.", GUIDE "9.5", EVIDENCE_DOCUMENT},
            {"full", "These formats need the alignment of their size.",
             "Mesa aligns fetches to their size on GFX10 on", EVIDENCE_SOURCE},
        },
        .workaround = "Align to the size of the format."},
    [ROW(ATOMIC_ALIGN_MODE)] = {
        .id = "atomic-align-mode", .title = "misaligned atomics in alignment mode DWORD",
        .where = GUIDE "9.5",
        .readings = {
            {"manual", "The atomic has a MEMVIOL, as in every mode.", GUIDE "9.5", EVIDENCE_DOCUMENT},
            {"ignores-low-bits", "The low bits of the address are ignored.",
             "\"RDNA4\" guide, alignment modes", EVIDENCE_DOCUMENT},
        },
        FAMILIES(AMD_ATOMIC_LOW_BITS_IGNORED, READING_MANUAL, READING_MANUAL, READING_MANUAL, READING_MANUAL,
                 READING_MANUAL)},
    [ROW(ATOMIC_COMPONENT_ALIGN)] = {
        .id = "atomic-component-align",
        .title = "atomics whose address is aligned although base, SOFFSET or offset is not",
        .where = GUIDE "9.5",
        .readings = {
            {"manual", "Only the alignment of the sum matters.", GUIDE "9.5", EVIDENCE_DOCUMENT},
            {"parts", "Base, SOFFSET and offset must each be aligned. Otherwise the atomic has a MEMVIOL.",
             "LLVM keeps the parts aligned: atomics misbehave otherwise", EVIDENCE_SOURCE},
        },
        .workaround = "Align base, SOFFSET and offset."},
    [ROW(STRICT_B96)] = {
        .id = "strict-b96", .title = "the alignment of 96-bit accesses in mode STRICT", .where = GUIDE "9.5",
        .silent = true,
        .readings = {
            {"manual", "96-bit accesses need an alignment of 12 bytes, their data size.", GUIDE "9.5",
             EVIDENCE_DOCUMENT},
            {"dword", "96-bit accesses need an alignment of 4 bytes.",
             "argument: the largest power of two in 12", EVIDENCE_ARGUMENT},
            {"16-bytes", "96-bit accesses need an alignment of 16 bytes.", "as for LDS accesses of 96 bits",
             EVIDENCE_ARGUMENT},
        }},
    [ROW(DWORD_MODE_SWIZZLED)] = {
        .id = "dword-mode-swizzled", .title = "what alignment mode DWORD aligns", .where = GUIDE "9.5",
        .readings = {
            {"manual", "The mode aligns the address.", GUIDE "9.5: two LSBs of the byte address are ignored",
             EVIDENCE_DOCUMENT},
            {"offset", "The mode aligns the offset: base and SOFFSET keep their low bits.",
             "argument: hardware that masks early", EVIDENCE_ARGUMENT},
        },
        .workaround = "Align base and SOFFSET."},
    [ROW(GFX9_ALIGNMENT_MODE)] = {
        .id = "gfx9-alignment-mode", .title = "misaligned accesses without a format on GFX8 and GFX9",
        .where = CDNA3 "9.1.7 (CDNA comes from Vega)",
        .readings = {
            {"manual", "16-bit accesses ignore the lowest bit of the address, and larger ones the two "
             "lowest, whatever SH_MEM_CONFIG says.", CDNA3 "9.1.7; CLRX documentation for 16 bits",
             EVIDENCE_DOCUMENT},
            {"by-mode", "SH_MEM_CONFIG.alignment_mode decides, as on RDNA.",
             "the Linux kernel programs mode UNALIGNED from GFX7 on", EVIDENCE_SOURCE},
        },
        CHIPS(READING_MANUAL, READING_MANUAL, AMD_GFX9_BY_MODE, AMD_GFX9_BY_MODE),
        .workaround = "Align the address."},
    [ROW(MEMVIOL_LOAD_VALUE)] = {
        .id = "memviol-load-value", .title = "what a misaligned load returns", .where = GUIDE "9.5",
        .readings = {
            {"manual", "The load returns 0 in all components.", GUIDE "9.5", EVIDENCE_DOCUMENT},
            {"sel-1", "The load returns 1 in components with SEL_1 and 0 in all others, as when out of "
             "range.", "argument: by analogy with loads out of range", EVIDENCE_ARGUMENT},
            {"untouched", "The load returns nothing: registers keep their values.",
             "argument: the wave may be dead", EVIDENCE_ARGUMENT},
        }},
    [ROW(UNBOUND_ADDTID)] = {
        .id = "unbound-addtid", .title = "whether a V# with FORMAT = 0 and ADD_TID_ENABLE is unbound",
        .where = GUIDE "chapter 9, unbound resources",
        .readings = {
            {"manual", "For MUBUF instructions the buffer is bound.", GUIDE "chapter 9, unbound resources",
             EVIDENCE_DOCUMENT},
            {"by-format", "The buffer is unbound, because FORMAT = 0.",
             "argument: on GFX11 FORMAT holds no stride bits any more", EVIDENCE_ARGUMENT},
        }},
    [ROW(UNBOUND_NONFORMAT)] = {
        .id = "unbound-nonformat", .title = "instructions that do not use the V#'s FORMAT, if it is 0",
        .where = GUIDE "chapter 9, unbound resources",
        .readings = {
            {"manual", "The buffer is unbound for these instructions too.",
             GUIDE "chapter 9, unbound resources; drivers on MI300 found raw stores dropped",
             EVIDENCE_SOURCE},
            {"format-ops-only", "These instructions work as if FORMAT were set.",
             "shadPS4, gem5, tinygrad and Multi2Sim do not look at it", EVIDENCE_SOURCE},
        },
        .workaround = "Set FORMAT in every V#."},
    [ROW(UNBOUND_DST_SEL)] = {
        .id = "unbound-dst-sel", .title = "the result of loads through an unbound V# with SEL_1",
        .where = GUIDE "chapter 9, unbound resources",
        .readings = {
            {"manual", "The load returns 0.", GUIDE "chapter 9, unbound resources", EVIDENCE_DOCUMENT},
            {"by-selector", "The load returns 1 in components with SEL_1.", "rocjitsu", EVIDENCE_SOURCE},
        }},
    [ROW(ALL_ZERO_RESOURCE_LEVEL)] = {
        .id = "all-zero-resource-level", .title = "which buffers are unbound on GFX10",
        .where = RDNA2 "unbound resources",
        .readings = {
            {"manual", "A buffer is unbound if FORMAT = 0.", RDNA2 "unbound resources", EVIDENCE_DOCUMENT},
            {"all-zero", "A buffer is unbound if all of its V# is zero, except RESOURCE_LEVEL, as for "
             "images.", "argument: " RDNA2 "has this rule for images", EVIDENCE_ARGUMENT},
        }},
    [ROW(MISMATCH_RETURN)] = {
        .id = "mismatch-return", .title = "loads through a V# whose TYPE is not that of a buffer",
        .where = GUIDE "chapter 9, unbound resources",
        .readings = {
            {"manual", "The load returns nothing: registers keep their values.",
             GUIDE "chapter 9; rocjitsu's CDNA path", EVIDENCE_DOCUMENT},
            {"zero", "The load returns 0.", "argument: as for unbound resources", EVIDENCE_ARGUMENT},
        }},
    [ROW(VGPR_OUT_OF_RANGE)] = {
        .id = "vgpr-out-of-range", .title = "results that go to vector registers beyond those allocated",
        .where = GUIDE "3.3",
        .readings = {
            {"manual", "The instruction acts as if EXEC were 0.", GUIDE "3.3", EVIDENCE_DOCUMENT},
            {"dropped", "Only the results for those registers are lost.", "argument: a check at each write",
             EVIDENCE_ARGUMENT},
        }},
    [ROW(VGPR_GROUP_ALIGN)] = {
        .id = "vgpr-group-align", .title = "an odd first register of two or more on CDNA",
        .where = "no guide that this project uses: LLVM's feature of gfx90a", .silent = true,
        .readings = {
            {"manual", "The encoding is reserved.",
             "LLVM's assembler: vgpr tuples must be 64 bit aligned, on gfx90a and gfx942", EVIDENCE_SOURCE},
            {"as-is", "The registers follow each other, as on Vega.",
             "argument: no bit of the encoding forbids it", EVIDENCE_ARGUMENT},
        },
        .workaround = "Begin at an even register.", MODES("data", "address")},
    [ROW(IOFFSET_NEGATIVE)] = {
        .id = "ioffset-negative", .title = "a negative immediate offset on GFX12",
        .where = "\"RDNA4\" guide, fields of VBUFFER",
        .readings = {
            {"manual", "The encoding is reserved.", "\"RDNA4\" guide: it must not be negative",
             EVIDENCE_DOCUMENT},
            {"wraps", "It is added modulo 2^32, like an offset in a VGPR.",
             "LLVM's assembler accepts 24 bits with a sign", EVIDENCE_ARGUMENT},
        },
        .workaround = "Use a VGPR for a negative offset."},
    [ROW(TFE_BUFFER)] = {
        .id = "tfe-buffer", .title = "the register that TFE adds, if all memory is resident",
        .where = GUIDE "chapter 9, TFE",
        .readings = {
            {"manual", "The register is not written: software clears it before the load.",
             GUIDE "chapter 9, TFE", EVIDENCE_DOCUMENT},
            {"always", "The register becomes 0.", GUIDE "chapter 10, of images", EVIDENCE_DOCUMENT},
        },
        .workaround = "Clear the register before the load."},
    [ROW(BUFFER_OOB_FLAG)] = {
        .id = "buffer-oob-flag", .title = "when TRAPSTS.BUFFER_OOB is set",
        .where = GUIDE "chapter 9, range checking", .silent = true,
        .readings = {
            {"manual", "An access out of range sets the flag, in every mode.",
             RDNA2 "(notes on TRAPSTS); Mesa gfx11.json has the bit", EVIDENCE_SOURCE},
            {"never", "No access sets the flag.", GUIDE "chapter 9 does not mention it", EVIDENCE_ARGUMENT},
        }},
    [ROW(M0_NULL_SWAP)] = {
        .id = "m0-null-swap", .title = "the meaning of operand codes 124 and 125",
        .where = GUIDE "operand codes",
        .readings = {
            {"manual", "On GFX11 they are null and m0, on older generations m0 and null.",
             GUIDE "operand codes; LLVM's assembler", EVIDENCE_SOURCE},
            {"swapped", "On GFX11 they are m0 and null, on older generations null and m0.",
             "an encoder for the other generation", EVIDENCE_ARGUMENT},
        },
        MODES("124", "125")},
    [ROW(SOFFSET_LEGAL_VALUES)] = {
        .id = "soffset-legal-values", .title = "operands that SOFFSET may name",
        .where = GUIDE "chapter 9, operands",
        .readings = {
            {"manual", "SOFFSET may name SGPRs, m0, null and inline constants. A constant counts with its 32 "
             "bits.", GUIDE "chapter 9; rocjitsu", EVIDENCE_DOCUMENT},
            {"flags", "SOFFSET may also name vccz, execz and scc.", "LLVM assembles them", EVIDENCE_SOURCE},
            {"no-constants", "SOFFSET may name only SGPRs, m0 and null.",
             "\"RDNA4\" guide, chapter on buffers", EVIDENCE_DOCUMENT},
        },
        MODES("flag", "constant")},
    [ROW(SRSRC_VCC)] = {
        .id = "srsrc-vcc", .title = "a V# in s104, s105, vcc", .where = GUIDE "chapter 9, operands",
        .silent = true,
        .readings = {
            {"manual", "The V# is read from these registers.", "rocjitsu", EVIDENCE_SOURCE},
            {"refused", "The encoding does not exist, and the instruction is illegal.",
             "LLVM does not decode it", EVIDENCE_SOURCE},
        },
        .workaround = "Put the V# into other SGPRs."},
    [ROW(RESERVED_BITS)] = {
        .id = "reserved-bits", .title = "bits of instructions that belong to no field",
        .where = GUIDE "microcode formats (MUBUF, MTBUF, SMEM)", .silent = true,
        .readings = {
            {"manual", "These bits are ignored.", "LLVM decodes every value of them", EVIDENCE_SOURCE},
            {"refused", "The instruction is illegal.", "argument: a decoder that insists on zeros",
             EVIDENCE_ARGUMENT},
        },
        .workaround = "Leave these bits 0.", MODES("vector", "scalar")},
    [ROW(LLVM_CSUB_GLC)] = {
        .id = "llvm-csub-glc", .title = "BUFFER_ATOMIC_CSUB with GLC = 0",
        .where = GUIDE "pseudo-code of the atomics",
        .readings = {
            {"manual", "The instruction is illegal: GLC must be 1.", GUIDE
             "pseudo-code of the atomics; LLVM 16 refuses it", EVIDENCE_DOCUMENT},
            {"without-return", "The instruction works and returns nothing.", "LLVM 19 accepts it",
             EVIDENCE_SOURCE},
        },
        .workaround = "Set GLC."},
    [ROW(RESERVED_OPCODE)] = {
        .id = "reserved-opcode", .title = "opcodes that no document lists",
        .where = GUIDE "tables of opcodes (MUBUF, MTBUF)", .silent = true,
        .readings = {
            {"manual", "The wave stops with a fault.", "a careful reader's assumption", EVIDENCE_ARGUMENT},
            {"ignored", "The instruction does nothing.", "argument: decoders that skip what they do not know",
             EVIDENCE_ARGUMENT},
        },
        .workaround = "Use listed opcodes only."},
    [ROW(RESERVED_FORMAT)] = {
        .id = "reserved-format", .title = "pairs of data format and number format that no document defines",
        .where = GUIDE "table 52", .silent = true,
        .readings = {
            {"manual", "The format counts as INVALID: loads return 0, stores are dropped.",
             "a careful reader's assumption", EVIDENCE_ARGUMENT},
            {"as-uint", "The format counts as unsigned integers of its layout, or of 32 bits if it has none.",
             "argument: converters that take the rest for integers", EVIDENCE_ARGUMENT},
        },
        .workaround = "Use listed formats only."},
    [ROW(RESERVED_DST_SEL)] = {
        .id = "reserved-dst-sel", .title = "DST_SEL = 2 in a buffer's V#", .where = GUIDE "table 44",
        .silent = true,
        .readings = {
            {"manual", "The component is 0.", "a careful reader's assumption: the code is an image's",
             EVIDENCE_ARGUMENT},
            {"one", "The component is 1.", "PAL calls it N_BC_1", EVIDENCE_SOURCE},
        },
        .workaround = "Use 0, 1 and 4 to 7."},
    [ROW(SCALAR_GROUP_ALIGN)] = {
        .id = "scalar-group-align",
        .title = "scalar register groups that do not begin at a multiple of their size",
        .where = GUIDE "chapter 8", .silent = true,
        .readings = {
            {"manual", "The instruction is illegal.", "the guide wants them aligned", EVIDENCE_ARGUMENT},
            {"aligned-down", "The low bits of the register number are ignored.",
             "LLVM's disassembler prints them so", EVIDENCE_SOURCE},
        },
        .workaround = "Begin register groups at a multiple of their size.",
        MODES("descriptor", "destination")},
};
/* clang-format on */
