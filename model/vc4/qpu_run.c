/* SPDX-License-Identifier: MIT */
/*
 * The loop of a QPU, and the short ways: steps that compute on registers, and
 * write registers or, as they are, I/O registers. Between two events (a branch
 * lands, the program ends, r4 arrives, the limit) the loop does nothing but
 * execute. A plain 16-lane loop with both pipes busy spends nine tenths of its
 * time in the pairs of operations.
 */
#include "model/vc4/qpu.h"

#include "model/vc4/qpu_graphics.h"

#include <string.h>

/* ---- the short ways ---- */

/* One pipe: its result goes to w->result. */
static void compute(struct qpu *q, const struct qpu_pipe *p, const struct alu_pipe *w, struct vc4_vector *carry)
{
    p->kernel(&q->rules->alu, w->a, w->b, w->result, carry);
}

/* Both pipes read before either writes: the ADD pipe's result has to wait. */
static void compute_both(struct qpu *q, const struct qpu_step *s, struct vc4_vector *add_carry, struct vc4_vector *mul_carry)
{
    s->add.kernel(&q->rules->alu, s->work.add.a, s->work.add.b, &q->add.value, add_carry);
    compute(q, &s->mul, &s->work.mul, mul_carry);
    *s->work.add.result = q->add.value;
}

/* Where a later instruction may see what was read last. */
void qpu_short_keep(struct qpu *q, struct qpu_step *s)
{
    for (unsigned file = 0; file < 2; file++)
        if (s->read[file].kind != QPU_READ_NONE)
            vector_leave_behind(&q->stale[file].value, s->read[file].row);
    s->quick(q, s);
}

void qpu_short_nothing(struct qpu *q, struct qpu_step *s)
{
    (void)q;
    (void)s;
}

void qpu_short_end(struct qpu *q, struct qpu_step *s)
{
    qpu_signal(q, s);
}

/* Where the loop cannot call the pair itself. */
void qpu_short_pair(struct qpu *q, struct qpu_step *s)
{
    s->compute(&q->rules->alu, &s->work);
}

/* The same of a guarded pair whose rotation r5 tells. */
void qpu_short_turned_pair(struct qpu *q, struct qpu_step *s)
{
    s->work.guard.from = alu_rotation(q->acc.value[5].lane[0], s->rotates_in_quads);
    s->compute(&q->rules->alu, &s->work);
}

static void compute_pipes(struct qpu *q, struct qpu_step *s)
{
    (s->compute ? qpu_short_pair : qpu_short_add_mul)(q, s);
}

void qpu_short_add(struct qpu *q, struct qpu_step *s)
{
    compute(q, &s->add, &s->work.add, NULL);
}

void qpu_short_mul(struct qpu *q, struct qpu_step *s)
{
    compute(q, &s->mul, &s->work.mul, NULL);
}

void qpu_short_add_mul(struct qpu *q, struct qpu_step *s)
{
    compute_both(q, s, NULL, NULL);
}

/* The same with flags of all elements. No condition looks at the old ones, so the kernel may write C where it belongs. */
void qpu_short_add_flags(struct qpu *q, struct qpu_step *s)
{
    compute(q, &s->add, &s->work.add, &q->flags.c);
    q->rules->alu.tools->zero_negative(s->work.add.result, &q->flags.z, &q->flags.n);
}

void qpu_short_mul_flags(struct qpu *q, struct qpu_step *s)
{
    compute(q, &s->mul, &s->work.mul, &q->flags.c);
    q->rules->alu.tools->zero_negative(s->work.mul.result, &q->flags.z, &q->flags.n);
}

void qpu_short_both_flags(struct qpu *q, struct qpu_step *s)
{
    bool add = s->flags_from == QPU_FLAGS_ADD;
    compute_both(q, s, add ? &q->flags.c : NULL, add ? NULL : &q->flags.c);
    q->rules->alu.tools->zero_negative(add ? s->work.add.result : s->work.mul.result, &q->flags.z, &q->flags.n);
}

void qpu_short_load(struct qpu *q, struct qpu_step *s)
{
    (void)q;
    *s->work.add.result = s->immediate;
    *s->work.mul.result = s->immediate;
}

