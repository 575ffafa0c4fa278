/* SPDX-License-Identifier: MIT */
/*
 * One QPU: its registers, its prepared program, its run. Owns the execution of
 * instructions; arithmetic is qpu_alu.h's, VPM and DMA are vpm.h's, encodings
 * are qpu_insn.h's. Knows nothing of cases, boards or campaigns.
 *
 * An instruction becomes a step when it is first executed (qpu_plan.c): kernels,
 * operands, destinations and all readings of clauses are chosen there. Every
 * step runs through one body (qpu_step.inc.h), of which there are two forms:
 * values only, and values with definedness. Plans are kept for as long as the
 * same program runs again.
 *
 * TMUs, varyings and the tile buffer are qpu_graphics.h's; without them
 * (setup.graphics NULL) a program that uses them stops with
 * VC4_FAULT_UNSUPPORTED. A second thread of the QPU is qpu_thread.c's; of a
 * program that is alone, a thread switch takes the accumulators and flags (p21),
 * and it goes on. Several QPUs are machine.h's.
 */
#ifndef MISPRINT_MODEL_VC4_QPU_QPU_H
#define MISPRINT_MODEL_VC4_QPU_QPU_H

#include "model/core/fidelity.h"
#include "model/vc4/qpu/alu/qpu_alu.h"
#include "model/vc4/qpu/encoding/qpu_insn.h"
#include "model/vc4/qpu/qpu_clauses.h"
#include "model/vc4/vpm/vpm.h"

enum {
    QPU_PROGRAM_MAX = 1024, /* instructions */
    QPU_SEMAPHORES = 16,
    QPU_SEMAPHORE_MAX = 15,
    QPU_PENDING_BRANCHES = 4,
    QPU_RULES_KEPT = 4,
};

/* What QPUs share (p14, p33): counters, the mutex, the host's interrupt line. */
struct qpu_shared {
    uint32_t semaphore[QPU_SEMAPHORES];
    uint32_t mutex_held, host_interrupt; /* 0 or 1; host_interrupt_defined: its mask */
    uint32_t host_interrupt_defined;
    uint32_t mutex_holder; /* QPU number, while mutex_held */
    uint64_t changes;      /* of semaphores and mutex, counted: who waits looks again when it has grown */
};

/* How a QPU's two ALUs reach what they read and write, resolved. */
enum qpu_read {
    QPU_READ_NONE,
    QPU_READ_REGISTER,
    QPU_READ_CONSTANT,
    QPU_READ_NOP,
    QPU_READ_IO,
    QPU_READ_NOTHING_THERE,
    QPU_READ_AS_FILE_A
};
enum qpu_to { QPU_TO_NOTHING, QPU_TO_REGISTER, QPU_TO_ACCUMULATOR, QPU_TO_R5_A, QPU_TO_R5_B, QPU_TO_IO };
enum qpu_packs { QPU_PACKS_NOT, QPU_PACKS_A, QPU_PACKS_MUL, QPU_PACKS_JUNK };
enum qpu_source { QPU_FROM_NOTHING, QPU_FROM_ALU, QPU_FROM_IMMEDIATE, QPU_FROM_RESERVED, QPU_FROM_STALE };
enum qpu_flags_from { QPU_FLAGS_KEEP, QPU_FLAGS_ADD, QPU_FLAGS_MUL };
enum qpu_both { QPU_BOTH_APART, QPU_BOTH_MERGE, QPU_BOTH_ADD_ONLY, QPU_BOTH_UNDEFINED };

/* Where a vector and its mask stand; plain runs have no mask. */
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
    uint8_t packs, pack;     /* enum qpu_packs, code */
    bool lanes;              /* which elements are written has to be known one by one */
    bool direct;             /* the kernel writes its result where it belongs */
    bool apart;              /* the result stands elsewhere, and has to be brought there */
    struct qpu_place a, b;   /* of steps that only compute: operands, ... */
    struct qpu_place target; /* ... and the result's place, of every direct result */
};

struct qpu;
struct qpu_step;
struct qpu_graphics;
/* `before`: the step executed before this one. */
typedef void qpu_execute(struct qpu *q, struct qpu_step *s, const struct qpu_step *before);

