/* SPDX-License-Identifier: MIT */
/* The additional work of an observed step that packs a result. A part of the template qpu_step.inc.h. */

/* ---- overflow ---- */

static void signs_of(const struct vc4_vector *v, struct vc4_vector *signs)
{
    for (unsigned i = 0; i < VC4_LANES; i++)
        signs->lane[i] = v->lane[i] >> 31;
}

/* Passes for a pair of numbers whether their signs differ. `bit`: adds the answer to `differ` as this bit. */
static void see_differs(struct qpu *q, unsigned op, unsigned bit, const struct vc4_vector *x,
                        const struct vc4_vector *y, struct vc4_vector *differ)
{
    struct vc4_vector first, second, differs;
    signs_of(x, &first);
    signs_of(y, &second);
    for (unsigned i = 0; i < VC4_LANES; i++)
        differs.lane[i] = first.lane[i] ^ second.lane[i];
    QPU_OBSERVE_VECTOR(q, OVERFLOW_DIFFERS, &differs, QPU_VECTORS(&first, &second), bit, op);
    for (unsigned i = 0; i < VC4_LANES; i++)
        differ->lane[i] |= differs.lane[i] << bit;
}

/* Finds where add or sub overflows: the signs of two pairs of numbers differ. */
static void sum_overflows(struct qpu *q, unsigned op, const struct vc4_vector *const operands[2],
                          const struct vc4_vector *result, struct vc4_vector *differ,
                          struct vc4_vector *occurs)
{
    const bool adds = op == QPU_ADD_ADD;
    *differ = q->zero;
    see_differs(q, op, 0, operands[0], adds ? result : operands[1], differ);
    see_differs(q, op, 1, operands[adds], result, differ);
    for (unsigned i = 0; i < VC4_LANES; i++)
        occurs->lane[i] = differ->lane[i] == 3;
}

/* Finds where shl overflows: a shift back does not give operand A. */
static void shift_overflows(struct qpu *q, unsigned op, const struct vc4_vector *const operands[2],
                            const struct vc4_vector *result, struct vc4_vector *occurs)
{
    const struct alu_rules *alu = &q->rules->alu;
    struct vc4_vector restored;
    for (unsigned i = 0; i < VC4_LANES; i++) {
        const uint32_t n = operands[1]->lane[i] & alu->shift_mask;
        restored.lane[i] = n > 31 ? 0 : shift_arithmetic(result->lane[i], n);
    }
    QPU_OBSERVE_VECTOR(q, OVERFLOW_RESTORED, &restored, QPU_VECTORS(operands[0], operands[1], result), op);
    for (unsigned i = 0; i < VC4_LANES; i++)
        occurs->lane[i] = (restored.lane[i] != operands[0]->lane[i]) & alu->overflow_wide;
}

/* Finds where mul24 overflows: the product is not a signed number of 32 bits. */
static void product_overflows(struct qpu *q, const struct vc4_vector *const operands[2],
                              struct vc4_vector *occurs)
{
    struct vc4_vector factor[2];
    for (unsigned port = 0; port < 2; port++) {
        for (unsigned i = 0; i < VC4_LANES; i++)
            factor[port].lane[i] = operands[port]->lane[i] & 0xFFFFFF;
        QPU_OBSERVE_VECTOR(q, OVERFLOW_FACTOR, &factor[port], QPU_VECTORS(operands[port], operands[!port]),
                           port);
    }
    for (unsigned i = 0; i < VC4_LANES; i++)
        occurs->lane[i] =
            ((uint64_t)factor[0].lane[i] * factor[1].lane[i] > INT32_MAX) & q->rules->alu.overflow_wide;
}

/* Passes the overflow of an operation in parts: whether it occurs, its direction, and its kind. */
static RARE void see_overflow(struct qpu *q, const struct qpu_pipe *p, struct view a, struct view b,
                              struct qpu_result *r)
{
    static const uint16_t points[] = {QPU_POINT_OVERFLOW_DIFFERS, QPU_POINT_OVERFLOW_RESTORED,
                                      QPU_POINT_OVERFLOW_FACTOR,  QPU_POINT_OVERFLOW_OCCURS,
                                      QPU_POINT_OVERFLOW_BELOW,   QPU_POINT_OVERFLOW};
    const struct vc4_vector *const operands[] = {a.value, b.value};
    const bool sum = !p->number && p->opcode != QPU_ADD_SHL;
    const unsigned kind = sum ? ALU_OVERFLOW : ALU_OVERFLOW_WIDE;
    struct vc4_vector beyond, occurs, below, differ = q->zero;
    if (!observer_wants_any(q->observer, points, sizeof points / sizeof *points))
        return;
    if (sum)
        sum_overflows(q, p->opcode, operands, &r->value, &differ, &occurs);
    else if (p->number)
        product_overflows(q, operands, &occurs);
    else
        shift_overflows(q, p->opcode, operands, &r->value, &occurs);
    quantity_beyond(p->number, p->opcode, a.value, b.value, &beyond);
    QPU_OBSERVE_VECTOR(q, OVERFLOW_OCCURS, &occurs,
                       QPU_VECTORS(a.value, b.value, &r->value, &beyond, &differ), p->number, p->opcode,
                       p->pack);
    for (unsigned i = 0; i < VC4_LANES; i++)
        below.lane[i] = sum && q->rules->alu.overflow_end_b ? b.value->lane[i] >> 31
                        : sum                               ? ~r->value.lane[i] >> 31
                        : p->number                         ? 0
                                                            : a.value->lane[i] >> 31;
    QPU_OBSERVE_VECTOR(q, OVERFLOW_BELOW, &below, QPU_VECTORS(a.value, b.value, &r->value, &occurs),
                       p->number, p->opcode, p->pack);
    for (unsigned i = 0; i < VC4_LANES; i++)
        r->overflow.lane[i] = occurs.lane[i] * (kind + ALU_OVERFLOW_LOW * below.lane[i]);
    QPU_OBSERVE_VECTOR(q, OVERFLOW, &r->overflow, QPU_VECTORS(a.value, b.value, &r->value, &beyond),
                       p->number, p->opcode, p->pack, rotation_of(q, p));
}

