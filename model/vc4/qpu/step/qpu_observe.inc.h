/* SPDX-License-Identifier: MIT */
/* The additional work of an observed step. Each function passes values to the observer at the points of
 * qpu_points.h; the observer may change them. This file is a part of the template qpu_step.inc.h. */

static struct view pack(struct qpu *q, const struct qpu_pipe *p, struct view result,
                        const struct qpu_result *r, struct view old, struct qpu_value *out);

/* Returns the instruction that is being executed. */
static const struct qpu_insn *insn_of(const struct qpu *q)
{
    return &q->before->insn;
}

static unsigned mode_of(const struct qpu_pipe *p)
{
    return p->packs == QPU_PACKS_A || p->packs == QPU_PACKS_MUL ? p->pack : 0;
}

/* The number of elements by which the result of the pipe rotates over all elements. */
static unsigned rotation_of(const struct qpu *q, const struct qpu_pipe *p)
{
    return p->number && q->before->rotates && !q->rotator.in_quads ? q->rotator.amount & 15 : 0;
}

/* Passes whether a register is read that the instruction before writes. */
static RARE bool see_hazard(struct qpu *q, const struct qpu_step *s, const struct qpu_step *before,
                            unsigned file, bool hazard)
{
    const uint64_t both = before->writes & s->reads;
    return QPU_OBSERVE(q, READ_HAZARD, hazard, file, s->read[file].address, (uint32_t)both,
                       (uint32_t)(both >> 32), s->insn.sig);
}

/* Passes a value read through a file. Small immediates have their own point, small.value. */
static RARE struct view see_read(struct qpu *q, const struct qpu_step *s, const struct qpu_step *before,
                                 unsigned file, struct view v)
{
    struct qpu_value *to = &q->read[file];
    unsigned address = s->read[file].address;
    bool small = file && s->insn.class == QPU_ALU_SMALL;
    if (s->read[file].kind == QPU_READ_NONE || small || !qpu_wants(q, QPU_POINT_READ_VALUE))
        return v;
    if (v.value != &to->value)
        copy(v, &to->value, &to->defined);
    bool row = address < QPU_FILE_ROWS;
    QPU_OBSERVE_VECTOR(q, READ_VALUE, &to->value, NULL, file, address, s->read[file].used,
                       row && (before->writes >> (32 * file + address) & 1),
                       q->graphics && q->graphics->stage == QPU_STAGE_FRAGMENT, s->insn.sig,
                       row && (before->writes >> (32 * (file ^ 1) + address) & 1));
    return view_of(to);
}

/* Passes the part of each word that an unpack takes. If a rule changes one, unpacks again. */
static RARE void see_part(struct qpu *q, const struct qpu_step *s, bool from_r4, struct view word,
                          struct vc4_vector *v)
{
    unsigned mode = from_r4 ? s->unpack_r4 : s->unpack_a;
    struct vc4_vector moved, part, was, joined, now;
    alu_unpack_part(mode, word.value, &moved, &part);
    if (!alu_unpack_join(mode, &part, &joined))
        return;
    was = part;
    QPU_OBSERVE_VECTOR(q, UNPACK_PART, &part, QPU_VECTORS(word.value, &moved), from_r4, mode,
                       from_r4 || s->float_view);
    if (!memcmp(&was, &part, sizeof part))
        return;
    (void)alu_unpack_join(mode, &part, &joined);
    if (from_r4)
        alu_unpack_r4(&q->rules->alu, mode, &joined, &now);
    else
        alu_unpack_a(&q->rules->alu, mode, s->float_view, &joined, &now);
    for (unsigned i = 0; i < VC4_LANES; i++)
        if (part.lane[i] != was.lane[i])
            v->lane[i] = now.lane[i];
}

static RARE void see_unpacked(struct qpu *q, const struct qpu_step *s, bool from_r4, struct view word,
                              struct qpu_value *v)
{
    unsigned mode = from_r4 ? s->unpack_r4 : s->unpack_a;
    struct vc4_vector moved, part, class;
    if (qpu_wants(q, QPU_POINT_UNPACK_PART))
        see_part(q, s, from_r4, word, &v->value);
    if (!qpu_wants(q, QPU_POINT_UNPACK_VALUE))
        return;
    alu_unpack_part(mode, word.value, &moved, &part);
    quantity_half_class(&part, &class);
    QPU_OBSERVE_VECTOR(q, UNPACK_VALUE, &v->value, QPU_VECTORS(word.value, &part, &class, &moved), from_r4,
                       mode, from_r4 || s->float_view);
}

