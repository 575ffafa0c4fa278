/* SPDX-License-Identifier: MIT */
/*
 * The 64-bit buffer instructions of each generation: MUBUF, MTBUF, and the
 * scalar buffer loads of SMEM. Owns their opcodes (one row each), the places of
 * their fields, decoding, encoding and text. Says nothing about what they do
 * to memory.
 *
 * A word does not say of which generation it is: MUBUF begins with 111000 in
 * all four, and means different things. So every function here takes the
 * generation. A case has one for all its instructions, an enumeration named
 * "generation" that stands before the code: struct code.chosen_by and .sets
 * (model/core/unit.h) lead from its value to amd_code[generation], which unit_amd's
 * tables use.
 *
 * Sources: AMD's "RDNA3" guide (2023), chapter 9 and its chapters of microcode formats and instructions; for
 * the older generations the CLRX assembler's documentation and LLVM's tables. LLVM 19 is the independent
 * check of all of it (tests/model/amd/test_amd_text.c).
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
    AMD_LOAD,      /* memory to VGPRs (SMEM: to SGPRs) */
    AMD_STORE,     /* VGPRs to memory */
    AMD_ATOMIC,    /* read, modify, write; returns the old value if GLC */
    AMD_LOAD_LDS,  /* memory to LDS, by an opcode of its own (GFX11). Before GFX11 an AMD_LOAD with the LDS
                      bit: amd_to_lds() tells both */
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
};

enum { AMD_NO_CODE = 0xFFFF };

/* An operation. Everything that differs between opcodes is known here and nowhere else. */
struct amd_op {
    const char *name;     /* as LLVM spells it for GFX11: "buffer_load_b32"; NULL if GFX11 has none */
    const char *old_name; /* for the other generations: "buffer_load_dword"; NULL if they have none */
    uint16_t code[AMD_GENERATIONS]; /* AMD_NO_CODE: not in this generation */
    uint8_t encoding;               /* enum amd_encoding */
    uint8_t kind;                   /* enum amd_kind */
    uint8_t bytes; /* in memory for each lane: 1, 2, 4, 8, 12, 16; SMEM: 4 .. 64. 0: by the format, or none */
    uint8_t components; /* with a format: 1..4 that the opcode names (X, XY, ...); raw: dwords of data (1 for
                           1 and 2 bytes) */
    uint8_t atomic;     /* enum amd_atomic, if kind is AMD_ATOMIC */
    bool format;        /* converted by a data format: of the V# (MUBUF), of the instruction (MTBUF) */
    bool sign;          /* 1 or 2 bytes: sign-extended */
    bool d16;           /* 16-bit data in VGPRs; raw: the other half of the register is kept */
    bool hi;            /* D16: the high half of the register */
    bool lds_bit;       /* has a form with the LDS bit, before GFX11 */
};

extern const struct amd_op amd_ops[]; /* ends at an entry without any name */
extern const unsigned amd_op_count;

const char *amd_op_name(enum amd_generation g, const struct amd_op *op); /* NULL: not in this generation */

/* The operation of this code, or NULL. */
const struct amd_op *amd_op_of(enum amd_generation g, enum amd_encoding encoding, uint32_t code);

/* A decoded word. Fields that the generation or encoding does not have are 0. Every bit of the word is in one
 * of them, `unused` included. */
struct amd_insn {
    const struct amd_op *op;
    uint32_t code;         /* the opcode, of op in this generation */
    uint32_t encoding;     /* bits 31:26 */
    uint32_t offset;       /* OFFSET: MUBUF, MTBUF 12 bits, unsigned; SMEM: 20 or 21 bits as they stand
                              (amd_smem_offset) */
    uint32_t vaddr, vdata; /* VGPR numbers. SMEM: vdata is SDATA, an SGPR's code */
    uint32_t srsrc;        /* number of the V#'s first SGPR / 4. SMEM: SBASE, number / 2 */
    uint32_t soffset;      /* operand code, 8 bits (SMEM: 7): amd_soffset_kind */
    uint32_t offen, idxen;
    uint32_t glc, slc, dlc;
    uint32_t tfe, lds;
    uint32_t format; /* MTBUF: GFX10, GFX11 FORMAT (7 bits); GFX8, GFX9 DFMT | NFMT << 4, the same number of
                        bits */
    uint32_t imm, soffset_en, nv; /* SMEM of GFX8 and GFX9: IMM, SOFFSET_EN (GFX9), NV (GFX9) */
    uint32_t unused;              /* the bits without a meaning, from the lowest up */
};

