/* SPDX-License-Identifier: MIT */
/* Loads profiles and cases from files and command lines. */
#ifndef MISPRINT_ORACLE_FILES_LOAD_H
#define MISPRINT_ORACLE_FILES_LOAD_H

#include "model/core/unit.h"

/* Loads a profile as a user writes it: a built-in name, a file's name, overrides alone, or either of the
 * first two followed by ",clause=reading" overrides. */
bool profile_load(const struct unit *u, const char *spec, struct profile *p, struct error *e);

/*
 * Writes a spec that needs no file: the spec itself, or the nearest built-in profile with the overrides that
 * make it equal. A run is stored with it, so that editing a file later does not change the run.
 */
bool profile_spec(const struct unit *u, const char *spec, char *to, size_t room, struct error *e);

/* False with an error if text starts with a byte order mark, as editors of other systems write it. `name`:
 * the file. */
bool text_unmarked(const char *name, const char *bytes, size_t count, struct error *e);

/* Is this the text form of a case? */
bool case_is_text(const char *bytes, size_t count);
/* May these bytes be the binary form of a case of a unit? Any bytes decode to some case; those that were
 * probably meant as something else (nothing, a trace, text) are refused, with an error that says what to do.
 */
bool case_may_be_raw(const char *name, const char *bytes, size_t count, const struct unit *u,
                     struct error *e);
/* Reads a case: the text form or, if `u` is not NULL, the binary form. */
bool case_from_bytes(const char *name, const char *bytes, size_t count, const struct unit *u,
                     struct test_case *c, struct error *e);
/* Makes a case with this program and defaults for the rest, from bare instruction words
 * (oracle/files/words.h). `isa`: of a unit with several instruction sets, or NULL. */
bool case_from_words(const char *name, const struct unit *u, const char *isa, const char *bytes, size_t count,
                     struct test_case *c, struct error *e);
bool case_load(const char *path, const struct unit *u, struct test_case *c, struct error *e);

#endif
