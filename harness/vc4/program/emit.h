/* SPDX-License-Identifier: MIT */
/*
 * Writing QPU code: what the programs around a case have in common (wrapper.h,
 * shader.h, vertex.h). Registers are named as in qpu_insn.h; `file` is 0 for A
 * and 1 for B.
 */
#ifndef MISPRINT_HARNESS_VC4_PROGRAM_EMIT_H
#define MISPRINT_HARNESS_VC4_PROGRAM_EMIT_H

#include "harness/verify/verifier.h"
#include "model/core/outcome.h"
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
/* An instruction without an operation, with this signal. */
void emit_signal(struct emitter *m, uint8_t signal);

/* Writes a constant: to the elements whose condition holds; to all. */
void emit_word(struct emitter *m, uint8_t waddr, uint8_t file, uint8_t cond, uint32_t word);
void emit_set(struct emitter *m, uint8_t waddr, uint8_t file, uint32_t word);

/* A move by the ADD pipe, with both operands from `mux`: with QPU_MUX_A and QPU_MUX_B from register `raddr`
 * of that file. */
struct qpu_insn emit_make_move(uint8_t waddr, uint8_t file, uint8_t mux, uint8_t raddr);
void emit_move(struct emitter *m, uint8_t waddr, uint8_t file, uint8_t mux, uint8_t raddr);

/* An operation of the ADD pipe whose second operand is a small immediate (its field's value). The first is an
 * accumulator, or register `raddr` of file A. */
struct qpu_insn emit_make_small(uint8_t op, uint8_t waddr, uint8_t file, uint8_t mux, uint8_t raddr,
                                uint8_t small);
void emit_small(struct emitter *m, uint8_t op, uint8_t waddr, uint8_t file, uint8_t mux, uint8_t raddr,
                uint8_t small);

/* Operations of the ADD pipe on accumulators, by number: to = x op y; to = x op a small immediate. */
void emit_two(struct emitter *m, uint8_t op, unsigned to, unsigned x, unsigned y);
void emit_one(struct emitter *m, uint8_t op, unsigned to, unsigned x, uint8_t small);

/* The case's own program without the signal that ends it. It goes on to what is emitted next. */
void emit_body(struct emitter *m, const struct qpu_case *c);

/* Ends a fragment shader: writes its pixels' colour from `mux` (emit_make_move). */
void emit_colour(struct emitter *m, uint8_t mux, uint8_t raddr);

/* The vectors that set a case's initial state, but for r4, in the order in which they are loaded. */
struct emit_state {
    unsigned count;
    struct emit_load {
        const uint32_t *row;
        uint8_t waddr, file;
        bool sets_flags; /* after this load the sum r0 + r1 sets the flags (emit_set_flags) */
    } load[2 * 32 + 8];
    uint32_t x[VC4_LANES], y[VC4_LANES]; /* whose sum sets the flags */
};

/* False with an error: no program can set this state. */
bool emit_plan_state(const struct verifier_places *in, const struct outcome *initial, struct emit_state *s,
                     struct error *e);
void emit_set_flags(struct emitter *m);

bool emit_same_in_all_elements(const uint32_t *row);

#endif
