/* SPDX-License-Identifier: MIT */
#include "harness/v3d/v3d_wrapper.h"

#include "harness/verify/v3d_breaches.h"
#include "model/core/units.h"

#include <string.h>

enum {
    END_SLOTS = 2,
    AT_A_TIME = 8, /* accesses between which the code waits; Mesa has no more results outstanding */
    PADDING = 24,  /* instructions after the end, because QPUs read ahead */
    IMMEDIATE_ALL_ONES = 31,
    IMMEDIATE_MSF = 15,
    R5 = 5,
};

/* ---- what the case's instructions name ---- */

struct names {
    uint64_t rf, written; /* bit n: rf n */
    uint8_t acc, acc_written;
    bool reads_link, reads_place, sets_msf, uses_rtop, uses_nn_mode;
    bool links_first; /* the first branch is always taken and sets the link register */
};

static void name_destination(struct names *n, enum v3d_generation g, bool magic, unsigned waddr)
{
    if (!magic)
        n->written |= UINT64_C(1) << waddr;
    else if (g == V3D_71 && (waddr == V3D_W_R5 || waddr == V3D_W_REP))
        n->written |= 1;
    else if (g == V3D_42 && (waddr <= V3D_W_R5 || waddr == V3D_W_REP))
        n->acc_written |= (uint8_t)(1 << (waddr == V3D_W_REP ? R5 : waddr));
    else if (g == V3D_42 && waddr >= V3D_W_RECIP && waddr <= V3D_W_RSQRT2)
        n->acc_written |= 1 << V3D_W_R4;
}

static void name_half(struct names *n, enum v3d_generation g, const struct v3d_half *h)
{
    enum v3d_op op = (enum v3d_op)h->op;
    for (unsigned s = 0; s < v3d_op_sources(op); s++) {
        if (h->src[s].kind == V3D_RF)
            n->rf |= UINT64_C(1) << h->src[s].index;
        if (h->src[s].kind == V3D_ACCUMULATOR)
            n->acc |= (uint8_t)(1 << h->src[s].index);
    }
    if (v3d_op_writes(op))
        name_destination(n, g, h->magic, h->waddr);
    n->reads_link |= op == V3D_A_LR;
    n->reads_place |= op == V3D_A_TIDX || (op == V3D_A_BARRIERID && !(h->magic && h->waddr == V3D_W_SYNCB));
    n->sets_msf |= op == V3D_A_SETMSF;
    n->uses_rtop |= op == V3D_M_UMUL24 || op == V3D_M_MULTOP;
    n->uses_nn_mode |= op == V3D_M_V8DOT || (op >= V3D_A_SETNNMODE_UU && op <= V3D_A_SETNNMODE_SS);
}

static void name_insn(struct names *n, enum v3d_generation g, const struct v3d_insn *i)
{
    for (unsigned h = 0; h < V3D_HALVES; h++)
        name_half(n, g, &i->half[h]);
    if (i->signals & V3D_SIG_WRITES)
        name_destination(n, g, i->sig_magic, i->sig_addr);
    if (i->signals & (V3D_SIG_LDUNIF | V3D_SIG_LDUNIFA))
        name_destination(n, g, true, V3D_W_R5);
    if ((i->signals & V3D_SIG_ROT) && !i->rotate)
        n->acc |= 1 << R5;
}

static void decode(const struct v3d_case *c, uint32_t at, struct v3d_insn *i)
{
    (void)v3d_decode((enum v3d_generation)c->generation, v3d_join(c->program.word + 2 * at), i);
}

static struct names names_of(const struct v3d_case *c)
{
    struct names n = {0};
    bool branches = false;
    for (uint32_t at = 0; at < c->program.count; at++) {
        struct v3d_insn i;
        decode(c, at, &i);
        if (!i.is_branch) {
            name_insn(&n, (enum v3d_generation)c->generation, &i);
            continue;
        }
        n.links_first |= !branches && !n.reads_link && i.branch.set_link && !i.branch.cond;
        branches = true;
        n.rf |= UINT64_C(1) << i.branch.raddr;
    }
    n.rf |= n.written;
    n.acc |= n.acc_written;
    return n;
}

