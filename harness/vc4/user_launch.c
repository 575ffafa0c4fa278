/* SPDX-License-Identifier: MIT */
#include "harness/vc4/user_launch.h"

#include "harness/vc4/gpu_memory.h"
#include "harness/vc4/program/vpm_program.h"
#include "model/core/units.h"
#include "model/vc4/qpu/unit_qpu.h"

#include <stdlib.h>

/* The layout of GPU memory: the table of programs, the memory that all cases share, then the programs, their
 * input and their output. */
enum {
    ROW_BYTES = 4 * VC4_LANES,
    TABLE_AT = 0,
    WINDOW_AT = 0x4000,
    PROGRAMS_AT = WINDOW_AT + 2 * ROW_BYTES * VERIFIER_WINDOW_ROWS, /* a gap of the window's size is unused */
    UNIFORMS_BYTES = (4 * WRAPPER_UNIFORMS_MAX + ROW_BYTES - 1) / ROW_BYTES * ROW_BYTES,
    CODE_BYTES_MAX = UNIFORMS_BYTES + 8 * WRAPPER_CODE_MAX,
    INPUT_BYTES_MAX = ROW_BYTES * WRAPPER_INPUT_MAX,
    OUTPUT_BYTES_MAX = ROW_BYTES * WRAPPER_OUTPUT_MAX,
};

struct job {
    struct verifier_proof proof;
    struct wrapper_program program;
    const volatile uint32_t *output;
    const struct test_case *vpm; /* the case of vc4-vpm, or NULL for a case of vc4-qpu */
};

bool user_launch_begin(struct user_launch *b, struct error *e)
{
    b->vpm.program = malloc(sizeof *b->vpm.program);
    b->vpm.initial = outcome_new(&vc4_qpu_unit);
    vpm_program_rows(b->vpm.rows);
    b->dry_run = dry_run_new();
    return b->vpm.program || error_memory(e, "for a board's cases");
}

void user_launch_end(struct user_launch *b)
{
    free(b->vpm.program);
    outcome_free(b->vpm.initial);
    dry_run_free(b->dry_run);
}

uint32_t user_launch_memory_base(const struct user_launch *b)
{
    return b->machine.memory.bus + WINDOW_AT;
}

uint32_t user_launch_code_base(const struct user_launch *b)
{
    return b->machine.memory.bus + PROGRAMS_AT;
}

/* ---- canaries: sums and differences; a vector stored through the VPM to memory ---- */

static bool canary_is_right(unsigned n, const struct test_case *tc, const struct outcome *o)
{
    const struct layout *l = &o->unit->layout;
    const struct qpu_case *c = (const void *)tc->words;
    const uint32_t *ra31 = o->value + (layout_region_named(l, "ra")->first_row + 31) * VC4_LANES;
    const uint32_t *r2 = o->value + (layout_region_named(l, "acc")->first_row + 2) * VC4_LANES;
    const uint32_t *row254 = o->value + (layout_region_named(l, "memory")->first_row + 254) * VC4_LANES;
    for (unsigned i = 0; i < VC4_LANES; i++) {
        uint32_t x = c->ra.row[0].word[i], y = c->rb.row[0].word[i];
        if (n == 0 ? ra31[i] != x + y || r2[i] != x - y : row254[i] != y)
            return false;
    }
    return true;
}

static bool passes_static_proof(const struct user_launch *b, struct job *j, const struct test_case *c,
                                struct error *why)
{
    return verifier_prove(c, user_launch_memory_base(b), &j->proof, why) || error_where(why, "static proof");
}

/* Turns a case of vc4-vpm into a QPU program and proves that program. */
static bool translate(struct user_launch *b, struct job *j, const struct test_case *c, struct error *why)
{
    uint32_t base = user_launch_memory_base(b);
    b->vpm.program_of = NULL;
    if (!vpm_program_make(c, base, b->vpm.program, why) || !passes_static_proof(b, j, b->vpm.program, why))
        return false;
    b->vpm.program_of = j;
    return true;
}

static bool judge(void *context, void *job, const struct test_case *c, struct error *why)
{
    struct job *j = job;
    j->vpm = c->unit == &vc4_vpm_unit ? c : NULL;
    return j->vpm ? translate(context, j, c, why) : passes_static_proof(context, j, c, why);
}

static void clear(void *context)
{
    struct user_launch *b = context;
    uint32_t room = ((uint32_t)b->machine.bytes - PROGRAMS_AT) / 3 / ROW_BYTES * ROW_BYTES;
    struct user_pool *const pools[] = {&b->programs, &b->input, &b->output};
    for (uint32_t i = 0; i < 3; i++)
        *pools[i] = (struct user_pool){PROGRAMS_AT + i * room, PROGRAMS_AT + (i + 1) * room};
    b->placed = b->cached = 0;
}

static struct wrapper_area area(const struct user_launch *b, uint32_t offset)
{
    return (struct wrapper_area){b->machine.memory.at + offset / 4, b->machine.memory.bus + offset};
}

