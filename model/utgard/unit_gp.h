/* SPDX-License-Identifier: MIT */
/* The case of unit utgard-gp: one vertex runs a program. */
#ifndef MISPRINT_MODEL_UTGARD_UNIT_GP_H
#define MISPRINT_MODEL_UTGARD_UNIT_GP_H

#include "model/utgard/gp_insn.h"

enum { GP_CASE_LIMIT = 4096, GP_CASE_LIMIT_MAX = 1000000, GP_CASE_VARYINGS = 4 };

struct gp_case {
    uint32_t limit, varying_count;
    uint32_t components; /* number of components of each attribute minus one, two bits each */
    CASE_IMAGE(GP_ATTRIBUTES, GP_VEC) attributes;
    CASE_IMAGE(GP_MEMORY_ROWS, GP_VEC) memory;
    CASE_IMAGE(GP_REGISTERS, GP_VEC) registers;
    CASE_IMAGE(GP_VARYINGS, GP_VEC) varyings;
    struct {
        uint32_t count, word[GP_WORDS * GP_PROGRAM_MAX];
    } program;
};

void gp_generate_word(struct random *r, uint32_t *words);
void gp_mutate_word(struct random *r, uint32_t *words);
void gp_generate_case(struct random *r, struct test_case *c);
void gp_vary_case(struct random *r, struct test_case *c);
void gp_mend_case(struct test_case *c);

#endif
