/* SPDX-License-Identifier: MIT */
#include "model/vc4/vpm/unit_vpm.h"

#include "model/core/units.h"
#include "model/vc4/vpm/vpm.h"
#include "model/vc4/vpm/vpm_clauses.h"
#include "model/vc4/vpm/vpm_points.h"

#include <string.h>

/* ---- Case and outcome ---- */

enum { FIELD_STALE, FIELD_VPM, FIELD_MEMORY, FIELD_DATA, FIELD_OPS };

#define IMAGE(name, member, rows, text) DIRECT_IMAGE(struct vpm_case, name, member, rows, text)

static const struct field fields[] = {
    [FIELD_STALE] = {.name = "stale",
                     .kind = FIELD_WORD,
                     .offset = CASE_AT(struct vpm_case, stale),
                     .initial = 0x55AA33CC,
                     .about = "what a read of no register returns (in every element)"},
    [FIELD_VPM] = IMAGE("vpm", vpm, VC4_VPM_ROWS, "the VPM before the first operation"),
    [FIELD_MEMORY] =
        IMAGE("memory", memory, VC4_MEMORY_ROWS, "the memory that DMA reaches, before the first operation"),
    [FIELD_DATA] = IMAGE("data", data, VPM_DATA_ROWS, "the vectors that operations write"),
    [FIELD_OPS] = DIRECT_OPS(struct vpm_case, VPM_OPS_MAX, "the operations, in order"),
};

enum {
    ROW_VPM = 0,
    ROW_MEMORY = ROW_VPM + VC4_VPM_ROWS,
    ROW_READS = ROW_MEMORY + VC4_MEMORY_ROWS,
    ROW_STATUS = ROW_READS + VPM_READ_ROWS,
    ROWS = ROW_STATUS + VPM_STATUS_ROWS,
};

static const struct region regions[] = {
    {"vpm", "the VPM, row by row", VC4_VPM_ROWS, VC4_LANES, 32, DRAW_GRID, ROW_VPM, "vpm", NULL},
    {"memory", "the memory that DMA reaches", VC4_MEMORY_ROWS, VC4_LANES, 32, DRAW_STRIP, ROW_MEMORY,
     "memory", NULL},
    {"reads", "the vectors that VPM reads returned, in order", VPM_READ_ROWS, VC4_LANES, 32, DRAW_LANES,
     ROW_READS, NULL, NULL},
    {"status", "element 0 of what reads of busy and wait registers returned, in order", VPM_STATUS_ROWS,
     VC4_LANES, 32, DRAW_LANES, ROW_STATUS, NULL, NULL},
};

/* ---- Run ---- */

struct state {
    struct vpm vpm;
    struct vc4_env env;
    struct observer observer;
    struct vc4_vector stale, value, defined;
    uint32_t reads, statuses; /* number of vectors and of status values returned so far */
};

static void begin(struct run *r, struct state *s, const struct vpm_case *c)
{
    s->env = direct_begin(r, ROW_MEMORY, &s->observer);
    vpm_reset(&s->vpm, &s->env, direct_rows(r->out, ROW_VPM, VC4_VPM_ROWS));
    for (unsigned i = 0; i < VC4_LANES; i++)
        s->stale.lane[i] = c->stale;
    s->reads = s->statuses = 0;
}

static enum vc4_stop write_vector(struct run *r, struct state *s, const uint32_t *op, uint64_t now)
{
    uint32_t row = op[0] % VPM_DATA_ROWS;
    row = OBSERVE(s->env.observer, VPM_POINT_OPERATION_ROW, row, op[0], op[1]);
    image_row(r->tc, &fields[FIELD_DATA], row, s->value.lane);
    memset(&s->defined, 0xFF, sizeof s->defined);
    return vpm_write(&s->vpm, &s->value, &s->defined, ~op[1] >> VPM_OP_LANES_OFF_SHIFT & 0xFFFF, now);
}

static enum vc4_stop read_vector(struct run *r, struct state *s, uint64_t now)
{
    struct vc4_rows reads = direct_rows(r->out, ROW_READS, VPM_READ_ROWS);
    if (s->reads == VPM_READ_ROWS) /* only if a rule repeats operations */
        return VC4_GO;
    uint32_t row = s->reads++;
    vc4_touch(&reads, row);
    return vpm_read(&s->vpm, &reads.value[row], &reads.defined[row], now);
}

