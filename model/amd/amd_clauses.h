/* SPDX-License-Identifier: MIT */
/*
 * The clauses of unit amd-buffer by index, and the readings that the code or a profile names. The rows are in
 * amd_clauses_address.c, amd_clauses_format.c and amd_clauses_special.c; a row's id is its enumerator in
 * lower case, with - for _.
 */
#ifndef MISPRINT_MODEL_AMD_AMD_CLAUSES_H
#define MISPRINT_MODEL_AMD_AMD_CLAUSES_H

#include "model/core/clause.h"

/* Built-in profiles, as indices into clause.in_profile. */
enum amd_profile {
    AMD_PROFILE_MANUAL,
    AMD_PROFILE_RDNA3_GUIDE, /* the readings of `manual`; the name says which manual */
    AMD_PROFILE_GFX1100,
    AMD_PROFILE_GFX1030,
    AMD_PROFILE_GFX900,
    AMD_PROFILE_GFX803,
    AMD_PROFILE_GFX90A,
    AMD_PROFILE_GFX942,
    AMD_PROFILE_GFX1200,
};

/* Addresses and range checks */
enum amd_address_clause {
    AMD_CLAUSE_IDXEN_PLUS_ADDTID,
    AMD_CLAUSE_SWIZZLE_WITHOUT_INDEX,
    AMD_CLAUSE_OFFSET_SOFFSET_IN_SWIZZLE,
    AMD_CLAUSE_BUFFER_OFFSET_WIDTH,
    AMD_CLAUSE_RANGE_CHECK_WRAP,
    AMD_CLAUSE_ADDRESS_ABOVE_48_BITS,
    AMD_CLAUSE_SWIZZLED_OFFSET_WRAP,
    AMD_CLAUSE_OOB_PAYLOAD_PER_DWORD,
    AMD_CLAUSE_MODE0_SOFFSET,
    AMD_CLAUSE_MODE3_SOFFSET,
    AMD_CLAUSE_MODE3_INDEX_LIMIT,
    AMD_CLAUSE_MODE3_SWIZZLE_EFFECTIVE,
    AMD_CLAUSE_MODE1_CALLED_RAW,
    AMD_CLAUSE_RAW_STRIDE_IGNORED,
    AMD_CLAUSE_MODE3_INDEX_NOT_IN_CHECK,
    AMD_CLAUSE_MODE0_STRIDE0,
    AMD_CLAUSE_NUM_RECORDS_UNIT,
    AMD_CLAUSE_GFX8_NUM_RECORDS_BYTES,
    AMD_CLAUSE_GFX8_SOFFSET_LIMIT,
    AMD_CLAUSE_GFX9_IDXEN_DECIDES,
    AMD_CLAUSE_GFX9_RAW_PAYLOAD,
    AMD_CLAUSE_GFX9_STRUCTURED_OFFSET,
    AMD_CLAUSE_GFX9_CHECKED_INDEX,
    AMD_CLAUSE_STRIDE_CHOOSES_CHECK,
    AMD_CLAUSE_GFX6_IDXEN_OFFSET_TEST,
    AMD_CLAUSE_GFX10_OOB3,
    AMD_CLAUSE_GFX10_OOB0_PAYLOAD,
    AMD_CLAUSE_COMPONENT_VS_WHOLE,
    AMD_CLAUSE_OOB_ATOMIC_RETURN,
    AMD_CLAUSE_SMEM_STRIDE_16BIT,
    AMD_CLAUSE_SMEM_DWORD_MASK,
    AMD_CLAUSE_SMEM_PARTIAL_DWORD,
    AMD_CLAUSE_SMEM_RDNA2_SIZE,
    AMD_CLAUSE_SMEM_SEL1_NOTE,
    AMD_CLAUSE_SMEM_GEM5_CLAMP,
    AMD_CLAUSE_SWIZZLE_WIDE_ACCESS,
    AMD_CLAUSE_SWIZZLE_UNALIGNED,
    AMD_CLAUSE_STRIDE_NOT_MULTIPLE,
    AMD_CLAUSE_SWIZZLE_ENABLE_2,
    AMD_CLAUSE_ELEMENT_SIZE_GFX9_GFX10,
    AMD_CLAUSE_OFFSET_BEYOND_STRIDE_SWIZZLED,
    AMD_CLAUSE_CHECK_VS_ALIGN_ORDER,
    AMD_CLAUSE_SUBDWORD_PAYLOAD,
    AMD_CLAUSE_D16_PAYLOAD,
    AMD_CLAUSE_STRIDE_18_BIT,
    AMD_CLAUSE_ADDRESS_END
};

