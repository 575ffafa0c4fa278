/* SPDX-License-Identifier: MIT */
/* Branches of a thread, and of its stream of uniforms. */
#include "model/v3d/run/v3d_machine.h"
#include "model/v3d/v3d_points.h"

enum { BRANCH_SLOTS = 3, BRANCH_DELAY = BRANCH_SLOTS + 1 }; /* BRANCH_DELAY: with the branch itself */

/* Returns the lanes that a branch asks. */
static uint16_t asked(const struct v3d_machine *m, const struct v3d_thread *t, const struct v3d_branch *b)
{
    uint16_t live = b->msfign == V3D_MSFIGN_P   ? v3d_live(t)
                    : b->msfign == V3D_MSFIGN_Q ? v3d_quads(v3d_live(t))
                                                : V3D_ALL_LANES;
    return (uint16_t)V3D_SEE(m, BRANCH_LANES, live, v3d_live(t), b->msfign, b->cond);
}

static bool taken(const struct v3d_machine *m, const struct v3d_thread *t, const struct v3d_branch *b,
                  uint16_t live, bool *unsure)
{
    uint16_t a = t->alu.flag_a;
    *unsure = b->cond >= V3D_BRANCH_ALLA ? t->unsure_a & live : b->cond && (t->unsure_a & 1);
    switch (b->cond) {
    case V3D_BRANCH_UNASSIGNED:
        return v3d_consult(m, V3D_CLAUSE_RESERVED_BRANCH_COND) != V3D_COND_1_NEVER;
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

/* Returns the word of a register that gives the address of a branch. `lane`: the lane, before any rule. */
static uint32_t address_in(const struct v3d_machine *m, const struct v3d_thread *t,
                           const struct v3d_branch *b, bool uniforms, unsigned lane)
{
    lane = V3D_SEE(m, BRANCH_LANE, lane, uniforms, b->raddr, m->generation == V3D_71);
    return v3d_see_register(m, t, b->raddr)->value.lane[lane];
}

static enum v3d_stop branch_uniforms(struct v3d_machine *m, struct v3d_thread *t, const struct v3d_branch *b,
                                     bool goes)
{
    uint32_t word = 0;
    enum v3d_stop stop = V3D_GO;
    const bool takes = b->bdu == V3D_TO_ABSOLUTE || b->bdu == V3D_TO_RELATIVE;
    if (V3D_SEE(m, UNIFORM_BRANCH, takes, b->bdu))
        stop = v3d_take_uniform(m, t, &word);
    if (stop || !goes)
        return stop;
    uint32_t before = t->uniform_before = t->uniform;
    if (b->bdu == V3D_TO_ABSOLUTE)
        t->uniform = word;
    else if (b->bdu == V3D_TO_RELATIVE)
        t->uniform += word;
    else if (b->bdu == V3D_TO_REGISTER)
        t->uniform = address_in(m, t, b, true, v3d_consult(m, V3D_CLAUSE_UNIFORM_LANE) == V3D_UNIFORM_LANE_1);
    else if (b->bdu == V3D_TO_LINK && v3d_consult(m, V3D_CLAUSE_UNIFORM_LINK) == READING_MANUAL)
        return V3D_FAULT_RESERVED;
    t->uniform = V3D_SEE(m, UNIFORM_TARGET, t->uniform, b->bdu, before, word);
    return V3D_GO;
}

/* Returns the address that a branch goes to. `after`: the address behind its delay slots. */
static uint32_t target_of(const struct v3d_machine *m, const struct v3d_thread *t, const struct v3d_branch *b,
                          uint32_t after)
{
    switch (b->bdi) {
    case V3D_TO_ABSOLUTE:
        return b->offset;
    case V3D_TO_RELATIVE:
        return after + b->offset;
    case V3D_TO_LINK:
        return t->alu.link;
    default:
        return address_in(m, t, b, false, v3d_consult(m, V3D_CLAUSE_BRANCH_LANE) == V3D_BRANCH_LANE_1);
    }
}

enum v3d_stop v3d_branch(struct v3d_machine *m, struct v3d_thread *t, const struct v3d_branch *b)
{
    const uint16_t lanes = asked(m, t, b);
    bool unsure, goes = taken(m, t, b, lanes, &unsure);
    goes = V3D_SEE(m, BRANCH_TAKEN, goes, b->cond, t->alu.flag_a, lanes, t->alu.flag_b, v3d_live(t));
    uint32_t after = m->code_base + (t->pc + BRANCH_DELAY) * 8;
    after = V3D_SEE(m, BRANCH_AFTER, after, b->bdi, b->set_link);
    if (m->checked && unsure)
        return V3D_FAULT_UNDEFINED;
    bool by_register = b->bdi == V3D_TO_REGISTER || (b->ub && b->bdu == V3D_TO_REGISTER);
    if (m->checked && goes && by_register && (v3d_see_register(m, t, b->raddr)->unsure & 3))
        return V3D_FAULT_UNDEFINED;
    enum v3d_stop stop = b->ub ? branch_uniforms(m, t, b, goes) : V3D_GO;
    if (!goes || stop)
        return stop;
    uint32_t target = V3D_SEE(m, BRANCH_TARGET, target_of(m, t, b, after), b->bdi, after);
    t->target = V3D_SEE(m, BRANCH_NUMBER, (target - m->code_base) / 8, b->bdi, after);
    t->branch_in = (uint8_t)(1 + V3D_SEE(m, BRANCH_SLOTS, BRANCH_SLOTS, b->cond, b->bdi));
    if (b->set_link)
        t->alu.link = V3D_SEE(m, BRANCH_LINK, after, target, t->alu.link);
    return V3D_GO;
}
