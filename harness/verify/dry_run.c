/* SPDX-License-Identifier: MIT */
#include "harness/verify/dry_run.h"

#include "harness/system/clock.h"
#include "model/core/memory.h"
#include "model/core/outcome.h"
#include "model/core/units.h"
#include "model/vc4/qpu/qpu.h"
#include "model/vc4/qpu/qpu_graphics.h"
#include "model/vc4/qpu/unit_qpu.h"
#include "model/vc4/tmu/tmu_clauses.h"

#include <stdlib.h>
#include <string.h>

enum {
    ROW_BYTES = 4 * VC4_LANES,
    REGISTERS = 32 + 32 + 6,
    /* The rows of memory that a wrapped program reaches. */
    WINDOW_AT = 0,
    INPUT_AT = WINDOW_AT + VC4_MEMORY_ROWS,
    OUTPUT_AT = INPUT_AT + WRAPPER_INPUT_MAX,
    UNIFORMS_AT = OUTPUT_AT + WRAPPER_OUTPUT_MAX,
    MEMORY_ROWS = UNIFORMS_AT + (4 * WRAPPER_UNIFORMS_MAX + ROW_BYTES - 1) / ROW_BYTES,
    AREAS_MAX = 4,
};

enum {
    MAY_LOAD = 1 << VC4_LOADS,
    MAY_STORE = 1 << VC4_STORES,
    MAY_TAKE_UNIFORMS = 1 << VC4_TAKES_UNIFORM,
};

struct core {
    struct vc4_vector registers[REGISTERS], vpm[VC4_VPM_ROWS];
};

/* The values of the machine, or the masks of their defined bits. */
struct plane {
    struct core core;
    struct vc4_vector memory[MEMORY_ROWS];
};

/* The machine before the case's first instruction. */
struct before {
    struct core value, defined;
    struct vc4_vector window[VC4_MEMORY_ROWS], window_defined[VC4_MEMORY_ROWS];
    struct vpm vpm;
    struct qpu_graphics graphics;
    struct qpu_shared shared;
    void *qpu;
};

struct dry_run {
    struct vc4_env env;
    struct vc4_area own_area[AREAS_MAX], around_area[AREAS_MAX];
    struct vc4_limits own, around; /* limits of the case's instructions, and of the code around them */
    struct vpm vpm;
    struct qpu_shared shared;
    struct qpu_graphics graphics;
    struct profile silicon, campaign;
    bool has_campaign;
    double seconds;
    /* `covered`: clauses that the case's own instructions consulted under `silicon` or `campaign`. */
    struct coverage ignored, covered;
    /* For dry_run_program: */
    const struct wrapper_image *image;
    const struct wrapper_program *program;
    const struct wrapper_slot *slot;
    struct plane value, defined;
    uint64_t touched[(MEMORY_ROWS + 63) / 64]; /* rows of memory written since the case's first instruction */
    struct before before;
    /* For dry_run_case: */
    const struct test_case *tc;
    uint32_t memory_base;
    struct outcome *outcome;
    uint32_t uniform[QPU_CASE_UNIFORMS_MAX];
    struct qpu qpu;
};

struct dry_run *dry_run_new(void)
{
    struct dry_run *d = memory_new(1, sizeof *d);
    d->before.qpu = memory_new(1, qpu_saved_bytes());
    d->outcome = outcome_new(&vc4_qpu_unit);
    profile_builtin(&vc4_qpu_unit, vc4_qpu_unit.best_profile, &d->silicon);
    return d;
}

void dry_run_free(struct dry_run *d)
{
    if (!d)
        return;
    free(d->before.qpu);
    outcome_free(d->outcome);
    free(d);
}

void dry_run_set_campaign(struct dry_run *d, const struct unit *u, const struct profile *p)
{
    d->campaign = d->silicon;
    for (unsigned i = 0; p && i < unit_clauses(&vc4_qpu_unit); i++) {
        int clause = unit_clause_index(u, unit_clause(&vc4_qpu_unit, i)->id);
        if (clause >= 0)
            d->campaign.reading[i] = p->reading[clause];
    }
    d->has_campaign = p && memcmp(&d->campaign, &d->silicon, sizeof d->campaign) != 0;
}

