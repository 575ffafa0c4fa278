/* SPDX-License-Identifier: MIT */
/*
 * Resolves an instruction to a step. This applies, once, all readings that
 * depend only on the instruction's bits. step.covers collects the clauses that
 * decide something whenever the step runs. step.hazards collects the clauses
 * that decide something only if a unit's result has an effect.
 */
#include "model/utgard/gp.h"
#include "model/utgard/points/gp_points.h"

#define READING(clause) (g->reading[GP_CLAUSE_##clause])
#define CONSULT(clause) (s->covers |= GP_CLAUSE_BIT(GP_CLAUSE_##clause), READING(clause))

/* An input's position in its unit. It decides whether selector 22 means the complex result or an identity. */
enum position { FIRST, SECOND_OF_ACC, SECOND_OF_MUL, SECOND_OF_WIDE };

/* Returns the place in the bank for a selector whose meaning depends on a clause or on the position. */
static uint8_t disputed_place(const struct gp *g, struct gp_step *s, unsigned selector,
                              enum position position)
{
    if (selector == GP_COMPLEX_D1 && position == SECOND_OF_ACC)
        return GP_INPUT_ZERO;
    if (selector == GP_COMPLEX_D1 && position == SECOND_OF_MUL)
        return GP_INPUT_ONE;
    if (selector == GP_COMPLEX_D1 && position == SECOND_OF_WIDE)
        return CONSULT(WIDE_IDENTITY) == GP_WIDE_IDENTITY_COMPLEX ? GP_COMPLEX_D1 : GP_INPUT_ONE;
    if (selector < GP_UNKNOWN_8 || selector >= GP_UNKNOWN_8 + 4)
        return (uint8_t)selector;
    static const uint8_t places[] = {[READING_MANUAL] = GP_INPUT_UNDEFINED,
                                     [GP_SOURCE_8_ZERO] = GP_INPUT_ZERO,
                                     [GP_SOURCE_8_UNUSED] = GP_NONE};
    unsigned reading = CONSULT(SOURCE_8_11);
    return reading == GP_SOURCE_8_REGISTER1 ? (uint8_t)selector : places[reading];
}

/* Returns the place in the bank that a selector reads; GP_NONE if the selector leaves the unit idle. */
static inline uint8_t place_of(const struct gp *g, struct gp_step *s, unsigned selector,
                               enum position position)
{
    enum { DISPUTED = 0xF << GP_UNKNOWN_8 | 1 << GP_COMPLEX_D1 };
    return (uint32_t)DISPUTED >> selector & 1 ? disputed_place(g, s, selector, position) : (uint8_t)selector;
}

/* Inputs that a unit does not read are GP_INPUT_ZERO. This place is no selector, so settle_units can add all
 * three inputs of a unit to `uses`. */
static const struct gp_unit_step idle_unit = {.action = GP_DO_IDLE,
                                              .a = GP_INPUT_ZERO,
                                              .b = GP_INPUT_ZERO,
                                              .c = GP_INPUT_ZERO};

/* Resolves inputs that are GP_NONE, of a unit with two or (select) three inputs (gp-idle-source). */
static void settle_unused(const struct gp *g, struct gp_step *s, struct gp_unit_step *u)
{
    bool a = u->a == GP_NONE, b = u->b == GP_NONE, c = u->c == GP_NONE;
    if (a && b && (c || u->action != GP_DO_SELECT)) {
        *u = idle_unit;
        return;
    }
    unsigned reading = CONSULT(IDLE_SOURCE);
    uint8_t instead = reading == GP_IDLE_SOURCE_ZERO ? GP_INPUT_ZERO : GP_INPUT_UNDEFINED;
    u->a = a ? instead : u->a;
    u->b = b ? instead : u->b;
    u->c = c ? instead : u->c;
    if (reading == GP_IDLE_SOURCE_IDLE)
        *u = idle_unit;
}

/* Resolves unused inputs. False if the unit is idle. */
static inline bool settle_inputs(const struct gp *g, struct gp_step *s, struct gp_unit_step *u)
{
    if (u->a == GP_NONE || u->b == GP_NONE || u->c == GP_NONE)
        settle_unused(g, s, u);
    return u->action != GP_DO_IDLE;
}

/* Returns the action of an unknown opcode under a reading of the opcode's clause. */
static uint8_t unknown_action(unsigned reading, enum gp_action first)
{
    return reading == READING_MANUAL    ? GP_DO_UNKNOWN
           : reading == GP_UNKNOWN_ZERO ? GP_DO_ZERO
                                        : (uint8_t)first;
}

