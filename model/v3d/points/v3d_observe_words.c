/* SPDX-License-Identifier: MIT */
#include "model/v3d/points/v3d_observe_words.h"

#include "model/v3d/v3d_rows.h"

/* ---- what an instruction touches ---- */

enum touch {
    TOUCH_RF,
    TOUCH_PAYLOAD, /* rf2 or rf3 */
    TOUCH_R4,
    TOUCH_READS_R4,
    TOUCH_R5,
    TOUCH_SFU,
    TOUCH_UNIFA,
    TOUCH_TMUC,
    TOUCH_TMUA,
    TOUCH_TMUD,
    TOUCH_TMU_OTHER,
    TOUCH_SYNC,
    TOUCH_VPM_TLB,
    TOUCH_UNIFORM,
    TOUCH_RF0,
    TOUCH_SFU_OPERATION
};

static uint32_t bit_of_magic(unsigned waddr)
{
    switch (waddr) {
    case V3D_W_R4:
        return 1U << TOUCH_R4;
    case V3D_W_R5:
    case V3D_W_REP:
        return 1U << TOUCH_R5;
    case V3D_W_UNIFA:
        return 1U << TOUCH_UNIFA;
    case V3D_W_TMUC:
        return 1U << TOUCH_TMUC;
    case V3D_W_TMUA:
    case V3D_W_TMUAU:
        return 1U << TOUCH_TMUA;
    case V3D_W_TMUD:
        return 1U << TOUCH_TMUD;
    case V3D_W_TLB:
    case V3D_W_TLBU:
    case V3D_W_VPM:
    case V3D_W_VPMU:
        return 1U << TOUCH_VPM_TLB;
    default:
        return waddr >= V3D_W_RECIP && waddr <= V3D_W_RSQRT2    ? 1U << TOUCH_SFU
               : waddr >= V3D_W_SYNC && waddr <= V3D_W_SYNCB    ? 1U << TOUCH_SYNC
               : waddr >= V3D_W_TMUS && waddr <= V3D_W_TMUHSLOD ? 1U << TOUCH_TMU_OTHER
                                                                : 0;
    }
}

static uint32_t bits_of_destination(bool magic, unsigned waddr)
{
    if (magic)
        return bit_of_magic(waddr) | (uint32_t)v3d_waddr_takes_uniform(waddr) << TOUCH_UNIFORM;
    return 1U << TOUCH_RF | (uint32_t)(waddr == 2 || waddr == 3) << TOUCH_PAYLOAD |
           (uint32_t)(waddr == 0) << TOUCH_RF0;
}

uint32_t v3d_touches(const struct v3d_insn *i)
{
    uint32_t set = 0;
    if (i->is_branch)
        return 0;
    if (i->signals & V3D_SIG_WRITES)
        set |= bits_of_destination(i->sig_magic, i->sig_addr);
    for (unsigned half = 0; half < V3D_HALVES; half++) {
        const struct v3d_half *h = &i->half[half];
        if (v3d_rows[h->op].writes)
            set |= bits_of_destination(h->magic, h->waddr);
        if (h->op >= V3D_A_RECIP && h->op <= V3D_A_RSQRT2)
            set |= 1U << TOUCH_SFU_OPERATION;
        for (unsigned n = 0; n < v3d_rows[h->op].sources; n++)
            if (h->src[n].kind == V3D_ACCUMULATOR && h->src[n].index == V3D_W_R4)
                set |= 1U << TOUCH_READS_R4;
    }
    return set;
}

/* ---- fields ---- */

/* The fields of a word, in the order of their points and of these points' inputs. */
struct word_field {
    uint8_t low, width;
};
enum { FIELDS = V3D_POINT_WORD_RADDR_B - V3D_POINT_WORD_OP_MUL + 1, SIG = 1, COND = 2 };
static const struct word_field fields[FIELDS] = {{58, 6}, {53, 5}, {46, 7},  {45, 1}, {44, 1}, {38, 6},
                                                 {32, 6}, {24, 8}, {12, 12}, {6, 6},  {0, 6}};

bool v3d_observes_words(const struct observer *o)
{
    bool any = false;
    for (unsigned n = V3D_POINT_CHECK_ACCESSES; n <= V3D_POINT_WORD_RESERVED && !any; n++)
        any = observer_wants(o, n);
    return any;
}

/* Sets why a word is reserved. */
static void set_reasons(uint32_t now, struct v3d_insn *i)
{
    const uint32_t all = ((1U << V3D_RESERVEDS) - 1) & ~1U;
    if (now == i->reasons)
        return;
    i->reasons = (uint16_t)(now & all);
    i->reserved = (uint8_t)(i->reasons ? (unsigned)__builtin_ctz(i->reasons) : V3D_DEFINED);
}

/* Passes why a branch is reserved. */
static void see_branch_reasons(const struct observer *o, enum v3d_generation g, struct v3d_insn *i)
{
    const struct v3d_branch *b = &i->branch;
    set_reasons(OBSERVE(o, V3D_POINT_WORD_BRANCH_RESERVED, i->reasons, b->cond, b->msfign, b->bdi, b->bdu,
                        b->ub, g == V3D_71),
                i);
}

/* Passes why another word is reserved. `word`: after rules at its fields. */
static void see_reasons(const struct observer *o, enum v3d_generation g, uint64_t word, struct v3d_insn *i)
{
    const struct v3d_half *add = &i->half[V3D_ADD], *mul = &i->half[V3D_MUL];
    set_reasons(OBSERVE(o, V3D_POINT_WORD_RESERVED, i->reasons, add->op, mul->op, i->signals,
                        (uint32_t)add->src[0].unpack << 5 | add->src[1].unpack,
                        (uint32_t)mul->src[0].unpack << 5 | mul->src[1].unpack,
                        (uint32_t)mul->pack << 2 | add->pack, word >> fields[SIG].low & 31,
                        word >> fields[COND].low & 127, add->waddr, mul->waddr, i->sig_addr, g == V3D_71),
                i);
}

void v3d_decode_observed(const struct observer *o, enum v3d_generation g, uint64_t word, struct v3d_insn *i)
{
    uint32_t field[FIELDS + 1];
    uint64_t now = word;
    if (word >> 58 == 0) {
        (void)v3d_decode_by(o, g, word, i);
        if (i->is_branch)
            see_branch_reasons(o, g, i);
        return;
    }
    for (unsigned n = 0; n < FIELDS; n++)
        field[n] = (uint32_t)(word >> fields[n].low) & ((1U << fields[n].width) - 1);
    field[FIELDS] = g == V3D_71;
    for (unsigned n = 0; n < FIELDS; n++) {
        const unsigned point = V3D_POINT_WORD_OP_MUL + n;
        const uint64_t v = observer_wants(o, point) ? observe(o, point, field[n], field) : field[n];
        now ^= (v ^ field[n]) << fields[n].low;
    }
    (void)v3d_decode_by(o, g, now, i);
    if (!i->is_branch)
        see_reasons(o, g, now, i);
}
