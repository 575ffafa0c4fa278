/* SPDX-License-Identifier: MIT */
#include "harness/v3d/v3d_launch.h"

#include "harness/verify/v3d_verifier.h"
#include "model/core/memory.h"
#include "model/core/units.h"

#include <stdlib.h>
#include <string.h>

enum {
    GUARD_CHECKED =
        128, /* bytes of each guard that are checked after each launch: those next to the window */
    MEMORY_BYTES = V3D_MEMORY_ROWS * 64,
    AREAS = 2,       /* of output: the first batch's and the others' */
    STATED_SLOT = 0, /* its addresses are those that the board states */
    ROW_MEMORY = V3D_REGISTERS + V3D_ACCUMULATORS + 2,
};
_Static_assert(V3D_SLOT_CODE + 8 * V3D_WRAP_CODE <= V3D_SLOT_BYTES, "the code has room");
_Static_assert(V3D_SLOT_WINDOW + MEMORY_BYTES == V3D_SLOT_AFTER, "the window has room");
_Static_assert(64 * V3D_WRAP_ROWS <= V3D_SLOT_OUTPUT - V3D_SLOT_INPUT, "the input has room");
_Static_assert(64 * V3D_WRAP_ROWS <= V3D_WRAP_AREA, "the output has room");
_Static_assert(V3D_SLOT_OUTPUT + AREAS * V3D_WRAP_AREA <= V3D_SLOT_CODE, "both areas of output have room");
_Static_assert(4 * V3D_WRAP_UNIFORMS + 512 <= V3D_SLOT_INPUT, "the uniforms have room and padding");

struct job {
    const struct test_case *tc;
    unsigned slot;
    bool stated; /* its slot holds results of a run at the stated address */
    struct v3d_wrap program;
};

struct v3d_launch {
    struct v3d_gpu gpu;
    struct v3d_dry_run *dry_run;
    const struct profile *campaign;
    struct profile best;
    void *state; /* of the model's runs */
    struct outcome *seen, *expected;
    unsigned placed;
    struct job *job[V3D_SLOTS]; /* those placed; job n is in slot n + 1 */
    struct v3d_wrap again;      /* the program of a job that runs at the stated address */
};

struct v3d_launch *v3d_launch_new(const struct v3d_gpu *gpu)
{
    struct v3d_launch *b = memory_new(1, sizeof *b);
    b->gpu = *gpu;
    b->dry_run = v3d_dry_run_new();
    b->state = memory_new(1, v3d_qpu_unit.state_size);
    b->seen = outcome_new(&v3d_qpu_unit);
    b->expected = outcome_new(&v3d_qpu_unit);
    profile_builtin(&v3d_qpu_unit, gpu->generation == V3D_42 ? V3D_PROFILE_42 : V3D_PROFILE_71, &b->best);
    memset(b->gpu.at, V3D_WRAP_POISON & 0xFF, V3D_MEMORY_BYTES);
    return b;
}

void v3d_launch_free(struct v3d_launch *b)
{
    if (!b)
        return;
    v3d_dry_run_free(b->dry_run);
    outcome_free(b->seen);
    outcome_free(b->expected);
    free(b->state);
    free(b);
}

void v3d_launch_set_campaign(struct v3d_launch *b, const struct profile *p)
{
    b->campaign = p;
}

static uint32_t offset_of(unsigned slot, uint32_t part)
{
    return V3D_GUARD_BYTES + slot * V3D_SLOT_BYTES + part;
}

static uint32_t bus_of(const struct v3d_launch *b, unsigned slot, uint32_t part)
{
    return b->gpu.bus + offset_of(slot, part);
}

uint32_t v3d_launch_memory_base(const struct v3d_launch *b)
{
    return bus_of(b, STATED_SLOT, V3D_SLOT_WINDOW);
}

uint32_t v3d_launch_code_base(const struct v3d_launch *b)
{
    return bus_of(b, STATED_SLOT, V3D_SLOT_BODY);
}

/* ---- canaries: sums and differences in registers, and sums of the lanes' numbers in memory ---- */

static const uint32_t *row_of(const struct outcome *o, const char *region, unsigned row)
{
    return o->value + (layout_region_named(&o->unit->layout, region)->first_row + row) * V3D_LANES;
}

