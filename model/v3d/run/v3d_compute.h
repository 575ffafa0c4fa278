/* SPDX-License-Identifier: MIT */
/* One ALU of an instruction: its operands, its result, and the flags that it tests. */
#ifndef MISPRINT_MODEL_V3D_RUN_V3D_COMPUTE_H
#define MISPRINT_MODEL_V3D_RUN_V3D_COMPUTE_H

#include "model/v3d/run/v3d_machine.h"

/* The flags that an ALU can test. */
enum v3d_flag_letter { V3D_LETTER_Z, V3D_LETTER_N, V3D_LETTER_C };

/* The operands of an ALU. `own` holds those that are not registers as they are. */
struct v3d_operands {
    const struct v3d_lanes *at[2];
    struct v3d_lanes own[2];
};

struct v3d_alu_result {
    struct v3d_lanes value;
    uint16_t active;       /* lanes that pass the condition */
    uint16_t unsure_write; /* lanes whose condition is not known */
    uint16_t x, unsure_x;  /* the lanes with the tested flag */
    uint8_t letter;        /* the flag that it tests: enum v3d_flag_letter */
    bool to_magic;         /* it goes to a magic address */
    bool keeps_flags;      /* a nop, whose flags change nothing */
    bool writes_nothing;   /* not even a destination that ignores the condition; `value` is not set */
};

/* The clauses that decide each operation's result, plus 1; 0: no more. */
enum { V3D_CLAUSES_OF = 4 };
extern const uint8_t v3d_clauses_of[V3D_OPS][V3D_CLAUSES_OF];

/* Reads the operands of an ALU. */
void v3d_load(const struct v3d_machine *m, const struct v3d_thread *t, const struct v3d_half *h,
              struct v3d_operands *to);
/* Executes the operation of an ALU. It changes the operands. */
enum v3d_stop v3d_compute(const struct v3d_machine *m, struct v3d_thread *t, const struct v3d_insn *i,
                          const struct v3d_half *h, struct v3d_operands *src, struct v3d_alu_result *r);
/* Changes the flags by what both ALUs found. */
void v3d_set_flags(const struct v3d_machine *m, struct v3d_thread *t, const struct v3d_insn *i,
                   const struct v3d_operands src[V3D_HALVES], const struct v3d_alu_result r[V3D_HALVES]);

#endif
