/* SPDX-License-Identifier: MIT */
/* Passes the parts of an instruction to the observer. The inputs of a field's point are other fields, as they
 * were before any rule. */
#include "model/v3d/run/v3d_observe.h"

#include "model/number/float32.h"
#include "model/v3d/points/v3d_observe_words.h"
#include "model/v3d/v3d_rows.h"

#include <string.h>

/* The points of an ALU: those of MUL are as far from those of ADD for all of them. */
enum {
    FIELDS_APART = V3D_POINT_MUL_OP - V3D_POINT_ADD_OP,
    VALUES_APART = V3D_POINT_MUL_A - V3D_POINT_ADD_A,
};

static uint32_t see(const struct v3d_machine *m, unsigned point, uint32_t value, const uint32_t *input)
{
    return observer_wants(m->observer, point) ? observe(m->observer, point, value, input) : value;
}

/* Passes a field. Returns the old value if the new one is not below `end`. */
static uint8_t field(const struct v3d_machine *m, unsigned point, uint8_t value, unsigned end,
                     const uint32_t *input)
{
    uint32_t now = see(m, point, value, input);
    return now < end ? (uint8_t)now : value;
}

static unsigned end_of_indices(const struct v3d_operand *o)
{
    return o->kind == V3D_ACCUMULATOR ? V3D_ACCUMULATORS : V3D_REGISTERS;
}

static void observe_half(const struct v3d_machine *m, unsigned half, struct v3d_insn *i,
                         const struct v3d_insn *was)
{
    struct v3d_half *h = &i->half[half];
    const struct v3d_half *old = &was->half[half];
    const unsigned apart = half * FIELDS_APART, first = half == V3D_ADD ? 0 : V3D_ADD_OPS;
    uint32_t in[5] = {old->op, was->half[!half].op, was->signals, m->generation == V3D_71, old->magic};
    uint8_t op = field(m, V3D_POINT_ADD_OP + apart, old->op, half == V3D_ADD ? V3D_ADD_OPS : V3D_OPS, in);
    h->op = op >= first ? op : old->op;
    const struct v3d_half *other = &was->half[!half];
    const uint32_t tests[] = {in[0], in[1], in[2], in[3], old->cond, old->flags, other->cond, other->flags};
    h->cond = field(m, V3D_POINT_ADD_COND + apart, old->cond, V3D_COND_IFNB + 1, tests);
    h->flags = field(m, V3D_POINT_ADD_FLAGS + apart, old->flags, V3D_FLAGS_NORC + 1, tests);
    h->pack = field(m, V3D_POINT_ADD_PACK + apart, old->pack, V3D_PACK_H + 1, in);
    h->waddr = field(m, V3D_POINT_ADD_WADDR + apart, old->waddr, V3D_WADDRS, in);
    in[4] = old->waddr;
    h->magic = see(m, V3D_POINT_ADD_MAGIC + apart, old->magic, in);
    for (unsigned n = 0; n < 2; n++) {
        struct v3d_operand *o = &h->src[n];
        in[4] = old->src[n].kind;
        o->unpack = field(m, V3D_POINT_ADD_UNPACK_A + apart + n, o->unpack, V3D_UNPACKS, in);
        o->index = field(m, V3D_POINT_ADD_INDEX_A + apart + n, o->index, end_of_indices(o), in);
    }
}

static void observe_branch(const struct v3d_machine *m, struct v3d_branch *b)
{
    const uint32_t in[] = {b->cond, b->msfign, b->bdi, b->bdu, b->ub, b->raddr};
    b->cond = (uint8_t)see(m, V3D_POINT_BRANCH_COND, b->cond, in);
    b->msfign = (uint8_t)see(m, V3D_POINT_BRANCH_MSFIGN, b->msfign, in);
    b->bdi = (uint8_t)see(m, V3D_POINT_BRANCH_BDI, b->bdi, in);
    b->bdu = (uint8_t)see(m, V3D_POINT_BRANCH_BDU, b->bdu, in);
    b->ub = see(m, V3D_POINT_BRANCH_UB, b->ub, in);
    b->set_link = see(m, V3D_POINT_BRANCH_SET_LINK, b->set_link, in);
    b->raddr = (uint8_t)see(m, V3D_POINT_BRANCH_RADDR, b->raddr, in);
    b->offset = see(m, V3D_POINT_BRANCH_OFFSET, b->offset, in);
}

