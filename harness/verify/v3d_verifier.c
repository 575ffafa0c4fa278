/* SPDX-License-Identifier: MIT */
#include "harness/verify/v3d_verifier.h"

#include "harness/verify/v3d_breaches.h"
#include "model/core/memory.h"
#include "model/v3d/alu/v3d_alu.h"
#include "model/v3d/unit_v3d.h"

#include <stdlib.h>
#include <string.h>

enum {
    MEMORY_BYTES = V3D_MEMORY_ROWS * 64,
    RESULTS_MAX = 8, /* outstanding results, as Mesa limits them */
    PENDING_MAX = 16,
    BRANCH_SLOTS = 3,
    UNIFA_REST = 4, /* instructions from a write to unifa to the first ldunifa */
    SWITCH_SLOTS = 2,
    END_INSNS = 3,
    LAST_INSNS = 4,
    REACH = 32 /* bytes from the 16 around an address: a vector of 16 bytes that begins at its last byte */
};

struct value {
    bool known;
    uint32_t lane[V3D_LANES];
};

/* Where words of uniforms come from. */
struct stream {
    bool in_memory;      /* otherwise from the list */
    uint32_t number;     /* of the next word of the list */
    uint32_t address[2]; /* of the next word in memory, by each reading */
};

/* What unifa holds. */
struct unifa {
    bool known, before_known; /* before: what it held before the last write to it */
    uint32_t address[2];      /* either, if a broken restriction may have delayed the last write */
    uint32_t before[2];
    unsigned age; /* instructions since the last write to it, at most UNIFA_REST */
};

/* What is known before an instruction. */
struct knowledge {
    bool alive;
    struct value rf[V3D_REGISTERS];
    uint64_t fresh; /* registers that the instruction before wrote */
    struct stream stream, before_branch;
    struct unifa unifa;
    uint32_t config;
    unsigned data, results;
    bool stream_lost; /* a broken restriction may have moved the stream of uniforms, or not */
};

struct verifier {
    const struct v3d_case *c;
    enum v3d_generation g;
    uint32_t window, at, count, end;
    struct v3d_insn program[V3D_CASE_PROGRAM_MAX];
    struct knowledge now, pending[PENDING_MAX];
    uint32_t target[PENDING_MAX];
    unsigned pendings;
    int64_t branch, barrier; /* the last ones, or far before the program */
    uint32_t branch_target;
    bool branches, moves_uniforms; /* the last branch moves the stream of uniforms */
    bool waits;                    /* at a barrier */
    struct v3d_breaches breaches;  /* restrictions that the program breaks */
    bool broken;                   /* this instruction breaks one */
    struct v3d_refusal *refusal;
};

static bool refuse(struct verifier *v, const char *why)
{
    v->refusal->instruction = (int)v->at;
    return error_set(&v->refusal->why, "%s", why);
}

/* ---- values ---- */

static struct value all_lanes(uint32_t word)
{
    struct value r = {.known = true};
    for (unsigned n = 0; n < V3D_LANES; n++)
        r.lane[n] = word;
    return r;
}

static struct value operand(const struct verifier *v, const struct v3d_operand *o)
{
    const struct value unknown = {0};
    if (o->unpack)
        return unknown;
    if (o->kind == V3D_IMMEDIATE)
        return all_lanes(v3d_immediate(o->index));
    if (o->kind != V3D_RF || (v->now.fresh >> o->index & 1))
        return unknown;
    return v->now.rf[o->index];
}

static uint32_t compute(enum v3d_op op, uint32_t a, uint32_t b)
{
    switch (op) {
    case V3D_A_ADD:
    case V3D_M_ADD:
        return a + b;
    case V3D_A_SUB:
    case V3D_M_SUB:
        return a - b;
    case V3D_A_SHL:
        return a << (b & 31);
    case V3D_A_SHR:
        return a >> (b & 31);
    case V3D_A_AND:
        return a & b;
    case V3D_A_OR:
        return a | b;
    case V3D_A_XOR:
        return a ^ b;
    default:
        return a;
    }
}

