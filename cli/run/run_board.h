/* SPDX-License-Identifier: MIT */
/* `misprint run` of a QPU program of bare words on a board of kind program: code, uniforms and memory in,
 * memory out. The memory is that of run_program.h; the uniforms are behind it. */
#ifndef MISPRINT_CLI_RUN_RUN_BOARD_H
#define MISPRINT_CLI_RUN_RUN_BOARD_H

#include "cli/cli.h"
#include "oracle/files/words.h"

/* Is --board a board of kind program? */
bool run_board_wanted(const struct arguments *a);
/* Checks the file and the options without running. */
bool board_program_is_good(const char *path, const char *bytes, size_t count, const struct arguments *a,
                           struct error *e);
/* As run_program. */
bool run_board_program(const char *path, const char *bytes, size_t count, const struct arguments *a,
                       struct text *t, json_t *list, bool *as_expected, struct error *e);

#endif