void v3d_observe_fields(const struct v3d_machine *m, struct v3d_insn *i)
{
    const struct v3d_insn was = *i;
    if (i->is_branch) {
        observe_branch(m, &i->branch);
        return;
    }
    uint32_t in[4] = {was.half[V3D_ADD].op, was.half[V3D_MUL].op, was.signals, was.sig_magic};
    i->signals = (uint16_t)see(m, V3D_POINT_SIGNALS, was.signals, in);
    if (i->signals & V3D_SIG_ROT)
        i->rotate = (uint8_t)see(m, V3D_POINT_ROTATE, was.rotate, in);
    if (i->signals & V3D_SIG_WRITES) {
        i->sig_addr = (uint8_t)see(m, V3D_POINT_SIG_ADDR, was.sig_addr, in);
        in[3] = was.sig_addr;
        i->sig_magic = see(m, V3D_POINT_SIG_MAGIC, was.sig_magic, in);
    }
    observe_half(m, V3D_ADD, i, &was);
    observe_half(m, V3D_MUL, i, &was);
}

/* Returns how far the points of an ALU's values are from those of ADD. */
static unsigned apart_of(const struct v3d_half *h)
{
    return h->op < V3D_ADD_OPS ? 0 : VALUES_APART;
}

/* The forms of binary32 operations, as input `form` numbers them. */
enum form { NO_FLOATS, ARITHMETIC, TO_WHOLE, OF_SFU };

static enum form form_of(unsigned op)
{
    switch (op) {
    case V3D_A_FADD:
    case V3D_A_FADDNF:
    case V3D_A_FSUB:
    case V3D_A_FCMP:
    case V3D_A_FMIN:
    case V3D_A_FMAX:
    case V3D_M_FMUL:
        return ARITHMETIC;
    case V3D_A_FROUND:
    case V3D_A_FTRUNC:
    case V3D_A_FFLOOR:
    case V3D_A_FCEIL:
    case V3D_A_FTOIN:
    case V3D_A_FTOIZ:
    case V3D_A_FTOUZ:
    case V3D_A_FTOC:
        return TO_WHOLE;
    default:
        return v3d_operation[op].kind == V3D_KERNEL_SFU ? OF_SFU : NO_FLOATS;
    }
}

/* Passes the operands of an ALU. The other operand as an input is that before any rule. */
static void see_values(const struct v3d_machine *m, const struct v3d_half *h, const struct v3d_vector raw[2],
                       struct v3d_operands *src)
{
    const unsigned first = V3D_POINT_ADD_A + apart_of(h);
    if (!observer_wants(m->observer, first) && !observer_wants(m->observer, first + 1))
        return;
    const struct v3d_vector was[2] = {src->at[0]->value, src->at[1]->value};
    for (unsigned n = 0; n < v3d_op_sources((enum v3d_op)h->op); n++) {
        const struct v3d_operand *o = &h->src[n];
        uint32_t in[2 * V3D_LANES + 6];
        if (!observer_wants(m->observer, first + n))
            continue;
        memcpy(in, raw[n].lane, sizeof raw[n].lane);
        memcpy(in + V3D_LANES, was[!n].lane, sizeof was[!n].lane);
        memcpy(in + (size_t)2 * V3D_LANES,
               (const uint32_t[]){h->op, o->kind, o->index, o->unpack, m->generation == V3D_71,
                                  h->src[!n].kind},
               6 * sizeof *in);
        observe_lanes(m->observer, first + n, v3d_own_operand(src, n)->lane, in);
    }
}

void v3d_observe_operands(const struct v3d_machine *m, const struct v3d_half *h,
                          const struct v3d_vector raw[2], struct v3d_operands *src)
{
    see_values(m, h, raw, src);
    for (unsigned n = 0; n < v3d_op_sources((enum v3d_op)h->op); n++)
        if (form_of(h->op) && observer_wants(m->observer, V3D_POINT_FLOAT_OPERAND))
            v3d_observe_float(m, h->op, n, v3d_own_operand(src, n));
    for (unsigned n = 0; n < v3d_op_sources((enum v3d_op)h->op); n++)
        if (v3d_is_of_halves(h->op) && observer_wants(m->observer, V3D_POINT_HALF_OPERAND))
            v3d_observe_half_operand(m, h, n, v3d_own_operand(src, n));
    for (unsigned n = 0; n < v3d_op_sources((enum v3d_op)h->op); n++)
        if (v3d_has_classes(h->op) && observer_wants(m->observer, V3D_POINT_FLOAT_CLASS))
            v3d_observe_classes(m, h->op, n, v3d_own_operand(src, n));
    v3d_observe_fields_to_pack(m, h->op, src);
}

