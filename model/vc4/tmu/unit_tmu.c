/* SPDX-License-Identifier: MIT */
#include "model/vc4/tmu/unit_tmu.h"

#include "model/core/units.h"
#include "model/vc4/tmu/tmu.h"
#include "model/vc4/tmu/tmu_clauses.h"
#include "model/vc4/tmu/tmu_points.h"

#include <string.h>

/* ---- Case and outcome ---- */

enum { FIELD_MEMORY, FIELD_DATA, FIELD_OPS };

#define IMAGE(name, member, rows, text) DIRECT_IMAGE(struct tmu_case, name, member, rows, text)

static const struct field fields[] = {
    [FIELD_MEMORY] =
        IMAGE("memory", memory, VC4_MEMORY_ROWS, "the memory that holds textures, on a 4 KB boundary"),
    [FIELD_DATA] = IMAGE("data", data, TMU_DATA_ROWS,
                         "the vectors that operations write: floats, or byte offsets into the memory"),
    [FIELD_OPS] = DIRECT_OPS(struct tmu_case, TMU_OPS_MAX, "uniforms, register writes and loads, in order"),
};

enum {
    ROW_R4 = 0,
    R4_ROWS = TMU_OPS_MAX,
    ROW_STATE = ROW_R4 + R4_ROWS,
    ROW_MEMORY = ROW_STATE + 1,
    ROWS = ROW_MEMORY + VC4_MEMORY_ROWS,
};
enum { STATE_UNIFORMS, STATE_SLOTS, STATE_RESULTS, STATE_WRITTEN, STATE_COLS };

static const struct region regions[] = {
    {"r4", "what the loads returned, in order", R4_ROWS, VC4_LANES, 32, DRAW_LANES, ROW_R4, NULL, NULL},
    {"state",
     "uniforms taken, slots of the request FIFO taken, result words not loaded, registers written since the "
     "last S (bit 0 S, 1 T, 2 R, 3 B)",
     1, STATE_COLS, 32, DRAW_LANES, ROW_STATE, NULL, NULL},
    {"memory", "the memory that holds textures", VC4_MEMORY_ROWS, VC4_LANES, 32, DRAW_STRIP, ROW_MEMORY,
     "memory", NULL},
};

/* ---- Run ---- */

struct state {
    struct tmu tmu;
    struct vc4_env env;
    struct observer observer;
    struct vc4_vector value, defined;
    uint32_t loads;    /* results loaded so far */
    uint32_t row;      /* row of r4 that the last load filled */
    uint32_t stream;   /* uniforms of operations below this index were taken */
    uint32_t uniforms; /* number of uniforms taken */
};

static const struct tmu_case *case_of(const struct run *r)
{
    return (const struct tmu_case *)(const void *)r->tc->words;
}

static void begin(struct run *r, struct state *s)
{
    s->env = direct_begin(r, ROW_MEMORY, &s->observer);
    tmu_reset(&s->tmu, &s->env, 0);
    s->loads = s->stream = s->uniforms = 0;
    memset(&s->defined, 0xFF, sizeof s->defined);
}

/* Returns the next uniform of the case. After the last one, the unit supplies zeros, so that every case is
 * defined. */
static uint32_t next_uniform(const struct run *r, struct state *s)
{
    const struct tmu_case *c = case_of(r);
    uint32_t at = s->stream;
    while (at < c->op_count && !tmu_op_is_uniform(c->op[at][1] & OP_CODE_MASK))
        at++;
    at = OBSERVE(s->env.tmu_observer, TMU_POINT_OPERATION_UNIFORM, at, s->stream, s->uniforms);
    s->uniforms++;
    s->stream = at;
    if (at >= c->op_count)
        return 0;
    s->stream++;
    const uint32_t *op = c->op[at];
    return (op[1] & OP_CODE_MASK) == TMU_OP_P0 ? op[0] + r->memory_base : op[0];
}

/* `operand`: that of the operation, as rules left it. */
static enum vc4_stop write_register(const struct run *r, struct state *s, const uint32_t *op, uint32_t code,
                                    uint32_t operand)
{
    const struct observer *o = s->env.tmu_observer;
    uint32_t uniform = 0;
    enum tmu_register reg = code == TMU_OP_S_ADDRESS ? TMU_S : (enum tmu_register)(code - TMU_OP_S);
    uint32_t row = OBSERVE(o, TMU_POINT_OPERATION_ROW, operand % TMU_DATA_ROWS, code, operand);
    bool all = op[1] & TMU_OP_ALL;
    if (OBSERVE(o, TMU_POINT_OPERATION_ALL, all, code, op[1]))
        for (unsigned i = 0; i < VC4_LANES; i++)
            s->value.lane[i] = operand;
    else
        image_row(r->tc, &fields[FIELD_DATA], row, s->value.lane);
    for (unsigned i = 0; code == TMU_OP_S_ADDRESS && i < VC4_LANES; i++)
        s->value.lane[i] += r->memory_base;
    if (tmu_takes_uniform(&s->tmu, reg))
        uniform = next_uniform(r, s);
    return tmu_write(&s->tmu, reg, &s->value, &s->defined, uniform, UINT32_MAX);
}

