/* SPDX-License-Identifier: MIT */
/*
 * One step of a QPU: the interpreter's body, as a template. qpu_step.c includes
 * it once for each form that it compiles, with QPU_NAME(x) for the names of that
 * form's functions, QPU_STEP for the step's, and QPU_CHECKED:
 *   0   values only
 *   1   values, and which of their bits are defined; what they consult is marked
 * The order within an instruction is the pipeline's: reads, ALUs, writes, flags
 * (p17 fig 2).
 *
 * Which reading of a clause is in force was settled by qpu_plan.c; only what
 * hangs on the instruction before (hazards) is looked up here.
 *
 * Where a value can be observed, it passes one place: what instructions say in
 * qpu_plan.c, operands at the end of read_operands, results at the end of
 * run_pipe, which elements are written at the end of find_lanes.
 */

struct QPU_NAME(view) {
    const struct vc4_vector *value, *defined;
};

static struct QPU_NAME(view) QPU_NAME(view_of)(const struct qpu_value *v)
{
    return (struct QPU_NAME(view)){&v->value, QPU_CHECKED ? &v->defined : NULL};
}

static struct QPU_NAME(view) QPU_NAME(view_row)(const struct vc4_rows *r, unsigned row)
{
    return (struct QPU_NAME(view)){&r->value[row], QPU_CHECKED ? &r->defined[row] : NULL};
}

/* What the eight operand codes select among. Two arrays: pointers go in and come out one by one. */
struct QPU_NAME(operands) {
    const struct vc4_vector *value[8], *defined[8];
};

static ALU_INLINE void QPU_NAME(offer)(struct QPU_NAME(operands) * o, unsigned mux, struct QPU_NAME(view) v)
{
    o->value[mux] = v.value;
    if (QPU_CHECKED)
        o->defined[mux] = v.defined;
}

static ALU_INLINE struct QPU_NAME(view) QPU_NAME(operand)(const struct QPU_NAME(operands) * o, unsigned mux)
{
    return (struct QPU_NAME(view)){o->value[mux], QPU_CHECKED ? o->defined[mux] : NULL};
}

static void QPU_NAME(leave_behind)(struct qpu_value *to, struct QPU_NAME(view) v)
{
    vector_leave_behind(&to->value, v.value);
    if (QPU_CHECKED)
        vector_leave_behind(&to->defined, v.defined);
}

static void QPU_NAME(undefine)(struct qpu *q, struct vc4_vector *value, struct vc4_vector *defined)
{
    *value = q->undefined.value;
    if (QPU_CHECKED)
        *defined = q->undefined.defined;
}

/* A register that the step before wrote (p37; clause regfile-hazard). */
static struct QPU_NAME(view)
    QPU_NAME(hazard)(struct qpu *q, const struct qpu_step *before, unsigned file, unsigned number)
{
    qpu_consult(q, QPU_REGFILE_HAZARD);
    unsigned reading = qpu_reading(q, QPU_REGFILE_HAZARD);
    if (reading == READING_MANUAL)
        return QPU_NAME(view_of)(&q->undefined);
    if (reading == REGFILE_NEW)
        return QPU_NAME(view_row)(&q->file[file], number);
    bool by_add =
        before->add.to == QPU_TO_REGISTER && before->add.file == file && before->add.index == number;
    return QPU_NAME(view_of)(by_add ? &q->old_add : &q->old_mul);
}

static RARE struct QPU_NAME(view)
    QPU_NAME(read_other)(struct qpu *q, const struct qpu_step *s, const struct qpu_step *before,
                         unsigned file, struct QPU_NAME(view) file_a)
{
    unsigned address = s->read[file].address;
    switch ((enum qpu_read)s->read[file].kind) {
    case QPU_READ_REGISTER:
        return QPU_NAME(hazard)(q, before, file, address);
    case QPU_READ_CONSTANT:
        if (file && s->insn.class == QPU_ALU_SMALL)
            return (struct QPU_NAME(view)){&s->immediate, &q->all};
        return (struct QPU_NAME(view)){file ? &q->number.value : &element_numbers, &q->all};
    case QPU_READ_NOP:
        q->wanted = s->read[file].wanted;
        qpu_read_stale(q, file, &q->read[file]);
        return QPU_NAME(view_of)(&q->read[file]);
    case QPU_READ_IO:
        q->wanted = s->read[file].wanted;
        qpu_read_io(q, file, address, &q->read[file]);
        return QPU_NAME(view_of)(&q->read[file]);
    case QPU_READ_NOTHING_THERE:
        return QPU_NAME(view_of)(&q->undefined);
    case QPU_READ_AS_FILE_A:
        return file_a;
    case QPU_READ_NONE:
        break;
    }
    return (struct QPU_NAME(view)){&q->zero, &q->all};
}

