/* SPDX-License-Identifier: MIT */
/*
 * The Utgard GP as a machine that runs a program for one vertex. This file owns
 * the machine's state, its preparation and execution. unit_gp.c connects the
 * machine to cases and boards.
 *
 * When an instruction first runs, gp_settle resolves it to a step: the action
 * and inputs of each unit under the profile. Executing a step ages the results
 * of earlier instructions, fetches, runs the six units, stores and branches.
 * Checked runs also track which bits of each value are known (struct gp_known),
 * and which values only the next instruction of a function can use (enum gp_kind).
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
    GP_DO_MOVE, /* a move through acc or mul (gp-identity) */
    GP_DO_COPY, /* all bits */
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
    GP_READ_NOTHING = GP_DO_ZERO /* this action and all after it ignore their inputs */
};

/* Places of constants in the bank. They follow the 32 selectors. */
enum { GP_INPUT_ZERO = GP_SOURCES, GP_INPUT_ONE, GP_INPUT_UNDEFINED, GP_INPUTS };
/* After the constants, each unit has three places for inputs that a rule changed. */
enum { GP_PLACES = GP_INPUTS + 3 * GP_UNITS };

struct gp_unit_step {
    uint8_t action;               /* enum gp_action */
    uint8_t a, b, c;              /* places of the inputs in the bank; `c` is select's condition */
    uint8_t flip_a, flip_b, flip; /* 1: an input, or the result, is negated */
    uint8_t op;                   /* the opcode, as observation points show it (gp_points.h) */
};

enum gp_space { GP_TO_REGISTER, GP_TO_VARYING, GP_TO_TEMPORARY };
enum { GP_TO_ADDRESS = GP_TO_TEMPORARY + 1 }; /* as points show a store to an address register */

struct gp_half_store {
    uint8_t space;   /* enum gp_space */
    uint8_t addr;    /* register or varying; for a temporary, it is added to address register 0 */
    uint8_t field;   /* the address as encoded */
    uint8_t unit[2]; /* enum gp_unit; GP_UNIT_UNKNOWN for 0.0 or undefined; or GP_STORE_NONE */
    bool stores;     /* at least one unit is not GP_STORE_NONE */
    bool undefined;  /* the register gets undefined bits (gp-one-register) */
    bool kept;       /* but by a rule, the register gets the unit's word; its bits stay undefined */
    bool zero;       /* no conflict but by a rule: the register gets 0 */
};

/* One instruction under the profile's readings. */
struct gp_step {
    struct gp_unit_step unit[GP_UNITS]; /* by enum gp_unit; [GP_UNIT_UNKNOWN] is not used */
    /*
     * For plain runs: sets of units, one bit each. The result of a unit is the bank's word at `from`, negated
     * for units in `negates`. Units in `keeps` keep their last result instead. Units in `works` compute their
     * result; units in `moves` compute it only if the word is not normal.
     */
    uint8_t from[GP_UNITS], negates, keeps, works, moves;
    uint32_t hazards[GP_UNITS]; /* hazards of a unit's result besides those of its inputs */
    uint32_t uses;              /* selectors that busy units read, a bit each */
    /* `uses` without selectors that only complex1 reads. complex1 needs the complex result as a step of a
     * function; the other units use its value (gp-partials). */
    uint32_t partial;
    uint64_t covers; /* clauses that decide something whenever this step runs (mode 0) */
    struct gp_half_store store[2];
    uint8_t stored_units; /* units whose result is stored, a bit each */
    bool loads, fetches0, fetches1;
    bool register1_kept, register1_zero; /* likewise for fetches (struct gp_half_store) */
    bool attribute, register1_undefined, one_register_loads, one_register_stores;
    uint8_t register0, register1;
    uint16_t load;
    uint8_t offset; /* address register 0 to 3, GP_NO_OFFSET or GP_UNKNOWN_OFFSET */
    /* GP_DO_FUNCTION: enum gp_complex_op. GP_DO_SET_ADDRESS: registers to set, one bit each; from bit 4 on,
     * registers that become undefined. */
    uint8_t function;
    /* Only for observation points: bits 20 and 21 of the instruction, and the selectors of second inputs. */
    uint8_t negate_bits, second[GP_UNITS];
    bool from_pass;     /* the pass unit's result sets address registers */
    bool complex1_fits; /* complex1 has the documented inputs */
    bool branches, branch_raw;
    bool settled; /* the members above are valid; instructions that never run are not resolved */
    uint16_t target;
};
enum { GP_NO_OFFSET = 7, GP_UNKNOWN_OFFSET = 6 };