/* Brings a result to its target as the pipe's condition says. */
static void put(const struct qpu *q, const struct qpu_pipe *p, const struct vc4_vector *value)
{
    if (!p->to || p->cond == QPU_COND_NEVER)
        return;
    if (p->cond == QPU_COND_ALWAYS) {
        *p->target = *value;
        return;
    }
    const struct vc4_vector *const flag[] = {&q->flags.z, &q->flags.n, &q->flags.c};
    q->rules->alu.tools->select(value, flag[p->cond / 2 - 1], 0 - (uint32_t)(p->cond & 1), p->target);
}

/* A result of the short ways stands where the pair or kernel left it: there already, or still apart from its target. */
static void put_apart(const struct qpu *q, const struct qpu_pipe *p, const struct vc4_vector *result)
{
    if (result != p->target)
        put(q, p, result);
}

/* Conditions, no flags, where there is no guarded pair. */
void qpu_short_conditional(struct qpu *q, struct qpu_step *s)
{
    qpu_short_add_mul(q, s);
    put_apart(q, &s->add, s->work.add.result);
    put_apart(q, &s->mul, s->work.mul.result);
}

/* The MUL pipe's result through the rotator: lanes do not look at each other, so it is the same as rotating the operands. */
void qpu_short_rotate(struct qpu *q, struct qpu_step *s)
{
    unsigned n = s->rotates_by_r5 ? q->acc.value[5].lane[0] & 15 : s->rotation;
    qpu_short_add_mul(q, s);
    q->rules->alu.tools->rotate(&q->mul.value, n, s->rotates_in_quads, &q->carry.value);
    put_apart(q, &s->add, s->work.add.result);
    put(q, &s->mul, &q->carry.value);
}

/* A result that goes to an I/O register as it is, in all elements. */
static void put_io(struct qpu *q, const struct qpu_pipe *p, const struct vc4_vector *result, struct qpu_result *scratch)
{
    if (p->to != QPU_TO_IO) {
        put_apart(q, p, result);
        return;
    }
    scratch->lanes = q->all;
    qpu_write_io(q, p->file, p->index, scratch);
}

void qpu_short_io(struct qpu *q, struct qpu_step *s)
{
    if (s->add.source == QPU_FROM_IMMEDIATE)
        *s->work.add.result = *s->work.mul.result = s->immediate;
    else
        compute_pipes(q, s);
    put_io(q, &s->add, s->work.add.result, &q->add);
    if (!q->stop)
        put_io(q, &s->mul, s->work.mul.result, &q->mul);
}

/* I/O registers that are read, file A before file B; operands look at q->read. */
static void read_io(struct qpu *q, struct qpu_step *s)
{
    for (unsigned file = 0; file < 2 && !q->stop; file++)
        if (s->read[file].kind == QPU_READ_IO) {
            q->wanted = s->read[file].wanted;
            qpu_read_io(q, file, s->read[file].address, &q->read[file]);
        }
}

void qpu_short_read(struct qpu *q, struct qpu_step *s)
{
    read_io(q, s);
    if (!q->stop)
        s->quick(q, s);
}

/* A look-up's result is on its way; the rest as without. */
void qpu_short_signal(struct qpu *q, struct qpu_step *s)
{
    qpu_signal(q, s);
    if (!q->stop)
        s->quick(q, s);
}

/* One whose value goes nowhere. */
void qpu_short_semaphore(struct qpu *q, struct qpu_step *s)
{
    struct vc4_vector nowhere;
    if (!qpu_must_wait(q, s))
        qpu_semaphore(q, s, &nowhere);
}