static void settle_acc(const struct gp *g, struct gp_step *s, unsigned op, struct gp_unit_step *u, unsigned a,
                       unsigned b, bool a_neg, bool b_neg)
{
    static const uint8_t actions[] = {GP_DO_ADD, GP_DO_FLOOR, GP_DO_SIGN, GP_DO_COPY,
                                      GP_DO_GE,  GP_DO_LT,    GP_DO_MIN,  GP_DO_MAX};
    if (a == GP_NONE && b == GP_NONE)
        return;
    bool unary = op == GP_ACC_FLOOR || op == GP_ACC_SIGN;
    u->action = actions[op];
    u->flip_a = a_neg;
    u->flip_b = b_neg;
    u->a = place_of(g, s, a, FIRST);
    u->b = unary && u->a != GP_NONE ? GP_INPUT_ZERO : place_of(g, s, b, SECOND_OF_ACC);
    if (unary && b == GP_NONE && u->a != GP_NONE && CONSULT(UNARY_SECOND) == GP_UNARY_SECOND_IDLE)
        u->a = u->b = GP_NONE;
    if (!settle_inputs(g, s, u))
        return;
    if (op == GP_ACC_3) {
        u->action = unknown_action(CONSULT(ACC_3), GP_DO_COPY);
        u->b = GP_INPUT_ZERO;
    }
    if (b == GP_COMPLEX_D1 && b_neg && (op == GP_ACC_ADD || CONSULT(ACC_MOVE) == GP_ACC_MOVE_ALWAYS))
        u->action = GP_DO_MOVE;
}

static void settle_product(const struct gp *g, struct gp_step *s, struct gp_unit_step *u, unsigned a,
                           unsigned b, bool neg)
{
    if (a == GP_NONE && b == GP_NONE)
        return;
    u->action = b == GP_COMPLEX_D1 ? GP_DO_MOVE : GP_DO_MUL;
    u->flip = neg;
    u->a = place_of(g, s, a, FIRST);
    u->b = place_of(g, s, b, SECOND_OF_MUL);
    (void)settle_inputs(g, s, u);
}

/* Resolves select. mul 0's second input is the condition; mul 0's and mul 1's first inputs are the values. */
static void settle_select(const struct gp *g, const struct gp_insn *i, struct gp_step *s,
                          struct gp_unit_step *u)
{
    bool neg = i->mul0_neg, other_neg = i->mul1_neg;
    u->action = GP_DO_SELECT;
    u->a = place_of(g, s, i->mul0_src0, FIRST);
    u->b = place_of(g, s, i->mul1_src0, FIRST);
    u->c = place_of(g, s, i->mul0_src1, SECOND_OF_WIDE);
    if (!settle_inputs(g, s, u))
        return;
    if (neg | other_neg) {
        unsigned reading = CONSULT(SELECT_NEGATE);
        u->flip = reading == READING_MANUAL ? neg : 0;
        u->flip_a = reading == GP_SELECT_NEGATE_ARMS ? neg : 0;
        u->flip_b = reading == GP_SELECT_NEGATE_ARMS ? other_neg : 0;
    }
    if (READING(SELECT_POLARITY) == GP_SELECT_ELSE_FIRST) { /* do_select covers it if the operands differ */
        struct gp_unit_step t = *u;
        u->a = t.b;
        u->b = t.a;
        u->flip_a = t.flip_b;
        u->flip_b = t.flip_a;
    }
}

/* Resolves complex1, which documents describe only with the inputs c, m3, c, x ("Utgard GP", complex
 * functions). The step of mul 1 holds x. */
static void settle_complex1(const struct gp *g, const struct gp_insn *i, struct gp_step *s,
                            struct gp_unit_step *u)
{
    if (i->mul0_src0 == GP_NONE && i->mul0_src1 == GP_NONE && i->mul1_src0 == GP_NONE &&
        i->mul1_src1 == GP_NONE)
        return;
    uint8_t x = place_of(g, s, i->mul1_src1, SECOND_OF_WIDE);
    u->action = GP_DO_COMPLEX1;
    s->complex1_fits = i->mul0_src0 == GP_COMPLEX_D1 && i->mul1_src0 == GP_COMPLEX_D1 &&
                       i->mul0_src1 == GP_MUL0_D1 && x != GP_NONE && !i->mul0_neg && !i->mul1_neg;
    s->unit[GP_MUL1].b = s->complex1_fits ? x : GP_INPUT_ZERO;
}

