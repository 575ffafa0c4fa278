/* SPDX-License-Identifier: MIT */
#include "tests/harness/attack/qpu/qpu_wrapped.h"

#include "model/core/memory.h"
#include "model/vc4/qpu/qpu.h"
#include "model/vc4/qpu/qpu_graphics.h"

#include <stdlib.h>
#include <string.h>

enum {
    ROW_BYTES = 4 * VC4_LANES,
    REGISTERS = 32 + 32 + 6,
    /* The first row of memory of each part. */
    WINDOW_AT = 0,
    INPUT_AT = WINDOW_AT + VC4_MEMORY_ROWS,
    OUTPUT_AT = INPUT_AT + WRAPPER_INPUT_MAX,
    UNIFORMS_AT = OUTPUT_AT + WRAPPER_OUTPUT_MAX,
    UNIFORMS_ROWS = (4 * WRAPPER_UNIFORMS_MAX + ROW_BYTES - 1) / ROW_BYTES,
    MEMORY_ROWS = UNIFORMS_AT + UNIFORMS_ROWS,
    AREAS = 4,
};
enum {
    WINDOW = MEMORY_BASE_DEFAULT,
    UNIFORMS = 0x40100000,
    CODE = 0x40110000,
    INPUT = 0x40120000,
    OUTPUT = 0x40130000
};

const struct wrapper_slot qpu_wrapped_slot = {.code = {NULL, CODE},
                                              .input = {NULL, INPUT},
                                              .output = {NULL, OUTPUT},
                                              .uniforms = {NULL, UNIFORMS},
                                              .window = WINDOW};

struct qpu_wrapped {
    const struct wrapper_image *image;
    const struct wrapper_program *program;
    struct vc4_env env;
    struct vc4_limits limits;
    struct vc4_area area[AREAS];
    struct vpm vpm;
    struct qpu_shared shared;
    struct qpu_graphics graphics;
    struct vc4_vector registers[REGISTERS], vpm_row[VC4_VPM_ROWS], memory[MEMORY_ROWS];
    struct qpu qpu;
};

struct qpu_wrapped *qpu_wrapped_new(void)
{
    return memory_new(1, sizeof(struct qpu_wrapped));
}

void qpu_wrapped_free(struct qpu_wrapped *w)
{
    free(w);
}

static void allow(struct qpu_wrapped *w, uint32_t bus, uint32_t bytes, uint32_t row, uint32_t allowed)
{
    w->area[w->limits.areas++] =
        (struct vc4_area){.bus = bus, .bytes = bytes, .at = row * ROW_BYTES, .allowed = allowed};
}

void qpu_wrapped_take(struct qpu_wrapped *w, const struct wrapper_image *image,
                      const struct wrapper_program *program)
{
    enum { LOAD = 1 << VC4_LOADS, STORE = 1 << VC4_STORES, UNIFORM = 1 << VC4_TAKES_UNIFORM };
    w->image = image;
    w->program = program;
    w->limits = (struct vc4_limits){.area = w->area, .vpm_rows = VC4_VPM_ROWS_OF_QPU};
    allow(w, WINDOW, VC4_MEMORY_ROWS * ROW_BYTES, WINDOW_AT, LOAD | STORE | UNIFORM);
    allow(w, INPUT, image->input_rows * ROW_BYTES, INPUT_AT, LOAD);
    allow(w, OUTPUT, program->outputs * ROW_BYTES, OUTPUT_AT, STORE);
    allow(w, UNIFORMS, 4 * WRAPPER_UNIFORMS_MAX, UNIFORMS_AT, UNIFORM);
    memcpy(&w->memory[INPUT_AT], image->input, (size_t)image->input_rows * ROW_BYTES);
    memcpy(&w->memory[UNIFORMS_AT], image->uniforms, sizeof image->uniforms);
}

static void fill(struct vc4_vector *rows, uint32_t count, uint32_t filler)
{
    for (uint32_t i = 0; i < count; i++)
        vector_splat(&rows[i], filler);
}

static struct vc4_rows rows_of(struct vc4_vector *value, uint32_t rows)
{
    return (struct vc4_rows){.value = value, .rows = rows};
}

static void prepare(struct qpu_wrapped *w, uint32_t filler)
{
    fill(w->registers, REGISTERS, filler);
    fill(w->vpm_row, VC4_VPM_ROWS, filler);
    fill(&w->memory[WINDOW_AT], VC4_MEMORY_ROWS, filler);
    fill(&w->memory[OUTPUT_AT], w->program->outputs, filler);
    vpm_reset(&w->vpm, &w->env, rows_of(w->vpm_row, VC4_VPM_ROWS));
    memset(&w->shared, 0, sizeof w->shared);
    qpu_graphics_reset(&w->graphics, &w->env);
    struct qpu_setup setup = {
        .env = &w->env,
        .vpm = &w->vpm,
        .shared = &w->shared,
        .graphics = &w->graphics,
        .ra = rows_of(w->registers, 32),
        .rb = rows_of(w->registers + 32, 32),
        .acc = rows_of(w->registers + 64, 6),
        .program = w->image->code,
        .count = w->image->code_count,
        .code_base = CODE,
        .uniforms = {.in_memory = true, .address = UNIFORMS},
        .stale = {filler, filler},
        .stale_mul = filler,
        .limit = 2 * WRAPPER_CODE_MAX,
    };
    qpu_prepare(&w->qpu, &setup);
}

struct qpu_probe_end qpu_wrapped_run(struct qpu_wrapped *w, const struct profile *profile, uint32_t filler,
                                     struct coverage *coverage)
{
    struct qpu *q = &w->qpu;
    struct qpu_probe_end end;
    w->limits.breach = (struct vc4_breach){0};
    w->env = (struct vc4_env){
        .profile = profile,
        .coverage = coverage,
        .filler = filler,
        .memory = rows_of(w->memory, MEMORY_ROWS),
        .limits = &w->limits,
    };
    prepare(w, filler);
    end.stop = qpu_run(q);
    end.breach = w->limits.breach;
    end.at = (uint32_t)(q->next - q->step);
    end.at -= end.stop != VC4_GO && end.stop != VC4_HANG_LIMIT && end.at > 0;
    end.shared = q->semaphores_touched;
    if (end.breach.kind == VC4_BREACH_VPM)
        end.breach.kind = VC4_NO_BREACH;
    return end;
}