/* Writes three vectors as inputs. Returns the place after them. */
static uint32_t *put_vectors(uint32_t *input, const struct v3d_vector *a, const struct v3d_vector *b,
                             const struct v3d_vector *c)
{
    memcpy(input, a->lane, sizeof a->lane);
    memcpy(input + V3D_LANES, b->lane, sizeof b->lane);
    memcpy(input + 2 * V3D_LANES, c->lane, sizeof c->lane);
    return input + 3 * V3D_LANES;
}

/* Returns `a`, with the bits of `b` where `which` has ones. */
static uint16_t mixed(uint16_t a, uint16_t b, uint16_t which)
{
    return (uint16_t)((a & ~which) | (b & which));
}

void v3d_observe_read(const struct v3d_machine *m, const struct v3d_thread *t, struct v3d_operands *to,
                      unsigned n)
{
    const struct v3d_old *old = &t->old[!t->now];
    const struct v3d_lanes *before = to->at[n];
    if (!observer_wants(m->observer, V3D_POINT_RF_VALUE) || before < t->rf || before >= t->rf + V3D_REGISTERS)
        return;
    uint32_t index = (uint32_t)(before - t->rf), in[V3D_LANES + 3];
    bool written = false;
    for (unsigned i = 0; i < old->count && !written; i++) {
        written = old->index[i] == index;
        before = written ? &old->value[i] : before;
    }
    memcpy(in, before->value.lane, sizeof before->value.lane);
    memcpy(in + V3D_LANES, (const uint32_t[]){written, index, m->generation == V3D_71}, 3 * sizeof *in);
    uint32_t *lane = v3d_own_operand(to, n)->lane;
    const uint16_t overridden = (uint16_t)observe_overridden(m->observer, V3D_POINT_RF_VALUE, lane, in);
    struct v3d_lanes *own = &to->own[n];
    own->unsure = mixed(own->unsure, before->unsure, overridden);
    own->near = mixed(own->near, before->near, overridden);
    own->absolute = mixed(own->absolute, before->absolute, overridden);
    observe_lanes(m->observer, V3D_POINT_RF_VALUE, lane, in);
}

void v3d_observe_across(const struct v3d_machine *m, const struct v3d_half *h, uint16_t active,
                        struct v3d_operands *src)
{
    if (h->op < V3D_A_ROTQ || h->op > V3D_A_SHUFFLE)
        return;
    uint32_t lanes = see(m, V3D_POINT_ACROSS_LANES, V3D_ALL_LANES, (const uint32_t[]){active, h->op});
    for (unsigned i = 0; i < V3D_LANES && lanes != V3D_ALL_LANES; i++)
        if (!(lanes >> i & 1))
            v3d_own_operand(src, 0)->lane[i] = 0;
}

/* Writes the class of each lane. Returns the place after them. */
static uint32_t *put_classes(uint32_t *input, const struct v3d_vector *v)
{
    for (unsigned i = 0; i < V3D_LANES; i++)
        *input++ = float_class(v->lane[i]);
    return input;
}

void v3d_observe_float(const struct v3d_machine *m, unsigned op, unsigned port, struct v3d_vector *v)
{
    const enum form form = form_of(op);
    uint32_t input[2 * V3D_LANES + 4], *rest = input;
    if (!form || !observer_wants(m->observer, V3D_POINT_FLOAT_OPERAND))
        return;
    rest = put_classes(rest, v);
    for (unsigned i = 0; i < V3D_LANES; i++)
        *rest++ = float_exponent(v->lane[i]);
    memcpy(rest, (const uint32_t[]){op, port, form, m->generation == V3D_71}, 4 * sizeof *rest);
    observe_lanes(m->observer, V3D_POINT_FLOAT_OPERAND, v->lane, input);
}