double dry_run_seconds(const struct dry_run *d)
{
    return d->seconds;
}

/* ---- shared state ---- */

/* Returns the unit that an instruction uses and that QPUs share or that user programs lack; NULL: none. */
static const char *find_shared(const struct qpu_insn *i)
{
    static const char *const signals[16] = {
        [QPU_SIG_BREAKPOINT] = "a breakpoint",
        [QPU_SIG_THREAD_SWITCH] = "a thread switch",
        [QPU_SIG_SCOREBOARD_WAIT] = "the scoreboard",
        [QPU_SIG_SCOREBOARD_UNLOCK] = "the scoreboard",
        [QPU_SIG_LAST_THREAD_SWITCH] = "a thread switch",
        [QPU_SIG_COVERAGE_LOAD] = "the tile buffer",
        [QPU_SIG_COLOUR_LOAD] = "the tile buffer",
        [QPU_SIG_COLOUR_LOAD_END] = "the tile buffer",
        [QPU_SIG_ALPHA_LOAD] = "the tile buffer",
    };
    static const char *const writes[64] = {
        [QPU_W_INTERRUPT] = "the host's interrupt",
        [QPU_W_TLB_STENCIL] = "the tile buffer",
        [QPU_W_TLB_Z] = "the tile buffer",
        [QPU_W_TLB_COLOUR_MS] = "the tile buffer",
        [QPU_W_TLB_COLOUR_ALL] = "the tile buffer",
        [QPU_W_TLB_ALPHA] = "the tile buffer",
        [QPU_W_MUTEX] = "the mutex",
    };
    static const char *const reads[64] = {[QPU_R_VARYING] = "a varying", [QPU_R_MUTEX] = "the mutex"};
    const char *what = i->class == QPU_SEMAPHORE ? "a semaphore" : signals[i->sig];
    what = what ? what : writes[i->waddr_add] ? writes[i->waddr_add] : writes[i->waddr_mul];
    if (!what && i->class <= QPU_ALU_SMALL)
        what = reads[i->raddr_a];
    if (what || i->class != QPU_ALU)
        return what;
    /* Refused even if the value is unused, because a later read may return it (clauses nop-read-stale,
     * raddr-side-effect). */
    return i->raddr_b == QPU_R_NUMBER ? "the number of the QPU, which is not the case's choice"
                                      : reads[i->raddr_b];
}

/* Returns a shared unit that the instructions executed so far used, by the machine's own record; NULL:
 * none. */
static const char *find_touched(const struct qpu *q)
{
    return q->semaphores_touched  ? "a semaphore"
           : q->mutex_touched     ? "the mutex"
           : q->interrupt_touched ? "the host's interrupt"
                                  : NULL;
}

/* ---- the case's instructions ---- */

static bool refuse(struct dry_run *d, bool own, uint32_t instruction, const char *shared,
                   struct dry_run_refusal *r)
{
    r->own = own;
    r->instruction = instruction;
    r->stop = d->qpu.stop;
    r->breach = d->env.limits->breach;
    r->shared = shared;
    return false;
}

static bool refuse_flow(struct dry_run *d, bool own, uint32_t instruction, const char *flow,
                        struct dry_run_refusal *r)
{
    r->flow = flow;
    return refuse(d, own, instruction, NULL, r);
}

static bool failed(const struct dry_run *d)
{
    return d->qpu.stop || d->qpu.waiting || d->env.limits->breach.kind;
}

/* Returns the number of the instruction after the last one executed. */
static uint32_t position(const struct qpu *q)
{
    return (uint32_t)(q->next - q->step);
}

/* Returns the number of the next instruction. Takes account of a branch that takes effect before it. */
static uint32_t next_instruction(const struct qpu *q)
{
    if (q->branches && q->branch[0].due <= q->now)
        return (q->branch[0].target - q->code_base) / 8;
    return position(q);
}

/* Are there vectors or results that the program did not read? The next program would read them. */
static bool leaves_unread(const struct dry_run *d)
{
    const struct vpm_port *p = &d->vpm.port;
    return p->read.left || p->queued.left || d->graphics.tmu[0].lookups || d->graphics.tmu[1].lookups;
}