static uint32_t aligned(uint32_t offset)
{
    return (offset + ROW_BYTES - 1) / ROW_BYTES * ROW_BYTES;
}

static bool has_room(const void *context)
{
    const struct user_launch *b = context;
    return b->programs.end - b->programs.used >= 2 * CODE_BYTES_MAX &&
           b->input.end - b->input.used >= 2 * INPUT_BYTES_MAX &&
           b->output.end - b->output.used >= 2 * OUTPUT_BYTES_MAX;
}

/*
 * Places at most one program in each launch that reads memory through caches, because the caches do not see
 * later writes to memory. That program, and each program that uses the VPM or its DMA, holds the QPU mutex
 * from beginning to end.
 */
static enum launch_place place(void *context, void *job, const struct test_case *c,
                               const struct outcome *initial, uint32_t stamp, struct error *why)
{
    struct user_launch *b = context;
    struct job *j = job;
    if (j->proof.cached && b->cached)
        return LAUNCH_LATER;
    if (j->vpm) {
        if (b->vpm.program_of != j && !translate(b, j, c, why))
            return LAUNCH_NEVER;
        c = b->vpm.program;
        outcome_reset(b->vpm.initial, c);
        initial = b->vpm.initial;
    }
    uint32_t code = b->programs.used + UNIFORMS_BYTES;
    struct wrapper_slot slot = {.uniforms = area(b, b->programs.used),
                                .code = area(b, code),
                                .input = area(b, b->input.used),
                                .output = area(b, b->output.used),
                                .window = user_launch_memory_base(b)};
    if (!wrapper_build(c, &j->proof, initial, stamp, &slot, &b->image, &j->program, why) ||
        !dry_run_admits_program(b->dry_run, &b->image, &j->program, &slot, why))
        return LAUNCH_NEVER;
    wrapper_place(&b->image, &j->program, &slot);
    for (unsigned n = 0; j->vpm && n < j->program.outputs; n++)
        if (j->program.row[n] != WRAPPER_NO_ROW)
            j->program.row[n] = b->vpm.rows[j->program.row[n]];
    const uint32_t pair[] = {slot.uniforms.bus, slot.code.bus};
    gpu_write(b->machine.memory.at + TABLE_AT / 4 + 2 * b->placed++, pair, 2);
    j->output = slot.output.at;
    b->cached += j->proof.cached;
    b->programs.used = aligned(code + 8 * j->program.code);
    b->input.used += ROW_BYTES * j->program.input;
    b->output.used += ROW_BYTES * j->program.outputs;
    return LAUNCH_PLACED;
}

static enum launch_result launch(void *context, struct error *e)
{
    const struct user_launch *b = context;
    return b->machine.launch(b->machine.context, b->machine.memory.bus + TABLE_AT, b->placed, e);
}

static bool reset(void *context, struct error *e)
{
    const struct user_launch *b = context;
    return b->machine.reset(b->machine.context, e);
}

static bool collect(void *context, const void *job, struct outcome *o)
{
    const struct job *j = job;
    (void)context;
    if (!wrapper_collect(&j->program, j->output, o))
        return false;
    if (j->vpm)
        vpm_program_mask(j->vpm, o);
    return true;
}

_Static_assert((int)WRAPPER_NO_ROW == (int)VPM_PROGRAM_NO_ROW,
               "collect skips rows that the case does not have");

static struct dry_run *dry_run_of(void *context)
{
    return ((struct user_launch *)context)->dry_run;
}

const struct launch_backend user_backend = {
    .job_bytes = sizeof(struct job),
    .canary = {"misprint-case 1 vc4-qpu\n"
               "ra row 0 = 10203040 00000001 7fffffff 80000000 ffffffff 12345678 0000ffff 00010000 5 6 7 8 9 "
               "a b c\n"
               "rb row 9 = 01020304 ffffffff 00000001 80000000 00000001 87654321 00000001 0000ffff 1 1 2 2 3 "
               "3 4 4\n"
               "program {\n  add ra31, ra0, rb9\n  sub r2, ra0, rb9\n  nop ; end\n  nop\n  nop\n}\n",
               "misprint-case 1 vc4-qpu\n"
               "rb row 3 = 0f1e2d3c 1 2 3 4 5 6 7 8 9 a b c d e a5a5a5a5\n"
               "uniforms { @3f80 }\n" /* memory row 254 */
               "program {\n  ldi vw_setup, 0x00001a05\n  mov vpm, rb3\n  ldi vw_setup, 0x80904280\n  mov "
               "vw_addr, uniform\n"
               "  nop ; end\n  nop\n  nop\n}\n"},
    .canary_is_right = canary_is_right,
    .judge = judge,
    .clear = clear,
    .has_room = has_room,
    .place = place,
    .launch = launch,
    .reset = reset,
    .collect = collect,
    .dry_run = dry_run_of,
};