static enum vc4_stop read_status(struct run *r, struct state *s, enum vpm_status which, uint64_t now)
{
    if (s->statuses == VPM_STATUS_ROWS * VC4_LANES) /* only if a rule repeats operations */
        return VC4_GO;
    enum vc4_stop stop = vpm_read_status(&s->vpm, which, &s->stale, &s->value, &s->defined, now);
    uint32_t at = ROW_STATUS * VC4_LANES + s->statuses++;
    r->out->value[at] = s->value.lane[0];
    if (s->env.checked)
        r->out->defined[at] = s->defined.lane[0];
    outcome_touch(r->out, at / VC4_LANES);
    return stop;
}

/* `code`, `operand`: those of the operation, as rules left them. */
static enum vc4_stop perform(struct run *r, struct state *s, const uint32_t *op, uint32_t code,
                             uint32_t operand, uint64_t now)
{
    struct vpm *v = &s->vpm;
    switch (code) {
    case VPM_OP_WR_SETUP:
        return vpm_write_setup(v, operand, UINT32_MAX, now);
    case VPM_OP_RD_SETUP:
        return vpm_read_setup(v, operand, UINT32_MAX, now);
    case VPM_OP_WRITE:
        return write_vector(r, s, op, now);
    case VPM_OP_READ:
        return read_vector(r, s, now);
    case VPM_OP_ST_ADDR:
        return vpm_dma_store(v, r->memory_base + operand, UINT32_MAX, now);
    case VPM_OP_LD_ADDR:
        return vpm_dma_load(v, r->memory_base + operand, UINT32_MAX, now);
    case VPM_OP_ST_WAIT:
        return read_status(r, s, VPM_STORE_WAIT, now);
    case VPM_OP_LD_WAIT:
        return read_status(r, s, VPM_LOAD_WAIT, now);
    case VPM_OP_ST_BUSY:
        return read_status(r, s, VPM_STORE_BUSY, now);
    case VPM_OP_LD_BUSY:
        return read_status(r, s, VPM_LOAD_BUSY, now);
    default:
        return VC4_GO;
    }
}

static enum vc4_stop run_op(struct run *r, struct state *s, const uint32_t *op, uint64_t now)
{
    const struct observer *o = s->env.observer;
    const uint32_t code = OBSERVE(o, VPM_POINT_OPERATION_CODE, op[1] & OP_CODE_MASK, op[0], op[1]),
                   operand = OBSERVE(o, VPM_POINT_OPERATION_OPERAND, op[0], code, op[1]);
    return direct_observe_stop(o, VPM_POINT_OPERATION_END, perform(r, s, op, code, operand, now),
                               (uint32_t[]){code, operand});
}

/* Runs an operation. Prints it, with the rows that it changed and their new content. */
static enum vc4_stop run_traced(struct run *r, struct state *s, const uint32_t *op, uint64_t now)
{
    struct outcome *o = r->out;
    struct text t = {0};
    uint64_t before[OUTCOME_ROWS_MAX / 64];
    memcpy(before, o->touched, sizeof before);
    memset(o->touched, 0, sizeof before);
    enum vc4_stop stop = run_op(r, s, op, now);
    vpm_op_print(op, &t);
    for (uint32_t row = 0; row < ROWS; row++) {
        if (!outcome_touched(o, row))
            continue;
        const struct region *g = layout_region(&o->unit->layout, row);
        text_add(&t, "; %s %u =", g->name, row - g->first_row);
        direct_trace_row(o, row, &t);
    }
    direct_trace_line(r, stop, &t);
    for (unsigned i = 0; i < OUTCOME_ROWS_MAX / 64; i++)
        o->touched[i] |= before[i];
    return stop;
}

static bool reads(const uint32_t *op)
{
    uint32_t code = op[1] & OP_CODE_MASK;
    return code < VPM_OP_CODES && vpm_ops[code].operand == VPM_OPERAND_NONE;
}

/* Which of operations first to end - 1 read registers, and so run first; bit i: operation first + i. */
static uint64_t readers_of(const struct state *s, const struct vpm_case *c, uint32_t first, uint32_t end)
{
    uint64_t readers = 0;
    for (uint32_t i = first; i < end; i++) {
        uint32_t second = !reads(c->op[i]);
        second = OBSERVE(s->env.observer, VPM_POINT_OPERATION_TURN, second, c->op[i][1] & OP_CODE_MASK,
                         i - first, end - first, first);
        readers |= (uint64_t)!second << (i - first);
    }
    return readers;
}

