/* SPDX-License-Identifier: MIT */
/*
 * The loop of a QPU. It executes steps until an event is due: a branch is taken, a result arrives, threads
 * switch, or the program or the caller's turn ends.
 */
#include "model/vc4/qpu/qpu.h"

#include "model/vc4/qpu/alu/qpu_alu_host.h"
#include "model/vc4/qpu/qpu_graphics.h"

#include <string.h>

/* ---- events ---- */

static void take_branch(struct qpu *q)
{
    uint32_t target = q->branch[0].target, at = target - q->code_base, number;
    q->branches--;
    for (unsigned i = 0; i < q->branches; i++)
        q->branch[i] = q->branch[i + 1];
    number = QPU_OBSERVE(q, BRANCH_INSTRUCTION, at / 8, target, at % 8);
    if (at % 8 || number >= q->count)
        qpu_halt(q, VC4_FAULT_PROGRAM);
    else
        q->next = &q->step[number];
}

static void earlier(uint64_t *event, uint64_t due)
{
    if (due < *event)
        *event = due;
}

/* Handles the events that are due before step number `now`. Sets q->event to the time of the next event. */
static void handle_events(struct qpu *q)
{
    if (q->waiting || q->now >= q->pause) {
        q->paused = true;
        return;
    }
    if (q->stop) /* keep `next`: qpu_account_end finds the last step by it */
        return;
    if (q->r4_due <= q->now || q->r5_due <= q->now)
        qpu_deliver_arrivals(q, q->now);
    if (q->end_due <= q->now && !qpu_end_thread(q)) {
        q->ended = true;
        return;
    }
    if (q->sfu_due <= q->now)
        qpu_deliver_sfu(q);
    if (q->switch_due <= q->now)
        qpu_switch_thread(q);
    if (q->branches && q->branch[0].due <= q->now)
        take_branch(q);
    if (q->now >= q->limit)
        qpu_halt(q, VC4_HANG_LIMIT);
    if (q->stop)
        return;
    q->event = q->limit < q->pause ? q->limit : q->pause;
    earlier(&q->event, q->end_due);
    earlier(&q->event, q->sfu_due);
    earlier(&q->event, q->r4_due);
    earlier(&q->event, q->r5_due);
    earlier(&q->event, q->switch_due);
    if (q->branches)
        earlier(&q->event, q->branch[0].due);
}

/* ---- touched rows and covered clauses ---- */

/* Marks up to 32 rows as touched. */
static void touch(const struct vc4_rows *r, uint64_t rows)
{
    if (!r->touched || !rows)
        return;
    uint64_t *word = r->touched + r->first / 64;
    word[0] |= rows << (r->first % 64);
    uint64_t beyond = r->first % 64 ? rows >> (64 - r->first % 64) : 0;
    if (beyond)
        word[1] |= beyond;
}

/* Marks clauses as covered, four at a time, because the host would mispredict a branch for each. Rounds
 * `count` up to a multiple of 4; the bits of `clauses` from `count` on are 0. */
_Static_assert((QPU_CLAUSE_FIRST + 63) / 4 * 4 <= CLAUSES_MAX, "cover_all stays in the coverage");
static void cover_all(struct coverage *c, unsigned first, uint64_t clauses, unsigned count)
{
    static const uint16_t spread[16][4] = {{0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {1, 1, 0, 0},
                                           {0, 0, 1, 0}, {1, 0, 1, 0}, {0, 1, 1, 0}, {1, 1, 1, 0},
                                           {0, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1}, {1, 1, 0, 1},
                                           {0, 0, 1, 1}, {1, 0, 1, 1}, {0, 1, 1, 1}, {1, 1, 1, 1}};
    for (unsigned at = 0; at < count; at += 4) {
        uint64_t modes, more;
        memcpy(&modes, c->modes + first + at, sizeof modes);
        memcpy(&more, spread[clauses >> at & 15], sizeof more);
        modes |= more;
        memcpy(c->modes + first + at, &modes, sizeof modes);
    }
}

static void mark(struct qpu *q)
{
    if (q->two_threads) /* steps do not record which thread executed them */
        q->wrote |= qpu_other_half(q->wrote);
    touch(&q->file[0], q->wrote & UINT32_MAX);
    touch(&q->file[1], q->wrote >> 32);
    touch(&q->acc, q->wrote_acc);
    cover_all(q->env->coverage, ALU_CLAUSE_FIRST, q->alu_clauses, ALU_CLAUSES);
    cover_all(q->env->coverage, QPU_CLAUSE_FIRST, q->clauses, QPU_CLAUSE_END - QPU_CLAUSE_FIRST);
}

/* ---- steps ---- */

static ALU_INLINE void step(struct qpu *q)
{
    struct qpu_step *s = q->next++;
    const struct qpu_step *before = q->before;
    if (!s->execute)
        qpu_plan(q, s);
    q->clauses |= s->clauses;
    q->alu_clauses |= s->alu_clauses;
    q->wrote |= s->touches;
    q->wrote_acc |= s->touches_acc;
    q->flags_touched |= s->flags_from != QPU_FLAGS_KEEP;
    q->before = s;
    s->execute(q, s, before);
    q->now++;
}

/* Executes a step with calls of q->watch before and after it. */
static void watched_step(struct qpu *q)
{
    struct qpu_step *s = q->next;
    if (q->replans && s < q->step + q->count)
        s->execute = NULL;
    if (q->watch)
        q->watch(q->watch_context, q, s, false);
    step(q);
    if (q->watch)
        q->watch(q->watch_context, q, s, true);
}

static void go(struct qpu *q)
{
    for (;;) {
        if (q->now >= q->event)
            handle_events(q);
        if (q->stop || q->ended || q->paused)
            break;
        if (q->watch || q->replans)
            watched_step(q);
        else
            do /* whatever stops the QPU or makes it wait sets `event` */
                step(q);
            while (q->now < q->event);
    }
    if (q->waiting) { /* the step was not executed */
        q->now--;
        q->next--;
    }
}

void qpu_turn(struct qpu *q, uint64_t most)
{
    if (q->waiting)
        q->stop = VC4_GO;
    q->waiting = q->paused = false;
    q->pause = q->now + most;
    q->event = 0;
    go(q);
}

void qpu_finish(struct qpu *q)
{
    if (q->ended && q->sfu_due != UINT64_MAX)
        qpu_deliver_sfu(q);
    if (q->ended) /* a rule may have delayed them beyond the end */
        qpu_deliver_arrivals(q, UINT64_MAX - 1);
    if (q->env->fidelity)
        qpu_account_end(q);
    mark(q);
}

void qpu_flush(struct qpu *q)
{
    mark(q);
    q->clauses = q->alu_clauses = 0;
}

enum vc4_stop qpu_run(struct qpu *q)
{
    go(q);
    qpu_finish(q);
    return q->stop;
}
