/* SPDX-License-Identifier: MIT */
/* Prepares a run: registers, the readings of the profile, and the program. qpu_plan.c plans a step when it is
 * first executed. qpu_prepare keeps the plans of the previous run if program and profile are the same. */
#include "model/vc4/qpu/qpu.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

/* ---- a profile ---- */

static void resolve_operations(const struct alu_rules *alu, const struct alu_op *ops, unsigned count,
                               struct qpu_operation *to)
{
    for (unsigned i = 0; i < count; i++) {
        static const uint8_t operands[3] = {0, 1, 3};
        to[i] = (struct qpu_operation){.operands = operands[ops[i].operands]};
        if (ops[i].operands == 1 && alu->unary_b)
            to[i].operands = 2;
        to[i].source = !i ? QPU_FROM_NOTHING : ops[i].name ? QPU_FROM_ALU : QPU_FROM_RESERVED;
        qpu_add_clauses(&to[i].clauses, ops[i].clauses);
        qpu_add_clauses(&to[i].flag_clauses, ops[i].flag_clauses);
    }
}

static bool same_rules(const struct rules *a, const struct rules *b)
{
    return a->count == b->count && (!a->count || !memcmp(a, b, sizeof *a));
}

/* Returns the rules of a profile. A campaign runs each case under two or three profiles in turn, so caching
 * the rules saves a tenth of a run. */
static const struct qpu_rules *resolve(struct qpu *q, const struct profile *p)
{
    for (unsigned i = 0; i < QPU_RULES_KEPT; i++)
        if (q->kept[i].made && !memcmp(q->kept[i].profile.reading, p->reading, sizeof p->reading) &&
            same_rules(&q->kept[i].profile.rules, &p->rules))
            return &q->kept[i];
    struct qpu_rules *r = &q->kept[q->oldest];
    if (q->planned_rules == r)
        q->planned_rules = NULL;
    q->oldest = (q->oldest + 1) % QPU_RULES_KEPT;
    r->made = true;
    r->profile = *p;
    alu_resolve(p, &r->alu);
    for (unsigned i = 0; i < QPU_CLAUSE_END - QPU_CLAUSE_FIRST; i++)
        r->reading[i] = p->reading[QPU_CLAUSE_FIRST + i];
    resolve_operations(&r->alu, alu_add_ops, 32, r->add);
    resolve_operations(&r->alu, alu_mul_ops, 8, r->mul);
    return r;
}

/* ---- registers ---- */

/* Resets only the vectors that may have changed. That saves a fifteenth of the run of a generated case. */
static void reset_vectors(struct qpu *q, const struct qpu_setup *setup)
{
    vector_splat(&q->all, UINT32_MAX);
    q->flags.z = q->flags.n = q->flags.c = q->zero;
    if (setup->env->checked)
        q->flags_defined.z = q->flags_defined.n = q->flags_defined.c = q->all;
    vector_splat(&q->undefined.value, setup->env->filler);
    qpu_splat(&q->number, setup->number, UINT32_MAX);
    if (q->pixels_written) {
        q->quad[0].defined = q->quad[1].defined = q->ms_flags.defined = q->rev_flag.defined = q->zero;
        q->ms_flags.value = q->rev_flag.value = q->zero; /* a rule may let any program reach the tile */
    }
    q->pixels_written = false;
    for (unsigned f = 0; q->reads_stale && f < 2; f++)
        qpu_splat(&q->stale[f], setup->stale[f], UINT32_MAX);
    if (q->tracks_mul)
        qpu_splat(&q->stale_mul, setup->stale_mul, UINT32_MAX);
}

/* Finds the points at which rules act or the observer watches. */
static void reset_observer(struct qpu *q, const struct observer *o)
{
    q->observer = o;
    q->observes = false;
    q->replans = o && (o->see || o->force);
    if (!o) {
        memset(q->wants, 0, sizeof q->wants);
        return;
    }
    memcpy(q->wants, o->wants, sizeof q->wants);
    for (unsigned point = QPU_POINT_STEPS; point < QPU_POINT_UNITS; point++)
        q->observes |= qpu_wants(q, point);
}

