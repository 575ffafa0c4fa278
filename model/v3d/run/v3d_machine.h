/* SPDX-License-Identifier: MIT */
/*
 * The V3D machine as far as compute programs reach it: threads with their registers, the memory that the TMU
 * accesses, the stream of uniforms, and the launch of a compute job (CSD). It knows nothing of cases, boards
 * or campaigns. It has no VPM, tile buffer, varyings or texture sampling: a program that reaches them stops.
 *
 * Threads run one after another. A thread runs until it ends or waits at a barrier. The documents leave the
 * order open, so a program whose results depend on it is no good test (v3d_sharing.h).
 */
#ifndef MISPRINT_MODEL_V3D_RUN_V3D_MACHINE_H
#define MISPRINT_MODEL_V3D_RUN_V3D_MACHINE_H

#include "model/core/clause.h"
#include "model/rule/point.h"
#include "model/v3d/alu/v3d_alu.h"
#include "model/v3d/run/v3d_sharing.h"
#include "model/v3d/v3d_clauses.h"
#include "model/v3d/v3d_insn.h"
#include "model/v3d/v3d_restrict.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Why a thread stops. v3d_reasons has the texts. */
enum v3d_stop {
    V3D_GO = 0,
    V3D_HANG_LIMIT,
    V3D_HANG_BARRIER,
    V3D_HANG_TMU_LOAD,
    V3D_HANG_TMU_FULL,
    V3D_FAULT_MEMORY,
    V3D_FAULT_UNIFORM,
    V3D_FAULT_PROGRAM,
    V3D_FAULT_RESERVED,
    V3D_FAULT_RESTRICTION,
    V3D_FAULT_VPM,
    V3D_FAULT_TILE,
    V3D_FAULT_VARYING,
    V3D_FAULT_TEXTURE,
    V3D_FAULT_GRAPHICS,
    V3D_FAULT_SYNC,
    V3D_FAULT_LAUNCH,
    V3D_FAULT_TMU,
    V3D_FAULT_UNDEFINED,
    V3D_FAULT_UNSTATED,
    V3D_STOPS
};
extern const char *const v3d_reasons[V3D_STOPS + 1];
static inline bool v3d_stop_is_hang(enum v3d_stop s)
{
    return s >= V3D_HANG_LIMIT && s <= V3D_HANG_TMU_FULL;
}

/* A part of memory that programs can reach. */
struct v3d_range {
    uint32_t base, bytes; /* address of the first byte, a multiple of 64; how many */
    uint32_t *word;
    uint32_t *defined;   /* masks of the words; NULL: nobody asks */
    uint32_t *tolerance; /* of the words, like `defined` */
    uint32_t *before;    /* receives what 64 bytes held before the first store to them; NULL: nobody asks */
    uint64_t *touched;   /* bit first_row + n: 64 bytes n were written; NULL: nobody asks */
    uint32_t first_row;
    bool read_only;
    struct v3d_sharing *sharing; /* notes accesses, and has room for all words; NULL: nobody asks */
};

enum { V3D_DATA_MAX = 16, V3D_RESULTS_MAX = 16 };

/* What is not known of a vector, a bit for each lane. */
struct v3d_doubt {
    uint16_t unsure;   /* the value is stated exactly by no source */
    uint16_t near;     /* of these, a result of the SFU as it gave it (v3d_sfu_tolerance) */
    uint16_t absolute; /* of these, one of log or sin */
    uint16_t unused;
} __attribute__((aligned(8)));

struct v3d_lanes {
    struct v3d_vector value;
    union {
        struct {
            uint16_t unsure, near, absolute, unused;
        };
        struct v3d_doubt doubt;
    };
};

/* Returns the doubts of two operands that their result keeps. */
static inline struct v3d_doubt v3d_doubt_of_both(struct v3d_doubt a, struct v3d_doubt b,
                                                 struct v3d_doubt keeps)
{
    uint64_t x, y, mask;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    memcpy(&mask, &keeps, sizeof mask);
    x = (x | y) & mask;
    memcpy(&a, &x, sizeof a);
    return a;
}

/* What a thread's accesses to the TMU wait for. */
struct v3d_tmu {
    uint32_t config; /* the byte of the next access is the lowest one */
    unsigned data_count, result_first, result_count;
    uint16_t of_tmudref, of_tmuoff; /* bit n: data n came from there */
    struct v3d_lanes data[V3D_DATA_MAX];
    struct v3d_lanes result[V3D_RESULTS_MAX];
};

/* Registers whose new values may come late (v3d-rf-forward), with their old values. */
enum { V3D_WRITES_MAX = 4 };
struct v3d_old {
    uint64_t registers; /* bit n: rf n */
    unsigned count;
    uint8_t index[V3D_WRITES_MAX];
    struct v3d_lanes value[V3D_WRITES_MAX];
};

