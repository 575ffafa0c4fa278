/* SPDX-License-Identifier: MIT */
/*
 * The general way of one step, as a template: qpu_step.c includes it once with
 * QPU_CHECKED 0 (values only) and once with 1 (values and which of their bits
 * are defined). The order within an instruction is the pipeline's: reads, ALUs,
 * writes, flags (p17 fig 2). QPU_NAME(x) names the functions of one form.
 *
 * Which reading of a clause is in force was settled by qpu_prepare.c; only what
 * hangs on the instruction before (hazards) is looked up here.
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

static void QPU_NAME(leave_behind)(struct qpu_value *to, struct QPU_NAME(view) v)
{
    vector_leave_behind(&to->value, v.value);
    if (QPU_CHECKED)
        vector_leave_behind(&to->defined, v.defined);
}

/* A register that the step before wrote (p37; clause regfile-hazard). */
static struct QPU_NAME(view) QPU_NAME(hazard)(struct qpu *q, const struct qpu_step *before, unsigned file, unsigned number)
{
    qpu_consult(q, QPU_REGFILE_HAZARD);
    unsigned reading = qpu_reading(q, QPU_REGFILE_HAZARD);
    if (reading == READING_MANUAL)
        return QPU_NAME(view_of)(&q->undefined);
    if (reading == REGFILE_NEW)
        return QPU_NAME(view_row)(&q->file[file], number);
    bool by_add = before->add.to == QPU_TO_REGISTER && before->add.file == file && before->add.index == number;
    return QPU_NAME(view_of)(by_add ? &q->old_add : &q->old_mul);
}

