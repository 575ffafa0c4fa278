/* SPDX-License-Identifier: MIT */
/* Makes words of decoded instructions. v3d_insn.h says which word of several. */
#include "model/v3d/v3d_rows.h"

/* A word in the making. On 4.2, up to four operands share two read ports. */
struct encoder {
    enum v3d_generation g;
    struct v3d_insn i;
    uint64_t word;
    uint8_t mux[4];  /* 4.2: of each operand; 7.1: unused */
    int port[2];     /* 4.2: raddr_a, raddr_b; -1: free */
    const char *why; /* it cannot be made */
};

static bool refuse(struct encoder *n, const char *why)
{
    n->why = why;
    return false;
}

enum { SLOTS = 4 };

static inline void put(struct encoder *n, unsigned low, uint64_t value)
{
    n->word |= value << low;
}

static const struct v3d_operand *operand(const struct v3d_insn *i, unsigned slot)
{
    return &i->half[slot / 2].src[slot % 2];
}

static bool is_used(const struct v3d_insn *i, unsigned slot)
{
    return slot % 2 < v3d_rows[i->half[slot / 2].op].sources;
}

/* ---- operations ---- */

static bool put_unpack(const struct v3d_encoding *e, unsigned operand, unsigned unpack, uint32_t *key)
{
    const struct v3d_codes *codes = &v3d_codes[e->unpack[operand].kind];
    for (unsigned code = codes->first; code <= codes->last; code++)
        if (codes->unpack[code] == unpack) {
            *key += code << e->unpack[operand].at;
            return true;
        }
    return false;
}

/* Puts the operation with pack and unpacks, and the destination. */
static bool put_op(struct encoder *n, unsigned half)
{
    const struct v3d_half *h = &n->i.half[half];
    if (h->op >= V3D_OPS || (h->op >= V3D_ADD_OPS) != half || !v3d_rows[h->op].encoding[n->g].exists)
        return refuse(n, "this generation does not have the operation");
    const struct v3d_row *row = &v3d_rows[h->op];
    const struct v3d_encoding *e = &row->encoding[n->g];
    uint32_t key = e->key;
    unsigned waddr = row->writes ? h->waddr : V3D_W_NOP, magic = row->writes ? h->magic : 1;
    if (!put_unpack(e, 0, row->sources > 0 ? h->src[0].unpack : V3D_UNPACK_NONE, &key) ||
        !put_unpack(e, 1, row->sources > 1 ? h->src[1].unpack : V3D_UNPACK_NONE, &key))
        return refuse(n, "the operation does not have this unpack");
    if (h->pack && (e->pack_at == V3D_NOWHERE || h->pack > V3D_PACK_H))
        return refuse(n, "the operation does not have this pack");
    key += h->pack ? (uint32_t)h->pack << e->pack_at : 0;
    if (e->magic != V3D_NOWHERE) {
        if (row->writes && magic)
            return refuse(n, "the operation can only write rf0 to rf63");
        magic = e->magic;
    }
    if (e->waddr != V3D_NOWHERE)
        waddr = e->waddr;
    put(n, half == V3D_ADD ? 24 : 58, key >> V3D_KEY_SUB_BITS);
    put(n, v3d_sub_at(n->g, half), key & V3D_KEY_SUB);
    put(n, half == V3D_ADD ? 32 : 38, waddr & 63);
    put(n, half == V3D_ADD ? V3D_MAGIC_AT_ADD : V3D_MAGIC_AT_MUL, magic);
    return true;
}

/* ---- operands ---- */

/* Of two operations that share an encoding, is this the one that the order of its operands gives? */
static bool is_ordered(const struct encoder *n)
{
    const struct v3d_half *h = &n->i.half[V3D_ADD];
    unsigned key[2];
    bool first = v3d_rows[h->op].shares;
    if (!first && !(h->op && v3d_rows[h->op - 1].shares))
        return true;
    for (unsigned s = 0; s < 2; s++)
        key[s] = v3d_order_key(n->g, h->src[s].unpack, h->src[s].kind == V3D_IMMEDIATE,
                               n->g == V3D_42 ? n->mux[s] : h->src[s].index);
    return first == (key[0] <= key[1]);
}