void v3d_observe_float_result(const struct v3d_machine *m, unsigned op, const struct v3d_vector *a,
                              const struct v3d_vector *b, struct v3d_vector *result)
{
    const enum form form = form_of(op);
    uint32_t input[5 * V3D_LANES + 3], *rest = input + (size_t)2 * V3D_LANES;
    if (!form || form == TO_WHOLE || !observer_wants(m->observer, V3D_POINT_FLOAT_RESULT))
        return;
    memcpy(input, a->lane, sizeof a->lane);
    memcpy(input + V3D_LANES, b->lane, sizeof b->lane);
    rest = put_classes(put_classes(put_classes(rest, result), a), b);
    memcpy(rest, (const uint32_t[]){op, form, m->generation == V3D_71}, 3 * sizeof *rest);
    observe_lanes(m->observer, V3D_POINT_FLOAT_RESULT, result->lane, input);
}

void v3d_observe_rtop(const struct v3d_machine *m, struct v3d_thread *t, const struct v3d_half *h,
                      const struct v3d_operands *src, const struct v3d_vector *before)
{
    uint32_t input[5 * V3D_LANES + 1];
    const uint32_t *a = src->at[0]->value.lane, *b = src->at[1]->value.lane;
    if ((h->op != V3D_M_MULTOP && h->op != V3D_M_UMUL24) ||
        !observer_wants(m->observer, V3D_POINT_RTOP_VALUE))
        return;
    uint32_t *rest = put_vectors(input, before, &src->at[0]->value, &src->at[1]->value);
    for (unsigned i = 0; i < V3D_LANES; i++) {
        rest[i] = (a[i] >> 24) * (b[i] & 0xFFFFFF);
        rest[V3D_LANES + i] = (a[i] & 0xFFFFFF) * (b[i] >> 24);
    }
    rest[2 * V3D_LANES] = h->op;
    observe_lanes(m->observer, V3D_POINT_RTOP_VALUE, t->alu.rtop.lane, input);
}

void v3d_observe_flag_value(const struct v3d_machine *m, const struct v3d_half *h, unsigned letter,
                            struct v3d_vector *v)
{
    struct v3d_vector packed = *v;
    uint32_t input[V3D_LANES + 4];
    if (!observer_wants(m->observer, V3D_POINT_FLAG_VALUE))
        return;
    if (h->pack)
        v3d_pack_half(m->rules, &packed);
    for (unsigned i = 0; i < V3D_LANES; i++)
        input[i] = h->pack ? packed.lane[i] << 16 : packed.lane[i];
    memcpy(input + V3D_LANES, (const uint32_t[]){h->op, h->flags, h->pack, letter}, 4 * sizeof *input);
    observe_lanes(m->observer, V3D_POINT_FLAG_VALUE, v->lane, input);
}

/* Passes for each lane whether an ALU writes it. Returns the lanes. */
static uint16_t see_lanes(const struct v3d_machine *m, const struct v3d_thread *t, const struct v3d_half *h,
                          uint16_t active)
{
    uint32_t input[2 * V3D_LANES + 4], lane[V3D_LANES], *rest = input + (size_t)2 * V3D_LANES, set = 0;
    if (!observer_wants(m->observer, V3D_POINT_WRITE_LANE))
        return active;
    for (unsigned i = 0; i < V3D_LANES; i++) {
        input[i] = t->alu.flag_a >> i & 1;
        input[V3D_LANES + i] = t->alu.flag_b >> i & 1;
        lane[i] = active >> i & 1;
    }
    memcpy(rest, (const uint32_t[]){h->op, h->cond, h->magic, h->waddr}, 4 * sizeof *rest);
    observe_lanes(m->observer, V3D_POINT_WRITE_LANE, lane, input);
    for (unsigned i = 0; i < V3D_LANES; i++)
        set |= (lane[i] & 1) << i;
    return (uint16_t)set;
}

