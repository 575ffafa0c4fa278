/* SPDX-License-Identifier: MIT */
/*
 * The 64-bit instruction word of the V3D QPU (VideoCore VI and VII): the decoded instruction, decode, encode
 * and the text form. It does not own what instructions do.
 *
 * No public manual describes this word. The facts are those of Mesa's src/broadcom/qpu and of the assemblers
 * of py-videocore6 and py-videocore7.
 */
#ifndef MISPRINT_MODEL_V3D_V3D_INSN_H
#define MISPRINT_MODEL_V3D_V3D_INSN_H

#include "model/core/case.h"
#include "model/core/error.h"
#include "model/core/unit.h"
#include "model/text/text.h"
#include "model/v3d/v3d_operations.h"

#include <stdbool.h>
#include <stdint.h>

enum v3d_generation {
    V3D_42, /* VideoCore VI, Raspberry Pi 4: V3D 4.2 */
    V3D_71, /* VideoCore VII, Raspberry Pi 5: V3D 7.1 */
    V3D_GENERATIONS
};

/* "v3d42", "v3d71"; NULL-terminated. */
extern const char *const v3d_generation_names[V3D_GENERATIONS + 1];

/* The two ALUs of an instruction. */
enum { V3D_ADD, V3D_MUL, V3D_HALVES };

/* Operations of the ADD ALU (V3D_A_FADD), then those of the MUL ALU (V3D_M_ADD). */
#define V3D_OPERATION_ID(id, ...) V3D_##id,
enum v3d_op {
    V3D_ADD_OPERATIONS(V3D_OPERATION_ID) V3D_ADD_OPS,
    V3D_M_BEFORE = V3D_ADD_OPS - 1,
    V3D_MUL_OPERATIONS(V3D_OPERATION_ID) V3D_OPS
};

/* What an instruction does to an operand before the operation. */
enum v3d_unpack {
    V3D_UNPACK_NONE,
    V3D_UNPACK_ABS,       /* binary32: without its sign */
    V3D_UNPACK_L,         /* the low half, a binary16, as binary32 */
    V3D_UNPACK_H,         /* the high half */
    V3D_UNPACK_FF,        /* a binary32 converted to binary16, in both halves */
    V3D_UNPACK_LL,        /* the low half in both */
    V3D_UNPACK_HH,        /* the high half in both */
    V3D_UNPACK_SWP,       /* halves exchanged */
    V3D_UNPACK_SAT,       /* 7.1 fmov: clamped to [0, 1] */
    V3D_UNPACK_NSAT,      /* 7.1 fmov: clamped to [-1, 1] */
    V3D_UNPACK_MAX0,      /* 7.1 fmov: at least 0 */
    V3D_UNPACK_UL,        /* 7.1 mov: the low half, zero-extended */
    V3D_UNPACK_UH,        /* 7.1 mov: the high half, zero-extended */
    V3D_UNPACK_IL,        /* 7.1 mov: the low half, sign-extended */
    V3D_UNPACK_IH,        /* 7.1 mov: the high half, sign-extended */
    V3D_UNPACK_RESERVED5, /* codes without a meaning: 5, 6, 7 of pairs of halves, 7 of fmov, 5 to 7 of mov */
    V3D_UNPACK_RESERVED6,
    V3D_UNPACK_RESERVED7,
    V3D_UNPACKS,
    /* What readings say of reserved ones. No word decodes to these. */
    V3D_UNPACK_ABS_SAT = V3D_UNPACKS, /* without its sign, at most 1 */
    V3D_UNPACK_HALVES_ABS,            /* both halves without their signs */
    V3D_UNPACK_HALVES_NEG,            /* both halves negated */
    V3D_UNPACK_HALVES_NAB,            /* both halves negative */
};

enum v3d_pack { V3D_PACK_NONE, V3D_PACK_L, V3D_PACK_H };

enum v3d_cond { V3D_COND_NONE, V3D_COND_IFA, V3D_COND_IFB, V3D_COND_IFNA, V3D_COND_IFNB };

