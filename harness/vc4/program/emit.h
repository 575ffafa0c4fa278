/* SPDX-License-Identifier: MIT */
/*
 * Writes QPU instructions into a buffer, for the code that wrapper.h, shader.h and vertex.h put around a
 * case. Registers are numbered as in qpu_insn.h; `file` is 0 for A and 1 for B. Does not decide what the code
 * does.
 */
#ifndef MISPRINT_HARNESS_VC4_PROGRAM_EMIT_H
#define MISPRINT_HARNESS_VC4_PROGRAM_EMIT_H

#include "harness/verify/verifier.h"
#include "model/core/outcome.h"
#include "model/vc4/qpu/encoding/qpu_insn.h"
#include "model/vc4/qpu/unit_qpu.h"

enum { EMIT_FILE_A = 0, EMIT_FILE_B = 1, EMIT_END_INSTRUCTIONS = 3 };

struct emitter {
    uint32_t *at;         /* two words for each instruction */
    unsigned count, room; /* in instructions */
    bool full;            /* an instruction did not fit */
};

void emit(struct emitter *m, const struct qpu_insn *i);
void emit_nops(struct emitter *m, unsigned count);
/* Emits a nop with this signal. */
void emit_signal(struct emitter *m, uint8_t signal);

/* Write a constant: emit_word to the elements for which the condition holds, emit_set to all. */
void emit_word(struct emitter *m, uint8_t waddr, uint8_t file, uint8_t cond, uint32_t word);
void emit_set(struct emitter *m, uint8_t waddr, uint8_t file, uint32_t word);

/* A move by the ADD pipe from `mux`. With QPU_MUX_A or QPU_MUX_B it reads register `raddr` of that file. */
struct qpu_insn emit_make_move(uint8_t waddr, uint8_t file, uint8_t mux, uint8_t raddr);
void emit_move(struct emitter *m, uint8_t waddr, uint8_t file, uint8_t mux, uint8_t raddr);

/* An operation of the ADD pipe whose second operand is a small immediate. `small` is the value of its field.
 * The first operand is an accumulator, or register `raddr` of file A. */
struct qpu_insn emit_make_small(uint8_t op, uint8_t waddr, uint8_t file, uint8_t mux, uint8_t raddr,
                                uint8_t small);
void emit_small(struct emitter *m, uint8_t op, uint8_t waddr, uint8_t file, uint8_t mux, uint8_t raddr,
                uint8_t small);

/* Operations of the ADD pipe on accumulators r0 to r3, given by number. emit_two: to = x op y. emit_one: to =
 * x op small immediate. */
void emit_two(struct emitter *m, uint8_t op, unsigned to, unsigned x, unsigned y);
void emit_one(struct emitter *m, uint8_t op, unsigned to, unsigned x, uint8_t small);

/* Emits the case's program without its program end signal, so that execution continues with what is emitted
 * next. */
void emit_body(struct emitter *m, const struct qpu_case *c);

/* Emits the end of a fragment shader, which writes the pixels' colour from `mux` (as in emit_make_move). */
void emit_colour(struct emitter *m, uint8_t mux, uint8_t raddr);

/* The vectors that are loaded to set a case's initial state, except r4, in the order of loading. */
struct emit_state {
    unsigned count;
    struct emit_load {
        const uint32_t *row;
        uint8_t waddr, file;
        bool sets_flags; /* emit_set_flags must follow this load: r0 + r1 sets the flags */
    } load[2 * 32 + 8];
    uint32_t x[VC4_LANES], y[VC4_LANES]; /* operands of emit_set_flags */
};

/* Fills in `s` for the places in `in`. False with an error: no program can set this state. */
bool emit_plan_state(const struct verifier_places *in, const struct outcome *initial, struct emit_state *s,
                     struct error *e);
void emit_set_flags(struct emitter *m);

bool emit_same_in_all_elements(const uint32_t *row);

#endif