struct qpu_step {
    qpu_execute *execute; /* NULL: the step is not planned yet */
    uint64_t clauses;     /* of qpu_clauses.h, that this step consults whenever it is executed */
    uint64_t alu_clauses; /* the same, of alu_clauses.h */
    uint64_t writes;      /* registers: bit n is ra n, bit 32 + n is rb n */
    uint64_t reads;       /* registers that an operand uses, the same way */
    uint64_t touches;     /* as `writes`, of those that count as written wherever the step was executed */
    uint8_t writes_acc, touches_acc; /* bit n: r0..r3, r5 */
    uint8_t reads_acc;               /* bit n: operands of either pipe */
    uint8_t rotates_acc;             /* those that go through the rotator, and r5 where it holds the amount */
    uint8_t flags_from;              /* enum qpu_flags_from */
    struct qpu_pipe add, mul;
    bool only_computes; /* on registers and constants; both results are direct, and nothing else happens */
    bool signals;       /* the signal field asks for something */
    bool may_wait;      /* for a semaphore or the mutex: looked at before anything happens (qpu_must_wait) */
    bool flags_all;     /* sf updates elements whatever the condition */
    bool flags_keep_c;  /* sf leaves C alone (ldi-op-text) */
    bool float_view;    /* regfile A is unpacked to float */
    bool no_r5;         /* operands find zeros in r5 (accumulator-count) */
    bool keeps_old;     /* what the destinations held before is kept for the next step */
    uint8_t vpm_beside; /* a look-up is loaded, and the VPM reached: 1 + mode of clause vpm-concurrent */
    bool rotates, rotates_by_r5, rotates_in_quads;
    bool rotates_apart;  /* the operands go different ways */
    uint8_t rotation;    /* amount, if not by r5 */
    uint8_t rotate_rule; /* enum in qpu_step.h */
    uint8_t both;        /* enum qpu_both */
    uint8_t unpack_a, unpack_r4;
    struct {
        uint8_t kind, address; /* enum qpu_read */
        bool used;             /* an operand selects it */
        bool wanted;           /* what is read can have a consequence */
    } read[2];
    struct qpu_insn insn;
    struct vc4_vector immediate; /* of load immediates; of small immediates where they are constants */
};

/* What an operation of the ALUs asks of planning. */
struct qpu_operation {
    uint64_t clauses, flag_clauses; /* bit n: clause ALU_CLAUSE_FIRST + n, that its result, its C flag
                                       besides, can depend on */
    uint8_t operands;               /* bit 0: reads operand A, bit 1: B (unary-operand) */
    uint8_t source;                 /* enum qpu_source */
};

/* A profile, in the form that planning and steps use. */
struct qpu_rules {
    bool made;
    struct profile profile;
    struct alu_rules alu;
    uint8_t reading[64]; /* of clause QPU_CLAUSE_FIRST + i */
    struct qpu_operation add[32], mul[8];
};

/* A value and its mask on the way: the mask matters in checked runs only. */
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
    bool lost; /* nobody knows where it stands (clause unif-addr-delay) */
    bool in_memory;
    uint32_t address;
};

/* A branch on its way: it lands before step number `due`. */
struct qpu_landing {
    uint64_t due;
    uint32_t target;
};

/* What a thread keeps while the other one of its QPU runs (qpu_thread.c). */
struct qpu_thread {
    struct qpu_graphics *graphics;
    struct qpu_uniforms uniforms, uniforms_before;
    uint64_t uniforms_changed, ms_rev_written[2];
    struct qpu_value quad[2], ms_flags, rev_flag;
    struct qpu_step *next;
    struct qpu_landing branch[QPU_PENDING_BRANCHES]; /* `due` counts from its next instruction */
    unsigned branches;
    bool no_more_switches, ended;
};

/* What the second thread of a QPU starts with. The program is the same; `entry`: the number of its first
 * instruction. */
struct qpu_second {
    struct qpu_graphics *graphics;
    struct qpu_uniforms uniforms;
    uint32_t entry;
};