/* What an ALU does to the flags; the numbers are those of the encoding. */
enum v3d_flags {
    V3D_FLAGS_NONE,
    V3D_FLAGS_PUSHZ,
    V3D_FLAGS_PUSHN,
    V3D_FLAGS_PUSHC,
    V3D_FLAGS_ANDZ,
    V3D_FLAGS_ANDNZ,
    V3D_FLAGS_NORNZ,
    V3D_FLAGS_NORZ,
    V3D_FLAGS_ANDN,
    V3D_FLAGS_ANDNN,
    V3D_FLAGS_NORNN,
    V3D_FLAGS_NORN,
    V3D_FLAGS_ANDC,
    V3D_FLAGS_ANDNC,
    V3D_FLAGS_NORNC,
    V3D_FLAGS_NORC
};

/* Signals, a bit each. */
enum v3d_signal {
    V3D_SIG_THRSW = 1 << 0,
    V3D_SIG_LDVARY = 1 << 1,
    V3D_SIG_LDTMU = 1 << 2,
    V3D_SIG_LDTLB = 1 << 3,
    V3D_SIG_LDTLBU = 1 << 4,
    V3D_SIG_LDUNIF = 1 << 5,
    V3D_SIG_LDUNIFRF = 1 << 6,
    V3D_SIG_LDUNIFA = 1 << 7,
    V3D_SIG_LDUNIFARF = 1 << 8,
    V3D_SIG_WRTMUC = 1 << 9,
    V3D_SIG_UCB = 1 << 10,
    V3D_SIG_ROT = 1 << 11,     /* 4.2 */
    V3D_SIG_SMIMM_A = 1 << 12, /* 7.1; the field of this operand is an immediate's index */
    V3D_SIG_SMIMM_B = 1 << 13, /* 4.2: raddr_b is an immediate's index */
    V3D_SIG_SMIMM_C = 1 << 14, /* 7.1 */
    V3D_SIG_SMIMM_D = 1 << 15, /* 7.1 */
    /* These signals have a destination: sig_magic and sig_addr. */
    V3D_SIG_WRITES = V3D_SIG_LDVARY | V3D_SIG_LDTMU | V3D_SIG_LDTLB | V3D_SIG_LDTLBU | V3D_SIG_LDUNIFRF |
                     V3D_SIG_LDUNIFARF,
    V3D_SIG_SMIMM = V3D_SIG_SMIMM_A | V3D_SIG_SMIMM_B | V3D_SIG_SMIMM_C | V3D_SIG_SMIMM_D
};

/* Magic write addresses. */
enum v3d_waddr {
    V3D_W_R0 = 0, /* 4.2: r0 to r4 */
    V3D_W_R4 = 4,
    V3D_W_R5 = 5, /* 4.2: r5, each quad gets its lane 0; 7.1: "quad", the same to rf0 */
    V3D_W_NOP = 6,
    V3D_W_TLB = 7,
    V3D_W_TLBU = 8,
    V3D_W_UNIFA = 9,
    V3D_W_TMUL = 10,
    V3D_W_TMUD = 11,
    V3D_W_TMUA = 12,
    V3D_W_TMUAU = 13,
    V3D_W_VPM = 14,
    V3D_W_VPMU = 15,
    V3D_W_SYNC = 16,
    V3D_W_SYNCU = 17,
    V3D_W_SYNCB = 18,
    V3D_W_RECIP = 19, /* 4.2: recip to rsqrt2, results in r4 */
    V3D_W_RSQRT = 20,
    V3D_W_EXP = 21,
    V3D_W_LOG = 22,
    V3D_W_SIN = 23,
    V3D_W_RSQRT2 = 24,
    V3D_W_TMUC = 32,
    V3D_W_TMUS = 33,
    V3D_W_TMUT = 34,
    V3D_W_TMUR = 35,
    V3D_W_TMUI = 36,
    V3D_W_TMUB = 37,
    V3D_W_TMUDREF = 38,
    V3D_W_TMUOFF = 39,
    V3D_W_TMUSCM = 40,
    V3D_W_TMUSF = 41,
    V3D_W_TMUSLOD = 42,
    V3D_W_TMUHS = 43,
    V3D_W_TMUHSCM = 44,
    V3D_W_TMUHSF = 45,
    V3D_W_TMUHSLOD = 46,
    V3D_W_REP = 55, /* 4.2: r5rep, lane 0 to all lanes of r5; 7.1: "rep", the same to rf0 */
    V3D_WADDRS = 64
};

