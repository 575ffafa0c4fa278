/* SPDX-License-Identifier: MIT */
/*
 * The QPU's 64-bit instruction word and its fields: decode, encode, and the text form. qpu_alu.h and qpu.h
 * say what instructions do. Source: VideoCoreIV-AG100-R p26 fig 3, p27 T1, p33-34.
 */
#ifndef MISPRINT_MODEL_VC4_QPU_ENCODING_QPU_INSN_H
#define MISPRINT_MODEL_VC4_QPU_ENCODING_QPU_INSN_H

#include "model/core/case.h"
#include "model/core/error.h"
#include "model/core/unit.h"
#include "model/text/text.h"
#include "model/vc4/qpu/encoding/qpu_operations.h"

#include <stdbool.h>
#include <stdint.h>

enum qpu_class {
    QPU_ALU,          /* sig 0..12 */
    QPU_ALU_SMALL,    /* sig 13: raddr_b is a small immediate */
    QPU_LDI_32,       /* sig 14, mode 0 */
    QPU_LDI_SIGNED,   /* sig 14, mode 1: per element, -2..1 */
    QPU_LDI_UNSIGNED, /* sig 14, mode 3: per element, 0..3 */
    QPU_SEMAPHORE,    /* sig 14, mode 4 */
    QPU_BRANCH,       /* sig 15 */
    QPU_CLASSES
};

enum qpu_signal {
    QPU_SIG_BREAKPOINT,
    QPU_SIG_NONE,
    QPU_SIG_THREAD_SWITCH,
    QPU_SIG_END,
    QPU_SIG_SCOREBOARD_WAIT,
    QPU_SIG_SCOREBOARD_UNLOCK,
    QPU_SIG_LAST_THREAD_SWITCH,
    QPU_SIG_COVERAGE_LOAD,
    QPU_SIG_COLOUR_LOAD,
    QPU_SIG_COLOUR_LOAD_END,
    QPU_SIG_LOAD_TMU0,
    QPU_SIG_LOAD_TMU1,
    QPU_SIG_ALPHA_LOAD,
    QPU_SIG_SMALL_IMMEDIATE,
    QPU_SIG_LOAD_IMMEDIATE,
    QPU_SIG_BRANCH
};

enum qpu_mux { QPU_MUX_R0, QPU_MUX_R1, QPU_MUX_R2, QPU_MUX_R3, QPU_MUX_R4, QPU_MUX_R5, QPU_MUX_A, QPU_MUX_B };

enum qpu_cond {
    QPU_COND_NEVER,
    QPU_COND_ALWAYS,
    QPU_COND_ZS,
    QPU_COND_ZC,
    QPU_COND_NS,
    QPU_COND_NC,
    QPU_COND_CS,
    QPU_COND_CC
};

/* Addresses of the I/O registers (p37-38 T14), for reading and for writing. 0 to QPU_FILE_ROWS - 1 are the
 * register files. Comments say where the files differ. */
enum {
    QPU_FILE_ROWS = 32,
    QPU_R_UNIFORM = 32,
    QPU_R_VARYING = 35,
    QPU_R_NUMBER = 38, /* A: the element's number; B: the QPU's */
    QPU_R_NOTHING = 39,
    QPU_R_COORDINATE = 41, /* A: x; B: y of the pixel */
    QPU_R_FLAGS = 42,      /* A: multisample; B: reverse */
    QPU_R_VPM = 48,
    QPU_R_DMA_BUSY = 49, /* A: load; B: store; likewise the wait */
    QPU_R_DMA_WAIT = 50,
    QPU_R_MUTEX = 51,
};
enum {
    QPU_W_R0 = 32, /* to r3 */
    QPU_W_R3 = 35,
    QPU_W_TMU_NOSWAP = 36,
    QPU_W_R5 = 37, /* A: each quad gets its own value; B: all elements get element 0's */
    QPU_W_INTERRUPT = 38,
    QPU_W_NOTHING = 39,
    QPU_W_UNIFORMS_ADDRESS = 40,
    QPU_W_COORDINATE = 41, /* A: x; B: y of the quad */
    QPU_W_FLAGS = 42,      /* A: multisample; B: reverse */
    QPU_W_TLB_STENCIL = 43,
    QPU_W_TLB_Z = 44,
    QPU_W_TLB_COLOUR_MS = 45,
    QPU_W_TLB_COLOUR_ALL = 46,
    QPU_W_TLB_ALPHA = 47,
    QPU_W_VPM = 48,
    QPU_W_VPM_SETUP = 49,   /* A: setup of reads and DMA loads; B: of writes and DMA stores */
    QPU_W_DMA_ADDRESS = 50, /* A: load; B: store */
    QPU_W_MUTEX = 51,
    QPU_W_SFU_RECIP = 52,
    QPU_W_SFU_RECIPSQRT = 53,
    QPU_W_SFU_EXP = 54,
    QPU_W_SFU_LOG = 55,
    QPU_W_TMU0_S = 56, /* then t, r, b */
    QPU_W_TMU0_T = 57,
    QPU_W_TMU1_S = 60,
};

/* The first small immediate that rotates: by r5, then by 1 to 15 (p29-30 T5). */
enum { QPU_SMALL_ROTATE = 48 };

