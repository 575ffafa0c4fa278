/* SPDX-License-Identifier: MIT */
/*
 * One step of a QPU: the body of the interpreter, as a template. A form of the step is a file of a few lines.
 * It names its function (QPU_STEP), chooses QPU_CHECKED and QPU_OBSERVED, and includes this file:
 *
 * - qpu_step_plain.c: values only
 * - qpu_step_ruled.c: values, which rules may change (QPU_OBSERVED)
 * - qpu_step_checked.c: values, which rules may change; which of their bits are defined; which arithmetic
 *   clauses decided something (QPU_OBSERVED and QPU_CHECKED)
 *
 * qpu_observe.inc.h has the additional work of observed steps.
 *
 * A step works in the order of the pipeline: reads, ALUs, writes, flags (p17 fig 2). qpu_plan.c has already
 * consulted the clauses that depend on the instruction alone. This file consults the clauses about hazards,
 * which depend on the previous step.
 */
#include "model/vc4/qpu/qpu.h"

#include "model/vc4/qpu/alu/qpu_alu_host.h"
#include "model/vc4/qpu/alu/qpu_pack.h"
#include "model/vc4/qpu/qpu_graphics.h"
#include "model/vc4/qpu/step/qpu_quantities.h"

#include <string.h>

/* Keeps a function that few steps call out of the body that all steps run. */
#define RARE __attribute__((noinline))

/* Can a rule act in the step that is being executed, or does an observer see its values? */
#define OBSERVES(q) (QPU_OBSERVED && (q)->before->observed)

/* A vector to read, and the mask of its defined bits. Only code with QPU_CHECKED reads `defined`. */
struct view {
    const struct vc4_vector *value, *defined;
};

static struct view view_of(const struct qpu_value *v)
{
    return (struct view){&v->value, QPU_CHECKED ? &v->defined : NULL};
}

static struct view view_row(const struct vc4_rows *r, unsigned row)
{
    return (struct view){&r->value[row], QPU_CHECKED ? &r->defined[row] : NULL};
}

static struct view zeros(const struct qpu *q)
{
    return (struct view){&q->zero, &q->all};
}

/* The values that the eight operand codes (muxes) select. With two arrays, instead of one array of views, the
 * compiler can keep each pointer in a register. */
struct operands {
    const struct vc4_vector *value[8], *defined[8];
};

static ALU_INLINE void offer(struct operands *o, unsigned mux, struct view v)
{
    o->value[mux] = v.value;
    if (QPU_CHECKED)
        o->defined[mux] = v.defined;
}

static ALU_INLINE struct view operand(const struct operands *o, unsigned mux)
{
    return (struct view){o->value[mux], QPU_CHECKED ? o->defined[mux] : NULL};
}

static void repeat_last_quad(struct qpu_value *to, struct view v)
{
    vector_repeat_last_quad(&to->value, v.value);
    if (QPU_CHECKED)
        vector_repeat_last_quad(&to->defined, v.defined);
}

static void copy(struct view from, struct vc4_vector *value, struct vc4_vector *defined)
{
    *value = *from.value;
    if (QPU_CHECKED)
        *defined = *from.defined;
}

#include "model/vc4/qpu/step/qpu_observe.inc.h"

/* Reads a register that the previous step wrote. p37 forbids this (clause regfile-hazard). */
static struct view read_hazard(struct qpu *q, const struct qpu_step *before, unsigned file, unsigned number)
{
    unsigned reading = qpu_consult(q, QPU_REGFILE_HAZARD);
    if (reading == READING_MANUAL)
        return view_of(&q->undefined);
    if (reading == REGFILE_NEW)
        return view_row(&q->file[file], number);
    bool by_add =
        before->add.to == QPU_TO_REGISTER && before->add.file == file && before->add.index == number;
    return view_of(by_add ? &q->old_add : &q->old_mul);
}

