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
            {"manual", "MEMVIOL in modes DWORD_STRICT and STRICT; else they access what the address says",
             GUIDE "9.5: MEMVIOL where the mode does not allow the alignment",
             EVIDENCE_DOCUMENT},
            {"align-down", "the address is aligned downwards", "an RDNA 2 recompiler", EVIDENCE_SOURCE},
            {"violates", "MEMVIOL in every mode", "Mesa: GFX6 and GFX10 on fault or hang", EVIDENCE_SOURCE},
            {"as-is", "they access what the address says in every mode", "Mesa: GFX7 to GFX9 tolerate it",
             EVIDENCE_SOURCE},
        },
        CHIPS(AMD_MISALIGN_VIOLATES, AMD_MISALIGN_VIOLATES, AMD_MISALIGN_AS_IS, AMD_MISALIGN_AS_IS),
        .workaround = "align",
        MODES("allowed", "strict")},
    [ROW(FORMAT_COMPONENT_ALIGN)] = {
        .id = "format-component-align", .title = "the alignment that formats of 8 and 16 bytes need",
        .where = GUIDE "9.5",
        .readings = {
            {"manual", "4 bytes", GUIDE "9.5", EVIDENCE_DOCUMENT},
            {"full", "their size", "Mesa aligns fetches to their size on GFX10 on", EVIDENCE_SOURCE},
        },
        .workaround = "align"},
    [ROW(ATOMIC_ALIGN_MODE)] = {
        .id = "atomic-align-mode", .title = "misaligned atomics in alignment mode DWORD",
        .where = GUIDE "9.5",
        .readings = {
            {"manual", "MEMVIOL, as in every mode", GUIDE "9.5", EVIDENCE_DOCUMENT},
            {"ignores-low-bits", "the low bits of the address are ignored",
             "\"RDNA4\" guide, alignment modes", EVIDENCE_DOCUMENT},
        }},
    [ROW(ATOMIC_COMPONENT_ALIGN)] = {
        .id = "atomic-component-align", .title = "atomics whose address is aligned but whose parts are not",
        .where = GUIDE "9.5",
        .readings = {
            {"manual", "only the sum counts", GUIDE "9.5", EVIDENCE_DOCUMENT},
            {"parts", "each of base, SOFFSET and offset must be aligned, else MEMVIOL",
             "LLVM keeps the parts aligned: atomics misbehave otherwise", EVIDENCE_SOURCE},
        },
        .workaround = "align the parts"},
    [ROW(STRICT_B96)] = {
        .id = "strict-b96", .title = "the alignment of 96-bit accesses in mode STRICT", .where = GUIDE "9.5",
        .silent = true,
        .readings = {
            {"manual", "12 bytes: the data size", GUIDE "9.5", EVIDENCE_DOCUMENT},
            {"dword", "4 bytes", "argument: the largest power of two in 12", EVIDENCE_ARGUMENT},
            {"16-bytes", "16 bytes", "as for LDS accesses of 96 bits", EVIDENCE_ARGUMENT},
        }},
    [ROW(DWORD_MODE_SWIZZLED)] = {
        .id = "dword-mode-swizzled", .title = "what alignment mode DWORD aligns", .where = GUIDE "9.5",
        .readings = {
            {"manual", "the address", GUIDE "9.5: two LSBs of the byte address are ignored",
             EVIDENCE_DOCUMENT},
            {"offset", "the offset: base and SOFFSET keep their low bits",
             "argument: hardware that masks early", EVIDENCE_ARGUMENT},
        },
        .workaround = "align base and SOFFSET"},
    [ROW(GFX9_ALIGNMENT_MODE)] = {
        .id = "gfx9-alignment-mode", .title = "misaligned accesses without a format on GFX8 and GFX9",
        .where = CDNA3 "9.1.7, on Vega's successors",
        .readings = {
            {"manual", "16-bit accesses ignore the lowest bit of the address, larger ones the two lowest, "
             "whatever SH_MEM_CONFIG says", CDNA3 "9.1.7; CLRX documentation for 16 bits", EVIDENCE_DOCUMENT},
            {"by-mode", "SH_MEM_CONFIG.alignment_mode decides, as on RDNA",
             "the Linux kernel programs mode UNALIGNED from GFX7 on", EVIDENCE_SOURCE},
        },
        CHIPS(READING_MANUAL, READING_MANUAL, AMD_GFX9_BY_MODE, AMD_GFX9_BY_MODE), .workaround = "align"},
    [ROW(MEMVIOL_LOAD_VALUE)] = {
        .id = "memviol-load-value", .title = "what a misaligned load returns", .where = GUIDE "9.5",
        .readings = {
            {"manual", "0 in all components", GUIDE "9.5", EVIDENCE_DOCUMENT},
            {"sel-1", "0, or 1 where DST_SEL is SEL_1, as when out of range",
             "argument: by analogy with loads out of range", EVIDENCE_ARGUMENT},
            {"untouched", "nothing", "argument: the wave may be dead", EVIDENCE_ARGUMENT},
        }},
    [ROW(UNBOUND_ADDTID)] = {
        .id = "unbound-addtid", .title = "a V# with FORMAT = 0 and ADD_TID_ENABLE",
        .where = GUIDE "chapter 9, unbound resources",
        .readings = {
            {"manual", "MUBUF takes it for a bound buffer", GUIDE "chapter 9, unbound resources",
             EVIDENCE_DOCUMENT},
            {"by-format", "FORMAT = 0 makes it unbound all the same",
             "argument: on GFX11 FORMAT holds no stride bits any more", EVIDENCE_ARGUMENT},
        }},
    [ROW(UNBOUND_NONFORMAT)] = {
        .id = "unbound-nonformat", .title = "instructions that do not use a V#'s FORMAT when it is 0",
        .where = GUIDE "chapter 9, unbound resources",
        .readings = {
            {"manual", "the buffer is unbound for them too",
             GUIDE "chapter 9, unbound resources; drivers on MI300 found raw stores dropped",
             EVIDENCE_SOURCE},
            {"format-ops-only", "they work as if FORMAT were set",
             "shadPS4, gem5, tinygrad and Multi2Sim do not look at it", EVIDENCE_SOURCE},
        },
        .workaround = "set FORMAT in every V#"},
    [ROW(UNBOUND_DST_SEL)] = {
        .id = "unbound-dst-sel", .title = "what loads through an unbound V# with SEL_1 return",
        .where = GUIDE "chapter 9, unbound resources",
        .readings = {
            {"manual", "0", GUIDE "chapter 9, unbound resources", EVIDENCE_DOCUMENT},
            {"by-selector", "1 in such components", "rocjitsu", EVIDENCE_SOURCE},
        }},
    [ROW(ALL_ZERO_RESOURCE_LEVEL)] = {
        .id = "all-zero-resource-level", .title = "what GFX10 takes for an unbound buffer",
        .where = RDNA2 "unbound resources",
        .readings = {
            {"manual", "FORMAT = 0", RDNA2 "unbound resources", EVIDENCE_DOCUMENT},
            {"all-zero", "a V# of zeros, RESOURCE_LEVEL aside, as for images",
             "argument: " RDNA2 "has this rule for images", EVIDENCE_ARGUMENT},
        }},
    [ROW(MISMATCH_RETURN)] = {
        .id = "mismatch-return", .title = "loads through a V# whose TYPE is not a buffer's",
        .where = GUIDE "chapter 9, unbound resources",
        .readings = {
            {"manual", "they return nothing: registers keep their values",
             GUIDE "chapter 9; rocjitsu's CDNA path", EVIDENCE_DOCUMENT},
            {"zero", "they return 0", "argument: as for unbound resources", EVIDENCE_ARGUMENT},
        }},
    [ROW(VGPR_OUT_OF_RANGE)] = {
        .id = "vgpr-out-of-range", .title = "results for vector registers beyond those allocated",
        .where = GUIDE "3.3",
        .readings = {
            {"manual", "the instruction acts as if EXEC were 0", GUIDE "3.3", EVIDENCE_DOCUMENT},
            {"dropped", "only those results are lost", "argument: a check at each write", EVIDENCE_ARGUMENT},
        }},
    [ROW(TFE_BUFFER)] = {
        .id = "tfe-buffer", .title = "the register that TFE adds, when all is resident",
        .where = GUIDE "chapter 9, TFE",
        .readings = {
            {"manual", "it is not written: software clears it beforehand", GUIDE "chapter 9, TFE",
             EVIDENCE_DOCUMENT},
            {"always", "it becomes 0", GUIDE "chapter 10, of images", EVIDENCE_DOCUMENT},
        },
        .workaround = "clear it beforehand"},
    [ROW(BUFFER_OOB_FLAG)] = {
        .id = "buffer-oob-flag", .title = "TRAPSTS.BUFFER_OOB", .where = GUIDE "chapter 9, range checking",
        .silent = true,
        .readings = {
            {"manual", "an access out of range sets it, in every mode",
             RDNA2 "(notes on TRAPSTS); Mesa gfx11.json has the bit", EVIDENCE_SOURCE},
            {"never", "no access sets it", GUIDE "chapter 9 does not mention it", EVIDENCE_ARGUMENT},
        }},
    [ROW(M0_NULL_SWAP)] = {
        .id = "m0-null-swap", .title = "the operand codes 124 and 125", .where = GUIDE "operand codes",
        .readings = {
            {"manual", "GFX11: null and m0; the older: m0 and null", GUIDE "operand codes; LLVM's assembler",
             EVIDENCE_SOURCE},
            {"swapped", "the other way round", "an encoder for the other generation", EVIDENCE_ARGUMENT},
        },
        MODES("124", "125")},
    [ROW(SOFFSET_LEGAL_VALUES)] = {
        .id = "soffset-legal-values", .title = "operands that SOFFSET may name",
        .where = GUIDE "chapter 9, operands",
        .readings = {
            {"manual", "SGPRs, m0, null and inline constants; the latter count with their 32 bits",
             GUIDE "chapter 9; rocjitsu", EVIDENCE_DOCUMENT},
            {"flags", "vccz, execz and scc too", "LLVM assembles them", EVIDENCE_SOURCE},
            {"no-constants", "SGPRs, m0 and null only", "\"RDNA4\" guide, chapter on buffers",
             EVIDENCE_DOCUMENT},
        },
        MODES("flag", "constant")},
    [ROW(SRSRC_VCC)] = {
        .id = "srsrc-vcc", .title = "a V# in s104, s105, vcc", .where = GUIDE "chapter 9, operands",
        .silent = true,
        .readings = {
            {"manual", "it is read", "rocjitsu", EVIDENCE_SOURCE},
            {"refused", "no such encoding", "LLVM does not decode it", EVIDENCE_SOURCE},
        },
        .workaround = "put the V# into other SGPRs"},
    [ROW(RESERVED_BITS)] = {
        .id = "reserved-bits", .title = "bits of instructions that no field has",
        .where = GUIDE "microcode formats (MUBUF, MTBUF, SMEM)", .silent = true,
        .readings = {
            {"manual", "they are ignored", "LLVM decodes every value of them", EVIDENCE_SOURCE},
            {"refused", "the instruction is illegal", "argument: a decoder that insists on zeros",
             EVIDENCE_ARGUMENT},
        },
        .workaround = "leave them 0", MODES("vector", "scalar")},
    [ROW(LLVM_CSUB_GLC)] = {
        .id = "llvm-csub-glc", .title = "BUFFER_ATOMIC_CSUB with GLC = 0",
        .where = GUIDE "pseudo-code of the atomics",
        .readings = {
            {"manual", "illegal: GLC must be 1", GUIDE "pseudo-code of the atomics; LLVM 16 refuses it",
             EVIDENCE_DOCUMENT},
            {"without-return", "it works and returns nothing", "LLVM 19 accepts it", EVIDENCE_SOURCE},
        },
        .workaround = "set GLC"},
    [ROW(RESERVED_OPCODE)] = {
        .id = "reserved-opcode", .title = "opcodes that no document lists",
        .where = GUIDE "tables of opcodes (MUBUF, MTBUF)", .silent = true,
        .readings = {
            {"manual", "the wave stops with a fault", "a careful reader's assumption", EVIDENCE_ARGUMENT},
            {"ignored", "nothing happens", "argument: decoders that skip what they do not know",
             EVIDENCE_ARGUMENT},
        },
        .workaround = "use listed opcodes only"},
    [ROW(RESERVED_FORMAT)] = {
        .id = "reserved-format", .title = "data and number formats that no document defines together",
        .where = GUIDE "table 52", .silent = true,
        .readings = {
            {"manual", "as INVALID: loads return 0, stores are dropped", "a careful reader's assumption",
             EVIDENCE_ARGUMENT},
            {"as-uint", "unsigned integers of the layout, or of 32 bits if it has none",
             "argument: converters that take the rest for integers", EVIDENCE_ARGUMENT},
        },
        .workaround = "use listed formats only"},
    [ROW(RESERVED_DST_SEL)] = {
        .id = "reserved-dst-sel", .title = "DST_SEL = 2 in a buffer's V#", .where = GUIDE "table 44",
        .silent = true,
        .readings = {
            {"manual", "the component is 0", "a careful reader's assumption: the code is an image's",
             EVIDENCE_ARGUMENT},
            {"one", "it is 1", "PAL calls it N_BC_1", EVIDENCE_SOURCE},
        },
        .workaround = "use 0, 1 and 4 to 7"},
    [ROW(SCALAR_GROUP_ALIGN)] = {
        .id = "scalar-group-align",
        .title = "scalar register groups that do not begin at a multiple of their size",
        .where = GUIDE "chapter 8", .silent = true,
        .readings = {
            {"manual", "illegal", "the guide wants them aligned", EVIDENCE_ARGUMENT},
            {"aligned-down", "the low bits of the register number are ignored",
             "LLVM's disassembler prints them so", EVIDENCE_SOURCE},
        },
        .workaround = "align them", MODES("descriptor", "destination")},
};
/* clang-format on */