/* False for words that are no buffer instruction of this generation, or whose opcode it has not. */
bool amd_decode(enum amd_generation g, uint64_t word, struct amd_insn *i);

/* The word of an instruction, from its operation and its fields (`code` and `encoding` are made from `op`);
 * fields too large are cut. */
uint64_t amd_encode(enum amd_generation g, const struct amd_insn *i);

/* An instruction of this operation whose fields are those that the text leaves out: all 0, format 1 (MTBUF),
 * LDS bit where the op has no other form.
 */
void amd_insn_canonical(enum amd_generation g, const struct amd_op *op, struct amd_insn *i);

/* Is the data moved between memory and LDS, so that VDATA means nothing? */
bool amd_to_lds(const struct amd_insn *i);

/* VGPRs (SMEM: SGPRs) of data from VDATA on: by component count, D16 packing, two operands of CMPSWAP.
 * Without TFE's extra one. */
unsigned amd_data_registers(enum amd_generation g, const struct amd_insn *i);

/* VGPRs of address from VADDR on: 0, 1 or 2. */
static inline unsigned amd_address_registers(const struct amd_insn *i)
{
    return (i->offen ? 1U : 0U) + (i->idxen ? 1U : 0U);
}

/* D16 data of format operations in one VGPR a component instead of two: GFX8.0 (LLVM: feature
 * unpacked-d16-vmem). */
static inline bool amd_d16_unpacked(enum amd_generation g)
{
    return g == AMD_GFX8;
}

/* What an operand code of SOFFSET names ("RDNA3" guide chapter 9 allows SGPR, M0, NULL and inline constants
 * only). */
enum amd_source {
    AMD_SOURCE_SGPR,     /* value: number of the SGPR, 0..105 (fewer before GFX10) */
    AMD_SOURCE_CONSTANT, /* value: the 32 bits: -1 is 0xFFFFFFFF, 0.5 is 0x3F000000 */
    AMD_SOURCE_M0,
    AMD_SOURCE_NULL,    /* reads as 0 */
    AMD_SOURCE_SPECIAL, /* vcc, exec, ttmp, flat_scratch, xnack_mask, src_shared_base, src_vccz ...: value is
                           the code */
    AMD_SOURCE_RESERVED
};
enum amd_source amd_soffset_source(enum amd_generation g, uint32_t code, uint32_t *value);

/* SMEM's immediate offset in bytes, sign-extended (GFX8: unsigned); 0 where it has none. */
int32_t amd_smem_offset(enum amd_generation g, const struct amd_insn *i);
/* SMEM's register offset as an operand code; -1 if there is none. */
int amd_smem_soffset(enum amd_generation g, const struct amd_insn *i);

/* The word as text in LLVM's syntax and back; loss-free for all 2^64 words of each generation. Grammar: at
 * the top of amd_text.c. */
void amd_print(enum amd_generation g, uint64_t word, struct text *t);
bool amd_parse(enum amd_generation g, const char *chars, size_t count, uint64_t *word, struct error *e);

/* The same as the tables of a case's code: two words an instruction, low word first; amd_code[0] chooses
 * among them by the case's "generation". */
extern const struct code amd_code[AMD_GENERATIONS];

/* The named bit fields over bits 63..0 of a word of this encoding; NULL for words that amd_decode refuses. */
const struct bit_field *amd_bit_fields(enum amd_generation g, uint64_t word);

#endif
