/* SPDX-License-Identifier: MIT */
/* What people keep in small files, or write on a command line: profiles and cases. */
#ifndef MISPRINT_ORACLE_FILES_LOAD_H
#define MISPRINT_ORACLE_FILES_LOAD_H

#include "model/core/unit.h"

/*
 * A profile as a user writes it: a built-in name, a file's name, overrides
 * alone, or either of the first two followed by ",clause=reading" overrides.
 */
bool profile_load(const struct unit *u, const char *spec, struct profile *p, struct error *e);

/*
 * The same profile in words that need no file: the spec as it is, or the nearest built-in profile with the
 * overrides that make it equal. What is kept of a run says it like this, so that editing the file later does
 * not change it.
 */
bool profile_spec(const struct unit *u, const char *spec, char *to, size_t room, struct error *e);

/* Text that editors of other systems made starts with a mark of its encoding: false with an error that says
 * so. `name`: the file. */
bool text_unmarked(const char *name, const char *bytes, size_t count, struct error *e);

/*
 * A case from a file's bytes: the text form, or (with `u` not NULL) any other
 * bytes as the binary form. Is it the text form? case_is_text tells.
 */
bool case_is_text(const char *bytes, size_t count);
/*
 * May the bytes be what a fuzzer left for a unit? Any bytes make some case; those that somebody took for
 * another thing (nothing, a trace, text) would make one that nobody meant. False with an error that says what
 * to do with them.
 */
bool case_may_be_raw(const char *name, const char *bytes, size_t count, const struct unit *u,
                     struct error *e);
bool case_from_bytes(const char *name, const char *bytes, size_t count, const struct unit *u,
                     struct test_case *c, struct error *e);
/*
 * A case with this program and defaults for the rest, from bare instruction words (oracle/files/words.h).
 * `isa`: of a unit with several instruction sets, or NULL.
 */
bool case_from_words(const char *name, const struct unit *u, const char *isa, const char *bytes, size_t count,
                     struct test_case *c, struct error *e);
bool case_load(const char *path, const struct unit *u, struct test_case *c, struct error *e);

#endif