static void settle_complex2(const struct gp *g, const struct gp_insn *i, struct gp_step *s,
                            struct gp_unit_step *u)
{
    u->action = i->mul0_neg ? GP_DO_UNKNOWN : GP_DO_COMPLEX2;
    u->a = place_of(g, s, i->mul0_src0, FIRST);
    u->b = place_of(g, s, i->mul0_src1, SECOND_OF_WIDE);
    (void)settle_inputs(g, s, u);
}

static void settle_mul(const struct gp *g, const struct gp_insn *i, struct gp_step *s)
{
    struct gp_unit_step *u = &s->unit[GP_MUL0], *w = &s->unit[GP_MUL1];
    switch (i->mul_op) {
    case GP_MUL_COMPLEX1:
        settle_complex1(g, i, s, u);
        return;
    case GP_MUL_SELECT:
        settle_select(g, i, s, u);
        return;
    case GP_MUL_COMPLEX2:
        settle_complex2(g, i, s, u);
        break;
    default:
        settle_product(g, s, u, i->mul0_src0, i->mul0_src1, i->mul0_neg);
    }
    settle_product(g, s, w, i->mul1_src0, i->mul1_src1, i->mul1_neg);
    if (i->mul_op == GP_MUL_MUL || i->mul_op == GP_MUL_COMPLEX2)
        return;
    for (unsigned n = GP_MUL0; n <= GP_MUL1; n++)
        if (s->unit[n].action != GP_DO_IDLE)
            s->unit[n].action = unknown_action(CONSULT(MUL_UNKNOWN), (enum gp_action)s->unit[n].action);
}

static void settle_complex(const struct gp *g, const struct gp_insn *i, struct gp_step *s)
{
    struct gp_unit_step *u = &s->unit[GP_COMPLEX];
    uint8_t a = i->complex_op ? place_of(g, s, i->complex_src, FIRST) : GP_NONE;
    if (i->complex_op == GP_COMPLEX_ADDR01) {
        static const uint8_t registers[] = {
            [READING_MANUAL] = 3, [GP_COMPLEX_10_NOTHING] = 0, [GP_COMPLEX_10_UNDEFINED] = 3 << 4};
        u->action = GP_DO_SET_ADDRESS;
        s->function = registers[CONSULT(COMPLEX_10)];
        s->from_pass = true;
    } else if (a == GP_NONE) {
        return;
    } else if (i->complex_op >= GP_COMPLEX_ADDR0) {
        u->action = GP_DO_SET_ADDRESS;
        s->function = (uint8_t)(1U << (i->complex_op - GP_COMPLEX_ADDR0));
    } else if (i->complex_op >= GP_COMPLEX_EXP2 && i->complex_op <= GP_COMPLEX_RCP) {
        u->action = GP_DO_FUNCTION;
        s->function = (uint8_t)i->complex_op;
    } else {
        u->action = i->complex_op == GP_COMPLEX_MOV ? GP_DO_COPY
                                                    : unknown_action(CONSULT(COMPLEX_UNKNOWN), GP_DO_COPY);
    }
    u->a = s->from_pass ? GP_INPUT_ZERO : a;
    if (u->action == GP_DO_SET_ADDRESS && s->function)
        (void)CONSULT(ADDRESS_FORMAT);
}

static void settle_pass(const struct gp *g, const struct gp_insn *i, struct gp_step *s)
{
    struct gp_unit_step *u = &s->unit[GP_PASS];
    static const uint8_t two_steps[] = {GP_DO_UNKNOWN, GP_DO_PREEXP2, GP_DO_COPY,
                                        GP_DO_ZERO}; /* by reading of gp-pass-4-5 */
    uint8_t a = place_of(g, s, i->pass_src, FIRST);
    if (a == GP_NONE)
        return;
    u->a = a;
    switch (i->pass_op) {
    case GP_PASS_MOV:
        u->action = GP_DO_COPY;
        break;
    case GP_PASS_CLAMP:
        u->action = GP_DO_CLAMP;
        u->b = GP_LOAD_X;
        u->c = GP_LOAD_X + 1;
        break;
    case GP_PASS_PREEXP2:
    case GP_PASS_POSTLOG2:
        u->action = two_steps[READING(PASS_4_5)];
        s->hazards[GP_PASS] = GP_HAZARD_BIT(PASS_4_5);
        if (u->action == GP_DO_PREEXP2 && i->pass_op == GP_PASS_POSTLOG2)
            u->action = GP_DO_POSTLOG2;
        break;
    default:
        u->action = unknown_action(CONSULT(PASS_UNKNOWN), GP_DO_COPY);
    }
}

