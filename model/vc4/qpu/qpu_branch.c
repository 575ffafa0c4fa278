/* SPDX-License-Identifier: MIT */
/* Branches (p20, p34), signals (p29 T4), semaphores (p33), and words that cannot be executed. */
#include "model/vc4/qpu/qpu.h"

#include "model/vc4/qpu/qpu_graphics.h"

void qpu_execute_outside(struct qpu *q, struct qpu_step *s, const struct qpu_step *before)
{
    (void)s, (void)before;
    qpu_halt(q, VC4_FAULT_PROGRAM);
}

void qpu_execute_reserved(struct qpu *q, struct qpu_step *s, const struct qpu_step *before)
{
    (void)s, (void)before;
    qpu_halt(q, VC4_FAULT_RESERVED);
}

/* Executes an instruction whose effect is undefined, in a checked run (clause peripherals-in-one). */
void qpu_execute_undefined(struct qpu *q, struct qpu_step *s, const struct qpu_step *before)
{
    (void)s, (void)before;
    qpu_halt(q, VC4_FAULT_UNDEFINED);
}

/* ---- branches ---- */

enum taken { TAKEN_NO, TAKEN_YES, TAKEN_UNDEFINED };

/* Decides by condition code 0..11: flag Z, N, C by code / 4; all or any by bit 1; set or clear by bit 0 (p35
 * T11). */
static enum taken decide(const struct qpu *q, unsigned cond)
{
    if (cond == 15)
        return TAKEN_YES;
    const struct vc4_vector *flag = alu_flag(&q->flags, cond / 4),
                            *defined = q->env->checked ? alu_flag(&q->flags_defined, cond / 4) : &q->all;
    uint32_t invert = 0 - (uint32_t)(cond & 1), some_yes = 0, some_no = 0, all_known = UINT32_MAX;
    for (unsigned i = 0; i < VC4_LANES; i++) {
        uint32_t holds = flag->lane[i] ^ invert, known = defined->lane[i];
        some_yes |= holds & known;
        some_no |= ~holds & known;
        all_known &= known;
    }
    bool any = cond & 2;
    if (any ? some_yes : some_no)
        return any ? TAKEN_YES : TAKEN_NO;
    return !all_known ? TAKEN_UNDEFINED : any ? TAKEN_NO : TAKEN_YES;
}

/* Returns the register part of a branch target (clause branch-element). In a checked run, an undefined bit in
 * it stops the QPU. */
static uint32_t register_part(struct qpu *q, const struct qpu_step *s, const struct qpu_step *before)
{
    unsigned e = qpu_consult(q, QPU_BRANCH_ELEMENT) == BRANCH_ELEMENT_15 ? 15 : 0, number = s->insn.raddr_a;
    e = QPU_OBSERVE(q, BRANCH_ELEMENT, e, number);
    uint32_t word = q->file[0].value[number].lane[e],
             defined = q->env->checked ? q->file[0].defined[number].lane[e] : UINT32_MAX;
    if (before->writes >> number & 1) {
        unsigned reading = qpu_consult(q, QPU_REGFILE_HAZARD);
        const struct qpu_value *old =
            before->add.to == QPU_TO_REGISTER && !before->add.file && before->add.index == number
                ? &q->old_add
                : &q->old_mul;
        if (reading == READING_MANUAL) {
            word = q->env->filler;
            defined = 0;
        } else if (reading == REGFILE_OLD) {
            word = old->value.lane[e];
            defined = q->env->checked ? old->defined.lane[e] : UINT32_MAX;
        }
    }
    if (q->env->checked && defined != UINT32_MAX)
        qpu_halt(q, VC4_FAULT_UNDEFINED);
    return QPU_OBSERVE(q, BRANCH_PART, word, number, e, before->writes >> number & 1);
}

