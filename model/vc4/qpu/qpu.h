/* SPDX-License-Identifier: MIT */
/*
 * One QPU: its registers, its prepared program, and how it runs. Arithmetic is in qpu_alu.h, VPM and DMA in
 * vpm.h, encodings in qpu_insn.h, TMUs, varyings and the tile buffer in qpu_graphics.h. The QPU's code does
 * not use cases, boards or campaigns.
 *
 * qpu_plan.c turns an instruction into a step when it is first executed: it chooses the kernels, operands,
 * destinations, and the readings of clauses. All steps run through one body (step/qpu_step.inc.h), which is
 * compiled in three forms: values only, values with rules, and values with definedness. qpu_prepare keeps
 * the planned steps of the previous run if program and profile are the same.
 *
 * Without graphics (setup.graphics NULL) a program that uses them stops with VC4_FAULT_UNSUPPORTED.
 * qpu_thread.c adds a second thread. In a program with one thread, a thread switch loses the accumulators and
 * flags (p21), and the program goes on. machine.h runs several QPUs.
 */
#ifndef MISPRINT_MODEL_VC4_QPU_QPU_H
#define MISPRINT_MODEL_VC4_QPU_QPU_H

#include "model/core/fidelity.h"
#include "model/vc4/qpu/alu/qpu_alu.h"
#include "model/vc4/qpu/encoding/qpu_insn.h"
#include "model/vc4/qpu/qpu_clauses.h"
#include "model/vc4/qpu/step/qpu_points.h"
#include "model/vc4/vpm/vpm.h"

enum {
    QPU_PROGRAM_MAX = 1024, /* instructions for which struct qpu has room; qpu_give_room gives it more */
    QPU_SEMAPHORES = 16,
    QPU_SEMAPHORE_MAX = 15,
    QPU_PENDING_BRANCHES = 4,
    QPU_RULES_KEPT = 4,
};

/* The state that all QPUs of a machine share (p14, p33). */
struct qpu_shared {
    uint32_t semaphore[QPU_SEMAPHORES];
    uint32_t mutex_held, host_interrupt; /* 0 or 1 */
    uint32_t host_interrupt_defined;     /* mask of host_interrupt */
    uint32_t mutex_holder;               /* QPU number, while mutex_held */
    uint64_t changes; /* of semaphores and mutex, counted; a waiting QPU tries again after a change */
};

/* ---- steps ---- */

/* Where the value of a read address comes from. AS_FILE_A: from file A (io-read-both-files). */
enum qpu_read {
    QPU_READ_NONE,
    QPU_READ_REGISTER,
    QPU_READ_CONSTANT,
    QPU_READ_NOP,
    QPU_READ_IO,
    QPU_READ_NOTHING_THERE,
    QPU_READ_AS_FILE_A
};
/* What a pipe writes to. R5_A, R5_B: r5 through file A or B, which fill r5 differently (p38 T14). */
enum qpu_to { QPU_TO_NOTHING, QPU_TO_REGISTER, QPU_TO_ACCUMULATOR, QPU_TO_R5_A, QPU_TO_R5_B, QPU_TO_IO };
enum qpu_packs { QPU_PACKS_NOT, QPU_PACKS_A, QPU_PACKS_MUL, QPU_PACKS_JUNK };
/* Where a pipe's result comes from. STALE: the last MUL result. */
enum qpu_source { QPU_FROM_NOTHING, QPU_FROM_ALU, QPU_FROM_IMMEDIATE, QPU_FROM_RESERVED, QPU_FROM_STALE };
enum qpu_flags_from { QPU_FLAGS_KEEP, QPU_FLAGS_ADD, QPU_FLAGS_MUL };
/* What happens if both pipes write one register. */
enum qpu_collision {
    QPU_NO_COLLISION,
    QPU_COLLISION_MERGES,
    QPU_COLLISION_ADD_ONLY,
    QPU_COLLISION_UNDEFINED
};
/* Which operands of a rotation move between quads. All operands rotate within their quads. */
enum qpu_rotate_rule {
    QPU_ROTATE_SPLIT,       /* r0 to r3 */
    QPU_ROTATE_ALL_IN_QUAD, /* none */
    QPU_ROTATE_ALL_FULL,    /* all */
    QPU_ROTATE_UNDEFINED,
};