static bool is_followed(enum v3d_op op)
{
    return op == V3D_A_ADD || op == V3D_M_ADD || op == V3D_A_SUB || op == V3D_M_SUB || op == V3D_A_SHL ||
           op == V3D_A_SHR || op == V3D_A_AND || op == V3D_A_OR || op == V3D_A_XOR || op == V3D_A_MOV ||
           op == V3D_M_MOV;
}

/* Returns the result of an ALU in the lanes that pass its condition. */
static struct value result_of(const struct verifier *v, const struct v3d_insn *i, const struct v3d_half *h)
{
    struct value r = {0}, a = operand(v, &h->src[0]), b = operand(v, &h->src[1]);
    unsigned sources = v3d_op_sources((enum v3d_op)h->op);
    if (h->pack || (i->signals & V3D_SIG_ROT))
        return r;
    r.known =
        h->op == V3D_A_EIDX || (is_followed((enum v3d_op)h->op) && a.known && (b.known || sources == 1));
    for (unsigned n = 0; n < V3D_LANES && r.known; n++)
        r.lane[n] = h->op == V3D_A_EIDX ? n : compute((enum v3d_op)h->op, a.lane[n], b.lane[n]);
    return r;
}

/* ---- memory ---- */

static bool inside(const struct verifier *v, uint32_t address)
{
    uint32_t offset = (address & ~15U) - v->window;
    return offset <= MEMORY_BYTES - REACH;
}

/* How an access of this configuration counts. False: not one that the proof knows. */
static bool count_access(uint32_t byte, unsigned data, unsigned *results)
{
    unsigned op = byte >> 3 & 15, type = byte & 7, components = type >= 2 && type <= 4 ? type : 1;
    *results = op == 15 && data ? 0 : op == 15 ? components : 1;
    if (op == 15)
        return data == 0 || data == components;
    if (type != 7 && !(op == 3 && type == 2))
        return false;
    return data ? op <= 10 && data == (op == 3 ? 2 : 1) : op >= 8 && op <= 10;
}

static bool check_access(struct verifier *v, const struct value *address)
{
    struct knowledge *k = &v->now;
    unsigned results;
    if (!address->known)
        return refuse(v, "an address that the proof does not know");
    for (unsigned n = 0; n < V3D_LANES; n++)
        if (!inside(v, address->lane[n]))
            return refuse(v, "an access outside the case's memory");
    if (!count_access(k->config & 0xFF, k->data, &results))
        return refuse(
            v, "a configuration of the TMU that does not fit the data, or that the proof does not know");
    k->config = k->config >> 8 | 0xFF000000;
    k->data = 0;
    k->results += results;
    return k->results <= RESULTS_MAX || refuse(v, "more results of the TMU than its FIFO holds");
}

/* ---- uniforms ---- */

static bool has_word(const struct verifier *v, const struct stream *s)
{
    return s->in_memory ? inside(v, s->address[0]) && inside(v, s->address[1])
                        : s->number < v->c->uniforms.count;
}

static bool take_uniform(struct verifier *v, struct value *to)
{
    struct stream *s = &v->now.stream;
    const bool in_slot = (int64_t)v->at - v->branch <= BRANCH_SLOTS && v->moves_uniforms;
    *to = (struct value){0};
    if (v->now.stream_lost)
        return refuse(v, "a uniform after a broken restriction that may have moved the stream");
    if (in_slot && !v->broken)
        return refuse(v, "a uniform in the delay slots of a branch of the uniforms");
    if (in_slot && !has_word(v, &v->now.before_branch))
        return refuse(v, "a uniform in the slots of a branch of the uniforms, and none left before it");
    if (!has_word(v, s))
        return refuse(v, s->in_memory ? "a uniform outside the case's memory"
                                      : "more uniforms than the case has");
    v->now.stream_lost = v->broken;
    if (s->in_memory) {
        s->address[0] += 4;
        s->address[1] += 4;
        return true;
    }
    const struct case_uniform *u = &v->c->uniforms.item[s->number++];
    *to = all_lanes(u->value + (u->is_address ? v->window : 0));
    return true;
}

