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
            {"manual", "the missing ones are stored as 0",
             "LLVM's feature default-component-zero, up to GFX11", EVIDENCE_SOURCE},
            {"x", "they are copies of X", "\"RDNA4\" guide; rocjitsu on all generations; LLVM's feature "
             "default-component-broadcast, GFX12", EVIDENCE_DOCUMENT},
        },
        .proposed = "Components that the operation does not supply are stored as 0.",
        .workaround = "store as many as the format has"},
    [ROW(STORE_DST_SEL_DUPLICATE)] = {
        .id = "store-dst-sel-duplicate", .title = "stores through a V# of which two DST_SEL name one channel",
        .where = GUIDE "9.3", .silent = true,
        .readings = {
            {"manual", "the lowest of the components is stored", "rocjitsu", EVIDENCE_SOURCE},
            {"highest", "the highest is", "argument: stored in order, the last stays", EVIDENCE_ARGUMENT},
        },
        .workaround = "do not"},
    [ROW(STORE_DST_SEL_DIRECTION)] = {
        .id = "store-dst-sel-direction", .title = "the direction in which stores read DST_SEL",
        .where = GUIDE "9.3", .silent = true,
        .readings = {
            {"manual", "as loads do, reversed: component i goes to the channel that DST_SEL i names",
             "rocjitsu inverts the mapping of loads", EVIDENCE_SOURCE},
            {"forward", "channel i takes the component or constant that DST_SEL i names: xxxx copies X",
             GUIDE "9.3: a store of one component to four stores four \"based on dst_sel\"",
             EVIDENCE_DOCUMENT},
        },
        .workaround = "use dst_sel=xyzw"},
    [ROW(IDENTITY_W)] = {
        .id = "identity-w", .title = "W of TBUFFER loads from formats without W", .where = GUIDE "9.3",
        .readings = {
            {"manual", "0", GUIDE "9.3: X000, XY00, XYZ0", EVIDENCE_DOCUMENT},
            {"one", "1, as graphics interfaces want it", "argument: what texture fetches return",
             EVIDENCE_ARGUMENT},
        },
        .workaround = "drivers set W in the shader"},
    [ROW(SEL1_VALUE)] = {
        .id = "sel1-value", .title = "the constant 1 of DST_SEL for integer formats", .where = GUIDE "9.3",
        .silent = true,
        .readings = {
            {"manual", "the integer 1", "rocjitsu and an RDNA 2 recompiler go by the format",
             EVIDENCE_SOURCE},
            {"always-float", "1.0", "argument: the text says 1 and gives one table", EVIDENCE_ARGUMENT},
        }},
    [ROW(OOB_SEL1_NONFORMAT)] = {
        .id = "oob-sel1-nonformat",
        .title = "loads without a format that are out of range through a V# with SEL_1",
        .where = GUIDE "chapter 9, range checking",
        .readings = {
            {"manual", "0: no component selection applies to them", GUIDE "9.3 and chapter 9, range checking",
             EVIDENCE_DOCUMENT},
            {"applies", "1 where the component's DST_SEL is SEL_1",
             GUIDE "chapter 9, range checking, the exception taken for all loads", EVIDENCE_DOCUMENT},
        }},
    [ROW(INT_STORE_CLAMP)] = {
        .id = "int-store-clamp", .title = "stores of integers beyond the range of their field",
        .where = GUIDE "9.3", .silent = true,
        .readings = {
            {"manual", "the low bits are stored", "rocjitsu", EVIDENCE_SOURCE},
            {"clamp", "the nearest value of the field's range", "Direct3D's rule; colour export does so",
             EVIDENCE_ARGUMENT},
        },
        .workaround = "clamp in the shader", MODES("unsigned", "signed")},
    [ROW(D16_INT_LOAD_CLAMP)] = {
        .id = "d16-int-load-clamp", .title = "D16 loads of 32-bit integers", .where = GUIDE "9.3.1",
        .silent = true,
        .readings = {
            {"manual", "the low 16 bits", "rocjitsu", EVIDENCE_SOURCE},
            {"saturate", "the nearest 16-bit value", "an RDNA 2 recompiler", EVIDENCE_SOURCE},
        },
        MODES("unsigned", "signed")},
    [ROW(F16_STORE_ROUNDING)] = {
        .id = "f16-store-rounding", .title = "stores of 32-bit registers to 16-bit floats",
        .where = GUIDE "9.3.1", .silent = true,
        .readings = {
            {"manual", "to nearest, ties to even", "rocjitsu and an RDNA 2 recompiler", EVIDENCE_SOURCE},
            {"truncate", "toward zero",
             GUIDE "9.3.1: \"conversion of float32 to float16 uses truncation\", taken for all conversions",
             EVIDENCE_DOCUMENT},
        }},
    [ROW(D16_F32_TRUNCATE)] = {
        .id = "d16-f32-truncate", .title = "D16 loads of 32-bit floats", .where = GUIDE "9.3.1",
        .readings = {
            {"manual", "toward zero; what is too large becomes the largest half",
             GUIDE "9.3.1; rocjitsu's test: 1.0008 becomes 3C00", EVIDENCE_SOURCE},
            {"to-infinity", "toward zero; what is too large becomes infinity",
             "argument: the text does not speak of overflow", EVIDENCE_ARGUMENT},
            {"nearest", "to nearest, ties to even, as all other formats", GUIDE "9.3.1, its second half",
             EVIDENCE_ARGUMENT},
        }},
    [ROW(UF11_STORE_ROUNDING)] = {
        .id = "uf11-store-rounding", .title = "stores to 10- and 11-bit floats", .where = GUIDE "9.3",
        .silent = true,
        .readings = {
            {"manual", "to nearest, ties to even, at most the largest finite value", "rocjitsu",
             EVIDENCE_SOURCE},
            {"truncate", "toward zero", "other implementations", EVIDENCE_ARGUMENT},
        }},
    [ROW(F16_DENORM_NAN)] = {
        .id = "f16-denorm-nan", .title = "half floats that are denormal, in loads and D16 stores",
        .where = GUIDE "9.3", .silent = true,
        .readings = {
            {"manual", "they are converted exactly", "rocjitsu", EVIDENCE_SOURCE},
            {"flush", "they become zero", "argument: as MODE's denormal bits do for arithmetic",
             EVIDENCE_ARGUMENT},
        },
        MODES("load", "store")},
    [ROW(UNORM_EXACTNESS)] = {
        .id = "unorm-exactness", .title = "how exact loads of UNORM and SNORM are", .where = GUIDE "9.3",
        .silent = true,
        .readings = {
            {"manual", "n / (2^b - 1), correctly rounded", "rocjitsu", EVIDENCE_SOURCE},
            {"reciprocal", "n times the rounded reciprocal: off by one unit in the last place for some n",
             "argument: a multiplier in the data path", EVIDENCE_ARGUMENT},
        },
        MODES("unorm", "snorm")},
    [ROW(SNORM_MIN)] = {
        .id = "snorm-min", .title = "loads of the most negative SNORM field", .where = GUIDE "9.3",
        .silent = true,
        .readings = {
            {"manual", "-1.0, as for the one above it", "rocjitsu; CLRX documentation, its ranges",
             EVIDENCE_SOURCE},
            {"below", "-2^(b-1) / (2^(b-1) - 1), a little below -1.0",
             "argument: the quotient without the clamp", EVIDENCE_ARGUMENT},
        }},
    [ROW(TWO_BIT_ALPHA_UNSIGNED)] = {
        .id = "two-bit-alpha-unsigned", .title = "W of 2_10_10_10 with a signed number format",
        .where = GUIDE "9.3", .silent = true,
        .readings = {
            {"manual", "signed, as the other components", "rocjitsu on all generations", EVIDENCE_SOURCE},
            {"unsigned", "unsigned: 0, 1/3, 2/3, 1 for SNORM",
             "Mesa corrects it in the shader on GFX6 to GFX8; an RDNA 2 recompiler", EVIDENCE_SOURCE},
        },
        CHIPS(READING_MANUAL, READING_MANUAL, READING_MANUAL, AMD_ALPHA_UNSIGNED),
        .workaround = "extend the sign in the shader"},
    [ROW(SCALED_STORE)] = {
        .id = "scaled-store", .title = "stores to USCALED and SSCALED", .where = GUIDE "9.3", .silent = true,
        .readings = {
            {"manual", "clamped to the field's range and truncated", "rocjitsu", EVIDENCE_SOURCE},
            {"not-stored", "nothing is stored", "CLRX documentation marks them load-only", EVIDENCE_DOCUMENT},
        },
        .workaround = "do not"},
    [ROW(MTBUF_FORMAT_64PLUS)] = {
        .id = "mtbuf-format-64plus", .title = "FORMAT of MTBUF beyond the buffer formats",
        .where = GUIDE "table 52", .silent = true,
        .readings = {
            {"manual", "as INVALID: loads return 0, stores are dropped",
             "a careful reader's assumption: they are image formats", EVIDENCE_ARGUMENT},
            {"low-six-bits", "its low six bits count, as many as a V# has", "argument", EVIDENCE_ARGUMENT},
            {"fault", "it is an error", "rocjitsu throws", EVIDENCE_SOURCE},
        },
        .workaround = "do not"},
    [ROW(MTBUF_FORMAT_0)] = {
        .id = "mtbuf-format-0", .title = "FORMAT = 0 of MTBUF", .where = GUIDE "chapter 9, unbound resources",
        .silent = true,
        .readings = {
            {"manual", "loads return 0, stores are dropped", "rocjitsu", EVIDENCE_SOURCE},
            {"untouched", "nothing happens, registers stay as they are", "argument: nothing to transfer",
             EVIDENCE_ARGUMENT},
        },
        .workaround = "do not"},
    [ROW(D16_ECC)] = {
        .id = "d16-ecc", .title = "the half of a register that a D16 load does not write",
        .where = GUIDE "9.3.1",
        .readings = {
            {"manual", "it keeps its value", GUIDE "9.3.1 and the operations' pseudo-code",
             EVIDENCE_DOCUMENT},
            {"zeroed", "it becomes 0, where memory has SRAM-ECC", CDNA3 "9.1.6; rocjitsu", EVIDENCE_DOCUMENT},
        }},
    [ROW(GFX8_D16_UNPACKED)] = {
        .id = "gfx8-d16-unpacked", .title = "registers of D16 operations with a format on GFX8",
        .where = "no guide: LLVM's features of GFX8 targets", .silent = true,
        .readings = {
            {"manual", "two components a register", "as on the later generations", EVIDENCE_ARGUMENT},
            {"unpacked", "one component a register, in the low half",
             "LLVM's feature unpacked-d16-vmem: gfx801 to gfx805", EVIDENCE_SOURCE},
        },
        CHIPS(READING_MANUAL, READING_MANUAL, READING_MANUAL, AMD_D16_UNPACKED)},
    [ROW(LDS_INST_OFFSET)] = {
        .id = "lds-inst-offset", .title = "the instruction's OFFSET in the LDS address of loads to LDS",
        .where = CDNA3 "loads to LDS",
        .readings = {
            {"manual", "it counts in memory only", CDNA3 "loads to LDS; CLRX documentation",
             EVIDENCE_DOCUMENT},
            {"added", "it counts in memory and in LDS", "LLVM's documentation of the intrinsic",
             EVIDENCE_DOCUMENT},
        },
        .workaround = "use OFFSET 0"},
    [ROW(F32_ATOMIC_DENORM)] = {
        .id = "f32-atomic-denorm", .title = "denormal operands of BUFFER_ATOMIC_ADD_F32",
        .where = GUIDE "pseudo-code of the atomics", .silent = true,
        .readings = {
            {"manual", "they are kept", "argument: the pseudo-code is a plain sum", EVIDENCE_ARGUMENT},
            {"flush", "they count as 0", CDNA3 "table 53, of its own L2", EVIDENCE_DOCUMENT},
        }},
    [ROW(F32_MINMAX_NAN)] = {
        .id = "f32-minmax-nan", .title = "NaN and signed zero in BUFFER_ATOMIC_MIN_F32 and MAX_F32",
        .where = GUIDE "pseudo-code of the atomics",
        .readings = {
            {"manual",
             "src < old ? src : old as it stands: a comparison with NaN keeps the old value, -0 equals +0",
             GUIDE "pseudo-code of the atomics", EVIDENCE_DOCUMENT},
            {"ordered", "a number is taken before a NaN, -0 is below +0", CDNA3 "9.2.3", EVIDENCE_DOCUMENT},
        }},
    [ROW(CMPSWAP_RETURN_WIDTH)] = {
        .id = "cmpswap-return-width", .title = "registers that a returning CMPSWAP writes",
        .where = GUIDE "pseudo-code of the atomics",
        .readings = {
            {"manual", "as many as the value has: the first half of its operands",
             GUIDE "pseudo-code of the atomics; CLRX documentation", EVIDENCE_DOCUMENT},
            {"both", "all that it reads", "argument: VDATA names them all", EVIDENCE_ARGUMENT},
        }},
};
/* clang-format on */
