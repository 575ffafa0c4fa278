/* SPDX-License-Identifier: MIT */
/* One instruction of a thread: operands, both ALUs, flags, destinations, signals, branches. */
#include "model/v3d/run/v3d_machine.h"
#include "model/v3d/v3d_points.h"

#include <string.h>

enum { SFU_DELAY = 2, BRANCH_DELAY = 4, SWITCH_DELAY = 3 }; /* with the instruction itself */

/* ---- operands ---- */

static void load(const struct v3d_thread *t, const struct v3d_operand *o, struct v3d_lanes *to)
{
    if (o->kind == V3D_RF)
        *to = t->rf[o->index];
    else if (o->kind == V3D_ACCUMULATOR)
        *to = t->acc[o->index];
    else {
        uint32_t word = o->kind == V3D_IMMEDIATE ? v3d_immediate(o->index) : 0;
        for (unsigned i = 0; i < V3D_LANES; i++)
            to->value.lane[i] = word;
        to->unsure = 0;
    }
}

/* 4.2: rotates an operand of MUL. An operand from the register file rotates in each quad only. */
static void rotate(const struct v3d_insn *i, const struct v3d_thread *t, const struct v3d_operand *o,
                   struct v3d_lanes *v)
{
    uint32_t count = i->rotate ? v3d_immediate(i->rotate) : t->acc[5].value.lane[0];
    unsigned size = o->kind == V3D_ACCUMULATOR ? V3D_LANES : 4;
    struct v3d_lanes from = *v;
    v->unsure = !i->rotate && (t->acc[5].unsure & 1) ? V3D_ALL_LANES : 0;
    for (unsigned n = 0; n < V3D_LANES; n++) {
        unsigned source = n / size * size + ((n - count) & (size - 1));
        v->value.lane[n] = from.value.lane[source];
        v->unsure |= (uint16_t)((from.unsure >> source & 1) << n);
    }
}

/* ---- one ALU ---- */

struct alu_result {
    struct v3d_lanes value;
    uint16_t active;       /* lanes that pass the condition */
    uint16_t unsure_write; /* lanes whose condition is not known */
    uint16_t x, unsure_x;  /* the lanes with the tested flag */
};

static uint16_t passing(const struct v3d_thread *t, enum v3d_cond cond, uint16_t *unsure)
{
    *unsure = cond == V3D_COND_NONE                           ? 0
              : cond == V3D_COND_IFA || cond == V3D_COND_IFNA ? t->unsure_a
                                                              : t->unsure_b;
    switch (cond) {
    case V3D_COND_IFA:
        return t->alu.flag_a;
    case V3D_COND_IFNA:
        return (uint16_t)~t->alu.flag_a;
    case V3D_COND_IFB:
        return t->alu.flag_b;
    case V3D_COND_IFNB:
        return (uint16_t)~t->alu.flag_b;
    default:
        return V3D_ALL_LANES;
    }
}

enum flag_letter { LETTER_Z, LETTER_N, LETTER_C };

static enum flag_letter letter_of(enum v3d_flags f)
{
    if (f <= V3D_FLAGS_PUSHC)
        return (enum flag_letter)(f - V3D_FLAGS_PUSHZ);
    return (enum flag_letter)((f - V3D_FLAGS_ANDZ) / 4);
}

/* Returns the lanes that are unsure in the result of an operation. */
static uint16_t unsure_result(const struct v3d_half *h, uint16_t active, uint16_t unsure_active,
                              const struct v3d_lanes *src)
{
    const struct v3d_operation *op = &v3d_operation[h->op];
    uint32_t unsure = 0;
    for (unsigned n = 0; n < v3d_op_sources((enum v3d_op)h->op); n++)
        unsure |= src[n].unsure;
    if (h->op >= V3D_A_BALLOT && h->op <= V3D_A_ALLFEQ) /* they read the active lanes only */
        unsure = (unsure & active) | unsure_active;
    if (op->kind == V3D_KERNEL_SFU || op->kind == V3D_KERNEL_UNKNOWN)
        unsure = V3D_ALL_LANES;
    if (op->kind == V3D_KERNEL_ACROSS && unsure)
        unsure = V3D_ALL_LANES;
    return (uint16_t)unsure;
}