static ALU_INLINE struct QPU_NAME(view)
    QPU_NAME(read_file)(struct qpu *q, const struct qpu_step *s, const struct qpu_step *before, unsigned file,
                        struct QPU_NAME(view) file_a)
{
    unsigned kind = s->read[file].kind, address = s->read[file].address;
    bool hazard = (before->writes & s->reads) >> (32 * file + address % 32) & 1;
    if (kind == QPU_READ_REGISTER && !hazard)
        return QPU_NAME(view_row)(&q->file[file], address);
    if (kind == QPU_READ_NONE)
        return (struct QPU_NAME(view)){&q->zero, &q->all};
    return QPU_NAME(read_other)(q, s, before, file, file_a);
}

static RARE void QPU_NAME(keep_stale)(struct qpu *q, const struct qpu_step *s, unsigned file,
                                      struct QPU_NAME(view) v)
{
    if (s->read[file].kind != QPU_READ_NONE && s->read[file].kind != QPU_READ_NOP)
        QPU_NAME(leave_behind)(&q->stale[file], v);
}

/* An SFU's result is on its way to r4, which the step reads (p37; clause sfu-r4-hazard). */
static RARE void QPU_NAME(meet_sfu)(struct qpu *q, struct QPU_NAME(operands) * o)
{
    qpu_consult(q, QPU_SFU_R4_HAZARD);
    unsigned reading = qpu_reading(q, QPU_SFU_R4_HAZARD);
    if (reading == READING_MANUAL)
        QPU_NAME(offer)(o, QPU_MUX_R4, QPU_NAME(view_of)(&q->undefined));
    else if (reading == SFU_R4_NEW)
        qpu_deliver_sfu(q);
}

static RARE void QPU_NAME(unpack)(struct qpu *q, const struct qpu_step *s, struct QPU_NAME(operands) * o)
{
    const struct alu_rules *alu = &q->rules->alu;
    struct QPU_NAME(view) a = QPU_NAME(operand)(o, QPU_MUX_A), r4 = QPU_NAME(operand)(o, QPU_MUX_R4);
    if (s->unpack_a) {
        alu_unpack_a(alu, s->unpack_a, s->float_view, a.value, &q->unpacked.value);
        if (QPU_CHECKED)
            alu_unpack_a_defined(alu, s->unpack_a, s->float_view, a.defined, &q->unpacked.defined);
        QPU_NAME(offer)(o, QPU_MUX_A, QPU_NAME(view_of)(&q->unpacked));
    }
    if (s->unpack_r4) {
        alu_unpack_r4(alu, s->unpack_r4, r4.value, &q->r4_view.value);
        if (QPU_CHECKED)
            alu_unpack_r4_defined(alu, s->unpack_r4, r4.defined, &q->r4_view.defined);
        QPU_NAME(offer)(o, QPU_MUX_R4, QPU_NAME(view_of)(&q->r4_view));
    }
}

