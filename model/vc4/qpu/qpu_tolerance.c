/* SPDX-License-Identifier: MIT */
/*
 * Tolerances of registers (model/number/tolerance.h) in checked runs. A result of an SFU or a filter brings a
 * tolerance to r4, and moves copy it to other registers. All other results have only a mask of defined bits,
 * so writing one removes the tolerance of the register.
 */
#include "model/vc4/qpu/qpu.h"

static uint64_t bit_of(unsigned file, unsigned row)
{
    return UINT64_C(1) << (32 * file + row);
}

void qpu_tolerate_r4(struct qpu *q, const struct vc4_vector *tolerance, const struct vc4_vector *lanes)
{
    uint32_t any = 0;
    if (!q->acc.tolerance)
        return;
    vector_select(&q->acc.tolerance[QPU_MUX_R4], tolerance, lanes);
    for (unsigned i = 0; i < VC4_LANES; i++)
        any |= q->acc.tolerance[QPU_MUX_R4].lane[i];
    q->tolerant_acc |= (uint8_t)((any != 0) << QPU_MUX_R4);
}

void qpu_forget_tolerance(struct qpu *q, const struct vc4_rows *rows, unsigned row)
{
    if (rows->tolerance && (q->tolerant | q->tolerant_acc))
        rows->tolerance[row] = q->zero;
}

void qpu_forget_tolerances(struct qpu *q)
{
    for (unsigned row = 0; row < 32; row++)
        for (unsigned f = 0; f < 2; f++)
            qpu_forget_tolerance(q, &q->file[f], row);
    for (unsigned row = 0; row < q->acc.rows; row++)
        qpu_forget_tolerance(q, &q->acc, row);
}

/* Does the pipe copy an operand unchanged? */
static bool is_move(const struct qpu_step *s, const struct qpu_pipe *p, bool is_mul)
{
    return p->source == QPU_FROM_ALU && p->packs == QPU_PACKS_NOT && p->mux_a == p->mux_b && !s->rotates &&
           p->opcode == (is_mul ? (unsigned)QPU_MUL_MOV : (unsigned)QPU_ADD_MOV);
}

/* The tolerances of an operand; NULL: none. */
static const struct vc4_vector *operand_tolerance(const struct qpu *q, const struct qpu_step *s,
                                                  const struct qpu_step *before, unsigned mux)
{
    if (mux < QPU_MUX_A) {
        bool changed = (mux == QPU_MUX_R4 && (s->unpack_r4 || q->sfu_due != UINT64_MAX)) ||
                       (mux == QPU_MUX_R5 && s->no_r5);
        return q->tolerant_acc >> mux & 1 && !changed ? &q->acc.tolerance[mux] : NULL;
    }
    unsigned file = mux - QPU_MUX_A, row = s->read[file].address % 32;
    bool hazard = before->writes & s->reads & bit_of(file, row), unpacked = !file && s->unpack_a;
    return s->read[file].kind == QPU_READ_REGISTER && !hazard && !unpacked && q->tolerant & bit_of(file, row)
               ? &q->file[file].tolerance[row]
               : NULL;
}

void qpu_take_tolerances(struct qpu *q, const struct qpu_step *s, const struct qpu_step *before)
{
    for (unsigned m = 0; m < 2; m++) {
        const struct qpu_pipe *p = m ? &s->mul : &s->add;
        const struct vc4_vector *from = is_move(s, p, m) ? operand_tolerance(q, s, before, p->mux_a) : NULL;
        q->moved_tolerance[m] = from ? *from : q->zero;
    }
}

/* Copies the operand's tolerances to the elements that the pipe's move wrote. */
static void put_tolerances(struct qpu *q, const struct qpu_step *s, bool is_mul)
{
    const struct qpu_pipe *p = is_mul ? &s->mul : &s->add;
    const struct qpu_result *r = is_mul ? &q->mul : &q->add;
    bool to_register = p->to == QPU_TO_REGISTER;
    if (p->to == QPU_TO_IO || p->to == QPU_TO_NOTHING)
        return;
    const struct vc4_rows *rows = to_register ? &q->file[p->file] : &q->acc;
    if (s->collision || (!to_register && p->to != QPU_TO_ACCUMULATOR)) {
        qpu_forget_tolerance(q, rows, p->index);
        return;
    }
    uint32_t any = 0;
    struct vc4_vector *to = &rows->tolerance[p->index];
    for (unsigned i = 0; i < VC4_LANES; i++) {
        bool known = !p->lanes || r->lanes_defined.lane[i], written = !p->lanes || r->lanes.lane[i];
        if (!known || written)
            to->lane[i] = known ? q->moved_tolerance[is_mul].lane[i] : 0;
        any |= to->lane[i];
    }
    if (to_register)
        q->tolerant |= any ? bit_of(p->file, p->index) : 0;
    else
        q->tolerant_acc |= (uint8_t)((any != 0) << p->index);
}

void qpu_put_tolerances(struct qpu *q, const struct qpu_step *s)
{
    put_tolerances(q, s, false);
    put_tolerances(q, s, true);
}