/* Returns the unsure lanes that reading the thread's state adds. `unsure`: those of the operands. */
static uint16_t unsure_state(struct v3d_thread *t, enum v3d_op op, uint16_t unsure)
{
    uint16_t rtop = t->unsure_rtop;
    if (op == V3D_M_MULTOP)
        t->unsure_rtop = unsure;
    if (op == V3D_M_UMUL24) {
        t->unsure_rtop = 0;
        return rtop;
    }
    if (op == V3D_A_VFLA || op == V3D_A_VFLNA || op == V3D_A_FLAPUSH)
        return t->unsure_a;
    if (op == V3D_A_VFLB || op == V3D_A_VFLNB || op == V3D_A_FLBPUSH)
        return t->unsure_b;
    if (op == V3D_A_FLAFIRST || op == V3D_A_FLNAFIRST)
        return t->unsure_a ? V3D_ALL_LANES : 0;
    return 0;
}

static void test_flags(struct alu_result *r, const struct v3d_operation *op, enum v3d_flags f,
                       const struct v3d_lanes *src, const struct v3d_vector *carry)
{
    enum flag_letter letter = letter_of(f);
    uint32_t set = 0;
    if (letter == LETTER_Z)
        set = v3d_flag_zero(op->flags, &src[0].value, &src[1].value, &r->value.value);
    else if (letter == LETTER_N)
        set = v3d_flag_negative(op->flags, &src[0].value, &src[1].value, &r->value.value);
    else
        for (unsigned i = 0; i < V3D_LANES; i++)
            set |= (carry->lane[i] & 1) << i;
    r->x = (uint16_t)set;
    r->unsure_x = r->value.unsure;
}

/* The clauses that arithmetic depends on, as numbers from 1 on. */
static const uint8_t clauses_of[V3D_OPS][2] = {
    [V3D_A_FADD] = {1 + V3D_CLAUSE_DENORMAL},
    [V3D_A_FADDNF] = {1 + V3D_CLAUSE_DENORMAL},
    [V3D_A_FSUB] = {1 + V3D_CLAUSE_DENORMAL},
    [V3D_A_FCMP] = {1 + V3D_CLAUSE_DENORMAL},
    [V3D_M_FMUL] = {1 + V3D_CLAUSE_DENORMAL},
    [V3D_A_FMIN] = {1 + V3D_CLAUSE_DENORMAL, 1 + V3D_CLAUSE_MIN_MAX_NAN},
    [V3D_A_FMAX] = {1 + V3D_CLAUSE_DENORMAL, 1 + V3D_CLAUSE_MIN_MAX_NAN},
    [V3D_A_FROUND] = {1 + V3D_CLAUSE_ROUND_TIE},
    [V3D_A_FTOIN] = {1 + V3D_CLAUSE_ROUND_TIE, 1 + V3D_CLAUSE_TO_INT},
    [V3D_A_FTOIZ] = {1 + V3D_CLAUSE_TO_INT},
    [V3D_A_FTOUZ] = {1 + V3D_CLAUSE_TO_INT},
    [V3D_A_FTOC] = {1 + V3D_CLAUSE_TO_INT},
    [V3D_A_VADD] = {1 + V3D_CLAUSE_VADD},
    [V3D_A_VSUB] = {1 + V3D_CLAUSE_VADD},
};

/* Counts the clauses of an operation as covered, and shows its result. */
static void account(const struct v3d_machine *m, const struct v3d_half *h, const struct v3d_lanes src[2],
                    struct v3d_vector *result)
{
    enum v3d_point point = h->op < V3D_ADD_OPS ? V3D_POINT_ADD_RESULT : V3D_POINT_MUL_RESULT;
    for (unsigned n = 0; n < 2 && clauses_of[h->op][n]; n++)
        cover(m->coverage, clauses_of[h->op][n] - 1U, 0);
    if (!observer_wants(m->observer, point))
        return;
    uint32_t input[2 * V3D_LANES + 1];
    memcpy(input, src[0].value.lane, sizeof src[0].value.lane);
    memcpy(input + V3D_LANES, src[1].value.lane, sizeof src[1].value.lane);
    input[2 * V3D_LANES] = h->op;
    observe_lanes(m->observer, point, result->lane, input);
}

