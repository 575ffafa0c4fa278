/* SPDX-License-Identifier: MIT */
/*
 * The Utgard GP as a machine: one vertex runs a program. Owns its state and
 * how it is prepared and run; knows nothing of cases and boards (unit_gp.c).
 *
 * An instruction becomes a step when it first runs: each unit's action and
 * inputs are settled under the profile, once. Running a step is
 * then: let results age, fetch, let the six units act, store, branch.
 * Checked runs also know of every value which bits are defined, and of values
 * that mean something only to another step of a function (enum gp_kind).
 */
#ifndef MISPRINT_MODEL_UTGARD_GP_H
#define MISPRINT_MODEL_UTGARD_GP_H

#include "model/number/float32.h"
#include "model/utgard/gp_clauses.h"
#include "model/utgard/gp_insn.h"

_Static_assert(GP_CLAUSES <= 64, "sets of clauses are 64-bit masks");
#define GP_CLAUSE_BIT(clause) (UINT64_C(1) << (clause))

/* What a unit does in an instruction. */
enum gp_action {
    GP_DO_IDLE,
    GP_DO_ADD,
    GP_DO_FLOOR,
    GP_DO_SIGN,
    GP_DO_GE,
    GP_DO_LT,
    GP_DO_MIN,
    GP_DO_MAX,
    GP_DO_MUL,
    GP_DO_MOVE, /* through acc or mul: as arithmetic would, or not (gp-identity) */
    GP_DO_COPY, /* bit by bit */
    GP_DO_SELECT,
    GP_DO_COMPLEX1,
    GP_DO_COMPLEX2,
    GP_DO_FUNCTION,
    GP_DO_PREEXP2,
    GP_DO_POSTLOG2,
    GP_DO_CLAMP,
    GP_DO_SET_ADDRESS,
    GP_DO_ZERO,
    GP_DO_UNKNOWN,
    GP_READ_NOTHING = GP_DO_ZERO /* these, whatever their inputs are */
};

/* Inputs beyond the 32 selectors. */
enum { GP_INPUT_ZERO = GP_SOURCES, GP_INPUT_ONE, GP_INPUT_UNDEFINED, GP_INPUTS };

struct gp_unit_step {
    uint8_t action;               /* enum gp_action */
    uint8_t a, b, c;              /* places in the bank; c: the condition of select */
    uint8_t flip_a, flip_b, flip; /* 1 negates an input, the result */
};

enum gp_space { GP_TO_REGISTER, GP_TO_VARYING, GP_TO_TEMPORARY };

struct gp_half_store {
    uint8_t space;   /* enum gp_space */
    uint8_t addr;    /* register or varying; of a temporary: added to address register 0 */
    uint8_t unit[2]; /* enum gp_unit, GP_UNIT_UNKNOWN for 0.0 or undefined, GP_STORE_NONE */
    bool stores;     /* one of the units at least */
    bool undefined;  /* gp-one-register: what reaches the register is undefined */
};

/* One instruction, as the profile reads it. */
struct gp_step {
    struct gp_unit_step unit[GP_UNITS]; /* by enum gp_unit; [GP_UNIT_UNKNOWN] is not used */
    /*
     * What plain runs need of them. A unit's result is the bank's word at `from`, negated if its bit in
     * `negates` is set; units in `keeps` hold what they have, those in `works` do more, those in `moves` only
     * where that word is no ordinary number. Bit n: unit n.
     */
    uint8_t from[GP_UNITS], negates, keeps, works, moves;
    uint32_t hangs[GP_UNITS]; /* what each unit's result hangs on besides its inputs (enum gp_hazard) */
    uint32_t uses;            /* selectors that busy units read, bit n: selector n */
    uint32_t
        partial; /* of these, those that want a complex result for what it is, not as a step of a function */
    uint64_t covers; /* clauses that decide something whenever this runs (mode 0) */
    uint64_t asked;  /* clauses whose readings all this hangs on */
    struct gp_half_store store[2];
    uint8_t stored_units; /* bit n: unit n's result is stored */
    bool loads, fetches0, fetches1;
    bool attribute, register1_undefined, one_register_loads, one_register_stores;
    uint8_t register0, register1;
    uint16_t load;
    uint8_t offset;     /* address register 0 to 3, or GP_NO_OFFSET, GP_UNKNOWN_OFFSET */
    uint8_t function;   /* of GP_DO_FUNCTION: enum gp_complex_op; of GP_DO_SET_ADDRESS: bit n: register n,
                           undefined ones from bit 4 on */
    bool from_pass;     /* address registers are set from pass's result */
    bool complex1_fits; /* complex1's inputs are those that documents give */
    bool branches, branch_raw;
    bool settled; /* all of this is known; instructions that never run need not be looked at */
    uint16_t target;
};
enum { GP_NO_OFFSET = 7, GP_UNKNOWN_OFFSET = 6 };

