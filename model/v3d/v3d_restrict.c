/* SPDX-License-Identifier: MIT */
#include "model/v3d/v3d_restrict.h"

#include "model/core/clause_rows.h"
#include "model/v3d/points/v3d_observe_words.h"
#include "model/v3d/v3d_clauses.h"
#include "model/v3d/v3d_rows.h"

#include <inttypes.h>

#define VALIDATOR "Mesa's validator (src/broadcom/compiler)"
#define SCHEDULER "Mesa's scheduler (src/broadcom/compiler)"

/* clang-format off */
/* Who says what happens in spite of a restriction. */
#define WORKS "The instruction works as anywhere else."
#define WORKS_NOBODY ARGUED("works", WORKS, "no source says that hardware checks it")
#define WORKS_TESTED CODED("works", WORKS, "py-videocore6 and 7, test_alu: two instructions apart")
#define WORKS_TESTED_UNIFA CODED("works", WORKS, "py-videocore6 and 7, test_unifa, which breaks it")
#define WORKS_SFU \
    ARGUED("works", "r4 still has its old value. The result comes after what the instruction writes to r4, " \
           "or not at all if the instruction starts another one.", \
           "no source says that hardware checks it"), \
    ARGUED("stalls", "The instruction waits: the result is in r4 before it.", \
           "Mesa's scheduler says that an early read of another form of result stalls"), \
    ARGUED("undefined", "r4 is undefined for this instruction. The result comes after it.", \
           "the register may be under way between two values")
#define PROFILES_NOBODY {0}
#define PROFILES_SFU {0}
#define PROFILES_TESTED {[V3D_PROFILE_TESTS] = 1, [V3D_PROFILE_42] = 1, [V3D_PROFILE_71] = 1}
#define PROFILES_TESTED_UNIFA PROFILES_TESTED

