/* SPDX-License-Identifier: MIT */
/*
 * `misprint run` of a compute program of V3D in bare words, only on the model. Like a user's own kernel, it
 * has the launch words of the CSD, 2 MiB of memory from address 0, and uniforms and memory contents from the
 * command line. A case is too small to hold these.
 */
#ifndef MISPRINT_CLI_RUN_RUN_LAUNCH_H
#define MISPRINT_CLI_RUN_RUN_LAUNCH_H

#include "cli/cli.h"

/* Do the options name the unit v3d-qpu? */
bool run_launch_wanted(const struct arguments *a);
/* Checks the file and the options without running. */
bool launch_is_good(const char *path, const char *bytes, size_t count, const struct arguments *a,
                    struct error *e);
/* Runs the program; adds its results to `t`, with --json also to `list`. `*as_expected` as of run_program.
 * False with an error. */
bool run_launch(const char *path, const char *bytes, size_t count, const struct arguments *a, struct text *t,
                json_t *list, bool *as_expected, struct error *e);

#endif