void v3d_observe_result(const struct v3d_machine *m, const struct v3d_thread *t, const struct v3d_half *h,
                        const struct v3d_operands *src, const struct v3d_vector *rtop,
                        struct v3d_alu_result *r)
{
    static const struct v3d_vector nothing;
    const unsigned point = V3D_POINT_ADD_RESULT + apart_of(h);
    const uint32_t in[] = {h->op, h->cond, t->alu.flag_a, t->alu.flag_b, h->magic, h->waddr};
    r->active = see_lanes(m, t, h, r->active);
    r->active = (uint16_t)see(m, V3D_POINT_ADD_LANES + apart_of(h), r->active, in);
    if (observer_wants(m->observer, point)) {
        uint32_t input[4 * V3D_LANES + 2];
        uint32_t *rest = put_vectors(input, &src->at[0]->value, &src->at[1]->value,
                                     h->magic ? &nothing : &t->rf[h->waddr].value);
        if (h->op >= V3D_ADD_OPS) {
            memcpy(rest, rtop->lane, sizeof rtop->lane);
            rest += V3D_LANES;
        }
        rest[0] = h->op;
        rest[1] = m->generation == V3D_71;
        observe_lanes(m->observer, point, r->value.value.lane, input);
    }
    v3d_observe_float_result(m, h->op, &src->at[0]->value, &src->at[1]->value, &r->value.value);
    for (unsigned n = 0; n < V3D_LANES && r->value.near; n++)
        if ((r->value.near >> n & 1) && !v3d_sfu_is_near(r->value.value.lane[n])) {
            /* a rule made an infinity or a NaN of an inexact number */
            r->value.near = (uint16_t)(r->value.near & ~(1U << n));
            r->value.unsure = (uint16_t)(r->value.unsure & ~(1U << n));
        }
}

void v3d_observe_tests(const struct v3d_machine *m, const struct v3d_half *h, const struct v3d_operands *src,
                       const struct v3d_vector *carry, struct v3d_alu_result *r)
{
    r->x = v3d_observe_order(m, h, src, r->letter, r->x);
    r->x = (uint16_t)see(m, V3D_POINT_FLAG_LANES, r->x, (const uint32_t[]){h->op, h->flags, r->letter});
    if (!observer_wants(m->observer, V3D_POINT_FLAG_LANE))
        return;
    uint32_t input[5 * V3D_LANES + 5], lane[V3D_LANES], set = 0;
    uint32_t *rest = put_vectors(input, &src->at[0]->value, &src->at[1]->value, &r->value.value);
    for (unsigned i = 0; i < V3D_LANES; i++)
        *rest++ = carry ? carry->lane[i] & 1 : 0;
    for (unsigned i = 0; i < V3D_LANES; i++)
        *rest++ = src->at[0]->value.lane[i] > ~src->at[1]->value.lane[i];
    rest[0] = h->op;
    rest[1] = h->flags;
    rest[2] = r->letter;
    rest[3] = m->generation == V3D_71;
    rest[4] = v3d_operation[h->op].flags;
    for (unsigned i = 0; i < V3D_LANES; i++)
        lane[i] = r->x >> i & 1;
    observe_lanes(m->observer, V3D_POINT_FLAG_LANE, lane, input);
    for (unsigned i = 0; i < V3D_LANES; i++)
        set |= (lane[i] & 1) << i;
    r->x = (uint16_t)set;
}

/* Passes a flag of each active lane after flpop. `bit`: of the operand `v`, which would be it. What a rule
 * makes of the operand alone is as sure as the operand. */
static void see_popped(const struct v3d_machine *m, const struct v3d_lanes *v, unsigned bit, uint16_t active,
                       uint16_t *flag, uint16_t *unsure)
{
    uint32_t lane[V3D_LANES], set = 0;
    for (unsigned i = 0; i < V3D_LANES; i++)
        lane[i] = *flag >> i & 1;
    uint32_t input[V3D_LANES + 1];
    memcpy(input, v->value.lane, sizeof v->value.lane);
    input[V3D_LANES] = bit;
    const uint32_t overridden = observe_overridden(m->observer, V3D_POINT_FLAG_POPPED, lane, input);
    observe_lanes(m->observer, V3D_POINT_FLAG_POPPED, lane, input);
    for (unsigned i = 0; i < V3D_LANES; i++)
        set |= (lane[i] & 1) << i;
    *flag = mixed(*flag, (uint16_t)set, active);
    *unsure = mixed(*unsure, v->unsure, active & (uint16_t)overridden);
}

void v3d_observe_pop(const struct v3d_machine *m, struct v3d_thread *t, const struct v3d_lanes *v,
                     uint16_t active)
{
    if (!observer_wants(m->observer, V3D_POINT_FLAG_POPPED))
        return;
    see_popped(m, v, 0, active, &t->alu.flag_a, &t->unsure_a);
    see_popped(m, v, 1, active, &t->alu.flag_b, &t->unsure_b);
}