static void link_pipe(struct qpu *q, const struct qpu_pipe *p, struct qpu_value *old, uint32_t link)
{
    if (p->to == QPU_TO_NOTHING || !QPU_OBSERVE(q, BRANCH_LINK_DONE, 1, p->number, p->file, p->address))
        return;
    if (p->to == QPU_TO_IO) {
        struct qpu_result r;
        vector_splat(&r.value, link);
        r.defined = r.lanes = r.lanes_defined = q->all;
        qpu_write_io(q, p->file, p->index, &r);
        return;
    }
    if ((p->to == QPU_TO_R5_A || p->to == QPU_TO_R5_B) &&
        !qpu_has_r5(q, qpu_consult(q, QPU_ACCUMULATOR_COUNT), QPU_R5_LINK, p->file))
        return;
    const struct vc4_rows *rows = p->to == QPU_TO_REGISTER ? &q->file[p->file] : &q->acc;
    old->value = rows->value[p->index];
    if (q->env->checked)
        old->defined = rows->defined[p->index];
    struct vc4_vector word, *to = &rows->value[p->index];
    vector_splat(&word, link);
    if (p->to == QPU_TO_R5_A && qpu_consult(q, QPU_R5_BYTE_CONCAT) == READING_MANUAL)
        link = (link & 0xFF) * 0x01010101;
    vector_splat(to, link);
    if (p->to == QPU_TO_R5_A || p->to == QPU_TO_R5_B)
        QPU_OBSERVE_VECTOR(q, R5_VALUE, to, QPU_VECTORS(&word), p->file, QPU_COND_ALWAYS, 0xFFFF, 1);
    if (q->env->checked)
        rows->defined[p->index] = q->all;
    qpu_forget_tolerance(q, rows, p->index);
    vc4_touch(rows, p->index);
}

/* Writes the link address and, where bit 45 counts as sf, the flags (clauses branch-link-cond,
 * branch-sf-alias). */
static void link_and_flags(struct qpu *q, const struct qpu_step *s, bool taken, uint32_t address)
{
    const struct qpu_insn *i = &s->insn;
    uint32_t link = address + 32;
    bool links = s->add.to || s->mul.to;
    links = taken || (links && qpu_consult(q, QPU_BRANCH_LINK_COND) == READING_MANUAL);
    link = QPU_OBSERVE(q, BRANCH_LINK, link, address, taken, i->reg, i->rel);
    if (QPU_OBSERVE(q, BRANCH_LINKS, links, taken, i->cond_br, i->reg, i->rel)) {
        link_pipe(q, &s->add, &q->old_add, link);
        if (!q->stop)
            link_pipe(q, &s->mul, &q->old_mul, link);
    } else if (s->writes | s->writes_acc) {
        q->before = &q->blank; /* no link was written, so the next step meets no hazard */
    }
    bool flags = taken && i->raddr_a & 1 && qpu_consult(q, QPU_BRANCH_SF_ALIAS) == BRANCH_SF_BIT_45;
    if (!QPU_OBSERVE(q, BRANCH_FLAGS, flags, taken, i->raddr_a, i->cond_br))
        return;
    vector_splat(&q->flags.z, 0 - QPU_OBSERVE(q, BRANCH_FLAG, !link, 0, link));
    vector_splat(&q->flags.n, 0 - QPU_OBSERVE(q, BRANCH_FLAG, link >> 31, 1, link));
    vector_splat(&q->flags.c, 0 - QPU_OBSERVE(q, BRANCH_FLAG, 0, 2, link));
    q->flags_defined.z = q->flags_defined.n = q->flags_defined.c = q->all;
    q->flags_touched = true;
}

/* The number of instructions since the last branch, at most 255. */
static unsigned distance_of(const struct qpu *q)
{
    return q->last_branch == UINT64_MAX || q->now - q->last_branch > 255
               ? 255
               : (unsigned)(q->now - q->last_branch);
}

/* Handles a branch with fewer than two instructions between it and the last one (clause branch-spacing), and
 * the condition codes that p35 T11 does not define. True: the QPU ignores the branch. */
static bool is_lost(struct qpu *q, const struct qpu_insn *i, unsigned distance)
{
    unsigned reading = distance < 3 ? qpu_consult(q, QPU_BRANCH_SPACING) : READING_MANUAL;
    bool lost = reading == BRANCH_SPACING_LOST;
    enum vc4_stop stop = reading == BRANCH_SPACING_CRASH        ? VC4_HANG_BRANCH
                         : i->cond_br >= 12 && i->cond_br != 15 ? VC4_FAULT_RESERVED
                                                                : VC4_GO;
    q->last_branch = q->now;
    stop = QPU_OBSERVE(q, BRANCH_END, stop, i->cond_br, distance);
    qpu_halt_if(q, stop < VC4_STOPS ? stop : VC4_GO);
    unsigned pending = QPU_OBSERVE(q, BRANCH_PENDING, lost ? 0 : q->branches, distance, i->cond_br);
    if (pending < q->branches)
        q->branches = pending;
    return lost;
}

/* Passes the elements in which the condition holds, and whether one is enough. Returns whether the branch
 * is taken. */
