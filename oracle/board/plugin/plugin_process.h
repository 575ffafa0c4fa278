/* SPDX-License-Identifier: MIT */
/*
 * The host's side of a library in a child (plugin_child.h): sends batches of cases, takes their outcomes, and
 * finds the case that crashes or hangs the library. Implements `open`, `run`, `ahead` and `close` of board
 * `plugin`.
 */
#ifndef MISPRINT_ORACLE_BOARD_PLUGIN_PLUGIN_PROCESS_H
#define MISPRINT_ORACLE_BOARD_PLUGIN_PLUGIN_PROCESS_H

#include "oracle/board/board_kind.h"
#include "oracle/board/plugin/plugin_memory.h"

struct plugin_process;

/* NULL with an error: nothing stays open. Fills in `about` and `flags` (misprint_board.flags). */
struct plugin_process *plugin_process_open(struct board *b, const char *file, const char *options,
                                           struct misprint_about *about, uint32_t *flags, struct error *e);
void plugin_process_close(struct plugin_process *p);
/* As board_kind.run and board_kind.ahead. */
bool plugin_process_run(struct plugin_process *p, const struct test_case *const *cases, unsigned count,
                        struct outcome *const *outcomes, enum answer *answers, struct error *e);
void plugin_process_ahead(struct plugin_process *p, const struct test_case *const *cases, unsigned count,
                          struct outcome *const *outcomes);

#endif