/* False: the QPU stopped in a read. */
static ALU_INLINE bool QPU_NAME(read_operands)(struct qpu *q, const struct qpu_step *s,
                                               const struct qpu_step *before, struct QPU_NAME(operands) * o)
{
    for (unsigned i = 0; i < 6; i++)
        QPU_NAME(offer)(o, i, QPU_NAME(view_row)(&q->acc, i));
    struct QPU_NAME(view) a = QPU_NAME(read_file)(q, s, before, 0, (struct QPU_NAME(view)){NULL, NULL});
    if (q->stop)
        return false;
    struct QPU_NAME(view) b = QPU_NAME(read_file)(q, s, before, 1, a);
    if (q->stop)
        return false;
    if (q->tracks_stale) {
        QPU_NAME(keep_stale)(q, s, 0, a);
        QPU_NAME(keep_stale)(q, s, 1, b);
    }
    QPU_NAME(offer)(o, QPU_MUX_A, a);
    QPU_NAME(offer)(o, QPU_MUX_B, b);
    if (q->sfu_due != UINT64_MAX && s->reads_acc & 1U << QPU_MUX_R4)
        QPU_NAME(meet_sfu)(q, o);
    if (s->unpack_a | s->unpack_r4)
        QPU_NAME(unpack)(q, s, o);
    if (s->no_r5)
        QPU_NAME(offer)(o, QPU_MUX_R5, (struct QPU_NAME(view)){&q->zero, &q->all});
    return true;
}

/* ---- the ALUs ---- */

/* Where the pipe's result belongs: a row of a register file, or of the accumulators. */
static const struct vc4_rows *QPU_NAME(rows_of)(const struct qpu *q, const struct qpu_pipe *p)
{
    return p->to == QPU_TO_REGISTER ? &q->file[p->file] : &q->acc;
}

/* Which bits of the result are defined, and which clauses it depended on. Before the result: that may take an
 * operand's place. */
static void QPU_NAME(judge_operands)(struct qpu *q, const struct qpu_pipe *p, bool is_mul, bool flags,
                                     struct QPU_NAME(view) a, struct QPU_NAME(view) b,
                                     const struct qpu_result *r, struct vc4_vector *defined)
{
    const struct alu_rules *alu = &q->rules->alu;
    (is_mul ? alu_cover_mul : alu_cover_add)(alu, p->opcode, a.value, b.value, flags, q->env->coverage);
    if (p->op->clauses[0] == ALU_SHIFT_AMOUNT && !covered(q->env->coverage, ALU_SHIFT_AMOUNT) &&
        !amounts_defined(p, b.defined, r, flags))
        cover(q->env->coverage, ALU_SHIFT_AMOUNT, 0); /* which of the amount's bits have to be defined */
    p->op->defined(alu, a.value, b.value, a.defined, b.defined, defined, flags ? &q->carry.defined : NULL);
}

static ALU_INLINE struct QPU_NAME(view)
    QPU_NAME(run_alu)(struct qpu *q, const struct qpu_pipe *p, bool is_mul, bool flags,
                      struct QPU_NAME(view) a, struct QPU_NAME(view) b, struct qpu_result *r)
{
    const struct alu_rules *alu = &q->rules->alu;
    struct vc4_vector *value = &r->value, *defined = &r->defined;
    if (p->direct) {
        value = p->target.value;
        defined = p->target.defined;
    }
    if (QPU_CHECKED)
        QPU_NAME(judge_operands)(q, p, is_mul, flags, a, b, r, defined);
    p->kernel(alu, a.value, b.value, value, flags ? &q->carry.value : NULL);
    if (p->packs == QPU_PACKS_A && p->op->overflow) {
        p->op->overflow(alu, a.value, b.value, value, &r->overflow);
        if (QPU_CHECKED)
            alu_overflow_defined(a.defined, b.defined, &r->overflow_defined);
    }
    return (struct QPU_NAME(view)){value, defined};
}

/* What a pipe gives that has no operation: an immediate, or something that stands ready. */
static RARE struct QPU_NAME(view) QPU_NAME(run_without)(struct qpu *q, const struct qpu_pipe *p, bool flags,
                                                        struct QPU_NAME(view) immediate)
{
    bool reserved = p->source == QPU_FROM_RESERVED; /* p35, p36: codes without an operation */
    if (flags) {
        q->carry.value = q->zero;
        q->carry.defined = reserved ? q->zero : q->all;
    }
    return reserved                      ? QPU_NAME(view_of)(&q->undefined)
           : p->source == QPU_FROM_STALE ? QPU_NAME(view_of)(&q->stale_mul)
                                         : immediate;
}

