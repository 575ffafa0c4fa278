/* SPDX-License-Identifier: MIT */
/* A machine of up to twelve QPUs that runs programs from text. Tests can look at its state. */
#ifndef MISPRINT_TESTS_MODEL_VC4_QPU_SUPPORT_MACHINE_BENCH_H
#define MISPRINT_TESTS_MODEL_VC4_QPU_SUPPORT_MACHINE_BENCH_H

#include "model/vc4/machine.h"
#include "tests/model/vc4/qpu/support_machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MEMORY_ROWS = 64, LINES_MAX = 64 };

struct bench {
    struct coverage coverage;
    struct profile profile;
    struct vc4_rows memory, vpm, tile, varyings;
    uint32_t code[MACHINE_QPUS_MAX][2 * LINES_MAX], lines[MACHINE_QPUS_MAX];
    struct machine *machine;
};

static struct bench *b;

static inline int open_bench(void **state)
{
    (void)state;
    b = calloc(1, sizeof *b);
    b->profile = support_machine_profile();
    b->memory = support_rows(MEMORY_ROWS);
    b->vpm = support_rows(VC4_VPM_ROWS);
    b->tile = support_rows(QPU_TILE_ROWS);
    b->varyings = support_rows(2 * QPU_VARYINGS_MAX);
    b->machine = support_machine(MACHINE_QPUS_MAX);
    return 0;
}

static inline int close_bench(void **state)
{
    (void)state;
    support_rows_free(&b->memory);
    support_rows_free(&b->vpm);
    support_rows_free(&b->tile);
    support_rows_free(&b->varyings);
    free(b->machine);
    free(b);
    return 0;
}

/* Gives a QPU a program. Appends the end of the program to the instructions of the text. */
static inline void give(unsigned qpu, const char *text)
{
    struct error e = {0};
    b->lines[qpu] = 0;
    while (*text) {
        size_t length = strcspn(text, "\n");
        uint64_t word;
        if (!qpu_parse(text, length, &word, &e))
            fail_msg("%.*s: %s", (int)length, text, e.text);
        qpu_split(word, &b->code[qpu][2 * b->lines[qpu]++]);
        text += length + (text[length] == '\n');
    }
    static const uint64_t end[3] = {QPU_END_WORD, QPU_NOP_WORD, QPU_NOP_WORD};
    for (unsigned i = 0; i < 3; i++)
        qpu_split(end[i], &b->code[qpu][2 * b->lines[qpu]++]);
}

static inline void prepare(unsigned qpus, uint64_t seed, uint64_t limit, bool checked)
{
    struct machine_start start[MACHINE_QPUS_MAX] = {0};
    static const uint32_t uniforms[4] = {0x40, 0x80, 0xC0, 0x100};
    for (unsigned i = 0; i < qpus; i++)
        start[i] = (struct machine_start){.program = b->code[i],
                                          .count = b->lines[i],
                                          .number = i,
                                          .uniforms = {.list = uniforms, .count = 4},
                                          .code_base = 0x1000 * (i + 1)};
    struct machine_setup setup = {.env = {.profile = &b->profile,
                                          .coverage = &b->coverage,
                                          .checked = checked,
                                          .fidelity = checked,
                                          .memory = b->memory},
                                  .vpm = b->vpm,
                                  .qpus = qpus,
                                  .start = start,
                                  .limit = limit,
                                  .seed = seed,
                                  .turn = 1};
    machine_prepare(b->machine, &setup);
}

static inline void expect_explained(const char *wanted)
{
    struct text t = {0};
    machine_explain(b->machine, &t);
    assert_string_equal(text_chars(&t), wanted);
    text_free(&t);
}

#endif