static enum taken observe_condition(const struct qpu *q, unsigned cond, enum taken taken, uint32_t *holds)
{
    uint32_t z = vector_bits(&q->flags.z), n = vector_bits(&q->flags.n), c = vector_bits(&q->flags.c),
             flag = cond / 4 == 0   ? z
                    : cond / 4 == 1 ? n
                                    : c;
    *holds = cond == 15 ? 0xFFFF : cond & 1 ? ~flag & 0xFFFF : flag;
    if (cond == 15 || !(qpu_wants(q, QPU_POINT_BRANCH_HOLDS) || qpu_wants(q, QPU_POINT_BRANCH_ANY)))
        return taken;
    *holds = QPU_OBSERVE(q, BRANCH_HOLDS, *holds, cond, z, n, c);
    bool any = QPU_OBSERVE(q, BRANCH_ANY, cond >> 1 & 1, cond, *holds);
    return (any ? *holds != 0 : *holds == 0xFFFF) ? TAKEN_YES : TAKEN_NO;
}

void qpu_execute_branch(struct qpu *q, struct qpu_step *s, const struct qpu_step *before)
{
    const struct qpu_insn *i = &s->insn;
    unsigned distance = distance_of(q);
    bool lost = is_lost(q, i, distance);
    if (q->stop || !QPU_OBSERVE(q, BRANCH_DONE, 1, i->cond_br, distance, i->rel, i->reg))
        return;
    enum taken taken = decide(q, i->cond_br);
    if (taken == TAKEN_UNDEFINED) {
        qpu_halt(q, VC4_FAULT_UNDEFINED);
        return;
    }
    if (q->env->fidelity)
        qpu_account_branch(q, s);
    uint32_t holds = 0;
    if (q->observer)
        taken = observe_condition(q, i->cond_br, taken, &holds);
    if (lost)
        taken = TAKEN_NO;
    taken = QPU_OBSERVE(q, BRANCH_TAKEN, taken, i->cond_br, vector_bits(&q->flags.z),
                        vector_bits(&q->flags.n), vector_bits(&q->flags.c), distance, i->reg, i->rel, holds);
    uint32_t address = QPU_OBSERVE(q, BRANCH_ADDRESS, qpu_address(q, s), i->cond_br, i->rel, i->reg),
             target = i->immediate + (i->rel ? address + 32 : 0),
             part = taken && i->reg ? register_part(q, s, before) : 0;
    target = QPU_OBSERVE(q, BRANCH_TARGET, target + part, address, i->immediate, part, i->rel, i->reg);
    if (!q->stop)
        link_and_flags(q, s, taken, address);
    if (q->stop || !taken || !QPU_OBSERVE(q, BRANCH_JUMPS, 1, i->cond_br, distance))
        return;
    q->branch[q->branches].due = q->now + 1 + QPU_OBSERVE(q, BRANCH_SLOTS, 3, i->cond_br, distance);
    q->branch[q->branches].target = target;
    q->branches++;
    if (q->event > q->branch[0].due)
        q->event = q->branch[0].due;
}

/* ---- signals and semaphores ---- */

/* Loads a TMU's result. If the instruction also accesses the VPM, neither access is reliable (clause
 * vpm-concurrent). */
static void load_tmu(struct qpu *q, const struct qpu_step *s)
{
    const struct vc4_env *env = q->env;
    if (s->vpm_beside &&
        consult(env->profile, env->coverage, VPM_CLAUSE_CONCURRENT, s->vpm_beside - 1U) ==
            VPM_CONCURRENT_UNDEFINED &&
        env->checked) {
        qpu_halt(q, VC4_FAULT_UNDEFINED);
        return;
    }
    qpu_load_tmu(q, s->insn.sig == QPU_SIG_LOAD_TMU1);
}

/* Ends the program after two more instructions (p20). */
static void end_program(struct qpu *q, unsigned signal)
{
    if (q->end_due == UINT64_MAX)
        q->end_due = q->now + 1 + QPU_OBSERVE(q, END_SLOTS, 2, signal);
    qpu_check_events(q);
}