struct v3d_thread {
    struct v3d_alu alu; /* flags, RTOP, ids */
    struct v3d_lanes rf[V3D_REGISTERS];
    struct v3d_lanes acc[V3D_ACCUMULATORS];
    struct v3d_lanes sfu; /* goes to r4 in `sfu_in` instructions */
    struct v3d_tmu tmu;
    uint32_t pc, target; /* numbers of instructions */
    uint32_t uniform, unifa;
    uint32_t uniform_before, unifa_before; /* before the last uniform branch, the last write to unifa */
    uint64_t unifa_step;                   /* of the machine: when unifa was written; 0: never */
    uint16_t unsure_a, unsure_b;           /* lanes whose flags are not known exactly */
    uint16_t unsure_rtop;                  /* lanes whose RTOP is not known exactly */
    uint16_t sfu_lanes;                    /* that receive `sfu` */
    uint8_t sfu_in, branch_in, switch_in, end_in; /* instructions until it happens; 0: never */
    bool last, after_switch; /* the last thread switch was issued; the previous instruction has thrsw */
    bool barrier,
        at_barrier;      /* barrier: the next thread switch waits at a barrier; at_barrier: it does now */
    bool ended, set_msf; /* set_msf: setmsf ran */
    /* Under V3D_BREACH_UNKNOWN: accumulators and RTOP; the place of the next uniform; what unifa holds;
     * whether it holds unifa_before */
    bool lost, stream_lost, unifa_lost, unifa_doubt;
    bool rested;           /* unifa_before was written long before unifa */
    uint16_t unsure_msf;   /* lanes of whose multisample flags only 0 or not is known */
    uint16_t started;      /* lanes that existed at the start */
    bool late;             /* what writes now is a signal or the SFU, whose results may come late */
    struct v3d_old old[2]; /* of this instruction and of the one before; `now`: which is which */
    bool now;
    uint64_t wrote_rf; /* bit n: rf n was written */
    uint8_t wrote_acc; /* the same of accumulators */
};

/* A compute job, as the registers CFG0 to CFG6 of the CSD state it. */
enum { V3D_CONFIG_WORDS = 7, V3D_THREADS_MAX = 48 };

struct v3d_plan;

struct v3d_machine {
    enum v3d_generation generation;
    struct v3d_alu_rules rules;
    const struct v3d_insn *program;
    const struct v3d_plan *plan; /* of each instruction (v3d_plan.h); NULL: none */
    uint32_t program_count, code_base;
    const struct v3d_breach *breach; /* restrictions that the program breaks, in ascending order */
    unsigned breaches;
    bool four_threads, keeps_old; /* keeps_old: a reading asks for struct v3d_old's values */
    bool one_batch;               /* the job has one batch */
    bool propagates;              /* bit 2 of the start address, Propagate NaNs */
    struct v3d_lanes unknown;     /* a value that no source states */
    struct v3d_range range[20];
    unsigned ranges;
    const struct profile *profile;
    struct coverage *coverage;
    const struct observer *observer; /* NULL: nobody observes */
    uint32_t filler;                 /* value of results that no source states */
    bool checked;                    /* stop where an inexact value decides what happens next */
    bool unordered;                  /* several batches run, so results of atomic operations are not exact */
    struct v3d_sharing *sharing;     /* follows which batch runs; NULL: nobody asks */
    uint64_t steps, limit;
    const struct v3d_thread *first; /* result: what the job's first thread left; NULL: none started */
    struct v3d_thread kept;         /* holds it, if other threads took its place */
    uint32_t stop_pc;               /* number of the instruction that stopped */
    struct v3d_thread thread[V3D_THREADS_MAX];
    struct v3d_lanes rf[V3D_REGISTERS], acc[V3D_ACCUMULATORS]; /* of each thread at its start */
    uint64_t idle; /* registers that the program does not name, a bit each: threads start without them */
    uint16_t flag_a, flag_b;
    /* Called after each instruction; NULL: nobody asks. */
    void (*watch)(void *context, const struct v3d_machine *m, const struct v3d_thread *t, uint32_t pc);
    void *watch_context;
};

/* Sets the readings that the machine follows, and where it counts the clauses that it consults. */
void v3d_follow(struct v3d_machine *m, const struct profile *p, struct coverage *c);

/* Returns the number of a register of the register file as the hardware counts it; V3D_NO_REGISTER if it
 * has none. */
enum { V3D_NO_REGISTER = 0xFF };
unsigned v3d_register_number(const struct v3d_machine *m, unsigned index);
/* Makes lanes undefined. */
void v3d_lose(const struct v3d_machine *m, struct v3d_lanes *v, uint16_t lanes);
/* Makes rf32 to rf63 undefined if they are another thread's. */
void v3d_lose_neighbours(const struct v3d_machine *m, struct v3d_thread *t);
/* Writes the result of the SFU that a thread waits for. */
void v3d_write_sfu_result(const struct v3d_machine *m, struct v3d_thread *t);
/* Returns what an instruction sees of a register. */
const struct v3d_lanes *v3d_see_register(const struct v3d_machine *m, const struct v3d_thread *t,
                                         unsigned index);