/* A word at unifa. An early one, which breaks a restriction, can also come from what unifa held before. */
static bool load_unifa(struct verifier *v)
{
    struct unifa *u = &v->now.unifa;
    if (!u->known)
        return refuse(v, "ldunifa without a known address in unifa");
    if (v->broken && !u->before_known)
        return refuse(v, "an early ldunifa without a known address in unifa before the last one");
    u->known = !v->broken;
    for (unsigned n = 0; n < 2; n++) {
        if (!inside(v, u->address[n]) || (v->broken && !inside(v, u->before[n])))
            return refuse(v, "a uniform outside the case's memory");
        u->address[n] += 4;
    }
    return true;
}

static bool write_unifa(struct verifier *v, const struct value *to)
{
    struct unifa *u = &v->now.unifa;
    u->before_known = u->known && u->age == UNIFA_REST;
    for (unsigned n = 0; n < 2; n++) {
        u->before[n] = u->address[n];
        u->address[n] = to->lane[0];
    }
    u->known = to->known;
    u->age = 0;
    return to->known || refuse(v, "an address of uniforms that the proof does not know");
}

/* Of a branch too soon after a write to unifa: it may keep what it held before. */
static void doubt_unifa(struct unifa *u)
{
    u->known = u->known && u->before_known && u->address[0] == u->address[1] && u->before[0] == u->before[1];
    u->address[0] = u->before[0];
}

/* ---- barriers ---- */

/* Does each supergroup of the launch have all its batches, and does each batch have all its lanes? */
static bool is_whole(const struct v3d_case *c)
{
    uint64_t size = c->group & 0xFF ? c->group & 0xFF : 256, together = c->group >> 8 & 15,
             batches = (c->group >> 12 & 0xFF) + 1, groups = 1;
    for (unsigned n = 0; n < 3; n++)
        groups *= c->workgroups[n] >> 16;
    return size * together == V3D_LANES * batches && groups * size == (uint64_t)V3D_LANES * c->batches &&
           c->batches % batches == 0;
}

static bool has_switch(const struct verifier *v, uint32_t at)
{
    return at < v->count && !v->program[at].is_branch && (v->program[at].signals & V3D_SIG_THRSW);
}

/* A barrier ends if all batches of the supergroup reach it. It begins when the thread switch takes effect. Of
 * two switches in a row, no source says which one that is. */
static bool check_barrier(struct verifier *v, const struct v3d_insn *i, const struct v3d_half *h)
{
    v->waits = true;
    v->barrier = v->at;
    if (h->op != V3D_A_BARRIERID || h->cond || h->pack || !(i->signals & V3D_SIG_THRSW))
        return refuse(v, "a write to syncb other than barrierid with a thread switch");
    if (has_switch(v, v->at - 1) || has_switch(v, v->at + 1))
        return refuse(v, "a barrier with one of two thread switches in a row");
    return is_whole(v->c) || refuse(v, "a barrier, and a launch that does not start whole supergroups");
}

/* ---- destinations ---- */

static bool write_magic(struct verifier *v, unsigned waddr, const struct value *value, bool plain)
{
    struct knowledge *k = &v->now;
    if (v->g == V3D_71 && (waddr == V3D_W_R5 || waddr == V3D_W_REP)) {
        k->rf[0].known = false;
        return true;
    }
    if (waddr == V3D_W_NOP || (v->g == V3D_42 && (waddr <= V3D_W_R5 || waddr == V3D_W_REP ||
                                                  (waddr >= V3D_W_RECIP && waddr <= V3D_W_RSQRT2))))
        return true;
    if (v->broken)
        return refuse(v, "an instruction that breaks a restriction and writes more than registers");
    if (waddr == V3D_W_TMUA)
        return check_access(v, value);
    if (!plain)
        return refuse(v, "a condition or a pack at a destination that the proof does not follow");
    switch (waddr) {
    case V3D_W_TMUD:
        return ++k->data <= RESULTS_MAX || refuse(v, "more data than the TMU's FIFO holds");
    case V3D_W_TMUC:
        k->config = value->lane[0];
        return value->known || refuse(v, "a configuration of the TMU that the proof does not know");
    case V3D_W_UNIFA:
        return write_unifa(v, value);
    default:
        return refuse(v, "a destination that programs before hardware do not use");
    }
}