/* ---- stores and branches ---- */

/* Is the instruction a branch under this reading of gp-flags? */
static bool is_branch(const struct gp_insn *i, unsigned reading)
{
    enum { WANTED = 13 };
    bool all = (i->flags & WANTED) == WANTED;
    const bool by[] = {[READING_MANUAL] = i->branch,
                       [GP_FLAGS_CODE] = i->branch && i->flags == GP_FLAGS_BRANCH,
                       [GP_FLAGS_BITS] = i->branch && all,
                       [GP_FLAGS_ALONE] = all};
    return by[reading];
}

static bool is_temporary(const struct gp_insn *i, bool enabled, unsigned reading)
{
    bool special = (i->flags & GP_FLAGS_TEMPORARY) == GP_FLAGS_TEMPORARY;
    return enabled && (reading == READING_MANUAL ||
                       (reading == GP_FLAGS_CODE ? i->flags == GP_FLAGS_TEMPORARY : special));
}

static unsigned settle_flags(const struct gp *g, const struct gp_insn *i, struct gp_step *s)
{
    if (!(i->branch | i->store0_temporary | i->store1_temporary) && !is_branch(i, GP_FLAGS_ALONE))
        return READING_MANUAL; /* the instruction enables nothing, so all readings agree */
    for (unsigned reading = 0; reading <= GP_FLAGS_ALONE; reading++)
        if (is_branch(i, reading) != is_branch(i, 0) ||
            is_temporary(i, i->store0_temporary, reading) != i->store0_temporary ||
            is_temporary(i, i->store1_temporary, reading) != i->store1_temporary)
            return CONSULT(FLAGS);
    return READING_MANUAL;
}

static void settle_half(const struct gp *g, struct gp_step *s, struct gp_half_store *h, bool temporary,
                        unsigned varying, unsigned addr, unsigned first, unsigned second)
{
    h->unit[0] = (uint8_t)first;
    h->unit[1] = (uint8_t)second;
    for (unsigned n = 0; n < 2; n++)
        if (h->unit[n] == GP_UNIT_UNKNOWN && CONSULT(STORE_SOURCE_5) == GP_STORE_5_NOTHING)
            h->unit[n] = GP_STORE_NONE;
    h->stores = h->unit[0] != GP_STORE_NONE || h->unit[1] != GP_STORE_NONE;
    h->space = temporary ? GP_TO_TEMPORARY : varying ? GP_TO_VARYING : GP_TO_REGISTER;
    h->addr = h->field = (uint8_t)addr;
    if (temporary && (!h->stores || !addr || CONSULT(TEMPORARY_ADDRESS) != GP_TEMPORARY_ADDED))
        h->addr = 0;
    const unsigned units = (1U << h->unit[0] | 1U << h->unit[1]) & ~(1U << GP_STORE_NONE);
    s->stored_units |= (uint8_t)GP_SEE(g, STORE_UNITS, units, h != s->store, h->unit[0], h->unit[1]);
}

static bool stores_register(const struct gp_half_store *h)
{
    return h->stores && h->space == GP_TO_REGISTER;
}

static void settle_stores(const struct gp *g, const struct gp_insn *i, struct gp_step *s)
{
    unsigned flags = settle_flags(g, i, s);
    struct gp_half_store *h = s->store;
    settle_half(g, s, &h[0], is_temporary(i, i->store0_temporary, flags), i->store0_varying, i->store0_addr,
                i->store0_src_x, i->store0_src_y);
    settle_half(g, s, &h[1], is_temporary(i, i->store1_temporary, flags), i->store1_varying, i->store1_addr,
                i->store1_src_z, i->store1_src_w);
    bool conflict = stores_register(&h[0]) && stores_register(&h[1]) && h[0].addr != h[1].addr;
    s->one_register_stores = GP_SEE(g, STORE_CONFLICT, conflict, h[0].space, h[1].space, h[0].field,
                                    h[1].field, h[0].stores, h[1].stores);
    if (s->one_register_stores && READING(ONE_REGISTER) == GP_ONE_REGISTER_SHARED)
        h[1].addr = h[0].addr;
    const bool manual = READING(ONE_REGISTER) == READING_MANUAL;
    h[1].undefined = manual && conflict;
    h[1].kept = h[1].undefined && !s->one_register_stores;
    h[1].zero = manual && s->one_register_stores && !conflict;
    s->branches = is_branch(i, flags);
    s->target = (uint16_t)gp_branch_target(i);
    if (s->branches && i->pass_op != GP_PASS_MOV)
        s->branch_raw = CONSULT(BRANCH_INPUT) == GP_BRANCH_INPUT_RAW;
}

