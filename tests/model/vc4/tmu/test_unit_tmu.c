/* SPDX-License-Identifier: MIT */
/*
 * The unit vc4-tmu with random input: textures that leave the memory, mip levels
 * that a size does not have, reserved types and filters, unaligned addresses,
 * FIFO overflow and underflow. Every run ends with a reason of the unit, and the
 * checked run equals the plain one in every defined bit. The sanitizers' builds
 * find accesses outside the case.
 */
#include "fuzz/generate/generate.h"
#include "model/core/units.h"
#include "model/vc4/tmu/tmu_config.h"
#include "model/vc4/tmu/unit_tmu.h"
#include "oracle/compare/compare.h"
#include "oracle/compare/executor.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

enum { FACE_CASES = 5000 };

#define PICK(r, table) (table)[random_below(r, sizeof(table) / sizeof *(table))]

/* A mostly random parameter: half of the bases are near the memory, half of the sizes are small. */
static uint32_t wild_word(struct random *r, uint32_t code)
{
    uint32_t word = random_u32(r);
    float f = (float)((int32_t)random_below(r, 4096) - 2048) / 512.0F;
    switch (code) {
    case TMU_OP_P0:
        return random_one_in(r, 8) ? word : (word & 0xFFF) | TMU_PUT(P0_BASE, random_below(r, 8));
    case TMU_OP_P1:
        word &= random_one_in(r, 2) ? UINT32_MAX : ~(TMU_MASK(P1_WIDTH) | TMU_MASK(P1_HEIGHT));
        return word | TMU_PUT(P1_WIDTH, random_below(r, 65)) | TMU_PUT(P1_HEIGHT, random_below(r, 65));
    case TMU_OP_S_ADDRESS:
        return random_one_in(r, 8) ? word : random_below(r, VC4_MEMORY_ROWS * 64);
    case TMU_OP_P2:
    case TMU_OP_UNIFORM:
        return word;
    default:
        if (random_one_in(r, 2))
            memcpy(&word, &f, sizeof word);
        return word;
    }
}

static void make_wild(struct random *r, struct test_case *tc)
{
    static const uint8_t codes[] = {TMU_OP_P0,        TMU_OP_P1,   TMU_OP_P1,   TMU_OP_P2,  TMU_OP_UNIFORM,
                                    TMU_OP_S,         TMU_OP_S,    TMU_OP_T,    TMU_OP_R,   TMU_OP_B,
                                    TMU_OP_S_ADDRESS, TMU_OP_LOAD, TMU_OP_LOAD, TMU_OP_LOAD};
    struct tmu_case *c = (struct tmu_case *)(void *)tc->words;
    case_init(tc, &vc4_tmu_unit);
    c->memory.fill = random_below(r, FILL_KINDS);
    c->data.fill = FILL_RANDOM;
    c->data.seed = random_u32(r);
    c->op_count = 1 + random_below(r, TMU_OPS_MAX);
    for (uint32_t i = 0; i < c->op_count; i++) {
        uint32_t code = PICK(r, codes);
        c->op[i][0] = wild_word(r, code);
        c->op[i][1] = code | (random_one_in(r, 2) ? TMU_OP_ALL : 0U);
    }
}

static void any_profile(struct random *r, struct profile *p)
{
    profile_builtin(&vc4_tmu_unit, 0, p);
    for (unsigned i = 0; i < unit_clauses(&vc4_tmu_unit); i++)
        p->reading[i] = (uint8_t)random_below(r, clause_readings(unit_clause(&vc4_tmu_unit, i)));
}

