/* SPDX-License-Identifier: MIT */
/*
 * Whole files in and out, with errors that say which file and what to do, and
 * what people keep in small files: profiles and cases.
 */
#ifndef MISPRINT_ORACLE_FILE_H
#define MISPRINT_ORACLE_FILE_H

#include "model/unit.h"

enum { FILE_BYTES_MAX = 256 << 20 }; /* larger ones are refused */

/* Reads a file ("-": standard input) into memory, NUL-terminated behind its last byte. NULL with an error; free() it. */
char *file_read(const char *path, size_t *count, struct error *e);

/* Writes a file as a whole: to PATH.part first, then renamed, so that a full disk leaves the old one. "-": standard output. */
bool file_write(const char *path, const char *chars, size_t count, struct error *e);

/*
 * A profile as a user writes it: a built-in name, a file's name, overrides
 * alone, or either of the first two followed by ",clause=reading" overrides.
 */
bool profile_load(const struct unit *u, const char *spec, struct profile *p, struct error *e);

/*
 * A case from a file's bytes: the text form, or (with `u` not NULL) any other
 * bytes as the binary form. Is it the text form? case_is_text tells.
 */
bool case_is_text(const char *bytes, size_t count);
bool case_load(const char *path, const struct unit *u, struct test_case *c, struct error *e);

#endif
