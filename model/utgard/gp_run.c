/* SPDX-License-Identifier: MIT */
/* Runs a program. step_one is compiled for plain runs (values only) and for checked runs (also defined bits
 * and kinds), each with and without an observer. */
#include "model/utgard/gp_step.h"
#include "model/utgard/points/gp_points.h"

/* Returns the number of the store that takes effect next, after rules. `space`: 0 register, 2 temporary, 3
 * address register. */
static unsigned observe_turn(const struct gp *g, const struct gp_writes *w, unsigned space)
{
    const unsigned turn = GP_SEE(g, STORE_TURN, w->first & 0xFFFF, space);
    return turn < w->end ? turn : w->first;
}

/* Commits stores that are as old as `window`. */
ALWAYS void commit_writes(struct gp *g, struct gp_writes *w, unsigned space, uint32_t window, bool observed,
                          void (*commit)(struct gp *g, const struct gp_write *w))
{
    while (w->first != w->end && g->now - w->write[w->first % GP_WRITES].when >= window) {
        const unsigned turn = observed ? observe_turn(g, w, space) : w->first;
        if (space == GP_TO_REGISTER)
            g->reg_on_way[w->write[w->first % GP_WRITES].place / GP_VEC]--;
        w->first++;
        commit(g, &w->write[turn % GP_WRITES]);
    }
}

/* ---- fetching ---- */

ALWAYS void clear_hazards(struct gp *g, unsigned selector)
{
    memset(&g->bank_hazards[selector], 0, GP_VEC * sizeof *g->bank_hazards);
}

ALWAYS void fetch_register(struct gp *g, unsigned row, unsigned selector, bool checked, bool observed)
{
    /* a rule may move a pending store to any row */
    if (g->reg_on_way[row] || (observed && g->reg_writes.first != g->reg_writes.end)) {
        clear_hazards(g, selector);
        gp_fetch_register(g, row, selector);
        return;
    }
    memcpy(&g->bank_hazards[selector], g->reg_hazards[row], sizeof g->reg_hazards[row]);
    gp_add_hazard(g, GP_HAZARD_INITIAL, ~(uint32_t)(g->reg_written >> (GP_VEC * row)) & 0xF, selector);
    memcpy(&g->bank[selector], g->reg[row], sizeof g->reg[row]);
    if (checked) {
        memcpy(&g->bank_known[selector], g->reg_known[row], sizeof g->reg_known[row]);
        memcpy(&g->bank_kind[selector], g->reg_kind[row], sizeof g->reg_kind[row]);
    }
}

ALWAYS void fetch_attribute(struct gp *g, unsigned row, bool checked)
{
    if (!(g->attributes_known >> row & 1))
        gp_fetch_attribute(g, row);
    memcpy(&g->bank[GP_REG0_X], g->attribute[row], sizeof g->attribute[row]);
    clear_hazards(g, GP_REG0_X);
    if (checked) {
        for (unsigned c = 0; c < GP_VEC; c++)
            g->bank_known[GP_REG0_X + c] = gp_bits(UINT32_MAX);
        memset(&g->bank_kind[GP_REG0_X], 0, GP_VEC);
    }
    unsigned components = (g->setup.components >> (2 * row) & 3) + 1;
    if (components < GP_VEC)
        gp_add_hazard(g, GP_HAZARD_ATTRIBUTE, 0xFU << components & 0xF, GP_REG0_X);
}

/* Sets what slot 1 fetches if a rule makes or takes away a conflict of the slots. Bits are as undefined as
 * without the rule. */
static void rule_register1(struct gp *g, const struct gp_step *s)
{
    for (unsigned n = GP_REG1_X; n < GP_REG1_X + GP_VEC; n++)
        if (s->register1_zero) {
            g->bank[n] = 0;
        } else {
            g->bank_known[n] = gp_bits(0);
            g->bank_kind[n] = GP_PLAIN;
            g->bank_hazards[n] |= GP_HAZARD_BIT(ONE_REGISTER);
        }
}

ALWAYS void load(struct gp *g, const struct gp_step *s, bool checked, bool observed)
{
    clear_hazards(g, GP_LOAD_X);
    if (observed || s->offset != GP_NO_OFFSET || g->memory_writes.first != g->memory_writes.end) {
        gp_load(g, s);
        return;
    }
    memcpy(&g->bank[GP_LOAD_X], &g->setup.memory[GP_VEC * s->load], GP_VEC * sizeof(uint32_t));
    if (checked) {
        gp_memory_known(g, s->load, &g->bank_known[GP_LOAD_X]);
        memset(&g->bank_kind[GP_LOAD_X], 0, GP_VEC);
    }
}