static ALU_INLINE struct QPU_NAME(view)
    QPU_NAME(run_pipe)(struct qpu *q, const struct qpu_step *s, bool is_mul, struct QPU_NAME(view) a,
                       struct QPU_NAME(view) b, struct QPU_NAME(view) immediate)
{
    const struct qpu_pipe *p = is_mul ? &s->mul : &s->add;
    bool flags = s->flags_from == (is_mul ? QPU_FLAGS_MUL : QPU_FLAGS_ADD);
    if (p->source == QPU_FROM_NOTHING)
        return immediate;
    if (p->source == QPU_FROM_ALU)
        return QPU_NAME(run_alu)(q, p, is_mul, flags, a, b, is_mul ? &q->mul : &q->add);
    return QPU_NAME(run_without)(q, p, flags, immediate);
}

#include "model/vc4/qpu/qpu_rotate.inc.h"

/* ---- conditions ---- */

/* Which elements the pipe writes, where that has to be known one by one. */
static RARE void QPU_NAME(find_lanes)(const struct qpu *q, const struct qpu_pipe *p, struct qpu_result *r)
{
    if (p->cond <= QPU_COND_ALWAYS) {
        r->lanes = p->cond ? q->all : q->zero;
        if (QPU_CHECKED)
            r->lanes_defined = q->all;
        return;
    }
    const struct vc4_vector *const flag[] = {&q->flags.z, &q->flags.n, &q->flags.c};
    /* NOLINTNEXTLINE(clang-analyzer-deadcode.DeadStores): the values-only form has no use for it */
    const struct vc4_vector *const flag_defined[] = {&q->flags_defined.z, &q->flags_defined.n,
                                                     &q->flags_defined.c};
    q->rules->alu.tools->invert(flag[p->cond / 2 - 1], 0 - (uint32_t)(p->cond & 1), &r->lanes);
    if (QPU_CHECKED)
        r->lanes_defined = *flag_defined[p->cond / 2 - 1];
}

/*
 * Brings `from` to the lanes that hold (`lanes` NULL: to all); where nobody knows whether one holds, nobody
 * knows what is there afterwards.
 */
static void QPU_NAME(put)(const struct qpu *q, struct vc4_vector *to, struct vc4_vector *to_defined,
                          struct QPU_NAME(view) from, const struct qpu_result *lanes)
{
    const struct alu_tools *tools = q->rules->alu.tools;
    const struct vc4_vector *where = lanes ? &lanes->lanes : &q->all;
    tools->select(from.value, where, to);
    if (!QPU_CHECKED)
        return;
    tools->select(from.defined, where, to_defined);
    for (unsigned i = 0; lanes && i < VC4_LANES; i++)
        to_defined->lane[i] &= lanes->lanes_defined.lane[i];
}

/* ---- write-back ---- */

/* The result as it is written: packed, which may keep some of `old`. */
static RARE struct QPU_NAME(view)
    QPU_NAME(pack)(struct qpu *q, const struct qpu_pipe *p, struct QPU_NAME(view) result,
                   const struct qpu_result *r, struct QPU_NAME(view) old, struct qpu_value *out)
{
    const struct alu_rules *alu = &q->rules->alu;
    bool is_alu = p->source == QPU_FROM_ALU, overflow = is_alu && p->op->overflow,
         float_out = is_alu && p->op->float_out;
    unsigned op = is_alu ? p->opcode : p->source == QPU_FROM_IMMEDIATE ? PACKS_AS_FLOAT : PACKS_AS_MOVE;
    switch ((enum qpu_packs)p->packs) {
    case QPU_PACKS_NOT:
        return result;
    case QPU_PACKS_A:
        alu_pack_a(alu, p->pack, float_out, result.value, overflow ? &r->overflow : NULL, old.value,
                   &out->value);
        if (QPU_CHECKED)
            alu_pack_a_defined(alu, p->pack, float_out, result.defined,
                               overflow ? &r->overflow_defined : NULL, old.defined, &out->defined);
        break;
    case QPU_PACKS_MUL:
        alu_pack_mul(alu, p->pack, op, result.value, old.value, &out->value);
        if (QPU_CHECKED)
            alu_pack_mul_defined(alu, p->pack, op, result.defined, old.defined, &out->defined);
        break;
    case QPU_PACKS_JUNK:
        QPU_NAME(undefine)(q, &out->value, &out->defined);
        break;
    }
    return QPU_NAME(view_of)(out);
}