/* What a run is given. */
struct qpu_setup {
    const struct vc4_env *env;
    struct vpm *vpm;
    struct qpu_shared *shared;
    struct qpu_graphics *graphics; /* NULL: has none */
    struct vc4_rows ra, rb, acc;   /* 32, 32 and 6 rows */
    const uint32_t *program;       /* two words an instruction, low word first */
    uint32_t count, code_base;
    struct qpu_uniforms uniforms;
    uint32_t number; /* QPU number */
    uint32_t stale[2],
        stale_mul;  /* what was last read through file A and B, and the last MUL result, in all elements */
    uint64_t limit; /* instructions */
    bool waits;     /* others may free what it waits for: qpu_turn comes back instead of stopping */
    const struct qpu_second *second; /* NULL: one thread */
};

struct qpu {
    /* 1. what a program sees */
    struct alu_flags flags, flags_defined;
    struct vc4_rows file[2], acc;
    struct qpu_value number, quad[2], ms_flags, rev_flag;
    bool pixels_written; /* quad, ms_flags or rev_flag; what is not defined of them is never looked at */
    struct qpu_uniforms uniforms, uniforms_before;
    uint64_t uniforms_changed;  /* step number of the last write to UNIFORMS_ADDRESS */
    uint64_t ms_rev_written[2]; /* step numbers */
    bool flags_touched, semaphores_touched, mutex_touched, interrupt_touched;

    /* 2. between instructions */
    struct qpu_value stale[2], stale_mul; /* elements 12 to 15 of the last read or result, repeated */
    struct qpu_value old_add, old_mul;    /* what the last step's destinations held before */
    struct qpu_result sfu;                /* on its way to r4 */
    uint64_t sfu_due; /* step number from which r4 holds it; UINT64_MAX: nothing is on its way */
    struct qpu_landing branch[QPU_PENDING_BRANCHES];
    unsigned branches;            /* in branch[], ordered by due */
    uint64_t last_branch;         /* step number; UINT64_MAX: none yet */
    uint64_t end_due, switch_due; /* step number at which the program ends, the thread has switched */
    struct qpu_value arriving_r4, arriving_r5; /* of a load signal, of a varying read */
    bool arrives_r4, arrives_r5;
    bool two_threads, second; /* the second one runs, and sees the other half of the files first */
    bool no_more_switches;    /* the running thread has switched for the last time (signal 6) */
    struct qpu_thread other;  /* with two threads: the one that sleeps */
    uint64_t arrival_due;     /* step number from which they are there; UINT64_MAX: nothing is on its way */
    const struct qpu_step *before; /* the step executed last; `blank` where there is none */

    /* 3. the course of the run */
    uint64_t now;   /* instructions executed */
    uint64_t event; /* `now` at which the loop must look up */
    uint64_t limit;
    struct qpu_step *next;
    enum vc4_stop stop;
    bool ended;
    bool waits,
        waiting;    /* the setup's; stands before `next` until what it waits for is free (`stop` says what) */
    bool paused;    /* the turn is over */
    uint64_t pause; /* `now` at which it is */
    uint32_t waits_for; /* semaphore number, where that is what it waits for */
    bool reads_stale, tracks_stale, tracks_mul, tracks_old;
    uint64_t clauses, alu_clauses; /* consulted so far, as in struct qpu_step */
    uint64_t alu_marked; /* which of a step's alu_clauses count: all, or in checked runs those that no operand
                            decides */
    uint64_t wrote;      /* registers that steps may have written so far, as in struct qpu_step */
    uint8_t wrote_acc;
    qpu_execute *general; /* the form of steps that this run wants */
    void (*watch)(void *context, struct qpu *q, const struct qpu_step *s,
                  bool after); /* NULL, or called around every step */
    void *watch_context;

    /* what results were worth, where env->fidelity asks for it: qpu_fidelity.c */
    struct fidelity fidelity;
    uint64_t
        inexact; /* registers, as in qpu_step.writes, of which a tolerance is why some bits are not defined */
    uint8_t inexact_acc;
    bool inexact_flags, inexact_memory;

