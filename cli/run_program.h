/* SPDX-License-Identifier: MIT */
/*
 * `misprint run` of a bare QPU program: several QPUs, 2 MiB of memory from bus
 * address 0, uniforms and memory images from the command line. A case is too
 * small for that, and boards do not run it: this is the model's machine alone.
 */
#ifndef MISPRINT_CLI_RUN_PROGRAM_H
#define MISPRINT_CLI_RUN_PROGRAM_H

#include "cli/cli.h"
#include "model/core/fidelity.h"
#include "oracle/files/words.h"

/* True if the command line asks for it: --uniforms, --memory, --qpus, --threads or --schedule. */
bool run_program_wanted(const struct arguments *a);
/* Can it run with what the command line says? Asked of all before the first runs. */
bool program_is_good(const char *path, const char *bytes, size_t count, const struct arguments *a,
                     struct error *e);
/* Runs the program in a file of words; what it leaves goes into `t`, and for --json into `list`. Returns an
 * exit status; STATUS_USAGE with `e`. */
int run_program(const char *path, const char *bytes, size_t count, const struct arguments *a, struct text *t,
                json_t *list, struct error *e);

/*
 * --uniforms: "3f800000,40/0", a list of words a thread, or "@FILE", a file of words for all; NULL: no list.
 * At most `room` lists, whose words are to be freed in any case.
 */
bool uniforms_read(const char *given, struct words *list, unsigned room, unsigned *lists, struct error *e);

/* What --json says of a run's worth (model/core/fidelity.h). */
json_t *fidelity_json(const struct fidelity *f);

/* A row of what a run left, for --json; values and masks as hexadecimal words. */
json_t *row_json(const char *region, unsigned row, const uint32_t *value, const uint32_t *defined,
                 unsigned columns);

/* --step: prints a step and waits for Enter on the terminal; `c` goes on without waiting, after `q` nothing
 * is printed any more. */
void step_wait(const char *line);
bool step_ended(void); /* by `q` */

#endif