static RARE struct view read_other(struct qpu *q, const struct qpu_step *s, const struct qpu_step *before,
                                   unsigned file, struct view file_a)
{
    unsigned address = s->read[file].address;
    switch ((enum qpu_read)s->read[file].kind) {
    case QPU_READ_REGISTER:
        return read_hazard(q, before, file, address);
    case QPU_READ_CONSTANT:
        return (struct view){qpu_constant(q, s, file), &q->all};
    case QPU_READ_NOP:
        q->wanted = s->read[file].wanted;
        qpu_read_stale(q, file, &q->read[file]);
        return view_of(&q->read[file]);
    case QPU_READ_IO:
        q->wanted = s->read[file].wanted;
        q->used = s->read[file].used;
        qpu_read_io(q, file, address, &q->read[file]);
        return view_of(&q->read[file]);
    case QPU_READ_NOTHING_THERE:
        return view_of(&q->undefined);
    case QPU_READ_AS_FILE_A:
        return file_a;
    case QPU_READ_NONE:
        break;
    }
    return zeros(q);
}

static ALU_INLINE struct view read_file(struct qpu *q, const struct qpu_step *s,
                                        const struct qpu_step *before, unsigned file, struct view file_a)
{
    unsigned kind = s->read[file].kind, address = s->read[file].address;
    bool hazard = (before->writes & s->reads) >> (32 * file + address % 32) & 1;
    if (OBSERVES(q) && kind == QPU_READ_REGISTER)
        hazard = see_hazard(q, s, before, file, hazard);
    if (kind == QPU_READ_REGISTER && !hazard)
        return view_row(&q->file[file], address);
    if (kind == QPU_READ_NONE)
        return zeros(q);
    return read_other(q, s, before, file, file_a);
}

static RARE void keep_stale(struct qpu *q, const struct qpu_step *s, unsigned file, struct view v)
{
    if (s->read[file].kind != QPU_READ_NONE && s->read[file].kind != QPU_READ_NOP)
        repeat_last_quad(&q->stale[file], v);
}

/* Handles a read of r4 before an SFU result has arrived (p37; clause sfu-r4-hazard). */
static RARE void read_r4_early(struct qpu *q, struct operands *o)
{
    unsigned reading = qpu_consult(q, QPU_SFU_R4_HAZARD);
    if (reading == READING_MANUAL)
        offer(o, QPU_MUX_R4, view_of(&q->undefined));
    else if (reading == SFU_R4_NEW)
        qpu_deliver_sfu(q);
}

static RARE void unpack(struct qpu *q, const struct qpu_step *s, struct operands *o)
{
    const struct alu_rules *alu = &q->rules->alu;
    struct view a = operand(o, QPU_MUX_A), r4 = operand(o, QPU_MUX_R4);
    if (s->unpack_a) {
        alu_unpack_a(alu, s->unpack_a, s->float_view, a.value, &q->unpacked.value);
        if (QPU_CHECKED)
            alu_unpack_defined(s->unpack_a, s->float_view, a.defined, &q->unpacked.defined);
        if (OBSERVES(q))
            see_unpacked(q, s, false, a, &q->unpacked);
        offer(o, QPU_MUX_A, view_of(&q->unpacked));
    }
    if (s->unpack_r4) {
        alu_unpack_r4(alu, s->unpack_r4, r4.value, &q->r4_view.value);
        if (QPU_CHECKED)
            alu_unpack_defined(s->unpack_r4, true, r4.defined, &q->r4_view.defined);
        if (OBSERVES(q))
            see_unpacked(q, s, true, r4, &q->r4_view);
        offer(o, QPU_MUX_R4, view_of(&q->r4_view));
    }
}

/* Reads the operands of a step. Returns false if the QPU stopped in a read. */
static ALU_INLINE bool read_operands(struct qpu *q, const struct qpu_step *s, const struct qpu_step *before,
                                     struct operands *o)
{
    for (unsigned i = 0; i < 6; i++)
        offer(o, i, view_row(&q->acc, i));
    struct view a = read_file(q, s, before, 0, (struct view){NULL, NULL});
    if (q->stop)
        return false;
    if (OBSERVES(q))
        a = see_read(q, s, before, 0, a);
    struct view b = read_file(q, s, before, 1, a);
    if (q->stop)
        return false;
    if (OBSERVES(q))
        b = see_read(q, s, before, 1, b);
    if (q->tracks_stale) {
        keep_stale(q, s, 0, a);
        keep_stale(q, s, 1, b);
    }
    offer(o, QPU_MUX_A, a);
    offer(o, QPU_MUX_B, b);
    if (q->sfu_due != UINT64_MAX && s->reads_acc & 1U << QPU_MUX_R4)
        read_r4_early(q, o);
    if (s->unpack_a | s->unpack_r4)
        unpack(q, s, o);
    if (s->no_r5)
        offer(o, QPU_MUX_R5, zeros(q));
    return true;
}

