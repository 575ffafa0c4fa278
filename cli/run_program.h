/* SPDX-License-Identifier: MIT */
/*
 * `misprint run` of a QPU program of bare words, on the model only: several QPUs, 2 MiB of memory from bus
 * address 0, uniforms and memory images from the command line. A case is too small for that.
 */
#ifndef MISPRINT_CLI_RUN_PROGRAM_H
#define MISPRINT_CLI_RUN_PROGRAM_H

#include "cli/cli.h"
#include "model/core/fidelity.h"
#include "oracle/files/words.h"

/* True with --uniforms, --memory, --qpus, --threads or --schedule. */
bool run_program_wanted(const struct arguments *a);
/* Checks that the file and the options are good, without running. */
bool program_is_good(const char *path, const char *bytes, size_t count, const struct arguments *a,
                     struct error *e);
/* Runs the program and adds its results to `t`, and to `list` with --json. False with an error. */
bool run_program(const char *path, const char *bytes, size_t count, const struct arguments *a, struct text *t,
                 json_t *list, struct error *e);

/*
 * Reads --uniforms: "3f800000,40/0" has one list of words for each thread, "@FILE" is one list for all, NULL
 * is none. At most `room` lists. The caller frees their words, also after an error.
 */
bool uniforms_read(const char *given, struct words *list, unsigned room, unsigned *lists, struct error *e);

json_t *fidelity_json(const struct fidelity *f);
/* One row of the results; values and masks are hexadecimal words. */
json_t *row_json(const char *region, unsigned row, const uint32_t *value, const uint32_t *defined,
                 unsigned columns);

/* Prints a step and waits for Enter, as --step does. After `c` it no longer waits, after `q` it prints
 * nothing. */
void step_wait(const char *line);
bool step_ended(void); /* the user typed `q` */

#endif