static void put_flags(struct qpu *q, const struct qpu_step *s, const struct qpu_pipe *p, const struct vc4_vector *value)
{
    struct alu_flags new;
    q->rules->alu.tools->zero_negative(value, &new.z, &new.n);
    new.c = q->carry.value;
    if (!s->flags_all) {
        const struct vc4_vector *const flag[] = {&q->flags.z, &q->flags.n, &q->flags.c};
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): QPU_COND_ALWAYS means flags_all */
        struct vc4_vector lanes = p->cond == QPU_COND_NEVER ? q->zero : *flag[p->cond / 2 - 1];
        uint32_t invert = p->cond == QPU_COND_NEVER ? 0 : 0 - (uint32_t)(p->cond & 1);
        for (unsigned i = 0; i < VC4_LANES; i++)
            lanes.lane[i] ^= invert;
        vector_select(&q->flags.z, &new.z, &lanes);
        vector_select(&q->flags.n, &new.n, &lanes);
        if (!s->flags_keep_c)
            vector_select(&q->flags.c, &new.c, &lanes);
    } else {
        q->flags.z = new.z;
        q->flags.n = new.n;
        if (!s->flags_keep_c)
            q->flags.c = new.c;
    }
}

/* Conditions and flags too: ALU steps and load immediates. */
void qpu_short_any(struct qpu *q, struct qpu_step *s)
{
    const struct vc4_vector *add = &s->immediate, *mul = &s->immediate;
    bool add_flags = s->flags_from == QPU_FLAGS_ADD, mul_flags = s->flags_from == QPU_FLAGS_MUL;
    if (s->add.source == QPU_FROM_ALU) {
        s->add.kernel(&q->rules->alu, s->work.add.a, s->work.add.b, &q->add.value, add_flags ? &q->carry.value : NULL);
        add = &q->add.value;
    }
    if (s->mul.source == QPU_FROM_ALU) {
        s->mul.kernel(&q->rules->alu, s->work.mul.a, s->work.mul.b, &q->mul.value, mul_flags ? &q->carry.value : NULL);
        mul = &q->mul.value;
    }
    put(q, &s->add, add);
    put(q, &s->mul, mul);
    if (!s->flags_from)
        return;
    if (s->add.source == QPU_FROM_IMMEDIATE)
        q->carry.value = q->zero;
    put_flags(q, s, add_flags ? &s->add : &s->mul, add_flags ? add : mul);
}

/* ---- events ---- */

/* A step that was not executed yet is planned before all else, whichever way it then takes. */
static qpu_execute *careful_way(const struct qpu_step *s)
{
    return s->execute == qpu_execute_first ? s->execute : s->careful;
}

/*
 * Counts what the steps of a line consult and write, from its begin up to `end`: a line at a time, where it is left, because it would
 * cost a tenth of a program's run to look at each step whether it was executed before.
 */
static void count_line(struct qpu *q, const struct qpu_step *end)
{
    uint32_t begin = (uint32_t)(q->line - q->step), beyond = (uint32_t)(end - q->step);
    beyond = beyond < q->count ? beyond : q->count;
    if (begin >= beyond || q->counted[begin] >= beyond - begin)
        return;
    for (const struct qpu_step *s = q->line + q->counted[begin]; s < q->step + beyond; s++) {
        uint64_t links = 0 - (uint64_t)(s->execute == qpu_execute_branch); /* links count as they are written */
        q->clauses |= s->clauses;
        q->alu_clauses |= s->alu_clauses;
        q->flags_touched |= s->flags_from != QPU_FLAGS_KEEP;
        q->wrote |= s->writes & ~links;
        q->wrote_acc |= (uint8_t)(s->writes_acc & ~links);
    }
    q->counted[begin] = (uint16_t)(beyond - begin);
}

void qpu_leave_line(struct qpu *q, struct qpu_step *next)
{
    count_line(q, q->next);
    q->line = q->next = next;
}

/*
 * A branch reaches its target. The step there may stand in a hazard with the last one executed, which is not the one above it. A target in no
 * hazard with either may look at whichever it likes.
 */
static void land(struct qpu *q)
{
    uint32_t at = q->branch[0].target - q->code_base;
    q->branches--;
    for (unsigned i = 0; i < q->branches; i++)
        q->branch[i] = q->branch[i + 1];
    if (at % 8 || at / 8 >= q->count) {
        qpu_halt(q, VC4_FAULT_PROGRAM);
        return;
    }
    const struct qpu_step *last = q->before ? q->before : q->next - 1;
    struct qpu_step *target = &q->step[at / 8];
    qpu_leave_line(q, target);
    qpu_plan_landing(q, target);
    if (target->careful == target->execute || last->writes & target->reads || last->writes_acc & target->rotates_acc) {
        q->before = last;
        q->careful_until = q->careful_until > q->now + 1 ? q->careful_until : q->now + 1;
    }
}