static enum v3d_stop compute(const struct v3d_machine *m, struct v3d_thread *t, const struct v3d_insn *i,
                             const struct v3d_half *h, struct v3d_lanes src[2], struct alu_result *r)
{
    const struct v3d_operation *op = &v3d_operation[h->op];
    struct v3d_vector carry = {{0}}; /* some kernels leave it alone */
    memset(&r->value, 0, sizeof r->value);
    if (!op->kernel)
        return v3d_op_graphics((enum v3d_op)h->op) ? V3D_FAULT_GRAPHICS : V3D_FAULT_VPM;
    r->active = passing(t, h->cond, &r->unsure_write);
    for (unsigned n = 0; n < v3d_op_sources((enum v3d_op)h->op); n++) {
        if ((i->signals & V3D_SIG_ROT) && h == &i->half[V3D_MUL])
            rotate(i, t, &h->src[n], &src[n]);
        if (h->src[n].unpack)
            v3d_unpack(h->src[n].unpack, &src[n].value);
    }
    t->alu.active = r->active;
    op->kernel(&t->alu, &src[0].value, &src[1].value, &r->value.value,
               h->flags && letter_of(h->flags) == LETTER_C ? &carry : NULL);
    if (m->checked && h->op == V3D_A_SETMSF && ((src[0].unsure & r->active) | r->unsure_write))
        return V3D_FAULT_UNDEFINED;
    account(m, h, src, &r->value.value);
    r->value.unsure = unsure_result(h, r->active, r->unsure_write, src);
    r->value.unsure |= unsure_state(t, (enum v3d_op)h->op, r->value.unsure);
    if (h->flags)
        test_flags(r, op, h->flags, src, &carry);
    if (h->flags)
        r->x = (uint16_t)V3D_SEE(m, FLAG_LANES, r->x, h->op, h->flags);
    return V3D_GO;
}

/* Changes flags A and B after both ALUs have tested them. */
static void change_flags(struct v3d_thread *t, enum v3d_flags f, const struct alu_result *r)
{
    uint16_t x = r->x, a = t->alu.flag_a;
    if (f == V3D_FLAGS_NONE)
        return;
    if (f <= V3D_FLAGS_PUSHC) {
        t->alu.flag_b = a;
        t->unsure_b = t->unsure_a;
        t->alu.flag_a = x;
        t->unsure_a = r->unsure_x;
        return;
    }
    static const uint8_t forms[4] = {0, 1, 3, 2}; /* and, andn, norn, nor: bit 0 inverts x, bit 1 is nor */
    uint8_t form = forms[(f - V3D_FLAGS_ANDZ) % 4];
    if (form & 1)
        x = (uint16_t)~x;
    /* A lane is sure in spite of one unsure input if the other one decides. */
    uint16_t sure_a = (uint16_t)~t->unsure_a, sure_x = (uint16_t)~r->unsure_x,
             decided = form & 2 ? (a & sure_a) | (x & sure_x) : (~a & sure_a) | (~x & sure_x);
    t->alu.flag_a = (uint16_t)(form & 2 ? ~(a | x) : a & x);
    t->unsure_a = (uint16_t)((t->unsure_a | r->unsure_x) & ~decided);
}

/* ---- destinations ---- */

static void merge(const struct v3d_machine *m, struct v3d_lanes *to, const struct v3d_lanes *from,
                  uint16_t lanes, uint16_t unsure, enum v3d_pack pack)
{
    bool clears = pack && v3d_consult(m, V3D_CLAUSE_PACK_KEEPS) == V3D_PACK_CLEARS;
    for (unsigned n = 0; n < V3D_LANES; n++) {
        if (!(lanes >> n & 1))
            continue;
        uint32_t v = from->value.lane[n], old = clears ? 0 : to->value.lane[n];
        to->value.lane[n] = pack == V3D_PACK_NONE ? v
                            : pack == V3D_PACK_L  ? (old & 0xFFFF0000) | (v & 0xFFFF)
                                                  : (old & 0xFFFF) | v << 16;
    }
    uint32_t kept = pack == V3D_PACK_NONE ? to->unsure & ~lanes : to->unsure;
    to->unsure = (uint16_t)(kept | (from->unsure & lanes) | unsure);
}

static void broadcast(struct v3d_lanes *v, unsigned size)
{
    struct v3d_lanes from = *v;
    v->unsure = 0;
    for (unsigned n = 0; n < V3D_LANES; n++) {
        v->value.lane[n] = from.value.lane[n / size * size];
        v->unsure |= (uint16_t)((from.unsure >> (n / size * size) & 1) << n);
    }
}

static enum v3d_stop take_uniform(struct v3d_machine *m, struct v3d_thread *t, uint32_t *word)
{
    enum v3d_stop stop = v3d_uniform(m, t->uniform, word);
    if (stop)
        return stop;
    *word = V3D_SEE(m, UNIFORM_VALUE, *word, t->uniform);
    t->uniform += 4;
    return V3D_GO;
}