/* Executes the case's own instructions, `count` from `first` on, up to the instruction that follows them. */
static bool run_own(struct dry_run *d, uint32_t first, uint32_t count, struct dry_run_refusal *r)
{
    struct qpu *q = &d->qpu;
    uint32_t at = next_instruction(q);
    for (unsigned steps = 0; at != first + count && !q->ended; steps++, at = next_instruction(q)) {
        struct qpu_insn i;
        if (at - first >= count)
            return refuse_flow(d, true, position(q) - 1 - first,
                               "is followed by an instruction outside the case", r);
        if (steps == DRY_RUN_STEPS_MAX)
            return refuse_flow(d, true, at - first, "is reached after 4096 instructions without an end", r);
        const char *shared = qpu_decode(q->program[2 * at] | (uint64_t)q->program[2 * at + 1] << 32, &i)
                                 ? find_shared(&i)
                                 : NULL;
        if (shared)
            return refuse(d, true, at - first, shared, r);
        qpu_turn(q, 1);
        if (failed(d))
            return refuse(d, true, at - first, NULL, r);
    }
    const char *shared = find_touched(q);
    if (shared)
        return refuse(d, true, count - 1, shared, r);
    return !leaves_unread(d) ||
           refuse_flow(d, true, count - 1, "leaves vectors of the VPM or of look-ups unread", r);
}

/* Resets the machine around d->env, and prepares the program. */
static void prepare(struct dry_run *d, struct vc4_rows vpm, struct qpu_setup setup)
{
    struct qpu *q = &d->qpu;
    vpm_reset(&d->vpm, &d->env, vpm);
    qpu_graphics_reset(&d->graphics, &d->env);
    memset(&d->shared, 0, sizeof d->shared);
    setup.env = &d->env;
    setup.vpm = &d->vpm;
    setup.shared = &d->shared;
    setup.graphics = &d->graphics;
    setup.waits = true;
    qpu_prepare(q, &setup);
    q->stale[0] = q->stale[1] = q->stale_mul = q->undefined;
}

/* ---- wrapped programs ---- */

static void allow(struct vc4_limits *l, struct vc4_area *areas, uint32_t bus, uint32_t bytes, uint32_t row,
                  uint32_t allowed)
{
    areas[l->areas++] =
        (struct vc4_area){.bus = bus, .bytes = bytes, .at = row * ROW_BYTES, .allowed = allowed};
    l->area = areas;
}

static void set_limits(struct dry_run *d)
{
    const struct wrapper_image *m = d->image;
    d->own = d->around = (struct vc4_limits){.vpm_rows = VC4_VPM_ROWS_OF_QPU};
    allow(&d->own, d->own_area, d->slot->window, VC4_MEMORY_ROWS * ROW_BYTES, WINDOW_AT,
          MAY_LOAD | MAY_STORE | MAY_TAKE_UNIFORMS);
    allow(&d->own, d->own_area, d->slot->uniforms.bus, 4 * m->uniform_count, UNIFORMS_AT, MAY_TAKE_UNIFORMS);
    allow(&d->around, d->around_area, d->slot->window, VC4_MEMORY_ROWS * ROW_BYTES, WINDOW_AT,
          MAY_LOAD | MAY_STORE);
    allow(&d->around, d->around_area, d->slot->input.bus, m->input_rows * ROW_BYTES, INPUT_AT, MAY_LOAD);
    allow(&d->around, d->around_area, d->slot->uniforms.bus, 4 * WRAPPER_UNIFORMS_MAX, UNIFORMS_AT,
          MAY_TAKE_UNIFORMS);
    allow(&d->around, d->around_area, d->slot->output.bus, d->program->outputs * ROW_BYTES, OUTPUT_AT,
          MAY_STORE);
}

static void define(struct dry_run *d, uint32_t row, const uint32_t *words, uint32_t count)
{
    memcpy(&d->value.memory[row], words, count * sizeof *words);
    memset(&d->defined.memory[row], 0xFF, count * sizeof *words);
}

