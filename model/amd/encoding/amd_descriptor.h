/* SPDX-License-Identifier: MIT */
/*
 * The buffer resource descriptor (V#, 128 bits) of each generation: its named fields, their text, builders of
 * the usual descriptors, and a check for fields that the documents reserve or contradict. Computes no
 * addresses.
 *
 * Sources: "RDNA3" guide table 44 and 9.4; for the older generations the register headers of AMD's PAL driver
 * and ROCR runtime, the "RDNA2" and "CDNA3" guides and the CLRX assembler's documentation.
 */
#ifndef MISPRINT_MODEL_AMD_ENCODING_AMD_DESCRIPTOR_H
#define MISPRINT_MODEL_AMD_ENCODING_AMD_DESCRIPTOR_H

#include "model/amd/encoding/amd_format.h"
#include "model/amd/encoding/amd_generation.h"
#include "model/core/case.h"
#include "model/core/error.h"
#include "model/text/text.h"

#include <stdbool.h>
#include <stdint.h>

enum { AMD_DESCRIPTOR_WORDS = 4 };

enum amd_dst_sel {
    AMD_SEL_0,
    AMD_SEL_1,
    AMD_SEL_N_BC_1,
    AMD_SEL_RESERVED,
    AMD_SEL_X,
    AMD_SEL_Y,
    AMD_SEL_Z,
    AMD_SEL_W
};

/* "RDNA3" guide table 46; the names are PAL's. Clauses say what each compares. */
enum amd_oob_select { AMD_OOB_INDEX_AND_OFFSET, AMD_OOB_INDEX_ONLY, AMD_OOB_NUM_RECORDS_0, AMD_OOB_COMPLETE };

/* The fields of a V#. Fields that a generation does not have are 0. Every bit of the four words belongs to a
 * field. */
struct amd_descriptor {
    uint64_t base;   /* byte address, 48 bits */
    uint32_t stride; /* bytes, 14 bits. GFX8, GFX9: with ADD_TID, DATA_FORMAT holds more (stride-18-bit) */
    uint32_t cache_swizzle;  /* before GFX11 */
    uint32_t swizzle_enable; /* GFX11, GFX12: 0 off, 1 element size 4, 2 reserved, 3 element size 16; before:
                                0, 1 */
    uint32_t num_records;
    uint32_t dst_sel[4];   /* enum amd_dst_sel for X, Y, Z, W */
    uint32_t format;       /* a code for amd_format_of: FORMAT; GFX8, GFX9: DATA_FORMAT | NUM_FORMAT << 4 */
    uint32_t element_size; /* GFX8: bytes 2 << field */
    uint32_t index_stride; /* indices 8 << field */
    uint32_t add_tid_enable;
    uint32_t resource_level; /* GFX10: must be 1 */
    uint32_t oob_select;     /* GFX10 to GFX12: enum amd_oob_select */
    uint32_t stride_scale;   /* GFX12: STRIDE counts 1, 4, 8 or 32 bytes */
    uint32_t compression;    /* GFX12: of memory; no effect on data that is not compressed */
    uint32_t type;           /* 0: a buffer */
    uint32_t llc_noalloc;    /* GFX10.3, GFX11: no effect on data */
    uint32_t user_vm_enable, user_vm_mode, nv; /* GFX9 */
    uint32_t atc, hash_enable, heap, mtype;    /* GFX8 */
    uint32_t reserved;                         /* the bits without a meaning, from the lowest up */
};

void amd_descriptor_decode(enum amd_generation g, const uint32_t words[AMD_DESCRIPTOR_WORDS],
                           struct amd_descriptor *d);
void amd_descriptor_encode(enum amd_generation g, const struct amd_descriptor *d,
                           uint32_t words[AMD_DESCRIPTOR_WORDS]); /* truncates each field to its width */

/* The fields of bits 0 to 127, lowest first; ends at an entry without name. */
const struct bit_field *amd_descriptor_bits(enum amd_generation g);
/* The same by word and generation, for a case's field.bits_by. */
extern const struct bit_field *const amd_descriptor_word_bits[AMD_DESCRIPTOR_WORDS][AMD_GENERATIONS];

/*
 * Text: "FIELD=VALUE", in lower case, for each field that is not 0: "base=0x10000 stride=16 num_records=64
 * dst_sel_x=x format=32_float oob_select=complete". A value that has a name is written by its name, others as
 * decimal or 0x numbers. "dst_sel=xyzw" stands for four fields, "base=" for all 48 bits, "zero" alone for the
 * all-zero descriptor. Printing and parsing lose nothing. A text can begin with the name of a builder
 * ("raw", "typed", "scratch"): the parser then starts from that builder's descriptor of no bytes, not from
 * zeros, and sets the fields that follow: "raw base=0x10000 num_records=64".
 */
void amd_descriptor_print(enum amd_generation g, const uint32_t words[AMD_DESCRIPTOR_WORDS], struct text *t);
/* Parses characters `from` to `count` of a line. */
bool amd_descriptor_parse(enum amd_generation g, const char *line, size_t from, size_t count,
                          uint32_t words[AMD_DESCRIPTOR_WORDS], struct error *e);

/* ---- builders of the descriptors that drivers make ---- */

/* A view of `bytes` bytes for untyped access: stride 0, range-checked in bytes. Base is cut to 48 bits. */
struct amd_descriptor amd_descriptor_raw(enum amd_generation g, uint64_t base, uint32_t bytes);
/* A view of `records` elements `stride` bytes apart for access by index, with a format's code. */
struct amd_descriptor amd_descriptor_typed(enum amd_generation g, uint64_t base, uint32_t stride,
                                           uint32_t records, uint32_t code);
/* Scratch memory: the lane is the index; elements of 4 bytes are interleaved over the 32 or 64 lanes of a
 * wave; range checks fail only if NUM_RECORDS is 0. */
struct amd_descriptor amd_descriptor_scratch(enum amd_generation g, uint64_t base, uint32_t bytes_per_lane,
                                             uint32_t lanes);

/* ---- the check ---- */

/* What a document reserves, forbids or contradicts. */
struct amd_descriptor_rule {
    const char *field;    /* as in the text form */
    const char *says;     /* what is wrong with it */
    const char *source;   /* document and table */
    unsigned generations; /* bit g: holds for this generation */
    bool (*broken)(enum amd_generation g, const struct amd_descriptor *d);
};

/* Returns the first rule from number *n on that the descriptor breaks, and sets *n to the number behind it;
 * NULL if there is none. Start with *n = 0. */
const struct amd_descriptor_rule *amd_descriptor_check(enum amd_generation g, const struct amd_descriptor *d,
                                                       unsigned *n);

#endif