    /* 4. parts around it */
    const struct vc4_env *env;
    struct vpm *vpm;
    struct qpu_shared *shared;
    struct qpu_graphics *graphics;
    const struct qpu_rules *rules;         /* in force: one of `kept` */
    struct qpu_rules kept[QPU_RULES_KEPT]; /* of the profiles last used */
    unsigned oldest;                       /* of `kept`, to be replaced next */
    const uint32_t *program;               /* two words an instruction */
    uint32_t code_base, count;

    /* 5. scratch of one step */
    struct qpu_value read[2], unpacked, r4_view;
    bool wanted; /* of what is being read: see qpu_step.read */
    struct qpu_result add, mul;
    struct qpu_value carry;
    struct vc4_vector zero, all;
    struct qpu_value undefined, operand[2];
    struct {
        unsigned amount;
        bool in_quads, undefined; /* undefined: nobody knows by how much, or of what */
    } turn;                       /* of the MUL pipe's result, through the rotator */

    /* 6. what the steps were planned for */
    const struct qpu_rules *planned_rules;
    bool planned_checked;
    struct vc4_rows planned_rows[3];
    uint32_t planned_count, planned[2 * QPU_PROGRAM_MAX];

    struct qpu_step blank;                     /* before the first */
    struct qpu_step step[QPU_PROGRAM_MAX + 1]; /* the last is where a program ends that has no end */
};

static inline unsigned qpu_reading(const struct qpu *q, unsigned clause)
{
    return q->rules->reading[clause - QPU_CLAUSE_FIRST];
}
static inline uint64_t qpu_clause_bit(unsigned clause)
{
    return UINT64_C(1) << (clause - QPU_CLAUSE_FIRST);
}
static inline void qpu_consult(struct qpu *q, unsigned clause)
{
    q->clauses |= qpu_clause_bit(clause);
}

/* Bus address of a step's instruction. */
static inline uint32_t qpu_address(const struct qpu *q, const struct qpu_step *s)
{
    return q->code_base + 8 * (uint32_t)(s - q->step);
}

/*
 * Readies a QPU: `q` zeroed before first use, kept between runs. At most QPU_PROGRAM_MAX instructions; they
 * must stay until the run is over.
 */
void qpu_prepare(struct qpu *q, const struct qpu_setup *setup);
/* Runs to the end, a hang or a fault, and gives the reason; touched rows and clauses are marked. */
enum vc4_stop qpu_run(struct qpu *q);

/*
 * The same in turns, for machine.c: up to `most` instructions. Afterwards the
 * QPU has ended, has stopped, waits (`waiting`; the next turn tries again), or
 * could go on. qpu_finish once at the end marks what was touched.
 */
void qpu_turn(struct qpu *q, uint64_t most);
void qpu_finish(struct qpu *q);

/*
 * For harness/verify, between two turns. qpu_flush marks what was consulted so far in env->coverage; the
 * caller may then change env->coverage. qpu_change_profile has the instructions from now on obey another
 * profile (the caller changes env->profile, too); those from `first` on, `count` of them, are planned anew.
 * The instructions right before and behind these must depend on no profile (nops).
 */
void qpu_flush(struct qpu *q);
void qpu_change_profile(struct qpu *q, const struct profile *p, uint32_t first, uint32_t count);

/* What a run has changed of the QPU itself, to go on from here more than once. Rows, VPM and the like are the
 * caller's to save. */
struct qpu_saved;
struct qpu_saved *qpu_saved_in(void *memory); /* qpu_saved_bytes of it, at a multiple of 64 */
size_t qpu_saved_bytes(void);
void qpu_save(const struct qpu *q, struct qpu_saved *s);
void qpu_restore(struct qpu *q, const struct qpu_saved *s);

/* ---- between the files of the QPU ---- */