/* A vector and its mask. The mask is NULL in plain runs. */
struct qpu_place {
    struct vc4_vector *value, *defined;
};

/* One of a step's two pipes. */
struct qpu_pipe {
    alu_kernel *kernel;
    const struct alu_op *op;
    uint8_t source; /* enum qpu_source */
    uint8_t opcode, mux_a, mux_b, cond;
    uint8_t to, index, file; /* enum qpu_to; register number or I/O address; 0: file A, 1: file B */
    uint8_t number, address; /* 0: ADD, 1: MUL; the write address in the instruction */
    uint8_t packs, pack;     /* enum qpu_packs, code */
    bool packs_any;          /* a rule chose the pack mode: it applies to every operation */
    bool lanes;              /* the step must find at run time which elements are written */
    bool direct;             /* the kernel writes its result to `target` */
    bool write_back;         /* the result is copied to its destination after the kernel */
    struct qpu_place a, b;   /* operands, if the step only computes */
    struct qpu_place target; /* the result's destination, if it is direct */
};

struct qpu;
struct qpu_step;
struct qpu_graphics;
/* `before`: the step executed before this one. */
typedef void qpu_execute(struct qpu *q, struct qpu_step *s, const struct qpu_step *before);

/* A planned instruction. Sets of registers have bit n for ra n and bit 32 + n for rb n. */
struct qpu_step {
    qpu_execute *execute; /* NULL: the step is not planned yet */
    uint64_t clauses;     /* of qpu_clauses.h; consulted in every execution of the step */
    uint64_t alu_clauses; /* the same, of alu_clauses.h */
    uint64_t writes;      /* set of registers */
    uint64_t reads;       /* set of registers that operands use */
    uint64_t touches;     /* the registers to add to qpu.wrote, even if the conditions suppress the write */
    uint8_t writes_acc, touches_acc; /* bit n: r0..r3, r5 */
    uint8_t reads_acc;               /* bit n: operands of either pipe */
    uint8_t rotates_acc;             /* bit n: accumulators that the rotator moves; r5 if it is the amount */
    uint8_t flags_from;              /* enum qpu_flags_from */
    struct qpu_pipe add, mul;
    bool observed;      /* a rule may change a value in the step's body, or an observer watches values */
    bool only_computes; /* results are direct, operands are registers or constants, nothing else happens */
    bool signals;       /* the signal field is not none */
    bool may_wait;      /* for a semaphore or the mutex (qpu_must_wait) */
    bool flags_all;     /* setf updates all elements, whatever their conditions */
    bool flags_keep_c;  /* setf does not change C (ldi-op-text) */
    bool float_view;    /* regfile A is unpacked to float */
    bool no_r5;         /* operands read zeros from r5 (accumulator-count) */
    bool keeps_old;     /* the next step may need the destinations' old values */
    uint8_t vpm_beside; /* 1 + mode of clause vpm-concurrent, if the step loads a TMU's result and also
                           accesses the VPM; otherwise 0 */
    bool rotates, rotates_by_r5, rotates_in_quads;
    bool rotates_operands; /* the step rotates each operand before the operation: only some change quads */
    uint8_t rotation;      /* the amount; unused if r5 holds it */
    uint8_t rotate_rule;   /* enum qpu_rotate_rule */
    uint8_t collision;     /* enum qpu_collision */
    uint8_t unpack_a, unpack_r4;
    struct {
        uint8_t kind, address; /* enum qpu_read */
        bool used;             /* an operand selects it */
        bool wanted;           /* its value can affect a result */
    } read[2];
    struct qpu_insn insn;
    struct vc4_vector immediate; /* of load immediates, and of small immediates that are constants */
};

