/* SPDX-License-Identifier: MIT */
/* `misprint bench board`: what a board can do, by how many cases it is given at once. */
#ifndef MISPRINT_CLI_BENCH_BENCH_BOARD_H
#define MISPRINT_CLI_BENCH_BENCH_BOARD_H

#include "cli/cli.h"

int bench_board(const struct arguments *a);

#endif