void v3d_observe_register(const struct v3d_machine *m, const struct v3d_vector *before,
                          const struct v3d_vector *result, uint16_t lanes, enum v3d_pack pack,
                          struct v3d_vector *v)
{
    uint32_t input[3 * V3D_LANES + 2];
    if (!observer_wants(m->observer, V3D_POINT_REGISTER_VALUE))
        return;
    memcpy(input, before->lane, sizeof before->lane);
    memcpy(input + V3D_LANES, result->lane, sizeof result->lane);
    for (unsigned i = 0; i < V3D_LANES; i++)
        input[2 * V3D_LANES + i] = lanes >> i & 1;
    input[3 * V3D_LANES] = (uint32_t)pack;
    input[3 * V3D_LANES + 1] = m->generation == V3D_71;
    observe_lanes(m->observer, V3D_POINT_REGISTER_VALUE, v->lane, input);
}

void v3d_observe_write(const struct v3d_machine *m, const struct v3d_half *h, uint16_t lanes,
                       const struct v3d_vector *result, struct v3d_vector *v)
{
    const unsigned point = V3D_POINT_ADD_WRITE + apart_of(h);
    uint32_t input[V3D_LANES + 5];
    if (!observer_wants(m->observer, point))
        return;
    memcpy(input, result->lane, sizeof result->lane);
    memcpy(input + V3D_LANES, (const uint32_t[]){h->op, h->magic, h->waddr, h->pack, lanes},
           5 * sizeof *input);
    observe_lanes(m->observer, point, v->lane, input);
}

/* Returns the flag that an ALU gives its lanes; 0 if it changes no flags. */
static uint16_t given(const struct v3d_half *h, const struct v3d_alu_result *r)
{
    return h->flags ? r->x : 0;
}

void v3d_observe_flags(const struct v3d_machine *m, struct v3d_thread *t, const struct v3d_insn *i,
                       const struct v3d_alu_result r[V3D_HALVES], uint16_t a, uint16_t b)
{
    const struct v3d_half *add = &i->half[V3D_ADD], *mul = &i->half[V3D_MUL];
    const uint16_t of_add = given(add, &r[V3D_ADD]), of_mul = given(mul, &r[V3D_MUL]);
    const uint32_t of_a[] = {a, b, add->flags, mul->flags, of_add, of_mul},
                   of_b[] = {b, a, add->flags, mul->flags, of_add, of_mul};
    t->alu.flag_a = (uint16_t)see(m, V3D_POINT_FLAG_A, t->alu.flag_a, of_a);
    t->alu.flag_b = (uint16_t)see(m, V3D_POINT_FLAG_B, t->alu.flag_b, of_b);
}

/* ---- stops ---- */

enum { FAR = 7 }; /* the greatest distance that inputs tell */

static bool writes_magic(const struct v3d_insn *i, unsigned first, unsigned last)
{
    bool any = (i->signals & V3D_SIG_WRITES) && i->sig_magic && i->sig_addr >= first && i->sig_addr <= last;
    for (unsigned h = 0; h < V3D_HALVES; h++)
        any = any || (v3d_rows[i->half[h].op].writes && i->half[h].magic && i->half[h].waddr >= first &&
                      i->half[h].waddr <= last);
    return any;
}

bool v3d_stops_observed(const struct v3d_machine *m, const struct v3d_thread *t, const struct v3d_insn *i,
                        bool stops, enum v3d_stop why, unsigned which)
{
    enum { BRANCH, SWITCH, UNIFA, SFU, EVENTS };
    uint32_t since[EVENTS] = {FAR, FAR, FAR, FAR};
    for (uint32_t n = t->pc < FAR - 1 ? t->pc : FAR - 1; n; n--) {
        const struct v3d_insn *old = &m->program[t->pc - n];
        since[BRANCH] = old->is_branch ? n : since[BRANCH];
        if (old->is_branch)
            continue;
        since[SWITCH] = old->signals & V3D_SIG_THRSW ? n : since[SWITCH];
        since[UNIFA] = writes_magic(old, V3D_W_UNIFA, V3D_W_UNIFA) ? n : since[UNIFA];
        since[SFU] = writes_magic(old, V3D_W_RECIP, V3D_W_RSQRT2) ? n : since[SFU];
    }
    return V3D_SEE(m, RUN_STOPS, stops, why, which, i->half[V3D_ADD].op, i->half[V3D_MUL].op, i->signals,
                   i->is_branch, m->generation == V3D_71, since[BRANCH], since[SWITCH], since[UNIFA],
                   since[SFU], v3d_touches(i));
}