static enum v3d_stop write_sfu(const struct v3d_machine *m, struct v3d_thread *t, unsigned waddr,
                               const struct v3d_lanes *v)
{
    static const uint8_t functions[] = {V3D_RECIP, V3D_RSQRT, V3D_EXP, V3D_LOG, V3D_SINE, V3D_RSQRT};
    if (m->generation != V3D_42)
        return V3D_FAULT_RESERVED;
    for (unsigned n = 0; n < V3D_LANES; n++)
        t->sfu.value.lane[n] = v3d_sfu(functions[waddr - V3D_W_RECIP], v->value.lane[n]);
    t->sfu.unsure = V3D_ALL_LANES;
    t->sfu_in = SFU_DELAY;
    return V3D_GO;
}

static enum v3d_stop write_tmu(struct v3d_machine *m, struct v3d_thread *t, unsigned waddr,
                               const struct v3d_lanes *v, uint16_t lanes)
{
    enum v3d_stop stop = V3D_GO;
    switch (waddr) {
    case V3D_W_TMUD:
    case V3D_W_TMUDREF:
    case V3D_W_TMUOFF:
        return v3d_tmu_push(&t->tmu, v);
    case V3D_W_TMUC:
        if (m->checked && (v->unsure & 1))
            return V3D_FAULT_UNDEFINED;
        t->tmu.config = v->value.lane[0];
        return V3D_GO;
    case V3D_W_TMUAU:
        stop = take_uniform(m, t, &t->tmu.config);
        if (stop)
            return stop;
        return v3d_tmu_access(m, t, v, lanes);
    case V3D_W_TMUA:
        return v3d_tmu_access(m, t, v, lanes);
    default:
        return V3D_FAULT_TEXTURE;
    }
}

/* Writes that have an effect elsewhere than in a register. */
static enum v3d_stop write_peripheral(struct v3d_machine *m, struct v3d_thread *t, unsigned waddr,
                                      const struct v3d_lanes *v, uint16_t lanes)
{
    switch (waddr) {
    case V3D_W_NOP:
        return V3D_GO;
    case V3D_W_UNIFA:
        if (m->checked && (v->unsure & 1))
            return V3D_FAULT_UNDEFINED;
        t->unifa = v->value.lane[0];
        return V3D_GO;
    case V3D_W_SYNCB:
        t->at_barrier = true;
        return V3D_GO;
    case V3D_W_SYNC:
    case V3D_W_SYNCU:
        return V3D_FAULT_SYNC;
    case V3D_W_VPM:
    case V3D_W_VPMU:
        return V3D_FAULT_VPM;
    case V3D_W_TLB:
    case V3D_W_TLBU:
        return V3D_FAULT_TILE;
    default:
        if (waddr >= V3D_W_RECIP && waddr <= V3D_W_RSQRT2)
            return write_sfu(m, t, waddr, v);
        if ((waddr >= V3D_W_TMUD && waddr <= V3D_W_TMUAU) || waddr >= V3D_W_TMUC)
            return write_tmu(m, t, waddr, v, lanes);
        return V3D_FAULT_RESERVED;
    }
}

static enum v3d_stop write_result(struct v3d_machine *m, struct v3d_thread *t, bool magic, unsigned waddr,
                                  struct v3d_lanes *v, const struct alu_result *r, enum v3d_pack pack)
{
    uint16_t lanes = r ? r->active : V3D_ALL_LANES, unsure = r ? r->unsure_write : 0;
    bool old = m->generation == V3D_42;
    if (pack)
        v3d_pack_half(&v->value);
    if (!magic) {
        merge(m, &t->rf[waddr], v, lanes, unsure, pack);
        return V3D_GO;
    }
    if (old && waddr <= V3D_W_R4) {
        merge(m, &t->acc[waddr], v, lanes, unsure, pack);
        return V3D_GO;
    }
    if (waddr == V3D_W_R5 || waddr == V3D_W_REP) {
        broadcast(v, waddr == V3D_W_R5 ? 4 : V3D_LANES);
        merge(m, old ? &t->acc[5] : &t->rf[0], v, lanes, unsure, pack);
        return V3D_GO;
    }
    if (m->checked && unsure)
        return V3D_FAULT_UNDEFINED;
    if (pack == V3D_PACK_H)
        for (unsigned n = 0; n < V3D_LANES; n++)
            v->value.lane[n] <<= 16;
    return write_peripheral(m, t, waddr, v, lanes);
}

