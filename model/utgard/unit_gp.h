/* SPDX-License-Identifier: MIT */
/* The case of unit utgard-gp: shared by its schema (unit_gp.c) and its generator (unit_gp_generate.c). One
 * vertex runs a program. */
#ifndef MISPRINT_MODEL_UTGARD_UNIT_GP_H
#define MISPRINT_MODEL_UTGARD_UNIT_GP_H

#include "model/utgard/gp_insn.h"

enum { GP_CASE_LIMIT = 4096, GP_CASE_LIMIT_MAX = 1000000, GP_CASE_VARYINGS = 4 };

#define GP_CASE_IMAGE(rows)                                                                                  \
    struct {                                                                                                 \
        uint32_t fill, seed, count;                                                                          \
        struct {                                                                                             \
            uint32_t index, word[GP_VEC];                                                                    \
        } row[rows];                                                                                         \
    }

struct gp_case {
    uint32_t limit, varying_count;
    uint32_t components; /* two bits an attribute, components less one */
    GP_CASE_IMAGE(GP_ATTRIBUTES) attributes;
    GP_CASE_IMAGE(GP_MEMORY_ROWS) memory;
    GP_CASE_IMAGE(GP_REGISTERS) registers;
    GP_CASE_IMAGE(GP_VARYINGS) varyings;
    struct {
        uint32_t count, word[GP_WORDS * GP_PROGRAM_MAX];
    } program;
};

/* unit_gp_generate.c: the unit's hooks. */
void gp_generate_word(struct random *r, uint32_t *words);
void gp_mutate_word(struct random *r, uint32_t *words);
void gp_generate_case(struct random *r, struct test_case *c);
void gp_vary_case(struct random *r, struct test_case *c);
void gp_mend_case(struct test_case *c);

#endif