static bool write_half(struct verifier *v, const struct v3d_insn *i, const struct v3d_half *h,
                       const struct value *value, bool shared)
{
    if (!v3d_op_writes((enum v3d_op)h->op))
        return true;
    if (v3d_operation[h->op].kind == V3D_KERNEL_SFU && h->magic && h->waddr != V3D_W_NOP)
        return refuse(v, "an operation of the SFU whose result goes to no register of the register file");
    if (h->magic && h->waddr == V3D_W_SYNCB && !v->broken)
        return check_barrier(v, i, h);
    if (h->magic)
        return write_magic(v, h->waddr, value, !h->cond && !h->pack);
    v->now.rf[h->waddr] = *value;
    v->now.rf[h->waddr].known = value->known && !shared && !h->cond;
    return true;
}

/* ---- instructions ---- */

static bool take_signals(struct verifier *v, const struct v3d_insn *i, struct value *named,
                         struct value *implicit)
{
    struct knowledge *k = &v->now;
    const unsigned known = V3D_SIG_THRSW | V3D_SIG_LDTMU | V3D_SIG_LDUNIF | V3D_SIG_LDUNIFRF |
                           V3D_SIG_LDUNIFA | V3D_SIG_LDUNIFARF | V3D_SIG_ROT | V3D_SIG_SMIMM;
    *named = *implicit = (struct value){0};
    if (i->signals & ~known)
        return refuse(v, "a signal that programs before hardware do not use");
    if (i->signals & V3D_SIG_LDTMU) {
        if (!k->results)
            return refuse(v, "ldtmu without a result to come");
        k->results--;
    }
    if ((i->signals & (V3D_SIG_LDUNIFA | V3D_SIG_LDUNIFARF)) && !load_unifa(v))
        return false;
    return (!(i->signals & V3D_SIG_LDUNIFRF) || take_uniform(v, named)) &&
           (!(i->signals & V3D_SIG_LDUNIF) || take_uniform(v, implicit));
}

static uint64_t written_by(const struct v3d_insn *i, enum v3d_generation g)
{
    uint64_t set = 0;
    for (unsigned h = 0; h < V3D_HALVES; h++) {
        const struct v3d_half *half = &i->half[h];
        bool quad = g == V3D_71 && half->magic && (half->waddr == V3D_W_R5 || half->waddr == V3D_W_REP);
        if (v3d_op_writes((enum v3d_op)half->op) && (!half->magic || quad))
            set |= UINT64_C(1) << (quad ? 0 : half->waddr);
    }
    if ((i->signals & V3D_SIG_WRITES) && !i->sig_magic)
        set |= UINT64_C(1) << i->sig_addr;
    if (g == V3D_71 && ((i->signals & (V3D_SIG_LDUNIF | V3D_SIG_LDUNIFA)) ||
                        ((i->signals & V3D_SIG_WRITES) && i->sig_magic)))
        set |= 1;
    return set;
}