/* Every bit of a word is in exactly one field of its class, so decode and encode are inverse. */
struct qpu_insn {
    uint8_t class; /* enum qpu_class */
    uint8_t sig;
    uint8_t unpack; /* ALU: 3 bits; sig 14: the mode */
    uint8_t pm, pack, cond_add, cond_mul, sf, ws;
    uint8_t waddr_add, waddr_mul;
    uint8_t op_mul, op_add;
    uint8_t raddr_a, raddr_b; /* branches: 5 bits of raddr_a; QPU_ALU_SMALL: raddr_b is the immediate */
    uint8_t add_a, add_b, mul_a, mul_b;
    uint8_t cond_br, rel, reg, branch_unused; /* branch_unused: bits 59:56 */
    uint32_t immediate; /* load immediate, branch offset, the semaphore's whole low word */
};

/* Two instructions that compute and read nothing: the nop, and the one that ends a program. */
#define QPU_NOP_WORD UINT64_C(0x100009E7009E7000)
#define QPU_END_WORD UINT64_C(0x300009E7009E7000)

/* A word as it is in memory: low half first. */
static inline uint64_t qpu_join(const uint32_t *words)
{
    return words[0] | (uint64_t)words[1] << 32;
}
static inline void qpu_split(uint64_t word, uint32_t *words)
{
    words[0] = (uint32_t)word;
    words[1] = (uint32_t)(word >> 32);
}

/* False for words of no class: sig 14 with bits 59:57 = 2, 5, 6, 7 (p33 defines 0, 1, 3 and the semaphore
 * 4). */
bool qpu_decode(uint64_t word, struct qpu_insn *i);
/* The class that the word's bits choose; QPU_CLASSES: none. */
enum qpu_class qpu_class_of(uint64_t word);
/* Decodes the word as an instruction of a class. False for QPU_CLASSES. */
bool qpu_decode_as(uint64_t word, enum qpu_class class, struct qpu_insn *i);
uint64_t qpu_encode(const struct qpu_insn *i);

/* Gives an instruction of this class that writes nothing. The parser takes omitted fields from it. */
void qpu_canonical(enum qpu_class class, struct qpu_insn *i);

/* The opcodes: QPU_ADD_FADD, QPU_MUL_FMUL, ... */
#define QPU_ADD_OPCODE(id, opcode, ...) QPU_ADD_##id = (opcode),
#define QPU_MUL_OPCODE(id, opcode, ...) QPU_MUL_##id = (opcode),
#define QPU_NO_OPCODE(opcode)
enum { QPU_ADD_OPERATIONS(QPU_ADD_OPCODE, QPU_NO_OPCODE) };
enum { QPU_MUL_OPERATIONS(QPU_MUL_OPCODE, QPU_NO_OPCODE) };

/* The operations that the text form prints as `mov` if both operands are the same. The manual has no move
 * operation (p35-36). */
enum { QPU_ADD_MOV = QPU_ADD_OR, QPU_MUL_MOV = QPU_MUL_V8MIN };

/* qpu_print writes a word as text; qpu_parse reads the text back without loss, for all 2^64 words. The
 * grammar is at the top of qpu_text.c. */
void qpu_print(uint64_t word, struct text *t);
bool qpu_parse(const char *chars, size_t count, uint64_t *word, struct error *e);

/* The text form for people: examples, and the words in it (struct code in model/core/unit.h). */
extern const char qpu_syntax[];
extern const struct code_names qpu_syntax_names[];

/* The bit fields of the word's class, for pictures. */
const struct bit_field *qpu_bit_fields(uint64_t word);

/* Returns the operand that small immediate v encodes (p29-30 T5). Codes 48 to 63 rotate the MUL result. Their
 * operand is v - 64 under the observed reading of small-imm-48-63. */
uint32_t qpu_small_immediate(unsigned v);

/* The name of the register at address 0..63 of file A (0) or B (1): "ra0", "uniform", "vpm", ...; "-" if
 * none. */
const char *qpu_read_name(unsigned file, unsigned address);
const char *qpu_write_name(unsigned file, unsigned address);

/* Is the address the same register in both files? Then the register has one name, and an instruction may
 * access it through either file. */
bool qpu_read_shared(unsigned address);
bool qpu_write_shared(unsigned address);

/* Finds a register by name or alias. `file` gets 0, 1, or 2 if both files have it. */
bool qpu_find_register(const char *word, bool write, unsigned *file, unsigned *address);

/* Names of the fields' values, by value, NULL-terminated. alu_add_ops and alu_mul_ops (qpu_alu.h) name
 * operations. */
extern const char *const qpu_signal_names[17];
extern const char *const qpu_cond_names[9];
extern const char *const qpu_branch_cond_names[17];
extern const char *const qpu_unpack_names[9];       /* regfile A (pm = 0) and r4 (pm = 1) */
extern const char *const qpu_pack_names[17];        /* regfile A (pm = 0) */
extern const char *const qpu_colour_pack_names[17]; /* MUL output (pm = 1); "-": reserved */
extern const char *const qpu_mux_names[9];
extern const char *const qpu_small_immediate_names[65];

/* The same names with their lengths. NULs pad each name, so that the printer copies 24 bytes, without a
 * branch. */
struct qpu_name {
    char chars[23];
    uint8_t length;
};
struct qpu_names {
    struct qpu_name read[2][64], write[2][64], signal[16], cond[8], branch_cond[16], unpack[8], pack[16],
        colour_pack[16], mux[8], small_immediate[64];
};
extern const struct qpu_names qpu_names;

#endif