/* Returns how an operation uses its operands: 0 as integers, 1 as floats for arithmetic, 2 as floats to
 * compare or convert. */
static unsigned kind_of(const struct qpu_pipe *p)
{
    bool computes =
        p->number ? p->opcode == QPU_MUL_FMUL : p->opcode == QPU_ADD_FADD || p->opcode == QPU_ADD_FSUB;
    return computes ? 1 : p->op->float_in ? 2 : 0;
}

static RARE void see_operand(struct qpu *q, const struct qpu_step *s, const struct qpu_pipe *p, unsigned port,
                             const struct vc4_vector *other)
{
    unsigned mux = port ? p->mux_b : p->mux_a;
    unsigned address = mux == QPU_MUX_A ? s->insn.raddr_a : mux == QPU_MUX_B ? s->insn.raddr_b : 0;
    struct vc4_vector *v = &q->seen[p->number][port].value, class, exponent;
    quantity_class(v, &class);
    quantity_exponent(v, &exponent);
    QPU_OBSERVE_VECTOR(q, OPERAND_VALUE, v, QPU_VECTORS(other, &class, &exponent), p->number, port, mux,
                       p->opcode, p->op->operands, kind_of(p), address);
}

/* Passes the amount of a shift or ror as the ALU uses it. If a rule changes it, operand B becomes it. */
static RARE void see_amount(struct qpu *q, unsigned op, const struct vc4_vector *a, struct vc4_vector *b)
{
    struct vc4_vector amount, was;
    for (unsigned i = 0; i < VC4_LANES; i++) {
        const uint32_t places = b->lane[i] & (op == QPU_ADD_ROR ? 31 : q->rules->alu.shift_mask);
        was.lane[i] = amount.lane[i] = places > 32 ? 32 : places;
    }
    QPU_OBSERVE_VECTOR(q, SHIFT_AMOUNT, &amount, QPU_VECTORS(b, a), op);
    for (unsigned i = 0; i < VC4_LANES; i++)
        if (amount.lane[i] != was.lane[i])
            b->lane[i] = amount.lane[i];
}

/* Passes the operands of a pipe. Keeps them in q->seen, because later points have them as inputs. */
static RARE void see_operands(struct qpu *q, const struct qpu_step *s, const struct qpu_pipe *p,
                              struct view *a, struct view *b)
{
    struct view *const view[2] = {a, b};
    struct qpu_value *seen = q->seen[p->number];
    struct vc4_vector before[2];
    bool same = a->value == b->value;
    if (p->source != QPU_FROM_ALU) {
        seen[0].value = seen[1].value = q->zero;
        return;
    }
    for (unsigned port = 0; port < 2; port++) {
        copy(*view[port], &seen[port].value, &seen[port].defined);
        before[port] = seen[port].value;
        *view[port] = view_of(&seen[port]);
    }
    unsigned reads = (p->number ? q->rules->mul : q->rules->add)[p->opcode].operands;
    for (unsigned port = 0; port < 2; port++)
        if (reads >> port & 1 && qpu_wants(q, QPU_POINT_OPERAND_VALUE))
            see_operand(q, s, p, port, &before[!port]);
    if (!p->number && p->opcode >= QPU_ADD_SHR && p->opcode <= QPU_ADD_SHL)
        see_amount(q, p->opcode, &seen[0].value, &seen[1].value);
    if (same && !memcmp(&seen[0].value, &seen[1].value, sizeof seen[0].value))
        *b = *a; /* if both operands are one register, more bits of the result are defined */
}

/* Passes the operands of mul24 as it multiplies them. If a rule changes one, multiplies again. */
static RARE void see_mul24(struct qpu *q, const struct vc4_vector *const operands[2],
                           struct vc4_vector *result)
{
    struct vc4_vector factor[2], was[2];
    for (unsigned port = 0; port < 2; port++)
        for (unsigned i = 0; i < VC4_LANES; i++)
            was[port].lane[i] = factor[port].lane[i] = operands[port]->lane[i] & 0xFFFFFF;
    for (unsigned port = 0; port < 2; port++)
        QPU_OBSERVE_VECTOR(q, MUL24_OPERAND, &factor[port], QPU_VECTORS(operands[port], operands[!port]),
                           port);
    for (unsigned i = 0; i < VC4_LANES && memcmp(factor, was, sizeof was) != 0; i++)
        if (factor[0].lane[i] != was[0].lane[i] || factor[1].lane[i] != was[1].lane[i])
            result->lane[i] = factor[0].lane[i] * factor[1].lane[i];
}