static void earlier(uint64_t *event, uint64_t due)
{
    if (due < *event)
        *event = due;
}

/* Does what is due before step number `now`, and finds out when to look up again. */
static void look_up(struct qpu *q)
{
    if (q->waiting || q->now >= q->pause) {
        q->paused = true;
        return;
    }
    if (q->stop) /* it does nothing more, and `next` still tells which step was the last */
        return;
    if (q->arrival_due <= q->now)
        qpu_deliver_arrivals(q);
    if (q->end_due <= q->now && !qpu_end_thread(q)) {
        q->ended = true;
        return;
    }
    if (q->sfu_due <= q->now)
        qpu_deliver_sfu(q);
    if (q->switch_due <= q->now)
        qpu_switch_thread(q);
    if (q->branches && q->branch[0].due <= q->now)
        land(q);
    if (q->now >= q->limit)
        qpu_halt(q, VC4_HANG_LIMIT);
    if (q->stop)
        return;
    q->event = q->limit < q->pause ? q->limit : q->pause;
    earlier(&q->event, q->end_due);
    earlier(&q->event, q->sfu_due);
    earlier(&q->event, q->switch_due);
    if (q->branches)
        earlier(&q->event, q->branch[0].due);
}

/* ---- what a run touched ---- */

/* Up to 32 rows at once. */
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

/* Four clauses at a time, without a branch for each, which no host could foresee; `count` is rounded up to 4, and bits above it are 0. */
_Static_assert((QPU_CLAUSE_FIRST + 63) / 4 * 4 <= CLAUSES_MAX, "cover_all stays in the coverage");
static void cover_all(struct coverage *c, unsigned first, uint64_t clauses, unsigned count)
{
    static const uint16_t spread[16][4] = {{0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {1, 1, 0, 0}, {0, 0, 1, 0}, {1, 0, 1, 0},
                                           {0, 1, 1, 0}, {1, 1, 1, 0}, {0, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1}, {1, 1, 0, 1},
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
    if (q->two_threads) /* steps do not know for which thread they were executed */
        q->wrote |= qpu_other_half(q->wrote);
    touch(&q->file[0], q->wrote & UINT32_MAX);
    touch(&q->file[1], q->wrote >> 32);
    touch(&q->acc, q->wrote_acc);
    cover_all(q->env->coverage, ALU_CLAUSE_FIRST, q->alu_clauses, ALU_CLAUSES);
    cover_all(q->env->coverage, QPU_CLAUSE_FIRST, q->clauses, QPU_CLAUSE_END - QPU_CLAUSE_FIRST);
}

static void go(struct qpu *q)
{
    const struct alu_rules *alu = &q->rules->alu;
    for (;;) {
        if (q->now >= q->event)
            look_up(q);
        if (q->stop || q->ended || q->paused)
            break;
        struct qpu_step *s = q->next;
        if (q->now < q->careful_until || q->watch) {
            q->next = s + 1;
            if (q->watch)
                q->watch(q->watch_context, q, s, false);
            careful_way(s)(q, s);
            q->now++;
            if (q->watch)
                q->watch(q->watch_context, q, s, true);
            continue;
        }
        uint64_t now = q->now, event = q->event;
        do { /* pairs know nothing of the QPU: no event comes of them */
            if (s->pair) {
                s->pair(alu, &s->work);
            } else {
                q->now = now;
                s->execute(q, s);
                event = q->event;
            }
            s++;
            now++;
        } while (now < event);
        q->now = now;
        q->next = s;
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
    if (q->env->checked)
        qpu_account_end(q);
    count_line(q, q->next + q->waiting);
    mark(q);
}

void qpu_flush(struct qpu *q)
{
    count_line(q, q->next + q->waiting);
    mark(q);
    q->line = q->next;
    q->counted[q->next - q->step < q->count ? q->next - q->step : 0] = 0;
    q->clauses = q->alu_clauses = 0;
}

enum vc4_stop qpu_run(struct qpu *q)
{
    go(q);
    qpu_finish(q);
    return q->stop;
}