/* The registers that a launch sets. */
static uint64_t payload(enum v3d_generation g)
{
    return g == V3D_42 ? 1 | 4 : 4 | 8;
}

/* ---- which cases ---- */

static bool refuse(struct error *why, const char *text)
{
    return error_set(why, "%s", text);
}

static bool same_in_quads(const uint32_t *lanes)
{
    for (unsigned n = 0; n < V3D_LANES; n++)
        if (lanes[n] != lanes[n / 4 * 4])
            return false;
    return true;
}

/* The size of a workgroup. */
static uint32_t group_size(const struct v3d_case *c)
{
    return c->group & 0xFF ? c->group & 0xFF : 256;
}

static bool admits_launch(const struct v3d_case *c, struct error *why)
{
    if (c->workgroups[1] >> 16 != 1 || c->workgroups[2] >> 16 != 1)
        return refuse(why, "a board runs cases with several workgroups in x only, not in y or z");
    if (group_size(c) % V3D_LANES)
        return refuse(why,
                      "lanes of no workgroup store nothing: a board runs workgroups of 16, 32, ... 256 only");
    if (V3D_LANES * c->batches < group_size(c) * (c->workgroups[0] >> 16))
        return refuse(why, "a board runs no launch with fewer batches than its workgroups have");
    return c->batches <= V3D_WRAP_BATCHES ||
           error_set(why, "a board runs cases with at most %d batches, which all can run at once",
                     V3D_WRAP_BATCHES);
}

bool v3d_wrap_admits(const struct test_case *tc, enum v3d_generation g, struct error *why)
{
    const struct v3d_case *c = (const void *)tc->words;
    struct names n = names_of(c);
    uint32_t r5[V3D_LANES];
    if (c->generation != g)
        return error_set(why, "the case is for %s, and this board is %s", v3d_generation_names[c->generation],
                         v3d_generation_names[g]);
    if (!admits_launch(c, why))
        return false;
    if (n.reads_link && !n.links_first)
        return refuse(why, "it reads the link register, which holds what ran before");
    if (n.reads_place)
        return refuse(why, "tidx and barrierid say which QPU runs the program, which nobody chooses");
    image_row(tc, schema_field(&tc->unit->schema, "acc"), R5, r5);
    if ((n.acc >> R5 & 1) && !same_in_quads(r5))
        return refuse(why, "no program can give r5 different words in a quad");
    return true;
}

/* ---- emitting ---- */

struct emit {
    enum v3d_generation g;
    struct v3d_wrap *w;
    bool failed;
    uint8_t address, stride, lane, stamp; /* registers of the code around the case */
    uint8_t spare;                        /* another one, if there are several batches */
};

static struct v3d_insn nop(void)
{
    struct v3d_insn i = {0};
    i.half[V3D_ADD] = (struct v3d_half){.op = V3D_A_NOP, .magic = true, .waddr = V3D_W_NOP};
    i.half[V3D_MUL] = (struct v3d_half){.op = V3D_M_NOP, .magic = true, .waddr = V3D_W_NOP};
    return i;
}

static void emit_word(struct emit *e, uint64_t word)
{
    if (e->w->count < V3D_WRAP_CODE)
        v3d_split(word, e->w->code + 2 * e->w->count++);
    else
        e->failed = true;
}

static void emit(struct emit *e, const struct v3d_insn *i)
{
    uint64_t word = 0;
    e->failed |= !v3d_encode(e->g, i, &word);
    emit_word(e, word);
}

static void emit_nops(struct emit *e, unsigned count)
{
    while (count--)
        emit_word(e, v3d_nop[e->g]);
}

