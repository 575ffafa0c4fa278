/* SPDX-License-Identifier: MIT */
#include "harness/vc4/program/vpm_program.h"

#include "harness/vc4/program/emit.h"
#include "model/core/units.h"
#include "model/vc4/vpm/unit_vpm.h"

#include <string.h>

enum {
    REGISTERS = 32,
    NOPS_MAX = 32,
};

struct maker {
    const struct vpm_case *from;
    struct qpu_case *to;
    struct emitter program;
    uint32_t memory_base, reads;
    uint32_t written; /* bit n: row n of the data is written */
    struct error *e;
};

static void read_status(struct emitter *p, bool store, uint8_t raddr)
{
    emit_move(p, QPU_W_NOTHING, EMIT_FILE_A, store ? QPU_MUX_B : QPU_MUX_A, raddr);
}

/* Adds the instruction of an operation. A register number for setups, DMA addresses, waits and busy flags
 * means writes and stores in file B, and reads and loads in file A. */
static bool add_op(struct maker *m, const uint32_t *op)
{
    struct emitter *p = &m->program;
    uint32_t code = op[1] & OP_CODE_MASK, row = op[0] % VPM_DATA_ROWS;
    switch (code) {
    case VPM_OP_NOP:
        if (op[0] > NOPS_MAX)
            return error_set(m->e, "nop %lu is too long; at most %d", (unsigned long)op[0], NOPS_MAX);
        emit_nops(p, op[0]);
        break;
    case VPM_OP_WR_SETUP:
    case VPM_OP_RD_SETUP:
        emit_set(p, QPU_W_VPM_SETUP, code == VPM_OP_WR_SETUP, op[0]);
        break;
    case VPM_OP_WRITE:
        if (op[1] >> VPM_OP_LANES_OFF_SHIFT)
            return error_set(m->e, "a VPM write under a condition would need flags");
        m->written |= 1U << row;
        emit_move(p, QPU_W_VPM, EMIT_FILE_A, QPU_MUX_A, (uint8_t)row);
        break;
    case VPM_OP_READ:
        if (m->reads == REGISTERS)
            return error_set(m->e, "more than %d VPM reads: there are no more registers", REGISTERS);
        emit_move(p, (uint8_t)m->reads++, EMIT_FILE_B, QPU_MUX_A, QPU_R_VPM);
        break;
    case VPM_OP_ST_ADDR:
    case VPM_OP_LD_ADDR:
        emit_set(p, QPU_W_DMA_ADDRESS, code == VPM_OP_ST_ADDR, m->memory_base + op[0]);
        break;
    case VPM_OP_ST_WAIT:
    case VPM_OP_LD_WAIT:
        read_status(p, code == VPM_OP_ST_WAIT, QPU_R_DMA_WAIT);
        break;
    case VPM_OP_ST_BUSY:
    case VPM_OP_LD_BUSY:
        read_status(p, code == VPM_OP_ST_BUSY, QPU_R_DMA_BUSY);
        break;
    default:
        emit_nops(p, 1);
    }
    return !p->full || error_set(m->e, "too many operations for one program");
}

static bool add_end(struct maker *m)
{
    emit_signal(&m->program, QPU_SIG_END);
    emit_nops(&m->program, EMIT_END_INSTRUCTIONS - 1);
    m->to->program.count = m->program.count;
    return !m->program.full || error_set(m->e, "too many operations for one program");
}

/* Copies an image: fill, seed, count and rows have the same layout in both units. */
static void copy_image(void *to, const struct image_head *head, const struct direct_image_row *rows)
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

bool vpm_program_make(const struct test_case *vpm, uint32_t memory_base, struct test_case *qpu,
                      struct error *e)
{
    struct maker m = {.from = (const void *)vpm->words,
                      .to = (void *)qpu->words,
                      .memory_base = memory_base,
                      .e = e};
    case_init(qpu, unit_named("vc4-qpu"));
    m.program = (struct emitter){.at = m.to->program.word, .room = QPU_CASE_PROGRAM_MAX};
    m.to->limit = QPU_CASE_LIMIT_MAX;
    copy_image(&m.to->vpm, &m.from->vpm, m.from->vpm_row);
    copy_image(&m.to->memory, &m.from->memory, m.from->memory_row);
    for (uint32_t i = 0; i < m.from->op_count; i++) {
        bool good = i && m.from->op[i][1] & VPM_OP_WITH ? error_set(e, "two accesses in one instruction")
                                                        : add_op(&m, m.from->op[i]);
        if (!good)
            return error_where(e, "operation %lu", (unsigned long)i);
    }
    put_data(&m, vpm);
    return add_end(&m);
}

static void map_region(const struct layout *from, const char *name, const struct layout *to, const char *as,
                       uint16_t map[OUTCOME_ROWS_MAX])
{
    const struct region *f = layout_region_named(from, name), *t = layout_region_named(to, as);
    for (uint32_t row = 0; row < f->rows && row < t->rows; row++)
        map[f->first_row + row] = (uint16_t)(t->first_row + row);
}

void vpm_program_rows(uint16_t to[OUTCOME_ROWS_MAX])
{
    const struct layout *program = &vc4_qpu_unit.layout, *vpm = &vc4_vpm_unit.layout;
    for (uint32_t row = 0; row < OUTCOME_ROWS_MAX; row++)
        to[row] = VPM_PROGRAM_NO_ROW;
    map_region(program, "vpm", vpm, "vpm", to);
    map_region(program, "memory", vpm, "memory", to);
    map_region(program, "rb", vpm, "reads", to);
}

void vpm_program_mask(const struct test_case *vpm, struct outcome *o)
{
    const struct vpm_case *c = (const void *)vpm->words;
    const struct region *status = layout_region_named(&o->unit->layout, "status");
    o->checked = true; /* outcome_reset has marked all bits as defined */
    for (uint32_t i = 0, word = 0; i < c->op_count; i++) {
        uint32_t code = c->op[i][1] & OP_CODE_MASK;
        if (code < VPM_OP_ST_WAIT || code > VPM_OP_LD_BUSY)
            continue;
        o->defined[status->first_row * VC4_LANES + word] = 0;
        outcome_touch(o, status->first_row + word++ / VC4_LANES);
    }
}