static enum vc4_stop load(struct run *r, struct state *s)
{
    struct vc4_rows r4 = direct_rows(r->out, ROW_R4, R4_ROWS);
    /* always below R4_ROWS, because a case has no more operations; but a rule can give more */
    uint32_t row = OBSERVE(s->env.tmu_observer, TMU_POINT_OPERATION_RESULT, s->loads, s->loads);
    s->row = row < R4_ROWS ? row : R4_ROWS - 1;
    enum vc4_stop stop = tmu_load(&s->tmu, &r4.value[s->row], &r4.defined[s->row]);
    if (stop)
        return stop;
    if (s->env.checked)
        direct_tolerate(r->out, ROW_R4 + s->row, tmu_loaded_tolerance(&s->tmu));
    vc4_touch(&r4, s->row);
    s->loads++;
    return VC4_GO;
}

static enum vc4_stop run_op(struct run *r, struct state *s, uint32_t turn)
{
    const uint32_t *op = case_of(r)->op[turn];
    uint32_t code = op[1] & OP_CODE_MASK;
    code = OBSERVE(s->env.tmu_observer, TMU_POINT_OPERATION_CODE, code, op[0], op[1], turn);
    uint32_t operand = op[0];
    enum vc4_stop stop = VC4_GO;
    if (code >= TMU_OP_S && code <= TMU_OP_S_ADDRESS) {
        operand = OBSERVE(s->env.tmu_observer, TMU_POINT_OPERATION_OPERAND, operand, code, op[1]);
        stop = write_register(r, s, op, code, operand);
    } else if (code == TMU_OP_LOAD)
        stop = load(r, s);
    return direct_observe_stop(s->env.tmu_observer, TMU_POINT_OPERATION_END, stop,
                               (uint32_t[]){code, operand});
}

static void put_state(struct run *r, const struct state *s)
{
    const struct observer *o = s->env.tmu_observer;
    uint32_t *word = outcome_row(r->out, ROW_STATE, VC4_LANES);
    word[STATE_UNIFORMS] = s->uniforms;
    word[STATE_SLOTS] = tmu_slots_held(&s->tmu);
    word[STATE_RESULTS] = tmu_results_held(&s->tmu);
    word[STATE_WRITTEN] = s->tmu.written;
    for (uint32_t i = 0; o && i < STATE_COLS; i++)
        word[i] = OBSERVE(o, TMU_POINT_STATE_WORD, word[i], i);
    outcome_touch(r->out, ROW_STATE);
}

static void trace_op(struct run *r, const struct state *s, const uint32_t *op, bool loaded,
                     enum vc4_stop stop)
{
    struct text t = {0};
    tmu_op_print(op, &t);
    if (loaded) {
        text_add(&t, "; r4 =");
        direct_trace_row(r->out, ROW_R4 + s->row, &t);
    }
    text_add(&t, "; slots %u, results %u", (unsigned)tmu_slots_taken(&s->tmu),
             (unsigned)tmu_results_waiting(&s->tmu));
    direct_trace_line(r, stop, &t);
}

static void run(struct run *r)
{
    const struct tmu_case *c = case_of(r);
    struct state *s = r->state;
    enum vc4_stop stop = VC4_GO;
    begin(r, s);
    r->steps = 0;
    for (uint32_t i = 0; i < c->op_count && !stop; i++) {
        uint32_t loads = s->loads;
        stop = run_op(r, s, i);
        bool loaded = s->loads > loads;
        if (s->env.checked)
            vc4_account(&r->fidelity, stop, loaded ? direct_rows(r->out, ROW_R4 + s->row, 1).defined : NULL);
        if (r->mode == RUN_TRACED)
            trace_op(r, s, c->op[i], loaded, stop);
        r->steps++;
    }
    put_state(r, s);
    direct_end(r, stop);
}

static const struct code tmu_code = {
    .words = OP_WORDS,
    .print = tmu_op_print,
    .parse = tmu_op_parse,
    .syntax = tmu_op_syntax,
    .names = tmu_op_names,
    .generate = tmu_op_generate,
    .mutate = tmu_op_mutate,
    .bits = tmu_op_bits,
    .second_bits = tmu_op_second_bits,
};

const struct unit vc4_tmu_unit = {
    .name = "vc4-tmu",
    .about = "VideoCore IV texture and memory look-up unit: texture formats and layouts, filters, FIFOs",
    DIRECT_UNIT(struct tmu_case, fields, regions, ROWS),
    .clauses = {{tmu_clauses, TMU_CLAUSE_COUNT}},
    .points = tmu_points,
    .input_notes = tmu_input_notes,
    .point_count = TMU_UNIT_POINT_COUNT,
    .code = &tmu_code,
    .state_size = sizeof(struct state),
    .run = run,
    .generate = tmu_case_generate,
    .mend = tmu_case_mend,
};