/* X(ID, ID OF THE CLAUSE, TITLE, WHAT PROGRAMS DO NOT DO, WHO ENFORCES IT, WHO SAYS WHAT HAPPENS) */
#define RESTRICTIONS(X) \
    X(BRANCH_IN_BRANCH_SLOT, "v3d-branch-in-branch-slot", "a branch in the delay slots of a branch", \
      "No branch is in the three delay slots of a branch.", \
      VALIDATOR, NOBODY) \
    X(BRANCH_IN_THRSW_SLOT, "v3d-branch-in-thrsw-slot", "a branch in the delay slots of a thread switch", \
      "No branch is in the two delay slots of a thread switch.", \
      VALIDATOR, NOBODY) \
    X(THRSW_IN_BRANCH_SLOT, "v3d-thrsw-in-branch-slot", "a thread switch in the delay slots of a branch", \
      "No thread switch is in the three delay slots of a branch.", \
      VALIDATOR, NOBODY) \
    X(THRSW_SPACING, "v3d-thrsw-spacing", "thread switches less than three instructions apart", \
      "Thread switches are three instructions apart, except the two that announce the last one.", \
      VALIDATOR, TESTED) \
    X(SECOND_LAST_THRSW, "v3d-second-last-thrsw", "a second announcement of the last thread switch", \
      "Two thread switches in a row, which announce the last one, occur once.", \
      VALIDATOR, NOBODY) \
    X(END_WRITE, "v3d-end-write", "registers written at the end of a program", \
      "V3D 4.2: from the ending thread switch on nothing writes the register file. 7.1: the ALUs do " \
      "not in the instruction with the ending thread switch.", \
      VALIDATOR, NOBODY) \
    X(END_PAYLOAD, "v3d-end-payload", "rf2 and rf3 written at the end of a program", \
      "V3D 7.1: from the ending thread switch on nothing writes rf2 and rf3, which hold the next " \
      "thread's payload.", \
      VALIDATOR, NOBODY) \
    X(END_TMUWT, "v3d-end-tmuwt", "tmuwt as the last instruction", \
      "V3D 4.2: tmuwt is not the last instruction (GFXH-1625).", \
      SCHEDULER, NOBODY) \
    X(SFU_IN_THRSW_SLOT, "v3d-sfu-in-thrsw-slot", "a write to the SFU at a thread switch", \
      "Nothing writes the SFU's magic addresses with a thread switch or in its delay slots.", \
      VALIDATOR, NOBODY) \
    X(SFU_R4, "v3d-sfu-r4", "r4 or the SFU right after a write to the SFU", \
      "V3D 4.2: the instruction after a write to the SFU's magic addresses neither reads nor writes " \
      "r4, nor writes to the SFU.", \
      VALIDATOR, SFU) \
    X(PERIPHERALS, "v3d-one-peripheral", "two accesses to peripherals in an instruction", \
      "An instruction has one access to TMU, SFU, VPM, TLB or sync; on V3D 4.2 ldtmu is one, too. " \
      "wrtmuc is one, but goes with a write to the TMU other than tmuc.", \
      SCHEDULER, NOBODY) \
    X(IMMEDIATE, "v3d-immediate-unused", "a small immediate without an operation", \
      "V3D 7.1: a signal of a small immediate comes with an operation of this ALU.", \
      VALIDATOR, NOBODY) \
    X(UMUL24, "v3d-rtop-thrsw", "a thread switch between multop and umul24", \
      "No thread switch separates umul24 from the multop before it.", \
      VALIDATOR, NOBODY) \
    X(TWO_UNIFORMS, "v3d-two-uniforms", "two words of uniforms in an instruction", \
      "An instruction takes one word of uniforms at most.", \
      SCHEDULER, NOBODY) \
    X(UNIFA_DELAY, "v3d-unifa-delay", "ldunifa soon after a write to unifa", \
      "Three instructions lie between a write to unifa and ldunifa or ldunifarf.", \
      SCHEDULER, NOBODY) \
    X(UNIFA_BRANCH, "v3d-unifa-branch", "a branch soon after a write to unifa", \
      "No branch is in the three instructions after a write to unifa.", \
      SCHEDULER, TESTED_UNIFA) \
    X(UNIFA_THRSW, "v3d-unifa-thrsw", "a thread switch soon after a write to unifa", \
      "No thread switch takes effect in the three instructions after a write to unifa.", \
      SCHEDULER, NOBODY) \
    X(UNIFORM_IN_BRANCH_SLOT, "v3d-uniform-in-branch-slot", \
      "uniforms in the delay slots of a uniform branch", \
      "No word of the uniform stream is taken, and unifa is not written, in the three delay slots of a " \
      "branch of the uniform stream.", \
      SCHEDULER, NOBODY) \
    X(ROT_EARLY, "v3d-rot-early", "rot right after what it rotates was written", \
      "V3D 4.2: the instruction before one with the signal rot writes neither what it rotates nor, for a " \
      "count from r5, r5.", \
      "py-videocore6 (tests of the signal)", NOBODY) \
    X(ROT_DESTINATION, "v3d-rot-destination", "rot and rotq with a destination that is no register", \
      "V3D 7.1: rot and rotq write neither quad, rep, tmud, tmua nor tmuc, and no mov to tmud, tmua or " \
      "tmuc stands beside them.", \
      "py-videocore7 (test_guard: no effect, or dangerous)", NOBODY) \
    X(RF0_AT_THRSW, "v3d-rf0-at-thrsw", "rf0 by a signal in the last slot of a thread switch", \
      "V3D 7.1: the last delay slot of a thread switch does not write rf0 by ldunif or ldunifa while " \
      "another signal writes the register file.", \
      SCHEDULER, NOBODY)

