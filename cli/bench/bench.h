/* SPDX-License-Identifier: MIT */
/* The parts of `misprint bench`, one file each. */
#ifndef MISPRINT_CLI_BENCH_BENCH_H
#define MISPRINT_CLI_BENCH_BENCH_H

#include "cli/cli.h"

/* Benches that take options of their own. They return an exit status. */
int bench_board(const struct arguments *a);    /* the speed of a board, by batch size */
int bench_boards(const struct arguments *a);   /* the ways to attach a board, for all units */
int bench_coverage(const struct arguments *a); /* how much the ledger's counters help a fuzzer as feedback */
int bench_planted(const struct arguments *a);  /* how many faults injected in virtual boards are found */
int bench_rules(const struct arguments *a);    /* what rules in a profile cost the model */

int bench_unknown(const struct arguments *a); /* how well `learn` describes boards with hidden readings */

/* Does `name` name a row of bench_store, which measures what a campaign costs in addition to its cases: the
 * store, memory and start-up? */
bool bench_store_has(const char *name);
/* Measures the row with this name ("store" or NULL: all rows); adds the results to the text and the list. */
bool bench_store(const char *only, struct text *t, json_t *list, struct error *e);

/*
 * Programs that others wrote for the Raspberry Pi. They are not part of the project; they come with the data
 * for tests (qpu-programs in MISPRINT_TEST_DATA, described by its README).
 */
struct bench_program;
struct bench_program *bench_program_open(const char *name, struct error *e); /* NULL with an error */
void bench_program_close(struct bench_program *p);                           /* NULL is fine */
/* Runs the program on all its QPUs, always with the same input. Returns the number of instructions; negative
 * with an error if it did not reach its end. */
double bench_program_run(struct bench_program *p, bool checked, struct error *e);
/* Runs the program of a case on one QPU, as `misprint run` runs bare words: ten million instructions,
 * checked, with registers undefined at the start. Returns the number of instructions; negative with an error
 * if the text is no case. */
double bench_program_bare(const char *text, struct error *e);

/* Compares doubles for qsort. */
static inline int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

#endif