/* What the planner needs to know about an operation of the ALUs. */
struct qpu_operation {
    uint64_t clauses, flag_clauses; /* bit n: its result, or its C flag, can depend on ALU_CLAUSE_FIRST + n */
    uint8_t operands;               /* bit 0: reads operand A, bit 1: B (unary-operand) */
    uint8_t source;                 /* enum qpu_source */
};

/* A profile in the form that planner and steps use. */
struct qpu_rules {
    bool made;
    struct profile profile;
    struct alu_rules alu;
    uint8_t reading[64]; /* of clause QPU_CLAUSE_FIRST + i */
    struct qpu_operation add[32], mul[8];
};

/* ---- state ---- */

/* A value and its mask. Only checked runs use the mask. */
struct qpu_value {
    struct vc4_vector value, defined;
};

struct qpu_result {
    struct vc4_vector value, defined;
    struct vc4_vector lanes, lanes_defined; /* elements whose condition holds: 0 or FFFFFFFF */
    struct vc4_vector overflow, overflow_defined;
};

/* The uniform stream: a list, or memory once the program has set UNIFORMS_ADDRESS. */
struct qpu_uniforms {
    const uint32_t *list;
    uint32_t count, next;
    bool lost; /* the next word is undefined (clause unif-addr-delay) */
    bool in_memory;
    uint32_t address;
};

/* A branch whose delay slots are running. The QPU jumps before it executes step number `due`. */
struct qpu_pending_branch {
    uint64_t due;
    uint32_t target;
};

/* The state of a QPU's sleeping thread, while the other one runs (qpu_thread.c). */
struct qpu_thread {
    struct qpu_graphics *graphics;
    struct qpu_uniforms uniforms, uniforms_before;
    uint64_t uniforms_changed, ms_rev_written[2];
    struct qpu_value quad[2], ms_flags, rev_flag;
    struct qpu_step *next;
    struct qpu_pending_branch branch[QPU_PENDING_BRANCHES]; /* `due` counts from its next instruction */
    unsigned branches;
    bool no_more_switches, ended;
};

/* What the second thread of a QPU starts with. It runs the same program. */
struct qpu_second {
    struct qpu_graphics *graphics;
    struct qpu_uniforms uniforms;
    uint32_t entry; /* number of its first instruction */
};

/* The input of a run. */
struct qpu_setup {
    const struct vc4_env *env;
    struct vpm *vpm;
    struct qpu_shared *shared;
    struct qpu_graphics *graphics; /* NULL: none */
    struct vc4_rows ra, rb, acc;   /* 32, 32 and 6 rows */
    const uint32_t *program;       /* two words an instruction, low word first */
    uint32_t count, code_base;
    struct qpu_uniforms uniforms;
    uint32_t number; /* QPU number */
    /* The values last read through files A and B, and the last MUL result; one word for all elements. */
    uint32_t stale[2], stale_mul;
    uint64_t limit; /* instructions */
    bool waits;     /* other QPUs run, too: a QPU that must wait returns from qpu_turn instead of stopping */
    const struct qpu_second *second; /* NULL: one thread */
    const struct observer *observer; /* of qpu_points; NULL: none */
};

/* A step number is UINT64_MAX if nothing is due or has happened yet. */
struct qpu {
    /* 1. what a program sees */
    struct alu_flags flags, flags_defined;
    struct vc4_rows file[2], acc;
    struct qpu_value number, quad[2], ms_flags, rev_flag;
    bool pixels_written; /* quad, ms_flags or rev_flag have been written */
    struct qpu_uniforms uniforms, uniforms_before;
    uint64_t uniforms_changed;  /* step number of the last write to UNIFORMS_ADDRESS */
    uint64_t ms_rev_written[2]; /* step numbers */
    bool flags_touched, semaphores_touched, mutex_touched, interrupt_touched;