/* How often an operation takes place: once, if no rule says otherwise. `number`: its number in the case.
 * `reads_behind`: set of the reads among the operations of the instruction that stand behind it. */
static uint32_t times_of(const struct state *s, const uint32_t *op, uint32_t before, uint32_t together,
                         unsigned turn, uint32_t number, uint64_t reads_behind)
{
    return OBSERVE(s->env.observer, VPM_POINT_OPERATION_DONE, 1, op[1] & OP_CODE_MASK, op[0], before,
                   together, turn, number, (uint32_t)__builtin_popcountll(reads_behind));
}

static enum vc4_stop run_times(struct run *r, struct state *s, const uint32_t *op, uint64_t now,
                               uint32_t times)
{
    enum vc4_stop stop = VC4_GO;
    for (; times && !stop; times--) {
        uint32_t read = s->reads;
        stop = r->mode == RUN_TRACED ? run_traced(r, s, op, now) : run_op(r, s, op, now);
        if (s->env.checked)
            vc4_account(&r->fidelity, stop,
                        s->reads > read ? direct_rows(r->out, ROW_READS + read, 1).defined : NULL);
    }
    return stop;
}

/* Runs operations first to end - 1 as one instruction. A QPU reads registers before it writes any, so the
 * reads run first. */
static enum vc4_stop run_instruction(struct run *r, struct state *s, const struct vpm_case *c, uint32_t first,
                                     uint32_t end, uint64_t now)
{
    const uint64_t readers = readers_of(s, c, first, end);
    uint32_t before = 0;
    for (unsigned pass = 0; pass < 2; pass++)
        for (uint32_t i = first; i < end; i++) {
            if ((readers >> (i - first) & 1) != (pass == 0))
                continue;
            uint32_t times =
                times_of(s, c->op[i], before++, end - first, pass, i, readers >> (i - first) >> 1);
            enum vc4_stop stop = run_times(r, s, c->op[i], now, times);
            if (stop)
                return stop;
        }
    return VC4_GO;
}

/* Does the operation begin an instruction, as rules left it? `before`: operations of the one so far. */
static bool begins(const struct state *s, const uint32_t *op, uint32_t before)
{
    bool with = op[1] & VPM_OP_WITH;
    return OBSERVE(s->env.observer, VPM_POINT_OPERATION_BEGINS, !with, op[1] & OP_CODE_MASK, with, before);
}

static void run(struct run *r)
{
    const struct vpm_case *c = (const struct vpm_case *)(const void *)r->tc->words;
    struct state *s = r->state;
    enum vc4_stop stop = VC4_GO;
    uint64_t now = 0;
    begin(r, s, c);
    r->steps = 0;
    for (uint32_t i = 0, end; i < c->op_count && !stop; i = end) {
        for (end = i + 1; end < c->op_count && !begins(s, c->op[end], end - i);)
            end++;
        stop = run_instruction(r, s, c, i, end, now);
        bool nop = end - i == 1 && (c->op[i][1] & OP_CODE_MASK) == VPM_OP_NOP;
        now += OBSERVE(s->env.observer, VPM_POINT_OPERATION_TIME, nop ? c->op[i][0] : 1,
                       c->op[i][1] & OP_CODE_MASK, c->op[i][0], end - i);
        r->steps += end - i;
    }
    direct_end(r, stop);
}

static const struct code vpm_code = {
    .words = OP_WORDS,
    .print = vpm_op_print,
    .parse = vpm_op_parse,
    .syntax = vpm_op_syntax,
    .names = vpm_op_names,
    .generate = vpm_op_generate,
    .mutate = vpm_op_mutate,
    .bits = vpm_op_bits,
    .second_bits = vpm_op_second_bits,
};

const struct unit vc4_vpm_unit = {
    .name = "vc4-vpm",
    .about = "VideoCore IV vertex pipe memory: block access in all modes, and DMA between VPM and memory",
    DIRECT_UNIT(struct vpm_case, fields, regions, ROWS),
    .clauses = {{vpm_clauses, VPM_CLAUSE_COUNT}},
    .points = vpm_points,
    .input_notes = vpm_input_notes,
    .point_count = VPM_UNIT_POINT_COUNT,
    .point_aliases = vpm_point_aliases,
    .code = &vpm_code,
    .state_size = sizeof(struct state),
    .run = run,
    .generate = vpm_case_generate,
    .mend = vpm_case_mend,
    .mend_for_proof = vpm_case_mend_for_proof,
};