enum { V3D_REGISTERS = 64, V3D_ACCUMULATORS = 6, V3D_IMMEDIATES = 48 };

enum v3d_operand_kind {
    V3D_NO_OPERAND,
    V3D_RF,          /* index: 0 to 63 */
    V3D_ACCUMULATOR, /* 4.2; index: 0 to 5 */
    V3D_IMMEDIATE    /* index of a small immediate: 0 to 47 (v3d_immediate), 48 to 63 reserved */
};

struct v3d_operand {
    uint8_t kind;  /* enum v3d_operand_kind */
    uint8_t index; /* of the register or immediate */
    uint8_t unpack;
};

/* What one ALU does. */
struct v3d_half {
    uint8_t op;    /* enum v3d_op */
    uint8_t cond;  /* enum v3d_cond */
    uint8_t flags; /* enum v3d_flags */
    uint8_t pack;  /* enum v3d_pack */
    bool magic;    /* waddr is an enum v3d_waddr, otherwise a register of the register file */
    uint8_t waddr; /* the magic address V3D_W_NOP if the operation has no destination */
    struct v3d_operand src[2];
};

enum v3d_branch_cond {
    V3D_BRANCH_ALWAYS,
    V3D_BRANCH_UNASSIGNED,
    V3D_BRANCH_A0,
    V3D_BRANCH_NA0,
    V3D_BRANCH_ALLA,
    V3D_BRANCH_ANYNA,
    V3D_BRANCH_ANYA,
    V3D_BRANCH_ALLNA
};

enum v3d_msfign { V3D_MSFIGN_NONE, V3D_MSFIGN_P, V3D_MSFIGN_Q, V3D_MSFIGN_RESERVED };

/* Where a branch goes, and where the stream of uniforms goes on. */
enum v3d_target {
    V3D_TO_ABSOLUTE, /* instructions: `offset`; uniforms: the next word of the stream */
    V3D_TO_RELATIVE,
    V3D_TO_LINK,
    V3D_TO_REGISTER, /* raddr */
};

struct v3d_branch {
    uint8_t cond;   /* enum v3d_branch_cond */
    uint8_t msfign; /* enum v3d_msfign */
    uint8_t bdi;    /* enum v3d_target: the instruction's destination */
    uint8_t bdu;    /* enum v3d_target: the uniform's; 4 to 7 are reserved; 0 without ub */
    bool ub;        /* also branch the stream of uniforms */
    bool set_link;
    uint8_t raddr;   /* the register, for V3D_TO_REGISTER; else 0 */
    uint32_t offset; /* bytes, a multiple of 8 */
};

/* Why a word is no instruction. The decoded instruction then still says what the fields would mean, so that a
 * clause can say what hardware does with it. */
enum v3d_reserved {
    V3D_DEFINED,
    V3D_RESERVED_CLASS,     /* op_mul is 0 and the word is no branch; nothing else is decoded */
    V3D_RESERVED_ADD,       /* no operation of the ADD ALU: half[V3D_ADD].op is V3D_A_NOP, or, for opcode 191
                             * of 4.2, what 7.1 has there */
    V3D_RESERVED_MUL,       /* no operation of the MUL ALU: half[V3D_MUL].op is V3D_M_NOP */
    V3D_RESERVED_UNPACK,    /* an unpack V3D_UNPACK_RESERVED5 to 7 */
    V3D_RESERVED_SIGNAL,    /* no signal has this number: `signals` is 0 */
    V3D_RESERVED_COND,      /* the condition field is 0x10 */
    V3D_RESERVED_IMMEDIATE, /* an operand or a rotation has the index of no immediate */
    V3D_RESERVED_WADDR,     /* a destination is no magic address of this generation */
    V3D_RESERVED_BRANCH_COND, /* V3D_BRANCH_UNASSIGNED */
    V3D_RESERVED_MSFIGN,
    V3D_RESERVED_BDU,
    V3D_RESERVEDS
};

