/* SPDX-License-Identifier: MIT */
/*
 * Runs one program of any size on a library of board `program` (harness/protocol/board_plugin.h), in a
 * process of its own. The caller makes the memory, with the program and its uniforms; no case and no proof is
 * involved.
 */
#ifndef MISPRINT_ORACLE_BOARD_PLUGIN_PROGRAM_ALONE_H
#define MISPRINT_ORACLE_BOARD_PLUGIN_PROGRAM_ALONE_H

#include "harness/protocol/board_plugin.h"
#include "model/core/outcome.h"

struct program_alone {
    struct misprint_program program; /* `memory` is from program_alone_memory; `memory_base` is 0 */
    enum end end;                    /* result: done, hang or fault */
    char description[256];           /* result: what the library says of itself */
};

/* Returns zeroed memory that a child shares; NULL with an error. */
uint32_t *program_alone_memory(size_t bytes, struct error *e);
void program_alone_free(uint32_t *memory, size_t bytes);

/* `argument` is FILE.so[,OPTION...]. False with an error: the library cannot be used, refused the program, or
 * crashed. */
bool program_alone_run(const char *argument, const struct unit *u, struct program_alone *p, struct error *e);

#endif
