/* SPDX-License-Identifier: MIT */
/* The study of one difference, for tests of the search. The board is the model with rules that the test
 * knows. */
#ifndef MISPRINT_TESTS_SUPPORT_SUPPORT_STUDY_H
#define MISPRINT_TESTS_SUPPORT_SUPPORT_STUDY_H

#include "fuzz/learn/search/study.h"

/* The study of a difference of a virtual board with some rules. */
struct bench {
    struct profile manual, board;
    struct learn_options o;
    struct learner *l;
    struct study *s;
};

/* Reads a profile. The test fails if it cannot be read. */
void resolve(const struct unit *u, const char *rules, struct profile *p);
/* Opens the board and a study without a case. */
void open_study(struct bench *b, const char *unit, const char *rules, uint64_t seed);
/* Opens both, and finds a case in which the board differs, and cases near it. */
void open_bench(struct bench *b, const char *unit, const char *rules);
void open_bench_seed(struct bench *b, const char *unit, const char *rules, uint64_t seed);
void close_bench(struct bench *b);

#endif
