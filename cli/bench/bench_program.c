/* SPDX-License-Identifier: MIT */
#include "cli/bench/bench.h"

#include "model/core/memory.h"
#include "model/core/units.h"
#include "model/vc4/machine.h"
#include "model/vc4/qpu/unit_qpu.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MEMORY_BYTES = 2 << 20,
    MEMORY_ROWS = MEMORY_BYTES / 64,
    LIMIT = 10000000,
    LINE = 512,
    BLOCKS_MAX = 64
};

struct bench_program {
    struct profile profile;
    struct coverage coverage;
    struct vc4_rows memory, vpm;
    struct vc4_vector *image; /* the memory's initial content */
    struct block {
        uint32_t row, rows;
    } block[BLOCKS_MAX]; /* the parts of the memory that the program's files define */
    unsigned blocks;
    uint32_t word[2 * QPU_PROGRAM_MAX], count, load, uniforms[MACHINE_QPUS_MAX];
    unsigned qpus;
    struct machine *machine;
};

static struct vc4_vector *new_rows(uint32_t rows, int byte)
{
    struct vc4_vector *v = memory_new(rows, sizeof *v);
    memset(v, byte, rows * sizeof *v);
    return v;
}

static FILE *open_data(const char *name, const char *suffix, struct error *e)
{
    const char *folder = getenv("MISPRINT_TEST_DATA");
    char path[1024];
    snprintf(path, sizeof path, "%s/qpu-programs/%s.%s", folder ? folder : "../shared/data", name, suffix);
    FILE *f = fopen(path, "r");
    if (!f)
        error_set(e, "there is no %.200s; set MISPRINT_TEST_DATA to the folder of the tests' data", path);
    return f;
}

/* Returns a word of the memory. An address beyond the memory wraps; no program of this bench uses one. */
static uint32_t *word_at(struct bench_program *p, uint32_t address)
{
    return &p->memory.value[address / 64 % MEMORY_ROWS].lane[address / 4 % VC4_LANES];
}

static void note_block(struct bench_program *p, uint32_t address, uint32_t words)
{
    uint32_t row = address / 64 % MEMORY_ROWS, rows = (address % 64 + 4 * words + 63) / 64;
    if (p->blocks < BLOCKS_MAX)
        p->block[p->blocks++] = (struct block){row, rows < MEMORY_ROWS - row ? rows : MEMORY_ROWS - row};
}

static void read_words(struct bench_program *p, FILE *f)
{
    char line[LINE];
    uint64_t word;
    while (fgets(line, sizeof line, f) && p->count < QPU_PROGRAM_MAX)
        if (*line != '#' && sscanf(line, "%" SCNx64, &word) == 1) {
            p->word[2 * p->count] = (uint32_t)word;
            p->word[2 * p->count + 1] = (uint32_t)(word >> 32);
            p->count++;
        }
}

static void read_case(struct bench_program *p, FILE *f)
{
    char line[LINE];
    uint32_t address, count, qpu;
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "load %" SCNx32, &address) == 1)
            p->load = address;
        else if (sscanf(line, "qpus %" SCNu32, &count) == 1 && count <= MACHINE_QPUS_MAX)
            p->qpus = count;
        else if (sscanf(line, "uniforms %" SCNu32 " %" SCNx32, &qpu, &address) == 2 && qpu < MACHINE_QPUS_MAX)
            p->uniforms[qpu] = address;
        else if (sscanf(line, "mem %" SCNx32 " %" SCNu32, &address, &count) == 2) {
            note_block(p, address, count);
            for (uint32_t i = 0; i < count && fscanf(f, "%" SCNx32, word_at(p, address + 4 * i)) == 1; i++)
                ;
        }
    for (uint32_t i = 0; i < 2 * p->count; i++)
        *word_at(p, p->load + 4 * i) = p->word[i];
}

