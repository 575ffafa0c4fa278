/* SPDX-License-Identifier: MIT */
/* Units beyond plain arithmetic: select, the steps of functions, address registers. Also plain arithmetic
 * that tracks defined bits. */
#include "model/utgard/gp_step.h"
#include "model/utgard/points/gp_points.h"

/* Can gp-select-polarity decide the result? */
static bool arms_differ(const struct gp *g, const struct gp_unit_step *u)
{
    uint32_t a = gp_flip(g->bank[u->a], u->flip_a), b = gp_flip(g->bank[u->b], u->flip_b);
    bool same = a == b && (!g->checked || (gp_same_known(g->bank_known[u->a], g->bank_known[u->b]) &&
                                           !g->bank_kind[u->a] && !g->bank_kind[u->b]));
    return !same;
}

static void do_select(struct gp *g, const struct gp_step *s, enum gp_unit unit)
{
    const struct gp_unit_step *u = &s->unit[unit];
    const struct gp_operand condition = gp_operand_of(g, u->c, 0);
    bool defined = gp_truth_is_known(&condition);
    bool a = gp_truth(&g->rules, g->bank[u->c], &g->covered[GP_MODE_SELECT]);
    a = GP_SEE(g, CONDITION_TRUE, a, g->bank[u->c], 1, g->bank[s->unit[GP_PASS].a]);
    g->result_hazards[unit] |= g->bank_hazards[u->c] | (arms_differ(g, u) ? GP_HAZARD_BIT(SELECT) : 0);
    unsigned place = a ? u->a : u->b;
    bool flip = u->flip ^ (a ? u->flip_a : u->flip_b);
    flip = GP_SEE(g, SELECT_NEGATE, flip, a == (READING(SELECT_POLARITY) == GP_SELECT_ELSE_FIRST),
                  s->negate_bits & 1, s->negate_bits >> 1);
    uint8_t kind = flip && g->bank_kind[place] ? (uint8_t)GP_KIND_OPAQUE : g->bank_kind[place];
    gp_set_result(g, unit, gp_flip(g->bank[place], flip), defined ? g->bank_known[place] : gp_bits(0), kind);
}

static bool function_takes(const struct gp *g, unsigned op, uint8_t kind)
{
    if (op != GP_COMPLEX_EXP2)
        return kind == GP_PLAIN;
    unsigned reading = READING(PASS_4_5);
    return reading != READING_MANUAL && kind == (reading == GP_PASS_4_5_STEPS ? GP_KIND_PREEXP2 : GP_PLAIN);
}

static void do_function(struct gp *g, const struct gp_unit_step *u, unsigned op)
{
    struct gp_function *f = &g->function;
    *f = (struct gp_function){.op = (uint8_t)op, .x = g->bank[u->a], .x_known = g->bank_known[u->a]};
    f->good = function_takes(g, op, g->bank_kind[u->a]);
    f->hazards = g->bank_hazards[u->a];
    if (g->checked &&
        (op == GP_COMPLEX_EXP2 || op == GP_COMPLEX_LOG2)) /* gp-pass-4-5 decides which bits are defined */
        f->hazards |= GP_HAZARD_BIT(PASS_4_5);
    g->result_hazards[GP_COMPLEX] |= f->hazards;
    const struct gp_operand x = {GP_SEE(g, FUNCTION_OPERAND, f->x, u->op, float_class(f->x), f->x >> 31),
                                 f->x_known};
    f->full = gp_function(&g->rules, (enum gp_complex_op)op, x, &f->full_known, &g->covered[0]);
    if (g->setup.observer)
        f->full = gp_observe_function(g, u->op, (enum gp_complex_op)op, x.value, f->full);
    struct gp_known shown = f->full_known;
    if (g->rules.partials == GP_PARTIALS_TABLE && shown.defined != UINT32_MAX)
        shown = gp_bits(shown.defined & FLOAT_SIGN);
    gp_set_result(g, GP_COMPLEX, gp_partial(&g->rules, f->full), f->good ? shown : gp_bits(0),
                  g->rules.partials == READING_MANUAL ? GP_KIND_OPAQUE : GP_PLAIN);
    g->complex_partial = true;
}

