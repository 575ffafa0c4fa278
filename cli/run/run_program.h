/* SPDX-License-Identifier: MIT */
/*
 * `misprint run` of a QPU program of bare words, only on the model. The program has up to 12 QPUs, 2 MiB of
 * memory from bus address 0, and uniforms and memory contents from the command line. A case is too small to
 * hold these.
 */
#ifndef MISPRINT_CLI_RUN_RUN_PROGRAM_H
#define MISPRINT_CLI_RUN_RUN_PROGRAM_H

#include "cli/cli.h"
#include "model/core/fidelity.h"
#include "oracle/files/words.h"

/* Was any of --uniforms, --memory, --qpus, --threads, --schedule, --limit, --expect given? */
bool run_program_wanted(const struct arguments *a);
/* Checks the file and the options without running. */
bool program_is_good(const char *path, const char *bytes, size_t count, const struct arguments *a,
                     struct error *e);
/* Runs the program; adds its results to `t`, with --json also to `list`. `*as_expected`: it ended, and the
 * memory is what --expect says, or there is no --expect. False with an error. */
bool run_program(const char *path, const char *bytes, size_t count, const struct arguments *a, struct text *t,
                 json_t *list, bool *as_expected, struct error *e);

json_t *fidelity_json(const struct fidelity *f);
/* Returns one row of the results as JSON. Values and masks are hexadecimal words. */
json_t *row_json(const char *region, unsigned row, const uint32_t *value, const uint32_t *defined,
                 unsigned columns);

/* Prints a step and waits for Enter, for --step. Once the user has typed `c`, it no longer waits. Once the
 * user has typed `q`, it prints nothing. */
void step_wait(const char *line);
bool step_ended(void); /* has the user typed `q`? */

#endif