/* ---- the ALUs ---- */

/* Returns the rows to which the pipe writes: a register file or the accumulators. */
static const struct vc4_rows *rows_of(const struct qpu *q, const struct qpu_pipe *p)
{
    return p->to == QPU_TO_REGISTER ? &q->file[p->file] : &q->acc;
}

/* Are the shift amounts defined in the elements that matter: those that the pipe writes, or all if it sets
 * flags? An element whose condition is undefined becomes undefined, so its amount decides nothing. */
static bool amounts_defined(const struct qpu_pipe *p, const struct vc4_vector *defined,
                            const struct qpu_result *r, bool flags)
{
    uint32_t missing = 0;
    for (unsigned i = 0; i < VC4_LANES; i++) {
        uint32_t counts = p->lanes && !flags ? r->lanes.lane[i] : UINT32_MAX;
        missing |= ~defined->lane[i] & counts;
    }
    return !missing;
}

/* Finds which bits of the result are defined, and marks the clauses on which the result depends. The caller
 * calls it before the kernel, because the kernel may overwrite an operand. */
static void judge_operands(struct qpu *q, const struct qpu_pipe *p, bool is_mul, bool flags, struct view a,
                           struct view b, const struct qpu_result *r, struct vc4_vector *defined)
{
    const struct alu_rules *alu = &q->rules->alu;
    alu_cover(alu, p->op, is_mul, a.value, b.value, flags, q->env->coverage);
    if (p->op->clauses[0] == ALU_SHIFT_AMOUNT && !covered(q->env->coverage, ALU_SHIFT_AMOUNT) &&
        !amounts_defined(p, b.defined, r, flags))
        /* the clause's reading says how many bits of the amount count, so it can decide which bits are
         * defined */
        cover(q->env->coverage, ALU_SHIFT_AMOUNT, 0);
    p->op->defined(alu, a.value, b.value, a.defined, b.defined, defined, flags ? &q->carry.defined : NULL);
}

static ALU_INLINE struct view run_alu(struct qpu *q, const struct qpu_pipe *p, bool is_mul, bool flags,
                                      struct view a, struct view b, struct qpu_result *r)
{
    const struct alu_rules *alu = &q->rules->alu;
    struct vc4_vector *value = &r->value, *defined = &r->defined;
    if (p->direct) {
        value = p->target.value;
        defined = p->target.defined;
    }
    if (QPU_CHECKED)
        judge_operands(q, p, is_mul, flags, a, b, r, defined);
    p->kernel(alu, a.value, b.value, value, flags ? &q->carry.value : NULL);
    if (OBSERVES(q))
        see_result(q, p, a, b, value);
    if (p->packs == QPU_PACKS_A && p->op->overflow) {
        p->op->overflow(alu, a.value, b.value, value, &r->overflow);
        if (QPU_CHECKED)
            alu_overflow_defined(a.defined, b.defined, &r->overflow_defined);
        if (OBSERVES(q))
            see_overflow(q, p, a, b, r);
    }
    return (struct view){value, defined};
}

/* Returns the output of a pipe that runs no operation: the immediate, the last MUL result, or undefined
 * bits. */
static RARE struct view run_without(struct qpu *q, const struct qpu_pipe *p, bool flags,
                                    struct view immediate)
{
    bool reserved = p->source == QPU_FROM_RESERVED; /* opcodes to which p35 and p36 give no operation */
    if (flags) {
        q->carry.value = q->zero;
        q->carry.defined = reserved ? q->zero : q->all;
    }
    return reserved                      ? view_of(&q->undefined)
           : p->source == QPU_FROM_STALE ? view_of(&q->stale_mul)
                                         : immediate;
}

static ALU_INLINE struct view run_pipe(struct qpu *q, const struct qpu_step *s, bool is_mul, struct view a,
                                       struct view b, struct view immediate)
{
    const struct qpu_pipe *p = is_mul ? &s->mul : &s->add;
    bool flags = s->flags_from == (is_mul ? QPU_FLAGS_MUL : QPU_FLAGS_ADD);
    if (p->source == QPU_FROM_NOTHING)
        return immediate;
    if (p->source == QPU_FROM_ALU)
        return run_alu(q, p, is_mul, flags, a, b, is_mul ? &q->mul : &q->add);
    return run_without(q, p, flags, immediate);
}