/* A kind other than GP_PLAIN marks a value that only the next instruction of a function can use. For all
 * other instructions the value is undefined. */
enum gp_kind { GP_PLAIN, GP_KIND_PREEXP2, GP_KIND_LOG2, GP_KIND_OPAQUE };

/* The known part of a value: a mask of defined bits, and a tolerance (model/number/tolerance.h). */
struct gp_known {
    uint32_t defined, tolerance;
};
/* Returns these defined bits and no tolerance. */
static inline struct gp_known gp_bits(uint32_t defined)
{
    return (struct gp_known){defined, 0};
}
static inline bool gp_same_known(struct gp_known a, struct gp_known b)
{
    return a.defined == b.defined && a.tolerance == b.tolerance;
}

struct gp_value {
    uint32_t value;
    struct gp_known known;
    uint32_t hazards; /* bits by enum gp_hazard */
    uint8_t kind;     /* enum gp_kind */
};

/* A pending store: its latency is not over. */
struct gp_write {
    uint32_t when; /* the instruction that stored */
    uint32_t value;
    struct gp_known known;
    uint32_t hazards; /* bits by enum gp_hazard */
    uint16_t place;   /* component, counted over all rows; or address register */
    uint8_t kind;     /* enum gp_kind; of an address register 1 if a rule takes the number away */
};
enum { GP_WRITES = 32, GP_REGISTER_WINDOW = 3, GP_MEMORY_WINDOW = 4, GP_ADDRESS_WINDOW = 4 };
struct gp_writes {
    struct gp_write write[GP_WRITES];
    /* Number of the oldest store, and one more than that of the youngest; modulo GP_WRITES. */
    unsigned first, end;
};

/*
 * Hazards: clauses on which a value can depend. Each value carries a set of hazards, and a result inherits
 * the hazards of its inputs. A hazard's clause counts as covered only if such a value is stored to varyings
 * or memory, sets an address register or decides a branch. Most values never have such an effect, so covering
 * their clauses at once would make coverage far too large.
 */
enum gp_hazard {
#define X(name, clause, mode) GP_HAZARD_##name,
#include "model/utgard/gp_hazards.inc.h"
#undef X
};
#define GP_HAZARD_BIT(hazard) (UINT32_C(1) << GP_HAZARD_##hazard)

/* The rules of arithmetic, from the profile. */
struct gp_rules {
    struct float_rules f;
    bool ordinary; /* `f` is IEEE 754's */
    uint8_t nan, minmax_nan, minmax_zero, compare_nan, sign_edge, identity, clamp, truth, partials, accuracy,
        special, rsqrt_zero;
};

/* Why a run ended. */
enum gp_stop { GP_GO, GP_STOP_LIMIT, GP_STOP_RANGE, GP_STOP_UNDEFINED, GP_STOPS };

/* The surroundings of the machine, which the caller owns. Rows have GP_VEC words. */
struct gp_setup {
    const struct profile *profile;
    const struct observer *observer; /* or NULL */
    const uint32_t *program;
    uint32_t count, limit, filler;
    uint32_t components; /* number of components of each attribute minus one, two bits each */
    bool checked;
    void *context;
    void (*attribute)(void *context, uint32_t row, uint32_t *words); /* writes the four words of a row */
    void (*register_before)(void *context, uint32_t row, uint32_t *words);
    uint32_t *memory, *memory_defined, *memory_tolerance;
    uint32_t *varying, *varying_defined, *varying_tolerance;
    uint32_t varyings; /* number of rows */
    void (*touch_memory)(void *context, uint32_t row);
    void (*watch)(void *context, uint32_t index); /* called after each step; or NULL */
};

