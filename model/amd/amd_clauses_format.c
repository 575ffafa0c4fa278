/* SPDX-License-Identifier: MIT */
/* The clauses on formats and data, one row each. buffer_format.c, buffer_lanes.inc.h, buffer_atomic.c and
 * amd_convert.c obey them. */
#include "model/amd/amd_clause_rows.h"

#define ROW(clause) AMD_CLAUSE_##clause - AMD_CLAUSE_ADDRESS_END

/* clang-format off */
const struct clause amd_format_clauses[AMD_FORMAT_CLAUSES] = {
    [ROW(STORE_MISSING_COMPONENTS)] = {
        .id = "store-missing-components",
        .title = "stores to a format with more components than the operation supplies", .where = GUIDE "9.3",
        .silent = true,
        .readings = {
            {"manual", "Missing components are stored as 0.",
             "LLVM's feature default-component-zero, up to GFX11", EVIDENCE_SOURCE},
            {"x", "Missing components are stored as copies of X.", "\"RDNA4\" guide; rocjitsu on all "
             "generations; LLVM's feature default-component-broadcast, GFX12", EVIDENCE_DOCUMENT},
        },
        FAMILIES(AMD_MISSING_ARE_X, READING_MANUAL, READING_MANUAL, READING_MANUAL, READING_MANUAL,
                 READING_MANUAL),
        .proposed = "Components that the operation does not supply are stored as 0.",
        .workaround = "Store as many components as the format has."},
    [ROW(STORE_DST_SEL_DUPLICATE)] = {
        .id = "store-dst-sel-duplicate", .title = "stores through a V# in which two DST_SEL name one channel",
        .where = GUIDE "9.3", .silent = true,
        .readings = {
            {"manual", "The lowest of the components is stored.", "rocjitsu", EVIDENCE_SOURCE},
            {"highest", "The highest of the components is stored.",
             "argument: stored in order, the last stays", EVIDENCE_ARGUMENT},
        },
        .workaround = "Name each channel once."},
    [ROW(STORE_DST_SEL_DIRECTION)] = {
        .id = "store-dst-sel-direction", .title = "how stores apply DST_SEL", .where = GUIDE "9.3",
        .silent = true,
        .readings = {
            {"manual", "Stores reverse what loads do: component i goes to the channel that DST_SEL i names.",
             "rocjitsu inverts the mapping of loads", EVIDENCE_SOURCE},
            {"forward", "Channel i takes the component or constant that DST_SEL i names: xxxx copies X to "
             "all channels.", GUIDE "9.3: a store of one component to four stores four \"based on dst_sel\"",
             EVIDENCE_DOCUMENT},
        },
        .workaround = "Use dst_sel=xyzw."},
    [ROW(IDENTITY_W)] = {
        .id = "identity-w", .title = "W of TBUFFER loads from formats without W", .where = GUIDE "9.3",
        .readings = {
            {"manual", "W is 0.", GUIDE "9.3: X000, XY00, XYZ0", EVIDENCE_DOCUMENT},
            {"one", "W is 1, as graphics APIs require.", "argument: what texture fetches return",
             EVIDENCE_ARGUMENT},
        },
        .workaround = "Set W in the shader, as drivers do."},
    [ROW(SEL1_VALUE)] = {
        .id = "sel1-value", .title = "the constant 1 of DST_SEL for integer formats", .where = GUIDE "9.3",
        .silent = true,
        .readings = {
            {"manual", "The constant is the integer 1.", "rocjitsu and an RDNA 2 recompiler go by the format",
             EVIDENCE_SOURCE},
            {"always-float", "The constant is 1.0.", "argument: the text says 1 and gives one table",
             EVIDENCE_ARGUMENT},
        }},
    [ROW(OOB_SEL1_NONFORMAT)] = {
        .id = "oob-sel1-nonformat",
        .title = "loads without a format that are out of range, through a V# with SEL_1",
        .where = GUIDE "chapter 9, range checking",
        .readings = {
            {"manual", "The load returns 0: component selection does not apply to these loads.",
             GUIDE "9.3 and chapter 9, range checking", EVIDENCE_DOCUMENT},
            {"applies", "The load returns 1 where the component's DST_SEL is SEL_1.",
             GUIDE "chapter 9, range checking, the exception taken for all loads", EVIDENCE_DOCUMENT},
        }},
    [ROW(INT_STORE_CLAMP)] = {
        .id = "int-store-clamp", .title = "stores of integers beyond the range of their field",
        .where = GUIDE "9.3", .silent = true,
        .readings = {
            {"manual", "The low bits of the integer are stored.", "rocjitsu", EVIDENCE_SOURCE},
            {"clamp", "The nearest value in the field's range is stored.",
             "Direct3D's rule; colour export does so", EVIDENCE_ARGUMENT},
        },
        .workaround = "Clamp in the shader.", MODES("unsigned", "signed")},
    [ROW(D16_INT_LOAD_CLAMP)] = {
        .id = "d16-int-load-clamp", .title = "D16 loads of 32-bit integers", .where = GUIDE "9.3.1",
        .silent = true,
        .readings = {
            {"manual", "The load returns the low 16 bits.", "rocjitsu", EVIDENCE_SOURCE},
            {"saturate", "The load returns the nearest 16-bit value.", "an RDNA 2 recompiler",
             EVIDENCE_SOURCE},
        },
        MODES("unsigned", "signed")},
    [ROW(F16_STORE_ROUNDING)] = {
        .id = "f16-store-rounding", .title = "stores of 32-bit registers to 16-bit floats",
        .where = GUIDE "9.3.1", .silent = true,
        .readings = {
            {"manual", "The value is rounded to nearest, ties to even.", "rocjitsu and an RDNA 2 recompiler",
             EVIDENCE_SOURCE},
            {"truncate", "The value is rounded toward zero.", GUIDE
             "9.3.1: \"conversion of float32 to float16 uses truncation\", taken for all conversions",
             EVIDENCE_DOCUMENT},
        }},
    [ROW(D16_F32_TRUNCATE)] = {
        .id = "d16-f32-truncate", .title = "D16 loads of 32-bit floats", .where = GUIDE "9.3.1",
        .readings = {
            {"manual", "The value is rounded toward zero. A value that is too large becomes the largest "
             "half.", GUIDE "9.3.1; rocjitsu's test: 1.0008 becomes 3C00", EVIDENCE_SOURCE},
            {"to-infinity", "The value is rounded toward zero. A value that is too large becomes infinity.",
             "argument: the text does not speak of overflow", EVIDENCE_ARGUMENT},
            {"nearest", "The value is rounded to nearest, ties to even, as for all other formats.",
             GUIDE "9.3.1, its second half", EVIDENCE_ARGUMENT},
        }},
    [ROW(UF11_STORE_ROUNDING)] = {
        .id = "uf11-store-rounding", .title = "stores to 10- and 11-bit floats", .where = GUIDE "9.3",
        .silent = true,
        .readings = {
            {"manual", "The value is rounded to nearest, ties to even. The largest result is the largest "
             "finite value.", "rocjitsu", EVIDENCE_SOURCE},
            {"truncate", "The value is rounded toward zero.", "other implementations", EVIDENCE_ARGUMENT},
        }},
    [ROW(F16_DENORM_NAN)] = {
        .id = "f16-denorm-nan", .title = "denormal 16-bit floats in loads and D16 stores",
        .where = GUIDE "9.3", .silent = true,
        .readings = {
            {"manual", "Denormals are converted exactly.", "rocjitsu", EVIDENCE_SOURCE},
            {"flush", "Denormals become zero.", "argument: as MODE's denormal bits do for arithmetic",
             EVIDENCE_ARGUMENT},
        },
        MODES("load", "store")},
    [ROW(UNORM_EXACTNESS)] = {
        .id = "unorm-exactness", .title = "the accuracy of loads of UNORM and SNORM", .where = GUIDE "9.3",
        .silent = true,
        .readings = {
            {"manual", "The result is n / (2^b - 1), correctly rounded.", "rocjitsu", EVIDENCE_SOURCE},
            {"reciprocal", "The result is n times the rounded reciprocal, which is off by one unit in the "
             "last place for some n.", "argument: a multiplier in the data path", EVIDENCE_ARGUMENT},
        },
        MODES("unorm", "snorm")},
    [ROW(SNORM_MIN)] = {
        .id = "snorm-min", .title = "loads of the most negative SNORM field", .where = GUIDE "9.3",
        .silent = true,
        .readings = {
            {"manual", "The result is -1.0, as for the next value.",
             "rocjitsu; CLRX documentation, its ranges", EVIDENCE_SOURCE},
            {"below", "The result is -2^(b-1) / (2^(b-1) - 1), a little below -1.0.",
             "argument: the quotient without the clamp", EVIDENCE_ARGUMENT},
        }},
    [ROW(TWO_BIT_ALPHA_UNSIGNED)] = {
        .id = "two-bit-alpha-unsigned", .title = "W of 2_10_10_10 with a signed number format",
        .where = GUIDE "9.3", .silent = true,
        .readings = {
            {"manual", "W is signed, as the other components are.", "rocjitsu on all generations",
             EVIDENCE_SOURCE},
            {"unsigned", "W is unsigned: 0, 1/3, 2/3, 1 for SNORM.",
             "Mesa corrects it in the shader on GFX6 to GFX8; an RDNA 2 recompiler", EVIDENCE_SOURCE},
        },
        CHIPS(READING_MANUAL, READING_MANUAL, READING_MANUAL, AMD_ALPHA_UNSIGNED),
        .workaround = "Extend the sign in the shader."},
    [ROW(SCALED_STORE)] = {
        .id = "scaled-store", .title = "stores to USCALED and SSCALED", .where = GUIDE "9.3", .silent = true,
        .readings = {
            {"manual", "The value is clamped to the field's range and rounded toward zero.", "rocjitsu",
             EVIDENCE_SOURCE},
            {"not-stored", "Nothing is stored.", "CLRX documentation marks them load-only",
             EVIDENCE_DOCUMENT},
        },
        .workaround = "Do not store to these formats."},
    [ROW(MTBUF_FORMAT_64PLUS)] = {
        .id = "mtbuf-format-64plus", .title = "values of MTBUF's FORMAT above the buffer formats",
        .where = GUIDE "table 52", .silent = true,
        .readings = {
            {"manual", "The format counts as INVALID: loads return 0, stores are dropped.",
             "a careful reader's assumption: they are image formats", EVIDENCE_ARGUMENT},
            {"low-six-bits", "Only the low six bits count, as many as a V# has.", "argument",
             EVIDENCE_ARGUMENT},
            {"fault", "The wave stops with a fault.", "rocjitsu throws", EVIDENCE_SOURCE},
        },
        .workaround = "Use buffer formats only."},
    [ROW(MTBUF_FORMAT_0)] = {
        .id = "mtbuf-format-0", .title = "MTBUF with FORMAT = 0",
        .where = GUIDE "chapter 9, unbound resources", .silent = true,
        .readings = {
            {"manual", "Loads return 0, and stores are dropped.", "rocjitsu", EVIDENCE_SOURCE},
            {"untouched", "Nothing happens: registers keep their values.", "argument: nothing to transfer",
             EVIDENCE_ARGUMENT},
        },
        .workaround = "Use a FORMAT other than 0."},
    [ROW(D16_ECC)] = {
        .id = "d16-ecc", .title = "the half of a register that a D16 load does not write",
        .where = GUIDE "9.3.1",
        .readings = {
            {"manual", "That half keeps its value.", GUIDE "9.3.1 and the operations' pseudo-code",
             EVIDENCE_DOCUMENT},
            {"zeroed", "That half becomes 0 on parts with SRAM-ECC.", CDNA3 "9.1.6; rocjitsu",
             EVIDENCE_DOCUMENT},
        },
        FAMILIES(READING_MANUAL, READING_MANUAL, READING_MANUAL, READING_MANUAL, READING_MANUAL,
                 AMD_D16_ZEROED)},
    [ROW(GFX8_D16_UNPACKED)] = {
        .id = "gfx8-d16-unpacked", .title = "how D16 operations with a format use registers on GFX8",
        .where = "no guide: LLVM's features of GFX8 targets", .silent = true,
        .readings = {
            {"manual", "A register holds two components.", "as on the later generations", EVIDENCE_ARGUMENT},
            {"unpacked", "A register holds one component, in its low half.",
             "LLVM's feature unpacked-d16-vmem: gfx801 to gfx805", EVIDENCE_SOURCE},
        },
        CHIPS(READING_MANUAL, READING_MANUAL, READING_MANUAL, AMD_D16_UNPACKED)},
    [ROW(LDS_INST_OFFSET)] = {
        .id = "lds-inst-offset", .title = "the instruction's OFFSET in loads to LDS",
        .where = CDNA3 "loads to LDS",
        .readings = {
            {"manual", "OFFSET is added to the memory address only.", CDNA3
             "loads to LDS; CLRX documentation", EVIDENCE_DOCUMENT},
            {"added", "OFFSET is added to the memory address and to the LDS address.",
             "LLVM's documentation of the intrinsic", EVIDENCE_DOCUMENT},
        },
        .workaround = "Use OFFSET 0."},
    [ROW(F32_ATOMIC_DENORM)] = {
        .id = "f32-atomic-denorm", .title = "denormal operands of BUFFER_ATOMIC_ADD_F32",
        .where = GUIDE "pseudo-code of the atomics", .silent = true,
        .readings = {
            {"manual", "Denormal operands keep their value.", "argument: the pseudo-code is a plain sum",
             EVIDENCE_ARGUMENT},
            {"flush", "Denormal operands count as 0.", CDNA3 "table 53, of its own L2", EVIDENCE_DOCUMENT},
        },
        FAMILIES(READING_MANUAL, READING_MANUAL, READING_MANUAL, READING_MANUAL, READING_MANUAL,
                 AMD_DENORMAL_FLUSHED)},
    [ROW(F32_MINMAX_NAN)] = {
        .id = "f32-minmax-nan", .title = "NaN and signed zero in BUFFER_ATOMIC_MIN_F32 and MAX_F32",
        .where = GUIDE "pseudo-code of the atomics",
        .readings = {
            {"manual", "The result is src < old ? src : old (for MAX with >). A comparison with NaN keeps "
             "the old value, and -0 equals +0.", GUIDE "pseudo-code of the atomics", EVIDENCE_DOCUMENT},
            {"ordered", "The result is the number if one operand is a NaN, and -0 is below +0.",
             CDNA3 "9.2.3", EVIDENCE_DOCUMENT},
        },
        FAMILIES(READING_MANUAL, READING_MANUAL, READING_MANUAL, READING_MANUAL, READING_MANUAL,
                 AMD_MINMAX_ORDERED)},
    [ROW(CMPSWAP_RETURN_WIDTH)] = {
        .id = "cmpswap-return-width", .title = "registers that a returning CMPSWAP writes",
        .where = GUIDE "pseudo-code of the atomics",
        .readings = {
            {"manual", "The instruction writes as many registers as the value has: the first half of its "
             "operands.", GUIDE "pseudo-code of the atomics; CLRX documentation", EVIDENCE_DOCUMENT},
            {"both", "The instruction writes all registers that it reads.", "argument: VDATA names them all",
             EVIDENCE_ARGUMENT},
        }},
};
/* clang-format on */