#include "model/vc4/qpu/step/qpu_rotate.inc.h"

/* ---- conditions ---- */

/* Finds the elements that the pipe writes. Only for pipes with `lanes` set; other pipes write all
 * elements. */
static RARE void find_lanes(const struct qpu *q, const struct qpu_pipe *p, struct qpu_result *r)
{
    if (p->cond <= QPU_COND_ALWAYS) {
        r->lanes = p->cond ? q->all : q->zero;
        if (QPU_CHECKED)
            r->lanes_defined = q->all;
    } else {
        q->rules->alu.tools->invert(alu_flag(&q->flags, p->cond / 2 - 1U), 0 - (uint32_t)(p->cond & 1),
                                    &r->lanes);
        if (QPU_CHECKED)
            r->lanes_defined = *alu_flag(&q->flags_defined, p->cond / 2 - 1U);
    }
    if (OBSERVES(q))
        see_lanes(q, p, r);
}

/* Copies `from` to the elements in `lanes`, or to all elements if `lanes` is NULL. If an element's condition
 * is undefined, the element becomes undefined. */
static void put(const struct qpu *q, struct vc4_vector *to, struct vc4_vector *to_defined, struct view from,
                const struct qpu_result *lanes)
{
    const struct alu_tools *tools = q->rules->alu.tools;
    const struct vc4_vector *where = lanes ? &lanes->lanes : &q->all;
    tools->select(from.value, where, to);
    if (!QPU_CHECKED)
        return;
    tools->select(from.defined, where, to_defined);
    for (unsigned i = 0; lanes && i < VC4_LANES; i++)
        to_defined->lane[i] &= lanes->lanes_defined.lane[i];
}

#include "model/vc4/qpu/step/qpu_write.inc.h"

/* ---- flags (p27 T1, p28; clauses sf-*) ---- */

static RARE void set_flags(struct qpu *q, const struct qpu_step *s, struct view of_add, struct view of_mul)
{
    bool add = s->flags_from == QPU_FLAGS_ADD;
    struct view result = add ? of_add : of_mul;
    const struct qpu_pipe *p = add ? &s->add : &s->mul;
    const struct qpu_result *r = add ? &q->add : &q->mul, *lanes = s->flags_all ? NULL : r;
    struct qpu_value packed, z, n;
    if (p->packs != QPU_PACKS_NOT && alu_reading(&q->rules->alu, ALU_FLAGS_VS_PACK) == FLAGS_VS_PACK_PACKED)
        result = pack(q, p, result, r, zeros(q), &packed);
    if (OBSERVES(q))
        result = see_flag_value(q, p, result, result_of(q, s, !add, add ? of_mul : of_add), r);
    q->rules->alu.tools->zero_negative(result.value, &z.value, &n.value);
    if (QPU_CHECKED)
        alu_zero_negative_defined(result.value, result.defined, &z.defined, &n.defined);
    struct qpu_result seen;
    if (OBSERVES(q)) {
        see_flags(q, s, p, result, r, &z, &n, &seen);
        lanes = &seen;
    }
    put(q, &q->flags.z, &q->flags_defined.z, view_of(&z), lanes);
    put(q, &q->flags.n, &q->flags_defined.n, view_of(&n), lanes);
    if (!s->flags_keep_c || OBSERVES(q))
        put(q, &q->flags.c, &q->flags_defined.c, view_of(&q->carry), lanes);
}

/* ---- the step ---- */

/* Keeps the MUL result, because a later MUL nop may write it again (clause mul-nop-write). Elements whose
 * condition failed become undefined. */
static RARE void keep_mul(struct qpu *q, const struct qpu_step *s, struct view mul)
{
    if (s->mul.source != QPU_FROM_ALU && s->mul.source != QPU_FROM_RESERVED)
        return;
    repeat_last_quad(&q->stale_mul, mul);
    for (unsigned i = 0; i < VC4_LANES; i++)
        if (!q->mul.lanes.lane[12 + i % 4]) {
            q->stale_mul.value.lane[i] = q->env->filler;
            q->stale_mul.defined.lane[i] = 0;
        } else if (QPU_CHECKED && !q->mul.lanes_defined.lane[12 + i % 4]) {
            q->stale_mul.defined.lane[i] = 0;
        }
}