/* Formats and data */
enum amd_format_clause {
    AMD_CLAUSE_STORE_MISSING_COMPONENTS = AMD_CLAUSE_ADDRESS_END,
    AMD_CLAUSE_STORE_DST_SEL_DUPLICATE,
    AMD_CLAUSE_STORE_DST_SEL_DIRECTION,
    AMD_CLAUSE_IDENTITY_W,
    AMD_CLAUSE_SEL1_VALUE,
    AMD_CLAUSE_OOB_SEL1_NONFORMAT,
    AMD_CLAUSE_INT_STORE_CLAMP,
    AMD_CLAUSE_D16_INT_LOAD_CLAMP,
    AMD_CLAUSE_F16_STORE_ROUNDING,
    AMD_CLAUSE_D16_F32_TRUNCATE,
    AMD_CLAUSE_UF11_STORE_ROUNDING,
    AMD_CLAUSE_F16_DENORM_NAN,
    AMD_CLAUSE_UNORM_EXACTNESS,
    AMD_CLAUSE_SNORM_MIN,
    AMD_CLAUSE_TWO_BIT_ALPHA_UNSIGNED,
    AMD_CLAUSE_SCALED_STORE,
    AMD_CLAUSE_MTBUF_FORMAT_64PLUS,
    AMD_CLAUSE_MTBUF_FORMAT_0,
    AMD_CLAUSE_D16_ECC,
    AMD_CLAUSE_GFX8_D16_UNPACKED,
    AMD_CLAUSE_LDS_INST_OFFSET,
    AMD_CLAUSE_F32_ATOMIC_DENORM,
    AMD_CLAUSE_F32_MINMAX_NAN,
    AMD_CLAUSE_CMPSWAP_RETURN_WIDTH,
    AMD_CLAUSE_FORMAT_END
};

/* Alignment, violations, special descriptors, operands */
enum amd_special_clause {
    AMD_CLAUSE_FORMAT_MISALIGN = AMD_CLAUSE_FORMAT_END,
    AMD_CLAUSE_FORMAT_COMPONENT_ALIGN,
    AMD_CLAUSE_ATOMIC_ALIGN_MODE,
    AMD_CLAUSE_ATOMIC_COMPONENT_ALIGN,
    AMD_CLAUSE_STRICT_B96,
    AMD_CLAUSE_DWORD_MODE_SWIZZLED,
    AMD_CLAUSE_GFX9_ALIGNMENT_MODE,
    AMD_CLAUSE_MEMVIOL_LOAD_VALUE,
    AMD_CLAUSE_UNBOUND_ADDTID,
    AMD_CLAUSE_UNBOUND_NONFORMAT,
    AMD_CLAUSE_UNBOUND_DST_SEL,
    AMD_CLAUSE_ALL_ZERO_RESOURCE_LEVEL,
    AMD_CLAUSE_MISMATCH_RETURN,
    AMD_CLAUSE_VGPR_OUT_OF_RANGE,
    AMD_CLAUSE_VGPR_GROUP_ALIGN,
    AMD_CLAUSE_IOFFSET_NEGATIVE,
    AMD_CLAUSE_TFE_BUFFER,
    AMD_CLAUSE_BUFFER_OOB_FLAG,
    AMD_CLAUSE_M0_NULL_SWAP,
    AMD_CLAUSE_SOFFSET_LEGAL_VALUES,
    AMD_CLAUSE_SRSRC_VCC,
    AMD_CLAUSE_RESERVED_BITS,
    AMD_CLAUSE_LLVM_CSUB_GLC,
    AMD_CLAUSE_RESERVED_OPCODE,
    AMD_CLAUSE_RESERVED_FORMAT,
    AMD_CLAUSE_RESERVED_DST_SEL,
    AMD_CLAUSE_SCALAR_GROUP_ALIGN,
    AMD_CLAUSE_SPECIAL_END
};

/* Readings by number. The manual's reading is always 0. If a clause has only one other reading, the code may
 * just test for a reading that is not 0. */