ALWAYS void fetch(struct gp *g, const struct gp_step *s, bool checked, bool observed)
{
    if (s->fetches0 || g->previous0) {
        if (s->attribute)
            fetch_attribute(g, s->register0, checked);
        else
            fetch_register(g, s->register0, GP_REG0_X, checked, observed);
    }
    if (s->fetches1 || g->previous1)
        fetch_register(g, s->register1, GP_REG1_X, checked, observed);
    if (s->one_register_loads) {
        gp_add_hazard(g, GP_HAZARD_ONE_REGISTER, 0xF, GP_REG1_X);
        if (s->register1_undefined)
            gp_place_undefined(g, GP_REG1_X, g->filler);
    }
    if (observed && (s->register1_zero | s->register1_kept))
        rule_register1(g, s);
    if (s->loads)
        load(g, s, checked, observed);
}

/* ---- results age ---- */

#define AGE(array)                                                                                           \
    do {                                                                                                     \
        memcpy(&(array)[GP_REG0_PREVIOUS_X], &(array)[GP_REG0_X], GP_VEC * sizeof *(array));                 \
        memcpy(&(array)[GP_UNKNOWN_8], &(array)[GP_REG1_X], GP_VEC * sizeof *(array));                       \
        memcpy(&(array)[GP_ACC0_D2], &(array)[GP_ACC0_D1], 4 * sizeof *(array));                             \
        (array)[GP_PASS_D2] = (array)[GP_PASS_D1];                                                           \
    } while (0)
#define TAKE(array, result)                                                                                  \
    do {                                                                                                     \
        memcpy(&(array)[GP_ACC0_D1], result, 4 * sizeof *(array)); /* acc 0, 1, mul 0, 1, in both */         \
        (array)[GP_PASS_D1] = (result)[GP_PASS];                                                             \
        (array)[GP_COMPLEX_D1] = (result)[GP_COMPLEX];                                                       \
    } while (0)

static void put_input(struct gp *g, unsigned selector, const struct gp_value *v)
{
    g->bank[selector] = v->value;
    g->bank_known[selector] = v->known;
    g->bank_kind[selector] = v->kind;
    g->bank_hazards[selector] = v->hazards;
}

/* Ages complex1's result. Two instructions after complex1, selector 26 (mul0@2) reads it. One instruction
 * after, gp-wide-wait decides what selector 18 (mul0@1) reads. */
static void age_late(struct gp *g)
{
    struct gp_late *l = &g->late;
    if (l->due)
        put_input(g, GP_MUL0_D2, &l->due_result);
    l->due = l->pending;
    if (!l->pending)
        return;
    unsigned reading = READING(WIDE_WAIT);
    bool zero = reading == GP_WIDE_WAIT_ZERO;
    struct gp_value early = l->result;
    if (reading != GP_WIDE_WAIT_SAME)
        early =
            (struct gp_value){zero ? 0 : g->filler, gp_bits(zero ? UINT32_MAX : 0), early.hazards, GP_PLAIN};
    early.hazards |= GP_HAZARD_BIT(WAIT);
    put_input(g, GP_MUL0_D1, &early);
    l->due_result = l->result;
    l->pending = false;
}

ALWAYS void age(struct gp *g, bool checked)
{
    /* cppcheck-suppress overlappingWriteFunction ; the ranges do not overlap (gp_insn.h) */
    AGE(g->bank);
    TAKE(g->bank, g->result);
    /* cppcheck-suppress overlappingWriteFunction ; likewise */
    AGE(g->bank_hazards);
    TAKE(g->bank_hazards, g->result_hazards);
    if (checked) {
        /* cppcheck-suppress overlappingWriteFunction ; likewise */
        AGE(g->bank_known);
        TAKE(g->bank_known, g->result_known);
        AGE(g->bank_kind);
        TAKE(g->bank_kind, g->result_kind);
    }
    if (g->late.due | g->late.pending)
        age_late(g);
    g->function_before = g->function;
    g->function.op = 0;
    g->square_before = g->square;
    g->square.good = false;
}

/* Units that keep their last results also keep the hazards of these results. */
static void keep_hazards(struct gp *g, const struct gp_step *s, const uint32_t *before)
{
    for (unsigned left = s->keeps; left; left &= left - 1)
        g->result_hazards[__builtin_ctz(left)] |= before[__builtin_ctz(left)];
}