/* Values that only another step of the same function can use; to all else they are undefined. */
enum gp_kind { GP_PLAIN, GP_KIND_PREEXP2, GP_KIND_LOG2, GP_KIND_OPAQUE };

/* A store that is still on its way. */
struct gp_write {
    uint32_t when; /* the instruction that made it */
    uint32_t value, defined;
    uint32_t hangs; /* enum gp_hazard */
    uint16_t place; /* component, counted over all rows; address registers: the register */
    uint8_t kind;
};
enum { GP_WRITES = 32, GP_REGISTER_WINDOW = 3, GP_MEMORY_WINDOW = 4, GP_ADDRESS_WINDOW = 4 };
struct gp_writes {
    struct gp_write write[GP_WRITES];
    unsigned first, end; /* modulo GP_WRITES: the oldest, and behind the youngest */
};

/*
 * Clauses that a value can hang on, as sets of bits that go with it: what is made of it hangs on the same. A
 * clause decided something only if the value is stored where others see it, sets an address register or
 * decides a branch: most of what programs compute is never seen, and a board whose reading decides nothing
 * need not be compared with.
 */
enum gp_hazard {
    GP_HAZARD_IDLE,
    GP_HAZARD_INITIAL,
    GP_HAZARD_BRANCH,
    GP_HAZARD_WAIT,
    GP_HAZARD_ATTRIBUTE,
    GP_HAZARD_RANGE,
    GP_HAZARD_REGISTER_LATENCY,
    GP_HAZARD_REGISTER_EARLY,
    GP_HAZARD_TEMPORARY_LATENCY,
    GP_HAZARD_TEMPORARY_EARLY,
    GP_HAZARD_ADDRESS_LATENCY,
    GP_HAZARD_ADDRESS_EARLY,
    GP_HAZARD_CLAMP,
    GP_HAZARD_SELECT,
    GP_HAZARD_PASS_4_5,
    GP_HAZARD_ONE_REGISTER,
    GP_HAZARDS
};
#define GP_HAZARD_BIT(hazard) (UINT32_C(1) << GP_HAZARD_##hazard)

/* The rules of arithmetic, from the profile. */
struct gp_rules {
    struct float_rules f;
    bool ordinary; /* `f` is IEEE 754's */
    uint8_t nan, minmax_nan, minmax_zero, compare_nan, sign_edge, identity, clamp, truth, partials, accuracy,
        special;
};

/* Why a run ended; the unit's reasons. */
enum gp_stop { GP_GO, GP_STOP_LIMIT, GP_STOP_RANGE, GP_STOP_UNDEFINED, GP_STOPS };

/* What the machine runs in; the caller's. Rows of GP_VEC words. */
struct gp_setup {
    const struct profile *profile;
    const uint32_t *program;
    uint32_t count, limit, filler;
    uint32_t components; /* two bits an attribute: components less one */
    bool checked;
    void *context;
    void (*attribute)(void *context, uint32_t row, uint32_t *words); /* gives four words */
    void (*register_before)(void *context, uint32_t row, uint32_t *words);
    uint32_t *memory, *memory_defined;
    uint32_t *varying, *varying_defined;
    uint32_t varyings; /* rows that exist */
    void (*touch_memory)(void *context, uint32_t row);
    void (*watch)(void *context, uint32_t index); /* after each step; NULL: nobody */
};