static void hostile_input_ends_in_a_defined_way(void **state)
{
    (void)state;
    struct random r;
    struct profile p;
    struct executor *x = executor_new(&vc4_tmu_unit);
    struct outcome *plain = outcome_new(&vc4_tmu_unit), *checked = outcome_new(&vc4_tmu_unit);
    struct test_case *tc = malloc(sizeof *tc);
    uint64_t reasons[VC4_STOPS] = {0};
    assert_non_null(tc);
    random_seed(&r, 39);
    for (unsigned n = support_scaled(300000); n-- > 0;) {
        make_wild(&r, tc);
        any_profile(&r, &p);
        executor_run(x, tc, &p, RUN_PLAIN, plain);
        executor_run(x, tc, &p, RUN_CHECKED, checked);
        assert_true(checked->reason < VC4_STOPS && vc4_ends[checked->reason] == checked->end);
        reasons[checked->reason]++;
        if (!outcomes_equal(checked, plain, NULL, NULL))
            support_fail_case(tc, "the checked run differs from the plain one");
    }
    static const enum vc4_stop wanted[] = {VC4_GO,           VC4_HANG_TMU_FULL,  VC4_HANG_TMU_LOAD,
                                           VC4_FAULT_MEMORY, VC4_FAULT_RESERVED, VC4_FAULT_UNDEFINED};
    for (unsigned i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        print_message("  %8llu  %s\n", (unsigned long long)reasons[wanted[i]],
                      wanted[i] ? vc4_reasons[wanted[i]] : "done");
        assert_true(reasons[wanted[i]] > 0);
    }
    free(tc);
    outcome_free(plain);
    outcome_free(checked);
    executor_free(x);
}

/* The face of a direction: the axis of the largest component, its sign (OpenGL ES 2.0 table 3.21). */
static unsigned face_of(const float *d)
{
    unsigned axis = 0;
    for (unsigned k = 1; k < 3; k++)
        if (fabsf(d[k]) > fabsf(d[axis]))
            axis = k;
    return 2 * axis + (d[axis] < 0);
}

/* Counts the directions of a case's first look-up by face, if it is into a cube map whose faces are a page
 * apart. */
static void count_faces(const struct test_case *tc, unsigned faces[6])
{
    const struct tmu_case *c = (const void *)tc->words;
    const struct field *data = schema_field(&vc4_tmu_unit.schema, "data");
    uint32_t rows[3][VC4_LANES];
    bool cube = false, apart = false;
    for (uint32_t i = 0; i < c->op_count; i++) {
        uint32_t word = c->op[i][0], code = c->op[i][1] & 15;
        cube = cube || (code == TMU_OP_P0 && TMU_FIELD(word, P0_CMMODE));
        apart = apart ||
                (code == TMU_OP_P2 && word == (TMU_PUT(CUBE_PTYPE, TMU_PTYPE_CUBE) | TMU_PUT(CUBE_CMST, 1)));
        if (code >= TMU_OP_S && code <= TMU_OP_R)
            image_row(tc, data, word, rows[code - TMU_OP_S]);
        if (code != TMU_OP_S)
            continue;
        for (unsigned lane = 0; cube && apart && lane < VC4_LANES; lane++) {
            float d[3];
            for (unsigned k = 0; k < 3; k++)
                memcpy(&d[k], &rows[k][lane], sizeof d[k]);
            faces[face_of(d)]++;
        }
        return;
    }
}

/* Generated cases read every face of cube maps that are in memory at different places. */
static void generated_cases_reach_all_faces(void **state)
{
    (void)state;
    struct random r;
    struct profile p;
    struct error e = {0};
    struct executor *x = executor_new(&vc4_tmu_unit);
    struct outcome *o = outcome_new(&vc4_tmu_unit);
    struct test_case *tc = malloc(sizeof *tc);
    unsigned faces[6] = {0}, needed[6] = {0};
    assert_non_null(tc);
    assert_true(profile_resolve(&vc4_tmu_unit, "bcm2835", &p, &e));
    random_seed(&r, 40);
    for (unsigned n = 1; n <= FACE_CASES; n++) {
        case_generate(&r, &vc4_tmu_unit, tc);
        executor_run(x, tc, &p, RUN_PLAIN, o);
        if (o->end == END_DONE)
            count_faces(tc, faces);
        for (unsigned f = 0; f < 6; f++)
            needed[f] = !needed[f] && faces[f] ? n : needed[f];
    }
    for (unsigned f = 0; f < 6; f++) {
        print_message("  face %u: first in case %u, %u directions in %d cases\n", f, needed[f], faces[f],
                      FACE_CASES);
        assert_true(faces[f] > 0);
    }
    executor_free(x);
    outcome_free(o);
    free(tc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(hostile_input_ends_in_a_defined_way),
                                       cmocka_unit_test(generated_cases_reach_all_faces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