/* Sets the hazards of the results from the hazards of inputs and actions. The code for select and clamp adds
 * the hazards of their third input. */
ALWAYS void set_hazards(struct gp *g, const struct gp_step *s)
{
    const struct gp_unit_step *u = s->unit;
    const uint32_t *bank = g->bank_hazards;
    uint32_t before[GP_UNITS];
    if (s->keeps)
        memcpy(before, g->result_hazards, sizeof before);
    for (unsigned n = GP_ACC0; n <= GP_MUL1; n++)
        g->result_hazards[n] = bank[u[n].a] | bank[u[n].b] | s->hazards[n];
    g->result_hazards[GP_PASS] = bank[u[GP_PASS].a] | s->hazards[GP_PASS];
    g->result_hazards[GP_COMPLEX] = bank[u[GP_COMPLEX].a] | s->hazards[GP_COMPLEX];
    if (s->keeps)
        keep_hazards(g, s, before);
}

static const struct {
    uint8_t clause, mode;
} hazard_clauses[] = {
#define X(name, clause, mode) {GP_CLAUSE_##clause, mode},
#include "model/utgard/gp_hazards.inc.h"
#undef X
};

static void cover_decided(struct gp *g)
{
    for (uint32_t left = g->decided; left; left &= left - 1) {
        unsigned h = (unsigned)__builtin_ctz(left);
        g->covered[hazard_clauses[h].mode] |= GP_CLAUSE_BIT(hazard_clauses[h].clause);
    }
}

/* ---- the units ---- */

static void do_idle(struct gp *g, enum gp_unit unit)
{
    unsigned reading = READING(IDLE_RESULT);
    if (reading == READING_MANUAL)
        gp_set_undefined(g, unit);
    else if (reading == GP_IDLE_RESULT_ZERO)
        gp_set_result(g, unit, 0, gp_bits(UINT32_MAX), GP_PLAIN);
}

static void do_copy(struct gp *g, const struct gp_unit_step *u, enum gp_unit unit)
{
    bool negate = u->flip ^ u->flip_a;
    uint8_t kind = g->bank_kind[u->a];
    gp_set_result(g, unit, gp_flip(g->bank[u->a], negate), g->bank_known[u->a],
                  negate && kind ? (uint8_t)GP_KIND_OPAQUE : kind);
}

static void do_checked(struct gp *g, const struct gp_step *s)
{
    for (unsigned n = 0; n < GP_UNITS; n++) {
        const struct gp_unit_step *u = &s->unit[n];
        enum gp_unit unit = (enum gp_unit)n;
        if (unit == GP_UNIT_UNKNOWN)
            continue;
        if (u->action == GP_DO_IDLE)
            do_idle(g, unit);
        else if (u->action == GP_DO_COPY)
            do_copy(g, u, unit);
        else if (u->action < GP_DO_COPY || u->action == GP_DO_CLAMP)
            gp_do_checked(g, u, unit);
        else
            gp_do_other(g, s, unit);
    }
}

/* Runs a computing action of a plain run. */
static void do_work(struct gp *g, const struct gp_step *s, enum gp_unit unit)
{
    const struct gp_unit_step *u = &s->unit[unit];
    const struct gp_rules *r = &g->rules;
    uint64_t *covered = &g->covered[0];
    uint32_t a = gp_flip(g->bank[u->a], u->flip_a), b = gp_flip(g->bank[u->b], u->flip_b);
    switch (u->action) {
    case GP_DO_ADD:
        g->result[unit] = gp_add(r, a, b, covered);
        break;
    case GP_DO_MUL:
        g->result[unit] = gp_flip(gp_multiply(r, a, b, covered), u->flip);
        break;
    case GP_DO_CLAMP:
        g->result[unit] = gp_clamp(r, a, g->bank[u->b], g->bank[u->c], covered);
        g->result_hazards[unit] |=
            g->bank_hazards[u->b] | g->bank_hazards[u->c] |
            (gp_clamp_is_disputed(r, a, g->bank[u->b], g->bank[u->c], covered) ? GP_HAZARD_BIT(CLAMP) : 0);
        break;
    case GP_DO_SELECT:
    case GP_DO_COMPLEX1:
    case GP_DO_COMPLEX2:
    case GP_DO_FUNCTION:
        gp_do_other(g, s, unit);
        break;
    default:
        g->result[unit] = gp_flip(gp_compute(r, (enum gp_action)u->action, a, b, covered), u->flip);
    }
}