static struct v3d_operand rf(unsigned index)
{
    return (struct v3d_operand){.kind = V3D_RF, .index = (uint8_t)index};
}

static struct v3d_operand immediate(unsigned index)
{
    return (struct v3d_operand){.kind = V3D_IMMEDIATE, .index = (uint8_t)index};
}

static struct v3d_half half(enum v3d_op op, bool magic, unsigned waddr, struct v3d_operand a,
                            struct v3d_operand b)
{
    return (struct v3d_half){.op = (uint8_t)op, .magic = magic, .waddr = (uint8_t)waddr, .src = {a, b}};
}

/* An instruction of one ALU. */
static void emit_half(struct emit *e, enum v3d_op op, bool magic, unsigned waddr, struct v3d_operand a,
                      struct v3d_operand b)
{
    struct v3d_insn i = nop();
    i.half[op >= V3D_ADD_OPS] = half(op, magic, waddr, a, b);
    emit(e, &i);
}

static void emit_move(struct emit *e, unsigned waddr, struct v3d_operand from)
{
    emit_half(e, V3D_M_MOV, true, waddr, from, (struct v3d_operand){0});
}

static void emit_signal(struct emit *e, unsigned signal, bool magic, unsigned to)
{
    struct v3d_insn i = nop();
    i.signals = (uint16_t)signal;
    i.sig_magic = magic;
    i.sig_addr = (uint8_t)to;
    emit(e, &i);
}

static void emit_uniform(struct emit *e, unsigned to, uint32_t value)
{
    e->w->uniform[e->w->uniforms++] = value;
    emit_signal(e, V3D_SIG_LDUNIFRF, false, to);
}

/* Accesses the row at the address, and moves the address to the next row. */
static void emit_access(struct emit *e)
{
    struct v3d_insn i = nop();
    i.half[V3D_ADD] = half(V3D_A_ADD, false, e->address, rf(e->address), rf(e->stride));
    i.half[V3D_MUL] = half(V3D_M_MOV, true, V3D_W_TMUA, rf(e->address), (struct v3d_operand){0});
    emit(e, &i);
}

/* Gives the address register the lanes' addresses of a row. No instruction reads what the one before wrote,
 * because a reading says that it gets the old value (v3d-rf-forward). */
static void emit_address(struct emit *e, uint32_t row)
{
    const struct v3d_operand none = {0};
    emit_half(e, V3D_A_EIDX, false, e->lane, none, none);
    emit_uniform(e, e->address, row);
    emit_half(e, V3D_A_SHL, false, e->lane, rf(e->lane), immediate(2));
    emit_nops(e, 1);
    emit_half(e, V3D_A_ADD, false, e->address, rf(e->address), rf(e->lane));
    emit_nops(e, 1);
}

/* ---- before the case ---- */

/* Adds a row of input. */
static uint32_t *add_input(struct v3d_wrap *w)
{
    return w->input + V3D_LANES * w->inputs++;
}

/* Sets the spare register to the distance of the rows that this batch stores to: 0 in the first one. It has
 * the id of the first workgroup, and its first 16 invocations. All batches run the same program, and only
 * what the first one leaves counts. A lane can only store to one of the two areas, whatever the launch has
 * put into the registers. */