/* ---- inputs ---- */

#define ACTION(name) (1U << GP_DO_##name)
enum {
    COMPUTING = ACTION(ADD) | ACTION(FLOOR) | ACTION(SIGN) | ACTION(GE) | ACTION(LT) | ACTION(MIN) |
                ACTION(MAX) | ACTION(MUL) | ACTION(SELECT) | ACTION(COMPLEX1) | ACTION(COMPLEX2) |
                ACTION(FUNCTION) | ACTION(CLAMP)
};

/* Returns the place in the bank with the result of an action that only moves a word: the place of its input
 * or of a constant. */
static uint8_t moved_place(const struct gp_unit_step *u, unsigned idle_reading)
{
    switch (u->action) {
    case GP_DO_IDLE:
        return idle_reading == READING_MANUAL ? GP_INPUT_UNDEFINED : GP_INPUT_ZERO;
    case GP_DO_ZERO:
        return GP_INPUT_ZERO;
    case GP_DO_SET_ADDRESS:
    case GP_DO_UNKNOWN:
        return GP_INPUT_UNDEFINED;
    default:
        return u->a;
    }
}

/* Shows which units compute. A unit that does not compute by a rule hands on its first input. */
static void observe_computing(const struct gp *g, struct gp_step *s)
{
    for (unsigned n = 0; n < GP_UNITS; n++) {
        struct gp_unit_step *u = &s->unit[n];
        if (COMPUTING >> u->action & 1U && !GP_SEE(g, UNIT_COMPUTES, 1, n, u->op, u->action))
            u->action = GP_DO_COPY;
    }
}

/* Returns the places in the bank that a unit reads, a bit each. `reads`: it reads its inputs at all. */
static uint64_t places_read(const struct gp *g, const struct gp_unit_step *u, unsigned unit, bool reads)
{
    const uint8_t place[] = {u->a, u->b, u->c};
    uint64_t places = 0;
    if (!g->setup.observer)
        return reads ? UINT64_C(1) << u->a | UINT64_C(1) << u->b | UINT64_C(1) << u->c : 0;
    for (unsigned n = 0; n < sizeof place; n++)
        if (GP_SEE(g, UNIT_READS, reads, unit, n, place[n], u->op, u->action))
            places |= UINT64_C(1) << place[n];
    return places;
}

static void settle_units(const struct gp *g, struct gp_step *s)
{
    unsigned reading = READING(IDLE_RESULT), idle = 0, negates = 0, works = 0, moves = 0;
    uint64_t places = 0;
    for (unsigned n = 0; n < GP_UNITS; n++) {
        const struct gp_unit_step *u = &s->unit[n];
        bool is_idle = u->action == GP_DO_IDLE;
        bool disputed = s->hazards[n] & GP_HAZARD_BIT(PASS_4_5); /* reads its input under some readings */
        bool reads = u->action < GP_READ_NOTHING || disputed || (n == GP_PASS && s->branch_raw);
        places |= places_read(g, u, n, reads);
        s->from[n] = moved_place(u, reading);
        idle |= (unsigned)is_idle << n;
        negates |= (unsigned)(u->action < GP_DO_SET_ADDRESS && u->flip != u->flip_a) << n;
        works |= (COMPUTING >> u->action & 1U) << n;
        moves |= (unsigned)(u->action == GP_DO_MOVE) << n;
        s->hazards[n] |= is_idle && n != GP_UNIT_UNKNOWN ? GP_HAZARD_BIT(IDLE) : 0;
    }
    s->negates = (uint8_t)negates;
    s->works = (uint8_t)works;
    s->moves = (uint8_t)moves;
    s->keeps = (uint8_t)(reading == GP_IDLE_RESULT_HOLDS ? idle & ~(1U << GP_UNIT_UNKNOWN) : 0);
    s->partial = s->uses = (uint32_t)places;
    if (s->complex1_fits)
        s->uses |= 1U << GP_COMPLEX_D1 | 1U << GP_MUL0_D1;
}

