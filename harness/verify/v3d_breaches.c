/* SPDX-License-Identifier: MIT */
#include "harness/verify/v3d_breaches.h"

enum { LAST_SWITCH_AFTER = 3 }; /* instructions from a breaking thread switch to the last one, at least */

static bool has_switch(const struct v3d_insn *i)
{
    return !i->is_branch && !i->reserved && (i->signals & V3D_SIG_THRSW);
}

static bool writes_syncb(const struct v3d_insn *i)
{
    bool writes = (i->signals & V3D_SIG_WRITES) && i->sig_magic && i->sig_addr == V3D_W_SYNCB;
    for (unsigned h = 0; h < V3D_HALVES; h++)
        writes |=
            v3d_op_writes((enum v3d_op)i->half[h].op) && i->half[h].magic && i->half[h].waddr == V3D_W_SYNCB;
    return writes;
}

/* Is the announcement of the last thread switch some way behind this place, and is there no barrier? */
static bool is_far_from_the_end(const struct v3d_insn *program, uint32_t count, uint32_t at)
{
    uint32_t last = 0;
    for (uint32_t n = 0; n < count; n++)
        if (!program[n].is_branch && writes_syncb(&program[n]))
            return false;
    for (uint32_t n = 1; n < count && !last; n++)
        last = has_switch(&program[n - 1]) && has_switch(&program[n]) ? n - 1 : 0;
    return at + LAST_SWITCH_AFTER <= last;
}

/* Has the instruction no signals but these? Immediates and rotations count as operands. */
static bool has_only(const struct v3d_insn *i, unsigned signals)
{
    return !(i->signals & ~(signals | V3D_SIG_SMIMM | V3D_SIG_ROT));
}

static bool writes_rf0(const struct v3d_insn *i)
{
    const struct v3d_half *h = &i->half[V3D_ADD];
    return h->magic && (h->waddr == V3D_W_R5 || h->waddr == V3D_W_REP);
}

bool v3d_may_break(const struct v3d_case *c, const struct v3d_insn *program, uint32_t count,
                   const struct v3d_breach *b)
{
    const struct v3d_insn *i = &program[b->at < count ? b->at : 0];
    switch (b->which) {
    case V3D_BREAKS_SFU_R4:
    case V3D_BREAKS_UMUL24:
    case V3D_BREAKS_IMMEDIATE:
    case V3D_BREAKS_ROT_EARLY:
        return has_only(i, 0);
    case V3D_BREAKS_ROT_DESTINATION:
        return has_only(i, 0) && writes_rf0(i);
    case V3D_BREAKS_RF0_AT_THRSW:
        return has_only(i, V3D_SIG_LDTMU | V3D_SIG_LDUNIF);
    case V3D_BREAKS_THRSW_SPACING:
        return c->batches == 1 && !(c->start & V3D_START_SINGLE_SEGMENT) && has_only(i, V3D_SIG_THRSW) &&
               is_far_from_the_end(program, count, b->at);
    default:
        return false;
    }
}

const struct v3d_breach *v3d_find_breaches(const struct v3d_case *c, const struct v3d_insn *program,
                                           uint32_t count, struct v3d_breaches *found)
{
    unsigned all = v3d_check((enum v3d_generation)c->generation, program, count,
                             c->start & V3D_START_SINGLE_SEGMENT, found->item, V3D_BREACHES_MAX);
    found->count = all < V3D_BREACHES_MAX ? all : V3D_BREACHES_MAX;
    for (unsigned n = 0; n < found->count; n++)
        if (!v3d_may_break(c, program, count, &found->item[n]))
            return &found->item[n];
    return all > V3D_BREACHES_MAX ? &found->item[V3D_BREACHES_MAX - 1] : NULL;
}