/* Sets the memory that the launch fills. Everything else, registers and VPM included, is undefined. */
static void fill_memory(struct dry_run *d)
{
    const struct wrapper_image *m = d->image;
    memset(&d->defined.core, 0, sizeof d->defined.core);
    memset(&d->defined.memory[WINDOW_AT], 0, VC4_MEMORY_ROWS * ROW_BYTES);
    memset(&d->defined.memory[OUTPUT_AT], 0, d->program->outputs * ROW_BYTES);
    define(d, INPUT_AT, m->input, m->input_rows * VC4_LANES);
    define(d, UNIFORMS_AT, m->uniforms, WRAPPER_UNIFORMS_MAX);
}

static struct vc4_rows rows_of(struct vc4_vector *value, struct vc4_vector *defined, uint32_t rows)
{
    return (struct vc4_rows){.value = value, .defined = defined, .rows = rows};
}

static void prepare_program(struct dry_run *d)
{
    struct qpu *q = &d->qpu;
    struct core *value = &d->value.core, *defined = &d->defined.core;
    d->env = (struct vc4_env){
        .profile = &d->silicon,
        .coverage = &d->ignored,
        .checked = true,
        .memory = rows_of(d->value.memory, d->defined.memory, MEMORY_ROWS),
        .limits = &d->around,
    };
    d->env.memory.touched = d->touched;
    struct qpu_setup setup = {
        .ra = rows_of(value->registers, defined->registers, 32),
        .rb = rows_of(value->registers + 32, defined->registers + 32, 32),
        .acc = rows_of(value->registers + 64, defined->registers + 64, 6),
        .program = d->image->code,
        .count = d->image->code_count,
        .code_base = d->slot->code.bus,
        .uniforms = {.in_memory = true, .address = d->slot->uniforms.bus},
        .limit = UINT64_MAX,
    };
    prepare(d, rows_of(value->vpm, defined->vpm, VC4_VPM_ROWS), setup);
    q->flags_defined.z = q->flags_defined.n = q->flags_defined.c = q->zero;
}

/* Runs the code before the case's instructions, and saves the machine, so that the run under each profile
 * starts from the same state. */
static bool run_prologue(struct dry_run *d, struct dry_run_refusal *r)
{
    struct qpu *q = &d->qpu;
    struct before *b = &d->before;
    qpu_turn(q, d->image->body);
    if (failed(d) || q->ended || next_instruction(q) != d->image->body)
        return refuse_flow(d, false, position(q) - (failed(d) && !q->waiting),
                           failed(d) ? NULL : "does not lead to the case's first instruction", r);
    b->value = d->value.core;
    b->defined = d->defined.core;
    memcpy(b->window, &d->value.memory[WINDOW_AT], sizeof b->window);
    memcpy(b->window_defined, &d->defined.memory[WINDOW_AT], sizeof b->window);
    q->semaphores_touched = q->mutex_touched = q->interrupt_touched = false;
    b->vpm = d->vpm;
    b->graphics = d->graphics;
    b->shared = d->shared;
    qpu_save(q, b->qpu);
    memset(d->touched, 0, sizeof d->touched);
    return true;
}

static void restore(struct dry_run *d)
{
    const struct before *b = &d->before;
    d->value.core = b->value;
    d->defined.core = b->defined;
    for (uint32_t row = 0; row < VC4_MEMORY_ROWS; row++)
        if (d->touched[row / 64] >> row % 64 & 1) {
            d->value.memory[WINDOW_AT + row] = b->window[row];
            d->defined.memory[WINDOW_AT + row] = b->window_defined[row];
        }
    memset(d->touched, 0, sizeof d->touched);
    d->vpm = b->vpm;
    d->graphics = b->graphics;
    d->shared = b->shared;
    qpu_restore(&d->qpu, b->qpu);
}

/*
 * Changes profile and limits between two instructions. Plans only the case's own steps again under the new
 * profile. The wrapper's steps around them need no new plan, because two nops come before them and three
 * after.
 */
static void switch_to(struct dry_run *d, const struct profile *p, struct coverage *coverage,
                      struct vc4_limits *limits)
{
    qpu_flush(&d->qpu);
    d->env.profile = p;
    d->env.coverage = coverage;
    d->env.limits = limits;
    limits->breach = (struct vc4_breach){0};
    qpu_change_profile(&d->qpu, p, d->image->body, d->image->body_count);
}