static void keep_results(struct gp *g, const struct gp_step *s, const uint32_t *before)
{
    for (unsigned left = s->keeps; left; left &= left - 1)
        g->result[__builtin_ctz(left)] = before[__builtin_ctz(left)];
}

/* Returns the acc and mul units whose result is neither normal nor zero, one bit each. */
ALWAYS unsigned odd_results(const struct gp *g)
{
    unsigned odd = 0;
    for (unsigned unit = GP_ACC0; unit <= GP_MUL1; unit++)
        odd |= (unsigned)(!gp_is_normal(g->result[unit]) & (g->result[unit] << 1 != 0)) << unit;
    return odd;
}

/* Runs the units in a plain run: moves a word for each unit, then computes for those that compute. A switch
 * on each unit's action was slower, because it defeated the host's branch prediction. */
ALWAYS void do_plain(struct gp *g, const struct gp_step *s)
{
    uint32_t before[GP_UNITS];
    unsigned work = s->works;
    if (s->keeps)
        memcpy(before, g->result, sizeof before);
    for (unsigned unit = 0; unit < GP_UNITS; unit++)
        if (unit != GP_UNIT_UNKNOWN)
            g->result[unit] = g->bank[s->from[unit]] ^ (uint32_t)(s->negates >> unit & 1) << 31;
    if (s->keeps)
        keep_results(g, s, before);
    if (s->moves)
        work |= s->moves & odd_results(g);
    for (; work; work &= work - 1)
        do_work(g, s, (enum gp_unit)__builtin_ctz(work));
}

/* ---- stores ---- */

static void store(struct gp *g, const struct gp_step *s)
{
    if (s->one_register_stores | s->store[1].kept)
        COVER_MODE(ONE_REGISTER, GP_MODE_STORES);
    if (s->stored_units >> GP_MUL0 & 1 && s->unit[GP_MUL0].action == GP_DO_COMPLEX1)
        COVER(WIDE_WAIT);
    if (s->stored_units >> GP_COMPLEX & 1 && g->complex_partial)
        COVER(PARTIALS);
    gp_store_half(g, s, 0);
    gp_store_half(g, s, 1);
}

/* ---- control flow ---- */

/* Executes the empty cycle after a taken branch, as one reading of gp-branch-results has it. */
static void bubble(struct gp *g)
{
    age(g, true);
    for (unsigned unit = 0; unit < GP_UNITS; unit++)
        if (unit != GP_UNIT_UNKNOWN) {
            do_idle(g, (enum gp_unit)unit);
            g->result_hazards[unit] |= GP_HAZARD_BIT(IDLE);
        }
    gp_place_undefined(g, GP_REG0_X, g->filler);
    gp_place_undefined(g, GP_REG1_X, g->filler);
    g->now++;
}

static void lose_results(struct gp *g)
{
    for (unsigned unit = 0; unit < GP_UNITS; unit++)
        if (unit != GP_UNIT_UNKNOWN)
            gp_set_undefined(g, (enum gp_unit)unit);
    for (unsigned selector = 0; selector < GP_SOURCES; selector++) {
        g->bank[selector] = g->filler;
        g->bank_known[selector] = gp_bits(0);
        g->bank_kind[selector] = GP_PLAIN;
    }
    g->function.op = 0;
    g->function.good = g->square.good = false;
    g->late.pending = g->late.due = false;
}

/* Adds the hazard of gp-branch-results to all earlier results and fetches. */
static void add_branch_hazard(struct gp *g)
{
    for (unsigned selector = 0; selector < GP_SOURCES; selector++)
        g->bank_hazards[selector] |= GP_HAZARD_BIT(BRANCH);
    for (unsigned unit = 0; unit < GP_UNITS; unit++)
        g->result_hazards[unit] |= unit == GP_UNIT_UNKNOWN ? 0 : GP_HAZARD_BIT(BRANCH);
    g->function.hazards |= GP_HAZARD_BIT(BRANCH);
    g->square.hazards |= GP_HAZARD_BIT(BRANCH);
    g->late.result.hazards |= GP_HAZARD_BIT(BRANCH);
    g->late.due_result.hazards |= GP_HAZARD_BIT(BRANCH);
}

