/* SPDX-License-Identifier: MIT */
/*
 * Two threads of one QPU (p20-21). They take turns: a thread executes two instructions after its switch
 * signal, then sleeps until the other thread switches or ends. Each thread sees the halves of the register
 * files in its own order, so a switch exchanges the halves. Accumulators and flags are lost. Each thread has
 * its own program counter, uniforms, pixels, varyings and look-ups.
 *
 * On a machine a thread may continue early, when its look-up's results have arrived (p21). In the model a
 * look-up takes no time, so this never happens.
 */
#include "model/vc4/qpu/qpu.h"

enum { HALF = 16 };

static void lose_accumulators(struct qpu *q)
{
    qpu_forget_tolerances(q);
    for (unsigned i = 0; i < q->acc.rows; i++) {
        q->acc.value[i] = q->undefined.value;
        if (q->env->checked)
            q->acc.defined[i] = q->zero;
        vc4_touch(&q->acc, i);
    }
    vector_splat(&q->flags.z, 0 - (q->env->filler & 1));
    q->flags.n = q->flags.c = q->flags.z;
    q->flags_defined.z = q->flags_defined.n = q->flags_defined.c = q->zero;
    q->flags_touched = true;
}

static void exchange_rows(struct vc4_vector *a, struct vc4_vector *b)
{
    struct vc4_vector old = *a;
    *a = *b;
    *b = old;
}

uint64_t qpu_other_half(uint64_t registers)
{
    const uint64_t low = UINT64_C(0x0000FFFF0000FFFF);
    return (registers & low) << HALF | (registers >> HALF & low);
}

static void exchange_halves(struct qpu *q)
{
    qpu_forget_tolerances(q);
    for (unsigned f = 0; f < 2; f++)
        for (unsigned i = 0; i < HALF; i++) {
            exchange_rows(&q->file[f].value[i], &q->file[f].value[i + HALF]);
            if (q->env->checked)
                exchange_rows(&q->file[f].defined[i], &q->file[f].defined[i + HALF]);
        }
    q->inexact = qpu_other_half(q->inexact);
}

/* Returns the running thread's state. Its pending branches are due relative to its next instruction. */
static struct qpu_thread put_to_sleep(const struct qpu *q)
{
    struct qpu_thread t = {.graphics = q->graphics,
                           .uniforms = q->uniforms,
                           .uniforms_before = q->uniforms_before,
                           .uniforms_changed = q->uniforms_changed,
                           .ms_rev_written = {q->ms_rev_written[0], q->ms_rev_written[1]},
                           .quad = {q->quad[0], q->quad[1]},
                           .ms_flags = q->ms_flags,
                           .rev_flag = q->rev_flag,
                           .next = q->next,
                           .branches = q->branches,
                           .no_more_switches = q->no_more_switches};
    for (unsigned i = 0; i < q->branches; i++)
        t.branch[i] = (struct qpu_pending_branch){q->branch[i].due - q->now, q->branch[i].target};
    return t;
}

static void wake(struct qpu *q, const struct qpu_thread *t)
{
    q->graphics = t->graphics;
    q->uniforms = t->uniforms;
    q->uniforms_before = t->uniforms_before;
    q->uniforms_changed = t->uniforms_changed;
    for (unsigned f = 0; f < 2; f++) {
        q->ms_rev_written[f] = t->ms_rev_written[f];
        q->quad[f] = t->quad[f];
    }
    q->ms_flags = t->ms_flags;
    q->rev_flag = t->rev_flag;
    q->next = t->next;
    q->branches = t->branches;
    for (unsigned i = 0; i < t->branches; i++)
        q->branch[i] = (struct qpu_pending_branch){t->branch[i].due + q->now, t->branch[i].target};
    q->last_branch = UINT64_MAX;
    q->no_more_switches = t->no_more_switches;
    q->before = &q->blank; /* its last instruction is too long ago for a hazard */
}

static void change_threads(struct qpu *q, bool ended)
{
    struct qpu_thread sleeper = put_to_sleep(q);
    sleeper.ended = ended;
    exchange_halves(q);
    wake(q, &q->other);
    q->other = sleeper;
    q->second = !q->second;
}

/* Does a switch wake the other thread? The second thread sleeps from its last switch until the first has
 * ended, because only the first may hold the scoreboard (p29 T4, signal 6). */
static bool other_may_run(const struct qpu *q)
{
    return q->two_threads && !q->other.ended && (q->second || !q->other.no_more_switches);
}

void qpu_switch_thread(struct qpu *q)
{
    q->switch_due = UINT64_MAX;
    if (QPU_OBSERVE(q, SWITCH_LOSES, 1, q->two_threads))
        lose_accumulators(q);
    if (!other_may_run(q))
        return;
    q->sfu_due = q->r4_due = q->r5_due = UINT64_MAX; /* their accumulators are lost */
    change_threads(q, false);
}

bool qpu_end_thread(struct qpu *q)
{
    if (q->two_threads && !q->other.ended) {
        q->end_due = q->switch_due = q->sfu_due = q->r4_due = q->r5_due = UINT64_MAX;
        lose_accumulators(q);
        change_threads(q, true);
        return true;
    }
    if (q->second) { /* callers see the files as the first thread does */
        exchange_halves(q);
        q->second = false;
    }
    return false;
}

void qpu_begin_second(struct qpu *q, const struct qpu_second *second)
{
    q->two_threads = second;
    q->second = q->no_more_switches = false;
    if (!second)
        return;
    q->pixels_written = true;
    q->other =
        (struct qpu_thread){.graphics = second->graphics,
                            .uniforms = second->uniforms,
                            .uniforms_before = second->uniforms,
                            .uniforms_changed = UINT64_MAX,
                            .ms_rev_written = {UINT64_MAX, UINT64_MAX},
                            .next = second->entry < q->count ? &q->step[second->entry] : &q->step[q->count]};
}