/* The program's last store writes the stamp to the last row of the output. */
static bool is_stamped(const struct dry_run *d)
{
    uint32_t row = OUTPUT_AT + d->program->outputs - 1;
    for (unsigned i = 0; i < VC4_LANES; i++)
        if (d->value.memory[row].lane[i] != d->program->stamp || d->defined.memory[row].lane[i] != UINT32_MAX)
            return false;
    return true;
}

/* Runs from the case's first instruction to the program's end. */
static bool run_program(struct dry_run *d, const struct profile *p, struct coverage *coverage,
                        struct dry_run_refusal *r)
{
    struct qpu *q = &d->qpu;
    restore(d);
    switch_to(d, p, coverage, &d->own);
    if (!run_own(d, d->image->body, d->image->body_count, r))
        return false;
    if (q->ended || q->branches || q->switch_due != UINT64_MAX || q->end_due != UINT64_MAX)
        return refuse_flow(d, true, d->image->body_count - 1,
                           "leaves a branch, a thread switch or an end pending", r);
    switch_to(d, &d->silicon, &d->ignored, &d->around);
    memset(&d->defined.memory[OUTPUT_AT], 0, d->program->outputs * ROW_BYTES);
    qpu_turn(q, d->image->code_count);
    bool ended = q->ended && !failed(d);
    return (ended && is_stamped(d)) ||
           refuse_flow(d, false, position(q) - 1, ended ? "ends without the program's stamp" : NULL, r);
}

/* ---- bare cases ---- */

static struct vc4_rows case_rows(struct outcome *o, uint32_t first, uint32_t rows)
{
    return (struct vc4_rows){
        .value = (struct vc4_vector *)(void *)(o->value + first * VC4_LANES),
        .defined = (struct vc4_vector *)(void *)(o->defined + first * VC4_LANES),
        .touched = o->touched,
        .first = first,
        .rows = rows,
    };
}

static void set_flags(struct qpu *q, const struct outcome *o)
{
    struct vc4_vector *const flags[] = {&q->flags.z, &q->flags.n, &q->flags.c};
    for (unsigned f = 0; f < 3; f++)
        for (unsigned i = 0; i < VC4_LANES; i++)
            flags[f]->lane[i] = 0 - (o->value[(QPU_ROW_FLAGS + f) * VC4_LANES + i] & 1);
}

static void prepare_case(struct dry_run *d, const struct profile *p, struct coverage *coverage)
{
    const struct qpu_case *c = (const void *)d->tc->words;
    struct outcome *o = d->outcome;
    outcome_reset(o, d->tc);
    o->checked = true;
    d->own = (struct vc4_limits){.vpm_rows = VC4_VPM_ROWS_OF_QPU};
    allow(&d->own, d->own_area, d->memory_base, VC4_MEMORY_ROWS * ROW_BYTES, 0,
          MAY_LOAD | MAY_STORE | MAY_TAKE_UNIFORMS);
    d->env = (struct vc4_env){
        .profile = p,
        .coverage = coverage,
        .checked = true,
        .memory_base = d->memory_base,
        .memory = case_rows(o, QPU_ROW_MEMORY, VC4_MEMORY_ROWS),
        .limits = &d->own,
    };
    for (uint32_t i = 0; i < c->uniforms.count; i++)
        d->uniform[i] = c->uniforms.item[i].value + (c->uniforms.item[i].is_address ? d->memory_base : 0);
    struct qpu_setup setup = {
        .ra = case_rows(o, QPU_ROW_RA, 32),
        .rb = case_rows(o, QPU_ROW_RB, 32),
        .acc = case_rows(o, QPU_ROW_ACC, 6),
        .program = c->program.word,
        .count = c->program.count,
        .code_base = CODE_BASE_DEFAULT,
        .uniforms = {.list = d->uniform, .count = c->uniforms.count},
        .number = c->qpu_number,
        .limit = c->limit < DRY_RUN_STEPS_MAX ? c->limit : DRY_RUN_STEPS_MAX,
    };
    prepare(d, case_rows(o, QPU_ROW_VPM, VC4_VPM_ROWS), setup);
    set_flags(&d->qpu, o);
}