/* The two forms of a write to r5 (p18, p38 T14; clauses r5-*): what goes to each element, and whose condition
 * counts. */
static RARE void QPU_NAME(write_r5)(struct qpu *q, const struct qpu_pipe *p, struct QPU_NAME(view) in,
                                    const struct qpu_result *r)
{
    struct qpu_value v;
    struct qpu_result lanes;
    lanes.lanes = r->lanes;
    if (QPU_CHECKED)
        lanes.lanes_defined = r->lanes_defined;
    unsigned reading = qpu_reading(q, QPU_R5_COND_ELEMENT0);
    bool quads = p->to == QPU_TO_R5_A, concat = quads && qpu_reading(q, QPU_R5_BYTE_CONCAT) == READING_MANUAL;
    for (unsigned i = 0; i < VC4_LANES; i++) {
        unsigned from = quads ? i & ~3U : 0;
        v.value.lane[i] = concat ? join_bytes(in.value->lane + from) : in.value->lane[from];
        if (QPU_CHECKED)
            v.defined.lane[i] = concat ? join_bytes(in.defined->lane + from) : in.defined->lane[from];
    }
    bool by_source = reading != READING_MANUAL && p->cond != QPU_COND_ALWAYS;
    for (unsigned i = by_source ? VC4_LANES : 0;
         i-- > 0;) { /* downwards: the elements looked at stand below */
        unsigned from = reading == R5_COND_SOURCE_ELEMENT && quads ? i & ~3U : 0;
        lanes.lanes.lane[i] = lanes.lanes.lane[from];
        if (QPU_CHECKED)
            lanes.lanes_defined.lane[i] = lanes.lanes_defined.lane[from];
    }
    QPU_NAME(put)
    (q, &q->acc.value[5], QPU_CHECKED ? &q->acc.defined[5] : NULL, QPU_NAME(view_of)(&v), &lanes);
}

static RARE void QPU_NAME(write_io)(struct qpu *q, const struct qpu_pipe *p, struct QPU_NAME(view) result,
                                    const struct qpu_result *r)
{
    struct qpu_value packed;
    struct QPU_NAME(view) v =
        QPU_NAME(pack)(q, p, result, r, (struct QPU_NAME(view)){&q->zero, &q->all}, &packed);
    struct qpu_result out;
    out.value = *v.value;
    out.lanes = r->lanes;
    if (QPU_CHECKED) {
        out.defined = *v.defined;
        out.lanes_defined = r->lanes_defined;
    }
    qpu_write_io(q, p->file, p->index, &out);
}

static RARE void QPU_NAME(write_pipe)(struct qpu *q, const struct qpu_step *s, const struct qpu_pipe *p,
                                      struct QPU_NAME(view) result, const struct qpu_result *r,
                                      struct qpu_value *old)
{
    if (p->to == QPU_TO_IO) {
        QPU_NAME(write_io)(q, p, result, r);
        return;
    }
    const struct vc4_rows *rows = QPU_NAME(rows_of)(q, p);
    struct QPU_NAME(view) row = QPU_NAME(view_row)(rows, p->index);
    if (s->keeps_old) {
        old->value = *row.value;
        if (QPU_CHECKED)
            old->defined = *row.defined;
    }
    struct qpu_value packed;
    struct QPU_NAME(view) v = QPU_NAME(pack)(q, p, result, r, row, &packed);
    struct vc4_vector *to_defined = QPU_CHECKED ? &rows->defined[p->index] : NULL;
    if (p->to == QPU_TO_ACCUMULATOR || p->to == QPU_TO_REGISTER)
        QPU_NAME(put)(q, &rows->value[p->index], to_defined, v, p->lanes ? r : NULL);
    else
        QPU_NAME(write_r5)(q, p, v, r);
}

