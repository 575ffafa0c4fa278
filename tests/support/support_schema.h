/* SPDX-License-Identifier: MIT */
/*
 * A small validator for the part of JSON Schema (draft 2020-12) that our
 * schemas use. A keyword that it does not know is a failure, not ignored.
 */
#ifndef MISPRINT_TESTS_SUPPORT_SUPPORT_SCHEMA_H
#define MISPRINT_TESTS_SUPPORT_SUPPORT_SCHEMA_H

#include "model/text/text.h"

#include <jansson.h>
#include <stdbool.h>

/* `why` gets the place and the keyword that said no. */
bool schema_accepts(const json_t *schema, const json_t *value, struct text *why);

#endif