enum { AMD_INDEX_IDXEN_WINS = 1, AMD_INDEX_LANE_WITH_SWIZZLE = 2 };        /* idxen-plus-addtid */
enum { AMD_SWIZZLE_NEEDS_INDEX = 1, AMD_SWIZZLE_NEEDS_ADD_TID = 2 };       /* swizzle-without-index */
enum { AMD_WIDTH_PRODUCT_32 = 1, AMD_WIDTH_ALL_32 = 2 };                   /* buffer-offset-width */
enum { AMD_OFFSET_WALKS_ON = 1 };                                          /* swizzled-offset-wrap */
enum { AMD_GFX9_VGPR_INDEX = 1 };                                          /* gfx9-checked-index */
enum { AMD_CHOOSES_14_BITS = 1 };                                          /* stride-chooses-check */
enum { AMD_MODE3_SOFFSET_IGNORED = 1, AMD_MODE3_SOFFSET_UNDERFLOW = 2 };   /* mode3-soffset */
enum { AMD_MODE3_SWIZZLE_NEEDS_INDEX = 1 };                                /* mode3-swizzle-effective */
enum { AMD_RECORDS_BYTES_UNLESS_SWIZZLED = 1, AMD_RECORDS_IF_STRIDE = 2 }; /* num-records-unit */
enum { AMD_GFX8_RECORDS = 1 };                                             /* gfx8-num-records-bytes */
enum { AMD_GFX9_STRIDE_DECIDES = 1 };                                      /* gfx9-idxen-decides */
enum { AMD_GFX9_RAW_DWORD_END = 1 };                                       /* gfx9-raw-payload */
enum { AMD_GFX10_OOB0_FIRST_BYTE = 1, AMD_GFX10_OOB0_FORMATS = 2 };        /* gfx10-oob0-payload */
enum { AMD_SMEM_STRIDE_14 = 1 };                                           /* smem-stride-16bit */
enum { AMD_WIDE_PER_UNIT = 1 };                                            /* swizzle-wide-access */
enum { AMD_UNALIGNED_BYTE_EXACT = 1, AMD_UNALIGNED_DWORD = 2 };            /* swizzle-unaligned */
enum { AMD_SWIZZLE_2_IS_4_BYTES = 1 };                                     /* swizzle-enable-2 */
enum { AMD_BEYOND_STRIDE_OUT = 1 };                                        /* offset-beyond-stride-swizzled */
enum { AMD_STRIDE_18_ALL = 1, AMD_STRIDE_18_LANE = 3 };                    /* stride-18-bit */
enum { AMD_MISSING_ARE_X = 1 };                                            /* store-missing-components */
enum { AMD_ATOMIC_LOW_BITS_IGNORED = 1 };                                  /* atomic-align-mode */
enum { AMD_ALPHA_UNSIGNED = 1 };                                           /* two-bit-alpha-unsigned */
enum { AMD_FORMAT_LOW_SIX = 1, AMD_FORMAT_FAULTS = 2 };                    /* mtbuf-format-64plus */
enum { AMD_D16_ZEROED = 1 };                                               /* d16-ecc */
enum { AMD_DENORMAL_FLUSHED = 1 };                                         /* f32-atomic-denorm */
enum { AMD_MINMAX_ORDERED = 1 };                                           /* f32-minmax-nan */
enum { AMD_D16_UNPACKED = 1 };                                             /* gfx8-d16-unpacked */
enum { AMD_MISALIGN_DOWN = 1, AMD_MISALIGN_VIOLATES = 2, AMD_MISALIGN_AS_IS = 3 }; /* format-misalign */
enum { AMD_B96_DWORD = 1, AMD_B96_16 = 2 };                                        /* strict-b96 */
enum { AMD_GFX9_BY_MODE = 1 };                                                     /* gfx9-alignment-mode */
enum { AMD_MEMVIOL_UNTOUCHED = 2 };                                                /* memviol-load-value */
enum { AMD_SOFFSET_FLAGS = 1, AMD_SOFFSET_NO_CONSTANTS = 2 };                      /* soffset-legal-values */
enum { AMD_SRSRC_VCC_REFUSED = 1 };                                                /* srsrc-vcc */
enum { AMD_GROUP_ALIGNED_DOWN = 1 };                                               /* scalar-group-align */

enum {
    AMD_ADDRESS_CLAUSES = AMD_CLAUSE_ADDRESS_END,
    AMD_FORMAT_CLAUSES = AMD_CLAUSE_FORMAT_END - AMD_CLAUSE_ADDRESS_END,
    AMD_SPECIAL_CLAUSES = AMD_CLAUSE_SPECIAL_END - AMD_CLAUSE_FORMAT_END,
};

extern const struct clause amd_address_clauses[AMD_ADDRESS_CLAUSES], amd_format_clauses[AMD_FORMAT_CLAUSES],
    amd_special_clauses[AMD_SPECIAL_CLAUSES];

#endif
