/* SPDX-License-Identifier: MIT */
/* The case of unit vc4-qpu: shared by its schema (unit_qpu.c) and its generator (unit_qpu_generate.c). */
#ifndef MISPRINT_MODEL_VC4_QPU_UNIT_QPU_H
#define MISPRINT_MODEL_VC4_QPU_UNIT_QPU_H

#include "model/core/unit.h"
#include "model/vc4/qpu/qpu_graphics.h"
#include "model/vc4/vc4.h"

enum {
    QPU_CASE_PROGRAM_MAX = 512,
    QPU_CASE_UNIFORMS_MAX = 64,
    QPU_CASE_LIMIT = 1000,
    QPU_CASE_LIMIT_MAX = 1000000
};

struct qpu_case {
    uint32_t limit, qpu_number;
    uint32_t stale_a, stale_b, stale_mul; /* values last read through file A and B; last MUL result */
    struct {
        uint32_t count, word[2 * QPU_CASE_PROGRAM_MAX];
    } program;
    struct {
        uint32_t count;
        struct case_uniform item[QPU_CASE_UNIFORMS_MAX];
    } uniforms;
    CASE_IMAGE(32, VC4_LANES) ra;
    CASE_IMAGE(32, VC4_LANES) rb;
    CASE_IMAGE(6, VC4_LANES) acc;
    CASE_IMAGE(3, VC4_LANES) flags;
    CASE_IMAGE(VC4_VPM_ROWS, VC4_LANES) vpm;
    CASE_IMAGE(VC4_MEMORY_ROWS, VC4_LANES) memory;
    uint32_t stage, depth_test; /* enum qpu_stage, enum qpu_test */
    uint32_t samples, reversed; /* fragment shaders: MS_FLAGS and REV_FLAG at the start, in all elements */
    uint32_t varying_count;
    CASE_IMAGE(2 * QPU_VARYINGS_MAX, VC4_LANES) varyings;
    CASE_IMAGE(2, VC4_LANES) quads;
    CASE_IMAGE(QPU_TILE_ROWS, VC4_LANES) tile;
};

/* Where the regions of the outcome begin, in rows. */
enum {
    QPU_ROW_RA = 0,
    QPU_ROW_RB = 32,
    QPU_ROW_ACC = 64,
    QPU_ROW_FLAGS = 70,
    QPU_ROW_SEMAPHORES = 73,
    QPU_ROW_SYNC = 74,
    QPU_ROW_VPM = 75,
    QPU_ROW_MEMORY = QPU_ROW_VPM + VC4_VPM_ROWS,
    QPU_ROW_TILE = QPU_ROW_MEMORY + VC4_MEMORY_ROWS,
    QPU_ROWS = QPU_ROW_TILE + QPU_TILE_ROWS,
};

/* unit_qpu_generate_graphics.c: begins a program with look-ups, or as a fragment shader. */
void qpu_generate_graphics(struct random *r, struct qpu_case *c);

/* Adds an instruction to the program. */
static inline void qpu_add_word(struct qpu_case *c, uint64_t word)
{
    qpu_split(word, c->program.word + 2 * c->program.count++);
}
static inline void qpu_add_insn(struct qpu_case *c, const struct qpu_insn *i)
{
    qpu_add_word(c, qpu_encode(i));
}

/* unit_qpu_generate.c: the unit's hooks. */
void qpu_generate_word(struct random *r, uint32_t *words);
void qpu_mutate_word(struct random *r, uint32_t *words);
void qpu_generate_case(struct random *r, struct test_case *c);
void qpu_vary_case(struct random *r, struct test_case *c);
void qpu_mend_case(struct test_case *c);
void qpu_mend_case_for_proof(struct test_case *c);

#endif