/* ---- signals ---- */

/* Fetches what a signal delivers. `to`: receives the value. */
static enum v3d_stop fetch(struct v3d_machine *m, struct v3d_thread *t, unsigned signals,
                           struct v3d_lanes *to)
{
    uint32_t word = 0;
    if (signals & V3D_SIG_LDTMU)
        return v3d_tmu_pop(&t->tmu, to);
    if (signals & (V3D_SIG_LDUNIFA | V3D_SIG_LDUNIFARF)) {
        enum v3d_stop stop = v3d_uniform(m, t->unifa, &word);
        if (stop)
            return stop;
        t->unifa += 4;
    } else {
        enum v3d_stop stop = take_uniform(m, t, &word);
        if (stop)
            return stop;
    }
    for (unsigned n = 0; n < V3D_LANES; n++)
        to->value.lane[n] = word;
    to->unsure = 0;
    return V3D_GO;
}

/* What the signals of an instruction deliver: to a named destination, and to r5 or rf0. */
struct arrivals {
    struct v3d_lanes named, implicit;
    bool has_named, has_implicit;
};

static enum v3d_stop take_signals(struct v3d_machine *m, struct v3d_thread *t, const struct v3d_insn *i,
                                  struct arrivals *a)
{
    const unsigned implicit = V3D_SIG_LDUNIF | V3D_SIG_LDUNIFA,
                   named = V3D_SIG_LDTMU | V3D_SIG_LDUNIFRF | V3D_SIG_LDUNIFARF;
    enum v3d_stop stop = V3D_GO;
    a->has_named = i->signals & named;
    a->has_implicit = i->signals & implicit;
    if (i->signals & V3D_SIG_LDVARY)
        return V3D_FAULT_VARYING;
    if (i->signals & (V3D_SIG_LDTLB | V3D_SIG_LDTLBU))
        return V3D_FAULT_TILE;
    if (a->has_named)
        stop = fetch(m, t, i->signals & named, &a->named);
    if (a->has_implicit && !stop)
        stop = fetch(m, t, i->signals & implicit, &a->implicit);
    if ((i->signals & V3D_SIG_WRTMUC) && !stop)
        stop = take_uniform(m, t, &t->tmu.config);
    return stop;
}

static enum v3d_stop deliver(struct v3d_machine *m, struct v3d_thread *t, const struct v3d_insn *i,
                             struct arrivals *a)
{
    if (a->has_implicit)
        *(m->generation == V3D_42 ? &t->acc[5] : &t->rf[0]) = a->implicit;
    return a->has_named ? write_result(m, t, i->sig_magic, i->sig_addr, &a->named, NULL, V3D_PACK_NONE)
                        : V3D_GO;
}

static enum v3d_stop run_alus(struct v3d_machine *m, struct v3d_thread *t, const struct v3d_insn *i)
{
    struct v3d_lanes src[V3D_HALVES][2];
    struct alu_result r[V3D_HALVES];
    struct arrivals a;
    enum v3d_stop stop = take_signals(m, t, i, &a);
    for (unsigned h = 0; h < V3D_HALVES; h++)
        for (unsigned n = 0; n < 2; n++)
            load(t, &i->half[h].src[n], &src[h][n]);
    for (unsigned h = 0; h < V3D_HALVES && !stop; h++)
        stop = compute(m, t, i, &i->half[h], src[h], &r[h]);
    for (unsigned h = 0; h < V3D_HALVES && !stop; h++) {
        const struct v3d_half *half = &i->half[h];
        change_flags(t, half->flags, &r[h]);
        if (v3d_op_writes((enum v3d_op)half->op))
            stop = write_result(m, t, half->magic, half->waddr, &r[h].value, &r[h], half->pack);
    }
    return stop ? stop : deliver(m, t, i, &a);
}

/* ---- branches ---- */

