/* SPDX-License-Identifier: MIT */
#include "harness/verify/v3d_breaches.h"

enum { LAST_SWITCH_AFTER = 3 }; /* instructions from a breaking thread switch to the last one, at least */

/* A program with a breach, and the instruction of the breach. */
struct place {
    const struct v3d_case *c;
    const struct v3d_insn *program, *i;
    uint32_t count, at;
};

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
static bool is_far_from_the_end(const struct place *p)
{
    uint32_t last = 0;
    for (uint32_t n = 0; n < p->count; n++)
        if (!p->program[n].is_branch && writes_syncb(&p->program[n]))
            return false;
    for (uint32_t n = 1; n < p->count && !last; n++)
        last = has_switch(&p->program[n - 1]) && has_switch(&p->program[n]) ? n - 1 : 0;
    return p->at + LAST_SWITCH_AFTER <= last;
}

/* Has the instruction no signals but these? Immediates and rotations count as operands. */
static bool has_only(const struct place *p, unsigned signals)
{
    return !p->i->is_branch && !(p->i->signals & ~(signals | V3D_SIG_SMIMM | V3D_SIG_ROT));
}

static bool never(const struct place *p)
{
    (void)p;
    return false;
}

static bool without_signal(const struct place *p)
{
    return has_only(p, 0);
}

static bool at_rf0(const struct place *p)
{
    const struct v3d_half *h = &p->i->half[V3D_ADD];
    return has_only(p, 0) && h->magic && (h->waddr == V3D_W_R5 || h->waddr == V3D_W_REP);
}

static bool with_two_signals(const struct place *p)
{
    return has_only(p, V3D_SIG_LDTMU | V3D_SIG_LDUNIF);
}

/* Are the instruction's accesses those of the SFU of V3D 4.2? It has no other destinations than registers. */
static bool only_sfu(const struct place *p)
{
    bool only = p->c->generation == V3D_42 && has_only(p, 0);
    for (unsigned h = 0; h < V3D_HALVES && only; h++) {
        const struct v3d_half *half = &p->i->half[h];
        only = !v3d_op_writes((enum v3d_op)half->op) || !half->magic || half->waddr <= V3D_W_NOP ||
               half->waddr == V3D_W_REP || (half->waddr >= V3D_W_RECIP && half->waddr <= V3D_W_RSQRT2);
    }
    return only;
}

static bool loads_by_unifa(const struct place *p)
{
    return has_only(p, V3D_SIG_LDUNIFA | V3D_SIG_LDUNIFARF);
}

static bool takes_uniform(const struct place *p)
{
    return has_only(p, V3D_SIG_LDUNIF | V3D_SIG_LDUNIFRF);
}

static bool leaves_the_stream(const struct place *p)
{
    return p->i->is_branch && !p->i->branch.ub;
}

static bool as_tests_do(const struct place *p)
{
    return p->c->batches == 1 && !(p->c->start & V3D_START_SINGLE_SEGMENT) && has_only(p, V3D_SIG_THRSW) &&
           is_far_from_the_end(p);
}