/* 4.2: gives the operands their muxes. Bit 3 - slot of `second` says that a register of this slot uses the
 * second port. */
static bool assign_muxes(struct encoder *n, unsigned second)
{
    n->port[0] = -1;
    n->port[1] = n->i.signals & V3D_SIG_ROT ? n->i.rotate : -1;
    bool immediate = n->i.signals & (V3D_SIG_ROT | V3D_SIG_SMIMM_B);
    for (unsigned slot = 0; slot < SLOTS; slot++)
        immediate |= is_used(&n->i, slot) && operand(&n->i, slot)->kind == V3D_IMMEDIATE;
    for (unsigned slot = 0; slot < SLOTS; slot++) {
        const struct v3d_operand *o = operand(&n->i, slot);
        if (!is_used(&n->i, slot))
            continue;
        n->mux[slot] = o->index;
        if (o->kind == V3D_ACCUMULATOR) {
            if (o->index >= V3D_ACCUMULATORS)
                return false;
            continue;
        }
        unsigned port = o->kind == V3D_IMMEDIATE || second >> (SLOTS - 1 - slot) & 1;
        if ((port && o->kind == V3D_RF && immediate) || (n->port[port] >= 0 && n->port[port] != o->index))
            return false;
        n->port[port] = o->index;
        n->mux[slot] = (uint8_t)(port ? V3D_MUX_B : V3D_MUX_A);
    }
    return is_ordered(n);
}

static bool put_muxes(struct encoder *n)
{
    unsigned second = 0;
    while (second < 1U << SLOTS && !assign_muxes(n, second))
        second++;
    if (second == 1U << SLOTS)
        return refuse(n, "the operands do not fit: an instruction reads two registers of the register file, "
                         "or one and a small immediate; fmax and faddnf need two different operands");
    for (unsigned slot = 0; slot < SLOTS; slot++)
        if (is_used(&n->i, slot))
            put(n, v3d_mux_at[slot], n->mux[slot]);
    put(n, 6, n->port[0] >= 0 ? (unsigned)n->port[0] : 0);
    put(n, 0, n->port[1] >= 0 ? (unsigned)n->port[1] : 0);
    return true;
}

static bool put_raddrs(struct encoder *n)
{
    for (unsigned slot = 0; slot < SLOTS; slot++) {
        if (!is_used(&n->i, slot))
            continue;
        if (operand(&n->i, slot)->kind == V3D_ACCUMULATOR)
            return refuse(n, "this generation has no accumulators");
        put(n, v3d_raddr_at[slot], operand(&n->i, slot)->index);
    }
    return is_ordered(n) || refuse(n, "fmax and faddnf need two different operands");
}

static bool put_operands(struct encoder *n)
{
    for (unsigned slot = 0; slot < SLOTS; slot++)
        if (is_used(&n->i, slot) &&
            (operand(&n->i, slot)->index >= V3D_REGISTERS || operand(&n->i, slot)->kind == V3D_NO_OPERAND))
            return refuse(n, "an operand is missing");
    return n->g == V3D_42 ? put_muxes(n) : put_raddrs(n);
}

/* ---- conditions and signals ---- */

/* Makes the condition field. Returns false if the combination has no encoding. */
static bool encode_cond(const struct v3d_half *h, unsigned *field)
{
    unsigned ac = h[V3D_ADD].cond, af = h[V3D_ADD].flags, mc = h[V3D_MUL].cond, mf = h[V3D_MUL].flags;
    if (ac > V3D_COND_IFNB || mc > V3D_COND_IFNB || af > V3D_FLAGS_NORC || mf > V3D_FLAGS_NORC)
        return false;
    if (!ac && !mc)
        *field = af ? af : mf ? 0x10 | mf : 0;
    else if (ac && mc)
        *field = 0x40 | (mc - 1) << 4 | (ac - 1);
    else if (ac)
        *field = 0x20 | (ac - 1) << 2 | mf;
    else
        *field = af < V3D_FLAGS_ANDZ ? 0x30 | (mc - 1) << 2 | af : 0x40 | (mc - 1) << 4 | af;
    return !(af && mf) && !(ac && af) && !(mc && mf) && !(ac && mf >= V3D_FLAGS_ANDZ);
}