static void reset(struct qpu *q, const struct qpu_setup *setup)
{
    reset_observer(q, setup->observer);
    q->env = setup->env;
    q->vpm = setup->vpm;
    q->shared = setup->shared;
    q->graphics = setup->graphics;
    q->waits = setup->waits;
    q->waiting = q->paused = false;
    q->pause = q->r4_due = q->r5_due = UINT64_MAX;
    q->fidelity = (struct fidelity){0};
    q->inexact = q->inexact_acc = 0;
    q->tolerant = q->tolerant_acc = 0;
    q->inexact_flags = q->inexact_memory = false;
    q->file[0] = setup->ra;
    q->file[1] = setup->rb;
    q->acc = setup->acc;
    q->program = setup->program;
    q->code_base = setup->code_base;
    q->count = setup->count;
    q->limit = setup->limit;
    q->uniforms = q->uniforms_before = setup->uniforms;
    q->uniforms_changed = q->ms_rev_written[0] = q->ms_rev_written[1] = UINT64_MAX;
    q->flags_touched = q->semaphores_touched = q->mutex_touched = q->interrupt_touched = q->ended = false;
    q->sfu_due = q->end_due = q->switch_due = q->last_branch = UINT64_MAX;
    q->branches = 0;
    q->now = q->event = q->clauses = q->alu_clauses = q->wrote = 0;
    q->wrote_acc = 0;
    q->alu_marked = setup->env->checked ? UINT64_C(1) << (ALU_UNARY_OPERAND - ALU_CLAUSE_FIRST) : UINT64_MAX;
    q->stop = VC4_GO;
    q->next = q->step;
    q->before = &q->blank;
    q->watch = NULL;
    q->general = setup->env->checked ? qpu_step_checked : q->observes ? qpu_step_ruled : qpu_step_plain;
}

/* ---- the program ---- */

/* The stale values that a program may use. */
struct stale_uses {
    unsigned read;       /* an instruction reads a value that an earlier read left behind, ... */
    unsigned wanted;     /* ... and uses that value */
    unsigned mul_result; /* an instruction writes the result of an earlier MUL operation again */
};

/*
 * Looks for uses of stale values in one instruction: it reads address 39 or 49 to 51 and keeps the result, or
 * its MUL nop writes. (A program waits for DMA by moving address 50 to nowhere, which uses no value.) Takes
 * the fields from the word itself (p26 fig 3), because decoding every word, executed or not, takes four times
 * as long.
 */
static void find_stale_uses_in(const struct qpu_rules *rules, uint32_t low, uint32_t high,
                               struct stale_uses *found)
{
    unsigned file_b = high >> 28 != QPU_SIG_SMALL_IMMEDIATE, raddr_a = low >> 18 & 63,
             raddr_b = low >> 12 & 63;
    unsigned add = qpu_operands_used(&rules->add[low >> 24 & 31], low >> 9 & 7, low >> 6 & 7);
    unsigned mul = qpu_operands_used(&rules->mul[low >> 29], low >> 3 & 7, low & 7), used = add | mul,
             sf = high >> 13 & 1;
    unsigned add_kept = sf | (((high >> 6 & 63) != QPU_W_NOTHING) & ((high >> 17 & 7) != QPU_COND_NEVER));
    unsigned mul_written = ((high & 63) != QPU_W_NOTHING) & ((high >> 14 & 7) != QPU_COND_NEVER),
             mul_kept = sf | mul_written;
    unsigned wanted = (add & (0 - add_kept)) | (mul & (0 - mul_kept));
    unsigned old_a = (raddr_a == QPU_R_NOTHING) | (raddr_a - QPU_R_DMA_BUSY < 3),
             old_b = ((raddr_b == QPU_R_NOTHING) | (raddr_b - QPU_R_DMA_BUSY < 3)) & file_b;
    found->read |= (old_a & used >> QPU_MUX_A) | (old_b & used >> QPU_MUX_B);
    found->wanted |= (old_a & wanted >> QPU_MUX_A) | (old_b & wanted >> QPU_MUX_B);
    found->mul_result |= (low >> 29 == 0) & mul_written;
}

/* Looks for uses of stale values in the whole program. A quick test skips most instructions: those that
 * neither read an I/O register nor write with a MUL nop. */
static struct stale_uses find_stale_uses(const struct qpu *q)
{
    static const uint32_t reads_io = UINT32_C(1) << 23 | UINT32_C(1) << 17; /* bit 5 of raddr_a, of raddr_b */
    struct stale_uses found = {0};
    for (unsigned i = 0; i < q->count; i++) {
        uint64_t word = qpu_ruled_word(q, qpu_join(q->program + 2 * i));
        uint32_t low = (uint32_t)word, high = (uint32_t)(word >> 32);
        unsigned reads = ((low & reads_io) != 0) & (low >> 24 != 0),
                 nop_writes = (low >> 29 == 0) & ((high & 63) != QPU_W_NOTHING);
        if ((high >> 28 <= QPU_SIG_SMALL_IMMEDIATE) & (reads | nop_writes))
            find_stale_uses_in(q->rules, low, high, &found);
    }
    return found;
}

