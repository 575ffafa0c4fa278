/* SPDX-License-Identifier: MIT */
#include "harness/vpm_program.h"

#include "model/vc4/qpu_insn.h"
#include "model/vc4/unit_qpu.h"
#include "model/vc4/unit_vpm.h"

#include <string.h>

enum {
    REGISTERS = 32,
    NOPS_MAX = 32,
    END_INSTRUCTIONS = 3,
};

struct maker {
    const struct vpm_case *from;
    struct qpu_case *to;
    uint32_t memory_base, reads;
    uint32_t written; /* bit n: row n of the data is used */
    struct error *e;
};

static bool emit(struct maker *m, const struct qpu_insn *i)
{
    uint32_t at = m->to->program.count++;
    if (at >= QPU_CASE_PROGRAM_MAX)
        return error_set(m->e, "too many operations for one program");
    uint64_t word = qpu_encode(i);
    m->to->program.word[2 * at] = (uint32_t)word;
    m->to->program.word[2 * at + 1] = (uint32_t)(word >> 32);
    return true;
}

static bool emit_load(struct maker *m, uint8_t waddr, bool file_b, uint32_t word)
{
    struct qpu_insn i;
    qpu_canonical(QPU_LDI_32, &i);
    i.cond_add = QPU_COND_ALWAYS;
    i.waddr_add = waddr;
    i.ws = file_b;
    i.immediate = word;
    return emit(m, &i);
}

/* A move by the ADD pipe from a register of one file to a register of one file. */
static bool emit_move(struct maker *m, uint8_t waddr, bool to_b, uint8_t raddr, bool from_b)
{
    struct qpu_insn i;
    qpu_canonical(QPU_ALU, &i);
    i.op_add = QPU_ADD_MOV;
    i.cond_add = QPU_COND_ALWAYS;
    i.waddr_add = waddr;
    i.ws = to_b;
    *(from_b ? &i.raddr_b : &i.raddr_a) = raddr;
    i.add_a = i.add_b = from_b ? QPU_MUX_B : QPU_MUX_A;
    return emit(m, &i);
}

static bool emit_nops(struct maker *m, uint32_t count)
{
    struct qpu_insn i;
    qpu_canonical(QPU_ALU, &i);
    if (count > NOPS_MAX)
        return error_set(m->e, "%lu instructions without an access; %d are the most", (unsigned long)count, NOPS_MAX);
    for (uint32_t n = 0; n < count; n++)
        if (!emit(m, &i))
            return false;
    return true;
}

static bool emit_op(struct maker *m, const uint32_t *op)
{
    uint32_t code = op[1] & VPM_OP_CODE_MASK, row = op[0] % VPM_DATA_ROWS;
    switch (code) {
    case VPM_OP_NOP:
        return emit_nops(m, op[0]);
    case VPM_OP_WR_SETUP:
    case VPM_OP_RD_SETUP:
        return emit_load(m, QPU_W_VPM_SETUP, code == VPM_OP_WR_SETUP, op[0]);
    case VPM_OP_WRITE:
        if (op[1] >> VPM_OP_LANES_OFF_SHIFT)
            return error_set(m->e, "a VPM write under a condition needs flags of its own");
        m->written |= 1U << row;
        return emit_move(m, QPU_W_VPM, false, (uint8_t)row, false);
    case VPM_OP_READ:
        if (m->reads == REGISTERS)
            return error_set(m->e, "more than %d VPM reads, and there are no more registers", REGISTERS);
        return emit_move(m, (uint8_t)m->reads++, true, QPU_R_VPM, false);
    case VPM_OP_ST_ADDR:
    case VPM_OP_LD_ADDR:
        return emit_load(m, QPU_W_DMA_ADDRESS, code == VPM_OP_ST_ADDR, m->memory_base + op[0]);
    case VPM_OP_ST_WAIT:
    case VPM_OP_LD_WAIT:
        return emit_move(m, QPU_W_NOTHING, false, QPU_R_DMA_WAIT, code == VPM_OP_ST_WAIT);
    case VPM_OP_ST_BUSY:
    case VPM_OP_LD_BUSY:
        return emit_move(m, QPU_W_NOTHING, false, QPU_R_DMA_BUSY, code == VPM_OP_ST_BUSY);
    default:
        return emit_nops(m, 1);
    }
}

