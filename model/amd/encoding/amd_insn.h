/* SPDX-License-Identifier: MIT */
/*
 * The buffer instructions of each generation: MUBUF and MTBUF (64 bits; on GFX12 VBUFFER, 96 bits), and the
 * scalar buffer loads of SMEM (64 bits). Owns their opcodes (one row each), their bit fields, decoding,
 * encoding and text. Says nothing about what they do to memory.
 *
 * A word does not show its generation: MUBUF begins with 111000 on all but GFX12, though other bits differ.
 * So every function here takes the generation. All instructions of a case belong to one generation, which the
 * case's enumeration "generation" names: it selects a set of amd_code (struct code.chosen_by in
 * model/core/unit.h).
 *
 * Sources: AMD's "RDNA3" guide (2023), chapter 9 and its chapters of microcode formats and instructions; for
 * the older generations the CLRX assembler's documentation and LLVM's tables. tests/model/amd/test_amd_llvm.c
 * checks all of it against LLVM 19.
 */
#ifndef MISPRINT_MODEL_AMD_ENCODING_AMD_INSN_H
#define MISPRINT_MODEL_AMD_ENCODING_AMD_INSN_H

#include "model/amd/encoding/amd_generation.h"
#include "model/core/case.h"
#include "model/core/error.h"
#include "model/core/unit.h"
#include "model/text/text.h"

#include <stdbool.h>
#include <stdint.h>

enum amd_encoding { AMD_MUBUF, AMD_MTBUF, AMD_SMEM, AMD_ENCODINGS };

enum amd_kind {
    AMD_LOAD,     /* memory to VGPRs (SMEM: to SGPRs) */
    AMD_STORE,    /* VGPRs to memory */
    AMD_ATOMIC,   /* read, modify, write; returns the old value if GLC */
    AMD_LOAD_LDS, /* memory to LDS (GFX11). Before GFX11 it is an AMD_LOAD with the LDS bit: see amd_to_lds */
    AMD_STORE_LDS, /* LDS to memory (GFX8, GFX9): no vaddr, no vdata */
    AMD_CACHE,     /* cache invalidation: no operands */
};

enum amd_atomic {
    AMD_ATOMIC_SWAP,
    AMD_ATOMIC_CMPSWAP,
    AMD_ATOMIC_ADD,
    AMD_ATOMIC_SUB,
    AMD_ATOMIC_CSUB,
    AMD_ATOMIC_SMIN,
    AMD_ATOMIC_UMIN,
    AMD_ATOMIC_SMAX,
    AMD_ATOMIC_UMAX,
    AMD_ATOMIC_AND,
    AMD_ATOMIC_OR,
    AMD_ATOMIC_XOR,
    AMD_ATOMIC_INC,
    AMD_ATOMIC_DEC,
    AMD_ATOMIC_FCMPSWAP,
    AMD_ATOMIC_FMIN,
    AMD_ATOMIC_FMAX,
    AMD_ATOMIC_FADD,
    AMD_ATOMIC_PK_FADD,   /* two halves */
    AMD_ATOMIC_PK_BFADD,  /* two bfloat16 */
    AMD_ATOMIC_SUB_CLAMP, /* computes what CSUB does, but need not return */
    AMD_ATOMIC_COND_SUB,
};

enum { AMD_NO_CODE = 0xFFFF, AMD_ACC = 256, AMD_INSN_WORDS = 3 };

/* An operation. All differences between opcodes are in these rows. */
struct amd_op {
    const char *name, *old_name;    /* LLVM's, on GFX11 and on the others: see amd_op_name */
    uint16_t code[AMD_GENERATIONS]; /* AMD_NO_CODE: not in this generation */
    uint8_t encoding;               /* enum amd_encoding */
    uint8_t kind;                   /* enum amd_kind */
    uint8_t bytes;      /* in memory, a lane: 1, 2, 4, 8, 12, 16; SMEM: 4 to 64. 0: by the format, or none */
    uint8_t components; /* with a format: 1 to 4 (X, XY, ...); raw: dwords of data (1 for 1 and 2 bytes) */
    uint8_t atomic;     /* enum amd_atomic, if kind is AMD_ATOMIC */
    bool format;        /* converted by a data format: of the V# (MUBUF), of the instruction (MTBUF) */
    bool sign;          /* 1 or 2 bytes: sign-extended */
    bool d16;           /* 16-bit data in VGPRs; raw: the other half of the register is kept */
    bool hi;            /* D16: the high half of the register */
    bool lds_bit;       /* has a form with the LDS bit, before GFX11 */
};