struct gp_function { /* a function that the complex unit began */
    uint8_t op;      /* 0: none */
    bool good;       /* the function takes operands of this kind */
    uint32_t x, full;
    struct gp_known x_known, full_known;
    uint32_t hazards;
};
struct gp_square { /* a result of complex2 */
    bool good;
    uint8_t kind;
    uint32_t x;
    struct gp_known x_known;
    uint32_t hazards;
};

struct gp {
    struct gp_setup setup;
    struct gp_rules rules;
    bool checked;
    uint32_t filler, count;
    /* inputs by selector */
    uint32_t bank[GP_PLACES], bank_hazards[GP_PLACES];
    struct gp_known bank_known[GP_PLACES];
    uint8_t bank_kind[GP_PLACES];
    /* results by enum gp_unit */
    uint32_t result[GP_UNITS], result_hazards[GP_UNITS];
    struct gp_known result_known[GP_UNITS];
    uint8_t result_kind[GP_UNITS];
    /* complex1's result until selector 26 (mul0@2) can read it (gp-wide-wait) */
    struct gp_late {
        bool pending, due; /* pending: one instruction after complex1; due: two instructions after it */
        struct gp_value result, due_result;
    } late;
    bool complex_partial; /* the complex unit's last result is a partial one, a step of a function */
    struct gp_function function, function_before;
    struct gp_square square, square_before;
    uint32_t decided; /* hazards of values that had a visible effect */
    /* state */
    uint32_t reg[GP_REGISTERS][GP_VEC], reg_hazards[GP_REGISTERS][GP_VEC];
    struct gp_known reg_known[GP_REGISTERS][GP_VEC];
    uint8_t reg_kind[GP_REGISTERS][GP_VEC];
    uint64_t reg_written;             /* bit 4r + c */
    uint8_t reg_on_way[GP_REGISTERS]; /* pending stores to each kind of target */
    uint32_t attributes_known;        /* attributes in `attribute`, one bit each */
    int32_t address[GP_ADDRESS_REGISTERS];
    bool address_defined[GP_ADDRESS_REGISTERS], address_set[GP_ADDRESS_REGISTERS];
    bool address_lost[GP_ADDRESS_REGISTERS]; /* a rule took the number away */
    uint64_t varying_written;                /* bit 4v + c */
    /* control flow */
    uint64_t steps;
    uint32_t now; /* instructions and bubbles so far */
    uint32_t pc;
    uint32_t delayed; /* 1 + the number of the instruction to run after the next one; 0: in order */
    enum gp_stop stop;
    uint64_t covered[3];      /* clauses, by mode */
    struct fidelity fidelity; /* counts of checked runs */
    /* gp_prepare does not clear the members from here on */
    uint32_t attribute[GP_ATTRIBUTES][GP_VEC];
    struct gp_writes reg_writes, memory_writes, address_writes;
    uint8_t register_latency, memory_latency, address_latency;
    uint8_t address0_latency; /* 0 but for a rule */
    /* Only for observation points: the vector that the instruction loads, GP_MEMORY_ROWS if there is none;
     * and the numbers of components, of attributes that are known. */
    unsigned loaded_row;
    uint8_t components[GP_ATTRIBUTES];
    /* kept between runs, because most runs have the same program and readings (gp_setup.c) */
    uint8_t reading[GP_CLAUSES];
    bool was_observed; /* rules may have changed the steps */
    uint32_t known;    /* instructions of the program */
    uint32_t program[GP_WORDS * GP_PROGRAM_MAX];
    bool previous0,
        previous1; /* the program reads what register unit 0 or 1 fetched one instruction earlier */
    struct gp_step step[GP_PROGRAM_MAX];
};

void gp_prepare(struct gp *g, const struct gp_setup *setup);
enum gp_stop gp_run(struct gp *g);

/* Resolves one instruction of the program under the machine's readings. */
void gp_settle(const struct gp *g, const uint32_t words[GP_WORDS], struct gp_step *s);

#endif