    /* 2. between instructions */
    struct qpu_value stale[2], stale_mul; /* elements 12 to 15 of the last read or MUL result, in each quad */
    struct qpu_value old_add, old_mul;    /* the values that the last step's writes replaced */
    struct qpu_result sfu;                /* a result that will arrive in r4 */
    struct vc4_vector sfu_tolerance, arriving_tolerance; /* of sfu and arriving_r4 */
    uint64_t tolerant;    /* set of registers that may have a tolerance (qpu_tolerance.c) */
    uint8_t tolerant_acc; /* bit n: accumulator n may */
    uint64_t sfu_due;     /* the step number at which `sfu` arrives in r4 */
    struct qpu_pending_branch branch[QPU_PENDING_BRANCHES];
    unsigned branches;            /* number of entries in branch[], sorted by due */
    uint64_t last_branch;         /* step number */
    uint64_t end_due, switch_due; /* step number at which the program ends or the thread switches */
    /* Values that will arrive: in r4 from a load signal, in r5 from a varying read. */
    struct qpu_value arriving_r4, arriving_r5;
    uint64_t r4_due, r5_due;  /* step numbers at which they arrive */
    uint64_t r5_read;         /* step number of the read that gave arriving_r5 */
    bool two_threads, second; /* two_threads: setup has a second; second: the second one runs, and sees the
                                 halves of the files exchanged */
    bool no_more_switches;    /* the running thread has switched for the last time (signal 6) */
    struct qpu_thread other;  /* with two threads, the one that sleeps */
    const struct qpu_step *before; /* the step executed last; `blank` if there is none */

    /* 3. the course of the run */
    uint64_t now;   /* instructions executed */
    uint64_t event; /* `now` at which the loop must handle events */
    uint64_t limit;
    struct qpu_step *next;
    enum vc4_stop stop;
    bool ended;
    bool waits;         /* copy of setup.waits */
    bool waiting;       /* the next step waits for another QPU; `stop` says for what */
    bool paused;        /* the turn is over */
    uint64_t pause;     /* the `now` at which the turn ends */
    uint32_t waits_for; /* number of the semaphore, if it waits for one */
    bool reads_stale, tracks_stale, tracks_mul, tracks_old;
    uint64_t clauses, alu_clauses; /* consulted so far, as in struct qpu_step */
    uint64_t alu_marked; /* the clauses that planning adds to a step's alu_clauses: in plain runs all; in
                            checked runs only unary-operand, because alu_cover marks the others */
    uint64_t wrote;      /* set of registers that steps may have written so far */
    uint8_t wrote_acc;
    qpu_execute *general; /* the form of the step's body that this run uses */
    void (*watch)(void *context, struct qpu *q, const struct qpu_step *s,
                  bool after); /* NULL, or called before and after every step */
    void *watch_context;

    /* how exact the results are: qpu_fidelity.c, if env->fidelity is set */
    struct fidelity fidelity;
    uint64_t inexact; /* set of registers whose undefined bits come from a tolerance */
    uint8_t inexact_acc;
    bool inexact_flags, inexact_memory;

    /* 4. parts around it */
    const struct vc4_env *env;
    struct vpm *vpm;
    struct qpu_shared *shared;
    struct qpu_graphics *graphics;
    const struct observer *observer;       /* NULL: none */
    uint64_t wants[POINTS_MAX / 64];       /* set of points at which rules act or an observer watches */
    bool observes;                         /* one of these points is in the body of a step */
    bool replans;                          /* an observer watches: each execution of a step plans it again */
    const struct qpu_rules *rules;         /* the current ones; one of `kept` */
    struct qpu_rules kept[QPU_RULES_KEPT]; /* rules of the profiles used last */
    unsigned oldest;                       /* index in `kept` of the entry to replace next */
    const uint32_t *program;               /* two words an instruction */
    uint32_t code_base, count;

