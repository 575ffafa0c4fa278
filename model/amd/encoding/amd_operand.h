/* SPDX-License-Identifier: MIT */
/*
 * The names of scalar operands in each generation, and what else the printer
 * and the reader of instruction text have to agree on. Private to amd_text.c,
 * amd_parse.c and amd_operand.c.
 */
#ifndef MISPRINT_MODEL_AMD_ENCODING_AMD_OPERAND_H
#define MISPRINT_MODEL_AMD_ENCODING_AMD_OPERAND_H

#include "model/amd/encoding/amd_insn.h"

enum { AMD_TEXT_FORMAT_DEFAULT = 1 }; /* 8_UNORM: FORMAT 1; DFMT 1 and NFMT 0 */

/* `count` scalar registers, or a constant, by operand code. Exactly one of name, constant and file tells its
 * text. */
struct amd_operand {
    uint32_t code; /* that the text stands for: aligned as the registers must be (LLVM's decoder drops the low
                      bits) */
    const char *name; /* "vcc_lo", "null", "0.5"; of several registers without "_lo": "vcc" */
    unsigned name_length;
    bool constant, negative; /* -16 .. 64: `number` is its magnitude */
    const char *file;        /* "s", "ttmp", or "src" where the codes have no name */
    uint32_t number;         /* in that file */
};

/* The operand of this code: 0..255, or up to 127 where count > 1. */
void amd_operand_of(enum amd_generation g, uint32_t code, unsigned count, struct amd_operand *o);

/* The code of a named operand or of register `number` in `file`; -1 if the generation has none. */
int amd_operand_named(enum amd_generation g, const char *name, unsigned count);
int amd_operand_register(enum amd_generation g, const char *file, uint32_t number, unsigned count);

/* Names of single operands by code, "-" where there is none, for errors; NULL-terminated. */
const char *amd_operand_name_at(enum amd_generation g, unsigned i);

/* Does the text of this operation say TFE? LLVM 19 decodes it on MUBUF loads and stores of VGPRs only. */
static inline bool amd_text_has_tfe(const struct amd_insn *i)
{
    return i->op->encoding == AMD_MUBUF && (i->op->kind == AMD_LOAD || i->op->kind == AMD_STORE) &&
           !amd_to_lds(i);
}

/* DLC? LLVM 19 has it on no atomic of GFX10. */
static inline bool amd_text_has_dlc(enum amd_generation g, const struct amd_insn *i)
{
    return g != AMD_GFX10 || i->op->kind != AMD_ATOMIC;
}

/*
 * Gives SMEM's offset fields the values that the text means: register `soffset`
 * (-1: none) and immediate `offset`, `immediate` saying that the latter was written (GFX8, GFX9).
 */
void amd_text_say_scalar_offset(enum amd_generation g, int soffset, int32_t offset, bool immediate,
                                struct amd_insn *i);

#endif