static void emit_batch(struct emit *e, const struct v3d_case *c)
{
    enum { AREA_SHIFT = 13, LANE_BITS = 4 };
    unsigned id = e->g == V3D_42 ? 0 : 3, bits = 6;
    while (group_size(c) > 1U << bits)
        bits++;
    _Static_assert(1 << AREA_SHIFT == V3D_WRAP_AREA, "the distance of the areas");
    emit_uniform(e, e->lane, (c->workgroups[0] & 0xFFFF) | c->workgroups[1] << 16);
    emit_uniform(e, e->address, c->workgroups[2] << 16);
    /* The index of an immediate from 16 to 31 shifts by as many places. */
    emit_half(e, V3D_A_SHR, false, e->spare, rf(2), immediate(32 - (bits - LANE_BITS)));
    emit_half(e, V3D_A_XOR, false, e->lane, rf(e->lane), rf(id));
    emit_nops(e, 1);
    emit_half(e, V3D_A_OR, false, e->spare, rf(e->spare), rf(e->lane));
    emit_half(e, V3D_A_SHL, false, e->lane, rf(2), immediate(16));
    emit_nops(e, 1);
    emit_half(e, V3D_A_XOR, false, e->lane, rf(e->lane), rf(e->address));
    emit_nops(e, 1);
    emit_half(e, V3D_A_OR, false, e->spare, rf(e->spare), rf(e->lane));
    emit_nops(e, 1);
    emit_half(e, V3D_A_UMIN, false, e->spare, rf(e->spare), immediate(1));
    emit_nops(e, 1);
    emit_half(e, V3D_A_SHL, false, e->spare, rf(e->spare), immediate(AREA_SHIFT));
}

/* Pushes flag B, then flag A, each from a row that is 0 in the lanes whose flag is set. */
static void emit_flags(struct emit *e, const struct v3d_case *c)
{
    for (unsigned n = 0; n < 2; n++) {
        uint32_t flags = n ? c->flag_a : c->flag_b, *row = add_input(e->w);
        struct v3d_insn push = nop();
        for (unsigned i = 0; i < V3D_LANES; i++)
            row[i] = !(flags >> i & 1);
        emit_access(e);
        emit_nops(e, 1);
        emit_signal(e, V3D_SIG_LDTMU, false, e->lane);
        emit_nops(e, 1);
        push.half[V3D_MUL] = half(V3D_M_MOV, true, V3D_W_NOP, rf(e->lane), (struct v3d_operand){0});
        push.half[V3D_MUL].flags = V3D_FLAGS_PUSHZ;
        emit(e, &push);
    }
}

/* A register to load: rf n, or an accumulator. */
struct wanted {
    bool magic;
    uint8_t index;
};

static unsigned list_wanted(const struct names *n, enum v3d_generation g, struct wanted *list)
{
    unsigned count = 0;
    for (unsigned i = 0; i < V3D_REGISTERS; i++)
        if (n->rf >> i & 1 & ~(payload(g) >> i))
            list[count++] = (struct wanted){false, (uint8_t)i};
    for (unsigned i = 0; g == V3D_42 && i < V3D_ACCUMULATORS; i++)
        if (n->acc >> i & 1)
            list[count++] = (struct wanted){true, (uint8_t)i};
    return count;
}

static void emit_loads(struct emit *e, const struct names *n, const struct outcome *initial)
{
    struct wanted list[V3D_REGISTERS + V3D_ACCUMULATORS];
    unsigned count = list_wanted(n, e->g, list);
    for (unsigned first = 0; first < count; first += AT_A_TIME) {
        unsigned some = count - first < AT_A_TIME ? count - first : AT_A_TIME;
        for (unsigned k = 0; k < some; k++) {
            const struct wanted *r = &list[first + k];
            uint32_t row = r->index + (r->magic ? V3D_REGISTERS : 0U);
            memcpy(add_input(e->w), initial->value + row * V3D_LANES, V3D_LANES * sizeof(uint32_t));
            emit_access(e);
            emit_nops(e, 1);
        }
        for (unsigned k = 0; k < some; k++)
            emit_signal(e, V3D_SIG_LDTMU, list[first + k].magic, list[first + k].index);
    }
}