static void do_complex2(struct gp *g, const struct gp_unit_step *u)
{
    bool same = g->bank[u->a] == g->bank[u->b] && gp_same_known(g->bank_known[u->a], g->bank_known[u->b]) &&
                g->bank_kind[u->a] == g->bank_kind[u->b];
    g->square = (struct gp_square){.good = same,
                                   .kind = g->bank_kind[u->a],
                                   .x = g->bank[u->a],
                                   .x_known = g->bank_known[u->a]};
    g->square.hazards = g->result_hazards[GP_MUL0];
    gp_set_result(g, GP_MUL0, g->filler, gp_bits(0), GP_KIND_OPAQUE);
}

static bool complex1_matches(const struct gp *g, unsigned x)
{
    const struct gp_function *f = &g->function_before;
    const struct gp_square *q = &g->square_before;
    return f->good && q->good && q->x == f->x && gp_same_known(q->x_known, f->x_known) &&
           g->bank[x] == f->x && gp_same_known(g->bank_known[x], f->x_known) &&
           function_takes(g, f->op, g->bank_kind[x]) && function_takes(g, f->op, q->kind);
}

static void do_complex1(struct gp *g, const struct gp_step *s)
{
    const struct gp_function *f = &g->function_before;
    static const uint8_t log_kind[] = {GP_KIND_OPAQUE, GP_KIND_LOG2, GP_PLAIN, GP_PLAIN}; /* by gp-pass-4-5 */
    bool there = s->complex1_fits && f->op;
    uint8_t kind = there && f->op == GP_COMPLEX_LOG2 ? log_kind[READING(PASS_4_5)] : (uint8_t)GP_PLAIN;
    gp_set_result(g, GP_MUL0, there ? f->full : g->filler,
                  there && complex1_matches(g, s->unit[GP_MUL1].b) ? f->full_known : gp_bits(0), kind);
    g->result_hazards[GP_MUL0] |= f->hazards | g->square_before.hazards |
                                  g->bank_hazards[s->unit[GP_MUL1].b] | g->bank_hazards[GP_COMPLEX_D1] |
                                  g->bank_hazards[GP_MUL0_D1];
    g->late.result = (struct gp_value){g->result[GP_MUL0], g->result_known[GP_MUL0],
                                       g->result_hazards[GP_MUL0], g->result_kind[GP_MUL0]};
    g->late.pending = true;
}

/* Runs one of the rare actions, in plain and in checked runs. */
void gp_do_other(struct gp *g, const struct gp_step *s, enum gp_unit unit)
{
    const struct gp_unit_step *u = &s->unit[unit];
    switch (u->action) {
    case GP_DO_SELECT:
        do_select(g, s, unit);
        break;
    case GP_DO_COMPLEX1:
        do_complex1(g, s);
        break;
    case GP_DO_COMPLEX2:
        do_complex2(g, u);
        break;
    case GP_DO_FUNCTION:
        do_function(g, u, s->function);
        break;
    case GP_DO_PREEXP2:
        gp_set_result(g, unit, g->bank[u->a], gp_operand_of(g, u->a, 0).known, GP_KIND_PREEXP2);
        break;
    case GP_DO_POSTLOG2:
        gp_set_result(g, unit, g->bank[u->a],
                      g->bank_kind[u->a] == GP_KIND_LOG2 ? g->bank_known[u->a] : gp_bits(0), GP_PLAIN);
        break;
    case GP_DO_ZERO:
        gp_set_result(g, unit, 0, gp_bits(UINT32_MAX), GP_PLAIN);
        break;
    default: /* GP_DO_UNKNOWN, GP_DO_SET_ADDRESS */
        gp_set_undefined(g, unit);
    }
}