static bool emit_end(struct maker *m)
{
    struct qpu_insn i;
    qpu_canonical(QPU_ALU, &i);
    i.sig = QPU_SIG_END;
    return emit(m, &i) && emit_nops(m, END_INSTRUCTIONS - 1);
}

/* Images of both units have the same form: fill, seed, count, rows. */
static void copy_image(void *to, const struct image_head *head, const struct vpm_image_row *rows)
{
    memcpy(to, head, sizeof *head);
    memcpy((char *)to + sizeof *head, rows, head->count * sizeof *rows);
}

static void put_data(const struct maker *m, const struct test_case *vpm)
{
    const struct field *data = schema_field(&vpm->unit->schema, "data");
    for (uint32_t row = 0; row < VPM_DATA_ROWS; row++) {
        if (!(m->written >> row & 1))
            continue;
        uint32_t at = m->to->ra.count++;
        m->to->ra.row[at].index = row;
        image_row(vpm, data, row, m->to->ra.row[at].word);
    }
}

bool vpm_program_make(const struct test_case *vpm, uint32_t memory_base, struct test_case *qpu, struct error *e)
{
    struct maker m = {.from = (const void *)vpm->words, .to = (void *)qpu->words, .memory_base = memory_base, .e = e};
    case_init(qpu, unit_named("vc4-qpu"));
    m.to->limit = QPU_CASE_LIMIT_MAX;
    copy_image(&m.to->vpm, &m.from->vpm, m.from->vpm_row);
    copy_image(&m.to->memory, &m.from->memory, m.from->memory_row);
    for (uint32_t i = 0; i < m.from->op_count; i++) {
        bool good = i && m.from->op[i][1] & VPM_OP_WITH ? error_set(e, "two accesses in one instruction") : emit_op(&m, m.from->op[i]);
        if (!good)
            return error_where(e, "operation %lu", (unsigned long)i);
    }
    put_data(&m, vpm);
    return emit_end(&m);
}

/* ---- and back ---- */

/* Rows of one region of the program's outcome that were touched become rows of a region of the case's. */
static void take_rows(const struct outcome *from, const char *name, struct outcome *to, const char *as)
{
    const struct region *f = layout_region_named(&from->unit->layout, name), *t = layout_region_named(&to->unit->layout, as);
    for (uint32_t row = 0; row < f->rows && row < t->rows; row++) {
        if (!outcome_touched(from, f->first_row + row))
            continue;
        memcpy(outcome_row(to, t->first_row + row, VC4_LANES), from->value + (f->first_row + row) * VC4_LANES, VC4_LANES * sizeof(uint32_t));
        outcome_touch(to, t->first_row + row);
    }
}

void vpm_program_outcome(const struct test_case *vpm, const struct outcome *of_program, struct outcome *o)
{
    const struct vpm_case *c = (const void *)vpm->words;
    const struct region *status = layout_region_named(&o->unit->layout, "status");
    outcome_reset(o, vpm);
    o->end = of_program->end;
    o->checked = true;
    take_rows(of_program, "vpm", o, "vpm");
    take_rows(of_program, "memory", o, "memory");
    take_rows(of_program, "rb", o, "reads");
    memset(o->defined, 0xFF, (size_t)o->unit->layout.rows * VC4_LANES * sizeof *o->defined);
    for (uint32_t i = 0, word = 0; i < c->op_count; i++) {
        uint32_t code = c->op[i][1] & VPM_OP_CODE_MASK;
        if (code < VPM_OP_ST_WAIT || code > VPM_OP_LD_BUSY)
            continue;
        o->defined[status->first_row * VC4_LANES + word] = 0;
        outcome_touch(o, status->first_row + word++ / VC4_LANES);
    }
}