/* qpu_plan.c */
void qpu_plan(struct qpu *q, struct qpu_step *s);
void qpu_add_clauses(uint64_t *set, const uint8_t *clauses); /* of alu_clauses.h, ended by ALU_NO_CLAUSE */
qpu_execute qpu_step_plain, qpu_step_checked;                /* qpu_step.c */
qpu_execute qpu_execute_branch, qpu_execute_outside, qpu_execute_reserved; /* qpu_branch.c */
qpu_execute qpu_execute_undefined;
void qpu_semaphore(struct qpu *q, const struct qpu_step *s, struct vc4_vector *value); /* the action */
void qpu_signal(struct qpu *q, const struct qpu_step *s);    /* what the signal field asks for */
bool qpu_must_wait(struct qpu *q, const struct qpu_step *s); /* true: it does; nothing has happened */
/* qpu_fidelity.c: counts what a step, whose pipes' results are defined in these bits, a branch and the end
 * were worth */
void qpu_account(struct qpu *q, const struct qpu_step *s, const struct vc4_vector *add_defined,
                 const struct vc4_vector *mul_defined);
void qpu_account_branch(struct qpu *q, const struct qpu_step *s);
void qpu_account_end(struct qpu *q);
void qpu_deliver_sfu(struct qpu *q); /* what is on its way to r4 arrives */
/* qpu_thread.c */
void qpu_begin_second(struct qpu *q, const struct qpu_second *second); /* NULL: there is none */
void qpu_switch_thread(struct qpu *q);
bool qpu_end_thread(struct qpu *q); /* the running thread has ended; true: the other one goes on */
uint64_t qpu_other_half(
    uint64_t registers); /* a set of registers, as in qpu_step.writes, as the other thread names them */

/* qpu_uniforms.c: the next word of the stream in force; false: the QPU stopped */
bool qpu_take_uniform(struct qpu *q, uint32_t *word, uint32_t *defined);

/* qpu_registers.c. Reads through `file` (0: A, 1: B) and writes; both may stop the QPU. `out` gets filler
 * where it is not defined. */
void qpu_read_io(struct qpu *q, unsigned file, unsigned address, struct qpu_value *out);
void qpu_read_stale(struct qpu *q, unsigned file, struct qpu_value *out);
void qpu_write_io(struct qpu *q, unsigned file, unsigned address, struct qpu_result *r);

static inline bool qpu_is_alu(const struct qpu_insn *i)
{
    return i->class <= QPU_ALU_SMALL;
}

static inline bool qpu_writes_sfu(const struct qpu_pipe *p)
{
    return p->to == QPU_TO_IO && p->index >= QPU_W_SFU_RECIP && p->index <= QPU_W_SFU_LOG;
}

/* Which operand codes an operation really uses, as bits 0..7. */
static inline unsigned qpu_operands_used(const struct qpu_operation *op, unsigned mux_a, unsigned mux_b)
{
    return (op->operands & 1U) << mux_a | (unsigned)(op->operands >> 1) << mux_b;
}

static inline void qpu_halt(struct qpu *q, enum vc4_stop stop)
{
    if (q->stop == VC4_GO)
        q->stop = stop;
    q->event = 0;
}
static inline void qpu_halt_if(struct qpu *q, enum vc4_stop stop)
{
    if (stop != VC4_GO)
        qpu_halt(q, stop);
}
/* Makes the loop look up before the next step. */
static inline void qpu_look_up(struct qpu *q)
{
    q->event = 0;
}

/* ---- vectors ---- */

/* Elements 12 to 15 in every quad: what stays behind of a read or of a MUL result (clauses nop-read-stale,
 * mul-nop-write). */
static inline void vector_leave_behind(struct vc4_vector *to, const struct vc4_vector *from)
{
    for (unsigned i = 0; i < VC4_LANES; i++)
        to->lane[i] = from->lane[12 + i % 4];
}

static inline void vector_splat(struct vc4_vector *v, uint32_t word)
{
    for (unsigned i = 0; i < VC4_LANES; i++)
        v->lane[i] = word;
}
/* Where `lanes` is FFFFFFFF, `to` gets `from`. */
static inline void vector_select(struct vc4_vector *to, const struct vc4_vector *from,
                                 const struct vc4_vector *lanes)
{
    for (unsigned i = 0; i < VC4_LANES; i++)
        to->lane[i] ^= (to->lane[i] ^ from->lane[i]) & lanes->lane[i];
}

#endif