extern const struct amd_op amd_ops[];
extern const unsigned amd_op_count;

/* "buffer_load_b32" on GFX11, "buffer_load_dword" on the others; NULL: not in this generation. */
const char *amd_op_name(enum amd_generation g, const struct amd_op *op);

/* The operation of this code, or NULL. */
const struct amd_op *amd_op_of(enum amd_generation g, enum amd_encoding encoding, uint32_t code);

/* A decoded word. Fields that the generation or encoding does not have are 0. Every bit is in one of them. */
struct amd_insn {
    const struct amd_op *op;
    uint32_t code;         /* the opcode, of op in this generation */
    uint32_t encoding;     /* bits 31:26 */
    uint32_t offset;       /* OFFSET: MUBUF, MTBUF 12 bits, unsigned; GFX12: 24 bits; SMEM: 20 to 24 bits, see
                              amd_smem_offset */
    uint32_t vaddr, vdata; /* VGPR numbers; vdata from AMD_ACC on: accumulation registers (CDNA). SMEM: vdata
                              is SDATA, an SGPR's code */
    uint32_t srsrc;        /* number of the V#'s first SGPR / 4. SMEM: SBASE, number / 2 */
    uint32_t soffset;      /* operand code, 8 bits (SMEM: 7): see amd_soffset_source */
    uint32_t offen, idxen;
    uint32_t glc, slc, dlc, scc;  /* gfx90a has SCC; gfx942 calls GLC, SLC, SCC: SC0, NT, SC1 */
    uint32_t th, scope;           /* GFX12: bits 2:1 of TH, whose bit 0 is glc (an atomic returns); SCOPE */
    uint32_t tfe, lds;            /* CDNA has no TFE */
    uint32_t format;              /* MTBUF, 7 bits: GFX10, GFX11 FORMAT; the others DFMT | NFMT << 4 */
    uint32_t imm, soffset_en, nv; /* SMEM of GFX8, GFX9, CDNA: IMM; not GFX8: SOFFSET_EN, NV */
    uint32_t unused;              /* the bits without a meaning, from the lowest up */
};

/* A field of an instruction, or a part of one: bits `low` to `low + width - 1` of its words. `member` is the
 * byte offset of a uint32_t in struct amd_insn, and `shift` the lowest of its bits that the part becomes. */
struct amd_field_part {
    uint16_t member;
    uint8_t shift, low, width;
};
/* Returns the parts of the fields of an encoding. The width of the last row is 0. No part crosses a word. */
const struct amd_field_part *amd_parts_of(enum amd_generation g, enum amd_encoding encoding);

/* Returns false for words that are no buffer instruction of this generation or have no known opcode. Reads
 * AMD_INSN_WORDS words; the third matters only if amd_insn_words returns 3. */
bool amd_decode_words(enum amd_generation g, const uint32_t *words, struct amd_insn *i);
/* Decodes the words as an instruction of this encoding, whatever their ENCODING field says. */
bool amd_decode_as(enum amd_generation g, enum amd_encoding encoding, const uint32_t *words,
                   struct amd_insn *i);

/* Sets AMD_INSN_WORDS words; `code` and `encoding` are taken from `op`. Cuts fields that are too large. */
void amd_encode_words(enum amd_generation g, const struct amd_insn *i, uint32_t *words);

/* How many words the instruction that begins with this one has: 2 or 3. */
unsigned amd_insn_words(enum amd_generation g, uint32_t first);

/* The same for instructions of 64 bits. */
bool amd_decode(enum amd_generation g, uint64_t word, struct amd_insn *i);
uint64_t amd_encode(enum amd_generation g, const struct amd_insn *i);