static RARE void see_float(struct qpu *q, const struct qpu_pipe *p,
                           const struct vc4_vector *const operands[2], struct vc4_vector *result)
{
    struct vc4_vector class[3];
    quantity_class(result, &class[0]);
    quantity_class(operands[0], &class[1]);
    quantity_class(operands[1], &class[2]);
    QPU_OBSERVE_VECTOR(q, FLOAT_RESULT, result,
                       QPU_VECTORS(operands[0], operands[1], &class[0], &class[1], &class[2]), p->number,
                       p->opcode);
}

/* Passes the products of v8muld. If a rule changes one, divides it by 255 again, as a product with 1. */
static RARE void see_products(struct qpu *q, unsigned byte, const struct vc4_vector *const operands[2],
                              struct vc4_vector *result)
{
    struct vc4_vector x, y, product, high, was;
    quantity_bytes(byte, operands[0], &x);
    quantity_bytes(byte, operands[1], &y);
    quantity_products(byte, operands[0], operands[1], &product, &high);
    bool truncates = alu_reading(&q->rules->alu, ALU_V8MULD_FORMULA) == V8MULD_TRUNCATE;
    if (alu_reading(&q->rules->alu, ALU_V8MULD_FORMULA) == V8MULD_BYTE_3)
        product = high;
    was = product;
    QPU_OBSERVE_VECTOR(q, BYTE_PRODUCT, &product, QPU_VECTORS(&x, &y, &high), byte);
    for (unsigned i = 0; i < VC4_LANES; i++)
        if (product.lane[i] != was.lane[i]) {
            uint32_t now = (product.lane[i] + (truncates ? 0 : 127)) / 255 & 0xFF;
            result->lane[i] = (result->lane[i] & ~(0xFFU << (8 * byte))) | now << (8 * byte);
        }
}

/* Passes the bytes of the result of an operation on bytes. */
static RARE void see_bytes(struct qpu *q, const struct qpu_pipe *p,
                           const struct vc4_vector *const operands[2], struct vc4_vector *result)
{
    for (unsigned byte = 0; byte < 4; byte++) {
        struct vc4_vector x, y, product, high, part;
        quantity_bytes(byte, operands[0], &x);
        quantity_bytes(byte, operands[1], &y);
        quantity_bytes(byte, result, &part);
        quantity_products(byte, operands[0], operands[1], &product, &high);
        QPU_OBSERVE_VECTOR(q, BYTE_RESULT, &part, QPU_VECTORS(&x, &y, &product, &high), byte, p->number,
                           p->opcode);
        for (unsigned i = 0; i < VC4_LANES; i++)
            result->lane[i] = (result->lane[i] & ~(0xFFU << (8 * byte))) | part.lane[i] << (8 * byte);
    }
}

/* Does the pipe run an operation on bytes? A minimum or maximum of one operand is a move. */
static bool is_of_bytes(const struct qpu_pipe *p)
{
    bool moves =
        p->number && (p->opcode == QPU_MUL_V8MIN || p->opcode == QPU_MUL_V8MAX) && p->mux_a == p->mux_b;
    return !moves && (p->number ? p->opcode >= QPU_MUL_V8MULD : p->opcode >= QPU_ADD_V8ADDS);
}

