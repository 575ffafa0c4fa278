/* SPDX-License-Identifier: MIT */
/* The writes of a step: to registers, with packing, to r5, and to I/O registers (p18-19, p30-32). This file
 * is a part of the template qpu_step.inc.h. */

/* Returns the result, packed if the step packs. A pack may keep some bits of `old`. */
static RARE struct view pack(struct qpu *q, const struct qpu_pipe *p, struct view result,
                             const struct qpu_result *r, struct view old, struct qpu_value *out)
{
    const struct alu_rules *alu = &q->rules->alu;
    bool is_alu = p->source == QPU_FROM_ALU, overflow = is_alu && p->op->overflow,
         float_out = is_alu && p->op->float_out;
    /* alu_pack_mul needs the operation that made the value. Treats an immediate like a result of fmul, and a
     * stale result like one of v8min. A rule can make colours of ADD's results, too. */
    unsigned mul_op = p->number ? p->opcode : float_out ? QPU_MUL_FMUL : QPU_MUL_V8MIN;
    unsigned op = is_alu && !p->packs_any                       ? mul_op
                  : p->source != QPU_FROM_STALE || p->packs_any ? QPU_MUL_FMUL
                                                                : QPU_MUL_V8MIN;
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
        copy(view_of(&q->undefined), &out->value, &out->defined);
        break;
    }
    if (OBSERVES(q))
        see_pack(q, p, result, r, old, out);
    return view_of(out);
}

/* Joins the low bytes of a quad's elements; element 0 gives the lowest byte (clause r5-byte-concat). */
static uint32_t join_bytes(const uint32_t *quad)
{
    return (quad[0] & 0xFF) | (quad[1] & 0xFF) << 8 | (quad[2] & 0xFF) << 16 | quad[3] << 24;
}

/* Writes r5 (p18, p38 T14). The register file and the clauses r5-* decide which value each element gets, and
 * which element's condition enables the write. */
static RARE void write_r5(struct qpu *q, const struct qpu_pipe *p, struct view in, const struct qpu_result *r)
{
    struct qpu_value v;
    struct qpu_result lanes;
    lanes.lanes = r->lanes;
    if (QPU_CHECKED)
        lanes.lanes_defined = r->lanes_defined;
    bool quads = p->to == QPU_TO_R5_A, concat = quads && qpu_consult(q, QPU_R5_BYTE_CONCAT) == READING_MANUAL;
    if (OBSERVES(q))
        concat = QPU_OBSERVE(q, R5_JOINS, concat, p->file, p->cond);
    for (unsigned i = 0; i < VC4_LANES; i++) {
        unsigned from = quads ? i & ~3U : 0;
        v.value.lane[i] = concat ? join_bytes(in.value->lane + from) : in.value->lane[from];
        if (QPU_CHECKED)
            v.defined.lane[i] = concat ? join_bytes(in.defined->lane + from) : in.defined->lane[from];
    }
    if (OBSERVES(q)) {
        see_r5_sources(q, p, in, quads, concat, &v);
        see_r5(q, p, in, r, &v);
    }
    unsigned reading = p->cond == QPU_COND_ALWAYS ? READING_MANUAL : qpu_consult(q, QPU_R5_COND_ELEMENT0);
    /* goes down from the last element, because each copies an element at or below its own index */
    for (unsigned i = reading == READING_MANUAL ? 0 : VC4_LANES; i-- > 0;) {
        unsigned from = reading == R5_COND_SOURCE_ELEMENT && quads ? i & ~3U : 0;
        lanes.lanes.lane[i] = lanes.lanes.lane[from];
        if (QPU_CHECKED)
            lanes.lanes_defined.lane[i] = lanes.lanes_defined.lane[from];
    }
    if (OBSERVES(q) && qpu_wants(q, QPU_POINT_R5_LANES))
        vector_of_bits(&lanes.lanes, QPU_OBSERVE(q, R5_LANES, vector_bits(&lanes.lanes),
                                                 vector_bits(&r->lanes), p->file, p->cond));
    put(q, &q->acc.value[5], QPU_CHECKED ? &q->acc.defined[5] : NULL, view_of(&v), &lanes);
}

static RARE void write_io(struct qpu *q, const struct qpu_pipe *p, struct view result,
                          const struct qpu_result *r)
{
    struct qpu_value packed;
    struct view v = pack(q, p, result, r, zeros(q), &packed);
    struct qpu_result out;
    if (OBSERVES(q))
        v = see_write(q, p, result, v, zeros(q), r);
    out.value = *v.value;
    out.defined = QPU_CHECKED ? *v.defined : q->all;
    out.lanes = r->lanes;
    out.lanes_defined = QPU_CHECKED ? r->lanes_defined : q->all;
    qpu_write_io(q, p->file, p->index, &out);
}

static RARE void write_pipe(struct qpu *q, const struct qpu_step *s, const struct qpu_pipe *p,
                            struct view result, const struct qpu_result *r, struct qpu_value *old)
{
    if (p->to == QPU_TO_IO) {
        write_io(q, p, result, r);
        return;
    }
    const struct vc4_rows *rows = rows_of(q, p);
    struct view row = view_row(rows, p->index);
    if (s->keeps_old)
        copy(row, &old->value, &old->defined);
    struct qpu_value packed;
    struct view v = pack(q, p, result, r, row, &packed);
    if (OBSERVES(q))
        v = see_write(q, p, result, v, row, r);
    struct vc4_vector *to_defined = QPU_CHECKED ? &rows->defined[p->index] : NULL;
    if (p->to == QPU_TO_ACCUMULATOR || p->to == QPU_TO_REGISTER)
        put(q, &rows->value[p->index], to_defined, v, p->lanes ? r : NULL);
    else
        write_r5(q, p, v, r);
}

/* Writes a register to which both ALUs write (p19; clause inverse-cond-peripheral). */
static RARE void write_collision(struct qpu *q, const struct qpu_step *s, struct view add, struct view mul)
{
    bool io = s->add.to == QPU_TO_IO;
    if (s->collision == QPU_COLLISION_ADD_ONLY ||
        (s->collision == QPU_COLLISION_MERGES && (!io || s->add.index == QPU_W_INTERRUPT))) {
        write_pipe(q, s, &s->add, add, &q->add, &q->old_add);
        if (s->collision == QPU_COLLISION_MERGES)
            write_pipe(q, s, &s->mul, mul, &q->mul, &q->old_mul);
        return;
    }
    struct qpu_pipe p = s->add;
    struct qpu_result r = q->add;
    copy(add, &r.value, &r.defined);
    for (unsigned i = 0; i < VC4_LANES; i++) {
        bool junk = s->collision == QPU_COLLISION_UNDEFINED || q->mul.lanes.lane[i];
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
    write_pipe(q, s, &p, (struct view){&r.value, &r.defined}, &r, &q->old_add);
    q->old_mul = q->old_add;
}