static void settle_fetches(const struct gp *g, const struct gp_insn *i, struct gp_step *s)
{
    const uint32_t read0 = s->uses & 0xF, read1 = s->uses >> GP_REG1_X & 0xF;
    s->attribute = i->register0_attribute;
    s->register0 = (uint8_t)i->register0_addr;
    s->register1 = (uint8_t)i->register1_addr;
    s->fetches0 = GP_SEE(g, FETCH_ACTS, read0 != 0, 0, read0, s->attribute, s->register0);
    s->fetches1 = GP_SEE(g, FETCH_ACTS, read1 != 0, 1, read1, false, s->register1);
    bool conflict = s->fetches0 && s->fetches1 && !s->attribute && s->register0 != s->register1;
    s->one_register_loads =
        GP_SEE(g, FETCH_CONFLICT, conflict, read0, read1, s->attribute, s->register0, s->register1);
    if (s->one_register_loads && READING(ONE_REGISTER) == GP_ONE_REGISTER_SHARED)
        s->register1 = s->register0;
    const bool manual = READING(ONE_REGISTER) == READING_MANUAL;
    s->register1_undefined = manual && conflict;
    s->register1_kept = s->register1_undefined && !s->one_register_loads;
    s->register1_zero = manual && s->one_register_loads && !conflict;
    const uint32_t read2 = s->uses >> GP_LOAD_X & 0xF;
    s->loads = GP_SEE(g, FETCH_ACTS, read2 != 0, 2, read2, false, i->load_addr);
    s->load = i->load_addr;
    s->offset = GP_NO_OFFSET;
    if (!s->loads || i->load_offset == GP_OFFSET_NONE)
        return;
    s->offset = (uint8_t)i->load_offset;
    if (i->load_offset == 1 && CONSULT(THIRD_OFFSET) == GP_THIRD_OFFSET_1)
        s->offset = 3;
    if (i->load_offset == 0 || i->load_offset >= GP_ADDRESS_REGISTERS) {
        unsigned reading = CONSULT(LOAD_OFFSET);
        bool register0 = reading == GP_OFFSET_REGISTER0 && i->load_offset == 0;
        s->offset = reading == READING_MANUAL ? GP_UNKNOWN_OFFSET : register0 ? 0 : GP_NO_OFFSET;
    }
}

/* Sets the fields of the instruction that points show as inputs. */
static void note_fields(const struct gp_insn *i, struct gp_step *s)
{
    const uint16_t second[GP_UNITS] = {[GP_ACC0] = i->acc0_src1,
                                       [GP_ACC1] = i->acc1_src1,
                                       [GP_MUL0] = i->mul0_src1,
                                       [GP_MUL1] = i->mul1_src1};
    for (unsigned n = 0; n < GP_UNITS; n++)
        s->second[n] = (uint8_t)second[n];
    s->negate_bits = (uint8_t)(i->mul0_neg | i->mul1_neg << 1);
    s->unit[GP_ACC0].op = s->unit[GP_ACC1].op = (uint8_t)i->acc_op;
    s->unit[GP_MUL0].op = s->unit[GP_MUL1].op = (uint8_t)(8 + i->mul_op);
    s->unit[GP_COMPLEX].op = (uint8_t)(16 + i->complex_op);
    s->unit[GP_PASS].op = (uint8_t)(32 + i->pass_op);
}

void gp_settle(const struct gp *g, const uint32_t words[GP_WORDS], struct gp_step *s)
{
    struct gp_insn i;
    gp_decode(words, &i);
    if (g->setup.observer)
        gp_observe_fields(g, &i);
    *s = (struct gp_step){.settled = true};
    for (unsigned n = 0; n < GP_UNITS; n++)
        s->unit[n] = idle_unit;
    settle_acc(g, s, i.acc_op, &s->unit[GP_ACC0], i.acc0_src0, i.acc0_src1, i.acc0_src0_neg, i.acc0_src1_neg);
    settle_acc(g, s, i.acc_op, &s->unit[GP_ACC1], i.acc1_src0, i.acc1_src1, i.acc1_src0_neg, i.acc1_src1_neg);
    settle_mul(g, &i, s);
    settle_complex(g, &i, s);
    settle_pass(g, &i, s);
    if (g->setup.observer) {
        note_fields(&i, s);
        gp_observe_units(g, &i, s);
        observe_computing(g, s);
    }
    settle_stores(g, &i, s);
    settle_units(g, s);
    settle_fetches(g, &i, s);
}