static RARE void see_result(struct qpu *q, const struct qpu_pipe *p, struct view a, struct view b,
                            struct vc4_vector *result)
{
    const struct qpu_insn *i = insn_of(q);
    const struct vc4_vector *const operands[] = {a.value, b.value};
    struct vc4_vector greater, picked;
    if (p->number && p->opcode == QPU_MUL_MUL24 && qpu_wants(q, QPU_POINT_MUL24_OPERAND))
        see_mul24(q, operands, result);
    for (unsigned byte = 0;
         byte < 4 && p->number && p->opcode == QPU_MUL_V8MULD && qpu_wants(q, QPU_POINT_BYTE_PRODUCT); byte++)
        see_products(q, byte, operands, result);
    if (is_of_bytes(p) && qpu_wants(q, QPU_POINT_BYTE_RESULT))
        see_bytes(q, p, operands, result);
    if (p->number) {
        QPU_OBSERVE_VECTOR(q, MUL_RESULT, result, operands, p->opcode, p->cond, i->sf, i->pm, i->pack,
                           p->address);
    } else if (qpu_wants(q, QPU_POINT_ADD_RESULT)) {
        quantity_greater(&q->rules->alu, p->opcode, a.value, b.value, &greater);
        quantity_picked(p->opcode, a.value, b.value, result, &picked);
        QPU_OBSERVE_VECTOR(q, ADD_RESULT, result, QPU_VECTORS(a.value, b.value, &greater, &picked), p->opcode,
                           p->cond, i->sf, i->pm, i->pack, p->address);
    }
    if (kind_of(p) == 1 && qpu_wants(q, QPU_POINT_FLOAT_RESULT))
        see_float(q, p, operands, result);
}

#include "model/vc4/qpu/step/qpu_observe_pack.inc.h"

static RARE void see_rotator(struct qpu *q, const struct qpu_step *s)
{
    const struct qpu_insn *i = &s->insn;
    q->rotator.amount = QPU_OBSERVE(q, ROTATE_AMOUNT, q->rotator.amount, i->raddr_b, q->acc.value[5].lane[0],
                                    i->mul_a, i->mul_b, i->op_mul);
    q->rotator.in_quads = QPU_OBSERVE(q, ROTATE_IN_QUADS, q->rotator.in_quads, q->rotator.amount, i->mul_a,
                                      i->mul_b, i->raddr_b);
}

/* Passes the elements that elements receive: of the result, its C flag and its overflow. `before`: these
 * three before the rotation; `known`: which bits of them were defined then. */
static RARE void see_sources(struct qpu *q, const struct vc4_vector before[3],
                             const struct vc4_vector known[3], bool flags)
{
    const unsigned within = q->rotator.in_quads ? 3 : 15,
                   now = QPU_OBSERVE(q, ROTATE_CHANGES, within, q->rotator.amount, q->rotator.in_quads);
    struct vc4_vector source, was;
    for (unsigned i = 0; i < VC4_LANES; i++) {
        was.lane[i] = (i & ~within) | ((i - q->rotator.amount) & within);
        source.lane[i] = (i & ~now) | ((i - q->rotator.amount) & now);
    }
    QPU_OBSERVE_VECTOR(q, ROTATE_SOURCE, &source, NULL, q->rotator.amount, q->rotator.in_quads);
    for (unsigned i = 0; i < VC4_LANES; i++)
        if (source.lane[i] != was.lane[i]) {
            q->mul.value.lane[i] = before[0].lane[source.lane[i]];
            q->mul.overflow.lane[i] = before[2].lane[source.lane[i]];
            if (flags)
                q->carry.value.lane[i] = before[1].lane[source.lane[i]];
            if (!QPU_CHECKED)
                continue;
            q->mul.defined.lane[i] = known[0].lane[source.lane[i]];
            q->mul.overflow_defined.lane[i] = known[2].lane[source.lane[i]];
            if (flags)
                q->carry.defined.lane[i] = known[1].lane[source.lane[i]];
        }
}

static RARE void see_rotated(struct qpu *q, const struct qpu_step *s, const struct vc4_vector before[3],
                             const struct vc4_vector known[3])
{
    const struct qpu_insn *i = &s->insn;
    if (qpu_wants(q, QPU_POINT_ROTATE_SOURCE) || qpu_wants(q, QPU_POINT_ROTATE_CHANGES))
        see_sources(q, before, known, s->flags_from == QPU_FLAGS_MUL);
    QPU_OBSERVE_VECTOR(q, ROTATE_VALUE, &q->mul.value, QPU_VECTORS(before), q->rotator.amount,
                       q->rotator.in_quads, i->mul_a, i->mul_b, i->op_mul);
    for (unsigned port = 0; port < 2; port++) /* the C flag rotates with the result, so its operands do */
        q->rules->alu.tools->rotate(&q->seen[1][port].value, q->rotator.amount, q->rotator.in_quads,
                                    &q->seen[1][port].value);
}

