/* SPDX-License-Identifier: MIT */
/*
 * Makes the programs of board `program` for amd-buffer: proves a case and wraps it as for a real GPU
 * (harness/amdgpu/amdgpu_launch.h), one at a time. Owns the memory that the library's emulator works on.
 */
#ifndef MISPRINT_ORACLE_BOARD_PLUGIN_WAVE_PROGRAM_H
#define MISPRINT_ORACLE_BOARD_PLUGIN_WAVE_PROGRAM_H

#include "harness/protocol/board_plugin.h"
#include "model/core/outcome.h"

struct wave_programs;

struct wave_programs *wave_programs_new(struct error *e); /* NULL with an error: out of memory */
void wave_programs_free(struct wave_programs *w);         /* NULL is fine */

/* Makes the program of a case, which writes `stamp` when it ends. False with the reason if the case must not
 * run. */
bool wave_programs_make(struct wave_programs *w, const struct test_case *c, uint32_t stamp,
                        struct misprint_wave *wave, struct error *why);
/* Takes what the program left into `o`, which holds the case's initial state. False if it did not end. */
bool wave_programs_collect(struct wave_programs *w, struct outcome *o);

/* What no program can have, as of misprint_about.lacks. */
extern const char wave_programs_lack[];

#endif