static void emit_before(struct emit *e, const struct v3d_case *c, const struct names *n,
                        const struct outcome *initial, const struct v3d_wrap_addresses *a)
{
    const struct v3d_operand none = {0};
    emit_uniform(e, e->stride, 4 * V3D_LANES);
    emit_uniform(e, e->stamp, e->w->stamp);
    if (c->batches > 1)
        emit_batch(e, c);
    emit_address(e, a->input);
    emit_flags(e, c);
    if (n->uses_rtop) /* the lane's flag has no bits 31:24, so RTOP becomes 0, whether umul24 clears it or not
                       */
        emit_half(e, V3D_M_MULTOP, true, V3D_W_NOP, rf(e->lane), rf(e->lane));
    if (n->uses_rtop)
        emit_half(e, V3D_M_UMUL24, true, V3D_W_NOP, rf(e->lane), rf(e->lane));
    if (n->uses_nn_mode)
        emit_half(e, V3D_A_SETNNMODE_UU, true, V3D_W_NOP, none, none);
    emit_loads(e, n, initial);
    emit_address(e, a->output);
    if (c->batches > 1)
        emit_half(e, V3D_A_ADD, false, e->address, rf(e->address), rf(e->spare));
    emit_nops(e, 1);
    for (uint32_t k = 0; k < c->uniforms.count; k++)
        e->w->uniform[e->w->uniforms++] =
            c->uniforms.item[k].value + (c->uniforms.item[k].is_address ? a->window : 0);
}

/* ---- the case's own instructions ---- */

/* All of them, without the thread switch that ends the program. */
static void emit_body(struct emit *e, const struct v3d_case *c)
{
    e->w->body = e->w->count;
    for (uint32_t at = 0; at < c->program.count; at++) {
        struct v3d_insn i;
        if (at + END_SLOTS + 1 != c->program.count) {
            emit_word(e, v3d_join(c->program.word + 2 * at));
            continue;
        }
        decode(c, at, &i);
        i.signals &= (uint16_t)~V3D_SIG_THRSW;
        emit(e, &i);
    }
    emit_nops(e, 3);
}

/* ---- after the case ---- */

static void emit_wait(struct emit *e)
{
    const struct v3d_operand none = {0};
    emit_half(e, V3D_A_TMUWT, false, e->lane, none, none);
}

static void emit_store(struct emit *e, uint16_t row)
{
    emit_access(e);
    e->w->row[e->w->outputs++] = row;
    if (e->w->outputs % AT_A_TIME == 0)
        emit_wait(e);
}

static void emit_after(struct emit *e, const struct names *n)
{
    const struct v3d_operand none = {0};
    enum { ROW_FLAGS = V3D_REGISTERS + V3D_ACCUMULATORS };
    uint64_t registers = n->written | payload(e->g);
    if (n->sets_msf) {
        emit_half(e, V3D_A_SETMSF, true, V3D_W_NOP, immediate(IMMEDIATE_MSF), none);
        emit_nops(e, 3);
    }
    emit_move(e, V3D_W_TMUC, immediate(IMMEDIATE_ALL_ONES));
    emit_nops(e, 1);
    for (unsigned k = 0; k < 2; k++) {
        emit_half(e, k ? V3D_A_VFLB : V3D_A_VFLA, true, V3D_W_TMUD, none, none);
        emit_store(e, (uint16_t)(ROW_FLAGS + k));
    }
    for (unsigned k = 0; e->g == V3D_42 && k < V3D_ACCUMULATORS; k++)
        if (n->acc_written >> k & 1) {
            emit_move(e, V3D_W_TMUD, (struct v3d_operand){.kind = V3D_ACCUMULATOR, .index = (uint8_t)k});
            emit_store(e, (uint16_t)(V3D_REGISTERS + k));
        }
    for (unsigned k = 0; k < V3D_REGISTERS; k++)
        if (registers >> k & 1) {
            emit_move(e, V3D_W_TMUD, rf(k));
            emit_store(e, (uint16_t)k);
        }
    emit_wait(e);
    emit_move(e, V3D_W_TMUD, rf(e->stamp));
    emit_store(e, 0);
    emit_wait(e);
    emit_nops(e, 1);
    emit_signal(e, V3D_SIG_THRSW, false, 0);
    emit_nops(e, END_SLOTS + PADDING);
}

