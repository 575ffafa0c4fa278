/* SPDX-License-Identifier: MIT */
/*
 * The buffer resource descriptor (V#), 128 bits, in each generation: its named
 * fields, their text, builders of the usual descriptors, and a check that says
 * which fields hold what the documents reserve or contradict. Says nothing
 * about addresses.
 *
 * Sources: "RDNA3" guide table 44 and 9.4; the register headers of AMD's PAL
 * driver and ROCR runtime, "RDNA2" and "CDNA3" guides and the CLRX assembler's
 * documentation for the older generations.
 */
#ifndef MISPRINT_MODEL_AMD_ENCODING_AMD_DESCRIPTOR_H
#define MISPRINT_MODEL_AMD_ENCODING_AMD_DESCRIPTOR_H

#include "model/amd/amd_format.h"
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

/* "RDNA3" guide table 46; the names are PAL's. Which index, offset and limit each compares is a matter of
 * clauses. */
enum amd_oob_select { AMD_OOB_INDEX_AND_OFFSET, AMD_OOB_INDEX_ONLY, AMD_OOB_NUM_RECORDS_0, AMD_OOB_COMPLETE };

/* The fields of a V#. Those that a generation does not have are 0. Every bit of the words is in one of them,
 * `reserved` included. */
struct amd_descriptor {
    uint64_t base;   /* byte address, 48 bits */
    uint32_t stride; /* bytes, 14 bits. GFX8, GFX9: with ADD_TID, data_format holds bits 17:14 (clause of its
                        own) */
    uint32_t cache_swizzle;  /* before GFX11 */
    uint32_t swizzle_enable; /* GFX11: 0 off, 1 element size 4, 2 reserved, 3 element size 16; before: 0, 1 */
    uint32_t num_records;
    uint32_t dst_sel[4];   /* enum amd_dst_sel for X, Y, Z, W */
    uint32_t format;       /* a code for amd_format_of: FORMAT; GFX8, GFX9: DATA_FORMAT | NUM_FORMAT << 4 */
    uint32_t element_size; /* GFX8: bytes 2 << field */
    uint32_t index_stride; /* indices 8 << field */
    uint32_t add_tid_enable;
    uint32_t resource_level;                   /* GFX10: must be 1 */
    uint32_t oob_select;                       /* GFX10, GFX11: enum amd_oob_select */
    uint32_t type;                             /* 0: a buffer */
    uint32_t llc_noalloc;                      /* GFX10.3, GFX11: no effect on data */
    uint32_t user_vm_enable, user_vm_mode, nv; /* GFX9 */
    uint32_t atc, hash_enable, heap, mtype;    /* GFX8 */
    uint32_t reserved;                         /* the bits without a meaning, from the lowest up */
};

void amd_descriptor_decode(enum amd_generation g, const uint32_t words[AMD_DESCRIPTOR_WORDS],
                           struct amd_descriptor *d);
void amd_descriptor_encode(enum amd_generation g, const struct amd_descriptor *d,
                           uint32_t words[AMD_DESCRIPTOR_WORDS]); /* cuts fields that are too large */

/* The fields over bits 127..0, lowest first; ends at an entry without name. */
const struct bit_field *amd_descriptor_bits(enum amd_generation g);
/* The same for each word by itself, by word and generation: for a case's field.bits_by. */
extern const struct bit_field *const amd_descriptor_word_bits[AMD_DESCRIPTOR_WORDS][AMD_GENERATIONS];

/*
 * Text: "FIELD=VALUE" for each field that is not 0, in lower case, separated
 * by spaces: "base=0x10000 stride=16 num_records=64 dst_sel_x=x format=32_float
 * oob_select=complete". Values are names where there are some, else decimal or
 * 0x hexadecimal numbers; "zero" alone is the all-zero descriptor; "dst_sel=xyzw"
 * stands for the four, "base=" for all 48 bits of it. Loss-free. Read, not
 * printed: "raw", "typed" or "scratch" first begins with what the builder of
 * that name makes, of no bytes: "raw base=0x10000 num_records=64".
 */
void amd_descriptor_print(enum amd_generation g, const uint32_t words[AMD_DESCRIPTOR_WORDS], struct text *t);
/* Reads characters `from` to `count` of a line. */
bool amd_descriptor_parse(enum amd_generation g, const char *line, size_t from, size_t count,
                          uint32_t words[AMD_DESCRIPTOR_WORDS], struct error *e);

/* ---- builders: what drivers make ---- */

/* A view of `bytes` bytes for untyped access: stride 0, range-checked in bytes. Base is cut to 48 bits. */
struct amd_descriptor amd_descriptor_raw(enum amd_generation g, uint64_t base, uint32_t bytes);
/* A view of `records` elements `stride` bytes apart for access by index; `code` is a format's code, all its
 * components in order. */
struct amd_descriptor amd_descriptor_typed(enum amd_generation g, uint64_t base, uint32_t stride,
                                           uint32_t records, uint32_t code);
/* Scratch memory: the lane is the index, elements of 4 bytes interleaved over the lanes of a wave (32 or 64),
 * not range-checked but for NUM_RECORDS = 0. */
struct amd_descriptor amd_descriptor_scratch(enum amd_generation g, uint64_t base, uint32_t bytes_per_lane,
                                             uint32_t lanes);

/* ---- the check ---- */

/* Something that a document reserves, forbids or contradicts. */
struct amd_descriptor_rule {
    const char *field;    /* as in the text form */
    const char *says;     /* what is wrong with it */
    const char *source;   /* document and table */
    unsigned generations; /* bit g: holds for this generation */
    bool (*broken)(enum amd_generation g, const struct amd_descriptor *d);
};

/* The first rule from number *n on that the descriptor breaks, *n then being the number behind it; NULL if
 * there is no more. Start with *n = 0. */
const struct amd_descriptor_rule *amd_descriptor_check(enum amd_generation g, const struct amd_descriptor *d,
                                                       unsigned *n);

#endif