#define RESTRICTION_ROW(ID, CLAUSE, TITLE, SAYS, SOURCE, WHO) [V3D_BREAKS_##ID] = {CLAUSE, SAYS, SOURCE},
const struct v3d_restriction_row v3d_restrictions[V3D_RESTRICTIONS] = {
    RESTRICTIONS(RESTRICTION_ROW)
    [V3D_BREAKS_RESERVED] = {"v3d-reserved-word",
        "A program holds no reserved word.",
        "Mesa's decoder"},
    [V3D_BREAKS_LAST_THRSW] = {"v3d-no-last-thrsw",
        "A program with thread switches announces the last one by two in a row.",
        VALIDATOR},
    [V3D_BREAKS_END] = {"v3d-no-end",
        "A program ends with a thread switch after the last one.",
        VALIDATOR},
    [V3D_BREAKS_LDVARY_IN_THRSW_SLOT] = {"v3d-ldvary-in-thrsw-slot",
        "V3D 4.2: no ldvary is in the delay slots of a thread switch. 7.1: none is in the second.",
        VALIDATOR},
    [V3D_BREAKS_LDUNIF_AFTER_LDVARY] = {"v3d-ldunif-after-ldvary",
        "Neither ldunif nor ldunifa directly follows an ldvary: both would write the same register "
        "at once.",
        VALIDATOR},
    [V3D_BREAKS_RF0_AFTER_LDVARY] = {"v3d-rf0-after-ldvary",
        "V3D 7.1: the instruction after ldvary does not write rf0, unless it is an ldvary.",
        SCHEDULER},
};