/* ---- all ---- */

/* Finds registers for the code around the case. */
static bool choose_registers(struct emit *e, uint64_t taken, unsigned wanted)
{
    uint8_t *const to[] = {&e->address, &e->stride, &e->lane, &e->stamp, &e->spare};
    unsigned found = 0;
    for (unsigned n = V3D_REGISTERS; n-- > 4 && found < wanted;) /* a launch sets some of the first four */
        if (!(taken >> n & 1))
            *to[found++] = (uint8_t)n;
    return found == wanted;
}

/* Does the whole program break those restrictions only that the case's own program breaks and may break? */
static bool keeps_restrictions(const struct v3d_wrap *w, const struct v3d_case *c)
{
    struct v3d_insn program[V3D_WRAP_CODE];
    struct v3d_breaches whole, own;
    unsigned count = w->count - PADDING;
    for (unsigned n = 0; n < count; n++)
        (void)v3d_decode((enum v3d_generation)c->generation, v3d_join(w->code + 2 * n), &program[n]);
    if (v3d_find_breaches(c, program, count, &whole))
        return false;
    for (uint32_t n = 0; n < c->program.count && whole.count; n++)
        decode(c, n, &program[n]);
    bool same = !whole.count || !v3d_find_breaches(c, program, c->program.count, &own);
    for (unsigned n = 0; n < whole.count && same; n++)
        same = whole.count == own.count && whole.item[n].which == own.item[n].which &&
               whole.item[n].at == own.item[n].at + w->body;
    return same;
}

bool v3d_wrap_build(const struct test_case *tc, const struct outcome *initial, uint32_t stamp,
                    const struct v3d_wrap_addresses *a, struct v3d_wrap *w, struct error *why)
{
    const struct v3d_case *c = (const void *)tc->words;
    const struct names n = names_of(c);
    struct emit e = {.g = (enum v3d_generation)c->generation, .w = w};
    w->count = w->uniforms = w->inputs = w->outputs = 0;
    w->stamp = stamp;
    if (!choose_registers(&e, n.rf, c->batches > 1 ? 5 : 4))
        return refuse(
            why, "it leaves too few registers for the code around it, which needs four, or five if there "
                 "are several batches");
    emit_before(&e, c, &n, initial, a);
    if (w->count > V3D_WRAP_BEFORE)
        return refuse(why, "the code that loads its registers is too long");
    emit_body(&e, c);
    emit_after(&e, &n);
    if (e.failed)
        return refuse(why, "no program can set its initial state");
    return keeps_restrictions(w, c) ||
           refuse(why, "with the code around it, it breaks a restriction of Mesa");
}

static bool is_all(const uint32_t *row, uint32_t word)
{
    for (unsigned n = 0; n < V3D_LANES; n++)
        if (row[n] != word)
            return false;
    return true;
}

bool v3d_wrap_collect(const struct v3d_wrap *w, const uint32_t *output, struct outcome *o)
{
    enum { ROW_FLAGS = V3D_REGISTERS + V3D_ACCUMULATORS };
    if (!is_all(output + (w->outputs - 1) * V3D_LANES, w->stamp))
        return false;
    for (unsigned n = 0; n + 1 < w->outputs; n++)
        if (is_all(output + n * V3D_LANES, V3D_WRAP_POISON))
            return false;
    for (unsigned n = 0; n + 1 < w->outputs; n++) {
        uint32_t row[V3D_LANES], *to = o->value + w->row[n] * V3D_LANES;
        for (unsigned i = 0; i < V3D_LANES; i++) {
            uint32_t word = output[n * V3D_LANES + i];
            row[i] = w->row[n] < ROW_FLAGS ? word : word != 0;
        }
        if (!memcmp(to, row, sizeof row))
            continue;
        memcpy(to, row, sizeof row);
        outcome_touch(o, w->row[n]);
    }
    return true;
}