/* Both ALUs to one register: which elements nobody knows (p19; clause inverse-cond-peripheral). */
static RARE void QPU_NAME(write_both)(struct qpu *q, const struct qpu_step *s, struct QPU_NAME(view) add,
                                      struct QPU_NAME(view) mul)
{
    bool io = s->add.to == QPU_TO_IO;
    if (s->both == QPU_BOTH_ADD_ONLY ||
        (s->both == QPU_BOTH_MERGE && (!io || s->add.index == QPU_W_INTERRUPT))) {
        QPU_NAME(write_pipe)(q, s, &s->add, add, &q->add, &q->old_add);
        if (s->both == QPU_BOTH_MERGE)
            QPU_NAME(write_pipe)(q, s, &s->mul, mul, &q->mul, &q->old_mul);
        return;
    }
    struct qpu_pipe p = s->add;
    struct qpu_result r = q->add;
    r.value = *add.value;
    if (QPU_CHECKED)
        r.defined = *add.defined;
    for (unsigned i = 0; i < VC4_LANES; i++) {
        bool junk = s->both == QPU_BOTH_UNDEFINED || q->mul.lanes.lane[i];
        if (junk)
            r.value.lane[i] = q->env->filler;
        if (QPU_CHECKED) {
            if (junk || ~q->mul.lanes_defined.lane[i])
                r.defined.lane[i] = 0;
            r.lanes_defined.lane[i] &= q->mul.lanes_defined.lane[i];
        }
        r.lanes.lane[i] |= q->mul.lanes.lane[i];
    }
    p.packs = QPU_PACKS_NOT;
    QPU_NAME(write_pipe)(q, s, &p, (struct QPU_NAME(view)){&r.value, &r.defined}, &r, &q->old_add);
    q->old_mul = q->old_add;
}

/* ---- flags (p27 T1, p28; clauses sf-*) ---- */

static RARE void QPU_NAME(set_flags)(struct qpu *q, const struct qpu_step *s, struct QPU_NAME(view) result)
{
    bool add = s->flags_from == QPU_FLAGS_ADD;
    const struct qpu_pipe *p = add ? &s->add : &s->mul;
    const struct qpu_result *r = add ? &q->add : &q->mul, *lanes = s->flags_all ? NULL : r;
    struct qpu_value packed, z, n;
    if (p->packs != QPU_PACKS_NOT && alu_flags_from_packed(&q->rules->alu))
        result = QPU_NAME(pack)(q, p, result, r, (struct QPU_NAME(view)){&q->zero, &q->all}, &packed);
    q->rules->alu.tools->zero_negative(result.value, &z.value, &n.value);
    if (QPU_CHECKED)
        alu_zero_negative_defined(result.value, result.defined, &z.defined, &n.defined);
    QPU_NAME(put)(q, &q->flags.z, &q->flags_defined.z, QPU_NAME(view_of)(&z), lanes);
    QPU_NAME(put)(q, &q->flags.n, &q->flags_defined.n, QPU_NAME(view_of)(&n), lanes);
    if (!s->flags_keep_c)
        QPU_NAME(put)(q, &q->flags.c, &q->flags_defined.c, QPU_NAME(view_of)(&q->carry), lanes);
}

/* ---- the step ---- */

/* The MUL result that a later nop may repeat; unreliable where a condition suppressed it. */
static RARE void QPU_NAME(keep_mul)(struct qpu *q, const struct qpu_step *s, struct QPU_NAME(view) mul)
{
    if (s->mul.source != QPU_FROM_ALU && s->mul.source != QPU_FROM_RESERVED)
        return;
    QPU_NAME(leave_behind)(&q->stale_mul, mul);
    for (unsigned i = 0; i < VC4_LANES; i++)
        if (!q->mul.lanes.lane[12 + i % 4]) {
            q->stale_mul.value.lane[i] = q->env->filler;
            q->stale_mul.defined.lane[i] = 0;
        } else if (QPU_CHECKED && !q->mul.lanes_defined.lane[12 + i % 4]) {
            q->stale_mul.defined.lane[i] = 0;
        }
}