    /* 5. scratch of one step */
    struct qpu_value read[2], unpacked, r4_view;
    bool wanted; /* is the value that is read used? See qpu_step.read */
    bool used;   /* does an operand select what is read? See qpu_step.read */
    struct qpu_result add, mul;
    struct qpu_value carry;
    struct vc4_vector moved_tolerance[2]; /* of the operands that ADD and MUL move unchanged */
    struct vc4_vector zero, all;
    struct qpu_value undefined, operand[2];
    struct {
        unsigned amount;
        bool in_quads, undefined; /* undefined: the rotated result is undefined */
    } rotator;
    struct qpu_value seen[2][2], written; /* in observed steps: both pipes' operands, the value to write */

    /* 6. what the steps were planned for */
    const struct qpu_rules *planned_rules;
    bool planned_checked;
    uint64_t planned_wants[POINTS_MAX / 64];
    struct vc4_rows planned_rows[3];
    uint32_t planned_count;

    struct qpu_step blank; /* stands for the step before the first */
    uint32_t room;         /* most instructions of a program */
    uint32_t *planned;     /* the program; two words for each instruction that there is room for */
    struct qpu_step *step; /* one for each instruction that there is room for, and one for the end */
    uint32_t own_planned[2 * QPU_PROGRAM_MAX];
    struct qpu_step own_step[QPU_PROGRAM_MAX + 1];
};

/* ---- for callers ---- */

/* Bus address of a step's instruction. */
static inline uint32_t qpu_address(const struct qpu *q, const struct qpu_step *s)
{
    return q->code_base + 8 * (uint32_t)(s - q->step);
}

/* Gives `q` room for programs of more than QPU_PROGRAM_MAX instructions, before the first run. `memory` has
 * qpu_room_bytes, is zeroed and aligned as struct qpu. */
size_t qpu_room_bytes(uint32_t instructions);
void qpu_give_room(struct qpu *q, void *memory, uint32_t instructions);

/*
 * Prepares a run. The caller zeroes `q` before the first run and keeps it between runs. The program has
 * at most QPU_PROGRAM_MAX instructions, or what qpu_give_room made room for. The caller keeps it in place
 * until the run is over.
 */
void qpu_prepare(struct qpu *q, const struct qpu_setup *setup);
/* Runs until the program ends, hangs or faults, and returns which. Marks touched rows and clauses. */
enum vc4_stop qpu_run(struct qpu *q);

/*
 * Runs in turns, for machine.c: at most `most` instructions in a turn. After a turn the QPU has ended, has
 * stopped, waits (`waiting`: the next turn tries again), or can continue. At the end, call qpu_finish once;
 * it marks touched rows and clauses.
 */
void qpu_turn(struct qpu *q, uint64_t most);
void qpu_finish(struct qpu *q);

/*
 * For harness/verify, between two turns. qpu_flush marks the clauses consulted so far in env->coverage; the
 * caller may then replace env->coverage. qpu_change_profile makes later instructions obey another profile
 * (the caller also changes env->profile), and plans `count` instructions from `first` on again. The
 * instructions directly before and after these must not depend on any profile (nops).
 */
void qpu_flush(struct qpu *q);
void qpu_change_profile(struct qpu *q, const struct profile *p, uint32_t first, uint32_t count);

/* Saves what a run has changed in the QPU itself, so that several runs can continue from the same state. The
 * caller saves the rows, the VPM and everything else. */
size_t qpu_saved_bytes(void);
void qpu_save(const struct qpu *q, void *saved);
void qpu_restore(struct qpu *q, const void *saved);

/* ---- between the files of the QPU ---- */

static inline uint64_t qpu_clause_bit(unsigned clause)
{
    return UINT64_C(1) << (clause - QPU_CLAUSE_FIRST);
}
/* Returns the profile's reading. Code that decides something by it must use qpu_consult. */
static inline unsigned qpu_reading(const struct qpu *q, unsigned clause)
{
    return q->rules->reading[clause - QPU_CLAUSE_FIRST];
}
/* Returns the profile's reading and marks the clause as covered. The mark is a bit that mark() in qpu_run.c
 * copies to env->coverage at the end of the run, which costs less for each step. */
