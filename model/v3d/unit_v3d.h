/* SPDX-License-Identifier: MIT */
/* The case of unit v3d-qpu: a compute job with its program, uniforms, registers and memory. */
#ifndef MISPRINT_MODEL_V3D_UNIT_V3D_H
#define MISPRINT_MODEL_V3D_UNIT_V3D_H

#include "model/core/unit.h"
#include "model/v3d/run/v3d_machine.h"

enum {
    V3D_CASE_PROGRAM_MAX = 512,
    V3D_CASE_UNIFORMS_MAX = 64,
    V3D_CASE_LIMIT = 1000,
    V3D_CASE_LIMIT_MAX = 1000000,
    V3D_CASE_BATCHES_MAX = 64,
    V3D_MEMORY_ROWS = 256,
};
_Static_assert(V3D_MEMORY_ROWS *V3D_LANES == V3D_SHARED_WORDS, "v3d_sharing.h has a record for each word");

struct v3d_case {
    uint32_t generation, limit;
    uint32_t workgroups[3], group, batches, start; /* the words CFG0 to CFG3 of the CSD; batches; flags */
    uint32_t flag_a, flag_b;
    struct {
        uint32_t count, word[2 * V3D_CASE_PROGRAM_MAX];
    } program;
    struct {
        uint32_t count;
        struct case_uniform item[V3D_CASE_UNIFORMS_MAX];
    } uniforms;
    CASE_IMAGE(V3D_REGISTERS, V3D_LANES) rf;
    CASE_IMAGE(V3D_ACCUMULATORS, V3D_LANES) acc;
    CASE_IMAGE(V3D_MEMORY_ROWS, V3D_LANES) memory;
};

/* Bits of `start`. */
enum { V3D_START_FOUR_THREADS = 1, V3D_START_SINGLE_SEGMENT = 2, V3D_START_NAN = 4 };

/* Values that are worth trying often: limits of integers, floats and halves, and numbers that are round. */
enum { V3D_INTERESTING = 24 };
extern const uint32_t v3d_interesting[V3D_INTERESTING];

/* Runs a case as the unit does. Returns whether what it leaves depends on the order of its batches
 * (v3d_sharing.h). */
bool v3d_case_run_shared(struct run *r);

/* Prints the restrictions of Mesa that the case's program breaks, each on a line. */
void v3d_case_breaches(const struct test_case *tc, struct text *t);

/* unit_v3d_generate.c */
void v3d_case_generate(struct random *r, struct test_case *tc);
/* Makes a program that breaks this restriction once, which has a clause, and no other one. */
void v3d_case_generate_breaking(struct random *r, struct test_case *tc, unsigned which);
void v3d_case_mend(struct test_case *tc);
void v3d_case_mend_for_proof(struct test_case *tc);
void v3d_case_vary(struct random *r, struct test_case *tc);

#endif