static struct QPU_NAME(view)
    QPU_NAME(read_file)(struct qpu *q, const struct qpu_step *s, const struct qpu_step *before, unsigned file, struct QPU_NAME(view) file_a)
{
    unsigned address = s->read[file].address;
    q->wanted = s->read[file].wanted;
    switch ((enum qpu_read)s->read[file].kind) {
    case QPU_READ_REGISTER:
        if (before->writes >> (32 * file + address) & 1 && s->read[file].used)
            return QPU_NAME(hazard)(q, before, file, address);
        return QPU_NAME(view_row)(&q->file[file], address);
    case QPU_READ_CONSTANT:
        if (file && s->insn.class == QPU_ALU_SMALL)
            return (struct QPU_NAME(view)){&s->immediate, &q->all};
        return (struct QPU_NAME(view)){file ? &q->number.value : &element_numbers, &q->all};
    case QPU_READ_NOP:
        qpu_read_stale(q, file, &q->read[file]);
        return QPU_NAME(view_of)(&q->read[file]);
    case QPU_READ_IO:
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

static void QPU_NAME(keep_stale)(struct qpu *q, const struct qpu_step *s, unsigned file, struct QPU_NAME(view) v)
{
    if (q->tracks_stale && s->read[file].kind != QPU_READ_NONE && s->read[file].kind != QPU_READ_NOP)
        QPU_NAME(leave_behind)(&q->stale[file], v);
}

/* Fills the eight views that the operand codes select among. False: the QPU stopped in a read. */
static bool QPU_NAME(read_operands)(struct qpu *q, const struct qpu_step *s, const struct qpu_step *before, struct QPU_NAME(view) view[8])
{
    for (unsigned i = 0; i < 6; i++)
        view[i] = QPU_NAME(view_row)(&q->acc, i);
    if (qpu_reading(q, QPU_ACCUMULATOR_COUNT) == ACCUMULATORS_FIVE)
        view[QPU_MUX_R5] = (struct QPU_NAME(view)){&q->zero, &q->all};
    struct QPU_NAME(view) a = QPU_NAME(read_file)(q, s, before, 0, view[0]);
    if (q->stop)
        return false;
    struct QPU_NAME(view) b = QPU_NAME(read_file)(q, s, before, 1, a);
    if (q->stop)
        return false;
    QPU_NAME(keep_stale)(q, s, 0, a);
    QPU_NAME(keep_stale)(q, s, 1, b);
    if (s->unpack_a) {
        alu_unpack_a(&q->rules->alu, s->unpack_a, s->float_view, a.value, &q->unpacked.value);
        if (QPU_CHECKED)
            alu_unpack_a_defined(&q->rules->alu, s->unpack_a, s->float_view, a.defined, &q->unpacked.defined);
        a = QPU_NAME(view_of)(&q->unpacked);
    }
    view[QPU_MUX_A] = a;
    view[QPU_MUX_B] = b;
    if (!(s->reads_acc & 1U << QPU_MUX_R4))
        return true;
    if (q->sfu_due != UINT64_MAX) { /* p37: r4 is on its way (clause sfu-r4-hazard) */
        qpu_consult(q, QPU_SFU_R4_HAZARD);
        unsigned reading = qpu_reading(q, QPU_SFU_R4_HAZARD);
        if (reading == READING_MANUAL)
            view[QPU_MUX_R4] = QPU_NAME(view_of)(&q->undefined);
        else if (reading == SFU_R4_NEW)
            qpu_deliver_sfu(q);
    }
    if (s->unpack_r4) {
        struct QPU_NAME(view) r4 = view[QPU_MUX_R4];
        alu_unpack_r4(&q->rules->alu, s->unpack_r4, r4.value, &q->r4_view.value);
        if (QPU_CHECKED)
            alu_unpack_r4_defined(&q->rules->alu, s->unpack_r4, r4.defined, &q->r4_view.defined);
        view[QPU_MUX_R4] = QPU_NAME(view_of)(&q->r4_view);
    }
    return true;
}

/* ---- rotation (p20, p30 T5; clauses rotate-*) ---- */

static void QPU_NAME(undefine)(struct qpu *q, struct vc4_vector *value, struct vc4_vector *defined)
{
    *value = q->undefined.value;
    if (QPU_CHECKED)
        *defined = q->undefined.defined;
}

/* The amount; `undefined` is set where nobody knows it. */
static unsigned QPU_NAME(rotation)(struct qpu *q, const struct qpu_step *s, const struct qpu_step *before, bool *undefined)
{
    if (!s->rotates_by_r5)
        return s->rotation;
    if (qpu_reading(q, QPU_ACCUMULATOR_COUNT) == ACCUMULATORS_FIVE)
        return 0;
    struct QPU_NAME(view) r5 = QPU_NAME(view_row)(&q->acc, 5);
    if (before->writes_acc & 0x20) {
        qpu_consult(q, QPU_ROTATE_R5_HAZARD);
        unsigned reading = qpu_reading(q, QPU_ROTATE_R5_HAZARD);
        *undefined = *undefined || reading == READING_MANUAL;
        if (reading == ROTATE_R5_OLD)
            r5 = QPU_NAME(view_of)(before->add.to == QPU_TO_R5_A || before->add.to == QPU_TO_R5_B ? &q->old_add : &q->old_mul);
    }
    if (QPU_CHECKED && (r5.defined->lane[0] & 15) != 15)
        *undefined = true;
    return r5.value->lane[0] & 15;
}

/* One operand on its way through the rotator: the quad that lane l of target quad t takes its element from. */
static void QPU_NAME(rotate_operand)(struct qpu *q, const struct qpu_step *s, const struct qpu_step *before, unsigned mux, unsigned n,
                                     struct QPU_NAME(view) * v, struct qpu_value *out)
{
    bool accumulator = mux <= QPU_MUX_R3;
    bool moves = s->rotate_rule == QPU_ROTATE_ALL_FULL || (accumulator && s->rotate_rule == QPU_ROTATE_SPLIT);
    bool fresh = accumulator && before->writes_acc >> mux & 1;
    const struct qpu_pipe *writer = before->add.index == mux && before->add.to == QPU_TO_ACCUMULATOR ? &before->add : &before->mul;
    const struct qpu_result *result = writer == &before->add ? &q->add : &q->mul;
    /* Some elements only; else all count as written. A branch writes its link to all, and has no condition for it. */
    bool some = before == s - 1 && before->insn.class != QPU_BRANCH && writer->cond != QPU_COND_ALWAYS && !before->both;
    unsigned reading = fresh ? qpu_reading(q, QPU_ROTATE_HAZARD_SCOPE) : ROTATE_HAZARD_OLD;
    struct QPU_NAME(view) old = QPU_NAME(view_of)(before->add.to == QPU_TO_ACCUMULATOR && before->add.index == mux ? &q->old_add : &q->old_mul);
    for (unsigned i = 0; i < VC4_LANES; i++) {
        unsigned quad = i / 4, lane = i % 4, from = moves ? (quad - n / 4 - (lane + n % 4 >= 4)) & 3 : quad;
        bool lower = from > quad;
        struct QPU_NAME(view) source = *v;
        if (fresh && (reading == ROTATE_HAZARD_OLD || (lower && reading == ROTATE_HAZARD_LOWER_OLD)))
            source = old;
        else if (fresh && reading == ROTATE_HAZARD_LOWER && lower && some && !result->lanes.lane[4 * from + lane] &&
                 (!QPU_CHECKED || result->lanes_defined.lane[4 * from + lane]))
            source = *v; /* the write left this element as it was: old and new are the same */
        else if (fresh && (reading == READING_MANUAL || (lower && reading == ROTATE_HAZARD_LOWER)))
            source = QPU_NAME(view_of)(&q->undefined);
        out->value.lane[i] = source.value->lane[4 * from + lane];
        if (QPU_CHECKED)
            out->defined.lane[i] = source.defined->lane[4 * from + lane];
    }
    if (fresh)
        qpu_consult(q, QPU_ROTATE_HAZARD_SCOPE);
    *v = QPU_NAME(view_of)(out);
}

static void QPU_NAME(rotate_in_quads)(struct vc4_vector *v, unsigned n)
{
    struct vc4_vector in = *v;
    for (unsigned i = 0; i < VC4_LANES; i++)
        v->lane[i / 4 * 4 + (i + n) % 4] = in.lane[i];
}

/* ---- the ALUs ---- */

static void QPU_NAME(run_alu)(struct qpu *q, const struct qpu_pipe *p, bool is_mul, bool flags, struct QPU_NAME(view) a, struct QPU_NAME(view) b,
                              struct qpu_result *r)
{
    const struct alu_op *op = p->op;
    p->kernel(&q->rules->alu, a.value, b.value, &r->value, flags ? &q->carry.value : NULL);
    bool overflow = p->packs == QPU_PACKS_A && op->overflow;
    if (overflow)
        op->overflow(&q->rules->alu, a.value, b.value, &r->value, &r->overflow);
    if (!QPU_CHECKED)
        return;
    op->defined(&q->rules->alu, a.value, b.value, a.defined, b.defined, &r->defined, flags ? &q->carry.defined : NULL);
    if (overflow)
        alu_overflow_defined(a.defined, b.defined, &r->overflow_defined);
    if (is_mul)
        alu_cover_mul(&q->rules->alu, p->opcode, a.value, b.value, flags, q->env->coverage);
    else
        alu_cover_add(&q->rules->alu, p->opcode, a.value, b.value, flags, q->env->coverage);
    if (op->clauses[0] == ALU_SHIFT_AMOUNT && !amounts_defined(b.defined, r, flags))
        cover(q->env->coverage, ALU_SHIFT_AMOUNT, 0); /* which of the amount's bits have to be defined */
}

/* The MUL result's way through the rotator; `undefined`: nobody knows by how much, or of what. */
static void QPU_NAME(rotate_result)(struct qpu *q, const struct qpu_step *s, bool flags, unsigned n, bool undefined)
{
    bool overflow = s->mul.packs == QPU_PACKS_A && s->mul.op->overflow;
    struct vc4_vector *const turned[] = {&q->mul.value, flags ? &q->carry.value : NULL, overflow ? &q->mul.overflow : NULL};
    struct vc4_vector *const masks[] = {&q->mul.defined, flags ? &q->carry.defined : NULL, overflow ? &q->mul.overflow_defined : NULL};
    for (unsigned i = 0; i < 3; i++)
        if (turned[i]) {
            QPU_NAME(rotate_in_quads)(turned[i], n);
            if (QPU_CHECKED)
                QPU_NAME(rotate_in_quads)(masks[i], n);
        }
    if (undefined) {
        QPU_NAME(undefine)(q, &q->mul.value, &q->mul.defined);
        vector_splat(&q->mul.overflow_defined, 0);
        q->carry.value = q->undefined.value; /* turned into lane masks with the flags */
        vector_splat(&q->carry.defined, 0);
    }
}

/* A pipe's result, from its operands. */
static void QPU_NAME(run_pipe)(struct qpu *q, const struct qpu_step *s, bool is_mul, const struct QPU_NAME(view) operand[2],
                               const struct qpu_value *immediate)
{
    const struct qpu_pipe *p = is_mul ? &s->mul : &s->add;
    struct qpu_result *r = is_mul ? &q->mul : &q->add;
    bool flags = s->flags_from == (is_mul ? QPU_FLAGS_MUL : QPU_FLAGS_ADD);
    switch ((enum qpu_source)p->source) {
    case QPU_FROM_NOTHING:
        return;
    case QPU_FROM_ALU:
        QPU_NAME(run_alu)(q, p, is_mul, flags, operand[0], operand[1], r);
        return;
    case QPU_FROM_IMMEDIATE:
        r->value = immediate->value;
        if (QPU_CHECKED)
            r->defined = immediate->defined;
        break;
    case QPU_FROM_RESERVED: /* p35, p36: codes without an operation */
        QPU_NAME(undefine)(q, &r->value, &r->defined);
        break;
    case QPU_FROM_STALE:
        r->value = q->stale_mul.value;
        if (QPU_CHECKED)
            r->defined = q->stale_mul.defined;
        break;
    }
    if (flags) {
        q->carry.value = q->zero;
        q->carry.defined = p->source == QPU_FROM_RESERVED ? q->zero : q->all;
    }
}

/* ---- conditions ---- */

static void QPU_NAME(find_lanes)(const struct qpu *q, unsigned cond, struct qpu_result *r)
{
    if (cond <= QPU_COND_ALWAYS) {
        r->lanes = cond ? q->all : q->zero;
        if (QPU_CHECKED)
            r->lanes_defined = q->all;
        return;
    }
    const struct vc4_vector *const flag[] = {&q->flags.z, &q->flags.n, &q->flags.c};
    /* NOLINTNEXTLINE(clang-analyzer-deadcode.DeadStores): the values-only form has no use for it */
    const struct vc4_vector *const flag_defined[] = {&q->flags_defined.z, &q->flags_defined.n, &q->flags_defined.c};
    uint32_t invert = 0 - (cond & 1);
    for (unsigned i = 0; i < VC4_LANES; i++)
        r->lanes.lane[i] = flag[cond / 2 - 1]->lane[i] ^ invert;
    if (QPU_CHECKED)
        r->lanes_defined = *flag_defined[cond / 2 - 1];
}

/* Writes `value` to the lanes that hold; where nobody knows whether one holds, nobody knows what is there afterwards. */
static void QPU_NAME(put)(struct vc4_vector *to, struct vc4_vector *to_defined, const struct qpu_value *from, const struct qpu_result *lanes)
{
    vector_select(to, &from->value, &lanes->lanes);
    if (!QPU_CHECKED)
        return;
    vector_select(to_defined, &from->defined, &lanes->lanes);
    for (unsigned i = 0; i < VC4_LANES; i++)
        to_defined->lane[i] &= lanes->lanes_defined.lane[i];
}

/* ---- write-back ---- */

static void QPU_NAME(pack)(struct qpu *q, const struct qpu_pipe *p, const struct qpu_result *r, struct QPU_NAME(view) old, struct qpu_value *out)
{
    bool alu = p->source == QPU_FROM_ALU, overflow = alu && p->op->overflow, float_out = alu && p->op->float_out;
    unsigned op = alu ? p->opcode : p->source == QPU_FROM_IMMEDIATE ? PACKS_AS_FLOAT : PACKS_AS_MOVE;
    switch ((enum qpu_packs)p->packs) {
    case QPU_PACKS_NOT:
        out->value = r->value;
        if (QPU_CHECKED)
            out->defined = r->defined;
        return;
    case QPU_PACKS_A:
        alu_pack_a(&q->rules->alu, p->pack, float_out, &r->value, overflow ? &r->overflow : NULL, old.value, &out->value);
        if (QPU_CHECKED)
            alu_pack_a_defined(&q->rules->alu, p->pack, float_out, &r->defined, overflow ? &r->overflow_defined : NULL, old.defined, &out->defined);
        return;
    case QPU_PACKS_MUL:
        alu_pack_mul(&q->rules->alu, p->pack, op, &r->value, old.value, &out->value);
        if (QPU_CHECKED)
            alu_pack_mul_defined(&q->rules->alu, p->pack, op, &r->defined, old.defined, &out->defined);
        return;
    case QPU_PACKS_JUNK:
        QPU_NAME(undefine)(q, &out->value, &out->defined);
        return;
    }
}

/* The two forms of a write to r5 (p18, p38 T14; clauses r5-*): what goes to each element, and whose condition counts. */
static void QPU_NAME(spread_r5)(struct qpu *q, const struct qpu_pipe *p, struct qpu_value *v, struct qpu_result *r)
{
    struct vc4_vector in = v->value, in_defined = v->defined; /* NOLINT(clang-analyzer-deadcode.DeadStores): the values-only form */
    bool concat = p->to == QPU_TO_R5_A && qpu_reading(q, QPU_R5_BYTE_CONCAT) == READING_MANUAL;
    for (unsigned i = 0; i < VC4_LANES; i++) {
        unsigned from = p->to == QPU_TO_R5_A ? i & ~3U : 0;
        v->value.lane[i] = concat ? join_bytes(in.lane + from) : in.lane[from];
        if (QPU_CHECKED)
            v->defined.lane[i] = concat ? join_bytes(in_defined.lane + from) : in_defined.lane[from];
    }
    unsigned reading = qpu_reading(q, QPU_R5_COND_ELEMENT0);
    if (reading == READING_MANUAL || p->cond == QPU_COND_ALWAYS)
        return;
    for (unsigned i = VC4_LANES; i-- > 0;) { /* downwards: the elements looked at stand below */
        unsigned from = reading == R5_COND_SOURCE_ELEMENT && p->to == QPU_TO_R5_A ? i & ~3U : 0;
        r->lanes.lane[i] = r->lanes.lane[from];
        if (QPU_CHECKED)
            r->lanes_defined.lane[i] = r->lanes_defined.lane[from];
    }
}

static void QPU_NAME(write_pipe)(struct qpu *q, const struct qpu_step *s, const struct qpu_pipe *p, const struct qpu_result *r, struct qpu_value *old)
{
    if (p->to == QPU_TO_NOTHING)
        return;
    struct qpu_value v;
    if (p->to == QPU_TO_IO) {
        struct qpu_result out;
        QPU_NAME(pack)(q, p, r, (struct QPU_NAME(view)){&q->zero, &q->all}, &v);
        out.value = v.value;
        out.lanes = r->lanes;
        if (QPU_CHECKED) {
            out.defined = v.defined;
            out.lanes_defined = r->lanes_defined;
        }
        qpu_write_io(q, p->file, p->index, &out);
        return;
    }
    const struct vc4_rows *rows = p->to == QPU_TO_REGISTER ? &q->file[p->file] : &q->acc;
    struct QPU_NAME(view) row = QPU_NAME(view_row)(rows, p->index);
    if (s->keeps_old) {
        old->value = *row.value;
        if (QPU_CHECKED)
            old->defined = *row.defined;
    }
    QPU_NAME(pack)(q, p, r, row, &v);
    struct vc4_vector *to_defined = QPU_CHECKED ? &rows->defined[p->index] : NULL;
    if (p->to == QPU_TO_R5_A || p->to == QPU_TO_R5_B) {
        struct qpu_result lanes = *r;
        QPU_NAME(spread_r5)(q, p, &v, &lanes);
        QPU_NAME(put)(&rows->value[p->index], to_defined, &v, &lanes);
    } else {
        QPU_NAME(put)(&rows->value[p->index], to_defined, &v, r);
    }
}

/* Both ALUs to one register: which elements nobody knows (p19; clause inverse-cond-peripheral). */
static void QPU_NAME(write_both)(struct qpu *q, const struct qpu_step *s)
{
    bool io = s->add.to == QPU_TO_IO;
    if (s->both == QPU_BOTH_ADD_ONLY || (s->both == QPU_BOTH_MERGE && (!io || s->add.index == 38))) {
        QPU_NAME(write_pipe)(q, s, &s->add, &q->add, &q->old_add);
        if (s->both == QPU_BOTH_MERGE)
            QPU_NAME(write_pipe)(q, s, &s->mul, &q->mul, &q->old_mul);
        return;
    }
    struct qpu_pipe p = s->add;
    struct qpu_result r = q->add;
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
    QPU_NAME(write_pipe)(q, s, &p, &r, &q->old_add);
    q->old_mul = q->old_add;
}

/* ---- flags (p27 T1, p28; clauses sf-*) ---- */

static void QPU_NAME(set_flags)(struct qpu *q, const struct qpu_step *s)
{
    const struct qpu_pipe *p = s->flags_from == QPU_FLAGS_ADD ? &s->add : &s->mul;
    struct qpu_result *r = s->flags_from == QPU_FLAGS_ADD ? &q->add : &q->mul;
    struct qpu_value packed, z, n;
    struct QPU_NAME(view) v = {&r->value, &r->defined};
    if (p->packs != QPU_PACKS_NOT && alu_flags_from_packed(&q->rules->alu)) {
        QPU_NAME(pack)(q, p, r, (struct QPU_NAME(view)){&q->zero, &q->all}, &packed);
        v = QPU_NAME(view_of)(&packed);
    }
    alu_zero_negative(v.value, &z.value, &n.value);
    for (unsigned i = 0; i < VC4_LANES; i++)
        q->carry.value.lane[i] = 0 - (q->carry.value.lane[i] & 1);
    struct qpu_result lanes = {.lanes = q->all, .lanes_defined = q->all};
    if (!s->flags_all) {
        lanes.lanes = r->lanes;
        if (QPU_CHECKED)
            lanes.lanes_defined = r->lanes_defined;
    }
    if (QPU_CHECKED)
        alu_zero_negative_defined(v.value, v.defined, &z.defined, &n.defined);
    QPU_NAME(put)(&q->flags.z, &q->flags_defined.z, &z, &lanes);
    QPU_NAME(put)(&q->flags.n, &q->flags_defined.n, &n, &lanes);
    if (!s->flags_keep_c)
        QPU_NAME(put)(&q->flags.c, &q->flags_defined.c, &q->carry, &lanes);
    q->flags_touched = true;
}

/* ---- the step ---- */

/* The MUL result that a later nop may repeat; unreliable where a condition suppressed it. */
static void QPU_NAME(keep_mul)(struct qpu *q, const struct qpu_step *s)
{
    if (s->mul.source != QPU_FROM_ALU && s->mul.source != QPU_FROM_RESERVED)
        return;
    QPU_NAME(leave_behind)(&q->stale_mul, (struct QPU_NAME(view)){&q->mul.value, &q->mul.defined});
    for (unsigned i = 0; i < VC4_LANES; i++)
        if (!q->mul.lanes.lane[12 + i % 4]) {
            q->stale_mul.value.lane[i] = q->env->filler;
            q->stale_mul.defined.lane[i] = 0;
        } else if (QPU_CHECKED && !q->mul.lanes_defined.lane[12 + i % 4]) {
            q->stale_mul.defined.lane[i] = 0;
        }
}

/* All that follows the reads. */
static void QPU_NAME(compute_and_write)(struct qpu *q, const struct qpu_step *s, const struct qpu_step *before, struct QPU_NAME(view) view[8],
                                        const struct qpu_value *immediate)
{
    struct QPU_NAME(view) add[2] = {view[s->add.mux_a], view[s->add.mux_b]}, mul[2] = {view[s->mul.mux_a], view[s->mul.mux_b]};
    bool rotates = s->rotates && s->mul.source == QPU_FROM_ALU, undefined = s->rotate_rule == QPU_ROTATE_UNDEFINED;
    unsigned turn = 0;
    if (rotates) { /* looks at the results of the step before, which are overwritten now */
        turn = QPU_NAME(rotation)(q, s, before, &undefined);
        QPU_NAME(rotate_operand)(q, s, before, s->mul.mux_a, turn, &mul[0], &q->operand[0]);
        QPU_NAME(rotate_operand)(q, s, before, s->mul.mux_b, turn, &mul[1], &q->operand[1]);
    }
    QPU_NAME(find_lanes)(q, s->add.cond, &q->add);
    QPU_NAME(find_lanes)(q, s->mul.cond, &q->mul);
    QPU_NAME(run_pipe)(q, s, false, add, immediate);
    QPU_NAME(run_pipe)(q, s, true, mul, immediate);
    if (rotates)
        QPU_NAME(rotate_result)(q, s, s->flags_from == QPU_FLAGS_MUL, turn, undefined);
    if (s->both) {
        QPU_NAME(write_both)(q, s);
    } else {
        QPU_NAME(write_pipe)(q, s, &s->add, &q->add, &q->old_add);
        if (!q->stop)
            QPU_NAME(write_pipe)(q, s, &s->mul, &q->mul, &q->old_mul);
    }
    if (s->flags_from)
        QPU_NAME(set_flags)(q, s);
    if (q->tracks_mul)
        QPU_NAME(keep_mul)(q, s);
}

void QPU_STEP(struct qpu *q, struct qpu_step *s)
{
    if (s->may_wait && qpu_must_wait(q, s))
        return;
    const struct qpu_step *before = q->before ? q->before : s == q->step ? &q->blank : s - 1;
    q->before = NULL;
    qpu_signal(q, s);
    struct QPU_NAME(view) view[8];
    struct qpu_value immediate;
    if (q->stop)
        return;
    if (s->insn.class == QPU_ALU || s->insn.class == QPU_ALU_SMALL) {
        if (!QPU_NAME(read_operands)(q, s, before, view))
            return;
    } else {
        immediate.value = s->immediate;
        immediate.defined = q->all;
        if (s->insn.class == QPU_SEMAPHORE)
            qpu_semaphore(q, s, &immediate.value);
    }
    QPU_NAME(compute_and_write)(q, s, before, view, &immediate);
    if (QPU_CHECKED && !q->stop)
        qpu_account(q, s);
}