#define ELSEWHERE "execution may go elsewhere"
#define SIGNAL    "with a signal, more than a register may depend on it"
static const struct {
    bool (*may)(const struct place *p);
    const char *why_not; /* elsewhere */
} rules[V3D_RESTRICTIONS] = {
    [V3D_BREAKS_BRANCH_IN_BRANCH_SLOT] = {never, ELSEWHERE},
    [V3D_BREAKS_BRANCH_IN_THRSW_SLOT] = {never, ELSEWHERE},
    [V3D_BREAKS_THRSW_IN_BRANCH_SLOT] = {never, ELSEWHERE},
    [V3D_BREAKS_THRSW_SPACING] = {as_tests_do, "the thread may end early; only one batch, no barrier and a "
                                               "distance from the end are known to work"},
    [V3D_BREAKS_SECOND_LAST_THRSW] = {never, "the thread may end before the program does"},
    [V3D_BREAKS_END_WRITE] = {never, "the register may already be another thread's"},
    [V3D_BREAKS_END_PAYLOAD] = {never, "the register may already be another thread's"},
    [V3D_BREAKS_END_TMUWT] = {never, "an erratum of the chip: the thread may never end"},
    [V3D_BREAKS_SFU_IN_THRSW_SLOT] = {never, "another thread may get the result"},
    [V3D_BREAKS_SFU_R4] = {without_signal, SIGNAL},
    [V3D_BREAKS_PERIPHERALS] = {only_sfu, "an access or a result of the TMU may be lost, and later ones take "
                                          "its place"},
    [V3D_BREAKS_IMMEDIATE] = {without_signal, SIGNAL},
    [V3D_BREAKS_UMUL24] = {without_signal, SIGNAL},
    [V3D_BREAKS_TWO_UNIFORMS] = {never, "either word may configure the access of the TMU"},
    [V3D_BREAKS_UNIFA_DELAY] = {loads_by_unifa, SIGNAL},
    [V3D_BREAKS_UNIFA_BRANCH] = {leaves_the_stream, "two streams of uniforms move at once"},
    [V3D_BREAKS_UNIFA_THRSW] = {never, "another thread may get the address"},
    [V3D_BREAKS_UNIFORM_IN_BRANCH_SLOT] = {takes_uniform,
                                           "an address or a configuration may be a wrong word"},
    [V3D_BREAKS_ROT_EARLY] = {without_signal, SIGNAL},
    [V3D_BREAKS_ROT_DESTINATION] = {at_rf0, "the TMU may get something else"},
    [V3D_BREAKS_RF0_AT_THRSW] = {with_two_signals, SIGNAL},
    [V3D_BREAKS_RESERVED] = {never, "no source says what it does"},
    [V3D_BREAKS_LAST_THRSW] = {never, "the thread may never end"},
    [V3D_BREAKS_END] = {never, "the thread may never end"},
    [V3D_BREAKS_LDVARY_IN_THRSW_SLOT] = {never, "a compute program has no varyings"},
    [V3D_BREAKS_LDUNIF_AFTER_LDVARY] = {never, "a compute program has no varyings"},
    [V3D_BREAKS_RF0_AFTER_LDVARY] = {never, "a compute program has no varyings"},
};

bool v3d_breach_error(const struct v3d_breach *b, struct error *e)
{
    return error_set(e, "%s Not tried on hardware, because %s", v3d_restrictions[b->which].says,
                     rules[b->which].why_not);
}

bool v3d_may_break(const struct v3d_case *c, const struct v3d_insn *program, uint32_t count,
                   const struct v3d_breach *b)
{
    const struct place p = {c, program, &program[b->at < count ? b->at : 0], count, b->at};
    return b->at < count && rules[b->which].may(&p);
}

enum { SLOTS = 3, BEYOND = 3 }; /* instructions behind the target that a restriction can concern */

static bool is_known(const struct v3d_breaches *found, const struct v3d_breach *b)
{
    for (unsigned n = 0; n < found->count; n++)
        if (found->item[n].at == b->at && found->item[n].which == b->which)
            return true;
    return false;
}

/* Finds a restriction that a branch breaks by going on at its target. */
static const struct v3d_breach *find_jump(const struct v3d_case *c, const struct v3d_insn *program,
                                          uint32_t count, uint32_t branch, struct v3d_breaches *found)
{
    struct v3d_insn path[1 + SLOTS + BEYOND];
    struct v3d_breach all[4 * (1 + SLOTS + BEYOND)];
    uint64_t target = (uint64_t)branch + 1 + SLOTS + program[branch].branch.offset / 8;
    uint32_t length = 0;
    for (; length < 1 + SLOTS && branch + length < count; length++)
        path[length] = program[branch + length];
    for (uint32_t n = 0; n < BEYOND && length > SLOTS && target + n < count; n++)
        path[length++] = program[target + n];
    unsigned breaches =
        v3d_check((enum v3d_generation)c->generation, path, length, false, all, sizeof all / sizeof *all);
    for (unsigned n = 0; n < breaches && n < sizeof all / sizeof *all; n++) {
        if (all[n].at <= SLOTS || all[n].at >= length)
            continue;
        found->jump = (struct v3d_breach){(uint32_t)target + all[n].at - 1 - SLOTS, all[n].which};
        if (!is_known(found, &found->jump))
            return &found->jump;
    }
    return NULL;
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
    if (all > V3D_BREACHES_MAX)
        return &found->item[V3D_BREACHES_MAX - 1];
    for (uint32_t n = 0; n < count; n++) {
        const struct v3d_insn *i = &program[n];
        const struct v3d_breach *jump =
            i->is_branch && !i->reserved && i->branch.bdi == V3D_TO_RELATIVE && i->branch.offset
                ? find_jump(c, program, count, n, found)
                : NULL;
        if (jump)
            return jump;
    }
    return NULL;
}
