/* SPDX-License-Identifier: MIT */
/* The state of the machine that executes one swizzle move, and the instruction's forms. Independent of cases.
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
    SWIZZLE_GROUPS_MAX = SVP64_VL_MAX + 1, /* a rule can add one */
    SWIZZLE_ELEMENTS_MAX = SWIZZLE_GROUPS_MAX * SWIZZLE_POSITIONS,
    SWIZZLE_MOVES_ROWS = (SWIZZLE_ELEMENTS_MAX + SVP64_ROW_WORDS - 1) / SVP64_ROW_WORDS,
    SVP64_CR_FIELDS = 128,
};

/* The rows of an outcome that hold one part of the machine's state, such as a register file. */
struct svp64_rows {
    uint32_t *value, *defined;
    uint64_t *touched;
    uint32_t first; /* the first row's bit in `touched` */
};

/* What a destination element received: a constant, or MOVE_COPY + the source element. The outcome's region
 * `moves` records it. */
enum swizzle_move { MOVE_NONE, MOVE_ZERO, MOVE_ONE, MOVE_MASKED, MOVE_COPY = 0x100 };

/* Why a move was not executed. */
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
    SWIZZLE_STOP_SINGLE,
    SWIZZLE_STOPS
};

/* The fields of SVSTATE (openpower-isa svstate.py) that swizzles use. */
struct svstate {
    uint8_t vl, srcstep, dststep, ssubstep, dsubstep;
    bool pack, unpack, vertical_first;
};

/* One step of the loop over the elements of one side (source or destination). */
struct swizzle_visit {
    uint16_t element;
    uint8_t group;    /* index of the group among those that the loop visits */
    uint8_t position; /* 0 to 3 */
    uint8_t selector; /* the selector of this position */
    bool hole;        /* nothing moves */
    bool masked;      /* a zeroing predicate masks the element */
    bool beyond;      /* source only: the selector names an element beyond SUBVL */
};

struct swizzle_visits {
    unsigned count;
    struct swizzle_visit at[SWIZZLE_ELEMENTS_MAX];
};

/* What an element of the destination receives. ACT_MASKED: 0, because a zeroing predicate masks it.
 * ACT_UNREAD: 0 in place of a copy; only rules make it. */
struct swizzle_action {
    uint16_t to, from; /* elements */
    enum { ACT_ZERO, ACT_ONE, ACT_MASKED, ACT_COPY, ACT_UNDEFINED, ACT_UNREAD } kind;
    uint16_t to_byte, from_byte; /* in the register file */
};

struct swizzle_machine {
    const struct profile *profile;
    struct coverage *coverage;
    const struct observer *observer; /* or NULL */
    bool checked;
    uint32_t filler;
    struct svp64_rows gpr, fpr, moves;
    struct svstate state;
    const uint32_t *cr; /* 128 fields of four bits: LT, GT, EQ, SO from the lowest, eight fields a word */
    uint64_t steps;     /* elements moved */
    uint8_t form;       /* input `form` of points */
    bool is_fp;
    bool overlaps; /* source and destination elements share bytes */
    struct swizzle_visits source, destination;
    unsigned action_count;
    struct swizzle_action action[SWIZZLE_ELEMENTS_MAX];
    uint64_t buffer[SWIZZLE_ELEMENTS_MAX]; /* the values, if all are read before the first is written */
    bool buffer_defined[SWIZZLE_ELEMENTS_MAX];
};

/* Returns the profile's reading of a clause, and marks the clause as covered. */
static inline unsigned swizzle_reading(const struct swizzle_machine *m, enum swizzle_clause clause,
                                       unsigned mode)
{
    return consult(m->profile, m->coverage, clause, mode);
}

static inline void svp64_touch(const struct svp64_rows *r, uint32_t byte)
{
    uint32_t row = r->first + byte / SVP64_ROW_BYTES;
    r->touched[row / 64] |= UINT64_C(1) << row % 64;
}

/* Records in the region `moves` what a destination element received. */
static inline void swizzle_record(const struct swizzle_machine *m, uint32_t element, uint32_t move)
{
    m->moves.value[element] = move;
    svp64_touch(&m->moves, element * 4);
}

/* Executes an instruction. The first ignores m->observer, the second uses it. */
enum swizzle_stop swizzle_run_plain(struct swizzle_machine *m, const struct swizzle_insn *i);
enum swizzle_stop swizzle_run_observed(struct swizzle_machine *m, const struct swizzle_insn *i);

/* Is this MODE valid in the prefixed form? */
static inline bool swizzle_has_mode(unsigned mode)
{
    unsigned kind = mode >> MODE_KIND_SHIFT;
    return kind == MODE_SIMPLE || kind == MODE_SATURATE_UNSIGNED || kind == MODE_SATURATE_SIGNED;
}

#endif