static inline unsigned qpu_consult(struct qpu *q, unsigned clause)
{
    q->clauses |= qpu_clause_bit(clause);
    return qpu_reading(q, clause);
}
/* The same for planning: the step will mark the clause each time it runs. */
static inline unsigned qpu_consult_step(const struct qpu *q, struct qpu_step *s, unsigned clause)
{
    s->clauses |= qpu_clause_bit(clause);
    return qpu_reading(q, clause);
}

/* Adds a list of alu_clauses.h, ended by ALU_NO_CLAUSE, to a step's alu_clauses. */
static inline void qpu_add_clauses(uint64_t *set, const uint8_t *clauses)
{
    for (; *clauses != ALU_NO_CLAUSE; clauses++)
        *set |= UINT64_C(1) << (*clauses - ALU_CLAUSE_FIRST);
}

/* Does a rule act at this point, or does an observer watch it? */
static inline bool qpu_wants(const struct qpu *q, unsigned point)
{
    return q->wants[point / 64] >> (point % 64) & 1;
}
/* Passes `value` to the observer, if it wants this point, and gives the value after the rules. The arguments
 * after `value` are the point's inputs (qpu_points.h). */
#define QPU_OBSERVE(q, point, value, ...)                                                                    \
    (qpu_wants(q, QPU_POINT_##point)                                                                         \
         ? observe((q)->observer, QPU_POINT_##point, (value), (const uint32_t[]){__VA_ARGS__})               \
         : (value))
/* step/qpu_observe.c. `vectors`: the point's inputs that are vectors; `others`: its single words. */
void qpu_observe_vector(const struct qpu *q, unsigned point, struct vc4_vector *v,
                        const struct vc4_vector *const *vectors, const uint32_t *others);
#define QPU_VECTORS(...) ((const struct vc4_vector *const[]){__VA_ARGS__})
/* The same for a vector, which is changed in place. `vectors`: QPU_VECTORS(...), or NULL. */
#define QPU_OBSERVE_VECTOR(q, point, v, vectors, ...)                                                        \
    (qpu_wants(q, QPU_POINT_##point)                                                                         \
         ? qpu_observe_vector(q, QPU_POINT_##point, v, vectors, (const uint32_t[]){__VA_ARGS__})             \
         : (void)0)
/* The same for lane masks (0 or FFFFFFFF). The observer sees them as 0 or 1. */
void qpu_observe_masks(const struct qpu *q, unsigned point, struct vc4_vector *v,
                       const struct vc4_vector *const *vectors, const uint32_t *others);
/* Can a rule change a value in the body of a planned step, or does an observer watch? */
bool qpu_is_observed(const struct qpu *q, const struct qpu_step *s);
/* Does r5 exist by the reading of accumulator-count, or by a rule? `access`: what asks; `file`: of a write.
 */
enum qpu_r5_access { QPU_R5_OPERAND, QPU_R5_WRITE, QPU_R5_VARYING, QPU_R5_LINK, QPU_R5_AMOUNT };
bool qpu_has_r5(const struct qpu *q, unsigned reading, enum qpu_r5_access access, unsigned file);
/* step/qpu_observe_fields.c. qpu_observe_word passes the fields that choose the class (signal, mode) to the
 * observer; qpu_observe_class passes the class and decodes the word, qpu_observe_fields passes the others. */
uint64_t qpu_observe_word(const struct qpu *q, uint64_t word);
bool qpu_observe_class(const struct qpu *q, uint64_t word, struct qpu_insn *i);
void qpu_observe_fields(const struct qpu *q, struct qpu_insn *i);
/* Does a rule act on an instruction's fields, or does an observer watch them? */
static inline bool qpu_wants_fields(const struct qpu *q)
{
    return q->wants[0] & ((UINT64_C(1) << QPU_POINT_PLANS) - 1);
}
/* Returns the word after the rules for its fields. Observers do not see these values. */
uint64_t qpu_change_word(const struct qpu *q, uint64_t word);
static inline uint64_t qpu_ruled_word(const struct qpu *q, uint64_t word)
{
    return qpu_wants_fields(q) ? qpu_change_word(q, word) : word;
}

/* qpu_plan*.c */
void qpu_plan(struct qpu *q, struct qpu_step *s);
void qpu_plan_result(const struct qpu *q, struct qpu_step *s, bool is_mul); /* destination, pack */
void qpu_plan_link(const struct qpu *q, struct qpu_step *s, bool is_mul);   /* the same for a branch's link */
void qpu_plan_collision(const struct qpu *q, struct qpu_step *s);
bool qpu_plan_peripherals(const struct qpu *q, struct qpu_step *s); /* true: the step's effect is undefined */
void qpu_plan_vpm_beside(struct qpu_step *s);
/* qpu_step_*.c */
qpu_execute qpu_step_plain, qpu_step_ruled, qpu_step_checked;
/* qpu_branch.c */
qpu_execute qpu_execute_branch, qpu_execute_outside, qpu_execute_reserved, qpu_execute_undefined;
void qpu_semaphore(struct qpu *q, const struct qpu_step *s, struct vc4_vector *value); /* counts */
void qpu_signal(struct qpu *q, const struct qpu_step *s);    /* does what the signal field asks for */
bool qpu_must_wait(struct qpu *q, const struct qpu_step *s); /* true: it waits, and the step did nothing */
/* qpu_fidelity.c: counts how exact a step, a branch and the end were. The masks belong to both pipes'
 * results. */
void qpu_account(struct qpu *q, const struct qpu_step *s, const struct vc4_vector *add_defined,
                 const struct vc4_vector *mul_defined);
void qpu_account_branch(struct qpu *q, const struct qpu_step *s);
void qpu_account_end(struct qpu *q);
/* qpu_tolerance.c. qpu_tolerate_r4 gives elements of r4 tolerances. A step calls qpu_take_tolerances before
 * it writes, and qpu_put_tolerances after it. Code that writes a register outside a step calls
 * qpu_forget_tolerance. */
void qpu_tolerate_r4(struct qpu *q, const struct vc4_vector *tolerance, const struct vc4_vector *lanes);
void qpu_take_tolerances(struct qpu *q, const struct qpu_step *s, const struct qpu_step *before);
void qpu_put_tolerances(struct qpu *q, const struct qpu_step *s);
void qpu_forget_tolerance(struct qpu *q, const struct vc4_rows *rows, unsigned row);
void qpu_forget_tolerances(struct qpu *q);
/* qpu_thread.c */
void qpu_begin_second(struct qpu *q, const struct qpu_second *second); /* NULL: there is none */
void qpu_switch_thread(struct qpu *q);
bool qpu_end_thread(struct qpu *q);          /* the running thread has ended; true: the other one goes on */
uint64_t qpu_other_half(uint64_t registers); /* the same set in the other thread's numbering */
/* qpu_uniforms.c: takes the next word of the stream, for a read or for a write of a TMU; false: the QPU
 * stopped */
bool qpu_take_uniform(struct qpu *q, bool for_tmu, uint32_t *word, uint32_t *defined);
/* qpu_registers.c. In plain runs, too, `r` has masks, which say that all is defined. Reads through `file` (0:
 * A, 1: B) and writes may stop the QPU. Undefined bits of `out` hold the filler. */
void qpu_read_io(struct qpu *q, unsigned file, unsigned address, struct qpu_value *out);
void qpu_read_stale(struct qpu *q, unsigned file, struct qpu_value *out);
void qpu_write_io(struct qpu *q, unsigned file, unsigned address, struct qpu_result *r);
void qpu_deliver_sfu(struct qpu *q); /* brings an SFU's result to r4 */

static inline bool qpu_is_alu(const struct qpu_insn *i)
{
    return i->class <= QPU_ALU_SMALL;
}

static inline bool qpu_writes_sfu(const struct qpu_pipe *p)
{
    return p->to == QPU_TO_IO && p->index >= QPU_W_SFU_RECIP && p->index <= QPU_W_SFU_LOG;
}

/* Which operand codes an operation uses, as bits 0..7. */
static inline unsigned qpu_operands_used(const struct qpu_operation *op, unsigned mux_a, unsigned mux_b)
{
    return (op->operands & 1U) << mux_a | (unsigned)(op->operands >> 1) << mux_b;
}

/* Makes the loop (qpu_run.c) handle events before the next step. */
static inline void qpu_check_events(struct qpu *q)
{
    q->event = 0;
}
enum vc4_stop qpu_observe_stop(const struct qpu *q, enum vc4_stop stop); /* step/qpu_observe.c */
static inline void qpu_halt(struct qpu *q, enum vc4_stop stop)
{
    if (q->stop == VC4_GO)
        q->stop = qpu_wants(q, QPU_POINT_END_REASON) ? qpu_observe_stop(q, stop) : stop;
    qpu_check_events(q);
}
static inline void qpu_halt_if(struct qpu *q, enum vc4_stop stop)
{
    if (stop != VC4_GO)
        qpu_halt(q, stop);
}

/* The caller has another result for r4. Returns true if an SFU result has not arrived yet: then both results
 * are undefined, because p37 forbids such programs. */
static inline bool qpu_meet_sfu(struct qpu *q)
{
    if (q->sfu_due == UINT64_MAX)
        return false;
    qpu_consult(q, QPU_SFU_R4_HAZARD);
    q->sfu.value = q->undefined.value;
    q->sfu.defined = q->undefined.defined;
    q->sfu.lanes = q->all;
    q->sfu_tolerance = q->zero;
    return true;
}

/* ---- vectors ---- */

extern const struct vc4_vector qpu_element_numbers;

/* The constant that QPU_READ_CONSTANT reads through a file. */
static inline const struct vc4_vector *qpu_constant(const struct qpu *q, const struct qpu_step *s,
                                                    unsigned file)
{
    bool small = file && s->insn.class == QPU_ALU_SMALL;
    return small ? &s->immediate : file ? &q->number.value : &qpu_element_numbers;
}

/* Copies elements 12 to 15 to every quad. This is the value that a later stale read or MUL nop repeats
 * (clauses nop-read-stale, mul-nop-write). */
static inline void vector_repeat_last_quad(struct vc4_vector *to, const struct vc4_vector *from)
{
    for (unsigned i = 0; i < VC4_LANES; i++)
        to->lane[i] = from->lane[12 + i % 4];
}

static inline void vector_splat(struct vc4_vector *v, uint32_t word)
{
    for (unsigned i = 0; i < VC4_LANES; i++)
        v->lane[i] = word;
}
static inline void qpu_splat(struct qpu_value *v, uint32_t word, uint32_t defined)
{
    vector_splat(&v->value, word);
    vector_splat(&v->defined, defined);
}
/* vector_bits returns the set of elements whose lowest bit is 1. vector_of_bits makes lane masks of a set. */
static inline uint32_t vector_bits(const struct vc4_vector *lanes)
{
    uint32_t bits = 0;
    for (unsigned i = 0; i < VC4_LANES; i++)
        bits |= (lanes->lane[i] & 1) << i;
    return bits;
}
static inline void vector_of_bits(struct vc4_vector *lanes, uint32_t bits)
{
    for (unsigned i = 0; i < VC4_LANES; i++)
        lanes->lane[i] = 0U - (bits >> i & 1);
}
/* Copies the elements of `from` whose `lanes` is FFFFFFFF to `to`. */
static inline void vector_select(struct vc4_vector *to, const struct vc4_vector *from,
                                 const struct vc4_vector *lanes)
{
    for (unsigned i = 0; i < VC4_LANES; i++)
        to->lane[i] ^= (to->lane[i] ^ from->lane[i]) & lanes->lane[i];
}

#endif