/* Both pipes compute before either writes; but a `direct` result goes where it belongs at once. */
static ALU_INLINE void QPU_NAME(compute_and_write)(struct qpu *q, const struct qpu_step *s,
                                                   const struct qpu_step *before,
                                                   const struct QPU_NAME(operands) * o,
                                                   struct QPU_NAME(view) immediate)
{
    struct QPU_NAME(view) mul_a = QPU_NAME(operand)(o, s->mul.mux_a),
                          mul_b = QPU_NAME(operand)(o, s->mul.mux_b);
    bool rotates = s->rotates && s->mul.source == QPU_FROM_ALU;
    if (rotates && QPU_NAME(aim_rotator)(q, s, before, o)) {
        mul_a = QPU_NAME(view_of)(&q->operand[0]);
        mul_b = QPU_NAME(view_of)(&q->operand[1]);
    }
    if (s->add.lanes)
        QPU_NAME(find_lanes)(q, &s->add, &q->add);
    if (s->mul.lanes)
        QPU_NAME(find_lanes)(q, &s->mul, &q->mul);
    struct QPU_NAME(view) add = QPU_NAME(run_pipe)(q, s, false, QPU_NAME(operand)(o, s->add.mux_a),
                                                   QPU_NAME(operand)(o, s->add.mux_b), immediate);
    struct QPU_NAME(view) mul = QPU_NAME(run_pipe)(q, s, true, mul_a, mul_b, immediate);
    if (rotates)
        QPU_NAME(turn_result)(q, s);
    if (s->both)
        QPU_NAME(write_both)(q, s, add, mul);
    if (s->add.apart && !s->both)
        QPU_NAME(write_pipe)(q, s, &s->add, add, &q->add, &q->old_add);
    if (s->mul.apart && !s->both && !q->stop)
        QPU_NAME(write_pipe)(q, s, &s->mul, mul, &q->mul, &q->old_mul);
    if (s->flags_from)
        QPU_NAME(set_flags)(q, s, s->flags_from == QPU_FLAGS_ADD ? add : mul);
    if (q->tracks_mul)
        QPU_NAME(keep_mul)(q, s, mul);
    if (QPU_CHECKED && q->env->fidelity && !q->stop)
        qpu_account(q, s, add.defined, mul.defined);
}

/* Load immediates and semaphores: no operand, and one value for both pipes. */
static RARE void QPU_NAME(load)(struct qpu *q, const struct qpu_step *s, const struct qpu_step *before)
{
    struct QPU_NAME(operands) none = {{NULL}, {NULL}};
    struct QPU_NAME(view) immediate = {&s->immediate, &q->all};
    if (s->insn.class == QPU_SEMAPHORE) {
        q->read[0].value = s->immediate;
        qpu_semaphore(q, s, &q->read[0].value);
        immediate.value = &q->read[0].value;
    }
    QPU_NAME(compute_and_write)(q, s, before, &none, immediate);
}

/* Every step that does more than compute on registers and constants. */
static RARE void QPU_NAME(run)(struct qpu *q, struct qpu_step *s, const struct qpu_step *before)
{
    struct QPU_NAME(operands) operands;
    if (s->may_wait && qpu_must_wait(q, s)) {
        q->before = before; /* the step was not executed */
        return;
    }
    if (s->signals)
        qpu_signal(q, s);
    if (q->stop)
        return;
    if (!qpu_is_alu(&s->insn))
        QPU_NAME(load)(q, s, before);
    else if (QPU_NAME(read_operands)(q, s, before, &operands))
        QPU_NAME(compute_and_write)(q, s, before, &operands, (struct QPU_NAME(view)){&q->zero, &q->all});
}

/* A direct result of operands that stand ready. */
static ALU_INLINE void QPU_NAME(run_direct)(struct qpu *q, const struct qpu_pipe *p, bool is_mul)
{
    struct QPU_NAME(view) a = {p->a.value, p->a.defined}, b = {p->b.value, p->b.defined};
    if (p->source == QPU_FROM_NOTHING)
        return;
    if (QPU_CHECKED)
        QPU_NAME(judge_operands)(q, p, is_mul, false, a, b, NULL, p->target.defined);
    p->kernel(&q->rules->alu, a.value, b.value, p->target.value, NULL);
}

void QPU_STEP(struct qpu *q, struct qpu_step *s, const struct qpu_step *before)
{
    bool hazard = before->writes & s->reads || q->sfu_due != UINT64_MAX;
    if (!s->only_computes || hazard || (QPU_CHECKED && q->env->fidelity)) {
        QPU_NAME(run)(q, s, before);
        return;
    }
    QPU_NAME(run_direct)(q, &s->add, false);
    QPU_NAME(run_direct)(q, &s->mul, true);
}