/* Signals that the operands need, and signals of immediates that no operand uses. */
static unsigned signals_of(const struct encoder *n)
{
    unsigned set = n->i.signals & ~(unsigned)V3D_SIG_SMIMM, spare = n->i.signals & (unsigned)V3D_SIG_SMIMM;
    for (unsigned slot = 0; slot < SLOTS; slot++) {
        unsigned bit = n->g == V3D_42 ? V3D_SIG_SMIMM_B : (unsigned)V3D_SIG_SMIMM_A << slot;
        if (!is_used(&n->i, slot))
            continue;
        if (operand(&n->i, slot)->kind == V3D_IMMEDIATE)
            set |= bit;
        else if (n->g == V3D_71)
            spare &= ~bit;
    }
    set |= spare;
    return set & V3D_SIG_ROT ? set & ~(unsigned)V3D_SIG_SMIMM : set;
}

static bool put_signals(struct encoder *n)
{
    unsigned set = signals_of(n), number = 0, cond = 0;
    while (number < V3D_SIGNALS && v3d_signal_sets[n->g][number] != set)
        number++;
    if (number == V3D_SIGNALS)
        return refuse(n, "no instruction has this combination of signals and small immediates");
    if (!encode_cond(n->i.half, &cond) || n->i.sig_addr >= V3D_WADDRS)
        return refuse(n, "no instruction has this combination of conditions and flags");
    put(n, 53, number);
    if (!(set & V3D_SIG_WRITES)) {
        put(n, 46, cond);
        return true;
    }
    put(n, 46, (uint64_t)n->i.sig_magic << 6 | n->i.sig_addr);
    return cond == 0 ||
           refuse(n,
                  "an instruction with a signal that has a destination has no conditions and sets no flags");
}

static bool encode_branch(const struct v3d_branch *b, uint64_t *word)
{
    if (b->cond > 7 || b->msfign > 3 || b->bdi > 3 || b->bdu > 7 || (b->bdu && !b->ub) ||
        b->raddr >= V3D_REGISTERS || b->offset % 8)
        return false;
    *word = UINT64_C(2) << 56 | (uint64_t)(b->offset >> 3 & 0x1FFFFF) << 35 | (uint64_t)b->cond << 32 |
            (uint64_t)(b->offset >> 24) << 24 | (uint64_t)b->set_link << 23 | (uint64_t)b->msfign << 21 |
            (uint64_t)b->bdu << 15 | (uint64_t)b->ub << 14 | (uint64_t)b->bdi << 12 | (uint64_t)b->raddr << 6;
    return true;
}

/* Exchanges the operands of an operation that means the same with its operands in the other order. */
static void exchange(struct v3d_half *h)
{
    struct v3d_operand o = h->src[0];
    h->src[0] = h->src[1];
    h->src[1] = o;
}

bool v3d_encode_or(enum v3d_generation g, const struct v3d_insn *i, uint64_t *word, const char **why)
{
    *why = "the branch has no encoding";
    if (i->is_branch)
        return encode_branch(&i->branch, word);
    for (unsigned order = 0; order < 2; order++) {
        struct encoder n = {.g = g, .i = *i};
        unsigned op = i->half[V3D_ADD].op;
        if (order)
            exchange(&n.i.half[V3D_ADD]);
        if (put_op(&n, V3D_ADD) && put_op(&n, V3D_MUL) && put_operands(&n) && put_signals(&n)) {
            *word = n.word;
            return true;
        }
        *why = n.why;
        if (op >= V3D_ADD_OPS || (!v3d_rows[op].shares && !(op && v3d_rows[op - 1].shares)))
            return false;
    }
    return false;
}

bool v3d_encode(enum v3d_generation g, const struct v3d_insn *i, uint64_t *word)
{
    const char *why;
    return v3d_encode_or(g, i, word, &why);
}
