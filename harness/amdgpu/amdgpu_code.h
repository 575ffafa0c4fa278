/* SPDX-License-Identifier: MIT */
/*
 * Encodes and decodes the few instructions that the program around a case needs besides buffer instructions
 * (model/amd/encoding/amd_insn.h), from one table. Says nothing about what they do.
 *
 * Sources: the microcode formats of AMD's "GCN3", "Vega", "RDNA2" and "RDNA3" guides.
 * tests/harness/test_amdgpu_program.c checks them against LLVM 19.
 */
#ifndef MISPRINT_HARNESS_AMDGPU_AMDGPU_CODE_H
#define MISPRINT_HARNESS_AMDGPU_AMDGPU_CODE_H

#include "model/amd/encoding/amd_generation.h"

#include <stdbool.h>
#include <stdint.h>

enum gcn_op {
    GCN_S_MOV_B32,
    GCN_S_MOV_B64,
    GCN_S_CMP_LG_U32,
    GCN_S_GETREG_B32,
    GCN_S_WAITCNT_VSCNT, /* GFX10 on: stores have a counter of their own */
    GCN_S_NOP,
    GCN_S_ENDPGM,
    GCN_S_WAITCNT,
    GCN_V_MOV_B32,
    GCN_V_LSHLREV_B32,
    GCN_V_READLANE_B32,
    GCN_V_WRITELANE_B32,
    GCN_DS_WRITE_B32,
    GCN_DS_READ_B32,
    GCN_OPS
};

/* Operand codes that are the same in all generations. */
enum {
    GCN_VCC = 106,
    GCN_EXEC = 126,
    GCN_CONSTANT_0 = 128,
    GCN_MINUS_1 = 193,
    GCN_LITERAL = 255,
    GCN_VGPR = 256
};
enum { GCN_TRAPSTS = 3 | 31 << 11 }; /* as S_GETREG names the register */

/* Fields that a format does not have are 0. */
struct gcn_insn {
    enum gcn_op op;
    uint32_t dst;     /* number of an SGPR or VGPR */
    uint32_t src0;    /* operand code; DS: number of the address's VGPR */
    uint32_t src1;    /* operand code or number of a VGPR, as the format has it */
    uint32_t imm;     /* SIMM16; DS: the offset */
    uint32_t literal; /* if src0 is GCN_LITERAL */
};

/* Encodes an operation that the generation has; returns its number of words, 1 or 2. */
unsigned gcn_encode(enum amd_generation g, const struct gcn_insn *i, uint32_t words[2]);
/* Decodes from two words; returns how many belong to the instruction, 0 if it is unknown. */
unsigned gcn_decode(enum amd_generation g, const uint32_t words[2], struct gcn_insn *i);

/* A scalar load through a 64-bit address is a scalar buffer load without this bit of the opcode (all guides,
 * tables of SMEM opcodes). */
enum { GCN_S_BUFFER = 8 << 18 };

#endif
