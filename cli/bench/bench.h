/* SPDX-License-Identifier: MIT */
/* What the files of `misprint bench` share. */
#ifndef MISPRINT_CLI_BENCH_BENCH_H
#define MISPRINT_CLI_BENCH_BENCH_H

/* For qsort of doubles, to find the median. */
static inline int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

#endif