static void go_to(struct gp *g, uint32_t target)
{
    g->pc = target;
    if (GP_SEE(g, BRANCH_BEYOND, target > g->count, target, g->count)) {
        g->pc = g->count;
        g->stop = CONSULT(BRANCH_RANGE, 0) == GP_BRANCH_RANGE_ENDS ? GP_GO : GP_STOP_RANGE;
    }
    bool pending = g->reg_writes.first != g->reg_writes.end ||
                   g->memory_writes.first != g->memory_writes.end ||
                   g->address_writes.first != g->address_writes.end;
    unsigned reading = READING(BRANCH_RESULTS);
    if (pending) /* a bubble ages these stores; otherwise the hazard covers the clause */
        COVER(BRANCH_RESULTS);
    for (unsigned left = GP_SEE(g, BRANCH_BUBBLES, reading == GP_BRANCH_BUBBLE, target); left; left--)
        bubble(g);
    if (reading == GP_BRANCH_LOST)
        lose_results(g);
    add_branch_hazard(g);
}

/* Is this instruction's branch taken? Stops a checked run if the condition is undefined. */
static bool is_taken(struct gp *g, const struct gp_step *s)
{
    const struct gp_unit_step *u = &s->unit[GP_PASS];
    bool idle = u->action == GP_DO_IDLE, raw = s->branch_raw && !idle;
    g->decided |= raw ? g->bank_hazards[u->a] : g->result_hazards[GP_PASS];
    const struct gp_operand condition =
        raw ? gp_operand_of(g, u->a, 0)
            : (struct gp_operand){g->result[GP_PASS],
                                  g->result_kind[GP_PASS] ? gp_bits(0) : g->result_known[GP_PASS]};
    if (g->checked && !gp_truth_is_known(&condition)) {
        g->stop = GP_STOP_UNDEFINED;
        return false;
    }
    bool holds = gp_truth(&g->rules, condition.value, &g->covered[GP_MODE_BRANCH]);
    return GP_SEE(g, CONDITION_TRUE, holds, condition.value, 0, g->bank[u->a]);
}

/* Shows whether an instruction branches. */
static bool observe_taken(const struct gp *g, const struct gp_step *s, bool taken)
{
    uint64_t covered = 0;
    const struct gp_unit_step *u = &s->unit[GP_PASS];
    const bool raw = s->branch_raw && u->action != GP_DO_IDLE;
    const uint32_t condition = raw ? g->bank[u->a] : g->result[GP_PASS];
    return GP_SEE(g, BRANCH_TAKEN, taken, s->branches, condition, gp_truth(&g->rules, condition, &covered));
}

ALWAYS void advance(struct gp *g, const struct gp_step *s, bool observed)
{
    bool taken = s->branches && is_taken(g, s);
    if (observed && !g->stop)
        taken = observe_taken(g, s, taken);
    uint32_t delayed = g->delayed;
    g->delayed = 0;
    g->pc++;
    if (delayed)
        go_to(g, delayed - 1);
    if (!taken)
        return;
    uint32_t target = GP_SEE(g, BRANCH_TARGET, s->target, g->pc - 1, g->count);
    bool delay = CONSULT(BRANCH_DELAY, 0) == GP_BRANCH_DELAYED;
    if (GP_SEE(g, BRANCH_DELAY, delay, target))
        g->delayed = target + 1U;
    else
        go_to(g, target);
}

/* Counts the step by what is known of its results. A step of a function counts as within a tolerance. */
static void count_fidelity(struct gp *g, const struct gp_step *s)
{
    bool tolerance = false, undefined = false;
    for (unsigned unit = 0; unit < GP_UNITS; unit++) {
        uint32_t defined = g->result_known[unit].defined;
        bool kind = g->result_kind[unit], some = g->result_known[unit].tolerance || defined >> 31;
        bool part = defined != UINT32_MAX && s->unit[unit].action != GP_DO_IDLE &&
                    s->unit[unit].action != GP_DO_SET_ADDRESS;
        tolerance = tolerance || kind || (part && some);
        undefined = undefined || (part && !some && !kind);
    }
    struct fidelity *f = &g->fidelity;
    *(undefined ? &f->undefined : tolerance ? &f->tolerance : &f->exact) += 1;
    f->to_control = f->to_control || (g->stop == GP_STOP_UNDEFINED && s->branches);
    f->to_address = f->to_address || (g->stop == GP_STOP_UNDEFINED && !s->branches);
}