/* Makes a machine with an empty memory, an undefined VPM and the best-known silicon profile. */
static struct bench_program *new_program(void)
{
    struct bench_program *p = memory_new(1, sizeof *p);
    profile_builtin(&vc4_qpu_unit, vc4_qpu_unit.best_profile, &p->profile);
    p->memory = (struct vc4_rows){.value = new_rows(MEMORY_ROWS, 0),
                                  .defined = new_rows(MEMORY_ROWS, 0xFF),
                                  .rows = MEMORY_ROWS};
    p->vpm = (struct vc4_rows){.value = new_rows(VC4_VPM_ROWS, 0),
                               .defined = new_rows(VC4_VPM_ROWS, 0),
                               .rows = VC4_VPM_ROWS};
    p->qpus = 1;
    return p;
}

static enum vc4_stop run_machine(struct bench_program *p, const struct machine_start *start, bool checked)
{
    struct machine_setup setup = {
        .env = {.profile = &p->profile, .coverage = &p->coverage, .checked = checked, .memory = p->memory},
        .vpm = p->vpm,
        .qpus = p->qpus,
        .start = start,
        .limit = LIMIT};
    if (!p->machine)
        p->machine = machine_in(memory_new(machine_bytes(p->qpus, 0), 1), p->qpus, 0);
    machine_prepare(p->machine, &setup);
    return machine_run(p->machine);
}

struct bench_program *bench_program_open(const char *name, struct error *e)
{
    FILE *hex = open_data(name, "hex", e), *text = hex ? open_data(name, "case", e) : NULL;
    struct bench_program *p = text ? new_program() : NULL;
    if (p) {
        read_words(p, hex);
        read_case(p, text);
        p->image = new_rows(MEMORY_ROWS, 0);
        memcpy(p->image, p->memory.value, MEMORY_BYTES);
    }
    if (hex)
        fclose(hex);
    if (text)
        fclose(text);
    return p;
}

void bench_program_close(struct bench_program *p)
{
    if (!p)
        return;
    free(p->memory.value);
    free(p->memory.defined);
    free(p->image);
    free(p->vpm.value);
    free(p->vpm.defined);
    free(p->machine);
    free(p);
}

/* Restores the input, because a transform overwrites it with the results. Transforms of these results would
 * soon give only infinities. */
static void restore_input(struct bench_program *p)
{
    for (unsigned i = 0; i < p->blocks; i++) {
        const struct block *b = &p->block[i];
        memcpy(&p->memory.value[b->row], &p->image[b->row], b->rows * sizeof *p->image);
        memset(&p->memory.defined[b->row], 0xFF, b->rows * sizeof *p->memory.defined);
    }
}

double bench_program_run(struct bench_program *p, bool checked, struct error *e)
{
    struct machine_start start[MACHINE_QPUS_MAX];
    for (unsigned i = 0; i < p->qpus; i++)
        start[i] = (struct machine_start){.program = p->word,
                                          .count = p->count,
                                          .code_base = p->load,
                                          .uniforms = {.in_memory = true, .address = p->uniforms[i]},
                                          .number = i};
    restore_input(p);
    enum vc4_stop stop = run_machine(p, start, checked);
    if (stop == VC4_GO)
        return (double)machine_steps(p->machine);
    error_set(e, "a program of the tests' data stopped: %s", vc4_reasons[stop]);
    return -1;
}

double bench_program_bare(const char *text, struct error *e)
{
    struct bench_program *p = new_program();
    struct test_case *c = memory_new(1, sizeof *c);
    const struct qpu_case *qc = (const void *)c->words;
    double steps = -1;
    if (case_parse(c, text, strlen(text), e)) {
        struct machine_start start = {.program = qc->program.word,
                                      .count = qc->program.count,
                                      .code_base = 0x10000};
        (void)run_machine(p, &start, true);
        steps = (double)machine_steps(p->machine);
    }
    free(c);
    bench_program_close(p);
    return steps;
}