static bool taken(const struct v3d_thread *t, const struct v3d_branch *b, bool *unsure)
{
    uint16_t live = b->msfign == V3D_MSFIGN_P   ? v3d_live(t)
                    : b->msfign == V3D_MSFIGN_Q ? v3d_quads(v3d_live(t))
                                                : V3D_ALL_LANES;
    uint16_t a = t->alu.flag_a;
    *unsure = b->cond >= V3D_BRANCH_ALLA ? t->unsure_a & live : b->cond && (t->unsure_a & 1);
    switch (b->cond) {
    case V3D_BRANCH_A0:
        return a & 1;
    case V3D_BRANCH_NA0:
        return !(a & 1);
    case V3D_BRANCH_ALLA:
        return (a & live) == live;
    case V3D_BRANCH_ANYNA:
        return ~a & live;
    case V3D_BRANCH_ANYA:
        return a & live;
    case V3D_BRANCH_ALLNA:
        return !(a & live);
    default:
        return true;
    }
}

static enum v3d_stop branch_uniforms(struct v3d_machine *m, struct v3d_thread *t, const struct v3d_branch *b,
                                     bool goes)
{
    uint32_t word = 0;
    enum v3d_stop stop = V3D_GO;
    if (b->bdu == V3D_TO_ABSOLUTE || b->bdu == V3D_TO_RELATIVE)
        stop = take_uniform(m, t, &word);
    if (stop || !goes)
        return stop;
    if (b->bdu == V3D_TO_ABSOLUTE)
        t->uniform = word;
    else if (b->bdu == V3D_TO_RELATIVE)
        t->uniform += word;
    else if (b->bdu == V3D_TO_REGISTER)
        t->uniform =
            t->rf[b->raddr].value.lane[v3d_consult(m, V3D_CLAUSE_UNIFORM_LANE) == V3D_UNIFORM_LANE_1];
    else
        return V3D_FAULT_RESERVED;
    return V3D_GO;
}

static enum v3d_stop run_branch(struct v3d_machine *m, struct v3d_thread *t, const struct v3d_branch *b)
{
    bool unsure, goes = taken(t, b, &unsure);
    goes = V3D_SEE(m, BRANCH_TAKEN, goes, b->cond, t->alu.flag_a);
    uint32_t after = m->code_base + (t->pc + BRANCH_DELAY) * 8;
    if (m->checked && unsure)
        return V3D_FAULT_UNDEFINED;
    uint32_t to = b->bdi == V3D_TO_ABSOLUTE   ? b->offset
                  : b->bdi == V3D_TO_RELATIVE ? after + b->offset
                  : b->bdi == V3D_TO_LINK     ? t->alu.link
                                              : t->rf[b->raddr].value.lane[0];
    bool by_register = b->bdi == V3D_TO_REGISTER || (b->ub && b->bdu == V3D_TO_REGISTER);
    if (m->checked && goes && by_register && (t->rf[b->raddr].unsure & 3))
        return V3D_FAULT_UNDEFINED;
    enum v3d_stop stop = b->ub ? branch_uniforms(m, t, b, goes) : V3D_GO;
    if (!goes || stop)
        return stop;
    t->target = (to - m->code_base) / 8;
    t->branch_in = BRANCH_DELAY;
    if (b->set_link)
        t->alu.link = after;
    return V3D_GO;
}

/* ---- the instruction ---- */

/* Counts down to what earlier instructions started. */
static void advance(struct v3d_thread *t)
{
    t->pc++;
    if (t->sfu_in && !--t->sfu_in)
        t->acc[4] = t->sfu;
    if (t->switch_in)
        t->switch_in--;
    if (t->branch_in && !--t->branch_in)
        t->pc = t->target;
    if (t->end_in && !--t->end_in)
        t->ended = true;
}

/* A thread switch. Two in successive instructions announce that the next one ends the thread. */
static void switch_thread(struct v3d_thread *t)
{
    if (t->last)
        t->end_in = t->end_in ? t->end_in : SWITCH_DELAY;
    else if (t->after_switch)
        t->last = true;
    else
        t->switch_in = SWITCH_DELAY;
}

enum v3d_stop v3d_step(struct v3d_machine *m, struct v3d_thread *t)
{
    uint32_t pc = t->pc;
    if (pc >= m->program_count)
        return V3D_FAULT_PROGRAM;
    const struct v3d_insn *i = &m->program[pc];
    if (i->reserved)
        return V3D_FAULT_RESERVED;
    bool switches = !i->is_branch && (i->signals & V3D_SIG_THRSW);
    enum v3d_stop stop = i->is_branch ? run_branch(m, t, &i->branch) : run_alus(m, t, i);
    if (stop)
        return stop;
    if (switches)
        switch_thread(t);
    t->after_switch = switches;
    advance(t);
    if (m->watch)
        m->watch(m->watch_context, m, t, pc);
    return V3D_GO;
}
