/* SPDX-License-Identifier: MIT */
/*
 * The result of `misprint learn` as JSON. `--json` prints it. A campaign keeps it in learn.json, from which a
 * later run continues. Both are the same document, so each fact has one place.
 *
 * Numbers that may exceed 2^53 (seed, signature) are strings.
 */
#ifndef MISPRINT_FUZZ_LEARN_LEARN_JSON_H
#define MISPRINT_FUZZ_LEARN_LEARN_JSON_H

#include "fuzz/learn/learn.h"

#include <jansson.h>

enum { LEARN_JSON_VERSION = 1 };

/* Returns the document. `profile`: o->base as a spec that needs no file (profile_spec). */
json_t *learn_json(const struct learn_options *o, const char *profile, const struct learn_result *r);

/*
 * Reads the document into *r, for a run with o->resumed. *seed: the seed of the run that wrote it. Returns
 * false with an error if the text is no such document, or if it is of another unit, board or base profile
 * than `o`. Then *r holds nothing to free. The error does not name the file.
 */
bool learn_json_read(const char *chars, size_t count, const struct learn_options *o, struct learn_result *r,
                     uint64_t *seed, struct error *e);

#endif