/* A case holds an instruction as AMD_INSN_WORDS words, the lowest first. */
static inline uint64_t amd_word(const uint32_t words[2])
{
    return (uint64_t)words[1] << 32 | words[0];
}
static inline void amd_set_word(uint32_t words[AMD_INSN_WORDS], uint64_t word)
{
    words[0] = (uint32_t)word;
    words[1] = (uint32_t)(word >> 32);
    words[2] = 0;
}

enum { AMD_FORMAT_DEFAULT = 1 }; /* 8_UNORM, which LLVM's text leaves out: FORMAT 1; DFMT 1 and NFMT 0 */

/* Makes an instruction of this operation, with the fields that the text leaves out: all 0, AMD_FORMAT_DEFAULT
 * (MTBUF), the LDS bit where the operation has no other form. */
void amd_insn_canonical(enum amd_generation g, const struct amd_op *op, struct amd_insn *i);

/* Does the instruction load to LDS, so that VDATA means nothing? */
bool amd_to_lds(const struct amd_insn *i);

/* Is it an atomic that compares, with two operands? */
bool amd_compares(const struct amd_op *op);

/* How many VGPRs (SMEM: SGPRs) of data there are from VDATA on, without TFE's. */
unsigned amd_data_registers(enum amd_generation g, const struct amd_insn *i);

/* VGPRs of address from VADDR on: 0, 1 or 2. */
static inline unsigned amd_address_registers(const struct amd_insn *i)
{
    return (i->offen ? 1U : 0U) + (i->idxen ? 1U : 0U);
}

/* What an operand code in SOFFSET names. ("RDNA3" guide chapter 9 allows SGPR, M0, NULL, inline constants.)
 */
enum amd_source {
    AMD_SOURCE_SGPR,     /* value: number of the SGPR, 0..105 (fewer before GFX10) */
    AMD_SOURCE_CONSTANT, /* value: the 32 bits: -1 is 0xFFFFFFFF, 0.5 is 0x3F000000 */
    AMD_SOURCE_M0,
    AMD_SOURCE_NULL,    /* reads as 0 */
    AMD_SOURCE_SPECIAL, /* vcc, exec, ttmp, flat_scratch, src_shared_base, src_vccz, ...; value: the code */
    AMD_SOURCE_RESERVED
};
enum amd_source amd_soffset_source(enum amd_generation g, uint32_t code, uint32_t *value);

/* SMEM's immediate offset in bytes, sign-extended (GFX8: unsigned); 0 if there is none. */
int32_t amd_smem_offset(enum amd_generation g, const struct amd_insn *i);
/* GFX12: the immediate offset of MUBUF and MTBUF, sign-extended. */
static inline int32_t amd_ioffset(const struct amd_insn *i)
{
    const int32_t sign_bit = 1 << 23;
    return ((int32_t)i->offset ^ sign_bit) - sign_bit;
}
/* SMEM's register offset as an operand code; -1 if there is none. */
int amd_smem_soffset(enum amd_generation g, const struct amd_insn *i);

/* The words as text in LLVM's syntax, and back; loss-free for all words. amd_text.c has the grammar. */
void amd_print_words(enum amd_generation g, const uint32_t *words, struct text *t);
bool amd_parse_words(enum amd_generation g, const char *chars, size_t count, uint32_t *words,
                     struct error *e);
void amd_print(enum amd_generation g, uint64_t word, struct text *t);
bool amd_parse(enum amd_generation g, const char *chars, size_t count, uint64_t *word, struct error *e);
bool amd_is_blank(const char *chars, size_t count); /* nothing but comments? */

/* The instruction sets of a case; amd_code[0] chooses among them by the case's "generation". */
extern const struct code amd_code[AMD_GENERATIONS];

/* The named bit fields of an instruction's encoding; NULL for words that amd_decode refuses. */
const struct bit_field *amd_bit_fields(enum amd_generation g, uint64_t word);
bool amd_encoding_of(enum amd_generation g, unsigned i, struct code_encoding *e);   /* struct code.encoding */
bool amd_operation_of(enum amd_generation g, unsigned i, struct code_operation *o); /* ... and operation */
const struct bit_field *amd_fields_of(enum amd_generation g, const uint32_t *words);

#endif
