/* SPDX-License-Identifier: MIT */
/*
 * The files that `misprint new-board` writes. Templates are in cli/boards/kit, with words such as @UNIT@ in
 * place of what the unit decides. kit_c.c and kit_python.c make the typed case and outcome from the unit's
 * tables.
 */
#ifndef MISPRINT_CLI_BOARDS_KIT_H
#define MISPRINT_CLI_BOARDS_KIT_H

#include "model/core/unit.h"

#include <stddef.h>

struct kit_file {
    const char *name; /* "board.c"; NULL after the last */
    const char *text;
};
extern const struct kit_file kit_files[];

/* Returns a name as an identifier: "vc4_vpm" of "vc4-vpm". */
void kit_identifier(const char *name, char *to, size_t room);

/* Does the unit's case have a list of uniforms? Only such units have programs and addresses in memory. */
bool kit_has_uniforms(const struct unit *u);

/* Adds the C header with the unit's case and outcome as structs. C++ can use it, too. */
void kit_header(const struct unit *u, struct text *t);

/* Adds the tables of BITS.md: the bit fields of the unit's words and instructions. Only for units that
 * kit_has_bits. */
bool kit_has_bits(const struct unit *u);
void kit_bits(const struct unit *u, struct text *t);

/* Add lines of the Python module: the rows of FIELDS and REGIONS, the list REASONS, the members of Case and
 * Outcome. */
void kit_python_fields(const struct unit *u, struct text *t);
void kit_python_regions(const struct unit *u, struct text *t);
void kit_python_reasons(const struct unit *u, struct text *t);
void kit_python_case(const struct unit *u, struct text *t);
void kit_python_outcome(const struct unit *u, struct text *t);

#endif
