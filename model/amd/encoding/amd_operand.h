/* SPDX-License-Identifier: MIT */
/*
 * The names of scalar operands in each generation, and what else the printer and the parser of instructions
 * share. Private to amd_text.c, amd_parse.c and amd_operand.c.
 */
#ifndef MISPRINT_MODEL_AMD_ENCODING_AMD_OPERAND_H
#define MISPRINT_MODEL_AMD_ENCODING_AMD_OPERAND_H

#include "model/amd/encoding/amd_insn.h"

/* The text of a constant, or of `count` scalar registers: a name, a constant, or a register of a file. */
struct amd_operand {
    uint32_t code; /* that the text stands for: without the low bits that LLVM's decoder drops from groups */
    const char *name; /* "vcc_lo", "null", "0.5"; of several registers without "_lo": "vcc" */
    unsigned name_length;
    bool constant, negative; /* -16 to 64: `number` is its magnitude */
    const char *file;        /* "s", "ttmp", or "src" where the codes have no name */
    uint32_t number;         /* in that file */
};

/* The operand of this code: 0 to 255, or up to 127 where count > 1. */
void amd_operand_of(enum amd_generation g, uint32_t code, unsigned count, struct amd_operand *o);

/* The code of a named operand or of register `number` in `file`; -1 if the generation has none. */
int amd_operand_named(enum amd_generation g, const char *name, unsigned count);
int amd_operand_register(enum amd_generation g, const char *file, uint32_t number, unsigned count);

/* For error messages: the name of single operand `i`, "-" if it has none, NULL behind the last. */
const char *amd_operand_name_at(enum amd_generation g, unsigned i);

/* Does the text of this instruction mention TFE? LLVM 19 decodes it on MUBUF loads and stores of VGPRs only.
 */
static inline bool amd_text_has_tfe(const struct amd_insn *i)
{
    return i->op->encoding == AMD_MUBUF && (i->op->kind == AMD_LOAD || i->op->kind == AMD_STORE) &&
           !amd_to_lds(i);
}

/* Does the text mention DLC? LLVM 19 decodes it on no atomic of GFX10. */
static inline bool amd_text_has_dlc(enum amd_generation g, const struct amd_insn *i)
{
    return g != AMD_GFX12 && (g != AMD_GFX10 || i->op->kind != AMD_ATOMIC);
}

/* Does the text mention SCC or SC1? On gfx90a, LLVM 19 decodes it on no atomic of floats. */
static inline bool amd_text_has_scc(enum amd_generation g, const struct amd_insn *i)
{
    return g != AMD_GFX90A || i->op->kind != AMD_ATOMIC || i->op->code[AMD_GFX9] != AMD_NO_CODE;
}

/* Does a cache operation take sc0 and sc1? */
static inline bool amd_text_has_scopes(enum amd_generation g, const struct amd_op *op)
{
    return g == AMD_GFX942 && op->kind == AMD_CACHE && op->code[AMD_GFX9] == AMD_NO_CODE;
}

/* GFX12: returns LLVM's name of TH = `th` in an instruction of this scope; NULL if LLVM writes the number. */
const char *amd_th_name(const struct amd_op *op, uint32_t th, uint32_t scope);
extern const char *const amd_scope_names[4];
/* Returns the TH value of a name; -1 if this operation has no such name. */
int amd_th_named(const struct amd_op *op, const char *name);

/* Sets SMEM's offset fields to what the text means: register `soffset` (-1: none) and immediate `offset`.
 * `immediate`: the text has an immediate offset (GFX8, GFX9, CDNA). */
void amd_text_set_scalar_offset(enum amd_generation g, int soffset, int32_t offset, bool immediate,
                                struct amd_insn *i);

#endif