static bool canary_is_right(unsigned n, const struct test_case *tc, const struct outcome *o)
{
    const struct v3d_case *c = (const void *)tc->words;
    const uint32_t *sum = row_of(o, "rf", 12), *difference = row_of(o, "rf", 13),
                   *memory = row_of(o, "memory", 3);
    for (unsigned i = 0; i < V3D_LANES; i++) {
        uint32_t x = c->rf.row[0].word[i], y = c->rf.row[1].word[i];
        if (n == 0 ? sum[i] != x + y || difference[i] != x - y : memory[i] != x + i)
            return false;
    }
    return true;
}

/* ---- judging ---- */

static bool judge(void *context, void *job, const struct test_case *c, struct error *why)
{
    struct v3d_launch *b = context;
    struct v3d_refusal r;
    (void)job;
    if (!v3d_wrap_admits(c, b->gpu.generation, why))
        return false;
    if (!v3d_verifier_prove(c, v3d_launch_memory_base(b), &r)) {
        error_set(why, "static proof: instruction %d: %.180s", r.instruction, r.why.text);
        return false;
    }
    if (!v3d_dry_run(b->dry_run, c, b->campaign, &r)) {
        error_set(why, "dry run: %.220s", r.why.text);
        return false;
    }
    return true;
}

/* ---- placing ---- */

static void clear(void *context)
{
    ((struct v3d_launch *)context)->placed = 0;
}

static bool has_room(const void *context)
{
    return ((const struct v3d_launch *)context)->placed + LAUNCH_CANARIES < V3D_SLOTS;
}

/* Makes the program of a case for a slot, and writes the slot. `initial` holds the case's initial state. */
static bool fill_slot(const struct v3d_launch *b, unsigned number, const struct test_case *tc,
                      const struct outcome *initial, uint32_t stamp, struct v3d_wrap *w, struct error *why)
{
    const struct v3d_wrap_addresses a = {.input = bus_of(b, number, V3D_SLOT_INPUT),
                                         .output = bus_of(b, number, V3D_SLOT_OUTPUT),
                                         .window = bus_of(b, number, V3D_SLOT_WINDOW)};
    if (!v3d_wrap_build(tc, initial, stamp, &a, w, why))
        return false;
    uint8_t *slot = b->gpu.at + offset_of(number, 0);
    for (unsigned area = 0; area < AREAS; area++)
        memset(slot + V3D_SLOT_OUTPUT + area * V3D_WRAP_AREA, V3D_WRAP_POISON & 0xFF,
               (size_t)64 * w->outputs);
    memset(slot + V3D_SLOT_WINDOW - GUARD_CHECKED, V3D_WRAP_POISON & 0xFF, GUARD_CHECKED);
    memset(slot + V3D_SLOT_AFTER, V3D_WRAP_POISON & 0xFF, GUARD_CHECKED);
    memcpy(slot + V3D_SLOT_UNIFORMS, w->uniform, (size_t)4 * w->uniforms);
    memcpy(slot + V3D_SLOT_INPUT, w->input, (size_t)64 * w->inputs);
    memcpy(slot + V3D_SLOT_BODY - 8 * w->body, w->code, (size_t)8 * w->count);
    memcpy(slot + V3D_SLOT_WINDOW, initial->value + ROW_MEMORY * V3D_LANES, MEMORY_BYTES);
    return true;
}

static enum launch_place place(void *context, void *job, const struct test_case *tc,
                               const struct outcome *initial, uint32_t stamp, struct error *why)
{
    struct v3d_launch *b = context;
    struct job *j = job;
    j->tc = tc;
    j->slot = STATED_SLOT + 1 + b->placed;
    j->stated = b->placed == 0; /* a canary, whose answer holds no addresses */
    if (!fill_slot(b, j->slot, tc, initial, stamp, &j->program, why))
        return LAUNCH_NEVER;
    b->job[b->placed++] = j;
    return LAUNCH_PLACED;
}

/* ---- launching ---- */

static bool is_poison(const uint8_t *at, unsigned bytes)
{
    for (unsigned n = 0; n < bytes; n++)
        if (at[n] != (V3D_WRAP_POISON & 0xFF))
            return false;
    return true;
}

