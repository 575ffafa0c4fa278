/* SPDX-License-Identifier: MIT */
/*
 * Writing QPU code: what the programs that are made around a case (wrapper.h,
 * shader.h) have in common. Registers are named as qpu_insn.h does, `file` is 0
 * for A and 1 for B.
 */
#ifndef MISPRINT_HARNESS_VC4_PROGRAM_EMIT_H
#define MISPRINT_HARNESS_VC4_PROGRAM_EMIT_H

#include "model/vc4/qpu/encoding/qpu_insn.h"
#include "model/vc4/qpu/unit_qpu.h"

enum { EMIT_FILE_A = 0, EMIT_FILE_B = 1, EMIT_END_INSTRUCTIONS = 3 };

struct emitter {
    uint32_t *at; /* two words an instruction */
    unsigned count, room;
    bool full; /* there was no room for an instruction */
};

void emit(struct emitter *m, const struct qpu_insn *i);
void emit_nops(struct emitter *m, unsigned count);
/* An instruction that does nothing but its signal. */
void emit_signal(struct emitter *m, uint8_t signal);

/* A constant, where the condition holds; everywhere. */
void emit_word(struct emitter *m, uint8_t waddr, uint8_t file, uint8_t cond, uint32_t word);
void emit_set(struct emitter *m, uint8_t waddr, uint8_t file, uint32_t word);

/* An operation of the ADD pipe on one operand twice: `mux` says from where; with QPU_MUX_A and QPU_MUX_B from
 * register `raddr` of that file. */
struct qpu_insn emit_make_move(uint8_t waddr, uint8_t file, uint8_t mux, uint8_t raddr);
void emit_move(struct emitter *m, uint8_t waddr, uint8_t file, uint8_t mux, uint8_t raddr);

/* The same with a small immediate (its field's value) as second operand; the first is an accumulator, or
 * register `raddr` of file A. */
struct qpu_insn emit_make_small(uint8_t op, uint8_t waddr, uint8_t file, uint8_t mux, uint8_t raddr,
                                uint8_t small);
void emit_small(struct emitter *m, uint8_t op, uint8_t waddr, uint8_t file, uint8_t mux, uint8_t raddr,
                uint8_t small);

/* The case's own program, without the signal that ends it: it goes on to what is emitted next. */
void emit_body(struct emitter *m, const struct qpu_case *c);

/*
 * Flags are brought about by a sum of two vectors: 0 and 1 give none, a sum of
 * 0 gives Z, bit 31 gives N, and a carry out C. `flags`: rows z, n, c. False with
 * an error: Z and N in one element, which no instruction leaves.
 */
bool emit_flag_operands(const uint32_t *flags, uint32_t x[VC4_LANES], uint32_t y[VC4_LANES], struct error *e);
void emit_set_flags(struct emitter *m); /* by r0 + r1 */

bool emit_same_in_all_elements(const uint32_t *row);

#endif