struct v3d_insn {
    uint8_t reserved; /* enum v3d_reserved: the first reason in the order of this enumeration */
    uint16_t reasons; /* all reasons: bit n is reason n */
    bool is_branch;   /* `branch` counts, otherwise the rest */
    bool sig_magic;   /* the destination of signals in V3D_SIG_WRITES; otherwise 0 */
    uint8_t sig_addr;
    uint8_t rotate; /* V3D_SIG_ROT: index of the small immediate that counts, 0: r5; otherwise 0 */
    uint16_t signals;
    struct v3d_half half[V3D_HALVES];
    struct v3d_branch branch;
};

/* Decodes a word. Returns false for a reserved word; i->reserved says why. */
bool v3d_decode(enum v3d_generation g, uint64_t word, struct v3d_insn *i);
/* The same, and passes the fields of operands to an observer (model/v3d/points/v3d_observe_words.h). */
struct observer;
bool v3d_decode_by(const struct observer *o, enum v3d_generation g, uint64_t word, struct v3d_insn *i);

/*
 * Makes the simplest word of an instruction: fields without a meaning are 0, a half without a destination
 * names the magic address 6. The operands of fadd, faddnf, fmin and fmax can stand in any order. Signals of
 * small immediates follow from the operands. Returns false if there is no such word: more registers than read
 * ports, a combination of conditions, flags or signals that has no encoding, an operation of the other
 * generation.
 */
bool v3d_encode(enum v3d_generation g, const struct v3d_insn *i, uint64_t *word);

/* Returns the value of a small immediate, 0 for the reserved indices from V3D_IMMEDIATES on. */
static inline uint32_t v3d_immediate(unsigned index)
{
    return index < 16               ? index
           : index < 32             ? index - UINT32_C(32)
           : index < V3D_IMMEDIATES ? UINT32_C(0x3B800000) + (index - 32) * UINT32_C(0x00800000)
                                    : 0;
}

/* A word as it is in memory: low half first. */
static inline uint64_t v3d_join(const uint32_t *words)
{
    return words[0] | (uint64_t)words[1] << 32;
}
static inline void v3d_split(uint64_t word, uint32_t *words)
{
    words[0] = (uint32_t)word;
    words[1] = (uint32_t)(word >> 32);
}

/* Does this magic address of this generation exist? NULL: no. Its name in text, "tmua". */
const char *v3d_waddr_name(enum v3d_generation g, unsigned waddr);

/* Does this magic destination take a word of the uniform stream: tlbu, tmuau, vpmu, syncu? */
static inline bool v3d_waddr_takes_uniform(unsigned waddr)
{
    return waddr == V3D_W_TLBU || waddr == V3D_W_TMUAU || waddr == V3D_W_VPMU || waddr == V3D_W_SYNCU;
}

/* What the tables say of an operation. */
const char *v3d_op_name(enum v3d_op op);
bool v3d_op_writes(enum v3d_op op);                    /* has it a destination? */
unsigned v3d_op_sources(enum v3d_op op);               /* 0, 1 or 2 */
bool v3d_op_in(enum v3d_generation g, enum v3d_op op); /* does the generation have it? */

extern const char *const v3d_unpack_names[V3D_UNPACKS + 1];     /* "", "abs", ... */
extern const char *const v3d_reserved_names[V3D_RESERVEDS + 1]; /* "", "no such operation of ADD", ... */

/* The instruction in the syntax of Mesa's disassembler, and back. v3d_text.c has the grammar. A reserved word
 * prints as ".quad". Every word has its own text. */
void v3d_print(enum v3d_generation g, uint64_t word, struct text *t);
bool v3d_parse(enum v3d_generation g, const char *chars, size_t count, uint64_t *word, struct error *e);

/* The named bit fields of a word. */
const struct bit_field *v3d_bit_fields(enum v3d_generation g, uint64_t word);

/* The words that compute nothing. */
extern const uint64_t v3d_nop[V3D_GENERATIONS];

/* The instruction sets of a case; the case's "generation" chooses among them. */
extern const struct code v3d_code[V3D_GENERATIONS];

#endif