#define CLAUSE_ROW(ID, CLAUSE, TITLE, SAYS, SOURCE, WHO) \
    [V3D_BREAKS_##ID] = {.id = CLAUSE, .title = TITLE, .where = SOURCE, .silent = true, \
                         .readings = {ARGUED("manual", "What happens is undefined. " SAYS, SOURCE), \
                                      WORKS_##WHO}, \
                         .in_profile = PROFILES_##WHO},
const struct clause v3d_restriction_clauses[V3D_RESTRICTION_CLAUSES] = {RESTRICTIONS(CLAUSE_ROW)};
/* clang-format on */

enum {
    TAKE_UNIFORMS = V3D_SIG_LDUNIF | V3D_SIG_LDUNIFRF | V3D_SIG_LDUNIFA | V3D_SIG_LDUNIFARF | V3D_SIG_WRTMUC |
                    V3D_SIG_LDTLBU
};
enum { BRANCH_SLOTS = 3, THRSW_SLOTS = 2, UNIFA_SLOTS = 3, LONG_AGO = -16 };

struct checker {
    enum v3d_generation g;
    struct v3d_insn i, before;
    int64_t at, sfu, branch, thrsw, unifa; /* where the last ones were */
    bool redirects;                        /* the last branch also branches the stream of uniforms */
    bool last, ended;                      /* the last thread switch was announced, the program ended */
    unsigned switches;
    int64_t end;
    bool product, product_lost; /* multop set RTOP; a thread switch took it */
    struct v3d_breach *found;
    unsigned room, count;
    uint32_t broken; /* by this instruction; bit n: restriction n */
    const struct observer *observer;
};

/* Notes each restriction once for an instruction, so that count * V3D_RESTRICTIONS is room for all. */
static void breaks(struct checker *c, enum v3d_restriction which)
{
    _Static_assert(V3D_RESTRICTIONS <= 32, "one bit for each");
    if (c->broken >> which & 1)
        return;
    c->broken |= UINT32_C(1) << which;
    if (c->count < c->room)
        c->found[c->count] = (struct v3d_breach){(uint32_t)c->at, (uint8_t)which};
    c->count++;
}

/* ---- what an instruction does ---- */

static bool writes_rf(const struct v3d_half *h, unsigned row)
{
    return v3d_rows[h->op].writes && !h->magic && (row == V3D_REGISTERS || h->waddr == row);
}

static bool signal_writes_rf(const struct v3d_insn *i, unsigned row)
{
    return (i->signals & V3D_SIG_WRITES) && !i->sig_magic && (row == V3D_REGISTERS || i->sig_addr == row);
}

/* Does the instruction write this register of the register file? V3D_REGISTERS: any. */
static bool insn_writes_rf(const struct v3d_insn *i, unsigned row)
{
    return writes_rf(&i->half[V3D_ADD], row) || writes_rf(&i->half[V3D_MUL], row) || signal_writes_rf(i, row);
}

/* How many magic destinations of the ALUs and the signals are from `first` to `last`. */
static unsigned magic_writes(const struct v3d_insn *i, unsigned first, unsigned last)
{
    unsigned count =
        (i->signals & V3D_SIG_WRITES) && i->sig_magic && i->sig_addr >= first && i->sig_addr <= last;
    for (unsigned half = 0; half < V3D_HALVES; half++) {
        const struct v3d_half *h = &i->half[half];
        count += v3d_rows[h->op].writes && h->magic && h->waddr >= first && h->waddr <= last;
    }
    return count;
}

static unsigned sfu_writes(const struct checker *c)
{
    return c->g == V3D_42 ? magic_writes(&c->i, V3D_W_RECIP, V3D_W_RSQRT2) : 0;
}

static bool is_sfu_operation(const struct v3d_insn *i)
{
    return i->half[V3D_ADD].op >= V3D_A_RECIP && i->half[V3D_ADD].op <= V3D_A_RSQRT2;
}

static bool reads_accumulator(const struct v3d_insn *i, unsigned index)
{
    for (unsigned half = 0; half < V3D_HALVES; half++)
        for (unsigned n = 0; n < v3d_rows[i->half[half].op].sources; n++)
            if (i->half[half].src[n].kind == V3D_ACCUMULATOR && i->half[half].src[n].index == index)
                return true;
    return false;
}

static unsigned bits_in(unsigned set)
{
    unsigned count = 0;
    for (; set; set &= set - 1)
        count++;
    return count;
}

/* Returns how many words of uniforms an instruction takes, by its destinations and by these signals. */
static unsigned uniforms_taken(const struct v3d_insn *i, unsigned signals)
{
    unsigned count = bits_in(i->signals & signals);
    for (unsigned half = 0; half < V3D_HALVES; half++) {
        const struct v3d_half *h = &i->half[half];
        count += v3d_rows[h->op].writes && h->magic && v3d_waddr_takes_uniform(h->waddr);
    }
    return count + ((i->signals & V3D_SIG_WRITES) && i->sig_magic && v3d_waddr_takes_uniform(i->sig_addr));
}

/* ---- restrictions ---- */

static void check_single(struct checker *c)
{
    const struct v3d_insn *i = &c->i;
    unsigned accesses = 0, tmu_writes = 0;        /* tmu_writes: not of tmuc */
    if (magic_writes(i, V3D_W_TLB, V3D_WADDRS)) { /* most instructions have none */
        tmu_writes = magic_writes(i, V3D_W_TMUD, V3D_W_TMUAU) + magic_writes(i, V3D_W_TMUS, V3D_W_TMUHSLOD);
        accesses = sfu_writes(c) + tmu_writes + magic_writes(i, V3D_W_TMUC, V3D_W_TMUC) +
                   magic_writes(i, V3D_W_VPM, V3D_W_VPMU) + magic_writes(i, V3D_W_TLB, V3D_W_TLBU) +
                   magic_writes(i, V3D_W_SYNC, V3D_W_SYNCB);
    }
    accesses += bits_in(i->signals & (V3D_SIG_LDTLB | V3D_SIG_LDTLBU | (c->g == V3D_42 ? V3D_SIG_LDTMU : 0)));
    /* An operation of the SFU goes with a write to the tile buffer on 7.1. */
    if (is_sfu_operation(i) && !(c->g == V3D_71 && magic_writes(i, V3D_W_TLB, V3D_W_TLBU)))
        accesses++;
    accesses = OBSERVE(c->observer, V3D_POINT_CHECK_ACCESSES, accesses, i->signals, v3d_touches(i),
                       tmu_writes, i->half[V3D_ADD].op, c->g == V3D_71);
    if (accesses > 1 || ((i->signals & V3D_SIG_WRTMUC) && accesses > tmu_writes))
        breaks(c, V3D_BREAKS_PERIPHERALS);
    if (OBSERVE(c->observer, V3D_POINT_CHECK_UNIFORMS, uniforms_taken(i, TAKE_UNIFORMS), i->signals,
                v3d_touches(i), c->g == V3D_71) > 1)
        breaks(c, V3D_BREAKS_TWO_UNIFORMS);
    if (c->g == V3D_71 &&
        (((i->signals & (V3D_SIG_SMIMM_A | V3D_SIG_SMIMM_B)) && i->half[V3D_ADD].op == V3D_A_NOP) ||
         ((i->signals & (V3D_SIG_SMIMM_C | V3D_SIG_SMIMM_D)) && i->half[V3D_MUL].op == V3D_M_NOP)))
        breaks(c, V3D_BREAKS_IMMEDIATE);
}

static void check_sfu(struct checker *c)
{
    bool starts = sfu_writes(c) != 0;
    bool writes_r4 = magic_writes(&c->i, V3D_W_R4, V3D_W_R4);
    if (starts && ((c->i.signals & V3D_SIG_THRSW) || c->at - c->thrsw <= THRSW_SLOTS))
        breaks(c, V3D_BREAKS_SFU_IN_THRSW_SLOT);
    if (c->g == V3D_42 && c->at - c->sfu < 2 && (starts || writes_r4 || reads_accumulator(&c->i, V3D_W_R4)))
        breaks(c, V3D_BREAKS_SFU_R4);
    if (starts)
        c->sfu = c->at;
}

static void check_ldvary(struct checker *c)
{
    unsigned signals = c->i.signals;
    bool after = !c->before.is_branch && (c->before.signals & V3D_SIG_LDVARY);
    int64_t slot = c->at - c->thrsw;
    if ((signals & V3D_SIG_LDVARY) && (c->g == V3D_42 ? slot <= THRSW_SLOTS : slot == THRSW_SLOTS))
        breaks(c, V3D_BREAKS_LDVARY_IN_THRSW_SLOT);
    if (after && (signals & (V3D_SIG_LDUNIF | V3D_SIG_LDUNIFA)))
        breaks(c, V3D_BREAKS_LDUNIF_AFTER_LDVARY);
    else if (after && c->g == V3D_71 && !(signals & V3D_SIG_LDVARY) && insn_writes_rf(&c->i, 0))
        breaks(c, V3D_BREAKS_RF0_AFTER_LDVARY);
}

static void check_product(struct checker *c)
{
    if (c->i.half[V3D_MUL].op == V3D_M_MULTOP)
        c->product = true;
    if (c->i.half[V3D_MUL].op == V3D_M_UMUL24) {
        if (c->product_lost)
            breaks(c, V3D_BREAKS_UMUL24);
        c->product = c->product_lost = false;
    }
}

static void check_thrsw(struct checker *c)
{
    if (!(c->i.signals & V3D_SIG_THRSW))
        return;
    if (c->at - c->branch <= BRANCH_SLOTS)
        breaks(c, V3D_BREAKS_THRSW_IN_BRANCH_SLOT);
    if (c->last && !c->ended) {
        c->ended = true;
        c->end = c->at;
    }
    if (c->thrsw == c->at - 1) {
        if (c->last)
            breaks(c, V3D_BREAKS_SECOND_LAST_THRSW);
        c->last = true;
        return;
    }
    if (c->at - c->thrsw <= THRSW_SLOTS)
        breaks(c, V3D_BREAKS_THRSW_SPACING);
    c->switches++;
    c->thrsw = c->at;
}

static void check_end(struct checker *c)
{
    const struct v3d_insn *i = &c->i;
    if (!c->ended || c->at - c->end > THRSW_SLOTS)
        return;
    if (c->g == V3D_42 ? insn_writes_rf(i, V3D_REGISTERS)
                       : c->at == c->end && (writes_rf(&i->half[V3D_ADD], V3D_REGISTERS) ||
                                             writes_rf(&i->half[V3D_MUL], V3D_REGISTERS)))
        breaks(c, V3D_BREAKS_END_WRITE);
    if (c->g == V3D_71 && (insn_writes_rf(i, 2) || insn_writes_rf(i, 3)))
        breaks(c, V3D_BREAKS_END_PAYLOAD);
    if (c->g == V3D_42 && c->at == c->end + THRSW_SLOTS && i->half[V3D_ADD].op == V3D_A_TMUWT)
        breaks(c, V3D_BREAKS_END_TMUWT);
}

static void check_unifa(struct checker *c)
{
    const struct v3d_insn *i = &c->i;
    bool writes = magic_writes(i, V3D_W_UNIFA, V3D_W_UNIFA) != 0;
    if ((i->signals & (V3D_SIG_LDUNIFA | V3D_SIG_LDUNIFARF)) && c->at - c->unifa <= UNIFA_SLOTS)
        breaks(c, V3D_BREAKS_UNIFA_DELAY);
    if (writes)
        c->unifa = c->at;
    if (c->at == c->thrsw + THRSW_SLOTS &&
        c->at - c->unifa < UNIFA_SLOTS) /* it takes effect after this one */
        breaks(c, V3D_BREAKS_UNIFA_THRSW);
    if (c->redirects && c->at - c->branch <= BRANCH_SLOTS &&
        (writes || uniforms_taken(i, V3D_SIG_LDUNIF | V3D_SIG_LDUNIFRF | V3D_SIG_WRTMUC)))
        breaks(c, V3D_BREAKS_UNIFORM_IN_BRANCH_SLOT);
}

static void check_branch(struct checker *c)
{
    if (c->at - c->branch <= BRANCH_SLOTS)
        breaks(c, V3D_BREAKS_BRANCH_IN_BRANCH_SLOT);
    if (c->at - c->thrsw <= THRSW_SLOTS)
        breaks(c, V3D_BREAKS_BRANCH_IN_THRSW_SLOT);
    if (c->at - c->unifa <= UNIFA_SLOTS)
        breaks(c, V3D_BREAKS_UNIFA_BRANCH);
    c->branch = c->at;
    c->redirects = c->i.branch.ub;
}

/* 4.2: what the rot signal turns, and the count in r5, are older than the instruction before it. */
static void check_rot_signal(struct checker *c)
{
    const struct v3d_insn *i = &c->i, *b = &c->before;
    const struct v3d_half *h = &i->half[V3D_MUL];
    if (!(i->signals & V3D_SIG_ROT) || c->at == 0 || b->reserved || b->is_branch)
        return;
    bool r5 = magic_writes(b, V3D_W_R5, V3D_W_R5) || magic_writes(b, V3D_W_REP, V3D_W_REP) ||
              (b->signals & (V3D_SIG_LDUNIF | V3D_SIG_LDUNIFA)),
         early = !i->rotate && r5;
    for (unsigned n = 0; n < v3d_rows[h->op].sources; n++) {
        unsigned index = h->src[n].index;
        early |= h->src[n].kind == V3D_RF && insn_writes_rf(b, index);
        early |= h->src[n].kind == V3D_ACCUMULATOR && (index < V3D_W_R5 ? magic_writes(b, index, index) : r5);
    }
    if (early)
        breaks(c, V3D_BREAKS_ROT_EARLY);
}

static bool is_tmu_destination(const struct v3d_half *h)
{
    return h->magic && (h->waddr == V3D_W_TMUD || h->waddr == V3D_W_TMUA || h->waddr == V3D_W_TMUC);
}

/* 7.1: destinations that py-videocore7 refuses for rot and rotq. */
static void check_rot_operation(struct checker *c)
{
    const struct v3d_half *add = &c->i.half[V3D_ADD], *mul = &c->i.half[V3D_MUL];
    if (add->op != V3D_A_ROT && add->op != V3D_A_ROTQ)
        return;
    if (is_tmu_destination(add) || (add->magic && (add->waddr == V3D_W_R5 || add->waddr == V3D_W_REP)) ||
        (mul->op == V3D_M_MOV && is_tmu_destination(mul)))
        breaks(c, V3D_BREAKS_ROT_DESTINATION);
}

/* 7.1: the corner where rf0 is lost at a thread switch. */
static void check_rf0(struct checker *c)
{
    unsigned implicit = c->i.signals & (V3D_SIG_LDUNIF | V3D_SIG_LDUNIFA);
    bool last_slot = c->at == c->thrsw + THRSW_SLOTS;
    if (c->g == V3D_71 && last_slot && implicit && signal_writes_rf(&c->i, V3D_REGISTERS))
        breaks(c, V3D_BREAKS_RF0_AT_THRSW);
}

static void check_alu(struct checker *c)
{
    check_product(c);
    check_ldvary(c);
    check_sfu(c);
    check_rot_signal(c);
    check_rot_operation(c);
    check_single(c);
    check_thrsw(c);
    check_unifa(c);
    check_rf0(c);
    check_end(c);
    if (c->product && c->at == c->thrsw + THRSW_SLOTS) {
        c->product_lost = true;
        c->product = false;
    }
}

/* Returns how far back something is, at most 31. */
static uint32_t far_back(const struct checker *c, int64_t where)
{
    return where >= 0 && c->at - where < 31 ? (uint32_t)(c->at - where) : 31;
}

/* Passes the restrictions that an instruction breaks. `old`: what was where before the
 * instruction. */
static void see_broken(struct checker *c, const struct checker *old)
{
    const struct v3d_insn *i = &c->i;
    const uint32_t now = OBSERVE(c->observer, V3D_POINT_CHECK_BROKEN, c->broken, (uint32_t)c->at,
                                 i->half[V3D_ADD].op, i->half[V3D_MUL].op, i->signals, v3d_touches(i),
                                 far_back(c, old->branch), far_back(c, old->thrsw), far_back(c, old->unifa),
                                 far_back(c, old->sfu), old->last, i->is_branch, c->g == V3D_71);
    if (now == c->broken)
        return;
    c->count = old->count;
    c->broken = 0;
    for (unsigned which = 0; which < V3D_RESTRICTIONS; which++)
        if (now >> which & 1)
            breaks(c, (enum v3d_restriction)which);
}

unsigned v3d_check_by(const struct observer *o, enum v3d_generation g, const struct v3d_insn *program,
                      uint32_t count, bool single, struct v3d_breach *found, unsigned room)
{
    struct checker c = {.g = g,
                        .observer = o,
                        .sfu = LONG_AGO,
                        .branch = LONG_AGO,
                        .thrsw = LONG_AGO,
                        .unifa = LONG_AGO,
                        .last = single,
                        .found = found,
                        .room = room};
    for (; c.at < count; c.at++) {
        struct checker old;
        if (o)
            old = c;
        c.i = program[c.at];
        c.broken = 0;
        if (c.i.reserved)
            breaks(&c, V3D_BREAKS_RESERVED);
        else if (c.i.is_branch)
            check_branch(&c);
        else
            check_alu(&c);
        if (o)
            see_broken(&c, &old);
        c.before = c.i;
    }
    if (c.switches > 1 && !c.last)
        breaks(&c, V3D_BREAKS_LAST_THRSW);
    if (!c.ended)
        breaks(&c, V3D_BREAKS_END);
    return c.count;
}

unsigned v3d_check(enum v3d_generation g, const struct v3d_insn *program, uint32_t count, bool single,
                   struct v3d_breach *found, unsigned room)
{
    return v3d_check_by(NULL, g, program, count, single, found, room);
}

bool v3d_is_single(const struct v3d_insn *program, uint32_t count)
{
    unsigned switches = 0;
    for (uint32_t at = 0; at < count; at++)
        switches += !program[at].reserved && (program[at].signals & V3D_SIG_THRSW);
    return switches == 1;
}

unsigned v3d_check_text(enum v3d_generation g, const struct v3d_insn *program, uint32_t count, bool single,
                        struct text *t)
{
    struct v3d_breach found[64];
    unsigned room = sizeof found / sizeof *found;
    unsigned breaches = v3d_check(g, program, count, single, found, room);
    for (unsigned n = 0; n < breaches && n < room; n++) {
        const struct v3d_restriction_row *row = &v3d_restrictions[found[n].which];
        if (found[n].at < count)
            text_add(t, "instruction %" PRIu32 ": ", found[n].at);
        text_add(t, "%s (%s; %s)\n", row->says, row->id, row->source);
    }
    if (breaches > room)
        text_add(t, "and %u more\n", breaches - room);
    return breaches;
}