/* Did no job write next to its window? */
static bool guard_holds(const struct v3d_launch *b, unsigned slot, struct error *e)
{
    const uint8_t *window = b->gpu.at + offset_of(slot, V3D_SLOT_WINDOW);
    return (is_poison(window - GUARD_CHECKED, GUARD_CHECKED) &&
            is_poison(window + MEMORY_BYTES, GUARD_CHECKED)) ||
           error_set(
               e, "a program wrote beside the memory of the case, which the proofs exclude: one of them is "
                  "wrong");
}

static bool submit(const struct v3d_launch *b, unsigned slot, const struct test_case *tc,
                   const struct v3d_wrap *w, struct error *e)
{
    const struct v3d_case *c = (const void *)tc->words;
    const uint32_t config[V3D_CONFIG_WORDS] = {c->workgroups[0],
                                               c->workgroups[1],
                                               c->workgroups[2],
                                               c->group,
                                               c->batches - !b->gpu.counts_from_1,
                                               (bus_of(b, slot, V3D_SLOT_BODY) - 8 * w->body) |
                                                   (c->start & 7),
                                               bus_of(b, slot, V3D_SLOT_UNIFORMS)};
    return b->gpu.submit(b->gpu.context, config, e);
}

/* Reads a slot's results into an outcome that holds the case's initial state. If no batch was the first,
 * reads what any of them left. False: the program did not end. */
static bool read_slot(const struct v3d_launch *b, const struct job *j, struct outcome *o)
{
    uint32_t output[V3D_WRAP_ROWS * V3D_LANES], row[V3D_LANES];
    const uint8_t *slot = b->gpu.at + offset_of(j->slot, 0);
    bool collected = false;
    for (unsigned area = 0; area < AREAS && !collected; area++) {
        memcpy(output, slot + V3D_SLOT_OUTPUT + area * V3D_WRAP_AREA, (size_t)64 * j->program.outputs);
        collected = v3d_wrap_collect(&j->program, output, o);
    }
    if (!collected)
        return false;
    for (unsigned n = 0; n < V3D_MEMORY_ROWS; n++) {
        uint32_t *to = o->value + (ROW_MEMORY + n) * V3D_LANES;
        memcpy(row, slot + V3D_SLOT_WINDOW + (size_t)64 * n, sizeof row);
        if (!memcmp(to, row, sizeof row))
            continue;
        memcpy(to, row, sizeof row);
        outcome_touch(o, ROW_MEMORY + n);
    }
    return true;
}

/* Runs a case in the model at the addresses of a slot. */
static void run_model(struct v3d_launch *b, const struct test_case *c, unsigned slot)
{
    struct coverage coverage = {0};
    struct run run = {.tc = c,
                      .profile = &b->best,
                      .out = b->expected,
                      .coverage = &coverage,
                      .state = b->state,
                      .mode = RUN_PLAIN,
                      .memory_base = bus_of(b, slot, V3D_SLOT_WINDOW),
                      .code_base = bus_of(b, slot, V3D_SLOT_BODY)};
    v3d_qpu_unit.run(&run);
}

/* Are the results of a job what the model does at the same addresses? True also if it did not end. */
static bool did_as_expected(struct v3d_launch *b, const struct job *j)
{
    outcome_reset(b->seen, j->tc);
    if (!read_slot(b, j, b->seen))
        return true;
    run_model(b, j->tc, j->slot);
    return !memcmp(b->seen->value, b->expected->value,
                   v3d_qpu_unit.layout.rows * V3D_LANES * sizeof(uint32_t));
}