/* Gives flags as 0 or 1. */
static void flag_bits(const struct vc4_vector *flags, struct vc4_vector *bits)
{
    for (unsigned i = 0; i < VC4_LANES; i++)
        bits->lane[i] = flags->lane[i] & 1;
}

/* Passes for each element whether a pipe writes it. */
static RARE void see_elements(const struct qpu *q, const struct qpu_pipe *p, struct vc4_vector *lanes)
{
    struct vc4_vector z, n, c;
    flag_bits(&q->flags.z, &z);
    flag_bits(&q->flags.n, &n);
    flag_bits(&q->flags.c, &c);
    const uint32_t of[] = {p->number, p->cond, p->file, p->address};
    qpu_observe_masks(q, QPU_POINT_WRITE_ELEMENT, lanes, QPU_VECTORS(&z, &n, &c), of);
}

/* Passes the set of elements that a pipe writes. */
static RARE void see_lanes(const struct qpu *q, const struct qpu_pipe *p, struct qpu_result *r)
{
    if (p->source == QPU_FROM_NOTHING)
        return;
    if (qpu_wants(q, QPU_POINT_WRITE_ELEMENT))
        see_elements(q, p, &r->lanes);
    if (!qpu_wants(q, QPU_POINT_WRITE_LANES))
        return;
    uint32_t lanes = vector_bits(&r->lanes);
    lanes =
        QPU_OBSERVE(q, WRITE_LANES, lanes, p->number, p->cond, p->file, p->address, vector_bits(&q->flags.z),
                    vector_bits(&q->flags.n), vector_bits(&q->flags.c), insn_of(q)->sig);
    vector_of_bits(&r->lanes, lanes);
}

/* Passes the value that the pipe writes to its destination. */
static RARE struct view see_write(struct qpu *q, const struct qpu_pipe *p, struct view result, struct view v,
                                  struct view old, const struct qpu_result *r)
{
    if (!qpu_wants(q, QPU_POINT_WRITE_VALUE))
        return v;
    copy(v, &q->written.value, &q->written.defined);
    QPU_OBSERVE_VECTOR(q, WRITE_VALUE, &q->written.value, QPU_VECTORS(result.value, old.value), p->number,
                       p->file, p->address, mode_of(p), vector_bits(&r->lanes), insn_of(q)->sig);
    return view_of(&q->written);
}

/* Passes the elements whose words or bytes r5 gets, and the bytes with their places. Joins them again. An
 * element brings its undefined bits. */
static RARE void see_r5_sources(struct qpu *q, const struct qpu_pipe *p, struct view word, bool quads,
                                bool joins, struct qpu_value *v)
{
    static const uint16_t points[] = {QPU_POINT_R5_SOURCE, QPU_POINT_R5_BYTE, QPU_POINT_R5_PLACE,
                                      QPU_POINT_R5_PART};
    struct vc4_vector now = q->zero, defined = q->zero, from, part;
    if (!observer_wants_any(q->observer, points, sizeof points / sizeof *points))
        return;
    for (unsigned byte = 0; byte < (joins ? 4 : 1); byte++) {
        struct vc4_vector source;
        unsigned place = 0;
        for (unsigned i = 0; i < VC4_LANES; i++)
            source.lane[i] = (quads ? i & ~3U : 0) + byte;
        QPU_OBSERVE_VECTOR(q, R5_SOURCE, &source, NULL, p->file, joins, byte);
        for (unsigned i = 0; i < VC4_LANES; i++) {
            from.lane[i] = word.value->lane[source.lane[i]];
            part.lane[i] = joins ? from.lane[i] & 0xFF : from.lane[i];
        }
        if (joins) {
            QPU_OBSERVE_VECTOR(q, R5_BYTE, &part, QPU_VECTORS(&from), byte);
            place = QPU_OBSERVE(q, R5_PLACE, 8 * byte, byte);
        }
        const struct vc4_vector taken = part;
        for (unsigned i = 0; i < VC4_LANES; i++)
            part.lane[i] <<= place;
        if (joins)
            QPU_OBSERVE_VECTOR(q, R5_PART, &part, QPU_VECTORS(&from, &taken), byte, place);
        for (unsigned i = 0; i < VC4_LANES; i++)
            now.lane[i] |= part.lane[i];
        for (unsigned i = 0; QPU_CHECKED && i < VC4_LANES; i++) {
            const uint32_t known = word.defined->lane[source.lane[i]];
            defined.lane[i] |= joins ? (known & 0xFF) << 8 * byte : known;
        }
    }
    v->value = now;
    if (QPU_CHECKED)
        v->defined = defined;
}

