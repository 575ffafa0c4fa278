/* SPDX-License-Identifier: MIT */
/* A machine of unit svp64-swizzle, for the tests of its instructions. */
#ifndef MISPRINT_TESTS_MODEL_SVP64_SUPPORT_SWIZZLE_H
#define MISPRINT_TESTS_MODEL_SVP64_SUPPORT_SWIZZLE_H

#include "model/svp64/unit_swizzle.h"
#include "oracle/compare/executor.h"

struct swizzle_bench {
    struct executor *executor;
    struct outcome *out;
    struct test_case tc;
    struct swizzle_case *c; /* the case's struct in `tc` */
};

/* Set-up and tear-down of a cmocka group. *state is the machine. */
int swizzle_set_up(void **state);
int swizzle_tear_down(void **state);

/* Makes a case of one instruction. Every register has another value. */
void swizzle_set_case(struct swizzle_bench *b, unsigned vl, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Sets a register's value before the run. `file`: "gpr" or "fpr". */
void swizzle_set_register(struct swizzle_bench *b, const char *file, unsigned number, uint64_t value);
void swizzle_run(struct swizzle_bench *b, const char *profile);

/* Returns a register's value after the run. */
uint64_t swizzle_register_of(const struct swizzle_bench *b, const char *file, unsigned number);
/* Returns the moves of the outcome as text: "d0=s3 d1=0". */
const char *swizzle_moves_of(const struct swizzle_bench *b);

#endif