static bool check_alus(struct verifier *v, const struct v3d_insn *i)
{
    struct value named, implicit, r[V3D_HALVES];
    const struct v3d_half *add = &i->half[V3D_ADD], *mul = &i->half[V3D_MUL];
    for (unsigned h = 0; h < V3D_HALVES; h++) {
        if (!v3d_operation[i->half[h].op].kernel)
            return refuse(v, "an operation that compute programs do not have");
        if (v->broken && i->half[h].op == V3D_A_SETMSF)
            return refuse(v, "an instruction that breaks a restriction and says which lanes take part");
        r[h] = result_of(v, i, &i->half[h]);
        r[h].known = r[h].known && !v->broken;
    }
    if (!take_signals(v, i, &named, &implicit))
        return false;
    named.known = named.known && !v->broken;
    bool shared = add->magic == mul->magic && add->waddr == mul->waddr;
    if (!write_half(v, i, add, &r[V3D_ADD], shared) || !write_half(v, i, mul, &r[V3D_MUL], shared))
        return false;
    if (v->g == V3D_71 && ((i->signals & (V3D_SIG_LDUNIF | V3D_SIG_LDUNIFA)) || v->broken))
        v->now.rf[0].known = false;
    if (!(i->signals & V3D_SIG_WRITES))
        return true;
    if (i->sig_magic)
        return write_magic(v, i->sig_addr, &named, true);
    bool both = (v3d_op_writes((enum v3d_op)add->op) && !add->magic && add->waddr == i->sig_addr) ||
                (v3d_op_writes((enum v3d_op)mul->op) && !mul->magic && mul->waddr == i->sig_addr);
    v->now.rf[i->sig_addr] = named;
    v->now.rf[i->sig_addr].known = named.known && !both;
    return true;
}

static bool check_branch(struct verifier *v, const struct v3d_branch *b)
{
    uint64_t target = (uint64_t)v->at + 1 + BRANCH_SLOTS + b->offset / 8;
    if (b->bdi != V3D_TO_RELATIVE || target > v->end || b->msfign)
        return refuse(v, "a branch that does not go forward within the program");
    v->branch = v->at;
    v->branch_target = (uint32_t)target;
    v->branches = true;
    v->moves_uniforms = b->ub;
    if (v->broken) {
        doubt_unifa(&v->now.unifa);
        v->now.stream_lost = true;
    }
    if (!b->ub)
        return true;
    const struct value *to = &v->now.rf[b->raddr];
    if (b->bdu != V3D_TO_REGISTER || b->cond != V3D_BRANCH_ALWAYS || !to->known ||
        (v->now.fresh >> b->raddr & 1))
        return refuse(v, "a branch of the uniforms to an address that the proof does not know");
    v->now.before_branch = v->now.stream;
    v->now.stream = (struct stream){.in_memory = true, .address = {to->lane[0], to->lane[1]}};
    return true;
}

/* ---- paths ---- */

static bool is_same_stream(const struct stream *a, const struct stream *b)
{
    return a->in_memory == b->in_memory && a->number == b->number &&
           !memcmp(a->address, b->address, sizeof a->address);
}

static void join_unifa(struct unifa *u, const struct unifa *other)
{
    u->known = u->known && other->known && !memcmp(u->address, other->address, sizeof u->address);
    u->before_known = u->before_known && other->before_known && u->known &&
                      !memcmp(u->before, other->before, sizeof u->before);
    u->age = u->age < other->age ? u->age : other->age;
}

/* Joins the knowledge of two paths. `before_branch` is that of the path through the branch. */
static bool join(struct verifier *v, struct knowledge *k, const struct knowledge *other)
{
    if (!k->alive) {
        *k = *other;
        return true;
    }
    if (k->data != other->data || k->results != other->results || k->config != other->config ||
        !is_same_stream(&k->stream, &other->stream))
        return refuse(v, "paths that join with different accesses under way");
    for (unsigned n = 0; n < V3D_REGISTERS; n++)
        k->rf[n].known = k->rf[n].known && other->rf[n].known &&
                         !memcmp(k->rf[n].lane, other->rf[n].lane, sizeof k->rf[n].lane);
    join_unifa(&k->unifa, &other->unifa);
    k->fresh |= other->fresh;
    k->stream_lost |= other->stream_lost;
    return true;
}