void qpu_signal(struct qpu *q, const struct qpu_step *s)
{
    switch ((enum qpu_signal)s->insn.sig) {
    case QPU_SIG_BREAKPOINT:
        qpu_halt(q, VC4_FAULT_BREAKPOINT);
        return;
    case QPU_SIG_END:
        end_program(q, s->insn.sig);
        return;
    case QPU_SIG_THREAD_SWITCH: /* a switch also ends the wait for the scoreboard (p21) */
    case QPU_SIG_LAST_THREAD_SWITCH:
        q->no_more_switches |= s->insn.sig == QPU_SIG_LAST_THREAD_SWITCH;
        q->switch_due = q->now + 1 + QPU_OBSERVE(q, SWITCH_SLOTS, 2, s->insn.sig);
        qpu_check_events(q);
        return;
    case QPU_SIG_LOAD_TMU0:
    case QPU_SIG_LOAD_TMU1:
        load_tmu(q, s);
        return;
    case QPU_SIG_COLOUR_LOAD_END:
        end_program(q, s->insn.sig);
        qpu_load_tile(q, QPU_SIG_COLOUR_LOAD);
        return;
    case QPU_SIG_COVERAGE_LOAD:
    case QPU_SIG_COLOUR_LOAD:
    case QPU_SIG_ALPHA_LOAD:
        qpu_load_tile(q, s->insn.sig);
        return;
    case QPU_SIG_SCOREBOARD_WAIT:
        qpu_wait_scoreboard(q);
        return;
    default:
        return;
    }
}

static bool decrements(struct qpu *q, const struct qpu_insn *i)
{
    return QPU_OBSERVE(q, SEMAPHORE_DECREMENTS, i->immediate >> 4 & 1, i->immediate, i->immediate & 15);
}

static bool semaphore_acts(struct qpu *q, const struct qpu_insn *i, bool down)
{
    bool never = i->cond_add == QPU_COND_NEVER && i->cond_mul == QPU_COND_NEVER,
         acts = !never || qpu_consult(q, QPU_SEMA_COND_NEVER) == SEMA_ACTS;
    return QPU_OBSERVE(q, SEMAPHORE_ACTS, acts, i->cond_add, i->cond_mul, down, i->immediate & 15);
}

/* Must the instruction wait? A decrement waits while the semaphore is 0, an increment while it is 15 (p33),
 * MUTEX_ACQUIRE while any QPU holds the mutex (p24). The instruction waits before it does anything else
 * (p17 fig 2: stage SP). */
bool qpu_must_wait(struct qpu *q, const struct qpu_step *s)
{
    const struct qpu_insn *i = &s->insn;
    enum vc4_stop stop = VC4_GO;
    bool acts = false, down = false;
    if (i->class == QPU_SEMAPHORE) {
        q->waits_for = i->immediate & 15;
        down = decrements(q, i);
        acts = semaphore_acts(q, i, down);
        if (acts && q->shared->semaphore[q->waits_for] == (down ? 0 : QPU_SEMAPHORE_MAX))
            stop = VC4_HANG_SEMAPHORE;
    } else if (q->shared->mutex_held) {
        stop = VC4_HANG_MUTEX;
    }
    bool mutex = i->class != QPU_SEMAPHORE;
    unsigned number = mutex ? 0 : q->waits_for;
    if (!QPU_OBSERVE(q, WAITS, stop != VC4_GO, mutex, mutex ? 0 : q->shared->semaphore[number], down, number,
                     acts))
        return false;
    if (!stop)
        stop = mutex ? VC4_HANG_MUTEX : VC4_HANG_SEMAPHORE;
    q->waiting = q->waits;
    if (QPU_OBSERVE(q, WAIT_LASTS, 1, mutex, down, number))
        qpu_halt(q, stop);
    return true;
}

/* Changes a semaphore (p33). Under reading `counter` of sema-result, the ALUs output the new count. */
void qpu_semaphore(struct qpu *q, const struct qpu_step *s, struct vc4_vector *value)
{
    const struct qpu_insn *i = &s->insn;
    uint32_t *count = &q->shared->semaphore[i->immediate & 15];
    const bool down = decrements(q, i);
    if (semaphore_acts(q, i, down)) {
        uint32_t now = (*count + (down ? UINT32_MAX : 1)) & QPU_SEMAPHORE_MAX;
        *count = QPU_OBSERVE(q, SEMAPHORE_COUNT, now, *count, down, i->immediate & 15);
        q->semaphores_touched = true;
        q->shared->changes++;
    }
    bool used = i->sf || s->add.to || s->mul.to;
    if (!used)
        return;
    uint32_t word = qpu_consult(q, QPU_SEMA_RESULT) == SEMA_RESULT_COUNTER ? *count : i->immediate;
    vector_splat(value, QPU_OBSERVE(q, SEMAPHORE_RESULT, word, *count, i->immediate));
}