static RARE void see_r5(struct qpu *q, const struct qpu_pipe *p, struct view word, const struct qpu_result *r,
                        struct qpu_value *v)
{
    QPU_OBSERVE_VECTOR(q, R5_VALUE, &v->value, QPU_VECTORS(word.value), p->file, p->cond,
                       vector_bits(&r->lanes), 0);
}

/* Returns the result of a pipe; zeros if it writes nothing, because such a pipe need not compute. */
static struct view result_of(const struct qpu *q, const struct qpu_step *s, bool is_add, struct view result)
{
    const struct qpu_pipe *p = is_add ? &s->add : &s->mul;
    return p->source == QPU_FROM_NOTHING || p->to == QPU_TO_NOTHING ? zeros(q) : result;
}

/* Passes the result from which the step computes Z and N. */
static RARE struct view see_flag_value(struct qpu *q, const struct qpu_pipe *p, struct view result,
                                       struct view other, const struct qpu_result *r)
{
    struct qpu_value packed;
    if (!qpu_wants(q, QPU_POINT_FLAGS_VALUE))
        return result;
    copy(result, &q->written.value, &q->written.defined);
    struct view v = pack(q, p, result, r, zeros(q), &packed);
    QPU_OBSERVE_VECTOR(q, FLAGS_VALUE, &q->written.value, QPU_VECTORS(v.value, other.value), p->number,
                       p->opcode, mode_of(p), p->cond, insn_of(q)->sig);
    return view_of(&q->written);
}

/* Passes flag C. `of`: the point's inputs that are single words. */
static RARE void see_carry(struct qpu *q, const struct qpu_pipe *p, struct view result, const uint32_t *of)
{
    const struct vc4_vector *a = &q->seen[p->number][0].value, *b = &q->seen[p->number][1].value;
    struct vc4_vector greater = q->zero, beyond = q->zero;
    if (p->source == QPU_FROM_ALU && !p->number)
        quantity_greater(&q->rules->alu, p->opcode, a, b, &greater);
    if (p->source == QPU_FROM_ALU)
        quantity_beyond(p->number, p->opcode, a, b, &beyond);
    qpu_observe_masks(q, QPU_POINT_FLAGS_C, &q->carry.value,
                      QPU_VECTORS(a, b, result.value, &greater, &beyond), of);
}

/* Passes the new flags, and the set of elements whose flags change. If the step keeps C, passes the old C in
 * place of a new one. */
static RARE void see_flags(struct qpu *q, const struct qpu_step *s, const struct qpu_pipe *p,
                           struct view result, const struct qpu_result *r, struct qpu_value *z,
                           struct qpu_value *n, struct qpu_result *lanes)
{
    const uint32_t of[] = {p->number, p->opcode, p->cond, s->insn.sig, rotation_of(q, p)};
    struct vc4_vector old_z, old_n;
    flag_bits(&q->flags.z, &old_z);
    flag_bits(&q->flags.n, &old_n);
    if (s->flags_keep_c) {
        q->carry.value = q->flags.c;
        q->carry.defined = q->flags_defined.c;
    }
    qpu_observe_masks(q, QPU_POINT_FLAGS_Z, &z->value, QPU_VECTORS(result.value, &old_z), of);
    qpu_observe_masks(q, QPU_POINT_FLAGS_N, &n->value, QPU_VECTORS(result.value, &old_n), of);
    if (qpu_wants(q, QPU_POINT_FLAGS_C))
        see_carry(q, p, result, of);
    uint32_t enable = vector_bits(&r->lanes);
    vector_of_bits(&lanes->lanes, QPU_OBSERVE(q, FLAGS_LANES, s->flags_all ? 0xFFFF : enable, enable, p->cond,
                                              p->number, p->opcode, s->insn.sig));
    lanes->lanes_defined = QPU_CHECKED && !s->flags_all ? r->lanes_defined : q->all;
}
