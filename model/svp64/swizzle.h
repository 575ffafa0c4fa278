/* SPDX-License-Identifier: MIT */
/*
 * Execution of one swizzle move: the machine's state, and the two forms. Knows
 * nothing of cases.
 */
#ifndef MISPRINT_MODEL_SVP64_SWIZZLE_H
#define MISPRINT_MODEL_SVP64_SWIZZLE_H

#include "model/svp64/swizzle_clauses.h"
#include "model/svp64/swizzle_insn.h"

enum {
    SVP64_REGISTERS = 128,
    SVP64_REGISTER_BYTES = 8,
    SVP64_FILE_BYTES = SVP64_REGISTERS * SVP64_REGISTER_BYTES,
    SVP64_VL_MAX = 127,
    SVP64_ROW_WORDS = 16,
    SVP64_ROW_BYTES = SVP64_ROW_WORDS * 4,
    SVP64_FILE_ROWS = SVP64_FILE_BYTES / SVP64_ROW_BYTES,
    SWIZZLE_ELEMENTS_MAX = SVP64_VL_MAX * SWIZZLE_POSITIONS,
    SWIZZLE_MOVES_ROWS = (SWIZZLE_ELEMENTS_MAX + SVP64_ROW_WORDS - 1) / SVP64_ROW_WORDS,
    SVP64_CR_FIELDS = 128,
};

/* Rows of an outcome that the machine works in. */
struct svp64_rows {
    uint32_t *value, *defined;
    uint64_t *touched;
    uint32_t first; /* number of the first row in `touched` */
};

/* What a destination element received, as the region `moves` says it: a constant, or MOVE_COPY + the number
 * of the source element. */
enum swizzle_move { MOVE_NONE, MOVE_ZERO, MOVE_ONE, MOVE_MASKED, MOVE_COPY = 0x100 };

/* Why a move did not end well; [0] is none. */
enum swizzle_stop {
    SWIZZLE_GO,
    SWIZZLE_STOP_NO_SWIZZLE,
    SWIZZLE_STOP_ODD_REGISTER,
    SWIZZLE_STOP_SCALAR_END,
    SWIZZLE_STOP_END_FIRST,
    SWIZZLE_STOP_AFTER_END,
    SWIZZLE_STOP_SUBVL1,
    SWIZZLE_STOP_FMV_WIDTH,
    SWIZZLE_STOP_FMV_SATURATION,
    SWIZZLE_STOP_MODE,
    SWIZZLE_STOP_LENGTHS,
    SWIZZLE_STOP_BEYOND,
};

/* SVSTATE (openpower-isa svstate.py), as far as a swizzle looks at it. */
struct svstate {
    uint8_t vl, srcstep, dststep, ssubstep, dsubstep;
    bool pack, unpack, vertical_first;
};

/* One stop of the loop over one side's elements. */
struct swizzle_visit {
    uint16_t element;
    uint8_t group;    /* counts the groups that its predicate lets through */
    uint8_t position; /* 0 to 3 */
    uint8_t selector; /* of this position */
    bool hole;        /* a step in which nothing moves */
    bool masked;      /* by a predicate whose side zeroes */
    bool beyond;      /* source: the selector names an element beyond SUBVL */
};

struct swizzle_visits {
    unsigned count;
    struct swizzle_visit at[SWIZZLE_ELEMENTS_MAX];
};

/* What is done to one element of the destination. */
struct swizzle_action {
    uint16_t to, from; /* elements */
    enum {
        ACT_ZERO,
        ACT_ONE,
        ACT_MASKED,
        ACT_COPY,
        ACT_UNDEFINED
    } kind; /* ACT_MASKED: zeroed by a predicate */
};

struct swizzle_machine {
    const struct profile *profile;
    struct coverage *coverage;
    bool checked;
    uint32_t filler;
    struct svp64_rows gpr, fpr, moves;
    struct svstate state;
    const uint32_t *cr; /* 128 fields of four bits: LT, GT, EQ, SO from the lowest, eight fields a word */
    uint64_t steps;     /* elements moved */
    struct swizzle_visits source, destination;
    unsigned action_count;
    struct swizzle_action action[SWIZZLE_ELEMENTS_MAX];
    uint64_t buffer[SWIZZLE_ELEMENTS_MAX]; /* what was read, where all is read before anything is written */
    bool buffer_defined[SWIZZLE_ELEMENTS_MAX];
};

/* The reading in force. Marks the clause as covered. */
static inline unsigned swizzle_reading(const struct swizzle_machine *m, enum swizzle_clause clause,
                                       unsigned mode)
{
    return consult(m->profile, m->coverage, clause, mode);
}

/* The register file of an instruction's operands. */
static inline const struct svp64_rows *swizzle_file(const struct swizzle_machine *m,
                                                    const struct swizzle_insn *i)
{
    return swizzle_is_fp(i) && swizzle_reading(m, SWIZ_FMV_FILE, 0) != FMV_GPR ? &m->fpr : &m->gpr;
}

static inline void svp64_touch(const struct svp64_rows *r, uint32_t byte)
{
    uint32_t row = r->first + byte / SVP64_ROW_BYTES;
    r->touched[row / 64] |= UINT64_C(1) << row % 64;
}

/* Says in the region `moves` what destination element `element` received. */
static inline void swizzle_note(const struct swizzle_machine *m, uint32_t element, uint32_t move)
{
    m->moves.value[element] = move;
    svp64_touch(&m->moves, element * 4);
}

/* The two forms. */
enum swizzle_stop swizzle_scalar(struct swizzle_machine *m, const struct swizzle_insn *i);
enum swizzle_stop swizzle_vector(struct swizzle_machine *m, const struct swizzle_insn *i);

#endif
