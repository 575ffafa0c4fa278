/* SPDX-License-Identifier: MIT */
/*
 * What a program run gets from the command line and compares with: uniforms, memory images, expected memory.
 * All files hold words (oracle/files/words.h): hexadecimal text, or with "raw:@" before the name, or if they
 * are no text, little-endian words.
 */
#ifndef MISPRINT_CLI_RUN_RUN_INPUTS_H
#define MISPRINT_CLI_RUN_RUN_INPUTS_H

#include "model/text/text.h"
#include "oracle/files/words.h"

#include <jansson.h>

/*
 * Reads the value of --uniforms or a like option into at most `room` lists. "3f800000,40/0" has a list of
 * words for each thread, and so has "@FILE,@FILE"; NULL is no list. The caller frees the lists, even after an
 * error.
 */
bool word_lists_read(const char *option, const char *given, struct words *list, unsigned room,
                     unsigned *lists, struct error *e);

enum { PROGRAM_MEMORY_BYTES = 2 << 20 };
/* Reads --memory, "FILE@ADDRESS,...", into a memory of PROGRAM_MEMORY_BYTES from address 0. */
bool memory_read(const char *given, uint32_t *memory, struct error *e);

struct expected {
    uint64_t words, undefined, differ; /* undefined: words without a defined bit */
    char first[400];                   /* the first word that differs; "": none */
};

/* Compares the memory with the files of --expect, "memory@ADDRESS=FILE,...", where its bits are defined.
 * `result` NULL: only checks that option and files are good. */
bool expected_check(const char *given, const uint32_t *memory, const uint32_t *defined,
                    struct expected *result, struct error *e);
/* True if there is no --expect, or the program ended, something was compared, and nothing differs. */
bool expected_holds(const struct expected *x, bool ended);
void expected_print(const struct expected *x, struct text *t); /* nothing without --expect */
json_t *expected_json(const struct expected *x);               /* NULL without --expect */

#endif