/* Runs an arithmetic action and tracks defined bits. */
void gp_do_checked(struct gp *g, const struct gp_unit_step *u, enum gp_unit unit)
{
    const bool clamp = u->action == GP_DO_CLAMP;
    const struct gp_operand none = {0, gp_bits(UINT32_MAX)};
    const struct gp_operand operands[3] = {gp_operand_of(g, u->a, u->flip_a),
                                           gp_operand_of(g, u->b, !clamp && u->flip_b),
                                           clamp ? gp_operand_of(g, u->c, 0) : none};
    uint32_t value;
    if (u->action == GP_DO_MOVE && g->bank_kind[u->a] && !(u->flip | u->flip_a)) {
        gp_set_result(g, unit, g->bank[u->a], g->bank_known[u->a], g->bank_kind[u->a]);
        return;
    }
    if (clamp)
        g->result_hazards[unit] |= g->bank_hazards[u->b] | g->bank_hazards[u->c];
    if (clamp &&
        ((operands[0].known.defined & operands[1].known.defined & operands[2].known.defined) != UINT32_MAX ||
         gp_clamp_is_disputed(&g->rules, operands[0].value, operands[1].value, operands[2].value,
                              &g->covered[0])))
        g->result_hazards[unit] |= GP_HAZARD_BIT(CLAMP);
    struct gp_known known =
        gp_compute_known(&g->rules, (enum gp_action)u->action, operands, &value, &g->covered[0]);
    gp_set_result(g, unit, gp_flip(value, u->flip), known, GP_PLAIN);
}

/* Returns the word that address registers are set from. */
static struct gp_operand address_source(const struct gp *g, const struct gp_step *s)
{
    struct gp_operand o =
        s->from_pass ? (struct gp_operand){g->result[GP_PASS],
                                           g->result_kind[GP_PASS] ? gp_bits(0) : g->result_known[GP_PASS]}
                     : gp_operand_of(g, s->unit[GP_COMPLEX].a, 0);
    if (g->setup.observer)
        o.value = GP_SEE(g, ADDRESS_SOURCE, o.value, s->unit[GP_COMPLEX].op, g->result[GP_PASS],
                         g->bank[s->unit[GP_COMPLEX].a]);
    return o;
}

/* Takes away the number of an address register that is not set, also a number that is on its way. */
static void lose_address(struct gp *g, unsigned n)
{
    g->address_lost[n] = true;
    for (unsigned k = g->address_writes.first; k != g->address_writes.end; k++) {
        struct gp_write *w = &g->address_writes.write[k % GP_WRITES];
        w->kind = w->kind || w->place == n;
    }
}

/* Sets address registers. Register 0, for temporary stores, changes at once; the others change after their
 * latency. */
void gp_set_addresses(struct gp *g, const struct gp_step *s)
{
    const struct gp_operand o = address_source(g, s);
    uint32_t value = (uint32_t)gp_address(READING(ADDRESS_FORMAT), o.value);
    bool defined = !g->checked || o.known.defined == UINT32_MAX;
    g->decided |= s->from_pass ? g->result_hazards[GP_PASS] : g->bank_hazards[s->unit[GP_COMPLEX].a];
    const uint32_t pass = g->result[GP_PASS], operand = g->bank[s->unit[GP_COMPLEX].a],
                   op = s->unit[GP_COMPLEX].op;
    for (unsigned n = 0; n < GP_ADDRESS_REGISTERS; n++) {
        bool set = s->function >> n & 1, undefined = n < 2 && s->function >> (4 + n) & 1;
        bool valid = GP_SEE(g, ADDRESS_VALID, 1, n, op);
        if (!GP_SEE(g, ADDRESS_SET, set || undefined, n, op, s->function)) {
            if (!valid)
                lose_address(g, n);
            continue;
        }
        struct gp_write w = {.when = g->now,
                             .value = GP_SEE(g, ADDRESS_VALUE, value, n, o.value, pass, operand, op),
                             .known = gp_bits(defined && !undefined),
                             .place = (uint16_t)n,
                             .kind = !valid};
        if (n || g->address0_latency)
            gp_push(&g->address_writes, &w);
        else
            gp_commit_address(g, &w);
    }
}