/* Keeps what is known where a branch goes, and joins what branches to here brought. */
static bool follow_branches(struct verifier *v)
{
    if ((int64_t)v->at == v->branch + 1 + BRANCH_SLOTS && v->branch_target != v->at) {
        if (v->pendings == PENDING_MAX)
            return refuse(v, "more branches than the proof follows");
        v->target[v->pendings] = v->branch_target;
        v->pending[v->pendings++] = v->now;
    }
    for (unsigned n = 0; n < v->pendings; n++)
        if (v->target[n] == v->at && !join(v, &v->now, &v->pending[n]))
            return false;
    return true;
}

/* Does the program end as all do: with the last thread switch? */
static bool check_end(struct verifier *v)
{
    bool single = v->c->start & V3D_START_SINGLE_SEGMENT;
    uint32_t length = END_INSNS + (single ? 0 : LAST_INSNS);
    v->at = v->count;
    if (v->count < length)
        return refuse(v, "no end of the program");
    v->end = v->count - length;
    if (!has_switch(v, v->count - END_INSNS) ||
        (!single && (!has_switch(v, v->end) || !has_switch(v, v->end + 1))))
        return refuse(v, "no end of the program");
    return true;
}

static void start(struct verifier *v, const struct test_case *c)
{
    const struct field *f = schema_field(&c->unit->schema, "rf");
    struct knowledge *k = &v->now;
    k->alive = true;
    k->config = UINT32_MAX;
    k->unifa.age = UNIFA_REST;
    for (unsigned n = 0; n < V3D_REGISTERS; n++) {
        k->rf[n].known = n != 0 && n != 2 && n != 3; /* the launch's registers, of either generation */
        image_row(c, f, n, k->rf[n].lane);
    }
    v->branch = v->barrier = -16;
}

static bool breaks(const struct verifier *v, uint32_t at)
{
    for (unsigned n = 0; n < v->breaches.count; n++)
        if (v->breaches.item[n].at == at)
            return true;
    return false;
}

static bool check_program(struct verifier *v)
{
    const struct v3d_breach *worst = v3d_find_breaches(v->c, v->program, v->count, &v->breaches);
    if (worst) {
        v->at = worst->at;
        v->refusal->instruction = (int)v->at;
        return v3d_breach_error(worst, &v->refusal->why);
    }
    for (v->at = 0; v->at < v->count; v->at++) {
        const struct v3d_insn *i = &v->program[v->at];
        if (!follow_branches(v))
            return false;
        v->broken = breaks(v, v->at);
        if (!(i->is_branch ? check_branch(v, &i->branch) : check_alus(v, i)))
            return false;
        if (v->waits && v->branches)
            return refuse(v, "a barrier in a program that branches");
        if (v->at == v->barrier + SWITCH_SLOTS && v->now.results)
            return refuse(v, "results of the TMU under way at a barrier");
        v->now.fresh = i->is_branch ? 0 : written_by(i, v->g);
        v->now.unifa.age += v->now.unifa.age < UNIFA_REST;
    }
    if (v->now.results)
        return refuse(v, "results of the TMU that no ldtmu takes");
    return !v->now.data || refuse(v, "data for the TMU without an access");
}

bool v3d_verifier_prove(const struct test_case *c, uint32_t window, struct v3d_refusal *r)
{
    struct verifier *v = memory_new(1, sizeof *v);
    v->c = (const void *)c->words;
    v->g = (enum v3d_generation)v->c->generation;
    v->window = window;
    v->count = v->c->program.count;
    v->refusal = r;
    *r = (struct v3d_refusal){.instruction = -1};
    for (uint32_t n = 0; n < v->count; n++)
        v3d_decode(v->g, v3d_join(v->c->program.word + 2 * n), &v->program[n]);
    start(v, c);
    bool good =
        (v->c->start & V3D_START_FOUR_THREADS) == 0 || refuse(v, "four threads, which share registers");
    for (unsigned n = 0; n < 3; n++)
        good = good && (v->c->workgroups[n] >> 16 || refuse(v, "no workgroups"));
    good = good && check_end(v) && check_program(v);
    free(v);
    return good;
}