/* Runs both pipes, then writes their results. A kernel has already written a `direct` result. */
static ALU_INLINE void compute_and_write(struct qpu *q, const struct qpu_step *s,
                                         const struct qpu_step *before, const struct operands *o,
                                         struct view immediate)
{
    struct view add_a = operand(o, s->add.mux_a), add_b = operand(o, s->add.mux_b);
    struct view mul_a = operand(o, s->mul.mux_a), mul_b = operand(o, s->mul.mux_b);
    bool rotates = s->rotates && s->mul.source == QPU_FROM_ALU,
         tolerances = QPU_CHECKED && (q->tolerant | q->tolerant_acc);
    if (tolerances)
        qpu_take_tolerances(q, s, before);
    if (OBSERVES(q)) {
        see_operands(q, s, &s->add, &add_a, &add_b);
        see_operands(q, s, &s->mul, &mul_a, &mul_b);
    }
    if (rotates && prepare_rotation(q, s, before, mul_a, mul_b)) {
        mul_a = view_of(&q->operand[0]);
        mul_b = view_of(&q->operand[1]);
    }
    if (s->add.lanes)
        find_lanes(q, &s->add, &q->add);
    if (s->mul.lanes)
        find_lanes(q, &s->mul, &q->mul);
    struct view add = run_pipe(q, s, false, add_a, add_b, immediate);
    struct view mul = run_pipe(q, s, true, mul_a, mul_b, immediate);
    if (rotates)
        rotate_result(q, s);
    if (s->collision)
        write_collision(q, s, add, mul);
    if (s->add.write_back && !s->collision)
        write_pipe(q, s, &s->add, add, &q->add, &q->old_add);
    if (s->mul.write_back && !s->collision && !q->stop)
        write_pipe(q, s, &s->mul, mul, &q->mul, &q->old_mul);
    if (tolerances)
        qpu_put_tolerances(q, s);
    if (s->flags_from)
        set_flags(q, s, add, mul);
    if (q->tracks_mul)
        keep_mul(q, s, mul);
    if (QPU_CHECKED && q->env->fidelity && !q->stop)
        qpu_account(q, s, add.defined, mul.defined);
}

/* Runs load immediates and semaphores. They have no operands, and both pipes get the same value. */
static RARE void load(struct qpu *q, const struct qpu_step *s, const struct qpu_step *before)
{
    struct operands none = {{NULL}, {NULL}};
    struct view immediate = {&s->immediate, &q->all};
    if (s->insn.class == QPU_SEMAPHORE) {
        q->read[0].value = s->immediate;
        qpu_semaphore(q, s, &q->read[0].value);
        immediate.value = &q->read[0].value;
    }
    compute_and_write(q, s, before, &none, immediate);
}

/* Runs any step. QPU_STEP runs the simplest steps itself: those that only compute and meet no hazard. */
static RARE void run(struct qpu *q, struct qpu_step *s, const struct qpu_step *before)
{
    struct operands operands;
    if (s->may_wait && qpu_must_wait(q, s)) {
        q->before = before; /* the step waits, so the previous step stays the same */
        return;
    }
    if (s->signals)
        qpu_signal(q, s);
    if (q->stop)
        return;
    if (!qpu_is_alu(&s->insn))
        load(q, s, before);
    else if (read_operands(q, s, before, &operands))
        compute_and_write(q, s, before, &operands, zeros(q));
}

/* Runs one pipe of a step that only computes. */
static ALU_INLINE void run_direct(struct qpu *q, const struct qpu_pipe *p, bool is_mul)
{
    struct view a = {p->a.value, p->a.defined}, b = {p->b.value, p->b.defined};
    if (p->source == QPU_FROM_NOTHING)
        return;
    if (QPU_CHECKED)
        judge_operands(q, p, is_mul, false, a, b, NULL, p->target.defined);
    p->kernel(&q->rules->alu, a.value, b.value, p->target.value, NULL);
}

void QPU_STEP(struct qpu *q, struct qpu_step *s, const struct qpu_step *before)
{
    bool hazard = before->writes & s->reads || q->sfu_due != UINT64_MAX;
    if (!s->only_computes || hazard || (QPU_CHECKED && (q->env->fidelity || q->tolerant | q->tolerant_acc))) {
        run(q, s, before);
        return;
    }
    run_direct(q, &s->add, false);
    run_direct(q, &s->mul, true);
}