/* Runs a job at the stated address, and copies the results into its own slot. */
static enum launch_result run_again(struct v3d_launch *b, struct job *j, struct error *e)
{
    outcome_reset(b->seen, j->tc);
    if (!fill_slot(b, STATED_SLOT, j->tc, b->seen, j->program.stamp, &b->again, e) ||
        !submit(b, STATED_SLOT, j->tc, &b->again, e))
        return LAUNCH_LOST;
    enum launch_result result = b->gpu.wait(b->gpu.context, e);
    const uint8_t *from = b->gpu.at + offset_of(STATED_SLOT, 0);
    uint8_t *to = b->gpu.at + offset_of(j->slot, 0);
    memcpy(to + V3D_SLOT_OUTPUT, from + V3D_SLOT_OUTPUT, AREAS * V3D_WRAP_AREA);
    memcpy(to + V3D_SLOT_WINDOW, from + V3D_SLOT_WINDOW, MEMORY_BYTES);
    j->stated = true;
    return result == LAUNCH_DONE && !guard_holds(b, STATED_SLOT, e) ? LAUNCH_HW_ERROR : result;
}

static enum launch_result launch(void *context, struct error *e)
{
    struct v3d_launch *b = context;
    for (unsigned n = 0; n < b->placed; n++)
        if (!submit(b, b->job[n]->slot, b->job[n]->tc, &b->job[n]->program, e))
            return LAUNCH_LOST;
    enum launch_result result = b->gpu.wait(b->gpu.context, e);
    for (unsigned n = 0; n < b->placed && result == LAUNCH_DONE; n++)
        if (!guard_holds(b, b->job[n]->slot, e))
            result = LAUNCH_HW_ERROR;
    for (unsigned n = 0; n < b->placed && result == LAUNCH_DONE; n++)
        if (!b->job[n]->stated && !did_as_expected(b, b->job[n]))
            result = run_again(b, b->job[n], e);
    return result;
}

static bool reset(void *context, struct error *e)
{
    (void)context;
    (void)e;
    return true; /* after a hang `wait` returns with a usable GPU, and placing a case renews its guards */
}

static bool collect(void *context, const void *job, struct outcome *o)
{
    struct v3d_launch *b = context;
    const struct job *j = job;
    if (!read_slot(b, j, o))
        return false;
    if (j->stated)
        return true;
    if (!did_as_expected(b, j))
        return false; /* the launch ended before this job could run again */
    run_model(b, j->tc, STATED_SLOT);
    for (unsigned row = 0; row < v3d_qpu_unit.layout.rows; row++) {
        const uint32_t *is = b->expected->value + row * V3D_LANES;
        uint32_t *to = o->value + row * V3D_LANES;
        if (!memcmp(to, is, V3D_LANES * sizeof *to))
            continue;
        memcpy(to, is, V3D_LANES * sizeof *to);
        outcome_touch(o, row);
    }
    return true;
}

#define VALUES                                                                                               \
    "rf row 10 = 10203040 00000001 7fffffff 80000000 ffffffff 12345678 0000ffff 00010000 5 6 7 8 9 a b c\n"  \
    "rf row 11 = 01020304 ffffffff 00000001 80000000 00000001 87654321 00000001 0000ffff 1 1 2 2 3 3 4 4\n"
#define END "  nop ; nop ; thrsw\n  nop\n  nop\n}\n"
#define SUM "program {\n  add rf12, rf10, rf11\n  sub rf13, rf10, rf11\n" END
#define STORE                                                                                                \
    "uniforms { @c0 }\nprogram {\n  nop ; nop ; ldunifrf.rf14\n  eidx rf15\n  nop\n"                         \
    "  add rf16, rf10, rf15\n  shl rf15, rf15, 2\n  nop\n  add rf14, rf14, rf15\n"                           \
    "  nop ; mov tmud, rf16\n  nop ; mov tmua, rf14\n" END
#define CASE(generation, rest) "misprint-case 1 v3d-qpu\ngeneration = " generation "\n" VALUES rest
#define BACKEND(generation)                                                                                  \
    {                                                                                                        \
        .job_bytes = sizeof(struct job), .canary = {CASE(generation, SUM), CASE(generation, STORE)},         \
        .canary_is_right = canary_is_right, .judge = judge, .clear = clear, .has_room = has_room,            \
        .place = place, .launch = launch, .reset = reset, .collect = collect                                 \
    }

static const struct launch_backend backends[V3D_GENERATIONS] = {
    [V3D_42] = BACKEND("v3d42"), [V3D_71] = BACKEND("v3d71")};

const struct launch_backend *v3d_backend(enum v3d_generation g)
{
    return &backends[g];
}