struct gp_function { /* what the complex unit began one instruction ago */
    uint8_t op;      /* 0: nothing */
    bool good;       /* the operand was one that the function takes */
    uint32_t x, x_defined, full, full_defined;
    uint32_t hangs;
};
struct gp_square { /* what complex2 made of its operands one instruction ago */
    bool good;
    uint8_t kind;
    uint32_t x, x_defined;
    uint32_t hangs;
};

struct gp {
    struct gp_setup setup;
    struct gp_rules rules;
    bool checked;
    uint32_t filler, count;
    /* the instruction's inputs by selector */
    uint32_t bank[GP_INPUTS], bank_defined[GP_INPUTS], bank_hangs[GP_INPUTS];
    uint8_t bank_kind[GP_INPUTS];
    /* the units' results in this instruction, by enum gp_unit */
    uint32_t result[GP_UNITS], result_defined[GP_UNITS], result_hangs[GP_UNITS];
    uint8_t result_kind[GP_UNITS];
    /* complex1's result on its way to selector 26 (gp-wide-wait) */
    struct gp_late {
        bool on_its_way, due;
        uint32_t value, defined, hangs, due_value, due_defined, due_hangs;
        uint8_t kind, due_kind;
    } late;
    bool complex_partial; /* the complex unit's last result is a step of a function */
    struct gp_function function, function_before;
    struct gp_square square, square_before;
    uint32_t decided; /* hazards on which something hangs that was seen */
    /* state */
    uint32_t reg[GP_REGISTERS][GP_VEC], reg_defined[GP_REGISTERS][GP_VEC], reg_hangs[GP_REGISTERS][GP_VEC];
    uint8_t reg_kind[GP_REGISTERS][GP_VEC];
    uint64_t reg_written;             /* bit 4r + c */
    uint8_t reg_on_way[GP_REGISTERS]; /* stores to each */
    uint32_t attributes_known;        /* bit n: attribute n was fetched before */
    int32_t address[GP_ADDRESS_REGISTERS];
    bool address_defined[GP_ADDRESS_REGISTERS], address_set[GP_ADDRESS_REGISTERS];
    uint64_t varying_written; /* bit 4v + c */
    /* the way */
    uint64_t steps;
    uint32_t now, pc, delayed; /* now: instructions and bubbles so far; delayed: 1 + where to go after the
                                  next instruction; 0: nowhere */
    enum gp_stop stop;
    uint64_t covered[3];      /* clauses, by mode */
    struct fidelity fidelity; /* of checked runs */
    bool previous0,
        previous1; /* some instruction reads what a register unit fetched one instruction before */
    /* from here on, what need not be cleared before a run */
    uint32_t attribute[GP_ATTRIBUTES][GP_VEC];
    struct gp_writes reg_writes, memory_writes, address_writes;
    uint8_t register_latency, memory_latency, address_latency;
    /* what outlives it: most runs are of the program of the run before, under other readings (gp_setup.c) */
    uint8_t reading[GP_CLAUSES];
    uint32_t known; /* instructions of the last program */
    uint32_t program[GP_WORDS * GP_PROGRAM_MAX];
    uint64_t reads_previous[2][GP_PROGRAM_MAX / 64]; /* by instruction: see previous0, previous1 */
    struct gp_step step[GP_PROGRAM_MAX];
};

void gp_prepare(struct gp *g, const struct gp_setup *setup);
enum gp_stop gp_run(struct gp *g);

/* gp_prepare.c: one instruction of the program under the machine's readings. */
void gp_settle(const struct gp *g, const uint32_t words[GP_WORDS], struct gp_step *s);

#endif
