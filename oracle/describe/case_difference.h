/* SPDX-License-Identifier: MIT */
/* Finds and shows where the text forms of two cases differ. */
#ifndef MISPRINT_ORACLE_DESCRIBE_CASE_DIFFERENCE_H
#define MISPRINT_ORACLE_DESCRIBE_CASE_DIFFERENCE_H

#include "model/core/case.h"

/* The text forms of two cases. `part`: the shortest range of whole words in each that holds all differences;
 * it may be empty in one of them. */
struct case_difference {
    struct {
        struct text text;
        size_t begin, end;
    } part[2];
};
void case_difference_find(const struct test_case *a, const struct test_case *b, struct case_difference *d);
void case_difference_free(struct case_difference *d);

/* Returns the number of words in the longer one of the two ranges. */
unsigned case_difference_words(const struct case_difference *d);
/* Prints what makes the first case the second: "`stride=32` becomes `stride=31`". */
void case_difference_print(const struct case_difference *d, struct text *t);
/* Prints the lines that differ: those of the first case after "- ", those of the second after "+ ". */
void case_difference_lines(const struct case_difference *d, struct text *t);

#endif