/* Returns the registers that a program names, a bit each, and those that a launch sets. */
uint64_t v3d_named_registers(const struct v3d_insn *program, uint32_t count);
/* v3d_breach.c: restrictions of Mesa that the thread's next instruction breaks. Returns whether readings say
 * what happens then. If an instruction waits for the SFU, delivers the result. */
enum v3d_breach_effect { V3D_BREACH_STOPS, V3D_BREACH_GOES_ON, V3D_BREACH_LOSES };
enum v3d_breach_effect v3d_break(const struct v3d_machine *m, struct v3d_thread *t, const struct v3d_insn *i);
/* Under V3D_BREACH_UNKNOWN: does the instruction write registers only, or is it a branch that leaves the
 * stream of uniforms? Then nothing else is lost. */
bool v3d_keeps_to_registers(const struct v3d_machine *m, const struct v3d_insn *i);
/* Loses what the instruction, which breaks a restriction, has written. Stops if it may have read elsewhere.
 */
enum v3d_stop v3d_lose_results(struct v3d_machine *m, struct v3d_thread *t, const struct v3d_insn *i);
/* Loses accumulators and RTOP, again after each instruction that follows. */
void v3d_lose_state(const struct v3d_machine *m, struct v3d_thread *t);
/* Executes a branch (v3d_branch.c). */
enum v3d_stop v3d_branch(struct v3d_machine *m, struct v3d_thread *t, const struct v3d_branch *b);
/* Writes a result to a destination (v3d_write.c). A result with a pack is a half in bits 15:0. `active`: the
 * lanes that pass the condition, `unsure`: those whose condition is not known. */
enum v3d_stop v3d_write(struct v3d_machine *m, struct v3d_thread *t, bool magic, unsigned waddr,
                        struct v3d_lanes *v, uint16_t active, uint16_t unsure, enum v3d_pack pack);
/* Writes what ldunif and ldunifa deliver: r5 of V3D 4.2, rf0 of 7.1. */
void v3d_write_implicit(const struct v3d_machine *m, struct v3d_thread *t, const struct v3d_lanes *v);
/* Says which lanes of a result of the SFU are within its tolerance, and which no source states. `v->unsure`:
 * those of the operand, `operand`. */
void v3d_note_sfu(const struct v3d_machine *m, struct v3d_lanes *v, enum v3d_function f,
                  const struct v3d_vector *operand);
/* Takes the next word of the stream of uniforms. */
enum v3d_stop v3d_take_uniform(struct v3d_machine *m, struct v3d_thread *t, uint32_t *word);

/* Runs a compute job. All fields of the machine but the threads must be set. */
enum v3d_stop v3d_launch(struct v3d_machine *m, const uint32_t config[V3D_CONFIG_WORDS]);

/* Runs a thread until it ends, waits at a barrier or stops. */
enum v3d_stop v3d_run_thread(struct v3d_machine *m, struct v3d_thread *t);

/* Returns the word at an address, and its range and place; NULL if no range has all its bytes. */
struct v3d_range *v3d_reach(struct v3d_machine *m, uint32_t address, uint32_t bytes, bool store);
/* Returns the word at an address before the launch, as far as it is known; else `now`. */
uint32_t v3d_initial_word(struct v3d_machine *m, uint32_t address, uint32_t now);
/* Reads a word of uniforms: of their stream, or by unifa. */
enum v3d_stop v3d_uniform(struct v3d_machine *m, uint32_t address, bool by_unifa, uint32_t *word);

/* v3d_tmu.c: a write to a TMU register. `lanes`: the lanes that write. */
enum v3d_stop v3d_tmu_access(struct v3d_machine *m, struct v3d_thread *t, const struct v3d_lanes *address,
                             uint16_t lanes);
enum v3d_stop v3d_tmu_push(struct v3d_tmu *u, const struct v3d_lanes *data, unsigned waddr);
enum v3d_stop v3d_tmu_pop(const struct v3d_machine *m, struct v3d_tmu *u, struct v3d_lanes *to);

/* Returns the reading of a clause, and counts the clause as covered. The restrictions follow enum v3d_clause.
 */
static inline unsigned v3d_consult(const struct v3d_machine *m, unsigned clause)
{
    return consult(m->profile, m->coverage, clause, 0);
}

/* Returns a value at an observation point after the machine's rules. The inputs follow. */
#define V3D_SEE(m, point, value, ...) OBSERVE((m)->observer, V3D_POINT_##point, (value), __VA_ARGS__)

/* Returns the lanes that exist. */
static inline uint16_t v3d_live(const struct v3d_thread *t)
{
    uint32_t set = 0;
    for (unsigned i = 0; i < V3D_LANES; i++)
        set |= (uint32_t)(t->alu.msf.lane[i] != 0) << i;
    return (uint16_t)set;
}
/* Returns a set of lanes with all quads that it touches. */
static inline uint16_t v3d_quads(uint32_t set)
{
    uint32_t any = (set | set >> 1 | set >> 2 | set >> 3) & 0x1111;
    return (uint16_t)(any * 15);
}

#endif
