/* SPDX-License-Identifier: MIT */
/*
 * Programs that other people wrote for the Raspberry Pi, for `misprint bench`:
 * read from the folder of the tests' data (qpu-programs in MISPRINT_TEST_DATA),
 * as its README describes them. They are no part of the project.
 */
#ifndef MISPRINT_CLI_BENCH_BENCH_PROGRAM_H
#define MISPRINT_CLI_BENCH_BENCH_PROGRAM_H

#include "model/core/error.h"

struct bench_program;

struct bench_program *
bench_program_open(const char *name,
                   struct error *e); /* NULL with an error: it is not there, or no such file */
void bench_program_close(struct bench_program *p);
/* One run by all its QPUs, each on the same input; how many instructions it took, negative (with an error) if
 * it did not come to its end. */
double bench_program_run(struct bench_program *p, bool checked, struct error *e);

/* The program of a case, on one QPU and for LIMIT instructions, as `misprint run` has it: checked, no
 * register set. As bench_program_run. */
double bench_program_bare(const char *text, struct error *e);

#endif