/* `last`: the words of the last load. */
static void observe_fetches(struct gp *g, const struct gp_step *s, const uint32_t last[GP_VEC])
{
    if (s->fetches0 || g->previous0)
        gp_observe_fetch(g, s, 0, &g->bank[GP_REG0_PREVIOUS_X]);
    if (s->fetches1 || g->previous1)
        gp_observe_fetch(g, s, 1, &g->bank[GP_UNKNOWN_8]);
    if (s->loads)
        gp_observe_fetch(g, s, 2, last);
}

ALWAYS void step_one(struct gp *g, bool checked, bool observed)
{
    struct gp_step *s = &g->step[g->pc], copy;
    uint32_t before[GP_UNITS], last[GP_VEC];
    if (!s->settled)
        gp_settle(g, g->setup.program + GP_WORDS * g->pc, s);
    if (observed) { /* rules may change the places that units read, so change a copy of the step */
        copy = *s;
        s = &copy;
        memcpy(before, g->result, sizeof before);
    }
    g->covered[0] |= s->covers;
    commit_writes(g, &g->reg_writes, GP_TO_REGISTER, GP_REGISTER_WINDOW, observed, gp_commit_register);
    commit_writes(g, &g->memory_writes, GP_TO_TEMPORARY, GP_MEMORY_WINDOW, observed, gp_commit_memory);
    commit_writes(g, &g->address_writes, GP_TO_ADDRESS, GP_ADDRESS_WINDOW, observed, gp_commit_address);
    age(g, checked);
    if (observed)
        memcpy(last, &g->bank[GP_LOAD_X], sizeof last);
    fetch(g, s, checked, observed);
    if (observed)
        observe_fetches(g, s, last);
    if (g->complex_partial && (s->partial & 1U << GP_COMPLEX_D1))
        COVER(PARTIALS);
    set_hazards(g, s);
    if (s->unit[GP_COMPLEX].action != GP_DO_IDLE)
        g->complex_partial = false;
    if (observed)
        gp_observe_operands(g, s);
    if (checked)
        do_checked(g, s);
    else
        do_plain(g, s);
    if (observed)
        gp_observe_results(g, s, before);
    if (s->unit[GP_COMPLEX].action == GP_DO_SET_ADDRESS)
        gp_set_addresses(g, s);
    if (s->stored_units)
        store(g, s);
    g->now++;
    advance(g, s, observed);
    if (checked)
        count_fidelity(g, s);
    g->steps++;
}

ALWAYS void run(struct gp *g, bool checked, bool observed)
{
    while (g->pc < g->count && !g->stop) {
        uint32_t index = g->pc;
        if (g->steps >= g->setup.limit) {
            g->stop = GP_STOP_LIMIT;
            return;
        }
        step_one(g, checked, observed);
        if (g->setup.watch)
            g->setup.watch(g->setup.context, index);
    }
}

/* Fills those components of varyings that the program did not store (gp-unwritten-varying). */
static void finish_varyings(struct gp *g)
{
    for (unsigned place = 0; place < GP_VEC * g->setup.varyings; place++) {
        if (g->varying_written >> place & 1)
            continue;
        unsigned reading = CONSULT(UNWRITTEN_VARYING, 0);
        uint32_t before = g->setup.varying[place], value = reading == GP_UNWRITTEN_KEPT   ? before
                                                           : reading == GP_UNWRITTEN_ZERO ? 0
                                                                                          : g->filler;
        g->setup.varying[place] = GP_SEE(g, VARYING_UNWRITTEN, value, place % GP_VEC, place / GP_VEC, before);
        if (g->checked && reading != GP_UNWRITTEN_KEPT)
            g->setup.varying_defined[place] = reading == GP_UNWRITTEN_ZERO ? UINT32_MAX : 0;
    }
}

enum gp_stop gp_run(struct gp *g)
{
    bool observed = g->setup.observer != NULL;
    if (observed && g->checked)
        run(g, true, true);
    else if (observed)
        run(g, false, true);
    else if (g->checked)
        run(g, true, false);
    else
        run(g, false, false);
    unsigned stop = GP_SEE(g, RUN_STOP, g->stop, (uint32_t)g->steps, g->count);
    g->stop = g->stop == GP_STOP_UNDEFINED || stop == GP_STOP_UNDEFINED ? g->stop : (enum gp_stop)stop;
    commit_writes(g, &g->memory_writes, GP_TO_TEMPORARY, 0, observed,
                  observed ? gp_commit_pending : gp_commit_memory);
    finish_varyings(g);
    cover_decided(g);
    return g->stop;
}
