/* SPDX-License-Identifier: MIT */
/* Loads profiles and cases from files and command lines. */
#ifndef MISPRINT_ORACLE_FILES_LOAD_H
#define MISPRINT_ORACLE_FILES_LOAD_H

#include "model/core/unit.h"

/* Loads a profile as a user writes it: a built-in name or a file's name, followed by optional
 * ",clause=reading" overrides and ";RULE" rules. The overrides and rules may also stand alone. */
bool profile_load(const struct unit *u, const char *spec, struct profile *p, struct error *e);

/*
 * Writes the profile as a spec that needs no file: the spec itself, or the nearest built-in profile and the
 * overrides that make it equal. A campaign stores this spec with each run, so that a user who edits the file
 * later does not change what the run means.
 */
bool profile_spec(const struct unit *u, const char *spec, char *to, size_t room, struct error *e);

/* Fails with an error if the text starts with a byte order mark, which some editors write. `name`: the file's
 * name, for the error. */
bool text_unmarked(const char *name, const char *bytes, size_t count, struct error *e);

/* Is this a case in text form? */
bool case_is_text(const char *bytes, size_t count);
/* Could these bytes be a case of a unit in binary form? Any bytes decode to some case, so this refuses bytes
 * that were probably meant as something else: no bytes, a trace, text. The error says what to do. */
bool case_may_be_raw(const char *name, const char *bytes, size_t count, const struct unit *u,
                     struct error *e);
/* Reads a case in text form or, if `u` is not NULL, in binary form. A case of another unit is an error. */
bool case_from_bytes(const char *name, const char *bytes, size_t count, const struct unit *u,
                     struct test_case *c, struct error *e);
/* Makes a case from instruction words alone (oracle/files/words.h); all other fields keep their defaults.
 * `isa`: the instruction set, for a unit with several, or NULL. */
bool case_from_words(const char *name, const struct unit *u, const char *isa, const char *bytes, size_t count,
                     struct test_case *c, struct error *e);
bool case_load(const char *path, const struct unit *u, struct test_case *c, struct error *e);

#endif