static bool run_case(struct dry_run *d, const struct profile *p, struct coverage *coverage,
                     struct dry_run_refusal *r)
{
    struct qpu *q = &d->qpu;
    prepare_case(d, p, coverage);
    bool good = run_own(d, 0, q->count, r);
    if (good && q->end_due <= q->now)
        qpu_turn(q, 1); /* ends the program; executes nothing more */
    qpu_finish(q);
    return good && (q->ended || refuse_flow(d, true, q->count - 1, "does not end", r));
}

/* ---- all profiles ---- */

static bool run_under(struct dry_run *d, const struct profile *p, struct coverage *coverage,
                      struct dry_run_refusal *r)
{
    return (d->image ? run_program : run_case)(d, p, coverage, r);
}

/*
 * True for the one reading that the dry run does not try. Under this reading no look-up in memory is defined,
 * not even those of drivers and of the code around cases. A chip that follows it could run none of Mesa's
 * shaders.
 */
static bool is_passed_over(unsigned clause, unsigned reading)
{
    return clause == QPU_CLAUSE_END + TMU_CLAUSE_TWO_PARAMS && reading == TMU_TWO_PARAMS_ALWAYS;
}

/* Runs under the silicon profile with each other reading of one clause. */
static bool run_readings(struct dry_run *d, unsigned clause, struct dry_run_refusal *r)
{
    struct profile p = d->silicon;
    unsigned readings = clause_readings(unit_clause(&vc4_qpu_unit, clause));
    r->under.clause = (int)clause;
    for (unsigned reading = 0; reading < readings; reading++) {
        if (reading == d->silicon.reading[clause] || is_passed_over(clause, reading))
            continue;
        p.reading[clause] = (uint8_t)reading;
        r->under.reading = reading;
        if (!run_under(d, &p, &d->ignored, r))
            return false;
    }
    return true;
}

static bool run_all(struct dry_run *d, struct dry_run_refusal *r)
{
    memset(&d->covered, 0, sizeof d->covered);
    if (!run_under(d, &d->silicon, &d->covered, r))
        return false;
    r->under.campaign = d->has_campaign;
    if (d->has_campaign && !run_under(d, &d->campaign, &d->covered, r))
        return false;
    r->under.campaign = false;
    for (unsigned clause = 0; clause < unit_clauses(&vc4_qpu_unit); clause++)
        if (covered(&d->covered, clause) && !run_readings(d, clause, r))
            return false;
    return true;
}

bool dry_run_program(struct dry_run *d, const struct wrapper_image *image, const struct wrapper_program *w,
                     const struct wrapper_slot *slot, struct dry_run_refusal *r)
{
    double begin = clock_processor_seconds();
    *r = (struct dry_run_refusal){.under.clause = -1};
    d->image = image;
    d->program = w;
    d->slot = slot;
    set_limits(d);
    fill_memory(d);
    prepare_program(d);
    bool good = run_prologue(d, r) && run_all(d, r);
    d->seconds += clock_processor_seconds() - begin;
    return good;
}

bool dry_run_case(struct dry_run *d, const struct test_case *c, uint32_t memory_base,
                  struct dry_run_refusal *r)
{
    double begin = clock_processor_seconds();
    *r = (struct dry_run_refusal){.under.clause = -1};
    d->image = NULL;
    d->tc = c;
    d->memory_base = memory_base;
    bool good = run_all(d, r);
    d->seconds += clock_processor_seconds() - begin;
    return good;
}

static bool disagree(const struct dry_run_refusal *r, struct error *why)
{
    char text[240];
    dry_run_explain(r, text, sizeof text);
    return error_set(why, DRY_RUN_DISAGREES " %s", text);
}

bool dry_run_admits_program(struct dry_run *d, const struct wrapper_image *image,
                            const struct wrapper_program *w, const struct wrapper_slot *slot,
                            struct error *why)
{
    struct dry_run_refusal r;
    return dry_run_program(d, image, w, slot, &r) || disagree(&r, why);
}

bool dry_run_admits_case(struct dry_run *d, const struct test_case *c, uint32_t memory_base,
                         struct error *why)
{
    struct dry_run_refusal r;
    return dry_run_case(d, c, memory_base, &r) || disagree(&r, why);
}