/* Decides what steps of this program must keep for later steps. */
static void plan_tracking(struct qpu *q)
{
    bool stale = qpu_reading(q, QPU_NOP_READ_STALE) == NOP_READ_STALE,
         nop = qpu_reading(q, QPU_MUL_NOP_WRITE) == MUL_NOP_STALE;
    unsigned rotate = qpu_reading(q, QPU_ROTATE_HAZARD_SCOPE);
    struct stale_uses uses = stale || nop ? find_stale_uses(q) : (struct stale_uses){0};
    q->tracks_old = qpu_reading(q, QPU_REGFILE_HAZARD) == REGFILE_OLD ||
                    qpu_reading(q, QPU_ROTATE_R5_HAZARD) == ROTATE_R5_OLD ||
                    rotate == ROTATE_HAZARD_LOWER_OLD || rotate == ROTATE_HAZARD_OLD;
    q->reads_stale = stale && uses.read;
    q->tracks_stale = stale && uses.wanted;
    q->tracks_mul = nop && uses.mul_result;
}

static bool same_rows(const struct vc4_rows *a, const struct vc4_rows *b)
{
    return a->value == b->value && a->defined == b->defined;
}

/* Are the steps planned for this program and profile? With several QPUs, planning them again would take a
 * third of a run's time. */
static bool is_planned(const struct qpu *q)
{
    return q->planned_rules == q->rules && q->planned_checked == q->env->checked && !q->replans &&
           !memcmp(q->planned_wants, q->wants, sizeof q->wants) &&
           same_rows(&q->planned_rows[0], &q->file[0]) && same_rows(&q->planned_rows[1], &q->file[1]) &&
           same_rows(&q->planned_rows[2], &q->acc) && q->planned_count == q->count &&
           !memcmp(q->planned, q->program, 2 * sizeof *q->planned * q->count);
}

static void forget_plans(struct qpu *q)
{
    q->planned_rules = q->replans ? NULL : q->rules;
    q->planned_checked = q->env->checked;
    memcpy(q->planned_wants, q->wants, sizeof q->wants);
    q->planned_rows[0] = q->file[0];
    q->planned_rows[1] = q->file[1];
    q->planned_rows[2] = q->acc;
    q->planned_count = q->count;
    memcpy(q->planned, q->program, 2 * sizeof *q->planned * q->count);
    plan_tracking(q);
    for (unsigned i = 0; i < q->count; i++)
        q->step[i].execute = NULL;
    q->step[q->count] = (struct qpu_step){.execute = qpu_execute_outside};
}

size_t qpu_room_bytes(uint32_t instructions)
{
    return (instructions + (size_t)1) * sizeof(struct qpu_step) + (size_t)instructions * 2 * sizeof(uint32_t);
}

void qpu_give_room(struct qpu *q, void *memory, uint32_t instructions)
{
    q->room = instructions;
    q->step = memory;
    q->planned = (uint32_t *)(void *)(q->step + instructions + 1);
}

void qpu_prepare(struct qpu *q, const struct qpu_setup *setup)
{
    if (q->room <= QPU_PROGRAM_MAX) {
        q->room = QPU_PROGRAM_MAX;
        q->step = q->own_step;
        q->planned = q->own_planned;
    }
    assert(setup->count <= q->room);
    q->rules = resolve(q, setup->env->profile);
    reset(q, setup);
    if (!is_planned(q))
        forget_plans(q);
    reset_vectors(q, setup);
    qpu_begin_second(q, setup->second);
}

/* ---- in the middle of a run ---- */

void qpu_change_profile(struct qpu *q, const struct profile *p, uint32_t first, uint32_t count)
{
    q->rules = resolve(q, p);
    plan_tracking(q);
    q->planned_rules = NULL; /* the steps are not all of one profile */
    for (uint32_t i = first; i < first + count; i++)
        q->step[i].execute = NULL;
    /* under the previous profile, steps may not have kept the stale values */
    q->stale[0] = q->stale[1] = q->stale_mul = q->undefined;
    qpu_check_events(q);
}

size_t qpu_saved_bytes(void)
{
    return offsetof(struct qpu, env);
}

void qpu_save(const struct qpu *q, void *saved)
{
    memcpy(saved, q, offsetof(struct qpu, env));
}

void qpu_restore(struct qpu *q, const void *saved)
{
    memcpy(q, saved, offsetof(struct qpu, env));
}