/* ---- packs ---- */

/* Passes how a pack of regfile A saturates. */
static struct pack_range see_range(const struct qpu *q, const struct qpu_pipe *p, bool float_out)
{
    struct pack_range range = alu_pack_range(p->pack);
    range.saturates = QPU_OBSERVE(q, PACK_SATURATES, range.saturates, p->pack, float_out, p->number);
    if (!range.saturates)
        return range;
    range.least = (int32_t)QPU_OBSERVE(q, PACK_LEAST, (uint32_t)range.least, p->pack, float_out, p->number);
    range.most = (int32_t)QPU_OBSERVE(q, PACK_MOST, (uint32_t)range.most, p->pack, float_out, p->number);
    return range;
}

/* Passes the parts of a saturating pack of integers: the clamped integer, the end of the range, and whether
 * the end takes part. Changes `field` where a rule changed one of them. */
static RARE void see_saturation(const struct qpu *q, const struct qpu_pipe *p, struct pack_range range,
                                const struct vc4_vector *integer, const struct vc4_vector *overflow,
                                struct vc4_vector *field)
{
    struct vc4_vector clamped, end, takes_end, was[3];
    const uint32_t least = (uint32_t)range.least, most = (uint32_t)range.most;
    const struct pack_range usual = alu_pack_range(p->pack);
    const bool word = usual.most == INT32_MAX,
               ands =
                   !word && alu_reading(&q->rules->alu, ALU_PACK_ADD_OVERFLOW_ZERO) == PACK_OVERFLOW_ZERO_AND;
    const uint32_t bits = word ? UINT32_MAX : usual.least ? 0xFFFF : 0xFF;
    for (unsigned i = 0; i < VC4_LANES; i++) {
        const int32_t number = (int32_t)integer->lane[i];
        clamped.lane[i] = word                   ? integer->lane[i]
                          : number < range.least ? least
                          : number > range.most  ? most
                                                 : integer->lane[i];
        end.lane[i] = overflow->lane[i] & ALU_OVERFLOW_LOW ? least : most;
        takes_end.lane[i] = word ? overflow->lane[i] != 0 : overflow->lane[i] & ALU_OVERFLOW;
    }
    was[0] = clamped, was[1] = end, was[2] = takes_end;
    QPU_OBSERVE_VECTOR(q, PACK_CLAMPED, &clamped, QPU_VECTORS(integer, overflow), least, most, p->pack,
                       p->number, p->opcode);
    QPU_OBSERVE_VECTOR(q, PACK_END, &end, QPU_VECTORS(integer, overflow), least, most, p->pack, p->number,
                       p->opcode);
    QPU_OBSERVE_VECTOR(q, PACK_TAKES_END, &takes_end, QPU_VECTORS(integer, overflow), p->pack, p->number,
                       p->opcode);
    for (unsigned i = 0; i < VC4_LANES; i++)
        if (clamped.lane[i] != was[0].lane[i] || end.lane[i] != was[1].lane[i] ||
            takes_end.lane[i] != was[2].lane[i])
            field->lane[i] = bits & (takes_end.lane[i] ? alu_pack_overflowed(ands, integer->lane[i], range,
                                                                             end.lane[i], clamped.lane[i])
                                                       : clamped.lane[i]);
}

/* Passes the word that a pack of regfile A takes, how it saturates, and the integer whose byte it takes.
 * Gives the packed value. */
static RARE void see_pack_a(struct qpu *q, const struct qpu_pipe *p, const struct vc4_vector *input,
                            const struct vc4_vector *overflow, struct vc4_vector *field)
{
    const struct alu_rules *alu = &q->rules->alu;
    const bool float_out = p->source == QPU_FROM_ALU && p->op->float_out;
    const struct pack_range range = see_range(q, p, float_out);
    const int32_t most = alu_pack_range(p->pack).most;
    const bool byte = most == 255;
    struct vc4_vector integer = *input, class;
    if (byte) {
        alu_pack_integer(alu, float_out, input, &integer);
        quantity_class(input, &class);
        QPU_OBSERVE_VECTOR(q, PACK_INTEGER, &integer, QPU_VECTORS(input, &class), p->pack, float_out,
                           p->number, p->opcode);
    }
    alu_pack_a_within(alu, p->pack, float_out && !byte, range, &integer, overflow, field);
    if (range.saturates && (byte || most == INT32_MAX || !float_out))
        see_saturation(q, p, range, &integer, overflow, field);
}

/* Passes the packed value in its place, the bits that the pack keeps, and the word of both. */
static RARE void see_placed(struct qpu *q, const struct qpu_pipe *p, const struct vc4_vector *result,
                            const struct vc4_vector *old, const struct vc4_vector *field,
                            struct vc4_vector *out)
{
    const bool pm = p->packs == QPU_PACKS_MUL, float_out = p->source == QPU_FROM_ALU && p->op->float_out;
    const uint32_t mask = QPU_OBSERVE(q, PACK_MASK, alu_pack_mask(&q->rules->alu, p->pack), p->pack,
                                      p->number, p->file, p->address);
    const unsigned place = QPU_OBSERVE(q, PACK_PLACE, alu_pack_shift(p->pack), p->pack, pm);
    const uint32_t factor = QPU_OBSERVE(q, PACK_FACTOR, alu_pack_factor(p->pack), p->pack, pm);
    struct vc4_vector word, kept;
    alu_pack_place(factor, mask, place, field, &word);
    QPU_OBSERVE_VECTOR(q, PACK_WORD, &word, QPU_VECTORS(field, old, result), p->pack, pm, mask, place, factor,
                       float_out, p->number, p->opcode);
    const uint32_t keeps =
        QPU_OBSERVE(q, PACK_KEEPS, ~mask, p->pack, pm, mask, p->number, p->file, p->address);
    for (unsigned i = 0; i < VC4_LANES; i++)
        kept.lane[i] = old->lane[i] & keeps;
    QPU_OBSERVE_VECTOR(q, PACK_KEPT, &kept, QPU_VECTORS(old), keeps, p->pack, pm, p->number, p->file,
                       p->address);
    for (unsigned i = 0; i < VC4_LANES; i++)
        out->lane[i] = kept.lane[i] | word.lane[i];
    QPU_OBSERVE_VECTOR(q, PACK_RESULT, out, QPU_VECTORS(&kept, &word, field, result), p->pack, pm, mask,
                       p->number, p->opcode, p->file, p->address);
}

/* Packs again in parts, because each part has its own point. */
static RARE void see_pack(struct qpu *q, const struct qpu_pipe *p, struct view result,
                          const struct qpu_result *r, struct view old, struct qpu_value *out)
{
    static const uint16_t points[] = {QPU_POINT_PACK_INPUT, QPU_POINT_PACK_SATURATES, QPU_POINT_PACK_LEAST,
                                      QPU_POINT_PACK_MOST,  QPU_POINT_PACK_INTEGER,   QPU_POINT_PACK_CLAMPED,
                                      QPU_POINT_PACK_END,   QPU_POINT_PACK_TAKES_END, QPU_POINT_PACK_FIELD,
                                      QPU_POINT_PACK_MASK,  QPU_POINT_PACK_PLACE,     QPU_POINT_PACK_FACTOR,
                                      QPU_POINT_PACK_WORD,  QPU_POINT_PACK_KEEPS,     QPU_POINT_PACK_KEPT,
                                      QPU_POINT_PACK_RESULT};
    const struct alu_rules *alu = &q->rules->alu;
    const bool is_alu = p->source == QPU_FROM_ALU, pm = p->packs == QPU_PACKS_MUL,
               float_out = is_alu && p->op->float_out, any = alu_reading(alu, ALU_MUL_PACK_ANY_OP);
    const struct vc4_vector *overflow = is_alu && p->op->overflow && !pm ? &r->overflow : &q->zero;
    struct vc4_vector input = *result.value, field, truncated, class, exponent;
    if (!observer_wants_any(q->observer, points, sizeof points / sizeof *points))
        return;
    if (p->packs != QPU_PACKS_A && !(pm && p->pack >= PACK_8888 && p->pack <= PACK_8D &&
                                     (any || float_out || p->packs_any || p->source == QPU_FROM_IMMEDIATE)))
        return;
    quantity_class(&input, &class);
    quantity_exponent(&input, &exponent);
    QPU_OBSERVE_VECTOR(q, PACK_INPUT, &input, QPU_VECTORS(&class, &exponent, overflow), p->pack, pm,
                       float_out, p->number, p->opcode, p->address);
    if (pm)
        alu_pack_mul_field(alu, &input, &field);
    else
        see_pack_a(q, p, &input, overflow, &field);
    if (pm)
        alu_pack_mul_truncated(&input, &truncated);
    else
        truncated = field;
    QPU_OBSERVE_VECTOR(q, PACK_FIELD, &field,
                       QPU_VECTORS(result.value, overflow, &truncated, &class, &exponent), p->pack, pm,
                       float_out, p->number, p->opcode, p->address);
    see_placed(q, p, result.value, old.value, &field, &out->value);
}
